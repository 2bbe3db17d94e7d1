//! What stands in the configuration of agents now, for a doctor.

use std::path::PathBuf;

use crate::agents::{Agent, Scope};
use crate::disk::Files;
use crate::document::Slot;
use crate::entry::{self, Invocation};
use crate::paths::Surroundings;
use crate::plan::{self, AgentPart, SERVER_NAME};
use crate::record::{RecordKey, RecordStore};

/// A file in which an agent looks for servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedEntry {
    /// The file, as its agent calls it.
    pub path: PathBuf,
    /// What is in it.
    pub state: EntryState,
    /// Whether it is certain that the agent reads this file.
    pub is_sure: bool,
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryState {
    /// No entry of ours.
    Absent,
    /// The file cannot be read; why, as a part of a sentence.
    Broken(String),
    /// An entry of our name that says no program.
    NoCommand,
    /// An entry of our name.
    Present {
        /// How the server is started.
        invocation: Invocation,
        /// Whether install wrote it and nobody changed it since.
        is_as_written: bool,
        /// Whether it is as install would write it now.
        is_current: bool,
    },
}

/// Looks at the files in which an agent looks for servers: all that exist.
#[must_use]
pub fn check(
    agent: &Agent,
    scope: Scope,
    invocation: &Invocation,
    surroundings: &Surroundings,
    files: &dyn Files,
    records: &RecordStore,
) -> Vec<CheckedEntry> {
    let places = plan::places(agent, scope, surroundings, files);
    let mut found = Vec::new();
    for place in places
        .iter()
        .filter(|place| place.part == AgentPart::Server)
    {
        for path in place.candidates.iter().filter(|path| files.exists(path)) {
            found.push(CheckedEntry {
                path: path.clone(),
                state: state_of(agent, path, invocation, files, records),
                is_sure: place.is_sure,
            });
        }
    }
    found
}

fn state_of(
    agent: &Agent,
    path: &std::path::Path,
    invocation: &Invocation,
    files: &dyn Files,
    records: &RecordStore,
) -> EntryState {
    let read = || {
        let real = files.real(path).map_err(|error| error.to_string())?;
        let bytes = files.read(&real).map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes.unwrap_or_default());
        let text = text.map_err(|_| "it is not UTF-8".to_owned())?;
        let slot = Slot {
            key: &agent.mcp.key,
            name: SERVER_NAME,
        };
        let entry = agent.mcp.form.read(&text, slot);
        Ok::<_, String>((real, entry.map_err(|error| error.to_string())?))
    };
    let (real, entry) = match read() {
        Ok((real, Some(entry))) => (real, entry),
        Ok((_, None)) => return EntryState::Absent,
        Err(why) => return EntryState::Broken(why),
    };
    let Some(found) = entry::read(&agent.mcp.entry, &entry) else {
        return EntryState::NoCommand;
    };
    let record = records.get(&RecordKey::new(&real, AgentPart::Server));
    EntryState::Present {
        is_as_written: record.is_some_and(|record| !record.is_of_other && record.written == entry),
        is_current: entry == entry::fill(&agent.mcp.entry, invocation),
        invocation: found,
    }
}

//! The readable files of `.context/` that the ledger makes and reads (SPEC P3, D17, I5).
//!
//! Reading never fails: what cannot be used is a [`ContextFileProblem`] that says what, where, and what happens next.
//! Fields and entries that this version does not know are kept.

pub mod aliases;
pub mod cache;
pub mod index;
pub mod log;
pub mod outline;
pub mod state;

use serde_json::{Map, Value};
use std::fmt;

/// The schema of files that this version writes.
pub const SCHEMA_VERSION: &str = "1.0";

/// A file of `.context/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContextFile {
    /// `index.json`
    Index,
    /// `state.json`
    State,
    /// `aliases.json`
    Aliases,
    /// `cache/ledger.bin`
    Cache,
    /// `hash_conflicts.log`
    HashConflicts,
    /// `alias_conflicts.log`
    AliasConflicts,
}

impl ContextFile {
    /// Its path within `.context/`.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Index => "index.json",
            Self::State => "state.json",
            Self::Aliases => "aliases.json",
            Self::Cache => "cache/ledger.bin",
            Self::HashConflicts => "hash_conflicts.log",
            Self::AliasConflicts => "alias_conflicts.log",
        }
    }
}

/// Something about a file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextFileProblem {
    /// Which file.
    pub file: ContextFile,
    /// Where in it: a path like `types[3].structureHash`, or a line; empty for all of it.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// What happens next.
    pub next: &'static str,
}

impl fmt::Display for ContextFileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file.path())?;
        if !self.place.is_empty() {
            write!(f, " at {}", self.place)?;
        }
        write!(f, ": {}; {}", self.what, self.next)
    }
}

pub(crate) const MADE_ANEW: &str = "nothing is taken from it, it is made anew from the sources";
pub(crate) const ENTRY_DROPPED: &str = "this entry is made anew from the sources";
pub(crate) const KEPT: &str = "unknown parts are kept unchanged";

/// The text to write, unless all that is new is the time of writing.
///
/// `moving` are the keys of the top level that say when the file was written.
pub(crate) fn unless_same(previous: Option<&str>, new: String, moving: &[&str]) -> Option<String> {
    let Some(previous) = previous else {
        return Some(new);
    };
    let heads: Vec<String> = moving.iter().map(|key| format!("  \"{key}\": ")).collect();
    let stays = |line: &&str| !heads.iter().any(|head| line.starts_with(head));
    let same = previous.lines().filter(stays).eq(new.lines().filter(stays));
    (!same || previous.ends_with('\n') != new.ends_with('\n')).then_some(new)
}

/// Two spaces, one value a line, a line feed at the end.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    // Maps with text as keys can always be written.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The object that a file holds, if it is one of ours.
pub(crate) fn object(
    file: ContextFile,
    text: &str,
    problems: &mut Vec<ContextFileProblem>,
) -> Option<Map<String, Value>> {
    let mut unusable = |place: String, what: String| {
        problems.push(ContextFileProblem {
            file,
            place,
            what,
            next: MADE_ANEW,
        });
        None
    };
    let text = text.trim_start_matches('\u{feff}');
    let map = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(map)) => map,
        Ok(_) => return unusable(String::new(), "not a JSON object".to_owned()),
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            let what = if error.is_eof() {
                "the file ends too early"
            } else {
                "not JSON"
            };
            return unusable(place, format!("{what} ({error})"));
        }
    };
    let place = "schemaVersion".to_owned();
    let Some(version) = map.get("schemaVersion") else {
        return unusable(place, "missing: not a file of this program".to_owned());
    };
    match version_of(version) {
        Some((1, 0)) => {}
        Some((1, _)) => problems.push(ContextFileProblem {
            file,
            place,
            what: format!("{version} is newer than {SCHEMA_VERSION}"),
            next: KEPT,
        }),
        Some((major, _)) => {
            let age = if major == 0 { "older" } else { "newer" };
            return unusable(place, format!("{version} is {age} than {SCHEMA_VERSION}"));
        }
        None => return unusable(place, format!("{version} is not a version")),
    }
    Some(map)
}

fn version_of(version: &Value) -> Option<(u32, u32)> {
    let (major, minor) = version.as_str()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// A list of a file, each entry for itself, so that a broken one costs no other.
pub(crate) fn entries<T: serde::de::DeserializeOwned>(
    file: ContextFile,
    key: &str,
    value: Option<Value>,
    problems: &mut Vec<ContextFileProblem>,
) -> Vec<T> {
    let list = match value {
        Some(Value::Array(list)) => list,
        other => {
            let what = if other.is_some() {
                "not a list"
            } else {
                "missing"
            };
            problems.push(ContextFileProblem {
                file,
                place: key.to_owned(),
                what: what.to_owned(),
                next: MADE_ANEW,
            });
            return Vec::new();
        }
    };
    let mut read = Vec::with_capacity(list.len());
    for (at, entry) in list.into_iter().enumerate() {
        // Only where something is wrong is it worth its price to know the place.
        match T::deserialize(&entry).or_else(|_| serde_path_to_error::deserialize(&entry)) {
            Ok(entry) => read.push(entry),
            Err(error) => problems.push(broken(file, &format!("{key}[{at}]"), &error)),
        }
    }
    read
}

/// A broken entry.
pub(crate) fn broken(
    file: ContextFile,
    place: &str,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> ContextFileProblem {
    let path = error.path().to_string();
    let path = if path == "." {
        String::new()
    } else {
        format!(".{path}")
    };
    ContextFileProblem {
        file,
        place: format!("{place}{path}"),
        what: error.inner().to_string(),
        next: ENTRY_DROPPED,
    }
}

/// Times in files: RFC 3339.
pub(crate) mod time_as_text {
    use crate::time::{Millis, parse_rfc3339, rfc3339};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(at: &Millis, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&rfc3339(*at))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Millis, D::Error> {
        let text = String::deserialize(from)?;
        parse_rfc3339(&text).ok_or_else(|| {
            D::Error::custom(format!("{text:?} is not a time (RFC 3339, from 1970)"))
        })
    }
}

/// Times in files that need not be there.
pub(crate) mod maybe_time_as_text {
    use crate::time::{Millis, rfc3339};
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    struct Time(#[serde(with = "super::time_as_text")] Millis);

    pub(crate) fn serialize<S: Serializer>(at: &Option<Millis>, to: S) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => to.serialize_some(&rfc3339(*at)),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Millis>, D::Error> {
        Ok(Option::<Time>::deserialize(from)?.map(|time| time.0))
    }
}

//! `codecortex hook`: what an agent's hook runs after a search of its own. It adds what the index knows of the names that
//! were searched for, within 300 tokens, and never replaces or delays the search's own result (SPEC X6).

mod input;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Caller, Config};
use codecortex_host::{HostWorkspace, Options, resolve_roots};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;
use input::HookInput;

/// A longer event is no search.
const MAX_BYTES: u64 = 4 << 20;
/// The tokens that the addition may have.
const MAX_TOKENS: u32 = 300;
/// An index that is not there within this time is left to a later search.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long one look for results lasts.
const TURN: Duration = Duration::from_millis(50);

/// Reads the agent's event from stdin and prints the addition. Whatever is wrong, the agent goes on without one.
pub(crate) fn run() -> Result<i32, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_BYTES).read_to_end(&mut bytes);
    let Some(input) = read.ok().and_then(|_| HookInput::read(&bytes)) else {
        return Ok(0);
    };
    let names = input.searched_names();
    if names.is_empty() {
        return Ok(0);
    }
    let root = project_of(&input.folder);
    let Some(mut workspace) = open_in_time(&root) else {
        output::warn("the index is not there yet; `codecortex index` makes it");
        return Ok(0);
    };
    let args = json!({ "symbol": names, "includePreview": false, "format": "text", "maxTokens": MAX_TOKENS });
    let answer = workspace.call("codecortex_findReferences", args, Caller::default());
    if let Some(text) = answer.text.filter(|_| answer.ok) {
        output::print_exact(&addition(&input.event, &text).to_string())?;
    }
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(0)
}

/// The addition as agents read it.
fn addition(event: &str, text: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": event,
            "additionalContext": format!("The code index knows these names:\n{}", shortened(text)),
        }
    })
}

/// The answer without what a search already says: names that nothing declares, and the account of tokens.
fn shortened(text: &str) -> String {
    let is_said = |line: &&str| {
        let is_account = line.starts_with("// ") && line.contains(" tokens, rev ");
        !is_account && !line.starts_with("// not found: ")
    };
    text.lines().filter(is_said).collect::<Vec<_>>().join("\n")
}

/// The repository that a folder is in, or the folder.
fn project_of(folder: &Path) -> PathBuf {
    let mut above = folder.ancestors();
    let found = above.find(|folder| folder.join(".git").exists());
    found.unwrap_or(folder).to_path_buf()
}

/// The workspace, if its index is whole in time.
fn open_in_time(root: &Path) -> Option<HostWorkspace> {
    let mut workspace = HostWorkspace::open(Options {
        roots: resolve_roots(&[root.to_path_buf()]).ok()?,
        config: Config::default(),
        ..Options::default()
    });
    let until = Instant::now() + PATIENCE;
    while !workspace.is_settled() {
        if Instant::now() > until {
            return None;
        }
        workspace.step(TURN);
    }
    Some(workspace)
}

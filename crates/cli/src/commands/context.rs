//! `codecortex init` and `changes`: the folder `.context/` (SPEC D3, D17, H4, A1).

use std::time::{SystemTime, UNIX_EPOCH};

use codecortex_host::{ContextFolder, Updated, Workspace};
use codecortex_ledger::{Change, What};
use serde_json::{Value, json};

use crate::args::{ChangesArgs, InitArgs};
use crate::failure::Failure;
use crate::output;

/// Makes the folder in every root, and fills it.
pub(crate) fn init(command: &InitArgs) -> Result<i32, Failure> {
    let workspace = command.workspace.open()?;
    for (index, root) in workspace.roots().iter().enumerate() {
        let folder = ContextFolder::create(root)?;
        let updated = folder.update(&workspace, index as u32, now())?;
        let path = folder.path().display();
        let count = updated.report.changes.len();
        output::print(&match updated.written.as_slice() {
            [] => format!("{path} is up to date"),
            written => format!(
                "{path}: {} ({count} types new or changed)",
                written.join(", ")
            ),
        })?;
        tell_problems(&updated);
    }
    finish(workspace)
}

/// Says what changed since the folder was last written, and writes it.
pub(crate) fn changes(command: &ChangesArgs) -> Result<i32, Failure> {
    let workspace = command.workspace.open()?;
    let mut all = Vec::new();
    for (index, root) in workspace.roots().iter().enumerate() {
        let folder = ContextFolder::of(root).ok_or(Failure::NoContext)?;
        let updated = folder.update(&workspace, index as u32, now())?;
        tell_problems(&updated);
        all.push((root.name.clone(), updated));
    }
    if command.json {
        let roots: Vec<Value> = all
            .iter()
            .map(|(name, updated)| json_of(name, updated))
            .collect();
        output::print(&json!({ "ok": true, "data": { "roots": roots } }).to_string())?;
    } else {
        for (name, updated) in &all {
            output::print(text_of(name, updated).trim_end())?;
        }
    }
    finish(workspace)
}

fn finish(mut workspace: Workspace) -> Result<i32, Failure> {
    workspace.save_if_worthwhile();
    std::mem::forget(workspace); // the system takes its memory back faster than we can
    Ok(0)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

fn tell_problems(updated: &Updated) {
    for problem in &updated.problems {
        // A file of theirs was not as it should be: that is no detail.
        tracing::error!("{problem}");
    }
}

fn text_of(root: &str, updated: &Updated) -> String {
    let report = &updated.report;
    let mut out = format!("// {root}: {} changed\n", report.changes.len());
    for change in &report.changes {
        out.push_str(&format!("{} {} {}\n", words(change), change.fqn, change.id));
    }
    for alias in &report.aliases {
        out.push_str(&format!(
            "// {} was {}\n",
            alias.new_type_id, alias.old_type_id
        ));
    }
    out
}

/// What became of a type, in a word.
fn words(change: &Change) -> String {
    match change.what {
        What::New => "new".to_owned(),
        What::Removed => "removed".to_owned(),
        What::Renamed => "renamed".to_owned(),
        What::Drifted => "drifted".to_owned(),
        What::Group => "group".to_owned(),
        What::Changed => {
            let classes: Vec<&str> = change.classes.iter().map(|class| class.as_str()).collect();
            classes.join("+")
        }
    }
}

fn json_of(root: &str, updated: &Updated) -> Value {
    let changes: Vec<Value> = updated
        .report
        .changes
        .iter()
        .map(|change| {
            let classes: Vec<&str> = change.classes.iter().map(|class| class.as_str()).collect();
            json!({
                "id": change.id,
                "fqn": change.fqn,
                "what": format!("{:?}", change.what).to_lowercase(),
                "changeClass": classes.first(),
                "classes": classes,
                "semanticState": change.state.as_str(),
            })
        })
        .collect();
    let aliases: Vec<Value> = updated
        .report
        .aliases
        .iter()
        .map(|alias| json!({ "oldTypeId": alias.old_type_id, "newTypeId": alias.new_type_id }))
        .collect();
    json!({ "root": root, "changes": changes, "aliases": aliases, "written": updated.written })
}

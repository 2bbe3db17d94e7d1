//! `codecortex init` and `changes`: the folder `.context/` (SPEC D3, D17, H4, A1).

use codecortex_engine::protocol::Root;
use codecortex_engine::{ContextFailure, ContextReport};
use codecortex_host::HostWorkspace;
use codecortex_ledger::{StaleReason, TypeChange, TypeFate};
use serde_json::{Value, json};

use crate::args::{ChangesArgs, InitArgs};
use crate::failure::Failure;
use crate::output;

/// Makes the folder in every root, and fills it.
pub(crate) fn init(command: &InitArgs) -> Result<i32, Failure> {
    let mut workspace = super::ready(command.workspace.keeping_options()?);
    for root in 0..workspace.roots().len() as u32 {
        workspace.keep_context(root);
    }
    for (root, report) in update(&mut workspace)? {
        let path = format!("{}/.context", root.path);
        let count = report.report.changes.len();
        output::print(&match report.written.as_slice() {
            [] => format!("{path} is up to date"),
            written => format!(
                "{path}: {} ({count} types new or changed)",
                written.join(", ")
            ),
        })?;
    }
    finish(workspace)
}

/// Says what changed since the folder was last written, and writes it.
pub(crate) fn changes(command: &ChangesArgs) -> Result<i32, Failure> {
    let mut workspace = command.workspace.open()?;
    let all = update(&mut workspace)?;
    if command.json {
        let roots: Vec<Value> = all
            .iter()
            .map(|(root, report)| json_of(&root.name, report))
            .collect();
        output::print_exact(&json!({ "ok": true, "data": { "roots": roots } }).to_string())?;
    } else {
        for (root, report) in &all {
            output::print(text_of(&root.name, report).trim_end())?;
        }
    }
    finish(workspace)
}

/// Brings every root's folder up to date; all of them have one.
pub(super) fn update(workspace: &mut HostWorkspace) -> Result<Vec<(Root, ContextReport)>, Failure> {
    let reports = workspace.update_contexts();
    let mut all = Vec::new();
    for (root, report) in workspace.roots().iter().zip(reports) {
        if workspace.is_context_untrusted(root) {
            return Err(Failure::UntrustedContext(format!("{}/.context", root.path)));
        }
        let report = report.ok_or(Failure::NoContext)?;
        failed(root, &report)?;
        all.push((root.clone(), report));
    }
    Ok(all)
}

/// Writes what is left to write to the folders that there are.
pub(super) fn settle(workspace: &mut HostWorkspace) -> Result<(), Failure> {
    let reports = workspace.update_contexts();
    for (root, report) in workspace.roots().iter().zip(reports) {
        // None where there was nothing to do.
        if let Some(report) = report {
            failed(root, &report)?;
        }
    }
    Ok(())
}

fn failed(root: &Root, report: &ContextReport) -> Result<(), Failure> {
    let path = format!("{}/.context", root.path);
    match &report.failure {
        Some(ContextFailure::Busy) => Err(Failure::ContextBusy(path)),
        Some(ContextFailure::Disk(reason)) => Err(Failure::Context {
            path,
            reason: reason.clone(),
        }),
        None => Ok(()),
    }
}

fn finish(mut workspace: HostWorkspace) -> Result<i32, Failure> {
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(0)
}

fn text_of(root: &str, updated: &ContextReport) -> String {
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
fn words(change: &TypeChange) -> String {
    match change.what {
        TypeFate::New => "new".to_owned(),
        TypeFate::Removed => "removed".to_owned(),
        TypeFate::Renamed => "renamed".to_owned(),
        TypeFate::Drifted => "drifted".to_owned(),
        TypeFate::Group => "group".to_owned(),
        TypeFate::Changed => {
            let classes: Vec<&str> = change.classes.iter().map(|class| class.as_str()).collect();
            classes.join("+")
        }
    }
}

fn json_of(root: &str, updated: &ContextReport) -> Value {
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
                "stale": change.stale.map(StaleReason::as_str),
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

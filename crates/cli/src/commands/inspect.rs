//! `codecortex status`, `hashes`, `alias` and `invalidate`: tools for people.

use codecortex_engine::protocol::Caller;
use serde_json::{Map, json};

use super::outline::subject;
use super::show;
use crate::args::{AliasArgs, HashesArgs, InvalidateArgs, StatusArgs, StatusList};
use crate::failure::Failure;
use crate::output;

pub(crate) fn status(command: &StatusArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    if let Some(list) = command.list {
        let name = match list {
            StatusList::Skipped => "skipped",
            StatusList::SyntaxErrors => "syntaxErrors",
            StatusList::Pending => "pending",
            StatusList::Projects => "projects",
            StatusList::ProjectProblems => "projectProblems",
            StatusList::Texts => "texts",
        };
        args.insert("list".to_owned(), name.into());
    }
    for (name, text) in [("folder", &command.folder), ("reason", &command.reason)] {
        if let Some(text) = text {
            args.insert(name.to_owned(), text.as_str().into());
        }
    }
    if let Some(limit) = command.limit {
        args.insert("limit".to_owned(), limit.into());
    }
    let flags = [
        ("telemetry", command.telemetry),
        ("receipts", command.receipts),
    ];
    args.extend(
        flags
            .into_iter()
            .filter(|(_, is_set)| *is_set)
            .map(|(name, _)| (name.to_owned(), true.into())),
    );
    show(&command.workspace, &command.show, "codecortex_status", args)
}

pub(crate) fn hashes(command: &HashesArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    args.insert("symbol".to_owned(), command.symbol.as_str().into());
    show(&command.workspace, &command.show, "codecortex_hashes", args)
}

pub(crate) fn alias(command: &AliasArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    if let Some(id) = &command.id {
        args.insert("id".to_owned(), id.as_str().into());
    }
    if let Some(limit) = command.limit {
        args.insert("limit".to_owned(), limit.into());
    }
    show(
        &command.workspace,
        &command.show,
        "codecortex_aliases",
        args,
    )
}

/// Reads again, and writes what came of it: the next command must not take the old for true.
pub(crate) fn invalidate(command: &InvalidateArgs) -> Result<i32, Failure> {
    let mut args = match command.what.as_str() {
        "all" => json!({ "all": true }),
        what => {
            let (name, value) = subject(what);
            json!({ name: value })
        }
    };
    args["format"] = if command.show.json { "json" } else { "text" }.into();
    if let Some(tokens) = command.show.max_tokens {
        args["maxTokens"] = tokens.into();
    }
    let mut workspace = command.workspace.open()?;
    let answer = workspace.call("codecortex_invalidate", args, Caller::default());
    let code = output::print_answer(&answer)?;
    workspace.run_until_ready();
    workspace.update_contexts();
    workspace.save();
    workspace.leave();
    Ok(code)
}

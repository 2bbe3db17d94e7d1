//! Commands for people before `codecortex_refactor`. `--apply` is the yes that the second call needs (SPEC ED1, D39).

use std::path::Path;
use std::{fs, io};

use clap::ValueEnum;
use codecortex_engine::ToolError;
use codecortex_engine::protocol::{Answer, Caller};
use codecortex_host::{HostWorkspace, error_answer};
use serde_json::{Map, Value, json};

use super::names;
use crate::args::{
    BatchEditArgs, ChangeSignatureArgs, CodeArgs, DeclarationArgs, ExtractArgs, InlineArgs,
    InsertArgs, MoveArgs, OrganiseImportsArgs, RefactorOptions, RenameArgs, ReplaceArgs,
    SafeDeleteArgs, TextArgs, UndoArgs,
};
use crate::edit_gate::plan_id;
use crate::failure::Failure;
use crate::output;

const TOOL: &str = "codecortex_refactor";

pub(crate) fn rename(command: &RenameArgs) -> Result<i32, Failure> {
    let mut args = names::meant(&command.what);
    args.insert("newName".to_owned(), command.new_name.as_str().into());
    add_texts(&mut args, &command.texts);
    add_leave_unsure(&mut args, command.leave_unsure);
    run("rename", args, &command.options)
}

pub(crate) fn organise_imports(command: &OrganiseImportsArgs) -> Result<i32, Failure> {
    let args = Map::from_iter([("filePath".to_owned(), command.file.as_str().into())]);
    run("organiseImports", args, &command.options)
}

pub(crate) fn batch(command: &BatchEditArgs) -> Result<i32, Failure> {
    let written = match command
        .steps
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        Some(path) => fs::read_to_string(path),
        None => io::read_to_string(io::stdin()),
    };
    let written = written.map_err(|source| Failure::Io {
        what: "the steps cannot be read",
        source,
    })?;
    let mut steps: Vec<Value> = Vec::new();
    for (number, line) in written.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(step) => steps.push(step),
            Err(error) => {
                let message = format!("Line {} is not JSON: {error}.", number + 1);
                let problem = ToolError::invalid(message)
                    .hint("Give a JSON object a line, such as {\"action\":\"rename\",…}.");
                return output::print_answer(&error_answer(Caller::default(), &problem));
            }
        }
    }
    run(
        "batch",
        Map::from_iter([("steps".to_owned(), steps.into())]),
        &command.options,
    )
}

pub(crate) fn undo(command: &UndoArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    if command.list {
        args.insert("list".to_owned(), true.into());
    }
    run("undo", args, &command.options)
}

pub(crate) fn replace(action: &str, command: &ReplaceArgs) -> Result<i32, Failure> {
    let mut args = named(&command.declaration);
    add_code(&mut args, &command.code)?;
    run(action, args, &command.options)
}

pub(crate) fn insert(command: &InsertArgs) -> Result<i32, Failure> {
    let mut args = named(&command.declaration);
    let side = if command.before { "before" } else { "after" };
    args.insert("side".to_owned(), side.into());
    add_code(&mut args, &command.code)?;
    run("insert", args, &command.options)
}

pub(crate) fn safe_delete(command: &SafeDeleteArgs) -> Result<i32, Failure> {
    let mut args = named(&command.declaration);
    add_leave_unsure(&mut args, command.leave_unsure);
    run("safeDelete", args, &command.options)
}

pub(crate) fn change_signature(command: &ChangeSignatureArgs) -> Result<i32, Failure> {
    let mut args = names::meant(&command.what);
    if let Some(add) = &command.add {
        args.insert("add".to_owned(), add.as_str().into());
    }
    if let Some(place) = command.remove {
        args.insert("remove".to_owned(), place.into());
    }
    if let Some(places) = &command.move_parameter {
        args.insert("moveParameter".to_owned(), places.as_str().into());
    }
    add_leave_unsure(&mut args, command.leave_unsure);
    run("changeSignature", args, &command.options)
}

pub(crate) fn move_declaration(command: &MoveArgs) -> Result<i32, Failure> {
    let mut args = names::meant(&command.what);
    args.insert("newPath".to_owned(), command.new_path.as_str().into());
    if command.re_export {
        args.insert("reExport".to_owned(), true.into());
    }
    add_texts(&mut args, &command.texts);
    add_leave_unsure(&mut args, command.leave_unsure);
    run("move", args, &command.options)
}

pub(crate) fn extract(action: &str, command: &ExtractArgs) -> Result<i32, Failure> {
    let mut args = selected(&command.selection)?;
    args.insert("newName".to_owned(), command.name.as_str().into());
    run(action, args, &command.options)
}

pub(crate) fn inline(command: &InlineArgs) -> Result<i32, Failure> {
    run("inline", names::meant(&command.what), &command.options)
}

/// The arguments of a selection `file:line:character-line:character`.
fn selected(written: &str) -> Result<Map<String, Value>, Failure> {
    let parts = written.rsplit_once('-').and_then(|(begin, end)| {
        let (line, character) = end.split_once(':')?;
        let end: (u32, u32) = (line.parse().ok()?, character.parse().ok()?);
        Some((names::place(begin)?, end))
    });
    let Some((mut args, (line, character))) = parts else {
        return Err(Failure::Selection(written.to_owned()));
    };
    let end = json!({ "line": line, "character": character });
    args.insert("end".to_owned(), end);
    Ok(args)
}

fn add_texts(args: &mut Map<String, Value>, texts: &TextArgs) {
    let kinds = texts.text.iter().filter_map(ValueEnum::to_possible_value);
    let kinds: Vec<String> = kinds.map(|kind| kind.get_name().to_owned()).collect();
    if !kinds.is_empty() {
        args.insert("texts".to_owned(), kinds.into());
    }
}

fn add_leave_unsure(args: &mut Map<String, Value>, is_given: bool) {
    if is_given {
        args.insert("leaveUnsure".to_owned(), true.into());
    }
}

/// The arguments that name a declaration.
fn named(declaration: &DeclarationArgs) -> Map<String, Value> {
    let mut args = names::meant(&declaration.what);
    if let Some(hash) = &declaration.hash {
        args.insert("hash".to_owned(), hash.as_str().into());
    }
    args
}

/// The code, from stdin where it is not given.
fn add_code(args: &mut Map<String, Value>, code: &CodeArgs) -> Result<(), Failure> {
    let text = match &code.code {
        Some(text) => text.clone(),
        None => io::read_to_string(io::stdin()).map_err(|source| Failure::Io {
            what: "the code cannot be read from stdin",
            source,
        })?,
    };
    args.insert("code".to_owned(), text.into());
    if code.force {
        args.insert("force".to_owned(), true.into());
    }
    Ok(())
}

/// Plans an action, and applies the plan where `--apply` says so.
fn run(
    action: &str,
    mut args: Map<String, Value>,
    options: &RefactorOptions,
) -> Result<i32, Failure> {
    args.insert("action".to_owned(), action.into());
    let format = if options.json { "json" } else { "text" };
    match options.max_tokens {
        Some(tokens) => drop(args.insert("maxTokens".to_owned(), tokens.into())),
        // A person reads the whole diff.
        None => drop(args.insert("diffTokens".to_owned(), u32::MAX.into())),
    }
    let host = options.workspace.options_of_calls(&options.edits)?;
    let mut workspace = super::ready(host);
    let answer = match options.apply {
        true => apply(&mut workspace, args, format),
        false => call(&mut workspace, args, format),
    };
    super::finish(workspace, &answer)
}

fn call(workspace: &mut HostWorkspace, mut args: Map<String, Value>, format: &str) -> Answer {
    args.insert("format".to_owned(), format.into());
    workspace.call(TOOL, Value::Object(args), Caller::default())
}

/// Plans, then applies that plan: a refusal is the answer of the first call.
fn apply(workspace: &mut HostWorkspace, mut args: Map<String, Value>, format: &str) -> Answer {
    let plan = call(workspace, args.clone(), "json");
    let id = plan.json.as_deref().and_then(plan_id);
    match id.filter(|_| plan.ok) {
        Some(id) => {
            args.insert("planId".to_owned(), id.into());
            call(workspace, args, format)
        }
        // The same refusal, in the form that was asked for.
        None => call(workspace, args, format),
    }
}

//! `codecortex semantic`: what a type is for, and answers to prompts (SPEC SE1, X12).

use std::io::{self, Read as _};
use std::path::Path;

use codecortex_engine::protocol::Caller;
use codecortex_host::HostWorkspace;
use serde_json::{Map, Value, json};

use super::{finish, keep, shown};
use crate::args::{SemanticAction, SemanticArgs, SemanticCommand, SubmitArgs};
use crate::failure::Failure;

/// The most bytes of an answer that are read; the tool says what is too long.
const MAX_BYTES: u64 = 1 << 20;

pub(crate) fn run(command: &SemanticCommand) -> Result<i32, Failure> {
    match &command.action {
        Some(SemanticAction::Submit(args)) => submit(args),
        None => get(&command.get),
    }
}

fn get(args: &SemanticArgs) -> Result<i32, Failure> {
    let call = json!({
        "symbol": args.symbol.as_deref().unwrap_or_default(),
        "prompt": if args.prompt { "always" } else { "needed" },
    });
    let mut workspace = args.workspace.open()?;
    update_if_kept(&mut workspace);
    let call = shown(&args.show, object(call));
    let answer = workspace.call("codecortex_getSemantic", call, Caller::default());
    finish(workspace, &answer)
}

fn submit(args: &SubmitArgs) -> Result<i32, Failure> {
    let text = match &args.text {
        Some(text) => text.clone(),
        None => read_stdin()?,
    };
    let call = object(json!({ "ticket": args.ticket, "text": text }));
    keep(
        &args.workspace,
        "codecortex_submitSemantic",
        shown(&args.show, call),
    )
}

/// What is known of the types is brought up to date where it is kept; nothing is made for a look.
pub(super) fn update_if_kept(workspace: &mut HostWorkspace) {
    let mut roots = workspace.roots().iter();
    if roots.any(|root| Path::new(&root.path).join(".context").is_dir()) {
        workspace.update_contexts();
    }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let stdin = io::stdin().lock();
    let read = stdin.take(MAX_BYTES).read_to_end(&mut bytes);
    read.map_err(|source| Failure::Io {
        what: "the answer cannot be read",
        source,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

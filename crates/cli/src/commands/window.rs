//! `codecortex window`: the prompt window for people (SPEC PW2, D33, `000` §8).

use serde_json::{Map, Value};

use super::{keep, show, shown};
use crate::args::{NamedArgs, WindowAction, WindowArgs, WindowCommand};
use crate::failure::Failure;

const TOOL: &str = "codecortex_pin";

pub(crate) fn run(command: &WindowCommand) -> Result<i32, Failure> {
    match &command.action {
        None => window(&command.window),
        Some(action) => change(action),
    }
}

/// Shows what is in it.
pub(super) fn window(args: &WindowArgs) -> Result<i32, Failure> {
    let mut given = Map::new();
    if args.list {
        given.insert("list".to_owned(), true.into());
    }
    if let Some(profile) = &args.profile {
        given.insert("profile".to_owned(), profile.as_str().into());
    }
    show(&args.workspace, &args.show, "codecortex_getContext", given)
}

/// Changes what is in it.
pub(super) fn change(action: &WindowAction) -> Result<i32, Failure> {
    match action {
        WindowAction::Pin(args) => named("pin", args),
        WindowAction::Unpin(args) => named("unpin", args),
        WindowAction::Add(args) => named("add", args),
        WindowAction::Dismiss(args) => named("dismiss", args),
        WindowAction::Clear(args) => {
            let mut given = Map::new();
            given.insert("action".to_owned(), "clear".into());
            keep(&args.workspace, TOOL, shown(&args.show, given))
        }
    }
}

fn named(action: &str, args: &NamedArgs) -> Result<i32, Failure> {
    let mut given = Map::new();
    given.insert("action".to_owned(), action.into());
    let symbols = args.symbols.iter().map(|name| Value::from(name.as_str()));
    given.insert("symbols".to_owned(), symbols.collect());
    if let Some(folder) = &args.folder {
        given.insert("folder".to_owned(), folder.as_str().into());
    }
    keep(&args.workspace, TOOL, shown(&args.show, given))
}

//! `codecortex context`: the prompt window for people (SPEC PW2, `000` §8).

use serde_json::{Map, Value};

use super::{keep, show, shown};
use crate::args::{ContextAction, ContextArgs, NamedArgs};
use crate::failure::Failure;

const TOOL: &str = "codecortex_pin";

pub(crate) fn run(command: &ContextArgs) -> Result<i32, Failure> {
    match &command.action {
        ContextAction::Window(args) => {
            let mut given = Map::new();
            if args.list {
                given.insert("list".to_owned(), true.into());
            }
            if let Some(profile) = &args.profile {
                given.insert("profile".to_owned(), profile.as_str().into());
            }
            show(&args.workspace, &args.show, "codecortex_getContext", given)
        }
        ContextAction::Pin(args) => change("pin", args),
        ContextAction::Unpin(args) => change("unpin", args),
        ContextAction::Add(args) => change("add", args),
        ContextAction::Dismiss(args) => change("dismiss", args),
        ContextAction::Clear(args) => {
            let mut given = Map::new();
            given.insert("action".to_owned(), "clear".into());
            keep(&args.workspace, TOOL, shown(&args.show, given))
        }
    }
}

fn change(action: &str, args: &NamedArgs) -> Result<i32, Failure> {
    let mut given = Map::new();
    given.insert("action".to_owned(), action.into());
    let symbols = args.symbols.iter().map(|name| Value::from(name.as_str()));
    given.insert("symbols".to_owned(), symbols.collect());
    if let Some(folder) = &args.folder {
        given.insert("folder".to_owned(), folder.as_str().into());
    }
    keep(&args.workspace, TOOL, shown(&args.show, given))
}

//! `codecortex pack`: packs for people (SPEC PK1, `000` §10).

use serde_json::{Map, Value, json};

use super::{keep, show, shown};
use crate::args::{PackAction, PackArgs, PackPlaceArgs};
use crate::failure::Failure;

const TOOL: &str = "codecortex_pack";

pub(crate) fn run(command: &PackArgs) -> Result<i32, Failure> {
    match &command.action {
        PackAction::List(place) => look(place, json!({ "action": "list" })),
        PackAction::Show(args) => look(&args.place, json!({ "action": "show", "name": args.name })),
        PackAction::Build(args) => change(
            &args.place,
            json!({
                "action": "build",
                "name": args.name,
                "filter": args.filter,
                "packTokens": args.tokens,
            }),
        ),
        PackAction::Activate(args) => named(&args.place, "activate", &args.name),
        PackAction::Deactivate(args) => named(&args.place, "deactivate", &args.name),
        PackAction::Delete(args) => named(&args.place, "delete", &args.name),
    }
}

fn named(place: &PackPlaceArgs, action: &str, name: &str) -> Result<i32, Failure> {
    change(place, json!({ "action": action, "name": name }))
}

fn look(place: &PackPlaceArgs, args: Value) -> Result<i32, Failure> {
    show(&place.workspace, &place.show, TOOL, arguments(place, args))
}

fn change(place: &PackPlaceArgs, args: Value) -> Result<i32, Failure> {
    let args = shown(&place.show, arguments(place, args));
    keep(&place.workspace, TOOL, args)
}

fn arguments(place: &PackPlaceArgs, args: Value) -> Map<String, Value> {
    let mut args = match args {
        Value::Object(args) => args,
        _ => Map::new(),
    };
    if let Some(root) = &place.of {
        args.insert("root".to_owned(), root.as_str().into());
    }
    args
}

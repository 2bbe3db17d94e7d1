//! `codecortex search`: `codecortex_searchApi` for people.

use serde_json::Map;

use crate::args::SearchArgs;
use crate::failure::Failure;

pub(crate) fn run(command: &SearchArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    args.insert("labelQuery".to_owned(), command.query.as_str().into());
    if !command.kinds.is_empty() {
        args.insert("kinds".to_owned(), command.kinds.clone().into());
    }
    if command.locals {
        args.insert("includeLocals".to_owned(), true.into());
    }
    if command.external {
        args.insert("external".to_owned(), true.into());
    }
    if let Some(limit) = command.limit {
        args.insert("limit".to_owned(), limit.into());
    }
    super::show(
        &command.workspace,
        &command.show,
        "codecortex_searchApi",
        args,
    )
}

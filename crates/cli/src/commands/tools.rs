//! `codecortex tools`: the table that every surface is made from.

use codecortex_engine::tool_table;
use serde_json::Value;

use crate::args::{ProfileArg, ToolsArgs};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &ToolsArgs) -> Result<i32, Failure> {
    let mut table = tool_table();
    if let (ProfileArg::Default, Value::Array(tools)) = (args.profile, &mut table) {
        tools.retain(|tool| tool["profile"] == "default");
    }
    if args.json {
        output::print_exact(&table.to_string())?;
    } else {
        output::print_exact(&format!("{table:#}"))?;
    }
    Ok(0)
}

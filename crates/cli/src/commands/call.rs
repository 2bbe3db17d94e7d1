//! `codecortex call`: one tool, one answer.

use std::io::{self, Read};

use codecortex_engine::ToolError;
use codecortex_engine::protocol::Caller;
use codecortex_host::error_answer;
use serde_json::Value;

use crate::args::CallArgs;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(command: CallArgs) -> Result<i32, Failure> {
    let caller = Caller::default();
    let written = match command.args.as_str() {
        "-" => read_stdin()?,
        _ => command.args.into_bytes(),
    };
    let mut args: Value = match serde_json::from_slice(&written) {
        Ok(args) => args,
        Err(error) => {
            let problem = ToolError::invalid(format!("The arguments are not JSON: {error}."))
                .hint("Give a JSON object with --args, such as '{\"symbol\":\"NodeStore\"}'.");
            return output::print_answer(&error_answer(caller, &problem));
        }
    };
    command.answer.complete(&mut args);
    let mut workspace = super::ready(command.workspace.options_of_calls(&command.edits)?);
    let answer = workspace.call(&command.tool, args, caller);
    super::finish(workspace, &answer)
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|source| Failure::Io {
            what: "the arguments cannot be read",
            source,
        })?;
    Ok(bytes)
}

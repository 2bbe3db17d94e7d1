//! `codecortex call`: one tool, one answer.

use std::io::{self, Read};

use codecortex_engine::ToolError;
use codecortex_engine::protocol::{Answer, Caller};
use codecortex_host::{HostWorkspace, error_answer};
use serde_json::Value;

use crate::args::CallArgs;
use crate::edit_gate::EditGate;
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
    let gate = EditGate::of(&command.tool).filter(|gate| gate.concerns(&args));
    let mut workspace = super::ready(command.workspace.options_of_calls(&command.edits)?);
    let answer = match gate {
        None => workspace.call(&command.tool, args, caller),
        Some(gate) if command.apply => {
            call_planned(&mut workspace, (&command.tool, gate), args, caller)
        }
        Some(gate) => {
            let answer = workspace.call(&command.tool, gate.planning(&args), caller);
            if answer.ok && gate == EditGate::DryRun {
                output::warn("nothing was changed; --apply makes the edit");
            }
            answer
        }
    };
    super::finish(workspace, &answer)
}

/// Plans, then applies that plan: a refusal is the answer of the first call.
fn call_planned(
    workspace: &mut HostWorkspace,
    (tool, gate): (&str, EditGate),
    args: Value,
    caller: Caller,
) -> Answer {
    if gate == EditGate::DryRun {
        return workspace.call(tool, args, caller);
    }
    let mut planning = gate.planning(&args);
    if let Some(planning) = planning.as_object_mut() {
        planning.insert("format".to_owned(), "json".into());
    }
    let plan = workspace.call(tool, planning, caller);
    let json = plan.json.as_deref().filter(|_| plan.ok);
    let applying = json.and_then(|plan| gate.applying(&args, plan));
    workspace.call(tool, applying.unwrap_or(args), caller)
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

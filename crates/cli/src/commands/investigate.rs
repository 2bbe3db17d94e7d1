//! `codecortex investigate` and `op`: questions about the system (SPEC IN1).

use codecortex_engine::protocol::Caller;
use codecortex_host::Options;
use serde_json::{Value, json};

use super::semantic::{object, update_if_kept};
use super::{context, finish, keep, make_folders, ready, shown};
use crate::args::{InvestigateArgs, OpArgs};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &InvestigateArgs) -> Result<i32, Failure> {
    let options = Options {
        model: args.model.address(),
        ..args.workspace.keeping_options()?
    };
    let has_model = options.model.is_some();
    let mut workspace = ready(options);
    make_folders(&mut workspace);
    context::settle(&mut workspace)?;
    let call = json!({
        "question": args.question,
        "scopePaths": args.scopes,
        "again": args.again,
        "byHand": args.by_hand,
    });
    let wanted = |call: Value| shown(&args.show, object(call));
    let mut begun = call.clone();
    begun["format"] = "json".into();
    let begun = workspace.call("codecortex_investigate", begun, Caller::default());
    let data = begun.json.as_deref().map(serde_json::from_str::<Value>);
    let answer = match data {
        Some(Ok(data)) if begun.ok => {
            if has_model {
                workspace.run_model(|_| {});
            }
            let id = json!({ "opId": data["data"]["operation"]["opId"] });
            workspace.call("codecortex_op", wanted(id), Caller::default())
        }
        // What is wrong, in the form that was asked for.
        _ => workspace.call("codecortex_investigate", wanted(call), Caller::default()),
    };
    let code = output::print_answer(&answer)?;
    context::settle(&mut workspace)?;
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(code)
}

pub(crate) fn op(args: &OpArgs) -> Result<i32, Failure> {
    let mut call = json!({ "opId": args.id, "cancel": args.cancel });
    let is_change = args.conclusion.is_some() || args.cancel;
    if let Some(conclusion) = &args.conclusion {
        call["conclusion"] = conclusion.as_str().into();
    }
    let call = shown(&args.show, object(call));
    if is_change {
        return keep(&args.workspace, "codecortex_op", call);
    }
    let mut workspace = args.workspace.open()?;
    update_if_kept(&mut workspace);
    let answer = workspace.call("codecortex_op", call, Caller::default());
    finish(workspace, &answer)
}

//! How a tool that edits files is kept from doing so before a person agreed (SPEC D28): on the command line by `--apply`,
//! over MCP by `elicitation/create` where the client has it. Everywhere else a call answers its plan, and a second one with
//! the `planId` of that applies it.

use codecortex_engine::find_tool;
use serde_json::Value;

/// What has a tool answer its plan instead of editing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditGate {
    /// Its argument `dryRun`.
    DryRun,
    /// A first call: a second one with the `planId` of its answer applies the plan.
    Plan,
}

impl EditGate {
    /// The gate of a tool; none of a tool that edits nothing.
    pub(crate) fn of(tool: &str) -> Option<Self> {
        let tool = find_tool(tool).filter(|tool| tool.needs_confirmation)?;
        let schema = tool.input_schema();
        let has = |argument: &str| schema["properties"].get(argument).is_some();
        match (has("dryRun"), has("planId")) {
            (true, _) => Some(Self::DryRun),
            (_, true) => Some(Self::Plan),
            _ => None,
        }
    }

    /// Whether a call would edit without any further question, or asks for a plan.
    pub(crate) fn concerns(self, args: &Value) -> bool {
        match self {
            Self::DryRun => args["dryRun"] != true && args["planId"].is_null(),
            Self::Plan => args["planId"].is_null(),
        }
    }

    /// The arguments of the call that answers the plan.
    pub(crate) fn planning(self, args: &Value) -> Value {
        let mut args = args.clone();
        if self == Self::DryRun
            && let Some(args) = args.as_object_mut()
        {
            args.insert("dryRun".to_owned(), true.into());
        }
        args
    }

    /// The arguments of the call that makes the planned edit; none where the answer is no plan.
    pub(crate) fn applying(self, args: &Value, plan: &str) -> Option<Value> {
        let mut args = args.clone();
        args.as_object_mut()?
            .insert("planId".to_owned(), plan_id(plan)?.into());
        Some(args)
    }
}

/// Whether a second call with the number of its plan has a tool make an edit.
pub(crate) fn takes_plan(tool: &str) -> bool {
    let schema = find_tool(tool).map(|tool| tool.input_schema());
    schema.is_some_and(|schema| schema["properties"].get("planId").is_some())
}

/// The arguments of a call at a door where nobody can be asked: those of its plan, unless the command line lets it edit.
pub(crate) fn gated(tool: &str, args: Value, applies: bool) -> Value {
    let gate = EditGate::of(tool).filter(|gate| gate.concerns(&args));
    match gate.filter(|_| !applies) {
        Some(gate) => gate.planning(&args),
        None => args,
    }
}

/// The number of a plan in an answer.
pub(crate) fn plan_id(json: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(json).ok()?;
    Some(answer["data"]["planId"].as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_tool_that_changes_files_has_a_gate() {
        assert_eq!(EditGate::of("codecortex_applyEdit"), Some(EditGate::DryRun));
        assert_eq!(EditGate::of("codecortex_refactor"), Some(EditGate::Plan));
        assert_eq!(EditGate::of("codecortex_getOutline"), None);
        assert_eq!(EditGate::of("nothing"), None);
    }

    #[test]
    fn a_plan_is_asked_for_and_then_applied() {
        let args = json!({ "a": 1 });
        let plan = "{\"data\":{\"planId\":\"p\"}}";
        let dry = EditGate::DryRun;
        assert_eq!(dry.planning(&args), json!({ "a": 1, "dryRun": true }));
        assert!(!dry.concerns(&dry.planning(&args)));
        for gate in [dry, EditGate::Plan] {
            let second = gate.applying(&args, plan).unwrap();
            assert_eq!(second, json!({ "a": 1, "planId": "p" }));
            assert!(!gate.concerns(&second));
            assert_eq!(gate.applying(&args, "{\"data\":{}}"), None);
        }
    }

    #[test]
    fn what_edits_is_planned_unless_it_may_be_made() {
        let edit = json!({ "edits": [] });
        assert_eq!(
            gated("codecortex_applyEdit", edit.clone(), false)["dryRun"],
            true
        );
        assert_eq!(gated("codecortex_applyEdit", edit.clone(), true), edit);
        // A plan is applied by its number, which only who saw it has.
        let plan = json!({ "planId": "P1" });
        for tool in ["codecortex_refactor", "codecortex_applyEdit"] {
            assert_eq!(gated(tool, plan.clone(), false), plan);
        }
        assert_eq!(gated("codecortex_status", json!({}), false), json!({}));
        assert!(takes_plan("codecortex_applyEdit") && takes_plan("codecortex_refactor"));
        assert!(!takes_plan("codecortex_describe") && !takes_plan("nothing"));
    }
}

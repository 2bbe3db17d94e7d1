//! The stages of a tool's handler: each asks for what it needs before it works, and leads to the next.

use codecortex_answer::reply::{Reply, ToolResult};
use codecortex_protocol::{Failure, Need, ToolError};
use serde_json::Value;

use crate::invocation::Invocation;

/// What a stage comes to.
pub(crate) enum Step {
    /// The answer.
    Done(Box<dyn Reply>),
    /// Something is missing, and what goes on when it is here.
    Then(Need, Next),
}

/// What is left of a handler, which knows what the stages before it found out.
pub(crate) type Next = Box<dyn FnOnce(&Invocation<'_>) -> StepResult>;

/// A step, or why there is no answer.
pub(crate) type StepResult = Result<Step, ToolError>;

/// How a tool answers a call.
pub(crate) enum Handler {
    /// In one stage, which looks for all that it needs before it works.
    Plain(fn(&Invocation<'_>, Value) -> ToolResult),
    /// In several: what a later one needs follows from what an earlier one found.
    Staged(fn(&Invocation<'_>, Value) -> StepResult),
}

impl Handler {
    /// Begins with the arguments of a call.
    pub(crate) fn begin(&self, cx: &Invocation<'_>, args: Value) -> StepResult {
        match self {
            Self::Staged(handler) => handler(cx, args),
            Self::Plain(handler) => {
                let handler = *handler;
                stage(cx, args, move |cx, args| {
                    handler(cx, args.clone()).map(Step::Done)
                })
            }
        }
    }
}

/// Runs a stage on what was found out before it. Where it lacks something the call waits, and then this stage is run
/// again, but none before it: a stage asks for what it needs first, and works then.
pub(crate) fn stage<S: 'static>(
    cx: &Invocation<'_>,
    mut before: S,
    run: impl Fn(&Invocation<'_>, &mut S) -> Result<Step, Failure> + 'static,
) -> StepResult {
    match run(cx, &mut before) {
        Ok(step) => Ok(step),
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::NeedsInput(need)) => {
            let again: Next = Box::new(move |cx| stage(cx, before, run));
            Ok(Step::Then(need, again))
        }
    }
}

/// Runs a stage that takes what was found out before it: it looks for what it needs, again until all of it is here, and
/// works then.
pub(crate) fn look_then<S: 'static, L: 'static>(
    cx: &Invocation<'_>,
    before: S,
    look: fn(&Invocation<'_>, &S) -> Result<L, Failure>,
    work: fn(&Invocation<'_>, S, L) -> StepResult,
) -> StepResult {
    match look(cx, &before) {
        Ok(seen) => work(cx, before, seen),
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::NeedsInput(need)) => {
            let again: Next = Box::new(move |cx| look_then(cx, before, look, work));
            Ok(Step::Then(need, again))
        }
    }
}

/// The last stage's step.
pub(crate) fn done(reply: impl Reply + 'static) -> Step {
    Step::Done(Box::new(reply))
}

//! Operations that another process began (SPEC IN1).

use codecortex_grounding::{kept_conversation, kept_operation};
use codecortex_protocol::Failure;
use codecortex_semantics::{Investigation, OpState};

use crate::actions::Action;
use crate::invocation::Invocation;

/// Takes an operation up again that another process began.
///
/// # Errors
/// Waits for its files.
pub(crate) fn take_up(cx: &Invocation<'_>, root: u32, id: &str) -> Result<(), Failure> {
    let operation = kept_operation(&cx.view, root, id)?;
    match operation.filter(|known| known.state == OpState::Running) {
        Some(operation) => {
            let said = kept_conversation(&cx.view, root, id)?;
            let op = Investigation::restored(root, operation, said.as_deref());
            cx.enqueue(Action::KeepOp(Box::new(op)));
        }
        None => cx.enqueue(Action::ForgetOp(id.to_owned())),
    }
    Ok(())
}

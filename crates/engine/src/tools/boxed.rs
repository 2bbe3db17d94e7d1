//! Boxes the replies of handlers with several kinds of reply.

use codecortex_answer::reply::{Reply, ToolResult};

/// A reply, boxed.
pub(crate) fn reply(reply: impl Reply + 'static) -> ToolResult {
    Ok(Box::new(reply))
}

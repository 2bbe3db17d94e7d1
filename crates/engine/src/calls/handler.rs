//! The handler of a tool, as the table of tools has it.

use std::future::Future;
use std::pin::Pin;

use codecortex_answer::reply::Reply;
use codecortex_protocol::ToolError;
use serde_json::Value;

use crate::calls::CallContext;

/// A call that is being handled.
pub(crate) type Handling = Pin<Box<dyn Future<Output = Result<Box<dyn Reply>, ToolError>>>>;

/// Handles a call with these arguments.
pub(crate) type Handler = fn(CallContext, Value) -> Handling;

/// An `async fn` as a [`Handler`] gives it.
pub(crate) fn boxed<R: Reply + 'static>(
    handled: impl Future<Output = Result<R, ToolError>> + 'static,
) -> Handling {
    Box::pin(async move {
        let reply: Box<dyn Reply> = Box::new(handled.await?);
        Ok(reply)
    })
}

/// The same of a handler that gives replies of several kinds.
pub(crate) fn boxed_reply(
    handled: impl Future<Output = Result<Box<dyn Reply>, ToolError>> + 'static,
) -> Handling {
    Box::pin(handled)
}

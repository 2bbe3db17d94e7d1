//! Attempts at a call: one is dropped and another begins where the index changed while it waited.
//!
//! What a handler found out names files, declarations and definitions by their numbers, which are of one revision of the
//! index. So an attempt that waited is good only for that revision; beginning again costs no more than the look-ups, for
//! the journal has the replies of the host. A call that paid, recorded or changed something is never begun again: its
//! handler takes a view anew after each await, and asks [`CallContext::is_moved`] where that matters.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use codecortex_protocol::ToolError;

use crate::calls::CallContext;

/// A handler at work. It gives nothing where another attempt has to be made.
struct Attempt<F> {
    cx: CallContext,
    handled: Pin<Box<F>>,
}

impl<T, F: Future<Output = Result<T, ToolError>>> Future for Attempt<F> {
    type Output = Option<Result<T, ToolError>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.cx.is_void() {
            return Poll::Ready(None);
        }
        let polled = this.handled.as_mut().poll(context);
        match polled {
            _ if this.cx.is_void() => Poll::Ready(None),
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Makes attempts until one comes to an end.
pub(crate) async fn attempt<T, F: Future<Output = Result<T, ToolError>>>(
    cx: &CallContext,
    begin: impl Fn() -> F,
) -> Result<T, ToolError> {
    loop {
        cx.begin_attempt();
        let attempt = Attempt {
            cx: cx.clone(),
            handled: Box::pin(begin()),
        };
        if let Some(result) = attempt.await {
            return result;
        }
        cx.await_damaged().await;
    }
}

//! Calls of tools as futures (docs/architecture.md, "A call is a future").
//!
//! A handler is an `async fn`: it looks at the session in closures ([`context::CallContext::look`]), waits for what a
//! look-up lacks ([`wait`]), and asks the host ([`context::CallContext::ask`]). [`executor`] polls it when a reply or a
//! [`crate::signals::Signal`] that it waits for has come; there is no runtime and no thread.

pub(crate) mod attempt;
pub(crate) mod context;
pub(crate) mod executor;
pub(crate) mod handler;
mod join;
pub(crate) mod journal;
pub(crate) mod task;
#[cfg(test)]
mod tests;
mod wait;

pub(crate) use context::CallContext;
pub(crate) use handler::{Handler, boxed, boxed_reply};
pub(crate) use join::join;

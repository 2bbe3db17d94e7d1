//! JSON-RPC 2.0: bytes of a peer in, calls of tools out, and their answers back (SPEC RPC1, `000` §6). It knows no
//! workspace: who holds one makes the calls.

mod answer;
mod batch;
mod frame;
mod message;
mod methods;

pub use answer::{reply, server_failure};
pub use batch::{BatchId, Replies};
pub use frame::{FrameError, FrameReader, Framing};
pub use message::{
    CANCEL, Incoming, Message, MessageId, Notice, failed, incoming, named_id, not_read, notice,
    notification, request, succeeded,
};
pub use methods::{Invalid, METHODS, Method, ToolCall, method, tool_call};

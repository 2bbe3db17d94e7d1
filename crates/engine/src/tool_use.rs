//! Uses of tools beside calls from outside: columns of a tool's row, so that no name decides (SPEC D6).

/// What the engine and hosts do with a tool beside answering its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolUse {
    /// A model that investigates may call it.
    Investigation,
    /// A model that reviews may call it.
    Review,
    /// A recording of live context has its calls.
    Recording,
    /// A view of the prompt window shows its answer.
    Window,
    /// Its answer is an operation, which it begins and cancels.
    BeginOperation,
    /// Its answer is an operation, which it shows and cancels.
    WatchOperation,
}

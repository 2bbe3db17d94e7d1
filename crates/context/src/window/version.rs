//! When the prompt window is another one.

use codecortex_analysis::analysis::Analysis;

use crate::sources::Context;

/// Returns the state that the window is built from: an equal value means an equal window.
pub fn window_version(context: &Context, code: &Analysis) -> (u32, u32, u32) {
    (
        context.window.borrow().revision,
        code.revision(),
        code.access().count(),
    )
}

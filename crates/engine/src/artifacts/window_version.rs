//! When the prompt window is another one.

use codecortex_analysis::analysis::Analysis;
use codecortex_context::Context;

/// What the window is made of: another value, perhaps another window.
pub(crate) fn window_seen(context: &Context, code: &Analysis) -> (u32, u32, u32) {
    (
        context.window.borrow().revision,
        code.revision,
        code.access.borrow().count(),
    )
}

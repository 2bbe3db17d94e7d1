//! Questions that only an editor asks: it may call them by these names, and no list shows them (SPEC UX1).

mod document;
mod members_at;
mod names;
mod question;
mod type_definition;
mod unread;

use crate::tools::tool::Tool;

/// Every such question.
pub(crate) static EDITOR_TOOLS: [Tool; 4] = [
    members_at::TOOL,
    names::TOOL,
    type_definition::TOOL,
    unread::TOOL,
];

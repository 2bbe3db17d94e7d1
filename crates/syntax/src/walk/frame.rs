//! A declaration that the walk is inside of.

use crate::facts::{ItemFlags, ItemIndex, Visibility};

/// A declaration, or code outside every declaration, that the walk is inside of.
#[derive(Debug)]
pub(super) struct DeclarationFrame {
    /// Depth of the node whose end closes the frame.
    pub(super) depth: usize,
    pub(super) item: Option<ItemIndex>,
    /// Whether what is inside runs although its declaration, if any, is not callable.
    pub(super) code: bool,
    /// Depth at which an object literal's functions are members (JavaScript).
    pub(super) member_depth: Option<usize>,
    /// The access section in force (C++).
    pub(super) access: Option<Visibility>,
    /// What every member is: Ruby's `class << self`.
    pub(super) flags: ItemFlags,
}

//! One call of a tool: who asks, what the answer may cost, and what looking things up found out on the way.

use std::cell::RefCell;

use codecortex_protocol::{Door, DoorKind};

use crate::budget::Limit;

/// One call of a tool.
#[derive(Debug, Default)]
pub struct Call {
    /// Its number.
    pub id: u32,
    /// What the answer may cost.
    pub limit: Limit,
    /// Whether it is a person's editor that asks.
    pub is_editor: bool,
    /// The number of the call, where its surface has language providers.
    pub asks_providers: Option<u32>,
    /// Whether the tool may see declarations of generated code.
    pub sees_generated: bool,
    /// The path of the symbol that it named first, on whose account the answer goes (SPEC X8).
    pub subject: RefCell<Option<String>>,
    /// The id of a type, and what it was asked for as, where that is an alias.
    pub redirect: RefCell<Option<(String, String)>>,
    /// The path or id that was not found.
    pub not_found: RefCell<Option<String>>,
    /// Roots and ids of the types that it named, in order.
    pub uses: RefCell<Vec<(u32, String)>>,
}

impl Call {
    /// The call of this number that came through a surface.
    pub fn new(id: u32, door: Door, limit: Limit, sees_generated: bool) -> Self {
        Self {
            id,
            limit,
            is_editor: door.kind == DoorKind::Editor,
            asks_providers: door.providers.then_some(id),
            sees_generated,
            ..Self::default()
        }
    }
}

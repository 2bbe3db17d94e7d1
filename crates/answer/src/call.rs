//! One call of a tool: who asks, what the answer may cost, and what looking things up found out on the way.

use std::cell::{Cell, RefCell};

use codecortex_protocol::{Caller, CallerKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::budget::Limit;

/// One call of a tool.
#[derive(Debug, Default)]
pub struct Call {
    /// What the answer may cost.
    pub limit: Limit,
    /// Whether it is a person's editor that asks.
    pub is_editor: bool,
    /// Whether the surface shows a person what an edit would change, before it is made.
    pub asks_person: bool,
    /// Whether it is a model that asks.
    pub is_model: bool,
    /// Whether its surface has language providers.
    pub asks_providers: bool,
    /// Whether the tool may see declarations of generated code.
    pub sees_generated: bool,
    /// The path of the symbol that it named first, on whose account the answer goes (SPEC X8).
    pub subject: RefCell<Option<String>>,
    /// What was asked for by another way than its own path.
    pub redirect: RefCell<Option<Redirect>>,
    /// The path or id that was not found.
    pub not_found: RefCell<Option<String>>,
    /// Places that it gives in place of symbols.
    pub placed: RefCell<Vec<WrittenPlace>>,
    /// The meanings of the name that was last rejected as ambiguous.
    pub meanings: RefCell<Vec<Meaning>>,
    /// Whether it is answered for each meaning of a name at this moment: none of them was named, so none counts as used.
    pub is_for_each: Cell<bool>,
    /// Roots and ids of the types that it named, in order.
    pub uses: RefCell<Vec<(u32, String)>>,
}

/// A place as it is written, with the files and the declarations that are meant.
pub type WrittenPlace = (String, Vec<(u32, u32)>);

/// One meaning of a name that has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Its path.
    pub path: String,
    /// Its declarations, each as a file and a declaration; never empty.
    pub declarations: Vec<(u32, u32)>,
}

/// A way to a symbol that is not its own path (SPEC D20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Detour {
    /// It was called so before.
    FormerName,
    /// A module gives another one's declaration this name.
    ReExport,
    /// The type inherits it.
    Inherited,
    /// The case of its letters is another.
    OtherCase,
}

/// What a call asked for under a name that is not the symbol's own path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The id of the symbol, or of the type around it.
    pub id: String,
    /// What was asked for.
    pub asked: String,
    /// How that leads there.
    pub by: Detour,
}

impl Call {
    /// A call that came through a surface.
    pub fn new(caller: Caller, limit: Limit, sees_generated: bool) -> Self {
        Self {
            limit,
            is_editor: caller.kind == CallerKind::Editor,
            asks_person: matches!(caller.kind, CallerKind::Lm | CallerKind::Editor),
            is_model: matches!(caller.kind, CallerKind::Mcp | CallerKind::Lm),
            asks_providers: caller.providers,
            sees_generated,
            ..Self::default()
        }
    }
}

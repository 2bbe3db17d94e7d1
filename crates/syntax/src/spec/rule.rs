//! How a node becomes an item: the compiled form of `[items]` and `[calls.items]`.

use super::action::HookId;
use super::select::Selector;
use crate::facts::{ItemFlags, ItemKind, Relation, Visibility};

/// How one node kind becomes an item.
#[derive(Debug)]
pub(crate) struct NodeRule {
    pub(crate) kind: ItemKind,
    pub(crate) name: Selector,
    pub(crate) body: Vec<Selector>,
    pub(crate) value: Option<Selector>,
    pub(crate) parameters: Option<Selector>,
    pub(crate) bases: Vec<(Selector, Relation)>,
    pub(crate) hook: Option<HookId>,
    pub(crate) docstring: bool,
    pub(crate) not_local: bool,
    pub(crate) rest_of_parent: bool,
    /// What few rules say.
    pub(crate) extras: Option<Box<Extras>>,
}

/// What a rule says beyond name, body, parameters and bases. Most rules say nothing of it.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// Kinds of names, where there may be several.
    pub(crate) names: Vec<u16>,
    pub(crate) unnamed: Option<String>,
    pub(crate) values: Vec<(u16, ItemKind)>,
    pub(crate) value_starts: Vec<(String, ItemKind)>,
    pub(crate) only_values: bool,
    pub(crate) not_values: Vec<String>,
    pub(crate) of_type: bool,
    pub(crate) results: Vec<(String, ItemKind)>,
    pub(crate) once: bool,
    pub(crate) needs: Vec<String>,
    pub(crate) needs_around: Vec<String>,
    pub(crate) within: Vec<(RuleContext, ItemKind)>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) flags: ItemFlags,
    pub(crate) bodiless: ItemFlags,
    pub(crate) rest_of_parent: bool,
    pub(crate) package: bool,
}

/// What a declaration is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleContext {
    Type,
    Kind(ItemKind),
}

impl RuleContext {
    /// Whether a declaration's parent is that.
    pub(crate) fn is(self, parent: ItemKind) -> bool {
        match self {
            Self::Type => parent.is_type() || parent == ItemKind::Extension,
            Self::Kind(kind) => kind == parent,
        }
    }
}

//! What the walk does at a node, by its kind.

use super::select::Selector;
use crate::facts::{ItemFlags, Relation};

/// A hook's place in the registry that a spec was compiled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookId(pub(crate) u16);

/// What the walk does at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Action {
    #[default]
    Descend,
    Comment,
    Attribute,
    Wrapper,
    Skip,
    /// A block of code: walked only if something is declared in it.
    Code,
    /// A statement: walked only if there is a block in it, or something may be declared.
    Statement,
    /// Code that runs, of no declaration.
    Closure,
    /// Members that all are something.
    Scope(ItemFlags),
    /// Names what the type around takes over.
    Bases(Relation),
    /// Exports what is declared elsewhere.
    Export(Selector),
    /// A call, which may declare.
    Call,
    /// A word that may say who sees what follows.
    Bare,
    Item(u16),
    Hook(HookId),
}

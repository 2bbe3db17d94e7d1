//! The walk through Go: what it keeps.

use tree_sitter::Node;

use super::kinds::Table;
use crate::facts::{ExprId, NONE, Role, ScopeId, space};
use crate::walker::{Language, Walker};

/// What a walk through Go keeps.
pub(super) struct GoState {
    /// The scope of the function around, where labels are.
    pub(super) function: ScopeId,
}

impl Language for GoState {
    type AngelScriptGrammar = Table;
}

/// The walk through a file of Go.
pub(super) type GoWalk<'t> = Walker<'t, 't, GoState>;

impl<'t> GoWalk<'t> {
    /// Every child as what it turns out to be.
    pub(super) fn children(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open(node);
        for at in children {
            let child = self.child(at).node;
            self.statement(child, scope);
        }
        self.close(children);
    }

    pub(super) fn name(&mut self, node: Node<'t>, scope: ScopeId, role: Role) -> ExprId {
        let text = self.text(node);
        if text == "_" {
            return NONE;
        }
        let at = node.start_byte() as u32;
        self.b.name_use(text, scope, at, role, space::ANY)
    }
}

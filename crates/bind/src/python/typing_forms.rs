//! Assignments that define types.

use tree_sitter::Node;

use super::kinds::Kind;
use super::types::is_generic;
use super::walk::{Walk, start};
use crate::facts::{DefKind, Expr, ExprId, NONE};

impl<'t> Walk<'t> {
    /// `T = TypeVar("T")`, `N = NewType("N", int)`, `Alias = Union[A, B]`: assignments that define types.
    pub(super) fn typing_form(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
        whole: Node<'t>,
    ) -> Option<ExprId> {
        let generic = match self.kind(right) {
            Kind::Call | Kind::Subscript => right.named_child(0)?,
            _ => return None,
        };
        if self.kind(left) != Kind::Identifier {
            return None;
        }
        let name = self.text(generic).rsplit('.').next().unwrap_or("");
        let kind = match (self.kind(right), name) {
            (Kind::Call, "TypeVar" | "ParamSpec" | "TypeVarTuple") => DefKind::TypeParam,
            (Kind::Call, "NewType") => DefKind::TypeAlias,
            (Kind::Subscript, name) if is_generic(name) => DefKind::TypeAlias,
            _ => return None,
        };
        let (text, scope) = (self.text(left), self.lang.frame.scope);
        if self.b.declared(scope, text).is_some() {
            return None;
        }
        let value = self.expr(right);
        let ty = match (self.b.facts.expr(value), kind) {
            (Expr::Call { args, .. }, DefKind::TypeAlias) => {
                self.b.facts.list(args).get(1).copied().unwrap_or(NONE)
            }
            (Expr::Call { args, .. }, _) => self.bound(args),
            _ => value,
        };
        let def = self
            .b
            .define(text, kind, scope, start(left), whole.byte_range());
        self.b.edit(def).ty = ty;
        Some(value)
    }

    fn bound(&self, args: u32) -> ExprId {
        let args = self.b.facts.list(args).iter();
        let mut bounds = args.filter_map(|arg| match self.b.facts.expr(*arg) {
            Expr::Keyword { name, value, .. } if self.b.facts.name(name) == "bound" => Some(value),
            _ => None,
        });
        bounds.next().unwrap_or(NONE)
    }
}

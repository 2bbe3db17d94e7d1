//! Assignments that define types.

use tree_sitter::Node;

use super::functional_types::{FunctionalKind, FunctionalType, functional_type};
use super::kinds::Kind;
use super::types::is_generic;
use super::walk::{Walk, start};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Relation, ScopeId, ScopeKind};

impl<'t> Walk<'t> {
    /// `T = TypeVar("T")`, `N = NewType("N", int)`, `Alias = Union[A, B]`, `P = namedtuple("P", "x y")`: assignments that
    /// define types.
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
            (Kind::Call, "NewType" | "TypeAliasType") => DefKind::TypeAlias,
            (Kind::Subscript, name) if is_generic(name) => DefKind::TypeAlias,
            _ => return self.functional_form(left, right, whole),
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

    /// `P = namedtuple("P", "x y")`: a type with the fields that its literals say.
    fn functional_form(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
        whole: Node<'t>,
    ) -> Option<ExprId> {
        let (name, scope) = (self.text(left), self.lang.frame.scope);
        let made = functional_type(right, name, self.text)?;
        if self.b.declared(scope, name).is_some() {
            return None;
        }
        let kind = match made.kind {
            FunctionalKind::Record => DefKind::Record,
            FunctionalKind::Enum => DefKind::Enum,
        };
        let range = whole.byte_range();
        let def = self.b.define(name, kind, scope, start(left), range.clone());
        let around = self.lang.scope;
        let members = self.b.scope(ScopeKind::Class, around, def, range);
        self.b.edit(def).inner = members;
        self.functional_members(&made, def, members);
        Some(self.b.expr(Expr::Opaque))
    }

    /// What a call that makes a type declares, and what it uses.
    pub(super) fn functional_members(
        &mut self,
        made: &FunctionalType<'t>,
        def: DefId,
        members: ScopeId,
    ) {
        let of = self.expr(made.callee);
        self.b.base(def, Relation::Extends, of);
        for field in &made.fields {
            let name = self.text.get(field.name.clone()).unwrap_or("");
            let (kind, ty, value) = match (made.kind, field.said) {
                (FunctionalKind::Enum, Some(value)) => {
                    (DefKind::EnumMember, NONE, self.expr(value))
                }
                (FunctionalKind::Enum, None) => (DefKind::EnumMember, NONE, NONE),
                (FunctionalKind::Record, Some(ty)) => (DefKind::Field, self.ty(ty), NONE),
                (FunctionalKind::Record, None) => (DefKind::Field, NONE, NONE),
            };
            let at = field.name.start as u32;
            let field = self.b.define(name, kind, members, at, field.span.clone());
            let edit = self.b.edit(field);
            (edit.ty, edit.value) = (ty, value);
            // A member, not a name that the class's own body sees.
            edit.from = u32::MAX;
        }
        for other in &made.rest {
            self.expr(*other);
        }
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

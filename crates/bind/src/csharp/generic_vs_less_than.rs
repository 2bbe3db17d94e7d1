//! Types with one type argument that the grammar reads as two comparisons: `A < B > c`.

use crate::facts::{Expr, ExprId, ListId, Role, ScopeId};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    /// `A`, `B` and `c` of `A<B> c`.
    fn misread_generic(&mut self, child: CSharpChild<'t>) -> Option<[CSharpChild<'t>; 3]> {
        let (left, last) = self.sides(child, ">")?;
        let (named, argument) = self.sides(left, "<")?;
        let may_be_type = matches!(
            argument.kind,
            Kind::Identifier | Kind::MemberAccess | Kind::GenericName
        );
        may_be_type.then_some([named, argument, last])
    }

    /// Both sides of an operator, or of an assignment.
    fn sides(
        &mut self,
        child: CSharpChild<'t>,
        operator: &str,
    ) -> Option<(CSharpChild<'t>, CSharpChild<'t>)> {
        if !matches!(child.kind, Kind::Binary | Kind::Assignment) {
            return None;
        }
        let children = self.open(child.node);
        let written = self.children.in_field(children, self.table.operator);
        let left = self.children.in_field(children, self.table.left);
        let right = self.children.in_field(children, self.table.right);
        self.close(children);
        let is_it = written.is_some_and(|written| self.text(written.node) == operator);
        left.zip(right).filter(|_| is_it)
    }

    /// `A<B> name` of `foreach (A<B> name in c)`: the type and the name.
    pub(super) fn misread_variable(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
    ) -> Option<(ExprId, CSharpChild<'t>)> {
        let [named, argument, name] = self.misread_generic(child)?;
        let is_type = matches!(named.kind, Kind::Identifier | Kind::MemberAccess);
        if !is_type || name.kind != Kind::Identifier {
            return None;
        }
        let of = self.misread_type(named, scope);
        Some((self.misread_argument(of, argument, scope), name))
    }

    /// `(A) f<B>(c)` and `(A) new F<B>(c)`.
    pub(super) fn misread_call(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
    ) -> Option<ExprId> {
        if !self.text(child.node).starts_with('(') {
            return None;
        }
        let [cast, argument, given] = self.misread_generic(child)?;
        let are_arguments = matches!(given.kind, Kind::Parenthesized | Kind::TupleExpression);
        if cast.kind != Kind::Cast || !are_arguments {
            return None;
        }
        let children = self.open(cast.node);
        let to = self.children.in_field(children, self.table.ty);
        let called = self.children.in_field(children, self.table.value);
        self.close(children);
        let (to, called) = to.zip(called)?;
        let made = self.bare_creation(called);
        let is_call = matches!(called.kind, Kind::Identifier | Kind::MemberAccess);
        if made.is_none() && !is_call {
            return None;
        }
        let to = self.ty(to, scope);
        let of = match (made, called.kind) {
            (Some(made), _) => self.misread_type(made, scope),
            (None, Kind::MemberAccess) => self.chain(called, scope, VALUE),
            _ => self.name(called.node, scope, Role::Read, VALUE),
        };
        let of = self.misread_argument(of, argument, scope);
        self.called(of);
        let call = self.b.reserve();
        let args = self.misread_arguments(given, scope, call);
        let call_or_new = match made {
            Some(_) => Expr::New { of, args },
            None => Expr::Call { of, args },
        };
        self.b.fill(call, call_or_new);
        Some(self.instance(to))
    }

    /// `(a = new F<A, B>(c))` and `(new F<A, B>(c))`, which are read as tuples of comparisons: `a = new F < A` and
    /// `B > (c)`.
    pub(super) fn misread_tuple(&mut self, children: ChildRange, scope: ScopeId) -> Option<ExprId> {
        let mut parts = Vec::with_capacity(children.len());
        for i in children {
            let argument = self.child(i);
            parts.push(self.only_part(argument)?);
        }
        let [first, between @ .., last] = parts.as_slice() else {
            return None;
        };
        let (target, compared) = match self.sides(*first, "=") {
            Some((target, value)) => (Some(target), value),
            None => (None, *first),
        };
        let (named, first) = self.sides(compared, "<")?;
        let (last, given) = self.sides(*last, ">")?;
        let are_arguments = matches!(given.kind, Kind::Parenthesized | Kind::TupleExpression);
        let made = self.bare_creation(named).filter(|_| are_arguments)?;
        let of = self.misread_type(made, scope);
        let types = [first].into_iter().chain(between.iter().copied());
        let types = types.chain([last]).map(|ty| self.misread_type(ty, scope));
        let types: Vec<ExprId> = types.collect();
        let args = self.b.list(&types);
        let of = self.b.expr(Expr::Apply { of, args });
        self.called(of);
        let call = self.b.reserve();
        let args = self.misread_arguments(given, scope, call);
        self.b.fill(call, Expr::New { of, args });
        let Some(target) = target else {
            return Some(call);
        };
        let to = self.expr(target, scope, ContextualType::Nothing);
        self.b.set_role(to, Role::Write);
        self.b.assign(to, call);
        Some(to)
    }

    /// What an argument consists of, if that is one thing.
    fn only_part(&mut self, argument: CSharpChild<'t>) -> Option<CSharpChild<'t>> {
        let parts = self.open(argument.node);
        let only = (parts.len() == 1).then(|| self.child(parts.from));
        self.close(parts);
        only
    }

    /// The type of `new F` without arguments.
    fn bare_creation(&mut self, child: CSharpChild<'t>) -> Option<CSharpChild<'t>> {
        if child.kind != Kind::ObjectCreation {
            return None;
        }
        let children = self.open(child.node);
        let of = self.children.in_field(children, self.table.ty);
        let is_bare = children.len() == 1;
        self.close(children);
        of.filter(|_| is_bare)
    }

    /// A type that was read as an expression.
    fn misread_type(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::MemberAccess => self.chain(child, scope, TYPE),
            _ => self.ty(child, scope),
        }
    }

    /// Something with a type argument that was read as an expression.
    fn misread_argument(
        &mut self,
        of: ExprId,
        argument: CSharpChild<'t>,
        scope: ScopeId,
    ) -> ExprId {
        let argument = self.misread_type(argument, scope);
        let args = self.b.list(&[argument]);
        self.b.expr(Expr::Apply { of, args })
    }

    /// Arguments of a call that were read as a tuple, or as one expression in brackets.
    fn misread_arguments(
        &mut self,
        given: CSharpChild<'t>,
        scope: ScopeId,
        call: ExprId,
    ) -> ListId {
        if given.kind == Kind::TupleExpression {
            return self.arguments(given, scope, call);
        }
        let value = self.expr(given, scope, ContextualType::Argument(call, 0));
        self.b.list(&[value])
    }
}

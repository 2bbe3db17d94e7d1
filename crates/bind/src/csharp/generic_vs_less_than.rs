//! Types with one type argument that the grammar reads as two comparisons: `A < B > c`.

use crate::facts::{Expr, ExprId, ListId, Role, ScopeId};

use super::{Kid, Kind, Range, TYPE, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// `A`, `B` and `c` of `A<B> c`.
    fn misread_generic(&mut self, kid: Kid<'t>) -> Option<[Kid<'t>; 3]> {
        let (left, last) = self.sides(kid, ">")?;
        let (named, argument) = self.sides(left, "<")?;
        let may_be_type = matches!(
            argument.kind,
            Kind::Identifier | Kind::MemberAccess | Kind::GenericName
        );
        may_be_type.then_some([named, argument, last])
    }

    /// Both sides of an operator, or of an assignment.
    fn sides(&mut self, kid: Kid<'t>, operator: &str) -> Option<(Kid<'t>, Kid<'t>)> {
        if !matches!(kid.kind, Kind::Binary | Kind::Assignment) {
            return None;
        }
        let kids = self.open(kid.node);
        let written = self.kids.field(&kids, self.t.operator);
        let left = self.kids.field(&kids, self.t.left);
        let right = self.kids.field(&kids, self.t.right);
        self.close(&kids);
        let is_it = written.is_some_and(|written| self.text(written.node) == operator);
        left.zip(right).filter(|_| is_it)
    }

    /// `A<B> name` of `foreach (A<B> name in c)`: the type and the name.
    pub(super) fn misread_variable(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
    ) -> Option<(ExprId, Kid<'t>)> {
        let [named, argument, name] = self.misread_generic(kid)?;
        let is_type = matches!(named.kind, Kind::Identifier | Kind::MemberAccess);
        if !is_type || name.kind != Kind::Identifier {
            return None;
        }
        let of = self.misread_type(named, scope);
        Some((self.misread_argument(of, argument, scope), name))
    }

    /// `(A) f<B>(c)` and `(A) new F<B>(c)`.
    pub(super) fn misread_call(&mut self, kid: Kid<'t>, scope: ScopeId) -> Option<ExprId> {
        if !self.text(kid.node).starts_with('(') {
            return None;
        }
        let [cast, argument, given] = self.misread_generic(kid)?;
        let are_arguments = matches!(given.kind, Kind::Parenthesized | Kind::TupleExpression);
        if cast.kind != Kind::Cast || !are_arguments {
            return None;
        }
        let kids = self.open(cast.node);
        let to = self.kids.field(&kids, self.t.ty);
        let called = self.kids.field(&kids, self.t.value);
        self.close(&kids);
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
    pub(super) fn misread_tuple(&mut self, kids: &Range, scope: ScopeId) -> Option<ExprId> {
        let mut parts = Vec::with_capacity(kids.len());
        for i in kids.clone() {
            let argument = self.kids.get(i);
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
        let to = self.expr(target, scope, Want::Nothing);
        self.b.set_role(to, Role::Write);
        self.b.assign(to, call);
        Some(to)
    }

    /// What an argument consists of, if that is one thing.
    fn only_part(&mut self, argument: Kid<'t>) -> Option<Kid<'t>> {
        let parts = self.open(argument.node);
        let only = (parts.len() == 1).then(|| self.kids.get(parts.start));
        self.close(&parts);
        only
    }

    /// The type of `new F` without arguments.
    fn bare_creation(&mut self, kid: Kid<'t>) -> Option<Kid<'t>> {
        if kid.kind != Kind::ObjectCreation {
            return None;
        }
        let kids = self.open(kid.node);
        let of = self.kids.field(&kids, self.t.ty);
        let is_bare = kids.len() == 1;
        self.close(&kids);
        of.filter(|_| is_bare)
    }

    /// A type that was read as an expression.
    fn misread_type(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        match kid.kind {
            Kind::MemberAccess => self.chain(kid, scope, TYPE),
            _ => self.ty(kid, scope),
        }
    }

    /// Something with a type argument that was read as an expression.
    fn misread_argument(&mut self, of: ExprId, argument: Kid<'t>, scope: ScopeId) -> ExprId {
        let argument = self.misread_type(argument, scope);
        let args = self.b.list(&[argument]);
        self.b.expr(Expr::Apply { of, args })
    }

    /// Arguments of a call that were read as a tuple, or as one expression in brackets.
    fn misread_arguments(&mut self, given: Kid<'t>, scope: ScopeId, call: ExprId) -> ListId {
        if given.kind == Kind::TupleExpression {
            return self.arguments(given, scope, call);
        }
        let value = self.expr(given, scope, Want::Argument(call, 0));
        self.b.list(&[value])
    }
}

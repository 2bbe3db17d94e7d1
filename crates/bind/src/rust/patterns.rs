//! Patterns.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{RustWalk, spaces};
use crate::facts::{DefId, DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, space};

impl<'t, 's> RustWalk<'t, 's> {
    /// What a pattern binds in `scope`, seen from a byte on, of a value that is matched with it.
    pub(super) fn pattern(&mut self, node: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        self.deeper((), |walk| walk.pattern_of(node, value, scope, from));
    }

    fn pattern_of(&mut self, node: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        match self.kind(node) {
            Kind::Identifier if self.is_constant(node) => {
                self.path(node, spaces::VALUE);
            }
            Kind::Identifier => {
                self.bind_or_join(node, value, scope, from);
            }
            Kind::ScopedIdentifier => {
                self.path(node, spaces::VALUE);
            }
            Kind::GenericPattern => {
                self.last_of(node);
            }
            Kind::TuplePattern => self.entries(node, value, scope, from),
            Kind::SlicePattern => {
                let part = IterationPart::Element;
                let value = self.b.expr(Expr::Iter { of: value, part });
                self.each(node, |walk, child| walk.pattern(child, value, scope, from));
            }
            Kind::TupleStructPattern => self.tuple_struct(node, value, scope, from),
            Kind::StructPattern => self.struct_pattern(node, value, scope, from),
            Kind::Captured => self.captured(node, value, scope, from),
            Kind::MutPattern
            | Kind::RefPattern
            | Kind::ReferencePattern
            | Kind::OrPattern
            | Kind::Parenthesized => {
                self.each(node, |walk, child| walk.pattern(child, value, scope, from));
            }
            Kind::Mutable | Kind::Remaining => {}
            Kind::MatchPattern => {
                self.each(node, |walk, child| walk.pattern(child, value, scope, from));
            }
            _ => {
                self.expr(node);
            }
        }
    }

    /// A name in a pattern binds, unless it is that of a constant or variant: those begin in upper case.
    pub(super) fn is_constant(&self, node: Node<'t>) -> bool {
        self.unraw(node)
            .starts_with(|first: char| first.is_uppercase())
    }

    pub(super) fn bind(
        &mut self,
        name: Node<'t>,
        kind: DefKind,
        value: ExprId,
        scope: ScopeId,
        from: u32,
    ) -> DefId {
        let (text, at) = (self.unraw(name), self.start(name));
        let range = name.byte_range();
        let def = self.b.define(text, kind, scope, at, range);
        let edit = self.b.edit(def);
        (edit.value, edit.from, edit.spaces) = (value, from, space::VALUE);
        def
    }

    /// `A(x) | B(x)` binds one `x`.
    fn bind_or_join(&mut self, name: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        let (text, at) = (self.unraw(name), self.start(name));
        if let Some(first) = self.b.declared(scope, text) {
            let first = self.b.edit(first);
            let together = first.from == from && (from != 0 || first.at < at);
            if together && first.kind == DefKind::Variable && from <= at {
                let to = self.b.name_use(text, scope, at, Role::Write, space::VALUE);
                self.b.assign(to, value);
                return;
            }
        }
        self.bind(name, DefKind::Variable, value, scope, from);
    }

    /// `(a, b, .., c)`: what is behind `..` is not counted.
    fn entries(&mut self, node: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        let mut counts = value != NONE;
        for (index, child) in self.places(node) {
            if self.kind(child) == Kind::Remaining {
                counts = false;
                continue;
            }
            let entry = match counts {
                true => self.b.expr(Expr::Entry { of: value, index }),
                false => NONE,
            };
            self.pattern(child, entry, scope, from);
        }
    }

    /// `Some(x)`, `A::B(x, y)`.
    fn tuple_struct(&mut self, node: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        let Some(ty) = node.child_by_field_id(self.table.ty) else {
            return;
        };
        let of = self.path(ty, spaces::VALUE);
        let matched = self.matched(of, value);
        let name = self.unraw(ty);
        for (place, child) in self.places(node) {
            if child == ty {
                continue;
            }
            let part = match name {
                "Some" | "Ok" => self.b.expr(Expr::Unwrap { of: value }),
                "Err" => self.error_of(value),
                _ => {
                    let field = place.saturating_sub(1).to_string();
                    self.b
                        .member_use(matched, &field, NONE, Role::Read, space::FIELD)
                }
            };
            self.pattern(child, part, scope, from);
        }
    }

    /// What a path of a pattern says that a value is: its fields are the path's, its arguments the value's. It has
    /// the form of an index because no type does.
    fn matched(&mut self, path: ExprId, by: ExprId) -> ExprId {
        let of = match by {
            NONE => path,
            _ => self.b.expr(Expr::Index { of: path, by }),
        };
        self.b.expr(Expr::Value { of })
    }

    /// What an `Err` holds.
    fn error_of(&mut self, value: ExprId) -> ExprId {
        let of = self
            .b
            .member_use(value, "unwrap_err", NONE, Role::Call, space::VALUE);
        let args = NONE;
        self.b.expr(Expr::Call { of, args })
    }

    /// `A { b, c: d, .. }`.
    fn struct_pattern(&mut self, node: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        let ty = node.child_by_field_id(self.table.ty);
        let of = ty.map_or(NONE, |ty| self.path(ty, spaces::TYPE));
        let matched = self.matched(of, value);
        self.each(node, |walk, child| {
            if walk.kind(child) == Kind::FieldPattern {
                walk.field_pattern(child, matched, scope, from);
            }
        });
    }

    fn field_pattern(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId, from: u32) {
        let Some(name) = node.child_by_field_id(self.table.name) else {
            return;
        };
        let (text, at) = (self.unraw(name), self.start(name));
        let field = if self.kind(name) == Kind::IntegerLiteral {
            NONE
        } else {
            self.b.member_use(of, text, at, Role::Read, space::FIELD)
        };
        match node.child_by_field_id(self.table.pattern) {
            Some(pattern) => self.pattern(pattern, field, scope, from),
            None => self.bind_or_join(name, field, scope, from),
        }
    }

    /// `name @ pattern`.
    fn captured(&mut self, node: Node<'t>, value: ExprId, scope: ScopeId, from: u32) {
        let mut first = true;
        self.each(node, |walk, child| {
            if std::mem::take(&mut first) {
                walk.bind_or_join(child, value, scope, from);
            } else {
                walk.pattern(child, value, scope, from);
            }
        });
    }
}

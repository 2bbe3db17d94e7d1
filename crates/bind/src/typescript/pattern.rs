//! Patterns: what they declare, what they assign to.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::TypeScriptWalk;
use crate::facts::{DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, space};
use crate::nodes::named_children;

impl<'t> TypeScriptWalk<'t> {
    /// Declares what a pattern binds. Names are declared in `target`, defaults are looked up in `scope`.
    pub(super) fn bind_pattern(
        &mut self,
        pattern: Node<'t>,
        scope: ScopeId,
        target: ScopeId,
        from: ExprId,
        kind: DefKind,
        whole: Node<'t>,
    ) {
        self.deeper((), |walk| {
            walk.bind_pattern_now(pattern, scope, target, from, kind, whole);
        });
    }

    fn bind_pattern_now(
        &mut self,
        pattern: Node<'t>,
        scope: ScopeId,
        target: ScopeId,
        from: ExprId,
        kind: DefKind,
        whole: Node<'t>,
    ) {
        match self.kind(pattern) {
            Kind::Identifier | Kind::ShorthandPropertyIdentifierPattern => {
                let at = pattern.start_byte() as u32;
                let name = self.text(pattern);
                let def = self.b.define(name, kind, target, at, whole.byte_range());
                let variable = self.b.edit(def);
                variable.spaces = space::VALUE;
                variable.value = from;
                self.required(def);
            }
            Kind::ObjectPattern => {
                let parts = named_children(pattern).into_iter();
                let values: Vec<ExprId> = parts
                    .map(|part| self.bind_key(part, scope, target, from, kind, whole))
                    .collect();
                self.pattern_takes(pattern, &values, target);
            }
            Kind::ArrayPattern => {
                let mut index = 0;
                let mut cursor = pattern.walk();
                let parts: Vec<Node<'t>> = pattern.children(&mut cursor).collect();
                for part in parts {
                    if part.kind() == "," {
                        index += 1;
                    } else if part.is_named() && self.kind(part) != Kind::Comment {
                        let entry = if self.kind(part) == Kind::RestPattern {
                            from
                        } else {
                            self.b.expr(Expr::Entry { of: from, index })
                        };
                        self.bind_pattern(part, scope, target, entry, kind, whole);
                    }
                }
            }
            Kind::AssignmentPattern => {
                let right = self.field(pattern, |table| table.right);
                let default = self.default_of(right, scope, from);
                if let Some(left) = self.field(pattern, |table| table.left) {
                    let value = self.b.union(&[from, default]);
                    self.bind_pattern(left, scope, target, value, kind, whole);
                }
            }
            Kind::RestPattern => {
                if let Some(inner) = pattern.named_child(0) {
                    self.bind_pattern(inner, scope, target, from, kind, whole);
                }
            }
            _ => {}
        }
    }

    /// What is taken out of a required module is an import.
    fn required(&mut self, def: u32) {
        let value = self.b.edit(def).value;
        if let Expr::Member { of, .. } = self.b.facts.expr(value)
            && matches!(self.b.facts.expr(of), Expr::Module { .. })
        {
            let variable = self.b.edit(def);
            variable.kind = DefKind::Alias;
            variable.spaces = space::ANY;
        }
    }

    /// Binds a part of an object pattern; the member that it takes, if it takes one.
    fn bind_key(
        &mut self,
        part: Node<'t>,
        scope: ScopeId,
        target: ScopeId,
        from: ExprId,
        kind: DefKind,
        whole: Node<'t>,
    ) -> ExprId {
        match self.kind(part) {
            Kind::ShorthandPropertyIdentifierPattern => {
                let value = self.key_use(part, from, Role::Read);
                self.bind_pattern(part, scope, target, value, kind, whole);
                value
            }
            Kind::PairPattern => {
                let key = self.field(part, |table| table.key);
                let value = match key {
                    Some(key) if self.kind(key) == Kind::ComputedPropertyName => {
                        self.inside(key, scope);
                        self.b.reserve()
                    }
                    Some(key) => self.key_use(key, from, Role::Read),
                    None => NONE,
                };
                if let Some(inner) = self.field(part, |table| table.value) {
                    self.bind_pattern(inner, scope, target, value, kind, whole);
                }
                value
            }
            Kind::ObjectAssignmentPattern => {
                let right = self.field(part, |table| table.right);
                let left = self.field(part, |table| table.left);
                let value = left.map_or(NONE, |left| self.key_use(left, from, Role::Read));
                let default = self.default_of(right, scope, value);
                if let Some(left) = left {
                    let value = self.b.union(&[value, default]);
                    self.bind_pattern(left, scope, target, value, kind, whole);
                }
                NONE
            }
            Kind::RestPattern => {
                if let Some(inner) = part.named_child(0) {
                    self.bind_pattern(inner, scope, target, from, kind, whole);
                }
                NONE
            }
            _ => NONE,
        }
    }

    /// What is taken where there is nothing to be taken: its type is expected to be that of `taken`.
    fn default_of(&mut self, default: Option<Node<'t>>, scope: ScopeId, taken: ExprId) -> ExprId {
        let Some(default) = default else {
            return NONE;
        };
        let expected = match taken {
            NONE => NONE,
            taken => match self.b.facts.expr(taken) {
                // Not another use of the key.
                Expr::Member { of, name, .. } => self.b.expr(Expr::Member {
                    of,
                    name,
                    at: NONE,
                    role: Role::Read,
                    spaces: space::ANY,
                }),
                _ => taken,
            },
        };
        self.expression(default, scope, expected)
    }

    fn key_use(&mut self, key: Node<'t>, of: ExprId, role: Role) -> ExprId {
        match self.key(key) {
            Some((name, at)) => self.b.member_use(of, name, at, role, space::ANY),
            None => self.b.reserve(),
        }
    }

    /// Assigns to what a pattern names.
    pub(super) fn assign_pattern(&mut self, pattern: Node<'t>, scope: ScopeId, from: ExprId) {
        self.deeper((), |walk| walk.assign_pattern_now(pattern, scope, from));
    }

    fn assign_pattern_now(&mut self, pattern: Node<'t>, scope: ScopeId, from: ExprId) {
        match self.kind(pattern) {
            Kind::ObjectPattern | Kind::Object => {
                let children = self.open_named(pattern);
                for place in children {
                    let part = self.child(place).node;
                    self.assign_key(part, scope, from);
                }
                self.close(children);
            }
            Kind::ArrayPattern | Kind::Array => {
                for (index, part) in named_children(pattern).into_iter().enumerate() {
                    let index = index as u32;
                    let entry = self.b.expr(Expr::Entry { of: from, index });
                    self.assign_pattern(part, scope, entry);
                }
            }
            Kind::AssignmentPattern | Kind::AssignmentExpression => {
                let right = self.field(pattern, |table| table.right);
                self.default_of(right, scope, from);
                if let Some(left) = self.field(pattern, |table| table.left) {
                    self.assign_pattern(left, scope, from);
                }
            }
            Kind::RestPattern | Kind::SpreadElement => {
                let children = self.open_named(pattern);
                for place in children {
                    let inner = self.child(place).node;
                    let of = self.b.expr(Expr::Iter {
                        of: from,
                        part: IterationPart::Element,
                    });
                    let of = self.b.expr(Expr::Array { of });
                    self.assign_pattern(inner, scope, of);
                }
                self.close(children);
            }
            _ => {
                let to = self.expression(pattern, scope, NONE);
                self.b.set_role(to, Role::Write);
                self.b.assign(to, from);
            }
        }
    }

    fn assign_key(&mut self, part: Node<'t>, scope: ScopeId, from: ExprId) {
        let (key, to, default) = match self.kind(part) {
            Kind::ShorthandPropertyIdentifierPattern | Kind::ShorthandPropertyIdentifier => {
                (Some(part), None, None)
            }
            Kind::PairPattern | Kind::Pair => (
                self.field(part, |table| table.key),
                self.field(part, |table| table.value),
                None,
            ),
            Kind::ObjectAssignmentPattern => (
                self.field(part, |table| table.left),
                None,
                self.field(part, |table| table.right),
            ),
            _ => {
                self.assign_pattern(part, scope, from);
                return;
            }
        };
        let Some(key) = key else { return };
        let value = self.key_use(key, from, Role::Read);
        self.default_of(default, scope, value);
        match to {
            Some(to) => self.assign_pattern(to, scope, value),
            None => {
                let name = self.text(key);
                let at = key.start_byte() as u32;
                let to = self.b.name_use(name, scope, at, Role::Write, space::VALUE);
                self.b.assign(to, value);
            }
        }
    }
}

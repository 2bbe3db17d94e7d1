//! Paths: `a::b::c`, `Self::x`, `<T as Trait>::y`.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{RustWalk, spaces};
use crate::facts::{Expr, ExprId, NONE, Role, space};

impl<'t, 's> RustWalk<'t, 's> {
    /// A path of which the last segment is looked up in `spaces`.
    pub(super) fn path(&mut self, node: Node<'t>, last: u8) -> ExprId {
        self.deeper(NONE, |walk| walk.path_of(node, last))
    }

    fn path_of(&mut self, node: Node<'t>, last: u8) -> ExprId {
        match self.kind(node) {
            Kind::Identifier | Kind::TypeIdentifier | Kind::Primitive => {
                self.segment(node, None, last)
            }
            Kind::SelfWord if last == spaces::VALUE => {
                let at = node.start_byte() as u32;
                self.b
                    .name_use("self", self.lang.scope, at, Role::Read, space::VALUE)
            }
            Kind::SelfWord => self.ancestor(0),
            Kind::Super => self.ancestor(1),
            Kind::Crate => self.root("crate", NONE),
            Kind::ScopedIdentifier | Kind::ScopedType => self.scoped(node, last),
            Kind::GenericType | Kind::GenericTurbofish => self.generic_type(node, last),
            Kind::BracketedType => self.bracketed(node),
            Kind::Metavariable => self.b.expr(Expr::Opaque),
            _ => self.ty(node),
        }
    }

    fn scoped(&mut self, node: Node<'t>, last: u8) -> ExprId {
        let name = node.child_by_field_id(self.table.name);
        let before = node.child_by_field_id(self.table.path);
        let Some(name) = name else {
            return before.map_or(NONE, |before| self.path(before, spaces::PREFIX));
        };
        let Some(before) = before else {
            // `::a`
            return self.root(self.unraw(name), self.start(name));
        };
        if let Some(depth) = self.supers(node) {
            return self.ancestor(depth);
        }
        let of = self.path(before, spaces::PREFIX);
        self.segment(name, Some(of), last)
    }

    /// How many modules up `super::super` or `self::super` goes, if a path is one of these.
    fn supers(&self, node: Node<'t>) -> Option<u32> {
        let mut depth = 0;
        let mut at = node;
        loop {
            match self.kind(at) {
                Kind::Super => return Some(depth + 1),
                Kind::SelfWord => return Some(depth),
                Kind::ScopedIdentifier | Kind::ScopedType => {
                    let name = at.child_by_field_id(self.table.name)?;
                    if self.kind(name) != Kind::Super {
                        return None;
                    }
                    depth += 1;
                    at = at.child_by_field_id(self.table.path)?;
                }
                _ => return None,
            }
        }
    }

    /// One segment, after others or the first.
    pub(super) fn segment(&mut self, node: Node<'t>, of: Option<ExprId>, spaces: u8) -> ExprId {
        let (text, at) = (self.unraw(node), self.start(node));
        let role = role_in(spaces);
        match of {
            Some(of) => self.b.member_use(of, text, at, role, spaces),
            None if text == "Self" => self.b.expr(Expr::SelfType {
                scope: self.lang.scope,
            }),
            None => self.b.name_use(text, self.lang.scope, at, role, spaces),
        }
    }

    pub(super) fn root(&mut self, name: &str, at: u32) -> ExprId {
        let name = self.b.name(name);
        self.b.expr(Expr::Module { name, at, level: 0 })
    }

    /// The module so many levels up. Those that are written inside the file are names.
    pub(super) fn ancestor(&mut self, levels: u32) -> ExprId {
        let inside = self.lang.shared.modules.len();
        let levels = levels as usize;
        if levels > inside {
            let mut of = self.root("super", NONE);
            for _ in inside + 1..levels {
                of = self
                    .b
                    .member_use(of, "super", NONE, Role::Read, space::NAMESPACE);
            }
            return of;
        }
        match inside.checked_sub(levels + 1) {
            None => self.root("self", NONE),
            Some(index) => {
                let module = self.lang.shared.modules[index];
                self.b.name_use(
                    module.name,
                    module.around,
                    NONE,
                    Role::Read,
                    space::NAMESPACE,
                )
            }
        }
    }

    /// `<T>`, `<T as Trait>`: what is found in either.
    fn bracketed(&mut self, node: Node<'t>) -> ExprId {
        let Some(inner) = node.named_child(0) else {
            return NONE;
        };
        if self.kind(inner) != Kind::QualifiedType {
            return self.ty(inner);
        }
        let parts = [self.table.ty, self.table.alias];
        let parts = parts.map(|field| {
            let part = inner.child_by_field_id(field);
            part.map_or(NONE, |part| self.ty(part))
        });
        self.b.union(&parts)
    }

    /// A use of a lifetime or label.
    pub(super) fn label_use(&mut self, node: Node<'t>) {
        if let Some(name) = node.named_child(0) {
            let (text, at) = (self.unraw(name), self.start(name));
            if !matches!(text, "static" | "_") {
                self.b
                    .name_use(text, self.lang.scope, at, Role::Read, space::LABEL);
            }
        }
    }
}

/// What is done with a name that is looked up in these spaces.
fn role_in(looked_up: u8) -> Role {
    if looked_up == spaces::TYPE {
        Role::Type
    } else {
        Role::Read
    }
}

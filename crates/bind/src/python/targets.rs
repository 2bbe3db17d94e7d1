//! What assignments define or change.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{First, PythonWalk, start};
use crate::facts::{
    DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, ScopeKind, flag, space,
};

impl<'t> PythonWalk<'t> {
    /// `a = b`, `a: T = b`, `a = b = c`; gives the value.
    pub(super) fn assignment(&mut self, node: Node<'t>) -> ExprId {
        if !self.enter() {
            return NONE;
        }
        let children = self.open_named(node);
        let left = self.node_in(children, self.table.left);
        let right = self.node_in(children, self.table.right);
        let annotation = self.node_in(children, self.table.ty);
        self.close(children);
        let after = node.end_byte()..self.lang.block_end;
        let mut value = NONE;
        if let Some(left) = left {
            value = match (annotation, right) {
                (None, Some(right)) => match self.typing_form(left, right, node) {
                    Some(value) => value,
                    None => {
                        let value = self.expr(right);
                        self.target(left, value, &after);
                        value
                    }
                },
                _ => self.annotated(left, annotation, right, node),
            };
            if let Some(right) = right {
                match self.text(left) {
                    "__all__" if self.lang.frame.scope == 0 => self.exports(right),
                    "__slots__" if self.lang.frame.in_class => self.slots(right),
                    _ => {}
                }
            }
        }
        self.leave();
        value
    }

    /// `a: T`, `a: T = b`.
    fn annotated(
        &mut self,
        left: Node<'t>,
        annotation: Option<Node<'t>>,
        right: Option<Node<'t>>,
        node: Node<'t>,
    ) -> ExprId {
        let alias = annotation.is_some_and(|ty| {
            let text = self.text(ty);
            text == "TypeAlias" || text.ends_with(".TypeAlias")
        });
        let mut ty = annotation.map_or(NONE, |annotation| self.ty(annotation));
        // `a: Final = b` says that nobody else assigns it, not what it is.
        let said = annotation.map_or("", |annotation| self.text(annotation));
        let is_qualifier = matches!(said.rsplit('.').next(), Some("Final" | "ClassVar"));
        if is_qualifier && right.is_some() {
            ty = NONE;
        }
        let value = match right {
            Some(right) if alias => self.ty(right),
            Some(right) => self.expr(right),
            None => NONE,
        };
        let after = node.end_byte()..self.lang.block_end;
        if alias && self.kind(left) == Kind::Identifier {
            let (name, scope) = (self.text(left), self.lang.frame.scope);
            let range = node.byte_range();
            let def = self
                .b
                .define(name, DefKind::TypeAlias, scope, start(left), range);
            self.b.edit(def).ty = value;
        } else {
            self.bind_target(left, value, ty, &after);
        }
        value
    }

    pub(super) fn augmented(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let left = self.node_in(children, self.table.left);
        let right = self.node_in(children, self.table.right);
        self.close(children);
        if let Some(right) = right {
            self.expr(right);
        }
        if let Some(left) = left {
            let to = self.expr(left);
            self.b.set_role(to, Role::ReadWrite);
            if self.text(left) == "__all__"
                && let Some(right) = right
            {
                self.exports(right);
            }
        }
    }

    /// What is written on the left of `=`, after `for`, `as` … gets a value. In `stretch` it is known to
    /// have it.
    pub(super) fn target(&mut self, node: Node<'t>, value: ExprId, stretch: &Range<usize>) {
        self.deeper((), |walk| walk.bind_target(node, value, NONE, stretch));
    }

    fn bind_target(&mut self, node: Node<'t>, value: ExprId, ty: ExprId, stretch: &Range<usize>) {
        match self.kind(node) {
            Kind::Identifier => {
                self.bind_name(node, value, ty, stretch);
            }
            Kind::Attribute => self.bind_attribute(node, value, ty, stretch),
            Kind::TuplePattern
            | Kind::ListPattern
            | Kind::PatternList
            | Kind::Tuple
            | Kind::List
            | Kind::ExpressionList => self.bind_entries(node, value, stretch),
            Kind::AsPatternTarget | Kind::Parenthesized => {
                let children = self.open_named(node);
                for at in children {
                    self.target(self.child(at).node, value, stretch);
                }
                self.close(children);
            }
            Kind::ListSplatPattern | Kind::ListSplat => {
                let part = IterationPart::Element;
                let of = self.b.expr(Expr::Iter { of: value, part });
                let value = self.b.expr(Expr::Array { of });
                let children = self.open_named(node);
                for at in children {
                    self.target(self.child(at).node, value, stretch);
                }
                self.close(children);
            }
            _ => {
                self.expr(node);
            }
        }
    }

    fn bind_entries(&mut self, node: Node<'t>, value: ExprId, stretch: &Range<usize>) {
        let children = self.open_named(node);
        for (index, at) in children.iter().enumerate() {
            let child = self.child(at).node;
            let splat = matches!(self.kind(child), Kind::ListSplatPattern | Kind::ListSplat);
            let value = if splat || value == NONE {
                value
            } else {
                let index = index as u32;
                self.b.expr(Expr::Entry { of: value, index })
            };
            self.target(child, value, stretch);
        }
        self.close(children);
    }

    /// The scope in which a name that is declared `global` or `nonlocal` is looked up.
    pub(super) fn outer_scope(&self, global: bool) -> ScopeId {
        if global {
            return 0;
        }
        let scope = self.b.facts.scopes.get(self.lang.frame.scope as usize);
        scope.map_or(0, |scope| scope.parent)
    }

    pub(super) fn bind_name(
        &mut self,
        node: Node<'t>,
        value: ExprId,
        ty: ExprId,
        stretch: &Range<usize>,
    ) {
        let (name, at) = (self.text(node), start(node));
        let outer = self
            .lang
            .frame
            .outer
            .iter()
            .rfind(|(outer, _)| *outer == name);
        let scope = match outer {
            Some(&(_, global)) if !global || self.b.declared(0, name).is_some() => {
                let scope = self.outer_scope(global);
                let to = self.b.name_use(name, scope, at, Role::Write, space::ANY);
                self.b.assign(to, value);
                return;
            }
            Some(_) => 0,
            None => self.lang.frame.scope,
        };
        if let Some(def) = self.b.declared(scope, name) {
            let to = self.b.name_use(name, scope, at, Role::Write, space::ANY);
            self.b.assign(to, value);
            if ty != NONE && self.b.edit(def).ty == NONE && value_like(self.b.edit(def).kind) {
                let def = self.b.edit(def);
                def.ty = ty;
                def.flags &= !flag::IMPLICIT;
            }
            self.known_from_here(def, to, value, stretch);
            return;
        }
        let in_class = self.b.facts.scopes[scope as usize].kind == ScopeKind::Class;
        let kind = match in_class {
            true if self.lang.frame.in_enum && ty == NONE => DefKind::EnumMember,
            true => DefKind::Field,
            false => DefKind::Variable,
        };
        // In the body of a class a name is not there yet where its value is found out.
        let end = match in_class {
            true => stretch.start.max(node.end_byte()),
            false => node.end_byte(),
        };
        let range = node.start_byte()..end;
        let def = self.b.define(name, kind, scope, at, range);
        let implicit = if ty == NONE { flag::IMPLICIT } else { 0 };
        let edit = self.b.edit(def);
        (edit.value, edit.ty) = (value, ty);
        edit.flags |= implicit;
        if !in_class && value != NONE {
            let first = First {
                start: stretch.start,
                end: stretch.end,
                value,
            };
            self.lang.firsts.insert(def, first);
        }
    }

    /// A variable that is assigned more than once has, until its block ends, what it was assigned last.
    fn known_from_here(&mut self, def: u32, to: ExprId, value: ExprId, stretch: &Range<usize>) {
        if let Some(first) = self.lang.firsts.remove(&def) {
            self.known_value(to, first.value, first.start..first.end);
        }
        if value != NONE {
            self.known_value(to, value, stretch.clone());
        }
    }

    fn known_value(&mut self, to: ExprId, value: ExprId, stretch: Range<usize>) {
        if stretch.start < stretch.end {
            let ty = self.b.expr(Expr::TypeOf { of: value });
            self.b.narrow(to, stretch, ty, false);
        }
    }

    /// `self.x = value` and `cls.x = value` define a field where the class does not declare it; `a.x = value` changes one, which
    /// has that value until the block ends.
    fn bind_attribute(
        &mut self,
        node: Node<'t>,
        value: ExprId,
        ty: ExprId,
        stretch: &Range<usize>,
    ) {
        let children = self.open_named(node);
        let object = self.node_in(children, self.table.object);
        let name = self.node_in(children, self.table.attribute);
        self.close(children);
        let (Some(object), Some(name)) = (object, name) else {
            return;
        };
        let of = self.expr(object);
        let text = self.text(name);
        let receiver = self.text(object);
        let own = self
            .lang
            .frame
            .class
            .filter(|class| class.receiver == receiver);
        let Some(class) = own else {
            let to = self
                .b
                .member_use(of, text, start(name), Role::Write, space::ANY);
            self.b.assign(to, value);
            if value != NONE {
                self.known_value(to, value, stretch.clone());
            }
            return;
        };
        if let Some(def) = self.b.declared(class.scope, text) {
            let to = self
                .b
                .member_use(of, text, start(name), Role::Write, space::ANY);
            self.b.assign(to, value);
            let def = self.b.edit(def);
            if ty != NONE && def.ty == NONE && def.kind == DefKind::Field {
                def.ty = ty;
                def.flags &= !flag::IMPLICIT;
            }
            return;
        }
        // An ancestor may declare it: then this is a use.
        self.b
            .member_use(of, text, start(name), Role::Write, space::ANY);
        let range = node.byte_range();
        let def = self
            .b
            .define(text, DefKind::Field, class.scope, start(name), range);
        let implicit = if ty == NONE { flag::IMPLICIT } else { 0 };
        let def = self.b.edit(def);
        (def.value, def.ty) = (value, ty);
        def.flags |= implicit;
        // A member, not a name that the class's own body sees.
        def.from = u32::MAX;
    }
}

/// Whether a definition holds a value that can be given a type.
fn value_like(kind: DefKind) -> bool {
    matches!(kind, DefKind::Variable | DefKind::Field)
}

//! Functions, generics, closures.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::RustWalk;
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag, space};
use crate::limits::DEEPEST;

impl<'t, 's> RustWalk<'t, 's> {
    /// The scope of an item's type parameters, with what `where` says of them; the scope around if it
    /// has neither.
    pub(super) fn header(&mut self, node: Node<'t>, def: DefId) -> ScopeId {
        let generics = node.child_by_field_id(self.table.type_parameters);
        let children = self.open_named(node);
        let wheres = children.iter().map(|at| self.child(at).node);
        let wheres: Option<Node<'t>> = wheres
            .into_iter()
            .find(|child| self.kind(*child) == Kind::Where);
        self.close(children);
        if generics.is_none() && wheres.is_none() {
            return self.lang.scope;
        }
        let scope = self
            .b
            .scope(ScopeKind::Header, self.lang.scope, def, node.byte_range());
        if let Some(generics) = generics {
            self.inside(scope, |walk| walk.type_parameters(generics));
        }
        if let Some(wheres) = wheres {
            self.inside(scope, |walk| {
                walk.each(wheres, |walk, predicate| walk.predicate(predicate));
            });
        }
        scope
    }

    /// Defines type parameters in the current scope: all first, as bounds may name each.
    pub(super) fn type_parameters(&mut self, generics: Node<'t>) {
        let mut defs = Vec::new();
        self.each(generics, |walk, child| {
            let def = walk.type_parameter(child);
            defs.push((child, def));
        });
        for (node, def) in defs {
            let Some(def) = def else { continue };
            let bounds = node.child_by_field_id(self.table.bounds);
            let ty = match self.kind(node) {
                Kind::ConstParameter => {
                    let ty = node.child_by_field_id(self.table.ty);
                    ty.map_or(NONE, |ty| self.ty(ty))
                }
                _ => {
                    let bounds = bounds.map_or(Vec::new(), |bounds| self.bounds(bounds));
                    self.b.union(&bounds)
                }
            };
            self.b.edit(def).ty = ty;
            if let Some(default) = node.child_by_field_id(self.table.default_type) {
                self.b.edit(def).value = self.ty(default);
            }
        }
    }

    fn type_parameter(&mut self, node: Node<'t>) -> Option<DefId> {
        let (kind, spaces) = match self.kind(node) {
            Kind::TypeParameter => (DefKind::TypeParam, space::TYPE),
            Kind::ConstParameter => (DefKind::Parameter, space::VALUE),
            Kind::LifetimeParameter => {
                let lifetime = node.child_by_field_id(self.table.name)?;
                return self.define_label(lifetime, node);
            }
            Kind::Attribute => {
                self.attribute(node);
                return None;
            }
            _ => return None,
        };
        let def = self.define(node, kind, self.lang.scope, spaces)?;
        self.b.edit(def).flags = 0;
        Some(def)
    }

    /// A lifetime or the label of a loop.
    pub(super) fn define_label(&mut self, label: Node<'t>, whole: Node<'t>) -> Option<DefId> {
        let name = label.named_child(0)?;
        let (text, at) = (self.unraw(name), self.start(name));
        let range = whole.byte_range();
        let def = self
            .b
            .define(text, DefKind::Label, self.lang.scope, at, range);
        self.b.edit(def).spaces = space::LABEL;
        Some(def)
    }

    /// `T: Bound` after `where`; the bound becomes the parameter's.
    fn predicate(&mut self, node: Node<'t>) {
        let left = node.child_by_field_id(self.table.left);
        let bounds = node.child_by_field_id(self.table.bounds);
        let bounds = bounds.map_or(Vec::new(), |bounds| self.bounds(bounds));
        let Some(left) = left else { return };
        if self.kind(left) == Kind::Lifetime {
            self.label_use(left);
            return;
        }
        self.ty(left);
        if self.kind(left) != Kind::TypeIdentifier {
            return;
        }
        if let Some(def) = self.parameter_named(self.unraw(left)) {
            let mut all = bounds;
            let before = self.b.edit(def).ty;
            if before != NONE {
                all.insert(0, before);
            }
            let ty = self.b.union(&all);
            self.b.edit(def).ty = ty;
        }
    }

    /// The type parameter of this name, of what is around too: a method may say more of its type's.
    fn parameter_named(&mut self, name: &str) -> Option<DefId> {
        let mut scope = self.lang.scope;
        for _ in 0..DEEPEST {
            let found = self.b.declared(scope, name);
            if let Some(def) = found {
                let is_parameter = self.b.edit(def).kind == DefKind::TypeParam;
                return is_parameter.then_some(def);
            }
            scope = self.b.facts.scopes[scope as usize].parent;
            if scope == NONE {
                break;
            }
        }
        None
    }

    pub(super) fn function(&mut self, node: Node<'t>) {
        let method = self.in_type();
        let kind = if method {
            DefKind::Method
        } else {
            DefKind::Function
        };
        let Some(def) = self.define(node, kind, self.lang.scope, space::VALUE) else {
            return;
        };
        if self.kind(node) == Kind::Signature {
            self.flag(def, flag::ABSTRACT);
        }
        if self.is_async(node) {
            self.flag(def, flag::ASYNC);
        }
        let header = self.header(node, def);
        let scope = self
            .b
            .scope(ScopeKind::Function, header, def, node.byte_range());
        self.b.edit(def).inner = scope;
        let mut receiver = false;
        if let Some(parameters) = node.child_by_field_id(self.table.parameters) {
            receiver = self.inside(header, |walk| walk.parameters(parameters, scope));
        }
        if method && !receiver {
            self.flag(def, flag::STATIC);
        }
        if let Some(result) = node.child_by_field_id(self.table.return_type) {
            self.b.edit(def).ty = self.inside(header, |walk| walk.ty(result));
        }
        if let Some(body) = node.child_by_field_id(self.table.body) {
            let ty = self.b.edit(def).ty;
            if ty != NONE {
                self.lang.result = self.b.expr(Expr::Value { of: ty });
            }
            self.inside(scope, |walk| walk.statements(body));
        }
    }

    fn is_async(&self, node: Node<'t>) -> bool {
        let mut children = (0..2).filter_map(|at| node.named_child(at));
        let modifiers = children.find(|child| self.kind(*child) == Kind::Modifiers);
        modifiers.is_some_and(|modifiers| {
            let mut words = self.unraw(modifiers).split_whitespace();
            words.any(|word| word == "async")
        })
    }

    /// Defines parameters in `scope`; whether one is `self`.
    pub(super) fn parameters(&mut self, node: Node<'t>, scope: ScopeId) -> bool {
        let mut receiver = false;
        self.each(node, |walk, child| match walk.kind(child) {
            Kind::SelfParameter => {
                receiver = true;
                walk.receiver(child, scope);
            }
            Kind::Parameter => receiver |= walk.parameter(child, scope),
            Kind::Attribute => {
                walk.attribute(child);
            }
            Kind::Variadic => {}
            // A type without a name, as in `Fn(A)`.
            _ => {
                let ty = walk.ty(child);
                let range = child.byte_range();
                let def = walk.b.define("", DefKind::Parameter, scope, NONE, range);
                walk.b.edit(def).ty = ty;
            }
        });
        receiver
    }

    fn receiver(&mut self, node: Node<'t>, scope: ScopeId) {
        self.each(node, |walk, child| match walk.kind(child) {
            Kind::SelfWord => walk.define_receiver(child, scope, NONE),
            Kind::Lifetime => walk.label_use(child),
            _ => {}
        });
    }

    fn define_receiver(&mut self, word: Node<'t>, scope: ScopeId, ty: ExprId) {
        let at = word.start_byte() as u32;
        let range = word.byte_range();
        let def = self.b.define("self", DefKind::Parameter, scope, at, range);
        let value = self.b.expr(Expr::This { scope });
        let edit = self.b.edit(def);
        edit.spaces = space::VALUE;
        edit.flags = flag::RECEIVER;
        (edit.value, edit.ty) = (value, ty);
    }

    /// `pattern: Type`; whether it is `self`.
    fn parameter(&mut self, node: Node<'t>, scope: ScopeId) -> bool {
        let written = node.child_by_field_id(self.table.ty);
        let ty = written.map_or(NONE, |ty| self.ty(ty));
        let Some(pattern) = node.child_by_field_id(self.table.pattern) else {
            return false;
        };
        match self.kind(pattern) {
            Kind::SelfWord => {
                // What is pinned has methods of the pin first; other pointers have none.
                let is_pin = written.is_some_and(|ty| self.unraw(ty).contains("Pin<"));
                self.define_receiver(pattern, scope, if is_pin { ty } else { NONE });
                true
            }
            Kind::Identifier => {
                let (text, at) = (self.unraw(pattern), self.start(pattern));
                let range = node.byte_range();
                let def = self.b.define(text, DefKind::Parameter, scope, at, range);
                let edit = self.b.edit(def);
                (edit.ty, edit.spaces) = (ty, space::VALUE);
                false
            }
            // One parameter, of which the pattern takes parts.
            _ => {
                let range = node.byte_range();
                let def = self.b.define("", DefKind::Parameter, scope, NONE, range);
                self.b.edit(def).ty = ty;
                let value = match ty {
                    NONE => NONE,
                    of => self.b.expr(Expr::Value { of }),
                };
                self.inside(scope, |walk| walk.pattern(pattern, value, scope, 0));
                false
            }
        }
    }

    /// `expected` is the call that the closure is an argument of, and which one.
    pub(super) fn closure(&mut self, node: Node<'t>, expected: Option<(ExprId, u32)>) -> ExprId {
        let range = node.byte_range();
        let def = self
            .b
            .define("", DefKind::Lambda, self.lang.scope, NONE, range.clone());
        let scope = self
            .b
            .scope(ScopeKind::Function, self.lang.scope, def, range);
        self.b.edit(def).inner = scope;
        if let Some(parameters) = node.child_by_field_id(self.table.parameters) {
            for (index, child) in self.places(parameters) {
                self.closure_parameter(child, scope, index, expected);
            }
        }
        if let Some(result) = node.child_by_field_id(self.table.return_type) {
            self.b.edit(def).ty = self.ty(result);
        }
        if let Some(body) = node.child_by_field_id(self.table.body) {
            self.b.edit(def).value = self.inside(scope, |walk| walk.expr(body));
        }
        self.b.expr(Expr::Function { def })
    }

    fn closure_parameter(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        index: u32,
        expected: Option<(ExprId, u32)>,
    ) {
        if self.kind(node) == Kind::Parameter {
            self.parameter(node, scope);
            return;
        }
        let value = match expected {
            Some((call, argument)) => {
                let of = self.b.expr(Expr::ContextualType {
                    call,
                    index: argument,
                });
                self.b.expr(Expr::ContextualParam { of, index })
            }
            None => NONE,
        };
        if self.kind(node) == Kind::Identifier {
            let (text, at) = (self.unraw(node), self.start(node));
            let range = node.byte_range();
            let def = self.b.define(text, DefKind::Parameter, scope, at, range);
            let edit = self.b.edit(def);
            (edit.value, edit.spaces) = (value, space::VALUE);
            return;
        }
        let range = node.byte_range();
        let def = self.b.define("", DefKind::Parameter, scope, NONE, range);
        self.b.edit(def).value = value;
        self.inside(scope, |walk| walk.pattern(node, value, scope, 0));
    }
}

//! Items: modules, types, implementations, constants.

use tree_sitter::Node;

use super::kinds::Kind;
use super::state::Inline;
use super::walk::{RustWalk, spaces};
use crate::facts::{
    DefId, DefKind, Expr, ExprId, NONE, NameId, Relation, ScopeId, ScopeKind, flag, space,
};

impl<'t, 's> RustWalk<'t, 's> {
    /// All items below a node.
    pub(super) fn items(&mut self, node: Node<'t>) {
        if !self.enter() {
            return;
        }
        let children = self.open_named(node);
        let (mut attributes, mut is_left_out) = (children.from, false);
        for at in children {
            let child = self.child(at).node;
            let is_attribute = matches!(self.kind(child), Kind::Attribute | Kind::InnerAttribute);
            if is_attribute {
                is_left_out |= self.attribute(child);
                continue;
            }
            if std::mem::take(&mut is_left_out) {
                self.leave_out(child);
            }
            self.item(child, attributes..at);
            attributes = at + 1;
        }
        self.close(children);
        self.leave();
    }

    /// An item; `attributes` are the places on the stack of those before it. Whether it is one.
    pub(super) fn item(&mut self, node: Node<'t>, attributes: std::ops::Range<usize>) -> bool {
        match self.kind(node) {
            Kind::Mod => self.module(node, attributes),
            Kind::Function | Kind::Signature => {
                self.derive_macro(attributes);
                self.function(node);
            }
            Kind::Struct => self.structure(node, DefKind::Struct),
            Kind::UnionItem => self.structure(node, DefKind::Union),
            Kind::Enum => self.enumeration(node),
            Kind::Impl => self.implementation(node),
            Kind::Trait => self.trait_item(node),
            Kind::Const | Kind::Static => self.constant(node),
            Kind::TypeItem | Kind::AssociatedType => self.type_item(node),
            Kind::Use => self.use_declaration(node),
            Kind::ExternCrate => self.extern_crate(node),
            Kind::MacroDefinition => self.macro_definition(node, attributes),
            Kind::MacroCall => {
                self.macro_call(node, true);
            }
            Kind::Foreign => {
                if let Some(body) = node.child_by_field_id(self.table.body) {
                    self.items(body);
                }
            }
            Kind::Declarations | Kind::File => self.items(node),
            Kind::Statement | Kind::Block => {
                self.statement(node);
            }
            _ if node.is_error() => self.items(node),
            _ => {
                self.expr(node);
                return false;
            }
        }
        true
    }

    /// What the visibility of an item says.
    pub(super) fn visibility(&mut self, node: Node<'t>) -> u32 {
        let children = self.open_named(node);
        let found = children.iter().map(|at| self.child(at).node);
        let found = found
            .take(2)
            .find(|child| self.kind(*child) == Kind::Visibility);
        self.close(children);
        let Some(node) = found else {
            return flag::PRIVATE;
        };
        let text = self.unraw(node);
        if text == "pub" {
            return flag::EXPORTED;
        }
        if text.contains("in ")
            && let Some(path) = node.named_child(0)
        {
            self.path(path, spaces::PREFIX);
        }
        // `pub(super)` is seen one module further out than what is private.
        let is_next = text == "pub(super)";
        flag::INTERNAL | if is_next { flag::PRIVATE } else { 0 }
    }

    /// Defines what a node's `name` names.
    pub(super) fn define(
        &mut self,
        node: Node<'t>,
        kind: DefKind,
        scope: ScopeId,
        spaces: u8,
    ) -> Option<DefId> {
        let name = node.child_by_field_id(self.table.name)?;
        let (text, at) = (self.unraw(name), self.start(name));
        let def = self.b.define(text, kind, scope, at, node.byte_range());
        let visibility = self.visibility(node);
        let edit = self.b.edit(def);
        (edit.spaces, edit.flags) = (spaces, visibility);
        Some(def)
    }

    /// `mod a { … }`, `mod a;`.
    fn module(&mut self, node: Node<'t>, attributes: std::ops::Range<usize>) {
        let spaces = spaces::PREFIX;
        let Some(def) = self.define(node, DefKind::Module, self.lang.scope, spaces) else {
            return;
        };
        let name = self.name_of(node);
        let Some(body) = node.child_by_field_id(self.table.body) else {
            let written = self.path_attribute(attributes);
            self.module_file(def, name, written);
            return;
        };
        let scope = self
            .b
            .scope(ScopeKind::Module, self.lang.scope, def, node.byte_range());
        self.b.edit(def).inner = scope;
        let around = self.lang.scope;
        self.lang.shared.modules.push(Inline { name, around });
        self.inside(scope, |walk| walk.items(body));
        self.lang.shared.modules.pop();
    }

    /// `mod a;` is elsewhere: its value is the path of its file, without ending, from the folder of this
    /// module's children; with level 2 it is the path that an attribute says.
    fn module_file(&mut self, def: DefId, name: &str, written: Option<&str>) {
        let mut path = String::new();
        for module in &self.lang.shared.modules {
            path.push_str(module.name);
            path.push('/');
        }
        path.push_str(written.unwrap_or(name));
        let name = self.b.name(&path);
        let level = if written.is_some() { 2 } else { 1 };
        let value = self.b.expr(Expr::Module {
            name,
            at: NONE,
            level,
        });
        self.b.edit(def).value = value;
    }

    pub(super) fn name_of(&self, node: Node<'t>) -> &'s str {
        let name = node.child_by_field_id(self.table.name);
        name.map_or("", |name| self.unraw(name))
    }

    /// `struct`, `union`.
    fn structure(&mut self, node: Node<'t>, kind: DefKind) {
        let body = node.child_by_field_id(self.table.body);
        let named = body.is_some_and(|body| self.kind(body) == Kind::Fields);
        let spaces = if named {
            space::TYPE
        } else {
            space::TYPE | space::VALUE
        };
        let Some(def) = self.define(node, kind, self.lang.scope, spaces) else {
            return;
        };
        let header = self.header(node, def);
        self.fields(node, body, def, header, None);
    }

    /// The fields of a struct or variant; `types` is where `Self` is the type that they are of.
    fn fields(
        &mut self,
        node: Node<'t>,
        body: Option<Node<'t>>,
        def: DefId,
        around: ScopeId,
        types: Option<ScopeId>,
    ) {
        let scope = self
            .b
            .scope(ScopeKind::Class, around, def, node.byte_range());
        self.b.edit(def).inner = scope;
        let Some(body) = body else { return };
        let tuple = self.kind(body) == Kind::TupleFields;
        let mut index = 0;
        self.inside(types.unwrap_or(scope), |walk| {
            walk.each(body, |walk, child| match walk.kind(child) {
                Kind::Attribute => {
                    walk.attribute(child);
                }
                Kind::Visibility => {}
                Kind::Field => walk.field(child, scope),
                _ if tuple => {
                    let ty = walk.ty(child);
                    let name = index.to_string();
                    let range = child.byte_range();
                    let field = walk.b.define(&name, DefKind::Field, scope, NONE, range);
                    let field = walk.b.edit(field);
                    (field.ty, field.spaces) = (ty, space::FIELD);
                    index += 1;
                }
                _ => {}
            });
        });
    }

    fn field(&mut self, node: Node<'t>, scope: ScopeId) {
        let ty = node.child_by_field_id(self.table.ty);
        let ty = ty.map_or(NONE, |ty| self.ty(ty));
        if let Some(def) = self.define(node, DefKind::Field, scope, space::FIELD) {
            self.b.edit(def).ty = ty;
        }
    }

    fn enumeration(&mut self, node: Node<'t>) {
        let Some(def) = self.define(node, DefKind::Enum, self.lang.scope, space::TYPE) else {
            return;
        };
        let header = self.header(node, def);
        let scope = self
            .b
            .scope(ScopeKind::Class, header, def, node.byte_range());
        self.b.edit(def).inner = scope;
        let Some(body) = node.child_by_field_id(self.table.body) else {
            return;
        };
        self.inside(header, |walk| {
            walk.each(body, |walk, child| match walk.kind(child) {
                Kind::Attribute => {
                    walk.attribute(child);
                }
                Kind::Variant => walk.variant(child, scope),
                _ => {}
            });
        });
    }

    fn variant(&mut self, node: Node<'t>, scope: ScopeId) {
        let spaces = space::TYPE | space::VALUE;
        let Some(def) = self.define(node, DefKind::EnumMember, scope, spaces) else {
            return;
        };
        let edit = self.b.edit(def);
        edit.flags = flag::EXPORTED | flag::STATIC;
        let body = node.child_by_field_id(self.table.body);
        let around = self.lang.scope;
        if body.is_some() {
            self.fields(node, body, def, around, Some(scope));
        }
        if let Some(value) = node.child_by_field_id(self.table.value) {
            self.b.edit(def).value = self.expr(value);
        }
    }

    fn implementation(&mut self, node: Node<'t>) {
        let range = node.byte_range();
        let def = self
            .b
            .define("", DefKind::Impl, self.lang.scope, NONE, range.clone());
        let header = self.header(node, def);
        if let Some(ty) = node.child_by_field_id(self.table.ty) {
            let of = self.inside(header, |walk| walk.ty(ty));
            self.b.edit(def).ty = of;
            self.b.edit(def).name = self.name_of_shape(of);
        }
        let scope = self.b.scope(ScopeKind::Class, header, def, range);
        self.b.edit(def).inner = scope;
        if let Some(base) = node.child_by_field_id(self.table.trait_) {
            let of = self.inside(header, |walk| walk.ty(base));
            self.b.base(def, Relation::Implements, of);
        }
        if let Some(body) = node.child_by_field_id(self.table.body) {
            self.inside(scope, |walk| walk.items(body));
        }
    }

    /// What an `impl` for a type without a name is found by.
    fn name_of_shape(&mut self, ty: ExprId) -> NameId {
        let name = match self.b.facts.expr(ty) {
            Expr::Array { .. } => "[]",
            Expr::Tuple { .. } => "()",
            _ => "",
        };
        self.b.name(name)
    }

    fn trait_item(&mut self, node: Node<'t>) {
        let Some(def) = self.define(node, DefKind::Trait, self.lang.scope, space::TYPE) else {
            return;
        };
        let header = self.header(node, def);
        let scope = self
            .b
            .scope(ScopeKind::Class, header, def, node.byte_range());
        self.b.edit(def).inner = scope;
        if let Some(bounds) = node.child_by_field_id(self.table.bounds) {
            // `Self::Item` may stand in bounds.
            for of in self.inside(scope, |walk| walk.bounds(bounds)) {
                self.b.base(def, Relation::Extends, of);
            }
        }
        if let Some(body) = node.child_by_field_id(self.table.body) {
            self.inside(scope, |walk| walk.items(body));
        }
    }

    /// Whether the items being walked are those of a type.
    pub(super) fn in_type(&self) -> bool {
        self.b.facts.scopes[self.lang.scope as usize].kind == ScopeKind::Class
    }

    fn constant(&mut self, node: Node<'t>) {
        let ty = node.child_by_field_id(self.table.ty);
        let ty = ty.map_or(NONE, |ty| self.ty(ty));
        let value = node.child_by_field_id(self.table.value);
        let value = value.map_or(NONE, |value| self.expr(value));
        let Some(def) = self.define(node, DefKind::Constant, self.lang.scope, space::VALUE) else {
            return;
        };
        let associated = if self.in_type() { flag::STATIC } else { 0 };
        let edit = self.b.edit(def);
        (edit.ty, edit.value) = (ty, value);
        edit.flags |= associated;
    }

    /// `type A = B;`, of a trait too.
    fn type_item(&mut self, node: Node<'t>) {
        let Some(def) = self.define(node, DefKind::TypeAlias, self.lang.scope, space::TYPE) else {
            return;
        };
        if self.in_type() {
            self.flag(def, flag::STATIC);
        }
        let header = self.header(node, def);
        if header != self.lang.scope {
            self.b.edit(def).inner = header;
        }
        let ty = match node.child_by_field_id(self.table.ty) {
            Some(ty) => self.inside(header, |walk| walk.ty(ty)),
            None => {
                self.flag(def, flag::ABSTRACT);
                let bounds = node.child_by_field_id(self.table.bounds);
                let bounds = bounds.map(|bounds| self.inside(header, |walk| walk.bounds(bounds)));
                self.b.union(&bounds.unwrap_or_default())
            }
        };
        self.b.edit(def).ty = ty;
    }
}

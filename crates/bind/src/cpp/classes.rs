//! Classes, structs, unions and enums.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Relation, Role, ScopeKind, flag, space};
use crate::nodes::child;

impl<'t> CppWalk<'t> {
    /// A class with a body, or the name of one. `given` is the name that a `typedef` gives to one
    /// without a name of its own. Gives what denotes the class.
    pub(super) fn class(
        &mut self,
        node: Node<'t>,
        at: DeclarationSite,
        given: Option<Node<'t>>,
    ) -> ExprId {
        let children = self.open(node);
        let own = self.node_in(children, self.table.name);
        let body = self.node_in(children, self.table.body);
        self.close(children);
        let at = self.type_place(at);
        let (Some(body), name) = (body, own.or(given)) else {
            return match own {
                Some(name) => self.elaborated(name, at, Role::Type),
                None => NONE,
            };
        };
        let kind = match self.kind(node) {
            Kind::ClassSpecifier => DefKind::Class,
            Kind::UnionSpecifier => DefKind::Union,
            _ => DefKind::Struct,
        };
        let range = body.byte_range();
        let Some(name) = name else {
            let inner = self.b.scope(ScopeKind::Object, at.look, NONE, range);
            self.class_body(body, inner, "", 0);
            return self.b.expr(Expr::Object {
                scope: inner,
                of: NONE,
            });
        };
        let (def, text) = self.define_class(name, kind, node, at);
        for (_, part) in self.list_of(node) {
            if self.kind(part) == Kind::BaseClassClause {
                self.bases(part, def, at);
            }
        }
        let inner = self.b.scope(ScopeKind::Class, at.look, def, range);
        self.b.edit(def).inner = inner;
        let access = if kind == DefKind::Class {
            flag::PRIVATE
        } else {
            0
        };
        self.class_body(body, inner, text, access);
        let spaces = self.own_spaces(own);
        self.b.name_use(text, at.scope, NONE, Role::Type, spaces)
    }

    /// Where a type finds itself by its own name, or by the one that a `typedef` gives it.
    fn own_spaces(&self, own: Option<Node<'t>>) -> u8 {
        if own.is_some() {
            super::walk::TAGS
        } else {
            space::TYPE
        }
    }

    /// The name of a class, struct, union or enum behind its keyword.
    pub(super) fn elaborated(&mut self, name: Node<'t>, at: DeclarationSite, role: Role) -> ExprId {
        self.last(In::Scope(at.look), name, at.look, role, super::walk::TAGS)
    }

    /// `class A;`: declared, and used as well.
    pub(super) fn forward(&mut self, node: Node<'t>, at: DeclarationSite) {
        let Some(name) = child(node, self.table.name) else {
            return;
        };
        if self.kind(name) == Kind::TypeIdentifier {
            let kind = match self.kind(node) {
                Kind::ClassSpecifier => DefKind::Class,
                Kind::UnionSpecifier => DefKind::Union,
                Kind::EnumSpecifier => DefKind::Enum,
                _ => DefKind::Struct,
            };
            let (def, _) = self.define_class(name, kind, node, at);
            self.b.edit(def).flags |= flag::DECLARATION;
        }
        let look = DeclarationSite {
            look: at.look,
            ..at
        };
        self.elaborated(name, look, Role::Type);
    }

    fn define_class(
        &mut self,
        name: Node<'t>,
        kind: DefKind,
        node: Node<'t>,
        at: DeclarationSite,
    ) -> (DefId, &'t str) {
        let (mut name, mut container) = (name, NONE);
        if self.kind(name) == Kind::QualifiedIdentifier
            && let Some(qualified) = self.qualified(name, at.look)
        {
            name = qualified.name;
            if let In::Of(of) = qualified.of {
                container = of;
            }
        }
        let mut place = name.start_byte() as u32;
        let mut text = self.text(name);
        let mut pattern = NONE;
        if self.kind(name) == Kind::TemplateType {
            // A specialisation: its name is a use of the template's.
            let of = self.last(In::Scope(at.look), name, at.look, Role::Type, space::TYPE);
            if self.is_pattern(name) {
                pattern = of;
            }
            text = child(name, self.table.name).map_or("", |name| self.text(name));
            place = NONE;
        }
        let def = self
            .b
            .define(text, kind, at.scope, place, node.byte_range());
        self.own(at, def);
        let flags = self.visibility(at, false);
        let edited = self.b.edit(def);
        edited.spaces = space::TYPE;
        edited.container = container;
        edited.flags = flags;
        // Which arguments a specialisation is for.
        edited.ty = pattern;
        (def, text)
    }

    /// Whether what is told apart by the arguments of a specialisation is told apart by their types: not by what is `const`
    /// or a reference.
    fn is_pattern(&self, name: Node<'t>) -> bool {
        let list = child(name, self.table.arguments).map_or("", |list| self.text(list));
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = list.split(|letter| !is_word(letter));
        !list.contains(['&', '(', '[']) && !words.any(|word| matches!(word, "const" | "volatile"))
    }

    fn bases(&mut self, node: Node<'t>, def: DefId, at: DeclarationSite) {
        for (_, part) in self.list_of(node) {
            match self.kind(part) {
                Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType => {
                    let of = self.specifier(part, at);
                    self.b.base(def, Relation::Extends, of);
                }
                Kind::AccessSpecifier | Kind::AttributeDeclaration => {}
                _ => self.item(part, DeclarationSite::block(at.look)),
            }
        }
    }

    /// The members of a class of this name.
    pub(super) fn class_body(&mut self, body: Node<'t>, inner: u32, name: &'t str, access: u32) {
        let class = std::mem::replace(&mut self.lang.class, name);
        let around = std::mem::replace(&mut self.lang.access, access);
        let at = DeclarationSite {
            scope: inner,
            look: inner,
            place: EnclosingDeclaration::Class,
        };
        self.children(body, at);
        self.lang.class = class;
        self.lang.access = around;
    }

    /// `private:` and its like.
    pub(super) fn access(&mut self, node: Node<'t>) {
        self.lang.access = match self.text(node) {
            "private" => flag::PRIVATE,
            "protected" => flag::PROTECTED,
            _ => 0,
        };
    }

    /// An enum with a body, or the name of one; see [`Walker::class`].
    pub(super) fn enumeration(
        &mut self,
        node: Node<'t>,
        at: DeclarationSite,
        given: Option<Node<'t>>,
    ) -> ExprId {
        let children = self.open(node);
        let own = self.node_in(children, self.table.name);
        let body = self.node_in(children, self.table.body);
        let base = self.node_in(children, self.table.base);
        self.close(children);
        let at = self.type_place(at);
        if let Some(base) = base {
            self.specifier(base, at);
        }
        let Some(body) = body else {
            return match own {
                Some(name) => self.elaborated(name, at, Role::Type),
                None => NONE,
            };
        };
        let Some(name) = own.or(given) else {
            self.enumerators(body, at, NONE);
            return self.primitive("int");
        };
        let (def, text) = self.define_class(name, DefKind::Enum, node, at);
        let inner = self
            .b
            .scope(ScopeKind::Class, at.look, def, body.byte_range());
        self.b.edit(def).inner = inner;
        let spaces = self.own_spaces(own);
        let ty = self.b.name_use(text, at.scope, NONE, Role::Type, spaces);
        // The name that a `typedef` gives stands behind the body.
        let head = node.start_byte()..name.start_byte().min(body.start_byte());
        let keywords = self.text.get(head).unwrap_or("");
        let is_scoped = keywords.contains("class") || keywords.contains("struct");
        let within = if is_scoped {
            DeclarationSite {
                scope: inner,
                look: inner,
                place: EnclosingDeclaration::Class,
            }
        } else {
            at
        };
        self.enumerators(body, within, ty);
        ty
    }

    /// The members of an enum, those in the branches of conditions included.
    pub(super) fn enumerators(&mut self, body: Node<'t>, at: DeclarationSite, ty: ExprId) {
        if !self.enter() {
            return;
        }
        for (field, part) in self.list_of(body) {
            match self.kind(part) {
                Kind::Enumerator => self.enumerator(part, at, ty),
                Kind::PreprocIf
                | Kind::PreprocIfdef
                | Kind::PreprocElif
                | Kind::PreprocElifdef
                | Kind::PreprocElse => self.enumerators(part, at, ty),
                _ if field == self.table.name || field == self.table.condition => {
                    self.macro_names(part);
                }
                _ => self.item(part, DeclarationSite::block(at.look)),
            }
        }
        self.leave();
    }

    fn enumerator(&mut self, node: Node<'t>, at: DeclarationSite, ty: ExprId) {
        if let Some(value) = child(node, self.table.value) {
            self.expr(value, at.look);
        }
        let Some(name) = child(node, self.table.name) else {
            return;
        };
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let kind = DefKind::EnumMember;
        let def = self
            .b
            .define(text, kind, at.scope, place, node.byte_range());
        let flags = self.visibility(at, false) | flag::READONLY | flag::STATIC;
        let edited = self.b.edit(def);
        edited.ty = ty;
        edited.spaces = space::VALUE;
        edited.flags = flags;
        if at.place == EnclosingDeclaration::Block {
            edited.from = place;
        }
    }
}

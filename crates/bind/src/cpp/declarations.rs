//! Declarations of variables, fields and types; namespaces, `using`, templates.

use tree_sitter::Node;

use super::declarators::DeclaratorParts;
use super::functions::FunctionContext;
use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeKind, flag, space};
use crate::nodes::child;

/// What a declaration begins with.
#[derive(Clone, Copy, Default)]
struct Specifiers {
    is_static: bool,
    is_extern: bool,
}

impl<'t> CppWalk<'t> {
    /// A declaration with any number of declarators, or a function.
    pub(super) fn declaration(&mut self, node: Node<'t>, at: DeclarationSite) {
        let parts = self.list_of(node);
        let of_field = |field: u16| {
            let part = parts.iter().find(|(at, _)| *at == field);
            part.map(|(_, part)| *part)
        };
        let specifiers = self.specifiers(&parts);
        let ty_node = of_field(self.table.ty);
        let has_declarator = of_field(self.table.declarator).is_some();
        if self.is_macro_with_block(node, of_field(self.table.declarator), at) {
            return self.macro_with_block(node, at);
        }
        if let (Some(ty), false) = (ty_node, has_declarator)
            && self.without_declarator(ty, at)
        {
            return;
        }
        let conversion = ty_node.filter(|ty| self.is_conversion(*ty, &parts));
        let ty = match conversion {
            Some(_) => NONE,
            None => ty_node.map_or(NONE, |ty| self.specifier(ty, at)),
        };
        let is_function = self.kind(node) == Kind::FunctionDefinition;
        let mut index = 0;
        while let Some(&(field, part)) = parts.get(index) {
            index += 1;
            if field != self.table.declarator {
                if field == 0 {
                    self.extra(part, at);
                }
                continue;
            }
            // `int a = 1, b;` in a class has the value as a sibling.
            let value = match parts.get(index) {
                Some((field, value)) if *field == self.table.default_value => Some(*value),
                Some((field, value)) if *field == self.table.value => Some(*value),
                _ => None,
            };
            let body = if is_function {
                of_field(self.table.body).or_else(|| self.try_body(&parts))
            } else {
                None
            };
            let around = FunctionContext {
                whole: Some(node),
                flags: self.flags(specifiers, &parts, at),
                body: body.or(is_function.then_some(node)),
                typed: ty_node.is_some(),
            };
            if conversion.is_some() {
                let to = child(part, self.table.declarator).map_or("", |to| self.text(to));
                let declared = DeclaratorParts {
                    name: conversion,
                    ty: self.primitive(to),
                    function: Some(part),
                };
                self.function(declared, around, at);
                continue;
            }
            if let Some(name) = self.member_pointer_field(parts.get(index..)) {
                self.use_of(In::Scope(at.look), part, Role::Type, space::TYPE);
                let ty = self.pointer(ty);
                self.declare(name, ty, None, around, at);
                break;
            }
            self.declare(part, ty, value, around, at);
        }
        if is_function && !has_declarator {
            self.children(node, DeclarationSite::block(at.look));
        }
    }

    /// Whether `each(item) { … }` stands in a block, of which the grammar makes a function `item` of a type `each`.
    fn is_macro_with_block(
        &self,
        node: Node<'t>,
        declarator: Option<Node<'t>>,
        at: DeclarationSite,
    ) -> bool {
        at.place == EnclosingDeclaration::Block
            && self.kind(node) == Kind::FunctionDefinition
            && declarator.is_some_and(|of| self.kind(of) == Kind::ParenthesizedDeclarator)
    }

    fn macro_with_block(&mut self, node: Node<'t>, at: DeclarationSite) {
        for (field, part) in self.list_of(node) {
            match self.kind(part) {
                Kind::CompoundStatement => self.item(part, at),
                _ if field == self.table.ty => {
                    self.use_of(In::Scope(at.look), part, Role::Call, space::ANY);
                }
                _ => self.names_in(part, at),
            }
        }
    }

    /// Uses of all names in what the grammar has read as something else.
    fn names_in(&mut self, node: Node<'t>, at: DeclarationSite) {
        if matches!(
            self.kind(node),
            Kind::Identifier | Kind::TypeIdentifier | Kind::FieldIdentifier
        ) {
            self.use_of(In::Scope(at.look), node, Role::Read, space::ANY);
            return;
        }
        if !self.enter() {
            return;
        }
        for (_, part) in self.list_of(node) {
            self.names_in(part, at);
        }
        self.leave();
    }

    /// The name of a field `T C::*name;`, of which the grammar makes a field `C` with an error and a width behind it.
    fn member_pointer_field(&self, behind: Option<&[(u16, Node<'t>)]>) -> Option<Node<'t>> {
        let [(_, error), (_, width), ..] = behind? else {
            return None;
        };
        let pointed = width.named_child(0).filter(|_| error.is_error())?;
        let is_width = width.kind() == "bitfield_clause" && self.text(pointed).starts_with('*');
        let name = child(pointed, self.table.argument).filter(|_| is_width)?;
        (self.kind(name) == Kind::Identifier).then_some(name)
    }

    fn try_body(&self, parts: &[(u16, Node<'t>)]) -> Option<Node<'t>> {
        let is_try = |(_, part): &&(u16, Node<'t>)| self.kind(*part) == Kind::TryStatement;
        parts.iter().find(is_try).map(|(_, part)| *part)
    }

    fn specifiers(&self, parts: &[(u16, Node<'t>)]) -> Specifiers {
        let mut specifiers = Specifiers::default();
        for &(_, part) in parts {
            if self.kind(part) == Kind::StorageClass {
                match self.text(part) {
                    "static" => specifiers.is_static = true,
                    "extern" => specifiers.is_extern = true,
                    _ => {}
                }
            }
        }
        specifiers
    }

    fn flags(&self, specifiers: Specifiers, parts: &[(u16, Node<'t>)], at: DeclarationSite) -> u32 {
        let mut flags = self.visibility(at, specifiers.is_static);
        if specifiers.is_extern {
            flags |= flag::DECLARATION;
        }
        let is_pure = |(field, part): &(u16, Node<'t>)| {
            self.kind(*part) == Kind::PureVirtual
                || *field == self.table.default_value && self.text(*part) == "0"
        };
        if at.place == EnclosingDeclaration::Class && parts.iter().any(is_pure) {
            flags |= flag::ABSTRACT;
        }
        flags | self.qualified_as(parts)
    }

    /// Whether what is declared is `const` or may be changed nevertheless.
    pub(super) fn qualified_as(&self, parts: &[(u16, Node<'t>)]) -> u32 {
        let qualifiers = parts
            .iter()
            .filter(|(_, part)| self.kind(*part) == Kind::TypeQualifier);
        qualifiers.fold(0, |flags, (_, part)| match self.text(*part) {
            "const" => flags | flag::READONLY | flag::CONST,
            "constexpr" => flags | flag::READONLY,
            "mutable" => flags | flag::MUTABLE,
            _ => flags,
        })
    }

    /// `class A;`, and unions and structs without a name whose members are those of the class around.
    fn without_declarator(&mut self, ty: Node<'t>, at: DeclarationSite) -> bool {
        if !matches!(
            self.kind(ty),
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier
        ) {
            return false;
        }
        match (child(ty, self.table.name), child(ty, self.table.body)) {
            (Some(_), None) => self.forward(ty, at),
            (None, Some(body)) => self.children(body, at),
            _ => return false,
        }
        true
    }

    /// What a declaration has besides type and declarators.
    pub(super) fn extra(&mut self, part: Node<'t>, at: DeclarationSite) {
        match self.kind(part) {
            Kind::StorageClass
            | Kind::VirtualSpecifier
            | Kind::PureVirtual
            | Kind::FieldInitializerList
            | Kind::TryStatement
            | Kind::CompoundStatement
            | Kind::Declaration
            | Kind::AttributeDeclaration
            | Kind::AttributeSpecifier
            | Kind::DeclspecModifier => {}
            Kind::TypeQualifier if part.named_child_count() == 0 => {}
            _ => self.children(part, DeclarationSite::block(at.look)),
        }
    }

    /// One declarator with the value it is given.
    fn declare(
        &mut self,
        node: Node<'t>,
        ty: ExprId,
        value: Option<Node<'t>>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) {
        let (node, value) = match self.kind(node) {
            Kind::InitDeclarator => (
                child(node, self.table.declarator).unwrap_or(node),
                child(node, self.table.value),
            ),
            Kind::OperatorCast => return self.conversion(node, node, around, at),
            _ => (node, value),
        };
        if let Some(cast) = self.cast_outside(node) {
            return self.conversion(node, cast, around, at);
        }
        let declared = self.declarator(node, ty, at.look);
        let (around, at) = match self.is_linked(&declared, around, at) {
            true => {
                self.uses_linked(&declared);
                let flags = around.flags | flag::BLOCK_DECLARATION;
                (
                    FunctionContext { flags, ..around },
                    self.linked_at(&declared, at),
                )
            }
            false => (around, at),
        };
        if let Some(function) = declared.function {
            if at.place == EnclosingDeclaration::Block && around.typed && self.constructs(function)
            {
                return self.constructed(declared, function, around, at);
            }
            self.function(declared, around, at);
            if let Some(value) = value {
                self.expr(value, at.look);
            }
            return;
        }
        if self.kind(node) == Kind::StructuredBinding
            || declared
                .name
                .is_some_and(|name| self.kind(name) == Kind::StructuredBinding)
        {
            let value = value.map_or(NONE, |value| self.initializer(value, NONE, at.look));
            return self.bind_structure(declared.name.unwrap_or(node), value, at);
        }
        let is_reference = self.kind(node) == Kind::ReferenceDeclarator;
        let flags = around.flags | if is_reference { flag::MUTABLE } else { 0 };
        let def = self.variable(declared, FunctionContext { flags, ..around }, at);
        if let (Some(value), Some(def)) = (value, def)
            && self.may_be_deduced(declared.ty, value)
        {
            let made = self.made_of(declared.ty, value, at.look);
            self.b.edit(def).value = made;
        } else if let Some(value) = value {
            let expected = match declared.ty {
                NONE => NONE,
                of => self.b.expr(Expr::Value { of }),
            };
            let value = self.initializer(value, expected, at.look);
            if let Some(def) = def {
                self.b.edit(def).value = value;
            }
        }
    }

    /// `auto [a, b] = value`.
    pub(super) fn bind_structure(&mut self, node: Node<'t>, of: ExprId, at: DeclarationSite) {
        let mut index = 0;
        for (_, name) in self.list_of(node) {
            if self.kind(name) != Kind::Identifier {
                continue;
            }
            let value = self.b.expr(Expr::Entry { of, index });
            index += 1;
            self.local(name, NONE, value, node, at);
        }
    }

    /// A variable of a block.
    pub(super) fn local(
        &mut self,
        name: Node<'t>,
        ty: ExprId,
        value: ExprId,
        whole: Node<'t>,
        at: DeclarationSite,
    ) -> DefId {
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let range = whole.byte_range();
        let def = self
            .b
            .define(text, DefKind::Variable, at.scope, place, range);
        let edited = self.b.edit(def);
        (edited.ty, edited.value) = (ty, value);
        edited.spaces = space::VALUE;
        if at.place == EnclosingDeclaration::Block {
            edited.from = place;
        }
        def
    }

    /// A variable or field.
    fn variable(
        &mut self,
        declared: DeclaratorParts<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) -> Option<DefId> {
        let mut name = declared.name?;
        let mut container = NONE;
        if self.kind(name) == Kind::QualifiedIdentifier
            && let Some(qualified) = self.qualified(name, at.look)
        {
            name = qualified.name;
            if let In::Of(of) = qualified.of {
                container = of;
            }
        }
        if !matches!(
            self.kind(name),
            Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier
        ) {
            return None;
        }
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let whole = around.whole.unwrap_or(name);
        let kind = if at.place == EnclosingDeclaration::Class || container != NONE {
            DefKind::Field
        } else {
            DefKind::Variable
        };
        let def = self
            .b
            .define(text, kind, at.scope, place, whole.byte_range());
        self.own(at, def);
        let edited = self.b.edit(def);
        edited.ty = declared.ty;
        edited.flags = around.flags;
        edited.container = container;
        edited.spaces = space::VALUE;
        if at.place == EnclosingDeclaration::Block {
            edited.from = place;
        }
        Some(def)
    }

    /// `operator T()`.
    fn conversion(
        &mut self,
        name: Node<'t>,
        node: Node<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) {
        let ty = child(node, self.table.ty).map_or(NONE, |ty| self.specifier(ty, at));
        let mut declared = DeclaratorParts {
            name: Some(name),
            ty,
            function: None,
        };
        if let Some(declarator) = child(node, self.table.declarator) {
            let mut declarator = declarator;
            while self.kind(declarator) != Kind::AbstractFunction {
                if self.kind(declarator) == Kind::AbstractPointer {
                    declared.ty = self.pointer(declared.ty);
                }
                match declarator
                    .named_child(declarator.named_child_count().saturating_sub(1) as u32)
                {
                    Some(inner) => declarator = inner,
                    None => break,
                }
            }
            declared.function = Some(declarator);
        }
        self.function(declared, around, at);
    }

    /// The `operator T` of `A::operator T`.
    fn cast_outside(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        while self.kind(node) == Kind::QualifiedIdentifier {
            node = child(node, self.table.name)?;
            if self.kind(node) == Kind::OperatorCast {
                return Some(node);
            }
        }
        None
    }

    /// Whether a type is the `A::operator` that the grammar reads in `A::operator bool()`.
    fn is_conversion(&self, ty: Node<'t>, parts: &[(u16, Node<'t>)]) -> bool {
        let is_function = |(field, part): &(u16, Node<'t>)| {
            *field == self.table.declarator && self.kind(*part) == Kind::FunctionDeclarator
        };
        self.kind(ty) == Kind::QualifiedIdentifier
            && self.text(ty).ends_with("::operator")
            && parts.iter().any(is_function)
    }

    /// Whether `T a(b)` in a block makes an object rather than to declare a function: what stands in
    /// the parentheses are names, calls or elements of arrays.
    fn constructs(&self, function: Node<'t>) -> bool {
        let Some(list) = child(function, self.table.parameters) else {
            return false;
        };
        let mut cursor = list.walk();
        let mut parameters = list.named_children(&mut cursor).peekable();
        parameters.peek().is_some()
            && parameters.all(|parameter| {
                if self.kind(parameter) != Kind::ParameterDeclaration {
                    return false;
                }
                let ty = child(parameter, self.table.ty);
                let declarator = child(parameter, self.table.declarator);
                ty.is_some_and(|ty| {
                    matches!(
                        self.kind(ty),
                        Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType
                    )
                }) && declarator.is_none_or(|part| match self.kind(part) {
                    Kind::AbstractFunction => true,
                    Kind::AbstractArray => child(part, self.table.size).is_some(),
                    _ => false,
                }) && parameter.named_child_count() == 1 + usize::from(declarator.is_some())
            })
    }

    fn constructed(
        &mut self,
        declared: DeclaratorParts<'t>,
        function: Node<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) {
        let def = self.variable(declared, around, at);
        let Some(list) = child(function, self.table.parameters) else {
            return;
        };
        let mut values = Vec::new();
        for (_, part) in self.list_of(list) {
            let declarator = child(part, self.table.declarator);
            if let Some(ty) = child(part, self.table.ty) {
                let is_call = declarator
                    .is_some_and(|declarator| self.kind(declarator) == Kind::AbstractFunction);
                let role = if is_call { Role::Call } else { Role::Read };
                let of = self.last(In::Scope(at.look), ty, at.look, role, space::ANY);
                values.push(match declarator {
                    None => of,
                    Some(_) if is_call => self.b.expr(Expr::Call { of, args: NONE }),
                    Some(_) => self.b.expr(Expr::Index { of, by: NONE }),
                });
            }
            if let Some(declarator) = declarator {
                self.indices(declarator, at);
                let inner = self
                    .b
                    .scope(ScopeKind::Block, at.look, NONE, declarator.byte_range());
                if let Some(list) = child(declarator, self.table.parameters) {
                    for (_, part) in self.list_of(list) {
                        if let Some(ty) = child(part, self.table.ty) {
                            let of = In::Scope(inner);
                            self.last(of, ty, inner, Role::Read, space::ANY);
                        }
                    }
                }
            }
        }
        if let Some(def) = def.filter(|_| self.is_written_name(declared.ty)) {
            let args = self.b.list(&values);
            let of = declared.ty;
            self.b.edit(def).value = self.b.expr(Expr::New { of, args });
        }
    }

    /// The indices of `T a(b[c])`.
    fn indices(&mut self, mut array: Node<'t>, at: DeclarationSite) {
        while self.kind(array) == Kind::AbstractArray {
            if let Some(index) = child(array, self.table.size) {
                self.expr(index, at.look);
            }
            match child(array, self.table.declarator) {
                Some(inner) => array = inner,
                None => break,
            }
        }
    }
}

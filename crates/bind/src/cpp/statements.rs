//! Which node is what, and statements with the blocks they open.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{DefKind, Expr, IterationPart, NONE, Role, ScopeId, ScopeKind, space};
use crate::nodes::child;

/// More returned values than this are not looked at.
const RETURNS: usize = 4;

impl<'t> CppWalk<'t> {
    /// A declaration or statement, or whatever else stands in its place.
    pub(super) fn item(&mut self, node: Node<'t>, at: DeclarationSite) {
        self.deeper((), |walk| walk.item_of(node, at));
    }

    fn item_of(&mut self, node: Node<'t>, at: DeclarationSite) {
        match self.kind(node) {
            Kind::Declaration | Kind::FieldDeclaration | Kind::FunctionDefinition => {
                self.declaration(node, at);
            }
            Kind::TypeDefinition => self.typedef(node, at),
            Kind::AliasDeclaration => self.alias_declaration(node, at),
            Kind::UsingDeclaration => self.using(node, at),
            Kind::NamespaceDefinition => self.namespace(node, at),
            Kind::NamespaceAlias => self.namespace_alias(node, at),
            Kind::LinkageSpecification => self.linkage(node, at),
            Kind::TemplateDeclaration => self.template(node, at),
            Kind::TemplateInstantiation => self.instantiation(node, at),
            Kind::FriendDeclaration => self.friend(node, at),
            Kind::ConceptDefinition => self.concept(node, at),
            Kind::AccessSpecifier => self.access(node),
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier => {
                self.lone_class(node, at);
            }
            Kind::EnumSpecifier => match child(node, self.table.body) {
                Some(_) => {
                    self.enumeration(node, at, None);
                }
                None => self.forward(node, at),
            },
            Kind::PreprocInclude => self.include(node),
            Kind::PreprocDef | Kind::PreprocFunctionDef => self.define_macro(node),
            Kind::PreprocCall => self.directive(node),
            Kind::PreprocDefined => self.macro_names(node),
            Kind::PreprocIf
            | Kind::PreprocIfdef
            | Kind::PreprocElif
            | Kind::PreprocElifdef
            | Kind::PreprocElse => self.condition(node, at),
            Kind::CompoundStatement if self.is_of_namespace(node, at) => self.children(node, at),
            Kind::CompoundStatement
            | Kind::SwitchStatement
            | Kind::WhileStatement
            | Kind::ForStatement => {
                let inner = self.block(node, at.look);
                self.children(node, DeclarationSite::block(inner));
            }
            Kind::IfStatement => self.conditional(node, at.look),
            Kind::ForRangeLoop => self.range(node, at.look),
            Kind::TryStatement => self.children(node, at),
            Kind::CatchClause => self.catch(node, at.look),
            Kind::ReturnStatement | Kind::CoReturn => self.returned(node, at.look),
            Kind::LabeledStatement | Kind::GotoStatement => self.labelled(node, at),
            Kind::DeclarationList
            | Kind::FieldDeclarationList
            | Kind::ConditionClause
            | Kind::InitStatement
            | Kind::ExpressionStatement
            | Kind::CaseStatement
            | Kind::DoStatement
            | Kind::ElseClause => {
                let at = match self.kind(node) {
                    Kind::DeclarationList | Kind::FieldDeclarationList => at,
                    _ if at.place == EnclosingDeclaration::Class => DeclarationSite::block(at.look),
                    _ => DeclarationSite {
                        place: EnclosingDeclaration::Block,
                        ..at
                    },
                };
                self.children(node, at);
            }
            Kind::NamespaceIdentifier | Kind::FieldIdentifier => {
                self.use_of(In::Scope(at.look), node, Role::Read, space::ANY);
            }
            Kind::AttributeDeclaration | Kind::AttributeSpecifier | Kind::DeclspecModifier => {}
            Kind::PointerDeclarator
            | Kind::ReferenceDeclarator
            | Kind::FunctionDeclarator
            | Kind::ArrayDeclarator => {
                self.declarator(node, NONE, at.look);
            }
            _ if node.is_error() => self.children(node, at),
            _ => {
                self.expr(node, at.look);
            }
        }
    }

    /// Whether braces outside of functions are those of a namespace that a macro before them opens: `BEGIN_LIB { … }`.
    /// They hold what no function does, or classes and no statement.
    fn is_of_namespace(&mut self, node: Node<'t>, at: DeclarationSite) -> bool {
        if at.place != EnclosingDeclaration::Namespace {
            return false;
        }
        let (mut has_class, mut has_statement) = (false, false);
        for (_, part) in self.list_of(node) {
            match self.kind(part) {
                Kind::FunctionDefinition
                | Kind::TemplateDeclaration
                | Kind::NamespaceDefinition => return true,
                Kind::ClassSpecifier | Kind::StructSpecifier | Kind::EnumSpecifier => {
                    has_class |= child(part, self.table.body).is_some();
                }
                Kind::ExpressionStatement
                | Kind::ReturnStatement
                | Kind::IfStatement
                | Kind::ForStatement
                | Kind::ForRangeLoop
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::SwitchStatement
                | Kind::CompoundStatement
                | Kind::TryStatement => has_statement = true,
                _ => {}
            }
        }
        has_class && !has_statement
    }

    /// A class without declarators behind it.
    fn lone_class(&mut self, node: Node<'t>, at: DeclarationSite) {
        match (child(node, self.table.name), child(node, self.table.body)) {
            (Some(_), None) => self.forward(node, at),
            (None, Some(body)) if at.place == EnclosingDeclaration::Class => {
                self.children(body, at)
            }
            _ => {
                self.class(node, at, None);
            }
        }
    }

    /// `template class A<int>;` names what is there already.
    fn instantiation(&mut self, node: Node<'t>, at: DeclarationSite) {
        let mut ty = NONE;
        for (field, part) in self.list_of(node) {
            if field == self.table.ty {
                ty = self.specifier(part, at);
            } else if field == self.table.declarator {
                let declared = self.declarator(part, ty, at.look);
                if let Some(name) = declared.name {
                    self.last(In::Scope(at.look), name, at.look, Role::Read, space::VALUE);
                }
            }
        }
    }

    pub(super) fn block(&mut self, node: Node<'t>, scope: ScopeId) -> ScopeId {
        self.b
            .scope(ScopeKind::Block, scope, NONE, node.byte_range())
    }

    /// `if … else if …`, in a loop: such chains may be long.
    fn conditional(&mut self, node: Node<'t>, scope: ScopeId) {
        let (mut node, mut scope) = (node, scope);
        loop {
            scope = self.block(node, scope);
            let mut next = None;
            for (_, part) in self.list_of(node) {
                let inner = match self.kind(part) {
                    Kind::ElseClause => part.named_child(0).filter(|part| !part.is_extra()),
                    _ => None,
                };
                match inner {
                    Some(inner) if self.kind(inner) == Kind::IfStatement => next = Some(inner),
                    _ => self.item(part, DeclarationSite::block(scope)),
                }
            }
            match next {
                Some(part) => node = part,
                None => return,
            }
        }
    }

    /// `for (auto a : b)`.
    fn range(&mut self, node: Node<'t>, scope: ScopeId) {
        let scope = self.block(node, scope);
        let at = DeclarationSite::block(scope);
        let mut ty = NONE;
        let mut declarator = None;
        let parts = self.list_of(node);
        let flags = self.qualified_as(&parts);
        for (field, part) in parts {
            if field == self.table.ty {
                ty = self.specifier(part, at);
            } else if field == self.table.declarator {
                declarator = Some(part);
            } else if field == self.table.right {
                let of = self.initializer(part, NONE, scope);
                let element = IterationPart::Element;
                let value = self.b.expr(Expr::Iter { of, part: element });
                let declared = declarator.map(|part| self.declarator(part, ty, scope));
                let Some(declared) = declared else {
                    continue;
                };
                let Some(name) = declared.name else {
                    continue;
                };
                if self.kind(name) == Kind::StructuredBinding {
                    self.bind_structure(name, value, at);
                } else if self.kind(name) == Kind::Identifier {
                    let def = self.local(name, declared.ty, value, node, at);
                    // What is iterated does not see it.
                    let edited = self.b.edit(def);
                    edited.from = part.end_byte() as u32;
                    edited.flags |= flags;
                }
            } else if field == self.table.initializer || field == self.table.body {
                self.item(part, at);
            }
        }
    }

    fn catch(&mut self, node: Node<'t>, scope: ScopeId) {
        let scope = self.block(node, scope);
        self.parameters(node, scope);
        if let Some(body) = child(node, self.table.body) {
            self.children(body, DeclarationSite::block(scope));
        }
    }

    fn returned(&mut self, node: Node<'t>, scope: ScopeId) {
        for (_, part) in self.list_of(node) {
            let value = match (self.kind(part), self.lang.result) {
                (Kind::InitializerList, of) if of != NONE => {
                    let expected = self.b.expr(Expr::Value { of });
                    self.initializer(part, expected, scope)
                }
                _ => self.expr(part, scope),
            };
            if value != NONE && self.lang.returns.len() < RETURNS {
                self.lang.returns.push(value);
            }
        }
    }

    fn labelled(&mut self, node: Node<'t>, at: DeclarationSite) {
        let inside = self.lang.function;
        for (_, part) in self.list_of(node) {
            if self.kind(part) != Kind::StatementIdentifier {
                self.item(part, at);
                continue;
            }
            let name = self.text(part);
            let place = part.start_byte() as u32;
            if self.kind(node) == Kind::LabeledStatement {
                let range = node.byte_range();
                let def = self.b.define(name, DefKind::Label, inside, place, range);
                self.b.edit(def).spaces = space::LABEL;
            } else {
                self.b
                    .name_use(name, inside, place, Role::Read, space::LABEL);
            }
        }
    }
}

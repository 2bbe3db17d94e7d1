//! What is declared in a block and is none of its locals: `extern int counter;`, `int helper(int);`. Such a declaration
//! means what the namespace around has, or another file, and is one more declaration of that.

use tree_sitter::Node;

use super::declarators::DeclaratorParts;
use super::functions::FunctionContext;
use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::children::Child;
use crate::facts::{DefKind, NONE, Role, ScopeKind, flag, space};
use crate::nodes::child;

impl<'t> CppWalk<'t> {
    /// Whether a declarator in a block declares something with linkage.
    pub(super) fn is_linked(
        &mut self,
        declared: &DeclaratorParts<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) -> bool {
        let is_plain = declared
            .name
            .is_some_and(|name| matches!(self.kind(name), Kind::Identifier | Kind::TypeIdentifier));
        if at.place != EnclosingDeclaration::Block || around.body.is_some() || !is_plain {
            return false;
        }
        let is_extern = around.flags & flag::DECLARATION != 0;
        let Some(function) = declared.function else {
            return is_extern;
        };
        // `T a(b);` may as well make an object, which C does not.
        around.typed && (is_extern || self.lang.is_c || self.takes_types(function))
    }

    /// Whether parameters can be nothing but parameters: words of the language are types.
    fn takes_types(&mut self, function: Node<'t>) -> bool {
        let Some(list) = child(function, self.table.parameters) else {
            return false;
        };
        let children = self.open(list);
        let is_type = children.iter().all(|index| {
            let Child { node, .. } = self.child(index);
            let ty = child(node, self.table.ty);
            self.kind(node) == Kind::ParameterDeclaration
                && ty.is_some_and(|ty| {
                    matches!(
                        self.kind(ty),
                        Kind::PrimitiveType
                            | Kind::SizedType
                            | Kind::StructSpecifier
                            | Kind::ClassSpecifier
                            | Kind::EnumSpecifier
                            | Kind::UnionSpecifier
                    )
                })
        });
        self.close(children);
        is_type
    }

    /// Where such a declaration stands: in the namespace around. What a block further out has by its name is hidden
    /// from here on.
    pub(super) fn linked_at(
        &mut self,
        declared: &DeclaratorParts<'t>,
        at: DeclarationSite,
    ) -> DeclarationSite {
        let outside = self.lang.namespace_scope;
        if let Some(name) = declared.name {
            let text = self.text(name);
            if self.is_declared_between(text, at.scope, outside) {
                let value = self
                    .b
                    .name_use(text, outside, NONE, Role::Read, space::VALUE);
                let range = name.byte_range();
                let def = self
                    .b
                    .define(text, DefKind::Alias, at.scope, range.start as u32, range);
                let edited = self.b.edit(def);
                (edited.value, edited.spaces) = (value, space::VALUE);
                edited.from = name.start_byte() as u32;
            }
        }
        DeclarationSite {
            scope: outside,
            look: outside,
            place: EnclosingDeclaration::Namespace,
        }
    }

    /// Such a declaration uses what is declared elsewhere.
    pub(super) fn uses_linked(&mut self, declared: &DeclaratorParts<'t>) {
        if let Some(name) = declared.name {
            let of = In::Scope(self.lang.namespace_scope);
            self.use_of(of, name, Role::Read, space::VALUE);
        }
    }

    fn is_declared_between(&mut self, name: &str, from: u32, outside: u32) -> bool {
        let mut scope = from;
        while scope != outside && scope != NONE {
            let here = self.b.facts.scopes[scope as usize];
            if here.kind != ScopeKind::Class && self.b.declared(scope, name).is_some() {
                return true;
            }
            scope = here.parent;
        }
        false
    }
}

//! The walk through C and C++: what it keeps, and where declarations stand.

use tree_sitter::Node;

use super::kinds::Table;
use crate::dialect::Dialect;
use crate::facts::{Def, DefId, Expr, ExprId, FILE_SCOPE, NONE, ScopeId, flag, space};
use crate::inactive;
use crate::walker::{Language, Walker};

/// The spaces in which a plain name of a type is found.
pub(super) const TYPES: u8 = space::TYPE | space::MACRO;

/// The spaces of a type behind its keyword. No label is in them: that of labels marks that no alias is meant.
pub(super) const TAGS: u8 = space::TYPE | space::LABEL;

/// What a declaration stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnclosingDeclaration {
    Namespace,
    Class,
    Block,
}

/// Where a declaration stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclarationSite {
    /// Where what it declares is a name.
    pub(super) scope: ScopeId,
    /// Where it looks names up: the scope of its template's parameters, if it has any.
    pub(super) look: ScopeId,
    pub(super) place: EnclosingDeclaration,
}

impl DeclarationSite {
    pub(super) fn block(scope: ScopeId) -> Self {
        Self {
            scope,
            look: scope,
            place: EnclosingDeclaration::Block,
        }
    }
}

/// Arms of conditions, while a file is read.
#[derive(Debug, Default)]
pub(super) struct Arms {
    /// Whether one before the arm that comes next is not left out.
    pub(super) is_taken: bool,
    /// Where those stand that are left out: first byte and end, each behind or around those before it.
    pub(super) inactive: Vec<(u32, u32)>,
}

impl Arms {
    /// Marks what is defined in arms that are left out.
    pub(super) fn mark(&mut self, defs: &mut [Def]) {
        inactive::mark(&mut self.inactive, defs);
    }
}

/// What a walk through C or C++ keeps.
pub(super) struct Cpp<'t> {
    pub(super) is_c: bool,
    /// The scope around all structs that are open, where C has what is defined in them.
    pub(super) tag_scope: ScopeId,
    /// The path of the namespace around, joined by `.`.
    pub(super) namespace: String,
    /// The scope of that namespace.
    pub(super) namespace_scope: ScopeId,
    /// Whether what is declared is seen in this file alone.
    pub(super) hidden: bool,
    /// Name of the class around.
    pub(super) class: &'t str,
    /// Visibility of the members that come.
    pub(super) access: u32,
    /// The scope of the function around, where labels are.
    pub(super) function: ScopeId,
    /// What the function around returns.
    pub(super) returns: Vec<ExprId>,
    /// The type that it is declared to give, or [`NONE`].
    pub(super) result: ExprId,
    /// Types without a definition, each once.
    pub(super) primitives: Vec<(&'t str, ExprId)>,
    /// Arms of conditions.
    pub(super) arms: Arms,
}

impl Cpp<'_> {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            is_c: dialect == Dialect::C,
            tag_scope: FILE_SCOPE,
            namespace: String::new(),
            namespace_scope: FILE_SCOPE,
            hidden: false,
            class: "",
            access: 0,
            function: FILE_SCOPE,
            returns: Vec::new(),
            result: NONE,
            primitives: Vec::new(),
            arms: Arms::default(),
        }
    }
}

impl Language for Cpp<'_> {
    type AngelScriptGrammar = Table;
}

/// The walk through a file of C or C++.
pub(super) type CppWalk<'t> = Walker<'t, 't, Cpp<'t>>;

impl<'t> CppWalk<'t> {
    /// Every child as what it turns out to be.
    pub(super) fn children(&mut self, node: Node<'t>, at: DeclarationSite) {
        let children = self.open(node);
        for index in children {
            let child = self.child(index).node;
            self.item(child, at);
        }
        self.close(children);
    }

    /// The children in no field and those in fields, as a list of their own.
    pub(super) fn list_of(&mut self, node: Node<'t>) -> Vec<(u16, Node<'t>)> {
        let children = self.open(node);
        let list = children
            .iter()
            .map(|index| self.child(index))
            .map(|child| (child.field, child.node))
            .collect();
        self.close(children);
        list
    }

    /// The first definition inside a template's scope is what its parameters belong to.
    pub(super) fn own(&mut self, at: DeclarationSite, def: DefId) {
        if at.look != at.scope {
            let header = &mut self.b.facts.scopes[at.look as usize];
            if header.owner == NONE {
                header.owner = def;
            }
        }
    }

    /// What `*` or `->` finds behind a value.
    pub(super) fn deref(&mut self, of: ExprId) -> ExprId {
        match self.b.facts.expr(of) {
            Expr::Pointer { of } => of,
            _ if of == NONE => NONE,
            _ => self.b.expr(Expr::Deref { of }),
        }
    }

    /// A pointer to this.
    pub(super) fn pointer(&mut self, of: ExprId) -> ExprId {
        match self.b.facts.expr(of) {
            Expr::Deref { of } => of,
            // A function is as good as a pointer to it.
            Expr::Function { .. } => of,
            _ if of == NONE => NONE,
            _ => self.b.expr(Expr::Pointer { of }),
        }
    }

    /// Where a struct or enum is defined that stands at a place. C has no nested types.
    pub(super) fn type_place(&mut self, at: DeclarationSite) -> DeclarationSite {
        if at.place != EnclosingDeclaration::Class {
            self.lang.tag_scope = at.scope;
            return at;
        }
        if !self.lang.is_c {
            return at;
        }
        let place = if self.lang.tag_scope == FILE_SCOPE {
            EnclosingDeclaration::Namespace
        } else {
            EnclosingDeclaration::Block
        };
        DeclarationSite {
            scope: self.lang.tag_scope,
            look: self.lang.tag_scope,
            place,
        }
    }

    /// Visibility of what is declared here.
    pub(super) fn visibility(&self, at: DeclarationSite, is_static: bool) -> u32 {
        match at.place {
            EnclosingDeclaration::Class if is_static => self.lang.access | flag::STATIC,
            EnclosingDeclaration::Class => self.lang.access,
            EnclosingDeclaration::Namespace if is_static || self.lang.hidden => flag::INTERNAL,
            _ => 0,
        }
    }
}

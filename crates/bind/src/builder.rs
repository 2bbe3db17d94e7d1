//! Makes a file's [`Bindings`] table by table. What languages have in common is here, so that each
//! language's file says only what its nodes mean.

use rustc_hash::FxHashMap;

use crate::facts::{
    Assignment, Base, Bindings, Def, DefId, DefKind, Expr, ExprId, GlobImport, ListId, Literal,
    NONE, NameId, Narrowing, Relation, Role, Scope, ScopeId, ScopeKind, space,
};

/// Bindings in the making.
#[derive(Debug, Default)]
pub(crate) struct BindingsBuilder {
    pub(crate) facts: Bindings,
    names: FxHashMap<Box<str>, NameId>,
    /// What was declared in each scope, for [`BindingsBuilder::declared`].
    declared: FxHashMap<(ScopeId, NameId), DefId>,
    /// One expression a kind of literal, for [`BindingsBuilder::literal`].
    literals: [Option<ExprId>; Literal::ALL.len()],
}

impl BindingsBuilder {
    /// A file of this many bytes.
    pub(crate) fn new(bytes: u32) -> Self {
        let mut builder = Self::default();
        builder.facts.scopes.push(Scope {
            kind: ScopeKind::File,
            parent: NONE,
            owner: NONE,
            start: 0,
            end: bytes,
        });
        builder
    }

    /// The name of this text.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        if let Some(&name) = self.names.get(text) {
            return name;
        }
        let name = self.facts.names.len() as NameId;
        self.facts.names.push(text.into());
        self.names.insert(text.into(), name);
        name
    }

    /// A new scope inside another.
    pub(crate) fn scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        owner: DefId,
        range: std::ops::Range<usize>,
    ) -> ScopeId {
        self.facts.scopes.push(Scope {
            kind,
            parent,
            owner,
            start: range.start as u32,
            end: range.end as u32,
        });
        self.facts.scopes.len() as ScopeId - 1
    }

    /// A definition with this name, kind, scope and place; everything else is set afterwards with
    /// [`BindingsBuilder::edit`]. Without a place of its name (`at` [`NONE`]) no lookup finds it.
    pub(crate) fn define(
        &mut self,
        name: &str,
        kind: DefKind,
        scope: ScopeId,
        at: u32,
        range: std::ops::Range<usize>,
    ) -> DefId {
        let name = self.name(name);
        let def = self.facts.defs.len() as DefId;
        self.facts.defs.push(Def {
            name,
            kind,
            spaces: space::ANY,
            flags: 0,
            scope,
            at,
            start: range.start as u32,
            end: range.end as u32,
            from: 0,
            ty: NONE,
            value: NONE,
            inner: NONE,
            container: NONE,
        });
        if at != NONE {
            self.declared.entry((scope, name)).or_insert(def);
        }
        def
    }

    /// A definition to complete.
    pub(crate) fn edit(&mut self, def: DefId) -> &mut Def {
        &mut self.facts.defs[def as usize]
    }

    /// The first definition of this name in this very scope.
    pub(crate) fn declared(&mut self, scope: ScopeId, name: &str) -> Option<DefId> {
        let name = self.name(name);
        self.declared.get(&(scope, name)).copied()
    }

    /// An expression.
    pub(crate) fn expr(&mut self, expr: Expr) -> ExprId {
        self.facts.exprs.push(expr);
        self.facts.exprs.len() as ExprId - 1
    }

    /// A literal that nothing else is known of: one expression for all of its kind.
    pub(crate) fn literal(&mut self, of: Literal) -> ExprId {
        if let Some(known) = self.literals[of as usize] {
            return known;
        }
        let expr = self.expr(Expr::Literal { of });
        self.literals[of as usize] = Some(expr);
        expr
    }

    /// A place for an expression that others refer to before it is known; see [`BindingsBuilder::fill`].
    pub(crate) fn reserve(&mut self) -> ExprId {
        self.expr(Expr::Opaque)
    }

    /// Says what a reserved expression is.
    pub(crate) fn fill(&mut self, at: ExprId, expr: Expr) {
        self.facts.exprs[at as usize] = expr;
    }

    /// A list.
    pub(crate) fn list(&mut self, entries: &[u32]) -> ListId {
        if entries.is_empty() {
            return NONE;
        }
        let list = self.facts.lists.len() as ListId;
        self.facts.lists.push(entries.len() as u32);
        self.facts.lists.extend_from_slice(entries);
        list
    }

    /// A use of a name in a scope.
    pub(crate) fn name_use(
        &mut self,
        text: &str,
        scope: ScopeId,
        at: u32,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        let name = self.name(text);
        self.expr(Expr::Name {
            name,
            scope,
            at,
            role,
            spaces,
        })
    }

    /// A use of a name in what an expression is.
    pub(crate) fn member_use(
        &mut self,
        of: ExprId,
        text: &str,
        at: u32,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        let name = self.name(text);
        self.expr(Expr::Member {
            of,
            name,
            at,
            role,
            spaces,
        })
    }

    /// One of several; itself where there is one, [`NONE`] where there is none.
    pub(crate) fn union(&mut self, of: &[ExprId]) -> ExprId {
        match of {
            [] => NONE,
            [one] => *one,
            several => {
                let of = self.list(several);
                self.expr(Expr::Union { of })
            }
        }
    }

    /// Changes the role of a use that is already made: what a call's or assignment's operand turns out to be.
    pub(crate) fn set_role(&mut self, expr: ExprId, new: Role) {
        if let Some(Expr::Name { role, .. } | Expr::Member { role, .. }) =
            self.facts.exprs.get_mut(expr as usize)
        {
            *role = new;
        }
    }

    /// A base of a type.
    pub(crate) fn base(&mut self, def: DefId, relation: Relation, of: ExprId) {
        self.facts.bases.push(Base { def, relation, of });
    }

    /// Names brought in wholesale.
    pub(crate) fn glob_import(&mut self, scope: ScopeId, of: ExprId, flags: u32) {
        self.facts
            .glob_imports
            .push(GlobImport { scope, of, flags });
    }

    /// What is known of an expression in a stretch.
    pub(crate) fn narrow(
        &mut self,
        of: ExprId,
        range: std::ops::Range<usize>,
        ty: ExprId,
        not: bool,
    ) {
        self.facts.narrowings.push(Narrowing {
            of,
            start: range.start as u32,
            end: range.end as u32,
            ty,
            not,
        });
    }

    /// An assignment.
    pub(crate) fn assign(&mut self, to: ExprId, value: ExprId) {
        self.facts.assignments.push(Assignment { to, value });
    }
}

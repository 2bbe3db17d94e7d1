//! One file's bindings as lookups need them.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use codecortex_bind::facts::{
    Assignment, Base, ConditionalRegion, Def, DefId, DefKind, Expr, ExprId, GlobImport, ListId,
    NONE, NameId, Narrowing, Role, Scope, ScopeId, ScopeKind,
};
use codecortex_bind::{Bindings, Dialect};

use crate::exprs::Exprs;
use crate::ids::Name;

/// A file's bindings, its names as the workspace's numbers.
#[derive(Debug)]
pub struct BoundFile {
    path: Box<str>,
    dialect: Dialect,
    /// Shared with the workspace.
    names: Arc<[Name]>,
    /// The same, to search in.
    by_sym: Box<[(Name, NameId)]>,
    scopes: Box<[Scope]>,
    defs: Box<[Def]>,
    exprs: Exprs,
    lists: Box<[u32]>,
    glob_imports: Box<[GlobImport]>,
    bases: Box<[Base]>,
    narrowings: Box<[Narrowing]>,
    /// Places of narrowings, by the last name of what they are about.
    narrowed: Box<[(NameId, u32)]>,
    assignments: Box<[Assignment]>,
    exported: Box<[NameId]>,
    conditional_regions: Box<[ConditionalRegion]>,
    /// Definitions by scope and name, in source order among equals; and where those of each scope begin, with one more
    /// number for the end.
    by_scope: Box<[(NameId, DefId)]>,
    scope_starts: Box<[u32]>,
    /// Parameters by the scope of their function.
    params: Box<[(ScopeId, DefId)]>,
    /// Definitions by place, and object literals with a contextual type; once somebody asks.
    by_place: OnceLock<Box<[(u32, DefId)]>>,
    objects: OnceLock<Box<[(ScopeId, ExprId)]>>,
    around: OnceLock<ExprContext>,
    given: OnceLock<Given>,
}

/// What stands around expressions; of several the last counts.
#[derive(Debug)]
struct ExprContext {
    /// Calls by what is called.
    calls: Box<[(ExprId, ExprId)]>,
    /// Type arguments by what they are given to.
    arguments: Box<[(ExprId, ListId)]>,
    /// Names of members by what they are looked up in.
    members: Box<[(ExprId, NameId)]>,
    /// Declared types of variables by what is assigned where they are declared.
    declared: Box<[(ExprId, ExprId)]>,
}

/// What calls are given, which few questions ask for.
#[derive(Debug)]
struct Given {
    /// Calls by the calls, and references to methods, that are arguments of them.
    outer: Box<[(ExprId, ExprId)]>,
    /// Calls that are given a declared function, by that: decorators.
    decorated: Box<[(DefId, ExprId)]>,
}

impl Given {
    fn from_file(file: &BoundFile) -> Self {
        let (mut outer, mut decorated) = (Vec::new(), Vec::new());
        for (index, expr) in file.exprs.iter().enumerate() {
            let (Expr::Call { args, .. } | Expr::New { args, .. }) = expr else {
                continue;
            };
            let args = file.list(args);
            for arg in args {
                match file.expr(*arg) {
                    Expr::Call { .. }
                    | Expr::New { .. }
                    | Expr::Member {
                        role: Role::Call, ..
                    } => outer.push((*arg, index as ExprId)),
                    Expr::Function { def }
                        if args.len() == 1 && file.def(def).kind != DefKind::Lambda =>
                    {
                        decorated.push((def, index as ExprId));
                    }
                    _ => {}
                }
            }
        }
        Self {
            outer: by_expr(outer),
            decorated: by_expr(decorated),
        }
    }
}

impl ExprContext {
    fn from_file(file: &BoundFile) -> Self {
        let (mut calls, mut arguments, mut members) = (Vec::new(), Vec::new(), Vec::new());
        for (index, expr) in file.exprs.iter().enumerate() {
            match expr {
                Expr::Call { of, .. } | Expr::New { of, .. } => {
                    calls.push((of, index as ExprId));
                    if let Expr::Apply { of, .. } = file.expr(of) {
                        calls.push((of, index as ExprId));
                    }
                }
                Expr::Apply { of, args } => arguments.push((of, args)),
                Expr::Member { of, name, .. } => members.push((of, name)),
                _ => {}
            }
        }
        let is_variable = |kind| matches!(kind, DefKind::Variable | DefKind::Field);
        let declared = file
            .defs
            .iter()
            .filter(|def| is_variable(def.kind) && def.ty != NONE && def.value != NONE);
        Self {
            calls: by_expr(calls),
            arguments: by_expr(arguments),
            members: by_expr(members),
            declared: by_expr(declared.map(|def| (def.value, def.ty)).collect()),
        }
    }
}

/// Exports to search in by expression.
fn by_expr(mut entries: Vec<(ExprId, u32)>) -> Box<[(ExprId, u32)]> {
    entries.sort_by_key(|entry| entry.0);
    entries.into()
}

/// The last of the entries of an expression.
fn last_of(entries: &[(ExprId, u32)], expr: ExprId) -> Option<u32> {
    let end = entries.partition_point(|entry| entry.0 <= expr);
    let (of, last) = *entries.get(end.checked_sub(1)?)?;
    (of == expr).then_some(last)
}

/// Definitions by scope and name, and where those of each scope begin. Most scopes have few: they are counted into
/// their places and sorted there.
fn by_scope(bindings: &Bindings) -> (Vec<(NameId, DefId)>, Vec<u32>) {
    let named = || (0..).zip(&bindings.defs).filter(|(_, def)| def.at != NONE);
    let mut starts = vec![0_u32; bindings.scopes.len() + 1];
    for (_, def) in named() {
        starts[def.scope as usize + 1] += 1;
    }
    let mut before = 0;
    for start in &mut starts {
        before += *start;
        *start = before;
    }
    let mut next = starts.clone();
    let mut entries = vec![(0, 0); before as usize];
    for (id, def) in named() {
        let place = &mut next[def.scope as usize];
        entries[*place as usize] = (def.name, id);
        *place += 1;
    }
    for scope in starts.windows(2) {
        entries[scope[0] as usize..scope[1] as usize].sort_unstable();
    }
    (entries, starts)
}

impl BoundFile {
    /// Of bindings whose expressions are apart.
    pub(crate) fn new(
        (path, dialect, names): (&str, Dialect, &Arc<[Name]>),
        bindings: Bindings,
        exprs: Exprs,
    ) -> Self {
        let (by_scope, scope_starts) = by_scope(&bindings);
        let mut by_sym: Vec<_> = (0..)
            .map(|name| name as NameId)
            .zip(&**names)
            .map(|(name, sym)| (*sym, name))
            .collect();
        by_sym.sort_unstable();
        let params = bindings.defs.iter().enumerate();
        let mut params: Vec<_> = params
            .filter(|(_, def)| def.kind == DefKind::Parameter)
            .map(|(index, def)| (def.scope, index as DefId))
            .collect();
        params.sort_unstable();
        let narrowed = bindings.narrowings.iter().enumerate();
        let mut narrowed: Vec<_> = narrowed
            .filter_map(|(index, narrowing)| match exprs.get(narrowing.of)? {
                Expr::Name { name, .. } | Expr::Member { name, .. } => Some((name, index as u32)),
                _ => None,
            })
            .collect();
        narrowed.sort_unstable();
        Self {
            path: path.into(),
            dialect,
            names: names.clone(),
            by_sym: by_sym.into(),
            params: params.into(),
            scopes: bindings.scopes.into(),
            defs: bindings.defs.into(),
            exprs,
            lists: bindings.lists.into(),
            glob_imports: bindings.glob_imports.into(),
            bases: bindings.bases.into(),
            narrowings: bindings.narrowings.into(),
            narrowed: narrowed.into(),
            assignments: bindings.assignments.into(),
            exported: bindings.exported.into(),
            conditional_regions: bindings.conditional_regions.into(),
            by_scope: by_scope.into(),
            scope_starts: scope_starts.into(),
            by_place: OnceLock::new(),
            objects: OnceLock::new(),
            around: OnceLock::new(),
            given: OnceLock::new(),
        }
    }

    /// Bytes of memory it holds, roughly; without what is made when somebody asks, so that it is the same when it
    /// goes as when it came.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of_val(&*self.by_sym)
            + size_of_val(&*self.scopes)
            + size_of_val(&*self.defs)
            + self.exprs.memory()
            + size_of_val(&*self.lists)
            + size_of_val(&*self.bases)
            + size_of_val(&*self.narrowings)
            + size_of_val(&*self.narrowed)
            + size_of_val(&*self.assignments)
            + size_of_val(&*self.conditional_regions)
            + size_of_val(&*self.by_scope)
            + size_of_val(&*self.scope_starts)
            + size_of_val(&*self.params)
            + size_of::<Self>()
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its language.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Every name in it.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The workspace's number of one of its names.
    #[must_use]
    pub fn name(&self, name: NameId) -> Name {
        self.names.get(name as usize).copied().unwrap_or(Name(NONE))
    }

    /// Its own number of a name, if the name occurs in it.
    #[must_use]
    pub fn local(&self, sym: Name) -> Option<NameId> {
        let place = self
            .by_sym
            .binary_search_by_key(&sym, |entry| entry.0)
            .ok()?;
        Some(self.by_sym[place].1)
    }

    /// Every scope.
    #[must_use]
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// A scope.
    #[must_use]
    pub fn scope(&self, scope: ScopeId) -> &Scope {
        self.scopes.get(scope as usize).unwrap_or(&self.scopes[0])
    }

    /// Every definition.
    #[must_use]
    pub fn defs(&self) -> &[Def] {
        &self.defs
    }

    /// A definition.
    #[must_use]
    pub fn def(&self, def: DefId) -> &Def {
        &self.defs[def as usize]
    }

    /// Definitions that a lookup can find.
    pub fn named_defs(&self) -> impl Iterator<Item = DefId> {
        self.by_scope.iter().map(|(_, def)| *def)
    }

    /// Definitions whose names are written at a byte.
    pub fn defs_at(&self, at: u32) -> impl Iterator<Item = DefId> {
        self.defs_within(at..at.saturating_add(1))
    }

    /// Definitions whose names are written between two bytes, in their order.
    pub(crate) fn defs_within(&self, bytes: Range<u32>) -> impl Iterator<Item = DefId> {
        let by_place = self.by_place.get_or_init(|| {
            let defs = (0..).zip(&self.defs).filter(|(_, def)| def.at != NONE);
            let mut by_place: Vec<(u32, DefId)> = defs.map(|(id, def)| (def.at, id)).collect();
            by_place.sort_unstable();
            by_place.into()
        });
        let start = by_place.partition_point(|entry| entry.0 < bytes.start);
        by_place[start..]
            .iter()
            .take_while(move |entry| entry.0 < bytes.end)
            .map(|entry| entry.1)
    }

    /// Where the contextual type of the object literal is written with this scope.
    pub(crate) fn contextual_type_of_object(&self, scope: ScopeId) -> Option<ExprId> {
        let objects = self.objects.get_or_init(|| {
            let mut objects: Vec<(ScopeId, ExprId)> = Vec::new();
            for expr in self.exprs.iter() {
                if let Expr::Object { scope, of } = expr
                    && of != NONE
                {
                    objects.push((scope, of));
                }
            }
            // The first of a scope counts.
            objects.sort_by_key(|entry| entry.0);
            objects.into()
        });
        let place = objects.partition_point(|entry| entry.0 < scope);
        let found = objects.get(place).filter(|entry| entry.0 == scope)?;
        Some(found.1)
    }

    fn around(&self) -> &ExprContext {
        self.around.get_or_init(|| ExprContext::from_file(self))
    }

    fn given(&self) -> &Given {
        self.given.get_or_init(|| Given::from_file(self))
    }

    /// The call or `new` that an expression is the callee of.
    pub(crate) fn call_of(&self, callee: ExprId) -> Option<ExprId> {
        last_of(&self.around().calls, callee)
    }

    /// The type arguments that an expression is given.
    pub(crate) fn arguments_of(&self, expr: ExprId) -> Option<ListId> {
        last_of(&self.around().arguments, expr)
    }

    /// The name of the member that is looked up in what an expression means: `b` of the `a` in `a.b`.
    pub(crate) fn member_of(&self, expr: ExprId) -> Option<NameId> {
        last_of(&self.around().members, expr)
    }

    /// The type that a variable or field is declared to have which an expression is the first value of.
    pub(crate) fn declared_for(&self, value: ExprId) -> Option<ExprId> {
        last_of(&self.around().declared, value)
    }

    /// The call or `new` that a call or a reference to a method is an argument of, and its place among the arguments.
    pub(crate) fn outer_of(&self, call: ExprId) -> Option<(ExprId, u32)> {
        let outer = last_of(&self.given().outer, call)?;
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = self.expr(outer) else {
            return None;
        };
        let place = self.list(args).iter().position(|arg| *arg == call)?;
        Some((outer, place as u32))
    }

    /// What the decorators of a function make of it.
    pub(crate) fn decorated(&self, function: DefId) -> Option<ExprId> {
        let mut call = last_of(&self.given().decorated, function)?;
        while let Some((outer, _)) = self.outer_of(call) {
            call = outer;
        }
        Some(call)
    }

    /// Every expression.
    pub fn exprs(&self) -> impl Iterator<Item = Expr> {
        self.exprs.iter()
    }

    /// An expression.
    #[must_use]
    pub fn expr(&self, expr: ExprId) -> Expr {
        self.exprs.get(expr).unwrap_or(Expr::Opaque)
    }

    /// A list's entries.
    #[must_use]
    pub fn list(&self, list: ListId) -> &[u32] {
        let at = list as usize;
        let Some(&len) = self.lists.get(at) else {
            return &[];
        };
        self.lists.get(at + 1..at + 1 + len as usize).unwrap_or(&[])
    }

    /// Names brought in wholesale.
    #[must_use]
    pub fn glob_imports(&self) -> &[GlobImport] {
        &self.glob_imports
    }

    /// Bases of types.
    #[must_use]
    pub fn bases(&self) -> &[Base] {
        &self.bases
    }

    /// What is known of types in stretches, of a name or of members of a name.
    pub fn narrowings_of(&self, name: NameId) -> impl Iterator<Item = &Narrowing> {
        let start = self.narrowed.partition_point(|entry| entry.0 < name);
        self.narrowed[start..]
            .iter()
            .take_while(move |entry| entry.0 == name)
            .filter_map(|entry| self.narrowings.get(entry.1 as usize))
    }

    /// Assignments.
    #[must_use]
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    /// Stretches that are compiled under a condition, in the order of their first bytes.
    #[must_use]
    pub fn conditional_regions(&self) -> &[ConditionalRegion] {
        &self.conditional_regions
    }

    /// Names that a list says leave the module.
    #[must_use]
    pub fn exported(&self) -> &[NameId] {
        &self.exported
    }

    /// Definitions of a name in a scope, in source order.
    pub fn defs_in(&self, scope: ScopeId, name: NameId) -> impl Iterator<Item = DefId> {
        let entries = self.entries_in(scope);
        let start = entries.partition_point(|entry| entry.0 < name);
        let of_name = entries[start..]
            .iter()
            .take_while(move |entry| entry.0 == name);
        of_name.map(|entry| entry.1)
    }

    /// Every definition in a scope, by name.
    pub fn all_in(&self, scope: ScopeId) -> impl Iterator<Item = DefId> {
        self.entries_in(scope).iter().map(|entry| entry.1)
    }

    /// What a lookup finds in a scope; in most nothing.
    fn entries_in(&self, scope: ScopeId) -> &[(NameId, DefId)] {
        let scope = scope as usize;
        let (Some(start), Some(end)) = (
            self.scope_starts.get(scope),
            self.scope_starts.get(scope + 1),
        ) else {
            return &[];
        };
        &self.by_scope[*start as usize..*end as usize]
    }

    /// The last name of a written type: `C` of `a.b.C<D>`.
    #[must_use]
    pub fn head_name(&self, expr: ExprId) -> Option<Name> {
        let mut at = expr;
        for _ in 0..16 {
            match self.expr(at) {
                Expr::Name { name, .. } | Expr::Member { name, .. } => {
                    return Some(self.name(name));
                }
                Expr::Apply { of, .. }
                | Expr::Pointer { of }
                | Expr::Index { of, .. }
                | Expr::Call { of, .. }
                | Expr::Value { of } => at = of,
                _ => return None,
            }
        }
        None
    }

    /// Whether a path begins at a name.
    pub(crate) fn begins_with(&self, path: ExprId, first: ExprId) -> bool {
        const LONGEST: usize = 32;
        let before = |at: &ExprId| match self.expr(*at) {
            Expr::Member { of, .. } => Some(of),
            _ => None,
        };
        let parts = std::iter::successors(Some(path), before);
        parts.take(LONGEST).any(|part| part == first)
    }

    /// Every use of a name that is written in the text.
    pub fn uses(&self) -> impl Iterator<Item = (ExprId, NameId, u32, Role)> {
        self.exprs.uses()
    }

    /// Those of one name.
    pub(crate) fn uses_of(&self, name: NameId) -> impl Iterator<Item = (ExprId, u32, Role)> {
        self.exprs.uses_of(name)
    }

    /// Definitions of a name that a lookup can find.
    pub fn defs_of(&self, name: NameId) -> impl Iterator<Item = DefId> {
        let of_name = self.by_scope.iter().filter(move |entry| entry.0 == name);
        of_name.map(|entry| entry.1)
    }

    /// Parameters of a function, in order; those without a name too.
    pub fn params(&self, def: DefId) -> impl Iterator<Item = DefId> {
        let inner = self.def(def).inner;
        let start = self.params.partition_point(|entry| entry.0 < inner);
        self.params[start..]
            .iter()
            .take_while(move |entry| entry.0 == inner)
            .map(|entry| entry.1)
    }

    /// Type parameters of a type or function, in order.
    #[must_use]
    pub fn type_params(&self, def: DefId) -> Vec<DefId> {
        let inner = self.def(def).inner;
        if inner == NONE && self.def(def).kind != DefKind::TypeAlias {
            return Vec::new();
        }
        let header = match self.scopes.get(inner as usize) {
            Some(scope) if scope.kind == ScopeKind::Header => inner,
            Some(scope) => scope.parent,
            None => return Vec::new(),
        };
        let is_header = self
            .scopes
            .get(header as usize)
            .is_some_and(|scope| scope.kind == ScopeKind::Header && scope.owner == def);
        if !is_header {
            return Vec::new();
        }
        let mut params: Vec<DefId> = self
            .all_in(header)
            .filter(|id| self.def(*id).kind == DefKind::TypeParam)
            .collect();
        params.sort_unstable();
        params
    }
}

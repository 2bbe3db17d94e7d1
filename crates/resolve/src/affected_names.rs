//! Which names of types may mean something else, by what changed of files' exports: directly, by a re-export under
//! another name, or by bases.

use std::hash::{Hash, Hasher};

use codecortex_bind::facts::{
    Bindings, Def, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag, space,
};
use codecortex_bind::{Dialect, decode};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::exports::{ExportChanges, ExportDigests};
use crate::ids::{FileNo, Name};
use crate::paths::split_path;
use crate::workspace::Workspace;

/// Deeper than this no path is written.
const DEEPEST: u32 = 16;

/// Which names of types may mean something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AffectedNames {
    /// All of them.
    All,
    /// Those that occur in these files: the files in order.
    In(Vec<FileNo>),
}

impl Workspace {
    /// Which names of types may mean something else than when this was asked last; all at first.
    pub fn take_affected_names(&mut self) -> AffectedNames {
        let changes = std::mem::replace(
            &mut self.changes,
            ExportChanges {
                all: false,
                ..ExportChanges::default()
            },
        );
        if changes.all {
            return AffectedNames::All;
        }
        let mut files: Vec<FileNo> = Vec::new();
        for name in self.with_dependents(changes) {
            files.extend(self.files_with(name));
        }
        files.sort_unstable();
        files.dedup();
        AffectedNames::In(files)
    }

    /// The names that changed, with those that lead to what they mean by another name or inherit it.
    fn with_dependents(&self, changes: ExportChanges) -> FxHashSet<Name> {
        let mut names = changes.names;
        names.extend(&changes.rebased);
        let mut open: Vec<Name> = changes.rebased.into_iter().collect();
        while let Some(base) = open.pop() {
            for (file, place) in self.derived_from(base) {
                let derived = self.file(*file).and_then(|bound| {
                    let of = bound.bases().get(*place as usize)?.def;
                    Some(bound.name(bound.defs().get(of as usize)?.name))
                });
                open.extend(derived.filter(|name| names.insert(*name)));
            }
        }
        let mut open: Vec<Name> = names.iter().copied().collect();
        while let Some(name) = open.pop() {
            for alias in self.renamings(name) {
                let other = self.file(alias.file).and_then(|bound| {
                    let def = bound.defs().get(alias.def as usize)?;
                    Some(bound.name(def.name))
                });
                open.extend(other.filter(|name| names.insert(*name)));
            }
        }
        names
    }

    /// Names besides those it declares that lead to a file at this path: what imports write of its path, and
    /// what they get that have a name of their own for it.
    pub(crate) fn names_of_path(&self, path: &str) -> Vec<Name> {
        let (folder, name) = split_path(path);
        let stem = name.split('.').next().unwrap_or(name);
        let folder = split_path(folder).1;
        let names = [stem, folder, "default"].into_iter();
        names.filter_map(|name| self.name(name)).collect()
    }

    /// What a file offers, of its encoded bindings and the numbers of its names.
    pub(crate) fn exports(&self, dialect: Dialect, bytes: &[u8], names: &[Name]) -> ExportDigests {
        let Some(bindings) = decode(bytes) else {
            return ExportDigests::default();
        };
        let mut type_params: FxHashMap<ScopeId, u32> = FxHashMap::default();
        for def in &bindings.defs {
            if def.kind == DefKind::TypeParam {
                *type_params.entry(def.scope).or_default() += 1;
            }
        }
        let reader = NameNumbering {
            workspace: self,
            bindings: &bindings,
            names,
            type_params,
        };
        reader.exports(dialect)
    }
}

/// A file's bindings with the numbers of its names.
struct NameNumbering<'a> {
    workspace: &'a Workspace,
    bindings: &'a Bindings,
    names: &'a [Name],
    /// How many type parameters each scope has.
    type_params: FxHashMap<ScopeId, u32>,
}

impl NameNumbering<'_> {
    fn name(&self, name: u32) -> Name {
        self.names.get(name as usize).copied().unwrap_or(Name(NONE))
    }

    fn exports(&self, dialect: Dialect) -> ExportDigests {
        let mut exports = ExportDigests::default();
        for def in self.bindings.defs.iter().filter(|def| def.at != NONE) {
            if self.is_offered(def) {
                let digest = self.digest(def);
                let names = self.names_of(def);
                let entries = names.into_iter().map(|name| (name, digest));
                exports.entries.extend(entries);
            }
        }
        let exported = self.bindings.exported.iter();
        exports
            .entries
            .extend(exported.map(|name| (self.name(*name), 0)));
        for base in &self.bindings.bases {
            let owner = self.bindings.defs.get(base.def as usize);
            let owner = owner.map_or(Name(NONE), |def| self.name(def.name));
            exports.bases.push((owner, self.hashed(base.of)));
        }
        for glob in &self.bindings.glob_imports {
            // What a module takes in for itself its inner modules see too (Rust).
            if glob.flags & flag::EXPORTED != 0 || dialect == Dialect::Rust {
                exports.reexports.push(self.hashed(glob.of));
            }
        }
        exports.entries.sort_unstable();
        exports.bases.sort_unstable();
        exports.reexports.sort_unstable();
        exports
    }

    /// What others write to find it: of a namespace any name of its path.
    fn names_of(&self, def: &Def) -> Vec<Name> {
        let name = self.name(def.name);
        if def.kind != DefKind::Namespace {
            return vec![name];
        }
        let path = self.workspace.text(name).split('.');
        path.filter_map(|name| self.workspace.name(name)).collect()
    }

    /// Whether others can find it where they look for a type.
    fn is_offered(&self, def: &Def) -> bool {
        let scope = self.bindings.scopes.get(def.scope as usize);
        let names_types = def.kind.is_type()
            || matches!(
                def.kind,
                DefKind::TypeAlias | DefKind::Alias | DefKind::Namespace | DefKind::Module
            );
        match scope.map(|scope| scope.kind) {
            Some(ScopeKind::File | ScopeKind::Namespace | ScopeKind::Module) => {
                names_types || def.spaces & (space::TYPE | space::NAMESPACE) != 0
            }
            Some(ScopeKind::Class | ScopeKind::Header) => names_types,
            _ => false,
        }
    }

    fn digest(&self, def: &Def) -> u64 {
        let mut hasher = FxHasher::default();
        (def.kind, def.spaces, def.flags).hash(&mut hasher);
        let scope = self.bindings.scopes.get(def.scope as usize);
        let owner = scope.and_then(|scope| self.bindings.defs.get(scope.owner as usize));
        owner.map(|owner| self.name(owner.name)).hash(&mut hasher);
        if def.kind == DefKind::Alias {
            self.hash_path(def.value, 0, &mut hasher);
        }
        if def.kind == DefKind::TypeAlias {
            self.hash_path(def.ty, 0, &mut hasher);
        }
        if def.kind.is_type() {
            // Some languages tell types of one name apart by their parameters.
            self.type_params(def).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// How many type parameters a type has.
    fn type_params(&self, of: &Def) -> u32 {
        let inner = self.bindings.scopes.get(of.inner as usize);
        let around = inner.map_or(NONE, |scope| scope.parent);
        let count = |scope: ScopeId| self.type_params.get(&scope).copied().unwrap_or(0);
        count(of.inner) + count(around)
    }

    fn hashed(&self, expr: ExprId) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash_path(expr, 0, &mut hasher);
        hasher.finish()
    }

    /// Names of a path in their order; what is no path is its kind alone.
    fn hash_path(&self, expr: ExprId, depth: u32, hasher: &mut FxHasher) {
        if expr == NONE || depth > DEEPEST {
            return;
        }
        match self.bindings.expr(expr) {
            Expr::Name { name, .. } => (0u8, self.name(name)).hash(hasher),
            Expr::Member { of, name, .. } => {
                (1u8, self.name(name)).hash(hasher);
                self.hash_path(of, depth + 1, hasher);
            }
            Expr::Module { name, level, .. } => (2u8, self.name(name), level).hash(hasher),
            Expr::Apply { of, .. } | Expr::Index { of, .. } | Expr::Call { of, .. } => {
                3u8.hash(hasher);
                self.hash_path(of, depth + 1, hasher);
            }
            Expr::Pointer { of } | Expr::Value { of } | Expr::Deref { of } => {
                self.hash_path(of, depth + 1, hasher);
            }
            other => std::mem::discriminant(&other).hash(hasher),
        }
    }
}

//! Which names of types may mean something else since somebody last asked (SPEC I2).
//!
//! What a file offers to others is compared with what it offered before: types, aliases, namespaces and what
//! else can stand where a type is written. A name that is among the differences, or leads to one by another
//! name or by bases, may mean something else wherever it occurs. Where a file hands on names that it does
//! not say itself, every name may.

use std::hash::{Hash, Hasher};

use codecortex_bind::facts::{
    Bindings, Def, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag, space,
};
use codecortex_bind::{Dialect, decode};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::workspace::{FileNo, Sym, Workspace, split_path};

/// More files than these are not compared one by one: what a branch switch changes is everything.
const MOST_FILES: u32 = 200;
/// Deeper than this no path is written.
const DEEPEST: u32 = 16;

/// Names that may mean other types than before, as the workspace collects them.
#[derive(Debug)]
pub(crate) struct Changes {
    /// All names.
    all: bool,
    names: FxHashSet<Sym>,
    /// Types of which a base is another: so may be what their derived types inherit.
    rebased: FxHashSet<Sym>,
    files: u32,
}

impl Default for Changes {
    /// Nobody has asked yet.
    fn default() -> Self {
        Self {
            all: true,
            names: FxHashSet::default(),
            rebased: FxHashSet::default(),
            files: 0,
        }
    }
}

/// Which names of types may mean something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedNames {
    /// All of them.
    All,
    /// Those that occur in these files: the files in order.
    In(Vec<FileNo>),
}

/// What a file offers to others under a name: the name, and a digest of what it is.
type Entry = (Sym, u64);

/// What a file offers to others.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    entries: Vec<Entry>,
    /// Bases by the type that has them.
    bases: Vec<Entry>,
    /// What it hands on wholesale.
    handed_on: Vec<u64>,
}

impl Changes {
    /// Notes that everything may be other.
    pub(crate) fn note_all(&mut self) {
        *self = Self::default();
    }

    /// Whether a file's changes are still told apart.
    pub(crate) fn tells_apart(&self) -> bool {
        !self.all
    }

    /// Notes what a file offers in the place of what it offered. `names` are others that lead to it, where
    /// it is new or gone.
    pub(crate) fn note(&mut self, before: &Surface, now: &Surface, names: &[Sym]) {
        self.files += 1;
        if self.files > MOST_FILES || before.handed_on != now.handed_on {
            return self.note_all();
        }
        self.names.extend(names);
        self.names.extend(differing(&before.entries, &now.entries));
        self.rebased.extend(differing(&before.bases, &now.bases));
    }
}

/// The names of entries that only one of two sorted lists has.
fn differing(a: &[Entry], b: &[Entry]) -> Vec<Sym> {
    let only = |a: &[Entry], b: &[Entry]| -> Vec<Sym> {
        let alone = a.iter().filter(|entry| b.binary_search(entry).is_err());
        alone.map(|entry| entry.0).collect()
    };
    let mut names = only(a, b);
    names.extend(only(b, a));
    // One declaration more of the same is another set.
    if a.len() != b.len() {
        let repeated = |list: &[Entry]| -> Vec<Sym> {
            let pairs = list.windows(2).filter(|pair| pair[0] == pair[1]);
            pairs.map(|pair| pair[0].0).collect()
        };
        names.extend(repeated(a));
        names.extend(repeated(b));
    }
    names
}

impl Workspace {
    /// Which names of types may mean something else than when this was asked last; all at first.
    pub fn take_changed_names(&mut self) -> ChangedNames {
        let changes = std::mem::replace(
            &mut self.changes,
            Changes {
                all: false,
                ..Changes::default()
            },
        );
        if changes.all {
            return ChangedNames::All;
        }
        let mut files: Vec<FileNo> = Vec::new();
        for name in self.with_followers(changes) {
            files.extend(self.files_with(name));
        }
        files.sort_unstable();
        files.dedup();
        ChangedNames::In(files)
    }

    /// The names that changed, with those that lead to what they mean by another name or inherit it.
    fn with_followers(&self, changes: Changes) -> FxHashSet<Sym> {
        let mut names = changes.names;
        names.extend(&changes.rebased);
        let mut open: Vec<Sym> = changes.rebased.into_iter().collect();
        while let Some(base) = open.pop() {
            for (file, place) in self.derived_from(base) {
                let derived = self.file(*file).and_then(|bound| {
                    let of = bound.bases().get(*place as usize)?.def;
                    Some(bound.sym(bound.defs().get(of as usize)?.name))
                });
                open.extend(derived.filter(|name| names.insert(*name)));
            }
        }
        let mut open: Vec<Sym> = names.iter().copied().collect();
        while let Some(name) = open.pop() {
            for alias in self.renamings(name) {
                let other = self.file(alias.file).and_then(|bound| {
                    let def = bound.defs().get(alias.def as usize)?;
                    Some(bound.sym(def.name))
                });
                open.extend(other.filter(|name| names.insert(*name)));
            }
        }
        names
    }

    /// Names besides those it declares that lead to a file at this path: what imports write of its path, and
    /// what they get that have a name of their own for it.
    pub(crate) fn names_of_path(&self, path: &str) -> Vec<Sym> {
        let (folder, name) = split_path(path);
        let stem = name.split('.').next().unwrap_or(name);
        let folder = split_path(folder).1;
        let names = [stem, folder, "default"].into_iter();
        names.filter_map(|name| self.sym(name)).collect()
    }

    /// What a file offers, of its encoded bindings and the numbers of its names.
    pub(crate) fn surface(&self, dialect: Dialect, bytes: &[u8], syms: &[Sym]) -> Surface {
        let Some(bindings) = decode(bytes) else {
            return Surface::default();
        };
        let mut type_params: FxHashMap<ScopeId, u32> = FxHashMap::default();
        for def in &bindings.defs {
            if def.kind == DefKind::TypeParam {
                *type_params.entry(def.scope).or_default() += 1;
            }
        }
        let reader = Reader {
            workspace: self,
            bindings: &bindings,
            syms,
            type_params,
        };
        reader.surface(dialect)
    }
}

/// A file's bindings with the numbers of its names.
struct Reader<'a> {
    workspace: &'a Workspace,
    bindings: &'a Bindings,
    syms: &'a [Sym],
    /// How many type parameters each scope has.
    type_params: FxHashMap<ScopeId, u32>,
}

impl Reader<'_> {
    fn sym(&self, name: u32) -> Sym {
        self.syms.get(name as usize).copied().unwrap_or(Sym(NONE))
    }

    fn surface(&self, dialect: Dialect) -> Surface {
        let mut surface = Surface::default();
        for def in self.bindings.defs.iter().filter(|def| def.at != NONE) {
            if self.is_offered(def) {
                let digest = self.digest(def);
                let names = self.names_of(def);
                let entries = names.into_iter().map(|name| (name, digest));
                surface.entries.extend(entries);
            }
        }
        let exported = self.bindings.exported.iter();
        surface
            .entries
            .extend(exported.map(|name| (self.sym(*name), 0)));
        for base in &self.bindings.bases {
            let owner = self.bindings.defs.get(base.def as usize);
            let owner = owner.map_or(Sym(NONE), |def| self.sym(def.name));
            surface.bases.push((owner, self.hashed(base.of)));
        }
        for star in &self.bindings.glob_imports {
            // What a module takes in for itself its inner modules see too (Rust).
            if star.flags & flag::EXPORTED != 0 || dialect == Dialect::Rust {
                surface.handed_on.push(self.hashed(star.of));
            }
        }
        surface.entries.sort_unstable();
        surface.bases.sort_unstable();
        surface.handed_on.sort_unstable();
        surface
    }

    /// What others write to find it: of a namespace any name of its path.
    fn names_of(&self, def: &Def) -> Vec<Sym> {
        let name = self.sym(def.name);
        if def.kind != DefKind::Namespace {
            return vec![name];
        }
        let path = self.workspace.text(name).split('.');
        path.filter_map(|name| self.workspace.sym(name)).collect()
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
        owner.map(|owner| self.sym(owner.name)).hash(&mut hasher);
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
            Expr::Name { name, .. } => (0u8, self.sym(name)).hash(hasher),
            Expr::Member { of, name, .. } => {
                (1u8, self.sym(name)).hash(hasher);
                self.hash_path(of, depth + 1, hasher);
            }
            Expr::Module { name, level, .. } => (2u8, self.sym(name), level).hash(hasher),
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

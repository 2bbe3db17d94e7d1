//! The types that declarations name in what others see of them: bases, declared types, results,
//! parameters, bounds (SPEC P3).

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, DefKind, Expr, ExprId, ListId, NONE, flag, space};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::Query;
use crate::workspace::{DefRef, ExprRef, FileNo, Sym, Workspace};

/// Most steps into one written type: it is far more than people write.
const MOST: usize = 4096;

/// Where a name without a path stands: file, scope, name, the spaces that it is looked up in, and the number
/// of type arguments where that tells types apart. The same name means the same type everywhere in a scope.
type NamePlace = (FileNo, u32, Sym, u8, Option<usize>);

/// The names of all types, for questions about so many declarations that it pays to know them first: most
/// names in heads are of types from outside, and looking for these is what takes the time.
#[derive(Clone, Debug, Default)]
pub struct AllTypes {
    names: Rc<FxHashSet<Sym>>,
    /// Of those, what is declared in another type.
    nested: Rc<FxHashSet<Sym>>,
}

impl AllTypes {
    /// Of every type that is declared anywhere: its name, and whether it is in another type.
    pub fn new<'a>(workspace: &Workspace, types: impl Iterator<Item = (&'a str, bool)>) -> Self {
        let (mut names, mut nested) = (FxHashSet::default(), FxHashSet::default());
        for (name, is_nested) in types {
            if let Some(sym) = workspace.sym(name) {
                names.insert(sym);
                nested.extend(is_nested.then_some(sym));
            }
        }
        Self {
            names: names.into(),
            nested: nested.into(),
        }
    }
}

/// Other names for types in a file.
#[derive(Debug)]
struct OtherNames {
    names: FxHashSet<Sym>,
    /// There may be more that the file does not say itself.
    is_open: bool,
}

/// Names of types that were looked up, for questions about many declarations.
#[derive(Debug, Default)]
pub struct NamedTypes {
    all: Option<AllTypes>,
    others: RefCell<FxHashMap<FileNo, OtherNames>>,
    names: RefCell<FxHashMap<NamePlace, Box<[DefRef]>>>,
    /// Places in a file's bases by the definition that has them.
    bases: RefCell<FxHashMap<FileNo, FxHashMap<DefId, Vec<u32>>>>,
}

impl NamedTypes {
    /// Nothing looked up yet; names that mean none of all types will not be.
    #[must_use]
    pub fn among(all: AllTypes) -> Self {
        Self {
            all: Some(all),
            ..Self::default()
        }
    }
}

impl<'w> Query<'w> {
    /// The same question, where the names of all types are known.
    #[must_use]
    pub fn knowing(mut self, all: &AllTypes) -> Self {
        self.nested = Some(all.nested.clone());
        self
    }

    /// Whether a name can be that of a type which another one declares or inherits.
    pub(crate) fn may_be_nested(&self, name: Sym, spaces: u8) -> bool {
        let names_types = spaces & !(space::TYPE | space::NAMESPACE) == 0;
        let nested = self.nested.as_ref().filter(|_| names_types);
        nested.is_none_or(|nested| nested.contains(&name))
    }
}

impl Query<'_> {
    /// Whether a name in a file can mean a type of the workspace.
    fn may_mean_type(&self, file: FileNo, name: Sym, known: &NamedTypes) -> bool {
        let Some(all) = &known.all else {
            return true;
        };
        if all.names.contains(&name) {
            return true;
        }
        let mut others = known.others.borrow_mut();
        let others = others.entry(file).or_insert_with(|| self.other_names(file));
        others.is_open || others.names.contains(&name)
    }

    /// The names that imports and the like give in a file.
    fn other_names(&self, file: FileNo) -> OtherNames {
        let mut names = FxHashSet::default();
        let Some(bound) = self.file(file) else {
            return OtherNames {
                names,
                is_open: true,
            };
        };
        let aliases = bound.defs().iter().filter(|def| def.kind == DefKind::Alias);
        names.extend(aliases.map(|def| bound.sym(def.name)));
        let is_open = match bound.dialect() {
            // Stars bring what another file calls otherwise.
            Dialect::Python | Dialect::Rust | Dialect::TypeScript | Dialect::JavaScript => {
                !bound.glob_imports().is_empty()
            }
            // So does `global using X = Y`, in a file or in a project's.
            Dialect::CSharp => {
                let global = self.workspace.sym("global");
                let is_global =
                    global.is_some_and(|global| !self.workspace.globals(global).is_empty());
                is_global || self.workspace.hints().has_aliases()
            }
            Dialect::C | Dialect::Cpp => true,
            Dialect::Go | Dialect::Java | Dialect::Named(_) => false,
        };
        OtherNames { names, is_open }
    }

    /// The definitions whose name is written at a byte.
    #[must_use]
    pub fn definitions_named_at(&self, file: FileNo, byte: u32) -> Vec<DefRef> {
        let Some(bound) = self.file(file) else {
            return Vec::new();
        };
        let written = |def: &DefId| bound.def(*def).flags & flag::UNWRITTEN == 0;
        let found = bound.defs_at(byte).filter(written);
        found.map(|def| DefRef { file, def }).collect()
    }

    /// The innermost block around a byte that adds members to a type declared elsewhere (Rust's `impl`).
    #[must_use]
    pub fn block_around(&self, file: FileNo, byte: u32) -> Option<DefRef> {
        let blocks = (0..)
            .zip(self.file(file)?.defs())
            .filter(|(_, def)| def.kind == DefKind::Impl && def.start <= byte && byte < def.end);
        let innermost = blocks.min_by_key(|(_, def)| def.end - def.start)?;
        Some(DefRef {
            file,
            def: innermost.0,
        })
    }

    /// The types that a type or block names as its bases, arguments of these included, in source order and
    /// as often as they are named.
    #[must_use]
    pub fn types_in_bases(&self, of: DefRef, known: &NamedTypes) -> Vec<DefRef> {
        let Some(bound) = self.file(of.file) else {
            return Vec::new();
        };
        let mut all = known.bases.borrow_mut();
        let of_file = all.entry(of.file).or_insert_with(|| {
            let mut table: FxHashMap<DefId, Vec<u32>> = FxHashMap::default();
            for (place, base) in (0..).zip(bound.bases()) {
                table.entry(base.def).or_default().push(place);
            }
            table
        });
        let mut found = Vec::new();
        for place in of_file.get(&of.def).into_iter().flatten() {
            let base = bound.bases().get(*place as usize);
            let written = base.map_or(NONE, |base| base.of);
            self.add_types_in(of.file, written, known, &mut found);
        }
        found
    }

    /// The types that a declaration names in its head: its declared type or result, those of its parameters,
    /// bounds of its type parameters, what an alias of a type stands for. As often as they are named.
    #[must_use]
    pub fn types_in_head(&self, of: DefRef, known: &NamedTypes) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (self.file(of.file), self.def(of)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if def.kind != DefKind::Alias {
            self.add_types_in(of.file, def.ty, known, &mut found);
        }
        let params = match def.kind.is_callable() || def.kind == DefKind::Delegate {
            true => bound.params(of.def).collect(),
            false => Vec::new(),
        };
        let receiver = |param: &DefId| bound.def(*param).flags & flag::RECEIVER != 0;
        let params = params.into_iter().filter(|param| !receiver(param));
        for param in params.chain(bound.type_params(of.def)) {
            self.add_types_in(of.file, bound.def(param).ty, known, &mut found);
        }
        found
    }

    /// Adds the types that are named in a written type.
    fn add_types_in(
        &self,
        file: FileNo,
        written: ExprId,
        known: &NamedTypes,
        found: &mut Vec<DefRef>,
    ) {
        let Some(bound) = self.file(file) else {
            return;
        };
        let mut open = vec![written];
        let push_list = |list: ListId, open: &mut Vec<ExprId>| {
            open.extend(bound.list(list).iter().rev());
        };
        for _ in 0..MOST {
            let Some(expr) = open.pop() else {
                return;
            };
            if expr == NONE {
                continue;
            }
            let at = ExprRef { file, expr };
            match bound.expr(expr) {
                Expr::Name { .. } => self.add_named(at, known, found),
                Expr::Member { of, .. } => {
                    self.add_named(at, known, found);
                    open.push(of);
                }
                Expr::Apply { of, args } | Expr::Call { of, args } => {
                    push_list(args, &mut open);
                    open.push(of);
                }
                Expr::Index {
                    of: left,
                    by: right,
                }
                | Expr::Map {
                    key: left,
                    value: right,
                }
                | Expr::Operator { left, right, .. } => open.extend([right, left]),
                Expr::Union { of } | Expr::Tuple { of } => push_list(of, &mut open),
                Expr::Array { of }
                | Expr::Pointer { of }
                | Expr::Deref { of }
                | Expr::Value { of }
                | Expr::TypeOf { of }
                | Expr::Unwrap { of } => open.push(of),
                Expr::Function { def } => {
                    let params: Vec<ExprId> =
                        bound.params(def).map(|at| bound.def(at).ty).collect();
                    open.push(bound.def(def).ty);
                    open.extend(params.into_iter().rev());
                }
                Expr::Object { scope, .. } => {
                    let keys: Vec<DefId> = bound.all_in(scope).collect();
                    open.extend(keys.into_iter().rev().map(|key| bound.def(key).ty));
                }
                _ => {}
            }
        }
    }

    /// Adds the types that a name means.
    fn add_named(&self, at: ExprRef, known: &NamedTypes, found: &mut Vec<DefRef>) {
        let Expr::Name {
            name,
            scope,
            spaces,
            ..
        } = self.expr(at)
        else {
            found.extend(self.types_meant(at));
            return;
        };
        let Some(name) = self.file(at.file).map(|bound| bound.sym(name)) else {
            return;
        };
        if !self.may_mean_type(at.file, name, known) {
            return;
        }
        let by_arity = self.policy(at.file).types_differ_by_arity();
        let given = by_arity.then(|| self.applied_to(at)).flatten();
        let place = (at.file, scope, name, spaces, given);
        if let Some(known) = known.names.borrow().get(&place) {
            found.extend(known);
            return;
        }
        let meant = self.types_meant(at);
        found.extend(&meant);
        known.names.borrow_mut().insert(place, meant.into());
    }

    /// The types among what a use leads to, each once: of a type with several parts the first.
    fn types_meant(&self, at: ExprRef) -> Vec<DefRef> {
        let mut types: Vec<DefRef> = Vec::new();
        for def in self.target(at).defs {
            let kind = self.kind(def);
            let is_type = kind.is_some_and(|kind| kind.is_type() || kind == DefKind::TypeAlias);
            if !is_type {
                continue;
            }
            let def = self.defined(def);
            if !types
                .iter()
                .any(|other| self.same_types(*other).contains(&def))
            {
                types.push(def);
            }
        }
        types
    }
}

//! Signature dependencies: the types that declarations name in what others see of them: bases, declared types, results,
//! parameters, bounds (SPEC P3).

use std::cell::RefCell;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, DefKind, Expr, ExprId, ListId, NONE, flag};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::at_position;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::resolver::Resolver;
use crate::type_names::AllTypes;

/// Most steps into one written type: it is far more than people write.
const MAX: usize = 4096;

/// Where a name without a path stands: file, scope, name, the spaces that it is looked up in, and the number
/// of type arguments where that tells types apart. The same name means the same type everywhere in a scope.
type NamePlace = (FileNo, u32, Name, u8, Option<usize>);

/// Other names for types in a file.
#[derive(Debug)]
struct OtherNames {
    names: FxHashSet<Name>,
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

/// Whether a name in a file can mean a type of the workspace.
fn may_mean_type(resolver: &Resolver<'_>, file: FileNo, name: Name, known: &NamedTypes) -> bool {
    let Some(all) = &known.all else {
        return true;
    };
    if all.names.contains(&name) {
        return true;
    }
    let mut others = known.others.borrow_mut();
    let others = others
        .entry(file)
        .or_insert_with(|| other_names(resolver, file));
    others.is_open || others.names.contains(&name)
}

/// The names that imports and the like give in a file.
fn other_names(resolver: &Resolver<'_>, file: FileNo) -> OtherNames {
    let mut names = FxHashSet::default();
    let Some(bound) = resolver.file(file) else {
        return OtherNames {
            names,
            is_open: true,
        };
    };
    let aliases = bound.defs().iter().filter(|def| def.kind == DefKind::Alias);
    names.extend(aliases.map(|def| bound.name(def.name)));
    let is_open = match bound.dialect() {
        // Glob imports bring what another file calls otherwise.
        Dialect::Python | Dialect::Rust | Dialect::TypeScript | Dialect::JavaScript => {
            !bound.glob_imports().is_empty()
        }
        // So does `global using X = Y`, in a file or in a project's.
        Dialect::CSharp => {
            let global = resolver.workspace.name("global");
            let is_global =
                global.is_some_and(|global| !resolver.workspace.globals(global).is_empty());
            is_global || resolver.workspace.hints().has_aliases()
        }
        Dialect::C | Dialect::Cpp => true,
        Dialect::Go | Dialect::Java | Dialect::AngelScript | Dialect::Named(_) => false,
    };
    OtherNames { names, is_open }
}

/// The definitions whose name is written at a byte.
#[must_use]
pub(crate) fn definitions_named_at(
    resolver: &Resolver<'_>,
    file: FileNo,
    byte: u32,
) -> Vec<DefRef> {
    let Some(bound) = resolver.file(file) else {
        return Vec::new();
    };
    let written = |def: &DefId| bound.def(*def).flags & flag::UNWRITTEN == 0;
    let found = bound.defs_at(byte).filter(written);
    found.map(|def| DefRef { file, def }).collect()
}

/// The innermost block around a byte that adds members to a type declared elsewhere (Rust's `impl`).
#[must_use]
pub(crate) fn block_around(resolver: &Resolver<'_>, file: FileNo, byte: u32) -> Option<DefRef> {
    let blocks = (0..)
        .zip(resolver.file(file)?.defs())
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
pub(crate) fn types_in_bases(
    resolver: &Resolver<'_>,
    of: DefRef,
    known: &NamedTypes,
) -> Vec<DefRef> {
    let Some(bound) = resolver.file(of.file) else {
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
        add_types_in(resolver, of.file, written, known, &mut found);
    }
    found
}

/// The types that a declaration names in its head: its declared type or result, those of its parameters,
/// bounds of its type parameters, what an alias of a type stands for. As often as they are named.
#[must_use]
pub(crate) fn types_in_signature(
    resolver: &Resolver<'_>,
    of: DefRef,
    known: &NamedTypes,
) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if def.kind != DefKind::Alias {
        add_types_in(resolver, of.file, def.ty, known, &mut found);
    }
    let params = match def.kind.is_callable() || def.kind == DefKind::Delegate {
        true => bound.params(of.def).collect(),
        false => Vec::new(),
    };
    let receiver = |param: &DefId| bound.def(*param).flags & flag::RECEIVER != 0;
    let params = params.into_iter().filter(|param| !receiver(param));
    for param in params.chain(bound.type_params(of.def)) {
        add_types_in(resolver, of.file, bound.def(param).ty, known, &mut found);
    }
    found
}

/// Adds the types that are named in a written type.
fn add_types_in(
    resolver: &Resolver<'_>,
    file: FileNo,
    written: ExprId,
    known: &NamedTypes,
    found: &mut Vec<DefRef>,
) {
    let Some(bound) = resolver.file(file) else {
        return;
    };
    let mut open = vec![written];
    let push_list = |list: ListId, open: &mut Vec<ExprId>| {
        open.extend(bound.list(list).iter().rev());
    };
    for _ in 0..MAX {
        let Some(expr) = open.pop() else {
            return;
        };
        if expr == NONE {
            continue;
        }
        let at = ExprRef { file, expr };
        match bound.expr(expr) {
            Expr::Name { .. } => add_named(resolver, at, known, found),
            Expr::Member { of, .. } => {
                add_named(resolver, at, known, found);
                open.push(of);
            }
            Expr::Apply { of, args } | Expr::Call { of, args } | Expr::New { of, args } => {
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
                let params: Vec<ExprId> = bound.params(def).map(|at| bound.def(at).ty).collect();
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
fn add_named(resolver: &Resolver<'_>, at: ExprRef, known: &NamedTypes, found: &mut Vec<DefRef>) {
    let Expr::Name {
        name,
        scope,
        spaces,
        ..
    } = resolver.expr(at)
    else {
        found.extend(types_meant(resolver, at));
        return;
    };
    let Some(name) = resolver.file(at.file).map(|bound| bound.name(name)) else {
        return;
    };
    if !may_mean_type(resolver, at.file, name, known) {
        return;
    }
    let by_arity = resolver.rules(at.file).types_differ_by_arity();
    let given = by_arity.then(|| resolver.applied_to(at)).flatten();
    let place = (at.file, scope, name, spaces, given);
    if let Some(known) = known.names.borrow().get(&place) {
        found.extend(known);
        return;
    }
    let meant = types_meant(resolver, at);
    found.extend(&meant);
    known.names.borrow_mut().insert(place, meant.into());
}

/// The types among what a use leads to, each once: of a type with several parts the first.
fn types_meant(resolver: &Resolver<'_>, at: ExprRef) -> Vec<DefRef> {
    let mut types: Vec<DefRef> = Vec::new();
    for def in at_position::target_in_workspace(resolver, at).defs {
        let kind = resolver.kind(def);
        let is_type = kind.is_some_and(|kind| kind.is_type() || kind == DefKind::TypeAlias);
        if !is_type {
            continue;
        }
        let def = resolver.defined(def);
        if !types
            .iter()
            .any(|other| resolver.merged_declarations(*other).contains(&def))
        {
            types.push(def);
        }
    }
    types
}

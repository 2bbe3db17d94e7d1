//! The types that declarations name in what others see of them: bases, declared types, results,
//! parameters, bounds (SPEC P3).

use std::cell::RefCell;

use codecortex_bind::facts::{DefId, DefKind, Expr, ExprId, ListId, NONE, flag};
use rustc_hash::FxHashMap;

use crate::query::Query;
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// Most steps into one written type: it is far more than people write.
const MOST: usize = 4096;

/// Where a name without a path stands: file, scope, name, the spaces that it is looked up in, and the number
/// of type arguments where that tells types apart. The same name means the same type everywhere in a scope.
type NamePlace = (FileNo, u32, Sym, u8, Option<usize>);

/// Names of types that were looked up, for questions about many declarations.
#[derive(Debug, Default)]
pub struct NamedTypes {
    names: RefCell<FxHashMap<NamePlace, Box<[DefRef]>>>,
    /// Places in a file's bases by the definition that has them.
    bases: RefCell<FxHashMap<FileNo, FxHashMap<DefId, Vec<u32>>>>,
}

impl Query<'_> {
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

//! Circles of imports that a move would make, in languages that load modules one after the other.

use std::collections::BTreeSet;

use codecortex_bind::facts::{DefKind, Expr, flag};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};
use rustc_hash::FxHashMap;

/// The most files that are walked.
const MAX_FILES: usize = 20_000;

/// An import of a file by another.
pub(crate) type ImportEdge = (FileNo, FileNo);

/// The first circle that new imports would close and that was none before, as the files on it.
///
/// What a new file imports its old file imported, and who imports the new one imported the old one: every circle through
/// it was one through the old file, apart from that of these two.
pub(crate) fn new_circle(
    resolver: &Resolver<'_>,
    added: &BTreeSet<ImportEdge>,
    (old, target, exists): (FileNo, FileNo, bool),
) -> Option<Vec<FileNo>> {
    if !exists {
        let is_circle = added.contains(&(old, target)) && added.contains(&(target, old));
        return is_circle.then(|| vec![old, target, old]);
    }
    let mut graph = ImportGraph {
        resolver,
        known: FxHashMap::default(),
    };
    for (from, to) in added {
        if from == to {
            continue;
        }
        let Some(path) = graph.path(*to, *from, added) else {
            continue;
        };
        let was_before = graph.path(*to, *from, &BTreeSet::new()).is_some()
            && graph.path(*from, *to, &BTreeSet::new()).is_some();
        if !was_before {
            let mut circle = vec![*from];
            circle.extend(path);
            return Some(circle);
        }
    }
    None
}

struct ImportGraph<'r, 'w> {
    resolver: &'r Resolver<'w>,
    known: FxHashMap<FileNo, Vec<FileNo>>,
}

impl ImportGraph<'_, '_> {
    /// The files from one to another along imports, both ends included.
    fn path(
        &mut self,
        from: FileNo,
        to: FileNo,
        added: &BTreeSet<ImportEdge>,
    ) -> Option<Vec<FileNo>> {
        let mut before: FxHashMap<FileNo, FileNo> = FxHashMap::default();
        let mut next = vec![from];
        before.insert(from, from);
        let mut at = 0;
        while let Some(file) = next.get(at).copied() {
            at += 1;
            if file == to {
                let mut path = vec![file];
                let mut last = file;
                while let Some(previous) = before.get(&last).filter(|previous| **previous != last) {
                    path.push(*previous);
                    last = *previous;
                }
                path.reverse();
                return Some(path);
            }
            if next.len() > MAX_FILES {
                return None;
            }
            let own = self.imports(file).to_vec();
            let new = added
                .range((file, 0)..=(file, FileNo::MAX))
                .map(|(_, to)| *to);
            for to in own.into_iter().chain(new) {
                before.entry(to).or_insert_with(|| {
                    next.push(to);
                    file
                });
            }
        }
        None
    }

    /// The files that a file loads.
    fn imports(&mut self, file: FileNo) -> &[FileNo] {
        let resolver = self.resolver;
        self.known
            .entry(file)
            .or_insert_with(|| loaded_by(resolver, file))
    }
}

/// The modules that a file loads when it is loaded: not those of which it has types alone, or only in a function.
fn loaded_by(resolver: &Resolver<'_>, file: FileNo) -> Vec<FileNo> {
    let Some(bound) = resolver.workspace().file(file) else {
        return Vec::new();
    };
    let module_of = |expr: u32| {
        let mut expr = expr;
        // Bounded by the parts of a dotted name.
        for _ in 0..32 {
            match bound.expr(expr) {
                Expr::Member { of, .. } => expr = of,
                Expr::Module { .. } => {
                    return resolver.target(ExprRef { file, expr }).module;
                }
                _ => return None,
            }
        }
        None
    };
    let mut found = Vec::new();
    for (number, def) in bound.defs().iter().enumerate() {
        let of = DefRef {
            file,
            def: number as u32,
        };
        let is_loaded = def.kind == DefKind::Alias
            && def.flags & flag::TYPE_ONLY == 0
            && super::outgoing::is_at_top(resolver, of);
        if !is_loaded {
            continue;
        }
        let ends = resolver.without_aliases(vec![of]);
        let is_type = |end: &DefRef| {
            matches!(
                resolver.kind(*end),
                Some(DefKind::Interface | DefKind::TypeAlias)
            )
        };
        if !ends.is_empty() && ends.iter().all(is_type) {
            continue;
        }
        found.extend(module_of(def.value));
        // `from . import module`
        found.extend(
            resolver
                .target(ExprRef {
                    file,
                    expr: def.value,
                })
                .module,
        );
    }
    for glob in bound.glob_imports() {
        found.extend(module_of(glob.of));
    }
    found.sort_unstable();
    found.dedup();
    found
}

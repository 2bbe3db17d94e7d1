//! Modules that questions met and that nothing known declares: the caller that can read more files learns which ones.
//!
//! The record belongs to the workspace and not to one resolver, since a question uses many resolvers on several threads.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use codecortex_bind::Dialect;
use codecortex_bind::facts::Expr;
use rustc_hash::FxHashSet;

use crate::ids::FileNo;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::workspace::Workspace;

/// An import has so many parts, at most.
const MAX_PARTS: usize = 16;

/// A module that an import or a package leads to and that is in no file that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MissingModule {
    /// The file from which it was looked for.
    pub from: FileNo,
    /// The folder that it would be in; `None` where it would be below any root of imports.
    pub folder: Option<String>,
    /// Its names, joined by `/`; what is written, in languages that import by texts.
    pub path: String,
}

/// The modules that questions about a workspace met and did not find.
#[derive(Debug, Default)]
pub(crate) struct MissingRecord(Mutex<Missing>);

#[derive(Debug, Default)]
struct Missing {
    /// Those for which no caller has looked yet.
    open: BTreeSet<MissingModule>,
    /// Those for which a caller has looked.
    settled: FxHashSet<MissingModule>,
    /// Counts every time that a question met one that is open.
    met: u64,
}

impl MissingRecord {
    fn lock(&self) -> MutexGuard<'_, Missing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, module: MissingModule) {
        let mut record = self.lock();
        if record.settled.contains(&module) {
            return;
        }
        record.met += 1;
        record.open.insert(module);
    }

    /// Forgets everything: files have other numbers or import other modules.
    pub(crate) fn clear(&mut self) {
        let record = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        record.open.clear();
        record.settled.clear();
    }
}

impl Workspace {
    /// The modules that questions met, that no file has, and that were not [settled](Self::settle_missing), in order.
    #[must_use]
    pub fn missing_modules(&self) -> Vec<MissingModule> {
        self.missing.lock().open.iter().cloned().collect()
    }

    /// Counts the times that a question met such a module.
    #[must_use]
    pub fn missing_met(&self) -> u64 {
        self.missing.lock().met
    }

    /// Says that all files were tried that a module may be: no question reports it again while the workspace's own files
    /// stay what they are.
    pub fn settle_missing(&self, modules: Vec<MissingModule>) {
        let mut record = self.missing.lock();
        for module in modules {
            record.open.remove(&module);
            record.settled.insert(module);
        }
    }

    /// Paths of what a file imports by way of the first name of an import: a package without a file of its own is known
    /// only by what is in it.
    #[must_use]
    pub fn imported_paths(&self, file: FileNo, root: &str) -> Vec<String> {
        imported_paths(self, file, root)
    }
}

/// Notes that a folder of installed packages has no such module.
pub(crate) fn note_missing_in(resolver: &Resolver<'_>, from: FileNo, folder: &str, name: &str) {
    resolver.workspace.missing.note(MissingModule {
        from,
        folder: Some(folder.to_owned()),
        path: name.to_owned(),
    });
}

/// Notes that nothing has a module of this name.
pub(crate) fn note_missing_root(resolver: &Resolver<'_>, from: FileNo, name: &str) {
    resolver.workspace.missing.note(MissingModule {
        from,
        folder: None,
        path: name.to_owned(),
    });
}

/// What an import's text leads to; where that is nothing, in a language that imports by texts, it is missing.
pub(crate) fn noted(
    resolver: &Resolver<'_>,
    from: FileNo,
    written: &str,
    found: LookupResult,
) -> LookupResult {
    if found.ty.is_none() && found.defs.is_empty() && imports_by_text(resolver, from) {
        note_missing_root(resolver, from, written);
    }
    found
}

fn imports_by_text(resolver: &Resolver<'_>, file: FileNo) -> bool {
    let dialect = resolver.workspace.dialect(file);
    dialect.is_some_and(|of| matches!(of, Dialect::TypeScript | Dialect::JavaScript | Dialect::Go))
}

fn imported_paths(workspace: &Workspace, file: FileNo, root: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let Some(bound) = workspace.file(file) else {
        return paths;
    };
    for expr in bound.exprs() {
        let mut names = Vec::new();
        let mut at = expr;
        while let Expr::Member { of, name, .. } = at
            && names.len() < MAX_PARTS
        {
            names.push(workspace.text(bound.name(name)));
            at = bound.expr(of);
        }
        let Expr::Module { name, level: 0, .. } = at else {
            continue;
        };
        if names.is_empty() || workspace.text(bound.name(name)) != root {
            continue;
        }
        names.push(root);
        names.reverse();
        let path = names.join("/");
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

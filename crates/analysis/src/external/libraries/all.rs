//! Libraries that any file of the workspace imports: for questions that search outside of it without naming a file.

use codecortex_bind::facts::Expr;
use codecortex_index::{FileId, IndexedFile};
use codecortex_protocol::{Failure, Missing};
use codecortex_resolve::{ExprRef, Resolver};
use codecortex_syntax::Language;
use rustc_hash::FxHashSet;

use super::{dotnet, lacking_libraries};
use crate::analysis::Analysis;

/// Makes sure that the declarations are read of all libraries that files of the workspace import, as far as imports lead.
///
/// # Errors
/// What has to be read: it is asked for again afterwards, until nothing is missing.
pub fn need_all_libraries(code: &Analysis) -> Result<(), Failure> {
    follow_imports(code);
    let mut wanted = lacking_libraries(code);
    for (id, _) in files_in(code, |language| language == Language::CSharp) {
        for file in dotnet::wanted(code, id.0)? {
            if wanted.iter().all(|known| known.path != file.path) {
                wanted.push(file);
            }
        }
    }
    match wanted.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Libraries(wanted))),
    }
}

fn files_in(
    code: &Analysis,
    is_wanted: impl Fn(Language) -> bool,
) -> impl Iterator<Item = (FileId, &IndexedFile)> {
    let files = code.shown_files();
    files.filter(move |(_, file)| is_wanted(file.facts.summary().language))
}

/// Whether a file of an installed package can be meant by a name alone: an import of the workspace leads there. What else
/// questions have read counts for no name, so that none depends on earlier questions.
#[must_use]
pub fn is_nameable(code: &Analysis, file: FileId) -> bool {
    if !is_of_package(code, file) {
        return true;
    }
    follow_imports(code);
    let imported = code.external.libraries.imported.borrow();
    imported.1.contains(&file.0)
}

/// Whether a file is of an installed package of a language whose packages are read file by file.
#[must_use]
pub fn is_of_package(code: &Analysis, file: FileId) -> bool {
    let of_package = |file: &IndexedFile| {
        code.index.is_outside(file.root) && imports_packages(file.facts.summary().language)
    };
    code.index.file(file).is_some_and(of_package)
}

fn imports_packages(language: Language) -> bool {
    matches!(
        language,
        Language::Python | Language::TypeScript | Language::Tsx | Language::JavaScript
    )
}

/// Follows every import of the workspace, once a revision: the modules that nothing has are noted on the way, and the
/// files of packages to which imports lead.
pub fn follow_imports(code: &Analysis) {
    if code.external.libraries.imported.borrow().0 == Some(code.revision) {
        return;
    }
    let names = code.names();
    let workspace = names.workspace();
    let query = Resolver::new(workspace);
    let mut imported = FxHashSet::default();
    for (id, _) in files_in(code, imports_packages) {
        let Some(bound) = workspace.file(id.0) else {
            continue;
        };
        for (at, expr) in (0..).zip(bound.exprs()) {
            let is_module = |expr: &Expr| matches!(expr, Expr::Module { level: 0, .. });
            let is_import = match &expr {
                // What a package gives may come from another module of it.
                Expr::Member { of, .. } => is_module(&bound.expr(*of)),
                expr => is_module(expr),
            };
            if !is_import {
                continue;
            }
            let import = ExprRef {
                file: id.0,
                expr: at,
            };
            let target = query.target_of_written(import);
            let files = target.defs.iter().map(|def| def.file);
            let files = files.chain(target.module);
            imported.extend(files.filter(|file| workspace.is_external(*file)));
        }
    }
    code.external
        .libraries
        .imported
        .replace((Some(code.revision), imported));
}

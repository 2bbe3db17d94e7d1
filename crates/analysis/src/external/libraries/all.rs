//! Libraries that any file of the workspace imports: for questions that search outside of it without naming a file.

use codecortex_bind::facts::Expr;
use codecortex_index::IndexedFile;
use codecortex_protocol::{Failure, Missing};
use codecortex_resolve::{ExprRef, Resolver};
use codecortex_syntax::Language;

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
) -> impl Iterator<Item = (codecortex_index::FileId, &IndexedFile)> {
    let files = code.shown_files();
    files.filter(move |(_, file)| is_wanted(file.facts.summary().language))
}

/// Follows every import of the workspace: the modules that nothing has are noted on the way.
fn follow_imports(code: &Analysis) {
    let names = code.names();
    let query = Resolver::new(names.workspace());
    let has_imports = |language| {
        matches!(
            language,
            Language::Python | Language::TypeScript | Language::Tsx | Language::JavaScript
        )
    };
    for (id, _) in files_in(code, has_imports) {
        let Some(bound) = names.workspace().file(id.0) else {
            continue;
        };
        for (at, expr) in (0..).zip(bound.exprs()) {
            let is_module = |expr: &Expr| matches!(expr, Expr::Module { level: 0, .. });
            let is_import = match &expr {
                // What a package gives may come from another module of it.
                Expr::Member { of, .. } => is_module(&bound.expr(*of)),
                expr => is_module(expr),
            };
            if is_import {
                let import = ExprRef {
                    file: id.0,
                    expr: at,
                };
                // What it meets on the way and does not find is what counts.
                let _ = query.target_of_written(import);
            }
        }
    }
}

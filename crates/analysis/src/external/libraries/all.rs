//! Libraries that any file of the workspace imports: for who searches outside of it without naming a file.

use codecortex_bind::facts::Expr;
use codecortex_protocol::{Failure, Located, Missing};
use codecortex_resolve::{ExprRef, MissingModule, Resolver};
use codecortex_syntax::Language;

use super::{MOST_FILES, dotnet, node, python};
use crate::analysis::Analysis;

/// Makes sure that the declarations are read of all libraries that files of the workspace import, as far as imports lead.
///
/// # Errors
/// What has to be read: it is asked for again afterwards, until nothing is missing.
pub fn need_all_libraries(code: &Analysis) -> Result<(), Failure> {
    let mut wanted: Vec<Located> = python::wanted(code, &missing_of_python(code));
    for (id, _) in code.shown_files() {
        if wanted.len() >= MOST_FILES {
            break;
        }
        let more = node::wanted(code, id.0).into_iter();
        for file in more.chain(dotnet::wanted(code, id.0)?) {
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

/// The modules that imports of Python lead to and that nothing has.
fn missing_of_python(code: &Analysis) -> Vec<MissingModule> {
    let is_python = |language| language == Language::Python;
    let files = code.shown_files();
    let mut files = files
        .filter(|(_, file)| is_python(file.facts.summary().language))
        .peekable();
    if files.peek().is_none() {
        return Vec::new();
    }
    let names = code.names();
    let query = Resolver::new(names.workspace());
    for (id, _) in files {
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
    query.missing_modules()
}

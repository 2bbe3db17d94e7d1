//! `inline`: what a variable or function stands for stands at its uses.

use codecortex_edit::Inline;
use codecortex_protocol::Failure;
use codecortex_resolve::Resolver;

use crate::invocation::Invocation;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned, texts_of};
use crate::tools::refactor::refused::failure;
use crate::tools::refactor::subject::{RefactoringSubject, subject};

/// Plans to inline what the arguments name.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let (inline, change, texts) = {
        let names = cx.names();
        let resolver = Resolver::new(names.workspace());
        let found = match subject(cx, &resolver, args, |of| resolver.symbol(of))? {
            RefactoringSubject::Declarations(defs) => Inline::of(&resolver, &defs),
            RefactoringSubject::Place(file, byte) => Inline::at_place(&resolver, (file, byte)),
        };
        let inline = found.map_err(|refusal| failure(cx, &refusal))?;
        let file = inline.file();
        let texts = texts_of(cx, &[file])?;
        let text = texts.get(&file).map(String::as_str).unwrap_or_default();
        let change = inline.plan(&resolver, text);
        let change = change.map_err(|refusal| failure(cx, &refusal))?;
        (inline, change, texts)
    };
    let name = inline.name();
    check_result(cx, &change, &texts, [name, name])?;
    let title = EditTitle {
        summary: format!("Inline `{name}`"),
        plan: format!("inline {name}"),
        done: format!("inlined {name}"),
        names: None,
    };
    planned(cx, title, &change, &texts)
}

//! `inline`: what a variable or function stands for stands at its uses.

use codecortex_edit::{Inline, LocatedEdit as _};
use codecortex_protocol::Failure;

use crate::invocation::Invocation;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::resolved_change::resolve;
use crate::tools::refactor::subject::{RefactoringSubject, subject};

/// Plans to inline what the arguments name.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let (inline, resolved) = resolve(cx, |resolver| {
        let subject = subject(cx, resolver, args, |of| resolver.symbol(of))?;
        Ok(match subject {
            RefactoringSubject::Declarations(defs) => Inline::of(resolver, &defs),
            RefactoringSubject::Place(file, byte) => Inline::at_place(resolver, (file, byte)),
        })
    })?;
    check_result(cx, &resolved, inline.names())?;
    let title = EditTitle::of_verb(format!("Inline `{}`", inline.name()), "inlined");
    planned(cx, title, &resolved)
}

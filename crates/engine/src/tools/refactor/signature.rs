//! `changeSignature`: a parameter more, less or elsewhere, with every call.

use codecortex_edit::{ChangeSignature, LocatedEdit as _, RenameOptions, SignatureWish};
use codecortex_protocol::{Failure, ToolError};

use crate::invocation::Invocation;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::resolved_change::resolve;
use crate::tools::refactor::subject::{RefactoringSubject, subject};

/// Plans a change of a signature.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let wish = wish(args)?;
    let options = RenameOptions {
        leaves_unsure: args.leave_unsure == Some(true),
        notes_doubts: args.leave_unsure == Some(true),
        ..RenameOptions::default()
    };
    let (signature, resolved) = resolve(cx, |resolver| {
        let subject = subject(cx, resolver, args, |of| resolver.symbol(of))?;
        Ok(match subject {
            RefactoringSubject::Declarations(defs) => {
                ChangeSignature::of(resolver, &defs, wish, options)
            }
            RefactoringSubject::Place(file, byte) => {
                ChangeSignature::at_place(resolver, (file, byte), wish, options)
            }
        })
    })?;
    check_result(cx, &resolved, signature.names())?;
    planned(cx, title(&signature), &resolved)
}

/// What the arguments want of the parameters.
fn wish(args: &RefactorArgs) -> Result<SignatureWish, ToolError> {
    let wish = match (&args.add, args.remove, &args.move_parameter) {
        (Some(add), None, None) => SignatureWish::added(add),
        (None, Some(place), None) => Ok(SignatureWish::Remove(place as usize)),
        (None, None, Some(places)) => SignatureWish::moved(places),
        _ => Err("One of `add`, `remove` and `moveParameter` is needed.".to_owned()),
    };
    wish.map_err(|message| {
        ToolError::invalid(message).hint(
            "`add`: `name:type=argument`; `remove`: a place from 0; `moveParameter`: `from:to`.",
        )
    })
}

fn title(signature: &ChangeSignature) -> EditTitle {
    let name = signature.name();
    let (what, done) = match signature.wish() {
        SignatureWish::Add { name, .. } => (format!("add `{name}` to"), format!("added {name} to")),
        SignatureWish::Remove(place) => (
            format!("remove parameter {place} of"),
            format!("removed parameter {place} of"),
        ),
        SignatureWish::Move(from, to) => (
            format!("move parameter {from} to {to} of"),
            format!("moved parameter {from} to {to} of"),
        ),
    };
    EditTitle {
        summary: format!("Change signature: {what} `{name}`"),
        plan: format!("{what} {name}"),
        done: format!("{done} {name}"),
        names: None,
    }
}

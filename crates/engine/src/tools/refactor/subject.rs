//! What the arguments of a refactoring point at: a symbol by its path, or a place in a file.

use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{DefRef, FileNo, Resolver};

use crate::invocation::Invocation;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::refused::place_of;

/// What a refactoring is about.
pub(super) enum RefactoringSubject {
    /// Declarations of one symbol.
    Declarations(Vec<DefRef>),
    /// A byte of a file.
    Place(FileNo, u32),
}

/// What the arguments name. `joined` has the declarations that are changed with one: a symbol by its path must have no
/// others.
pub(super) fn subject(
    cx: &Invocation<'_>,
    resolver: &Resolver<'_>,
    args: &RefactorArgs,
    joined: impl Fn(DefRef) -> Vec<DefRef>,
) -> Result<RefactoringSubject, Failure> {
    match (&args.symbol, &args.file_path, args.position) {
        (Some(symbol), None, None) => {
            let subject = cx.subject_named(symbol)?;
            let mut defs = subject.defs.iter();
            let first = defs.next().copied();
            let same = first.map(joined).unwrap_or_default();
            if let Some(other) = defs.find(|def| !same.contains(def)) {
                let place = resolver.place(*other).unwrap_or_default();
                let other = place_of(cx, other.file, place)?;
                let error = ToolError::new(
                    ErrorCode::AmbiguousSymbol,
                    format!("`{symbol}` is the name of several declarations."),
                );
                let error = error.hint("Give `filePath` with `position` on the one to change.");
                return Err(error.detail("other", other).into());
            }
            Ok(RefactoringSubject::Declarations(subject.defs.clone()))
        }
        (None, Some(path), Some(position)) => {
            let (file, byte) = cx.byte_at(path, position)?;
            Ok(RefactoringSubject::Place(file, byte))
        }
        _ => Err(ToolError::invalid("A symbol is not given, or given twice.")
            .hint("Give `symbol`, or `filePath` with `position`.")
            .into()),
    }
}

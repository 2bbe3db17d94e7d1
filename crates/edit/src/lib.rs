//! Edits of code that keep its meaning (SPEC ED1).
//!
//! A verb takes joined bindings and texts, and returns a [`SourceChange`] or a [`Refusal`]. It changes nothing and
//! reads nothing. [`MeaningCheck`] resolves the result again: every name in it must mean what it meant before.

mod bracket_list;
mod check;
mod extract;
mod identifiers;
mod imports;
mod inline;
mod located_edit;
mod moving;
mod refusal;
mod rename;
mod rewrite;
mod signature;
mod source_change;
mod structure;
mod tree;
mod words;
mod written_code;

pub use check::MeaningCheck;
pub use extract::{ExtractedAs, Extraction};
pub use identifiers::{NameProblem, name_problem};
pub use imports::OrganiseImports;
pub use inline::Inline;
pub use located_edit::LocatedEdit;
pub use moving::{DottedName, MoveDeclaration, MoveOptions, MoveTarget};
pub use refusal::{Refusal, RefusalKind, RefusalPlace};
pub use rename::{Rename, RenameOptions, RenameTexts};
pub use signature::{ChangeSignature, SignatureWish};
pub use source_change::{
    CreatedFile, FileChange, RenamedFile, SourceChange, TextEdit, Untouched, UntouchedReason,
    WordInText, WordPlace,
};
pub use structure::{
    DeclarationPlace, InsertSide, ResolvedUses, StructureEdit, UseProblem, deletion,
    import_deletion, new_syntax_errors, write_code,
};
pub use tree::{UnreadCode, unread_code};
pub use words::whole_words;
pub use written_code::{check_syntax, check_written};

//! A file that a caller named, and why the index may not have it.

use codecortex_index::FileId;
use codecortex_protocol::{ErrorCode, Located, ToolError};
use codecortex_syntax::SkipReason;

/// A file that a caller named.
pub enum FoundFile<'a> {
    /// In the index.
    Indexed(FileId),
    /// Generated and left out; its names are in the index.
    Names(FileId),
    /// Not in the index: open in an editor outside every folder, or named by an earlier answer.
    Outside {
        /// Which.
        file: Located,
        /// What it says.
        facts: &'a codecortex_syntax::Facts,
    },
}

/// Why a file is left out, for the end of a sentence.
pub fn explain(reason: &SkipReason) -> String {
    use SkipReason as R;
    match reason {
        R::Ignored => "an ignore file leaves it out".to_owned(),
        R::Excluded => "the settings leave it out".to_owned(),
        R::Tooling => "it is a folder of dependencies, build output or version control".to_owned(),
        R::UnknownLanguage => "it is in no language that is indexed".to_owned(),
        R::GrammarLeftOut => "this build was made without its grammar".to_owned(),
        R::Binary => "it is not text".to_owned(),
        R::Generated => "it is generated".to_owned(),
        R::Minified => "it is minified".to_owned(),
        R::Oversized => "it is larger than the size limit".to_owned(),
        R::Symlink => "it is a link; its target is indexed at its own place".to_owned(),
        R::NotAFile => "it is not a regular file".to_owned(),
        R::TooComplex => "its grammar does not come to an end with it in bounded time".to_owned(),
        R::ActionScript => "it is ActionScript, which has the ending of AngelScript".to_owned(),
        R::Unreadable(problem) => format!("it could not be read ({problem})"),
    }
}

/// The error for a file that is left out.
pub fn not_indexed(input: &str, reason: &SkipReason) -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        format!("`{input}` is not in the index: {}.", explain(reason)),
    )
    .hint("`codecortex_status` with `list: \"skipped\"` lists skipped files.")
    .detail("reason", reason.as_str())
}

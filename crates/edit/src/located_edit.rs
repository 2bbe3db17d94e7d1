//! What every verb is between its wish and its plan: the places are known, no text was looked at.

use codecortex_resolve::{FileNo, Resolver};

use crate::refusal::Refusal;
use crate::rename::RenameTexts;
use crate::source_change::SourceChange;

/// An edit whose places are known, before any text was looked at.
pub trait LocatedEdit {
    /// Files whose texts the plan needs.
    fn files(&self) -> &[FileNo];

    /// The names of which every look-up may have another result.
    fn names(&self) -> [&str; 2];

    /// Plans the replacements. `texts` are those of [`LocatedEdit::files`], in the state that was resolved.
    ///
    /// # Errors
    /// Why the edit is not made.
    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal>;
}

//! Selected code with what is known of it, and what is planned for it.

use std::ops::Range;

use codecortex_resolve::{FileNo, Resolver};

use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameTexts;
use crate::rewrite::TextRewrite;
use crate::source_change::{FileChange, KeptPieces, ReboundVariables, SourceChange};

/// A selection with what is known of it.
pub(super) struct SelectedCode<'s, 'w> {
    pub(super) resolver: &'s Resolver<'w>,
    pub(super) file: FileNo,
    pub(super) dialect: codecortex_bind::Dialect,
    pub(super) forms: &'static crate::extract::forms::SyntaxForms,
    pub(super) text: &'s str,
    /// Texts of other files whose functions are called.
    pub(super) texts: &'s RenameTexts,
    pub(super) tree: &'s tree_sitter::Tree,
    /// Without blanks at the ends.
    pub(super) range: Range<u32>,
    pub(super) name: &'s str,
}

/// What an extraction replaces, and what a reader must know of it.
pub(super) struct PlannedExtraction {
    pub(super) rewrite: TextRewrite,
    pub(super) notes: Vec<String>,
    /// What a new function shares with the one that its code was in.
    pub(super) shared: Option<SharedCode>,
}

/// Variables that moved code shares with the function that it was in.
pub(super) struct SharedCode {
    /// Where they are defined.
    pub(super) defs: Vec<u32>,
    /// The code that moves.
    pub(super) moved: Range<u32>,
    /// The function that it was in.
    pub(super) host: Range<u32>,
}

impl SelectedCode<'_, '_> {
    pub(super) fn refuse<T>(
        &self,
        kind: RefusalKind,
        message: impl Into<String>,
        at: usize,
    ) -> Result<T, Refusal> {
        Err(Refusal::new(kind, message).at([(self.file, at as u32)]))
    }

    pub(super) fn change(&self, planned: &PlannedExtraction) -> Result<SourceChange, Refusal> {
        let done = planned.rewrite.finish(self.file, self.text)?;
        let rebound = planned
            .shared
            .as_ref()
            .map(|shared| rebound(shared, &done.change));
        let written = done.written.into_iter();
        Ok(SourceChange {
            files: vec![done.change],
            notes: planned.notes.clone(),
            kept: KeptPieces::new(done.kept),
            drops_replaced: true,
            rebound,
            written: written.map(|range| (self.file, range)).collect(),
            ..SourceChange::default()
        })
    }
}

/// Where the variables of moved code must be defined afterwards.
fn rebound(shared: &SharedCode, change: &FileChange) -> ReboundVariables {
    let mut function = 0..0;
    let mut shift = 0_i64;
    let mut host = shared.host.clone();
    let moved = |at: u32, by: i64| u32::try_from(i64::from(at) + by).unwrap_or(at);
    for edit in &change.edits {
        let added = edit.text.len() as i64 - i64::from(edit.end - edit.start);
        let start = moved(edit.start, shift);
        // The new function is what is inserted, or stands in the place of the code.
        if edit.start == edit.end || change.edits.len() == 1 {
            function = start..start + edit.text.len() as u32;
        }
        if edit.start == edit.end && edit.start <= shared.host.start {
            host.start = moved(host.start, added);
            host.end = moved(host.end, added);
        } else if shared.host.contains(&edit.start) && edit.end <= shared.host.end {
            host.end = moved(host.end, added);
        }
        shift += added;
    }
    ReboundVariables {
        defs: shared.defs.clone(),
        moved: shared.moved.clone(),
        function,
        host,
    }
}

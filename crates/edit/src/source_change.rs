//! What a verb plans: changes of texts, and the places it leaves alone on purpose.

use std::ops::Range;

use codecortex_resolve::FileNo;

use crate::check::MovedNames;

/// A replacement in a text, in terms of the text before all replacements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    /// First byte.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
    /// What stands there afterwards.
    pub text: String,
}

impl TextEdit {
    /// The bytes that go.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The replacements in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Which file.
    pub file: FileNo,
    /// In the order of the text; none overlaps another.
    pub edits: Vec<TextEdit>,
}

impl FileChange {
    /// The text with all replacements. `text` is the one that they were planned for.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let mut after = String::with_capacity(text.len() + 16 * self.edits.len());
        let mut done = 0;
        for edit in &self.edits {
            after.push_str(text.get(done..edit.start as usize).unwrap_or_default());
            after.push_str(&edit.text);
            done = edit.end as usize;
        }
        after.push_str(text.get(done..).unwrap_or_default());
        after
    }
}

/// Why a place with the old name stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UntouchedReason {
    /// It stands in a comment.
    Comment,
    /// It stands in a string.
    String,
    /// It is a use whose receiver nobody can type (tier `name`).
    Name,
}

/// A place with the old name that stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Untouched {
    /// Which file.
    pub file: FileNo,
    /// First byte of the word.
    pub at: u32,
    /// Why it stays.
    pub reason: UntouchedReason,
}

/// What holds a word that changes on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordInText {
    /// A comment.
    Comment,
    /// A string.
    String,
}

/// A word of a comment or string that changes because that was asked for: nothing resolves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordPlace {
    /// Which file.
    pub file: FileNo,
    /// First byte of the word, before the change.
    pub at: u32,
    /// What holds it.
    pub kind: WordInText,
}

/// A stretch of a text that stands in a replacement: moved, or kept within what is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptPiece {
    /// The file that has it before.
    pub(crate) file: FileNo,
    /// The bytes before.
    pub(crate) from: Range<u32>,
    /// The file that has it afterwards.
    pub(crate) into: FileNo,
    /// Which replacement of that file.
    pub(crate) edit: usize,
    /// The first byte in the text of the replacement.
    pub(crate) offset: u32,
}

/// Stretches of texts that stand in replacements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeptPieces(Vec<KeptPiece>);

impl KeptPieces {
    /// Of pieces in any order, none of which overlaps another.
    pub(crate) fn new(mut pieces: Vec<KeptPiece>) -> Self {
        pieces.sort_by_key(|piece| (piece.file, piece.from.start));
        Self(pieces)
    }

    /// The piece that a byte is in.
    pub(crate) fn at(&self, file: FileNo, at: u32) -> Option<&KeptPiece> {
        let behind = self
            .0
            .partition_point(|piece| (piece.file, piece.from.start) <= (file, at));
        let piece = self.0.get(behind.checked_sub(1)?)?;
        (piece.file == file && piece.from.contains(&at)).then_some(piece)
    }
}

/// Variables that a new function shares with the one that its code was in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReboundVariables {
    /// Where they are defined before.
    pub(crate) defs: Vec<u32>,
    /// The bytes that move, before.
    pub(crate) moved: Range<u32>,
    /// The new function, afterwards: what moves must mean its own variables.
    pub(crate) function: Range<u32>,
    /// The function that the code was in, afterwards: what stays must mean variables of that one.
    pub(crate) host: Range<u32>,
}

/// A file that an edit makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedFile {
    /// A number that no file has: the check resolves the text under it.
    pub file: FileNo,
    /// A file of the workspace folder that it is made in.
    pub beside: FileNo,
    /// Its path below the workspace folder, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A file that gets another name in its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RenamedFile {
    /// Which file.
    pub file: FileNo,
    /// Its name afterwards, with its ending.
    pub name: String,
}

/// A planned change of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// The changed files, each once, by number.
    pub files: Vec<FileChange>,
    /// Files that are made; nothing may be at their paths.
    pub created: Vec<CreatedFile>,
    /// Files that get another name, by number; nothing else may have it.
    pub renamed: Vec<RenamedFile>,
    /// Places with the old name that stay, by file and byte.
    pub not_touched: Vec<Untouched>,
    /// Words of comments and strings that change on request, by file and byte; `files` has their replacements.
    pub words: Vec<WordPlace>,
    /// What a reader of the plan must know: visibility that is widened, imports that go. A sentence each.
    pub notes: Vec<String>,
    /// Names at replaced places that stand elsewhere in the replacement.
    pub(crate) moved: MovedNames,
    /// Stretches of texts that stand in replacements.
    pub(crate) kept: KeptPieces,
    /// Whether what is replaced goes away, apart from the stretches that are kept; a name is replaced by another else.
    pub(crate) drops_replaced: bool,
    /// Whether imports may be others afterwards.
    pub(crate) replaces_imports: bool,
    /// Variables of the only changed file that a new function shares with another.
    pub(crate) rebound: Option<ReboundVariables>,
    /// Code that is written in replacements: each file, and the bytes in its text afterwards.
    pub(crate) written: Vec<(FileNo, Range<u32>)>,
}

impl SourceChange {
    /// A change of texts alone; each file once, by number.
    #[must_use]
    pub fn of_files(files: Vec<FileChange>) -> Self {
        Self {
            files,
            ..Self::default()
        }
    }

    /// The same with notes before its own.
    pub(crate) fn with_notes(mut self, notes: &[String]) -> Self {
        self.notes.splice(0..0, notes.iter().cloned());
        self
    }

    /// How many replacements there are.
    #[must_use]
    pub fn edit_count(&self) -> usize {
        self.files.iter().map(|file| file.edits.len()).sum()
    }

    /// The changes of a file, if it has any.
    #[must_use]
    pub fn file(&self, file: FileNo) -> Option<&FileChange> {
        let place = self.files.binary_search_by_key(&file, |change| change.file);
        self.files.get(place.ok()?)
    }
}

//! What was found of a change.

use rustc_hash::FxHashMap;

use super::evidence_lines::{EvidenceLines, EvidenceReason};
use super::lines::FileLines;
use super::request_lookup::Looked;

/// What is known of the uses of a declaration that changed.
#[derive(Clone, Debug, Default)]
pub struct UsesOfChanged {
    /// Unit and place among its declarations.
    pub of: (usize, usize),
    /// Uses outside of the diff, outside of tests: path and line.
    pub callers: Vec<(String, u32)>,
    /// The same of tests that surely name it.
    pub tests: Vec<(String, u32)>,
    /// Whether tests of it are part of the change.
    pub is_tested_anew: bool,
    /// Whether uses could be looked for.
    pub is_followed: bool,
}

/// A name that the change takes away.
#[derive(Debug)]
pub struct Gone {
    /// The unit that does.
    pub unit: usize,
    /// The name.
    pub name: String,
    /// Whether it was that of a type.
    pub is_type: bool,
    /// Uses that are left: path and line, from 1.
    pub left: Vec<(String, u32)>,
    /// Documentation that names it: path and line, from 1.
    pub documented: Vec<(String, u32)>,
}

/// Uses that a change breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The unit that breaks them.
    pub unit: usize,
    /// What they use: a name, or the path of a file.
    pub name: String,
    /// Why they lead nowhere.
    pub cause: Cause,
    /// Where they are: path and line, from 1.
    pub left: Vec<(String, u32)>,
}

/// Why a use leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// What it led to is gone, or has another name.
    Gone,
    /// It is in another file.
    Moved {
        /// The path of that.
        now: String,
    },
    /// It cannot be seen from there any more.
    Hidden,
    /// The file that an import leads to is gone.
    File {
        /// The path that it has now, if any.
        now: Option<String>,
    },
}

/// Uses of a function whose parameters changed: path and line, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misfits {
    /// Calls that surely do not fit: they give too few arguments, too many, such of names that are gone or literals of other
    /// types, or their values go to more or fewer places than there are values.
    pub refused: Vec<(String, u32)>,
    /// Uses of which only a compiler can say whether they fit: types differ, or the function is handed on.
    pub doubtful: Vec<(String, u32)>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Pieces of each part in the order of their worth.
    pub pieces: FxHashMap<EvidenceReason, Vec<EvidenceLines>>,
    /// Of the declarations that changed.
    pub known: Vec<UsesOfChanged>,
    /// Names that are gone, with what is left of them, whatever that means.
    pub gone: Vec<Gone>,
    /// Uses that the change breaks.
    pub broken: Vec<Broken>,
    /// Uses of functions, by unit and place among its declarations, that may not fit their new parameters; absent where
    /// nothing is known of them.
    pub misfits: FxHashMap<(usize, usize), Misfits>,
    /// By unit, how much the most similar code that did not change has of its rare words, 0 to 1.
    pub similarity: FxHashMap<usize, f64>,
    /// By unit, the rarest words of what changed.
    pub rare_words: FxHashMap<usize, Vec<String>>,
    /// What came of what rules and a plan ask for.
    pub looked: Vec<Looked>,
    /// The lines of all files that pieces are of.
    pub lines: FileLines,
    /// What a reader should know of how it was looked for, a sentence each.
    pub notes: Vec<String>,
}

impl Evidence {
    pub(super) fn add(&mut self, piece: EvidenceLines) {
        if !piece.lines.is_empty() {
            self.pieces.entry(piece.part).or_default().push(piece);
        }
    }

    pub(super) fn sort(&mut self) {
        for pieces in self.pieces.values_mut() {
            pieces.sort_by(|a, b| {
                let by_score = a.score.total_cmp(&b.score);
                by_score
                    .then_with(|| a.path.cmp(&b.path))
                    .then_with(|| a.lines.cmp(&b.lines))
            });
        }
    }
}

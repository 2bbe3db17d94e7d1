//! What names, files, definitions and expressions are referred to by, across files.

use codecortex_bind::facts::{DefId, ExprId};

/// A name, the same number in every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// A file's number; the caller's choice.
pub type FileNo = u32;

/// A definition in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefRef {
    /// The file.
    pub file: FileNo,
    /// Its place in the file's definitions.
    pub def: DefId,
}

/// An expression in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprRef {
    /// The file.
    pub file: FileNo,
    /// Its place in the file's expressions.
    pub expr: ExprId,
}

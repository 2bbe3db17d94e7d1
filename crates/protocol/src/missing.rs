//! What a look-up lacks.

use crate::error::ToolError;
use crate::paths::Place;

/// A file that a caller named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Absolute path with `/`.
    pub path: String,
    /// As answers show it.
    pub display: String,
    /// Where it is in the workspace; none outside of it.
    pub place: Option<Place>,
}

/// Why a look-up gave nothing.
#[derive(Debug)]
pub enum Failure {
    /// The call failed.
    Error(ToolError),
    /// Something is still to be read; the look-up is made again when it is here.
    Missing(Missing),
}

/// What a look-up lacks: part of what the engine knows of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Files that are still to be read into the index.
    Files(Vec<Place>),
    /// The projects of a root, by its index.
    Projects(u32),
    /// The `.context/` of a root, by its index.
    Context(u32),
    /// The texts of files as they are on the disk now.
    Texts(Vec<Located>),
    /// The same texts of generated code, and the declarations in them.
    Declarations(Vec<Located>),
    /// What is declared outside of the workspace (SPEC AS3).
    External,
    /// The texts of files of packages, and the declarations in them (SPEC D30).
    Libraries(Vec<Located>),
    /// The commits of a root, by its index.
    History(u32),
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Error(error)
    }
}

//! What an answer still lacks.

use crate::error::ToolError;
use crate::events::DiffOf;
use crate::memory::MemoryRequest;
use crate::model::ModelRequest;
use crate::paths::Place;
use crate::providers::ProviderQuestion;

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

/// Why a handler gave no reply.
pub enum Failure {
    /// The call failed.
    Error(ToolError),
    /// The answer needs something that is still to be read.
    NeedsInput(Need),
}

/// What an answer waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// A file.
    File(Place),
    /// Files that are read again.
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
    /// What differs between two states of a root's repository, for the call of this number.
    Diff(u32, u32, DiffOf),
    /// What the store of a root says, for the call of this number.
    Memory(u32, u32, Box<MemoryRequest>),
    /// The end of the edit of this number.
    Applied(u32),
    /// What a model says to this.
    Model(Box<ModelRequest>),
    /// What language providers say, for the call of this number.
    Providers(u32, ProviderQuestion),
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Error(error)
    }
}

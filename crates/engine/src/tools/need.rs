//! What a handler gives, and what it lacks.

use super::common::Reply;
use crate::error::ToolError;
use crate::live::Located;
use crate::paths::Place;
use crate::protocol::{Answer, ProviderQuestion};

/// What a handler gives.
pub(crate) type ToolResult = Result<Box<dyn Reply>, Failure>;

/// Why a handler gave no reply.
pub(crate) enum Failure {
    /// The call failed.
    Error(ToolError),
    /// The answer needs something that is still to be read.
    Waits(Awaited),
}

/// What an answer waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
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
    /// The end of the edit of this number.
    Applied(u32),
    /// What language providers say, for the call of this number.
    Providers(u32, ProviderQuestion),
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Error(error)
    }
}

/// What became of a call.
pub(crate) enum Called {
    Answer(Answer),
    Waits(Awaited),
}

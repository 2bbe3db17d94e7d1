//! What calls may wait for.

use codecortex_protocol::paths::Place;
use codecortex_protocol::{ModelRequest, ToolError};

use crate::live::edit::Edit;

/// Something that a call may wait for is here, or as far as it will come.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A file was read, or is gone.
    File(Place),
    /// What was fetched of a root: its projects, or its `.context/`.
    Root(u32),
    /// The texts of files.
    Texts,
    /// What is declared outside of the workspace.
    External,
    /// Files of packages.
    Libraries,
    /// What language providers say, for the call of this number.
    Providers(u32),
    /// The commits of a root.
    History(u32),
    /// What differs, for the call of this number.
    Diff(u32),
    /// What a model says to this.
    Model(ModelRequest),
    /// What a store of observations says, for the call of this number.
    Memory(u32),
    /// The edit of this number is done, or failed.
    Edit(u32, Result<Box<Edit>, ToolError>),
}

//! Values that are given to something from outside of the workspace.

use crate::ids::FileNo;

/// A place where a value is given to something from outside of the workspace, which may ask for a method of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOutside {
    /// The type or function that it is given to, as it is written.
    pub by: String,
    /// The value: the file and the first byte of a name in it.
    pub place: Option<(FileNo, u32)>,
    /// Whether it is given as a type that is written, which then must be an interface; a parameter of a function from
    /// outside may take any value.
    pub is_sure: bool,
}

//! Which stretch of a text is what, as far as layers go.

/// What a stretch of text is, as far as layers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// Outside of every declaration.
    File,
    /// The head of a namespace, which is told by the paths of what is in it.
    Path,
    /// In a type, outside of its members.
    TypeBody,
    /// A declaration's head.
    Head,
    /// A part of a head in which `=` gives no initial value.
    Fixed,
    /// An attribute.
    Attribute,
    /// A list of bases.
    Bases,
    /// Implementation.
    Body,
    /// Implementation that only the type itself can see.
    Inner,
    /// An import.
    Import,
    /// What does not count.
    Dropped,
    /// In which identifiers do not count: the declarator of a parameter.
    Unnamed,
    /// Between the accessors of a property.
    Accessors,
    /// An accessor's head.
    Accessor,
}

/// A stretch of text with a region of its own.
pub(super) struct RegionFrame {
    pub(super) end: usize,
    pub(super) region: Region,
    /// Whether a declaration ends with it.
    pub(super) closes: bool,
    /// Tokens that it ends with, though they are not written.
    pub(super) closing: &'static [&'static str],
    /// Number of nodes around it.
    pub(super) depth: usize,
    /// How many declarations had begun when the last statement in it did.
    pub(super) opened: Option<usize>,
}

/// What a child that is still to come will be.
pub(super) struct Mark {
    /// Depth of the node that it is in.
    pub(super) from: usize,
    pub(super) depth: usize,
    pub(super) node: usize,
    pub(super) region: Region,
}

//! Why a text is read whole although little of it has changed.

/// What keeps an edit from being read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nothing is known of the text, or what is known is of another one.
    First,
    /// Something is blanked out before the grammar sees it.
    Masked,
    /// The grammar makes nothing of the text as a whole.
    Broken,
    /// Brackets are closed before it is read.
    Mended,
    /// It may end in the middle of something.
    Open,
    /// A macro's call there may stand for declarations.
    Macros,
    /// No declaration before the edit, or none behind it, at which a part could begin and end.
    Edges,
    /// A declaration reaches into the part, or out of it.
    Tied,
    /// Something there is about the file, or about another declaration.
    Effects,
    /// The text there belongs to the file or to a type itself, not to a member.
    Glue,
    /// Something behind it looks for a name that came or went.
    Names,
    /// The order of members means something.
    Order,
}

impl Reason {
    /// The word in measurements.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Masked => "masked",
            Self::Broken => "broken",
            Self::Mended => "mended",
            Self::Open => "open",
            Self::Macros => "macros",
            Self::Edges => "edges",
            Self::Tied => "tied",
            Self::Effects => "effects",
            Self::Glue => "glue",
            Self::Names => "names",
            Self::Order => "order",
        }
    }
}

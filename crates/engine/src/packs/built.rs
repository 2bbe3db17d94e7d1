//! A pack that was built.

/// A pack as it was built.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub(crate) text: String,
    /// The types in it, in its order.
    pub(crate) types: Vec<Member>,
    /// Types that the filter fits and that have no room.
    pub(crate) cut: Vec<Member>,
    pub(crate) tokens: u32,
    /// What tells this text from another.
    pub(crate) hash: String,
}

/// A type of a pack.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) path: String,
    /// Whether the filter fits it; the others are what those depend on.
    pub(crate) is_chosen: bool,
    pub(crate) form: &'static str,
    pub(crate) tokens: u32,
}

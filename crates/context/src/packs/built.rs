//! A pack that was built.

/// A pack as it was built.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// As it is written.
    pub text: String,
    /// The types in it, in its order.
    pub types: Vec<PackedType>,
    /// Types that the filter fits and that have no room.
    pub cut: Vec<PackedType>,
    /// What it costs.
    pub tokens: u32,
    /// What tells this text from another.
    pub hash: String,
}

/// A type of a pack.
#[derive(Clone, Debug)]
pub struct PackedType {
    /// Id of the type.
    pub id: String,
    /// Its path.
    pub path: String,
    /// Whether the filter fits it; the others are what those depend on.
    pub is_chosen: bool,
    /// The level of detail that is shown.
    pub form: &'static str,
    /// What that costs.
    pub tokens: u32,
}

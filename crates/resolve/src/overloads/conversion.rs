//! The kinds of conversion of an argument to the type of a parameter, and of variance.

/// How a value converts to the type of a parameter, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Conversion {
    /// It is of the very type.
    Same,
    /// It is of a type that derives from it, or a number that it holds.
    Derived,
    /// It may be: too little is known.
    Maybe,
    /// A number as an object or back.
    Boxed,
    /// It cannot be given.
    No,
}

/// Which way the type arguments of two uses of one generic type may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variance {
    /// Not known: either may derive from the other.
    Unknown,
    /// The type only returns such values: less general arguments convert to more general ones.
    Covariant,
    /// The type only takes such values: more general arguments convert to less general ones.
    Contravariant,
}

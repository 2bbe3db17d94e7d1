//! How an argument is assignable to a parameter.

/// How well a value goes for a parameter, best first.
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

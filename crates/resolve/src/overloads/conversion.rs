//! Whether and how an argument converts to the type of a parameter.

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

//! The languages whose names are followed (SPEC D2).

use serde::{Deserialize, Serialize};

/// A language as its rules of names go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Dialect {
    CSharp,
    /// With or without JSX.
    TypeScript,
    /// With or without JSX.
    JavaScript,
    Python,
    Rust,
    Go,
    Java,
    C,
    Cpp,
    AngelScript,
    /// A language of the second rank by its number: a name means everything that is declared by it in files
    /// of the same language.
    Named(u8),
}

impl Dialect {
    /// Whether names are resolved: they mean what a compiler would say. Otherwise only their text counts.
    #[must_use]
    pub fn is_resolved(self) -> bool {
        !matches!(self, Self::Named(_))
    }
}

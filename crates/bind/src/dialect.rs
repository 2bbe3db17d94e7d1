//! The languages whose names are resolved (SPEC D2).

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
}

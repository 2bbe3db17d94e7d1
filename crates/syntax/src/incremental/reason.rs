//! Why a text is read whole although little of it has changed.

use tree_sitter::Tree;

use crate::eof_recovery::may_be_open;
use crate::error_recovery::{Errors, Recovered, recover};
use crate::spec::Spec;

/// What keeps an edit from being read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nothing is known of the text, or what is known is of another one.
    First,
    /// Something is preprocessed otherwise than before.
    Preprocessed,
    /// The tree does not have all comments, because there are many side by side.
    Comments,
    /// The grammar makes nothing of the text as a whole.
    Broken,
    /// Errors are recovered from before it is read: brackets are closed.
    Recovered,
    /// It may end in the middle of something, so that recovery at the end of the file comes first.
    Open,
    /// A macro's call there may stand for declarations.
    Macros,
    /// No declaration before the edit, or none behind it, at which a part could begin and end.
    Edges,
    /// A declaration reaches into the part, or out of it.
    Tied,
    /// Something there is about the file, or about another declaration.
    Effects,
    /// The text there is trivia of the file or of a type itself, not of a member.
    MemberTrivia,
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
            Self::Preprocessed => "preprocessed",
            Self::Comments => "comments",
            Self::Broken => "broken",
            Self::Recovered => "recovered",
            Self::Open => "open",
            Self::Macros => "macros",
            Self::Edges => "edges",
            Self::Tied => "tied",
            Self::Effects => "effects",
            Self::MemberTrivia => "memberTrivia",
            Self::Names => "names",
            Self::Order => "order",
        }
    }
}

/// Why a text is not read as it was parsed, if errors in it are recovered from first, and what closing brackets
/// gives where that was tried.
pub(super) fn needs_recovery(
    spec: &'static Spec,
    readable: &str,
    tree: &Tree,
    errors: Errors,
) -> Option<(Reason, Option<Recovered>)> {
    let root = tree.root_node();
    if root.is_error() {
        return Some((Reason::Broken, None));
    }
    if !root.has_error() {
        return None;
    }
    let recovered = recover(spec.language, readable, tree, errors);
    if recovered.is_some() {
        return Some((Reason::Recovered, Some(recovered)));
    }
    let is_open = may_be_open(spec, readable, tree, errors);
    is_open.then_some((Reason::Open, Some(recovered)))
}

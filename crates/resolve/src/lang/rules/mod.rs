//! What languages do differently, by the part of resolving that depends on it.

mod infer;
mod member;
mod module;
mod overload;

use codecortex_bind::Dialect;

pub(crate) use infer::InferRules;
pub(crate) use member::{MemberRules, Relates};
pub(crate) use module::{ClassScope, ModuleRules};
pub(crate) use overload::OverloadRules;

/// The rules of a language that resolving depends on.
pub(crate) trait LanguageRules:
    ModuleRules + MemberRules + OverloadRules + InferRules + Sync + std::fmt::Debug
{
    /// Languages of one family see each other's definitions.
    fn family(&self) -> u8;

    /// Whether names of this language can mean what languages of a family define: its own, and those that it is a script
    /// language of.
    fn sees(&self, family: u8) -> bool {
        family == self.family()
    }

    /// Whether a name means everything that is declared by it: nothing is known but the text.
    fn is_by_name(&self) -> bool {
        false
    }

    /// Names that its tables speak of, whether or not they are written anywhere.
    fn words(&self) -> &'static [&'static str] {
        &[]
    }
}

/// The languages that a workspace can have files of.
pub struct Languages {
    /// The rules of a dialect; of none those of a file that is not there.
    pub(crate) rules_of: fn(Option<Dialect>) -> &'static dyn LanguageRules,
    /// All languages with tables that speak of names.
    pub(crate) with_words: &'static [&'static dyn LanguageRules],
}

impl std::fmt::Debug for Languages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Languages").finish_non_exhaustive()
    }
}

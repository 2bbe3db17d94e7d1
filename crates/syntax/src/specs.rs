//! The compiled specs, one a language.

use std::sync::OnceLock;

use crate::hooks;
use crate::spec::{Spec, SpecError, compile};
use crate::{LANGUAGES, Language};

/// The compiled spec of a language; `None` where this build has no grammar for it.
pub(crate) fn spec(language: Language) -> Option<&'static Spec> {
    static SPECS: [OnceLock<Option<Spec>>; LANGUAGES.len()] =
        [const { OnceLock::new() }; LANGUAGES.len()];
    // A spec that does not compile is caught by the test below; at run time its language has none.
    SPECS[language as usize]
        .get_or_init(|| compile(language, &hooks::find).ok().flatten())
        .as_ref()
}

/// Compiles every language's spec.
///
/// # Errors
/// The first name that a grammar does not know.
pub fn check_specs() -> Result<(), SpecError> {
    LANGUAGES
        .iter()
        .try_for_each(|row| compile(row.language, &hooks::find).map(drop))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_spec_fits_its_grammar() {
        super::check_specs().unwrap();
    }
}

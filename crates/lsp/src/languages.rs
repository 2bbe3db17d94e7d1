//! The languages that are served: beside another server only those that it has not (SPEC UX1).

use std::collections::BTreeSet;

use codecortex_syntax::language::{LANGUAGES, LanguageInfo, language_of_path};
use thiserror::Error;

/// A language that is not known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("The language `{name}` is not known.")]
pub struct UnknownLanguage {
    /// As it was given.
    pub name: String,
}

impl UnknownLanguage {
    /// The languages that are known, as a sentence.
    #[must_use]
    pub fn hint(&self) -> String {
        let ids: Vec<&str> = LANGUAGES.iter().map(|info| info.id).collect();
        format!("Languages are {}.", ids.join(", "))
    }
}

/// A choice of languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Languages {
    /// Ids; none for all languages.
    chosen: Option<BTreeSet<&'static str>>,
}

impl Languages {
    /// The languages with these ids.
    ///
    /// # Errors
    /// The first that is not known.
    pub fn only<'a>(ids: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownLanguage> {
        let known = |id: &str| {
            let found = LANGUAGES.iter().find(|info| info.id == id.trim());
            found.map(|info| info.id).ok_or_else(|| UnknownLanguage {
                name: id.to_owned(),
            })
        };
        let chosen = ids.into_iter().map(known).collect::<Result<_, _>>()?;
        Ok(Self {
            chosen: Some(chosen),
        })
    }

    /// Whether all languages are served.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.chosen.is_none()
    }

    /// Whether a language is served.
    pub(crate) fn has(&self, id: &str) -> bool {
        (self.chosen.as_ref()).is_none_or(|chosen| chosen.contains(id))
    }

    /// The ids of the chosen languages; of all, where none was chosen.
    pub(crate) fn ids(&self) -> Vec<&'static str> {
        let all = LANGUAGES.iter().map(|info| info.id);
        all.filter(|id| self.has(id)).collect()
    }

    /// Whether files of this path are served. Of what is in no known language nothing is known, so that a choice of
    /// languages leaves it out.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        match language_of_path(path) {
            Some(language) => self.has(language.info().id),
            None => self.is_all(),
        }
    }
}

/// The row of an editor's language id.
pub(crate) fn info_of(id: &str) -> Option<&'static LanguageInfo> {
    LANGUAGES.iter().find(|info| info.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_leaves_other_languages_out() {
        let all = Languages::default();
        assert!(all.is_all() && all.has_file("a.py") && all.has_file("Makefile"));
        let some = Languages::only(["python", "rust"]).unwrap();
        assert!(some.has_file("/w/a.py") && some.has_file("b.rs"));
        assert!(!some.has_file("c.ts") && !some.has_file("Makefile"));
        assert_eq!(some.ids(), ["python", "rust"]);
        let unknown = Languages::only(["pithon"]).unwrap_err();
        assert!(unknown.hint().contains("python"), "{}", unknown.hint());
    }
}

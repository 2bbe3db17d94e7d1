//! How many values a function gives, before a change and after it.

use codecortex_syntax::Language;

use crate::call_text::ResultUse;
use crate::parameters::split;

/// A function that gives another number of values than it gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// How many it gives now.
    now: usize,
}

impl Results {
    /// Compares the results of two versions of a function, as written; nothing where it gives as many, or where the language
    /// does not say by them how many.
    #[must_use]
    pub fn from_before(before: &str, after: &str, language: Option<Language>) -> Option<Self> {
        let count = |written: &str| count(written.trim(), language);
        let (was, now) = (count(before)?, count(after)?);
        (was != now).then_some(Self { now })
    }

    /// Whether what takes the value of a call does not take what it gives now. Values that nothing takes are dropped.
    pub(crate) fn is_refused(&self, taken: ResultUse) -> bool {
        match taken {
            ResultUse::By(places) => places != self.now,
            ResultUse::Dropped | ResultUse::Unknown => false,
        }
    }
}

fn count(written: &str, language: Option<Language>) -> Option<usize> {
    match language?.info().id {
        "go" => Some(match written.strip_prefix('(') {
            None => usize::from(!written.is_empty()),
            Some(list) => {
                let list = list.strip_suffix(')')?;
                let parts = split(list, ',');
                parts.iter().filter(|part| !part.trim().is_empty()).count()
            }
        }),
        // A constructor writes none.
        "java" | "csharp" | "c" | "cpp" => match written {
            "" => None,
            "void" => Some(0),
            _ => Some(1),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    #[test]
    fn another_number_of_values_is_told() {
        let of = |path: &str, before: &str, after: &str| {
            let results = Results::from_before(before, after, language_of_path(path));
            results.map(|results| results.now)
        };
        assert_eq!(of("a.go", "int", "(int, error)"), Some(2));
        assert_eq!(of("a.go", "(n int, err error)", ""), Some(0));
        assert_eq!(of("a.go", "error", "func(a, b int) (int, error)"), None);
        assert_eq!(of("a.java", "int", "void"), Some(0));
        assert_eq!(of("a.cs", "int", "long"), None);
        assert_eq!(of("a.ts", "number", "void"), None);
    }

    #[test]
    fn what_takes_one_takes_no_two() {
        let results = Results { now: 2 };
        assert!(results.is_refused(ResultUse::By(1)));
        assert!(!results.is_refused(ResultUse::By(2)) && !results.is_refused(ResultUse::Dropped));
    }
}

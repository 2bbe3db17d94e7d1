//! Texts that many records have: a file's path, a project's id, the ids of what is needed by many.

use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Texts left alone below which nothing is given back.
const SPARE: usize = 1024;

/// Texts, each kept once however many have it.
#[derive(Default)]
pub(crate) struct Interner {
    known: FxHashSet<Arc<str>>,
    /// How many there were when those that nobody had any more were given back.
    kept: usize,
}

impl Interner {
    /// The one text of these letters.
    pub(crate) fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        if self.known.len() > 2 * self.kept + SPARE {
            self.known.retain(|text| Arc::strong_count(text) > 1);
            self.kept = self.known.len();
        }
        let text: Arc<str> = text.into();
        self.known.insert(text.clone());
        text
    }

    /// The texts of a list.
    pub(crate) fn intern_all<'a>(
        &mut self,
        list: impl IntoIterator<Item = &'a String>,
    ) -> Box<[Arc<str>]> {
        list.into_iter().map(|text| self.intern(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once_and_given_back() {
        let mut interner = Interner::default();
        let (one, other) = (interner.intern("a/b"), interner.intern("a/b"));
        assert!(Arc::ptr_eq(&one, &other));
        drop((one, other));
        for number in 0..3 * SPARE {
            drop(interner.intern(&number.to_string()));
        }
        assert!(interner.known.len() <= SPARE + 1);
        assert!(!interner.known.contains("a/b"));
    }
}

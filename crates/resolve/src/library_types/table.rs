//! Tables of library types: what their members return and what lambdas are passed.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// A row: types, members, what they give, what a lambda gets (templates separated by `;`; after `=` what any
/// argument is expected to be). Types and members are
/// words separated by spaces; `*` is any. The members `iter`, `key`, `index`, `await`, `unwrap`, `deref` with a
/// leading `@` are the language's own operations.
pub(crate) struct LibraryMember(
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) &'static str,
);

/// Rows, to be found by the name of a type: reading them one by one for each member that somebody asks for was a
/// tenth of finding uses.
pub(crate) struct LibraryTypes {
    rows: &'static [LibraryMember],
    of_types: OnceLock<FxHashMap<&'static str, Vec<&'static LibraryMember>>>,
}

impl LibraryTypes {
    /// A table of these rows.
    pub(crate) const fn of(rows: &'static [LibraryMember]) -> Self {
        Self {
            rows,
            of_types: OnceLock::new(),
        }
    }

    /// The first row about a member of a type.
    pub(crate) fn find(&self, name: &str, member: &str) -> Option<&'static LibraryMember> {
        let is_about = |row: &&&LibraryMember| row.1 == "*" || has_word(row.1, member);
        self.of_types().get(name)?.iter().find(is_about).copied()
    }

    /// Whether a row is about a type of this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.of_types().contains_key(name)
    }

    fn of_types(&self) -> &FxHashMap<&'static str, Vec<&'static LibraryMember>> {
        self.of_types.get_or_init(|| {
            let mut of_types: FxHashMap<&str, Vec<&LibraryMember>> = FxHashMap::default();
            for row in self.rows {
                for name in row.0.split(' ') {
                    of_types.entry(name).or_default().push(row);
                }
            }
            of_types
        })
    }
}

fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

//! Tables of library types: what their members return and what lambdas are passed.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

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
    of_containers: OnceLock<FxHashMap<&'static str, ContainerMember>>,
}

/// A member that types have which hold others.
#[derive(Clone, Copy)]
pub(crate) struct ContainerMember {
    /// The first row about it that hands to a lambda what the container holds, if one does: nothing else than its first
    /// type argument.
    pub(crate) handing: Option<&'static LibraryMember>,
}

impl LibraryTypes {
    /// A table of these rows.
    pub(crate) const fn new(rows: &'static [LibraryMember]) -> Self {
        Self {
            rows,
            of_types: OnceLock::new(),
            of_containers: OnceLock::new(),
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

    /// A member that containers have, whichever: types of which the language takes what they hold (`@iter`, `@await` and
    /// the like), or that hand it to a lambda.
    pub(crate) fn of_containers(&self, member: &str) -> Option<ContainerMember> {
        let members = self.of_containers.get_or_init(|| self.container_members());
        members.get(member).copied()
    }

    fn container_members(&self) -> FxHashMap<&'static str, ContainerMember> {
        let is_handed = |row: &LibraryMember| !row.3.starts_with('=') && mentions_argument(row.3);
        let is_container = |row: &&LibraryMember| {
            let mut members = row.1.split(' ');
            is_handed(row) || members.any(|of| of.starts_with('@')) && mentions_argument(row.2)
        };
        let containers = self.rows.iter().filter(is_container);
        let containers: FxHashSet<&str> = containers.flat_map(|row| row.0.split(' ')).collect();
        let mut members: FxHashMap<&str, ContainerMember> = FxHashMap::default();
        for row in self.rows {
            if !row.0.split(' ').any(|of| containers.contains(of)) {
                continue;
            }
            let hands_first = is_handed(row) && arguments_in(row.3).all(|of| of == 0);
            for member in row.1.split(' ').filter(|of| !of.starts_with(['@', '*'])) {
                let known = members
                    .entry(member)
                    .or_insert(ContainerMember { handing: None });
                known.handing = known.handing.or(hands_first.then_some(row));
            }
        }
        members
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

/// The type arguments of the receiver that a template has: `1` of `Entry<1>`, nothing of `u8`.
fn arguments_in(template: &str) -> impl Iterator<Item = usize> {
    let words = template.split(|of: char| !of.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse().ok())
}

/// Whether a template has a type argument of the receiver in it.
fn mentions_argument(template: &str) -> bool {
    arguments_in(template).next().is_some()
}

fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

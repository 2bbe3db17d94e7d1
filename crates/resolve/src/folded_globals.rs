//! Names of globals by their spelling in lower case, for languages in which the case of a type's name does not matter.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::ids::Name;
use crate::workspace::Workspace;

/// The names of the globals of a family of languages; made when somebody asks first.
#[derive(Debug, Default)]
pub(crate) struct FoldedGlobals {
    names: OnceLock<FxHashMap<Box<str>, Vec<Name>>>,
}

impl Workspace {
    /// Names of globals of a family that differ from a name in case alone, in the order of their texts.
    pub(crate) fn globals_in_other_case(&self, family: u8, name: Name) -> Vec<Name> {
        let names = self.folded_globals().names.get_or_init(|| {
            let mut names: FxHashMap<Box<str>, Vec<Name>> = FxHashMap::default();
            for name in self.names_of_globals(family) {
                let folded = self.text(name).to_ascii_lowercase();
                names.entry(folded.into()).or_default().push(name);
            }
            names
        });
        let folded = self.text(name).to_ascii_lowercase();
        let alike = names.get(folded.as_str()).into_iter().flatten().copied();
        let mut others: Vec<Name> = alike.filter(|other| *other != name).collect();
        others.sort_unstable_by_key(|other| self.text(*other));
        others
    }
}

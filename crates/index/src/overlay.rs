//! Declarations of generated code that were read for a question (SPEC P2, R1). The tables have the names of such files
//! alone; these lie over them, so that who does not ask for them sees nothing of them.

use codecortex_syntax::ItemIndex;
use rustc_hash::FxHashMap;

use crate::entry::NameEntry;
use crate::names::NameTable;
use crate::{FileId, IndexedFile};

/// Whether a look-up by name sees what lies over the tables. A symbol of it is found by its number in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlay {
    /// It finds what the tables have.
    #[default]
    Hidden,
    /// It finds both.
    Shown,
}

/// Files whose declarations lie over the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverlayFiles {
    files: FxHashMap<FileId, IndexedFile>,
    names: NameTable,
}

impl OverlayFiles {
    /// What lies over a file.
    pub(crate) fn file(&self, id: FileId) -> Option<&IndexedFile> {
        // Most of the time there is nothing.
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&id)
    }

    pub(crate) fn names(&self) -> &NameTable {
        &self.names
    }

    /// Lays declarations over a file, in place of those that lay there.
    pub(crate) fn put(&mut self, id: FileId, file: IndexedFile) {
        self.remove(id);
        for item in 0..file.facts.items.len() as ItemIndex {
            NameEntry::from_facts(&file.facts, item).put(&mut self.names, id, item);
        }
        self.files.insert(id, file);
    }

    /// Takes away what lies over a file.
    pub(crate) fn remove(&mut self, id: FileId) {
        let Some(file) = self.files.remove(&id) else {
            return;
        };
        for item in 0..file.facts.items.len() as ItemIndex {
            NameEntry::from_facts(&file.facts, item).take_out(&mut self.names, id, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use codecortex_syntax::{Facts, Limits, Outcome, analyse_text};

    use super::*;
    use crate::{Index, Resolution, Symbol, SymbolPath};

    fn facts(text: &str) -> Facts {
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: false,
        };
        match analyse_text("Form.Designer.cs", text, limits) {
            Outcome::Facts(facts) => facts,
            other => panic!("{other:?}"),
        }
    }

    fn found(index: &Index, path: &str, overlay: Overlay) -> usize {
        let path = SymbolPath::parse(path).unwrap();
        match index.resolve_recent(&path, &|_| 0, overlay) {
            Resolution::One(found) => found.symbols.len(),
            Resolution::Many(found) => found.len(),
            Resolution::None(_) => 0,
        }
    }

    #[test]
    fn what_lies_over_the_tables_is_for_who_asks_for_it() {
        let mut index = Index::new();
        let id = index.insert(0, "Form.Designer.cs", facts(""));
        index.insert(0, "Form.cs", facts("partial class Form { void Show() {} }"));
        index.put_over(id, facts("partial class Form { void Init() {} }"));
        for path in ["Form", "For*", "Form.*"] {
            let [hidden, shown] =
                [Overlay::Hidden, Overlay::Shown].map(|at| found(&index, path, at));
            assert!(hidden == 1 && shown == 2, "{path} {hidden} {shown}");
        }
        assert_eq!(found(&index, "Form.Init", Overlay::Hidden), 0);
        let form = index.named("Form")[0];
        assert_eq!(index.parts(form).len(), 1);
        assert_eq!(index.parts_in(form, Overlay::Shown).len(), 2);
        assert_eq!(index.members(form).len(), 1);
        assert_eq!(index.members_in(form, Overlay::Shown).len(), 2);
        // One of its own leads to all of them.
        let own = Symbol { file: id, item: 0 };
        assert_eq!(index.members(own).len(), 2);
        index.insert(0, "Form.Designer.cs", facts("// other"));
        assert_eq!(found(&index, "Form.Init", Overlay::Shown), 0);
        index.put_over(id, facts("partial class Form { void Init() {} }"));
        index.clear_overlay();
        assert_eq!(found(&index, "Form", Overlay::Shown), 1);
        assert!(index.get(own).is_none());
    }
}

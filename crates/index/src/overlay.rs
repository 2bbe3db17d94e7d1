//! Declarations of generated code that were read for a question (SPEC P2, R1). The tables have the names of such files
//! alone; these lie over them, so that who does not ask for them sees nothing of them.

use codecortex_syntax::{Facts, ItemIndex};
use rustc_hash::FxHashMap;

use crate::entry::Entry;
use crate::fold::lower;
use crate::names::{Name, Names};
use crate::{File, FileId, Index, Symbol};

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
#[derive(Debug, Default)]
pub(crate) struct OverlayFiles {
    files: FxHashMap<FileId, File>,
    names: Names,
}

impl OverlayFiles {
    /// What lies over a file.
    pub(crate) fn file(&self, id: FileId) -> Option<&File> {
        // Most of the time there is nothing.
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&id)
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Takes away what lies over a file.
    pub(crate) fn remove(&mut self, id: FileId) {
        let Some(file) = self.files.remove(&id) else {
            return;
        };
        for item in 0..file.facts.items.len() as ItemIndex {
            Entry::of(&file.facts, item).take_out(&mut self.names, id, item);
        }
    }
}

impl Index {
    /// Lays the declarations of a file over what the tables have of it, until it changes or the overlay is cleared.
    pub fn put_over(&mut self, id: FileId, facts: Facts) {
        let Some(known) = self.files.get(id.0 as usize).and_then(Option::as_ref) else {
            return;
        };
        let file = File {
            root: known.root,
            path: known.path.clone(),
            facts: facts.into(),
        };
        self.overlay.remove(id);
        for item in 0..file.facts.items.len() as ItemIndex {
            Entry::of(&file.facts, item).put(&mut self.overlay.names, id, item);
        }
        self.overlay.files.insert(id, file);
    }

    /// Takes away all that lies over the tables.
    pub fn clear_overlay(&mut self) {
        self.overlay = OverlayFiles::default();
    }

    /// What look-ups by name that begin at a symbol see: one of generated code belongs to what lies over the tables.
    pub(crate) fn overlay_at(&self, symbol: Symbol, overlay: Overlay) -> Overlay {
        match self.overlay.file(symbol.file) {
            Some(_) => Overlay::Shown,
            None => overlay,
        }
    }

    /// Symbols of a simple name in any case.
    pub(crate) fn named_in(
        &self,
        name: &str,
        overlay: Overlay,
    ) -> impl Iterator<Item = Symbol> + use<'_> {
        let names = self.names_called(&lower(name), overlay);
        names.flat_map(|name| name.symbols.iter().copied())
    }

    /// Members that are written outside of a type, or a namespace, whose name in lower case is this.
    pub(crate) fn outside_members_named(
        &self,
        lower: &str,
        overlay: Overlay,
    ) -> impl Iterator<Item = Symbol> + use<'_> {
        let names = self.names_called(lower, overlay);
        names.flat_map(|name| name.outside_members.iter().copied())
    }

    /// A file as a look-up by name sees it.
    pub(crate) fn file_in(&self, id: FileId, overlay: Overlay) -> Option<&File> {
        match overlay {
            Overlay::Shown => self.file(id),
            Overlay::Hidden => self.files.get(id.0 as usize)?.as_ref(),
        }
    }

    fn names_called(&self, lower: &str, overlay: Overlay) -> impl Iterator<Item = &Name> + use<'_> {
        let over = match overlay {
            Overlay::Shown => self.overlay.names.get(lower),
            Overlay::Hidden => None,
        };
        self.names.get(lower).into_iter().chain(over)
    }
}

#[cfg(test)]
mod tests {
    use codecortex_syntax::{Limits, Outcome, analyse_text};

    use super::*;
    use crate::{Resolution, SymbolPath};

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

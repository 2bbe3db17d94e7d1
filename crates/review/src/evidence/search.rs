//! What looking for evidence needs: the change, its units, and the index.

use codecortex_analysis::AnalysisView;
use codecortex_index::{FileId, Symbol};
use codecortex_resolve::{FileNo, Resolver};
use codecortex_syntax::{Item, Language};
use rustc_hash::FxHashMap;

use super::lines::DiffLines;
use crate::change::ReviewedChange;
use crate::source::{is_in_test_module, is_test_path};
use crate::unit::ReviewUnit;

/// What looking for evidence needs.
pub(crate) struct EvidenceSearch<'s> {
    pub(crate) view: &'s AnalysisView<'s>,
    /// The root that the change is of.
    pub(crate) root: u32,
    pub(crate) change: &'s ReviewedChange,
    pub(crate) units: &'s [ReviewUnit],
    pub(crate) query: &'s Resolver<'s>,
    /// Lines that the diff shows however little room there is.
    pub(crate) shown: DiffLines,
    /// Files of the change whose present text is that of the index, by their place in the change.
    pub(crate) current: FxHashMap<usize, FileId>,
    /// Files of the change by their number in the index.
    pub(crate) changed: FxHashMap<FileNo, usize>,
}

impl<'s> EvidenceSearch<'s> {
    pub(super) fn new(
        view: &'s AnalysisView<'s>,
        root: u32,
        (change, units): (&'s ReviewedChange, &'s [ReviewUnit]),
        query: &'s Resolver<'s>,
    ) -> Self {
        let (mut current, mut changed) = (FxHashMap::default(), FxHashMap::default());
        for (at, file) in change.files.iter().enumerate() {
            let Some(id) = view.index.file_id(root, &file.path) else {
                continue;
            };
            changed.insert(id.0, at);
            let hash = file
                .new
                .as_ref()
                .and_then(|new| Some(new.facts.as_ref()?.hash));
            let known = view.index.file(id).map(|file| file.facts.summary().hash);
            if hash.is_some() && hash == known {
                current.insert(at, id);
            }
        }
        Self {
            view,
            root,
            change,
            units,
            query,
            shown: DiffLines::least(change),
            current,
            changed,
        }
    }

    /// The path of a file as the change names files; none of another root's.
    pub(crate) fn path(&self, file: FileNo) -> Option<&'s str> {
        let file = self.view.code.index().file(FileId(file))?;
        (file.root == self.root).then_some(&*file.path)
    }

    /// Whether a declaration is one of tests.
    pub(crate) fn is_test(&self, symbol: Symbol) -> bool {
        let Some(file) = self.view.index.file(symbol.file) else {
            return false;
        };
        is_test_path(&file.path) || is_in_test_module(&file.facts, symbol.item)
    }

    pub(crate) fn item(&self, symbol: Symbol) -> Option<&'s Item> {
        Some(self.view.code.index().get(symbol)?.1)
    }

    /// How much of a path is that of a file of the change.
    pub(crate) fn nearness(&self, path: &str) -> usize {
        let common = |other: &str| {
            path.bytes()
                .zip(other.bytes())
                .take_while(|(a, b)| a == b)
                .count()
        };
        let files = self
            .change
            .files
            .iter()
            .filter(|file| file.language.is_some());
        files.map(|file| common(&file.path)).max().unwrap_or(0)
    }

    /// Whether the uses in a unit are resolved: its file is the one of the index, of a language that is not by name.
    pub(super) fn is_resolved(&self, unit: usize) -> bool {
        let file = self.current.get(&self.units[unit].file);
        file.is_some_and(|file| !self.query.is_by_name(file.0))
    }

    /// Those of `named` that a name in a unit can mean: of languages on the platform of its own.
    pub(super) fn named_for(&self, unit: usize, name: &str) -> Vec<Symbol> {
        let own = self.units[unit].file_of(self.change).language;
        let own = own.map(Language::platform);
        let is_of_platform = |symbol: &Symbol| {
            let file = self.view.index.file(symbol.file);
            file.map(|file| file.facts.language.platform()) == own
        };
        let mut named = self.named(name);
        named.retain(is_of_platform);
        named
    }

    /// Whether anything is declared by a name, spelled so, a field or a test too.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        let mut named = self.view.index.named(name).iter();
        named.any(|symbol| {
            let found = self.view.index.get(*symbol);
            found.is_some_and(|(file, item)| {
                file.root == self.root && file.facts.str(item.name) == name
            })
        })
    }

    /// Declarations of a name, spelled so, that are no fields, no tests and not in running code.
    pub(crate) fn named(&self, name: &str) -> Vec<Symbol> {
        use codecortex_syntax::ItemKind::{EnumMember, Extension, Field, Namespace};
        let is_it = |symbol: &&Symbol| {
            self.view.index.get(**symbol).is_some_and(|(file, item)| {
                file.root == self.root
                    && file.facts.str(item.name) == name
                    && !crate::source::is_local(item)
                    && !matches!(item.kind, Field | EnumMember | Extension | Namespace)
            }) && !self.is_test(**symbol)
        };
        let named = self.view.index.named(name).iter();
        let mut found: Vec<Symbol> = named.filter(is_it).copied().collect();
        // The index has them in the order in which files were read.
        found.sort_by_key(|symbol| (self.path(symbol.file.0), symbol.item));
        found
    }
}

//! How a file names items of other modules: by imports, and in full where a simple name means another item.

use std::collections::{BTreeMap, BTreeSet};

use rustdoc_types::Path;

use super::module_tree::{ItemKey, ModuleTree};

/// The names of one file.
pub(super) struct FileNames<'t, 'a> {
    pub(super) tree: &'t ModuleTree<'a>,
    module: String,
    /// What each simple name means.
    meanings: BTreeMap<String, String>,
    imports: BTreeSet<String>,
    /// The crate of which items are being written.
    pub(super) krate: usize,
}

impl<'t, 'a> FileNames<'t, 'a> {
    /// The names of a module's file, in which the items of the module have their own.
    pub(super) fn new(tree: &'t ModuleTree<'a>, module: &str, items: &[String]) -> Self {
        let own = items
            .iter()
            .map(|name| (name.clone(), format!("{module}::{name}")));
        Self {
            tree,
            module: module.to_owned(),
            meanings: own.collect(),
            imports: BTreeSet::new(),
            krate: 0,
        }
    }

    /// The imports, in order.
    pub(super) fn imports(&self) -> impl Iterator<Item = &str> {
        self.imports.iter().map(String::as_str)
    }

    /// How the file names an item of which a type speaks.
    pub(super) fn text(&mut self, path: &Path) -> String {
        match self.tree.resolve(self.krate, path.id) {
            Some(key) => self.text_of_key(key).unwrap_or_else(|| path.path.clone()),
            None => path.path.clone(),
        }
    }

    fn text_of_key(&mut self, key: ItemKey) -> Option<String> {
        let home = self.tree.home(key)?;
        let full = format!("{}::{}", home.module, home.name);
        if home.module == self.module {
            return Some(home.name.clone());
        }
        match self.meanings.get(&home.name) {
            Some(meaning) if *meaning == full => Some(home.name.clone()),
            Some(_) => Some(full),
            None => {
                self.meanings.insert(home.name.clone(), full.clone());
                self.imports.insert(full);
                Some(home.name.clone())
            }
        }
    }
}

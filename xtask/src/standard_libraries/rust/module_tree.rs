//! Where the items of the library's crates stand in `std`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use rustdoc_types::{Attribute, Crate, Id, Item, ItemEnum, ItemKind};

/// Modules that are left out: an instruction set a file, of which a program imports single functions.
const LEFT_OUT: &[&str] = &["arch", "simd", "intrinsics"];
/// What every file has without importing it.
const PRELUDE: &str = "std::prelude";

/// An item: its crate's number, and its id there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ItemKey {
    pub(super) krate: usize,
    pub(super) id: Id,
}

/// Where a program finds an item: a module, `std::vec`, and the name there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) module: String,
    pub(super) name: String,
}

/// The modules of `std` with their items.
pub(super) struct ModuleTree<'a> {
    pub(super) crates: &'a [(&'static str, Crate)],
    /// Items by crate, path of the definition and kind: how another crate speaks of them.
    by_definition: BTreeMap<(String, ItemKindName), ItemKey>,
    /// All places of each item.
    pub(super) places: BTreeMap<ItemKey, BTreeSet<Place>>,
    /// The paths of all modules.
    pub(super) modules: BTreeSet<String>,
    visited: BTreeSet<(ItemKey, String)>,
}

/// A kind as text, because the format's own has no order.
type ItemKindName = String;

impl<'a> ModuleTree<'a> {
    /// Follows all public modules from the root of the last crate.
    pub(super) fn build(crates: &'a [(&'static str, Crate)]) -> Result<Self> {
        let mut by_definition = BTreeMap::new();
        for (krate, (_, described)) in crates.iter().enumerate() {
            for (&id, summary) in &described.paths {
                if summary.crate_id == 0 {
                    let definition = (summary.path.join("::"), kind_name(summary.kind));
                    // the map of ids has no order: of two that are named alike, the same one counts each time
                    let key = by_definition
                        .entry(definition)
                        .or_insert(ItemKey { krate, id });
                    key.id = key.id.min(id);
                }
            }
        }
        let mut tree = Self {
            crates,
            by_definition,
            places: BTreeMap::new(),
            modules: BTreeSet::new(),
            visited: BTreeSet::new(),
        };
        let krate = crates.len().checked_sub(1).context("there are no crates")?;
        let (name, root) = crates.get(krate).context("there are no crates")?;
        tree.walk(
            ItemKey {
                krate,
                id: root.root,
            },
            name,
        );
        Ok(tree)
    }

    /// An item; `None` if it is private or of a crate that is not described.
    pub(super) fn item(&self, key: ItemKey) -> Option<&'a Item> {
        self.crates.get(key.krate)?.1.index.get(&key.id)
    }

    /// The item that an id of a crate means, which may be another crate's.
    pub(super) fn resolve(&self, krate: usize, id: Id) -> Option<ItemKey> {
        let (_, described) = self.crates.get(krate)?;
        if described.index.contains_key(&id) {
            return Some(ItemKey { krate, id });
        }
        let summary = described.paths.get(&id)?;
        let definition = (summary.path.join("::"), kind_name(summary.kind));
        self.by_definition.get(&definition).copied()
    }

    /// The place where an item is declared: as near to the root as there is one, not in the prelude.
    pub(super) fn home(&self, key: ItemKey) -> Option<&Place> {
        self.places.get(&key)?.iter().min_by_key(|place| {
            let depth = place.module.matches("::").count();
            // an item that the root re-exports from a module is declared there
            let is_prelude = place.module.starts_with(PRELUDE);
            (
                is_prelude,
                depth == 0 && !self.is_defined_at_root(key),
                depth,
                (*place).clone(),
            )
        })
    }

    fn is_defined_at_root(&self, key: ItemKey) -> bool {
        self.places
            .get(&key)
            .is_some_and(|places| places.len() == 1)
    }

    fn walk(&mut self, module: ItemKey, path: &str) {
        if !self.visited.insert((module, path.to_owned())) {
            return;
        }
        self.modules.insert(path.to_owned());
        let Some(ItemEnum::Module(content)) = self.item(module).map(|item| &item.inner) else {
            return;
        };
        for &id in &content.items {
            let Some(key) = self.resolve(module.krate, id) else {
                continue;
            };
            let Some(item) = self.item(key) else { continue };
            match &item.inner {
                ItemEnum::Use(import) => {
                    let target = import.id.and_then(|id| self.resolve(key.krate, id));
                    if let Some(target) = target {
                        self.import(target, path, &import.name, import.is_glob);
                    }
                }
                _ => self.place(key, path, item.name.as_deref().unwrap_or_default()),
            }
        }
    }

    fn import(&mut self, target: ItemKey, path: &str, name: &str, is_glob: bool) {
        let Some(item) = self.item(target) else {
            return;
        };
        match &item.inner {
            ItemEnum::Module(_) if is_glob => self.walk(target, path),
            _ if is_glob => {}
            ItemEnum::Use(import) => {
                if let Some(next) = import.id.and_then(|id| self.resolve(target.krate, id)) {
                    self.import(next, path, name, import.is_glob);
                }
            }
            _ => self.place(target, path, name),
        }
    }

    fn place(&mut self, key: ItemKey, path: &str, name: &str) {
        let Some(item) = self.item(key) else { return };
        if matches!(item.inner, ItemEnum::Module(_)) {
            if !LEFT_OUT.contains(&name) {
                self.walk(key, &format!("{path}::{name}"));
            }
            return;
        }
        // a value of an enumeration that a module re-exports stands in its enumeration
        if matches!(item.inner, ItemEnum::Variant(_) | ItemEnum::Impl(_)) || is_unstable_value(item)
        {
            return;
        }
        let place = Place {
            module: path.to_owned(),
            name: name.to_owned(),
        };
        self.places.entry(key).or_default().insert(place);
    }
}

fn kind_name(kind: ItemKind) -> ItemKindName {
    format!("{kind:?}")
}

/// Whether a stable compiler rejects the item's use.
pub(super) fn is_unstable(item: &Item) -> bool {
    let is_unstable =
        |text: &String| text.contains("attr = Stability") && text.contains("level: Unstable");
    item.attrs
        .iter()
        .any(|attribute| matches!(attribute, Attribute::Other(text) if is_unstable(text)))
}

/// Whether an item is unstable and nothing else is made of it; a type or trait may stand in a stable signature.
fn is_unstable_value(item: &Item) -> bool {
    let is_type = matches!(
        item.inner,
        ItemEnum::Struct(_)
            | ItemEnum::Enum(_)
            | ItemEnum::Union(_)
            | ItemEnum::Trait(_)
            | ItemEnum::TypeAlias(_)
    );
    !is_type && is_unstable(item)
}

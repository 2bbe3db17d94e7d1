//! What is known of packages of `node_modules`, without a word of how it came to be known.

use std::cell::RefCell;

use codecortex_resolve::Mapping;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// What is known of packages.
#[derive(Clone, Debug, Default)]
pub(in crate::external) struct Packages {
    /// Files that may have a module's types, the likeliest first, by workspace folder, the nearest folder of it that has
    /// packages, and module; none where there
    /// is no such package.
    pub(super) modules: RefCell<FxHashMap<(u32, String, String), Vec<String>>>,
    /// What manifests of packages say, by their paths; none of those that are not there.
    pub(super) manifests: FxHashMap<String, Option<Value>>,
    pub(super) mappings: Vec<Mapping>,
}

impl Packages {
    /// Which module is which file.
    pub(in crate::external) fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// Whether it is known what a manifest says.
    pub(super) fn knows(&self, path: &str) -> bool {
        self.manifests.contains_key(path)
    }

    /// Takes in what a manifest says. False where the file is none.
    pub(super) fn take(&mut self, path: &str, bytes: Option<&[u8]>) -> bool {
        let is_manifest = path.ends_with("/package.json");
        if is_manifest {
            let manifest = bytes.and_then(|bytes| serde_json::from_slice(bytes).ok());
            self.manifests.insert(path.to_owned(), manifest);
        }
        is_manifest
    }
}

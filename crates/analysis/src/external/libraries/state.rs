//! What is known of libraries, without a word of how it came to be known.

use std::collections::BTreeMap;

use codecortex_protocol::Located;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::external::libraries::assemblies::Assemblies;
use crate::external::libraries::environments::Environments;
use crate::external::libraries::packages::Packages;

/// What is known of libraries.
#[derive(Clone, Debug, Default)]
pub(in crate::external) struct Libraries {
    pub(in crate::external) packages: Packages,
    pub(super) environments: Environments,
    pub(super) assemblies: Assemblies,
    /// Paths of files with declarations that were read, or are not there.
    pub(super) tried: FxHashSet<String>,
    /// Those of them that are there.
    pub(super) present: FxHashSet<String>,
    /// Files that are on their way.
    pub(super) requests: FxHashMap<u32, Vec<Located>>,
    /// What could not be read: the file as answers show it, and why.
    pub(super) problems: BTreeMap<String, String>,
}

impl Libraries {
    /// Takes over what is on its way: calls wait for that.
    pub(in crate::external) fn go_on_with(&mut self, before: Self) {
        self.requests = before.requests;
    }

    /// What could not be read, and why.
    pub(in crate::external) fn problems(&self) -> impl Iterator<Item = (&str, &str)> {
        let problems = self.problems.iter();
        problems.map(|(path, why)| (path.as_str(), why.as_str()))
    }

    /// Whether a file was read, or is not there.
    pub(super) fn is_known(&self, path: &str) -> bool {
        self.tried.contains(path)
            || self.packages.knows(path)
            || self.environments.knows(path)
            || self.assemblies.knows(path)
    }
}

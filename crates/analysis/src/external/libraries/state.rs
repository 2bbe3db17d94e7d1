//! What is known of libraries, without a word of how it came to be known.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use codecortex_protocol::Located;
use codecortex_resolve::FileNo;
use codecortex_syntax::Language;
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
    /// Packages that files of the workspace import and that are not installed, by language and name.
    pub(super) absent: RefCell<BTreeSet<(Language, String)>>,
    /// Files of packages to which imports of the workspace lead, and the revision of which that is known.
    pub(super) imported: RefCell<(Option<u32>, FxHashSet<FileNo>)>,
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

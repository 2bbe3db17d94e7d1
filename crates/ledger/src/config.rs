//! The switches of `configSnapshot` (SPEC H7).

use codecortex_hashes::HashRules;
use serde::{Deserialize, Serialize};

/// The way hashes are made by this version of the program. Hashes of another version cannot be compared.
pub const HASH_VERSION: &str = "2";

/// What goes into hashes and what they set in motion, as `index.json` records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Config {
    /// The way hashes are made.
    pub hash_version: String,
    /// Documentation counts as structure.
    pub structure_hash_includes_xml_doc: bool,
    /// What only the assembly, package or module sees counts as structure, for dependents too.
    pub include_internal_for_dependencies: bool,
    /// An internal change makes semantics stale at once, without drift.
    pub internal_impl_affects_semantic: bool,
    /// A change of documentation makes semantics stale.
    pub semantic_doc_affects: bool,
    /// Which dependents a change of structure makes stale.
    pub dependency_staleness: DependencyStaleness,
}

/// Which dependents of a type whose structure changed have texts that are not true any more (SPEC D31).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DependencyStaleness {
    /// Texts that name a changed or removed member, and all texts if the type's bases changed.
    #[default]
    Named,
    /// All direct ones.
    All,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            hash_version: HASH_VERSION.to_owned(),
            structure_hash_includes_xml_doc: false,
            include_internal_for_dependencies: false,
            internal_impl_affects_semantic: false,
            semantic_doc_affects: false,
            dependency_staleness: DependencyStaleness::default(),
        }
    }
}

impl Config {
    /// The rules by which the caller has to hash.
    #[must_use]
    pub fn hash_rules(&self) -> HashRules {
        HashRules {
            internal_is_public: self.include_internal_for_dependencies,
            docs_are_structure: self.structure_hash_includes_xml_doc,
        }
    }
}

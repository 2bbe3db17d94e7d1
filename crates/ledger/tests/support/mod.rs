//! A workspace made of words, for tests.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod runner;

use codecortex_hashes::{Hashes, type_id};
use codecortex_ledger::{Config, Identity, NameHash, RecordedSignature, TypeNow};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A type's text, as a version number for each part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Source {
    pub(crate) arity: u8,
    pub(crate) structure: u32,
    /// What only the assembly sees.
    pub(crate) assembly: u32,
    pub(crate) public_impl: u32,
    pub(crate) internal_impl: u32,
    pub(crate) doc: u32,
    pub(crate) cosmetic: u32,
    pub(crate) api: Vec<String>,
    /// By name.
    pub(crate) uses: Vec<String>,
}

/// Types by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct World(pub(crate) BTreeMap<String, Source>);

pub(crate) fn digest(parts: impl Hash) -> [u8; 16] {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, &parts).hash(&mut hasher);
        hasher.finish().to_be_bytes()
    };
    let mut digest = [0; 16];
    digest[..8].copy_from_slice(&half(1));
    digest[8..].copy_from_slice(&half(2));
    digest
}

pub(crate) fn id(fqn: &str) -> String {
    type_id(fqn, "class", 0)
}

impl Source {
    /// Members that no other type has.
    pub(crate) fn own(fqn: &str) -> Self {
        Self {
            api: (0..6).map(|at| format!("void {fqn}{at}()")).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn now(&self, fqn: &str, config: &Config) -> TypeNow {
        let doc = config.structure_hash_includes_xml_doc.then_some(self.doc);
        let assembly = Some(self.assembly);
        let (seen, hidden) = if config.include_internal_for_dependencies {
            (assembly, None)
        } else {
            (None, assembly)
        };
        TypeNow {
            id: type_id(fqn, "class", self.arity),
            identity: Identity {
                fqn: fqn.to_owned(),
                kind: "class".to_owned(),
                arity: self.arity,
            },
            project_id: "P_00000000".to_owned(),
            files: vec![format!("src/{fqn}.cs")],
            hashes: Hashes {
                structure: digest((
                    "s",
                    &config.hash_version,
                    fqn,
                    self.structure,
                    &self.api,
                    doc,
                    seen,
                )),
                public_impl: digest(("p", &config.hash_version, self.public_impl)),
                internal_impl: digest(("i", &config.hash_version, self.internal_impl, hidden)),
                doc: digest(("d", &config.hash_version, self.doc)),
                cosmetic: digest(("c", &config.hash_version, self.cosmetic)),
            },
            api: self
                .api
                .iter()
                .map(|one| RecordedSignature::from_text(one))
                .collect(),
            names: self
                .api
                .iter()
                .map(|one| NameHash::from_name(one))
                .collect(),
            bases: RecordedSignature::default(),
            long_member_ids: Vec::new(),
            depends_on: self.uses.iter().map(|name| id(name)).collect(),
        }
    }
}

impl World {
    pub(crate) fn types(&self, config: &Config) -> Vec<TypeNow> {
        self.0
            .iter()
            .map(|(fqn, source)| source.now(fqn, config))
            .collect()
    }
}

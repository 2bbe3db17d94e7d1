//! `[names]` and `[uses]` against the grammar: how names are written, and where they are used.

use codecortex_bind::facts::Role;

use super::Compiler;
use crate::spec::file::NamesFile;
use crate::spec::meanings;
use crate::spec::names::NameRules;
use crate::spec::uses::NameUseKinds;

impl NamesFile {
    /// Whether the file says anything of it that rules need.
    pub(super) fn is_used(&self) -> bool {
        !(self.inside.is_empty()
            && self.lists.is_empty()
            && self.separators.is_empty()
            && self.trim.is_empty()
            && self.none.is_empty()
            && self.kinds.is_empty()
            && self.owners.is_none())
    }
}

impl Compiler<'_> {
    pub(super) fn names(&self) -> Result<NameRules, String> {
        let file = &self.file.names;
        let mut names = NameRules {
            separators: file.separators.chars().collect(),
            trim: file.trim.chars().collect(),
            sign: file.sign,
            none: file.none.clone(),
            kinds: meanings::kinds(&file.kinds)?.into_iter().collect(),
            owners: file.owners.as_deref().map(meanings::kind).transpose()?,
            ..NameRules::default()
        };
        for (kind, inside) in &file.inside {
            let selector = match inside.as_str() {
                "*" => None,
                inside => Some(self.selector(inside)?),
            };
            let ids = self.ids(kind)?.into_iter();
            names.inside.extend(ids.map(|id| (id, selector)));
        }
        for kind in &file.lists {
            names.lists.extend(self.ids(kind)?);
        }
        Ok(names)
    }

    pub(super) fn uses(&self) -> Result<NameUseKinds, String> {
        let mut roles = vec![Vec::new(); self.grammar.node_kind_count()];
        for (written, word) in &self.file.uses {
            let role = role(word)?;
            let (parents, kind): (Vec<_>, &str) = match written.split_once('.') {
                Some((parent, kind)) => (self.ids(parent)?.into_iter().map(Some).collect(), kind),
                None => (vec![None], written),
            };
            for id in self.ids(kind)? {
                roles[id as usize].extend(parents.iter().map(|parent| (*parent, role)));
            }
        }
        for of_kind in &mut roles {
            of_kind.sort_by_key(|(parent, _): &(Option<u16>, Role)| parent.is_none());
        }
        Ok(NameUseKinds { roles })
    }
}

fn role(word: &str) -> Result<Role, String> {
    Ok(match word {
        "read" => Role::Read,
        "write" => Role::Write,
        "call" => Role::Call,
        "type" => Role::Type,
        "import" => Role::Import,
        "attribute" => Role::Attribute,
        _ => return Err(format!("no role '{word}'")),
    })
}

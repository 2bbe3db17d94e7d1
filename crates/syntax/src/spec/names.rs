//! How names are written, compiled.

use std::collections::{BTreeMap, HashMap};

use super::compile::Compiler;
use super::file::NamesFile;
use super::{Selector, meanings};
use crate::ItemKind;

/// `[names]`, compiled.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By kind around a name: where in it the name is; `None` for the first child.
    pub(crate) inside: HashMap<u16, Option<Selector>>,
    pub(crate) lists: Vec<u16>,
    pub(crate) separators: Vec<char>,
    pub(crate) trim: Vec<char>,
    pub(crate) sign: Option<char>,
    pub(crate) none: Vec<String>,
    pub(crate) kinds: BTreeMap<String, ItemKind>,
    pub(crate) owners: Option<ItemKind>,
}

impl NamesFile {
    /// Whether the file says anything of it that rules need.
    pub(super) fn is_said(&self) -> bool {
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
    pub(super) fn names(&self) -> Result<Names, String> {
        let file = &self.file.names;
        let mut names = Names {
            separators: file.separators.chars().collect(),
            trim: file.trim.chars().collect(),
            sign: file.sign,
            none: file.none.clone(),
            kinds: meanings::kinds(&file.kinds)?.into_iter().collect(),
            owners: file.owners.as_deref().map(meanings::kind).transpose()?,
            ..Names::default()
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
}

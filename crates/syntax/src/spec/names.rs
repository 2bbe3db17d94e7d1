//! How names are written, compiled.

use std::collections::{BTreeMap, HashMap};

use super::select::Selector;
use crate::facts::ItemKind;

/// `[names]`, compiled.
#[derive(Debug, Default)]
pub(crate) struct NameRules {
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

//! The formats that manifests are written in, each read into one small tree by a library.

mod json;
mod scan;
mod toml;
mod xml;
mod yaml;

pub(crate) use json::read_json;
pub(crate) use scan::{Comments, ManifestToken, TokenKind, scan};
pub(crate) use toml::read_toml;
pub(crate) use xml::{Element, read_xml};
pub(crate) use yaml::read_yaml;

/// A value of JSON, TOML or YAML.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ManifestNode {
    /// Byte where the value begins.
    pub(crate) offset: u32,
    pub(crate) value: ManifestValue,
}

/// What a value is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum ManifestValue {
    #[default]
    Null,
    Bool(bool),
    Text(String),
    /// A number or a date as it is written.
    Other(String),
    List(Vec<ManifestNode>),
    Map(Vec<(ManifestKey, ManifestNode)>),
}

/// A name in a map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ManifestKey {
    pub(crate) name: String,
    pub(crate) offset: u32,
}

impl ManifestNode {
    /// The value of a name; the last one where a name is repeated.
    pub(crate) fn get(&self, name: &str) -> Option<&ManifestNode> {
        let ManifestValue::Map(entries) = &self.value else {
            return None;
        };
        let entry = entries.iter().rev().find(|(key, _)| key.name == name);
        entry.map(|(_, node)| node)
    }

    /// The value at the end of several names.
    pub(crate) fn path(&self, names: &[&str]) -> Option<&ManifestNode> {
        names.iter().try_fold(self, |node, name| node.get(name))
    }

    pub(crate) fn entries(&self) -> &[(ManifestKey, ManifestNode)] {
        match &self.value {
            ManifestValue::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) fn list(&self) -> Option<&[ManifestNode]> {
        match &self.value {
            ManifestValue::List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            ManifestValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text at the end of several names.
    pub(crate) fn string(&self, names: &[&str]) -> Option<String> {
        self.path(names)?.text().map(str::to_owned)
    }

    /// The texts at the end of several names, whatever else is in the list.
    pub(crate) fn strings(&self, names: &[&str]) -> Vec<String> {
        match self.path(names).map(|node| &node.value) {
            Some(ManifestValue::Text(text)) => vec![text.clone()],
            Some(ManifestValue::List(items)) => items
                .iter()
                .filter_map(|item| item.text().map(str::to_owned))
                .collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        match self.value {
            ManifestValue::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.value == ManifestValue::Null
    }
}

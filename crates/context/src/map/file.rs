//! The map of all declarations as a file (`003` §4.3, §5.2): built from the index, read back, compared.

use codecortex_analysis::Analysis;
use codecortex_index::IndexedFile;
use codecortex_protocol::tokens_approx;
use codecortex_syntax::{Facts, Item, ItemFlags};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::map::path_of;
use crate::payload::{MAP_VERSION, kind_word};

/// A map of declarations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapFile {
    /// `repomap.v1`.
    pub schema_version: String,
    /// Who made it: `codecortex`.
    pub source: String,
    /// Of all items: two maps with one hash are the same.
    pub hash: String,
    /// Files, by their paths.
    pub items: Vec<FileItem>,
}

/// A file of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileItem {
    /// `repomap.v1`.
    pub schema_version: String,
    /// Relative to its root; after the root's name where there are several.
    pub path: String,
    /// Of the file's content.
    pub hash: String,
    /// Its declarations, in their order.
    pub symbols: Vec<SymbolItem>,
}

/// A declaration of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolItem {
    /// `class`, `function`, `method`, `const`, `var`, `module` or `other`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its head.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// First line, from 1.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
}

impl MapFile {
    /// The declarations of the files whose path is wanted.
    #[must_use]
    pub fn build(code: &Analysis, is_wanted: impl Fn(&str) -> bool) -> Self {
        let item = |file: &IndexedFile| {
            let path = path_of(code, file.root, &file.path);
            is_wanted(&path).then(|| FileItem {
                schema_version: MAP_VERSION.to_owned(),
                hash: hex(&file.facts.summary().hash),
                symbols: symbols(&file.facts),
                path,
            })
        };
        let mut items: Vec<FileItem> = code
            .shown_files()
            .filter_map(|(_, file)| item(file))
            .collect();
        items.sort_by(|a, b| a.path.cmp(&b.path));
        Self::from_items(items)
    }

    fn from_items(items: Vec<FileItem>) -> Self {
        Self {
            schema_version: MAP_VERSION.to_owned(),
            source: "codecortex".to_owned(),
            hash: hash_of(&items),
            items,
        }
    }

    /// Reads what was written.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence: no map, another version, or not what its hash says.
    pub fn load(text: &str) -> Result<Self, String> {
        let map: Self =
            serde_json::from_str(text).map_err(|error| format!("it is not a map ({error})"))?;
        if map.schema_version != MAP_VERSION {
            let found: String = map.schema_version.chars().take(40).collect();
            return Err(format!("it is of version {found}; {MAP_VERSION} is known"));
        }
        if map.hash != hash_of(&map.items) {
            return Err("its hash does not match its contents".to_owned());
        }
        Ok(map)
    }

    /// The first files that fit into so many tokens; how many do not.
    #[must_use]
    pub fn within(self, tokens: u32) -> (Self, usize) {
        let all = self.items.len();
        let mut items = self.items;
        let size = |items: &[FileItem]| {
            let map = Self::from_items(items.to_vec());
            tokens_approx(&serde_json::to_string(&map).unwrap_or_default())
        };
        let (mut fits, mut exceeds) = (0, all + 1);
        while exceeds - fits > 1 {
            let middle = fits + (exceeds - fits) / 2;
            if size(&items[..middle]) <= tokens {
                fits = middle;
            } else {
                exceeds = middle;
            }
        }
        items.truncate(fits);
        (Self::from_items(items), all - fits)
    }

    /// Paths of files that are others now, or gone.
    #[must_use]
    pub fn stale(&self, code: &Analysis) -> Vec<&str> {
        let now = Self::build(code, |_| true);
        let is_same = |item: &&FileItem| {
            let found = now
                .items
                .binary_search_by(|known| known.path.cmp(&item.path));
            found.is_ok_and(|at| now.items[at].hash == item.hash)
        };
        let items = self.items.iter();
        items
            .filter(|item| !is_same(item))
            .map(|item| item.path.as_str())
            .collect()
    }
}

fn symbols(facts: &Facts) -> Vec<SymbolItem> {
    let is_told = |item: &&Item| !item.flags.contains(ItemFlags::LOCAL);
    let is_top = |item: &Item| {
        let outer = item
            .parent
            .and_then(|outer| facts.items.get(outer as usize));
        facts.str(item.container).is_empty() && outer.is_none_or(|outer| !outer.kind.is_type())
    };
    let symbol = |item: &Item| SymbolItem {
        kind: kind_word(item.kind.as_str(), is_top(item)).to_owned(),
        name: facts.str(item.name).to_owned(),
        signature: facts.str(item.signature).to_owned(),
        line_start: item.start.line + 1,
        line_end: item.end.line + 1,
    };
    facts.items.iter().filter(is_told).map(symbol).collect()
}

fn hash_of(items: &[FileItem]) -> String {
    let json = serde_json::to_vec(items).unwrap_or_default();
    hex(&xxh3_128(&json).to_be_bytes())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(path: &str) -> FileItem {
        FileItem {
            schema_version: MAP_VERSION.to_owned(),
            path: path.to_owned(),
            hash: "0".repeat(32),
            symbols: vec![SymbolItem {
                kind: "function".to_owned(),
                name: "total".to_owned(),
                signature: "def total(self)".to_owned(),
                line_start: 3,
                line_end: 4,
            }],
        }
    }

    #[test]
    fn what_was_written_is_read_and_what_was_changed_is_not() {
        let map = MapFile::from_items(vec![item("a.py"), item("b.py")]);
        let text = serde_json::to_string(&map).unwrap();
        assert_eq!(MapFile::load(&text), Ok(map));
        let changed = text.replace("total", "sum");
        assert!(MapFile::load(&changed).unwrap_err().contains("hash"));
        let later = text.replacen("repomap.v1", "repomap.v2", 1);
        assert!(MapFile::load(&later).unwrap_err().contains("repomap.v2"));
        assert!(MapFile::load("[]").is_err());
    }

    #[test]
    fn files_are_left_out_until_it_fits() {
        let map = MapFile::from_items((0..20).map(|n| item(&format!("{n}.py"))).collect());
        for tokens in [0, 60, 200, 400, 5000] {
            let (cut, left_out) = map.clone().within(tokens);
            let size = tokens_approx(&serde_json::to_string(&cut).unwrap());
            assert!(size <= tokens || cut.items.is_empty());
            assert_eq!(cut.items.len() + left_out, 20);
            assert!(MapFile::load(&serde_json::to_string(&cut).unwrap()).is_ok());
        }
        assert_eq!(map.clone().within(5000).0, map);
    }
}

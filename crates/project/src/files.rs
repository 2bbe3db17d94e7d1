//! The files of a root, in order, with what is asked of them while projects are put together.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::path;

/// All file paths of one root.
#[derive(Clone, Debug, Default)]
pub struct RootFiles {
    /// Normal paths in byte order, each once: what is below a folder is one range.
    paths: Vec<String>,
    /// Lower-case paths; [`AMBIGUOUS`] where two differ in case alone.
    lower: FxHashMap<String, u32>,
    /// Lower-case folders and their real names.
    folders: FxHashMap<String, String>,
}

const AMBIGUOUS: u32 = u32::MAX;

impl RootFiles {
    /// Takes paths relative to the root in any order; what leaves the root is dropped.
    pub fn new<I>(paths: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut paths: Vec<String> = paths
            .into_iter()
            .filter_map(|path| path::normalise(path.as_ref()))
            .filter(|path| !path.is_empty())
            .collect();
        paths.sort_unstable();
        paths.dedup();
        let mut lower = FxHashMap::default();
        lower.reserve(paths.len());
        let mut folders = FxHashMap::default();
        let mut last = String::new();
        for (index, path) in paths.iter().enumerate() {
            lower
                .entry(path.to_lowercase())
                .and_modify(|at| *at = AMBIGUOUS)
                .or_insert(index as u32);
            let folder = path::folder(path);
            if folder != last {
                for above in path::upward(folder) {
                    folders
                        .entry(above.to_lowercase())
                        .or_insert_with(|| above.to_owned());
                }
                folder.clone_into(&mut last);
            }
        }
        Self {
            paths,
            lower,
            folders,
        }
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The paths in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    /// Whether there is exactly this file.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        self.index(path).is_some()
    }

    pub(crate) fn index(&self, path: &str) -> Option<u32> {
        let found = self.paths.binary_search_by(|at| at.as_str().cmp(path));
        found.ok().map(|at| at as u32)
    }

    pub(crate) fn get(&self, index: u32) -> &str {
        self.paths.get(index as usize).map_or("", String::as_str)
    }

    /// The file of that path, or the only one that differs from it in case alone: manifests written
    /// on Windows do not know the difference.
    pub(crate) fn find(&self, path: &str) -> Option<&str> {
        if let Some(index) = self.index(path) {
            return Some(self.get(index));
        }
        let index = *self.lower.get(&path.to_lowercase())?;
        (index != AMBIGUOUS).then(|| self.get(index))
    }

    /// The files below a folder, as a range of indices.
    pub(crate) fn below(&self, folder: &str) -> Range<u32> {
        if folder.is_empty() {
            return 0..self.paths.len() as u32;
        }
        let bytes = folder.as_bytes();
        // A folder's files begin with its name and `/`; `0` is the character after `/`.
        let after = |path: &str, end: u8| path.as_bytes().iter().lt(bytes.iter().chain([&end]));
        let start = self.paths.partition_point(|path| after(path, b'/'));
        let end = self.paths.partition_point(|path| after(path, b'0'));
        start as u32..end as u32
    }

    /// Whether there is a file below that folder.
    pub(crate) fn has_folder(&self, folder: &str) -> bool {
        !self.below(folder).is_empty()
    }

    /// The folder of that name, or the one that differs from it in case alone.
    pub(crate) fn find_folder(&self, folder: &str) -> Option<&str> {
        self.folders.get(&folder.to_lowercase()).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_ranges() {
        let files = RootFiles::new(["b/x", "a-b/x", "a/x", "a/c/y", "a0", "./a/c/../x", "../out"]);
        let below = |folder| {
            let range = files.below(folder);
            range.map(|index| files.get(index)).collect::<Vec<_>>()
        };
        assert_eq!(below("a"), ["a/c/y", "a/x"]);
        assert_eq!(below("c"), [""; 0]);
        assert_eq!(below("").len(), 5);
        assert_eq!(files.find("A/C/Y"), Some("a/c/y"));
        assert_eq!(files.find_folder("A/c"), Some("a/c"));
    }

    #[test]
    fn two_files_that_differ_in_case_are_not_mixed_up() {
        let files = RootFiles::new(["A.cs", "a.cs"]);
        assert_eq!(files.find("a.cs"), Some("a.cs"));
        assert_eq!(files.find("a.CS"), None);
    }
}

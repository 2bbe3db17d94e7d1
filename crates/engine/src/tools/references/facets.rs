//! How the uses of a symbol that has very many of them are spread: by what is done there and by folder, before
//! any page of them (SPEC X4).

use std::collections::BTreeMap;

use codecortex_analysis::words::RoleWord;
use codecortex_ide::MergedUse;
use codecortex_resolve::{FileNo, RoleOf};
use rustc_hash::FxHashMap;

use crate::invocation::Invocation;

/// Folders that are told apart; the others are counted together.
const MAX_FOLDERS: usize = 12;
/// What stands for the other folders, and for places outside of the workspace.
const OTHERS: &str = "…";

/// Counts of the uses of a symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Facets {
    pub(super) by_role: BTreeMap<&'static str, u32>,
    pub(super) by_folder: BTreeMap<String, u32>,
}

impl Facets {
    pub(super) fn new(cx: &Invocation<'_>, uses: &[&MergedUse]) -> Self {
        let mut spread = Self::default();
        let mut roles: FxHashMap<RoleOf, u32> = FxHashMap::default();
        let mut by_file: FxHashMap<FileNo, u32> = FxHashMap::default();
        let mut outside = 0;
        for place in uses {
            *roles.entry(place.role).or_default() += 1;
            match place.is_outside {
                true => outside += 1,
                false => *by_file.entry(place.file).or_default() += 1,
            }
        }
        for (role, count) in roles {
            let word = RoleWord::from_role(role).as_str();
            *spread.by_role.entry(word).or_default() += count;
        }
        let files = by_file.into_iter();
        let files = files.map(|(file, count)| (folder_of(&cx.shown_path(file)), count));
        spread.by_folder = by_folder(files.collect(), outside);
        spread
    }

    /// The same as short comments.
    pub(super) fn text(&self) -> String {
        let list = |counts: &mut dyn Iterator<Item = (&str, u32)>| {
            let counts: Vec<String> = counts.map(|(of, count)| format!("{of} {count}")).collect();
            format!("// {}\n", counts.join(", "))
        };
        let mut roles = self.by_role.iter().map(|(role, count)| (*role, *count));
        let mut folders = self
            .by_folder
            .iter()
            .map(|(folder, count)| (folder.as_str(), *count));
        list(&mut roles) + &list(&mut folders)
    }
}

fn folder_of(path: &str) -> String {
    path.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

/// Counts by the folders right below the one that all files are in; what lies in that one itself counts as its
/// own.
fn by_folder(files: Vec<(String, u32)>, outside: u32) -> BTreeMap<String, u32> {
    let depth = common_depth(files.iter().map(|(folder, _)| folder.as_str())) + 1;
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (folder, count) in files {
        let end = folder.match_indices('/').nth(depth - 1);
        let shown = end.map_or(folder.as_str(), |(at, _)| &folder[..at]);
        *counts.entry(shown.to_owned()).or_default() += count;
    }
    let mut largest: Vec<(String, u32)> = counts.into_iter().collect();
    largest.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest = largest.split_off(largest.len().min(MAX_FOLDERS));
    let others = outside + rest.iter().map(|(_, count)| count).sum::<u32>();
    let others = (others > 0).then(|| (OTHERS.to_owned(), others));
    largest.into_iter().chain(others).collect()
}

/// With how many segments all folders begin alike.
fn common_depth<'a>(mut folders: impl Iterator<Item = &'a str>) -> usize {
    let Some(first) = folders.next() else {
        return 0;
    };
    let mut common: Vec<&str> = first.split('/').collect();
    for folder in folders {
        let alike = common
            .iter()
            .zip(folder.split('/'))
            .take_while(|(a, b)| *a == b);
        let alike = alike.count();
        common.truncate(alike);
    }
    common.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(files: &[(&str, u32)], outside: u32) -> Vec<(String, u32)> {
        let files = files
            .iter()
            .map(|(folder, count)| ((*folder).to_owned(), *count));
        by_folder(files.collect(), outside).into_iter().collect()
    }

    fn said(counts: &[(&str, u32)]) -> Vec<(String, u32)> {
        let counts = counts
            .iter()
            .map(|(folder, count)| ((*folder).to_owned(), *count));
        counts.collect()
    }

    /// SPEC X4.
    #[test]
    fn folders_are_those_below_what_all_have_in_common() {
        let files = [
            ("app/src/a", 3),
            ("app/src/b/c", 2),
            ("app/src/b", 1),
            ("app/src", 4),
        ];
        let expected = [("app/src", 4), ("app/src/a", 3), ("app/src/b", 3)];
        assert_eq!(counts(&files, 0), said(&expected));
        assert_eq!(
            counts(&[("app/src", 7)], 2),
            said(&[("app/src", 7), (OTHERS, 2)])
        );
        assert_eq!(
            counts(&[("one", 1), ("two/x", 2)], 0),
            said(&[("one", 1), ("two", 2)])
        );
    }

    #[test]
    fn of_many_folders_the_largest_are_told_apart() {
        let folders: Vec<String> = (0..40).map(|index| format!("app/d{index:02}")).collect();
        let files: Vec<(&str, u32)> = folders.iter().map(String::as_str).zip(1..).collect();
        let counts = counts(&files, 0);
        assert_eq!(counts.len(), MAX_FOLDERS + 1);
        assert_eq!(counts.last(), Some(&(OTHERS.to_owned(), (1..=28).sum())));
        assert_eq!(counts[0], ("app/d28".to_owned(), 29));
    }
}

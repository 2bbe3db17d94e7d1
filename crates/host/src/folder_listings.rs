//! What every folder held when it was listed last, and what a new listing says besides.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use codecortex_engine::protocol::{DirRef, EntryKind, Listing};
use rustc_hash::{FxHashSet, FxHasher};

/// What a listing has that the one before did not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Nothing.
    Nothing,
    /// Something that no watcher promises to tell: a time that nobody sets, as after a link was made to a file, that the
    /// folder cannot be listed, which the folder above tells of where it is gone, or that nothing is known to compare with.
    Untold,
    /// An entry is new, gone or another, of which a watcher tells.
    Told,
}

/// What one listing held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListingContent {
    /// Of what watchers tell.
    told: u64,
    /// Of everything.
    all: u64,
    is_readable: bool,
}

/// Every folder listed, as it was.
#[derive(Debug, Default)]
pub(crate) struct ListedFolders {
    folders: BTreeMap<DirRef, ListingContent>,
}

impl ListedFolders {
    /// The folders, those above before those below.
    pub(crate) fn dirs(&self) -> Vec<DirRef> {
        self.folders.keys().cloned().collect()
    }

    /// Remembers what a folder held. Whether that is news. Folders below that the listing does not have any more are
    /// forgotten with all that is below them: nobody asks for them again.
    pub(crate) fn note(&mut self, listing: &Listing) -> News {
        let dir = DirRef {
            root: listing.root,
            dir: listing.dir.clone(),
        };
        let held = held_by(listing);
        if listing.error.is_some() && !listing.dir.is_empty() {
            self.forget_below(&dir, |_| true);
            return match self.folders.remove(&dir) {
                Some(_) => News::Untold,
                None => News::Nothing,
            };
        }
        let before = self.folders.insert(dir.clone(), held);
        if before == Some(held) {
            return News::Nothing;
        }
        let is_dir =
            |entry: &&codecortex_engine::protocol::ListingEntry| entry.kind == EntryKind::Dir;
        let here = listing.entries.iter().filter(is_dir);
        let here: FxHashSet<&str> = here.map(|entry| entry.name.as_str()).collect();
        self.forget_below(&dir, |name| !here.contains(name));
        let is_told = before.is_some_and(|before| before.told != held.told && before.is_readable);
        match is_told && held.is_readable {
            true => News::Told,
            false => News::Untold,
        }
    }

    /// Forgets the folders below one whose name in it is such, and what is below these.
    fn forget_below(&mut self, dir: &DirRef, is_gone: impl Fn(&str) -> bool) {
        let prefix = match dir.dir.as_str() {
            "" => String::new(),
            dir => format!("{dir}/"),
        };
        let from = DirRef {
            root: dir.root,
            dir: prefix.clone(),
        };
        let below = self.folders.range(from..).map(|(dir, _)| dir);
        let below =
            below.take_while(|below| below.root == dir.root && below.dir.starts_with(&prefix));
        let gone = below.filter(|below| {
            let rest = &below.dir[prefix.len()..];
            let name = rest.split('/').next().unwrap_or(rest);
            !name.is_empty() && is_gone(name)
        });
        let gone: Vec<DirRef> = gone.cloned().collect();
        for dir in gone {
            self.folders.remove(&dir);
        }
    }
}

fn held_by(listing: &Listing) -> ListingContent {
    let (mut told, mut all) = (0u64, 0u64);
    for entry in &listing.entries {
        let mut hasher = FxHasher::default();
        entry.name.hash(&mut hasher);
        (entry.kind as u8).hash(&mut hasher);
        entry.size.to_bits().hash(&mut hasher);
        entry.mtime_ms.to_bits().hash(&mut hasher);
        entry.target.hash(&mut hasher);
        // The order in which a folder is listed means nothing.
        told = told.wrapping_add(hasher.finish());
        entry.changed_ms.to_bits().hash(&mut hasher);
        all = all.wrapping_add(hasher.finish());
    }
    let mut hasher = FxHasher::default();
    for file in &listing.ignore_files {
        (&file.name, &file.text, &file.above).hash(&mut hasher);
    }
    listing.error.hash(&mut hasher);
    let rest = hasher.finish();
    // What ignore files of folders above say, and of the user, is no entry of this one.
    all.hash(&mut hasher);
    ListingContent {
        told,
        all: hasher.finish().wrapping_add(rest),
        is_readable: listing.error.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_engine::protocol::{IgnoreFile, ListingEntry};

    fn listing(dir: &str, entries: &[(&str, EntryKind)]) -> Listing {
        let entry = |(name, kind): &(&str, EntryKind)| ListingEntry {
            name: (*name).to_owned(),
            kind: *kind,
            size: 3.0,
            mtime_ms: 5.0,
            changed_ms: 7.0,
            target: None,
        };
        Listing {
            root: 0,
            dir: dir.to_owned(),
            entries: entries.iter().map(entry).collect(),
            ignore_files: Vec::new(),
            error: None,
        }
    }

    fn gone(dir: &str) -> Listing {
        Listing {
            error: Some("gone".to_owned()),
            ..listing(dir, &[])
        }
    }

    fn known(listed: &ListedFolders) -> Vec<String> {
        listed.dirs().into_iter().map(|dir| dir.dir).collect()
    }

    #[test]
    fn what_is_below_a_folder_that_is_gone_is_forgotten_with_it() {
        use EntryKind::{Dir, File};
        let mut listed = ListedFolders::default();
        assert_eq!(
            listed.note(&listing("", &[("a", Dir), ("a-b", Dir)])),
            News::Untold
        );
        listed.note(&listing("a", &[("b", Dir)]));
        listed.note(&listing("a/b", &[("c.py", File)]));
        listed.note(&listing("a-b", &[]));
        assert_eq!(known(&listed), ["", "a", "a-b", "a/b"]);
        assert_eq!(listed.note(&listing("", &[("a-b", Dir)])), News::Told);
        assert_eq!(known(&listed), ["", "a-b"]);
        // Its listing was on its way when it went.
        assert_eq!(listed.note(&gone("a")), News::Nothing);
        // And a file in its place is no folder.
        assert_eq!(listed.note(&listing("", &[("a-b", File)])), News::Told);
        assert_eq!(known(&listed), [""]);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_nothing_that_a_watcher_tells_of() {
        use EntryKind::Dir;
        let mut listed = ListedFolders::default();
        listed.note(&listing("", &[("a", Dir)]));
        listed.note(&listing("a", &[("b", Dir)]));
        listed.note(&listing("a/b", &[]));
        assert_eq!(listed.note(&gone("a")), News::Untold);
        assert_eq!(known(&listed), [""]);
        assert_eq!(listed.note(&gone("a")), News::Nothing);
        // A root that goes and comes back.
        assert_eq!(listed.note(&gone("")), News::Untold);
        assert_eq!(listed.note(&gone("")), News::Nothing);
        assert_eq!(listed.note(&listing("", &[("a", Dir)])), News::Untold);
    }

    #[test]
    fn what_nobody_sets_is_news_that_nobody_tells() {
        use EntryKind::File;
        let mut listed = ListedFolders::default();
        let first = listing("", &[("a.py", File), ("b.py", File)]);
        listed.note(&first);
        assert_eq!(
            listed.note(&listing("", &[("b.py", File), ("a.py", File)])),
            News::Nothing
        );
        let mut replaced = first.clone();
        replaced.entries[1].changed_ms = 8.0;
        assert_eq!(listed.note(&replaced), News::Untold);
        assert_eq!(listed.note(&replaced), News::Nothing);
        let mut written = replaced.clone();
        written.entries[1].mtime_ms = 6.0;
        assert_eq!(listed.note(&written), News::Told);
        let mut ignored = written.clone();
        ignored.ignore_files.push(IgnoreFile {
            name: "core.excludesFile".to_owned(),
            text: "x\n".to_owned(),
            above: String::new(),
        });
        assert_eq!(listed.note(&ignored), News::Untold);
    }
}

//! The files in which each name occurs.
//!
//! All files' names are turned round at once when somebody asks first: one list behind the other, which takes some ms
//! for a million lines, where a list for each name took ten times that. What changes afterwards is kept beside it.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::ids::{FileNo, Name};

/// This part of the names may change before all is turned round again.
const MAX_CHANGED: usize = 4;

/// The files in which each name occurs.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    runs: OnceLock<Runs>,
    /// The whole lists of names of which the runs do not tell the truth any more.
    changed: FxHashMap<Name, Vec<FileNo>>,
}

/// The files of one name behind those of the other.
#[derive(Debug, Default)]
struct Runs {
    /// Where the files of each name end.
    ends: Vec<u32>,
    files: Vec<FileNo>,
    /// The files of names that a language's own library brought, whose numbers are behind all others.
    others: FxHashMap<Name, Vec<FileNo>>,
}

impl Postings {
    /// Notes that a file came with these names.
    pub(crate) fn add(&mut self, file: FileNo, names: &[Name]) {
        self.change(names, |files| {
            if files.last() != Some(&file) {
                files.push(file);
            }
        });
    }

    /// Notes that a file went that had these names.
    pub(crate) fn remove(&mut self, file: FileNo, names: &[Name]) {
        self.change(names, |files| files.retain(|entry| *entry != file));
    }

    fn change(&mut self, names: &[Name], change: impl Fn(&mut Vec<FileNo>)) {
        let Some(runs) = self.runs.get() else {
            return; // nobody has asked yet
        };
        for sym in names {
            let files = self.changed.entry(*sym);
            change(files.or_insert_with(|| runs.of(*sym).to_vec()));
        }
        if self.changed.len() > runs.ends.len() / MAX_CHANGED {
            *self = Self::default();
        }
    }

    /// The files of a name, where `all` are the names of each file in the order of files.
    pub(crate) fn build<'s, I: Iterator<Item = (FileNo, &'s [Name])>>(
        &self,
        sym: Name,
        names: usize,
        all: impl Fn() -> I,
    ) -> &[FileNo] {
        let runs = self.runs.get_or_init(|| Runs::new(names, all));
        match self.changed.get(&sym) {
            Some(files) => files,
            None => runs.of(sym),
        }
    }

    /// Bytes of memory they take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let runs = self.runs.get();
        let runs = runs.map_or(0, |runs| 4 * (runs.ends.capacity() + runs.files.capacity()));
        let changed = self.changed.values().map(|files| 4 * files.capacity() + 40);
        runs + changed.sum::<usize>()
    }
}

impl Runs {
    fn new<'s, I: Iterator<Item = (FileNo, &'s [Name])>>(
        names: usize,
        all: impl Fn() -> I,
    ) -> Self {
        // Where each list begins, which its entries push on to where it ends.
        let names_count = names;
        let mut ends = vec![0_u32; names + 1];
        let mut others: FxHashMap<Name, Vec<FileNo>> = FxHashMap::default();
        for (file, file_names) in all() {
            for sym in file_names {
                match ends.get_mut(sym.0 as usize + 1) {
                    Some(end) => *end += 1,
                    None => others.entry(*sym).or_default().push(file),
                }
            }
        }
        for index in 1..ends.len() {
            ends[index] += ends[index - 1];
        }
        let mut files = vec![0; ends[names] as usize];
        for (file, names) in all() {
            for sym in names {
                if sym.0 as usize >= names_count {
                    continue;
                }
                let end = &mut ends[sym.0 as usize];
                files[*end as usize] = file;
                *end += 1;
            }
        }
        ends.truncate(names);
        Self {
            ends,
            files,
            others,
        }
    }

    fn of(&self, sym: Name) -> &[FileNo] {
        let Some(end) = self.ends.get(sym.0 as usize) else {
            return self.others.get(&sym).map_or(&[], Vec::as_slice);
        };
        let start = match sym.0 {
            0 => 0,
            sym => self.ends[sym as usize - 1],
        };
        &self.files[start as usize..*end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Files come, change and go; every name has the files that have it.
        #[test]
        fn what_changes_is_found(
            changes in prop::collection::vec((0..8_u32, prop::collection::btree_set(0..9_u32, 0..6)), 1..40),
            asked in prop::collection::vec(any::<bool>(), 40),
        ) {
            let mut files: Vec<Vec<Name>> = vec![Vec::new(); 8];
            let mut postings = Postings::default();
            for ((file, names), is_asked) in changes.into_iter().zip(asked) {
                let names: Vec<Name> = names.into_iter().map(Name).collect();
                let before = std::mem::replace(&mut files[file as usize], names.clone());
                postings.remove(file, &before);
                postings.add(file, &names);
                let all = || {
                    let slots = files.iter().enumerate();
                    slots.map(|(file, names)| (file as FileNo, names.as_slice()))
                };
                for sym in (0..9).filter(|_| is_asked).map(Name) {
                    let mut found = postings.build(sym, 9, all).to_vec();
                    found.sort_unstable();
                    let wanted = (0..8).filter(|file| files[*file as usize].contains(&sym));
                    prop_assert_eq!(found, wanted.collect::<Vec<FileNo>>());
                }
            }
        }
    }
}

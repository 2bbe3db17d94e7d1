//! What kind of change each type and module has seen since the index was first complete (SPEC H4).
//!
//! Before a file's facts are replaced, the hashes of everything it has a part in are noted; when
//! somebody asks, they are compared with what they are then. So the cost follows the change: nothing is
//! hashed that no change has touched.

use std::collections::BTreeMap;

use codecortex_index::{Changes, FileId, HashRules, Hashes, Index, Place, Unit, has_modules};
use codecortex_syntax::{Facts, ItemIndex, Language, Reuse};

/// The most units of which changes are kept; the oldest are forgotten.
const MOST: usize = 10_000;

/// The most units that are known although they are as they were.
const MOST_UNCHANGED: usize = 512;

/// What has become of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another than before.
    Changed,
}

/// A unit that is not as it was.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) unit: Unit,
    pub(crate) fate: Fate,
    /// What differs from how it was at first; empty for what is new or gone.
    pub(crate) changes: Changes,
    /// Revision of the index that changed it last.
    pub(crate) revision: u32,
    /// A file that it is or was in, relative to its folder.
    pub(crate) file: Box<str>,
}

/// What was first known of a unit, and what is now.
#[derive(Debug)]
struct Record {
    first: Option<Hashes>,
    now: Option<Hashes>,
    revision: u32,
    /// A file that it is or was in, relative to its folder.
    file: Box<str>,
}

/// The changes of a workspace.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// By the family of its language besides: one of another may be called the same.
    records: BTreeMap<(Unit, Language), Record>,
    /// Units whose hashes may be others now, with the revision that touched them last.
    touched: BTreeMap<(Unit, Language), u32>,
    /// Revision from which on changes are kept.
    pub(crate) since: u32,
    is_on: bool,
}

impl Fate {
    /// The word in answers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

impl Recent {
    /// The index is complete: what it says now is what changes are told from.
    pub(crate) fn begin(&mut self, revision: u32) {
        if !self.is_on {
            self.is_on = true;
            self.since = revision;
        }
    }

    /// Forgets everything; another workspace begins.
    pub(crate) fn end(&mut self) {
        *self = Self::default();
    }

    /// Puts a file's facts into the index, or takes them out, and notes what that touches. `revision`
    /// is the index's afterwards.
    pub(crate) fn replace(
        &mut self,
        index: &mut Index,
        place: (u32, &str),
        facts: Option<Facts>,
        revision: u32,
    ) {
        let (root, path) = place;
        if let Some(id) = index.file_id(root, path) {
            self.note(index, id, None, revision);
        }
        match facts {
            Some(facts) => {
                let id = index.insert(root, path, facts);
                self.note(index, id, Some(id), revision);
            }
            None => drop(index.remove(root, path)),
        }
    }

    /// Puts the facts of a file that was edited into the index, of which `reuse` says what is as it was.
    pub(crate) fn edit(
        &mut self,
        index: &mut Index,
        place: (u32, &str),
        facts: Facts,
        reuse: Option<&Reuse>,
        revision: u32,
    ) {
        let id = index.file_id(place.0, place.1);
        let (Some(id), Some(reuse)) = (id, reuse) else {
            return self.replace(index, place, Some(facts), revision);
        };
        // What a file says beside its types, and the order in which it says it, is a change of all of them where no
        // module takes that.
        let concerns_all = (reuse.reorders || reuse.is_told) && !has_modules(facts.language);
        let own = |count| match concerns_all {
            true => 0..ItemIndex::MAX,
            false => reuse.first..reuse.first + count,
        };
        let was = index.units_in(id, own(reuse.removed));
        self.note_units(index, id, was, None, revision);
        index.exchange(id, facts, reuse);
        let is = index.units_in(id, own(reuse.added));
        self.note_units(index, id, is, Some(id), revision);
    }

    /// Notes how a file's units are, or were before that file was there.
    fn note(&mut self, index: &Index, id: FileId, without: Option<FileId>, revision: u32) {
        if self.is_on {
            self.note_units(index, id, index.units_of(id), without, revision);
        }
    }

    fn note_units(
        &mut self,
        index: &Index,
        id: FileId,
        units: Vec<(Unit, Place)>,
        without: Option<FileId>,
        revision: u32,
    ) {
        if !self.is_on {
            return;
        }
        let Some(file) = index.file(id) else {
            return;
        };
        let (file, family) = (&file.path, file.facts.language.family());
        for (unit, place) in units {
            let key = (unit, family);
            if let Some(record) = self.records.get_mut(&key) {
                if without.is_some() && record.file != *file {
                    record.file = file.clone(); // it has come to this one
                }
            } else {
                let rules = HashRules::default();
                let hashes = index.hashes_without(&key.0, place, rules, without);
                let record = Record {
                    first: hashes,
                    now: hashes,
                    revision: 0,
                    file: file.clone(),
                };
                self.records.insert(key.clone(), record);
            }
            self.touched.insert(key, revision);
        }
    }

    /// Looks at what was touched. That costs the hashes of all of it, so it waits until somebody asks.
    pub(crate) fn settle(&mut self, index: &Index) {
        for (key, revision) in std::mem::take(&mut self.touched) {
            let Some(record) = self.records.get_mut(&key) else {
                continue;
            };
            let (unit, family) = &key;
            let place = index.find_unit(unit, *family, &record.file);
            let now = place
                .and_then(|place| index.hashes_without(unit, place, HashRules::default(), None));
            if record.now != now {
                record.now = now;
                record.revision = revision;
            }
        }
        // What is as it was needs no record: the next change notes the same again. But that hashes all of
        // it, and where somebody types, the next change is a keystroke away.
        let unchanged = |record: &&Record| record.first == record.now;
        if self.records.values().filter(unchanged).count() > MOST_UNCHANGED {
            self.records.retain(|_, record| record.first != record.now);
        }
        if self.records.len() > MOST {
            let mut revisions: Vec<u32> = self
                .records
                .values()
                .map(|record| record.revision)
                .collect();
            let surplus = revisions.len() - MOST;
            let (_, oldest_kept, _) = revisions.select_nth_unstable(surplus);
            let oldest_kept = *oldest_kept;
            self.records
                .retain(|_, record| record.revision >= oldest_kept);
        }
    }

    /// Everything that is not as it was, the latest first.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let mut changes: Vec<Change> = self
            .records
            .iter()
            .filter_map(|((unit, _), record)| {
                let (fate, changes) = match (&record.first, &record.now) {
                    (None, Some(_)) => (Fate::Added, Changes::default()),
                    (Some(_), None) => (Fate::Removed, Changes::default()),
                    (Some(first), Some(now)) if first != now => {
                        (Fate::Changed, Changes::between(first, now))
                    }
                    _ => return None,
                };
                Some(Change {
                    unit: unit.clone(),
                    fate,
                    changes,
                    revision: record.revision,
                    file: record.file.clone(),
                })
            })
            .collect();
        changes.sort_by_key(|change| std::cmp::Reverse(change.revision));
        changes
    }
}

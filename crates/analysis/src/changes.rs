//! What kind of change each type and module has seen since the index was first complete (SPEC H4).
//!
//! Before a file's facts are replaced, the hashes of everything it has a part in are noted; when
//! somebody asks, they are compared with what they are then. So the cost follows the change: nothing is
//! hashed that no change has touched.

use std::collections::BTreeMap;

use codecortex_index::{
    ChangeKinds, FileId, HashRules, Hashed, Hashes, Index, IndexUnit, Symbol, UnitLocation,
    has_modules,
};
use codecortex_syntax::{Facts, ItemIndex, Language, Rest, Reuse};

/// The most units of which changes are kept; the oldest are forgotten.
const MAX: usize = 10_000;

/// The most units that wait to be looked at: a server that nobody asks for changes sees files come and go for weeks.
const MAX_TOUCHED: usize = 2 * MAX;

/// The most units that are known although they are as they were.
const MAX_UNCHANGED: usize = 512;

/// What has become of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another than before.
    Changed,
}

/// A unit that is not as it was.
#[derive(Clone, Debug)]
pub struct ChangedUnit {
    /// The type or module.
    pub unit: IndexUnit,
    /// What became of it.
    pub fate: Fate,
    /// What differs from how it was at first; empty for what is new or gone.
    pub changes: ChangeKinds,
    /// Revision of the index that changed it last.
    pub revision: u32,
    /// A file that it is or was in, relative to its folder.
    pub file: Box<str>,
}

/// What was first known of a unit, and what is now.
#[derive(Debug)]
struct UnitRecord {
    first: Option<Hashes>,
    now: Option<Hashed>,
    revision: u32,
    /// A file that it is or was in, relative to its folder.
    file: Box<str>,
}

impl UnitRecord {
    fn is_as_at_first(&self) -> bool {
        self.first == self.now.map(|now| now.hashes)
    }
}

/// What may be another of a unit, and the revision that touched it last.
#[derive(Clone, Copy, Debug)]
struct Touch {
    revision: u32,
    /// Whether it is no more than how its file looks beside it.
    is_beside: bool,
}

/// The changes of a workspace.
#[derive(Debug, Default)]
pub struct Recent {
    /// By the family of its language besides: one of another may be called the same.
    records: BTreeMap<(IndexUnit, Language), UnitRecord>,
    /// Units whose hashes may be others now.
    touched: BTreeMap<(IndexUnit, Language), Touch>,
    /// Revision from which on changes are kept.
    pub since: u32,
    is_on: bool,
}

impl Fate {
    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

impl Recent {
    /// The index is complete: what it says now is what changes are told from.
    pub fn begin(&mut self, revision: u32) {
        if !self.is_on {
            self.is_on = true;
            self.since = revision;
        }
    }

    /// Forgets everything; another workspace begins.
    pub fn end(&mut self) {
        *self = Self::default();
    }

    /// Puts a file's facts into the index, or takes them out, and notes what that touches. `revision`
    /// is the index's afterwards.
    pub fn replace(
        &mut self,
        index: &mut Index,
        place: (u32, &str),
        facts: Option<Facts>,
        revision: u32,
    ) {
        let known = index
            .file_id(place.0, place.1)
            .and_then(|id| index.file(id));
        let known = known.map(|file| *file.facts.summary());
        match facts {
            // It says what it said; where that could not be read, how it was cannot be told either.
            Some(facts) if known == Some(facts.summary()) => {
                index.insert(place.0, place.1, facts);
            }
            Some(facts) => self.put(index, place, revision, |index| {
                Some(index.insert(place.0, place.1, facts))
            }),
            None => self.put(index, place, revision, |index| {
                index.remove(place.0, place.1);
                None
            }),
        }
    }

    /// Has a file put into the index, or taken out, and notes what that touches.
    pub fn put(
        &mut self,
        index: &mut Index,
        place: (u32, &str),
        revision: u32,
        put: impl FnOnce(&mut Index) -> Option<FileId>,
    ) {
        if let Some(id) = index.file_id(place.0, place.1) {
            self.note(index, id, None, revision);
        }
        if let Some(id) = put(index) {
            self.note(index, id, Some(id), revision);
        }
        if self.touched.len() > MAX_TOUCHED {
            self.settle(index);
        }
    }

    /// Puts the facts of a file that was edited into the index, of which `reuse` says what is as it was.
    pub fn edit(
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
        if !self.is_on {
            return index.exchange(id, facts, reuse);
        }
        // What a file says beside its types is a change of all of them where no module takes that.
        let rest = match has_modules(facts.language) {
            true => Rest::Same,
            false => reuse.rest,
        };
        let own = |count| match rest {
            Rest::Other => 0..ItemIndex::MAX,
            _ => reuse.first..reuse.first + count,
        };
        let was = index.units_in(id, own(reuse.removed));
        self.note_units(index, id, was, None, revision);
        if rest == Rest::Cosmetic {
            self.note_beside(index, id, revision);
        }
        index.exchange(id, facts, reuse);
        // What is called as before are the same units.
        if !reuse.same_names {
            let is = index.units_in(id, own(reuse.added));
            self.note_units(index, id, is, Some(id), revision);
        }
    }

    /// Notes how a file's units are, or were before that file was there.
    fn note(&mut self, index: &Index, id: FileId, without: Option<FileId>, revision: u32) {
        if self.is_on {
            self.note_units(index, id, index.units_of(id), without, revision);
        }
    }

    /// Notes how a file's units are, of which no more may become another than what they look like for what is beside
    /// them.
    fn note_beside(&mut self, index: &Index, id: FileId, revision: u32) {
        self.note_touched(index, id, index.units_of(id), None, |touch| Touch {
            revision,
            is_beside: touch.is_none_or(|touch| touch.is_beside),
        });
    }

    fn note_units(
        &mut self,
        index: &Index,
        id: FileId,
        units: Vec<(IndexUnit, UnitLocation)>,
        without: Option<FileId>,
        revision: u32,
    ) {
        self.note_touched(index, id, units, without, |_| Touch {
            revision,
            is_beside: false,
        });
    }

    /// Notes units of a file, and what becomes of how they are touched.
    fn note_touched(
        &mut self,
        index: &Index,
        id: FileId,
        units: Vec<(IndexUnit, UnitLocation)>,
        without: Option<FileId>,
        touch: impl Fn(Option<&Touch>) -> Touch,
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
                let hashed = index.hashes_without(&key.0, place, rules, without);
                let record = UnitRecord {
                    first: hashed.map(|hashed| hashed.hashes),
                    now: hashed,
                    revision: 0,
                    file: file.clone(),
                };
                self.records.insert(key.clone(), record);
            }
            let touched = touch(self.touched.get(&key));
            self.touched.insert(key, touched);
        }
    }

    /// Looks at what was touched. That costs the hashes of all of it, so it waits until somebody asks.
    pub fn settle(&mut self, index: &Index) {
        for (key, touch) in std::mem::take(&mut self.touched) {
            let Some(record) = self.records.get_mut(&key) else {
                continue;
            };
            let (unit, family) = &key;
            let place = index.find_unit(unit, *family, &record.file);
            let now = match (record.now, place) {
                (Some(now), Some(UnitLocation::Type(symbol))) if touch.is_beside => {
                    beside_anew(index, symbol, now)
                }
                (_, place) => place.and_then(|place| {
                    index.hashes_without(unit, place, HashRules::default(), None)
                }),
            };
            if record.now.map(|now| now.hashes) != now.map(|now| now.hashes) {
                record.revision = touch.revision;
            }
            record.now = now;
        }
        // What is as it was needs no record: the next change notes the same again. But that hashes all of
        // it, and where somebody types, the next change is a keystroke away.
        let unchanged = self
            .records
            .values()
            .filter(|record| record.is_as_at_first());
        if unchanged.count() > MAX_UNCHANGED {
            self.records.retain(|_, record| !record.is_as_at_first());
        }
        if self.records.len() > MAX {
            let mut revisions: Vec<u32> = self
                .records
                .values()
                .map(|record| record.revision)
                .collect();
            let surplus = revisions.len() - MAX;
            let (_, oldest_kept, _) = revisions.select_nth_unstable(surplus);
            let oldest_kept = *oldest_kept;
            self.records
                .retain(|_, record| record.revision >= oldest_kept);
        }
    }

    /// Everything that is not as it was, the latest first.
    pub fn changes(&self) -> Vec<ChangedUnit> {
        let mut changes: Vec<ChangedUnit> = self
            .records
            .iter()
            .filter_map(|((unit, _), record)| {
                let now = record.now.map(|now| now.hashes);
                let (fate, changes) = match (&record.first, &now) {
                    (None, Some(_)) => (Fate::Added, ChangeKinds::default()),
                    (Some(_), None) => (Fate::Removed, ChangeKinds::default()),
                    (Some(first), Some(now)) if first != now => {
                        (Fate::Changed, ChangeKinds::between(first, now))
                    }
                    _ => return None,
                };
                Some(ChangedUnit {
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

/// What was known of a type, whose files may look otherwise beside it; `None` where it is gone.
fn beside_anew(index: &Index, symbol: Symbol, known: Hashed) -> Option<Hashed> {
    let cosmetic = index.looks_of_type(symbol, &known.looks)?;
    let hashes = Hashes {
        cosmetic,
        ..known.hashes
    };
    Some(Hashed { hashes, ..known })
}

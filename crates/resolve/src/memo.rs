//! Memoisation: what a question found out once, and what of it holds for whoever asks.
//!
//! Inference may lead back to what it is busy with. Whoever asks for that learns nothing, and an answer that was
//! made without it is not the whole one: it is counted as a cut, and nothing that was cut is kept.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::ty::Typed;

/// Types by what they are of.
#[derive(Debug)]
pub(crate) struct Memo<K> {
    pub(crate) known: RefCell<FxHashMap<K, Typed>>,
    /// What is being found out, one for the sake of the other: never more than a question is deep.
    pub(crate) open: RefCell<Vec<K>>,
}

impl<K> Default for Memo<K> {
    fn default() -> Self {
        Self {
            known: RefCell::default(),
            open: RefCell::default(),
        }
    }
}

impl<K: Copy + Eq + Hash> Memo<K> {
    /// Whether something is known.
    pub(crate) fn has(&self, key: &K) -> bool {
        self.known.borrow().contains_key(key)
    }

    /// Forgets everything and keeps the room for it.
    pub(crate) fn clear(&mut self) {
        self.known.get_mut().clear();
        self.open.get_mut().clear();
    }
}

/// What a language remembers for itself while questions are answered.
pub(crate) trait LanguageMemo: Any + Debug {
    /// Forgets everything, as if it were new.
    fn clear(&mut self);
}

/// The memos of all languages that were asked for theirs: one of each type.
#[derive(Debug, Default)]
pub(crate) struct LanguageMemos {
    first: OnceCell<Box<MemoEntry>>,
}

#[derive(Debug)]
struct MemoEntry {
    memo: Box<dyn LanguageMemo>,
    next: OnceCell<Box<MemoEntry>>,
}

impl LanguageMemos {
    /// The memo of this type, made the first time that somebody asks. Most workspaces have files of few languages, so
    /// it is one of the first.
    pub(crate) fn get<M: LanguageMemo + Default>(&self) -> &M {
        let mut place = &self.first;
        loop {
            let entry = place.get_or_init(|| {
                Box::new(MemoEntry {
                    memo: Box::<M>::default(),
                    next: OnceCell::new(),
                })
            });
            let memo: &dyn Any = &*entry.memo;
            if let Some(found) = memo.downcast_ref() {
                return found;
            }
            place = &entry.next;
        }
    }

    /// Lets each language forget.
    pub(crate) fn clear(&mut self) {
        let mut place = &mut self.first;
        while let Some(entry) = place.get_mut() {
            entry.memo.clear();
            place = &mut entry.next;
        }
    }
}

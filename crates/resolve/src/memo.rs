//! What a question found out once and need not find out again, and what of it holds for whoever asks.
//!
//! Inference may lead back to what it is busy with. Whoever asks for that learns nothing, and an answer that was
//! made without it is not the whole one: it is counted as a cut, and nothing that was cut is kept.

use std::cell::RefCell;
use std::hash::Hash;

use codecortex_bind::facts::ScopeId;
use rustc_hash::FxHashMap;

use crate::lookup::LookupRequest;
use crate::resolver::Resolver;
use crate::ty::Typed;
use crate::workspace::{FileNo, Name};

/// Types by what they are of.
#[derive(Debug)]
pub(crate) struct Memo<K> {
    known: RefCell<FxHashMap<K, Typed>>,
    /// What is being found out, one for the sake of the other: never more than a question is deep.
    open: RefCell<Vec<K>>,
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

/// A name that is looked up from a scope outwards in which it does not matter where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OuterLookupKey {
    file: FileNo,
    scope: ScopeId,
    /// Whether it stands in that scope itself.
    is_first: bool,
    name: Name,
    spaces: u8,
    arity: Option<usize>,
    beside: ScopeId,
    inherits: bool,
}

impl OuterLookupKey {
    pub(crate) fn new(
        file: FileNo,
        scope: ScopeId,
        is_first: bool,
        request: LookupRequest,
    ) -> Self {
        let LookupRequest {
            name,
            at: _,
            spaces,
            arity,
            beside,
            inherits,
        } = request;
        Self {
            file,
            scope,
            is_first,
            name,
            spaces,
            arity,
            beside,
            inherits,
        }
    }
}

impl Resolver<'_> {
    /// What is known of `key`, or what `look` finds, unless that is too deep.
    pub(crate) fn memoize_type<K: Copy + Eq + Hash>(
        &self,
        memo: &Memo<K>,
        key: K,
        look: impl FnOnce() -> Typed,
    ) -> Typed {
        if let Some(known) = memo.known.borrow().get(&key) {
            return known.clone();
        }
        if memo.open.borrow().contains(&key) {
            self.cut();
            return Typed::unknown();
        }
        memo.open.borrow_mut().push(key);
        let typed = self.with_depth(look);
        memo.open.borrow_mut().pop();
        let Some(typed) = typed else {
            return Typed::unknown();
        };
        memo.known.borrow_mut().insert(key, typed.clone());
        typed
    }

    /// What is kept under a key, or what `look` finds; that is kept if it is the whole answer.
    pub(crate) fn memoize<K: Eq + Hash, V: Clone>(
        &self,
        kept: &RefCell<FxHashMap<K, V>>,
        key: K,
        look: impl FnOnce() -> V,
    ) -> V {
        self.memoize_if(kept, key, look, || true)
    }

    /// The same for an answer that is only kept if that holds when it was made.
    pub(crate) fn memoize_if<K: Eq + Hash, V: Clone>(
        &self,
        kept: &RefCell<FxHashMap<K, V>>,
        key: K,
        look: impl FnOnce() -> V,
        holds: impl FnOnce() -> bool,
    ) -> V {
        if !self.is_calm() {
            return look();
        }
        if let Some(known) = kept.borrow().get(&key) {
            return known.clone();
        }
        let cuts = self.cuts.get();
        let found = look();
        if self.cuts.get() == cuts && holds() {
            kept.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// Something was not looked for, because that is being done already or would lead too far.
    pub(crate) fn cut(&self) {
        self.cuts.set(self.cuts.get().wrapping_add(1));
    }

    /// Whether an answer does not depend on what is being looked for around it.
    fn is_calm(&self) -> bool {
        self.open_parts.get() == 0
            && self.open_aliases.borrow().is_empty()
            && self.open_globs.borrow().is_empty()
    }
}

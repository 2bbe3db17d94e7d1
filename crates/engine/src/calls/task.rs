//! What a call and the executor know of each other.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use codecortex_protocol::{Effect, Located, Request, Response};
use rustc_hash::FxHashMap;

use crate::actions::Action;
use crate::calls::journal::Journal;
use crate::signals::Signal;

/// A call that is at work.
#[derive(Default)]
pub(crate) struct Task {
    /// Its number, which no other call has.
    pub(crate) number: u32,
    /// The caller's number of the call; none for a call of the engine's own.
    pub(crate) call: Option<u32>,
    /// Questions on their way, each with the journal that notes the reply.
    asked: RefCell<FxHashMap<u32, Rc<Journal>>>,
    /// Whether a reply has come since it was polled last.
    is_answered: Cell<bool>,
    /// What it waits for besides replies.
    signals: RefCell<Vec<Signal>>,
    /// Texts that are kept until it has all that it waits for.
    texts: RefCell<Vec<Located>>,
    /// What it wants done, since it was polled last.
    actions: RefCell<Vec<Action>>,
    /// What it has the host do, since it was polled last.
    effects: RefCell<Vec<Effect>>,
    /// Whether it has asked for something that must not be asked for twice.
    is_committed: Cell<bool>,
}

impl Task {
    pub(crate) fn new(number: u32, call: Option<u32>) -> Self {
        Self {
            number,
            call,
            ..Self::default()
        }
    }

    /// It is about to be polled: what it waits for then, it says itself.
    pub(super) fn begin_poll(&self) {
        self.is_answered.set(false);
        self.signals.borrow_mut().clear();
        self.texts.borrow_mut().clear();
    }

    /// Whether polling it may bring it on.
    pub(super) fn is_ready(&self, raised: &[Signal]) -> bool {
        let signals = self.signals.borrow();
        self.is_answered.get() || raised.iter().any(|signal| signals.contains(signal))
    }

    /// It waits for a signal.
    pub(super) fn wait_for(&self, signal: Signal) {
        self.signals.borrow_mut().push(signal);
    }

    /// It waits for texts.
    pub(super) fn wait_for_texts(&self, files: &[Located]) {
        self.texts.borrow_mut().extend_from_slice(files);
    }

    /// Whether it waits for a text that `is_it` fits.
    pub(super) fn waits_for_text(&self, is_it: impl Fn(&Located) -> bool) -> bool {
        self.texts.borrow().iter().any(is_it)
    }

    /// A question of it is on its way.
    pub(super) fn asked(&self, id: u32, journal: &Rc<Journal>, request: Request) {
        journal.note(id, request);
        self.asked.borrow_mut().insert(id, Rc::clone(journal));
    }

    /// A question of it is not asked any more.
    pub(super) fn forget(&self, id: u32) {
        self.asked.borrow_mut().remove(&id);
    }

    /// The reply to a question of it has come. The question, and the reply.
    pub(super) fn deliver(&self, id: u32, response: Response) -> Option<(Request, Rc<Response>)> {
        let journal = self.asked.borrow_mut().remove(&id)?;
        self.is_answered.set(true);
        journal.deliver(id, response)
    }

    /// The numbers of its questions that are on their way.
    pub(super) fn open_questions(&self) -> Vec<u32> {
        let mut open: Vec<u32> = self.asked.borrow().keys().copied().collect();
        open.sort_unstable();
        open
    }

    /// It asks for something that must not be asked for twice.
    pub(super) fn commit(&self) {
        self.is_committed.set(true);
    }

    /// Whether it has paid, recorded or changed something.
    pub(super) fn is_committed(&self) -> bool {
        self.is_committed.get()
    }

    /// Has something done when the poll has ended.
    pub(super) fn enqueue(&self, actions: Vec<Action>) {
        self.actions.borrow_mut().extend(actions);
    }

    /// Has the host do something when the poll has ended.
    pub(super) fn send(&self, effects: Vec<Effect>) {
        self.effects.borrow_mut().extend(effects);
    }

    /// What it has the host do.
    pub(super) fn take_effects(&self) -> Vec<Effect> {
        self.effects.take()
    }

    /// What it wants done.
    pub(super) fn take_actions(&self) -> Vec<Action> {
        self.actions.take()
    }
}

//! What a look of a handler is given.

use std::cell::RefCell;
use std::ops::Deref;

use codecortex_analysis::{Analysis, AnalysisView};
use codecortex_answer::Call;
use codecortex_ide::Question;

use crate::actions::Action;
use crate::session::Session;

/// A look at the session for a call: the view of the code, and what the answer sets in motion.
pub(crate) struct Invocation<'a> {
    pub(crate) session: &'a Session,
    pub(crate) question: Question<'a>,
    actions: RefCell<Vec<Action>>,
}

impl<'a> Deref for Invocation<'a> {
    type Target = Question<'a>;

    fn deref(&self) -> &Question<'a> {
        &self.question
    }
}

impl<'a> Invocation<'a> {
    pub(crate) fn new(session: &'a Session, call: &'a Call) -> Self {
        Self {
            session,
            question: session.question(call),
            actions: RefCell::default(),
        }
    }

    /// The same look at other code: a draft of an edit that is not made yet.
    pub(crate) fn with_code<'b>(&'b self, code: &'b Analysis) -> Invocation<'b> {
        Invocation {
            session: self.session,
            question: Question {
                view: AnalysisView::new(code, self.call, self.ledgers.clone()),
                providers: self.providers,
            },
            actions: RefCell::default(),
        }
    }

    /// Has something done after the call was answered. Looking sets nothing in motion.
    pub(crate) fn enqueue(&self, action: Action) {
        let is_look = matches!(action, Action::KeepOutline { .. } | Action::WantWindow);
        if is_look && self.call.is_editor {
            return;
        }
        self.actions.borrow_mut().push(action);
    }

    /// The types that were named so far count as used, and come back if they were dismissed (SPEC S2, D23).
    pub(crate) fn note_uses(&self) {
        for (root, id) in self.call.uses.take() {
            self.session.code.note_use(root, &id);
            if let Some(window) = self
                .session
                .context
                .window
                .borrow_mut()
                .roots
                .get_mut(root as usize)
            {
                window.dismissed.remove(&id);
            }
        }
    }

    /// What it sets in motion.
    pub(crate) fn into_actions(self) -> Vec<Action> {
        self.actions.into_inner()
    }
}

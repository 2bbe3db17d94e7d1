//! What an attempt at a call has asked the host, in its order.
//!
//! Where an attempt begins again, it gets the replies that the one before had for the same questions in the same order:
//! nothing is asked twice. A question that is another one ends what can be repeated.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use codecortex_protocol::{Request, Response};

/// A question, and the reply when it has come.
struct JournalEntry {
    id: u32,
    request: Request,
    response: Option<Rc<Response>>,
}

/// The questions of a call.
#[derive(Default)]
pub(crate) struct Journal {
    entries: RefCell<Vec<JournalEntry>>,
    /// Questions that the attempt at work has come to.
    at: Cell<usize>,
}

impl Journal {
    /// Another attempt begins.
    pub(crate) fn rewind(&self) {
        self.at.set(0);
    }

    /// The number of a question that the attempt before has asked at this place; none where it has not. The numbers of
    /// those that it has asked instead are put into `void`.
    pub(crate) fn repeated(&self, request: &Request, void: &mut Vec<u32>) -> Option<u32> {
        let mut entries = self.entries.borrow_mut();
        let at = self.at.get();
        match entries.get(at).filter(|entry| entry.request == *request) {
            Some(entry) => {
                self.at.set(at + 1);
                Some(entry.id)
            }
            None => {
                let kept = at.min(entries.len());
                let others = entries.drain(kept..);
                void.extend(others.map(|entry| entry.id));
                None
            }
        }
    }

    /// Notes a question that was asked now.
    pub(crate) fn note(&self, id: u32, request: Request) {
        let mut entries = self.entries.borrow_mut();
        entries.push(JournalEntry {
            id,
            request,
            response: None,
        });
        self.at.set(entries.len());
    }

    /// The reply to a question has come. The question, where this journal has it.
    pub(crate) fn deliver(&self, id: u32, response: Response) -> Option<(Request, Rc<Response>)> {
        let mut entries = self.entries.borrow_mut();
        let entry = entries.iter_mut().find(|entry| entry.id == id)?;
        let response = Rc::new(response);
        entry.response = Some(Rc::clone(&response));
        Some((entry.request.clone(), response))
    }

    /// The reply to a question; none before it has come.
    pub(crate) fn response(&self, id: u32) -> Option<Rc<Response>> {
        let entries = self.entries.borrow();
        let entry = entries.iter().find(|entry| entry.id == id)?;
        entry.response.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(root: u32) -> Request {
        Request::Log { root, most: 1 }
    }

    fn reply() -> Response {
        Response::Log { log: None }
    }

    #[test]
    fn an_attempt_that_begins_again_gets_the_replies_to_the_same_questions() {
        let (journal, mut void) = (Journal::default(), Vec::new());
        assert_eq!(journal.repeated(&log(0), &mut void), None);
        journal.note(1, log(0));
        journal.note(2, log(1));
        assert!(journal.deliver(1, reply()).is_some());
        journal.rewind();
        assert_eq!(journal.repeated(&log(0), &mut void), Some(1));
        assert!(journal.response(1).is_some());
        assert_eq!(journal.repeated(&log(1), &mut void), Some(2));
        assert!(journal.response(2).is_none(), "it is still on its way");
        assert!(void.is_empty());
    }

    #[test]
    fn another_question_takes_back_what_was_asked_instead() {
        let (journal, mut void) = (Journal::default(), Vec::new());
        for id in 1..4 {
            journal.note(id, log(id));
        }
        journal.rewind();
        assert_eq!(journal.repeated(&log(1), &mut void), Some(1));
        assert_eq!(journal.repeated(&log(9), &mut void), None);
        assert_eq!(void, [2, 3]);
        journal.note(4, log(9));
        assert!(journal.deliver(2, reply()).is_none());
        // Two of one kind are two questions.
        journal.note(5, log(9));
        journal.rewind();
        for id in [1, 4, 5] {
            let request = if id == 1 { log(1) } else { log(9) };
            assert_eq!(journal.repeated(&request, &mut void), Some(id));
        }
    }
}

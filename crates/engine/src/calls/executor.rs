//! Polls calls: one thread, no runtime, no waker. The engine says what has come, and which call that may bring on is
//! polled.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use codecortex_protocol::{Answer, Effect, Located, Request, Response};

use crate::actions::Action;
use crate::called::Called;
use crate::calls::task::Task;
use crate::signals::Signal;

/// The answer to a call.
pub(crate) struct Answered {
    pub(crate) answer: Answer,
    /// The path of the symbol on whose account it goes.
    pub(crate) subject: Option<String>,
}

/// A call that comes to an answer.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Answered>>>;

struct Running {
    task: Rc<Task>,
    called: Rc<Called>,
    answering: Answering,
    /// Whether it wants something done that has to be on the disk before it is answered.
    must_be_kept: bool,
}

/// What a poll of a call has come to.
pub(crate) struct Polled {
    pub(crate) called: Rc<Called>,
    /// What it wants done.
    pub(crate) actions: Vec<Action>,
    /// What it has the host do.
    pub(crate) effects: Vec<Effect>,
    /// The answer; none while it waits.
    pub(crate) answered: Option<Answered>,
    /// Whether an earlier poll wanted something done that has to be on the disk.
    pub(crate) must_be_kept: bool,
}

/// A call that was taken out, with the questions of it that are on their way.
pub(crate) struct Removed {
    pub(crate) called: Rc<Called>,
    pub(crate) questions: Vec<u32>,
}

/// The calls that are at work, in the order in which they began.
#[derive(Default)]
pub(crate) struct Executor {
    running: Vec<Running>,
    last: u32,
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let calls = self.running.iter().map(|running| &running.called);
        out.debug_list().entries(calls).finish()
    }
}

impl Executor {
    /// Takes a call in, which is polled for the first time by [`Self::poll`]. Its number.
    pub(crate) fn spawn(
        &mut self,
        called: Rc<Called>,
        is_own: bool,
        answering: impl FnOnce(&Rc<Task>) -> Answering,
    ) -> u32 {
        self.last = self.last.wrapping_add(1);
        let call = (!is_own).then_some(called.id);
        let task = Rc::new(Task::new(self.last, call));
        self.running.push(Running {
            answering: answering(&task),
            task,
            called,
            must_be_kept: false,
        });
        self.last
    }

    /// Whether no call is at work.
    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The numbers of all calls.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.running.iter().map(|of| of.task.number).collect()
    }

    /// The numbers of the calls that may go on: a reply has come, or one of these signals that they wait for.
    pub(crate) fn ready(&self, raised: &[Signal]) -> Vec<u32> {
        let ready = self.running.iter().filter(|of| of.task.is_ready(raised));
        ready.map(|of| of.task.number).collect()
    }

    /// Whether somebody's call has paid, recorded or changed something. One of the engine's own keeps what it has in its
    /// job or operation, and goes on.
    pub(crate) fn is_committed(&self, number: u32) -> bool {
        let mut running = self.running.iter();
        let found = running.find(|of| of.task.number == number);
        found.is_some_and(|of| of.task.call.is_some() && of.task.is_committed())
    }

    /// Lets a call go on. None where there is no such call. One that panics is gone.
    pub(crate) fn poll(&mut self, number: u32) -> Option<Polled> {
        let at = self.place(number)?;
        let mut running = self.running.remove(at);
        running.task.begin_poll();
        let polled = running
            .answering
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        let polled = Polled {
            called: Rc::clone(&running.called),
            actions: running.task.take_actions(),
            effects: running.task.take_effects(),
            must_be_kept: running.must_be_kept,
            answered: match polled {
                Poll::Ready(answered) => Some(answered),
                Poll::Pending => None,
            },
        };
        if polled.answered.is_none() {
            self.running.insert(at, running);
        }
        Some(polled)
    }

    /// Notes that a call wants something done that has to be on the disk before it is answered.
    pub(crate) fn must_be_kept(&mut self, number: u32) {
        if let Some(at) = self.place(number) {
            self.running[at].must_be_kept = true;
        }
    }

    /// The reply to a question of a call has come. The question; none where nobody waits for the reply.
    pub(crate) fn deliver(&self, number: u32, id: u32, response: Response) -> Option<Request> {
        let running = &self.running[self.place(number)?];
        let (request, _) = running.task.deliver(id, response)?;
        Some(request)
    }

    /// Takes the calls out that `is_it` fits: nobody wants their answers.
    pub(crate) fn remove(&mut self, is_it: impl Fn(&Called) -> bool) -> Vec<Removed> {
        let removed = self.running.extract_if(.., |of| is_it(&of.called));
        removed
            .map(|running| Removed {
                questions: running.task.open_questions(),
                called: running.called,
            })
            .collect()
    }

    /// Takes a call out by its number.
    pub(crate) fn remove_number(&mut self, number: u32) -> Option<Removed> {
        let running = self.running.remove(self.place(number)?);
        Some(Removed {
            questions: running.task.open_questions(),
            called: running.called,
        })
    }

    /// Whether a call waits for a text that `is_it` fits: it is kept for it.
    pub(crate) fn waits_for_text(&self, is_it: impl Fn(&Located) -> bool) -> bool {
        self.running.iter().any(|of| of.task.waits_for_text(&is_it))
    }

    fn place(&self, number: u32) -> Option<usize> {
        self.running.iter().position(|of| of.task.number == number)
    }
}

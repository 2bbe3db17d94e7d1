//! Calls that are open: begun, and answered when what they wait for is here.
//!
//! A call may wait for files, for git, for a model or for a tick. Who has one call waits for it ([`HostWorkspace::call`]);
//! who has several begins them all and looks now and then which are answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Answer, Caller, Event};
use serde_json::Value;

use super::{BUSY, HostWorkspace, MODEL_TURN, PATIENCE, TURN, internal_error};
use crate::clock::now_ms;
use crate::fault::FaultyStage;

/// A call that was begun and is not answered yet.
#[derive(Debug)]
pub struct OpenCall {
    id: u32,
    caller: Caller,
    part: FaultyStage,
    begun: Instant,
    /// Since when it waits for nothing but a tick.
    idle_since: Option<Instant>,
    /// Whether the engine failed at it.
    has_failed: bool,
}

impl OpenCall {
    /// Who called.
    #[must_use]
    pub fn caller(&self) -> Caller {
        self.caller
    }
}

impl HostWorkspace {
    /// Calls a tool and waits for its answer. Whatever the arguments are, there is one.
    pub fn call(&mut self, tool: &str, args: Value, caller: Caller) -> Answer {
        let mut call = self.begin_call(tool, args, caller);
        loop {
            if let Some(answer) = self.answer_of(&mut call) {
                return answer;
            }
            self.wait_for(&mut call);
        }
    }

    /// Begins a call, which [`Self::answer_of`] answers.
    pub fn begin_call(&mut self, tool: &str, args: Value, caller: Caller) -> OpenCall {
        let id = self.next_call;
        self.next_call = self.next_call.wrapping_add(1);
        let mut call = OpenCall {
            id,
            caller,
            part: FaultyStage::call(tool, &args),
            begun: Instant::now(),
            idle_since: None,
            has_failed: false,
        };
        let event = Event::Call {
            id,
            tool: tool.to_owned(),
            args,
            caller,
        };
        self.guarded(&mut call, |workspace| workspace.handle(event));
        self.part = FaultyStage::Start;
        call
    }

    /// The answer of a call, once it is there; this waits for nothing. Later there is none.
    pub fn answer_of(&mut self, call: &mut OpenCall) -> Option<Answer> {
        self.guarded(call, Self::take_replies);
        if let Some(answer) = self.answers.remove(&call.id) {
            self.part = FaultyStage::Start;
            let took_us = call.begun.elapsed().as_secs_f64() * 1e6;
            self.handle(Event::Answered {
                id: call.id,
                took_us,
            });
            return Some(answer);
        }
        self.part = FaultyStage::Start;
        if call.has_failed {
            return Some(internal_error(call.caller, "The tool failed."));
        }
        (!self.may_come(call)).then(|| internal_error(call.caller, "There was no answer."))
    }

    /// Gives a call up: what it waits for is given up, and [`Self::answer_of`] says that it was cancelled.
    pub fn cancel_call(&mut self, call: &mut OpenCall) {
        let event = Event::CancelCall { id: call.id };
        self.guarded(call, |workspace| workspace.handle(event));
        self.part = FaultyStage::Start;
    }

    /// Waits a moment for something that a call may wait for.
    pub fn wait_for(&mut self, call: &mut OpenCall) {
        self.guarded(call, |workspace| {
            if !workspace.workers.are_idle() {
                let is_all = !workspace.awaits_replies();
                workspace.step(if is_all { PATIENCE } else { TURN });
            } else if workspace.git.is_busy() {
                workspace.take_git_replies(TURN);
            } else if workspace.models.is_busy() {
                workspace.take_model_answers(MODEL_TURN);
            } else {
                workspace.wait_for_tick();
            }
        });
        self.part = FaultyStage::Start;
    }

    /// Takes in what a call waits for of the disk, after waiting for it at most this long. A fault is put down to the call.
    pub(crate) fn step_for(&mut self, call: Option<&mut OpenCall>, patience: Duration) {
        let Some(call) = call else {
            self.step(patience);
            return;
        };
        self.guarded(call, |workspace| {
            workspace.step(patience);
        });
        self.part = FaultyStage::Start;
    }

    /// Whether git has still to answer somebody.
    pub(crate) fn awaits_git(&self) -> bool {
        self.git.is_busy()
    }

    /// Whether a model has still to answer somebody.
    pub(crate) fn awaits_model(&self) -> bool {
        self.models.is_busy()
    }

    /// Whether git or a model has still to answer somebody.
    #[must_use]
    pub fn awaits_replies(&self) -> bool {
        self.git.is_busy() || self.models.is_busy()
    }

    /// Takes in what git and models have answered calls of the engine itself, whether or not anybody else's call is open.
    pub(crate) fn take_own_replies(&mut self) {
        self.take_git_replies(Duration::ZERO);
        self.part = FaultyStage::Start;
        self.take_model_answers(Duration::ZERO);
    }

    /// Takes in what git and models have answered, and the tick that it is time for.
    fn take_replies(&mut self) {
        self.take_git_replies(Duration::ZERO);
        self.take_model_answers(Duration::ZERO);
        if self.awaits_replies() {
            self.tick_if_due();
        }
    }

    /// Takes in what git has answered, after waiting for it at most this long.
    pub(super) fn take_git_replies(&mut self, patience: Duration) {
        let mut wait = patience;
        while let Some(reply) = self.git.next(wait) {
            self.part = reply.part;
            self.handle(Event::Replied {
                id: reply.id,
                reply: reply.response,
                now_ms: now_ms(),
            });
            wait = Duration::ZERO;
        }
    }

    /// Whether anything is on its way that an open call may wait for.
    fn may_come(&self, call: &mut OpenCall) -> bool {
        if self.awaits_replies() || !self.workers.are_idle() {
            call.idle_since = None;
            return true;
        }
        let since = *call.idle_since.get_or_insert_with(Instant::now);
        self.tick_at.is_some() && since.elapsed() <= BUSY + BUSY
    }

    /// Does something for a call. A fault in one tool must not end a server: it is noted.
    fn guarded(&mut self, call: &mut OpenCall, work: impl FnOnce(&mut Self)) {
        self.part.clone_from(&call.part);
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            self.broken_at = Some(self.part.clone());
            call.has_failed = true;
        }
    }
}

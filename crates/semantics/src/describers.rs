//! Jobs for whoever describes types: given out by an effect, ended by an event (SPEC I3, I4; `000` §3.2, §5.2).
//!
//! Nothing is given out before a host says that a describer is there. A job is on the disk before it begins,
//! so that another process on the same folder sees that somebody is at it: it is taken from the ledger with
//! the update that is then committed, and begins when that is done. What a describer says is noted with the
//! next update in the same way. A job whose types were cancelled, went or are grouped otherwise by then is
//! taken back, and what is still said about it counts for nothing.

use codecortex_ledger::{Job, Ledger, Millis, State};
use codecortex_protocol::Description;

/// A job that was given out.
#[derive(Debug)]
pub struct Given {
    /// Its number between engine and host.
    pub id: u32,
    /// What is to be described.
    pub job: Job,
    /// It has begun: what it is, is on the disk.
    pub has_begun: bool,
    /// What became of it, until the ledger knows.
    pub outcome: Option<Description>,
}

/// What is being described in one root.
#[derive(Debug, Default)]
pub struct Describers {
    /// How many jobs may run at a time; none before somebody says so.
    pub places: u32,
    /// Jobs that were given out.
    pub given: Vec<Given>,
    /// Types that somebody wants described, or no longer.
    pub wishes: Vec<(String, bool)>,
    /// Of wishes and of jobs that are over, what the ledger knows but the disk does not yet.
    pub unwritten: (Vec<(String, bool)>, Vec<Given>),
    /// There is something to tell the ledger.
    pub has_news: bool,
    /// When a job may be given out that has to wait.
    retry_at: Option<Millis>,
}

impl Describers {
    /// Whether something is to be done at this time.
    pub fn is_due(&self, ledger: Option<&Ledger>, now: Millis) -> bool {
        let passed = |at: Option<Millis>| at.is_some_and(|at| at <= now);
        self.has_news || passed(self.retry_at) || passed(ledger.and_then(Ledger::lease_ends))
    }

    /// When something is to be done next: a job whose time is over, one that may be tried again.
    pub fn due(&self, ledger: &Ledger) -> Option<Millis> {
        let times = self.retry_at.into_iter().chain(ledger.lease_ends());
        times.min()
    }

    /// Tells the ledger what was wished and what became of jobs; gives the numbers of jobs to take back.
    pub fn tell(&mut self, ledger: &mut Ledger, now: Millis) -> Vec<u32> {
        for (id, is_wanted) in &self.wishes {
            // A type that is gone, or a text that nobody waits for, cannot be meant.
            if *is_wanted {
                let _ = ledger.enqueue(id, now);
            } else if ledger.cancel(id, now) == Ok(State::Pending) {
                // Who was at it has gone back into the queue; it is to leave that as well.
                let _ = ledger.cancel(id, now);
            }
        }
        for given in &self.given {
            // What another one has taken over, or what is void, counts for nothing.
            let _ = match &given.outcome {
                Some(Description::Done) => ledger.succeed(&given.job, now).map(drop),
                Some(Description::Failed { error }) => ledger.fail(&given.job, error, now),
                None => continue,
            };
        }
        self.unwritten.0.append(&mut self.wishes);
        let (over, open): (Vec<Given>, Vec<Given>) = std::mem::take(&mut self.given)
            .into_iter()
            .partition(|given| given.outcome.is_some());
        self.unwritten.1.extend(over);
        self.given = open;
        ledger.recover(now);
        let (running, void): (Vec<Given>, Vec<Given>) = std::mem::take(&mut self.given)
            .into_iter()
            .partition(|given| ledger.is_running(&given.job));
        self.given = running;
        let begun = void.into_iter().filter(|given| given.has_begun);
        begun.map(|given| given.id).collect()
    }

    /// Takes jobs from the ledger while there are places.
    pub fn take(&mut self, ledger: &mut Ledger, now: Millis, mut number: impl FnMut() -> u32) {
        self.has_news = false;
        self.retry_at = None;
        while self.given.len() < self.places as usize {
            let Some(job) = ledger.dispatch(now) else {
                let waiting = ledger.waiting().into_iter();
                let wait = waiting.map(|unit| unit.wait).filter(|wait| *wait > 0).min();
                self.retry_at = wait.map(|wait| now.saturating_add(wait));
                break;
            };
            self.given.push(Given {
                id: number(),
                job,
                has_begun: false,
                outcome: None,
            });
        }
    }

    /// The ledger is read anew, because the disk says something else: jobs that have not begun are none, and
    /// what was told is to be told again.
    pub fn begin_again(&mut self) {
        let (mut wishes, over) = std::mem::take(&mut self.unwritten);
        wishes.append(&mut self.wishes);
        self.wishes = wishes;
        self.given.retain(|given| given.has_begun);
        self.given.extend(over);
        self.has_news = true;
    }
}

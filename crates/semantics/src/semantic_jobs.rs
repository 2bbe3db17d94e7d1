//! Jobs for whoever describes types, and texts that somebody brought (SPEC I3, I4, X12; `000` §3.2, §5.2).
//!
//! Nothing is given out before a host says that a model is there. A job is on the disk before it begins,
//! so that another process on the same folder sees that somebody is at it: it is taken from the ledger with
//! the update that is then committed, and begins when that is done. What came of it is noted with the
//! next update in the same way, its text with it. A job whose types were cancelled, went or are grouped otherwise by
//! then is taken back, and what is still said about it counts for nothing.

use codecortex_ledger::{Job, Ledger, Millis, Seen, State};
use serde::{Deserialize, Serialize};

/// How often a quota is looked at that is used up, in ms.
const LOOK_AGAIN: Millis = 15 * 60 * 1_000;

/// So long after an answer of its model a process counts as at work, in ms: when it ended without a word, others wait no
/// longer.
const WORKER_FOR: Millis = 5 * 60 * 1_000;

/// Why nothing is given out meanwhile.
const ELSEWHERE: &str = "another process describes types of this folder, and makes these too; where it was ended, they are \
    free after five minutes, or at once with --cancel";

/// Which process describes types of a folder: one at a time, as `state.json` says (SPEC SE2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// A number that two processes hardly have in common: the job that it began with, and when.
    pub number: u64,
    /// Until when it describes types unless it says more, in ms since 1970.
    pub until: Millis,
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There is a text, or the text that is there was found to be right; these files make it so.
    Done(Vec<TextFile>),
    /// There is none. It is tried again after a while, three times, and not before so many ms.
    Failed(String, Millis),
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// Relative to `.context/`.
    pub path: String,
    /// What it holds then.
    pub text: String,
}

/// A job that was given out.
#[derive(Debug)]
pub struct Given {
    /// Its number.
    pub id: u32,
    /// What is to be described.
    pub job: Job,
    /// It has begun: what it is, is on the disk.
    pub has_begun: bool,
    /// What became of it, until the ledger knows.
    pub outcome: Option<Outcome>,
}

/// A text that somebody brought without having been given a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// The type or group.
    pub id: String,
    /// What its author saw of each type.
    pub seen: Vec<Seen>,
    /// The files.
    pub files: Vec<TextFile>,
}

/// What is being described in one root.
#[derive(Debug, Default)]
pub struct SemanticJobs {
    /// How many jobs may run at a time; none before somebody says so.
    pub slots: u32,
    /// Why no more are given out for now: a quota, which passes.
    pub over_quota: Option<String>,
    /// Why no more are given out for now: another process describes types of this folder.
    pub elsewhere: Option<String>,
    /// This process as it is noted while it describes types; its number holds for the session.
    pub worker: Option<Worker>,
    /// Why no more are given out until somebody does something: a key that was refused.
    pub refused: Option<String>,
    /// Jobs that were given out.
    pub given: Vec<Given>,
    /// Types that somebody wants described, or no longer.
    pub wishes: Vec<(String, bool)>,
    /// Types whose text is not on the disk any more.
    pub lost: Vec<String>,
    /// Texts that were brought.
    pub accepted: Vec<Accepted>,
    /// What the ledger knows but the disk does not yet.
    unwritten: Unwritten,
    /// There is something to tell the ledger.
    pub has_news: bool,
    /// When a job may be given out that has to wait.
    retry_at: Option<Millis>,
}

#[derive(Debug, Default)]
struct Unwritten {
    wishes: Vec<(String, bool)>,
    over: Vec<Given>,
    accepted: Vec<Accepted>,
}

/// What follows from what the ledger was told.
#[derive(Debug, Default)]
pub struct Told {
    /// Numbers of jobs that began and are void.
    pub void: Vec<u32>,
    /// Files to write with the ledger's.
    pub files: Vec<TextFile>,
    /// Texts that were brought and are not taken: the id of the type, and why.
    pub refused: Vec<(String, String)>,
}

impl SemanticJobs {
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

    /// Whether another process describes types of this folder: one is noted that said so a short while ago, and a type is being
    /// described that is none of the jobs of this process.
    #[must_use]
    pub fn is_elsewhere(&self, ledger: &Ledger, noted: Option<Worker>, now: Millis) -> bool {
        let is_other = |noted: Worker| self.worker.is_none_or(|own| own.number != noted.number);
        let own: usize = self.given.iter().map(|given| given.job.types.len()).sum();
        // A time too far off is of another clock.
        let holds = |noted: Worker| noted.until > now && noted.until - now <= WORKER_FOR;
        noted.is_some_and(|noted| is_other(noted) && holds(noted))
            && ledger.in_state(State::Generating).count() > own
    }

    /// What is to be noted of this process from now on: that it describes types while it has jobs, and nothing afterwards.
    pub fn note_worker(&mut self, now: Millis) -> Option<Worker> {
        if self.given.is_empty() {
            // Its number stays: that it is at an end may not be on the disk yet.
            return None;
        }
        let first = self.given.first().map_or(0, |given| given.job.ticket);
        let number = now.wrapping_mul(31).wrapping_add(first);
        let mut worker = self.worker.unwrap_or(Worker { number, until: 0 });
        let half = WORKER_FOR / 2;
        if worker.until <= now.saturating_add(half) {
            worker.until = now.saturating_add(WORKER_FOR);
        }
        self.worker = Some(worker);
        self.worker
    }

    /// Why no more are given out.
    pub fn held(&self) -> Option<&String> {
        let held = self.refused.as_ref().or(self.over_quota.as_ref());
        held.or(self.elsewhere.as_ref())
    }

    /// What somebody brought last of a type or group, while the ledger was not told of it.
    #[must_use]
    pub fn brought(&self, id: &str) -> Option<&Accepted> {
        self.accepted.iter().rfind(|brought| brought.id == id)
    }

    /// What a file below `.context/` will say when everything that was brought is on the disk.
    #[must_use]
    pub fn text_on_its_way(&self, path: &str) -> Option<&str> {
        let brought = self.unwritten.accepted.iter().chain(&self.accepted);
        let mut files = brought.flat_map(|brought| &brought.files);
        let last = files.rfind(|file| file.path == path)?;
        Some(&last.text)
    }

    /// Tells the ledger what was wished, what was brought and what became of jobs.
    pub fn tell(&mut self, ledger: &mut Ledger, now: Millis) -> Told {
        let mut told = Told::default();
        for id in std::mem::take(&mut self.lost) {
            ledger.lose_text(&id, now);
        }
        for (id, is_wanted) in &self.wishes {
            // A type that is gone, or a text that nobody waits for, cannot be meant.
            if *is_wanted {
                let _ = ledger.enqueue(id, now);
            } else if ledger.cancel(id, now) == Ok(State::Pending) {
                // Who was at it has gone back into the queue; it is to leave that as well.
                let _ = ledger.cancel(id, now);
            }
        }
        for brought in &self.accepted {
            match ledger.accept(&brought.id, &brought.seen, now) {
                Ok(_) => told.files.extend(brought.files.iter().cloned()),
                Err(why) => told.refused.push((brought.id.clone(), why.to_string())),
            }
        }
        for given in &self.given {
            // What another one has taken over, or what is void, counts for nothing.
            match &given.outcome {
                Some(Outcome::Done(files)) if ledger.succeed(&given.job, now).is_ok() => {
                    told.files.extend(files.iter().cloned());
                }
                Some(Outcome::Failed(error, wait))
                    if ledger.fail(&given.job, error, now).is_ok() =>
                {
                    ledger.wait_for(&given.job, *wait);
                }
                _ => {}
            }
        }
        self.unwritten.wishes.append(&mut self.wishes);
        self.unwritten.accepted.append(&mut self.accepted);
        let (over, open): (Vec<Given>, Vec<Given>) = std::mem::take(&mut self.given)
            .into_iter()
            .partition(|given| given.outcome.is_some());
        self.unwritten.over.extend(over);
        ledger.recover(now);
        let (running, void): (Vec<Given>, Vec<Given>) = open
            .into_iter()
            .partition(|given| ledger.is_running(&given.job));
        self.given = running;
        let begun = void.into_iter().filter(|given| given.has_begun);
        told.void = begun.map(|given| given.id).collect();
        told
    }

    /// Takes jobs from the ledger while there are slots and a quota allows one more beside so many that are open; none
    /// where another process describes types of this folder.
    pub fn take(
        &mut self,
        ledger: &mut Ledger,
        now: Millis,
        is_elsewhere: bool,
        quota: impl Fn(u32) -> Option<String>,
        mut number: impl FnMut() -> u32,
    ) {
        self.has_news = false;
        self.retry_at = None;
        self.over_quota = None;
        self.elsewhere = None;
        if is_elsewhere {
            if ledger.waiting_count() > 0 && self.slots > 0 {
                self.elsewhere = Some(ELSEWHERE.to_owned());
            }
            return;
        }
        while self.refused.is_none() && self.given.len() < self.slots as usize {
            if ledger.waiting_count() > 0 {
                self.over_quota = quota(self.given.len() as u32);
            }
            if self.over_quota.is_some() {
                self.retry_at = Some(now.saturating_add(LOOK_AGAIN));
                break;
            }
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

    /// The job of this number, if it has begun and is open.
    pub fn running(&self, id: u32) -> Option<&Job> {
        let mut given = self.given.iter();
        let found = given.find(|given| given.id == id && given.has_begun)?;
        found.outcome.is_none().then_some(&found.job)
    }

    /// A job is over.
    pub fn end(&mut self, id: u32, outcome: Outcome) {
        let mut given = self.given.iter_mut();
        if let Some(given) = given.find(|given| given.id == id && given.has_begun) {
            given.outcome = Some(outcome);
            self.has_news = true;
        }
    }

    /// What was told is on the disk; gives the jobs that begin with that.
    pub fn written(&mut self) -> Vec<u32> {
        self.unwritten = Unwritten::default();
        let new = self.given.iter_mut().filter(|given| !given.has_begun);
        new.map(|given| {
            given.has_begun = true;
            given.id
        })
        .collect()
    }

    /// The ledger is read anew, because the disk says something else: jobs that have not begun are none, and
    /// what was told is to be told again.
    pub fn begin_again(&mut self) {
        let mut again = std::mem::take(&mut self.unwritten);
        again.wishes.append(&mut self.wishes);
        self.wishes = again.wishes;
        again.accepted.append(&mut self.accepted);
        self.accepted = again.accepted;
        self.given.retain(|given| given.has_begun);
        self.given.extend(again.over);
        self.has_news = true;
    }
}

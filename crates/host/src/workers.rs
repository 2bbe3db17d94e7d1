//! The threads that list folders and read files.
//!
//! Jobs wait in one line. What is wanted first goes to its head: a file that a caller waits for, and
//! folders, so that it is soon known how much there is to read. What a job gives goes to the one
//! inbox that the workspace reads.
//!
//! Who reads the inbox watches the jobs as well. One that takes longer than any can is given up: a sentence stands in
//! its result's place, another thread in that of its own ([`crate::abandon`]), and the same job is not tried again while
//! it hangs, or, where it was the parser that hung, until the file is another one.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{DirRef, FileRef, Listing, ReadLimits, Root};
use codecortex_syntax::parse_host::parse_on_this_thread;
use codecortex_syntax::{Limits, Outcome, SkipReason};

use crate::abandon::{self, Handover, STACK, park};
use crate::clock::thread_cpu;
use crate::disk::{self, FileRead, FileStat};

/// A job is given up when it is found overdue twice, with this in between: a program that was stopped for a while has
/// worked on none of them.
const SECOND_LOOK: Duration = Duration::from_secs(1);

/// Something to do with the disk.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    List(DirRef),
    /// By other limits than most, where there are any.
    Read(FileRef, Option<ReadLimits>),
}

/// What a job gave, and what it cost.
#[derive(Debug)]
pub(crate) enum Done {
    Listed(Listing, Duration),
    Read(Box<FileRead>, Duration),
}

/// What threads do when there is nothing to do.
pub(crate) type OnRest = Arc<dyn Fn() + Send + Sync>;

/// Is told of each job on its thread.
#[cfg(test)]
type OnJob = Arc<dyn Fn(&Job) + Send + Sync>;

/// What every job needs to know.
struct JobSettings {
    roots: Vec<Root>,
    limits: Limits,
    /// How long a job may take.
    limit: Duration,
    /// For tests of jobs that hang.
    #[cfg(test)]
    on_job: Option<OnJob>,
}

/// A job that a thread is at.
struct Running {
    number: u64,
    job: Job,
    /// The file's state when it was parsed, which it is since then.
    parsed: Option<FileStat>,
    /// Of that parse.
    handover: Arc<Handover>,
    until: Instant,
    is_overdue: bool,
}

/// A job that was given up.
struct Hung {
    job: Job,
    number: u64,
    parsed: Option<FileStat>,
}

/// What the threads have in common.
#[derive(Default)]
struct WorkerPool {
    jobs: VecDeque<Job>,
    running: Vec<Running>,
    hung: Vec<Hung>,
    next_number: u64,
    /// How often the threads were told to rest.
    rests: u64,
    on_rest: Option<OnRest>,
    /// Threads that wait for a job.
    idle: usize,
    is_over: bool,
}

struct WorkerShared {
    setting: JobSettings,
    line: Mutex<WorkerPool>,
    /// There is something for a thread.
    wake: Condvar,
}

/// A thread and the number of the job it began last.
struct Worker {
    thread: JoinHandle<()>,
    job: Arc<Mutex<u64>>,
}

/// A line of jobs and those who do them.
pub(crate) struct Workers {
    shared: Arc<WorkerShared>,
    threads: Vec<Worker>,
    most: usize,
    sender: Sender<Done>,
    results: Receiver<Done>,
    /// Jobs given and not taken back as results.
    open: usize,
}

impl Workers {
    /// Workers on up to so many threads.
    pub(crate) fn new(roots: Vec<Root>, limits: Limits, threads: usize) -> Self {
        let setting = JobSettings {
            roots,
            limits,
            limit: abandon::limit(),
            #[cfg(test)]
            on_job: None,
        };
        Self::with(setting, threads)
    }

    fn with(setting: JobSettings, threads: usize) -> Self {
        let (sender, results) = channel();
        Self {
            shared: Arc::new(WorkerShared {
                setting,
                line: Mutex::default(),
                wake: Condvar::new(),
            }),
            threads: Vec::new(),
            most: threads.max(1),
            sender,
            results,
            open: 0,
        }
    }

    /// Whether every result was taken.
    pub(crate) fn are_idle(&self) -> bool {
        self.open == 0
    }

    /// Whether a folder was given up when it was listed, and hangs since.
    pub(crate) fn hangs_at(&self, dir: &DirRef) -> bool {
        let line = self.shared.lock();
        let is_it = |hung: &Hung| matches!(&hung.job, Job::List(hung) if hung == dir);
        line.hung.iter().any(is_it)
    }

    /// Has each of the threads do something when it has no job.
    pub(crate) fn rest(&self, on_rest: OnRest) {
        let mut line = self.shared.lock();
        line.rests += 1;
        line.on_rest = Some(on_rest);
        drop(line);
        self.shared.wake.notify_all();
    }

    /// Adds jobs to the line, or puts them at its head.
    pub(crate) fn add(&mut self, jobs: impl ExactSizeIterator<Item = Job>, first: bool) {
        let count = jobs.len();
        self.open += count;
        let mut line = self.shared.lock();
        for job in jobs {
            if first {
                line.jobs.push_front(job);
            } else {
                line.jobs.push_back(job);
            }
        }
        let missing = line.jobs.len().saturating_sub(line.idle);
        drop(line);
        self.start(missing.min(self.most.saturating_sub(self.threads.len())));
        match count {
            1 => self.shared.wake.notify_one(),
            _ => self.shared.wake.notify_all(),
        }
    }

    fn start(&mut self, threads: usize) {
        for _ in 0..threads {
            let (shared, sender) = (Arc::clone(&self.shared), self.sender.clone());
            let job = Arc::new(Mutex::new(0));
            let current = Arc::clone(&job);
            let thread = std::thread::Builder::new()
                .name(format!("worker-{}", self.threads.len()))
                .stack_size(STACK)
                .spawn(move || shared.work(&sender, &current));
            match thread {
                Ok(thread) => self.threads.push(Worker { thread, job }),
                Err(error) => {
                    tracing::warn!(%error, "no more threads; going on with fewer");
                    return;
                }
            }
        }
    }

    /// The next result; waits for it at most this long. `None` when there is none to come, or none
    /// came in time.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<Done> {
        if self.open == 0 {
            return None;
        }
        let until = Instant::now() + patience;
        loop {
            if let Some(done) = self.ready() {
                return Some(done);
            }
            if self.threads.is_empty() {
                // The system gave none.
                return self.by_hand();
            }
            let now = Instant::now();
            let wait = until
                .saturating_duration_since(now)
                .min(self.until_overdue(now));
            if let Ok(done) = self.results.recv_timeout(wait) {
                self.open -= 1;
                return Some(done);
            }
            if let Some(done) = self.give_up_overdue() {
                self.open -= 1;
                return Some(done);
            }
            if Instant::now() >= until {
                return None;
            }
        }
    }

    /// A result that is there already.
    pub(crate) fn ready(&mut self) -> Option<Done> {
        let done = self.results.try_recv().ok()?;
        self.open -= 1;
        Some(done)
    }

    fn by_hand(&mut self) -> Option<Done> {
        let job = self.shared.lock().jobs.pop_front()?;
        self.open -= 1;
        Some(perform(&self.shared.setting, job, |_, parse| parse()))
    }

    /// How long it is until a job may be overdue.
    fn until_overdue(&self, now: Instant) -> Duration {
        let line = self.shared.lock();
        let first = line.running.iter().map(|running| running.until).min();
        first.map_or(self.shared.setting.limit, |first| {
            first.saturating_duration_since(now)
        })
    }

    /// Gives up a job that takes too long, with its thread; what is said in its result's place.
    fn give_up_overdue(&mut self) -> Option<Done> {
        let now = Instant::now();
        let mut line = self.shared.lock();
        let late = (line.running.iter_mut()).filter(|running| running.until <= now);
        let mut given_up = None;
        for running in late {
            if running.is_overdue {
                given_up = Some(running.number);
                break;
            }
            running.is_overdue = true;
            running.until = now + SECOND_LOOK.min(self.shared.setting.limit);
        }
        let number = given_up?;
        let at = (line.running.iter()).position(|running| running.number == number)?;
        let running = line.running.swap_remove(at);
        line.hung.retain(|hung| !hung.is_of(&running.job));
        line.hung.push(Hung {
            job: running.job.clone(),
            number,
            parsed: running.parsed,
        });
        drop(line);
        tracing::error!(job = ?running.job, "it did not come to an end and is given up");
        let own = (self.threads.iter()).position(|worker| *lock(&worker.job) == number);
        if let Some(at) = own {
            let worker = self.threads.swap_remove(at);
            // What waits for a disk goes on by itself when that answers.
            if running.parsed.is_some() && running.handover.give_up() {
                park(&worker.thread);
            }
        }
        self.start(1);
        let limit = self.shared.setting.limit;
        Some(given_up_result(&running.job, running.parsed, limit))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Threads that are at a job end after it; none is waited for.
        let mut line = self.shared.lock();
        line.is_over = true;
        line.jobs.clear();
        drop(line);
        self.shared.wake.notify_all();
    }
}

impl WorkerShared {
    fn lock(&self) -> MutexGuard<'_, WorkerPool> {
        lock(&self.line)
    }

    /// What a thread does as long as it lives.
    fn work(&self, sender: &Sender<Done>, current: &Mutex<u64>) {
        parse_on_this_thread();
        let mut rests = self.lock().rests;
        while let Some((number, job)) = self.next_job(current, &mut rests) {
            let done = match self.hangs(&job) {
                Some(done) => done,
                None => perform(&self.setting, job, |stat, parse| {
                    let handover = self.parses(number, stat);
                    let outcome = parse();
                    handover.done();
                    outcome
                }),
            };
            let mut line = self.lock();
            let at = (line.running.iter()).position(|running| running.number == number);
            match at {
                Some(at) => drop(line.running.swap_remove(at)),
                None => {
                    // It was given up, and another thread is in this one's place. It hangs no more.
                    line.hung.retain(|hung| hung.number != number);
                    return;
                }
            }
            drop(line);
            // Nobody reads the results of a workspace that was closed.
            let _ = sender.send(done);
        }
    }

    /// The next job for this thread, with a number, from when on it is watched. None when all is over.
    fn next_job(&self, current: &Mutex<u64>, rests: &mut u64) -> Option<(u64, Job)> {
        let mut line = self.lock();
        loop {
            if line.is_over {
                return None;
            }
            if let Some(job) = line.jobs.pop_front() {
                line.next_number += 1;
                let number = line.next_number;
                *lock(current) = number;
                line.running.push(Running {
                    number,
                    job: job.clone(),
                    parsed: None,
                    handover: Arc::default(),
                    until: Instant::now() + self.setting.limit,
                    is_overdue: false,
                });
                return Some((number, job));
            }
            if *rests != line.rests {
                *rests = line.rests;
                if let Some(on_rest) = line.on_rest.clone() {
                    drop(line);
                    on_rest();
                    line = self.lock();
                    continue;
                }
            }
            line.idle += 1;
            line = (self.wake.wait(line)).unwrap_or_else(PoisonError::into_inner);
            line.idle -= 1;
        }
    }

    /// Notes that a file was read and its parse begins.
    fn parses(&self, number: u64, stat: FileStat) -> Arc<Handover> {
        let handover = Arc::new(Handover::default());
        let mut line = self.lock();
        let running = (line.running.iter_mut()).find(|running| running.number == number);
        if let Some(running) = running {
            running.parsed = Some(stat);
            running.until = Instant::now() + self.setting.limit;
            running.is_overdue = false;
            running.handover = Arc::clone(&handover);
        }
        handover
    }

    /// What is said of a job that hangs since it was tried before.
    fn hangs(&self, job: &Job) -> Option<Done> {
        let parsed = {
            let line = self.lock();
            let hung = line.hung.iter().find(|hung| hung.is_of(job))?;
            hung.parsed
        };
        let is_same = match (job, parsed) {
            (Job::Read(file, _), Some(parsed)) => {
                let root = &self.setting.roots[file.root as usize];
                disk::stat(root, &file.path) == Some(parsed)
            }
            _ => true,
        };
        is_same.then(|| given_up_result(job, parsed, self.setting.limit))
    }
}

impl Hung {
    fn is_of(&self, job: &Job) -> bool {
        match (&self.job, job) {
            (Job::List(one), Job::List(other)) => one == other,
            (Job::Read(one, _), Job::Read(other, _)) => one == other,
            _ => false,
        }
    }
}

/// What stands in the place of a result that does not come.
fn given_up_result(job: &Job, parsed: Option<FileStat>, limit: Duration) -> Done {
    let within = match limit.as_secs() {
        0 => format!("{} ms", limit.as_millis()),
        seconds => format!("{seconds} s"),
    };
    match job {
        Job::List(dir) => Done::Listed(
            failed_listing(dir, format!("The disk did not list it within {within}.")),
            Duration::ZERO,
        ),
        Job::Read(file, _) => {
            let why = match parsed {
                // The cache keeps that until the file is another one, and its text can be had.
                Some(_) => SkipReason::TooComplex,
                None => {
                    SkipReason::Unreadable(format!("The disk did not give it within {within}."))
                }
            };
            let stat = parsed.unwrap_or_default();
            let read = FileRead {
                file: file.clone(),
                size: stat.size,
                mtime_ms: stat.mtime_ms,
                outcome: Outcome::Skipped(why),
            };
            Done::Read(Box::new(read), Duration::ZERO)
        }
    }
}

fn failed_listing(dir: &DirRef, error: String) -> Listing {
    Listing {
        root: dir.root,
        dir: dir.dir.clone(),
        entries: Vec::new(),
        ignore_files: Vec::new(),
        error: Some(error),
    }
}

/// What is locked here is changed as a whole or not at all: a panic elsewhere cannot have left it half done.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn perform(
    setting: &JobSettings,
    job: Job,
    watched: impl Fn(FileStat, &dyn Fn() -> Outcome) -> Outcome,
) -> Done {
    #[cfg(test)]
    if let Some(on_job) = &setting.on_job {
        on_job(&job);
    }
    let before = thread_cpu();
    let root = |index: u32| &setting.roots[index as usize];
    match job {
        Job::List(dir) => {
            // A panic here would lose the job: nobody waits for the thread.
            let listing = catch_unwind(AssertUnwindSafe(|| disk::list(root(dir.root), &dir)));
            let listing = listing.unwrap_or_else(|_| {
                failed_listing(&dir, "It could not be listed: a fault of ours.".to_owned())
            });
            Done::Listed(listing, thread_cpu().saturating_sub(before))
        }
        Job::Read(file, limits) => {
            let limits = limits.map_or(setting.limits, |own| Limits {
                max_file_size: own.max_file_size,
                exclude_generated: own.exclude_generated,
            });
            let read = disk::read(root(file.root), file, limits, watched);
            Done::Read(Box::new(read), thread_cpu().saturating_sub(before))
        }
    }
}

#[cfg(test)]
mod tests;

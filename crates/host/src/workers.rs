//! The threads that list folders and read files.
//!
//! Jobs wait in one line. What is wanted first goes to its head: a file that a caller waits for, and
//! folders, so that it is soon known how much there is to read. What a job gives goes to the one
//! inbox that the workspace reads.

use std::collections::VecDeque;
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codecortex_engine::protocol::{DirRef, FileRef, Listing, ReadLimits, Root};
use codecortex_syntax::Limits;

use crate::clock::thread_cpu;
use crate::disk::{self, FileRead};

/// Room for the recursion of grammars and walks on deeply nested sources.
const STACK: usize = 16 << 20;

/// Something to do with the disk.
#[derive(Debug)]
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

/// What every job needs to know.
#[derive(Debug)]
struct Setting {
    roots: Vec<Root>,
    limits: Limits,
}

/// A line of jobs and those who do them.
pub(crate) struct Workers {
    setting: Arc<Setting>,
    line: Arc<Mutex<VecDeque<Job>>>,
    /// `None`: the jobs are done by whoever asks for the next result.
    pool: Option<rayon::ThreadPool>,
    sender: Sender<Done>,
    results: Receiver<Done>,
    /// Jobs given and not taken back as results.
    open: usize,
}

impl Workers {
    /// Workers on `threads` threads; with one, on the caller's own.
    pub(crate) fn new(roots: Vec<Root>, limits: Limits, threads: usize) -> Self {
        let pool = (threads > 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .stack_size(STACK)
                    .thread_name(|index| format!("worker-{index}"))
                    .build()
                    .inspect_err(|error| tracing::warn!(%error, "no threads; going on with one"))
                    .ok()
            })
            .flatten();
        let (sender, results) = channel();
        Self {
            setting: Arc::new(Setting { roots, limits }),
            line: Arc::default(),
            pool,
            sender,
            results,
            open: 0,
        }
    }

    /// Whether every result was taken.
    pub(crate) fn are_idle(&self) -> bool {
        self.open == 0
    }

    /// Does something on each of the threads, and waits for them; nothing where there are none.
    pub(crate) fn on_each(&self, work: impl Fn() + Sync) {
        if let Some(pool) = &self.pool {
            pool.broadcast(|_| work());
        }
    }

    /// Adds jobs to the line, or puts them at its head.
    pub(crate) fn add(&mut self, jobs: impl ExactSizeIterator<Item = Job>, first: bool) {
        let count = jobs.len();
        self.open += count;
        {
            let mut line = lock(&self.line);
            for job in jobs {
                if first {
                    line.push_front(job);
                } else {
                    line.push_back(job);
                }
            }
        }
        let Some(pool) = &self.pool else { return };
        for _ in 0..count {
            let (line, setting) = (Arc::clone(&self.line), Arc::clone(&self.setting));
            let sender = self.sender.clone();
            pool.spawn_fifo(move || {
                // Taken in a statement of its own: the line must be free while the job is done.
                let job = lock(&line).pop_front();
                // The line may have been emptied in the meantime.
                if let Some(job) = job {
                    // Nobody reads the results of a workspace that was closed.
                    let _ = sender.send(perform(&setting, job));
                }
            });
        }
    }

    /// The next result; waits for it at most this long. `None` when there is none to come, or none
    /// came in time.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<Done> {
        if self.open == 0 {
            return None;
        }
        let done = if self.pool.is_some() {
            self.results.recv_timeout(patience).ok()?
        } else {
            let job = lock(&self.line).pop_front()?;
            perform(&self.setting, job)
        };
        self.open -= 1;
        Some(done)
    }

    /// A result that is there already.
    pub(crate) fn ready(&mut self) -> Option<Done> {
        let done = self.results.try_recv().ok()?;
        self.open -= 1;
        Some(done)
    }
}

/// A job takes whole jobs out of the line or none: a panic elsewhere cannot have left it half done.
fn lock(line: &Mutex<VecDeque<Job>>) -> std::sync::MutexGuard<'_, VecDeque<Job>> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

fn perform(setting: &Setting, job: Job) -> Done {
    let before = thread_cpu();
    let root = |index: u32| &setting.roots[index as usize];
    match job {
        Job::List(dir) => {
            // A panic here would end the process: nobody waits for a thread of the pool.
            let listing = catch_unwind(|| disk::list(root(dir.root), &dir));
            let listing = listing.unwrap_or_else(|_| Listing {
                root: dir.root,
                dir: dir.dir.clone(),
                entries: Vec::new(),
                ignore_files: Vec::new(),
                error: Some("It could not be listed: a fault of ours.".to_owned()),
            });
            Done::Listed(listing, thread_cpu().saturating_sub(before))
        }
        Job::Read(file, limits) => {
            let limits = limits.map_or(setting.limits, |own| Limits {
                max_file_size: own.max_file_size,
                exclude_generated: own.exclude_generated,
            });
            let read = disk::read(root(file.root), file, limits);
            Done::Read(Box::new(read), thread_cpu().saturating_sub(before))
        }
    }
}

//! Requests to git that are open: nobody but the call that made one waits for it.
//!
//! git may take a minute until it is ended (`git/process`), and a request is several commands. So each has a thread,
//! and its outcome comes back as a reply. A thread that does not come back, as on a disk that does not answer, is left
//! alone, and the request fails.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{DiffOf, Response};

use crate::abandon;
use crate::cancellation::StillNeeded;
use crate::fault::FaultyStage;
use crate::{git_diff, git_log};

/// Requests that are worked on at a time. What is more waits: each is a few processes.
const MAX_AT_ONCE: usize = 8;
/// More commands than a request runs one after the other, each of which may take its whole time.
const MAX_COMMANDS: u32 = 12;
/// How long git is waited for when nobody wants its answers any more: it is being ended.
const FAREWELL: Duration = Duration::from_secs(1);

/// What is wanted of git.
#[derive(Clone, Debug)]
pub(crate) enum GitRequest {
    /// `Request::Log`
    Log { most: u32 },
    /// `Request::Diff`
    Diff { of: DiffOf },
}

/// An answer, the number of the question, and the part of the work that asked it.
pub(crate) struct GitReply {
    pub(crate) id: u32,
    pub(crate) response: Response,
    pub(crate) part: FaultyStage,
}

/// A request on its thread, or before it has one.
struct OpenRequest {
    number: u64,
    id: u32,
    folder: PathBuf,
    request: GitRequest,
    part: FaultyStage,
    until: Instant,
    /// Whether nobody wants its answer any more.
    is_cancelled: Arc<AtomicBool>,
}

/// Is told, on another thread, that an answer is there.
type OnReply = Arc<dyn Fn() + Send + Sync>;

/// Requests to git, and their answers.
pub(crate) struct GitRequests {
    waiting: VecDeque<OpenRequest>,
    running: Vec<OpenRequest>,
    next_number: u64,
    sender: Sender<(u64, Response)>,
    answers: Receiver<(u64, Response)>,
    on_reply: Option<OnReply>,
    /// Whether nobody wants answers any more.
    is_over: Arc<AtomicBool>,
}

impl Default for GitRequests {
    fn default() -> Self {
        let (sender, answers) = channel();
        Self {
            waiting: VecDeque::new(),
            running: Vec::new(),
            next_number: 0,
            sender,
            answers,
            on_reply: None,
            is_over: Arc::default(),
        }
    }
}

impl GitRequests {
    /// Asks to be told, on another thread, whenever an answer is there.
    pub(crate) fn on_reply(&mut self, listener: OnReply) {
        self.on_reply = Some(listener);
    }

    /// Begins a request about the repository that a folder is in; it fails where there is no folder. `part` is what a
    /// fault at its answer is put down to.
    pub(crate) fn begin(
        &mut self,
        id: u32,
        folder: Option<&Path>,
        request: GitRequest,
        part: FaultyStage,
    ) {
        self.next_number += 1;
        let request = OpenRequest {
            number: self.next_number,
            id,
            folder: folder.map(Path::to_owned).unwrap_or_default(),
            request,
            part,
            until: Instant::now(),
            is_cancelled: Arc::default(),
        };
        if folder.is_some() {
            self.waiting.push_back(request);
            self.start();
        } else {
            self.running.push(request);
            self.refuse_last("There is no such folder.");
        }
    }

    /// Nobody wants the answer to a question any more: what runs for it is ended.
    pub(crate) fn cancel(&mut self, id: u32) {
        self.waiting.retain(|request| request.id != id);
        let cancelled = self.running.extract_if(.., |request| request.id == id);
        cancelled.for_each(|request| request.is_cancelled.store(true, Ordering::Relaxed));
        self.start();
    }

    /// Whether an answer is still to come.
    pub(crate) fn is_busy(&self) -> bool {
        !self.running.is_empty() || !self.waiting.is_empty()
    }

    /// The next answer, after waiting for it at most this long.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<GitReply> {
        let until = Instant::now() + patience;
        while self.is_busy() {
            let left = until.saturating_duration_since(Instant::now());
            let Ok((number, response)) = self.answers.recv_timeout(left) else {
                return self.give_up_overdue();
            };
            // One that was given up is answered already.
            if let Some(request) = self.end(number) {
                self.start();
                return Some(request.replied(response));
            }
        }
        None
    }

    fn end(&mut self, number: u64) -> Option<OpenRequest> {
        let at = (self.running.iter()).position(|request| request.number == number)?;
        Some(self.running.swap_remove(at))
    }

    /// Gives up a request that does not come back.
    fn give_up_overdue(&mut self) -> Option<GitReply> {
        let now = Instant::now();
        let late = self.running.iter().find(|request| request.until <= now)?;
        let request = self.end(late.number)?;
        tracing::error!(folder = %request.folder.display(), "a request to git did not come back and is given up");
        self.start();
        let response = request
            .request
            .failed("The files of the repository could not be read in time.");
        Some(request.replied(response))
    }

    /// Gives requests that wait a thread each, as many as may have one.
    fn start(&mut self) {
        while self.running.len() < MAX_AT_ONCE
            && let Some(mut request) = self.waiting.pop_front()
        {
            request.until = Instant::now() + abandon::limit() * MAX_COMMANDS;
            let work = self.work(&request);
            self.running.push(request);
            let thread = std::thread::Builder::new().name("git".into());
            if let Err(error) = thread.spawn(work) {
                tracing::warn!(%error, "no thread for git");
                self.refuse_last(&error.to_string());
            }
        }
    }

    /// What a request's thread does.
    fn work(&self, open: &OpenRequest) -> impl FnOnce() + Send + 'static {
        let (number, folder, request) = (open.number, open.folder.clone(), open.request.clone());
        let (sender, on_reply) = (self.sender.clone(), self.on_reply.clone());
        let is_over = Arc::clone(&self.is_over);
        let is_cancelled = Arc::clone(&open.is_cancelled);
        move || {
            let wanted = StillNeeded::new(move || {
                !is_over.load(Ordering::Relaxed) && !is_cancelled.load(Ordering::Relaxed)
            });
            let ask = AssertUnwindSafe(|| request.ask(&folder, &wanted));
            let response = catch_unwind(ask).unwrap_or_else(|_| request.failed("A fault of ours."));
            // A workspace that was closed wants none.
            let _ = sender.send((number, response));
            if let Some(on_reply) = on_reply {
                on_reply();
            }
        }
    }

    fn refuse_last(&self, why: &str) {
        if let Some(request) = self.running.last() {
            // This end is ours.
            let _ = (self.sender).send((request.number, request.request.failed(why)));
        }
    }
}

impl Drop for GitRequests {
    fn drop(&mut self) {
        // Their threads end what they started. A process that ends sooner would leave that behind.
        self.is_over.store(true, Ordering::Relaxed);
        let until = Instant::now() + FAREWELL;
        while !self.running.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left) {
                Ok((number, _)) => drop(self.end(number)),
                Err(_) => return,
            }
        }
    }
}

impl GitRequest {
    fn ask(&self, folder: &Path, wanted: &StillNeeded) -> Response {
        match self {
            Self::Log { most } => Response::Log {
                log: git_log::read(folder, *most, wanted),
            },
            Self::Diff { of } => Response::Diff {
                outcome: git_diff::read(folder, of, wanted),
            },
        }
    }

    /// The answer where git gives none.
    fn failed(&self, why: &str) -> Response {
        match self {
            Self::Log { .. } => Response::Log { log: None },
            Self::Diff { .. } => Response::Diff {
                outcome: git_diff::failed(why),
            },
        }
    }
}

impl OpenRequest {
    fn replied(self, response: Response) -> GitReply {
        GitReply {
            id: self.id,
            response,
            part: self.part,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use codecortex_engine::protocol::DiffOutcome;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn diff() -> GitRequest {
        GitRequest::Diff {
            of: DiffOf::Uncommitted,
        }
    }

    #[test]
    fn all_requests_are_answered_and_somebody_is_told() {
        let place = tempfile::tempdir().unwrap();
        let mut requests = GitRequests::default();
        let (say, told) = channel();
        requests.on_reply(Arc::new(move || say.send(()).unwrap()));
        let count = MAX_AT_ONCE as u32 * 2 + 1;
        for id in 0..count {
            requests.begin(id, Some(place.path()), diff(), FaultyStage::Start);
        }
        requests.begin(
            count,
            Some(place.path()),
            GitRequest::Log { most: 1 },
            FaultyStage::Context,
        );
        assert!(requests.running.len() <= MAX_AT_ONCE);
        let (mut answered, mut logs) = (Vec::new(), Vec::new());
        while requests.is_busy() {
            let reply = requests.next(PATIENCE).unwrap();
            match reply.response {
                Response::Diff { outcome } => {
                    assert!(matches!(outcome, DiffOutcome::Failed { .. }));
                    answered.push(reply.id);
                }
                Response::Log { log } => logs.push((reply.id, log, reply.part)),
                _ => panic!("a reply to something else"),
            }
        }
        answered.sort_unstable();
        assert_eq!(answered, (0..count).collect::<Vec<_>>());
        assert_eq!(logs, [(count, None, FaultyStage::Context)]);
        for _ in 0..=count {
            told.recv_timeout(PATIENCE).unwrap();
        }
    }

    #[test]
    fn a_request_about_no_folder_fails() {
        let mut requests = GitRequests::default();
        requests.begin(7, None, diff(), FaultyStage::Start);
        let reply = requests.next(PATIENCE).unwrap();
        assert_eq!(reply.id, 7);
        let Response::Diff {
            outcome: DiffOutcome::Failed { reason, hint },
        } = reply.response
        else {
            panic!("it is a diff that failed");
        };
        assert_eq!(reason, "There is no such folder.");
        assert!(hint.contains("`patch`") && !requests.is_busy());
    }

    #[test]
    fn what_does_not_come_back_is_given_up() {
        let mut requests = GitRequests::default();
        requests.running.push(OpenRequest {
            number: u64::MAX,
            id: 1,
            folder: PathBuf::new(),
            request: diff(),
            part: FaultyStage::Start,
            until: Instant::now(),
            is_cancelled: Arc::default(),
        });
        let reply = requests.next(Duration::ZERO).unwrap();
        assert_eq!(reply.id, 1);
        assert!(matches!(reply.response, Response::Diff { .. }));
        assert!(!requests.is_busy());
        // It came back after all.
        let late = requests
            .sender
            .send((u64::MAX, diff().failed("It is late.")));
        late.unwrap();
        requests.begin(2, None, diff(), FaultyStage::Start);
        let reply = requests.next(PATIENCE).unwrap();
        assert_eq!(reply.id, 2);
    }

    #[test]
    fn what_is_cancelled_is_not_answered() {
        let place = tempfile::tempdir().unwrap();
        let mut requests = GitRequests::default();
        for id in 0..=MAX_AT_ONCE as u32 {
            requests.begin(id, Some(place.path()), diff(), FaultyStage::Start);
        }
        let running = Arc::clone(&requests.running[0].is_cancelled);
        requests.cancel(0);
        requests.cancel(MAX_AT_ONCE as u32);
        assert!(running.load(Ordering::Relaxed), "its git is ended");
        let mut answered = Vec::new();
        while requests.is_busy() {
            answered.extend(requests.next(PATIENCE).map(|reply| reply.id));
        }
        answered.sort_unstable();
        assert_eq!(answered, (1..MAX_AT_ONCE as u32).collect::<Vec<_>>());
    }
}

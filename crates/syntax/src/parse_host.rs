//! Where parses run that may have to be ended from outside.
//!
//! A parse is bounded by counts ([`crate::scanner_bounds`]), but a grammar is C by others: one that loops without
//! asking the lexer anything never comes back, and no thread can be ended from within. A host gives parses a thread
//! that it can do without ([`run_parses_by`]); a text that did not come back is not parsed again by this process.
//! Threads that a host watches anyway parse by themselves ([`parse_on_this_thread`]), as all do where there is no host.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::mpsc::channel;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHasher;
use tree_sitter::{Range, Tree};

use crate::Language;

/// Runs parses for threads that must go on.
pub trait ParseHost: Send + Sync {
    /// Runs this and waits for its end. False where it was not waited for to the end; then what it took is lost.
    fn run(&self, parse: Box<dyn FnOnce() + Send>) -> bool;
}

static HOST: OnceLock<Box<dyn ParseHost>> = OnceLock::new();

/// Texts that did not come back, by [`key`].
static ABANDONED: Mutex<Option<HashSet<u64>>> = Mutex::new(None);

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// From now on parses of this process are run by a host. The first one stays.
pub fn run_parses_by(host: Box<dyn ParseHost>) {
    // There is one to a process, and it is as good as another.
    let _ = HOST.set(host);
}

/// Has this thread parse by itself: who started it looks after it.
pub fn parse_on_this_thread() {
    IS_WATCHED.set(true);
}

/// A text to parse, with all that its tree depends on.
pub(crate) struct Request<'a> {
    pub(crate) language: Language,
    pub(crate) bytes: &'a [u8],
    /// The parts that are parsed; all where there are none.
    pub(crate) ranges: &'a [Range],
    pub(crate) old: Option<&'a Tree>,
}

/// Has a parse run where it may fail to come back. `parse` gives the tree, and what it is told besides.
pub(crate) fn run<T: Send + 'static>(
    request: Request<'_>,
    parse: impl FnOnce(Request<'_>) -> T + Send + 'static,
) -> Option<T> {
    let host = HOST.get().filter(|_| !IS_WATCHED.get());
    let Some(host) = host else {
        return Some(parse(request));
    };
    if is_abandoned(&request) {
        return None;
    }
    let Request {
        language,
        bytes,
        ranges,
        old,
    } = request;
    let (owned, parts, tree) = (bytes.to_vec(), ranges.to_vec(), old.cloned());
    let (send, result) = channel();
    let is_back = host.run(Box::new(move || {
        let request = Request {
            language,
            bytes: &owned,
            ranges: &parts,
            old: tree.as_ref(),
        };
        // Nobody waits any more where it took too long.
        let _ = send.send(parse(request));
    }));
    if is_back {
        return result.recv().ok();
    }
    let key = key(&Request {
        language,
        bytes,
        ranges,
        old,
    });
    lock().get_or_insert_default().insert(key);
    None
}

fn is_abandoned(request: &Request<'_>) -> bool {
    // Hashing every text would cost more than it is worth: nearly no process has any.
    let abandoned = lock();
    (abandoned.as_ref()).is_some_and(|abandoned| abandoned.contains(&key(request)))
}

fn lock() -> std::sync::MutexGuard<'static, Option<HashSet<u64>>> {
    // Whole keys go in or none.
    ABANDONED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a parse is known by: a parse anew may loop where one of an edit does not.
fn key(request: &Request<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    (request.language as u8, request.bytes).hash(&mut hasher);
    for range in request.ranges {
        (range.start_byte, range.end_byte).hash(&mut hasher);
    }
    request.old.is_some().hash(&mut hasher);
    hasher.finish()
}

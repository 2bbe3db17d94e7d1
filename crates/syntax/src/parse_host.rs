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
    /// `key` is the same for the same text in another process.
    fn run(&self, key: u32, parse: Box<dyn FnOnce() + Send>) -> bool;
}

static HOST: OnceLock<Box<dyn ParseHost>> = OnceLock::new();

/// Texts that did not come back, by [`key`].
static ABANDONED: Mutex<Option<HashSet<u32>>> = Mutex::new(None);

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// From now on parses of this process are run by a host. The first one stays.
pub fn run_parses_by(host: Box<dyn ParseHost>) {
    // There is one to a process, and it is as good as another.
    let _ = HOST.set(host);
}

/// Has a text never be parsed where parses are run by a host: another process, or module, did not come back from it.
pub fn leave_out(key: u32) {
    lock().get_or_insert_default().insert(key);
}

/// Has this thread parse by itself: who started it looks after it.
pub fn parse_on_this_thread() {
    IS_WATCHED.set(true);
}

/// A text to parse, with all that its tree depends on.
pub(crate) struct ParseRequest<'a> {
    pub(crate) language: Language,
    pub(crate) bytes: &'a [u8],
    /// The parts that are parsed; all where there are none.
    pub(crate) ranges: &'a [Range],
    pub(crate) old: Option<&'a Tree>,
}

/// Has a parse run where it may fail to come back. `parse` gives the tree, and what it is told besides.
pub(crate) fn run<T: Send + 'static>(
    request: ParseRequest<'_>,
    parse: impl FnOnce(ParseRequest<'_>) -> T + Send + 'static,
) -> Option<T> {
    let host = HOST.get().filter(|_| !IS_WATCHED.get());
    let Some(host) = host else {
        return Some(parse(request));
    };
    let key = key(&request);
    if is_abandoned(key) {
        return None;
    }
    let ParseRequest {
        language,
        bytes,
        ranges,
        old,
    } = request;
    let (owned, parts, tree) = (bytes.to_vec(), ranges.to_vec(), old.cloned());
    let (send, result) = channel();
    let is_back = host.run(
        key,
        Box::new(move || {
            let request = ParseRequest {
                language,
                bytes: &owned,
                ranges: &parts,
                old: tree.as_ref(),
            };
            // Nobody waits any more where it took too long.
            let _ = send.send(parse(request));
        }),
    );
    if is_back {
        return result.recv().ok();
    }
    leave_out(key);
    None
}

fn is_abandoned(key: u32) -> bool {
    let abandoned = lock();
    (abandoned.as_ref()).is_some_and(|abandoned| abandoned.contains(&key))
}

fn lock() -> std::sync::MutexGuard<'static, Option<HashSet<u32>>> {
    // Whole keys go in or none.
    ABANDONED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a parse is known by, whatever tree it goes on from: after a restart it goes on from none. Of 32 bits, which
/// cross to JavaScript as a number, and never 0.
fn key(request: &ParseRequest<'_>) -> u32 {
    let mut hasher = FxHasher::default();
    (request.language as u8, request.bytes).hash(&mut hasher);
    for range in request.ranges {
        (range.start_byte, range.end_byte).hash(&mut hasher);
    }
    let hash = hasher.finish();
    (hash as u32 ^ (hash >> 32) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// Comes back from every parse but one.
    struct Without(u32);

    impl ParseHost for Without {
        fn run(&self, key: u32, parse: Box<dyn FnOnce() + Send>) -> bool {
            if key != self.0 {
                // On another thread, as hosts do.
                return std::thread::spawn(parse).join().is_ok();
            }
            false
        }
    }

    fn key_of(text: &str) -> u32 {
        key(&ParseRequest {
            language: Language::Go,
            bytes: text.as_bytes(),
            ranges: &[],
            old: None,
        })
    }

    /// One test: there is one host to a process.
    #[test]
    fn what_does_not_come_back_is_left_out_and_nothing_else() {
        let (good, hangs, known) = ("package a\n", "package b\n", "package c\n");
        run_parses_by(Box::new(Without(key_of(hangs))));
        leave_out(key_of(known));
        let parses = |text: &str| parse(Language::Go, text, None).is_some();
        let before = crate::hundred_operations() + crate::pieces_read();
        assert!(parses(good));
        assert!(
            crate::hundred_operations() + crate::pieces_read() > before,
            "its work counts"
        );
        assert!(!parses(hangs) && is_abandoned(key_of(hangs)));
        assert!(!parses(known));
        parse_on_this_thread();
        assert!(parses(hangs) && parses(known));
    }
}

//! Work that may never come back, on threads that the program can do without.
//!
//! A disk that does not answer, or a grammar that loops, holds the thread it is on for ever, and no thread can be
//! ended from outside. So such work has a thread of its own and a time; what takes longer is not waited for. A thread
//! that waits for a disk costs nothing and is left alone. One that loops would cost a processor: it is put to sleep
//! for good ([`park`]).

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use codecortex_syntax::parse_host::{ParseHost, parse_on_this_thread, run_parses_by};

/// Room for the recursion of grammars and walks on deeply nested sources.
pub(crate) const STACK: usize = 16 << 20;

/// How long one file may take to be read or parsed, and a command of git: far longer than any that comes to an end.
const LIMIT: Duration = Duration::from_secs(60);

static OTHER_LIMIT: OnceLock<Duration> = OnceLock::new();

type AbandonableWork = Box<dyn FnOnce() + Send>;

/// A thread that waits for work.
struct Helper {
    work: Sender<AbandonableWork>,
    thread: JoinHandle<()>,
}

static IDLE: Mutex<Vec<Helper>> = Mutex::new(Vec::new());

/// What becomes of a thread whose work is not waited for any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Afterwards {
    /// It goes on: what it waits for costs nothing.
    Leave,
    /// It is put to sleep: it loops.
    Park,
}

/// Agrees between a thread that works and one that waits for it which of the two was first: a thread is put to sleep
/// only in the middle of its work, where it holds no lock that others need.
#[derive(Debug, Default)]
pub(crate) struct Handover(AtomicU8);

impl Handover {
    const AT_WORK: u8 = 0;
    const DONE: u8 = 1;
    const GIVEN_UP: u8 = 2;

    /// The work is done. Does not return where it was given up before: the thread is being put to sleep.
    pub(crate) fn done(&self) {
        if !self.becomes(Self::DONE) {
            loop {
                std::thread::park();
            }
        }
    }

    /// The work is waited for no more. False where it is done.
    pub(crate) fn give_up(&self) -> bool {
        self.becomes(Self::GIVEN_UP)
    }

    fn becomes(&self, state: u8) -> bool {
        let exchange =
            (self.0).compare_exchange(Self::AT_WORK, state, Ordering::SeqCst, Ordering::SeqCst);
        exchange.is_ok()
    }
}

/// Does something on a thread of its own. None where it takes longer than the limit. A panic goes on here.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    afterwards: Afterwards,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (send, result) = channel();
    let handover = Arc::new(Handover::default());
    let own = Arc::clone(&handover);
    let whole = move || {
        let done = catch_unwind(AssertUnwindSafe(work));
        own.done();
        // Nobody waits any more where it took too long.
        let _ = send.send(done);
    };
    let helper = idle().pop().or_else(Helper::start);
    let Some(helper) = helper else {
        // Without another thread it is done here, and waited for.
        whole();
        return result.recv().ok().map(or_panic);
    };
    if helper.work.send(Box::new(whole)).is_err() {
        return None; // it waits for work, so it is there
    }
    match result.recv_timeout(limit) {
        Ok(done) => {
            idle().push(helper);
            Some(or_panic(done))
        }
        Err(_) if afterwards == Afterwards::Leave => None,
        Err(_) if handover.give_up() => {
            park(&helper.thread);
            None
        }
        // It was done just now.
        Err(_) => result.recv().ok().map(or_panic),
    }
}

/// Ends the threads that wait for work; what memory they kept is free.
pub(crate) fn end_idle() {
    let idle = std::mem::take(&mut *idle());
    for helper in idle {
        drop(helper.work);
        // It only waited.
        let _ = helper.thread.join();
    }
}

fn or_panic<T>(done: std::thread::Result<T>) -> T {
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

fn idle() -> MutexGuard<'static, Vec<Helper>> {
    // Whole helpers go in and out.
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Helper {
    fn start() -> Option<Self> {
        let (work, jobs) = channel::<AbandonableWork>();
        let thread = std::thread::Builder::new()
            .name("helper".into())
            .stack_size(STACK)
            .spawn(move || {
                parse_on_this_thread();
                for job in jobs {
                    job();
                }
            });
        let thread = thread.inspect_err(|error| tracing::warn!(%error, "no thread"));
        Some(Self {
            work,
            thread: thread.ok()?,
        })
    }
}

/// Has every parse of this process come back: those on threads of [`crate::workers`], which are watched, and others
/// on threads of their own.
pub(crate) fn bound_parses() {
    struct Bounded;
    impl ParseHost for Bounded {
        fn run(&self, _: u32, parse: Box<dyn FnOnce() + Send>) -> bool {
            let limit = limit();
            let is_back = within(limit, Afterwards::Park, parse).is_some();
            if !is_back {
                tracing::error!("a parse did not come to an end within {limit:?} and was given up");
            }
            is_back
        }
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| run_parses_by(Box::new(Bounded)));
}

/// Has work be given up after another time than a minute; only before the first, for tests.
#[cfg(debug_assertions)]
pub(crate) fn give_up_after(limit: Duration) {
    // Who comes second has the first one's.
    let _ = OTHER_LIMIT.set(limit);
}

/// How long a job, a parse or a command of git may take.
pub(crate) fn limit() -> Duration {
    *OTHER_LIMIT.get_or_init(|| LIMIT)
}

/// Puts a thread to sleep for good, wherever it is.
#[cfg(unix)]
#[allow(
    unsafe_code,
    reason = "no library stops a thread: it is a signal whose handler does not return"
)]
pub(crate) fn park(thread: &JoinHandle<()>) {
    use std::os::unix::thread::JoinHandleExt;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    /// The thread that is to be parked; 0 between two of them.
    static WANTED: AtomicUsize = AtomicUsize::new(0);
    /// Whether it has seen that.
    static IS_PARKED: AtomicBool = AtomicBool::new(false);
    /// One at a time.
    static TURN: Mutex<()> = Mutex::new(());

    extern "C" fn sleep_for_good(_: libc::c_int) {
        // SAFETY: the function may be called in a handler of signals.
        let own = unsafe { libc::pthread_self() } as usize;
        // Others may send this signal for reasons of their own: programs ignore it unless they ask for it.
        if WANTED.load(Ordering::SeqCst) != own {
            return;
        }
        IS_PARKED.store(true, Ordering::SeqCst);
        loop {
            // SAFETY: as above.
            unsafe { libc::pause() };
        }
    }

    if thread.is_finished() {
        return;
    }
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let handle = thread.as_pthread_t();
    WANTED.store(handle as usize, Ordering::SeqCst);
    IS_PARKED.store(false, Ordering::SeqCst);
    // SAFETY: the action is whole, and its handler does nothing but what handlers may; the thread was not joined, so
    // that its handle is its own.
    let is_sent = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = sleep_for_good as extern "C" fn(libc::c_int) as usize;
        libc::sigfillset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGURG, &raw const action, std::ptr::null_mut()) == 0
            && libc::pthread_kill(handle, libc::SIGURG) == 0
    };
    // It sees the signal when the system gives it a processor next; one that has ended meanwhile never does.
    while is_sent && !IS_PARKED.load(Ordering::SeqCst) && !thread.is_finished() {
        std::thread::sleep(Duration::from_millis(1));
    }
    WANTED.store(0, Ordering::SeqCst);
}

/// Puts a thread to sleep for good, wherever it is.
#[cfg(windows)]
#[allow(unsafe_code, reason = "the standard library stops no thread")]
pub(crate) fn park(thread: &JoinHandle<()>) {
    use std::os::windows::io::{AsRawHandle, RawHandle};

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SuspendThread(thread: RawHandle) -> u32;
    }
    // SAFETY: the handle is the thread's, and lives as long as it.
    if unsafe { SuspendThread(thread.as_raw_handle()) } == u32::MAX {
        tracing::warn!("a thread that loops goes on");
    }
}

/// Lets a thread go on: this system stops none.
#[cfg(not(any(unix, windows)))]
pub(crate) fn park(_: &JoinHandle<()>) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;

    #[test]
    fn work_that_comes_back_gives_what_it_made() {
        assert_eq!(within(LIMIT, Afterwards::Park, || 7), Some(7));
        let name = || std::thread::current().id();
        let first = within(LIMIT, Afterwards::Leave, name);
        assert_ne!(first, Some(name()));
    }

    #[test]
    fn either_the_work_is_done_or_it_is_given_up() {
        let handover = Handover::default();
        handover.done();
        assert!(!handover.give_up());
        let handover = Handover::default();
        assert!(handover.give_up());
    }

    #[test]
    fn a_panic_goes_on_where_it_is_waited_for() {
        let failed = catch_unwind(|| within(LIMIT, Afterwards::Leave, || panic!("it fails")));
        assert!(failed.is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_is_put_to_sleep() {
        let turns = Arc::new(AtomicU64::new(0));
        let (counted, begun) = (Arc::clone(&turns), Arc::new(AtomicBool::new(false)));
        let begins = Arc::clone(&begun);
        let thread = std::thread::spawn(move || {
            begins.store(true, Ordering::SeqCst);
            loop {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        while !begun.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        park(&thread);
        // It has seen the signal, so it counts no more.
        let then = turns.load(Ordering::SeqCst);
        assert_eq!(within(LIMIT, Afterwards::Leave, || 1), Some(1));
        assert_eq!(turns.load(Ordering::SeqCst), then);
        assert!(!thread.is_finished());
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_come_back_is_not_waited_for() {
        let short = Duration::from_millis(50);
        let spins = || -> u8 {
            loop {
                std::hint::spin_loop();
            }
        };
        assert_eq!(within(short, Afterwards::Park, spins), None);
        assert_eq!(within(LIMIT, Afterwards::Park, || 3), Some(3));
    }
}

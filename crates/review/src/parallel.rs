//! Work on many things, spread over the processors where there are threads.

/// What `of` gives for each item, in their order. A panic goes on in the caller.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use std::sync::atomic::{AtomicUsize, Ordering};

    const MOST_THREADS: usize = 8;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return done;
            };
            done.push((at, of(item)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others = 1..cores.min(MOST_THREADS).min(items.len());
        let others: Vec<_> = others.map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// One after the other: the module for VS Code has no threads.
#[cfg(target_family = "wasm")]
pub(crate) fn map<T, R>(items: &[T], of: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(of).collect()
}

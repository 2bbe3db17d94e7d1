//! Work spread over the processors, where there are threads.

use crate::resolver::Resolver;
use crate::workspace::Workspace;

/// As many files share a resolver's memory. The number is the same with one processor and with many, so that
/// what was found out on the way, and with it the answer, never depends on the machine.
const CHUNK: usize = 64;

/// Applies `look` to entries, with one resolver for each run of [`CHUNK`] of them; what it finds comes in no
/// order that means anything. `resolver` serves where one run is enough.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    resolver: &Resolver<'_>,
    entries: &[T],
    look: impl Fn(&Resolver<'_>, &T, &mut Vec<R>) + Sync,
) -> Vec<R> {
    if entries.len() <= CHUNK {
        let mut found = Vec::new();
        entries
            .iter()
            .for_each(|entry| look(resolver, entry, &mut found));
        return found;
    }
    let chunks: Vec<&[T]> = entries.chunks(CHUNK).collect();
    each(resolver.workspace, &chunks, &look)
}

/// Looks through runs as long as there are any. What a resolver found out in one it does not know in the next, but has
/// the room for it: making tables larger was a tenth of the work.
fn look_through<'c, T: 'c, R>(
    workspace: &Workspace,
    mut next: impl FnMut() -> Option<&'c [T]>,
    look: &impl Fn(&Resolver<'_>, &T, &mut Vec<R>),
) -> Vec<R> {
    let mut resolver = Resolver::new(workspace);
    let mut found = Vec::new();
    while let Some(chunk) = next() {
        resolver.clear();
        chunk
            .iter()
            .for_each(|entry| look(&resolver, entry, &mut found));
    }
    found
}

/// Every thread takes the next run until there is none.
fn each<T: Sync, R: Send>(
    workspace: &Workspace,
    chunks: &[&[T]],
    look: &(impl Fn(&Resolver<'_>, &T, &mut Vec<R>) + Sync),
) -> Vec<R> {
    on_threads(chunks.len(), |next| {
        look_through(workspace, || Some(chunks[next()?]), look)
    })
}

/// What `of` gives for each item, in their order, on several threads where there are any.
pub fn map<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut done = on_threads(items.len(), |next| {
        let mut done = Vec::new();
        while let Some(at) = next() {
            done.push((at, of(&items[at])));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Has threads work until there is no next of so many numbers, and puts together what they found, in no order. A panic
/// goes on in the caller.
#[cfg(not(target_family = "wasm"))]
fn on_threads<R: Send>(
    count: usize,
    work: impl Fn(&dyn Fn() -> Option<usize>) -> Vec<R> + Sync,
) -> Vec<R> {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const MAX_THREADS: usize = 8;
    // Asking reads files of the system's.
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES
        .get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    let threads = cores.min(MAX_THREADS).min(count);
    let next = AtomicUsize::new(0);
    let next = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < count);
    let work = || work(&next);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut found = work();
        for other in others {
            match other.join() {
                Ok(more) => found.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}

/// One after the other: the module for VS Code has no threads.
#[cfg(target_family = "wasm")]
fn on_threads<R>(count: usize, work: impl Fn(&dyn Fn() -> Option<usize>) -> Vec<R>) -> Vec<R> {
    let next = std::cell::Cell::new(0);
    work(&|| {
        let at = next.replace(next.get() + 1);
        (at < count).then_some(at)
    })
}

//! The module's memory: the standard library's allocator, which takes memory from the host in larger steps here.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;

use dlmalloc::Dlmalloc;

/// Bytes that are taken at once. Each step costs V8 a millisecond or two, however large it is: to fill 64 MB took 1.9 s
/// by the standard library's 64 kB, and 0.02 s by these.
const STEP: usize = 4 << 20;

#[global_allocator]
static HEAP: Heap = Heap::new();

/// The allocator; the module has one thread.
struct Heap(UnsafeCell<Dlmalloc>);

impl Heap {
    const fn new() -> Self {
        let mut heap = Dlmalloc::new();
        assert!(heap.set_granularity(STEP), "a power of two");
        Self(UnsafeCell::new(heap))
    }
}

#[cfg(target_feature = "atomics")]
compile_error!("the allocator is for one thread");

#[allow(unsafe_code, reason = "there is no other thread to share it with")]
// SAFETY: there is one thread.
unsafe impl Sync for Heap {}

#[allow(
    unsafe_code,
    reason = "an allocator hands out memory that nobody owns yet"
)]
// SAFETY: each call is handed on with what its caller vouches for.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: there is one thread, and no call in another: the heap is borrowed once.
        unsafe { (*self.0.get()).malloc(layout.size(), layout.align()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: there is one thread, and no call in another: the heap is borrowed once.
        unsafe { (*self.0.get()).calloc(layout.size(), layout.align()) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: there is one thread, and no call in another: the heap is borrowed once.
        unsafe { (*self.0.get()).free(memory, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: there is one thread, and no call in another: the heap is borrowed once.
        unsafe { (*self.0.get()).realloc(memory, layout.size(), layout.align(), size) }
    }
}

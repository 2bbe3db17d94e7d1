//! The module's memory: the standard library's allocator, which takes its memory from elsewhere here.
//!
//! First it takes the addresses at which the grammars' parse tables were linked: no table is ever there, they are
//! copied to the heap, each when its language comes (`codecortex_syntax`, `xtask/src/passive_data.rs`). Then it takes
//! memory from the host, in larger steps than the standard library.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32;
use core::cell::{Cell, UnsafeCell};
use core::ptr;

use dlmalloc::{Allocator, Dlmalloc};

/// Bytes that are taken from the host at once. Each step costs V8 a millisecond or two, however large it is: to fill
/// 64 MB took 1.9 s by the standard library's 64 kB, and 0.02 s by these.
const STEP: usize = 4 << 20;

/// Bytes of a page of WebAssembly's.
const PAGE: usize = 64 << 10;

/// So many rooms are looked at; grammars left about six each.
const ROOMS: usize = 256;

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(Dlmalloc::new_with_allocator(Memory {
    taken: [const { Cell::new(false) }; ROOMS],
})));

/// The allocator; the module has one thread.
struct Heap(UnsafeCell<Dlmalloc<Memory>>);

// Made by `cargo xtask wasm`.
#[link(wasm_import_module = "passive_data")]
#[allow(unsafe_code, reason = "they are functions of the module itself")]
unsafe extern "C" {
    /// Where the nth table was linked, the longest table first; null behind the last.
    safe fn address(nth: u32) -> *mut u8;
    /// Bytes of the table that was linked at an address.
    safe fn size(address: *const u8) -> usize;
}

/// Where the heap takes its memory from.
struct Memory {
    /// Which of the rooms that tables left were taken, in their order.
    taken: [Cell<bool>; ROOMS],
}

impl Memory {
    /// The shortest room that is left of those that have so many bytes. Nobody wrote there. A table that is copied gets
    /// the room of the next longer one.
    fn room(&self, least: usize) -> Option<(*mut u8, usize)> {
        let (taken, room, size) = (0..)
            .zip(&self.taken)
            .map(|(nth, taken)| (taken, address(nth)))
            .take_while(|(_, room)| !room.is_null())
            .map(|(taken, room)| (taken, room, size(room)))
            // the longest come first
            .take_while(|(_, _, size)| *size >= least)
            .filter(|(taken, _, _)| !taken.get())
            .last()?;
        taken.set(true);
        Some((room, size))
    }
}

/// At least so many bytes behind the end of the memory; `None` where the host has no more.
fn grow(least: usize) -> Option<(*mut u8, usize)> {
    // where a step is too much, what is needed may still be there
    [STEP, PAGE].into_iter().find_map(|step| {
        let size = least.checked_next_multiple_of(step)?;
        let pages = wasm32::memory_grow(0, size / PAGE);
        (pages != usize::MAX).then(|| grown(pages, size))
    })
}

/// What was behind `pages` pages. The last bytes of all addresses stay unused: behind them there is none.
fn grown(pages: usize, size: usize) -> (*mut u8, usize) {
    let start = pages * PAGE;
    let size = match start.checked_add(size) {
        Some(_) => size,
        None => size - 16,
    };
    (start as *mut u8, size)
}

#[allow(unsafe_code, reason = "it says what memory is nobody's")]
// SAFETY: what is handed out is nobody else's, has the size that is said, and is zero: tables are passive segments and
// are never copied to where they were linked, and the host clears its memory.
unsafe impl Allocator for Memory {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        let (start, size) = self
            .room(size)
            .or_else(|| grow(size))
            .unwrap_or((ptr::null_mut(), 0));
        (start, size, 0)
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        PAGE
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

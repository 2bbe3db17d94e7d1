//! Memory of a program: one allocator for all of it, in small pages, and given back when there is time.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Has the system give memory in small pages. The allocator asks for huge ones, which it cannot give back in part: a
/// server of a million lines held 25 MB more with them, and indexed no faster.
pub fn take_small_pages() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, it is the memory alone that differs.
        let _ = rustix::thread::disable_transparent_huge_pages(true);
    }
}

/// Has tree-sitter take memory from the program's allocator. From that of the C library, trees take a tenth longer to
/// make and to drop.
///
/// A program calls this first: memory that was taken from one allocator cannot be given back to another.
pub fn share_allocator() {
    #[allow(
        unsafe_code,
        reason = "the parser has one allocator for the process, set by its functions"
    )]
    // SAFETY: the four are one allocator's, align as `malloc` does and never return null for memory that was asked
    // for; programs call this before they parse anything or start a thread.
    unsafe {
        tree_sitter::set_allocator(Some(tree_sitter::Allocator {
            malloc: parser::malloc,
            calloc: parser::calloc,
            realloc: parser::realloc,
            free: libmimalloc_sys::mi_free,
        }));
    }
}

#[allow(unsafe_code, reason = "the parser takes C functions")]
mod parser {
    //! The allocator as the parser wants it: without memory the process ends, as it does for Rust.

    use std::alloc::{Layout, handle_alloc_error};
    use std::ffi::c_void;

    use libmimalloc_sys::{mi_calloc, mi_malloc, mi_realloc};

    pub(super) unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
        // SAFETY: any size may be asked for.
        there(unsafe { mi_malloc(size) }, size)
    }

    pub(super) unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
        // SAFETY: any number of any size may be asked for.
        there(
            unsafe { mi_calloc(count, size) },
            count.saturating_mul(size),
        )
    }

    pub(super) unsafe extern "C" fn realloc(memory: *mut c_void, size: usize) -> *mut c_void {
        // SAFETY: the parser gives back what it took from here.
        there(unsafe { mi_realloc(memory, size) }, size)
    }

    fn there(memory: *mut c_void, size: usize) -> *mut c_void {
        if memory.is_null() && size > 0 {
            handle_alloc_error(Layout::array::<u8>(size).unwrap_or(Layout::new::<u8>()));
        }
        memory
    }
}

/// Gives memory that is free back to the system. The allocator does so by itself only while it is asked for more, so
/// that a server that rests would keep what its greatest work took: 60 MB of a million lines.
pub fn give_back() {
    #[allow(
        unsafe_code,
        reason = "no such function of the allocator is safe by its signature"
    )]
    // SAFETY: it may be called at any time, from any thread.
    unsafe {
        libmimalloc_sys::mi_collect(true);
    }
}

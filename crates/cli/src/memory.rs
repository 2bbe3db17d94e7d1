//! Memory of the process.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Has the system give memory in small pages. The allocator asks for huge ones, which it cannot give back in part: a
/// server of a million lines held 25 MB more with them, and indexed no faster.
pub(crate) fn take_small_pages() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, it is the memory alone that differs.
        let _ = rustix::thread::disable_transparent_huge_pages(true);
    }
}

/// Gives memory that is free back to the system. The allocator does so by itself only while it is asked for more, so
/// that a server that rests would keep what its greatest work took: 60 MB of a million lines.
pub(crate) fn give_back() {
    #[allow(
        unsafe_code,
        reason = "no such function of the allocator is safe by its signature"
    )]
    // SAFETY: it may be called at any time, from any thread.
    unsafe {
        libmimalloc_sys::mi_collect(true);
    }
}

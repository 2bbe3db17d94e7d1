//! Memory of the process.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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

//! Whether somebody still has a file open that was taken out of its place: what they write goes to it, not to the file
//! that took its place.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

/// Waits until nobody has a file open for writing, so that what it holds is final. False where somebody has after that
/// time. Where the system or the disk cannot say it, nobody has.
pub(super) fn wait(path: &Path, patience: Duration) -> bool {
    let Ok(file) = super::file_snapshot::open(path) else {
        return true;
    };
    let until = Instant::now() + patience;
    while has_writers(&file) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Linux grants a lease of a file for reading only while nobody has it open for writing. It is given back at once:
/// whoever opened the file for writing meanwhile would have to wait for that. No name that others use leads there.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "no library offers leases")]
fn has_writers(file: &File) -> bool {
    use std::os::fd::AsRawFd;
    let file = file.as_raw_fd();
    // SAFETY: the descriptor is open as long as the file is borrowed, and both commands take a number.
    let taken = unsafe { libc::fcntl(file, libc::F_SETLEASE, libc::F_RDLCK) };
    if taken != 0 {
        return std::io::Error::last_os_error().kind() == std::io::ErrorKind::WouldBlock;
    }
    // SAFETY: as above.
    unsafe { libc::fcntl(file, libc::F_SETLEASE, libc::F_UNLCK) };
    false
}

#[cfg(not(target_os = "linux"))]
fn has_writers(_: &File) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_writers_while_it_is_open_for_writing() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        let writer = File::create(&path).unwrap();
        assert!(!wait(&path, Duration::ZERO));
        let reader = File::open(&path).unwrap();
        drop(writer);
        assert!(wait(&path, Duration::ZERO));
        drop(reader);
        assert!(wait(&place.path().join("nothing"), Duration::ZERO));
    }
}

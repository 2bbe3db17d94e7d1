//! Who has a lock, and whether that process is still there.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::sync::OnceLock;

/// A process, in a way that the same number given to another one later is told apart where the system can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessIdentity {
    /// FNV-1a of what names the machine, its boot and its table of processes.
    pub(crate) place: u32,
    /// The process id.
    pub(crate) pid: u32,
    /// When it began, in ticks since the machine did; 0 where the system does not tell.
    pub(crate) start: u64,
}

impl ProcessIdentity {
    /// This process.
    pub(crate) fn me() -> Self {
        static ME: OnceLock<ProcessIdentity> = OnceLock::new();
        *ME.get_or_init(|| {
            let pid = std::process::id();
            Self {
                place: fnv(place().as_bytes()),
                pid,
                start: start_of(pid).unwrap_or(0),
            }
        })
    }

    pub(crate) fn parse<'p>(parts: &mut impl Iterator<Item = &'p str>) -> Option<Self> {
        let place = parts.next().filter(|place| place.len() == 8)?;
        Some(Self {
            place: u32::from_str_radix(place, 16).ok()?,
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
        })
    }
}

impl Display for ProcessIdentity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}.{}.{}", self.place, self.pid, self.start)
    }
}

/// Whether a process can be looked at from here: it is of this machine, boot and table of processes, and the
/// system tells processes of one number apart.
pub(crate) fn is_known(owner: &ProcessIdentity, me: &ProcessIdentity) -> bool {
    owner.place == me.place && owner.start != 0
}

/// Whether a process has certainly ended.
pub(crate) fn is_gone(owner: &ProcessIdentity, me: &ProcessIdentity) -> bool {
    if owner.place != me.place {
        return false;
    }
    if owner.start != 0 {
        return start_of(owner.pid) != Some(owner.start);
    }
    !exists(owner.pid)
}

/// What names this machine, its boot and its table of processes.
fn place() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let table = fs::read_link("/proc/self/ns/pid");
    match (boot, table) {
        (Ok(boot), Ok(table)) => format!("{} {}", boot.trim(), table.display()),
        _ => host(),
    }
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// When a process began; `None` if it ended, waits to be buried, or the system does not tell.
fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may hold anything.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(unix)]
fn exists(pid: u32) -> bool {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let test = pid.map(rustix::process::test_kill_process);
    !matches!(test, Some(Err(rustix::io::Errno::SRCH)) | None)
}

/// Nobody can say without calls that are not safe; the age decides.
#[cfg(not(unix))]
fn exists(_pid: u32) -> bool {
    true
}

fn fnv(bytes: &[u8]) -> u32 {
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_itself() {
        let me = ProcessIdentity::me();
        assert_eq!(me, ProcessIdentity::me());
        assert!(!is_gone(&me, &me));
        if cfg!(target_os = "linux") {
            assert!(is_known(&me, &me));
            let reused = ProcessIdentity {
                start: me.start + 1,
                ..me
            };
            assert!(is_gone(&reused, &me), "another process of the same number");
        }
    }

    #[test]
    fn the_hash_is_the_one_of_the_protocol() {
        assert_eq!(fnv(b""), 0x811c_9dc5);
        assert_eq!(fnv(b"foobar"), 0xbf9c_f968);
    }
}

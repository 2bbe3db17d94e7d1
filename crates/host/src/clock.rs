//! Processor time, for the account that benchmarks read.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[cfg(unix)]
fn since(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

/// What this thread has cost; zero where the system does not tell.
pub(crate) fn thread_cpu() -> Duration {
    #[cfg(unix)]
    return since(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    Duration::ZERO
}

/// What the process has cost; zero where the system does not tell.
pub(crate) fn process_cpu() -> Duration {
    #[cfg(unix)]
    return since(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    Duration::ZERO
}

/// Ms since 1970.
pub(crate) fn now_ms() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

/// The most memory the process ever had, in bytes, where the system tells.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

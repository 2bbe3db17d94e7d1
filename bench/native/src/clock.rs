//! Time that other programs on the machine do not use up.

use std::time::{Duration, Instant};

/// Processor time of this thread; where the system does not tell, the time since the start.
pub(crate) fn now() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(
            u64::try_from(time.tv_sec).unwrap_or(0),
            u32::try_from(time.tv_nsec).unwrap_or(0),
        )
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// What something took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// Processor time in ms.
    pub(crate) cpu: f64,
    /// Time on the wall in ms.
    pub(crate) wall: f64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.cpu += other.cpu;
        self.wall += other.wall;
    }
}

/// Does something and says what it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    let (cpu, wall) = (now(), Instant::now());
    let value = work();
    let spent = Spent {
        wall: wall.elapsed().as_secs_f64() * 1e3,
        cpu: now().saturating_sub(cpu).as_secs_f64() * 1e3,
    };
    (value, spent)
}

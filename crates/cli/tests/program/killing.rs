//! Kills of the real program at moments that are spread over its work (SIGKILL, by the child's own handle).
//!
//! `CODECORTEX_KILLS` says how many processes a test kills.

use std::process::Child;
use std::time::{Duration, Instant};

/// Nothing here takes this long on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many processes are killed: what the environment says, or `usual`.
pub(crate) fn kills(usual: usize) -> usize {
    let wanted = std::env::var("CODECORTEX_KILLS").ok();
    wanted.and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Moments between 0 and a longest time, the same ones in every run, short ones as often as long ones.
pub(crate) struct Moments {
    seed: u64,
    longest: Duration,
}

impl Moments {
    pub(crate) fn up_to(longest: Duration) -> Self {
        Self { seed: 1, longest }
    }

    pub(crate) fn next(&mut self) -> Duration {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.longest
            .mul_f64((self.seed >> 40) as f64 / f64::from(1 << 24))
    }
}

/// Waits until `has_begun` says so or the child has ended, lets it work for `moment` and kills it. Whether it was killed
/// at work.
pub(crate) fn kill_at(child: &mut Child, has_begun: impl Fn() -> bool, moment: Duration) -> bool {
    let begun = Instant::now();
    while !has_begun() && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "it does not begin");
        std::hint::spin_loop();
    }
    let begun = Instant::now();
    // A sleep is too coarse for work of some milliseconds.
    while begun.elapsed() < moment {
        std::hint::spin_loop();
    }
    let is_at_work = child.try_wait().unwrap().is_none();
    let _ = child.kill(); // it may have ended
    child.wait().unwrap();
    is_at_work
}

//! The time, as events tell it.

/// Milliseconds since 1970.
pub type Millis = u64;

/// What the host's clock said last, and a count of the time that passed. The count never goes back: a clock
/// that was set back stops it for a moment, and nothing lives longer or dies twice for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    host: Millis,
    count: Millis,
}

impl Clock {
    /// Takes in what the host's clock says. What is no time is no news.
    pub fn tell(&mut self, now_ms: f64) {
        if !now_ms.is_finite() || now_ms < 1.0 {
            return;
        }
        let now = now_ms as Millis;
        self.count = match self.host {
            0 => now,
            host => self.count + now.saturating_sub(host),
        };
        self.host = now;
    }

    /// The host's time, for people; 0 before it was told.
    pub fn host(self) -> Millis {
        self.host
    }

    /// The count, for comparisons.
    pub fn count(self) -> Millis {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_stops_the_count() {
        let mut clock = Clock::default();
        for (told, host, count) in [
            (1000.0, 1000, 1000),
            (5000.5, 5000, 5000),
            (2000.0, 2000, 5000),
            (2500.0, 2500, 5500),
            (f64::NAN, 2500, 5500),
            (-3.0, 2500, 5500),
        ] {
            clock.tell(told);
            assert_eq!((clock.host(), clock.count()), (host, count), "{told}");
        }
    }
}

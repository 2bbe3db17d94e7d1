//! Time as the host tells it: written as RFC 3339, counted so that a clock that jumps back does no harm.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970 (UTC).
pub type Millis = u64;

/// A time as the files have it: RFC 3339 in UTC, fractions only where there are any.
#[must_use]
pub fn rfc3339(at: Millis) -> String {
    i64::try_from(at)
        .ok()
        .and_then(DateTime::from_timestamp_millis)
        .unwrap_or(DateTime::<Utc>::MAX_UTC)
        .to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Reads a time of a file. `None` for what is no RFC 3339 or lies before 1970.
#[must_use]
pub fn parse_rfc3339(text: &str) -> Option<Millis> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    u64::try_from(time.timestamp_millis()).ok()
}

/// Counts the time that passes between calls.
///
/// Deadlines are kept on this count and not on the host's clock. It starts as the host's time and moves
/// by every step forward; a step back moves nothing. So no deadline is lost in a future that the host's
/// clock left again, and none is reached twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// What the host said last.
    host: Millis,
    /// The count.
    count: Millis,
}

impl Clock {
    pub(crate) fn from_parts(host: Millis, count: Millis) -> Self {
        Self { host, count }
    }

    pub(crate) fn host(self) -> Millis {
        self.host
    }

    pub(crate) fn count(self) -> Millis {
        self.count
    }

    /// Moves on to what the host says now, and gives the count.
    pub(crate) fn advance(&mut self, now: Millis) -> Millis {
        if *self == Self::default() {
            self.count = now;
        } else {
            self.count = self.count.saturating_add(now.saturating_sub(self.host));
        }
        self.host = now;
        self.count
    }

    /// The host's time when the count will be at `deadline`, if its clock goes on as it should.
    pub(crate) fn host_time_of(self, deadline: Millis) -> Millis {
        let left = deadline.saturating_sub(self.count);
        self.host.saturating_add(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_back_stops_the_count() {
        let mut clock = Clock::default();
        assert_eq!(clock.advance(1_000), 1_000);
        assert_eq!(clock.advance(1_500), 1_500);
        assert_eq!(clock.advance(200), 1_500);
        assert_eq!(clock.advance(300), 1_600);
        assert_eq!(clock.host_time_of(1_700), 400);
    }

    #[test]
    fn times_are_written_and_read() {
        let text = "2025-09-01T12:00:00Z";
        let at = parse_rfc3339(text).unwrap();
        assert_eq!(rfc3339(at), text);
        assert_eq!(rfc3339(at + 7), "2025-09-01T12:00:00.007Z");
        assert_eq!(parse_rfc3339("2025-09-01T14:00:00+02:00"), Some(at));
        assert_eq!(parse_rfc3339("1925-09-01T14:00:00Z"), None);
        assert_eq!(parse_rfc3339("yesterday"), None);
        assert!(rfc3339(u64::MAX).starts_with("+262142-12-31"));
    }
}

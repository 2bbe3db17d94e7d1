//! Times as the schema writes them: `YYYY-MM-DD HH:mm:ss` in UTC. They sort as text.

use chrono::{DateTime, NaiveDateTime};

const FORMAT: &str = "%Y-%m-%d %H:%M:%S";
/// The last second of the year 9999, the last year with four digits.
const LAST: i64 = 253_402_300_799;

/// Whether a text is a valid time of the calendar. A leap second is valid.
#[must_use]
pub fn is_valid(ts: &str) -> bool {
    has_form(ts) && NaiveDateTime::parse_from_str(ts, FORMAT).is_ok()
}

/// Whether every number has its full width; the parser of the calendar accepts signs and shorter numbers.
fn has_form(ts: &str) -> bool {
    ts.len() == 19
        && ts.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            10 => byte == b' ',
            13 | 16 => byte == b':',
            _ => byte.is_ascii_digit(),
        })
}

/// The time of seconds since 1970, for hosts, which have a clock; at most the end of the year 9999.
#[must_use]
pub fn from_unix(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(LAST).min(LAST);
    // Every second up to the last of the year 9999 is in the calendar's range.
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    time.format(FORMAT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn calendars_are_kept() {
        for right in [
            "2024-02-29 23:59:60",
            "2000-02-29 00:00:00",
            "2026-05-31 12:00:60",
            "0000-02-29 00:00:00",
            "9999-12-31 23:59:59",
        ] {
            assert!(is_valid(right), "{right}");
        }
        for wrong in [
            "2023-02-29 00:00:00",
            "1900-02-29 00:00:00",
            "2026-04-31 00:00:00",
            "2026-00-10 00:00:00",
            "2026-01-00 00:00:00",
            "2026-01-01 00:60:00",
            "2026-01-01 00:00:61",
            "+026-01-01 00:00:00",
            "2026-01-01  0:00:00",
            "2026-01-01\t00:00:00",
            "2026-01-01 00:00:00 ",
            "2026-13-01 00:00:00",
            "2026-01-01T00:00:00",
            "2026-01-01 24:00:00",
            "2026-1-1 0:0:0",
            "２026-01-01 00:00:0",
        ] {
            assert!(!is_valid(wrong), "{wrong}");
        }
    }

    #[test]
    fn seconds_become_times() {
        assert_eq!(from_unix(0), "1970-01-01 00:00:00");
        assert_eq!(from_unix(951_827_696), "2000-02-29 12:34:56");
        assert_eq!(from_unix(u64::MAX), "9999-12-31 23:59:59");
        assert_eq!(from_unix(1_798_761_599), "2026-12-31 23:59:59");
    }

    proptest! {
        /// Seconds become valid times, which sort as the seconds do.
        #[test]
        fn times_sort_as_seconds(a in 0..=LAST as u64, b in 0..=LAST as u64) {
            let (first, second) = (from_unix(a), from_unix(b));
            prop_assert!(is_valid(&first), "{}", first);
            prop_assert_eq!(a.cmp(&b), first.cmp(&second));
        }
    }
}

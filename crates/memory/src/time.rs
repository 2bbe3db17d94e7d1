//! Times as the schema writes them: `YYYY-MM-DD HH:mm:ss` in UTC. They sort as text.

/// Whether it is a time that a calendar has. A leap second is one.
#[must_use]
pub fn is_valid(ts: &str) -> bool {
    let bytes = ts.as_bytes();
    let has_form = bytes.len() == 19
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            10 => *byte == b' ',
            13 | 16 => *byte == b':',
            _ => byte.is_ascii_digit(),
        });
    if !has_form {
        return false;
    }
    let number = |from: usize, to: usize| ts[from..to].parse::<u32>().unwrap_or(u32::MAX);
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    (1..=12).contains(&month)
        && (1..=days(year, month)).contains(&day)
        && number(11, 13) < 24
        && number(14, 16) < 60
        && number(17, 19) <= 60
}

/// The last second that four digits of a year can tell.
const LAST: u64 = 253_402_300_799;

/// The time of seconds since 1970, for hosts, which have a clock; at most the end of the year 9999.
#[must_use]
pub fn from_unix(seconds: u64) -> String {
    let seconds = seconds.min(LAST);
    let (mut days_left, rest) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    while days_left >= days_of_year(year) {
        days_left -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    while days_left >= u64::from(days(year, month)) {
        days_left -= u64::from(days(year, month));
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let day = days_left + 1;
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

fn days_of_year(year: u32) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 => 28 + u32::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendars_are_kept() {
        assert!(is_valid("2024-02-29 23:59:60"));
        for wrong in [
            "2023-02-29 00:00:00",
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
}

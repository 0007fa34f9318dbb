//! The date of an audit.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::command::model::Day;

/// Returns the seconds since 1970 that a report uses as the present. `SOURCE_DATE_EPOCH` may
/// override them, so that reports are reproducible to the byte
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
pub(crate) fn now() -> u64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs())
}

/// Returns the day of [`now`] in UTC.
pub(crate) fn today() -> Day {
    day_of(now())
}

/// Formats [`now`] for readers: `2026-11-22 20:28 UTC`.
pub(crate) fn date() -> String {
    let now = now();
    format!("{} {:02}:{:02} UTC", day_of(now), now / 3600 % 24, now / 60 % 60)
}

/// Returns the civil date of a time in seconds. Days are counted in eras of 400 years that begin on
/// 1 March (<https://howardhinnant.github.io/date_algorithms.html>).
fn day_of(seconds: u64) -> Day {
    // The limit keeps an absurd clock's year within a `Day`. There are 719,468 days from 1 March of
    // year 0 to 1 January 1970.
    let days = (seconds / 86_400).min(2_900_000) + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1) as u8;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u8;
    let year = (year_of_era + era * 400 + u64::from(month <= 2)) as i16;
    Day { year, month, day }
}

#[cfg(test)]
mod tests {
    use super::day_of;

    #[test]
    fn days() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_795_305_600, "2026-11-22"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day_of(seconds).to_string(), day);
        }
        assert!(day_of(u64::MAX).year > 9000);
    }
}

//! The dates of a record as times.

/// Returns the time of a date of a record, in UTC. A date without a zone is read as UTC, and a date
/// without a time as midnight.
pub(crate) fn microseconds(iso: &[u8]) -> Option<i64> {
    let number =
        |range: std::ops::Range<usize>| -> Option<i64> { std::str::from_utf8(iso.get(range)?).ok()?.parse().ok() };
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let time = match iso.get(10) {
        None => 0,
        Some(_) => (number(11..13)? * 60 + number(14..16)?) * 60 + number(17..19)?,
    };
    let east = match iso.get(19) {
        Some(sign @ (b'+' | b'-')) => {
            let minutes = number(20..22)? * 60 + number(23..25)?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => 0,
    };
    Some(((days(year, month, day)? * 24 * 60 - east) * 60 + time) * 1_000_000)
}

/// Counts the days since 1 January 1970 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let length = [31, 28 + i64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = usize::try_from(month - 1).ok()?;
    if !(1..=*length.get(month)?).contains(&day) {
        return None;
    }
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let of_years = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    Some(of_years + before.get(month)? + i64::from(is_leap && month > 1) + day - 1)
}

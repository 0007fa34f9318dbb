//! Dates of messages: RFC 5322, section 3.3, and the older forms of RFC 733, RFC 850 and `ctime`.

use std::ops::ControlFlow;

use crate::archive::header::{LONGEST_FIELD, fields, glance};
use crate::bytes::simd::Backend;

/// Returns the day of the date that [`envelope`](super::envelope()) finds in the header of a
/// message.
pub(crate) fn day(message: &[u8]) -> Option<(u16, u8, u8)> {
    // This runs for every message with a URL, and about one field in twenty is a date. So other
    // fields are skipped quickly.
    let mut day = None;
    glance(message, Backend::detect(), true, b'D', |start| {
        let is_date = message[start..].get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"date"));
        if !is_date {
            return ControlFlow::Continue(());
        }
        let field = fields(message, start..message.len()).next();
        let field = field.filter(|field| field.name.start == start && field.is(message, "date"));
        day = field.and_then(|field| {
            let value = &message[field.value];
            usual_day(value).or_else(|| {
                let date = Date::read(value, Date::has_day)?;
                Some((date.year?, date.month, date.day))
            })
        });
        if day.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    day
}

/// Returns the day of a date that begins like `Sat, 5 Oct 2002`, as nearly all dates do. The day is
/// the same as with [`Date::read`], for a tenth of the instructions.
fn usual_day(value: &[u8]) -> Option<(u16, u8, u8)> {
    let (weekday, rest) = value.strip_prefix(b" ")?.split_first_chunk::<3>()?;
    let rest = rest.strip_prefix(b", ")?;
    let (figures, rest) = rest.split_at_checked(if rest.get(1) == Some(&b' ') { 1 } else { 2 })?;
    let [b' ', name @ .., b' ', y, e, a, r, b' '] = rest.first_chunk::<10>()? else { return None };
    let (day, year) = (number(figures)?, number(&[*y, *e, *a, *r])?);
    // A date that begins with a month in place of a weekday is parsed by [`Date::read`].
    let is_usual = weekday.iter().all(u8::is_ascii_alphabetic) && month(weekday).is_none();
    (is_usual && (1..32).contains(&day) && year >= 1900).then_some((year, month(name)?, day as u8))
}

/// Returns a date in the form of ISO 8601. It has a zone or a time only if the field has one that
/// is recognised.
pub(crate) fn date(value: &[u8]) -> Option<String> {
    Date::read(value, |_| false).map(|date| date.iso())
}

/// The parts of a date, in any order: `Sat, 5 Oct 2002 23:56:00 -0700`, `5 Oct 94 23:56 GMT`,
/// `19-Nov-82 16:14:55 EST`, `Tue Mar 15 12:05:48 PST 1994`, `15 Mar 86 1205-PST`.
///
/// A parser of only the first form does not suffice. The crate `mail-parser` reads the fourth form
/// as the 15th of December, and `12:05 JST` as Greenwich time.
#[derive(Default)]
struct Date {
    year: Option<u16>,
    /// The month from 1, and the day from 1. Each is 0 until it is found.
    month: u8,
    day: u8,
    time: Option<[u8; 3]>,
    /// Minutes east of Greenwich.
    zone: Option<i16>,
}

impl Date {
    /// Reads a date until `is_enough` returns true. Later words never change a part that was found,
    /// except that AM or PM adjusts the hour.
    fn read(value: &[u8], is_enough: impl Fn(&Date) -> bool) -> Option<Date> {
        let mut date = Date::default();
        let mut comments = 0_usize;
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'(' | b')');
        let mut rest = &value[..value.len().min(LONGEST_FIELD)];
        while let Some(&first) = rest.first()
            && !is_enough(&date)
        {
            let end = rest.iter().position(is_end).unwrap_or(rest.len());
            match first {
                b'(' => comments += 1,
                b')' => comments = comments.saturating_sub(1),
                _ if comments == 0 && end > 0 => date.read_word(&rest[..end]),
                _ => {}
            }
            rest = &rest[end.max(1)..];
        }
        let year = date.year.as_mut()?;
        // Two digits stand for a year from 1950 to 2049. Three digits count from 1900: `102` is
        // 2002.
        *year += match year {
            ..50 => 2000,
            50..1000 => 1900,
            _ => 0,
        };
        let is_valid = *year >= 1900 && date.month > 0 && (1..=31).contains(&date.day);
        is_valid.then_some(date)
    }

    fn has_day(&self) -> bool {
        self.year.is_some() && self.month > 0 && self.day > 0
    }

    fn read_word(&mut self, word: &[u8]) {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (figures, rest) = word.split_at(digits);
        match (number(figures), rest) {
            (None, _) if digits == 0 => self.read_name(word),
            (None, _) => {}
            (Some(hour), [b':', ..]) => self.read_time(hour, rest),
            (Some(_), [b'-', date @ ..]) if self.month == 0 => {
                self.read_word(figures);
                date.split(|&byte| byte == b'-').for_each(|part| self.read_word(part));
            }
            (Some(day), _) if self.day == 0 && digits < 3 => self.day = day as u8,
            (Some(year), []) if self.year.is_none() && self.month > 0 => self.year = Some(year),
            (Some(hours), _) if self.time.is_none() && digits == 4 => {
                self.time = time(hours / 100, hours % 100, 0);
                self.read_name(rest);
            }
            _ => {}
        }
    }

    /// Reads what follows the hour of `12:05:48`, and a zone directly after it.
    fn read_time(&mut self, hour: u16, mut rest: &[u8]) {
        let mut part = || {
            let figures = rest.strip_prefix(b":")?;
            let digits = figures.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest = &figures[digits..];
            number(&figures[..digits])
        };
        if let Some(minute) = part() {
            let second = part().unwrap_or(0);
            self.time = self.time.or_else(|| time(hour, minute, second));
            self.read_name(rest);
        }
    }

    /// Reads a month, AM or PM, or a zone.
    fn read_name(&mut self, name: &[u8]) {
        if self.month == 0
            && let Some(month) = month(name)
        {
            self.month = month;
        } else if let Some([hour, ..]) = &mut self.time
            && self.zone.is_none()
        {
            match name {
                [b'A' | b'a', b'M' | b'm'] if *hour == 12 => *hour = 0,
                [b'P' | b'p', b'M' | b'm'] => *hour = *hour % 12 + 12,
                _ => self.zone = zone(name),
            }
        }
    }

    fn iso(&self) -> String {
        let mut text = String::with_capacity("2002-10-05T23:56:00-07:00".len());
        let mut put = |number: u16, digits: u32, end: &str| {
            let digits = (0..digits).rev().map(|power| char::from(b'0' + (number / 10u16.pow(power) % 10) as u8));
            text.extend(digits);
            text.push_str(end);
        };
        put(self.year.unwrap_or_default(), 4, "-");
        put(self.month.into(), 2, "-");
        let Some([hour, minute, second]) = self.time else {
            put(self.day.into(), 2, "");
            return text;
        };
        put(self.day.into(), 2, "T");
        put(hour.into(), 2, ":");
        put(minute.into(), 2, ":");
        put(second.into(), 2, "");
        if let Some(zone) = self.zone {
            let sign = if zone < 0 { "-" } else { "+" };
            match zone.unsigned_abs() {
                0 => put(0, 0, "Z"),
                minutes => {
                    put(0, 0, sign);
                    put(minutes / 60, 2, ":");
                    put(minutes % 60, 2, "");
                }
            }
        }
        text
    }
}

/// Returns the month that a name begins with.
fn month(name: &[u8]) -> Option<u8> {
    const MONTHS: [&[u8; 3]; 12] =
        [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    let start = name.first_chunk::<3>()?.map(|byte| byte.to_ascii_lowercase());
    MONTHS.iter().zip(1..).find_map(|(&&month, number)| (month == start).then_some(number))
}

fn time(hour: u16, minute: u16, second: u16) -> Option<[u8; 3]> {
    (hour < 24 && minute < 60 && second <= 60).then_some([hour as u8, minute as u8, second as u8])
}

/// Returns the offset of a zone in minutes. Accepts numeric offsets, the named zones of RFC 5322,
/// section 4.3, and other names of Greenwich time. The military letters (except `Z`) and names such
/// as `IST` and `BST` are ambiguous.
fn zone(name: &[u8]) -> Option<i16> {
    const ZONES: [(&[u8], i16); 12] = [
        (b"GMT", 0),
        (b"UTC", 0),
        (b"UT", 0),
        (b"Z", 0),
        (b"EST", -5),
        (b"EDT", -4),
        (b"CST", -6),
        (b"CDT", -5),
        (b"MST", -7),
        (b"MDT", -6),
        (b"PST", -8),
        (b"PDT", -7),
    ];
    let (sign, figures) = match name.iter().position(|byte| matches!(byte, b'+' | b'-')) {
        // `-PST`, directly after a time.
        Some(0) if name.get(1).is_some_and(u8::is_ascii_alphabetic) => return zone(&name[1..]),
        Some(sign) if sign == 0 || zone(&name[..sign]) == Some(0) => (name[sign], &name[sign + 1..]),
        _ => return ZONES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|&(_, hours)| hours * 60),
    };
    let (hours, minutes) = match *figures {
        [h, b':', m, n] => (number(&[h])?, number(&[m, n])?),
        [h, i, m, n] | [h, i, b':', m, n] => (number(&[h, i])?, number(&[m, n])?),
        _ => return None,
    };
    let minutes = (hours < 24 && minutes < 60).then_some((hours * 60 + minutes) as i16)?;
    Some(if sign == b'-' { -minutes } else { minutes })
}

/// Parses a number of one to four digits.
fn number(digits: &[u8]) -> Option<u16> {
    let is_number = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use mail_parser::HeaderValue;
    use mail_parser::parsers::MessageStream;

    use super::*;
    use crate::archive::support::shuffled;

    #[test]
    fn dates_as_they_were_written() {
        for (field, expected) in [
            ("Sat, 5 Oct 2002 23:56:00 -0700", "2002-10-05T23:56:00-07:00"),
            ("Sat, 5 Oct 2002\r\n\t23:56:00 +0530 (IST (of India))", "2002-10-05T23:56:00+05:30"),
            ("5 Oct 94 23:56 GMT", "1994-10-05T23:56:00Z"),
            ("Sat, 05 Oct 102 23:56 UT", "2002-10-05T23:56:00Z"),
            ("Saturday, 5 October 2002 23:56:60 z", "2002-10-05T23:56:60Z"),
            ("5 Oct 2002 23:56:00 GMT+0900 (JST)", "2002-10-05T23:56:00+09:00"),
            ("5 Oct 2002 23:56:00 -0000", "2002-10-05T23:56:00Z"),
            ("5 Oct 2002 23:56:00 +9:00", "2002-10-05T23:56:00+09:00"),
            ("5 Oct 2002 23:56:00 CET +0100", "2002-10-05T23:56:00+01:00"),
            // ctime's, and RFC 850's with a zone
            ("Tue Mar 15 12:05:48 1994", "1994-03-15T12:05:48"),
            ("Tue Mar  1 12:05:48 PST 1994", "1994-03-01T12:05:48-08:00"),
            ("Fri, 19-Nov-82 16:14:55 EST", "1982-11-19T16:14:55-05:00"),
            ("Friday, 19-Nov-1982 16:14:55 EST", "1982-11-19T16:14:55-05:00"),
            ("Wed Mar 26, 2003  2:14:08  PM US/Pacific", "2003-03-26T14:14:08"),
            ("Thu, 30 Nov 1995 17:11:34 PM PST", "1995-11-30T17:11:34-08:00"),
            ("21 Oct 1995 12:55am", "1995-10-21T00:55:00"),
            // RFC 733's
            ("15 Mar 86 1205-PST", "1986-03-15T12:05:00-08:00"),
            ("15 March 1986 1205 PST", "1986-03-15T12:05:00-08:00"),
            ("15-Mar-86 12:05:48-PST", "1986-03-15T12:05:48-08:00"),
            // an ambiguous zone, or none
            ("Tue, 15 Mar 2016 12:05:48 JST", "2016-03-15T12:05:48"),
            ("Tue, 15 Mar 2016 12:05:48 (GMT)", "2016-03-15T12:05:48"),
            ("Tue, 15 Mar 2016 12:05:48 \u{B4}\u{EB}", "2016-03-15T12:05:48"),
            ("Tue, 15 Mar 2016 12:05:48 +9999", "2016-03-15T12:05:48"),
            ("Tue, 15 Mar 2016 25:05:48 GMT", "2016-03-15"),
            ("15 Mar 2016", "2016-03-15"),
        ] {
            assert_eq!(date(field.as_bytes()).as_deref(), Some(expected), "{field}");
        }
        for none in [
            "",
            "yesterday",
            "12:05",
            "32 Mar 2016 12:05",
            "15 2016",
            "99999 Mar 15",
            "Mar 15",
            "(15 Mar 2016)",
            "-",
            "+",
        ] {
            assert_eq!(date(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn usual_days_are_read_as_all_are() {
        let mut rng = fastrand::Rng::with_seed(822);
        let pieces =
            ["5 ", "05 ", "31 ", "0 ", "40 ", "Oct ", "dec ", "Octo ", "2002 ", "0102 ", "5 Oct ", " ", "(", "-"];
        let mut usual = 0;
        for _ in 0..200_000 {
            let weekday = rng.choice([" Sat, ", " May, ", " S4t, ", "Sat, ", " Sat,  "]).unwrap();
            let value = [weekday.as_bytes(), &shuffled(&mut rng, &pieces, 4)].concat();
            if let Some(day) = usual_day(&value) {
                let date = Date::read(&value, Date::has_day).unwrap();
                assert_eq!((date.year.unwrap(), date.month, date.day), day, "{}", value.escape_ascii());
                usual += 1;
            }
        }
        assert!(usual > 100, "{usual}");
    }

    /// Checks dates of ordinary forms against mail-parser.
    #[test]
    fn ordinary_dates_by_another_parser() {
        let mut rng = fastrand::Rng::with_seed(5322);
        for _ in 0..20_000 {
            let zones = ["+0000", "-0700", "+0530", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"];
            let text: String = format!(
                "{}{} {} {} {:02}:{:02}:{:02} {}{}\n",
                rng.choice(["", "Sat, ", "Mon, "]).unwrap(),
                rng.u8(1..32),
                rng.choice(["Jan", "May", "Dec"]).unwrap(),
                if rng.bool() { rng.u16(1970..2039) } else { rng.u16(60..100) },
                rng.u8(0..24),
                rng.u8(0..60),
                rng.u8(0..60),
                rng.choice(zones).unwrap(),
                rng.choice(["", " (x)", " (PDT)"]).unwrap(),
            );
            let HeaderValue::DateTime(parsed) = MessageStream::new(text.as_bytes()).parse_date() else {
                panic!("{text}")
            };
            assert_eq!(date(text.as_bytes()), Some(parsed.to_rfc3339()), "{text}");
            assert_eq!(day(format!("Date: {text}").as_bytes()), Some((parsed.year, parsed.month, parsed.day)));
        }
    }
}

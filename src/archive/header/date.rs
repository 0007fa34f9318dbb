//! Dates of messages (RFC 5322 section 3.3), and the older ways to write them.

use bstr::ByteSlice;
use mail_parser::parsers::MessageStream;
use mail_parser::{DateTime, HeaderValue};
use memchr::{memchr, memchr_iter};

use crate::archive::header::{LONGEST_FIELD, ends_header, fields};

/// The day of the date that [`envelope`](super::envelope()) gives for the header that a message begins with.
pub(crate) fn day(message: &[u8]) -> Option<(u16, u8, u8)> {
    // Every message with a URL is asked, and its date is one field in twenty: the others are passed over by their first
    // letter.
    let mut start = 0;
    loop {
        let end = start + memchr(b'\n', &message[start..]).map_or(message.len() - start, |length| length + 1);
        match message[start..end].first()? {
            b'D' | b'd' => {
                let field = fields(message, start..message.len()).next();
                let field = field.filter(|field| field.name.start == start && field.is(message, "date"));
                if let Some(value) = field.map(|field| &message[field.value])
                    && let Some(day) = plain_day(value).or_else(|| parsed_date(value).map(|(date, _)| day_of(&date)))
                {
                    return Some(day);
                }
            }
            b'\n' | b'\r' | b' ' | b'\t' if ends_header(message, start, end) => return None,
            _ => {}
        }
        start = end;
    }
}

fn day_of(date: &DateTime) -> (u16, u8, u8) {
    (date.year, date.month, date.day)
}

/// The day of a date as nearly all are written: `Sat, 5 Oct 2002 23:56:00 -0700`, `5 Oct 94 23:56 GMT`. It takes a tenth of
/// what the parser does, which is asked where anything is out of the ordinary.
fn plain_day(value: &[u8]) -> Option<(u16, u8, u8)> {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    const ZONES: &[u8] = b"GMTESTEDTCSTCDTMSTMDTPSTPDT";
    let value = value.trim_ascii();
    let value = value.split_once_str(", ").filter(|(name, _)| name.len() == 3).map_or(value, |(_, rest)| rest);
    let mut words = value.splitn(6, |&byte| byte == b' ');
    let mut word = || words.next();
    let (day, month, year, time, zone, comment) = (word()?, word()?, word()?, word()?, word()?, word());
    let month = MONTHS.chunks(3).position(|name| name == month)? as u8 + 1;
    let year = match number(year)? {
        years @ 70..=99 => 1900 + years,
        year @ 1970..=9999 => year,
        _ => return None,
    };
    let (hour, minute, second) = match *time {
        [h, i, b':', m, n] => (number(&[h, i])?, number(&[m, n])?, 0),
        [h, i, b':', m, n, b':', s, t] => (number(&[h, i])?, number(&[m, n])?, number(&[s, t])?),
        _ => return None,
    };
    let is_zone = match zone {
        [b'+' | b'-', digits @ ..] => {
            number(digits).is_some_and(|zone| digits.len() == 4 && zone < 1000 && zone % 100 < 60)
        }
        name => ZONES.chunks(3).any(|zone| zone == name),
    };
    let day = number(day).filter(|day| (1..=28).contains(day))? as u8;
    let is_plain = hour < 24 && minute < 60 && second < 60 && comment.is_none_or(|comment| comment.starts_with(b"("));
    (is_zone && is_plain).then_some((year, month, day))
}

/// A number of one to four digits.
fn number(digits: &[u8]) -> Option<u16> {
    let is_number = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0')))
}

/// A date as ISO 8601 writes it. A date without a zone is given without one.
pub(crate) fn date(value: &[u8]) -> Option<String> {
    let (date, has_zone) = parsed_date(value)?;
    let text = iso(&date);
    Some(if has_zone { text } else { text.trim_end_matches('Z').to_string() })
}

/// A date, and whether it names a zone. The parser wants seconds and a zone, which older messages leave out.
fn parsed_date(value: &[u8]) -> Option<(DateTime, bool)> {
    let value = value[..value.len().min(LONGEST_FIELD)].trim_ascii_end();
    let mut line = Vec::with_capacity(value.len() + ":00 +0000\n".len());
    line.extend_from_slice(value);
    if let (Some(colon), 1) = (memchr(b':', value), memchr_iter(b':', value).count()) {
        let minutes = value[colon + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        line.splice(colon + 1 + minutes..colon + 1 + minutes, *b":00");
    }
    let parse = |line: &[u8]| match MessageStream::new(line).parse_date() {
        HeaderValue::DateTime(date) if date.is_valid() => Some(date),
        _ => None,
    };
    line.push(b'\n');
    if let Some(date) = parse(&line) {
        return Some((date, true));
    }
    line.truncate(line.len() - 1);
    line.extend_from_slice(b" +0000\n");
    parse(&line).map(|date| (date, false))
}

/// As [`DateTime::to_rfc3339`], at a tenth of its cost: every message with a URL has a date.
fn iso(date: &DateTime) -> String {
    let mut text = String::with_capacity("2002-10-05T23:56:00-07:00".len());
    let mut put = |number: u16, digits: u32, end: &str| {
        let digits = (0..digits).rev().map(|power| char::from(b'0' + (number / 10u16.pow(power) % 10) as u8));
        text.extend(digits);
        text.push_str(end);
    };
    let is_greenwich = date.tz_hour == 0 && date.tz_minute == 0;
    let zone = match date.tz_before_gmt {
        _ if is_greenwich => "Z",
        true => "-",
        false => "+",
    };
    put(date.year, 4, "-");
    put(date.month.into(), 2, "-");
    put(date.day.into(), 2, "T");
    put(date.hour.into(), 2, ":");
    put(date.minute.into(), 2, ":");
    put(date.second.into(), 2, zone);
    if !is_greenwich {
        put(date.tz_hour.into(), 2, ":");
        put(date.tz_minute.into(), 2, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where no parser is asked, it would have said the same.
    #[test]
    fn plain_dates_are_what_the_parser_makes_of_them() {
        let mut rng = fastrand::Rng::with_seed(5322);
        let mut dates = 0;
        for _ in 0..20_000 {
            let zones = ["+0000", "-0700", "+0530", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"];
            let text: String = format!(
                "{}{} {} {} {:02}:{:02}{} {}{}",
                rng.choice(["", "Sat, ", "Mon, "]).unwrap(),
                rng.u8(1..32),
                rng.choice(["Jan", "May", "Dec"]).unwrap(),
                if rng.bool() { rng.u16(1970..2039) } else { rng.u16(60..100) },
                rng.u8(0..25),
                rng.u8(0..61),
                rng.choice(["", ":00", ":59", ":60"]).unwrap(),
                rng.choice(zones).unwrap(),
                rng.choice(["", " (x)", " (PDT)"]).unwrap(),
            );
            let parsed = parsed_date(text.as_bytes());
            if let Some((date, _)) = &parsed {
                assert_eq!(iso(date), date.to_rfc3339(), "{text}");
            }
            if let Some(day) = plain_day(text.as_bytes()) {
                assert_eq!(Some(day), parsed.map(|(date, _)| day_of(&date)), "{text}");
                dates += 1;
            }
        }
        assert!(dates > 10_000, "{dates}");
    }
}

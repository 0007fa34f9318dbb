//! Headers: fields and their places (RFC 5322, section 2.2).

mod date;
mod envelope;
pub(crate) mod fragment;
mod glance;
mod known;
mod words;

use std::ops::Range;

use crate::archive::inline;
use mail_parser::ContentType;
use mail_parser::parsers::MessageStream;
use memchr::{memchr, memchr_iter, memrchr};

pub(crate) use date::{date, day};
#[cfg(feature = "audit")]
pub(crate) use envelope::recipients;
pub(crate) use envelope::{envelope, short};
pub(crate) use glance::{glance, is_harmless, plain_body};
pub(crate) use known::known;
pub(crate) use words::decode_words;

/// The maximum length of a structured field that is parsed. The parser needs quadratic time for
/// thousands of parameters: 4 ms for 34 kB, 310 ms for 380 kB.
pub(crate) const LONGEST_FIELD: usize = 16 << 10;

/// A field of a header, by its places in the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Range<usize>,
    /// The range from the byte after the colon to the end of the last folded line.
    pub(crate) value: Range<usize>,
}

impl Field {
    /// Returns the range of the whole field, from the name to the end of the value.
    pub(crate) fn range(&self) -> Range<usize> {
        self.name.start..self.value.end
    }

    pub(crate) fn is(&self, message: &[u8], name: &str) -> bool {
        message[self.name.clone()].eq_ignore_ascii_case(name.as_bytes())
    }
}

/// Returns the end of the header that begins at `start`, and the start of the body. The header ends
/// at an empty line, which belongs to neither, or at a line that [passes for
/// empty](passes_for_empty). It also ends before a line that `is_end` accepts.
/// An encoded file at the start is a body without a header.
pub(crate) fn extent(message: &[u8], start: usize, is_end: impl Fn(&[u8]) -> bool) -> (usize, usize) {
    if inline::begins_with_file(&message[start..]) {
        return (start, start);
    }
    let mut line = start;
    for end in memchr_iter(b'\n', &message[start..]).map(|at| start + at + 1) {
        match &message[line..end] {
            [b'\n'] | [b'\r', b'\n'] => return (line, end),
            [b' ' | b'\t', ..] if passes_for_empty(message, line, end) => return (line, end),
            text if is_end(text) => return (line, line),
            _ => line = end,
        }
    }
    // The last line may lack its end.
    if is_end(&message[line..]) { (line, line) } else { (message.len(), message.len()) }
}

/// Returns whether a line of blanks ends a header. By the standard such a line continues the field
/// above it. The writer meant an empty line if text follows that cannot belong to a header. Mail
/// readers also treat the line as empty then.
pub(crate) fn passes_for_empty(message: &[u8], line: usize, end: usize) -> bool {
    if !message[line..end].iter().all(u8::is_ascii_whitespace) {
        return false;
    }
    let rest = &message[end..];
    let next = &rest[..memchr(b'\n', rest).map_or(rest.len(), |length| length + 1)];
    match next {
        [] | [b' ' | b'\t' | b'\r' | b'\n', ..] => false,
        // The delimiter of a part can look like a field.
        [b'-', b'-', ..] => true,
        _ => name_of(next).is_none() && !next.starts_with(b"From ") && !next.starts_with(b">From "),
    }
}

/// Returns the fields of a header in their order. Skips lines that neither begin nor continue a
/// field.
pub(crate) fn fields(message: &[u8], header: Range<usize>) -> impl Iterator<Item = Field> {
    let mut at = header.start;
    std::iter::from_fn(move || {
        while at < header.end {
            let start = at;
            loop {
                at = memchr(b'\n', &message[at..header.end]).map_or(header.end, |length| at + length + 1);
                if at == header.end || !matches!(message[at], b' ' | b'\t') {
                    break;
                }
            }
            if let Some(name) = name_of(&message[start..at]) {
                let colon = start + memchr(b':', &message[start..at]).unwrap_or(0);
                return Some(Field { name: start..start + name.len(), value: colon + 1..at });
            }
        }
        None
    })
}

/// The search for the start of a field covers this many bytes before a place.
const NEAR: usize = 1 << 10;

/// Returns the field around a place in a header. Returns an error if the field does not begin
/// within [`NEAR`] bytes before the place.
pub(crate) fn field_around(header: &[u8], at: usize) -> Result<Option<Field>, ()> {
    let far = at.saturating_sub(NEAR);
    let mut start = at;
    loop {
        start = match memrchr(b'\n', &header[far..start]) {
            Some(newline) => far + newline + 1,
            None if far == 0 => 0,
            None => return Err(()),
        };
        if start == 0 || !matches!(header.get(start), Some(b' ' | b'\t')) {
            break;
        }
        start -= 1;
    }
    let field = fields(header, start..header.len()).next();
    Ok(field.filter(|field| field.name.start == start && at < field.value.end))
}

/// Returns the name at the start of a line, if the line begins a field. Blanks before the colon are
/// allowed, because older messages have them.
pub(crate) fn name_of(line: &[u8]) -> Option<&[u8]> {
    let name = line[..memchr(b':', line)?].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

/// Returns a value with a line break, which the parser needs at the end of a field.
pub(crate) fn line_of(value: &[u8]) -> Vec<u8> {
    [value, b"\n"].concat()
}

/// Returns the parsed value of a Content-Type or Content-Disposition.
pub(crate) fn content_type(value: &[u8]) -> Option<ContentType<'static>> {
    let line = line_of(&value[..value.len().min(LONGEST_FIELD)]);
    MessageStream::new(&line).parse_content_type().into_owned().into_content_type()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::shuffled;

    #[test]
    fn fields_and_their_names() {
        let header = "Subject: a\n b\nX-URL : http://h/\nno field\nReferences:\n\t<a>\n\t<b>\n: empty\n";
        let names: Vec<_> = fields(header.as_bytes(), 0..header.len())
            .map(|field| (&header[field.name.clone()], &header[field.value.clone()]))
            .collect();
        let references = ("References", "\n\t<a>\n\t<b>\n");
        assert_eq!(names, [("Subject", " a\n b\n"), ("X-URL", " http://h/\n"), references]);
    }

    #[test]
    fn the_field_around_a_place_is_one_of_all() {
        let mut rng = fastrand::Rng::with_seed(2822);
        let pieces = ["A: b\n", "B", ":", "\n", " ", "\tc\n", "no field\n", "D :\n e\n", "\r\n"];
        for _ in 0..5_000 {
            let header = shuffled(&mut rng, &pieces, 12);
            let all: Vec<_> = fields(&header, 0..header.len()).collect();
            for at in 0..header.len() {
                let around = all.iter().find(|field| field.range().contains(&at));
                assert_eq!(field_around(&header, at), Ok(around.cloned()), "{} {at}", header.escape_ascii());
            }
        }
        let long = [b"A: ".as_slice(), &b"\n b".repeat(NEAR)].concat();
        assert_eq!(field_around(&long, long.len() - 1), Err(()));
    }
}

//! B-JOIN-F-RECORD: the next line begins a record, as lines around it do.
//!
//! A log, a form and a list of settings have many records, which begin alike. They begin with a
//! time, a `key=` or a `#item`. Such a start resembles the inside of a URL. Its neighbours
//! reveal it.
//!
//! ```text
//! 2015-12-04 see https://mill.example.org/s4L2kad/
//! 2015-12-04 although
//! ```

use super::breaks::Break;
use super::tokens::{is_name, is_word};
use std::ops::Range;

/// The number of lines before the broken line that are compared with the next line.
const BEFORE: usize = 5;
/// The number of lines after the next line that are compared with it.
const AFTER: usize = 3;

/// The start of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordStart {
    /// A date or a time: `2026-11-27`, `[27.11.2026`, `10:00`.
    Stamp,
    /// `key=`, `key:`, `key;` or `key[a] =`, and no `//` after it.
    Key,
    /// `#item`.
    Item,
}

impl RecordStart {
    /// Matches the start of a record at the start of a line's content.
    fn of_line(line: &[u8]) -> Option<RecordStart> {
        match line {
            _ if stamp_len(line).is_some() => Some(RecordStart::Stamp),
            [b'#', next, ..] if is_word(*next) => Some(RecordStart::Item),
            _ => begins_key(line).then_some(RecordStart::Key),
        }
    }
}

impl Break<'_> {
    /// Returns whether the next line begins a record: the broken line or a line around begins alike.
    /// Both have the same indentation.
    pub(super) fn begins_record(&self) -> bool {
        let Break { window, url, content, .. } = self;
        let Some(own) = RecordStart::of_line(&window.text[content.at..url.next.end]) else { return false };
        // Parameters may stand on lines of their own, too.
        let is_in_query = matches!(self.sides.last(), b'?' | b'&' | b';' | b'=') || self.sides.tok.contains(&b'&');
        if own == RecordStart::Key && is_in_query {
            return false;
        }
        let column = window.indent(url.next.start, content.at);
        let is_alike = |line: Range<usize>| {
            let at = url.markers.content(window.text, line.start, line.end).at;
            RecordStart::of_line(&window.text[at..line.end]) == Some(own) && window.indent(line.start, at) == column
        };
        is_alike(url.line.clone())
            || window.lines_before(url.line.start).take(BEFORE).any(is_alike)
            || window.lines_after(url.next.end).take(AFTER).any(is_alike)
    }

    /// Returns whether the next line and the URL's own line begin with a key, at the same
    /// indentation.
    pub(super) fn begins_equal_key(&self) -> bool {
        let Break { window, url, content, .. } = self;
        let own = url.markers.content(window.text, url.line.start, url.line.end).at;
        begins_key(&window.text[content.at..url.next.end])
            && own < url.start
            && begins_key(&window.text[own..url.line.end])
            && window.indent(url.line.start, own) == window.indent(url.next.start, content.at)
    }

    /// Returns whether the next line begins with a date or a time, as a record of a log does. Other
    /// lines begin so, too, or the token holds nothing else and more text follows.
    pub(super) fn begins_stamped_record(&self) -> bool {
        let (raw, tok) = (self.sides.raw, self.sides.tok);
        let is_more = |byte: &u8| byte.is_ascii_digit() || b"T:.,Z+-)]".contains(byte);
        stamp_len(raw).is_some_and(|length| {
            let is_whole = || tok.get(length..).is_none_or(|more| more.iter().all(is_more));
            !self.sides.alone && is_whole() || self.begins_record()
        })
    }
}

/// Returns the length of a date or a time: `2026-11-27`, `[2026/11/27`, `27.11.26`, `10:00`. No
/// digit follows it.
fn stamp_len(bytes: &[u8]) -> Option<usize> {
    let open = usize::from(matches!(bytes, [b'[' | b'(', ..]));
    let mut parts = [0; 3];
    let (mut at, mut count) = (open, 0);
    let mut marks = *b"  ";
    loop {
        parts[count] = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        at += parts[count];
        count += 1;
        match bytes.get(at) {
            Some(&mark) if count < 3 && b"-/.:".contains(&mark) => marks[count - 1] = mark,
            _ => break,
        }
        at += 1;
    }
    let is_date = count == 3 && !marks.contains(&b':');
    match parts {
        [4, 2, 2] if is_date => Some(at),
        [1 | 2, 1 | 2, 2 | 4] if is_date && bytes.get(at) != Some(&b'.') => Some(at),
        [2, 2, _] if marks[0] == b':' => Some(open + 5),
        _ => None,
    }
}

/// Matches `key=`, `key:`, `key;` and `key[index] =`, unless `//` follows.
fn begins_key(line: &[u8]) -> bool {
    let length = |bytes: &[u8]| bytes.iter().take_while(|&&byte| is_name(byte)).count();
    if !line.first().is_some_and(|&first| is_word(first) && !first.is_ascii_digit()) {
        return false;
    }
    let mut rest = &line[length(line)..];
    if let [b'[', index @ ..] = rest
        && let [b']', after @ ..] = &index[length(index)..]
    {
        rest = after;
    }
    let rest = rest.trim_ascii_start();
    matches!(rest, [b'=' | b':' | b';', ..]) && !rest[1..].starts_with(b"//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_of_records() {
        for stamp in ["2026-11-27", "[2026/11/27]", "2026-11-27T10:00", "27.11.26", "1/2/2026", "10:00", "(10:00:01"] {
            assert!(stamp_len(stamp.as_bytes()).is_some(), "{stamp}");
        }
        for other in ["", "[", "2026", "2026-11", "2026-11-271", "10:0", "1:20", "10.0.0.1", "27.11.26.1", "a10:00"] {
            assert_eq!(stamp_len(other.as_bytes()), None, "{other}");
        }
        for key in ["a=b", "A_b.c: d", "URL[de]=x", "key =", "URL;TYPE=x"] {
            assert!(begins_key(key.as_bytes()), "{key}");
        }
        for other in ["", "=", "1=", "a/b=", "https://h", "a b=", "a[/]="] {
            assert!(!begins_key(other.as_bytes()), "{other}");
        }
    }
}

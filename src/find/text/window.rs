//! Lines and widths in the window of B-JOIN.

use crate::bytes::limits::{JOIN_LINES_AFTER, JOIN_LINES_BEFORE};
use crate::find::text::view::View;
use crate::find::why::Trace;
use bstr::ByteSlice;
use std::ops::Range;

/// The window of B-JOIN: `text[low..]`. `text` ends at the window's end. All offsets are offsets in
/// the caller's text.
#[derive(Clone, Copy)]
pub(crate) struct JoinWindow<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) low: usize,
    /// The text read so far, if it ends before the window does. It notes each look that its end
    /// cuts off.
    pub(crate) cut: Option<&'t View<'t>>,
    pub(crate) trace: Option<&'t Trace>,
}

impl<'t> JoinWindow<'t> {
    /// Returns the window from `low` to `high`.
    pub(crate) fn new(view: &'t View<'t>, low: usize, high: usize) -> JoinWindow<'t> {
        let text = view.text();
        let cut = Some(view).filter(|_| text.len() < high);
        JoinWindow { text: &text[..text.len().min(high)], low, cut, trace: view.trace() }
    }

    /// Notes that the end of the window cut off a look, if the text read so far ends there.
    pub(crate) fn touch(&self) {
        if let Some(view) = self.cut {
            view.touch();
        }
    }

    /// Returns the end of the window.
    pub(crate) fn high(&self) -> usize {
        self.text.len()
    }

    /// Returns the start of the line that holds `at`, or the start of the window.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        memchr::memrchr2(b'\n', b'\r', &self.text[self.low..at]).map_or(self.low, |found| self.low + found + 1)
    }

    /// Returns the end of the line that holds `at`, before its break, or the end of the window.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let found = memchr::memchr2(b'\n', b'\r', &self.text[at..]);
        if found.is_none() {
            self.touch();
        }
        found.map_or(self.high(), |found| at + found)
    }

    /// Returns the lines before the line that starts at `start`, the nearest first.
    pub(crate) fn lines_before(self, mut start: usize) -> impl Iterator<Item = Range<usize>> + use<'t> {
        (0..JOIN_LINES_BEFORE).map_while(move |_| {
            if start <= self.low {
                return None;
            }
            let line = self.line_before(start);
            start = line.start;
            Some(line)
        })
    }

    /// Returns the line before the line that starts at `start`, or the part of it that is in the
    /// window.
    pub(crate) fn line_before(&self, start: usize) -> Range<usize> {
        let is_crlf = self.text[self.low..start].ends_with(b"\r\n");
        let end = start - if is_crlf { 2 } else { 1 };
        self.line_start(end)..end
    }

    /// Returns the lines after the line that ends at `end`.
    pub(crate) fn lines_after(self, mut end: usize) -> impl Iterator<Item = Range<usize>> + use<'t> {
        (0..JOIN_LINES_AFTER).map_while(move |_| {
            if end >= self.high() {
                self.touch();
                return None;
            }
            let start = self.after_break(end);
            end = self.line_end(start);
            Some(start..end)
        })
    }

    /// Returns the start of the line after the break at `at`.
    pub(crate) fn after_break(&self, at: usize) -> usize {
        if at + 1 == self.high() {
            self.touch(); // a CR may be half of a break
        }
        at + if self.text[at..].starts_with(b"\r\n") { 2 } else { 1 }
    }

    /// Returns the width of a stretch of one line, without trailing blanks (see [`columns`]).
    pub(crate) fn width(&self, range: Range<usize>) -> usize {
        columns(trim_end(&self.text[range]))
    }

    /// Returns the number of columns before `at` on the line that starts at `line`.
    pub(crate) fn indent(&self, line: usize, at: usize) -> usize {
        columns(&self.text[line..at])
    }
}

/// Returns the number of columns of a stretch that starts in column 1. A tab extends to the next
/// multiple of 8. Wide characters have two columns, combining characters have none, and others have
/// one (UAX #11).
pub(crate) fn columns(bytes: &[u8]) -> usize {
    let width = |part: &[u8]| {
        if part.is_ascii() { part.len() } else { part.chars().map(width_of).sum() }
    };
    let (mut column, mut rest) = (0, bytes);
    while let Some(tab) = memchr::memchr(b'\t', rest) {
        column = (column + width(&rest[..tab])) / 8 * 8 + 8;
        rest = &rest[tab + 1..];
    }
    column + width(rest)
}

/// Returns the number of columns of a character.
fn width_of(c: char) -> usize {
    match c {
        // Latin letters, and the lines that programs draw.
        '\0'..='\u{AC}' | '\u{AE}'..='\u{2FF}' | '\u{2500}'..='\u{25FF}' => 1,
        _ if is_combining(c) => 0,
        _ => 1 + usize::from(is_wide(c)),
    }
}

/// Returns the place in a stretch of one line at which a column begins. Returns `None` if a tab or
/// a wide character covers the column, or the stretch ends before it.
pub(crate) fn place_of(bytes: &[u8], column: usize) -> Option<usize> {
    let start = &bytes[..bytes.len().min(column)];
    if start.is_ascii() && memchr::memchr(b'\t', start).is_none() {
        return (column <= bytes.len()).then_some(column);
    }
    let (mut at, mut reached) = (0, 0);
    while reached < column {
        let (character, length) = bstr::decode_utf8(&bytes[at..]);
        reached += match character {
            _ if length == 0 => return None,
            Some('\t') => 8 - reached % 8,
            Some(c) => width_of(c),
            None => 1,
        };
        at += length;
    }
    (reached == column).then_some(at)
}

/// Returns whether a character has two columns. Such characters are East Asian characters,
/// full-width forms and emoji (by the blocks of UAX #11).
fn is_wide(c: char) -> bool {
    matches!(
        c,
        '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{303E}' | '\u{3041}'..='\u{4DBF}' | '\u{4E00}'..='\u{A4CF}'
            | '\u{A960}'..='\u{A97C}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}'
            | '\u{FF01}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}' | '\u{1F300}'..='\u{1F64F}' | '\u{1F680}'..='\u{1F6FF}'
            | '\u{1F900}'..='\u{1F9FF}' | '\u{20000}'..='\u{3FFFD}'
    )
}

/// Returns whether a text begins with a character of two columns.
pub(crate) fn begins_wide(bytes: &[u8]) -> bool {
    bstr::decode_utf8(bytes).0.is_some_and(is_wide)
}

/// Returns whether a character has no column. Such characters are invisible characters, and the
/// combining marks of symbols and of European, Near Eastern and Thai scripts.
fn is_combining(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{64B}'..='\u{65F}'
            | '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}' | '\u{200B}'..='\u{200F}'
            | '\u{2060}'..='\u{2064}' | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
            | '\u{FEFF}'
    )
}

/// Matches `Name: ` at the start of a line.
pub(crate) fn is_header(line: &[u8]) -> bool {
    let length = line.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'-').count();
    line.first().is_some_and(u8::is_ascii_alphabetic) && matches!(line[length..], [b':', b' ' | b'\t', ..])
}

/// Returns a text without the blanks and CRs at its end.
pub(crate) fn trim_end(bytes: &[u8]) -> &[u8] {
    let kept = bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).map_or(0, |last| last + 1);
    &bytes[..kept]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_columns() {
        for (text, expected) in [
            ("", 0),
            ("abc", 3),
            ("\t", 8),
            ("a\tb", 9),
            ("1234567\tb", 9),
            ("12345678\tb", 17),
            ("\t\tb", 17),
            ("äöü", 3),
            ("ä\tb", 9),
            ("一\u{301}あ", 4),
        ] {
            assert_eq!(columns(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(trim_end(b"a b \t\r"), b"a b");
        assert_eq!(trim_end(b" \t"), b"");
    }

    #[test]
    fn finds_lines() {
        let window = JoinWindow { text: b"ab\r\ncd\n\re", low: 1, cut: None, trace: None };
        for (at, start, end) in [(1, 1, 2), (2, 1, 2), (4, 4, 6), (6, 4, 6), (7, 7, 7), (8, 8, 9), (9, 8, 9)] {
            assert_eq!((window.line_start(at), window.line_end(at)), (start, end), "{at}");
        }
        assert_eq!((window.after_break(2), window.after_break(6), window.after_break(7)), (4, 7, 8));
        assert_eq!(window.lines_before(8).collect::<Vec<_>>(), [7..7, 4..6, 1..2]);
        assert_eq!(window.lines_after(2).collect::<Vec<_>>(), [4..6, 7..7, 8..9]);
    }
}

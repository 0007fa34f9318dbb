//! Replies that quote the raw quoted-printable of another mail, as nmh writes them.
//!
//! # Example
//!
//! ```text
//! > Please read https://h.example/tide-=
//! > tables?view=3Dthread
//! ```
//!
//! The quoted text holds `https://h.example/tide-tables?view=thread`.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::archive::pruned::Pruned;
use crate::archive::quote::quote_depth;
use crate::bytes::class;
use crate::bytes::logical::Logical;

/// Returns whether a text may quote quoted-printable: a line ends in `=` before a quoted line.
pub(crate) fn may_quote_encoded(text: &[u8]) -> bool {
    memchr_iter(b'=', text).any(|at| matches!(text[at + 1..], [b'\n', b'>', ..] | [b'\r', b'\n', b'>', ..]))
}

/// Returns whether the line of `at` is quoted and holds a `=`, as a quoted URL in quoted-printable
/// does.
pub(crate) fn is_quoted_with_equals(text: &[u8], at: usize) -> bool {
    let line = &text[at..memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)];
    memchr(b'=', line).is_some() && quote_depth(text, at) > 0
}

/// Decodes the quoted-printable in the quoted lines of a text. Returns `None` if there is none.
pub(crate) fn decode(text: &[u8]) -> Option<Logical> {
    let mut pruned = Pruned::new(text);
    let (mut block, mut depth) = (0..0, 0);
    let mut start = 0;
    for end in memchr_iter(b'\n', text).map(|end| end + 1).chain([text.len()]) {
        let line_depth = depth_of(&text[start..end]);
        if line_depth != depth {
            decode_block(text, block.start..start, depth, &mut pruned);
            (block, depth) = (start..end, line_depth);
        }
        start = end;
    }
    decode_block(text, block.start..text.len(), depth, &mut pruned);
    pruned.finish()
}

/// Returns the length of the quote marks that begin a line, and of a blank after them.
fn marks_len(line: &[u8]) -> usize {
    let marks = line.iter().take_while(|byte| matches!(byte, b'>' | b' ')).count();
    let marks = line[..marks].iter().rposition(|&byte| byte == b'>').map_or(0, |last| last + 1);
    marks + usize::from(marks > 0 && line.get(marks) == Some(&b' '))
}

/// Returns how often a line is quoted.
fn depth_of(line: &[u8]) -> usize {
    line[..marks_len(line)].iter().filter(|&&byte| byte == b'>').count()
}

/// Decodes a block of lines of one depth if it is quoted-printable throughout. Then each `=` begins
/// an escape or ends a line, and both occur.
fn decode_block(text: &[u8], block: Range<usize>, depth: usize, pruned: &mut Pruned<'_>) {
    if depth == 0 {
        return;
    }
    let lines = &text[block.clone()];
    let marks = || memchr_iter(b'=', lines).map(|at| EqualsSign::of(lines, at));
    let has = |is: fn(&EqualsSign) -> bool| marks().any(|mark| is(&mark));
    if has(|mark| matches!(mark, EqualsSign::Other))
        || !has(|mark| matches!(mark, EqualsSign::Escape(_)))
        || !has(|mark| matches!(mark, EqualsSign::SoftBreak(_)))
    {
        return;
    }
    for (at, mark) in memchr_iter(b'=', lines).zip(marks()) {
        let at = block.start + at;
        match mark {
            EqualsSign::Escape(byte) => pruned.replace(at..at + 3, &[byte]),
            EqualsSign::SoftBreak(length) => pruned.leave_out(at..at + length),
            EqualsSign::Other => {}
        }
    }
}

/// The meaning of an `=` in a quoted line.
enum EqualsSign {
    /// An escape of this byte.
    Escape(u8),
    /// A soft line break. It reaches to the text of the next line, over this many bytes.
    SoftBreak(usize),
    Other,
}

impl EqualsSign {
    fn of(lines: &[u8], at: usize) -> EqualsSign {
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
        match &lines[at + 1..] {
            [high, low, ..] if is_digit(high) && is_digit(low) => EqualsSign::Escape(class::octet(*high, *low)),
            [b'\n', rest @ ..] => EqualsSign::SoftBreak(2 + marks_len(rest)),
            [b'\r', b'\n', rest @ ..] => EqualsSign::SoftBreak(3 + marks_len(rest)),
            [] => EqualsSign::SoftBreak(1),
            _ => EqualsSign::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::assert_places;

    #[test]
    fn quoted_lines_are_decoded() {
        for (text, expected) in [
            ("> a=\n> b=3Dc\nd=3D\n", "> ab=c\nd=3D\n"),
            ("a wrote:\n> a=20=\n>  b\n>\n>c=\n>d\n", "a wrote:\n> a  b\n>\n>cd\n"),
            (">> caf=C3=A9/=\n>> x=\n> y\n", ">> caf\u{e9}/x> y\n"),
            ("> > a=\n> > b=3D", "> > ab="),
            // No escape, no soft break, or another `=`.
            ("> a=\n> b\n", "> a=\n> b\n"),
            ("> a=3D\n> b\n", "> a=3D\n> b\n"),
            ("> a=\n> b=3Dc\n> =====\n", "> a=\n> b=3Dc\n> =====\n"),
            ("> a=\n> b=3dc\n", "> a=\n> b=3dc\n"),
            ("a=\nb=3Dc\n", "a=\nb=3Dc\n"),
            ("", ""),
        ] {
            for (text, expected) in [(text.to_owned(), expected.to_owned()), {
                (text.replace('\n', "\r\n"), expected.replace('\n', "\r\n"))
            }] {
                assert_places(&text, decode(text.as_bytes()), &expected, Some(b'='));
                assert!(*text == *expected || may_quote_encoded(text.as_bytes()), "{text:?}");
            }
        }
    }
}

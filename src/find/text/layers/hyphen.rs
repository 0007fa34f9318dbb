//! Hyphens of typesetters (B-TYPESET): groff and man write U+2010 at the end of a line.
//!
//! # Example
//!
//! In `https://tick‐⏎       ets.example/a‐b`, the first hyphen stands between two letters at the
//! end of its line. So groff inserted it, and it decodes to nothing. The second stands for `-`.

use super::escape::Escape;
use crate::bytes::limits::{BREAK_BLANKS, JOIN_BYTES};
use crate::find::text::lines::{is_blank, line_end, next_line};
use crate::find::text::view::View;

/// U+2010, the hyphen of typesetters.
pub(crate) const HYPHEN: &[u8] = "\u{2010}".as_bytes();

/// The first byte of the hyphen.
pub(super) const FIRST: u8 = HYPHEN[0];

/// Reads the hyphen at `at`. It stands for `-`, or for nothing if it was inserted at a line's end.
/// The escape then includes the line break and the blanks around it.
pub(super) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    if !text.has(at, HYPHEN) {
        return None;
    }
    let before = *text[..at].last().filter(|byte| byte.is_ascii_graphic())?;
    let behind = at + HYPHEN.len();
    let line = next_line(text, behind);
    let next = line.map_or(behind, |line| text.stretch(line, line + BREAK_BLANKS, is_blank));
    let after = text.byte(next)?;
    let continues = may_continue(after) || line.is_none() && text.has(next, HYPHEN);
    if !continues || text.has_k(next, b"://") {
        return None;
    }
    let reads = if line.is_some() { at_break(before, after) } else { Some('-') };
    Some(Escape::of(reads, next - at))
}

/// Returns the place of the hyphen right before `end`.
pub(crate) fn before(text: &[u8], end: usize) -> Option<usize> {
    end.checked_sub(HYPHEN.len()).filter(|&at| text[at..end] == *HYPHEN)
}

/// Returns whether a hyphen ends the line that begins at `line`.
pub(crate) fn ends_line(text: &View<'_>, line: usize) -> bool {
    let end = line_end(text, line, line + JOIN_BYTES);
    before(text, end).is_some_and(|hyphen| hyphen > line)
}

/// Returns what a hyphen at a line's end stands for. Between two letters it was inserted, and
/// stands for nothing.
pub(crate) fn at_break(before: u8, after: u8) -> Option<char> {
    (!(before.is_ascii_alphabetic() && after.is_ascii_alphabetic())).then_some('-')
}

/// Returns whether a URL may continue with this byte after a hyphen.
pub(crate) fn may_continue(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/?#%=&_~.+-".contains(&byte)
}

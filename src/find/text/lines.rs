//! Lines: where they begin and end. A line break is LF, CRLF or CR.

use crate::bytes::limits::{BREAK_BLANKS, LINE_START};
use crate::find::text::view::View;

/// Returns whether a byte is SP or TAB.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns whether a byte is CR or LF.
pub(crate) fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns the start of the line that holds `at`. Searches at most [`LINE_START`] bytes before
/// `at`. Returns `None` if they hold no line break, and the text begins before them (ST-3).
///
/// `text` is a window of the input. The caller keeps more than [`LINE_START`] bytes before `at` in
/// the window, if the input has them. So `at <= LINE_START` means that index 0 is the start of the
/// input.
pub(crate) fn line_start(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(LINE_START);
    match memchr::memrchr2(b'\n', b'\r', &text[from..at]) {
        Some(found) => Some(from + found + 1),
        None if from == 0 => Some(0),
        None => None,
    }
}

/// Returns the first line break in `from..to`. Without a line break, returns `to`, or the end of
/// the text read so far if it is nearer.
pub(crate) fn line_end(view: &View<'_>, from: usize, to: usize) -> usize {
    view.find(from, to, |bytes| memchr::memchr2(b'\n', b'\r', bytes)).unwrap_or(to.min(view.len()))
}

/// Returns the start of the line after the break at `at`.
pub(crate) fn after_break(view: &View<'_>, at: usize) -> usize {
    at + if view.has(at, b"\r\n") { 2 } else { 1 }
}

/// Returns the start of the next line, if at most [`BREAK_BLANKS`] blanks stand between `end` and
/// the line break.
pub(crate) fn next_line(view: &View<'_>, end: usize) -> Option<usize> {
    let at = view.stretch(end, end + BREAK_BLANKS, is_blank);
    view.byte(at).is_some_and(is_break).then(|| after_break(view, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_before_a_line_break_are_counted() {
        for (blanks, expected) in [(0, true), (1, true), (BREAK_BLANKS, true), (BREAK_BLANKS + 1, false)] {
            let text = format!("{}\nx", " ".repeat(blanks));
            let next = next_line(&View::whole(text.as_bytes()), 0);
            assert_eq!(next, expected.then_some(blanks + 1), "{blanks}");
            let more = View::new(&text.as_bytes()[..blanks], true);
            assert!(next_line(&more, 0).is_none() && more.is_touched() == expected, "{blanks}");
        }
    }
}

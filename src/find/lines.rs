//! Lines: where they begin and end. A line break is LF, CRLF or CR.

use crate::bytes::limits::{BREAK_BLANKS, LINE_START};

/// SP or TAB.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// CR or LF.
pub(crate) fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Start of the line that holds `at`, looked for over [`LINE_START`] bytes back; `None` if neither a line
/// break nor the start of the text lies there (ST-3).
///
/// `text` is a window. Whoever cuts it keeps more than [`LINE_START`] bytes before `at` where the text has
/// them, so that `at <= LINE_START` says that index 0 is the start of the text.
pub(crate) fn line_start(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(LINE_START);
    match memchr::memrchr2(b'\n', b'\r', &text[from..at]) {
        Some(found) => Some(from + found + 1),
        None if from == 0 => Some(0),
        None => None,
    }
}

/// The first line break in `text[from..to]`, or `to`.
pub(crate) fn line_end(text: &[u8], from: usize, to: usize) -> usize {
    from + memchr::memchr2(b'\n', b'\r', &text[from..to]).unwrap_or(to - from)
}

/// The start of the line after the break at `at`.
pub(crate) fn after_break(text: &[u8], at: usize) -> usize {
    at + if text[at..].starts_with(b"\r\n") { 2 } else { 1 }
}

/// What follows a run that ends at `end`, in a text that goes on: the start of the next line as [`next_line`] says; `None` if
/// too little is at hand to tell (ST-5).
pub(crate) fn known_next_line(text: &[u8], end: usize) -> Option<Option<usize>> {
    let blanks = text[end..].iter().take(BREAK_BLANKS + 1).take_while(|&&byte| is_blank(byte)).count();
    let is_known = match text[end + blanks..] {
        [] => blanks > BREAK_BLANKS,
        [b'\r'] => false,
        _ => true,
    };
    is_known.then(|| next_line(text, end))
}

/// The start of the next line, if at most [`BREAK_BLANKS`] blanks stand between `end` and the line break.
pub(crate) fn next_line(text: &[u8], end: usize) -> Option<usize> {
    let rest = &text[end..text.len().min(end + BREAK_BLANKS + 1)];
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    rest.get(blanks).is_some_and(|&byte| is_break(byte)).then(|| after_break(text, end + blanks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_starts() {
        let text = b"ab\r\ncd\re\n";
        for (at, expected) in [(0, 0), (2, 0), (4, 4), (6, 4), (7, 7), (8, 7), (9, 9)] {
            assert_eq!(line_start(text, at), Some(expected), "{at}");
        }
        let long = vec![b'x'; 3 * LINE_START];
        assert_eq!(line_start(&long, LINE_START), Some(0));
        assert_eq!(line_start(&long, LINE_START + 1), None);
        let mut broken = long.clone();
        broken[99] = b'\n';
        assert_eq!(line_start(&broken, 99 + LINE_START), Some(100));
        assert_eq!(line_start(&broken, 100 + LINE_START), None);
    }
}

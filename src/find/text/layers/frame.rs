//! Frames that programs draw around text on a screen (W-PFX-6).
//!
//! A bare URL in a frame is read in a copy of the frame's lines, without the marks. The rules about
//! lines apply there unchanged, without a special case for frames. The copy has the bounds of
//! B-JOIN's window.

use std::ops::Range;

use bstr::ByteSlice;

use super::Meant;
use crate::bytes::limits::{BREAK_BLANKS, JOIN_BREAKS, JOIN_BYTES, JOIN_LINES_AFTER};
use crate::bytes::logical::Logical;
use crate::find::text::lines::{after_break, is_blank, is_break};
use crate::find::text::view::View;
use crate::find::text::window::{JoinWindow, columns, trim_end};

/// The first byte of every mark except `|`.
const LEAD: u8 = 0xE2;

/// Returns whether a character may stand on both sides of a frame.
fn is_border(mark: char) -> bool {
    matches!(mark, '│' | '┃' | '║' | '|')
}

/// Returns whether a character may begin the lines of a frame.
fn is_mark(mark: char) -> bool {
    is_border(mark) || matches!(mark, '⎿' | '▌')
}

/// Returns whether a byte may begin a border. If a border follows a run, the run may continue on
/// the next line of the frame.
pub(crate) fn is_border_lead(byte: u8) -> bool {
    matches!(byte, b'|' | LEAD)
}

/// The marks of a line, and their columns. Without a right mark, `right` is `None`. The column of a
/// right mark is kept only for `|`, which can also separate fields. For other marks, it is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
struct BorderMarks {
    mark: char,
    left: usize,
    right: Option<usize>,
}

/// A line of a frame: its marks, and the range between them.
struct FramedLine {
    marks: BorderMarks,
    inner: Range<usize>,
}

impl FramedLine {
    /// Parses a line that begins with a mark. Returns `None` if the mark also stands inside the
    /// line, as in a row of a table. A line that begins with `|` must also end in `|`.
    fn parse(text: &[u8], line: Range<usize>) -> Option<FramedLine> {
        let bytes = trim_end(&text[line.clone()]);
        let at = bytes.iter().position(|&byte| !is_blank(byte))?;
        let (Some(mark), length) = bstr::decode_utf8(&bytes[at..]) else { return None };
        if !is_mark(mark) {
            return None;
        }
        let from = at + length;
        let inner = &bytes[from..];
        let before_border = inner.strip_suffix(&bytes[at..from]).filter(|_| is_border(mark));
        let inner = trim_end(before_border.unwrap_or(inner));
        if mark == '|' && before_border.is_none() || inner.contains_str(&bytes[at..from]) {
            return None;
        }
        // Programs count the width of some characters differently, so their right borders may be in
        // other columns.
        let right_column = |before: &[u8]| if mark == '|' { columns(&bytes[..from + before.len()]) } else { 0 };
        let right = before_border.map(right_column);
        let marks = BorderMarks { mark, left: columns(&bytes[..at]), right };
        let start = line.start + from;
        Some(FramedLine { marks, inner: start..start + inner.len() })
    }
}

/// The lines of a frame, without its marks.
pub(crate) struct Unframed {
    pub(crate) lines: Meant,
    marks: BorderMarks,
}

impl Unframed {
    /// Returns the lines of the frame around the URL with the run `text[start..end]`. Returns
    /// `None` if there is no frame, if its next line is empty, or if it is a table.
    pub(crate) fn around(text: &View<'_>, start: usize, end: usize) -> Option<Unframed> {
        Self::of_line(text, start, framed_line_end(text, end)?, Some(end))
    }

    /// Returns the lines of the frame around a wrapper. The wrapper opens at `open`, and is still
    /// open at the break `line_end`.
    pub(crate) fn around_wrapper(text: &View<'_>, open: usize, line_end: usize) -> Option<Unframed> {
        let ends_in_border = matches!(trim_end(&text[open..line_end]), [.., b'|'] | [.., LEAD, _, _]);
        let is_framed = ends_in_border || begins_framed(text, line_end);
        is_framed.then(|| Self::of_line(text, open, line_end, None)).flatten()
    }

    /// Returns the lines of the frame around a line. If `end` is given, the text between the line's
    /// marks must end there.
    fn of_line(text: &View<'_>, start: usize, line_end: usize, end: Option<usize>) -> Option<Unframed> {
        let window = JoinWindow::new(text, start.saturating_sub(JOIN_BYTES), line_end + JOIN_BYTES);
        let line = window.line_start(start);
        let begins_line = line == 0 || line > window.low || is_break(text[line - 1]);
        if !begins_line || line_end > window.high() {
            return None;
        }
        let own = FramedLine::parse(window.text, line..line_end)?;
        if start < own.inner.start || end.is_some_and(|end| own.inner.end != end) {
            return None;
        }
        let (marks, mut lines, mut below) = (own.marks, vec![own.inner], line_end);
        let mut is_cut = false;
        for _ in 0..JOIN_BREAKS + JOIN_LINES_AFTER {
            if below >= window.high() {
                is_cut = window.cut.is_some();
                break;
            }
            let next = window.after_break(below);
            below = window.line_end(next);
            let Some(framed) = FramedLine::parse(window.text, next..below).filter(|framed| framed.marks == marks)
            else {
                break;
            };
            if lines.len() == 1 && framed.inner.clone().all(|at| is_blank(text[at])) {
                return None;
            }
            lines.push(framed.inner);
        }
        if lines.len() == 1 {
            return None;
        }
        let above = window.lines_before(line).map(|line| FramedLine::parse(window.text, line));
        let above = above.map_while(|framed| framed.filter(|framed| framed.marks == marks)).map(|framed| framed.inner);
        lines.splice(0..0, above.collect::<Vec<_>>().into_iter().rev());
        let is_table = marks.mark == '|' && lines.iter().any(|line| is_rule(&text[line.clone()]));
        (!is_table).then(|| Unframed::of_lines(text, &lines, marks, is_cut))
    }

    fn of_lines(text: &[u8], inner: &[Range<usize>], marks: BorderMarks, is_cut: bool) -> Unframed {
        let mut lines = Logical::from(inner[0].start);
        for line in inner {
            lines.append(&text[line.clone()], line.start);
            lines.insert(b"\n");
        }
        Unframed { lines: Meant { text: lines, is_cut }, marks }
    }

    /// Returns the width of the lines on a screen of `columns`. With two borders, the width is
    /// unknown, because blanks may stand before the right border.
    pub(crate) fn columns(&self, columns: Option<usize>) -> Option<usize> {
        columns?.checked_sub(self.marks.left + 1).filter(|_| self.marks.right.is_none())
    }
}

/// Returns whether a frame may be around a line on which a run ends at `end`.
pub(crate) fn may_end_framed(text: &View<'_>, end: usize) -> bool {
    framed_line_end(text, end).is_some()
}

/// Returns the end of the line on which a run ends at `end`, if a frame may be around it. A border
/// must end the line after the run, or the next line may begin with a mark.
fn framed_line_end(text: &View<'_>, end: usize) -> Option<usize> {
    let skip_blanks = |from: usize| text.stretch(from, from + BREAK_BLANKS + 1, is_blank);
    let at = skip_blanks(end);
    if is_break(text.byte(at)?) {
        return begins_framed(text, at).then_some(at);
    }
    // A `|` glued to a URL is not a border. It separates fields.
    if !is_border_lead(text[at]) || at == end && text[at] == b'|' {
        return None;
    }
    let (mark, length) = text.decode(at)?;
    if !is_border(mark) {
        return None;
    }
    let at = skip_blanks(at + length);
    is_break(text.byte(at)?).then_some(at)
}

/// Returns whether the line below a break may begin with a mark other than `|`. Blanks may stand
/// before the mark.
fn begins_framed(text: &View<'_>, line_end: usize) -> bool {
    let next = after_break(text, line_end);
    let at = text.stretch(next, next + BREAK_BLANKS + 1, is_blank);
    text.byte(at) == Some(LEAD)
}

/// Matches `---` and `:--:`, the ruled line below the head of a table.
fn is_rule(inner: &[u8]) -> bool {
    memchr::memchr(b'-', inner).is_some() && inner.iter().all(|byte| b"-=:+ \t".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines around the URL of a text.
    fn lines(text: &str) -> Option<String> {
        let start = text.find("http").unwrap();
        let end = start + text[start..].find([' ', '\n', '│']).unwrap();
        let unframed = Unframed::around(&View::whole(text.as_bytes()), start, end)?;
        let place = unframed.lines.place(start)?;
        assert_eq!(unframed.lines.text.source(place..place + end - start), start..end);
        Some(String::from_utf8(unframed.lines.text.bytes().to_vec()).unwrap())
    }

    #[test]
    fn takes_the_marks_off() {
        for (text, expected) in [
            ("│ http://a │\n│ b        │\n", Some(" http://a\n b\n")),
            ("x\n│ c        │\n│ http://a │\n│ b        │\n└──────────┘\n", Some(" c\n http://a\n b\n")),
            ("│http://a│\r\n│b       │\r\n", Some("http://a\nb\n")),
            ("┃ http://a\n┃ b\nc\n", Some(" http://a\n b\n")),
            ("  ▌ http://a\n  ▌ b\n", Some(" http://a\n b\n")),
            ("| http://a |\n| b        |\n", Some(" http://a\n b\n")),
            // the hyphen of a word is not a ruled line
            ("| a-b      |\n| http://a |\n| b        |\n", Some(" a-b\n http://a\n b\n")),
            // other columns, another mark, a blank line, a border on only one line
            ("│ http://a │\n│ b       │\n", Some(" http://a\n b\n")),
            ("| http://a |\n| b       |\n", None),
            ("│ http://a │\n┃ b        ┃\n", None),
            ("│ http://a │\n│          │\n│ b        │\n", None),
            ("┃ http://a\n ┃ b\n", None),
            ("┃ http://a\nb\n", None),
            // tables
            ("| c        |\n|----------|\n| http://a |\n| b        |\n", None),
            ("| c | http://a |\n| d | b        |\n", None),
            ("│ c │ http://a │\n│ d │ b        │\n", None),
            ("| http://a\n| b\n", None),
        ] {
            assert_eq!(lines(text).as_deref(), expected, "{text}");
        }
    }

    /// A border that the end of the text cuts off is noted (ST-5).
    #[test]
    fn a_cut_frame_is_noted() {
        let text = "│ http://a │\n│ b        │\nc\n".as_bytes();
        let (start, end) = (4, 12);
        for cut in end..text.len() {
            let view = View::new(&text[..cut], true);
            let lines = Unframed::around(&view, start, end)
                .map(|unframed| unframed.lines.text.bytes().iter().filter(|&&byte| byte == b'\n').count());
            let is_decided = cut > text.len() - 2;
            assert!(view.is_touched() || is_decided && lines == Some(2), "{cut}");
        }
    }
}

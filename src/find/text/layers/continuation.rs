//! Lines that end in `\`, and continue on the next line, or in `>`, and were cut off (B-CONTINUE).
//!
//! # Example
//!
//! ```text
//! u: "https://h.example/2026/tide-\
//!   tables.html"
//! ```
//!
//! A `"` is open before the `\`. So the `\`, the line break and the next line's indentation decode
//! to nothing. In a shell and at the edge of an editor's window, the next line begins in column 1.

use std::ops::Range;

use super::escape::Escape;
use crate::bytes::limits::{BREAK_BLANKS, JOIN_BYTES, LINE_START};
use crate::find::text::lines::{after_break, is_blank, is_break};
use crate::find::text::view::View;
use crate::find::text::window::{JoinWindow, columns};
use crate::find::text::words;

/// Reads the `\` at `at`, if its line ends there and continues.
pub(super) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    if text.get(at) != Some(&b'\\') || !text.byte(at + 1).is_some_and(is_break) {
        return None;
    }
    let line = after_break(text, at + 1);
    let next = text.stretch(line, line + BREAK_BLANKS, is_blank);
    if !may_continue(text.byte(next)?) || text.has_k(next, b"://") {
        return None;
    }
    let escape = Escape::of(None, next - at);
    if is_quoted(text, at) || begins_parameter(text, next) {
        return Some(escape);
    }
    let end = text.stretch(next, next + JOIN_BYTES, |byte| byte.is_ascii_graphic());
    let token = text[next..end].strip_suffix(b"\\").unwrap_or(&text[next..end]);
    // a word of prose may follow a line of Markdown that ends in `\`.
    let is_cut = b"-?=&%".contains(&text[at - 1]) && token.len() > 1 || words::has_url_shape(token);
    let is_certain = || is_cut || is_at_edge(text, at, b'\\');
    (next == line).then(|| if is_certain() { escape } else { escape.doubtful() })
}

fn may_continue(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/?#%=&_~.+-@:,;!$*()".contains(&byte)
}

/// Returns whether a `"` is open at `at`. The lines before that end in `\` belong to its line. So
/// do those up to the nearest line that is indented less: the key of a scalar in YAML.
fn is_quoted(text: &View<'_>, at: usize) -> bool {
    let window = JoinWindow::new(text, at.saturating_sub(LINE_START), at);
    let own = window.line_start(at);
    let indent = |line: Range<usize>| text[line].iter().take_while(|&&byte| is_blank(byte)).count();
    let depth = indent(own..at);
    let continued = window.lines_before(own).take_while(|line| text[line.clone()].ends_with(b"\\"));
    let start = continued.last().map_or(own, |line| line.start);
    let key = || window.lines_before(own).map(|line| line.start).find(|&start| indent(start..at) < depth);
    let is_open = |from: usize| memchr::memchr_iter(b'"', &text[from..at]).count() % 2 == 1;
    is_open(start) || key().is_some_and(is_open)
}

/// Matches `?name=` and `&name=`.
fn begins_parameter(text: &View<'_>, at: usize) -> bool {
    /// The maximum length of a name.
    const LONGEST: usize = 64;
    if !matches!(text.byte(at), Some(b'?' | b'&')) {
        return false;
    }
    let end = text.stretch(at + 1, at + 1 + LONGEST, |byte| byte.is_ascii_alphanumeric() || b"_-.[]".contains(&byte));
    end > at + 1 && text.byte(end) == Some(b'=')
}

/// Returns whether a pager cut off the line of a URL that ends at `end`. It writes `>` in the last
/// column of each such line.
pub(crate) fn is_cut_off(text: &View<'_>, end: usize) -> bool {
    text.get(end) == Some(&b'>') && text.byte(end + 1).is_some_and(is_break) && is_at_edge(text, end, b'>')
}

/// Returns whether the `mark` at `at` stands at the edge of a window. Another line around then ends
/// with it in the same column, and no line is longer.
fn is_at_edge(text: &View<'_>, at: usize, mark: u8) -> bool {
    let window = JoinWindow::new(text, at.saturating_sub(JOIN_BYTES), at + JOIN_BYTES);
    let own = window.line_start(at);
    let width = columns(&text[own..at + 1]);
    let is_full = |line: &Range<usize>| text[line.clone()].ends_with(&[mark]) && columns(&text[line.clone()]) == width;
    let is_longer = |line: &Range<usize>| columns(&text[line.clone()]) > width;
    let around = window.lines_before(own).chain(window.lines_after(at + 1)).collect::<Vec<_>>();
    around.iter().any(is_full) && !around.iter().any(is_longer)
}

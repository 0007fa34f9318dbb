//! Hyphens that a typesetter inserted in ASCII text (B-JUSTIFIED).
//!
//! Typesetters such as nroff stretch the blanks of a line until it is full, and break words with
//! `-`. So the `-` at the end of a line may have been inserted, or may be of the URL.
//!
//! # Example
//!
//! ```text
//! You  can find the dates at https://git.exam-
//! ple.org/down-load  and  the  names in a book
//! ```
//!
//! Both lines have stretched blanks and the same width. The label `exam` has no other `-`, so its
//! `-` was inserted. The copy of the lines has neither this `-` nor the break after it.

use std::ops::Range;

use super::Meant;
use crate::bytes::limits::JOIN_BYTES;
use crate::find::text::lines::{is_blank, next_line};
use crate::find::text::view::View;
use crate::find::text::window::{JoinWindow, columns, trim_end};

/// Returns three copies of the lines around the URL with the run `text[start..end]`. The first
/// lacks each `-` that was likely inserted. The second has every `-`, and the third none between
/// two letters. The run must end in `-` at the end of a justified line.
pub(crate) fn around(text: &View<'_>, start: usize, end: usize) -> Option<[Meant; 3]> {
    if text[..end].last() != Some(&b'-') {
        return None;
    }
    next_line(text, end)?;
    let window = JoinWindow::new(text, start.saturating_sub(JOIN_BYTES), end + JOIN_BYTES);
    let own = window.line_start(start)..window.line_end(end);
    let below: Vec<_> = window.lines_after(own.end).collect();
    if !is_justified(&window, &own, &below) {
        return None;
    }
    let indent = |line: &Range<usize>| text[line.clone()].iter().take_while(|&&byte| is_blank(byte)).count();
    let lines: Vec<_> =
        [own.clone()].into_iter().chain(below.iter().map(|line| line.start + indent(line)..line.end)).collect();
    let is_cut = window.cut.is_some();
    let copy = |keeps: fn(&[u8]) -> bool| {
        let bytes = |index: usize| lines.get(index).map(|line| &text[line.clone()]);
        Meant::of_lines(text, &lines, is_cut, |index| hyphen(bytes(index)?, bytes(index + 1)?, keeps))
    };
    Some([has_other_hyphen, |_: &[u8]| true, |_: &[u8]| false].map(copy))
}

/// Returns the number of bytes to drop at the end of a line that continues on the next one.
fn hyphen(line: &[u8], next: &[u8], keeps: fn(&[u8]) -> bool) -> Option<usize> {
    let is_inserted = matches!(line, [.., letter, b'-'] if letter.is_ascii_alphabetic())
        && next.first().is_some_and(u8::is_ascii_alphabetic);
    let continues = line.ends_with(b"-") && next.first().is_some_and(u8::is_ascii_graphic);
    continues.then(|| usize::from(is_inserted && !keeps(line)))
}

/// Returns whether the part of a URL that ends a line has another `-`.
fn has_other_hyphen(line: &[u8]) -> bool {
    let part = line.iter().rev().skip(1).take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'-');
    part.into_iter().any(|&byte| byte == b'-')
}

/// Returns whether two lines around have stretched blanks and the width of the URL's line.
fn is_justified(window: &JoinWindow<'_>, own: &Range<usize>, below: &[Range<usize>]) -> bool {
    let text = |line: &Range<usize>| trim_end(&window.text[line.clone()]);
    let width = columns(text(own));
    let is_stretched = |line: &Range<usize>| {
        let line = text(line).trim_ascii_start();
        line.windows(3).any(|part| matches!(part, [before, b' ', b' '] if !b" .:?!".contains(before)))
    };
    let around = window.lines_before(own.start).chain([own.clone()]).chain(below.iter().cloned());
    around.filter(|line| columns(text(line)) == width && is_stretched(line)).nth(1).is_some()
}

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

use super::{Meant, hyphen};
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
    let copy = |keeps: fn(&[u8], &[u8]) -> bool| {
        let bytes = |index: usize| lines.get(index).map(|line| &text[line.clone()]);
        Meant::of_lines("B-JUSTIFIED", text, &lines, is_cut, |index| dropped(bytes(index)?, bytes(index + 1)?, keeps))
    };
    Some([has_other_hyphen, |_: &[u8], _: &[u8]| true, |_: &[u8], _: &[u8]| false].map(copy))
}

/// Returns the number of bytes to drop at the end of a line that continues on the next one.
fn dropped(line: &[u8], next: &[u8], keeps: fn(&[u8], &[u8]) -> bool) -> Option<usize> {
    let is_inserted = matches!(line, [.., letter, b'-'] if letter.is_ascii_alphabetic())
        && next.first().is_some_and(u8::is_ascii_alphabetic);
    let continues = line.ends_with(b"-") && next.first().is_some_and(u8::is_ascii_graphic);
    continues.then(|| usize::from(is_inserted && !keeps(line, next)))
}

/// Returns whether the part of a URL that was broken has another `-`.
fn has_other_hyphen(line: &[u8], next: &[u8]) -> bool {
    let is_of_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let before = line.iter().rev().skip(1).take_while(is_of_part);
    before.chain(next.iter().take_while(is_of_part)).any(|&byte| byte == b'-')
}

/// Returns whether two lines around have the width of the URL's line, and stretched blanks in
/// different columns. A text with typeset hyphens has no others.
fn is_justified(window: &JoinWindow<'_>, own: &Range<usize>, below: &[Range<usize>]) -> bool {
    let text = |line: &Range<usize>| trim_end(&window.text[line.clone()]);
    let width = columns(text(own));
    // the blanks before the description of an option stand in one column
    let stretched = |line: &Range<usize>| {
        let line = text(line);
        let indent = line.iter().take_while(|&&byte| is_blank(byte)).count();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b",;)".contains(&byte);
        line[indent..].windows(3).position(|part| matches!(part, [before, b' ', b' '] if is_word(*before)))
    };
    let around = window.lines_before(own.start).chain([own.clone()]).chain(below.iter().cloned());
    let is_typeset = |line: &Range<usize>| hyphen::before(window.text, line.end).is_some();
    let mut columns_of_blanks = None;
    let mut is_justified = false;
    for line in around {
        if is_typeset(&line) {
            return false;
        }
        if columns(text(&line)) == width
            && let Some(column) = stretched(&line)
        {
            is_justified |= columns_of_blanks.replace(column).is_some_and(|other| other != column);
        }
    }
    is_justified
}

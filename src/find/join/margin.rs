//! Lines that a program cut at its margin: filled lines (B-JOIN-FILLED) and folded lines
//! (B-JOIN-FOLD).
//!
//! A line breaker leaves its signature in the lines around a URL. One that moves whole words leaves
//! ragged lines, in which each next word would not have fitted. A URL longer than a line is cut
//! where the margin is, so its line is the widest one.
//!
//! ```text
//! The plan of the old mill is at
//! https://mill.example.org/cella
//! r/plan-1911 and also in there.
//! ```
//!
//! The URL's line has 30 columns, and no line has more. `https://…` had no room on the first line.

use crate::find::text::window::{JoinWindow, trim_end};
use std::ops::Range;

/// The minimum width of a line that a program filled.
const SHORTEST: usize = 40;
/// The number of columns that the widest other line may lack, if words were moved.
const RAGGED: usize = 8;

/// Returns whether a program filled the broken line to the margin (B-JOIN-FILLED). No line around
/// is wider. Words were moved to the next line because the margin left no room for them. A program
/// that does so cuts what is longer than a line. The URL's own lines, from `start` on, count as
/// one moved word, since a screen cuts them, too.
pub(super) fn is_filled(window: &JoinWindow<'_>, start: usize, line: &Range<usize>, next: &Range<usize>) -> bool {
    let width = window.width(line.clone());
    if width < SHORTEST {
        return false;
    }
    let (mut widest, mut moved, mut kept) = (0, 0, 0);
    let mut add = |upper: Option<Range<usize>>, lower: Option<Range<usize>>, measured: usize| {
        widest = widest.max(measured);
        let (Some(upper), Some(lower)) = (upper, lower) else { return measured <= width };
        if !trim_end(&window.text[upper.clone()]).is_empty() && !trim_end(&window.text[lower.clone()]).is_empty() {
            let fits = window.width(upper) + 1 + first_word_len(&window.text[lower]) <= width;
            *if fits { &mut kept } else { &mut moved } += 1;
        }
        measured <= width
    };
    // The nearest lines first: most URLs end their line by chance, next to a wider line.
    let mut below = line.clone();
    for above in window.lines_before(line.start) {
        let upper = Some(above.clone()).filter(|above| above.end < start);
        if !add(upper, Some(below), window.width(above.clone())) {
            return false;
        }
        below = above;
    }
    let mut above = next.clone();
    if !add(None, None, window.width(above.clone())) {
        return false;
    }
    for below in window.lines_after(next.end) {
        if !add(Some(above), Some(below.clone()), window.width(below.clone())) {
            return false;
        }
        above = below;
    }
    let is_again = usize::from(start < line.start);
    widest + RAGGED >= width && moved > 0 && moved + is_again >= 2 && moved >= kept
}

/// Returns whether the line was folded as LDIF and iCalendar fold it (B-JOIN-FOLD). They cut a
/// line at a fixed number of bytes, and put one blank before the rest. `name:` begins the first
/// piece, and no line in the window is longer. Another line is folded at the same byte, or a line
/// begins a record of these formats.
pub(super) fn is_folded(window: &JoinWindow<'_>, line: &Range<usize>, next: &Range<usize>) -> bool {
    let begins_blank = |line: &Range<usize>| window.text[line.clone()].starts_with(b" ");
    let is_short = |other: Range<usize>| other.len() <= line.len();
    let is_of_format = |line: Range<usize>| {
        let line = &window.text[line];
        line.starts_with(b"dn:") || line.starts_with(b"BEGIN:V")
    };
    if !begins_blank(next) || !is_short(next.clone()) {
        return false;
    }
    let mut lower = line.clone();
    let is_known = |upper: Range<usize>| {
        let is_twin = upper.len() == line.len() && begins_blank(&lower);
        lower = upper.clone();
        is_twin || is_of_format(upper)
    };
    let mut upper = next.clone();
    let is_twin = |lower: Range<usize>| {
        let is_twin = upper.len() == line.len() && begins_blank(&lower);
        upper = lower;
        is_twin
    };
    if !window.lines_before(line.start).any(is_known) && !window.lines_after(next.end).any(is_twin) {
        return false;
    }
    let first = std::iter::once(line.clone()).chain(window.lines_before(line.start)).find(|line| !begins_blank(line));
    first.is_some_and(|first| begins_field(&window.text[first]))
        && window.lines_before(line.start).all(is_short)
        && window.lines_after(next.end).all(is_short)
}

/// Matches `name:`, `name;parameter=value:` at the start of a line.
fn begins_field(line: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-;=".contains(byte);
    let length = line.iter().take_while(|byte| is_name(byte)).count();
    line.first().is_some_and(u8::is_ascii_alphabetic)
        && line.get(length) == Some(&b':')
        && !line[length..].starts_with(b"://")
}

/// Returns the length of the first word of a line, after its markers.
fn first_word_len(line: &[u8]) -> usize {
    let markers = line.iter().take_while(|byte| b" \t>|:#%;*".contains(byte)).count();
    let word = &line[markers..];
    word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len())
}

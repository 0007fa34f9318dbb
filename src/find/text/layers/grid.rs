//! Text in rows of one width, which a program cut anywhere (B-JOIN-GRID).
//!
//! A terminal and `fold` cut a line where the row is full. Then every row that continues has the
//! same width. A program that breaks lines between words leaves rows of many widths instead.
//!
//! # Example
//!
//! ```text
//! Look at https://h.example/2026/tide-tab
//! les.html and also index pages are slow
//! today.
//! ```
//!
//! The first row has 39 columns, and so have other full rows around it. No row has 31 to 37
//! columns. So the rows were cut, and the copy of the rows has no break after a full row.

use std::ops::Range;

use super::Meant;
use super::rows::goes_on;
use crate::bytes::limits::{JOIN_BYTES, SCREEN_COLUMNS};
use crate::find::text::lines::{is_blank, is_break, line_end, next_line};
use crate::find::text::view::View;
use crate::find::text::window::{JoinWindow, begins_wide, columns, trim_end};

/// The number of columns that rows between words often leave free.
const NEAR: usize = 8;

/// The number of bytes that begin two records alike.
const BEGINNING: usize = 4;

/// Returns the rows around the URL with the run `text[start..end]`, which ends at the end of a full
/// row. Returns `None` if the rows above do not show that they were cut.
pub(crate) fn around(text: &View<'_>, start: usize, end: usize) -> Option<Meant> {
    let next = next_line(text, end)?;
    // a mark may end a sentence
    let is_marked = text[..end].last().is_some_and(|last| b".,;:!?".contains(last));
    if is_marked || text.byte(next).is_none_or(|byte| is_blank(byte) || is_break(byte)) || !is_break(text[end]) {
        return None;
    }
    let window = JoinWindow::new(text, start.saturating_sub(JOIN_BYTES), end + JOIN_BYTES);
    let own = window.line_start(start)..end;
    let width = columns(&text[own.clone()]);
    let is_record = text[next..].get(..BEGINNING) == text[own.start..].get(..BEGINNING);
    if width < SCREEN_COLUMNS || is_record {
        return None;
    }
    // In text that was not cut, one of the nearest rows is wider.
    let fits = |row: &Range<usize>| columns(trim_end(&text[row.clone()])) <= width;
    let above = window.lines_before(own.start).map(|row| Some(row).filter(fits)).collect::<Option<Vec<_>>>()?;
    let below = next..line_end(text, next, next + JOIN_BYTES);
    let mut lines: Vec<_> = above.into_iter().rev().chain([own.clone(), below]).collect();
    let joins = |lines: &[Range<usize>], index: usize| {
        let (row, next) = (&text[lines[index].clone()], &text[lines.get(index + 1)?.clone()]);
        let room = width.checked_sub(columns(row)).filter(|&room| room == 0 || room == 1 && begins_wide(next))?;
        goes_on(row, next, room).then_some(0)
    };
    // Live text waits for the rows below only if another row above is full, and ends in a word.
    Some(CutSigns::of_rows(text, &lines, width)?).filter(|cut| cut.beginnings >= 2 && cut.has_word)?;
    joins(&lines, lines.len() - 2)?;
    lines.extend(window.lines_after(lines.last()?.end));
    if !CutSigns::of_rows(text, &lines, width)?.is_evident() {
        return None;
    }
    let is_cut = text.goes_on() && window.high() == text.len();
    Some(Meant::of_lines("B-JOIN-GRID", text, &lines, is_cut, |index| joins(&lines, index)))
}

/// Returns whether a row ends in a word of prose, so that no author broke it for its URL.
fn ends_in_word(row: &[u8]) -> bool {
    let word = row.iter().rposition(|&byte| is_blank(byte)).map_or(row, |blank| &row[blank + 1..]);
    word.iter().all(|byte| byte.is_ascii_alphabetic() || b",.;".contains(byte) || !byte.is_ascii())
}

/// The signs that rows were cut at one width.
struct CutSigns {
    /// The number of different beginnings of full rows that go on. Records begin alike.
    beginnings: usize,
    /// The number of full rows that go on with fewer columns.
    ends: usize,
    /// A full row that goes on ends in a word.
    has_word: bool,
}

impl CutSigns {
    /// Reads the signs of rows. Returns `None` if a row is wider, or if a full one has blanks as in
    /// a table. Also returns `None` if a row that goes on has a few columns less.
    fn of_rows(text: &[u8], lines: &[Range<usize>], width: usize) -> Option<CutSigns> {
        let bytes = |index: usize| &text[lines[index].clone()];
        let widths: Vec<_> = (0..lines.len()).map(|index| columns(trim_end(bytes(index)))).collect();
        let continues = |&index: &usize| index + 1 < lines.len() && goes_on(bytes(index), bytes(index + 1), 0);
        let full: Vec<_> = (0..lines.len()).filter(|&index| widths[index] == width).filter(continues).collect();
        let is_near = |index: &usize| (width.saturating_sub(NEAR)..width - 1).contains(&widths[*index]);
        if widths.iter().any(|&other| other > width)
            || (0..lines.len()).filter(is_near).any(|index| continues(&index))
            || full.iter().any(|&index| is_aligned(bytes(index)))
        {
            return None;
        }
        let start = |index: usize| bytes(index).get(..BEGINNING);
        let is_first = |&(at, &index): &(usize, &usize)| full[..at].iter().all(|&other| start(other) != start(index));
        Some(CutSigns {
            beginnings: full.iter().enumerate().filter(is_first).count(),
            ends: full.iter().filter(|&&index| widths[index + 1] < width).count(),
            has_word: full.iter().any(|&index| ends_in_word(bytes(index))),
        })
    }

    fn is_evident(&self) -> bool {
        self.beginnings >= 3 && self.ends >= 2 && self.has_word
    }
}

/// Returns whether a row has a tab or several blanks, as in a table or in justified text.
fn is_aligned(row: &[u8]) -> bool {
    let row = row.trim_ascii();
    memchr::memmem::find(row, b"  ").is_some() || memchr::memchr(b'\t', row).is_some()
}

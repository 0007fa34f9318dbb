//! Cells: text between edges that stand in the same columns of several lines (W-PFX-6, B-CELL).
//!
//! A frame is a table of one cell, and a column of indented text is a cell without edges. A bare
//! URL in a cell is read in a copy of its rows. The copy lacks the edges and the other cells. The
//! rules about lines apply there unchanged. The copy also lacks the break after a row that the URL
//! fills, if the URL goes on there (`fill`). It has the bounds of B-JOIN's window.
//!
//! # Example
//!
//! ```text
//! │ a  │ https://h.example/tide-tab │
//! │    │ les/2026/november/harmonic │
//! │    │ /x                         │
//! ```
//!
//! The first row fills its cell, and so does the second. So the copy is
//! ` https://h.example/tide-tables/2026/november/harmonic/x`.

use super::Meant;
use super::edge::{self, CUT, CellRow, CellSides, LeftSide};
use super::fill::{Fill, FilledBreak};
use super::record::CellRows;
use crate::bytes::limits::{JOIN_BYTES, ROW_BYTES};
use crate::bytes::logical::Logical;
use crate::find::text::lines::is_break;
use crate::find::text::view::View;
use crate::find::text::window::JoinWindow;

/// The rows of a cell.
pub(crate) struct Cell {
    pub(crate) lines: Meant,
    /// The rows without one more break, if it is doubtful whether the URL goes on after it.
    pub(crate) longer: Option<Meant>,
    /// The column in which the rows begin, if no edge ends them.
    begins: Option<usize>,
    /// An edge stands beside the rows.
    pub(crate) is_framed: bool,
}

impl Cell {
    /// Returns the rows of the cell around the URL with the run `text[start..end]`. Returns `None` if
    /// there is no cell, or its next row is empty or belongs to another record.
    pub(crate) fn around(text: &View<'_>, start: usize, end: usize) -> Option<Cell> {
        if edge::may_follow(text, start..end) { Self::of_line(text, start, end, true) } else { None }
    }

    /// Returns the rows of the cell around a wrapper. The wrapper opens at `open`, and is still
    /// open at the break `line_end`.
    pub(crate) fn around_wrapper(text: &View<'_>, open: usize, line_end: usize) -> Option<Cell> {
        Self::of_line(text, open, edge::text_end(text, open, line_end)?, false)
    }

    /// Returns the rows of the cell around `text[start..end]`. The text of its row ends there. If
    /// `is_url` is true, the text is a URL, and the breaks after the rows that it fills are removed.
    fn of_line(text: &View<'_>, start: usize, end: usize, is_url: bool) -> Option<Cell> {
        let window = JoinWindow::new(text, start.saturating_sub(JOIN_BYTES), end + JOIN_BYTES);
        let line = window.line_start(start)..window.line_end(end);
        let begins_line = line.start == 0 || line.start > window.low || is_break(text[line.start - 1]);
        if !begins_line || line.end >= window.high() || line.len() > ROW_BYTES {
            return None;
        }
        let sides = CellSides::around(&window, line.clone(), start..end)?;
        let own = sides.row(line.clone())?;
        if start < own.start || own.inner.end > end + CUT.len() {
            return None;
        }
        let record = CellRows::read(&window, sides, own, line, start)?;
        let (lines, state) = copy(&record, is_url.then(|| Fill::new(&record, false)));
        // Without vertical lines, only full rows show that the lines are a cell.
        if is_url && state == BreakState::Kept && !record.sides.is_drawn() && !record.is_padded {
            return None;
        }
        let is_doubtful = state == BreakState::Doubtful;
        let longer = is_doubtful.then(|| copy(&record, Some(Fill::new(&record, true))).0);
        let begins = match record.sides.left {
            LeftSide::Column(column) if record.sides.is_open() => Some(column),
            _ => None,
        };
        Some(Cell { lines, longer, begins, is_framed: record.sides.is_framed() })
    }

    /// Returns the width of the rows on a screen of `columns`. With a right edge, the width is
    /// unknown, because blanks may stand before the edge.
    pub(crate) fn columns(&self, columns: Option<usize>) -> Option<usize> {
        columns?.checked_sub(self.begins?)
    }
}

/// The state of a record's breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BreakState {
    /// All breaks were kept.
    Kept,
    /// Breaks were removed.
    Removed,
    /// The last break is doubtful, and was kept.
    Doubtful,
}

/// Returns a copy of the rows. `fill` decides which breaks it lacks.
fn copy(record: &CellRows<'_>, mut fill: Option<Fill<'_, '_>>) -> (Meant, BreakState) {
    let is_first = |row: &&CellRow| matches!(record.sides.left, LeftSide::Edge(_)) || row.is_alone;
    let above = (0..record.own).rev().map_while(|index| record.row(index).filter(is_first)).count();
    let rows = (record.own - above..record.end).map_while(|index| Some((index, record.row(index)?)));
    let mut from = rows.clone().next().map_or(0, |(_, row)| row.inner.start);
    let (mut lines, mut state) = (Logical::from(from), BreakState::Kept);
    for (index, row) in rows {
        let joined = fill.as_mut().filter(|_| index >= record.own && index + 1 < record.end).and_then(|fill| {
            let joined = fill.join(index);
            state = match joined {
                Some(_) => BreakState::Removed,
                None if fill.is_doubtful => BreakState::Doubtful,
                None => state,
            };
            joined
        });
        let next = || record.row(index + 1).map_or(0, |next| next.inner.start);
        let (end, after) = joined.map_or_else(|| (row.inner.end, next()), |FilledBreak { cut, from, .. }| (cut, from));
        lines.append(&record.text[from..end.max(from)], from);
        if joined.is_none() {
            lines.insert(b"\n");
        }
        if index >= record.own && joined.is_none_or(|joined| joined.is_last) {
            fill = None;
        }
        from = after;
    }
    (Meant { rule: "B-CELL", text: lines, is_cut: record.is_cut }, state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_table_is_noted() {
        let text = "│ ┌────┬──────────────────────┬──────┐ │\n│ │ a  │ https://h.example/ti │ Ines │ │\n│ │    │ de";
        let start = text.find("http").unwrap();
        let end = start + "https://h.example/ti".len();
        for cut in (end + 1..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            let view = View::new(&text.as_bytes()[..cut], true);
            let cell = Cell::around(&view, start, end);
            assert!(view.is_touched(), "{} {}", &text[..cut], cell.is_some());
        }
    }

    /// Returns the rows of the cell around the URL of a text.
    fn read_rows(text: &str) -> Option<String> {
        let start = text.find("http").unwrap();
        let end = start + text[start..].find([' ', '\n', '\r', '│', '|', '…']).unwrap();
        let cell = Cell::around(&View::whole(text.as_bytes()), start, end)?;
        let place = cell.lines.place(start)?;
        assert_eq!(cell.lines.text.source(place..place + 8), start..start + 8);
        Some(String::from_utf8(cell.lines.text.bytes().to_vec()).unwrap())
    }

    #[test]
    fn frames_are_read_without_their_marks() {
        for (text, expected) in [
            ("│ http://a │\n│ b        │\n", Some(" http://a\n b\n")),
            ("x\n│ c        │\n│ http://a │\n│ b        │\n└──────────┘\n", Some(" c\n http://a\n b\n")),
            ("│http://a│\r\n│b       │\r\n", Some("http://a\nb\n")),
            ("┃ http://a\n┃ b\nc\n", Some("http://a\nb\n")),
            ("  ▌ http://a\n  ▌ b\n", Some("http://a\nb\n")),
            ("| http://a |\n| b        |\n", Some(" http://a\n b\n")),
            ("# http://a #\n# b/c      #\n", Some(" http://ab/c\n")),
            ("# http://a #\n# b        #\n", None),
            ("/ http://a \\\n| b        |\n", Some(" http://a\n b\n")),
            ("> ▊ http://a ▎\n> ▊ b        ▎\n", Some(" http://a\n b\n")),
            // the hyphen of a word is not a ruled line
            ("| a-b      |\n| http://a |\n| b        |\n", Some(" a-b\n http://a\n b\n")),
            // other columns, another mark, a blank line, a border on only one line
            ("│ http://a │\n│ b       │\n", Some(" http://a\n b\n")),
            ("| http://a |\n| b       |\n", None),
            ("# http://a #\n# b/c     #\n", None),
            ("####\n# http://a #\n# b/c     #\n####\n", Some(" http://ab/c\n")),
            ("│ http://a │\n┃ b        ┃\n", None),
            ("│ http://a │\n│          │\n│ b        │\n", None),
            ("┃ http://a\n ┃ b\n", None),
            ("┃ http://a\nb\n", None),
            ("| http://a\n| b\n", None),
        ] {
            assert_eq!(read_rows(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_row_continues_where_the_other_cells_are_empty() {
        for (text, expected) in [
            ("│ c │ http://a │\n│   │ b        │\n│ d │ e        │\n", Some(" http://a\n b\n")),
            ("a  http://a  c\n   b/c\n", Some("http://ab/c\n")),
            (" http://a | c\n b        | \n", Some(" http://a\n b\n")),
            ("├── http://a\n│   b\n", Some("http://a\nb\n")),
            ("└── http://a\n    b/cdefgh\n", Some("http://ab/cdefgh\n")),
            ("--a  http://a\n     b/cdefgh\n", Some("http://ab/cdefgh\n")),
            ("--a  http://a\n     b/c\n", None),
            ("│ c │ http://a │\n│ d │ b        │\n", None),
            ("| c        |\n|----------|\n| http://a |\n| b        |\n", None),
            ("- http://a\n  b\n", None),
            ("  http://a\n  b\n", None),
            // between ruled lines, the number of the record stands beside one row
            ("├─┼──┤\n│ │http://a│\n│1│b       │\n├─┼──┤\n", Some("http://a\nb\n")),
            ("├─┼──┤\n│0│http://a│\n│1│b       │\n├─┼──┤\n", None),
        ] {
            assert_eq!(read_rows(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn full_rows_go_on() {
        for (text, expected) in [
            // two full rows, of which one is not the URL's
            ("│ one two  │\n│ three    │\n│ http://a │\n│ b        │\n", " one two\n three\n http://a\n b\n"),
            ("│ one more │\n│ three    │\n│ http://a │\n│ b        │\n", " one more\n three\n http://ab\n"),
            ("│ one more │\n│ three    │\n│ http://a │\n│ b c      │\n", " one more\n three\n http://a\n b c\n"),
            // text that is no word of prose
            ("│ http://a │\n│ b/c d    │\n", " http://ab/c d\n"),
            ("│ http://a  │\n│ b/c d     │\n│ 123456789 │\n", " http://a\n b/c d\n 123456789\n"),
            ("│ http://a │\n│  b/c     │\n", " http://a\n  b/c\n"),
            ("│ http://a │\n│ www.b    │\n", " http://a\n www.b\n"),
            ("│ http://a │\n│ to:b     │\n", " http://a\n to:b\n"),
            // the marks of psql
            ("| http://a.|\n|.b c      | \n", " http://ab c\n"),
            ("| http://a…|\n|… c       | \n", " http://a c\n"),
            ("| http://a.|\n| b c      | \n", " http://a.\n b c\n"),
            // in the middle of a cell
            ("│ one more │\n│   two    │\n│ http://a │\n│   b/c    │\n", " one more\n   two\n http://ab/c\n"),
            // without a right edge, two full rows follow each other
            ("--a  http://a\n     b/cdefgh\n     i j\n", "http://ab/cdefgh\ni j\n"),
            ("--a  http://a\n     b/cdefgh\n     i/j k\n", "http://ab/cdefghi/j k\n"),
        ] {
            assert_eq!(read_rows(text).as_deref(), Some(expected), "{text}");
        }
    }

    /// A border that the end of the text cuts off is noted (ST-5).
    #[test]
    fn a_cut_frame_is_noted() {
        let text = "│ http://a │\n│ b        │\nc\nd\ne\nf\ng\nh\ni\nj\n".as_bytes();
        let (start, end) = (4, 12);
        for cut in end..text.len() {
            let view = View::new(&text[..cut], true);
            let lines = Cell::around(&view, start, end)
                .map(|cell| cell.lines.text.bytes().iter().filter(|&&byte| byte == b'\n').count());
            let is_decided = text[..cut].ends_with(b"c\n");
            assert!(view.is_touched() || is_decided || lines == Some(2), "{cut}");
        }
    }
}

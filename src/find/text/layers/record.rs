//! The lines around a cell, as rows (B-CELL). They are the rows of the URL's record, and others
//! that show how wide the cell is.

use std::ops::Range;

use super::edge::{CellRow, CellSides, LeftSide, Right};
use crate::bytes::limits::{JOIN_BREAKS, JOIN_LINES_AFTER};
use crate::find::text::window::{JoinWindow, columns, trim_end};

/// The lines around a cell.
pub(super) struct CellRows<'t> {
    pub(super) text: &'t [u8],
    pub(super) sides: CellSides<'t>,
    /// The start of the URL, and of its line.
    pub(super) url: usize,
    pub(super) line: usize,
    /// The lines above, the URL's line and lines below. A line without the cell's edges is `None`.
    pub(super) lines: Vec<Option<CellRow>>,
    /// The index of the URL's line.
    pub(super) own: usize,
    /// The index of the first line below that does not belong to the URL's record.
    pub(super) end: usize,
    /// More text may follow the last line.
    pub(super) is_cut: bool,
    /// Blanks fill the URL's line and the next line up to one column.
    pub(super) is_padded: bool,
}

impl<'t> CellRows<'t> {
    /// Reads the lines around `line`, whose row is `own`. Returns `None` if the next row is empty, or
    /// belongs to another record.
    pub(super) fn read(
        window: &JoinWindow<'t>,
        sides: CellSides<'t>,
        own: CellRow,
        line: Range<usize>,
        url: usize,
    ) -> Option<CellRows<'t>> {
        let next = window.after_break(line.end);
        let next = next..window.line_end(next);
        // Most lines below have no such row.
        sides.row(next.clone()).filter(|row| !row.is_blank())?;
        let padded = [&window.text[line.clone()], &window.text[next.clone()]];
        let is_padded = padded.iter().all(|line| line.ends_with(b" ")) && columns(padded[0]) == columns(padded[1]);
        // Without edges, a wider row shows that the URL does not fill its row.
        let is_wider = || columns(trim_end(padded[1])) > columns(trim_end(padded[0]));
        if sides.is_open() && !sides.is_drawn() && !is_padded && is_wider() {
            return None;
        }
        let mut lines: Vec<_> = window.lines_before(line.start).map(|line| sides.row(line)).collect();
        lines.reverse();
        let at = lines.len();
        lines.push(Some(own));
        let (text, line) = (window.text, line.start..line.end);
        let mut rows =
            CellRows { text, sides, url, line: line.start, lines, own: at, end: 0, is_cut: false, is_padded };
        rows.read_below(window, line.end);
        rows.end = rows.end.max(rows.ruled_end());
        let is_filled = rows.end > at + 1 && rows.row(at + 1).is_some_and(|row| !row.is_blank());
        (is_filled && !rows.is_of_one_column()).then_some(rows)
    }

    /// Reads the lines below `line_end`: those of the URL's record, and a few more.
    fn read_below(&mut self, window: &JoinWindow<'t>, mut line_end: usize) {
        for count in 1..=JOIN_BREAKS + JOIN_LINES_AFTER {
            if line_end >= window.high() {
                self.is_cut = window.cut.is_some();
                break;
            }
            let next = window.after_break(line_end);
            line_end = window.line_end(next);
            let row = self.sides.row(next..line_end);
            if self.end == 0 && row.as_ref().is_none_or(|row| !row.is_alone) {
                self.end = self.lines.len();
            }
            let is_other_text = row.is_none() && self.text[next..line_end].iter().any(u8::is_ascii_alphanumeric);
            self.lines.push(row);
            if self.end > 0 && (count >= JOIN_LINES_AFTER || is_other_text) {
                break;
            }
        }
        if self.end == 0 {
            self.end = self.lines.len();
        }
    }

    /// Returns the end of the rows between two ruled lines, if they are one record. Then each other
    /// cell has text in one row only.
    fn ruled_end(&self) -> usize {
        let is_row = |index: &usize| self.lines[*index].is_some();
        let from = (0..self.own).rev().take_while(is_row).last().unwrap_or(self.own);
        let end = (self.own..self.lines.len()).take_while(is_row).last().map_or(self.own, |last| last + 1);
        let others = self.lines[from..end].iter().flatten().filter(|row| !row.is_alone).count();
        let is_ruled = from > 0 && end < self.lines.len() && matches!(self.sides.right, Right::Edge(_));
        if is_ruled && others <= 1 { end } else { 0 }
    }

    /// Returns whether the lines are a table of one column in Markdown. Its rows are records.
    fn is_of_one_column(&self) -> bool {
        let (LeftSide::Edge(left), Right::Edge(right)) = (&self.sides.left, &self.sides.right) else { return false };
        let is_rule = |row: &CellRow| {
            let inner = self.text_of(row);
            memchr::memchr(b'-', inner).is_some() && inner.iter().all(|byte| b"-=:+ \t".contains(byte))
        };
        left.mark == b"|" && right.mark == b"|" && right.order == 1 && self.lines.iter().flatten().any(is_rule)
    }

    /// Returns the row of a line.
    pub(super) fn row(&self, index: usize) -> Option<&CellRow> {
        self.lines.get(index)?.as_ref()
    }

    /// Returns the text of a row, without the blanks around it.
    pub(super) fn text_of(&self, row: &CellRow) -> &'t [u8] {
        &self.text[row.start..row.inner.end]
    }

    /// Returns the rows with text that the program may have broken, with their index. Without a right
    /// edge, these are the URL's row, and rows with nothing before them.
    pub(super) fn measured(&self) -> impl Iterator<Item = (usize, &CellRow)> + Clone {
        let is_measured = |&(index, row): &(usize, &CellRow)| {
            row.is_text() && (!self.sides.is_open() || row.is_alone || index == self.own)
        };
        let rows = self.lines.iter().enumerate().filter_map(|(index, row)| Some((index, row.as_ref()?)));
        rows.filter(is_measured)
    }

    /// Returns whether the row after this index continues the row at this index.
    pub(super) fn is_continued(&self, index: usize) -> bool {
        self.row(index + 1).is_some_and(|next| next.is_text() && next.is_alone)
    }
}

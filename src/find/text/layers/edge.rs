//! The edges of a cell, and its rows (B-CELL).
//!
//! An edge is a vertical line or bar, `|`, or marks that begin and end the lines of a box. A cell
//! without a right edge ends with its lines, or before two blanks.

use std::ops::Range;

use crate::bytes::limits::{BREAK_BLANKS, ROW_BYTES};
use crate::find::text::lines::{after_break, is_blank, is_break, next_line};
use crate::find::text::view::View;
use crate::find::text::window::{JoinWindow, columns, place_of, trim_end};

/// The first byte of every edge that is not ASCII.
const LEAD: u8 = 0xE2;
/// The vertical line of a terminal's drawing characters.
const DRAWN: &[u8] = b"\x1B(0x\x1B(B";
/// The maximum length of an edge of ASCII marks, such as `*/`.
const MARKS: usize = 4;

/// Returns the length of the edge at the start of `bytes`: a vertical line or bar, or `|`.
fn edge_len(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'|' => Some(1),
        &DRAWN_LEAD if bytes.starts_with(DRAWN) => Some(DRAWN.len()),
        &LEAD => {
            let (mark, length) = bstr::decode_utf8(bytes);
            mark.is_some_and(is_line).then_some(length)
        }
        _ => None,
    }
}

/// The first byte of [`DRAWN`].
const DRAWN_LEAD: u8 = DRAWN[0];

/// Returns the places of the edges in a line.
fn edges(bytes: &[u8]) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
    let leads = memchr::memchr3_iter(b'|', LEAD, DRAWN_LEAD, bytes);
    leads.filter_map(|at| edge_len(&bytes[at..]).map(|length| at..at + length))
}

/// Returns the length of the ASCII marks at the start of `bytes`, if they may be an edge.
fn marks_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| is_mark(byte)).count()
}

/// Returns whether a byte may be a mark of a box.
fn is_mark(byte: u8) -> bool {
    EDGE_LEADS[usize::from(byte)] && byte.is_ascii_punctuation()
}

/// Returns whether a character is a vertical line or bar.
fn is_line(mark: char) -> bool {
    matches!(mark, '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '▉'..='▏' | '▐' | '▕' | '⎿')
}

/// An edge of a cell: its marks, and its column.
#[derive(Clone, Copy)]
pub(super) struct Edge<'t> {
    pub(super) mark: &'t [u8],
    column: usize,
    /// The number of edges before it, if it is not ASCII.
    pub(super) order: usize,
}

impl<'t> Edge<'t> {
    fn new(line: &'t [u8], at: Range<usize>) -> Edge<'t> {
        let order = edges(&line[..at.start]).count();
        Edge { mark: &line[at.clone()], column: columns(&line[..at.start]), order }
    }

    /// Returns the place of this edge in another line. Programs count the width of some characters
    /// differently, so an edge that is not ASCII may stand in another column.
    fn find(&self, line: &[u8]) -> Option<Range<usize>> {
        let at = place_of(line, self.column).filter(|&at| self.is_like(&line[at..]));
        let at = at.map(|at| at..at + self.mark.len());
        let is_drawn = || !self.mark[0].is_ascii_punctuation();
        at.or_else(|| {
            is_drawn().then(|| edges(line).nth(self.order)).flatten().filter(|at| self.is_like(&line[at.clone()]))
        })
    }

    /// Returns whether the same mark stands at the start of `bytes`. The lines of a speech balloon
    /// begin with `/`, `|` and `\`.
    fn is_like(&self, bytes: &[u8]) -> bool {
        const BALLOON: &[u8] = b"/|\\";
        bytes.starts_with(self.mark)
            || matches!((self.mark, bytes), ([own], [other, ..]) if BALLOON.contains(own) && BALLOON.contains(other))
    }
}

/// The left side of a cell.
#[derive(Clone, Copy)]
pub(super) enum LeftSide<'t> {
    Edge(Edge<'t>),
    /// The text begins in this column. Only blanks and edges stand before it.
    Column(usize),
}

/// The right side of a cell.
#[derive(Clone, Copy)]
pub(super) enum Right<'t> {
    Edge(Edge<'t>),
    /// These marks end the lines, in any column. Ruled lines of the same mark enclose them.
    Ragged(&'t [u8]),
    /// The next cell begins in this column, after two blanks or more.
    Gap(usize),
    /// The line ends after the text.
    Open,
}

/// The sides of a cell, and the text before it on the URL's line.
pub(super) struct CellSides<'t> {
    text: &'t [u8],
    pub(super) left: LeftSide<'t>,
    pub(super) right: Right<'t>,
    margin: &'t [u8],
    /// A vertical line stands before the cell, on its line or on the next one.
    has_line: bool,
}

/// A row of a cell.
#[derive(Clone)]
pub(super) struct CellRow {
    /// The text, with the blanks before it.
    pub(super) inner: Range<usize>,
    /// The start of the text.
    pub(super) start: usize,
    /// The columns of the start and of the end of the text.
    pub(super) columns: Range<usize>,
    /// The number of columns from the text to the right edge. With no right edge, the number of
    /// columns is counted from the widest row.
    pub(super) gap: usize,
    /// The other cells of the line are empty.
    pub(super) is_alone: bool,
    /// The text is a ruled line.
    pub(super) is_rule: bool,
}

impl CellRow {
    pub(super) fn is_blank(&self) -> bool {
        self.start == self.inner.end
    }

    pub(super) fn is_text(&self) -> bool {
        !self.is_blank() && !self.is_rule
    }
}

impl<'t> CellSides<'t> {
    /// Returns the sides of the cell around the text `at` of a line.
    pub(super) fn around(window: &JoinWindow<'t>, line: Range<usize>, at: Range<usize>) -> Option<CellSides<'t>> {
        let text = window.text;
        let own = trim_end(&text[line.clone()]);
        let below = window.after_break(line.end);
        let next = &text[below..window.line_end(below)];
        let at = at.start - line.start..at.end - line.start;
        let blanks = own.get(at.end..)?.iter().take_while(|&&byte| is_blank(byte)).count();
        let from = at.end + blanks;
        let tail = &own[from..];
        let mark = if blanks == 0 && tail.starts_with(CUT) { CUT.len() } else { 0 };
        let has_edge = |line: &[u8]| line.iter().any(|byte| b"|/\\\x1B\xE2".contains(byte));
        let right = if tail.is_empty() {
            Right::Open
        } else if edge_len(&tail[mark..]).is_some() && !has_edge(next) {
            return None; // most lines with a `|`
        } else if let Some(length) = edge_len(&tail[mark..]) {
            Right::Edge(Edge::new(own, from + mark..from + mark + length))
        } else if blanks > 0 && (1..=MARKS).contains(&tail.len()) && marks_len(tail) == tail.len() {
            let edge = Edge::new(own, from..own.len());
            let rules = |range: Range<usize>| is_rule(&text[range.clone()]) && text[range.start] == tail[0];
            let is_ragged = edge.find(next).is_none() && window.lines_before(line.start).any(rules);
            if is_ragged { Right::Ragged(tail) } else { Right::Edge(edge) }
        } else if blanks > 1 {
            Right::Gap(columns(&own[..from]))
        } else {
            return None;
        };
        let (left, margin) = match right {
            Right::Edge(Edge { mark, .. }) | Right::Ragged(mark) => left_edge(own, at.start, mark)?,
            _ => left_column(own, next, at.start)?,
        };
        let has_line = [&own[..margin], &next[..margin_len(next)]].iter().any(|margin| edges(margin).next().is_some());
        Some(CellSides { text, left, right, margin: &own[..margin], has_line })
    }

    /// Returns the row of a line, if the line has the edges of the cell.
    pub(super) fn row(&self, line: Range<usize>) -> Option<CellRow> {
        let bytes = trim_end(&self.text[line.clone()]);
        if bytes.len() > ROW_BYTES || is_rule(bytes) {
            return None;
        }
        let inside = match &self.left {
            LeftSide::Edge(edge) => edge.find(bytes)?,
            LeftSide::Column(column) => place_of(bytes, *column).map(|at| at..at)?,
        };
        let outside = match &self.right {
            Right::Edge(edge) => edge.find(bytes)?,
            Right::Gap(column) => match place_of(bytes, *column) {
                Some(at) => bytes[..at].ends_with(b"  ").then_some(at..at)?,
                None => (columns(bytes) < *column).then_some(bytes.len()..bytes.len())?,
            },
            Right::Ragged(mark) => bytes.ends_with(mark).then(|| bytes.len() - mark.len()..bytes.len())?,
            Right::Open => bytes.len()..bytes.len(),
        };
        let inner = bytes.get(inside.end..outside.start)?;
        let end = inside.end + trim_end(inner).len();
        let start = end.min(inside.end + inner.iter().take_while(|&&byte| is_blank(byte)).count());
        let reached = columns(&bytes[..end]);
        Some(CellRow {
            inner: line.start + inside.end..line.start + end,
            start: line.start + start,
            columns: columns(&bytes[..start])..reached,
            gap: match self.right {
                Right::Gap(column) => column - reached,
                _ => columns(&bytes[..outside.start]) - reached,
            },
            is_rule: is_rule(&bytes[start..end]),
            is_alone: is_beside(&bytes[..inside.start], self.margin) && is_margin(&bytes[outside.end..]),
        })
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.right, Right::Open)
    }

    /// Returns whether the place of the right edge is known in each row.
    pub(super) fn has_right(&self) -> bool {
        matches!(self.right, Right::Edge(_) | Right::Gap(_))
    }

    /// Returns whether a vertical line or bar stands on one side of the cell.
    pub(super) fn is_drawn(&self) -> bool {
        let is_right = matches!(self.right, Right::Edge(edge) if edge_len(edge.mark).is_some());
        is_right || self.has_line
    }

    /// Returns whether an edge stands on one side of the cell.
    pub(super) fn is_framed(&self) -> bool {
        matches!(self.right, Right::Edge(_) | Right::Ragged(_)) || self.has_line
    }
}

/// The mark with which psql ends a row that continues, besides `.`.
pub(super) const CUT: &[u8] = "…".as_bytes();

/// Returns the left side of a cell with this right edge, and the end of the margin before it.
fn left_edge<'t>(own: &'t [u8], start: usize, right: &[u8]) -> Option<(LeftSide<'t>, usize)> {
    let of = |at: Range<usize>| Some((LeftSide::Edge(Edge::new(own, at.clone())), at.start));
    let first = own.iter().position(|&byte| !is_blank(byte))?;
    let marks = marks_len(&own[first..]);
    if edge_len(right).is_some() {
        let is_balloon = right == b"|" && matches!(own[first], b'/' | b'\\') && first < start;
        return match edges(&own[..start]).next_back() {
            Some(at) => of(at),
            None if is_balloon => of(first..first + 1),
            None => Some((LeftSide::Column(0), 0)),
        };
    }
    let is_balloon = |mark: &[u8]| matches!(mark, b"/" | b"\\" | b"|");
    let left = first..first + marks;
    let is_pair = (1..=MARKS).contains(&marks)
        && left.end <= start
        && (!matches!(right, b"\\" | b"/") || is_balloon(&own[left.clone()]));
    is_pair.then(|| of(left)).flatten()
}

/// Returns the left side of a cell without a right edge. It is the column in which the text of the
/// line below begins. The cell's text must also begin there on its own line.
fn left_column<'t>(own: &'t [u8], next: &[u8], start: usize) -> Option<(LeftSide<'t>, usize)> {
    let margin = &next[..margin_len(next)];
    let column = columns(margin);
    let at = place_of(own, column).filter(|&at| 0 < at && at <= start && !is_blank(own[at]))?;
    let before = &own[..at];
    let text = trim_end(before);
    let ends_in_edge = edges(text).next_back().is_some_and(|edge| edge.end == text.len());
    let is_branch = text.ends_with("─".as_bytes()) && text.len() + 1 == at;
    let is_apart = before.ends_with(b"  ") || is_branch || ends_in_edge;
    let is_drawn = edges(margin).any(|edge| margin[edge.start] != b'|');
    let is_hanging = !text.is_empty() && edges(margin).next().is_none();
    (is_apart && (is_drawn || is_hanging)).then_some((LeftSide::Column(column), at))
}

/// Returns the length of the blanks and edges at the start of a line.
fn margin_len(line: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += match edge_len(&line[at..]) {
            Some(length) => length,
            None if is_blank(byte) => 1,
            None => break,
        };
    }
    at
}

/// Matches three marks or more that are all alike, as in a ruled line.
fn is_rule(text: &[u8]) -> bool {
    let text = trim_end(text);
    text.len() > 2 && text[0].is_ascii_punctuation() && text.iter().all(|byte| *byte == text[0])
}

/// Returns whether a line of a text holds two edges, or an edge and other text.
pub(crate) fn has_cells(text: &[u8]) -> bool {
    text.split(|&byte| is_break(byte)).any(|line| match edges(line).count() {
        0 => false,
        1 => line.iter().any(u8::is_ascii_alphanumeric),
        _ => true,
    })
}

/// Returns whether only blanks and edges stand in a text.
fn is_margin(text: &[u8]) -> bool {
    margin_len(text) == text.len()
}

/// Returns whether the text beside a cell is empty, or repeats the marks before it on its own line.
fn is_beside(bytes: &[u8], own: &[u8]) -> bool {
    is_margin(bytes) || bytes == own && !bytes.iter().any(u8::is_ascii_alphanumeric)
}

/// Returns whether a byte may begin a vertical line, or is `|`.
pub(crate) fn is_line_lead(byte: u8) -> bool {
    matches!(byte, b'|' | LEAD | DRAWN_LEAD)
}

/// Returns whether a cell may be around a run. An edge or a gap must stand after the run, or the
/// next line must begin apart ([`begins_apart`]).
pub(crate) fn may_follow(text: &View<'_>, run: Range<usize>) -> bool {
    let at = text.stretch(run.end, run.end + BREAK_BLANKS + 1, is_blank);
    match text.byte(at) {
        None => false,
        Some(byte) if is_break(byte) => begins_apart(text, run.start, at),
        Some(b'|' | LEAD | DRAWN_LEAD) => true,
        Some(byte) if at == run.end + 1 && is_mark(byte) => {
            let marks = text.stretch(at, at + MARKS, is_mark);
            text.byte(text.stretch(marks, marks + BREAK_BLANKS + 1, is_blank)).is_some_and(is_break)
        }
        Some(_) => at > run.end + 1,
    }
}

/// Returns whether the line below a break begins with an edge, or with blanks that stand below
/// text. `start` is a place on the line above.
pub(crate) fn begins_apart(text: &View<'_>, start: usize, line_end: usize) -> bool {
    let next = after_break(text, line_end);
    if !matches!(text.byte(next), Some(b' ' | b'\t' | LEAD | DRAWN_LEAD)) {
        return false; // nearly every line
    }
    let at = text.stretch(next, next + BREAK_BLANKS + 1, is_blank);
    match text.byte(at) {
        Some(DRAWN_LEAD) => return true,
        Some(LEAD) => return text.decode(at).is_some_and(|(mark, _)| is_line(mark)),
        _ => {}
    }
    if at < next + 2 {
        return false;
    }
    let before = &text[start.saturating_sub(ROW_BYTES)..start];
    if before.iter().rev().find(|&&byte| !is_blank(byte)).is_none_or(|&byte| is_break(byte)) {
        return false; // nothing stands before the URL
    }
    let own = &before[memchr::memrchr2(b'\n', b'\r', before).map_or(0, |found| found + 1)..];
    // A tab or a wide character may stand before the text of the cell.
    let is_plain = |bytes: &[u8]| bytes.iter().all(|byte| byte.is_ascii() && *byte != b'\t');
    if !is_plain(own) || !is_plain(&text[next..at]) {
        return true;
    }
    let column = at - next;
    column <= own.len() && own[column - 1] == b' ' && own[..column].iter().any(|byte| *byte != b' ')
}

/// Returns whether a line may end at `end`, or a row of a cell.
pub(crate) fn may_end_row(text: &View<'_>, end: usize) -> bool {
    next_line(text, end).is_some() || may_follow(text, end..end)
}

/// Returns the end of a row's text. The row holds `at`, and its line ends at `line_end`. Returns
/// `None` if no edge may follow the text.
pub(super) fn text_end(text: &View<'_>, at: usize, line_end: usize) -> Option<usize> {
    let line = trim_end(&text[at..line_end]);
    let marks = line.iter().rev().take_while(|&&byte| is_mark(byte)).count();
    let before = &line[..line.len() - marks];
    let end = match edges(line).next() {
        Some(edge) => trim_end(&line[..edge.start]).len(),
        None if (1..=MARKS).contains(&marks) && before.ends_with(b" ") => trim_end(before).len(),
        None if begins_apart(text, at, line_end) => line.len(),
        None => return None,
    };
    Some(at + end)
}

/// Returns whether a vertical line may stand in a text.
pub(crate) fn has_lead(text: &[u8]) -> bool {
    memchr::memchr(LEAD, text).is_some()
}

/// The bytes with which an edge may begin.
static EDGE_LEADS: [bool; 256] = {
    const LEADS: &[u8] = b"#*/\\;%!+:=~-|\x1B\xE2";
    let mut leads = [false; 256];
    let mut i = 0;
    while i < LEADS.len() {
        leads[LEADS[i] as usize] = true;
        i += 1;
    }
    leads
};

/// Returns whether an edge may begin with this byte. If one follows a run, the run may continue on
/// the next line of the cell.
pub(crate) fn is_edge_lead(byte: u8) -> bool {
    EDGE_LEADS[usize::from(byte)]
}

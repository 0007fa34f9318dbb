//! The rows that a URL fills: whether it goes on in the next row of its cell (B-CELL).

use std::cmp::Ordering;

use super::edge::{CUT, CellRow, Right};
use super::record::CellRows;
use super::rows;
use crate::find::text::lines::is_blank;
use crate::find::text::window::place_of;

/// The maximum number of blanks between a full row and its right edge.
const PADDING: usize = 2;
/// A row is nearly as wide as another if it has at most this many columns less.
const NEAR: usize = 4;
/// The bytes after which a URL certainly continues.
const OPEN: &[u8] = b"-_=&?%";

/// A break that is removed: the end of the text before it, and the start of the text after it.
#[derive(Clone, Copy)]
pub(super) struct FilledBreak {
    pub(super) cut: usize,
    pub(super) from: usize,
    /// A blank stands in the text after it, so the URL ends there.
    pub(super) is_last: bool,
}

/// The evidence for the breaks after the rows that a URL fills.
pub(super) struct Fill<'r, 't> {
    record: &'r CellRows<'t>,
    /// The number of columns between a full row and its right edge.
    gap: usize,
    /// The column of the end of the widest row.
    widest: usize,
    /// Other rows that are full and continue in the next row, and hold no URL.
    full: Vec<usize>,
    /// Another row is nearly as wide as the widest.
    is_near: bool,
    /// The number of breaks that were removed.
    joined: usize,
    /// Whether a word of prose may continue the URL.
    accepts_words: bool,
    /// The last break was kept because a word of prose follows it.
    pub(super) is_doubtful: bool,
}

impl<'r, 't> Fill<'r, 't> {
    pub(super) fn new(record: &'r CellRows<'t>, accepts_words: bool) -> Fill<'r, 't> {
        let widest = record.measured().map(|(_, row)| row.columns.end).max().unwrap_or_default();
        let others = record.measured().filter(|&(index, _)| index != record.own);
        let is_near = others.clone().any(|(_, row)| row.columns.end + NEAR >= widest);
        let mut fill =
            Fill { record, gap: 0, widest, full: Vec::new(), is_near, joined: 0, accepts_words, is_doubtful: false };
        fill.gap = record.measured().map(|(_, row)| fill.gap_of(row)).min().unwrap_or_default();
        let holds_url = |row: &CellRow| memchr::memmem::find(record.text_of(row), b"://").is_some();
        let is_full = |row: &CellRow| fill.gap_of(row) == fill.gap;
        let full = others.filter(|&(index, row)| record.is_continued(index) && is_full(row) && !holds_url(row));
        fill.full = full.map(|(index, _)| index).collect();
        fill
    }

    /// Returns the number of columns between a row and its right edge, or the end of the widest row.
    fn gap_of(&self, row: &CellRow) -> usize {
        if self.record.sides.has_right() { row.gap } else { self.widest - row.columns.end.min(self.widest) }
    }

    fn is_full(&self, row: &CellRow) -> bool {
        let gap = self.gap_of(row);
        gap == self.gap && (gap <= PADDING || !self.record.sides.has_right())
    }

    /// Returns the break after the row with this index, if the URL goes on in the next row.
    pub(super) fn join(&mut self, index: usize) -> Option<FilledBreak> {
        let (row, next) = (self.record.row(index)?, self.record.row(index + 1)?);
        let text = self.record.text_of(next);
        let marked = self.marked(row, next);
        let length = text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len());
        if marked.is_none()
            && !(self.may_continue(index, row, next) && self.continues(index, row, next, &text[..length]))
        {
            return None;
        }
        self.joined += 1;
        let (cut, from) = marked.unwrap_or((row.inner.end, next.start));
        Some(FilledBreak { cut, from, is_last: length < text.len() })
    }

    /// Returns the break between the marks of psql: `.` or `…`, glued to both edges.
    fn marked(&self, row: &CellRow, next: &CellRow) -> Option<(usize, usize)> {
        let text = self.record.text;
        let is_edged = row.gap == 0 && matches!(self.record.sides.right, Right::Edge(_));
        let mark = [b".", CUT].into_iter().find(|mark| is_edged && text[row.inner.clone()].ends_with(mark))?;
        let is_marked = text[next.inner.clone()].starts_with(mark);
        is_marked.then(|| (row.inner.end - mark.len(), next.inner.start + mark.len()))
    }

    /// Returns whether a row is full, and the next row may continue it.
    fn may_continue(&self, index: usize, row: &CellRow, next: &CellRow) -> bool {
        self.is_full(row)
            && next.is_text()
            && next.is_alone
            && self.is_aligned(index, row, next)
            && rows::may_begin_row(self.record.text_of(row), self.record.text_of(next))
    }

    /// Returns whether a full row goes on in the next one, which begins with the word `raw`.
    fn continues(&mut self, index: usize, row: &CellRow, next: &CellRow, raw: &[u8]) -> bool {
        let (text, below) = (self.record.text_of(row), self.record.text_of(next));
        let is_open = self.record.sides.is_open() && !self.record.is_padded;
        let others = self.full.iter().filter(|&&other| other != index).count() + self.joined;
        let is_filled = self.is_full(next) && raw.len() == below.len();
        let is_told = others > usize::from(is_open) || is_open && (is_filled || self.joined > 0);
        let is_known = !is_open || is_told || self.record.sides.is_framed() && self.is_near;
        let (has_text, last) = (raw.len() < below.len(), text.last().copied().unwrap_or_default());
        let word = Word::of(raw, below);
        let is_joined = match word {
            Word::Other => raw.starts_with(b")") && is_bracketed(text) && is_known,
            Word::Odd => is_known,
            Word::Address => is_told,
            Word::Number => is_known && !(has_text && last == b','),
            Word::Plain if has_text => OPEN.contains(&last) || self.accepts_words,
            Word::Plain => is_told && (!is_capital(raw) || self.accepts_words),
        };
        self.is_doubtful = !is_joined && is_told && matches!(word, Word::Plain);
        is_joined
    }

    /// Returns whether the next row begins in the cell's column, or stands in the middle of the cell.
    fn is_aligned(&self, index: usize, row: &CellRow, next: &CellRow) -> bool {
        let left = next.start - next.inner.start;
        let has_edge = matches!(self.record.sides.right, Right::Edge(_)) && !self.full.is_empty();
        if has_edge && left > PADDING && left.abs_diff(next.gap) < 2 {
            return true;
        }
        let column = self.record.row(self.record.own + 1).map_or(0, |first| first.columns.start);
        if index > self.record.own {
            return next.columns.start == column;
        }
        let (text, line) = (self.record.text, self.record.line);
        let at = place_of(&text[line..row.inner.end], column).map(|at| line + at);
        at.is_some_and(|at| match at.cmp(&row.start) {
            // A blank may begin a row that was cut between two words.
            Ordering::Less => at + 1 == row.start && !text[next.start].is_ascii_digit(),
            Ordering::Equal => true,
            Ordering::Greater => at <= self.record.url && is_blank(text[at - 1]) && !is_blank(text[at]),
        })
    }
}

/// Returns whether a row opens a bracket that it does not close.
fn is_bracketed(row: &[u8]) -> bool {
    let count = |byte: u8| memchr::memchr_iter(byte, row).count();
    count(b'(') > count(b')')
}

/// The first word of a row.
enum Word {
    /// The word does not continue a URL: only punctuation, a label, a year, a count or a version.
    Other,
    /// A word of prose, with at most one hyphen in it.
    Plain,
    /// A number.
    Number,
    /// A name with `:` or `@` after it, as in `finger:x` and `joe@x`.
    Address,
    /// Any other text.
    Odd,
}

impl Word {
    /// Returns the class of the word that begins `row`.
    fn of(raw: &[u8], row: &[u8]) -> Word {
        let has_text = raw.len() < row.len();
        let raw = raw.strip_prefix(b"(").unwrap_or(raw);
        let end = raw.iter().rposition(|byte| !b".,;:!?)'\"".contains(byte)).map_or(0, |last| last + 1);
        let word = &raw[..end];
        let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        let name = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte)).count();
        let mut parts = word.split(|&byte| matches!(byte, b'-' | b'\''));
        let is_word = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_alphabetic);
        let is_year = word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
        let is_count = row[raw.len().min(row.len())..].starts_with(b" of ");
        match word {
            [] => Word::Other,
            _ if is_number(word) && !has_text => Word::Number,
            _ if is_number(word) => {
                if is_year || is_count {
                    Word::Other
                } else {
                    Word::Number
                }
            }
            [b'v' | b'V', version @ ..] if has_text && is_number(version) => Word::Other,
            _ if name > 0 && matches!(raw.get(name), Some(b':' | b'@')) => {
                if name + 1 == raw.len() {
                    Word::Other
                } else {
                    Word::Address
                }
            }
            _ if parts.by_ref().take(2).all(is_word) && parts.next().is_none() => Word::Plain,
            _ => Word::Odd,
        }
    }
}

/// Matches a word with the capitals of a sentence, or in capitals: `Done`, `OK`.
fn is_capital(word: &[u8]) -> bool {
    let rest = word.get(1..).unwrap_or_default();
    word.first().is_some_and(u8::is_ascii_uppercase)
        && (!rest.iter().any(u8::is_ascii_uppercase) || !rest.iter().any(u8::is_ascii_lowercase))
}

//! The rows of a screen of a known width (B-JOIN-ROWS).
//!
//! A terminal writes a long line into rows, and breaks it where a row is full. A full row goes on
//! in the next one, if a byte of a URL or a letter begins it. The copy of the rows has no break
//! there. All other rules read it as any text.
//!
//! The row before a break and the beginning of the next row decide it. So each copy of a stretch
//! has the same breaks.

use std::ops::Range;

use super::Meant;
use super::prefix::{self, MARKED_BYTES};
use crate::bytes::limits::{LOOKBEHIND, ROW_BYTES};
use crate::bytes::logical::Logical;
use crate::find::schemes;
use crate::find::text::lines::is_blank;
use crate::find::text::view::View;
use crate::find::text::window::{begins_wide, columns};

/// The number of bytes whose candidates share one copy.
const STRETCH: usize = 32 * 1024;
/// The number of bytes that are copied after the last candidate of a stretch. The rules read fewer.
const AHEAD: usize = 32 * 1024;
/// The number of bytes after a full row that show whether it goes on. They hold the beginning of
/// the next row, and the marks of the rows below.
const AFTER: usize = MARKED_BYTES;

/// A stretch of rows, without the breaks after full ones.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) meant: Meant,
    /// The candidates that may be read in these rows.
    candidates: Range<usize>,
    /// The length of the text from which the rows were read, and whether more may follow.
    source: (usize, bool),
}

impl Rows {
    /// Reads the rows around a candidate on a screen of `width` columns.
    pub(crate) fn read(text: &View<'_>, at: usize, width: usize) -> Rows {
        let low = at.saturating_sub(LOOKBEHIND);
        let high = text.len().min(at + STRETCH + AHEAD);
        let mut rows = Logical::from(low);
        // The first row is not whole if it begins before the stretch.
        let (mut kept, mut row, mut is_whole, mut end) = (low, low, low == 0, high);
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &text[row..high]) {
            let row_end = row + found;
            let next = row_end + if text[row_end..].starts_with(b"\r\n") { 2 } else { 1 };
            let next = next.min(text.len());
            let room = if is_whole { free_columns(&text[row..row_end], width) } else { None };
            if room.is_some() && text.goes_on() && text.len() < next + AFTER {
                end = row_end; // more text decides this break
                break;
            }
            if room.is_some_and(|room| goes_on(&text[row..row_end], &text[next..], room)) {
                rows.append(&text[kept..row_end - mark_len(&text[row..row_end])], kept);
                kept = next + prefix::repeated_mark(text, row..row_end, next);
            }
            (row, is_whole) = (next, true);
        }
        let end = end.max(kept);
        rows.append(&text[kept..end], kept);
        let source = (text.len(), text.goes_on());
        Rows { meant: Meant { rule: "B-JOIN-ROWS", text: rows, is_cut: true }, candidates: at..at + STRETCH, source }
    }

    /// Returns whether the rules find in these rows what they find in rows read for this candidate.
    pub(crate) fn covers(&self, text: &View<'_>, candidate: usize) -> bool {
        self.candidates.contains(&candidate) && self.source == (text.len(), text.goes_on())
    }

    /// Returns the place of a byte of the source, if these rows reach it.
    pub(crate) fn place(&self, source: usize) -> Option<usize> {
        self.meant.text.offset_of(source).filter(|&place| place < self.meant.text.len())
    }

    /// Returns the end of the first full row between two bytes of the source that goes on.
    pub(crate) fn first_break(&self, source: Range<usize>) -> Option<usize> {
        let places = self.place(source.start)?..self.meant.place_from(source.end);
        let mut pieces = self.meant.text.pieces(places);
        let first = pieces.next()?.0.end;
        pieces.next().map(|_| first)
    }
}

/// Returns the number of free columns of a row that may be full. A wide character that did not fit
/// leaves one. A row that ends in a blank ends a word.
fn free_columns(row: &[u8], width: usize) -> Option<usize> {
    let last = *row.last()?;
    if row.len() > ROW_BYTES || is_blank(last) {
        return None;
    }
    width.checked_sub(columns(row)).filter(|&room| room <= 1)
}

/// Returns whether a row with this much room goes on in the next one.
pub(super) fn goes_on(row: &[u8], next: &[u8], room: usize) -> bool {
    (room == 0 || begins_wide(next)) && may_begin_row(row, next)
}

/// Returns whether a URL that fills `row` may go on with the text of the next row.
pub(super) fn may_begin_row(row: &[u8], next: &[u8]) -> bool {
    let begins = match next.first() {
        Some(byte) if byte.is_ascii() => byte.is_ascii_graphic() && !b"<>\"`{}|^[".contains(byte),
        Some(_) => bstr::decode_utf8(next).0.is_some_and(char::is_alphanumeric),
        None => false,
    };
    let is_aside = next.starts_with(b"(") && is_aside(next);
    let is_item = matches!(next, [b'-' | b'*' | b'+' | b'#' | b'$' | b'%', b' ' | b'\t' | b'\r' | b'\n', ..]);
    begins && !is_item && !is_aside && !begins_url(row, next.strip_prefix(b"(").unwrap_or(next))
}

/// Returns whether the first word of a row, which begins with `(`, ends before a `)`.
fn is_aside(row: &[u8]) -> bool {
    /// The maximum length of the word.
    const WORD: usize = 64;
    let end = row.iter().take(WORD).position(|&byte| is_blank(byte) || byte == b')');
    end.is_some_and(|end| is_blank(row[end]))
}

/// Returns the length of the `\` with which an editor marks a full row that goes on. The row's text
/// is glued to it.
fn mark_len(row: &[u8]) -> usize {
    usize::from(matches!(row, [.., before, b'\\'] if !is_blank(*before)))
}

/// Returns whether a URL begins the row after `row`.
fn begins_url(row: &[u8], next: &[u8]) -> bool {
    /// The number of bytes of a row that show whether it begins a URL.
    const BEGINNING: usize = 64;
    let next = &next[..next.len().min(BEGINNING)];
    let length = next.iter().take_while(|&&byte| schemes::is_scheme_byte(byte)).count();
    let (word, after) = next.split_at(length);
    let has = |name: &[u8]| next.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let is_slashed = after.starts_with(b"://") && (schemes::is_k(word) || schemes::is_known(word));
    let is_opaque = after.starts_with(b":") && (schemes::is_opaque(word) || schemes::opaque_form(word).is_some());
    is_slashed || is_opaque || has(b"www.") && !row.ends_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of rows of 20 columns.
    fn rows(text: &str) -> String {
        let rows = Rows::read(&View::whole(text.as_bytes()), 0, 20);
        String::from_utf8(rows.meant.text.bytes().to_vec()).unwrap()
    }

    #[test]
    fn full_rows_go_on() {
        let row = "a".repeat(20);
        for next in ["b", "+b", "=b", "-b", "- b", "/ b", "7", ".", ")", "é", "ps://b", "x.org/", "(b", "Done."] {
            let is_joined = next != "- b";
            for line_end in ["\n", "\r\n", "\r"] {
                let text = format!("{row}{line_end}{next}");
                let expected = if is_joined { format!("{row}{next}") } else { text.clone() };
                assert_eq!(rows(&text), expected, "{text:?}");
            }
        }
        for next in
            ["", " b", "\tb", "\n", "│", "> b", "<b", "[y/N]", "http://b", "(http://b", "mailto:b", "www.b", "(b c)"]
        {
            let text = format!("{row}\n{next}");
            assert_eq!(rows(&text), text, "{text:?}");
        }
        assert_eq!(rows(&format!("{row}\n(b) c")), format!("{row}(b) c"));
        for row in ["a".repeat(19), "a".repeat(21), format!("{} ", "a".repeat(19)), format!("{row} ")] {
            let text = format!("{row}\nb");
            assert_eq!(rows(&text), text, "{text:?}");
        }
    }

    #[test]
    fn a_wide_character_leaves_a_column_empty() {
        let row = "a".repeat(19);
        assert_eq!(rows(&format!("{row}\n一b")), format!("{row}一b"));
        assert_eq!(rows(&format!("{row}\nb一")), format!("{row}\nb一"));
        assert_eq!(rows(&format!("{}\nb", "一".repeat(10))), format!("{}b", "一".repeat(10)));
    }

    #[test]
    fn an_editor_marks_full_rows() {
        let row = "a".repeat(19);
        assert_eq!(rows(&format!("{row}\\\nb")), format!("{row}b"));
        assert_eq!(rows(&format!("{row}\\\n b")), format!("{row}\\\n b"));
        let row = format!("{} ", "a".repeat(18));
        assert_eq!(rows(&format!("{row}\\\nb")), format!("{row}\\b"));
    }

    /// A break that the text read so far does not decide ends the rows.
    #[test]
    fn more_text_decides_a_break() {
        let text = format!("{}\nb", "a".repeat(20));
        let rows = Rows::read(&View::new(text.as_bytes(), true), 0, 20);
        assert_eq!(rows.meant.text.bytes(), &text.as_bytes()[..20]);
        assert_eq!(rows.place(19), Some(19));
        assert_eq!(rows.place(21), None);
    }
}

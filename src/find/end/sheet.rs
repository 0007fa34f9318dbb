//! Records with comma-separated fields. In a record, a `,` ends a URL, and no URL continues on the
//! next line (B-SHEET).

use std::ops::Range;

use crate::bytes::limits::{FIELD_NAME, LINE_START};
use crate::find::text::lines;
use crate::find::text::lines::{is_blank, is_break};
use crate::find::text::view::View;

/// Returns whether a text ends in a name and `=`: `key=`.
pub(crate) fn follows_name(text: &[u8]) -> bool {
    matches!(text, [.., name, b'='] if is_of_name(*name))
}

/// Returns whether a name and `=` stand at `at`.
pub(crate) fn begins_field(view: &View<'_>, at: usize) -> bool {
    let end = view.stretch(at, at + FIELD_NAME + 1, is_of_name);
    end > at && end <= at + FIELD_NAME && view[at].is_ascii_alphabetic() && view.byte(end) == Some(b'=')
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Returns whether the URL at `url` stands in a cell whose quotation mark is still open. A comma in
/// such a cell is text.
pub(crate) fn is_in_cell(text: &[u8], url: usize) -> bool {
    let Some(line) = lines::line_start(text, url) else { return false };
    let before = &text[line..url];
    let (mut open, mut at) = (false, 0);
    while let Some(mark) = memchr::memchr(b'"', &before[at..]).map(|found| at + found) {
        let is_doubled = open && before.get(mark + 1) == Some(&b'"');
        let begins_cell = mark == 0 || matches!(before[mark - 1], b',' | b';' | b'\t');
        open = if is_doubled { true } else { !open && begins_cell };
        at = mark + 1 + usize::from(is_doubled);
    }
    open
}

/// The last line that was tested, and the result. A line with many URLs is tested only once (ST-2).
#[derive(Clone, Debug, Default)]
pub(crate) struct LastLine {
    line: Range<usize>,
    record: RecordSign,
}

impl LastLine {
    /// Returns whether the line of the URL at `url` is a record.
    pub(crate) fn is_record(&mut self, view: &View<'_>, url: usize) -> bool {
        if !self.line.contains(&url) {
            let (line, record) = RecordSign::at(view, url);
            *self = LastLine { line, record };
        }
        self.record.holds(view, url)
    }

    /// Returns whether the line of the URL at `url` was tested last, and the test showed a record.
    pub(crate) fn is_known(&self, text: &[u8], url: usize) -> bool {
        self.line.contains(&url) && self.record.holds(text, url)
    }
}

/// Returns whether the line of the URL at `url` is a record.
pub(crate) fn is_record(view: &View<'_>, url: usize) -> bool {
    RecordSign::at(view, url).1.holds(view, url)
}

/// The evidence from a line and its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RecordSign {
    #[default]
    No,
    /// Few lines are weak evidence, so only a URL right after a comma is a field.
    OfFields,
    Yes,
}

impl RecordSign {
    fn holds(self, text: &[u8], url: usize) -> bool {
        match self {
            RecordSign::No => false,
            RecordSign::OfFields => text[..url].ends_with(b","),
            RecordSign::Yes => true,
        }
    }

    /// Returns the line of the URL at `url`, and the evidence of that line. For a line that is too
    /// long, returns only the byte at `url`, and no evidence.
    fn at(view: &View<'_>, url: usize) -> (Range<usize>, RecordSign) {
        let none = (url..url + 1, RecordSign::No);
        let Some(start) = lines::line_start(view, url) else { return none };
        let end = lines::line_end(view, url, url + LINE_START);
        if end - start > LINE_START || end == url + LINE_START {
            return none;
        }
        (start..end, RecordSign::of(view, start..end))
    }

    fn of(view: &View<'_>, line: Range<usize>) -> RecordSign {
        /// The maximum number of neighbours on each side.
        const LINES: usize = 2;
        if memchr::memchr_iter(b',', &view[line.clone()]).nth(1).is_none() {
            return RecordSign::No;
        }
        let own = Commas::of(&view[line.clone()]);
        if own.all < 2 {
            return RecordSign::No;
        }
        let (mut sum, mut neighbours) = (own, 0);
        let mut takes = |line: &[u8]| {
            let commas = Commas::of(line);
            neighbours += 1;
            sum = Commas {
                all: sum.all + commas.all,
                tight: sum.tight + commas.tight,
                has_field: sum.has_field || commas.has_field,
            };
            commas.all == own.all
        };
        let mut above = line.start;
        for _ in 0..LINES {
            let Some(before) = line_before(view, above, line.start) else { break };
            if !takes(&view[before.clone()]) {
                return RecordSign::No;
            }
            above = before.start;
        }
        let (mut at, reach) = (line.end, line.end + LINE_START);
        for _ in 0..LINES {
            if view.byte(at).is_none() {
                break;
            }
            let below = lines::after_break(view, at);
            at = lines::line_end(view, below, reach);
            if at >= reach || view.byte(below).is_none() {
                break;
            }
            if !takes(&view[below..at]) {
                return RecordSign::No;
            }
        }
        match (sum.has_field && 2 * sum.tight > sum.all, neighbours >= LINES) {
            (false, _) => RecordSign::No,
            (true, false) => RecordSign::OfFields,
            (true, true) => RecordSign::Yes,
        }
    }
}

/// Returns the line before the line that starts at `start`. Returns `None` if the result would
/// begin more than [`LINE_START`] bytes before `own`, the start of the URL's line.
fn line_before(text: &[u8], start: usize, own: usize) -> Option<Range<usize>> {
    let end = start.checked_sub(1)?;
    let end = if text[..start].ends_with(b"\r\n") { end - 1 } else { end };
    let line = lines::line_start(text, end)?;
    (line + LINE_START >= own).then_some(line..end)
}

/// The commas of a line outside quotation marks.
#[derive(Clone, Copy)]
struct Commas {
    all: usize,
    /// The number of commas without a blank after them.
    tight: usize,
    /// A comma stands outside every URL. In a list of URLs, all commas may belong to URLs.
    has_field: bool,
}

impl Commas {
    fn of(line: &[u8]) -> Commas {
        let mut commas = Commas { all: 0, tight: 0, has_field: false };
        let (mut is_quoted, mut is_url) = (false, false);
        for (at, &byte) in line.iter().enumerate() {
            debug_assert!(!is_break(byte));
            match byte {
                b'"' => (is_quoted, is_url) = (!is_quoted, false),
                b' ' | b'\t' => is_url = false,
                b':' => is_url |= line[at..].starts_with(b"://"),
                b',' if !is_quoted => {
                    commas.all += 1;
                    commas.has_field |= !is_url;
                    commas.tight += usize::from(!line.get(at + 1).is_some_and(|&byte| is_blank(byte)));
                }
                _ => {}
            }
        }
        commas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_too_far_above_are_not_looked_at() {
        for (own, expected) in [(LINE_START, Some(0..1)), (LINE_START + 1, None)] {
            assert_eq!(line_before(b"a\nb", 2, own), expected, "{own}");
        }
    }
}

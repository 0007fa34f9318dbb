//! Records whose fields commas part: there a `,` ends a URL, and no line continues another (B-SHEET).

use std::ops::Range;

use crate::bytes::limits::{FIELD_NAME, LINE_START};
use crate::find::delimiter::Before;
use crate::find::lines::{self, is_blank, is_break};
use crate::find::view::View;

/// What tells that a text is a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sheets {
    /// The lines around a URL.
    #[default]
    ByLines,
    /// The caller.
    Told,
    /// The text is no text of its own: nothing is a sheet.
    Never,
}

/// Returns the first comma in the run `run` that ends the unquoted URL at `url`: one that parts fields. `before` stands right
/// before the URL.
pub(crate) fn field_end(
    view: &View<'_>,
    url: usize,
    run: Range<usize>,
    before: Before,
    sheets: Sheets,
) -> Option<usize> {
    let comma = run.start + memchr::memchr(b',', &view[run.clone()])?;
    if before.is_quoted() || sheets == Sheets::Never {
        return None;
    }
    if sheets == Sheets::Told || is_record(view, url) {
        return Some(comma);
    }
    let is_value = follows_name(&view[..url]);
    let mut commas = memchr::memchr_iter(b',', &view[run.clone()]).map(|at| run.start + at);
    commas.find(|&comma| is_value && begins_field(view, comma + 1))
}

/// Returns whether a name and `=` end a text: `key=`.
fn follows_name(text: &[u8]) -> bool {
    matches!(text, [.., name, b'='] if is_of_name(*name))
}

/// Returns whether a name and `=` stand at `at`.
fn begins_field(view: &View<'_>, at: usize) -> bool {
    let end = view.stretch(at, at + FIELD_NAME + 1, is_of_name);
    end > at && end <= at + FIELD_NAME && view[at].is_ascii_alphabetic() && view.byte(end) == Some(b'=')
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Returns whether the line of the URL at `url` is a record of a sheet, by its neighbours.
pub(crate) fn is_record(view: &View<'_>, url: usize) -> bool {
    /// The neighbours on either side.
    const LINES: usize = 2;
    let Some(start) = lines::line_start(view, url) else { return false };
    let reach = url + LINE_START;
    let end = lines::line_end(view, url, reach);
    if end == reach {
        return false; // too long
    }
    if memchr::memchr_iter(b',', &view[start..end]).nth(1).is_none() {
        return false;
    }
    let own = Commas::of(&view[start..end]);
    if own.all < 2 {
        return false;
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
    let mut above = start;
    for _ in 0..LINES {
        let Some(line) = line_before(view, above, url) else { break };
        if !takes(&view[line.clone()]) {
            return false;
        }
        above = line.start;
    }
    let mut at = end;
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
            return false;
        }
    }
    // Too few lines show little: there the URL has to be a field by itself.
    let is_field = || view[..url].ends_with(b",");
    sum.has_field && 2 * sum.tight > sum.all && (neighbours >= LINES || is_field())
}

/// Returns the line before the one that starts at `start`, if it begins within [`LINE_START`] bytes before `url`.
fn line_before(text: &[u8], start: usize, url: usize) -> Option<Range<usize>> {
    let end = start.checked_sub(1)?;
    let end = if text[..start].ends_with(b"\r\n") { end - 1 } else { end };
    let line = lines::line_start(text, end)?;
    (line + LINE_START >= url).then_some(line..end)
}

/// Commas of a line, outside quotation marks.
#[derive(Clone, Copy)]
struct Commas {
    all: usize,
    /// Those without a blank behind.
    tight: usize,
    /// One stands outside every URL: in a list of URLs all may be theirs.
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

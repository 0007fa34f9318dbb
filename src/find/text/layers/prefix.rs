//! Prefixes that programs put before each line (W-PFX-7): numbers, the names of services, and the
//! marks of rows that continue.
//!
//! # Example
//!
//! ```text
//!    1   │ See https://h.example/2026/tide-ta
//!        │ bles.html for more
//!    2   │ And so on.
//! ```
//!
//! The second row has blanks instead of a number, so it continues the line of the first row. The
//! copy of the lines has neither the prefixes nor the break between these two rows. A prefix with
//! the next number begins a line of the text. Such lines are weighed as in any text.

use std::ops::Range;

use super::Meant;
use crate::bytes::limits::{JOIN_BREAKS, JOIN_BYTES, JOIN_LINES_AFTER};
use crate::find::text::lines::{is_blank, is_break, line_start, next_line};
use crate::find::text::view::View;
use crate::find::text::window::{JoinWindow, begins_wide, columns, trim_end};

/// The maximum length of a prefix.
const LONGEST: usize = 64;

/// The number of bytes below a full row that are searched for its mark.
pub(super) const MARKED_BYTES: usize = 1024;

/// The marks with which editors and mailers begin a row that continues the row above.
const MARKS: [&[u8]; 5] = ["+".as_bytes(), "↪".as_bytes(), "↳".as_bytes(), "»".as_bytes(), "…".as_bytes()];

/// A prefix of a line, without the blanks after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prefix<'t> {
    /// `web-1  |` of a log of several services.
    Name(&'t [u8]),
    /// A number, and the sign after it.
    Number(u64, &'t [u8]),
    /// Blanks instead of a number, and the sign after them.
    Again(&'t [u8]),
}

/// A line, split after its prefix.
#[derive(Clone, Copy)]
struct PrefixedLine<'t> {
    prefix: Prefix<'t>,
    /// The quotation marks of mail before the prefix.
    quote: &'t [u8],
    /// The place where the line's text begins.
    content: usize,
    /// The number of columns before it.
    column: usize,
}

/// The relation of a line to the line above.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// It is the next line of the text.
    Next,
    /// It is another row of the same line.
    Row,
}

impl<'t> PrefixedLine<'t> {
    fn parse(text: &'t [u8], line: Range<usize>) -> Option<PrefixedLine<'t>> {
        let bytes = &text[line.clone()];
        let head = &bytes[..bytes.len().min(LONGEST)];
        let quoted = head.iter().take_while(|&&byte| byte == b'>' || byte == b' ').count();
        let quoted = memchr::memrchr(b'>', &head[..quoted]).map_or(0, |last| quoted.min(last + 2));
        let (quote, head) = head.split_at(quoted);
        let indented = || Some((Prefix::Again(b""), blanks(head))).filter(|&(_, length)| length > 0);
        let (prefix, length) = number(head).or_else(|| service(head)).or_else(|| again(head)).or_else(indented)?;
        let content = line.start + quoted + length;
        Some(PrefixedLine { prefix, quote, content, column: columns(&text[line.start..content]) })
    }

    /// Returns this row, whose prefix has no number, with the number of its line above.
    fn numbered(self, window: &JoinWindow<'t>, line: usize) -> Option<PrefixedLine<'t>> {
        let parsed = window.lines_before(line).map(|line| PrefixedLine::parse(window.text, line));
        let first = parsed.map_while(|parsed| parsed).find(|above| !matches!(above.prefix, Prefix::Again(_)))?;
        let is_numbered = first.relation(&self) == Some(Relation::Row);
        is_numbered.then_some(PrefixedLine { prefix: first.prefix, ..self })
    }

    /// Returns the relation of the line `next` to this one, if their prefixes follow each other.
    fn relation(&self, next: &PrefixedLine<'_>) -> Option<Relation> {
        let is_aligned = self.quote == next.quote && (self.column == next.column);
        let sign = match self.prefix {
            Prefix::Number(_, sign) | Prefix::Again(sign) => sign,
            Prefix::Name(_) => b"",
        };
        match (self.prefix, next.prefix) {
            (Prefix::Name(own), Prefix::Name(other)) => (own == other).then_some(Relation::Next),
            (_, Prefix::Again(other)) => (sign == other && is_aligned).then_some(Relation::Row),
            (Prefix::Number(own, _), Prefix::Number(number, other)) if sign == other => match number {
                _ if number == own + 1 => Some(Relation::Next),
                _ if number == own && is_aligned && sign.is_empty() => Some(Relation::Row),
                _ => None,
            },
            (Prefix::Again(_), Prefix::Number(_, other)) => (sign == other).then_some(Relation::Next),
            _ => None,
        }
    }
}

/// Returns the length of the blanks at the start of a text.
fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// Parses blanks, a number, and a sign: `12:`, `12⇥`, `12   │`, `12`.
fn number(head: &[u8]) -> Option<(Prefix<'_>, usize)> {
    let indent = blanks(head);
    let digits = head[indent..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = indent + digits;
    let value = std::str::from_utf8(&head[indent..end]).ok()?.parse().ok().filter(|_| digits <= 9)?;
    let (sign, after) = sign(&head[end..])?;
    Some((Prefix::Number(value, sign), end + after))
}

/// Parses the sign after a number, and at most one blank. Returns the sign, and the length of both.
fn sign(after: &[u8]) -> Option<(&[u8], usize)> {
    match after {
        [b':' | b'-' | b'\t', ..] => Some((&after[..1], 1)),
        [] => Some((b"", 0)),
        [b' ', ..] => Some(bar(after).unwrap_or((b"", 1))),
        _ => None,
    }
}

/// Parses blanks, a bar, and at most one blank. Returns the bar, and the length of all.
fn bar(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let indent = blanks(bytes);
    let bars = ["│".as_bytes(), "┃".as_bytes(), b"|"];
    let bar = bars.into_iter().find(|bar| bytes[indent..].starts_with(bar))?;
    let end = indent + bar.len();
    match bytes.get(end) {
        Some(b' ') => Some((&bytes[indent..end], end + 1)),
        None => Some((&bytes[indent..end], end)),
        Some(_) => None,
    }
}

/// Parses blanks, and the bar that stands after the numbers of other rows.
fn again(head: &[u8]) -> Option<(Prefix<'_>, usize)> {
    let (sign, length) = bar(head).filter(|_| head.first() == Some(&b' '))?;
    Some((Prefix::Again(sign), length))
}

/// Parses the name of a service with its number, blanks, and `|`.
fn service(head: &[u8]) -> Option<(Prefix<'_>, usize)> {
    let length = head.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)).count();
    let name = &head[..length];
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_name = name.first()?.is_ascii_alphabetic() && digits > 0;
    if !is_name || !matches!(name[..length - digits], [.., _, b'-' | b'_' | b'.']) {
        return None;
    }
    let (sign, after) = bar(&head[length..]).filter(|(sign, _)| *sign == b"|")?;
    let end = length + after;
    Some((Prefix::Name(&head[..length + blanks(&head[length..]) + sign.len()]), end))
}

/// The lines around a URL, without their prefixes.
pub(crate) struct Unprefixed {
    pub(crate) lines: Meant,
    /// The breaks that were removed are only likely.
    pub(crate) is_doubtful: bool,
}

/// Returns the lines around the URL with the run `text[start..end]`. Returns `None` if the next
/// line has no prefix that follows the prefix of the URL's line.
pub(crate) fn around(text: &View<'_>, start: usize, end: usize) -> Option<Unprefixed> {
    let next = next_line(text, end)?;
    if !may_follow(text, start, next) {
        return None;
    }
    let window = JoinWindow::new(text, start.saturating_sub(JOIN_BYTES), end + JOIN_BYTES);
    let line = window.line_start(start);
    if line == window.low && line > 0 && !is_break(text[line - 1]) {
        return None;
    }
    match mark_at(text, next) {
        Some(mark) => marked(&window, line, end, mark),
        None => prefixed(&window, line, end),
    }
}

/// Returns whether the line `next`, below the URL at `start`, may begin with a prefix. Without
/// a prefix on its own line, only the mark of a row may follow.
#[inline]
pub(crate) fn may_follow(text: &View<'_>, start: usize, next: usize) -> bool {
    let begins_line = || start.checked_sub(1).is_none_or(|before| is_break(text[before]));
    match text.byte(next) {
        Some(b'+' | 0xC2 | 0xE2) => true,
        Some(b'a'..=b'z' | b'A'..=b'Z') => !begins_line() && begins_service(text, next),
        Some(b'0'..=b'9' | b'|') => !begins_line(),
        Some(b' ' | b'\t' | b'>') => !begins_line() && may_follow_blanks(text, start, next),
        _ => false,
    }
}

/// Returns whether a line may begin with the name of a service.
fn begins_service(text: &View<'_>, line: usize) -> bool {
    let end =
        text.stretch(line, line + LONGEST, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    text[end - 1].is_ascii_digit() && text.byte(end).is_some_and(is_blank)
}

/// Returns whether a number begins the line of the URL at `start`.
fn is_numbered(text: &[u8], start: usize) -> bool {
    let line = line_start(text, start).unwrap_or(start);
    text[line + blanks(&text[line..start])..start].first().is_some_and(u8::is_ascii_digit)
}

/// Returns whether a prefix may follow the blanks and quotation marks that begin a line.
fn may_follow_blanks(text: &View<'_>, start: usize, line: usize) -> bool {
    let at = text.stretch(line, line + LONGEST, |byte| is_blank(byte) || byte == b'>');
    match text.byte(at) {
        Some(b'0'..=b'9' | b'|' | b'+' | 0xC2 | 0xE2) => true,
        Some(b'a'..=b'z' | b'A'..=b'Z') if text[line] == b'>' => begins_service(text, at),
        Some(_) => text[line] == b' ' && is_numbered(text, start),
        None => false,
    }
}

/// Returns the lines around the line at `line`, whose URL ends at `end`, without their prefixes.
fn prefixed(window: &JoinWindow<'_>, line: usize, end: usize) -> Option<Unprefixed> {
    let text = window.text;
    let line_end = window.line_end(end);
    let own = PrefixedLine::parse(text, line..line_end)?;
    let own = match own.prefix {
        Prefix::Again(_) => own.numbered(window, line)?,
        _ => own,
    };
    let around = window.lines_before(line).chain(window.lines_after(line_end)).map(|line| width(text, &line));
    let widest = around.max().unwrap_or(0);
    let mut lines: Vec<_> = std::iter::once(own.content..line_end).collect();
    let is_cut_there = || were_cut(window, own, line..line_end, widest);
    let mut joins = Vec::new();
    let (mut last, mut below, mut is_cut) = (own, line_end, false);
    for _ in 0..JOIN_BREAKS + JOIN_LINES_AFTER {
        if below >= window.high() {
            is_cut = window.cut.is_some();
            break;
        }
        let from = window.after_break(below);
        let row = window.line_start(below)..below;
        below = window.line_end(from);
        let Some(next) = PrefixedLine::parse(text, from..below) else { break };
        let Some(relation) = last.relation(&next) else { break };
        let is_bare = next.prefix == Prefix::Again(b"");
        if relation == Relation::Row && !(is_full(text, &row, next.content, widest) && (!is_bare || is_cut_there())) {
            break;
        }
        joins.push(relation == Relation::Row);
        lines.push(next.content..below);
        last = match next.prefix {
            Prefix::Again(_) => PrefixedLine { prefix: last.prefix, ..next },
            _ => next,
        };
    }
    if joins.is_empty() || lines[1].clone().all(|at| is_blank(text[at])) {
        return None;
    }
    Some(Unprefixed { lines: joined(text, lines_above(window, line, own), &lines, &joins, is_cut), is_doubtful: false })
}

/// Returns whether the rows around that only an indentation continues were cut. Two of them at
/// least have all columns, and none has fewer but one. The hanging lines of a list were broken
/// between words.
fn were_cut(window: &JoinWindow<'_>, own: PrefixedLine<'_>, line: Range<usize>, widest: usize) -> bool {
    let lines = window.lines_before(line.start).collect::<Vec<_>>().into_iter().rev();
    let lines: Vec<_> = lines.chain([line.clone()]).chain(window.lines_after(line.end)).collect();
    let continues = |line: &Range<usize>| {
        let parsed = PrefixedLine::parse(window.text, line.clone());
        parsed.is_some_and(|next| next.prefix == Prefix::Again(b"") && next.column == own.column)
    };
    let rows = lines.windows(2).filter(|pair| continues(&pair[1])).map(|pair| width(window.text, &pair[0]));
    let rows: Vec<_> = rows.collect();
    rows.iter().all(|&width| width + 1 >= widest) && rows.iter().filter(|&&width| width == widest).count() >= 2
}

/// Returns the texts of the lines above, without their prefixes, the nearest first.
fn lines_above<'t>(window: &JoinWindow<'t>, line: usize, own: PrefixedLine<'t>) -> Vec<Range<usize>> {
    let parsed = window.lines_before(line).map(|line| PrefixedLine::parse(window.text, line.clone()).zip(Some(line)));
    let mut below = own;
    let above = parsed.map_while(|parsed| parsed).take_while(|&(above, _)| {
        let is_above = above.relation(&below).is_some() || matches!(above.prefix, Prefix::Again(_));
        below = above;
        is_above
    });
    above.map(|(above, line)| above.content.min(line.end)..line.end).collect()
}

/// Returns the text of lines. A line whose flag in `joins` is true continues without a break.
fn joined(text: &[u8], above: Vec<Range<usize>>, lines: &[Range<usize>], joins: &[bool], is_cut: bool) -> Meant {
    let first = above.len();
    let all: Vec<_> = above.into_iter().rev().chain(lines.iter().cloned()).collect();
    Meant::of_lines("W-PFX-7", text, &all, is_cut, |index| {
        (index >= first && joins.get(index - first) == Some(&true)).then_some(0)
    })
}

fn width(text: &[u8], line: &Range<usize>) -> usize {
    columns(trim_end(&text[line.clone()]))
}

/// Returns the length of the mark that begins the row `next`, below the full row `row`. This mark
/// must begin another row below, after one that is as full.
pub(super) fn repeated_mark(text: &View<'_>, row: Range<usize>, next: usize) -> usize {
    let Some(mark) = mark_at(text, next).filter(|mark| text[next..].starts_with(mark)) else { return 0 };
    let window = JoinWindow::new(text, row.start, next + MARKED_BYTES);
    let full = width(text, &row);
    let mut above = next..window.line_end(next);
    let is_repeated = window.lines_after(above.end).any(|line| {
        let is_full = width(text, &above).abs_diff(full) <= 1;
        above = line.clone();
        is_full && text[line].starts_with(mark)
    });
    if is_repeated { mark.len() } else { 0 }
}

/// Returns whether the mark of a continued row stands below the row that ends at `row_end`.
pub(crate) fn follows_mark(text: &View<'_>, row_end: usize) -> bool {
    next_line(text, row_end).is_some_and(|next| mark_at(text, next).is_some())
}

/// Returns the mark of a continued row that begins a line. The indentation may stand before it.
fn mark_at(text: &View<'_>, line: usize) -> Option<&'static [u8]> {
    let at = text.stretch(line, line + LONGEST, is_blank);
    if !matches!(text.byte(at), Some(b'+' | 0xC2 | 0xE2)) {
        return None;
    }
    let mark = MARKS.into_iter().find(|mark| text.has(at, mark))?;
    let after = text.byte(at + mark.len())?;
    (!is_break(after)).then_some(mark)
}

/// Returns the lines around the line at `line`, if the rows below it begin with `mark`. The row
/// must be as wide as the widest line around. One mark alone is doubtful.
fn marked(window: &JoinWindow<'_>, line: usize, end: usize, mark: &[u8]) -> Option<Unprefixed> {
    let text = window.text;
    let own = line..window.line_end(end);
    let above: Vec<_> = window.lines_before(line).collect();
    let below: Vec<_> = window.lines_after(own.end).collect();
    // the rows of an indented line have its indentation
    let indent = |line: &Range<usize>| blanks(&text[line.clone()]);
    let is_marked = |line: &Range<usize>| text[line.start + indent(line)..line.end].starts_with(mark);
    let after = |line: &Range<usize>| match is_marked(line) {
        true => line.start + indent(line) + mark.len()..line.end,
        false => line.clone(),
    };
    let all: Vec<_> = above.iter().rev().chain([&own]).chain(&below).collect();
    let widest = all.iter().map(|line| width(text, line)).max()?;
    let continues = |row: &Range<usize>, next: &Range<usize>| {
        is_marked(next) && indent(row) == indent(next) && is_full(text, row, after(next).start, widest)
    };
    let broken = all.windows(2).filter(|pair| continues(pair[0], pair[1])).count();
    let marks = all.iter().skip(1).filter(|line| is_marked(line)).count();
    if !continues(&own, below.first()?) || 2 * broken <= marks {
        return None;
    }
    let lines: Vec<_> = [own.clone()].into_iter().chain(below.iter().map(after)).collect();
    let rows: Vec<_> = [&own].into_iter().chain(&below).collect();
    let joins: Vec<_> = rows.windows(2).map(|pair| continues(pair[0], pair[1])).collect();
    let above = above.iter().map(after).collect();
    Some(Unprefixed { lines: joined(text, above, &lines, &joins, window.cut.is_some()), is_doubtful: broken < 2 })
}

/// Returns whether a row has all `widest` columns. A character of two columns at `next`, where the
/// next row begins, may have left one free.
fn is_full(text: &[u8], row: &Range<usize>, next: usize, widest: usize) -> bool {
    width(text, row) + usize::from(begins_wide(&text[next..])) >= widest
}

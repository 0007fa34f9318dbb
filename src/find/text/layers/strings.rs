//! Strings side by side, which a program reads as one string (B-STRINGS).
//!
//! # Example
//!
//! ```text
//! const char *k = "https://h.example/2026/"
//!                 "tide-tables.html";
//! ```
//!
//! A run ends at the `"` that closes the first string. The second string begins the next line, so
//! both quotes and everything between them decode to nothing. The `;` after the last string shows
//! a language in which these are one string.

use std::ops::Range;

use super::escape::Escape;
use crate::bytes::limits::{BREAK_BLANKS, JOIN_LINES_AFTER, LINE_START};
use crate::find::text::left::Markers;
use crate::find::text::lines::{after_break, is_blank, is_break, line_end, line_start};
use crate::find::text::view::View;
use crate::find::text::window::JoinWindow;
use crate::find::text::words;

/// The bytes that close a string.
pub(super) const QUOTES: &[u8] = b"\"'";

/// The marker of a message of a PO file that is no longer used.
const OBSOLETE: &[u8] = b"#~ ";

/// The maximum length of the letters before the quote of a literal.
const LITERAL: usize = 2;

/// The operators that join two strings, the longer ones first.
const OPERATORS: [&[u8]; 9] = [b"++", b"..", b"<>", b"||", b"+", b".", b"&", b"~", b"^"];

/// Reads the quote at `at` that closes a string, if another string continues it on the next line.
/// In a TXT record, the other string may follow on the same line. The escape includes both quotes.
pub(super) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    let next = text.byte(at + 1)?;
    // Nearly every quote has other bytes after it.
    if !may_join(next) || is_blank(next) && !may_join(text.byte(at + 2)?) && !QUOTES.contains(&text[at + 2]) {
        return None;
    }
    let quote = text[at];
    let mut after = skip_operator(text, at + 1);
    // a macro of C continues its line with `\`
    after.at += usize::from(text.byte(after.at) == Some(b'\\'));
    let here = text.byte(after.at)?;
    let next = match is_break(here) {
        true => opened_below(text, at, after.at, quote)?,
        false if here == quote && after.at > at + 1 && !after.has_operator => after,
        false => return None,
    };
    let is_same_line = !is_break(here);
    let begins = next.at + 1;
    let end = string_end(text, begins, quote)?;
    if !continues(text, begins) || names_value(text, end) || !is_open(text, at, quote, is_same_line) {
        return None;
    }
    let has_operator = after.has_operator || next.has_operator;
    let is_cut = b"/-?&=".contains(&text[at - 1]) && may_end_url(&text[begins..end]);
    let is_certain = is_same_line || has_operator || is_cut;
    let escape = Escape::of(None, begins - at);
    Some(if is_certain || shows_language(text, at, begins, quote) { escape } else { escape.doubtful() })
}

/// Returns whether this byte may stand between two strings that are one.
#[inline]
pub(crate) fn may_join(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\\' | b'+' | b'.' | b'<' | b'|' | b'&' | b'~' | b'^')
}

/// A place after blanks, and whether an operator stands before it.
#[derive(Clone, Copy)]
struct AfterOperator {
    at: usize,
    has_operator: bool,
}

/// Skips blanks, an operator, and blanks.
fn skip_operator(text: &View<'_>, from: usize) -> AfterOperator {
    let skip_blanks = |from| text.stretch(from, from + BREAK_BLANKS, is_blank);
    let at = skip_blanks(from);
    let may_begin = |byte| OPERATORS.iter().any(|operator| operator[0] == byte);
    let mut operators = OPERATORS.into_iter().filter(|_| text.byte(at).is_some_and(may_begin));
    let operator = operators.find(|operator| text.has(at, operator));
    let after = operator.map_or(at, |operator| skip_blanks(at + operator.len()));
    AfterOperator { at: after, has_operator: operator.is_some() }
}

/// Returns the place of the quote that opens a string on the line below the break at `line_end`.
fn opened_below(text: &View<'_>, at: usize, line_break: usize, quote: u8) -> Option<AfterOperator> {
    let line = after_break(text, line_break);
    let line = if text.has(line, OBSOLETE) { line + OBSOLETE.len() } else { line };
    let end = line_end(text, line, line + LINE_START);
    let content = Markers::of_line(text, at).content(text, line, end);
    let next = skip_operator(text, if content.surplus { line } else { content.unglued });
    // `L"…"` of C, `rb"…"` of Python
    let at = text.stretch(next.at, next.at + LITERAL, |byte| byte.is_ascii_alphanumeric());
    (text.byte(at) == Some(quote)).then_some(AfterOperator { at, ..next })
}

/// Returns whether a URL may continue at `at`, the first byte of a string.
fn continues(text: &View<'_>, at: usize) -> bool {
    let may_continue = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>`{}|^\\".contains(&byte);
    text.byte(at).is_some_and(may_continue) && !text.has_k(at, b"://")
}

/// Returns the end of the string that begins at `from`, if it ends on its line.
fn string_end(text: &View<'_>, from: usize, quote: u8) -> Option<usize> {
    /// The maximum length of a string.
    const LONGEST: usize = 512;
    let end = text.stretch(from, from + LONGEST, |byte| byte != quote && !is_break(byte));
    (text.byte(end) == Some(quote)).then_some(end)
}

/// Returns whether a string that ends at `end` names a value, or is the left side of a table.
fn names_value(text: &View<'_>, end: usize) -> bool {
    let after = text.stretch(end + 1, end + 1 + BREAK_BLANKS, is_blank);
    matches!(text.byte(after), Some(b'=' | b':'))
}

/// Returns whether a string may begin with the rest of a URL. It is then one token, or its first
/// token has the shape of such a rest.
fn may_end_url(string: &[u8]) -> bool {
    let token = string.iter().position(u8::is_ascii_whitespace).map_or(string, |blank| &string[..blank]);
    token.len() == string.len() || words::has_url_shape(token)
}

/// Returns whether a string is open before `at` on its line. The string must not be a field of a
/// record. If `is_txt` is true, the type of a TXT record stands before the strings of the line.
fn is_open(text: &View<'_>, at: usize, quote: u8, is_txt: bool) -> bool {
    let Some(line) = line_start(text, at) else { return false };
    let before = &text[line..at];
    let mut quotes = memchr::memchr_iter(quote, before);
    let Some(first) = quotes.next() else { return false };
    let last = memchr::memrchr(quote, before).unwrap_or(first);
    let is_field = before[..last].last().is_some_and(|byte| b",;\t".contains(byte));
    let is_odd = quotes.count().is_multiple_of(2);
    let has_type = || before[..first].trim_ascii_end().ends_with(b"TXT");
    is_odd && !is_field && (!is_txt || has_type())
}

/// Returns whether the text shows a language that joins such strings. In PO, a keyword stands
/// before them. In C and Python, `;`, `,` or `)` follows the last one.
fn shows_language(text: &View<'_>, at: usize, begins: usize, quote: u8) -> bool {
    is_message(text, at) || ends_expression(text, at, begins, quote)
}

/// Returns whether the strings around `at` are a message of a PO file.
fn is_message(text: &View<'_>, at: usize) -> bool {
    let window = JoinWindow::new(text, at.saturating_sub(LINE_START), at);
    let own = window.line_start(at);
    let is_keyword = |line: &[u8]| line.strip_prefix(OBSOLETE).unwrap_or(line).trim_ascii_start().starts_with(b"msg");
    let is_string = |line: &[u8]| line.strip_prefix(OBSOLETE).unwrap_or(line).trim_ascii_start().starts_with(b"\"");
    if is_keyword(&text[own..at]) {
        return true;
    }
    let mut above = window.lines_before(own).map(|line| &text[line]);
    is_string(&text[own..at]) && above.find(|line| !is_string(line)).is_some_and(is_keyword)
}

/// Returns whether the end of an expression follows the last of the strings. `at` is the end of the
/// first string, and `begins` the start of the second.
fn ends_expression(text: &View<'_>, at: usize, begins: usize, quote: u8) -> bool {
    let mut from = begins;
    for _ in 0..JOIN_LINES_AFTER {
        let Some(end) = string_end(text, from, quote) else { return false };
        let after = text.stretch(end + 1, end + 1 + BREAK_BLANKS, is_blank);
        match text.byte(after) {
            Some(byte) if is_break(byte) => {
                let line = after_break(text, after);
                let next = text.stretch(line, line + BREAK_BLANKS, is_blank);
                if text.byte(next) != Some(quote) {
                    return false;
                }
                from = next + 1;
            }
            Some(b';') => return true,
            Some(b',') => return text.byte(after + 1).is_some_and(|byte| is_blank(byte) || is_break(byte)),
            Some(b'.' | b'%') => {
                return text.byte(after + 1).is_some_and(|byte| byte.is_ascii_lowercase() || byte == b' ');
            }
            Some(b')') => return opens_call(text, at, quote),
            _ => return false,
        }
    }
    false
}

/// Returns whether the strings stand in the parentheses of a call, or of an expression of Python.
/// The arrays of shells and the lists of Lisp have no commas either.
fn opens_call(text: &View<'_>, at: usize, quote: u8) -> bool {
    let window = JoinWindow::new(text, at.saturating_sub(LINE_START), at);
    let before_string = |line: &Range<usize>| {
        let line = &text[line.clone()];
        memchr::memchr(quote, line).map_or(line, |first| &line[..first]).trim_ascii_end()
    };
    let own = window.line_start(at);
    let lines = std::iter::once(own..at).chain(window.lines_before(own));
    let before = lines.map(|line| before_string(&line).to_vec()).find(|before| !before.is_empty());
    before.is_some_and(|before| before.ends_with(b"(") && !before.ends_with(b"=(") && !before.ends_with(b"'("))
}

//! B-JOIN-SCREEN: lines that a screen filled to its last column.

use super::breaks::Break;
use super::facts::Fact;
use super::{facts, tokens, veto};
use crate::bytes::limits::SCREEN_COLUMNS;
use crate::find::end::run as raw_run;
use crate::find::end::trim;
use crate::find::text::left::Content;

/// The minimum width of a screen.
const NARROWEST: usize = SCREEN_COLUMNS;
/// The widths at which mailers also break lines. At these widths, the card decides better whether a
/// following word belongs to the URL.
const MAIL: std::ops::RangeInclusive<usize> = 60..=80;

/// The verdict of the columns on a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Screen {
    /// The columns decide nothing.
    Silent,
    /// The URL continues.
    Continues,
    /// The URL ended at the last column, or a word follows that may be the rest of the URL.
    Ends,
}

/// Returns the verdict of the columns on a break.
pub(super) fn weigh(broken: &Break<'_>) -> Screen {
    let Break { window, url, ref sides, closed, .. } = *broken;
    // A line of several full rows is as wide as they are together (B-JOIN-ROWS).
    let of_row = |width: usize| match url.screen.columns {
        Some(columns) if width > columns && width.is_multiple_of(columns) => columns,
        _ => width,
    };
    let width = of_row(broken.width());
    let was_as_wide = url.broken.clone().is_some_and(|line| of_row(window.width(line)) == width);
    let is_told = url.screen.columns == Some(width);
    if width < NARROWEST || !was_as_wide && !is_told && url.broken.is_some() {
        return Screen::Silent;
    }
    let next = window.width(url.next.clone());
    let is_filled = sides.rest.is_empty() && next == width;
    if !was_as_wide && !is_told {
        return if is_filled && continues_below(broken) { Screen::Continues } else { Screen::Silent };
    }
    if is_filled {
        return Screen::Continues;
    }
    let is_rest = sides.alone && next <= width;
    if closed && !is_rest {
        return Screen::Silent;
    }
    let is_choice = starts_choice(sides.raw);
    let is_text = !is_rest || is_word(sides.tok) || is_choice;
    let is_other = broken.facts().has(Fact::Other);
    let is_of_screen = url.screen.is_framed || is_told || !MAIL.contains(&width);
    match is_text || is_other {
        false => Screen::Continues,
        true if is_of_screen || is_choice || is_text && url.breaks > 1 => Screen::Ends,
        true => Screen::Silent,
    }
}

/// Returns whether the line below the next line holds only one run, at the same depth and
/// indentation. This line must be no wider than the broken line. The run must hold a letter or
/// digit. It must not be a word, and must begin with neither a URL nor a bracket.
fn continues_below(broken: &Break<'_>) -> bool {
    let Break { window, url, content: Content { depth, .. }, .. } = *broken;
    let (markers, next) = (url.markers, &url.next);
    let Some(line) = window.lines_after(next.end).next() else { return false };
    let [own, content] = [next, &line].map(|line| (line.start, markers.content(window.text, line.start, line.end)));
    let indent = |(line, content): (usize, Content)| window.indent(line, content.at);
    let from = content.1.at;
    if from >= line.end || content.1.surplus || content.1.depth != depth || indent(own) != indent(content) {
        return false;
    }
    let end = raw_run::run_on(window.text, from, line.end, url.state());
    let raw = &window.text[from..end];
    let tok = &raw[..trim::token_len(raw)];
    let is_alone = tokens::is_closing_only(&window.text[end..line.end]);
    let is_inside = tok.iter().any(u8::is_ascii_alphanumeric) && !is_word(tok) && !veto::begins_url(raw);
    is_alone && is_inside && !starts_choice(raw) && window.width(line) <= broken.width()
}

/// Matches an opening bracket, as a choice like `[y/N]` has.
fn starts_choice(raw: &[u8]) -> bool {
    matches!(raw, [b'(' | b'[' | b'{', ..])
}

/// Matches a word with the capitals of a sentence: `done`, `Done`, `OK`.
fn is_word(tok: &[u8]) -> bool {
    let rest = tok.get(1..).unwrap_or_default();
    let is_alike = rest.iter().all(u8::is_ascii_lowercase) || tok.iter().all(u8::is_ascii_uppercase);
    facts::is_word(tok) && is_alike
}

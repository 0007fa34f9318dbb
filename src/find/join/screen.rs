//! B-JOIN-SCREEN: lines that a screen filled to its last column.

use super::facts::{Fact, Sides};
use super::line::JoinWindow;
use super::page::Broken;
use super::{facts, tokens, veto};
use crate::find::options::OnScreen;
use crate::find::run::{self as raw_run, RunState};
use crate::find::trim;
use std::ops::Range;

/// No screen is narrower.
const NARROWEST: usize = 20;
/// Mailers break at these columns, too: the card says more of what follows there.
const MAIL: std::ops::RangeInclusive<usize> = 60..=80;

/// The verdict of the columns on a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Screen {
    /// They say nothing.
    Silent,
    /// The URL continues.
    Continues,
    /// The URL ended at the last column, or a word follows that may be the rest of it.
    Ends,
}

/// The earlier breaks of the URL, before this one.
pub(super) struct EarlierBreaks<'p> {
    /// The line broken before this one, as far as it was kept.
    pub(super) broken: Option<Range<usize>>,
    /// How many of the breaks before stand at the column of the first one.
    pub(super) breaks: usize,
    pub(super) screen: OnScreen,
    /// The bracket or quote before the URL closes behind the run: the card says more.
    pub(super) is_closed: bool,
    /// The brackets that the URL left open.
    pub(super) state: &'p dyn Fn() -> RunState,
}

/// Returns what the columns say of a break.
pub(super) fn weigh(broken: &Broken<'_>, before: &EarlierBreaks<'_>, sides: &Sides<'_>) -> Screen {
    let Broken { window, width, alone, .. } = *broken;
    let was_as_wide = before.broken.clone().is_some_and(|line| window.width(line) == width);
    let is_told = before.screen.columns == Some(width);
    if width < NARROWEST || !was_as_wide && !is_told && before.broken.is_some() {
        return Screen::Silent;
    }
    let next = window.width(broken.next.clone());
    let is_filled = sides.rest.is_empty() && next == width;
    if !was_as_wide && !is_told {
        return if is_filled && continues_below(broken, before, width) { Screen::Continues } else { Screen::Silent };
    }
    if is_filled {
        return Screen::Continues;
    }
    let is_rest = alone && next <= width;
    if before.is_closed && !is_rest {
        return Screen::Silent;
    }
    let is_choice = starts_choice(sides.raw);
    let is_text = !is_rest || is_word(sides.tok) || is_choice;
    let is_other = sides.facts().has(Fact::Other);
    let is_of_screen = before.screen.is_framed || is_told || !MAIL.contains(&width);
    match is_text || is_other {
        false => Screen::Continues,
        true if is_of_screen || is_choice || is_text && before.breaks > 1 => Screen::Ends,
        true => Screen::Silent,
    }
}

/// Returns whether the line below the next one holds one run alone, at the same indentation. The
/// run is no word, and no wider than the next line.
fn continues_below(broken: &Broken<'_>, before: &EarlierBreaks<'_>, width: usize) -> bool {
    let Broken { window, markers, ref next, depth, .. } = *broken;
    let Some(line) = window.lines_after(next.end).next() else { return false };
    let [own, content] = [next, &line].map(|line| (line.start, markers.content(window.text, line.start, line.end)));
    let indent = |(line, content): (usize, crate::find::left::Content)| window.indent(line, content.at);
    let from = content.1.at;
    if from >= line.end || content.1.surplus || content.1.depth != depth || indent(own) != indent(content) {
        return false;
    }
    let end = raw_run::run_on(window.text, from, line.end, (before.state)());
    let raw = &window.text[from..end];
    let tok = &raw[..trim::token_len(raw)];
    let is_alone = tokens::is_closing_only(&window.text[end..line.end]);
    let is_inside = tok.iter().any(u8::is_ascii_alphanumeric) && !is_word(tok) && !veto::begins_url(raw);
    is_alone && is_inside && !starts_choice(raw) && width_of(window, &line) <= width
}

fn width_of(window: &JoinWindow<'_>, line: &Range<usize>) -> usize {
    window.width(line.clone())
}

/// Matches `[y/N]` and the like.
fn starts_choice(raw: &[u8]) -> bool {
    matches!(raw, [b'(' | b'[' | b'{', ..])
}

/// Matches a word as sentences have it: `done`, `Done`, `OK`.
fn is_word(tok: &[u8]) -> bool {
    let rest = tok.get(1..).unwrap_or_default();
    let is_alike = rest.iter().all(u8::is_ascii_lowercase) || tok.iter().all(u8::is_ascii_uppercase);
    facts::is_word(tok) && is_alike
}

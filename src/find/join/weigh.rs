//! The verdict on one break: the next line (B-JOIN-N), decisions without the card, the vetoes, and
//! the sum of the card (B-JOIN-CARD).
//!
//! [`next_break`] makes the cheap tests first, because it refuses nearly every line:
//!
//! 1. The next line has content, and a run begins there (B-JOIN-N).
//! 2. A few breaks need no card (`decide`).
//! 3. A veto refuses the break (`veto`).
//! 4. The card sums the facts. The page is measured only if its width could change the verdict,
//!    because that reads up to 24 lines. If the margin cut the line, its table counts as well.
//! 5. A query on the next line, or the columns of a screen, may overrule the card (B-JOIN-QUERY,
//!    B-JOIN-SCREEN).
//! 6. A command before the URL bounds the sum (B-JOIN-CAP).
//!
//! # Example
//!
//! ```text
//! The drawings are at http://mill.example.org/cellar/drawings/second-bridge/
//! north-wall.html and in the office.
//! ```
//!
//! 1. The head ends in `/`, and the next line begins with the run `north-wall.html`. More text
//!    follows it.
//! 2. No veto applies: the next line is no URL, label, list item or code.
//! 3. The break does not stand between two letters or digits, so the table `MARK` applies. Its base
//!    is -2.
//! 4. The broken line has 74 columns (Column +4). The run ends in an extension (File +3), and would
//!    not have fitted (Overflow +3). It has a part that is typical of URLs (Some +2). Text follows
//!    it (Text -1).
//! 5. The sum is 9, and a strong join needs 5. So the joined reading comes first.

use super::breaks::Break;
use super::card::{self, Card};
use super::chain::Chain;
use super::facts::{Fact, Facts, Sides};
use super::screen::{self, Screen};
use super::table::{NoJoin, reached, refuse};
use super::{facts, soft, tokens, veto};
use super::{margin, page};
use crate::find::end::run as raw_run;
use crate::find::end::trim;
use crate::find::text::left::Content;
use crate::find::text::lines::is_blank;
use crate::find::text::window::{JoinWindow, trim_end};
use std::cell::OnceCell;
use std::ops::Range;

/// The confidence in a joined reading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Strength {
    /// B-JOIN-FAIR: the joined reading is an alternative.
    Fair,
    /// B-JOIN-STRONG: the joined reading comes first.
    Strong,
}

/// A break at which the lines may be joined.
pub(super) struct Step {
    /// The id of the rule that decided.
    pub(super) rule: &'static str,
    /// The sum of the card. It is [`card::STRONG`] or [`card::FAIR`] if a rule decides without the
    /// card.
    score: i32,
    /// The facts of the card and their weights, if someone asks for them.
    pub(super) facts: Vec<(&'static str, i32)>,
    /// The end of the piece before the break.
    pub(super) cut: usize,
    /// The raw run on the next line.
    pub(super) piece: Range<usize>,
    /// The line before the break fills the screen, but the next line does not look like the URL's
    /// rest (B-JOIN-SCREEN).
    pub(super) ends_screen: bool,
}

impl Step {
    /// Returns the strength of a join at the first break of a URL.
    pub(super) fn strength(&self) -> Result<Strength, NoJoin> {
        match self.score {
            card::STRONG.. => Ok(Strength::Strong),
            card::FAIR.. => Ok(Strength::Fair),
            _ => Err(NoJoin::Weak),
        }
    }

    /// Returns whether a chain continues with this break (B-JOIN-CHAIN).
    pub(super) fn continues(&self) -> bool {
        self.score >= card::CHAIN
    }

    /// Returns whether a chain that stops here may be half a URL (B-JOIN-CHAIN).
    pub(super) fn may_continue(&self) -> bool {
        self.score >= card::HALF
    }
}

/// Matches `( [ { " ' <` or a backtick right before the URL at `start`, or `( [ <` and one blank.
pub(super) fn opener(window: &JoinWindow<'_>, start: usize) -> Option<u8> {
    match window.text[window.low..start] {
        [.., open] if is_opener(open) => Some(open),
        [.., open @ (b'(' | b'[' | b'<'), b' '] => Some(open),
        _ => None,
    }
}

pub(super) fn is_opener(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b'{' | b'"' | b'\'' | b'<' | b'`')
}

/// Returns whether the closer of `opener` stands at the start of `rest`. One blank may stand before
/// it.
fn closes(opener: u8, rest: &[u8]) -> bool {
    let closers: &[u8] = match opener {
        b'(' => b")",
        b'[' => b"]",
        b'{' => b"}",
        b'<' => b">",
        b'`' => b"'`",
        b'"' => b"\"",
        _ => b"'",
    };
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    rest.first().is_some_and(|byte| closers.contains(byte))
}

/// Weighs the break after the last piece of `chain`.
pub(super) fn next_break(window: &JoinWindow<'_>, chain: &Chain<'_>) -> Result<Step, NoJoin> {
    let text = window.text;
    let next = chain.next.clone();
    let content = chain.markers.content(text, next.start, next.end);
    let head = &*chain.head;
    let last = *head.last().ok_or(NoJoin::Forbidden("B-JOIN-N-BLANK"))?;
    let from = content.at;
    let filled = OnceCell::new();
    let is_filled = || *filled.get_or_init(|| margin::is_filled(window, chain.start, &chain.line, &next));
    let completes_extension = || last == b'.' && is_lower_extension(&text[from..next.end]);
    refuse! {
        "B-JOIN-N-BLANK": from >= next.end;
        "B-JOIN-N-MARKER": content.surplus;
        "B-JOIN-N-COMMENT": content.is_code && !completes_extension() && !is_filled();
        "B-JOIN-N-STOP": raw_run::ends_every_run(text[from]);
    }
    // Brackets that the head leaves open may be closed here. B-RUN-1 applies to the joined text,
    // not to this piece.
    let end = raw_run::run_on(text, from, next.end, chain.state());
    refuse! {
        "B-JOIN-N-STOP": end == from; // an unmatched closer
    }
    let raw = &text[from..end];
    if let Some(decided) = decide(window, chain, &content, raw) {
        return decided;
    }
    let body = &head[chain.authority..];
    let tok = &raw[..trim::token_len(raw)];
    let rest = trim_end(&text[end..next.end]);
    let alone = tokens::is_closing_only(rest);
    let sides = Sides { head, body, raw, tok, rest, alone };
    let closed = chain.opener.is_some_and(|opener| closes(opener, rest));
    let broken = Break::new(window, chain, content, sides, closed, filled);
    veto::refuse(&broken)?;

    let is_as_wide = |before: Range<usize>| broken.width().abs_diff(window.width(before)) <= 1;
    let is_again = chain.broken.clone().is_some_and(is_as_wide) && (alone || broken.is_filled());
    let levels = if chain.broken.is_none() { [card::FAIR, card::STRONG] } else { [card::HALF, card::CHAIN] };
    let gain = if is_again { card::AGAIN } else { 0 };
    let score = sum(&broken, levels.map(|level| level - gain)) + gain;
    let screen = match screen::weigh(&broken) {
        Screen::Ends if broken.is_filled() => Screen::Silent, // the card decides in filled lines
        screen => screen,
    };
    let (rule, score) = match screen {
        _ if facts::holds_query(head, broken.sides.tok) => (reached("B-JOIN-QUERY"), score.max(card::STRONG)),
        Screen::Silent => (reached("B-JOIN-CARD"), score),
        Screen::Continues => (reached("B-JOIN-SCREEN"), score.max(card::STRONG)),
        Screen::Ends => (reached("B-JOIN-SCREEN"), score.min(card::CHAIN - 1)),
    };
    // The second line below is read only if it can change the verdict.
    if score >= levels[0] {
        refuse! { "B-JOIN-V-LIST": veto::is_files(&broken); }
    }
    let is_argument = || veto::ends_in_command(&text[two_lines(window, chain.start)..chain.start]);
    let is_typeset =
        || last == b'-' && broken.sides.in_authority() && page::is_typeset(window, &chain.line, &chain.next);
    let bound = match score >= card::STRONG {
        true if is_argument() => Some(reached("B-JOIN-CAP")),
        true if is_typeset() => Some(reached("B-JOIN-TYPESET")),
        _ => None,
    };
    let (rule, score) = bound.map_or((rule, score), |rule| (rule, card::STRONG - 1));
    let facts = if window.trace.is_some() { weights(&broken, gain) } else { Vec::new() };
    Ok(Step { rule, score, facts, cut: chain.end, piece: from..end, ends_screen: screen == Screen::Ends })
}

/// Returns the best sum of the tables that apply, or another sum that reaches the same `levels`.
fn sum(broken: &Break<'_>, levels: [i32; 2]) -> i32 {
    let card: &Card = if broken.sides.is_cut() { &card::CUT } else { &card::MARK };
    let facts = broken.facts().with(Fact::Column, broken.is_at_column());
    let sum = sum_of(card, broken, facts, levels);
    // A record only lowers the sum, and the lines around are read for it.
    let is_record = sum >= levels[0] && broken.begins_record();
    let sum = if is_record { sum_of(card, broken, facts.with(Fact::Record, true), levels) } else { sum };
    // The lines around are read last, because a filled line can only add to the sum.
    let filled = card::FILLED.sum(facts);
    if levels.map(|level| filled >= level && sum < level).contains(&true) && broken.is_filled() { filled } else { sum }
}

/// Returns the facts that apply, with the weights of the table that decides. Their sum is the one
/// that [`sum`] finds, or another one that reaches the same levels.
fn weights(broken: &Break<'_>, gain: i32) -> Vec<(&'static str, i32)> {
    let facts = broken.facts().with(Fact::Column, broken.is_at_column()).with(Fact::Record, broken.begins_record());
    let facts = facts.and(broken.certain_facts()).and(broken.page_facts());
    let plain: &Card = if broken.sides.is_cut() { &card::CUT } else { &card::MARK };
    let card = match broken.is_filled() && card::FILLED.sum(facts) > plain.sum(facts) {
        true => &card::FILLED,
        false => plain,
    };
    card.weights(facts).chain([(card::AGAIN_RULE, gain)]).filter(|&(_, weight)| weight != 0).collect()
}

/// Returns the sum of a table. The page is measured last, and only if its width decides, because
/// measuring reads up to 24 lines.
fn sum_of(card: &Card, broken: &Break<'_>, facts: Facts, levels: [i32; 2]) -> i32 {
    let certain = facts.and(broken.certain_facts());
    let sum = card.sum(certain);
    let (least, most) = card.spread(broken.open_facts());
    let level = |sum: i32| levels.map(|level| sum >= level);
    if level(sum + least) == level(sum + most) { sum + least } else { card.sum(facts.and(broken.page_facts())) }
}

/// Decides a break without the card, if quoted-printable or sendmail made it, or only a scheme
/// stands before it. Returns `None` for any other break.
fn decide(window: &JoinWindow<'_>, chain: &Chain<'_>, content: &Content, raw: &[u8]) -> Option<Result<Step, NoJoin>> {
    let head = &*chain.head;
    let last = head.last().copied()?;
    let column = chain.end - chain.line.start;
    let begins_url = || veto::begins_scheme(raw);
    let is_in_no_query = || {
        last == b'='
            && (70..=76).contains(&column)
            && memchr::memchr(b'?', head).is_none()
            && (raw[0].is_ascii_alphanumeric() || b"%/._-".contains(&raw[0]))
            && !begins_url()
    };
    let is_soft = || {
        last == b'='
            && (60..=80).contains(&column)
            && chain.broken.is_none()
            && !begins_url()
            && has_soft_breaks(window)
    };
    let is_cut_by_sendmail = || {
        last == b'!'
            && (980..=1000).contains(&column)
            && window.text[chain.next.start] == b' '
            && content.at == chain.next.start + 1
    };
    let is_parameter = || {
        let mark = if memchr::memchr(b'?', head).is_some() { b'&' } else { b'?' };
        let rest = trim_end(&window.text[content.at + raw.len()..chain.next.end]);
        let is_alone = || rest.is_empty() || rest.starts_with(b" HTTP/");
        raw[0] == mark && facts::starts_query(raw) && (is_blank(window.text[chain.next.start]) || is_alone())
    };
    let is_folded = || content.at == chain.next.start + 1 && margin::is_folded(window, &chain.line, &chain.next);
    let is_scheme = chain.authority == head.len();
    let piece = content.at..content.at + raw.len();
    let step = |id: &'static str, score: i32, cut: usize| {
        reached(id);
        Some(Ok(Step { rule: id, score, facts: Vec::new(), cut, piece: piece.clone(), ends_screen: false }))
    };
    let whole = |id: &'static str, is_whole: bool| {
        if is_whole { step(id, card::STRONG, chain.end) } else { Some(Err(NoJoin::Forbidden(id))) }
    };
    if is_in_no_query() {
        step("B-JOIN-Q2", card::STRONG, chain.end - 1)
    } else if is_soft() {
        step("B-JOIN-Q", card::FAIR, chain.end - 1)
    } else if is_cut_by_sendmail() {
        step("B-JOIN-S", card::STRONG, chain.end - 1)
    } else if is_parameter() {
        step("B-JOIN-PARAM", card::STRONG, chain.end)
    } else if is_folded() {
        step("B-JOIN-FOLD", card::STRONG, chain.end)
    } else if is_scheme && veto::is_bare_scheme(head) {
        whole("B-JOIN-V0A", begins_slashed_host(raw))
    } else if is_scheme && veto::is_bare_slashes(head) {
        whole("B-JOIN-V0B", begins_whole_host(raw))
    } else {
        None
    }
}

/// Matches a file extension in lower case: `.⏎aspx` continues even below a comment.
fn is_lower_extension(line: &[u8]) -> bool {
    facts::starts_extension(line) && facts::lead(line).iter().all(|byte| !byte.is_ascii_uppercase())
}

/// Returns whether the window shows quoted-printable text that was not decoded (B-JOIN-Q).
fn has_soft_breaks(window: &JoinWindow<'_>) -> bool {
    let found = soft::are_in(&window.text[window.low..]);
    if !found {
        window.touch();
    }
    found
}

/// Returns the start of the line before the line of `at`.
fn two_lines(window: &JoinWindow<'_>, at: usize) -> usize {
    let line = window.line_start(at);
    window.lines_before(line).next().map_or(line, |before| before.start)
}

/// Matches `//` and a dotted host (B-JOIN-V0A). At least one label after the first has two
/// characters or more.
fn begins_slashed_host(raw: &[u8]) -> bool {
    let Some(host) = raw.strip_prefix(b"//") else {
        return false;
    };
    let length = host.iter().take_while(|&&byte| tokens::is_host(byte)).count();
    host[..length]
        .split(|&byte| byte == b'.')
        .take_while(|label| !label.is_empty())
        .skip(1)
        .any(|label| label.len() > 1)
}

/// Returns whether `raw` begins with a host that has a lower-case top label (B-JOIN-V0B). One of
/// `: / ?` must follow the host. A `#` or the end may also follow, if B-END trims nothing.
fn begins_whole_host(raw: &[u8]) -> bool {
    let length = raw.iter().take_while(|&&byte| tokens::is_host(byte)).count();
    let host = &raw[..length];
    let Some(dot) = memchr::memrchr(b'.', host) else {
        return false;
    };
    let top = &host[dot + 1..];
    let after = raw.get(length);
    top.len() > 1
        && top.iter().all(u8::is_ascii_lowercase)
        && host[..dot].split(|&byte| byte == b'.').all(|label| !label.is_empty())
        && (matches!(after, Some(b':' | b'/' | b'?'))
            || matches!(after, None | Some(b'#')) && trim::token_len(raw) == raw.len())
}

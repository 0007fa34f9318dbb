//! One break, decided or scored: the next line (B-JOIN-N), what is decided without a score, the vetoes (B-JOIN-V) and
//! the points (B-JOIN-P).

use super::geometry::{self, Break};
use super::line::{JoinWindow, trim_end};
use super::soft;
use super::table::{NoJoin, all_rows, first_row, refuse};
use super::{ask, shape, tokens, veto, words};
use crate::find::left::{Content, Markers};
use crate::find::run::{self as raw_run, RunState};
use crate::find::trim;
use std::borrow::Cow;
use std::ops::Range;

/// The confidence in a joined reading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Strength {
    /// B-JOIN-FAIR, score >= 3: the joined reading is an alternative.
    Fair,
    /// B-JOIN-STRONG, score >= 6: the joined reading comes first.
    Strong,
}

/// The least score of a strong join, and of a fair one.
const STRONG: i32 = 6;
const FAIR: i32 = 3;
/// B-JOIN-CHAIN: after a strong join this is enough.
const GOES_ON: i32 = 4;

/// A strong chain ends behind a piece that is shorter (B-JOIN-CHAIN): nobody wraps so narrowly. No URL of the labels or corpora
/// is broken on both sides of so little.
const NARROWEST_PIECE: usize = 8;

/// A URL that may continue at the next line.
pub(super) struct Chain<'t> {
    /// Its start in the text.
    pub(super) start: usize,
    /// The URL so far.
    pub(super) head: Cow<'t, [u8]>,
    /// Offset of its authority in `head`.
    pub(super) authority: usize,
    /// The end of its last piece in the text.
    pub(super) end: usize,
    /// The line of that piece, and the one after it.
    pub(super) line: Range<usize>,
    pub(super) next: Range<usize>,
    /// The markers of its first line.
    pub(super) markers: &'t Markers,
    /// The bracket or quote right before it.
    pub(super) opener: Option<u8>,
    /// The line that was broken before this one, if there was one, as far as it was kept.
    pub(super) broken: Option<Range<usize>>,
}

impl Chain<'_> {
    /// Appends the piece of `step`; false if no line follows it.
    pub(super) fn append(&mut self, window: &JoinWindow<'_>, step: &Step) -> bool {
        let piece = &window.text[step.piece.clone()];
        let kept = self.head.len() - (self.end - step.cut);
        match &mut self.head {
            Cow::Borrowed(head) => {
                // Room for some more lines.
                let mut owned = Vec::with_capacity(4 * (kept + piece.len()));
                owned.extend_from_slice(&head[..kept]);
                owned.extend_from_slice(piece);
                self.head = Cow::Owned(owned);
            }
            Cow::Owned(head) => {
                head.truncate(kept);
                head.extend_from_slice(piece);
            }
        }
        self.end = step.piece.end;
        let Some((line_end, next)) = line_after(window, self.end) else { return false };
        self.broken = Some(self.line.start..step.cut);
        self.line = self.next.start..line_end;
        self.next = next;
        true
    }

    /// Returns whether the next line may close the brackets that the head leaves open.
    pub(super) fn next_line_may_close(&self, window: &JoinWindow<'_>) -> bool {
        self.state().may_be_closed_by(&window.text[self.next.clone()])
    }

    /// Returns what the head says about where a run may end.
    fn state(&self) -> RunState {
        let is_opaque = !self.head[..self.authority].ends_with(b"/");
        RunState::new(self.opener, is_opaque).after(&self.head[self.authority..])
    }
}

/// A break that may be mended.
pub(super) struct Step {
    /// [`FAIR`] or more.
    score: i32,
    /// The end of the piece before it.
    pub(super) cut: usize,
    /// The raw run on the next line.
    pub(super) piece: Range<usize>,
}

impl Step {
    pub(super) fn strength(&self) -> Strength {
        if self.score >= STRONG { Strength::Strong } else { Strength::Fair }
    }

    /// Returns whether a chain that began with a join of strength `first` continues with the step, after one that joined `last`
    /// (B-JOIN-CHAIN).
    pub(super) fn continues(&self, first: Strength, last: &Step) -> bool {
        first == Strength::Fair || self.score >= GOES_ON && last.piece.len() >= NARROWEST_PIECE
    }
}

/// Returns the end of the line of a run that ends at `end`, and the line after it, if only blanks stand between `end`
/// and the line break.
pub(super) fn line_after(window: &JoinWindow<'_>, end: usize) -> Option<(usize, Range<usize>)> {
    let rest = &window.text[end..];
    let Some(blanks) = rest.iter().position(|&byte| byte != b' ' && byte != b'\t') else {
        window.touch();
        return None;
    };
    if !matches!(rest[blanks], b'\r' | b'\n') {
        return None;
    }
    let line_end = end + blanks;
    let next = window.after_break(line_end);
    if next >= window.high() {
        window.touch();
        return None;
    }
    Some((line_end, next..window.line_end(next)))
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

/// Returns whether the closer of `opener` stands at the start of `rest`, one blank allowed.
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
pub(super) fn next_break(window: &JoinWindow<'_>, chain: &mut Chain<'_>) -> Result<Step, NoJoin> {
    let text = window.text;
    let next = chain.next.clone();
    let content = chain.markers.content(text, next.start, next.end);
    let head = &*chain.head;
    let last = *head.last().ok_or(NoJoin::Forbidden)?;

    let from = content.at;
    refuse! {
        "B-JOIN-N-MARKER": content.surplus;
        "B-JOIN-N-COMMENT": content.is_code;
        "B-JOIN-N-BLANK": from >= next.end;
        "B-JOIN-N-STOP": raw_run::ends_every_run(text[from]);
    }
    // The first veto before anything is measured; but what is decided without a score takes some such lines.
    let is_bare_slashes = chain.authority == head.len() && veto::is_bare_slashes(head);
    let begins_url = veto::begins_url(&text[from..next.end]);
    refuse! {
        "B-JOIN-V-URL": begins_url && !is_bare_slashes && last != b'!' && last != b'=';
    }
    // Brackets that the head leaves open may be closed here, and that is not yet asked: B-RUN-1 ends the joined text.
    let end = raw_run::run_on(text, from, next.end, chain.state());
    refuse! {
        "B-JOIN-N-STOP": end == from; // an unmatched closer
    }
    let raw = &text[from..end];
    let line = chain.line.clone();
    let column = chain.end - line.start;

    // Decided without a score
    let step = |score: i32, cut: usize| Ok(Step { score, cut, piece: from..end });
    let scheme = |is_whole: bool| if is_whole { step(STRONG, chain.end) } else { Err(NoJoin::Forbidden) };
    let is_at_equals = last == b'=' && (60..=80).contains(&column) && !veto::begins_scheme(raw);
    let is_in_no_query = is_at_equals
        && (70..=76).contains(&column)
        && memchr::memchr(b'?', head).is_none()
        && (raw[0].is_ascii_alphanumeric() || b"%/._-".contains(&raw[0]));
    let is_cut_by_sendmail =
        last == b'!' && (980..=1000).contains(&column) && text[next.start] == b' ' && from == next.start + 1;
    let is_bare_scheme = chain.authority == head.len() && veto::is_bare_scheme(head);
    first_row! {
        "B-JOIN-Q2": is_in_no_query => return step(STRONG, chain.end - 1);
        "B-JOIN-Q": is_at_equals && has_soft_breaks(window) => return step(FAIR, chain.end - 1);
        "B-JOIN-S": is_cut_by_sendmail => return step(STRONG, chain.end - 1);
        "B-JOIN-V0A": is_bare_scheme => return scheme(begins_slashed_host(raw));
        "B-JOIN-V0B": is_bare_slashes => return scheme(begins_whole_host(raw));
        else "B-JOIN-P" => (); // the score decides
    }

    let tok = &raw[..trim::token_len(raw)];
    let tail = trim_end(&text[from + tok.len()..next.end]);
    let rest = trim_end(&text[end..next.end]);
    let alone = tokens::is_closing_only(rest);
    let closed = chain.opener.is_some_and(|opener| closes(opener, rest));
    refuse! {
        "B-JOIN-V-URL": begins_url;
        "B-JOIN-V-MARKS": tok != b"/" && !tok.iter().any(u8::is_ascii_alphanumeric);
        "B-JOIN-V-LABEL": veto::is_label(raw);
    }
    let asked = ask::ask(head, chain.authority, raw, tok).ok_or(NoJoin::Forbidden)?; // B-JOIN-V-ASK
    let is_closed_in_query = || closed && memchr::memchr(b'?', head).is_some();
    // `- ` and `+ ` in column 1 are markers of a diff (W-PFX-5), but of lists too.
    let is_dashed = || matches!(text[next.start], b'-' | b'+') && veto::is_list_item(&text[next.clone()]);
    let marks = &text[next.start..from];
    let is_starred = || marks.trim_ascii_end().ends_with(b"*") && geometry::is_in_starred_list(window, &line);
    let before = &text[window.low..chain.start];
    let is_closed_value = || closed && !raw.ends_with(b"=");
    let is_in_quotes = matches!(chain.opener, Some(b'"' | b'\'' | b'`'));
    let has_query_mark = || tok.iter().any(|byte| b"?&=%".contains(byte));
    refuse! {
        "B-JOIN-V-ADDRESS": asked < 3 && veto::is_address(tokens::without_last(tok, b'/')) && !is_closed_in_query();
        "B-JOIN-V-LIST": asked < 3 && (is_dashed() || veto::is_list_item(&text[from..next.end]));
        "B-JOIN-V-STARRED": asked < 3 && is_starred();
        "B-JOIN-V-SETTING": asked < 3 && veto::is_setting(raw) && veto::ends_in_name(before) && !is_closed_value();
        "B-JOIN-V-ASSIGNED": asked < 3 && raw.ends_with(b"=") && matches!(rest, [b'"' | b'\'', ..]);
        "B-JOIN-V-SCOPED": asked < 3 && veto::holds_scoped_name(raw);
        "B-JOIN-V-QUOTED": is_in_quotes && memchr::memchr2(b'\'', b'`', head).is_some();
        "B-JOIN-V-CAPTION": veto::leads_to_url(rest) && !has_query_mark();
        "B-JOIN-V-ROFF": veto::is_roff_request(&text[next.clone()]);
        "B-JOIN-V-DIRECTIVE": veto::is_directive(&text[content.unglued..next.end]);
        "B-JOIN-V-DIFFSTAT": veto::is_diffstat(rest);
        "B-JOIN-V-APT": raw[0].is_ascii_alphanumeric() && veto::ends_in_package_archive(head);
        "B-JOIN-V-DEFINE": last == b'/' && veto::is_define(raw);
    }

    let width = window.width(line.clone());
    let again = alone && chain.broken.clone().is_some_and(|before| width.abs_diff(window.width(before)) <= 1);
    let mut looks = shape::shape(tok, tail);
    if looks == 2 && asked == 1 && words::has_extension(tok) {
        looks = 3; // B-JOIN-U-FILE: a directory, and a file in it
    }
    if again && looks == 0 && tok[0].is_ascii_alphanumeric() {
        looks = 1; // B-JOIN-P-AGAIN
    }
    let is_closed_word = || closed && tok.iter().all(|&byte| tokens::is_name(byte));
    refuse! {
        "B-JOIN-V-LOOKS": looks == 0 && asked < 3 && !is_closed_word();
    }

    let boundary = !(last.is_ascii_alphanumeric() && raw[0].is_ascii_alphanumeric());
    let next_indent = window.indent(next.start, from);
    // A line that begins as this one does has the same markers, and stands as deep at least.
    let begins_alike = text[line.clone()].starts_with(&text[next.start..from]);
    debug_assert!(!begins_alike || next_indent <= own_indent(window, chain.markers, &line, &content));
    let is_deeper = !begins_alike && next_indent > own_indent(window, chain.markers, &line, &content);
    let depth = content.depth.cmp(&chain.markers.depth());
    let score = all_rows! {
        "B-JOIN-P-SHAPE": true => [0, 0, 2, 4][looks as usize];
        "B-JOIN-P-ASKED": true => asked;
        "B-JOIN-P-OPENER": chain.opener.is_some() => 3, if closed, else 1;
        "B-JOIN-P-CLOSED": closed && asked > 0 && looks < 2 && tok[0].is_ascii_lowercase() => 1;
        "B-JOIN-P-ALONE": alone => 2, if tok.len() >= 20, else 1; // no word has 20 bytes
        "B-JOIN-P-REST": !alone => rest_points(raw, rest, closed);
        "B-JOIN-P-OTHER-PATH": is_other_path(&head[chain.authority..], raw) => -5;
        "B-JOIN-P-INDENT": is_deeper && (looks < 2 || !boundary) => -2; // a hard cut never indents
        "B-JOIN-P-FILES": is_deeper && is_file_at(window, chain.markers, next.end, next_indent) => -3;
        "B-JOIN-P-DEPTH": depth.is_ne() => -1, if depth.is_lt(), else -3;
        "B-JOIN-P-AGAIN": again => 2;
    };
    // The widths come last: 24 lines around are read only where they decide.
    let score = if score + geometry::LEAST >= STRONG || score + geometry::MOST < FAIR {
        score
    } else {
        let here =
            Break { line: line.clone(), width, next: next.clone(), alone, raw: raw.len(), asked, looks, boundary };
        let outcome = |points: i32| [FAIR, GOES_ON, STRONG].map(|least| score + points >= least);
        score + here.points(window, |one, other| outcome(one) == outcome(other))
    };
    let is_argument = || asked < 3 && veto::ends_in_command(&text[two_lines(window, chain.start)..chain.start]);
    let is_strong = score >= STRONG;
    let is_in_authority = last == b'-' && ask::is_authority(&head[chain.authority..]);
    let is_typeset = || is_in_authority && geometry::is_typeset(window, &line, &next);
    first_row! {
        "B-JOIN-FAIR": score < FAIR => Err(NoJoin::Weak);
        "B-JOIN-CAP": is_strong && is_argument() => step(STRONG - 1, chain.end);
        "B-JOIN-TYPESET": is_strong && is_typeset() => step(STRONG - 1, chain.end);
        else "B-JOIN-STRONG" => step(score, chain.end);
    }
}

/// Returns whether the window shows quoted-printable that nobody decoded (B-JOIN-Q).
fn has_soft_breaks(window: &JoinWindow<'_>) -> bool {
    let found = soft::are_in(&window.text[window.low..]);
    if !found {
        window.touch();
    }
    found
}

/// Returns where the line before that of `at` begins.
fn two_lines(window: &JoinWindow<'_>, at: usize) -> usize {
    let line = window.line_start(at);
    window.lines_before(line).next().map_or(line, |before| before.start)
}

/// Returns where the content of the broken line `line` begins. A glued token counts on both lines or on none:
/// `"http://…` stands no deeper for its quote.
fn own_indent(window: &JoinWindow<'_>, markers: &Markers, line: &Range<usize>, next: &Content) -> usize {
    let own = markers.content(window.text, line.start, line.end);
    window.indent(line.start, if next.at == next.unglued { own.unglued } else { own.at })
}

/// Returns what follows a token that does not stand alone.
fn rest_points(raw: &[u8], rest: &[u8], closed: bool) -> i32 {
    const CLOSERS: &[u8] = b")]}\"'<>";
    let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
    let first = rest.first().copied().unwrap_or(b' ');
    let is_closed_within = || matches!(rest, [b')' | b']' | b'}', next, ..] if next.is_ascii_alphanumeric());
    first_row! {
        "B-JOIN-P-TABLE": spaces >= 3 || rest.get(spaces) == Some(&b'\t') => -4;
        "B-JOIN-P-GLUED": first != b' ' && !closed && !CLOSERS.contains(&first) => -1;
        "B-JOIN-P-CLOSER": matches!(raw, [.., b')' | b']']) || is_closed_within() => -3;
        else "B-JOIN-P-REST" => 0;
    }
}

/// Returns whether `raw` is another path on the host of `body`: its first segment, between slashes, is the head's.
fn is_other_path(body: &[u8], raw: &[u8]) -> bool {
    let segment = |path: &[u8]| Some(memchr::memchr(b'/', path.get(1..)?)? + 2);
    if raw[0] != b'/' {
        return false;
    }
    match (segment(raw), memchr::memchr(b'/', body)) {
        (Some(length), Some(path)) => body[path..].starts_with(&raw[..length]),
        _ => false,
    }
}

/// Returns whether the line after the break at `at` is a lone file name at the same indent.
fn is_file_at(window: &JoinWindow<'_>, markers: &Markers, at: usize, indent: usize) -> bool {
    let Some(Range { start: line, end }) = window.lines_after(at).next() else { return false };
    if line >= end {
        return false;
    }
    let content = markers.content(window.text, line, end);
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let Some(token) = window.text[content.at..end].split(is_white).find(|token| !token.is_empty()) else {
        return false;
    };
    !content.surplus
        && window.indent(line, content.at) == indent
        && words::has_extension(token)
        && !veto::begins_url(token)
}

/// Matches `//` and a dotted host (V0a): labels, of which one after the first has two characters or more.
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

/// Returns whether a host with a lower-case top label ends in `: / ? #`, or untrimmed (V0b).
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

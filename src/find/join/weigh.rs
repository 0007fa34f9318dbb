//! bjoin.md 1.1, 1.2 and 1.6: one break, decided or scored.

use super::geometry::{self, Break};
use super::line::{JoinWindow, trim_end};
use super::{SoftBreaks, Strength, ask, shape, trimmed, veto, words};
use crate::find::left::{self, Content, Markers};
use crate::find::run::{self, RunState};
use std::borrow::Cow;
use std::ops::Range;

/// A URL that may go on at the next line.
pub(super) struct Chain<'t> {
    /// The URL so far.
    pub(super) head: Cow<'t, [u8]>,
    /// Offset of its authority in `head`.
    pub(super) authority: usize,
    /// Where its last piece ends, in the text.
    pub(super) end: usize,
    /// Where the line of that piece ends, and the line after it.
    pub(super) line_end: usize,
    pub(super) next: Range<usize>,
    /// Those of its first line.
    pub(super) markers: &'t Markers,
    /// The bracket or quote right before it.
    pub(super) opener: Option<u8>,
    /// The width of the line that was broken before this one, if there was one.
    pub(super) broken_width: Option<usize>,
    pub(super) soft_breaks: &'t mut SoftBreaks,
}

impl Chain<'_> {
    /// Takes the piece of `step` in; false if no line follows it.
    pub(super) fn go_on(&mut self, window: &JoinWindow<'_>, step: &Step) -> bool {
        let piece = &window.text[step.piece.clone()];
        let kept = self.head.len() - (self.end - step.cut);
        match &mut self.head {
            Cow::Borrowed(head) => self.head = Cow::Owned([&head[..kept], piece].concat()),
            Cow::Owned(head) => {
                head.truncate(kept);
                head.extend_from_slice(piece);
            }
        }
        self.end = step.piece.end;
        let Some((line_end, next)) = line_after(window, self.end) else { return false };
        self.broken_width = Some(window.width(window.line_start(step.cut)..step.cut));
        (self.line_end, self.next) = (line_end, next);
        true
    }
}

/// A break that may be mended.
pub(super) struct Step {
    pub(super) strength: Strength,
    /// Where the piece before it ends.
    pub(super) cut: usize,
    /// The raw run on the next line.
    pub(super) piece: Range<usize>,
}

/// The end of the line of a run that ends at `end`, and the line after it, if only blanks stand between
/// `end` and the line break.
pub(super) fn line_after(window: &JoinWindow<'_>, end: usize) -> Option<(usize, Range<usize>)> {
    let rest = &window.text[end..];
    let blanks = rest.iter().position(|&byte| byte != b' ' && byte != b'\t')?;
    if !matches!(rest[blanks], b'\r' | b'\n') {
        return None;
    }
    let line_end = end + blanks;
    let next = window.after_break(line_end);
    (next < window.high()).then(|| (line_end, next..window.line_end(next)))
}

/// Whether the next line is blank, begins with a URL or is a line of prose, markers aside: most of the breaks that get
/// here, and decided before any marker is parsed.
///
/// On a list of URLs, one a line, this makes 19 ns of 95 a URL; of a URL above a line of prose it takes 180 ns of 260
/// (November 2026).
pub(super) fn is_hopeless(window: &JoinWindow<'_>, head: &[u8], authority: usize, next: Range<usize>) -> bool {
    let line = &window.text[next];
    let (Some(first), Some(last)) = (line.first(), head.last()) else { return true };
    // A line that begins with a letter begins with no marker but a word, and steps 1 to 4 take some such lines.
    first.is_ascii_alphabetic()
        && authority < head.len()
        && !needs_next_url(*last)
        && (is_prose(line, head, authority) || veto::begins_url(line))
}

/// Whether the line begins with a word of letters and goes on with another: U = 0, and no closer closes anything. Then
/// only A could join it.
fn is_prose(line: &[u8], head: &[u8], authority: usize) -> bool {
    let word = &line[..line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
    let mark = usize::from(matches!(line.get(word.len()), Some(b',' | b'.')));
    let (raw, rest) = line.split_at(word.len() + mark);
    let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
    blanks > 0
        && rest.get(blanks).is_some_and(u8::is_ascii_alphanumeric)
        && !matches!(word, b"README" | b"INDEX" | b"FAQ" | b"dnl" | b"REM" | b"rem" | b"C" | b"c")
        && ask::ask(head, authority, raw, word).is_none_or(|asked| asked < 3)
}

/// Whether a head that ends in `last` may be joined with a line that begins with a URL: steps 1 and 2 come
/// before the veto.
fn needs_next_url(last: u8) -> bool {
    last == b'!' || last == b'='
}

/// `( [ { " ' <` or a backtick right before the URL at `start`, or `( [ <` and one blank.
pub(super) fn opener(window: &JoinWindow<'_>, start: usize) -> Option<u8> {
    match window.text[window.low..start] {
        [.., open @ (b'(' | b'[' | b'{' | b'"' | b'\'' | b'<' | b'`')] => Some(open),
        [.., open @ (b'(' | b'[' | b'<'), b' '] => Some(open),
        _ => None,
    }
}

/// Whether the closer of `opener` stands at the start of `rest`, one blank allowed.
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

/// Weighs the break after the last piece of `chain`; `None` if it is none of the URL's.
pub(super) fn next_break(window: &JoinWindow<'_>, chain: &mut Chain<'_>) -> Option<Step> {
    let text = window.text;
    let head = &*chain.head;
    let (line_end, next) = (chain.line_end, chain.next.clone());

    // 1.1 The next line, its markers taken off
    let content = chain.markers.content(text, next.start, next.end);
    let from = content.at;
    if content.surplus || from >= next.end || run::ends_every_run(text[from]) {
        return None;
    }
    // Step 5's first veto before anything is measured; but steps 1, 2 and 4 take some such lines.
    let last = *head.last()?;
    let bare_slashes = chain.authority == head.len() && veto::is_bare_slashes(head);
    let begins_url = veto::begins_url(&text[from..next.end]);
    if begins_url && !bare_slashes && !needs_next_url(last) {
        return None;
    }

    let mut state = RunState::after(&head[chain.authority..]);
    let end = run::run_on(text, from, next.end, false, &mut state);
    if end == from {
        return None; // an unmatched closer
    }
    let raw = &text[from..end];
    let line = window.line_start(chain.end);
    let column = chain.end - line;
    let step = |strength: Strength, cut: usize| Some(Step { strength, cut, piece: from..end });

    // 1.2 Decided without a score
    // Q: a soft line break of quoted-printable that nobody decoded
    if last == b'='
        && (60..=80).contains(&column)
        && !veto::begins_scheme(raw)
        && chain.soft_breaks.are_in(text, window.low)
    {
        return step(Strength::Fair, chain.end - 1);
    }
    // S: sendmail cut a line of 990 bytes and wrote `!`, CRLF, blank
    if last == b'!' && (980..=1000).contains(&column) && text[next.start] == b' ' && from == next.start + 1 {
        return step(Strength::Strong, chain.end - 1);
    }
    // V0a, V0b: the scheme itself is broken
    if chain.authority == head.len() {
        if veto::is_bare_scheme(head) {
            return if begins_slashed_host(raw) { step(Strength::Strong, chain.end) } else { None };
        }
        if bare_slashes {
            return if begins_whole_host(raw) { step(Strength::Strong, chain.end) } else { None };
        }
    }

    let tok = &raw[..trimmed::trimmed(raw, None)];
    let tail = trim_end(&text[from + tok.len()..next.end]);
    let rest = trim_end(&text[end..next.end]);
    let alone = super::is_closing_only(rest);
    let closed = chain.opener.is_some_and(|opener| closes(opener, rest));
    // the remaining vetoes
    if begins_url || tok != b"/" && !tok.iter().any(u8::is_ascii_alphanumeric) || veto::is_label(raw) {
        return None;
    }
    let asked = ask::ask(head, chain.authority, raw, tok)?;
    if asked < 3 {
        let address = veto::is_address(trim_slashes(tok)) && !(closed && memchr::memchr(b'?', head).is_some());
        // `- ` and `+ ` in column 1 are markers of a diff (W-PFX-5), but of lists too.
        let dashed = matches!(text[next.start], b'-' | b'+') && veto::is_list_item(&text[next.clone()]);
        if address || dashed || veto::is_list_item(&text[from..next.end]) {
            return None;
        }
        let first = || &text[left::content_start(text, line, line_end).min(chain.end)..chain.end];
        if veto::is_setting(raw) && veto::is_url_setting(first()) {
            return None;
        }
    }
    if veto::leads_to_url(rest) && !tok.iter().any(|byte| matches!(byte, b'?' | b'&' | b'=' | b'%')) {
        return None;
    }

    // U, and its exceptions: a directory and a file in it; a third line after two that are equally full
    let mut looks = shape::shape(tok, tail);
    if looks == 2 && asked == 1 && words::has_extension(tok) {
        looks = 3;
    }
    let width = window.width(line..line_end);
    let again = alone && chain.broken_width.is_some_and(|before| width.abs_diff(before) <= 1);
    if again && looks == 0 && tok[0].is_ascii_alphanumeric() {
        looks = 1;
    }
    if looks == 0 && asked < 3 && !(closed && tok.iter().all(|&byte| super::is_name(byte))) {
        return None;
    }

    // 1.6 The score
    let boundary = !(last.is_ascii_alphanumeric() && raw[0].is_ascii_alphanumeric());
    let mut score = [0, 0, 2, 4][looks as usize] + asked;
    if chain.opener.is_some() {
        score += if closed { 3 } else { 1 };
        if closed && asked > 0 && looks < 2 && tok[0].is_ascii_lowercase() {
            score += 1;
        }
    }
    score += if alone { alone_points(tok) } else { rest_points(raw, rest, closed) };
    if is_other_path(&head[chain.authority..], raw) {
        score -= 5;
    }
    let next_indent = window.indent(next.start, from);
    if next_indent > 0 && next_indent > own_indent(window, chain, line..line_end, &content) {
        if looks < 2 || !boundary {
            score -= 2; // a hard cut never indents
        }
        if is_file_at(window, chain.markers, next.end, next_indent) {
            score -= 3; // a directory and the files in it
        }
    }
    score -= match content.depth.cmp(&chain.markers.depth()) {
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 3,
    };
    if again {
        score += 2;
    }
    // The widths come last: 24 lines around are read only where they decide.
    let strength = if Strength::of(score + geometry::LEAST) == Strength::of(score + geometry::MOST) {
        Strength::of(score)
    } else {
        let here = Break { line: line..line_end, width, next, alone, raw: raw.len(), asked, looks, boundary };
        Strength::of(score + here.points(window))
    };
    step(strength?, chain.end)
}

/// Where the content of the broken line `line` begins. A glued token counts on both lines or on none: `"http://…`
/// stands no deeper for its quote.
fn own_indent(window: &JoinWindow<'_>, chain: &Chain<'_>, line: Range<usize>, next: &Content) -> usize {
    let own = chain.markers.content(window.text, line.start, line.end);
    window.indent(line.start, if next.at == next.unglued { own.unglued } else { own.at })
}

/// The token stands alone on its line; no word has 20 bytes.
fn alone_points(tok: &[u8]) -> i32 {
    if tok.len() >= 20 { 2 } else { 1 }
}

/// What follows a token that does not stand alone.
fn rest_points(raw: &[u8], rest: &[u8], closed: bool) -> i32 {
    const CLOSERS: &[u8] = b")]}\"'<>";
    let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
    let first = rest.first().copied().unwrap_or(b' ');
    if spaces >= 3 || rest.get(spaces) == Some(&b'\t') {
        -4 // a table
    } else if first != b' ' && !closed && !CLOSERS.contains(&first) {
        -1
    } else if matches!(raw, [.., b')' | b']'])
        || matches!(rest, [b')' | b']' | b'}', next, ..] if next.is_ascii_alphanumeric())
    {
        -3
    } else {
        0
    }
}

/// Whether `raw` is another path on the host of `body`: its first segment, between slashes, is the head's.
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

/// Whether the line after the break at `at` is a lone file name at the same indent.
fn is_file_at(window: &JoinWindow<'_>, markers: &Markers, at: usize, indent: usize) -> bool {
    if at >= window.high() {
        return false;
    }
    let line = window.after_break(at);
    let end = window.line_end(line);
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

/// `//` and a dotted host (V0a): labels, of which one after the first has two characters or more.
fn begins_slashed_host(raw: &[u8]) -> bool {
    let Some(host) = raw.strip_prefix(b"//") else {
        return false;
    };
    let length = host.iter().take_while(|&&byte| is_host(byte)).count();
    host[..length]
        .split(|&byte| byte == b'.')
        .take_while(|label| !label.is_empty())
        .skip(1)
        .any(|label| label.len() > 1)
}

/// A host with a lower-case top label, that ends in `: / ? #` or untrimmed (V0b).
fn begins_whole_host(raw: &[u8]) -> bool {
    let length = raw.iter().take_while(|&&byte| is_host(byte)).count();
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
            || matches!(after, None | Some(b'#')) && trimmed::trimmed(raw, None) == raw.len())
}

fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-'
}

fn trim_slashes(tok: &[u8]) -> &[u8] {
    &tok[..tok.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1)]
}

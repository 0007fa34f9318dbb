//! How far the bytes of a URL run: B-RUN-1, B-LIST, B-UNI-1.
//!
//! A *run* is the raw stretch of bytes that could belong to the URL; B-END (`trim`) trims the rest.
//! Both are pure functions of the bytes, so they serve the source and a joined text alike (B-HYPH,
//! B-JOIN). A run is read once, left to right, and trimmed once, right to left.

use crate::bytes::limits::{BRACKET_BYTES, MARKUP_NAME, SCHEME_BYTES};
use crate::find::escapes::entity;
use crate::find::view::View;
use crate::find::{beyond, join, schemes, sheet, stops};

/// Byte classes of a run after the authority (B-RUN-1). `0` runs on.
pub(crate) const PLAIN: u8 = 0;
/// Ends every run: white space, controls, `< > " ` `` ` `` `\ ^ |`.
pub(crate) const STOP: u8 = 1;
pub(crate) const OPENER: u8 = 2;
pub(crate) const CLOSER: u8 = 3;
/// `,` and `;`, which may part a list (B-LIST); `[` may too.
pub(crate) const COMMA: u8 = 4;
/// `?` and `#`, after which nothing is a list.
pub(crate) const QUERY: u8 = 5;
/// `@`, which ends the run before `{`.
pub(crate) const AT: u8 = 6;
/// `'`, which closes a quotation.
pub(crate) const QUOTE: u8 = 7;
/// `&`, with which escaped markup begins.
pub(crate) const AMPERSAND: u8 = 8;
const HIGH: u8 = 9;

pub(crate) static CLASS: [u8; 256] = {
    let mut class = [PLAIN; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            byte if stops::is_stop(byte) => STOP,
            b'(' | b'[' | b'{' => OPENER,
            b')' | b']' | b'}' => CLOSER,
            b',' | b';' => COMMA,
            b'?' | b'#' => QUERY,
            b'@' => AT,
            b'\'' => QUOTE,
            b'&' => AMPERSAND,
            0x80.. => HIGH,
            _ => PLAIN,
        };
        b += 1;
    }
    class
};

/// Returns whether a byte ends every run, whatever came before (B-RUN-1). `@{` is the one stop of
/// two bytes.
pub(crate) fn is_hard_stop(text: &[u8], at: usize) -> bool {
    match CLASS[text[at] as usize] {
        STOP => true,
        AT => text.get(at + 1) == Some(&b'{'),
        _ => false,
    }
}

/// Returns the first hard stop in `text[from..to]`.
pub(crate) fn hard_stop(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..to)?.iter().position(|&b| matches!(CLASS[b as usize], STOP | AT))?;
        if is_hard_stop(text, at) {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns whether a line cannot continue with a URL at this byte: a stop, or one beyond ASCII
/// (B-JOIN 1.1).
pub(crate) fn ends_every_run(b: u8) -> bool {
    matches!(CLASS[b as usize], STOP | HIGH)
}

/// The state of a run: the byte before it, and what its bytes so far say about its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunState {
    /// The quotation mark right before the URL.
    quote: Option<u8>,
    /// It is that of mailto or news without `//`, which a `[` ends.
    opaque: bool,
    /// Open brackets, each kind counted on its own (B-RUN-1).
    open: [u32; 3],
    /// The number of `(` that were open before the first that is open and stands right after a file
    /// extension.
    before_extension: Option<u32>,
    /// A `?` or `#` was met: nothing is a list any more (B-LIST).
    in_query: bool,
    /// It is that of a file on a drive, in which a `\` parts folders (B-RUN-1).
    pub(crate) reads_backslash: bool,
    /// Each comma ends it, or one before a name and `=` (B-SHEET).
    in_sheet: bool,
    is_named: bool,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunEnd {
    pub(crate) end: usize,
    /// The end without those of B-RUN-1 at brackets that the run does not close.
    pub(crate) full_end: usize,
    /// The first character reference in a quoted URL (B-ENT).
    pub(crate) reference: Option<usize>,
}

/// Returns `(`, `[` and `{` are counted apart.
pub(crate) fn bracket_kind(b: u8) -> usize {
    match b {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

impl RunState {
    /// Returns the state before a URL without its scheme; `before` is the byte right before the
    /// URL.
    pub(crate) fn new(before: Option<u8>, opaque: bool) -> RunState {
        let quote = before.filter(|&before| matches!(before, b'"' | b'\''));
        RunState { quote, opaque, ..RunState::default() }
    }

    /// Returns the state in which each comma ends the run, or those that part named fields.
    pub(crate) fn with_fields(self, in_sheet: bool, is_named: bool) -> RunState {
        RunState { in_sheet, is_named, ..self }
    }

    /// Returns whether a new field begins behind the comma or semicolon at `at` (B-SHEET).
    fn ends_field(&self, view: &View<'_>, at: usize) -> bool {
        view[at] == b',' && (self.in_sheet || self.is_named && sheet::begins_field(view, at + 1))
    }

    /// Returns how many parentheses are open.
    pub(crate) fn open_parentheses(&self) -> u32 {
        self.open[bracket_kind(b'(')]
    }

    /// Returns whether a `?` or `#` was met.
    pub(crate) fn is_in_query(&self) -> bool {
        self.in_query
    }

    /// Returns the state after `body`, a URL without its scheme.
    pub(crate) fn after(self, body: &[u8]) -> RunState {
        let (mut state, mut rest) = (self, body);
        while let Some(at) = rest.iter().position(|&b| CLASS[b as usize] != PLAIN) {
            state.admits(rest[at]);
            rest = &rest[at + 1..];
        }
        state
    }

    /// Takes `b` in. False if it is a closer that has no opener in the run.
    pub(crate) fn admits(&mut self, b: u8) -> bool {
        match CLASS[b as usize] {
            OPENER => self.open[bracket_kind(b)] += 1,
            CLOSER => {
                let count = &mut self.open[bracket_kind(b)];
                let matched = *count > 0;
                *count -= u32::from(matched);
                return matched;
            }
            QUERY => self.in_query = true,
            _ => {}
        }
        true
    }

    /// Returns whether a line may close the brackets that the run leaves open: `[`, else `{`, else
    /// a parenthesis.
    pub(crate) fn may_be_closed_by(&self, line: &[u8]) -> bool {
        let pairs = [(b'[', b']'), (b'{', b'}')];
        let Some((opener, closer)) = pairs.into_iter().find(|&(opener, _)| self.open[bracket_kind(opener)] > 0) else {
            return memchr::memchr(b')', line).is_some();
        };
        let mut open = self.open[bracket_kind(opener)];
        memchr::memchr2_iter(opener, closer, line).any(|at| {
            open = if line[at] == opener { open + 1 } else { open - 1 };
            open == 0
        })
    }

    /// Returns whether a `'` ends the run: it closes the quotation that the URL is.
    pub(crate) fn is_in_quotes(&self) -> bool {
        self.quote == Some(b'\'')
    }

    /// Returns whether a bracket is open that ends the run unless it is closed. Such are `[`, `{`,
    /// and a `(` right after a common file extension. The byte at `at` was added last.
    fn needs_closer(&mut self, text: &[u8], at: usize) -> bool {
        let [parens, squares, braces] = self.open;
        match self.before_extension {
            Some(before) if parens <= before => self.before_extension = None,
            None if text[at] == b'(' && join::has_extension(&text[..at]) => self.before_extension = Some(parens - 1),
            _ => {}
        }
        squares > 0 || braces > 0 || self.before_extension.is_some()
    }
}

/// Returns the end of a run that continues at `from`, after the authority, at most `limit`. It
/// ignores the ends of B-RUN-1 at brackets that the run does not close. `state` is that of the
/// bytes before.
pub(crate) fn run_on(line: &[u8], from: usize, limit: usize, state: RunState) -> usize {
    read(&View::whole(line), from, limit, state, false).full_end
}

/// Reads a run on behind its authority, at most up to `limit` (B-RUN-1, B-LIST). With `letters`,
/// those beyond ASCII belong to it, and signs between them (B-UNI-1).
#[inline(always)]
pub(crate) fn read(view: &View<'_>, from: usize, limit: usize, mut state: RunState, letters: bool) -> RunEnd {
    let text = view.text();
    let limit = limit.min(text.len());
    let mut at = from;
    // The first of the brackets that need a closer, and how far the closer is looked for.
    let mut unclosed = None;
    let mut reach = limit;
    // Escaped markup in a URL that may be quoted, and the bracket that was not closed there.
    let mut markup: Option<(usize, Option<usize>)> = None;
    loop {
        // A letter of several bytes may have stepped over `reach`.
        let Some(plain) = text[at.min(reach)..reach].iter().position(|&b| CLASS[b as usize] != PLAIN) else {
            at = reach;
            break;
        };
        at += plain;
        let b = text[at];
        let ends = match CLASS[b as usize] {
            STOP => !(state.reads_backslash && b == b'\\'),
            HIGH => match letters.then(|| beyond::length(view, at, limit)).flatten() {
                Some(len) => {
                    at += len;
                    continue;
                }
                None => true,
            },
            AT => view.byte(at + 1) == Some(b'{'),
            QUOTE if state.is_in_quotes() && is_doubled(view, at) => {
                at += 2;
                continue;
            }
            QUOTE => state.is_in_quotes(),
            AMPERSAND if begins_markup(view, at) => {
                markup = markup.or(Some((at, unclosed)));
                state.quote.is_none()
            }
            AMPERSAND => false,
            QUERY => {
                state.in_query = true;
                false
            }
            _ if !state.in_query && begins_list_item(view, at) => true,
            _ if unclosed.is_none() && ends_markup(view, at) => true,
            COMMA => state.ends_field(view, at),
            _ if state.opaque && ends_opaque(text, at) => true,
            _ => {
                let admitted = state.admits(b);
                if admitted {
                    unclosed = state.needs_closer(text, at).then_some(unclosed.unwrap_or(at));
                    reach = unclosed.map_or(limit, |opener| limit.min(opener + BRACKET_BYTES));
                }
                !admitted
            }
        };
        if ends {
            break;
        }
        at += 1;
    }
    if at == text.len() {
        view.touch();
    }
    let mut reference = None;
    if let Some(before_markup) = markup {
        let is_quoted = at < limit && state.quote.is_some() && text.get(at).copied() == state.quote;
        if is_quoted {
            reference = Some(before_markup.0);
        } else {
            (at, unclosed) = before_markup;
        }
    }
    at = before_closer(view, from, at);
    RunEnd { end: unclosed.unwrap_or(at), full_end: at, reference }
}

/// Returns where a run that ends at `at` ends if what closes something around the URL begins before
/// that: `E<gt>` of POD, `-->` (B-RUN-1).
pub(crate) fn before_closer(view: &View<'_>, from: usize, at: usize) -> usize {
    let run = &view[from..at];
    match (run, view.get(at)) {
        ([.., b'E'], Some(b'<')) => {
            let is_pod = [&b"<gt>"[..], b"<lt>", b"<sol>", b"<verbar>"].iter().any(|name| view.has(at, name));
            at - usize::from(is_pod)
        }
        ([.., b'-', b'-'], Some(b'>')) => at - run.iter().rev().take_while(|&&byte| byte == b'-').count(),
        _ => at,
    }
}

/// Returns whether a `,`, `;` or `[` stands at `at`, and a K scheme and `://`, or `mailto:`, after
/// it (B-LIST).
#[inline]
pub(crate) fn begins_list_item(view: &View<'_>, at: usize) -> bool {
    matches!(view[at], b',' | b';' | b'[')
        && view.byte(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic()) // seldom, and a call less
        && (view.has_k(at + 1, b"://") || has_mailto(view, at + 1))
}

/// Returns whether markup such as `[/url]` stands at `at`, which ends an element (B-RUN-1).
fn ends_markup(view: &View<'_>, at: usize) -> bool {
    if view[at] != b'[' || view.byte(at + 1) != Some(b'/') {
        return false;
    }
    let end = view.stretch(at + 2, at + 2 + MARKUP_NAME + 1, |byte| byte.is_ascii_alphanumeric());
    end > at + 2 && end <= at + 2 + MARKUP_NAME && view.byte(end) == Some(b']')
}

fn has_mailto(view: &View<'_>, at: usize) -> bool {
    let end = view.stretch(at, at + SCHEME_BYTES, |byte| byte.is_ascii_alphabetic());
    view[at..end].eq_ignore_ascii_case(b"mailto") && view.byte(end) == Some(b':')
}

/// Returns whether the `'` at `at` is doubled and the text continues: SQL's way to write one in a
/// string (B-RUN-1).
///
/// But not with a URL: then that one is quoted (`''http://h/''`). In `''news:''news:…` each run
/// would reach the end of all.
pub(crate) fn is_doubled(view: &View<'_>, at: usize) -> bool {
    let continues = |b: u8| !matches!(CLASS[b as usize], STOP | CLOSER | COMMA | QUOTE | HIGH);
    if view.byte(at + 1) != Some(b'\'') || !view.byte(at + 2).is_some_and(continues) {
        return false;
    }
    let word = view.stretch(at + 2, at + 2 + SCHEME_BYTES, schemes::is_scheme_byte);
    view.byte(word) != Some(b':')
}

/// Returns whether a character reference begins at the `&` at `at`: it ends the run, or is read
/// (B-RUN-1, B-ENT).
pub(crate) fn begins_markup(view: &View<'_>, at: usize) -> bool {
    entity::read(view, at).is_some()
}

/// Returns whether a `[` stands at `at` that ends a run of mailto or news. Any does, but for that
/// of a domain literal (B-RUN-1).
pub(crate) fn ends_opaque(text: &[u8], at: usize) -> bool {
    text[at] == b'[' && !text[..at].ends_with(b"@")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece<'t>(head: &str, text: &'t str) -> &'t str {
        let state = RunState::default().after(head.as_bytes());
        &text[..run_on(text.as_bytes(), 0, text.len(), state)]
    }

    /// Returns the run of a URL without its scheme, with `before` right before it. Also returns the
    /// rest that the ends at brackets cut off.
    fn ends(before: Option<u8>, opaque: bool, text: &str) -> (&str, &str) {
        let state = RunState::new(before, opaque);
        let RunEnd { end, full_end, .. } = read(&View::whole(text.as_bytes()), 0, text.len(), state, false);
        (&text[..end], &text[end..full_end])
    }

    #[test]
    fn ends_at_quotation_marks_and_markup() {
        let (single, double) = (Some(b'\''), Some(b'"'));
        for (before, text, expected) in [
            (None, "/a'b'", "/a'b'"),
            (single, "/a'b'", "/a"),
            (single, "/a''b'", "/a''b"),
            (single, "/a''news:b'", "/a"),
            (Some(b'`'), "/a'b", "/a'b"),
            (double, "/a'b\"", "/a'b"),
            (None, "/a&lt;b", "/a"),
            (None, "/a&#62;", "/a"),
            (None, "/a&lt=b&Lt;c&amp;d&e", "/a&lt=b&Lt;c&amp;d&e"),
            (None, "/a&amp;d&#39;e", "/a&amp;d"),
            (None, "/a&amp;gt;e", "/a"),
            (None, "/aE<gt>", "/a"),
            (None, "/aE<b>", "/aE"),
            (None, "/a-->", "/a"),
            (None, "/a->", "/a-"),
            (double, "/a&lt;b\"", "/a&lt;b"),
            (double, "/a&lt;b ", "/a"),
            (double, "/a&lt;b", "/a"),
            (double, "/a&lt;b'", "/a"),
            (single, "/a&lt;b'c", "/a&lt;b"),
            (single, "/a&lt;b\"", "/a"),
            (double, "/a[b&lt;c]d ", "/a"),
            (double, "/a[b&lt;c]d\"", "/a[b&lt;c]d"),
        ] {
            assert_eq!(ends(before, false, text).0, expected, "{before:?} {text}");
        }
    }

    /// Tests that the longest scheme is one, and a longer word is none.
    #[test]
    fn a_doubled_mark_before_a_url_ends_a_string() {
        for (word, expected) in [(SCHEME_BYTES, false), (SCHEME_BYTES + 1, true)] {
            let text = format!("''{}:b", "x".repeat(word));
            assert_eq!(is_doubled(&View::whole(text.as_bytes()), 0), expected, "{word}");
            let more = View::new(&text.as_bytes()[..2 + word], true);
            is_doubled(&more, 0);
            assert_eq!(more.is_touched(), !expected, "{word}");
        }
    }

    #[test]
    fn ends_at_brackets_that_it_does_not_close() {
        for (text, end, more) in [
            ("/a[b", "/a", "[b"),
            ("/a[b]c", "/a[b]c", ""),
            ("/a[b][c", "/a[b]", "[c"),
            ("/a[b[c]", "/a", "[b[c]"),
            ("/a.html(b", "/a.html", "(b"),
            ("/a.foo(b", "/a.foo(b", ""),
            ("/a(b.c(d)", "/a(b.c(d)", ""),
            ("/a.c((b)", "/a.c", "((b)"),
            ("/a.c(b[c)d", "/a.c", "(b[c)d"),
            ("/a.c(b[c)d]", "/a.c(b[c)d]", ""),
            ("/[a.c(b]d", "/", "[a.c(b]d"),
            ("/[a.c(]b[)c", "/", "[a.c(]b[)c"),
            ("/a{b", "/a", "{b"),
            ("/a{b}c", "/a{b}c", ""),
            ("/a{{b", "/a", "{{b"),
            ("/a[/b]", "/a", ""),
            ("/a?[/b]", "/a?", ""),
            ("/a[/]b", "/a[/]b", ""),
            ("/a[b)c]", "/a", "[b"),
        ] {
            assert_eq!(ends(None, false, text), (end, more), "{text}");
        }
        let (near, far) = ("x".repeat(BRACKET_BYTES - 2), "x".repeat(BRACKET_BYTES));
        assert_eq!(ends(None, false, &format!("/a[{near}]b")).1, "");
        assert_eq!(ends(None, false, &format!("/a[{far}]b")).0, "/a");
        for (text, end) in
            [("a.b[1]", "a.b"), ("a@[1.2.3.4]", "a@[1.2.3.4]"), ("a(b[1])", "a(b"), ("a@b,mailto:c", "a@b")]
        {
            assert_eq!(ends(None, true, text), (end, ""), "{text}");
        }
    }

    #[test]
    fn runs() {
        for (head, text, expected) in [
            ("", "abc def", "abc"),
            ("", "abc>", "abc"),
            ("", "a\u{7f}", "a"),
            ("", "aé", "a"),
            ("", "a)b", "a"),
            ("", "a(b)c)", "a(b)c"),
            ("h/(x", "y)z)", "y)z"),
            ("h/(x)", "y)", "y"),
            ("h/(x", "y]", "y"),
            ("", "a@{b", "a"),
            ("", "a@b", "a@b"),
            ("", "a,http://b", "a"),
            ("", "a;HTTPS://b", "a"),
            ("", "a[ftp://b]", "a"),
            ("", "a,https:b", "a,https:b"),
            ("", "a,foo://b", "a,foo://b"),
            ("", "a?b,http://c", "a?b,http://c"),
            ("h/?x", "a,http://b", "a,http://b"),
            ("", "", ""),
        ] {
            assert_eq!(piece(head, text), expected, "{head} {text}");
        }
    }
}

//! The run of a URL and its end: B-RUN-1, B-LIST, B-UNI-1.
//!
//! A *run* is the raw stretch of bytes that could belong to the URL. B-END (`trim`) trims its end.
//! Reading and trimming are pure functions of the bytes, so they apply to the source and to a
//! joined text (B-HYPH, B-JOIN). A run is read once, left to right, and trimmed once, right to
//! left.
//!
//! Each byte has a class ([`CLASS`]). A run skips plain bytes in a tight loop. At any other byte,
//! the [`RunState`] decides. It knows the open brackets, the quotation mark before the URL, and
//! whether a `?` was read. A closer ends the run only if no bracket of its kind is open. A
//! `[` or `{` that nothing closes ends the run where it stands, but only after the run was read. So
//! [`RunEnd`] holds both ends.
//!
//! # Example
//!
//! In `(http://h/a(b)c[d,http://i/)`, reading begins after the authority, at `/a`.
//!
//! 1. `(` opens a parenthesis and `)` closes it. `[` is open from here on.
//! 2. At `,`, a list item with a K scheme follows, so the run ends (B-LIST). `full_end` is there.
//! 3. The `[` was never closed, so `end` is the place of the `[`.
//!
//! The run is `/a(b)c`, and B-END trims nothing from it.

use crate::bytes::limits::{BRACKET_BYTES, MARKUP_NAME, SCHEME_BYTES};
use crate::find::end::{beyond, sheet};
use crate::find::schemes;
use crate::find::text::stops;
use crate::find::text::view::View;
use crate::find::text::{words, written};

/// Byte classes of a run after the authority (B-RUN-1). A run continues with a byte of class 0.
pub(crate) const PLAIN: u8 = 0;
/// Ends every run: white space, controls, `< > " ` `` ` `` `\ ^ |`.
pub(crate) const STOP: u8 = 1;
pub(crate) const OPENER: u8 = 2;
pub(crate) const CLOSER: u8 = 3;
/// `,` and `;`, which may separate the items of a list (B-LIST). `[` may, too.
pub(crate) const COMMA: u8 = 4;
/// `?` and `#`, after which there is no list.
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

/// Returns whether a URL cannot continue on a line that begins with this byte. Such a byte is a
/// stop, or not ASCII (B-JOIN 1.1).
pub(crate) fn ends_every_run(b: u8) -> bool {
    matches!(CLASS[b as usize], STOP | HIGH)
}

/// The state of a run: the byte before it, and the facts about its bytes that decide its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunState {
    /// The `"` or `'` right before the URL.
    quote: Option<u8>,
    /// The URL is of mailto, news, or another scheme of addresses, such as sip. A `[` ends its run,
    /// unless it begins a domain literal.
    opaque: bool,
    /// The number of open brackets of each kind (B-RUN-1).
    open: [u32; 3],
    /// Set while a `(` right after a file extension is open: the number of `(` that were open
    /// before it.
    before_extension: Option<u32>,
    /// A `?` or `#` was read, so no list follows (B-LIST).
    in_query: bool,
    /// The URL is a file on a drive, in whose path a `\` separates folders (B-RUN-1).
    pub(crate) reads_backslash: bool,
    /// Each comma ends the run (B-SHEET). If only `is_named` is true, a comma ends the run only
    /// before a name and `=`.
    in_sheet: bool,
    is_named: bool,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunEnd {
    pub(crate) end: usize,
    /// The end of the run without the rule that unclosed brackets end it (B-RUN-1).
    pub(crate) full_end: usize,
    /// The first character reference in a quoted URL (B-ENT).
    pub(crate) reference: Option<usize>,
}

/// Returns the kind of a bracket. `(`, `[` and `{` are counted separately.
pub(crate) fn bracket_kind(b: u8) -> usize {
    match b {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

impl RunState {
    /// Returns the state of a run at the start of a URL's body. `before` is the byte right before
    /// the URL.
    pub(crate) fn new(before: Option<u8>, opaque: bool) -> RunState {
        let quote = before.filter(|&before| matches!(before, b'"' | b'\''));
        RunState { quote, opaque, ..RunState::default() }
    }

    /// Returns the state with these rules for commas (B-SHEET).
    pub(crate) fn with_fields(self, in_sheet: bool, is_named: bool) -> RunState {
        RunState { in_sheet, is_named, ..self }
    }

    /// Returns whether the byte at `at` is a comma after which a new field begins (B-SHEET).
    fn ends_field(&self, view: &View<'_>, at: usize) -> bool {
        view[at] == b',' && (self.in_sheet || self.is_named && sheet::begins_field(view, at + 1))
    }

    /// Returns the number of open parentheses.
    pub(crate) fn open_parentheses(&self) -> u32 {
        self.open[bracket_kind(b'(')]
    }

    /// Returns whether a `?` or `#` was read.
    pub(crate) fn is_in_query(&self) -> bool {
        self.in_query
    }

    /// Returns the state after the run has continued with the bytes of `body`.
    pub(crate) fn after(self, body: &[u8]) -> RunState {
        let (mut state, mut rest) = (self, body);
        while let Some(at) = rest.iter().position(|&b| CLASS[b as usize] != PLAIN) {
            state.admits(rest[at]);
            rest = &rest[at + 1..];
        }
        state
    }

    /// Adds `b` to the run. Returns false if `b` is a closer without an opener in the run.
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

    /// Returns whether a line may close the brackets that the run leaves open. It tests one kind:
    /// `[`, else `{`, else parentheses.
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

    /// Returns whether a `'` ends the run, because it closes the quotation around the URL.
    pub(crate) fn is_in_quotes(&self) -> bool {
        self.quote == Some(b'\'')
    }

    /// Returns whether a bracket is open that ends the run if no closer follows. Such brackets are
    /// `[`, `{`, and a `(` right after a common file extension. The byte at `at` was added to the
    /// run last.
    fn needs_closer(&mut self, text: &[u8], at: usize) -> bool {
        let [parens, squares, braces] = self.open;
        match self.before_extension {
            Some(before) if parens <= before => self.before_extension = None,
            None if text[at] == b'(' && words::has_extension(&text[..at]) => self.before_extension = Some(parens - 1),
            _ => {}
        }
        squares > 0 || braces > 0 || self.before_extension.is_some()
    }
}

/// Returns the end, at most `limit`, of a run that continues at `from`, after the authority.
/// Unclosed brackets do not end the run (B-RUN-1). `state` is the state before `from`.
pub(crate) fn run_on(line: &[u8], from: usize, limit: usize, state: RunState) -> usize {
    read(&View::whole(line), from, limit, state, false).full_end
}

/// Reads the rest of a run after its authority, at most up to `limit` (B-RUN-1, B-LIST). If
/// `letters` is true, non-ASCII letters and the signs between them belong to the run (B-UNI-1).
#[inline(always)]
pub(crate) fn read(view: &View<'_>, from: usize, limit: usize, mut state: RunState, letters: bool) -> RunEnd {
    let text = view.text();
    let limit = limit.min(text.len());
    let mut at = from;
    // The first bracket that needs a closer, and the end of the search for the closer.
    let mut unclosed = None;
    let mut reach = limit;
    // The first escaped markup in a URL that may be quoted, and the bracket that was unclosed
    // there.
    let mut markup: Option<(usize, Option<usize>)> = None;
    loop {
        // A letter of several bytes may end after `reach`, so `at` may be beyond it.
        let Some(plain) = text[at.min(reach)..reach].iter().position(|&b| CLASS[b as usize] != PLAIN) else {
            at = reach;
            break;
        };
        at += plain;
        let b = text[at];
        if let Some(len) = expression_len(view, at) {
            at += len;
            continue;
        }
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
            COMMA => state.ends_field(view, at) || ends_directive(view, at),
            OPENER if view.has(at, b"{~}") => true,
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

/// The maximum length of the text in an expression.
const EXPRESSION: usize = 128;

/// Returns whether the byte at `at`, which ends a run, may belong to an expression.
pub(crate) fn may_be_in_expression(text: &[u8], at: usize) -> bool {
    let opened = text.len().min(at + b"{{".len());
    memchr::memmem::rfind(&text[at.saturating_sub(EXPRESSION + 3)..opened], b"${").is_some()
}

/// Returns the end of the expression that goes on at `at`, if any.
pub(crate) fn expression_end(view: &View<'_>, at: usize) -> Option<usize> {
    let from = at.saturating_sub(EXPRESSION + b"${{".len());
    let open = from + memchr::memmem::rfind(&view[from..at], b"${{")? + 1;
    let end = open + expression_len(view, open)?;
    (end > at).then_some(end)
}

/// Returns the length of `{{ … }}` after a `$`, an expression of a workflow (B-EXPRESSION).
pub(crate) fn expression_len(view: &View<'_>, at: usize) -> Option<usize> {
    if view[at] != b'{' || !view[..at].ends_with(b"$") || !view.has(at, b"{{") {
        return None;
    }
    let begin = at + b"{{".len();
    let end = view.stretch(begin, begin + EXPRESSION, |byte| !b"\r\n{}\"<>".contains(&byte));
    view.has(end, b"}}").then_some(end + b"}}".len() - at)
}

/// Returns the end of a run that stopped at `at`. If its last bytes begin a closer that ends there,
/// the run ends before that closer: `E<gt>` of POD, `-->` (B-RUN-1).
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

/// Returns whether a `,`, `;` or `[` stands at `at`, and a list item follows it. An item begins
/// with a K scheme and `://`, or with `mailto:` (B-LIST).
#[inline]
pub(crate) fn begins_list_item(view: &View<'_>, at: usize) -> bool {
    matches!(view[at], b',' | b';' | b'[')
        && view.byte(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic()) // seldom true, so this test saves calls
        && (view.has_k(at + 1, b"://") || has_mailto(view, at + 1))
}

/// Returns whether markup that ends an element, such as `[/url]`, stands at `at` (B-RUN-1).
fn ends_markup(view: &View<'_>, at: usize) -> bool {
    if view[at] != b'[' || view.byte(at + 1) != Some(b'/') {
        return false;
    }
    let end = view.stretch(at + 2, at + 2 + MARKUP_NAME + 1, |byte| byte.is_ascii_alphanumeric());
    end > at + 2 && end <= at + 2 + MARKUP_NAME && view.byte(end) == Some(b']')
}

/// Returns whether a `;` stands at `at`, and the next directive of a content security policy
/// follows it (B-LIST).
fn ends_directive(view: &View<'_>, at: usize) -> bool {
    /// The longest name is `require-trusted-types-for`.
    const LONGEST: usize = 32;
    if view[at] != b';' {
        return false;
    }
    let end = view.stretch(at + 1, at + 1 + LONGEST, |byte| byte.is_ascii_alphabetic() || byte == b'-');
    let name = view[at + 1..end].to_ascii_lowercase();
    let is_directive = |tail: &&str| name.len() > tail.len() && name.ends_with(tail.as_bytes());
    matches!(view.byte(end), Some(b' '))
        && ["-src", "-src-elem", "-src-attr", "-uri", "-to", "-action", "-ancestors"].iter().any(is_directive)
}

fn has_mailto(view: &View<'_>, at: usize) -> bool {
    let end = view.stretch(at, at + SCHEME_BYTES, |byte| byte.is_ascii_alphabetic());
    view[at..end].eq_ignore_ascii_case(b"mailto") && view.byte(end) == Some(b':')
}

/// Returns whether the `'` at `at` is doubled, and the URL continues after both. In a string, SQL
/// writes a `'` this way (B-RUN-1).
///
/// If a URL follows, that URL is quoted (`''http://h/''`), and the function returns false. Without
/// this exception, each run of `''news:''news:…` would reach the end of the text.
pub(crate) fn is_doubled(view: &View<'_>, at: usize) -> bool {
    let continues = |b: u8| !matches!(CLASS[b as usize], STOP | CLOSER | COMMA | QUOTE | HIGH);
    if view.byte(at + 1) != Some(b'\'') || !view.byte(at + 2).is_some_and(continues) {
        return false;
    }
    let word = view.stretch(at + 2, at + 2 + SCHEME_BYTES, schemes::is_scheme_byte);
    view.byte(word) != Some(b':')
}

/// Returns whether a character reference begins at the `&` at `at`. Such a reference ends the run,
/// or is decoded (B-RUN-1, B-ENT).
pub(crate) fn begins_markup(view: &View<'_>, at: usize) -> bool {
    written::begins_reference(view, at)
}

/// Returns whether the byte at `at` is a `[` that ends a run of an address or a news name. Every
/// `[` does, except the `[` of a domain literal (B-RUN-1).
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

    /// Returns the run of a URL without its scheme. `before` is the byte right before the URL. Also
    /// returns the part that an unclosed bracket cut off.
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

    /// A word of the maximum length is a scheme, and a longer word is not.
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

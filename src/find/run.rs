//! How far the bytes of a URL run: B-RUN-1, B-LIST, B-UNI-1.
//!
//! A *run* is the raw stretch of bytes that could belong to the URL; B-END (`trim`) takes from it what does not. Both are
//! pure functions of the bytes, so they serve the source and a joined text alike (B-HYPH, B-JOIN). A run is read once,
//! left to right, and trimmed once, right to left.

use crate::bytes::letters;
use crate::bytes::limits::{BRACKET_BYTES, SCHEME_BYTES};
use crate::find::{join, schemes};

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
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' | b'^' | b'|' => STOP,
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

/// True for a byte that ends every run, whatever came before (B-RUN-1). `@{` is the one stop of two bytes.
pub(crate) fn is_hard_stop(text: &[u8], at: usize) -> bool {
    match CLASS[text[at] as usize] {
        STOP => true,
        AT => text.get(at + 1) == Some(&b'{'),
        _ => false,
    }
}

/// The first hard stop in `text[from..to]`.
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

/// True for a byte at which a line cannot go on with a URL: a stop, or one beyond ASCII (B-JOIN 1.1).
pub(crate) fn ends_every_run(b: u8) -> bool {
    matches!(CLASS[b as usize], STOP | HIGH)
}

/// How many bytes at the beginning of `text` are plain for every run, and no colon.
pub(crate) fn plain_run(text: &[u8]) -> usize {
    text.iter().take_while(|&&b| CLASS[b as usize] == PLAIN && b != b':').count()
}

/// What stands before a run, and what its bytes so far say about where it may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunState {
    /// The quotation mark right before the URL.
    quote: Option<u8>,
    /// It is that of mailto or news without `//`, which a `[` ends.
    opaque: bool,
    /// Open brackets, each kind counted on its own (B-RUN-1).
    open: [u32; 3],
    /// How many `(` were open before the first that is open and stands right after a file extension.
    before_extension: Option<u32>,
    /// A `?` or `#` was met: nothing is a list any more (B-LIST).
    in_query: bool,
}

/// Where a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunEnd {
    pub(crate) end: usize,
    /// The same without the ends of B-RUN-1 at brackets that the run does not close.
    pub(crate) full_end: usize,
}

/// `(`, `[` and `{` are counted apart.
pub(crate) fn bracket_kind(b: u8) -> usize {
    match b {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

impl RunState {
    /// The state before a URL without its scheme; `before` is the byte right before the URL.
    pub(crate) fn new(before: Option<u8>, opaque: bool) -> RunState {
        let quote = before.filter(|&before| matches!(before, b'"' | b'\''));
        RunState { quote, opaque, ..RunState::default() }
    }

    /// The state after `body`, a URL without its scheme.
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

    /// False if the run ends at a bracket that it leaves open even if it goes on in this line: a `[` is not closed there, or,
    /// without one, no parenthesis is.
    pub(crate) fn may_be_closed_by(&self, line: &[u8]) -> bool {
        let mut squares = self.open[bracket_kind(b'[')];
        if squares == 0 {
            return memchr::memchr(b')', line).is_some();
        }
        memchr::memchr2_iter(b'[', b']', line).any(|at| {
            squares = if line[at] == b'[' { squares + 1 } else { squares - 1 };
            squares == 0
        })
    }

    /// True if a `'` ends the run: it closes the quotation that the URL is.
    pub(crate) fn is_in_quotes(&self) -> bool {
        self.quote == Some(b'\'')
    }

    /// True if a bracket is open before which the run ends if it is not closed: a `[`, or a `(` right after a known file
    /// extension. The byte at `at` was taken in last.
    fn needs_closer(&mut self, text: &[u8], at: usize) -> bool {
        let [parens, squares, _] = self.open;
        match self.before_extension {
            Some(before) if parens <= before => self.before_extension = None,
            None if text[at] == b'(' && join::has_extension(&text[..at]) => self.before_extension = Some(parens - 1),
            _ => {}
        }
        squares > 0 || self.before_extension.is_some()
    }
}

/// Where a run that goes on at `from`, after the authority, ends, without the ends of B-RUN-1 at brackets that it does not close:
/// at most at `limit`. `state` is that of what stands before; the one there comes with it.
pub(crate) fn run_on(text: &[u8], from: usize, limit: usize, state: RunState) -> (usize, RunState) {
    let mut reader = RunReader::new(from, state);
    reader.read(text, limit, limit, false);
    let end = reader.end(text, limit).full_end;
    // It may end before what was read on.
    let after = || state.after(&text[from..end]);
    let read = if end == reader.at { RunState { before_extension: None, ..reader.state } } else { after() };
    debug_assert_eq!(read, after());
    (end, read)
}

/// Reads a run after its authority (B-RUN-1, B-LIST).
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunReader {
    /// What stands before it belongs to the run.
    at: usize,
    state: RunState,
    /// The first of the brackets that need a closer.
    unclosed: Option<usize>,
    /// Escaped markup in a URL that may be quoted, and the bracket that was not closed there.
    markup: Option<(usize, Option<usize>)>,
}

impl RunReader {
    /// No byte is judged by what stands so far behind it.
    const AHEAD: usize = 3 * SCHEME_BYTES;

    #[inline(always)]
    pub(crate) fn new(from: usize, state: RunState) -> RunReader {
        RunReader { at: from, state, unclosed: None, markup: None }
    }

    /// Reads what stays as it is when a line is joined to the text, which may take its last byte off. False if that is nothing, or
    /// not even all of what stands before the reader.
    pub(crate) fn read_settled(&mut self, text: &[u8], iri: bool) -> bool {
        let settled = text.len().saturating_sub(Self::AHEAD);
        let is_any = self.at < settled;
        if is_any {
            self.read(text, text.len(), settled, iri);
        }
        is_any
    }

    /// Reads on to the end of the run, which is at most at `limit`. With `iri`, letters beyond ASCII belong to it (B-UNI-1).
    #[inline(always)]
    pub(crate) fn finish(mut self, text: &[u8], limit: usize, iri: bool) -> RunEnd {
        self.read(text, limit, limit, iri);
        self.end(text, limit)
    }

    /// The end of a run that was read up to it.
    #[inline(always)]
    fn end(&self, text: &[u8], limit: usize) -> RunEnd {
        let (mut full_end, mut unclosed) = (self.at, self.unclosed);
        if let Some(markup) = self.markup {
            let quote = self.state.quote;
            let is_quoted = full_end < limit && quote.is_some() && text.get(full_end).copied() == quote;
            if !is_quoted {
                (full_end, unclosed) = markup;
            }
        }
        RunEnd { end: unclosed.unwrap_or(full_end), full_end }
    }

    /// Reads on to the end of the run, or to `pause`, at most `limit`, where the run ends.
    fn read(&mut self, text: &[u8], limit: usize, pause: usize, iri: bool) {
        let RunReader { mut at, mut unclosed, .. } = *self;
        let state = &mut self.state;
        // How far the closer is looked for.
        let reach_of = |unclosed: Option<usize>| unclosed.map_or(limit, |opener| limit.min(opener + BRACKET_BYTES));
        let mut reach = reach_of(unclosed);
        loop {
            let to = reach.min(pause);
            // A letter of several bytes may have stepped over `reach`, or `pause`.
            let Some(plain) = text[at.min(to)..to].iter().position(|&b| CLASS[b as usize] != PLAIN) else {
                at = if to < reach { at.max(to) } else { reach };
                break;
            };
            at += plain;
            let b = text[at];
            let ends = match CLASS[b as usize] {
                STOP => true,
                HIGH => match letters::decode(text, at).filter(|(c, _)| iri && letters::is_letter(*c)) {
                    Some((_, len)) => {
                        at += len;
                        continue;
                    }
                    None => true,
                },
                AT => text.get(at + 1) == Some(&b'{'),
                QUOTE if state.is_in_quotes() && is_doubled(text, at) => {
                    at += 2;
                    continue;
                }
                QUOTE => state.is_in_quotes(),
                AMPERSAND if begins_markup(text, at) => {
                    self.markup = self.markup.or(Some((at, unclosed)));
                    state.quote.is_none()
                }
                AMPERSAND => false,
                QUERY => {
                    state.in_query = true;
                    false
                }
                _ if !state.in_query && begins_list_item(text, at) => true,
                COMMA => false,
                _ if state.opaque && ends_opaque(text, at) => true,
                _ => {
                    let admitted = state.admits(b);
                    if admitted {
                        unclosed = state.needs_closer(text, at).then_some(unclosed.unwrap_or(at));
                        reach = reach_of(unclosed);
                    }
                    !admitted
                }
            };
            if ends {
                break;
            }
            at += 1;
        }
        (self.at, self.unclosed) = (at, unclosed);
    }
}

/// B-LIST: true if a `,`, `;` or `[` stands at `at` and a K scheme and `://`, or `mailto:`, after it.
#[inline]
pub(crate) fn begins_list_item(text: &[u8], at: usize) -> bool {
    let rest = &text[at + 1..];
    matches!(text[at], b',' | b';' | b'[')
        && rest.first().is_some_and(u8::is_ascii_alphabetic) // seldom, and a call less
        && begins_item(rest)
}

/// By itself: inlined where runs are read it took 2% more of a text of joined lines.
fn begins_item(text: &[u8]) -> bool {
    schemes::starts_with_k(text, b"://") || schemes::starts_with_mailto(text)
}

/// True if the `'` at `at` is doubled and the text goes on: SQL's way to write one in a string (B-RUN-1).
///
/// But not with a URL: then that one is quoted (`''http://h/''`). In `''news:''news:…` each run would go on to the end of all.
pub(crate) fn is_doubled(text: &[u8], at: usize) -> bool {
    let goes_on = |b: &u8| !matches!(CLASS[*b as usize], STOP | CLOSER | COMMA | QUOTE | HIGH);
    let Some([b'\'', rest @ ..]) = text.get(at + 1..) else { return false };
    let word = rest.iter().take(SCHEME_BYTES + 1).take_while(|&&b| schemes::is_scheme_byte(b)).count();
    rest.first().is_some_and(goes_on) && rest.get(word) != Some(&b':')
}

/// True if markup that was escaped begins at the `&` at `at` (B-RUN-1).
pub(crate) fn begins_markup(text: &[u8], at: usize) -> bool {
    matches!(
        text[at + 1..],
        [b'l' | b'g', b't', b';', ..]
            | [b'q', b'u', b'o', b't', b';', ..]
            | [b'#', b'3', b'4', b';', ..]
            | [b'#', b'6', b'0' | b'2', b';', ..]
    )
}

/// True if a `[` stands at `at` that ends a run of mailto or news: any but the one of a domain literal (B-RUN-1).
pub(crate) fn ends_opaque(text: &[u8], at: usize) -> bool {
    text[at] == b'[' && !text[..at].ends_with(b"@")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece<'t>(head: &str, text: &'t str) -> &'t str {
        let state = RunState::default().after(head.as_bytes());
        &text[..run_on(text.as_bytes(), 0, text.len(), state).0]
    }

    /// The run of a URL without its scheme, with `before` right before it, and what more there is without the ends at
    /// brackets.
    fn ends(before: Option<u8>, opaque: bool, text: &str) -> (&str, &str) {
        let state = RunState::new(before, opaque);
        let RunEnd { end, full_end } = RunReader::new(0, state).finish(text.as_bytes(), text.len(), false);
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
            (None, "/a&lt=b&LT;c&amp;d&#39;e&", "/a&lt=b&LT;c&amp;d&#39;e&"),
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
            ("/a{b", "/a{b", ""),
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
    fn what_is_read_stays_when_more_is_joined() {
        const PARTS: [&str; 24] = [
            "aaaaaaaa", "/a.html", "-_-_-_-_", "b=c", "(", ")", "[", "]", "[a]", "(b)", "{", "}", ".c(", ",", ";", "?",
            "'", "''", "'a", "&", "&lt;", "@", "é", ";http:/",
        ];
        let mut random = fastrand::Rng::with_seed(808);
        let (mut settled, mut unclosed) = (0, 0);
        for _ in 0..20_000 {
            let state = RunState::new([None, Some(b'\''), Some(b'"')][random.usize(..3)], random.bool());
            let (iri, kinds) = (random.bool(), 4 + random.usize(..PARTS.len() - 4));
            let (mut text, mut reader) = (String::new(), RunReader::new(0, state));
            for _ in 0..6 {
                let some = random.usize(..60);
                text.extend((0..some).map(|_| PARTS[random.usize(..kinds)]));
                settled += usize::from(reader.read_settled(text.as_bytes(), iri));
                let bytes = text.as_bytes();
                let end = RunReader::new(0, state).finish(bytes, bytes.len(), iri);
                assert_eq!(reader.finish(bytes, bytes.len(), iri), end, "{text}");
                unclosed += usize::from(end.end < end.full_end && end.full_end == bytes.len());
                text.pop(); // B-JOIN-Q, B-JOIN-S
            }
        }
        assert!(settled > 10_000 && unclosed > 1_000, "{settled} {unclosed}");
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

//! How far the bytes of a URL run: B-RUN-1, B-LIST, B-UNI-1.
//!
//! A *run* is the raw stretch of bytes that could belong to the URL; B-END (`trim`) takes from it what does not. Both are
//! pure functions of the bytes, so they serve the source and a joined text alike (B-HYPH, B-JOIN). A run is read once,
//! left to right, and trimmed once, right to left.

use crate::bytes::letters;
use crate::find::schemes;

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
const HIGH: u8 = 7;

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

/// What the bytes of a run so far say about where it may end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunState {
    /// Open brackets, each kind counted on its own (B-RUN-1).
    open: [u32; 3],
    /// A `?` or `#` was met: nothing is a list any more (B-LIST).
    in_query: bool,
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
    /// The state after `body`, a URL without its scheme.
    pub(crate) fn after(body: &[u8]) -> RunState {
        let mut state = RunState::default();
        for &b in body {
            state.admits(b);
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
}

/// Where a run that goes on at `from`, after the authority, ends (B-RUN-1, B-LIST): at most at `limit`. With `iri`,
/// letters beyond ASCII belong to it (B-UNI-1).
pub(crate) fn run_on(text: &[u8], from: usize, limit: usize, iri: bool, state: &mut RunState) -> usize {
    let mut at = from;
    loop {
        at += text[at.min(limit)..limit].iter().take_while(|&&b| CLASS[b as usize] == PLAIN).count();
        if at >= limit {
            return limit; // a letter of several bytes may have stepped over it
        }
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
            _ => !state.in_query && begins_list_item(text, at) || !state.admits(b),
        };
        if ends {
            return at;
        }
        at += 1;
    }
}

/// B-LIST: true if a `,`, `;` or `[` stands at `at` and a K scheme and `://` after it.
pub(crate) fn begins_list_item(text: &[u8], at: usize) -> bool {
    matches!(text[at], b',' | b';' | b'[') && schemes::starts_with_k(&text[at + 1..], b"://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece<'t>(head: &str, text: &'t str) -> &'t str {
        &text[..run_on(text.as_bytes(), 0, text.len(), false, &mut RunState::after(head.as_bytes()))]
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

//! The start of a bare URL: B-START-1, and the prefix of P-FORM-1.

use std::ops::Range;

use crate::bytes::limits::SCHEME_RUN;
use crate::find::escapes::slashes;
use crate::find::schemes::{self, OpaqueForm};
use crate::find::view::View;
use crate::url::scheme::key_of;

/// Bytes behind a colon that show whether a form of B-OPAQUE may begin there.
pub(crate) const AHEAD: usize = 6;

/// Notes a look at the slashes behind a colon and the first byte of a host. They show whether a URL
/// may begin there.
pub(crate) fn look_ahead(text: &View<'_>, colon: usize) {
    let slashes = match text.get(colon + 1) {
        Some(b'\\' | b'&') => slashes::end(text, colon + 1),
        _ => Some(colon + AHEAD - 1),
    };
    if let Some(host) = slashes {
        text.upto(host + 1);
    }
}

/// The place where a URL may begin: the answer of B-START-1 for a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// First byte of the scheme.
    pub(crate) scheme: usize,
    /// The colon after the scheme.
    pub(crate) colon: usize,
    pub(crate) form: SchemeForm,
}

/// The form of a URL behind its scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeForm {
    /// `//` and an authority; for file, the host may be left out.
    Authority { file: bool },
    /// mailto, which has no `//` (B-START-3).
    Mailto,
    /// news, likewise.
    News,
    /// No scheme, and a host that begins where it would (B-WWW).
    #[cfg_attr(not(feature = "domain"), allow(dead_code, reason = "the Public Suffix List tells such names"))]
    Name,
    /// A scheme beyond K with a form of its own (B-OPAQUE).
    Opaque(OpaqueForm),
}

impl Start {
    /// Returns the first byte after `scheme://` or `scheme:`, from which brackets are counted
    /// (B-RUN-1).
    pub(crate) fn body(&self) -> usize {
        match self.form {
            SchemeForm::Authority { .. } => self.colon + 3,
            SchemeForm::Name => self.scheme,
            _ => self.colon + 1,
        }
    }

    /// Returns the start whose scheme stands before `colon`, from `scheme` on.
    pub(crate) fn new(text: &[u8], scheme: usize, colon: usize) -> Start {
        let form = match key_of(&text[scheme..colon]) {
            schemes::MAILTO => SchemeForm::Mailto,
            schemes::NEWS if !has_host(&text[colon + 1..]) => SchemeForm::News,
            key => SchemeForm::Authority { file: key == schemes::FILE },
        };
        Start { scheme, colon, form }
    }
}

/// Returns whether the form of a scheme of B-OPAQUE may begin behind a colon, by the next [`AHEAD`]
/// bytes.
fn begins(form: OpaqueForm, text: &[u8], colon: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric();
    match (form, &text[colon + 1..]) {
        (OpaqueForm::Magnet, rest) => rest.starts_with(b"?xt=") || rest.starts_with(b"?xt."),
        (OpaqueForm::Number, [b'+', digit, ..]) => digit.is_ascii_digit(),
        (OpaqueForm::Address, &[first, ..]) => is_word(first) || matches!(first, b'+' | b'_' | b'%'),
        (OpaqueForm::Place, [first, ..]) => first.is_ascii_digit() || *first == b'-',
        (OpaqueForm::File, &[b'/', _, b'|', ..]) => false, // the `|` ends every run
        (OpaqueForm::File, &[b'/', first, ..]) => {
            let before = (colon - b"file".len()).checked_sub(1).map(|at| text[at]);
            // `/^file:/.test(x)` is a regular expression.
            !matches!(before, Some(b'/' | b'^')) && (is_word(first) || matches!(first, b'.' | b'_' | b'~' | b'%'))
        }
        _ => false,
    }
}

/// Returns whether a text begins with a scheme of B-OPAQUE and its form.
pub(crate) fn begins_form(text: &[u8]) -> bool {
    /// `magnet`
    const LONGEST: usize = 6;
    let len = text.iter().take(LONGEST).take_while(|&&byte| byte.is_ascii_alphabetic()).count();
    text.get(len) == Some(&b':') && schemes::opaque_form(&text[..len]).is_some_and(|form| begins(form, text, len))
}

/// Returns whether such a URL may begin with the word before a colon.
pub(crate) fn is_form(text: &[u8], colon: usize) -> bool {
    schemes::opaque_form(&text[word_before(text, colon)]).is_some_and(|form| begins(form, text, colon))
}

/// The schemes whose URLs begin with another one, up to its `://` or `:/` (B-OPAQUE).
const OUTER: [&[u8]; 3] = [b"blob:", b"view-source:", b"jar:"];
/// The longest of them.
const LONGEST_OUTER: usize = b"view-source:".len();
/// So many of them may hold each other: `blob:blob:https://…`.
pub(crate) const MOST_OUTER: usize = 4;
/// The most bytes of all of them.
pub(crate) const OUTER_BYTES: usize = MOST_OUTER * LONGEST_OUTER;

/// Returns the scheme that holds the URL which begins at `at`, and where it begins.
pub(crate) fn outer_before(text: &[u8], at: usize) -> Option<(usize, &'static [u8])> {
    let before = &text[at.saturating_sub(LONGEST_OUTER)..at];
    let ends =
        |outer: &&[u8]| before.len() >= outer.len() && before[before.len() - outer.len()..].eq_ignore_ascii_case(outer);
    let outer = OUTER.into_iter().find(|outer| before.last() == Some(&b':') && ends(outer))?;
    let start = at - outer.len();
    let is_whole = start == 0 || !schemes::is_scheme_byte(text[start - 1]);
    is_whole.then_some((start, outer))
}

/// Returns where the schemes begin that hold the URL which begins at `at` (B-OPAQUE). `has_entry`
/// says whether `!/` follows.
pub(crate) fn outermost(text: &[u8], mut at: usize, has_entry: impl Fn() -> bool) -> usize {
    for _ in 0..MOST_OUTER {
        match outer_before(text, at) {
            Some((start, outer)) if outer != b"jar:" || has_entry() => at = start,
            _ => break,
        }
    }
    at
}

/// Returns where `www` or `ftp` begins before a dot, as a word (B-WWW).
pub(crate) fn www_before(text: &[u8], dot: usize) -> Option<usize> {
    let start = dot.checked_sub(3)?;
    let is_name = [b"www", b"ftp"].iter().any(|name| text[start..dot].eq_ignore_ascii_case(*name));
    let is_within = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"-_.@/:%&=?#~+$\\".contains(&byte);
    (is_name && !text[..start].last().is_some_and(|&byte| is_within(byte))).then_some(start)
}

/// Returns whether `//` follows the colon, or an escaped one (B-JSON, B-ENT).
#[inline(always)]
pub(crate) fn slashes_follow(text: &[u8], colon: usize) -> bool {
    match text.get(colon + 1) {
        Some(b'/') => text.get(colon + 2) == Some(&b'/'),
        Some(b'\\' | b'&') => slashes::end(&View::whole(text), colon + 1).is_some(),
        _ => false,
    }
}

/// Returns whether `//` follows the colon, or what may be an escaped one behind a `\`.
#[inline(always)]
pub(crate) fn slashes_may_follow(text: &[u8], colon: usize) -> bool {
    match text.get(colon + 1..colon + 3) {
        Some([b'/', b'/']) => true,
        Some([b'\\', next]) => matches!(next, b'/' | b'\\' | b'u' | b'x'),
        _ => false,
    }
}

/// Returns whether `//` and a letter or digit follow a colon: `news://` has an authority then
/// (B-NEWS).
fn has_host(rest: &[u8]) -> bool {
    let host = rest.strip_prefix(b"//").or_else(|| rest.strip_prefix(b"\\/\\/"));
    host.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns the run R of B-START-1: scheme characters before `colon`, at most 256, with leading
/// `+ - .`.
pub(crate) fn word_before(text: &[u8], colon: usize) -> Range<usize> {
    let from = colon.saturating_sub(SCHEME_RUN);
    let len = text[from..colon].iter().rev().take_while(|&&b| schemes::is_scheme_byte(b)).count();
    colon - len..colon
}

/// Returns whether a `=` stands before the scheme that ends at the colon at `colon`.
pub(crate) fn follows_equals(text: &[u8], colon: usize) -> bool {
    text[..word_before(text, colon).start].ends_with(b"=")
}

/// Returns R without its leading marks, and its part after the last `.` (B-START-1 a, b).
fn word_edges(text: &[u8], word: Range<usize>) -> [usize; 2] {
    let marks = text[word.clone()].iter().take_while(|&&b| !b.is_ascii_alphanumeric()).count();
    let first = word.start + marks;
    let last = text[first..word.end].iter().rposition(|&b| b == b'.').map_or(first, |dot| first + dot + 1);
    [first, last]
}

/// Returns whether `URL:` stands before `colon` as a whole word, and where its `U` is (P-FORM-1).
pub(crate) fn prefix_before(text: &[u8], colon: usize) -> Option<usize> {
    // Almost every colon fails here, before anything is read backwards.
    if colon < 3 || !text[colon - 3..colon].eq_ignore_ascii_case(b"URL") {
        return None;
    }
    if colon == 3 || !schemes::is_scheme_byte(text[colon - 4]) {
        return Some(colon - 3);
    }
    let word = word_before(text, colon);
    word_edges(text, word).into_iter().find(|&at| at + 3 == colon)
}

/// Returns the scheme that ends at `colon`, if a URL may begin there (B-START-1). `word` is what
/// [`word_before`] says.
///
/// `slashes`: assume that `//` follows, for a scheme that a line break separates from them (B-JOIN,
/// V0a). Only a scheme of K with `//` counts then.
pub(crate) fn start(text: &[u8], word: Range<usize>, colon: usize, any_scheme: bool, slashes: bool) -> Option<Start> {
    if word.is_empty() {
        return None; // `://` and nothing before
    }
    let slashes_follow = slashes || slashes_follow(text, colon);
    // Nearly always a scheme of K and nothing else: no marks, no dot.
    let name = &text[word.clone()];
    if slashes_follow && let Some(file) = schemes::is_slashed_file(name) {
        return Some(Start { scheme: word.start, colon, form: SchemeForm::Authority { file } });
    }
    let edges = word_edges(text, word.clone());
    // Without a dot the two are one.
    for &at in &edges[..if edges[0] == edges[1] { 1 } else { 2 }] {
        let name = &text[at..colon];
        if schemes::is_opaque(name) {
            if !slashes {
                return Some(Start::new(text, at, colon));
            }
        } else if !slashes_follow
            && let Some(form) = schemes::opaque_form(name).filter(|form| begins(*form, text, colon))
        {
            return Some(Start { scheme: at, colon, form: SchemeForm::Opaque(form) });
        } else if slashes_follow && if slashes { schemes::is_k(name) } else { schemes::is_known(name) } {
            return Some(Start::new(text, at, colon));
        }
    }
    if !slashes_follow {
        return None;
    }
    if any_scheme && !slashes && schemes::is_letter_led_word(&text[edges[0]..colon]) {
        return Some(Start::new(text, edges[0], colon));
    }
    let glued = schemes::k_suffix(&text[word])?;
    Some(Start::new(text, colon - glued, colon))
}

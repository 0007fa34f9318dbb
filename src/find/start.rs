//! Where a bare URL begins: B-START-1, and the prefix of P-FORM-1.

use std::ops::Range;

use crate::bytes::limits::SCHEME_RUN;
use crate::find::schemes;
use crate::url::scheme::key_of;

/// Bytes behind a colon that show whether a URL may begin there: `\/\/` and the first of a host.
pub(crate) const AHEAD: usize = 6;

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
}

impl Start {
    /// Returns the first byte after `scheme://` or `scheme:`, from which brackets are counted (B-RUN-1).
    pub(crate) fn body(&self) -> usize {
        self.colon + if matches!(self.form, SchemeForm::Authority { .. }) { 3 } else { 1 }
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

/// Returns whether `//` follows the colon, or `\/\/` (B-JSON).
#[inline(always)]
pub(crate) fn slashes_follow(text: &[u8], colon: usize) -> bool {
    let rest = &text[colon + 1..];
    match rest.first() {
        Some(b'/') => rest.get(1) == Some(&b'/'),
        Some(b'\\') => rest.starts_with(b"\\/\\/"),
        _ => false,
    }
}

/// Returns whether `//` and a letter or digit follow a colon: `news://` has an authority then (B-NEWS).
fn has_host(rest: &[u8]) -> bool {
    let host = rest.strip_prefix(b"//").or_else(|| rest.strip_prefix(b"\\/\\/"));
    host.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns the run R of B-START-1: scheme characters before `colon`, at most 256, with leading `+ - .`.
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

/// Returns the scheme that ends at `colon`, if a URL may begin there (B-START-1). `word` is what [`word_before`] says.
///
/// `slashes`: take `//` to follow, for a scheme that a line break parts from them (B-JOIN, V0a); then only a scheme
/// of K with `//` counts.
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

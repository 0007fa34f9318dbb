//! The start of a bare URL: B-START-1, and the prefix of P-FORM-1.

use std::ops::Range;

use crate::bytes::limits::{SCHEME_BYTES, SCHEME_RUN};
use crate::bytes::{letters, scripts};
use crate::find::schemes;
use crate::find::schemes::OpaqueForm;
use crate::find::text::view::View;
use crate::find::text::written;
use crate::url::scheme::key_of;

/// The number of bytes after a colon that show whether a form of B-OPAQUE may begin there.
pub(crate) const AHEAD: usize = 6;

/// Notes a look at the slashes after a colon and the first byte of a host. These bytes show whether
/// a URL may begin there.
pub(crate) fn look_ahead(text: &View<'_>, colon: usize) {
    let slashes = match text.get(colon + 1) {
        Some(b'\\' | b'&') => written::slashes_end(text, colon + 1),
        _ => Some(colon + AHEAD - 1),
    };
    if let Some(host) = slashes {
        text.upto(host + 1);
    }
}

/// A colon at which something may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) colon: usize,
    /// The eight bytes before the colon as a big-endian number. Zeros stand for bytes before the
    /// start of the text.
    pub(crate) word: u64,
}

impl Candidate {
    #[inline(always)]
    pub(crate) fn at(text: &[u8], colon: usize) -> Candidate {
        Candidate { colon, word: last_eight(text, colon) }
    }
}

/// Returns the eight bytes before `at` as a big-endian number. Zeros stand for bytes before the
/// start of the text.
#[inline(always)]
pub(crate) fn last_eight(text: &[u8], at: usize) -> u64 {
    match at.checked_sub(8).and_then(|i| text[i..at].first_chunk()) {
        Some(&eight) => u64::from_be_bytes(eight),
        None => text[..at].iter().fold(0, |eight, &byte| eight << 8 | u64::from(byte)),
    }
}

/// The place where a URL may begin: the result of B-START-1 for a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The first byte of the scheme.
    pub(crate) scheme: usize,
    /// The colon after the scheme.
    pub(crate) colon: usize,
    pub(crate) form: SchemeForm,
}

/// The form of a URL after its scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeForm {
    /// `//` and an authority. For file, the host may be empty.
    Authority { file: bool },
    /// mailto, which has no `//` (B-START-3).
    Mailto,
    /// news, unless `//` and a host follow (B-START-3, B-NEWS).
    News,
    /// No scheme. The host begins in the scheme's place (B-WWW, B-NAME).
    Name,
    /// A scheme with its own form without `//` (B-OPAQUE).
    Opaque(OpaqueForm),
}

impl Start {
    /// Returns the offset after `scheme://` or `scheme:`, or the start of a name without a scheme.
    /// Brackets are counted from there (B-RUN-1).
    pub(crate) fn body(&self) -> usize {
        match self.form {
            SchemeForm::Authority { .. } => self.colon + 3,
            SchemeForm::Name => self.scheme,
            _ => self.colon + 1,
        }
    }

    /// Returns the start of a URL whose scheme is `text[scheme..colon]`.
    pub(crate) fn new(text: &[u8], scheme: usize, colon: usize) -> Start {
        let form = match key_of(&text[scheme..colon]) {
            schemes::MAILTO => SchemeForm::Mailto,
            schemes::NEWS if !has_host(&text[colon + 1..]) => SchemeForm::News,
            key => SchemeForm::Authority { file: key == schemes::FILE },
        };
        Start { scheme, colon, form }
    }
}

/// Returns whether the form of a scheme of B-OPAQUE may begin after a colon. It reads at most
/// [`AHEAD`] bytes.
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

/// Returns whether the word before a colon may begin a URL of B-OPAQUE.
pub(crate) fn is_form(text: &[u8], colon: usize) -> bool {
    schemes::opaque_form(&text[word_before(text, colon)]).is_some_and(|form| begins(form, text, colon))
        && !ends_name(text, colon)
}

/// Returns whether a name of capitals ends at the colon, as in `LOG_FILE:/var/log/x` (B-START-3).
fn ends_name(text: &[u8], colon: usize) -> bool {
    let capitals = text[..colon].iter().rev().take(SCHEME_BYTES).take_while(|byte| byte.is_ascii_uppercase()).count();
    capitals > 0 && text[..colon - capitals].ends_with(b"_")
}

/// The schemes whose URLs enclose another URL, which begins right after the colon (B-OPAQUE).
const OUTER: [&[u8]; 3] = [b"blob:", b"view-source:", b"jar:"];
/// The length of the longest outer scheme.
const LONGEST_OUTER: usize = b"view-source:".len();
/// The maximum number of nested outer schemes: `blob:blob:https://…`.
pub(crate) const MOST_OUTER: usize = 4;
/// The maximum number of bytes of all nested outer schemes.
pub(crate) const OUTER_BYTES: usize = MOST_OUTER * LONGEST_OUTER;

/// Returns the start of the scheme that encloses the URL at `at`, and that scheme.
pub(crate) fn outer_before(text: &[u8], at: usize) -> Option<(usize, &'static [u8])> {
    let before = &text[at.saturating_sub(LONGEST_OUTER)..at];
    let ends =
        |outer: &&[u8]| before.len() >= outer.len() && before[before.len() - outer.len()..].eq_ignore_ascii_case(outer);
    let outer = OUTER.into_iter().find(|outer| before.last() == Some(&b':') && ends(outer))?;
    let start = at - outer.len();
    let is_whole = start == 0 || !schemes::is_scheme_byte(text[start - 1]);
    is_whole.then_some((start, outer))
}

/// Returns the start of the schemes that enclose the URL at `at` (B-OPAQUE). `has_entry` returns
/// whether `!/` follows, as `jar:` requires.
pub(crate) fn outermost(text: &[u8], mut at: usize, has_entry: impl Fn() -> bool) -> usize {
    for _ in 0..MOST_OUTER {
        match outer_before(text, at) {
            Some((start, outer)) if outer != b"jar:" || has_entry() => at = start,
            _ => break,
        }
    }
    at
}

/// Returns the start of the word `www` or `ftp` before a dot (B-WWW).
pub(crate) fn www_before(text: &[u8], dot: usize) -> Option<usize> {
    let start = dot.checked_sub(3)?;
    let is_name = [b"www", b"ftp"].iter().any(|name| text[start..dot].eq_ignore_ascii_case(*name));
    (is_name && begins_name(text, start)).then_some(start)
}

/// Returns the start of the host before a slash (B-NAME).
pub(crate) fn name_before(text: &[u8], slash: usize) -> Option<usize> {
    // Most slashes fail here. A top-level domain has two letters or more, in lower case.
    let is_top = slash >= 4 && text[slash - 2..slash].iter().all(u8::is_ascii_lowercase);
    let follows = |&byte: &u8| byte.is_ascii_alphanumeric() || b"~@_".contains(&byte);
    if !is_top || !text.get(slash + 1).is_some_and(follows) {
        return None;
    }
    let host = text[slash.saturating_sub(HOST_BYTES)..slash].iter().rev();
    let start = slash - host.take_while(|&&byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte)).count();
    begins_name(text, start).then_some(start)
}

/// The maximum length of a host in DNS.
const HOST_BYTES: usize = 253;

/// Returns whether the character before `start` allows a name to begin there (B-WWW, B-NAME).
fn begins_name(text: &[u8], start: usize) -> bool {
    let is_within = |c: char| c.is_ascii_alphanumeric() || "-_.@/:%&=?#~+$\\".contains(c) || is_of_spaced_word(c);
    let (before, len) = bstr::decode_last_utf8(&text[..start]);
    // Malformed text may be a letter of Latin-1.
    !before.map_or(len > 0, is_within)
}

/// Returns whether a character is a non-ASCII letter of a script that puts blanks between words
/// (B-UNI-1).
pub(crate) fn is_of_spaced_word(c: char) -> bool {
    !c.is_ascii() && letters::is_letter(c) && !scripts::is_unspaced(c)
}

/// Returns the scheme whose escaped colon stands at `colon`: `https\\://` of Java's properties
/// (B-PROPS).
pub(crate) fn escaped_colon(text: &[u8], colon: usize) -> Option<Start> {
    let escape = colon.checked_sub(1).filter(|&at| text[at] == b'\\' && text[colon + 1..].starts_with(b"//"))?;
    let word = word_before(text, escape);
    let scheme = *word_edges(text, word).iter().find(|&&at| at < escape && schemes::is_known(&text[at..escape]))?;
    Some(Start { colon, ..Start::new(text, scheme, escape) })
}

/// Returns whether a `\` stands before the colon of a URL's scheme (B-PROPS).
pub(crate) fn has_escaped_colon(text: &[u8], colon: usize) -> bool {
    text[..colon].ends_with(b"\\")
}

/// Returns whether a plain or escaped `//` follows the colon (B-JSON, B-ENT).
#[inline(always)]
pub(crate) fn slashes_follow(text: &[u8], colon: usize) -> bool {
    match text.get(colon + 1) {
        Some(b'/') => text.get(colon + 2) == Some(&b'/'),
        Some(b'\\' | b'&') => written::slashes_end(&View::whole(text), colon + 1).is_some(),
        _ => false,
    }
}

/// Returns whether `//` follows the colon, or a `\` that may begin an escaped `//`.
#[inline(always)]
pub(crate) fn slashes_may_follow(text: &[u8], colon: usize) -> bool {
    match text.get(colon + 1..colon + 3) {
        Some([b'/', b'/']) => true,
        Some([b'\\', next]) => matches!(next, b'/' | b'\\' | b'u' | b'x'),
        _ => false,
    }
}

/// Returns whether a colon is followed by `//` or `\/\/`, and then a letter or digit. If so,
/// `news://` has an authority (B-NEWS).
fn has_host(rest: &[u8]) -> bool {
    let host = rest.strip_prefix(b"//").or_else(|| rest.strip_prefix(b"\\/\\/"));
    host.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns the run R of B-START-1: scheme characters before `colon`, at most 256, including leading
/// `+ - .`.
pub(crate) fn word_before(text: &[u8], colon: usize) -> Range<usize> {
    let from = colon.saturating_sub(SCHEME_RUN);
    let len = text[from..colon].iter().rev().take_while(|&&b| schemes::is_scheme_byte(b)).count();
    colon - len..colon
}

/// Returns the start of the scheme characters that end the row above, if `at` begins a row
/// (B-JOIN-ROWS).
pub(crate) fn word_above(text: &[u8], at: usize) -> Option<usize> {
    let above = &text[..at];
    let row = [&b"\r\n"[..], b"\n", b"\r"].into_iter().find_map(|line_end| above.strip_suffix(line_end))?;
    let row = row.strip_suffix(b"\\").unwrap_or(row);
    Some(word_before(text, row.len())).filter(|word| !word.is_empty()).map(|word| word.start)
}

/// Returns whether an `=` stands before the scheme whose colon is at `colon`.
pub(crate) fn follows_equals(text: &[u8], colon: usize) -> bool {
    text[..word_before(text, colon).start].ends_with(b"=")
}

/// Returns the start of R without its leading marks, and the place after the last `.` of R
/// (B-START-1 a, b).
fn word_edges(text: &[u8], word: Range<usize>) -> [usize; 2] {
    let marks = text[word.clone()].iter().take_while(|&&b| !b.is_ascii_alphanumeric()).count();
    let first = word.start + marks;
    let last = text[first..word.end].iter().rposition(|&b| b == b'.').map_or(first, |dot| first + dot + 1);
    [first, last]
}

/// Returns the place of the `U`, if the word before `colon` is `URL` (P-FORM-1). Leading marks, and
/// everything up to the last `.`, are not part of the word.
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

/// Returns the scheme that ends at `colon`, if a URL may begin there (B-START-1). `word` is the
/// result of [`word_before`].
///
/// If `slashes` is true, `//` is assumed to follow, for a scheme before a line break (B-JOIN, V0a).
/// Then only a scheme of K with `//` is accepted.
pub(crate) fn start(text: &[u8], word: Range<usize>, colon: usize, any_scheme: bool, slashes: bool) -> Option<Start> {
    if word.is_empty() {
        return None; // `://` without a word before it
    }
    let slashes_follow = slashes || slashes_follow(text, colon);
    if !slashes_follow && ends_name(text, colon) {
        return None;
    }
    // Nearly every word before `//` is a scheme of K, without marks or a dot.
    let name = &text[word.clone()];
    if slashes_follow && let Some(file) = schemes::is_slashed_file(name) {
        return Some(Start { scheme: word.start, colon, form: SchemeForm::Authority { file } });
    }
    let edges = word_edges(text, word.clone());
    // Without a dot, both edges are the same.
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

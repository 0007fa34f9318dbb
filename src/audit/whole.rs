//! Rules about the URL as a whole: its length and its grammar.

use bstr::ByteSlice;

use super::finding::Remark;
use super::inspected::Inspected;
use crate::Level;
use crate::url::rough::has_several_hosts;
use crate::url::{ParseOptions, judge};

/// Reports a very long URL (A-LONG).
pub(super) fn long(url: &Inspected<'_>) -> Option<Remark> {
    let (length, most) = (url.raw.len(), url.options.longest);
    (length > most).then(|| Remark::new(most..length, format!("{length} bytes; more than {most}")))
}

/// Reports a text that no grammar accepts (X-INVALID).
pub(super) fn invalid(url: &Inspected<'_>) -> Option<Remark> {
    if url.verdict().level != Level::None || is_template(url.raw) || lists_hosts(url) {
        return None;
    }
    grammar(url, "")
}

/// Returns whether a URL has several hosts, and is valid with each of them (B-HOSTS).
fn lists_hosts(url: &Inspected<'_>) -> bool {
    let (Some(scheme), Some(authority)) = (url.rough.scheme, url.rough.authority) else { return false };
    let begin = scheme.len() + b"://".len();
    let login = memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let mut hosts = authority[login..].split(|&byte| byte == b',');
    let is_valid = |parts: [&[u8]; 3]| judge(parts.concat(), ParseOptions::new()).level != Level::None;
    let first = hosts.next().unwrap_or_default();
    has_several_hosts(scheme)
        && is_valid([&url.raw[..begin + login], first, &url.raw[begin + authority.len()..]])
        && hosts.all(|host| !host.is_empty() && is_valid([&url.raw[..begin], host, b"/"]))
}

/// Reports a pattern with a place to fill in (A-PLACEHOLDER).
pub(super) fn placeholder(url: &Inspected<'_>) -> Option<Remark> {
    if url.verdict().level != Level::None || !is_template(url.raw) {
        return None;
    }
    let Remark { at, .. } = grammar(url, "")?;
    Some(Remark::new(at, "a pattern for URLs, with a place to fill in"))
}

/// Returns whether a text is a pattern for URLs: `{name}`, `<name>`, `[0-3]`, `%s`, `%(name)s`,
/// `%L`, `$host`, `...`, and the word `:port`.
fn is_template(url: &[u8]) -> bool {
    let encloses = |open: u8, close: u8| {
        let inner = memchr::memchr(open, url).map(|at| &url[at + 1..]);
        inner.is_some_and(|inner| memchr::memchr(close, inner).is_some())
    };
    // `A` to `F` could belong to an escape, so only the other capitals can follow the `%` of a
    // placeholder.
    let is_letter = |at: usize| matches!(url.get(at), Some(b'G'..=b'Z'));
    let is_verb = |at: usize| {
        matches!(url.get(at + 1), Some(b's' | b'(' | b'{'))
            || is_letter(at + 1) && !url.get(at + 2).is_some_and(u8::is_ascii_alphanumeric)
    };
    encloses(b'{', b'}')
        || encloses(b'<', b'>')
        // The brackets of an IP literal are not a pattern.
        || encloses(b'[', b']') && !url.contains_str("://[")
        || memchr::memchr_iter(b'%', url).any(is_verb)
        || url.contains(&b'$')
        || url.contains_str(":port")
        || url.contains_str("...")
}

/// Reports a URL under RFC 3986 or RFC 3987 only (X-LATER).
pub(super) fn later(url: &Inspected<'_>) -> Option<Remark> {
    match url.verdict().level {
        Level::Rfc3986 => grammar(url, "RFC 3986, but not RFC 1738: "),
        Level::Iri => grammar(url, "RFC 3987, but not RFC 1738: "),
        _ => None,
    }
}

fn grammar(url: &Inspected<'_>, before: &str) -> Option<Remark> {
    let error = url.verdict().error?;
    let at = error.offset();
    Some(Remark::new(at..url.raw.len().min(at + 1), url.tell(|| format!("{before}{error}"))))
}

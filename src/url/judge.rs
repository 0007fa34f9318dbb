//! [`judge`]: the level of a URL, and why it does not fit RFC 1738.
//!
//! This file owns the order of the grammars. RFC 1738 comes first. RFC 3986 and RFC 3987 are only
//! tried on text that RFC 1738 rejects.

use super::error::ParseError;
use super::generic::Generic;
use super::level::{Level, Verdict};
use super::parse::ParseOptions;
use super::plain;
use super::table::Url;
use crate::bytes::simd::Backend;

/// Returns the level of some bytes, and why they do not fit RFC 1738 (the specification, section
/// 8).
///
/// A fragment is always allowed, with any `options`. A URL of RFC 1738 has the level
/// [`Level::Rfc1738Ref`] if it has a fragment.
///
/// # Complexity
///
/// Linear, without allocation.
///
/// # Examples
///
/// ```
/// use urlgrep::{Level, ParseErrorKind, url};
///
/// let verdict = url::judge("http://h/~joe/", url::ParseOptions::new());
/// assert_eq!(verdict.level, Level::Rfc3986);
/// assert_eq!(verdict.error.unwrap().kind(), ParseErrorKind::UnsafeGateway);
/// ```
#[inline]
#[must_use]
pub fn judge(text: impl AsRef<[u8]>, options: ParseOptions) -> Verdict {
    judge_with(Backend::detect(), text.as_ref(), options)
}

/// Judges some bytes with a given backend.
#[inline]
pub(crate) fn judge_with(backend: Backend, bytes: &[u8], options: ParseOptions) -> Verdict {
    plain::judge(backend, bytes).unwrap_or_else(|| judge_any(bytes, options))
}

/// Judges a plain URL, whose verdict is the same with any options. Returns `None` if the parser
/// must judge it.
pub(crate) fn plain_verdict(bytes: &[u8]) -> Option<Verdict> {
    plain::judge(Backend::detect(), bytes)
}

/// Judges any URL, plain or not.
pub(crate) fn judge_any(bytes: &[u8], options: ParseOptions) -> Verdict {
    let level = || Generic::parse(bytes).map_or(Level::None, |generic| generic.level());
    verdict_of(&Url::parse_with(bytes, options.level(Level::Rfc1738Ref)), level)
}

/// Returns the verdict on a URL that was parsed with its fragment. If RFC 1738 rejected the URL,
/// `level` must return the level by RFC 3986 or 3987.
pub(crate) fn verdict_of(parsed: &Result<Url<'_>, ParseError>, level: impl FnOnce() -> Level) -> Verdict {
    match parsed {
        Ok(url) => Verdict { level: url.level(), error: None },
        Err(error) => Verdict { level: level(), error: Some(*error) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The table of the specification, section 8: text, error, level. "-" = no error.
    const TODAY: &[(&str, &str, Level)] = &[
        ("http://h/", "-", Level::Rfc1738),
        ("http://h/#", "-", Level::Rfc1738Ref),
        ("http://h/~joe/", "unsafe-gateway", Level::Rfc3986),
        ("http://[::1]/", "unsafe-gateway", Level::Rfc3986),
        ("https://h/a?b=c", "-", Level::Rfc1738),
        ("https://h?q", "missing-path-slash", Level::Rfc3986),
        ("http://h/p?a/b", "bad-search-char", Level::Rfc3986),
        ("http://h/p?a?b", "bad-search-char", Level::Rfc3986),
        ("http://u:p@h/", "userinfo-not-allowed", Level::Rfc3986),
        ("http://a_b.com/", "bad-host-char", Level::Rfc3986),
        ("http://h./", "empty-label", Level::Rfc3986),
        ("http://h:/", "empty-port", Level::Rfc3986),
        ("http://2130706433/", "bad-toplabel", Level::Rfc3986),
        ("http://h/a|b", "unsafe-gateway", Level::None),
        ("http://h/{x}", "unsafe-gateway", Level::None),
        ("http://h/^", "unsafe-gateway", Level::None),
        ("http://h/`", "unsafe-gateway", Level::None),
        ("http://h\\x", "unsafe-gateway", Level::None),
        ("http://münchen.de/ä", "non-ascii", Level::Iri),
        ("file:/etc", "missing-slashes", Level::Rfc3986),
        ("file://h:80/x", "port-not-allowed", Level::Rfc3986),
        ("mailto:a@b?subject=two%20words", "not-addr-spec", Level::Rfc3986),
        ("news://s/g", "bad-group-char", Level::Rfc3986),
        ("nntp://s/g/1-5", "bad-article-number", Level::Rfc3986),
        ("sqlite:///x", "empty-host", Level::Rfc3986),
        ("3com:x", "-", Level::Rfc1738),
        ("+:", "-", Level::Rfc1738),
        ("ftp://h/a?b", "-", Level::Rfc1738),
        ("https://h?e=j@x", "-", Level::Rfc1738),
        ("ftp://h/x;type=q", "bad-ftp-type", Level::Rfc3986),
        // The schemes of RFC 1738 and https need a host, except mailto, news and file.
        ("http:foo", "missing-slashes", Level::None),
        ("https://u@/", "empty-host", Level::None),
        ("HTTPS:///x", "empty-host", Level::None),
        ("telnet:h", "missing-slashes", Level::None),
        ("file:///", "-", Level::Rfc1738),
        ("news:", "empty-group", Level::Rfc3986),
        ("mailto:", "empty-address", Level::Rfc3986),
        // No level accepts these texts.
        ("", "empty", Level::None),
        ("h", "missing-scheme", Level::None),
        (":h", "empty-scheme", Level::None),
        ("http://h/a b", "space", Level::None),
        ("http://h/%", "truncated-escape", Level::None),
        ("http://h/#a#b", "unencoded-hash", Level::None),
        ("http://h/\u{a0}", "non-ascii", Level::None),
    ];

    #[test]
    fn levels_of_todays_text() {
        for &(text, error, level) in TODAY {
            let verdict = judge(text.as_bytes(), ParseOptions::new());
            assert_eq!(verdict.level, level, "{text}");
            assert_eq!(verdict.error.map_or("-", |error| error.kind().as_str()), error, "{text}");
        }
    }

    #[test]
    fn fragments_are_allowed_whatever_the_options_say() {
        let verdict = judge(b"http://h/#f", ParseOptions::new().level(Level::Rfc1738));
        assert_eq!(verdict, Verdict { level: Level::Rfc1738Ref, error: None });
    }
}

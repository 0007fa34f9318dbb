//! How strict a grammar a URL satisfies: the levels of spec.md section 8, and [`judge`], which finds the level.
//!
//! Owns the order of the grammars. RFC 1738 is asked first; only its refusals are shown to RFC 3986 and RFC 3987.

use std::fmt;
use std::str::FromStr;

use super::error::ParseError;
use super::generic::Generic;
use super::{ParseOptions, Url, plain};

/// The strictest grammar that a URL satisfies; a stricter level is less than a looser one.
///
/// # Examples
///
/// ```
/// use urlgrep::Level;
///
/// assert!(Level::Rfc1738 < Level::Rfc3986);
/// assert_eq!("rfc1738-ref".parse(), Ok(Level::Rfc1738Ref));
/// assert_eq!(Level::Iri.as_str(), "iri");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// `url` of RFC 1738 section 5.
    Rfc1738,
    /// The same with a `#fragment`, as the Appendix of RFC 1738 and RFC 1808 allow in a wrapper.
    Rfc1738Ref,
    /// `URI` of RFC 3986; the schemes of RFC 1738 and https need a host, but for mailto, news and file.
    Rfc3986,
    /// `IRI` of RFC 3987: the same with characters from U+00A1 up.
    Iri,
    /// None of these.
    None,
}

impl Level {
    /// Every level, the strictest first.
    pub const ALL: &'static [Level] = &[Level::Rfc1738, Level::Rfc1738Ref, Level::Rfc3986, Level::Iri, Level::None];

    /// The stable name: `rfc1738`, `rfc1738-ref`, `rfc3986`, `iri`, `none`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Rfc1738 => "rfc1738",
            Level::Rfc1738Ref => "rfc1738-ref",
            Level::Rfc3986 => "rfc3986",
            Level::Iri => "iri",
            Level::None => "none",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    /// # Errors
    ///
    /// Where the text is none of the five names. They are exact: lower case, no blanks.
    fn from_str(name: &str) -> Result<Level, ParseLevelError> {
        Level::ALL.iter().copied().find(|level| level.as_str() == name).ok_or(ParseLevelError { _private: () })
    }
}

/// The text is not the name of a [`Level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError {
    _private: (),
}

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a level is one of")?;
        for level in Level::ALL {
            write!(f, " {level}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseLevelError {}

/// What [`judge`] says of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The strictest grammar they satisfy.
    pub level: Level,
    /// Why they are not RFC 1738 with a fragment; `None` at the levels rfc1738 and rfc1738-ref.
    pub error: Option<ParseError>,
}

/// The level of some bytes, and what keeps them from being RFC 1738 (spec.md section 8).
///
/// A fragment is allowed whatever `options` say: the level tells whether there is one.
///
/// # Complexity
///
/// Linear, without allocation. A URL of RFC 1738 is read once.
///
/// # Examples
///
/// ```
/// use urlgrep::{Level, ParseErrorKind, url};
///
/// let verdict = url::judge(b"http://h/~joe/", url::ParseOptions::new());
/// assert_eq!(verdict.level, Level::Rfc3986);
/// assert_eq!(verdict.error.unwrap().kind(), ParseErrorKind::UnsafeGateway);
/// ```
#[inline]
#[must_use]
pub fn judge(bytes: &[u8], options: ParseOptions) -> Verdict {
    plain::judge(bytes).unwrap_or_else(|| judge_any(bytes, options))
}

/// The same for any URL, plain or not.
pub(crate) fn judge_any(bytes: &[u8], options: ParseOptions) -> Verdict {
    match Url::parse_with(bytes, options.fragment(true)) {
        Ok(url) => {
            let level = if url.fragment().is_none() { Level::Rfc1738 } else { Level::Rfc1738Ref };
            Verdict { level, error: None }
        }
        Err(error) => Verdict { level: looser_level(bytes), error: Some(error) },
    }
}

/// The level of what RFC 1738 refuses.
fn looser_level(bytes: &[u8]) -> Level {
    Generic::parse(bytes).map_or(Level::None, |generic| generic.level())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_in_order() {
        assert!(Level::ALL.is_sorted());
        for &level in Level::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
            assert_eq!(level.to_string(), level.as_str());
        }
        let error = "RFC1738".parse::<Level>().unwrap_err();
        assert_eq!(error.to_string(), "a level is one of rfc1738 rfc1738-ref rfc3986 iri none");
    }

    // The table of spec.md section 8: text, error, level. "-" = no error.
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
        // K schemes need a host, but for mailto, news, file.
        ("http:foo", "missing-slashes", Level::None),
        ("https://u@/", "empty-host", Level::None),
        ("HTTPS:///x", "empty-host", Level::None),
        ("telnet:h", "missing-slashes", Level::None),
        ("file:///", "-", Level::Rfc1738),
        ("news:", "empty-group", Level::Rfc3986),
        ("mailto:", "empty-address", Level::Rfc3986),
        // What is no URL at any level.
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
        let verdict = judge(b"http://h/#f", ParseOptions::new().fragment(false));
        assert_eq!(verdict, Verdict { level: Level::Rfc1738Ref, error: None });
    }
}

//! The levels of the specification, section 8: how strict a grammar a URL satisfies.

use std::fmt;
use std::str::FromStr;

use super::error::ParseError;

/// The strictest grammar that a URL satisfies. A stricter level compares as less than a looser one.
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
    /// RFC 1738 with a `#fragment`. RFC 1808 allows it, and the Appendix of RFC 1738 allows it in a
    /// wrapper.
    Rfc1738Ref,
    /// `URI` of RFC 3986. The schemes of RFC 1738 and https need a host, except mailto, news and
    /// file.
    Rfc3986,
    /// `IRI` of RFC 3987: a `URI` that may hold characters from U+00A1 up.
    Iri,
    /// None of these grammars.
    None,
}

impl Level {
    /// Every level, the strictest first.
    pub const ALL: &'static [Level] = &[Level::Rfc1738, Level::Rfc1738Ref, Level::Rfc3986, Level::Iri, Level::None];

    /// Returns the stable name: `rfc1738`, `rfc1738-ref`, `rfc3986`, `iri`, `none`.
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

    /// Returns whether a URL of this level is printable ASCII without blanks, `"`, `<`, `>` and
    /// `\`.
    pub(crate) const fn is_ascii(self) -> bool {
        matches!(self, Level::Rfc1738 | Level::Rfc1738Ref | Level::Rfc3986)
    }
}

crate::bytes::display::display!(Level, as_str);

/// Accepts exactly the names of [`Level::as_str`]: lower case, no blanks.
impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Level, UnknownLevel> {
        Level::ALL.iter().copied().find(|level| level.as_str() == name).ok_or(UnknownLevel)
    }
}

/// A text is not the name of a [`Level`].
///
/// ```
/// let error = "RFC 3986".parse::<urlgrep::Level>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no such level; there is rfc1738, rfc1738-ref, rfc3986, iri, none");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Level::ALL.iter().map(|level| level.as_str()).collect();
        write!(f, "there is no such level; there is {}", names.join(", "))
    }
}

impl std::error::Error for UnknownLevel {}

/// The verdict of [`judge`](super::judge()) on some bytes.
///
/// ```
/// use urlgrep::{Level, url};
///
/// let verdict = url::judge("https://a.example/~joe", url::ParseOptions::new());
/// assert_eq!(verdict.level, Level::Rfc3986);
/// assert_eq!(verdict.error.unwrap().offset(), 18);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Verdict {
    /// The strictest grammar that the bytes satisfy.
    pub level: Level,
    /// Why the bytes do not fit RFC 1738 with a fragment. `None` at the levels rfc1738 and
    /// rfc1738-ref.
    pub error: Option<ParseError>,
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
        assert_eq!("RFC1738".parse::<Level>(), Err(UnknownLevel));
    }
}

//! Conversions to the URLs of the crate `url`, which follow the URL Standard of the WHATWG.

use std::fmt;
use std::str::Utf8Error;

use ::url::{ParseError as WhatwgParseError, Url as WhatwgUrl};

use super::owned::UrlBuf;
use super::table::Url;

/// Parses the text by the standard, which changes it. For example, the host becomes lower case, and
/// a default port is removed.
///
/// ```
/// let url: urlgrep::UrlBuf = "HTTP://A.example:80/x".parse()?;
/// assert_eq!(url::Url::try_from(&url)?.as_str(), "http://a.example/x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&UrlBuf> for WhatwgUrl {
    type Error = WhatwgParseError;

    fn try_from(url: &UrlBuf) -> Result<Self, WhatwgParseError> {
        WhatwgUrl::parse(url.as_str())
    }
}

/// Parses the text by the standard.
impl TryFrom<Url<'_>> for WhatwgUrl {
    type Error = WhatwgParseError;

    fn try_from(url: Url<'_>) -> Result<Self, WhatwgParseError> {
        WhatwgUrl::parse(url.as_str())
    }
}

/// Why a [match](crate::Match) is not a URL for the crate `url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhatwgError {
    /// The match is not UTF-8.
    Utf8(Utf8Error),
    /// The standard rejects the match.
    Parse(WhatwgParseError),
}

impl From<Utf8Error> for WhatwgError {
    fn from(error: Utf8Error) -> Self {
        WhatwgError::Utf8(error)
    }
}

impl From<WhatwgParseError> for WhatwgError {
    fn from(error: WhatwgParseError) -> Self {
        WhatwgError::Parse(error)
    }
}

impl fmt::Display for WhatwgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhatwgError::Utf8(_) => f.write_str("it is not UTF-8"),
            WhatwgError::Parse(_) => f.write_str("it is not a URL by the WHATWG's standard"),
        }
    }
}

impl std::error::Error for WhatwgError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            WhatwgError::Utf8(error) => Some(error),
            WhatwgError::Parse(error) => Some(error),
        }
    }
}

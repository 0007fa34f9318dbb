//! URLs as the crate `url` has them, by the standard of the WHATWG.

use std::fmt;
use std::str::Utf8Error;

use ::url::{ParseError as WhatwgParseError, Url as WhatwgUrl};

use super::owned::UrlBuf;
use super::table::Url;

/// As the standard reads it: `url::Url` writes the host in lower case, leaves out a default port,
/// and more.
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

/// As the standard reads it.
impl TryFrom<Url<'_>> for WhatwgUrl {
    type Error = WhatwgParseError;

    fn try_from(url: Url<'_>) -> Result<Self, WhatwgParseError> {
        WhatwgUrl::parse(url.as_str())
    }
}

/// Why a [match](crate::Match) is no URL to the crate `url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhatwgError {
    /// It is not UTF-8.
    Utf8(Utf8Error),
    /// The standard does not read it.
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
            WhatwgError::Parse(_) => f.write_str("it is no URL of the WHATWG's standard"),
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

//! Conversions of a [`Match`] to other types of URLs.

use crate::drive::matches::Match;
#[cfg(feature = "url")]
use crate::url::WhatwgError;
use crate::{ParseError, Url};

/// Parses the [URL](Match::url) with the options of the
/// [extractor](crate::ExtractorBuilder::other_literal). The conversion fails if the match has the
/// [level](Match::level) [`None`](crate::Level::None).
///
/// ```
/// use urlgrep::{Extractor, Url};
///
/// let found = Extractor::new().find("see <URL:ftp://a.example/x\n  y>").unwrap();
/// assert_eq!(Url::try_from(&found)?.path().unwrap(), "xy");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
impl<'m> TryFrom<&'m Match<'_>> for Url<'m> {
    type Error = ParseError;

    fn try_from(found: &'m Match<'_>) -> Result<Self, ParseError> {
        Url::parse_with(found.url(), found.options().parse)
    }
}

/// Parses the [`target`](Match::target) by the URL standard of the WHATWG. That standard accepts
/// some URLs that RFC 1738 refuses, and refuses some that RFC 1738 accepts.
///
/// ```
/// let found = urlgrep::Extractor::new().find("see http://A.example/~joe.").unwrap();
/// assert_eq!(url::Url::try_from(&found)?.as_str(), "http://a.example/~joe");
/// # Ok::<(), urlgrep::url::WhatwgError>(())
/// ```
#[cfg(feature = "url")]
impl TryFrom<&Match<'_>> for ::url::Url {
    type Error = WhatwgError;

    fn try_from(found: &Match<'_>) -> Result<Self, WhatwgError> {
        Ok(::url::Url::parse(std::str::from_utf8(found.target())?)?)
    }
}

#[cfg(all(test, feature = "url"))]
mod tests {
    use super::*;
    use crate::Extractor;
    use std::error::Error;

    #[test]
    fn what_the_standard_refuses_has_its_reason() {
        let url = |text: &[u8]| ::url::Url::try_from(&Extractor::new().find(text).unwrap());
        assert_eq!(url(b"<URL:HTTP://A.example/x\n  y/../z>").unwrap().as_str(), "http://a.example/z");
        let error = url(b"<URL:http://1.2.3.400/>").unwrap_err();
        assert_eq!(error.source().unwrap().to_string(), "invalid IPv4 address");
        let error = url(b"<URL:http://a.example/\xFF>").unwrap_err();
        assert!(matches!(error, WhatwgError::Utf8(_)) && error.source().is_some(), "{error}");
    }
}

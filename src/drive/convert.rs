//! A [`Match`] as other types of URLs.

use crate::drive::matches::Match;
use crate::{ParseError, Url};

/// The [URL](Match::url) with its components, read as the [extractor](crate::ExtractorBuilder::other_literal) does. It fails
/// where the match has an [error](Match::error).
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
        Url::parse_with(found.url(), found.parse_options())
    }
}

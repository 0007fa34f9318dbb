//! [`UrlBuf`]: a URL that owns its text.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::error::ParseError;
use super::generic::resolve_3986;
use super::table::{Table, Url};

/// A URL that owns its text, and so outlives its source. [`as_url`](Self::as_url) returns its
/// [`Url`].
///
/// It is parsed from text at any level, or copied from a `Url` ([`Url::to_buf`]). Like a `Url`, it
/// is compared and sorted by its text.
///
/// # Examples
///
/// ```
/// use std::collections::HashSet;
/// use urlgrep::UrlBuf;
///
/// let url: UrlBuf = "http://a.example/~joe".parse()?;
/// assert_eq!(url.as_url().host().unwrap(), "a.example");
/// assert_eq!(url.as_str(), "http://a.example/~joe");
///
/// let mut seen = HashSet::from([url]);
/// assert!(seen.insert(UrlBuf::try_from("http://b.example/")?));
/// assert!(seen.contains("http://b.example/"));
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone)]
pub struct UrlBuf {
    text: Box<str>,
    table: Table,
}

impl UrlBuf {
    /// Returns the URL with its components.
    #[must_use]
    pub fn as_url(&self) -> Url<'_> {
        Url { bytes: self.text.as_bytes(), table: self.table }
    }

    /// Returns the whole text, with its fragment.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Url<'_> {
    /// Returns a copy that owns its text.
    #[must_use]
    pub fn to_buf(&self) -> UrlBuf {
        UrlBuf { text: self.as_str().into(), table: self.table }
    }

    /// Resolves a reference against this URL by RFC 3986, and parses the result.
    ///
    /// [`resolve_3986`] returns the bytes, even if they are not a URL.
    /// [`resolve_1808`](crate::url::resolve_1808) resolves by RFC 1808.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Url::parse`] if the result is not a URL. Its offset is in the result.
    ///
    /// # Complexity
    ///
    /// Linear; two allocations.
    ///
    /// # RFC
    ///
    /// RFC 3986 sections 5.2 and 5.3.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Url;
    ///
    /// let base = Url::parse("https://h.example/docs/index.html")?;
    /// let url = base.resolve("../img/lamp.png")?; // or bytes
    /// assert_eq!(url.as_str(), "https://h.example/img/lamp.png");
    /// assert_eq!(base.resolve("a{b}").unwrap_err().offset(), 24);
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    pub fn resolve(&self, reference: &(impl AsRef<[u8]> + ?Sized)) -> Result<UrlBuf, ParseError> {
        Url::parse(&resolve_3986(self.bytes, reference)?).map(UrlBuf::from)
    }
}

impl From<Url<'_>> for UrlBuf {
    fn from(url: Url<'_>) -> Self {
        url.to_buf()
    }
}

impl<'a> From<&'a UrlBuf> for Url<'a> {
    fn from(url: &'a UrlBuf) -> Self {
        url.as_url()
    }
}

impl From<UrlBuf> for String {
    fn from(url: UrlBuf) -> Self {
        url.text.into()
    }
}

/// Parses like [`Url::parse`].
impl FromStr for UrlBuf {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Url::parse(text).map(Self::from)
    }
}

impl TryFrom<&str> for UrlBuf {
    type Error = ParseError;

    fn try_from(text: &str) -> Result<Self, ParseError> {
        text.parse()
    }
}

impl TryFrom<&[u8]> for UrlBuf {
    type Error = ParseError;

    fn try_from(bytes: &[u8]) -> Result<Self, ParseError> {
        Url::parse(bytes).map(Self::from)
    }
}

impl TryFrom<String> for UrlBuf {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        let table = Url::parse(&text)?.table;
        Ok(UrlBuf { text: text.into(), table })
    }
}

impl fmt::Debug for UrlBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UrlBuf").field(&self.text).finish()
    }
}

impl fmt::Display for UrlBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl PartialEq for UrlBuf {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for UrlBuf {}

impl PartialEq<Url<'_>> for UrlBuf {
    fn eq(&self, other: &Url<'_>) -> bool {
        self.as_url() == *other
    }
}

impl PartialEq<UrlBuf> for Url<'_> {
    fn eq(&self, other: &UrlBuf) -> bool {
        *self == other.as_url()
    }
}

impl PartialOrd for UrlBuf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UrlBuf {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for UrlBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Borrow<str> for UrlBuf {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for UrlBuf {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl AsRef<[u8]> for UrlBuf {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::ParseOptions;

    #[test]
    fn a_url_is_the_same_owned_and_borrowed() {
        for text in ["http://u.example:80/p?q#f", "mailto:joe@a.example", "news:*", "x:", "http://h/~é"] {
            let url = Url::parse(text).unwrap();
            let owned: UrlBuf = text.parse().unwrap();
            for other in [UrlBuf::try_from(text), text.as_bytes().try_into(), text.to_owned().try_into()] {
                assert_eq!(other.unwrap(), owned);
            }
            assert_eq!((url, owned.as_url(), Url::from(&owned)), (owned.as_url(), url, url));
            assert_eq!(owned, url);
            assert_eq!(url, owned);
            assert_eq!((owned.as_url().host(), owned.as_url().fragment()), (url.host(), url.fragment()));
            assert_eq!((owned.to_string(), format!("{owned:?}")), (text.to_owned(), format!("UrlBuf({text:?})")));
            let as_text: [&str; 2] = [url.as_ref(), owned.as_ref()];
            assert_eq!(as_text, [text; 2]);
            assert_eq!(String::from(owned), text);
        }
        assert_eq!("http://h/{".parse::<UrlBuf>().unwrap_err(), Url::parse("http://h/{").unwrap_err());
        assert_eq!(Url::try_from("http://h/{").unwrap_err(), UrlBuf::try_from(&b"http://h/{"[..]).unwrap_err());
    }

    #[test]
    fn references_are_resolved_to_urls() {
        let base = Url::parse("http://h/~a/b?q").unwrap();
        for (reference, expected) in
            [("../é", "http://h/é"), ("", "http://h/~a/b?q"), ("//i:8", "http://i:8"), ("mailto:a@b", "mailto:a@b")]
        {
            let url = base.resolve(reference).unwrap();
            assert_eq!(url.as_url(), Url::parse(expected).unwrap());
        }
        for (reference, kind, offset) in [("c d", "space", 13), ("//", "empty-host", 7), ("//h:x", "bad-port-char", 9)]
        {
            let error = base.resolve(reference).unwrap_err();
            assert_eq!((error.kind().as_str(), error.offset()), (kind, offset), "{reference}");
        }
        let opaque = Url::parse("urn:a:b").unwrap();
        assert_eq!(opaque.resolve("c").unwrap().as_str(), "urn:c");
    }

    #[test]
    fn how_it_was_parsed_is_kept() {
        let literal = Url::parse_with("sqlite:///x", ParseOptions::new().other_literal(true)).unwrap();
        let owned = literal.to_buf();
        assert_eq!(owned.clone().as_url().host(), None);
        assert_eq!(owned.as_url().key(), literal.key());
    }

    #[test]
    fn sorted_and_looked_up_by_text() {
        let mut urls: Vec<UrlBuf> = ["http://b/", "ftp://c/", "http://B/"].map(|text| text.parse().unwrap()).into();
        urls.sort();
        assert_eq!(urls.iter().map(UrlBuf::as_str).collect::<Vec<_>>(), ["ftp://c/", "http://B/", "http://b/"]);
        assert!(urls.iter().map(UrlBuf::as_url).is_sorted());
        let set: std::collections::HashSet<_> = urls.into_iter().collect();
        assert!(set.contains("ftp://c/") && !set.contains("ftp://C/"));
    }
}

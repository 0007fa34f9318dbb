//! [`SplitUrl`]: the components of a URL of any level, as text.

use std::borrow::Cow;
use std::fmt;

use bstr::ByteSlice;

use super::host::host_of;
use super::level::Level;
use super::pairs::QueryPairs;
use super::parse::ParseOptions;
use super::rough::Rough;
use super::table::{Url, port};

/// The components of a URL of any level, as text. If the URL fits no grammar, its delimiters
/// separate them.
///
/// A URL of RFC 1738 has the parts of its [`Url`]. A URL of another level is split by the grammar
/// of that level. Any other text is split at its delimiters, by RFC 3986 appendix B. Only the host
/// of a mail address is decoded. Absent and empty components differ: `http://h?` has an empty
/// query.
///
/// Bytes that are not UTF-8 become U+FFFD. Only URLs that fit no grammar hold such bytes.
///
/// ```
/// use urlgrep::Extractor;
///
/// let text = "see https://joe@h.example:8080/a/b?x[]=1#top, <mailto:ann@a.example> and http://[::1]/~ann";
/// let mut parts = Vec::new();
/// for found in Extractor::new().find_iter(text) {
///     let url = found.split();
///     parts.push(format!("{} {} {}", found.level(), url.host().unwrap_or("-"), url.path()));
/// }
/// assert_eq!(parts, ["none h.example /a/b", "rfc1738 a.example ann@a.example", "rfc3986 [::1] /~ann"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SplitUrl<'u> {
    /// The whole URL.
    bytes: &'u [u8],
    scheme: Option<Cow<'u, str>>,
    userinfo: Option<Cow<'u, str>>,
    host: Option<Cow<'u, str>>,
    port: Option<Cow<'u, str>>,
    path: Cow<'u, str>,
    query: Option<Cow<'u, str>>,
    fragment: Option<Cow<'u, str>>,
}

impl<'u> SplitUrl<'u> {
    /// Splits a URL, a reference, or anything else.
    ///
    /// # Complexity
    ///
    /// Linear. Allocates only for bytes that are not UTF-8, and for a mail address with escapes.
    ///
    /// # RFC
    ///
    /// RFC 1738 section 5; RFC 3986 section 3 and appendix B; RFC 3987 section 2.2.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::SplitUrl;
    ///
    /// let url = SplitUrl::new("ftp://joe:%24@ftp.example/pub/read.me");
    /// assert_eq!((url.scheme(), url.user(), url.password()), (Some("ftp"), Some("joe"), Some("%24")));
    /// assert_eq!((url.host(), url.port(), url.path()), (Some("ftp.example"), None, "/pub/read.me"));
    /// assert_eq!(SplitUrl::new("../a?b").query(), Some("b"));
    /// ```
    #[must_use]
    pub fn new(text: &'u (impl AsRef<[u8]> + ?Sized)) -> SplitUrl<'u> {
        SplitUrl::with(text.as_ref(), ParseOptions::new())
    }

    /// Splits with the options of a search.
    pub(crate) fn with(bytes: &'u [u8], options: ParseOptions) -> SplitUrl<'u> {
        let url = Url::parse_with(bytes, options.level(Level::Iri)).ok();
        let host = host_of(bytes, url.as_ref(), None).map(text);
        match url {
            Some(url) => SplitUrl {
                bytes,
                scheme: Some(borrowed(url.scheme_str())),
                userinfo: url.userinfo().map(|part| borrowed(part)),
                host,
                port: url.port_text().map(|part| borrowed(part)),
                path: borrowed(url.path_with_slash()),
                query: url.query().map(|part| borrowed(part)),
                fragment: url.fragment().map(|part| borrowed(part)),
            },
            None => {
                let rough = Rough::new(bytes);
                SplitUrl {
                    bytes,
                    scheme: rough.scheme.map(borrowed),
                    userinfo: rough.userinfo.map(borrowed),
                    host,
                    port: rough.port.map(borrowed),
                    path: borrowed(rough.path),
                    query: rough.query.map(borrowed),
                    fragment: rough.fragment.map(borrowed),
                }
            }
        }
    }

    /// Returns the scheme as written, in any case. `None` if the text has no scheme, like a
    /// relative reference.
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Returns the userinfo before the `@`, raw: the user, and perhaps a password.
    #[must_use]
    pub fn userinfo(&self) -> Option<&str> {
        self.userinfo.as_deref()
    }

    /// Returns the user, raw: the userinfo up to its first `:`.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        Some(self.userinfo()?.split(':').next().unwrap_or_default())
    }

    /// Returns the password, raw: the userinfo after its first `:`.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        Some(self.userinfo()?.split_once(':')?.1)
    }

    /// Returns the host as written, without the port, like [`url::host`](crate::url::host()). For a
    /// mail address, the host is the decoded domain. The host of `file:///x` is empty.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Returns the written port as a number. `None` if there is no port, or if it is not a number up
    /// to 65535. [`port_text`](Self::port_text) has the digits in any case.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        let text = self.port_text()?;
        if text.bytes().all(|byte| byte.is_ascii_digit()) { port(text.as_bytes()) } else { None }
    }

    /// Returns the port as written: the text after the host and its colon.
    #[must_use]
    pub fn port_text(&self) -> Option<&str> {
        self.port.as_deref()
    }

    /// Returns the path, raw, with its first slash. It begins after the authority, or after the
    /// scheme if there is no authority, and ends before the query. It may be empty.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the query after the `?`, raw. In ftp and some other schemes of RFC 1738, a `?` is
    /// part of the [path](Self::path), as in [`Url::query`].
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// Returns the names and values of the [query](Self::query), decoded as those of a form.
    ///
    /// # Examples
    ///
    /// ```
    /// let url = urlgrep::SplitUrl::new("https://h.example/find?x[]=red+boats&x[]=%C3%A9"); // fits no grammar
    /// assert_eq!(url.query_pairs().last().unwrap(), ("x[]".into(), "é".into()));
    /// ```
    #[must_use]
    pub fn query_pairs(&self) -> QueryPairs<'_> {
        QueryPairs::new(self.query().unwrap_or_default().as_bytes())
    }

    /// Returns the fragment after the `#`, raw.
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }
}

/// Writes the whole URL as it was split.
impl fmt::Display for SplitUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.bytes.as_bstr(), f)
    }
}

fn borrowed(part: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(part)
}

fn text(part: Cow<'_, [u8]>) -> Cow<'_, str> {
    match part {
        Cow::Borrowed(part) => borrowed(part),
        Cow::Owned(part) => borrowed(&part).into_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_at_every_level() {
        // Scheme, userinfo, host, port, path, query, fragment; "-" is absent.
        for (url, expected) in [
            ("http://h", ["http", "-", "h", "-", "", "-", "-"]),
            ("HTTP://h:80/a?b#c", ["HTTP", "-", "h", "80", "/a", "b", "c"]),
            ("ftp://u:p@h/a?b;type=a", ["ftp", "u:p", "h", "-", "/a?b;type=a", "-", "-"]),
            ("ftp://@h/#", ["ftp", "", "h", "-", "/", "-", ""]),
            ("gopher://h/7s%09q", ["gopher", "-", "h", "-", "/7s%09q", "-", "-"]),
            ("wais://h/d?s", ["wais", "-", "h", "-", "/d", "s", "-"]),
            ("file:///a", ["file", "-", "", "-", "/a", "-", "-"]),
            ("news:1@h", ["news", "-", "h", "-", "1@h", "-", "-"]),
            ("news:comp.lang.c", ["news", "-", "-", "-", "comp.lang.c", "-", "-"]),
            ("mailto:joe@h?subject=x", ["mailto", "-", "h", "-", "joe@h", "subject=x", "-"]),
            ("mailto:joe%40h", ["mailto", "-", "h", "-", "joe%40h", "-", "-"]),
            ("https://h?e=j@x", ["https", "h?e=j", "x", "-", "", "-", "-"]),
            // RFC 3986 and RFC 3987
            ("https://u@[::1]:8080/~a?b#c", ["https", "u", "[::1]", "8080", "/~a", "b", "c"]),
            ("http://h:/?", ["http", "-", "h", "", "/", "", "-"]),
            (
                "http://u:p@m\u{fc}nchen.example/\u{e9}",
                ["http", "u:p", "m\u{fc}nchen.example", "-", "/\u{e9}", "-", "-"],
            ),
            ("news://u@s/g", ["news", "u", "s", "-", "/g", "-", "-"]),
            // No grammar fits
            ("https://u@h:1/a?x[]=1#f", ["https", "u", "h", "1", "/a", "x[]=1", "f"]),
            ("http:///{x}", ["http", "-", "-", "-", "/{x}", "-", "-"]),
            ("mailto:a@h?subject=x|y", ["mailto", "-", "h", "-", "a@h", "subject=x|y", "-"]),
            ("../a?b#c", ["-", "-", "-", "-", "../a", "b", "c"]),
            ("", ["-", "-", "-", "-", "", "-", "-"]),
        ] {
            let split = SplitUrl::new(url);
            let parts = [split.scheme(), split.userinfo(), split.host(), split.port_text(), Some(split.path())];
            let parts: Vec<_> = parts.into_iter().chain([split.query(), split.fragment()]).collect();
            assert_eq!(parts, expected.map(|part| (part != "-").then_some(part)), "{url}");
            assert_eq!(split.to_string(), url);
        }
    }

    #[test]
    fn what_is_no_number_and_what_is_no_text() {
        let port = |url: &str| SplitUrl::new(url).port();
        assert_eq!(
            ["http://h:080/", "http://h:65535/", "http://h:65536/", "http://h:/", "http://h:+1/"].map(port),
            [Some(80), Some(65535), None, None, None]
        );
        let split = SplitUrl::new(b"http://a\xFF.example:80/\xFF?\xFF");
        assert_eq!((split.host(), split.port()), (Some("a\u{fffd}.example"), Some(80)));
        assert_eq!((split.path(), split.query()), ("/\u{fffd}", Some("\u{fffd}")));
        assert_eq!(split.to_string(), "http://a\u{fffd}.example:80/\u{fffd}?\u{fffd}");
    }
}

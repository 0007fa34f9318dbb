//! The host of a URL of any level, valid or not.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::escape;
use super::generic::Generic;
use super::level::Level;
use super::parse::ParseOptions;
use super::rough::Rough;
use super::scheme::Scheme;
use super::table::Url;
#[cfg(feature = "serde")]
use crate::bytes::words::is_lower_ascii;

/// Returns the host of a URL by RFC 1738, else by RFC 3986 or RFC 3987. For mailto URLs and news
/// articles, the host is the domain. If the URL fits no grammar, its delimiters determine the host.
///
/// The host is returned as written, without the port. Only the domain of a mail address is decoded.
/// `None` if there is no host.
///
/// # Complexity
///
/// Linear. Allocates only for a mail address with escapes.
///
/// # RFC
///
/// RFC 1738 section 3.1; RFC 3986 section 3.2.2; RFC 6068 section 2.
///
/// # Examples
///
/// ```
/// use urlgrep::url::host;
///
/// assert_eq!(host("http://joe@h.example:80/").as_deref(), Some(&b"h.example"[..])); // or bytes
/// assert_eq!(host("mailto:joe@a.example?subject=x").as_deref(), Some(&b"a.example"[..]));
/// assert_eq!(host("news:comp.lang.c"), None);
/// assert_eq!(host("https://h.example/a?x[]=1").as_deref(), Some(&b"h.example"[..])); // fits no grammar
/// ```
#[must_use]
pub fn host(url: &(impl AsRef<[u8]> + ?Sized)) -> Option<Cow<'_, [u8]>> {
    host_with(url.as_ref(), ParseOptions::new())
}

/// Returns the host as [`host`](fn@host) does, but if RFC 1738 reads the URL with
/// [`ParseOptions::other_literal`] (G-OTHER-2). The level of the options does not matter.
///
/// # Complexity
///
/// That of [`host`](fn@host).
///
/// # RFC
///
/// Those of [`host`](fn@host).
///
/// # Examples
///
/// ```
/// use urlgrep::url::{ParseOptions, host, host_with};
///
/// assert_eq!(host(b"sqlite://a_b/x").as_deref(), Some(&b"a_b"[..]));
/// assert_eq!(host_with(b"sqlite://a_b/x", ParseOptions::new().other_literal(true)), None);
/// ```
#[must_use]
pub fn host_with(url: &[u8], options: ParseOptions) -> Option<Cow<'_, [u8]>> {
    host_of(url, Url::parse_with(url, options.level(Level::Iri)).ok().as_ref(), None)
}

/// Returns the host of a URL that was parsed. `generic` is only used without `parsed`. If both are
/// `None`, the URL's delimiters determine the host.
#[inline(always)]
pub(crate) fn host_of<'u>(
    url: &'u [u8],
    parsed: Option<&Url<'u>>,
    generic: Option<&Generic<'u>>,
) -> Option<Cow<'u, [u8]>> {
    let (host, is_mail) = match (parsed, generic) {
        (Some(url), _) => (url.host(), url.scheme() == Scheme::Mailto),
        (None, Some(generic)) => (generic.host, generic.scheme.eq_ignore_ascii_case(b"mailto")),
        (None, None) => return misfit_host(url),
    };
    if is_mail {
        return mail_domain(&url[7..]);
    }
    host.map(|host| Cow::Borrowed(&**host))
}

/// Returns the host of a URL that fits no grammar, by its delimiters.
#[inline(never)]
fn misfit_host(url: &[u8]) -> Option<Cow<'_, [u8]>> {
    let rough = Rough::new(url);
    if rough.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"mailto")) && rough.authority.is_none() {
        return mail_domain(&url[7..]);
    }
    rough.first_host().filter(|host| !host.is_empty()).map(Cow::Borrowed)
}

/// Returns a host in lower case, for comparisons. Host names ignore case (RFC 1738 section 5, RFC
/// 3986 section 6.2.2.1). The dots of IDNA are written as `.`.
///
/// # Complexity
///
/// Linear. Allocates if the host has an upper-case letter or a non-ASCII byte.
#[cfg(feature = "serde")]
pub(crate) fn in_lower_case(host: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if is_lower_ascii(&host) {
        return host;
    }
    match std::str::from_utf8(&host) {
        Ok(host) => host.to_lowercase().replace(['。', '．', '｡'], ".").into_bytes().into(),
        Err(_) => host.to_ascii_lowercase().into(),
    }
}

/// Returns the domain of the (last) address of a mailto URL. By RFC 1738 a `?` is part of the
/// domain (G-MAILTO-4). This function cuts off the headers of RFC 6068, because no caller needs
/// them.
fn mail_domain(address: &[u8]) -> Option<Cow<'_, [u8]>> {
    let end = memchr::memchr2(b'?', b'#', address).unwrap_or(address.len());
    let domain = |address: &[u8]| memchr::memrchr(b'@', address).map(|at| at + 1);
    match escape::decode(&address[..end]) {
        Cow::Borrowed(address) => domain(address).map(|from| Cow::Borrowed(&address.as_bytes()[from..])),
        Cow::Owned(address) => domain(&address).map(|from| Cow::Owned(address[from..].to_vec())),
    }
}

#[cfg(all(test, feature = "audit"))]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (url, expected) in [
            ("http://A.example:80/x", Some("A.example")),
            ("http://h/~x", Some("h")),
            ("http://[::1]:80/", Some("[::1]")),
            ("http://münchen.example/ä", Some("münchen.example")),
            ("http://h/{x}", Some("h")),
            ("https://u@H.example:8080/a?x[]=1", Some("H.example")),
            ("https://good.example\\@evil.example/", Some("good.example")),
            ("x://h\\x/y", Some("h\\x")),
            ("http://a.example@b.example@c.example/{", Some("c.example")),
            ("http://[::1]:80/|", Some("[::1]")),
            ("http:///{x}", None),
            ("mailto:a@c.example?subject=x|y", Some("c.example")),
            ("//h.example/{x}", Some("h.example")),
            ("javascript:f({})", None),
            ("file:///x", Some("")),
            ("news:1@b.example", Some("b.example")),
            ("news:*", None),
            ("MAILTO:a@b@c.example", Some("c.example")),
            ("mailto:nobody", None),
            ("mailto:a@c.example?cc=x@y", Some("c.example")),
            ("mailto:a@c.example?subject=two%20words", Some("c.example")),
            ("mailto:a%40c.example", Some("c.example")),
            ("x:y", None),
            ("", None),
        ] {
            let host = host(url);
            assert_eq!(host.as_deref(), expected.map(str::as_bytes), "{url}");
        }
    }
}

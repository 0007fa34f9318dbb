//! The parser. It parses the scheme, then the rest by the scheme's own grammar, then the fragment.
//! It reports the error that comes first (P-2).

use bstr::BStr;

use super::error::{ParseError, ParseErrorKind};
use super::generic::Generic;
use super::level::Level;
use super::scheme::Scheme;
use super::table::{HostState, Table, Url, offset};
use super::{lexical, parts};
use crate::bytes::class;

/// The options of the parser.
///
/// # Examples
///
/// ```
/// use urlgrep::{Url, url::ParseOptions};
///
/// let literal = ParseOptions::new().other_literal(true);
/// assert!(Url::parse(b"sqlite:///x").is_err()); // `//` announces a host
/// assert!(Url::parse_with(b"sqlite:///x", literal).is_ok()); // `*xchar`
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseOptions {
    pub(super) other_literal: bool,
    pub(super) fragment: bool,
    pub(super) level: Level,
}

impl ParseOptions {
    /// Returns the defaults: one fragment is allowed, and a `//` of [`Scheme::Other`] announces
    /// `ip-schemepart`.
    #[must_use]
    pub const fn new() -> ParseOptions {
        ParseOptions { other_literal: false, fragment: true, level: Level::Rfc1738Ref }
    }

    /// Accepts any string of `xchar` after the colon of [`Scheme::Other`], with or without `//`
    /// (G-OTHER-2).
    #[must_use]
    pub const fn other_literal(self, yes: bool) -> ParseOptions {
        ParseOptions { other_literal: yes, ..self }
    }

    /// Allows one `#fragment` (G-FRAG-1), or none (G-FRAG-3).
    #[must_use]
    pub const fn fragment(self, yes: bool) -> ParseOptions {
        ParseOptions { fragment: yes, ..self }
    }

    /// Accepts a URL that RFC 1738 rejects, if it satisfies this level or a stricter one. The
    /// default is [`Level::Rfc1738Ref`], which accepts no such URL. No parsed URL has
    /// [`Level::None`].
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Level, Url, url::ParseOptions};
    ///
    /// let text = "http://[::1]:8080/~joe";
    /// assert!(Url::parse(text).is_err());
    /// let url = Url::parse_with(text, ParseOptions::new().level(Level::Rfc3986))?;
    /// assert_eq!((url.host().unwrap(), url.port(), url.path().unwrap()), ("[::1]".into(), Some(8080), "~joe".into()));
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[must_use]
    pub const fn level(self, least: Level) -> ParseOptions {
        ParseOptions { level: least, ..self }
    }
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions::new()
    }
}

impl<'a> Url<'a> {
    /// Parses a URL that may have a fragment: `parse_reference` of the specification (G-FRAG-1).
    ///
    /// The bytes are parsed as they are. The finder removes white space, `<URL:` and `>`.
    ///
    /// # Errors
    ///
    /// Returns the error of the first phase that fails (P-2). The phases are: bytes that no URL may
    /// hold, the scheme, the authority, the rest.
    ///
    /// # Complexity
    ///
    /// Linear, without allocation. A valid URL is read once, an invalid one at most three times.
    ///
    /// # RFC
    ///
    /// RFC 1738 section 5, `genericurl`; RFC 1808 section 2.2, `[ "#" fragment ]`.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{ParseErrorKind, Url};
    ///
    /// assert_eq!(Url::parse("http://h/#f")?.fragment().unwrap(), "f"); // or bytes
    /// let error = Url::parse("http://h?q").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ParseErrorKind::MissingPathSlash, 8));
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[inline]
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Url<'a>, ParseError> {
        Url::parse_with(text, ParseOptions::new())
    }

    /// Parses a URL without a fragment: `parse_url` of the specification, where any `#` is an error
    /// (G-FRAG-3).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](Url::parse), and [`ParseErrorKind::FragmentNotAllowed`].
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{ParseErrorKind, Url};
    ///
    /// let error = Url::parse_without_fragment(b"http://h/#f").unwrap_err();
    /// assert_eq!(error.kind(), ParseErrorKind::FragmentNotAllowed);
    /// ```
    #[inline]
    pub fn parse_without_fragment(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Url<'a>, ParseError> {
        Url::parse_with(text, ParseOptions::new().fragment(false))
    }

    /// Parses with [`ParseOptions`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](Url::parse), and [`ParseErrorKind::FragmentNotAllowed`] if
    /// the options allow no fragment.
    #[inline]
    pub fn parse_with(text: &'a (impl AsRef<[u8]> + ?Sized), options: ParseOptions) -> Result<Url<'a>, ParseError> {
        let bytes = text.as_ref();
        match structure(bytes, options) {
            Ok(url) => {
                #[cfg(debug_assertions)]
                url.check_invariants();
                Ok(url)
            }
            Err(error) => generic(bytes, options).ok_or_else(|| first_error(bytes, options, error)),
        }
    }
}

/// Parses a URL by RFC 3986 or RFC 3987 after RFC 1738 rejected it, if `options` allow that.
#[cold]
fn generic(bytes: &[u8], options: ParseOptions) -> Option<Url<'_>> {
    let is_wanted = options.level > Level::Rfc1738Ref && bytes.len() < u32::MAX as usize;
    let generic = if is_wanted { Generic::parse(bytes) } else { None };
    let generic = generic.filter(|generic| generic.level() <= options.level)?;
    (options.fragment || generic.fragment.is_none()).then(|| generic.url(bytes))
}

#[cfg(feature = "serde")]
impl<'a> Url<'a> {
    /// Parses bytes that fit RFC 1738. Most of them are http URLs with a path but no port, which
    /// need only be split.
    pub(crate) fn of_fit(bytes: &'a [u8], options: ParseOptions) -> Option<Url<'a>> {
        cut_http(bytes, options).or_else(|| Url::parse_with(bytes, options).ok())
    }
}

/// Splits an http URL that fits RFC 1738, if a path follows its host.
#[cfg(feature = "serde")]
fn cut_http(bytes: &[u8], options: ParseOptions) -> Option<Url<'_>> {
    const START: &[u8] = b"http://";
    let host_start = START.len();
    if !bytes.starts_with(START) || !options.fragment || bytes.len() >= u32::MAX as usize {
        return None;
    }
    let host_end = class::raw_run(bytes, host_start, class::HOST);
    // The last label is mostly shorter than what a call costs.
    let label =
        host_start + bytes[host_start..host_end].iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    if host_start == host_end || bytes.get(host_end) != Some(&b'/') {
        return None;
    }
    let path_end = memchr::memchr2(b'?', b'#', &bytes[host_end..]).map_or(bytes.len(), |at| host_end + at);
    let url_end = match bytes.get(path_end) {
        Some(b'?') => memchr::memchr(b'#', &bytes[path_end..]).map_or(bytes.len(), |at| path_end + at),
        _ => path_end,
    };
    let host_end = offset(host_end);
    let table = Table {
        scheme_end: offset(host_start) - 3,
        user_end: offset(host_start),
        host_start: offset(host_start),
        host_end,
        authority_end: host_end,
        path_end: offset(path_end),
        mark: offset(url_end),
        url_end: offset(url_end),
        scheme: Scheme::Http,
        is_generic: false,
        host: if class::ALPHA.contains(bytes[label]) { HostState::Name } else { HostState::Number },
    };
    let url = Url { bytes, table };
    debug_assert_eq!(structure(bytes, options).ok().map(|url| url.table), Some(table));
    Some(url)
}

/// Implements `TryFrom` for each of these text types, by [`Url::parse`].
macro_rules! try_from {
    ($($text:ty)*) => {
        $(impl<'a> TryFrom<&'a $text> for Url<'a> {
            type Error = ParseError;

            fn try_from(text: &'a $text) -> Result<Self, ParseError> {
                Url::parse(text)
            }
        })*
    };
}
try_from!(str [u8] BStr);

/// Runs phases 2 to 4 of P-2, by the scheme's own grammar.
///
/// It accepts only runs of classes within the alphabet, so a URL that it accepts is lexically
/// clean. Errors of [`lexical::check`] precede its own error (see [`first_error`]).
#[inline]
pub(super) fn structure(bytes: &[u8], options: ParseOptions) -> Result<Url<'_>, ParseError> {
    if bytes.len() >= u32::MAX as usize {
        return Err(ParseError::new(ParseErrorKind::TooLong, Scheme::Other, bytes, 0));
    }
    // G-FRAG-1
    let url_end = match options.fragment {
        true => memchr::memchr(b'#', bytes).unwrap_or(bytes.len()),
        false => bytes.len(),
    };
    let url = &bytes[..url_end];
    let scheme_end = class::raw_run(url, 0, class::SCHEME);
    if scheme_end == 0 || url.get(scheme_end) != Some(&b':') {
        return Err(scheme_error(bytes, url, scheme_end));
    }
    let scheme = Scheme::from_bytes(&url[..scheme_end]);
    let (end, colon) = (offset(url_end), offset(scheme_end));
    let mut table = Table {
        scheme_end: colon,
        user_end: colon,
        host_start: colon,
        host_end: colon,
        authority_end: colon,
        path_end: end,
        mark: end,
        url_end: end,
        scheme,
        host: HostState::Absent,
        is_generic: false,
    };
    parts::parse(url, &mut table, options.other_literal)?;
    if url_end < bytes.len() {
        let fragment = class::run(bytes, url_end + 1, class::XCHAR);
        if fragment < bytes.len() {
            return Err(lexical::fault(bytes, fragment));
        }
    }
    Ok(Url { bytes, table })
}

/// Returns the error that comes first by P-2: a lexical error anywhere, else the structural error.
#[cold]
pub(super) fn first_error(bytes: &[u8], options: ParseOptions, structural: ParseError) -> ParseError {
    if structural.kind() == ParseErrorKind::TooLong {
        return structural;
    }
    lexical::check(bytes, options.fragment).err().unwrap_or(structural)
}

/// Returns the error in the scheme (G-SCHEME-3). `run` is the end of the scheme characters at the
/// beginning.
#[cold]
fn scheme_error(bytes: &[u8], url: &[u8], run: usize) -> ParseError {
    let (kind, at) = match memchr::memchr(b':', url) {
        _ if bytes.is_empty() => (ParseErrorKind::Empty, 0),
        None => (ParseErrorKind::MissingScheme, 0),
        Some(0) => (ParseErrorKind::EmptyScheme, 0),
        Some(_) => (ParseErrorKind::BadSchemeChar, run),
    };
    ParseError::new(kind, Scheme::Other, bytes, at)
}

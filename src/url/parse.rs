//! The parser. It parses the scheme, then the rest by the scheme's own grammar, then the fragment.
//! It reports the error that comes first (P-2).

use bstr::BStr;

use super::error::{ParseError, ParseErrorKind};
use super::generic::Generic;
use super::level::Level;
use super::scheme::{Scheme, scheme_of};
use super::table::{HostState, Table, Url, offset};
use super::{lexical, parts};
use crate::bytes::class;

/// The options of the parser.
///
/// # Examples
///
/// ```
/// use urlgrep::{Level, Url, url::ParseOptions};
///
/// let strict = ParseOptions::new().level(Level::Rfc1738);
/// assert!(Url::parse_with("sqlite:///x", strict).is_err()); // `//` announces a host
/// assert!(Url::parse_with("sqlite:///x", strict.other_literal(true)).is_ok()); // `*xchar`
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseOptions {
    pub(super) other_literal: bool,
    pub(super) level: Level,
}

impl ParseOptions {
    /// Returns the defaults: any level is accepted, and by RFC 1738 a `//` of [`Scheme::Https`] and
    /// [`Scheme::Other`] announces `ip-schemepart`.
    #[must_use]
    pub const fn new() -> ParseOptions {
        ParseOptions { other_literal: false, level: Level::Iri }
    }

    /// Accepts any string of `xchar` after the colon of [`Scheme::Https`] and [`Scheme::Other`],
    /// with or without `//` (G-OTHER-2).
    #[must_use]
    pub const fn other_literal(self, yes: bool) -> ParseOptions {
        ParseOptions { other_literal: yes, ..self }
    }

    /// Accepts URLs of this level and of stricter ones, as [`Url::parse_at`] does. The default is
    /// [`Level::Iri`]. No parsed URL has [`Level::None`], so that level accepts no more than
    /// [`Level::Iri`].
    #[must_use]
    pub const fn level(self, loosest: Level) -> ParseOptions {
        ParseOptions { level: loosest, ..self }
    }

    /// Returns whether one `#fragment` is allowed (G-FRAG-1), or none (G-FRAG-3).
    const fn has_fragment(self) -> bool {
        !matches!(self.level, Level::Rfc1738)
    }
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions::new()
    }
}

impl<'a> Url<'a> {
    /// Parses a URL by RFC 1738, else by RFC 3986, else by RFC 3987. [`level`](Url::level) returns
    /// the strictest grammar that accepts it.
    ///
    /// The bytes are parsed as they are. The finder removes white space, `<URL:` and `>`.
    ///
    /// # Errors
    ///
    /// Returns the first byte that prevents every grammar from accepting the text. So a `~`, which
    /// only RFC 1738 rejects, is never the error. [`parse_at`](Url::parse_at) and
    /// [`judge`](crate::url::judge()) return the error of RFC 1738.
    ///
    /// # Complexity
    ///
    /// Linear, without allocation. A URL of RFC 1738 is read once, any other text at most four
    /// times.
    ///
    /// # RFC
    ///
    /// RFC 1738 section 5, `genericurl`; RFC 1808 section 2.2, `[ "#" fragment ]`; RFC 3986
    /// appendix A; RFC 3987 section 2.2.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Level, ParseErrorKind, Url};
    ///
    /// assert_eq!(Url::parse("http://h.example/joe")?.level(), Level::Rfc1738);
    /// let url = Url::parse("http://[::1]:8080/~joe")?; // or bytes
    /// assert_eq!((url.level(), url.port(), url.path().unwrap()), (Level::Rfc3986, Some(8080), "~joe".into()));
    ///
    /// let error = Url::parse("http://h.example/~joe/{x}").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ParseErrorKind::UnsafeGateway, 22));
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[inline]
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Url<'a>, ParseError> {
        Url::parse_with(text, ParseOptions::new())
    }

    /// Parses a URL of this level or a stricter one. [`Level::Rfc1738`] allows no fragment
    /// (`parse_url` of the specification, G-FRAG-3). [`Level::Rfc1738Ref`] allows one
    /// (`parse_reference`, G-FRAG-1).
    ///
    /// # Errors
    ///
    /// By RFC 1738, returns the error of the first phase that fails (P-2). The phases are: bytes
    /// that no URL may hold, the scheme, the authority, the rest. By a looser level, returns the
    /// byte at which that level stops, as [`parse`](Url::parse) does.
    ///
    /// # Complexity
    ///
    /// That of [`parse`](Url::parse).
    ///
    /// # RFC
    ///
    /// Those of [`parse`](Url::parse).
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Level, ParseErrorKind, Url};
    ///
    /// let error = Url::parse_at(Level::Rfc1738Ref, "http://h/~joe#f").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ParseErrorKind::UnsafeGateway, 9));
    /// let error = Url::parse_at(Level::Rfc1738, "http://h/#f").unwrap_err();
    /// assert_eq!(error.kind(), ParseErrorKind::FragmentNotAllowed);
    /// ```
    #[inline]
    pub fn parse_at(level: Level, text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Url<'a>, ParseError> {
        Url::parse_with(text, ParseOptions::new().level(level))
    }

    /// Parses with [`ParseOptions`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse_at`](Url::parse_at) for the level of the options.
    #[inline]
    pub fn parse_with(text: &'a (impl AsRef<[u8]> + ?Sized), options: ParseOptions) -> Result<Url<'a>, ParseError> {
        let bytes = text.as_ref();
        match structure(bytes, options) {
            Ok(url) => {
                #[cfg(debug_assertions)]
                url.check_invariants();
                Ok(url)
            }
            Err(error) => generic(bytes, options, error),
        }
    }
}

/// Parses a URL by RFC 3986 or RFC 3987 after RFC 1738 rejected it, if `options` allow that.
///
/// If the looser grammar also rejects the URL, the error is where that grammar stops. If RFC 1738
/// stops at the same byte, its message says more, except in a host. If the looser grammar rejects
/// the scheme, only RFC 1738 read the rest.
#[cold]
fn generic(bytes: &[u8], options: ParseOptions, structural: ParseError) -> Result<Url<'_>, ParseError> {
    if structural.kind() == ParseErrorKind::TooLong {
        return Err(structural);
    }
    if options.level <= Level::Rfc1738Ref {
        // By P-2, a lexical error anywhere precedes a structural error.
        return Err(lexical::check(bytes, options.has_fragment()).err().unwrap_or(structural));
    }
    let (kind, at) = match Generic::parse_or_misfit(bytes) {
        Ok(generic) if generic.level() <= options.level => return Ok(generic.url(bytes)),
        Ok(_) => (ParseErrorKind::NonAscii, bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or_default()),
        Err(misfit) => (misfit.kind(bytes), misfit.offset()),
    };
    Err(match kind {
        ParseErrorKind::BadSchemeChar => structural,
        kind if kind != ParseErrorKind::BadHostChar && at == structural.offset() => structural,
        kind => {
            ParseError::new(kind, scheme_of(bytes).map_or(Scheme::Other, |name| Scheme::from_bytes(name)), bytes, at)
        }
    })
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
    if !bytes.starts_with(START) || !options.has_fragment() || bytes.len() >= u32::MAX as usize {
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
/// clean. Errors of [`lexical::check`] precede its own error (P-2).
#[inline]
pub(super) fn structure(bytes: &[u8], options: ParseOptions) -> Result<Url<'_>, ParseError> {
    if bytes.len() >= u32::MAX as usize {
        return Err(ParseError::new(ParseErrorKind::TooLong, Scheme::Other, bytes, 0));
    }
    // G-FRAG-1
    let url_end = match options.has_fragment() {
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

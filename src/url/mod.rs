//! Floor 1: URLs. A parser of RFC 1738, of RFC 1808 references, and of the levels of RFC 3986 and RFC 3987.
//!
//! Owns the question "what is this string, and what is wrong with it?" and knows nothing of the text around it. The
//! law is spec.md; its rule ids (`G-FTP-2`, `S-GOPHER-3`, `P-2`) stand wherever the code decides something.
//!
//! A [`Url`] borrows the bytes it was made from and adds a table of offsets. Nothing is copied, decoded or
//! normalised to parse it: components are split first and decoded after, on request (P-4, P-5). Absent and empty
//! components differ: `http://h` has no path, `http://h/` has an empty one.
//!
//! | module | owns | rules |
//! |---|---|---|
//! | `lexical` | bytes that no URL holds | G-LEX, G-FRAG |
//! | `login` | user, password, host, port | G-LOGIN, G-HOST, G-PORT |
//! | [`ftp`] … [`prospero`], [`other`] | one scheme each: its grammar and its meaning | G-FTP … G-OTHER, S-… |
//! | [`escape`] | encoding and decoding of components | section 1 |
//! | [`relative`] | RFC 1808 references and their resolution | G-1808, R-1808 |
//! | [`generic`] | RFC 3986 components, resolution, and RFC 3987 characters | section 8 |
//! | `equal` | equality for de-duplication | section 4 |
//! | `level` | the strictest grammar that fits | section 8 |
//! | `plain` | the same for plain http, https and ftp URLs, at a glance | |
//! | `error` | the words | section 2 |

mod equal;
mod error;
pub mod escape;
pub mod file;
pub mod ftp;
pub mod generic;
pub mod gopher;
mod host;
pub mod http;
mod level;
mod lexical;
mod login;
pub mod mailto;
pub mod news;
pub mod nntp;
pub mod other;
pub(crate) mod plain;
pub mod prospero;
pub mod relative;
mod scheme;
pub mod telnet;
pub mod wais;

#[cfg(test)]
mod tests;

use std::fmt;

use bstr::{BStr, ByteSlice};

use crate::bytes::class;

pub use equal::equivalence_key;
pub use error::{ParseError, ParseErrorKind};
pub use escape::Component;
pub use file::File;
pub use ftp::Ftp;
pub use generic::Generic;
pub use gopher::{Gopher, GopherPlus};
#[cfg(feature = "report")]
pub(crate) use host::host_of;
pub use host::{host, scheme_of};
pub use http::Http;
pub(crate) use level::judge_any;
pub use level::{Level, ParseLevelError, Verdict, judge};
pub use mailto::Mailto;
pub use news::{News, NewsForm};
pub use nntp::Nntp;
pub use other::{Other, OtherForm};
pub use prospero::Prospero;
pub use relative::Reference;
pub use scheme::Scheme;
pub use telnet::Telnet;
pub use wais::{Wais, WaisForm};

/// How to parse.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOptions {
    other_literal: bool,
    fragment: bool,
}

impl ParseOptions {
    /// One fragment is allowed, and `//` announces `ip-schemepart` in every scheme.
    #[must_use]
    pub const fn new() -> ParseOptions {
        ParseOptions { other_literal: false, fragment: true }
    }

    /// Take any string of `xchar` after the colon of a scheme other than the ten, `//` or not (G-OTHER-2).
    #[must_use]
    pub const fn other_literal(self, yes: bool) -> ParseOptions {
        ParseOptions { other_literal: yes, ..self }
    }

    /// Allow one `#fragment` (G-FRAG-1), or none (G-FRAG-3).
    #[must_use]
    pub const fn fragment(self, yes: bool) -> ParseOptions {
        ParseOptions { fragment: yes, ..self }
    }
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions::new()
    }
}

/// What a host is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HostType {
    /// `hostname`: labels, the last of which begins with a letter.
    Name,
    /// `hostnumber`: four groups of digits. They may be above 255 (G-HOST-4).
    Number,
}

impl HostType {
    /// `name` or `number`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            HostType::Name => "name",
            HostType::Number => "number",
        }
    }
}

/// Whether there is a host, and of which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostState {
    /// The form has no host: mailto, groups, opaque URLs.
    Absent,
    /// `file:///`: a host without a character (G-FILE-1).
    Empty,
    Name,
    Number,
}

/// Where the parts of a URL lie. Offsets into its bytes; 32 bits halve the table and are checked once, at the door.
#[derive(Clone, Copy, Debug)]
struct Table {
    /// The colon after the scheme.
    scheme_end: u32,
    /// The end of the user: the `:` before the password, or the `@`. Without userinfo `host_start`.
    user_end: u32,
    /// The first byte of the host; `scheme_end + 3` where there is no userinfo.
    host_start: u32,
    /// The end of the host: the colon before the port, or `authority_end`.
    host_end: u32,
    /// The end of the authority: the `/` of the path, or `url_end`. Without authority `scheme_end`.
    authority_end: u32,
    /// The end of the first part after the authority: path, selector, database, group, local part, unique.
    path_end: u32,
    /// The scheme's own cut after that: the end of a gopher search or WAIS type.
    mark: u32,
    /// The end of the URL: the `#` of the fragment, or the end.
    url_end: u32,
    scheme: Scheme,
    host: HostState,
}

/// An offset that is known to fit: inputs of more than 4 GiB are refused at the door ([`ParseErrorKind::TooLong`]).
#[inline(always)]
fn offset(at: usize) -> u32 {
    debug_assert!(at < u32::MAX as usize);
    at as u32
}

/// A URL of RFC 1738, with or without a fragment, and where its parts lie.
///
/// ```text
/// ftp://user:password@host.example:2121/cwd/name;type=a#fragment
///    |      |        ||           |    |        |      |
///    |      |        ||           |    |        |      url_end
///    |      |        ||           |    |        path_end
///    |      |        ||           |    authority_end
///    |      |        ||           host_end
///    |      |        |host_start
///    |      |        '-- the `@`, one before host_start
///    |      user_end
///    scheme_end
/// ```
///
/// It is a view: `Copy`, 56 bytes, and it borrows what was parsed. [`parts`](Url::parts) gives the view of its
/// scheme, with that scheme's vocabulary.
///
/// # RFC
///
/// RFC 1738 section 5 (`genericurl`, read by spec.md section 3), and the fragment of RFC 1808.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::Parts;
///
/// let url = Url::parse(b"FTP://joe:%24@Host.example/pub/doc;type=a#top")?;
/// assert_eq!(url.scheme_str(), "FTP");
/// assert_eq!(url.user().unwrap(), "joe");
/// assert_eq!(url.host().unwrap(), "Host.example");
/// assert_eq!(url.port_effective(), Some(21));
/// assert_eq!(url.fragment().unwrap(), "top");
/// let Parts::Ftp(ftp) = url.parts() else { unreachable!() };
/// assert_eq!(ftp.name().unwrap(), "doc");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Url<'a> {
    bytes: &'a [u8],
    table: Table,
}

/// A URL's parts, by scheme: one view each.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Parts<'a> {
    /// `ftp:`
    Ftp(Ftp<'a>),
    /// `http:`
    Http(Http<'a>),
    /// `gopher:`
    Gopher(Gopher<'a>),
    /// `mailto:`
    Mailto(Mailto<'a>),
    /// `news:`
    News(News<'a>),
    /// `nntp:`
    Nntp(Nntp<'a>),
    /// `telnet:`
    Telnet(Telnet<'a>),
    /// `wais:`
    Wais(Wais<'a>),
    /// `file:`
    File(File<'a>),
    /// `prospero:`
    Prospero(Prospero<'a>),
    /// Any other scheme, https among them.
    Other(Other<'a>),
}

impl<'a> Url<'a> {
    /// Parses a URL that may have a fragment: `parse_reference` of spec.md (G-FRAG-1).
    ///
    /// The bytes are taken as they are. White space, `<URL:` and `>` are the finder's to remove.
    ///
    /// # Errors
    ///
    /// The first error by phases (P-2): bytes that no URL holds, the scheme, the authority, the rest.
    ///
    /// # Complexity
    ///
    /// Linear, without allocation; what is valid is read once, what is not at most twice more.
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
    /// assert_eq!(Url::parse(b"http://h/#f")?.fragment().unwrap(), "f");
    /// let error = Url::parse(b"http://h?q").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ParseErrorKind::MissingPathSlash, 8));
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[inline]
    pub fn parse(bytes: &'a [u8]) -> Result<Url<'a>, ParseError> {
        Url::parse_with(bytes, ParseOptions::new())
    }

    /// Parses a URL proper: `parse_url` of spec.md, where any `#` is an error (G-FRAG-3).
    ///
    /// # Errors
    ///
    /// As [`parse`](Url::parse), and [`ParseErrorKind::FragmentNotAllowed`].
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
    pub fn parse_without_fragment(bytes: &'a [u8]) -> Result<Url<'a>, ParseError> {
        Url::parse_with(bytes, ParseOptions::new().fragment(false))
    }

    /// Parses with [`ParseOptions`].
    ///
    /// # Errors
    ///
    /// As [`parse`](Url::parse).
    #[inline]
    pub fn parse_with(bytes: &'a [u8], options: ParseOptions) -> Result<Url<'a>, ParseError> {
        match structure(bytes, options) {
            Ok(url) => {
                #[cfg(debug_assertions)]
                url.check_invariants();
                Ok(url)
            }
            Err(error) => Err(first_error(bytes, options, error)),
        }
    }

    /// The whole text, fragment included.
    #[inline]
    #[must_use]
    pub fn as_bstr(&self) -> &'a BStr {
        self.bytes.as_bstr()
    }

    /// The scheme.
    #[inline]
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.table.scheme
    }

    /// The scheme's name as written, in any case.
    #[inline]
    #[must_use]
    pub fn scheme_str(&self) -> &'a BStr {
        self.slice(0, self.table.scheme_end)
    }

    /// The text without `#` and fragment.
    #[inline]
    #[must_use]
    pub fn without_fragment(&self) -> &'a BStr {
        self.slice(0, self.table.url_end)
    }

    /// The fragment, without its `#`. It may be empty and yet present (G-FRAG-2).
    #[inline]
    #[must_use]
    pub fn fragment(&self) -> Option<&'a BStr> {
        self.bytes.get(self.table.url_end as usize + 1..).map(|fragment| fragment.as_bstr())
    }

    /// The host as written. A news article has one too; `file:///x` has an empty one (G-FILE-1).
    #[inline]
    #[must_use]
    pub fn host(&self) -> Option<&'a BStr> {
        (self.table.host != HostState::Absent).then(|| self.slice(self.table.host_start, self.table.host_end))
    }

    /// What the host is; `None` without a host, or with an empty one.
    #[inline]
    #[must_use]
    pub fn host_type(&self) -> Option<HostType> {
        match self.table.host {
            HostState::Absent | HostState::Empty => None,
            HostState::Name => Some(HostType::Name),
            HostState::Number => Some(HostType::Number),
        }
    }

    /// The port's digits as written, leading zeros kept (G-PORT-2).
    #[inline]
    #[must_use]
    pub fn port_text(&self) -> Option<&'a BStr> {
        let Table { host_end, authority_end, .. } = self.table;
        (host_end < authority_end).then(|| self.slice(host_end + 1, authority_end))
    }

    /// The port that is written, as a number.
    ///
    /// The grammar takes any number of digits, so this may be 0 or above 65535 (an audit's matter: A-PORT-RANGE).
    /// `None` without a port, and where 64 bits do not hold the number: such a port is unusable (G-PORT-2).
    #[must_use]
    pub fn port(&self) -> Option<u64> {
        number(self.port_text()?)
    }

    /// The port that is meant: the written one, else the scheme's default (G-PORT-3).
    ///
    /// `None` where there is no default, and where the written port is unusable.
    #[must_use]
    pub fn port_effective(&self) -> Option<u64> {
        match self.port_text() {
            Some(digits) => number(digits),
            None => self.host().and(self.scheme().default_port()).map(u64::from),
        }
    }

    /// The user name, raw. Empty and present in `ftp://@h` (G-LOGIN-2).
    #[inline]
    #[must_use]
    pub fn user(&self) -> Option<&'a BStr> {
        self.has_userinfo().then(|| self.slice(self.table.scheme_end + 3, self.table.user_end))
    }

    /// The password, raw. Where there is one there is a user, perhaps an empty one (G-LOGIN-2).
    #[inline]
    #[must_use]
    pub fn password(&self) -> Option<&'a BStr> {
        let Table { user_end, host_start, .. } = self.table;
        (self.has_userinfo() && user_end + 1 < host_start).then(|| self.slice(user_end + 1, host_start - 1))
    }

    /// The path after the slash of the authority, raw: that of ftp (without typecode), http, file, prospero (without
    /// fields), and of others with a host. `None` without the slash, and in all other forms.
    #[must_use]
    pub fn path(&self) -> Option<&'a BStr> {
        match self.table.scheme {
            Scheme::Ftp | Scheme::Http | Scheme::File | Scheme::Prospero => self.slashed_path(),
            Scheme::Other if self.table.host != HostState::Absent => self.slashed_path(),
            _ => None,
        }
    }

    /// The view of the URL's scheme.
    #[must_use]
    pub fn parts(&self) -> Parts<'a> {
        match self.table.scheme {
            Scheme::Ftp => Parts::Ftp(Ftp { url: *self }),
            Scheme::Http => Parts::Http(Http { url: *self }),
            Scheme::Gopher => Parts::Gopher(Gopher { url: *self }),
            Scheme::Mailto => Parts::Mailto(Mailto { url: *self }),
            Scheme::News => Parts::News(News { url: *self }),
            Scheme::Nntp => Parts::Nntp(Nntp { url: *self }),
            Scheme::Telnet => Parts::Telnet(Telnet { url: *self }),
            Scheme::Wais => Parts::Wais(Wais { url: *self }),
            Scheme::File => Parts::File(File { url: *self }),
            Scheme::Prospero => Parts::Prospero(Prospero { url: *self }),
            Scheme::Other => Parts::Other(Other { url: *self }),
        }
    }

    /// Bytes that are the same for URLs that mean the same, for de-duplication only (spec.md section 4, Equality).
    ///
    /// Scheme and host lose their case, a default port goes, `http://h` gains its slash, hexadecimal digits become
    /// upper case, and unreserved octets are decoded; reserved ones never. The key is a URL, but not always one that
    /// should be shown.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Url;
    ///
    /// let key = |text: &'static str| Url::parse(text.as_bytes()).map(|url| url.equivalence_key());
    /// assert_eq!(key("HTTP://Host:80"), key("http://host/"));
    /// assert_eq!(key("http://h/%41%2f"), key("http://h/A%2F"));
    /// assert_ne!(key("http://h/%2F"), key("http://h//"));
    /// ```
    #[must_use]
    pub fn equivalence_key(&self) -> Vec<u8> {
        equal::url_key(self)
    }

    /// Panics where the table of offsets is not what the documentation of its fields says. For tests.
    #[doc(hidden)]
    pub fn check_invariants(&self) {
        let Table { scheme_end, user_end, host_start, host_end, authority_end, path_end, mark, url_end, .. } =
            self.table;
        let byte = |at: u32| self.bytes.get(at as usize).copied();
        assert!(0 < scheme_end && scheme_end < url_end);
        assert_eq!(byte(scheme_end), Some(b':'));
        assert!(url_end as usize <= self.bytes.len());
        assert!(matches!(byte(url_end), None | Some(b'#')));
        assert!(path_end <= mark && mark <= url_end);
        if self.table.host == HostState::Absent {
            assert_eq!([user_end, host_start, host_end, authority_end], [scheme_end; 4]);
            assert!(scheme_end < path_end);
            return;
        }
        assert!(host_start <= host_end && host_end <= authority_end && authority_end <= url_end);
        assert_eq!(host_start == host_end, self.table.host == HostState::Empty);
        if self.table.scheme == Scheme::News {
            // The one host that comes last: `unique@host`.
            assert_eq!(byte(path_end), Some(b'@'));
            assert_eq!((path_end + 1, host_end, authority_end), (host_start, url_end, url_end));
            return;
        }
        assert!(scheme_end + 3 <= user_end && user_end <= host_start);
        assert_eq!(&self.bytes[scheme_end as usize..][..3], b"://");
        if host_start > scheme_end + 3 {
            assert_eq!(byte(host_start - 1), Some(b'@'));
            assert!(matches!(byte(user_end), Some(b':' | b'@')));
        }
        if host_end < authority_end {
            assert_eq!(byte(host_end), Some(b':'));
            assert!(host_end + 1 < authority_end);
        }
        if authority_end < url_end {
            assert_eq!(byte(authority_end), Some(b'/'));
            assert!(authority_end < path_end);
        } else {
            assert_eq!([path_end, mark], [url_end; 2]);
        }
    }

    /// What lies between two offsets of the table.
    #[inline]
    fn slice(&self, from: u32, to: u32) -> &'a BStr {
        self.bytes[from as usize..to as usize].as_bstr()
    }

    fn has_userinfo(&self) -> bool {
        self.table.host != HostState::Absent
            && self.table.scheme != Scheme::News
            && self.table.host_start > self.table.scheme_end + 3
    }

    /// What follows the `/` after the authority, up to `path_end`.
    fn slashed_path(&self) -> Option<&'a BStr> {
        let Table { authority_end, path_end, url_end, .. } = self.table;
        (authority_end < url_end).then(|| self.slice(authority_end + 1, path_end))
    }
}

impl fmt::Debug for Url<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Url").field(&self.as_bstr()).finish()
    }
}

impl fmt::Display for Url<'_> {
    /// The text as it was parsed; octets are never changed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_bstr(), f)
    }
}

impl PartialEq for Url<'_> {
    /// Equal bytes. Two URLs that mean the same have equal [keys](Url::equivalence_key).
    fn eq(&self, other: &Url<'_>) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Url<'_> {}

impl std::hash::Hash for Url<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl AsRef<[u8]> for Url<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// Phases 2 to 4 of P-2, by the scheme's own grammar.
///
/// Every run of bytes that this accepts is a run of a class within the alphabet, so what it accepts is lexically
/// clean; an error of its own counts only after [`lexical::check`] (see [`first_error`]).
#[inline]
fn structure(bytes: &[u8], options: ParseOptions) -> Result<Url<'_>, ParseError> {
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
    };
    match scheme {
        Scheme::Http => http::parse(url, &mut table)?,
        Scheme::Other => other::parse(url, options.other_literal, &mut table)?,
        Scheme::Ftp => ftp::parse(url, &mut table)?,
        Scheme::Gopher => gopher::parse(url, &mut table)?,
        Scheme::Mailto => mailto::parse(url, &mut table)?,
        Scheme::News => news::parse(url, &mut table)?,
        Scheme::Nntp => nntp::parse(url, &mut table)?,
        Scheme::Telnet => telnet::parse(url, &mut table)?,
        Scheme::Wais => wais::parse(url, &mut table)?,
        Scheme::File => file::parse(url, &mut table)?,
        Scheme::Prospero => prospero::parse(url, &mut table)?,
    }
    if url_end < bytes.len() {
        let fragment = class::run(bytes, url_end + 1, class::XCHAR);
        if fragment < bytes.len() {
            return Err(lexical::fault(bytes, fragment));
        }
    }
    Ok(Url { bytes, table })
}

/// The error that comes first by P-2: a lexical one anywhere, else the one of structure.
#[cold]
fn first_error(bytes: &[u8], options: ParseOptions, structural: ParseError) -> ParseError {
    if structural.kind() == ParseErrorKind::TooLong {
        return structural;
    }
    lexical::check(bytes, options.fragment).err().unwrap_or(structural)
}

/// G-SCHEME-3: what is wrong with the scheme. `run` is the end of the characters of a scheme at the beginning.
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

/// The value of a run of digits, if 64 bits hold it.
fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |value, digit| {
        debug_assert!(digit.is_ascii_digit());
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })
}

//! [`Url`]: its bytes, and a table with the places of its parts.

use std::cmp::Ordering;
use std::fmt;

use bstr::{BStr, ByteSlice};

use super::level::Level;
use super::pairs::QueryPairs;
use super::scheme::Scheme;

/// The kind of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HostType {
    /// A name. The last label of a `hostname` of RFC 1738 begins with a letter.
    Name,
    /// Four groups of digits. In a `hostnumber` of RFC 1738, they may be above 255 (G-HOST-4).
    Number,
    /// An address in brackets, which RFC 1738 does not have.
    Literal,
}

impl HostType {
    /// Returns `name`, `number` or `literal`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            HostType::Name => "name",
            HostType::Number => "number",
            HostType::Literal => "literal",
        }
    }
}

crate::bytes::display::display!(HostType, as_str);

/// Whether there is a host, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostState {
    /// This form of URL has no host: mailto, newsgroups, opaque URLs.
    Absent,
    /// `file:///`: an empty host (G-FILE-1).
    Empty,
    Name,
    Number,
    Literal,
}

/// The places of the parts of a URL, as offsets into its bytes. Offsets of 32 bits halve the size
/// of the table. The parser checks once that the offsets fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The colon after the scheme.
    pub(super) scheme_end: u32,
    /// The end of the user: the `:` before the password, or the `@`. Without userinfo:
    /// `host_start`.
    pub(super) user_end: u32,
    /// The first byte of the host. After `//` without userinfo: `scheme_end + 3`. Without host:
    /// `scheme_end`.
    pub(super) host_start: u32,
    /// The end of the host: the colon before the port, or `authority_end`.
    pub(super) host_end: u32,
    /// The end of the authority: the `/` of the path, or `url_end`. By RFC 3986, also the `?` of a
    /// query. Without authority: `scheme_end`.
    pub(super) authority_end: u32,
    /// The end of the first part after the authority: path, selector, database, group, local part,
    /// unique.
    pub(super) path_end: u32,
    /// A scheme-specific place after `path_end`: the end of a gopher search or WAIS type, else
    /// `url_end`.
    pub(super) mark: u32,
    /// The end of the URL: the `#` of the fragment, or the end of the text.
    pub(super) url_end: u32,
    pub(super) scheme: Scheme,
    pub(super) host: HostState,
    /// Whether the URL was parsed by RFC 3986 or RFC 3987, because RFC 1738 rejects it.
    pub(super) is_generic: bool,
}

/// Returns an offset in 32 bits. It fits, because the parser rejects inputs of 4 GiB or more
/// (`ParseErrorKind::TooLong`).
#[inline(always)]
pub(super) fn offset(at: usize) -> u32 {
    debug_assert!(at < u32::MAX as usize);
    at as u32
}

/// A URL of RFC 1738, RFC 3986 or RFC 3987, and the places of its parts.
///
/// [`level`](Url::level) returns the strictest of these grammars that accepts it. The methods for
/// host, port, path, query and fragment work in the same way at every level. If RFC 1738 rejects
/// the URL, [`parts`](Url::parts) returns [`Parts::Other`](crate::url::Parts::Other).
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
/// A `Url` is a `Copy` view of 56 bytes that borrows the parsed text. [`UrlBuf`](crate::UrlBuf)
/// owns its text. [`parts`](Url::parts) returns the view of its scheme, with the vocabulary of that
/// scheme. URLs are compared and sorted by their bytes. Two URLs with the same meaning have equal
/// [keys](Url::key).
///
/// # RFC
///
/// RFC 1738 section 5 (`genericurl`, as the specification reads it in section 3), and the fragment
/// of RFC 1808; RFC 3986; RFC 3987.
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
    pub(super) bytes: &'a [u8],
    pub(super) table: Table,
}

/// Most of these methods are inlined into the reports. No closure in them captures the URL, because
/// that would force the URL into memory.
impl<'a> Url<'a> {
    /// Returns the whole text, with its fragment.
    #[inline(always)]
    #[must_use]
    pub fn as_bstr(&self) -> &'a BStr {
        self.bytes.as_bstr()
    }

    /// Returns the strictest grammar that the URL satisfies. It is never [`Level::None`].
    ///
    /// # Complexity
    ///
    /// Constant by RFC 1738. By the looser grammars, linear without allocation.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Level, Url};
    ///
    /// let level = |text: &'static str| Url::parse(text).map(|url| url.level());
    /// assert_eq!(level("http://h/joe"), Ok(Level::Rfc1738));
    /// assert_eq!(level("http://h/joe#f"), Ok(Level::Rfc1738Ref));
    /// assert_eq!(level("http://h/~joe"), Ok(Level::Rfc3986));
    /// assert_eq!(level("http://h/jö"), Ok(Level::Iri));
    /// ```
    #[must_use]
    pub fn level(&self) -> Level {
        match self.table.is_generic {
            false if self.fragment().is_none() => Level::Rfc1738,
            false => Level::Rfc1738Ref,
            true if self.bytes.is_ascii() => Level::Rfc3986,
            true => Level::Iri,
        }
    }

    /// Returns the URL as a string. It is ASCII (G-LEX-6), or UTF-8 at level iri.
    ///
    /// # Complexity
    ///
    /// Linear, because the bytes are validated as UTF-8; without allocation.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }

    /// Returns the scheme.
    #[inline(always)]
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.table.scheme
    }

    /// Returns the scheme's name as written, in any case.
    #[inline(always)]
    #[must_use]
    pub fn scheme_str(&self) -> &'a BStr {
        self.slice(0, self.table.scheme_end)
    }

    /// Returns the text before the `#` of the fragment.
    #[inline]
    #[must_use]
    pub fn without_fragment(&self) -> &'a BStr {
        self.slice(0, self.table.url_end)
    }

    /// Returns the fragment, without its `#`. It may be empty and yet present (G-FRAG-2).
    #[inline(always)]
    #[must_use]
    pub fn fragment(&self) -> Option<&'a BStr> {
        self.bytes.get(self.table.url_end as usize + 1..).map(|fragment| fragment.as_bstr())
    }

    /// Returns the host as written. A news article has a host, too. The host of `file:///x` is
    /// empty (G-FILE-1).
    #[inline(always)]
    #[must_use]
    pub fn host(&self) -> Option<&'a BStr> {
        let Table { host, host_start, host_end, .. } = self.table;
        if host != HostState::Absent { Some(self.slice(host_start, host_end)) } else { None }
    }

    /// Returns the kind of the host. `None` if the host is absent or empty.
    #[inline(always)]
    #[must_use]
    pub fn host_type(&self) -> Option<HostType> {
        match self.table.host {
            HostState::Absent | HostState::Empty => None,
            HostState::Name => Some(HostType::Name),
            HostState::Number => Some(HostType::Number),
            HostState::Literal => Some(HostType::Literal),
        }
    }

    /// Returns the port's digits as written, with leading zeros (G-PORT-2).
    #[inline(always)]
    #[must_use]
    pub fn port_text(&self) -> Option<&'a BStr> {
        let Table { host_end, authority_end, .. } = self.table;
        if host_end < authority_end { Some(self.slice(host_end + 1, authority_end)) } else { None }
    }

    /// Returns the written port as a number. `None` if there is no port, no digit (G-PORT-2), or a
    /// number above 65535. [`port_text`](Url::port_text) has the digits in any case.
    ///
    /// The port may be 0. The audit reports ports that cannot exist (A-PORT-RANGE).
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Url;
    ///
    /// assert_eq!(Url::parse("http://h:080/")?.port(), Some(80));
    /// let url = Url::parse("http://h:65536/")?;
    /// assert_eq!((url.port(), url.port_text().unwrap()), (None, "65536".into()));
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        port(self.port_text()?)
    }

    /// Returns the port that a client connects to: the written port, else the scheme's
    /// [default](Scheme::default_port) (G-PORT-3). A colon without digits also stands for the
    /// default (RFC 3986 section 3.2.3).
    ///
    /// `None` if there is no default, or if the written port is above 65535.
    #[inline]
    #[must_use]
    pub fn port_effective(&self) -> Option<u16> {
        match self.port_text() {
            Some(digits) if !digits.is_empty() => port(digits),
            _ if self.table.host == HostState::Absent => None,
            _ => self.scheme().default_port(),
        }
    }

    /// Returns the part before the `@` of the authority, raw: the [user](Self::user), and perhaps a
    /// [password](Self::password).
    #[inline]
    #[must_use]
    pub fn userinfo(&self) -> Option<&'a BStr> {
        let Table { scheme_end, host_start, .. } = self.table;
        if self.has_userinfo() { Some(self.slice(scheme_end + 3, host_start - 1)) } else { None }
    }

    /// Returns the user name, raw. In `ftp://@h` it is present, but empty (G-LOGIN-2).
    #[inline(always)]
    #[must_use]
    pub fn user(&self) -> Option<&'a BStr> {
        let Table { scheme_end, user_end, .. } = self.table;
        if self.has_userinfo() { Some(self.slice(scheme_end + 3, user_end)) } else { None }
    }

    /// Returns the password, raw. A URL with a password also has a user, which may be empty
    /// (G-LOGIN-2).
    #[inline(always)]
    #[must_use]
    pub fn password(&self) -> Option<&'a BStr> {
        let Table { user_end, host_start, .. } = self.table;
        let is_there = self.has_userinfo() && user_end + 1 < host_start;
        if is_there { Some(self.slice(user_end + 1, host_start - 1)) } else { None }
    }

    /// Returns the path after the slash of the authority, raw. URLs of ftp, http, file and prospero
    /// have a path. It excludes the typecode of ftp and the fields of prospero. URLs of
    /// [`Scheme::Https`] and [`Scheme::Other`] with a host have a path that ends at the `?`. So
    /// have URLs that only RFC 3986 accepts. `None` without the slash, and in all other forms.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Url;
    ///
    /// for text in ["https://h/a/b?c#d", "https://h/a/b?c#d~", "http://h/a/b?c/d", "https://[::1]/a/b?é"] {
    ///     let url = Url::parse(text)?;
    ///     assert_eq!(url.path().unwrap(), "a/b");
    ///     assert!(url.query().is_some());
    /// }
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn path(&self) -> Option<&'a BStr> {
        let path = self.whole_path()?;
        let ends = self.scheme().is_otherurl() && !self.table.is_generic;
        let end = if ends { path.find_byte(b'?') } else { None };
        Some(path[..end.unwrap_or(path.len())].as_bstr())
    }

    /// Returns the query after the `?`, raw. URLs of http, https, wais, mailto and
    /// [`Scheme::Other`] can have a query. So can any URL that only RFC 3986 accepts. In the
    /// remaining schemes of RFC 1738, a `?` is an ordinary character.
    #[must_use]
    pub fn query(&self) -> Option<&'a BStr> {
        let Table { scheme, authority_end, url_end, is_generic, .. } = self.table;
        let has_query =
            is_generic || scheme.is_otherurl() || matches!(scheme, Scheme::Http | Scheme::Wais | Scheme::Mailto);
        let rest = if has_query { self.slice(authority_end, url_end) } else { BStr::new("") };
        rest.find_byte(b'?').map(|at| rest[at + 1..].as_bstr())
    }

    /// Returns the names and values of the [query](Url::query), decoded as those of a form. Without
    /// a query there are none.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Url;
    ///
    /// let url = Url::parse("https://h.example/find?q=red+boats%21&page=2&all")?;
    /// let pairs: Vec<_> = url.query_pairs().collect();
    /// assert_eq!(pairs, [("q".into(), "red boats!".into()), ("page".into(), "2".into()), ("all".into(), "".into())]);
    /// # Ok::<(), urlgrep::ParseError>(())
    /// ```
    #[must_use]
    pub fn query_pairs(&self) -> QueryPairs<'a> {
        QueryPairs::new(self.query().unwrap_or_default())
    }

    /// Returns the path as the URL's grammar splits it. By RFC 1738, the path of [`Scheme::Other`]
    /// may hold `?`.
    #[inline(always)]
    pub(super) fn whole_path(&self) -> Option<&'a BStr> {
        let Table { scheme, host, is_generic, .. } = self.table;
        let is_there = is_generic || scheme.row().has_path && host != HostState::Absent;
        if is_there { self.slashed_path() } else { None }
    }

    /// Panics if an offset of the table contradicts the documentation of its field. Debug builds
    /// call this for every URL that they parse by RFC 1738.
    #[cfg(debug_assertions)]
    pub(super) fn check_invariants(&self) {
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
            // In `unique@host`, the host comes last.
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

    /// Returns the bytes between two offsets of the table.
    #[inline(always)]
    pub(super) fn slice(&self, from: u32, to: u32) -> &'a BStr {
        self.bytes[from as usize..to as usize].as_bstr()
    }

    /// Returns whether this is a news URL of RFC 1738. The host of an article follows its `@`,
    /// without `//`.
    #[inline(always)]
    fn is_article(&self) -> bool {
        self.table.scheme == Scheme::News && !self.table.is_generic
    }

    #[inline(always)]
    fn has_userinfo(&self) -> bool {
        self.table.host != HostState::Absent && !self.is_article() && self.table.host_start > self.table.scheme_end + 3
    }

    /// Returns the path of RFC 3986: the part after the authority, up to the query. Without
    /// authority, it begins after the scheme.
    pub(super) fn path_with_slash(&self) -> &'a BStr {
        let Table { scheme_end, authority_end, url_end, host, .. } = self.table;
        let has_authority = host != HostState::Absent && !self.is_article();
        let start = if has_authority { authority_end } else { scheme_end + 1 };
        let query = self.query().map_or(0, |query| offset(query.len()) + 1);
        self.slice(start, url_end - query)
    }

    /// Returns the bytes after the `/` that follows the authority, up to `path_end`. Without a
    /// host, the `/` must follow the colon.
    #[inline(always)]
    pub(super) fn slashed_path(&self) -> Option<&'a BStr> {
        let Table { authority_end, path_end, .. } = self.table;
        let slash = authority_end + u32::from(self.table.host == HostState::Absent);
        let is_there = slash < path_end && self.bytes[slash as usize] == b'/';
        if is_there { Some(self.slice(slash + 1, path_end)) } else { None }
    }
}

impl fmt::Debug for Url<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Url").field(&self.as_bstr()).finish()
    }
}

impl fmt::Display for Url<'_> {
    /// Writes the text as it was parsed, without changes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_bstr(), f)
    }
}

impl PartialEq for Url<'_> {
    fn eq(&self, other: &Url<'_>) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Url<'_> {}

impl PartialOrd for Url<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Url<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(other.bytes)
    }
}

impl std::hash::Hash for Url<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

/// Returns [`Url::as_str`], in linear time.
impl AsRef<str> for Url<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for Url<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// Returns the value of a run of digits, if it is not empty and a port can have it.
pub(super) fn port(digits: &[u8]) -> Option<u16> {
    u16::try_from(number(digits)?).ok()
}

/// Returns the value of a run of digits, if it is not empty and fits 64 bits.
#[inline(never)]
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    // RFC 3986 allows a port without digits.
    let (&first, rest) = digits.split_first()?;
    rest.iter().try_fold(u64::from(first - b'0'), |value, digit| {
        debug_assert!(digit.is_ascii_digit());
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })
}

//! RFC 3986 URIs and RFC 3987 IRIs: the looser levels (the specification, section 8), and
//! resolution by RFC 3986.
//!
//! ```text
//! URI         = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
//! hier-part   = "//" authority path-abempty / path-absolute / path-rootless / path-empty
//! authority   = [ userinfo "@" ] host [ ":" port ]
//! host        = IP-literal / IPv4address / reg-name
//! ```
//!
//! The two grammars can find different parts in one string (A-DIVERGE). By RFC 1738, the host of
//! `https://h?e=j@x` is `x`, because a user name may hold a `?`. By RFC 3986, its host is `h`.
//!
//! An IRI differs from a URI only in its characters. By section 8, its non-ASCII characters begin
//! at U+00A1. The no-break space, U+00A0, is `ucschar` by RFC 3987, but readers see it as white
//! space.

use std::net::{Ipv4Addr, Ipv6Addr};

use bstr::{BStr, ByteSlice};

use super::error::{ParseError, ParseErrorKind};
use super::escape::push_escape;
use super::level::Level;
use super::lexical;
use super::rough::first_host_len;
use super::scheme::{self, Scheme};
use super::table::{HostState, Table, Url, offset};
use crate::bytes::class::{self, Class};
use crate::bytes::{letters, scripts};

/// The components of a URI or IRI, raw. Absent and empty components differ: `http://h?` has an
/// empty query.
///
/// # Examples
///
/// ```
/// use urlgrep::Level;
/// use urlgrep::url::Generic;
///
/// let generic = Generic::parse(b"https://u@h:/~a?b/c#").unwrap();
/// assert_eq!(generic.host.unwrap(), "h");
/// assert_eq!(generic.port.unwrap(), "");
/// assert_eq!(generic.path, "/~a");
/// assert_eq!(generic.query.unwrap(), "b/c");
/// assert_eq!(generic.level(), Level::Rfc3986);
/// assert_eq!(Generic::parse("http://é/".as_bytes()).unwrap().level(), Level::Iri);
/// assert!(Generic::parse(b"http://h/{x}").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Generic<'a> {
    /// The scheme as written, in any case.
    pub scheme: &'a BStr,
    /// The part before the `@` of the authority.
    pub userinfo: Option<&'a BStr>,
    /// A name, an IPv4 address, or an IP literal with its brackets. The host is present after `//`,
    /// but may be empty.
    pub host: Option<&'a BStr>,
    /// The digits after the colon of the host, perhaps none.
    pub port: Option<&'a BStr>,
    /// The path with its first slash. It is never absent.
    pub path: &'a BStr,
    /// The part after the `?`.
    pub query: Option<&'a BStr>,
    /// The part after the `#`.
    pub fragment: Option<&'a BStr>,
    pub(super) level: Level,
}

impl<'a> Generic<'a> {
    /// Returns the components of a URL by RFC 3986 or RFC 3987. Returns `None` if neither grammar
    /// accepts the bytes.
    ///
    /// The ten schemes of RFC 1738 and https need a non-empty host, except mailto, news and file.
    ///
    /// # Complexity
    ///
    /// Linear, without allocation.
    ///
    /// # RFC
    ///
    /// RFC 3986 section 3 and appendix A; RFC 3987 section 2.2.
    #[must_use]
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Option<Generic<'a>> {
        Self::parse_or_misfit(text.as_ref()).ok()
    }

    /// Parses like [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// Returns the place where the text stops fitting the grammars, and the reason.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::url::Generic;
    ///
    /// let url = b"http://h.example/a b";
    /// let misfit = Generic::parse_or_misfit(url).unwrap_err();
    /// assert_eq!(misfit.offset(), 18);
    /// assert_eq!(misfit.message(url), "` ` is not allowed in a path; write %20");
    /// ```
    #[inline(always)]
    pub fn parse_or_misfit(bytes: &'a [u8]) -> Result<Generic<'a>, Misfit> {
        let scheme_end = scheme_end(bytes).ok_or_else(|| match bytes.first() {
            Some(&first) if class::ALPHA.contains(first) => {
                MisfitPart::Scheme.at(class::raw_run(bytes, 0, class::SCHEME))
            }
            _ => MisfitPart::Scheme.at(0),
        })?;
        let scheme = &bytes[..scheme_end];
        let mut generic = Generic {
            scheme: scheme.as_bstr(),
            userinfo: None,
            host: None,
            port: None,
            path: BStr::new(""),
            query: None,
            fragment: None,
            level: Level::Rfc3986,
        };
        let mut validator = Validator { iri: false };
        let mut at = scheme_end + 1;
        let mut host_start = at;
        if bytes[at..].starts_with(b"//") {
            let start = at + 2;
            let CutAuthority { userinfo, host, port, end } = CutAuthority::new(bytes, start);
            at = end;
            if let Some(userinfo) = userinfo {
                let end = validator.run(userinfo, 0, class::USERINFO);
                if end < userinfo.len() {
                    return Err(MisfitPart::Userinfo.at(start + end));
                }
            }
            host_start = userinfo.map_or(start, |userinfo| start + userinfo.len() + 1);
            if let Err(misfit) = validator.host(host) {
                return Err(MisfitPart::Host.at(host_start + misfit));
            }
            let first = first_host_len(generic.scheme, host);
            if first < host.len() {
                return Err(MisfitPart::Host.at(host_start + first));
            }
            if let Some(misfit) = port.and_then(|port| port.iter().position(|&byte| !class::DIGIT.contains(byte))) {
                return Err(MisfitPart::Port.at(host_start + host.len() + 1 + misfit));
            }
            generic.userinfo = userinfo.map(ByteSlice::as_bstr);
            generic.host = Some(host.as_bstr());
            generic.port = port.map(ByteSlice::as_bstr);
        }
        if needs_host(scheme) && generic.host.is_none_or(|host| host.is_empty()) {
            return Err(MisfitPart::NoHost.at(host_start));
        }
        // Each run ends where the next part begins, or at a byte that its own part may not hold.
        let path_end = validator.run(bytes, at, class::PATH);
        generic.path = bytes[at..path_end].as_bstr();
        at = path_end;
        if bytes.get(at) == Some(&b'?') {
            let end = validator.query_run(bytes, at + 1);
            generic.query = Some(bytes[at + 1..end].as_bstr());
            at = end;
        }
        if bytes.get(at) == Some(&b'#') {
            let end = validator.run(bytes, at + 1, class::QUERY);
            generic.fragment = Some(bytes[at + 1..end].as_bstr());
            at = end;
        }
        if at < bytes.len() {
            let part = match generic {
                Generic { fragment: Some(_), .. } => MisfitPart::Fragment,
                Generic { query: Some(_), .. } => MisfitPart::Query,
                _ => MisfitPart::Path,
            };
            return Err(part.at(at));
        }
        if validator.iri {
            generic.level = Level::Iri;
        }
        Ok(generic)
    }

    /// Returns the components, by RFC 3986, of a URL that fits RFC 1738. Returns `None` if RFC 3986
    /// rejects the URL.
    ///
    /// A URL with an authority but no userinfo needs no second parse. Both grammars accept it, and
    /// split it at the same places, except at the query.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn of(url: &Url<'a>) -> Option<Generic<'a>> {
        let Table { scheme, scheme_end, host_start, authority_end, path_end, url_end, host, .. } = url.table;
        let has_site = host != HostState::Absent && scheme != Scheme::News && host_start == scheme_end + 3;
        // By RFC 1738, a scheme name may begin with a digit, `+`, `-` or `.` (G-SCHEME-2).
        let is_name = url.bytes.first().is_some_and(|&first| class::ALPHA.contains(first));
        if !has_site || !is_name {
            return Self::parse(url.as_bstr());
        }
        let (path, query) = match scheme {
            Scheme::Http if path_end == url_end => (url.slice(authority_end, path_end), None),
            _ => {
                let (path, query) = cut(url.slice(authority_end, url_end), b'?');
                (path.as_bstr(), query.map(ByteSlice::as_bstr))
            }
        };
        let (scheme, host, port, fragment) = (url.scheme_str(), url.host(), url.port_text(), url.fragment());
        let generic = Generic { scheme, userinfo: None, host, port, path, query, fragment, level: Level::Rfc3986 };
        debug_assert_eq!(Self::parse(url.as_bstr()), Some(generic));
        Some(generic)
    }

    /// Returns a [`Url`] whose table has the offsets of these components.
    pub(super) fn url(&self, bytes: &'a [u8]) -> Url<'a> {
        let place = |part: &[u8]| offset(part.as_ptr() as usize - bytes.as_ptr() as usize);
        let end = |part: &[u8]| place(part) + offset(part.len());
        let scheme_end = end(self.scheme);
        let url_end = self.fragment.map_or(offset(bytes.len()), |fragment| place(fragment) - 1);
        let mut table = Table {
            scheme_end,
            user_end: scheme_end,
            host_start: scheme_end,
            host_end: scheme_end,
            authority_end: scheme_end,
            path_end: url_end,
            mark: url_end,
            url_end,
            scheme: Scheme::from_bytes(self.scheme),
            host: HostState::Absent,
            is_generic: true,
        };
        if let Some(query) = self.query {
            table.path_end = place(query) - 1;
        }
        if let Some(host) = self.host {
            (table.host_start, table.host_end) = (place(host), end(host));
            table.authority_end = self.port.map_or(table.host_end, |port| end(port));
            table.user_end = self.userinfo.map_or(table.host_start, |userinfo| match userinfo.find_byte(b':') {
                Some(colon) => place(userinfo) + offset(colon),
                None => end(userinfo),
            });
            table.host = match host.as_bytes() {
                [] => HostState::Empty,
                [b'[', ..] => HostState::Literal,
                host if host.to_str().is_ok_and(|host| host.parse::<Ipv4Addr>().is_ok()) => HostState::Number,
                _ => HostState::Name,
            };
        }
        Url { bytes, table }
    }

    /// Returns [`Level::Rfc3986`], or [`Level::Iri`] if the URL has non-ASCII characters.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }
}

/// The place where a text fits neither RFC 3986 nor RFC 3987.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Misfit {
    offset: usize,
    part: MisfitPart,
}

/// The component that rejects the byte of a [`Misfit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum MisfitPart {
    Scheme,
    Userinfo,
    Host,
    /// The host is empty.
    NoHost,
    Port,
    Path,
    Query,
    Fragment,
}

impl MisfitPart {
    const fn at(self, offset: usize) -> Misfit {
        Misfit { offset, part: self }
    }
}

impl Misfit {
    /// Returns the byte offset of the misfit. If it is the length of the text, something is missing
    /// at the end.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// Returns the kind of the error. `text` must be the parsed text.
    pub(super) fn kind(self, text: &[u8]) -> ParseErrorKind {
        match (self.part, text.get(self.offset)) {
            (MisfitPart::Scheme, _) => ParseErrorKind::BadSchemeChar,
            (MisfitPart::NoHost, _) => ParseErrorKind::EmptyHost,
            (MisfitPart::Port, _) => ParseErrorKind::BadPortChar,
            (MisfitPart::Host, Some(0x21..=0x24 | 0x26..=0x7E)) => ParseErrorKind::BadHostChar,
            _ => lexical::fault(text, self.offset).kind(),
        }
    }

    /// Returns the reason for the misfit, and the remedy if there is one. `text` must be the parsed
    /// text.
    #[must_use]
    pub fn message(self, text: &[u8]) -> String {
        let place = match self.part {
            MisfitPart::Scheme => return "a URL begins with a scheme and `:`".to_owned(),
            MisfitPart::NoHost => return "the host is missing".to_owned(),
            MisfitPart::Port => return "a port has digits only".to_owned(),
            MisfitPart::Userinfo => "userinfo",
            MisfitPart::Host => "a host",
            MisfitPart::Path => "a path",
            MisfitPart::Query => "a query",
            MisfitPart::Fragment => "a fragment",
        };
        let rest = text.get(self.offset..).unwrap_or_default();
        let Some((_, end, character)) = rest.char_indices().next() else {
            return "something is missing".to_owned();
        };
        match (character, self.part) {
            ('%', _) => "`%` must be followed by two hexadecimal digits".to_owned(),
            ('[', MisfitPart::Host) => "this is not an IP literal (`[` and `]` around an IPv6 address)".to_owned(),
            (_, MisfitPart::Host) => format!("`{character}` is not allowed in {place}"),
            _ => {
                let mut escapes = Vec::new();
                rest[..end].iter().for_each(|&octet| push_escape(&mut escapes, octet));
                format!("`{character}` is not allowed in {place}; write {}", escapes.as_bstr())
            }
        }
    }
}

/// Returns whether a scheme needs a host. The ten schemes of RFC 1738 and https do, except mailto,
/// news and file (section 8).
pub(crate) fn needs_host(name: &[u8]) -> bool {
    scheme::known(name).is_some_and(|row| row.needs_host)
}

/// A checker of characters. It records whether any accepted character was non-ASCII.
struct Validator {
    iri: bool,
}

impl Validator {
    /// Returns the end of the run that begins at `from`. The run has bytes of `class`, escapes, and
    /// `ucschar` of RFC 3987.
    #[inline]
    fn run(&mut self, text: &[u8], from: usize, class: Class) -> usize {
        let end = class::run(text, from, class);
        match text.get(end) {
            Some(byte) if !byte.is_ascii() => self.wide_run(text, end, class, is_ucschar),
            _ => end,
        }
    }

    /// Returns the end of the run that begins at `from` in a query. A query may also hold
    /// `iprivate` characters.
    #[inline]
    fn query_run(&mut self, text: &[u8], from: usize) -> usize {
        let end = class::run(text, from, class::QUERY);
        match text.get(end) {
            Some(byte) if !byte.is_ascii() => {
                self.wide_run(text, end, class::QUERY, |c| is_ucschar(c) || is_iprivate(c))
            }
            _ => end,
        }
    }

    /// Returns the end of a run that continues with a non-ASCII character at `from`. The run may
    /// hold the non-ASCII characters that `wide` accepts.
    #[inline(never)]
    fn wide_run(&mut self, text: &[u8], from: usize, class: Class, wide: fn(char) -> bool) -> usize {
        let mut at = from;
        while let (Some(c), length) = bstr::decode_utf8(&text[at..]) {
            if c.is_ascii() || !wide(c) {
                break;
            }
            self.iri = true;
            at = class::run(text, at + length, class);
        }
        at
    }

    /// Checks `host = IP-literal / IPv4address / reg-name`. Every IPv4address is also a reg-name.
    /// The error is the offset in `host` of the first character that does not fit.
    fn host(&mut self, host: &[u8]) -> Result<(), usize> {
        let end = match host {
            [b'[', literal @ .., b']'] if is_ip_literal(literal) => host.len(),
            _ => self.run(host, 0, class::REG_NAME),
        };
        // IDNA 2008 allows no symbol in a registered name.
        let symbol = || host.char_indices().find(|&(_, _, c)| letters::is_symbol(c)).map(|(at, ..)| at);
        let end = if self.iri { end.min(symbol().or_else(|| mixed_top(host)).unwrap_or(end)) } else { end };
        if end < host.len() { Err(end) } else { Ok(()) }
    }
}

/// Returns the first character of a top-level domain that does not fit its first one. No registry
/// mixes ASCII letters with letters that look like them.
fn mixed_top(host: &[u8]) -> Option<usize> {
    let dot = memchr::memrchr(b'.', host)? + 1;
    let mut chars =
        host[dot..].char_indices().filter(|(.., c)| c.is_ascii_alphabetic() || scripts::looks_like_latin(*c));
    let (.., first) = chars.next()?;
    chars.find(|(.., c)| c.is_ascii() != first.is_ascii()).map(|(at, ..)| dot + at)
}

/// Matches `IP-literal = "[" ( IPv6address / IPvFuture ) "]"`, without the brackets.
fn is_ip_literal(literal: &[u8]) -> bool {
    if let [b'v' | b'V', future @ ..] = literal {
        // IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
        let dot = class::raw_run(future, 0, class::HEX);
        return dot > 0
            && future.get(dot) == Some(&b'.')
            && dot + 1 < future.len()
            && class::raw_run(future, dot + 1, class::USERINFO) == future.len();
    }
    // The standard library parses by the grammar of RFC 3986. That grammar allows no zone, and no
    // leading zero in the IPv4 part. Its `::` stands for at least one group.
    literal.to_str().is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Matches `ucschar` of RFC 3987, from U+00A1 up (the specification, section 8).
fn is_ucschar(c: char) -> bool {
    match u32::from(c) {
        code @ 0..0x10000 => matches!(code, 0xa1..=0xd7ff | 0xf900..=0xfdcf | 0xfdf0..=0xffef),
        // Planes 1 to 13, and plane 14 from U+E1000, each without its last two code points.
        code => code < 0xf0000 && code & 0xffff < 0xfffe && !(0xe0000..0xe1000).contains(&code),
    }
}

/// Matches `iprivate` of RFC 3987.
fn is_iprivate(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}')
}

/// A reference, split at its delimiters (RFC 3986 appendix B). Only the scheme is checked.
#[derive(Clone, Copy, Debug)]
struct Split<'a> {
    scheme: Option<&'a [u8]>,
    authority: Option<&'a [u8]>,
    path: &'a [u8],
    query: Option<&'a [u8]>,
    fragment: Option<&'a [u8]>,
}

impl<'a> Split<'a> {
    fn new(bytes: &'a [u8]) -> Split<'a> {
        let (rest, fragment) = cut(bytes, b'#');
        let (rest, query) = cut(rest, b'?');
        let (scheme, rest) = match scheme_end(rest) {
            Some(end) => (Some(&rest[..end]), &rest[end + 1..]),
            None => (None, rest),
        };
        let (authority, path) = cut_authority(rest);
        Split { scheme, authority, path, query, fragment }
    }
}

/// Returns the place of the colon after `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
fn scheme_end(bytes: &[u8]) -> Option<usize> {
    let end = class::raw_run(bytes, 0, class::SCHEME);
    (class::ALPHA.contains(*bytes.first()?) && bytes.get(end) == Some(&b':')).then_some(end)
}

/// Returns the text before the first `delimiter`, and the text after it if there is a delimiter.
pub(super) fn cut(text: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(delimiter, text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// Returns the authority between `//` and the next `/`, if the text begins with `//`. Also returns
/// the rest of the text.
pub(super) fn cut_authority(text: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some(rest) = text.strip_prefix(b"//") else { return (None, text) };
    let (authority, path) = rest.split_at(memchr::memchr(b'/', rest).unwrap_or(rest.len()));
    (Some(authority), path)
}

/// An authority, split at its delimiters. The first `@` ends the userinfo. A second `@` is in the
/// host or the port, where it is an error.
struct CutAuthority<'a> {
    userinfo: Option<&'a [u8]>,
    host: &'a [u8],
    port: Option<&'a [u8]>,
    /// The place of the first `/`, `?` or `#`, or the end of the text.
    end: usize,
}

impl<'a> CutAuthority<'a> {
    /// Splits the authority that begins at `start`. Authorities are short, so one loop needs a
    /// third of the instructions of separate searches (November 2026).
    fn new(bytes: &'a [u8], start: usize) -> CutAuthority<'a> {
        let (mut end, mut at_sign, mut colon) = (start, None, None);
        while let Some(&byte) = bytes.get(end)
            && !matches!(byte, b'/' | b'?' | b'#')
        {
            match byte {
                b'@' if at_sign.is_none() => (at_sign, colon) = (Some(end), None),
                b':' if colon.is_none() => colon = Some(end),
                _ => {}
            }
            end += 1;
        }
        let host = at_sign.map_or(start, |at| at + 1);
        if bytes[host..end].first() == Some(&b'[') {
            // The colons inside an IP literal do not begin the port.
            let after = host + memchr::memchr(b']', &bytes[host..end]).unwrap_or(0);
            colon = memchr::memchr(b':', &bytes[after..end]).map(|at| after + at);
        }
        let port = colon.map(|colon| &bytes[colon + 1..end]);
        CutAuthority {
            userinfo: at_sign.map(|at| &bytes[start..at]),
            host: &bytes[host..colon.unwrap_or(end)],
            port,
            end,
        }
    }
}

/// Resolves a reference by RFC 3986, which removes all dot segments, even surplus `..`.
///
/// Neither argument is validated, so the result need not be a URL.
///
/// # Errors
///
/// Returns [`ParseErrorKind::BaseNotAbsolute`] if the base has no scheme.
///
/// # Complexity
///
/// Linear; one allocation.
///
/// # RFC
///
/// RFC 3986 sections 5.2 and 5.3. The resolution is strict: a reference with a scheme is absolute,
/// even if the base has the same scheme.
///
/// # Examples
///
/// ```
/// use urlgrep::url::resolve_3986;
///
/// assert_eq!(resolve_3986("http://a/b/c/d;p?q", "../../../g")?, b"http://a/g"); // or bytes
/// assert_eq!(resolve_3986("http://a/b/c/d;p?q", ";x")?, b"http://a/b/c/;x");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
pub fn resolve_3986(
    base: &(impl AsRef<[u8]> + ?Sized),
    reference: &(impl AsRef<[u8]> + ?Sized),
) -> Result<Vec<u8>, ParseError> {
    let (base, reference) = (base.as_ref(), reference.as_ref());
    let from = Split::new(base);
    let Some(base_scheme) = from.scheme else {
        return Err(ParseError::new(ParseErrorKind::BaseNotAbsolute, Scheme::Other, base, 0));
    };
    let to = Split::new(reference);

    let mut target = Vec::with_capacity(base.len() + reference.len() + 3);
    target.extend_from_slice(to.scheme.unwrap_or(base_scheme));
    target.push(b':');
    let inherits = to.scheme.is_none() && to.authority.is_none();
    let authority = if inherits { from.authority } else { to.authority };
    if let Some(authority) = authority {
        target.extend_from_slice(b"//");
        target.extend_from_slice(authority);
    }

    let path_start = target.len();
    let mut query = to.query;
    if inherits && to.path.is_empty() {
        target.extend_from_slice(from.path);
        query = query.or(from.query);
    } else {
        let mut path = Vec::with_capacity(from.path.len() + 1 + to.path.len());
        // 5.2.3: merge
        if inherits && !to.path.starts_with(b"/") {
            match memchr::memrchr(b'/', from.path) {
                Some(slash) => path.extend_from_slice(&from.path[..=slash]),
                None if from.authority.is_some() => path.push(b'/'),
                None => {}
            }
        }
        path.extend_from_slice(to.path);
        remove_dot_segments(&path, &mut target);
    }
    // Without an authority, a path that begins with `//` would be read as an authority. RFC 3986
    // forbids such a path, but has no remedy. A `/.` before the path keeps its meaning.
    if authority.is_none() && target[path_start..].starts_with(b"//") {
        target.splice(path_start..path_start, *b"/.");
    }
    for (delimiter, part) in [(b'?', query), (b'#', to.fragment)] {
        if let Some(part) = part {
            target.push(delimiter);
            target.extend_from_slice(part);
        }
    }
    Ok(target)
}

/// Appends a path without its dot segments to `target` (RFC 3986 section 5.2.4). The text that
/// `target` already holds stays.
fn remove_dot_segments(path: &[u8], target: &mut Vec<u8>) {
    // Most paths have no segment that begins with a dot.
    if !memchr::memchr_iter(b'.', path).any(|dot| dot == 0 || path[dot - 1] == b'/') {
        return target.extend_from_slice(path);
    }
    let start = target.len();
    // Each byte is pushed and popped at most once.
    let pop = |target: &mut Vec<u8>| {
        let last = memchr::memrchr(b'/', &target[start..]).unwrap_or(0);
        target.truncate(start + last);
    };
    let mut rest = path;
    loop {
        rest = match rest {
            [] | b"." | b".." => return,
            [b'.', b'.', b'/', rest @ ..] | [b'.', b'/', rest @ ..] => rest,
            b"/." => b"/",
            [b'/', b'.', next @ ..] if next[0] == b'/' => next,
            b"/.." => {
                pop(target);
                b"/"
            }
            [b'/', b'.', b'.', next @ ..] if next[0] == b'/' => {
                pop(target);
                next
            }
            [first, next @ ..] => {
                let end = memchr::memchr(b'/', next).unwrap_or(next.len());
                target.push(*first);
                target.extend_from_slice(&next[..end]);
                &next[end..]
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(base: &str, reference: &str) -> String {
        String::from_utf8(resolve_3986(base.as_bytes(), reference.as_bytes()).unwrap()).unwrap()
    }

    #[cfg(feature = "serde")]
    #[test]
    fn of_a_url_that_is_parsed_they_are_the_same() {
        for rest in
            ["h", "h:1", "h:", "h/", "h:80/a;b/%7E?c", "h/?", "h/a?", "1.2.3.4/a#", "h#f", "h/a?b&c#d/e?f", "a-b.c:0#?"]
        {
            for scheme in ["http", "HTTP", "https", "ftp"] {
                let text = format!("{scheme}://{rest}");
                if let Ok(url) = Url::parse(&text) {
                    assert_eq!(Generic::of(&url), Generic::parse(&text), "{text}");
                }
            }
        }
    }

    #[test]
    fn resolves_at_the_edges() {
        for (base, reference, expected) in [
            ("http://a", "g", "http://a/g"),
            ("http://a?q", "", "http://a?q"),
            ("http://a?q#f", "#g", "http://a?q#g"),
            ("file:///a/b", "../../c", "file:///c"),
            ("mailto:a@b", "x", "mailto:x"),
            ("urn:a/b", "../../c", "urn:/c"),
            ("a:b", "..", "a:"),
            ("a:/b", "..//c", "a:/.//c"),
            ("http://a/b", "//", "http://"),
            ("http://a/b", "http:../c", "http:c"),
        ] {
            assert_eq!(resolved(base, reference), expected, "{base} + {reference}");
        }
        let error = resolve_3986(b"/a", b"b").unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ParseErrorKind::BaseNotAbsolute, 0));
    }

    #[test]
    fn hosts_of_rfc_3986() {
        let hosts = "h a_b a..b - 1.2.3 %41 !$&'()*+,;=~ [::] [::1] [1:2:3:4:5:6:7:8] [1:2:3:4:5:6:7::] \
                     [::ffff:1.2.3.4] [v1.a:b] [VF0.!]";
        for host in hosts.split(' ') {
            let text = format!("http://{host}:8/");
            let found = Generic::parse(text.as_bytes()).and_then(|generic| generic.host);
            assert_eq!(found, Some(BStr::new(host)), "{host}");
        }
        let others = "[ ] [] [::1 ::1] [1::2:3:4:5:6:7:8] [1:2:3:4:5:6:7:8:9] [12345::] [::1%25eth0] [::1.2.3.04] [v.a] \
                       [v1.] [v1a] [vg.a] [::1]x x[::1] a@b@c a:b %4 | a\\b";
        for host in others.split(' ') {
            let text = format!("http://{host}/");
            assert_eq!(Generic::parse(text.as_bytes()), None, "{host}");
        }
    }

    // RFC 3987 section 2.2. The specification, section 8, excludes U+00A0.
    #[test]
    fn characters_of_rfc_3987() {
        let takes = |text: String| Generic::parse(text.as_bytes()).map(|generic| generic.level());
        for c in
            ['\u{a1}', '\u{ad}', '\u{d7ff}', '\u{f900}', '\u{fdf0}', '\u{ffef}', '\u{10000}', '\u{1fffd}', '\u{e1000}']
        {
            assert_eq!(takes(format!("http://h{c}/{c}?{c}#{c}")), Some(Level::Iri), "{c:?}");
        }
        for c in ['\u{80}', '\u{a0}', '\u{fdd0}', '\u{fff0}', '\u{ffff}', '\u{1fffe}', '\u{e0001}', '\u{fffff}'] {
            assert_eq!(takes(format!("http://h/{c}")), None, "{c:?}");
            assert_eq!(takes(format!("http://h/?{c}")), None, "{c:?}");
        }
        for c in ['\u{e000}', '\u{f8ff}', '\u{f0000}', '\u{10fffd}'] {
            assert_eq!(takes(format!("http://h/{c}")), None, "{c:?}");
            assert_eq!(takes(format!("http://h/#{c}")), None, "{c:?}");
            assert_eq!(takes(format!("http://h/?{c}")), Some(Level::Iri), "{c:?}");
        }
        assert_eq!(Generic::parse(b"http://h/\xc3"), None);
        assert_eq!(Generic::parse(b"http://h/\xed\xa0\x80"), None);
    }
}

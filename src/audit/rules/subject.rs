//! One URL as the rules see it.
//!
//! RFC 1738 and RFC 3986 split the same bytes in different ways, and browsers in a third one, also where no grammar fits.
//! Every rule asks here, so that two rules cannot disagree about what the host is.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, ByteSlice};

use super::Options;
use crate::audit::secret;
use crate::bytes::class;
use crate::url::{self, Generic, Level, ParseError, ParseOptions, Scheme, Url, escape};

/// A URL, or what somebody wrote for one.
pub(super) struct Subject<'u> {
    pub(super) raw: &'u [u8],
    pub(super) options: Options,
    /// By RFC 1738.
    pub(super) parsed: Result<Url<'u>, ParseError>,
    /// By RFC 3986 or 3987.
    pub(super) generic: Option<Generic<'u>>,
    /// By delimiters alone.
    pub(super) rough: Rough<'u>,
    pub(super) scheme: Scheme,
    pub(super) password: Option<Range<usize>>,
    pub(super) parts: Vec<(Part, &'u [u8])>,
}

/// What a stretch of a URL is, as far as it decides which octets are delimiters there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    User,
    Password,
    Host,
    /// Segments of ftp, each of which is a step.
    FtpPath,
    FilePath,
    /// Segments of http, and of every scheme that follows RFC 3986.
    Path,
    Search,
    /// Type, selector and search of gopher.
    Selector,
    GopherPlus,
    Address,
    /// A news article's id, left of its `@`.
    Unique,
    WaisName,
    /// A WAIS document's id, which is opaque (S-WAIS-1).
    WaisPath,
    ProsperoPath,
    ProsperoField,
    Opaque,
    Fragment,
}

impl<'u> Subject<'u> {
    pub(super) fn new(raw: &'u [u8], options: Options) -> Subject<'u> {
        let parsed = Url::parse_with(raw, ParseOptions::new().other_literal(options.other_literal));
        let rough = Rough::new(raw);
        let scheme = Scheme::from_bytes(rough.scheme.unwrap_or_default());
        let password = secret::password(raw, parsed.as_ref().ok(), &rough);
        let generic = Generic::parse(raw);
        let mut subject = Subject { raw, options, parsed, generic, rough, scheme, password, parts: Vec::new() };
        subject.add_parts();
        subject
    }

    /// The URL by RFC 1738, if its scheme is one of the ten. The software of any other, https too, goes by RFC 3986.
    pub(super) fn classic(&self) -> Option<&Url<'u>> {
        self.parsed.as_ref().ok().filter(|url| url.scheme() != Scheme::Other)
    }

    /// The strictest grammar that the URL satisfies.
    pub(super) fn level(&self) -> Level {
        match (&self.parsed, &self.generic) {
            (Ok(_), _) => Level::Rfc1738,
            (Err(_), Some(generic)) => generic.level(),
            (Err(_), None) => Level::None,
        }
    }

    /// Where a slice of the URL lies in it.
    pub(super) fn range(&self, slice: &[u8]) -> Range<usize> {
        let start = slice.as_ptr() as usize - self.raw.as_ptr() as usize;
        start..start + slice.len()
    }

    /// Is it this scheme, in any case?
    pub(super) fn has_scheme(&self, name: &str) -> bool {
        self.rough.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// The user name, raw.
    pub(super) fn user(&self) -> Option<&'u [u8]> {
        match self.classic() {
            Some(url) => url.user().map(|user| user.as_bytes()),
            None => self.rough.userinfo.map(|userinfo| userinfo.split(|&byte| byte == b':').next().unwrap_or_default()),
        }
    }

    /// The host that a client of the scheme connects to, raw. That of a news article is a part of a name, and nobody's to
    /// connect to.
    pub(super) fn host(&self) -> Option<&'u [u8]> {
        match self.classic() {
            Some(url) if url.scheme() == Scheme::News => None,
            Some(url) => url.host().map(|host| host.as_bytes()),
            None => self.rough.host,
        }
        .filter(|host| !host.is_empty())
    }

    /// The digits of the port, raw. What has something else in it is a matter of the grammar.
    pub(super) fn port(&self) -> Option<&'u [u8]> {
        match self.classic() {
            Some(url) => url.port_text().map(|port| port.as_bytes()),
            None => self.rough.port,
        }
        .filter(|port| !port.is_empty() && port.iter().all(u8::is_ascii_digit))
    }

    /// The port that the scheme means where none is written. RFC 1738 has none for https; everyone knows it (G-OTHER-5).
    pub(super) fn default_port(&self) -> Option<u16> {
        self.scheme.default_port().or_else(|| self.has_scheme("https").then_some(443))
    }

    fn add_parts(&mut self) {
        use url::Parts;
        let Some(&url) = self.classic() else {
            return self.add_rough_parts();
        };
        let parts = &mut self.parts;
        let mut add = |part: Part, text: Option<&'u BStr>| {
            parts.extend(text.filter(|text| !text.is_empty()).map(|text| (part, text.as_bytes())));
        };
        add(Part::User, url.user());
        add(Part::Password, url.password());
        match url.parts() {
            Parts::Ftp(ftp) => add(Part::FtpPath, ftp.path()),
            Parts::File(file) => add(Part::FilePath, Some(file.path())),
            Parts::Http(http) => {
                add(Part::Path, http.path());
                add(Part::Search, http.search());
            }
            Parts::Gopher(gopher) => {
                add(Part::Selector, gopher.gtype());
                add(Part::Selector, Some(gopher.selector()));
                add(Part::Selector, gopher.search());
                add(Part::GopherPlus, gopher.gplus());
            }
            Parts::Mailto(mailto) => add(Part::Address, Some(mailto.addr())),
            Parts::News(news) => add(Part::Unique, news.unique()),
            Parts::Wais(wais) => {
                add(Part::WaisName, Some(wais.database()));
                add(Part::Search, wais.search());
                add(Part::WaisName, wais.wtype());
                add(Part::WaisPath, wais.wpath());
            }
            Parts::Prospero(prospero) => {
                add(Part::ProsperoPath, Some(prospero.path()));
                for (name, value) in prospero.fields() {
                    add(Part::ProsperoField, Some(name));
                    add(Part::ProsperoField, Some(value));
                }
            }
            // What is left of these has no escapes.
            Parts::Nntp(_) | Parts::Telnet(_) | Parts::Other(_) => {}
        }
        add(Part::Fragment, url.fragment());
    }

    fn add_rough_parts(&mut self) {
        let Rough { userinfo, host, path, query, fragment, .. } = self.rough;
        let (user, password) = match userinfo.map(|userinfo| userinfo.split_once_str(":").ok_or(userinfo)) {
            None => (None, None),
            Some(Ok((user, password))) => (Some(user), Some(password)),
            Some(Err(user)) => (Some(user), None),
        };
        let path_part = match self.scheme {
            Scheme::Ftp => Part::FtpPath,
            Scheme::File => Part::FilePath,
            Scheme::Gopher => Part::Selector,
            Scheme::Mailto => Part::Address,
            Scheme::News => Part::Unique,
            Scheme::Prospero => Part::ProsperoPath,
            Scheme::Wais => Part::WaisPath,
            _ if host.is_some() || path.starts_with(b"/") => Part::Path,
            _ => Part::Opaque,
        };
        let parts = [
            (Part::User, user),
            (Part::Password, password),
            (Part::Host, host),
            (path_part, Some(path)),
            (Part::Search, query),
            (Part::Fragment, fragment),
        ];
        self.parts.extend(parts.into_iter().filter_map(|(part, text)| Some((part, text.filter(|t| !t.is_empty())?))));
    }
}

/// The parts that delimiters alone tell, as a lenient reader would take them: RFC 3986 appendix B, but that the last `@`
/// ends the userinfo and that a backslash is a slash where browsers read one.
#[derive(Clone, Copy, Debug)]
pub(in crate::audit) struct Rough<'u> {
    pub(in crate::audit) scheme: Option<&'u [u8]>,
    pub(in crate::audit) authority: Option<&'u [u8]>,
    pub(in crate::audit) userinfo: Option<&'u [u8]>,
    pub(super) host: Option<&'u [u8]>,
    pub(super) port: Option<&'u [u8]>,
    pub(super) path: &'u [u8],
    pub(super) query: Option<&'u [u8]>,
    pub(super) fragment: Option<&'u [u8]>,
}

impl<'u> Rough<'u> {
    pub(in crate::audit) fn new(raw: &'u [u8]) -> Rough<'u> {
        let scheme_end = class::raw_run(raw, 0, class::SCHEME);
        let (scheme, rest) = match raw.get(scheme_end) {
            Some(b':') if scheme_end > 0 => (Some(&raw[..scheme_end]), &raw[scheme_end + 1..]),
            _ => (None, raw),
        };
        let (rest, fragment) = cut(rest, b'#');
        let is_slash = |byte: u8| byte == b'/' || byte == b'\\' && scheme.is_some_and(reads_backslash);
        let (authority, rest) = match rest {
            [first, second, rest @ ..] if is_slash(*first) && is_slash(*second) => {
                let end = rest.iter().position(|&byte| is_slash(byte) || byte == b'?').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            _ => (None, rest),
        };
        let (path, query) = cut(rest, b'?');
        let mut rough = Rough { scheme, authority, userinfo: None, host: None, port: None, path, query, fragment };
        if let Some(authority) = authority {
            let site = match memchr::memrchr(b'@', authority) {
                Some(at) => {
                    rough.userinfo = Some(&authority[..at]);
                    &authority[at + 1..]
                }
                None => authority,
            };
            // The colons of an IP literal are its own.
            let literal = if site.starts_with(b"[") { memchr::memchr(b']', site).unwrap_or(0) } else { 0 };
            let colon = memchr::memchr(b':', &site[literal..]).map(|at| literal + at);
            rough.host = Some(&site[..colon.unwrap_or(site.len())]);
            rough.port = colon.map(|colon| &site[colon + 1..]);
        }
        rough
    }
}

/// The schemes in which browsers read `\` as `/` (the URL Standard calls them special).
pub(super) fn reads_backslash(scheme: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp", b"file", b"ws", b"wss"].iter().any(|name| scheme.eq_ignore_ascii_case(name))
}

fn cut(text: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(delimiter, text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// The escapes of a text, each with its offset and octet.
pub(super) fn escapes(text: &[u8]) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut octets = escape::octets(text);
    std::iter::from_fn(move || {
        loop {
            let at = octets.offset();
            let octet = octets.next()?;
            if octets.offset() > at + 1 {
                return Some((at, octet));
            }
        }
    })
}

/// The most characters of a URL that a message shows in one piece.
const MOST: usize = 80;

/// Bytes of a URL for a message: decoded as text, and cut where they are long.
pub(super) fn quoted(bytes: &[u8]) -> Cow<'_, str> {
    match bytes.char_indices().nth(MOST) {
        None => bytes.to_str_lossy(),
        Some((end, ..)) => Cow::Owned(format!("{}…", bytes[..end].to_str_lossy())),
    }
}

/// The same of what stands around an offset.
pub(super) fn quoted_around(bytes: &[u8], at: usize) -> Cow<'_, str> {
    let is_short = bytes.char_indices().nth(MOST).is_none();
    let before = bytes[..at].char_indices().rev().nth(MOST / 2);
    match before.filter(|_| !is_short) {
        None => quoted(bytes),
        Some((start, ..)) => Cow::Owned(format!("…{}", quoted(&bytes[start..]))),
    }
}

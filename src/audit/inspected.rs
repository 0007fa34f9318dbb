//! One URL as the rules see it.
//!
//! RFC 1738 and RFC 3986 split the same bytes in different ways, and browsers in a third one, also where no grammar fits.
//! Every rule asks here, so that two rules cannot disagree about what the host is.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, ByteSlice};

use super::known::gateways::{self, Gateway};
use super::rough::Rough;
use super::secret;
use super::token::{self, Token};
#[cfg(feature = "cli")]
use crate::url::Verdict;
use crate::url::{self, Generic, ParseOptions, Scheme, escape, scheme};
use crate::{Level, ParseError, Url};

/// Options of the rules.
///
/// ```
/// use urlgrep::Extractor;
/// use urlgrep::audit::{self, Rule, RuleOptions};
///
/// let found = Extractor::new().find(b"http://a.example/a/long/path").unwrap();
/// let findings: Vec<_> = audit::findings(&found, RuleOptions::new().longest(20)).collect();
/// assert_eq!(findings[0].rule, Rule::Long);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOptions {
    pub(super) longest: usize,
    pub(crate) other_literal: bool,
}

impl RuleOptions {
    /// URLs of up to 2000 bytes are not long, and `//` announces a host in every scheme.
    #[must_use]
    pub const fn new() -> RuleOptions {
        RuleOptions { longest: 2000, other_literal: false }
    }

    /// The most bytes that a URL may have before A-LONG fires.
    #[must_use]
    pub const fn longest(self, bytes: usize) -> RuleOptions {
        RuleOptions { longest: bytes, ..self }
    }

    /// As [`ParseOptions::other_literal`] (G-OTHER-2).
    #[must_use]
    pub const fn other_literal(self, yes: bool) -> RuleOptions {
        RuleOptions { other_literal: yes, ..self }
    }
}

impl Default for RuleOptions {
    fn default() -> RuleOptions {
        RuleOptions::new()
    }
}

/// A URL, or what somebody wrote for one.
pub(crate) struct Inspected<'u> {
    pub(super) raw: &'u [u8],
    /// Somebody reads the messages of the rules.
    is_told: bool,
    pub(super) options: RuleOptions,
    /// By RFC 1738.
    pub(super) parsed: Result<Url<'u>, ParseError>,
    /// By RFC 3986 or 3987.
    pub(super) generic: Option<Generic<'u>>,
    /// By delimiters alone.
    pub(super) rough: Rough<'u>,
    pub(super) scheme: Scheme,
    /// The host as a resolver takes it: decoded, and without the dot of the root.
    pub(super) name: Option<Cow<'u, BStr>>,
    pub(super) password: Option<Range<usize>>,
    /// The gateway that it goes through.
    pub(super) gateway: Option<&'static Gateway>,
    /// Other secrets, in search or fragment.
    pub(super) tokens: Vec<Token>,
    pub(super) parts: Vec<(UrlPart, &'u [u8])>,
}

/// What a stretch of a URL is, as far as it decides which octets are delimiters there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlPart {
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

/// A name without the dot of the root.
pub(super) fn rootless(name: Cow<'_, BStr>) -> Cow<'_, BStr> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.strip_suffix(b".").unwrap_or(name).as_bstr()),
        Cow::Owned(mut name) => {
            if name.ends_with(b".") {
                name.pop();
            }
            Cow::Owned(name)
        }
    }
}

impl<'u> Inspected<'u> {
    pub(super) fn new(raw: &'u [u8], options: RuleOptions) -> Inspected<'u> {
        let parsed = Url::parse_with(raw, ParseOptions::new().other_literal(options.other_literal));
        let rough = Rough::new(raw);
        let scheme = Scheme::from_bytes(rough.scheme.unwrap_or_default());
        let password = secret::password(raw, parsed.as_ref().ok(), &rough);
        let generic = Generic::parse(raw);
        let (name, parts, tokens) = (None, Vec::with_capacity(4), token::tokens(raw));
        let gateway = rough.host.and_then(|host| gateways::find(host, rough.path));
        let is_told = true;
        let mut inspected =
            Inspected { raw, is_told, options, parsed, generic, rough, scheme, name, password, gateway, tokens, parts };
        inspected.name = inspected.host().map(|host| rootless(escape::decode(host)));
        inspected.add_parts();
        inspected
    }

    /// The same for somebody who only asks which rules fire: messages take longer than all rules.
    #[cfg(feature = "cli")]
    pub(crate) fn untold(raw: &'u [u8], options: RuleOptions) -> Inspected<'u> {
        Inspected { is_told: false, ..Inspected::new(raw, options) }
    }

    /// Another URL for the same reader.
    pub(super) fn other<'o>(&self, raw: &'o [u8]) -> Inspected<'o> {
        Inspected { is_told: self.is_told, ..Inspected::new(raw, self.options) }
    }

    /// A message, if somebody reads it.
    pub(super) fn tell(&self, message: impl FnOnce() -> String) -> String {
        if self.is_told { message() } else { String::new() }
    }

    /// What [`url::judge`] says of it.
    #[cfg(feature = "cli")]
    pub(crate) fn verdict(&self) -> Verdict {
        url::verdict_of(&self.parsed, || self.generic.as_ref().map_or(Level::None, Generic::level))
    }

    /// What [`url::host`] says of it.
    #[cfg(feature = "cli")]
    pub(crate) fn site(&self) -> Option<Cow<'u, [u8]>> {
        url::host_of(self.raw, self.parsed.as_ref().ok(), self.generic.as_ref())
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

    /// The host that a client of the scheme connects to, raw. That of a news article is a part of a name, to which no
    /// client connects.
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

    /// The port that is written, and the scheme's own.
    ///
    /// `None` where they are the same, leading zeros or not (G-PORT-2), or where the scheme has none. A port that 64 bits do
    /// not hold is `u64::MAX`.
    pub(super) fn foreign_port(&self) -> Option<(u64, u16)> {
        let text = self.port()?;
        // RFC 1738 has none for https; everyone knows it (G-OTHER-5).
        let usual = scheme::default_port(self.rough.scheme?)?;
        let port =
            text.iter().fold(0u64, |port, digit| port.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        (port != u64::from(usual)).then_some((port, usual))
    }

    /// The address of a mailto URL, raw, without the headers of RFC 6068 (G-MAILTO-4).
    pub(super) fn address(&self) -> Option<&'u [u8]> {
        (self.scheme == Scheme::Mailto).then_some(self.rough.path)
    }

    fn add_parts(&mut self) {
        use url::Parts;
        let Some(&url) = self.classic() else {
            return self.add_rough_parts();
        };
        let parts = &mut self.parts;
        let mut add = |part: UrlPart, text: Option<&'u BStr>| {
            parts.extend(text.filter(|text| !text.is_empty()).map(|text| (part, text.as_bytes())));
        };
        add(UrlPart::User, url.user());
        add(UrlPart::Password, url.password());
        match url.parts() {
            Parts::Ftp(ftp) => add(UrlPart::FtpPath, ftp.path()),
            Parts::File(file) => add(UrlPart::FilePath, Some(file.path())),
            Parts::Http(http) => {
                add(UrlPart::Path, http.path());
                add(UrlPart::Search, http.search());
            }
            Parts::Gopher(gopher) => {
                add(UrlPart::Selector, gopher.gtype());
                add(UrlPart::Selector, Some(gopher.selector()));
                add(UrlPart::Selector, gopher.search());
                add(UrlPart::GopherPlus, gopher.gplus());
            }
            Parts::Mailto(mailto) => add(UrlPart::Address, Some(mailto.addr())),
            Parts::News(news) => add(UrlPart::Unique, news.unique()),
            Parts::Wais(wais) => {
                add(UrlPart::WaisName, Some(wais.database()));
                add(UrlPart::Search, wais.search());
                add(UrlPart::WaisName, wais.wtype());
                add(UrlPart::WaisPath, wais.wpath());
            }
            Parts::Prospero(prospero) => {
                add(UrlPart::ProsperoPath, Some(prospero.path()));
                for (name, value) in prospero.fields() {
                    add(UrlPart::ProsperoField, Some(name));
                    add(UrlPart::ProsperoField, Some(value));
                }
            }
            // What is left of these has no escapes.
            Parts::Nntp(_) | Parts::Telnet(_) | Parts::Other(_) => {}
        }
        add(UrlPart::Fragment, url.fragment());
    }

    fn add_rough_parts(&mut self) {
        let Rough { userinfo, host, path, query, fragment, .. } = self.rough;
        let (user, password) = match userinfo.map(|userinfo| userinfo.split_once_str(":").ok_or(userinfo)) {
            None => (None, None),
            Some(Ok((user, password))) => (Some(user), Some(password)),
            Some(Err(user)) => (Some(user), None),
        };
        let path_part = match self.scheme {
            Scheme::Ftp => UrlPart::FtpPath,
            Scheme::File => UrlPart::FilePath,
            Scheme::Gopher => UrlPart::Selector,
            Scheme::Mailto => UrlPart::Address,
            Scheme::News => UrlPart::Unique,
            Scheme::Prospero => UrlPart::ProsperoPath,
            Scheme::Wais => UrlPart::WaisPath,
            _ if host.is_some() || path.starts_with(b"/") => UrlPart::Path,
            _ => UrlPart::Opaque,
        };
        let parts = [
            (UrlPart::User, user),
            (UrlPart::Password, password),
            (UrlPart::Host, host),
            (path_part, Some(path)),
            (UrlPart::Search, query),
            (UrlPart::Fragment, fragment),
        ];
        self.parts.extend(parts.into_iter().filter_map(|(part, text)| Some((part, text.filter(|t| !t.is_empty())?))));
    }
}

//! One URL as the rules see it.
//!
//! RFC 1738 and RFC 3986 split the same bytes in different ways. Browsers split them in a third
//! way, even if no grammar fits. Every rule reads the parts from here, so that two rules cannot
//! disagree about the host.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use bstr::{BStr, ByteSlice};

use super::known::gateways::{self, Gateway};
use super::known::{closed, shorteners, tenants};
use super::signs::Signs;
use super::token::{self, Token};
use super::{address, secret};
use crate::url::rough::Rough;
use crate::url::{self, Generic, ParseOptions, Scheme, Verdict, escape, scheme};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleOptions {
    pub(super) longest: usize,
    pub(super) other_literal: bool,
}

impl RuleOptions {
    /// Returns the defaults: URLs of up to 2000 bytes are not long, and `//` announces a host in
    /// every scheme.
    #[must_use]
    pub const fn new() -> RuleOptions {
        RuleOptions { longest: 2000, other_literal: false }
    }

    /// Sets the number of bytes above which A-LONG fires.
    #[must_use]
    pub const fn longest(self, bytes: usize) -> RuleOptions {
        RuleOptions { longest: bytes, ..self }
    }

    /// Sets [`ParseOptions::other_literal`] (G-OTHER-2).
    #[must_use]
    pub const fn other_literal(self, yes: bool) -> RuleOptions {
        RuleOptions { other_literal: yes, ..self }
    }

    /// Returns the option [`other_literal`](Self::other_literal), for functions that parse URLs as
    /// the rules do.
    #[must_use]
    pub const fn has_other_literal(self) -> bool {
        self.other_literal
    }
}

impl Default for RuleOptions {
    fn default() -> RuleOptions {
        RuleOptions::new()
    }
}

/// A URL, or a text in the place of one, as the rules see it. Each parser runs at most once for all
/// rules, and only on demand.
///
/// # Examples
///
/// ```
/// use urlgrep::audit::{Inspected, Rule, RuleOptions, Severity};
///
/// let url = Inspected::quiet(b"http://joe:secret@h.example:25/", RuleOptions::new());
/// assert_eq!(*url.site().unwrap(), *b"h.example");
/// assert!(url.fired().any(|(rule, severity)| rule == Rule::Password && severity >= Severity::Medium));
/// ```
pub struct Inspected<'u> {
    pub(super) raw: &'u [u8],
    /// Whether anyone reads the messages of the rules.
    is_told: bool,
    pub(super) options: RuleOptions,
    /// The signs that select the rules to run.
    pub(super) signs: Signs,
    /// The results of the parsers, computed on demand. Parsing a plain URL by two grammars cost ten
    /// times as much as finding it (2026-11).
    parsed: OnceCell<Result<Url<'u>, ParseError>>,
    generic: OnceCell<Option<Generic<'u>>>,
    verdict: OnceCell<Verdict>,
    /// Whether the verdict needed no parser. The URL is then http, https or ftp with a host, perhaps
    /// with a port.
    is_plain: bool,
    /// The parts of the URL, split at its delimiters without a grammar.
    pub(super) rough: Rough<'u>,
    pub(super) scheme: Scheme,
    /// The host as a resolver sees it: decoded, and without the final dot.
    pub(super) name: Option<Cow<'u, BStr>>,
    pub(super) password: Option<Range<usize>>,
    /// The gateway that the URL goes through.
    pub(super) gateway: Option<&'static Gateway>,
    /// Secrets other than the password.
    pub(super) tokens: Vec<Token>,
    parts: OnceCell<Vec<(UrlPart, &'u [u8])>>,
}

/// The kind of a part of a URL. It determines which octets are delimiters there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlPart {
    User,
    Password,
    Host,
    /// The path of ftp, each segment of which is one step.
    FtpPath,
    FilePath,
    /// The path of http, and of every scheme that follows RFC 3986.
    Path,
    Search,
    /// The type, selector or search of gopher.
    Selector,
    GopherPlus,
    Address,
    /// The part of a news article's id left of its `@`.
    Unique,
    WaisName,
    /// The id of a WAIS document, which is opaque (S-WAIS-1).
    WaisPath,
    ProsperoPath,
    ProsperoField,
    Opaque,
    Fragment,
}

/// The most bytes that a label may have (RFC 1035 section 2.3.4).
pub(super) const LONGEST_LABEL: usize = 63;

/// Removes the final dot of a name, which stands for the root of DNS.
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

impl fmt::Debug for Inspected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inspected").field(&self.raw.as_bstr()).finish()
    }
}

impl<'u> Inspected<'u> {
    pub(super) fn new(raw: &'u [u8], options: RuleOptions) -> Inspected<'u> {
        let rough = Rough::new(raw);
        let scheme = Scheme::from_bytes(rough.scheme.unwrap_or_default());
        let verdict = url::plain_verdict(raw);
        let mut inspected = Inspected {
            raw,
            is_told: true,
            options,
            signs: Signs::of_bytes(&raw[rough.scheme.map_or(0, |scheme| scheme.len() + 1)..]),
            parsed: OnceCell::new(),
            generic: OnceCell::new(),
            verdict: verdict.map_or_else(OnceCell::new, OnceCell::from),
            is_plain: verdict.is_some(),
            rough,
            scheme,
            name: None,
            password: None,
            gateway: rough.host.and_then(|host| gateways::find(host, rough.path)),
            tokens: Vec::new(),
            parts: OnceCell::new(),
        };
        // Few URLs have these signs, and the others need no scan for secrets.
        if inspected.signs.meet(Signs::AT) {
            inspected.password = secret::password(raw, inspected.parsed().as_ref().ok(), &rough);
        }
        if inspected.signs.meet(Signs::MARK | Signs::ESCAPE | Signs::AT) || token::may_be_hook(rough.host) {
            inspected.tokens = token::tokens(raw);
        }
        inspected.name = inspected.host().map(|host| rootless(escape::decode(host)));
        // The signs of the parts depend on the name and the tokens, so they come last.
        inspected.signs |= inspected.signs_of_parts();
        inspected
    }

    /// Returns the signs that the parts of the URL show.
    fn signs_of_parts(&self) -> Signs {
        let scheme = match self.scheme {
            Scheme::File => Signs::FILE,
            Scheme::Mailto => Signs::MAIL | Signs::LONG_NAME,
            Scheme::News => Signs::NEWS,
            Scheme::Other => Signs::OTHER,
            _ => Signs::NONE,
        };
        let is_upper = |text: &[u8]| text.iter().any(u8::is_ascii_uppercase);
        let host = self.host().unwrap_or_default();
        let name = self.name.as_deref().map_or(&b""[..], |name| name);
        // `localhost` matters only as the last label, so the last nine bytes decide.
        let is_address = name.first().is_some_and(|&first| first == b'[' || first.is_ascii_digit())
            || name.last_chunk::<9>().is_some_and(|last| last.eq_ignore_ascii_case(b"localhost"));
        let texts = [self.rough.query, self.rough.fragment];
        scheme
            | Signs::UPPER.when(is_upper(host) || self.rough.scheme.is_some_and(is_upper))
            | Signs::ADDRESS.when(is_address)
            | Signs::LONG_NAME.when(name.len() > LONGEST_LABEL)
            | Signs::LONG.when(self.raw.len() > self.options.longest)
            | Signs::DEFECT.when(self.verdict().error.is_some())
            | Signs::GATEWAY.when(self.gateway.is_some())
            | Signs::CLOSED.when(closed::find(name, self.rough.path).is_some())
            | Signs::NAMED
                .when(self.is_web() && texts.into_iter().flatten().any(|text| address::encoded(text).is_some()))
            // `http` in base64 begins with `aHR0c`.
            | Signs::ENCODED.when(self.rough.query.is_some_and(|search| search.contains_str("aHR0c")))
            | Signs::TENANT.when(self.tenant().is_some())
            | Signs::SHORT.when(shorteners::find(host, self.rough.path).is_some())
            | Signs::TOKEN.when(!self.tokens.is_empty())
    }

    /// Inspects a URL for the rules that fire, without their messages. Messages cost more than all
    /// rules. [`findings_of_url`](super::findings_of_url) returns them.
    ///
    /// # Complexity
    ///
    /// Linear in the URL's length.
    #[must_use]
    pub fn quiet(raw: &'u [u8], options: RuleOptions) -> Inspected<'u> {
        Inspected { is_told: false, ..Inspected::new(raw, options) }
    }

    /// Inspects another URL with the same options.
    pub(super) fn other<'o>(&self, raw: &'o [u8]) -> Inspected<'o> {
        Inspected { is_told: self.is_told, ..Inspected::new(raw, self.options) }
    }

    /// Returns a message if anyone reads it, and an empty one otherwise.
    pub(super) fn tell(&self, message: impl FnOnce() -> String) -> String {
        if self.is_told { message() } else { String::new() }
    }

    /// Returns the URL parsed by RFC 1738.
    pub(super) fn parsed(&self) -> &Result<Url<'u>, ParseError> {
        let options = ParseOptions::new().level(Level::Rfc1738Ref).other_literal(self.options.other_literal);
        self.parsed.get_or_init(|| Url::parse_with(self.raw, options))
    }

    /// Returns the URL parsed by RFC 3986 or 3987.
    pub(super) fn generic(&self) -> Option<&Generic<'u>> {
        self.generic.get_or_init(|| Generic::parse(self.raw)).as_ref()
    }

    /// Returns the verdict of [`url::judge`](url::judge()).
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let level = || self.generic().map_or(Level::None, Generic::level);
        *self.verdict.get_or_init(|| url::verdict_of(self.parsed(), level))
    }

    /// Returns the host that [`url::host`](url::host()) returns.
    #[must_use]
    pub fn site(&self) -> Option<Cow<'u, [u8]>> {
        if self.is_plain {
            return self.rough.host.map(Cow::Borrowed);
        }
        let parsed = self.parsed().as_ref().ok();
        url::host_of(self.raw, parsed, if parsed.is_none() { self.generic() } else { None })
    }

    /// Returns the scheme as written. It is empty if there is none.
    #[must_use]
    pub fn scheme_name(&self) -> &'u [u8] {
        self.rough.scheme.unwrap_or_default()
    }

    /// Returns the URL parsed by RFC 1738 if that RFC defines its scheme. Software for any other
    /// scheme, https included, follows RFC 3986.
    pub(super) fn classic(&self) -> Option<&Url<'u>> {
        if self.scheme.is_otherurl() { None } else { self.parsed().as_ref().ok() }
    }

    /// Returns the range of a slice of the URL.
    pub(super) fn range(&self, slice: &[u8]) -> Range<usize> {
        let start = slice.as_ptr() as usize - self.raw.as_ptr() as usize;
        start..start + slice.len()
    }

    /// Returns whether the URL has this scheme, ignoring case.
    pub(super) fn has_scheme(&self, name: &str) -> bool {
        self.rough.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// Returns the user name, raw.
    pub(super) fn user(&self) -> Option<&'u [u8]> {
        match self.classic() {
            Some(url) => url.user().map(|user| user.as_bytes()),
            None => self.rough.userinfo.map(|userinfo| userinfo.split(|&byte| byte == b':').next().unwrap_or_default()),
        }
    }

    /// Returns the host, raw, that a client of the scheme connects to. The host of a news article
    /// is part of an id, and no client connects to it.
    pub(super) fn host(&self) -> Option<&'u [u8]> {
        // Without an `@` nothing can precede the host, so every parser finds the same host.
        let is_plain = matches!(self.scheme, Scheme::Http | Scheme::Ftp) && !self.signs.meet(Signs::AT);
        match if is_plain { None } else { self.classic() } {
            Some(url) if url.scheme() == Scheme::News => None,
            Some(url) => url.host().map(|host| host.as_bytes()),
            None => self.rough.first_host(),
        }
        .filter(|host| !host.is_empty())
    }

    /// Returns whether the scheme is http or https.
    pub(super) fn is_web(&self) -> bool {
        self.has_scheme("http") || self.has_scheme("https")
    }

    /// Returns whether a segment of the path begins with one of these words, ignoring case.
    pub(super) fn has_segment(&self, words: &[&str]) -> bool {
        let begins = |segment: &[u8], word: &str| {
            segment.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        };
        let mut segments = self.rough.path.split(|&byte| byte == b'/');
        segments.any(|segment| words.iter().any(|word| begins(segment, word)))
    }

    /// Returns the service of the URL, if anybody can publish pages there.
    pub(super) fn tenant(&self) -> Option<Cow<'_, [u8]>> {
        let name = self.name.as_deref().filter(|_| self.is_web())?;
        let lower = |found: Cow<'_, [u8]>| found.into_owned().into();
        // Nearly every name is in lower case, and needs no copy.
        match name.iter().any(u8::is_ascii_uppercase) {
            true => tenants::find(&name.to_ascii_lowercase(), self.rough.path).map(lower),
            false => tenants::find(name, self.rough.path),
        }
    }

    /// Returns the digits of the port, raw. Returns `None` if the port is missing or empty, or holds a
    /// byte other than a digit. The grammar reports such a byte (RFC 1738 section 3.1).
    ///
    /// ```
    /// use urlgrep::audit::{Inspected, RuleOptions};
    ///
    /// let port = |url: &'static str| Inspected::quiet(url.as_bytes(), RuleOptions::new()).port();
    /// assert_eq!(port("http://u@h.example:8080/"), Some(&b"8080"[..]));
    /// assert_eq!([port("http://h.example:/"), port("http://h.example/")], [None; 2]);
    /// ```
    pub fn port(&self) -> Option<&'u [u8]> {
        match self.classic() {
            Some(url) => url.port_text().map(|port| port.as_bytes()),
            None => self.rough.port,
        }
        .filter(|port| !port.is_empty() && port.iter().all(u8::is_ascii_digit))
    }

    /// Returns the port as written and the default port of the scheme.
    ///
    /// Returns `None` if the URL has no port, or the scheme has no default. Also returns `None` if both
    /// are equal, leading zeros or not (G-PORT-2). A port that does not fit into 64 bits is returned as
    /// `u64::MAX`.
    pub(super) fn foreign_port(&self) -> Option<(u64, u16)> {
        let text = self.port()?;
        // RFC 1738 has no default for https, but all software has one (G-OTHER-5).
        let usual = scheme::default_port(self.rough.scheme?)?;
        let port =
            text.iter().fold(0u64, |port, digit| port.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        (port != u64::from(usual)).then_some((port, usual))
    }

    /// Returns the address of a mailto URL, raw, without the headers of RFC 6068 (G-MAILTO-4).
    pub(super) fn address(&self) -> Option<&'u [u8]> {
        (self.scheme == Scheme::Mailto).then_some(self.rough.path)
    }

    /// Returns the parts of the URL, in order.
    pub(super) fn parts(&self) -> &[(UrlPart, &'u [u8])] {
        self.parts.get_or_init(|| self.split())
    }

    fn split(&self) -> Vec<(UrlPart, &'u [u8])> {
        use url::Parts;
        let Some(url) = self.classic() else {
            return self.rough_parts();
        };
        let mut parts = Vec::new();
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
            // The remaining parts of these schemes have no escapes.
            Parts::Nntp(_) | Parts::Telnet(_) | Parts::Other(_) => {}
        }
        add(UrlPart::Fragment, url.fragment());
        parts
    }

    fn rough_parts(&self) -> Vec<(UrlPart, &'u [u8])> {
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
        parts.into_iter().filter_map(|(part, text)| Some((part, text.filter(|t| !t.is_empty())?))).collect()
    }
}

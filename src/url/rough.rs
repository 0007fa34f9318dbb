//! The parts of a URL, split only at delimiters.

use crate::bytes::class;

/// The parts between delimiters, as a lenient reader splits them. The split follows RFC 3986
/// appendix B, but the last `@` ends the userinfo. A backslash delimits an authority like a slash
/// in the schemes where browsers read `\` as `/`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rough<'u> {
    pub(crate) scheme: Option<&'u [u8]>,
    pub(crate) authority: Option<&'u [u8]>,
    pub(crate) userinfo: Option<&'u [u8]>,
    pub(crate) host: Option<&'u [u8]>,
    pub(crate) port: Option<&'u [u8]>,
    pub(crate) path: &'u [u8],
    pub(crate) query: Option<&'u [u8]>,
    pub(crate) fragment: Option<&'u [u8]>,
}

impl<'u> Rough<'u> {
    /// Returns the host, or the first one of several.
    pub(crate) fn first_host(&self) -> Option<&'u [u8]> {
        let host = self.host?;
        Some(&host[..self.scheme.map_or(host.len(), |scheme| first_host_len(scheme, host))])
    }

    pub(crate) fn new(raw: &'u [u8]) -> Rough<'u> {
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
            let (userinfo, site) = split_login(authority);
            let (host, port) = split_port(site);
            (rough.userinfo, rough.host, rough.port) = (userinfo, Some(host), port);
        }
        rough
    }
}

/// The schemes whose authority may hold several hosts, with commas between (B-HOSTS).
const SEVERAL_HOSTS: [&str; 9] =
    ["postgresql", "postgres", "mongodb", "amqp", "amqps", "redis", "rediss", "kafka", "mysql"];

/// Returns whether the authority of this scheme may hold several hosts (B-HOSTS).
pub(crate) fn has_several_hosts(scheme: &[u8]) -> bool {
    SEVERAL_HOSTS.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns whether settings after a `;` may follow the host of this scheme (B-HOSTS).
pub(crate) fn has_settings(scheme: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"sqlserver")
}

/// Returns the hosts of a URL with several hosts, without their ports. Other URLs give none.
pub(crate) fn hosts(url: &[u8]) -> impl Iterator<Item = &[u8]> {
    let rough = Rough::new(url);
    let authority = rough.authority.filter(|_| rough.scheme.is_some_and(has_several_hosts));
    let site = authority.map(|authority| split_login(authority).1).filter(|site| site.contains(&b','));
    site.into_iter().flat_map(|site| site.split(|&byte| byte == b',')).map(|item| split_port(item).0)
}

/// Splits an authority at its last `@`, into the userinfo and the rest.
fn split_login(authority: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match memchr::memrchr(b'@', authority) {
        Some(at) => (Some(&authority[..at]), &authority[at + 1..]),
        None => (None, authority),
    }
}

/// Splits a host from its port. The colons inside an IP literal do not begin the port.
fn split_port(site: &[u8]) -> (&[u8], Option<&[u8]>) {
    let literal = if site.starts_with(b"[") { memchr::memchr(b']', site).unwrap_or(0) } else { 0 };
    match memchr::memchr(b':', &site[literal..]).map(|at| literal + at) {
        Some(colon) => (&site[..colon], Some(&site[colon + 1..])),
        None => (site, None),
    }
}

/// Returns the length of the first host of an authority, without further hosts or
/// settings. The length is `site.len()` if nothing follows them.
pub(crate) fn first_host_len(scheme: &[u8], site: &[u8]) -> usize {
    let end = memchr::memchr2(b',', b';', site).filter(|&at| match site[at] {
        b',' => has_several_hosts(scheme),
        _ => has_settings(scheme),
    });
    end.unwrap_or(site.len())
}

/// Returns whether browsers read `\` as `/` in URLs of this scheme. The URL Standard calls such
/// schemes special.
pub(crate) fn reads_backslash(scheme: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp", b"file", b"ws", b"wss"].iter().any(|name| scheme.eq_ignore_ascii_case(name))
}

fn cut(text: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(delimiter, text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

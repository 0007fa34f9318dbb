//! URLs within a URL: redirections, gateways, and plain nesting.

use std::borrow::Cow;
use std::ops::Range;

use bstr::ByteSlice;

use super::finding::{Remark, Severity};
use super::inspected::{Inspected, UrlPart};
use super::known::gateways::{Gateway, TargetForm};
use super::known::shorteners;
use super::quote::quoted;
use super::{encoded, secret, site};
use crate::bytes::class;
use crate::bytes::rows::{self, table};
use crate::url::escape;
use crate::url::rough::Rough;

/// The names under which redirectors accept their target.
const REDIRECTS: &[&str] = &table!("known/redirects.txt", rows::word);

/// Returns the offset of the first URL in a text: the start of the scheme before a `://`. Escaped
/// bytes match too.
fn inner(text: &[u8]) -> Option<usize> {
    // Nearly every path and search has neither a colon nor an escape.
    memchr::memchr2(b':', b'%', text)?;
    let mut octets = escape::octets(text);
    // `word` is the start of the current word, and `scheme` is the start of the word before the colon.
    // `slashes` is the number of bytes of `://` seen.
    let (mut word, mut scheme, mut slashes) = (None, None, 0);
    loop {
        let at = octets.offset();
        let octet = octets.next()?;
        match octet {
            b':' => (scheme, slashes) = (word, 1),
            b'/' if slashes == 2 && scheme.is_some() => return scheme,
            b'/' if slashes == 1 => slashes = 2,
            _ => slashes = 0,
        }
        word = match class::SCHEME.contains(octet) {
            true => word.or(octet.is_ascii_alphabetic().then_some(at)),
            false => None,
        };
    }
}

/// Returns the fields of a search as names and values. A field without `=` is a value with an empty
/// name.
fn fields(search: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    search.split(|byte| b"&;".contains(byte)).map(|field| field.split_once_str("=").unwrap_or((b"", field)))
}

/// Returns the ranges of the URLs within a URL. Each range extends to the end of its value in the
/// search, or of its other part.
pub(super) fn ranges(url: &Inspected<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut add = |text: &[u8]| {
        let range = url.range(text);
        found.extend(inner(text).map(|start| range.start + start..range.end));
    };
    for &(part, text) in url.parts() {
        match part {
            UrlPart::User | UrlPart::Password | UrlPart::Host | UrlPart::Fragment => {}
            UrlPart::Search => fields(text).for_each(|(_, value)| add(value)),
            _ => add(text),
        }
    }
    found
}

/// Reports a URL within another URL (A-NESTED-URL), unless a protective gateway or A-REDIRECT
/// covers it.
pub(super) fn nested_url(url: &Inspected<'_>) -> Option<Remark> {
    let is_outside = |part| matches!(part, UrlPart::User | UrlPart::Password | UrlPart::Host | UrlPart::Fragment);
    let parts = url.parts().iter().filter(|&&(part, _)| !is_outside(part));
    let (text, start) = parts.into_iter().find_map(|&(_, text)| Some((text, inner(text)?)))?;
    if url.gateway.is_some_and(|gateway| !gateway.is_open) || redirect(url).is_some() {
        return None;
    }
    let message = || {
        let decoded = escape::decode(&text[start..]);
        let rough = Rough::new(&decoded);
        let scheme = quoted(rough.scheme.unwrap_or_default());
        match rough.host.filter(|host| !host.is_empty()) {
            Some(host) => format!("holds a URL of `{}` ({scheme})", quoted(host)),
            None => format!("holds a URL ({scheme})"),
        }
    };
    Some(Remark::new(url.range(text), url.tell(message)))
}

/// Reports a redirection to another site (A-REDIRECT).
pub(super) fn redirect(url: &Inspected<'_>) -> Option<Remark> {
    let own = url.host()?;
    if !url.is_web() {
        return None; // no server could redirect
    }
    match url.gateway {
        Some(gateway) if gateway.is_open => sent_on(url, gateway, own).or_else(|| redirect_by_name(url, own)),
        Some(_) => None,
        None => redirect_by_name(url, own),
    }
}

/// Reports the target of an open gateway, if it is on another site (A-REDIRECT).
fn sent_on(url: &Inspected<'_>, gateway: &Gateway, own: &[u8]) -> Option<Remark> {
    let target = target_of(url, gateway)?;
    let end = meant(&target.url, url.options);
    let end = end.as_deref().unwrap_or(&target.url);
    let host = Rough::new(end).host.filter(|host| !host.is_empty())?;
    if site::is_same(own, host) {
        return None;
    }
    let message =
        || format!("shows `{}`, but {} redirects to `{}`", quoted(own), gateway.name, quoted(&secret::mask(end)));
    Some(Remark::new(target.at, url.tell(message)))
}

/// Reports the target of an open gateway that stands behind protective gateways (A-REDIRECT).
pub(super) fn sent_on_behind(target: &[u8], url: &Inspected<'_>) -> Option<Remark> {
    let mut target = Cow::Borrowed(target);
    for _ in 0..DEEPEST {
        let inspected = url.other(&target);
        let gateway = inspected.gateway?;
        if gateway.is_open {
            return sent_on(&inspected, gateway, inspected.host()?);
        }
        let next = target_of(&inspected, gateway)?.url;
        target = Cow::Owned(next);
    }
    None
}

/// Reports a URL that is the value of a name that redirectors use (A-REDIRECT).
fn redirect_by_name(url: &Inspected<'_>, own: &[u8]) -> Option<Remark> {
    let is_url = |text: &[u8]| inner(text).is_some() || encoded_url(text).is_some();
    let (_, search) = *url.parts().iter().find(|(part, text)| {
        *part == UrlPart::Search && (inner(text).is_some() || fields(text).any(|(_, value)| is_url(value)))
    })?;
    let is_redirect = |name: &[u8]| REDIRECTS.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    let mut fields = fields(search).filter(|(name, _)| is_redirect(name));
    let (name, value, target) = fields.find_map(|(name, value)| {
        let target = match inner(value) {
            // A target is the whole value. A URL in the middle of a value is only nested.
            Some(0) => escape::decode(value).into_owned().into(),
            _ => encoded_url(value)?,
        };
        let host = Rough::new(&target).host.filter(|host| !host.is_empty())?.to_vec();
        (!site::is_same(own, &host)).then_some((name, value, host))
    })?;
    let message = format!("shows `{}`, but `{}` redirects to `{}`", quoted(own), quoted(name), quoted(&target));
    // Some sites share, translate or count the page of the inner URL, and do not redirect to it. A
    // login returns to the site that requested it.
    const FETCHERS: [&str; 9] =
        ["share", "sharing", "translate", "endpoint", "intent", "submit", "bookmark", "badge", "save"];
    let is_mild = url.has_segment(&FETCHERS) || name.eq_ignore_ascii_case(b"redirect_uri");
    Some(Remark { severity: is_mild.then_some(Severity::Info), ..Remark::new(url.range(value), message) })
}

/// Decodes a value in base64 to a URL. In base64 `http` becomes `aHR0c`, so few values need
/// decoding.
fn encoded_url(value: &[u8]) -> Option<Vec<u8>> {
    value.starts_with(b"aHR0c").then(|| encoded::base64(&escape::decode(value)))?.filter(|url| inner(url) == Some(0))
}

/// Reports a link shortener or a click tracker (A-SHORT).
pub(super) fn short(url: &Inspected<'_>) -> Option<Remark> {
    let host = url.host()?;
    let name = shorteners::find(host, url.rough.path)?;
    Some(Remark::new(url.range(host), url.tell(|| format!("only `{name}` knows the target"))))
}

/// The target of a gateway, and its range in the gateway's URL.
pub(super) struct GatewayTarget {
    pub(super) at: Range<usize>,
    pub(super) url: Vec<u8>,
}

/// Returns the target of a URL's gateway, if it can be read.
pub(super) fn target(url: &Inspected<'_>) -> Option<GatewayTarget> {
    target_of(url, url.gateway?)
}

fn target_of(url: &Inspected<'_>, gateway: &Gateway) -> Option<GatewayTarget> {
    let WrittenTarget { text, decoded } = WrittenTarget::of(url, gateway)?;
    // The target of an open gateway may omit its scheme, as a link in a page may.
    let decoded = match decoded.starts_with(b"//") && gateway.is_open {
        true => [b"http:", &decoded[..]].concat(),
        false => decoded,
    };
    (inner(&decoded) == Some(0)).then(|| GatewayTarget { at: url.range(text), url: decoded })
}

/// A possible target as it is written in a gateway's URL. It need not be a URL.
struct WrittenTarget<'u> {
    text: &'u [u8],
    decoded: Vec<u8>,
}

impl<'u> WrittenTarget<'u> {
    fn of(url: &'u Inspected<'_>, gateway: &Gateway) -> Option<Self> {
        let segment = |start: usize| url.rough.path.get(start..)?.split(|&byte| byte == b'/').next();
        match gateway.target {
            TargetForm::Value(names) => Some(Self::escaped(value(url, names)?)),
            TargetForm::Inner => Some(Self::escaped(first_inner(url)?)),
            TargetForm::Defense2 => {
                let text = value(url, "u")?;
                let escaped = text.replace("-", "%").replace("_", "/");
                Some(Self { text, decoded: escape::decode(&escaped).into_owned().into() })
            }
            TargetForm::Defense3 => {
                let text = first_inner(url)?;
                let text = &text[..text.find("__;").unwrap_or(text.len())];
                Some(Self { text, decoded: text.to_vec() })
            }
            TargetForm::Amp => Self::amp(url, gateway),
            TargetForm::Segment => Some(Self::escaped(segment(gateway.path.len())?)),
            TargetForm::Ru => Some(Self::escaped(segment(url.rough.path.find("/RU=")? + 4)?)),
            TargetForm::Base64 => {
                let text = value(url, "u")?;
                Some(Self { text, decoded: encoded::base64(text.strip_prefix(b"a1")?)? })
            }
            TargetForm::Labels => Self::labels(url, gateway),
            TargetForm::Unread => None,
        }
    }

    /// Returns a target that is written with escapes.
    fn escaped(text: &'u [u8]) -> Self {
        Self { text, decoded: escape::decode(text).into_owned().into() }
    }

    /// Returns the page that a path names without its scheme, as in `/amp/s/h.example/x`.
    fn amp(url: &'u Inspected<'_>, gateway: &Gateway) -> Option<Self> {
        let rest = url.rough.path.get(gateway.path.len()..).filter(|rest| !rest.is_empty())?;
        let text = &url.raw[url.range(rest).start..];
        let (scheme, host) = text.strip_prefix(b"s/").map_or((&b"http://"[..], text), |rest| (b"https://", rest));
        let is_whole = inner(host) == Some(0);
        // Google's own pages have a word in place of the host: `/amp/cache/`.
        host.split(|&byte| byte == b'/').next().filter(|name| is_whole || name.contains(&b'.'))?;
        let decoded = if is_whole { host.to_vec() } else { [scheme, host].concat() };
        Some(Self { text, decoded })
    }

    /// Returns the page whose host is written in the labels before the gateway's host.
    fn labels(url: &'u Inspected<'_>, gateway: &Gateway) -> Option<Self> {
        let host = url.rough.host?;
        let labels = host.get(..host.len().checked_sub(gateway.host.len() + 1)?)?;
        // A host has no line feed, so a line feed can stand for the hyphen meanwhile.
        let name = labels.replace("--", "\n").replace("-", ".").replace("\n", "-");
        let rest = &url.raw[url.range(url.rough.path).start..];
        Some(Self { text: host, decoded: [b"https://", &name[..], rest].concat() })
    }
}

/// Returns the value of the first field of the search that has one of these names.
fn value<'u>(url: &'u Inspected<'_>, names: &str) -> Option<&'u [u8]> {
    let is_named = |name: &[u8]| names.split(',').any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    fields(url.rough.query.unwrap_or_default()).find(|(name, _)| is_named(name)).map(|(_, value)| value)
}

/// Returns the first URL in path or search, up to the fragment.
fn first_inner<'u>(url: &'u Inspected<'_>) -> Option<&'u [u8]> {
    let start = url.range(url.rough.path).start;
    let end = url.raw.len() - url.rough.fragment.map_or(0, |fragment| fragment.len() + 1);
    let rest = &url.raw[start..end];
    Some(&rest[inner(rest)?..])
}

/// Reports a gateway that rewrites links (A-GATEWAY).
pub(super) fn gateway(url: &Inspected<'_>) -> Option<Remark> {
    let gateway = url.gateway.filter(|gateway| !gateway.is_open)?;
    let message = match target_of(url, gateway) {
        Some(target) => format!("{} redirects to `{}`", gateway.name, quoted(&secret::mask(&target.url))),
        None => format!("only {} knows the target", gateway.name),
    };
    Some(Remark::new(url.range(url.host()?), message))
}

/// The most gateways that may be nested.
const DEEPEST: usize = 4;

/// Returns the link that was meant: the target of the last gateway. Returns `None` if a protective
/// gateway hides its target.
///
/// A URL without a gateway is its own target. So is a page of an open gateway itself.
pub(super) fn meant(url: &[u8], options: super::RuleOptions) -> Option<Cow<'_, [u8]>> {
    let mut url = Cow::Borrowed(url);
    for _ in 0..DEEPEST {
        let inspected = Inspected::new(&url, options);
        let Some(gateway) = inspected.gateway else { break };
        let target = match target_of(&inspected, gateway) {
            Some(target) => target.url,
            // An open gateway also serves pages of its own.
            None if gateway.is_open => break,
            None => return None,
        };
        url = Cow::Owned(target);
    }
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::RuleOptions;

    #[test]
    fn what_gateways_lead_to() {
        for (url, target) in [
            (
                "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2F%3Fa%3D1%26b&data=x",
                "https://h.example/?a=1&b",
            ),
            ("https://urldefense.proofpoint.com/v1/url?u=http%3A//h.example/&k=x", "http://h.example/"),
            ("https://urldefense.proofpoint.com/v2/url?u=http-3A__h.example_a-2Db&d=x", "http://h.example/a-b"),
            ("https://urldefense.com/v3/__https://h.example/x*y__;Iw!!abc$", "https://h.example/x*y"),
            ("https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fh.example&c=E,1", "https://h.example"),
            ("https://secure-web.cisco.com/1abc/https%3A%2F%2Fh.example%2Fx", "https://h.example/x"),
            ("http://us.rd.yahoo.com/M=1.2/D=groups/*http://h.example/x?y", "http://h.example/x?y"),
            ("https://WWW.Google.co.uk/url?sa=t&url=http://h.example/", "http://h.example/"),
            ("https://l.facebook.com/l.php?u=http%3A%2F%2Fh.example%2F&h=AT0", "http://h.example/"),
            ("https://href.li/?https://h.example/", "https://h.example/"),
            (
                "https://ddec1-0-en-ctp.trendmicro.com/wis/clicktime/v1/query?url=https%3a%2f%2fh.example",
                "https://h.example",
            ),
            ("https://h.example/?url=http://i.example/", "https://h.example/?url=http://i.example/"),
            ("https://www.google.co.uk/amp/s/h.example/x?y#z", "https://h.example/x?y#z"),
            ("https://google.jo/amp/h.example/x", "http://h.example/x"),
            ("https://developers.google.com/amp/cache/", "https://developers.google.com/amp/cache/"),
            ("https://h-example.cdn.ampproject.org/c/s/h.example/x", "https://h.example/x"),
            ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9oLmV4YW1wbGUveA&ntb=1", "https://h.example/x"),
            ("https://adclick.g.doubleclick.net/pcs/click?x&&adurl=//h.example/", "http://h.example/"),
            ("https://ad.doubleclick.net/ddm/clk/1;2;x?https://h.example/y", "https://h.example/y"),
            ("http://ad.doubleclick.net/clk;1;2;?http://h.example/y", "http://h.example/y"),
            ("https://r.search.yahoo.com/_ylt=A/RU=https%3a%2f%2fh.example%2fx/RK=2/RS=a", "https://h.example/x"),
            ("https://www-h--i-example.translate.goog/x?_x_tr_sl=auto", "https://www.h-i.example/x?_x_tr_sl=auto"),
            ("https://a1.r.us-east-1.awstrack.me/L0/https:%2F%2Fh.example%2Fx/1/0100-000/x=3", "https://h.example/x"),
            // A page of an open gateway itself.
            ("https://www.bing.com/ck/a?u=b", "https://www.bing.com/ck/a?u=b"),
            // Nested gateways.
            ("https://google.com/amp/s/www.google.de/amp/s/h.example", "https://h.example"),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__http%3A%2F%2Fh.example%2F__%3B!!x",
                "http://h.example/",
            ),
        ] {
            let meant = meant(url.as_bytes(), RuleOptions::new());
            assert_eq!(meant.as_deref().map(|url| url.as_bstr()), Some(target.as_bytes().as_bstr()), "{url}");
        }
        for url in ["https://protect-us.mimecast.com/s/abc?domain=h.example", "https://www.google.com/url?q=word"] {
            assert_eq!(meant(url.as_bytes(), RuleOptions::new()), None, "{url}");
        }
    }
}

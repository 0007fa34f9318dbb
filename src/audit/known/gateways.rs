//! Gateways that rewrite links (A-GATEWAY), and open redirectors (A-REDIRECT).
//!
//! A click on a rewritten link goes through the gateway to the link that was meant. An open
//! redirector forwards to any URL that its own URL holds.
//!
//! The gateways are from their makers' documentation, November 2026:
//!
//! - Microsoft Defender "Safe Links", Proofpoint "URL Defense", Mimecast "URL Protect"
//! - Barracuda "Link Protection", Egress "Defend"
//! - Cisco, Trend Micro, Symantec, Trellix, Sophos, Check Point, Menlo, Libraesva
//!
//! The redirectors of Google, Facebook, Yahoo and the like are from links in mail.
//!
//! The open ones are from links in 7,909 mails that were reported as phishing
//! (github.com/rf-peixoto/phishing_pot), November 2026. Their makers' documentation is the other
//! source: Google "AMP URLs", "AMP Cache URL format", Campaign Manager "Click trackers", Amazon SES
//! "Open and click tracking".

/// A gateway.
pub(in crate::audit) struct Gateway {
    /// The host. Hosts below it match too.
    pub(in crate::audit) host: &'static str,
    /// The beginning of the path.
    pub(in crate::audit) path: &'static str,
    pub(in crate::audit) target: TargetForm,
    pub(in crate::audit) name: &'static str,
    /// Whether anybody may write a link that goes through the gateway. It then protects nobody.
    pub(in crate::audit) is_open: bool,
}

/// The place and form of the target in a gateway's URL.
#[derive(Clone, Copy)]
pub(in crate::audit) enum TargetForm {
    /// The value of one of these names in the search.
    Value(&'static [&'static str]),
    /// The first URL in path or search.
    Inner,
    /// The value `u`, with `-` for `%` and `_` for `/`.
    Defense2,
    /// The text between `__` and `__;`.
    Defense3,
    /// The text after the beginning of the path. It is `s/` and the URL without `https://`, or the URL
    /// without `http://`, or the whole URL.
    Amp,
    /// The segment after the beginning of the path, escaped.
    Segment,
    /// The segment after `/RU=`, escaped.
    Ru,
    /// The value `u`: `a1`, then the URL in base64.
    Base64,
    /// The labels of the host, with `-` for a dot and `--` for a hyphen.
    Labels,
    /// A form that only the gateway can resolve.
    Unread,
}

use TargetForm::{Amp, Base64, Defense2, Defense3, Inner, Labels, Ru, Segment, Unread, Value};

const fn gateway(host: &'static str, path: &'static str, target: TargetForm, name: &'static str) -> Gateway {
    Gateway { host, path, target, name, is_open: false }
}

const fn open(host: &'static str, path: &'static str, target: TargetForm, name: &'static str) -> Gateway {
    Gateway { host, path, target, name, is_open: true }
}

/// Returns the gateway for this host and path.
pub(in crate::audit) fn find(host: &[u8], path: &[u8]) -> Option<&'static Gateway> {
    let host = google(host).unwrap_or(host);
    let site = last_labels(host)?;
    // Every host is looked up, and nearly none is a gateway. A search of the table would take an eighth
    // of an audit's time (2026-11).
    let letter = site.first().filter(|letter| letter.is_ascii_alphabetic())?.to_ascii_lowercase() - b'a';
    if SITES.get(site.len())? >> letter & 1 == 0 {
        return None;
    }
    let compare = |row: &Gateway| {
        let of_row = last_labels(row.host.as_bytes()).unwrap_or_default();
        of_row.iter().copied().cmp(site.iter().map(u8::to_ascii_lowercase))
    };
    let start = GATEWAYS.partition_point(|row| compare(row).is_lt());
    let rows = GATEWAYS[start..].iter().take_while(|row| compare(row).is_eq());
    rows.into_iter().find(|row| {
        let before = host.len().checked_sub(row.host.len());
        let is_host = before.is_some_and(|before| {
            host[before..].eq_ignore_ascii_case(row.host.as_bytes()) && (before == 0 || host[before - 1] == b'.')
        });
        is_host && (path.starts_with(row.path.as_bytes()) || path.is_empty() && row.path == "/")
    })
}

/// Returns the host by which the table lists Google's hosts of every country (`de`, `co.uk`,
/// `com.au`). Labels before `google` are ignored, except `translate`.
fn google(host: &[u8]) -> Option<&'static [u8]> {
    let mut labels = host.rsplitn(4, |&byte| byte == b'.');
    let is_country = |label: &[u8]| (1..=3).contains(&label.len());
    let is_google = |label: &[u8]| label.eq_ignore_ascii_case(b"google");
    let (_, mut label) = (labels.next().filter(|label| is_country(label))?, labels.next()?);
    let mut before = labels.next();
    if !is_google(label) {
        label = before.filter(|_| is_country(label))?;
        before = labels.next();
    }
    // A host of Google Translate must not match the rows of `www.google.com`.
    let is_translate = before.is_some_and(|label| label.eq_ignore_ascii_case(b"translate"));
    is_google(label).then_some(if is_translate { b"translate.google.com" } else { b"www.google.com" })
}

/// Returns the last two labels, by which the table is sorted.
fn last_labels(host: &[u8]) -> Option<&[u8]> {
    let last = memchr::memrchr(b'.', host)?;
    Some(&host[memchr::memrchr(b'.', &host[..last]).map_or(0, |dot| dot + 1)..])
}

/// The letters with which the last two labels of the rows begin, one bit per letter. The index is
/// the length of the two labels with their dot.
const SITES: [u32; 32] = {
    let mut sites = [0; 32];
    let mut at = 0;
    while at < GATEWAYS.len() {
        let host = GATEWAYS[at].host.as_bytes();
        let (mut start, mut dots) = (host.len(), 0);
        while start > 0 && dots < 2 {
            start -= 1;
            if host[start] == b'.' {
                dots += 1;
            }
        }
        if dots == 2 {
            start += 1;
        }
        sites[host.len() - start] |= 1 << (host[start] - b'a');
        at += 1;
    }
    sites
};

/// The gateways, sorted by the last two labels of the host. The rows of `www.google.com` stand for
/// Google's hosts of every country.
const GATEWAYS: &[Gateway] = &[
    open("cdn.ampproject.org", "/c/", Amp, "Google"),
    open("cdn.ampproject.org", "/v/", Amp, "Google"),
    open("cdn.ampproject.org", "/wp/", Amp, "Google"),
    gateway("r.aol.com", "/cgi/redir", Inner, "AOL"),
    gateway("url.avanan.click", "/", Inner, "Check Point"),
    gateway("awstrack.me", "/L0/", Segment, "Amazon SES"),
    gateway("awstrack.me", "/CL0/", Segment, "Amazon SES"),
    open("www.bing.com", "/ck/a", Base64, "Bing"),
    open("www.bing.com", "/alink/link", Value(&["url"]), "Bing"),
    open("bing.com", "/ck/a", Base64, "Bing"),
    gateway("protect.checkpoint.com", "/", Inner, "Check Point"),
    gateway("secure-web.cisco.com", "/", Inner, "Cisco"),
    gateway("linkprotect.cudasvc.com", "/url", Value(&["a"]), "Barracuda Link Protection"),
    open("ad.doubleclick.net", "/", Inner, "DoubleClick"),
    open("adclick.g.doubleclick.net", "/", Value(&["adurl"]), "DoubleClick"),
    open("googleads.g.doubleclick.net", "/", Value(&["adurl"]), "DoubleClick"),
    gateway("duckduckgo.com", "/l/", Value(&["uddg"]), "DuckDuckGo"),
    gateway("defend.egress.com", "/", Unread, "Egress Defend"),
    gateway("urlsand.esvalabs.com", "/", Value(&["u"]), "Libraesva"),
    gateway("exit.sc", "/", Value(&["url"]), "SoundCloud"),
    gateway("l.facebook.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("lm.facebook.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("www.facebook.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("protect2.fireeye.com", "/", Value(&["u"]), "Trellix"),
    gateway("www.google.com", "/url", Value(&["q", "url"]), "Google"),
    open("www.google.com", "/amp/", Amp, "Google"),
    open("www.google.com", "/aclk", Value(&["adurl"]), "Google Ads"),
    open("www.googleadservices.com", "/pagead/aclk", Value(&["adurl"]), "Google Ads"),
    gateway("href.li", "/", Inner, "href.li"),
    gateway("l.instagram.com", "/", Value(&["u"]), "Instagram"),
    gateway("www.linkedin.com", "/redir/", Value(&["url"]), "LinkedIn"),
    gateway("menlosecurity.com", "/", Inner, "Menlo"),
    gateway("l.messenger.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("mimecast.com", "/s/", Unread, "Mimecast"),
    gateway("mimecast.com", "/r/", Unread, "Mimecast"),
    gateway("mimecastprotect.com", "/", Unread, "Mimecast"),
    gateway("g.msn.com", "/", Inner, "MSN"),
    gateway("safelinks.protection.office365.us", "/", Value(&["url"]), "Safe Links"),
    gateway("safelinks.protection.outlook.com", "/", Value(&["url"]), "Safe Links"),
    gateway("urldefense.proofpoint.com", "/v1/", Value(&["u"]), "URL Defense"),
    gateway("urldefense.proofpoint.com", "/v2/", Defense2, "URL Defense"),
    gateway("urldefense.proofpoint.com", "/v3/", Defense3, "URL Defense"),
    gateway("out.reddit.com", "/", Value(&["url"]), "Reddit"),
    gateway("slack-redir.net", "/link", Value(&["url"]), "Slack"),
    gateway("protection.sophos.com", "/", Unread, "Sophos"),
    gateway("steamcommunity.com", "/linkfilter/", Value(&["url", "u"]), "Steam"),
    gateway("clicktime.symantec.com", "/", Value(&["u"]), "Symantec"),
    gateway("l.threads.com", "/", Value(&["u"]), "Threads"),
    open("tiktok.com", "/link/v2", Value(&["target"]), "TikTok"),
    open("translate.goog", "/", Labels, "Google Translate"),
    gateway("trendmicro.com", "/wis/clicktime/", Value(&["url"]), "Trend Micro"),
    gateway("scanmail.trustwave.com", "/", Value(&["u"]), "Trustwave"),
    gateway("t.umblr.com", "/redirect", Value(&["z"]), "Tumblr"),
    gateway("checkpoint.url-protection.com", "/", Inner, "Check Point"),
    gateway("urldefense.com", "/v1/", Value(&["u"]), "URL Defense"),
    gateway("urldefense.com", "/v2/", Defense2, "URL Defense"),
    gateway("urldefense.com", "/v3/", Defense3, "URL Defense"),
    gateway("urldefense.us", "/v2/", Defense2, "URL Defense"),
    gateway("urldefense.us", "/v3/", Defense3, "URL Defense"),
    gateway("vk.com", "/away.php", Value(&["to"]), "VK"),
    gateway("away.vk.com", "/away.php", Value(&["to"]), "VK"),
    gateway("l.wl.co", "/l", Value(&["u"]), "WhatsApp"),
    gateway("drs.yahoo.com", "/", Inner, "Yahoo"),
    gateway("rd.yahoo.com", "/", Inner, "Yahoo"),
    gateway("srd.yahoo.com", "/", Inner, "Yahoo"),
    open("r.search.yahoo.com", "/", Ru, "Yahoo"),
    open("mobile.mail.yahoo.com", "/apps/affiliateRouter", Value(&["brandUrl"]), "Yahoo"),
    gateway("www.youtube.com", "/redirect", Value(&["q"]), "YouTube"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(GATEWAYS.is_sorted_by_key(|row| last_labels(row.host.as_bytes())));
    }
}

//! Gateways that rewrite links (A-GATEWAY): a click goes through them to the link that was meant.
//!
//! From their makers' documentation (Microsoft Defender "Safe Links", Proofpoint "URL Defense", Mimecast "URL Protect", Barracuda
//! "Link Protection", Cisco, Trend Micro, Symantec, Trellix, Sophos, Check Point, Menlo, Libraesva, Egress "Defend") and from
//! links in mail for the redirectors of Google, Facebook, Yahoo and the like, November 2026.

/// A gateway.
pub(in crate::audit) struct Gateway {
    /// The host, or what ends it after a dot.
    pub(in crate::audit) host: &'static str,
    /// What the path begins with.
    pub(in crate::audit) path: &'static str,
    pub(in crate::audit) target: TargetForm,
    pub(in crate::audit) name: &'static str,
}

/// Where a gateway's URL holds the link that was meant.
#[derive(Clone, Copy)]
pub(in crate::audit) enum TargetForm {
    /// In the value of one of these names of the search.
    Value(&'static [&'static str]),
    /// The first URL in path or search.
    Inner,
    /// The value `u` with `-` for `%` and `_` for `/`.
    Defense2,
    /// Between `__` and `__;`.
    Defense3,
    /// Only the gateway knows it.
    Unread,
}

use TargetForm::{Defense2, Defense3, Inner, Unread, Value};

const fn gateway(host: &'static str, path: &'static str, target: TargetForm, name: &'static str) -> Gateway {
    Gateway { host, path, target, name }
}

/// Sorted by the last two labels of the host. Of `www.google.…` every country's host counts.
pub(in crate::audit) const GATEWAYS: &[Gateway] = &[
    gateway("r.aol.com", "/cgi/redir", Inner, "AOL"),
    gateway("url.avanan.click", "/", Inner, "Check Point"),
    gateway("protect.checkpoint.com", "/", Inner, "Check Point"),
    gateway("secure-web.cisco.com", "/", Inner, "Cisco"),
    gateway("linkprotect.cudasvc.com", "/url", Value(&["a"]), "Barracuda Link Protection"),
    gateway("duckduckgo.com", "/l/", Value(&["uddg"]), "DuckDuckGo"),
    gateway("defend.egress.com", "/", Unread, "Egress Defend"),
    gateway("urlsand.esvalabs.com", "/", Value(&["u"]), "Libraesva"),
    gateway("l.facebook.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("lm.facebook.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("www.facebook.com", "/l.php", Value(&["u"]), "Facebook"),
    gateway("protect2.fireeye.com", "/", Value(&["u"]), "Trellix"),
    gateway("www.google.com", "/url", Value(&["q", "url"]), "Google"),
    gateway("href.li", "/", Inner, "href.li"),
    gateway("l.instagram.com", "/", Value(&["u"]), "Instagram"),
    gateway("www.linkedin.com", "/redir/", Value(&["url"]), "LinkedIn"),
    gateway("menlosecurity.com", "/", Inner, "Menlo"),
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
    gateway("drs.yahoo.com", "/", Inner, "Yahoo"),
    gateway("rd.yahoo.com", "/", Inner, "Yahoo"),
    gateway("srd.yahoo.com", "/", Inner, "Yahoo"),
    gateway("www.youtube.com", "/redirect", Value(&["q"]), "YouTube"),
];

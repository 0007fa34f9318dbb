//! Hosts at which anybody can publish pages (A-TENANT).
//!
//! The hosts are page and form builders, object stores, gateways of IPFS, tunnels, and names of
//! rented machines.
//!
//! The first source is the private part of the Public Suffix List (crate `psl`), which the services
//! maintain themselves. The table holds services that are missing there, or that separate their
//! tenants by paths.
//!
//! The table is from the services' own documentation of how their tenants are addressed, November
//! 2026. Some rows are from links in 7,909 mails that were reported as phishing
//! (github.com/rf-peixoto/phishing_pot).

use std::borrow::Cow;

use psl::Type;

use super::hosts::{self, KnownHost, is_below};

/// A service.
pub(in crate::audit) struct Tenant {
    host: &'static str,
    path: &'static str,
    /// Whether tenants have names below the host. The host itself then belongs to the service.
    is_below: bool,
}

impl KnownHost for Tenant {
    fn host(&self) -> &'static str {
        self.host
    }

    fn path(&self) -> &'static str {
        self.path
    }
}

const fn tenant(host: &'static str, path: &'static str) -> Tenant {
    Tenant { host, path, is_below: false }
}

const fn below(host: &'static str) -> Tenant {
    Tenant { host, path: "/", is_below: true }
}

/// Returns the service at which anybody can publish a page with this host and path. The result is a
/// host, a host and a path, or `/ipfs/`. The name must be in lower case.
pub(in crate::audit) fn find<'n>(name: &'n [u8], path: &'n [u8]) -> Option<Cow<'n, [u8]>> {
    let first = memchr::memchr(b'.', name)?;
    let is_site = |name: &[u8]| memchr::memchr_iter(b'.', name).count() < 2;
    if let Some(row) = hosts::find(TENANTS, name, path).filter(|row| !row.is_below || is_tenant(name, row.host)) {
        let path = if row.path == "/" { "" } else { row.path };
        return Some(Cow::Owned([row.host, path].concat().into_bytes()));
    }
    if let Some(cid) = path.strip_prefix(b"/ipfs/").filter(|rest| is_content_id(rest)) {
        return Some(Cow::Borrowed(&path[..path.len() - cid.len()]));
    }
    // The name of an S3 bucket is a label before the store's host, or stands in the path.
    if name.starts_with(b"s3") && name.ends_with(b".amazonaws.com") && path.len() > 1 {
        return Some(Cow::Borrowed(name));
    }
    // Most names are a site or its `www`, and so not below a private suffix.
    if is_site(name) || &name[..first] == b"www" && is_site(&name[first + 1..]) {
        return None;
    }
    let suffix = psl::suffix(name).filter(|suffix| suffix.typ() == Some(Type::Private))?.as_bytes();
    let before = name.len().checked_sub(suffix.len() + 1).map(|end| &name[..end])?;
    // These names belong to the service itself.
    let is_own = before == b"www" || before == b"members";
    (!is_own && (has_pages(suffix) || is_page(path) && delivers(suffix))).then_some(Cow::Borrowed(suffix))
}

/// Returns whether the label before the service's host belongs to a tenant, not to the service.
fn is_tenant(name: &[u8], host: &str) -> bool {
    const OWN: [&[u8]; 24] = [
        b"about",
        b"account",
        b"accounts",
        b"api",
        b"app",
        b"apps",
        b"assets",
        b"blog",
        b"cdn",
        b"community",
        b"developer",
        b"docs",
        b"email",
        b"go",
        b"help",
        b"images",
        b"login",
        b"media",
        b"my",
        b"public-api",
        b"static",
        b"status",
        b"support",
        b"www",
    ];
    let before = name.len().checked_sub(host.len() + 1).map(|end| &name[..end]);
    let label = before.and_then(|before| before.rsplit(|&byte| byte == b'.').next());
    label.is_some_and(|label| !label.is_empty() && !OWN.contains(&label))
}

/// Returns whether the rest of a path begins with an id of IPFS content.
fn is_content_id(rest: &[u8]) -> bool {
    let id = rest.split(|byte| b"/?#".contains(byte)).next().unwrap_or_default();
    let is_old = id.len() == 46 && id.starts_with(b"Qm");
    let is_new = id.len() >= 50 && (id.starts_with(b"ba") || id.starts_with(b"k51"));
    (is_old || is_new) && id.iter().all(u8::is_ascii_alphanumeric)
}

/// Returns whether a private suffix belongs to a network that delivers content which site owners
/// store elsewhere.
fn delivers(suffix: &[u8]) -> bool {
    const NETWORKS: [&str; 6] =
        ["azureedge.net", "azurefd.net", "cdn77.org", "cloudfront.net", "fastly.net", "fastlylb.net"];
    NETWORKS.iter().any(|network| is_below(suffix, network))
}

/// Returns whether a path names a page, and not a picture or a script.
fn is_page(path: &[u8]) -> bool {
    let ends = |end: &[u8]| path.len().checked_sub(end.len()).is_some_and(|at| path[at..].eq_ignore_ascii_case(end));
    ends(b".html") || ends(b".htm")
}

/// Returns whether tenants' pages stand below a private suffix.
///
/// Domains are sold below some suffixes. Others deliver content from elsewhere, or belong to
/// offices and projects that choose who gets a name.
fn has_pages(suffix: &[u8]) -> bool {
    let (label, top) = suffix.split_at(memchr::memchr(b'.', suffix).unwrap_or(suffix.len()));
    let is_country = || label.len() == 2 && psl::suffix(label).is_some_and(|suffix| suffix.is_known());
    let is_sold = memchr::memchr_iter(b'.', suffix).count() == 1
        && (SOLD_LABELS.contains(&label) || top == b".su" || is_country());
    let is_office = suffix.split(|&byte| byte == b'.').any(|label| label == b"gov");
    !is_sold && !is_office && !NO_PAGES.iter().any(|above| is_below(suffix, above))
}

/// The first labels of suffixes below which domains are sold: `co.ua`, `org.ru`.
const SOLD_LABELS: [&[u8]; 22] = [
    b"art", b"biz", b"co", b"com", b"edu", b"firm", b"gov", b"inc", b"inf", b"info", b"jpn", b"ltd", b"mex", b"mil",
    b"msk", b"net", b"org", b"pp", b"reg", b"shop", b"spb", b"store",
];

/// Suffixes without tenants' pages, from the Public Suffix List of November 2026 and its comments
/// on the entries. These are registries, networks that deliver content, names of machines that
/// serve no browser, offices and projects.
const NO_PAGES: &[&str] = &[
    "4u.com",
    "africa.com",
    "aus.basketball",
    "priv.at",
    "radio.am",
    "radio.fm",
    "graphic.design",
    "eu.org",
    "ngo.us",
    "leg.br",
    "tche.br",
    "gliwice.pl",
    "krakow.pl",
    "poznan.pl",
    "wroc.pl",
    "zakopane.pl",
    "gda.pl",
    "gdansk.pl",
    "gdynia.pl",
    "med.pl",
    "sopot.pl",
    "lodz.pl",
    "lublin.pl",
    "torun.pl",
    "adygeya.ru",
    "bashkiria.ru",
    "dagestan.ru",
    "grozny.ru",
    "kalmykia.ru",
    "marine.ru",
    "mordovia.ru",
    "nalchik.ru",
    "nov.ru",
    "vladikavkaz.ru",
    "vladimir.ru",
    "conn.uk",
    "copro.uk",
    "hosp.uk",
    "lug.org.uk",
    "service.gov.uk",
    "akadns.net",
    "akamai.net",
    "akamaiedge.net",
    "akamaihd.net",
    "akamaized.net",
    "edgekey.net",
    "edgesuite.net",
    "amazoncognito.com",
    "awsapps.com",
    "awsglobalaccelerator.com",
    "elb.amazonaws.com",
    "azureedge.net",
    "azurefd.net",
    "trafficmanager.net",
    "blackbaudcdn.net",
    "cdn77.org",
    "cdn77-ssl.net",
    "cloudflare.net",
    "cloudfront.net",
    "fastly.net",
    "fastlylb.net",
    "smushcdn.com",
    "wpmucdn.com",
    "wpenginepowered.com",
    "googleapis.com",
    "githubusercontent.com",
    "translate.goog",
    "discourse.group",
    "debian.net",
    "fedorainfracloud.org",
    "freedesktop.org",
    "torproject.net",
    "toolforge.org",
    "wmcloud.org",
    "wmflabs.org",
    "readthedocs.io",
    "readthedocs-hosted.com",
    "rit.edu",
    "rub.de",
    "ruhr-uni-bochum.de",
    "in-berlin.de",
    "demon.nl",
    "iki.fi",
];

/// The services, sorted by the last two labels of the host.
const TENANTS: &[Tenant] = &[
    below("000webhostapp.com"),
    below("123formbuilder.com"),
    below("1u.ms"),
    below("4everland.io"),
    tenant("express.adobe.com", "/page/"),
    tenant("indd.adobe.com", "/view/"),
    tenant("new.express.adobe.com", "/webpage/"),
    tenant("spark.adobe.com", "/page/"),
    tenant("airtable.com", "/app"),
    tenant("airtable.com", "/shr"),
    below("angelfire.com"),
    tenant("form.asana.com", "/"),
    below("backblazeb2.com"),
    tenant("beacons.ai", "/"),
    tenant("bio.link", "/"),
    tenant("app.box.com", "/s/"),
    below("bravesites.com"),
    tenant("canva.com", "/design/"),
    below("clickfunnels.com"),
    below("cloud-xip.com"),
    tenant("forms.cloud.microsoft", "/"),
    tenant("sway.cloud.microsoft", "/"),
    below("r2.cloudflarestorage.com"),
    below("company.site"),
    below("contabostorage.com"),
    tenant("cdn.discordapp.com", "/attachments/"),
    below("doodlekit.com"),
    tenant("dropboxusercontent.com", "/"),
    below("dweb.link"),
    below("editorx.io"),
    below("eth.limo"),
    tenant("evernote.com", "/shard/"),
    tenant("ipfs.fleek.co", "/"),
    below("on.fleek.co"),
    below("formcrafts.com"),
    tenant("forms.gle", "/"),
    below("formsite.com"),
    below("formstack.com"),
    tenant("raw.githack.com", "/"),
    tenant("rawcdn.githack.com", "/"),
    below("glitch.me"),
    below("godaddysites.com"),
    tenant("docs.google.com", "/document/d/e/"),
    tenant("docs.google.com", "/drawings/"),
    tenant("docs.google.com", "/forms/"),
    tenant("docs.google.com", "/presentation/d/e/"),
    tenant("script.google.com", "/macros/"),
    tenant("sites.google.com", "/"),
    tenant("storage.cloud.google.com", "/"),
    tenant("commondatastorage.googleapis.com", "/"),
    tenant("firebasestorage.googleapis.com", "/"),
    tenant("storage.googleapis.com", "/"),
    tenant("graph.org", "/"),
    below("hostiran.name"),
    below("hs-sites.com"),
    below("hubspotpagebuilder.com"),
    below("hubspotpagebuilder.eu"),
    below("infura-ipfs.io"),
    tenant("ipfs.infura.io", "/"),
    tenant("gateway.ipfs.io", "/"),
    tenant("ipfs.io", "/"),
    below("jimdo.com"),
    below("jimdofree.com"),
    below("jimdosite.com"),
    tenant("form.jotform.com", "/"),
    tenant("jotform.com", "/app/"),
    tenant("jotform.com", "/form/"),
    tenant("jotform.com", "/sign/"),
    below("cloud.leaseweb.net"),
    below("lhr.life"),
    below("limesurvey.net"),
    tenant("linktr.ee", "/"),
    below("linodeobjects.com"),
    below("livejournal.com"),
    below("loca.lt"),
    tenant("mailchi.mp", "/"),
    below("mailchimpsites.com"),
    tenant("forms.monday.com", "/forms/"),
    below("mypinata.cloud"),
    below("mystrikingly.com"),
    below("nftstorage.link"),
    below("ngrok.io"),
    tenant("nimbusweb.me", "/share/"),
    below("nip.io"),
    tenant("forms.office.com", "/"),
    tenant("sway.office.com", "/"),
    tenant("oraclecloud.com", "/n/"),
    below("paperform.co"),
    tenant("pinata.cloud", "/ipfs/"),
    tenant("questionpro.com", "/a/"),
    tenant("questionpro.com", "/t/"),
    tenant("rentry.co", "/"),
    below("repl.co"),
    below("replit.dev"),
    tenant("research.net", "/r/"),
    below("host.secureserver.net"),
    below("serveo.net"),
    below("site123.me"),
    tenant("app.smartsheet.com", "/b/form/"),
    below("sslip.io"),
    below("strikingly.com"),
    tenant("surveyheart.com", "/form/"),
    tenant("surveymonkey.com", "/r/"),
    tenant("tally.so", "/forms/"),
    tenant("tally.so", "/r/"),
    tenant("taplink.cc", "/"),
    tenant("telegra.ph", "/"),
    below("tripod.com"),
    below("tumblr.com"),
    below("typeform.com"),
    below("ubpages.com"),
    below("ucraft.net"),
    below("ucraft.site"),
    below("vultrobjects.com"),
    below("w3s.link"),
    below("wasabisys.com"),
    below("webnode.com"),
    below("webnode.page"),
    below("weebly.com"),
    below("weeblysite.com"),
    below("wix.com"),
    below("wordpress.com"),
    tenant("wufoo.com", "/forms/"),
    tenant("forms.yandex.com", "/cloud/"),
    tenant("forms.yandex.com", "/u/"),
    tenant("forms.yandex.ru", "/cloud/"),
    tenant("forms.yandex.ru", "/u/"),
    tenant("storage.yandexcloud.net", "/"),
    tenant("zfrmz.com", "/"),
    tenant("forms.zohopublic.com", "/"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(hosts::is_sorted(TENANTS));
        assert!(SOLD_LABELS.is_sorted());
    }

    #[test]
    fn tenants() {
        for (host, path, at) in [
            ("a.web.app", "/", Some("web.app")),
            ("a.b.run.app", "/x", Some("b.run.app")),
            ("pub-1a.r2.dev", "/i.html", Some("r2.dev")),
            ("a.workers.dev", "", Some("workers.dev")),
            ("a.z13.web.core.windows.net", "/", Some("web.core.windows.net")),
            ("us-central1-a.cloudfunctions.net", "/f", Some("cloudfunctions.net")),
            ("storage.googleapis.com", "/a/b.html", Some("storage.googleapis.com")),
            ("fonts.googleapis.com", "/css", None),
            ("docs.google.com", "/forms/d/e/x/viewform", Some("docs.google.com/forms/")),
            ("docs.google.com", "/spreadsheets/d/x", None),
            ("a.weebly.com", "/", Some("weebly.com")),
            ("www.weebly.com", "/", None),
            ("weebly.com", "/", None),
            ("ipfs.io", "/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/x", Some("ipfs.io")),
            ("h.example", "/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/x", Some("/ipfs/")),
            ("h.example", "/ipfs/readme", None),
            ("b.s3.us-east-1.amazonaws.com", "/x", Some("s3.us-east-1.amazonaws.com")),
            ("s3.us-east-1.amazonaws.com", "/b/x", Some("s3.us-east-1.amazonaws.com")),
            ("d1.cloudfront.net", "/x", None),
            ("d1.cloudfront.net", "/x/i.HTML", Some("cloudfront.net")),
            ("168.37.167.72.host.secureserver.net", "/", Some("host.secureserver.net")),
            ("64-120-94-221.cloud.leaseweb.net", "/", Some("cloud.leaseweb.net")),
            ("members.dyndns.org", "/", None),
            ("www.a.eu.com", "/", None),
            ("www.a.co.ua", "/", None),
            ("a.msk.su", "/", None),
            ("www.github.io", "/", None),
            ("web.app", "/", None),
            ("www.example.com", "/", None),
            ("www.example.co.uk", "/", None),
            ("127.0.0.1", "/", None),
        ] {
            let found = find(host.as_bytes(), path.as_bytes());
            assert_eq!(found.as_deref(), at.map(str::as_bytes), "{host}{path}");
        }
    }
}

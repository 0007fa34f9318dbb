//! Hosts at which anybody can publish pages (A-TENANT).
//!
//! The hosts are page and form builders, object stores, gateways of IPFS, tunnels, and names of
//! rented machines.
//!
//! The first source is the private part of the Public Suffix List (crate `psl`), which the services
//! maintain themselves. The table holds services that are missing there, or that separate their
//! tenants by paths.

use std::borrow::Cow;

use psl::Type;

use super::hosts::{self, is_below};
use crate::bytes::rows::{self, table};

/// A service.
#[derive(Clone, Copy)]
pub(in crate::audit) struct Tenant {
    host: &'static str,
    path: &'static str,
    /// Whether tenants have names below the host. The host itself then belongs to the service.
    is_below: bool,
}

/// Returns a row. Below `*.host`, tenants have names.
const fn tenant([host, path]: [&'static str; 2]) -> Tenant {
    match host.as_bytes() {
        [b'*', b'.', ..] => Tenant { host: host.split_at(2).1, path: "/", is_below: true },
        _ => Tenant { host, path, is_below: false },
    }
}

/// Returns the service at which anybody can publish a page with this host and path. The result is a
/// host, a host and a path, or `/ipfs/`. The name must be in lower case.
pub(in crate::audit) fn find<'n>(name: &'n [u8], path: &'n [u8]) -> Option<Cow<'n, [u8]>> {
    let first = memchr::memchr(b'.', name)?;
    let is_site = |name: &[u8]| memchr::memchr_iter(b'.', name).count() < 2;
    if let Some(row) = hosts::find(TENANTS, |row| [row.host, row.path], name, path)
        .filter(|row| !row.is_below || is_tenant(name, row.host))
    {
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
    const OWN: &[&str] = &table!("own_labels.txt", rows::word);
    let before = name.len().checked_sub(host.len() + 1).map(|end| &name[..end]);
    let label = before.and_then(|before| before.rsplit(|&byte| byte == b'.').next());
    label.is_some_and(|label| !label.is_empty() && !OWN.iter().any(|own| own.as_bytes() == label))
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

/// Suffixes without tenants' pages.
const NO_PAGES: &[&str] = &table!("no_pages.txt", rows::word);

/// The services, sorted by the last two labels of the host.
const TENANTS: &[Tenant] = &table!("tenants.txt", tenant);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(hosts::is_sorted(TENANTS, |row| [row.host, row.path]));
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

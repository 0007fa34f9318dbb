//! Gateways that rewrite links (A-GATEWAY), and open redirectors (A-REDIRECT).
//!
//! A click on a rewritten link goes through the gateway to the link that was meant. An open
//! redirector forwards to any URL that its own URL holds.

use super::hosts::{self, last_labels};
use crate::bytes::rows::table;

/// A gateway.
#[derive(Clone, Copy)]
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
    /// The value of one of these names in the search. Commas separate them.
    Value(&'static str),
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

#[allow(clippy::panic, reason = "the compiler reads the file, so a wrong one does not compile")]
const fn gateway([host, path, target, access, name]: [&'static str; 5]) -> Gateway {
    let target = match target.as_bytes() {
        [b'v', b'a', b'l', b'u', b'e', b'=', ..] => Value(target.split_at("value=".len()).1),
        b"inner" => Inner,
        b"defense2" => Defense2,
        b"defense3" => Defense3,
        b"amp" => Amp,
        b"segment" => Segment,
        b"ru" => Ru,
        b"base64" => Base64,
        b"labels" => Labels,
        b"unread" => Unread,
        _ => panic!("a gateway has a form of target that no code reads"),
    };
    Gateway { host, path, target, name, is_open: matches!(access.as_bytes(), b"open") }
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
    hosts::find(GATEWAYS, |row| [row.host, row.path], host, path)
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
const GATEWAYS: &[Gateway] = &table!("gateways.txt", gateway);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(hosts::is_sorted(GATEWAYS, |row| [row.host, row.path]));
    }
}

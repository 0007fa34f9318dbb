//! URLs that are equal, but written in more than one way.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use urlgrep::url::{equality_key, resolve_3986};

use super::examine::least;
use super::ledger::UrlId;
use super::settled::SettledLedger;

/// The most spellings of a URL that a report lists.
pub(super) const MOST_SPELLINGS: usize = 20;

/// The most groups of URLs that are equal without their dot segments. Once there are so many,
/// further URLs are ignored.
const MOST_DOTTED: usize = 1 << 20;

/// A URL and its spellings.
pub(super) struct Spelled<'s> {
    pub(super) normal: BString,
    /// Places of all spellings.
    pub(super) occurrences: u64,
    /// The spellings with the most places, each with its number of places.
    pub(super) spellings: Vec<(&'s BStr, u64)>,
    /// The number of all spellings.
    pub(super) count: u64,
}

/// Returns the URLs that are written in several ways, and their number. At most `most` URLs are
/// returned, those with the most places.
///
/// URLs are equal if they have the same key of equality (section 4) once dot segments are removed
/// (RFC 3986 section 5.2.4).
pub(super) fn spelled(settled: &SettledLedger, most: usize) -> (Vec<Spelled<'_>>, u64) {
    let groups = dotted(settled);
    let joined: BTreeSet<UrlId> = groups.values().flatten().copied().collect();
    let alone = settled.links.iter().filter(|link| !joined.contains(link) && settled.members(link).len() > 1);
    let alone = alone.map(|&link| Cow::Owned(vec![link]));
    let groups = alone.chain(groups.values().map(|links| Cow::Borrowed(&links[..])));
    let mut total = 0;
    let mut ranked: Vec<(Reverse<u64>, Cow<'_, [UrlId]>)> = Vec::new();
    for links in groups {
        let spellings = spellings(settled, &links);
        if spellings.len() > 1 {
            total += 1;
            ranked.push((Reverse(spellings.values().sum()), links));
        }
    }
    // The spellings are counted again for the few URLs to show. Keeping all of them would need more
    // memory.
    let told = |(Reverse(occurrences), links): (Reverse<u64>, Cow<'_, [UrlId]>)| {
        let all = spellings(settled, &links);
        let count = all.len() as u64;
        let ranked = all.into_iter().map(|(spelling, places)| (Reverse(places), spelling)).collect();
        let told = least(ranked, MOST_SPELLINGS).into_iter().map(|(Reverse(places), spelling)| (spelling, places));
        let normal = normal(settled.url(links[0])).into_owned().into();
        Spelled { normal, occurrences, spellings: told.collect(), count }
    };
    (least(ranked, most).into_iter().map(told).collect(), total)
}

/// Returns the links with dot segments, grouped by their form without these segments.
fn dotted(settled: &SettledLedger) -> BTreeMap<Vec<u8>, Vec<UrlId>> {
    let mut groups: BTreeMap<Vec<u8>, Vec<UrlId>> = BTreeMap::new();
    // Few URLs have a dot segment, and this check is cheap.
    let may_have_dots = |url: &BStr| [&b"/."[..], b"/%2"].iter().any(|start| url.contains_str(start));
    for &link in settled.links.iter().filter(|link| may_have_dots(settled.url(**link))) {
        let normal = normal(settled.url(link));
        if groups.len() < MOST_DOTTED && *normal != *equality_key(settled.url(link)) {
            groups.entry(normal.into_owned()).or_default().push(link);
        }
    }
    for (normal, links) in &mut groups {
        // The link without dot segments leads its group, wherever it occurs.
        if let Some(lead) = settled.ledger.lead(normal) {
            links.insert(0, settled.first(lead));
        }
    }
    groups
}

/// Returns the spellings of links, with their places. A doubtful URL is counted under its preferred
/// reading.
fn spellings<'s>(settled: &'s SettledLedger, links: &[UrlId]) -> BTreeMap<&'s BStr, u64> {
    let mut spellings = BTreeMap::new();
    for link in links {
        for &id in settled.members(link) {
            let places = settled.ledger.urls[id].count;
            if places > 0 {
                *spellings.entry(settled.url(id)).or_default() += places;
            }
        }
    }
    spellings
}

/// Returns a URL's key of equality, without dot segments.
fn normal(url: &BStr) -> Cow<'_, [u8]> {
    let key = equality_key(url);
    if !key.contains_str("/.") {
        return key;
    }
    match resolve_3986(&key, &key) {
        Ok(resolved) => Cow::Owned(resolved),
        Err(_) => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_go_and_all_else_is_the_key() {
        for (url, expected) in [
            ("HTTP://H.example:80/a/./b/../c", "http://h.example/a/c"),
            ("http://h.example/%2e%2e/x", "http://h.example/x"),
            ("http://h.example", "http://h.example/"),
            ("http://h.example/.well-known/x?a=/../b", "http://h.example/.well-known/x?a=/../b"),
            ("mailto:a@H", "mailto:a@h"),
            ("no url/../x", "no url/../x"),
        ] {
            assert_eq!(normal(url.into()).as_bstr(), expected, "{url}");
        }
    }
}

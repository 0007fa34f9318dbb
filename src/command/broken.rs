//! The pages that hold broken links.

use std::cmp::Reverse;

use bstr::{BStr, ByteSlice};
use urlgrep::audit::Rule;

use super::examine::least;
use super::ledger::{LedgerPlace, UrlId};
use super::model::Share;
use super::settled::SettledLedger;

/// Returns the pages with the most broken links, and the number of all pages with a broken link.
/// Each page comes with the number of its broken links, and of their places.
///
/// A page is a file; in a web archive it is the target of a record. A link is broken if X-BROKEN
/// fires on it.
pub(super) fn pages(settled: &SettledLedger, most: usize) -> (Vec<(&BStr, Share)>, u64) {
    let ledger = &settled.ledger;
    let is_broken = |id: &UrlId| ledger.status(settled.url(*id)).and_then(|status| status.rule()) == Some(Rule::Broken);
    let page = |place: &LedgerPlace| {
        let target = place.header.and_then(|header| ledger.in_message(header).url);
        target.map_or(ledger.file_name(place.file), |target| target.as_bytes().as_bstr())
    };
    let mut places: Vec<(&BStr, UrlId)> = Vec::new();
    for id in ledger.places.watched_urls().filter(is_broken) {
        let link = settled.first(id);
        places.extend(ledger.places.watched(id).iter().map(|place| (page(place), link)));
    }
    places.sort_unstable();
    let pages = places.chunk_by(|(one, _), (other, _)| one == other);
    let ranked: Vec<_> = pages
        .map(|places| {
            // The places are sorted, so the places of one link are neighbours.
            let links = places.chunk_by(|one, other| one == other).count() as u64;
            (Reverse(links), Reverse(places.len() as u64), places[0].0)
        })
        .collect();
    let total = ranked.len() as u64;
    let share = |(Reverse(urls), Reverse(occurrences), page)| (page, Share { urls, occurrences });
    (least(ranked, most).into_iter().map(share).collect(), total)
}

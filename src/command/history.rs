//! What the dates of an archive say: its years, and how long schemes, hosts and registrable domains are spoken of.
//!
//! Counted from the distinct URLs and the first and last day of each, once all is read: that costs some 300 ns a URL where a
//! report shows it, and nothing for a place. A forged date can be the first or the last of a URL; then the other one counts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use bstr::{ByteSlice, ByteVec};

use super::examine::scheme;
use super::model::{Day, DaySpan, DomainHistory, History, NamedHistory, Share};
use super::settled::SettledLedger;
use crate::audit::registrable_domain;

/// The first year that a date can be of: what is before was written by a program without a clock.
pub(super) const FIRST_YEAR: i32 = 1970;

/// What is counted of a name.
#[derive(Default)]
struct Span {
    share: Share,
    /// First and last year, of those that can be.
    years: Option<(i16, i16)>,
}

impl Span {
    fn add(&mut self, share: Share, years: Option<(i16, i16)>) {
        self.share.add(share);
        self.years = match (self.years, years) {
            (Some((first, last)), Some((other_first, other_last))) => {
                Some((first.min(other_first), last.max(other_last)))
            }
            (mine, other) => mine.or(other),
        };
    }

    fn named(self, name: Vec<u8>) -> NamedHistory {
        NamedHistory { name: name.into_string_lossy(), share: self.share, years: self.years }
    }
}

/// Counts. `today`: later dates are forged. `top`: hosts and domains that are kept, those with most places.
pub(super) fn history(settled: &SettledLedger, today: Day, top: usize) -> History {
    let mut history = History::default();
    let mut schemes: BTreeMap<Vec<u8>, Span> = BTreeMap::new();
    let mut hosts: HashMap<Vec<u8>, Span> = HashMap::new();
    for &id in &settled.links {
        let mut days = DaySpan::default();
        settled.members(&id).iter().for_each(|&member| days.join(settled.ledger.urls[member].days));
        let years = days.days().and_then(|days| possible_years(days, today));
        if let Some((first, last)) = years {
            *history.first.entry(i32::from(first)).or_default() += 1;
            *history.last.entry(i32::from(last)).or_default() += 1;
        }
        let share = Share { urls: 1, occurrences: settled.count(id) };
        schemes.entry(scheme(settled.url(id))).or_default().add(share, years);
        if let Some(host) = settled.host(id) {
            hosts.entry(host.to_ascii_lowercase()).or_default().add(share, years);
        }
    }
    history.schemes = schemes.into_iter().map(|(name, span)| span.named(name)).collect();
    history.schemes.sort_by_key(|named| (last_year(named.years), Reverse(named.share.occurrences)));
    let mut domains: HashMap<Vec<u8>, (Span, Vec<NamedHistory>)> = HashMap::new();
    for (host, span) in hosts {
        let (sum, of_domain) = domains.entry(registrable_domain(&host)).or_default();
        sum.add(span.share, span.years);
        of_domain.push(span.named(host));
    }
    history.domain_count = domains.len() as u64;
    let domains = domains.into_iter().map(|(name, (span, mut hosts))| {
        hosts.sort_by(most_places);
        DomainHistory { whole: span.named(name), hosts }
    });
    let mut domains: Vec<DomainHistory> = domains.collect();
    let mut hosts: Vec<&NamedHistory> = domains.iter().flat_map(|domain| &domain.hosts).collect();
    hosts.sort_by(|one, other| most_places(one, other));
    history.hosts = hosts.into_iter().take(top).cloned().collect();
    history.hosts.sort_by_key(|named| last_year(named.years));
    domains.sort_by(|one, other| most_places(&one.whole, &other.whole));
    domains.truncate(top);
    history.domains = domains;
    history
}

/// The years of a URL's first and last day, of those that can be.
fn possible_years((first, last): (Day, Day), today: Day) -> Option<(i16, i16)> {
    let is_possible = |day: &Day| i32::from(day.year) >= FIRST_YEAR && *day <= today;
    match (is_possible(&first), is_possible(&last)) {
        (true, true) => Some((first.year, last.year)),
        (true, false) => Some((first.year, first.year)),
        (false, true) => Some((last.year, last.year)),
        (false, false) => None,
    }
}

/// What has no year comes last.
pub(super) fn last_year(years: Option<(i16, i16)>) -> i16 {
    years.map_or(i16::MAX, |(_, last)| last)
}

fn most_places(one: &NamedHistory, other: &NamedHistory) -> std::cmp::Ordering {
    let key = |named: &NamedHistory| Reverse(named.share.occurrences);
    key(one).cmp(&key(other)).then_with(|| one.name.as_bytes().as_bstr().cmp(other.name.as_bytes().as_bstr()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_date_does_not_count() {
        let day = |text: &str| Day::of(text).unwrap();
        let today = day("2026-11-22");
        for (first, last, years) in [
            ("1994-01-02", "1999-01-01", Some((1994, 1999))),
            ("1994-01-02", "2098-01-01", Some((1994, 1994))),
            ("0001-01-02", "1999-01-01", Some((1999, 1999))),
            ("0001-01-02", "2026-11-23", None),
            ("1969-12-31", "2026-11-22", Some((2026, 2026))),
        ] {
            assert_eq!(possible_years((day(first), day(last)), today), years, "{first} {last}");
        }
    }
}

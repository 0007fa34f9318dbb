//! Lifetimes in an archive: its years, and how long schemes, hosts and registrable domains occur.
//!
//! Lifetimes are counted after all input is read, from the first and the last day of each distinct
//! URL. The count takes some 300 ns per URL, and is made only if a report shows it. Impossible days
//! are excluded (see [`Ledger::until`](super::Ledger::until)).

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use bstr::{ByteSlice, ByteVec};
use urlgrep::audit::registrable_domain;

use super::examine::scheme;
use super::ledger::UrlId;
use super::model::{Day, DaySpan, DomainHistory, History, NamedHistory, Share};
use super::settled::SettledLedger;

/// The counts of a name.
#[derive(Default)]
struct Span {
    share: Share,
    /// The first and the last possible year.
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

/// Counts the years and lifetimes. `until` is the day of the audit. `top` is the number of hosts
/// and domains to keep, those with the most places. If `top` is `None`, only the first and the last
/// day are determined.
pub(super) fn history(settled: &SettledLedger, until: Day, top: Option<usize>) -> History {
    let mut days = DaySpan::default();
    settled.ledger.urls.ids().for_each(|id| days.join(settled.ledger.possible_days(id)));
    let (dates, forged) = (days.days(), settled.ledger.tally.forged);
    let mut history = History { until: Some(until), dates, forged, ..History::default() };
    let Some(top) = top else { return history };
    let mut schemes: BTreeMap<Vec<u8>, Span> = BTreeMap::new();
    let mut hosts: HashMap<Vec<u8>, Span> = HashMap::new();
    for &id in &settled.links {
        let years = years(settled, id);
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
    let mut domains = domains(hosts);
    history.domain_count = domains.len() as u64;
    let mut hosts: Vec<&NamedHistory> = domains.iter().flat_map(|domain| &domain.hosts).collect();
    hosts.sort_by(|one, other| most_places(one, other));
    history.hosts = hosts.into_iter().take(top).cloned().collect();
    // The sort is stable, so hosts of one year stay in the order of their places.
    history.hosts.sort_by_key(|named| last_year(named.years));
    domains.sort_by(|one, other| most_places(&one.whole, &other.whole));
    domains.truncate(top);
    history.domains = domains;
    history
}

/// Groups hosts by their registrable domains.
fn domains(hosts: HashMap<Vec<u8>, Span>) -> Vec<DomainHistory> {
    let mut domains: HashMap<Vec<u8>, (Span, Vec<NamedHistory>)> = HashMap::new();
    for (host, span) in hosts {
        let (sum, of_domain) = domains.entry(registrable_domain(&host)).or_default();
        sum.add(span.share, span.years);
        of_domain.push(span.named(host));
    }
    let domains = domains.into_iter().map(|(name, (span, mut hosts))| {
        hosts.sort_by(most_places);
        DomainHistory { whole: span.named(name), hosts }
    });
    domains.collect()
}

/// Returns the years of a URL's first and last possible day.
pub(super) fn years(settled: &SettledLedger, id: UrlId) -> Option<(i16, i16)> {
    possible_days(settled, id).days().map(|(first, last)| (first.year, last.year))
}

fn possible_days(settled: &SettledLedger, id: UrlId) -> DaySpan {
    let mut days = DaySpan::default();
    settled.members(&id).iter().for_each(|&member| days.join(settled.ledger.possible_days(member)));
    days
}

/// Returns the last year as a sort key; a name without years comes last.
pub(super) fn last_year(years: Option<(i16, i16)>) -> i16 {
    years.map_or(i16::MAX, |(_, last)| last)
}

fn most_places(one: &NamedHistory, other: &NamedHistory) -> std::cmp::Ordering {
    let key = |named: &NamedHistory| Reverse(named.share.occurrences);
    key(one).cmp(&key(other)).then_with(|| one.name.as_bytes().as_bstr().cmp(other.name.as_bytes().as_bstr()))
}

//! The examination of every URL with every rule, and the totals of the findings. An entry is a URL
//! of the ledger as it is written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

use bstr::ByteVec;
use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};
use rayon::prelude::*;
use urlgrep::audit::{Inspected, Rule, Severity};
use urlgrep::url;
use urlgrep::{Level, ParseErrorKind};

use super::ignored::Ignored;
use super::ledger::UrlId;
use super::model::{DaySpan, Share, Summary};
use super::settled::SettledLedger;

/// The number of entries that a thread examines at a time.
const CHUNK: usize = 16 << 10;

/// A finding: its entry, its rule, its place and its severity. If each place is a finding of its
/// own, `place` is the index of the place. Otherwise it is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fired {
    pub(super) id: UrlId,
    pub(super) rule: Rule,
    pub(super) place: u32,
    pub(super) severity: Severity,
}

/// The results for a chunk of entries.
#[derive(Default)]
struct Examined<'s> {
    findings: Vec<Fired>,
    schemes: BTreeMap<Vec<u8>, Share>,
    levels: BTreeMap<Level, Share>,
    errors: HashMap<ParseErrorKind, Share>,
    /// The hosts in lower case, each with its first entry.
    hosts: HashMap<Cow<'s, [u8]>, (UrlId, Share)>,
    schemes_of_hosts: SchemesOfHosts,
    days: DaySpan,
}

/// The hosts of http links, each with its first entry, and the hosts of https links. Only their
/// hashes are kept, since names would need many bytes. A collision causes one wrong finding.
#[derive(Default)]
struct SchemesOfHosts {
    plain: HashMap<u64, UrlId>,
    secure: HashSet<u64>,
}

impl SchemesOfHosts {
    fn add(&mut self, hash: u64, scheme: &[u8], id: UrlId) {
        if scheme.eq_ignore_ascii_case(b"https") {
            self.secure.insert(hash);
        } else if scheme.eq_ignore_ascii_case(b"http") {
            let first = self.plain.entry(hash).or_insert(id);
            *first = id.min(*first);
        }
    }

    fn join(&mut self, other: SchemesOfHosts) {
        self.secure.extend(other.secure);
        for (hash, id) in other.plain {
            self.add(hash, b"http", id);
        }
    }

    /// Returns the findings of A-HTTP: hosts that are linked to by both schemes.
    fn findings(self) -> impl Iterator<Item = Fired> {
        let SchemesOfHosts { plain, secure } = self;
        let both = plain.into_iter().filter(move |(hash, _)| secure.contains(hash));
        both.map(|(_, id)| Fired { id, rule: Rule::PlainHttp, place: 0, severity: Rule::PlainHttp.severity() })
    }
}

/// Returns the findings in the order of the entries and then of the rules, without the ignored
/// ones. Adds the totals to the summary. Runs on rayon's current threads.
pub(super) fn examine(
    settled: &SettledLedger,
    is_enabled: impl Fn(Rule) -> bool + Sync,
    ignored: &[Ignored],
    top_hosts: usize,
    summary: &mut Summary,
) -> Vec<Fired> {
    let chunks: Vec<usize> = (0..settled.ledger.urls.len()).step_by(CHUNK).collect();
    let mut hosts = Hosts::default();
    let mut sum = Examined::default();
    let mut findings = Vec::new();
    // Only a few chunks are examined at a time, to limit the memory of their results.
    for chunks in chunks.chunks(4 * rayon::current_num_threads()) {
        let examined: Vec<_> =
            chunks.par_iter().map(|&start| Examined::of(start, settled, &hosts.hasher, &is_enabled)).collect();
        for examined in examined {
            findings.extend(counted(examined.findings, settled, ignored, summary));
            examined.schemes.into_iter().for_each(|(scheme, share)| sum.schemes.entry(scheme).or_default().add(share));
            examined.levels.into_iter().for_each(|(level, share)| sum.levels.entry(level).or_default().add(share));
            examined.errors.into_iter().for_each(|(kind, share)| sum.errors.entry(kind).or_default().add(share));
            examined.hosts.into_iter().for_each(|(host, (id, share))| hosts.add(settled, &host, id, share));
            sum.days.join(examined.days);
            sum.schemes_of_hosts.join(examined.schemes_of_hosts);
        }
    }
    // A-HTTP needs the hosts of all chunks, so its findings are added and sorted at the end.
    if is_enabled(Rule::PlainHttp) {
        findings.extend(counted(sum.schemes_of_hosts.findings(), settled, ignored, summary));
        findings.sort_unstable();
    }
    summary.hosts = hosts.rows.len() as u64;
    summary.by_host = hosts.top(settled, top_hosts);
    summary.by_scheme = ranked(sum.schemes.into_iter().map(|(scheme, share)| (scheme.into_string_lossy(), share)));
    summary.by_level = sum.levels.into_iter().collect();
    summary.by_error = ranked(sum.errors);
    summary.dates = sum.days.days();
    findings
}

/// Counts findings in the summary, and filters out those that are ignored.
fn counted(
    fired: impl IntoIterator<Item = Fired>,
    settled: &SettledLedger,
    ignored: &[Ignored],
    summary: &mut Summary,
) -> impl Iterator<Item = Fired> {
    fired.into_iter().filter(move |fired| {
        let by = ignored.iter().find(|ignored| ignored.fits(settled.url(fired.id), fired.rule));
        if let Some(by) = by {
            *summary.ignored.entry(by.reason.clone()).or_default() += 1;
        } else {
            *summary.by_rule.entry(fired.rule).or_default() += 1;
            *summary.by_severity.entry(fired.severity).or_default() += 1;
        }
        by.is_none()
    })
}

impl<'s> Examined<'s> {
    /// Returns the results for the chunk of entries from `start` on.
    fn of(
        start: usize,
        settled: &'s SettledLedger,
        hasher: &DefaultHashBuilder,
        is_enabled: &impl Fn(Rule) -> bool,
    ) -> Examined<'s> {
        let mut examined = Examined::default();
        // Links and marks advance in step with the entries, which is cheaper than a look-up for each entry.
        let first = UrlId::new(start);
        let links = &settled.links[settled.links.partition_point(|&link| link < first)..];
        let mut links = links.iter().peekable();
        let mut marked = settled.ledger.places.rules_since(first).peekable();
        for id in (start..settled.ledger.urls.len().min(start + CHUNK)).map(UrlId::new) {
            let entry = &settled.ledger.urls[id];
            let inspected = settled.inspected(id);
            let verdict = inspected.verdict();
            let share = Share { urls: u64::from(links.next_if_eq(&&id).is_some()), occurrences: entry.count };
            let name = inspected.scheme_name();
            match examined.schemes.get_mut(name) {
                Some(sum) => sum.add(share),
                None => examined.schemes.entry(name.to_ascii_lowercase()).or_default().add(share),
            }
            examined.levels.entry(verdict.level).or_default().add(share);
            if let Some(error) = verdict.error {
                examined.errors.entry(error.kind()).or_default().add(share);
            }
            if let Some(host) = inspected.site().filter(|host| !host.is_empty()) {
                let host =
                    if host.iter().any(u8::is_ascii_uppercase) { host.to_ascii_lowercase().into() } else { host };
                // A-HTTP covers only URLs without a port: another port may belong to another server.
                if entry.count > 0 && inspected.port().is_none() {
                    examined.schemes_of_hosts.add(hasher.hash_one(&*host), name, id);
                }
                examined.hosts.entry(host).or_insert((id, Share::default())).1.add(share);
            }
            examined.days.join(entry.days);
            let marks = std::iter::from_fn(|| marked.next_if(|&(of, _)| of == id).map(|(_, rule)| rule));
            examined.find(id, &inspected, settled, marks, is_enabled);
        }
        examined
    }

    /// Appends the findings of an entry, in the order of the rules.
    fn find(
        &mut self,
        id: UrlId,
        url: &Inspected<'_>,
        settled: &SettledLedger,
        marks: impl Iterator<Item = Rule>,
        is_enabled: &impl Fn(Rule) -> bool,
    ) {
        let (places, mut fired) = (&settled.ledger.places, Vec::new());
        // An entry without places was merged into another entry that is written alike.
        if settled.ledger.urls[id].count > 0 {
            fired.extend(settled.fired(id, url).map(|(rule, severity)| (rule, 0, severity)));
        }
        // A rule that is worse at a place fires there, even if it does not fire on the URL's bytes.
        let worse: Vec<Rule> = places.worse(id).filter(|rule| fired.iter().all(|(of, ..)| of != rule)).collect();
        fired.extend(worse.into_iter().map(|rule| (rule, 0, rule.severity())));
        fired.extend(marks.filter_map(|rule| Some((rule, 0, settled.severity_of_place(id, rule)?))));
        let watched = places.watched(id);
        if !watched.is_empty()
            && let Some(rule) = settled.ledger.status(settled.url(id)).and_then(|status| status.rule())
        {
            fired.extend((0..watched.len() as u32).map(|place| (rule, place, rule.severity())));
        }
        fired.retain(|&(rule, ..)| is_enabled(rule));
        fired.sort_unstable();
        self.findings.extend(fired.into_iter().map(|(rule, place, severity)| Fired { id, rule, place, severity }));
    }
}

/// The hosts, without copies of their names. A row refers to an entry that has the host.
#[derive(Default)]
struct Hosts {
    hasher: DefaultHashBuilder,
    rows: HashTable<HostRow>,
}

struct HostRow {
    /// The hash of the host. A host is parsed from its URL again only if the hashes are equal.
    hash: u64,
    id: UrlId,
    share: Share,
}

impl Hosts {
    fn add(&mut self, settled: &SettledLedger, host: &[u8], id: UrlId, share: Share) {
        let Hosts { hasher, rows } = self;
        let hash = hasher.hash_one(host);
        let is_same =
            |row: &HostRow| row.hash == hash && settled.host(row.id).is_some_and(|of| of.eq_ignore_ascii_case(host));
        match rows.find_mut(hash, is_same) {
            Some(row) => {
                row.id = row.id.min(id);
                row.share.add(share);
            }
            None => {
                rows.insert_unique(hash, HostRow { hash, id, share }, |row| row.hash);
            }
        }
    }

    /// Returns the hosts with the most places. Among equals, the host of the earliest entry comes
    /// first.
    fn top(self, settled: &SettledLedger, most: usize) -> Vec<(String, Share)> {
        let rows = self
            .rows
            .into_iter()
            .map(|HostRow { id, share, .. }| (std::cmp::Reverse(share.occurrences), id, share.urls));
        let name = |id| settled.host(id).unwrap_or_default().to_ascii_lowercase().into_string_lossy();
        let share = |occurrences, urls| Share { urls, occurrences };
        let top = least(rows.collect(), most).into_iter();
        top.map(|(std::cmp::Reverse(places), id, urls)| (name(id), share(places, urls))).collect()
    }
}

/// Returns the smallest rows in order, at most `most` of them.
pub(super) fn least<T: Ord>(mut rows: Vec<T>, most: usize) -> Vec<T> {
    if most < rows.len() {
        rows.select_nth_unstable(most);
        rows.truncate(most);
    }
    rows.sort_unstable();
    rows
}

/// Returns shares in order: the most places first, then by name.
fn ranked<T: Ord>(shares: impl IntoIterator<Item = (T, Share)>) -> Vec<(T, Share)> {
    let mut ranked: Vec<_> = shares.into_iter().collect();
    ranked.sort_unstable_by(|(one, of_one), (other, of_other)| {
        of_other.occurrences.cmp(&of_one.occurrences).then_with(|| one.cmp(other))
    });
    ranked
}

/// Returns the scheme in lower case. It is empty if the URL has none.
pub(super) fn scheme(url: &[u8]) -> Vec<u8> {
    url::scheme_of(url).unwrap_or_default().to_ascii_lowercase()
}

//! From the books to what the formats show: totals, links, findings.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use bstr::{BStr, ByteSlice, ByteVec};
use hashbrown::HashTable;
use rayon::prelude::*;

use super::ledger::{Ledger, NONE, Settled, SpotRow};
use super::model::{Day, LetterInfo, Occurrence, ReportedFinding, ReportedLink, Share, Summary};
use crate::audit::secret;
use crate::audit::{self, Rule, RuleOptions, Severity};
use crate::url::{self, ParseOptions, Verdict};
use crate::{Level, ParseErrorKind};

/// Entries that a thread looks at in one go.
const CHUNK: usize = 16 << 10;

/// What a report shows.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    rules: RuleOptions,
    enabled: Vec<bool>,
    shows_secrets: bool,
    top: usize,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl ReportOptions {
    /// All rules, passwords masked, the 20 hosts that are said most.
    #[must_use]
    pub fn new() -> Self {
        ReportOptions { rules: RuleOptions::new(), enabled: vec![true; Rule::ALL.len()], shows_secrets: false, top: 20 }
    }

    /// What the rules are told.
    #[must_use]
    pub fn rules(self, rules: RuleOptions) -> Self {
        ReportOptions { rules, ..self }
    }

    /// Whether a rule is looked at.
    #[must_use]
    pub fn enable(mut self, rule: Rule, yes: bool) -> Self {
        self.enabled[rule as usize] = yes;
        self
    }

    /// Passwords are shown.
    #[must_use]
    pub fn show_secrets(self, yes: bool) -> Self {
        ReportOptions { shows_secrets: yes, ..self }
    }

    /// How many of the hosts [`Summary::by_host`] tells.
    #[must_use]
    pub fn top(self, hosts: usize) -> Self {
        ReportOptions { top: hosts, ..self }
    }

    fn is_enabled(&self, rule: Rule) -> bool {
        self.enabled[rule as usize]
    }
}

/// What was read, whatever was found in it.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Files; one in a tar is one.
    pub files: u64,
    /// Bytes after decompression.
    pub bytes: u64,
    /// Messages of mail or news.
    pub messages: u64,
    /// What could not be decoded, and what else was refused, by name.
    pub refused: Vec<(String, u64)>,
}

/// The outcome of an audit: the same for the same input, however it was cut.
///
/// ```
/// use urlgrep::command::{Ledger, Pad, ReportOptions, Totals};
/// use urlgrep::{Sink, Extractor};
///
/// let pad = Pad::new();
/// let mut sheet = pad.sheet();
/// let extractor = Extractor::builder().line_numbers(true).build();
/// extractor.find_iter(b"http://h.example:25/ and HTTP://h.example:25").for_each(|found| sheet.add(&found));
/// let mut ledger = Ledger::new(pad, None);
/// ledger.take(b"a.txt", &sheet);
/// let report = ledger.close(ReportOptions::new(), Totals::default());
/// assert_eq!(report.summary().urls, 1);
/// assert_eq!(report.links().next().unwrap().count, 2);
/// assert_eq!(report.findings().next().unwrap().rule, Rule::PortNondefault);
/// ```
#[derive(Debug)]
pub struct Report {
    ledger: Ledger,
    options: ReportOptions,
    settled: HashMap<u32, Settled>,
    /// The first entry of each distinct URL.
    links: Vec<u32>,
    /// The entries of those that are written in more than one way.
    groups: HashMap<u32, Vec<u32>>,
    findings: Vec<Row>,
    summary: Summary,
}

/// A finding: of which entry, by which rule, and for a rule that fires at every place which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    entry: u32,
    rule: Rule,
    place: u32,
}

impl Ledger {
    /// Settles what is doubtful, looks at every URL with every rule, and adds up. On rayon's current threads.
    pub fn close(mut self, options: ReportOptions, mut totals: Totals) -> Report {
        totals.refused.sort_unstable();
        let settled = self.settle();
        let mut groups: HashMap<u32, Vec<u32>> = HashMap::new();
        for (at, entry) in (0..).zip(&self.entries) {
            if entry.lead != at {
                groups.entry(entry.lead).or_insert_with(|| vec![entry.lead]).push(at);
            }
        }
        for members in groups.values_mut() {
            members.sort_unstable();
        }
        let is_first = |&at: &u32| match groups.get(&self.entries[at as usize].lead) {
            None => true,
            Some(members) => members[0] == at,
        };
        let links: Vec<u32> = (0..self.entries.len() as u32).filter(is_first).collect();
        let summary = Summary {
            files: totals.files,
            bytes: totals.bytes,
            messages: totals.messages,
            occurrences: self.occurrences,
            urls: links.len() as u64,
            by_kind: self.by_kind.iter().map(|(&kind, &count)| (kind, count)).collect(),
            by_year: self.by_year.clone(),
            undated: self.undated,
            refused: totals.refused,
            ..Summary::default()
        };
        let mut report = Report { ledger: self, options, settled, links, groups, findings: Vec::new(), summary };
        report.examine();
        report
    }
}

/// What some entries come to.
#[derive(Default)]
struct Examined {
    findings: Vec<(Row, Severity)>,
    schemes: HashMap<Vec<u8>, Share>,
    levels: BTreeMap<Level, Share>,
    errors: HashMap<ParseErrorKind, Share>,
    /// By lower-case host: its first entry.
    hosts: HashMap<Vec<u8>, (u32, Share)>,
    days: Option<(Day, Day)>,
}

/// Hosts, without a copy of each: a row names an entry that has the host.
#[derive(Default)]
struct Hosts {
    hasher: RandomState,
    rows: HashTable<(u32, Share)>,
}

impl Report {
    /// The totals.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Every distinct URL, in the order of first appearance.
    pub fn links(&self) -> impl ExactSizeIterator<Item = ReportedLink<'_>> {
        self.links.iter().map(|&at| self.link(at))
    }

    /// The URLs that are said most, the first said first where two are said as often.
    pub fn top_links(&self, most: usize) -> Vec<ReportedLink<'_>> {
        let mut ranked: Vec<_> = self.links.iter().map(|&at| (std::cmp::Reverse(self.count(at)), at)).collect();
        if most < ranked.len() {
            ranked.select_nth_unstable(most);
            ranked.truncate(most);
        }
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, at)| self.link(at)).collect()
    }

    /// Every finding, in the order of first places; those of one URL in the order of the rules. A rule says of a URL that is
    /// always written in the same way the same everywhere, so that is one finding; of a link that a checker found broken
    /// every place is one.
    pub fn findings(&self) -> impl ExactSizeIterator<Item = ReportedFinding<'_>> {
        let mut last = (NONE, Vec::new());
        self.findings.iter().map(move |row| {
            if last.0 != row.entry {
                last = (row.entry, self.by_url(row.entry));
            }
            self.finding(row, &last.1)
        })
    }

    fn by_url(&self, at: u32) -> Vec<audit::Finding> {
        audit::of_url(self.url(at), self.options.rules).collect()
    }

    fn rows_of(&self, at: u32) -> &[Row] {
        let start = self.findings.partition_point(|row| row.entry < at);
        let length = self.findings[start..].partition_point(|row| row.entry == at);
        &self.findings[start..start + length]
    }

    /// The entries of the same URL, this one among them.
    fn members<'m>(&'m self, at: &'m u32) -> &'m [u32] {
        let lead = self.ledger.entries[*at as usize].lead;
        self.groups.get(&lead).map_or(std::slice::from_ref(at), Vec::as_slice)
    }

    fn count(&self, at: u32) -> u64 {
        self.members(&at).iter().map(|&member| self.ledger.entries[member as usize].count).sum()
    }

    /// The URL of an entry: of a doubtful one the reading that is preferred.
    fn url(&self, at: u32) -> &BStr {
        let readings = self.ledger.readings(at);
        match self.settled.get(&at) {
            None => readings,
            Some(settled) => readings.split_str("\n").nth(settled.preferred).unwrap_or_default().as_bstr(),
        }
    }

    fn verdict(&self, url: &[u8]) -> Verdict {
        url::judge(url, ParseOptions::new().other_literal(self.options.rules.other_literal))
    }

    fn host(&self, at: u32) -> Option<Cow<'_, [u8]>> {
        url::host(self.url(at), self.options.rules.other_literal).filter(|host| !host.is_empty())
    }

    /// Looks at every entry, and adds up what is found.
    fn examine(&mut self) {
        let entries: Vec<u32> = (0..self.ledger.entries.len() as u32).step_by(CHUNK).collect();
        let mut hosts = Hosts::default();
        let mut schemes: HashMap<Vec<u8>, Share> = HashMap::new();
        let mut summary = std::mem::take(&mut self.summary);
        let mut findings = Vec::new();
        let (mut levels, mut errors) = (BTreeMap::<Level, Share>::new(), HashMap::<ParseErrorKind, Share>::new());
        // A few chunks at a time, so that what they found does not pile up.
        for starts in entries.chunks(4 * rayon::current_num_threads()) {
            let examined: Vec<Examined> = starts.par_iter().map(|&start| self.examine_chunk(start)).collect();
            for examined in examined {
                for (row, severity) in examined.findings {
                    findings.push(row);
                    *summary.by_rule.entry(row.rule).or_default() += 1;
                    *summary.by_severity.entry(severity).or_default() += 1;
                }
                examined.schemes.into_iter().for_each(|(scheme, share)| schemes.entry(scheme).or_default().add(share));
                examined.levels.into_iter().for_each(|(level, share)| levels.entry(level).or_default().add(share));
                examined.errors.into_iter().for_each(|(kind, share)| errors.entry(kind).or_default().add(share));
                for (host, (at, share)) in examined.hosts {
                    hosts.add(self, &host, at, share);
                }
                summary.dates = either(summary.dates, examined.days);
            }
        }
        summary.hosts = hosts.rows.len() as u64;
        summary.by_host = hosts.top(self);
        summary.by_scheme = ranked(schemes.into_iter().map(|(scheme, share)| (scheme.into_string_lossy(), share)));
        summary.by_level = levels.into_iter().collect();
        summary.by_error = ranked(errors);
        self.findings = findings;
        self.summary = summary;
    }

    fn examine_chunk(&self, start: u32) -> Examined {
        let mut examined = Examined::default();
        let end = (start as usize + CHUNK).min(self.ledger.entries.len()) as u32;
        for at in start..end {
            let entry = &self.ledger.entries[at as usize];
            let url = self.url(at);
            let verdict = self.verdict(url);
            let share = Share { urls: u64::from(self.members(&at)[0] == at), occurrences: entry.count };
            examined.schemes.entry(scheme(url)).or_default().add(share);
            examined.levels.entry(verdict.level).or_default().add(share);
            if let Some(error) = verdict.error {
                examined.errors.entry(error.kind()).or_default().add(share);
            }
            if let Some(host) = self.host(at) {
                let of_host = examined.hosts.entry(host.to_ascii_lowercase()).or_insert((at, Share::default()));
                of_host.1.add(share);
            }
            if let [first, last] = entry.days
                && first <= last
            {
                examined.days = either(examined.days, Some((Day::from_number(first), Day::from_number(last))));
            }
            self.find_in(at, url, &mut examined.findings);
        }
        examined
    }

    /// The findings of an entry, in the order of the rules.
    fn find_in(&self, at: u32, url: &BStr, findings: &mut Vec<(Row, Severity)>) {
        let start = findings.len();
        let mut push = |rule: Rule, severity: Severity, place: u32| {
            if self.options.is_enabled(rule) {
                findings.push((Row { entry: at, rule, place }, severity));
            }
        };
        for finding in audit::of_url(url, self.options.rules) {
            push(finding.rule, finding.severity, 0);
        }
        for (&(_, rule), _) in self.ledger.place_rows.range((at, Rule::ALL[0])..(at + 1, Rule::ALL[0])) {
            // Where no other reading is a URL, the hyphen was never in doubt.
            if rule != Rule::Hyphen || self.hyphen(at).is_some() {
                push(rule, self.severity_of_place(at, rule), 0);
            }
        }
        if let Some(spots) = self.ledger.watched.get(&at)
            && let Some(rule) = self.ledger.checked().and_then(|checked| checked.status(url)?.rule())
        {
            (0..spots.len() as u32).for_each(|place| push(rule, rule.severity(), place));
        }
        findings[start..].sort_unstable();
    }

    fn severity_of_place(&self, at: u32, rule: Rule) -> Severity {
        match rule {
            Rule::Hyphen => self.hyphen(at).map_or(rule.severity(), |(severity, _)| severity),
            _ => rule.severity(),
        }
    }

    /// The doubt about the reading that is preferred: how bad it is, and what is said of it.
    fn hyphen(&self, at: u32) -> Option<(Severity, String)> {
        let mut readings: Vec<&[u8]> = self.ledger.readings(at).split_str("\n").collect();
        if let Some(settled) = self.settled.get(&at) {
            readings.swap(0, settled.preferred);
        }
        let (first, others) = readings.split_first()?;
        let remark = audit::hyphen_of(first, others.iter().map(|other| Cow::Borrowed(other.as_bstr())))?;
        Some((remark.severity.unwrap_or_else(|| Rule::Hyphen.severity()), remark.message))
    }

    fn finding<'r>(&'r self, row: &Row, by_url: &[audit::Finding]) -> ReportedFinding<'r> {
        let &Row { entry: at, rule, place } = row;
        let entry = &self.ledger.entries[at as usize];
        let place_row = self.ledger.place_rows.get(&(at, rule));
        let watched = self.ledger.watched.get(&at).and_then(|spots| spots.get(place as usize));
        let (count, spot) = match (place_row, rule) {
            (Some(row), _) => (row.count, &row.spot),
            (None, Rule::Broken | Rule::Redirect) => (1, watched.unwrap_or(&entry.spot)),
            (None, _) => (entry.count, &entry.spot),
        };
        let url = self.url(at);
        let (severity, message) = match by_url.iter().find(|finding| finding.rule == rule) {
            Some(finding) => (finding.severity, finding.message.clone()),
            None => (self.severity_of_place(at, rule), self.message_of_place(at, rule, url)),
        };
        let first = self.members(&at)[0];
        let link = self.links.partition_point(|&link| link < first) as u64;
        ReportedFinding { rule, severity, link, url: self.shown(url), count, spot: self.spot(spot, at), message }
    }

    fn message_of_place(&self, at: u32, rule: Rule, url: &BStr) -> String {
        match rule {
            Rule::Hyphen => {
                let message = self.hyphen(at).map(|(_, message)| message).unwrap_or_default();
                let evidence = self.settled.get(&at).and_then(|settled| self.evidence(at, settled));
                format!("{message}; {}", evidence.as_deref().unwrap_or("no reading stands unbroken elsewhere"))
            }
            Rule::Anchor => {
                let shown = self.ledger.place_rows.get(&(at, rule)).map_or(&b""[..], |row| &row.shown_host);
                audit::anchor_of(url, &shown.to_str_lossy()).message
            }
            Rule::Broken | Rule::Redirect => {
                let status = self.ledger.checked().and_then(|checked| checked.status(url));
                status.map(super::checked::Status::message).unwrap_or_default()
            }
            _ => rule.fires_when().to_owned(),
        }
    }

    /// How often the preferred reading stands unbroken elsewhere, and which other does too.
    fn evidence(&self, at: u32, settled: &Settled) -> Option<String> {
        let times = |times: u32| if times == 1 { "once".to_owned() } else { format!("{times} times") };
        let preferred = settled.elsewhere[settled.preferred];
        let mut told = format!("this reading stands unbroken elsewhere {}", times(preferred));
        let readings = self.ledger.readings(at).split_str("\n").zip(&settled.elsewhere);
        for (index, (reading, &elsewhere)) in readings.enumerate() {
            if index != settled.preferred && elsewhere > 0 {
                let excerpt = audit::hyphen_excerpt(self.url(at), reading);
                told += &format!(", `{excerpt}` {}", times(elsewhere));
            }
        }
        (preferred > 0).then_some(told)
    }

    fn link(&self, at: u32) -> ReportedLink<'_> {
        let entry = &self.ledger.entries[at as usize];
        let members = self.members(&at);
        let url = self.url(at);
        let verdict = self.verdict(url);
        let mut rules: Vec<Rule> =
            members.iter().flat_map(|&member| self.rows_of(member)).map(|row| row.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        let mut dates = None;
        for &member in members {
            let [first, last] = self.ledger.entries[member as usize].days;
            if first <= last {
                dates = either(dates, Some((Day::from_number(first), Day::from_number(last))));
            }
        }
        let scheme = scheme(url);
        ReportedLink {
            url: self.shown(url),
            count: self.count(at),
            messages: u64::from(self.ledger.entries[entry.lead as usize].messages),
            first: self.spot(&entry.spot, at),
            dates,
            scheme: (!scheme.is_empty()).then(|| scheme.into_string_lossy()),
            host: self.host(at).map(cow),
            level: verdict.level,
            error: verdict.error,
            rules,
            status: self.ledger.checked().and_then(|checked| checked.status(url)),
        }
    }

    /// A place of an entry; with its context where it is the first, of which alone that is kept.
    fn spot(&self, row: &SpotRow, at: u32) -> Occurrence<'_> {
        let letter =
            self.ledger.letter_at(row.letter).map(|(letter, [id, date, from, subject, part, encoding])| LetterInfo {
                id,
                date,
                from,
                subject,
                number: (letter.number > 0).then_some(letter.number),
                offset: letter.offset,
                part,
                encoding,
            });
        let place = |row: &SpotRow| (row.file, row.letter, row.offset);
        let is_first = place(row) == place(&self.ledger.entries[at as usize].spot);
        let context = if is_first { self.ledger.context(at) } else { None };
        Occurrence {
            file: self.ledger.files[row.file as usize].as_bstr(),
            offset: row.offset,
            length: u64::from(row.length),
            line: row.line,
            column: u64::from(row.column),
            kind: row.kind,
            letter,
            context,
        }
    }

    fn shown<'u>(&self, url: &'u BStr) -> Cow<'u, BStr> {
        if self.options.shows_secrets { Cow::Borrowed(url) } else { secret::mask(url) }
    }
}

impl Hosts {
    fn add(&mut self, report: &Report, host: &[u8], at: u32, share: Share) {
        let Hosts { hasher, rows } = self;
        let of = |at: u32| report.host(at).unwrap_or_default();
        let hash = |at: u32| hasher.hash_one(of(at).to_ascii_lowercase());
        match rows.find_mut(hasher.hash_one(host), |row| of(row.0).eq_ignore_ascii_case(host)) {
            Some(row) => {
                row.0 = row.0.min(at);
                row.1.add(share);
            }
            None => {
                rows.insert_unique(hasher.hash_one(host), (at, share), |row| hash(row.0));
            }
        }
    }

    fn top(self, report: &Report) -> Vec<(String, Share)> {
        let mut rows: Vec<_> =
            self.rows.into_iter().map(|(at, share)| (std::cmp::Reverse(share.occurrences), at, share)).collect();
        let most = report.options.top.min(rows.len());
        if most < rows.len() {
            rows.select_nth_unstable_by_key(most, |row| (row.0, row.1));
            rows.truncate(most);
        }
        rows.sort_unstable_by_key(|row| (row.0, row.1));
        let name = |at| report.host(at).unwrap_or_default().to_ascii_lowercase().into_string_lossy();
        rows.into_iter().map(|(_, at, share)| (name(at), share)).collect()
    }
}

impl Share {
    fn add(&mut self, other: Share) {
        self.urls += other.urls;
        self.occurrences += other.occurrences;
    }
}

/// Most said first; by name where two are said as often.
fn ranked<T: Ord>(shares: impl IntoIterator<Item = (T, Share)>) -> Vec<(T, Share)> {
    let mut ranked: Vec<_> = shares.into_iter().collect();
    ranked.sort_unstable_by(|(one, of_one), (other, of_other)| {
        of_other.occurrences.cmp(&of_one.occurrences).then_with(|| one.cmp(other))
    });
    ranked
}

/// Both spans of time as one.
fn either(one: Option<(Day, Day)>, other: Option<(Day, Day)>) -> Option<(Day, Day)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

/// The scheme in lower case; empty where there is none.
fn scheme(url: &[u8]) -> Vec<u8> {
    url::scheme_of(url).unwrap_or_default().to_ascii_lowercase()
}

fn cow(text: Cow<'_, [u8]>) -> Cow<'_, BStr> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bstr()),
        Cow::Owned(text) => Cow::Owned(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Checked, Pad};
    use crate::{Extractor, Sink as _};

    #[test]
    fn only_the_first_place_of_a_url_has_the_text_around_it() {
        let checked = br#"{"error_map":{"-":[{"url":"http://dead.example/","status":{"text":"404","code":404}}]}}"#;
        let pad = Pad::new().context(true).letters(true);
        let mut ledger = Ledger::new(pad.clone(), Some(Checked::read(&checked[..]).unwrap().into()));
        // At the same offset of two files.
        for (file, text) in [("a", "http://dead.example/ one"), ("b", "http://dead.example/ two")] {
            let mut sheet = pad.sheet();
            Extractor::new().find_iter(text.as_bytes()).for_each(|found| sheet.add(&found));
            ledger.take(file.as_bytes(), &sheet);
        }
        let report = ledger.close(ReportOptions::new(), Totals::default());
        let broken = report.findings().filter(|finding| finding.rule == Rule::Broken);
        let told: Vec<_> =
            broken.map(|finding| (finding.spot.file, finding.spot.context.map(|text| text[2]))).collect();
        assert_eq!(told, [("a".into(), Some(" one".into())), ("b".into(), None)]);
    }
}

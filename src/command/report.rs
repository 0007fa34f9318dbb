//! The step from the ledger to the formats: totals, links and findings.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice, ByteVec};
use urlgrep::audit::{self, Rule, RuleOptions, Severity, mask_text};

use super::baseline::Baseline;
use super::broken;
use super::checked::LinkStatus;
use super::examine::{self, Fired};
use super::history;
use super::ignored::Ignored;
use super::ledger::{FileId, Ledger, LedgerPlace, Places, UrlId};
use super::model::{
    Configuration, DaySpan, Failures, FindingGroups, NamedHistory, ReportedFinding, ReportedLink, ReportedPlace, Share,
    SpelledUrl, Spelling, Summary,
};
use super::readers::{FindingOrder, LEFT_OVER_SCHEMES, ReportReader, is_figure};
use super::settled::SettledLedger;
use super::spellings::{self, Spelled};
use super::veil::Veil;

/// The most URLs that a report lists as written in several ways.
const MOST_SPELLED: usize = 20;

/// The options of a report.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReportOptions {
    /// The options of the rules.
    pub(crate) rules: RuleOptions,
    /// The rules that are not examined.
    pub(crate) disabled: Vec<Rule>,
    /// The rules that are [figures](is_figure) by default, but whose findings reports for people
    /// list anyway.
    pub(crate) listed: Vec<Rule>,
    /// Whether passwords are shown.
    pub(crate) show_secrets: bool,
    /// Whether URLs are defanged, so that nobody can click on them.
    pub(crate) defang: bool,
    /// The most hosts in [`Summary::by_host`].
    pub(crate) top: usize,
    /// The reader, which decides the order of the findings.
    pub(crate) reader: ReportReader,
    /// Whether the lifetimes of hosts and schemes are counted. The [ledger](Ledger::until) must
    /// have the day of the audit.
    pub(crate) history: bool,
    /// An earlier report: findings that it lacks are new.
    pub(crate) baseline: Option<Arc<Baseline>>,
    /// The folder that was audited, if there was exactly one. It is empty otherwise.
    pub(crate) root: Vec<u8>,
    /// The findings to ignore.
    pub(crate) ignored: Vec<Ignored>,
    /// The settings of the repository, if there are any.
    pub(crate) configuration: Option<Configuration>,
}

/// The counts of the input, independent of what was found in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadCounts {
    /// Files; a file in a tar counts as one.
    pub(crate) files: u64,
    /// Bytes after decompression.
    pub(crate) bytes: u64,
    /// Messages of mail or news.
    pub(crate) messages: u64,
    /// Parts that could not be decoded, and other refusals, by name.
    pub(crate) refused: Vec<(String, u64)>,
}

/// The outcome of an audit. It is the same for the same input, regardless of how the input was
/// divided.
#[derive(Debug)]
pub(crate) struct Report {
    settled: SettledLedger,
    veil: Veil,
    /// The names of files that hold a secret, masked.
    masked_files: HashMap<FileId, BString>,
    listed: Vec<Rule>,
    reader: ReportReader,
    baseline: Option<Arc<Baseline>>,
    root: Vec<u8>,
    ignored: Vec<Ignored>,
    findings: Vec<Fired>,
    summary: Summary,
}

/// The parts that the findings of a URL share.
struct FiredUrl<'r> {
    id: UrlId,
    /// The URL as the report shows it.
    shown: Cow<'r, BStr>,
    /// The index of its link.
    link: u64,
    /// The findings about its bytes.
    findings: Vec<audit::Finding>,
}

impl Ledger {
    /// Decides all doubts, examines every URL with every enabled rule, and computes the totals. Runs on
    /// rayon's current threads.
    pub(crate) fn close(self, options: ReportOptions, read: ReadCounts) -> Report {
        let settled = SettledLedger::new(self, options.rules);
        let mut summary = input_totals(&settled, &options, read);
        let is_enabled = |rule| !options.disabled.contains(&rule);
        let findings = examine::examine(&settled, is_enabled, &options.ignored, options.top, &mut summary);
        let masked_files = settled.ledger.files().filter_map(|(id, name)| match mask_text(name) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some((id, masked)),
        });
        let masked_files = masked_files.collect();
        let veil = Veil { shows_secrets: options.show_secrets, defangs: options.defang };
        let ReportOptions { listed, reader, baseline, root, ignored, top, history, .. } = options;
        let mut report =
            Report { settled, veil, masked_files, listed, reader, baseline, root, ignored, findings, summary };
        report.add_totals(top, history);
        report
    }
}

/// Returns the totals that need no rule.
fn input_totals(settled: &SettledLedger, options: &ReportOptions, mut read: ReadCounts) -> Summary {
    read.refused.sort_unstable();
    let tally = &settled.ledger.tally;
    Summary {
        root: (!options.root.is_empty()).then(|| options.root.clone().into_string_lossy()),
        configuration: options.configuration.clone(),
        files: read.files,
        bytes: read.bytes,
        messages: read.messages,
        occurrences: tally.occurrences,
        urls: settled.links.len() as u64,
        by_kind: tally.by_kind.iter().map(|(&kind, &count)| (kind, count)).collect(),
        by_year: tally.by_year.clone(),
        undated: tally.undated,
        refused: read.refused,
        ..Summary::default()
    }
}

impl Report {
    /// Adds the totals that show URLs or count findings, and hides the secrets in all totals.
    fn add_totals(&mut self, top: usize, has_history: bool) {
        let mut summary = std::mem::take(&mut self.summary);
        let settled = &self.settled;
        summary.by_figure = self.figures();
        let statuses = settled.links.iter().filter_map(|&id| settled.ledger.status(settled.url(id)));
        for outcome in statuses.filter_map(LinkStatus::outcome) {
            *summary.by_status.entry(outcome).or_default() += 1;
        }
        let (pages, count) = broken::pages(settled, top);
        summary.broken_by_page = pages.into_iter().map(|(page, share)| (self.veil.page(page), share)).collect();
        summary.broken_pages = count;
        let (spelled, count) = spellings::spelled(settled, MOST_SPELLED.min(top));
        summary.spellings = spelled.into_iter().map(|spelled| self.spelled(spelled)).collect();
        summary.spelled_urls = count;
        if let Some(until) = settled.ledger.until {
            summary.history = history::history(settled, until, has_history.then_some(top));
        }
        if has_history {
            (summary.history.left_overs, summary.history.left_over_count) = self.left_overs(top);
        }
        summary.comparison = self.baseline.as_ref().map(|baseline| {
            baseline.compare(self.findings.iter().map(|fired| (fired.severity, self.former(fired, baseline))))
        });
        summary.hide_secrets(self.veil);
        self.summary = summary;
    }

    /// Returns the totals.
    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns whether the patterns of the configuration ignore every finding against every URL.
    pub(crate) fn ignores_all(&self) -> bool {
        let is_ignored = |url: &BStr| self.ignored.iter().any(|ignored| ignored.fits_all(url));
        !self.settled.links.is_empty() && self.settled.links.iter().all(|&id| is_ignored(self.settled.url(id)))
    }

    /// Returns every distinct URL, in the order of first appearance.
    pub(crate) fn links(&self) -> impl ExactSizeIterator<Item = ReportedLink<'_>> {
        self.settled.links.iter().map(|&id| self.link(id))
    }

    /// Returns the distinct URLs that are whole at some place. A link checker would check only the
    /// beginning of the others (B-CUT). Ignored URLs and URLs of an earlier report are excluded.
    pub(crate) fn whole_links(&self) -> impl Iterator<Item = ReportedLink<'_>> {
        let links = self.settled.links.iter().filter(|id| !self.settled.is_truncated(**id));
        links.filter(|id| self.is_asked(self.settled.url(**id))).map(|&id| self.link(id))
    }

    /// Returns the other readings of doubtful URLs. Readings of decided URLs, and readings that are
    /// links themselves, are excluded.
    pub(crate) fn other_readings(&self) -> impl Iterator<Item = Cow<'_, BStr>> {
        let readings = self.settled.undecided_readings().into_iter();
        readings.filter(|reading| self.is_asked(reading)).map(|reading| self.shown(reading))
    }

    /// Returns whether a link checker should check the URL: it is not ignored, and an earlier
    /// report lacks it.
    fn is_asked(&self, url: &BStr) -> bool {
        !self.ignored.iter().any(|ignored| ignored.fits_all(url))
            && self.baseline.as_ref().is_none_or(|baseline| !baseline.has_url(url))
    }

    /// Returns the URLs with the most places. Among URLs with equally many places, the earliest come
    /// first.
    pub(crate) fn top_links(&self, most: usize) -> Vec<ReportedLink<'_>> {
        let ranked = self.settled.links.iter().map(|&id| (Reverse(self.settled.count(id)), id)).collect();
        examine::least(ranked, most).into_iter().map(|(_, id)| self.link(id)).collect()
    }

    /// Returns the most frequent URLs of schemes that browsers no longer open. Also returns the
    /// number of all such URLs.
    fn left_overs(&self, most: usize) -> (Vec<NamedHistory>, u64) {
        let is_left_over = |id: &&UrlId| {
            let scheme = examine::scheme(self.settled.url(**id));
            LEFT_OVER_SCHEMES.iter().any(|name| name.as_bytes() == scheme)
        };
        let links = self.settled.links.iter().filter(is_left_over);
        let ranked: Vec<_> = links.map(|&id| (Reverse(self.settled.count(id)), id)).collect();
        let total = ranked.len() as u64;
        let named = |(_, id)| {
            let share = Share { urls: 1, occurrences: self.settled.count(id) };
            let name = self.shown(self.settled.url(id)).to_str_lossy().into_owned();
            NamedHistory { name, share, years: history::years(&self.settled, id) }
        };
        (examine::least(ranked, most).into_iter().map(named).collect(), total)
    }

    /// Returns every finding. The findings come in the order of the URLs' first places. The findings of
    /// one URL come in the order of the rules. A reader may have another order.
    ///
    /// A rule gives the same result for every place with the same spelling, so these places are one
    /// finding. For a link that a checker found broken or moved, every place is a finding.
    pub(crate) fn findings(&self) -> impl ExactSizeIterator<Item = ReportedFinding<'_>> {
        self.shown_findings(self.ordered())
    }

    /// Returns at most this many findings, and the number of the others. If there are others, the worst
    /// findings are returned.
    pub(crate) fn worst_findings(&self, most: usize) -> (impl ExactSizeIterator<Item = ReportedFinding<'_>>, usize) {
        let mut ordered = self.ordered();
        let left_out = ordered.len().saturating_sub(most);
        if left_out > 0 {
            // The sort is stable, so the reader's order holds within a severity.
            ordered.sort_by_key(|fired| Reverse(fired.severity));
            ordered.truncate(most);
        }
        (self.shown_findings(ordered), left_out)
    }

    fn shown_findings<'r>(&'r self, fired: Vec<&'r Fired>) -> impl ExactSizeIterator<Item = ReportedFinding<'r>> {
        let mut last: Option<FiredUrl<'r>> = None;
        fired.into_iter().map(move |fired| {
            // Findings of one URL are mostly neighbours, so its parts are made once.
            let last = match last.take() {
                Some(url) if url.id == fired.id => last.insert(url),
                _ => last.insert(self.fired_url(fired.id)),
            };
            self.finding(fired, last)
        })
    }

    /// Returns the parts that the findings of a URL share.
    fn fired_url(&self, id: UrlId) -> FiredUrl<'_> {
        let first = self.settled.first(id);
        let link = self.settled.links.partition_point(|&link| link < first) as u64;
        FiredUrl { id, shown: self.shown(self.settled.url(id)), link, findings: self.settled.of_url(id) }
    }

    /// Returns the findings in the order of the reader. The order is total: it depends on the findings
    /// alone.
    fn ordered(&self) -> Vec<&Fired> {
        let mut ordered: Vec<&Fired> = self.findings.iter().collect();
        // The numbers of findings by host count in this order, too.
        ordered.sort_unstable();
        if let Some(order) = self.reader.order_of_findings() {
            let mut of_host: HashMap<(Severity, Rule, Vec<u8>), u32> = HashMap::new();
            ordered.sort_by_cached_key(|fired| {
                let nth = if order.is_by_place() { 0 } else { self.nth_of_host(fired, &mut of_host) };
                self.key(fired, order, nth)
            });
        }
        ordered
    }

    /// Returns the key by which a reader's findings are sorted. No two findings have equal keys.
    fn key<'r>(&'r self, fired: &'r Fired, order: FindingOrder, nth: u32) -> impl Ord + use<'r> {
        let place = self.places_of(fired).1;
        let at = (place.file, place.header, place.offset);
        order.key(fired.severity, fired.rule, nth, (at, fired.rule, self.settled.url(fired.id), fired))
    }

    /// Counts a finding, and returns its number among those of the same severity, rule and host,
    /// from 1.
    fn nth_of_host(&self, fired: &Fired, of_host: &mut HashMap<(Severity, Rule, Vec<u8>), u32>) -> u32 {
        let host = self.settled.host(fired.id).map(|host| host.to_ascii_lowercase()).unwrap_or_default();
        let count = of_host.entry((fired.severity, fired.rule, host)).or_default();
        *count += 1;
        *count
    }

    /// Returns true if a report for people lists the findings of a rule. Figures describe the
    /// archive rather than a link. They would bury the other findings, so they are listed only on
    /// request.
    pub(crate) fn is_listed(&self, rule: Rule) -> bool {
        !is_figure(rule) || self.listed.contains(&rule)
    }

    /// Returns the totals with only the [listed](Report::is_listed) findings.
    pub(crate) fn listed_summary(&self) -> Summary {
        let mut summary = self.summary.clone();
        let figures: Vec<_> = self.summary.by_rule.iter().filter(|(rule, _)| !self.is_listed(**rule)).collect();
        for (rule, count) in figures {
            summary.by_rule.remove(rule);
            if let Some(of_severity) = summary.by_severity.get_mut(&rule.severity()) {
                *of_severity -= count;
            }
        }
        summary.by_severity.retain(|_, count| *count > 0);
        summary
    }

    /// Returns the figures that the table of levels lacks.
    fn figures(&self) -> Vec<(Rule, Share)> {
        let mut shares = [Rule::Case, Rule::Relative].map(|rule| (rule, Share::default()));
        for fired in &self.findings {
            if let Some((_, share)) = shares.iter_mut().find(|(rule, _)| *rule == fired.rule) {
                share.add(Share { urls: 1, occurrences: self.places_of(fired).0 });
            }
        }
        shares.into_iter().filter(|(rule, share)| share.urls > 0 && !self.is_listed(*rule)).collect()
    }

    /// Returns the listed findings by severity and rule, with at least this many of each in full.
    pub(crate) fn groups(&self, examples: usize) -> FindingGroups<'_> {
        let mut groups = FindingGroups::new(self.reader, self.reader.examples().max(examples));
        for fired in self.ordered().into_iter().filter(|fired| self.is_listed(fired.rule)) {
            let is_new = self.is_new(fired) == Some(true);
            groups.add(fired.severity, fired.rule, self.places_of(fired).0, is_new, || {
                self.finding(fired, &self.fired_url(fired.id))
            });
        }
        groups
    }

    /// Returns the number of places of a finding, and the first of them.
    fn places_of(&self, &Fired { id, rule, place, .. }: &Fired) -> (u64, &LedgerPlace) {
        let ledger = &self.settled.ledger;
        let entry = &ledger.urls[id];
        match (ledger.places.of_rule(id, rule), rule) {
            (Some(places), _) => (places.count, &places.first),
            (None, Rule::Broken | Rule::Redirect) => {
                (1, ledger.places.watched(id).get(place as usize).unwrap_or(&entry.first))
            }
            (None, _) => match ledger.places.that_worsen(id, rule) {
                // The rule fires only there.
                Some(places) if !self.settled.fires_on_url(id, rule) => (places.count, &places.first),
                _ => (entry.count, &entry.first),
            },
        }
    }

    /// Returns the index of the finding of an earlier report that is the same as this one.
    fn former(&self, fired: &Fired, baseline: &Baseline) -> Option<usize> {
        let (url, place) = (self.veil.masked(self.settled.url(fired.id)), self.places_of(fired).1);
        baseline.position(fired.rule, &url, self.settled.ledger.file_name(place.file), &self.root)
    }

    /// Returns true if an earlier report lacks the finding; `None` without an earlier report.
    fn is_new(&self, fired: &Fired) -> Option<bool> {
        let baseline = self.baseline.as_ref()?;
        Some(self.former(fired, baseline).is_none())
    }

    /// Returns the findings of at least this severity. With an earlier report, the findings that it
    /// has are only counted.
    pub(crate) fn failures(&self, least: Severity) -> Failures {
        let mut failures = Failures { has_baseline: self.baseline.is_some(), ..Failures::default() };
        for fired in self.findings.iter().filter(|fired| fired.severity >= least) {
            if self.is_new(fired) == Some(false) {
                failures.known += 1;
            } else {
                failures.count += 1;
                let worst = failures.rules.entry(fired.rule).or_insert(fired.severity);
                *worst = fired.severity.max(*worst);
            }
        }
        failures
    }

    fn finding<'r>(&'r self, fired: &Fired, url: &FiredUrl<'r>) -> ReportedFinding<'r> {
        let &Fired { id, rule, severity, .. } = fired;
        let (count, first) = self.places_of(fired);
        let message = match url.findings.iter().find(|finding| finding.rule == rule) {
            Some(finding) => finding.message.clone(),
            None => self.settled.message_of_place(id, rule),
        };
        let message = self.veil.message(message);
        let (link, url, first) = (url.link, url.shown.clone(), self.occurrence(first, id));
        ReportedFinding { rule, severity, link, url, count, first, message, is_new: self.is_new(fired) }
    }

    /// Returns the rules that fired on an entry.
    fn rules_of(&self, id: UrlId) -> impl Iterator<Item = Rule> {
        let start = self.findings.partition_point(|fired| fired.id < id);
        self.findings[start..].iter().take_while(move |fired| fired.id == id).map(|fired| fired.rule)
    }

    fn link(&self, id: UrlId) -> ReportedLink<'_> {
        let ledger = &self.settled.ledger;
        let entry = &ledger.urls[id];
        let members = self.settled.members(&id);
        let url = self.settled.url(id);
        let verdict = self.settled.verdict(url);
        let mut rules: Vec<Rule> = members.iter().flat_map(|&member| self.rules_of(member)).collect();
        // Several spellings of the URL may fire the same rule.
        rules.sort_unstable();
        rules.dedup();
        let mut days = DaySpan::default();
        members.iter().for_each(|&member| days.join(ledger.urls[member].days));
        let scheme = examine::scheme(url);
        ReportedLink {
            url: self.shown(url),
            count: self.settled.count(id),
            messages: u64::from(entry.lead.map_or(0, |lead| ledger.urls[lead].messages)),
            first: self.occurrence(&entry.first, id),
            dates: days.days(),
            scheme: (!scheme.is_empty()).then(|| scheme.into_string_lossy()),
            host: self.settled.host(id).map(|host| match host {
                Cow::Borrowed(host) => mask_text(host),
                Cow::Owned(host) => Cow::Owned(mask_text(&host).into_owned()),
            }),
            level: verdict.level,
            error: verdict.error,
            rules,
            status: ledger.status(url),
            further: self.further(members, &entry.first),
        }
    }

    /// Returns the kept places of a URL's entries, without the very first.
    fn further(&self, members: &[UrlId], first: &LedgerPlace) -> Vec<ReportedPlace<'_>> {
        let ledger = &self.settled.ledger;
        if !ledger.keeps_places() {
            return Vec::new();
        }
        let at = |place: &LedgerPlace| (place.file, place.header, place.offset);
        let mut places: Vec<(UrlId, &LedgerPlace)> = Vec::new();
        for &id in members {
            let kept = std::iter::once(&ledger.urls[id].first).chain(ledger.places.further(id));
            places.extend(kept.filter(|place| at(place) != at(first)).map(|place| (id, place)));
        }
        places.sort_by_key(|(_, place)| at(place));
        places.truncate(Places::MOST as usize - 1);
        let bare = |(id, place)| ReportedPlace { context: None, ..self.occurrence(place, id) };
        places.into_iter().map(bare).collect()
    }

    /// Returns the indices of the worst [links](Report::links), at most this many. Among equally bad
    /// links, those with the most places come first.
    pub(crate) fn worst_first(&self, most: usize) -> Vec<usize> {
        let mut worst: HashMap<UrlId, Severity> = HashMap::new();
        for fired in self.findings.iter().filter(|fired| self.is_listed(fired.rule)) {
            let severity = worst.entry(self.settled.first(fired.id)).or_insert(fired.severity);
            *severity = fired.severity.max(*severity);
        }
        let rank = |(at, id)| (Reverse(worst.get(id)), Reverse(self.settled.count(*id)), at);
        let ranked = self.settled.links.iter().enumerate().map(rank).collect();
        examine::least(ranked, most).into_iter().map(|(.., at)| at).collect()
    }

    /// Returns one of the [links](Report::links).
    pub(crate) fn link_at(&self, at: usize) -> Option<ReportedLink<'_>> {
        self.settled.links.get(at).map(|&id| self.link(id))
    }

    /// Returns the common folder of all files, with its `/`. It is empty if there is none.
    pub(crate) fn folder(&self) -> &BStr {
        let mut names = self.settled.ledger.files().map(|(id, _)| self.file_name(id));
        let Some(first) = names.next() else { return BStr::new("") };
        let common = names.fold(first.as_bytes(), |common, name| {
            let same = common.iter().zip(name.iter()).take_while(|(one, other)| one == other).count();
            &common[..same]
        });
        common[..common.rfind_byte(b'/').map_or(0, |slash| slash + 1)].as_bstr()
    }

    /// Returns a place of an entry. Only the first place has a context, since no other context is kept.
    fn occurrence(&self, place: &LedgerPlace, id: UrlId) -> ReportedPlace<'_> {
        let ledger = &self.settled.ledger;
        let at = |place: &LedgerPlace| (place.file, place.header, place.offset);
        let is_first = at(place) == at(&ledger.urls[id].first);
        // The context has the URL in a form that can be clicked, so a defanged report omits it.
        ReportedPlace {
            file: self.file_name(place.file),
            offset: place.offset,
            length: u64::from(place.length),
            line: place.line,
            column: u64::from(place.column),
            kind: place.kind,
            in_message: place.header.map(|header| ledger.in_message(header)),
            context: if is_first && !self.veil.defangs { ledger.urls.context(id) } else { None },
        }
    }

    /// Returns the spellings of a URL as the report shows them.
    fn spelled(&self, spelled: Spelled<'_>) -> SpelledUrl {
        let shown = |url: &BStr| self.shown(url).to_str_lossy().into_owned();
        let Spelled { normal, occurrences, spellings, count } = spelled;
        let spellings =
            spellings.into_iter().map(|(url, occurrences)| Spelling { url: shown(url), occurrences }).collect();
        SpelledUrl { url: shown(normal.as_bstr()), occurrences, count, spellings }
    }

    /// Returns a URL as the report shows it.
    fn shown<'u>(&self, url: &'u BStr) -> Cow<'u, BStr> {
        self.veil.url(url)
    }

    /// Returns the name of a file as the report shows it.
    fn file_name(&self, file: FileId) -> &BStr {
        self.masked_files.get(&file).map_or_else(|| self.settled.ledger.file_name(file), |masked| masked.as_bstr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Checked, Recorder};
    use urlgrep::{Extractor, Sink as _};

    #[test]
    fn two_ways_to_write_a_url_are_one_link() {
        let recorder = Recorder::new();
        let mut sheet = recorder.sheet();
        let extractor = Extractor::builder().line_numbers(true).build();
        extractor.find_iter(b"http://h.example:25/ and HTTP://h.example:25").for_each(|found| sheet.add(&found));
        let mut ledger = Ledger::new(recorder, None);
        ledger.take(b"a.txt", &sheet);
        let report = ledger.close(ReportOptions::default(), ReadCounts::default());
        assert_eq!(report.summary().urls, 1);
        assert_eq!(report.links().next().unwrap().count, 2);
        assert_eq!(report.findings().next().unwrap().rule, Rule::PortNondefault);
    }

    /// Returns a report with findings that differ in one part of their key each. Some differ only in
    /// the number of the place.
    fn tied() -> Report {
        let checked = br#"{"error_map":{"-":[{"url":"http://dead.example/","status":{"text":"404","code":404}}]}}"#;
        let recorder = Recorder::new();
        let mut ledger = Ledger::new(recorder.clone(), Some(Checked::read(&checked[..]).unwrap().into()));
        let texts = ["http://u@b:99999/", "http://u@a:99999/", "http://dead.example/ HTTP://U@b:99999/"];
        for (file, text) in
            ["x", "y"].iter().flat_map(|file| texts.iter().cycle().take(6).map(move |text| (file, text)))
        {
            // Texts of one file have the same offsets.
            let mut sheet = recorder.sheet();
            Extractor::new().find_iter(text.as_bytes()).for_each(|found| sheet.add(&found));
            ledger.take(file.as_bytes(), &sheet);
        }
        ledger.close(ReportOptions { top: 10, ..ReportOptions::default() }, ReadCounts::default())
    }

    #[test]
    fn the_order_of_findings_is_total() {
        let mut report = tied();
        for reader in [ReportReader::All, ReportReader::Security, ReportReader::Links, ReportReader::Archive] {
            report.reader = reader;
            report.findings.sort_unstable();
            let ordered: Vec<Fired> = report.ordered().into_iter().copied().collect();
            assert!(ordered.len() > 10, "{}", ordered.len());
            let rng = &mut fastrand::Rng::with_seed(1738);
            for _ in 0..20 {
                rng.shuffle(&mut report.findings);
                assert!(report.ordered().into_iter().eq(&ordered), "{reader:?}");
            }
            if let Some(order) = reader.order_of_findings() {
                let mut keys: Vec<_> = ordered.iter().map(|fired| report.key(fired, order, 0)).collect();
                keys.sort();
                assert!(keys.is_sorted_by(|one, other| one < other), "{reader:?}");
            }
        }
    }

    #[test]
    fn only_the_first_place_of_a_url_has_the_text_around_it() {
        let checked = br#"{"error_map":{"-":[{"url":"http://dead.example/","status":{"text":"404","code":404}}]}}"#;
        let recorder = Recorder::new().context(true).messages(true);
        let mut ledger = Ledger::new(recorder.clone(), Some(Checked::read(&checked[..]).unwrap().into()));
        // Both places have the same offset, in two files.
        for (file, text) in [("a", "http://dead.example/ one"), ("b", "http://dead.example/ two")] {
            let mut sheet = recorder.sheet();
            Extractor::new().find_iter(text.as_bytes()).for_each(|found| sheet.add(&found));
            ledger.take(file.as_bytes(), &sheet);
        }
        let report = ledger.close(ReportOptions::default(), ReadCounts::default());
        let broken = report.findings().filter(|finding| finding.rule == Rule::Broken);
        let shown: Vec<_> =
            broken.map(|finding| (finding.first.file, finding.first.context.map(|text| text[2]))).collect();
        assert_eq!(shown, [("a".into(), Some(" one".into())), ("b".into(), None)]);
    }
}

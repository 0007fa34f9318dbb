//! The result of an audit, as the formats show it. Passwords are already masked, unless the caller
//! requests them, so no format can leak one by mistake.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use bstr::{BStr, ByteSlice};
use serde::Serialize;
use urlgrep::audit::{Rule, Severity, mask_text};
use urlgrep::{Kind, Level, ParseError, ParseErrorKind};

use super::baseline::Comparison;
use super::checked::{LinkStatus, OUTCOMES};
use super::readers::ReportReader;
use super::veil::{self, Veil};

/// The settings of a repository that apply to an audit. Its `Display` is one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Configuration {
    /// The name of the file, as seen from the working folder.
    pub(crate) file: String,
    /// Its options, as the file has them: `host = "!*"`.
    pub(crate) settings: Vec<String>,
    /// The number of its patterns of findings to ignore.
    pub(crate) ignores: usize,
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ignores = (self.ignores > 0).then(|| format!("[[ignore]] × {}", self.ignores));
        let all: Vec<&str> = self.settings.iter().map(String::as_str).chain(ignores.as_deref()).collect();
        write!(f, "{}: {}", self.file, all.join("; "))
    }
}

/// Totals over everything that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The folder that was audited, if there was exactly one.
    pub(crate) root: Option<String>,
    /// The settings of the repository, which may leave out files, links and findings.
    pub(crate) configuration: Option<Configuration>,
    /// Files read; a file in a tar counts as one.
    pub(crate) files: u64,
    /// Bytes read, after decompression.
    pub(crate) bytes: u64,
    /// Messages of mail or news.
    pub(crate) messages: u64,
    /// Places where a URL was found.
    pub(crate) occurrences: u64,
    /// Distinct URLs, by the specification's equality (section 4).
    pub(crate) urls: u64,
    /// Distinct hosts.
    pub(crate) hosts: u64,
    /// Findings by severity, from `info` to `critical`.
    pub(crate) by_severity: BTreeMap<Severity, u64>,
    /// Findings by rule.
    pub(crate) by_rule: BTreeMap<Rule, u64>,
    /// Shares of the rules whose findings are [figures](super::is_figure) in reports for people. The
    /// levels show X-LATER already, so it is excluded.
    pub(crate) by_figure: Vec<(Rule, Share)>,
    /// Shares of the schemes, in lower case, those with the most places first. URLs without a
    /// scheme have the key `""`.
    pub(crate) by_scheme: Vec<(String, Share)>,
    /// Shares of the hosts, in lower case, those with the most places first. URLs without a host are
    /// excluded.
    pub(crate) by_host: Vec<(String, Share)>,
    /// Findings that the repository's configuration ignores, by the reason in the configuration.
    pub(crate) ignored: BTreeMap<String, u64>,
    /// Places by how the text delimits the URL.
    pub(crate) by_kind: Vec<(Kind, u64)>,
    /// Shares of the levels, strictest first.
    pub(crate) by_level: Vec<(Level, Share)>,
    /// Reasons why URLs are not RFC 1738, the reasons with the most places first.
    pub(crate) by_error: Vec<(ParseErrorKind, Share)>,
    /// Places by the year of their message's date.
    pub(crate) by_year: BTreeMap<i32, u64>,
    /// Places without a date.
    pub(crate) undated: u64,
    /// The first and the last date of a message with a URL.
    pub(crate) dates: Option<(Day, Day)>,
    /// Parts that could not be decoded, and other refusals, by their names in `--stats`.
    pub(crate) refused: Vec<(String, u64)>,
    /// The years and lifetimes, if the report shows them.
    pub(crate) history: History,
    /// Results of a link checker by [`OUTCOMES`], for the distinct URLs that it checked.
    pub(crate) by_status: BTreeMap<&'static str, u64>,
    /// The pages with the most broken links, and the counts of these links. A page is a file, or
    /// the target of a web archive's record.
    pub(crate) broken_by_page: Vec<(String, Share)>,
    /// The number of pages with a broken link.
    pub(crate) broken_pages: u64,
    /// The URLs with the most places that are written in several ways.
    pub(crate) spellings: Vec<SpelledUrl>,
    /// The number of URLs that are written in several ways.
    pub(crate) spelled_urls: u64,
    /// The comparison with an earlier report, if there is one.
    pub(crate) comparison: Option<Comparison>,
}

/// Names of the inputs that were not read, in `--stats` and in [`refused`](Summary::refused).
pub(crate) const UNDECODED_PARTS: &str = "undecoded-parts";
pub(crate) const UNREAD_INPUTS: &str = "unread-inputs";
/// The name of the count of relative links without a base.
pub(crate) const RELATIVE_LINKS: &str = "relative-links";
pub(crate) const ERRORS: &str = "errors";

impl Summary {
    /// Returns the results of a link checker, or `None` if it checked no link.
    pub(crate) fn checked(&self) -> Option<CheckedLinks> {
        let count = |name: &&'static str| Some((*name, self.by_status.get(name).copied().filter(|&count| count > 0)?));
        let asked: u64 = self.by_status.values().sum();
        // The first two outcomes mean that the link works. A link with any other outcome is broken.
        let outcomes: Vec<_> = OUTCOMES[2..].iter().filter_map(count).collect();
        let broken = outcomes.iter().map(|(_, count)| count).sum();
        (asked > 0).then_some(CheckedLinks { asked, broken, outcomes })
    }

    /// Hides the secrets in the texts. The URLs are already shown as the options require, except
    /// those that only an earlier report has.
    pub(super) fn hide_secrets(&mut self, veil: Veil) {
        let Summary { root, configuration, ignored, by_scheme, by_host, refused, history, comparison, .. } = self;
        let hide = |name: &mut String| *name = veil::text(std::mem::take(name));
        root.iter_mut().for_each(hide);
        if let Some(Configuration { file, settings, .. }) = configuration {
            std::iter::once(file).chain(settings).for_each(hide);
        }
        by_scheme.iter_mut().chain(by_host).for_each(|(name, _)| hide(name));
        refused.iter_mut().for_each(|(name, _)| hide(name));
        for (reason, count) in std::mem::take(ignored) {
            *ignored.entry(veil::text(reason)).or_default() += count;
        }
        let History { schemes, hosts, domains, .. } = history;
        let names = domains.iter_mut().flat_map(|domain| std::iter::once(&mut domain.whole).chain(&mut domain.hosts));
        names.chain(schemes).chain(hosts).for_each(|NamedHistory { name, .. }| hide(name));
        for gone in comparison.iter_mut().flat_map(|comparison| &mut comparison.gone) {
            hide(&mut gone.rule);
            gone.url = veil.url(gone.url.as_bstr()).into_owned();
            gone.file = mask_text(&gone.file).into_owned();
        }
    }
}

/// The findings that fail a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Failures {
    pub(crate) count: u64,
    /// The rules of these findings, with the worst severity of each.
    pub(crate) rules: BTreeMap<Rule, Severity>,
    /// Findings as severe as these that an earlier report has.
    pub(crate) known: u64,
    /// Whether there is an earlier report, so that the others are new.
    pub(crate) has_baseline: bool,
}

/// A URL that is written in several ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct SpelledUrl {
    /// The form that all the spellings have after normalisation.
    pub(crate) url: String,
    pub(crate) occurrences: u64,
    /// The number of spellings.
    pub(crate) count: u64,
    /// The spellings with the most places.
    pub(crate) spellings: Vec<Spelling>,
}

/// A way to write a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Spelling {
    pub(crate) url: String,
    pub(crate) occurrences: u64,
}

/// The number of links that a checker checked, and how many of them are broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckedLinks {
    pub(crate) asked: u64,
    pub(crate) broken: u64,
    /// The checker's results for the broken links, in the order of [`OUTCOMES`].
    pub(crate) outcomes: Vec<(&'static str, u64)>,
}

/// The years and lifetimes of an archive's distinct URLs. Years before 1970 and days after the
/// audit are forged, and are excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    /// URLs by the year of their first place.
    pub(crate) first: BTreeMap<i32, u64>,
    /// URLs by the year of their last place.
    pub(crate) last: BTreeMap<i32, u64>,
    /// The schemes, by their last year.
    pub(crate) schemes: Vec<NamedHistory>,
    /// The hosts with the most places, by their last year.
    pub(crate) hosts: Vec<NamedHistory>,
    /// The registrable domains with the most places. An address, or a name without such a domain,
    /// stands for itself.
    pub(crate) domains: Vec<DomainHistory>,
    /// The number of all domains.
    pub(crate) domain_count: u64,
    /// The most frequent URLs of schemes that browsers no longer open.
    pub(crate) left_overs: Vec<NamedHistory>,
    /// The number of all URLs with such schemes.
    pub(crate) left_over_count: u64,
    /// The first and the last day.
    pub(crate) dates: Option<(Day, Day)>,
    /// Places whose day is forged.
    pub(crate) forged: u64,
    /// The day of the audit; later dates are forged.
    pub(crate) until: Option<Day>,
}

/// The share of a name, and the years in which it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedHistory {
    /// In lower case.
    pub(crate) name: String,
    pub(crate) share: Share,
    /// The first and the last year, if any message has a possible date.
    pub(crate) years: Option<(i16, i16)>,
}

/// A registrable domain and its hosts, those with the most places first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DomainHistory {
    /// The domain as a whole.
    pub(crate) whole: NamedHistory,
    pub(crate) hosts: Vec<NamedHistory>,
}

/// A part of what was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    /// Distinct URLs.
    pub(crate) urls: u64,
    /// Places.
    pub(crate) occurrences: u64,
}

impl Share {
    pub(super) fn add(&mut self, other: Share) {
        self.urls += other.urls;
        self.occurrences += other.occurrences;
    }
}

/// A distinct URL.
#[derive(Clone, Debug)]
pub(crate) struct ReportedLink<'r> {
    /// The URL as written at its first place. For a doubtful hyphen it is the reading that the
    /// archive supports.
    pub(crate) url: Cow<'r, BStr>,
    /// The number of places.
    pub(crate) count: u64,
    /// Messages with at least one of these places.
    pub(crate) messages: u64,
    /// The first place.
    pub(crate) first: ReportedPlace<'r>,
    /// The first and the last date of its messages.
    pub(crate) dates: Option<(Day, Day)>,
    /// In lower case.
    pub(crate) scheme: Option<String>,
    /// The host as written, without the port. For mailto URLs and news articles it is the domain.
    pub(crate) host: Option<Cow<'r, BStr>>,
    /// The strictest grammar that the URL satisfies.
    pub(crate) level: Level,
    /// The reason why the URL is not RFC 1738.
    pub(crate) error: Option<ParseError>,
    /// The rules that fire on the URL, in the order of [`Rule`].
    pub(crate) rules: Vec<Rule>,
    /// The result of a link checker for the URL.
    pub(crate) status: Option<&'r LinkStatus>,
    /// Its places after the first, as many as are kept.
    pub(crate) further: Vec<ReportedPlace<'r>>,
}

/// The findings by severity and rule, with a few of each in full.
#[derive(Debug, Default)]
pub(crate) struct FindingGroups<'r> {
    grouped: BTreeMap<(Reverse<Severity>, Rule), FindingGroup<'r>>,
    pub(in crate::command) reader: ReportReader,
    /// The number of findings of each group to show in full.
    examples: usize,
}

/// The findings of one rule and severity.
#[derive(Debug, Default)]
pub(in crate::command) struct FindingGroup<'r> {
    pub(in crate::command) findings: u64,
    /// The number of findings that an earlier report lacks.
    pub(in crate::command) new: u64,
    pub(in crate::command) places: u64,
    /// The first findings. New ones come before the others.
    pub(in crate::command) examples: Vec<ReportedFinding<'r>>,
}

impl<'r> FindingGroups<'r> {
    /// Returns a collection without findings, for this reader.
    pub(in crate::command) fn new(reader: ReportReader, examples: usize) -> Self {
        FindingGroups { grouped: BTreeMap::new(), reader, examples }
    }

    /// Returns the groups in the order in which they matter to the reader.
    pub(in crate::command) fn ordered(&self) -> Vec<(Severity, Rule, &FindingGroup<'r>)> {
        let groups = self.grouped.iter().map(|(&(Reverse(severity), rule), group)| (severity, rule, group));
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by_key(|(severity, rule, group)| self.reader.order(*severity, *rule, group.places));
        groups
    }

    /// Counts a finding, and builds it only if it is shown. Building a million of them would cost
    /// more than the rest of the report.
    pub(in crate::command) fn add(
        &mut self,
        severity: Severity,
        rule: Rule,
        places: u64,
        is_new: bool,
        finding: impl FnOnce() -> ReportedFinding<'r>,
    ) {
        let group = self.grouped.entry((Reverse(severity), rule)).or_default();
        group.findings += 1;
        group.places += places;
        // New findings come before those that the earlier report has. Without an earlier report, all keep
        // their order.
        let at = if is_new { group.new as usize } else { group.examples.len() };
        group.new += u64::from(is_new);
        let examples = if self.reader.only_counts(severity, rule) { 0 } else { self.examples };
        if at < examples {
            group.examples.insert(at, finding());
            group.examples.truncate(examples);
        }
    }
}

impl<'r> FromIterator<ReportedFinding<'r>> for FindingGroups<'r> {
    fn from_iter<I: IntoIterator<Item = ReportedFinding<'r>>>(findings: I) -> Self {
        let mut groups = FindingGroups::new(ReportReader::All, ReportReader::All.examples());
        for finding in findings {
            let is_new = finding.is_new == Some(true);
            groups.add(finding.severity, finding.rule, finding.count, is_new, || finding);
        }
        groups
    }
}

/// A finding against a URL, with its first place.
#[derive(Clone, Debug)]
pub(crate) struct ReportedFinding<'r> {
    pub(crate) rule: Rule,
    /// The severity of the finding. It may differ from the rule's.
    pub(crate) severity: Severity,
    /// The index of the finding's link in the report, from 0, in the order of first appearance.
    pub(crate) link: u64,
    /// The URL as written at its places.
    pub(crate) url: Cow<'r, BStr>,
    /// The number of places with this spelling of the URL that the finding covers.
    pub(crate) count: u64,
    /// The first of these places.
    pub(crate) first: ReportedPlace<'r>,
    /// The message: what is wrong here.
    pub(crate) message: String,
    /// Whether an earlier report lacks the finding; `None` without an earlier report.
    pub(crate) is_new: Option<bool>,
}

/// A place in what was read.
#[derive(Clone, Debug)]
pub(crate) struct ReportedPlace<'r> {
    /// The file as it was named; `-` for standard input; `a.tar!/path` for a file in a tar.
    pub(crate) file: &'r BStr,
    /// The offset of the match's first byte in the source, or in an unpacked text (see
    /// [`InMessage::encoding`]).
    pub(crate) offset: u64,
    /// The number of bytes that the match covers.
    pub(crate) length: u64,
    /// The line of the first byte, from 1.
    pub(crate) line: u64,
    /// The column of the first byte in bytes, from 1.
    pub(crate) column: u64,
    /// How the text delimits the URL.
    pub(crate) kind: Kind,
    /// The message around the place.
    pub(crate) in_message: Option<InMessage<'r>>,
    /// The text before the match, the text that it covers, and the text after it, if the audit keeps
    /// them. They have at most 80, 320 and 80 bytes. Passwords are always masked, even if the caller
    /// requests them elsewhere.
    pub(crate) context: Option<[&'r BStr; 3]>,
}

impl ReportedPlace<'_> {
    /// Returns true if offset and line refer to the file itself, and not to a text that was
    /// unpacked.
    pub(super) fn is_in_file(&self) -> bool {
        let encoding = self.in_message.and_then(|message| message.encoding);
        !matches!(encoding, Some("unpacked" | "http"))
    }
}

/// The message that a place belongs to. Its JSON holds only the message: part and encoding are
/// fields of the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct InMessage<'r> {
    /// The Message-ID without its angle brackets.
    pub(crate) id: Option<&'r str>,
    /// The date as in JSON, such as `2002-10-05T23:56:00-07:00`.
    pub(crate) date: Option<&'r str>,
    /// `Name <address>`, or one of the two.
    pub(crate) from: Option<&'r str>,
    pub(crate) subject: Option<&'r str>,
    /// The groups that an article was posted to.
    pub(crate) newsgroups: Option<&'r str>,
    /// The URL that a record of a web archive was fetched from.
    pub(crate) url: Option<&'r str>,
    /// The message's number in the archive, from 1.
    pub(crate) number: Option<u64>,
    /// The offset in the archive of the message's first byte, or of the separator before it.
    pub(crate) offset: u64,
    /// The number of the MIME part, as in IMAP; `None` in a header.
    #[serde(skip)]
    pub(crate) part: Option<&'r str>,
    /// The encoding of the part: `7bit`, `base64`, …
    #[serde(skip)]
    pub(crate) encoding: Option<&'r str>,
}

/// A day of the Gregorian calendar, as the message gives it, in its own time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    pub(crate) year: i16,
    /// The month, from 1.
    pub(crate) month: u8,
    /// The day of the month, from 1.
    pub(crate) day: u8,
}

impl Day {
    /// The first year that a date can have. A program without a clock wrote any earlier date.
    pub(in crate::command) const FIRST_YEAR: i32 = 1970;

    /// Returns a day if the month is 1 to 12 and the day 1 to 31. The length of the month is not
    /// checked.
    pub(crate) fn new(year: u16, month: u8, day: u8) -> Option<Day> {
        let year = i16::try_from(year).ok()?;
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Day { year, month, day })
    }

    /// Returns the day that a date such as `2002-10-05T…` begins with.
    pub(crate) fn of(date: &str) -> Option<Day> {
        let (year, rest) = date.split_once('-')?;
        let (month, rest) = rest.split_once('-')?;
        Day::new(year.parse().ok()?, month.parse().ok()?, rest.get(..2)?.parse().ok()?)
    }

    /// Returns the day as one number, which sorts as days do.
    pub(crate) fn packed(self) -> i32 {
        // A month needs 4 bits, and a day 5.
        i32::from(self.year) << 9 | i32::from(self.month) << 5 | i32::from(self.day)
    }

    fn unpacked(packed: i32) -> Day {
        Day { year: (packed >> 9) as i16, month: (packed >> 5 & 15) as u8, day: (packed & 31) as u8 }
    }
}

/// The first and the last day of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DaySpan {
    /// [Packed](Day::packed) days; if the set is empty, `first` is after `last`.
    first: i32,
    last: i32,
}

impl Default for DaySpan {
    fn default() -> DaySpan {
        DaySpan { first: i32::MAX, last: i32::MIN }
    }
}

impl DaySpan {
    pub(super) fn add(&mut self, day: Day) {
        self.join(DaySpan { first: day.packed(), last: day.packed() });
    }

    pub(super) fn join(&mut self, other: DaySpan) {
        *self = DaySpan { first: self.first.min(other.first), last: self.last.max(other.last) };
    }

    pub(super) fn days(self) -> Option<(Day, Day)> {
        (self.first <= self.last).then(|| (Day::unpacked(self.first), Day::unpacked(self.last)))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_survives_its_number() {
        for text in ["2002-10-05", "1970-01-01", "1999-12-31", "0001-01-31", "9999-12-31"] {
            let day = Day::of(text).unwrap();
            assert_eq!(Day::unpacked(day.packed()), day);
            assert_eq!(day.to_string(), text);
        }
        assert!(Day::of("2002-10-05T23:56:00-07:00").unwrap() < Day::of("2002-11-01").unwrap());
        for text in ["", "2002", "2002-13-01", "2002-10-5", "x-10-05", "99999-01-01"] {
            assert_eq!(Day::of(text), None, "{text}");
        }
    }
}

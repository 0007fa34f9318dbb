//! What an audit comes to, as the formats show it. Passwords are masked already, unless they are wanted: a format cannot
//! let one through by mistake.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use bstr::BStr;
use serde::Serialize;
use urlgrep::audit::{Rule, Severity};
use urlgrep::{Kind, Level, ParseError, ParseErrorKind};

use super::baseline::Comparison;
use super::checked::{LinkStatus, OUTCOMES};
use super::readers::ReportReader;

/// Totals over everything that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The one folder that was audited, if there is such a one.
    pub(crate) root: Option<String>,
    /// Files read; a file in a tar is one.
    pub(crate) files: u64,
    /// Bytes read, after decompression.
    pub(crate) bytes: u64,
    /// Messages of mail or news.
    pub(crate) messages: u64,
    /// Places where a URL was found.
    pub(crate) occurrences: u64,
    /// Distinct URLs, by the equality of the specification, section 4.
    pub(crate) urls: u64,
    /// Distinct hosts.
    pub(crate) hosts: u64,
    /// Findings by severity, from `info` to `critical`.
    pub(crate) by_severity: BTreeMap<Severity, u64>,
    /// Findings by rule.
    pub(crate) by_rule: BTreeMap<Rule, u64>,
    /// What the rules have whose findings are figures and no findings to people, and not in the levels.
    pub(crate) by_figure: Vec<(Rule, Share)>,
    /// What the schemes have, those with most places first. Schemes are in lower case; what has none is `""`.
    pub(crate) by_scheme: Vec<(String, Share)>,
    /// What the hosts have, those with most places first. They are in lower case; what has none is left out.
    pub(crate) by_host: Vec<(String, Share)>,
    /// Findings that a repository says are none, by the reason.
    pub(crate) ignored: BTreeMap<String, u64>,
    /// Places by how the text delimits the URL.
    pub(crate) by_kind: Vec<(Kind, u64)>,
    /// What the levels have, strictest first.
    pub(crate) by_level: Vec<(Level, Share)>,
    /// Why URLs are not RFC 1738, those with most places first.
    pub(crate) by_error: Vec<(ParseErrorKind, Share)>,
    /// Places by the year of their message.
    pub(crate) by_year: BTreeMap<i32, u64>,
    /// Places without a date.
    pub(crate) undated: u64,
    /// The first and the last date of a message with a URL.
    pub(crate) dates: Option<(Day, Day)>,
    /// What could not be decoded, and what else was refused, by its name in `--stats`.
    pub(crate) refused: Vec<(String, u64)>,
    /// What the dates say, where a report shows it.
    pub(crate) history: History,
    /// What a link checker answered, by [`OUTCOMES`], for the distinct URLs that it asked.
    pub(crate) by_status: BTreeMap<&'static str, u64>,
    /// The pages with most broken links, and these: a file, or the target of a record of a web archive.
    pub(crate) broken_by_page: Vec<(String, Share)>,
    /// How many pages have one.
    pub(crate) broken_pages: u64,
    /// The URLs with most places that are written in several ways.
    pub(crate) spellings: Vec<SpelledUrl>,
    /// How many such there are.
    pub(crate) spelled_urls: u64,
    /// What that comes to beside a former report.
    pub(crate) comparison: Option<Comparison>,
}

/// The names of what was not read, in `--stats` and among what was [refused](Summary::refused).
pub(crate) const UNDECODED_PARTS: &str = "undecoded-parts";
pub(crate) const UNREAD_INPUTS: &str = "unread-inputs";
pub(crate) const ERRORS: &str = "errors";

impl Summary {
    /// Returns what a checker answered; `None` where it was asked for no link.
    pub(crate) fn checked(&self) -> Option<CheckedLinks> {
        let count = |name: &&'static str| Some((*name, self.by_status.get(name).copied().filter(|&count| count > 0)?));
        let asked: u64 = self.by_status.values().sum();
        let outcomes: Vec<_> = OUTCOMES[2..].iter().filter_map(count).collect();
        let broken = outcomes.iter().map(|(_, count)| count).sum();
        (asked > 0).then_some(CheckedLinks { asked, broken, outcomes })
    }

    /// True if a finding is as bad as this, or worse; beside a former report one of the new findings.
    pub(crate) fn has_finding_from(&self, least: Severity) -> bool {
        let findings = self.comparison.as_ref().map_or(&self.by_severity, |comparison| &comparison.new);
        findings.range(least..).next().is_some()
    }
}

/// A URL that is written in several ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct SpelledUrl {
    /// As all of them are once they are brought to one form.
    pub(crate) url: String,
    pub(crate) occurrences: u64,
    /// How many ways there are.
    pub(crate) count: u64,
    /// Those with most places.
    pub(crate) spellings: Vec<Spelling>,
}

/// A way to write a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Spelling {
    pub(crate) url: String,
    pub(crate) occurrences: u64,
}

/// How many links a checker was asked for, and how many of them are broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckedLinks {
    pub(crate) asked: u64,
    pub(crate) broken: u64,
    /// What it answered for the broken ones, in a fixed order.
    pub(crate) outcomes: Vec<(&'static str, u64)>,
}

/// What the dates of an archive say of its distinct URLs. Years before 1970 and days after the audit are forged, and left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    /// URLs by the year in which they stand first.
    pub(crate) first: BTreeMap<i32, u64>,
    /// URLs by the year in which they stand last.
    pub(crate) last: BTreeMap<i32, u64>,
    /// The schemes, by their last year.
    pub(crate) schemes: Vec<NamedHistory>,
    /// The hosts with most places, by their last year.
    pub(crate) hosts: Vec<NamedHistory>,
    /// The registrable domains with most places, and an address or a name without one by itself.
    pub(crate) domains: Vec<DomainHistory>,
    /// How many there are.
    pub(crate) domain_count: u64,
    /// The URLs with most places of schemes that browsers have dropped.
    pub(crate) left_overs: Vec<NamedHistory>,
    /// How many there are.
    pub(crate) left_over_count: u64,
    /// The first and the last day.
    pub(crate) dates: Option<(Day, Day)>,
    /// Places with a day that is left out.
    pub(crate) forged: u64,
    /// The day of the audit; later dates are forged.
    pub(crate) until: Option<Day>,
}

/// How long a name is spoken of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedHistory {
    /// In lower case.
    pub(crate) name: String,
    /// What it has.
    pub(crate) share: Share,
    /// The first and the last year, if there is a date.
    pub(crate) years: Option<(i16, i16)>,
}

/// A registrable domain, and its hosts, those with most places first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DomainHistory {
    /// All of it.
    pub(crate) whole: NamedHistory,
    /// Each host.
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
    /// As it is written where it stands first; where an archive supports another reading of a doubtful hyphen, that one.
    pub(crate) url: Cow<'r, BStr>,
    /// Places.
    pub(crate) count: u64,
    /// Messages with such a place.
    pub(crate) messages: u64,
    /// The first place.
    pub(crate) first: ReportedPlace<'r>,
    /// The first and the last date of its messages.
    pub(crate) dates: Option<(Day, Day)>,
    /// In lower case.
    pub(crate) scheme: Option<String>,
    /// As written, without port; of mailto URLs and news articles the domain.
    pub(crate) host: Option<Cow<'r, BStr>>,
    /// The strictest grammar that it satisfies.
    pub(crate) level: Level,
    /// Why it is not RFC 1738.
    pub(crate) error: Option<ParseError>,
    /// What was found to be wrong with it, in the order of [`Rule`].
    pub(crate) rules: Vec<Rule>,
    /// What a link checker answered for it.
    pub(crate) status: Option<&'r LinkStatus>,
    /// Its places behind the first, as many as are kept.
    pub(crate) further: Vec<ReportedPlace<'r>>,
}

/// The findings by severity and rule; a few of each in full.
#[derive(Debug, Default)]
pub(crate) struct FindingGroups<'r> {
    grouped: BTreeMap<(Reverse<Severity>, Rule), FindingGroup<'r>>,
    pub(in crate::command) reader: ReportReader,
    /// Findings of each group that are shown.
    examples: usize,
}

/// The findings of one rule and severity.
#[derive(Debug, Default)]
pub(in crate::command) struct FindingGroup<'r> {
    pub(in crate::command) findings: u64,
    /// Those that a former report does not have.
    pub(in crate::command) new: u64,
    pub(in crate::command) places: u64,
    /// The first of them, new ones first.
    pub(in crate::command) examples: Vec<ReportedFinding<'r>>,
}

impl<'r> FindingGroups<'r> {
    /// No finding, for a reader.
    pub(in crate::command) fn new(reader: ReportReader, examples: usize) -> Self {
        FindingGroups { grouped: BTreeMap::new(), reader, examples }
    }

    /// The groups in the order in which they matter.
    pub(in crate::command) fn ordered(&self) -> Vec<(Severity, Rule, &FindingGroup<'r>)> {
        let groups = self.grouped.iter().map(|(&(Reverse(severity), rule), group)| (severity, rule, group));
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by_key(|(severity, rule, group)| self.reader.order(*severity, *rule, group.places));
        groups
    }

    /// Counts a finding, and makes it only if it is shown: of a million that costs more than all else that a report does.
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
        // Where new ones are told from known ones, they come first.
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

/// Something that is wrong, or worth a look.
#[derive(Clone, Debug)]
pub(crate) struct ReportedFinding<'r> {
    /// The rule.
    pub(crate) rule: Rule,
    /// How bad it is here.
    pub(crate) severity: Severity,
    /// Which of the report's links it is about, from 0, in the order of their first appearance.
    pub(crate) link: u64,
    /// The URL as it is written there.
    pub(crate) url: Cow<'r, BStr>,
    /// Places where this URL, written so, stands; the finding holds for each.
    pub(crate) count: u64,
    /// The first of them.
    pub(crate) first: ReportedPlace<'r>,
    /// What is wrong here.
    pub(crate) message: String,
    /// A former report does not have it. `None` where there is none.
    pub(crate) is_new: Option<bool>,
}

/// A place in what was read.
#[derive(Clone, Debug)]
pub(crate) struct ReportedPlace<'r> {
    /// The file as it was named; `-` for standard input; `a.tar!/path` for one in a tar.
    pub(crate) file: &'r BStr,
    /// The first byte of the source that the match covers. In a part that was encoded it counts from the start of the
    /// decoded part (see [`InMessage::encoding`]).
    pub(crate) offset: u64,
    /// How many bytes it covers.
    pub(crate) length: u64,
    /// Line of the first byte, from 1.
    pub(crate) line: u64,
    /// Column of the first byte, from 1, in bytes.
    pub(crate) column: u64,
    /// How the text delimits the URL.
    pub(crate) kind: Kind,
    /// The message around it.
    pub(crate) in_message: Option<InMessage<'r>>,
    /// The text around it, where the audit was asked to keep that: before, what the match covers, and after. At most 80,
    /// 320 and 80 bytes, with passwords masked whatever is asked for.
    pub(crate) context: Option<[&'r BStr; 3]>,
}

impl ReportedPlace<'_> {
    /// True if offset and line speak of the file, and not of a part that had to be decoded.
    pub(super) fn is_in_file(&self) -> bool {
        let encoding = self.in_message.and_then(|message| message.encoding);
        matches!(encoding, None | Some("7bit" | "8bit" | "binary"))
    }
}

/// The message that a place belongs to. As JSON it is the message alone: part and encoding are fields of the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct InMessage<'r> {
    /// The Message-ID without its angle brackets.
    pub(crate) id: Option<&'r str>,
    /// `2002-10-05T23:56:00-07:00`, as in JSON.
    pub(crate) date: Option<&'r str>,
    /// `Name <address>`, or one of the two.
    pub(crate) from: Option<&'r str>,
    /// The subject.
    pub(crate) subject: Option<&'r str>,
    /// The groups that an article was posted to.
    pub(crate) newsgroups: Option<&'r str>,
    /// Where a record of a web archive was fetched from.
    pub(crate) url: Option<&'r str>,
    /// Which message of the archive it is, from 1.
    pub(crate) number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub(crate) offset: u64,
    /// The MIME part, as IMAP numbers it; `None` in a header.
    #[serde(skip)]
    pub(crate) part: Option<&'r str>,
    /// How the part is encoded: `7bit`, `base64`, …
    #[serde(skip)]
    pub(crate) encoding: Option<&'r str>,
}

/// A day, by the Gregorian calendar: as the message says, in its own time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    /// The year.
    pub(crate) year: i16,
    /// The month, from 1.
    pub(crate) month: u8,
    /// The day of the month, from 1.
    pub(crate) day: u8,
}

impl Day {
    /// The first year that a date can be of: what is before was written by a program without a clock.
    pub(in crate::command) const FIRST_YEAR: i32 = 1970;

    /// A day, if there are such a month and day.
    pub(crate) fn new(year: u16, month: u8, day: u8) -> Option<Day> {
        let year = i16::try_from(year).ok()?;
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Day { year, month, day })
    }

    /// The day that a date begins with: `2002-10-05T…`.
    pub(crate) fn of(date: &str) -> Option<Day> {
        let (year, rest) = date.split_once('-')?;
        let (month, rest) = rest.split_once('-')?;
        Day::new(year.parse().ok()?, month.parse().ok()?, rest.get(..2)?.parse().ok()?)
    }

    /// The day as one number, which sorts as days do.
    pub(crate) fn packed(self) -> i32 {
        i32::from(self.year) << 9 | i32::from(self.month) << 5 | i32::from(self.day)
    }

    fn unpacked(packed: i32) -> Day {
        Day { year: (packed >> 9) as i16, month: (packed >> 5 & 15) as u8, day: (packed & 31) as u8 }
    }
}

/// The first and the last of some days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DaySpan {
    /// [Packed](Day::packed); after the last where there are no days.
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

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

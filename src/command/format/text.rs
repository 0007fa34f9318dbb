//! Text for people: what matters most, what was read, the findings by severity, and tables.
//!
//! To parse the result, use [JSON](super::json) instead. Everything from the archive is
//! [escaped](urlgrep::report::escape), on a terminal or not.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use urlgrep::audit::{Rule, Severity};

use super::show::{CLEAN, Count, Size, counted, cut, gaps, shown, width, wrap};
use crate::command::FormerFinding;
use crate::command::history::last_year;
use crate::command::model::{
    CheckedLinks, Day, DomainHistory, FindingGroup, FindingGroups, History, NamedHistory, ReportedFinding,
    ReportedLink, ReportedPlace, Share, Summary,
};
use crate::command::readers::{LEFT_OVER_SCHEMES, ReportReader, ReportSection};

/// The width of prose if the terminal's width is unknown.
const PROSE: usize = 80;
/// The indent of a rule's text.
const INDENT: &str = "    ";
/// The fewest columns that a URL is cut to, regardless of the rest of its line.
const SHORTEST: usize = 24;

/// The findings of one severity and rule.
type Group<'g> = (Severity, Rule, &'g FindingGroup<'g>);

/// The layout of the report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextReport {
    /// The most lines of a table; 0 means no tables.
    pub(crate) top: usize,
    /// The columns of the terminal. Longer texts are cut in the middle; `None` cuts nothing.
    pub(crate) width: Option<usize>,
    /// Whether to use ANSI colours.
    pub(crate) color: bool,
}

impl Default for TextReport {
    fn default() -> Self {
        Self { top: 20, width: None, color: false }
    }
}

// The colours are those of `report::text`: files magenta, lines green, URLs bold.
pub(in crate::command) const RESET: &str = "\x1b[0m";
pub(in crate::command) const BOLD: &str = "\x1b[1m";
const PATH: &str = "\x1b[35m";
const NUMBER: &str = "\x1b[32m";

impl TextReport {
    /// Writes the report. `top` are the links with the most places; their table
    /// shows the first [`top`](Self::top) of them.
    pub(crate) fn write<'r>(
        &self,
        summary: &Summary,
        top: impl IntoIterator<Item = ReportedLink<'r>>,
        groups: &FindingGroups<'_>,
        mut out: impl Write,
    ) -> io::Result<()> {
        let reader = groups.reader;
        let groups = groups.ordered();
        self.headline(summary, &groups, &mut out)?;
        self.totals(summary, &groups, &mut out)?;
        self.gone(summary, &mut out)?;
        // The iterator can be consumed once, and the section of URLs occurs at most once.
        let mut top = Some(top);
        for &section in reader.sections() {
            match section {
                ReportSection::Findings => self.findings(reader, &groups, &mut out)?,
                ReportSection::Urls => self.urls(summary, top.take().into_iter().flatten(), &mut out)?,
                _ => self.section(section, summary, &mut out)?,
            }
        }
        Ok(())
    }

    /// Writes every rule and its reason, one paragraph per rule.
    pub(crate) fn write_rules(&self, mut out: impl Write) -> io::Result<()> {
        for &rule in Rule::ALL {
            let severity = rule.severity();
            writeln!(
                out,
                "{} {}",
                self.painted(BOLD, rule.id()),
                self.painted(color(severity), &format!("({severity})"))
            )?;
            for text in [rule.fires_when(), rule.why(), rule.remedy()] {
                self.paragraph(text, &mut out)?;
            }
        }
        Ok(())
    }

    /// Writes a paragraph about a rule.
    fn paragraph(&self, text: &str, out: &mut impl Write) -> io::Result<()> {
        wrap(text, self.prose() - INDENT.len()).iter().try_for_each(|line| writeln!(out, "{INDENT}{line}"))
    }

    /// Writes one sentence on how bad the result is, and one on what to look at first.
    fn headline(&self, summary: &Summary, groups: &[Group<'_>], out: &mut impl Write) -> io::Result<()> {
        if summary.occurrences == 0 {
            writeln!(out, "No URL was found.")?;
            return self.gaps(summary, out);
        }
        let of = counted(summary.urls, "URL");
        let mut counts: BTreeMap<Reverse<Severity>, u64> = BTreeMap::new();
        for (severity, _, group) in groups {
            *counts.entry(Reverse(*severity)).or_default() += group.findings;
        }
        if let Some(CheckedLinks { asked, broken, .. }) = summary.checked() {
            let are = if broken == 1 { "is" } else { "are" };
            let broken = format!("{} of {} {are} broken.", Count(broken), counted(asked, "link"));
            writeln!(out, "{}", self.painted(BOLD, &broken))?;
        }
        // The order of a reader may put a milder rule before the worst one. The headline names the first of
        // the worst.
        let Some(&(worst, first, _)) = groups.iter().rev().max_by_key(|(severity, ..)| *severity) else {
            writeln!(out, "{}", self.painted(BOLD, &format!("None of the checked rules fires on {of}.")))?;
            self.gaps(summary, out)?;
            return wrap(CLEAN, self.prose()).iter().try_for_each(|line| writeln!(out, "{line}"));
        };
        let total: u64 = counts.values().sum();
        let counts: Vec<String> =
            counts.iter().map(|(Reverse(severity), count)| format!("{} {severity}", Count(*count))).collect();
        let counts = match &counts[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => counts.concat(),
        };
        let headline = format!("{counts} {} in {of}", if total == 1 { "finding" } else { "findings" });
        let lines = wrap(&headline, self.prose());
        for line in lines {
            writeln!(out, "{}", self.painted(color(worst), &line))?;
        }
        if worst >= Severity::Medium {
            for line in wrap(&format!("Look first at {first}: {}.", first.fires_when()), self.prose()) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Writes a warning if some input was not read, or only in part.
    fn gaps(&self, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
        let gaps = gaps(summary).unwrap_or_default();
        wrap(&gaps, self.prose())
            .into_iter()
            .filter(|line| !line.is_empty())
            .try_for_each(|line| writeln!(out, "{line}"))
    }

    fn totals(&self, summary: &Summary, groups: &[Group<'_>], out: &mut impl Write) -> io::Result<()> {
        let ignored = summary.ignored.iter();
        let ignored =
            ignored.map(|(reason, count)| format!("{}: {}", counted(*count, "finding"), shown(reason.as_bytes())));
        let refused = summary.refused.iter().map(|(name, count)| format!("{} {name}", Count(*count)));
        let configuration = summary.configuration.as_ref().map(ToString::to_string);
        let rows = [
            ("Read", read(summary)),
            ("Found", found(summary)),
            ("Dates", dates(summary).unwrap_or_default()),
            ("Refused", refused.collect::<Vec<_>>().join("; ")),
            ("Checked", checked(summary).unwrap_or_default()),
            ("Written", written(summary).unwrap_or_default()),
            ("Settings", configuration.map(|text| shown(text.as_bytes()).into_owned()).unwrap_or_default()),
            ("Ignored", ignored.collect::<Vec<_>>().join("; ")),
            ("Findings", compared(summary, groups).unwrap_or_default()),
        ];
        writeln!(out)?;
        for (name, text) in rows.iter().filter(|(_, text)| !text.is_empty()) {
            let mut label = format!("{name:<9}");
            for line in wrap(text, self.prose() - label.len()) {
                writeln!(out, "{}{line}", self.painted(BOLD, &label))?;
                label = " ".repeat(9);
            }
        }
        Ok(())
    }

    /// Lists the findings that only an earlier report has.
    fn gone(&self, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
        let gone = summary.comparison.as_ref().map_or(&[][..], |comparison| &comparison.gone);
        if gone.is_empty() || self.top == 0 {
            return Ok(());
        }
        writeln!(out, "\n{}", self.painted(BOLD, "GONE"))?;
        for FormerFinding { rule, url, file } in gone.iter().take(self.top) {
            let (rule, file) = (shown(rule.as_bytes()), shown(file));
            let room = self.width.unwrap_or(usize::MAX).saturating_sub(rule.len() + width(&file) + 6).max(SHORTEST);
            writeln!(out, "  {rule} {}: {}", self.painted(PATH, &file), cut(&shown(url), room))?;
        }
        match gone.len().checked_sub(self.top) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(out, "  and {} more", Count(more as u64)),
        }
    }

    fn findings(&self, reader: ReportReader, groups: &[Group<'_>], out: &mut impl Write) -> io::Result<()> {
        let mut last = None;
        for &(severity, rule, group) in groups {
            let heading = reader.heading(severity, rule);
            writeln!(out)?;
            if last.replace(heading) != Some(heading) {
                let color = if reader == ReportReader::All { color(severity) } else { BOLD };
                writeln!(out, "{}", self.painted(color, &heading.to_uppercase()))?;
            }
            self.group(reader, severity, rule, group, out)?;
        }
        Ok(())
    }

    fn group(
        &self,
        reader: ReportReader,
        severity: Severity,
        rule: Rule,
        group: &FindingGroup<'_>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let places = match group.places == group.findings {
            true => String::new(),
            false => format!(" in {}", counted(group.places, "place")),
        };
        let new = if group.new > 0 { format!(", {} new", Count(group.new)) } else { String::new() };
        // A chapter's heading does not include the severity.
        let how_bad = if reader == ReportReader::All { String::new() } else { format!("{severity}, ") };
        let findings = counted(group.findings, "finding");
        let head = format!("{rule}: {} ({how_bad}{findings}{new}{places})", rule.fires_when());
        for (number, line) in wrap(&head, self.prose() - INDENT.len()).into_iter().enumerate() {
            let line = match line.strip_prefix(rule.id()) {
                Some(rest) if number == 0 => format!("{}{rest}", self.painted(color(severity), rule.id())),
                _ => format!("  {line}"),
            };
            writeln!(out, "  {line}")?;
        }
        if reader.only_counts(severity, rule) {
            return writeln!(out, "    They are milder than the rule, so only counted. Other formats list them.");
        }
        self.paragraph(rule.why(), out)?;
        for finding in &group.examples {
            self.example(finding, out)?;
        }
        let more = group.findings - group.examples.len() as u64;
        if more > 0 {
            writeln!(out, "      and {} more", Count(more))?;
        }
        self.paragraph(&format!("Remedy: {}", rule.remedy()), out)
    }

    /// Writes `file:line: url: message`. If the line has no room for the message, the message is on the
    /// next line.
    fn example(&self, finding: &ReportedFinding<'_>, out: &mut impl Write) -> io::Result<()> {
        const INDENT: usize = 6;
        let (file, line) = file_and_line(&finding.first);
        let url = shown(&finding.url);
        let message = shown(finding.message.as_bytes());
        let most = self.width.unwrap_or(usize::MAX).max(INDENT + 2 * SHORTEST);
        let file = cut(&file, most.saturating_sub(INDENT + "new: ".len() + line.len() + 4 + SHORTEST).min(most / 2));
        let new = if finding.is_new == Some(true) { "new: " } else { "" };
        let before = INDENT + new.len() + width(&file) + line.len() + 3;
        let after = width(&message) + 2;
        // The message shares the line only if the URL keeps `SHORTEST` columns, or all that it
        // needs.
        let fits = most.checked_sub(before + after).is_some_and(|room| room >= width(&url).min(SHORTEST));
        let room = if fits { most - before - after } else { most.saturating_sub(before + 1).max(SHORTEST) };
        let (file, line) = (self.painted(PATH, &file), self.painted(NUMBER, &line));
        write!(out, "      {new}{file}:{line}: {}:", self.painted(BOLD, &cut(&url, room)))?;
        match fits {
            true => writeln!(out, " {message}"),
            false => {
                writeln!(out)?;
                let room = most - INDENT - 2;
                wrap(&message, room).iter().try_for_each(|line| writeln!(out, "        {}", cut(line, room)))
            }
        }
    }

    fn section(&self, section: ReportSection, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
        const SHARE: [&str; 2] = ["URLs", "places"];
        const SPAN: [&str; 4] = ["first", "last", "URLs", "places"];
        let Summary { by_scheme, by_level, by_kind, by_error, history, .. } = summary;
        match section {
            ReportSection::Findings | ReportSection::Urls => Ok(()),
            ReportSection::BrokenPages => {
                let pages = rows(&summary.broken_by_page, |page| page);
                self.table("Pages with broken links", ["links", "places"], pages, summary.broken_pages, out)
            }
            ReportSection::Hosts => self.table("Hosts", SHARE, rows(&summary.by_host, |host| host), summary.hosts, out),
            ReportSection::Schemes => {
                self.table("Schemes", SHARE, rows(by_scheme, |scheme| scheme), by_scheme.len() as u64, out)
            }
            ReportSection::Levels => {
                // The findings of these rules are shown only as figures.
                let figures = summary.by_figure.iter().map(|(rule, share)| (numbers(share), figure(*rule).into()));
                let levels = rows(by_level, |level| level.as_str()).chain(figures);
                self.table("Levels", SHARE, levels, (by_level.len() + summary.by_figure.len()) as u64, out)
            }
            ReportSection::Kinds => {
                let kinds = by_kind.iter().map(|(kind, places)| ([count(*places)], kind.as_str().into()));
                self.table("Kinds", ["places"], kinds, by_kind.len() as u64, out)
            }
            ReportSection::Errors => {
                let rows = rows(by_error, |kind| kind.as_str());
                self.table("Why not RFC 1738", SHARE, rows, by_error.len() as u64, out)
            }
            ReportSection::Years => self.years(summary, out),
            ReportSection::SchemesByLastYear => {
                self.table("Schemes by last year", SPAN, spans(&history.schemes), history.schemes.len() as u64, out)
            }
            ReportSection::HostsByLastYear => {
                self.table("Hosts with the most places, by last year", SPAN, spans(&history.hosts), summary.hosts, out)
            }
            ReportSection::DomainsByLastYear => {
                // The domains with the most places are chosen before they are sorted by year.
                let mut domains: Vec<_> = history.domains.iter().take(self.top).collect();
                domains.sort_by_key(|domain| last_year(domain.whole.years));
                let rows = domains.into_iter().map(|DomainHistory { whole, hosts }| {
                    let [first, last, urls, places] = span(whole);
                    ([first, last, count(hosts.len() as u64), urls, places], whole.name.clone().into())
                });
                let headings = ["first", "last", "hosts", "URLs", "places"];
                let title = "Registrable domains with the most places, by last year";
                self.table(title, headings, rows, history.domain_count, out)
            }
            ReportSection::LeftOvers => {
                let left_overs = &history.left_overs;
                let rows = left_overs.iter().map(|link| {
                    let [first, last, _, places] = span(link);
                    ([first, last, places], link.name.clone().into())
                });
                let title = format!("URLs that browsers no longer open: {}", LEFT_OVER_SCHEMES.join(", "));
                self.table(&title, ["first", "last", "places"], rows, history.left_over_count, out)
            }
        }
    }

    /// Writes all possible years, regardless of the limit of other tables.
    fn years(&self, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
        if self.top == 0 {
            return Ok(());
        }
        let Summary { by_year, history: History { first, last, until, .. }, .. } = summary;
        let until = until.map_or(i32::MAX, |day| i32::from(day.year));
        let of = |years: &BTreeMap<i32, u64>, year: i32| years.get(&year).copied().unwrap_or_default();
        // A range panics if its start is after its end.
        let possible = by_year.range(Day::FIRST_YEAR..=until.max(Day::FIRST_YEAR));
        let rows: Vec<_> = possible
            .map(|(&year, &places)| {
                ([count(places), count(of(first, year)), count(of(last, year))], year.to_string().into_bytes())
            })
            .collect();
        let total = rows.len() as u64;
        let table = TextReport { top: usize::MAX, ..*self };
        table.table("Years", ["places", "URLs first seen", "URLs last seen"], rows.into_iter(), total, out)?;
        let forged: u64 =
            by_year.iter().filter(|(year, _)| !(Day::FIRST_YEAR..=until).contains(year)).map(|(_, n)| n).sum();
        if forged > 0 {
            let forged = counted(forged, "place");
            writeln!(out, "  {forged} with a date before {} or after the audit", Day::FIRST_YEAR)?;
        }
        Ok(())
    }

    fn urls<'r>(
        &self,
        summary: &Summary,
        top: impl Iterator<Item = ReportedLink<'r>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if summary.messages > 0 {
            let links = top.map(|link| ([count(link.messages), count(link.count)], link.url.to_vec()));
            self.table("URLs", ["messages", "places"], links, summary.urls, out)
        } else {
            let links = top.map(|link| ([count(link.count)], link.url.to_vec()));
            self.table("URLs", ["places"], links, summary.urls, out)
        }
    }

    /// Writes a table of numbers under their headings, with their names. Names come last, since
    /// they are of any length.
    fn table<const N: usize>(
        &self,
        title: &str,
        headings: [&str; N],
        rows: impl Iterator<Item = ([String; N], Vec<u8>)>,
        total: u64,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let rows: Vec<_> = rows.take(self.top).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let widths: [usize; N] = std::array::from_fn(|column| {
            let numbers = rows.iter().map(|(numbers, _)| numbers[column].len());
            numbers.max().unwrap_or_default().max(headings[column].len())
        });
        let mut head = String::new();
        for (heading, width) in headings.iter().zip(widths) {
            head.push_str(&format!("  {heading:>width$}"));
        }
        writeln!(out, "\n{}", self.painted(BOLD, &format!("{head}  {title}")))?;
        let room = self.width.map_or(usize::MAX, |width| width.saturating_sub(head.len() + 2).max(SHORTEST));
        for (numbers, name) in &rows {
            for (number, width) in numbers.iter().zip(widths) {
                write!(out, "  {number:>width$}")?;
            }
            let name = if name.is_empty() { "(none)".into() } else { shown(name) };
            writeln!(out, "  {}", cut(&name, room))?;
        }
        let more = total.saturating_sub(rows.len() as u64);
        if more > 0 {
            writeln!(out, "{}  and {} more", " ".repeat(head.len()), Count(more))?;
        }
        Ok(())
    }

    fn prose(&self) -> usize {
        // Wider prose is hard to read, and narrower prose has no room beside its labels.
        self.width.unwrap_or(PROSE).clamp(40, 100)
    }

    fn painted(&self, color: &str, text: &str) -> String {
        match self.color {
            true => format!("{color}{text}{RESET}"),
            false => text.to_owned(),
        }
    }
}

pub(in crate::command) fn color(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "\x1b[1m\x1b[31m",
        Severity::High => "\x1b[31m",
        Severity::Medium => "\x1b[33m",
        Severity::Low => "\x1b[36m",
        Severity::Info => "\x1b[2m",
    }
}

/// Describes the size of the input.
fn read(summary: &Summary) -> String {
    let messages = (summary.messages > 0).then(|| counted(summary.messages, "message"));
    let read = [counted(summary.files, "file"), Size(summary.bytes).to_string()];
    read.into_iter().chain(messages).collect::<Vec<_>>().join(", ")
}

/// Describes what was found in the input.
fn found(summary: &Summary) -> String {
    let Summary { occurrences, urls, hosts, .. } = *summary;
    [counted(occurrences, "place"), counted(urls, "distinct URL"), counted(hosts, "host")].join(", ")
}

/// Returns the first and the last date, and the number of places without a possible date.
fn dates(summary: &Summary) -> Option<String> {
    let History { until, forged, .. } = summary.history;
    // If the day of the audit is known, impossible dates are excluded.
    let (first, last) = if until.is_some() { summary.history.dates } else { summary.dates }?;
    let mut dates = format!("{first} to {last}");
    for (count, what) in [(summary.undated, "without a date"), (forged, "dated before 1970 or after today")] {
        if count > 0 {
            dates.push_str(&format!(", and {} {what}", counted(count, "place")));
        }
    }
    Some(dates)
}

/// Returns the results of a link checker.
fn checked(summary: &Summary) -> Option<String> {
    let CheckedLinks { asked, broken, outcomes } = summary.checked()?;
    let well = asked - broken;
    let share = format!("{:.1}%", well as f64 * 100.0 / asked as f64);
    let mut checked = vec![format!("{} of {} are reachable ({share})", Count(well), counted(asked, "link"))];
    checked.extend(summary.by_status.get("moved").map(|&count| format!("{} of them moved", Count(count))));
    checked.extend(outcomes.iter().map(|(name, count)| format!("{} {}", Count(*count), name.replace('-', " "))));
    Some(checked.join(", "))
}

/// Describes the URLs that are written in several ways.
fn written(summary: &Summary) -> Option<String> {
    let most = summary.spellings.first()?;
    let are = if summary.spelled_urls == 1 { "URL is" } else { "URLs are" };
    let (spelled, first) = (Count(summary.spelled_urls), shown(most.url.as_bytes()));
    Some(format!("{spelled} {are} written in several ways; {first} in {} ways", Count(most.count)))
}

/// Compares the findings that this report lists with those of an earlier report.
fn compared(summary: &Summary, groups: &[Group<'_>]) -> Option<String> {
    let gone = summary.comparison.as_ref()?.gone.len() as u64;
    let [new, all] = groups.iter().fold([0, 0], |[new, all], (.., of)| [new + of.new, all + of.findings]);
    let compared = [(new, "new"), (all - new, "known"), (gone, "gone")];
    Some(compared.map(|(count, what)| format!("{} {what}", Count(count))).join(", "))
}

/// Returns the label of a rule whose findings are shown as a figure.
fn figure(rule: Rule) -> String {
    format!("{} ({rule})", rule.fires_when())
}

fn rows<T>(shares: &[(T, Share)], name: impl Fn(&T) -> &str) -> impl Iterator<Item = ([String; 2], Vec<u8>)> {
    shares.iter().map(move |(named, share)| (numbers(share), name(named).into()))
}

fn spans(names: &[NamedHistory]) -> impl Iterator<Item = ([String; 4], Vec<u8>)> {
    names.iter().map(|named| (span(named), named.name.clone().into()))
}

/// Returns the first and the last year, and the share.
fn span(named: &NamedHistory) -> [String; 4] {
    let [first, last] = match named.years {
        Some((first, last)) => [first.to_string(), last.to_string()],
        None => ["-".to_owned(), "-".to_owned()],
    };
    let [urls, places] = numbers(&named.share);
    [first, last, urls, places]
}

fn numbers(share: &Share) -> [String; 2] {
    [count(share.urls), count(share.occurrences)]
}

fn count(number: u64) -> String {
    Count(number).to_string()
}

/// Returns the file and the line of a place. An unpacked text has lines of its own. So the numbers
/// of the message and the part follow the file's name.
fn file_and_line(place: &ReportedPlace<'_>) -> (String, String) {
    let mut file = shown(place.file).into_owned();
    if !place.is_in_file()
        && let Some(message) = &place.in_message
    {
        if let Some(number) = message.number {
            file.push_str(&format!(" message {number}"));
        }
        if let Some(part) = message.part {
            file.push_str(&format!(" part {}", shown(part.as_bytes())));
        }
    }
    (file, place.line.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn report(report: TextReport) -> String {
        let mut out = Vec::new();
        report
            .write(&samples::summary(), samples::links(), &samples::findings().into_iter().collect(), &mut out)
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_empty_report_says_so() {
        let mut out = Vec::new();
        TextReport::default().write(&Summary::default(), [], &Default::default(), &mut out).unwrap();
        assert!(out.starts_with(b"No URL was found.\n\n"));
    }

    #[test]
    fn the_report() {
        assert_eq!(report(TextReport { top: 2, ..TextReport::default() }), include_str!("text.expected"));
    }

    #[test]
    fn the_headline_says_what_matters_most() {
        let headline = |findings: Vec<ReportedFinding<'static>>| {
            let mut out = Vec::new();
            TextReport::default().write(&samples::summary(), [], &findings.into_iter().collect(), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            text.split("\n\n").next().unwrap().to_owned()
        };
        let of = |rule| samples::finding(rule, "http://h/", "m");
        assert!(headline(vec![]).starts_with("None of the checked rules fires on 3 URLs.\nThe links may still"));
        let mut out = Vec::new();
        let refused = [("undecoded-parts", 2), ("unread-inputs", 1)].map(|(name, count)| (name.to_owned(), count));
        let summary = Summary { refused: refused.to_vec(), ..Summary::default() };
        TextReport::default().write(&summary, [], &Default::default(), &mut out).unwrap();
        let start = "No URL was found.\nNot read, or only in part: 2 undecoded parts, 1 unread file.\n\n";
        assert!(out.starts_with(start.as_bytes()), "{}", String::from_utf8_lossy(&out));
        assert_eq!(headline(vec![of(Rule::Later)]), "1 info finding in 3 URLs");
        assert_eq!(
            headline(vec![of(Rule::Later), of(Rule::Crlf), of(Rule::Backslash), of(Rule::Backslash)]),
            "3 high and 1 info findings in 3 URLs\nLook first at A-BACKSLASH: a backslash before the path."
        );
        // Rules that find misleading links come first, even if others have more findings.
        let deceives = vec![of(Rule::Nul), of(Rule::Crlf), of(Rule::Crlf), of(Rule::IpOdd), of(Rule::Anchor)];
        assert!(
            headline(deceives)
                .ends_with("Look first at X-ANCHOR: the text of a link shows one site, but the link goes to\nanother.")
        );
    }

    #[test]
    fn it_fits_the_terminal() {
        let long = format!("http://a.example/{}", "日本/".repeat(500));
        let deep = "long/".repeat(50);
        for columns in [60, 80, 132] {
            let mut out = Vec::new();
            let findings = [
                samples::finding(Rule::Long, &long, "2017 bytes"),
                samples::finding(Rule::Broken, &long, &"word ".repeat(40)),
                samples::finding(Rule::Invalid, "http://h/", &"x".repeat(400)),
                ReportedFinding {
                    first: samples::place(deep.as_str().into()),
                    ..samples::finding(Rule::Nul, &long, "x")
                },
            ];
            let links = [samples::link(&long)];
            let report = TextReport { width: Some(columns), ..TextReport::default() };
            report.write(&samples::summary(), links, &findings.into_iter().collect(), &mut out).unwrap();
            for line in String::from_utf8(out).unwrap().lines() {
                assert!(width(line) <= columns, "{} > {columns}: {line}", width(line));
            }
        }
    }

    #[test]
    fn nothing_is_cut_where_no_width_is_known() {
        let long = format!("http://a.example/{}", "x".repeat(3000));
        let mut out = Vec::new();
        let findings = [samples::finding(Rule::Long, &long, "3017 bytes")];
        TextReport::default()
            .write(&samples::summary(), [samples::link(&long)], &findings.into_iter().collect(), &mut out)
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(&format!("talk.mbox:12: {long}: 3017 bytes\n")));
        assert_eq!(text.matches(&long).count(), 2);
    }

    #[test]
    fn colours_change_nothing_else() {
        let mut plain = report(TextReport { color: true, ..TextReport::default() });
        assert!(plain.contains("\x1b[35mtalk.mbox\x1b[0m:\x1b[32m12\x1b[0m: \x1b[1m"));
        while let Some(at) = plain.find('\x1b') {
            let end = at + plain[at..].find('m').unwrap();
            plain.replace_range(at..=end, "");
        }
        assert_eq!(plain, report(TextReport::default()));
    }

    #[test]
    fn hostile_text_is_shown_and_does_no_harm() {
        let hostile = samples::hostile();
        let mut summary = samples::summary();
        summary.by_host = vec![(samples::HOSTILE.into(), Share::default())];
        for report in [TextReport::default(), TextReport { width: Some(80), ..TextReport::default() }] {
            let mut out = Vec::new();
            report.write(&summary, [hostile.link()], &[hostile.finding()].into_iter().collect(), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            samples::assert_no_control(&text.replace('\n', " "));
        }
    }
}

//! The parts of the page that need no script: figures, charts, rules, and the links with most places.
//!
//! A chart is a table with bars in it, so it needs no other text. What it counts can be picked as a filter of the list of
//! links: such a name is a button, which does nothing until the script is there.

use std::borrow::Cow;

use maud::{Markup, html};

use super::show::{is_live, prose};
use crate::Level;
use crate::audit::{Rule, Severity};
use crate::command::format::show::{Count, Size, counted, cut, shown};
use crate::command::model::{FindingGroup, FindingGroups, ReportedLink, Share, Summary};
use crate::command::readers::ReportReader;

/// Links that stand on the page as plain HTML.
pub const TOP: usize = 100;
/// Findings that stand below their rule, on the screen and on paper.
pub const EXAMPLES: usize = 20;
/// Rows of a chart. What hostile text makes up, such as schemes, does not make the page long.
const ROWS: usize = 25;
/// Columns of the chart of years.
const YEARS: usize = 60;
/// Characters of a URL there.
const WIDEST: usize = 160;

pub(super) fn banner(summary: &Summary) -> Markup {
    html! {
        a.skip href="#links" { "Skip to the links" }
        header {
            div.masthead {
                p.product { "urlgrep audit" }
                nav aria-label="Sections" {
                    a href="#findings" { "Findings" }
                    a href="#charts" { "Charts" }
                    a href="#links" { "Links" }
                }
                button #theme type="button" hidden {}
            }
            h1 { (counted(summary.urls, "link")) }
            p.lead { (lead(summary)) }
        }
    }
}

/// What the archive is, and what matters most about it, in two sentences.
fn lead(summary: &Summary) -> Markup {
    let of = |severity| summary.by_severity.get(&severity).copied().unwrap_or_default();
    let (critical, high) = (of(Severity::Critical), of(Severity::High));
    html! {
        "Found in " (counted(summary.occurrences, "place"))
        " of " (counted(summary.files, "file"))
        @if let Some((first, last)) = summary.dates {
            ", in messages from " (first) " to " (last)
        }
        ". "
        @if critical + high > 0 {
            strong {
                @if critical > 0 { (Count(critical)) " critical" }
                @if critical > 0 && high > 0 { " and " }
                @if high > 0 { (Count(high)) " high" }
                " " (if critical + high == 1 { "finding needs" } else { "findings need" }) " a look."
            }
        } @else {
            "Nothing critical or high was found in them."
        }
    }
}

pub(super) fn overview(summary: &Summary) -> Markup {
    let figures = [
        ("Distinct URLs", Count(summary.urls).to_string()),
        ("Places", Count(summary.occurrences).to_string()),
        ("Hosts", Count(summary.hosts).to_string()),
        ("Messages", Count(summary.messages).to_string()),
        ("Files", Count(summary.files).to_string()),
        ("Read", Size(summary.bytes).to_string()),
    ];
    html! {
        section #overview aria-label="Figures" {
            dl.figures {
                @for (name, figure) in figures { div { dt { (name) } dd { (figure) } } }
            }
        }
    }
}

pub(super) fn findings(summary: &Summary, groups: &FindingGroups<'_>) -> Markup {
    let ordered = groups.ordered();
    // For everybody the badges say what a heading would.
    let chapters = ordered.chunk_by(|(severity, rule, _), (other_severity, other, _)| {
        let heading = |severity, rule| groups.reader.heading(severity, rule);
        groups.reader == ReportReader::All || heading(*severity, *rule) == heading(*other_severity, *other)
    });
    html! {
        section #findings aria-labelledby="findings-title" {
            h2 #findings-title { "Findings" }
            @if ordered.is_empty() {
                p { "No rule fired." }
            } @else {
                ul.severities {
                    @for &severity in Severity::ALL.iter().rev() {
                        li {
                            (badge(severity)) " "
                            (pick("severity", severity.as_str(), &Count(
                                summary.by_severity.get(&severity).copied().unwrap_or_default()
                            ).to_string()))
                        }
                    }
                }
                @for chapter in chapters {
                    @if let Some((severity, rule, _)) = chapter.first().filter(|_| groups.reader != ReportReader::All) {
                        h3.chapter { (groups.reader.heading(*severity, *rule)) }
                    }
                    div.rules {
                        @for &(severity, rule, group) in chapter { (rule_details(severity, rule, group)) }
                    }
                }
            }
            @if !summary.refused.is_empty() {
                h3 { "What was refused, or could not be read" }
                table.chart {
                    thead { tr { th scope="col" { "Reason" } th.number scope="col" { "Times" } } }
                    tbody {
                        @for (name, count) in summary.refused.iter().take(ROWS) {
                            tr { th scope="row" { (shown(name.as_bytes())) } td.number { (Count(*count)) } }
                        }
                    }
                }
            }
        }
    }
}

fn rule_details(severity: Severity, rule: Rule, group: &FindingGroup<'_>) -> Markup {
    let examples = group.examples.iter().take(EXAMPLES);
    let more = group.findings - examples.len() as u64;
    html! {
        details #{ "rule-" (rule.id()) "-" (severity) } {
            summary {
                (badge(severity))
                " " code { (rule.id()) }
                " " span.fires { (prose(rule.fires_when())) }
                " " span.number { (Count(group.findings)) }
            }
            div.explained {
                p { (prose(rule.why())) }
                p { strong { "What to do: " } (prose(rule.remedy())) }
                ul.examples {
                    @for finding in examples {
                        li {
                            code { (cut(&shown(&finding.url), WIDEST)) }
                            " " span { (cut(&shown(finding.message.as_bytes()), WIDEST)) }
                            " " small { (shown(finding.first.file)) ", line " (Count(finding.first.line)) }
                        }
                    }
                    @if more > 0 { li { small { "and " (Count(more)) " more" } } }
                }
                p.screen { (pick("rule", rule.id(), "Show the links")) }
            }
        }
    }
}

/// A severity, which its word and its shape identify; the colour only helps.
fn badge(severity: Severity) -> Markup {
    html! { span class={ "badge " (severity) } { (severity) } }
}

pub(super) fn charts(summary: &Summary) -> Markup {
    let schemes = summary.by_scheme.iter().map(|(scheme, share)| {
        let row = ChartRow::new(shown(scheme.as_bytes()), numbers(share));
        if scheme.is_empty() { ChartRow { name: "no scheme".into(), ..row } } else { row }
    });
    let hosts = summary.by_host.iter().map(|(host, share)| ChartRow::new(shown(host.as_bytes()), numbers(share)));
    let errors = summary.by_error.iter().map(|(kind, share)| ChartRow::new(kind.as_str(), numbers(share)));
    let kinds = summary.by_kind.iter().map(|(kind, places)| ChartRow::new(kind.as_str(), [*places]));
    // All of them: that a level is empty says something.
    let levels = Level::ALL.iter().map(|&level| {
        let share = summary.by_level.iter().find(|(other, _)| *other == level).map(|(_, share)| *share);
        ChartRow { meaning: meaning(level), ..ChartRow::new(level.as_str(), numbers(&share.unwrap_or_default())) }
    });
    // What is no finding to people, and yet a figure.
    let figures = summary.by_figure.iter().map(|(rule, share)| ChartRow {
        // No filter: the page lists no finding of it.
        value: "".into(),
        meaning: rule.id(),
        ..ChartRow::new(rule.fires_when(), numbers(share))
    });
    let levels = levels.chain(figures);
    let (errors_len, schemes_len) = (summary.by_error.len(), summary.by_scheme.len());
    let levels_title = "Levels: the strictest grammar that a URL satisfies";
    html! {
        section #charts aria-labelledby="charts-title" {
            h2 #charts-title { "Charts" }
            (years(summary))
            div.grid {
                div {
                    (chart("Hosts", "Host", SHARE, "host", hosts, summary.hosts as usize))
                    (chart("Why URLs are not RFC 1738", "Error", SHARE, "error", errors, errors_len))
                }
                div {
                    (chart(levels_title, "Level", SHARE, "level", levels, 0))
                    (chart("Schemes", "Scheme", SHARE, "scheme", schemes, schemes_len))
                    (chart("How the text marks them", "Kind", ["Places"], "kind", kinds, 0))
                }
            }
        }
    }
}

/// A row of a chart. Its last number is drawn.
struct ChartRow<'r, const N: usize> {
    /// As a filter.
    value: Cow<'r, str>,
    name: Cow<'r, str>,
    meaning: &'static str,
    numbers: [u64; N],
}

impl<'r, const N: usize> ChartRow<'r, N> {
    fn new(name: impl Into<Cow<'r, str>>, numbers: [u64; N]) -> Self {
        let name = name.into();
        ChartRow { value: name.clone(), name, meaning: "", numbers }
    }
}

/// The headings of [`numbers`].
const SHARE: [&str; 2] = ["URLs", "Places"];

fn numbers(share: &Share) -> [u64; 2] {
    [share.urls, share.occurrences]
}

/// Names with their numbers and a bar for the last of these, those with most places first, and how many names there are.
fn chart<'r, const N: usize>(
    title: &str,
    column: &str,
    headings: [&str; N],
    key: &str,
    rows: impl Iterator<Item = ChartRow<'r, N>>,
    names: usize,
) -> Markup {
    let rows: Vec<_> = rows.take(ROWS).collect();
    let more = names.saturating_sub(rows.len());
    let places = |row: &ChartRow<'_, N>| row.numbers.last().copied().unwrap_or_default();
    let most = rows.iter().map(places).max().unwrap_or_default();
    html! {
        @if !rows.is_empty() {
            table.chart.levels[key == "level"] {
                caption { h3 { (title) } }
                thead {
                    tr {
                        th scope="col" { (column) }
                        td {}
                        @for heading in headings { th.number scope="col" { (heading) } }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr {
                            th scope="row" {
                                (pick(key, &row.value, &cut(&row.name, 60)))
                                @if !row.meaning.is_empty() { small { (row.meaning) } }
                            }
                            td { (bar(places(row), most)) }
                            @for number in row.numbers { td.number { (Count(number)) } }
                        }
                    }
                }
                @if more > 0 { tfoot { tr { td colspan="4" { "and " (Count(more as u64)) " more" } } } }
            }
        }
    }
}

/// A level in one line.
fn meaning(level: Level) -> &'static str {
    match level {
        Level::Rfc1738 => "a URL as RFC 1738 defines it",
        Level::Rfc1738Ref => "the same, with a #fragment",
        Level::Rfc3986 => "not RFC 1738, but a URI as RFC 3986 defines it",
        Level::Iri => "the same with letters beyond ASCII, RFC 3987",
        Level::None => "no URL by any of these",
    }
}

/// Columns by year. Years without a place are shown between others, as long as there are few; forged dates name years
/// from everywhere, and then only the fullest are left.
fn years(summary: &Summary) -> Markup {
    let (Some((&first, _)), Some((&last, _))) = (summary.by_year.first_key_value(), summary.by_year.last_key_value())
    else {
        return html! {};
    };
    let of = |year: i32| (year, summary.by_year.get(&year).copied().unwrap_or_default());
    let few = usize::try_from(i64::from(last) - i64::from(first)).is_ok_and(|years| years < YEARS);
    let columns: Vec<(i32, u64)> = if few { (first..=last).map(of).collect() } else { fullest(summary) };
    let most = columns.iter().map(|&(_, places)| places).max().unwrap_or_default();
    let left_out = summary.by_year.values().sum::<u64>() - columns.iter().map(|&(_, places)| places).sum::<u64>();
    html! {
        div.over-time {
            h3 #years-title { "Places by year" }
            ol.years aria-labelledby="years-title" {
                @for &(year, places) in &columns {
                    li class=[(year % 5 == 0).then_some("fifth")] {
                        button.pick type="button" disabled data-key="year" data-value=(year)
                            title=(format_args!("{year}: {}", counted(places, "place"))) {
                            svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true" {
                                @let height = percent(places, most);
                                rect width="1" y=(format_args!("{:.1}", 100.0 - height))
                                    height=(format_args!("{height:.1}")) {}
                            }
                            span.year { (year) }
                            span.places { ": " (counted(places, "place")) }
                        }
                    }
                }
            }
            p.note {
                @if summary.undated > 0 { (counted(summary.undated, "place")) " without a date. " }
                @if left_out > 0 { (counted(left_out, "place")) " in other years. " }
                "The fullest year has " (counted(most, "place")) "."
            }
        }
    }
}

/// The years with most places, in their order.
fn fullest(summary: &Summary) -> Vec<(i32, u64)> {
    let mut years: Vec<(i32, u64)> = summary.by_year.iter().map(|(&year, &places)| (year, places)).collect();
    years.sort_by_key(|&(year, places)| (std::cmp::Reverse(places), year));
    years.truncate(YEARS);
    years.sort_unstable();
    years
}

fn percent(part: u64, most: u64) -> f64 {
    if part == 0 {
        return 0.0;
    }
    // What is there can be seen, however little it is.
    (part as f64 * 100.0 / most as f64).max(0.8)
}

fn bar(part: u64, most: u64) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(format_args!("{:.1}", percent(part, most))) height="1" {}
        }
    }
}

/// A name that filters the list of links once the script is there; what has no value cannot be picked.
fn pick(key: &str, value: &str, name: &str) -> Markup {
    html! {
        @if value.is_empty() {
            (name)
        } @else {
            button.pick type="button" disabled data-key=(key) data-value=(value) { (name) }
        }
    }
}

/// The frame of the table that the script fills.
pub(super) fn table(summary: &Summary) -> Markup {
    let schemes: Vec<String> =
        summary.by_scheme.iter().take(200).map(|(scheme, _)| shown(scheme.as_bytes()).into_owned()).collect();
    let rules = summary.by_rule.keys().map(|rule| rule.id());
    let severities = Severity::ALL.iter().rev().map(|severity| severity.as_str());
    let levels = Level::ALL.iter().map(|level| level.as_str());
    let kinds = summary.by_kind.iter().map(|(kind, _)| kind.as_str());
    let errors = summary.by_error.iter().map(|(kind, _)| kind.as_str());
    html! {
        section #links.screen aria-labelledby="links-title" {
            h2 #links-title tabindex="-1" { "Links" }
            noscript {
                p { "Without JavaScript the most said links follow; with it, all of them can be searched and sorted." }
            }
            div #browser hidden {
                form #filters role="search" aria-label="Filter the links" {
                    label.wide {
                        "Search"
                        input name="text" type="search" placeholder="words of URL, host, subject, sender, file"
                            autocomplete="off" spellcheck="false";
                    }
                    (choice("Severity", "severity", severities))
                    (choice("Rule", "rule", rules))
                    (choice("Scheme", "scheme", schemes.iter().map(String::as_str).filter(|scheme| !scheme.is_empty())))
                    label { "Host" input name="host" type="search" autocomplete="off" spellcheck="false"; }
                    (choice("Level", "level", levels))
                    (choice("Error", "error", errors))
                    (choice("First marked as", "kind", kinds))
                    label hidden { "Checked" select name="status" { option value="" { "any" } } }
                    label.year { "From year" input name="from" type="number" inputmode="numeric"; }
                    label.year { "To year" input name="to" type="number" inputmode="numeric"; }
                    label.check { input name="found" type="checkbox"; "Only with findings" }
                    button type="reset" { "Clear" }
                }
                div.pager {
                    p #count role="status" {}
                    label.sort { "Sort by" select #sort {} }
                    label { "Rows" select #size {
                        @for size in [25, 50, 100, 250] { option selected[size == 50] { (size) } }
                    } }
                    nav aria-label="Pages" {
                        button #first type="button" { "First" }
                        button #previous type="button" { "Previous" }
                        button #next type="button" { "Next" }
                        button #last type="button" { "Last" }
                    }
                }
                div.scroll {
                    table #list { caption.hidden { "Links" } thead { tr {} } tbody {} }
                }
            }
        }
    }
}

fn choice<'a>(label: &str, name: &str, values: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        label {
            (label)
            select name=(name) {
                option value="" { "any" }
                @for value in values { option value=(value) { (cut(value, 40)) } }
            }
        }
    }
}

/// The links that stand on the page without a script, and on paper.
pub(super) fn top_links<'r>(summary: &Summary, links: impl IntoIterator<Item = ReportedLink<'r>>) -> Markup {
    let links: Vec<ReportedLink<'r>> = links.into_iter().take(TOP).collect();
    html! {
        section #top.plain aria-labelledby="top-title" {
            h2 #top-title {
                @if (links.len() as u64) < summary.urls { "The " (links.len()) " links that are said most" }
                @else { "All links, most said first" }
            }
            table.links {
                thead {
                    tr {
                        th scope="col" { "URL" }
                        th.number scope="col" { "Places" }
                        th scope="col" { "First" }
                        th scope="col" { "Last" }
                        th scope="col" { "Level" }
                        th scope="col" { "Findings" }
                    }
                }
                tbody { @for link in &links { (top_link(link)) } }
            }
        }
    }
}

fn top_link(link: &ReportedLink<'_>) -> Markup {
    let url = shown(&link.url);
    html! {
        tr {
            th.url scope="row" {
                @if is_live(link) {
                    a href=(url) rel="noopener noreferrer nofollow" { (cut(&url, WIDEST)) }
                } @else {
                    (cut(&url, WIDEST))
                }
            }
            td.number { (Count(link.count)) }
            @if let Some((first, last)) = link.dates {
                td.date { (first) }
                td.date { (last) }
            } @else {
                td {}
                td {}
            }
            td { (link.level) }
            td { @for rule in &link.rules { code { (rule) } " " } }
        }
    }
}

pub(super) fn footer() -> Markup {
    html! {
        footer {
            p {
                "Made by urlgrep " (env!("CARGO_PKG_VERSION")) ". This page is one file: it loads nothing, and visits no "
                "link by itself. Live are only links by http, https and ftp that are valid, hold no user name, and have "
                "no high or critical finding."
            }
        }
    }
}

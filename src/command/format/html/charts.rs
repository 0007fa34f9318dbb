//! The charts. A chart is a table with bars in it, so it needs no alternative text. Its names can
//! be picked as filters for the list of links. Such a name is a button, which does nothing until
//! the script runs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use maud::{Markup, html};
use urlgrep::{Kind, Level};

use super::show::{WIDEST, pick, prose};
use crate::command::format::show::{Count, counted, cut, shown};
use crate::command::model::{Day, DomainHistory, NamedHistory, Share, Spelling, Summary};

/// The most rows of a chart, besides the hosts below a domain. Hostile text can make up names, such
/// as schemes, and must not push the findings down.
pub(super) const ROWS: usize = 10;
/// The most columns of the chart of years.
const YEARS: usize = 60;

pub(super) fn charts(summary: &Summary) -> Markup {
    let schemes = summary.by_scheme.iter().map(|(scheme, share)| {
        let row = ChartRow::new(shown(scheme.as_bytes()), numbers(share));
        if scheme.is_empty() { ChartRow { name: "no scheme".into(), ..row } } else { row }
    });
    let hosts = summary.by_host.iter().map(|(host, share)| ChartRow::new(shown(host.as_bytes()), numbers(share)));
    let has_domains = !summary.history.domains.is_empty();
    let domains = summary.history.domains.iter().take(ROWS).flat_map(domain_rows);
    let errors = summary.by_error.iter().map(|(kind, share)| ChartRow::new(kind.as_str(), numbers(share)));
    let kinds = summary
        .by_kind
        .iter()
        .map(|(kind, places)| ChartRow { name: written_as(*kind).into(), ..ChartRow::new(kind.as_str(), [*places]) });
    // Empty levels are shown too, since the absence of a level from the archive is a result.
    let levels = Level::ALL.iter().map(|&level| {
        let share = summary.by_level.iter().find(|(other, _)| *other == level).map(|(_, share)| *share);
        ChartRow {
            name: standard(level).into(),
            meaning: meaning(level),
            ..ChartRow::new(level.as_str(), numbers(&share.unwrap_or_default()))
        }
    });
    // The findings of these rules are shown only as figures.
    let figures = summary.by_figure.iter().map(|(rule, share)| ChartRow {
        // A row without a value is not a filter: the page lists no findings of this rule.
        value: "".into(),
        meaning: rule.id(),
        ..ChartRow::new(rule.fires_when(), numbers(share))
    });
    let levels = levels.chain(figures);
    // A row without a value is not a filter: the list of links has no field for the page.
    let pages = summary.broken_by_page.iter().map(|(page, share)| ChartRow {
        value: "".into(),
        ..ChartRow::new(shown(page.as_bytes()), [share.occurrences, share.urls])
    });
    let broken_pages = summary.broken_pages as usize;
    let (errors_len, schemes_len) = (summary.by_error.len(), summary.by_scheme.len());
    let levels_title = "The strictest standard that URLs meet";
    html! {
        section #charts aria-labelledby="charts-title" {
            h2 #charts-title { "Charts" }
            (years(summary))
            div.grid {
                div {
                    @if has_domains {
                        (chart("Registrable domains and their hosts", "Domain", SHARE, "host", domains,
                            summary.history.domain_count as usize))
                    } @else {
                        (chart("Hosts", "Host", SHARE, "host", hosts, summary.hosts as usize))
                    }
                    (chart("How URLs are written", "Written as", ["Places"], "kind", kinds, 0))
                    (chart("Pages with broken links", "Page", ["Places", "Broken links"], "", pages, broken_pages))
                }
                div {
                    (chart(levels_title, "Standard", SHARE, "level", levels, 0))
                    (chart("Schemes", "Scheme", SHARE, "scheme", schemes, schemes_len))
                    (chart("Why URLs are not RFC 1738", "Error", SHARE, "error", errors, errors_len))
                }
            }
            (spellings(summary))
        }
    }
}

/// Returns the table of URLs that are written in several ways, with their spellings.
fn spellings(summary: &Summary) -> Markup {
    let shown_url = |url: &str| cut(&shown(url.as_bytes()), WIDEST).into_owned();
    let more = summary.spelled_urls.saturating_sub(summary.spellings.len() as u64);
    html! {
        @if !summary.spellings.is_empty() {
            table.chart {
                caption { h3 { "URLs that are written in several ways" } }
                thead { tr { th scope="col" { "URL" } th scope="col" { "Written" } th.number scope="col" { "Places" } } }
                tbody {
                    @for spelled in &summary.spellings {
                        tr {
                            th scope="row" { code { (shown_url(&spelled.url)) } }
                            td {
                                @for Spelling { url, occurrences } in &spelled.spellings {
                                    code { (shown_url(url)) } " " small { (Count(*occurrences)) } br;
                                }
                                @let left_out = spelled.count - spelled.spellings.len() as u64;
                                @if left_out > 0 { small { "and in " (Count(left_out)) " other ways" } }
                            }
                            td.number { (Count(spelled.occurrences)) }
                        }
                    }
                }
                @if more > 0 { tfoot { tr { td colspan="3" { "and " (Count(more)) " more" } } } }
            }
        }
    }
}

/// A row of a chart. Its bar shows the last number.
struct ChartRow<'r, const N: usize> {
    /// The value of the filter; empty if there is none.
    value: Cow<'r, str>,
    name: Cow<'r, str>,
    meaning: &'static str,
    numbers: [u64; N],
    /// Whether the row is a part of the row above, and not a name of its own.
    is_part: bool,
}

impl<'r, const N: usize> ChartRow<'r, N> {
    fn new(name: impl Into<Cow<'r, str>>, numbers: [u64; N]) -> Self {
        let name = name.into();
        ChartRow { value: name.clone(), name, meaning: "", numbers, is_part: false }
    }
}

/// The headings of [`numbers`].
const SHARE: [&str; 2] = ["URLs", "Places"];

fn numbers(share: &Share) -> [u64; 2] {
    [share.urls, share.occurrences]
}

/// Returns a chart of names with their numbers, and a bar for the last number. Rows come in the
/// given order. `names` is the number of all names.
fn chart<'r, const N: usize>(
    title: &str,
    column: &str,
    headings: [&str; N],
    key: &str,
    rows: impl Iterator<Item = ChartRow<'r, N>>,
    names: usize,
) -> Markup {
    // Hostile text can make up any number of names, so the rows are cut before they are collected.
    let rows: Vec<_> = rows.take(ROWS * (2 + PARTS)).collect();
    let shown_names = rows.iter().filter(|row| !row.is_part).count().min(ROWS);
    let more = names.saturating_sub(shown_names);
    let mut left = ROWS;
    let rows: Vec<_> = rows
        .into_iter()
        .take_while(|row| {
            let has_room = row.is_part || left > 0;
            left = left.saturating_sub(usize::from(!row.is_part));
            has_room
        })
        .collect();
    let places = |row: &ChartRow<'_, N>| row.numbers.last().copied().unwrap_or_default();
    let scale = Scale::of(rows.iter().filter(|row| !row.is_part).map(places));
    let counts = headings.last().copied().unwrap_or_default().to_lowercase();
    html! {
        @if !rows.is_empty() {
            table.chart.levels[key == "level"].hosts[key == "host"] {
                caption {
                    h3 { (title) }
                    @if scale.most > 0 {
                        small { "A bar's length is its number of " (counts) "; the longest is " (Count(scale.most)) "." }
                    }
                }
                thead {
                    tr {
                        th scope="col" { (column) }
                        td {}
                        @for heading in headings { th.number scope="col" { (heading) } }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr.part[row.is_part] {
                            th scope="row" {
                                (pick(key, &row.value, &cut(&row.name, 60)))
                                @if !row.meaning.is_empty() { small { (prose(row.meaning)) } }
                            }
                            td { (bar(places(row), scale)) }
                            @for number in row.numbers { td.number { (Count(number)) } }
                        }
                    }
                }
                @if more > 0 { tfoot { tr { td colspan="4" { "and " (Count(more as u64)) " more" } } } }
            }
        }
    }
}

/// Returns the meaning of a level in one line.
fn meaning(level: Level) -> &'static str {
    match level {
        Level::Rfc1738 => "a URL as RFC 1738 defines it",
        Level::Rfc1738Ref => "the same, with a #fragment",
        Level::Rfc3986 => "not RFC 1738, but a URI as RFC 3986 defines it",
        Level::Iri => "the same with non-ASCII letters, RFC 3987",
        _ => "not a URL in any of these",
    }
}

/// The most hosts to show per domain.
const PARTS: usize = 3;

/// Returns the row of a domain, and the rows of its hosts with the most places. The last row sums
/// the other hosts. A domain with one host has only the host's row.
fn domain_rows(domain: &DomainHistory) -> Vec<ChartRow<'_, 2>> {
    let DomainHistory { whole, hosts } = domain;
    let row = |named: &NamedHistory| ChartRow::new(shown(named.name.as_bytes()).into_owned(), numbers(&named.share));
    if let [host] = &hosts[..] {
        return vec![row(host)];
    }
    let all = ChartRow { value: format!("*.{}", shown(whole.name.as_bytes())).into(), ..row(whole) };
    let parts = hosts.iter().take(PARTS).map(|host| ChartRow { is_part: true, ..row(host) });
    let mut rows: Vec<_> = std::iter::once(all).chain(parts).collect();
    if let Some(rest) = hosts.get(PARTS..).filter(|rest| !rest.is_empty()) {
        let mut share = Share::default();
        rest.iter().for_each(|host| share.add(host.share));
        let name = format!("{} more", Count(rest.len() as u64));
        rows.push(ChartRow { value: "".into(), is_part: true, ..ChartRow::new(name, numbers(&share)) });
    }
    rows
}

/// The linear scale from numbers to lengths.
#[derive(Clone, Copy)]
struct Scale {
    most: u64,
}

impl Scale {
    fn of(numbers: impl Iterator<Item = u64>) -> Scale {
        Scale { most: numbers.max().unwrap_or_default() }
    }

    fn percent(self, part: u64) -> f64 {
        if part == 0 {
            return 0.0;
        }
        let of = part as f64 / self.most.max(part) as f64;
        // A small number must not have an invisible bar.
        (100.0 * of).max(0.8)
    }
}

/// Returns the standard that a level stands for.
pub(super) fn standard(level: Level) -> &'static str {
    match level {
        Level::Rfc1738 => "RFC 1738",
        Level::Rfc1738Ref => "RFC 1738 with #",
        Level::Rfc3986 => "RFC 3986",
        Level::Iri => "RFC 3987",
        _ => "none",
    }
}

/// Returns in words how a text delimits a URL.
pub(super) fn written_as(kind: Kind) -> &'static str {
    match kind {
        Kind::Wrapped => "<URL:…>",
        Kind::Angle => "<…>",
        Kind::Prefixed => "URL:…",
        Kind::Bare => "in running text",
        _ => "link of HTML",
    }
}

/// Returns the chart of years from 1970 to the audit; places with other dates are listed
/// separately. It includes years without a place if all years fit. Otherwise it has only the years
/// with the most places.
fn years(summary: &Summary) -> Markup {
    let until = summary.history.until.map_or(9999, |day| i32::from(day.year));
    let is_possible = |year: &i32| (Day::FIRST_YEAR..=until).contains(year);
    let possible: BTreeMap<i32, u64> =
        summary.by_year.iter().filter(|(year, _)| is_possible(year)).map(|(&year, &places)| (year, places)).collect();
    let forged: Vec<(i32, u64)> =
        summary.by_year.iter().filter(|(year, _)| !is_possible(year)).map(|(&year, &places)| (year, places)).collect();
    let of = |year: i32| (year, possible.get(&year).copied().unwrap_or_default());
    let columns: Vec<(i32, u64)> = match (possible.first_key_value(), possible.last_key_value()) {
        (Some((&first, _)), Some((&last, _))) if ((last - first) as usize) < YEARS => (first..=last).map(of).collect(),
        _ => fullest(&possible),
    };
    if columns.is_empty() && forged.is_empty() {
        return html! {};
    }
    let scale = Scale::of(columns.iter().map(|&(_, places)| places));
    let sum = |years: &[(i32, u64)]| years.iter().map(|&(_, places)| places).sum::<u64>();
    let left_out = possible.values().sum::<u64>() - sum(&columns);
    html! {
        div.over-time {
            h3 #years-title { "Places by year" }
            ol.years aria-labelledby="years-title" {
                @for &(year, places) in &columns {
                    li class=[(year % 5 == 0).then_some("fifth")] {
                        button.pick type="button" disabled data-key="year" data-value=(year)
                            title=(format_args!("{year}: {}", counted(places, "place"))) {
                            svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true" {
                                @let height = scale.percent(places);
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
                @if scale.most > 0 {
                    "A column's height is its number of places; the highest has " (Count(scale.most)) "."
                }
            }
            @if !forged.is_empty() {
                p.note.forged {
                    (counted(sum(&forged), "place")) " with a date before " (Day::FIRST_YEAR) " or after the audit: "
                    @for (at, &(year, places)) in forged.iter().take(FORGED).enumerate() {
                        @if at > 0 { ", " }
                        (pick("year", &year.to_string(), &year.to_string())) " (" (Count(places)) ")"
                    }
                    @if forged.len() > FORGED { ", and " (Count((forged.len() - FORGED) as u64)) " other years" }
                    "."
                }
            }
        }
    }
}

/// The most impossible years to list.
const FORGED: usize = 8;

/// Returns the years with the most places, in the order of time.
fn fullest(years: &BTreeMap<i32, u64>) -> Vec<(i32, u64)> {
    let mut years: Vec<(i32, u64)> = years.iter().map(|(&year, &places)| (year, places)).collect();
    years.sort_by_key(|&(year, places)| (std::cmp::Reverse(places), year));
    years.truncate(YEARS);
    years.sort_unstable();
    years
}

fn bar(part: u64, scale: Scale) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(format_args!("{:.1}", scale.percent(part))) height="1" {}
        }
    }
}

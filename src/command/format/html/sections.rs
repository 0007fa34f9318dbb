//! The parts of the page that need no script: figures, rules, and the links with the most places.
//! The frame of the list is here too.

use maud::{Markup, html};
use urlgrep::Level;
use urlgrep::audit::{Rule, Severity};

use super::charts::{ROWS, standard, written_as};
use super::show::{Ran, WIDEST, is_live, pick, prose};
use crate::command::format::show::{CLEAN, Count, Size, counted, cut, gaps, shown};
use crate::command::model::{CheckedLinks, FindingGroup, FindingGroups, ReportedLink, Summary};
use crate::command::readers::ReportReader;

/// The most links that the page holds.
pub(crate) const MOST: usize = 100_000;
/// The number of links that the page has as plain HTML.
pub(crate) const TOP: usize = 100;
/// The most findings listed below their rule, on the screen and on paper.
pub(crate) const EXAMPLES: usize = 20;

pub(super) fn banner(ran: &Ran<'_>, summary: &Summary) -> Markup {
    html! {
        a.skip href="#links" { "Skip to the links" }
        header {
            div.masthead {
                p.product { "urlgrep audit" }
                nav aria-label="Sections" {
                    a href="#charts" { "Charts" }
                    a href="#findings" { "Findings" }
                    a href="#links" { "Links" }
                }
                button #theme type="button" hidden {}
            }
            h1 { (counted(summary.urls, "link")) }
            p.lead { (lead(summary)) }
            dl.ran {
                @if !ran.command.is_empty() { div { dt { "Command" } dd { code { (shown(ran.command.as_bytes())) } } } }
                @if !ran.folder.is_empty() { div { dt { "Folder" } dd { code { (shown(ran.folder)) } } } }
                @if let Some(configuration) = &summary.configuration {
                    div { dt { "Settings" } dd { code { (shown(configuration.to_string().as_bytes())) } } }
                }
                @if !ran.date.is_empty() { div { dt { "Date" } dd { (ran.date) } } }
                div { dt { "Version" } dd { "urlgrep " (env!("CARGO_PKG_VERSION")) } }
            }
        }
    }
}

/// Returns a few sentences on the size of the archive, and on what matters most about it.
fn lead(summary: &Summary) -> Markup {
    let of = |severity| summary.by_severity.get(&severity).copied().unwrap_or_default();
    // If the day of the audit is known, impossible dates are excluded.
    let dates = if summary.history.until.is_some() { summary.history.dates } else { summary.dates };
    let (critical, high) = (of(Severity::Critical), of(Severity::High));
    html! {
        "Found in " (counted(summary.occurrences, "place"))
        " of " (counted(summary.files, "file"))
        @if let Some((first, last)) = dates {
            ", in messages from " (first) " to " (last)
        }
        ". "
        @if critical + high > 0 {
            a href="#findings" {
                @if critical > 0 { (Count(critical)) " critical" }
                @if critical > 0 && high > 0 { " and " }
                @if high > 0 { (Count(high)) " high" }
                " " (if critical + high == 1 { "finding needs" } else { "findings need" }) " a look."
            }
        } @else {
            "No finding is critical or high."
        }
        @if let Some(CheckedLinks { asked, broken, outcomes }) = summary.checked() {
            " " (Count(broken)) " of " (counted(asked, "link")) " that were checked are broken"
            @for (number, (name, count)) in outcomes.iter().enumerate() {
                (if number == 0 { ": " } else { ", " }) (Count(*count)) " " (name.replace('-', " "))
            }
            "."
        }
        @if let Some(gaps) = gaps(summary) { " " (gaps) }
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

pub(super) fn findings(ran: &Ran<'_>, summary: &Summary, groups: &FindingGroups<'_>) -> Markup {
    let rules = by_rule(groups);
    let heading = |of_rule: &OfRule<'_>| groups.reader.heading(of_rule[0].0, of_rule[0].1);
    // For a reader without chapters, the badges replace the headings.
    let has_chapters = groups.reader != ReportReader::All;
    let chapters = rules.chunk_by(|of_rule, next| !has_chapters || heading(of_rule) == heading(next));
    html! {
        section #findings aria-labelledby="findings-title" {
            h2 #findings-title { "Findings" }
            @if rules.is_empty() {
                p {
                    "No rule fired."
                    @if let Some(gaps) = gaps(summary) { " " (gaps) }
                    " " (CLEAN)
                }
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
                    @if has_chapters { h3.chapter { (heading(&chapter[0])) } }
                    div.rules { @for of_rule in chapter { (rule_details(ran, of_rule)) } }
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

/// The findings of one rule by severity, at least one.
type OfRule<'g> = Vec<(Severity, Rule, &'g FindingGroup<'g>)>;

/// Returns the findings by rule. A rule stands where its first severity does.
fn by_rule<'g>(groups: &'g FindingGroups<'g>) -> Vec<OfRule<'g>> {
    let mut rules: Vec<OfRule<'g>> = Vec::new();
    for group in groups.ordered() {
        match rules.iter_mut().find(|of_rule| of_rule[0].1 == group.1) {
            Some(of_rule) => of_rule.push(group),
            None => rules.push(vec![group]),
        }
    }
    rules
}

fn rule_details(ran: &Ran<'_>, of_rule: &OfRule<'_>) -> Markup {
    let rule = of_rule[0].1;
    let examples = of_rule.iter().flat_map(|(.., group)| &group.examples).take(EXAMPLES);
    let findings: u64 = of_rule.iter().map(|(.., group)| group.findings).sum();
    let more = findings - examples.clone().count() as u64;
    html! {
        details #{ "rule-" (rule.id()) } {
            summary {
                span.severity { @for (severity, ..) in of_rule { (badge(*severity)) " " } }
                " " code { (rule.id()) }
                " " span.fires { (prose(rule.fires_when())) }
                " " span.number {
                    @for (at, (.., group)) in of_rule.iter().enumerate() {
                        @if at > 0 { br; }
                        (Count(group.findings))
                        @if group.new > 0 { ", " strong.new { (Count(group.new)) " new" } }
                    }
                }
            }
            div.explained {
                p { (prose(rule.why())) }
                p { strong { "What to do: " } (prose(rule.remedy())) }
                ul.examples {
                    @for finding in examples {
                        li {
                            @if of_rule.len() > 1 { (badge(finding.severity)) " " }
                            @if finding.is_new == Some(true) { strong.new { "new" } " " }
                            code { (cut(&shown(&finding.url), WIDEST)) }
                            " " span { (cut(&shown(finding.message.as_bytes()), WIDEST)) }
                            " " small { (shown(ran.below(finding.first.file))) ", line " (Count(finding.first.line)) }
                        }
                    }
                    @if more > 0 { li { small { "and " (Count(more)) " more" } } }
                }
                p.screen { (pick("rule", rule.id(), "Show the links")) }
            }
        }
    }
}

/// Returns the badge of a severity. Its word and its shape identify it, and the colour only helps.
fn badge(severity: Severity) -> Markup {
    html! { span class={ "badge " (severity) } { (severity) } }
}

/// Returns the frame of the table that the script fills.
pub(super) fn table(summary: &Summary) -> Markup {
    // Hostile text can make up any number of schemes.
    let schemes: Vec<String> =
        summary.by_scheme.iter().take(200).map(|(scheme, _)| shown(scheme.as_bytes()).into_owned()).collect();
    let rules = summary.by_rule.keys().map(|rule| rule.id());
    let severities = Severity::ALL.iter().rev().map(|severity| severity.as_str());
    let same = |value| (value, value);
    let levels = Level::ALL.iter().map(|&level| (level.as_str(), standard(level)));
    let kinds = summary.by_kind.iter().map(|(kind, _)| (kind.as_str(), written_as(*kind)));
    let errors = summary.by_error.iter().map(|(kind, _)| same(kind.as_str()));
    html! {
        section #links.screen aria-labelledby="links-title" {
            h2 #links-title tabindex="-1" { "Links" }
            noscript {
                p { "Without JavaScript the page lists only the most frequent links. With JavaScript you can search and sort all of them." }
            }
            @if summary.urls > MOST as u64 {
                p { "The page holds " (Count(MOST as u64)) " of " (Count(summary.urls))
                    " links: the worst, and among equally bad ones those with the most places. The other formats have all links." }
            }
            div #browser hidden {
                form #filters role="search" aria-label="Filter the links" {
                    label.wide {
                        "Search"
                        input name="text" type="search" placeholder="words of URL, host, subject, sender, file"
                            autocomplete="off" spellcheck="false";
                    }
                    (choice("Severity", "severity", severities.map(same)))
                    (choice("Rule", "rule", rules.map(same)))
                    (choice("Scheme", "scheme", schemes.iter().map(String::as_str).filter(|scheme| !scheme.is_empty()).map(same)))
                    label { "Host" input name="host" type="search" placeholder="name, or *.name" autocomplete="off" spellcheck="false"; }
                    (choice("Standard", "level", levels))
                    (choice("Why not RFC 1738", "error", errors))
                    (choice("Written as", "kind", kinds))
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
                    div.out {
                        button #copy type="button" { "Copy URLs" }
                        button #csv type="button" { "Save CSV" }
                    }
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

fn choice<'a>(label: &str, name: &str, values: impl Iterator<Item = (&'a str, &'a str)>) -> Markup {
    html! {
        label {
            (label)
            select name=(name) {
                option value="" { "any" }
                @for (value, words) in values { option value=(value) { (cut(words, 40)) } }
            }
        }
    }
}

/// Returns the links that the page shows without a script, and on paper.
pub(super) fn top_links<'r>(summary: &Summary, links: impl IntoIterator<Item = ReportedLink<'r>>) -> Markup {
    let links: Vec<ReportedLink<'r>> = links.into_iter().take(TOP).collect();
    html! {
        section #top.plain aria-labelledby="top-title" {
            h2 #top-title {
                @if (links.len() as u64) < summary.urls { "The " (links.len()) " most frequent links" }
                @else { "All links, most frequent first" }
            }
            table.links {
                thead {
                    tr {
                        th scope="col" { "URL" }
                        th.number scope="col" { "Places" }
                        th scope="col" { "First" }
                        th scope="col" { "Last" }
                        th scope="col" { "Standard" }
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
            td { (standard(link.level)) }
            td { @for rule in &link.rules { code { (rule) } " " } }
        }
    }
}

pub(super) fn footer() -> Markup {
    html! {
        footer {
            p {
                "Made by urlgrep " (env!("CARGO_PKG_VERSION")) ". This page is one file: it loads nothing, and opens no "
                "link by itself. Only links by http, https and ftp can be clicked, and only if they are valid, hold no user "
                "name, and have no high or critical finding."
            }
        }
    }
}

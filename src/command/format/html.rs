//! The audit as a page to look at: one HTML file that needs nothing else, [written](fn@write) as a stream.
//!
//! | file | |
//! |---|---|
//! | `html.rs` | the document: its frame, and the order of its sections |
//! | `html/sections.rs` | the figures, rules and the list that needs no script |
//! | `html/charts.rs` | the charts |
//! | `html/data.rs` | every link and finding as JSON, for the table that the script draws |
//! | `html/show.rs` | what is text, what is a live link |
//! | `html/report.css`, `html/report.js` | the looks; sorting, filtering and paging |
//!
//! # What it can do to its reader
//!
//! Archives hold hostile text, and this page is where people look at it, so it has three walls. All text is shown with
//! its control and direction-changing characters [visible](urlgrep::report::escape), and passes through a template
//! that escapes whatever it is given. The script builds elements and sets their text; it never parses markup. And a
//! Content-Security-Policy allows the one script and the one style sheet by their hashes and nothing else: no network,
//! no image, no frame, no form. A URL becomes a live link only if a grammar accepts it, its scheme is http, https or
//! ftp, it holds no user name, and no rule finds it dangerous; the page visits none by itself.
//!
//! The same report of the same minute gives the same bytes; `SOURCE_DATE_EPOCH` stops the clock.
//!
//! # Size
//!
//! The page without links takes some 45 kB. A link takes about 120 bytes beside its URL and host, its context about 200
//! more, a further place about 30, a message about 100 and its headers, a finding about 50 and its text.
//! A browser loads 100,000 links in about a second and filters them in 20 ms (Chromium 156 on two cores, November 2026). They come in blocks, so no string grows
//! with the report. Of more links the page holds the worst, and of those as bad the ones with most places, and says so.

mod charts;
mod data;
mod sections;
mod show;

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

pub(crate) use sections::{EXAMPLES, MOST, TOP};
use sha2::{Digest, Sha256};
pub(crate) use show::Ran;

use super::show::Count;
use crate::command::model::{FindingGroups, ReportedFinding, ReportedLink, Summary};

const STYLE: &str = include_str!("html/report.css");
const SCRIPT: &str = include_str!("html/report.js");

/// Writes the page.
///
/// `groups` are the findings, with at most [`EXAMPLES`] of each shown below their rule.
/// `top` are the links that stand on it where no script runs, and on paper: [`TOP`] of them, those with most places first.
/// `links` are at most [`MOST`] of them, in the order in which they are shown, which [`ReportedFinding::link`] counts.
pub(crate) fn write<'r>(
    ran: &Ran<'_>,
    summary: &Summary,
    groups: &FindingGroups<'_>,
    top: impl IntoIterator<Item = ReportedLink<'r>>,
    links: impl IntoIterator<Item = ReportedLink<'r>>,
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    mut out: impl Write,
) -> io::Result<()> {
    let mut put = |markup: Markup| out.write_all(markup.into_string().as_bytes());
    put(head(summary))?;
    // What maud opens it also closes, so the elements around a stream are written by hand.
    put(PreEscaped("<body>".into()))?;
    put(sections::banner(ran, summary))?;
    put(PreEscaped("<main>".into()))?;
    put(sections::overview(summary))?;
    put(sections::findings(ran, summary, groups))?;
    put(charts::charts(summary))?;
    put(sections::table(summary))?;
    put(sections::top_links(summary, top))?;
    put(PreEscaped("</main>".into()))?;
    put(sections::footer())?;
    data::write(ran.folder, links, findings, &mut out)?;
    out.write_all(html! { script { (PreEscaped(SCRIPT)) } }.into_string().as_bytes())?;
    out.write_all(b"</body></html>\n")
}

fn head(summary: &Summary) -> Markup {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    html! {
        (DOCTYPE)
        (PreEscaped(r#"<html lang="en">"#))
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="referrer" content="no-referrer";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="generator" content=(concat!("urlgrep ", env!("CARGO_PKG_VERSION")));
            title { "Link audit: " (Count(summary.urls)) " URLs" }
            style { (PreEscaped(STYLE)) }
        }
    }
}

/// The source expression by which a policy allows an inline script or style sheet: the hash of its text.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests;

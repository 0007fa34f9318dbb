//! The audit as a page: one HTML file that needs no other file, [written](fn@write) as a stream.
//!
//! | file | |
//! |---|---|
//! | `html.rs` | the document: its frame, and the order of its sections |
//! | `html/sections.rs` | the figures, rules and the list that needs no script |
//! | `html/charts.rs` | the charts |
//! | `html/data.rs` | every link and finding as JSON, for the table of the script |
//! | `html/show.rs` | the choice between text and live links |
//! | `html/report.css`, `html/report.js` | the style; sorting, filtering and paging |
//!
//! # Protection of the reader
//!
//! Archives hold hostile text, and people open this page to look at that text. So the page has
//! three defences:
//!
//! 1. All text is shown with its control and direction-changing characters
//!    [visible](urlgrep::report::escape). It passes through a template that escapes everything.
//! 2. The script builds elements and sets their text; it never parses markup.
//! 3. A Content-Security-Policy allows only the one script and the one style sheet, by their
//!    hashes. It allows no network, no image, no frame and no form.
//!
//! A URL becomes a live link only under five conditions. A grammar accepts it, and its scheme is
//! http, https or ftp. It has no user name, and no rule of high or critical severity fires on it.
//! Escaping for display does not change it. The page itself visits no link.
//!
//! Equal reports within one minute give the same bytes; `SOURCE_DATE_EPOCH` fixes the date.
//!
//! # Size
//!
//! The page without links has some 45 kB. Each of these adds to it:
//!
//! - a link: about 120 bytes, its URL and its host
//! - its context: about 200 bytes
//! - a further place: about 30 bytes
//! - a message: about 100 bytes and its headers
//! - a finding: about 50 bytes and its text
//!
//! A browser loads 100,000 links in about a second, and filters them in 20 ms. (Measured with
//! Chromium 156 on two cores, November 2026.) Links come in blocks, so no string grows with the
//! report. If there are more than 100,000 links, the page holds the worst, and has a note. Among
//! equally bad links, it holds those with the most places.

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
/// - `groups` are the findings by severity and rule. At most [`EXAMPLES`] of each group are shown
///   below their rule.
/// - `top` are the links for readers without scripts, and for paper: the [`TOP`] links with the
///   most places.
/// - `links` are at most [`MOST`] links, in the order of display. [`ReportedFinding::link`] is an
///   index into this order.
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
    // maud closes every element that it opens, so the elements around a stream are written by hand.
    put(PreEscaped("<body>".into()))?;
    put(sections::banner(ran, summary))?;
    put(PreEscaped("<main>".into()))?;
    put(sections::overview(summary))?;
    put(charts::charts(summary))?;
    put(sections::findings(ran, summary, groups))?;
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

/// Returns the source expression by which a policy allows an inline script or style sheet. It is
/// the hash of the text.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests;

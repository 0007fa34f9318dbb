//! Audits a file in memory as the command does, in every format.

use std::ops::ControlFlow;

use bstr::BStr;
use urlgrep::Extractor;
use urlgrep::archive::OpenOptions;
use urlgrep::audit::Severity;

use crate::command::format::text::TextReport;
use crate::command::format::{csv, github, html, ioc, json, junit, sarif, urls};
use crate::command::{Ledger, ReadCounts, Recorder, ReportOptions, Sources};

/// The formats, by name.
pub const FORMATS: [&str; 10] = ["text", "html", "json", "jsonl", "csv", "sarif", "urls", "github", "junit", "ioc"];

/// Audits a file, and returns its report in each of the [formats](FORMATS).
pub fn audit(file: &[u8], name: &[u8]) -> [Vec<u8>; 10] {
    let recorder = Recorder::new().context(true).messages(true);
    let mut ledger = Ledger::new(recorder.clone(), None).keep_places(true);
    let extractor = Extractor::builder().line_numbers(true).build();
    let visited = OpenOptions::new().each(&mut &*file, name, |path, entry| {
        let Ok(entry) = entry else { return Ok(ControlFlow::Continue(())) };
        let container = entry.container();
        let name = [name, path].concat();
        if container.has_documents() {
            let deliver = |sheet| {
                ledger.take(&name, &sheet);
                Ok(ControlFlow::Continue(()))
            };
            let _ = extractor.documents(entry, container, 0..u64::MAX, || recorder.sheet(), deliver);
        } else {
            let mut sheet = recorder.sheet();
            let mut stream = extractor.of_container(container).stream(entry);
            while let Ok(Some(found)) = stream.next() {
                urlgrep::Sink::add(&mut sheet, &found);
            }
            ledger.take(&name, &sheet);
        }
        Ok(ControlFlow::Continue(()))
    });
    drop(visited);
    let report = ledger.close(ReportOptions { top: 10, ..ReportOptions::default() }, ReadCounts::default());
    let (summary, groups) = (report.summary(), report.groups(html::EXAMPLES));
    let order = report.worst_first(html::MOST);
    let links = || order.iter().filter_map(|&at| report.link_at(at));
    let ran = html::Ran { command: "urlgrep audit".to_owned(), date: "2026-11-26".to_owned(), folder: BStr::new("") };
    FORMATS.map(|format| {
        let mut out = Vec::new();
        match format {
            "text" => TextReport { top: 10, width: Some(80), color: false }.write(
                summary,
                report.top_links(10),
                &groups,
                &mut out,
            ),
            "html" => html::write(&ran, summary, &groups, report.top_links(10), links(), report.findings(), &mut out),
            "json" => json::write(summary, report.links(), report.findings(), &mut out),
            "jsonl" => json::write_lines(report.findings(), &mut out),
            "csv" => csv::write(report.findings(), false, &mut out),
            "sarif" => sarif::write(None, report.findings(), 0, Sources::new("/nowhere".as_ref()), &mut out),
            "github" => github::write(None, report.findings(), Sources::new("/nowhere".as_ref()), &mut out),
            "junit" => junit::write(None, || report.findings(), Severity::Low, &mut out),
            "ioc" => ioc::write(report.links(), report.findings(), false, &mut out),
            _ => urls::write(report.whole_links(), report.other_readings(), &mut out),
        }
        .expect("writing to memory");
        out
    })
}

/// Returns the text cells of an attached database, and whether they are all.
pub fn cells(database: &[u8]) -> (Vec<u8>, bool) {
    crate::command::cells::attached(database)
}

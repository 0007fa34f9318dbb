//! `urlgrep audit`: what is found is booked, and told when all is read.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use urlgrep::audit::{Ledger, Pad, Report, Sheet};
use urlgrep::report::audit::text::TextReport;
use urlgrep::report::audit::{csv, html, json, sarif, urls};
use urlgrep::{Batch, Match, Stats};

use super::args::{ReportFormat, When};
use super::exit::Status;
use super::out::{Finish, Out};
use super::plan::{self, AuditPlan};
use super::search::{Clerk, Desk, File, Run};

/// On one thread a sheet is booked when it has this size.
const SHEET_BYTES: usize = 256 * 1024;

/// Runs an audit.
pub(crate) fn run(plan: &AuditPlan, out: &mut Out) -> Status {
    let pad = Pad::new().context(plan.format == ReportFormat::Html).letters(plan.checked.is_some());
    let bookkeeper = Bookkeeper { plan, pad: pad.clone() };
    let ledger = Ledger::new(pad, plan.checked.clone());
    let mut run = Run::new(&plan.search, &bookkeeper, Auditor { plan, ledger, out });
    run.search_all();
    let Run { totals, desk: Auditor { ledger, out, .. }, .. } = run;
    let report = ledger.close(plan.report.clone(), totals.of_audit());
    let has_failed = plan.fail_on.is_some_and(|least| report.summary().by_severity.range(least..).next().is_some());
    let _ = write(plan, &report, out);
    let finish = out.finish();
    if plan.stats {
        out.say_plain(&totals.report(report.summary().occurrences));
    }
    match finish {
        Finish::Failed => Status::Error,
        Finish::BrokenPipe | Finish::Fine => Status::of(!has_failed, false, false),
    }
}

/// Tells what is looked for.
pub(crate) fn rules(out: &mut Out) -> Status {
    let mut text = Vec::new();
    let written = TextReport::new().width(out.width()).color(plan::is_colored(When::Auto, out)).write_rules(&mut text);
    let _ = written.map(|()| out.print(&text));
    Status::of(true, out.finish() == Finish::Failed, false)
}

fn write(plan: &AuditPlan, report: &Report, out: &mut Out) -> io::Result<()> {
    // Many of the pieces that they write are a few bytes long.
    let mut out = io::BufWriter::with_capacity(64 << 10, Printer(out));
    let (summary, links, findings) = (report.summary(), report.links(), report.findings());
    match plan.format {
        ReportFormat::Text => {
            let text = TextReport::new().top(plan.top).width(plan.width).color(plan.color);
            text.write(summary, report.top_links(plan.top), findings, &mut out)
        }
        ReportFormat::Json => json::write(summary, links, findings, &mut out),
        ReportFormat::Jsonl => json::write_lines(findings, &mut out),
        ReportFormat::Csv => csv::write(findings, &mut out),
        ReportFormat::Html => html::write(summary, report.top_links(html::TOP), links, findings, &mut out),
        ReportFormat::Sarif => sarif::write(findings, &mut out),
        ReportFormat::Urls => urls::write(links, &mut out),
    }?;
    out.flush()
}

/// Standard output as the formats write to it.
struct Printer<'o>(&'o mut Out);

impl Write for Printer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.print(bytes) {
            ControlFlow::Continue(()) => Ok(bytes.len()),
            // Why, is told at the end.
            ControlFlow::Break(()) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes sheets.
struct Bookkeeper<'p> {
    plan: &'p AuditPlan,
    pad: Pad,
}

/// The wanted matches of a piece of one file.
struct Page<'p> {
    plan: &'p AuditPlan,
    sheet: Sheet,
}

impl Batch for Page<'_> {
    fn add(&mut self, found: &Match<'_>) {
        if self.plan.filter.wants(found) {
            self.sheet.add(found);
        }
    }

    fn is_full(&self) -> bool {
        self.sheet.is_full()
    }
}

impl<'p> Clerk for &Bookkeeper<'p> {
    type Page = Page<'p>;

    fn page(&self, _: &Arc<File>) -> Page<'p> {
        Page { plan: self.plan, sheet: self.pad.sheet() }
    }

    fn is_settled(&self, _: &Page<'p>) -> bool {
        false
    }

    fn ends_all(&self, _: &Page<'p>) -> bool {
        false
    }

    fn is_due(&self, page: &Page<'p>) -> bool {
        page.sheet.size() >= SHEET_BYTES
    }

    fn size(&self, page: &Page<'p>) -> usize {
        page.sheet.size()
    }

    fn append(&self, page: &mut Page<'p>, next: Page<'p>) {
        page.sheet.append(next.sheet);
    }
}

/// Books sheets.
struct Auditor<'p, 'o> {
    plan: &'p AuditPlan,
    ledger: Ledger,
    out: &'o mut Out,
}

impl<'p> Desk for Auditor<'p, '_> {
    type Page = Page<'p>;

    fn take(&mut self, file: &File, page: Page<'p>) -> ControlFlow<()> {
        self.ledger.take(&file.name, &page.sheet);
        ControlFlow::Continue(())
    }

    fn close(&mut self, _: &File, _: &Stats, _: Option<&io::Error>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn out(&mut self) -> &mut Out {
        self.out
    }

    fn is_done(&mut self) -> bool {
        false
    }
}

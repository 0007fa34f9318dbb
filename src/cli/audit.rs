//! `urlgrep audit`: links are entered in a ledger, and reported once everything is read. A sheet
//! holds the links of a piece of a file until they are entered.

use std::collections::HashMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use urlgrep::archive::{Container, Foreign};
use urlgrep::audit::{Rule, Severity};
use urlgrep::{Checkpoint, Match, Sink, Stats};

use super::args::{ReportFormat, When};
use super::exit::ExitStatus;
use super::out::{Finish, Out};
use super::plan::{self, AuditPlan};
use super::search::{Collector, Output, SearchRun, Setup, Worker, totals_of};
use super::source::InputFile;
use super::{changes, judged, today, walk};
use crate::command::format::text::TextReport;
use crate::command::format::{csv, github, html, ioc, json, junit, sarif, urls};
use crate::command::model::{ReportedFinding, ReportedLink};
use crate::command::store::{self, KnownFile, Outcome, Stamp, Store, StoreError, UnreadPart};
use crate::command::veil;
use crate::command::{Ledger, Recorder, Report, Sheet, Sources};

/// On one thread, a sheet is entered once it reaches this size.
const SHEET_BYTES: usize = 256 * 1024;

/// Runs an audit.
pub(crate) fn run(plan: &AuditPlan, out: &mut Out) -> ExitStatus {
    let audited = audit(plan, out);
    let finish = out.finish();
    match audited {
        Err(error) => {
            // Only a database causes such an error.
            let name = plan.db.as_ref().map_or_else(Vec::new, |db| walk::path_bytes(&db.path));
            out.error(&name, &error);
            ExitStatus::Error
        }
        Ok(audited) => {
            if plan.args.shown.stats {
                out.write_stderr(audited.counts.as_bytes());
            }
            if let Some(why) = &audited.failure {
                out.note(&format!("failed: {why}"));
            }
            match finish {
                Finish::Failed => ExitStatus::Error,
                Finish::BrokenPipe | Finish::Fine => ExitStatus::of(audited.failure.is_none(), Finish::Fine, false),
            }
        }
    }
}

/// The outcome of an audit, besides the report.
struct Audited {
    /// Why `--fail-on` fails the run: the findings that are severe enough, or settings that leave
    /// nothing to judge.
    failure: Option<String>,
    /// The numbers for `--stats`.
    counts: String,
}

/// Returns the recorder of the workers, and the ledger for their records.
fn begin(plan: &AuditPlan) -> (Recorder, Ledger) {
    let (has_db, has_context) = (plan.db.is_some(), plan.args.format == ReportFormat::Html);
    let lists_places = has_context || plan.args.format == ReportFormat::Ioc;
    let recorder = Recorder::new().context(has_context).messages(plan.checked.is_some() || has_db || lists_places);
    let lists_links = matches!(plan.args.format, ReportFormat::Json | ReportFormat::Html | ReportFormat::Ioc);
    // The other formats show only messages with findings, so no other message need be recorded.
    let recorder = recorder.findings_alone((!lists_links).then_some(plan.report.rules));
    let recorder = recorder.plain_http(!plan.report.disabled.contains(&Rule::PlainHttp));
    let shows_dates = has_context || plan.args.format == ReportFormat::Text;
    let ledger = Ledger::new(recorder.clone(), plan.checked.clone());
    let ledger = ledger.until(shows_dates.then(today::today)).keep_places(lists_places);
    // A report of a later run may show the text around each place.
    (recorder.context(has_context || has_db), ledger)
}

fn audit(plan: &AuditPlan, out: &mut Out) -> Result<Audited, StoreError> {
    let (recorder, ledger) = begin(plan);
    let store = plan.db.as_ref().map(|db| Store::open(&db.path, &db.options)).transpose()?;
    let known = store.as_ref().map_or_else(|| Ok(HashMap::new()), Store::known)?;
    let worker = AuditWorker { plan, recorder, known };
    let setup = Setup { plan: &plan.search, worker: &worker, progress: out.progress() };
    let mut run = SearchRun::new(&setup, AuditCollector { plan, ledger, store, failure: None, out });
    if plan.args.diff {
        let SearchRun { totals, collector: AuditCollector { ledger, out, .. }, .. } = &mut run;
        changes::search(&plan.search, &worker.recorder, ledger, totals, out);
    } else {
        run.search_all();
    }
    let SearchRun { totals, collector: AuditCollector { mut ledger, mut store, failure, out, .. }, .. } = run;
    if let Some(failure) = failure {
        return Err(failure);
    }
    out.progress().enter("making the report");
    let read = match &mut store {
        None => totals.of_audit(),
        Some(store) => store.replay(&mut ledger)?,
    };
    let read = totals.with_errors(read);
    let report = ledger.close(plan.report.clone(), read);
    // `Out::finish` reports why writing failed.
    let _ = write(plan, &report, out);
    note_settings(plan, &report, out);
    if let Some(store) = store {
        store.finish(&report)?;
    }
    let failure = plan.args.fail_on.and_then(|least| judged::failure(plan, &report, least));
    Ok(Audited { failure, counts: totals.report(report.summary().occurrences) })
}

/// Prints a note on the settings of the repository, if the format has no place for them.
fn note_settings(plan: &AuditPlan, report: &Report, out: &mut Out) {
    let lists_records =
        matches!(plan.args.format, ReportFormat::Jsonl | ReportFormat::Csv | ReportFormat::Ioc | ReportFormat::Urls);
    if let Some(configuration) = report.summary().configuration.as_ref().filter(|_| lists_records) {
        out.note(&format!("the audit applies {configuration}"));
    }
}

/// Lists the rules.
pub(crate) fn rules(out: &mut Out) -> ExitStatus {
    let mut text = Vec::new();
    let report = TextReport { top: 0, width: out.width(), color: plan::is_colored(When::Auto, out) };
    let _ = report.write_rules(&mut text).map(|()| out.print(&text));
    ExitStatus::of(true, out.finish(), false)
}

fn write(plan: &AuditPlan, report: &Report, out: &mut Out) -> io::Result<()> {
    let is_terminal = out.is_terminal();
    // The formats write many pieces of a few bytes.
    let mut out = io::BufWriter::with_capacity(64 << 10, OutWriter(out));
    let (summary, links) = (report.summary(), report.links());
    let configuration = summary.configuration.as_ref();
    match plan.args.format {
        ReportFormat::Text => {
            let text = TextReport { top: plan.args.top, width: plan.width, color: plan.color };
            text.write(summary, report.top_links(plan.args.top), &report.groups(0), &mut out)
        }
        ReportFormat::Json => json::write(summary, links, report.findings(), &mut out),
        ReportFormat::Jsonl => json::write_lines(report.findings(), &mut out),
        ReportFormat::Csv => csv::write(report.findings(), is_terminal, &mut out),
        ReportFormat::Html => write_page(report, &mut out),
        ReportFormat::Sarif => {
            let (findings, left_out) = report.worst_findings(sarif::MOST);
            sarif::write(configuration, findings, left_out, sources(), &mut out)
        }
        ReportFormat::Github => github::write(configuration, report.findings(), sources(), &mut out),
        ReportFormat::Junit => {
            junit::write(configuration, || report.findings(), plan.args.fail_on.unwrap_or(Severity::Low), &mut out)
        }
        ReportFormat::Ioc => ioc::write(links, report.findings(), is_terminal, &mut out),
        ReportFormat::Urls => urls::write(report.whole_links(), report.other_readings(), &mut out),
    }?;
    out.flush()
}

/// Writes the HTML page. It lists only the worst links, in another order than the report. So its
/// findings must refer to the rows of the page.
fn write_page(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let order = report.worst_first(html::MOST);
    let mut rows = vec![None; report.links().len()];
    order.iter().enumerate().for_each(|(row, &at)| rows[at] = Some(row as u64));
    let links = order.iter().filter_map(|&at| report.link_at(at)).map(|link| listed(link, report));
    let findings = report.findings().filter(|finding| report.is_listed(finding.rule));
    let findings = findings.filter_map(|finding| {
        let link = *rows.get(finding.link as usize)?;
        Some(ReportedFinding { link: link?, ..finding })
    });
    let (top, groups) = (report.top_links(html::TOP), report.groups(html::EXAMPLES));
    let ran = html::Ran { command: command_line(), date: today::date(), folder: report.folder() };
    html::write(&ran, &report.listed_summary(), &groups, top, links, findings, out)
}

/// Returns the files of the report, relative to the working folder.
fn sources() -> Sources {
    Sources::new(&std::env::current_dir().unwrap_or_default())
}

/// Formats the command line, quoted for a shell, without its secrets.
fn command_line() -> String {
    let is_plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=,:@%+".contains(&byte))
    };
    let arguments = std::env::args_os().skip(1).map(|argument| {
        let text = veil::text(argument.to_string_lossy().into_owned());
        if is_plain(&text) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
    });
    std::iter::once("urlgrep".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Restricts a link's rules to those that a report for people lists.
fn listed<'r>(mut link: ReportedLink<'r>, report: &Report) -> ReportedLink<'r> {
    link.rules.retain(|&rule| report.is_listed(rule));
    link
}

/// Standard output as a writer for the formats.
struct OutWriter<'o>(&'o mut Out);

impl Write for OutWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.print(bytes) {
            ControlFlow::Continue(()) => Ok(bytes.len()),
            // `Out::finish` reports why.
            ControlFlow::Break(()) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The worker of an audit: creates the sheets.
struct AuditWorker<'p> {
    plan: &'p AuditPlan,
    recorder: Recorder,
    /// The files that the database holds.
    known: HashMap<Vec<u8>, KnownFile>,
}

impl Output for Sheet {
    fn size(&self) -> usize {
        self.size()
    }

    fn is_due(&self) -> bool {
        self.size() >= SHEET_BYTES
    }

    fn append(&mut self, next: Self) {
        self.append(next);
    }
}

impl Worker for &AuditWorker<'_> {
    type Output = Sheet;

    fn output(&self, _: &Arc<InputFile>) -> Sheet {
        self.recorder.sheet()
    }

    fn needs_threads(&self) -> bool {
        true
    }

    fn compares_files(&self) -> bool {
        self.plan.db.is_some()
    }

    fn unread(&self, path: &Path, container: Container) -> UnreadPart {
        if self.plan.is_baseline(path) {
            // A search of the baseline would find its URLs again.
            return UnreadPart::Nothing;
        }
        let Some(db) = &self.plan.db else { return UnreadPart::All };
        if db.is(path) {
            // The database lies in an audited folder.
            return UnreadPart::Nothing;
        }
        // Its log may have changed, although the database did not.
        if self.plan.search.unpack && container == Container::Foreign(Foreign::Sqlite) {
            return UnreadPart::All;
        }
        let known = self.known.get(&walk::path_bytes(path));
        // A file that cannot be inspected is read, and reading it reports why.
        known
            .and_then(|known| known.unread(path, store::container_name(container, self.plan.search.unpack)).ok())
            .unwrap_or(UnreadPart::All)
    }
}

/// The collector of an audit: enters sheets in the ledger, or writes them to the database.
struct AuditCollector<'p, 'o> {
    plan: &'p AuditPlan,
    ledger: Ledger,
    store: Option<Store>,
    /// The error that ended writing to the database.
    failure: Option<StoreError>,
    out: &'o mut Out,
}

impl AuditCollector<'_, '_> {
    /// Runs `act` on the database, if there is one. Returns `Break` once the database has failed.
    fn keep(&mut self, act: impl FnOnce(&mut Store) -> Result<(), StoreError>) -> ControlFlow<()> {
        if let Some(store) = &mut self.store
            && self.failure.is_none()
        {
            self.failure = act(store).err();
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns the statistics of the text after a checkpoint. A later run reads that text again.
    fn unsettled(&self, file: &InputFile, checkpoint: Checkpoint) -> io::Result<Stats> {
        let Some(path) = file.path.as_ref().filter(|_| checkpoint.offset > 0) else { return Ok(Stats::default()) };
        let mut input = io::BufReader::new(std::fs::File::open(path)?);
        let extractor = self.plan.search.extractor.of_container(file.container);
        match file.container {
            container if container.has_documents() => {
                input.seek(SeekFrom::Start(checkpoint.offset))?;
                extractor.documents(input, container, checkpoint, || Discard, |_| Ok(ControlFlow::Continue(())))
            }
            _ => {
                let mut stream = extractor.stream_range(input, checkpoint)?;
                let _ = stream.try_for_each(|_| ControlFlow::Continue(()))?;
                Ok(stream.stats())
            }
        }
    }
}

/// A sink that discards all matches.
struct Discard;

impl Sink for Discard {
    fn add(&mut self, _: &Match<'_>) {}
}

impl Collector for AuditCollector<'_, '_> {
    type Output = Sheet;

    fn take(&mut self, file: &InputFile, sheet: Sheet) -> ControlFlow<()> {
        if self.store.is_none() {
            self.ledger.take(&file.name, &sheet);
            return ControlFlow::Continue(());
        }
        self.keep(|store| store.write(&file.name, &sheet))
    }

    fn begin(&mut self, file: &InputFile) -> ControlFlow<()> {
        let plan = self.plan;
        self.keep(|store| match file.unread {
            UnreadPart::Nothing => store.keep(&file.name),
            unread => {
                let content = store::container_name(file.container, plan.search.unpack);
                store.begin(&file.name, content, unread, file.path.is_some())
            }
        })
    }

    fn close(
        &mut self,
        file: &InputFile,
        container: Container,
        stats: &Stats,
        error: Option<&io::Error>,
    ) -> ControlFlow<()> {
        if self.store.is_none() {
            self.ledger.end_file();
            return ControlFlow::Continue(());
        }
        // A checkpoint in unpacked text is no position in the file.
        let is_text = !file.is_member && !self.plan.search.has_files_in(file.container);
        let checkpoint = stats.checkpoint.filter(|_| error.is_none() && is_text).unwrap_or_default();
        let before = if let UnreadPart::After(checkpoint) = file.unread { checkpoint.offset } else { 0 };
        // If the file can no longer be read, the next run reads it as a whole.
        let (unsettled, checkpoint) = match self.unsettled(file, checkpoint) {
            Ok(unsettled) => (unsettled, checkpoint),
            Err(_) => Default::default(),
        };
        let unread = u64::from(self.plan.search.unread(container).is_some());
        let mut read = totals_of(stats, unread);
        // The bytes before the checkpoint are already counted, although this run inspected them,
        // too.
        if let Some(begun) = file.begun.as_ref().filter(|_| before > 0) {
            read.bytes = begun.len().saturating_sub(before);
        }
        let unsettled = totals_of(&unsettled, unread);
        self.keep(|store| store.add(&file.name, &Outcome { read, unsettled, checkpoint }))
    }

    fn end(&mut self, file: &InputFile, has_failed: bool) -> ControlFlow<()> {
        let path = file.path.as_ref().filter(|_| !has_failed);
        let stamp = path.zip(file.begun.as_ref()).and_then(|(path, begun)| Stamp::of_read(path, begun));
        self.keep(|store| store.end(stamp))
    }

    fn out(&mut self) -> &mut Out {
        self.out
    }

    fn is_done(&mut self) -> bool {
        self.failure.is_some()
    }
}

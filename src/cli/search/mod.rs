//! The run itself: inputs are opened, unpacked and searched, in order, on any number of threads. A
//! [`Worker`] renders the matches of a chunk, a batch of messages or a small file. The results
//! reach the [`Collector`] on the main thread in the order of the input. So the outcome is the same
//! for every number of threads.
//!
//! The extractor splits a single file into chunks ([`Extractor::par_read_at`]), and also a pipe
//! ([`par_stream`](Extractor::par_stream)). [`batches`] searches many files.

mod ahead;
mod batches;
mod cells;
mod output;
mod totals;

use std::io::{self, Seek, SeekFrom};
use std::mem;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlgrep::archive::{Container, Foreign, Input, OpenOptions};
use urlgrep::{Extractor, Halt, Section, Sink as _, Stats};

use super::filter::Filter;
use super::hidden_zip::{self, InputTail};
use super::progress::Progress;
use super::source::{InputFile, InputPause, ReadFailure, Source};
use super::walk::{InputPath, Inputs, WalkError, WalkOptions};
use crate::command::os::OpenFolder;
use crate::command::store::UnreadPart;
use ahead::read_ahead;
use output::Selection;

pub(crate) use output::{Collector, Output, Worker};
pub(crate) use totals::{RunTotals, totals_of};

/// The plan of a search.
#[derive(Debug)]
pub(crate) struct SearchPlan {
    /// The inputs, at least one.
    pub(crate) paths: Vec<PathBuf>,
    /// No path was given, and standard input is not a terminal.
    pub(crate) lacks_path: bool,
    pub(crate) walk: WalkOptions,
    /// There may be more than one input.
    pub(crate) many: bool,
    /// The extractor for files.
    pub(crate) extractor: Extractor,
    /// The extractor for inputs that may pause: pipes.
    pub(crate) live: Extractor,
    pub(crate) filter: Filter,
    /// `--base` is given.
    pub(crate) has_base: bool,
    pub(crate) range: Option<Range<u64>>,
    pub(crate) open: OpenOptions,
    /// Compressed files are unpacked.
    pub(crate) unpack: bool,
    /// The number of threads, at least 1.
    pub(crate) threads: usize,
}

impl SearchPlan {
    /// Returns the description of a file that is searched as bytes although it has a recognised
    /// format.
    pub(crate) fn unread(&self, container: Container) -> Option<String> {
        Some(match container {
            Container::Compressed(format) if self.unpack => {
                format!("{} nested too deep, searched as bytes", format.as_str())
            }
            Container::Compressed(format) => format!("{}, searched as bytes; --search-zip unpacks it", format.as_str()),
            Container::Zip if self.unpack => "a zip nested too deep, searched as bytes".to_owned(),
            Container::Tar => "a tar nested too deep, searched as bytes".to_owned(),
            Container::Zip => "zip, searched as bytes; --search-zip unpacks it".to_owned(),
            Container::Foreign(Foreign::Sqlite) if self.unpack => return None,
            Container::Foreign(Foreign::Sqlite) => {
                "an SQLite database, not searched; --search-zip reads its text".to_owned()
            }
            Container::Foreign(foreign) if foreign.is_in_pages() => {
                format!("{}, not searched; {}", foreign.as_str(), foreign.advice())
            }
            Container::Foreign(foreign) => format!("{}, searched as bytes; {}", foreign.as_str(), foreign.advice()),
            _ => return None,
        })
    }

    /// Returns whether the input holds other files, which are searched one by one.
    pub(crate) fn has_files_in(&self, container: Container) -> bool {
        use Container::{Compressed, Foreign as Known, Tar, Zip};
        matches!(container, Compressed(_) | Zip | Known(Foreign::Sqlite)) && self.unpack || container == Tar
    }
}

/// The most notes on inputs that are searched as bytes. The statistics list more of them.
const MOST_NOTES: u64 = 10;

/// A compressed file of this size is unpacked on a thread of its own, if there are several. For
/// less, the start of the thread is not worth it.
const LONG_PACKED: u64 = 256 << 10;

/// The note for a path that may have been forgotten.
const NOTHING_READ: &str = "standard input is empty, and no PATH is given; give a PATH to search files, such as '.'";

/// The statistics of a search, and the error that ended it early.
type SearchResult = (Stats, Option<io::Error>);

/// Returns the result of a driver. A driver fails only if it cannot begin, and ends early if a read
/// fails.
fn result_of(driven: io::Result<Stats>, failure: impl FnOnce() -> Option<io::Error>) -> SearchResult {
    driven.map_or_else(|error| (Stats::default(), Some(error)), |stats| (stats, failure()))
}

/// The data that all threads share.
pub(crate) struct Setup<'p, W> {
    pub(crate) plan: &'p SearchPlan,
    pub(crate) worker: W,
    pub(crate) progress: Progress,
}

impl<'p, W: Worker> Setup<'p, W> {
    /// Opens an input and recognises its content.
    fn open(&self, folder: &mut OpenFolder, input: InputPath) -> Result<(Arc<InputFile>, Source<Input>), WalkError> {
        let mut begun = None;
        let opened = match &input {
            InputPath::Stdin => self.plan.open.stdin(),
            InputPath::File(path) => {
                let opened = folder.open(path).and_then(|file| {
                    begun = if self.worker.compares_files() { Some(file.metadata()?) } else { None };
                    self.plan.open.from_file(file, path)
                });
                opened.map_err(|error| WalkError::new(path, &error))?
            }
        };
        let container = hidden_zip::container_of(&opened);
        let name = input.name();
        let path = match input {
            InputPath::File(path) if opened.size().is_some() => Some(path),
            _ => None,
        };
        let unread = path.as_ref().map_or(UnreadPart::All, |path| self.worker.unread(path, container));
        let file = InputFile { name, is_member: false, is_cell: false, path, container, unread, begun };
        Ok((Arc::new(file), Source::opened(opened, self.progress.clone())))
    }

    /// Opens a regular file whose container is already recognised.
    fn open_again(&self, file: &InputFile, path: &Path) -> Result<Source<Input>, WalkError> {
        let opened = self.plan.open.known(file.container).open(path).map_err(|error| WalkError::new(path, &error))?;
        Ok(Source::opened(opened, self.progress.clone()))
    }

    fn selection(&self, file: &Arc<InputFile>) -> Selection<'p, W::Output> {
        Selection::new(&self.plan.filter, self.worker.output(file))
    }

    /// Searches a text in memory, on this thread, and passes each output to `take`.
    fn follow_text(
        &self,
        text: &[u8],
        file: &Arc<InputFile>,
        mut take: impl FnMut(Selection<'p, W::Output>) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let extractor = self.plan.extractor.of_container(file.container);
        let mut matches = extractor.find_iter(text);
        loop {
            let mut selection = self.selection(file);
            let is_stopped = matches.fill(&mut selection, Selection::is_done);
            if take(selection)?.is_break() || !is_stopped {
                return Ok(matches.stats());
            }
        }
    }

    /// Searches a stream, on this thread, and passes each output to `take`.
    fn follow<R: io::Read>(
        &self,
        mut stream: urlgrep::Stream<R>,
        file: &Arc<InputFile>,
        mut take: impl FnMut(Selection<'p, W::Output>) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        loop {
            let mut selection = self.selection(file);
            let halt = stream.fill(&mut selection, Selection::is_done);
            if let Ok(Halt::Paused) = halt {
                selection.searched(stream.searched());
            }
            // The matches before an error are still delivered.
            if take(selection)?.is_break() || halt? == Halt::Ended {
                return Ok(stream.stats());
            }
        }
    }
}

/// A run of the search.
pub(crate) struct SearchRun<'p, W, C> {
    setup: &'p Setup<'p, W>,
    pub(crate) collector: C,
    pub(crate) totals: RunTotals,
    has_threads: bool,
    /// The folder in which files are opened one by one.
    folder: OpenFolder,
}

impl<'p, W: Worker, C: Collector<Output = W::Output>> SearchRun<'p, W, C> {
    /// Creates a run, and starts the clock.
    pub(crate) fn new(setup: &'p Setup<'p, W>, collector: C) -> Self {
        SearchRun { setup, collector, totals: RunTotals::new(), has_threads: false, folder: OpenFolder::default() }
    }

    /// Searches all inputs, or stops once the collector needs no more.
    pub(crate) fn search_all(&mut self) {
        let Setup { plan, worker, .. } = self.setup;
        let has_batches = plan.many && plan.threads > 1;
        if (has_batches || worker.needs_threads())
            && let Err(error) = self.start_threads()
        {
            self.collector.out().error(b"--threads", &error);
            return;
        }
        let _ = if has_batches { self.in_batches() } else { self.one_by_one() };
        if let Some(more) = self.totals.unread().checked_sub(MOST_NOTES).filter(|&more| more > 0) {
            self.collector.out().file_note(&format!("and {more} more that were searched as bytes; --stats names them"));
        }
        if let Some(more) = self.totals.file_gaps.checked_sub(MOST_NOTES).filter(|&more| more > 0) {
            self.collector.out().file_note(&format!("and {more} more files; --stats names them"));
        }
        for gap in self.totals.gaps() {
            self.collector.out().file_note(&gap);
        }
    }

    /// Starts the pool of threads, if it is needed. The main thread is a member of the pool, so it
    /// works instead of waiting. As an extra thread, it woke for each finished piece, and
    /// interrupted a working thread. Two threads then searched files of 2 KB in 253 ms instead of
    /// 223 ms. They searched 256 MiB without URLs in 26.5 ms instead of 24.1 ms. A single small
    /// file never needs the pool. Without the pool, the process takes 1.9 ms instead of 2.3 ms
    /// (2026-11).
    fn start_threads(&mut self) -> io::Result<()> {
        let needed = self.setup.plan.threads > 1 || self.setup.worker.needs_threads();
        if !needed || mem::replace(&mut self.has_threads, true) {
            return Ok(());
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.setup.plan.threads).use_current_thread();
        let started = threads.thread_name(|number| format!("urlgrep-{number}")).build_global();
        started.map_err(|error| io::Error::other(format!("{error}; try fewer threads")))
    }

    fn one_by_one(&mut self) -> ControlFlow<()> {
        let plan = self.setup.plan;
        Inputs::new(&plan.paths, &plan.walk).try_for_each(|input| self.one(input))
    }

    fn one(&mut self, input: Result<InputPath, WalkError>) -> ControlFlow<()> {
        match input.and_then(|input| self.setup.open(&mut self.folder, input)) {
            Ok((file, source)) => {
                let bytes = source.bytes();
                self.whole(&file, || Ok(source))?;
                // A build step often has an empty standard input. Without the note, the search
                // would seem to have found nothing.
                if self.setup.plan.lacks_path && bytes.are_missing() && self.totals.errors == 0 {
                    self.collector.out().file_note(NOTHING_READ);
                }
            }
            Err(error) => self.report_walk_error(&error),
        }
        ControlFlow::Continue(())
    }

    /// Searches the unread part of one file.
    fn whole(
        &mut self,
        file: &Arc<InputFile>,
        open: impl FnOnce() -> Result<Source<Input>, WalkError>,
    ) -> ControlFlow<()> {
        self.collector.begin(file)?;
        if file.unread == UnreadPart::Nothing {
            return ControlFlow::Continue(());
        }
        let errors = self.totals.errors;
        match open() {
            Ok(source) => self.search(file, source)?,
            Err(error) => self.report_walk_error(&error),
        }
        self.collector.end(file, self.totals.errors > errors)
    }

    /// Searches one open file, and hands over each output as it is found.
    fn search(&mut self, file: &Arc<InputFile>, mut source: Source<Input>) -> ControlFlow<()> {
        if source.reader().size().is_none() {
            // A pipe may block, so the output so far is written first.
            self.collector.out().flush()?;
        }
        if self.setup.plan.has_files_in(file.container) {
            if self.setup.plan.range.is_some() {
                let why = io::Error::other("is compressed, a zip or a tar; --range needs a plain file");
                return self.close(file, file.container, (Stats::default(), Some(why)));
            }
            return self.look_inside(file, source);
        }
        if file.container == Container::Utf16 && self.setup.plan.range.is_some() {
            let why = io::Error::other("is UTF-16; --range needs ASCII or UTF-8");
            return self.close(file, file.container, (Stats::default(), Some(why)));
        }
        self.note_unread(file, file.container);
        if is_in_pages(file.container) {
            return self.close(file, file.container, SearchResult::default());
        }
        let failure = source.failure();
        let tail = source.reader().size().is_none().then(|| source.keep_tail());
        let driven = self.drive(file, source);
        self.note_hidden_zip(file, file.container, tail.as_ref());
        self.close(file, file.container, result_of(driven, || failure.take()))
    }

    /// Prints a note if a file is searched as bytes. The exit status stays the same.
    fn note_unread(&mut self, file: &InputFile, container: Container) {
        // With its database, the log is read already.
        let is_read = || {
            let path = file.path.as_ref().and_then(|path| path.to_str()?.strip_suffix("-wal").map(Path::new));
            self.setup.plan.unpack && path.is_some_and(Path::is_file)
        };
        if container == Container::Foreign(Foreign::SqliteLog) && is_read() {
            return;
        }
        if let Some(is) = self.setup.plan.unread(container) {
            self.note_unread_as(file, is);
        }
    }

    /// Prints a note if an input ended in a zip that its head did not show.
    fn note_hidden_zip(&mut self, file: &InputFile, container: Container, tail: Option<&InputTail>) {
        if container == Container::Text && tail.is_some_and(InputTail::ends_in_zip) {
            self.note_unread(file, Container::Foreign(Foreign::SelfExtracting));
        }
    }

    /// Prints what a file is that was not read as its kind asks.
    fn note_unread_as(&mut self, file: &InputFile, is: String) {
        if self.totals.unread() < MOST_NOTES {
            self.collector.out().file_note(&format!("{}: is {is}", String::from_utf8_lossy(&file.name)));
        }
        self.totals.add_unread(&file.name, is);
    }

    /// Prints notes on the unread parts of an HTML or PDF file.
    fn note_gaps(&mut self, file: &InputFile, stats: &Stats) {
        for (reason, _) in stats.gaps_by_reason() {
            self.totals.file_gaps += 1;
            if self.totals.file_gaps <= MOST_NOTES {
                self.collector.out().file_note(&format!("{}: {reason}", String::from_utf8_lossy(&file.name)));
            }
        }
    }

    /// Searches a file that holds no other files. The workers read the text of a regular file in
    /// chunks.
    fn drive(&mut self, file: &Arc<InputFile>, mut source: Source<Input>) -> io::Result<Stats> {
        let setup = self.setup;
        let plan = setup.plan;
        let has_documents = file.container.has_documents();
        let section = match file.unread {
            UnreadPart::After(checkpoint) => {
                if has_documents {
                    source.seek(SeekFrom::Start(checkpoint.offset))?;
                }
                Some(Section::from(checkpoint))
            }
            UnreadPart::All | UnreadPart::Nothing => plan.range.clone().map(Section::from),
        };
        if !has_documents
            && section.is_none()
            && let Some(text) = source.in_memory()
        {
            let take = |selection| Ok(hand_over(&mut self.collector, &mut self.totals, file, selection));
            return setup.follow_text(text, file, take);
        }
        self.start_threads()?;
        if has_documents || section.is_none() && (plan.threads == 1 || source.reader().size().is_none()) {
            // An input with a size does not pause.
            let pause = source.reader().size().is_none().then(|| source.pause());
            return self.drive_reader(file, file.container, source, section, pause);
        }
        let mut take = |selection| Ok(hand_over(&mut self.collector, &mut self.totals, file, selection));
        let section = section.unwrap_or_else(all);
        let extractor = plan.extractor.of_container(file.container);
        if plan.threads == 1 {
            return setup.follow(extractor.stream_range(source, section)?, file, take);
        }
        extractor.par_read_at(&source, section, || setup.selection(file), &mut take)
    }

    /// Searches a reader from its start to its end. A section may restrict the search of documents.
    fn drive_reader(
        &mut self,
        file: &Arc<InputFile>,
        container: Container,
        reader: impl io::Read + Send,
        section: Option<Section>,
        pause: Option<InputPause>,
    ) -> io::Result<Stats> {
        let setup = self.setup;
        let extractor = if pause.is_some() { &setup.plan.live } else { &setup.plan.extractor };
        let extractor = extractor.of_container(container);
        let alone = setup.plan.threads == 1;
        let new = || setup.selection(file);
        let take = |selection| {
            let flow = hand_over(&mut self.collector, &mut self.totals, file, selection);
            // While the input pauses, the output so far must be visible.
            let is_paused = flow.is_continue() && pause.as_ref().is_some_and(InputPause::is_on);
            Ok(if is_paused { self.collector.out().flush() } else { flow })
        };
        let section = section.unwrap_or_else(all);
        match (container.has_documents(), alone) {
            (true, true) => extractor.documents(reader, container, section, new, take),
            (true, false) => extractor.par_documents(reader, container, section, new, take),
            (false, true) => setup.follow(extractor.stream(reader), file, take),
            (false, false) => extractor.par_stream(reader, new, take),
        }
    }

    /// Searches every file inside a compressed file, a zip or a tar.
    fn look_inside(&mut self, file: &Arc<InputFile>, mut source: Source<Input>) -> ControlFlow<()> {
        if let Err(error) = self.start_threads() {
            return self.report_error(file, Some(error));
        }
        let (failure, size) = (source.failure(), source.reader().size());
        let is_live = size.is_none();
        let is_long = self.setup.plan.threads > 1 && size.is_some_and(|size| size >= LONG_PACKED);
        let visited = self.setup.plan.open.each(&mut source, &file.name, |path, entry| {
            let inner = if path.is_empty() { Arc::clone(file) } else { file.member(path) };
            // If an error ended the file early, it explains more than an error of the truncated
            // content.
            Ok(match entry {
                // This is an error of a tar itself, which is not counted as a file.
                Err(error) => self.report_error(&inner, failure.take().or(Some(error))),
                Ok(entry) if is_long && path.is_empty() => {
                    let container = entry.container();
                    let searched = read_ahead(entry, |entry| self.member(&inner, container, entry, false, &failure));
                    searched.unwrap_or_else(|error| self.report_error(&inner, Some(error)))
                }
                Ok(entry) => self.member(&inner, entry.container(), entry, is_live, &failure),
            })
        });
        match visited {
            Ok(flow) => flow?,
            Err(error) => self.report_error(file, Some(error))?,
        }
        self.report_error(file, failure.take())
    }

    /// Searches a file inside another one. `failure` has the error of that other file.
    fn member(
        &mut self,
        file: &Arc<InputFile>,
        container: Container,
        reader: impl io::Read + Send,
        is_live: bool,
        failure: &ReadFailure,
    ) -> ControlFlow<()> {
        self.note_unread(file, container);
        let mut entry = Source::new(reader, Progress::hidden());
        let (own, tail) = (entry.failure(), entry.keep_tail());
        let pause = is_live.then(|| entry.pause());
        let driven = match container {
            Container::Foreign(Foreign::Sqlite) if self.setup.plan.unpack => self.look_in_cells(file, entry),
            container if is_in_pages(container) => Ok(Stats::default()),
            container => self.drive_reader(file, container, entry, None, pause),
        };
        self.note_hidden_zip(file, container, Some(&tail));
        self.close(file, container, result_of(driven, || failure.take().or(own.take())))
    }

    /// Ends a file: adds its statistics and reports its error. `Break` ends the whole run.
    fn close(&mut self, file: &InputFile, container: Container, (stats, error): SearchResult) -> ControlFlow<()> {
        self.totals.add(&stats);
        match container {
            Container::Pdf | Container::Html => self.note_gaps(file, &stats),
            _ => self.totals.add_gaps(&stats),
        }
        let flow = self.collector.close(file, container, &stats, error.as_ref());
        self.report_error(file, error)?;
        flow
    }

    /// Reports the error of a file, if there is one. `Break` ends the whole run.
    fn report_error(&mut self, file: &InputFile, error: Option<io::Error>) -> ControlFlow<()> {
        if let Some(error) = error
            && !self.collector.out().is_stopped()
        {
            self.totals.errors += 1;
            self.collector.out().file_error(&file.name, &error);
        }
        if self.collector.out().is_stopped() || self.collector.is_done() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn report_walk_error(&mut self, error: &WalkError) {
        self.totals.errors += u64::from(!error.harmless);
        error.report(self.collector.out());
    }
}

/// Hands over an output, and records the parts that could not be decoded.
fn hand_over<C: Collector>(
    collector: &mut C,
    totals: &mut RunTotals,
    file: &InputFile,
    selection: Selection<'_, C::Output>,
) -> ControlFlow<()> {
    totals.add_undecoded(&file.name, selection.undecoded);
    collector.take(file, selection.output)
}

/// Returns whether a search of the bytes would find URLs that nobody wrote.
fn is_in_pages(container: Container) -> bool {
    matches!(container, Container::Foreign(foreign) if foreign.is_in_pages())
}

fn all() -> Section {
    Section::from(0..u64::MAX)
}

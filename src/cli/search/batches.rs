//! Searches many files. Threads search them in batches, each small file as a whole. Meanwhile the
//! calling thread walks the folders and prints, in order. Large files are searched in their turn,
//! in chunks on all threads. Memory is bounded: no batch or file is begun while more than
//! [`MOST_HELD`] bytes of output wait for printing.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use urlgrep::archive::{Container, Input};
use urlgrep::{Sink as _, Stats, WorkSource, in_order};

use super::output::{Collector, Output, Selection, Worker};
use super::{SearchResult, SearchRun, Setup, hand_over, result_of};
use crate::cli::source::{InputFile, Source};
use crate::cli::walk::{InputPath, Inputs, WalkError};
use crate::command::os::OpenFolder;
use crate::command::store::UnreadPart;

/// A file up to this size is searched whole on one thread, if there are many files. JSON of dense
/// text is up to 60 times as long: 8 MiB per file.
const SMALL_FILE: u64 = 128 * 1024;
/// The most files in a batch, so many that handing the batch over costs little beside the search.
/// The first batches have fewer files, since there may be only a few in all.
const BATCH: usize = 32;
/// While the unprinted outputs hold more bytes than this, other files wait.
const MOST_HELD: usize = 4 * 1024 * 1024;

/// The state that the workers share.
#[derive(Default)]
struct BatchState {
    /// Bytes in unprinted outputs.
    held: AtomicUsize,
    /// The result of the run is decided.
    is_settled: AtomicBool,
}

/// The inputs, batch by batch.
struct Batches<'b> {
    inputs: Inputs<'b>,
    state: &'b BatchState,
    next: usize,
    is_done: bool,
}

impl WorkSource for Batches<'_> {
    type Work = Vec<Result<InputPath, WalkError>>;

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn advance(&mut self) -> Option<Self::Work> {
        let batch: Vec<_> = self.inputs.by_ref().take(self.next).collect();
        self.is_done = batch.len() < self.next;
        self.next = BATCH.min(2 * self.next);
        Some(batch)
    }

    fn must_wait(&self) -> bool {
        self.state.held.load(Ordering::Relaxed) > MOST_HELD
    }
}

/// The outcome for a file of a batch.
enum Taken<'p, O> {
    /// The file could not be found or opened.
    Failed(WalkError),
    /// The file was searched whole.
    Done(Arc<InputFile>, Selection<'p, O>, SearchResult),
    /// Too much output is held, so the file is searched after the files before it are printed.
    Later(InputPath),
    /// The file is not a small text or document, or an earlier run has read part of it. It is
    /// searched later, too, and stays closed until then. Batches of open files would exceed the
    /// limit of many systems, such as 256 on macOS.
    Large(Arc<InputFile>, PathBuf),
    /// Standard input, a pipe or a device, which can be opened only once.
    Pipe(Arc<InputFile>, Source<Input>),
    /// The result of the run is decided, so the file was not opened.
    Skipped,
}

impl<'p, W: Worker, C: Collector<Output = W::Output>> SearchRun<'p, W, C> {
    /// Searches all inputs.
    pub(super) fn in_batches(&mut self) -> ControlFlow<()> {
        let setup = self.setup;
        let state = BatchState::default();
        let inputs = Inputs::new(&setup.plan.paths, &setup.plan.walk);
        let mut batches = Batches { inputs, state: &state, next: 1, is_done: false };
        let work = |batch: Vec<_>| {
            let mut folder = OpenFolder::default();
            batch.into_iter().map(|input| setup.take(&state, &mut folder, input)).collect::<Vec<_>>()
        };
        let searched = in_order(&mut batches, work, |_, batch| {
            let flow = batch.into_iter().try_for_each(|taken| self.print(&state, taken));
            // If the result is decided, the batches under way are not needed.
            state.is_settled.fetch_or(flow.is_break(), Ordering::Relaxed);
            Ok(flow)
        });
        searched.unwrap_or(ControlFlow::Break(()))
    }

    /// Prints the outcome for the next file, or searches a deferred file.
    fn print(&mut self, state: &BatchState, taken: Taken<'p, W::Output>) -> ControlFlow<()> {
        match taken {
            Taken::Failed(error) => self.report_walk_error(&error),
            Taken::Later(input) => self.one(Ok(input))?,
            Taken::Large(file, path) => self.whole(&file, || self.setup.open_again(&file, &path))?,
            Taken::Pipe(file, source) => self.whole(&file, || Ok(source))?,
            Taken::Done(file, selection, result) => {
                state.held.fetch_sub(selection.output.size(), Ordering::Relaxed);
                self.collector.begin(&file)?;
                let has_failed = result.1.is_some();
                let _ = hand_over(&mut self.collector, &mut self.totals, &file, selection);
                self.close(&file, file.container, result)?;
                self.collector.end(&file, has_failed)?;
            }
            Taken::Skipped => {}
        }
        ControlFlow::Continue(())
    }
}

impl<'p, W: Worker> Setup<'p, W> {
    /// Searches a file of a batch on a worker, or defers it.
    fn take(
        &self,
        state: &BatchState,
        folder: &mut OpenFolder,
        input: Result<InputPath, WalkError>,
    ) -> Taken<'p, W::Output> {
        if state.is_settled.load(Ordering::Relaxed) {
            return Taken::Skipped;
        }
        if state.held.load(Ordering::Relaxed) > MOST_HELD {
            return input.map_or_else(Taken::Failed, Taken::Later);
        }
        let (file, source) = match input.and_then(|input| self.open(folder, input)) {
            Ok(opened) => opened,
            Err(error) => return Taken::Failed(error),
        };
        let is_simple = file.container.has_documents() || matches!(file.container, Container::Text | Container::Csv);
        let is_small = is_simple
            && file.unread == UnreadPart::All
            && source.reader().size().is_some_and(|size| size <= SMALL_FILE);
        if !is_small {
            return match file.path.clone() {
                Some(path) => Taken::Large(file, path),
                None => Taken::Pipe(file, source),
            };
        }
        let failure = source.failure();
        let mut selection = self.selection(&file);
        let result = result_of(self.fill(&file, source, &mut selection), || failure.take());
        state.held.fetch_add(selection.output.size(), Ordering::Relaxed);
        if selection.output.settles_run() {
            state.is_settled.store(true, Ordering::Relaxed);
        }
        Taken::Done(file, selection, result)
    }

    /// Collects all matches of a small file in one output.
    fn fill(
        &self,
        file: &Arc<InputFile>,
        source: Source<Input>,
        selection: &mut Selection<'p, W::Output>,
    ) -> io::Result<Stats> {
        let append = |next| {
            selection.append(next);
            Ok(selection.flow())
        };
        let extractor = self.plan.extractor.of_container(file.container);
        if file.container.has_documents() {
            return extractor.documents(source, file.container, 0..u64::MAX, || self.selection(file), append);
        }
        if let Some(text) = source.in_memory() {
            let mut matches = extractor.find_iter(text);
            matches.fill(selection, |selection| selection.flow().is_break());
            return Ok(matches.stats());
        }
        let mut stream = extractor.stream(source);
        let _ = stream.try_for_each(|found| {
            selection.add(found);
            selection.flow()
        })?;
        Ok(stream.stats())
    }
}

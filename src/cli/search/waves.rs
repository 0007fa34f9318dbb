//! Many files: they are taken in waves, the small ones of a wave each as a whole on some thread, and those that turn out
//! large afterwards, in their place, in chunks. Memory is bounded: a wave takes no more files up once its outputs hold
//! [`WAVE_BYTES`].

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;
use urlgrep::archive::{Container, Input};
use urlgrep::command::store::UnreadPart;
use urlgrep::{Sink as _, Stats};

use super::output::{Collector, Output, Selection, Worker};
use super::{SearchResult, SearchRun, Setup, hand_over, result_of};
use crate::cli::source::{InputFile, Source};
use crate::cli::walk::{InputPath, Inputs, WalkError};

/// A file of up to this size is searched whole on one thread, where there are many. Dense JSON makes sixteen times
/// its input, so the output for such a file has 2 MiB at worst.
const SMALL_FILE: u64 = 128 * 1024;
/// A wave has this many files for each thread: enough that the threads need not wait for each other often.
const WAVE_FILES: usize = 32;
/// Once the outputs of a wave hold this much, its other files wait until these are printed.
const WAVE_BYTES: usize = 4 * 1024 * 1024;

/// What the workers of a wave share.
#[derive(Default)]
struct Wave {
    /// Bytes in their outputs.
    held: AtomicUsize,
    /// The answer of the run is known.
    is_settled: AtomicBool,
}

/// What became of a file of a wave.
enum Taken<'p, O> {
    /// Could not be found or opened.
    Failed(WalkError),
    /// Searched whole.
    Done(Arc<InputFile>, Selection<'p, O>, SearchResult),
    /// Too large, or the wave is full: its turn comes when those before it are printed.
    Later(Arc<InputFile>, Source<Input>),
    /// The answer is known, nobody looked.
    Skipped,
}

impl<'p, W: Worker, C: Collector<Output = W::Output>> SearchRun<'p, W, C> {
    /// Searches all inputs.
    pub(super) fn in_waves(&mut self) -> ControlFlow<()> {
        let setup = self.setup;
        let mut inputs = Inputs::new(&setup.plan.paths, &setup.plan.walk);
        loop {
            let files: Vec<_> = inputs.by_ref().take(WAVE_FILES * setup.plan.threads).collect();
            if files.is_empty() {
                return ControlFlow::Continue(());
            }
            let wave = Wave::default();
            let taken: Vec<_> = files.into_par_iter().map(|input| setup.take(&wave, input)).collect();
            for taken in taken {
                match taken {
                    Taken::Failed(error) => self.report_walk_error(&error),
                    Taken::Later(file, source) => self.whole(&file, source)?,
                    Taken::Done(file, selection, result) => {
                        self.collector.begin(&file)?;
                        let has_failed = result.1.is_some();
                        let _ = hand_over(&mut self.collector, &mut self.totals, &file, selection);
                        self.close(&file, result)?;
                        self.collector.end(&file, has_failed)?;
                    }
                    Taken::Skipped => {}
                }
            }
        }
    }
}

impl<'p, W: Worker> Setup<'p, W> {
    /// A worker takes a file of a wave.
    fn take(&self, wave: &Wave, input: Result<InputPath, WalkError>) -> Taken<'p, W::Output> {
        if wave.is_settled.load(Ordering::Relaxed) {
            return Taken::Skipped;
        }
        let (file, source) = match input.and_then(|input| self.open(input)) {
            Ok(opened) => opened,
            Err(error) => return Taken::Failed(error),
        };
        let is_simple = file.container.has_documents() || file.container == Container::Text;
        let is_small = is_simple
            && file.unread == UnreadPart::All
            && source.reader().size().is_some_and(|size| size <= SMALL_FILE);
        if !is_small || wave.held.load(Ordering::Relaxed) > WAVE_BYTES {
            return Taken::Later(file, source);
        }
        let failure = source.failure();
        let mut selection = self.selection(&file);
        let result = result_of(self.fill(&file, source, &mut selection), || failure.take());
        wave.held.fetch_add(selection.output.size(), Ordering::Relaxed);
        if selection.output.settles_run() {
            wave.is_settled.store(true, Ordering::Relaxed);
        }
        Taken::Done(file, selection, result)
    }

    /// All matches of a small file in one output.
    fn fill(
        &self,
        file: &Arc<InputFile>,
        source: Source<Input>,
        selection: &mut Selection<'p, W::Output>,
    ) -> io::Result<Stats> {
        let extractor = &self.plan.extractor;
        if file.container.has_documents() {
            return extractor.documents(
                source,
                file.container,
                0..u64::MAX,
                || self.selection(file),
                |next| {
                    selection.append(next);
                    Ok(selection.flow())
                },
            );
        }
        let mut stream = extractor.stream(source);
        let _ = stream.try_for_each(|found| {
            selection.add(found);
            selection.flow()
        })?;
        Ok(stream.stats())
    }
}

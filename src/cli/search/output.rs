//! What the search asks of a subcommand: workers that turn matches into output, and a collector that takes it in order.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use urlgrep::archive::Container;
use urlgrep::{Level, Match, Sink, Stats, Undecoded};

use super::totals::MOST_UNDECODED;
use crate::cli::filter::Filter;
use crate::cli::out::Out;
use crate::cli::source::InputFile;
use crate::command::store::UnreadPart;

/// What a worker makes of the matches of a piece of one file: rendered lines, rows of a ledger.
pub(crate) trait Output: Sink + Send {
    /// How many bytes it holds.
    fn size(&self) -> usize;

    /// It is worth handing over, where one thread searches and prints.
    fn is_due(&self) -> bool;

    /// Adds what was made of the next piece of the same file.
    fn append(&mut self, next: Self);

    /// Another match may change it.
    fn takes_more(&self) -> bool {
        true
    }

    /// It settles its file: the rest of that need not be searched.
    fn settles_file(&self) -> bool {
        false
    }

    /// It settles the whole run.
    fn settles_run(&self) -> bool {
        false
    }
}

/// Begins outputs. All threads share it.
pub(crate) trait Worker: Sync {
    /// What it makes of matches.
    type Output: Output;

    /// An empty output.
    fn output(&self, file: &Arc<InputFile>) -> Self::Output;

    /// rayon's threads are asked for something else too, so even one has to be there.
    fn needs_threads(&self) -> bool {
        false
    }

    /// Returns whether a file is compared with what it is after the search.
    fn compares_files(&self) -> bool {
        false
    }

    /// What of a regular file has to be searched.
    fn unread(&self, _: &Path, _: Container) -> UnreadPart {
        UnreadPart::All
    }
}

/// Takes the outputs on the main thread, in the order of the input, whichever worker was first.
pub(crate) trait Collector {
    /// What the workers make.
    type Output;

    /// Takes the next output of a file. `Break`: no more of this file is wanted.
    fn take(&mut self, file: &InputFile, output: Self::Output) -> ControlFlow<()>;

    /// A file is going to be searched, with what is in it if it is a tar; or need not be.
    fn begin(&mut self, _: &InputFile) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// And has been, with what is in it.
    fn end(&mut self, _: &InputFile, _has_failed: bool) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Takes the end of a file, and what it held. It failed if there is an error, which is reported afterwards.
    /// `Break`: so is the whole run.
    fn close(
        &mut self,
        file: &InputFile,
        container: Container,
        stats: &Stats,
        error: Option<&io::Error>,
    ) -> ControlFlow<()>;

    /// Where all is printed.
    fn out(&mut self) -> &mut Out;

    /// Nothing more is wanted of the whole run.
    fn is_done(&mut self) -> bool;
}

/// The sink of every search: selects matches, hands them to an output, and keeps which parts could not be decoded.
pub(crate) struct Selection<'p, O> {
    filter: &'p Filter,
    pub(super) output: O,
    pub(super) undecoded: Vec<Undecoded>,
}

impl<'p, O: Output> Selection<'p, O> {
    pub(super) fn new(filter: &'p Filter, output: O) -> Self {
        Self { filter, output, undecoded: Vec::new() }
    }

    pub(super) fn append(&mut self, next: Self) {
        self.output.append(next.output);
        self.undecoded.extend(next.undecoded);
    }

    /// It is to be handed over before it takes more.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.output.is_due() || self.output.settles_file()
    }

    /// `Break` if nothing more is wanted of the file.
    pub(super) fn flow(&self) -> ControlFlow<()> {
        if self.output.settles_file() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<O: Output> Sink for Selection<'_, O> {
    #[inline]
    fn add(&mut self, found: &Match<'_>) {
        if self.output.takes_more() && self.filter.wants(found) {
            self.output.add(found);
        }
    }

    fn searched(&mut self, offset: u64) {
        self.output.searched(offset);
    }

    #[inline(always)]
    fn url_lines(&mut self, level: Level) -> Option<&mut Vec<u8>> {
        if self.filter.wants_all_of(level) { self.output.url_lines(level) } else { None }
    }

    fn is_full(&self) -> bool {
        self.output.is_full()
    }

    fn undecoded(&mut self, part: &Undecoded) {
        if self.undecoded.len() <= MOST_UNDECODED {
            self.undecoded.push(part.clone());
        }
    }
}

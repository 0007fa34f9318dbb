//! The search's view of a subcommand: workers turn matches into outputs, and a collector receives
//! the outputs in order.

use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use urlgrep::archive::Container;
use urlgrep::{Level, Match, Sink, Stats, Undecoded};

use super::totals::MOST_UNDECODED;
use crate::cli::filter::Filter;
use crate::cli::out::Out;
use crate::cli::source::InputFile;
use crate::command::store::UnreadPart;

/// A worker's output for the matches of a piece of one file: rendered lines, or rows of a ledger.
pub(crate) trait Output: Sink + Send {
    /// Returns how many bytes the output holds.
    fn size(&self) -> usize;

    /// Returns true if the output is large enough to hand over. This applies if one thread searches
    /// and prints.
    fn is_due(&self) -> bool;

    /// Appends the output of the next piece of the same file.
    fn append(&mut self, next: Self);

    /// Returns true if another match may change the output.
    fn takes_more(&self) -> bool {
        true
    }

    /// Returns true if the output decides its file, so that the rest of the file need not be
    /// searched.
    fn settles_file(&self) -> bool {
        false
    }

    /// Returns true if the output decides the whole run.
    fn settles_run(&self) -> bool {
        false
    }
}

/// A creator of outputs, which all threads share.
pub(crate) trait Worker: Sync {
    /// The output that this worker creates.
    type Output: Output;

    /// Returns an empty output for a file.
    fn output(&self, file: &Arc<InputFile>) -> Self::Output;

    /// Returns true if the thread pool must exist even for one thread, because other work runs in
    /// it too.
    fn needs_threads(&self) -> bool {
        false
    }

    /// Returns whether a file's metadata is recorded before the search, to compare it with the
    /// metadata after the search.
    fn compares_files(&self) -> bool {
        false
    }

    /// Returns which part of a regular file has to be searched.
    fn unread(&self, _: &Path, _: Container) -> UnreadPart {
        UnreadPart::All
    }
}

/// The receiver of the outputs. It runs on the main thread. The outputs come in the order of the
/// input, although workers finish in any order.
pub(crate) trait Collector {
    /// The output that the workers create.
    type Output;

    /// Receives the next output of a file. `Break` means that no more of this file is wanted.
    fn take(&mut self, file: &InputFile, output: Self::Output) -> ControlFlow<()>;

    /// Begins a file and, for an archive, its members. The file may have nothing to search. `Break`
    /// ends the whole run.
    fn begin(&mut self, _: &InputFile) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Ends a file and, for an archive, its members. `Break` ends the whole run.
    fn end(&mut self, _: &InputFile, _has_failed: bool) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Receives the end of a file or member, and its statistics. An error means that it failed; the
    /// caller reports it afterwards. `Break` ends the whole run.
    fn close(
        &mut self,
        file: &InputFile,
        container: Container,
        stats: &Stats,
        error: Option<&io::Error>,
    ) -> ControlFlow<()>;

    /// Returns the output that everything is printed to.
    fn out(&mut self) -> &mut Out;

    /// Returns true if nothing more is wanted of the whole run.
    fn is_done(&mut self) -> bool;
}

/// The sink of every search: it selects matches, passes them to an output, and records undecodable
/// parts.
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

    /// Returns true if the output must be handed over before it accepts more.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.output.is_due() || self.output.settles_file()
    }

    /// Returns `Break` if nothing more is wanted of the file.
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
    fn add_verbatim(&mut self, text: &[u8], url: Range<usize>, level: Level) -> bool {
        self.filter.wants_all_of(level) && self.output.add_verbatim(text, url, level)
    }

    fn is_full(&self) -> bool {
        self.output.is_full()
    }

    fn undecoded(&mut self, part: &Undecoded) {
        // One part beyond the limit shows that there are more.
        if self.undecoded.len() <= MOST_UNDECODED {
            self.undecoded.push(part.clone());
        }
    }
}

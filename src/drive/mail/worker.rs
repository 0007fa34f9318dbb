//! Searches a batch of messages on one thread, as often as it takes.

use std::io;
use std::mem;
use std::ops::ControlFlow;

use crate::Level;
use crate::drive::extractor::Extractor;
use crate::drive::mail::batch::BatchSearch;
use crate::drive::mail::messages::MessageBatch;
use crate::drive::matches::Match;
use crate::drive::place::Undecoded;
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;

pub(super) struct MailWorker<'a, N> {
    pub(super) extractor: &'a Extractor,
    /// Makes a sink.
    pub(super) new: N,
}

/// Messages that were searched.
pub(super) struct SearchedBatch<S> {
    pub(super) batch: MessageBatch,
    pub(super) sink: S,
    /// The sink is full with so many items, and there are more.
    pub(super) rest: Option<u64>,
    pub(super) stats: Stats,
}

impl<S: Sink, N: Fn() -> S> MailWorker<'_, N> {
    /// Searches all, and takes what one sink holds.
    pub(super) fn search(&self, batch: MessageBatch) -> SearchedBatch<S> {
        let mut counting = CountingSink::new((self.new)(), 0, |_| false);
        let stats = BatchSearch::new(self.extractor, &batch, &mut counting).run();
        let CountingSink { sink, seen, taken, .. } = counting;
        SearchedBatch { batch, sink, rest: (taken < seen).then_some(taken), stats }
    }

    /// Searches again, for what a first sink did not hold. So no more than one full sink waits to be delivered, however
    /// much there is. That it is twice the work counts for little beside all that is made of so many matches.
    pub(super) fn search_rest(
        &self,
        batch: &MessageBatch,
        taken: u64,
        deliver: &mut impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<ControlFlow<()>> {
        let mut flow = Ok(ControlFlow::Continue(()));
        let mut counting = CountingSink::new((self.new)(), taken, |sink| {
            flow = deliver(mem::replace(sink, (self.new)()));
            matches!(flow, Ok(ControlFlow::Continue(())))
        });
        BatchSearch::new(self.extractor, batch, &mut counting).run();
        let last = counting.sink;
        match flow? {
            ControlFlow::Continue(()) => deliver(last),
            stop => Ok(stop),
        }
    }
}

/// Passes on to a sink what comes after the first `taken` items.
struct CountingSink<S, F> {
    sink: S,
    /// Matches and undecoded parts, those that were not passed on included.
    seen: u64,
    /// The last of them that the sink has, or another one had before it.
    taken: u64,
    /// Empties a sink that is full. `false`: it stays full, and nothing more is passed on.
    on_full: F,
    is_full: bool,
    /// Lines of URLs that were not passed on.
    skipped: Vec<u8>,
}

impl<S: Sink, F: FnMut(&mut S) -> bool> CountingSink<S, F> {
    fn new(sink: S, taken: u64, on_full: F) -> Self {
        CountingSink { sink, seen: 0, taken, on_full, is_full: false, skipped: Vec::new() }
    }

    fn pass(&mut self, add: impl FnOnce(&mut S)) {
        if !self.skips() {
            add(&mut self.sink);
            self.taken = self.seen + 1;
        }
        self.seen += 1;
    }

    /// Returns true if the next item is skipped. Empties a full sink first.
    #[inline(always)]
    fn skips(&mut self) -> bool {
        let is_full = |this: &mut Self| this.sink.is_full() && !(this.on_full)(&mut this.sink);
        self.is_full = self.is_full || self.seen >= self.taken && is_full(self);
        self.seen < self.taken || self.is_full
    }
}

impl<S: Sink, F: FnMut(&mut S) -> bool> Sink for CountingSink<S, F> {
    fn add(&mut self, found: &Match<'_>) {
        self.pass(|sink| sink.add(found));
    }

    fn url_lines(&mut self, level: Level) -> Option<&mut Vec<u8>> {
        if self.skips() {
            self.seen += 1;
            self.skipped.clear();
            return Some(&mut self.skipped);
        }
        let lines = self.sink.url_lines(level)?;
        self.seen += 1;
        self.taken = self.seen;
        Some(lines)
    }

    fn undecoded(&mut self, part: &Undecoded) {
        self.pass(|sink| sink.undecoded(part));
    }
}

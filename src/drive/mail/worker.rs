//! The search of a batch of messages on one thread. The search is repeated if one sink cannot hold
//! the matches.

use std::io;
use std::mem;
use std::ops::{ControlFlow, Range};

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

/// A batch that was searched, and the result.
pub(super) struct SearchedBatch<S> {
    pub(super) batch: MessageBatch,
    pub(super) sink: S,
    /// The number of items in the sink, if the sink is full and more items follow.
    pub(super) rest: Option<u64>,
    pub(super) stats: Stats,
}

impl<S: Sink, N: Fn() -> S> MailWorker<'_, N> {
    /// Searches all messages, and keeps the matches that fit in one sink.
    pub(super) fn search(&self, batch: MessageBatch) -> SearchedBatch<S> {
        let mut counting = CountingSink::new((self.new)(), 0, u64::MAX, |_| false);
        let stats = BatchSearch::new(self.extractor, &batch, &mut counting).run();
        let CountingSink { sink, seen, taken, .. } = counting;
        SearchedBatch { batch, sink, rest: (taken < seen).then_some(taken), stats }
    }

    /// Searches again for the items that did not fit in the first sink. So at most one full sink
    /// waits for delivery, however many matches there are. The second search costs little beside
    /// the output of so many matches.
    pub(super) fn search_rest(
        &self,
        batch: &MessageBatch,
        taken: u64,
        deliver: &mut impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<ControlFlow<()>> {
        let search = |sink: &mut dyn Sink| Ok(BatchSearch::new(self.extractor, batch, sink).run());
        self.deliver_all(taken, u64::MAX, deliver, search).map(|(flow, _)| flow)
    }

    /// Searches into one sink after the other. Each is delivered once it is full or holds `most`
    /// items. The first `taken` items are skipped: they were delivered before.
    pub(super) fn deliver_all<T>(
        &self,
        taken: u64,
        most: u64,
        deliver: &mut impl FnMut(S) -> io::Result<ControlFlow<()>>,
        search: impl FnOnce(&mut dyn Sink) -> io::Result<T>,
    ) -> io::Result<(ControlFlow<()>, T)> {
        let mut flow = Ok(ControlFlow::Continue(()));
        let mut counting = CountingSink::new((self.new)(), taken, most, |sink| {
            flow = deliver(mem::replace(sink, (self.new)()));
            matches!(flow, Ok(ControlFlow::Continue(())))
        });
        let searched = search(&mut counting)?;
        let last = counting.sink;
        let flow = match flow? {
            ControlFlow::Continue(()) => deliver(last)?,
            stop => stop,
        };
        Ok((flow, searched))
    }
}

/// Passes on to a sink the items after the first `taken`.
struct CountingSink<S, F> {
    sink: S,
    /// The number of matches and undecoded parts so far, including those not passed on.
    seen: u64,
    /// The number of items that this sink or an earlier one has received.
    taken: u64,
    /// The number of items with which the sink is full.
    most: u64,
    /// The number of items seen when the sink was emptied last.
    emptied: u64,
    /// Empties a full sink. If it returns `false`, the sink stays full, and nothing more is passed
    /// on.
    on_full: F,
    is_full: bool,
}

impl<S: Sink, F: FnMut(&mut S) -> bool> CountingSink<S, F> {
    fn new(sink: S, taken: u64, most: u64, on_full: F) -> Self {
        CountingSink { sink, seen: 0, taken, most, emptied: 0, on_full, is_full: false }
    }

    fn pass(&mut self, add: impl FnOnce(&mut S)) {
        if !self.skips() {
            add(&mut self.sink);
            self.taken = self.seen + 1;
        }
        self.seen += 1;
        self.skips();
    }

    /// Empties the sink if it is full. Returns true if the next item must be skipped.
    #[inline(always)]
    fn skips(&mut self) -> bool {
        if self.seen < self.taken || self.is_full {
            return true;
        }
        if self.sink.is_full() || self.seen - self.emptied >= self.most {
            self.emptied = self.seen;
            self.is_full = !(self.on_full)(&mut self.sink);
        }
        self.is_full
    }
}

impl<S: Sink, F: FnMut(&mut S) -> bool> Sink for CountingSink<S, F> {
    fn add(&mut self, found: &Match<'_>) {
        self.pass(|sink| sink.add(found));
    }

    fn add_verbatim(&mut self, text: &[u8], url: Range<usize>, level: Level) -> bool {
        let skips = self.skips();
        if !skips && !self.sink.add_verbatim(text, url, level) {
            return false;
        }
        self.seen += 1;
        if !skips {
            self.taken = self.seen;
        }
        true
    }

    fn undecoded(&mut self, part: &Undecoded) {
        self.pass(|sink| sink.undecoded(part));
    }

    /// Returns true once nothing more is delivered.
    fn is_full(&self) -> bool {
        self.is_full
    }
}

//! Searches a batch of messages on one thread, as often as it takes.

use std::io;
use std::mem;
use std::ops::ControlFlow;

use crate::drive::extractor::Extractor;
use crate::drive::mail::batch::BatchSearch;
use crate::drive::mail::counting::CountingSink;
use crate::drive::mail::messages::MessageBatch;
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

//! Delivers what was found, in order and in bounded memory.

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::archive::message::Note;
use crate::bytes::roll::RollingBuffer;
use crate::drive::mail::messages::{Messages, OversizeMessage};
use crate::drive::mail::worker::{MailWorker, SearchedBatch};
use crate::drive::place::Undecoded;
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::stream::Stream;

/// An oversize message is delivered in sinks of about so many matches.
const OVERSIZE_MATCHES: u64 = 4096;

pub(super) struct Delivery<D> {
    pub(super) deliver: D,
    pub(super) stats: Stats,
}

impl<D> Delivery<D> {
    /// Delivers what was found in a batch, and gives the batch back.
    pub(super) fn take<R: Read, S: Sink, N: Fn() -> S>(
        &mut self,
        messages: &mut Messages<R>,
        worker: &MailWorker<'_, N>,
        SearchedBatch { batch, sink, rest, stats }: SearchedBatch<S>,
    ) -> io::Result<ControlFlow<()>>
    where
        D: FnMut(S) -> io::Result<ControlFlow<()>>,
    {
        self.stats += stats;
        let mut flow = (self.deliver)(sink)?;
        if let Some(taken) = rest
            && flow.is_continue()
        {
            flow = worker.search_rest(&batch, taken, &mut self.deliver)?;
        }
        messages.recycle(batch);
        Ok(flow)
    }

    /// Searches a message that is too long to be held: as text, and as it lies.
    pub(super) fn take_oversize<R: Read, S: Sink, N: Fn() -> S>(
        &mut self,
        messages: &mut Messages<R>,
        OversizeMessage { base, number }: OversizeMessage,
        worker: &MailWorker<'_, N>,
    ) -> io::Result<ControlFlow<()>>
    where
        D: FnMut(S) -> io::Result<ControlFlow<()>>,
    {
        let (text, lines) = messages.read_oversize();
        let mut stream = Stream::new(worker.extractor, RollingBuffer::new(text, base), 0, 0..u64::MAX, lines);
        let mut undecoded = Some(Undecoded { number, offset: base, part: None, reason: Note::TooLong.as_str() });
        loop {
            let (mut sink, mut count) = ((worker.new)(), 0);
            if let Some(whole) = undecoded.take() {
                sink.undecoded(&whole);
            }
            let flow = stream.try_for_each(|found| {
                sink.add(found);
                count += 1;
                if count < OVERSIZE_MATCHES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if (self.deliver)(sink)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if flow?.is_continue() {
                self.stats += stream.stats();
                self.stats.messages += 1;
                self.stats.note(Note::TooLong);
                let lines = stream.lines_to_end();
                messages.end_oversize(lines);
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
}

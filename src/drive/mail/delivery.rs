//! The delivery of matches, in order and in bounded memory.

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::archive::Container;
use crate::archive::message::Note;
use crate::archive::mime::long::FIRST;
use crate::archive::recognise;
use crate::bytes::roll::RollingBuffer;
use crate::drive::mail::long;
use crate::drive::mail::messages::{Messages, OversizeMessage};
use crate::drive::mail::worker::{MailWorker, SearchedBatch};
use crate::drive::place::Undecoded;
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::stream::Stream;

/// Each sink of an oversize message holds about this many matches.
const OVERSIZE_MATCHES: u64 = 4096;

pub(super) struct Delivery<D> {
    pub(super) deliver: D,
    pub(super) stats: Stats,
}

impl<D> Delivery<D> {
    /// Delivers the matches of a batch, and gives the batch back for reuse.
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

    /// Searches a message or a page that is too long to hold in memory. Long text before the first
    /// message is searched this way, too.
    pub(super) fn take_oversize<R: Read, S: Sink, N: Fn() -> S>(
        &mut self,
        messages: &mut Messages<R>,
        oversize: OversizeMessage,
        worker: &MailWorker<'_, N>,
    ) -> io::Result<ControlFlow<()>>
    where
        D: FnMut(S) -> io::Result<ControlFlow<()>>,
    {
        let container = messages.container;
        let (mut reader, lines) = messages.read_oversize();
        let mut buffer = RollingBuffer::new(&mut reader as &mut dyn Read, oversize.base);
        buffer.fill(FIRST)?;
        let is_text = container != Container::Message
            && !container.is_page()
            && oversize.message == oversize.base
            && !recognise::is_message(buffer.bytes());
        let (flow, (stats, lines)) = worker.deliver_all(0, OVERSIZE_MATCHES, &mut self.deliver, |sink| {
            if container == Container::Utf16 {
                return Ok((long::search_utf16(worker.extractor, buffer, lines, sink)?, None));
            }
            if !is_text {
                let message = (!container.is_page()).then_some(oversize);
                return long::search(worker.extractor, buffer, container, message, lines, sink);
            }
            let mut stream = Stream::new(worker.extractor, buffer, 0, 0..u64::MAX, lines);
            let _ = stream.try_for_each(|found| {
                sink.add(found);
                if sink.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            let mut stats = stream.stats();
            if container == Container::Pdf {
                let reason = Note::PdfNotWhole;
                stats.note(reason);
                sink.undecoded(&Undecoded { number: None, offset: oversize.base, part: None, reason: reason.as_str() });
            }
            Ok((stats, stream.lines_to_end()))
        })?;
        drop(reader);
        self.stats += stats;
        messages.end_oversize(lines);
        Ok(flow)
    }
}

//! Chunks of an input, each with its margins, which the workers search.
//!
//! [`Cutter`] reads the chunks of a stream in turn. [`Divider`] only gives the places of chunks in
//! an input that can be read anywhere; workers read their own. Both count lines in the workers:
//! each adds the count of its chunk to that of the chunks before.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use crate::bytes::read_at::{ReadAt, ReadAtCursor};
use crate::bytes::roll::{Buffer, DamagedEnd, Pool, RollingBuffer, retry};
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
use crate::drive::match_loop::MatchLoop;
use crate::drive::section::Section;
use crate::drive::stream::seek;
use crate::drive::work::WorkSource;
use crate::find::{LOOKBEHIND, MARGIN, Window};

/// Gives chunks, in the order of the input.
pub(crate) trait Chunks<'i>: WorkSource<Work = Chunk<'i>> {
    /// Returns the offset of the input at which the next chunk begins.
    fn position(&self) -> u64;

    /// Takes a chunk back that is done with. `Break`: the input came to its end in it.
    fn recycle(&mut self, chunk: Chunk<'i>) -> ControlFlow<()>;

    /// Returns the error that ended the input early. The text before it is searched first.
    fn failure(&mut self) -> Option<io::Error>;
}

/// A stretch of the input with its margins.
pub(crate) struct Chunk<'i> {
    text: Buffer,
    /// The input ends with the text.
    is_last: bool,
    /// The chunk owns the matches that start in here (P3).
    pub(crate) range: Range<usize>,
    /// The place at which the worker reads the text, if it does not come with the chunk.
    unread: Option<Unread<'i>>,
    relay: Option<Relay>,
    /// Counted up to where the range begins.
    pub(crate) lines: Option<Lines>,
    /// Bytes of the input that had been read when it was cut.
    pub(crate) read: u64,
    /// The input pauses: it is all that is at hand, and ends where the search of it stops; as
    /// [`Window::pause`].
    pause: Option<usize>,
    /// Lines counted up to the start of the last margin, if that lies before the range.
    pub(crate) settled: Option<Lines>,
}

impl Chunk<'_> {
    /// Reads the text, if it is unread, and receives its line.
    ///
    /// It waits until the chunk before has done so. Chunks begin in order, so some thread works on
    /// that one.
    pub(crate) fn load(&mut self) {
        if let Some(unread) = &mut self.unread {
            unread.read(&mut self.text);
            let filled = self.text.bytes().len();
            self.is_last |= filled < unread.length;
            unread.is_cut |= filled < self.range.end;
            self.range.end = self.range.end.min(filled);
            self.range.start = self.range.start.min(self.range.end);
        }
        if self.pause.is_some() {
            // It is searched alone: those before it have handed on theirs. It may be searched
            // twice.
            self.lines = self.lines.or_else(|| self.relay.as_ref()?.before.recv().ok());
        } else if let Some(Relay { mut own, before, after }) = self.relay.take() {
            let range = &self.text.bytes()[self.range.clone()];
            own.advance(range, 0, range.len() as u64);
            // If the chunk before came to nothing, its panic ends the search, and this one is not
            // looked at.
            self.lines = before.recv().ok();
            if let Some(lines) = self.lines {
                // Nobody receives that of the last chunk.
                let _ = after.send(lines.then(own));
            }
        }
    }

    /// Leaves the matches that begin at this offset of the input or later to the next chunk. The
    /// last byte is left to it too: if the input ends here, that chunk finds out.
    pub(crate) fn end_at(&mut self, end: u64) {
        self.range.end = self.text.local(end).min(self.text.bytes().len().saturating_sub(1)).max(self.range.start);
        if let (Some(Relay { mut own, after, .. }), Some(lines)) = (self.relay.take(), self.lines) {
            let range = &self.text.bytes()[self.range.clone()];
            own.advance(range, 0, range.len() as u64);
            let _ = after.send(lines.then(own));
        }
    }

    /// Drops its text, if it can be read again. So each thread has one buffer, and no chunk that
    /// waits for delivery has one.
    pub(crate) fn unload(&mut self) {
        if let Some(unread) = &self.unread {
            unread.pool.put(self.text.take_storage());
        }
    }

    /// Returns the offset of the text in the input.
    pub(crate) fn base(&self) -> u64 {
        self.text.base
    }

    /// Returns the offset in the input at which its search stopped for lack of text, at a pause.
    pub(crate) fn unsearched(&self, matches: &MatchLoop) -> Option<u64> {
        self.pause.map(|_| self.base() + matches.unsearched(self.text.bytes()) as u64)
    }

    pub(crate) fn window(&self) -> Window<'_> {
        Window::of(&self.text, self.is_last, self.pause)
    }
}

/// The place at which a worker reads the text of a chunk, and the result.
struct Unread<'i> {
    input: &'i dyn ReadAt,
    length: usize,
    pool: Arc<Pool>,
    failure: Option<io::Error>,
    /// Not all of the chunk's range could be read.
    is_cut: bool,
}

impl Unread<'_> {
    fn read(&mut self, text: &mut Buffer) {
        let (input, base, failure) = (self.input, text.base, &mut self.failure);
        let mut is_damaged = false;
        text.fill(self.pool.take(), self.length, |room| {
            let mut filled = 0;
            while filled < room.len() {
                match retry(|| input.read_at(&mut room[filled..], base + filled as u64)) {
                    Ok(0) => break,
                    Ok(got) => filled += got,
                    Err(error) => {
                        is_damaged = true;
                        if !DamagedEnd::is(&error) {
                            failure.get_or_insert(error);
                        }
                        break;
                    }
                }
            }
            filled
        });
        if is_damaged {
            text.damage();
        }
    }
}

/// Hands the count of lines on from chunk to chunk.
struct Relay {
    /// Those of the chunk alone.
    own: Lines,
    before: Receiver<Lines>,
    after: Sender<Lines>,
}

/// The relay of the next chunk: the start of its own count, and the channel with the count before
/// it. `None` if lines are not counted.
struct NextRelay(Option<(Lines, Receiver<Lines>)>);

impl NextRelay {
    /// Begins with what was counted before the first chunk.
    fn new(lines: Option<Lines>) -> NextRelay {
        NextRelay(lines.map(|lines| {
            let (after, before) = mpsc::channel();
            let _ = after.send(lines); // cannot fail: its receiver is here
            (lines.restart(), before)
        }))
    }

    fn take(&mut self) -> Option<Relay> {
        let (own, previous) = self.0.as_mut()?;
        let (after, next) = mpsc::channel();
        Some(Relay { own: *own, before: std::mem::replace(previous, next), after })
    }
}

/// Cuts a stream into chunks while it is read.
///
/// A chunk goes to its worker with the buffer it was read into, both margins included. The next one
/// is read into another buffer, after a copy of the bytes that both share. Buffers return and are
/// used again.
pub(crate) struct Cutter<R> {
    buffer: RollingBuffer<R>,
    chunk_size: usize,
    /// The offset in the buffer at which the next chunk begins.
    from: usize,
    relay: NextRelay,
    /// Nothing can be read any more; what was read is searched first.
    failure: Option<io::Error>,
    pool: Pool,
    line_ends_after: Option<usize>,
    /// The last read came back short, and what it gave has not been searched.
    is_paused: bool,
    /// Lines counted up to the start of a margin, since a pause.
    settled: Option<Lines>,
}

impl<R: Read> Cutter<R> {
    pub(crate) fn new(extractor: &Extractor, reader: R) -> Self {
        Cutter {
            buffer: RollingBuffer::new(reader, 0),
            chunk_size: extractor.chunk_size(),
            from: 0,
            relay: NextRelay::new(extractor.lines()),
            failure: None,
            pool: Pool::default(),
            line_ends_after: extractor.line_ends_after(),
            is_paused: false,
            settled: None,
        }
    }

    /// Counts the lines before the last margin, should the input end here.
    fn settle(&mut self) {
        let held = self.buffer.held();
        if let Some(settled) = &mut self.settled {
            settled.advance(held.bytes(), held.base, held.end().saturating_sub(MARGIN as u64));
        }
    }

    /// Returns all that is at hand, for a search that ends where it must.
    fn chunk_at_pause(&mut self) -> Chunk<'static> {
        self.is_paused = false;
        // Moving what is kept costs its length: it moves when it is half of the buffer at most.
        let gone = self.from.saturating_sub(LOOKBEHIND).min(self.buffer.bytes().len().saturating_sub(MARGIN));
        if gone > LOOKBEHIND + MARGIN {
            self.settle();
            self.buffer.drop_front(gone);
            self.from -= gone;
        }
        let (read, text) = (self.buffer.bytes_read(), self.buffer.lend());
        let range = self.from..text.bytes().len();
        let (relay, pause) = (self.relay.take(), self.line_ends_after);
        Chunk { text, is_last: false, range, unread: None, relay, lines: None, read, pause, settled: None }
    }

    /// Returns whether the input has ended.
    fn has_ended(&self) -> bool {
        self.buffer.is_last
    }
}

impl<R: Read> WorkSource for Cutter<R> {
    type Work = Chunk<'static>;

    fn is_done(&self) -> bool {
        self.has_ended() && self.from == self.buffer.bytes().len()
    }

    fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Reads at most once, and returns the next chunk if it is whole then. It waits for no pipe
    /// while there is something to deliver.
    fn advance(&mut self) -> Option<Chunk<'static>> {
        if self.is_paused {
            return Some(self.chunk_at_pause());
        }
        let whole = self.chunk_size.saturating_add(self.from + MARGIN);
        let missing = whole.saturating_sub(self.buffer.bytes().len());
        if missing > 0 && !self.has_ended() {
            self.failure = self.buffer.read(missing).err();
            if self.failure.is_some() {
                self.buffer.damage();
            }
        }
        let length = self.buffer.bytes().len();
        if length < whole && !self.has_ended() || self.is_done() {
            self.is_paused = self.buffer.is_paused && !self.has_ended() && self.line_ends_after.is_some();
            return None;
        }
        let end = length.min(self.from.saturating_add(self.chunk_size));
        let (range, is_last, read) = (self.from..end, self.has_ended(), self.buffer.bytes_read());
        // After the last chunk nothing is needed any more.
        let gone = if is_last && end == length { end } else { end.saturating_sub(LOOKBEHIND) };
        let text = self.buffer.move_on(gone, self.pool.take());
        self.from = end - gone;
        let (relay, settled) = (self.relay.take(), self.settled.take());
        Some(Chunk { text, is_last, range, unread: None, relay, lines: None, read, pause: None, settled })
    }
}

impl<R: Read> Chunks<'static> for Cutter<R> {
    fn position(&self) -> u64 {
        self.buffer.held().base + self.from as u64
    }

    fn recycle(&mut self, mut chunk: Chunk<'static>) -> ControlFlow<()> {
        if chunk.pause.is_some() {
            self.from = chunk.range.end;
            self.settled = self.settled.or(chunk.lines);
            self.buffer.give_back(chunk.text);
            self.settle();
            return ControlFlow::Continue(());
        }
        self.pool.put(chunk.text.take_storage());
        ControlFlow::Continue(())
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// Divides an input that can be read anywhere.
pub(crate) struct Divider<'i> {
    input: &'i dyn ReadAt,
    size: u64,
    chunk_size: usize,
    /// Offset of the input at which the first chunk begins.
    start: u64,
    /// Offset of the input at which the next chunk begins.
    next: u64,
    /// Nothing that starts here or later is wanted.
    end: u64,
    relay: NextRelay,
    failure: Option<io::Error>,
    pool: Arc<Pool>,
}

impl<'i> Divider<'i> {
    /// Divides the input for the matches that start in a section. The search begins outside of any
    /// candidate's span (P4). With line numbers, the input is read from its start, unless a
    /// checkpoint has the count.
    pub(crate) fn new(extractor: &Extractor, input: &'i dyn ReadAt, section: &Section) -> io::Result<Self> {
        let size = input.size()?;
        let mut lines = extractor.lines();
        let mut start = 0;
        if section.range.start > 0 {
            let (buffer, from) = seek(extractor, ReadAtCursor::new(input, size), section, lines.as_mut())?;
            start = buffer.held().base + from as u64;
            if let Some(lines) = &mut lines {
                lines.advance(buffer.bytes(), buffer.held().base, start);
            }
        }
        Ok(Divider {
            input,
            size,
            chunk_size: extractor.chunk_size(),
            start,
            next: start,
            end: section.range.end.min(size),
            relay: NextRelay::new(lines),
            failure: None,
            pool: Arc::default(),
        })
    }
}

impl<'i> WorkSource for Divider<'i> {
    type Work = Chunk<'i>;

    fn is_done(&self) -> bool {
        self.next >= self.end
    }

    fn advance(&mut self) -> Option<Chunk<'i>> {
        if self.is_done() {
            return None;
        }
        let base = self.next.saturating_sub(LOOKBEHIND as u64);
        let end = self.end.min(self.next.saturating_add(self.chunk_size as u64));
        let text_end = self.size.min(end.saturating_add(MARGIN as u64));
        let local = |offset: u64| (offset - base) as usize;
        let chunk = Chunk {
            text: Buffer::at(base),
            is_last: text_end == self.size,
            range: local(self.next)..local(end),
            unread: Some(Unread {
                input: self.input,
                length: local(text_end),
                pool: Arc::clone(&self.pool),
                failure: None,
                is_cut: false,
            }),
            relay: self.relay.take(),
            lines: None,
            read: text_end - self.start,
            pause: None,
            settled: None,
        };
        self.next = end;
        Some(chunk)
    }
}

impl<'i> Chunks<'i> for Divider<'i> {
    fn position(&self) -> u64 {
        self.next
    }

    fn recycle(&mut self, chunk: Chunk<'i>) -> ControlFlow<()> {
        let Some(unread) = chunk.unread else { return ControlFlow::Continue(()) };
        self.failure = self.failure.take().or(unread.failure);
        // After a failure in the margin alone, the next chunk shows the exact end of the input.
        // Bytes that other threads read behind it do not count, as in a stream.
        if unread.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

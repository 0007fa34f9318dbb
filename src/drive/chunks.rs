//! Chunks of an input, which the workers search. A chunk has a margin of text on each side.
//!
//! [`Cutter`] reads the chunks of a stream in turn. [`Divider`] only computes the offsets of chunks
//! in an input that can be read at any offset. Each worker then reads its own chunks. In both cases
//! the workers count the lines. Each worker adds its chunk's count to the count of the earlier
//! chunks.

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

/// A source of chunks, in the order of the input.
pub(crate) trait Chunks<'i>: WorkSource<Work = Chunk<'i>> {
    /// Returns the offset of the input at which the next chunk begins.
    fn position(&self) -> u64;

    /// Receives a chunk back after its delivery, to reuse its buffer. Returns `Break` if the input
    /// ended within the chunk.
    fn recycle(&mut self, chunk: Chunk<'i>) -> ControlFlow<()>;

    /// Returns the error that ended the input early. The text before it is searched first.
    fn failure(&mut self) -> Option<io::Error>;
}

/// A stretch of the input with its margins.
pub(crate) struct Chunk<'i> {
    text: Buffer,
    /// The input ends with the text.
    is_last: bool,
    /// The chunk owns the matches that start in this range of the text (P3).
    pub(crate) range: Range<usize>,
    /// The location from which the worker reads the text, if the chunk comes without it.
    unread: Option<Unread<'i>>,
    relay: Option<Relay>,
    /// The count of lines up to the start of the range.
    pub(crate) lines: Option<Lines>,
    /// The number of bytes of the input that are read once this chunk's text is.
    pub(crate) read: u64,
    /// Set if the input pauses, as in [`Window::pause`]. The chunk then holds all text read so far,
    /// and ends where its search stops.
    pause: Option<usize>,
    /// The count of lines up to the start of the last margin, if the margin begins before the
    /// range.
    pub(crate) settled: Option<Lines>,
}

impl Chunk<'_> {
    /// Reads the text if it is unread, and receives the line number at the start of its range.
    ///
    /// This call waits until the previous chunk has passed on its count. The workers begin chunks
    /// in order, so some thread works on the previous chunk.
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
            // No other chunk is searched during a pause, so the earlier chunks have already passed
            // on their counts. This chunk may be loaded twice, so a received count is kept.
            self.lines = self.lines.or_else(|| self.relay.as_ref()?.before.recv().ok());
        } else if let Some(Relay { mut own, before, after }) = self.relay.take() {
            let range = &self.text.bytes()[self.range.clone()];
            own.advance(range, 0, range.len() as u64);
            // If the worker of the previous chunk panicked, the search ends, and this chunk's
            // result is not used. A chunk that was cut, because the input shrank, ends the search
            // too. Its count ends before this chunk.
            let start = self.text.base + self.range.start as u64;
            self.lines = before.recv().ok().filter(|lines| lines.counted() >= start);
            if let Some(lines) = self.lines {
                // Nothing receives the count after the last chunk.
                let _ = after.send(lines.then(own));
            }
        }
    }

    /// Leaves the matches that begin at or after this offset of the input to the next chunk. The
    /// next chunk gets at least the last byte, so that it detects an input that ends with this
    /// text.
    pub(crate) fn end_at(&mut self, end: u64) {
        self.range.end = self.text.local(end).min(self.text.bytes().len().saturating_sub(1)).max(self.range.start);
        if let (Some(Relay { mut own, after, .. }), Some(lines)) = (self.relay.take(), self.lines) {
            let range = &self.text.bytes()[self.range.clone()];
            own.advance(range, 0, range.len() as u64);
            let _ = after.send(lines.then(own));
        }
    }

    /// Drops the text if it can be read again. So each thread needs only one buffer, and chunks
    /// that wait for delivery hold none.
    pub(crate) fn unload(&mut self) {
        if let Some(unread) = &self.unread {
            unread.pool.put(self.text.take_storage());
        }
    }

    /// Returns the offset of the text in the input.
    pub(crate) fn base(&self) -> u64 {
        self.text.base
    }

    /// Returns the offset in the input at which the chunk's search stopped for lack of text, if the
    /// input paused.
    pub(crate) fn unsearched(&self, matches: &MatchLoop) -> Option<u64> {
        self.pause.map(|_| self.base() + matches.unsearched(self.text.bytes()) as u64)
    }

    pub(crate) fn window(&self) -> Window<'_> {
        Window::of(&self.text, self.is_last, self.pause)
    }
}

/// The location from which a worker reads the text of a chunk, and the outcome.
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

/// Passes the count of lines from chunk to chunk.
struct Relay {
    /// The lines of this chunk only.
    own: Lines,
    before: Receiver<Lines>,
    after: Sender<Lines>,
}

/// The relay of the next chunk: the start of its own count, and the channel for the earlier chunks'
/// count. `None` if lines are not counted.
struct NextRelay(Option<(Lines, Receiver<Lines>)>);

impl NextRelay {
    /// Begins with the lines counted before the first chunk.
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

/// Cuts a stream into chunks while reading the stream.
///
/// A chunk goes to its worker in the buffer into which it was read, with both margins. The bytes
/// that it shares with the next chunk are copied to another buffer. The next chunk is read into
/// that buffer. Buffers are reused.
pub(crate) struct Cutter<R> {
    buffer: RollingBuffer<R>,
    chunk_size: usize,
    /// The offset in the buffer at which the next chunk begins.
    from: usize,
    relay: NextRelay,
    /// The error after which nothing more is read. The text before it is searched first.
    failure: Option<io::Error>,
    pool: Pool,
    line_ends_after: Option<usize>,
    /// The input pauses after the last read, and the text of that read is not yet searched.
    is_paused: bool,
    /// The count of lines up to the start of the last margin, kept since a pause.
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

    /// Counts the lines before the last margin, for the checkpoint if the input ends here.
    fn settle(&mut self) {
        let held = self.buffer.held();
        if let Some(settled) = &mut self.settled {
            settled.advance(held.bytes(), held.base, held.end().saturating_sub(MARGIN as u64));
        }
    }

    /// Returns a chunk of all text read so far. Its search stops where it needs more text.
    fn chunk_at_pause(&mut self) -> Chunk<'static> {
        self.is_paused = false;
        // Moving the kept text takes time in proportion to its length. So it moves only if the
        // dropped text is longer than both margins.
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

    /// Reads at most once, and returns the next chunk if it is then complete. So results are
    /// delivered before a further read, which may block.
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
        // No chunk follows the last one, so no text is kept as a margin.
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

/// Divides an input that can be read at any offset into chunks.
pub(crate) struct Divider<'i> {
    input: &'i dyn ReadAt,
    size: u64,
    chunk_size: usize,
    /// Offset of the input at which the first chunk begins.
    start: u64,
    /// Offset of the input at which the next chunk begins.
    next: u64,
    /// Offset of the input from which on no match is wanted.
    end: u64,
    relay: NextRelay,
    failure: Option<io::Error>,
    pool: Arc<Pool>,
}

impl<'i> Divider<'i> {
    /// Divides the input to find the matches that start in a section. The search begins outside any
    /// candidate's span (P4). With line numbers, the input is read from its start, unless a
    /// checkpoint has the line count.
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
        // If the failure is only in the margin, the next chunk finds the exact end of the input.
        // Bytes that other threads read after the failure are ignored, as in a stream.
        if unread.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

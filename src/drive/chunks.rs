//! What the workers search: chunks of an input, each with its margins.
//!
//! Of a stream, [`Cutter`] reads them in turn; of an input that can be read anywhere, [`Divider`] only says where they
//! lie, and every worker reads its own. Both count lines in the workers: a worker counts its chunk and adds that to what
//! it is told of the chunks before.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use crate::bytes::read_at::ReadAt;
use crate::bytes::simd::Backend;
use crate::drive::lines::{LineEnds, Lines};
use crate::drive::parallel::Source;
use crate::drive::stream::{Buffer, seek};
use crate::drive::{Extractor, Section};
use crate::find::{LOOKBEHIND, MARGIN, Window};

/// Gives chunks, in the order of the input.
pub(crate) trait Chunks<'i>: Source<Work = Chunk<'i>> {
    /// Offset of the input at which the next chunk begins.
    fn position(&self) -> u64;

    /// Takes a chunk back that is done with. `Break`: the input came to its end in it.
    fn recycle(&mut self, chunk: Chunk<'i>) -> ControlFlow<()>;

    /// What ended the input early. What was read before is searched first.
    fn failure(&mut self) -> Option<io::Error>;
}

/// A stretch of the input with its margins.
pub(crate) struct Chunk<'i> {
    /// Text up to `filled`.
    storage: Vec<u8>,
    filled: usize,
    /// Where the text comes from, if the worker reads it.
    place: Option<Place<'i>>,
    failure: Option<io::Error>,
    /// Not all of the range could be read.
    is_cut: bool,
    /// Offset of the text in the input.
    pub(crate) base: u64,
    /// The input ends with the text.
    is_last: bool,
    /// What starts in here is the chunk's (P3).
    pub(crate) range: Range<usize>,
    relay: Option<Relay>,
    /// Counted up to where the range begins.
    pub(crate) lines: Option<Lines>,
    /// Bytes of the input that had been read when it was cut.
    pub(crate) read: u64,
}

impl Chunk<'_> {
    /// Reads what is to be read, and learns its line.
    ///
    /// It waits for the chunk before to have done the same; since chunks are begun in order, some thread is at it.
    pub(crate) fn load(&mut self) {
        if let Some(Place { input, length, spare }) = &self.place {
            self.storage = spare.take();
            if self.storage.len() < *length {
                self.storage.resize(*length, 0);
            }
            let read = fill(*input, self.base, &mut self.storage[..*length]);
            self.filled = read.0;
            self.failure = self.failure.take().or(read.1);
            self.is_last |= self.filled < *length;
            self.is_cut |= self.filled < self.range.end;
            self.range.end = self.range.end.min(self.filled);
            self.range.start = self.range.start.min(self.range.end);
        }
        if let Some(Relay { backend, before, after }) = self.relay.take() {
            let ends = LineEnds::of(&self.storage[self.range.clone()], backend);
            // If the chunk before came to nothing, its panic ends the search, and nobody will look at this one.
            self.lines = before.recv().ok();
            if let Some(lines) = self.lines {
                // Of the last chunk nobody wants to know it.
                let _ = after.send(lines.then(ends));
            }
        }
    }

    /// Gives its text up, if it can be read again: so a thread has one buffer, and not every chunk that waits to be
    /// delivered.
    pub(crate) fn unload(&mut self) {
        if let Some(place) = &self.place {
            place.spare.put(std::mem::take(&mut self.storage));
            self.filled = 0;
        }
    }

    pub(crate) fn window(&self) -> Window<'_> {
        Window { text: &self.storage[..self.filled], is_last: self.is_last }
    }
}

/// Where a worker reads the text of a chunk.
struct Place<'i> {
    input: &'i dyn ReadAt,
    length: usize,
    spare: Arc<Spare>,
}

/// Buffers to be filled again, the one used last first: it is still in the thread's cache.
#[derive(Default)]
struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn put(&self, buffer: Vec<u8>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
    }
}

/// Fills a buffer from a place on. How far it came, and what stopped it, if that was not the end of the input.
fn fill(input: &dyn ReadAt, base: u64, buffer: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read_at(&mut buffer[filled..], base + filled as u64) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

/// Hands the count of lines on from chunk to chunk.
struct Relay {
    backend: Backend,
    before: Receiver<Lines>,
    after: Sender<Lines>,
}

/// The links of the relay.
struct Chain(Option<(Backend, Receiver<Lines>)>);

impl Chain {
    /// A relay that begins with what was counted before the first chunk, if lines are counted.
    fn new(lines: Option<Lines>) -> Chain {
        Chain(lines.map(|lines| {
            let (after, before) = mpsc::channel();
            let _ = after.send(lines); // which is received below
            (lines.backend(), before)
        }))
    }

    fn next(&mut self) -> Option<Relay> {
        let (after, next) = mpsc::channel();
        let (backend, previous) = self.0.as_mut()?;
        let before = std::mem::replace(previous, next);
        Some(Relay { backend: *backend, before, after })
    }
}

/// Cuts a stream into chunks while it is read.
///
/// A chunk goes to its worker with the buffer it was read into, both margins included; reading goes on in another
/// buffer, into which what the chunks have in common is copied. Buffers come back and are used again.
pub(crate) struct Cutter<R> {
    buffer: Buffer<R>,
    chunk_size: usize,
    /// Where in the buffer the next chunk begins.
    from: usize,
    chain: Chain,
    /// Nothing can be read any more; what was read is searched first.
    failure: Option<io::Error>,
    spare: Vec<Vec<u8>>,
}

impl<R: Read> Cutter<R> {
    pub(crate) fn new(extractor: &Extractor, reader: R) -> Self {
        Cutter {
            buffer: Buffer::new(reader, 0),
            chunk_size: extractor.chunk_size(),
            from: 0,
            chain: Chain::new(extractor.lines()),
            failure: None,
            spare: Vec::new(),
        }
    }

    /// No more input.
    fn has_ended(&self) -> bool {
        self.buffer.is_last || self.failure.is_some()
    }
}

impl<R: Read> Source for Cutter<R> {
    type Work = Chunk<'static>;

    fn is_done(&self) -> bool {
        self.has_ended() && self.from == self.buffer.bytes().len()
    }

    /// Reads once, if it must, and gives the next chunk if it is whole then: a pipe is not waited for while there is
    /// something to deliver.
    fn advance(&mut self) -> Option<Chunk<'static>> {
        let whole = self.chunk_size.saturating_add(self.from + MARGIN);
        let missing = whole.saturating_sub(self.buffer.bytes().len());
        if missing > 0 && !self.has_ended() {
            self.failure = self.buffer.read(missing).err();
        }
        if self.buffer.bytes().len() < whole && !self.has_ended() || self.is_done() {
            return None;
        }
        let Buffer { base, read, .. } = self.buffer;
        let length = self.buffer.bytes().len();
        let end = length.min(self.from.saturating_add(self.chunk_size));
        let (range, is_last) = (self.from..end, self.has_ended());
        // After the last chunk nothing is needed any more.
        let gone = if is_last && end == length { end } else { end.saturating_sub(LOOKBEHIND) };
        let (storage, filled) = self.buffer.move_on(gone, self.spare.pop().unwrap_or_default());
        self.from = end - gone;
        let relay = self.chain.next();
        Some(Chunk {
            storage,
            filled,
            place: None,
            failure: None,
            is_cut: false,
            base,
            is_last,
            range,
            relay,
            lines: None,
            read,
        })
    }
}

impl<R: Read> Chunks<'static> for Cutter<R> {
    fn position(&self) -> u64 {
        self.buffer.base + self.from as u64
    }

    fn recycle(&mut self, chunk: Chunk<'static>) -> ControlFlow<()> {
        self.spare.push(chunk.storage);
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
    chain: Chain,
    failure: Option<io::Error>,
    spare: Arc<Spare>,
}

impl<'i> Divider<'i> {
    /// For what starts in a section. It begins its search where no candidate's span lies (P4); with line numbers, the lines
    /// before are counted, for which the input is read from its start, unless a checkpoint tells them.
    pub(crate) fn new(extractor: &Extractor, input: &'i dyn ReadAt, section: &Section) -> io::Result<Self> {
        let size = input.size()?;
        let mut lines = extractor.lines();
        let mut start = 0;
        if section.range.start > 0 {
            let (buffer, from) = seek(extractor, Cursor { input, size, at: 0 }, section, lines.as_mut())?;
            start = buffer.base + from as u64;
            if let Some(lines) = &mut lines {
                lines.advance(buffer.bytes(), buffer.base, start);
            }
        }
        Ok(Divider {
            input,
            size,
            chunk_size: extractor.chunk_size(),
            start,
            next: start,
            end: section.range.end.min(size),
            chain: Chain::new(lines),
            failure: None,
            spare: Arc::default(),
        })
    }
}

impl<'i> Source for Divider<'i> {
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
            storage: Vec::new(),
            filled: 0,
            place: Some(Place { input: self.input, length: local(text_end), spare: Arc::clone(&self.spare) }),
            failure: None,
            is_cut: false,
            base,
            is_last: text_end == self.size,
            range: local(self.next)..local(end),
            relay: self.chain.next(),
            lines: None,
            read: text_end - self.start,
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
        self.failure = self.failure.take().or(chunk.failure);
        // Of a failure in the margin alone, the next chunk will tell where exactly the input ends for everybody. What
        // other threads may have read behind that place does not count, as it would not for a stream.
        if chunk.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// Reads an input from a place on, for who reads it in order.
struct Cursor<'i> {
    input: &'i dyn ReadAt,
    size: u64,
    at: u64,
}

impl Read for Cursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let got = self.input.read_at(&mut buffer[..most], self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

impl Seek for Cursor<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

//! The part of an input that is in memory, and how it rolls on.
//!
//! A stream searches it where it lies. A splitter of mail and the reader of chunks hand stretches of it to other threads:
//! then reading goes on in another storage, which comes from a pool, and the stretch takes its own along.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};
#[cfg(any(feature = "parallel", feature = "archive"))]
use std::{
    mem,
    sync::{Mutex, PoisonError},
};

/// What a pipe holds on most systems: a read that gives as much found it full, and its writer waits.
const FULL_PIPE: usize = 64 << 10;
/// The most that is read into an empty buffer.
pub(crate) const FIRST_READ: usize = 64 << 10;

/// An error of a reader that keeps the cause of its failure for its owner, and ends its input there.
///
/// After any error the drivers find all URLs that the end does not touch. After this one they return their
/// [`Stats`](crate::Stats) instead of the error.
///
/// # Examples
///
/// ```
/// use std::io::{self, Read};
/// use urlgrep::{DamagedEnd, Extractor};
///
/// struct Line(&'static [u8], Option<io::Error>);
///
/// impl Read for Line {
///     fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
///         let read = match self.0.is_empty() {
///             true => Err(io::Error::other("the line is dead")),
///             false => self.0.read(buffer),
///         };
///         DamagedEnd::or_keep(read, &mut self.1)
///     }
/// }
///
/// # fn main() -> io::Result<()> {
/// let mut stream = Extractor::new().stream(Line(b"http://a.example/ and http://b.exam", None));
/// assert_eq!(stream.next()?.unwrap().url(), "http://a.example/");
/// assert!(stream.next()?.is_none()); // the second one is cut
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DamagedEnd;

impl DamagedEnd {
    pub(crate) fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<DamagedEnd>())
    }

    /// Passes on what a reader returned. Its error is kept in `failure`, and becomes a damaged end; an interrupted read
    /// stays one.
    ///
    /// # Errors
    ///
    /// A `DamagedEnd`, or [`ErrorKind::Interrupted`].
    pub fn or_keep(read: io::Result<usize>, failure: &mut Option<io::Error>) -> io::Result<usize> {
        match read {
            Err(error) if error.kind() != ErrorKind::Interrupted => {
                *failure = Some(error);
                Err(DamagedEnd.into())
            }
            read => read,
        }
    }
}

impl fmt::Display for DamagedEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the input ends early")
    }
}

impl Error for DamagedEnd {}

impl From<DamagedEnd> for io::Error {
    fn from(end: DamagedEnd) -> io::Error {
        io::Error::new(ErrorKind::UnexpectedEof, end)
    }
}

/// A stretch of an input, in a storage that is used again and again.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// Input up to `filled`, and beyond it what was there before: so the room for a read is zeroed once.
    storage: Vec<u8>,
    filled: usize,
    /// Offset of the first byte in the input.
    pub(crate) base: u64,
    /// The input ends with these bytes because it could not be read on.
    is_damaged: bool,
}

impl Buffer {
    /// Empty, at an offset of the input.
    pub(crate) fn at(base: u64) -> Buffer {
        Buffer { base, ..Buffer::default() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.storage[..self.filled]
    }

    /// Returns whether the input could not be read on.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Notes that the input cannot be read on after these bytes.
    #[cfg(feature = "parallel")]
    pub(crate) fn damage(&mut self) {
        self.is_damaged = true;
    }

    /// Returns the offset of the input at which the text ends.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.filled as u64
    }

    /// Returns where an offset of the input lies in the text, or would; 0 for one before it.
    pub(crate) fn local(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }

    /// Holds what `read` writes into `length` bytes of a storage, and says how much that is.
    #[cfg(any(feature = "parallel", feature = "archive"))]
    pub(crate) fn fill(&mut self, storage: Vec<u8>, length: usize, read: impl FnOnce(&mut [u8]) -> usize) {
        (self.storage, self.is_damaged) = (storage, false);
        self.filled = read(self.room(0, length));
    }

    #[cfg(feature = "archive")]
    pub(crate) fn truncate(&mut self, length: usize) {
        self.is_damaged &= length == self.filled;
        self.filled = length;
    }

    /// Returns the storage, for another text. This one is empty then.
    #[cfg(any(feature = "parallel", feature = "archive"))]
    pub(crate) fn take_storage(&mut self) -> Vec<u8> {
        (self.filled, self.is_damaged) = (0, false);
        mem::take(&mut self.storage)
    }

    #[cfg(all(test, feature = "archive"))]
    pub(crate) fn room_size(&self) -> usize {
        self.storage.len()
    }

    fn room(&mut self, from: usize, to: usize) -> &mut [u8] {
        if self.storage.len() < to {
            self.storage.resize(to, 0);
        }
        &mut self.storage[from..to]
    }

    fn drop_front(&mut self, by: usize) {
        self.storage.copy_within(by..self.filled, 0);
        self.filled -= by;
        self.base += by as u64;
    }
}

/// A buffer that rolls over an input.
///
/// The reader writes straight into the storage. (`take().read_to_end()` into a `Vec` needs no zeros, but feels its way with
/// ever larger reads, each time anew.)
#[derive(Debug)]
pub(crate) struct RollingBuffer<R> {
    pub(crate) reader: R,
    held: Buffer,
    /// Offset of the input at which reading began.
    start: u64,
    /// The input ends with the buffer, as far as its reader says.
    pub(crate) is_last: bool,
    /// The last read gave less than it might have: there may be no more for a while.
    pub(crate) is_paused: bool,
}

impl<R: Read> RollingBuffer<R> {
    /// Asks the reader once, for at most `most` bytes. What it gives is what there is: a pipe that pauses does not hold
    /// back what can be found by then. The storage no more than doubles, so that a small input has a small one.
    pub(crate) fn read(&mut self, most: usize) -> io::Result<()> {
        let Buffer { storage, filled, .. } = &self.held;
        let (size, filled) = (storage.len(), *filled);
        let room = self.held.room(filled, filled + most.min(size.max(FIRST_READ)));
        let most = room.len().min(FULL_PIPE);
        match retry(|| self.reader.read(room)) {
            Ok(got) => {
                self.held.filled += got;
                self.is_last = got == 0;
                self.is_paused = got < most;
            }
            Err(error) if DamagedEnd::is(&error) => self.damage(),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Nothing can be read any more.
    pub(crate) fn damage(&mut self) {
        self.held.is_damaged = true;
        self.is_last = true;
    }

    /// Reads on until the buffer holds `length` bytes, or the input ends.
    ///
    /// After an error what was read is kept, so that the call can be repeated.
    pub(crate) fn fill(&mut self, length: usize) -> io::Result<()> {
        while self.held.filled < length && !self.is_last {
            self.read(length - self.held.filled)?;
        }
        Ok(())
    }
}

impl<R> RollingBuffer<R> {
    /// Returns an empty buffer before a reader that stands at offset `start` of the input.
    pub(crate) fn new(reader: R, start: u64) -> Self {
        RollingBuffer { reader, held: Buffer::at(start), start, is_last: false, is_paused: false }
    }

    /// Returns the text at hand.
    pub(crate) fn held(&self) -> &Buffer {
        &self.held
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.held.bytes()
    }

    /// Returns the offset of the input at which reading began.
    #[cfg(feature = "archive")]
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Returns how many bytes were read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.held.end() - self.start
    }

    /// Adds what came without the reader. There may be no more for a while.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let filled = self.held.filled;
        self.held.room(filled, filled + bytes.len()).copy_from_slice(bytes);
        self.held.filled += bytes.len();
        self.is_paused = true;
    }

    /// Gives up the first `by` bytes.
    pub(crate) fn drop_front(&mut self, by: usize) {
        self.held.drop_front(by);
    }

    /// Lends the text to a search. Nothing is read until it is given back.
    #[cfg(feature = "parallel")]
    pub(crate) fn lend(&mut self) -> Buffer {
        mem::take(&mut self.held)
    }

    #[cfg(feature = "parallel")]
    pub(crate) fn give_back(&mut self, lent: Buffer) {
        self.held = lent;
    }

    /// Goes on in another storage, without the first `by` bytes, and hands out the text as it was.
    #[cfg(any(feature = "parallel", feature = "archive"))]
    pub(crate) fn move_on(&mut self, by: usize, storage: Vec<u8>) -> Buffer {
        let kept = &self.held.bytes()[by..];
        let (base, is_damaged) = (self.held.base + by as u64, self.held.is_damaged);
        let mut next = Buffer { storage, filled: kept.len(), base, is_damaged };
        next.room(0, kept.len()).copy_from_slice(kept);
        mem::replace(&mut self.held, next)
    }
}

/// Reads again when a signal came in between.
pub(crate) fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Storages to be used again. The one used last comes first: it is still in the thread's cache.
#[cfg(any(feature = "parallel", feature = "archive"))]
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Vec<u8>>>);

#[cfg(any(feature = "parallel", feature = "archive"))]
impl Pool {
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn put(&self, storage: Vec<u8>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(storage);
    }
}

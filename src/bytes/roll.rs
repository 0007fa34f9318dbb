//! The part of an input that is in memory: a buffer that moves forward over the input.
//!
//! A stream searches the buffer in place. The splitter of mail and the reader of chunks pass
//! stretches of it to other threads. Reading then continues in another storage from a pool, and the
//! stretch keeps the old storage.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::sync::{Mutex, PoisonError};

/// The capacity of a pipe on most systems. A read of this many bytes found a full pipe, whose
/// writer may have been waiting.
const FULL_PIPE: usize = 64 << 10;
/// The maximum number of bytes that one read puts into a new storage. Later reads at most double
/// the storage.
pub(crate) const FIRST_READ: usize = 64 << 10;

/// An error that ends an input early. The reader that returns it stores the cause for its owner.
///
/// After any error, the drivers still find all URLs that the end does not truncate. After this
/// error, they return their [`Stats`](crate::Stats) instead of the error.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedEnd;

impl DamagedEnd {
    pub(crate) fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<DamagedEnd>())
    }

    /// Returns the result of a reader, with any error replaced by a damaged end. The error is
    /// stored in `failure`. An interrupted read is returned unchanged.
    ///
    /// # Errors
    ///
    /// Returns a `DamagedEnd`, or [`ErrorKind::Interrupted`].
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

/// A stretch of an input, in reusable storage.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// The input up to `filled`, then old bytes. The old bytes are kept, so that the space for
    /// reads is zeroed only once.
    storage: Vec<u8>,
    filled: usize,
    /// The offset in the input of the first byte.
    pub(crate) base: u64,
    /// Whether the input ends with these bytes because reading failed.
    is_damaged: bool,
}

impl Buffer {
    /// Returns an empty buffer at an offset of the input.
    pub(crate) fn at(base: u64) -> Buffer {
        Buffer { base, ..Buffer::default() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.storage[..self.filled]
    }

    /// Returns whether reading the input failed after these bytes.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Records that reading the input failed after these bytes.
    pub(crate) fn damage(&mut self) {
        self.is_damaged = true;
    }

    /// Returns the offset in the input at which the text ends.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.filled as u64
    }

    /// Returns the index in the text of an offset in the input. The index may be beyond the text.
    /// An offset before the text yields 0.
    pub(crate) fn local(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }

    /// Fills the buffer with the bytes that `read` writes into the first `length` bytes of
    /// `storage`. `read` returns the number of bytes that it wrote.
    pub(crate) fn fill(&mut self, storage: Vec<u8>, length: usize, read: impl FnOnce(&mut [u8]) -> usize) {
        (self.storage, self.is_damaged) = (storage, false);
        self.filled = read(self.room(0, length));
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        // The damage is after the last byte. It no longer matters if that byte is removed.
        self.is_damaged &= length == self.filled;
        self.filled = length;
    }

    /// Removes the storage, and returns it for another text. The buffer is empty afterwards.
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

/// A buffer that moves forward over an input.
///
/// The reader writes straight into the storage. `take().read_to_end()` into a `Vec` would need no
/// zeroed space, but each call begins with small reads that grow.
#[derive(Debug)]
pub(crate) struct RollingBuffer<R> {
    pub(crate) reader: R,
    held: Buffer,
    /// The offset in the input at which reading began.
    start: u64,
    /// Whether the reader has reported the end of the input. Then the input ends with the buffer.
    pub(crate) is_last: bool,
    /// Whether the last read returned less than it could. There may be no more input for a while.
    pub(crate) is_paused: bool,
}

impl<R: Read> RollingBuffer<R> {
    /// Calls the reader once, for at most `most` bytes.
    ///
    /// This way a pipe that pauses does not delay the URLs read so far. The storage at most
    /// doubles, so that a small input has a small storage.
    pub(crate) fn read(&mut self, most: usize) -> io::Result<()> {
        let Buffer { storage, filled, .. } = &self.held;
        let (size, filled) = (storage.len(), *filled);
        let room = self.held.room(filled, filled + most.min(size.max(FIRST_READ)));
        // A pipe returns at most its capacity, so a read of that size shows no pause.
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

    /// Ends the input, because reading failed.
    pub(crate) fn damage(&mut self) {
        self.held.is_damaged = true;
        self.is_last = true;
    }

    /// Reads until the buffer holds `length` bytes, or the input ends.
    ///
    /// After an error the bytes read so far are kept, so that the call can be repeated.
    pub(crate) fn fill(&mut self, length: usize) -> io::Result<()> {
        while self.held.filled < length && !self.is_last {
            self.read(length - self.held.filled)?;
        }
        Ok(())
    }
}

impl<R> RollingBuffer<R> {
    /// Returns an empty buffer for a reader that is at offset `start` of the input.
    pub(crate) fn new(reader: R, start: u64) -> Self {
        RollingBuffer { reader, held: Buffer::at(start), start, is_last: false, is_paused: false }
    }

    /// Returns the current text.
    pub(crate) fn held(&self) -> &Buffer {
        &self.held
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.held.bytes()
    }

    /// Returns the offset in the input at which reading began.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Returns the number of bytes that were read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.held.end() - self.start
    }

    /// Appends bytes that did not come from the reader. Sets `is_paused`, because there may be no
    /// more input for a while.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let filled = self.held.filled;
        self.held.room(filled, filled + bytes.len()).copy_from_slice(bytes);
        self.held.filled += bytes.len();
        self.is_paused = true;
    }

    /// Removes the first `by` bytes.
    pub(crate) fn drop_front(&mut self, by: usize) {
        self.held.drop_front(by);
    }

    /// Lends the text to a search. Nothing may be read until the text is given back.
    pub(crate) fn lend(&mut self) -> Buffer {
        mem::take(&mut self.held)
    }

    pub(crate) fn give_back(&mut self, lent: Buffer) {
        self.held = lent;
    }

    /// Continues in another storage, without the first `by` bytes, and returns the old text.
    pub(crate) fn move_on(&mut self, by: usize, storage: Vec<u8>) -> Buffer {
        let kept = &self.held.bytes()[by..];
        let (base, is_damaged) = (self.held.base + by as u64, self.held.is_damaged);
        let mut next = Buffer { storage, filled: kept.len(), base, is_damaged };
        next.room(0, kept.len()).copy_from_slice(kept);
        mem::replace(&mut self.held, next)
    }
}

/// Repeats a read if a signal interrupted it.
pub(crate) fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Storages for reuse. The storage that was used last is reused first, because it is still in the
/// cache.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Vec<u8>>>);

impl Pool {
    pub(crate) fn take(&self) -> Vec<u8> {
        // A panic of another thread cannot leave the list half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn put(&self, storage: Vec<u8>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(storage);
    }
}

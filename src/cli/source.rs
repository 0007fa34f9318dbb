//! The input of a driver, with two additions: its progress is shown, and a failed read ends it.
//!
//! After a failed read, the [`ReadFailure`] has the reason. So every driver delivers the matches
//! before the failure, except a URL that the failure truncates. Even then, the output is the same
//! for every number of threads.

use std::fs::Metadata;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use urlgrep::archive::{Container, Input};
use urlgrep::{DamagedEnd, ReadAt};

use super::hidden_zip::InputTail;
use super::progress::Progress;
use crate::command::os::more_comes_soon;
use crate::command::store::UnreadPart;

/// The capacity of a pipe on most systems.
const FULL_PIPE: usize = 64 * 1024;

/// A file that is searched, or one inside it.
pub(crate) struct InputFile {
    pub(crate) name: Vec<u8>,
    /// The file is inside another one.
    pub(crate) is_member: bool,
    /// The file is a cell of a database.
    pub(crate) is_cell: bool,
    /// The path of a regular file.
    pub(crate) path: Option<PathBuf>,
    pub(crate) container: Container,
    /// The part to search.
    pub(crate) unread: UnreadPart,
    /// The metadata at the time of opening, if the worker [compares
    /// files](super::search::Worker::compares_files).
    pub(crate) begun: Option<Metadata>,
}

impl InputFile {
    /// Returns a file inside this one.
    pub(crate) fn member(&self, path: &[u8]) -> Arc<Self> {
        Arc::new(self.inside(path))
    }

    /// Returns a cell of this database.
    pub(crate) fn cell(&self, path: &[u8]) -> Arc<Self> {
        Arc::new(Self { is_cell: true, ..self.inside(path) })
    }

    fn inside(&self, path: &[u8]) -> Self {
        let name = [&self.name, &b"!/"[..], path].concat();
        let (path, container, unread) = (None, Container::Text, UnreadPart::All);
        Self { name, is_member: true, is_cell: false, path, container, unread, begun: None }
    }
}

/// A reader that shows its progress, and ends at a failure.
pub(crate) struct Source<R> {
    reader: R,
    position: u64,
    /// The end of the furthest read of any thread.
    furthest: AtomicU64,
    progress: Progress,
    state: Arc<SourceState>,
    /// Waits a moment for more bytes, and returns whether there are any.
    more_comes_soon: fn(&R) -> bool,
    tail: Option<InputTail>,
}

/// The state of a [`Source`] that stays readable while a driver owns it.
#[derive(Default)]
struct SourceState {
    is_paused: AtomicBool,
    has_bytes: AtomicBool,
    failure: Mutex<Option<io::Error>>,
}

/// A handle that reports whether an input pauses, because its last read was short. The caller keeps
/// the handle while a driver owns the [`Source`].
#[derive(Clone)]
pub(crate) struct InputPause(Arc<SourceState>);

impl InputPause {
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_paused.load(Ordering::Relaxed)
    }
}

/// A handle that reports whether an input is empty. The caller keeps the handle while a driver owns
/// the [`Source`].
pub(crate) struct InputBytes(Arc<SourceState>);

impl InputBytes {
    /// Returns true until a byte was read.
    pub(crate) fn are_missing(&self) -> bool {
        !self.0.has_bytes.load(Ordering::Relaxed)
    }
}

/// A handle that has the error that ended an input early, if any. The caller keeps the handle while
/// a driver owns the [`Source`].
#[derive(Clone)]
pub(crate) struct ReadFailure(Arc<SourceState>);

impl ReadFailure {
    /// Removes the failure, and returns it with its consequence.
    pub(crate) fn take(&self) -> Option<io::Error> {
        let error = self.0.failure.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(io::Error::new(error.kind(), format!("{error}; a URL that this truncates is skipped")))
    }
}

impl<R> Source<R> {
    pub(crate) fn new(reader: R, progress: Progress) -> Self {
        let (position, furthest) = (0, AtomicU64::new(0));
        Self { reader, position, furthest, progress, state: Arc::default(), more_comes_soon: |_| false, tail: None }
    }

    pub(crate) fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns a handle that has the failure of a read, once the input has ended.
    pub(crate) fn failure(&self) -> ReadFailure {
        ReadFailure(Arc::clone(&self.state))
    }

    /// Returns a handle that reports whether the input pauses. Then output must not stay buffered.
    pub(crate) fn pause(&self) -> InputPause {
        InputPause(Arc::clone(&self.state))
    }

    /// Returns a handle that reports whether any byte was read, once the input has ended.
    pub(crate) fn bytes(&self) -> InputBytes {
        InputBytes(Arc::clone(&self.state))
    }

    /// Keeps the last bytes of an input that is read in order.
    pub(crate) fn keep_tail(&mut self) -> InputTail {
        self.tail.get_or_insert_default().clone()
    }

    fn reached(&self, offset: u64) {
        let before = self.furthest.fetch_max(offset, Ordering::Relaxed);
        self.progress.add(offset.saturating_sub(before));
    }

    /// Stores a failure, and ends the input there.
    fn keep_failure(&self, read: io::Result<usize>) -> io::Result<usize> {
        if read.is_ok() {
            return read; // without the lock
        }
        DamagedEnd::or_keep(read, &mut self.state.failure.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Source<Input> {
    /// Makes a source of an opened input, which may be a pipe.
    pub(crate) fn opened(input: Input, progress: Progress) -> Self {
        Self { more_comes_soon, ..Self::new(input, progress) }
    }

    /// Returns the whole text of a small file, and adds it to the progress.
    pub(crate) fn in_memory(&self) -> Option<&[u8]> {
        let text = self.reader.in_memory()?;
        self.reached(text.len() as u64);
        Some(text)
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer);
        let mut got = self.keep_failure(read)?;
        // The read collects at most a pipe's capacity, so that the writer continues while this text
        // is searched.
        let full = buffer.len().min(FULL_PIPE);
        while 0 < got && got < full && (self.more_comes_soon)(&self.reader) {
            match self.reader.read(&mut buffer[got..]) {
                Ok(more @ 1..) => got += more,
                _ => break, // the next read returns this again
            }
        }
        if let Some(tail) = &self.tail {
            tail.push(&buffer[..got]);
        }
        self.position += got as u64;
        self.reached(self.position);
        self.state.has_bytes.fetch_or(got > 0, Ordering::Relaxed);
        self.state.is_paused.store(got < full, Ordering::Relaxed);
        Ok(got)
    }
}

impl<R: ReadAt> ReadAt for Source<R> {
    fn size(&self) -> io::Result<u64> {
        self.reader.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.keep_failure(self.reader.read_at(buffer, offset))?;
        self.reached(offset + got as u64);
        Ok(got)
    }
}

impl<R: Seek> Seek for Source<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.reader.seek(to)?;
        Ok(self.position)
    }
}

//! What a search of a file reads: a path, or a file object of Python's; and how much of it was read.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use urlgrep::archive::{Container, Input};

use crate::range::RangeCounts;

/// What tells what a file is, as `OpenOptions::recognise` wants it.
pub(crate) const HEAD: usize = 64 << 10;

/// What a search says of itself.
#[derive(Default)]
pub(crate) struct Told {
    counts: OnceLock<RangeCounts>,
    bytes: AtomicU64,
}

impl Told {
    /// Of a range, at the end.
    pub(crate) fn counts(&self) -> Option<RangeCounts> {
        self.counts.get().copied()
    }

    /// The search of a range has ended.
    pub(crate) fn end(&self, counts: urlgrep::RangeCounts) {
        let _ = self.counts.set(counts.into());
    }

    /// So many bytes of the file were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn read(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// A file that is opened.
pub(crate) enum File {
    Path { input: Input, told: Arc<Told> },
    Object { object: FileObject, container: Option<Container> },
}

impl File {
    /// A file at a path. Unless it was known what it is, its first bytes were looked at; if it is no longer than these, they
    /// are not read again.
    pub(crate) fn at_path(input: Input, is_known: bool, told: Arc<Told>) -> Self {
        let size = input.size().unwrap_or(0);
        if !is_known && size > HEAD as u64 {
            told.read(HEAD);
        }
        Self::Path { input, told }
    }

    /// What it is, if that is known before it is read. An object that can only be read once is not looked at.
    pub(crate) fn container(&mut self, recognise: impl FnOnce(&[u8]) -> Container) -> io::Result<Container> {
        match self {
            Self::Path { input, .. } => Ok(input.container()),
            Self::Object { container: Some(container), .. } => Ok(*container),
            Self::Object { object, .. } => {
                object.seek(SeekFrom::Start(0))?;
                Ok(recognise(&object.head()?))
            }
        }
    }

    /// It has an end that is known, and so ranges.
    pub(crate) fn has_size(&self) -> bool {
        match self {
            Self::Path { input, .. } => input.size().is_some(),
            Self::Object { .. } => true,
        }
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Path { input, told } => {
                let got = input.read(buffer)?;
                told.read(got);
                Ok(got)
            }
            Self::Object { object, .. } => object.read(buffer),
        }
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Path { input, .. } => input.seek(to),
            Self::Object { object, .. } => object.seek(to),
        }
    }
}

/// A file object of Python's, which the thread of a search reads.
///
/// What `read` gives is kept as it is, and handed on from there without the GIL. `readinto` would save nothing: the buffer
/// would have to be Python's, and fsspec makes it of `read`.
pub(crate) struct FileObject {
    object: Py<PyAny>,
    held: PyBackedBytes,
    /// Of the next byte in what is held.
    at: usize,
    /// Of the byte behind what is held, which is where the object stands. It counts from where the object stood at first,
    /// until somebody seeks.
    offset: u64,
    /// What lies behind is read in small pieces: only a range's last lines go on there.
    end: u64,
    /// What it is asked for next.
    size: u64,
    told: Arc<Told>,
}

impl FileObject {
    /// What it is asked for at a time.
    const MOST: u64 = 1 << 20;
    /// Behind the end of a range, and where nobody knows yet whether he stays there.
    const LEAST: u64 = 128 << 10;

    /// `end` is that of the range that is read, or beyond all files.
    pub(crate) fn new(py: Python<'_>, object: Py<PyAny>, end: u64, told: Arc<Told>) -> PyResult<Self> {
        Ok(Self { object, held: PyBytes::new(py, b"").extract()?, at: 0, offset: 0, end, size: Self::MOST, told })
    }

    /// True if it can go to any place.
    pub(crate) fn can_seek(object: &Bound<'_, PyAny>) -> PyResult<bool> {
        match object.hasattr("seekable")? {
            true => object.call_method0("seekable")?.is_truthy(),
            false => object.hasattr("seek"),
        }
    }

    /// The bytes from here on: so many, or all there are. They are not held.
    pub(crate) fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        while head.len() < HEAD {
            let got = self.ask(HEAD - head.len())?;
            if got.is_empty() {
                break;
            }
            head.extend_from_slice(&got);
            self.offset += got.len() as u64;
        }
        Ok(head)
    }

    fn ask(&self, size: usize) -> io::Result<PyBackedBytes> {
        let read = attached(|py| {
            let read = self.object.bind(py).call_method1("read", (size,))?;
            let Ok(bytes) = read.cast_into::<PyBytes>() else {
                return Err(PyTypeError::new_err("read() gave no bytes: open the file in binary mode"));
            };
            let bytes: PyBackedBytes = bytes.extract()?;
            if bytes.len() > size {
                return Err(PyValueError::new_err("read() gave more than it was asked for"));
            }
            Ok(bytes)
        })?;
        self.told.read(read.len());
        Ok(read)
    }

    /// Goes to a place, and says where that is.
    fn go(&mut self, by: i64, whence: u8) -> io::Result<u64> {
        self.offset = attached(|py| {
            let object = self.object.bind(py);
            let at = object.call_method1("seek", (by, whence))?;
            // Not all of them say.
            if at.is_none() { object.call_method0("tell")? } else { at }.extract()
        })?;
        (self.at, self.size) = (self.held.len(), Self::LEAST);
        Ok(self.offset)
    }
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.held.len() {
            let left = self.end.saturating_sub(self.offset).max(Self::LEAST);
            self.held = self.ask(self.size.min(left) as usize)?;
            self.size = Self::MOST;
            self.at = 0;
            self.offset += self.held.len() as u64;
        }
        let got = (&self.held[self.at..]).read(buffer)?;
        self.at += got;
        Ok(got)
    }
}

impl Seek for FileObject {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let here = self.offset - (self.held.len() - self.at) as u64;
        let to = match to {
            SeekFrom::Start(to) => Some(to),
            SeekFrom::Current(by) => here.checked_add_signed(by),
            SeekFrom::End(by) => return self.go(by, 2),
        };
        let to = to.and_then(|to| i64::try_from(to).ok()).ok_or(io::ErrorKind::InvalidInput)?;
        self.go(to, 0)
    }
}

/// With the GIL. What Python raises stays what it is within the error.
fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    // None: the interpreter ends.
    Python::try_attach(call).unwrap_or_else(|| Err(PyValueError::new_err("Python has ended"))).map_err(io::Error::from)
}

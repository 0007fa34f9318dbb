//! The file that a search reads, a path or a Python file object: its name, and the bytes read.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use urlgrep::archive::{Container, Input};

use crate::range::RangeCounts;

/// The number of leading bytes by which `OpenOptions::recognise` identifies a file.
pub(crate) const HEAD: usize = 64 << 10;

/// The figures of a search.
#[derive(Default)]
pub(crate) struct Tally {
    counts: OnceLock<RangeCounts>,
    bytes: AtomicU64,
}

impl Tally {
    /// Returns the counts of a range whose search has ended.
    pub(crate) fn counts(&self) -> Option<RangeCounts> {
        self.counts.get().copied()
    }

    /// Sets the counts of a range whose search has ended.
    pub(crate) fn end(&self, counts: urlgrep::RangeCounts) {
        let _ = self.counts.set(counts.into());
    }

    /// Returns the number of bytes read from the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Adds to the number of bytes read.
    fn read(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// An open file.
pub(crate) enum File {
    Path { input: Input, tally: Arc<Tally> },
    Object { object: FileObject, container: Option<Container> },
}

impl File {
    /// Wraps the input of a path. Unless its kind `is_known`, its first bytes were read already. A
    /// longer file is read again from its start, so these bytes are counted twice.
    pub(crate) fn at_path(input: Input, is_known: bool, tally: Arc<Tally>) -> Self {
        let size = input.size().unwrap_or(0);
        if !is_known && size > HEAD as u64 {
            tally.read(HEAD);
        }
        Self::Path { input, tally }
    }

    /// Returns the kind of the file. A file object must be able to seek back, since its first bytes
    /// identify its kind.
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

    /// Returns true if the end of the file is fixed, so that it can be read in ranges.
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
            Self::Path { input, tally } => {
                let got = input.read(buffer)?;
                tally.read(got);
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

/// A Python file object, which the thread of a search reads.
///
/// The object that `read` returns is kept, and its bytes are copied without the GIL. `readinto`
/// would save nothing: its buffer would have to be Python's, and fsspec implements it with `read`.
pub(crate) struct FileObject {
    object: Py<PyAny>,
    /// The bytes of the last read.
    held: PyBackedBytes,
    /// The index of the next byte in `held`.
    at: usize,
    /// The offset after `held`, which is the object's position. Before the first seek it counts
    /// from the object's initial position.
    offset: u64,
    /// The end of the range. Bytes after it are read in small pieces: only the last lines of a
    /// range extend there.
    end: u64,
    /// The size of the next read.
    size: u64,
    tally: Arc<Tally>,
}

impl FileObject {
    /// The usual size of a read.
    const MOST: u64 = 1 << 20;
    /// The size of a read after the end of a range, and of the first read after a seek.
    const LEAST: u64 = 128 << 10;

    /// Wraps a file object. `end` is the end of the range, or a number larger than any file.
    pub(crate) fn new(py: Python<'_>, object: Py<PyAny>, end: u64, tally: Arc<Tally>) -> PyResult<Self> {
        Ok(Self { object, held: PyBytes::new(py, b"").extract()?, at: 0, offset: 0, end, size: Self::MOST, tally })
    }

    /// Returns true if the object can seek.
    pub(crate) fn can_seek(object: &Bound<'_, PyAny>) -> PyResult<bool> {
        match object.hasattr("seekable")? {
            true => object.call_method0("seekable")?.is_truthy(),
            false => object.hasattr("seek"),
        }
    }

    /// Reads [`HEAD`] bytes, or fewer at the end of the file, and holds none of them.
    pub(crate) fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        while head.len() < HEAD {
            let got = self.call_read(HEAD - head.len())?;
            if got.is_empty() {
                break;
            }
            head.extend_from_slice(&got);
            self.offset += got.len() as u64;
        }
        Ok(head)
    }

    /// Calls the object's `read`.
    fn call_read(&self, size: usize) -> io::Result<PyBackedBytes> {
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
        self.tally.read(read.len());
        Ok(read)
    }

    /// Calls the object's `seek`, and returns the new offset.
    fn call_seek(&mut self, by: i64, whence: u8) -> io::Result<u64> {
        self.offset = attached(|py| {
            let object = self.object.bind(py);
            let at = object.call_method1("seek", (by, whence))?;
            // Some objects return None.
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
            self.held = self.call_read(self.size.min(left) as usize)?;
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
            SeekFrom::End(by) => return self.call_seek(by, 2),
        };
        let to = to.and_then(|to| i64::try_from(to).ok()).ok_or(io::ErrorKind::InvalidInput)?;
        self.call_seek(to, 0)
    }
}

/// Runs `call` with the GIL. The error keeps a Python exception inside.
fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    // `None` means that the interpreter is shutting down.
    Python::try_attach(call).unwrap_or_else(|| Err(PyValueError::new_err("Python has ended"))).map_err(io::Error::from)
}

/// Returns the name of a file object, and the last part of the name. The name is `file`, or else
/// the attribute `name`.
pub(crate) fn name_of(object: &Bound<'_, PyAny>, file: Option<&Bound<'_, PyAny>>) -> PyResult<(PathBuf, Vec<u8>)> {
    let own = || object.getattr("name").and_then(|name| path_of(&name)).ok();
    let name = file.map(path_of).transpose()?.or_else(own).unwrap_or_default();
    let last = last_of(&name);
    Ok((name, last))
}

/// Returns the last part of a path.
pub(crate) fn last_of(path: &Path) -> Vec<u8> {
    path.file_name().unwrap_or_default().as_encoded_bytes().to_vec()
}

/// Converts a path with `os.fsdecode`.
pub(crate) fn path_of(path: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let path = path.py().import("os")?.call_method1("fsdecode", (path,))?;
    path.extract()
}

//! One input, opened: a regular file, a pipe or standard input behind one `Read`; a regular file behind `ReadAt` too, so
//! that every worker reads what it searches.
//!
//! A regular file is read up to the size it had when it was opened, so a file that grows while it is read (a log, or
//! our own output) ends; one that *shrinks* is an error, because what is missing would otherwise look like "no match".
//! Files of size 0 that hold something all the same (/proc), pipes and devices are read to their end.
//!
//! A read that fails ends the input; why, the [`Failure`] tells afterwards. So every driver delivers what stands before
//! the failure, and the output is the same for every number of threads there too.
//!
//! Files are read, not mapped. What that costs was measured (2026-11, Linux 6.18, 256 MiB in the page cache, with a scan
//! for colons behind it): 42 ms read into a buffer of 1 MiB, of which 34 are the bare `read` calls, alike for reads of
//! 64 KiB to 1 MiB; mapped in windows of 8 MiB, 12 ms where the system maps 2 MiB at a time and 25 to 35 ms where it does
//! not (a file just written). The whole command takes 36 ms on such a file without URLs and 78 on mail, so reading is what
//! it waits for. But a mapping takes `unsafe`, and a file that shrinks under it kills the process unless a signal handler
//! steps in, where a read gives an error that says so.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use urlgrep::ReadAt;

use super::progress::Progress;

/// As much of an input tells what it is.
const HEAD: usize = 64 << 10;

/// An open input.
pub(crate) struct Source {
    input: Input,
    /// Of a regular file that is not empty.
    size: Option<u64>,
    position: u64,
    /// How far it was read by anybody.
    furthest: AtomicU64,
    /// What was looked at of a pipe before anybody read it, and how much of it was read since.
    head: Vec<u8>,
    replayed: usize,
    /// The head is all there is. A terminal that was told so must not be asked again: it would wait for more.
    has_ended: bool,
    progress: Progress,
    failure: Failure,
}

/// Why an input ended before its end, if it did. Stays with the caller while the [`Source`] is with a driver.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<io::Error>>>);

impl Failure {
    /// The failure, once.
    pub(crate) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: io::Error) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

enum Input {
    File(File),
    Stdin(io::Stdin),
}

impl Source {
    /// Standard input. Where the shell redirected a file, its offset is the shell's, so it is read to its end.
    pub(crate) fn stdin(progress: Progress) -> Self {
        Self::new(Input::Stdin(io::stdin()), None, progress)
    }

    /// Opens a file, a named pipe or a device.
    pub(crate) fn open(path: &Path, progress: Progress) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            // It was no folder a moment ago, or a system opens folders like files; the read would fail less clearly.
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let size = (metadata.is_file() && metadata.len() > 0).then_some(metadata.len());
        Ok(Self::new(Input::File(file), size, progress))
    }

    fn new(input: Input, size: Option<u64>, progress: Progress) -> Self {
        Self {
            input,
            size,
            position: 0,
            furthest: AtomicU64::new(0),
            head: Vec::new(),
            replayed: 0,
            has_ended: false,
            progress,
            failure: Failure::default(),
        }
    }

    /// The size when it was opened, where that says something.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// To be asked when the input has ended.
    pub(crate) fn failure(&self) -> Failure {
        self.failure.clone()
    }

    /// The bytes that the input begins with, before anything was read: as many as are `enough`, or [`HEAD`], or all there
    /// are. A pipe is not waited for longer than that, a terminal not at all: who types wants answers line by line.
    pub(crate) fn head(&mut self, enough: impl Fn(&[u8]) -> bool) -> &[u8] {
        let is_terminal = matches!(&self.input, Input::Stdin(stdin) if stdin.is_terminal());
        let size = if is_terminal { 0 } else { self.size.unwrap_or(u64::MAX).min(HEAD as u64) as usize };
        let mut head = vec![0; size];
        let mut filled = 0;
        while filled < size && !enough(&head[..filled]) {
            let read = match self.size {
                Some(_) => self.try_read_at(&mut head[filled..], filled as u64),
                None => self.try_read(&mut head[filled..]),
            };
            match self.end_at_failure(read) {
                0 => {
                    self.has_ended = true;
                    break;
                }
                got => filled += got,
            }
        }
        head.truncate(filled);
        self.head = head;
        &self.head
    }

    fn try_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = match (&mut self.input, self.size) {
            (Input::File(_), Some(size)) => {
                let left = size.saturating_sub(self.position);
                let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.try_read_at(&mut buffer[..most], self.position)?
            }
            (Input::File(file), None) => persist(|| file.read(buffer))?,
            (Input::Stdin(stdin), _) => persist(|| stdin.read(buffer))?,
        };
        self.position += got as u64;
        self.reached(self.position);
        Ok(got)
    }

    fn try_read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let Input::File(file) = &self.input else { return Err(not_in_ranges()) };
        let got = persist(|| file.read_at(buffer, offset))?;
        if got == 0 && !buffer.is_empty() {
            let now = file.metadata()?.len();
            // If it did not shrink, it never held as much as it claims: a file of /sys, whose size is a page.
            if let Some(size) = self.size.filter(|&size| now < size) {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("shrank from {size} to {now} bytes while it was read; search it again"),
                ));
            }
        }
        Ok(got)
    }

    fn reached(&self, offset: u64) {
        let before = self.furthest.fetch_max(offset, Ordering::Relaxed);
        self.progress.add(offset.saturating_sub(before));
    }

    /// Keeps the failure for the caller, and ends the input.
    fn end_at_failure(&self, read: io::Result<usize>) -> usize {
        read.unwrap_or_else(|error| {
            self.failure.set(error);
            0
        })
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.size.is_none() && self.replayed < self.head.len() {
            let got = (&self.head[self.replayed..]).read(buffer)?;
            self.replayed += got;
            return Ok(got);
        }
        if self.size.is_none() && self.has_ended {
            return Ok(0);
        }
        let read = self.try_read(buffer);
        Ok(self.end_at_failure(read))
    }
}

/// A regular file, for all threads at once.
impl ReadAt for Source {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size.unwrap_or(0))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.end_at_failure(self.try_read_at(buffer, offset));
        self.reached(offset + got as u64);
        Ok(got)
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if matches!(self.input, Input::Stdin(_)) {
            return Err(not_in_ranges());
        }
        let to = match to {
            SeekFrom::Start(to) => Some(to),
            // The end is the one seen at open.
            SeekFrom::End(by) => self.size.unwrap_or(0).checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        self.position = to.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// Reads again when a signal came in between.
fn persist(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

fn not_in_ranges() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "standard input cannot be read in ranges")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn temporary(name: &str, bytes: &[u8]) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("urlgrep-source-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn open(path: &Path) -> Source {
        Source::open(path, Progress::hidden()).unwrap()
    }

    #[test]
    fn a_file_that_shrinks_is_an_error_that_says_so() {
        let path = temporary("shrinks", &[b'x'; 1000]);
        let mut source = open(&path);
        let mut buffer = [0; 600];
        assert_eq!(source.read(&mut buffer).unwrap(), 600);
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(600).unwrap();
        assert_eq!(source.read(&mut buffer).unwrap(), 0);
        let error = source.failure().take().unwrap();
        assert!(error.to_string().contains("shrank from 1000 to 600 bytes"), "{error}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_grows_ends_where_it_ended_at_open() {
        let path = temporary("grows", &[b'x'; 1000]);
        let mut source = open(&path);
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[b'y'; 10]).unwrap();
        let mut all = Vec::new();
        source.read_to_end(&mut all).unwrap();
        assert_eq!(all, [b'x'; 1000]);
        assert!(source.failure().take().is_none());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn seeking_keeps_count() {
        let path = temporary("seeks", b"0123456789");
        let mut source = open(&path);
        source.seek(SeekFrom::Start(7)).unwrap();
        let mut rest = String::new();
        source.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "789");
        assert_eq!(source.seek(SeekFrom::End(-2)).unwrap(), 8);
        source.seek(SeekFrom::Start(12)).unwrap();
        assert_eq!(source.read(&mut [0; 4]).unwrap(), 0, "beyond the end is no shrinking");
        std::fs::remove_file(path).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_size_0_is_read_to_its_end() {
        let path = Path::new("/proc/self/status");
        assert_eq!(std::fs::metadata(path).unwrap().len(), 0);
        let mut all = Vec::new();
        open(path).read_to_end(&mut all).unwrap();
        assert!(!all.is_empty());
    }
}

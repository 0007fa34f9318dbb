//! Reading: at an offset, and in spite of signals.

use std::io::{self, Read};

/// An input that can be read at any place, by several threads at once: a file, a slice.
pub trait ReadAt: Sync {
    /// Its length in bytes. What lies beyond is not read, should it grow.
    ///
    /// # Errors
    ///
    /// If it cannot be told.
    fn size(&self) -> io::Result<u64>;

    /// Reads into `buffer` what lies at `offset`, and says how much that was; 0 at the end. Less than the buffer holds is
    /// no end, as with [`Read`].
    ///
    /// # Errors
    ///
    /// If it cannot be read. The search ends there.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for &[u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        (&self[from..]).read(buffer)
    }
}

#[cfg(any(unix, windows))]
impl ReadAt for std::fs::File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(self, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(self, buffer, offset);
    }
}

#[cfg(feature = "archive")]
/// Reads again when a signal came in between.
pub(crate) fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

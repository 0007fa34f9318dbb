//! Inputs that can be read at any offset, by several threads at once.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// An input that several threads can read at any offset at once, such as a file or a slice.
///
/// ```
/// use urlgrep::ReadAt;
///
/// let mut bytes = [0; 4];
/// assert_eq!((&b"a slice"[..]).read_at(&mut bytes, 2)?, 4);
/// assert_eq!(&bytes, b"slic");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ReadAt: Sync {
    /// Returns the length in bytes. If the input grows, the bytes after that length are not read.
    ///
    /// # Errors
    ///
    /// Returns an error if the length cannot be determined.
    fn size(&self) -> io::Result<u64>;

    /// Reads from `offset` into `buffer`. Returns the number of bytes read, or 0 at the end.
    ///
    /// As with [`Read`], a partly filled buffer does not mean the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read. The search ends there.
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

/// A reader of an input, in order. It begins at offset 0, or at the offset of the last seek.
pub(crate) struct ReadAtCursor<'i> {
    input: &'i dyn ReadAt,
    size: u64,
    at: u64,
}

impl<'i> ReadAtCursor<'i> {
    pub(crate) fn new(input: &'i dyn ReadAt, size: u64) -> Self {
        ReadAtCursor { input, size, at: 0 }
    }
}

impl Read for ReadAtCursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The input may have grown since its size was read.
        let left = usize::try_from(self.size.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let got = self.input.read_at(&mut buffer[..most], self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

impl Seek for ReadAtCursor<'_> {
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

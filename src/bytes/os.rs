//! Positional reads of files, for which each operating system has its own call. Nothing else in the
//! library depends on the system.

use crate::bytes::read_at::ReadAt;

#[cfg(any(unix, windows))]
impl ReadAt for std::fs::File {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(self, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(self, buffer, offset);
    }
}

//! Positional reads of files. Each operating system has its own call for positional reads. Nothing
//! else in the library depends on the operating system.

use crate::bytes::read_at::ReadAt;

impl ReadAt for std::fs::File {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(self, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(self, buffer, offset);
        #[cfg(not(any(unix, windows)))]
        return read_in_turn(self, buffer, offset);
    }
}

/// Reads at an offset on systems without a call for it, such as WebAssembly. A file has only one
/// cursor there, so threads read one after another.
#[cfg(not(any(unix, windows)))]
fn read_in_turn(mut file: &std::fs::File, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};

    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

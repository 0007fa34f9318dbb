//! What each operating system has its own way for. Nothing else in the crate asks which one it is.

#[cfg(feature = "cli")]
use std::fs::{File, OpenOptions};
#[cfg(feature = "cli")]
use std::io;
#[cfg(feature = "cli")]
use std::path::Path;

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

/// A file that is created is its owner's alone, where files have owners.
#[cfg(feature = "cli")]
pub(crate) fn set_private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// The folder of the file that was opened last, for who opens file after file: those after it are opened by their names in the
/// open folder, where the system can, so that it need not follow the whole path each time. Six folders down that is 7% of the
/// system's time for files of 2 KB (Linux 6.18, 2026-11).
#[cfg(feature = "cli")]
#[derive(Debug, Default)]
pub struct OpenFolder {
    /// As it stands before the names, the last slash included.
    #[cfg(unix)]
    path: Vec<u8>,
    /// Opened for the second file.
    #[cfg(unix)]
    handle: Option<File>,
}

#[cfg(feature = "cli")]
impl OpenFolder {
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<File> {
        #[cfg(unix)]
        if let Some(file) = self.open_by_name(path) {
            return Ok(file);
        }
        File::open(path)
    }

    /// `None`: the path is to be followed, and may say why it leads nowhere.
    #[cfg(unix)]
    fn open_by_name(&mut self, path: &Path) -> Option<File> {
        use std::os::unix::ffi::OsStrExt;

        use rustix::fs::{Mode, OFlags, openat};

        let path = path.as_os_str().as_bytes();
        let (folder, name) = path.split_at(memchr::memrchr(b'/', path)? + 1);
        if folder != self.path {
            self.path.clear();
            self.path.extend_from_slice(folder);
            self.handle = None;
            return None;
        }
        if self.handle.is_none() {
            self.handle = File::open(std::ffi::OsStr::from_bytes(folder)).ok();
        }
        let opened = openat(self.handle.as_ref()?, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        opened.ok().map(File::from)
    }
}

/// The name of this machine; empty if nobody says.
#[cfg(feature = "cli")]
#[must_use]
pub fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return std::env::var("COMPUTERNAME").unwrap_or_default();
}

/// Waits a moment for more of a pipe, or of standard input if it is `None`, and says whether it is there, where the system
/// tells. A writer that is only slower than we are does not pause, and one that shares two cores with two searches is not
/// run for some milliseconds: a fast pipe was taken for a live one at every other read, and two threads were slower by a
/// fifth (2026-11).
#[cfg(feature = "cli")]
pub(crate) fn more_comes_soon(pipe: Option<&std::fs::File>) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
        let stdin = std::io::stdin();
        let pipe = pipe.map_or_else(|| stdin.as_fd(), AsFd::as_fd);
        poll(&mut [PollFd::from_borrowed_fd(pipe, PollFlags::IN)], Some(&MOMENT)).is_ok_and(|ready| ready > 0)
    }
    #[cfg(not(unix))]
    {
        let _ = pipe;
        false
    }
}

//! Calls that differ between operating systems. Nothing else in the command depends on the system.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal};
use std::path::Path;

use urlgrep::archive::Input;

/// Sets `options` to make a new file accessible only to its owner, if the system has owners.
pub(crate) fn set_private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Sets `builder` to make a new folder accessible only to its owner, if the system has owners.
pub(crate) fn set_private_folder(builder: &mut DirBuilder) {
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
    #[cfg(not(unix))]
    let _ = builder;
}

/// Returns whether both metadata belong to the same file. If the system has no file numbers, it
/// returns true.
pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        true
    }
}

/// Whether [`change`] shows every change of a file.
pub(crate) const SHOWS_CHANGES: bool = cfg!(unix);

/// A file's number, and the time of its last change in nanoseconds since 1970. The time covers
/// writes, and also new names, owners and times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) time: i64,
    pub(crate) inode: i64,
}

/// Returns a file's last change. If the system does not [show](SHOWS_CHANGES) it, it is always the
/// same.
pub(crate) fn change(metadata: &Metadata) -> Change {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let time = metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
        Change { time, inode: metadata.ino().cast_signed() }
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        Change::default()
    }
}

/// The folder of the last file that was opened. Later files in it are opened by name in the open
/// folder, if the system allows that. The system then need not resolve the whole path each time.
/// Six folders down, that saves 7% of the system time for files of 2 KB (Linux 6.18, 2026-11).
#[derive(Debug, Default)]
pub(crate) struct OpenFolder {
    /// The path before the file names, including the last slash.
    #[cfg(unix)]
    path: Vec<u8>,
    /// The handle, opened for the second file.
    #[cfg(unix)]
    handle: Option<File>,
}

impl OpenFolder {
    /// Opens a file: by its name if its folder is open, else by its path.
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<File> {
        #[cfg(unix)]
        if let Some(file) = self.open_by_name(path) {
            return Ok(file);
        }
        File::open(path)
    }

    /// Opens a file by its name. Returns `None` if the file must be opened by its path. Opening by the
    /// path then also gives the error.
    #[cfg(unix)]
    fn open_by_name(&mut self, path: &Path) -> Option<File> {
        use std::os::unix::ffi::OsStrExt;

        use rustix::fs::{Mode, OFlags, openat};

        let path = path.as_os_str().as_bytes();
        let (folder, name) = path.split_at(memchr::memrchr(b'/', path)? + 1);
        // Opening the folder pays only from its second file on.
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

/// Returns the name of this machine; empty if it is unknown.
pub(crate) fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return std::env::var("COMPUTERNAME").unwrap_or_default();
}

/// Waits up to 10 ms for more data in a pipe, and returns whether there is some. Without more data,
/// the writer of the pipe pauses. Returns false for regular files and terminals, and on systems
/// other than Unix.
pub(crate) fn more_comes_soon(input: &Input) -> bool {
    input.size().is_none()
        && match input.file() {
            Some(file) => !file.is_terminal() && is_readable_soon(file),
            None => !io::stdin().is_terminal() && is_readable_soon(&io::stdin()),
        }
}

/// Returns whether the pipe is readable within 10 ms. A writer that is merely slower than the
/// search does not pause. But if it shares two cores with two searches, it may not run for some
/// milliseconds. Without the wait, every second read mistook a fast pipe for a live one. A search
/// with two threads was then slower by a fifth (2026-11).
#[cfg(unix)]
fn is_readable_soon(pipe: &impl std::os::fd::AsFd) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
    poll(&mut [PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)], Some(&MOMENT)).is_ok_and(|ready| ready > 0)
}

#[cfg(not(unix))]
fn is_readable_soon<P>(_: &P) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(opener: &mut OpenFolder, path: &Path) -> io::Result<Input> {
        urlgrep::archive::OpenOptions::new().from_file(opener.open(path)?, path)
    }

    /// Checks that opening by path and by name in an open folder gives the same file, and the same
    /// error.
    #[test]
    fn file_after_file_of_a_folder_is_opened() {
        let root = std::env::temp_dir().join(format!("urlgrep-folders-{}", std::process::id()));
        let mut opener = OpenFolder::default();
        for folder in ["a", "b", "a"].map(|name| root.join(name)) {
            std::fs::create_dir_all(&folder).unwrap();
            for name in ["1", "2", "3"] {
                let path = folder.join(name);
                std::fs::write(&path, path.as_os_str().as_encoded_bytes()).unwrap();
                let input = opened(&mut opener, &path).unwrap();
                assert_eq!(input.in_memory(), Some(path.as_os_str().as_encoded_bytes()));
            }
            let missing = opened(&mut opener, &folder.join("4")).unwrap_err();
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        }
        // The open folder was renamed, and another folder has its name now. A file that the open folder
        // lacks is opened by its path.
        std::fs::rename(root.join("a"), root.join("c")).unwrap();
        std::fs::create_dir(root.join("a")).unwrap();
        std::fs::write(root.join("a/5"), "new").unwrap();
        let input = opened(&mut opener, &root.join("a/5")).unwrap();
        assert_eq!(input.in_memory(), Some(&b"new"[..]));
        assert!(opened(&mut opener, &root).is_err_and(|error| error.kind() == io::ErrorKind::IsADirectory));
        std::fs::remove_dir_all(root).unwrap();
    }
}

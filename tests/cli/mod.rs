//! A folder to work in, and the command to run in it.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A fresh folder that is removed with the test.
pub(crate) struct Dir {
    root: PathBuf,
}

/// The result of a run of the command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Dir {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("urlgrep-cli-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).unwrap();
        Self { root }
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// Writes a file, and creates the folders above it.
    pub(crate) fn file(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    /// Returns the command, in this folder, without variables of our own environment that affect
    /// it.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep"));
        command.current_dir(&self.root).args(args).stdin(Stdio::null());
        for name in ["NO_COLOR", "TERM", "CLICOLOR_FORCE", "URLGREP_CONFIG_PATH"] {
            command.env_remove(name);
        }
        // The page of an audit contains its date.
        command.env("SOURCE_DATE_EPOCH", "1790000000");
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        self.run_with(args, b"")
    }

    /// Runs the command with this standard input.
    pub(crate) fn run_with<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) -> Ran {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                // The command may stop reading before the end.
                let _ = stdin.write_all(input);
            });
            child.wait_with_output().unwrap()
        });
        Ran::from(output)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Asserts the exit status and the output, with nothing on standard error.
    #[track_caller]
    pub(crate) fn is(&self, code: i32, out: impl AsRef<[u8]>) -> &Self {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(shown(&self.out), shown(out.as_ref()), "stderr: {}", self.err);
        assert_eq!(self.out, out.as_ref());
        assert_eq!((self.code, self.err.as_str()), (code, ""));
        self
    }

    /// Asserts exit status 1 and one line that begins with `start`, with nothing on standard error.
    #[track_caller]
    pub(crate) fn says_no(&self, start: &str) -> &Self {
        assert!(self.text().starts_with(start), "{}", self.text());
        assert_eq!(self.text().lines().count(), 1);
        assert_eq!((self.code, self.err.as_str()), (1, ""));
        self
    }

    /// Asserts the end of the output.
    #[track_caller]
    pub(crate) fn ends_with(&self, end: &str) -> &Self {
        assert!(self.text().ends_with(end), "{}", self.text());
        self
    }

    /// Asserts exit status 2, this output, and an error that contains `words`.
    #[track_caller]
    pub(crate) fn fails(&self, out: &str, words: &[&str]) -> &Self {
        assert_eq!((self.code, self.text()), (2, out), "stderr: {}", self.err);
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in {:?}", self.err);
        }
        self
    }
}

/// Returns a file name that is not UTF-8.
#[cfg(unix)]
pub(crate) fn odd_name() -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(b"odd\xFF.txt".to_vec())
}

//! All output of the command. (The lints `print_stdout` and `print_stderr` forbid any other.)
//!
//! Standard output receives whole lines: the caller passes rendered output, in order, from one
//! thread. Standard error receives one line per problem. Earlier output is flushed first, so a
//! terminal shows both in order.

use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;

use urlgrep::report::escape;

use super::progress::Progress;

/// Output is buffered up to this size, because every write is a system call.
const GATHER: usize = 64 * 1024;

/// The command's standard output and standard error.
pub(crate) struct Out {
    stdout: StdoutLock<'static>,
    gathered: Vec<u8>,
    /// Standard output is a terminal, so nothing is buffered.
    terminal: bool,
    /// Nothing is buffered, even if standard output is not a terminal.
    is_line_buffered: bool,
    stderr_terminal: bool,
    /// The error that ended standard output.
    stopped: Option<io::Error>,
    failed: bool,
    /// Errors and notes on files are not printed.
    silent_on_files: bool,
    progress: Progress,
}

impl Out {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        Self {
            terminal: stdout.is_terminal(),
            stdout: stdout.lock(),
            is_line_buffered: false,
            gathered: Vec::new(),
            stderr_terminal: io::stderr().is_terminal(),
            stopped: None,
            failed: false,
            silent_on_files: false,
            progress: Progress::hidden(),
        }
    }

    /// Returns true if standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Turns buffering off from here on.
    pub(crate) fn set_line_buffered(&mut self) {
        self.is_line_buffered = true;
    }

    /// Returns the width in columns if standard output is a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(&self.stdout).map(|(width, _)| usize::from(width.0))
    }

    /// Returns true if standard error is a terminal.
    pub(crate) fn is_stderr_terminal(&self) -> bool {
        self.stderr_terminal
    }

    /// Sets the progress bar, which is hidden while something is printed.
    pub(crate) fn set_progress(&mut self, progress: Progress) {
        self.progress = progress;
    }

    /// Returns a handle to which readers add their progress.
    pub(crate) fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Prints to standard output. Returns `Break` once a write to standard output has failed.
    pub(crate) fn print(&mut self, page: &[u8]) -> ControlFlow<()> {
        if page.is_empty() || self.stopped.is_some() {
            return self.flow();
        }
        // Large output is written without a copy.
        if page.len() >= GATHER {
            let _ = self.flush();
            self.write(page);
        } else {
            self.gathered.extend_from_slice(page);
            if self.terminal || self.is_line_buffered || self.gathered.len() >= GATHER {
                let _ = self.flush();
            }
        }
        self.flow()
    }

    /// Writes the buffered output. This is needed before a read that may wait, and at the end.
    pub(crate) fn flush(&mut self) -> ControlFlow<()> {
        // `write` borrows all of `self`, so the buffer is taken out. It is put back afterwards, to
        // reuse its memory.
        let page = std::mem::take(&mut self.gathered);
        if !page.is_empty() {
            self.write(&page);
        }
        self.gathered = page;
        self.gathered.clear();
        self.flow()
    }

    fn write(&mut self, page: &[u8]) {
        if self.stopped.is_some() {
            return;
        }
        let stdout = &mut self.stdout;
        let mut write = || stdout.write_all(page).and_then(|()| stdout.flush());
        // On a terminal, the bar must be hidden while output appears.
        self.stopped = if self.terminal { self.progress.suspend(write) } else { write() }.err();
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.stopped {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Returns true if standard output has failed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Reports an error. The run continues, and its exit status is 2. `name` is a file or an
    /// argument, as bytes.
    pub(crate) fn error(&mut self, name: &[u8], error: &dyn Display) {
        self.failed = true;
        self.report(&[name, b": ", error.to_string().as_bytes()].concat());
    }

    /// Reports that a file cannot be read, as [`error`](Self::error) does. If such errors are
    /// silenced, only the exit status changes.
    pub(crate) fn file_error(&mut self, name: &[u8], error: &dyn Display) {
        if self.silent_on_files {
            self.failed = true;
        } else {
            self.error(name, error);
        }
    }

    /// Silences errors and notes on files from here on. The errors still affect the exit status.
    pub(crate) fn silence_on_files(&mut self) {
        self.silent_on_files = true;
    }

    /// Prints a note on a file, unless such notes are silenced.
    pub(crate) fn file_note(&mut self, text: &str) {
        if !self.silent_on_files {
            self.note(text);
        }
    }

    /// Prints a note, which is not an error.
    pub(crate) fn note(&mut self, text: &str) {
        self.report(text.as_bytes());
    }

    fn report(&mut self, text: &[u8]) {
        let mut line = b"urlgrep: ".to_vec();
        if self.stderr_terminal {
            escape(text, &mut line);
        } else {
            line.extend_from_slice(text);
        }
        line.push(b'\n');
        self.write_stderr(&line);
    }

    /// Writes whole lines to standard error, unchanged, in one write. If this write fails, nothing
    /// can be reported.
    pub(crate) fn write_stderr(&mut self, lines: &[u8]) {
        let _ = self.flush();
        let _ = self.progress.suspend(|| io::stderr().lock().write_all(lines));
    }

    /// Flushes, and returns whether anything failed. A reader that closed its pipe is not a
    /// failure.
    pub(crate) fn finish(&mut self) -> Finish {
        let _ = self.flush();
        self.progress.finish();
        match self.stopped.take() {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Finish::BrokenPipe,
            Some(error) => {
                self.error(b"standard output", &error);
                Finish::Failed
            }
            None if self.failed => Finish::Failed,
            None => Finish::Fine,
        }
    }
}

/// How the output ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Everything is printed.
    Fine,
    /// An error was reported.
    Failed,
    /// The reader closed the pipe.
    BrokenPipe,
}

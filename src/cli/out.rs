//! All output of the command. (The lints `print_stdout` and `print_stderr` forbid any other.)
//!
//! Standard output gets whole lines: the caller hands over rendered output, in order, from one thread. Standard error
//! gets one line a problem; what was printed before is flushed first, so on a terminal the two come in order.

use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;

use urlgrep::report::escape;

use super::progress::Progress;

/// Output is gathered until it is worth a system call.
const GATHER: usize = 64 * 1024;

/// Where everything goes.
pub(crate) struct Out {
    stdout: StdoutLock<'static>,
    gathered: Vec<u8>,
    /// Standard output is a terminal: nothing is held back.
    terminal: bool,
    /// Nor anywhere else.
    is_line_buffered: bool,
    stderr_terminal: bool,
    /// Why standard output takes no more.
    stopped: Option<io::Error>,
    failed: bool,
    /// What is wrong with a file is not told.
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

    /// Standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// From here on nothing is held back.
    pub(crate) fn set_line_buffered(&mut self) {
        self.is_line_buffered = true;
    }

    /// Columns of the terminal that standard output is.
    pub(crate) fn width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(&self.stdout).map(|(width, _)| usize::from(width.0))
    }

    /// Standard error is a terminal.
    pub(crate) fn is_stderr_terminal(&self) -> bool {
        self.stderr_terminal
    }

    /// The progress that steps aside for what is printed.
    pub(crate) fn set_progress(&mut self, progress: Progress) {
        self.progress = progress;
    }

    /// Handle for readers.
    pub(crate) fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Prints to standard output. `Break` once nobody takes it any more, for whatever reason.
    pub(crate) fn print(&mut self, page: &[u8]) -> ControlFlow<()> {
        if page.is_empty() || self.stopped.is_some() {
            return self.flow();
        }
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

    /// Hands over what was held back: before a read that may wait, and at the end.
    pub(crate) fn flush(&mut self) -> ControlFlow<()> {
        let page = std::mem::take(&mut self.gathered);
        if !page.is_empty() {
            self.write(&page);
        }
        self.gathered = page;
        self.gathered.clear();
        self.flow()
    }

    /// Lets somebody else print to standard output.
    pub(crate) fn print_by(&mut self, print: impl FnOnce() -> io::Result<()>) {
        if self.flush().is_continue() {
            let stdout = &mut self.stdout;
            self.stopped = print().and_then(|()| stdout.flush()).err();
        }
    }

    fn write(&mut self, page: &[u8]) {
        if self.stopped.is_some() {
            return;
        }
        let stdout = &mut self.stdout;
        let mut write = || stdout.write_all(page).and_then(|()| stdout.flush());
        self.stopped = if self.terminal { self.progress.suspend(write) } else { write() }.err();
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.stopped {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Standard output takes no more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Something failed; the run goes on, its exit status is 2. `name` is a file or an argument, as bytes.
    pub(crate) fn error(&mut self, name: &[u8], error: &dyn Display) {
        self.failed = true;
        self.report(&[name, b": ", error.to_string().as_bytes()].concat());
    }

    /// A file cannot be read; an [`error`](Self::error) that may be kept silent.
    pub(crate) fn file_error(&mut self, name: &[u8], error: &dyn Display) {
        if self.silent_on_files {
            self.failed = true;
        } else {
            self.error(name, error);
        }
    }

    /// From here on nothing is told of files that cannot be read, or only as bytes; they count as they did.
    pub(crate) fn silence_on_files(&mut self) {
        self.silent_on_files = true;
    }

    /// A note on a file.
    pub(crate) fn file_note(&mut self, text: &str) {
        if !self.silent_on_files {
            self.note(text);
        }
    }

    /// A note that is no error.
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

    /// Writes whole lines to standard error, as they are, in one write. If that is gone too, nothing can be reported.
    pub(crate) fn write_stderr(&mut self, lines: &[u8]) {
        let _ = self.flush();
        let _ = self.progress.suspend(|| io::stderr().lock().write_all(lines));
    }

    /// Flushes, and reports whether anything failed. That the reader of a pipe has gone is no failure.
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

/// How the printing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// All is printed.
    Fine,
    /// An error was reported.
    Failed,
    /// The reader has gone.
    BrokenPipe,
}

//! Progress on standard error, shown only if standard error is a terminal.
//!
//! Nothing is drawn for a run shorter than [`DELAY`], because a bar that only flashes distracts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const DELAY: Duration = Duration::from_millis(500);

/// A handle to which readers add the number of bytes read. It is cheap to clone. A hidden handle
/// costs one branch per read.
#[derive(Clone)]
pub(crate) struct Progress(Option<Arc<Shared>>);

struct Shared {
    started: Instant,
    read: AtomicU64,
    /// 0 if unknown, as for a pipe or a folder.
    total: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Returns a handle that shows nothing.
    pub(crate) fn hidden() -> Self {
        Self(None)
    }

    /// Returns a handle that draws on standard error. The caller must have checked that standard
    /// error is a terminal.
    pub(crate) fn shown() -> Self {
        Self(Some(Arc::new(Shared {
            started: Instant::now(),
            read: AtomicU64::new(0),
            total: AtomicU64::new(0),
            bar: OnceLock::new(),
        })))
    }

    /// Sets how many bytes will be read in all.
    pub(crate) fn expect(&self, total: u64) {
        if let Some(shared) = &self.0 {
            shared.total.store(total, Ordering::Relaxed);
        }
    }

    /// Adds bytes that were read.
    pub(crate) fn add(&self, bytes: u64) {
        let Some(shared) = &self.0 else { return };
        let read = shared.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        match shared.bar.get() {
            Some(bar) => bar.set_position(read),
            None if shared.started.elapsed() >= DELAY => {
                shared.bar.get_or_init(|| shared.draw()).set_position(read);
            }
            None => {}
        }
    }

    /// Runs `print` while the bar is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.0.as_ref().and_then(|shared| shared.bar.get()) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.0.as_ref().and_then(|shared| shared.bar.get()) {
            bar.finish_and_clear();
        }
    }
}

impl Shared {
    fn draw(&self) -> ProgressBar {
        let total = self.total.load(Ordering::Relaxed);
        let (bar, template) = match total {
            0 => (ProgressBar::no_length(), "{bytes} read, {bytes_per_sec}, {elapsed}"),
            _ => (ProgressBar::new(total), "[{bar:32}] {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go"),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.with_style(style).with_elapsed(self.started.elapsed())
    }
}

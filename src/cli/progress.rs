//! Progress on standard error, shown only if standard error is a terminal.
//!
//! Nothing is drawn for a run shorter than [`DELAY`], because a bar that only flashes distracts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const DELAY: Duration = Duration::from_millis(500);

/// The time between two frames while nothing is read.
const TICK: Duration = Duration::from_millis(200);

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

    /// Replaces the bar by the name of the phase after reading, and the time since the start.
    pub(crate) fn enter(&self, phase: &'static str) {
        if let Some(bar) = self.bar() {
            bar.set_style(style("{spinner} {msg}, {elapsed}"));
            bar.set_message(phase);
            bar.enable_steady_tick(TICK);
        }
    }

    fn bar(&self) -> Option<&ProgressBar> {
        self.0.as_ref()?.bar.get()
    }

    /// Runs `print` while the bar is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar() {
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
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.with_style(style(template)).with_elapsed(self.started.elapsed())
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

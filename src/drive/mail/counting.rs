//! A sink that counts what it passes on, so that a search can be repeated for the rest.

use crate::drive::matches::Match;
use crate::drive::place::Undecoded;
use crate::drive::sink::Sink;

/// Passes on to a sink what comes after the first `taken` items.
pub(super) struct CountingSink<S, F> {
    pub(super) sink: S,
    /// Matches and undecoded parts, those that were not passed on included.
    pub(super) seen: u64,
    /// The last of them that the sink has, or another one had before it.
    pub(super) taken: u64,
    /// Empties a sink that is full. `false`: it stays full, and nothing more is passed on.
    on_full: F,
    is_full: bool,
}

impl<S: Sink, F: FnMut(&mut S) -> bool> CountingSink<S, F> {
    pub(super) fn new(sink: S, taken: u64, on_full: F) -> Self {
        CountingSink { sink, seen: 0, taken, on_full, is_full: false }
    }

    fn pass(&mut self, add: impl FnOnce(&mut S)) {
        self.seen += 1;
        if self.seen > self.taken && !self.is_full {
            add(&mut self.sink);
            self.taken = self.seen;
            self.is_full = self.sink.is_full() && !(self.on_full)(&mut self.sink);
        }
    }
}

impl<S: Sink, F: FnMut(&mut S) -> bool> Sink for CountingSink<S, F> {
    fn add(&mut self, found: &Match<'_>) {
        self.pass(|sink| sink.add(found));
    }

    fn undecoded(&mut self, part: &Undecoded) {
        self.pass(|sink| sink.undecoded(part));
    }
}

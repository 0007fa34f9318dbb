//! The events of a search, and the trait of their receivers.

use std::ops::ControlFlow;

use crate::find::matches::{Hit, PlainMatch, RawMatch, Refusal};

/// An event of a search. Events come in the order of their starts.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The matches of one anchor: one match, or all parts of a wrapper (W-TWO).
    Found(Hit),
    /// A candidate was refused at this offset.
    Refused(usize, Refusal),
}

impl Event {
    /// Returns the first match.
    pub(crate) fn found(self) -> Option<RawMatch> {
        match self {
            Event::Found(hit) => Some(hit.first),
            Event::Refused(..) => None,
        }
    }
}

/// A receiver of the events of a search. The receiver may stop the search. This is a trait so that
/// the fast lane can inline [`plain`](Self::plain) into its loop. Separate closures cost 130
/// instructions per match (2026-11).
pub(crate) trait EventSink {
    /// Receives a plain match.
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        self.event(Event::Found(Hit { first: found.into(), rest: Box::default() }))
    }

    /// Receives any other event.
    fn event(&mut self, event: Event) -> ControlFlow<()>;
}

/// A closure receives the first match of each anchor, but no refusal.
impl<F: FnMut(RawMatch) -> ControlFlow<()>> EventSink for F {
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        self(found.into())
    }

    #[inline(always)]
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        event.found().map_or(ControlFlow::Continue(()), self)
    }
}

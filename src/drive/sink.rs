//! The receivers of matches.

use std::ops::Range;

use crate::Level;
use crate::drive::matches::Match;
#[cfg(feature = "archive")]
use crate::drive::place::Undecoded;

/// A receiver of the matches of a piece of the input. It keeps rendered lines, counts, or the
/// matches themselves.
///
/// The drivers that search in pieces make one sink for each piece. The thread that searches the
/// piece fills it, and the sinks are delivered in the order of the input.
///
#[cfg_attr(feature = "parallel", doc = "```")]
#[cfg_attr(not(feature = "parallel"), doc = "```ignore")]
/// use urlgrep::{Extractor, Match, Sink};
///
/// #[derive(Default)]
/// struct Longest(usize);
///
/// impl Sink for Longest {
///     fn add(&mut self, found: &Match<'_>) {
///         self.0 = self.0.max(found.url().len());
///     }
/// }
///
/// let (input, mut longest) = (&b"http://a.example/ http://long.example/"[..], 0);
/// Extractor::new().par_stream(input, Longest::default, |piece| {
///     longest = longest.max(piece.0);
///     Ok(std::ops::ControlFlow::Continue(()))
/// })?;
/// assert_eq!(longest, 20);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Sink {
    /// Receives the next match. Matches come in order.
    fn add(&mut self, found: &Match<'_>);

    /// Notifies the sink that all matches before this offset of the input were added to it or to
    /// earlier sinks. Drivers call this method when the input pauses. A sink can then drop the data
    /// that it holds back for the next match. Does nothing by default.
    fn searched(&mut self, offset: u64) {
        let _ = offset;
    }

    /// Receives the next match as a range of its text, and returns true. Returns false if the sink
    /// needs a [`Match`]; then the driver calls [`add`](Self::add). The driver calls this method
    /// only for a URL that is verbatim in its text and has one reading. A sink that needs only the
    /// URL and its level saves half the cost of a match. Returns false by default.
    #[inline(always)]
    fn add_verbatim(&mut self, text: &[u8], url: Range<usize>, level: Level) -> bool {
        let _ = (text, url, level);
        false
    }

    /// Receives a part of a message that could not be decoded completely, even a part without a
    /// URL. Drivers call this method once per part, before its matches. Does nothing by default.
    #[cfg(feature = "archive")]
    fn undecoded(&mut self, part: &Undecoded) {
        let _ = part;
    }

    /// Returns whether the sink must be delivered now, so that the next match goes to a new sink.
    /// This bounds memory: a message can hold a million links, each with a long record. Parallel
    /// searches of text do not call this method, because their pieces are short. Returns `false` by
    /// default.
    fn is_full(&self) -> bool {
        false
    }
}

/// Collects matches, [owned](Match::into_owned).
impl Sink for Vec<Match<'static>> {
    fn add(&mut self, found: &Match<'_>) {
        self.push(found.clone().into_owned());
    }

    /// Returns true from 4096 matches on.
    fn is_full(&self) -> bool {
        self.len() >= 4096
    }
}

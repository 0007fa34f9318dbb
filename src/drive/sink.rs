//! The receivers of matches.

use crate::Level;
use crate::drive::matches::Match;
#[cfg(feature = "archive")]
use crate::drive::place::Undecoded;

/// A receiver of the matches of a piece of the input, as rendered lines, counts, or as they are.
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
    /// Takes the next match; they come in order.
    fn add(&mut self, found: &Match<'_>);

    /// Notes that all matches before this offset of the input were delivered, to this sink or to
    /// earlier ones. Drivers call it when the input pauses. A sink that holds something back for
    /// the next match can drop it then. Does nothing by default.
    fn searched(&mut self, offset: u64) {
        let _ = offset;
    }

    /// Returns the buffer for the URL of the next match, if this sink writes only that line at this
    /// level. The driver then appends the URL and a line feed, and does not call
    /// [`add`](Self::add). Without a [`Match`], such a line costs half as much. It does so only for
    /// URLs that are verbatim in their text and have one reading. `None` by default.
    #[inline(always)]
    fn url_lines(&mut self, level: Level) -> Option<&mut Vec<u8>> {
        let _ = level;
        None
    }

    /// Receives a part of a message that could not be decoded, or not wholly, even one without a
    /// URL. It comes once, before the matches of that part. Does nothing by default.
    #[cfg(feature = "archive")]
    fn undecoded(&mut self, part: &Undecoded) {
        let _ = part;
    }

    /// Returns whether the sink must be delivered now; the next match goes to a new one. Only a
    /// search of documents calls it, for a message can hold a million links, each with a long
    /// record. `false` by default.
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

//! What takes the matches.

use crate::Level;
use crate::drive::matches::Match;
#[cfg(feature = "archive")]
use crate::drive::place::Undecoded;

/// Takes the matches of a piece of the input: as rendered lines, counts, or as they are.
///
/// The drivers that search in pieces make one sink for each piece, fill it on the thread that searches the piece, and
/// deliver the sinks in the order of the input.
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

    /// Learns that whatever begins before this offset of the input has been given, to this sink or to one before it. Said
    /// where the input pauses: a sink that holds something back for the next match can let go of it. Does nothing by default.
    fn searched(&mut self, offset: u64) {
        let _ = offset;
    }

    /// Takes the next match by its URL, if that is all that the sink needs of it; a URL that stands in the text as it is, has
    /// no other reading and does not stand in HTML. False: it is to be [added](Self::add).
    #[doc(hidden)]
    #[inline(always)]
    fn add_url(&mut self, url: VerbatimUrl<'_>) -> bool {
        let _ = url;
        false
    }

    /// Takes a part of a message that could not be decoded, or not wholly, whether or not it holds a URL: once, and before
    /// the matches of that part. Does nothing by default.
    #[cfg(feature = "archive")]
    fn undecoded(&mut self, part: &Undecoded) {
        let _ = part;
    }

    /// True if the sink is to be delivered before it takes more; the next match goes to a new one. Only a search of documents
    /// asks: a message can hold a million links, each with a long record. `false` by default.
    fn is_full(&self) -> bool {
        false
    }
}

/// Collects matches, [owned](Match::into_owned).
impl Sink for Vec<Match<'static>> {
    fn add(&mut self, found: &Match<'_>) {
        self.push(found.clone().into_owned());
    }

    /// From 4096 on.
    fn is_full(&self) -> bool {
        self.len() >= 4096
    }
}

/// A URL where it stands in the text.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct VerbatimUrl<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) level: Level,
}

impl VerbatimUrl<'_> {
    /// As [`Match::level`].
    #[inline]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Appends it as a line.
    ///
    /// With what stands behind it, of which the line's end is then cut off: copying as many bytes as it has takes twice as
    /// long as copying a block.
    #[inline(always)]
    pub fn append_line(&self, out: &mut Vec<u8>) {
        const BLOCK: usize = 96;
        let length = self.end - self.start;
        let line = out.len();
        match self.text[self.start..].first_chunk::<BLOCK>() {
            Some(block) if length < BLOCK => {
                out.extend_from_slice(block);
                out.truncate(line + length + 1);
                if let Some(last) = out.last_mut() {
                    *last = b'\n';
                }
            }
            _ => {
                out.extend_from_slice(&self.text[self.start..self.end]);
                out.push(b'\n');
            }
        }
    }
}

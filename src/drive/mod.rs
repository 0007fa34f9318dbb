//! Floor 3: drivers. Slice iterator, stream and parallel are thin skins over one search loop, `find::Search`, so that
//! they cannot disagree (P6).
//!
//! | driver | file |
//! |---|---|
//! | what to look for | `extractor` |
//! | what was found | `matches` |
//! | a slice, and a range of it | `slice` |
//! | any `Read`, and a range of any `Read + Seek` | `stream` |
//! | all cores on one input, and the stitch that makes that exact (P4) | `parallel` |
//! | the chunks they search | `chunks` |
//! | the texts of mail and news | `mail` |
//! | where in an archive a match stands | `place` |
//! | what is wanted of an input, and where a later search goes on | `section` |
//! | where a range may begin its search (P4) | `sync` |

#[cfg(feature = "parallel")]
mod chunks;
mod extractor;
mod lines;
#[cfg(feature = "archive")]
mod mail;
mod matches;
#[cfg(feature = "parallel")]
mod parallel;
#[cfg(feature = "archive")]
mod place;
mod section;
mod slice;
mod stream;
mod sync;

pub use extractor::{Extractor, ExtractorBuilder};
pub use matches::Match;
#[cfg(feature = "archive")]
pub use place::{Brief, Place, Undecoded};
pub use section::{Checkpoint, Section};
pub use slice::FindIter;
pub use stream::Stream;

#[cfg(feature = "archive")]
use crate::archive::message::Note;
use crate::find::Refusal;

/// What a search read, found and refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Bytes read, those before a range's start that it had to look at included.
    pub bytes: u64,
    /// Matches found.
    pub matches: u64,
    /// Candidates that are no URL because they are longer than 65,536 bytes (B-MAX).
    pub too_long: u64,
    /// `<URL:` and `<scheme:` whose `>` does not come in time (W-FAIL-1).
    pub unterminated: u64,
    /// `<URL:>` and the like, with nothing in them (W-WS-2).
    pub empty_wrappers: u64,
    /// Messages of mail or news.
    pub messages: u64,
    /// Parts of messages that could not be decoded, or not wholly. They are searched as they lie.
    pub undecoded: u64,
    /// Messages that are not as long as they, or the batch, say.
    pub false_lengths: u64,
    /// Where a later search may go on, should the input grow.
    ///
    /// `None` if this one did not come to the end of the input or began behind that place, if it did not count lines
    /// ([`line_numbers`](ExtractorBuilder::line_numbers)), of an empty input, and of a slice, which does not grow.
    pub checkpoint: Option<Checkpoint>,
    /// The undecoded parts by what is wrong with them.
    #[cfg(feature = "archive")]
    notes: [u64; Note::ALL.len()],
}

/// Takes the matches of a piece of the input: as rendered lines, counts, anything that can go to another thread.
///
/// The drivers that search in pieces make one sink for each piece, fill it on the thread that searches the piece, and
/// deliver the sinks in the order of the input.
pub trait Sink: Send {
    /// Takes the next match; they come in order.
    fn add(&mut self, found: &Match<'_>);

    /// Takes a part of a message that could not be decoded, or not wholly, whether or not it holds a URL: once, and before
    /// the matches of that part. Does nothing by default.
    #[cfg(feature = "archive")]
    fn undecoded(&mut self, part: &Undecoded) {
        let _ = part;
    }

    /// True if the sink is to be delivered before it takes more; the next match goes to a new one. Only a search of mail
    /// asks: a message can hold a million links, each with a long record. `false` by default.
    fn is_full(&self) -> bool {
        false
    }
}

impl Stats {
    /// Counts a refusal, if it lies in the range asked for.
    pub(crate) fn refuse(&mut self, refusal: Refusal, is_ours: bool) {
        let count = match refusal {
            Refusal::TooLong => &mut self.too_long,
            Refusal::Unterminated => &mut self.unterminated,
            Refusal::Empty => &mut self.empty_wrappers,
            Refusal::Dissolved => return,
        };
        *count += u64::from(is_ours);
    }

    /// How many parts could not be decoded, for each reason that was met.
    #[cfg(feature = "archive")]
    pub fn undecoded_by_reason(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Note::ALL.iter().map(|note| note.as_str()).zip(self.notes).filter(|&(_, count)| count > 0)
    }

    /// Counts a part that could not be decoded.
    #[cfg(feature = "archive")]
    fn note(&mut self, note: Note) {
        self.undecoded += 1;
        self.notes[note as usize] += 1;
    }

    /// Adds what another part of the input gave. Bytes are counted by who reads them, who also tells the checkpoint.
    #[doc(hidden)]
    pub fn add(&mut self, other: &Stats) {
        self.matches += other.matches;
        self.too_long += other.too_long;
        self.unterminated += other.unterminated;
        self.empty_wrappers += other.empty_wrappers;
        self.messages += other.messages;
        self.undecoded += other.undecoded;
        self.false_lengths += other.false_lengths;
        #[cfg(feature = "archive")]
        for (count, more) in self.notes.iter_mut().zip(other.notes) {
            *count += more;
        }
    }
}

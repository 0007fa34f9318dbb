//! The counts of a search.

use std::ops::AddAssign;

#[cfg(feature = "archive")]
use crate::archive::message::Note;
use crate::drive::section::Checkpoint;
use crate::find::Refusal;

/// The counts of what a search read, found and refused.
///
/// ```
/// let mut matches = urlgrep::Extractor::new().find_iter("<URL:http://a.example/> and <URL:http://b.example/");
/// assert_eq!(matches.by_ref().count(), 2);
/// assert_eq!((matches.stats().bytes, matches.stats().unterminated), (50, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Bytes read, including the bytes before a range that its search needed.
    pub bytes: u64,
    /// Matches found.
    pub matches: u64,
    /// Candidates that are not URLs because they are longer than 8,192 bytes (B-MAX).
    pub too_long: u64,
    /// `<URL:` and `<scheme:` whose `>` does not follow within the limits (W-FAIL-1).
    pub unterminated: u64,
    /// `<URL:>` and the like, with nothing in them (W-WS-2).
    pub empty_wrappers: u64,
    /// Messages of mail or news.
    pub messages: u64,
    /// Parts of messages that could not be decoded completely. Most are searched undecoded.
    /// Encrypted parts, media and binary files in a text are not searched.
    pub undecoded: u64,
    /// Messages whose length differs from the length that they, or the batch, state.
    pub false_lengths: u64,
    /// Relative links whose base is unknown, so they have no target.
    pub unresolved: u64,
    /// The start of a later search, if the input grows.
    ///
    /// `None` if this search ended before the end of the input, or began after the start of a later
    /// search. Also `None` without [`line_numbers`](crate::ExtractorBuilder::line_numbers), for an
    /// empty input, and for a slice, which does not grow.
    pub checkpoint: Option<Checkpoint>,
    /// The undecoded parts, counted by reason.
    #[cfg(feature = "archive")]
    pub(crate) notes: [u64; Note::ALL.len()],
}

impl Stats {
    /// Counts a refusal, if it lies in the wanted range.
    pub(crate) fn refuse(&mut self, refusal: Refusal, is_ours: bool) {
        let count = match refusal {
            Refusal::TooLong => &mut self.too_long,
            Refusal::Unterminated => &mut self.unterminated,
            Refusal::Empty => &mut self.empty_wrappers,
            Refusal::Dissolved | Refusal::Damaged => return,
        };
        *count += u64::from(is_ours);
    }

    /// Returns how many parts could not be decoded, for each reason that was met.
    #[cfg(feature = "archive")]
    pub fn undecoded_by_reason(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Note::ALL.iter().map(|note| note.as_str()).zip(self.notes).filter(|&(_, count)| count > 0)
    }

    /// Returns the counts of undecoded parts that may hide links, for each reason. Such parts are
    /// encrypted, incomplete, damaged, not wholly read, or have a base URL that is too long.
    #[cfg(feature = "archive")]
    pub fn gaps_by_reason(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let gaps = Note::ALL.iter().zip(self.notes).filter(|(note, count)| note.is_gap() && *count > 0);
        gaps.map(|(note, count)| (note.as_str(), count))
    }

    /// Counts a part that could not be decoded.
    #[cfg(feature = "archive")]
    pub(crate) fn note(&mut self, note: Note) {
        self.undecoded += 1;
        self.notes[note as usize] += 1;
    }
}

/// Adds the counts of another input, or of another part of this one. The checkpoint of `self` is
/// kept, because a checkpoint belongs to one input.
impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.bytes += other.bytes;
        self.matches += other.matches;
        self.too_long += other.too_long;
        self.unterminated += other.unterminated;
        self.empty_wrappers += other.empty_wrappers;
        self.messages += other.messages;
        self.undecoded += other.undecoded;
        self.false_lengths += other.false_lengths;
        self.unresolved += other.unresolved;
        #[cfg(feature = "archive")]
        for (count, more) in self.notes.iter_mut().zip(other.notes) {
            *count += more;
        }
    }
}

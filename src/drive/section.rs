//! The wanted matches of an input, the start of a later search, and the counts of ranges.

#[cfg(feature = "archive")]
use std::ops::AddAssign;
use std::ops::Range;

/// A place in an input that may grow. Every match that begins before it is final, whatever is
/// appended later. Matches that begin there or later need another search.
///
/// A search returns it in [`Stats::checkpoint`](crate::Stats::checkpoint), and a search of the
/// longer input begins there. The drivers accept it as a range. It is plain data, which can be
/// stored anywhere.
///
/// In text it is the start of a line some 33 KiB before the end. No URL reaches from there to the
/// end. In a mailbox or a batch of news it is the separator of the last message, which may be
/// incomplete. In short texts, and in an input that is one message or one line, it is 0. Then a
/// later search starts again.
///
/// ```
/// use std::io::Cursor;
/// use urlgrep::{Checkpoint, Extractor};
///
/// # fn main() -> std::io::Result<()> {
/// let mut log = b"GET http://a.example/\n".repeat(10_000);
/// let extractor = Extractor::builder().line_numbers(true).build();
/// let search = |log: &[u8], from: Checkpoint| {
///     let mut stream = extractor.stream_range(Cursor::new(log), from)?;
///     let mut lines = Vec::new();
///     while let Some(found) = stream.next()? {
///         lines.push(found.line().unwrap());
///     }
///     Ok::<_, std::io::Error>((lines, stream.stats()))
/// };
///
/// let (yesterday, stats) = search(&log, Checkpoint::default())?;
/// let checkpoint = stats.checkpoint.unwrap();
/// log.extend_from_slice(b"GET http://b.example/\n");
/// let (today, _) = search(&log, checkpoint)?;
/// assert_eq!(yesterday.len(), 10_000);
/// assert_eq!(today, (checkpoint.lines + 1..=10_001).collect::<Vec<_>>());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Offset in the input: of the start, of a line's start or of a separator.
    pub offset: u64,
    /// Line ends before it.
    pub lines: u64,
    /// Messages with a separator before it: the number of the next one is one more. 0 in text.
    pub messages: u64,
}

impl Checkpoint {
    /// Makes a checkpoint from stored numbers.
    pub const fn new(offset: u64, lines: u64, messages: u64) -> Checkpoint {
        Checkpoint { offset, lines, messages }
    }
}

/// The wanted matches of an input: those in a range of its bytes, or all from a [`Checkpoint`] on.
///
/// The drivers accept anything that converts into one: `0..u64::MAX` for all, `start..end`, or a
/// checkpoint. The matches are those of the whole input whose span begins in it. In mail, they are
/// those of messages that begin in it. The lines and messages that a checkpoint counts are trusted,
/// and nothing is read to count them again.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// let text = std::io::Cursor::new("http://a.example/ http://b.example/");
/// let mut stream = urlgrep::Extractor::new().stream_range(text, 10..u64::MAX)?;
/// assert_eq!(stream.next()?.unwrap().url(), "http://b.example/");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub(crate) range: Range<u64>,
    /// At the start of the range.
    pub(crate) checkpoint: Option<Checkpoint>,
}

impl From<Range<u64>> for Section {
    fn from(range: Range<u64>) -> Section {
        Section { range, checkpoint: None }
    }
}

impl From<Checkpoint> for Section {
    /// Converts a checkpoint to all from there to the end.
    fn from(Checkpoint { offset, lines, messages }: Checkpoint) -> Section {
        // No file is longer than this. So no sum overflows, even if a stored checkpoint was
        // damaged.
        let [offset, lines, messages] = [offset, lines, messages].map(|count| count.min(i64::MAX as u64));
        Section { range: offset..u64::MAX, checkpoint: Some(Checkpoint { offset, lines, messages }) }
    }
}

/// The counts of a range of a file, for the ranges behind it. [Added](AddAssign) up in order, they
/// are the counts of all ranges up to a place.
///
/// [`Extractor::search_range`](crate::Extractor::search_range) returns them. They are plain data,
/// which machines that search ranges can send to the one that gathers. Let `before` be the sum of
/// all ranges before one that was searched without it. For the matches of that range:
///
/// - the [line](crate::Match::line) is `before.lines` more, if it is a line of the file. It is in
///   text; in mail it is if the [encoding](crate::Place::encoding) is none, `7bit`, `8bit`,
///   `binary` or `unknown`. A range that begins in the midst of a line calls that line 1. The sum
///   is right for it too, for only whole line ends are counted;
/// - the [column](crate::Match::column) in line 1 of a range of text is
///   `span().start - before.last_line + 1`, with 0 for none. If that line begins within the 64 KiB
///   before the range, it is right already;
/// - the [number](crate::Place::number) of the message is `before.messages` more;
/// - offsets are `before.unpacked` more if they are offsets in the unpacked file. Those of messages
///   always are, and others if their lines are lines of the file.
///
/// In a mailbox whose messages state their length, a message may hold lines that look like
/// separators. If such a message continues in the next range, they count as separators there.
/// [`hides_in`](Self::hides_in) detects that: then the range must be searched again with `before`,
/// for new matches and counts. That is rare: it needs a mailbox within a message, right at a cut.
///
/// ```
/// use urlgrep::RangeCounts;
///
/// let one = RangeCounts { lines: 100, last_line: Some(5_000), messages: 3, ..RangeCounts::default() };
/// let two = RangeCounts { lines: 50, first_message: Some(7_000), messages: 1, ..RangeCounts::default() };
/// let mut before = RangeCounts::default();
/// before += one;
/// assert!(!before.hides_in(&two));
/// before += two; // and so on
/// assert_eq!((before.lines, before.last_line, before.messages), (150, Some(5_000), 4));
/// ```
#[cfg(feature = "archive")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RangeCounts {
    /// Line ends in the range, if lines are counted
    /// ([`line_numbers`](crate::ExtractorBuilder::line_numbers)).
    pub lines: u64,
    /// Offset in the file of the byte after the last of them.
    pub last_line: Option<u64>,
    /// Messages of a mailbox whose separator begins in the range.
    pub messages: u64,
    /// Offset in the file of the first line in the range that is a separator. Those count too that
    /// text before the range hides.
    pub first_message: Option<u64>,
    /// Offset in the file before which there are no separators. A message of the range states its
    /// length; 0 if none does.
    pub hidden_until: u64,
    /// Bytes that the members of the range unpack to
    /// ([`search_records`](crate::Extractor::search_records)); 0 in what is not compressed.
    pub unpacked: u64,
}

#[cfg(feature = "archive")]
impl RangeCounts {
    /// Returns whether these counts, of the ranges before another, hide separators that its search
    /// counted.
    pub fn hides_in(&self, next: &RangeCounts) -> bool {
        next.first_message.is_some_and(|first| first < self.hidden_until)
    }
}

/// Adds those of the next range.
#[cfg(feature = "archive")]
impl AddAssign for RangeCounts {
    fn add_assign(&mut self, next: RangeCounts) {
        self.lines = self.lines.saturating_add(next.lines);
        self.last_line = next.last_line.or(self.last_line);
        self.messages = self.messages.saturating_add(next.messages);
        self.first_message = self.first_message.or(next.first_message);
        self.hidden_until = self.hidden_until.max(next.hidden_until);
        self.unpacked = self.unpacked.saturating_add(next.unpacked);
    }
}

//! The wanted matches of an input, the start of a later search, and the counts of ranges.

#[cfg(feature = "archive")]
use std::ops::AddAssign;
use std::ops::Range;

/// A place in an input that may grow. Every match that begins before this place is final, whatever
/// is appended later. Matches that begin there or later need another search.
///
/// A search returns a checkpoint in [`Stats::checkpoint`](crate::Stats::checkpoint), and a search
/// of the longer input begins there. The drivers accept it as a range. It is plain data, which can
/// be stored anywhere.
///
/// In text it is the start of a line some 33 KiB before the end. No URL reaches from there to the
/// end. In a mailbox or a batch of news it is the separator of the last message, which may be
/// incomplete. In short texts, and in an input that is one message or one line, it is 0. A later
/// search then starts from the beginning.
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
    /// Offset in the input. It is 0, or the start of a line or of a separator.
    pub offset: u64,
    /// The number of line ends before the offset.
    pub lines: u64,
    /// The number of messages whose separator lies before the offset. The next message's number is
    /// one more. 0 in text.
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
/// The drivers accept anything that converts into a section: `0..u64::MAX` for all, `start..end`,
/// or a checkpoint. The section selects the matches of the whole input whose span begins in it. In
/// mail, it selects the matches of messages that begin in it. The counts of a checkpoint are
/// trusted, so nothing before it is read to count again.
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
    /// The checkpoint at the start of the range, if any.
    pub(crate) checkpoint: Option<Checkpoint>,
}

impl From<Range<u64>> for Section {
    fn from(range: Range<u64>) -> Section {
        Section { range, checkpoint: None }
    }
}

impl From<Checkpoint> for Section {
    /// Converts a checkpoint to the section from there to the end of the input.
    fn from(Checkpoint { offset, lines, messages }: Checkpoint) -> Section {
        // No file is longer than `i64::MAX` bytes. With this limit no sum overflows, even if a
        // stored checkpoint was damaged.
        let [offset, lines, messages] = [offset, lines, messages].map(|count| count.min(i64::MAX as u64));
        Section { range: offset..u64::MAX, checkpoint: Some(Checkpoint { offset, lines, messages }) }
    }
}

/// The counts of a range of a file, for the ranges after it. [Added](AddAssign) up in order, they
/// are the counts of all ranges up to a place.
///
/// [`Extractor::search_range`](crate::Extractor::search_range) returns them. They are plain data.
/// Machines that search ranges can send them to the machine that collects the results. Suppose that
/// a range was searched without counts, and `before` is the sum of all earlier ranges. Then, for
/// the matches of that range:
///
/// - add `before.lines` to the [line](crate::Match::line), if it is a line of the file. Every line
///   of text is. In mail, a line is one unless the [encoding](crate::Place::encoding) is `unpacked`
///   or `http`. A range that begins in the middle of a line calls that line 1. The sum is right for
///   this line too, because line ends are counted;
/// - the [column](crate::Match::column) in line 1 of a range of text is
///   `span().start - before.last_line + 1`, with 0 for `None`. If that line begins within the 32
///   KiB before the range, the column is already right;
/// - add `before.messages` to the [number](crate::Place::number) of the message;
/// - add `before.unpacked` to offsets in the unpacked file. The offset of a message always is such
///   an offset. Any other offset is one if its line is a line of the file.
///
/// In a mailbox whose messages state their length, a message may hold lines that look like
/// separators. If such a message continues in the next range, the search of that range counts these
/// lines as separators. [`hides_in`](Self::hides_in) detects this case. The range must then be
/// searched again with `before`, for new matches and counts. This is rare: it needs a mailbox
/// within a message, right at a cut.
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
    /// Offset in the file of the byte after the last line end. `None` without a line end.
    pub last_line: Option<u64>,
    /// Messages of a mailbox whose separator begins in the range.
    pub messages: u64,
    /// Offset in the file of the first separator in the range, even one that text before the range
    /// hides.
    pub first_message: Option<u64>,
    /// Offset in the file up to which a message of the range hides separators by its stated length.
    /// It is 0 if no message does.
    pub hidden_until: u64,
    /// Bytes that the members of the range unpack to
    /// ([`search_records`](crate::Extractor::search_records)); 0 if the file is not compressed.
    pub unpacked: u64,
}

#[cfg(feature = "archive")]
impl RangeCounts {
    /// Returns whether the search of the next range counted separators that are hidden. These
    /// counts must be the sum of all ranges before `next`.
    pub fn hides_in(&self, next: &RangeCounts) -> bool {
        next.first_message.is_some_and(|first| first < self.hidden_until)
    }
}

/// Adds the counts of the next range.
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

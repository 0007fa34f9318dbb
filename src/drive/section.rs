//! Which matches of an input are wanted, where a later search of it may go on, and what is known of
//! the ranges of one.

#[cfg(feature = "archive")]
use std::ops::AddAssign;
use std::ops::Range;

/// A place in an input that may grow: every match that begins before it is final, whatever is
/// appended later, and what begins there or later has to be searched again.
///
/// A search gives it in [`Stats::checkpoint`](crate::Stats::checkpoint), and a search of the longer
/// input begins there: the drivers take it for a range. It is plain data, which can be stored
/// anywhere.
///
/// In text it is the start of a line some 33 KiB before the end, from which no URL can reach the
/// end. In a mailbox or a batch of news it is the separator of the last message, which may not be
/// complete. So it is 0 in short texts and in an input that is one message or one line, and a later
/// search finds all of it again.
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
    /// Returns a checkpoint that was kept.
    pub const fn new(offset: u64, lines: u64, messages: u64) -> Checkpoint {
        Checkpoint { offset, lines, messages }
    }
}

/// Which matches of an input are wanted: a range of its bytes, or all from a [`Checkpoint`] on.
///
/// The drivers take anything that can be made into one: `0..u64::MAX` for all, `start..end`, or a
/// checkpoint. The matches are those of a search of the whole input whose span begins in it, and of
/// mail those in messages that begin in it. The lines and messages that a checkpoint counts before
/// it are trusted, so that nothing is read to count them again.
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
    /// All from there to the end.
    fn from(Checkpoint { offset, lines, messages }: Checkpoint) -> Section {
        // No file is longer than this, so that no sum overflows, even if the checkpoint was damaged
        // where it was stored.
        let [offset, lines, messages] = [offset, lines, messages].map(|count| count.min(i64::MAX as u64));
        Section { range: offset..u64::MAX, checkpoint: Some(Checkpoint { offset, lines, messages }) }
    }
}

/// What a range of a file says of itself, for the ranges behind it; or, [added](AddAssign) up in
/// their order, what all ranges up to a place say.
///
/// [`Extractor::search_range`](crate::Extractor::search_range) gives it. It is plain data, to be
/// sent from the machines that search ranges to the one that gathers. Let `before` be the sum of
/// all ranges before one that was searched without it. Of the matches of that range
///
/// - the [line](crate::Match::line) is `before.lines` more, where it speaks of the file: in text,
///   and in mail where the encoding of the [place](crate::Place::encoding) is none, `7bit`, `8bit`,
///   `binary` or `unknown`. A range that begins in the midst of a line calls that line 1; the sum
///   is right for it too, for only whole line ends are counted;
/// - the [column](crate::Match::column) in line 1 of a range of text is
///   `span().start - before.last_line + 1`, with 0 for none. It is right already if that line
///   begins within the 64 KiB before the range;
/// - the [number](crate::Place::number) of the message is `before.messages` more;
/// - offsets are `before.unpacked` more where they speak of the file, unpacked: those of messages
///   always, and others as lines do.
///
/// In a mailbox whose messages state their length, a message may hold lines that look like
/// separators. If such a message goes on in the next range, that range takes them for separators.
/// [`hides_in`](Self::hides_in) tells: then the range is to be searched again with `before`, and so
/// are its counts made anew. That is rare: it takes a mailbox within a message, right where the
/// file was cut.
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
    /// Offset in the file of the first line in the range that is a separator, or would be if
    /// nothing before the range hid it.
    pub first_message: Option<u64>,
    /// Offset in the file before which there are no separators, because a message of the range
    /// states its length; 0 if none does.
    pub hidden_until: u64,
    /// Bytes that the members of the range unpack to
    /// ([`search_records`](crate::Extractor::search_records)); 0 in what is not compressed.
    pub unpacked: u64,
}

#[cfg(feature = "archive")]
impl RangeCounts {
    /// Returns whether what these say of the ranges before another hides separators in it, and it
    /// was searched as if they did not.
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

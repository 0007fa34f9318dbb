//! Which matches of an input are wanted, and where a later search of it may go on.

use std::ops::Range;

/// A place in an input that may grow: every match that begins before it is final, whatever is appended later, and what
/// begins there or later has to be searched again.
///
/// A search gives it in [`Stats::checkpoint`](crate::Stats::checkpoint), and a search of the longer input begins there:
/// the drivers take it for a range. It is plain data, which can be stored anywhere.
///
/// In text it is the start of a line some 81 KiB before the end, from which no URL can reach the end. In a mailbox or a
/// batch of news it is the separator of the last message, which may not be complete. So it is 0 in short texts and in an
/// input that is one message or one line, and a later search finds all of it again.
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
    /// A checkpoint that was kept.
    pub const fn new(offset: u64, lines: u64, messages: u64) -> Checkpoint {
        Checkpoint { offset, lines, messages }
    }
}

/// Which matches of an input are wanted: a range of its bytes, or all from a [`Checkpoint`] on.
///
/// The drivers take anything that can be made into one: `0..u64::MAX` for all, `start..end`, or a checkpoint. The matches
/// are those of a search of the whole input whose span begins in it, and of mail those in messages that begin in it. The
/// lines and messages that a checkpoint counts before it are trusted, so that nothing is read to count them again.
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
        // No file is longer than this, so that no sum overflows, even if the checkpoint was damaged where it was stored.
        let [offset, lines, messages] = [offset, lines, messages].map(|count| count.min(i64::MAX as u64));
        Section { range: offset..u64::MAX, checkpoint: Some(Checkpoint { offset, lines, messages }) }
    }
}

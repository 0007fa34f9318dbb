//! Batches of messages: the input is split, and its lines are counted.

use std::io::{self, Read};
use std::ops::Range;

use crate::archive::Container;
use crate::archive::split::{self, Mark, Piece, SeparatorCounts, Splitter};
use crate::bytes::roll::Buffer;
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
use crate::drive::section::{Checkpoint, RangeCounts, Section};
use crate::drive::stats::Stats;
use crate::drive::work::WorkSource;

/// A longer batch is heavy: it holds a long message, whose results can be fifty times as long.
const HEAVY: usize = 640 << 10;
/// No batch begins while heavy batches of this many bytes are in progress.
const MOST_HEAVY: usize = 3 << 19;
/// An oversize message that is skipped is read in pieces of this size.
const PASS: usize = 64 << 10;

/// Consecutive messages of the input.
pub(super) struct MessageBatch {
    pub(super) text: Buffer,
    pub(super) pieces: Vec<Piece>,
    /// The count of lines up to the start of the text.
    pub(super) lines: Option<Lines>,
    /// The kind of the input.
    pub(super) container: Container,
}

impl MessageBatch {
    /// Returns the length of the batch if it is heavy, otherwise 0.
    fn weight(&self) -> usize {
        Some(self.text.bytes().len()).filter(|&length| length > HEAVY).unwrap_or(0)
    }
}

/// A message that is too long to hold in memory.
#[derive(Clone, Copy)]
pub(super) struct OversizeMessage {
    /// Offset in the input of the separator, or of a message without a separator.
    pub(super) base: u64,
    /// Offset of the end of the separator.
    pub(super) message: u64,
    pub(super) number: Option<u64>,
}

/// The messages of an input.
pub(super) struct Messages<R> {
    splitter: Splitter<R>,
    lines: Option<Lines>,
    range: Range<u64>,
    /// The start of a later search, after the messages that are final so far.
    settled: Option<Checkpoint>,
    /// The kind of the input.
    pub(super) container: Container,
    /// The oversize message that comes next, if any.
    pub(super) oversize: Option<OversizeMessage>,
    /// Bytes of heavy batches in progress.
    heavy: usize,
    /// The last piece was in the range, or continued a piece that was.
    is_wanted: bool,
}

impl<R: Read> Messages<R> {
    pub(super) fn new(extractor: &Extractor, reader: R, container: Container, section: Section) -> Self {
        let lines = extractor.lines().map(|lines| section.checkpoint.map_or(lines, |checkpoint| lines.at(checkpoint)));
        let Section { range, checkpoint } = section;
        // The splitter returns no text before the range, unless its lines must be counted.
        let given = if lines.is_some() { 0..range.end } else { range.clone() };
        // Without a checkpoint, the splitter starts at offset 0, to count the messages and lines
        // before the range.
        let from = checkpoint.map_or(Mark::default(), |Checkpoint { offset, messages, .. }| Mark { offset, messages });
        let mut splitter = Splitter::new(reader, container, extractor.options().backend, from, given);
        // UTF-16 is decoded while it is read, however short the file is.
        let is_read_on = container == Container::Utf16 && range.contains(&from.offset);
        if is_read_on {
            splitter.read_on();
        }
        let whole = OversizeMessage { base: from.offset, message: from.offset, number: None };
        let oversize = is_read_on.then_some(whole);
        let is_wanted = range.contains(&from.offset);
        Messages { splitter, lines, range, settled: None, container, oversize, heavy: 0, is_wanted }
    }

    /// Returns the messages whose separator begins in a range of an mbox. `before` has the counts
    /// of the ranges before it. The reader must stand at `from`, which is
    /// [`LOOK_BACK`](split::LOOK_BACK) before the range, or 0.
    pub(super) fn in_range(
        extractor: &Extractor,
        reader: R,
        from: u64,
        range: Range<u64>,
        before: &RangeCounts,
    ) -> Self {
        let container = Container::Mbox;
        let lines = extractor.lines().map(|lines| lines.from(range.start, b"", before));
        let given = if lines.is_some() { 0..range.end } else { range.clone() };
        let mark = Mark { offset: from, messages: before.messages.min(i64::MAX as u64) };
        let backend = extractor.options().backend;
        let splitter = Splitter::within(reader, container, backend, mark, given, range.clone(), before.hidden_until);
        let (oversize, heavy, is_wanted) = (None, 0, false);
        Messages { splitter, lines, range, settled: None, container, oversize, heavy, is_wanted }
    }

    /// Returns the counts of the range's separators, after the whole search.
    pub(super) fn counts(&self) -> SeparatorCounts {
        self.splitter.counts()
    }

    /// Receives a delivered batch back, to reuse its buffer.
    pub(super) fn recycle(&mut self, batch: MessageBatch) {
        self.heavy -= batch.weight();
        self.splitter.recycle(batch.text);
    }

    /// Returns a reader of the rest of the oversize message, and the count of lines before it.
    pub(super) fn read_oversize(&mut self) -> (impl Read + '_, Option<Lines>) {
        (self.splitter.oversize(), self.lines)
    }

    /// Ends an oversize message after its search. `lines` includes its lines.
    pub(super) fn end_oversize(&mut self, lines: Option<Lines>) {
        self.lines = lines;
    }

    /// Returns the counts, with the number of bytes that the splitter has read.
    pub(super) fn stats(&self, counted: Stats) -> Stats {
        Stats { bytes: self.splitter.bytes_read(), ..counted }
    }

    /// Returns the counts after the whole search, or the error that ended the input.
    pub(super) fn finish(&mut self, counted: Stats) -> io::Result<Stats> {
        self.splitter.result()?;
        Ok(Stats { checkpoint: self.checkpoint(), ..self.stats(counted) })
    }

    /// Counts the lines up to the start of a later search, if that start lies in these bytes. Lines
    /// are already counted up to the start of the bytes.
    fn settle(&mut self, bytes: &[u8], base: u64) {
        let Mark { offset, messages } = self.splitter.settled_at();
        if let Some(lines) = &mut self.lines
            && offset >= base
        {
            lines.advance(bytes, base, offset);
            self.settled = Some(lines.checkpoint(messages));
        }
    }

    /// Returns the start of a later search, if this search covers the input from there to its end.
    fn checkpoint(&self) -> Option<Checkpoint> {
        let is_whole =
            self.splitter.has_ended() && !self.splitter.is_damaged() && self.splitter.end() <= self.range.end;
        self.settled.filter(|settled| is_whole && self.range.start <= settled.offset)
    }

    /// Returns whether a piece is in the range. A piece that continues another piece is in the
    /// range if the other piece is.
    fn is_wanted(&mut self, start: u64, continues: bool) -> bool {
        if !continues {
            self.is_wanted = start >= self.range.start;
        }
        self.is_wanted
    }

    /// Reads an oversize message that is not wanted, to count its lines.
    fn pass(&mut self, mut at: u64) {
        let mut text = self.splitter.oversize();
        let mut buffer = vec![0; PASS];
        while at < self.range.end
            && let Ok(got @ 1..) = text.read(&mut buffer)
        {
            if let Some(lines) = &mut self.lines {
                lines.advance(&buffer[..got], at, at + got as u64);
            }
            at += got as u64;
        }
    }
}

impl<R: Read> WorkSource for Messages<R> {
    type Work = MessageBatch;

    fn is_done(&self) -> bool {
        self.oversize.is_some() || self.splitter.is_done()
    }

    /// Returns the next batch if it is ready. None is ready while an oversize message waits for its
    /// search.
    fn advance(&mut self) -> Option<MessageBatch> {
        match self.splitter.advance()? {
            split::SplitPart::Batch(split::Batch { text, mut pieces }) => {
                let lines = self.lines;
                self.settle(text.bytes(), text.base);
                if let Some(lines) = &mut self.lines {
                    lines.advance(text.bytes(), text.base, text.end());
                }
                pieces.retain(|piece| self.is_wanted(text.base + piece.separator.start as u64, piece.continues));
                if pieces.is_empty() {
                    self.splitter.recycle(text);
                    return None;
                }
                let batch = MessageBatch { text, pieces, lines, container: self.container };
                self.heavy += batch.weight();
                Some(batch)
            }
            split::SplitPart::Oversize { base, message, number, continues } => {
                self.settle(&[], base);
                if !self.is_wanted(base, continues) {
                    self.pass(base);
                } else {
                    let number = if self.container == Container::Message { Some(1) } else { number };
                    self.oversize = Some(OversizeMessage { base, message, number });
                }
                None
            }
        }
    }

    fn must_wait(&self) -> bool {
        self.heavy >= MOST_HEAVY
    }
}

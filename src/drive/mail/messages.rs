//! Batches of messages: the input split, its lines counted.

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

/// A longer batch is heavy: a message in it is long, and its results can be fifty times as long.
const HEAVY: usize = 640 << 10;
/// No batch is begun while heavy ones of so many bytes are under way.
#[cfg(feature = "parallel")]
const MOST_HEAVY: usize = 3 << 19;
/// An oversize message that is passed over is read in pieces of this size.
const PASS: usize = 64 << 10;

/// Some messages.
pub(super) struct MessageBatch {
    pub(super) text: Buffer,
    pub(super) pieces: Vec<Piece>,
    /// Counted up to where the text begins.
    pub(super) lines: Option<Lines>,
    /// The kind of the input.
    pub(super) container: Container,
}

impl MessageBatch {
    /// Returns the length of a batch that is heavy, else 0.
    fn weight(&self) -> usize {
        Some(self.text.bytes().len()).filter(|&length| length > HEAVY).unwrap_or(0)
    }
}

/// A message that is too long to be held.
#[derive(Clone, Copy)]
pub(super) struct OversizeMessage {
    /// Offset of the input.
    pub(super) base: u64,
    /// The end of the separator.
    pub(super) message: u64,
    pub(super) number: Option<u64>,
}

/// The messages of an input.
pub(super) struct Messages<R> {
    splitter: Splitter<R>,
    lines: Option<Lines>,
    range: Range<u64>,
    /// The start of a later search, as far as messages were delivered.
    settled: Option<Checkpoint>,
    /// The kind of the input.
    pub(super) container: Container,
    /// It comes next.
    pub(super) oversize: Option<OversizeMessage>,
    /// Bytes of heavy batches under way.
    heavy: usize,
    /// The last piece was in the range, or continued one that was.
    is_wanted: bool,
}

impl<R: Read> Messages<R> {
    pub(super) fn new(extractor: &Extractor, reader: R, container: Container, section: Section) -> Self {
        let lines = extractor.lines().map(|lines| section.checkpoint.map_or(lines, |checkpoint| lines.at(checkpoint)));
        let Section { range, checkpoint } = section;
        // The splitter keeps what stands before the range to itself, unless its lines are to be
        // counted.
        let given = if lines.is_some() { 0..range.end } else { range.clone() };
        // From the start, for the sake of the message's number and line, if no checkpoint has them.
        let from = checkpoint.map_or(Mark::default(), |Checkpoint { offset, messages, .. }| Mark { offset, messages });
        let mut splitter = Splitter::new(reader, container, extractor.options().backend, from, given);
        // It is decoded while it is read, however short it is.
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
    /// of the ranges before it. The reader stands [`LOOK_BACK`](split::LOOK_BACK) before the range,
    /// or at the start.
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

    /// Returns the separators of the range, when all has been searched.
    pub(super) fn counts(&self) -> SeparatorCounts {
        self.splitter.counts()
    }

    /// Takes a batch back that is done with.
    pub(super) fn recycle(&mut self, batch: MessageBatch) {
        self.heavy -= batch.weight();
        self.splitter.recycle(batch.text);
    }

    /// Returns what is left of the oversize message, and the lines before it.
    pub(super) fn read_oversize(&mut self) -> (impl Read + '_, Option<Lines>) {
        (self.splitter.oversize(), self.lines)
    }

    /// Ends an oversize message, which was searched and whose lines were counted.
    pub(super) fn end_oversize(&mut self, lines: Option<Lines>) {
        self.lines = lines;
    }

    /// Returns the counts, with those of the splitter.
    pub(super) fn stats(&self, counted: Stats) -> Stats {
        Stats { bytes: self.splitter.bytes_read(), ..counted }
    }

    /// Returns what was counted when all has been searched; or why not all could be read.
    pub(super) fn finish(&mut self, counted: Stats) -> io::Result<Stats> {
        self.splitter.result()?;
        Ok(Stats { checkpoint: self.checkpoint(), ..self.stats(counted) })
    }

    /// Counts the lines up to the splitter's final place, if it lies in these bytes. Lines are
    /// counted up to their start.
    fn settle(&mut self, bytes: &[u8], base: u64) {
        let Mark { offset, messages } = self.splitter.settled_at();
        if let Some(lines) = &mut self.lines
            && offset >= base
        {
            lines.advance(bytes, base, offset);
            self.settled = Some(lines.checkpoint(messages));
        }
    }

    /// Returns where a later search may go on, if the input came to its end in this one.
    fn checkpoint(&self) -> Option<Checkpoint> {
        let is_whole =
            self.splitter.has_ended() && !self.splitter.is_damaged() && self.splitter.end() <= self.range.end;
        self.settled.filter(|settled| is_whole && self.range.start <= settled.offset)
    }

    /// Returns whether a piece is in the range; what continues another goes with it.
    fn is_wanted(&mut self, start: u64, continues: bool) -> bool {
        if !continues {
            self.is_wanted = start >= self.range.start;
        }
        self.is_wanted
    }

    /// Counts the lines of an oversize message that is not wanted.
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

    /// Returns the next batch, if there is one yet. There is none while an oversize message is to
    /// be searched.
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

    #[cfg(feature = "parallel")]
    fn must_wait(&self) -> bool {
        self.heavy >= MOST_HEAVY
    }
}

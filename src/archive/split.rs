//! Splits an archive into messages while it is read, with the exact offset of each.
//!
//! # Where a message begins
//!
//! In an mbox at a separator: a `From ` line, as [`separator::mbox`] has it. In an rnews batch at a line `#! rnews 1234`
//! (RFC 1036, section 4.3). Every other `From ` line is text. What stands between messages in other files is said in
//! [`folders`]; of these some have an end too, behind which a program keeps what is no text of anybody.
//!
//! Nearly all software writes an empty line before a separator: of 6,900 one had none, in a file that was cut by hand. So
//! one without it must show more, its sender, and it is none in the header of the message above. What keeps a mailbox in a
//! listing or a dialogue of SMTP from being taken for the real thing is that an mbox is recognised by its first line: in
//! any other text nobody looks for separators, and who writes an mbox marks such lines (`>From `), or states a length.
//!
//! Some formats say how long a message is: a batch and a dbox by their nature, an mboxcl by `Content-Length`. Such a claim
//! is *proved* if another separator stands exactly where it ends (in an mbox up to two line breaks later, in a batch one), or
//! the input ends there; in a dbox by its end. A proved claim hides the separators within it, which are those of a mailbox
//! that was sent by mail. Any other claim is ignored: the message goes on to the next separator.
//!
//! A claim reaches at most [`MESSAGE_CAP`] from its separator, else it is not looked into. And a hidden separator's claim
//! counts like any other. A header is looked through for [`HEADER_LOOK`] bytes. It follows that whether a message begins at
//! an offset is decided by the [`MESSAGE_CAP`] bytes before it and the bytes about as far behind it, never by how the input
//! came in chunks.
//!
//! # What comes out
//!
//! Pieces, which follow one another without a gap but those ends, so that nothing is lost: what stands before the first
//! separator is a piece without one (and may be a message all the same), and the empty line before a separator belongs to
//! the message above. Whole ones come in batches of about half a MiB, in buffers that can be handed to another thread and
//! come back. A piece longer than [`MESSAGE_CAP`] is never held: it is handed out as a reader.
//!
//! Memory is at most twice [`MESSAGE_CAP`] and some MiB, which takes a claim of that length in a message of that length;
//! for the mail of this world it is a buffer of 0.6 MiB, and those that are under way.

mod cuts;
pub(crate) mod enclosed;
pub(crate) mod folders;
mod piece;
pub(crate) mod separator;
mod separators;

use std::io::{self, Read};
use std::mem;
use std::ops::Range;

use crate::archive::recognise::Container;
use crate::bytes::roll::{Buffer, DamagedEnd, FIRST_READ, Pool, RollingBuffer};
use crate::bytes::simd::Backend;
use cuts::{Cut, Cuts};
use piece::MESSAGE_CAP;
pub(crate) use piece::{Batch, Length, Mark, Piece, SplitPart};
use separator::{HEADER_LOOK, MBOX_LOOK};
pub(crate) use separators::SeparatorCounts;
use separators::{SeparatorKind, Separators, Sighting, Text};

/// Messages come in batches that are about as long. Smaller ones cost more than they spread the work; of ones of a MiB, two
/// do not stay in a core's cache, and a search on one thread took 4% longer (2026-11).
const BATCH: usize = 512 << 10;

/// Whether a separator stands at an offset of an mbox is decided by so many bytes before it, but for the claims that may hide
/// it: the header that it may stand in begins there. Where a search begins in the midst of a header, that ends where it does
/// for a search from the start; what is taken for a separator by mistake, right where reading begins, has a header that ends
/// in these bytes too.
pub(crate) const LOOK_BACK: usize = HEADER_LOOK + MBOX_LOOK;

/// Splits an input.
pub(crate) struct Splitter<R> {
    /// It is also the last one when the input cannot be read on.
    buffer: RollingBuffer<R>,
    failure: Option<io::Error>,
    pool: Pool,
    /// Only pieces that begin in these bytes of the input are given.
    range: Range<u64>,
    separators: Separators,
    cuts: Cuts,
    /// The current piece is in the range, or continues one that is.
    is_wanted: bool,
    /// The piece at hand is too long to be held.
    is_oversize: bool,
    /// Bytes at the start of the buffer that an oversize piece has given.
    given: usize,
}

impl<R: Read> Splitter<R> {
    /// Gives the pieces whose first byte is in a range; the reader begins at a message's separator, or with the input. A
    /// message and a text are one piece, and so is what is no container of messages.
    pub(crate) fn new(reader: R, container: Container, backend: Backend, from: Mark, range: Range<u64>) -> Self {
        Self::within(reader, container, backend, from, range, from.offset..u64::MAX, 0)
    }

    /// The same of an input that is read from anywhere on, if that is [`LOOK_BACK`] before the separators that are wanted,
    /// or the start: `wanted` are those that are counted, and `hidden_until` is where the claims of those before them end.
    pub(crate) fn within(
        reader: R,
        container: Container,
        backend: Backend,
        from: Mark,
        range: Range<u64>,
        wanted: Range<u64>,
        hidden_until: u64,
    ) -> Self {
        let kind = match container {
            Container::Mbox => Some(SeparatorKind::Mbox),
            Container::Rnews => Some(SeparatorKind::Rnews),
            Container::Mmdf => Some(SeparatorKind::Mmdf),
            Container::Babyl => Some(SeparatorKind::Babyl),
            Container::Dbox => Some(SeparatorKind::Dbox),
            Container::Emlx => Some(SeparatorKind::Emlx),
            Container::Warc => Some(SeparatorKind::Warc),
            _ => None,
        };
        Splitter {
            buffer: RollingBuffer::new(reader, from.offset),
            failure: None,
            pool: Pool::default(),
            is_wanted: range.contains(&from.offset),
            range,
            separators: Separators::new(kind, backend, from.offset, wanted, hidden_until),
            cuts: Cuts::at(from),
            is_oversize: false,
            given: 0,
        }
    }

    /// The message from which on a longer input must be split anew, as far as pieces were given: the last one, or the first
    /// whose claimed length reaches the end of the input.
    pub(crate) fn settled_at(&self) -> Mark {
        self.cuts.settled()
    }

    /// The separators that were wanted, as far as the input was read.
    pub(crate) fn counts(&self) -> SeparatorCounts {
        self.separators.counts()
    }

    /// All of the input was read and given.
    pub(crate) fn has_ended(&self) -> bool {
        !self.is_oversize && self.buffer.is_last && self.cuts.current.start == self.end()
    }

    /// The input could not be read on.
    pub(crate) fn is_damaged(&self) -> bool {
        self.buffer.held().is_damaged()
    }

    /// Nothing comes any more.
    pub(crate) fn is_done(&self) -> bool {
        let Cut { start, continues, .. } = self.cuts.current;
        let is_behind = start >= self.range.end && !(continues && self.is_wanted);
        !self.is_oversize && is_behind || self.has_ended() || self.is_past()
    }

    /// The piece at hand began before the separators that are wanted, and none of these comes before the end of the range:
    /// where it ends is nobody's business.
    fn is_past(&self) -> bool {
        let end = self.range.end;
        self.cuts.current.start < self.separators.first()
            && self.separators.settled() >= end
            && self.cuts.starts().next().is_none_or(|next| next >= end)
    }

    /// Whether the reader failed. What it gave before has been delivered then.
    pub(crate) fn result(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// How many bytes of the input were read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.buffer.bytes_read()
    }

    /// Takes the text of a batch back.
    pub(crate) fn recycle(&mut self, mut text: Buffer) {
        let storage = text.take_storage();
        // One that had grown for a long message is not worth keeping.
        if storage.len() <= 4 * BATCH {
            self.pool.put(storage);
        }
    }

    /// Reads once, if it must, and gives the next part if it is complete then: a pipe is not waited for while there is
    /// something to deliver.
    pub(crate) fn advance(&mut self) -> Option<SplitPart> {
        if mem::take(&mut self.is_oversize) {
            // The rest of it is not wanted.
            self.is_oversize = self.skip();
            return None;
        }
        if self.is_done() {
            return None;
        }
        let part = self.cut();
        if part.is_some() || self.buffer.is_last {
            return part;
        }
        let whole = BATCH + HEADER_LOOK + MBOX_LOOK;
        self.read(whole.saturating_sub(self.filled()).max(FIRST_READ));
        self.cut()
    }

    /// Gives all of an input that is no container of messages as an oversize part.
    pub(crate) fn read_on(&mut self) {
        self.is_oversize = true;
    }

    /// The bytes of the part that is oversize.
    pub(crate) fn oversize(&mut self) -> Oversize<'_, R> {
        Oversize { splitter: self }
    }

    /// Offset of the input at which the buffer ends.
    pub(crate) fn end(&self) -> u64 {
        self.buffer.held().end()
    }

    fn filled(&self) -> usize {
        self.buffer.bytes().len()
    }

    /// Asks the reader once, for at most `most` bytes, and looks for separators in what it gives.
    fn read(&mut self, most: usize) {
        if let Err(error) = self.buffer.read(most) {
            self.failure = Some(error);
            self.buffer.damage();
        }
        let Splitter { buffer, separators, cuts, .. } = self;
        let (bytes, base) = (buffer.bytes(), buffer.held().base);
        let text = Text { bytes, base, start: buffer.start(), first: separators.first(), is_last: buffer.is_last };
        while let Some(sighting) = separators.next(text) {
            match sighting {
                Sighting::Stuffed(at) => cuts.note_stuffed(at),
                Sighting::Separator { cut, is_open } => {
                    if let Some(cut) = cut {
                        cuts.add(cut);
                    }
                    if is_open {
                        cuts.leave_open();
                    }
                }
            }
        }
    }

    /// Where the current piece ends, if that is known.
    fn known_end(&self) -> Option<u64> {
        self.cuts.starts().next().or_else(|| self.buffer.is_last.then(|| self.end()))
    }

    /// The next part, if it is complete.
    fn cut(&mut self) -> Option<SplitPart> {
        const CAP: u64 = MESSAGE_CAP as u64;
        let (filled, is_last) = (self.filled(), self.buffer.is_last);
        if filled < BATCH && !is_last {
            return None;
        }
        // Up to where all is whole, and nothing too long.
        let mut start = self.cuts.current.start;
        let end = is_last.then(|| self.end());
        if filled <= MESSAGE_CAP {
            start = end.or(self.cuts.borders().last()).unwrap_or(start);
        } else {
            for end in self.cuts.borders().chain(end) {
                if end - start > CAP {
                    break;
                }
                start = end;
            }
        }
        let is_next_long = self.separators.settled().saturating_sub(start) > CAP;
        let whole = self.buffer.held().local(start);
        if whole == 0 {
            return if is_next_long { self.begin_oversize() } else { None };
        }
        let is_enough = whole >= BATCH || is_last || is_next_long || filled >= 2 * BATCH;
        is_enough.then(|| self.cut_batch(start))?
    }

    /// The pieces up to an offset. `None`: they are not of the range.
    fn cut_batch(&mut self, end: u64) -> Option<SplitPart> {
        let whole = self.buffer.held().local(end);
        let mut pieces = Vec::with_capacity(self.cuts.starts().count() + 1);
        while self.cuts.current.start < end {
            self.cuts.settle();
            let is_given = self.is_given();
            let Cut { start, message, length, stuffed, plain_body, continues, .. } = self.cuts.current;
            let next = self.known_end().unwrap_or(end);
            if is_given {
                let local = |offset| self.buffer.held().local(offset).min(whole);
                let separator = local(start)..local(message);
                pieces.push(Piece {
                    number: self.cuts.number(),
                    message: separator.end..local(next),
                    separator,
                    length,
                    stuffed: stuffed.map(|(first, last)| local(first)..=local(last)),
                    plain_body,
                    continues,
                });
            }
            self.cuts.go_to(next);
        }
        let mut text = self.buffer.move_on(whole, self.pool.take());
        text.truncate(whole);
        if pieces.is_empty() {
            self.recycle(text);
            return None;
        }
        Some(SplitPart::Batch(Batch { text, pieces }))
    }

    fn begin_oversize(&mut self) -> Option<SplitPart> {
        self.is_oversize = true;
        self.cuts.settle();
        self.cuts.part();
        let is_given = self.is_given();
        let Cut { start: base, message, continues, .. } = self.cuts.current;
        let number = self.cuts.number();
        is_given.then_some(SplitPart::Oversize { base, message, number, continues })
    }

    /// Returns whether the current piece is wanted: what continues another goes with it.
    fn is_given(&mut self) -> bool {
        let Cut { start, continues, is_closing, .. } = self.cuts.current;
        if !continues {
            self.is_wanted = self.range.contains(&start);
        }
        self.is_wanted && !is_closing
    }

    /// Bytes of the oversize piece that are in the buffer, which is filled if there are none; 0 at its end.
    fn oversize_left(&mut self) -> usize {
        loop {
            let end = self.known_end().unwrap_or(self.separators.settled());
            let left = self.buffer.held().local(end) - self.given;
            if left > 0 || self.buffer.is_last || self.cuts.starts().next().is_some() {
                return left;
            }
            self.buffer.drop_front(mem::take(&mut self.given));
            // While a separator waits for what its claim wants, much is in the buffer already.
            self.read((2 * BATCH).saturating_sub(self.filled()).max(FIRST_READ));
        }
    }

    /// Drops what is in the buffer of an oversize piece. `false`: that was all of it.
    fn skip(&mut self) -> bool {
        let left = self.oversize_left();
        self.given += left;
        if left == 0 {
            self.buffer.drop_front(mem::take(&mut self.given));
            self.cuts.go_to(self.buffer.held().base);
        }
        left > 0
    }
}

/// Reads a piece that is too long to be held.
///
/// A reader that fails ends it, as a [`DamagedEnd`]; [`Splitter::result`] has the failure then.
pub(crate) struct Oversize<'s, R> {
    splitter: &'s mut Splitter<R>,
}

impl<R: Read> Read for Oversize<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let splitter = &mut *self.splitter;
        if !splitter.is_oversize || out.is_empty() {
            return Ok(0);
        }
        let count = splitter.oversize_left().min(out.len());
        out[..count].copy_from_slice(&splitter.buffer.bytes()[splitter.given..][..count]);
        splitter.given += count;
        if count == 0 && splitter.is_damaged() && splitter.cuts.starts().next().is_none() {
            return Err(DamagedEnd.into());
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;

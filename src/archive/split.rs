//! Splits an archive into messages while it is read, with the exact offset of each.
//!
//! # The start of a message
//!
//! A message begins in an mbox at a separator: a `From ` line as defined by [`separator::mbox`]. In
//! an rnews batch it begins at a line `#! rnews 1234` (RFC 1036, section 4.3). Every other `From `
//! line is text. [`folders`] describes the separators of other containers. Some of them also mark
//! the end of a message, after which a program keeps data of its own.
//!
//! Nearly all software writes an empty line before a separator. One separator of 6,900 had none, in
//! a file that was cut by hand. So a separator without an empty line must also show its sender,
//! unless it is only `From`. A separator must not stand in the header of the previous message. Text
//! that quotes a mailbox, such as a listing or an SMTP dialogue, is not split. It is not recognised
//! as an mbox, because its first line is not a separator. Within an mbox, software marks quoted
//! separators (`>From `), or states a length.
//!
//! Some formats state the length of a message. Batches, dboxes and emlx state it in the separator,
//! mboxcl and web archives by `Content-Length`. Such a claim is *proved* if exactly at the claimed
//! end the input ends or another separator stands. Up to two line breaks may stand between in an
//! mbox or a web archive, and one in a batch. The end mark of a dbox proves its claim. The claim of
//! an emlx needs no proof. A proved claim hides the separators within it, which belong to a mailbox
//! that was sent by mail. Any other claim is ignored: the message continues to the next separator.
//!
//! A claim reaches at most [`MESSAGE_CAP`] from its separator. A longer claim is ignored. A hidden
//! separator's claim is checked like any other. Only [`HEADER_LOOK`] bytes of a header are read. So
//! the [`MESSAGE_CAP`] bytes before an offset, and about as many after it, decide whether a message
//! begins there. The chunks of the input never matter.
//!
//! # The output
//!
//! Pieces follow one another without a gap, except for the data after end marks. So nothing else is
//! lost. The text before the first separator is a piece without a separator, and may be a message.
//! The empty line before a separator belongs to the previous message. Whole pieces come in batches
//! of about half a MiB. Their buffers can be passed to another thread and returned. A piece longer
//! than [`MESSAGE_CAP`] is never held in memory, but is returned as a reader.
//!
//! Memory exceeds twice [`MESSAGE_CAP`] by some MiB at most. A claim of the maximum length in a
//! message of that length needs so much memory. Ordinary mail needs a buffer of 0.6 MiB, and the
//! batches in use.

mod cuts;
pub(crate) mod enclosed;
pub(crate) mod folders;
mod piece;
pub(crate) mod separator;
mod separators;

use std::io::{self, Read};
use std::mem;
use std::ops::Range;

use crate::archive::container::Container;
use crate::bytes::roll::{Buffer, DamagedEnd, FIRST_READ, Pool, RollingBuffer};
use crate::bytes::simd::Backend;
use cuts::{Cut, Cuts};
use piece::MESSAGE_CAP;
pub(crate) use piece::{Batch, Length, Mark, Piece, SplitPart};
use separator::{HEADER_LOOK, MBOX_LOOK};
pub(crate) use separators::SeparatorCounts;
use separators::{SeparatorKind, Separators, Sighting, Text};

/// The approximate length of a batch. The overhead of smaller batches outweighs the better
/// distribution of work. Two batches of a MiB do not fit into a core's cache. A search on one
/// thread was 4% slower with batches of a MiB (2026-11).
const BATCH: usize = 512 << 10;

/// The number of bytes before an offset that decide whether a separator stands there. They do not
/// cover claims that may hide the separator. A header that may contain the offset begins within
/// these bytes. A search from the middle of a header finds the same end as a search from its start.
/// If reading begins at a false separator, its header also ends within these bytes.
pub(crate) const LOOK_BACK: usize = HEADER_LOOK + MBOX_LOOK;

/// Splits an input into messages.
pub(crate) struct Splitter<R> {
    /// The buffered input. Its `is_last` is also set when the input cannot be read further.
    buffer: RollingBuffer<R>,
    failure: Option<io::Error>,
    pool: Pool,
    /// Only pieces that begin in these bytes of the input are returned.
    range: Range<u64>,
    separators: Separators,
    cuts: Cuts,
    /// Whether the current piece is in the range, or continues a piece in the range.
    is_wanted: bool,
    /// Whether the current piece is too long to be held.
    is_oversize: bool,
    /// The number of bytes at the start of the buffer that an oversize piece has returned.
    given: usize,
}

impl<R: Read> Splitter<R> {
    /// Returns a splitter for the pieces whose first byte is in a range. The reader must begin at a
    /// message's separator, or at the start of the input. A single message, a text, and any other
    /// input without separators are one piece.
    pub(crate) fn new(reader: R, container: Container, backend: Backend, from: Mark, range: Range<u64>) -> Self {
        Self::within(reader, container, backend, from, range, from.offset..u64::MAX, 0)
    }

    /// Returns a splitter like [`new`](Self::new), but for an input that is read from any offset.
    /// That offset is [`LOOK_BACK`] before the wanted separators, or the start of the input.
    /// `wanted` is the range of separators that are counted. The last proved claim of an earlier
    /// separator ends at `hidden_until`.
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

    /// Returns the message from which the input must be split again if it grows. That is the last
    /// returned message, or the first whose claimed length reaches the end of the input.
    pub(crate) fn settled_at(&self) -> Mark {
        self.cuts.settled()
    }

    /// Returns the counts of the wanted separators in the input read so far.
    pub(crate) fn counts(&self) -> SeparatorCounts {
        self.separators.counts()
    }

    /// Returns true if the whole input was read and returned.
    pub(crate) fn has_ended(&self) -> bool {
        !self.is_oversize && self.buffer.is_last && self.cuts.current.start == self.end()
    }

    /// Returns true if the input could not be read to its end.
    pub(crate) fn is_damaged(&self) -> bool {
        self.buffer.held().is_damaged()
    }

    /// Returns true if no more parts follow.
    pub(crate) fn is_done(&self) -> bool {
        let Cut { start, continues, .. } = self.cuts.current;
        let is_behind = start >= self.range.end && !(continues && self.is_wanted);
        !self.is_oversize && is_behind || self.has_ended() || self.is_past()
    }

    /// Returns true if the current piece began before the wanted separators, and none of them
    /// precedes the range's end. Then the end of the piece is irrelevant.
    fn is_past(&self) -> bool {
        let end = self.range.end;
        self.cuts.current.start < self.separators.first()
            && self.separators.settled() >= end
            && self.cuts.starts().next().is_none_or(|next| next >= end)
    }

    /// Returns the reader's failure once, after all bytes before it were delivered.
    pub(crate) fn result(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Returns the number of bytes of the input that were read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.buffer.bytes_read()
    }

    /// Receives the text of a batch, and keeps its storage for reuse.
    pub(crate) fn recycle(&mut self, mut text: Buffer) {
        let storage = text.take_storage();
        // A buffer that grew for a long message is not worth keeping.
        if storage.len() <= 4 * BATCH {
            self.pool.put(storage);
        }
    }

    /// Returns the next part if it is complete, after at most one read. So a complete part is never
    /// delayed by a slow pipe.
    pub(crate) fn advance(&mut self) -> Option<SplitPart> {
        if mem::take(&mut self.is_oversize) {
            // Skips the rest, which the caller did not read.
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

    /// Turns the whole of an input without separators into an oversize part.
    pub(crate) fn read_on(&mut self) {
        self.is_oversize = true;
    }

    /// Returns a reader of the oversize part.
    pub(crate) fn oversize(&mut self) -> Oversize<'_, R> {
        Oversize { splitter: self }
    }

    /// Returns the offset in the input at which the buffer ends.
    pub(crate) fn end(&self) -> u64 {
        self.buffer.held().end()
    }

    fn filled(&self) -> usize {
        self.buffer.bytes().len()
    }

    /// Calls the reader once, for at most `most` bytes, and searches the result for separators.
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

    /// Returns the end of the current piece, if the end was found.
    fn known_end(&self) -> Option<u64> {
        self.cuts.starts().next().or_else(|| self.buffer.is_last.then(|| self.end()))
    }

    /// Returns the next part, if it is complete.
    fn cut(&mut self) -> Option<SplitPart> {
        const CAP: u64 = MESSAGE_CAP as u64;
        let (filled, is_last) = (self.filled(), self.buffer.is_last);
        if filled < BATCH && !is_last {
            return None;
        }
        // The batch ends after the last complete piece before a piece that is too long to be held.
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
        // If two batches are buffered, but the complete pieces are shorter than one batch, a long
        // message follows.
        let is_enough = whole >= BATCH || is_last || is_next_long || filled >= 2 * BATCH;
        is_enough.then(|| self.cut_batch(start))?
    }

    /// Moves the pieces up to an offset into a batch. Returns `None` if none of them is wanted.
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

    /// Returns whether the current piece is wanted. A continuation is wanted if its first piece is.
    /// A program's own data are never wanted.
    fn is_given(&mut self) -> bool {
        let Cut { start, continues, is_closing, .. } = self.cuts.current;
        if !continues {
            self.is_wanted = self.range.contains(&start);
        }
        self.is_wanted && !is_closing
    }

    /// Returns the number of buffered bytes of the oversize piece, and reads if there are none. The
    /// number is 0 at the end of the piece.
    fn oversize_left(&mut self) -> usize {
        loop {
            let end = self.known_end().unwrap_or(self.separators.settled());
            let left = self.buffer.held().local(end) - self.given;
            if left > 0 || self.buffer.is_last || self.cuts.starts().next().is_some() {
                return left;
            }
            self.buffer.drop_front(mem::take(&mut self.given));
            // The buffer already holds much text if a separator still needs the end of its claim.
            self.read((2 * BATCH).saturating_sub(self.filled()).max(FIRST_READ));
        }
    }

    /// Drops the buffered bytes of an oversize piece. Returns false if it has ended.
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

/// A reader of a piece that is too long to be held.
///
/// A failure of the input ends the piece with a [`DamagedEnd`]. [`Splitter::result`] then returns
/// the failure.
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

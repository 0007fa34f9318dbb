//! A message that is too long to be held, taken apart while it is read.
//!
//! It is the same walk, over a window. A header, and a body that ends within [`HELD`], are in it as a whole, and are made to
//! parts as those of any message. A longer body is read piece by piece by who wants it, decoded or as it lies.
//!
//! The window is filled up to lengths that the message alone decides, so that what is given does not depend on how the input
//! came.

use std::io::{self, Read};

use memchr::memrchr;

use super::entity::Entity;
use super::walk::{AtHand, BodyKind, BodyText, MimeWalk, WalkItem};
use super::{MAX_ENCODED, PartMaker, number};
use crate::archive::message::{Encoding, Note, OffsetBase, Part};
use crate::archive::recognise::Container;
use crate::bytes::roll::{DamagedEnd, RollingBuffer};

/// A body up to this length is decoded as a whole, which takes up to seven times as much. A longer header ends here, too.
const HELD: usize = 4 << 20;
/// What the window holds at first: the header, if that is not very long.
pub(crate) const FIRST: usize = 256 << 10;
/// A longer body comes in pieces of about this length.
const PIECE: usize = 512 << 10;
/// A longer line is no delimiter. (A field of which a boundary is read is cut at 16 KiB.)
const LINE: usize = 64 << 10;

/// A message that is read as it comes.
pub(crate) struct LongMessage<'r, 'd> {
    /// Places are offsets of what it reads.
    buffer: RollingBuffer<&'r mut dyn Read>,
    /// Gets to know each stretch of the message that is done with, and where it lies.
    done: &'d dyn Fn(&[u8], u64),
    walk: MimeWalk,
    /// How it was encoded, as a part of another message: its places are those of what was decoded then.
    outer: Option<Encoding>,
    may_decode: usize,
    /// Of the long body.
    piece: BodyPiece,
}

/// Where a part was met.
#[derive(Clone, Copy)]
pub(crate) struct Around<'w> {
    /// The window.
    pub(crate) bytes: &'w [u8],
    /// Its offset.
    pub(crate) base: u64,
    /// The part ends because the input could not be read on.
    pub(crate) is_cut: bool,
}

/// What is at hand of a long body: the front of the window.
#[derive(Debug, Default)]
struct BodyPiece {
    length: usize,
    /// It goes on a line.
    goes_on: bool,
    /// It is the last.
    is_last: bool,
}

/// What comes next in a message.
pub(crate) enum LongStep {
    /// Parts, which were given.
    Parts,
    /// A body that is too long to be held.
    Long(Box<LongBody>),
    End,
}

/// A text of a message that is too long to be held.
#[derive(Debug)]
pub(crate) struct LongBody {
    /// The number of the MIME part as IMAP counts them; `None` before and after the parts of an outermost multipart.
    pub(crate) number: Option<String>,
    /// The same, as a path.
    pub(crate) path: Vec<u32>,
    /// What the header says of a part that has no parts; of other texts their type, if they have one.
    pub(crate) kind: Result<Entity, Option<String>>,
    pub(crate) note: Option<Note>,
    /// What its relative links are relative to.
    pub(crate) bases: Vec<Vec<u8>>,
    /// Offset of its first byte.
    pub(crate) start: u64,
}

impl<'r, 'd> LongMessage<'r, 'd> {
    /// The message begins `from` bytes behind the start of the buffer. `done` gets to know each stretch that is done with,
    /// and where it lies.
    pub(crate) fn new(
        buffer: RollingBuffer<&'r mut dyn Read>,
        from: usize,
        done: &'d dyn Fn(&[u8], u64),
    ) -> LongMessage<'r, 'd> {
        let mut walk = MimeWalk::new(Vec::new());
        walk.at = from;
        LongMessage { buffer, done, walk, outer: None, may_decode: MAX_ENCODED, piece: BodyPiece::default() }
    }

    /// Returns a page of HTML, XML or a calendar, which is a body without a header.
    pub(crate) fn page(
        container: Container,
        buffer: RollingBuffer<&'r mut dyn Read>,
        done: &'d dyn Fn(&[u8], u64),
    ) -> LongMessage<'r, 'd> {
        LongMessage { walk: MimeWalk::page(container), ..LongMessage::new(buffer, 0, done) }
    }

    /// The message that a long body is; `reader` decodes it. `None` if that was done too often.
    pub(crate) fn inner(
        body: &LongBody,
        encoding: Encoding,
        may_decode: usize,
        reader: &'r mut dyn Read,
    ) -> Option<LongMessage<'r, 'd>> {
        Some(LongMessage {
            buffer: RollingBuffer::new(reader, 0),
            done: &|_, _| {},
            walk: MimeWalk::new(body.path.clone()),
            outer: Some(encoding),
            may_decode: may_decode.checked_sub(1)?,
            piece: BodyPiece::default(),
        })
    }

    /// How often a message within this one may be encoded.
    pub(crate) fn may_decode(&self) -> usize {
        self.may_decode
    }

    /// Places are those of what a message was decoded to, not of the input.
    pub(crate) fn is_decoded(&self) -> bool {
        self.outer.is_some()
    }

    /// Goes on. Parts are given with the window that they lie in.
    pub(crate) fn advance(&mut self, mut give: impl FnMut(Part<'_>, Around<'_>)) -> io::Result<LongStep> {
        loop {
            let held = self.buffer.held();
            let (bytes, base) = (held.bytes(), held.base);
            let is_full = bytes.len() - self.walk.at >= HELD;
            match self.walk.next(AtHand { bytes, is_last: self.buffer.is_last, is_full }) {
                Some(WalkItem::End) => {
                    self.drop_front(self.walk.at);
                    return Ok(LongStep::End);
                }
                Some(found) => {
                    let mut parts = PartMaker::new(bytes, self.may_decode);
                    parts.add(found);
                    for part in parts.ready {
                        let is_cut = held.is_damaged() && part.body.end == bytes.len();
                        give(placed(part, base as usize, self.outer), Around { bytes, base, is_cut });
                    }
                    return Ok(LongStep::Parts);
                }
                None => {
                    if is_full && let Some(body) = self.walk.take_body() {
                        return Ok(LongStep::Long(Box::new(self.open(body))));
                    }
                    self.drop_front(self.walk.at);
                    let length = self.buffer.bytes().len();
                    self.buffer.fill((2 * length).clamp(FIRST, HELD + LINE))?;
                }
            }
        }
    }

    fn drop_front(&mut self, by: usize) {
        let held = self.buffer.held();
        (self.done)(&held.bytes()[..by], held.base);
        self.buffer.drop_front(by);
        self.walk.at = self.walk.at.saturating_sub(by);
    }

    fn open(&mut self, body: BodyText) -> LongBody {
        self.drop_front(self.walk.at);
        self.piece = BodyPiece::default();
        let number = (!body.path.is_empty()).then(|| number(&body.path));
        let kind = match body.kind {
            BodyKind::Leaf(entity) => Ok(entity),
            BodyKind::Raw(kind) => Err(Some(kind)),
            BodyKind::Before | BodyKind::After => Err(None),
        };
        LongBody { number, path: body.path, kind, note: body.note, bases: body.bases, start: self.buffer.held().base }
    }

    /// The first bytes of the long body.
    pub(crate) fn sample(&self) -> &[u8] {
        &self.buffer.bytes()[..FIRST]
    }

    /// Goes on to the next piece of the long body: whole lines, but for lines of some hundred KiB. `false` at its end.
    pub(crate) fn next_piece(&mut self) -> io::Result<bool> {
        let BodyPiece { length, is_last, .. } = self.piece;
        self.piece.goes_on = length > 0 && !self.buffer.bytes()[..length].ends_with(b"\n");
        self.drop_front(length);
        self.piece.length = 0;
        if is_last {
            return Ok(false);
        }
        self.buffer.fill(PIECE + LINE)?;
        let held = self.buffer.bytes();
        let bytes = &held[..held.len().min(PIECE + LINE)];
        let is_end = bytes.len() < PIECE + LINE;
        // Whether a line delimits is known of those that begin in the piece, and of the next.
        let delimiter = self.walk.find_delimiter(bytes, 0, !self.piece.goes_on);
        let delimiter = delimiter.filter(|delimiter| is_end || delimiter.start <= PIECE);
        if is_end || delimiter.is_some() {
            self.piece.length = delimiter.map_or(bytes.len(), |delimiter| delimiter.start);
            self.piece.is_last = true;
            self.walk.pass(delimiter, bytes.len());
        } else {
            self.piece.length = memrchr(b'\n', &bytes[..PIECE]).map_or(PIECE, |end| end + 1);
        }
        Ok(true)
    }

    /// The piece at hand, and where it lies in the message.
    pub(crate) fn piece(&self) -> (&[u8], u64) {
        (&self.buffer.bytes()[..self.piece.length], self.buffer.held().base)
    }

    /// Reads the long body from its start.
    pub(crate) fn body(&mut self) -> BodyReader<'_, 'r, 'd> {
        BodyReader { message: self, at: 0 }
    }
}

/// A part with its places in the message, of which the window begins at `by`, or in what that was decoded from.
fn placed(part: Part<'_>, by: usize, outer: Option<Encoding>) -> Part<'_> {
    let is_source = part.positions.base == OffsetBase::Source;
    let (base, encoding) = match outer {
        Some(encoding) if is_source => (OffsetBase::Decoded, encoding),
        _ => (part.positions.base, part.encoding),
    };
    let positions = if is_source { part.positions.shift(by, base) } else { part.positions };
    // Of a message that was encoded, the place of its body is known when it ends.
    let body = if outer.is_none() { part.body.start + by..part.body.end + by } else { 0..0 };
    Part { positions, encoding, body, ..part }
}

/// A long body as it lies. It ends at the delimiter.
pub(crate) struct BodyReader<'b, 'r, 'd> {
    message: &'b mut LongMessage<'r, 'd>,
    /// In the piece.
    at: usize,
}

impl Read for BodyReader<'_, '_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let (piece, _) = self.message.piece();
            let rest = &piece[self.at..];
            if !rest.is_empty() {
                let count = rest.len().min(out.len());
                out[..count].copy_from_slice(&rest[..count]);
                self.at += count;
                return Ok(count);
            }
            self.at = 0;
            if !self.message.next_piece()? {
                // Nothing follows but the end that could not be read.
                let is_cut = self.message.buffer.held().is_damaged() && self.message.buffer.bytes().is_empty();
                return if is_cut { Err(DamagedEnd.into()) } else { Ok(0) };
            }
        }
    }
}

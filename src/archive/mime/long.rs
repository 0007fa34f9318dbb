//! Reads a message that is too long for memory, part by part while it arrives.
//!
//! The walk is the same as for any message, but over a window. The window holds a whole header, and
//! a whole body that ends within [`HELD`]. These become parts as in any message. A longer body is
//! read piece by piece on demand, decoded or undecoded.
//!
//! The window is filled up to lengths that depend only on the message. So the result does not
//! depend on how the input arrived.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::{memchr_iter, memrchr};

use super::entity::Entity;
use super::walk::{AtHand, BodyKind, BodyText, MimeWalk, WalkItem};
use super::{MAX_ENCODED, PartMaker, number};
use crate::archive::container::Container;
use crate::archive::encoding::Encoding;
use crate::archive::message::{Note, Part};
use crate::archive::stream_places::{PassedLines, StreamPlaces};
use crate::archive::text_source::{OuterSource, TextSource};
use crate::bytes::roll::{DamagedEnd, RollingBuffer};

/// The longest body that is decoded as a whole. Decoding needs up to seven times as much memory. A
/// longer header is cut at this length.
const HELD: usize = 4 << 20;
/// The length of the first window. It holds the header, unless the header is very long.
pub(crate) const FIRST: usize = 256 << 10;
/// The approximate length of the pieces of a longer body.
const PIECE: usize = 512 << 10;
/// The longest line that can be a delimiter. (A field is cut at 16 KiB before its boundary is
/// read.)
const LINE: usize = 64 << 10;

/// A message that is read while it arrives.
pub(crate) struct LongMessage<'r, 'd> {
    /// The window of the input. Positions are offsets in that input.
    buffer: RollingBuffer<&'r mut dyn Read>,
    /// Receives each finished stretch of the message, and its offset.
    done: &'d dyn Fn(&[u8], u64),
    walk: MimeWalk,
    /// The encoding of the message and its way to the archive, if it is a part of another message.
    outer: Option<(Encoding, Arc<StreamPlaces>)>,
    may_decode: usize,
    /// The current piece of the long body.
    piece: BodyPiece,
}

/// The window in which a part was found.
#[derive(Clone, Copy)]
pub(crate) struct Around<'w> {
    /// The bytes of the window.
    pub(crate) bytes: &'w [u8],
    /// The offset of the window.
    pub(crate) base: u64,
    /// Whether the part ends because the input could not be read further.
    pub(crate) is_cut: bool,
}

/// The piece of a long body at the front of the window.
#[derive(Debug, Default)]
struct BodyPiece {
    length: usize,
    /// Whether the piece continues a line of the previous piece.
    goes_on: bool,
    /// Whether the piece is the last one of the body.
    is_last: bool,
}

/// The next step through a message.
pub(crate) enum LongStep {
    /// Parts were passed to the caller.
    Parts,
    /// A body that is too long to be held follows.
    Long(Box<LongBody>),
    End,
}

/// A text of a message that is too long for memory.
#[derive(Debug)]
pub(crate) struct LongBody {
    /// The number of the MIME part, in the form of IMAP. It is `None` before and after the parts of
    /// an outermost multipart.
    pub(crate) number: Option<String>,
    /// The number as a path.
    pub(crate) path: Vec<u32>,
    /// The header's description of a part without parts of its own. For any other text it is the
    /// type, if there is one.
    pub(crate) kind: Result<Entity, Option<String>>,
    pub(crate) note: Option<Note>,
    /// The bases of the body's relative links.
    pub(crate) bases: Vec<Vec<u8>>,
    /// The offset of the body's first byte.
    pub(crate) start: u64,
}

impl<'r, 'd> LongMessage<'r, 'd> {
    /// Creates a reader of a message that begins `from` bytes after the start of the buffer. `done`
    /// receives each finished stretch, and its offset.
    pub(crate) fn new(
        buffer: RollingBuffer<&'r mut dyn Read>,
        from: usize,
        done: &'d dyn Fn(&[u8], u64),
    ) -> LongMessage<'r, 'd> {
        let mut walk = MimeWalk::new(Vec::new());
        walk.at = from;
        LongMessage { buffer, done, walk, outer: None, may_decode: MAX_ENCODED, piece: BodyPiece::default() }
    }

    /// Creates a reader of HTML, XML or a calendar, which is a body without a header.
    pub(crate) fn page(
        container: Container,
        buffer: RollingBuffer<&'r mut dyn Read>,
        done: &'d dyn Fn(&[u8], u64),
    ) -> LongMessage<'r, 'd> {
        LongMessage { walk: MimeWalk::page(container), ..LongMessage::new(buffer, 0, done) }
    }

    /// Creates a reader of a message that is a long body of another message. `reader` decodes the
    /// body, and `places` is the way back. Returns `None` if encoded messages are nested too deep.
    pub(crate) fn inner(
        body: &LongBody,
        encoding: Encoding,
        may_decode: usize,
        reader: &'r mut dyn Read,
        places: Arc<StreamPlaces>,
    ) -> Option<LongMessage<'r, 'd>> {
        Some(LongMessage {
            buffer: RollingBuffer::new(reader, 0),
            done: &|_, _| {},
            walk: MimeWalk::new(body.path.clone()),
            outer: Some((encoding, places)),
            may_decode: may_decode.checked_sub(1)?,
            piece: BodyPiece::default(),
        })
    }

    /// Returns how many more levels of encoded messages this message may contain.
    pub(crate) fn may_decode(&self) -> usize {
        self.may_decode
    }

    /// Advances to the next parts, and passes each to `give` with its window.
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
                    let mut window = TextSource::in_place(base as usize);
                    if let Some((_, places)) = &self.outer {
                        window = window.within(&OuterSource::Stream(Arc::clone(places)));
                    }
                    let window = Arc::new(window);
                    let outer = Some(OuterSource::Text(Arc::clone(&window)));
                    let mut parts = PartMaker { outer, ..PartMaker::new(bytes, self.may_decode) };
                    parts.add(found);
                    for part in parts {
                        let is_cut = held.is_damaged() && part.body.end == bytes.len();
                        give(
                            placed(part, &window, self.outer.as_ref().map(|&(encoding, _)| encoding)),
                            Around { bytes, base, is_cut },
                        );
                    }
                    return Ok(LongStep::Parts);
                }
                None => {
                    // A body that fills the window is read in pieces. For anything else the window
                    // grows below.
                    if is_full && let Some(body) = self.walk.take_body() {
                        return Ok(LongStep::Long(Box::new(self.open(body))));
                    }
                    self.drop_front(self.walk.at);
                    if let Some((_, places)) = &self.outer {
                        places.forget(self.buffer.held().base);
                    }
                    let length = self.buffer.bytes().len();
                    // Doubling keeps the repeated scans of the window linear.
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

    /// Returns the first bytes of the long body.
    pub(crate) fn sample(&self) -> &[u8] {
        &self.buffer.bytes()[..FIRST]
    }

    /// Reads the next piece of the long body. A piece consists of whole lines, unless it begins
    /// with a line longer than [`PIECE`]. Returns `false` at the end.
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
        // A delimiter is certain only if it begins in this piece, or directly after it. Then its
        // whole line is in the window.
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

    /// Returns the current piece, and its offset in the message.
    pub(crate) fn piece(&self) -> (&[u8], u64) {
        (&self.buffer.bytes()[..self.piece.length], self.buffer.held().base)
    }

    /// Returns a reader of the long body, from its start. It records the lines of the body.
    pub(crate) fn body(&mut self, lines: Option<Arc<Mutex<PassedLines>>>) -> BodyReader<'_, 'r, 'd> {
        BodyReader { message: self, at: 0, lines }
    }
}

/// Returns a part with the place of its body in the archive. `window` is the way from the window of
/// its message. `outer` is the encoding of the message, if it is encoded.
fn placed<'p>(part: Part<'p>, window: &Arc<TextSource<'static>>, outer: Option<Encoding>) -> Part<'p> {
    let Some(encoding) = outer else {
        return Part { body: window.range(part.body.clone()), ..part };
    };
    let encoding = if part.source.lies_in(window) { encoding } else { part.encoding };
    // The place of an encoded message's body is determined when the body ends.
    Part { encoding, body: 0..0, ..part }
}

/// A reader of a long body, undecoded and up to the delimiter.
pub(crate) struct BodyReader<'b, 'r, 'd> {
    message: &'b mut LongMessage<'r, 'd>,
    /// The offset in the piece.
    at: usize,
    lines: Option<Arc<Mutex<PassedLines>>>,
}

impl Read for BodyReader<'_, '_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let (piece, base) = self.message.piece();
            let rest = &piece[self.at..];
            if !rest.is_empty() {
                if let (Some(lines), 0) = (&self.lines, self.at) {
                    let starts = memchr_iter(b'\n', piece).map(|end| base + end as u64 + 1);
                    lines.lock().unwrap_or_else(PoisonError::into_inner).add(starts);
                }
                let count = rest.len().min(out.len());
                out[..count].copy_from_slice(&rest[..count]);
                self.at += count;
                return Ok(count);
            }
            self.at = 0;
            if !self.message.next_piece()? {
                // Only the unreadable end of the input follows.
                let is_cut = self.message.buffer.held().is_damaged() && self.message.buffer.bytes().is_empty();
                return if is_cut { Err(DamagedEnd.into()) } else { Ok(0) };
            }
        }
    }
}

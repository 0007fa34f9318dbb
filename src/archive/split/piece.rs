//! Messages as a splitter returns them.

use std::ops::{Range, RangeInclusive};

use crate::bytes::roll::Buffer;

/// The longest piece, separator included, that is held in memory. The longest of 13,700 messages in
/// archives has 226 kB; only a large attachment reaches the cap. Decoding needs up to seven times
/// the size for hostile text. A search of mail is meant to need at most 128 MiB.
pub(crate) const MESSAGE_CAP: usize = 12 << 20;

/// The container's statement about a piece's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Unstated,
    Proved,
    /// No separator stands at the stated end of the piece.
    Ignored,
}

/// One message, or the text before the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The number of the message in the input, from 1.
    pub(crate) number: Option<u64>,
    /// The separator's line in the batch's bytes; empty if there is none.
    pub(crate) separator: Range<usize>,
    /// The message in the batch's bytes.
    pub(crate) message: Range<usize>,
    pub(crate) length: Length,
    /// From the first to the last `From` in the batch's bytes that may be marked as no separator
    /// (`>From `).
    pub(crate) stuffed: Option<RangeInclusive<usize>>,
    /// The offset of the body in the message, if the body surely needs no decoding.
    pub(crate) plain_body: Option<usize>,
    /// The message may be a later piece of the previous one. Then it is in the same batch, and
    /// belongs to the same range.
    pub(crate) continues: bool,
}

/// Whole pieces, one after the other.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) text: Buffer,
    pub(crate) pieces: Vec<Piece>,
}

/// A part of the input as a splitter returns it.
#[derive(Debug)]
pub(crate) enum SplitPart {
    Batch(Batch),
    /// A piece to be read with [`Splitter::oversize`](super::Splitter::oversize): all of it, the
    /// separator too.
    Oversize {
        /// Offset of its first byte in the input.
        base: u64,
        /// Offset of the message in the input, after the separator.
        message: u64,
        /// The number of the message in the input, from 1.
        number: Option<u64>,
        /// As in a [`Piece`].
        continues: bool,
    },
}

/// A message in an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The offset of its separator.
    pub(crate) offset: u64,
    /// The number of messages before it.
    pub(crate) messages: u64,
}

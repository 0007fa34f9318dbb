//! Messages as a splitter returns them.

use std::ops::{Range, RangeInclusive};

use crate::bytes::roll::Buffer;

/// The maximum length of a piece, with its separator, that is held in memory. The longest of 13,700
/// messages in archives has 226 kB, so only a large attachment reaches the cap. Decoding hostile
/// text needs up to seven times its size. The cap keeps a search of mail below 128 MiB.
pub(crate) const MESSAGE_CAP: usize = 12 << 20;

/// The result of checking the length that the container states for a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Unstated,
    Proved,
    /// The stated length is too long, or no separator stands at the stated end of the piece.
    Ignored,
}

/// One message, or the text before the first message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The number of the message in the input, from 1.
    pub(crate) number: Option<u64>,
    /// The separator's line in the batch's bytes. It is empty if there is none.
    pub(crate) separator: Range<usize>,
    /// The message in the batch's bytes.
    pub(crate) message: Range<usize>,
    pub(crate) length: Length,
    /// The range in the batch's bytes from the first to the last `From` that may have a mark
    /// (`>From `).
    pub(crate) stuffed: Option<RangeInclusive<usize>>,
    /// The offset of the body in the message, if the body certainly needs no decoding.
    pub(crate) plain_body: Option<usize>,
    /// Whether the message may be a later piece of the previous message. Then it belongs to the
    /// same range. It is also in the same batch, unless both pieces together are too long.
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
    /// A piece that is read with [`Splitter::oversize`](super::Splitter::oversize), including its
    /// separator.
    Oversize {
        /// The offset of the piece's first byte in the input.
        base: u64,
        /// The offset of the message in the input, after the separator.
        message: u64,
        /// The number of the message in the input, from 1.
        number: Option<u64>,
        /// Whether the message may continue the previous one, as in a [`Piece`].
        continues: bool,
    },
}

/// A message in an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The offset of the message's separator.
    pub(crate) offset: u64,
    /// The number of messages before the message.
    pub(crate) messages: u64,
}

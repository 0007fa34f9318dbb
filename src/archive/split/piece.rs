//! Messages as a splitter gives them.

use std::ops::{Range, RangeInclusive};

use crate::bytes::roll::Buffer;

/// A longer piece, separator included, is not held in memory. Of 13,700 messages in archives the longest has 226 kB;
/// what reaches the cap is a large attachment. Decoding takes up to seven times as much for text that is made to hurt, and
/// 128 MiB is what a search of mail may take.
pub(crate) const MESSAGE_CAP: usize = 12 << 20;

/// What its container says about a piece's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Unstated,
    Proved,
    /// Something else than a separator stands where the piece ends by that.
    Ignored,
}

/// One message, or what stands before the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Of the message in the input, from 1.
    pub(crate) number: Option<u64>,
    /// The separator's line in the batch's bytes; empty if there is none.
    pub(crate) separator: Range<usize>,
    /// The message in the batch's bytes.
    pub(crate) message: Range<usize>,
    pub(crate) length: Length,
    /// From the first to the last `From` in the batch's bytes that may be marked as no separator (`>From `).
    pub(crate) stuffed: Option<RangeInclusive<usize>>,
    /// Where in the message the body begins, if that is known to need no decoding.
    pub(crate) plain_body: Option<usize>,
    /// The message may be a later piece of the one before: then it is in the same batch, and of the same range.
    pub(crate) continues: bool,
}

/// Whole pieces, one after the other.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) text: Buffer,
    pub(crate) pieces: Vec<Piece>,
}

/// What a splitter gives.
#[derive(Debug)]
pub(crate) enum SplitPart {
    Batch(Batch),
    /// To be read with [`Splitter::oversize`](super::Splitter::oversize): all of it, the separator too.
    Oversize {
        /// Offset of its first byte in the input.
        base: u64,
        /// Offset of the message in the input, after the separator.
        message: u64,
        /// Of the message in the input, from 1.
        number: Option<u64>,
        /// As in a [`Piece`].
        continues: bool,
    },
}

/// A message in an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Offset of its separator.
    pub(crate) offset: u64,
    /// Messages before it.
    pub(crate) messages: u64,
}

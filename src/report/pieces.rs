//! What a record is put together in: pieces are copied into a small buffer, which asks for no room by itself and meets no
//! error. The writer gets all of it at once.

use std::io::{self, Write};
use std::mem;

/// Most records are shorter; what is longer goes to the writer in parts.
const BUFFER: usize = 1024;

/// Gathers the pieces of a record.
pub(super) struct PieceWriter<'o, W> {
    out: &'o mut W,
    buffer: [u8; BUFFER],
    filled: usize,
    /// Of the writer.
    result: io::Result<()>,
}

impl<'o, W: Write> PieceWriter<'o, W> {
    #[inline(always)]
    pub(super) fn new(out: &'o mut W) -> Self {
        PieceWriter { out, buffer: [0; BUFFER], filled: 0, result: Ok(()) }
    }

    /// Writes pieces. There is one look for room, and those of a length that is known when this is compiled are stored
    /// without a call.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, pieces: [&[u8]; N]) {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let Some(mut room) = self.buffer.get_mut(self.filled..self.filled + length) else {
            return self.overflow(&pieces);
        };
        for piece in pieces {
            let (here, rest) = room.split_at_mut(piece.len());
            here.copy_from_slice(piece);
            room = rest;
        }
        self.filled += length;
    }

    #[cold]
    #[inline(never)]
    fn overflow(&mut self, pieces: &[&[u8]]) {
        self.by(|out| pieces.iter().try_for_each(|piece| out.write_all(piece)));
    }

    /// Lets somebody else write what comes next.
    #[inline(always)]
    pub(super) fn by(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        self.flush();
        if self.result.is_ok() {
            self.result = write(self.out);
        }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(&self.buffer[..self.filled]);
        }
        self.filled = 0;
    }

    /// Hands over what is left. The first error of the writer, if there was one; nothing was written after it.
    #[inline]
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.flush();
        mem::replace(&mut self.result, Ok(()))
    }
}

/// Is `test` 0 for all of a text, taken eight bytes at a time and filled up with blanks? It gets the first byte lowest, and
/// answers by the high bits of bytes.
#[inline(always)]
pub(super) fn has_none(text: &[u8], test: impl Fn(u64) -> u64) -> bool {
    let (words, rest) = text.as_chunks();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.iter().chain([&last]).fold(0, |so_far, &word| so_far | test(u64::from_le_bytes(word))) & HIGH == 0
}

/// Not 0 in the high bits if one of eight bytes is this one.
#[inline(always)]
pub(super) fn has(word: u64, byte: u8) -> u64 {
    let zero = word ^ (ONES * u64::from(byte));
    zero.wrapping_sub(ONES) & !zero
}

/// 1 in each of eight bytes.
pub(super) const ONES: u64 = u64::MAX / 255;
/// And 128.
const HIGH: u64 = 0x80 * ONES;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_written_in_order_up_to_an_error() {
        let long = [b'x'; 3 * BUFFER];
        let mut out = Vec::new();
        let mut pieces = PieceWriter::new(&mut out);
        let mut expected = Vec::new();
        for length in [0, 1, 7, BUFFER - 8, 1, BUFFER, BUFFER + 1, 3, 3 * BUFFER, 2] {
            pieces.put([b"<", &long[..length], b">"]);
            expected.extend([b"<", &long[..length], b">"].concat());
        }
        pieces.by(|out| out.write_all(b"!"));
        pieces.finish().unwrap();
        assert_eq!(out, [expected, b"!".to_vec()].concat());

        let mut small = [0; 10];
        let mut room = &mut small[..];
        let mut pieces = PieceWriter::new(&mut room);
        pieces.put([b"123456789"]);
        pieces.put([&long]);
        pieces.put([b"z"]);
        assert!(pieces.finish().is_err());
        assert_eq!(&small, b"123456789x");
    }

    #[test]
    fn every_byte_is_seen_at_every_place() {
        for length in 0..20 {
            let mut text = vec![b'a'; length];
            assert!(has_none(&text, |word| has(word, b',')));
            for at in 0..length {
                text[at] = b',';
                assert!(!has_none(&text, |word| has(word, b',')));
                text[at] = b'a';
            }
        }
    }
}

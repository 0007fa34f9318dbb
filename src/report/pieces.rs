//! What a record is put together in: pieces are copied into room at the end of a buffer, which is made in advance, so that
//! nothing is asked for by a piece.

/// Room for most records, which is filled with zeros first.
pub(super) const RECORD: usize = 1024;
/// And for what follows where it was too little.
const MORE: usize = 256;

/// Appends the pieces of a record to a buffer.
pub(super) struct PieceWriter<'o> {
    /// What is written, and room behind it.
    out: &'o mut Vec<u8>,
    start: usize,
    filled: usize,
}

impl<'o> PieceWriter<'o> {
    /// `room` for what most records need.
    #[inline(always)]
    pub(super) fn new(out: &'o mut Vec<u8>, room: usize) -> Self {
        let start = out.len();
        out.resize(start + room, 0);
        PieceWriter { out, start, filled: start }
    }

    /// Writes pieces. There is one look for room, and those of a length that is known when this is compiled are stored
    /// without a call. Nobody else is lent the list of pieces: it would have to lie in memory, and that took half of the
    /// instructions of a record (2026-11).
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, pieces: [&[u8]; N]) {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        loop {
            if let Some(mut room) = self.out.get_mut(self.filled..).and_then(|room| room.get_mut(..length)) {
                for piece in pieces {
                    let (here, rest) = room.split_at_mut(piece.len());
                    here.copy_from_slice(piece);
                    room = rest;
                }
                self.filled += length;
                return;
            }
            self.make_room(length);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, length: usize) {
        self.out.resize(self.filled + length.max(MORE), 0);
    }

    /// Lets somebody else write what comes next.
    #[inline(always)]
    pub(super) fn by(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.out.truncate(self.filled);
        write(self.out);
        self.filled = self.out.len();
    }

    /// Takes back the last piece, which is this. The length of what is left.
    #[inline(always)]
    pub(super) fn take_back(&mut self, last: &[u8]) -> usize {
        self.filled = self.filled.saturating_sub(last.len()).max(self.start);
        self.filled - self.start
    }

    /// How much is written.
    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        self.filled - self.start
    }

    /// Writes over a byte.
    #[inline(always)]
    pub(super) fn replace(&mut self, at: usize, byte: u8) {
        self.out[self.start + at] = byte;
    }

    /// The record ends here.
    #[inline(always)]
    pub(super) fn finish(self) {
        self.out.truncate(self.filled);
    }
}

/// Is `test` 0 for all of a text, taken eight bytes at a time? It gets the first byte lowest, and answers by the high bits of
/// bytes.
#[inline(always)]
pub(super) fn has_none(text: &[u8], test: impl Fn(u64) -> u64) -> bool {
    let mut short = [b' '; 8];
    // The last eight bytes may be seen twice.
    let last = text.last_chunk().unwrap_or_else(|| {
        short[..text.len()].copy_from_slice(text);
        &short
    });
    let (words, _) = text.as_chunks();
    words.iter().chain([last]).fold(0, |so_far, &word| so_far | test(u64::from_le_bytes(word))) & HIGH == 0
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
    fn all_is_written_in_order() {
        let long = [b'x'; 3 * RECORD];
        let mut out = b"before".to_vec();
        let mut expected = out.clone();
        let mut pieces = PieceWriter::new(&mut out, RECORD);
        for length in [0, 1, 7, RECORD - 8, 1, RECORD, RECORD + 1, 3, 3 * RECORD, 2] {
            pieces.put([b"<", &long[..length], b">"]);
            expected.extend([b"<", &long[..length], b">"].concat());
        }
        pieces.by(|out| out.extend_from_slice(b"!"));
        pieces.put([b"end"]);
        pieces.finish();
        assert_eq!(out, [expected, b"!end".to_vec()].concat());
    }

    #[test]
    fn every_byte_is_seen_at_every_place() {
        for length in 0..40 {
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

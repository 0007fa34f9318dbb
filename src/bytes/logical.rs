//! Decoded text: joined pieces of a source, each with its place in the source.
//!
//! This type serves all readers that change a text before the rules read it. Such readers decode
//! escapes and HTML character references, and remove line breaks with their markers.

use std::ops::Range;

use crate::bytes::pieces::{Literal, Pieces, UrlPiece};
use crate::bytes::source_map::{SourceMap, SourceSpelling};

/// Bytes from a source, with the place of each byte in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Logical {
    bytes: Vec<u8>,
    map: SourceMap,
}

/// A receiver of text that is decoded from a source. A decoder that is generic over it spends
/// nothing on places that nobody asks for.
pub(crate) trait DecodedText: Default {
    /// Whether places are recorded.
    const HAS_PLACES: bool;

    /// Appends bytes that are a copy of the source from `source` on.
    fn append(&mut self, bytes: &[u8], source: usize);

    /// Appends the bytes to which a range of the source decodes as a whole.
    fn replace(&mut self, bytes: &[u8], source: Range<usize>);

    /// Appends whole units, as in base64: each `unit.0` bytes come from `unit.1` bytes of the
    /// source.
    fn append_units(&mut self, bytes: &[u8], source: usize, unit: (u8, u8));

    /// Returns the text so far.
    fn bytes(&self) -> &[u8];
}

impl DecodedText for Vec<u8> {
    const HAS_PLACES: bool = false;

    fn append(&mut self, bytes: &[u8], _: usize) {
        self.extend_from_slice(bytes);
    }

    fn replace(&mut self, bytes: &[u8], _: Range<usize>) {
        self.extend_from_slice(bytes);
    }

    fn append_units(&mut self, bytes: &[u8], _: usize, _: (u8, u8)) {
        self.extend_from_slice(bytes);
    }

    fn bytes(&self) -> &[u8] {
        self
    }
}

impl DecodedText for Logical {
    const HAS_PLACES: bool = true;

    fn append(&mut self, bytes: &[u8], source: usize) {
        Logical::append(self, bytes, source);
    }

    fn replace(&mut self, bytes: &[u8], source: Range<usize>) {
        Logical::replace(self, bytes, source);
    }

    fn append_units(&mut self, bytes: &[u8], source: usize, unit: (u8, u8)) {
        if !bytes.is_empty() {
            self.map.add_unit(self.bytes.len(), source, unit);
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn bytes(&self) -> &[u8] {
        Logical::bytes(self)
    }
}

impl Logical {
    /// Returns an empty text whose pieces begin at `base` or after it.
    pub(crate) fn from(base: usize) -> Logical {
        Logical { bytes: Vec::new(), map: SourceMap::from(base) }
    }

    /// Returns a text with its map.
    pub(crate) fn with_map(bytes: Vec<u8>, map: SourceMap) -> Logical {
        Logical { bytes, map }
    }

    /// Returns the text with its places moved by `by` bytes.
    pub(crate) fn moved(self, by: usize) -> Logical {
        Logical { map: self.map.moved(by), ..self }
    }

    /// Returns an empty text that reuses the memory of another text and of its map.
    pub(crate) fn into_buffers(mut bytes: Vec<u8>, map: SourceMap) -> Logical {
        bytes.clear();
        Logical { bytes, map: map.cleared(0) }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the text and its map.
    pub(crate) fn into_parts(self) -> (Vec<u8>, SourceMap) {
        (self.bytes, self.map)
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Reserves memory for `more` bytes.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.bytes.reserve(more);
    }

    /// Returns the range of the source from which a range of the text comes.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        self.map.source(range)
    }

    /// Returns the offset in the text of a byte that was copied from `source`. Returns `None` if no
    /// segment begins at `source` or before it.
    pub(crate) fn offset_of(&self, source: usize) -> Option<usize> {
        self.map.offset_of(source)
    }

    /// Returns the offset in the text of the first byte that was copied from `source` or later.
    pub(crate) fn first_from(&self, source: usize) -> usize {
        self.map.first_from(source, self.bytes.len())
    }

    /// Returns the source ranges of a range of the text, in order. If a source range has a literal,
    /// it decodes to that one character.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Option<Literal>)> {
        self.map.stretches(range, self.bytes.len()).map(|(read, source, spelling)| match spelling {
            SourceSpelling::Copy => (source..source + read.len(), None),
            _ => (self.map.source(read.clone()), Some(Literal::new(&self.bytes[read]))),
        })
    }

    /// Converts pieces of the text to pieces of the source. So maps compose.
    pub(crate) fn pieces_of(&self, text: &Pieces) -> Pieces {
        let mut pieces: Vec<UrlPiece> = Vec::new();
        for piece in text.iter() {
            match piece.literal {
                Some(_) => pieces.push(UrlPiece { source: self.source(piece.source), ..piece }),
                None => pieces.extend(self.pieces(piece.source).map(UrlPiece::from)),
            }
        }
        Pieces::new(pieces)
    }

    /// Appends bytes that are a copy of the source from `source` on.
    pub(crate) fn append(&mut self, bytes: &[u8], source: usize) {
        if !bytes.is_empty() {
            self.map.add_copy(self.bytes.len(), source);
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Appends the bytes to which a range of the source decodes as a whole.
    pub(crate) fn replace(&mut self, bytes: &[u8], source: Range<usize>) {
        self.map.add(self.bytes.len(), source.start, SourceSpelling::Whole(source.len()));
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends bytes that do not come from the source.
    pub(crate) fn insert(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a range of another text that was read from the same source.
    pub(crate) fn extend_from(&mut self, other: &Logical, range: Range<usize>) {
        for (read, source, spelling) in other.map.stretches(range, other.bytes.len()) {
            if spelling == SourceSpelling::Copy {
                self.map.add_copy(self.bytes.len(), source);
            } else {
                self.map.add(self.bytes.len(), source, spelling);
            }
            self.bytes.extend_from_slice(&other.bytes[read]);
        }
    }

    /// Appends another text of the same source from an offset to its end, including its gaps.
    pub(crate) fn extend_with_gaps(&mut self, other: &Logical, from: usize) {
        self.map.extend_from(self.bytes.len(), &other.map, from);
        self.bytes.extend_from_slice(&other.bytes[from..]);
    }

    /// Removes all but the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.map.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        // "ab&amp;<i>c<br>d"
        let mut text = Logical::default();
        text.append(b"ab", 0);
        text.replace(b"&", 2..7);
        text.append(b"c", 10);
        text.insert(b"\n");
        text.append(b"d", 15);
        assert_eq!(text.bytes(), b"ab&c\nd");
        for (range, source) in [
            (0..2, 0..2),
            (1..3, 1..7),
            (2..3, 2..7),
            (2..4, 2..11),
            (3..4, 10..11),
            (0..6, 0..16),
            (4..5, 11..12), // the gap
            (5..6, 15..16),
            (3..3, 10..10),
        ] {
            assert_eq!(text.source(range.clone()), source, "{range:?}");
        }
        assert_eq!(Logical::default().source(0..0), 0..0);
    }

    #[test]
    fn what_goes_on_is_one_piece() {
        let mut text = Logical::default();
        text.append(b"ab", 5);
        text.insert(b" "); // for one line feed
        text.append(b"cd", 8);
        assert_eq!(text.source(0..5), 5..10);
        assert_eq!(text.pieces(0..5).collect::<Vec<_>>(), [(5..10, None)]);
    }
}

//! Decoded text: joined pieces of a source, each with its place in the source.
//!
//! This type serves all readers that change a text before the rules read it. Such readers decode
//! escapes and HTML character references, and remove line breaks with their markers.

use std::ops::Range;

use crate::bytes::pieces::{Literal, Pieces, UrlPiece};

/// Bytes from a source, with the place of each byte in the source.
///
/// The map is a sorted list of segments. Bytes that a layout inserted (a line break for `<br>`) are
/// a gap, and belong to no segment. If they replace as many bytes of the source, the segment before
/// them continues over them. A segment has only 12 bytes, because hostile text (`&lt&lt&lt…`) has a
/// segment for every three bytes of its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logical {
    bytes: Vec<u8>,
    segments: Vec<SourcePiece>,
    /// The offset in the source to which the source offsets in segments are relative. These have 32
    /// bits, but a source may be longer.
    base: usize,
}

#[derive(Clone, Copy, Debug)]
struct SourcePiece {
    /// The start in `bytes`. The segment extends to the next segment, or to a gap.
    text: u32,
    /// The start in the source, relative to `base`.
    source: u32,
    /// The length in the source, if the segment was decoded as a whole, as from `&amp;`. The length
    /// is 0 if the segment is a copy of the source.
    length: u32,
}

/// Narrows an offset to 32 bits.
///
/// The offset fits, because a window is far shorter than 4 GiB. A text is at most three times as
/// long as its source (a NUL becomes U+FFFD).
fn narrow(offset: usize) -> u32 {
    debug_assert!(u32::try_from(offset).is_ok(), "{offset} is beyond a window");
    offset as u32
}

impl Logical {
    /// Returns an empty text whose pieces begin at `base` or after it.
    pub(crate) fn from(base: usize) -> Logical {
        Logical { base, ..Logical::default() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the range of the source from which a range of the text comes.
    ///
    /// The result extends from the source of the first byte to the source of the last byte.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.source_of(range.start).start;
        let end = if range.is_empty() { start } else { self.source_of(range.end - 1).end };
        start..end.max(start)
    }

    fn source_of(&self, offset: usize) -> Range<usize> {
        let after = self.after(offset);
        let next = self.segments.get(after).map_or(usize::MAX, |segment| self.base + segment.source as usize);
        let Some(segment) = after.checked_sub(1).map(|at| self.segments[at]) else { return self.base..self.base };
        let start = self.base + segment.source as usize;
        if segment.length > 0 {
            return start..start + segment.length as usize;
        }
        // A gap may lie between this segment and the next.
        let at = start + (offset - segment.text as usize);
        at.min(next)..(at + 1).min(next)
    }

    /// Returns the offset in the text of a byte that was copied from `source`. Returns `None` if no
    /// segment begins at `source` or before it.
    pub(crate) fn offset_of(&self, source: usize) -> Option<usize> {
        let relative = narrow(source - self.base);
        let after = self.segments.partition_point(|segment| segment.source <= relative);
        let segment = self.segments[after.checked_sub(1)?];
        Some(segment.text as usize + (relative - segment.source) as usize)
    }

    /// Returns the offset in the text of the first byte that was copied from `source` or later.
    pub(crate) fn first_from(&self, source: usize) -> usize {
        let relative = narrow(source.saturating_sub(self.base));
        let after = self.segments.partition_point(|segment| segment.source <= relative);
        let end = self.segments.get(after).map_or(self.bytes.len(), |next| next.text as usize);
        let Some(segment) = after.checked_sub(1).map(|at| self.segments[at]) else { return 0 };
        (segment.text as usize + (relative - segment.source) as usize).min(end)
    }

    /// Returns the source ranges of a range of the text, in order. If a source range has a literal,
    /// it decodes to that one character.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Option<Literal>)> {
        let first = self.after(range.start).saturating_sub(1);
        let count = self.segments[first..].partition_point(|segment| (segment.text as usize) < range.end);
        (first..first + count).filter_map(move |index| {
            let segment = self.segments[index];
            let (text, source) = (segment.text as usize, self.base + segment.source as usize);
            let end = self.segments.get(index + 1).map_or(self.bytes.len(), |next| next.text as usize);
            let read = range.start.max(text)..range.end.min(end);
            match segment.length as usize {
                _ if read.is_empty() => None,
                0 => Some((source + (read.start - text)..source + (read.end - text), None)),
                length => Some((source..source + length, Some(Literal::new(&self.bytes[text..end])))),
            }
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

    /// Returns the index of the first segment that begins after `offset`.
    fn after(&self, offset: usize) -> usize {
        self.segments.partition_point(|segment| segment.text as usize <= offset)
    }

    /// Appends bytes that are a copy of the source from `source` on.
    pub(crate) fn append(&mut self, bytes: &[u8], source: usize) {
        let (text, source) = (self.bytes.len(), source - self.base);
        let continues = self
            .segments
            .last()
            .is_some_and(|last| last.length == 0 && last.source as usize + (text - last.text as usize) == source);
        if !continues && !bytes.is_empty() {
            self.segments.push(SourcePiece { text: narrow(text), source: narrow(source), length: 0 });
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends the bytes to which a range of the source decodes as a whole.
    pub(crate) fn replace(&mut self, bytes: &[u8], source: Range<usize>) {
        let text = narrow(self.bytes.len());
        let length = narrow(source.len());
        self.segments.push(SourcePiece { text, source: narrow(source.start - self.base), length });
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends bytes that do not come from the source.
    pub(crate) fn insert(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a range of another text that was read from the same source.
    pub(crate) fn extend_from(&mut self, other: &Logical, range: Range<usize>) {
        let mut at = range.start;
        for (source, literal) in other.pieces(range) {
            let len = literal.map_or(source.len(), |literal| literal.bytes().len());
            let bytes = &other.bytes[at..at + len];
            match literal {
                Some(_) => self.replace(bytes, source),
                None => self.append(bytes, source.start),
            }
            at += len;
        }
    }

    /// Appends another text of the same source from an offset to its end, including its gaps.
    pub(crate) fn extend_with_gaps(&mut self, other: &Logical, from: usize) {
        let by = self.bytes.len();
        let first = other.after(from).saturating_sub(1);
        for segment in &other.segments[first.min(other.segments.len())..] {
            // A copied segment may begin before `from`.
            let skipped = narrow(from).saturating_sub(segment.text);
            let source = if segment.length == 0 { segment.source + skipped } else { segment.source };
            let text = narrow(by) + (segment.text + skipped - narrow(from));
            self.segments.push(SourcePiece { text, source, length: segment.length });
        }
        self.bytes.extend_from_slice(&other.bytes[from..]);
    }

    /// Removes all but the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.segments.truncate(self.segments.partition_point(|segment| (segment.text as usize) < len));
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
    fn what_goes_on_is_one_segment() {
        let mut text = Logical::default();
        text.append(b"ab", 5);
        text.insert(b" "); // for one line feed
        text.append(b"cd", 8);
        assert_eq!(text.segments.len(), 1);
        assert_eq!(text.source(0..5), 5..10);
    }
}

//! Text with a map back to the source it was read from.

use std::ops::Range;

/// Bytes read from a source, and where in it each of them comes from.
///
/// The map is a sorted list of segments; a gap that the layout put in (a line break for `<br>`) is in none of them. 12
/// bytes a segment, because hostile text (`&lt&lt&lt…`) has one for every three bytes of its source.
#[derive(Debug, Default)]
pub(crate) struct Mapped {
    bytes: Vec<u8>,
    segments: Vec<MappedSegment>,
}

#[derive(Clone, Copy, Debug)]
struct MappedSegment {
    /// Where it begins in `bytes`; it reaches up to the next one or up to a gap.
    text: u32,
    /// Where it begins in the source.
    source: u32,
    /// The length in the source, if all of it stands for all of the segment, as with `&amp;`; 0 if byte stands for
    /// byte.
    length: u32,
}

/// Offsets are kept in 32 bits: a window is far shorter than that, and no text is more than three times its source (a NUL
/// becomes U+FFFD).
fn narrow(offset: usize) -> u32 {
    debug_assert!(u32::try_from(offset).is_ok(), "{offset} is beyond a window");
    offset as u32
}

impl Mapped {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where a range of the text comes from: from the first byte of what its first byte was read from to the last one
    /// of what its last byte was read from, with the tags between them.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.source_of(range.start).start;
        let end = if range.is_empty() { start } else { self.source_of(range.end - 1).end };
        start..end.max(start)
    }

    fn source_of(&self, offset: usize) -> Range<usize> {
        let after = self.segments.partition_point(|segment| segment.text as usize <= offset);
        let next = self.segments.get(after).map_or(usize::MAX, |segment| segment.source as usize);
        let Some(segment) = after.checked_sub(1).map(|at| self.segments[at]) else { return 0..0 };
        let start = segment.source as usize;
        if segment.length > 0 {
            return start..start + segment.length as usize;
        }
        // a gap lies between this segment and the next
        let at = start + (offset - segment.text as usize);
        at.min(next)..(at + 1).min(next)
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends what stands at `source`, byte for byte.
    pub(super) fn append(&mut self, bytes: &[u8], source: usize) {
        let text = self.bytes.len();
        let goes_on = self
            .segments
            .last()
            .is_some_and(|last| last.length == 0 && last.source as usize + (text - last.text as usize) == source);
        if !goes_on {
            self.segments.push(MappedSegment { text: narrow(text), source: narrow(source), length: 0 });
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends what stands for a range of the source as a whole.
    pub(super) fn replace(&mut self, bytes: &[u8], source: Range<usize>) {
        let text = narrow(self.bytes.len());
        let length = narrow(source.len());
        self.segments.push(MappedSegment { text, source: narrow(source.start), length });
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends what does not come from the source.
    pub(super) fn insert(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        // "ab&amp;<i>c<br>d"
        let mut text = Mapped::default();
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
        assert_eq!(Mapped::default().source(0..0), 0..0);
    }

    #[test]
    fn what_goes_on_is_one_segment() {
        let mut text = Mapped::default();
        text.append(b"ab", 5);
        text.insert(b" "); // for one line feed
        text.append(b"cd", 8);
        assert_eq!(text.segments.len(), 1);
        assert_eq!(text.source(0..5), 5..10);
    }
}

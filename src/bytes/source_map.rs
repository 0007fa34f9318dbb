//! The map from a text to the source from which it was made.
//!
//! All texts that differ from their source have this one map. Among them are joined lines, decoded
//! escapes, transfer encodings, charsets, and the text that a page shows.
//!
//! # Example
//!
//! The source `ab&amp;c aHR0cDov` is read as `ab&c http:/`, where the last word is base64:
//!
//! | text | source | segment |
//! |---|---|---|
//! | `ab` at 0 | 0 | a copy |
//! | `&` at 2 | 2 to 7 | a range that is decoded as a whole |
//! | `c ` at 3 | 7 | a copy |
//! | `http:/` at 5 | 9 | units: each 3 bytes come from 4 |

use std::ops::Range;

/// The places in a source of the bytes of a text.
///
/// The map is a sorted list of segments. Bytes that have no source (a line break for `<br>`) are a
/// gap, and belong to no segment. If they replace as many bytes of the source, the segment before
/// them continues over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceMap {
    segments: Vec<MapSegment>,
    /// The offset in the source to which the source offsets in segments are relative. These have 32
    /// bits, but a source may be longer.
    base: usize,
}

/// A stretch of the text. It extends to the next segment, or to a gap.
///
/// A segment has only 12 bytes, because hostile text (`&lt&lt&lt…`) has a segment for every three
/// bytes of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MapSegment {
    /// The start in the text.
    text: u32,
    /// The start in the source, relative to the map's base.
    source: u32,
    spelling: PackedSpelling,
}

/// A [`SourceSpelling`] in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedSpelling(u32);

/// How the source spells a stretch of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceSpelling {
    /// As a copy.
    Copy,
    /// As this many bytes, which are decoded as a whole, like `&amp;`.
    Whole(usize),
    /// As units of the same size. Each has `text` bytes in the text and `source` bytes in the
    /// source: 3 and 4 in base64.
    Units { text: u8, source: u8 },
}

impl PackedSpelling {
    const COPY: PackedSpelling = PackedSpelling(0);
    const UNITS: u32 = 1 << 31;

    fn new(spelling: SourceSpelling) -> PackedSpelling {
        match spelling {
            SourceSpelling::Copy => PackedSpelling::COPY,
            SourceSpelling::Whole(length) => PackedSpelling(narrow(length)),
            SourceSpelling::Units { text, source } => {
                PackedSpelling(PackedSpelling::UNITS | u32::from(text) << 8 | u32::from(source))
            }
        }
    }

    fn get(self) -> SourceSpelling {
        let [_, _, text, source] = self.0.to_be_bytes();
        match self.0 {
            0 => SourceSpelling::Copy,
            units if units & PackedSpelling::UNITS != 0 => SourceSpelling::Units { text, source },
            length => SourceSpelling::Whole(length as usize),
        }
    }
}

/// Narrows an offset to 32 bits.
///
/// The offset fits, because a window is far shorter than 4 GiB. A text is at most three times as
/// long as its source (a NUL becomes U+FFFD).
fn narrow(offset: usize) -> u32 {
    debug_assert!(u32::try_from(offset).is_ok(), "{offset} is beyond a window");
    offset as u32
}

impl SourceMap {
    /// Returns a map to which no text belongs yet. The sources of its stretches begin at `base` or
    /// after it.
    pub(crate) fn from(base: usize) -> SourceMap {
        SourceMap { segments: Vec::new(), base }
    }

    /// Returns the map of a text in UTF-8 whose source is UTF-16 from `start` on.
    pub(crate) fn of_utf16(text: &[u8], start: usize) -> SourceMap {
        let mut map = SourceMap::from(start);
        let (mut at, mut source) = (0, start);
        while at < text.len() {
            let unit = match text[at] {
                // A cut text may begin within a character, whose first byte stands for all its units.
                0x80..=0xBF => (1, 0),
                0..=0x7F => (1, 2),
                0xC0..=0xDF => (2, 2),
                0xE0..=0xEF => (3, 2),
                0xF0.. => (4, 4),
            };
            map.add_unit(at, source, unit);
            (at, source) = (at + usize::from(unit.0), source + usize::from(unit.1));
        }
        map
    }

    /// Returns the map with its places moved by `by` bytes.
    pub(crate) fn moved(self, by: usize) -> SourceMap {
        SourceMap { base: self.base + by, ..self }
    }

    /// Returns a map without segments that reuses the memory of this map.
    pub(crate) fn cleared(mut self, base: usize) -> SourceMap {
        self.segments.clear();
        SourceMap { base, ..self }
    }

    /// Adds a segment from `text` on.
    #[inline]
    pub(crate) fn add(&mut self, text: usize, source: usize, spelling: SourceSpelling) {
        let segment = MapSegment {
            text: narrow(text),
            source: narrow(source - self.base),
            spelling: PackedSpelling::new(spelling),
        };
        self.segments.push(segment);
    }

    /// Adds a copy from `text` on, unless the last segment goes on so.
    #[inline]
    pub(crate) fn add_copy(&mut self, text: usize, source: usize) {
        let continues = self.segments.last().is_some_and(|last| {
            last.spelling == PackedSpelling::COPY
                && self.base + last.source as usize + (text - last.text as usize) == source
        });
        if !continues {
            self.add(text, source, SourceSpelling::Copy);
        }
    }

    /// Adds a unit of these lengths in the text and in the source, unless the last segment goes on
    /// so.
    pub(crate) fn add_unit(&mut self, text: usize, source: usize, (length, source_length): (u8, u8)) {
        if length == source_length {
            return self.add_copy(text, source);
        }
        let spelling = SourceSpelling::Units { text: length, source: source_length };
        let continues = self.segments.last().is_some_and(|last| {
            let count = (text - last.text as usize) / usize::from(length);
            last.spelling == PackedSpelling::new(spelling)
                && last.text as usize + count * usize::from(length) == text
                && self.base + last.source as usize + count * usize::from(source_length) == source
        });
        if !continues {
            self.add(text, source, spelling);
        }
    }

    /// Returns the range of the source from which a range of the text comes.
    ///
    /// The result extends from the source of the first byte to the source of the last byte. It takes
    /// logarithmic time in the number of segments.
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
        let within = offset - segment.text as usize;
        let (at, length) = match segment.spelling.get() {
            SourceSpelling::Whole(length) => return start..start + length,
            SourceSpelling::Copy => (start + within, 1),
            SourceSpelling::Units { text, source } => {
                let source = usize::from(source);
                (start + within / usize::from(text) * source, source)
            }
        };
        // A gap may lie between this segment and the next.
        at.min(next)..(at + length).min(next)
    }

    /// Returns the offset in the text of a byte that was copied from `source`. Returns `None` if no
    /// segment begins at `source` or before it.
    pub(crate) fn offset_of(&self, source: usize) -> Option<usize> {
        let relative = narrow(source - self.base);
        let after = self.segments.partition_point(|segment| segment.source <= relative);
        let segment = self.segments[after.checked_sub(1)?];
        Some(segment.text as usize + (relative - segment.source) as usize)
    }

    /// Returns the offset in a text of the first byte that was copied from `source` or later.
    /// `length` is the length of the text.
    pub(crate) fn first_from(&self, source: usize, length: usize) -> usize {
        let relative = narrow(source.saturating_sub(self.base));
        let after = self.segments.partition_point(|segment| segment.source <= relative);
        let end = self.segments.get(after).map_or(length, |next| next.text as usize);
        let Some(segment) = after.checked_sub(1).map(|at| self.segments[at]) else { return 0 };
        (segment.text as usize + (relative - segment.source) as usize).min(end)
    }

    /// Returns the stretches of a range of a text of this length. Each has its range in the text,
    /// its start in the source, and its spelling.
    pub(crate) fn stretches(
        &self,
        range: Range<usize>,
        length: usize,
    ) -> impl Iterator<Item = (Range<usize>, usize, SourceSpelling)> {
        let first = self.after(range.start).saturating_sub(1);
        let count = self.segments[first..].partition_point(|segment| (segment.text as usize) < range.end);
        (first..first + count).filter_map(move |index| {
            let segment = self.segments[index];
            let (text, source) = (segment.text as usize, self.base + segment.source as usize);
            let end = self.segments.get(index + 1).map_or(length, |next| next.text as usize);
            let read = range.start.max(text)..range.end.min(end);
            match segment.spelling.get() {
                _ if read.is_empty() => None,
                SourceSpelling::Copy => Some((read.clone(), source + (read.start - text), SourceSpelling::Copy)),
                spelling => Some((text..end, source, spelling)),
            }
        })
    }

    /// Adds the map of another text of the same source, from an offset of that text on. The other
    /// text is placed at `at`.
    pub(crate) fn extend_from(&mut self, at: usize, other: &SourceMap, from: usize) {
        let first = other.after(from).saturating_sub(1);
        for segment in &other.segments[first.min(other.segments.len())..] {
            // A copied segment may begin before `from`.
            let skipped = narrow(from).saturating_sub(segment.text);
            let is_copy = segment.spelling == PackedSpelling::COPY;
            let source = if is_copy { segment.source + skipped } else { segment.source };
            let text = narrow(at) + (segment.text + skipped - narrow(from));
            self.segments.push(MapSegment { text, source, ..*segment });
        }
    }

    /// Removes the segments from a length of the text on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.segments.truncate(self.segments.partition_point(|segment| (segment.text as usize) < length));
    }

    /// Returns the index of the first segment that begins after `offset`.
    fn after(&self, offset: usize) -> usize {
        self.segments.partition_point(|segment| segment.text as usize <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_survive_packing() {
        for spelling in [
            SourceSpelling::Copy,
            SourceSpelling::Whole(1),
            SourceSpelling::Whole(5000),
            SourceSpelling::Units { text: 3, source: 4 },
        ] {
            assert_eq!(PackedSpelling::new(spelling).get(), spelling);
        }
        assert_eq!(size_of::<MapSegment>(), 12);
    }

    #[test]
    fn the_example_of_the_head() {
        let mut map = SourceMap::default();
        map.add_copy(0, 0);
        map.add(2, 2, SourceSpelling::Whole(5));
        map.add_copy(3, 7);
        map.add_copy(4, 8);
        map.add_unit(5, 9, (3, 4));
        map.add_unit(8, 13, (3, 4));
        assert_eq!(map.segments.len(), 4);
        let source = "ab&amp;c aHR0cDov";
        for (range, expected) in
            [(0..3, "ab&amp;"), (3..5, "c "), (5..6, "aHR0"), (7..9, "aHR0cDov"), (5..11, "aHR0cDov")]
        {
            assert_eq!(&source[map.source(range)], expected);
        }
    }

    #[test]
    fn utf16_is_one_segment_for_characters_of_one_size() {
        let text = "http://h/éü/日本語\u{1F600}";
        let units: Vec<u16> = text.encode_utf16().collect();
        for start in [0, 2, 100] {
            let map = SourceMap::of_utf16(text.as_bytes(), start);
            assert_eq!(map.segments.len(), 5);
            for (at, character) in text.char_indices() {
                let source = map.source(at..at + character.len_utf8());
                let source = (source.start - start) / 2..(source.end - start) / 2;
                assert_eq!(String::from_utf16(&units[source]).unwrap(), character.to_string());
            }
        }
        // The rest of a cut character comes from no unit.
        assert_eq!(SourceMap::of_utf16(&"éa".as_bytes()[1..], 4).source(1..2), 4..6);
    }
}

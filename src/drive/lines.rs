//! Line numbers, counted only when asked. A line ends in LF, as editors and compilers count.

/// Where a byte stands: line and column, both from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// The line ends of a stretch of text.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineEnds {
    count: u64,
    /// Where the last one is, in the stretch.
    last: Option<usize>,
    length: usize,
}

#[cfg(feature = "parallel")]
impl LineEnds {
    pub(crate) fn of(text: &[u8]) -> LineEnds {
        LineEnds { count: count(text), last: memchr::memrchr(b'\n', text), length: text.len() }
    }
}

/// The line ends in a text.
///
/// Blocks are short enough that a byte holds their count, so that the compiler adds up whole vectors: 0.25 instructions a
/// byte with nothing but SSE2, where `memchr_iter(…).count()` with AVX2 takes 0.45 on the lengths of messages (2026-11).
fn count(text: &[u8]) -> u64 {
    const BLOCK: usize = 192;
    let ends = |block: &[u8]| block.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
    text.chunks(BLOCK).map(|block| u64::from(ends(block))).sum()
}

/// Walks over the text and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// The line that holds `at`.
    line: u64,
    /// Offset in the input where that line begins.
    line_start: u64,
    /// Offset in the input up to which lines are counted.
    at: u64,
}

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines { line: 1, line_start: 0, at: 0 }
    }

    /// Counts the lines of `text`, which lies at offset `base` of the input and begins at or before where counting
    /// stands, up to `offset`, if it has not come there yet.
    pub(crate) fn advance(&mut self, text: &[u8], base: u64, offset: u64) {
        if offset <= self.at {
            return;
        }
        let new = &text[(self.at - base) as usize..(offset - base) as usize];
        self.line += count(new);
        if let Some(last) = memchr::memrchr(b'\n', new) {
            self.line_start = self.at + last as u64 + 1;
        }
        self.at = offset;
    }

    /// True if an offset lies in what was counted, so that its line cannot be told any more.
    #[cfg(feature = "archive")]
    pub(crate) fn has_passed(&self, offset: u64) -> bool {
        offset < self.line_start
    }

    /// Goes on over a stretch that was counted elsewhere.
    #[cfg(feature = "parallel")]
    pub(crate) fn then(self, ends: LineEnds) -> Lines {
        Lines {
            line: self.line + ends.count,
            line_start: ends.last.map_or(self.line_start, |last| self.at + last as u64 + 1),
            at: self.at + ends.length as u64,
        }
    }

    /// The position of `offset`, which is not before the line of the last one asked about.
    pub(crate) fn position(&mut self, text: &[u8], base: u64, offset: u64) -> Position {
        self.advance(text, base, offset);
        Position { line: self.line, column: offset - self.line_start + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted_at_every_length() {
        let text: Vec<u8> = (0..1000).map(|at| if at % 7 < 4 { b'\n' } else { b'x' }).collect();
        for end in 0..text.len() {
            assert_eq!(count(&text[..end]), memchr::memchr_iter(b'\n', &text[..end]).count() as u64);
        }
        assert_eq!(count(&[b'\n'; 5000]), 5000);
    }
}

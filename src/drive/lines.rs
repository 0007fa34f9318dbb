//! Line numbers, counted on request. A line ends in LF, as in editors and compilers.

use std::ops::Range;

use crate::bytes::simd::{Backend, Kernel, Look, WIDTH};
use crate::drive::section::Checkpoint;
#[cfg(feature = "archive")]
use crate::drive::section::RangeCounts;
use crate::find::MARGIN;

/// The place of a byte: line and column, both from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// A text that holds a match.
pub(crate) struct MatchedText<'m> {
    pub(crate) text: &'m [u8],
    /// The range of the match in the text.
    pub(crate) span: Range<usize>,
    /// Offset of the text in the input, or in the decoded part.
    pub(crate) offset: u64,
    pub(crate) part: Option<u64>,
}

/// The place in the input of a line of a decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinePlace {
    /// The offset of the line in the decoded part.
    pub(crate) at: u64,
    /// The offset in the input of the byte that spells the start of the line.
    pub(crate) offset: u64,
    /// How many lines of the input lie between the match and this line. It is negative before the
    /// match.
    pub(crate) lines: i64,
}

/// A counter of lines, which advances over the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// The number of the line that holds `at`.
    line: u64,
    /// Offset in the input where that line begins.
    line_start: u64,
    /// Offset in the input up to which lines are counted.
    at: u64,
    backend: Backend,
}

/// A stretch of at most this many bytes is short. In text dense with URLs, the next URL is mostly
/// this near.
const NEAR: usize = 4 * WIDTH;

/// Counts the line ends at the end of a text, and finds the start of the last line. It reads blocks
/// from the end backwards. For short stretches, this costs a third of a separate count and search.
struct LineEnds<'t> {
    /// One block that is already counted, then the bytes to count.
    text: &'t [u8],
}

impl Look for LineEnds<'_> {
    /// The number of line ends, and the number of bytes after the last one.
    type Answer = (u64, usize);

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> (u64, usize) {
        let (mut rest, mut ends, mut behind) = (self.text, 0, 0);
        while rest.len() > WIDTH
            && let Some((before, block)) = rest.split_last_chunk()
        {
            let counted = WIDTH.saturating_sub(before.len());
            let here = kernel.are(block, b'\n') >> counted << counted;
            if ends == 0 {
                behind = self.text.len() - rest.len() + here.leading_zeros() as usize;
            }
            ends += u64::from(here.count_ones());
            rest = before;
        }
        (ends, behind)
    }
}

impl Lines {
    pub(crate) fn new(backend: Backend) -> Lines {
        Lines { line: 1, line_start: 0, at: 0, backend }
    }

    /// Returns a counter for another text, from its start.
    pub(crate) fn restart(self) -> Lines {
        Lines::new(self.backend)
    }

    /// Returns a counter for another text, in which `offset` is the start of the first line.
    pub(crate) fn restart_at(self, offset: u64) -> Lines {
        Lines { line_start: offset, at: offset, ..Lines::new(self.backend) }
    }

    /// Continues the count from a checkpoint.
    pub(crate) fn at(self, Checkpoint { offset, lines, .. }: Checkpoint) -> Lines {
        Lines { line: lines + 1, line_start: offset, at: offset, ..self }
    }

    /// Continues a count at an offset of an input. `before` holds the bytes up to that offset, and
    /// `known` the counts before that offset.
    ///
    /// The line that holds the offset may begin before these bytes.
    #[cfg(feature = "archive")]
    pub(crate) fn from(self, offset: u64, before: &[u8], known: &RangeCounts) -> Lines {
        let base = offset - before.len() as u64;
        let line_start = match memchr::memrchr(b'\n', before) {
            Some(end) => base + end as u64 + 1,
            // A stored count may be damaged, so it is clamped.
            None => known.last_line.unwrap_or(base).min(base),
        };
        Lines { line: known.lines.min(i64::MAX as u64) + 1, line_start, at: offset, ..self }
    }

    /// Returns the number of line ends so far, and the start of the line after the last line end.
    pub(crate) fn ends(&self) -> (u64, Option<u64>) {
        (self.line - 1, (self.line > 1).then_some(self.line_start))
    }

    /// Continues a checkpoint's count from an earlier place. `text` begins there, at offset `base`,
    /// and ends at the checkpoint. The start of the current line is unknown at `base`, but a new
    /// line begins at the checkpoint.
    pub(crate) fn before(self, Checkpoint { lines, .. }: Checkpoint, text: &[u8], base: u64) -> Lines {
        let ends = memchr::memchr_iter(b'\n', text).count() as u64;
        Lines { line: (lines + 1).saturating_sub(ends), line_start: base, at: base, ..self }
    }

    /// Returns a checkpoint at the start of the line in which the count stands.
    pub(crate) fn checkpoint(&self, messages: u64) -> Checkpoint {
        Checkpoint { offset: self.line_start, lines: self.line.saturating_sub(1), messages }
    }

    /// Returns the checkpoint after a search of `range`. `text` is the last part of the searched
    /// text, and lies at offset `base`. Lines are counted at most up to the line that holds the
    /// start of the last [`MARGIN`]. Returns `None` for an empty input, and if the range does not
    /// reach from the checkpoint to the end.
    pub(crate) fn checkpoint_of_text(mut self, text: &[u8], base: u64, range: &Range<u64>) -> Option<Checkpoint> {
        let end = base + text.len() as u64;
        self.advance(text, base, end.saturating_sub(MARGIN as u64));
        let checkpoint = self.checkpoint(0);
        (range.start <= checkpoint.offset && 0 < end && end <= range.end).then_some(checkpoint)
    }

    /// Counts the lines of `text`, which lies at offset `base` of the input, up to `offset`. The
    /// text begins at or before the end of the count so far.
    #[inline]
    pub(crate) fn advance(&mut self, text: &[u8], base: u64, offset: u64) {
        if offset <= self.at {
            return;
        }
        let (from, to) = ((self.at - base) as usize, (offset - base) as usize);
        let is_near = from >= WIDTH && to - from <= NEAR;
        let (ends, behind) = match text.get(from.wrapping_sub(WIDTH)..to) {
            Some(text) if is_near => self.backend.look(LineEnds { text }),
            _ => self.far_line_ends(&text[from..to]),
        };
        self.line += ends;
        if ends > 0 {
            self.line_start = offset - behind as u64;
        }
        self.at = offset;
    }

    /// Returns the number of line ends in a text, and the number of bytes after the last one.
    #[inline(never)]
    fn far_line_ends(&self, text: &[u8]) -> (u64, usize) {
        (self.backend.line_ends(text), memchr::memrchr(b'\n', text).map_or(0, |last| text.len() - last - 1))
    }

    /// Returns the offset in the input up to which lines are counted.
    pub(crate) fn counted(&self) -> u64 {
        self.at
    }

    /// Returns whether an offset lies before the current line, so that the line number of the
    /// offset is lost.
    pub(crate) fn has_passed(&self, offset: u64) -> bool {
        offset < self.line_start
    }

    /// Continues over a stretch whose lines were counted separately.
    pub(crate) fn then(self, stretch: Lines) -> Lines {
        let line_start = if stretch.line > 1 { self.at + stretch.line_start } else { self.line_start };
        Lines { line: self.line + stretch.line - 1, line_start, at: self.at + stretch.at, ..self }
    }

    /// Returns the position of `offset`, if this count ends `lines` lines before it. `start` is the
    /// start of its line, unless that is the line in which the count ends.
    #[cfg(feature = "archive")]
    pub(crate) fn position_after(&self, (lines, start): (u64, Option<u64>), offset: u64) -> Position {
        Position { line: self.line + lines, column: offset - start.unwrap_or(self.line_start) + 1 }
    }

    /// Returns the position of `offset`. `offset` must not lie before the line that the previous
    /// call's offset is in.
    pub(crate) fn position(&mut self, text: &[u8], base: u64, offset: u64) -> Position {
        self.advance(text, base, offset);
        Position { line: self.line, column: offset - self.line_start + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_a_naive_count() {
        let mut rng = fastrand::Rng::with_seed(1738);
        for width in [1, 10, 100, 400] {
            let text: Vec<u8> = (0..5000).map(|_| if rng.usize(..width) == 0 { b'\n' } else { b'x' }).collect();
            for backend in Backend::all() {
                let (mut lines, mut at) = (Lines::new(backend), 0);
                while at < text.len() {
                    let before = &text[..at];
                    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
                    let expected = Position { line, column: (at - line_start) as u64 + 1 };
                    assert_eq!(lines.position(&text, 0, at as u64), expected, "{backend} {at}");
                    at += rng.usize(1..=2 * NEAR) >> rng.usize(..8);
                }
            }
        }
    }
}

//! Line numbers, counted only when asked. A line ends in LF, as editors and compilers count.

use std::ops::Range;

use crate::bytes::simd::Backend;
use crate::drive::section::Checkpoint;
#[cfg(feature = "archive")]
use crate::drive::section::RangeCounts;
use crate::find::MARGIN;

/// Where a byte stands: line and column, both from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// A text that holds a match.
pub(crate) struct MatchedText<'m> {
    pub(crate) text: &'m [u8],
    /// Where the match lies in it.
    pub(crate) span: Range<usize>,
    /// Offset of the text.
    pub(crate) offset: u64,
    pub(crate) part: Option<u64>,
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
    backend: Backend,
}

impl Lines {
    pub(crate) fn new(backend: Backend) -> Lines {
        Lines { line: 1, line_start: 0, at: 0, backend }
    }

    /// Of another text, from its start on.
    #[cfg(any(feature = "archive", feature = "parallel"))]
    pub(crate) fn restart(self) -> Lines {
        Lines::new(self.backend)
    }

    /// Of another text, from an offset of it on: that is taken for the start of the first line.
    #[cfg(feature = "archive")]
    pub(crate) fn restart_at(self, offset: u64) -> Lines {
        Lines { line_start: offset, at: offset, ..Lines::new(self.backend) }
    }

    /// Counted up to a checkpoint.
    #[cfg(feature = "archive")]
    pub(crate) fn at(self, Checkpoint { offset, lines, .. }: Checkpoint) -> Lines {
        Lines { line: lines + 1, line_start: offset, at: offset, ..self }
    }

    /// Counted up to an offset of an input of which `before` are the bytes that end there; `known` are the lines before it.
    ///
    /// Where the line began there that holds it is not always among the bytes.
    #[cfg(feature = "archive")]
    pub(crate) fn from(self, offset: u64, before: &[u8], known: &RangeCounts) -> Lines {
        let base = offset - before.len() as u64;
        let line_start = match memchr::memrchr(b'\n', before) {
            Some(end) => base + end as u64 + 1,
            // What was kept somewhere may have been damaged there.
            None => known.last_line.unwrap_or(base).min(base),
        };
        Lines { line: known.lines.min(i64::MAX as u64) + 1, line_start, at: offset, ..self }
    }

    /// The line ends that were counted since the start, and where the line after the last of them begins.
    #[cfg(feature = "archive")]
    pub(crate) fn ends(&self) -> (u64, Option<u64>) {
        (self.line - 1, (self.line > 1).then_some(self.line_start))
    }

    /// Counted up to where `text` begins, at offset `base`, behind which a checkpoint comes. Where the line began there is
    /// not known, but at the checkpoint another one begins.
    pub(crate) fn before(self, Checkpoint { lines, .. }: Checkpoint, text: &[u8], base: u64) -> Lines {
        let ends = memchr::memchr_iter(b'\n', text).count() as u64;
        Lines { line: (lines + 1).saturating_sub(ends), line_start: base, at: base, ..self }
    }

    /// The start of the line that holds the place up to which lines are counted.
    pub(crate) fn checkpoint(&self, messages: u64) -> Checkpoint {
        Checkpoint { offset: self.line_start, lines: self.line.saturating_sub(1), messages }
    }

    /// The checkpoint of a text whose last part this is, at offset `base`, for a search of `range`. Lines have been counted to
    /// a place in the line that holds the start of the last [`MARGIN`], or before. `None` if the range does not reach from
    /// there to the end.
    pub(crate) fn checkpoint_of_text(mut self, text: &[u8], base: u64, range: &Range<u64>) -> Option<Checkpoint> {
        let end = base + text.len() as u64;
        self.advance(text, base, end.saturating_sub(MARGIN as u64));
        let checkpoint = self.checkpoint(0);
        (range.start <= checkpoint.offset && 0 < end && end <= range.end).then_some(checkpoint)
    }

    /// Counts the lines of `text`, which lies at offset `base` of the input and begins at or before where counting
    /// stands, up to `offset`, if it has not come there yet.
    pub(crate) fn advance(&mut self, text: &[u8], base: u64, offset: u64) {
        if offset <= self.at {
            return;
        }
        let new = &text[(self.at - base) as usize..(offset - base) as usize];
        self.line += self.backend.line_ends(new);
        if let Some(last) = memchr::memrchr(b'\n', new) {
            self.line_start = self.at + last as u64 + 1;
        }
        self.at = offset;
    }

    /// Offset in the input up to which lines are counted.
    #[cfg(feature = "archive")]
    pub(crate) fn counted(&self) -> u64 {
        self.at
    }

    /// True if an offset lies in what was counted, so that its line is not known any more.
    pub(crate) fn has_passed(&self, offset: u64) -> bool {
        offset < self.line_start
    }

    /// Goes on over a stretch whose lines were counted by themselves.
    #[cfg(feature = "parallel")]
    pub(crate) fn then(self, stretch: Lines) -> Lines {
        let line_start = if stretch.line > 1 { self.at + stretch.line_start } else { self.line_start };
        Lines { line: self.line + stretch.line - 1, line_start, at: self.at + stretch.at, ..self }
    }

    /// The position of `offset`, which is not before the line of the last one asked about.
    pub(crate) fn position(&mut self, text: &[u8], base: u64, offset: u64) -> Position {
        self.advance(text, base, offset);
        Position { line: self.line, column: offset - self.line_start + 1 }
    }
}

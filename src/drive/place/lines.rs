//! Lines in an archive of mail.

use crate::archive::stream_places::StreamPlaces;
use crate::drive::lines::{Lines, Position};

/// Counts the lines of a message in its archive, and the lines of an unpacked part.
///
/// Parts come in the order of their places, and so do the matches of a part. If a match lies before
/// the line of the previous match, counting restarts with the message or the unpacked part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageLines<'b> {
    /// The archive from `base` on.
    bytes: &'b [u8],
    base: u64,
    start: Lines,
    now: Lines,
    part: Lines,
    /// The lines of a long body that is decoded while it is read, if the message lies in it.
    passed: Option<&'b StreamPlaces>,
}

impl<'b> MessageLines<'b> {
    /// Begins at the start of the message. `lines` is the count up to there.
    pub(crate) fn new(bytes: &'b [u8], base: u64, lines: Lines) -> MessageLines<'b> {
        MessageLines { bytes, base, start: lines, now: lines, part: lines.restart(), passed: None }
    }

    /// Begins at the start of a long body. `lines` is the count up to there.
    pub(crate) fn passed(places: &'b StreamPlaces, lines: Lines) -> MessageLines<'b> {
        MessageLines { passed: Some(places), ..MessageLines::new(&[], 0, lines) }
    }

    /// Starts the count of another part.
    pub(crate) fn enter_part(&mut self) {
        self.part = self.part.restart();
    }

    /// Returns the count of the archive's lines so far.
    pub(crate) fn counted(&self) -> Lines {
        self.now
    }

    pub(crate) fn in_archive(&mut self, offset: u64) -> Position {
        if let Some(places) = self.passed {
            return self.start.position_after(places.lines_before(offset), offset);
        }
        if self.now.has_passed(offset) {
            self.now = self.start;
        }
        self.now.position(self.bytes, self.base, offset)
    }

    pub(super) fn in_part(&mut self, text: &[u8], at: usize) -> Position {
        let at = at.min(text.len()) as u64;
        if self.part.has_passed(at) {
            self.part = self.part.restart();
        }
        self.part.position(text, 0, at)
    }
}

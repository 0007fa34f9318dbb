//! Lines in an archive of mail.

use crate::drive::lines::{Lines, Position};

/// Counts the lines of a message in its archive, and those of a decoded part.
///
/// Parts come in the order of their places, and so do the matches of one. Should one of them lie
/// before the last, counting begins again with the message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageLines<'b> {
    /// The archive from `base` on.
    bytes: &'b [u8],
    base: u64,
    start: Lines,
    now: Lines,
    part: Lines,
}

impl<'b> MessageLines<'b> {
    /// Begins where the message does, up to which `lines` has counted.
    pub(crate) fn new(bytes: &'b [u8], base: u64, lines: Lines) -> MessageLines<'b> {
        MessageLines { bytes, base, start: lines, now: lines, part: lines.restart() }
    }

    /// Goes on with another part.
    pub(crate) fn enter_part(&mut self) {
        self.part = self.part.restart();
    }

    /// Returns the count of the archive's lines so far.
    pub(crate) fn counted(&self) -> Lines {
        self.now
    }

    pub(super) fn in_archive(&mut self, offset: u64) -> Position {
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

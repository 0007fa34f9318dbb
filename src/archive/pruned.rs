//! A text from which stretches are removed.

use std::ops::Range;

use crate::archive::message::OriginSegment;

/// A text that is copied only if a stretch is removed.
pub(crate) struct Pruned<'t> {
    text: &'t [u8],
    rest: Vec<u8>,
    segments: Vec<OriginSegment>,
    /// The offset from which the text is neither copied nor removed yet.
    at: usize,
}

impl<'t> Pruned<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Pruned::into_buffers(text, Vec::new(), Vec::new())
    }

    /// Reuses two buffers, for the copy and for the segments. Their old contents are dropped.
    pub(crate) fn into_buffers(text: &'t [u8], mut rest: Vec<u8>, mut segments: Vec<OriginSegment>) -> Self {
        rest.clear();
        segments.clear();
        Pruned { text, rest, segments, at: 0 }
    }

    /// Removes a stretch. Stretches must be in ascending order.
    pub(crate) fn leave_out(&mut self, stretch: Range<usize>) {
        if stretch.is_empty() {
            return;
        }
        if self.at == 0 {
            self.rest.reserve(self.text.len() - stretch.len()); // one reservation, no growth
            self.segments.push(OriginSegment::new(0, 0));
        }
        self.rest.extend_from_slice(&self.text[self.at..stretch.start]);
        self.at = stretch.end;
        let segment = OriginSegment::new(self.rest.len(), stretch.end);
        match self.segments.last_mut() {
            // Adjacent stretches leave nothing between them, so they share one segment.
            Some(last) if last.text() == segment.text() => *last = segment,
            _ => self.segments.push(segment),
        }
    }

    /// Replaces a stretch by fewer bytes. Their places are those of the stretch's first bytes.
    pub(crate) fn replace(&mut self, stretch: Range<usize>, by: &[u8]) {
        debug_assert!(by.len() < stretch.len());
        self.leave_out(stretch.start + by.len()..stretch.end);
        self.rest.truncate(self.rest.len() - by.len());
        self.rest.extend_from_slice(by);
    }

    /// Returns the remaining text if anything was removed, and the places of its stretches.
    ///
    /// The first segment begins at the first byte. No two segments begin at the same place of the
    /// remaining text.
    pub(crate) fn finish(mut self) -> (Option<Vec<u8>>, Vec<OriginSegment>) {
        if self.at == 0 {
            return (None, vec![OriginSegment::new(0, 0)]);
        }
        self.rest.extend_from_slice(&self.text[self.at..]);
        (Some(self.rest), self.segments)
    }
}

//! A text of which stretches are left out.

use std::ops::Range;

use crate::archive::message::OriginSegment;

/// It is copied when the first of them is.
pub(crate) struct Pruned<'t> {
    text: &'t [u8],
    rest: Vec<u8>,
    segments: Vec<OriginSegment>,
    /// Text from here on is neither copied nor left out.
    at: usize,
}

impl<'t> Pruned<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Pruned::into_buffers(text, Vec::new(), Vec::new())
    }

    /// It is copied to a buffer whose contents nobody needs any more, and so are the segments.
    pub(crate) fn into_buffers(text: &'t [u8], mut rest: Vec<u8>, mut segments: Vec<OriginSegment>) -> Self {
        rest.clear();
        segments.clear();
        Pruned { text, rest, segments, at: 0 }
    }

    /// Stretches come in their order.
    pub(crate) fn leave_out(&mut self, stretch: Range<usize>) {
        if stretch.is_empty() {
            return;
        }
        if self.at == 0 {
            self.rest.reserve(self.text.len() - stretch.len()); // once, and not again as it grows
            self.segments.push(OriginSegment::new(0, 0));
        }
        self.rest.extend_from_slice(&self.text[self.at..stretch.start]);
        self.at = stretch.end;
        let segment = OriginSegment::new(self.rest.len(), stretch.end);
        match self.segments.last_mut() {
            Some(last) if last.text() == segment.text() => *last = segment,
            _ => self.segments.push(segment),
        }
    }

    /// What is left, if something was left out, and where its stretches lie in the text, the first of which is that of its
    /// first byte; no two of them begin at the same place of what is left.
    pub(crate) fn finish(mut self) -> (Option<Vec<u8>>, Vec<OriginSegment>) {
        if self.at == 0 {
            return (None, vec![OriginSegment::new(0, 0)]);
        }
        self.rest.extend_from_slice(&self.text[self.at..]);
        (Some(self.rest), self.segments)
    }
}

//! A text from which stretches are removed.

use std::ops::Range;

use crate::bytes::logical::Logical;

/// A text that is copied only if a stretch is removed.
pub(crate) struct Pruned<'t> {
    text: &'t [u8],
    rest: Logical,
    /// The offset from which the text is neither copied nor removed yet.
    at: usize,
}

impl<'t> Pruned<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Pruned::into_buffers(text, Logical::default())
    }

    /// Reuses the memory of an empty text.
    pub(crate) fn into_buffers(text: &'t [u8], rest: Logical) -> Self {
        Pruned { text, rest, at: 0 }
    }

    /// Removes a stretch. Stretches must be in ascending order.
    pub(crate) fn leave_out(&mut self, stretch: Range<usize>) {
        if stretch.is_empty() {
            return;
        }
        if self.at == 0 {
            self.rest.reserve(self.text.len() - stretch.len()); // one reservation, no growth
        }
        self.rest.append(&self.text[self.at..stretch.start], self.at);
        self.at = stretch.end;
    }

    /// Replaces a stretch.
    pub(crate) fn replace(&mut self, stretch: Range<usize>, by: &[u8]) {
        self.leave_out(stretch.clone());
        self.rest.replace(by, stretch);
    }

    /// Returns the remaining text with the places of its bytes. Returns `None` if nothing was
    /// removed.
    pub(crate) fn finish(mut self) -> Option<Logical> {
        (self.at > 0).then(|| {
            self.rest.append(&self.text[self.at..], self.at);
            self.rest
        })
    }
}

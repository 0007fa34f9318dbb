//! The text read so far. Rules look ahead only through a [`View`].

use std::cell::Cell;
use std::ops::Deref;

use crate::bytes::letters;
use crate::bytes::pieces::Pieces;
use crate::find::matches::{RawMatch, Reading, Rest};
use crate::find::schemes;
use crate::find::why::{Ruling, Trace};
use crate::url::scheme::LONGEST as LONGEST_NAME;

/// A text that may continue after its end.
///
/// The view notes every look that its end cuts off. A result that needed no such look is valid
/// however the text continues (ST-5). So live text, the margins of chunks and damaged ends need no
/// special rules. Bytes that were already seen, and the bytes before them, are read as in a slice.
#[derive(Debug)]
pub(crate) struct View<'t> {
    text: &'t [u8],
    goes_on: bool,
    touched: Cell<bool>,
    /// The readings after the first are wanted, too.
    wants_rest: bool,
    trace: Option<&'t Trace>,
}

impl Deref for View<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.text
    }
}

impl<'t> View<'t> {
    /// Returns a view of a text. `goes_on` is true if more text may follow.
    pub(crate) fn new(text: &'t [u8], goes_on: bool) -> View<'t> {
        View { text, goes_on, touched: Cell::new(false), wants_rest: false, trace: None }
    }

    /// Returns the view, of which the same is wanted as of `outer`.
    pub(crate) fn wanted_as(self, outer: &View<'t>) -> View<'t> {
        View { wants_rest: outer.wants_rest, trace: outer.trace, ..self }
    }

    /// Returns the view, in which the rules make every reading if `wants_rest` is true. Otherwise
    /// they make only the first.
    pub(crate) fn with_rest(self, wants_rest: bool) -> View<'t> {
        View { wants_rest, ..self }
    }

    /// Returns the view of a whole input in which the rules make every reading, and note their
    /// decisions.
    pub(crate) fn traced(text: &'t [u8], trace: &'t Trace) -> View<'t> {
        View { trace: Some(trace), ..View::whole(text).with_rest(true) }
    }

    pub(crate) fn trace(&self) -> Option<&'t Trace> {
        self.trace
    }

    /// Adds the readings that `make` returns. It receives the first reading, and is called only if
    /// the others are wanted.
    #[inline]
    pub(crate) fn offer<R: IntoIterator<Item = Reading>>(&self, found: &mut RawMatch, make: impl FnOnce(&Pieces) -> R) {
        if !self.wants_rest {
            found.rest = Rest::Unmade;
            return;
        }
        for Reading { rule, pieces } in make(&found.first) {
            found.add(self, rule, pieces);
        }
    }

    /// Notes a decision, if someone asks for it.
    pub(crate) fn note(&self, reason: impl FnOnce() -> Ruling) {
        if let Some(trace) = self.trace {
            trace.note(reason());
        }
    }

    /// Returns a view of a whole input.
    pub(crate) fn whole(text: &'t [u8]) -> View<'t> {
        View::new(text, false)
    }

    /// Returns the bytes, with the lifetime of the text.
    pub(crate) fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns a view of the text up to `end`, as if no text followed.
    pub(crate) fn before(&self, end: usize) -> View<'t> {
        View::new(&self.text[..end.min(self.text.len())], false)
    }

    /// Returns whether a look was cut off by the end of a text that continues.
    pub(crate) fn is_touched(&self) -> bool {
        self.touched.get()
    }

    /// Returns whether the text may continue after its end.
    pub(crate) fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Notes that a look was cut off by the end.
    #[cold]
    pub(crate) fn touch(&self) {
        self.touched.set(self.touched.get() || self.goes_on);
    }

    /// Notes that a look was cut off, if `other`, a view of the same text, has noted one.
    pub(crate) fn touch_as(&self, other: &View<'_>) {
        if other.is_touched() {
            self.touch();
        }
    }

    /// Notes a look at the bytes before `end`. Returns `end`, or the end of the text if it is
    /// nearer.
    #[inline]
    pub(crate) fn upto(&self, end: usize) -> usize {
        if end > self.text.len() {
            self.touch();
        }
        end.min(self.text.len())
    }

    /// Returns the byte at `at`.
    #[inline]
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        if at >= self.text.len() {
            self.touch();
        }
        self.text.get(at).copied()
    }

    /// Returns whether these bytes stand at `at`.
    pub(crate) fn has(&self, at: usize, bytes: &[u8]) -> bool {
        let ahead = self.text.get(at..).unwrap_or_default();
        if ahead.len() < bytes.len() && bytes.starts_with(ahead) {
            self.touch();
        }
        ahead.starts_with(bytes)
    }

    /// Returns the first place in `from..to` that `look` finds in the bytes there.
    #[inline]
    pub(crate) fn find(&self, from: usize, to: usize, look: impl FnOnce(&[u8]) -> Option<usize>) -> Option<usize> {
        let end = to.min(self.text.len());
        let found = look(&self.text[from.min(end)..end]).map(|at| from + at);
        if found.is_none() && end < to {
            self.touch();
        }
        found
    }

    /// Returns the end of the bytes from `from` on for which `belongs` is true. It is at most `to`.
    #[inline]
    pub(crate) fn stretch(&self, from: usize, to: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let end = self.find(from, to, |bytes| bytes.iter().position(|&byte| !belongs(byte)));
        end.unwrap_or(to.min(self.text.len()).max(from))
    }

    /// Decodes the character at `at`. Returns it and its length.
    pub(crate) fn decode(&self, at: usize) -> Option<(char, usize)> {
        /// The maximum number of bytes in a character.
        const LONGEST: usize = 4;
        let decoded = letters::decode(self.text, at);
        if decoded.is_none() && self.text.len() < at + LONGEST {
            self.touch();
        }
        decoded
    }

    /// Returns whether a scheme of K and `tail` (`:` or `://`) stand at `at`.
    pub(crate) fn has_k<const N: usize>(&self, at: usize, tail: &[u8; N]) -> bool {
        let ahead = self.text.get(at..).unwrap_or_default();
        let has_k = schemes::starts_with_k(ahead, tail);
        let is_cut = || ahead.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b':' | b'/'));
        if !has_k && ahead.len() <= LONGEST_NAME + N && is_cut() {
            self.touch();
        }
        has_k
    }
}

#[cfg(test)]
mod tests;

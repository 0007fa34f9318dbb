//! The place of a break, and the facts of the lines around it.

use super::facts::{Fact, Facts, Sides};
use crate::find::text::left::{Content, Markers};
use crate::find::text::window::JoinWindow;
use std::ops::Range;

/// The place of a break in its window.
pub(super) struct BreakSite<'p> {
    pub(super) window: &'p JoinWindow<'p>,
    pub(super) markers: &'p Markers,
    /// The start of the URL, and the bracket or quote right before it.
    pub(super) start: usize,
    pub(super) opener: Option<u8>,
    /// That bracket or quote closes right after the run on the next line.
    pub(super) closed: bool,
    /// The broken line, the line below it, and the place where the content of the line below
    /// begins.
    pub(super) line: Range<usize>,
    pub(super) next: Range<usize>,
    pub(super) content: Content,
}

impl BreakSite<'_> {
    /// Returns the column at which the content of the broken line begins. A glued token is skipped
    /// on both lines or on neither. Otherwise `"http://…` would be indented deeper by its quote.
    pub(super) fn own_indent(&self) -> usize {
        let BreakSite { window, markers, line, content, .. } = self;
        let own = markers.content(window.text, line.start, line.end);
        window.indent(line.start, if content.at == content.unglued { own.unglued } else { own.at })
    }

    /// Returns the facts of the two sides, and of their lines.
    pub(super) fn facts(&self, sides: &Sides<'_>) -> Facts {
        let BreakSite { window, markers, next, content, .. } = self;
        let is_shallower =
            content.depth == markers.depth() && window.indent(next.start, content.at) < self.own_indent();
        let is_closed_far = self.is_closed_far(sides);
        sides
            .facts()
            .with(Fact::Shallower, is_shallower)
            .with(Fact::Bracket, self.opener.is_some() || is_closed_far)
            .with(Fact::Closed, self.closed || self.opener.is_none() && is_closed_far)
    }

    /// Returns whether a `)` after the run closes a `(` on the URL's line or shortly before that line.
    fn is_closed_far(&self, sides: &Sides<'_>) -> bool {
        /// The number of bytes before the URL's line that are searched for brackets.
        const REACH: usize = 200;
        let BreakSite { window, start, .. } = self;
        let from = window.line_start(*start).saturating_sub(REACH).max(window.low);
        let count = |byte: u8| memchr::memchr_iter(byte, &window.text[from..*start]).count();
        (sides.rest.starts_with(b")") || sides.rest.starts_with(b".)")) && count(b'(') > count(b')')
    }
}

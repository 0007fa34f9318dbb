//! A break after a URL, with the lines around it.

use super::chain::Chain;
use super::facts::{Fact, Facts, Sides};
use super::margin;
use crate::find::text::left::Content;
use crate::find::text::window::JoinWindow;
use std::cell::OnceCell;
use std::ops::Range;

/// A break after a URL. Facts, vetoes, the page and the screen all read this one value.
pub(super) struct Break<'p> {
    pub(super) window: &'p JoinWindow<'p>,
    /// The URL up to the break, with the broken line and the line below it.
    pub(super) url: &'p Chain<'p>,
    /// The place where the content of the line below begins.
    pub(super) content: Content,
    pub(super) sides: Sides<'p>,
    /// The bracket or quote before the URL closes right after the run on the next line.
    pub(super) closed: bool,
    width: OnceCell<usize>,
    filled: OnceCell<bool>,
}

impl<'p> Break<'p> {
    pub(super) fn new(
        window: &'p JoinWindow<'p>,
        url: &'p Chain<'p>,
        content: Content,
        sides: Sides<'p>,
        closed: bool,
        filled: OnceCell<bool>,
    ) -> Break<'p> {
        Break { window, url, content, sides, closed, width: OnceCell::new(), filled }
    }

    /// Returns whether a program filled the broken line to the margin (B-JOIN-FILLED).
    pub(super) fn is_filled(&self) -> bool {
        *self.filled.get_or_init(|| margin::is_filled(self.window, self.url.start, &self.url.line, self.next()))
    }

    /// Returns the line below the break.
    pub(super) fn next(&self) -> &'p Range<usize> {
        &self.url.next
    }

    /// Returns the width of the broken line.
    pub(super) fn width(&self) -> usize {
        *self.width.get_or_init(|| self.window.width(self.url.line.clone()))
    }

    /// Returns the length of the word at the start of the next line's content.
    pub(super) fn word_len(&self) -> usize {
        let line = &self.window.text[self.content.at..self.next().end];
        line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len())
    }

    /// Returns the column at which the content of the broken line begins. A glued token is skipped
    /// on both lines or on neither. Otherwise `"http://…` would be indented deeper by its quote.
    pub(super) fn own_indent(&self) -> usize {
        let Break { window, url, content, .. } = self;
        let own = url.markers.content(window.text, url.line.start, url.line.end);
        window.indent(url.line.start, if content.at == content.unglued { own.unglued } else { own.at })
    }

    /// Returns the facts of the two sides, and of their lines.
    pub(super) fn facts(&self) -> Facts {
        let Break { window, url, content, .. } = self;
        let is_shallower =
            content.depth == url.markers.depth() && window.indent(url.next.start, content.at) < self.own_indent();
        let is_closed_far = self.is_closed_far();
        let facts = self.sides.facts();
        let is_like = || !facts.has(Fact::Open) && self.sides.is_like() && !self.is_filled();
        facts
            .with(Fact::Other, is_like())
            .with(Fact::Shallower, is_shallower)
            .with(Fact::Bracket, url.opener.is_some() || is_closed_far)
            .with(Fact::Closed, self.closed || url.opener.is_none() && is_closed_far)
    }

    /// Returns whether a `)` after the run closes a `(` on the URL's line or shortly before that line.
    fn is_closed_far(&self) -> bool {
        /// The number of bytes before the URL's line that are searched for brackets.
        const REACH: usize = 200;
        let Break { window, url, sides, .. } = self;
        let from = window.line_start(url.start).saturating_sub(REACH).max(window.low);
        let count = |byte: u8| memchr::memchr_iter(byte, &window.text[from..url.start]).count();
        (sides.rest.starts_with(b")") || sides.rest.starts_with(b".)")) && count(b'(') > count(b')')
    }
}

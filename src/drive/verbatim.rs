//! What a search hands on where no [`Match`](crate::Match) may be needed.

#![cfg_attr(
    not(all(feature = "report", any(feature = "archive", feature = "parallel"))),
    allow(dead_code, unreachable_pub, reason = "for reports of what a sink takes")
)]

use std::ops::Range;

use bstr::{BStr, ByteSlice};

use crate::Level;
use crate::drive::lines::{Lines, Position};
use crate::find::{Kind, Options, PlainMatch};
use crate::url::Verdict;

/// A match whose URL stands in the text as it is and has no other reading.
#[doc(hidden)]
#[derive(Debug)]
pub struct VerbatimMatch<'t> {
    pub(crate) text: &'t [u8],
    /// Offset of the text in the input.
    pub(crate) base: u64,
    pub(crate) plain: &'t PlainMatch,
    /// Where lines are counted.
    pub(crate) lines: &'t mut Option<Lines>,
    pub(crate) options: &'t Options,
}

impl<'t> VerbatimMatch<'t> {
    /// As [`Match::level`](crate::Match::level).
    #[inline]
    pub fn level(&self) -> Level {
        self.plain.verdict.level
    }

    /// What a record says of it, if its URL fits a grammar of ASCII. No [`Match`](crate::Match) is made: it would lie in memory.
    #[inline(always)]
    pub(crate) fn into_ascii(self) -> Option<AsciiMatch<'t>> {
        if !self.level().is_ascii() {
            return None;
        }
        let VerbatimMatch { text, base, plain, lines, options } = self;
        let position = lines.as_mut().map(|lines| lines.position(text, base, base + plain.start as u64));
        Some(AsciiMatch { text: text.get(plain.url.start..)?, base, plain, position, options })
    }
}

/// A [`VerbatimMatch`] whose URL fits a grammar of ASCII, with its line counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsciiMatch<'t> {
    /// From the URL on.
    pub(crate) text: &'t [u8],
    base: u64,
    plain: &'t PlainMatch,
    position: Option<Position>,
    pub(crate) options: &'t Options,
}

impl<'t> AsciiMatch<'t> {
    /// The URL.
    #[inline(always)]
    pub(crate) fn url(&self) -> &'t BStr {
        self.text.get(..self.plain.url.len()).unwrap_or_default().as_bstr()
    }

    #[inline(always)]
    pub(crate) fn kind(&self) -> Kind {
        self.plain.kind
    }

    #[inline(always)]
    pub(crate) fn verdict(&self) -> Verdict {
        self.plain.verdict
    }

    /// As [`Match::span`](crate::Match::span).
    #[inline(always)]
    pub(crate) fn span(&self) -> Range<u64> {
        self.base + self.plain.start as u64..self.base + self.plain.end as u64
    }

    /// As [`Match::line`](crate::Match::line).
    #[inline(always)]
    pub(crate) fn line(&self) -> Option<u64> {
        self.position.map(|position| position.line)
    }

    /// As [`Match::column`](crate::Match::column).
    #[inline(always)]
    pub(crate) fn column(&self) -> Option<u64> {
        self.position.map(|position| position.column)
    }
}

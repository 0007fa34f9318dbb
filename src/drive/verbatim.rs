//! What a search hands on where no [`Match`] may be needed.

#![cfg_attr(
    not(all(feature = "report", any(feature = "archive", feature = "parallel"))),
    allow(dead_code, unreachable_pub, reason = "for reports of what a sink takes")
)]

use std::ops::Range;

use bstr::{BStr, ByteSlice};

use crate::Level;
use crate::drive::lines::Lines;
use crate::find::{Kind, Options, PlainMatch};
use crate::url::Verdict;

/// A match whose URL stands in the text as it is and has no other reading.
#[doc(hidden)]
#[derive(Debug)]
pub struct VerbatimMatch<'t> {
    pub(crate) text: &'t [u8],
    /// Offset of the text in the input.
    pub(crate) base: u64,
    pub(crate) plain: PlainMatch,
    /// Where lines are counted.
    pub(crate) lines: &'t mut Option<Lines>,
    pub(crate) options: Options,
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
        let PlainMatch { start, end, kind, url, verdict } = plain;
        let offset = base + start as u64;
        let position = lines.as_mut().map(|lines| lines.position(text, base, offset));
        let length = url.len();
        Some(AsciiMatch {
            text: text.get(url.start..)?,
            length,
            span: offset..base + end as u64,
            kind,
            verdict,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            options,
        })
    }
}

/// A [`VerbatimMatch`] whose URL fits a grammar of ASCII, with its line counted.
#[derive(Clone, Debug)]
pub(crate) struct AsciiMatch<'t> {
    /// From the URL on.
    pub(crate) text: &'t [u8],
    /// Of the URL.
    pub(crate) length: usize,
    /// As [`Match::span`](crate::Match::span).
    pub(crate) span: Range<u64>,
    pub(crate) kind: Kind,
    pub(crate) verdict: Verdict,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<u64>,
    pub(crate) options: Options,
}

impl<'t> AsciiMatch<'t> {
    /// The URL.
    #[inline(always)]
    pub(crate) fn url(&self) -> &'t BStr {
        self.text.get(..self.length).unwrap_or_default().as_bstr()
    }
}

//! What a search hands on where no [`Match`] may be needed.

#![cfg_attr(
    not(all(feature = "report", any(feature = "archive", feature = "parallel"))),
    allow(dead_code, unreachable_pub, reason = "for reports of what a sink takes")
)]

use std::mem::ManuallyDrop;

use crate::Level;
use crate::drive::lines::Lines;
use crate::drive::matches::Match;
use crate::find::{Options, PlainMatch};

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
    /// As [`Match::level`].
    #[inline]
    pub fn level(&self) -> Level {
        self.plain.verdict.level
    }

    /// The match, if its URL fits a grammar of ASCII. It owns nothing, and to drop it would be a call. Inlined, what is not
    /// asked of it is not made.
    #[inline(always)]
    pub(crate) fn into_ascii_match(self) -> Option<ManuallyDrop<Match<'t>>> {
        if !self.level().is_ascii() {
            return None;
        }
        let VerbatimMatch { text, base, plain, lines, options } = self;
        Some(ManuallyDrop::new(Match::counted(text, base, plain.into(), lines, options)))
    }
}

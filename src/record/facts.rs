//! What a search knows of a match, and the fields that say nothing else.

use std::ops::Range;

use bstr::BStr;

use super::fields::RecordKey;
use super::{RecordValue, number};
#[cfg(feature = "report")]
use crate::drive::AsciiMatch;
use crate::find::Options;
use crate::url::Verdict;
use crate::{Kind, Level, Match};

/// A match, and the name of its file, which may be empty.
pub(super) struct Facts<'m> {
    pub(super) file: &'m [u8],
    pub(super) url: &'m BStr,
    pub(super) verdict: Verdict,
    kind: Kind,
    span: Range<u64>,
    line: Option<u64>,
    column: Option<u64>,
    pub(super) options: Options,
}

impl<'m> Facts<'m> {
    #[inline]
    pub(super) fn of_match(file: &'m [u8], found: &'m Match<'m>) -> Self {
        Facts {
            file,
            url: found.url(),
            verdict: found.verdict(),
            kind: found.kind(),
            span: found.span(),
            line: found.line(),
            column: found.column(),
            options: found.options(),
        }
    }

    #[cfg(feature = "report")]
    #[inline(always)]
    pub(super) fn of_ascii(file: &'m [u8], found: &AsciiMatch<'m>) -> Self {
        Facts {
            file,
            url: found.url(),
            verdict: found.verdict(),
            kind: found.kind(),
            span: found.span(),
            line: found.line(),
            column: found.column(),
            options: *found.options,
        }
    }

    /// The value of a key, where the URL stands in the text as it is and is ASCII, and so is the name. Where they are not,
    /// [`MatchRecord`](super::MatchRecord) knows more of some. Inlined as its `value` is, and for its reason.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value(&self, key: RecordKey) -> RecordValue<'m> {
        use RecordValue::{Absent, Flag, Number, Piece, Reading, Word};
        match key {
            RecordKey::Url => Piece(self.url),
            RecordKey::Kind => Word(self.kind.as_str()),
            RecordKey::File if !self.file.is_empty() => Piece(self.file),
            RecordKey::Offset => Number(self.span.start),
            RecordKey::Length => Number(self.span.end - self.span.start),
            RecordKey::Line => number(self.line),
            RecordKey::Column => number(self.column),
            RecordKey::Rejoined => Flag(false),
            RecordKey::Readings => Reading(self.url),
            RecordKey::Level => Word(self.verdict.level.as_str()),
            // The count is written in when all is counted.
            _ => Absent,
        }
    }

    /// The verdict says so.
    #[inline(always)]
    pub(super) fn is_rfc1738(&self) -> bool {
        matches!(self.verdict.level, Level::Rfc1738 | Level::Rfc1738Ref)
    }
}

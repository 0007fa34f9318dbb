//! [`Match`] by its text and its place: how it is shown, compared, sorted and hashed.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::drive::matches::Match;
use crate::find::Kind;
use crate::{Level, ParseError};

/// The fields in which equal matches agree, but for their readings. A match before another is less.
type Identity = (u64, u64, Kind, bool, Level, Option<ParseError>, Option<u64>, Option<u64>);

fn identity(found: &Match<'_>) -> Identity {
    let span = found.span();
    let (line, column) = (found.line(), found.column());
    (span.start, span.end, found.kind(), found.rejoined(), found.level(), found.error(), line, column)
}

/// Two matches are equal if their spans, lines, kinds, readings, levels and errors are.
impl PartialEq for Match<'_> {
    fn eq(&self, other: &Match<'_>) -> bool {
        identity(self) == identity(other) && self.readings().eq(other.readings())
    }
}

impl Eq for Match<'_> {}

impl PartialOrd for Match<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By their spans first: in the order of the text.
impl Ord for Match<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        identity(self).cmp(&identity(other)).then_with(|| self.readings().cmp(other.readings()))
    }
}

impl Hash for Match<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        identity(self).hash(state);
        self.url().hash(state);
    }
}

/// The [URL](Match::url).
impl fmt::Display for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.url(), f)
    }
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("url", &self.url())
            .field("span", &self.span())
            .field("kind", &self.kind())
            .field("level", &self.level())
            .finish_non_exhaustive()
    }
}

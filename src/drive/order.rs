//! How a [`Match`] is displayed, compared, sorted and hashed: by its text and its place.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::drive::matches::Match;
use crate::find::Kind;
use crate::{Level, ParseError};

/// The fields in which equal matches agree, besides their readings. They order an earlier match
/// before a later one.
type Identity = (u64, u64, Kind, bool, Level, Option<ParseError>, Option<u64>, Option<u64>);

fn identity(found: &Match<'_>) -> Identity {
    let span = found.span();
    let (line, column) = (found.line(), found.column());
    (span.start, span.end, found.kind(), found.rejoined(), found.level(), found.error(), line, column)
}

/// Two matches are equal if their spans, positions, kinds, readings, levels, errors and
/// [`rejoined`](Match::rejoined) are equal.
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

/// Matches are ordered by their spans first, which is the order of the text.
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

/// Displays the [URL](Match::url).
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

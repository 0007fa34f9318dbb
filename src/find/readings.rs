//! What the finder hands on: matches as offsets, and the readings of a doubtful text (W-HYPH-2, W-HYPH-3).
//!
//! A reading is a list of source pieces, never a copy: workers exchange offsets, and bytes are attached at the edge.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use crate::find::judge::Judge;
use crate::find::{HyphenOrder, Kind};
use crate::url::{Level, Verdict};

/// A list that nearly always is empty, in one word instead of three: matches are handed on by value, and what they weigh
/// shows in text that is made of URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::box_collection)]
pub(crate) struct Seldom<T>(Option<Box<Vec<T>>>);

impl<T> Seldom<T> {
    pub(crate) const fn new() -> Seldom<T> {
        Seldom(None)
    }

    pub(crate) fn push(&mut self, item: T) {
        self.0.get_or_insert_default().push(item);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.as_deref().map_or(&[][..], Vec::as_slice).iter()
    }
}

impl<T> From<Vec<T>> for Seldom<T> {
    fn from(items: Vec<T>) -> Seldom<T> {
        Seldom((!items.is_empty()).then(|| Box::new(items)))
    }
}

impl<T> IntoIterator for Seldom<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> std::vec::IntoIter<T> {
        self.0.map_or_else(Vec::new, |items| *items).into_iter()
    }
}

/// One URL, as ranges of the source. Their concatenation is the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// A slice of the source.
    One(Range<usize>),
    /// At least two ranges, in order, none empty.
    Many(Box<[Range<usize>]>),
}

impl Pieces {
    /// Puts ranges together: empty ones go, neighbours merge.
    pub(crate) fn new(ranges: impl IntoIterator<Item = Range<usize>>) -> Pieces {
        let ranges = ranges.into_iter();
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.size_hint().0);
        for range in ranges {
            match merged.last_mut() {
                _ if range.is_empty() => {}
                Some(last) if last.end == range.start => last.end = range.end,
                _ => merged.push(range),
            }
        }
        match <[Range<usize>; 1]>::try_from(merged) {
            Ok([one]) => Pieces::One(one),
            Err(many) if many.is_empty() => Pieces::One(0..0),
            Err(many) => Pieces::Many(many.into()),
        }
    }

    pub(crate) fn ranges(&self) -> &[Range<usize>] {
        match self {
            Pieces::One(range) => std::slice::from_ref(range),
            Pieces::Many(ranges) => ranges,
        }
    }

    /// The URL's bytes: borrowed where they are one slice of the source.
    pub(crate) fn bytes<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        match self {
            Pieces::One(range) => Cow::Borrowed(&text[range.clone()]),
            Pieces::Many(ranges) => Cow::Owned(concatenated(text, ranges)),
        }
    }

    pub(crate) fn same_text(&self, other: &Pieces, text: &[u8]) -> bool {
        fn bytes<'t>(pieces: &Pieces, text: &'t [u8]) -> impl Iterator<Item = &'t u8> {
            pieces.ranges().iter().flat_map(|range| &text[range.clone()])
        }
        self == other || self.len() == other.len() && bytes(self, text).eq(bytes(other, text))
    }

    fn len(&self) -> usize {
        self.ranges().iter().map(Range::len).sum()
    }

    /// The first `len` bytes of several ranges between which something stands; two or more of them hold some.
    pub(crate) fn cut(mut ranges: Vec<Range<usize>>, mut len: usize) -> Pieces {
        for range in &mut ranges {
            range.end = range.end.min(range.start + len);
            len -= range.len();
        }
        ranges.retain(|range| !range.is_empty());
        debug_assert!(ranges.len() > 1);
        Pieces::Many(ranges.into())
    }

    pub(crate) fn end(&self) -> usize {
        self.ranges().last().map_or(0, |range| range.end)
    }

    /// The same pieces, with `by` taken from every offset.
    pub(crate) fn shifted(&self, by: usize) -> Pieces {
        match self {
            Pieces::One(range) => Pieces::One(range.start - by..range.end - by),
            Pieces::Many(ranges) => Pieces::Many(ranges.iter().map(|r| r.start - by..r.end - by).collect()),
        }
    }
}

/// The bytes of some ranges, one after the other.
pub(crate) fn concatenated(text: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ranges.iter().map(Range::len).sum());
    ranges.iter().for_each(|range| bytes.extend_from_slice(&text[range.clone()]));
    bytes
}

/// A match, as offsets into the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawMatch {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    /// The URL's bytes come from more than one line.
    pub(crate) rejoined: bool,
    /// Of the first reading.
    pub(crate) verdict: Verdict,
    pub(crate) first: Pieces,
    /// The other readings, in order.
    pub(crate) others: Seldom<Pieces>,
    /// There may be more readings, which are not read until they are asked for (`bare::more_readings`).
    pub(crate) goes_on: bool,
}

impl RawMatch {
    /// A match with a span, and readings of which there is at least one.
    pub(crate) fn new(
        text: &[u8],
        span: Range<usize>,
        kind: Kind,
        mut readings: Vec<Pieces>,
        rejoined: bool,
        judge: &Judge,
    ) -> RawMatch {
        let others = readings.split_off(1).into();
        let first = readings.swap_remove(0);
        let verdict = judge.verdict(&first.bytes(text));
        RawMatch { start: span.start, end: span.end, kind, rejoined, verdict, first, others, goes_on: false }
    }

    /// A match with one reading.
    pub(crate) fn single(
        text: &[u8],
        span: Range<usize>,
        kind: Kind,
        first: Pieces,
        rejoined: bool,
        judge: &Judge,
    ) -> RawMatch {
        let verdict = judge.verdict(&first.bytes(text));
        RawMatch {
            start: span.start,
            end: span.end,
            kind,
            rejoined,
            verdict,
            first,
            others: Seldom::new(),
            goes_on: false,
        }
    }

    pub(crate) fn readings(&self) -> impl Iterator<Item = &Pieces> {
        std::iter::once(&self.first).chain(self.others.iter())
    }

    /// Adds an alternative, if its text is new.
    pub(crate) fn add(&mut self, text: &[u8], reading: Pieces) {
        if self.readings().all(|known| !known.same_text(&reading, text)) {
            self.others.push(reading);
        }
    }
}

/// A text with hyphens before line breaks, each of which may belong to the URL or to the break.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubtful {
    pieces: Vec<Range<usize>>,
    /// Indices of the pieces whose last byte is a doubtful hyphen.
    hyphens: Vec<usize>,
}

impl Doubtful {
    /// More than this many doubtful hyphens give two readings, not 2^n (W-HYPH-2).
    const MOST: usize = 3;

    pub(crate) fn push(&mut self, piece: Range<usize>) {
        self.pieces.push(piece);
    }

    /// The last byte pushed is a doubtful hyphen.
    pub(crate) fn mark_hyphen(&mut self) {
        if let Some(last) = self.pieces.len().checked_sub(1) {
            self.hyphens.push(last);
        }
    }

    /// The readings in the order of W-HYPH-3: the result, then its alternatives.
    pub(crate) fn readings(&self, text: &[u8], judge: &Judge) -> Vec<Pieces> {
        let n = self.hyphens.len();
        if n == 0 {
            return vec![self.with_dropped(0)];
        }
        // Bit by bit, the last hyphen's lowest: which are dropped.
        let patterns = if n <= Self::MOST { 1 << n } else { 2 };
        let mut urls = Vec::new();
        let mut ranked = Vec::with_capacity(1 << Self::MOST);
        for pattern in 0_u32..patterns {
            let start = urls.len();
            self.ranges(pattern).for_each(|range| urls.extend_from_slice(&text[range]));
            let standing = judge.standing(&urls[start..]);
            let order = (pattern.count_ones(), pattern);
            let order = match judge.options.hyphen {
                HyphenOrder::Keep => (order, Reverse((0, 0))),
                HyphenOrder::Drop => ((0, 0), Reverse(order)),
            };
            ranked.push((standing, order, pattern, start..urls.len()));
        }
        ranked.sort_by_key(|&(standing, order, ..)| (standing, order));
        let best = ranked[0].0.level;
        if best == Level::None {
            return vec![self.with_dropped(0)];
        }
        let (mut readings, mut known) = (Vec::with_capacity(1), Vec::with_capacity(1));
        for (standing, _, pattern, url) in ranked {
            let counts = known.is_empty() || standing.level == best && !standing.odd_host;
            let url = &urls[url];
            if counts && !known.contains(&url) {
                known.push(url);
                readings.push(self.with_dropped(pattern));
            }
        }
        readings
    }

    fn with_dropped(&self, pattern: u32) -> Pieces {
        Pieces::new(self.ranges(pattern))
    }

    /// The pieces without the hyphens that a pattern drops.
    fn ranges(&self, pattern: u32) -> impl Iterator<Item = Range<usize>> {
        let n = self.hyphens.len();
        let is_dropped = move |i: usize| if n <= Self::MOST { pattern >> (n - 1 - i) & 1 == 1 } else { pattern == 1 };
        let mut next = 0;
        self.pieces.iter().enumerate().map(move |(at, piece)| {
            let mut end = piece.end;
            while self.hyphens.get(next) == Some(&at) {
                end -= usize::from(is_dropped(next));
                next += 1;
            }
            piece.start..end
        })
    }
}

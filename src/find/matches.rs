//! What the finder hands on: matches as offsets.
//!
//! A reading is a list of source pieces, never a copy: workers exchange offsets, and bytes are attached at the edge.

use std::borrow::Cow;
use std::ops::Range;

use crate::url::Verdict;

/// How the text delimits a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// `<URL:…>`, the wrapper of RFC 1738's Appendix.
    Wrapped,
    /// `<scheme:…>`.
    Angle,
    /// `URL:…` without brackets.
    Prefixed,
    /// A URL that nothing announces.
    Bare,
    /// The value of an attribute of HTML, or a part of one.
    Attribute,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] = [Kind::Wrapped, Kind::Angle, Kind::Prefixed, Kind::Bare, Kind::Attribute];

    /// The name that reports use: `wrapped`, `angle`, `prefixed`, `bare`, `attribute`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Wrapped => "wrapped",
            Kind::Angle => "angle",
            Kind::Prefixed => "prefixed",
            Kind::Bare => "bare",
            Kind::Attribute => "attribute",
        }
    }
}

/// Why something that looked like a URL is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// W-FAIL-1.
    Unterminated,
    /// W-WS-2.
    Empty,
    /// W-PROSE, W-ANGLE-1, W-FAIL-2: the brackets mean nothing.
    Dissolved,
    /// B-MAX.
    TooLong,
}

/// The matches of one anchor. They are taken or hidden together.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) first: RawMatch,
    /// The other parts of a wrapper (W-TWO).
    pub(crate) rest: ThinVec<RawMatch>,
}

impl Hit {
    pub(crate) fn start(&self) -> usize {
        self.first.start
    }

    pub(crate) fn end(&self) -> usize {
        self.rest.iter().last().unwrap_or(&self.first).end
    }
}

/// A list that is nearly always empty, in one word instead of three: matches are handed on by value, and their size
/// shows in text that is made of URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::box_collection)]
pub(crate) struct ThinVec<T>(Option<Box<Vec<T>>>);

impl<T> ThinVec<T> {
    pub(crate) const fn new() -> ThinVec<T> {
        ThinVec(None)
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

impl<T> From<Vec<T>> for ThinVec<T> {
    fn from(items: Vec<T>) -> ThinVec<T> {
        ThinVec((!items.is_empty()).then(|| Box::new(items)))
    }
}

impl<T> IntoIterator for ThinVec<T> {
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
    pub(crate) others: ThinVec<Pieces>,
    /// There may be more readings, which are not read until they are asked for (`bare::more_readings`).
    pub(crate) goes_on: bool,
}

impl RawMatch {
    /// A match with one reading.
    #[inline(always)]
    pub(crate) fn new(span: Range<usize>, kind: Kind, first: Pieces, verdict: Verdict) -> RawMatch {
        let Range { start, end } = span;
        RawMatch { start, end, kind, rejoined: false, verdict, first, others: ThinVec::new(), goes_on: false }
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

//! Matches as offsets, which the finder returns to the drivers.
//!
//! A *reading* is a possible URL of a match. It is a list of source pieces, not a copy. Workers
//! exchange offsets, and the drivers attach the bytes.

use std::borrow::Cow;
use std::ops::Range;
use std::{fmt, mem};

use crate::bytes::limits::READINGS;
use crate::bytes::logical::Literal;
use crate::url::Verdict;

/// The form in which a URL stands in the text: its delimiters, prefix or place.
///
/// ```
/// use urlgrep::{Extractor, Kind};
///
/// let text = "<URL:http://a.example/>, <http://b.example/>, URL:http://c.example/ or http://d.example/";
/// let kinds: Vec<Kind> = Extractor::new().find_iter(text).map(|found| found.kind()).collect();
/// assert_eq!(kinds, [Kind::Wrapped, Kind::Angle, Kind::Prefixed, Kind::Bare]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// `<URL:…>`, the wrapper of RFC 1738's Appendix.
    Wrapped,
    /// `<scheme:…>`.
    Angle,
    /// `URL:…` without brackets.
    Prefixed,
    /// A URL without delimiters or a prefix.
    Bare,
    /// The value of an HTML attribute, or a part of it.
    Attribute,
    /// A name without a scheme, `www.…` or `ftp.…`, if the search includes such names (B-WWW).
    Www,
    /// A navigation link that a mail archiver put on its page, if the search includes such links.
    Navigation,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 7] =
        [Kind::Wrapped, Kind::Angle, Kind::Prefixed, Kind::Bare, Kind::Attribute, Kind::Www, Kind::Navigation];

    /// Returns the name that reports use: `wrapped`, `angle`, `prefixed`, `bare`, `attribute`,
    /// `www`, `navigation`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Wrapped => "wrapped",
            Kind::Angle => "angle",
            Kind::Prefixed => "prefixed",
            Kind::Bare => "bare",
            Kind::Attribute => "attribute",
            Kind::Www => "www",
            Kind::Navigation => "navigation",
        }
    }
}

#[cfg(feature = "serde")]
crate::url::serial::by_name!(Kind, as_str, Kind::ALL);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The reason why a candidate is refused (B-NOHOST).
///
/// ```
/// use urlgrep::{Extractor, RefusedHost};
///
/// let extractor = Extractor::builder().candidates(true).build();
/// let found = extractor.find("see http://localhost:${PORT}/").unwrap();
/// assert_eq!(found.refused(), Some(RefusedHost::Placeholder));
/// assert!(Extractor::new().find("see http://localhost:${PORT}/").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RefusedHost {
    /// A part of the host is a placeholder for a program or a reader:
    /// `http://api.<region>.example`.
    Placeholder,
    /// The host is altered so that no program turns it into a link: `http://a[.]example`.
    Defanged,
}

impl RefusedHost {
    /// Every reason.
    pub const ALL: [RefusedHost; 2] = [RefusedHost::Placeholder, RefusedHost::Defanged];

    /// Returns the name that reports use: `placeholder`, `defanged`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RefusedHost::Placeholder => "placeholder",
            RefusedHost::Defanged => "defanged",
        }
    }
}

impl fmt::Display for RefusedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(feature = "serde")]
crate::url::serial::by_name!(RefusedHost, as_str, RefusedHost::ALL);

/// The reason why a candidate is not a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// W-FAIL-1.
    Unterminated,
    /// W-WS-2.
    Empty,
    /// W-PROSE, W-ANGLE-1, W-FAIL-2: the brackets delimit no URL.
    Dissolved,
    /// B-MAX.
    TooLong,
    /// The candidate may continue beyond a damaged end, so a part of it may be lost.
    Damaged,
}

/// The matches of one anchor. They are reported or hidden together.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) first: RawMatch,
    /// The other parts of a wrapper (W-TWO).
    pub(crate) rest: Box<[RawMatch]>,
}

impl Hit {
    pub(crate) fn start(&self) -> usize {
        self.first.start
    }

    pub(crate) fn end(&self) -> usize {
        self.rest.iter().last().unwrap_or(&self.first).end
    }
}

/// A match of the fast lane: a URL that is a slice of the text, and has no other reading.
#[derive(Clone, Debug)]
pub(crate) struct PlainMatch {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    pub(crate) url: Range<usize>,
    pub(crate) verdict: Verdict,
}

impl From<PlainMatch> for RawMatch {
    #[inline(always)]
    fn from(PlainMatch { start, end, kind, url, verdict }: PlainMatch) -> RawMatch {
        RawMatch { verdict: Some(verdict), ..RawMatch::new(start..end, kind, Pieces::One(url)) }
    }
}

/// A part of a URL: a range of the source, read unchanged or as one other character.
///
/// No piece holds the bytes that a reading removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlPiece {
    /// The range in the source. [`Pieces::new`] drops a piece whose range is empty.
    pub(crate) source: Range<usize>,
    /// The character that replaces the whole range, or `None` if the range is read unchanged.
    pub(crate) literal: Option<Literal>,
}

impl From<Range<usize>> for UrlPiece {
    fn from(source: Range<usize>) -> UrlPiece {
        UrlPiece { source, literal: None }
    }
}

impl From<(Range<usize>, Option<Literal>)> for UrlPiece {
    fn from((source, literal): (Range<usize>, Option<Literal>)) -> UrlPiece {
        UrlPiece { source, literal }
    }
}

impl UrlPiece {
    pub(crate) fn bytes<'t>(&'t self, text: &'t [u8]) -> &'t [u8] {
        match &self.literal {
            Some(literal) => literal.bytes(),
            None => &text[self.source.clone()],
        }
    }

    /// Returns the number of bytes of the URL that the piece provides.
    pub(crate) fn len(&self) -> usize {
        self.literal.map_or(self.source.len(), |literal| literal.bytes().len())
    }

    /// Returns the part of the piece that provides the given range of its bytes. A literal is kept
    /// or dropped as a whole.
    pub(crate) fn part(&self, bytes: Range<usize>) -> UrlPiece {
        let Range { start, end } = self.source;
        let source = match self.literal {
            Some(_) if bytes.is_empty() => start..start,
            Some(_) => start..end,
            None => start + bytes.start..end.min(start + bytes.end),
        };
        UrlPiece { source, literal: self.literal }
    }

    fn shifted(self, by: usize) -> UrlPiece {
        UrlPiece { source: self.source.start - by..self.source.end - by, ..self }
    }
}

/// A URL, as pieces of the source. Their concatenation is the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// A slice of the source.
    One(Range<usize>),
    /// Several non-empty pieces in order, or a single piece with a literal.
    Many(Vec<UrlPiece>),
}

impl Pieces {
    /// Combines pieces: drops empty pieces, and merges adjacent pieces without literals.
    pub(crate) fn new<P: Into<UrlPiece>>(pieces: impl IntoIterator<Item = P>) -> Pieces {
        let pieces = pieces.into_iter();
        let mut merged: Vec<UrlPiece> = Vec::with_capacity(pieces.size_hint().0);
        for piece in pieces.map(P::into) {
            match merged.last_mut() {
                _ if piece.source.is_empty() => {}
                Some(UrlPiece { source, literal: None })
                    if piece.literal.is_none() && source.end == piece.source.start =>
                {
                    source.end = piece.source.end;
                }
                _ => merged.push(piece),
            }
        }
        match &merged[..] {
            [] => Pieces::One(0..0),
            [UrlPiece { source, literal: None }] => Pieces::One(source.clone()),
            _ => Pieces::Many(merged),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = UrlPiece> {
        let (one, many) = match self {
            Pieces::One(range) => (Some(range.clone().into()), &[][..]),
            Pieces::Many(pieces) => (None, &pieces[..]),
        };
        one.into_iter().chain(many.iter().cloned())
    }

    /// Returns the URL's bytes. They are borrowed if they are one slice of the source.
    #[inline(always)]
    pub(crate) fn bytes<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        match self {
            Pieces::One(range) => Cow::Borrowed(&text[range.clone()]),
            Pieces::Many(pieces) => Cow::Owned(concatenated(text, pieces)),
        }
    }

    /// Returns whether `byte` occurs in the URL.
    pub(crate) fn holds(&self, byte: u8, text: &[u8]) -> bool {
        let is_in = |bytes: &[u8]| memchr::memchr(byte, bytes).is_some();
        match self {
            Pieces::One(range) => is_in(&text[range.clone()]),
            Pieces::Many(pieces) => pieces.iter().any(|piece| is_in(piece.bytes(text))),
        }
    }

    pub(crate) fn same_text(&self, other: &Pieces, text: &[u8]) -> bool {
        self == other || self.len() == other.len() && self.bytes(text) == other.bytes(text)
    }

    fn len(&self) -> usize {
        match self {
            Pieces::One(range) => range.len(),
            Pieces::Many(pieces) => pieces.iter().map(UrlPiece::len).sum(),
        }
    }

    /// Cuts the URL of some pieces to its first `len` bytes.
    pub(crate) fn cut<P: Into<UrlPiece>>(pieces: impl IntoIterator<Item = P>, mut len: usize) -> Pieces {
        Pieces::new(pieces.into_iter().map(|piece| {
            let piece = piece.into().part(0..len);
            len -= piece.len().min(len);
            piece
        }))
    }

    /// Returns the URL with only those bytes whose entry in `kept` is true.
    pub(crate) fn retain(&self, kept: &[bool]) -> Pieces {
        let mut pieces: Vec<UrlPiece> = Vec::new();
        let mut rest = kept;
        for piece in self.iter() {
            let (of_piece, after) = rest.split_at(piece.len().min(rest.len()));
            let mut at = 0;
            for run in of_piece.chunk_by(|one, other| one == other) {
                if run[0] {
                    pieces.push(piece.part(at..at + run.len()));
                }
                at += run.len();
            }
            rest = after;
        }
        Pieces::new(pieces)
    }

    /// Returns the range of the source from the start of the first piece to the end of the last.
    pub(crate) fn source(&self) -> Range<usize> {
        match self {
            Pieces::One(range) => range.clone(),
            Pieces::Many(pieces) => pieces[0].source.start..pieces[pieces.len() - 1].source.end,
        }
    }

    /// Returns the same pieces, with `by` subtracted from every offset.
    pub(crate) fn shifted(&self, by: usize) -> Pieces {
        match self {
            Pieces::One(range) => Pieces::One(range.start - by..range.end - by),
            Pieces::Many(pieces) => Pieces::Many(pieces.iter().map(|piece| piece.clone().shifted(by)).collect()),
        }
    }
}

/// Returns the bytes of some pieces, one after the other.
#[inline(never)]
pub(crate) fn concatenated(text: &[u8], pieces: &[UrlPiece]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(pieces.iter().map(UrlPiece::len).sum());
    pieces.iter().for_each(|piece| bytes.extend_from_slice(piece.bytes(text)));
    bytes
}

/// A match, as offsets into the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawMatch {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    /// The text from which the URL was read covers more than one line.
    pub(crate) rejoined: bool,
    /// The URL seems to continue beyond the limits of B-JOIN.
    pub(crate) is_cut: bool,
    /// The URL is broken over lines, and one line can hold it. Set only on demand.
    pub(crate) is_healed: bool,
    /// The verdict on the first reading, if a rule needed it.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) first: Pieces,
    /// The bytes of the first reading, if they were already joined from several pieces.
    pub(crate) joined: Option<Vec<u8>>,
    /// The other readings, in order.
    pub(crate) others: Box<[Pieces]>,
    /// Set if the candidate is not a URL, because its host is a placeholder or defanged (B-NOHOST).
    pub(crate) refused: Option<RefusedHost>,
    /// The colon at which the match was found, if other readings may exist but were not made
    /// (`resolve::more_readings`).
    pub(crate) more: Option<usize>,
}

impl RawMatch {
    /// Returns a match with one reading.
    #[inline(always)]
    pub(crate) fn new(span: Range<usize>, kind: Kind, first: Pieces) -> RawMatch {
        let Range { start, end } = span;
        let (others, more) = (Box::default(), None);
        RawMatch {
            start,
            end,
            kind,
            rejoined: false,
            is_cut: false,
            is_healed: false,
            verdict: None,
            first,
            joined: None,
            others,
            refused: None,
            more,
        }
    }

    /// Returns the match with the bytes of its first reading, unless they are a slice of the
    /// source.
    pub(crate) fn with_bytes(self, bytes: Vec<u8>) -> RawMatch {
        RawMatch { joined: matches!(self.first, Pieces::Many(_)).then_some(bytes), ..self }
    }

    /// Converts a match in a copy of some lines to a match in the source. `source` converts a range
    /// within one line.
    pub(crate) fn of_source(self, source: impl Fn(Range<usize>) -> Range<usize>) -> RawMatch {
        let moved = |pieces: &Pieces| {
            Pieces::new(pieces.iter().map(|piece| UrlPiece { source: source(piece.source.clone()), ..piece }))
        };
        let (start, end) = (source(self.start..self.start).start, source(self.end - 1..self.end).end);
        let (first, others) = (moved(&self.first), self.others.iter().map(moved).collect());
        RawMatch { start, end, first, others, ..self }
    }

    pub(crate) fn readings(&self) -> impl Iterator<Item = &Pieces> {
        std::iter::once(&self.first).chain(self.others.iter())
    }

    /// Adds a reading, if its text is new, and the match has fewer than [`READINGS`] readings.
    pub(crate) fn add(&mut self, text: &[u8], reading: Pieces) {
        if self.readings().count() < READINGS && self.readings().all(|known| !known.same_text(&reading, text)) {
            let mut others = mem::take(&mut self.others).into_vec();
            others.push(reading);
            self.others = others.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(source: Range<usize>, byte: u8) -> UrlPiece {
        UrlPiece { source, literal: Some(Literal::from(char::from(byte))) }
    }

    #[test]
    fn pieces() {
        let text = b"mailto:joe at h.example";
        let masked =
            Pieces::new([(0..4).into(), (4..10).into(), (10..10).into(), literal(10..14, b'@'), (14..23).into()]);
        assert_eq!(*masked.bytes(text), *b"mailto:joe@h.example");
        assert_eq!((masked.iter().count(), masked.source(), masked.len()), (3, 0..23, 20));
        assert!(masked.same_text(&masked.shifted(0), text));
        for (len, expected, end) in [(9, "mailto:jo", 9), (10, "mailto:joe", 10), (11, "mailto:joe@", 14)] {
            let cut = Pieces::cut(masked.iter(), len);
            assert_eq!((&*cut.bytes(text), cut.source().end), (expected.as_bytes(), end));
        }
        assert_eq!(Pieces::new([2..4, 4..6]), Pieces::One(2..6));
        assert_eq!(Pieces::new(std::iter::once(2..2)), Pieces::One(0..0));
        assert_eq!(*Pieces::new([literal(6..7, b'&')]).bytes(text), *b"&");
        assert_eq!(masked.shifted(0).iter().last(), masked.iter().last());
        assert_eq!(size_of::<Pieces>(), 3 * size_of::<usize>());
    }
}

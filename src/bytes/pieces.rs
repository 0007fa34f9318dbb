//! A URL as pieces of a source: the short form of a source map, for one reading.

use std::borrow::Cow;
use std::ops::Range;

/// The bytes of the one character that a range of a source decodes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    bytes: [u8; 4],
    len: u8,
}

impl Literal {
    pub(crate) fn new(character: &[u8]) -> Literal {
        let mut bytes = [0; 4];
        let len = character.len().min(bytes.len());
        bytes[..len].copy_from_slice(&character[..len]);
        Literal { bytes, len: len as u8 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl From<char> for Literal {
    fn from(character: char) -> Literal {
        Literal::new(character.encode_utf8(&mut [0; 4]).as_bytes())
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

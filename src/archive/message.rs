//! What one message of mail or news consists of, for those who read its texts: the parts, where each comes from, and
//! the fields that identify the message.
//!
//! A message is its header and its body (RFC 5322 section 2.1), without what an archive puts between two of them. The
//! texts of a message cover all of it that is text: whatever could not be decoded is handed on as it lies, with a
//! [`Note`] that says why.

use std::borrow::Cow;
use std::ops::Range;

/// One text of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part<'m> {
    /// The number of the MIME part as IMAP counts them (RFC 9051 section 6.4.5): `"1.2"`. `None` in a header, and before
    /// and after the parts of an outermost multipart.
    pub(crate) number: Option<String>,
    pub(crate) form: Form,
    /// The name of the field whose decoded value this is. `None` in a header that lies in the message as it is, with
    /// all of its fields.
    pub(crate) header: Option<String>,
    /// `text/plain`, in lower case and without parameters; `None` in a header, and before and after the parts of a
    /// multipart.
    pub(crate) content_type: Option<String>,
    /// How the text was encoded; with a note that says that it could not be decoded, how it still is.
    pub(crate) encoding: Encoding,
    /// Where the text, or what it was decoded from, lies in the message.
    pub(crate) body: Range<usize>,
    /// What a reader sees. It borrows the bytes of the message at `body` where nothing had to be done to them; it is
    /// UTF-8 where it was decoded from a charset.
    pub(crate) text: Cow<'m, [u8]>,
    pub(crate) positions: Positions,
    /// What relative links are relative to, say the headers: each relative to the one before.
    pub(crate) bases: Vec<Vec<u8>>,
    /// What went wrong.
    pub(crate) note: Option<Note>,
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Fields of a header, or the value of one.
    Header,
    /// Lines for people.
    Plain,
    /// HTML or XHTML.
    Html,
    /// References alone, one a line: those of the links in a PDF.
    References,
    /// XML.
    Xml,
    /// Any other text: sources, enriched text, calendars, delivery reports, signatures.
    Other,
}

impl Form {
    /// Returns whether it has tags and a text between them: HTML, or XML.
    pub(crate) fn is_markup(self) -> bool {
        matches!(self, Form::Html | Form::Xml)
    }
}

/// How a text is encoded (RFC 2045 section 6), or that it was an encoded word (RFC 2047).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    SevenBit,
    EightBit,
    Binary,
    QuotedPrintable,
    Base64,
    Uuencode,
    YEnc,
    EncodedWord,
    /// In a web archive: content codings and chunks of HTTP.
    Http,
    /// Not encoded, but in a zip, a compressed file or a PDF.
    Unpacked,
    /// Not encoded, but a file in UTF-16, the low byte of each letter first.
    Utf16Le,
    /// The same, the high byte first.
    Utf16Be,
    /// A name that no standard knows.
    Unknown,
}

impl Encoding {
    /// The name as the standards write it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Encoding::SevenBit => "7bit",
            Encoding::EightBit => "8bit",
            Encoding::Binary => "binary",
            Encoding::QuotedPrintable => "quoted-printable",
            Encoding::Base64 => "base64",
            Encoding::Uuencode => "uuencode",
            Encoding::YEnc => "yenc",
            Encoding::EncodedWord => "encoded-word",
            Encoding::Http => "http",
            Encoding::Unpacked => "unpacked",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Unknown => "unknown",
        }
    }
}

/// A longer base of relative references is none, nor is a longer target of a record: each match would repeat it.
pub(crate) const BASE_BYTES: usize = 2048;

/// Why a text is not, or not wholly, what its author wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// No decoder for this Content-Transfer-Encoding: raw.
    UnknownEncoding,
    /// Lines that are no base64 stand in this base64 part. They are given out raw, as parts of their own, and so is a
    /// part that holds next to nothing else.
    BadBase64,
    /// No decoder for this charset: the bytes as they are after the transfer encoding.
    UnknownCharset,
    /// The bytes do not fit the charset that the header names. They are given out as they are where they are UTF-8, else
    /// each malformed sequence is a U+FFFD.
    WrongCharset,
    /// A multipart without a boundary, or whose boundary never comes: raw.
    NoBoundary,
    /// Parts nested too deep: raw from here on.
    TooDeep,
    /// A file within a text that is no text: it is left out.
    Binary,
    /// A picture, sound, film or a font: it is left out, for it holds names and no links.
    Media,
    /// S/MIME that holds no text that could be read: it is left out.
    Sealed,
    /// An attachment that is no text: it is searched as bytes.
    Attachment,
    /// A zip or a compressed file: searched as bytes, as it is not to be unpacked.
    Packed,
    /// A PDF: what its pages show is not read.
    PdfPages,
    /// A PDF that is encrypted, damaged or too long: not all of its links may be found.
    PdfNotWhole,
    /// What an attachment unpacks to is too long: the rest is not read.
    TooLong,
    /// An archive that is damaged or encrypted: not all of it is read.
    Damaged,
    /// A message that was sent in pieces, of which this is one: searched as it lies.
    Fragment,
    /// A body of a web archive whose content coding is unknown or damaged, or undone only up to a length.
    ContentCoding,
    /// A body of a web archive that is no text: searched as it lies.
    NoText,
    /// A `<base href>` or Content-Base of more than 2,048 bytes: relative links stay as they are.
    LongBase,
}

impl Note {
    pub(crate) const ALL: [Note; 19] = [
        Note::UnknownEncoding,
        Note::BadBase64,
        Note::UnknownCharset,
        Note::WrongCharset,
        Note::NoBoundary,
        Note::TooDeep,
        Note::Binary,
        Note::Media,
        Note::Sealed,
        Note::Attachment,
        Note::Packed,
        Note::PdfPages,
        Note::PdfNotWhole,
        Note::TooLong,
        Note::Damaged,
        Note::Fragment,
        Note::ContentCoding,
        Note::NoText,
        Note::LongBase,
    ];

    /// Returns whether a reader is to hear of it unasked: something may hold links that are not read.
    pub(crate) fn is_gap(self) -> bool {
        use Note::{Attachment, Damaged, Fragment, LongBase, Packed, PdfNotWhole, PdfPages, Sealed, TooLong};
        matches!(self, Sealed | Attachment | Packed | PdfPages | PdfNotWhole | TooLong | Damaged | Fragment | LongBase)
    }

    /// A few words for a report.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Note::UnknownEncoding => "unknown transfer encoding",
            Note::BadBase64 => "lines that are not base64",
            Note::UnknownCharset => "unknown charset",
            Note::WrongCharset => "bytes that do not fit the charset",
            Note::NoBoundary => "multipart without its boundary",
            Note::TooDeep => "nested too deep",
            Note::Binary => "file within a text that is no text",
            Note::Media => "picture, sound, film, font or signature, left out",
            Note::Sealed => "encrypted S/MIME",
            Note::Attachment => "attachment that is no text, searched as bytes",
            Note::Packed => "packed attachment, searched as bytes; --search-zip unpacks",
            Note::PdfPages => "PDF: links are read; `pdftotext -raw FILE -` prints the text of its pages",
            Note::PdfNotWhole => "PDF that is encrypted, damaged or too long: not all of its links may be read",
            Note::TooLong => "attachment of more than 32 MiB unpacked: the rest is not read",
            Note::Damaged => "damaged or encrypted archive",
            Note::Fragment => "piece of a message that was sent in several",
            Note::ContentCoding => "content coding that could not be undone",
            Note::NoText => "content that is no text",
            Note::LongBase => "base of more than 2,048 bytes: relative links stay as they are",
        }
    }
}

/// What the offsets of a text count in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OffsetBase {
    /// Bytes of the message: the text stands there undecoded.
    Source,
    /// Bytes of the decoded part in UTF-8: what stands in the message is its encoded form, or UTF-16.
    Decoded,
}

/// Where the bytes of a text lie.
///
/// Only the places where the text stops following its origin are recorded; a lookup is a binary search for the last of
/// them. A text that lies in the message in one piece has one segment in place, without allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Positions {
    pub(crate) base: OffsetBase,
    /// Where the first byte of the text lies.
    start: usize,
    /// Rising in both fields; from the start on, so that a text can lie anywhere in a message of any length.
    segments: Vec<OriginSegment>,
    /// The text lies there in UTF-16, and has no segments.
    letters: Option<Letters>,
}

/// Counts the units of UTF-16 that a text in UTF-8 stands for, up to each of its bytes.
///
/// The first byte of a letter stands for all of it, so that a text can be cut anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letters {
    /// Offset of the text in all that was decoded.
    base: u64,
    blocks: Vec<LetterBlock>,
    /// The units of the text.
    all: usize,
}

/// What is known of 64 bytes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LetterBlock {
    /// The units before them.
    before: u32,
    /// The bytes at which a letter begins.
    letters: u64,
    /// The bytes at which one of two units begins.
    pairs: u64,
}

/// Returns how many units of UTF-16 the byte of a text stands for.
fn units_of(byte: u8) -> usize {
    usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)
}

/// Returns how many units of UTF-16 a text in UTF-8 stands for, or a piece of one.
pub(crate) fn utf16_units(text: &[u8]) -> usize {
    text.iter().map(|&byte| units_of(byte)).sum()
}

impl Letters {
    fn of(text: &[u8], base: u64) -> Self {
        let mut before = 0;
        let block = |bytes: &[u8]| {
            let mut block = LetterBlock { before, ..LetterBlock::default() };
            for (at, &byte) in bytes.iter().enumerate() {
                let units = units_of(byte);
                block.letters |= u64::from(units > 0) << at;
                block.pairs |= u64::from(units > 1) << at;
            }
            before += block.letters.count_ones() + block.pairs.count_ones();
            block
        };
        let blocks = text.chunks(64).map(block).collect();
        Letters { base, blocks, all: before as usize }
    }

    /// Returns the units before a byte of the text.
    fn units(&self, at: usize) -> usize {
        let Some(&LetterBlock { before, letters, pairs }) = self.blocks.get(at / 64) else { return self.all };
        let mask = (1 << (at % 64)) - 1;
        before as usize + (letters & mask).count_ones() as usize + (pairs & mask).count_ones() as usize
    }
}

/// From here on a text follows its origin byte by byte.
///
/// In 32 bits, for hostile text has a segment for every three bytes; texts that are held are far shorter than that, and
/// decoding makes no more than three bytes of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OriginSegment {
    text: u32,
    origin: u32,
}

impl OriginSegment {
    pub(crate) fn new(text: usize, origin: usize) -> Self {
        debug_assert!(u32::try_from(text.max(origin)).is_ok(), "{text} and {origin} are beyond any message");
        OriginSegment { text: text as u32, origin: origin as u32 }
    }

    pub(crate) fn text(self) -> usize {
        self.text as usize
    }

    pub(crate) fn origin(self) -> usize {
        self.origin as usize
    }
}

impl Positions {
    /// A text that lies in the message in one piece.
    pub(crate) fn in_place(start: usize) -> Self {
        Positions { base: OffsetBase::Source, start, segments: Vec::new(), letters: None }
    }

    /// Returns those of a text that lies in UTF-16 from `start` on; it begins at offset `base` of all that was decoded.
    pub(crate) fn in_utf16(start: usize, text: &[u8], base: u64) -> Self {
        Positions { letters: Some(Letters::of(text, base)), ..Positions::in_place(start) }
    }

    /// Returns the offset of the text in all that was decoded, if it lies in the message in UTF-16.
    pub(crate) fn decoded_from_utf16(&self) -> Option<u64> {
        self.letters.as_ref().map(|letters| letters.base)
    }

    /// The text lies where it lies from its first byte to its last.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        self.segments.is_empty() && self.letters.is_none()
    }

    /// A text that does not stand in the message: its offsets are its own.
    pub(crate) fn decoded() -> Self {
        Positions { base: OffsetBase::Decoded, ..Positions::in_place(0) }
    }

    /// The same, `by` bytes further on in what its offsets count.
    pub(crate) fn shift(self, by: usize, base: OffsetBase) -> Self {
        Positions { base, start: self.start + by, ..self }
    }

    /// The positions of a text that was made from this one, and follows it as `segments` say; the first of them is that
    /// of the text's first byte.
    pub(crate) fn then(&self, segments: &[OriginSegment]) -> Self {
        // What is dropped at the front moves the start.
        let front = segments.iter().take_while(|segment| segment.text() == 0).last().map_or(0, |first| first.origin());
        let mut then = Positions { base: self.base, ..Positions::in_place(self.offset(front)) };
        let mut rest = self.segments.iter().peekable();
        for (index, &segment) in segments.iter().enumerate() {
            then.push(segment.text(), self.offset(segment.origin()));
            // Our own segments that begin inside this one hold inside it.
            let end = segments
                .get(index + 1)
                .map_or(usize::MAX, |next| next.origin().min(segment.origin() + (next.text() - segment.text())));
            while rest.next_if(|own| own.text() <= segment.origin()).is_some() {}
            while let Some(own) = rest.next_if(|own| own.text() < end) {
                then.push(segment.text() + (own.text() - segment.origin()), self.start + own.origin());
            }
        }
        then
    }

    /// As [`then`](Self::then), where this text lies in one piece and no two segments begin at the same place: they are kept,
    /// and nothing is allocated.
    pub(crate) fn in_pieces(self, mut segments: Vec<OriginSegment>) -> Self {
        debug_assert!(self.is_in_one_piece());
        let front = segments.iter().take_while(|segment| segment.text == 0).last().map_or(0, |first| first.origin);
        segments.retain_mut(|segment| {
            segment.origin = segment.origin.saturating_sub(front);
            segment.text > 0
        });
        Positions { start: self.start + front as usize, segments, ..self }
    }

    /// The segments, for another text.
    pub(crate) fn into_segments(self) -> Vec<OriginSegment> {
        self.segments
    }

    /// The same of a text that has these positions itself.
    pub(crate) fn within(&self, outer: &Positions) -> Self {
        let first = OriginSegment::new(0, self.offset(0));
        let rest = self.segments.iter().map(|own| OriginSegment::new(own.text(), self.start + own.origin()));
        outer.then(&std::iter::once(first).chain(rest).collect::<Vec<_>>())
    }

    fn push(&mut self, text: usize, origin: usize) {
        let segment = OriginSegment::new(text, origin.saturating_sub(self.start));
        match self.segments.last_mut() {
            _ if text == 0 => {}
            Some(last) if last.text() == text => *last = segment,
            _ => self.segments.push(segment),
        }
    }

    /// Where the byte at an offset of the text comes from: exact where the text is a copy, else not before the copy
    /// before it, nor after the one behind it.
    pub(crate) fn offset(&self, at: usize) -> usize {
        if let Some(letters) = &self.letters {
            return self.start + 2 * letters.units(at);
        }
        let after = self.segments.partition_point(|segment| segment.text() <= at);
        let from = match after.checked_sub(1) {
            Some(index) => self.segments[index],
            None => OriginSegment::new(0, 0),
        };
        let origin = from.origin() + (at - from.text());
        let origin = match self.segments.get(after) {
            // Where letters grew by decoding, the last of their bytes would reach into what follows.
            Some(next) if origin >= next.origin() => from.origin().max(next.origin().saturating_sub(1)),
            _ => origin,
        };
        self.start + origin
    }

    /// The origin of a stretch of the text, with what was dropped inside it.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.offset(range.start);
        match range.is_empty() {
            true => start..start,
            false if self.letters.is_some() => start..self.offset(range.end),
            false => start..self.offset(range.end - 1) + 1,
        }
    }
}

/// What identifies a message, as text for a report: encoded words undone, anything unknown `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The Message-ID without its angle brackets.
    pub id: Option<String>,
    /// `2002-10-05T23:56:00-07:00`; `Z` for Greenwich; without a zone if the message names none that is known, without a
    /// time if it names none.
    pub date: Option<String>,
    /// `Name <address>`, or one of the two.
    pub from: Option<String>,
    /// As text.
    pub subject: Option<String>,
    /// As the field has them.
    pub newsgroups: Option<String>,
    /// Where a record of a web archive was fetched from, in at most 2,048 bytes.
    pub url: Option<String>,
    /// As the field has it: of a message `Content-Language` (RFC 3282), of a record of a web archive
    /// `WARC-Identified-Content-Language`.
    pub language: Option<String>,
}

impl Envelope {
    /// The day that the date begins with: year, month, day.
    pub(crate) fn day(&self) -> Option<(u16, u8, u8)> {
        let mut numbers = self.date.as_deref()?.splitn(3, '-');
        let (year, month) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        Some((year, month, numbers.next()?.get(..2)?.parse().ok()?))
    }
}

impl<'m> Part<'m> {
    /// A piece of a message as it lies, of which no more is known.
    pub(crate) fn in_place(message: &'m [u8], body: Range<usize>, form: Form) -> Self {
        Part {
            number: None,
            form,
            header: None,
            content_type: None,
            encoding: Encoding::SevenBit,
            text: Cow::Borrowed(&message[body.clone()]),
            positions: Positions::in_place(body.start),
            body,
            bases: Vec::new(),
            note: None,
        }
    }
}

impl Part<'_> {
    /// The same, borrowing nothing.
    pub(crate) fn into_owned(self) -> Part<'static> {
        Part {
            number: self.number,
            form: self.form,
            header: self.header,
            content_type: self.content_type,
            encoding: self.encoding,
            body: self.body,
            text: Cow::Owned(self.text.into_owned()),
            positions: self.positions,
            bases: self.bases,
            note: self.note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(pairs: &[(usize, usize)]) -> Vec<OriginSegment> {
        pairs.iter().map(|&(text, origin)| OriginSegment::new(text, origin)).collect()
    }

    #[test]
    fn offsets_follow_the_segments() {
        // "abXdefg" at 100; "X" was dropped, and "f" grew to three bytes
        let positions = Positions::in_place(100).then(&segments(&[(0, 0), (2, 3), (7, 6)]));
        let offsets: Vec<_> = (0..8).map(|at| positions.offset(at)).collect();
        assert_eq!(offsets, [100, 101, 103, 104, 105, 105, 105, 106]);
        assert_eq!(positions.range(1..3), 101..104);
        assert_eq!(positions.range(2..2), 103..103);
        assert_eq!(Positions::in_place(7).range(1..3), 8..10);
        assert_eq!(Positions::decoded().offset(9), 9);
    }

    #[test]
    fn offsets_in_utf16_count_units() {
        for letters in [0, 1, 21, 22, 32, 40] {
            let text = "aé\u{1F600}".repeat(letters) + "b";
            for text in [text.as_bytes(), &text.as_bytes()[1..], &text.as_bytes()[..64.min(text.len())]] {
                let positions = Positions::in_utf16(2, text, 0);
                for at in 0..=text.len() {
                    assert_eq!(positions.offset(at), 2 + 2 * utf16_units(&text[..at]), "{letters} {at}");
                }
            }
        }
    }

    /// Against the plain definition: first the one map, then the other.
    #[test]
    fn maps_compose() {
        let mut rng = fastrand::Rng::with_seed(2822);
        for _ in 0..2_000 {
            let mut map = |length: usize| {
                let (mut text, mut origin, mut list) = (0, 0, Vec::new());
                while text < length {
                    list.push(OriginSegment::new(text, origin));
                    let step = rng.usize(1..6);
                    text += step;
                    origin += step + rng.usize(0..4);
                }
                list
            };
            let (inner, outer) = (map(60), map(20));
            let inner = Positions::in_place(1_000).then(&inner);
            assert_eq!(Positions::in_place(7).in_pieces(outer.clone()), Positions::in_place(7).then(&outer));
            let both = inner.then(&outer);
            let outer = Positions::in_place(0).then(&outer);
            for at in 0..20 {
                assert_eq!(both.offset(at), inner.offset(outer.offset(at)), "{at} {inner:?} {outer:?}");
            }
        }
    }
}

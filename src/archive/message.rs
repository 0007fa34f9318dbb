//! The contents of one message of mail or news: its parts, their origins, and the fields that
//! identify it.
//!
//! A message is its header and its body (RFC 5322 section 2.1), without the separators of an
//! archive. The texts of a message cover everything in it that is text. A text that could not be
//! decoded stays as it is, with a [`Note`] that states why.

use std::borrow::Cow;
use std::ops::Range;

/// One text of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part<'m> {
    /// The number of the MIME part, in the form of IMAP (RFC 9051 section 6.4.5): `"1.2"`. It is
    /// `None` for a header, and before and after the parts of an outermost multipart.
    pub(crate) number: Option<String>,
    pub(crate) form: Form,
    /// The name of the field, if the text is the value of a single field. It is `None` for any
    /// other text, such as undecoded fields of a header.
    pub(crate) header: Option<String>,
    /// The type, `text/plain`, in lower case and without parameters. It is `None` for a header, and
    /// before and after the parts of a multipart.
    pub(crate) content_type: Option<String>,
    /// The encoding from which the text was decoded. If a note states that decoding failed, the
    /// text still has this encoding.
    pub(crate) encoding: Encoding,
    /// The range of the message that holds the text, or its encoded form.
    pub(crate) body: Range<usize>,
    /// The text as a reader sees it. It borrows the bytes of the message at `body` if they need no
    /// change. It is UTF-8 if it was decoded from a charset.
    pub(crate) text: Cow<'m, [u8]>,
    pub(crate) positions: Positions,
    /// The bases of relative links, as the headers state them. Each base is relative to the
    /// previous one.
    pub(crate) bases: Vec<Vec<u8>>,
    /// The problem with the text, if there is one.
    pub(crate) note: Option<Note>,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The fields of a header, or the value of one field.
    Header,
    /// Plain text: lines that people read.
    Plain,
    /// HTML or XHTML.
    Html,
    /// Only references, one per line: the targets of the links in a PDF.
    References,
    /// XML.
    Xml,
    /// Any other text: sources, enriched text, calendars, delivery reports, signatures.
    Other,
}

impl Form {
    /// Returns whether the text is HTML or XML, with tags.
    pub(crate) fn is_markup(self) -> bool {
        matches!(self, Form::Html | Form::Xml)
    }
}

/// The encoding of a text (RFC 2045 section 6), or `EncodedWord` for an encoded word (RFC 2047).
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
    /// Content codings and chunks of HTTP, in a web archive.
    Http,
    /// Not encoded in the message, but packed in a zip, a compressed file or a PDF.
    Unpacked,
    /// Not encoded, but a file in UTF-16, with the low byte of each unit first.
    Utf16Le,
    /// Not encoded, but a file in UTF-16, with the high byte of each unit first.
    Utf16Be,
    /// An encoding whose name is not in any standard.
    Unknown,
}

impl Encoding {
    /// Returns the name as the standards write it.
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

/// The maximum length of a base of relative references, and of the target of a record. Longer ones
/// are ignored, because each match would repeat them.
pub(crate) const BASE_BYTES: usize = 2048;

/// The reason why a text may differ from what its author wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// There is no decoder for this Content-Transfer-Encoding, so the text is raw.
    UnknownEncoding,
    /// Some lines of this base64 part are not base64. They become raw parts of their own. If almost
    /// all of a part is not base64, the whole part is raw.
    BadBase64,
    /// There is no decoder for this charset. Only the transfer encoding of the text is decoded.
    UnknownCharset,
    /// The bytes do not fit the charset that the header names. They stay as they are if they are
    /// UTF-8. Otherwise each malformed sequence is a U+FFFD.
    WrongCharset,
    /// A multipart that names no boundary, or a boundary that never occurs. The text is raw.
    NoBoundary,
    /// Parts are nested too deep. The text is raw from here on.
    TooDeep,
    /// A file that is encoded within a text, but is not text itself. The file is not searched.
    Binary,
    /// A picture, sound, film, font or signature. It is not searched, because it holds names but no
    /// links.
    Media,
    /// An S/MIME part without readable text. It is not searched.
    Sealed,
    /// An encrypted message of OpenPGP. Only the text around it is read.
    Pgp,
    /// A `winmail.dat` of Outlook, which holds attachments. It is searched as bytes.
    Tnef,
    /// An attachment that is not text. It is searched as bytes.
    Attachment,
    /// A zip or a compressed file. It is searched as bytes, because unpacking is off, or it is
    /// nested too deep.
    Packed,
    /// A database of SQLite, which is not searched: no reader is set, or it is too long.
    Database,
    /// A database of SQLite that is damaged, or too large to be read whole.
    DatabaseNotWhole,
    /// A PDF. The text that its pages show is not read.
    PdfPages,
    /// A PDF that is encrypted. Its links are not found.
    PdfEncrypted,
    /// A PDF that is damaged or too long. Some of its links may not be found.
    PdfNotWhole,
    /// An attachment that is too long when unpacked. The rest is not read.
    TooLong,
    /// An archive that is damaged or encrypted. Not all of it is read.
    Damaged,
    /// A piece of a message that was sent in several pieces. It is searched as it is.
    Fragment,
    /// A body in a web archive with a content coding that is unknown, damaged, or decoded only in
    /// part.
    ContentCoding,
    /// A body in a web archive that is not text. It is searched as it is.
    NoText,
    /// A `<base href>` or Content-Base of more than 2,048 bytes. Relative links stay as they are.
    LongBase,
}

impl Note {
    pub(crate) const ALL: [Note; 24] = [
        Note::UnknownEncoding,
        Note::BadBase64,
        Note::UnknownCharset,
        Note::WrongCharset,
        Note::NoBoundary,
        Note::TooDeep,
        Note::Binary,
        Note::Media,
        Note::Sealed,
        Note::Pgp,
        Note::Tnef,
        Note::Attachment,
        Note::Packed,
        Note::Database,
        Note::DatabaseNotWhole,
        Note::PdfPages,
        Note::PdfEncrypted,
        Note::PdfNotWhole,
        Note::TooLong,
        Note::Damaged,
        Note::Fragment,
        Note::ContentCoding,
        Note::NoText,
        Note::LongBase,
    ];

    /// Returns whether a note is reported even if it is not requested, because links may be
    /// missing.
    pub(crate) fn is_gap(self) -> bool {
        match self {
            Note::Sealed | Note::Pgp | Note::Tnef | Note::Attachment | Note::Packed => true,
            Note::Damaged | Note::Fragment => true,
            Note::Database | Note::DatabaseNotWhole => true,
            Note::PdfPages | Note::PdfEncrypted | Note::PdfNotWhole => true,
            _ => matches!(self, Note::TooLong | Note::LongBase),
        }
    }

    /// Returns the note's text for a report.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Note::UnknownEncoding => "unknown transfer encoding",
            Note::BadBase64 => "lines that are not base64",
            Note::UnknownCharset => "unknown charset",
            Note::WrongCharset => "bytes that do not fit the charset",
            Note::NoBoundary => "multipart without its boundary",
            Note::TooDeep => "nested too deep",
            Note::Binary => "embedded file that is not text",
            Note::Media => "picture, sound, film, font or signature, not searched",
            Note::Sealed => "encrypted S/MIME, not read; `openssl cms -decrypt` decrypts it",
            Note::Pgp => "encrypted OpenPGP message, not read; `gpg --decrypt` decrypts it",
            Note::Tnef => "TNEF (winmail.dat), searched as bytes; `tnef` unpacks it",
            Note::Attachment => "attachment that is not text, searched as bytes",
            Note::Packed => "packed attachment, searched as bytes; --search-zip unpacks all but deep nesting",
            Note::Database => "SQLite database, not searched; --search-zip reads one of up to 12 MiB",
            Note::DatabaseNotWhole => "SQLite database that is damaged or too large: not all of it is read",
            Note::PdfPages => "PDF: links are read; `pdftotext -raw FILE -` prints the text of its pages",
            Note::PdfEncrypted => {
                "encrypted PDF, links not read; `qpdf --decrypt FILE OUT` opens one without a password"
            }
            Note::PdfNotWhole => "PDF that is damaged or too long: not all of its links may be read",
            Note::TooLong => "attachment of more than 32 MiB when unpacked: the rest is not read",
            Note::Damaged => "damaged or encrypted archive",
            Note::Fragment => "one piece of a message that was sent in several pieces",
            Note::ContentCoding => "content coding that could not be decoded",
            Note::NoText => "content that is not text",
            Note::LongBase => "base of more than 2,048 bytes: relative links are not resolved",
        }
    }
}

/// The bytes that the offsets of a text finally refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OffsetBase {
    /// Bytes of the message, which holds the text undecoded.
    Source,
    /// Bytes of the decoded part in UTF-8. The message holds its encoded form, or UTF-16.
    Decoded,
}

/// A map from the bytes of a text to their offsets in its origin.
///
/// Only the places where the text stops following its origin are recorded. A lookup is a binary
/// search for the last such place before a byte. A text that lies in the message in one piece needs
/// no segments and no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Positions {
    pub(crate) base: OffsetBase,
    /// The offset of the first byte of the text.
    start: usize,
    /// The later segments, ascending in both offsets. Their origins are relative to `start`, so
    /// that a text can lie anywhere in a message of any length.
    segments: Vec<OriginSegment>,
    /// The unit counts of a text that the message holds in UTF-16. Such a text has no segments.
    letters: Option<Letters>,
}

/// The number of UTF-16 units before each byte of a text in UTF-8.
///
/// The first byte of a letter stands for the whole letter, so that a text can be cut anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letters {
    /// The offset of the text in all that was decoded.
    base: u64,
    blocks: Vec<LetterBlock>,
    /// The number of units of the whole text.
    all: usize,
}

/// The units of a block of 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LetterBlock {
    /// The number of units before the block.
    before: u32,
    /// The bytes at which a letter begins, as bits.
    letters: u64,
    /// The bytes at which a letter of two units begins, as bits.
    pairs: u64,
}

/// Returns how many UTF-16 units this byte of a text stands for.
fn units_of(byte: u8) -> usize {
    // A continuation byte stands for no unit. A letter of four bytes is a surrogate pair.
    usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)
}

/// Returns how many UTF-16 units a text in UTF-8, or a piece of it, stands for.
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

    /// Returns the number of units before a byte of the text.
    fn units(&self, at: usize) -> usize {
        let Some(&LetterBlock { before, letters, pairs }) = self.blocks.get(at / 64) else { return self.all };
        let mask = (1 << (at % 64)) - 1;
        before as usize + (letters & mask).count_ones() as usize + (pairs & mask).count_ones() as usize
    }
}

/// A point from which a text follows its origin byte by byte.
///
/// Its offsets have 32 bits to save memory, because hostile text has a segment for every three
/// bytes. Texts in memory are far shorter than 4 GiB. Decoding makes at most three bytes from one
/// input byte.
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
    /// Returns the positions of a text that lies in the message in one piece.
    pub(crate) fn in_place(start: usize) -> Self {
        Positions { base: OffsetBase::Source, start, segments: Vec::new(), letters: None }
    }

    /// Returns the positions of a text that the message holds in UTF-16 from `start` on. The text
    /// begins at offset `base` of all that was decoded.
    pub(crate) fn in_utf16(start: usize, text: &[u8], base: u64) -> Self {
        Positions { letters: Some(Letters::of(text, base)), ..Positions::in_place(start) }
    }

    /// Returns the offset of the text in all that was decoded, if the message holds it in UTF-16.
    pub(crate) fn decoded_from_utf16(&self) -> Option<u64> {
        self.letters.as_ref().map(|letters| letters.base)
    }

    /// Returns whether the text follows the message from its first byte to its last.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        self.segments.is_empty() && self.letters.is_none()
    }

    /// Returns the positions of a text that is not in the message. Its offsets are relative to
    /// itself.
    pub(crate) fn decoded() -> Self {
        Positions { base: OffsetBase::Decoded, ..Positions::in_place(0) }
    }

    /// Returns these positions moved by `by` bytes, with this base.
    pub(crate) fn shift(self, by: usize, base: OffsetBase) -> Self {
        Positions { base, start: self.start + by, ..self }
    }

    /// Returns the positions of a text that was made from this text. `segments` map the new text to
    /// this text. The first segment must begin at the first byte.
    pub(crate) fn then(&self, segments: &[OriginSegment]) -> Self {
        // Bytes removed at the front move the start.
        let front = segments.iter().take_while(|segment| segment.text() == 0).last().map_or(0, |first| first.origin());
        let mut then = Positions { base: self.base, ..Positions::in_place(self.offset(front)) };
        let mut rest = self.segments.iter().peekable();
        for (index, &segment) in segments.iter().enumerate() {
            then.push(segment.text(), self.offset(segment.origin()));
            // This text's own segments that begin inside the new segment also apply there.
            let end = segments
                .get(index + 1)
                .map_or(usize::MAX, |next| next.origin().min(segment.origin() + (next.text() - segment.text())));
            // The call of `offset` above already includes own segments up to the start of this
            // segment.
            while rest.next_if(|own| own.text() <= segment.origin()).is_some() {}
            while let Some(own) = rest.next_if(|own| own.text() < end) {
                then.push(segment.text() + (own.text() - segment.origin()), self.start + own.origin());
            }
        }
        then
    }

    /// Composes like [`then`](Self::then), but reuses the vector of segments, so that nothing is
    /// allocated.
    ///
    /// This text must lie in one piece, and no two segments may begin at the same place.
    pub(crate) fn in_pieces(self, mut segments: Vec<OriginSegment>) -> Self {
        debug_assert!(self.is_in_one_piece());
        let front = segments.iter().take_while(|segment| segment.text == 0).last().map_or(0, |first| first.origin);
        segments.retain_mut(|segment| {
            segment.origin = segment.origin.saturating_sub(front);
            segment.text > 0
        });
        Positions { start: self.start + front as usize, segments, ..self }
    }

    /// Returns the segments, so that another text can reuse their memory.
    pub(crate) fn into_segments(self) -> Vec<OriginSegment> {
        self.segments
    }

    /// Returns the positions of this text in the message. `outer` has the positions of the text
    /// from which this text was made.
    pub(crate) fn within(&self, outer: &Positions) -> Self {
        let first = OriginSegment::new(0, self.offset(0));
        let rest = self.segments.iter().map(|own| OriginSegment::new(own.text(), self.start + own.origin()));
        outer.then(&std::iter::once(first).chain(rest).collect::<Vec<_>>())
    }

    fn push(&mut self, text: usize, origin: usize) {
        let segment = OriginSegment::new(text, origin.saturating_sub(self.start));
        match self.segments.last_mut() {
            // The field `start` stands for the segment at 0.
            _ if text == 0 => {}
            Some(last) if last.text() == text => *last = segment,
            _ => self.segments.push(segment),
        }
    }

    /// Returns the offset in the origin of the byte at `at` in the text.
    ///
    /// The result is exact if the byte was copied. Otherwise the result lies between the copies
    /// before and after the byte.
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
            // A letter can grow when it is decoded. Then its last bytes would get the offsets of
            // the next bytes.
            Some(next) if origin >= next.origin() => from.origin().max(next.origin().saturating_sub(1)),
            _ => origin,
        };
        self.start + origin
    }

    /// Returns the origin of a stretch of the text, including bytes that were removed inside it.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.offset(range.start);
        match range.is_empty() {
            true => start..start,
            false if self.letters.is_some() => start..self.offset(range.end),
            // The end directly follows the last byte, so bytes removed after the stretch are
            // excluded.
            false => start..self.offset(range.end - 1) + 1,
        }
    }
}

/// The fields that identify a message, as text for a report. Encoded words are decoded. Anything
/// unknown is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The Message-ID without its angle brackets.
    pub id: Option<String>,
    /// The date, as `2002-10-05T23:56:00-07:00`, or with `Z` for Greenwich. It has a zone or a time
    /// only if the message has one that is recognised.
    pub date: Option<String>,
    /// The sender: `Name <address>`, or only the name or the address.
    pub from: Option<String>,
    /// The subject as text.
    pub subject: Option<String>,
    /// The newsgroups, as their field lists them.
    pub newsgroups: Option<String>,
    /// The URL that a record of a web archive was fetched from. It has at most 2,048 bytes.
    pub url: Option<String>,
    /// The language, as its field states it. The field is `Content-Language` in a message (RFC
    /// 3282). It is `WARC-Identified-Content-Language` in a record of a web archive.
    pub language: Option<String>,
}

impl Envelope {
    /// Returns the day that the date begins with: year, month, day.
    pub(crate) fn day(&self) -> Option<(u16, u8, u8)> {
        let mut numbers = self.date.as_deref()?.splitn(3, '-');
        let (year, month) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        Some((year, month, numbers.next()?.get(..2)?.parse().ok()?))
    }
}

impl<'m> Part<'m> {
    /// Returns a piece of a message as it is, described only by its form.
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
    /// Returns a copy that borrows nothing.
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

/// Asserts that each byte of a decoded text stands at its place in the source. If a byte was
/// written as an escape, the `escape` stands there.
#[cfg(test)]
pub(super) fn assert_places(source: &[u8], decoded: &[u8], segments: &[OriginSegment], escape: Option<u8>) {
    let positions = Positions::in_place(0).then(segments);
    for (at, byte) in decoded.iter().enumerate() {
        let written = source[positions.offset(at)];
        assert!(written == *byte || Some(written) == escape, "{} at {at}", source.escape_ascii());
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

    /// Checks against the plain definition: apply one map, then the other.
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

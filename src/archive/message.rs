//! The contents of one message of mail or news: its parts, their origins, and the fields that
//! identify it.
//!
//! A message is its header and its body (RFC 5322 section 2.1), without the separators of an
//! archive. The texts of a message cover everything in it that is text. A text that could not be
//! decoded stays as it is, with a [`Note`] that states why.

use std::borrow::Cow;
use std::ops::Range;

use crate::archive::encoding::Encoding;
use crate::archive::text_source::TextSource;

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
    /// The path of the file within a packed attachment, if the text is from there.
    pub(crate) member: Option<String>,
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
    /// The way from the text back to the message.
    pub(crate) source: TextSource<'m>,
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
            member: None,
            content_type: None,
            encoding: Encoding::SevenBit,
            text: Cow::Borrowed(&message[body.clone()]),
            source: TextSource::in_place(body.start),
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
            member: self.member,
            content_type: self.content_type,
            encoding: self.encoding,
            body: self.body,
            text: Cow::Owned(self.text.into_owned()),
            source: self.source.into_owned(),
            bases: self.bases,
            note: self.note,
        }
    }
}

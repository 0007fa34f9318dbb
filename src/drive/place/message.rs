//! The current message, whose header is read on demand; or a page, which has no header. A page here
//! is any file that is one document: HTML, XML, PDF, a calendar or UTF-16.

use std::sync::{Arc, OnceLock};

use crate::archive::header;
use crate::archive::html::PageMessages;
use crate::archive::message::{Envelope, Form, Part};
use crate::archive::mime;
use crate::archive::warc;

/// The current message, or a page.
#[derive(Debug)]
pub(crate) struct CurrentMessage<'m> {
    pub(crate) bytes: &'m [u8],
    /// The text whose header is parsed. It is the restored message if a program had changed the
    /// whole message.
    header: &'m [u8],
    /// Offset of the bytes in the archive.
    pub(crate) base: u64,
    /// Offset in the archive of the separator, or of a message without a separator.
    pub(crate) offset: u64,
    pub(crate) number: Option<u64>,
    envelope: OnceLock<Arc<Envelope>>,
    #[cfg(feature = "audit")]
    recipients: OnceLock<Vec<String>>,
    day: OnceLock<Option<(u16, u8, u8)>>,
    /// The message was not parsed into parts, because it needs no decoding.
    pub(super) is_plain: bool,
    /// This is not a message, but a page.
    pub(super) is_page: bool,
    /// This is a record of a web archive.
    pub(crate) is_record: bool,
    /// Only the header is in memory, because the message or page is too long to hold.
    pub(super) is_header_only: bool,
    body: OnceLock<PartHeader>,
    /// The messages that a page shows.
    shown: OnceLock<PageMessages>,
}

/// The facts of a place that come from the header of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct PartHeader {
    pub(super) number: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) encoding: Option<&'static str>,
}

impl PartHeader {
    pub(super) fn of(part: &Part<'_>) -> PartHeader {
        PartHeader {
            number: part.number.clone(),
            content_type: part.content_type.clone(),
            encoding: Some(part.encoding.as_str()),
        }
    }
}

impl<'m> CurrentMessage<'m> {
    pub(crate) fn new(
        bytes: &'m [u8],
        base: u64,
        offset: u64,
        number: Option<u64>,
        is_plain: bool,
    ) -> CurrentMessage<'m> {
        CurrentMessage {
            bytes,
            header: bytes,
            base,
            offset,
            number,
            envelope: OnceLock::new(),
            #[cfg(feature = "audit")]
            recipients: OnceLock::new(),
            day: OnceLock::new(),
            is_plain,
            is_page: false,
            is_record: false,
            is_header_only: false,
            body: OnceLock::new(),
            shown: OnceLock::new(),
        }
    }

    /// Returns a page, which belongs to no message.
    pub(crate) fn page(bytes: &'m [u8]) -> CurrentMessage<'m> {
        CurrentMessage { is_page: true, ..CurrentMessage::new(bytes, 0, 0, None, false) }
    }

    /// Returns this message with a header from another text, such as a restored one.
    pub(crate) fn with_header(self, header: &'m [u8]) -> CurrentMessage<'m> {
        CurrentMessage { header, ..self }
    }

    /// Returns this message as a record of a web archive.
    pub(crate) fn record(self) -> CurrentMessage<'m> {
        CurrentMessage { is_record: true, ..self }
    }

    /// Returns this message as one that is not all in memory.
    pub(crate) fn header_only(self) -> CurrentMessage<'m> {
        CurrentMessage { is_header_only: true, ..self }
    }

    /// Returns the facts about the body of a message that was not parsed into parts.
    pub(super) fn body(&self) -> &PartHeader {
        self.body.get_or_init(|| {
            let body = mime::parts(self.header).find(|part| part.form != Form::Header);
            body.map_or_else(PartHeader::default, |body| PartHeader::of(&body))
        })
    }

    pub(super) fn day(&self) -> Option<(u16, u8, u8)> {
        *self.day.get_or_init(|| if self.is_record { self.envelope().day() } else { header::day(self.header) })
    }

    /// Returns the addresses of the message's recipients.
    #[cfg(feature = "audit")]
    pub(crate) fn recipients(&self) -> &[String] {
        self.recipients.get_or_init(|| if self.is_record { Vec::new() } else { header::recipients(self.header) })
    }

    /// Returns the envelope that an archiver's page shows of the message around an offset. `page`
    /// is the page's text.
    pub(super) fn shown(&self, page: &[u8], at: usize) -> Option<&Arc<Envelope>> {
        let read = || if self.is_header_only { PageMessages::default() } else { PageMessages::of(page) };
        self.shown.get_or_init(read).around(at)
    }

    pub(super) fn envelope(&self) -> &Arc<Envelope> {
        self.envelope.get_or_init(|| {
            Arc::new(if self.is_record { warc::envelope(self.bytes) } else { header::envelope(self.header) })
        })
    }
}

/// The facts about a match's place in its message that the search has ready. A
/// [`Place`](super::Place) has more, and costs more.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use urlgrep::{Extractor, Match, Sink, archive::Container};
///
/// #[derive(Default)]
/// struct Days(Vec<Option<(u16, u8, u8)>>);
///
/// impl Sink for Days {
///     fn add(&mut self, found: &Match<'_>) {
///         self.0.extend(found.brief().map(|brief| brief.day()));
///     }
/// }
///
/// # fn main() -> std::io::Result<()> {
/// let mail = &b"From: joe@a.example\nDate: Sat, 3 Jan 1996 01:05:34 +0000\n\nsee http://a.example/\n"[..];
/// Extractor::new().documents(mail, Container::Message, 0..u64::MAX, Days::default, |days| {
///     assert_eq!(days.0, [Some((1996, 1, 3))]);
///     Ok(ControlFlow::Continue(()))
/// })?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Brief<'m> {
    /// Number of the message in its archive, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it. 0 in a
    /// page.
    pub offset: u64,
    /// Offset, in the part's text, of the header of an enclosed message that holds the match.
    /// `None` if no enclosed message holds it.
    pub inner: Option<usize>,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header and in a page.
    pub part: Option<&'m str>,
    /// Encoding of the part, if the archive spells the text otherwise. The match's span counts bytes
    /// of the archive, except in `unpacked` and `http`.
    pub encoding: Option<&'static str>,
    pub(super) message: &'m CurrentMessage<'m>,
    /// The envelope of the message that the text encloses, or that an archiver's page shows.
    pub(super) inner_envelope: Option<&'m Arc<Envelope>>,
}

impl<'m> Brief<'m> {
    /// Returns the header of the message, of a message enclosed as text, or of one that a page
    /// shows. Parsing it costs some microseconds, once per message.
    ///
    /// # RFC
    ///
    /// RFC 5322 section 3.6; RFC 1036 section 2.
    pub fn envelope(&self) -> &'m Arc<Envelope> {
        self.inner_envelope.unwrap_or_else(|| self.message.envelope())
    }

    /// Returns the day of the message's date: year, month from 1, day from 1. This costs a tenth of
    /// the [`envelope`](Self::envelope).
    pub fn day(&self) -> Option<(u16, u8, u8)> {
        self.inner_envelope.map_or_else(|| self.message.day(), |envelope| envelope.day())
    }
}

//! The current message, whose header is read on demand; or a page, which has none.

use std::sync::{Arc, OnceLock};

use crate::archive::header;
use crate::archive::html::PageMessages;
use crate::archive::message::{Envelope, Form, Part};
use crate::archive::mime;
use crate::archive::warc;

/// The message at hand.
#[derive(Debug)]
pub(crate) struct CurrentMessage<'m> {
    pub(crate) bytes: &'m [u8],
    /// Its header as it is read: restored, if something had changed all of it.
    header: &'m [u8],
    /// Offset of the bytes in the archive.
    pub(crate) base: u64,
    /// Offset of the separator.
    pub(crate) offset: u64,
    pub(crate) number: Option<u64>,
    envelope: OnceLock<Arc<Envelope>>,
    #[cfg(feature = "audit")]
    recipients: OnceLock<Vec<String>>,
    day: OnceLock<Option<(u16, u8, u8)>>,
    /// It was not parsed into parts, for it needs no decoding.
    pub(super) is_plain: bool,
    /// It is none, but a page of HTML.
    pub(super) is_page: bool,
    /// It is a record of a web archive.
    pub(crate) is_record: bool,
    /// Only the header is in memory, for the message or page is too long to be held.
    pub(super) is_header_only: bool,
    body: OnceLock<PartHeader>,
    /// Those that a page shows.
    shown: OnceLock<PageMessages>,
}

/// The facts in the header of a part.
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

    /// Returns a page of HTML, which is searched as a part of no message.
    pub(crate) fn page(bytes: &'m [u8]) -> CurrentMessage<'m> {
        CurrentMessage { is_page: true, ..CurrentMessage::new(bytes, 0, 0, None, false) }
    }

    /// Returns this message with a header that is read in another text than it lies in.
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

    /// Returns the body of a message that was not parsed into parts.
    pub(super) fn body(&self) -> &PartHeader {
        self.body.get_or_init(|| {
            let body = mime::parts(self.header).find(|part| part.form != Form::Header);
            body.map_or_else(PartHeader::default, |body| PartHeader::of(&body))
        })
    }

    pub(super) fn day(&self) -> Option<(u16, u8, u8)> {
        *self.day.get_or_init(|| if self.is_record { self.envelope().day() } else { header::day(self.header) })
    }

    /// Returns the addresses of its readers.
    #[cfg(feature = "audit")]
    pub(crate) fn recipients(&self) -> &[String] {
        self.recipients.get_or_init(|| if self.is_record { Vec::new() } else { header::recipients(self.header) })
    }

    /// Returns what an archiver prints of the message around an offset of a page, whose text is at
    /// hand.
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

/// The place of a match in its message, as far as the search has it at hand. A
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
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// Offset in the part's text of the header of the message that the text encloses here; `None`
    /// where the message is the one of the archive.
    pub inner: Option<usize>,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header.
    pub part: Option<&'m str>,
    /// Transfer encoding of the part, where the match's span counts bytes of the decoded part;
    /// `None` where it counts bytes of the archive.
    pub encoding: Option<&'static str>,
    pub(super) message: &'m CurrentMessage<'m>,
    /// The envelope of the message that the text encloses.
    pub(super) inner_envelope: Option<&'m Arc<Envelope>>,
}

impl<'m> Brief<'m> {
    /// Returns the header of the message, or of the one that it encloses as text. Parsing costs
    /// some microseconds, once for each message.
    ///
    /// # RFC
    ///
    /// RFC 5322 section 3.6; RFC 1036 section 2.
    pub fn envelope(&self) -> &'m Arc<Envelope> {
        self.inner_envelope.unwrap_or_else(|| self.message.envelope())
    }

    /// Returns the day of its date: year, month from 1, day from 1. It costs a tenth of the
    /// [`envelope`](Self::envelope).
    pub fn day(&self) -> Option<(u16, u8, u8)> {
        self.inner_envelope.map_or_else(|| self.message.day(), |envelope| envelope.day())
    }
}

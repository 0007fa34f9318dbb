//! The message at hand, whose header is read when it is asked for; or a page, which has none.

use std::sync::{Arc, OnceLock};

use crate::archive::header;
use crate::archive::message::{Envelope, Form, Part};
use crate::archive::mime;

/// The message at hand.
#[derive(Debug)]
pub(crate) struct CurrentMessage<'m> {
    pub(crate) bytes: &'m [u8],
    /// Offset of the bytes in the archive.
    pub(crate) base: u64,
    /// Offset of the separator.
    pub(crate) offset: u64,
    pub(crate) number: Option<u64>,
    envelope: OnceLock<Arc<Envelope>>,
    #[cfg(feature = "cli")]
    day: OnceLock<Option<(u16, u8, u8)>>,
    /// It was not taken apart, for it needs no decoding.
    pub(super) is_plain: bool,
    /// It is none, but a page of HTML.
    pub(super) is_page: bool,
    /// Of a message that is too long to be held, or such a page, only the header is at hand.
    pub(super) is_header_only: bool,
    body: OnceLock<PartHeader>,
}

/// What its header says of a part.
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
            base,
            offset,
            number,
            envelope: OnceLock::new(),
            #[cfg(feature = "cli")]
            day: OnceLock::new(),
            is_plain,
            is_page: false,
            is_header_only: false,
            body: OnceLock::new(),
        }
    }

    /// A page of HTML, which is searched as a part of no message.
    pub(crate) fn page(bytes: &'m [u8]) -> CurrentMessage<'m> {
        CurrentMessage { is_page: true, ..CurrentMessage::new(bytes, 0, 0, None, false) }
    }

    /// The same, of which not all is at hand.
    pub(crate) fn header_only(self) -> CurrentMessage<'m> {
        CurrentMessage { is_header_only: true, ..self }
    }

    /// The body of a message that was not taken apart.
    pub(super) fn body(&self) -> &PartHeader {
        self.body.get_or_init(|| {
            let body = mime::parts(self.bytes).find(|part| part.form != Form::Header);
            body.map_or_else(PartHeader::default, |body| PartHeader::of(&body))
        })
    }

    #[cfg(feature = "cli")]
    pub(super) fn day(&self) -> Option<(u16, u8, u8)> {
        *self.day.get_or_init(|| header::day(self.bytes))
    }

    pub(super) fn envelope(&self) -> &Arc<Envelope> {
        self.envelope.get_or_init(|| Arc::new(header::envelope(self.bytes)))
    }
}

/// What is known of where a match stands in an archive without slowing the search down. A [`Place`](super::Place) has more.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief<'m> {
    /// Which message of the archive it is, from 1.
    pub(crate) number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub(crate) offset: u64,
    /// Offset in the part's text of the header of the message that the text encloses here; `None` where the message is the
    /// one of the archive.
    pub(crate) inner: Option<usize>,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header.
    pub(crate) part: Option<&'m str>,
    /// How the part is encoded, where the match's span is that of the decoded part; `None` where it is that of the archive.
    pub(crate) encoding: Option<&'static str>,
    pub(super) message: &'m CurrentMessage<'m>,
    /// Of the message that the text encloses.
    pub(super) inner_envelope: Option<&'m Arc<Envelope>>,
}

#[cfg(feature = "cli")]
impl<'m> Brief<'m> {
    /// The message, or the one that it encloses as text. Reading it takes some microseconds, once for each message.
    pub(crate) fn envelope(&self) -> &'m Arc<Envelope> {
        self.inner_envelope.unwrap_or_else(|| self.message.envelope())
    }

    /// The day that its date begins with: year, month, day. That of the message itself costs a tenth of the envelope.
    pub(crate) fn day(&self) -> Option<(u16, u8, u8)> {
        self.inner_envelope.map_or_else(|| self.message.day(), |envelope| envelope.day())
    }
}

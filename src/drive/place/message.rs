//! The message at hand, whose header is read when somebody asks.

use std::sync::{Arc, OnceLock};

use crate::archive::message::{Envelope, Form, Message as _, Part};
use crate::archive::mime::Mail;

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
    #[cfg(feature = "audit")]
    day: OnceLock<Option<(u16, u8, u8)>>,
    /// It was not taken apart, for it needs no decoding.
    pub(super) is_plain: bool,
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
            #[cfg(feature = "audit")]
            day: OnceLock::new(),
            is_plain,
            body: OnceLock::new(),
        }
    }

    /// The body of a message that was not taken apart.
    pub(super) fn body(&self) -> &PartHeader {
        self.body.get_or_init(|| {
            let body = Mail::new(self.bytes).parts().find(|part| part.form != Form::Header);
            body.map_or_else(PartHeader::default, |body| PartHeader::of(&body))
        })
    }

    #[cfg(feature = "audit")]
    pub(super) fn day(&self) -> Option<(u16, u8, u8)> {
        *self.day.get_or_init(|| Mail::new(self.bytes).day())
    }

    pub(super) fn envelope(&self) -> &Arc<Envelope> {
        self.envelope.get_or_init(|| Arc::new(Mail::new(self.bytes).envelope()))
    }
}

//! What an audit asks of every match's place.

use std::sync::Arc;

use crate::archive::message::Envelope;
use crate::drive::place::message::CurrentMessage;

/// What is known of where a match stands in an archive without slowing the search down. A [`Place`](super::Place) has more.
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
    pub(super) envelope_of: EnvelopeOf<'m>,
}

/// Where the envelope is.
#[derive(Clone, Copy, Debug)]
pub(super) enum EnvelopeOf<'m> {
    Message(&'m CurrentMessage<'m>),
    Inner(&'m Arc<Envelope>),
}

impl<'m> Brief<'m> {
    /// The message, or the one that it encloses as text. Reading it takes some microseconds, once for each message.
    pub(crate) fn envelope(&self) -> &'m Arc<Envelope> {
        match self.envelope_of {
            EnvelopeOf::Message(message) => message.envelope(),
            EnvelopeOf::Inner(envelope) => envelope,
        }
    }

    /// The day that its date begins with: year, month, day. That of the message itself costs a tenth of the envelope.
    pub(crate) fn day(&self) -> Option<(u16, u8, u8)> {
        match self.envelope_of {
            EnvelopeOf::Message(message) => message.day(),
            EnvelopeOf::Inner(envelope) => envelope.day(),
        }
    }
}

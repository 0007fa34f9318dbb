//! The record of a web address that stands in the text as it is. Its values are those of [`MatchRecord`](super::MatchRecord);
//! but nearly all that decides what they are is known when this is compiled, and they are made where they are asked for.

use super::fields::RecordKey;
use super::{AsParts, Facts, PartSink, RecordObject, RecordValue, error_part, generic_parts};
use crate::drive::AsciiMatch;
use crate::url::WebAddress;

/// A web address and its file.
pub(crate) struct WebRecord<'m> {
    facts: Facts<'m>,
    address: WebAddress<'m>,
}

impl<'m> WebRecord<'m> {
    /// The record of a match, if its URL is such a one.
    #[inline(always)]
    pub(crate) fn of(file: &'m [u8], found: &AsciiMatch<'m>) -> Option<Self> {
        let AsciiMatch { text, options, .. } = *found;
        let address = WebAddress::of_fit(text, found.url().len(), options.parse, options.backend)?;
        Some(WebRecord { facts: Facts::of_ascii(file, found), address })
    }

    /// The value of a key that has no parts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn value(&self, key: RecordKey) -> RecordValue<'m> {
        match key {
            RecordKey::Scheme => RecordValue::Piece(self.address.scheme()),
            RecordKey::Host => RecordValue::Piece(self.address.host()),
            key => self.facts.value(key),
        }
    }

    /// A part of the error by its name.
    #[inline(always)]
    pub(crate) fn error_part(&self, name: &str) -> RecordValue<'m> {
        match self.facts.verdict.error {
            Some(error) => error_part(error, name),
            None => RecordValue::Absent,
        }
    }

    #[inline(always)]
    pub(crate) fn error(&self) -> Option<RecordObject<'m>> {
        self.facts.verdict.error.map(RecordObject::Error)
    }

    /// It has components by RFC 1738.
    #[inline(always)]
    pub(crate) fn has_parts(&self) -> bool {
        self.facts.is_rfc1738()
    }

    /// These.
    #[inline(always)]
    pub(crate) fn each_part<S: PartSink<'m>>(&self, sink: S) -> S {
        self.address.url().each_web_component(AsParts(sink)).0
    }

    /// The components by RFC 3986.
    #[inline(always)]
    pub(crate) fn each_generic_part<S: PartSink<'m>>(&self, sink: S) -> S {
        generic_parts(&self.address.generic(), sink)
    }
}

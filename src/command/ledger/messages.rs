//! The messages that hold URLs: their identities, and what a report shows of them.

use std::num::NonZeroU32;

use bstr::ByteSlice;

use super::index::{FileId, HeaderId};
use crate::command::model::InMessage;
use crate::command::sheet::SightedMessage;

/// The longest text of a header to keep, in bytes. Longer texts are cut.
const LONGEST_TEXT: usize = 1000;

/// A message, numbered in the order of appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MessageId(NonZeroU32);

/// The messages with URLs. Headers are kept only if a report may show them.
#[derive(Debug, Default)]
pub(super) struct MessageTable {
    headers: Vec<Header>,
    text: Vec<u8>,
    last: Option<MessageId>,
    /// The message of the last place.
    current: Option<Current>,
    /// The last message that no other message encloses: its position, and its id.
    outer: Option<((FileId, u64), MessageId)>,
}

#[derive(Debug)]
struct Current {
    /// The file, the offset, and the offset of the header in the text that encloses it.
    at: (FileId, u64, Option<usize>),
    id: MessageId,
    /// The kept header, with the header of the current part.
    header: Option<HeaderId>,
}

/// The kept header of a message, with the header of a part.
#[derive(Debug)]
struct Header {
    offset: u64,
    /// The message's number; 0 if it has none.
    number: u64,
    text: u64,
    /// The lengths of id, date, from, subject, newsgroups, URL, part and encoding. [`u16::MAX`]
    /// means none.
    lengths: [u16; 8],
}

impl MessageTable {
    /// Returns the message of the next place, and makes it the current message.
    pub(super) fn enter(&mut self, file: FileId, message: Option<&SightedMessage<'_>>) -> Option<MessageId> {
        let Some(SightedMessage { inner, info, .. }) = message else {
            self.current = None;
            return None;
        };
        let at = (file, info.offset, *inner);
        if let Some(current) = self.current.take_if(|current| current.at == at) {
            // A kept header includes the part, so another part needs a header of its own.
            let header = current
                .header
                .filter(|&header| self.part(header) == [info.part, info.encoding].map(|text| text.map(str::as_bytes)));
            let id = current.id;
            self.current = Some(Current { header, ..current });
            return Some(id);
        }
        let id = match self.outer {
            // The text returned from an enclosed message to the message around it.
            Some((outer, id)) if inner.is_none() && outer == (file, info.offset) => id,
            _ => {
                let next = MessageId(self.last.map_or(NonZeroU32::MIN, |MessageId(last)| last.saturating_add(1)));
                *self.last.insert(next)
            }
        };
        if inner.is_none() {
            self.outer = Some(((file, info.offset), id));
        }
        self.current = Some(Current { at, id, header: None });
        Some(id)
    }

    /// Keeps the header of the current message, and returns its index.
    pub(super) fn keep(&mut self, info: &InMessage<'_>) -> HeaderId {
        if let Some(Current { header: Some(header), .. }) = self.current {
            return header;
        }
        let InMessage { id, date, from, subject, newsgroups, url, part, encoding, number, offset } = *info;
        let text = self.text.len() as u64;
        let lengths = [id, date, from, subject, newsgroups, url, part, encoding].map(|text| match text {
            None => u16::MAX,
            Some(text) => {
                let mut end = text.len().min(LONGEST_TEXT);
                // A cut must not split a character, since the text is read back as UTF-8.
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                let text = &text[..end];
                self.text.extend_from_slice(text.as_bytes());
                text.len() as u16
            }
        });
        self.headers.push(Header { offset, number: number.unwrap_or(0), text, lengths });
        let header = HeaderId::new(self.headers.len() - 1);
        if let Some(current) = &mut self.current {
            current.header = Some(header);
        }
        header
    }

    /// Returns the number and the encoding of the part in a kept header.
    fn part(&self, header: HeaderId) -> [Option<&[u8]>; 2] {
        let Header { text, lengths, .. } = &self.headers[header.index()];
        let [before @ .., part, encoding] = lengths.map(|length| if length == u16::MAX { 0 } else { length.into() });
        let start = *text as usize + before.iter().sum::<usize>();
        let [.., has_part, has_encoding] = lengths.map(|length| length < u16::MAX);
        let texts = [start..start + part, start + part..start + part + encoding];
        let [part, encoding] = texts.map(|range| &self.text[range]);
        [has_part.then_some(part), has_encoding.then_some(encoding)]
    }

    pub(super) fn info(&self, header: HeaderId) -> InMessage<'_> {
        let Header { offset, number, text, lengths } = &self.headers[header.index()];
        let mut start = *text as usize;
        let [id, date, from, subject, newsgroups, url, part, encoding] = lengths.map(|length| {
            let end = start + usize::from(if length == u16::MAX { return None } else { length });
            self.text[std::mem::replace(&mut start, end)..end].to_str().ok()
        });
        let number = (*number > 0).then_some(*number);
        InMessage { id, date, from, subject, newsgroups, url, number, offset: *offset, part, encoding }
    }
}

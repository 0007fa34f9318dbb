//! Messages that a program has converted as a whole. They are in NNTP wire format (`wire`) or in
//! UTF-16. Or their lines end in CR or in CR CR LF, or empty lines precede the header. A line of
//! hyphens ends the header of a draft of MH.
//!
//! Each message is restored to the form that mail readers expect. The original offsets of its bytes
//! are recorded.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::archive::charset;
use crate::archive::header::name_of;
use crate::archive::message::{Encoding, OffsetBase, OriginSegment, Part, Positions};
use crate::archive::pruned::Pruned;
use crate::archive::recognise::without_empty_lines;
use crate::archive::wire;

const DOUBLE: &[u8] = b"\r\r\n";

/// Returns the hyphens that end the header of a draft of MH, in the place of the empty line.
fn end_of_draft(message: &[u8]) -> Option<Range<usize>> {
    const FEWEST: usize = 3;
    let mut start = 0;
    for line in message.split_inclusive(|&byte| byte == b'\n') {
        let length = line.trim_ascii_end().len();
        if start > 0 && length >= FEWEST && line[..length].iter().all(|&byte| byte == b'-') {
            return Some(start..start + length);
        }
        if length == 0 || !matches!(line, [b' ' | b'\t', ..]) && name_of(line).is_none() {
            return None;
        }
        start += line.len();
    }
    None
}

/// A message in its usual form.
pub(crate) struct Restored {
    pub(crate) text: Vec<u8>,
    /// The offsets of the text's bytes in the original message.
    positions: Positions,
    /// The encoding of the message, if offsets refer to the decoded text.
    encoding: Option<Encoding>,
}

impl Restored {
    /// Restores a message. Returns `None` if it is in its usual form, like nearly all messages.
    ///
    /// `is_file` states that the message has no separator, so any of this module's conversions is
    /// possible. In any other message only CR CR LF is restored.
    pub(crate) fn of(message: &[u8], is_file: bool) -> Option<Restored> {
        let ends_so = |end: usize| message[..end].ends_with(b"\r\r");
        match memchr(b'\n', message) {
            Some(end) if ends_so(end) => return Some(Restored::without_doubles(message)),
            _ if !is_file => return None,
            // UTF-16 may hold CR bytes, too. It is decoded below.
            None if memchr(b'\r', message).is_some() && !charset::is_utf16(message) => {
                let text = message.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect();
                return Some(Restored { text, positions: Positions::in_place(0), encoding: None });
            }
            _ => {}
        }
        if charset::is_utf16(message) {
            let (text, encoding) = (charset::decode_utf16_file(message), Some(charset::utf16_of(message).0));
            return Some(Restored { text, positions: Positions::decoded(), encoding });
        }
        if wire::is_wire(message) {
            let (text, positions) = wire::unstuffed(message);
            return Some(Restored { text, positions, encoding: None });
        }
        let rest = without_empty_lines(message);
        let start = message.len() - rest.len();
        let positions = Positions::in_place(start);
        if start > 0 {
            return Some(Restored { text: rest.to_vec(), positions, encoding: None });
        }
        let mut pruned = Pruned::new(message);
        pruned.leave_out(end_of_draft(message)?);
        Restored::pruned(pruned)
    }

    /// Restores a message from which stretches were removed. Returns `None` if nothing was removed.
    pub(crate) fn pruned(pruned: Pruned<'_>) -> Option<Restored> {
        let (text, segments) = pruned.finish();
        text.map(|text| Restored { text, positions: Positions::in_place(0).then(&segments), encoding: None })
    }

    /// Restores lines that end in CR CR LF: a program added a CR to lines that had one.
    fn without_doubles(message: &[u8]) -> Restored {
        let mut text = Vec::with_capacity(message.len());
        let mut segments = vec![OriginSegment::new(0, 0)];
        let mut at = 0;
        for end in memmem::find_iter(message, DOUBLE) {
            text.extend_from_slice(&message[at..end]);
            at = end + 1;
            segments.push(OriginSegment::new(text.len(), at));
        }
        text.extend_from_slice(&message[at..]);
        Restored { text, positions: Positions::in_place(0).then(&segments), encoding: None }
    }

    /// Returns a text of the restored message with its offsets in the original message.
    pub(crate) fn placed(&self, part: Part<'_>) -> Part<'static> {
        let part = part.into_owned();
        let body = if self.encoding.is_some() { part.body.clone() } else { self.positions.range(part.body.clone()) };
        match (part.positions.base, self.encoding) {
            (OffsetBase::Source, Some(encoding)) => {
                let positions = part.positions.shift(0, OffsetBase::Decoded);
                Part { body, positions, encoding, ..part }
            }
            (OffsetBase::Source, None) => Part { body, positions: part.positions.within(&self.positions), ..part },
            (OffsetBase::Decoded, _) => Part { body, ..part },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::mime;

    fn parts(restored: &Restored) -> Vec<Part<'static>> {
        mime::parts(&restored.text).map(|part| restored.placed(part)).collect()
    }

    const MAIL: &str = "From: joe\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\nx=3D\ny\n";

    #[test]
    fn messages_in_their_usual_form_are_left() {
        for usual in [MAIL.to_string(), MAIL.replace('\n', "\r\n"), "no break".to_string(), String::new()] {
            assert!(Restored::of(usual.as_bytes(), true).is_none(), "{usual:?}");
        }
        let cr = MAIL.replace('\n', "\r");
        assert!(Restored::of(cr.as_bytes(), false).is_none() && Restored::of(cr.as_bytes(), true).is_some());
    }

    #[test]
    fn places_are_those_of_the_file() {
        let blanks = format!("  \r\n\n{MAIL}");
        for changed in [MAIL.replace('\n', "\r\r\n"), MAIL.replace('\n', "\r"), blanks] {
            let restored = Restored::of(changed.as_bytes(), true).unwrap();
            assert_eq!(String::from_utf8_lossy(&restored.text).replace('\r', ""), MAIL);
            let parts = parts(&restored);
            let (header, body) = (&parts[0], &parts[1]);
            let at = header.positions.offset(6);
            assert_eq!(&changed[at..at + 3], "joe", "{changed:?}");
            assert_eq!(&changed[body.body.start..body.body.start + 4], "x=3D", "{changed:?}");
        }
    }

    #[test]
    fn utf_16_with_a_mark_and_without() {
        for mark in ["", "\u{FEFF}"] {
            let text = format!("{mark}{MAIL}");
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for file in [little, big] {
                let restored = Restored::of(&file, true).unwrap();
                assert_eq!(String::from_utf8_lossy(&restored.text), MAIL);
                assert_eq!(parts(&restored)[0].positions.base, OffsetBase::Decoded);
            }
        }
    }
}

//! Messages that a program has converted as a whole. They are in NNTP wire format (`wire`) or in
//! UTF-16. Or their lines end in CR or in CR CR LF, or empty lines precede the header. A line of
//! hyphens ends the header of a draft of MH.
//!
//! Each message is restored to the form that mail readers expect. The original offsets of its bytes
//! are recorded.

use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memmem};

use crate::archive::charset;
use crate::archive::encoding::Encoding;
use crate::archive::header::name_of;
use crate::archive::pruned::Pruned;
use crate::archive::recognise::without_empty_lines;
use crate::archive::text_source::{DecodingStep, TextSource};
use crate::archive::wire;
use crate::bytes::logical::Logical;
use crate::bytes::source_map::SourceMap;

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
    /// The way from the text to the original message.
    pub(crate) source: Arc<TextSource<'static>>,
    /// The encoding of the message, if it is in UTF-16.
    pub(crate) encoding: Option<Encoding>,
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
                return Some(Restored { text, source: Arc::new(TextSource::in_place(0)), encoding: None });
            }
            _ => {}
        }
        if charset::is_utf16(message) {
            let (encoding, mark) = charset::utf16_of(message);
            let text = charset::decode_utf16_file(message);
            let map = SourceMap::of_utf16(&text, mark);
            let source = TextSource::in_place(0).then(DecodingStep::Encoding, map);
            return Some(Restored { text, source: Arc::new(source), encoding: Some(encoding) });
        }
        if wire::is_wire(message) {
            return Some(Restored::from(wire::unstuffed(message)));
        }
        let rest = without_empty_lines(message);
        let start = message.len() - rest.len();
        if start > 0 {
            let source = Arc::new(TextSource::in_place(start));
            return Some(Restored { text: rest.to_vec(), source, encoding: None });
        }
        let mut pruned = Pruned::new(message);
        pruned.leave_out(end_of_draft(message)?);
        pruned.finish().map(Restored::from)
    }

    /// Restores lines that end in CR CR LF: a program added a CR to lines that had one.
    fn without_doubles(message: &[u8]) -> Restored {
        let mut text = Logical::default();
        text.reserve(message.len());
        let mut at = 0;
        for end in memmem::find_iter(message, DOUBLE) {
            text.append(&message[at..end], at);
            at = end + 1;
        }
        text.append(&message[at..], at);
        Restored::from(text)
    }
}

impl From<Logical> for Restored {
    fn from(text: Logical) -> Restored {
        let (text, map) = text.into_parts();
        let source = Arc::new(TextSource::in_place(0).then(DecodingStep::Lines, map));
        Restored { text, source, encoding: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::attachment::Unpacking;
    use crate::archive::message::Part;
    use crate::archive::mime;

    fn parts(restored: &Restored) -> Vec<Part<'_>> {
        mime::parts_of_restored(restored, Unpacking::new(false)).collect()
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
            let at = header.source.offset(6);
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
                let source = parts(&restored)[0].source.range(6..9); // of "joe"
                assert_eq!(charset::decode_utf16_file(&file[source]), b"joe");
            }
        }
    }
}

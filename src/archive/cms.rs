//! Signed S/MIME messages that contain their text (RFC 5652 section 5, RFC 8551 section 3.5.2).

use crate::bytes::logical::Logical;

/// 1.2.840.113549.1.7.2, id-signedData.
const SIGNED_DATA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02];

const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const PIECES_OF_OCTETS: u8 = 0x24;
const IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const EXPLICIT: u8 = 0xA0;
const END: u8 = 0x00;

/// Returns the signed content, if the message contains it. A truncated message yields the part that
/// it still holds.
pub(crate) fn signed_content(message: &[u8]) -> Option<Logical> {
    let mut ber = Ber { bytes: message, at: 0 };
    ber.enter(SEQUENCE)?;
    if ber.value(IDENTIFIER)? != SIGNED_DATA {
        return None;
    }
    ber.enter(EXPLICIT)?;
    ber.enter(SEQUENCE)?;
    ber.value(INTEGER)?;
    ber.pass(SET)?;
    ber.enter(SEQUENCE)?;
    ber.value(IDENTIFIER)?;
    ber.enter(EXPLICIT)?;
    ber.octets()
}

/// Elements in the Basic Encoding Rules (X.690), one after the other.
struct Ber<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Ber<'b> {
    /// Reads the tag of the next element, and its length if one is stated.
    fn head(&mut self) -> Option<(u8, Option<usize>)> {
        let (&[tag, length], rest) = self.bytes[self.at..].split_first_chunk::<2>()?;
        let count = usize::from(length & 0x7F);
        self.at += 2;
        let length = match length {
            0..0x80 => Some(count),
            0x80 => None,
            // A length of more than 8 bytes does not fit into a `usize`.
            _ if count > 8 || count > rest.len() => return None,
            _ => {
                self.at += count;
                Some(rest[..count].iter().fold(0, |length, &byte| length << 8 | usize::from(byte)))
            }
        };
        Some((tag, length))
    }

    /// Enters the next element, which must have this tag.
    fn enter(&mut self, tag: u8) -> Option<()> {
        (self.head()?.0 == tag).then_some(())
    }

    fn take(&mut self, length: usize) -> &'b [u8] {
        let rest = &self.bytes[self.at..];
        let taken = &rest[..length.min(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Reads the next element, which must have this tag and a stated length.
    fn value(&mut self, tag: u8) -> Option<&'b [u8]> {
        match self.head()? {
            (is, Some(length)) if is == tag => Some(self.take(length)),
            _ => None,
        }
    }

    /// Skips the next element. Returns `None` if its tag differs from `tag`.
    fn pass(&mut self, tag: u8) -> Option<()> {
        let (is, length) = self.head()?;
        // An element without a length ends at its end mark. Elements inside it may lack a length,
        // too.
        let mut open = usize::from(length.is_none());
        self.take(length.unwrap_or(0));
        while open > 0 {
            match self.head()? {
                (END, _) => open -= 1,
                (_, Some(length)) => drop(self.take(length)),
                (_, None) => open += 1,
            }
        }
        (is == tag).then_some(())
    }

    /// Reads an octet string, whole or in pieces.
    fn octets(&mut self) -> Option<Logical> {
        let mut all = Logical::default();
        let (tag, length) = self.head()?;
        let start = self.at;
        match (tag, length) {
            (OCTETS, Some(length)) => {
                all.append(self.take(length), start);
                return Some(all);
            }
            (PIECES_OF_OCTETS, Some(length)) => {
                self.bytes = &self.bytes[..start.saturating_add(length).min(self.bytes.len())];
            }
            (PIECES_OF_OCTETS, None) => {}
            _ => return None,
        }
        // Pieces may nest to any depth, so their depth is counted, without recursion.
        let mut open = 1;
        while open > 0 {
            match self.head() {
                Some((OCTETS, Some(length))) => {
                    let start = self.at;
                    all.append(self.take(length), start);
                }
                Some((PIECES_OF_OCTETS, length)) => open += usize::from(length.is_none()),
                Some((END, _)) => open -= 1,
                _ => break,
            }
        }
        Some(all)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len() as u32;
        [&[tag, 0x84][..], &length.to_be_bytes(), content].concat()
    }

    fn open(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, 0x80][..], content, &[0, 0]].concat()
    }

    /// Returns a signed message without a signer.
    pub(crate) fn signed(content: &[u8], is_ber: bool) -> Vec<u8> {
        let wrap: &dyn Fn(u8, &[u8]) -> Vec<u8> = if is_ber { &open } else { &element };
        let pieces: Vec<u8> = content.chunks(7).flat_map(|piece| element(OCTETS, piece)).collect();
        let octets = if is_ber { open(PIECES_OF_OCTETS, &pieces) } else { element(OCTETS, content) };
        let data = [element(IDENTIFIER, &[0x2A]), wrap(EXPLICIT, &octets)].concat();
        let algorithms = wrap(SET, &wrap(SEQUENCE, &element(IDENTIFIER, &[1])));
        let signed = [element(INTEGER, &[1]), algorithms, wrap(SEQUENCE, &data)].concat();
        wrap(SEQUENCE, &[element(IDENTIFIER, SIGNED_DATA), wrap(EXPLICIT, &wrap(SEQUENCE, &signed))].concat())
    }

    #[test]
    fn what_was_signed() {
        let text = b"Content-Type: text/plain\r\n\r\nhttp://a.example/\r\n";
        for is_ber in [false, true] {
            let message = signed(text, is_ber);
            assert_eq!(signed_content(&message).unwrap().bytes(), &text[..], "{is_ber}");
            for end in 0..message.len() {
                let cut = signed_content(&message[..end]).unwrap_or_default().into_parts().0;
                assert!(text.starts_with(&cut), "{is_ber} {end}");
            }
        }
        assert_eq!(signed_content(b"From: joe"), None);
    }

    #[test]
    fn a_string_in_pieces_ends_where_it_says() {
        let pieces = [open(PIECES_OF_OCTETS, &element(OCTETS, b"a te")), element(OCTETS, b"xt")].concat();
        let all = [open(PIECES_OF_OCTETS, &pieces), element(OCTETS, b" and another")].concat();
        assert_eq!(Ber { bytes: &all, at: 0 }.octets().unwrap().bytes(), b"a text");
    }

    #[test]
    fn any_bytes_end() {
        let mut rng = fastrand::Rng::with_seed(5652);
        for _ in 0..20_000 {
            let mut message = signed(b"some text of a message", rng.bool());
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..message.len());
                message[at] = rng.u8(..);
            }
            signed_content(&message);
        }
    }
}

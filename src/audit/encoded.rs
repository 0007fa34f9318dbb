//! Decoding of texts in base64, in hexadecimal digits, or with their letters moved by 13.

use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};

/// Only texts of these lengths, in characters, are decoded.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=1024;

/// Calls `call` with each value and segment of a text, decoded from base64 or hexadecimal digits.
/// Stops once `call` returns true, and then returns true.
pub(super) fn each_decoded(text: &[u8], mut call: impl FnMut(&[u8]) -> bool) -> bool {
    text.split(|byte| b"&;?#,/|".contains(byte)).any(|piece| {
        let value = memchr::memchr(b'=', piece).map(|equals| &piece[equals + 1..]);
        [Some(piece), value].into_iter().flatten().filter(|piece| LENGTHS.contains(&piece.len())).any(|piece| {
            base64(piece).is_some_and(|decoded| call(&decoded)) || hex(piece).is_some_and(|decoded| call(&decoded))
        })
    })
}

/// Decodes hexadecimal digits. Returns `None` unless the result is printable ASCII.
fn hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let octet = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high)? << 4 | digit(*low)?).ok().filter(|byte| (b' '..=b'~').contains(byte)),
        _ => None,
    };
    text.chunks(2).map(octet).collect()
}

/// Returns a text with its letters moved by 13.
pub(super) fn rot13(text: &[u8]) -> Vec<u8> {
    let moved = |byte: u8, first: u8| first + (byte - first + 13) % 26;
    let letter = |&byte: &u8| match byte {
        b'a'..=b'z' => moved(byte, b'a'),
        b'A'..=b'Z' => moved(byte, b'A'),
        _ => byte,
    };
    text.iter().map(letter).collect()
}

/// A lenient configuration for both alphabets. Links may be truncated, or written without padding.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const PLAIN: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Decodes base64 of either alphabet, padded or not. Returns `None` unless the result is printable
/// ASCII and not empty.
pub(super) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let is_url_safe = memchr::memchr2(b'-', b'_', text).is_some();
    let engine = if is_url_safe { &URL_SAFE } else { &PLAIN };
    // Almost no text is base64, and the first four letters usually show this.
    let is_printable = |octets: &[u8]| octets.iter().all(|octet| (b' '..=b'~').contains(octet));
    if let Some(start) = text.get(..4)
        && !engine.decode(start).is_ok_and(|octets| is_printable(&octets))
    {
        return None;
    }
    engine.decode(text).ok().filter(|octets| !octets.is_empty() && is_printable(octets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_segments_are_decoded() {
        for (text, expected) in [
            ("am9lQHguZXhhbXBsZQ==", Some("joe@x.example")),
            ("a=1&e=am9lQHguZXhhbXBsZQ&b", Some("joe@x.example")),
            ("x/6a6f6540782e6578616d706c65/y", Some("joe@x.example")),
            ("6a6f6540782e6578616d706c6", None),
            ("am9lQA", None),
            ("", None),
        ] {
            let mut found = None;
            each_decoded(text.as_bytes(), |decoded| {
                found = Some(decoded.to_vec()).filter(|decoded| decoded.contains(&b'@'));
                found.is_some()
            });
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{text}");
        }
        assert_eq!(rot13(b"wbr@K.rknzcyr"), b"joe@X.example");
    }

    #[test]
    fn base64_of_either_alphabet() {
        for (text, expected) in [
            ("aHR0cHM6Ly9oLmV4YW1wbGUv", Some("https://h.example/")),
            ("am9lQHguZXhhbXBsZQ==", Some("joe@x.example")),
            ("am9lQHguZXhhbXBsZQ", Some("joe@x.example")),
            ("Pz8_", Some("???")),
            ("Pz8/", Some("???")),
            ("aHR0c", None),
            ("AAAA", None),
            ("a b=", None),
            ("", None),
        ] {
            assert_eq!(base64(text.as_bytes()).as_deref(), expected.map(str::as_bytes), "{text}");
        }
    }
}

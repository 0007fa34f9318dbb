//! What texts are in base64, in hexadecimal digits, or with their letters moved by 13.

/// The fewest characters that are decoded to look for an address, and the most.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=1024;

/// Calls for what the values and segments of a text are in base64 or in hexadecimal digits.
pub(super) fn each_decoded(text: &[u8], mut call: impl FnMut(&[u8]) -> bool) -> bool {
    text.split(|byte| b"&;?#,/|".contains(byte)).any(|piece| {
        let value = memchr::memchr(b'=', piece).map(|equals| &piece[equals + 1..]);
        [Some(piece), value].into_iter().flatten().filter(|piece| LENGTHS.contains(&piece.len())).any(|piece| {
            base64(piece).is_some_and(|decoded| call(&decoded)) || hex(piece).is_some_and(|decoded| call(&decoded))
        })
    })
}

/// Returns what a text is in hexadecimal digits: printable ASCII, or nothing.
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

/// Returns what a text is in base64, of either alphabet, padded or not: printable ASCII, or nothing.
pub(super) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut decoded = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for &digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = (bits >> count) as u8;
            bits &= (1 << count) - 1;
            // Nearly every text that is none ends here, at its first letters.
            if !(b' '..=b'~').contains(&byte) {
                return None;
            }
            decoded.push(byte);
        }
    }
    (!decoded.is_empty()).then_some(decoded)
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

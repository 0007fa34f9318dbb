//! What texts are in base64, in hexadecimal digits, or with their letters moved by 13.

/// Returns what a text is in base64, of either alphabet, padded or not: printable ASCII, or nothing.
pub(super) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut decoded = Vec::with_capacity(digits.len() / 4 * 3 + 2);
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
            decoded.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    is_printable(&decoded).then_some(decoded)
}

/// True for text that is shown as it is.
fn is_printable(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| (b' '..=b'~').contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

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

//! The first phase of P-2: bytes that no URL may hold (the specification, section 1).
//!
//! The parsers of the schemes accept only bytes of their own classes, which lie inside the alphabet
//! of G-LEX-1. So a URL that they accept is lexically clean without a separate pass. This file
//! reads a rejected URL a second time: a lexical error anywhere precedes any structural error. This
//! way a valid URL costs one pass, and the phases keep their order.

use super::error::{ParseError, ParseErrorKind};
use super::scheme::Scheme;
use crate::bytes::class;

/// Checks a text for lexical errors, and returns the leftmost (G-LEX-1 to G-LEX-6, G-FRAG-1 to
/// G-FRAG-3). `fragment` allows one fragment, which is checked like the rest.
///
/// Reads each byte once, in linear time.
pub(super) fn check(bytes: &[u8], fragment: bool) -> Result<(), ParseError> {
    let mut hash_is_free = fragment;
    let mut at = 0;
    loop {
        at = class::run(bytes, at, class::XCHAR);
        match bytes.get(at) {
            None => return Ok(()),
            Some(b'#') if hash_is_free => hash_is_free = false,
            Some(b'#') => {
                let kind = if fragment { ParseErrorKind::UnencodedHash } else { ParseErrorKind::FragmentNotAllowed };
                return Err(ParseError::new(kind, Scheme::Other, bytes, at));
            }
            Some(_) => return Err(fault(bytes, at)),
        }
        at += 1;
    }
}

/// Returns the lexical error of the byte at `at`, which begins neither an `xchar` nor a fragment.
///
/// Parsers report such a byte with this function. [`check`] then finds the leftmost lexical error.
#[cold]
pub(super) fn fault(bytes: &[u8], at: usize) -> ParseError {
    let kind = match bytes.get(at) {
        Some(b' ') => ParseErrorKind::Space,
        Some(b'%') => {
            // G-LEX-2: an escape is truncated if fewer than two bytes are left, all of them
            // hexadecimal.
            let tail = bytes.get(at + 1..).unwrap_or_default();
            if tail.len() < 2 && tail.iter().all(|&byte| class::HEX.contains(byte)) {
                ParseErrorKind::TruncatedEscape
            } else {
                ParseErrorKind::BadEscape
            }
        }
        Some(b'#') => ParseErrorKind::UnencodedHash,
        Some(&byte) if byte >= 0x80 => ParseErrorKind::NonAscii,
        Some(&byte) if class::NATIONAL.contains(byte) => ParseErrorKind::UnsafeGateway,
        Some(&byte) if class::PUNCTUATION.contains(byte) => ParseErrorKind::UnsafeDelimiter,
        // The rest of the 256 octets: 00-1F and 7F.
        _ => ParseErrorKind::ControlChar,
    };
    ParseError::new(kind, Scheme::Other, bytes, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    // G-LEX-1: each octet that is not uchar, reserved or `#` is an error of one kind.
    #[test]
    fn every_octet_has_its_kind() {
        for byte in 0..=255u8 {
            let found = check(&[byte], true).err().map(|error| error.kind().as_str());
            let expected = match byte {
                0..=0x1f | 0x7f => Some("control-char"),
                b' ' => Some("space"),
                0x80.. => Some("non-ascii"),
                b'<' | b'>' | b'"' => Some("unsafe-delimiter"),
                b'{' | b'}' | b'|' | b'\\' | b'^' | b'~' | b'[' | b']' | b'`' => Some("unsafe-gateway"),
                b'%' => Some("truncated-escape"),
                _ => None,
            };
            assert_eq!(found, expected, "{byte:02X}");
        }
    }

    #[test]
    fn hashes_count_by_entry_point() {
        let kind =
            |text: &[u8], fragment| check(text, fragment).map_err(|error| (error.kind().as_str(), error.offset()));
        assert_eq!(kind(b"a#b", true), Ok(()));
        assert_eq!(kind(b"a#b#", true), Err(("unencoded-hash", 3)));
        assert_eq!(kind(b"a#b#", false), Err(("fragment-not-allowed", 1)));
        assert_eq!(kind(b"a#%4", true), Err(("truncated-escape", 2)));
        assert_eq!(kind(b"%4#", true), Err(("bad-escape", 0)));
    }
}

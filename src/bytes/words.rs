//! Tests of eight bytes at a time, for texts too short for vectors, such as hosts and file names.

#![cfg_attr(not(feature = "report"), allow(dead_code, reason = "some of it is for reports alone"))]

/// A word with 1 in each of its eight bytes.
pub(crate) const ONES: u64 = u64::MAX / 255;
/// A word with 128 in each of its eight bytes.
const HIGH: u64 = 0x80 * ONES;

/// Returns whether `test` finds nothing in a text. It is called for eight bytes at a time.
///
/// The first of these bytes is the lowest byte of its argument. In its result, only the highest bit
/// of each byte matters: one of them is set if `test` finds something.
#[inline(always)]
pub(crate) fn has_none(text: &[u8], test: impl Fn(u64) -> u64) -> bool {
    // The last eight bytes may be tested twice.
    let last = text.last_chunk().map_or_else(|| short(text), |last| u64::from_le_bytes(*last));
    let (words, _) = text.as_chunks();
    let mut seen = test(last);
    for &word in words {
        seen |= test(u64::from_le_bytes(word));
    }
    seen & HIGH == 0
}

/// Returns the bytes of a text of less than eight bytes. Some stand twice, and blanks, which pass
/// every test, stand for an empty text. A copy of variable length would be a call.
#[inline(always)]
fn short(text: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    match *text {
        [] => ONES * u64::from(b' '),
        [first, ..] => {
            let (middle, last) = (text[text.len() / 2], text[text.len() - 1]);
            let blanks = (ONES * u64::from(b' ')) << 24;
            blanks | u64::from(first) | u64::from(middle) << 8 | u64::from(last) << 16
        }
    }
}

/// Returns a word with the high bit of some byte set if and only if `word` holds `byte`.
#[inline(always)]
pub(crate) fn has(word: u64, byte: u8) -> u64 {
    let zero = word ^ (ONES * u64::from(byte));
    zero.wrapping_sub(ONES) & !zero
}

/// Returns whether a text is ASCII without upper-case letters.
#[inline]
pub(crate) fn is_lower_ascii(text: &[u8]) -> bool {
    // In ASCII, no sum carries into the next byte.
    let from = |word: u64, byte: u8| word.wrapping_add(ONES * u64::from(0x80 - byte));
    has_none(text, |word| word | (from(word, b'A') & !from(word, b'Z' + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_seen_at_every_place() {
        for length in 0..40 {
            let mut text = vec![b'a'; length];
            assert!(has_none(&text, |word| has(word, b',')));
            for at in 0..length {
                text[at] = b',';
                assert!(!has_none(&text, |word| has(word, b',')));
                text[at] = b'a';
            }
        }
    }

    #[test]
    fn upper_case_and_other_bytes_are_seen_at_every_place() {
        for (length, byte) in (1..20).flat_map(|length| (0..=u8::MAX).map(move |byte| (length, byte))) {
            let mut text = vec![b'z'; length];
            for at in 0..length {
                text[at] = byte;
                assert_eq!(is_lower_ascii(&text), byte.is_ascii() && !byte.is_ascii_uppercase(), "{byte} at {at}");
                text[at] = b'z';
            }
        }
    }
}

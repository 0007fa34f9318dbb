//! Non-ASCII letters: scalars of general category L, M or N (the specification, section 7, B-UNI,
//! B-START-2). Symbols are scalars of category So (B-UNI-2, B-UNI-3).
//!
//! `char::is_alphanumeric` accepts another set. It lacks most marks (category M), so it would
//! truncate a Hindi or Thai host at a vowel sign. It also has symbols such as U+24B6. `letters.py`,
//! beside this file, writes the data files.

use super::rows::{self, table};

/// Returns whether `c` is of general category L, M or N. ASCII letters and digits are included.
#[inline]
pub(crate) fn is_letter(c: char) -> bool {
    let code = c as u32;
    match code {
        0..=0x7F => c.is_ascii_alphanumeric(),
        0x80..=0xBF => matches!(code, 0xAA | 0xB2 | 0xB3 | 0xB5 | 0xB9 | 0xBA | 0xBC..=0xBE),
        // Nearly all non-ASCII letters in European mail are Latin letters with diacritics.
        0xC0..=0x24F => code != 0xD7 && code != 0xF7,
        _ => in_table(code),
    }
}

fn in_table(code: u32) -> bool {
    if let Some(bits) = BASIC.get(code as usize / 64) {
        return bits >> (code % 64) & 1 == 1;
    }
    is_in(LETTERS, code)
}

/// Returns whether a table of sorted ranges, both ends included, holds a scalar.
pub(super) fn is_in(table: &[(u32, u32)], code: u32) -> bool {
    let after = table.partition_point(|&(first, _)| first <= code);
    after > 0 && code <= table[after - 1].1
}

/// Returns the letters of a ligature of Latin letters (U+FB00 to U+FB06).
pub(crate) fn of_ligature(c: char) -> Option<&'static str> {
    const LETTERS: [&str; 7] = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"];
    LETTERS.get(u32::from(c).checked_sub(0xFB00)? as usize).copied()
}

/// Returns whether `c` is of general category So: emoji, arrows with a picture, dingbats.
pub(crate) fn is_symbol(c: char) -> bool {
    is_in(SYMBOLS, c as u32)
}

/// Returns whether `c` joins two symbols into one, or changes the appearance of the symbol before
/// it.
pub(crate) fn modifies_symbol(c: char) -> bool {
    matches!(c, '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// Returns whether `c` is visible. White space, controls, soft hyphens, zero-width spaces, and
/// characters that change the direction of text are invisible.
pub(crate) fn is_graphic(c: char) -> bool {
    let is_invisible = matches!(
        c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
    );
    !is_invisible && !c.is_whitespace() && !c.is_control()
}

/// The Basic Multilingual Plane as a bitmap of 8 KiB. In non-Latin text, every character is looked
/// up. The ten steps of a binary search were a third of the time on such text.
static BASIC: [u64; 1024] = {
    let mut bits = [0; 1024];
    let mut range = 0;
    while range < LETTERS.len() {
        let (mut code, last) = LETTERS[range];
        while code <= last && code < 0x1_0000 {
            bits[code as usize / 64] |= 1 << (code % 64);
            code += 1;
        }
        range += 1;
    }
    bits
};

/// Decodes the scalar at `at`, and returns it with its length in bytes.
///
/// Returns `None` for a sequence that is truncated, overlong, a surrogate or a stray continuation
/// byte, and at the end.
#[inline]
pub(crate) fn decode(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    match bstr::decode_utf8(bytes.get(at..)?) {
        (Some(c), length) => Some((c, length)),
        (None, _) => None,
    }
}

/// Scalars from U+0250 up of general category L, M or N, as sorted ranges, both ends included.
const LETTERS: &[(u32, u32)] = &table!("letters.txt", rows::range);

/// Scalars beyond ASCII of general category So, as sorted ranges, both ends included.
const SYMBOLS: &[(u32, u32)] = &table!("symbols.txt", rows::range);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories() {
        // The last five are marks: combining acute, Devanagari vowel sign, Thai tone mark,
        // variation selectors.
        for c in "aZ0ª²¾éÿɎɐßЖ中あーﬀⅧ٣①𝒜\u{301}\u{93F}\u{E48}\u{FE0F}\u{E0100}".chars() {
            assert!(is_letter(c), "{c:?}");
        }
        for c in " -_~§«×÷’“–…。、）／😀Ⓐ".chars() {
            assert!(!is_letter(c), "{c:?}");
        }
        for c in "\u{80}\u{A0}\u{AD}\u{200B}\u{200D}\u{FEFF}\u{FFFD}\u{E000}\u{10FFFF}".chars() {
            assert!(!is_letter(c), "{c:?}");
        }
    }

    #[test]
    fn symbols() {
        assert!("☃😻🍕©®°Ⓐ㊙✓★😀".chars().all(is_symbol));
        assert!(!"aé中·–‾→×+$€`^\u{FE0F}\u{1F3FB}".chars().any(is_symbol));
        assert!(SYMBOLS.windows(2).all(|pair| pair[0].0 <= pair[0].1 && pair[0].1 + 1 < pair[1].0));
        assert!((char::MIN..=char::MAX).all(|c| !(is_symbol(c) && (is_letter(c) || c.is_ascii()))));
    }

    /// Checks the fast paths, the order of the table, and its agreement with the standard library.
    #[test]
    fn table_is_sorted_and_agrees_with_std() {
        assert!(LETTERS[0].0 >= 0x250);
        assert!(LETTERS.iter().all(|&(first, last)| first <= last));
        assert!(LETTERS.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
        for c in char::MIN..=char::MAX {
            // std's numeric characters are N. Its lower-case characters are L, M or N, except
            // circled letters (So).
            if c.is_numeric() || c.is_lowercase() && !matches!(c, 'ⓐ'..='ⓩ') {
                assert!(is_letter(c), "{:x}", c as u32);
            }
            if !c.is_alphanumeric() && c.is_whitespace() | c.is_control() | c.is_ascii_punctuation() {
                assert!(!is_letter(c), "{:x}", c as u32);
            }
        }
    }

    #[test]
    fn decodes_strictly() {
        assert_eq!(decode("aé中😀".as_bytes(), 1), Some(('é', 2)));
        assert_eq!(decode("aé中😀".as_bytes(), 3), Some(('中', 3)));
        assert_eq!(decode("aé中😀".as_bytes(), 6), Some(('😀', 4)));
        assert_eq!(decode(b"a", 0), Some(('a', 1)));
        let malformed: [&[u8]; 8] =
            [b"", b"\x80", b"\xC3", b"\xC0\xAF", b"\xE4\xB8", b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\xFF"];
        for bytes in malformed {
            assert_eq!(decode(bytes, 0), None, "{bytes:x?}");
        }
        assert_eq!(decode(b"a", 2), None);
    }
}

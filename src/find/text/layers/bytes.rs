//! The bytes of a character, as the logs of nginx, Apache, Python and C write them (B-BYTES). RTF
//! writes a letter as one byte of its code page.
//!
//! # Example
//!
//! In `"https://h.example/caf\xC3\xA9"`, the two escapes are the bytes of `é` in UTF-8. RTF has
//! `caf\'e9`.

use std::ops::Range;

use super::escape::Escape;
use crate::find::text::view::View;

/// Reads the character whose bytes are written from `at` on: `\xC3\xA9`, `\303\251` or `\'e9`.
pub(super) fn escape(view: &View<'_>, at: usize) -> Option<Escape> {
    if view.byte(at + 1) == Some(b'\'') {
        let letter = char::from(byte_of_digits(view, at + 2..at + 4, 16).filter(|byte| *byte >= 0xC0)?);
        return letter.is_alphabetic().then(|| Escape::character(letter, 4)).flatten();
    }
    let mut bytes = [0; 4];
    let (first, mut end) = byte(view, at)?;
    // The first byte of a character shows how many bytes it has.
    let count = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    bytes[0] = first;
    for place in &mut bytes[1..count] {
        (*place, end) = byte(view, end)?;
    }
    let mut characters = str::from_utf8(&bytes[..count]).ok()?.chars();
    Escape::character(characters.next()?, end - at)
}

/// Reads the escape of a byte at `at`. Returns the byte and the end of its escape.
fn byte(view: &View<'_>, at: usize) -> Option<(u8, usize)> {
    let backslashes = view.stretch(at, at + 2, |byte| byte == b'\\');
    let (digits, radix) = match view.byte(backslashes).filter(|_| backslashes > at)? {
        b'x' => (backslashes + 1..backslashes + 3, 16),
        b'2' | b'3' => (backslashes..backslashes + 3, 8),
        _ => return None,
    };
    Some((byte_of_digits(view, digits.clone(), radix)?, digits.end))
}

/// Reads the digits of a byte.
fn byte_of_digits(view: &View<'_>, mut digits: Range<usize>, radix: u32) -> Option<u8> {
    let code = digits.try_fold(0, |code, at| Some(code * radix + char::from(view.byte(at)?).to_digit(radix)?))?;
    u8::try_from(code).ok()
}

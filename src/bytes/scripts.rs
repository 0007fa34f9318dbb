//! Scripts without blanks between words: their letters do not show where a word ends (B-UNI-1).
//!
//! The tables follow Unicode's property Script. Common and Inherited characters, such as `ー`, are
//! in no table. They belong to the script of the letter before them. A range may include characters
//! that are not letters. These are never looked up.

use super::letters::is_in;

/// Returns whether a non-ASCII letter belongs to a script without blanks: Han, Hiragana, Katakana,
/// Bopomofo, Hangul, Thai, Lao, Khmer, Myanmar or Tibetan.
pub(crate) fn is_unspaced(letter: char) -> bool {
    is_in(&UNSPACED, letter as u32)
}

/// Returns whether a non-ASCII letter is Hiragana. Japanese particles and endings are written in
/// Hiragana.
pub(crate) fn is_hiragana(letter: char) -> bool {
    is_in(&HIRAGANA, letter as u32)
}

/// Returns whether a non-ASCII character belongs to a script whose letters look like Latin ones:
/// Latin, Greek, Cyrillic, Armenian, Cherokee, and mathematical letters (B-UNI-2).
pub(crate) fn looks_like_latin(letter: char) -> bool {
    matches!(letter, '\u{C0}'..='\u{58F}' | '\u{13A0}'..='\u{13FD}' | '\u{1E00}'..='\u{1FFF}'
        | '\u{2C60}'..='\u{2C7F}' | '\u{A640}'..='\u{A69F}' | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{ABBF}'
        | '\u{1D400}'..='\u{1D7FF}')
}

/// Sorted ranges, both ends included.
#[rustfmt::skip]
const UNSPACED: [(u32, u32); 24] = [
    (0xE01, 0x109D), (0x1100, 0x11FF), (0x1780, 0x17F9), (0x3005, 0x3005), (0x3007, 0x3029),
    (0x302E, 0x302F), (0x3038, 0x303B), (0x3041, 0x3096), (0x309D, 0x30FA), (0x30FD, 0x318E),
    (0x31A0, 0x31FF), (0x3400, 0x9FFF), (0xA960, 0xA97C), (0xA9E0, 0xA9FE), (0xAA60, 0xAA7F),
    (0xAC00, 0xFAD9), (0xFF66, 0xFF6F), (0xFF71, 0xFF9D), (0xFFA0, 0xFFDC), (0x116D0, 0x116E3),
    (0x16FE3, 0x16FE3), (0x16FF0, 0x16FF6), (0x1AFF0, 0x1B168), (0x20000, 0x33479),
];

/// Sorted ranges, both ends included.
#[rustfmt::skip]
const HIRAGANA: [(u32, u32); 5] = [
    (0x3041, 0x3096), (0x309D, 0x309F), (0x1B001, 0x1B11F), (0x1B123, 0x1B123), (0x1B132, 0x1B152),
];

#[cfg(test)]
mod tests {
    use unicode_script::{Script, UnicodeScript};

    use super::*;
    use crate::bytes::letters;

    #[test]
    fn agrees_with_unicode() {
        use Script::{Bopomofo, Han, Hangul, Hiragana, Katakana, Khmer, Lao, Myanmar, Thai, Tibetan};
        let unspaced = [Bopomofo, Han, Hangul, Hiragana, Katakana, Khmer, Lao, Myanmar, Thai, Tibetan];
        for c in ('\u{80}'..=char::MAX).filter(|&c| letters::is_letter(c)) {
            assert_eq!(is_unspaced(c), unspaced.contains(&c.script()), "{c:?}");
            assert_eq!(is_hiragana(c), c.script() == Hiragana, "{c:?}");
        }
    }
}

//! Invisible characters, put into URLs so that lines may break there (B-UNSEEN).

use crate::find::view::View;

/// Returns whether a character is the zero-width space, the word joiner or the soft hyphen.
pub(super) fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200B}' | '\u{2060}' | '\u{AD}')
}

/// Returns whether an invisible character may begin with this byte.
pub(super) fn is_first(byte: u8) -> bool {
    matches!(byte, 0xC2 | 0xE2)
}

/// Returns the length of the invisible character at `at`.
pub(super) fn len(text: &View<'_>, at: usize) -> Option<usize> {
    text.decode(at).filter(|&(character, _)| is_unseen(character)).map(|(_, len)| len)
}

//! The tildes of typeset text: PDFs hold U+223C or U+02DC for `~` (B-TILDE).

use super::escape::Escape;
use crate::find::text::view::View;

/// The first bytes of the two characters.
pub(super) const FIRST: [u8; 2] = [0xCB, 0xE2];

/// Reads the tilde at `at`. It begins a segment of a path, and an ASCII letter or digit follows it.
pub(super) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    let (_, len) = text.decode(at).filter(|(found, _)| matches!(found, '\u{223C}' | '\u{2DC}'))?;
    let is_of_segment = text[..at].ends_with(b"/") && text.byte(at + len)?.is_ascii_alphanumeric();
    is_of_segment.then(|| Escape::of_path('~', len))
}

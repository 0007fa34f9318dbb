//! The ligatures of typeset text: PDFs hold U+FB01 for `fi` (B-LIGATURE).

use super::escape::Escape;
use crate::bytes::letters;
use crate::find::text::view::View;

/// The first byte of each ligature.
pub(super) const FIRST: u8 = 0xEF;

/// Reads the ligature at `at`. [`letters::of_ligature`] has its letters.
pub(super) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    let (found, len) = text.decode(at).filter(|(found, _)| letters::of_ligature(*found).is_some())?;
    Some(Escape::of_path(found, len))
}

//! Invisible characters, put into URLs so that lines may break there (B-UNSEEN).

use super::escape::{Escape, is_unseen};
use crate::find::text::view::View;

/// The first bytes of the invisible characters.
pub(super) const FIRST: [u8; 2] = [0xC2, 0xE2];

/// Reads the invisible character at `at`, which decodes to nothing.
pub(super) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    text.decode(at).filter(|&(character, _)| is_unseen(character)).map(|(_, len)| Escape::of(None, len))
}

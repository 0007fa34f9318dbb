//! The characters that are written at a place, plainly or as escapes, whatever layer wrote them.
//!
//! The start and the end of a URL look through this door. They need not know the layers.

use crate::find::text::layers::{self, entity};
use crate::find::text::view::View;

/// Returns the length of the escape at `at`, and the character that it stands for, if any. The text
/// is not decoded yet, so the escapes of every layer are accepted, and the decoded text decides
/// later (B-UNI-2).
pub(crate) fn character(view: &View<'_>, at: usize) -> Option<(usize, Option<char>)> {
    layers::read_any(view, at).map(|escape| (escape.len, escape.reads))
}

/// Returns the end of the two escaped slashes at `at`, after a scheme (B-JSON, B-ENT).
pub(crate) fn slashes_end(view: &View<'_>, at: usize) -> Option<usize> {
    let slash = |at| layers::read_slash(view, at).map(|len| at + len);
    slash(at).and_then(slash)
}

/// Returns whether a character reference begins at `at` (B-ENT).
pub(crate) fn begins_reference(view: &View<'_>, at: usize) -> bool {
    entity::read(view, at).is_some()
}

/// Returns the length of the reference to a delimiter at the end of `text` (B-END).
pub(crate) fn delimiter_len(text: &[u8]) -> Option<usize> {
    entity::delimiter_len(text)
}

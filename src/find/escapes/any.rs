//! Escapes in a label whose text is not decoded yet (B-UNI-2).

use super::escape::Escape;
use super::{backslash, entity, roff, terminal, unseen};
use crate::find::view::View;

/// Returns the length of the escape at `at`, and the character that it decodes to, if any. Marks of
/// roff and of B-BACK are both accepted, because the decoded text decides later.
pub(crate) fn read(view: &View<'_>, at: usize) -> Option<(usize, Option<char>)> {
    let escape = match view.byte(at)? {
        b'\\' => roff::escape(view, at).or_else(|| backslash::escape(view, at)),
        byte => without_backslash(view, at, byte),
    };
    escape.map(|escape| (escape.len, escape.reads))
}

/// Reads the escape at `at`, whose first byte is not a `\`: B-ENT, B-TERM or B-UNSEEN.
pub(super) fn without_backslash(view: &View<'_>, at: usize, first: u8) -> Option<Escape> {
    match first {
        b'&' => entity::escape(view, at),
        terminal::ESC => terminal::escape(view, at),
        _ if unseen::is_first(first) => unseen::len(view, at).map(|len| Escape::of(None, len)),
        _ => None,
    }
}

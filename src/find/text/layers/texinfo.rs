//! Links of Texinfo, in which `@` escapes and a comma ends the URL (B-TEXINFO).
//!
//! # Example
//!
//! In `@uref{https://h.example/@@joe,the page}`, the first `@` escapes the second, and the name of
//! the link follows the comma.

use super::escape::Escape;
use crate::find::text::view::View;

/// The commands whose first argument is a URL.
const COMMANDS: [&[u8]; 4] = [b"@uref{", b"@url{", b"@href{", b"@indicateurl{"];

/// Returns whether a command opens right before the URL at `url`.
pub(crate) fn opens_before(text: &[u8], url: usize) -> bool {
    let before = &text[..url];
    before.ends_with(b"{") && COMMANDS.iter().any(|command| before.ends_with(command))
}

/// Reads the escape whose `@` stands at `at`.
pub(super) fn escape(view: &View<'_>, at: usize) -> Option<Escape> {
    let mark = view.byte(at + 1)?;
    match mark {
        b'@' | b'{' | b'}' => Some(Escape::of(Some(char::from(mark)), 2)),
        // a place where the URL may be broken
        b'/' => Some(Escape::of(None, 2)),
        b'c' if view.has(at, b"@comma{}") => Some(Escape::of(Some(','), b"@comma{}".len())),
        _ => None,
    }
}

//! `\` before a mark: Markdown, TeX, shells, Emacs and regular expressions (B-BACK).

use super::escape::Escape;
use super::json;
use crate::find::text::view::View;

/// Reads the escape whose `\` stands at `at`: an escaped mark, or an escape of JSON.
pub(super) fn escape(view: &View<'_>, at: usize) -> Option<Escape> {
    let mark = view.byte(at + 1)?;
    match mark {
        b'.' | b'-' | b'_' | b'/' => Some(Escape::of(Some(char::from(mark)), 2)),
        // In TeX, `\~{}` is a tilde without a letter below it.
        b'~' => Some(Escape::of_path('~', if view.has(at + 2, b"{}") { 4 } else { 2 })),
        b':' if view.byte(at + 2).is_some_and(|byte| byte.is_ascii_digit()) => Some(Escape::of(Some(':'), 2)),
        b'[' | b']' if is_of_literal(view, at, mark) => Some(Escape::of(Some(char::from(mark)), 2)),
        b'*' | b'(' | b')' | b'[' | b']' | b'#' | b'&' | b'%' | b'?' | b'=' | b'$' | b'+' | b':' | b';' | b','
        | b'@' | b'!' => Some(Escape::of_path(char::from(mark), 2)),
        b'\\' | b'u' | b'x' => json::escape(view, at),
        _ => None,
    }
}

/// Returns whether the escaped bracket at `at` stands before or after an IPv6 address.
fn is_of_literal(view: &View<'_>, at: usize, mark: u8) -> bool {
    /// The maximum length of an address.
    const LONGEST: usize = 45;
    let is_of_address = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    if mark == b'[' {
        return matches!(view[..at], [.., b'/', b'/'] | [.., b'@'])
            && view.byte(at + 2).as_ref().is_some_and(is_of_address);
    }
    let address = view[..at].iter().rev().take(LONGEST).take_while(|byte| is_of_address(byte)).count();
    address > 0 && view[..at - address].ends_with(b"\\[")
}

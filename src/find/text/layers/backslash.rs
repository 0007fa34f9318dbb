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
        b'[' if opens_address(view, at) => Some(Escape::of(Some('['), 2)),
        b']' if closes_address(view, at) => Some(Escape::of(Some(']'), 2)),
        b'*' | b'(' | b')' | b'[' | b']' | b'#' | b'&' | b'%' | b'?' | b'=' | b'$' | b'+' | b':' | b';' | b','
        | b'@' | b'!' => Some(Escape::of_path(char::from(mark), 2)),
        b'\\' | b'u' | b'x' => json::escape(view, at),
        _ => None,
    }
}

/// The maximum length of an IPv6 address.
const ADDRESS: usize = 45;

/// Returns whether this byte may belong to an IPv6 address.
fn is_of_address(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.')
}

/// Returns whether the `\[` at `at` opens the address of a host, and `\]` closes it.
fn opens_address(view: &View<'_>, at: usize) -> bool {
    let begin = at + 2;
    view[..at].ends_with(b"://") && {
        let end = view.stretch(begin, begin + ADDRESS, is_of_address);
        view[begin..end].contains(&b':') && view.has(end, b"\\]")
    }
}

/// Returns whether the `\]` at `at` closes the address of a host.
fn closes_address(view: &View<'_>, at: usize) -> bool {
    let length = view[..at].iter().rev().take(ADDRESS).take_while(|&&byte| is_of_address(byte)).count();
    let begin = at - length;
    view[begin..at].contains(&b':') && view[..begin].ends_with(b"://\\[")
}

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
        b'*' | b'(' | b')' | b'[' | b']' | b'#' | b'&' | b'%' | b'?' | b'=' | b'$' | b'+' | b':' | b';' | b','
        | b'@' => Some(Escape::of_path(char::from(mark), 2)),
        b'\\' | b'u' | b'x' => json::escape(view, at),
        _ => None,
    }
}

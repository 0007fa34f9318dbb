//! Control words of TeX, and the braces of BibTeX around a mark (B-TEX).
//!
//! # Example
//!
//! In `https://h.example/\textasciitilde joe/a{\_}b`, the word with its blank is `~`, and the
//! braces with the mark are `_`.

use super::backslash;
use super::escape::Escape;
use crate::find::text::view::View;

/// The control words, and what they print.
const WORDS: [(&[u8], char); 6] = [
    (b"textasciitilde", '~'),
    (b"texttildelow", '~'),
    (b"textunderscore", '_'),
    (b"textdollar", '$'),
    (b"textpercent", '%'),
    (b"sim", '~'),
];

/// The length of the longest control word.
const LONGEST: usize = b"textasciitilde".len();

/// Reads `\textasciitilde`, `{~}`, `{\_}` or `$\sim$` at `at`.
pub(super) fn escape(view: &View<'_>, at: usize) -> Option<Escape> {
    let (reads, end) = match view.byte(at)? {
        b'\\' => word(view, at)?,
        opener @ (b'{' | b'$') => {
            let (reads, end) = match view.byte(at + 1)? {
                b'~' => ('~', at + 2),
                b'\\' => word(view, at + 1).or_else(|| mark(view, at + 1))?,
                _ => return None,
            };
            let closer = if opener == b'{' { b'}' } else { b'$' };
            if view.byte(end) != Some(closer) || opener == b'$' && end == at + 2 {
                return None;
            }
            (reads, end + 1)
        }
        _ => return None,
    };
    Some(Escape::of_path(reads, end - at))
}

/// Reads the control word at `at`, with the blank or the `{}` that ends it.
fn word(view: &View<'_>, at: usize) -> Option<(char, usize)> {
    let end = view.stretch(at + 1, at + 2 + LONGEST, |byte| byte.is_ascii_alphabetic());
    let &(_, reads) = WORDS.iter().find(|(known, _)| *known == &view[at + 1..end])?;
    let after = match view.byte(end) {
        Some(b'{') if view.byte(end + 1) == Some(b'}') => end + 2,
        Some(b' ') if view.byte(end + 1).is_some_and(|byte| byte.is_ascii_alphanumeric()) => end + 1,
        _ => end,
    };
    Some((reads, after))
}

/// Reads the escaped mark at `at`.
fn mark(view: &View<'_>, at: usize) -> Option<(char, usize)> {
    view.byte(at + 1).filter(|byte| b"_%&#~$".contains(byte))?;
    let escape = backslash::escape(view, at)?;
    Some((escape.reads?, at + escape.len))
}

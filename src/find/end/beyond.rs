//! Decides which non-ASCII characters after the authority belong to a URL (B-UNI-1).

use bstr::ByteSlice;

use crate::bytes::limits::BEYOND_BYTES;
use crate::bytes::{letters, scripts};
use crate::find::text::view::View;

/// A character that a run may continue with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Onward {
    Letter(char),
    /// A sign between two letters. The field is the letter after it.
    Joiner(char),
    /// Any other sign that continues a run.
    Sign,
}

/// Returns the length of the non-ASCII letter, sign or symbols at `at`, if a run continues with
/// them. Every run ends at `limit`.
pub(crate) fn length(view: &View<'_>, at: usize, limit: usize) -> Option<usize> {
    step(view, at, limit).map(|(_, len)| len)
}

/// Reads the non-ASCII character at `at`, if a run continues with it (B-UNI-3).
fn step(view: &View<'_>, at: usize, limit: usize) -> Option<(Onward, usize)> {
    let (c, len) = view.decode(at)?;
    if letters::of_ligature(c).is_some() {
        return None; // B-LIGATURE
    }
    if letters::is_letter(c) {
        return Some((Onward::Letter(c), len));
    }
    let before = || bstr::decode_last_utf8(&view[..at]).0;
    let joins = |belongs: fn(char) -> bool| {
        let next = letter(view, at + len, limit).filter(|&next| belongs(next))?;
        before().is_some_and(belongs).then_some((Onward::Joiner(next), len))
    };
    let is_letter = |c: char| letters::is_letter(c) && !c.is_numeric();
    match c {
        '\u{200C}' | '\u{200D}' | '·' | '・' | '\u{F0B}' => joins(is_letter),
        '–' => joins(letters::is_letter),
        '‾' => (before() == Some('/')).then_some((Onward::Sign, len)),
        _ if letters::is_symbol(c) => {
            let end = symbols_end(view, at + len, limit);
            let is_in = before() == Some('=') || is_within(view, at, end, limit);
            is_in.then_some((Onward::Sign, end - at))
        }
        _ => None,
    }
}

/// Returns whether symbols stand within a path (B-UNI-3). A letter or one of `/ _ - .` is before
/// them, and the path continues after them.
fn is_within(view: &View<'_>, at: usize, end: usize, limit: usize) -> bool {
    let continues = |c: char| letters::is_letter(c) || letters::is_symbol(c) || c.is_ascii_alphanumeric();
    let before = bstr::decode_last_utf8(&view[..at]).0;
    let follows = || match view.byte(end + 1) {
        Some(next) if next.is_ascii() => next.is_ascii_alphanumeric() || b"_-%".contains(&next),
        _ => view.decode(end + 1).is_some_and(|(c, _)| continues(c)),
    };
    let is_after_host = || before == Some('/') && follows_symbols(&view[..at - 1]);
    is_after_host()
        || end + 1 < limit
            && before.is_some_and(|c| continues(c) || "/_-.".contains(c))
            && view.byte(end).is_some_and(|mark| b"/_-.?#=&".contains(&mark))
            && follows()
}

/// Returns whether a text ends in `//` and a host with symbols.
fn follows_symbols(text: &[u8]) -> bool {
    const LONGEST: usize = 256;
    let near = &text[text.len().saturating_sub(LONGEST)..];
    let host =
        memchr::memrchr(b'/', near).filter(|&at| near[..at].ends_with(b"/")).map_or(&near[..0], |at| &near[at + 1..]);
    host.chars().any(letters::is_symbol)
}

/// Returns the letter or digit at `at`.
fn letter(view: &View<'_>, at: usize, limit: usize) -> Option<char> {
    let byte = view.byte(at).filter(|_| at < limit)?;
    let c = if byte.is_ascii() { char::from(byte) } else { view.decode(at)?.0 };
    letters::is_letter(c).then_some(c)
}

/// Returns the end of the symbols that begin at `from`, such as emoji, with their joiners and
/// modifiers.
pub(crate) fn symbols_end(view: &View<'_>, from: usize, limit: usize) -> usize {
    let mut at = from;
    while at < limit
        && let Some((c, len)) = view.decode(at)
        && (letters::is_symbol(c) || letters::modifies_symbol(c))
    {
        at += len;
    }
    at
}

/// Decides whether a run continues with its first non-ASCII character, at `at`. `None` means that
/// this character cannot belong to a URL.
pub(crate) fn continues(view: &View<'_>, at: usize, authority_end: usize, limit: usize) -> Option<bool> {
    let (step, _) = step(view, at, limit)?;
    let letter = match step {
        Onward::Letter(c) | Onward::Joiner(c) if !c.is_ascii() && scripts::is_unspaced(c) => c,
        _ => return Some(true),
    };
    let word_end = word_end(view, at, limit);
    if is_followed(view, word_end) {
        return Some(true);
    }
    let is_announced = match view[at - 1] {
        b'/' => at - 1 > authority_end,
        before => matches!(before, b'=' | b'_' | b'-' | b':' | b'#' | b'?' | b'&'),
    };
    Some(is_announced && !scripts::is_hiragana(letter) && !is_closed_by_mark(view, word_end))
}

/// Returns the end of the word that begins with the non-ASCII character at `from`. The word has
/// non-ASCII letters and signs, then ASCII letters and digits.
fn word_end(view: &View<'_>, from: usize, limit: usize) -> usize {
    let to = limit.min(from + BEYOND_BYTES);
    let mut at = from;
    while at < to
        && view.byte(at).is_some_and(|byte| !byte.is_ascii())
        && let Some(len) = length(view, at, limit)
    {
        at += len;
    }
    view.stretch(at, to.max(at), |byte| byte.is_ascii_alphanumeric())
}

/// Returns whether a URL continues after the word that ends at `at`. An extension continues it. So
/// does `/` or a similar mark before another character.
fn is_followed(view: &View<'_>, at: usize) -> bool {
    /// The maximum length of an extension.
    const EXTENSION: usize = 5;
    match view.byte(at) {
        Some(mark @ (b'/' | b'_' | b'-' | b'#' | b'?' | b'=' | b'&' | b'%')) => match view.byte(at + 1) {
            Some(next) if next.is_ascii() => {
                next.is_ascii_alphanumeric() || b"/_-#?=&%~+$@".contains(&next) && !(mark == b'/' && next == b'/')
            }
            _ => view.decode(at + 1).is_some_and(|(c, _)| letters::is_letter(c)),
        },
        Some(b'.') => {
            let end = view.stretch(at + 1, at + 2 + EXTENSION, |byte| byte.is_ascii_alphanumeric());
            (2..=EXTENSION).contains(&(end - at - 1)) && view.byte(end) != Some(b':')
        }
        _ => false,
    }
}

/// Returns whether a punctuation mark of Chinese or Japanese text stands at `at`.
fn is_closed_by_mark(view: &View<'_>, at: usize) -> bool {
    let is_mark = |c| "。．｡、，､；：？！（）［］｛｝「」｢｣『』〈〉《》【】〔〕〖〗〘〙〝〞〟“”‘’…".contains(c);
    view.byte(at).is_some_and(|byte| !byte.is_ascii()) && view.decode(at).is_some_and(|(c, _)| is_mark(c))
}

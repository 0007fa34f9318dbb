//! Placeholder and defanged hosts: B-NOHOST. An authority that stops at a placeholder or a
//! defanging mark belongs to no URL.

use crate::find::matches::RefusedHost;
use crate::find::text::view::View;

/// The marks that stand for a dot in a defanged host, in lower case.
pub(crate) const DOTS: [&[u8]; 5] = [b"[.]", b"(.)", b"{.}", b"[dot]", b"(dot)"];
/// The mark that stands for a colon in a defanged URL.
pub(crate) const COLON: &[u8] = b"[:]";

/// The maximum length of a name between `<` and `>`.
const LONGEST_NAME: usize = 64;

/// Returns the meaning of the mark at which an authority stops, if it stops at one (B-NOHOST).
pub(crate) fn mark(text: &View<'_>, at: usize) -> Option<RefusedHost> {
    use RefusedHost::{Defanged, Placeholder};
    let is_wordy = |at: usize| text.byte(at).is_some_and(|byte| byte.is_ascii_alphanumeric());
    match text.byte(at)? {
        b'$' => (is_wordy(at + 1) || matches!(text.byte(at + 1), Some(b'{' | b'('))).then_some(Placeholder),
        b'%' => text.byte(at + 1).is_some_and(is_format).then_some(Placeholder),
        b'<' => is_name(text, at).then_some(Placeholder),
        opener @ (b'{' | b'[' | b'(') => {
            let is_defanged =
                DOTS.iter().chain([&COLON]).any(|mark| reads(text, at, mark) && is_wordy(at + mark.len()));
            if is_defanged { Some(Defanged) } else { (opener == b'{').then_some(Placeholder) }
        }
        _ => None,
    }
}

/// Returns whether the variable at `at` follows a complete host (B-NOHOST). Such a host has a dot,
/// and ends in a label of letters. Nothing that might continue the host follows the variable.
pub(crate) fn is_variable_after(text: &View<'_>, host: &[u8], at: usize) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let label = host.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if label < 2 || !host[..host.len() - label].ends_with(b".") || text.byte(at) != Some(b'$') {
        return false;
    }
    let brace = text.stretch(at + 1, at + 2, |byte| byte == b'{');
    let name = text.stretch(brace, brace + LONGEST_NAME, is_of_name);
    let end = if brace > at + 1 { text.stretch(name, name + 1, |byte| byte == b'}') } else { name };
    name > brace
        && (brace == at + 1 || end > name)
        && !text.byte(end).is_some_and(|byte| is_of_name(byte) || b".-:$@{%[(".contains(&byte))
}

/// Returns whether a letter after `%` stands for a value.
pub(crate) fn is_format(byte: u8) -> bool {
    matches!(byte, b's' | b'd' | b'S' | b'v')
}

/// Returns whether `lower` stands at `at`, in upper or lower case.
fn reads(text: &View<'_>, at: usize, lower: &[u8]) -> bool {
    lower.iter().enumerate().all(|(i, byte)| text.byte(at + i).is_some_and(|found| found.to_ascii_lowercase() == *byte))
}

/// Returns whether `<name>` stands at `at` and the host or path continues after it. HTML elements
/// are excluded: `http://h.example<br>Next`.
fn is_name(text: &View<'_>, at: usize) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let end = text.stretch(at + 1, at + 1 + LONGEST_NAME, is_of_name);
    let name = &text[(at + 1).min(end)..end];
    !name.is_empty()
        && text.byte(end) == Some(b'>')
        && text.byte(end + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b':' | b'.'))
        && !ELEMENTS.iter().any(|element| name.eq_ignore_ascii_case(element.as_bytes()))
}

/// HTML elements that stand right after a word, without attributes.
const ELEMENTS: [&str; 36] = [
    "a",
    "abbr",
    "article",
    "b",
    "big",
    "blockquote",
    "br",
    "center",
    "cite",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "hr",
    "i",
    "kbd",
    "li",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "td",
    "tr",
    "tt",
    "u",
    "ul",
];

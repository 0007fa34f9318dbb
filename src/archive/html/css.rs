//! The references in CSS: `url(…)` and `@import "…"`.
//!
//! Parses only a part of CSS Syntax Module Level 3: comments, strings, escapes (4.3.7) and `url(`
//! tokens (4.3.6). Even in a broken style sheet the text between the brackets is returned.

use std::ops::Range;

/// The range of a reference between its quotes or brackets, and its decoded text if it has escapes.
pub(super) type Found = (Range<usize>, Option<Vec<u8>>);

/// Returns the first `most` references, and the offset up to which the CSS was read.
pub(super) fn references(css: &[u8], most: usize) -> (Vec<Found>, usize) {
    let mut found = Vec::new();
    if !may_hold_reference(css) {
        return (found, css.len());
    }
    let mut at = 0;
    // Skips comments, strings and escapes, because `url(` in them is not a reference.
    while let Some(&byte) = css.get(at)
        && found.len() < most
    {
        match byte {
            b'/' if css[at..].starts_with(b"/*") => at = after_comment(css, at),
            b'"' | b'\'' => at = string(css, at).end + 1,
            b'\\' => at += 2,
            b'u' | b'U' if starts_with(&css[at..], b"url(") && !is_name(css, at) => {
                let (reference, after) = in_brackets(css, at + 4);
                found.push(reference);
                at = after;
            }
            b'@' if starts_with(&css[at..], b"@import") => {
                at = after_blanks(css, at + 7);
                if matches!(css.get(at), Some(b'"' | b'\'')) {
                    let inner = string(css, at);
                    at = inner.end + 1;
                    found.push(unescaped(css, inner));
                }
            }
            _ => at += 1 + css[at + 1..].iter().take_while(|&&byte| !IS_SPECIAL[usize::from(byte)]).count(),
        }
    }
    (found, at.min(css.len()))
}

/// The bytes at which a reference, a comment, a string or an escape may begin.
const IS_SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let special = b"/\"'\\uU@";
    let mut at = 0;
    while at < special.len() {
        table[special[at] as usize] = true;
        at += 1;
    }
    table
};

/// Returns whether `url(` or `@import` occurs anywhere, even in a comment.
fn may_hold_reference(css: &[u8]) -> bool {
    memchr::memchr2_iter(b'(', b'@', css).any(|at| match css[at] {
        b'@' => starts_with(&css[at..], b"@import"),
        _ => at >= 3 && starts_with(&css[at - 3..], b"url"),
    })
}

fn starts_with(css: &[u8], word: &[u8]) -> bool {
    css.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Returns true if the byte before `at` belongs to the same name: `curl(` is not `url(`.
fn is_name(css: &[u8], at: usize) -> bool {
    css[..at].last().is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..))
}

fn after_comment(css: &[u8], at: usize) -> usize {
    memchr::memmem::find(&css[at + 2..], b"*/").map_or(css.len(), |length| at + 2 + length + 2)
}

/// Skips white space and comments.
fn after_blanks(css: &[u8], mut at: usize) -> usize {
    loop {
        match css.get(at) {
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            Some(b'/') if css[at..].starts_with(b"/*") => at = after_comment(css, at),
            _ => return at,
        }
    }
}

/// Returns the range inside the quotes: up to the closing quote or a line break (a bad string).
fn string(css: &[u8], quote: usize) -> Range<usize> {
    let mut at = quote + 1;
    while let Some(&byte) = css.get(at) {
        match byte {
            b'\n' | b'\r' | b'\x0c' => break,
            b'\\' => at += 1 + escape(&css[at + 1..]).0.max(1),
            _ if byte == css[quote] => break,
            _ => at += 1,
        }
    }
    quote + 1..at.min(css.len())
}

/// Reads the reference after `url(`. Returns it, and the offset after its closing quote or bracket.
fn in_brackets(css: &[u8], at: usize) -> (Found, usize) {
    let at = at + css[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let inner = if matches!(css.get(at), Some(b'"' | b'\'')) {
        string(css, at)
    } else {
        // An unquoted reference ends at the first unescaped closing bracket, even after a blank.
        let mut end = at;
        while let Some(&byte) = css.get(end) {
            match byte {
                b')' => break,
                b'\\' => end += 1 + escape(&css[end + 1..]).0,
                _ => end += 1,
            }
        }
        at..end.min(css.len())
    };
    // The main loop skips the bytes between a closing quote and the bracket.
    let after = inner.end + 1;
    (unescaped(css, inner), after)
}

fn unescaped(css: &[u8], range: Range<usize>) -> Found {
    let text = &css[range.clone()];
    let Some(first) = memchr::memchr(b'\\', text) else { return (range, None) };
    let mut bytes = text[..first].to_vec();
    let mut at = first;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let (length, character) = escape(&text[at..]);
        match character {
            Some(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            // The byte stands for itself. But an escaped line break in a string stands for nothing.
            None if !matches!(text.get(at), Some(b'\n' | b'\r' | b'\x0c')) => {
                bytes.extend_from_slice(&text[at..at + length]);
            }
            None => {}
        }
        at += length;
    }
    (range, Some(bytes))
}

/// Returns the length of the escape after a backslash. Also returns the character if the escape is
/// a number. A number has up to six hexadecimal digits, and may be followed by one white space.
fn escape(text: &[u8]) -> (usize, Option<char>) {
    let digits = text.iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if digits == 0 {
        let is_break = text.starts_with(b"\r\n");
        return (text.len().min(if is_break { 2 } else { 1 }), None);
    }
    let number = text[..digits]
        .iter()
        .fold(0, |number, &digit| number * 16 + char::from(digit).to_digit(16).unwrap_or_default());
    let character = char::from_u32(number).filter(|&character| character != '\0');
    let blank = match text.get(digits) {
        Some(b'\r') if text.get(digits + 1) == Some(&b'\n') => 2,
        Some(byte) if byte.is_ascii_whitespace() => 1,
        _ => 0,
    };
    (digits + blank, Some(character.unwrap_or(char::REPLACEMENT_CHARACTER)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(css: &str, expected: &[&str]) {
        let found: Vec<String> = references(css.as_bytes(), usize::MAX)
            .0
            .into_iter()
            .map(|(range, bytes)| {
                let bytes = bytes.unwrap_or_else(|| css.as_bytes()[range].to_vec());
                String::from_utf8(bytes).expect("of text")
            })
            .collect();
        let found: Vec<&str> = found.iter().map(|text| text.trim()).collect();
        assert_eq!(found, expected, "{css:?}");
    }

    #[test]
    fn what_is_found() {
        check("", &[]);
        check("a { background: url(x.png) }", &["x.png"]);
        check("a{background:URL( 'x y.png' )no-repeat,url(\"z\")}", &["x y.png", "z"]);
        check("url( x.png )url()", &["x.png", ""]);
        check("url(x", &["x"]);
        check("url('x", &["x"]);
        check("url('x\n);b:url(y)", &["x", "y"]);
        check("curl(x) -url(y) _url(z) url (v)", &[]);
        check("/* url(x) */ url(y) /* url(z)", &["y"]);
        check("content: 'url(x)'; b: \"it\\\"s url(y)\" url(z)", &["z"]);
        check(
            "@import 'a.css' screen; @import/**/\"b.css\"; @IMPORT url(c.css); @import d",
            &["a.css", "b.css", "c.css"],
        );
        check("@import '", &[""]);
    }

    #[test]
    fn no_more_than_are_asked_for() {
        let (found, end) = references(b"url(a) url(b) url(c)", 2);
        assert_eq!((found.len(), end), (2, 13));
        assert_eq!(references(b"url(a", 1).1, 5);
        assert_eq!(references(b"a: b", 1).1, 4);
    }

    #[test]
    fn escapes() {
        check(r"url(a\)b\ c)", &["a)b c"]);
        check(r"url(\68 ttp\3A//a)", &["http://a"]);
        check(r"url(\000068ttp\00003a\2f\2f a.example/)", &["http://a.example/"]);
        check(r"url('a\27 b\'c')", &["a'b'c"]);
        check("url('a\\\nb\\\r\nc')", &["abc"]);
        check(r"url(\0 x\110000 y\d800 z)", &["\u{fffd}x\u{fffd}y\u{fffd}z"]);
        check(r"url(a\", &["a"]);
        check("url('a\\", &["a"]);
        check(r"\75rl(x)\", &[]); // an escaped function name is not recognised
    }
}

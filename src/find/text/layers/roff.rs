//! Manual pages: their escapes in a URL, and the requests that identify a manual page (B-ROFF).

use super::escape::Escape;
use super::json;
use crate::bytes::limits::{LINE_START, ROFF_LINES_AFTER, ROFF_LINES_BEFORE};
use crate::find::text::lines::{after_break, is_blank, is_break};
use crate::find::text::view::View;

/// The named characters that a URL may hold.
const NAMES: [(&[u8], char); 12] = [
    (b"ti", '~'),
    (b"at", '@'),
    (b"sh", '#'),
    (b"Do", '$'),
    (b"ul", '_'),
    (b"sl", '/'),
    (b"eq", '='),
    (b"pl", '+'),
    (b"hy", '-'),
    (b"mi", '-'),
    (b"lB", '['),
    (b"rB", ']'),
];

/// Reads the escape whose `\` stands at `at`: `\-`, `\(ti` or another escape of roff, or an escape
/// of JSON.
pub(crate) fn escape(view: &View<'_>, at: usize) -> Option<Escape> {
    let (len, reads) = match view.byte(at + 1)? {
        mark @ (b'-' | b'.') => (2, Some(char::from(mark))),
        b'(' => (4, Some(named(view.get(at + 2..view.upto(at + 4))?)?)),
        b'[' => return bracketed(view, at),
        b'&' | b':' | b'%' | b'/' | b'|' | b'^' => (2, None),
        _ => return json::escape(view, at),
    };
    Some(Escape::of(reads, len))
}

fn named(name: &[u8]) -> Option<char> {
    NAMES.iter().find(|(known, _)| *known == name).map(|&(_, character)| character)
}

/// Reads `\[ti]` or `\[u00E9]` at `at`.
fn bracketed(view: &View<'_>, at: usize) -> Option<Escape> {
    /// The maximum length of a name: `u10FFFF`.
    const LONGEST: usize = 7;
    let end = view.stretch(at + 2, at + 2 + LONGEST, |byte| byte.is_ascii_alphanumeric());
    let name = &view[(at + 2).min(end)..end];
    if view.byte(end) != Some(b']') {
        return None;
    }
    let of_code = || {
        let digits = name.strip_prefix(b"u").filter(|digits| digits.len() >= 4)?;
        char::from_u32(u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?)
    };
    Escape::character(named(name).or_else(of_code)?, end + 1 - at)
}

/// Returns whether the lines around the URL that begins at `url` are those of a manual page.
pub(crate) fn is_in_roff(text: &View<'_>, url: usize) -> bool {
    is_below_request(text, url) || is_above_request(text, url)
}

/// Returns whether the line of `url` or a line before it begins with a roff request.
fn is_below_request(text: &[u8], url: usize) -> bool {
    let low = url.saturating_sub(LINE_START + 1);
    let mut end = url;
    for _ in 0..=ROFF_LINES_BEFORE {
        let Some(found) = memchr::memrchr2(b'\n', b'\r', &text[low..end]) else {
            return url <= LINE_START && is_request(text);
        };
        end = low + found;
        if is_request(&text[end + 1..]) {
            return true;
        }
        end -= usize::from(text[..=end].ends_with(b"\r\n") && end > low);
    }
    false
}

/// Returns whether a line after the line of `url` begins with a roff request.
fn is_above_request(text: &View<'_>, url: usize) -> bool {
    let high = url + LINE_START;
    let mut at = url;
    for _ in 0..ROFF_LINES_AFTER {
        let Some(found) = text.find(at, high, |bytes| memchr::memchr2(b'\n', b'\r', bytes)) else { return false };
        at = after_break(text, found);
        if at > high.min(text.len()) {
            return false;
        }
        text.upto(at + 4); // the bytes that `is_request` needs
        if is_request(&text[at..]) {
            return true;
        }
    }
    false
}

/// Returns whether a line begins with `.\"`, or with `.` and a word of one or two capitals.
fn is_request(line: &[u8]) -> bool {
    let Some(name) = line.strip_prefix(b".") else { return false };
    let capitals = name.iter().take(3).take_while(|b| b.is_ascii_uppercase()).count();
    name.starts_with(b"\\\"")
        || matches!(capitals, 1 | 2) && name.get(capitals).is_none_or(|&b| is_blank(b) || is_break(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_pages() {
        let lines = |count: usize| "x\n".repeat(count);
        let long = "x".repeat(LINE_START);
        for (before, after, expected) in [
            (".SH X\n".to_string(), String::new(), true),
            (".\\\" x\r\n".to_string(), String::new(), true),
            (".B\r".to_string(), String::new(), true),
            (".UR ".to_string(), String::new(), true),
            (".PPP\n.Sh\n.\n .B\n.\\'\n..B\n".to_string(), String::new(), false),
            (format!(".B\n{}", lines(15)), String::new(), true),
            (format!(".B\r\n{}", lines(16)), String::new(), false),
            (String::new(), format!("\n{}.B", lines(7)), true),
            (String::new(), format!("\n{}.B", lines(8)), false),
            (format!(".B {}", &long[3..]), String::new(), true),
            (format!(".B {}", &long[2..]), String::new(), false),
            (format!("\n.B {}", &long[3..]), String::new(), true),
            (format!("\n.B {}", &long[2..]), String::new(), false),
            (String::new(), format!("{}\n.B", &long[1..]), true),
            (String::new(), format!("{long}\n.B"), false),
        ] {
            let text = format!("{before}{after}");
            assert_eq!(is_in_roff(&View::whole(text.as_bytes()), before.len()), expected, "{before:?} {after:?}");
        }
    }
}

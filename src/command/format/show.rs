//! The display of text, numbers and sizes for people.

use std::borrow::Cow;
use std::fmt;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use urlgrep::report::escape;

use crate::command::model::{ERRORS, RELATIVE_LINKS, Summary, UNDECODED_PARTS, UNREAD_INPUTS};

/// The limits of a report without findings.
pub(super) const CLEAN: &str =
    "The links may still be unsafe or broken: an audit reads the text of a link, and contacts no server.";

/// Returns text of the archive. Characters that would hide or reorder it, or command a terminal,
/// are made visible.
pub(in crate::command) fn shown(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text)
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
    {
        return text.into();
    }
    let mut out = Vec::new();
    escape(text, &mut out);
    // Escaping leaves only valid UTF-8. The lossy conversion avoids `unsafe` code or a panic.
    String::from_utf8_lossy(&out).into_owned().into()
}

/// Returns the columns that a text needs on a terminal.
pub(in crate::command) fn width(text: &str) -> usize {
    text.width()
}

/// Returns a text in at most `most` columns: `…` replaces its middle. The beginning of a URL
/// matters more than its end, so it gets two thirds.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most || width(text) <= most {
        return text.into();
    }
    let room = most.saturating_sub(1);
    let columns = |c: char| c.width().unwrap_or(0);
    let mut left = room - room / 3;
    let head = text.find(|c| taken(&mut left, columns(c))).unwrap_or(text.len());
    let mut left = room / 3;
    let tail = text.char_indices().rev().find(|&(_, c)| taken(&mut left, columns(c)));
    let tail = tail.map_or(0, |(at, c)| at + c.len_utf8());
    format!("{}…{}", &text[..head], &text[tail.max(head)..]).into()
}

/// Subtracts columns from `left`, and returns true if too few are left.
fn taken(left: &mut usize, columns: usize) -> bool {
    match left.checked_sub(columns) {
        Some(rest) => {
            *left = rest;
            false
        }
        None => true,
    }
}

/// Returns the words of a text in lines of at most `most` columns. A longer word has its own line.
pub(in crate::command) fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A number with separated thousands: `1,234,567`.
#[derive(Clone, Copy)]
pub(super) struct Count(pub(super) u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        f.pad(&grouped)
    }
}

/// Returns a count with its noun: `1 place`, `2 places`.
pub(super) fn counted(count: u64, one: &str) -> String {
    format!("{} {one}{}", Count(count), if count == 1 { "" } else { "s" })
}

/// Returns sentences on the inputs that were not read, or only in part, and on relative links
/// without a base. Returns `None` if there are none.
pub(super) fn gaps(summary: &Summary) -> Option<String> {
    let named = |name: &str, one: &str| {
        let (_, count) = summary.refused.iter().find(|(refused, _)| refused == name)?;
        Some(counted(*count, one))
    };
    let gaps = [named(UNDECODED_PARTS, "undecoded part"), named(UNREAD_INPUTS, "unread file"), named(ERRORS, "error")];
    let gaps: Vec<String> = gaps.into_iter().flatten().collect();
    let unread = (!gaps.is_empty()).then(|| format!("Not read, or only in part: {}.", gaps.join(", ")));
    let unresolved = named(RELATIVE_LINKS, "relative link")
        .map(|links| format!("Without a target, because no base is known (--base URL): {links}."));
    let sentences: Vec<String> = unread.into_iter().chain(unresolved).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// A number of bytes with three digits: `1.23 GB`.
pub(super) struct Size(pub(super) u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut size = self.0 as f64;
        let mut unit = "bytes";
        for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
            // The limits allow for rounding: 999.5 would be shown as 1000.
            if size < 999.5 {
                break;
            }
            size /= 1000.0;
            unit = larger;
        }
        let decimals = if self.0 < 1000 || size >= 99.95 {
            0
        } else if size >= 9.995 {
            1
        } else {
            2
        };
        write!(f, "{size:.decimals$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes() {
        for (count, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(Count(count).to_string(), expected);
        }
        assert_eq!(format!("{:>7}|", Count(1000)), "  1,000|");
        assert_eq!((counted(1, "place"), counted(2000, "place")), ("1 place".into(), "2,000 places".into()));
        for (size, expected) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (999_499, "999 kB"),
            (999_500, "1.00 MB"),
            (56_700_000, "56.7 MB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(Size(size).to_string(), expected);
        }
    }

    #[test]
    fn cut_text_keeps_its_ends_and_fits() {
        assert_eq!(cut("http://a.example/", 17), "http://a.example/");
        assert_eq!(cut("http://a.example/path/file", 20), "http://a.exam…h/file");
        assert_eq!(cut("日本語のテキスト", 9), "日本語…ト");
        for text in ["http://a.example/path/file", "日本語のテキスト", "aé日本😀", "e\u{301}e\u{301}e\u{301}e\u{301}"]
        {
            for most in 1..40 {
                let cut = cut(text, most);
                assert!(width(&cut) <= most, "{cut} in {most}");
                assert!(cut == text || cut.contains('…'));
            }
        }
    }

    #[test]
    fn wrapped_text_loses_no_word() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a verylongword b", 5), ["a", "verylongword", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }
}

//! The escapes of RTF: `\'e9` is a byte of the document's code page, `\u233?` a character.
//!
//! Only the escapes are decoded. Control words and groups stay, since each ends a URL. The fragment
//! of a field's link, `\\l "frag"`, is joined to its URL.
//!
//! # Example
//!
//! ```text
//! {\rtf1\ansi\ansicpg1252{\field{\*\fldinst{HYPERLINK "https://h/caf\'e9"}}{\fldrslt x}}}
//! ```
//!
//! The code page is 1252, in which E9 is `é`. So the field holds `"https://h/café"`.

use std::ops::Range;

use memchr::{memchr_iter, memchr2_iter, memmem};

use crate::archive::charset::Charset;
use crate::archive::html::before_fragment;
use crate::archive::pruned::Pruned;
use crate::bytes::class::{self, HEX};
use crate::bytes::logical::Logical;

/// The number of bytes at the start that may name the code page.
const HEAD: usize = 1024;

/// Returns whether a text begins as RTF.
pub(crate) fn is_rtf(text: &[u8]) -> bool {
    text.starts_with(b"{\\rtf")
}

/// Returns the code page that the header names. Without one, it is Windows-1252.
pub(crate) fn code_page(head: &[u8]) -> u16 {
    const NAME: &[u8] = b"\\ansicpg";
    const WESTERN: u16 = 1252;
    let head = &head[..head.len().min(HEAD)];
    let Some(at) = memmem::find(head, NAME) else { return WESTERN };
    let number = &head[at + NAME.len()..];
    let length = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    str::from_utf8(&number[..length]).ok().and_then(|number| number.parse().ok()).unwrap_or(WESTERN)
}

fn charset_of(code_page: u16) -> Charset {
    match code_page {
        932 => Charset::from_label(b"shift_jis"),
        936 => Charset::from_label(b"gbk"),
        949 => Charset::from_label(b"euc-kr"),
        950 => Charset::from_label(b"big5"),
        65001 => Charset::from_label(b"utf-8"),
        _ => Charset::from_label(format!("windows-{code_page}").as_bytes()),
    }
}

/// Decodes the escapes. Returns `None` if there are none.
pub(crate) fn unescape(text: &[u8], code_page: u16) -> Option<Logical> {
    let charset = charset_of(code_page);
    let mut pruned = Pruned::new(text);
    let mut links = split_links(text).peekable();
    let mut from = 0;
    for at in memchr_iter(b'\\', text) {
        if at < from {
            continue;
        }
        while links.next_if(|between| between.end <= at).is_some() {}
        if let Some(between) = links.next_if(|between| (from..=at).contains(&between.start)) {
            from = between.end;
            pruned.replace(between, b"#");
            continue;
        }
        from = match text.get(at + 1) {
            Some(b'\'') => decode_bytes(text, at, charset, &mut pruned),
            Some(b'u') => decode_character(text, at, &mut pruned).unwrap_or(at + 1),
            Some(mark @ (b'\\' | b'{' | b'}')) => {
                pruned.replace(at..at + 2, &[*mark]);
                at + 2
            }
            Some(b'_') => {
                pruned.replace(at..at + 2, b"-"); // a hyphen at which no line breaks
                at + 2
            }
            _ => at + 1,
        };
    }
    drop(links);
    pruned.finish()
}

/// Returns the text between the URL and its fragment, for each field on one line that has both.
fn split_links(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    /// The maximum length of an instruction.
    const LONGEST: usize = 4096;
    let ends = |byte: &u8| matches!(byte, b'{' | b'}' | b'\r' | b'\n');
    let mut keywords = memmem::find_iter(text, b"HYPERLINK").peekable();
    std::iter::from_fn(move || {
        let start = keywords.next()?;
        let next = keywords.peek().copied().unwrap_or(text.len());
        let line = &text[start..next.min(start + LONGEST)];
        let length = line.iter().position(ends).unwrap_or(line.len());
        Some(before_fragment(&line[..length]).map(|between| start + between.start..start + between.end))
    })
    .flatten()
}

/// Decodes the bytes `\'hh` in a row at `at`, since a character may have several. Returns their
/// end.
fn decode_bytes(text: &[u8], at: usize, charset: Charset, pruned: &mut Pruned<'_>) -> usize {
    const LENGTH: usize = b"\\'hh".len();
    /// The maximum number of bytes that are decoded together.
    const MOST: usize = 64;
    let byte_of = |escape: &[u8]| match escape {
        [b'\\', b'\'', high, low] if HEX.contains(*high) && HEX.contains(*low) => Some(class::octet(*high, *low)),
        _ => None,
    };
    let bytes: Vec<u8> = text[at..].chunks_exact(LENGTH).map_while(byte_of).take(MOST).collect();
    let end = at + LENGTH * bytes.len();
    if bytes.is_empty() {
        return at + 1;
    }
    pruned.replace(at..end, &charset.decode(&bytes).into_text(&bytes));
    end
}

/// Decodes `\u233?` at `at`: a number, a blank that ends it, and what older readers show instead.
/// Returns its end.
fn decode_character(text: &[u8], at: usize, pruned: &mut Pruned<'_>) -> Option<usize> {
    let begin = at + b"\\u".len();
    let sign = usize::from(text.get(begin) == Some(&b'-'));
    let digits = text[begin + sign..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = begin + sign + digits;
    let number: i32 = str::from_utf8(&text[begin..end]).ok()?.parse().ok()?;
    // A number from 32768 on is written as a negative one.
    let character = char::from_u32(u32::try_from(number + if number < 0 { 0x1_0000 } else { 0 }).ok()?)?;
    end += usize::from(text.get(end) == Some(&b' '));
    end += match text.get(end..) {
        Some([b'\\', b'\'', _, _, ..]) => 4,
        Some([b'\\' | b'{' | b'}' | b'\r' | b'\n', ..] | []) | None => 0,
        Some(_) => 1,
    };
    pruned.replace(at..end, character.encode_utf8(&mut [0; 4]).as_bytes());
    Some(end)
}

/// Returns the length of the longest start of `bytes` that cuts no escape, and no character of
/// several escapes. It ends after a line or a group.
pub(crate) fn whole_len(bytes: &[u8]) -> usize {
    let is_end = |&at: &usize| bytes[at] == b'\n' || !bytes[..at].ends_with(b"\\");
    memchr2_iter(b'\n', b'}', bytes).rev().find(is_end).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn unescaped(text: &str) -> String {
        let Some(whole) = unescape(text.as_bytes(), code_page(text.as_bytes())) else { return text.to_owned() };
        for (at, byte) in whole.bytes().iter().enumerate() {
            let place = whole.source(at..at + 1).start;
            assert!(text.as_bytes()[place] == *byte || !byte.is_ascii_alphanumeric(), "{text}");
        }
        String::from_utf8(whole.into_parts().0).unwrap()
    }

    fn unescaped_or_same(text: &[u8], page: u16) -> Vec<u8> {
        unescape(text, page).map_or(text.to_vec(), |whole| whole.into_parts().0)
    }

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("caf\\'e9/menu", "caf\u{e9}/menu"),
            ("{\\rtf1\\ansi\\ansicpg1251 \\'ea\\'eb", "{\\rtf1\\ansi\\ansicpg1251 \u{43a}\u{43b}"),
            ("{\\rtf1\\ansi\\ansicpg932 \\'83\\'65x", "{\\rtf1\\ansi\\ansicpg932 \u{30c6}x"),
            ("caf\\u233?/x \\u233 ?b \\u8364\\'80c \\u-3913?", "caf\u{e9}/x \u{e9}b \u{20ac}c \u{f0b7}"),
            ("a\\{b\\}c\\\\d\\_e", "a{b}c\\d-e"),
            ("\\'zz \\'+1 \\u \\ul x \\uc1 \\'e", "\\'zz \\'+1 \\u \\ul x \\uc1 \\'e"),
            ("\\u55357?", "\\u55357?"),
            ("{HYPERLINK \"u?a&b\" \\\\l \"c\" \\'e9}\\'e9", "{HYPERLINK \"u?a&b#c\" \u{e9}}\u{e9}"),
            ("HYPERLINK \"caf\\'e9\" \\\\o \"tip\" \\\\l \"b\"", "HYPERLINK \"caf\u{e9}#b\""),
            ("HYPERLINK \"u#a\" \\\\l \"b\"", "HYPERLINK \"u#a\" \\l \"b\""),
            ("HYPERLINK \"u\"} \\\\l \"b\"", "HYPERLINK \"u\"} \\l \"b\""),
            ("HYPERLINK \"u\" HYPERLINK \"v\" \\\\l \"b\"", "HYPERLINK \"u\" HYPERLINK \"v#b\""),
        ] {
            assert_eq!(unescaped(text), expected, "{text}");
        }
    }

    /// Checks that pieces which end after lines and groups decode as the whole does.
    #[test]
    fn pieces_decode_as_the_whole() {
        let text =
            "{\\rtf1\\ansicpg932 {HYPERLINK \"u\" \\\\l \"f\"\n}{x\\'83\\'65}\\'83\\'65y\\u233?{}\\u8364\\'80c\\}\\\\}d\\u233\n?\\'83\n\\'65}\\'83"
                .as_bytes();
        let page = code_page(text);
        let whole = unescaped_or_same(text, page);
        let cuts: BTreeSet<usize> = (0..text.len()).map(|end| whole_len(&text[..end])).collect();
        assert!(cuts.len() > 5, "{cuts:?}");
        for cut in cuts {
            let pieces = [&text[..cut], &text[cut..]].map(|piece| unescaped_or_same(piece, page));
            assert_eq!(pieces.concat(), whole, "{cut}");
        }
    }
}

//! Character references of HTML in any text (B-ENT).

use super::escape::{Escape, is_unseen};
use crate::find::text::stops;
use crate::find::text::view::View;

/// The names of delimiters, of the characters of URLs, and of invisible characters. `amp` is not
/// among them.
const NAMES: [(&[u8], char); 74] = [
    (b"lt", '<'),
    (b"gt", '>'),
    (b"quot", '"'),
    (b"apos", '\''),
    (b"nbsp", '\u{A0}'),
    (b"NonBreakingSpace", '\u{A0}'),
    (b"ensp", '\u{2002}'),
    (b"emsp", '\u{2003}'),
    (b"numsp", '\u{2007}'),
    (b"puncsp", '\u{2008}'),
    (b"thinsp", '\u{2009}'),
    (b"hairsp", '\u{200A}'),
    (b"Tab", '\t'),
    (b"NewLine", '\n'),
    (b"lsquo", '\u{2018}'),
    (b"rsquo", '\u{2019}'),
    (b"rsquor", '\u{2019}'),
    (b"sbquo", '\u{201A}'),
    (b"lsquor", '\u{201A}'),
    (b"ldquo", '\u{201C}'),
    (b"rdquo", '\u{201D}'),
    (b"rdquor", '\u{201D}'),
    (b"bdquo", '\u{201E}'),
    (b"ldquor", '\u{201E}'),
    (b"laquo", '\u{AB}'),
    (b"raquo", '\u{BB}'),
    (b"lsaquo", '\u{2039}'),
    (b"rsaquo", '\u{203A}'),
    (b"lang", '\u{27E8}'),
    (b"rang", '\u{27E9}'),
    (b"langle", '\u{27E8}'),
    (b"rangle", '\u{27E9}'),
    (b"hellip", '\u{2026}'),
    (b"mldr", '\u{2026}'),
    (b"mdash", '\u{2014}'),
    (b"ndash", '\u{2013}'),
    (b"middot", '\u{B7}'),
    (b"bull", '\u{2022}'),
    (b"grave", '`'),
    (b"Hat", '^'),
    (b"bsol", '\\'),
    (b"verbar", '|'),
    (b"vert", '|'),
    (b"VerticalLine", '|'),
    (b"sol", '/'),
    (b"colon", ':'),
    (b"period", '.'),
    (b"quest", '?'),
    (b"num", '#'),
    (b"equals", '='),
    (b"percnt", '%'),
    (b"commat", '@'),
    (b"lowbar", '_'),
    (b"UnderBar", '_'),
    (b"plus", '+'),
    (b"ast", '*'),
    (b"midast", '*'),
    (b"comma", ','),
    (b"semi", ';'),
    (b"excl", '!'),
    (b"dollar", '$'),
    (b"lpar", '('),
    (b"rpar", ')'),
    (b"lsqb", '['),
    (b"lbrack", '['),
    (b"rsqb", ']'),
    (b"rbrack", ']'),
    (b"lcub", '{'),
    (b"lbrace", '{'),
    (b"rcub", '}'),
    (b"rbrace", '}'),
    (b"shy", '\u{AD}'),
    (b"ZeroWidthSpace", '\u{200B}'),
    (b"NoBreak", '\u{2060}'),
];

/// The length of the longest reference whose `&` is not escaped.
const LONGEST: usize = b"&NonBreakingSpace;".len();

/// Reads the reference at `at`. Returns its character and its length. The `&` of a reference may
/// itself be escaped. `&amp;` by itself is not a reference here.
pub(crate) fn read(text: &View<'_>, at: usize) -> Option<(char, usize)> {
    /// The maximum number of times that the `&` of a reference may be escaped.
    const TIMES: usize = 2;
    let mut name = at + 1;
    for _ in 0..TIMES {
        name += if text.has(name, b"amp;") { b"amp;".len() } else { 0 };
    }
    let (character, end) = match text.byte(name)? {
        b'#' => number(text, name + 1)?,
        byte if byte.is_ascii_alphabetic() => {
            let end = text.stretch(name, name + LONGEST, |byte| byte.is_ascii_alphanumeric());
            let is_named = text.byte(end) == Some(b';');
            NAMES.iter().find(|(known, _)| is_named && *known == &text[name..end]).map(|&(_, found)| (found, end))?
        }
        _ => return None,
    };
    Some((character, end + 1 - at))
}

/// Reads `47;` or `x2F;`. Returns the character and the place of the `;`.
fn number(text: &View<'_>, at: usize) -> Option<(char, usize)> {
    const DIGITS: usize = 7;
    let (from, radix) = if matches!(text.byte(at)?, b'x' | b'X') { (at + 1, 16) } else { (at, 10) };
    let end = text.stretch(from, from + DIGITS, |byte| char::from(byte).is_digit(radix));
    let digits = str::from_utf8(&text[from..end]).ok()?;
    let code = u32::from_str_radix(digits, radix).ok().filter(|&code| code > 0)?;
    (text.byte(end) == Some(b';')).then_some((char::from_u32(code)?, end))
}

/// Returns whether a reference to this character ends a run. Such characters are the stops of
/// B-RUN-1, blanks, control characters, quotation marks, the ellipsis, and non-ASCII brackets.
fn is_delimiter(character: char) -> bool {
    match character {
        '\'' => true,
        '\0'..='\x7F' => stops::is_stop(character as u8),
        '\u{AB}' | '\u{BB}' | '\u{2018}'..='\u{201F}' | '\u{2039}' | '\u{203A}' | '\u{2026}' => true,
        '\u{2329}' | '\u{232A}' | '\u{27E8}'..='\u{27EB}' | '\u{3008}'..='\u{3011}' => true,
        _ => character.is_whitespace() || character.is_control(),
    }
}

/// Reads a reference as its character, unless that character is a delimiter.
pub(crate) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    let (character, len) = read(text, at).filter(|&(character, _)| !is_delimiter(character))?;
    Some(Escape::of(Some(character).filter(|&found| !is_unseen(found)), len))
}

/// Returns the length of a reference to a delimiter at the end of `text`.
pub(crate) fn delimiter_len(text: &[u8]) -> Option<usize> {
    let length = text.iter().rev().take(LONGEST).position(|&byte| byte == b'&')? + 1;
    let at = text.len() - length;
    read(&View::whole(text), at)
        .is_some_and(|(character, len)| len == length && is_delimiter(character))
        .then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        for (text, expected) in [
            ("&#x2F;", Some(('/', 6))),
            ("&#X002f;", Some(('/', 8))),
            ("&#47;&", Some(('/', 5))),
            ("&amp;#47;", Some(('/', 9))),
            ("&amp;amp;sol;", Some(('/', 13))),
            ("&amp;amp;amp;sol;", None),
            ("&NonBreakingSpace;", Some(('\u{A0}', 18))),
            ("&amp;", None),
            ("&amp;amp;", None),
            ("&#38;", Some(('&', 5))),
            ("&#0;", None),
            ("&#1;", Some(('\u{1}', 4))),
            ("&#xD800;", None),
            ("&#00000047;", None),
            ("&#;", None),
            ("&#x;", None),
            ("&#47", None),
            ("&lt=", None),
            ("&Lt;", None),
            ("&LT;", None),
            ("&", None),
        ] {
            assert_eq!(read(&View::whole(text.as_bytes()), 0), expected, "{text}");
        }
    }

    #[test]
    fn delimiters() {
        for text in ["&lt;", "&#x27;", "&rdquo;", "&#160;", "&hellip;", "&amp;gt;", "&#124;", "&#x92;"] {
            assert_eq!(delimiter_len(text.as_bytes()), Some(text.len()), "{text}");
            assert!(escape(&View::whole(text.as_bytes()), 0).is_none(), "{text}");
        }
        for text in ["&#47;", "&eacute;", "&lt", "x;", "&shy;", "&ndash;", "&lt;x"] {
            assert_eq!(delimiter_len(text.as_bytes()), None, "{text}");
        }
    }
}

//! Finds the ends of plain tags, comments and references without the tokenizer.
//!
//! "Plain" is what nearly all markup of real pages is. Any other markup yields `None`, and the
//! tokenizer reads it. The functions follow the states of the HTML standard (WHATWG, 13.2.5), so
//! the results are those of the tokenizer. A source with a NUL is never scanned.

use std::ops::Range;

use memchr::memchr;

use crate::bytes::simd::{Kernel, Look};

/// A tag with more attributes is left to the tokenizer.
const MOST_ATTRIBUTES: usize = 256;

/// Returns whether a byte is a blank of HTML. A CR is one, like the LF that it stands for.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// A tag from its `<` to its `>`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlainTag {
    pub(super) is_end: bool,
    pub(super) name: Range<usize>,
    /// Whether the tag closes itself (`/>`).
    pub(super) is_empty: bool,
    /// The offset after the `>`.
    pub(super) end: usize,
}

/// An attribute of a plain tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlainAttribute {
    pub(super) name: Range<usize>,
    /// The value between its quotes. Empty if the attribute has none.
    pub(super) value: Range<usize>,
    /// Whether the value has an `&`. All its references are plain.
    pub(super) has_reference: bool,
}

fn after_blanks(source: &[u8], from: usize) -> usize {
    from + source[from..].iter().take_while(|&&byte| is_blank(byte)).count()
}

/// A scan for the end of a text: the next `<` or `&`, or the end of the source.
pub(super) struct TextScan<'s> {
    pub(super) source: &'s [u8],
    pub(super) start: usize,
}

impl Look for TextScan<'_> {
    type Answer = usize;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> usize {
        kernel.either(self.source, self.start, (b'<', b'&'))
    }
}

/// A scan of the tag whose `<` is at an offset.
pub(super) struct TagScan<'s> {
    pub(super) source: &'s [u8],
    pub(super) start: usize,
    /// The attributes of the tag replace these.
    pub(super) attributes: &'s mut Vec<PlainAttribute>,
}

impl Look for TagScan<'_> {
    type Answer = Option<PlainTag>;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> Option<PlainTag> {
        let TagScan { source, start, attributes } = self;
        attributes.clear();
        let is_end = source.get(start + 1) == Some(&b'/');
        let start = start + if is_end { 2 } else { 1 };
        if !source.get(start)?.is_ascii_alphabetic() {
            return None;
        }
        let mut at = kernel.separator(source, start);
        // A `=` belongs to the name of a tag.
        while source.get(at) == Some(&b'=') {
            at = kernel.separator(source, at + 1);
        }
        let name = start..at;
        loop {
            let is_empty = match *source.get(at)? {
                b'>' => false,
                b'/' if *source.get(at + 1)? == b'>' => true,
                byte if byte == b'/' || is_blank(byte) => {
                    at += 1;
                    continue;
                }
                _ if attributes.len() == MOST_ATTRIBUTES => return None,
                _ => {
                    let (attribute, end) = attribute(source, at, kernel)?;
                    attributes.push(attribute);
                    at = end;
                    continue;
                }
            };
            return Some(PlainTag { is_end, name, is_empty, end: at + if is_empty { 2 } else { 1 } });
        }
    }
}

/// Returns the attribute that begins at an offset, and the offset after it.
#[inline(always)]
fn attribute<K: Kernel>(source: &[u8], start: usize, kernel: K) -> Option<(PlainAttribute, usize)> {
    // A `=` at the start belongs to the name.
    let end = kernel.separator(source, start + 1);
    let name = start..end;
    let equals = after_blanks(source, end);
    if *source.get(equals)? != b'=' {
        return Some((PlainAttribute { name, value: end..end, has_reference: false }, equals));
    }
    let start = after_blanks(source, equals + 1);
    let (value, has_reference, after) = match *source.get(start)? {
        quote @ (b'"' | b'\'') => {
            let start = start + 1;
            let mut end = kernel.either(source, start, (quote, b'&'));
            let has_reference = *source.get(end)? == b'&';
            if has_reference {
                end += memchr(quote, &source[end..])?;
            }
            (start..end, has_reference, end + 1)
        }
        _ => {
            let mut end = kernel.separator(source, start);
            while matches!(source.get(end)?, b'/' | b'=') {
                end = kernel.separator(source, end + 1);
            }
            (start..end, source[start..end].contains(&b'&'), end)
        }
    };
    let is_plain = !has_reference || are_plain(&source[value.clone()]);
    is_plain.then_some((PlainAttribute { name, value, has_reference }, after))
}

/// Returns whether each `&` of a value is plain. A CR is not, because it stands for an LF.
fn are_plain(value: &[u8]) -> bool {
    memchr(b'\r', value).is_none() && memchr::memchr_iter(b'&', value).all(|at| in_value(&value[at..]).is_some())
}

/// The result of reading from an `&` on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CharacterReference {
    /// The `&` stands for itself.
    None,
    /// The character, and the length of its reference.
    Character(char, usize),
}

/// Returns what the `&` at the start of the rest of a value begins.
pub(super) fn in_value(rest: &[u8]) -> Option<CharacterReference> {
    let name = rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match rest.get(1 + name) {
        // No reference is followed by `=`: `?a=1&lt=2`.
        Some(b'=') => Some(CharacterReference::None),
        next if name == 0 && next != Some(&b'#') => Some(CharacterReference::None),
        _ => character(rest),
    }
}

/// Returns what the `&` at the start of the rest of a text begins.
pub(super) fn in_text(rest: &[u8]) -> Option<CharacterReference> {
    match rest.get(1)? {
        b' ' | b'\n' | b'\t' => Some(CharacterReference::None),
        _ => character(rest),
    }
}

/// Returns the character of a common reference that ends with `;`.
fn character(rest: &[u8]) -> Option<CharacterReference> {
    const LONGEST: usize = 10;
    let end = memchr(b';', &rest[..rest.len().min(LONGEST)])?;
    let character = match &rest[1..end] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        b"nbsp" => '\u{a0}',
        b"copy" => '\u{a9}',
        b"laquo" => '\u{ab}',
        b"middot" => '\u{b7}',
        b"raquo" => '\u{bb}',
        b"times" => '\u{d7}',
        b"ndash" => '\u{2013}',
        b"mdash" => '\u{2014}',
        b"lsquo" => '\u{2018}',
        b"rsquo" => '\u{2019}',
        b"ldquo" => '\u{201c}',
        b"rdquo" => '\u{201d}',
        b"bull" => '\u{2022}',
        b"hellip" => '\u{2026}',
        b"larr" => '\u{2190}',
        b"rarr" => '\u{2192}',
        [b'#', b'x' | b'X', digits @ ..] => numbered(digits, 16)?,
        [b'#', digits @ ..] => numbered(digits, 10)?,
        _ => return None,
    };
    Some(CharacterReference::Character(character, end + 1))
}

/// Returns the character of this number. The standard replaces NUL and C1 controls.
fn numbered(digits: &[u8], radix: u32) -> Option<char> {
    if digits.is_empty() {
        return None;
    }
    let mut digits = digits.iter().map(|&digit| char::from(digit).to_digit(radix));
    let number = digits.try_fold(0u32, |number, digit| Some(number * radix + digit?))?;
    char::from_u32(number).filter(|&character| !character.is_control() || character == '\n')
}

/// Returns the offset after the comment whose `<!--` is at an offset.
pub(super) fn comment_end(source: &[u8], start: usize) -> Option<usize> {
    let open = start + 4;
    let inner = &source[open..];
    if inner.starts_with(b">") || inner.starts_with(b"->") {
        return None;
    }
    memchr::memchr_iter(b'>', inner)
        .find(|&close| inner[..close].ends_with(b"--") || inner[..close].ends_with(b"--!"))
        .map(|close| open + close + 1)
}

/// The end of the text of an element without tags.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RawEnd {
    /// The offset of the `</` of its end tag.
    Tag(usize),
    /// The source ends before.
    Source,
    /// From this offset on, only the tokenizer finds the end.
    Unknown(usize),
}

/// Returns whether the end tag of an element begins at an offset.
pub(super) fn is_end_tag(source: &[u8], at: usize, name: &[u8]) -> bool {
    let Some(rest) = source[at..].strip_prefix(b"</") else { return false };
    let is_over = |&byte: &u8| byte == b'>' || byte == b'/' || is_blank(byte);
    rest.get(name.len()).is_some_and(is_over) && rest[..name.len()].eq_ignore_ascii_case(name)
}

/// Returns where the text of a script or a style ends, given the element's name in lower case.
pub(super) fn raw_end(source: &[u8], from: usize, name: &[u8], is_script: bool) -> RawEnd {
    // After `<!--`, a script within the script may hide an end tag.
    let mut escape = None;
    for at in memchr::memchr_iter(b'<', &source[from..]).map(|at| from + at) {
        match (source.get(at + 1), escape) {
            (Some(b'/'), _) if is_end_tag(source, at, name) => return RawEnd::Tag(at),
            (Some(b'!'), None) if is_script && source[at..].starts_with(b"<!--") => escape = Some(at),
            (Some(b's' | b'S'), Some(escape)) => return RawEnd::Unknown(escape),
            _ => {}
        }
    }
    RawEnd::Source
}

//! The UTF-16 strings of binary files. These are property lists of Apple, the parts of a binary
//! Excel workbook (`.xlsb`), and shortcuts of Windows (`.lnk`).
//!
//! Each string has its length before it, or a NUL after it. A string with `://` is decoded. All
//! other bytes stay, so the strings in ASCII are found in place.

use std::ops::Range;

use memchr::memmem;

use crate::bytes::logical::{DecodedText, Logical};

/// The maximum length of the text before `://` in a string, in bytes.
const FRONT: usize = 64 << 10;
/// The maximum length of what states the length of a string.
const LENGTH: usize = 6;

/// A kind of file, by the way in which it states lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WideFile {
    /// A property list: marks, and big-endian lengths and letters.
    PropertyList,
    /// A part of a workbook: little-endian lengths of four bytes, or of two in a formula.
    Workbook,
    /// A shortcut (MS-SHLLINK): some strings with little-endian lengths of two bytes, others with a
    /// NUL after them.
    Shortcut,
}

const PROPERTY_LIST: &[u8] = b"bplist00";
/// The size of the header of a shortcut, and the beginning of its class.
const SHORTCUT: &[u8] = b"\x4C\0\0\0\x01\x14\x02\0";
/// The first records of a sheet, of the shared strings and of comments. The length of a record
/// follows its number.
const SHEET: &[u8] = b"\x81\x01\0";
const STRINGS: &[u8] = b"\x9F\x01\x08";
const COMMENTS: &[u8] = b"\xF4\x04\0";

impl WideFile {
    /// Returns the kind of a file that begins so.
    pub(crate) fn of(head: &[u8]) -> Option<WideFile> {
        // The number of the second record of a sheet or of comments has two bytes. A string follows
        // the two counts of shared strings.
        let is_part = head.starts_with(SHEET) && head.get(4) == Some(&1)
            || head.starts_with(COMMENTS) && head.get(4) == Some(&4)
            || head.starts_with(STRINGS) && head.get(11) == Some(&0x13);
        match head {
            _ if head.starts_with(PROPERTY_LIST) => Some(WideFile::PropertyList),
            _ if head.starts_with(SHORTCUT) => Some(WideFile::Shortcut),
            _ => is_part.then_some(WideFile::Workbook),
        }
    }

    /// Returns whether more bytes may show one of these files.
    pub(crate) fn may_follow(head: &[u8]) -> bool {
        let begins = |mark: &[u8]| mark.starts_with(head) || head.len() < 12 && head.starts_with(mark);
        [PROPERTY_LIST, SHORTCUT, SHEET, STRINGS, COMMENTS].into_iter().any(begins) && WideFile::of(head).is_none()
    }

    /// Decodes the strings with `://`. A NUL separates each from the bytes beside it. Returns `None`
    /// if there are none.
    pub(crate) fn decode(self, text: &[u8]) -> Option<Logical> {
        let (mut decoded, mut at) = (Logical::default(), 0);
        // Strings begin at even and at odd offsets.
        let mut runs = [LetterRun::default(), LetterRun::default()];
        let mark: &[u8] = if self.is_big() { b"\0:\0/\0/" } else { b":\0/\0/\0" };
        for slashes in memmem::find_iter(text, mark) {
            if slashes < at {
                continue;
            }
            let run = &mut runs[slashes % 2];
            run.move_to(text, at, slashes, self.is_big());
            let Some(string) = self.string(text, run, slashes) else {
                // No length before this place reaches the next `://` of the run.
                run.letters.start = slashes;
                continue;
            };
            decoded.append(&text[at..string.start], at);
            decoded.insert(b"\0");
            let units = text[string.clone()].chunks_exact(2).map(|unit| unit_of(unit, self.is_big()));
            at = string.start;
            for letter in char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)) {
                let mut bytes = [0; 4];
                let bytes = letter.encode_utf8(&mut bytes).as_bytes();
                let wide = 2 * letter.len_utf16() as u8;
                decoded.append_units(bytes, at, (bytes.len() as u8, wide));
                at += usize::from(wide);
            }
            decoded.insert(b"\0");
        }
        (at > 0).then(|| {
            decoded.append(&text[at..], at);
            decoded
        })
    }

    fn is_big(self) -> bool {
        self == WideFile::PropertyList
    }

    /// Returns the string that has `://` at `slashes`: the longest whose length stands before it.
    fn string(self, text: &[u8], run: &LetterRun, slashes: usize) -> Option<Range<usize>> {
        let starts = || (run.letters.start..slashes).step_by(2);
        let string = |lengths: fn(&[u8]) -> Option<usize>| {
            starts().find_map(|start| {
                let end = start.checked_add(lengths(&text[..start])?.checked_mul(2)?)?;
                (slashes + 6 < end && end <= run.letters.end).then_some(start..end)
            })
        };
        match self {
            WideFile::PropertyList => string(marked_length).or_else(|| string(short_length)),
            WideFile::Workbook => string(length_of_four).or_else(|| string(length_in_formula)),
            WideFile::Shortcut => {
                let is_here = |string: &Range<usize>| string.contains(&slashes) && string.end <= run.letters.end;
                let counted = strings_of_shortcut(text).into_iter().flatten().find(is_here);
                counted.or_else(|| Some(run.letters.clone()))
            }
        }
    }

    /// Returns the length of the longest start of `bytes` that cuts no string, if its strings are
    /// short.
    pub(crate) fn whole_len(self, bytes: &[u8]) -> usize {
        let most = bytes.len().saturating_sub(2 * FRONT);
        let is_wide = |end: usize| {
            let near = &bytes[end.saturating_sub(4)..(end + 4).min(bytes.len())];
            near.iter().step_by(2).all(|&byte| byte == 0) != near.iter().skip(1).step_by(2).all(|&byte| byte == 0)
        };
        let end = (most..bytes.len()).rev().find(|&end| !is_wide(end)).unwrap_or(bytes.len());
        end.saturating_sub(LENGTH)
    }
}

/// The letters around a `://`: no control characters, except white space.
#[derive(Default)]
struct LetterRun {
    letters: Range<usize>,
}

impl LetterRun {
    /// Finds the run around `slashes`. Letters that were examined before are not examined again.
    fn move_to(&mut self, text: &[u8], from: usize, slashes: usize, is_big: bool) {
        let is_letter = |at: usize| {
            let unit = text.get(at..at + 2).map(|unit| unit_of(unit, is_big));
            unit.is_some_and(|unit| matches!(unit, 9..=13 | 0x20..0xFFFE))
        };
        if self.letters.contains(&slashes) {
            self.letters.start += from.saturating_sub(self.letters.start).next_multiple_of(2);
            return;
        }
        let from = from.max(slashes.saturating_sub(FRONT));
        let front = (from..slashes).rev().skip(1).step_by(2).take_while(|&at| is_letter(at)).count();
        let rest = (slashes..text.len()).step_by(2).take_while(|&at| is_letter(at)).count();
        self.letters = slashes - 2 * front..slashes + 2 * rest;
    }
}

fn unit_of(unit: &[u8], is_big: bool) -> u16 {
    let unit = [unit[0], unit[1]];
    if is_big { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) }
}

/// Returns the length at the end of `before`. The mark `6F` and a mark for the length's size
/// precede it.
fn marked_length(before: &[u8]) -> Option<usize> {
    match *before {
        [.., 0x6F, 0x12, a, b, c, d] => Some(u32::from_be_bytes([a, b, c, d]) as usize),
        [.., 0x6F, 0x11, high, low] => Some(u16::from_be_bytes([high, low]).into()),
        [.., 0x6F, 0x10, length] => Some(length.into()),
        _ => None,
    }
}

/// Returns the length of at most 14 in the last byte. After a NUL, that byte is a letter.
fn short_length(before: &[u8]) -> Option<usize> {
    match *before {
        [.., 0, _] => None,
        [.., mark @ 0x61..0x6F] => Some(usize::from(mark & 0xF)),
        _ => None,
    }
}

fn length_of_four(before: &[u8]) -> Option<usize> {
    before.last_chunk().map(|&length| u32::from_le_bytes(length) as usize)
}

/// Returns the strings of a shortcut that have a length. The flags of the header show which strings
/// and which structures before them it has.
fn strings_of_shortcut(text: &[u8]) -> [Option<Range<usize>>; 5] {
    const FLAGS: usize = 20;
    const HEADER: usize = 76;
    const UNICODE: u16 = 1 << 7;
    let two = |at: usize| text.get(at..at + 2).map(|bytes| unit_of(bytes, false));
    let flags = two(FLAGS).unwrap_or(0);
    let mut at = HEADER;
    if flags & 1 != 0 {
        at += 2 + usize::from(two(at).unwrap_or(0));
    }
    if flags & 2 != 0 {
        at += usize::from(two(at).unwrap_or(0));
    }
    [4, 8, 16, 32, 64].map(|flag| {
        let length = two(at).filter(|_| flags & UNICODE != 0 && flags & flag != 0)?;
        let start = at + 2;
        at = start + 2 * usize::from(length);
        Some(start..at)
    })
}

/// Returns the length after the token of a string.
fn length_in_formula(before: &[u8]) -> Option<usize> {
    let [.., 0x17, low, high] = *before else { return None };
    Some(u16::from_le_bytes([low, high]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str, is_big: bool) -> Vec<u8> {
        let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn strings_end_by_their_lengths() {
        for text in [
            "https://h.example/é?q=è",
            "see https://h.example/ or 文字文字文字文字文字文字文字文字文字文字 😀",
            "a://b",
        ] {
            let count = text.encode_utf16().count() as u8;
            let big = match count {
                ..15 => vec![0x60 | count],
                _ => vec![0x6F, 0x10, count],
            };
            let four = vec![count, 0, 0, 0];
            for (file, lengths) in [
                (WideFile::PropertyList, vec![big, vec![0x6F, 0x11, 0, count], vec![0x6F, 0x12, 0, 0, 0, count]]),
                (WideFile::Workbook, vec![four, vec![0x17, count, 0]]),
            ] {
                for length in lengths {
                    let front = [b"http://i.example/no", &length[..]].concat();
                    let bytes = [&front, &wide(text, file.is_big())[..], b"_\x10\x05hello"].concat();
                    let decoded = file.decode(&bytes).unwrap();
                    let expected = [&front, &b"\0"[..], text.as_bytes(), b"\0_\x10\x05hello"].concat();
                    assert_eq!(
                        decoded.bytes().escape_ascii().to_string(),
                        expected.escape_ascii().to_string(),
                        "{file:?}"
                    );
                    let whole = front.len() + 1..front.len() + 1 + text.len();
                    assert_eq!(decoded.source(whole), front.len()..bytes.len() - 8);
                    assert_eq!(decoded.source(decoded.len() - 5..decoded.len()), bytes.len() - 5..bytes.len());
                }
            }
        }
    }

    #[test]
    fn strings_of_shortcuts() {
        let (text, target) = ("-new https://h.example/?a", "https://i.example/");
        let mut file = SHORTCUT.to_vec();
        file.resize(20, 0);
        file.extend([1 | 2 | 4 | 32 | 128, 0]);
        file.resize(76, 0);
        // The target, the link's data, a name and the arguments, and what follows them.
        file.extend([&[40, 0][..], &wide(target, false), &[0; 4], b"\x06\0\0\0xx\x01\0x\0\x19\0"].concat());
        file.extend([wide(text, false), wide("00", false), vec![0; 2]].concat());
        let decoded = WideFile::of(&file).unwrap().decode(&file).unwrap();
        let decoded = String::from_utf8_lossy(decoded.bytes());
        assert!(decoded.contains("https://i.example/\0"), "{decoded:?}");
        assert!(decoded.contains("\0-new https://h.example/?a\0"), "{decoded:?}");
        for end in 0..file.len() {
            WideFile::Shortcut.decode(&file[..end]);
        }
    }

    #[test]
    fn nothing_else_is_decoded() {
        let text = wide("https://h.example/", true);
        for before in [&b"\x6F\x10\x07"[..], b"\x6F\x10\xFF", b"\x62", b"\x5F\x10\x12"] {
            let bytes = [before, &text].concat();
            assert_eq!(WideFile::PropertyList.decode(&bytes), None);
        }
    }
}

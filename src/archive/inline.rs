//! Files that are encoded within a text: uuencode (POSIX, `uuencode`) and yEnc (draft 1.3 of 2002).

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use crate::archive::encoding::Encoding;
use crate::archive::transfer::{base64, uuencoded_line, yenc_line};
use crate::bytes::logical::DecodedText;

/// A file within a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InlineFile<T> {
    /// The lines of data, without the first line, which names the file, and the last line, which
    /// ends it.
    pub(crate) lines: Range<usize>,
    pub(crate) name: String,
    pub(crate) encoding: Encoding,
    pub(crate) text: T,
}

/// Returns whether a text may hold files. Only a file at the end of the text is detected.
///
/// This runs for every message, so it checks only the last line. A file with a signature below it
/// stays text.
pub(crate) fn ends_in_file(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    if let Some(before) = text.strip_suffix(b"end") {
        return before.ends_with(b"\n");
    }
    if text.ends_with(b"\n====") {
        return true;
    }
    // The line is `=yend size=123`, perhaps with checksums. A search of the whole text for such a
    // line took 5% of the time for ordinary mail.
    let tail = &text[text.len().saturating_sub(128)..];
    text.last().is_some_and(u8::is_ascii_alphanumeric)
        && memrchr(b'\n', tail).is_some_and(|end| tail[end + 1..].starts_with(b"=yend "))
}

/// Returns whether a text begins with the first line of a file and a line of its data.
pub(crate) fn begins_with_file(text: &[u8]) -> bool {
    if !text.starts_with(b"begin") {
        return false;
    }
    let (first, start) = line(text, 0);
    let (data, _) = line(text, start);
    if let Some(rest) = first.strip_prefix(b"begin-base64 ") {
        return name(rest).is_some() && base64_line(data);
    }
    let is_named = first.strip_prefix(b"begin ").is_some_and(|rest| name(rest).is_some());
    is_named && uuencoded_line(data, 0, &mut Vec::new())
}

/// Returns the files of a text, in their order.
pub(crate) fn files<T: DecodedText>(text: &[u8]) -> Vec<InlineFile<T>> {
    let mut files: Vec<InlineFile<T>> = Vec::new();
    for begin in memmem::find_iter(text, b"begin") {
        let is_base64 = text[begin..].starts_with(b"begin-base64 ");
        if !is_base64 && text.get(begin + 5) != Some(&b' ') {
            continue;
        }
        // The data of a file may look like the first line of another file.
        if files.last().is_some_and(|last| begin < last.lines.end) {
            continue;
        }
        let is_line = |start: usize| start == 0 || text[start - 1] == b'\n';
        // The first line of yEnc begins with `=ybegin `.
        let file = match begin.checked_sub(2) {
            Some(start) if text[start..begin] == *b"=y" && is_line(start) => yenc(text, begin),
            _ if is_line(begin) && is_base64 => base64_file(text, begin),
            _ if is_line(begin) => uuencoded(text, begin),
            _ => None,
        };
        files.extend(file);
    }
    files
}

/// Returns the line of a text that begins at `at`, and the offset of the next line.
fn line(text: &[u8], at: usize) -> (&[u8], usize) {
    let end = memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
    let line = &text[at..end];
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    (line.strip_suffix(b"\r").unwrap_or(line), end)
}

fn uuencoded<T: DecodedText>(text: &[u8], begin: usize) -> Option<InlineFile<T>> {
    let (first, start) = line(text, begin);
    let name = name(&first["begin ".len()..])?;
    let (mut decoded, mut end) = (T::default(), start);
    while end < text.len() {
        let (line, next) = line(text, end);
        if !uuencoded_line(line, end, &mut decoded) {
            break;
        }
        end = next;
    }
    let lines = start..end;
    (!decoded.bytes().is_empty()).then_some(InlineFile { lines, name, encoding: Encoding::Uuencode, text: decoded })
}

/// Returns the name of a file after its mode.
///
/// The mode has 3 or 4 octal digits. A line of prose that begins with `begin ` has no mode.
fn name(after_begin: &[u8]) -> Option<String> {
    let first = after_begin.trim_ascii();
    let digits = first.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let name = first[digits..].trim_ascii();
    let is_file = (3..=4).contains(&digits) && first.get(digits) == Some(&b' ') && !name.is_empty();
    is_file.then(|| String::from_utf8_lossy(name).into_owned())
}

/// Returns the file that `uuencode -m` wrote. Its last line is `====`.
fn base64_file<T: DecodedText>(text: &[u8], begin: usize) -> Option<InlineFile<T>> {
    let (first, start) = line(text, begin);
    let name = name(&first["begin-base64 ".len()..])?;
    let mut end = start;
    while end < text.len() {
        let (line, next) = line(text, end);
        if !base64_line(line) {
            break;
        }
        end = next;
    }
    let decoded: T = base64(&text[start..end], start).text;
    let lines = start..end;
    (!decoded.bytes().is_empty()).then_some(InlineFile { lines, name, encoding: Encoding::Base64, text: decoded })
}

/// Returns whether a line holds base64 alone.
fn base64_line(line: &[u8]) -> bool {
    let is_data = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    !line.is_empty() && line != b"====" && line.iter().all(is_data)
}

fn yenc<T: DecodedText>(text: &[u8], begin: usize) -> Option<InlineFile<T>> {
    let (first, start) = line(text, begin);
    let name = memmem::find(first, b"name=").map(|at| first[at + 5..].trim_ascii())?;
    let (mut decoded, mut end) = (T::default(), start);
    while end < text.len() {
        let (line, next) = line(text, end);
        if line.starts_with(b"=yend") {
            break;
        }
        yenc_line(line, end, &mut decoded);
        end = next;
    }
    let name = String::from_utf8_lossy(name).into_owned();
    Some(InlineFile { lines: start..end, name, encoding: Encoding::YEnc, text: decoded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_texts() {
        let text = "Here it is:\n\nbegin 644 a.txt\n1:'1T<#HO+V$N97AA;7!L92\\\n`\nend\n";
        let found = files::<Vec<u8>>(text.as_bytes());
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].text.as_slice(), found[0].name.as_str()), (&b"http://a.example/"[..], "a.txt"));
        assert!(text[found[0].lines.end..].starts_with("end"));
        assert!(ends_in_file(text.as_bytes()) && !ends_in_file(b"the end") && !ends_in_file(b""));
        let encoded: Vec<u8> = b"http://a.example/\0="
            .iter()
            .flat_map(|byte| match byte.wrapping_add(42) {
                critical @ (0 | b'\n' | b'\r' | b'=') => vec![b'=', critical.wrapping_add(64)],
                byte => vec![byte],
            })
            .collect();
        let text = [b"=ybegin line=128 size=19 name=a b.txt\n", &encoded[..], b"\r\n=yend size=19\n"].concat();
        let found = files::<Vec<u8>>(&text);
        assert_eq!((found[0].text.as_slice(), found[0].name.as_str()), (&b"http://a.example/\0="[..], "a b.txt"));
        assert!(ends_in_file(&text) && ends_in_file(&[text.trim_ascii_end(), b" pcrc32=0a1b2c3d \r\n\r\n"].concat()));
        assert!(!ends_in_file(&[&text[..], b"and more"].concat()) && !ends_in_file(b"x =yend 1"));
        let text = "see\n\nbegin-base64 644 a.txt\naHR0cDovL2EuZXhh\nbXBsZS8=\n====\n";
        let found = files::<Vec<u8>>(text.as_bytes());
        assert_eq!((found[0].text.as_slice(), found[0].name.as_str()), (&b"http://a.example/"[..], "a.txt"));
        assert!(text[found[0].lines.end..].starts_with("====") && ends_in_file(text.as_bytes()));
        assert!(begins_with_file(&text.as_bytes()[5..]) && !begins_with_file(text.as_bytes()));
        assert!(begins_with_file(b"begin 644 a.txt\n1:'1T<#HO+V$N97AA;7!L92\\\n"));
        assert!(!begins_with_file(b"begin 644 x\nand so on, in prose\n") && !begins_with_file(b"begin here\n"));
        for none in [
            "begin-base64 644 x\nin prose\n====",
            "begin-base64 x\naGk=\n====",
            "begin here\nand\nend",
            "begin 644 x\nand so on, in prose\nend",
            "I begin 644 x\n1:\nend",
            "begin 644\nend",
        ] {
            assert!(files::<Vec<u8>>(none.as_bytes()).is_empty(), "{none}");
        }
    }
}

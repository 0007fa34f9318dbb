//! Transfer encodings: quoted-printable and base64 (RFC 2045 sections 6.7 and 6.8).
//!
//! The decoders of `mail-parser` reject malformed input. Archives hold many bodies that are
//! malformed in the same few ways. So the functions here repair a body before they call these
//! decoders. The functions for base64 also report the lines that are not base64.

use std::ops::Range;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use memchr::{memchr, memchr2_iter, memmem, memrchr};

use crate::archive::inline::{uuencoded_line, yenc_line};

/// A line without blanks is decoded if at most one in this many bytes is not base64.
const JUNK_IN: usize = 16;

/// The minimum length of base64 words in a line with blanks or junk.
const LONG_WORD: usize = 16;

/// Decoded base64, and the lines that are not base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base64 {
    pub(crate) bytes: Vec<u8>,
    /// Runs of lines that are text. Usually a mailing list has appended them to an encoded body.
    pub(crate) foreign: Vec<Range<usize>>,
}

/// Decodes quoted-printable. An `=` that does not begin an escape stands for itself, as section 6.7
/// advises.
pub(crate) fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    // Most lines hold no escape, and are copied. Decoding takes 28 instructions per byte. Copying
    // takes 16 even in lines of six bytes.
    let mut add = |lines: &[u8], are_encoded| {
        if are_encoded { text.extend_from_slice(&decoded(lines)) } else { text.extend_from_slice(lines) }
    };
    let (mut added, mut are_encoded) = (0, false);
    let (mut line, mut is_encoded) = (0, false);
    for at in memchr2_iter(b'=', b'\n', body) {
        if body[at] == b'=' {
            is_encoded |= is_escape(&body[at + 1..]) || is_soft_break(&body[at + 1..]);
            continue;
        }
        if is_encoded != are_encoded {
            add(&body[added..line], are_encoded);
            (added, are_encoded) = (line, is_encoded);
        }
        // A transport may have added blanks to the end of a line.
        let whole = body[line..at].strip_suffix(b"\r").unwrap_or(&body[line..at]);
        let is_added = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\x0C');
        let blanks = whole.iter().rev().take_while(is_added).count();
        if blanks > 0 && !is_encoded {
            let end = line + whole.len();
            add(&body[added..end - blanks], false);
            added = end;
        }
        (line, is_encoded) = (at + 1, false);
    }
    add(&body[added..line], are_encoded);
    add(&body[line..], is_encoded);
    text
}

/// Returns whether HTML is quoted-printable although no header states that. Then more values of
/// attributes begin with `=3D"` than with `="`.
pub(crate) fn shows_quoted_printable(html: &[u8]) -> bool {
    let Some(first) = memmem::find(html, b"=3D\"") else { return false };
    let is_attribute = |at: &usize| *at > 0 && html[at - 1].is_ascii_alphabetic();
    let encoded = memmem::find_iter(&html[first..], b"=3D\"").filter(|at| is_attribute(&(first + at))).count();
    encoded > memmem::find_iter(html, b"=\"").count()
}

/// Decodes lines that hold escapes.
fn decoded(lines: &[u8]) -> Vec<u8> {
    // The decoder fails at a `=` that does not begin an escape. It also drops a lone CR, which
    // would join two words.
    let mut fixed = Vec::new();
    let mut copied = 0;
    for at in memchr2_iter(b'=', b'\r', lines) {
        let rest = &lines[at + 1..];
        let escape: &[u8] = match lines[at] {
            b'\r' if rest.first().is_some_and(|&next| next != b'\n') => b"=0D",
            b'=' if !is_escape(rest) && !is_soft_break(rest) => b"=3D",
            _ => continue,
        };
        fixed.extend_from_slice(&lines[copied..at]);
        fixed.extend_from_slice(escape);
        copied = at + 1;
    }
    let decoded = if copied == 0 {
        quoted_printable_decode(lines)
    } else {
        fixed.extend_from_slice(&lines[copied..]);
        quoted_printable_decode(&fixed)
    };
    decoded.unwrap_or_else(|| lines.to_vec())
}

fn is_escape(rest: &[u8]) -> bool {
    matches!(rest, [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Returns whether a soft line break follows. Some transports add blanks before the line break.
fn is_soft_break(rest: &[u8]) -> bool {
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    matches!(&rest[blanks..], [] | [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r'])
}

fn is_base64(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Returns the lines of a base64 body that are not base64. This suffices for a body whose bytes are
/// not needed, such as an image.
pub(crate) fn foreign_lines(body: &[u8]) -> Vec<Range<usize>> {
    // There is no early exit within a chunk, because without branches several bytes are checked at
    // a time.
    let is_clean = |chunk: &[u8]| chunk.iter().fold(true, |clean, byte| clean & (is_base64(byte) | is_break(byte)));
    if body.chunks(1024).all(is_clean) { Vec::new() } else { base64(body).foreign }
}

fn is_break(byte: &u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// The maximum number of separate runs of foreign lines. The last run extends to the last foreign
/// line, including base64. Each run becomes a part, which takes two hundred bytes.
const MOST_FOREIGN: usize = 1000;

/// Decodes base64.
pub(crate) fn base64(body: &[u8]) -> Base64 {
    // The decoder treats 0xFF as the end of the text.
    if memchr(0xFF, body).is_none()
        && let Some(bytes) = base64_decode(body)
    {
        return Base64 { bytes, foreign: Vec::new() };
    }
    let mut clean = Vec::with_capacity(body.len());
    let mut foreign: Vec<Range<usize>> = Vec::new();
    let (mut at, mut last_is_foreign) = (0, false);
    while at < body.len() {
        let end = memchr(b'\n', &body[at..]).map_or(body.len(), |length| at + length + 1);
        let line = body[at..end].trim_ascii();
        let (data, is_foreign) = judge_line(line);
        if is_foreign {
            let is_full = foreign.len() == MOST_FOREIGN;
            match foreign.last_mut() {
                // Empty lines between foreign lines belong to the run.
                Some(last) if last_is_foreign || is_full => last.end = end,
                _ => foreign.push(at..end),
            }
        }
        clean.extend(data.iter().filter(|byte| is_base64(byte)));
        last_is_foreign = is_foreign || (line.is_empty() && last_is_foreign);
        at = end;
    }
    Base64 { bytes: base64_decode(&clean).unwrap_or_default(), foreign }
}

/// Classifies a line of a base64 body, from which outer blanks were removed. Returns the bytes to
/// decode, and whether the line is also kept as text.
fn judge_line(line: &[u8]) -> (&[u8], bool) {
    // A reply may have quoted the lines as they were.
    if line.starts_with(b">") {
        let marks = line.iter().take_while(|byte| **byte == b'>' || is_blank(byte)).count();
        let inner = &line[marks..];
        if inner.iter().all(is_base64) && (inner.len() >= LONG_WORD || inner.ends_with(b"=")) {
            return (inner, false);
        }
    }
    let junk = line.iter().filter(|byte| !is_base64(byte) && !is_blank(byte)).count();
    let blanks = line.iter().filter(|byte| is_blank(byte)).count();
    if junk == 0 {
        // The words of prose are shorter than those of base64.
        let is_data = line.len() >= LONG_WORD * (blanks + 1) || blanks == 0;
        return (if is_data { line } else { b"" }, !is_data);
    }
    if blanks == 0 && junk * JUNK_IN <= line.len() {
        return (line, true);
    }
    // Junk may follow base64. The letters before it are decoded if they form whole groups of four,
    // and are long enough.
    let letters = line.iter().position(|byte| !is_base64(byte)).unwrap_or(line.len());
    let is_whole = letters % 4 == 0 && letters >= LONG_WORD;
    (if is_whole { &line[..letters] } else { b"" }, true)
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A decoder of a transfer encoding, piece by piece.
#[derive(Debug)]
pub(crate) enum TransferDecoder {
    QuotedPrintable,
    /// Lines that are not base64 stay in the text as they are.
    Base64 {
        /// The first letters of an incomplete group of four.
        rest: Vec<u8>,
        /// Whether the last line was not base64, or was empty after such a line.
        after_foreign: bool,
    },
    Uuencode,
    YEnc,
}

impl TransferDecoder {
    pub(crate) fn base64() -> TransferDecoder {
        TransferDecoder::Base64 { rest: Vec::new(), after_foreign: false }
    }

    /// Appends the decoded lines.
    pub(crate) fn push(&mut self, lines: &[u8], is_last: bool, text: &mut Vec<u8>) {
        let (rest, after_foreign) = match self {
            TransferDecoder::QuotedPrintable => return text.extend_from_slice(&quoted_printable(lines)),
            TransferDecoder::Base64 { rest, after_foreign } => (rest, after_foreign),
            TransferDecoder::Uuencode => {
                let is_data = |line: &&[u8]| !line.starts_with(b"begin ") && **line != *b"end";
                for line in trimmed(lines).filter(is_data) {
                    uuencoded_line(line, text);
                }
                return;
            }
            TransferDecoder::YEnc => return trimmed(lines).for_each(|line| yenc_line(line, text)),
        };
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let inner = line.trim_ascii();
            let (data, is_foreign) = judge_line(inner);
            rest.extend(data.iter().filter(|byte| is_base64(byte)));
            if is_foreign {
                groups(rest, false, text);
                if !*after_foreign {
                    text.push(b'\n');
                }
            }
            *after_foreign = is_foreign || *after_foreign && inner.is_empty();
            if *after_foreign {
                text.extend_from_slice(line);
            }
        }
        groups(rest, is_last, text);
    }
}

fn trimmed(lines: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = |line: &&[u8]| line.len() - line.iter().rev().take_while(|byte| is_break(byte)).count();
    lines.split_inclusive(|&byte| byte == b'\n').map(move |line| &line[..ends(&line)])
}

/// Decodes the complete groups of four letters. A `=` ends a group.
fn groups(letters: &mut Vec<u8>, is_last: bool, text: &mut Vec<u8>) {
    let start = memrchr(b'=', letters).map_or(0, |end| end + 1);
    let whole = if is_last { letters.len() } else { letters.len() - (letters.len() - start) % 4 };
    text.extend(base64_decode(&letters[..whole]).unwrap_or_default());
    letters.drain(..whole);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_printable_with_all_its_faults() {
        for (body, text) in [
            ("a=3Db", "a=b"),
            ("http://h/a=\nb", "http://h/ab"),
            ("http://h/a=  \r\nb\r\n", "http://h/ab\r\n"),
            ("a=3db =zz =3 =", "a=b =zz =3 "),
            ("== =4=41", "== =4A"),
            ("x \ny", "x\ny"),
            ("x=20\ny", "x \ny"),
            ("a\rb", "a\rb"),
            ("a=\rb", "a=\rb"),
            ("a=\r", "a"),
            ("=\n=\n=", ""),
            ("", ""),
            ("http://h/?a=b&c=d", "http://h/?a=b&c=d"),
        ] {
            assert_eq!(String::from_utf8_lossy(&quoted_printable(body.as_bytes())), text, "{body:?}");
        }
        assert_eq!(quoted_printable(b"=FF\xFF\0="), b"\xFF\xFF\0");
    }

    #[test]
    fn base64_in_pieces_keeps_foreign_lines_together() {
        let body = b"aHR0cDovL2EuZXhhbXBsZS8gaHR0cDovL2EuZXhhbXBsZS8g\nsee <URL:http://l.example/1/\n\nx1> now.\n";
        let expected = b"http://a.example/ http://a.example/ \nsee <URL:http://l.example/1/\n\nx1> now.\n";
        let decoded = |pieces: &mut dyn Iterator<Item = &[u8]>| {
            let mut decoder = TransferDecoder::base64();
            let mut text = Vec::new();
            pieces.for_each(|piece| decoder.push(piece, false, &mut text));
            decoder.push(b"", true, &mut text);
            text
        };
        assert_eq!(decoded(&mut [&body[..]].into_iter()), expected);
        assert_eq!(decoded(&mut body.split_inclusive(|&byte| byte == b'\n')), expected);
    }

    #[test]
    fn quoted_printable_that_nobody_declared() {
        for (html, is_shown) in [
            ("<a href=3D\"http://h/\">", true),
            ("<a href=3D\"http://h/\" title=\"x\"><a href=3D\"y\">", true),
            ("<a href=\"http://h/\">", false),
            ("<a href=\"http://h/?a=3D1\"> write href=3D\"x\" so", false),
            ("1 =3D\"x\"", false),
            ("", false),
        ] {
            assert_eq!(shows_quoted_printable(html.as_bytes()), is_shown, "{html}");
        }
    }

    /// Checks that copied lines are the same as decoded lines.
    #[test]
    fn lines_without_escapes_are_left_as_they_are() {
        const PARTS: [&str; 10] = ["a", " ", "\t", "\n", "=\n", "= \n", "=", "=4", "=41", "=20"];
        let mut random = fastrand::Rng::with_seed(2045);
        for _ in 0..20_000 {
            let body: String = (0..random.usize(..12)).map(|_| PARTS[random.usize(..PARTS.len())]).collect();
            assert_eq!(quoted_printable(body.as_bytes()), decoded(body.as_bytes()), "{body:?}");
        }
    }

    #[test]
    fn base64_with_foreign_lines() {
        for (body, text, foreign) in [
            ("aHR0cDovL2gv", "http://h/", ""),
            ("aHR0cDov\r\nL2gv\r\n", "http://h/", ""),
            ("aHR0cDovL2g=", "http://h", ""),
            ("aHR0cDovL2g", "http://h", ""),
            ("aHR0cDovL2gv\n___\n\nlist: http://l/\n", "http://h/", "___\n\nlist: http://l/\n"),
            ("aGk=\n\nsee http://l/\n\naGk=\n", "hihi", "see http://l/\n"),
            ("ÿaHR0cDovL2gv", "", "\u{FFFD}aHR0cDovL2gv"),
            ("not base64, is it", "", "not base64, is it"),
            ("aHR0cDovL2guZXhh bXBsZS9hL2IvYy9k\n[x]\n", "http://h.example/a/b/c/d", "[x]\n"),
            ("aHR0cDovL2guZXhhbXBsZS8=\0\0\n", "http://h.example/", "aHR0cDovL2guZXhhbXBsZS8=\0\0\n"),
            ("aHR0cDovL2guZXhhbXBsZS8= -- [x y]\n", "http://h.example/", "aHR0cDovL2guZXhhbXBsZS8= -- [x y]\n"),
            ("> aHR0cDovL2guZXhhbXBs\n> ZS8=\n", "http://h.example/", ""),
            (">> aHR0cDovL2guZXhhbXBs\n>>ZS8=\n> okay\n", "http://h.example/", "> okay\n"),
            ("aGk=\nsee you there\n[x]\n", "hi", "see you there\n[x]\n"),
            ("", "", ""),
        ] {
            let body: Vec<u8> = body.chars().map(|letter| letter as u8).collect();
            let found = base64(&body);
            assert_eq!(String::from_utf8_lossy(&found.bytes), text, "{body:?}");
            let lines: Vec<u8> = found.foreign.iter().flat_map(|lines| body[lines.clone()].to_vec()).collect();
            assert_eq!(String::from_utf8_lossy(&lines), foreign, "{body:?}");
        }
        // One byte of junk in a line of 76 is skipped, as section 6.8 requires. The line is also
        // kept as text.
        let body = "aHR0cDovL2gv!aHR0cDovL2gvaHR0cDovL2gv\n";
        assert_eq!(base64(body.as_bytes()).bytes, b"http://h/".repeat(3));
        assert_eq!(base64(body.as_bytes()).foreign.first(), Some(&(0..38)));
        assert_eq!(foreign_lines(body.as_bytes()).first(), Some(&(0..38)));
        assert!(foreign_lines("aHR0cDovL2gv\r\n".repeat(200).as_bytes()).is_empty());
    }
}

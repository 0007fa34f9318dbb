//! Transfer encodings: quoted-printable and base64 (RFC 2045 sections 6.7 and 6.8).
//!
//! Archives hold many bodies that are malformed in the same few ways, and these are repaired. The
//! functions for base64 also report the lines that are not base64. Each decoder can also record
//! where each byte comes from, which no decoder of a library does.

use std::ops::Range;

use mail_parser::decoders::base64::base64_decode;
use memchr::{memchr, memchr2_iter, memmem};

use crate::archive::encoding::Encoding;
use crate::bytes::class;
use crate::bytes::logical::DecodedText;

/// A line without blanks is decoded if at most one in this many bytes is not base64.
const JUNK_IN: usize = 16;

/// The minimum length of base64 words in a line with blanks or junk.
const LONG_WORD: usize = 16;

/// Decoded base64, and the lines that are not base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base64<T> {
    pub(crate) text: T,
    /// Runs of lines that are text. Usually a mailing list has appended them to an encoded body.
    pub(crate) foreign: Vec<Range<usize>>,
}

/// Decodes quoted-printable, whose first byte is at `source`. An `=` that does not begin an escape
/// stands for itself, as section 6.7 advises.
pub(crate) fn quoted_printable(body: &[u8], source: usize, text: &mut impl DecodedText) {
    let mut copied = 0;
    for at in memchr2_iter(b'=', b'\n', body) {
        if at < copied {
            continue; // the line end of a soft line break
        }
        if body[at] == b'\n' {
            // A transport may have added blanks to the end of a line.
            let line = body[copied..at].strip_suffix(b"\r").unwrap_or(&body[copied..at]);
            let is_added = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\x0C');
            let blanks = line.iter().rev().take_while(is_added).count();
            if blanks > 0 {
                let end = copied + line.len();
                text.append(&body[copied..end - blanks], source + copied);
                copied = end;
            }
            continue;
        }
        let rest = &body[at + 1..];
        if let Some(octet) = escape(rest) {
            text.append(&body[copied..at], source + copied);
            text.append_units(&[octet], source + at, (1, 3));
            copied = at + 3;
        } else if let Some(length) = soft_break_len(rest) {
            text.append(&body[copied..at], source + copied);
            copied = at + 1 + length;
        }
    }
    text.append(&body[copied..], source + copied);
}

/// Returns quoted-printable decoded, without the places of its bytes.
pub(crate) fn quoted_printable_text(body: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    quoted_printable(body, 0, &mut text);
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

/// Returns the byte that the two digits at the start encode.
fn escape(rest: &[u8]) -> Option<u8> {
    match *rest {
        [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some(class::octet(high, low)),
        _ => None,
    }
}

/// Returns the length of the rest of a soft line break. Some transports add blanks before the line
/// break.
fn soft_break_len(rest: &[u8]) -> Option<usize> {
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &rest[blanks..] {
        [] => Some(blanks),
        [b'\n', ..] | [b'\r'] => Some(blanks + 1),
        [b'\r', b'\n', ..] => Some(blanks + 2),
        _ => None,
    }
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
    if body.chunks(1024).all(is_clean) { Vec::new() } else { base64::<Vec<u8>>(body, 0).foreign }
}

fn is_break(byte: &u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// The maximum number of separate runs of foreign lines. The last run extends to the last foreign
/// line, including base64. Each run becomes a part, which takes two hundred bytes.
const MOST_FOREIGN: usize = 1000;

/// Decodes base64, whose first byte is at `source`.
pub(crate) fn base64<T: DecodedText>(body: &[u8], source: usize) -> Base64<T> {
    let mut text = T::default();
    // The decoder treats 0xFF as the end of the text.
    let whole = if memchr(0xFF, body).is_none() { base64_decode(body) } else { None };
    if let Some(bytes) = whole {
        if T::HAS_PLACES {
            let mut groups = LetterGroups::default();
            groups.decode(body, source, &mut text);
            groups.end(&mut text);
        } else {
            text.append(&bytes, source);
        }
        return Base64 { text, foreign: Vec::new() };
    }
    let mut groups = LetterGroups::default();
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
        let start = end - body[at..end].trim_ascii_start().len() + data.start;
        groups.decode(&line[data], source + start, &mut text);
        last_is_foreign = is_foreign || (line.is_empty() && last_is_foreign);
        at = end;
    }
    groups.end(&mut text);
    Base64 { text, foreign }
}

/// The groups of four letters of base64, which may continue over line breaks.
#[derive(Debug, Default)]
struct LetterGroups {
    /// The first letters of an incomplete group.
    letters: Vec<u8>,
    /// The places of these letters in the source.
    place: Range<usize>,
}

impl LetterGroups {
    /// Decodes the letters of some bytes whose first is at `source`. Any other byte is skipped.
    fn decode(&mut self, data: &[u8], source: usize, text: &mut impl DecodedText) {
        let mut at = 0;
        while at < data.len() {
            let letters = data[at..].iter().position(|byte| !is_letter(byte)).unwrap_or(data.len() - at);
            let whole = letters - letters % 4;
            if self.letters.is_empty() && whole > 0 {
                let bytes = base64_decode(&data[at..at + whole]).unwrap_or_default();
                text.append_units(&bytes, source + at, (3, 4));
                at += whole;
                continue;
            }
            match data[at] {
                // The rest of the padding, or a stray `=`. It is not counted again.
                b'=' if self.letters.is_empty() => {}
                b'=' => {
                    // The padding belongs to the place of its group.
                    let padding = data[at..].iter().take_while(|&&byte| byte == b'=').count();
                    self.place.end = source + at + padding;
                    self.end(text);
                }
                letter if is_letter(&letter) => {
                    if self.letters.is_empty() {
                        self.place.start = source + at;
                    }
                    self.letters.push(letter);
                    self.place.end = source + at + 1;
                    if self.letters.len() == 4 {
                        self.end(text);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Decodes an incomplete group, as `=` and the end of the text do.
    fn end(&mut self, text: &mut impl DecodedText) {
        let bytes = base64_decode(&self.letters).unwrap_or_default();
        if !bytes.is_empty() {
            text.replace(&bytes, self.place.clone());
        }
        self.letters.clear();
    }
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Classifies a line of a base64 body, from which outer blanks were removed. Returns the range to
/// decode, and whether the line is also kept as text.
fn judge_line(line: &[u8]) -> (Range<usize>, bool) {
    // A reply may have quoted the lines as they were.
    if line.starts_with(b">") {
        let marks = line.iter().take_while(|byte| **byte == b'>' || is_blank(byte)).count();
        let inner = &line[marks..];
        if inner.iter().all(is_base64) && (inner.len() >= LONG_WORD || inner.ends_with(b"=")) {
            return (marks..line.len(), false);
        }
    }
    let junk = line.iter().filter(|byte| !is_base64(byte) && !is_blank(byte)).count();
    let blanks = line.iter().filter(|byte| is_blank(byte)).count();
    if junk == 0 {
        // The words of prose are shorter than those of base64.
        let is_data = line.len() >= LONG_WORD * (blanks + 1) || blanks == 0;
        return (if is_data { 0..line.len() } else { 0..0 }, !is_data);
    }
    if blanks == 0 && junk * JUNK_IN <= line.len() {
        return (0..line.len(), true);
    }
    // Junk may follow base64. The letters before it are decoded if they form whole groups of four,
    // and are long enough.
    let letters = line.iter().position(|byte| !is_base64(byte)).unwrap_or(line.len());
    let is_whole = letters % 4 == 0 && letters >= LONG_WORD;
    (if is_whole { 0..letters } else { 0..0 }, true)
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Appends the bytes that a line of uuencode encodes, whose first byte is at `source`. Returns
/// false if the line is not uuencoded.
pub(crate) fn uuencoded_line(line: &[u8], source: usize, text: &mut impl DecodedText) -> bool {
    let Some((&count, letters)) = line.split_first() else { return false };
    let count = usize::from(count.wrapping_sub(b' ') & 63);
    let room = count.div_ceil(3) * 4;
    // Blanks at the end may be lost, and a checksum may follow.
    let is_letter = |byte: &u8| matches!(byte, b' '..=b'`');
    if !(b' '..=b'`').contains(&line[0])
        || letters.len() > room + 1
        || letters.trim_ascii_end().len() + 4 < room && count > 0
    {
        return false;
    }
    if !letters.iter().all(is_letter) {
        return false;
    }
    let mut bytes = [0; 63];
    let value = |at: usize| u32::from(letters.get(at).map_or(0, |byte| byte.wrapping_sub(b' ') & 63));
    for (at, group) in (0..room).step_by(4).zip(bytes.chunks_mut(3)) {
        let letters = value(at) << 18 | value(at + 1) << 12 | value(at + 2) << 6 | value(at + 3);
        group.copy_from_slice(&letters.to_be_bytes()[1..]);
    }
    let whole = (count / 3).min(letters.len() / 4);
    text.append_units(&bytes[..3 * whole], source + 1, (3, 4));
    if 3 * whole < count {
        text.replace(&bytes[3 * whole..count], source + 1 + 4 * whole..source + line.len());
    }
    true
}

/// Appends the bytes that a line of yEnc encodes, whose first byte is at `source`. A keyword line,
/// such as `=ypart`, encodes none.
pub(crate) fn yenc_line(line: &[u8], source: usize, text: &mut impl DecodedText) {
    if line.starts_with(b"=y") {
        return;
    }
    let mut escaped = false;
    for (at, &byte) in (source..).zip(line) {
        match (byte, escaped) {
            (b'=', false) => escaped = true,
            (byte, true) => {
                text.replace(&[byte.wrapping_sub(42 + 64)], at - 1..at + 1);
                escaped = false;
            }
            (byte, false) => text.append(&[byte.wrapping_sub(42)], at),
        }
    }
}

/// A decoder of a transfer encoding, piece by piece.
#[derive(Debug)]
pub(crate) enum TransferDecoder {
    QuotedPrintable,
    /// Lines that are not base64 stay in the text as they are.
    Base64(Base64Decoder),
    Uuencode,
    YEnc,
}

/// The state of the decoding of base64 after a piece.
#[derive(Debug, Default)]
pub(crate) struct Base64Decoder {
    groups: LetterGroups,
    /// Whether the last line was not base64, or was empty after such a line.
    after_foreign: bool,
}

impl TransferDecoder {
    /// Returns the decoder of an encoding. Returns `None` if the text is read as it is.
    pub(crate) fn of(encoding: Encoding) -> Option<TransferDecoder> {
        match encoding {
            Encoding::QuotedPrintable => Some(TransferDecoder::QuotedPrintable),
            Encoding::Base64 => Some(TransferDecoder::Base64(Base64Decoder::default())),
            Encoding::Uuencode => Some(TransferDecoder::Uuencode),
            Encoding::YEnc => Some(TransferDecoder::YEnc),
            _ => None,
        }
    }

    /// Returns the place of the first letter that waits for more, if any.
    pub(crate) fn pending(&self) -> Option<usize> {
        match self {
            TransferDecoder::Base64(decoder) if !decoder.groups.letters.is_empty() => Some(decoder.groups.place.start),
            _ => None,
        }
    }

    /// Appends the decoded lines, whose first byte is at `source`.
    pub(crate) fn push(&mut self, lines: &[u8], source: usize, is_last: bool, text: &mut impl DecodedText) {
        if let TransferDecoder::QuotedPrintable = self {
            return quoted_printable(lines, source, text);
        }
        let mut at = source;
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let inner = &line[..line.len() - line.iter().rev().take_while(|byte| is_break(byte)).count()];
            match self {
                TransferDecoder::Uuencode if inner.starts_with(b"begin ") || inner == b"end" => {}
                TransferDecoder::Uuencode => {
                    uuencoded_line(inner, at, text);
                }
                TransferDecoder::YEnc => yenc_line(inner, at, text),
                TransferDecoder::Base64(decoder) => decoder.push(line, at, text),
                TransferDecoder::QuotedPrintable => {}
            }
            at += line.len();
        }
        if let (TransferDecoder::Base64(decoder), true) = (self, is_last) {
            decoder.groups.end(text);
        }
    }
}

impl Base64Decoder {
    fn push(&mut self, line: &[u8], source: usize, text: &mut impl DecodedText) {
        let inner = line.trim_ascii();
        let start = source + line.len() - line.trim_ascii_start().len();
        let (data, is_foreign) = judge_line(inner);
        self.groups.decode(&inner[data.clone()], start + data.start, text);
        if is_foreign && !self.after_foreign {
            text.replace(b"\n", source..source);
        }
        self.after_foreign = is_foreign || self.after_foreign && inner.is_empty();
        if self.after_foreign {
            text.append(line, source);
        }
    }
}

#[cfg(test)]
mod tests {
    use mail_parser::decoders::quoted_printable::quoted_printable_decode;

    use super::*;
    use crate::archive::support::is_quick;
    use crate::bytes::logical::Logical;

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
            ("a=41\r\nb\nc", "aA\r\nb\nc"), // mail-parser 0.11.9 writes CRLF from the first CR on
            ("a=\rb", "a=\rb"),
            ("a=\r", "a"),
            ("=\n=\n=", ""),
            ("", ""),
            ("http://h/?a=b&c=d", "http://h/?a=b&c=d"),
        ] {
            assert_eq!(String::from_utf8_lossy(&quoted_printable_text(body.as_bytes())), text, "{body:?}");
        }
        assert_eq!(quoted_printable_text(b"=FF\xFF\0="), b"\xFF\xFF\0");
    }

    #[test]
    fn base64_in_pieces_keeps_foreign_lines_together() {
        let body = b"aHR0cDovL2EuZXhhbXBsZS8gaHR0cDovL2EuZXhhbXBsZS8g\nsee <URL:http://l.example/1/\n\nx1> now.\n";
        let expected = b"http://a.example/ http://a.example/ \nsee <URL:http://l.example/1/\n\nx1> now.\n";
        let decoded = |pieces: &mut dyn Iterator<Item = &[u8]>| {
            let mut decoder = TransferDecoder::of(Encoding::Base64).unwrap();
            let mut text = Vec::new();
            pieces.for_each(|piece| decoder.push(piece, 0, false, &mut text));
            decoder.push(b"", 0, true, &mut text);
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

    /// Checks valid bodies beside the decoder of `mail-parser`, and every place by decoding it alone.
    #[test]
    fn random_quoted_printable() {
        const PARTS: [&str; 9] = ["a", " ", "\t", "\n", "=\n", "= \n", "=41", "=20", "b"];
        let mut random = fastrand::Rng::with_seed(2045);
        for _ in 0..20_000 {
            let body: String = (0..random.usize(..12)).map(|_| PARTS[random.usize(..PARTS.len())]).collect();
            let mut text = Logical::default();
            quoted_printable(body.as_bytes(), 0, &mut text);
            let expected = quoted_printable_decode(body.as_bytes()).unwrap();
            assert_eq!(text.bytes(), expected, "{body:?}");
            assert_eq!(quoted_printable_text(body.as_bytes()), expected, "{body:?}");
            for (at, byte) in expected.iter().enumerate() {
                let place = &body[text.source(at..at + 1)];
                // A blank at the end of a text is no blank at the end of a line.
                assert_eq!(quoted_printable_text(place.as_bytes()), [*byte], "{body:?} at {at}");
            }
        }
    }

    /// Checks that the places of base64 are those of its groups, however its lines are cut.
    #[test]
    fn random_base64() {
        const PARTS: [&str; 8] = ["aGk=", "aHR0", "c", "dQ==", "\n", "\r\n", "eHh4eHh4eHg", " "];
        let mut random = fastrand::Rng::with_seed(4648);
        for _ in 0..20_000 {
            let body: String = (0..random.usize(..12)).map(|_| PARTS[random.usize(..PARTS.len())]).collect();
            let plain: Base64<Vec<u8>> = base64(body.as_bytes(), 0);
            let Base64 { text, foreign }: Base64<Logical> = base64(body.as_bytes(), 0);
            assert_eq!((text.bytes(), &foreign), (&plain.text[..], &plain.foreign), "{body:?}");
            for at in 0..text.len() {
                let place = &body[text.source(at..at + 1)];
                let group = base64::<Vec<u8>>(place.as_bytes(), 0).text;
                assert!(group.contains(&plain.text[at]) && group.len() <= 3, "{body:?} at {at}");
            }
            let mut decoder = TransferDecoder::of(Encoding::Base64).unwrap();
            let (mut streamed, mut at) = (Logical::default(), 0);
            for line in body.split_inclusive('\n') {
                decoder.push(line.as_bytes(), at, false, &mut streamed);
                at += line.len();
            }
            decoder.push(b"", at, true, &mut streamed);
            // Lines with blanks are judged one by one only in a stream.
            assert!(body.contains(' ') || streamed == text, "{body:?}");
        }
    }

    /// Checks that padding without end, which no encoder writes, takes linear time.
    #[test]
    fn padding_without_end() {
        let body = [&b"aGk"[..], &b"=".repeat(4 << 20), b"\n!! list\n"].concat();
        is_quick(|| assert_eq!(base64::<Logical>(&body, 0).text.bytes(), b"hi"));
    }

    #[test]
    fn places_in_files_within_texts() {
        let line = b"1:'1T<#HO+V$N97AA;7!L92\\";
        let mut text = Logical::default();
        assert!(uuencoded_line(line, 10, &mut text));
        assert_eq!((text.bytes(), text.source(0..17)), (&b"http://a.example/"[..], 11..11 + line.len() - 1));
        assert_eq!(text.source(3..4), 15..19);
        let mut text = Logical::default();
        yenc_line(b"\x92=}\x9e", 5, &mut text);
        assert_eq!((text.bytes(), text.source(1..2), text.source(2..3)), (&b"h\x13t"[..], 6..8, 8..9));
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
            let found: Base64<Vec<u8>> = base64(&body, 0);
            assert_eq!(String::from_utf8_lossy(&found.text), text, "{body:?}");
            let lines: Vec<u8> = found.foreign.iter().flat_map(|lines| body[lines.clone()].to_vec()).collect();
            assert_eq!(String::from_utf8_lossy(&lines), foreign, "{body:?}");
        }
        // One byte of junk in a line of 76 is skipped, as section 6.8 requires. The line is also
        // kept as text.
        let body = "aHR0cDovL2gv!aHR0cDovL2gvaHR0cDovL2gv\n";
        let found: Base64<Vec<u8>> = base64(body.as_bytes(), 0);
        assert_eq!((found.text, found.foreign.first()), (b"http://h/".repeat(3), Some(&(0..38))));
        assert_eq!(foreign_lines(body.as_bytes()).first(), Some(&(0..38)));
        assert!(foreign_lines("aHR0cDovL2gv\r\n".repeat(200).as_bytes()).is_empty());
    }
}

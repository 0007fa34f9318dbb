//! Charsets: converts bytes, after transfer decoding, to UTF-8 (RFC 2045 section 2.2). The labels
//! are those of the WHATWG's Encoding Standard. UTF-7 follows RFC 2152.
//!
//! Some charsets need no decoding here: UTF-8, EUC-JP and every single-byte charset. In them an
//! ASCII byte always stands for its ASCII character, and URLs are ASCII. So the text keeps its
//! place in the message.
//!
//! Other charsets need decoding. In Shift JIS, GBK, GB 18030, Big5 and EUC-KR the second byte of a
//! letter can be an ASCII byte. ISO-2022-JP and UTF-7 write their letters in ASCII. UTF-16 has no
//! one-byte characters, so ASCII text looks different in it.

use std::borrow::Cow;

use encoding_rs::{
    CoderResult, Decoder, EUC_JP, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use mail_parser::decoders::base64::base64_decode;
use memchr::{memchr, memchr3, memmem};

use crate::archive::message::{self, Note, OriginSegment};

/// The number of bytes that are searched for a declaration of the charset. The HTML standard
/// requires the declaration within these bytes.
const META_WITHIN: usize = 1024;
/// The number of bytes that must look like UTF-16 if there is no byte order mark.
const PAIRS: usize = 32;
/// The length of the buffer for decoded text. It is short, because it is cleared for every stretch.
const ROOM: usize = 128;

/// The charset in which the bytes of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// No charset was named, or US-ASCII, which is often wrong.
    Unnamed,
    /// A charset of `encoding_rs`.
    Known(&'static Encoding),
    /// UTF-16 without a byte order in its label.
    Utf16,
    Utf7,
    /// A name without a decoder.
    Unknown,
}

/// A text in UTF-8, or as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    /// The stretches that were copied, and their places in the bytes. There are none if nothing was
    /// decoded, or for UTF-16, because nothing of it is a copy.
    pub(crate) segments: Vec<OriginSegment>,
    pub(crate) note: Option<Note>,
}

impl<'t> Decoded<'t> {
    fn same(bytes: &'t [u8], note: Option<Note>) -> Self {
        Decoded { text: Cow::Borrowed(bytes), segments: Vec::new(), note }
    }

    fn new(text: Vec<u8>, segments: Vec<OriginSegment>, is_wrong: bool) -> Self {
        Decoded { text: Cow::Owned(text), segments, note: is_wrong.then_some(Note::WrongCharset) }
    }

    /// Decodes a charset in which nothing of the text is a copy of the bytes.
    fn all_new(encoding: &'static Encoding, bytes: &[u8]) -> Self {
        let (text, is_wrong) = encoding.decode_without_bom_handling(bytes);
        Decoded::new(text.into_owned().into_bytes(), Vec::new(), is_wrong)
    }
}

impl Charset {
    pub(crate) fn from_label(label: &[u8]) -> Self {
        let label = label.trim_ascii();
        let is = |name: &str| label.eq_ignore_ascii_case(name.as_bytes());
        if label.is_empty() || is("us-ascii") || is("ascii") || is("usascii") {
            return Charset::Unnamed;
        }
        if is("utf-7") || is("unicode-1-1-utf-7") {
            return Charset::Utf7;
        }
        if is("utf-16") {
            return Charset::Utf16;
        }
        match Encoding::for_label(label) {
            // `REPLACEMENT` stands for charsets that no browser decodes any more, HZ and
            // ISO-2022-KR. It decodes any text to one U+FFFD. The undecoded bytes are more useful,
            // because their ASCII stretches are ASCII.
            Some(encoding) if encoding == REPLACEMENT => Charset::Unknown,
            Some(encoding) => Charset::Known(encoding),
            None => Charset::Unknown,
        }
    }

    /// Returns whether an ASCII byte always stands for its ASCII character. Then the text can be
    /// searched without decoding.
    pub(crate) fn is_transparent(self) -> bool {
        match self {
            Charset::Unnamed => true,
            Charset::Known(encoding) => encoding == UTF_8 || encoding == EUC_JP || encoding.is_single_byte(),
            Charset::Utf16 | Charset::Utf7 | Charset::Unknown => false,
        }
    }

    /// Returns whether the text can be searched as it is.
    pub(crate) fn is_searchable(self, bytes: &[u8]) -> bool {
        let is_shifting = match self {
            _ if marked(bytes).is_some() => true,
            _ if self.is_transparent() => return true,
            Charset::Utf7 => memchr(b'+', bytes).is_some(),
            // These are the zero byte of a UTF-16 unit, and the shift-out and escape bytes of ISO
            // 2022.
            _ => memchr3(0, 0x0E, 0x1B, bytes).is_some(),
        };
        !is_shifting && bytes.is_ascii()
    }

    /// Returns a decoder for a long text that begins with `sample`, to decode it piece by piece.
    /// Returns `None` if the text is read as it is.
    pub(crate) fn decoder(self, sample: &[u8], is_searchable: bool) -> Option<CharsetDecoder> {
        let known = |decoder: Decoder| Some(CharsetDecoder::Known(Box::new(decoder)));
        if let Some((encoding, _)) = marked(sample) {
            return known(encoding.new_decoder_with_bom_removal());
        }
        match self {
            Charset::Utf7 => Some(CharsetDecoder::Utf7),
            // Text that is labelled UTF-16 but holds no NUL is most likely UTF-8.
            Charset::Utf16 if memchr(0, sample).is_some() => known(order(sample).new_decoder_without_bom_handling()),
            Charset::Known(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
                memchr(0, sample).and_then(|_| known(encoding.new_decoder_without_bom_handling()))
            }
            Charset::Known(encoding) if encoding != UTF_8 && !(is_searchable && self.is_transparent()) => {
                known(encoding.new_decoder_without_bom_handling())
            }
            _ => None,
        }
    }

    /// Returns the text in UTF-8. A byte order mark of UTF-16 overrides the label. Text that is
    /// labelled UTF-8, or is in an unknown charset, stays as it is.
    pub(crate) fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        if let Some((encoding, length)) = marked(bytes) {
            return Decoded::all_new(encoding, &bytes[length..]);
        }
        match self {
            Charset::Unnamed if std::str::from_utf8(bytes).is_ok() => Decoded::same(bytes, None),
            // This charset extends ISO-8859-1 and decodes every byte.
            Charset::Unnamed => decode(WINDOWS_1252, bytes),
            Charset::Unknown => Decoded::same(bytes, Some(Note::UnknownCharset)),
            Charset::Utf7 => decode_utf7(bytes),
            Charset::Known(encoding) if encoding == UTF_8 => {
                let is_wrong = std::str::from_utf8(bytes).is_err();
                Decoded::same(bytes, is_wrong.then_some(Note::WrongCharset))
            }
            Charset::Utf16 => decode_utf16(order(bytes), bytes),
            Charset::Known(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => decode_utf16(encoding, bytes),
            Charset::Known(encoding) => decode(encoding, bytes),
        }
    }
}

/// A decoder that decodes a charset piece by piece.
pub(crate) enum CharsetDecoder {
    Known(Box<Decoder>),
    Utf7,
}

impl CharsetDecoder {
    /// Appends the text of a piece. Returns whether some of it was malformed.
    ///
    /// A piece of UTF-7 must consist of whole lines, because an encoded run ends with its line.
    pub(crate) fn push(&mut self, bytes: &[u8], is_last: bool, text: &mut Vec<u8>) -> bool {
        match self {
            CharsetDecoder::Known(decoder) => feed(decoder, bytes, is_last, text),
            CharsetDecoder::Utf7 => {
                let decoded = decode_utf7(bytes);
                text.extend_from_slice(&decoded.text);
                decoded.note.is_some()
            }
        }
    }
}

/// Returns the charset that an HTML text declares for itself.
///
/// The declaration is `<meta charset=…>` or `<meta … content="…; charset=…">`.
pub(crate) fn of_html(text: &[u8]) -> Charset {
    let head = text[..text.len().min(META_WITHIN)].to_ascii_lowercase();
    let mut at = 0;
    while let Some(meta) = memmem::find(&head[at..], b"<meta") {
        let start = at + meta;
        let end = memchr(b'>', &head[start..]).map_or(head.len(), |length| start + length);
        at = end;
        let Some(name) = memmem::find(&head[start..end], b"charset") else { continue };
        let Some(value) = head[start + name + 7..end].trim_ascii_start().strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
        let end = value.iter().position(|byte| b"\"'; \t\r\n/>".contains(byte)).unwrap_or(value.len());
        return declared(&value[..end]);
    }
    Charset::Unnamed
}

/// Returns the charset that the declaration of an XML document names (XML 1.0 section 4.3.3).
pub(crate) fn of_xml(text: &[u8]) -> Charset {
    let text = text.trim_ascii_start();
    if !text.starts_with(b"<?xml") {
        return Charset::Unnamed;
    }
    let head = &text[..text.len().min(META_WITHIN)];
    let head = &head[..memchr(b'>', head).unwrap_or(head.len())];
    let Some(name) = memmem::find(head, b"encoding") else { return Charset::Unnamed };
    let Some(value) = head[name + 8..].trim_ascii_start().strip_prefix(b"=") else { return Charset::Unnamed };
    let mut quoted = value.split(|byte| matches!(byte, b'"' | b'\''));
    quoted.nth(1).map_or(Charset::Unnamed, declared)
}

/// Returns the charset of a label inside a text. The label was readable as ASCII, so the text is
/// not UTF-16.
fn declared(label: &[u8]) -> Charset {
    match Charset::from_label(label) {
        Charset::Utf16 => Charset::Known(UTF_8),
        Charset::Known(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Charset::Known(UTF_8),
        charset => charset,
    }
}

/// Returns the encoding that a byte order mark of UTF-16 shows, and the length of the mark.
fn marked(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(bytes).filter(|&(encoding, _)| encoding != UTF_8)
}

/// Returns whether a file begins as UTF-16 does: with its byte order mark, or with pairs of ASCII
/// and NUL.
pub(crate) fn is_utf16(head: &[u8]) -> bool {
    let (pairs, _) = head[..head.len().min(PAIRS)].as_chunks::<2>();
    let is_letter = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let (little, big) =
        (|pair: &[u8; 2]| pair[1] == 0 && is_letter(pair[0]), |pair: &[u8; 2]| pair[0] == 0 && is_letter(pair[1]));
    marked(head).is_some() || head.len() >= PAIRS && (pairs.iter().all(little) || pairs.iter().all(big))
}

/// Returns whether these first bytes are UTF-16, or may become UTF-16 with the bytes that follow.
pub(crate) fn may_be_utf16(head: &[u8]) -> bool {
    is_utf16(head) || head.len() < PAIRS && head.contains(&0)
}

/// Returns the encoding of a file in UTF-16, and the length of its mark.
pub(crate) fn utf16_of(bytes: &[u8]) -> (message::Encoding, usize) {
    let (encoding, mark) = marked(bytes).unwrap_or_else(|| (order(bytes), 0));
    (if encoding == UTF_16LE { message::Encoding::Utf16Le } else { message::Encoding::Utf16Be }, mark)
}

/// Converts the text of a UTF-16 file to UTF-8, without its byte order mark.
pub(crate) fn decode_utf16_file(bytes: &[u8]) -> Vec<u8> {
    let (encoding, mark) = marked(bytes).unwrap_or_else(|| (order(bytes), 0));
    encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned().into_bytes()
}

/// Decodes a text stretch by stretch, so that the ASCII stretches keep their places.
///
/// A stretch of ASCII is a copy, except for the bytes that complete a letter begun before it. So
/// old and new bytes are compared from the end of the stretch. The escapes of ISO-2022-JP begin
/// stretches, too: the text after `ESC ( B` is a copy.
fn decode<'t>(encoding: &'static Encoding, bytes: &'t [u8]) -> Decoded<'t> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 2);
    let mut segments = vec![OriginSegment::new(0, 0)];
    let (mut at, mut is_wrong) = (0, false);
    let escapes = encoding == ISO_2022_JP;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let letters = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
        // One search finds either kind of end. Two separate searches could each read to the end of
        // the text for every stretch, which takes quadratic time.
        let is_end = |byte: &u8| !byte.is_ascii() || escapes && *byte == 0x1B;
        let ascii = rest[letters..].iter().skip(1).position(is_end).map_or(rest.len() - letters, |more| 1 + more);
        let end = at + letters + ascii;
        let is_last = end == bytes.len();
        // Non-ASCII letters and ASCII are decoded separately, so that only the ASCII is compared.
        is_wrong |= feed(&mut decoder, &bytes[at..at + letters], false, &mut text);
        let before = text.len();
        is_wrong |= feed(&mut decoder, &bytes[at + letters..end], is_last, &mut text);
        let copied = text[before..].iter().rev().zip(bytes[at + letters..end].iter().rev());
        let copied = copied.take_while(|(new, old)| new == old).count();
        if copied > 0 {
            let segment = OriginSegment::new(text.len() - copied, end - copied);
            match segments.last_mut() {
                Some(last) if last.text() == segment.text() => *last = segment,
                Some(last) if segment.text() - last.text() == segment.origin() - last.origin() => {}
                _ => segments.push(segment),
            }
        }
        at = end;
    }
    // The last segment marks the end. Without it, places in letters that became longer would lie
    // beyond the end of the bytes.
    segments.push(OriginSegment::new(text.len(), bytes.len()));
    if is_wrong && std::str::from_utf8(bytes).is_ok() {
        return Decoded::same(bytes, Some(Note::WrongCharset));
    }
    Decoded::new(text, segments, is_wrong)
}

/// Appends the decoded bytes. Returns whether some of them were malformed.
///
/// The bytes pass through a small buffer, because `decode_to_string` clears all spare capacity of
/// the string each time.
fn feed(decoder: &mut Decoder, mut bytes: &[u8], is_last: bool, text: &mut Vec<u8>) -> bool {
    let mut room = [0; ROOM];
    let mut is_wrong = false;
    loop {
        let (result, read, written, wrong) = decoder.decode_to_utf8(bytes, &mut room, is_last);
        text.extend_from_slice(&room[..written]);
        is_wrong |= wrong;
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return is_wrong;
        }
    }
}

fn decode_utf16<'t>(encoding: &'static Encoding, bytes: &'t [u8]) -> Decoded<'t> {
    // Some converters write UTF-8 and keep the label of their source.
    if memchr(0, bytes).is_none() && std::str::from_utf8(bytes).is_ok() {
        return Decoded::same(bytes, (!bytes.is_empty()).then_some(Note::WrongCharset));
    }
    Decoded::all_new(encoding, bytes)
}

/// Returns the byte order of UTF-16 without a mark.
///
/// RFC 2781 section 4.3 prescribes big-endian, but texts of little-endian systems lack the mark,
/// too. The high byte of a Latin letter is zero in both.
fn order(bytes: &[u8]) -> &'static Encoding {
    let (pairs, _) = bytes[..bytes.len().min(4096)].as_chunks::<2>();
    let high = pairs.iter().filter(|pair| pair[0] == 0).count();
    let low = pairs.iter().filter(|pair| pair[1] == 0).count();
    if low > high { UTF_16LE } else { UTF_16BE }
}

/// Decodes UTF-7 (RFC 2152).
///
/// The decoder of `mail-parser` is not used: it leaves `+-` as it is. It also drops the byte after
/// a run that no `-` closes, even a line break or a slash.
fn decode_utf7(bytes: &[u8]) -> Decoded<'_> {
    let Some(first) = memchr(b'+', bytes) else { return Decoded::same(bytes, None) };
    let mut text = bytes[..first].to_vec();
    let mut segments = vec![OriginSegment::new(0, 0)];
    let (mut at, mut is_wrong) = (first, false);
    while at < bytes.len() {
        let rest = &bytes[at + 1..];
        let length = rest
            .iter()
            .position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'+' && byte != b'/')
            .unwrap_or(rest.len());
        let closed = rest.get(length) == Some(&b'-');
        match base64_decode(&rest[..length]) {
            _ if length == 0 => text.push(b'+'),
            Some(units) if units.len() >= 2 => {
                // The padding bits can fill one more byte, so an odd byte is dropped.
                let (letters, wrong) = UTF_16BE.decode_without_bom_handling(&units[..units.len() & !1]);
                text.extend_from_slice(letters.as_bytes());
                is_wrong |= wrong;
            }
            _ => {
                text.extend_from_slice(&bytes[at..at + 1 + length + usize::from(closed)]);
                is_wrong = true;
            }
        }
        at += 1 + length + usize::from(closed);
        let end = memchr(b'+', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        segments.push(OriginSegment::new(text.len(), at));
        text.extend_from_slice(&bytes[at..end]);
        at = end;
    }
    Decoded::new(text, segments, is_wrong)
}

/// Returns whether bytes look like text. This distinguishes a source file from an image if the
/// media type states neither.
///
/// Binary files hold control characters that do not occur in text. In a text in an 8-bit charset
/// more than half of the bytes are ASCII.
pub(crate) fn looks_like_text(sample: &[u8]) -> bool {
    if Encoding::for_bom(sample).is_some() {
        return true;
    }
    let is_control = |&byte: &u8| byte == 0x7F || (byte < b' ' && !matches!(byte, 0x08..=0x0D | 0x1B));
    if sample.iter().any(is_control) {
        return false;
    }
    let letters = sample.iter().filter(|byte| !byte.is_ascii()).count();
    let is_utf8 = match std::str::from_utf8(sample) {
        Ok(_) => true,
        // The sample may end inside a letter.
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 || letters * 2 < sample.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::message::Positions;
    use crate::archive::support::{is_quick, shuffled};

    #[test]
    fn a_text_of_escapes_takes_no_longer_than_another() {
        let text = b"\x1B$B\x1B(B".repeat(200_000);
        is_quick(|| assert!(Charset::from_label(b"iso-2022-jp").decode(&text).text.len() <= 3 * text.len()));
    }

    fn decoded(label: &str, bytes: &[u8]) -> (String, Option<Note>) {
        let decoded = Charset::from_label(label.as_bytes()).decode(bytes);
        (String::from_utf8_lossy(&decoded.text).into_owned(), decoded.note)
    }

    #[test]
    fn charsets() {
        for (label, bytes, text) in [
            ("iso-8859-1", &b"caf\xE9 http://h/"[..], "café http://h/"),
            ("ISO-8859-15", b"\xA4", "€"),
            ("windows-1251", b"\xEC\xE8\xF0", "мир"),
            ("koi8-r", b"\xCD\xC9\xD2", "мир"),
            ("shift_jis", b"\x83n\x83\x8D http://h/", "ハロ http://h/"),
            ("shift_jis", "http://h/é".as_bytes(), "http://h/ﾃｩ"), // wrong, but the bytes fit
            ("euc-jp", b"\xA5\xCF\xA5\xED", "ハロ"),
            ("iso-2022-jp", b"\x1B$B%O%m\x1B(B http://h/", "ハロ http://h/"),
            ("gb2312", b"\xC4\xE3", "你"),
            ("gb18030", b"\x81\x30\x81\x36", "\u{86}"),
            ("big5", b"\xA7A", "你"),
            ("euc-kr", b"\xBE\xC8", "안"),
            ("utf-16le", b"h\0i\0", "hi"),
            ("utf-16be", b"\0h\0i", "hi"),
            ("utf-16", b"\xFF\xFEh\0i\0", "hi"),
            ("utf-16", b"\xFE\xFF\0h\0i", "hi"),
            ("utf-16", b"h\0i\0", "hi"),
            ("utf-16", b"\0h\0i", "hi"),
            ("", b"\xFF\xFEh\0i\0", "hi"),
            ("utf-8", b"\xFF\xFEh\0i\0", "hi"),
            ("utf-7", b"http+ADo-//h/?a+-b", "http://h/?a+b"),
            ("utf-7", b"+AGg-ttp:+AC8ALw-h+AC8.", "http://h/."),
            ("us-ascii", "é".as_bytes(), "é"),
            ("us-ascii", b"caf\xE9", "café"),
            ("", b"plain", "plain"),
            ("utf8", "é".as_bytes(), "é"),
            (" \"", b"x", "x"),
        ] {
            let (found, note) = decoded(label, bytes);
            assert_eq!(found, text, "{label}");
            assert!(note.is_none() || label == " \"", "{label}");
        }
    }

    #[test]
    fn lies_are_noted() {
        for (label, bytes, text, note) in [
            ("klingon", &b"http://h/\xE9"[..], "http://h/\u{FFFD}", Note::UnknownCharset),
            ("hz-gb-2312", b"~{VPND~} http://h/", "~{VPND~} http://h/", Note::UnknownCharset),
            ("utf-8", b"caf\xE9", "caf\u{FFFD}", Note::WrongCharset),
            ("iso-2022-jp", "é http://h/".as_bytes(), "é http://h/", Note::WrongCharset),
            ("utf-16", b"http://h/", "http://h/", Note::WrongCharset),
            ("utf-16le", b"h\0i\0x", "hi\u{FFFD}", Note::WrongCharset),
            ("utf-7", b"a +x-", "a +x-", Note::WrongCharset),
        ] {
            assert_eq!(decoded(label, bytes), (text.to_string(), Some(note)), "{label}");
        }
    }

    /// Checks that ASCII words map back to their places in the undecoded bytes.
    #[test]
    fn copies_keep_their_places() {
        for (label, bytes) in [
            ("iso-8859-1", &b"\xE9\xE9 http://h/\xE9 end"[..]),
            ("shift_jis", b"\x83n\x83\x8D http://h/ \x83nnn end"),
            ("gb18030", b"\x81\x30\x81\x36 http://h/ end"),
            ("iso-2022-jp", b"a \x1B$B%O%m\x1B(B http://h/ \x1B$B%O\x1B(Bend"),
            ("utf-7", b"+AGgAaQ http://h/ +- end"),
        ] {
            let decoded = Charset::from_label(label.as_bytes()).decode(bytes);
            let positions = Positions::in_place(0).then(&decoded.segments);
            for word in [&b" http://h/"[..], b"end"] {
                let at = memmem::find(&decoded.text, word).expect("a copy");
                let range = positions.range(at..at + word.len());
                assert_eq!(&bytes[range], word, "{label}: {decoded:?}");
            }
        }
    }

    #[test]
    fn a_page_says_its_charset() {
        for (page, bytes, text) in [
            ("<meta charset=windows-1251>", b"\xEC", "м"),
            ("<META CHARSET='windows-1251'>", b"\xEC", "м"),
            ("<meta http-equiv=x content=\"text/html; charset=windows-1251\">", b"\xEC", "м"),
            ("<meta name=a><meta charset = \"windows-1251\" />", b"\xEC", "м"),
            ("<meta charset=", b"\xEC", "ì"),
            ("<meta", b"\xEC", "ì"),
            ("charset=windows-1251", b"\xEC", "ì"),
        ] {
            let decoded = of_html(page.as_bytes()).decode(bytes).text;
            assert_eq!(String::from_utf8_lossy(&decoded), text, "{page}");
        }
        assert_eq!(of_html(b"<meta charset=utf-16>"), Charset::Known(UTF_8));
    }

    #[test]
    fn what_can_be_searched_as_it_lies() {
        for (label, bytes, is_searchable) in [
            ("iso-8859-1", &b"caf\xE9"[..], true),
            ("euc-jp", b"\xA5\xCF", true),
            ("", b"caf\xE9", true),
            ("shift_jis", b"plain", true),
            ("shift_jis", b"\x83n", false),
            ("iso-2022-jp", b"plain", true),
            ("iso-2022-jp", b"\x1B$B%O", false),
            ("utf-7", b"plain", true),
            ("utf-7", b"a+b", false),
            ("utf-16", b"h\0", false),
            ("klingon", b"plain", true),
            ("klingon", b"caf\xE9", false),
            ("", b"\xFF\xFEh\0", false),
        ] {
            assert_eq!(Charset::from_label(label.as_bytes()).is_searchable(bytes), is_searchable, "{label}");
        }
    }

    #[test]
    fn text_is_told_from_what_is_not() {
        for text in [&b""[..], b"int main;\n", "é".as_bytes(), b"caf\xE9\r\n", b"\xFF\xFEh\0", b"%PDF"] {
            assert!(looks_like_text(text), "{text:?}");
        }
        for binary in [&b"\x89PNG\r\n\x1A\n\0"[..], b"PK\x03\x04", b"\x1F\x8B\x08\0", b"\xFF\xD8\xFF\xE0"] {
            assert!(!looks_like_text(binary), "{binary:?}");
        }
    }

    #[test]
    fn any_bytes_decode() {
        let mut rng = fastrand::Rng::with_seed(2045);
        let labels =
            ["", "utf-8", "utf-16", "utf-7", "iso-2022-jp", "shift_jis", "gb18030", "big5", "euc-kr", "koi8-r"];
        for _ in 0..20_000 {
            let pieces = [&b"\x1B$B"[..], b"\x1B(B", b"+", b"-", b"AGg", b"\x83", b"\xFF", b"\0", b"http://h/", b"\n"];
            let bytes = shuffled(&mut rng, &pieces, 12);
            let decoded = Charset::from_label(rng.choice(labels).unwrap().as_bytes()).decode(&bytes);
            if !decoded.segments.is_empty() {
                let positions = Positions::in_place(0).then(&decoded.segments);
                let offsets: Vec<_> = (0..decoded.text.len()).map(|at| positions.offset(at)).collect();
                assert!(offsets.is_sorted(), "{bytes:?} {decoded:?}");
                assert!(offsets.last().is_none_or(|&last| last < bytes.len()), "{bytes:?} {decoded:?}");
            }
        }
    }
}

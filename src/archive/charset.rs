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

use encoding_rs::{
    CoderResult, Decoder, EUC_JP, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use mail_parser::decoders::base64::base64_decode;
use memchr::{memchr, memchr3, memmem};

use crate::archive::encoding;
use crate::archive::message::Note;
use crate::bytes::logical::{DecodedText, Logical};
use crate::bytes::source_map::SourceMap;

/// The number of bytes that are searched for a declaration of the charset. The HTML standard
/// requires the declaration within these bytes.
const META_WITHIN: usize = 1024;
/// The number of bytes that must look like UTF-16 if there is no byte order mark.
const PAIRS: usize = 32;
/// The room for what one more byte completes: a malformed sequence, and letters after it.
const LETTER: usize = 32;
/// The length of an escape of ISO-2022-JP.
const ESCAPE: usize = 3;
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
pub(crate) struct Decoded {
    /// The text, or `None` if it stays as it was.
    pub(crate) text: Option<Logical>,
    /// The bytes are UTF-16, in which even ASCII is spelled otherwise.
    pub(crate) is_utf16: bool,
    pub(crate) note: Option<Note>,
}

impl Decoded {
    /// Leaves the text as it is.
    pub(crate) fn same(note: Option<Note>) -> Self {
        Decoded { text: None, is_utf16: false, note }
    }

    fn new(text: Logical, is_wrong: bool) -> Self {
        Decoded { text: Some(text), is_utf16: false, note: is_wrong.then_some(Note::WrongCharset) }
    }

    /// Decodes UTF-16 after a mark of this length.
    fn wide(encoding: &'static Encoding, bytes: &[u8], mark: usize) -> Self {
        let (text, is_wrong) = encoding.decode_without_bom_handling(&bytes[mark..]);
        let map = SourceMap::of_utf16(text.as_bytes(), mark);
        let text = Logical::with_map(text.into_owned().into_bytes(), map);
        Decoded { is_utf16: true, ..Decoded::new(text, is_wrong) }
    }

    /// Returns the text. `bytes` is what was decoded.
    pub(crate) fn into_text(self, bytes: &[u8]) -> Vec<u8> {
        self.text.map_or_else(|| bytes.to_vec(), |text| text.into_parts().0)
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
        let known = |encoding: &'static Encoding| Some(CharsetDecoder::known(encoding, 0));
        if let Some((encoding, mark)) = marked(sample) {
            return Some(CharsetDecoder::known(encoding, mark));
        }
        match self {
            Charset::Utf7 => Some(CharsetDecoder::Utf7),
            // Text that is labelled UTF-16 but holds no NUL is most likely UTF-8.
            Charset::Utf16 if memchr(0, sample).is_some() => known(order(sample)),
            Charset::Known(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
                memchr(0, sample).and_then(|_| known(encoding))
            }
            Charset::Known(encoding) if encoding != UTF_8 && !(is_searchable && self.is_transparent()) => {
                known(encoding)
            }
            _ => None,
        }
    }

    /// Returns the text in UTF-8. A byte order mark of UTF-16 overrides the label. Text that is
    /// labelled UTF-8, or is in an unknown charset, stays as it is.
    pub(crate) fn decode(self, bytes: &[u8]) -> Decoded {
        if let Some((encoding, length)) = marked(bytes) {
            return Decoded::wide(encoding, bytes, length);
        }
        match self {
            Charset::Unnamed if std::str::from_utf8(bytes).is_ok() => Decoded::same(None),
            // This charset extends ISO-8859-1 and decodes every byte.
            Charset::Unnamed => decode(WINDOWS_1252, bytes),
            Charset::Unknown => Decoded::same(Some(Note::UnknownCharset)),
            Charset::Utf7 if memchr(b'+', bytes).is_none() => Decoded::same(None),
            Charset::Utf7 => {
                let mut text = Logical::default();
                let is_wrong = decode_utf7(bytes, 0, &mut text);
                Decoded::new(text, is_wrong)
            }
            Charset::Known(encoding) if encoding == UTF_8 => {
                let is_wrong = std::str::from_utf8(bytes).is_err();
                Decoded::same(is_wrong.then_some(Note::WrongCharset))
            }
            Charset::Utf16 => decode_utf16(order(bytes), bytes),
            Charset::Known(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => decode_utf16(encoding, bytes),
            Charset::Known(encoding) => decode(encoding, bytes),
        }
    }
}

/// A decoder that decodes a charset piece by piece.
pub(crate) enum CharsetDecoder {
    Known(Box<LetterDecoder>),
    Utf7,
}

impl CharsetDecoder {
    /// Returns a decoder of bytes that begin with a mark of this length, or with none.
    fn known(encoding: &'static Encoding, mark: usize) -> CharsetDecoder {
        let decoder = match mark {
            0 => encoding.new_decoder_without_bom_handling(),
            _ => encoding.new_decoder_with_bom_removal(),
        };
        let pending = (mark > 0).then_some(mark);
        CharsetDecoder::Known(Box::new(LetterDecoder { encoding, decoder, pending, is_wrong: false }))
    }

    /// Returns the place of the first byte that waits for more, if any.
    pub(crate) fn pending(&self) -> Option<usize> {
        if let CharsetDecoder::Known(decoder) = self { decoder.pending } else { None }
    }

    /// Appends the text of a piece whose first byte is at `source`.
    ///
    /// A piece of UTF-7 must consist of whole lines, because an encoded run ends with its line.
    pub(crate) fn push(&mut self, bytes: &[u8], source: usize, is_last: bool, text: &mut impl DecodedText) {
        match self {
            CharsetDecoder::Known(decoder) => decoder.push(bytes, source, is_last, text),
            CharsetDecoder::Utf7 => {
                decode_utf7(bytes, source, text);
            }
        }
    }
}

/// A decoder that knows the bytes of each letter.
pub(crate) struct LetterDecoder {
    encoding: &'static Encoding,
    decoder: Decoder,
    /// The place of the first byte of a letter that is not complete.
    pending: Option<usize>,
    /// Some bytes were malformed.
    is_wrong: bool,
}

impl LetterDecoder {
    fn push<T: DecodedText>(&mut self, bytes: &[u8], source: usize, is_last: bool, text: &mut T) {
        if !T::HAS_PLACES {
            return self.feed(bytes, is_last, |piece| text.append(piece, source));
        }
        let is_wide = self.encoding == UTF_16LE || self.encoding == UTF_16BE;
        if !is_wide && !self.encoding.is_single_byte() {
            return self.push_letters(bytes, source, is_last, text);
        }
        // Here each letter tells how many bytes it has in the source.
        let mut at = self.pending.unwrap_or(source);
        self.feed(bytes, is_last, |piece| {
            let mut rest = str::from_utf8(piece).unwrap_or_default();
            while let Some(letter) = rest.chars().next() {
                // Letters of one length are appended together.
                let (length, wide) = (letter.len_utf8(), letter.len_utf16());
                let count = rest.chars().take_while(|next| next.len_utf8() == length).count();
                let (letters, behind) = rest.split_at(count * length);
                let unit = if is_wide { 2 * wide } else { 1 };
                text.append_units(letters.as_bytes(), at, (length as u8, unit as u8));
                (rest, at) = (behind, at + count * unit);
            }
        });
        self.pending = Some(at);
    }

    /// Decodes letters of several bytes. Runs of ASCII are copied.
    fn push_letters(&mut self, bytes: &[u8], source: usize, is_last: bool, text: &mut impl DecodedText) {
        // The letters of ISO-2022-JP are ASCII, after an escape.
        let has_escapes = self.encoding == ISO_2022_JP;
        let mut at = 0;
        while at < bytes.len() {
            if self.pending.is_none() && !has_escapes {
                let rest = &bytes[at..];
                let ascii = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
                text.append(&rest[..ascii], source + at);
                at += ascii;
            }
            let Some(&byte) = bytes.get(at) else { break };
            let start = *self.pending.get_or_insert(source + at);
            at += 1;
            let mut room = [0; LETTER];
            let is_end = is_last && at == bytes.len();
            let (result, _, written, is_wrong) = self.decoder.decode_to_utf8(&[byte], &mut room, is_end);
            debug_assert_eq!(result, CoderResult::InputEmpty);
            self.is_wrong |= is_wrong;
            let letter = &room[..written];
            match *letter {
                [] if has_escapes && source + at - start == ESCAPE => self.pending = None,
                [] => {}
                [ref wrong @ .., last] if last == byte && byte.is_ascii() => {
                    if !wrong.is_empty() {
                        text.replace(wrong, start..source + at - 1);
                    }
                    text.append(&[byte], source + at - 1);
                }
                _ => text.replace(letter, start..source + at),
            }
            if !letter.is_empty() {
                self.pending = None;
            }
        }
    }

    /// Passes the text of these bytes on, in pieces of whole letters.
    ///
    /// The text passes through a small buffer, because `decode_to_string` clears all spare capacity
    /// of the string each time.
    fn feed(&mut self, mut bytes: &[u8], is_last: bool, mut give: impl FnMut(&[u8])) {
        let mut room = [0; ROOM];
        loop {
            let (result, read, written, wrong) = self.decoder.decode_to_utf8(bytes, &mut room, is_last);
            give(&room[..written]);
            self.is_wrong |= wrong;
            bytes = &bytes[read..];
            if result == CoderResult::InputEmpty {
                return;
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
pub(crate) fn utf16_of(bytes: &[u8]) -> (encoding::Encoding, usize) {
    let (encoding, mark) = marked(bytes).unwrap_or_else(|| (order(bytes), 0));
    (if encoding == UTF_16LE { encoding::Encoding::Utf16Le } else { encoding::Encoding::Utf16Be }, mark)
}

/// Converts the text of a UTF-16 file to UTF-8, without its byte order mark.
pub(crate) fn decode_utf16_file(bytes: &[u8]) -> Vec<u8> {
    let (encoding, mark) = marked(bytes).unwrap_or_else(|| (order(bytes), 0));
    encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned().into_bytes()
}

/// Decodes a text with the place of each letter.
fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let decoder = encoding.new_decoder_without_bom_handling();
    let mut decoder = LetterDecoder { encoding, decoder, pending: None, is_wrong: false };
    let mut text = Logical::default();
    text.reserve(bytes.len() + bytes.len() / 2);
    decoder.push(bytes, 0, true, &mut text);
    if decoder.is_wrong && std::str::from_utf8(bytes).is_ok() {
        return Decoded::same(Some(Note::WrongCharset));
    }
    Decoded::new(text, decoder.is_wrong)
}

fn decode_utf16(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    // Some converters write UTF-8 and keep the label of their source.
    if memchr(0, bytes).is_none() && std::str::from_utf8(bytes).is_ok() {
        return Decoded::same((!bytes.is_empty()).then_some(Note::WrongCharset));
    }
    Decoded::wide(encoding, bytes, 0)
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
///
/// Returns whether some bytes were malformed.
fn decode_utf7(bytes: &[u8], source: usize, text: &mut impl DecodedText) -> bool {
    let (mut at, mut is_wrong) = (0, false);
    while let Some(length) = memchr(b'+', &bytes[at..]) {
        text.append(&bytes[at..at + length], source + at);
        at += length;
        let rest = &bytes[at + 1..];
        let length = rest
            .iter()
            .position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'+' && byte != b'/')
            .unwrap_or(rest.len());
        let end = at + 1 + length + usize::from(rest.get(length) == Some(&b'-'));
        let run = source + at..source + end;
        match base64_decode(&rest[..length]) {
            _ if length == 0 => text.replace(b"+", run),
            Some(units) if units.len() >= 2 => {
                // The padding bits can fill one more byte, so an odd byte is dropped.
                let (letters, wrong) = UTF_16BE.decode_without_bom_handling(&units[..units.len() & !1]);
                text.replace(letters.as_bytes(), run);
                is_wrong |= wrong;
            }
            _ => {
                text.append(&bytes[at..end], source + at);
                is_wrong = true;
            }
        }
        at = end;
    }
    text.append(&bytes[at..], source + at);
    is_wrong
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
    use crate::archive::support::{is_quick, shuffled};

    #[test]
    fn a_text_of_escapes_takes_no_longer_than_another() {
        let text = b"\x1B$B\x1B(B".repeat(200_000);
        is_quick(|| {
            assert!(Charset::from_label(b"iso-2022-jp").decode(&text).into_text(&text).len() <= 3 * text.len())
        });
    }

    fn decoded(label: &str, bytes: &[u8]) -> (String, Option<Note>) {
        let decoded = Charset::from_label(label.as_bytes()).decode(bytes);
        let note = decoded.note;
        (String::from_utf8_lossy(&decoded.into_text(bytes)).into_owned(), note)
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
            let text = decoded.text.unwrap();
            for word in [&b" http://h/"[..], b"end"] {
                let at = memmem::find(text.bytes(), word).expect("a copy");
                assert_eq!(&bytes[text.source(at..at + word.len())], word, "{label}: {text:?}");
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
            let decoded = of_html(page.as_bytes()).decode(bytes).into_text(bytes);
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
            if let Some(text) = decoded.text {
                let places: Vec<_> = (0..text.len()).map(|at| text.source(at..at + 1)).collect();
                assert!(places.is_sorted_by_key(|place| place.start), "{bytes:?} {text:?}");
                assert!(places.last().is_none_or(|last| last.end <= bytes.len() + 1), "{bytes:?} {text:?}");
            }
        }
    }
}

//! Values of records as JSON.
//!
//! Keys are constants without escapes, and few strings need escapes. A string without escapes is
//! copied; serde_json writes the others. serde_json inspects each byte separately. With serde_json
//! for all strings, a record cost a fifth more instructions (2026-11).
//!
//! A URL is checked for escapes once, and its pieces are copied unchecked. Constant keys decide at
//! compile time how a value is written, and only copies remain.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use super::page::Page;
use super::pieces::{self, Room, put, put_number, put_text, put_word};
use super::text::is_treacherous;
use crate::Level;
use crate::bytes::words::{ONES, has, has_none};
use crate::record::fields::RecordKey;
use crate::record::parts::Raw;
use crate::record::{Base64Text, MatchRecord, PartSink, RecordObject, RecordValue};
use crate::url::ComponentValue;

/// The room that most records need, apart from a URL and its pieces.
const ROOM: usize = 704;

/// Appends the record of a URL, as `write` writes it. A URL of an ASCII grammar needs no escapes.
#[inline(always)]
pub(super) fn append(
    page: &mut Page,
    escape: bool,
    (url, level): (&[u8], Level),
    write: impl for<'r> Fn(JsonWriter, Room<'r>) -> Option<Room<'r>>,
) {
    let has_plain_url = level.is_ascii() || is_plain(url, escape);
    debug_assert!(!level.is_ascii() || is_plain(url, escape));
    pieces::append(page, ROOM, (6, url), |room| write(JsonWriter { escape, has_plain_url }, room));
}

/// Writes values. Every method returns the rest of the room.
#[derive(Clone, Copy)]
pub(super) struct JsonWriter {
    /// Whether to escape for a terminal.
    escape: bool,
    /// Whether the URL of the record and its pieces need no escapes.
    has_plain_url: bool,
}

impl JsonWriter {
    /// Writes the value of a key after `head`, which holds the key's name. The exact bytes of a
    /// value that is not UTF-8 follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn key<'r>(
        self,
        room: Room<'r>,
        record: &MatchRecord<'_>,
        head: &str,
        key: RecordKey,
    ) -> Option<Room<'r>> {
        if key.has_parts() {
            return self.object(room, head, record.object(key));
        }
        match self.value(room, head, record.value(key))? {
            (room, Written::AsItIs) => Some(room),
            (room, Written::BySerde) => match record.exact(key) {
                Some((name, bytes)) => self.part(room, b',', name, bytes),
                None => Some(room),
            },
        }
    }

    /// Writes a value without parts after `head`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<'r>(self, room: Room<'r>, head: &str, value: RecordValue<'_>) -> Option<(Room<'r>, Written)> {
        self.simple(room, [head.as_bytes(), b"", b""], value)
    }

    /// Writes all parts of an object. It is never inlined: with a copy at every value, the compiler
    /// needed more than ten minutes (2026-11).
    #[inline(never)]
    fn parts<'r>(self, room: Room<'r>, object: RecordObject<'_>) -> Option<Room<'r>> {
        let parts = object.each_part(JsonParts { json: self, before: b'{', room: Some(room) });
        put(parts.room?, [b"}"])
    }

    /// Writes an object after `head`, or `null` if there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn object<'r>(self, room: Room<'r>, head: &str, object: Option<RecordObject<'_>>) -> Option<Room<'r>> {
        match object {
            Some(object) => self.parts(put(room, [head.as_bytes()])?, object),
            None => put(room, [head.as_bytes(), b"null"]),
        }
    }

    /// Writes a text after `head`. Its exact bytes follow if it is not UTF-8.
    pub(super) fn exact_text<'r>(
        self,
        room: Room<'r>,
        head: &str,
        bytes_name: &str,
        text: Option<&[u8]>,
    ) -> Option<Room<'r>> {
        let value = text.map(|text| RecordValue::Source(text.into())).unwrap_or_default();
        let (room, _) = self.value(room, head, value)?;
        match text.and_then(Base64Text::of) {
            Some(bytes) => self.part(room, b',', bytes_name, RecordValue::Base64(bytes)),
            None => Some(room),
        }
    }

    /// Writes a part of an object after a comma or the opening brace.
    #[inline(always)]
    pub(super) fn part<'r>(self, room: Room<'r>, before: u8, name: &str, value: RecordValue<'_>) -> Option<Room<'r>> {
        let (room, _) = self.simple(room, [&[before, b'"'], name.as_bytes(), b"\":"], value)?;
        Some(room)
    }

    /// Writes a value without parts.
    ///
    /// Every variant that owns anything is moved out of the value: dropping a value of unknown kind
    /// is a call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn simple<'r>(self, room: Room<'r>, head: [&[u8]; 3], value: RecordValue<'_>) -> Option<(Room<'r>, Written)> {
        let [a, b, c] = head;
        let room = match value {
            RecordValue::Absent => put(room, [a, b, c, b"null"]),
            RecordValue::Word(word) => put_word(put(room, [a, b, c, b"\""])?, word, b'"'),
            RecordValue::Number(number) => put_number(put(room, head)?, number),
            RecordValue::Flag(true) => put(room, [a, b, c, b"true"]),
            RecordValue::Flag(false) => put(room, [a, b, c, b"false"]),
            RecordValue::Piece(text) if self.has_plain_url => self.piece(put(room, [a, b, c, b"\""])?, text),
            RecordValue::Piece(text) => return self.any(room, head, &Raw(text)),
            RecordValue::Source(text) => return self.text(room, head, &text, is_plain(&text, self.escape)),
            RecordValue::Reading(text) if self.has_plain_url => {
                let room = put(room, [a, b, c, b"[\""])?;
                put(self.piece(room, text)?, [b"]"])
            }
            RecordValue::Reading(text) => return self.any(room, head, &[Raw(text)]),
            RecordValue::Readings(found) => return self.any(room, head, &RecordValue::Readings(found)),
            RecordValue::Base64(bytes) => return self.any(room, head, &bytes),
            RecordValue::ReadingsBase64(found) => return self.any(room, head, &RecordValue::ReadingsBase64(found)),
            RecordValue::Explanation(error) => {
                let mut text = Vec::new();
                error.append(&mut text);
                return self.text(room, head, &text, is_plain(&text, self.escape));
            }
            RecordValue::List(items) => self.list(put(room, [a, b, c, b"["])?, items),
            RecordValue::Reasons(reasons) => return self.any(room, head, &reasons),
            RecordValue::Object(object) => return self.any(room, head, &object),
        };
        Some((room?, Written::AsItIs))
    }

    /// Writes the items of a list, after its bracket.
    #[inline(never)]
    fn list<'r>(self, mut room: Room<'r>, items: Vec<ComponentValue<'_>>) -> Option<Room<'r>> {
        let mut separator = &b""[..];
        for item in items {
            (room, _) = self.simple(room, [separator, b"", b""], item.into())?;
            separator = b",";
        }
        put(room, [b"]"])
    }

    /// Writes a piece of a URL that needs no escapes, and the quote after it.
    #[inline(always)]
    fn piece<'r>(self, room: Room<'r>, text: &[u8]) -> Option<Room<'r>> {
        put_text(room, text, b'"')
    }

    #[inline(always)]
    fn text<'r>(self, room: Room<'r>, head: [&[u8]; 3], text: &[u8], is_plain: bool) -> Option<(Room<'r>, Written)> {
        match is_plain {
            true => Some((quoted(room, head, text)?, Written::AsItIs)),
            false => self.any(room, head, &Raw(text)),
        }
    }

    /// Writes any value by serde.
    #[inline(always)]
    fn any<'r>(self, room: Room<'r>, head: [&[u8]; 3], value: &impl Serialize) -> Option<(Room<'r>, Written)> {
        Some((self.by_serde(put(room, head)?, value)?, Written::BySerde))
    }

    #[inline(never)]
    fn by_serde<'r>(self, room: Room<'r>, value: &impl Serialize) -> Option<Room<'r>> {
        // Keys are strings, so this fails only if the room is too small.
        pieces::by(room, |out| match self.escape {
            true => Ok(value.serialize(&mut serde_json::Serializer::with_formatter(out, Harmless))?),
            false => Ok(serde_json::to_writer(out, value)?),
        })
    }
}

/// Writes a text that needs no escapes.
#[inline(always)]
fn quoted<'r>(room: Room<'r>, [a, b, c]: [&[u8]; 3], text: &[u8]) -> Option<Room<'r>> {
    put_text(put(room, [a, b, c, b"\""])?, text, b'"')
}

/// The way in which a value was written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// The value was copied, which only happens to plain ASCII.
    AsItIs,
    /// The value was written by serde_json, so its bytes may not be UTF-8.
    BySerde,
}

/// Writes the parts of an object, none of which has parts itself.
struct JsonParts<'r> {
    json: JsonWriter,
    /// The byte before the next part.
    before: u8,
    room: Option<Room<'r>>,
}

impl<'v> PartSink<'v> for JsonParts<'_> {
    #[inline(always)]
    fn part(self, name: &'static str, value: RecordValue<'v>) -> Self {
        // This is not a closure, because a closure would be a call.
        let room = match self.room {
            Some(room) => self.json.part(room, self.before, name, value),
            None => None,
        };
        JsonParts { room, before: b',', ..self }
    }
}

/// Returns true for a string that needs no escapes: ASCII without controls below U+0020, `"` and
/// `\`. With `escape`, DEL and `<` need escapes, too.
pub(super) fn is_plain(text: &[u8], escape: bool) -> bool {
    has_none(text, |word| {
        let is_control = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        let is_harmful = if escape { has(word, b'\x7F') | has(word, b'<') } else { 0 };
        word | is_control | has(word, b'"') | has(word, b'\\') | is_harmful
    })
}

/// Compact JSON for terminals and pages, as [`JsonFormat::escape`](super::JsonFormat::escape)
/// writes it.
///
/// Three kinds of characters in strings are written as `\uHHHH`. They are characters that a
/// terminal obeys, characters that hide or reorder text, and `<`. In a page, `<` could begin the
/// end tag of an element.
///
/// # RFC
///
/// RFC 8259 section 7.
///
/// # Examples
///
/// ```
/// use serde::Serialize;
/// use serde_json::Serializer;
///
/// let mut out = Vec::new();
/// "</script>\u{202e}".serialize(&mut Serializer::with_formatter(&mut out, urlgrep::report::Harmless))?;
/// assert_eq!(out, br#""\u003c/script>\u202e""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain = 0;
        for (at, character) in fragment.char_indices() {
            if matches!(character, '<' | '\u{7F}') || is_treacherous(character) {
                out.write_all(&fragment.as_bytes()[plain..at])?;
                // All of them are below U+10000, so four digits are enough.
                write!(out, "\\u{:04x}", u32::from(character))?;
                plain = at + character.len_utf8();
            }
        }
        out.write_all(&fragment.as_bytes()[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;
    use crate::record::MatchRecord;
    use crate::record::fields::RecordField;
    use bstr::ByteSlice;

    /// Checks that the output equals that of serde_json for any bytes in a URL and a name.
    #[test]
    fn serde_json_writes_the_same() {
        let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
        let texts = ["", "plain ~", "a\"b", "a\\b", "<b>", "é", "\u{202e}", "\u{7f}", "日本", "a\nb", "\u{ffff}"];
        let names: Vec<Vec<u8>> = bytes.chain(texts.map(|text| text.as_bytes().to_vec())).collect();
        let mut checked = 0;
        for name in &names {
            let text = [
                &b"<URL:http://u:p@a.example:80/x"[..],
                name,
                b"?y#z> <ftp://h/a/b;type=i> mailto:a@b.example <URL:http://a.example/call-\nfor> <URL:gopher://h/1",
                name,
                b"%09q> <URL:prospero://h/a;b=c> ",
            ]
            .concat();
            let extractor = Extractor::builder().line_numbers(true).build();
            for found in extractor.find_iter(&text) {
                let record = MatchRecord::new(name, &found);
                for field in RecordField::every_key() {
                    for escape in [false, true] {
                        let value = record.value(field.key);
                        let (mut written, mut expected) = (Page::default(), Page::default());
                        let url = (found.url().as_bytes(), found.level());
                        append(&mut written, escape, url, |json, room| match field.key.has_parts() {
                            true => json.object(room, "", record.object(field.key)),
                            false => json.value(room, "", record.value(field.key)).map(|(room, _)| room),
                        });
                        let other = (&b""[..], Level::None);
                        append(&mut expected, escape, other, |json, room| json.by_serde(room, &value));
                        assert_eq!(
                            bstr::BStr::new(written.written()),
                            bstr::BStr::new(expected.written()),
                            "{field:?}"
                        );
                    }
                    checked += 1;
                }
            }
        }
        assert!(checked > 30_000, "{checked}");
    }
}

//! Values of records as JSON. The keys are ours and need no escapes, and nearly no string does: such a one is copied. Any
//! other is serde_json's to write. It looks at every byte by itself; all by it cost a fifth more instructions a
//! record (2026-11).
//!
//! Whether a URL needs escapes is asked once: then its pieces are copied unseen. Where keys are constants, all that decides
//! what is written of a value is known when this is compiled, and what remains are copies.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use super::pieces::{ONES, PieceWriter, RECORD, has, has_none};
use super::text::is_treacherous;
use crate::Level;
use crate::record::fields::RecordKey;
use crate::record::parts::Raw;
use crate::record::{Base64Text, MatchRecord, PartSink, RecordObject, RecordValue};

pub(super) struct JsonWriter<'o> {
    pieces: PieceWriter<'o>,
    /// For a terminal.
    escape: bool,
    /// The URL of the record is written as it is, and so are its pieces.
    has_plain_url: bool,
}

impl<'o> JsonWriter<'o> {
    /// For the record of a URL. What fits a grammar of ASCII has nothing to escape.
    #[inline(always)]
    pub(super) fn new(out: &'o mut Vec<u8>, escape: bool, url: &[u8], level: Level) -> Self {
        let has_plain_url = level.is_ascii() || is_plain(url, escape);
        debug_assert!(!level.is_ascii() || is_plain(url, escape));
        JsonWriter { pieces: PieceWriter::new(out, RECORD), escape, has_plain_url }
    }

    #[inline]
    pub(super) fn finish(self) {
        self.pieces.finish();
    }

    #[inline(always)]
    pub(super) fn raw(&mut self, json: &str) {
        self.pieces.put([json.as_bytes()]);
    }

    /// A key of a record, behind what stands before its value; and with it what tells its exact bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn field(&mut self, head: &str, record: &MatchRecord<'_>, key: RecordKey) {
        if self.value(head, record.value(key)) == Written::BySerde
            && let Some((name, bytes)) = record.exact(key)
        {
            self.part(name, bytes);
        }
    }

    /// A value, behind what stands before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value(&mut self, head: &str, value: RecordValue<'_>) -> Written {
        if let RecordValue::Object(object) = value {
            self.raw(head);
            self.parts(object);
            return Written::AsItIs;
        }
        self.simple([head, "", ""], value)
    }

    /// All parts of all objects, once: with a copy of this at every value the compiler was not done after ten minutes
    /// (2026-11).
    #[inline(never)]
    fn parts(&mut self, object: RecordObject<'_>) {
        self.object_of(|json| object.each_part(&mut JsonParts(json)));
    }

    /// An object of the parts that `write` writes, one at least.
    #[inline(always)]
    pub(super) fn object_of(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.pieces.length();
        write(self);
        self.pieces.replace(start, b'{');
        self.raw("}");
    }

    /// An object, if it is there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn object(&mut self, head: &str, object: Option<RecordObject<'_>>) {
        self.value(head, object.map(RecordValue::Object).unwrap_or_default());
    }

    /// A text by itself, and where it is not UTF-8 its exact bytes.
    pub(super) fn exact_text(&mut self, head: &str, bytes_name: &str, text: Option<&[u8]>) {
        let value = text.map(|text| RecordValue::Source(text.into())).unwrap_or_default();
        if self.value(head, value) == Written::BySerde
            && let Some(bytes) = text.and_then(Base64Text::of)
        {
            self.part(bytes_name, RecordValue::Base64(bytes));
        }
    }

    /// A part of an object, behind a comma.
    #[inline(always)]
    pub(super) fn part(&mut self, name: &str, value: RecordValue<'_>) {
        self.simple([",\"", name, "\":"], value);
    }

    /// A value that has no parts. Every variant that owns anything is moved out of it: to drop a value of an unknown kind is
    /// a call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn simple(&mut self, head: [&str; 3], value: RecordValue<'_>) -> Written {
        let [a, b, c] = head.map(str::as_bytes);
        match value {
            RecordValue::Absent => self.pieces.put([a, b, c, b"null"]),
            RecordValue::Word(word) => self.pieces.put([a, b, c, b"\"", word.as_bytes(), b"\""]),
            RecordValue::Number(number) => self.pieces.put([a, b, c, itoa::Buffer::new().format(number).as_bytes()]),
            RecordValue::Flag(true) => self.pieces.put([a, b, c, b"true"]),
            RecordValue::Flag(false) => self.pieces.put([a, b, c, b"false"]),
            RecordValue::Piece(text) => return self.text(self.has_plain_url, head, text),
            RecordValue::Source(text) => return self.text(is_plain(&text, self.escape), head, &text),
            RecordValue::Readings(found) if self.has_plain_url && found.has_one_reading() => {
                self.pieces.put([a, b, c, b"[\"", found.url(), b"\"]"]);
            }
            RecordValue::Readings(found) => return self.any(head, &RecordValue::Readings(found)),
            RecordValue::Base64(bytes) => return self.any(head, &bytes),
            RecordValue::ReadingsBase64(found) => return self.any(head, &RecordValue::ReadingsBase64(found)),
            RecordValue::Explanation(error) => {
                let mut text = Vec::new();
                error.append(&mut text);
                return self.text(is_plain(&text, self.escape), head, &text);
            }
            RecordValue::List(items) => return self.any(head, &items),
            RecordValue::Object(object) => return self.any(head, &object),
        }
        Written::AsItIs
    }

    #[inline(always)]
    fn text(&mut self, is_plain: bool, head: [&str; 3], text: &[u8]) -> Written {
        if !is_plain {
            return self.any(head, &Raw(text));
        }
        let [a, b, c] = head.map(str::as_bytes);
        self.pieces.put([a, b, c, b"\"", text, b"\""]);
        Written::AsItIs
    }

    /// Whatever serde can write.
    #[inline(always)]
    fn any(&mut self, head: [&str; 3], value: &impl Serialize) -> Written {
        // Here, for a list that is handed on would lie in memory.
        self.pieces.put(head.map(str::as_bytes));
        self.by_serde(value);
        Written::BySerde
    }

    #[inline(never)]
    fn by_serde(&mut self, value: &impl Serialize) {
        let escape = self.escape;
        self.pieces.by(|out| {
            // It cannot fail: keys are strings, and a Vec takes every byte.
            let _ = match escape {
                true => value.serialize(&mut serde_json::Serializer::with_formatter(out, Harmless)),
                false => serde_json::to_writer(out, value),
            };
        });
    }
}

/// How a value was written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Copied, as ASCII can be.
    AsItIs,
    /// By serde_json: it may be no UTF-8.
    BySerde,
}

/// Writes the parts of an object, each behind a comma; none of them has parts. That the first one has another byte before it
/// would have to be asked of every part.
struct JsonParts<'j, 'o>(&'j mut JsonWriter<'o>);

impl<'v> PartSink<'v> for JsonParts<'_, '_> {
    #[inline(always)]
    fn part(&mut self, name: &'static str, value: RecordValue<'v>) {
        self.0.part(name, value);
    }

    #[inline]
    fn list(&mut self, name: &'static str, items: impl Iterator<Item = RecordValue<'v>>) {
        self.0.pieces.put([b",\"", name.as_bytes(), b"\":["]);
        let mut separator = "";
        for item in items {
            self.0.simple([separator, "", ""], item);
            separator = ",";
        }
        self.0.raw("]");
    }
}

/// True of a string that is written as it is: printable ASCII without quotes and backslashes.
fn is_plain(text: &[u8], escape: bool) -> bool {
    let angle = if escape { b'<' } else { b'"' };
    has_none(text, |word| {
        let is_control = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        word | is_control | has(word, b'"') | has(word, b'\\') | has(word, b'\x7F') | has(word, angle)
    })
}

/// Compact JSON. What a terminal obeys, what hides or reorders text, and what could close the element of a page that
/// holds the document is written as `\uHHHH`.
pub(crate) struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain = 0;
        for (at, character) in fragment.char_indices() {
            if matches!(character, '<' | '\u{7F}') || is_treacherous(character) {
                out.write_all(&fragment.as_bytes()[plain..at])?;
                // All of them are below U+10000.
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

    /// What is written is what serde_json writes of the same, whatever bytes a URL and a name are made of.
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
                        let (mut written, mut expected) = (Vec::new(), Vec::new());
                        let mut json = JsonWriter::new(&mut written, escape, found.url(), found.level());
                        json.value("", record.value(field.key));
                        json.finish();
                        let mut json = JsonWriter::new(&mut expected, escape, b"", Level::None);
                        json.by_serde(&value);
                        json.finish();
                        assert_eq!(bstr::BStr::new(&written), bstr::BStr::new(&expected), "{field:?}");
                    }
                    checked += 1;
                }
            }
        }
        assert!(checked > 30_000, "{checked}");
    }
}

//! Values of records as JSON. The keys are ours and need no escapes, and nearly no string does: such a one is copied. Any
//! other is serde_json's to write. It looks at every byte by itself; all by it cost a fifth more instructions a
//! record (2026-11).

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use super::text::is_treacherous;
use crate::record::RecordValue;

pub(super) struct JsonWriter<'o, W> {
    out: &'o mut W,
    /// For a terminal.
    escape: bool,
}

impl<'o, W: Write> JsonWriter<'o, W> {
    pub(super) fn new(out: &'o mut W, escape: bool) -> Self {
        JsonWriter { out, escape }
    }

    #[inline]
    pub(super) fn raw(&mut self, json: &str) -> io::Result<()> {
        self.out.write_all(json.as_bytes())
    }

    pub(super) fn value(&mut self, value: &RecordValue<'_>) -> io::Result<()> {
        if self.copied(value)? {
            return Ok(());
        }
        match value {
            RecordValue::Absent => self.raw("null"),
            RecordValue::Word(word) => [r#"""#, word, r#"""#].iter().try_for_each(|piece| self.raw(piece)),
            RecordValue::Number(number) => self.raw(itoa::Buffer::new().format(*number)),
            RecordValue::Flag(flag) => self.raw(if *flag { "true" } else { "false" }),
            object if object.is_object() => {
                let (mut head, mut result) = (b"{\"", Ok(()));
                object.each_part(|key, value| {
                    if result.is_ok() {
                        result = self.part(head, key, &value);
                        head = b",\"";
                    }
                });
                result?;
                self.raw("}")
            }
            value => self.any(value),
        }
    }

    /// Writes a text that can be copied, and says whether it did: only another can hold bytes that are no UTF-8.
    pub(super) fn copied(&mut self, value: &RecordValue<'_>) -> io::Result<bool> {
        let (text, is_list): (&[u8], _) = match value {
            RecordValue::Source(text) => (text, false),
            RecordValue::Readings(found) if found.has_one_reading() => (found.url(), true),
            _ => return Ok(false),
        };
        if !self.is_plain(text) {
            return Ok(false);
        }
        if is_list {
            self.raw("[")?;
        }
        self.raw("\"")?;
        self.out.write_all(text)?;
        self.raw("\"")?;
        if is_list {
            self.raw("]")?;
        }
        Ok(true)
    }

    /// Whatever serde can write.
    pub(super) fn any(&mut self, value: &impl Serialize) -> io::Result<()> {
        if self.escape {
            value.serialize(&mut serde_json::Serializer::with_formatter(&mut *self.out, Harmless))?;
        } else {
            serde_json::to_writer(&mut *self.out, value)?;
        }
        Ok(())
    }

    /// A part of an object, behind what stands before its key.
    pub(super) fn part(&mut self, head: &[u8; 2], key: &str, value: &RecordValue<'_>) -> io::Result<()> {
        self.out.write_all(head)?; // of a known length, which is no call
        self.raw(key)?;
        self.raw("\":")?;
        self.value(value)
    }

    /// True of a string that is written as it is: printable ASCII without quotes and backslashes.
    fn is_plain(&self, text: &[u8]) -> bool {
        let (words, rest) = text.as_chunks();
        let mut last = [b' '; 8];
        last[..rest.len()].copy_from_slice(rest);
        let angle = if self.escape { b'<' } else { b'"' };
        words.iter().chain([&last]).fold(0, |so_far, &word| so_far | escapes(u64::from_le_bytes(word), angle)) == 0
    }
}

/// Not 0 if one of eight bytes has to be escaped, or is `angle`.
#[inline]
fn escapes(word: u64, angle: u8) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = 0x80 * ONES;
    let has = |byte: u8| {
        let zero = word ^ (ONES * u64::from(byte));
        zero.wrapping_sub(ONES) & !zero
    };
    let is_control = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
    (word | is_control | has(b'"') | has(b'\\') | has(b'\x7F') | has(angle)) & HIGH
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
                    let value = record.value(field.key);
                    for escape in [false, true] {
                        let (mut written, mut expected) = (Vec::new(), Vec::new());
                        JsonWriter::new(&mut written, escape).value(&value).unwrap();
                        JsonWriter::new(&mut expected, escape).any(&value).unwrap();
                        assert_eq!(bstr::BStr::new(&written), bstr::BStr::new(&expected), "{field:?}");
                    }
                    checked += 1;
                }
            }
        }
        assert!(checked > 30_000, "{checked}");
    }
}

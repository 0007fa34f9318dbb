//! Messages taken apart: MIME structure (RFC 2046), transfer encodings (RFC 2045), charsets, `format=flowed`.
//!
//! Fields, words and encodings are read by `mail-parser`. The parts are found here, because its parser of whole messages
//! is not made for hostile archives: three megabytes of nested `message/rfc822` headers overflow the stack when the result
//! is dropped, and one megabyte of multiparts without their boundary takes six seconds, as each is searched to the end.
//! It also decodes every image, and its offsets have 32 bits. Here a message is read in one walk over its lines, with a
//! stack of limited height for the open multiparts, and a part is decoded when it is asked for. On real messages that is
//! two to four times as fast.
//!
//! What is returned: every header; `text/*` parts, attached or not; messages within messages; and any other part that
//! *looks* like text in its first bytes, because types say little: `application/octet-stream` can be a source file, and
//! `image/svg+xml` holds links. The rest, images and archives, is not decoded further, but lines of text after its base64
//! are returned. The text of a multipart before and after its parts is returned as it is. A uuencoded file in a body is
//! text as well: its lines hold nothing to find.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use memchr::{memchr, memmem};

use crate::archive::charset::{self, Charset};
use crate::archive::flowed;
use crate::archive::header::{content_type, decode_words, extent, fields};
use crate::archive::message::{Encoding, Form, Note, OffsetBase, Part, Positions};
use crate::archive::transfer::{base64, foreign_lines, quoted_printable};

/// How deep parts nest; what lies deeper is one part, raw. Real mail has less than ten levels.
const MAX_DEPTH: usize = 100;
/// How often a message within a message may be encoded as a whole, against the standard, which forbids it. Each time the
/// decoded message is held in memory.
const MAX_ENCODED: usize = 3;
/// How much of a part is looked at to tell whether it is text. An encoded line has at most 998 bytes.
const SAMPLE: usize = 4096;

/// The texts of a message in their order: every header before what it is the header of.
pub(crate) fn parts(message: &[u8]) -> impl Iterator<Item = Part<'_>> {
    PartIter::new(message, Vec::new(), MAX_ENCODED)
}

/// A multipart around the place.
#[derive(Debug)]
struct Multipart {
    boundary: Vec<u8>,
    /// Its number, empty for an outermost one.
    path: Vec<u32>,
    /// PartIter so far.
    count: u32,
    /// PartIter without a type are messages (RFC 2046 section 5.1.5).
    is_digest: bool,
}

/// What comes next in a message.
#[derive(Debug)]
enum Next {
    /// A header, of a part with this number or of a message inside it.
    Entity {
        path: Vec<u32>,
        is_message: bool,
        is_digest: bool,
    },
    /// A delimiter may come, or what stands after the parts of a multipart.
    Delimiter,
    End,
}

/// The line of a delimiter.
#[derive(Clone, Copy, Debug)]
struct Delimiter {
    /// Without the line break before it, which belongs to it.
    start: usize,
    end: usize,
    /// Whose.
    level: usize,
    is_close: bool,
}

/// What the header of a part says of its body.
#[derive(Debug)]
struct Entity {
    /// `text/html`.
    kind: String,
    boundary: Option<Vec<u8>>,
    charset: Charset,
    /// DelSp, if the format is flowed.
    flowed: Option<bool>,
    encoding: Encoding,
    /// The end of the file's name after its last dot.
    extension: Option<String>,
}

#[derive(Debug)]
struct PartIter<'m> {
    message: &'m [u8],
    /// Everything before is returned, or waits in `ready`.
    at: usize,
    multiparts: Vec<Multipart>,
    next: Next,
    ready: VecDeque<Part<'m>>,
    may_decode: usize,
}

impl<'m> PartIter<'m> {
    /// Of a message that is the part `path` of another.
    fn new(message: &'m [u8], path: Vec<u32>, may_decode: usize) -> Self {
        let next = Next::Entity { path, is_message: true, is_digest: false };
        PartIter { message, at: 0, multiparts: Vec::new(), next, ready: VecDeque::new(), may_decode }
    }

    /// The multipart that a line delimits, and whether it is closed. The line is compared as a whole, less blanks at its
    /// end: one boundary can begin as another does.
    fn delimits(&self, line: &[u8]) -> Option<(usize, bool)> {
        let rest = line.strip_prefix(b"--")?.trim_ascii_end();
        self.multiparts.iter().enumerate().rev().find_map(|(level, multipart)| {
            let rest = rest.strip_prefix(multipart.boundary.as_slice())?;
            (rest.is_empty() || rest == b"--").then_some((level, !rest.is_empty()))
        })
    }

    /// The first delimiter in the lines from `from` on, which is the start of one.
    fn find_delimiter(&self, from: usize) -> Option<Delimiter> {
        if self.multiparts.is_empty() {
            return None;
        }
        // A line begins where the message does, or after a line feed.
        let first = self.message[from..].starts_with(b"--").then_some(from);
        let others = memmem::find_iter(&self.message[from..], b"\n--").map(|at| from + at + 1);
        first.into_iter().chain(others).find_map(|line| {
            let end = memchr(b'\n', &self.message[line..]).map_or(self.message.len(), |length| line + length + 1);
            let (level, is_close) = self.delimits(&self.message[line..end])?;
            let start = match &self.message[from..line] {
                [.., b'\r', b'\n'] => line - 2,
                [.., b'\n'] => line - 1,
                _ => line,
            };
            Some(Delimiter { start, end, level, is_close })
        })
    }

    /// Goes on after a delimiter: the multiparts within its own end with it, closed or not.
    fn pass(&mut self, delimiter: Option<Delimiter>) {
        let Some(Delimiter { end, level, is_close, .. }) = delimiter else {
            self.at = self.message.len();
            self.next = Next::End;
            return;
        };
        self.at = end;
        self.multiparts.truncate(level + 1);
        self.next = match self.multiparts.last_mut() {
            Some(multipart) if !is_close => {
                multipart.count += 1;
                let mut path = multipart.path.clone();
                path.push(multipart.count);
                Next::Entity { path, is_message: false, is_digest: multipart.is_digest }
            }
            _ => Next::Delimiter,
        };
    }

    fn advance(&mut self) {
        match std::mem::replace(&mut self.next, Next::End) {
            Next::Entity { path, is_message, is_digest } => self.entity(path, is_message, is_digest),
            Next::Delimiter => {
                let closed = self.multiparts.pop().map(|multipart| multipart.path).unwrap_or_default();
                let delimiter = self.find_delimiter(self.at);
                self.outside(closed, delimiter, None);
                self.pass(delimiter);
            }
            Next::End => {}
        }
    }

    fn entity(&mut self, mut path: Vec<u32>, is_message: bool, is_digest: bool) {
        let start = self.at;
        let (end, body) = extent(self.message, start, |line| line.starts_with(b"--") && self.delimits(line).is_some());
        let entity = Entity::read(self.message, start..end, is_digest);
        self.header(start..end);
        self.at = body;
        let is_deep = path.len() >= MAX_DEPTH;
        if entity.is_multipart()
            && !is_deep
            && let Some(boundary) = &entity.boundary
        {
            let is_digest = entity.kind == "multipart/digest";
            self.multiparts.push(Multipart { boundary: boundary.clone(), path: path.clone(), count: 0, is_digest });
            let delimiter = self.find_delimiter(body);
            let is_missing = delimiter.is_none_or(|delimiter| delimiter.level + 1 != self.multiparts.len());
            self.outside(path, delimiter, is_missing.then_some(Note::NoBoundary));
            self.pass(delimiter);
            return;
        }
        if is_message {
            path.push(1);
        }
        if entity.is_message() && !entity.encoding.is_decoded() && !is_deep {
            self.next = Next::Entity { path, is_message: true, is_digest: false };
            return;
        }
        let delimiter = self.find_delimiter(body);
        let body = body..delimiter.map_or(self.message.len(), |delimiter| delimiter.start);
        if entity.is_multipart() || (entity.is_message() && is_deep) {
            let note = if is_deep { Note::TooDeep } else { Note::NoBoundary };
            self.push(Some(&path), Form::Other, Some(entity.kind), body, Some(note));
        } else {
            self.leaf(entity, path, body);
        }
        self.pass(delimiter);
    }

    /// A header as it is, but for fields with encoded words: these are decoded, as parts of their own between what is
    /// before and after them.
    fn header(&mut self, header: Range<usize>) {
        let mut start = header.start;
        if memmem::find(&self.message[header.clone()], b"=?").is_some() {
            for field in fields(self.message, header.clone()) {
                let value = &self.message[field.value.clone()];
                let Some(text) = decode_words(value) else { continue };
                self.push(None, Form::Header, None, start..field.name.start, None);
                start = field.value.end;
                self.ready.push_back(Part {
                    header: Some(String::from_utf8_lossy(&self.message[field.name.clone()]).into_owned()),
                    encoding: Encoding::EncodedWord,
                    text: Cow::Owned(text),
                    positions: Positions::decoded(),
                    ..Part::in_place(self.message, field.range(), Form::Header)
                });
            }
        }
        self.push(None, Form::Header, None, start..header.end, None);
    }

    /// The text of a multipart before or after its parts.
    fn outside(&mut self, path: Vec<u32>, delimiter: Option<Delimiter>, note: Option<Note>) {
        let end = delimiter.map_or(self.message.len(), |delimiter| delimiter.start);
        let path = (!path.is_empty()).then_some(path);
        self.push(path.as_deref(), Form::Plain, None, self.at..end, note);
    }

    /// A text as it lies, if there is any.
    fn push(
        &mut self,
        path: Option<&[u32]>,
        form: Form,
        content_type: Option<String>,
        body: Range<usize>,
        note: Option<Note>,
    ) {
        let text = &self.message[body.clone()];
        // A look at the first letter, mostly.
        if text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let encoding = if text.is_ascii() { Encoding::SevenBit } else { Encoding::EightBit };
        let number = path.map(number);
        let part = Part { number, content_type, encoding, note, ..Part::in_place(self.message, body, form) };
        self.ready.push_back(part);
    }

    /// A part without parts.
    fn leaf(&mut self, entity: Entity, path: Vec<u32>, body: Range<usize>) {
        let raw = &self.message[body.clone()];
        let Some(form) = entity.form(raw) else {
            if entity.encoding == Encoding::Base64 {
                self.foreign(&foreign_lines(raw), &entity.kind, &path, body.start);
            }
            return;
        };
        let (bytes, mut note) = match entity.encoding {
            Encoding::QuotedPrintable => (Cow::Owned(quoted_printable(raw)), None),
            Encoding::Base64 => {
                let decoded = base64(raw);
                self.foreign(&decoded.foreign, &entity.kind, &path, body.start);
                let is_bad = !decoded.foreign.is_empty();
                (Cow::Owned(decoded.bytes), is_bad.then_some(Note::BadBase64))
            }
            Encoding::Unknown => (Cow::Borrowed(raw), Some(Note::UnknownEncoding)),
            _ => (Cow::Borrowed(raw), None),
        };
        if entity.is_message() {
            if self.may_decode > 0 {
                self.encoded_message(&entity, path, body, &bytes);
                return;
            }
            note = Some(Note::TooDeep);
        }
        let positions = match &bytes {
            Cow::Borrowed(_) => Positions::in_place(body.start),
            Cow::Owned(_) => Positions::decoded(),
        };
        let (text, positions, wrong) = entity.to_utf8(form, bytes, positions);
        note = note.or(wrong);
        let (text, positions) = match entity.flowed {
            Some(delsp) => {
                let (text, segments) = flowed::unfold(text, delsp);
                (text, positions.then(&segments))
            }
            None => (text, positions),
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.ready.push_back(Part {
            number: Some(number(&path)),
            form,
            header: None,
            content_type: Some(entity.kind),
            encoding: entity.encoding,
            body,
            text,
            positions,
            note,
        });
    }

    /// Lines that stand in a base64 body and are none.
    fn foreign(&mut self, lines: &[Range<usize>], kind: &str, path: &[u32], start: usize) {
        for lines in lines {
            let lines = start + lines.start..start + lines.end;
            self.push(Some(path), Form::Plain, Some(kind.to_string()), lines, Some(Note::BadBase64));
        }
    }

    /// A message that was encoded as a whole: its parts, with places in the decoded message.
    fn encoded_message(&mut self, entity: &Entity, path: Vec<u32>, body: Range<usize>, message: &[u8]) {
        for part in PartIter::new(message, path, self.may_decode - 1) {
            let mut part = part.into_owned();
            if part.positions.base == OffsetBase::Source {
                part.positions = part.positions.shift(0, OffsetBase::Decoded);
                part.encoding = entity.encoding;
            }
            part.body = body.clone();
            self.ready.push_back(part);
        }
    }
}

impl<'m> Iterator for PartIter<'m> {
    type Item = Part<'m>;

    fn next(&mut self) -> Option<Part<'m>> {
        while self.ready.is_empty() && !matches!(self.next, Next::End) {
            self.advance();
        }
        self.ready.pop_front()
    }
}

/// `1.2.1`
fn number(path: &[u32]) -> String {
    path.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

impl Encoding {
    /// Whether the bytes of the message are not those of the part.
    fn is_decoded(self) -> bool {
        matches!(self, Encoding::QuotedPrintable | Encoding::Base64)
    }

    fn from_field(value: &[u8]) -> Self {
        // `8-bit`, `8 bit` and `7bits` are met, too.
        let letters: Vec<u8> = value.iter().filter(|byte| byte.is_ascii_alphanumeric()).take(32).copied().collect();
        match letters.to_ascii_lowercase().as_slice() {
            b"quotedprintable" => Encoding::QuotedPrintable,
            b"base64" => Encoding::Base64,
            b"8bit" | b"8bits" => Encoding::EightBit,
            b"binary" => Encoding::Binary,
            b"7bit" | b"7bits" | b"" => Encoding::SevenBit,
            _ => Encoding::Unknown,
        }
    }
}

impl Entity {
    fn read(message: &[u8], header: Range<usize>, is_digest: bool) -> Self {
        let kind = if is_digest { "message/rfc822" } else { "text/plain" };
        let mut entity = Entity {
            kind: kind.to_string(),
            boundary: None,
            charset: Charset::Unnamed,
            flowed: None,
            encoding: Encoding::SevenBit,
            extension: None,
        };
        let (mut has_type, mut has_encoding) = (false, false);
        for field in fields(message, header) {
            let value = &message[field.value.clone()];
            // The first field of a name counts.
            if field.is(message, "content-type") && !has_type {
                has_type = true;
                entity.read_type(value);
            } else if field.is(message, "content-transfer-encoding") && !has_encoding {
                has_encoding = true;
                entity.encoding = Encoding::from_field(value);
            } else if field.is(message, "content-disposition") {
                entity.read_name(content_type(value).as_ref().and_then(|found| found.attribute("filename")));
            }
        }
        entity
    }

    fn read_type(&mut self, value: &[u8]) {
        let Some(found) = content_type(value) else { return };
        // `text` alone is what RFC 822 messages say of themselves.
        if let Some(subtype) = found.subtype() {
            self.kind = format!("{}/{}", found.ctype(), subtype).to_ascii_lowercase();
        }
        self.boundary = found
            .attribute("boundary")
            .map(|boundary| boundary.trim_ascii_end().as_bytes().to_vec())
            .filter(|boundary| !boundary.is_empty());
        if let Some(label) = found.attribute("charset") {
            self.charset = Charset::from_label(label.as_bytes());
        }
        let is = |name: &str, value: &str| found.attribute(name).is_some_and(|is| is.eq_ignore_ascii_case(value));
        if self.kind == "text/plain" && is("format", "flowed") {
            self.flowed = Some(is("delsp", "yes"));
        }
        self.read_name(found.attribute("name"));
    }

    fn read_name(&mut self, name: Option<&str>) {
        if let Some((_, extension)) = name.and_then(|name| name.rsplit_once('.')) {
            self.extension = Some(extension.to_ascii_lowercase());
        }
    }

    fn is_multipart(&self) -> bool {
        self.kind.starts_with("multipart/")
    }

    fn is_message(&self) -> bool {
        matches!(self.kind.as_str(), "message/rfc822" | "message/global" | "message/news")
    }

    /// What kind of text the part is, if it is one.
    fn form(&self, raw: &[u8]) -> Option<Form> {
        let extension = self.extension.as_deref().unwrap_or_default();
        match self.kind.as_str() {
            "text/plain" => return Some(Form::Plain),
            "text/html" | "application/xhtml+xml" => return Some(Form::Html),
            kind if kind.starts_with("text/") || self.is_message() => return Some(Form::Other),
            _ => {}
        }
        if !matches!(extension, "txt" | "text" | "htm" | "html" | "xhtml") && !self.looks_like_text(raw) {
            return None;
        }
        Some(if matches!(extension, "htm" | "html" | "xhtml") { Form::Html } else { Form::Other })
    }

    fn looks_like_text(&self, raw: &[u8]) -> bool {
        let sample = &raw[..raw.len().min(SAMPLE)];
        match self.encoding {
            Encoding::Base64 => charset::looks_like_text(&base64(sample).bytes),
            Encoding::QuotedPrintable => charset::looks_like_text(&quoted_printable(sample)),
            _ => charset::looks_like_text(sample),
        }
    }

    /// The text, where it lies, and what is wrong with its charset.
    fn to_utf8<'m>(
        &self,
        form: Form,
        bytes: Cow<'m, [u8]>,
        positions: Positions,
    ) -> (Cow<'m, [u8]>, Positions, Option<Note>) {
        let charset = match (self.charset, form) {
            (Charset::Unnamed, Form::Html) => charset::of_html(&bytes),
            (charset, _) => charset,
        };
        // A text that can be searched as it is keeps its place in the message. HTML is read as UTF-8 only.
        let in_place = positions.base == OffsetBase::Source && form != Form::Html;
        if (in_place || bytes.is_ascii()) && charset.is_searchable(&bytes) {
            return (bytes, positions, None);
        }
        let decoded = charset.decode(&bytes);
        let note = decoded.note;
        match decoded.text {
            Cow::Borrowed(_) => (bytes, positions, note),
            Cow::Owned(text) => {
                let positions = match decoded.segments.as_slice() {
                    [_, ..] if positions.base == OffsetBase::Source => positions.then(&decoded.segments),
                    _ => Positions::decoded(),
                };
                (Cow::Owned(text), positions, note)
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! The parts of messages: MIME structure (RFC 2046), transfer encodings (RFC 2045), charsets,
//! `format=flowed`.
//!
//! `mail-parser` reads fields, words and encodings. The parts are found here, because its parser of
//! whole messages is not made for hostile archives. Three megabytes of nested `message/rfc822`
//! headers overflow the stack when the result is dropped. One megabyte of multiparts without their
//! boundary takes six seconds, because each is searched to the end. That parser also decodes every
//! image, and its offsets have 32 bits.
//!
//! Here one walk over the lines reads a message. The open multiparts are on a stack of limited
//! height. A part is decoded on demand. On real messages the walk is two to four times as fast as
//! the parser of `mail-parser`.
//!
//! These texts are returned:
//!
//! - every header
//! - `text/*` parts, attached or not
//! - messages within messages
//! - any other part that *looks* like text in its first bytes
//! - lines of text after base64
//! - the text of a multipart before and after its parts, as it is
//!
//! Types alone are not reliable: `application/octet-stream` can be a source file, and
//! `image/svg+xml` holds links. Any other part is an attachment. Images, sound and film are not
//! searched. A file that is encoded within a text is a part of its own. Its lines are removed from
//! the text.

mod boundary;
pub(crate) mod decoding;
pub(crate) mod entity;
pub(crate) mod long;
mod walk;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use crate::archive::armor::Blocks;
use crate::archive::attachment::{self, AttachedFile, Unpacking};
use crate::archive::charset::{self, Charset, Decoded};
use crate::archive::cms;
use crate::archive::container::Container;
use crate::archive::encoding::Encoding;
use crate::archive::header::{decode_words, fields};
use crate::archive::html::begins_as_page;
use crate::archive::inline::{self, InlineFile};
use crate::archive::message::{Form, Note, Part};
use crate::archive::pruned::Pruned;
use crate::archive::recognise::recognise;
use crate::archive::reply;
use crate::archive::restored::Restored;
use crate::archive::text_source::{DecodingStep, OuterSource, TextSource};
use crate::archive::transfer::{base64, foreign_lines, quoted_printable_text, shows_quoted_printable};
use crate::bytes::logical::Logical;
use entity::{Entity, Folds, SAMPLE};
use walk::{AtHand, BodyKind, BodyText, MimeWalk, WalkItem};

/// The maximum depth of messages within messages that are encoded as a whole. The standard forbids
/// such an encoding. At each depth the decoded message is held in memory.
const MAX_ENCODED: usize = 3;

/// Returns the texts of a message in their order. Each header comes before the texts that it
/// describes.
pub(crate) fn parts(message: &[u8]) -> impl Iterator<Item = Part<'_>> {
    parts_of(message, Unpacking::new(false), None)
}

/// Returns the texts of a message, and those of its attachments. `outer` is the way from the
/// message to the archive, if the message is decoded.
pub(crate) fn parts_of<'m>(
    message: &'m [u8],
    unpacking: Unpacking,
    outer: Option<OuterSource>,
) -> impl Iterator<Item = Part<'m>> {
    PartIter {
        walk: MimeWalk::new(Vec::new()),
        parts: PartMaker { unpacking, outer, ..PartMaker::new(message, MAX_ENCODED) },
    }
}

/// Returns the texts of a restored message, with their places in the original message.
pub(crate) fn parts_of_restored(restored: &Restored, unpacking: Unpacking) -> impl Iterator<Item = Part<'_>> {
    let Restored { text, source, encoding } = restored;
    parts_of(text, unpacking, Some(OuterSource::Text(Arc::clone(source)))).map(|part| {
        let encoding = encoding.filter(|_| part.source.lies_in(source)).unwrap_or(part.encoding);
        Part { body: source.range(part.body.clone()), encoding, ..part }
    })
}

/// Returns the texts of a PDF, which is a part without a message.
pub(crate) fn pdf(file: &[u8]) -> impl Iterator<Item = Part<'_>> {
    let mut parts = PartMaker::new(file, 0);
    let entity = Entity::of_kind("application/pdf");
    let texts = attachment::of_pdf(file, &mut parts.unpacking.budget);
    texts.into_iter().for_each(|text| parts.attached(text, &entity, &[], 0..file.len(), TextSource::unpacked(), None));
    parts
}

/// Returns the text of an HTML page, an XML document or a calendar. It is a part without a message.
pub(crate) fn page(source: &[u8], container: Container) -> impl Iterator<Item = Part<'_>> {
    PartIter { walk: MimeWalk::page(container), parts: PartMaker::new(source, MAX_ENCODED) }
}

/// Returns the texts of the body in a range of the bytes. `entity` describes the body.
pub(crate) fn body(
    bytes: &[u8],
    entity: Entity,
    bases: Vec<Vec<u8>>,
    range: Range<usize>,
) -> impl Iterator<Item = Part<'_>> {
    let mut parts = PartMaker::new(bytes, MAX_ENCODED);
    parts.leaf(entity, &[1], bases, range);
    parts
}

#[derive(Debug)]
struct PartIter<'m> {
    walk: MimeWalk,
    parts: PartMaker<'m>,
}

impl<'m> Iterator for PartIter<'m> {
    type Item = Part<'m>;

    fn next(&mut self) -> Option<Part<'m>> {
        loop {
            if let Some(part) = self.parts.next() {
                return Some(part);
            }
            match self.walk.next(AtHand::all(self.parts.message))? {
                WalkItem::End => return None,
                found => self.parts.add(found),
            }
        }
    }
}

/// Makes texts from the items that the walk finds.
#[derive(Debug)]
struct PartMaker<'m> {
    /// The available bytes of the message.
    message: &'m [u8],
    ready: VecDeque<Part<'m>>,
    may_decode: usize,
    unpacking: Unpacking,
    /// The way from the message to the archive, if the message is decoded.
    outer: Option<OuterSource>,
}

/// Takes the texts that are ready.
impl<'m> Iterator for PartMaker<'m> {
    type Item = Part<'m>;

    fn next(&mut self) -> Option<Part<'m>> {
        let mut part = self.ready.pop_front()?;
        if let Some(outer) = &self.outer {
            part.source = part.source.within(outer);
        }
        if part.source.is_apart() {
            part.encoding = Encoding::Unpacked;
        }
        Some(part)
    }
}

impl<'m> PartMaker<'m> {
    fn new(message: &'m [u8], may_decode: usize) -> Self {
        PartMaker { message, ready: VecDeque::new(), may_decode, unpacking: Unpacking::new(false), outer: None }
    }

    fn add(&mut self, found: WalkItem) {
        match found {
            WalkItem::Header(header) => self.header(header),
            WalkItem::Body(BodyText { path, kind, note, bases }, range) => match kind {
                BodyKind::Leaf(entity) => self.leaf(entity, &path, bases, range),
                BodyKind::Raw(kind) => self.push(Some(&path), Form::Other, Some(kind), range, note),
                BodyKind::Before | BodyKind::After => {
                    let path = (!path.is_empty()).then_some(path);
                    self.push(path.as_deref(), Form::Plain, None, range, note);
                }
            },
            WalkItem::End => {}
        }
    }

    /// Adds a header as it is, except for fields with encoded words. These fields are decoded, and
    /// become parts of their own between the other fields.
    fn header(&mut self, header: Range<usize>) {
        let mut start = header.start;
        let may_hold = |mark: &[u8]| memmem::find(&self.message[header.clone()], mark).is_some();
        if may_hold(b"=?") || may_hold(b"/external-body") {
            for field in fields(self.message, header.clone()) {
                let value = &self.message[field.value.clone()];
                let words = decode_words(value).map(|text| (text, Encoding::EncodedWord, DecodingStep::Encoding));
                let text = words.or_else(|| Some((external_url(value)?, Encoding::SevenBit, DecodingStep::Lines)));
                let Some((text, encoding, step)) = text else { continue };
                let (text, map) = text.into_parts();
                self.push(None, Form::Header, None, start..field.name.start, None);
                start = field.value.end;
                self.ready.push_back(Part {
                    header: Some(String::from_utf8_lossy(&self.message[field.name.clone()]).into_owned()),
                    encoding,
                    text: Cow::Owned(text),
                    source: TextSource::in_place(field.value.start).then(step, map),
                    ..Part::in_place(self.message, field.range(), Form::Header)
                });
            }
        }
        self.push(None, Form::Header, None, start..header.end, None);
    }

    /// Adds a text as it is, unless it is blank.
    fn push(
        &mut self,
        path: Option<&[u32]>,
        form: Form,
        content_type: Option<String>,
        body: Range<usize>,
        note: Option<Note>,
    ) {
        let text = &self.message[body.clone()];
        // The first byte usually ends this check.
        if text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let encoding = if text.is_ascii() { Encoding::SevenBit } else { Encoding::EightBit };
        let number = path.map(number);
        let part = Part { number, content_type, encoding, note, ..Part::in_place(self.message, body, form) };
        self.ready.push_back(part);
    }

    /// Adds a leaf: a part without parts of its own.
    fn leaf(&mut self, mut entity: Entity, path: &[u32], bases: Vec<Vec<u8>>, body: Range<usize>) {
        let raw = &self.message[body.clone()];
        if entity.is_sealed() {
            return self.sealed(&entity, path, body);
        }
        let Some(form) = entity.form(raw) else { return self.file(&entity, path, body) };
        // Some programs encode a page in quoted-printable, but omit the field that states this.
        if form == Form::Html && !entity.encoding.is_decoded() && shows_quoted_printable(raw) {
            entity.encoding = Encoding::QuotedPrintable;
        }
        let (bytes, note) = self.decoded(&mut entity, raw, path, body.start);
        let source = source_of(&entity, &bytes, body.start, raw);
        let note = match entity.is_message() {
            true if self.may_decode > 0 => {
                return self.inner_message(&entity, path.to_vec(), body, &bytes, source, None);
            }
            true => Some(Note::TooDeep),
            false if entity.kind == "message/partial" => note.or(Some(Note::Fragment)),
            false => note,
        };
        let Some(form) = form_of_content(form, &mut entity, &bytes) else {
            return self.attachment(&entity, path, body, &bytes, &source);
        };
        let (text, source, wrong) = readable(&entity, form, bytes, source);
        let note = if wrong == Some(Note::Pgp) { wrong } else { note.or(wrong) };
        let content_type = Some(entity.kind);
        let number = (!path.is_empty()).then(|| number(path));
        let encoding = entity.encoding;
        let part =
            Part { number, form, header: None, member: None, content_type, encoding, body, text, source, bases, note };
        self.text(part, path);
    }

    /// Adds a text, and the files between its lines as parts of their own.
    fn text(&mut self, part: Part<'m>, path: &[u32]) {
        let has_files = !part.form.is_markup() && inline::ends_in_file(&part.text);
        let files = if has_files { inline::files(&part.text) } else { Vec::new() };
        let (text, source, files) = self.without_files(part.text, part.source, files, path, &part.body);
        if !text.iter().all(u8::is_ascii_whitespace) {
            self.ready.push_back(Part { text, source, ..part });
        }
        self.ready.extend(files);
    }

    /// Adds the contents of a leaf that is not text by its type.
    fn file(&mut self, entity: &Entity, path: &[u32], body: Range<usize>) {
        let raw = &self.message[body.clone()];
        // A mailing list may have appended a text to the base64.
        if entity.encoding == Encoding::Base64 {
            self.foreign(&foreign_lines(raw), &entity.kind, path, body.start);
        }
        if entity.is_media() {
            return self.left_out(entity, path, body.start, Note::Media);
        }
        let bytes = transferred(entity, raw);
        let source = source_of(entity, &bytes, body.start, raw);
        self.attachment(entity, path, body, &bytes, &source);
    }

    /// Undoes the transfer encoding of a body. Returns a note if that was impossible or incomplete.
    fn decoded<'b>(
        &mut self,
        entity: &mut Entity,
        raw: &'b [u8],
        path: &[u32],
        start: usize,
    ) -> (Cow<'b, [u8]>, Option<Note>) {
        match entity.encoding {
            Encoding::QuotedPrintable => (Cow::Owned(quoted_printable_text(raw)), None),
            Encoding::Base64 => {
                let decoded = base64::<Vec<u8>>(raw, 0);
                self.foreign(&decoded.foreign, &entity.kind, path, start);
                let is_bad = !decoded.foreign.is_empty();
                (Cow::Owned(decoded.text), is_bad.then_some(Note::BadBase64))
            }
            Encoding::Uuencode | Encoding::YEnc => match inline::files::<Vec<u8>>(raw).into_iter().next() {
                Some(file) => (Cow::Owned(file.text), None),
                None => {
                    entity.encoding = Encoding::Unknown;
                    (Cow::Borrowed(raw), Some(Note::UnknownEncoding))
                }
            },
            Encoding::Unknown => (Cow::Borrowed(raw), Some(Note::UnknownEncoding)),
            _ => (Cow::Borrowed(raw), None),
        }
    }

    /// Returns the way from a text of this message to the archive.
    fn whole_way(&self, source: TextSource<'_>) -> TextSource<'static> {
        let source = source.into_owned();
        match &self.outer {
            Some(outer) => source.within(outer),
            None => source,
        }
    }

    /// Returns the way to the archive that the texts within a text share.
    fn shared(&self, source: &TextSource<'_>) -> OuterSource {
        OuterSource::Text(Arc::new(self.whole_way(source.clone())))
    }

    /// Removes the lines of files from a text. Returns the rest with its source, and the parts of
    /// the files.
    fn without_files(
        &mut self,
        text: Cow<'m, [u8]>,
        source: TextSource<'m>,
        files: Vec<InlineFile<Logical>>,
        path: &[u32],
        body: &Range<usize>,
    ) -> (Cow<'m, [u8]>, TextSource<'m>, VecDeque<Part<'m>>) {
        if files.is_empty() {
            return (text, source, VecDeque::new());
        }
        let around = self.shared(&source);
        let mut pruned = Pruned::new(&text);
        // The text comes before its files, so their parts are collected separately.
        let before = mem::take(&mut self.ready);
        for InlineFile { lines, name, encoding, text } in files {
            pruned.leave_out(lines.clone());
            let body = if source.is_decoded() { body.clone() } else { source.range_in_message(lines) };
            let (bytes, map) = text.into_parts();
            let is_text = charset::looks_like_text(&bytes[..bytes.len().min(SAMPLE)]);
            if !is_text && attachment::is_known(&bytes) {
                let file = TextSource::in_place(0).then(DecodingStep::Encoding, map).within(&around);
                self.attachment(&Entity::inline(&name, encoding), path, body, &bytes, &file);
                continue;
            }
            let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
            let is_html = is_text && matches!(extension.as_deref(), Some("htm" | "html" | "xhtml"));
            let kind = match (is_text, is_html) {
                (_, true) => "text/html",
                (true, _) if extension.as_deref() == Some("csv") => "text/csv",
                (true, _) => "text/plain",
                _ => "application/octet-stream",
            };
            let mut file = TextSource::in_place(0).then(DecodingStep::Encoding, map).within(&around);
            let decoded = if is_text { Charset::Unnamed.decode(&bytes).text } else { Some(Logical::default()) };
            let text = match decoded {
                Some(text) => {
                    let (text, map) = text.into_parts();
                    file = file.then(DecodingStep::Charset, map);
                    text
                }
                None => bytes,
            };
            self.ready.push_back(Part {
                number: Some(number(path)),
                form: if is_html { Form::Html } else { Form::Other },
                header: None,
                member: None,
                content_type: Some(kind.to_string()),
                encoding,
                body,
                text: Cow::Owned(text),
                source: file,
                bases: Vec::new(),
                note: (!is_text).then_some(Note::Binary),
            });
        }
        let parts = mem::replace(&mut self.ready, before);
        let Some(rest) = pruned.finish() else { return (text, source, parts) };
        let (rest, map) = rest.into_parts();
        (Cow::Owned(rest), source.then(DecodingStep::Lines, map), parts)
    }

    /// Adds the signed content of an S/MIME message, which is a message of its own.
    fn sealed(&mut self, entity: &Entity, path: &[u32], body: Range<usize>) {
        let raw = &self.message[body.clone()];
        let bytes = transferred(entity, raw);
        match cms::signed_content(&bytes) {
            Some(message) if self.may_decode > 0 => {
                let (message, map) = message.into_parts();
                let source = source_of(entity, &bytes, body.start, raw).then(DecodingStep::Stretch, map);
                self.inner_message(entity, path.to_vec(), body, &message, source, None);
            }
            _ => self.left_out(entity, path, body.start, Note::Sealed),
        }
    }

    /// Adds a part at this place without its content, which is not searched.
    fn left_out(&mut self, entity: &Entity, path: &[u32], at: usize, note: Note) {
        self.ready.push_back(Part {
            number: Some(number(path)),
            content_type: Some(entity.kind.clone()),
            encoding: entity.encoding,
            note: Some(note),
            ..Part::in_place(self.message, at..at, Form::Other)
        });
    }

    /// Adds the lines of a base64 body that are not base64.
    fn foreign(&mut self, lines: &[Range<usize>], kind: &str, path: &[u32], start: usize) {
        for lines in lines {
            let lines = start + lines.start..start + lines.end;
            self.push(Some(path), Form::Plain, Some(kind.to_string()), lines, Some(Note::BadBase64));
        }
    }

    /// Adds the parts of a message within a body. `content` is the way from that message to this
    /// one.
    fn inner_message(
        &mut self,
        entity: &Entity,
        path: Vec<u32>,
        body: Range<usize>,
        message: &[u8],
        content: TextSource<'_>,
        member: Option<&str>,
    ) {
        let is_decoded = content.is_decoded_in_message() || content.outer.is_some();
        let content = Arc::new(self.whole_way(content));
        let outer = Some(OuterSource::Text(Arc::clone(&content)));
        let parts = PartMaker { unpacking: self.unpacking, outer, ..PartMaker::new(message, self.may_decode - 1) };
        let mut parts = PartIter { walk: MimeWalk::new(path), parts };
        for part in &mut parts {
            let mut part = part.into_owned();
            part.body = if is_decoded { body.clone() } else { content.range_in_message(part.body) };
            if is_decoded && part.source.lies_in(&content) {
                part.encoding = entity.encoding;
            }
            part.member = match (member, part.member) {
                (Some(outer), Some(inner)) => Some(format!("{outer}!/{inner}")),
                (outer, inner) => inner.or(outer.map(str::to_string)),
            };
            self.ready.push_back(part);
        }
        self.unpacking = parts.parts.unpacking;
    }

    /// Adds the contents of a part that is not text. The part is read like a file. `source` is the
    /// way from its bytes to the message.
    fn attachment(&mut self, entity: &Entity, path: &[u32], body: Range<usize>, bytes: &[u8], source: &TextSource<'m>) {
        // The messages of a mailbox share the map of the attachment, which may be long.
        let mut shared: Option<OuterSource> = None;
        for (member, file) in attachment::files(bytes, &entity.file_name(), &mut self.unpacking) {
            let content = file.bytes();
            let source = match file {
                AttachedFile::Text { .. } if content == bytes => source.clone(),
                AttachedFile::Message { at, .. } if bytes.get(at..at + content.len()) == Some(content) => {
                    match source.is_decoded_in_message() {
                        true => TextSource::in_place(at).within(shared.get_or_insert_with(|| self.shared(source))),
                        false => source.clone().shift(at),
                    }
                }
                _ => TextSource::unpacked(),
            };
            let member = (!member.is_empty()).then(|| String::from_utf8_lossy(&member));
            self.attached(file, entity, path, body.clone(), source, member.as_deref());
        }
    }

    fn attached(
        &mut self,
        file: AttachedFile,
        entity: &Entity,
        path: &[u32],
        body: Range<usize>,
        source: TextSource<'m>,
        member: Option<&str>,
    ) {
        let (text, form, note) = match file {
            AttachedFile::Message { message, .. } if self.may_decode > 0 => {
                return self.inner_message(entity, path.to_vec(), body, &message, source, member);
            }
            AttachedFile::Message { message, .. } => (message, Form::Other, Some(Note::TooDeep)),
            AttachedFile::Text { text, form, note } => (text, form, note),
        };
        self.ready.push_back(Part {
            number: (!path.is_empty()).then(|| number(path)),
            form,
            header: None,
            member: member.map(str::to_string),
            content_type: Some(entity.kind.clone()),
            encoding: entity.encoding,
            body,
            text: Cow::Owned(text),
            source,
            bases: Vec::new(),
            note,
        });
    }
}

/// Returns the text of a part as its reader sees it, in UTF-8. Undoes the encoding of quoted lines,
/// the escapes of OpenPGP, and folds. Returns a note if that was impossible or incomplete.
fn readable<'m>(
    entity: &Entity,
    form: Form,
    bytes: Cow<'m, [u8]>,
    source: TextSource<'m>,
) -> (Cow<'m, [u8]>, TextSource<'m>, Option<Note>) {
    let mut read = (bytes, source);
    fn then<'m>(
        (text, source): (Cow<'m, [u8]>, TextSource<'m>),
        step: DecodingStep,
        made: Option<Logical>,
    ) -> (Cow<'m, [u8]>, TextSource<'m>) {
        let Some(made) = made else { return (text, source) };
        let (text, map) = made.into_parts();
        (Cow::Owned(text), source.then(step, map))
    }
    if form == Form::Plain && reply::may_quote_encoded(&read.0) {
        let decoded = reply::decode(&read.0);
        read = then(read, DecodingStep::Lines, decoded);
    }
    let Decoded { text, is_utf16, mut note } = entity.to_utf8(form, &read.0, !read.1.is_decoded());
    read = then(read, if is_utf16 { DecodingStep::Encoding } else { DecodingStep::Charset }, text);
    if !form.is_markup() {
        let blocks = Blocks::of(&read.0);
        note = if blocks.is_encrypted { Some(Note::Pgp) } else { note };
        if blocks.has_signed() {
            let unescaped = blocks.unescape(&read.0);
            read = then(read, DecodingStep::Lines, unescaped);
        }
    }
    if let Some(folds) = entity.folds_of(&read.0) {
        let unfolded = folds.undo(&read.0);
        read = then(read, DecodingStep::Lines, unfolded);
    }
    (read.0, read.1, note)
}

/// Returns the form of a part by its content, if its type does not describe the content. Returns
/// `None` for content that is an attachment.
fn form_of_content(form: Form, entity: &mut Entity, bytes: &[u8]) -> Option<Form> {
    // Some programs send a page of HTML as `text/plain`.
    if entity.kind == "text/plain" && begins_as_page(bytes) {
        entity.folds = None;
        return Some(Form::Html);
    }
    // A type such as `application/octet-stream` says nothing of the content.
    if form != Form::Other || entity.is_text() || entity.kind.starts_with("message/") {
        return Some(form);
    }
    let is_utf16 = charset::is_utf16(bytes);
    let text = if is_utf16 { Cow::Owned(charset::decode_utf16_file(bytes)) } else { Cow::Borrowed(bytes) };
    match recognise(&text) {
        Container::Html => Some(Form::Html),
        Container::Xml => Some(Form::Xml),
        Container::Calendar => {
            entity.folds = Some(Folds::ContentLines);
            Some(form)
        }
        container if container == Container::Pdf || container.has_messages() => None,
        _ => Some(form),
    }
}

/// Returns the bytes of a part, without its transfer encoding.
fn transferred<'m>(entity: &Entity, raw: &'m [u8]) -> Cow<'m, [u8]> {
    match entity.encoding {
        Encoding::QuotedPrintable => Cow::Owned(quoted_printable_text(raw)),
        Encoding::Base64 => Cow::Owned(base64::<Vec<u8>>(raw, 0).text),
        Encoding::Uuencode | Encoding::YEnc => {
            inline::files::<Vec<u8>>(raw).into_iter().next().map_or(Cow::Borrowed(raw), |file| Cow::Owned(file.text))
        }
        _ => Cow::Borrowed(raw),
    }
}

/// Returns the way from the decoded bytes of a body to the message. The body begins at `start`.
fn source_of<'m>(entity: &Entity, bytes: &Cow<'m, [u8]>, start: usize, raw: &'m [u8]) -> TextSource<'m> {
    match bytes {
        Cow::Borrowed(_) => TextSource::in_place(start),
        Cow::Owned(_) => TextSource::encoded(start, raw, entity.encoding),
    }
}

/// Returns the type of an external body, without the blanks in its URL. Its writer folds a URL of
/// more than 40 bytes there (RFC 2017, section 3.1).
fn external_url(value: &[u8]) -> Option<Logical> {
    const KIND: &[u8] = b"message/external-body";
    const NAME: &[u8] = b"url=\"";
    let is_kind = value.trim_ascii_start().get(..KIND.len()).is_some_and(|kind| kind.eq_ignore_ascii_case(KIND));
    let name = value.windows(NAME.len()).position(|name| name.eq_ignore_ascii_case(NAME)).filter(|_| is_kind)?;
    let start = name + NAME.len();
    let end = start + memchr::memchr(b'"', &value[start..])?;
    let mut pruned = Pruned::new(value);
    for (at, _) in (start..end).zip(&value[start..end]).filter(|(_, byte)| byte.is_ascii_whitespace()) {
        pruned.leave_out(at..at + 1);
    }
    pruned.finish()
}

/// Returns the number of a part in the form `1.2.1`.
fn number(path: &[u32]) -> String {
    path.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests;

//! The description of a body by the header of its part, and the decoding of that body.

use std::ops::Range;

use crate::archive::calendar;
use crate::archive::charset::{self, Charset, Decoded};
use crate::archive::container::Container;
use crate::archive::encoding::Encoding;
use crate::archive::flowed;
use crate::archive::header::{LONGEST_FIELD, content_type, fields};
use crate::archive::html::is_page;
use crate::archive::inline;
use crate::archive::message::{BASE_BYTES, Form};
use crate::archive::rtf;
use crate::archive::sylk;
use crate::archive::transfer::{base64, quoted_printable_text};
use crate::archive::wide::WideFile;
use crate::bytes::logical::Logical;

/// The number of bytes of a part that are examined to decide whether it is text. An encoded line
/// has at most 998 bytes, so the sample holds several lines.
pub(super) const SAMPLE: usize = 4096;

/// The maximum number of bases, each of which is resolved against the previous one.
const MOST_BASES: usize = 4;

/// The description of a body by the header of its part.
#[derive(Debug)]
pub(crate) struct Entity {
    /// The type in the form `text/html`.
    pub(super) kind: String,
    pub(super) boundary: Option<Vec<u8>>,
    pub(crate) charset: Charset,
    pub(crate) folds: Option<Folds>,
    pub(crate) encoding: Encoding,
    /// The extension of the file's name, without the dot and in lower case.
    extension: Option<String>,
    /// The value of Content-Base. `location` has the value of Content-Location.
    base: Option<Vec<u8>>,
    location: Option<Vec<u8>>,
}

/// The method by which the lines of a text were folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folds {
    Flowed {
        delsp: bool,
    },
    /// The folds of calendars and vCards.
    ContentLines,
    /// The escapes of RTF in this code page.
    Rtf(u16),
    /// The doubled semicolons of SYLK.
    Sylk,
    /// The strings in UTF-16 of a binary file.
    Wide(WideFile),
}

impl Folds {
    /// Joins folded lines. Returns `None` if nothing changes.
    pub(crate) fn undo(self, text: &[u8]) -> Option<Logical> {
        match self {
            Folds::Flowed { delsp } => flowed::unfold(text, delsp),
            Folds::ContentLines => calendar::unfold(text),
            Folds::Rtf(code_page) => rtf::unescape(text, code_page),
            Folds::Sylk => sylk::unescape(text),
            Folds::Wide(file) => file.decode(text),
        }
    }
}

impl Entity {
    /// Returns the description of a part of which only the type is known.
    pub(super) fn of_kind(kind: &str) -> Self {
        Entity {
            kind: kind.to_string(),
            boundary: None,
            charset: Charset::Unnamed,
            folds: None,
            base: None,
            location: None,
            encoding: Encoding::SevenBit,
            extension: None,
        }
    }

    /// Returns the description of a file with this name within a text.
    pub(super) fn inline(name: &str, encoding: Encoding) -> Self {
        let mut entity = Entity { encoding, ..Entity::of_kind("application/octet-stream") };
        entity.read_name(Some(name));
        entity
    }

    /// Returns the description of HTML, XML or a calendar in a file of its own.
    pub(super) fn page(container: Container) -> Self {
        let kind = match container {
            Container::Xml => "text/xml",
            Container::Calendar => "text/calendar",
            Container::Rtf => "text/rtf",
            Container::Sylk => "text/x-sylk",
            Container::WideStrings => "application/octet-stream",
            _ => "text/html",
        };
        let folds = (container == Container::Calendar).then_some(Folds::ContentLines);
        Entity { encoding: Encoding::EightBit, folds, ..Entity::of_kind(kind) }
    }

    /// Returns how the lines of a text with this beginning were written. The content shows RTF, since
    /// its header names its code page. It also shows SYLK and a binary file.
    pub(super) fn folds_of(&self, text: &[u8]) -> Option<Folds> {
        match WideFile::of(text) {
            Some(file) => Some(Folds::Wide(file)),
            None if rtf::is_rtf(text) => Some(Folds::Rtf(rtf::code_page(text))),
            None if sylk::is_sylk(text) => Some(Folds::Sylk),
            None => self.folds,
        }
    }

    /// Returns the description of a body that has only a type, and no other header. Without a type,
    /// a page is recognised by its first tag.
    pub(crate) fn of_body(kind: Option<&[u8]>, body: &[u8]) -> Self {
        let sniffed = if is_page(body) == Some(true) { "text/html" } else { "application/octet-stream" };
        let mut entity = Entity { encoding: Encoding::EightBit, ..Entity::of_kind(sniffed) };
        if let Some(kind) = kind {
            entity.read_type(kind);
        }
        entity
    }

    pub(super) fn read(message: &[u8], header: Range<usize>, is_digest: bool) -> Self {
        let mut entity = Entity::of_kind(if is_digest { "message/rfc822" } else { "text/plain" });
        let (mut has_type, mut has_encoding) = (false, false);
        for field in fields(message, header) {
            let value = &message[field.value.clone()];
            // The first field of a name applies, except for the file name. A later multipart type
            // also overrides another type, because the delimiters in the body show whether the type
            // is right.
            if field.is(message, "content-type") && (!has_type || !entity.is_multipart() && is_of_parts(value)) {
                has_type = true;
                entity.read_type(value);
            } else if field.is(message, "content-transfer-encoding") && !has_encoding {
                has_encoding = true;
                entity.encoding = Encoding::from_field(&without_comments(value));
            } else if field.is(message, "content-disposition") {
                entity.read_name(content_type(value).as_ref().and_then(|found| found.attribute("filename")));
            } else if field.is(message, "content-base") {
                entity.base = entity.base.or_else(|| reference(value));
            } else if field.is(message, "content-location") {
                entity.location = entity.location.or_else(|| reference(value));
            }
        }
        entity
    }

    /// Returns the bases of relative links in a text that states none itself (RFC 2557 section 5).
    ///
    /// The part's own base is Content-Base (RFC 2110), or else Content-Location. It is relative to
    /// the bases of the enclosing parts. Each base is relative to the previous one.
    pub(super) fn bases(&self, around: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let own = self.base.as_ref().or(self.location.as_ref());
        // An absolute base needs no other base. The limit bounds the bases of deeply nested parts.
        let is_whole = own.is_some_and(|own| has_scheme(own));
        let around = if is_whole || around.len() == MOST_BASES { &[] } else { around };
        around.iter().chain(own).cloned().collect()
    }

    fn read_type(&mut self, value: &[u8]) {
        let Some(found) = content_type(value) else { return };
        // RFC 822 messages may have the type `text` without a subtype.
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
            self.folds = Some(Folds::Flowed { delsp: is("delsp", "yes") });
        } else if matches!(
            self.kind.as_str(),
            "text/calendar" | "text/vcard" | "text/x-vcard" | "text/x-vcalendar" | "text/directory" | "application/ics"
        ) {
            self.folds = Some(Folds::ContentLines);
        }
        self.read_name(found.attribute("name"));
    }

    fn read_name(&mut self, name: Option<&str>) {
        if let Some((_, extension)) = name.and_then(|name| name.rsplit_once('.')) {
            self.extension = Some(extension.to_ascii_lowercase());
        }
    }

    /// Returns the type in the form `text/html`.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    pub(super) fn is_multipart(&self) -> bool {
        self.kind.starts_with("multipart/")
    }

    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind.as_str(), "message/rfc822" | "message/global" | "message/news")
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind.starts_with("text/")
    }

    /// Returns whether the part is an image, sound, film, a font or an S/MIME signature. These name
    /// programs, cameras and certificates, but contain no links.
    pub(crate) fn is_media(&self) -> bool {
        let kinds =
            ["image/", "audio/", "video/", "font/", "application/pkcs7-signature", "application/x-pkcs7-signature"];
        kinds.iter().any(|kind| self.kind.starts_with(kind)) && self.kind != "image/svg+xml"
    }

    /// Returns a placeholder name with the real extension, because only the extension is used.
    pub(super) fn file_name(&self) -> Vec<u8> {
        self.extension.as_ref().map_or_else(Vec::new, |extension| format!("attachment.{extension}").into_bytes())
    }

    /// Returns whether the part is S/MIME that contains its signed or encrypted content.
    pub(crate) fn is_sealed(&self) -> bool {
        matches!(self.kind.as_str(), "application/pkcs7-mime" | "application/x-pkcs7-mime")
    }

    /// Returns the form of the part, if the part is text.
    pub(crate) fn form(&self, raw: &[u8]) -> Option<Form> {
        let extension = self.extension.as_deref().unwrap_or_default();
        match self.kind.as_str() {
            "text/plain" => return Some(Form::Plain),
            "text/html" | "text/x-amp-html" | "application/xhtml+xml" => return Some(Form::Html),
            "text/xml" | "application/xml" => return Some(Form::Xml),
            kind if kind.ends_with("+xml") => return Some(Form::Xml),
            kind if kind.starts_with("text/") || self.is_message() => return Some(Form::Other),
            _ => {}
        }
        if !matches!(extension, "txt" | "text" | "htm" | "html" | "xhtml")
            && !self.looks_like_text(raw)
            && WideFile::of(raw).is_none()
        {
            return None;
        }
        Some(if matches!(extension, "htm" | "html" | "xhtml") { Form::Html } else { Form::Other })
    }

    fn looks_like_text(&self, raw: &[u8]) -> bool {
        let sample = &raw[..raw.len().min(SAMPLE)];
        match self.encoding {
            Encoding::Base64 => charset::looks_like_text(&base64::<Vec<u8>>(sample, 0).text),
            Encoding::QuotedPrintable => charset::looks_like_text(&quoted_printable_text(sample)),
            Encoding::Uuencode | Encoding::YEnc => {
                inline::files::<Vec<u8>>(sample).first().is_some_and(|file| charset::looks_like_text(&file.text))
            }
            _ => charset::looks_like_text(sample),
        }
    }

    /// Returns the text in UTF-8, or `None` if it can be searched as it is, or cannot be decoded.
    ///
    /// `is_in_place` states that the message holds the text undecoded.
    pub(super) fn to_utf8(&self, form: Form, bytes: &[u8], is_in_place: bool) -> Decoded {
        let charset = match (self.charset, form) {
            (Charset::Unnamed, Form::Html) => charset::of_html(bytes),
            (Charset::Unnamed, Form::Xml) => charset::of_xml(bytes),
            (charset, _) => charset,
        };
        // HTML and XML are read only as UTF-8.
        if (is_in_place && !form.is_markup() || bytes.is_ascii()) && charset.is_searchable(bytes) {
            return Decoded::same(None);
        }
        charset.decode(bytes)
    }
}

/// Returns whether the value of a Content-Type is a multipart type.
fn is_of_parts(value: &[u8]) -> bool {
    const KIND: &[u8] = b"multipart/";
    value.trim_ascii_start().get(..KIND.len()).is_some_and(|start| start.eq_ignore_ascii_case(KIND))
}

/// Returns whether a reference begins with a scheme and more, so that it needs no base. A single
/// letter before the colon is most likely the drive of a Windows path.
pub(crate) fn has_scheme(reference: &[u8]) -> bool {
    let end = reference.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte)));
    end.is_some_and(|end| {
        end > 1 && reference[end] == b':' && reference[0].is_ascii_alphabetic() && end + 1 < reference.len()
    })
}

/// Reads a reference in a field, which may be folded anywhere. Returns at most one byte more than
/// the maximum length of a base, which is enough to reject it.
fn reference(value: &[u8]) -> Option<Vec<u8>> {
    let value: Vec<u8> =
        value.iter().filter(|byte| !byte.is_ascii_whitespace()).take(BASE_BYTES + 1).copied().collect();
    let bare = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(&value);
    (!bare.is_empty()).then(|| bare.to_vec())
}

/// Returns the value of a structured field without its comments (RFC 822 section 3.4.3).
fn without_comments(value: &[u8]) -> Vec<u8> {
    let (mut depth, mut is_quoted) = (0_u32, false);
    let mut outside = |&byte: &u8| {
        let is_outside = depth == 0;
        match byte {
            _ if std::mem::take(&mut is_quoted) => {}
            b'\\' => is_quoted = true,
            b'(' => depth = depth.saturating_add(1),
            b')' => depth = depth.saturating_sub(1),
            _ => return is_outside,
        }
        false
    };
    value.iter().take(LONGEST_FIELD).filter(|byte| outside(byte)).copied().collect()
}

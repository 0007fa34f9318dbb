//! A match as a record: the value of each field, computed on demand. Reports and serde write this
//! record.
//!
//! [`JsonFormat`](crate::report::JsonFormat#fields) describes the fields. Code that stores matches
//! in another shape, such as columns, reads the values from a [`MatchRecord`]:
//!
//! ```
//! use urlgrep::record::{FieldValue, MatchRecord, RecordField};
//!
//! let found = urlgrep::Extractor::new().find("see http://a.example/~joe").unwrap();
//! let record = MatchRecord::new(b"mail.txt", &found);
//! let value = |name| record.get(RecordField::by_name(name).unwrap());
//! assert!(matches!(value("file"), FieldValue::Text(name) if *name == *b"mail.txt"));
//! assert!(matches!(value("error.offset"), FieldValue::Number(17)));
//! assert!(matches!(value("message"), FieldValue::Null));
//! ```

pub(crate) mod fields;
pub(crate) mod parts;
mod serial;
mod value;
mod walk;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
#[cfg(feature = "archive")]
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bstr::BStr;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::url::Scheme;
use crate::url::{self, ComponentSink, ComponentValue, Generic};
use crate::{Level, Match, ParseError, Reason, Url};
use fields::RecordKey;
use parts::{Raw, escaped_octets};

pub use fields::RecordField;
pub use value::{FieldValue, ObjectValue};
pub use walk::FieldSink;

/// A match and its file, as a record. Fields are computed when they are read.
pub struct MatchRecord<'m> {
    /// The name of the file. It is empty for a match without a file.
    file: &'m [u8],
    found: &'m Match<'m>,
    url: &'m BStr,
    parsed: OnceCell<Option<Url<'m>>>,
    generic: OnceCell<Option<Generic<'m>>>,
    place: OnceCell<Option<Box<PlaceRecord>>>,
    /// The cached readings: every URL that the text may mean. A record needs them twice, and
    /// readings that continue on the line below cost more than all other fields.
    readings: OnceCell<Vec<Cow<'m, BStr>>>,
    /// The cached host in lower case. A record needs it twice.
    host: OnceCell<Option<Cow<'m, [u8]>>>,
    /// The cached hosts of a URL with several hosts.
    hosts: OnceCell<Vec<Cow<'m, BStr>>>,
}

/// The value of a field.
#[derive(Default)]
pub(crate) enum RecordValue<'v> {
    /// The value is unknown or missing. `unwrap_or_default` returns it, because dropping an unused
    /// value would be a call.
    #[default]
    Absent,
    /// A fixed word of this crate, such as a kind.
    Word(&'v str),
    /// A piece of the URL as written. It needs no escapes in JSON if the URL needs none.
    Piece(&'v [u8]),
    /// Any other text, such as a file's name, a header field or a decoded component.
    Source(Cow<'v, [u8]>),
    Number(u64),
    Flag(bool),
    /// The only reading of a match, which is its URL.
    Reading(&'v [u8]),
    Readings(&'v [Cow<'v, BStr>]),
    /// The exact bytes of a text that is not UTF-8.
    Base64(Base64Text<'v>),
    ReadingsBase64(&'v [Cow<'v, BStr>]),
    /// The message of an error.
    Explanation(ParseError),
    List(Vec<ComponentValue<'v>>),
    /// The decisions that led to the match.
    Reasons(Vec<Reason>),
    Object(RecordObject<'v>),
}

/// A value that has parts.
#[derive(Clone, Copy)]
pub(crate) enum RecordObject<'v> {
    Error(ParseError),
    /// The components by RFC 1738.
    Parts(&'v Url<'v>),
    /// The components by RFC 3986 or RFC 3987. The port is a string here, since RFC 3986 allows an
    /// empty one.
    Generic(&'v Generic<'v>),
    Message(&'v MessageRecord),
    Part(&'v PartRecord),
    Body(&'v BodyRecord),
}

impl<'m> MatchRecord<'m> {
    /// Returns the record of a match. `file` is the name of its file; an empty name stands for
    /// none.
    #[inline]
    pub fn new(file: &'m [u8], found: &'m Match<'m>) -> Self {
        let (parsed, generic, place, readings, host, hosts) = Default::default();
        MatchRecord { file, found, url: found.url(), parsed, generic, place, readings, host, hosts }
    }

    /// Returns the value of a field.
    #[inline]
    pub fn get(&self, field: RecordField) -> FieldValue<'_> {
        self.field(field).into()
    }

    pub(crate) fn field(&self, field: RecordField) -> RecordValue<'_> {
        match field.part {
            Some(part) => self.part(field.key, part),
            None => self.value(field.key),
        }
    }

    /// Returns the value of a key.
    ///
    /// This function is inlined, so that a constant key leaves only the code of its value. With a
    /// call for each value, a record cost twice the instructions, because values were passed
    /// through memory (2026-11). In unoptimised builds, inlining would only fill the stack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn value(&self, key: RecordKey) -> RecordValue<'_> {
        use RecordValue::{Absent, Flag, Number, Object, Piece, Reading, Source, Word};
        let found = self.found;
        match key {
            RecordKey::Url => Piece(self.url),
            RecordKey::Kind => Word(found.kind().as_str()),
            RecordKey::Scheme => self.scheme(),
            RecordKey::File if !self.file.is_empty() => source(self.file),
            RecordKey::Offset => Number(found.span().start),
            RecordKey::Length => {
                let span = found.span();
                Number(span.end - span.start)
            }
            RecordKey::Prefix => found.prefix().map(|prefix| Piece(prefix)).unwrap_or_default(),
            RecordKey::Line => number(found.line()),
            RecordKey::Column => number(found.column()),
            RecordKey::Rejoined => Flag(found.rejoined()),
            RecordKey::Readings if found.has_one_reading() => Reading(self.url),
            RecordKey::Readings => RecordValue::Readings(self.readings()),
            RecordKey::Level => Word(found.level().as_str()),
            RecordKey::Host => match self.lower_host() {
                None => Absent,
                Some(Cow::Borrowed(host)) => Piece(host),
                Some(Cow::Owned(host)) => source(host),
            },
            // A borrowed host is in lower case as it is written, so its domain is a slice of it.
            RecordKey::Domain => match self.lower_host() {
                None => Absent,
                Some(Cow::Borrowed(host)) => url::domain::site_of_lower(host).map(Piece).unwrap_or_default(),
                Some(Cow::Owned(_)) => self.foreign_domain().map(|domain| Source(domain.into())).unwrap_or_default(),
            },
            RecordKey::Hosts if self.parsed().is_some() => Absent,
            RecordKey::Hosts => match self.hosts() {
                [] => Absent,
                hosts => RecordValue::Readings(hosts),
            },
            RecordKey::Truncated => Flag(found.is_truncated()),
            RecordKey::Refused => found.refused().map(|reason| Word(reason.as_str())).unwrap_or_default(),
            RecordKey::Target => source(found.target()),
            RecordKey::Page => source(page(found.target())),
            RecordKey::Why => RecordValue::Reasons(found.explain()),
            key if key.has_parts() => self.object(key).map(Object).unwrap_or_default(),
            key if key.is_of_place() => self.place().map(|place| place.value(key)).unwrap_or_default(),
            // The count is written after all matches are counted.
            _ => Absent,
        }
    }

    /// Returns the value of a key that has parts.
    #[inline(always)]
    pub(crate) fn object(&self, key: RecordKey) -> Option<RecordObject<'_>> {
        match key {
            RecordKey::Error => self.found.verdict().error.map(RecordObject::Error),
            RecordKey::Parts => self.parsed().map(RecordObject::Parts),
            RecordKey::Generic => self.generic().map(RecordObject::Generic),
            RecordKey::Message => self.place()?.message.as_ref().map(RecordObject::Message),
            RecordKey::Part => self.place()?.part.as_ref().map(RecordObject::Part),
            RecordKey::Body => self.place()?.body.as_ref().map(RecordObject::Body),
            _ => None,
        }
    }

    /// Returns a part of an object by its name.
    #[inline(always)]
    pub(crate) fn part(&self, key: RecordKey, name: &str) -> RecordValue<'_> {
        self.object(key).map(|object| object.named(name)).unwrap_or_default()
    }

    /// Returns the field that follows a key whose text is not UTF-8. It holds the exact bytes.
    #[inline(always)]
    pub(crate) fn exact(&self, key: RecordKey) -> Option<(&'static str, RecordValue<'_>)> {
        let base64 = |name, text| Base64Text::of(text).map(|bytes| (name, RecordValue::Base64(bytes)));
        match key {
            RecordKey::Url => base64("url_bytes", self.url),
            RecordKey::File => base64("file_bytes", self.file),
            RecordKey::Target => base64("target_bytes", self.found.target()),
            RecordKey::Page => base64("page_bytes", page(self.found.target())),
            RecordKey::Readings => {
                let readings = self.readings();
                let is_needed = readings.iter().any(|text| Base64Text::of(text).is_some());
                is_needed.then_some(("readings_bytes", RecordValue::ReadingsBase64(readings)))
            }
            _ => None,
        }
    }

    /// Parses the URL in advance, and finds its host. Call this first if all fields are needed: no
    /// field then needs to check whether the URL is parsed.
    #[inline(always)]
    pub(crate) fn parse(&mut self) {
        self.parsed = OnceCell::from(self.new_parsed());
        self.host = OnceCell::from(self.new_lower_host());
    }

    /// Parses the URL in advance by both grammars.
    #[inline(always)]
    pub(crate) fn parse_both(&mut self) {
        self.parsed = OnceCell::from(self.new_parsed());
        self.generic = OnceCell::from(self.new_generic());
        self.host = OnceCell::from(self.new_lower_host());
    }

    #[inline(always)]
    fn scheme(&self) -> RecordValue<'m> {
        match self.parsed.get() {
            Some(Some(url)) if url.scheme() != Scheme::Other => RecordValue::Word(url.scheme().as_str()),
            Some(Some(url)) => lower(url.scheme_str()),
            _ => url::scheme_of(self.url).map(|scheme| lower(scheme)).unwrap_or_default(),
        }
    }

    /// Returns the URL parsed by RFC 1738, if its level satisfies that grammar.
    #[inline]
    fn parsed(&self) -> Option<&Url<'m>> {
        self.parsed.get_or_init(|| self.new_parsed()).as_ref()
    }

    #[inline(always)]
    fn new_parsed(&self) -> Option<Url<'m>> {
        let (url, options) = (self.url, self.found.options());
        let is_rfc1738 = matches!(self.found.level(), Level::Rfc1738 | Level::Rfc1738Ref);
        if is_rfc1738 { Url::of_fit(url, options.parse) } else { None }
    }

    #[inline]
    fn generic(&self) -> Option<&Generic<'m>> {
        self.generic.get_or_init(|| self.new_generic()).as_ref()
    }

    #[inline(always)]
    fn new_generic(&self) -> Option<Generic<'m>> {
        match self.parsed() {
            Some(url) => Generic::of(url),
            None if self.found.level() == Level::None => None,
            None => Generic::parse(self.url),
        }
    }

    fn readings(&self) -> &[Cow<'m, BStr>] {
        self.readings.get_or_init(|| self.found.readings().collect())
    }

    #[cold]
    fn hosts(&self) -> &[Cow<'m, BStr>] {
        self.hosts.get_or_init(|| {
            let hosts = url::rough::hosts(self.url).map(|host| match url::in_lower_case(Cow::Borrowed(host)) {
                Cow::Borrowed(host) => Cow::Borrowed(BStr::new(host)),
                Cow::Owned(host) => Cow::Owned(host.into()),
            });
            hosts.collect()
        })
    }

    #[inline(always)]
    fn lower_host(&self) -> &Option<Cow<'m, [u8]>> {
        self.host.get_or_init(|| self.new_lower_host())
    }

    #[inline(always)]
    fn new_lower_host(&self) -> Option<Cow<'m, [u8]>> {
        self.host().map(url::in_lower_case)
    }

    /// Returns the registrable domain of a host that has upper-case or non-ASCII letters.
    #[cold]
    fn foreign_domain(&self) -> Option<Vec<u8>> {
        self.host().and_then(|host| url::domain::domain(&host))
    }

    #[inline(always)]
    fn host(&self) -> Option<Cow<'m, [u8]>> {
        // A name without a scheme has a host only in its resolved form.
        if self.found.kind().lacks_scheme() {
            return self.found.host().map(|host| host.into_owned().to_vec().into());
        }
        let parsed = self.parsed();
        // A URL of RFC 1738 needs no second parse for its host.
        let generic = if parsed.is_none() { self.generic() } else { None };
        url::host_of(self.url, parsed, generic)
    }

    /// Returns whether the match lies in an archive of mail or news, or in a page. Otherwise, the
    /// fields for which [`RecordField::is_of_place`] is true are null.
    pub fn has_place(&self) -> bool {
        self.place().is_some()
    }

    #[inline]
    fn place(&self) -> Option<&PlaceRecord> {
        if !self.found.has_place() {
            return None;
        }
        self.place.get_or_init(|| PlaceRecord::of(self.found)).as_deref()
    }
}

impl std::fmt::Debug for MatchRecord<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MatchRecord")
            .field("url", &self.url)
            .field("file", &BStr::new(self.file))
            .finish_non_exhaustive()
    }
}

fn number<'v>(number: Option<u64>) -> RecordValue<'v> {
    number.map(RecordValue::Number).unwrap_or_default()
}

/// Returns a URL without its query and its fragment.
fn page(url: &[u8]) -> &[u8] {
    url.iter().position(|byte| b"?#".contains(byte)).map_or(url, |end| &url[..end])
}

pub(crate) fn source(text: &[u8]) -> RecordValue<'_> {
    RecordValue::Source(Cow::Borrowed(text))
}

fn text(text: &Option<String>) -> RecordValue<'_> {
    text.as_ref().map(|text| source(text.as_bytes())).unwrap_or_default()
}

/// Returns a scheme in lower case.
#[inline(always)]
pub(crate) fn lower(scheme: &[u8]) -> RecordValue<'_> {
    // Nearly all schemes are one of these two.
    match !matches!(scheme, b"http" | b"https") && scheme.iter().any(u8::is_ascii_uppercase) {
        true => RecordValue::Source(scheme.to_ascii_lowercase().into()),
        false => RecordValue::Piece(scheme),
    }
}

/// Accepts the parts of an object, as [`ComponentSink`] accepts the components of a URL.
pub(crate) trait PartSink<'v>: Sized {
    fn part(self, name: &'static str, value: RecordValue<'v>) -> Self;
}

impl<'v, F: FnMut(&'static str, RecordValue<'v>)> PartSink<'v> for F {
    fn part(mut self, name: &'static str, value: RecordValue<'v>) -> Self {
        self(name, value);
        self
    }
}

/// Passes the components of a URL to a sink as parts.
struct AsParts<S>(S);

impl<'v, S: PartSink<'v>> ComponentSink<'v> for AsParts<S> {
    #[inline(always)]
    fn component(self, name: &'static str, value: ComponentValue<'v>) -> Self {
        AsParts(self.0.part(name, value.into()))
    }
}

impl<'v> RecordObject<'v> {
    #[inline(never)]
    fn named(self, name: &str) -> RecordValue<'v> {
        let mut part = RecordValue::Absent;
        self.each_part(&mut |key: &'static str, value| {
            if key == name {
                part = value;
            }
        });
        part
    }

    /// Passes the parts to a sink, in their order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn each_part<S: PartSink<'v>>(self, sink: S) -> S {
        match self {
            RecordObject::Error(error) => sink
                .part("kind", error_part(error, "kind"))
                .part("offset", error_part(error, "offset"))
                .part("message", error_part(error, "message")),
            RecordObject::Parts(url) => url.each_component(AsParts(sink)).0,
            RecordObject::Generic(url) => generic_parts(url, sink),
            RecordObject::Message(message) => sink
                .part("id", text(&message.id))
                .part("date", text(&message.date))
                .part("from", text(&message.from))
                .part("subject", text(&message.subject))
                .part("newsgroups", text(&message.newsgroups))
                .part("url", text(&message.url))
                .part("language", text(&message.language))
                .part("number", number(message.number))
                .part("offset", RecordValue::Number(message.offset)),
            RecordObject::Part(part) => sink
                .part("number", text(&part.number))
                .part("offset", number(part.span.as_ref().map(|span| span.start)))
                .part("length", number(part.span.as_ref().map(|span| span.end - span.start)))
                .part("member", text(&part.member)),
            RecordObject::Body(body) => {
                sink.part("offset", RecordValue::Number(body.offset)).part("length", RecordValue::Number(body.length))
            }
        }
    }
}

/// Returns a part of an error by its name.
#[inline(always)]
fn error_part<'v>(error: ParseError, name: &str) -> RecordValue<'v> {
    match name {
        "kind" => RecordValue::Word(error.kind().as_str()),
        "offset" => RecordValue::Number(error.offset() as u64),
        "message" => RecordValue::Explanation(error),
        _ => RecordValue::Absent,
    }
}

/// Passes the components by RFC 3986 to a sink, in their order.
#[cfg_attr(not(debug_assertions), inline(always))]
fn generic_parts<'v, S: PartSink<'v>>(url: &Generic<'v>, sink: S) -> S {
    let raw = |raw: Option<&'v BStr>| raw.map(|raw| RecordValue::Piece(raw)).unwrap_or_default();
    sink.part("scheme", lower(url.scheme))
        .part("userinfo", raw(url.userinfo))
        .part("host", raw(url.host))
        .part("port", raw(url.port))
        .part("path", raw(Some(url.path)))
        .part("query", raw(url.query))
        .part("fragment", raw(url.fragment))
}

impl<'v> RecordValue<'v> {
    /// Returns the value as text. An absent value is empty, and readings are separated by one
    /// blank. Other lists and objects are JSON.
    #[cfg(feature = "report")]
    pub(crate) fn text(&self) -> Cow<'_, [u8]> {
        match self {
            RecordValue::Absent => Cow::Borrowed(b""),
            RecordValue::Word(word) => Cow::Borrowed(word.as_bytes()),
            RecordValue::Piece(text) | RecordValue::Reading(text) => Cow::Borrowed(text),
            RecordValue::Source(text) => Cow::Borrowed(text),
            RecordValue::Explanation(error) => {
                let mut text = Vec::new();
                error.append(&mut text);
                text.into()
            }
            RecordValue::Number(number) => itoa::Buffer::new().format(*number).as_bytes().to_vec().into(),
            RecordValue::Flag(flag) => Cow::Borrowed(if *flag { b"true" } else { b"false" }),
            RecordValue::Readings(readings) => bstr::join(" ", readings.iter().map(|reading| &***reading)).into(),
            _ => serde_json::to_vec(self).unwrap_or_default().into(),
        }
    }
}

impl<'v> From<ComponentValue<'v>> for RecordValue<'v> {
    #[inline(always)]
    fn from(value: ComponentValue<'v>) -> Self {
        match value {
            ComponentValue::Absent => RecordValue::Absent,
            ComponentValue::Raw(raw) => RecordValue::Piece(raw),
            // The value needed no decoding, or is a word of this crate.
            ComponentValue::Decoded(Cow::Borrowed(raw)) => RecordValue::Piece(raw),
            ComponentValue::Decoded(octets) => RecordValue::Source(escaped_octets(octets)),
            ComponentValue::Number(number) => RecordValue::Number(number),
            ComponentValue::Flag(flag) => RecordValue::Flag(flag),
            ComponentValue::List(items) => RecordValue::List(items),
        }
    }
}

impl Serialize for RecordValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RecordValue::Absent => serializer.serialize_none(),
            RecordValue::Word(word) => serializer.serialize_str(word),
            RecordValue::Piece(text) => Raw(*text).serialize(serializer),
            RecordValue::Source(text) => Raw(&**text).serialize(serializer),
            RecordValue::Number(number) => serializer.serialize_u64(*number),
            RecordValue::Flag(flag) => serializer.serialize_bool(*flag),
            RecordValue::Reading(text) => serializer.collect_seq([Raw(*text)]),
            RecordValue::Readings(readings) => serializer.collect_seq(readings.iter().map(|reading| Raw(&**reading))),
            RecordValue::Base64(bytes) => bytes.serialize(serializer),
            RecordValue::ReadingsBase64(readings) => {
                serializer.collect_seq(readings.iter().map(|reading| STANDARD.encode(&**reading)))
            }
            RecordValue::Explanation(error) => serializer.collect_str(error),
            RecordValue::List(items) => serializer.collect_seq(items.iter().cloned().map(RecordValue::from)),
            RecordValue::Reasons(reasons) => reasons.serialize(serializer),
            RecordValue::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for RecordObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut result = Ok(());
        self.each_part(&mut |key: &'static str, value: RecordValue<'_>| {
            // `each_part` cannot stop early, so the parts after an error are skipped here.
            if result.is_ok() {
                result = map.serialize_entry(key, &value);
            }
        });
        result?;
        map.end()
    }
}

/// The fields of a match in an archive or a page.
struct PlaceRecord {
    message: Option<MessageRecord>,
    part: Option<PartRecord>,
    content_type: Option<String>,
    encoding: Option<&'static str>,
    header: Option<String>,
    quote_depth: Option<usize>,
    body: Option<BodyRecord>,
    text: Option<String>,
    resolved: Option<String>,
    shown_host: Option<String>,
    attribute: Option<String>,
    note: Option<&'static str>,
}

pub(crate) struct MessageRecord {
    id: Option<String>,
    date: Option<String>,
    from: Option<String>,
    subject: Option<String>,
    newsgroups: Option<String>,
    url: Option<String>,
    language: Option<String>,
    number: Option<u64>,
    offset: u64,
}

/// The part, and the place of the match in its decoded text.
pub(crate) struct PartRecord {
    number: Option<String>,
    span: Option<Range<u64>>,
    member: Option<String>,
}

pub(crate) struct BodyRecord {
    offset: u64,
    length: u64,
}

impl PlaceRecord {
    fn value(&self, key: RecordKey) -> RecordValue<'_> {
        use RecordValue::{Absent, Word};
        match key {
            RecordKey::ContentType => text(&self.content_type),
            RecordKey::Encoding => self.encoding.map(Word).unwrap_or_default(),
            RecordKey::Header => text(&self.header),
            RecordKey::QuoteDepth => number(self.quote_depth.map(|depth| depth as u64)),
            RecordKey::Text => text(&self.text),
            RecordKey::Resolved => text(&self.resolved),
            RecordKey::ShownHost => text(&self.shown_host),
            RecordKey::Attribute => text(&self.attribute),
            RecordKey::Note => self.note.map(Word).unwrap_or_default(),
            _ => Absent,
        }
    }

    #[cfg(feature = "archive")]
    fn of(found: &Match<'_>) -> Option<Box<Self>> {
        let place = found.place()?;
        let message = place.message.map(|message| {
            let message = Arc::unwrap_or_clone(message);
            let crate::archive::Envelope { id, date, from, subject, newsgroups, url, language } = message;
            let (number, offset) = (place.number, place.offset);
            MessageRecord { id, date, from, subject, newsgroups, url, language, number, offset }
        });
        let is_part = place.part.is_some() || place.part_span.is_some() || place.member.is_some();
        let part = PartRecord { number: place.part, span: place.part_span, member: place.member };
        let part = is_part.then_some(part);
        Some(Box::new(Self {
            message,
            part,
            content_type: place.content_type,
            encoding: place.encoding,
            header: place.header,
            quote_depth: place.quote_depth,
            body: place.body.map(|body| BodyRecord { offset: body.start, length: body.end - body.start }),
            text: place.text,
            resolved: place.resolved.map(|url| String::from_utf8_lossy(&url).into_owned()),
            shown_host: place.shown_host,
            attribute: place.attribute,
            note: place.note,
        }))
    }

    #[cfg(not(feature = "archive"))]
    fn of(_: &Match<'_>) -> Option<Box<Self>> {
        None
    }
}

/// Bytes that are not UTF-8, written as base64 because no string can hold them.
pub(crate) struct Base64Text<'u>(&'u [u8]);

impl<'u> Base64Text<'u> {
    /// Returns `None` if the bytes are UTF-8.
    pub(crate) fn of(bytes: &'u [u8]) -> Option<Self> {
        std::str::from_utf8(bytes).is_err().then_some(Self(bytes))
    }
}

impl std::fmt::Display for Base64Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        base64::display::Base64Display::new(self.0, &STANDARD).fmt(f)
    }
}

impl Serialize for Base64Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

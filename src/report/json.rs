//! JSON Lines: one object a line, for every match and, behind `urlgrep parse`, for every URL that was given by itself:
//! `input`, `valid` (by RFC 1738 with a fragment), `level`, `scheme`, `host`, `parts`, `generic`, `error` and `resolved`,
//! with the meanings of [`JsonFormat`]. Where `resolved` is not `null`, the others speak of it and not of `input`.
//! `input_bytes` and `resolved_bytes` follow where they are needed.

use std::borrow::Cow;
use std::io::{self, Write};
#[cfg(feature = "archive")]
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde::ser::Serializer;
use serde_json::ser::Formatter;

use super::parts::{GenericRecord, Lower, PartsRecord, Raw};
use super::text::is_treacherous;
use crate::url::{self, Generic, ParseOptions};
use crate::{Level, Match, ParseError, Url};

/// JSON Lines: one object a line, for every match.
///
/// The same fields in every line, in this order. What is not known is `null`, never left out.
///
/// | field | type | |
/// |---|---|---|
/// | `url` | string | the URL as written; white space and line prefixes removed, nothing else changed; with its `#fragment` |
/// | `kind` | string | `wrapped`, `angle`, `prefixed`, `bare`, `attribute` |
/// | `scheme` | string? | in lower case |
/// | `file` | string | as it was named; `-` for standard input |
/// | `offset`, `length` | number | the bytes of the source that the match covers |
/// | `line`, `column` | number? | of the first of them; both from 1, columns in bytes; `null` where lines are not counted |
/// | `rejoined` | boolean | the URL's bytes come from more than one line |
/// | `readings` | list of strings | every URL that the text may mean; the first is `url` |
/// | `level` | string | the strictest grammar it satisfies: `rfc1738`, `rfc1738-ref`, `rfc3986`, `iri`, `none` |
/// | `error` | object? | why it is not RFC 1738: `kind`, `offset` in bytes of `url`, `message` |
/// | `host` | string? | as written, without port; of mailto URLs and news articles the domain |
/// | `parts` | object? | the components at level rfc1738 and rfc1738-ref ([how](#parts)) |
/// | `generic` | object? | the components by RFC 3986, where that or RFC 3987 fits |
/// | `message` | object? | in mail and news, as all that follows but for `count`: `id`, `date`, `from`, `subject`, `newsgroups`, the message's `number` in the archive and its `offset` |
/// | `part` | string? | the MIME part as IMAP numbers it; `null` in a header |
/// | `content_type` | string? | of the part |
/// | `encoding` | string? | how the part is encoded. In `7bit`, `8bit` and `binary` ones `offset`, `length`, `line` and `column` speak of the source, in others of the decoded part |
/// | `header` | string? | the field that holds the URL |
/// | `quote_depth` | number? | how deep its line is quoted; `null` in headers and HTML |
/// | `body` | object? | `offset` and `length` of the part's body in the source, as it is encoded |
/// | `text` | string? | what an anchor of HTML encloses |
/// | `resolved` | string? | a relative link of HTML, resolved |
/// | `shown_host` | string? | the host that an anchor's text shows, where the link goes to another |
/// | `attribute` | string? | the element of HTML and its attribute that hold the link: `a href` |
/// | `note` | string? | why the part could not be decoded, or not wholly |
/// | `count` | number? | how often the URL was found, with `--first-said` |
///
/// # Bytes that are not UTF-8
///
/// The strings are then lossy (U+FFFD stands for what is broken), and a field with the exact bytes in base64 follows:
/// `url_bytes`, `file_bytes`, `readings_bytes` (a list: every reading, if one of them needs it). These are the only fields that are not in every line. Decoded values in `parts` write such octets
/// `\xHH`.
///
/// # Parts
///
/// The two can differ about the same bytes (`https://h/a?b` has a search only for RFC 3986), which is why a record
/// holds both. Every key of a scheme is always there; a component that is absent is `null`, one that is empty is `""`.
///
/// Strings are raw, escapes intact, but for those that only make sense decoded (`local`, `domain`, `hsoname`,
/// `request`, `commands`, `gtype_effective`): there, octets that are not UTF-8 are written `\xHH`.
///
/// | scheme | keys |
/// |---|---|
/// | ftp | user password host hosttype port port_text port_effective path fragment cwd name type commands |
/// | http | host hosttype port port_text port_effective path fragment search |
/// | gopher | host hosttype port port_text port_effective fragment gtype gtype_effective selector search gplus request |
/// | mailto | fragment local domain addr |
/// | news | host hosttype fragment form group unique |
/// | nntp | host hosttype port port_text port_effective fragment group number |
/// | telnet | user password host hosttype port port_text port_effective fragment slash |
/// | wais | host hosttype port port_text port_effective fragment form database search wtype wpath |
/// | file | host hosttype path fragment is_local |
/// | prospero | host hosttype port port_text port_effective path fragment hsoname fields |
/// | others | user password host hosttype port port_text port_effective path fragment form rest |
///
/// # Examples
///
/// ```
/// use urlgrep::{Extractor, report::JsonFormat};
///
/// let mut out = Vec::new();
/// for found in Extractor::builder().line_numbers(true).build().find_iter(b"see <URL:news:comp.infosystems>") {
///     JsonFormat::new().write(b"-", &found, &mut out)?;
/// }
/// let start = r#"{"url":"news:comp.infosystems","kind":"wrapped","scheme":"news","file":"-","offset":4,"length":27,"#;
/// assert!(out.starts_with(start.as_bytes()) && out.ends_with(b"}\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonFormat {
    other_literal: bool,
    escape: bool,
}

/// What became of an input of `urlgrep parse`.
#[derive(Clone, Copy, Debug)]
pub enum Resolution<'u> {
    /// It is the URL.
    Input,
    /// It was resolved to this.
    Resolved(&'u [u8]),
    /// It could not be resolved.
    Unresolved(ParseError),
}

impl JsonFormat {
    /// The only one there is.
    pub fn new() -> Self {
        Self::default()
    }

    /// URLs are read with `otherurl` by the letter
    /// ([`ParseOptions::other_literal`](crate::url::ParseOptions::other_literal)).
    pub fn other_literal(mut self, yes: bool) -> Self {
        self.other_literal = yes;
        self
    }

    /// For a terminal: what it would obey, and what reorders text or takes no room, is written as `\u202e`. The values stay
    /// the same, and controls below U+0020 are always written so.
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// Writes the line of a match. `file` is the name as bytes, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, file: &[u8], found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        let url = found.url();
        let span = found.span();
        self.write_line(
            out,
            &MatchRecord {
                url: Raw(url),
                url_bytes: Base64Text::of(url),
                kind: found.kind().as_str(),
                scheme: found.scheme().map(|scheme| Lower(scheme)),
                file: Raw(file),
                file_bytes: Base64Text::of(file),
                offset: span.start,
                length: span.end - span.start,
                line: found.line(),
                column: found.column(),
                rejoined: found.rejoined(),
                readings: Readings(found),
                readings_bytes: found
                    .readings()
                    .any(|text| Base64Text::of(&text).is_some())
                    .then_some(ReadingsBytes(found)),
                level: found.level().as_str(),
                error: found.error().as_ref().map(ErrorRecord::of),
                view: View::of(url, self.other_literal),
                place: PlaceRecord::of(found),
                count: (),
            },
        )
    }

    fn write_line(&self, out: &mut impl Write, record: &impl Serialize) -> io::Result<()> {
        if self.escape {
            record.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Harmless))?;
        } else {
            serde_json::to_writer(&mut *out, record)?;
        }
        out.write_all(b"\n")
    }

    /// Writes into the last line how often the URL was found: its `count` is not `null` any more.
    #[doc(hidden)]
    pub fn set_count(&self, count: u64, out: &mut Vec<u8>) {
        if out.ends_with(NO_COUNT) {
            out.truncate(out.len() - NO_COUNT.len());
            out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
            out.extend_from_slice(b"}\n");
        }
    }

    /// Writes the line of a URL that was given by itself.
    #[doc(hidden)]
    pub fn write_parsed(&self, input: &[u8], resolution: Resolution<'_>, out: &mut impl Write) -> io::Result<()> {
        let (url, error) = match resolution {
            Resolution::Input => (Some(input), None),
            Resolution::Resolved(url) => (Some(url), None),
            Resolution::Unresolved(error) => (None, Some(error)),
        };
        let resolved = if let Resolution::Resolved(url) = resolution { Some(url) } else { None };
        let verdict = url.map(|url| url::judge(url, ParseOptions::new().other_literal(self.other_literal)));
        let error = verdict.map_or(error, |verdict| verdict.error);
        self.write_line(
            out,
            &ParsedRecord {
                input: Raw(input),
                input_bytes: Base64Text::of(input),
                valid: error.is_none(),
                level: verdict.map_or(Level::None, |verdict| verdict.level).as_str(),
                scheme: url.and_then(url::scheme_of).map(|scheme| Lower(scheme)),
                view: url.map(|url| View::of(url, self.other_literal)).unwrap_or_default(),
                error: error.as_ref().map(ErrorRecord::of),
                resolved: resolved.map(Raw),
                resolved_bytes: resolved.and_then(Base64Text::of),
            },
        )
    }
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

/// A URL as both grammars see it.
#[derive(Default, Serialize)]
struct View<'u> {
    host: Option<Raw<Cow<'u, [u8]>>>,
    parts: Option<PartsRecord<'u>>,
    generic: Option<GenericRecord<'u>>,
}

impl<'u> View<'u> {
    fn of(url: &'u [u8], other_literal: bool) -> Self {
        let parsed = Url::parse_with(url, ParseOptions::new().other_literal(other_literal)).ok();
        let generic = Generic::parse(url);
        let host = url::host_of(url, parsed.as_ref(), generic.as_ref()).map(Raw);
        Self { host, parts: parsed.map(PartsRecord), generic: generic.map(GenericRecord) }
    }
}

#[derive(Serialize)]
struct MatchRecord<'m> {
    url: Raw<&'m [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_bytes: Option<Base64Text<'m>>,
    kind: &'static str,
    scheme: Option<Lower<'m>>,
    file: Raw<&'m [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<Base64Text<'m>>,
    offset: u64,
    length: u64,
    line: Option<u64>,
    column: Option<u64>,
    rejoined: bool,
    readings: Readings<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    readings_bytes: Option<ReadingsBytes<'m>>,
    level: &'static str,
    error: Option<ErrorRecord>,
    #[serde(flatten)]
    view: View<'m>,
    #[serde(flatten)]
    place: PlaceRecord,
    count: (),
}

/// How a line ends as long as nobody has counted.
const NO_COUNT: &[u8] = b"null}\n";

/// The fields of archives, always there: whoever reads a line need not ask which.
#[derive(Default, Serialize)]
struct PlaceRecord {
    message: Option<MessageRecord>,
    part: Option<String>,
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

#[derive(Serialize)]
struct MessageRecord {
    id: Option<String>,
    date: Option<String>,
    from: Option<String>,
    subject: Option<String>,
    newsgroups: Option<String>,
    number: Option<u64>,
    offset: u64,
}

#[derive(Serialize)]
struct BodyRecord {
    offset: u64,
    length: u64,
}

impl PlaceRecord {
    #[cfg(feature = "archive")]
    fn of(found: &Match<'_>) -> Self {
        let Some(place) = found.place() else { return Self::default() };
        let message = place.message.map(|message| {
            let crate::archive::Envelope { id, date, from, subject, newsgroups } = Arc::unwrap_or_clone(message);
            MessageRecord { id, date, from, subject, newsgroups, number: place.number, offset: place.offset }
        });
        Self {
            message,
            part: place.part,
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
        }
    }

    #[cfg(not(feature = "archive"))]
    fn of(_: &Match<'_>) -> Self {
        Self::default()
    }
}

#[derive(Serialize)]
struct ParsedRecord<'u> {
    input: Raw<&'u [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_bytes: Option<Base64Text<'u>>,
    valid: bool,
    level: &'static str,
    scheme: Option<Lower<'u>>,
    #[serde(flatten)]
    view: View<'u>,
    error: Option<ErrorRecord>,
    resolved: Option<Raw<&'u [u8]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_bytes: Option<Base64Text<'u>>,
}

#[derive(Serialize)]
pub(crate) struct ErrorRecord {
    kind: &'static str,
    offset: usize,
    message: String,
}

impl ErrorRecord {
    pub(crate) fn of(error: &ParseError) -> Self {
        Self { kind: error.kind().as_str(), offset: error.offset(), message: error.to_string() }
    }
}

struct Readings<'m>(&'m Match<'m>);

impl Serialize for Readings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.readings().map(Raw))
    }
}

struct ReadingsBytes<'m>(&'m Match<'m>);

impl Serialize for ReadingsBytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.readings().map(|reading| STANDARD.encode(&*reading)))
    }
}

/// Bytes that no string can hold.
pub(crate) struct Base64Text<'u>(&'u [u8]);

impl<'u> Base64Text<'u> {
    /// `Some` only where the bytes are not UTF-8.
    pub(crate) fn of(bytes: &'u [u8]) -> Option<Self> {
        std::str::from_utf8(bytes).is_err().then_some(Self(bytes))
    }
}

impl Serialize for Base64Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&base64::display::Base64Display::new(self.0, &STANDARD))
    }
}

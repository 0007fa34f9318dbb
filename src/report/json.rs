//! JSON Lines: one object on each line, for every match. `urlgrep parse` writes one for each URL of
//! its input.
//!
//! The fields of an object of `urlgrep parse` are `input`, `valid` (by default, by RFC 1738 with a
//! fragment), `level`, `scheme`, `host`, `parts`, `generic`, `error` and `resolved`. Their meanings
//! are those of [`JsonFormat`]. If `resolved` is not `null`, the other fields describe `resolved`
//! and not `input`. `input_bytes` and `resolved_bytes` follow if needed.

use std::io::{self, Write};
use std::sync::Arc;

use memchr::memmem;

use super::fields::FieldList;
use super::json_writer::{self, JsonWriter};
use super::page::Page;
use super::pieces::{Room, put};
use crate::record::fields::{RecordField, RecordKey, record_fields};
use crate::record::{MatchRecord, RecordObject, RecordValue, lower};
use crate::url::{self, Generic, ParseOptions};
use crate::{Level, Match, ParseError, Url};

/// JSON Lines: one object on each line, for every match.
///
/// # Fields
///
/// Every line has the same fields in this order, unless [`fields`](Self::fields) selects some. An
/// unknown value is `null`, and never omitted.
///
/// | field | type | |
/// |---|---|---|
/// | `url` | string | the URL as written, with its `#fragment`. White space and line prefixes are removed; nothing else changes |
/// | `kind` | string | `wrapped`, `angle`, `prefixed`, `bare`, `attribute`, `www`, `navigation`, `name` |
/// | `scheme` | string? | the scheme in lower case |
/// | `prefix` | string? | the word before a bare URL, if a colon joins them: `jdbc` |
/// | `file` | string | the name as given; `-` for standard input |
/// | `offset`, `length` | number | the bytes of the source that the match covers |
/// | `line`, `column` | number? | the place of the first byte, from 1; columns in bytes. `null` if lines are not counted |
/// | `rejoined` | boolean | the URL's bytes come from more than one line |
/// | `readings` | list of strings | every URL that the text may mean; the first is `url` |
/// | `level` | string | the strictest grammar that the URL satisfies: `rfc1738`, `rfc1738-ref`, `rfc3986`, `iri`, `none` |
/// | `error` | object? | why it is not RFC 1738: `kind`, `offset` in bytes of `url`, `message` |
/// | `host` | string? | in lower case, without port, at every level; the domain for mailto URLs and news articles |
/// | `domain` | string? | the registrable domain of `host` by the Public Suffix List, in punycode; `null` for an IP address |
/// | `truncated` | boolean | the URL was shortened for display (`…` or `...` follows its path), or continues beyond the joined lines |
/// | `refused` | string? | `placeholder` or `defanged`: a candidate that is not a URL because of its host (only with candidates) |
/// | `parts` | object? | the components at level rfc1738 and rfc1738-ref ([how](#parts)) |
/// | `generic` | object? | the components by RFC 3986, if the URL satisfies RFC 3986 or RFC 3987 |
/// | `message` | object? | the message: `id`, `date`, `from`, `subject`, `newsgroups`, `url` (of a record of a web archive), `language`, its `number` in the archive and its `offset`. The fields from here to `note` are `null` outside mail, news and pages |
/// | `part` | object? | `number`: the MIME part as IMAP numbers it, `null` in a header; `offset`, `length`: the place in the decoded text; `member`: the path within a packed attachment |
/// | `content_type` | string? | the content type of the part |
/// | `encoding` | string? | the encoding of the part. In `unpacked` and `http` texts, `offset`, `length`, `line` and `column` count in the text, in all others in the source |
/// | `header` | string? | the field that holds the URL |
/// | `quote_depth` | number? | the depth of quotation of its line; `null` in headers and HTML |
/// | `body` | object? | `offset` and `length` of the part's body in the source, as it is encoded |
/// | `text` | string? | the text of an anchor in HTML |
/// | `resolved` | string? | the target of a relative link of HTML |
/// | `shown_host` | string? | the host in an anchor's text, or in plain text in the word before `<…>`, if the link leads to another host |
/// | `attribute` | string? | the element of HTML and its attribute that hold the link: `a href` |
/// | `note` | string? | why the part could not be decoded completely |
/// | `count` | number? | the number of places of the URL, with `--first-said`, or of a key, with `--count-by` |
/// | `why` | array | the decisions that led to the match ([`Reason`](crate::Reason)). Only if it is requested |
/// | `target` | string | the address that a click opens: `resolved`, or `url`. Only if it is requested |
/// | `page` | string | the target without its query and its fragment. Only if it is requested |
///
/// # Bytes that are not UTF-8
///
/// Strings with such bytes are lossy: U+FFFD replaces broken bytes. A field with the exact bytes in
/// base64 follows. It is `url_bytes`, `file_bytes`, `target_bytes`, `page_bytes`, or
/// `readings_bytes` (a list of every reading, if one of them needs it). Lines that need no exact
/// bytes lack these fields. Decoded values in `parts` write such octets as `\xHH`.
///
/// # Parts
///
/// The two grammars can disagree about the same bytes, so a record holds both. For example,
/// `https://h/a?b` has a search only by RFC 3986. Every key of a scheme is always present. An
/// absent component is `null`, and an empty one is `""`.
///
/// Strings are raw, with their escapes. Some values only make sense decoded: `local`, `domain`,
/// `hsoname`, `request`, `commands`, `gtype_effective`. In these values, octets that are not UTF-8
/// are written as `\xHH`.
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
///     JsonFormat::new().write("-", &found, &mut out)?;
/// }
/// let start = r#"{"url":"news:comp.infosystems","kind":"wrapped","scheme":"news","prefix":null,"file":"-","offset":4,"#;
/// assert!(out.starts_with(start.as_bytes()) && out.ends_with(b"}\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct JsonFormat {
    /// The selected keys; `None` stands for all.
    keys: Option<Arc<[JsonKey]>>,
    other_literal: bool,
    escape: bool,
}

/// The URL that an input of [`JsonFormat::write_parsed`] stands for.
#[derive(Clone, Copy, Debug)]
pub enum Resolution<'u> {
    /// The input is the URL.
    Input,
    /// The input was resolved to this URL.
    Resolved(&'u [u8]),
    /// The input could not be resolved.
    Unresolved(ParseError),
}

impl JsonFormat {
    /// Returns the default format: every field, and no escaping for terminals.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses URLs of [`write_parsed`](Self::write_parsed) with
    /// [`ParseOptions::other_literal`](crate::url::ParseOptions::other_literal) (G-OTHER-2).
    pub fn other_literal(mut self, yes: bool) -> Self {
        self.other_literal = yes;
        self
    }

    /// Escapes for a terminal. Characters that a terminal obeys, that reorder text or that have no
    /// width are written like `\u202e`. So is `<`.
    ///
    /// The values stay the same. Controls below U+0020 are escaped anyway.
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// Selects these fields, in their order.
    ///
    /// A part of an object (`message.id`) is a key of that object, which then holds only the
    /// selected parts. An object stands at the place of its first part.
    ///
    /// ```
    /// use urlgrep::{Extractor, report::JsonFormat};
    ///
    /// let format = JsonFormat::new().fields(&"url,generic.path,offset,generic.port".parse()?);
    /// let mut out = Vec::new();
    /// for found in Extractor::new().find_iter("see http://a.example:80/x") {
    ///     format.write("-", &found, &mut out)?;
    /// }
    /// let line = r#"{"url":"http://a.example:80/x","generic":{"path":"/x","port":"80"},"offset":4}"#;
    /// assert_eq!(out, format!("{line}\n").as_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fields(mut self, fields: &FieldList) -> Self {
        self.keys = Some(keys(fields.0.iter().copied()));
        self
    }

    /// Writes the line of a match. `file` is the name of its file, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Returns any error of the writer.
    pub fn write(&self, file: impl AsRef<[u8]>, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        let mut line = Page::default();
        self.append(file.as_ref(), found, &mut line);
        out.write_all(line.written())
    }

    /// Appends the line of a match to a page. See [`write`](Self::write).
    pub fn append(&self, file: &[u8], found: &Match<'_>, page: &mut Page) {
        let mut record = MatchRecord::new(file, found);
        if self.keys.is_none() {
            record.parse_both();
        }
        json_writer::append(page, self.escape, (found.url(), found.level()), |json, room| {
            let room = match &self.keys {
                None => every_field(&record, json, room)?,
                Some(keys) => keys.iter().try_fold(room, |room, key| key.write(&record, json, room))?,
            };
            put(room, [b"}\n"])
        });
    }

    /// Writes a count into the field `count` of the last line, which must still be `null`.
    ///
    /// # Complexity
    ///
    /// Linear in the line.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Extractor, report::JsonFormat};
    ///
    /// let format = JsonFormat::new().fields(&"url,count".parse()?);
    /// let mut line = Vec::new();
    /// format.write("-", &Extractor::new().find("see http://a.example/").unwrap(), &mut line)?;
    /// format.set_count(3, &mut line);
    /// assert_eq!(line, b"{\"url\":\"http://a.example/\",\"count\":3}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_count(&self, count: u64, out: &mut Vec<u8>) {
        // A quote within a string is escaped, so these bytes can only be the key and its value.
        if let Some(at) = memmem::rfind(out, NO_COUNT) {
            let null = at + NO_COUNT.len() - b"null".len()..at + NO_COUNT.len();
            out.splice(null, itoa::Buffer::new().format(count).bytes());
        }
    }

    /// Appends the line of a URL outside any text, as `urlgrep parse --json` does.
    ///
    /// It holds `input` and its resolution, and the fields of the URL and its error. `valid` is
    /// whether the URL satisfies the level `loosest`.
    ///
    /// # Complexity
    ///
    /// Linear in the input and the URL.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Level;
    /// use urlgrep::report::{JsonFormat, Resolution};
    ///
    /// let mut line = Vec::new();
    /// JsonFormat::new().write_parsed(b"http://h.example/", Resolution::Input, Level::Rfc3986, &mut line);
    /// assert!(line.starts_with(br#"{"input":"http://h.example/","valid":true,"level":"rfc1738","scheme":"http""#));
    /// ```
    pub fn write_parsed(&self, input: &[u8], resolution: Resolution<'_>, loosest: Level, out: &mut Vec<u8>) {
        let (url, error) = match resolution {
            Resolution::Input => (Some(input), None),
            Resolution::Resolved(url) => (Some(url), None),
            Resolution::Unresolved(error) => (None, Some(error)),
        };
        let resolved = if let Resolution::Resolved(url) = resolution { Some(url) } else { None };
        let options = ParseOptions::new().other_literal(self.other_literal);
        let verdict = url.map(|url| url::judge(url, options));
        let error = verdict.map_or(error, |verdict| verdict.error);
        let parsed = url.and_then(|url| Url::parse_with(url, options.level(Level::Rfc1738Ref)).ok());
        let generic = url.and_then(Generic::parse);
        let host = url.and_then(|url| url::host_of(url, parsed.as_ref(), generic.as_ref())).map(url::in_lower_case);
        let scheme = url.and_then(url::scheme_of);
        let level = verdict.map_or(Level::None, |verdict| verdict.level);
        let is_valid = verdict.is_some() && level <= loosest;
        let scheme = || scheme.map(|scheme| lower(scheme)).unwrap_or_default();
        let host = || host.as_deref().map(|host| RecordValue::Source(host.into())).unwrap_or_default();
        let mut page = Page::following(out);
        json_writer::append(&mut page, self.escape, (url.unwrap_or_default(), level), |json, room| {
            let room = json.exact_text(room, "{\"input\":", "input_bytes", Some(input))?;
            let (room, _) = json.value(room, ",\"valid\":", RecordValue::Flag(is_valid))?;
            let (room, _) = json.value(room, ",\"level\":", RecordValue::Word(level.as_str()))?;
            let (room, _) = json.value(room, ",\"scheme\":", scheme())?;
            let (room, _) = json.value(room, ",\"host\":", host())?;
            let room = json.object(room, ",\"parts\":", parsed.as_ref().map(RecordObject::Parts))?;
            let room = json.object(room, ",\"generic\":", generic.as_ref().map(RecordObject::Generic))?;
            let room = json.object(room, ",\"error\":", error.map(RecordObject::Error))?;
            put(json.exact_text(room, ",\"resolved\":", "resolved_bytes", resolved)?, [b"}\n"])
        });
        *out = page.into_text();
    }
}

/// The field `count` before anything is counted.
const NO_COUNT: &[u8] = b"\"count\":null";

macro_rules! every_field {
    ({ $first:ident $first_name:literal, $($key:ident $name:literal $([$($part:literal)*])?,)* }
        { $($place:ident $place_name:literal $([$($place_part:literal)*])?,)* }
        { $count:ident $count_name:literal, $($on_request:tt)* }) => {
        /// Writes every field except those that are only written on request.
        #[inline(always)]
        fn every_field<'r>(record: &MatchRecord<'_>, json: JsonWriter, room: Room<'r>) -> Option<Room<'r>> {
            let room = json.key(room, record, concat!("{\"", $first_name, "\":"), RecordKey::$first)?;
            $(let room = json.key(room, record, concat!(",\"", $name, "\":"), RecordKey::$key)?;)*
            let room = match record.has_place() {
                true => place_fields(record, json, room)?,
                false => put(room, [concat!($(",\"", $place_name, "\":null"),*).as_bytes()])?,
            };
            json.key(room, record, concat!(",\"", $count_name, "\":"), RecordKey::$count)
        }

        /// Writes the fields of a match in an archive or a page.
        #[inline(never)]
        fn place_fields<'r>(record: &MatchRecord<'_>, json: JsonWriter, room: Room<'r>) -> Option<Room<'r>> {
            $(let room = json.key(room, record, concat!(",\"", $place_name, "\":"), RecordKey::$place)?;)*
            Some(room)
        }
    };
}
record_fields!(every_field);

/// A selected key of a line.
#[derive(Clone, Debug)]
struct JsonKey {
    field: RecordField,
    /// The text before the value. It is formatted only once, because keys are most of a line.
    head: String,
    /// The selected parts of an object. If there are none, the whole object is written.
    parts: Vec<&'static str>,
}

impl JsonKey {
    fn write<'r>(&self, record: &MatchRecord<'_>, json: JsonWriter, room: Room<'r>) -> Option<Room<'r>> {
        let JsonKey { field, head, parts } = self;
        // A missing object is `null` as a whole.
        if parts.is_empty() || record.object(field.key).is_none() {
            return json.key(room, record, head, field.key);
        }
        let mut room = put(room, [head.as_bytes()])?;
        let mut before = b'{';
        for part in parts {
            room = json.part(room, before, part, record.part(field.key, part))?;
            before = b',';
        }
        put(room, [b"}"])
    }
}

/// Returns the keys of a list, each once at its first place. Parts of one object are collected at
/// the object's first place.
fn keys(fields: impl Iterator<Item = RecordField>) -> Arc<[JsonKey]> {
    let mut keys: Vec<JsonKey> = Vec::new();
    for field in fields {
        let known = keys.iter_mut().find(|key| key.field.key == field.key);
        match (known, field.part) {
            (None, part) => {
                let head = format!("{}\"{}\":", if keys.is_empty() { '{' } else { ',' }, field.object());
                keys.push(JsonKey { field, head, parts: part.into_iter().collect() });
            }
            (Some(known), None) => known.parts.clear(),
            (Some(known), Some(part)) if !known.parts.is_empty() && !known.parts.contains(&part) => {
                known.parts.push(part);
            }
            (Some(_), Some(_)) => {}
        }
    }
    keys.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Base64Text;
    use crate::record::parts::Raw;
    use serde::Serialize;

    #[derive(Serialize)]
    struct ParsedRecord<'u> {
        input: Raw<&'u [u8]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        input_bytes: Option<Base64Text<'u>>,
        valid: bool,
        level: Level,
        scheme: Option<String>,
        host: Option<String>,
        parts: Option<RecordObject<'u>>,
        generic: Option<RecordObject<'u>>,
        error: Option<ParseError>,
        resolved: Option<Raw<&'u [u8]>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        resolved_bytes: Option<Base64Text<'u>>,
    }

    #[test]
    fn serde_json_writes_the_same_of_a_url_by_itself() {
        let starts: [&[u8]; 7] =
            [b"", b"http://a.example:80/", b"FTP://u:p@h/a/b;type=i", b"https://h/", b"x:", b"[", b"#"];
        let ends = (0..=u8::MAX).map(|byte| vec![byte]).chain(["", "%", "\u{e9}", "?q#f"].map(|text| text.into()));
        for (input, is_resolved) in ends.flat_map(|end| {
            starts
                .iter()
                .flat_map(move |start| [([start, &end[..]].concat(), true), ([start, &end[..]].concat(), false)])
                .collect::<Vec<_>>()
        }) {
            let input = &input[..];
            let verdict = url::judge(input, ParseOptions::new());
            let (parsed, generic) = (Url::parse_at(Level::Rfc1738Ref, input).ok(), Generic::parse(input));
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let resolved = is_resolved.then_some(input);
            let expected = ParsedRecord {
                input: Raw(input),
                input_bytes: Base64Text::of(input),
                valid: true,
                level: verdict.level,
                scheme: url::scheme_of(input).map(|scheme| text(&scheme.to_ascii_lowercase())),
                host: url::host_of(input, parsed.as_ref(), generic.as_ref()).map(|host| text(&host)),
                parts: parsed.as_ref().map(RecordObject::Parts),
                generic: generic.as_ref().map(RecordObject::Generic),
                error: verdict.error,
                resolved: resolved.map(Raw),
                resolved_bytes: resolved.and_then(Base64Text::of),
            };
            let mut line = Vec::new();
            let resolution = resolved.map_or(Resolution::Input, Resolution::Resolved);
            JsonFormat::new().write_parsed(input, resolution, Level::None, &mut line);
            let expected = serde_json::to_string(&expected).unwrap() + "\n";
            assert_eq!(String::from_utf8(line).unwrap(), expected);
        }
    }
}

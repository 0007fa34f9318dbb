//! Text by a template: `{host} {file}:{line}`.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::{Chars, FromStr};
use std::sync::Arc;

use bstr::ByteSlice;

use super::defang::{defang, defang_host, defang_text};
use super::fields::UnknownField;
use super::text::escape;
use crate::Match;
use crate::record::fields::{RecordField, RecordKey};
use crate::record::{MatchRecord, RecordValue};

/// Text by a template: the form in which each match is written.
///
/// A template names fields of [JSON](super::JsonFormat#fields) in braces:
/// `{host} {file}:{line} {message.id}`. `{{` and `}}` stand for braces; `\n`, `\t`, `\r`, `\0` and
/// `\\` have their usual meaning. An absent field is empty. Readings are separated by one blank;
/// other lists, and objects, are JSON. A line feed ends each record, unless the template itself
/// ends with a line feed or a NUL.
///
/// The bytes of `url`, `target`, `page`, `resolved`, `readings` and `file` are written unchanged.
/// In other fields, such as `message.subject`, a control becomes a blank, so that no sender can
/// break a line.
///
/// ```
/// use urlgrep::{Extractor, report::TemplateFormat};
///
/// let format: TemplateFormat = r"{host}\t{file}:{offset} {{{level}}}".parse()?;
/// let mut out = Vec::new();
/// for found in Extractor::new().find_iter("see http://a.example/x") {
///     format.write("talk.txt", &found, &mut out)?;
/// }
/// assert_eq!(out, b"a.example\ttalk.txt:4 {rfc1738}\n");
///
/// let error = "{hots}".parse::<TemplateFormat>().unwrap_err();
/// assert!(error.to_string().starts_with("there is no field 'hots'"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TemplateFormat {
    pieces: Arc<[TemplatePiece]>,
    /// The bytes after the template, which end a record.
    end: &'static [u8],
    escape: bool,
    defang: bool,
    counts: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePiece {
    Literal(String),
    Field(RecordField),
}

/// An error in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateError {
    /// The template names an unknown field.
    UnknownField(UnknownField),
    /// A `{` without its `}`.
    OpenBrace,
    /// A `}` without its `{`.
    CloseBrace,
    /// A backslash before a character other than `n`, `t`, `r`, `0` or a backslash; `None` at the
    /// end.
    Escape(Option<char>),
    /// The template names no field, so every match would look the same.
    NoField,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateError::UnknownField(error) => error.fmt(f),
            TemplateError::OpenBrace => f.write_str("a '{' is not closed; write '{{' for a literal brace"),
            TemplateError::CloseBrace => f.write_str("a '}' closes nothing; write '}}' for a literal brace"),
            TemplateError::Escape(escape) => {
                let escape = escape.map(String::from).unwrap_or_default();
                write!(f, "'\\{escape}' is not an escape; the escapes are \\n, \\t, \\r, \\0, and \\\\ for a backslash")
            }
            TemplateError::NoField => f.write_str("it names no field; write a field in braces, such as '{url}'"),
        }
    }
}

impl std::error::Error for TemplateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let TemplateError::UnknownField(error) = self { Some(error) } else { None }
    }
}

impl FromStr for TemplateFormat {
    type Err = TemplateError;

    fn from_str(template: &str) -> Result<Self, TemplateError> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = template.chars();
        while let Some(character) = rest.next() {
            match character {
                '{' | '}' if rest.as_str().starts_with(character) => literal.extend(rest.next()),
                '}' => return Err(TemplateError::CloseBrace),
                '{' => {
                    let (name, after) = rest.as_str().split_once('}').ok_or(TemplateError::OpenBrace)?;
                    let unknown = || TemplateError::UnknownField(UnknownField { name: name.to_owned() });
                    let field = RecordField::by_name(name).ok_or_else(unknown)?;
                    rest = after.chars();
                    pieces.push(TemplatePiece::Literal(std::mem::take(&mut literal)));
                    pieces.push(TemplatePiece::Field(field));
                }
                '\\' => literal.push(escaped(&mut rest)?),
                character => literal.push(character),
            }
        }
        if pieces.is_empty() {
            return Err(TemplateError::NoField);
        }
        let end: &[u8] = if literal.ends_with(['\n', '\0']) { b"" } else { b"\n" };
        pieces.push(TemplatePiece::Literal(literal));
        let pieces = pieces.into();
        Ok(TemplateFormat { pieces, end, escape: false, defang: false, counts: false })
    }
}

/// Returns the character that a backslash and the next character stand for.
fn escaped(rest: &mut Chars<'_>) -> Result<char, TemplateError> {
    match rest.next() {
        Some('n') => Ok('\n'),
        Some('t') => Ok('\t'),
        Some('r') => Ok('\r'),
        Some('0') => Ok('\0'),
        Some('\\') => Ok('\\'),
        other => Err(TemplateError::Escape(other)),
    }
}

impl TemplateFormat {
    /// Ends each record with a NUL byte instead of the line feed.
    pub fn null(mut self, yes: bool) -> Self {
        self.end = match (self.end, yes) {
            // The template ends its records itself.
            (b"", _) => b"",
            (_, true) => b"\0",
            (_, false) => b"\n",
        };
        self
    }

    /// Writes nothing after a record, as within a text.
    pub fn unended(mut self) -> Self {
        self.end = b"";
        self
    }

    /// Escapes every field for a terminal, as [`TextFormat::escape`](super::TextFormat::escape)
    /// does.
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// Writes URLs, hosts and addresses as [`TextFormat::defang`](super::TextFormat::defang) does.
    ///
    /// This affects `url`, `target`, `page`, `resolved`, `readings`, `host`, `domain`, `shown_host`.
    /// It also affects the parts `host`, `domain` and `addr` of `parts` and `generic`. In other
    /// texts `://` is written as `[://]`. File names, and objects as a whole, stay exact.
    pub fn defang(mut self, yes: bool) -> Self {
        self.defang = yes;
        self
    }

    /// Returns whether the template has the line or the column, for which the extractor must
    /// [count lines](crate::ExtractorBuilder::line_numbers).
    pub fn needs_lines(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, TemplatePiece::Field(field) if field.needs_lines()))
    }

    /// Writes the record of a match. `file` is the name of its file, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Returns any error of the writer.
    pub fn write(&self, file: impl AsRef<[u8]>, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        let record = MatchRecord::new(file.as_ref(), found);
        for piece in &*self.pieces {
            match piece {
                TemplatePiece::Literal(text) => self.put(text.as_bytes(), out)?,
                TemplatePiece::Field(field) if field.key == RecordKey::Count && self.counts => out.write_all(COUNT)?,
                TemplatePiece::Field(field) => match record.field(*field) {
                    RecordValue::Number(number) => out.write_all(itoa::Buffer::new().format(number).as_bytes())?,
                    value => self.put(&self.shown(*field, &value), out)?,
                },
            }
        }
        self.put(self.end, out)
    }

    /// Reserves a place in each record for the field `count`, which [`set_count`](Self::set_count)
    /// fills. Until then NULs in the record are doubled.
    pub fn counts(mut self, yes: bool) -> Self {
        self.counts = yes;
        self
    }

    /// Writes a count into the places that [`counts`](Self::counts) has reserved in a record.
    ///
    /// # Complexity
    ///
    /// Linear in the record.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Extractor, report::TemplateFormat};
    ///
    /// let format = "{count} {url}".parse::<TemplateFormat>()?.counts(true);
    /// let mut record = Vec::new();
    /// format.write("-", &Extractor::new().find("see http://a.example/").unwrap(), &mut record)?;
    /// format.set_count(3, &mut record);
    /// assert_eq!(record, b"3 http://a.example/\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_count(&self, count: u64, record: &mut Vec<u8>) {
        let mut number = itoa::Buffer::new();
        let number = number.format(count).as_bytes();
        let mut rest = &record[..];
        let mut counted = Vec::with_capacity(rest.len());
        while let Some((head, tail)) = rest.split_once_str(b"\0") {
            counted.extend_from_slice(head);
            // A doubled NUL stands for a NUL of the text; any other NUL begins the mark of a count.
            counted.extend_from_slice(if tail.starts_with(&COUNT[1..]) { number } else { b"\0" });
            rest = tail.get(1..).unwrap_or_default();
        }
        counted.extend_from_slice(rest);
        *record = counted;
    }

    /// Writes bytes other than a count. NULs are doubled in a record with places for a count.
    fn put(&self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        if !self.counts {
            return out.write_all(bytes);
        }
        out.write_all(&bytes.replace(b"\0", b"\0\0"))
    }

    /// Returns the text of a field as it is shown.
    fn shown<'v>(&self, field: RecordField, value: &'v RecordValue<'_>) -> Cow<'v, [u8]> {
        let mut text = value.text();
        if !is_exact(field.key) && text.iter().any(u8::is_ascii_control) {
            text.to_mut().iter_mut().filter(|byte| byte.is_ascii_control()).for_each(|byte| *byte = b' ');
        }
        if self.defang
            && let Some(defang) = defanging(field)
        {
            let mut harmless = Vec::new();
            match value {
                RecordValue::Readings(readings) => readings.iter().enumerate().for_each(|(at, reading)| {
                    harmless.extend_from_slice(if at > 0 { b" " } else { b"" });
                    defang(reading, &mut harmless);
                }),
                _ => defang(&text, &mut harmless),
            }
            text = harmless.into();
        }
        if self.escape {
            let mut shown = Vec::new();
            escape(&text, &mut shown);
            text = shown.into();
        }
        text
    }
}

/// The mark in the place of a count.
const COUNT: &[u8] = b"\0c";

/// Returns whether a field keeps its controls.
fn is_exact(key: RecordKey) -> bool {
    use RecordKey::{File, Page, Readings, Resolved, Target, Url};
    matches!(key, Url | Target | Page | Resolved | Readings | File)
}

/// A function that appends a text in a harmless form.
type Defang = fn(&[u8], &mut Vec<u8>);

/// Returns the function that defangs a field, or `None` if the field stays exact.
fn defanging(field: RecordField) -> Option<Defang> {
    use RecordKey::{
        Body, Domain, Error, File, Generic, Host, Hosts, Message, Page, Parts, Readings, Resolved, ShownHost, Target,
        Url,
    };
    match (field.key, field.part) {
        (Url | Target | Page | Resolved | Readings, _) => Some(defang),
        (Host | Domain | Hosts | ShownHost, _) | (Parts | Generic, Some("host" | "domain" | "addr")) => {
            Some(defang_host)
        }
        (File, _) | (Parts | Generic | Message | Error | Body, None) => None,
        _ => Some(defang_text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    const TEXT: &[u8] = b"see\n <URL:http://a.example/x-\ny>, http://b.example/?c=http://~z.\n";

    fn records(template: &str, change: impl Fn(TemplateFormat) -> TemplateFormat) -> String {
        let format = change(template.parse().unwrap());
        let mut out = Vec::new();
        for found in Extractor::builder().line_numbers(true).build().find_iter(TEXT) {
            let mut record = Vec::new();
            format.write(b"a\0\x1Bb", &found, &mut record).unwrap();
            if format.counts {
                format.set_count(found.span().start, &mut record);
            }
            out.extend(record);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_braces_and_escapes() {
        for (template, expected) in [
            ("{url}", "http://a.example/x-y\nhttp://b.example/?c=http://~z\n"),
            ("{{{line}}}:{column}", "{2}:2\n{3}:5\n"),
            (r"{offset}\t{length}\\ \0{rejoined}", "5\t27\\ \0true\n34\t29\\ \0false\n"),
            ("é{error.kind}|{error.offset}|{message.id}|{count}", "é|||\néunsafe-gateway|27||\n"),
            ("{readings}", "http://a.example/x-y http://a.example/xy\nhttp://b.example/?c=http://~z\n"),
            ("{body}{line}\n", "2\n3\n"),
            (r"{line}\n", "2\n3\n"),
            (r"{line}\0", "2\x003\0"),
            (r"{line}\n ", "2\n \n3\n \n"),
            ("{generic.host}{parts.port_effective}{scheme}", "a.example80http\nb.examplehttp\n"),
        ] {
            assert_eq!(records(template, |format| format), expected, "{template}");
        }
        assert_eq!(records("{line}", |format| format.null(true)), "2\x003\0");
        assert_eq!(records(r"{line}\n", |format| format.null(true)), "2\n3\n");
        assert!(records("{parts}", |format| format).starts_with("{\"host\":\"a.example\","));
    }

    #[test]
    fn what_is_shown_is_harmless_if_asked_for() {
        assert_eq!(records("{line}{file}", |format| format.escape(true)), "2a\\0\\x1Bb\n3a\\0\\x1Bb\n");
        assert_eq!(
            records("{host} {readings}", |format| format.defang(true)),
            "a[.]example hxxp://a[.]example/x-y hxxp://a[.]example/xy\nb[.]example hxxp://b[.]example/?c=http[://]~z\n"
        );
        assert_eq!(records("{parts.path}{generic.query}", |format| format.defang(true)), "x-y\nc=http[://]~z\n");
    }

    #[test]
    fn a_count_has_its_place() {
        let counted = records(r"{count}\0{line}{file}\0c{count}", |format| format.counts(true));
        assert_eq!(counted, "5\x002a\0\x1Bb\0c5\n34\x003a\0\x1Bb\0c34\n");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (template, words) in [
            ("{hots}", "there is no field 'hots'; there are url, kind"),
            ("{}", "there is no field ''"),
            ("{url:20}", "no field 'url:20'"),
            ("x", "it names no field"),
            ("{{url}}", "it names no field"),
            ("{url", "is not closed"),
            ("{url}}", "closes nothing"),
            ("{url}\\x", "'\\x' is not an escape; the escapes are \\n, "),
            ("{url}\\", "'\\' is not an escape"),
        ] {
            let error = template.parse::<TemplateFormat>().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}

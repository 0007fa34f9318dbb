//! CSV by RFC 4180.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use bstr::ByteSlice;
use csv_core::{Terminator, WriteResult, WriterBuilder};

use super::fields::FieldList;
use super::pieces::{PieceWriter, has, has_none};
use super::text::escape;
use crate::Match;
use crate::record::fields::{RecordField, RecordKey};
use crate::record::{MatchRecord, RecordValue};

macro_rules! columns {
    ($($name:literal $key:ident $($part:literal)?,)*) => {
        /// The names of the columns, if nobody asks for others.
        const COLUMNS: &[&str] = &[$($name),*];

        /// Writes them.
        fn every_column(record: &MatchRecord<'_>, row: &mut CsvRow<'_>) {
            $(row.cell(record.value(RecordKey::$key)$(.part($part))?);)*
        }
    };
}
columns! {
    "url" Url, "kind" Kind, "scheme" Scheme, "file" File, "offset" Offset, "length" Length, "line" Line, "column" Column,
    "rejoined" Rejoined, "readings" Readings, "level" Level, "error_kind" Error "kind", "error_offset" Error "offset",
    "error_message" Error "message", "host" Host,
}

/// CSV by RFC 4180, with a header row and CRLF line ends.
///
/// The columns are the fields of [JSON](super::JsonFormat) up to `host`, the error taken apart, without `parts` and
/// `generic`; `readings` are separated by one blank. What is unknown is an empty field. Bytes that are not UTF-8 stay as
/// they are.
///
/// No cell is a formula to a spreadsheet: `url`, `scheme`, `file`, `readings` and `host` get an apostrophe before them
/// where they are longer than one byte and begin with `=`, `+`, `-`, `@`, TAB or CR, be there apostrophes before that or
/// not. A program that reads the table takes one apostrophe off a field that begins with apostrophes and one of these.
///
/// ```
/// use urlgrep::{Extractor, report::CsvFormat};
///
/// let mut out = Vec::new();
/// CsvFormat::new().write_header(&mut out)?;
/// for found in Extractor::new().find_iter(b"see news:comp.infosystems") {
///     CsvFormat::new().write("-", &found, &mut out)?;
/// }
/// let row = "news:comp.infosystems,bare,news,-,4,21,,,false,news:comp.infosystems,rfc1738,,,,\r\n";
/// assert!(out.starts_with(b"url,kind,scheme,file,") && out.ends_with(row.as_bytes()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CsvFormat {
    columns: Arc<[RecordField]>,
    /// They are those that are named above.
    is_usual: bool,
    escape: bool,
}

impl Default for CsvFormat {
    fn default() -> Self {
        let columns = COLUMNS.iter().filter_map(|name| RecordField::by_name(name)).collect();
        CsvFormat { columns, is_usual: true, escape: false }
    }
}

impl CsvFormat {
    /// The columns that are named above.
    pub fn new() -> Self {
        Self::default()
    }

    /// These columns, in their order: any field of [JSON](super::JsonFormat#fields), and parts of those that are objects
    /// (`message.id`). An object or a list is a cell of JSON, but for the readings.
    ///
    /// ```
    /// use urlgrep::{Extractor, report::CsvFormat};
    ///
    /// let format = CsvFormat::new().columns(&"host,generic.path".parse()?);
    /// let mut out = Vec::new();
    /// format.write_header(&mut out)?;
    /// for found in Extractor::new().find_iter("see http://a.example/x") {
    ///     format.write("-", &found, &mut out)?;
    /// }
    /// assert_eq!(out, b"host,generic.path\r\na.example,/x\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn columns(mut self, columns: &FieldList) -> Self {
        (self.columns, self.is_usual) = (Arc::clone(&columns.0), false);
        self
    }

    /// For a terminal: the same as [`TextFormat::escape`](super::TextFormat::escape), in every field.
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// A column for the `count`, the last one unless it is among the [`columns`](Self::columns), which
    /// [`set_count`](Self::set_count) fills.
    #[doc(hidden)]
    pub fn counts(mut self, yes: bool) -> Self {
        let count = RecordField::by_name("count").filter(|_| yes && self.count_column().is_none());
        if count.is_some() {
            (self.columns, self.is_usual) = (self.columns.iter().copied().chain(count).collect(), false);
        }
        self
    }

    fn count_column(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.key == RecordKey::Count)
    }

    /// Writes the header row.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        write!(out, "{}\r\n", names.join(","))
    }

    /// Writes into a row how often the URL was found.
    #[doc(hidden)]
    pub fn set_count(&self, count: u64, row: &mut Vec<u8>) {
        let Some(column) = self.count_column() else { return };
        let mut is_quoted = false;
        let mut ends = row.iter().enumerate().filter(|&(_, &byte)| {
            is_quoted ^= byte == b'"';
            !is_quoted && matches!(byte, b',' | b'\r')
        });
        // The cell is empty so far; where the row has no other, it is quoted.
        let Some((end, _)) = ends.nth(column) else { return };
        let start = if self.columns.len() == 1 { 0 } else { end };
        row.splice(start..end, itoa::Buffer::new().format(count).bytes());
    }

    /// Writes the row of a match. `file` is the name of its file, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, file: impl AsRef<[u8]>, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        let mut row = Vec::new();
        self.append(file.as_ref(), found, &mut row);
        out.write_all(&row)
    }

    /// The same, into a buffer.
    #[doc(hidden)]
    pub fn append(&self, file: &[u8], found: &Match<'_>, out: &mut Vec<u8>) {
        let record = MatchRecord::new(file, found);
        let mut row = CsvRow::new(out, self.escape);
        row.takes_pieces_of(found);
        if self.is_usual {
            record.parse();
            every_column(&record, &mut row);
        } else {
            self.columns.iter().for_each(|&column| row.cell(record.field(column)));
        }
        row.end();
    }
}

/// Room for most rows.
const ROW: usize = 256;

/// A row being written. The quoting is `csv-core`'s, which is asked where there is something to quote: it looks at every byte
/// by itself, and took a fifth of the time.
pub(crate) struct CsvRow<'o> {
    /// The fields so far, each with a comma behind it.
    pieces: PieceWriter<'o>,
    escape: bool,
    /// The URL of the row needs no quotes, and so do its pieces.
    has_plain_url: bool,
}

impl<'o> CsvRow<'o> {
    /// `escape`: texts are shown on a terminal.
    #[inline(always)]
    pub(crate) fn new(out: &'o mut Vec<u8>, escape: bool) -> Self {
        Self { pieces: PieceWriter::new(out, ROW), escape, has_plain_url: false }
    }

    /// The row is that of a match. Whether its URL needs quotes is asked once; what fits a grammar of ASCII may hold a comma,
    /// and nothing else that does.
    #[inline]
    fn takes_pieces_of(&mut self, found: &Match<'_>) {
        let url = found.url();
        let has_comma_only = found.level().is_ascii();
        let is_plain = if has_comma_only { has_none(url, |word| has(word, b',')) } else { is_plain(url) };
        self.has_plain_url = !self.escape && is_plain;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell(&mut self, value: RecordValue<'_>) {
        match value {
            RecordValue::Absent => self.plain(b""),
            RecordValue::Word(word) => self.plain(word.as_bytes()),
            RecordValue::Flag(flag) => self.plain(if flag { b"true" } else { b"false" }),
            RecordValue::Number(number) => self.number(Some(number)),
            RecordValue::Piece(text) => self.piece(text),
            RecordValue::Readings(found) if found.has_one_reading() => self.piece(found.url()),
            RecordValue::Source(text) => self.text(&text),
            RecordValue::List(items) => self.text(&RecordValue::List(items).text()),
            RecordValue::Object(object) => self.text(&RecordValue::Object(object).text()),
            RecordValue::Readings(found) => self.text(&RecordValue::Readings(found).text()),
            RecordValue::Explanation(error) => self.text(&RecordValue::Explanation(error).text()),
            RecordValue::Base64(_) | RecordValue::ReadingsBase64(_) => self.plain(b""), // of JSON alone
        }
    }

    #[inline(always)]
    fn piece(&mut self, text: &[u8]) {
        if self.has_plain_url && !may_be_formula(text) { self.plain(text) } else { self.text(text) }
    }

    /// A field of the searched text, or a name: it must be no formula, and drive no terminal.
    #[inline(never)]
    pub(crate) fn text(&mut self, text: &[u8]) {
        let text = disarmed(text);
        if !self.escape {
            return self.field(&text);
        }
        let mut shown = Vec::new();
        escape(&text, &mut shown);
        self.field(&shown);
    }

    /// A field of words of our own.
    pub(crate) fn field(&mut self, bytes: &[u8]) {
        if is_plain(bytes) {
            return self.plain(bytes);
        }
        self.pieces.by(|out| quoted(bytes, out));
        self.pieces.put([b","]);
    }

    /// A field that needs no quotes.
    #[inline(always)]
    fn plain(&mut self, bytes: &[u8]) {
        self.pieces.put([bytes, b","]);
    }

    #[inline(always)]
    pub(crate) fn number(&mut self, number: Option<u64>) {
        match number {
            Some(number) => self.plain(itoa::Buffer::new().format(number).as_bytes()),
            None => self.plain(b""),
        }
    }

    #[inline]
    pub(crate) fn end(mut self) {
        // One empty field would be no row.
        let end = if self.pieces.take_back(b",") == 0 { "\"\"\r\n" } else { "\r\n" };
        self.pieces.put([end.as_bytes()]);
        self.pieces.finish();
    }
}

/// True of a field that needs no quotes.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    has_none(bytes, |word| has(word, b'"') | has(word, b',') | has(word, b'\r') | has(word, b'\n'))
}

fn quoted(mut bytes: &[u8], out: &mut Vec<u8>) {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).build();
    let mut buffer = [0; 256];
    loop {
        let (result, read, written) = writer.field(bytes, &mut buffer);
        out.extend_from_slice(&buffer[..written]);
        bytes = &bytes[read..];
        if result == WriteResult::InputEmpty {
            let (_, written) = writer.finish(&mut buffer);
            return out.extend_from_slice(&buffer[..written]);
        }
    }
}

/// What a formula begins with, or apostrophes before it.
#[inline]
fn may_be_formula(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\''))
}

/// The text with an apostrophe before it, if a spreadsheet might take it for a formula, which can run programs. A sign that
/// is all of it is none: `-` is standard input. A text that has an apostrophe there already gets one more, so that taking one
/// off gives back every text.
fn disarmed(text: &[u8]) -> Cow<'_, [u8]> {
    if !may_be_formula(text) {
        return text.into();
    }
    match text.trim_start_with(|character| character == '\'') {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', ..] if text.len() > 1 => [b"'", text].concat().into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    #[test]
    fn the_header_and_a_row() {
        let mut out = Vec::new();
        CsvFormat::new().write_header(&mut out).unwrap();
        let extractor = Extractor::builder().line_numbers(true).build();
        for found in extractor.find_iter(b"<URL:HTTP://a.example/x-\ny,z>") {
            CsvFormat::new().write(b"a \"b\".txt", &found, &mut out).unwrap();
        }
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "url,kind,scheme,file,offset,length,line,column,rejoined,readings,level,error_kind,error_offset,\
             error_message,host\r\n\
             \"HTTP://a.example/x-y,z\",wrapped,http,\"a \"\"b\"\".txt\",0,29,1,1,true,\
             \"HTTP://a.example/x-y,z HTTP://a.example/xy,z\",rfc1738,,,,a.example\r\n"
        );
    }

    #[test]
    fn quoting_and_bytes() {
        for (field, written) in [
            (&b"plain"[..], &b"plain,x\r\n"[..]),
            (b"", b",x\r\n"),
            (b"a,b", b"\"a,b\",x\r\n"),
            (b"a\"b", b"\"a\"\"b\",x\r\n"),
            (b"a\r\nb", b"\"a\r\nb\",x\r\n"),
            (b"\xFF\x00", b"\xFF\x00,x\r\n"),
            (&[b'"'; 400], &[&[b'"'; 802][..], b",x\r\n"].concat()),
        ] {
            let mut out = Vec::new();
            let mut row = CsvRow::new(&mut out, false);
            row.field(field);
            row.field(b"x");
            row.end();
            assert_eq!(out, written);
        }
    }

    #[test]
    fn no_text_is_a_formula_and_every_text_reads_back() {
        for text in [&b"=1+1"[..], b"+x:y", b"-x", b"@x", b"\tx", b"\rx", b"'=x", b"''@", b"'-", b"--"] {
            let written = disarmed(text);
            assert_eq!(*written, [b"'", text].concat());
            assert_eq!(disarmed(&written).strip_prefix(b"'"), Some(&*written));
        }
        for text in [&b""[..], b"-", b"'", b"'x", b"''", b"x=1", b"http://h/", b" =1"] {
            assert_eq!(*disarmed(text), *text);
        }
    }

    #[test]
    fn on_a_terminal_texts_are_escaped() {
        let mut out = Vec::new();
        let mut row = CsvRow::new(&mut out, true);
        row.text(b"=\x1B[2J,\r\n\xE2\x80\xAE\xFF");
        row.end();
        assert_eq!(out, b"\"'=\\x1B[2J,\\r\\n\\u{202e}\\xFF\"\r\n");
    }
}

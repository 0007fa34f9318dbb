//! CSV by RFC 4180.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use bstr::ByteSlice;
use csv_core::{Terminator, WriteResult, WriterBuilder};

use super::fields::FieldList;
use super::page::Page;
use super::pieces::{self, Room, put, put_number, put_text, put_word};
use super::text::escape;
use crate::bytes::words::{has, has_none};
use crate::record::fields::{RecordField, RecordKey};
use crate::record::{MatchRecord, RecordValue};
use crate::{Level, Match};

/// Returns the value of a key, or of a part of it.
macro_rules! value {
    ($record:ident $key:ident) => {
        $record.value(RecordKey::$key)
    };
    ($record:ident $key:ident $part:literal) => {
        $record.part(RecordKey::$key, $part)
    };
}

macro_rules! columns {
    ($($name:literal $key:ident $($part:literal)?,)*) => {
        /// The names of the columns, unless others are selected.
        const COLUMNS: &[&str] = &[$($name),*];

        /// Writes the default columns.
        #[inline(always)]
        fn every_column<'r>(record: &MatchRecord<'_>, csv: CsvWriter, room: Room<'r>) -> Option<Room<'r>> {
            $(let room = csv.cell(room, value!(record $key $($part)?))?;)*
            Some(room)
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
/// The columns are the fields of [JSON](super::JsonFormat) up to `host`, without `parts` and
/// `generic`. The error has a column for each part, and `readings` are separated by one blank. An
/// unknown value is an empty field. Bytes that are not UTF-8 are kept.
///
/// No cell is a formula to a spreadsheet. An apostrophe is written before each field that could be
/// a formula. Such a field has two bytes or more. It begins with `=`, `+`, `-`, `@`, TAB or CR,
/// perhaps after apostrophes.
///
/// If one of these characters follows apostrophes at the start of a field, a reader must remove one
/// apostrophe.
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
    /// Whether the columns are the default ones.
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
    /// Returns the format with the default columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects these columns, in their order.
    ///
    /// They can be any field of [JSON](super::JsonFormat#fields), or a part of an object
    /// (`message.id`). An object or a list is written as JSON in its cell, except the readings.
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

    /// Escapes every field for a terminal, as [`TextFormat::escape`](super::TextFormat::escape)
    /// does.
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// Adds a last column `count`, unless the [`columns`](Self::columns) include it already.
    /// [`set_count`](Self::set_count) fills the column.
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
    /// Returns any error of the writer.
    pub fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        write!(out, "{}\r\n", names.join(","))
    }

    /// Writes a count into the empty cell `count` of a row. Without such a column the row is
    /// unchanged.
    ///
    /// # Complexity
    ///
    /// Linear in the row.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::{Extractor, report::CsvFormat};
    ///
    /// let format = CsvFormat::new().columns(&"url".parse()?).counts(true);
    /// let mut row = Vec::new();
    /// format.write("-", &Extractor::new().find("see http://a.example/").unwrap(), &mut row)?;
    /// format.set_count(3, &mut row);
    /// assert_eq!(row, b"http://a.example/,3\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_count(&self, count: u64, row: &mut Vec<u8>) {
        let Some(column) = self.count_column() else { return };
        let mut is_quoted = false;
        let mut ends = row.iter().enumerate().filter(|&(_, &byte)| {
            // A doubled quote toggles twice, and changes nothing.
            is_quoted ^= byte == b'"';
            !is_quoted && matches!(byte, b',' | b'\r')
        });
        // The cell is still empty. An empty cell that is the whole row is quoted.
        let Some((end, _)) = ends.nth(column) else { return };
        let start = if self.columns.len() == 1 { 0 } else { end };
        row.splice(start..end, itoa::Buffer::new().format(count).bytes());
    }

    /// Writes the row of a match. `file` is the name of its file, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Returns any error of the writer.
    pub fn write(&self, file: impl AsRef<[u8]>, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        let mut row = Page::default();
        self.append(file.as_ref(), found, &mut row);
        out.write_all(row.written())
    }

    /// Appends a row of other cells, with the quotes and apostrophes of this format.
    ///
    /// # Complexity
    ///
    /// Linear.
    ///
    /// # RFC
    ///
    /// RFC 4180 section 2.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut out = Vec::new();
    /// urlgrep::report::CsvFormat::new().append_cells(&["a,b", "=1+1"], &mut out);
    /// assert_eq!(out, b"\"a,b\",'=1+1\r\n");
    /// ```
    pub fn append_cells(&self, cells: &[impl AsRef<[u8]>], out: &mut Vec<u8>) {
        let csv = CsvWriter { escape: self.escape, has_plain_url: false };
        let mut page = Page::following(out);
        append_row(&mut page, 4 * ROOM, (0, b""), |room| {
            cells.iter().try_fold(room, |room, cell| csv.text(room, cell.as_ref()))
        });
        *out = page.into_text();
    }

    /// Appends the row of a match to a page. See [`write`](Self::write).
    pub fn append(&self, file: &[u8], found: &Match<'_>, page: &mut Page) {
        let mut record = MatchRecord::new(file, found);
        if self.is_usual {
            record.parse();
        }
        let has_plain_url = !self.escape && is_plain_url(found.url(), found.level());
        let csv = CsvWriter { escape: self.escape, has_plain_url };
        append_row(page, ROOM, (3, found.url()), |room| match self.is_usual {
            true => every_column(&record, csv, room),
            false => self.columns.iter().try_fold(room, |room, &column| csv.cell(room, record.field(column))),
        });
    }
}

/// The room that most rows need, apart from a URL and its pieces.
const ROOM: usize = 128;

/// Appends the fields that `write` writes, each with a comma after it, as a row.
#[inline(always)]
fn append_row(
    page: &mut Page,
    fixed: usize,
    more: (usize, &[u8]),
    write: impl for<'r> Fn(Room<'r>) -> Option<Room<'r>>,
) {
    pieces::append(page, fixed, more, |room| {
        let written = room.len() - write(&mut *room)?.len();
        // A row with one empty field would be an empty line, so the field is quoted.
        let is_empty = written == 1;
        put(if is_empty { put(room, [b"\"\","])? } else { room.get_mut(written..)? }, [b"\n"])
    });
    page.end_row();
}

/// Returns whether the URL of a match needs no quotes. One check is enough for all pieces of the
/// URL.
///
/// A URL of an ASCII grammar may hold a comma, but no other byte that needs quotes.
#[inline]
fn is_plain_url(url: &[u8], level: Level) -> bool {
    let has_comma_only = level.is_ascii();
    if has_comma_only { has_none(url, |word| has(word, b',')) } else { is_plain(url) }
}

/// Writes fields, each with a comma after it, and returns the rest of the room.
///
/// Quoting is done by `csv-core`, but only for fields that need it. `csv-core` inspects each byte
/// separately, which cost a fifth of the time.
#[derive(Clone, Copy)]
struct CsvWriter {
    escape: bool,
    /// Whether the URL of the row and its pieces need no quotes.
    has_plain_url: bool,
}

impl CsvWriter {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell<'r>(self, room: Room<'r>, value: RecordValue<'_>) -> Option<Room<'r>> {
        match value {
            RecordValue::Absent => put(room, [b","]),
            RecordValue::Word(word) => put_word(room, word, b','),
            RecordValue::Flag(flag) => put(room, [if flag { b"true," } else { b"false," }]),
            RecordValue::Number(number) => put(put_number(room, number)?, [b","]),
            RecordValue::Piece(text) | RecordValue::Reading(text) => self.piece(room, text),
            RecordValue::Source(text) => self.text(room, &text),
            RecordValue::List(items) => self.text(room, &RecordValue::List(items).text()),
            RecordValue::Reasons(reasons) => self.text(room, &RecordValue::Reasons(reasons).text()),
            RecordValue::Object(object) => self.text(room, &RecordValue::Object(object).text()),
            RecordValue::Readings(found) => self.text(room, &RecordValue::Readings(found).text()),
            RecordValue::Explanation(error) => self.text(room, &RecordValue::Explanation(error).text()),
            // These values belong only to JSON.
            RecordValue::Base64(_) | RecordValue::ReadingsBase64(_) => put(room, [b","]),
        }
    }

    #[inline(always)]
    fn piece<'r>(self, room: Room<'r>, text: &[u8]) -> Option<Room<'r>> {
        if !self.has_plain_url || may_be_formula(text) { self.text(room, text) } else { plain(room, text) }
    }

    /// Writes a field of the searched text, or a name. The result is not a formula. With `escape`,
    /// it does not control a terminal.
    #[inline(never)]
    fn text<'r>(self, room: Room<'r>, text: &[u8]) -> Option<Room<'r>> {
        // The name of nearly every file needs nothing.
        if !self.escape && !may_be_formula(text) && is_plain(text) {
            return plain(room, text);
        }
        let text = disarmed(text);
        if !self.escape {
            return field(room, &text);
        }
        let mut shown = Vec::new();
        escape(&text, &mut shown);
        field(room, &shown)
    }
}

/// Writes a field that needs no quotes.
#[inline(always)]
fn plain<'r>(room: Room<'r>, bytes: &[u8]) -> Option<Room<'r>> {
    put_text(room, bytes, b',')
}

/// Writes a field that may need quotes.
fn field<'r>(room: Room<'r>, bytes: &[u8]) -> Option<Room<'r>> {
    if is_plain(bytes) { plain(room, bytes) } else { put(quoted(room, bytes)?, [b","]) }
}

fn quoted<'r>(room: Room<'r>, bytes: &[u8]) -> Option<Room<'r>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).build();
    let (WriteResult::InputEmpty, _, written) = writer.field(bytes, room) else { return None };
    let room = &mut room[written..];
    let (WriteResult::InputEmpty, written) = writer.finish(room) else { return None };
    Some(&mut room[written..])
}

/// Returns true for a field that needs no quotes.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    has_none(bytes, |word| has(word, b'"') | has(word, b',') | has(word, b'\r') | has(word, b'\n'))
}

/// Returns whether a text begins like a formula, or with an apostrophe.
#[inline]
fn may_be_formula(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\''))
}

/// Returns the text with an apostrophe before it, if a spreadsheet might read it as a formula. A
/// formula can run programs.
///
/// A sign by itself is not a formula: `-` is standard input. A formula after apostrophes gets one
/// more apostrophe, so that removing one restores every text.
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
            let mut out = Page::default();
            append_row(&mut out, 2, (0, b""), |room| self::field(self::field(room, field)?, b"x"));
            assert_eq!(out.written(), written);
        }
    }

    #[test]
    fn one_empty_field_is_a_row() {
        let mut out = Page::default();
        append_row(&mut out, 2, (0, b""), |room| field(room, b""));
        append_row(&mut out, 2, (0, b""), |room| field(field(room, b"")?, b""));
        assert_eq!(out.written(), b"\"\"\r\n,\r\n");
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
        let mut out = Page::default();
        let csv = CsvWriter { escape: true, has_plain_url: false };
        append_row(&mut out, 2, (0, b""), |room| csv.text(room, b"=\x1B[2J,\r\n\xE2\x80\xAE\xFF"));
        assert_eq!(out.written(), b"\"'=\\x1B[2J,\\r\\n\\u{202e}\\xFF\"\r\n");
    }
}

//! CSV by RFC 4180.

use std::borrow::Cow;
use std::io::{self, Write};

use bstr::ByteSlice;
use csv_core::{Terminator, WriteResult, Writer, WriterBuilder};

use crate::Match;
use crate::report::text::escape;

/// The names of the columns.
const COLUMNS: &str = "url,kind,scheme,file,offset,length,line,column,rejoined,readings,level,error_kind,error_offset,\
                       error_message,host";

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
///     CsvFormat::new().write(b"-", &found, &mut out)?;
/// }
/// let row = "news:comp.infosystems,bare,news,-,4,21,,,false,news:comp.infosystems,rfc1738,,,,\r\n";
/// assert!(out.starts_with(b"url,kind,scheme,file,") && out.ends_with(row.as_bytes()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvFormat {
    other_literal: bool,
    counts: bool,
    escape: bool,
}

impl CsvFormat {
    /// The only one there is.
    pub fn new() -> Self {
        Self::default()
    }

    /// The extractor reads `otherurl` by the letter
    /// ([`other_literal`](crate::ExtractorBuilder::other_literal)).
    pub fn other_literal(mut self, yes: bool) -> Self {
        self.other_literal = yes;
        self
    }

    /// For a terminal: the same as [`TextFormat::escape`](super::TextFormat::escape), in every field.
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// A last column, `count`, which [`set_count`](Self::set_count) fills.
    #[doc(hidden)]
    pub fn counts(mut self, yes: bool) -> Self {
        self.counts = yes;
        self
    }

    /// Writes the header row.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{COLUMNS}{}\r\n", if self.counts { ",count" } else { "" })
    }

    /// Writes into the last row how often the URL was found.
    #[doc(hidden)]
    pub fn set_count(&self, count: u64, out: &mut Vec<u8>) {
        const END: &[u8] = b"\r\n";
        if self.counts && out.ends_with(END) {
            out.truncate(out.len() - END.len());
            out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
            out.extend_from_slice(END);
        }
    }

    /// Writes the row of a match. `file` is the name as bytes, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, file: &[u8], found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        let url = found.url();
        let span = found.span();
        let error = found.error();
        let readings: Vec<_> = found.readings().collect();
        let mut row = CsvRow::new(out, self.escape);
        row.text(url)?;
        row.field(found.kind().as_str().as_bytes())?;
        row.text(&found.scheme().map(|scheme| scheme.to_ascii_lowercase()).unwrap_or_default())?;
        row.text(file)?;
        row.number(Some(span.start))?;
        row.number(Some(span.end - span.start))?;
        row.number(found.line())?;
        row.number(found.column())?;
        row.field(if found.rejoined() { b"true" } else { b"false" })?;
        row.text(&bstr::join(" ", readings.iter().map(|reading| reading.as_bytes())))?;
        row.field(found.level().as_str().as_bytes())?;
        row.field(error.map_or("", |error| error.kind().as_str()).as_bytes())?;
        row.number(error.map(|error| error.offset() as u64))?;
        row.field(error.map(|error| error.to_string()).unwrap_or_default().as_bytes())?;
        row.text(&crate::url::host(url, self.other_literal).unwrap_or_default())?;
        if self.counts {
            row.field(b"")?;
        }
        row.end()
    }
}

/// A row being written. The quoting is `csv-core`'s.
pub(crate) struct CsvRow<'o, W> {
    writer: Writer,
    out: &'o mut W,
    buffer: [u8; 256],
    is_first: bool,
    escape: bool,
}

impl<'o, W: Write> CsvRow<'o, W> {
    /// `escape`: texts are shown on a terminal.
    pub(crate) fn new(out: &'o mut W, escape: bool) -> Self {
        let writer = WriterBuilder::new().terminator(Terminator::CRLF).build();
        Self { writer, out, buffer: [0; 256], is_first: true, escape }
    }

    /// A field of the searched text, or a name: it must be no formula, and drive no terminal.
    pub(crate) fn text(&mut self, text: &[u8]) -> io::Result<()> {
        let text = disarmed(text);
        if !self.escape {
            return self.field(&text);
        }
        let mut shown = Vec::new();
        escape(&text, &mut shown);
        self.field(&shown)
    }

    /// A field of words of our own.
    pub(crate) fn field(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            let (_, written) = self.writer.delimiter(&mut self.buffer);
            self.out.write_all(&self.buffer[..written])?;
        }
        loop {
            let (result, read, written) = self.writer.field(bytes, &mut self.buffer);
            self.out.write_all(&self.buffer[..written])?;
            bytes = &bytes[read..];
            if result == WriteResult::InputEmpty {
                return Ok(());
            }
        }
    }

    pub(crate) fn number(&mut self, number: Option<u64>) -> io::Result<()> {
        match number {
            Some(number) => self.field(itoa::Buffer::new().format(number).as_bytes()),
            None => self.field(b""),
        }
    }

    pub(crate) fn end(mut self) -> io::Result<()> {
        let (_, written) = self.writer.terminator(&mut self.buffer);
        self.out.write_all(&self.buffer[..written])
    }
}

/// The text with an apostrophe before it, if a spreadsheet might take it for a formula, which can run programs. A sign that
/// is all of it is none: `-` is standard input. A text that has an apostrophe there already gets one more, so that taking one
/// off gives back every text.
fn disarmed(text: &[u8]) -> Cow<'_, [u8]> {
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
            row.field(field).unwrap();
            row.field(b"x").unwrap();
            row.end().unwrap();
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
        row.text(b"=\x1B[2J,\r\n\xE2\x80\xAE\xFF").unwrap();
        row.end().unwrap();
        assert_eq!(out, b"\"'=\\x1B[2J,\\r\\n\\u{202e}\\xFF\"\r\n");
    }
}

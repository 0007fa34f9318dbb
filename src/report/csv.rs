//! CSV by RFC 4180, with a header row and CRLF line ends.
//!
//! The columns are the fields of [JSON](super::json) up to `host`, the error taken apart, without `parts` and
//! `generic`:
//!
//! `url,kind,scheme,file,offset,length,line,column,rejoined,readings,level,error_kind,error_offset,error_message,host`
//!
//! `readings` are separated by one blank (none of them holds one). What is unknown is an empty field. Bytes that are
//! not UTF-8 stay as they are. The quoting is `csv-core`'s.

use csv_core::{Terminator, WriteResult, Writer, WriterBuilder};

use crate::Match;

/// The names of the columns.
pub const COLUMNS: [&str; 15] = [
    "url",
    "kind",
    "scheme",
    "file",
    "offset",
    "length",
    "line",
    "column",
    "rejoined",
    "readings",
    "level",
    "error_kind",
    "error_offset",
    "error_message",
    "host",
];

/// How CSV is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvFormat {
    other_literal: bool,
    counts: bool,
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

    /// A last column, `count`, which [`set_count`](Self::set_count) fills.
    pub fn counts(mut self, yes: bool) -> Self {
        self.counts = yes;
        self
    }

    /// Appends the header row.
    pub fn header(&self, out: &mut Vec<u8>) {
        let mut row = Row::new(out);
        for column in COLUMNS {
            row.field(column.as_bytes());
        }
        if self.counts {
            row.field(b"count");
        }
        row.end();
    }

    /// Writes into the last row that the URL was found so often.
    pub fn set_count(&self, count: u64, out: &mut Vec<u8>) {
        const END: &[u8] = b"\r\n";
        if self.counts && out.ends_with(END) {
            out.truncate(out.len() - END.len());
            out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
            out.extend_from_slice(END);
        }
    }

    /// Appends the row of a match. `file` is the name as bytes, `-` for standard input.
    pub fn render(&self, file: &[u8], found: &Match<'_>, out: &mut Vec<u8>) {
        let url = found.url();
        let span = found.span();
        let error = found.error();
        let mut readings = Vec::new();
        for reading in found.readings() {
            if !readings.is_empty() {
                readings.push(b' ');
            }
            readings.extend_from_slice(&reading);
        }
        let mut row = Row::new(out);
        row.field(url);
        row.field(found.kind().as_str().as_bytes());
        row.field(&found.scheme().map(|scheme| scheme.to_ascii_lowercase()).unwrap_or_default());
        row.field(file);
        row.number(Some(span.start));
        row.number(Some(span.end - span.start));
        row.number(found.line());
        row.number(found.column());
        row.field(if found.rejoined() { b"true" } else { b"false" });
        row.field(&readings);
        row.field(found.level().as_str().as_bytes());
        row.field(error.map_or("", |error| error.kind().as_str()).as_bytes());
        row.number(error.map(|error| error.offset() as u64));
        row.field(error.map(|error| error.to_string()).unwrap_or_default().as_bytes());
        row.field(&crate::url::host(url, self.other_literal).unwrap_or_default());
        if self.counts {
            row.field(b"");
        }
        row.end();
    }
}

/// A row being written.
pub(crate) struct Row<'o> {
    writer: Writer,
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> Row<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        let writer = WriterBuilder::new().terminator(Terminator::CRLF).build();
        Self { writer, out, first: true }
    }

    pub(crate) fn field(&mut self, mut bytes: &[u8]) {
        if !std::mem::take(&mut self.first) {
            self.push(Writer::delimiter);
        }
        loop {
            let start = self.out.len();
            // Quoting at most doubles a byte; four more are quotes and slack.
            self.out.resize(start + 2 * bytes.len() + 4, 0);
            let (result, read, written) = self.writer.field(bytes, &mut self.out[start..]);
            self.out.truncate(start + written);
            bytes = &bytes[read..];
            if result == WriteResult::InputEmpty {
                return;
            }
        }
    }

    pub(crate) fn number(&mut self, number: Option<u64>) {
        match number {
            Some(number) => self.field(itoa::Buffer::new().format(number).as_bytes()),
            None => self.field(b""),
        }
    }

    pub(crate) fn end(mut self) {
        self.push(Writer::terminator);
    }

    fn push(&mut self, what: impl Fn(&mut Writer, &mut [u8]) -> (WriteResult, usize)) {
        let mut few = [0; 8];
        let (_, written) = what(&mut self.writer, &mut few);
        self.out.extend_from_slice(&few[..written]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    #[test]
    fn the_header_and_a_row() {
        let mut out = Vec::new();
        CsvFormat::new().header(&mut out);
        let extractor = Extractor::builder().line_numbers(true).build();
        for found in extractor.find_iter(b"<URL:HTTP://a.example/x-\ny,z>") {
            CsvFormat::new().render(b"a \"b\".txt", &found, &mut out);
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
            (&[b'"'; 100], &[&[b'"'; 202][..], b",x\r\n"].concat()),
        ] {
            let mut out = Vec::new();
            let mut row = Row::new(&mut out);
            row.field(field);
            row.field(b"x");
            row.end();
            assert_eq!(out, written);
        }
    }
}

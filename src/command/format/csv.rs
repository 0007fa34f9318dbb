//! CSV: the findings, one per row, by RFC 4180, with a header row and CRLF line ends.
//!
//! The columns are the fields of a finding in [JSON](super::json): [`COLUMNS`]. The columns from
//! `message_id` to `newsgroups` are fields of its `in_message`.
//!
//! An unknown value is an empty field. Bytes that are not UTF-8 are kept. A spreadsheet reads no
//! cell as a formula, as in the [CSV of matches](urlgrep::report::CsvFormat).

use std::io::{self, Write};

use urlgrep::report::CsvFormat;

use crate::command::model::ReportedFinding;

/// The names of the columns.
pub(crate) const COLUMNS: &str = "rule,severity,url,file,offset,line,message,count,length,column,kind,message_id,date,from,subject,newsgroups,part,encoding,new";

/// Writes the header row and the findings. If `escape` is true, texts are escaped for a terminal,
/// as [`escape`](urlgrep::report::escape) does it.
pub(crate) fn write<'r>(
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    escape: bool,
    mut out: impl Write,
) -> io::Result<()> {
    write!(out, "{COLUMNS}\r\n")?;
    let format = CsvFormat::new().escape(escape);
    findings.into_iter().try_for_each(|finding| write_row(&finding, &format, &mut out))
}

fn write_row(finding: &ReportedFinding<'_>, format: &CsvFormat, out: &mut impl Write) -> io::Result<()> {
    let place = &finding.first;
    let is_new = finding.is_new.map_or("", |is_new| if is_new { "true" } else { "false" });
    let [offset, line, count, length, column] =
        [place.offset, place.line, finding.count, place.length, place.column].map(|number| number.to_string());
    let of_message = place.in_message.map(|message| {
        [message.id, message.date, message.from, message.subject, message.newsgroups, message.part, message.encoding]
            .map(|field| field.unwrap_or_default().as_bytes())
    });
    let cells: [&[u8]; 11] = [
        finding.rule.id().as_bytes(),
        finding.severity.as_str().as_bytes(),
        &finding.url,
        place.file,
        offset.as_bytes(),
        line.as_bytes(),
        finding.message.as_bytes(),
        count.as_bytes(),
        length.as_bytes(),
        column.as_bytes(),
        place.kind.as_str().as_bytes(),
    ];
    let cells = cells.into_iter().chain(of_message.unwrap_or_default()).chain([is_new.as_bytes()]);
    let mut row = Vec::new();
    format.append_cells(&cells.collect::<Vec<_>>(), &mut row);
    out.write_all(&row)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::command::model::ReportedPlace;
    use urlgrep::audit::Rule;

    fn table(findings: impl IntoIterator<Item = ReportedFinding<'static>>) -> String {
        let mut out = Vec::new();
        write(findings, false, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Returns the fields of every row, parsed.
    fn read(table: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = csv_core::Reader::new();
        let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), Vec::new());
        let mut input = table;
        loop {
            let mut some = [0; 64];
            let (result, read, written) = reader.read_field(input, &mut some);
            input = &input[read..];
            field.extend_from_slice(&some[..written]);
            match result {
                csv_core::ReadFieldResult::Field { record_end } => {
                    row.push(std::mem::take(&mut field));
                    if record_end {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                csv_core::ReadFieldResult::End => return rows,
                _ => {}
            }
        }
    }

    #[test]
    fn a_row_for_each_finding() {
        let text = table(samples::findings());
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(lines[0], COLUMNS);
        assert_eq!(
            lines[1],
            "A-XPROTO,critical,gopher://b.example:25/0HELO%0D%0A,talk.mbox,512,12,\"%0D%0A at 26, and port \
             25\",2,34,5,wrapped,,,,,,,,"
        );
        assert_eq!(
            lines[2],
            "X-BROKEN,medium,http://a.example/~x,my talk.mbox,512,12,404 Not \
             Found,2,34,5,wrapped,1@a.example,1994-01-02T03:04:05Z,Joe <joe@a.example>,Links,comp.a,1.2,unpacked,"
        );
        assert_eq!((lines.len(), lines[4]), (5, ""));
        let rows = read(text.as_bytes());
        assert!(rows.len() == 4 && rows.iter().all(|row| row.len() == COLUMNS.split(',').count()));
    }

    #[test]
    fn urls_read_back_whatever_they_hold() {
        for url in ["http://a.example/,\"x\"", "http://a.example/\r\nx", "http://a.example/'", "javascript:=1+1"] {
            let mut out = Vec::new();
            write([samples::finding(Rule::Invalid, url, "x")], false, &mut out).unwrap();
            assert_eq!(read(&out)[1][2], url.as_bytes());
        }
    }

    #[test]
    fn no_field_is_a_formula() {
        let hostile = samples::hostile();
        let mut out = Vec::new();
        write([hostile.finding()], false, &mut out).unwrap();
        let row = &read(&out)[1];
        assert_eq!(row.len(), COLUMNS.split(',').count());
        assert_eq!(row[2], hostile.url.as_bytes());
        for (field, column) in row.iter().zip(COLUMNS.split(',')) {
            assert!(!field.first().is_some_and(|first| b"=+-@\t\r".contains(first)), "{column}");
        }
        assert_eq!(row[3], [b"'", &hostile.file[..]].concat());
        assert_eq!(row[14], format!("'{}", samples::HOSTILE).as_bytes());
        for formula in ["=1", "+1", "-1", "@x", "\tx", "\rx"] {
            let finding = samples::finding(Rule::Invalid, "http://h/", formula);
            let mut out = Vec::new();
            write([finding], false, &mut out).unwrap();
            assert_eq!(read(&out)[1][6], format!("'{formula}").as_bytes());
        }
        let stdin =
            ReportedFinding { first: samples::place("-".into()), ..samples::finding(Rule::Invalid, "+x:y", "") };
        let stdin = ReportedFinding { first: ReportedPlace { line: 1, ..stdin.first }, ..stdin };
        let mut out = Vec::new();
        write([stdin], false, &mut out).unwrap();
        assert_eq!((&read(&out)[1][2][..], &read(&out)[1][3][..]), (&b"'+x:y"[..], &b"-"[..]));
    }
}

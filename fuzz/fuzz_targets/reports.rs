//! Each report of an audit, and each line of a search, can be parsed by the rules of its format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use urlgrep::report::{CsvFormat, JsonFormat};
use urlgrep_fuzz::audited::{FORMATS, audit};
use urlgrep_fuzz::opened::open;

/// A report is at most this many times its input, plus a part that does not depend on it.
const TIMES: usize = 4_096;
const PAGE: usize = 256 << 10;

/// Reads CSV by RFC 4180, and returns how many fields each row has.
fn widths(table: &[u8]) -> Vec<usize> {
    let mut reader = csv_core::Reader::new();
    let (mut rest, mut widths) = (table, Vec::new());
    loop {
        let mut width = 0;
        loop {
            let (result, read, _) = reader.read_field(rest, &mut [0; 256]);
            rest = &rest[read..];
            match result {
                csv_core::ReadFieldResult::Field { record_end } => {
                    width += 1;
                    if record_end {
                        break;
                    }
                }
                csv_core::ReadFieldResult::End => return widths,
                _ => {}
            }
        }
        widths.push(width);
    }
}

fn bytes_of(record: &Value, field: &str) -> Vec<u8> {
    use base64::Engine as _;
    match record.get(format!("{field}_bytes")) {
        Some(packed) => base64::prelude::BASE64_STANDARD.decode(packed.as_str().expect("a text")).expect("base64"),
        None => record[field].as_str().expect("a text").as_bytes().to_vec(),
    }
}

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, text) = input;
    let head: &[u8] = match kind % 4 {
        0 => b"",
        1 => b"From: a@b.example\nDate: Sat, 3 Jan 1996 01:05:34 +0000\n",
        2 => b"<!DOCTYPE html><base href=http://b.example/><a href=c>",
        _ => b"<?xml version='1.0'?><a href='http://b.example/'/>",
    };
    let text = [head, text].concat();
    for (_, found) in open(&text, b"odd\xFF<b>", usize::MAX) {
        let mut table = Vec::new();
        CsvFormat::new().write_header(&mut table).expect("writing to memory");
        for found in &found {
            let mut line = Vec::new();
            JsonFormat::new().write(b"odd\xFF<b>", found, &mut line).expect("writing to memory");
            let record: Value = serde_json::from_slice(&line).expect("JSON");
            assert_eq!(bytes_of(&record, "url"), **found.url());
            assert_eq!(bytes_of(&record, "file"), b"odd\xFF<b>");
            assert!(line.ends_with(b"}\n") && !line[..line.len() - 1].contains(&b'\n'));
            CsvFormat::new().write(b"odd\xFF<b>", found, &mut table).expect("writing to memory");
        }
        let widths = widths(&table);
        assert!(widths.len() == found.len() + 1 && widths.iter().all(|&width| width == widths[0]), "{widths:?}");
    }
    let reports = audit(&text, b"odd\xFF<b>");
    let [_, page, json, lines, table, sarif, urls, github, junit, ioc] = &reports;
    for (format, report) in FORMATS.iter().zip(&reports) {
        assert!(report.len() <= PAGE + TIMES * text.len(), "{format}: {} bytes of {}", report.len(), text.len());
    }
    let json: Value = serde_json::from_slice(json).expect("JSON");
    let findings = json["findings"].as_array().expect("a list").len();
    let lines = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    assert_eq!(lines.map(|line| serde_json::from_slice::<Value>(line).expect("JSON")).count(), findings);
    let widths = widths(table);
    assert!(widths.len() == findings + 1 && widths.iter().all(|&width| width == widths[0]), "{widths:?}");
    let sarif: Value = serde_json::from_slice(sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().expect("a list").len(), findings);
    let page = std::str::from_utf8(page).expect("UTF-8");
    // Nothing from the input becomes a tag.
    assert!(!page.contains("<b>") && page.matches("<script>").count() == 1);
    let of_data = |text: &str| text.starts_with('>') || text.starts_with(" type=\"application/json\" class=\"");
    assert!(page.split("<script").skip(1).all(of_data));
    let github = std::str::from_utf8(github).expect("UTF-8");
    assert!(github.lines().count() == findings && github.lines().all(|line| line.starts_with("::")));
    let junit = std::str::from_utf8(junit).expect("UTF-8");
    assert_eq!(junit.matches("<testcase ").count(), findings.max(1));
    // The tags are the declaration, those of two elements around the tests, and those of the tests.
    let tags = junit.matches("<testcase ").count() + junit.matches("<failure ").count() + junit.matches("</").count();
    assert_eq!(junit.matches('<').count(), 3 + tags + junit.matches("<skipped ").count());
    let widths = self::widths(ioc);
    assert!(widths.iter().all(|&width| width == 7), "{widths:?}");
    let urls = std::str::from_utf8(urls).expect("UTF-8");
    assert!(urls.lines().all(|url| {
        ["http:", "https:", "mailto:"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
    }));
});

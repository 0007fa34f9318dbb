//! JSON Lines and CSV: the fields, their order, their types, and values that are not UTF-8.

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::support::Dir;

/// A line of `--json`, with exactly these fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // the test is that they exist, with these types
struct Record {
    url: String,
    kind: String,
    scheme: Option<String>,
    prefix: Option<String>,
    file: String,
    offset: u64,
    length: u64,
    line: u64,
    column: u64,
    rejoined: bool,
    readings: Vec<String>,
    level: String,
    error: Option<Error>,
    host: Option<String>,
    domain: Option<String>,
    hosts: Option<Vec<String>>,
    truncated: bool,
    refused: Option<String>,
    parts: Option<serde_json::Map<String, serde_json::Value>>,
    generic: Option<Generic>,
    message: (),
    part: (),
    content_type: (),
    encoding: (),
    header: (),
    quote_depth: (),
    body: (),
    text: (),
    resolved: (),
    shown_host: (),
    attribute: (),
    note: (),
    count: (),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Error {
    kind: String,
    offset: u64,
    message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Generic {
    scheme: String,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

const FIELDS: &str = "url kind scheme prefix file offset length line column rejoined readings level error host domain hosts truncated refused parts generic \
                      message part content_type encoding header quote_depth body text resolved shown_host attribute note count";

/// The keys of an object, in the order in which they are written.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Keys;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

const TEXT: &[u8] = b"\
See <URL:gopher://h.example/7sel%09
  query> or http://b.example/~x. <URL:http://c.example/long-
name> <URL:http://d.example/{x}> <URL:no url>
mailto:joe@e.example and news:*, https://u:p@[::1]:8080/a?b#c, x://; URL:telnet://f.example
<URL:http://g.example/a b>";

#[test]
fn every_line_has_the_same_fields_in_the_same_order() {
    let dir = Dir::new();
    dir.file("t.txt", TEXT);
    let ran = dir.run(&["--json", "--candidates", "t.txt"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_eq!(ran.text().lines().count(), 10, "{}", ran.text());
    for line in ran.text().lines() {
        serde_json::from_str::<Record>(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        let Keys(keys) = serde_json::from_str(line).unwrap();
        assert_eq!(keys.join(" "), FIELDS);
    }
}

#[test]
fn a_span_cuts_the_url_out_of_the_source() {
    let dir = Dir::new();
    dir.file("t.txt", TEXT);
    let records: Vec<Record> =
        dir.run(&["--json", "t.txt"]).text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let gopher = &records[0];
    assert_eq!(&TEXT[gopher.offset as usize..][..gopher.length as usize], b"<URL:gopher://h.example/7sel%09\n  query>");
    assert_eq!((gopher.line, gopher.column, gopher.rejoined), (1, 5, true));
    let parts = gopher.parts.as_ref().unwrap();
    assert_eq!((&parts["selector"], &parts["search"]), (&"sel".into(), &"query".into()));
    let tilde = &records[1];
    assert_eq!((tilde.line, tilde.column, &*tilde.level), (2, 13, "rfc3986"));
    let error = tilde.error.as_ref().unwrap();
    assert_eq!((&*error.kind, error.offset), ("unsafe-gateway", 17));
    assert!(tilde.parts.is_none() && tilde.generic.is_some());
    let hyphen = &records[2];
    assert_eq!(hyphen.readings, ["http://c.example/long-name", "http://c.example/longname"]);
    for record in &records {
        assert_eq!(record.url, record.readings[0]);
        assert_eq!(record.file, "t.txt");
        if !record.rejoined && record.kind == "bare" {
            assert_eq!(&TEXT[record.offset as usize..][..record.length as usize], record.url.as_bytes());
        }
    }
}

#[test]
fn parts_and_generic_follow_the_level() {
    let dir = Dir::new();
    dir.file("t.txt", TEXT);
    let mut levels = std::collections::BTreeSet::new();
    for line in dir.run(&["--json", "--candidates", "t.txt"]).text().lines() {
        let record: Record = serde_json::from_str(line).unwrap();
        assert_eq!(record.parts.is_some(), record.level.starts_with("rfc1738"), "{line}");
        assert_eq!(record.error.is_none(), record.level.starts_with("rfc1738"), "{line}");
        assert_eq!(record.generic.is_none(), record.level == "none", "{line}");
        levels.insert(record.level);
    }
    assert!(levels.len() >= 3, "{levels:?}");
}

#[test]
fn standard_input_is_called_dash() {
    let dir = Dir::new();
    let ran = dir.run_with(&["--json"], b"http://a.example/");
    assert_eq!(serde_json::from_str::<Record>(ran.text()).unwrap().file, "-");
    let ran = dir.run_with(&["--csv"], b"http://a.example/");
    assert!(ran.text().contains(",http,-,0,"), "{}", ran.text());
}

#[cfg(unix)]
#[test]
fn what_is_not_utf8_follows_in_base64() {
    use super::support::odd_name;
    let dir = Dir::new();
    dir.file(odd_name(), b"<URL:http://a.example/\xFFx-\ny>");
    let ran = dir.run(&[std::ffi::OsString::from("--json"), odd_name()]);
    let line = ran.text();
    let Keys(keys) = serde_json::from_str(line).unwrap();
    let expected = FIELDS
        .replace("url ", "url url_bytes ")
        .replace("file ", "file file_bytes ")
        .replace("readings ", "readings readings_bytes ");
    assert_eq!(keys.join(" "), expected);
    let record: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(record["url"], "http://a.example/\u{FFFD}x-y");
    assert_eq!(record["url_bytes"], "aHR0cDovL2EuZXhhbXBsZS//eC15");
    assert_eq!(record["file"], "odd\u{FFFD}.txt");
    assert_eq!(record["file_bytes"], "b2Rk/y50eHQ=");
    let readings = record["readings"].as_array().unwrap().len();
    assert_eq!(record["readings_bytes"].as_array().unwrap().len(), readings);
    assert_eq!(record["readings_bytes"][0], record["url_bytes"]);
    // Text and CSV output the bytes unchanged.
    assert_eq!(dir.run(&[odd_name()]).out, b"http://a.example/\xFFx-y\n");
    assert!(dir.run(&["--csv".into(), odd_name()]).out.windows(9).any(|bytes| bytes == b",odd\xFF.txt"));
    assert_eq!(dir.run(&["-l".into(), odd_name()]).out, b"odd\xFF.txt\n");
}

/// Parses RFC 4180 in the simplest way.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => field.extend(characters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted => {
                assert_eq!(characters.next(), Some('\n'));
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            character => field.push(character),
        }
    }
    assert!(field.is_empty() && row.is_empty() && !quoted);
    rows
}

#[test]
fn no_cell_of_csv_is_a_formula() {
    let dir = Dir::new();
    dir.file(
        "=t.txt",
        "<URL:=1+1> <URL:+x:y> <URL:-1> <URL:@SUM(1)> <URL:'=1> <URL:=a-\nb> <URL:x=1> <URL:-> <http://-h/>",
    );
    let texts = |args: &[&str]| {
        let ran = dir.run(&[&["--candidates", "--rejoin=delimited", "--any-scheme"], args, &["=t.txt"]].concat());
        ran.text().to_owned()
    };
    let json = texts(&["--json"]);
    let rows = rows(&texts(&["--csv"]));
    assert_eq!(rows.len(), 10);
    for (row, line) in rows[1..].iter().zip(json.lines()) {
        for cell in row {
            let is_formula = cell.len() > 1 && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!is_formula, "{row:?}");
        }
        // The added quote can be removed again.
        let read_back = |cell: &str| match cell.trim_start_matches('\'') {
            text if cell.len() > 1 && text.starts_with(['=', '+', '-', '@', '\t', '\r']) => cell[1..].to_owned(),
            _ => cell.to_owned(),
        };
        let record: Record = serde_json::from_str(line).unwrap();
        assert_eq!(read_back(&row[0]), record.url);
        assert_eq!(read_back(&row[2]), record.scheme.unwrap_or_default());
        assert_eq!(read_back(&row[3]), record.file);
        assert_eq!(read_back(&row[9]), record.readings.join(" "));
        assert_eq!(read_back(&row[14]), record.host.unwrap_or_default());
    }
    let urls: Vec<&str> = rows[1..].iter().map(|row| &*row[0]).collect();
    assert_eq!(urls, ["'=1+1", "'+x:y", "'-1", "'@SUM(1)", "''=1", "'=a-b", "x=1", "-", "http://-h/"]);
    // The audit's CSV has the same rule.
    let audited = dir.run(&["audit", "--format", "csv", "--candidates", "=t.txt"]);
    assert!(audited.text().contains(",'=1+1,'=t.txt,"), "{}", audited.text());
}

#[test]
fn csv_tells_what_json_tells() {
    let dir = Dir::new();
    dir.file("a,\"b\".txt", TEXT);
    let csv = dir.run(&["--csv", "--candidates", "a,\"b\".txt"]);
    let rows = rows(csv.text());
    assert_eq!(
        rows[0].join(","),
        "url,kind,scheme,file,offset,length,line,column,rejoined,readings,level,error_kind,error_offset,error_message,host"
    );
    let json = dir.run(&["--json", "--candidates", "a,\"b\".txt"]);
    let records: Vec<Record> = json.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), records.len() + 1);
    assert!(records.len() > 5);
    for (row, record) in rows[1..].iter().zip(records) {
        let (kind, offset, message) =
            record.error.map_or_else(Default::default, |error| (error.kind, error.offset.to_string(), error.message));
        let expected = [
            record.url,
            record.kind,
            record.scheme.unwrap_or_default(),
            record.file,
            record.offset.to_string(),
            record.length.to_string(),
            record.line.to_string(),
            record.column.to_string(),
            record.rejoined.to_string(),
            record.readings.join(" "),
            record.level,
            kind,
            offset,
            message,
            record.host.unwrap_or_default(),
        ];
        assert_eq!(row[..], expected);
    }
}

#[test]
fn csv_has_its_header_even_without_a_match() {
    let dir = Dir::new();
    dir.file("none", "nothing");
    let ran = dir.run(&["--csv", "none"]);
    assert_eq!((ran.code, rows(ran.text()).len()), (1, 1));
    dir.run(&["--csv", "-q", "none"]).is(1, "");
    dir.file("one", "http://a.example/");
    let many = dir.run(&["--csv", "one", "none", "one"]);
    assert_eq!(rows(many.text()).len(), 3, "one header for all files");
}

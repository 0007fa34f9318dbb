//! JSON: the whole audit as [one document](fn@write), or its findings as [JSON Lines](write_lines).
//!
//! An unknown value is `null`, and its field is never missing. If bytes are not UTF-8, the text is
//! lossy. A field of the same name with `_bytes` (base64) follows it, as in the [JSON of
//! matches](urlgrep::report::JsonFormat).
//!
//! # The document
//!
//! `{"summary": {…}, "urls": […], "findings": […], "gone": […]}`, with each URL and each finding on
//! its own line. `gone` has the findings that only an earlier report has, with their `rule`, `url`
//! and `file`.
//!
//! # The summary
//!
//! | field | type | |
//! |---|---|---|
//! | `root` | string? | the folder that was audited, if it was the only PATH |
//! | `configuration` | object? | the repository's `.urlgrep.toml`, which may leave out files, links and findings: its `file`, its `settings` (a list of strings such as `host = "!*"`), and the number of its `ignores` |
//! | `files`, `bytes`, `messages` | number | size of the input. Bytes are counted after decompression; a file in a tar is a file |
//! | `occurrences` | number | places where a URL was found |
//! | `urls`, `hosts` | number | distinct URLs, by the equality of the specification, section 4, and their hosts |
//! | `by_severity` | object | findings of each severity, all five, from `info` to `critical` |
//! | `by_rule` | object | findings of each rule that fired |
//! | `ignored` | object | findings that `.urlgrep.toml` ignores, by its reason |
//! | `by_scheme`, `by_host` | list of objects | `scheme` or `host`, with its distinct `urls` and their `occurrences`, the highest count first. URLs without a scheme have `""`; URLs without a host are excluded |
//! | `by_kind` | object | occurrences by how the text delimits them |
//! | `by_level`, `by_error` | list of objects | `level` or `error`, `urls`, `occurrences`; the strictest level and the most frequent error first |
//! | `by_year` | object | occurrences by the year of their message |
//! | `undated` | number | occurrences without a date |
//! | `first_date`, `last_date` | string? | `1995-03-02`, of messages with a URL |
//! | `refused` | object | undecoded parts and refusals, by their names in `--stats` |
//! | `by_status` | object | distinct URLs by the result of a link checker: `well`, `moved`, `gone` (404, 410), `refused` (401, 403, 429 …), `server-error`, `timeout`, `no-such-host`, `certificate`, `no-connection`, `other` |
//! | `broken_by_page` | list of objects | the pages with the most broken links. `by_host` and this list have the same limit. Fields: `page` (a file, or the target of a record of a web archive), the number of its broken `urls`, and their `occurrences` there |
//! | `broken_pages` | number | pages with a broken link |
//! | `spellings` | list of objects | the 20 distinct URLs with the most places that are written in several ways. Fields: `url` (normalized), `occurrences`, the `count` of spellings, and the 20 most frequent `spellings` (`url` as written, `occurrences`) |
//! | `spelled_urls` | number | distinct URLs that are written in several ways |
//! | `baseline` | object? | with an earlier report, `--baseline`: the counts of findings that are `new`, `known` in both, and `gone` |
//!
//! # A URL
//!
//! | field | type | |
//! |---|---|---|
//! | `url` | string | the URL as written at its first place; for a doubtful hyphen, the reading that the archive supports |
//! | `count` | number | the number of places |
//! | `messages` | number | the number of messages with at least one of these places |
//! | `first` | object | the first place: the fields of a place, below |
//! | `first_date`, `last_date` | string? | the dates of its messages |
//! | `scheme` | string? | in lower case |
//! | `host` | string? | as written, without port; for mailto URLs and news articles, the domain |
//! | `level` | string | `rfc1738`, `rfc1738-ref`, `rfc3986`, `iri`, `none` |
//! | `error` | object? | why the URL is not RFC 1738: `kind`, `offset` in bytes of `url`, `message` |
//! | `rules` | list of strings | the rules that fired |
//! | `status` | object? | the result of a link checker: `class` (`fine`, `redirected`, `broken`, `timeout`, `excluded`), `code`, `text`, `redirects` (a list of `url` and `code`), `archived` |
//!
//! # A finding
//!
//! | field | type | |
//! |---|---|---|
//! | `rule` | string | `A-CRLF` |
//! | `severity` | string | `info`, `low`, `medium`, `high`, `critical` |
//! | `url` | string | the URL as written at its places |
//! | `file`, `offset`, `line` | | the first place, with the fields of a place, below |
//! | `message` | string | the fault |
//! | `count` | number | the number of places with this spelling that the finding covers |
//! | `length` … `encoding` | | the rest of a place |
//! | `new` | boolean? | whether an earlier report lacks this rule, URL and file; `null` without such a report |
//!
//! # A place
//!
//! | field | type | |
//! |---|---|---|
//! | `file` | string | the name as given; `-` for standard input; `a.tar!/path` for a file in a tar |
//! | `offset`, `line` | number | the first byte of the match; lines start at 1 |
//! | `length` | number | the bytes of the match |
//! | `column` | number | the column of that byte, in bytes from 1 |
//! | `kind` | string | `wrapped`, `angle`, `prefixed`, `bare`, `attribute`, `www`, `navigation`, `name` |
//! | `in_message` | object? | the message around the place, with the fields of `message` in a match, except `language`: `id`, `date`, `from`, `subject`, `newsgroups`, `url`, its `number` in the archive, its `offset` |
//! | `part` | string? | the MIME part; `null` in a header |
//! | `encoding` | string? | the encoding of the part. In `unpacked` and `http` texts `offset`, `length`, `line` and `column` count in the text, in all others in the file |

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bstr::ByteSlice;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use urlgrep::ParseError;
use urlgrep::audit::Severity;
use urlgrep::report::Harmless;

use crate::command::baseline::{Comparison, FormerFinding};
use crate::command::checked::LinkStatus;
use crate::command::model::{Day, InMessage, ReportedFinding, ReportedLink, ReportedPlace, Share, Summary};

/// Writes the document.
pub(crate) fn write<'r>(
    summary: &Summary,
    links: impl IntoIterator<Item = ReportedLink<'r>>,
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    mut out: impl Write,
) -> io::Result<()> {
    out.write_all(b"{\"summary\":")?;
    put(&SummaryRecord(summary), &mut out)?;
    out.write_all(b",\n\"urls\":[")?;
    put_list(links, |link, out| put(&LinkRecord::of(link), out), &mut out)?;
    out.write_all(b"],\n\"findings\":[")?;
    put_list(findings, |finding, out| put(&FindingRecord::of(finding), out), &mut out)?;
    out.write_all(b"],\n\"gone\":[")?;
    let gone = summary.comparison.iter().flat_map(|comparison| &comparison.gone);
    put_list(gone, |gone, out| put(&GoneRecord::of(gone), out), &mut out)?;
    out.write_all(b"]}\n")
}

/// Writes the findings, one per line.
pub(crate) fn write_lines<'r>(
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    mut out: impl Write,
) -> io::Result<()> {
    for finding in findings {
        put(&FindingRecord::of(&finding), &mut out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the items of a list, each on its own line.
pub(super) fn put_list<T, W: Write>(
    items: impl IntoIterator<Item = T>,
    mut put_item: impl FnMut(&T, &mut W) -> io::Result<()>,
    out: &mut W,
) -> io::Result<()> {
    for (number, item) in items.into_iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        put_item(&item, out)?;
    }
    Ok(())
}

/// Writes a value, with harmful characters escaped.
pub(super) fn put(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, Harmless)).map_err(io::Error::from)
}

/// Returns the base64 of bytes that are not UTF-8; `None` if they are UTF-8.
fn exact_bytes(bytes: &[u8]) -> Option<String> {
    bytes.to_str().is_err().then(|| STANDARD.encode(bytes))
}

struct SummaryRecord<'s>(&'s Summary);

impl Serialize for SummaryRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let summary = self.0;
        let severity =
            |severity: &Severity| (severity.as_str(), summary.by_severity.get(severity).copied().unwrap_or_default());
        let (first_date, last_date) = dates(summary.dates);
        let mut map = serializer.serialize_map(None)?;
        // The order is the order of the table above, which a test checks.
        map.serialize_entry("root", &summary.root)?;
        map.serialize_entry("configuration", &summary.configuration)?;
        map.serialize_entry("files", &summary.files)?;
        map.serialize_entry("bytes", &summary.bytes)?;
        map.serialize_entry("messages", &summary.messages)?;
        map.serialize_entry("occurrences", &summary.occurrences)?;
        map.serialize_entry("urls", &summary.urls)?;
        map.serialize_entry("hosts", &summary.hosts)?;
        map.serialize_entry("by_severity", &Counts(|| Severity::ALL.iter().map(severity)))?;
        map.serialize_entry("by_rule", &Counts(|| summary.by_rule.iter().map(|(rule, &count)| (rule.id(), count))))?;
        map.serialize_entry("ignored", &summary.ignored)?;
        map.serialize_entry("by_scheme", &Shares("scheme", &summary.by_scheme, String::as_str))?;
        map.serialize_entry("by_host", &Shares("host", &summary.by_host, String::as_str))?;
        map.serialize_entry(
            "by_kind",
            &Counts(|| summary.by_kind.iter().map(|&(kind, count)| (kind.as_str(), count))),
        )?;
        map.serialize_entry("by_level", &Shares("level", &summary.by_level, |level| level.as_str()))?;
        map.serialize_entry("by_error", &Shares("error", &summary.by_error, |kind| kind.as_str()))?;
        map.serialize_entry("by_year", &summary.by_year)?;
        map.serialize_entry("undated", &summary.undated)?;
        map.serialize_entry("first_date", &first_date)?;
        map.serialize_entry("last_date", &last_date)?;
        map.serialize_entry(
            "refused",
            &Counts(|| summary.refused.iter().map(|(name, count)| (name.as_str(), *count))),
        )?;
        map.serialize_entry("by_status", &summary.by_status)?;
        map.serialize_entry("broken_by_page", &Shares("page", &summary.broken_by_page, String::as_str))?;
        map.serialize_entry("broken_pages", &summary.broken_pages)?;
        map.serialize_entry("spellings", &summary.spellings)?;
        map.serialize_entry("spelled_urls", &summary.spelled_urls)?;
        let compared =
            |of: &Comparison| [("new", of.new.values().sum()), ("known", of.known), ("gone", of.gone.len() as u64)];
        let compared = summary.comparison.as_ref().map(compared);
        map.serialize_entry("baseline", &compared.map(|counts| Counts(move || counts.into_iter())))?;
        map.end()
    }
}

/// An object whose values are numbers.
struct Counts<F>(F);

impl<'s, I: Iterator<Item = (&'s str, u64)>, F: Fn() -> I> Serialize for Counts<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0())
    }
}

/// A list of objects, each with a name under this key, and its share.
struct Shares<'s, T>(&'static str, &'s [(T, Share)], fn(&T) -> &str);

impl<T> Serialize for Shares<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Shares(key, shares, name) = self;
        serializer.collect_seq(shares.iter().map(|(named, share)| NamedShare(key, name(named), *share)))
    }
}

struct NamedShare<'s>(&'static str, &'s str, Share);

impl Serialize for NamedShare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &NamedShare(key, name, share) = self;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry(key, name)?;
        map.serialize_entry("urls", &share.urls)?;
        map.serialize_entry("occurrences", &share.occurrences)?;
        map.end()
    }
}

#[derive(Serialize)]
struct LinkRecord<'l> {
    url: Cow<'l, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_bytes: Option<String>,
    count: u64,
    messages: u64,
    first: FirstRecord<'l>,
    first_date: Option<String>,
    last_date: Option<String>,
    scheme: Option<&'l str>,
    host: Option<Cow<'l, str>>,
    level: &'static str,
    error: Option<ParseError>,
    rules: Vec<&'static str>,
    status: Option<&'l LinkStatus>,
}

impl<'l> LinkRecord<'l> {
    fn of(link: &'l ReportedLink<'_>) -> Self {
        let (first_date, last_date) = dates(link.dates);
        Self {
            url: link.url.to_str_lossy(),
            url_bytes: exact_bytes(&link.url),
            count: link.count,
            messages: link.messages,
            first: FirstRecord { start: StartRecord::of(&link.first), rest: RestRecord::of(&link.first) },
            first_date,
            last_date,
            scheme: link.scheme.as_deref(),
            host: link.host.as_deref().map(|host| host.to_str_lossy()),
            level: link.level.as_str(),
            error: link.error,
            rules: link.rules.iter().map(|rule| rule.id()).collect(),
            status: link.status,
        }
    }
}

fn dates(dates: Option<(Day, Day)>) -> (Option<String>, Option<String>) {
    dates.map(|(first, last)| (first.to_string(), last.to_string())).unzip()
}

#[derive(Serialize)]
struct FindingRecord<'f> {
    rule: &'static str,
    severity: &'static str,
    url: Cow<'f, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_bytes: Option<String>,
    #[serde(flatten)]
    start: StartRecord<'f>,
    message: &'f str,
    count: u64,
    #[serde(flatten)]
    rest: RestRecord<'f>,
    new: Option<bool>,
}

impl<'f> FindingRecord<'f> {
    fn of(finding: &'f ReportedFinding<'_>) -> Self {
        Self {
            rule: finding.rule.id(),
            severity: finding.severity.as_str(),
            url: finding.url.to_str_lossy(),
            url_bytes: exact_bytes(&finding.url),
            start: StartRecord::of(&finding.first),
            message: &finding.message,
            count: finding.count,
            rest: RestRecord::of(&finding.first),
            new: finding.is_new,
        }
    }
}

/// A finding that only an earlier report has.
#[derive(Serialize)]
struct GoneRecord<'f> {
    rule: &'f str,
    url: Cow<'f, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_bytes: Option<String>,
    file: Cow<'f, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<String>,
}

impl<'f> GoneRecord<'f> {
    fn of(FormerFinding { rule, url, file }: &'f FormerFinding) -> Self {
        let (url_bytes, file_bytes) = (exact_bytes(url), exact_bytes(file));
        Self { rule, url: url.to_str_lossy(), url_bytes, file: file.to_str_lossy(), file_bytes }
    }
}

/// A place as an object.
#[derive(Serialize)]
struct FirstRecord<'s> {
    #[serde(flatten)]
    start: StartRecord<'s>,
    #[serde(flatten)]
    rest: RestRecord<'s>,
}

/// The fields of a place that a reader needs first. In a finding the message follows them.
#[derive(Serialize)]
struct StartRecord<'s> {
    file: Cow<'s, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<String>,
    offset: u64,
    line: u64,
}

impl<'s> StartRecord<'s> {
    fn of(place: &'s ReportedPlace<'_>) -> Self {
        Self {
            file: place.file.to_str_lossy(),
            file_bytes: exact_bytes(place.file),
            offset: place.offset,
            line: place.line,
        }
    }
}

/// The other fields of a place.
#[derive(Serialize)]
struct RestRecord<'s> {
    length: u64,
    column: u64,
    kind: &'static str,
    in_message: Option<InMessage<'s>>,
    part: Option<&'s str>,
    encoding: Option<&'s str>,
}

impl<'s> RestRecord<'s> {
    fn of(place: &'s ReportedPlace<'_>) -> Self {
        Self {
            length: place.length,
            column: place.column,
            kind: place.kind.as_str(),
            in_message: place.in_message,
            part: place.in_message.as_ref().and_then(|message| message.part),
            encoding: place.in_message.as_ref().and_then(|message| message.encoding),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::samples;
    use super::*;

    fn document() -> String {
        let mut out = Vec::new();
        write(&samples::summary(), samples::links(), samples::findings(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Returns the keys of an object, in the order of the text.
    fn keys(line: &str) -> Vec<String> {
        let value: Value = serde_json::from_str(line.trim_end_matches(',')).unwrap();
        let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort_by_key(|key| line.find(&format!("\"{key}\":")));
        keys
    }

    #[test]
    fn the_document_has_the_fields_of_the_contract() {
        let text = document();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), ["findings", "gone", "summary", "urls"]);
        assert_eq!(value["summary"]["occurrences"], 1234);
        assert_eq!(
            value["summary"]["by_severity"],
            json!({"info": 1, "low": 0, "medium": 1, "high": 0, "critical": 1})
        );
        assert_eq!(value["summary"]["by_rule"], json!({"A-XPROTO": 1, "X-LATER": 1, "X-BROKEN": 1}));
        assert_eq!(value["summary"]["by_host"][0], json!({"host": "a.example", "urls": 2, "occurrences": 1000}));
        assert_eq!(value["summary"]["by_kind"], json!({"wrapped": 1000, "bare": 234}));
        assert_eq!(value["summary"]["by_level"][0], json!({"level": "rfc1738", "urls": 2, "occurrences": 1000}));
        assert_eq!(value["summary"]["by_year"], json!({"1994": 900, "1995": 300}));
        assert_eq!(value["summary"]["last_date"], "1995-12-31");

        let link = &value["urls"][0];
        assert_eq!((&link["url"], &link["count"]), (&json!("http://a.example/~x"), &json!(3)));
        assert_eq!(link["first"]["file"], "talk.mbox");
        assert_eq!(link["first"]["in_message"]["id"], "1@a.example");
        assert_eq!(link["error"]["kind"], "unsafe-gateway");
        assert_eq!(link["status"]["class"], "broken");
        assert_eq!(link["status"]["code"], 404);

        let finding = &value["findings"][0];
        assert_eq!((&finding["rule"], &finding["severity"]), (&json!("A-XPROTO"), &json!("critical")));
        assert_eq!((&finding["offset"], &finding["line"], &finding["count"]), (&json!(512), &json!(12), &json!(2)));
    }

    #[test]
    fn fields_come_in_the_order_of_the_documentation() {
        let documented = |heading: &str| -> Vec<String> {
            let text = include_str!("json.rs");
            let section = text.split(&format!("//! # {heading}\n")).nth(1).unwrap();
            let section = section.split("//! # ").next().unwrap();
            let names = section.lines().filter_map(|line| line.strip_prefix("//! | `")?.split(" | ").next());
            names.flat_map(|names| names.split(", ")).map(|name| name.trim_matches('`').to_owned()).collect()
        };
        let text = document();
        let lines: Vec<&str> = text.lines().collect();
        let summary = lines[0].strip_prefix("{\"summary\":").unwrap();
        assert_eq!(keys(summary), documented("The summary"));
        let link = lines.iter().find(|line| line.starts_with("{\"url\"")).unwrap();
        // The object of the place has some of the same names, so it is cut out.
        let (before, rest) = link.split_once("\"first\":").unwrap();
        let (place, after) = rest.split_once("},\"first_date\"").unwrap();
        assert_eq!(keys(&format!("{before}\"first\":0,\"first_date\"{after}")), documented("A URL"));
        assert_eq!(keys(&format!("{place}}}")), documented("A place"));
        let finding = lines.iter().find(|line| line.starts_with("{\"rule\"")).unwrap();
        assert_eq!(
            keys(finding).join(" "),
            "rule severity url file offset line message count length column kind in_message part encoding new"
        );
    }

    #[test]
    fn lines_are_the_findings_of_the_document() {
        let mut out = Vec::new();
        write_lines(samples::findings(), &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let values: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let document: Value = serde_json::from_str(&document()).unwrap();
        assert_eq!(Value::Array(values), document["findings"]);
    }

    #[test]
    fn an_empty_report_is_a_document() {
        let mut out = Vec::new();
        write(&Summary::default(), [], [], &mut out).unwrap();
        let value: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!((&value["urls"], &value["findings"]), (&json!([]), &json!([])));
        assert_eq!(value["summary"]["first_date"], Value::Null);
    }

    #[test]
    fn hostile_text_reads_back_and_does_no_harm() {
        let mut out = Vec::new();
        let hostile = samples::hostile();
        write(&Summary::default(), [hostile.link()], [hostile.finding()], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        samples::assert_no_control(text.replace('\n', " ").as_str());
        assert!(!text.contains('<'), "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        let finding = &value["findings"][0];
        assert_eq!(finding["message"], samples::HOSTILE);
        assert_eq!(finding["in_message"]["subject"], samples::HOSTILE);
        assert_eq!(finding["url"], hostile.url.as_str());
        assert_eq!(finding["file"], format!("{}\u{FFFD}", samples::HOSTILE));
        let bytes =
            base64::Engine::decode(&base64::engine::general_purpose::STANDARD, finding["file_bytes"].as_str().unwrap());
        assert_eq!(bytes.unwrap(), hostile.file);
    }

    #[test]
    fn a_writer_that_fails_ends_it() {
        let mut small = [0; 100];
        let error = write(&samples::summary(), samples::links(), samples::findings(), &mut small[..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WriteZero);
    }
}

//! SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format): the findings for code scanners
//! and their viewers.
//!
//! There is one run, with every rule, and one result for each finding, at the finding's first
//! place.
//!
//! | severity | `level` | `kind` | `security-severity` |
//! |---|---|---|---|
//! | critical | `error` | `fail` | 9.5 |
//! | high | `error` | `fail` | 8.0 |
//! | medium | `warning` | `fail` | 5.5 |
//! | low | `note` | `fail` | 2.0 |
//! | info | `none` | `informational` | 0.0 |
//!
//! - `partialFingerprints` is a hash of rule, URL and file. It stays the same if text is added
//!   before the place.
//! - A file's name becomes a relative reference. It becomes a `file:` URL if it is absolute and not
//!   below the working folder. The name of a file in a tar stays `a.tar!/path`, and `-` is standard
//!   input.
//! - The region covers the match, in UTF-16 code units (§3.14.27). If these cannot be counted, it
//!   is the first line of the match ([`Sources`]). SARIF forbids a region of bytes beside a region
//!   of text that covers other bytes (§3.30.4). So offset, length and column in bytes are in the
//!   result's `properties`. A place in an unpacked text has no region, since its lines are not lines
//!   of the file.
//! - `baselineState` is `new` or `unchanged` if there is an earlier report. Findings that only the
//!   earlier report has are omitted. Services that do not support `absent` would show them as
//!   present.
//! - A run has at most [`MOST`] results, the worst. The tool's notification has the number of the
//!   others.
//! - `helpUri` leads to the rule in the specification.
//! - In `message`, `](` is written `] (`. Otherwise text of the archive could insert a link there
//!   (§3.11.6).

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use urlgrep::audit::{Rule, Severity};

use super::json::{put, put_list};
use crate::command::baseline::fingerprint;
use crate::command::model::{Configuration, InMessage, ReportedFinding, ReportedPlace};
use crate::command::sources::Sources;

/// The documentation of this version, at the usual address on docs.rs.
const DOCUMENTATION: &str = concat!("https://docs.rs/urlgrep/", env!("CARGO_PKG_VERSION"), "/urlgrep/");

/// The most results of a run: GitHub's code scanning rejects a run with more.
pub(crate) const MOST: usize = 25_000;

/// Writes the document. `sources` are the audited files, and `left_out` is the number of omitted
/// findings. A notification names the settings of the repository.
pub(crate) fn write<'r>(
    configuration: Option<&Configuration>,
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    left_out: usize,
    mut sources: Sources,
    mut out: impl Write,
) -> io::Result<()> {
    out.write_all(b"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{")?;
    out.write_all(b"\"tool\":{\"driver\":{\"name\":\"urlgrep\",\"version\":")?;
    put(&env!("CARGO_PKG_VERSION"), &mut out)?;
    out.write_all(b",\"informationUri\":")?;
    put(&DOCUMENTATION, &mut out)?;
    out.write_all(b",\"rules\":[")?;
    put_list(Rule::ALL, |rule, out| put(&RuleRecord::of(**rule), out), &mut out)?;
    out.write_all(b"]}},")?;
    let left_out = (left_out > 0).then(|| Notification {
        level: "warning",
        message: Only(
            "text",
            format!("the worst {MOST} findings are here, {left_out} are left out; --format json has them all"),
        ),
    });
    let configuration = configuration.map(|configuration| Notification {
        level: "note",
        message: Only("text", format!("the audit applies {configuration}")),
    });
    if left_out.is_some() || configuration.is_some() {
        out.write_all(b"\n\"invocations\":[")?;
        put(&Invocation::of(left_out, configuration), &mut out)?;
        out.write_all(b"],")?;
    }
    out.write_all(b"\n\"columnKind\":\"utf16CodeUnits\",\"results\":[")?;
    put_list(findings, |finding, out| put(&ResultRecord::of(finding, &mut sources), out), &mut out)?;
    out.write_all(b"]}]}\n")
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
        Severity::Info => "none",
    }
}

/// Returns the kind of a result. A failure must have a level, and a result without a level must not
/// be a failure (§3.27.10).
const fn kind(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "informational",
        _ => "fail",
    }
}

/// Returns the score by which code scanning services group findings: critical from 9.0, high from
/// 7.0, medium from 4.0.
const fn score(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium => "5.5",
        Severity::Low => "2.0",
        Severity::Info => "0.0",
    }
}

/// An object with one field.
struct Only<T>(&'static str, T);

impl<T: Serialize> Serialize for Only<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, &self.1)])
    }
}

/// An `invocation` (§3.20).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_execution_notifications: Option<[Notification; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_configuration_notifications: Option<[Notification; 1]>,
}

impl Invocation {
    fn of(of_execution: Option<Notification>, of_configuration: Option<Notification>) -> Self {
        Self {
            execution_successful: true,
            tool_execution_notifications: of_execution.map(|notification| [notification]),
            tool_configuration_notifications: of_configuration.map(|notification| [notification]),
        }
    }
}

/// A `notification` (§3.58).
#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Only<String>,
}

/// A `reportingDescriptor` (§3.49).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleRecord {
    id: &'static str,
    short_description: Only<&'static str>,
    full_description: Only<&'static str>,
    help: Only<String>,
    help_uri: String,
    default_configuration: Only<&'static str>,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct RuleProperties {
    #[serde(rename = "security-severity")]
    security_severity: &'static str,
    tags: [&'static str; 1],
}

impl RuleRecord {
    fn of(rule: Rule) -> Self {
        Self {
            id: rule.id(),
            short_description: Only("text", rule.fires_when()),
            full_description: Only("text", rule.why()),
            help: Only("text", format!("{} {}", rule.why(), rule.remedy())),
            help_uri: format!("{DOCUMENTATION}spec/audit/index.html#{}", rule.id()),
            default_configuration: Only("level", level(rule.severity())),
            properties: RuleProperties { security_severity: score(rule.severity()), tags: ["security"] },
        }
    }
}

/// A `result` (§3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultRecord<'f> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    kind: &'static str,
    message: Only<String>,
    locations: [Only<PhysicalLocation>; 1],
    occurrence_count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    /// The fingerprint. Its name ends in the version of the hashed fields (§3.27.17).
    partial_fingerprints: Only<String>,
    properties: ResultProperties<'f>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Only<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<RegionRecord>,
}

/// A `region` (§3.30). Lines and columns count from 1, and the end column is exclusive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RegionRecord {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
}

impl RegionRecord {
    fn of(place: &ReportedPlace<'_>, sources: &mut Sources) -> Self {
        let columns = sources.columns(place);
        Self {
            start_line: place.line,
            start_column: columns.map(|columns| columns.start),
            // `endLine` defaults to `startLine`.
            end_line: columns.map(|columns| columns.end_line).filter(|&line| line != place.line),
            end_column: columns.map(|columns| columns.end),
        }
    }
}

/// The properties, with the names of [JSON](super::json).
#[derive(Serialize)]
struct ResultProperties<'f> {
    url: Cow<'f, str>,
    severity: &'static str,
    offset: u64,
    length: u64,
    line: u64,
    column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_message: Option<InMessage<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'f str>,
}

impl<'f> ResultRecord<'f> {
    fn of(finding: &'f ReportedFinding<'_>, sources: &mut Sources) -> Self {
        let ReportedFinding { rule, severity, url, count, first: place, message, is_new, .. } = finding;
        Self {
            rule_id: rule.id(),
            rule_index: *rule as usize,
            level: level(*severity),
            kind: kind(*severity),
            message: Only("text", message.replace("](", "] (")),
            locations: [Only(
                "physicalLocation",
                PhysicalLocation {
                    artifact_location: Only("uri", uri(sources.relative(place.file))),
                    region: place.is_in_file().then(|| RegionRecord::of(place, sources)),
                },
            )],
            occurrence_count: *count,
            baseline_state: is_new.map(|is_new| if is_new { "new" } else { "unchanged" }),
            partial_fingerprints: Only("ruleUrlFile/v1", shown_fingerprint(*rule, url, place.file)),
            properties: ResultProperties {
                url: String::from_utf8_lossy(url),
                severity: severity.as_str(),
                offset: place.offset,
                length: place.length,
                line: place.line,
                column: place.column,
                in_message: place.in_message,
                part: place.in_message.and_then(|message| message.part),
                encoding: place.in_message.and_then(|message| message.encoding),
            },
        }
    }
}

/// Returns a fingerprint that is the same for a finding in every run, on every machine.
fn shown_fingerprint(rule: Rule, url: &[u8], file: &[u8]) -> String {
    format!("{:032x}", fingerprint(rule.id(), url, file))
}

/// Returns the name of a file as a URI reference.
fn uri(file: &[u8]) -> String {
    let mut uri = String::new();
    if file.starts_with(b"/") {
        uri.push_str("file://");
    }
    for &byte in file {
        // `:` is escaped too, since it would make the first segment a scheme.
        if byte.is_ascii_alphanumeric() || b"-._~/!".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::samples;
    use super::*;

    fn document<'r>(findings: impl IntoIterator<Item = ReportedFinding<'r>>) -> Value {
        let mut out = Vec::new();
        write(None, findings, 0, Sources::default(), &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn the_document_is_what_the_standard_asks_for() {
        let value = document(samples::findings());
        assert_eq!(value["version"], "2.1.0");
        let run = &value["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert_eq!(rules.len(), Rule::ALL.len());
        for (rule, known) in rules.iter().zip(Rule::ALL) {
            assert_eq!(rule["id"], known.id());
            assert_eq!(rule["shortDescription"]["text"], known.fires_when());
            assert!(rule["help"]["text"].as_str().unwrap().ends_with(known.remedy()));
            let help = rule["helpUri"].as_str().unwrap();
            assert!(help.starts_with(DOCUMENTATION) && help.ends_with(&format!("#{}", known.id())), "{help}");
            assert!(rule["properties"]["security-severity"].as_str().unwrap().parse::<f32>().is_ok());
        }
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        for result in results {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], rules[index]["id"]);
            assert_eq!(result["level"] == "none", result["kind"] == "informational");
            assert_eq!(result["occurrenceCount"], 2);
        }
        assert_eq!(results[0]["level"], "error");
        assert_eq!(results[1]["level"], "warning");
        assert_eq!(results[2]["level"], "none");
    }

    /// Checks the names, since the schema allows no others. Reports of the corpora were valid
    /// against the schema itself (2026-11).
    #[test]
    fn objects_have_the_names_of_the_standard() {
        let value = document(samples::findings());
        let run = &value["runs"][0];
        let driver = &run["tool"]["driver"];
        let result = &run["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        for (object, names) in [
            (&value, "$schema runs version"),
            (run, "columnKind results tool"),
            (driver, "informationUri name rules version"),
            (&driver["rules"][0], "defaultConfiguration fullDescription help helpUri id properties shortDescription"),
            (result, "kind level locations message occurrenceCount partialFingerprints properties ruleId ruleIndex"),
            (place, "artifactLocation region"),
        ] {
            let keys: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys.join(" "), names);
        }
    }

    #[test]
    fn a_place_is_a_line_of_its_file_or_only_the_file() {
        let value = document(samples::findings());
        let place = |number: usize| value["runs"][0]["results"][number]["locations"][0]["physicalLocation"].clone();
        assert_eq!(place(0), json!({"artifactLocation": {"uri": "talk.mbox"}, "region": {"startLine": 12}}));
        assert_eq!(place(1), json!({"artifactLocation": {"uri": "my%20talk.mbox"}}));
        let properties = &value["runs"][0]["results"][1]["properties"];
        assert_eq!((&properties["encoding"], &properties["offset"]), (&json!("unpacked"), &json!(512)));
    }

    #[test]
    fn names_of_files_are_references() {
        for (file, expected) in [
            ("talk.mbox", "talk.mbox"),
            ("./a b/ü.txt", "a%20b/%C3%BC.txt"),
            ("/var/mail/joe", "file:///var/mail/joe"),
            ("//x/y", "file:////x/y"),
            ("a.tar!/b:c", "a.tar!/b%3Ac"),
            ("c:x", "c%3Ax"),
            ("a?b#c%d\\e", "a%3Fb%23c%25d%5Ce"),
            ("-", "-"),
        ] {
            assert_eq!(uri(Sources::default().relative(file.into())), expected);
        }
        assert_eq!(uri(b"\xFF\n"), "%FF%0A");
    }

    #[test]
    fn a_fingerprint_is_of_rule_url_and_file() {
        let of = |rule, url: &str, file: &str| shown_fingerprint(rule, url.as_bytes(), file.as_bytes());
        let one = of(Rule::Crlf, "http://h/", "f");
        // This value must never change: services match the findings of two runs by it.
        assert_eq!(one, "def85f43d5c4b35cf898b929f227d221");
        for other in
            [of(Rule::Nul, "http://h/", "f"), of(Rule::Crlf, "http://h/x", "f"), of(Rule::Crlf, "http://h/", "g")]
        {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn hostile_text_does_no_harm() {
        let hostile = samples::hostile();
        let mut out = Vec::new();
        write(None, [hostile.finding()], 0, Sources::default(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        samples::assert_no_control(&text.replace('\n', " "));
        assert!(!text.contains('<'));
        let value: Value = serde_json::from_str(&text).unwrap();
        let result = &value["runs"][0]["results"][0];
        assert!(!result["message"]["text"].as_str().unwrap().contains("]("));
        assert_eq!(result["properties"]["url"], hostile.url.as_str());
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'<'), "{uri}");
    }
}

//! A former report of an audit, to tell what is new: the JSON of `urlgrep audit --format json`, read back.
//!
//! A finding is the same if rule, URL and file are: offsets and lines move when a text is edited. Secrets are masked before
//! they are compared, so a report with them and one without know each other.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hasher;
use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::IgnoredAny;
use siphasher::sip128::{Hasher128, SipHasher13};
use urlgrep::audit::{Rule, Severity, mask};

/// The findings of a former report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Baseline {
    known: HashSet<u128>,
}

/// What a report comes to beside a former one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Findings that the former report does not have, by severity.
    pub(crate) new: BTreeMap<Severity, u64>,
    /// Findings that it has, too.
    pub(crate) known: u64,
    /// Findings that it alone has.
    pub(crate) gone: u64,
}

impl Baseline {
    /// Reads a report. What it does not know in it is passed over.
    ///
    /// # Errors
    ///
    /// Those of the reader; and if it is no such report, with the place and the remedy.
    pub(crate) fn read(mut input: impl Read) -> io::Result<Baseline> {
        let mut report = Vec::new();
        input.read_to_end(&mut report)?;
        let report: BaselineReport = serde_json::from_slice(&report).map_err(|error| {
            let message =
                format!("is no report of `urlgrep audit --format json`: {error}; make one with that, and name it here");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        let known = report.findings.iter().map(|BaselineFinding { rule, url, url_bytes, file, file_bytes }| {
            identity(rule, &bytes(url, url_bytes.as_deref()), &bytes(file, file_bytes.as_deref()))
        });
        Ok(Baseline { known: known.collect() })
    }

    /// True if the former report has this finding.
    #[must_use]
    pub(crate) fn knows(&self, rule: Rule, url: &[u8], file: &[u8]) -> bool {
        self.known.contains(&identity(rule.id(), url, file))
    }

    /// What findings, by their [identity], come to beside the former ones.
    pub(super) fn compare(&self, findings: impl Iterator<Item = (Severity, u128)>) -> Comparison {
        let mut comparison = Comparison::default();
        let mut seen = HashSet::new();
        for (severity, identity) in findings {
            match self.known.contains(&identity) {
                true => {
                    comparison.known += 1;
                    seen.insert(identity);
                }
                false => *comparison.new.entry(severity).or_default() += 1,
            }
        }
        comparison.gone = (self.known.len() - seen.len()) as u64;
        comparison
    }
}

/// What a finding is the same by.
pub(super) fn identity(rule: &str, url: &[u8], file: &[u8]) -> u128 {
    fingerprint(rule, &mask(url), file.strip_prefix(b"./").unwrap_or(file))
}

/// The same for the same texts in every run, on every machine.
pub(super) fn fingerprint(rule: &str, url: &[u8], file: &[u8]) -> u128 {
    let mut hasher = SipHasher13::new();
    for field in [rule.as_bytes(), url, file] {
        hasher.write(field);
        // A NUL is in no id and no file's name, so two different triples are two different texts.
        hasher.write(&[0]);
    }
    hasher.finish128().as_u128()
}

/// A field's bytes: those of the field beside it, where its text is lossy.
fn bytes(text: &str, encoded: Option<&str>) -> Vec<u8> {
    encoded.and_then(|encoded| STANDARD.decode(encoded).ok()).unwrap_or_else(|| text.into())
}

/// The parts of the document that matter here, and those by which it is told from others.
#[derive(Deserialize)]
struct BaselineReport {
    #[serde(rename = "summary")]
    _summary: IgnoredAny,
    findings: Vec<BaselineFinding>,
}

#[derive(Deserialize)]
struct BaselineFinding {
    rule: String,
    url: String,
    url_bytes: Option<String>,
    file: String,
    file_bytes: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_known_by_rule_url_and_file() {
        let report = br#"{"summary": {}, "urls": [], "findings": [
            {"rule": "A-PASSWORD", "url": "ftp://joe:***@h.example/", "file": "a.txt", "line": 7}
        ]}"#;
        let baseline = Baseline::read(&report[..]).unwrap();
        assert!(baseline.knows(Rule::Password, b"ftp://joe:secret@h.example/", b"./a.txt"));
        assert!(!baseline.knows(Rule::Password, b"ftp://joe:secret@h.example/", b"b.txt"));
    }

    #[test]
    fn what_is_no_report_is_refused_with_place_and_remedy() {
        for (text, place) in [
            ("", "EOF while parsing a value at line 1 column 0"),
            ("{}", "missing field `summary` at line 1 column 2"),
            ("{\"summary\":{},\n\"findings\":[{\"rule\":1}]}", "expected a string at line 2 column 21"),
            ("{\"summary\":{},\"findings\":[]} x", "trailing characters at line 1 column 30"),
            ("{\"error_map\":{}}", "missing field `summary` at line 1 column 16"),
        ] {
            let error = Baseline::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(place) && error.ends_with("; make one with that, and name it here"), "{error}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_compared_as_they_are() {
        let report = r#"{"summary":{},"findings":[
            {"rule":"X-INVALID","url":"http://h/\uFFFD","url_bytes":"aHR0cDovL2gv/w==","file":"a\uFFFD","file_bytes":"Yf8="}]}"#;
        let baseline = Baseline::read(report.as_bytes()).unwrap();
        assert!(baseline.knows(Rule::Invalid, b"http://h/\xFF", b"a\xFF"));
        assert!(!baseline.knows(Rule::Invalid, "http://h/\u{FFFD}".as_bytes(), b"a\xFF"));
        let known = (Severity::Medium, identity("X-INVALID", b"http://h/\xFF", b"a\xFF"));
        let now = [known, known, (Severity::Info, identity("X-LATER", b"http://h/\xFF", b"a\xFF"))];
        let of = |from: usize| baseline.compare(now[from..].iter().copied());
        assert_eq!(of(0), Comparison { new: [(Severity::Info, 1)].into(), known: 2, gone: 0 });
        assert_eq!(of(2), Comparison { new: [(Severity::Info, 1)].into(), known: 0, gone: 1 });
    }
}

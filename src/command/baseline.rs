//! An earlier report of an audit, which shows which findings are new. The report is the JSON of
//! `urlgrep audit --format json`.
//!
//! Two findings are the same if they agree in rule, URL and file. Offsets and lines are ignored,
//! since they move when a text is edited. If one folder was audited, files are also compared by
//! their paths below it. So a report from another machine or folder matches too. Secrets are masked
//! before the comparison, so a report that shows them matches one that masks them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hasher;
use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bstr::{BStr, BString, ByteSlice};
use serde::Deserialize;
use siphasher::sip128::{Hasher128, SipHasher13};
use urlgrep::audit::{Rule, Severity, mask, mask_text};
use urlgrep::url::equality_key;

/// An earlier report: its findings and its URLs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Baseline {
    findings: Vec<FormerFinding>,
    /// Indices of the findings by [identity](identities). A finding below the root of its report may
    /// have two identities.
    known: HashMap<u128, usize>,
    urls: HashSet<u128>,
}

/// A finding of an earlier report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormerFinding {
    pub(crate) rule: String,
    /// The URL, with its secrets masked.
    pub(crate) url: BString,
    pub(crate) file: BString,
}

/// The difference between a report and an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The number of findings that the earlier report lacks, by severity.
    pub(crate) new: BTreeMap<Severity, u64>,
    /// The number of findings that both reports have.
    pub(crate) known: u64,
    /// Findings that only the earlier report has.
    pub(crate) gone: Vec<FormerFinding>,
}

impl Baseline {
    /// Reads a report, and ignores unrecognised fields.
    ///
    /// # Errors
    ///
    /// Returns the reader's errors. If the input is not such a report, the error has the place and
    /// the remedy.
    pub(crate) fn read(mut input: impl Read) -> io::Result<Baseline> {
        let mut report = Vec::new();
        input.read_to_end(&mut report)?;
        let report: BaselineReport = serde_json::from_slice(&report).map_err(|error| {
            let message =
                format!("is not a report of `urlgrep audit --format json`: {error}; make one with that command");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        let root = report.summary.root.unwrap_or_default();
        let mut baseline = Baseline::default();
        for BaselineFinding { rule, url, url_bytes, file, file_bytes } in report.findings {
            // A report that shows secrets must match one that masks them.
            let url = mask(bytes(&url, url_bytes.as_deref()).as_bstr()).into_owned();
            let file = bytes(&file, file_bytes.as_deref());
            let at = baseline.findings.len();
            for identity in identities(&rule, url.as_bstr(), file.as_bstr(), root.as_bytes()) {
                baseline.known.insert(identity, at);
            }
            baseline.findings.push(FormerFinding { rule, url, file });
        }
        let urls = report.urls.into_iter().map(|BaselineUrl { url, url_bytes }| bytes(&url, url_bytes.as_deref()));
        baseline.urls = urls.map(|url| url_identity(url.as_bstr())).collect();
        Ok(baseline)
    }

    /// Returns whether the earlier report has this URL.
    pub(super) fn has_url(&self, url: &BStr) -> bool {
        self.urls.contains(&url_identity(url))
    }

    /// Returns the index of the earlier finding that is the same as this one. Files are compared by
    /// name, and by their path below the root of each report.
    pub(super) fn position(&self, rule: Rule, url: &BStr, file: &BStr, root: &[u8]) -> Option<usize> {
        identities(rule.id(), url, file, root).find_map(|identity| self.known.get(&identity).copied())
    }

    /// Compares findings, each given with the index of the same earlier finding, if there is one.
    pub(super) fn compare(&self, findings: impl Iterator<Item = (Severity, Option<usize>)>) -> Comparison {
        let mut comparison = Comparison::default();
        let mut is_gone = vec![true; self.findings.len()];
        for (severity, former) in findings {
            match former {
                Some(at) => {
                    comparison.known += 1;
                    is_gone[at] = false;
                }
                None => *comparison.new.entry(severity).or_default() += 1,
            }
        }
        let gone = self.findings.iter().zip(is_gone).filter(|(_, is_gone)| *is_gone);
        comparison.gone = gone.map(|(finding, _)| finding.clone()).collect();
        comparison
    }
}

/// Returns the identity of a URL. Equal URLs have the same identity, with their secrets masked or
/// not.
fn url_identity(url: &BStr) -> u128 {
    fingerprint("", &equality_key(&mask(url)), b"")
}

/// Returns the identities of a finding. One identity has the file's name as given. If the file is
/// below the root, another identity has its path there.
fn identities(rule: &str, url: &BStr, file: &BStr, root: &[u8]) -> impl Iterator<Item = u128> {
    // A report shows no secrets in the names of files, either.
    let (url, file, root) = (mask(url), mask_text(file), mask_text(root));
    let (file, root): (&BStr, &[u8]) = (&file, root.as_bytes());
    let below = file.strip_prefix(root).filter(|_| !root.is_empty()).map(|file| file.trim_start_with(|c| c == '/'));
    let named = fingerprint(rule, &url, file.strip_prefix(b"./").unwrap_or(file));
    // If the root is the working folder, both identities are equal.
    let seen = below.map(|file| fingerprint(rule, &url, file));
    std::iter::once(named).chain(seen.filter(|&seen| seen != named))
}

/// Returns a hash of the texts that is the same in every run, on every machine.
pub(super) fn fingerprint(rule: &str, url: &[u8], file: &[u8]) -> u128 {
    let mut hasher = SipHasher13::new();
    for field in [rule.as_bytes(), url, file] {
        hasher.write(field);
        // An id or a file name never contains a NUL, so two different triples hash different texts.
        hasher.write(&[0]);
    }
    hasher.finish128().as_u128()
}

/// Returns the bytes of a field. If its text is lossy, `encoded` has the exact bytes in base64.
fn bytes(text: &str, encoded: Option<&str>) -> BString {
    encoded.and_then(|encoded| STANDARD.decode(encoded).ok()).map_or_else(|| text.into(), BString::from)
}

/// The parts of the report that matter here. The required fields distinguish a report from other
/// JSON.
#[derive(Deserialize)]
struct BaselineReport {
    summary: BaselineSummary,
    #[serde(default)]
    urls: Vec<BaselineUrl>,
    findings: Vec<BaselineFinding>,
}

#[derive(Deserialize)]
struct BaselineSummary {
    root: Option<String>,
}

#[derive(Deserialize)]
struct BaselineUrl {
    url: String,
    url_bytes: Option<String>,
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

    fn has(baseline: &Baseline, rule: Rule, url: &[u8], file: &[u8]) -> bool {
        baseline.position(rule, url.into(), file.into(), b"").is_some()
    }

    #[test]
    fn a_finding_is_known_by_rule_url_and_file() {
        let report = br#"{"summary": {}, "urls": [], "findings": [
            {"rule": "A-PASSWORD", "url": "ftp://joe:***@h.example/", "file": "a.txt", "line": 7}
        ]}"#;
        let baseline = Baseline::read(&report[..]).unwrap();
        assert!(has(&baseline, Rule::Password, b"ftp://joe:secret@h.example/", b"./a.txt"));
        assert!(!has(&baseline, Rule::Password, b"ftp://joe:secret@h.example/", b"b.txt"));
    }

    #[test]
    fn files_are_the_same_below_the_root_of_each_report() {
        let report = br#"{"summary": {"root": "/build/7/docs"}, "urls": [], "findings": [
            {"rule": "A-NUL", "url": "http://h/%00", "file": "/build/7/docs/a/b.md"}
        ]}"#;
        let baseline = Baseline::read(&report[..]).unwrap();
        let of = |file: &str, root: &str| {
            baseline.position(Rule::Nul, "http://h/%00".into(), file.into(), root.as_bytes()).is_some()
        };
        assert!(of("docs/a/b.md", "docs") && of("docs/a/b.md", "docs/") && of("a/b.md", "") && of("./a/b.md", "."));
        assert!(of("/build/7/docs/a/b.md", ""));
        assert!(!of("docs/a/b.md", "") && !of("docs/b.md", "docs"));
    }

    #[test]
    fn a_url_is_known_however_it_is_written() {
        let report = br#"{"summary": {}, "urls": [{"url": "HTTP://H.example:80/a"}, {"url": "ftp://j:***@h/"}], "findings": []}"#;
        let baseline = Baseline::read(&report[..]).unwrap();
        assert!(baseline.has_url("http://h.example/a".into()) && baseline.has_url("ftp://j:secret@h/".into()));
        assert!(!baseline.has_url("http://h.example/b".into()));
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
            assert!(error.contains(place) && error.ends_with("; make one with that command"), "{error}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_compared_as_they_are() {
        let report = r#"{"summary":{},"findings":[
            {"rule":"X-INVALID","url":"http://h/\uFFFD","url_bytes":"aHR0cDovL2gv/w==","file":"a\uFFFD","file_bytes":"Yf8="}]}"#;
        let baseline = Baseline::read(report.as_bytes()).unwrap();
        assert!(has(&baseline, Rule::Invalid, b"http://h/\xFF", b"a\xFF"));
        assert!(!has(&baseline, Rule::Invalid, "http://h/\u{FFFD}".as_bytes(), b"a\xFF"));
        let now = [(Severity::Medium, Some(0)), (Severity::Medium, Some(0)), (Severity::Info, None)];
        let of = |from: usize| baseline.compare(now[from..].iter().copied());
        let gone =
            FormerFinding { rule: "X-INVALID".into(), url: b"http://h/\xFF"[..].into(), file: b"a\xFF"[..].into() };
        assert_eq!(of(0), Comparison { new: [(Severity::Info, 1)].into(), known: 2, gone: vec![] });
        assert_eq!(of(2), Comparison { new: [(Severity::Info, 1)].into(), known: 0, gone: vec![gone] });
    }
}

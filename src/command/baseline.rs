//! A former report of an audit, to tell what is new: the JSON of `urlgrep audit --format json`, read back.
//!
//! A finding is the same if rule, URL and file are: offsets and lines move when a text is edited. Where one folder was audited,
//! files are also compared as they are seen from it, so that a report that was made elsewhere fits. Secrets are masked before
//! they are compared, so a report with them and one without know each other.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hasher;
use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bstr::{BStr, BString, ByteSlice};
use serde::Deserialize;
use siphasher::sip128::{Hasher128, SipHasher13};
use urlgrep::audit::{Rule, Severity, mask};
use urlgrep::url::equality_key;

/// A former report: its findings and its URLs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Baseline {
    findings: Vec<FormerFinding>,
    /// Which finding has an [identity]; one in the root of its report has two.
    known: HashMap<u128, usize>,
    urls: HashSet<u128>,
}

/// A finding of a former report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormerFinding {
    pub(crate) rule: String,
    /// Without secrets.
    pub(crate) url: BString,
    pub(crate) file: BString,
}

/// What a report comes to beside a former one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Findings that the former report does not have, by severity.
    pub(crate) new: BTreeMap<Severity, u64>,
    /// Findings that it has, too.
    pub(crate) known: u64,
    /// Findings that it alone has.
    pub(crate) gone: Vec<FormerFinding>,
}

impl Baseline {
    /// Reads a report, and skips what it does not know in it.
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
        let root = report.summary.root.unwrap_or_default();
        let mut baseline = Baseline::default();
        for BaselineFinding { rule, url, url_bytes, file, file_bytes } in report.findings {
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

    /// Returns whether the former report has this URL.
    pub(super) fn has_url(&self, url: &BStr) -> bool {
        self.urls.contains(&url_identity(url))
    }

    /// Returns which of the former findings is this one. Files are compared as they are named, and as they are seen from the
    /// root of each report.
    pub(super) fn position(&self, rule: Rule, url: &BStr, file: &BStr, root: &[u8]) -> Option<usize> {
        identities(rule.id(), url, file, root).find_map(|identity| self.known.get(&identity).copied())
    }

    /// Compares findings, each by which of the former ones it is.
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

/// Returns what a URL is the same by, however it is written, with its secrets or without.
fn url_identity(url: &BStr) -> u128 {
    fingerprint("", &equality_key(&mask(url)), b"")
}

/// Returns what a finding is the same by: with the file as it is named, and as it is seen from the root.
fn identities(rule: &str, url: &BStr, file: &BStr, root: &[u8]) -> impl Iterator<Item = u128> {
    let url = mask(url);
    let below = file.strip_prefix(root).filter(|_| !root.is_empty()).map(|file| file.trim_start_with(|c| c == '/'));
    let named = fingerprint(rule, &url, file.strip_prefix(b"./").unwrap_or(file));
    // A root that is the working folder gives the same twice.
    let seen = below.map(|file| fingerprint(rule, &url, file));
    std::iter::once(named).chain(seen.filter(|&seen| seen != named))
}

/// Returns a hash that is the same for the same texts in every run, on every machine.
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
fn bytes(text: &str, encoded: Option<&str>) -> BString {
    encoded.and_then(|encoded| STANDARD.decode(encoded).ok()).map_or_else(|| text.into(), BString::from)
}

/// The parts of the document that matter here, and those by which it is told from others.
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
            assert!(error.contains(place) && error.ends_with("; make one with that, and name it here"), "{error}");
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

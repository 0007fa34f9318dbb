//! The results of a link checker: the JSON report of lychee (`lychee -v --format json`), read back.
//!
//! An audit itself connects to no server. It prints the URLs that a checker can check
//! (`--format urls`), and reads the checker's results with `--checked FILE`. Without lychee's `-v`,
//! the report has only broken and excluded links. With `-v`, it also has working and redirected
//! links.
//!
//! The checker reports URLs as browsers see them (WHATWG): dot segments removed, hosts in punycode,
//! the slash of `https://h/` added. So a URL is converted to that form, and then compared by the
//! equality of the specification, section 4. Passwords are not compared, since the checker may have
//! been given masked ones. Secrets in its texts, and in the targets of redirects, are masked.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};
use urlgrep::audit::Rule;
use urlgrep::url::Generic;

use super::veil;

/// The results of a link checker, by URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    statuses: HashMap<Vec<u8>, LinkStatus>,
}

/// The checker's result for one URL. Its `Display` is short: `404 Not Found`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LinkStatus {
    class: StatusClass,
    /// The HTTP status, if a server responded.
    code: Option<u16>,
    /// The result in words, such as `404 Not Found` or `Request timed out`.
    text: String,
    /// The redirects in order; empty if the URL was not redirected.
    redirects: Vec<Redirect>,
    /// A copy in a web archive, if the checker was run with `--suggest` and found one.
    archived: Option<String>,
}

/// The outcomes of a check, for people. The first two mean that the URL works.
pub(crate) const OUTCOMES: [&str; 10] = [
    "well",
    "moved",
    "gone",
    "refused",
    "server-error",
    "timeout",
    "no-such-host",
    "certificate",
    "no-connection",
    "other",
];

/// The class of a status. If a report has several classes for one URL, the greatest applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StatusClass {
    /// The checker excluded the URL.
    Excluded,
    /// A server responds without an error.
    Fine,
    /// The URL redirects to another URL, which works.
    Redirected,
    /// No server responded in time.
    Timeout,
    /// No server can be reached, or the server responds with an error, or the fragment is missing.
    Broken,
}

impl StatusClass {
    /// Returns the stable name: `excluded`, `fine`, `redirected`, `timeout` or `broken`.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            StatusClass::Excluded => "excluded",
            StatusClass::Fine => "fine",
            StatusClass::Redirected => "redirected",
            StatusClass::Timeout => "timeout",
            StatusClass::Broken => "broken",
        }
    }
}

/// A redirect that a server sent to the checker.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Redirect {
    /// The target of the redirect.
    pub(crate) url: String,
    /// The HTTP status of the redirect: 301, 302, 303, 307 or 308.
    pub(crate) code: u16,
}

impl LinkStatus {
    /// Returns the class of the status.
    pub(crate) fn class(&self) -> StatusClass {
        self.class
    }

    /// Returns true if the URL works, directly or after redirects.
    pub(crate) fn answers(&self) -> bool {
        matches!(self.class, StatusClass::Fine | StatusClass::Redirected)
    }

    /// Returns the status as one of the [`OUTCOMES`], or `None` if the checker excluded the URL.
    pub(crate) fn outcome(&self) -> Option<&'static str> {
        let text = self.text.to_ascii_lowercase();
        // Without a status code, only lychee's words show the cause.
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        Some(match (self.class, self.code) {
            (StatusClass::Excluded, _) => return None,
            (StatusClass::Fine, _) => "well",
            (StatusClass::Redirected, _) => "moved",
            (StatusClass::Timeout, _) => "timeout",
            (StatusClass::Broken, Some(404 | 410)) => "gone",
            // LinkedIn responds to robots with 999.
            (StatusClass::Broken, Some(401 | 403 | 405 | 407 | 429 | 451 | 999)) => "refused",
            (StatusClass::Broken, Some(500..600)) => "server-error",
            (StatusClass::Broken, _) if says(&["certificate", "tls", "ssl"]) => "certificate",
            (StatusClass::Broken, _) if says(&["dns", "resolve", "name or service", "nodename"]) => "no-such-host",
            (StatusClass::Broken, _) if says(&["connect"]) => "no-connection",
            (StatusClass::Broken, _) => "other",
        })
    }

    /// Returns the rule that fires on this status.
    pub(crate) fn rule(&self) -> Option<Rule> {
        match self.class {
            StatusClass::Broken | StatusClass::Timeout => Some(Rule::Broken),
            StatusClass::Redirected => Some(Rule::Redirect),
            StatusClass::Fine | StatusClass::Excluded => None,
        }
    }

    /// Returns the message of a finding: the status, and the address of an archived copy.
    pub(crate) fn message(&self) -> String {
        match &self.archived {
            Some(archived) => format!("{self}; a web archive has {archived}"),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for LinkStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.redirects[..] {
            [] => Ok(()),
            [only] => write!(f, ", by {} to {}", only.code, only.url),
            [.., last] => write!(f, ", by {} redirects to {}", self.redirects.len(), last.url),
        }
    }
}

impl Checked {
    /// Reads lychee's JSON report, in the format of version 0.16 and later.
    ///
    /// It ignores unrecognised fields, and holds the report in memory until it is parsed. An error
    /// is the reader's, or names the fault with its line and column.
    pub(crate) fn read(mut input: impl Read) -> io::Result<Checked> {
        // Parsing from a slice is several times faster in serde_json than from a reader.
        let mut report = Vec::new();
        input.read_to_end(&mut report)?;
        let report: LycheeReport = serde_json::from_slice(&report).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("is not a report of `lychee --format json`: {error}"))
        })?;
        let mut checked = Checked::default();
        checked.add(StatusClass::Broken, report.error_map);
        checked.add(StatusClass::Timeout, report.timeout_map);
        checked.add(StatusClass::Fine, report.success_map);
        checked.add(StatusClass::Excluded, report.excluded_map);
        for Suggestion { original, suggestion } in report.suggestion_map.into_values().flatten() {
            if let Some(status) = key(original.as_bytes()).and_then(|key| checked.statuses.get_mut(&key)) {
                status.archived = Some(veil::url(suggestion));
            }
        }
        Ok(checked)
    }

    fn add(&mut self, class: StatusClass, sources: BySource<LycheeEntry>) {
        for body in sources.into_values().flatten() {
            let Some(key) = key(body.url.as_bytes()) else { continue };
            let status = LinkStatus::of(class, body);
            match self.statuses.get(&key) {
                Some(known) if known.class >= status.class => {}
                _ => drop(self.statuses.insert(key, status)),
            }
        }
    }

    /// Returns the checker's result for a URL, or for a URL equal to it.
    ///
    /// Servers never see a fragment. So a URL with a fragment has the status of the URL without it. It
    /// has its own status only if a rule fires on that status, for example because the fragment is
    /// missing.
    pub(crate) fn status(&self, url: &[u8]) -> Option<&LinkStatus> {
        let key = key(url)?;
        let whole = self.statuses.get(&key);
        match memchr::memchr(b'#', &key) {
            Some(hash) if whole.is_none_or(|status| status.rule().is_none()) => {
                self.statuses.get(&key[..hash]).or(whole)
            }
            _ => whole,
        }
    }
}

/// Returns bytes that are equal for URLs that the checker cannot distinguish. Returns `None` for a
/// URL that the checker cannot have checked.
fn key(url: &[u8]) -> Option<Vec<u8>> {
    let mut seen = ::url::Url::parse(std::str::from_utf8(url).ok()?).ok()?;
    // The call fails if there is no host, and then there is no password either.
    let _ = seen.set_password(None);
    let seen = String::from(seen).into_bytes();
    Some(Generic::parse(&seen).map(|generic| generic.key()).unwrap_or(seen))
}

impl LinkStatus {
    fn of(class: StatusClass, body: LycheeEntry) -> LinkStatus {
        let LycheeEntry { status: LycheeStatus { text, code, details }, redirects, .. } = body;
        let mut redirects = redirects.map_or_else(Vec::new, |chain| chain.redirects);
        for redirect in &mut redirects {
            redirect.url = veil::url(std::mem::take(&mut redirect.url));
        }
        // If there was no response, `text` repeats `details` and adds the URL. If the URL was excluded,
        // `details` only guesses the reason.
        let answer = if class == StatusClass::Excluded { text } else { details.unwrap_or(text) };
        let text = answer.strip_prefix("Rejected status code: ").unwrap_or(&answer).to_owned();
        // An error of the checker may quote the URL with its secrets.
        let text = veil::text(text);
        let class = if class == StatusClass::Fine && !redirects.is_empty() { StatusClass::Redirected } else { class };
        LinkStatus { class, code, text, redirects, archived: None }
    }
}

/// The parts of lychee's report that matter here. Its entries are grouped by their source file. The
/// maps are sorted, so that equal reports give equal results.
#[derive(Deserialize)]
struct LycheeReport {
    error_map: BySource<LycheeEntry>,
    #[serde(default)]
    timeout_map: BySource<LycheeEntry>,
    #[serde(default)]
    success_map: BySource<LycheeEntry>,
    #[serde(default)]
    excluded_map: BySource<LycheeEntry>,
    #[serde(default)]
    suggestion_map: BySource<Suggestion>,
}

type BySource<T> = BTreeMap<String, Vec<T>>;

#[derive(Deserialize)]
struct LycheeEntry {
    url: String,
    status: LycheeStatus,
    redirects: Option<Redirects>,
}

#[derive(Deserialize)]
struct LycheeStatus {
    text: String,
    code: Option<u16>,
    details: Option<String>,
}

#[derive(Deserialize)]
struct Redirects {
    redirects: Vec<Redirect>,
}

#[derive(Deserialize)]
struct Suggestion {
    original: String,
    suggestion: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &[u8] = include_bytes!("../../tests/checked/lychee-0.24.json");

    fn status(url: &str) -> Option<String> {
        let checked = Checked::read(REPORT).unwrap();
        checked.status(url.as_bytes()).map(|status| format!("{}: {status}", status.class().as_str()))
    }

    #[test]
    fn each_class_in_few_words() {
        for (url, expected) in [
            ("http://a.example/fine", "fine: 200 OK"),
            ("http://a.example/moved", "redirected: 200 OK, by 301 to http://b.example/"),
            ("http://a.example/chain", "redirected: 200 OK, by 3 redirects to http://c.example/end"),
            ("http://a.example/gone", "broken: 404 Not Found"),
            ("http://a.example/sent-away", "broken: 410 Gone, by 302 to http://b.example/gone"),
            ("http://joe:x@a.example/private", "redirected: 200 OK, by 307 to http://joe:***@b.example/"),
            ("http://a.example/wall", "broken: 999 Unknown status code"),
            ("http://a.example:1/", "broken: Connection refused - server may be down or port blocked"),
            ("http://a.example/slow", "timeout: Request timed out"),
            ("mailto:joe@a.example", "excluded: Excluded"),
        ] {
            assert_eq!(status(url).as_deref(), Some(expected), "{url}");
        }
        assert_eq!(status("http://a.example/never-asked"), None);
        assert_eq!(status("gopher://a.example/1"), None);
        assert_eq!(status("no url"), None);
        assert_eq!(Checked::read(REPORT).unwrap().statuses.len(), 14);
    }

    #[test]
    fn a_url_is_found_however_the_checker_wrote_it() {
        for url in [
            "HTTP://A.example:80/%66ine",
            "http://a.example/x/../fine",
            "http://a.example/./fine",
            "http://a.example/%2e/fine",
            "http://a.example/fine#part",
            "http://a.example/fine#",
        ] {
            assert_eq!(status(url).as_deref(), Some("fine: 200 OK"), "{url}");
        }
        // A slash that browsers add, punycode, and letters that they encode.
        assert!(status("https://b.example").is_some());
        assert!(status("http://münchen.example/ä").is_some());
        assert!(status("http://m%C3%BCnchen.example/%c3%a4").is_some());
        // The checker's URL may have a masked password, or the real one.
        assert!(status("http://joe:secret@a.example/private").is_some());
        assert!(status("http://joe:***@a.example/private").is_some());
        assert!(status("http://joe@a.example/private").is_some());
        assert_eq!(status("http://eve:***@a.example/private"), None, "another user may see another page");
        assert_eq!(status("http://a.example/Fine"), None);
        assert_eq!(status("https://a.example/fine"), None);
    }

    #[test]
    fn a_fragment_has_the_status_of_its_page_unless_it_is_missing_itself() {
        assert_eq!(
            status("http://a.example/moved#part").as_deref(),
            Some("redirected: 200 OK, by 301 to http://b.example/"),
            "lychee reports the redirect only once"
        );
        assert_eq!(status("http://a.example/fine#missing").as_deref(), Some("broken: Cannot find fragment"));
    }

    #[test]
    fn rules_and_messages() {
        let checked = Checked::read(REPORT).unwrap();
        let check = |url: &str| {
            let status = checked.status(url.as_bytes()).unwrap();
            (status.rule(), status.message())
        };
        assert_eq!(
            check("http://a.example/gone"),
            (
                Some(Rule::Broken),
                "404 Not Found; a web archive has http://web.archive.org/web/1999/http://a.example/gone".into()
            )
        );
        assert_eq!(check("http://a.example/slow"), (Some(Rule::Broken), "Request timed out".into()));
        assert_eq!(
            check("http://a.example/moved"),
            (Some(Rule::Redirect), "200 OK, by 301 to http://b.example/".into())
        );
        assert_eq!(check("http://a.example/fine").0, None);
        assert_eq!(check("mailto:joe@a.example").0, None);
    }

    #[test]
    fn the_worst_of_several_counts() {
        let report = br#"{
            "error_map": {"b": [{"url": "http://h/", "status": {"text": "x", "details": "y"}}]},
            "success_map": {"a": [{"url": "http://h/", "status": {"text": "200 OK", "code": 200}}]}
        }"#;
        assert_eq!(Checked::read(&report[..]).unwrap().status(b"http://h/").unwrap().class(), StatusClass::Broken);
    }

    #[test]
    fn what_is_no_report_is_refused_with_the_place() {
        for (text, expected) in [
            ("", "is not a report of `lychee --format json`: EOF while parsing a value at line 1 column 0"),
            ("{}", "is not a report of `lychee --format json`: missing field `error_map` at line 1 column 2"),
            (
                "{\n\"error_map\": {\"f\": [{\"url\": 1}]}}",
                "is not a report of `lychee --format json`: invalid type: integer `1`, expected a string at line 2 column 29",
            ),
            ("<html>", "is not a report of `lychee --format json`: expected value at line 1 column 1"),
        ] {
            assert_eq!(Checked::read(text.as_bytes()).unwrap_err().to_string(), expected);
        }
        let deep = "[".repeat(1 << 20);
        assert!(Checked::read(format!("{{\"error_map\":{deep}").as_bytes()).is_err());
    }

    #[test]
    fn a_failing_reader_is_not_taken_for_a_bad_report() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("on fire"))
            }
        }
        assert_eq!(Checked::read(Failing).unwrap_err().to_string(), "on fire");
    }
}

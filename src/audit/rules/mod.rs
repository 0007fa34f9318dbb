//! The rules of spec.md section 5, and a few more: what they are, and what they say of a URL ([`of_url`]) and of the
//! place where it stands ([`PlaceRules`]).
//!
//! A rule never changes a verdict (P-1). It looks at what some grammar accepted, and, where none did, at what is left:
//! `http://good.com\@evil.com/` is no URL, and that is what makes it dangerous.
//!
//! | file | looks at |
//! |---|---|
//! | `rule` | the table: every id with its texts and the function that decides it |
//! | `subject` | one URL as RFC 1738, RFC 3986 and a browser see it |
//! | `port`, `user`, `host` | the authority |
//! | `octets` | what escapes decode to, and the paths they stand in |
//! | `scheme`, `mail` | single schemes |
//! | `whole` | length and grammar |
//! | `place` | the text around it |

mod host;
mod mail;
mod octets;
mod place;
mod port;
mod rule;
mod scheme;
mod subject;
mod user;
mod whole;

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

pub use place::{PlaceRules, anchor, hyphen};
pub(crate) use place::{hyphen_excerpt, hyphen_readings};
pub use rule::Rule;

use rule::Decides;
pub(super) use subject::Rough;
use subject::Subject;

/// How bad a finding is.
///
/// ```
/// use urlgrep::audit::rules::Severity;
///
/// assert!(Severity::Info < Severity::Critical);
/// assert_eq!(Severity::from_name("medium"), Some(Severity::Medium));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing, nothing to mend.
    Info,
    /// Bad style, or a doubt.
    Low,
    /// Does not work everywhere, or tells what should be kept.
    Medium,
    /// Leads somewhere else than it seems to, or makes software do what nobody asked for.
    High,
    /// An attack, whoever wrote it.
    Critical,
}

impl Severity {
    /// Every severity, the mildest first.
    pub const ALL: &'static [Severity] =
        &[Severity::Info, Severity::Low, Severity::Medium, Severity::High, Severity::Critical];

    /// The stable name: `info`, `low`, `medium`, `high`, `critical`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
            Severity::Critical => "critical",
        }
    }

    /// The severity of this name; exact, in lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Severity> {
        Severity::ALL.iter().copied().find(|severity| severity.as_str() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a rule says of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How bad it is here.
    pub severity: Severity,
    /// The bytes of the URL that it is about.
    pub at: Range<usize>,
    /// What is wrong, with names and numbers. It never holds a password. Bytes of the URL in it are not escaped for a
    /// terminal.
    pub message: String,
}

/// What a function of a rule hands back: a finding less its rule.
struct Note {
    at: Range<usize>,
    message: String,
    /// Where it is not the rule's usual one.
    severity: Option<Severity>,
}

impl Note {
    fn new(at: Range<usize>, message: impl Into<String>) -> Note {
        Note { at, message: message.into(), severity: None }
    }

    fn with_severity(self, severity: Severity) -> Note {
        Note { severity: Some(severity), ..self }
    }

    fn finding(self, rule: Rule) -> Finding {
        let Note { at, message, severity } = self;
        Finding { rule, severity: severity.unwrap_or_else(|| rule.severity()), at, message }
    }
}

/// What the rules can be told.
///
/// ```
/// use urlgrep::audit::rules::{self, Options, Rule};
///
/// let strict = Options::new().longest(20);
/// let findings = rules::of_url(b"http://a.example/a/long/path", strict);
/// assert_eq!(findings[0].rule, Rule::Long);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    longest: usize,
    other_literal: bool,
}

impl Options {
    /// URLs of up to 2000 bytes are not long, and `//` announces a host in every scheme.
    #[must_use]
    pub const fn new() -> Options {
        Options { longest: 2000, other_literal: false }
    }

    /// The most bytes that a URL may have before A-LONG fires.
    #[must_use]
    pub const fn longest(self, bytes: usize) -> Options {
        Options { longest: bytes, ..self }
    }

    pub(crate) const fn is_other_literal(self) -> bool {
        self.other_literal
    }

    /// As [`ParseOptions::other_literal`](crate::url::ParseOptions::other_literal) (G-OTHER-2).
    #[must_use]
    pub const fn other_literal(self, yes: bool) -> Options {
        Options { other_literal: yes, ..self }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

/// What the rules say that the URL's bytes alone decide: in the order of [`Rule`], each rule at most once.
///
/// The URL need not be one: what no grammar accepts is looked at as far as its parts can be told.
///
/// # Complexity
///
/// Linear in the URL's length.
///
/// # Examples
///
/// ```
/// use urlgrep::audit::rules::{self, Options, Rule};
///
/// let findings = rules::of_url(b"gopher://h.example:25/0HELO%20x%0D%0AMAIL", Options::new());
/// assert!(findings.iter().map(|finding| finding.rule).eq([
///     Rule::PortNondefault, Rule::PortReserved, Rule::Crlf, Rule::Xproto,
/// ]));
/// ```
#[must_use]
pub fn of_url(url: &[u8], options: Options) -> Vec<Finding> {
    let subject = Subject::new(url, options);
    let fires = |&rule: &Rule| match rule.row().decides {
        Decides::Url(decide) => decide(&subject).map(|note| note.finding(rule)),
        Decides::Place | Decides::Checker => None,
    };
    Rule::ALL.iter().filter_map(fires).collect()
}

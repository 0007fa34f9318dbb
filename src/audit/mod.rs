//! The audit: rules that find what is wrong with a link.
//!
//! A URL that a grammar accepts can still be a trap. Its port may belong to another service. Its
//! octets may end a line in the middle of a protocol. Another program may find another host in it.
//! Section 6 of RFC 1738 names the first of these traps, and section 5 of the specification names
//! the rest. [`Rule::ALL`] lists the rules; [`findings`] returns those that fire on a match.
//!
//! A rule never changes a verdict (P-1). It inspects URLs that a grammar accepts, and texts that no
//! grammar accepts. No grammar accepts `http://good.com\@evil.com/`, but browsers open it.
//!
//! | file | subject |
//! |---|---|
//! | `rule` | the table: every rule with its texts and the function that decides it |
//! | `port`, `user`, `host` | the authority |
//! | `octets` | decoded escapes, and the paths that hold them |
//! | `scheme`, `mail` | single schemes |
//! | `nested` | nested URLs: redirections, gateways, shorteners |
//! | `whole` | length and grammar |
//! | `place`, `place_rules` | the text around the URL |
//! | `address` | mail addresses in texts |
//! | `encoded` | text in base64 and similar encodings |
//! | `inspected` | one URL as parsed by RFC 1738, RFC 3986 and a browser |
//! | `signs` | cheap signs in the URL, which select the rules to run |
//! | `token`, `secret` | keys and passwords, masked in every message |
//! | `secret_name`, `beside`, `layers` | where they look: names, the text beside a URL, escapes |
//! | `tenant` | hosts where anybody can publish pages |
//! | `site` | registrable domains |
//! | `known` | services by name: gateways, shorteners, page builders, keys |

mod address;
mod beside;
mod encoded;
mod finding;
mod host;
mod inspected;
mod known;
mod layers;
mod mail;
mod nested;
mod octets;
mod place;
mod place_rules;
mod port;
mod quote;
mod rule;
mod scheme;
mod secret;
mod secret_name;
mod signs;
mod site;
mod tenant;
#[cfg(test)]
mod tests;
mod token;
mod unseen;
mod user;
mod whole;

use std::ops::Range;

pub use finding::Severity;
pub use inspected::{Inspected, RuleOptions};
pub use place::{doubtful_readings, hyphen_excerpt};
pub use place_rules::PlaceRules;
pub use rule::Rule;
pub use scheme::data_in_short;
pub use secret::{has_token, mask, mask_text, masked_offset, secret_ranges};
pub use site::registrable_domain;

use std::borrow::Cow;

use bstr::BStr;

use crate::Match;
use finding::Remark;

/// A defect of a URL that a rule reports.
///
/// ```
/// use urlgrep::{Extractor, audit};
///
/// let found = Extractor::new().find("see http://a.example:25/").unwrap();
/// let findings: Vec<_> = audit::findings(&found, audit::RuleOptions::new()).collect();
/// assert!(findings.iter().any(|finding| finding.rule.id() == "A-PORT-NONDEFAULT"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How severe the finding is here.
    pub severity: Severity,
    /// The bytes of the URL that the finding is about.
    pub at: Range<usize>,
    /// The defect, with names and numbers. It never holds a secret. Bytes of the URL in it are not
    /// escaped for a terminal.
    pub message: String,
}

impl Finding {
    fn new(rule: Rule, remark: Remark) -> Finding {
        let Remark { at, mut message, severity } = remark;
        if message.is_empty() {
            message.push_str(rule.fires_when());
        }
        Finding { rule, severity: severity.unwrap_or_else(|| rule.severity()), at, message }
    }
}

/// Returns the findings for a match: first the findings about its URL's bytes, then those about its
/// place. Each rule fires at most once.
///
/// The URL is the match's [target](Match::target), and need not be valid. If no grammar accepts it,
/// the rules inspect the parts that can be recognised.
///
/// [`Rule::Broken`], [`Rule::Redirect`] and [`Rule::PlainHttp`] never fire, because this function
/// consults neither a server nor other matches.
///
/// # Complexity
///
/// Linear in the URL's length.
///
/// # Examples
///
/// ```
/// use urlgrep::Extractor;
/// use urlgrep::audit::{self, Rule, RuleOptions, Severity};
///
/// let found = Extractor::new().find(b"<URL:gopher://h.example:25/0HELO%20x%0D%0AMAIL>").unwrap();
/// let findings: Vec<_> = audit::findings(&found, RuleOptions::new()).collect();
/// assert!(findings.iter().map(|finding| finding.rule).eq([
///     Rule::PortNondefault, Rule::PortReserved, Rule::Crlf, Rule::Xproto,
/// ]));
/// assert_eq!(findings[1].message, "speaks gopher to port 25 (mail: smtp)");
/// assert_eq!(findings[3].severity, Severity::Critical);
/// ```
pub fn findings(found: &Match<'_>, options: RuleOptions) -> impl Iterator<Item = Finding> {
    let of_place = |&rule: &Rule| Some(Finding::new(rule, rule.of_place(found)?));
    let of_url = findings_of_url(found.target(), options).into_iter().filter(|finding| !finding.rule.is_excused(found));
    let at_place = |finding: Finding| match finding.rule.is_worse_at(found, &[finding.rule]) {
        true => Finding { severity: finding.rule.worse(finding.severity), ..finding },
        false => finding,
    };
    of_url.map(at_place).chain(Rule::PLACE.iter().flatten().filter_map(of_place))
}

impl Inspected<'_> {
    /// Returns the rules that fire on the bytes of the URL, with their severities. The place of the URL
    /// is ignored. The rules come in the order of [`Rule`].
    pub fn fired(&self) -> impl Iterator<Item = (Rule, Severity)> {
        let severity = |(rule, remark): (Rule, Remark)| (rule, remark.severity.unwrap_or_else(|| rule.severity()));
        remarks(self).into_iter().map(severity)
    }

    /// Returns false if no rule [fires](Self::fired), and true if a rule may fire. This is faster than
    /// [`fired`](Self::fired).
    #[must_use]
    pub fn may_fire(&self) -> bool {
        Rule::asked(self.signs).next().is_some()
    }
}

/// Returns the finding of A-HYPHEN for a reading and its alternatives.
///
/// Returns `None` unless another reading is a URL that differs from the first only by hyphens. The
/// finding is worse if the host is in doubt.
///
/// # Complexity
///
/// Linear in the lengths of the readings.
///
/// # Examples
///
/// ```
/// use urlgrep::audit::{self, Severity};
///
/// let other = bstr::BStr::new("http://foobar.example/");
/// let finding = audit::hyphen_finding(b"http://foo-bar.example/", [other.into()].into_iter()).unwrap();
/// assert_eq!((finding.severity, finding.at), (Severity::Medium, 10..11));
/// assert_eq!(finding.message, "may also be `http://foobar.example/`");
/// ```
pub fn hyphen_finding<'r>(first: &[u8], others: impl Iterator<Item = Cow<'r, BStr>>) -> Option<Finding> {
    place::hyphen_of(first, others).map(|remark| Finding::new(Rule::Hyphen, remark))
}

/// Returns the names of the characters that A-BIDI or A-BIDI-NEAR fires on at a match. The result
/// is empty if neither fires.
///
/// # Complexity
///
/// Linear in the span's length.
///
/// # Examples
///
/// ```
/// use urlgrep::{Extractor, audit};
///
/// let found = Extractor::new().find("<URL:http://a.example/\u{202E}gpj.exe>").unwrap();
/// assert_eq!(audit::unseen_names(&found), "U+202E RIGHT-TO-LEFT OVERRIDE");
/// ```
#[must_use]
pub fn unseen_names(found: &Match<'_>) -> String {
    let inside = unseen::inside(found);
    unseen::named(if inside.is_empty() { unseen::near(found) } else { inside }.as_str())
}

/// Returns the finding of X-ANCHOR for a link and the host that the text of its anchor shows.
///
/// Returns `None` if both hosts have the same owner, or if only a gateway can resolve the target.
///
/// # Complexity
///
/// Linear.
///
/// # Examples
///
/// ```
/// use urlgrep::audit;
///
/// let finding = audit::anchor_finding(b"http://evil.example/", "bank.test").unwrap();
/// assert_eq!(finding.message, "shows `bank.test`, but goes to `evil.example`");
/// assert_eq!(audit::anchor_finding(b"http://www.bank.test/", "bank.test"), None);
/// ```
#[cfg(feature = "archive")]
pub fn anchor_finding(url: &[u8], shown_host: &str) -> Option<Finding> {
    place::anchor_of(url, shown_host).map(|remark| Finding::new(Rule::Anchor, remark))
}

/// Returns the findings about the bytes of a URL, in the order of [`Rule`]. For a URL with a place
/// in a text, see [`findings`].
///
/// # Complexity
///
/// Linear in the URL's length.
///
/// # RFC
///
/// RFC 1738 section 6.
///
/// # Examples
///
/// ```
/// use urlgrep::audit::{self, Rule, RuleOptions};
///
/// let findings = audit::findings_of_url(b"http://good.example\\@evil.example/", RuleOptions::new());
/// assert!(findings.iter().any(|finding| finding.rule == Rule::Backslash));
/// ```
#[must_use]
pub fn findings_of_url(url: &[u8], options: RuleOptions) -> Vec<Finding> {
    let remarks = remarks(&Inspected::new(url, options)).into_iter();
    remarks.map(|(rule, remark)| Finding::new(rule, remark)).collect()
}

/// Returns the remarks of the rules about a URL's bytes, in the order of the rules.
///
/// If the URL goes through a gateway and shows its target, the rules inspect the target. A-GATEWAY
/// and the rules of the grammar judge the URL as written.
fn remarks(url: &Inspected<'_>) -> Vec<(Rule, Remark)> {
    let Some(target) = nested::target(url) else {
        return of_rules(url, |_| true).collect();
    };
    let is_open = url.gateway.is_some_and(|gateway| gateway.is_open);
    let is_of_text = |rule| matches!(rule, Rule::Gateway | Rule::Invalid | Rule::Later);
    let mut remarks: Vec<_> = of_rules(url, |rule| is_of_text(rule) || is_open && rule == Rule::Redirector).collect();
    let at = |(rule, remark)| (rule, Remark { at: target.at.clone(), ..remark });
    if !is_open {
        remarks.extend(nested::sent_on_behind(&target.url, url).map(|remark| at((Rule::Redirector, remark))));
    }
    if let Some(meant) = nested::meant(&target.url, url.options) {
        // A-REDIRECT fires at most once. The remarks above already include the redirection of an open
        // gateway.
        let is_sent_on = is_open || remarks.iter().any(|(rule, _)| *rule == Rule::Redirector);
        let is_asked = |rule| !(is_of_text(rule) || is_sent_on && rule == Rule::Redirector);
        remarks.extend(of_rules(&url.other(&meant), is_asked).map(at));
    }
    // The remarks are from two runs of the rules, over the URL and over its target.
    remarks.sort_by_key(|(rule, _)| *rule);
    remarks
}

fn of_rules(url: &Inspected<'_>, is_asked: impl Fn(Rule) -> bool) -> impl Iterator<Item = (Rule, Remark)> {
    let asked = Rule::asked(url.signs).filter(move |&rule| is_asked(rule));
    asked.filter_map(|rule| Some((rule, rule.of_url(url)?)))
}

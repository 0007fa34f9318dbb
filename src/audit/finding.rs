//! How bad a finding is, and what the function of a rule says.

use std::fmt;
use std::ops::Range;

/// How bad a finding is.
///
/// ```
/// use urlgrep::audit::Severity;
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

#[cfg(feature = "serde")]
crate::url::serial::by_name!(Severity, as_str, Severity::ALL);

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What the function of a rule says: a [`Finding`](super::Finding) less its rule.
pub(crate) struct Remark {
    pub(super) at: Range<usize>,
    /// Where it is empty, the phrase of the rule says enough.
    pub(crate) message: String,
    /// Where it is not the rule's usual one.
    pub(crate) severity: Option<Severity>,
}

impl Remark {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Remark {
        Remark { at, message: message.into(), severity: None }
    }
}

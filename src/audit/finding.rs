//! The severity of a finding, and the remark of a rule.

use std::ops::Range;

/// The severity of a finding.
///
/// ```
/// use urlgrep::audit::Severity;
///
/// assert!(Severity::Info < Severity::Critical);
/// assert_eq!(Severity::from_name("medium"), Some(Severity::Medium));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth noting, but nothing to fix.
    Info,
    /// Bad style, or a doubt.
    Low,
    /// A link that fails in some places, or reveals a secret.
    Medium,
    /// A link that goes elsewhere than it seems, or that makes software act unasked.
    High,
    /// An attack, regardless of its author.
    Critical,
}

impl Severity {
    /// Every severity, the mildest first.
    pub const ALL: &'static [Severity] =
        &[Severity::Info, Severity::Low, Severity::Medium, Severity::High, Severity::Critical];

    /// Returns the stable name: `info`, `low`, `medium`, `high`, `critical`.
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

    /// Returns the severity with this name, which must be in lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Severity> {
        Severity::ALL.iter().copied().find(|severity| severity.as_str() == name)
    }
}

#[cfg(feature = "serde")]
crate::url::serial::by_name!(Severity, as_str, Severity::ALL);

crate::bytes::display::display!(Severity, as_str);

/// The remark of a rule: a [`Finding`](super::Finding) without its rule.
pub(crate) struct Remark {
    pub(super) at: Range<usize>,
    /// The message. It is empty if the phrase of the rule is enough.
    pub(crate) message: String,
    /// The severity, if it differs from the rule's own.
    pub(crate) severity: Option<Severity>,
}

impl Remark {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Remark {
        Remark { at, message: message.into(), severity: None }
    }
}

//! What the rules of the audit say of a match.

use pyo3::prelude::*;
use urlgrep::audit::{self, RuleOptions};

use crate::matches::Match;

/// What a rule says of a URL.
#[pyclass(frozen, eq, get_all, module = "urlgrep")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    rule: &'static str,
    severity: &'static str,
    start: usize,
    end: usize,
    message: String,
    why: &'static str,
    remedy: &'static str,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("<urlgrep.Finding {} {}: {}>", self.severity, self.rule, self.message)
    }
}

/// What the rules say of a match.
#[pyfunction]
#[pyo3(signature = (found, /))]
pub(crate) fn findings(py: Python<'_>, found: &Match) -> Vec<Finding> {
    let finding = |finding: audit::Finding| Finding {
        rule: finding.rule.id(),
        severity: finding.severity.as_str(),
        start: finding.at.start,
        end: finding.at.end,
        message: finding.message,
        why: finding.rule.why(),
        remedy: finding.rule.remedy(),
    };
    py.detach(|| audit::findings(found.found(), RuleOptions::new()).map(finding).collect())
}

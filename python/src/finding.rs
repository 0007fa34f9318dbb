//! The findings of the audit's rules in a match.

use pyo3::prelude::*;
use urlgrep::audit::{self, RuleOptions};

use crate::matches::Match;

#[doc = doc!("Finding")]
#[pyclass(frozen, eq, get_all, module = "urlgrep")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    #[doc = doc!("Finding.rule")]
    rule: &'static str,
    #[doc = doc!("Finding.severity")]
    severity: &'static str,
    #[doc = doc!("Finding.start")]
    start: usize,
    #[doc = doc!("Finding.end")]
    end: usize,
    #[doc = doc!("Finding.message")]
    message: String,
    #[doc = doc!("Finding.why")]
    why: &'static str,
    #[doc = doc!("Finding.remedy")]
    remedy: &'static str,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("<urlgrep.Finding {} {}: {}>", self.severity, self.rule, self.message)
    }
}

#[doc = doc!("findings")]
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

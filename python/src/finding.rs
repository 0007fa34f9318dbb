//! A finding of the audit's rules.

use std::borrow::Cow;

use pyo3::prelude::*;
use urlgrep::audit;

#[doc = doc!("Finding")]
#[pyclass(frozen, eq, get_all, from_py_object, module = "urlgrep")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    #[doc = doc!("Finding.rule")]
    rule: Cow<'static, str>,
    #[doc = doc!("Finding.severity")]
    severity: Cow<'static, str>,
    #[doc = doc!("Finding.start")]
    start: usize,
    #[doc = doc!("Finding.end")]
    end: usize,
    #[doc = doc!("Finding.message")]
    message: String,
    #[doc = doc!("Finding.why")]
    why: Cow<'static, str>,
    #[doc = doc!("Finding.remedy")]
    remedy: Cow<'static, str>,
}

impl From<audit::Finding> for Finding {
    fn from(finding: audit::Finding) -> Self {
        Self {
            rule: finding.rule.id().into(),
            severity: finding.severity.as_str().into(),
            start: finding.at.start,
            end: finding.at.end,
            message: finding.message,
            why: finding.rule.why().into(),
            remedy: finding.rule.remedy().into(),
        }
    }
}

#[pymethods]
impl Finding {
    #[doc = doc!("Finding.__reduce__")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, FindingState)> {
        let copied = py.import("urlgrep._urlgrep")?.getattr("_finding")?;
        let Self { rule, severity, start, end, message, why, remedy } = self.clone();
        Ok((copied, (rule, severity, start, end, message, why, remedy)))
    }

    fn __repr__(&self) -> String {
        format!("<urlgrep.Finding {} {}: {}>", self.severity, self.rule, self.message)
    }
}

/// The fields of a finding, in order.
type FindingState = (Cow<'static, str>, Cow<'static, str>, usize, usize, String, Cow<'static, str>, Cow<'static, str>);

/// Makes a finding from its fields.
#[pyfunction(name = "_finding")]
pub(crate) fn finding(
    rule: String,
    severity: String,
    start: usize,
    end: usize,
    message: String,
    why: String,
    remedy: String,
) -> Finding {
    let (rule, severity, why, remedy) = (rule.into(), severity.into(), why.into(), remedy.into());
    Finding { rule, severity, start, end, message, why, remedy }
}

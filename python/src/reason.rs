//! A decision that led to a match.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use pyo3::prelude::*;

#[doc = doc!("Reason")]
#[pyclass(frozen, eq, from_py_object, module = "urlgrep")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    #[doc = doc!("Reason.what")]
    #[pyo3(get)]
    what: Cow<'static, str>,
    #[doc = doc!("Reason.rule")]
    #[pyo3(get)]
    rule: Cow<'static, str>,
    #[doc = doc!("Reason.words")]
    #[pyo3(get)]
    words: Cow<'static, str>,
    #[doc = doc!("Reason.at")]
    #[pyo3(get)]
    at: (u64, u64),
    #[doc = doc!("Reason.facts")]
    #[pyo3(get)]
    facts: Vec<(Cow<'static, str>, i32)>,
    #[doc = doc!("Reason.reading")]
    #[pyo3(get)]
    reading: Option<String>,
    /// The line of [`urlgrep::Reason`].
    line: String,
}

impl Reason {
    /// Returns a reason whose place is in the units of the searched text.
    pub(crate) fn new(reason: &urlgrep::Reason, at: Range<u64>) -> Self {
        Self {
            what: reason.kind().as_str().into(),
            rule: reason.rule().into(),
            words: reason.words().into(),
            at: (at.start, at.end),
            facts: reason.weighed().into_iter().map(|(words, weight)| (words.into(), weight)).collect(),
            reading: reason.reading().map(ToString::to_string),
            line: reason.to_string(),
        }
    }
}

#[pymethods]
impl Reason {
    #[doc = doc!("Reason.__reduce__")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ReasonState)> {
        let copied = py.import("urlgrep._urlgrep")?.getattr("_reason")?;
        let Self { what, rule, words, at, facts, reading, line } = self.clone();
        Ok((copied, (what, rule, words, at, facts, reading, line)))
    }

    fn __str__(&self) -> String {
        self.facts.iter().fold(self.line.clone(), |mut lines, (words, weight)| {
            let _ = write!(lines, "\n  {weight:+} {words}");
            lines
        })
    }

    fn __repr__(&self) -> String {
        format!("<urlgrep.Reason {}, at={:?}>", self.line, self.at)
    }
}

/// The fields of a reason, in order.
type ReasonState = (
    Cow<'static, str>,
    Cow<'static, str>,
    Cow<'static, str>,
    (u64, u64),
    Vec<(Cow<'static, str>, i32)>,
    Option<String>,
    String,
);

/// Makes a reason from its fields.
#[pyfunction(name = "_reason")]
pub(crate) fn reason(
    what: String,
    rule: String,
    words: String,
    at: (u64, u64),
    facts: Vec<(String, i32)>,
    reading: Option<String>,
    line: String,
) -> Reason {
    let facts = facts.into_iter().map(|(words, weight)| (words.into(), weight)).collect();
    Reason { what: what.into(), rule: rule.into(), words: words.into(), at, facts, reading, line }
}

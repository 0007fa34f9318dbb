//! A match, either from a search or restored by `pickle`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use urlgrep::Match as RustMatch;
use urlgrep::audit::{self, RuleOptions};
use urlgrep::record::{MatchRecord, RecordField};
use urlgrep::report::JsonFormat;
use urlgrep::url::equality_key;

use crate::finding::Finding;
use crate::reason::Reason;
use crate::value::{json, text, value};

#[doc = doc!("Match")]
#[pyclass(frozen, eq, module = "urlgrep")]
pub(crate) struct Match {
    content: Content,
    /// The name of the file; empty if there is none.
    file: Arc<[u8]>,
    /// The place of the match, in characters of a `str`, otherwise in bytes.
    span: Range<u64>,
    /// The decisions that led to the match, if the search kept them.
    reasons: Option<Vec<Reason>>,
}

#[allow(clippy::large_enum_variant, reason = "nearly every match was found, and a box would allocate for each")]
enum Content {
    Found(RustMatch<'static>),
    Copied(Box<Copied>),
}

/// The content of a copied match, whose text no longer exists.
struct Copied {
    /// The line of `urlgrep --json`.
    line: Vec<u8>,
    url: Vec<u8>,
    target: Vec<u8>,
    readings: Vec<Vec<u8>>,
    source: Vec<u8>,
    findings: Vec<Finding>,
}

impl Match {
    pub(crate) fn new(found: RustMatch<'static>, file: Arc<[u8]>, span: Range<u64>) -> Self {
        Self { content: Content::Found(found), file, span, reasons: None }
    }

    /// Returns the match with the decisions that led to it.
    pub(crate) fn with_reasons(self, reasons: Option<Vec<Reason>>) -> Self {
        Self { reasons, ..self }
    }

    /// Returns the findings of the audit's rules.
    pub(crate) fn findings(&self, py: Python<'_>) -> Vec<Finding> {
        match &self.content {
            Content::Found(found) => {
                py.detach(|| audit::findings(found, RuleOptions::new()).map(Finding::from).collect())
            }
            Content::Copied(copied) => copied.findings.clone(),
        }
    }

    /// Returns a field of the record, by its name in JSON.
    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match &self.content {
            Content::Found(found) => {
                let record = MatchRecord::new(&self.file, found);
                let field = RecordField::by_name(name);
                field.map_or(Ok(py.None().into_bound(py)), |field| value(py, record.get(field)))
            }
            Content::Copied(_) if name == "target" => Ok(text(py, self.target_text()).into_any()),
            Content::Copied(copied) => json(py, &copied.line)?.call_method1("get", (name,)),
        }
    }

    fn url_text(&self) -> &[u8] {
        match &self.content {
            Content::Found(found) => found.url(),
            Content::Copied(copied) => &copied.url,
        }
    }

    fn target_text(&self) -> &[u8] {
        match &self.content {
            Content::Found(found) => found.target(),
            Content::Copied(copied) => &copied.target,
        }
    }

    fn reading_texts(&self) -> Vec<Vec<u8>> {
        match &self.content {
            Content::Found(found) => found.readings().map(|reading| reading.to_vec()).collect(),
            Content::Copied(copied) => copied.readings.clone(),
        }
    }

    fn source_text(&self) -> &[u8] {
        match &self.content {
            Content::Found(found) => found.source(),
            Content::Copied(copied) => &copied.source,
        }
    }

    /// Returns the line of `urlgrep --json`.
    fn line_of_json(&self) -> PyResult<Vec<u8>> {
        match &self.content {
            Content::Found(found) => {
                let mut line = Vec::new();
                JsonFormat::new().write(&self.file, found, &mut line)?;
                Ok(line)
            }
            Content::Copied(copied) => Ok(copied.line.clone()),
        }
    }
}

/// Compares by content, so a copy equals its match.
impl PartialEq for Match {
    fn eq(&self, other: &Self) -> bool {
        let is_like = self.span == other.span && self.url_text() == other.url_text();
        is_like && self.source_text() == other.source_text() && self.line_of_json().ok() == other.line_of_json().ok()
    }
}

/// Defines the Python class [`Match`]. The named fields are those of the record.
macro_rules! match_class {
    ($($field:ident)*) => {
        #[pymethods]
        impl Match {
            $(#[doc = doc!(concat!("Match.", stringify!($field)))]
            #[getter]
            fn $field<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.field(py, stringify!($field))
            })*

            #[doc = doc!("Match.url")]
            #[getter]
            fn url<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
                text(py, self.url_text())
            }

            #[doc = doc!("Match.url_bytes")]
            #[getter]
            fn url_bytes(&self) -> Cow<'_, [u8]> {
                self.url_text().into()
            }

            #[doc = doc!("Match.file_bytes")]
            #[getter]
            fn file_bytes(&self) -> Option<Cow<'_, [u8]>> {
                (!self.file.is_empty()).then(|| (&*self.file).into())
            }

            #[doc = doc!("Match.readings_bytes")]
            #[getter]
            fn readings_bytes(&self) -> Vec<Cow<'static, [u8]>> {
                self.reading_texts().into_iter().map(Cow::Owned).collect()
            }

            #[doc = doc!("Match.key")]
            #[getter]
            fn key<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
                text(py, &equality_key(self.target_text()))
            }

            #[doc = doc!("Match.source")]
            #[getter]
            fn source(&self) -> Cow<'_, [u8]> {
                self.source_text().into()
            }

            #[doc = doc!("Match.start")]
            #[getter]
            fn start(&self) -> u64 {
                self.span.start
            }

            #[doc = doc!("Match.end")]
            #[getter]
            fn end(&self) -> u64 {
                self.span.end
            }

            #[doc = doc!("Match.span")]
            #[getter]
            fn span(&self) -> (u64, u64) {
                (self.span.start, self.span.end)
            }

            #[doc = doc!("Match.explain")]
            fn explain(&self) -> PyResult<Vec<Reason>> {
                let missing = || PyRuntimeError::new_err("the search kept no reasons: search with explain=True");
                self.reasons.clone().ok_or_else(missing)
            }

            #[doc = doc!("Match.to_dict")]
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                json(py, &self.line_of_json()?)
            }

            #[doc = doc!("Match.__reduce__")]
            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, CopiedState)> {
                let copied = py.import("urlgrep._urlgrep")?.getattr("_copied")?;
                let state = (
                    Cow::Owned(self.line_of_json()?),
                    Cow::Owned(self.url_text().to_vec()),
                    Cow::Owned(self.target_text().to_vec()),
                    self.readings_bytes(),
                    Cow::Owned(self.source_text().to_vec()),
                    Cow::Owned(self.file.to_vec()),
                    self.span(),
                    self.findings(py),
                    self.reasons.clone(),
                );
                Ok((copied, state))
            }

            fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
                self.url(py)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let Range { start, end } = self.span;
                let file = match self.file.is_empty() {
                    true => String::new(),
                    false => format!(" of {}", text(py, &self.file).repr()?),
                };
                let kind = self.kind(py)?;
                Ok(format!("<urlgrep.Match {kind} {}, span=({start}, {end}){file}>", self.url(py).repr()?))
            }

            fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                (self.span.start, PyBytes::new(py, self.url_text())).into_pyobject(py)?.hash()
            }
        }
    };
}
match_class! {
    kind scheme prefix file offset length line column rejoined readings level error host hosts domain truncated refused parts generic
    message part content_type encoding header quote_depth body text resolved shown_host attribute note target
}

/// The state of a match in `pickle`.
type CopiedState = (
    Cow<'static, [u8]>,
    Cow<'static, [u8]>,
    Cow<'static, [u8]>,
    Vec<Cow<'static, [u8]>>,
    Cow<'static, [u8]>,
    Cow<'static, [u8]>,
    (u64, u64),
    Vec<Finding>,
    Option<Vec<Reason>>,
);

/// Restores a match from its state in `pickle`.
#[pyfunction(name = "_copied")]
#[allow(clippy::too_many_arguments, reason = "they are what pickle calls it with")]
pub(crate) fn copied(
    line: Vec<u8>,
    url: Vec<u8>,
    target: Vec<u8>,
    readings: Vec<Vec<u8>>,
    source: Vec<u8>,
    file: Vec<u8>,
    span: (u64, u64),
    findings: Vec<Finding>,
    reasons: Option<Vec<Reason>>,
) -> Match {
    let copied = Copied { line, url, target, readings, source, findings };
    Match { content: Content::Copied(Box::new(copied)), file: file.into(), span: span.0..span.1, reasons }
}

#[doc = doc!("findings")]
#[pyfunction]
#[pyo3(signature = (found, /))]
pub(crate) fn findings(py: Python<'_>, found: &Match) -> Vec<Finding> {
    found.findings(py)
}

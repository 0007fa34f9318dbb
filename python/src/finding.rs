//! What the rules of the audit say of a match.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, ListArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use pyo3::prelude::*;
use urlgrep::audit::{self, RuleOptions};

use crate::column::Texts;
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

/// The same as a column. What a rule says of itself, why and the remedy, is left out: it would be most of the column.
#[derive(Default)]
pub(crate) struct FindingsBuilder {
    /// Behind the last of each row.
    ends: Vec<i32>,
    rule: Texts,
    severity: Texts,
    start: Vec<i64>,
    end: Vec<i64>,
    message: Texts,
}

/// The type of the column.
pub(crate) fn data_type() -> DataType {
    DataType::List(item())
}

fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(fields()), false))
}

fn fields() -> Fields {
    let field = |name, kind| Field::new(name, kind, false);
    Fields::from(vec![
        field("rule", DataType::Utf8),
        field("severity", DataType::Utf8),
        field("start", DataType::Int64),
        field("end", DataType::Int64),
        field("message", DataType::Utf8),
    ])
}

impl FindingsBuilder {
    /// Says how many bytes of text that is.
    pub(crate) fn append(&mut self, found: &urlgrep::Match<'_>) -> usize {
        let number = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let mut bytes = 0;
        for finding in audit::findings(found, RuleOptions::new()) {
            self.rule.push(finding.rule.id().as_bytes());
            self.severity.push(finding.severity.as_str().as_bytes());
            self.start.push(number(finding.at.start));
            self.end.push(number(finding.at.end));
            self.message.push(finding.message.as_bytes());
            bytes += finding.message.len();
        }
        self.ends.push(i32::try_from(self.start.len()).unwrap_or(i32::MAX));
        bytes
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            self.rule.finish_texts(None)?,
            self.severity.finish_texts(None)?,
            Arc::new(Int64Array::from(self.start)),
            Arc::new(Int64Array::from(self.end)),
            self.message.finish_texts(None)?,
        ];
        let ends = OffsetBuffer::new([vec![0], self.ends].concat().into());
        let findings = Arc::new(StructArray::try_new(fields(), columns, None)?);
        Ok(Arc::new(ListArray::try_new(item(), ends, findings, None)?))
    }
}

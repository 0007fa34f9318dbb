//! What the rules of the audit say of a match.

use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};
use pyo3::prelude::*;
use urlgrep::audit::{self, RuleOptions};

use crate::matches::Match;
use crate::texts::TextBuilder;

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

/// The same as a column. What a rule says of itself, why and the remedy, is left out: it would be most of the column.
#[derive(Default)]
pub(crate) struct FindingsBuilder {
    /// Behind the last of each row.
    ends: Vec<i32>,
    rule: TextBuilder,
    severity: TextBuilder,
    start: Int64Builder,
    end: Int64Builder,
    message: TextBuilder,
    count: i32,
}

impl FindingsBuilder {
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

    fn item() -> Arc<Field> {
        Arc::new(Field::new("item", DataType::Struct(Self::fields()), false))
    }

    pub(crate) fn data_type() -> DataType {
        DataType::List(Self::item())
    }

    /// Says how many bytes of text that is.
    pub(crate) fn append(&mut self, found: &urlgrep::Match<'_>) -> usize {
        let mut bytes = 0;
        let number = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        for finding in audit::findings(found, RuleOptions::new()) {
            self.rule.append(finding.rule.id().as_bytes());
            self.severity.append(finding.severity.as_str().as_bytes());
            self.start.append_value(number(finding.at.start));
            self.end.append_value(number(finding.at.end));
            self.message.append(finding.message.as_bytes());
            self.count = self.count.saturating_add(1);
            bytes += finding.message.len();
        }
        self.ends.push(self.count);
        bytes
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        let columns: Vec<ArrayRef> = vec![
            self.rule.finish(),
            self.severity.finish(),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            self.message.finish(),
        ];
        let ends = OffsetBuffer::new(ScalarBuffer::from([vec![0], self.ends].concat()));
        Arc::new(ListArray::new(Self::item(), ends, Arc::new(StructArray::new(Self::fields(), columns, None)), None))
    }
}

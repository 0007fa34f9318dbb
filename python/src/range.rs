//! The counts of a range of a file.

use pyo3::prelude::*;
use pyo3::types::PyDict;

#[doc = doc!("RangeCounts")]
#[pyclass(frozen, eq, get_all, from_py_object, module = "urlgrep")]
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RangeCounts {
    #[doc = doc!("RangeCounts.lines")]
    lines: u64,
    #[doc = doc!("RangeCounts.last_line")]
    last_line: Option<u64>,
    #[doc = doc!("RangeCounts.messages")]
    messages: u64,
    #[doc = doc!("RangeCounts.first_message")]
    first_message: Option<u64>,
    #[doc = doc!("RangeCounts.hidden_until")]
    hidden_until: u64,
    #[doc = doc!("RangeCounts.unpacked")]
    unpacked: u64,
}

impl From<urlgrep::RangeCounts> for RangeCounts {
    fn from(counts: urlgrep::RangeCounts) -> Self {
        let urlgrep::RangeCounts { lines, last_line, messages, first_message, hidden_until, unpacked, .. } = counts;
        Self { lines, last_line, messages, first_message, hidden_until, unpacked }
    }
}

impl From<RangeCounts> for urlgrep::RangeCounts {
    fn from(counts: RangeCounts) -> Self {
        let RangeCounts { lines, last_line, messages, first_message, hidden_until, unpacked } = counts;
        Self { lines, last_line, messages, first_message, hidden_until, unpacked }
    }
}

#[pymethods]
impl RangeCounts {
    #[new]
    #[pyo3(signature = (
        *, lines = 0, last_line = None, messages = 0, first_message = None, hidden_until = 0, unpacked = 0
    ))]
    fn new(
        lines: u64,
        last_line: Option<u64>,
        messages: u64,
        first_message: Option<u64>,
        hidden_until: u64,
        unpacked: u64,
    ) -> Self {
        Self { lines, last_line, messages, first_message, hidden_until, unpacked }
    }

    #[doc = doc!("RangeCounts.__add__")]
    fn __add__(&self, next: &Self) -> Self {
        let mut sum = urlgrep::RangeCounts::from(*self);
        sum += (*next).into();
        sum.into()
    }

    #[doc = doc!("RangeCounts.hides_in")]
    fn hides_in(&self, next: &Self) -> bool {
        urlgrep::RangeCounts::from(*self).hides_in(&(*next).into())
    }

    #[doc = doc!("RangeCounts.to_dict")]
    #[pyo3(name = "to_dict")]
    fn dictionary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dictionary = PyDict::new(py);
        dictionary.set_item("lines", self.lines)?;
        dictionary.set_item("last_line", self.last_line)?;
        dictionary.set_item("messages", self.messages)?;
        dictionary.set_item("first_message", self.first_message)?;
        dictionary.set_item("hidden_until", self.hidden_until)?;
        dictionary.set_item("unpacked", self.unpacked)?;
        Ok(dictionary)
    }

    /// Returns the arguments of `__new__`, for `pickle`.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.dictionary(py)?))
    }

    fn __repr__(&self) -> String {
        let shown = |offset: Option<u64>| offset.map_or_else(|| "None".to_owned(), |offset| offset.to_string());
        format!(
            "RangeCounts(lines={}, last_line={}, messages={}, first_message={}, hidden_until={}, unpacked={})",
            self.lines,
            shown(self.last_line),
            self.messages,
            shown(self.first_message),
            self.hidden_until,
            self.unpacked,
        )
    }
}

//! Fields of the record as Python values, with the types that `json.loads` gives them.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use urlgrep::record::{FieldValue, ObjectValue};

/// Converts a text as the record does: lossily if it is not UTF-8.
pub(crate) fn text<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyString> {
    match std::str::from_utf8(text) {
        Ok(text) => PyString::new(py, text),
        Err(_) => PyString::new(py, &String::from_utf8_lossy(text)),
    }
}

/// Converts the value of a field. An object becomes a dictionary.
pub(crate) fn value<'py>(py: Python<'py>, value: FieldValue<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        FieldValue::Null => py.None().into_bound(py),
        FieldValue::Text(bytes) => text(py, &bytes).into_any(),
        FieldValue::Number(number) => number.into_pyobject(py)?.into_any(),
        FieldValue::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        FieldValue::List(items) => {
            let items = items.into_iter().map(|item| self::value(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        FieldValue::Object(object) => dictionary(py, object)?.into_any(),
    })
}

fn dictionary<'py>(py: Python<'py>, object: ObjectValue<'_>) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    let mut result = Ok(());
    object.each(|name, part| {
        if result.is_ok() {
            result = value(py, part).and_then(|part| dictionary.set_item(name, part));
        }
    });
    result.map(|()| dictionary)
}

/// Creates an exception of `urlgrep/_error.py`, which Python can show, pickle and subclass as its
/// own.
pub(crate) fn own_error<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("urlgrep._error").and_then(|errors| errors.getattr(class));
    class.and_then(|class| class.call1(arguments)).map_or_else(|failure| failure, PyErr::from_value)
}

/// Parses a line of JSON with Python's own module.
pub(crate) fn json<'py>(py: Python<'py>, line: &[u8]) -> PyResult<Bound<'py, PyDict>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads = LOADS.import(py, "json", "loads")?;
    Ok(loads.call1((PyBytes::new(py, line),))?.cast_into()?)
}

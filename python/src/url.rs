//! Single URLs: judged, resolved, compared.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};
use urlgrep::report::{JsonFormat, Resolution};
use urlgrep::url::{ParseOptions, equality_key, resolve_1808, resolve_3986};
use urlgrep::{Level, ParseError, Url as RustUrl};

use crate::options::{is_literal, level as level_of};
use crate::value::{json, own_error, text};

/// A URL from a caller. The result has the same type: `str` for `str`, `bytes` for `bytes`.
pub(crate) struct GivenUrl {
    pub(crate) bytes: PyBackedBytes,
    is_str: bool,
}

impl GivenUrl {
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self { bytes: encoded(text)?.extract()?, is_str: true });
        }
        match given.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self { bytes: bytes.extract()?, is_str: false }),
            Err(_) => Err(PyTypeError::new_err(format!("a URL is str or bytes, not {}", given.get_type().name()?))),
        }
    }

    pub(crate) fn like<'py>(&self, py: Python<'py>, url: &[u8]) -> Bound<'py, PyAny> {
        match self.is_str {
            true => text(py, url).into_any(),
            false => PyBytes::new(py, url).into_any(),
        }
    }
}

/// Returns a base URL, which must be absolute.
pub(crate) fn absolute(base: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let given = GivenUrl::of(base)?;
    resolve_3986(&given.bytes, ".").map_err(|error| url_error(base.py(), error))?;
    Ok(given.bytes.to_vec())
}

/// Encodes a text as UTF-8. A lone surrogate, which UTF-8 excludes, becomes three bytes that are
/// not UTF-8 either.
pub(crate) fn encoded<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    match text.encode_utf8() {
        Ok(bytes) => Ok(bytes),
        Err(_) => Ok(text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into()?),
    }
}

pub(crate) fn url_error(py: Python<'_>, error: ParseError) -> PyErr {
    own_error(py, "UrlError", (error.kind().as_str(), error.offset(), error.to_string()))
}

#[doc = doc!("Url")]
#[pyclass(frozen, module = "urlgrep")]
pub(crate) struct Url {
    given: GivenUrl,
    /// The option with which the URL was parsed.
    other_literal: bool,
    /// The object of `urlgrep parse --json`.
    record: Py<PyDict>,
}

#[pymethods]
impl Url {
    #[doc = doc!("Url.url")]
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        text(py, &self.given.bytes)
    }

    #[doc = doc!("Url.level")]
    #[getter]
    fn level<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "level")
    }

    #[doc = doc!("Url.scheme")]
    #[getter]
    fn scheme<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "scheme")
    }

    #[doc = doc!("Url.host")]
    #[getter]
    fn host<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "host")
    }

    #[doc = doc!("Url.parts")]
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "parts")
    }

    #[doc = doc!("Url.generic")]
    #[getter]
    fn generic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "generic")
    }

    #[doc = doc!("Url.error")]
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "error")
    }

    #[doc = doc!("Url.key")]
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        text(py, &equality_key(&self.given.bytes))
    }

    #[doc = doc!("Url.to_dict")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.record.bind(py).copy()
    }

    /// Returns the call that parses the URL again, for `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let options = PyDict::new(py);
        options.set_item("level", Level::None.as_str())?;
        options.set_item("otherurl", self.other_literal.then_some("literal"))?;
        let parse = py.import("urlgrep")?.getattr("parse")?;
        let parse = py.import("functools")?.getattr("partial")?.call((parse,), Some(&options))?;
        Ok((parse, (self.given.like(py, &self.given.bytes),)))
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.url(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<urlgrep.Url {} {}>", self.url(py).repr()?, self.level(py)?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        *self.given.bytes == *other.given.bytes
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &self.given.bytes).hash()
    }
}

impl Url {
    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.record.bind(py).as_any().get_item(name)
    }
}

#[doc = doc!("parse")]
#[pyfunction]
#[pyo3(signature = (url, *, level = "iri", otherurl = None))]
pub(crate) fn parse(url: &Bound<'_, PyAny>, level: &str, otherurl: Option<&str>) -> PyResult<Url> {
    let (py, given) = (url.py(), GivenUrl::of(url)?);
    let (level, other_literal) = (level_of(level)?, is_literal(otherurl)?);
    if level < Level::None {
        let options = ParseOptions::new().other_literal(other_literal).level(level);
        RustUrl::parse_with(&given.bytes, options).map_err(|error| url_error(py, error))?;
    }
    let mut line = Vec::new();
    JsonFormat::new().other_literal(other_literal).write_parsed(&given.bytes, Resolution::Input, level, &mut line);
    let record = json(py, &line)?.unbind();
    Ok(Url { given, other_literal, record })
}

#[doc = doc!("resolve")]
#[pyfunction]
#[pyo3(signature = (base, reference, *, rfc = 1808))]
pub(crate) fn resolve<'py>(
    base: &Bound<'py, PyAny>,
    reference: &Bound<'py, PyAny>,
    rfc: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let py = base.py();
    let (base, reference) = (GivenUrl::of(base)?, GivenUrl::of(reference)?);
    let resolved = match rfc {
        1808 => resolve_1808(&base.bytes, &reference.bytes),
        3986 => resolve_3986(&base.bytes, &reference.bytes),
        _ => return Err(PyValueError::new_err(format!("rfc is {rfc}; there is 1808, 3986"))),
    };
    Ok(reference.like(py, &resolved.map_err(|error| url_error(py, error))?))
}

#[doc = doc!("key")]
#[pyfunction]
pub(crate) fn key<'py>(url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let given = GivenUrl::of(url)?;
    Ok(given.like(url.py(), &equality_key(&given.bytes)))
}

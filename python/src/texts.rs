//! Texts with their URLs changed: replaced, rejoined, defanged.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urlgrep::{Extractor, report};

use crate::found::Match;
use crate::matches::Characters;
use crate::options::FindOptions;
use crate::url::{GivenUrl, encoded};

/// A text from a caller. The result has the same type: `str` for `str`, `bytes` for `bytes`.
struct GivenText<'py> {
    bytes: Bound<'py, PyBytes>,
    is_str: bool,
}

impl<'py> GivenText<'py> {
    fn of(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self { bytes: encoded(text)?, is_str: true });
        }
        match given.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self { bytes: bytes.clone(), is_str: false }),
            Err(_) => Err(PyTypeError::new_err(format!("a text is str or bytes, not {}", given.get_type().name()?))),
        }
    }

    fn like(&self, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let bytes = PyBytes::new(self.bytes.py(), text);
        match self.is_str {
            true => bytes.call_method1("decode", ("utf-8", "surrogatepass")),
            false => Ok(bytes.into_any()),
        }
    }
}

#[doc = doc!("replace_all")]
#[pyfunction]
#[pyo3(signature = (
    text, replacement, *, any_scheme = false, rejoin = "auto", hyphen = "keep", otherurl = None, iri = false, www = false,
    names = false, refang = false,
))]
#[allow(clippy::too_many_arguments, reason = "they are Python's keywords")]
pub(crate) fn replace_all<'py>(
    text: &Bound<'py, PyAny>,
    replacement: &Bound<'py, PyAny>,
    any_scheme: bool,
    rejoin: &str,
    hyphen: &str,
    otherurl: Option<&str>,
    iri: bool,
    www: bool,
    names: bool,
    refang: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let given = GivenText::of(text)?;
    let options =
        FindOptions { any_scheme, rejoin, hyphen, otherurl, iri, www, names, refang, ..FindOptions::default() };
    let extractor = options.extractor(1)?.build();
    let mut characters = given.is_str.then(|| given.bytes.extract().map(Characters::new)).transpose()?;
    let mut failure = None;
    let mut replaced = |found: &urlgrep::Match<'_>| -> PyResult<Vec<u8>> {
        let span = found.span();
        let span = characters.as_mut().map_or(span.clone(), |characters| characters.range(span));
        let found = Match::new(found.clone().into_owned(), Arc::default(), span);
        let answer = GivenText::of(&replacement.call1((found,))?)?;
        match answer.is_str == given.is_str {
            true => Ok(answer.bytes.as_bytes().to_vec()),
            false => Err(PyTypeError::new_err("a str has its URLs replaced by str, bytes by bytes")),
        }
    };
    // `replace_all` cannot stop early; after a failure its result is discarded.
    let result = extractor.replace_all(given.bytes.as_bytes(), |found| match failure {
        Some(_) => Vec::new(),
        None => replaced(found).unwrap_or_else(|error| {
            failure = Some(error);
            Vec::new()
        }),
    });
    match failure {
        Some(error) => Err(error),
        None => given.like(&result),
    }
}

#[doc = doc!("heal")]
#[pyfunction]
#[pyo3(signature = (text, *, hyphen = "keep"))]
pub(crate) fn heal<'py>(text: &Bound<'py, PyAny>, hyphen: &str) -> PyResult<Bound<'py, PyAny>> {
    let given = GivenText::of(text)?;
    let extractor = FindOptions { hyphen, ..FindOptions::default() }.extractor(256 << 10)?.build();
    let bytes = given.bytes.as_bytes();
    let mut healed = Vec::with_capacity(bytes.len());
    text.py().detach(|| extractor.heal(bytes, &mut healed))?;
    given.like(&healed)
}

#[doc = doc!("defang")]
#[pyfunction]
pub(crate) fn defang<'py>(url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let given = GivenUrl::of(url)?;
    let mut shown = Vec::new();
    report::defang(&given.bytes, &mut shown);
    Ok(given.like(url.py(), &shown))
}

#[doc = doc!("refang")]
#[pyfunction]
pub(crate) fn refang<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let given = GivenText::of(text)?;
    let bytes = given.bytes.as_bytes();
    let meant = text.py().detach(|| {
        // URLs that are found even without refanging stay as written.
        let plain: HashSet<_> = Extractor::new().find_iter(bytes).map(|found| found.range()).collect();
        let meant = |found: &urlgrep::Match<'_>| match plain.contains(&found.range()) {
            true => found.source().to_vec(),
            false => found.url().to_vec(),
        };
        Extractor::builder().refang(true).build().replace_all(bytes, meant)
    });
    given.like(&meant)
}

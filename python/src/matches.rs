//! Matches one by one.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::vec::IntoIter;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use urlgrep::archive::OpenOptions;
use urlgrep::{Match as RustMatch, Reason as RustReason, Sink};

use crate::batches::{Batches, no_array};
use crate::columns::{ColumnPlan, ColumnSet};
use crate::file::{File, FileObject, Tally, last_of, name_of, path_of};
use crate::found::Match;
use crate::kind::Kind;
use crate::options::{FindOptions, read_as};
use crate::range::RangeCounts;
use crate::reason::Reason;
use crate::search::{FileHaystack, FileRange, Gather, Haystack, Request, Search, os_error, report};
use crate::strings::chunks;
use crate::url::{absolute, encoded};

/// The number of matches that are found at a time without the GIL.
const PIECE: usize = 1024;

/// The number of bytes that a stream reads at a time, unless the text is shorter.
const CHUNK: usize = 256 << 10;

/// The choices of a caller about matches.
#[derive(Clone)]
struct MatchPlan {
    file: Arc<[u8]>,
    /// Wrapped bodies without a URL are wanted, too.
    candidates: bool,
    /// The reasons are wanted, too.
    explain: bool,
}

/// A match with the decisions that led to it, if they are wanted.
type Explained = (RustMatch<'static>, Option<Vec<RustReason>>);

/// The matches of one file.
struct MatchPiece {
    plan: MatchPlan,
    found: Vec<Explained>,
}

impl Sink for MatchPiece {
    fn add(&mut self, found: &RustMatch<'_>) {
        if self.plan.candidates || found.holds_url() {
            let reasons = self.plan.explain.then(|| found.explain());
            self.found.push((found.clone().into_owned(), reasons));
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= PIECE
    }
}

impl Gather for MatchPiece {
    type Plan = MatchPlan;
    type Piece = Self;

    fn new(plan: &MatchPlan) -> Self {
        Self { plan: plan.clone(), found: Vec::new() }
    }

    fn enter(&mut self, file: &Arc<[u8]>) {
        self.plan.file = Arc::clone(file);
    }

    /// Returns true from the first match on, so that a caller who reads one by one need not wait.
    fn is_ready(&self) -> bool {
        !self.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    fn finish(self) -> PyResult<Self> {
        Ok(self)
    }
}

/// Converts byte offsets in UTF-8 to character offsets in the `str`. It is fast for offsets near
/// the last one.
pub(crate) struct Characters {
    text: PyBackedBytes,
    byte: usize,
    character: u64,
}

impl Characters {
    pub(crate) fn new(text: PyBackedBytes) -> Self {
        Self { text, byte: 0, character: 0 }
    }

    /// Converts a span.
    pub(crate) fn range(&mut self, bytes: Range<u64>) -> Range<u64> {
        self.at(bytes.start)..self.at(bytes.end)
    }

    /// Returns the number of characters before a byte.
    fn at(&mut self, byte: u64) -> u64 {
        let to = usize::try_from(byte).unwrap_or(usize::MAX).min(self.text.len());
        let count = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        match to < self.byte {
            true => self.character -= count(&self.text[to..self.byte]),
            false => self.character += count(&self.text[self.byte..to]),
        }
        self.byte = to;
        self.character
    }
}

#[doc = doc!("Matches")]
#[pyclass(module = "urlgrep")]
pub(crate) struct Matches {
    state: Mutex<State>,
    candidates: bool,
    explain: bool,
    onerror: Option<Py<PyAny>>,
    tally: Arc<Tally>,
}

enum State {
    /// A search that has not begun.
    New {
        request: Box<Request>,
        characters: Option<Characters>,
    },
    OneByOne {
        search: Search<MatchPiece>,
        file: Arc<[u8]>,
        found: IntoIter<Explained>,
        characters: Option<Characters>,
    },
    /// No search is left: it failed to begin, or [`Batches`] owns it.
    Gone,
}

#[pymethods]
impl Matches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Match>> {
        let (candidates, explain) = (self.candidates, self.explain);
        let state = self.state.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let State::New { .. } = state
            && let State::New { request, characters } = std::mem::replace(state, State::Gone)
        {
            let file = Arc::clone(&request.name);
            let search = Search::begin(*request, MatchPlan { file: Arc::clone(&file), candidates, explain })?;
            *state = State::OneByOne { search, file, found: Vec::new().into_iter(), characters };
        }
        let State::OneByOne { search, file, found: ready, characters } = state else {
            return Err(taken());
        };
        loop {
            if let Some((found, reasons)) = ready.next() {
                let mut place = |span: Range<u64>| match characters {
                    None => span,
                    Some(characters) => characters.range(span),
                };
                let span = place(found.span());
                let placed = |reason: &RustReason| Reason::new(reason, place(reason.span()));
                let reasons = reasons.map(|reasons| reasons.iter().map(placed).collect());
                return Ok(Some(Match::new(found, Arc::clone(file), span).with_reasons(reasons)));
            }
            match search.next(py) {
                None => return Ok(None),
                Some(Ok(piece)) => (*file, *ready) = (piece.plan.file, piece.found.into_iter()),
                Some(Err(error)) => report(py, self.onerror.as_ref(), error)?,
            }
        }
    }

    #[doc = doc!("Matches.counts")]
    #[getter]
    fn counts(&self) -> Option<RangeCounts> {
        self.tally.counts()
    }

    #[doc = doc!("Matches.bytes_read")]
    #[getter]
    fn bytes_read(&self) -> u64 {
        self.tally.bytes()
    }

    #[doc = doc!("Matches.batches")]
    #[pyo3(signature = (rows = 4096, *, columns = None))]
    fn batches(&mut self, py: Python<'_>, rows: usize, columns: Option<Vec<String>>) -> PyResult<Batches> {
        let plan = ColumnPlan::new(ColumnSet::new(columns)?, rows, self.candidates)?;
        let state = self.state.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        match std::mem::replace(state, State::Gone) {
            State::New { request, .. } => {
                Batches::new(*request, plan, self.onerror.as_ref().map(|onerror| onerror.clone_ref(py)))
            }
            begun => {
                *state = begun;
                Err(taken())
            }
        }
    }

    #[doc = doc!("Matches.__array__")]
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__(&self, dtype: Option<&Bound<'_, PyAny>>, copy: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let _ = (dtype, copy);
        Err(no_array())
    }

    #[doc = doc!("Matches.__arrow_c_stream__")]
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batches(py, 4096, None)?.__arrow_c_stream__(py, requested_schema)
    }
}

fn taken() -> PyErr {
    PyRuntimeError::new_err("these matches are being taken, one by one or as columns: search again for the other")
}

#[pyfunction]
#[pyo3(signature = (
    data, *, any_scheme = false, rejoin = "auto", hyphen = "keep", otherurl = None, iri = false, www = false,
    names = false, refang = false, candidates = false, line_numbers = true, explain = false,
))]
#[doc = doc!("find")]
#[allow(clippy::too_many_arguments, reason = "they are Python's keywords")]
pub(crate) fn find(
    data: &Bound<'_, PyAny>,
    any_scheme: bool,
    rejoin: &str,
    hyphen: &str,
    otherurl: Option<&str>,
    iri: bool,
    www: bool,
    names: bool,
    refang: bool,
    candidates: bool,
    line_numbers: bool,
    explain: bool,
) -> PyResult<Matches> {
    let mut is_wide = false;
    let bytes = if let Ok(text) = data.cast::<PyString>() {
        let bytes = encoded(text)?;
        is_wide = bytes.len()? != text.len()?;
        bytes
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        bytes.clone()
    } else {
        let view = data.py().import("builtins")?.getattr("memoryview")?.call1((data,)).map_err(|_| {
            let kind = data.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            PyTypeError::new_err(format!("find takes str, bytes or a buffer, not {kind}"))
        })?;
        view.call_method0("tobytes")?.cast_into()?
    };
    let text: PyBackedBytes = bytes.extract()?;
    let options =
        FindOptions { any_scheme, rejoin, hyphen, otherurl, iri, www, names, refang, candidates, line_numbers };
    let extractor = options.extractor(text.len().clamp(1, CHUNK))?;
    // Offsets in ASCII text need no conversion.
    let characters = match is_wide {
        true => Some(Characters::new(bytes.extract()?)),
        false => None,
    };
    let tally = Arc::default();
    let request =
        Request { extractor, haystack: Haystack::Text(text), name: Arc::default(), tally: Arc::clone(&tally) };
    let state = Mutex::new(State::New { request: Box::new(request), characters });
    Ok(Matches { state, candidates, explain, onerror: None, tally })
}

#[pyfunction]
#[pyo3(signature = (
    path, start = 0, end = None, *, before = None, kind = None, file = None, input = "auto", base = None, search_zip = true,
    any_scheme = false, rejoin = "auto", hyphen = "keep", otherurl = None, iri = false, www = false,
    names = false, refang = false, candidates = false, line_numbers = true, explain = false, onerror = None,
))]
#[doc = doc!("find_file")]
#[allow(clippy::too_many_arguments, reason = "they are Python's keywords")]
pub(crate) fn find_file(
    path: &Bound<'_, PyAny>,
    start: u64,
    end: Option<u64>,
    before: Option<RangeCounts>,
    kind: Option<Kind>,
    file: Option<&Bound<'_, PyAny>>,
    input: &str,
    base: Option<&Bound<'_, PyAny>>,
    search_zip: bool,
    any_scheme: bool,
    rejoin: &str,
    hyphen: &str,
    otherurl: Option<&str>,
    iri: bool,
    www: bool,
    names: bool,
    refang: bool,
    candidates: bool,
    line_numbers: bool,
    explain: bool,
    onerror: Option<Py<PyAny>>,
) -> PyResult<Matches> {
    let py = path.py();
    let options =
        FindOptions { any_scheme, rejoin, hyphen, otherurl, iri, www, names, refang, candidates, line_numbers };
    let base = base.map(absolute).transpose()?;
    let extractor = options.extractor(CHUNK)?.base(base.as_deref());
    let mut options = OpenOptions::new().read_as(read_as(input)?).unpack(search_zip);
    let tally: Arc<Tally> = Arc::default();
    let range = (start > 0 || end.is_some())
        .then(|| FileRange { bytes: start..end.unwrap_or(u64::MAX), before: before.unwrap_or_default().into() });
    let (opened, name, last) = if path.hasattr("read")? {
        if range.is_some() && !FileObject::can_seek(path)? {
            return Err(PyValueError::new_err(
                "a range is of a path, or of a file object that can seek: this one cannot",
            ));
        }
        let (name, last) = name_of(path, file)?;
        let object = FileObject::new(py, path.clone().unbind(), end.unwrap_or(u64::MAX), Arc::clone(&tally))?;
        (File::Object { object, container: kind.map(Kind::container) }, name, last)
    } else {
        let path = path_of(path)?;
        if let Some(kind) = kind {
            options = options.known(kind.container());
        }
        let input = py.detach(|| options.open(&path));
        let input = input.map_err(|error| os_error(error, path.as_os_str().as_encoded_bytes()))?;
        let last = last_of(&path);
        let name = file.map(path_of).transpose()?.unwrap_or(path);
        (File::at_path(input, kind.is_some(), Arc::clone(&tally)), name, last)
    };
    let name = name.as_os_str().as_encoded_bytes().into();
    let haystack = Haystack::File(Box::new(FileHaystack { file: opened, name: last, options, range }));
    let request = Box::new(Request { extractor, haystack, name, tally: Arc::clone(&tally) });
    Ok(Matches { state: Mutex::new(State::New { request, characters: None }), candidates, explain, onerror, tally })
}

#[pyfunction]
#[pyo3(signature = (
    array, *, columns = None, rows = 4096, any_scheme = false, rejoin = "auto", hyphen = "keep", otherurl = None,
    iri = false, www = false, names = false, refang = false, candidates = false, line_numbers = true,
))]
#[doc = doc!("find_column")]
#[allow(clippy::too_many_arguments, reason = "they are Python's keywords")]
pub(crate) fn find_column(
    array: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    rows: usize,
    any_scheme: bool,
    rejoin: &str,
    hyphen: &str,
    otherurl: Option<&str>,
    iri: bool,
    www: bool,
    names: bool,
    refang: bool,
    candidates: bool,
    line_numbers: bool,
) -> PyResult<Batches> {
    let options =
        FindOptions { any_scheme, rejoin, hyphen, otherurl, iri, www, names, refang, candidates, line_numbers };
    let plan = ColumnPlan::new(ColumnSet::numbered(columns)?, rows, candidates)?;
    Ok(Batches::of_column(options.extractor(CHUNK)?, plan, chunks(array)?))
}

//! The kind of a file, recognised by its first bytes.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlgrep::archive::{self, Container, Foreign, Format, OpenOptions};

use crate::file::{FileObject, HEAD, name_of, path_of};
use crate::options::read_as;
use crate::search::os_error;

/// All kinds, by name.
const KINDS: &[(&str, Container)] = &[
    ("text", Container::Text),
    ("html", Container::Html),
    ("csv", Container::Csv),
    ("pdf", Container::Pdf),
    ("xml", Container::Xml),
    ("utf-16", Container::Utf16),
    ("calendar", Container::Calendar),
    ("rtf", Container::Rtf),
    ("sylk", Container::Sylk),
    ("wide strings", Container::WideStrings),
    ("warc", Container::Warc),
    ("message", Container::Message),
    ("mbox", Container::Mbox),
    ("rnews", Container::Rnews),
    ("mmdf", Container::Mmdf),
    ("babyl", Container::Babyl),
    ("emlx", Container::Emlx),
    ("dbox", Container::Dbox),
    ("tar", Container::Tar),
    ("zip", Container::Zip),
    ("gzip", Container::Compressed(Format::Gzip)),
    ("zstd", Container::Compressed(Format::Zstd)),
    ("bzip2", Container::Compressed(Format::Bzip2)),
    ("xz", Container::Compressed(Format::Xz)),
    ("lz4", Container::Compressed(Format::Lz4)),
    ("compress", Container::Compressed(Format::Lzw)),
    ("7z", Container::Foreign(Foreign::SevenZip)),
    ("rar", Container::Foreign(Foreign::Rar)),
    ("cab", Container::Foreign(Foreign::Cab)),
    ("lha", Container::Foreign(Foreign::Lha)),
    ("ole", Container::Foreign(Foreign::Ole)),
    ("pst", Container::Foreign(Foreign::Pst)),
    ("dbx", Container::Foreign(Foreign::Dbx)),
    ("mbx", Container::Foreign(Foreign::Mbx)),
    ("git-pack", Container::Foreign(Foreign::GitPack)),
    ("cnfs", Container::Foreign(Foreign::Cnfs)),
    ("sqlite", Container::Foreign(Foreign::Sqlite)),
];

#[doc = doc!("Kind")]
#[pyclass(frozen, eq, hash, from_py_object, module = "urlgrep")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    /// The index in [`KINDS`].
    at: usize,
}

impl Kind {
    fn of(container: Container) -> PyResult<Self> {
        let at = KINDS.iter().position(|&(_, kind)| kind == container);
        at.map(|at| Self { at }).ok_or_else(|| PyValueError::new_err(format!("{container:?} has no name")))
    }

    pub(crate) fn container(self) -> Container {
        KINDS[self.at].1
    }
}

#[pymethods]
impl Kind {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let at = KINDS.iter().position(|&(known, _)| known == name);
        at.map(|at| Self { at }).ok_or_else(|| {
            let names: Vec<_> = KINDS.iter().map(|(name, _)| format!("'{name}'")).collect();
            PyValueError::new_err(format!("there is no kind '{name}'; there is {}", names.join(", ")))
        })
    }

    #[doc = doc!("Kind.name")]
    #[getter]
    fn name(&self) -> &'static str {
        KINDS[self.at].0
    }

    #[doc = doc!("Kind.divisible")]
    #[getter]
    fn divisible(&self) -> bool {
        self.container().is_divisible()
    }

    fn __getnewargs__(&self) -> (&'static str,) {
        (self.name(),)
    }

    fn __str__(&self) -> &'static str {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("Kind('{}')", self.name())
    }
}

#[doc = doc!("has_record_members")]
#[pyfunction]
#[pyo3(signature = (head, /))]
pub(crate) fn has_record_members(head: &[u8]) -> PyResult<bool> {
    Ok(archive::has_record_members(head)?)
}

#[doc = doc!("kind")]
#[pyfunction]
#[pyo3(signature = (path, *, file = None, input = "auto"))]
pub(crate) fn kind(path: &Bound<'_, PyAny>, file: Option<&Bound<'_, PyAny>>, input: &str) -> PyResult<Kind> {
    let py = path.py();
    let options = OpenOptions::new().read_as(read_as(input)?);
    if !path.hasattr("read")? {
        let named = path_of(path)?;
        let opened = py.detach(|| options.open(&named));
        let opened = opened.map_err(|error| os_error(error, named.as_os_str().as_encoded_bytes()))?;
        return Kind::of(opened.container());
    }
    let (_, last) = name_of(path, file)?;
    let before = FileObject::can_seek(path)?.then(|| path.call_method0("tell")).transpose()?;
    let mut object = FileObject::new(py, path.clone().unbind(), HEAD as u64, Arc::default())?;
    let head = object.head()?;
    // The caller's file object returns to its old position.
    if let Some(before) = before {
        path.call_method1("seek", (before,))?;
    }
    Kind::of(options.recognise(&head, &last))
}

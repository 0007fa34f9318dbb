//! A column of strings from a caller, and the search of each string.

use std::collections::VecDeque;
use std::iter;
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, from_ffi};
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayReader, ArrayRef, NullArray, RecordBatch, make_array};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyCapsule, PyString};
use urlgrep::{Extractor, Sink};

use crate::columns::ColumnPlan;
use crate::rows::Rows;
use crate::search::Gather;
use crate::url::encoded;

/// The number of bytes of text between two checks for a signal, such as that of Control-C.
const SIGNALS: usize = 16 << 20;

/// The arrays of a column, one after another.
pub(crate) type Chunks = Box<dyn Iterator<Item = Result<ArrayRef, ArrowError>> + Send>;

/// Returns the chunks of a column from a caller. Arrow arrays are not copied.
pub(crate) fn chunks(given: &Bound<'_, PyAny>) -> PyResult<Chunks> {
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
        return Err(not_of(given));
    }
    let (kind, chunks): (DataType, Chunks) = if given.hasattr("__arrow_c_stream__")? {
        let stream = stream_of(&given.call_method0("__arrow_c_stream__")?.cast_into()?)?;
        (stream.field().data_type().clone(), Box::new(stream))
    } else {
        let array = match given.hasattr("__arrow_c_array__")? {
            true => {
                let (schema, array) = given.call_method0("__arrow_c_array__")?.extract()?;
                array_of(&schema, &array)?
            }
            false => array_of_objects(given)?,
        };
        (array.data_type().clone(), Box::new(iter::once(Ok(array))))
    };
    use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Null, Utf8, Utf8View};
    match kind {
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView => Ok(chunks),
        // The column holds only nulls. Polars gives such arrays a buffer that they must not have.
        Null => Ok(Box::new(iter::empty())),
        _ => Err(PyTypeError::new_err(format!("find_column takes a column of strings, not one of {kind}"))),
    }
}

fn not_of(given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("find_column takes a column of strings, not {kind}"))
}

pub(crate) fn arrow_error(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

// Arrow's interface passes pointers in capsules, whose names identify the type.
#[allow(unsafe_code)]
fn stream_of(capsule: &Bound<'_, PyCapsule>) -> PyResult<ArrayStreamReader> {
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: the interface guarantees that a capsule of this name holds a stream.
    unsafe { ArrayStreamReader::from_raw(stream.as_ptr().cast()) }.map_err(arrow_error)
}

#[allow(unsafe_code)]
fn array_of(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: the interface guarantees that capsules of these names hold a schema and an array of
    // it. The capsule's array is left empty.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    data.map(make_array).map_err(arrow_error)
}

/// Copies the strings of any other iterable. A value that does not equal itself, such as NaN or
/// `pandas.NA`, is a missing string.
fn array_of_objects(given: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let mut strings = LargeBinaryBuilder::new();
    for item in given.try_iter().map_err(|_| not_of(given))? {
        let item = item?;
        if let Ok(text) = item.cast::<PyString>() {
            strings.append_value(encoded(text)?.as_bytes());
        } else if let Ok(bytes) = item.cast::<PyBytes>() {
            strings.append_value(bytes.as_bytes());
        } else if item.is_none() || !equals_itself(&item)? {
            strings.append_null();
        } else {
            let kind = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!("find_column takes a column of strings: this one holds {kind}")));
        }
    }
    Ok(Arc::new(strings.finish()))
}

/// Returns whether `item == item` is `True`. It is not if the comparison returns neither true nor
/// false.
fn equals_itself(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(item.rich_compare(item, CompareOp::Eq)?.cast::<PyBool>().is_ok_and(|equal| equal.is_true()))
}

/// Returns a string of a chunk, unless it is null.
fn string(chunk: &dyn Array, at: usize) -> Option<&[u8]> {
    if chunk.is_null(at) {
        return None;
    }
    match chunk.data_type() {
        DataType::Utf8 => Some(chunk.as_string::<i32>().value(at).as_bytes()),
        DataType::LargeUtf8 => Some(chunk.as_string::<i64>().value(at).as_bytes()),
        DataType::Utf8View => Some(chunk.as_string_view().value(at).as_bytes()),
        DataType::Binary => Some(chunk.as_binary::<i32>().value(at)),
        DataType::LargeBinary => Some(chunk.as_binary::<i64>().value(at)),
        DataType::BinaryView => Some(chunk.as_binary_view().value(at)),
        _ => None,
    }
}

/// A search of a column in progress, on the thread of the caller.
pub(crate) struct ColumnSearch {
    extractor: Extractor,
    plan: Arc<ColumnPlan>,
    chunks: Chunks,
    chunk: ArrayRef,
    /// The index of the next string in its chunk.
    at: usize,
    /// The index of the next string in the column.
    row: u64,
    rows: Rows,
    /// The batches that are full. The last matches of a string may be in the next batch.
    ready: VecDeque<RecordBatch>,
    has_ended: bool,
}

impl ColumnSearch {
    pub(crate) fn new(extractor: Extractor, plan: Arc<ColumnPlan>, chunks: Chunks) -> Self {
        let rows = Rows::new(&plan);
        let chunk = Arc::new(NullArray::new(0));
        Self { extractor, plan, chunks, chunk, at: 0, row: 0, rows, ready: VecDeque::new(), has_ended: false }
    }

    /// Returns the next batch, or `None` at the end. After an error there are none.
    pub(crate) fn next(&mut self, py: Python<'_>) -> Option<PyResult<RecordBatch>> {
        while self.ready.is_empty() && !self.has_ended {
            if let Err(error) = py.detach(|| self.search()).and_then(|()| py.check_signals()) {
                self.has_ended = true;
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }

    /// Searches strings until a batch is full or [`SIGNALS`] bytes are reached. The last string may
    /// exceed this number.
    fn search(&mut self) -> PyResult<()> {
        let mut searched = 0;
        while self.ready.is_empty() && searched < SIGNALS {
            if self.at == self.chunk.len() {
                match self.chunks.next().transpose().map_err(arrow_error)? {
                    Some(chunk) => (self.chunk, self.at) = (chunk, 0),
                    None => {
                        self.has_ended = true;
                        return if self.rows.is_empty() { Ok(()) } else { self.deliver() };
                    }
                }
                continue;
            }
            let chunk = Arc::clone(&self.chunk);
            if let Some(text) = string(&chunk, self.at) {
                searched += text.len();
                self.rows.enter_row(self.row);
                let mut matches = self.extractor.find_iter(text);
                while matches.fill(&mut self.rows, Rows::is_full) {
                    self.deliver()?;
                }
            }
            self.at += 1;
            self.row += 1;
        }
        Ok(())
    }

    /// Turns the rows into a batch, and begins the next one.
    fn deliver(&mut self) -> PyResult<()> {
        let mut next = Rows::new(&self.plan);
        next.enter_row(self.row);
        self.ready.push_back(std::mem::replace(&mut self.rows, next).finish()?);
        Ok(())
    }
}

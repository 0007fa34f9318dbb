//! Batches of columns for Arrow, through its PyCapsule interface.

use std::sync::{Arc, Mutex};

use arrow_array::ffi::to_ffi;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch as ArrowBatch, RecordBatchReader, StructArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use urlgrep::ExtractorBuilder;

use crate::columns::{ColumnPlan, ColumnSet};
use crate::file::Tally;
use crate::range::RangeCounts;
use crate::rows::Rows;
use crate::search::{Request, Search, report};
use crate::strings::{Chunks, ColumnSearch, arrow_error};

#[doc = doc!("Batches")]
#[pyclass(module = "urlgrep")]
pub(crate) struct Batches {
    /// The batches to come; `None` once another reader owns them.
    reader: Mutex<Option<BatchReader>>,
    schema: SchemaRef,
    tally: Arc<Tally>,
}

impl Batches {
    pub(crate) fn new(mut request: Request, plan: ColumnPlan, onerror: Option<Py<PyAny>>) -> PyResult<Self> {
        let schema = Arc::clone(&plan.set.schema);
        let tally = Arc::clone(&request.tally);
        request.extractor = plan.extractor(request.extractor);
        let search = Search::begin(request, Arc::new(plan))?;
        Ok(Self::of(Source::Search { search, onerror }, schema, tally))
    }

    /// Returns the batches of a column of strings.
    pub(crate) fn of_column(extractor: ExtractorBuilder, plan: ColumnPlan, chunks: Chunks) -> Self {
        let schema = Arc::clone(&plan.set.schema);
        let extractor = plan.extractor(extractor).build();
        let search = ColumnSearch::new(extractor, Arc::new(plan), chunks);
        Self::of(Source::Column(Box::new(search)), schema, Arc::default())
    }

    fn of(source: Source, schema: SchemaRef, tally: Arc<Tally>) -> Self {
        let reader = BatchReader { source, schema: Arc::clone(&schema) };
        Self { reader: Mutex::new(Some(reader)), schema, tally }
    }

    fn reader(&mut self) -> &mut Option<BatchReader> {
        self.reader.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[pymethods]
impl Batches {
    #[doc = doc!("Batches.schema")]
    #[getter]
    fn schema(&self) -> Schema {
        Schema { schema: Arc::clone(&self.schema) }
    }

    #[doc = doc!("Batches.counts")]
    #[getter]
    fn counts(&self) -> Option<RangeCounts> {
        self.tally.counts()
    }

    #[doc = doc!("Batches.bytes_read")]
    #[getter]
    fn bytes_read(&self) -> u64 {
        self.tally.bytes()
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let Some(reader) = self.reader() else { return Err(taken()) };
        reader.advance(py).map(|batch| batch.map(|batch| RecordBatch { batch })).transpose()
    }

    #[doc = doc!("Batches.__array__")]
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__(&self, dtype: Option<&Bound<'_, PyAny>>, copy: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let _ = (dtype, copy);
        Err(no_array())
    }

    #[doc = doc!("Batches.__arrow_c_schema__")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.schema().__arrow_c_schema__(py)
    }

    #[doc = doc!("Batches.__arrow_c_stream__")]
    #[pyo3(signature = (requested_schema = None))]
    pub(crate) fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = requested_schema; // the interface allows a producer to ignore this request
        let reader = self.reader().take().ok_or_else(taken)?;
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        Ok(PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?.into_any())
    }
}

/// Returns the error that explains how columns become a pandas frame.
pub(crate) fn no_array() -> PyErr {
    PyTypeError::new_err(
        "matches are columns, and no array: pandas.DataFrame.from_arrow(…), or pyarrow.table(…).to_pandas(), takes them",
    )
}

fn taken() -> PyErr {
    PyRuntimeError::new_err("these batches were given to another reader: search again")
}

/// A search as a stream of batches, which Arrow's C interface reads with or without the GIL.
struct BatchReader {
    source: Source,
    schema: SchemaRef,
}

/// The source of the batches.
enum Source {
    Search { search: Search<Rows>, onerror: Option<Py<PyAny>> },
    Column(Box<ColumnSearch>),
}

impl BatchReader {
    fn advance(&mut self, py: Python<'_>) -> Option<PyResult<ArrowBatch>> {
        let (search, onerror) = match &mut self.source {
            Source::Search { search, onerror } => (search, onerror.as_ref()),
            Source::Column(search) => return search.next(py),
        };
        loop {
            match search.next(py)? {
                Ok(batch) => return Some(Ok(batch)),
                Err(error) => {
                    if let Err(error) = report(py, onerror, error) {
                        return Some(Err(error));
                    }
                }
            }
        }
    }
}

impl Iterator for BatchReader {
    type Item = Result<ArrowBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = Python::attach(|py| self.advance(py))?;
        Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for BatchReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

#[doc = doc!("RecordBatch")]
#[pyclass(frozen, module = "urlgrep")]
pub(crate) struct RecordBatch {
    batch: ArrowBatch,
}

#[pymethods]
impl RecordBatch {
    #[doc = doc!("RecordBatch.num_rows")]
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    #[doc = doc!("RecordBatch.schema")]
    #[getter]
    fn schema(&self) -> Schema {
        Schema { schema: self.batch.schema() }
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<urlgrep.RecordBatch of {} rows, {} columns>", self.batch.num_rows(), self.batch.num_columns())
    }

    #[doc = doc!("RecordBatch.__arrow_c_schema__")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.schema().__arrow_c_schema__(py)
    }

    #[doc = doc!("RecordBatch.__arrow_c_array__")]
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let _ = requested_schema;
        let (array, _) = to_ffi(&StructArray::from(self.batch.clone()).into_data()).map_err(arrow_error)?;
        let array = PyCapsule::new_with_value(py, array, c"arrow_array")?.into_any();
        Ok((self.__arrow_c_schema__(py)?, array))
    }
}

#[doc = doc!("Schema")]
#[pyclass(frozen, module = "urlgrep")]
pub(crate) struct Schema {
    schema: SchemaRef,
}

#[pymethods]
impl Schema {
    #[doc = doc!("Schema.names")]
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.schema.fields().len()
    }

    fn __repr__(&self) -> String {
        let fields = self.schema.fields().iter().map(|field| format!("{}: {}", field.name(), field.data_type()));
        format!("<urlgrep.Schema {}>", fields.collect::<Vec<_>>().join(", "))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.schema == other.schema
    }

    #[doc = doc!("Schema.__arrow_c_schema__")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(arrow_error)?;
        Ok(PyCapsule::new_with_value(py, schema, c"arrow_schema")?.into_any())
    }
}

#[doc = doc!("schema")]
#[pyfunction]
#[pyo3(signature = (columns = None))]
pub(crate) fn schema(columns: Option<Vec<String>>) -> PyResult<Schema> {
    Ok(Schema { schema: Arc::clone(&ColumnSet::new(columns)?.schema) })
}

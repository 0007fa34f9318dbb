//! Matches as rows of columns, which become a batch.

use std::sync::Arc;
use std::{array, mem};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use urlgrep::archive::Envelope;
use urlgrep::audit::registrable_domain;
use urlgrep::record::{FieldSink, FieldValue, MatchRecord, RecordField};
use urlgrep::url::{Generic, equality_key};
use urlgrep::{Level, Match, Sink};

use crate::column::{Column, FindingsBuilder, Size};
use crate::columns::{ColumnField, ColumnPlan, Origin};
use crate::search::Gather;

/// The number of bytes of text at which a batch is full. It bounds the memory for dense text.
const LONGEST: usize = 8 << 20;

/// Rows that become a batch.
pub(crate) struct Rows {
    plan: Arc<ColumnPlan>,
    fields: FieldColumns,
    url_bytes: Column,
    file_bytes: Column,
    readings_bytes: Column,
    key: Column,
    findings: FindingsBuilder,
    from_domain: Column,
    to_domain: Column,
    page: PageDomain,
    /// The indices of the strings in their column.
    string_rows: Column,
    /// The index of the string that is searched.
    string_row: u64,
    /// The finished columns.
    made: Vec<(Origin, ArrayRef)>,
    file: FileName,
}

/// The columns for the fields of the record.
struct FieldColumns {
    columns: Box<[Column; RecordField::COUNT]>,
    wanted: [bool; RecordField::COUNT],
    /// The number of complete rows.
    row: usize,
    /// The approximate number of bytes of text.
    bytes: usize,
    /// True if a list of this row has several items, as the readings may have.
    has_readings: bool,
}

/// The domain of the page that holds the last match. Consecutive matches mostly share it.
#[derive(Default)]
struct PageDomain {
    page: Option<Arc<Envelope>>,
    domain: Option<Vec<u8>>,
}

impl PageDomain {
    fn of(&mut self, page: &Arc<Envelope>) -> Option<&[u8]> {
        if !self.page.as_ref().is_some_and(|last| Arc::ptr_eq(last, page)) {
            let url = page.url.as_deref().and_then(|url| Generic::parse(url.as_bytes()));
            self.domain = url.and_then(|url| url.host).map(|host| registrable_domain(host));
            self.page = Some(Arc::clone(page));
        }
        self.domain.as_deref()
    }
}

/// The name of a file, which each of its rows has.
#[derive(Default)]
struct FileName {
    bytes: Arc<[u8]>,
    is_broken: bool,
}

impl FieldSink for FieldColumns {
    #[inline(always)]
    fn wants(&self, field: usize) -> bool {
        self.wanted[field]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn text(&mut self, field: usize, text: &[u8]) {
        self.columns[field].text(self.row, text);
        self.bytes += text.len();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number(&mut self, field: usize, number: u64) {
        self.columns[field].number(self.row, number);
    }

    #[inline]
    fn flag(&mut self, field: usize, flag: bool) {
        self.columns[field].flag(self.row, flag);
    }

    // Inlined, since a call stored each value in two halves and loaded it as a whole. These stalls
    // were a fifteenth of all time (November 2026).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn list<'v>(&mut self, field: usize, items: impl Iterator<Item = FieldValue<'v>>) {
        let mut count = 0;
        self.bytes += self.columns[field].list(self.row, items.inspect(|_| count += 1));
        self.has_readings |= count > 1;
    }

    #[inline]
    fn object(&mut self, field: usize) {
        self.columns[field].object(self.row);
    }
}

impl Sink for Rows {
    fn add(&mut self, found: &Match<'_>) {
        if !self.plan.candidates && !found.holds_url() {
            return;
        }
        let (file, fields) = (&self.file, &mut self.fields);
        MatchRecord::new(&file.bytes, found).each(fields);
        let (row, is_ascii) = (fields.row, found.level() <= Level::Rfc3986);
        // Only a non-ASCII URL, or a further reading, can hold bytes that are not UTF-8.
        for origin in &self.plan.set.derived {
            match origin {
                Origin::Field(_) => {}
                Origin::UrlBytes if !is_ascii && is_broken(found.url()) => {
                    self.url_bytes.text(row, found.url());
                }
                Origin::FileBytes if file.is_broken => self.file_bytes.text(row, &file.bytes),
                Origin::ReadingsBytes if !is_ascii || fields.has_readings => {
                    if found.readings().any(|reading| is_broken(&reading)) {
                        let readings = found.readings().map(|reading| FieldValue::Text(reading.to_vec().into()));
                        self.readings_bytes.list(row, readings);
                    }
                }
                Origin::UrlBytes | Origin::FileBytes | Origin::ReadingsBytes => {}
                Origin::Key => {
                    let key = equality_key(found.target());
                    self.key.text(row, &key);
                    fields.bytes += key.len();
                }
                Origin::Findings => fields.bytes += self.findings.append(found),
                Origin::FromDomain => {
                    if let Some(brief) = found.brief()
                        && let Some(domain) = self.page.of(brief.envelope())
                    {
                        self.from_domain.text(row, domain);
                    }
                }
                Origin::ToDomain => {
                    if let Some(host) = found.host() {
                        self.to_domain.text(row, &registrable_domain(&host));
                    }
                }
                Origin::Row => self.string_rows.number(row, self.string_row),
            }
        }
        fields.row += 1;
        fields.has_readings = false;
    }

    fn is_full(&self) -> bool {
        self.fields.row >= self.plan.rows || self.fields.bytes >= LONGEST
    }
}

fn is_broken(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_err()
}

impl Gather for Rows {
    type Plan = Arc<ColumnPlan>;
    type Piece = RecordBatch;

    fn new(plan: &Arc<ColumnPlan>) -> Self {
        let sizes = plan.sizes();
        let new = |place: usize| move |kind: &DataType| Column::new(kind, sizes[place]);
        let column = |place: usize| plan.set.kept[place].as_ref().map_or_else(Column::unwanted, new(place));
        let fields = FieldColumns {
            columns: Box::new(array::from_fn(column)),
            wanted: plan.set.wanted,
            row: 0,
            bytes: 0,
            has_readings: false,
        };
        Self {
            plan: Arc::clone(plan),
            fields,
            url_bytes: Column::new(&DataType::Binary, Size::default()),
            file_bytes: Column::new(&DataType::Binary, Size::default()),
            readings_bytes: Column::new(&DataType::new_list(DataType::Binary, true), Size::default()),
            key: Column::new(&DataType::Utf8, Size::default()),
            findings: FindingsBuilder::default(),
            from_domain: Column::new(&DataType::Utf8, Size::default()),
            to_domain: Column::new(&DataType::Utf8, Size::default()),
            page: PageDomain::default(),
            string_rows: Column::new(&DataType::Int64, Size::default()),
            string_row: 0,
            made: Vec::new(),
            file: FileName::default(),
        }
    }

    fn enter(&mut self, file: &Arc<[u8]>) {
        self.file = FileName { bytes: Arc::clone(file), is_broken: is_broken(file) };
    }

    fn is_ready(&self) -> bool {
        self.is_full()
    }

    fn is_empty(&self) -> bool {
        self.fields.row == 0
    }

    fn finish(mut self) -> PyResult<RecordBatch> {
        let plan = Arc::clone(&self.plan);
        plan.set_sizes(array::from_fn(|place| self.fields.columns[place].size()));
        let column = |column: &ColumnField| self.column(column.origin, column.data_type());
        let columns = plan.set.columns.iter().map(column).collect::<Result<_, _>>();
        let batch = columns.and_then(|columns| RecordBatch::try_new(Arc::clone(&plan.set.schema), columns));
        batch.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

impl Rows {
    /// Sets the index of the string that holds the next matches.
    pub(crate) fn enter_row(&mut self, row: u64) {
        self.string_row = row;
    }

    /// Finishes a column. Several names may share it.
    fn column(&mut self, origin: Origin, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        if let Some((_, made)) = self.made.iter().find(|(made, _)| *made == origin) {
            return Ok(Arc::clone(made));
        }
        let rows = self.fields.row;
        let mut parts = Vec::new();
        if let (Origin::Field(field), DataType::Struct(fields)) = (origin, kind) {
            // The parts follow their object.
            for (part, field) in RecordField::all().skip(field.place() + 1).zip(fields) {
                parts.push(self.column(Origin::Field(part), field.data_type())?);
            }
        }
        let column = match origin {
            Origin::Field(field) => &mut self.fields.columns[field.place()],
            Origin::UrlBytes => &mut self.url_bytes,
            Origin::FileBytes => &mut self.file_bytes,
            Origin::ReadingsBytes => &mut self.readings_bytes,
            Origin::Key => &mut self.key,
            Origin::FromDomain => &mut self.from_domain,
            Origin::ToDomain => &mut self.to_domain,
            Origin::Row => &mut self.string_rows,
            Origin::Findings => return mem::take(&mut self.findings).finish(),
        };
        let made = match column.is_empty() {
            true => self.plan.set.nulls(origin, kind, rows),
            false => mem::replace(column, Column::unwanted()).finish(kind, rows, parts)?,
        };
        self.made.push((origin, Arc::clone(&made)));
        Ok(made)
    }
}

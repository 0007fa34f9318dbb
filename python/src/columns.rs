//! Matches as columns: the fields of the record, with Arrow's types.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlgrep::record::{FieldValue, MatchRecord, ObjectValue, RecordField};
use urlgrep::url::equality_key;
use urlgrep::{Level, Match, Sink};

use crate::finding::FindingsBuilder;
use crate::search::Gather;
use crate::texts::{TextBuilder, TextsBuilder};

/// A batch is handed over when its texts have so many bytes: offsets of 32 bits reach further, and so does memory.
const LONGEST: usize = 64 << 20;

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Flag,
    Time,
    Texts,
    Pairs,
    Object,
}

/// The type of a field. All that are not named here are texts; a test holds this against the JSON of all corpora.
fn kind_of(name: &str) -> Kind {
    match name {
        "offset" | "length" | "line" | "column" | "error.offset" | "parts.port" | "parts.port_effective" => {
            Kind::Number
        }
        "message.number" | "message.offset" | "quote_depth" | "body.offset" | "body.length" | "count" => Kind::Number,
        "rejoined" | "parts.slash" | "parts.is_local" => Kind::Flag,
        "readings" | "parts.cwd" | "parts.commands" => Kind::Texts,
        "parts.fields" => Kind::Pairs,
        "message.date" => Kind::Time,
        "error" | "parts" | "generic" | "message" | "body" => Kind::Object,
        _ => Kind::Text,
    }
}

/// The columns that hold the exact bytes of what is not UTF-8, each behind its field.
const EXACT: [(&str, &str, Origin); 3] = [
    ("url", "url_bytes", Origin::UrlBytes),
    ("file", "file_bytes", Origin::FileBytes),
    ("readings", "readings_bytes", Origin::ReadingsBytes),
];

/// The columns that are no field of the record, for those who name them.
const DERIVED: [(&str, Origin); 2] = [("key", Origin::Key), ("findings", Origin::Findings)];

/// Where the values of a column come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Field(RecordField),
    /// Of a match in mail or HTML.
    Place(RecordField),
    /// Who takes the field gets a list of them made.
    Readings,
    /// The same for every row of a file.
    File,
    UrlBytes,
    FileBytes,
    ReadingsBytes,
    Key,
    Findings,
}

/// A column by name and type.
#[derive(Clone)]
struct ColumnField {
    origin: Origin,
    arrow: Arc<Field>,
}

impl ColumnField {
    fn of(field: RecordField) -> Self {
        let origin = match field.name() {
            "readings" => Origin::Readings,
            "file" => Origin::File,
            _ if field.is_of_place() => Origin::Place(field),
            _ => Origin::Field(field),
        };
        Self { origin, arrow: Arc::new(arrow_field(field.name(), field.name())) }
    }

    fn made(name: &str, origin: Origin) -> Self {
        let (kind, is_nullable) = match origin {
            Origin::ReadingsBytes => (list(DataType::Binary), true),
            Origin::Key => (DataType::Utf8, false),
            Origin::Findings => (FindingsBuilder::data_type(), false),
            _ => (DataType::Binary, true),
        };
        Self { origin, arrow: Arc::new(Field::new(name, kind, is_nullable)) }
    }

    /// Every column that a batch has unless its caller names some.
    fn all() -> impl Iterator<Item = Self> {
        let usual = |field: &RecordField| !field.name().contains('.') && field.name() != "target";
        RecordField::all().filter(usual).flat_map(|field| {
            let exact = EXACT.iter().find(|(name, ..)| *name == field.name());
            let exact = exact.map(|&(_, name, origin)| Self::made(name, origin));
            [Some(Self::of(field)), exact].into_iter().flatten()
        })
    }

    fn by_name(name: &str) -> Option<Self> {
        let exact = EXACT.iter().map(|&(_, name, origin)| (name, origin));
        match exact.chain(DERIVED).find(|&(made, _)| made == name) {
            Some((name, origin)) => Some(Self::made(name, origin)),
            None => RecordField::all().find(|field| field.name() == name).map(Self::of),
        }
    }
}

fn arrow_field(name: &str, path: &str) -> Field {
    // What every record has.
    let is_nullable =
        !matches!(path, "url" | "kind" | "offset" | "length" | "rejoined" | "readings" | "level" | "target");
    Field::new(name, data_type(kind_of(path), path), is_nullable)
}

fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", item, true)))
}

fn data_type(kind: Kind, path: &str) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Number => DataType::Int64,
        Kind::Flag => DataType::Boolean,
        Kind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Kind::Texts => list(DataType::Utf8),
        Kind::Pairs => list(list(DataType::Utf8)),
        Kind::Object => DataType::Struct(parts_of(path).map(|(part, path)| arrow_part(part, path)).collect()),
    }
}

/// A part is there only where its object is.
fn arrow_part(name: &str, path: &str) -> Field {
    Field::new(name, data_type(kind_of(path), path), true)
}

/// The parts of an object: their names, by themselves and with the object's.
fn parts_of(object: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    RecordField::all().filter_map(move |field| {
        let (owner, part) = field.name().split_once('.')?;
        (owner == object).then_some((part, field.name()))
    })
}

/// Which columns are wanted, and how many rows at a time.
pub(crate) struct ColumnPlan {
    columns: Vec<ColumnField>,
    pub(crate) schema: SchemaRef,
    rows: usize,
    candidates: bool,
}

impl ColumnPlan {
    /// Without `columns`, all of them.
    pub(crate) fn new(columns: Option<&[&str]>, rows: usize, candidates: bool) -> PyResult<Self> {
        let named = |name: &&str| {
            ColumnField::by_name(name).ok_or_else(|| {
                let all: Vec<_> = ColumnField::all().map(|column| column.arrow.name().clone()).collect();
                let all = all.join(", ");
                PyValueError::new_err(format!(
                    "there is no column '{name}'; there are {all}; key, findings; of objects message.id …"
                ))
            })
        };
        let columns: Vec<_> = match columns {
            None => ColumnField::all().collect(),
            Some(names) => names.iter().map(named).collect::<PyResult<_>>()?,
        };
        let fields: Fields = columns.iter().map(|column| Arc::clone(&column.arrow)).collect();
        Ok(Self { columns, schema: Arc::new(Schema::new(fields)), rows, candidates })
    }

    /// Somebody asks for the place in lines.
    pub(crate) fn needs_lines(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.arrow.name().as_str(), "line" | "column"))
    }
}

/// Rows that come to be a batch.
pub(crate) struct Columns {
    columns: Vec<(Origin, Column)>,
    schema: SchemaRef,
    file: FileName,
    rows: usize,
    most: usize,
    /// About so many bytes of text.
    bytes: usize,
    candidates: bool,
}

/// The name of a file, which each of its rows has.
#[derive(Default)]
struct FileName {
    bytes: Arc<[u8]>,
    is_broken: bool,
}

impl Columns {
    pub(crate) fn finish(self) -> Result<RecordBatch, ArrowError> {
        let columns = self.columns.into_iter().map(|(_, column)| column.finish(self.rows)).collect();
        RecordBatch::try_new(self.schema, columns)
    }
}

impl Sink for Columns {
    fn add(&mut self, found: &Match<'_>) {
        if !self.candidates && !found.holds_url() {
            return;
        }
        let (row, file) = (self.rows, &self.file);
        let record = MatchRecord::new(&file.bytes, found);
        // Most rows have none of what these columns hold.
        let (has_place, is_ascii) = (record.has_place(), found.level() <= Level::Rfc3986);
        for (origin, column) in &mut self.columns {
            match origin {
                Origin::Place(_) if !has_place => {}
                Origin::Field(field) | Origin::Place(field) => self.bytes += column.append(row, record.get(*field)),
                Origin::Readings => column.append_readings(row, found),
                Origin::File if !file.bytes.is_empty() => column.append_text(row, &file.bytes),
                Origin::FileBytes if file.is_broken => column.append_bytes(row, &file.bytes),
                Origin::UrlBytes if !is_ascii && is_broken(found.url()) => column.append_bytes(row, found.url()),
                Origin::ReadingsBytes if found.readings().any(|reading| is_broken(&reading)) => {
                    column.append_readings(row, found);
                }
                Origin::Key => {
                    let key = equality_key(found.target());
                    column.append_text(row, &key);
                    self.bytes += key.len();
                }
                Origin::Findings => self.bytes += column.append_findings(row, found),
                Origin::File | Origin::FileBytes | Origin::UrlBytes | Origin::ReadingsBytes => {}
            }
        }
        self.rows += 1;
        self.bytes += found.source().len() + file.bytes.len();
    }

    fn is_full(&self) -> bool {
        self.rows >= self.most || self.bytes >= LONGEST
    }
}

fn is_broken(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_err()
}

impl Gather for Columns {
    type Plan = ColumnPlan;

    fn new(plan: &ColumnPlan) -> Self {
        let column = |column: &ColumnField| (column.origin, Column::new(column.arrow.data_type()));
        Self {
            columns: plan.columns.iter().map(column).collect(),
            schema: Arc::clone(&plan.schema),
            file: FileName::default(),
            rows: 0,
            most: plan.rows,
            bytes: 0,
            candidates: plan.candidates,
        }
    }

    fn enter(&mut self, file: &Arc<[u8]>) {
        self.file = FileName { bytes: Arc::clone(file), is_broken: is_broken(file) };
    }

    fn is_ready(&self) -> bool {
        self.is_full()
    }

    fn is_empty(&self) -> bool {
        self.rows == 0
    }
}

/// A column that grows. Rows behind its last one are null, and made up for when one comes that is not: most of the parts of
/// most objects never have one.
struct Column {
    builder: ColumnBuilder,
    rows: usize,
}

impl Column {
    fn new(kind: &DataType) -> Self {
        Self { builder: ColumnBuilder::new(kind), rows: 0 }
    }

    /// The builder, with the value of this row to come.
    fn at(&mut self, row: usize) -> &mut ColumnBuilder {
        self.fill(row);
        self.rows = row + 1;
        &mut self.builder
    }

    fn fill(&mut self, rows: usize) {
        if self.rows < rows {
            self.builder.append_nulls(rows - self.rows);
            self.rows = rows;
        }
    }

    /// Says how many bytes of text that is.
    #[inline]
    fn append(&mut self, row: usize, value: FieldValue<'_>) -> usize {
        if matches!(value, FieldValue::Null) { 0 } else { self.at(row).append(value) }
    }

    fn append_text(&mut self, row: usize, text: &[u8]) {
        if let ColumnBuilder::Text(builder) = self.at(row) {
            builder.append(text);
        }
    }

    fn append_bytes(&mut self, row: usize, bytes: &[u8]) {
        if let ColumnBuilder::Bytes(builder) = self.at(row) {
            builder.append_value(bytes);
        }
    }

    fn append_findings(&mut self, row: usize, found: &Match<'_>) -> usize {
        match self.at(row) {
            ColumnBuilder::Findings(builder) => builder.append(found),
            _ => 0,
        }
    }

    fn append_readings(&mut self, row: usize, found: &Match<'_>) {
        match self.at(row) {
            ColumnBuilder::Texts(builder) => {
                found.readings().for_each(|reading| builder.texts.append(&reading));
                builder.end();
            }
            ColumnBuilder::BytesList(builder) => {
                found.readings().for_each(|reading| builder.values().append_value(&*reading));
                builder.append(true);
            }
            _ => {}
        }
    }

    fn finish(mut self, rows: usize) -> ArrayRef {
        self.fill(rows);
        self.builder.finish()
    }
}

/// The values of a column.
enum ColumnBuilder {
    Text(TextBuilder),
    Number(Int64Builder),
    Flag(BooleanBuilder),
    Time(TimestampMicrosecondBuilder),
    Bytes(BinaryBuilder),
    Texts(TextsBuilder),
    BytesList(ListBuilder<BinaryBuilder>),
    Pairs(ListBuilder<ListBuilder<StringBuilder>>),
    Findings(Box<FindingsBuilder>),
    Object(Box<ObjectBuilder>),
}

impl ColumnBuilder {
    fn new(kind: &DataType) -> Self {
        match kind {
            DataType::Int64 => Self::Number(Int64Builder::new()),
            DataType::Boolean => Self::Flag(BooleanBuilder::new()),
            DataType::Timestamp(..) => Self::Time(TimestampMicrosecondBuilder::new().with_timezone("UTC")),
            DataType::Binary => Self::Bytes(BinaryBuilder::new()),
            DataType::List(item) => match item.data_type() {
                DataType::List(_) => Self::Pairs(ListBuilder::new(ListBuilder::new(StringBuilder::new()))),
                DataType::Struct(_) => Self::Findings(Box::default()),
                DataType::Binary => Self::BytesList(ListBuilder::new(BinaryBuilder::new())),
                _ => Self::Texts(TextsBuilder::new(Arc::clone(item))),
            },
            DataType::Struct(fields) => Self::Object(Box::new(ObjectBuilder::new(fields.clone()))),
            _ => Self::Text(TextBuilder::new()),
        }
    }

    fn append(&mut self, value: FieldValue<'_>) -> usize {
        match (self, value) {
            (Self::Text(builder), FieldValue::Text(text)) => {
                builder.append(&text);
                return text.len();
            }
            (Self::Number(builder), FieldValue::Number(number)) => builder.append_option(i64::try_from(number).ok()),
            (Self::Flag(builder), FieldValue::Flag(flag)) => builder.append_value(flag),
            (Self::Time(builder), FieldValue::Text(text)) => builder.append_option(microseconds(&text)),
            (Self::Texts(builder), FieldValue::List(items)) => {
                for item in &items {
                    if let FieldValue::Text(text) = item {
                        builder.texts.append(text);
                    }
                }
                builder.end();
            }
            (Self::Pairs(builder), FieldValue::List(items)) => {
                for item in items {
                    let FieldValue::List(pair) = item else { continue };
                    append_texts(builder.values().values(), pair);
                    builder.values().append(true);
                }
                builder.append(true);
            }
            (Self::Object(builder), FieldValue::Object(object)) => return builder.append(object),
            (builder, _) => builder.append_nulls(1),
        }
        0
    }

    fn append_nulls(&mut self, count: usize) {
        match self {
            Self::Text(builder) => builder.append_nulls(count),
            Self::Number(builder) => builder.append_nulls(count),
            Self::Flag(builder) => builder.append_nulls(count),
            Self::Time(builder) => builder.append_nulls(count),
            Self::Bytes(builder) => builder.append_nulls(count),
            Self::Texts(builder) => builder.append_nulls(count),
            Self::BytesList(builder) => builder.append_nulls(count),
            Self::Pairs(builder) => builder.append_nulls(count),
            // Every row has some, or none.
            Self::Findings(_) => {}
            Self::Object(builder) => builder.append_nulls(count),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Text(builder) => builder.finish(),
            Self::Number(mut builder) => Arc::new(builder.finish()),
            Self::Flag(mut builder) => Arc::new(builder.finish()),
            Self::Time(mut builder) => Arc::new(builder.finish()),
            Self::Bytes(mut builder) => Arc::new(builder.finish()),
            Self::Texts(builder) => builder.finish(),
            Self::BytesList(mut builder) => Arc::new(builder.finish()),
            Self::Pairs(mut builder) => Arc::new(builder.finish()),
            Self::Findings(builder) => (*builder).finish(),
            Self::Object(builder) => builder.finish(),
        }
    }
}

fn append_text(builder: &mut StringBuilder, text: &[u8]) {
    match std::str::from_utf8(text) {
        Ok(text) => builder.append_value(text),
        Err(_) => builder.append_value(String::from_utf8_lossy(text)),
    }
}

fn append_texts(builder: &mut StringBuilder, items: Vec<FieldValue<'_>>) {
    for item in items {
        match item {
            FieldValue::Text(text) => append_text(builder, &text),
            _ => builder.append_null(),
        }
    }
}

/// The parts of objects. Which of them an object has depends on its scheme; the others are null.
struct ObjectBuilder {
    fields: Fields,
    parts: Vec<Column>,
    validity: NullBufferBuilder,
}

impl ObjectBuilder {
    fn new(fields: Fields) -> Self {
        let parts = fields.iter().map(|field| Column::new(field.data_type())).collect();
        Self { parts, fields, validity: NullBufferBuilder::new(0) }
    }

    fn append(&mut self, object: ObjectValue<'_>) -> usize {
        let row = self.validity.len();
        self.validity.append_non_null();
        // Parts mostly come in the order of the fields.
        let (mut next, mut bytes) = (0, 0);
        object.each(|name, value| {
            let is_named = |at: &usize| self.fields[*at].name() == name;
            let Some(at) = (next..self.parts.len()).chain(0..next).find(is_named) else { return };
            next = at + 1;
            bytes += self.parts[at].append(row, value);
        });
        bytes
    }

    fn append_nulls(&mut self, count: usize) {
        self.validity.append_n_nulls(count);
    }

    fn finish(mut self) -> ArrayRef {
        let rows = self.validity.len();
        let arrays = self.parts.into_iter().map(|part| part.finish(rows)).collect();
        Arc::new(StructArray::new(self.fields, arrays, self.validity.finish()))
    }
}

/// The time of a date that a record holds, in UTC. One without a zone is taken for UTC, one without a time for midnight.
fn microseconds(iso: &[u8]) -> Option<i64> {
    let number =
        |range: std::ops::Range<usize>| -> Option<i64> { std::str::from_utf8(iso.get(range)?).ok()?.parse().ok() };
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let time = match iso.get(10) {
        None => 0,
        Some(_) => (number(11..13)? * 60 + number(14..16)?) * 60 + number(17..19)?,
    };
    let east = match iso.get(19) {
        Some(sign @ (b'+' | b'-')) => {
            let minutes = number(20..22)? * 60 + number(23..25)?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => 0,
    };
    Some(((days(year, month, day)? * 24 * 60 - east) * 60 + time) * 1_000_000)
}

/// Days from the first of January 1970 on, in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let length = [31, 28 + i64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = usize::try_from(month - 1).ok()?;
    if !(1..=*length.get(month)?).contains(&day) {
        return None;
    }
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let of_years = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    Some(of_years + before.get(month)? + i64::from(is_leap && month > 1) + day - 1)
}

//! Matches as columns: the fields of the record, with Arrow types.

use std::iter;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use arrow_array::{ArrayRef, new_null_array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlgrep::ExtractorBuilder;
use urlgrep::record::RecordField;

use crate::column::{FindingsBuilder, Size};

/// The kind of the values in a column.
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

/// Returns the kind of a field's values. All fields not named here are texts. A test compares this
/// with the JSON of all corpora.
fn kind_of(name: &str) -> Kind {
    match name {
        "offset" | "length" | "line" | "column" | "error.offset" | "parts.port" | "parts.port_effective" => {
            Kind::Number
        }
        "message.number" | "message.offset" | "part.offset" | "part.length" | "quote_depth" | "body.offset"
        | "body.length" | "count" => Kind::Number,
        "rejoined" | "truncated" | "parts.slash" | "parts.is_local" => Kind::Flag,
        "readings" | "parts.cwd" | "parts.commands" => Kind::Texts,
        "parts.fields" => Kind::Pairs,
        "message.date" => Kind::Time,
        "error" | "parts" | "generic" | "message" | "part" | "body" => Kind::Object,
        _ => Kind::Text,
    }
}

/// The columns that hold the exact bytes of a value that is not UTF-8, each after its field.
const EXACT: [(&str, &str, Origin); 3] = [
    ("url", "url_bytes", Origin::UrlBytes),
    ("file", "file_bytes", Origin::FileBytes),
    ("readings", "readings_bytes", Origin::ReadingsBytes),
];

/// The columns that are not fields of the record. A batch has them only if the caller names them.
const DERIVED: [(&str, Origin); 4] = [
    ("key", Origin::Key),
    ("findings", Origin::Findings),
    ("from_domain", Origin::FromDomain),
    ("to_domain", Origin::ToDomain),
];

/// The column with the index of the string that holds the match. Batches of such a search have it
/// first.
const ROW: &str = "row";

/// The source of a column's values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Field(RecordField),
    UrlBytes,
    FileBytes,
    ReadingsBytes,
    Key,
    Findings,
    FromDomain,
    ToDomain,
    Row,
}

/// A column by name and type.
pub(crate) struct ColumnField {
    pub(crate) origin: Origin,
    arrow: Arc<Field>,
}

impl ColumnField {
    fn of(field: RecordField) -> Self {
        Self { origin: Origin::Field(field), arrow: Arc::new(arrow_field(field.name(), field.name())) }
    }

    fn made(name: &str, origin: Origin) -> Self {
        let (kind, is_nullable) = match origin {
            Origin::ReadingsBytes => (list(DataType::Binary), true),
            Origin::Key => (DataType::Utf8, false),
            Origin::FromDomain | Origin::ToDomain => (DataType::Utf8, true),
            Origin::Findings => (FindingsBuilder::data_type(), false),
            Origin::Row => (DataType::Int64, false),
            _ => (DataType::Binary, true),
        };
        Self { origin, arrow: Arc::new(Field::new(name, kind, is_nullable)) }
    }

    pub(crate) fn data_type(&self) -> &DataType {
        self.arrow.data_type()
    }

    /// Returns every column that a batch has by default.
    fn all() -> impl Iterator<Item = Self> {
        let usual = |field: &RecordField| !field.name().contains('.') && !field.is_on_request();
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
    // Every record has these.
    let is_nullable = !matches!(
        path,
        "url" | "kind" | "offset" | "length" | "rejoined" | "truncated" | "readings" | "level" | "target" | "page"
    );
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

/// Creates the field of a part, which is null where its object is null.
fn arrow_part(name: &str, path: &str) -> Field {
    Field::new(name, data_type(kind_of(path), path), true)
}

/// Returns the parts of an object, each with its own name and its full name (`message`: `id`,
/// `message.id`).
fn parts_of(object: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    RecordField::all().filter_map(move |field| {
        let (owner, part) = field.name().split_once('.')?;
        (owner == object).then_some((part, field.name()))
    })
}

/// The columns that a caller chose.
pub(crate) struct ColumnSet {
    pub(crate) columns: Vec<ColumnField>,
    /// The origins that are not fields, each once.
    pub(crate) derived: Vec<Origin>,
    pub(crate) schema: SchemaRef,
    /// True for the fields of the columns, and for the objects that contain them.
    pub(crate) wanted: [bool; RecordField::COUNT],
    /// The types of the fields of the columns, and of their parts.
    pub(crate) kept: [Option<DataType>; RecordField::COUNT],
    /// Columns of nulls, by field, which all searches share. Most columns of a batch are all null.
    /// Creating them for each search doubled the time of a small file.
    nulls: [OnceLock<ArrayRef>; RecordField::COUNT],
}

/// The length of a shared column of nulls. Shorter ones are slices of it.
const NULLS: usize = 4096;

/// The parameters that the batches of a search share.
pub(crate) struct ColumnPlan {
    pub(crate) set: Arc<ColumnSet>,
    /// The number of rows at which a batch is full.
    pub(crate) rows: usize,
    pub(crate) candidates: bool,
    /// The sizes of the last batch's columns.
    sizes: Mutex<[Size; RecordField::COUNT]>,
}

impl ColumnSet {
    /// Returns the columns of these names, or else the default ones. The default ones are created
    /// only once, which takes as long as the search of a small file.
    pub(crate) fn new(names: Option<Vec<String>>) -> PyResult<Arc<Self>> {
        static ALL: LazyLock<Arc<ColumnSet>> = LazyLock::new(|| Arc::new(ColumnSet::of(ColumnField::all().collect())));
        match names {
            None => Ok(Arc::clone(&ALL)),
            Some(names) => Ok(Arc::new(Self::of(Self::named(&names)?))),
        }
    }

    /// Returns the column of the row, and then the columns of these names. The names may include
    /// the row.
    pub(crate) fn numbered(names: Option<Vec<String>>) -> PyResult<Arc<Self>> {
        let columns = match names {
            None => ColumnField::all().collect(),
            Some(mut names) => {
                names.retain(|name| name != ROW);
                Self::named(&names)?
            }
        };
        let row = ColumnField::made(ROW, Origin::Row);
        Ok(Arc::new(Self::of(iter::once(row).chain(columns).collect())))
    }

    fn named(names: &[String]) -> PyResult<Vec<ColumnField>> {
        let named = |name: &String| {
            ColumnField::by_name(name).ok_or_else(|| {
                let all: Vec<_> = ColumnField::all().map(|column| column.arrow.name().clone()).collect();
                let all = all.join(", ");
                PyValueError::new_err(format!(
                    "there is no column '{name}'; there are {all}; key, findings, from_domain, to_domain; of objects message.id …"
                ))
            })
        };
        names.iter().map(named).collect()
    }

    fn of(columns: Vec<ColumnField>) -> Self {
        let fields: Fields = columns.iter().map(|column| Arc::clone(&column.arrow)).collect();
        let (mut wanted, mut kept) = ([false; _], [const { None }; _]);
        let mut derived = Vec::new();
        for column in &columns {
            if !matches!(column.origin, Origin::Field(_)) && !derived.contains(&column.origin) {
                derived.push(column.origin);
            }
            let name = match column.origin {
                Origin::Field(field) => field.name(),
                Origin::ReadingsBytes => "readings",
                _ => continue,
            };
            let object = name.split_once('.').map_or(name, |(object, _)| object);
            // A part is only computed with its object, so the object is wanted, too.
            for (place, field) in RecordField::all().enumerate() {
                wanted[place] |= field.name() == object;
                let is_part = field.name().strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
                if column.origin != Origin::ReadingsBytes && (field.name() == name || is_part) {
                    kept[place] = Some(data_type(kind_of(field.name()), field.name()));
                }
            }
        }
        let nulls = [const { OnceLock::new() }; _];
        Self { columns, derived, schema: Arc::new(Schema::new(fields)), wanted, kept, nulls }
    }

    /// Returns a column of nulls.
    pub(crate) fn nulls(&self, origin: Origin, kind: &DataType, rows: usize) -> ArrayRef {
        match origin {
            Origin::Field(field) if rows <= NULLS => {
                self.nulls[field.place()].get_or_init(|| new_null_array(kind, NULLS)).slice(0, rows)
            }
            _ => new_null_array(kind, rows),
        }
    }

    /// Returns true if a column needs the place in lines.
    fn needs_lines(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.arrow.name().as_str(), "line" | "column"))
    }
}

impl ColumnPlan {
    pub(crate) fn new(set: Arc<ColumnSet>, rows: usize, candidates: bool) -> PyResult<Self> {
        match rows {
            0 => Err(PyValueError::new_err("rows is 0")),
            _ => Ok(Self { set, rows, candidates, sizes: Mutex::new([Size::default(); _]) }),
        }
    }

    /// Returns an extractor that counts lines only if a column needs them.
    pub(crate) fn extractor(&self, options: ExtractorBuilder) -> ExtractorBuilder {
        if self.set.needs_lines() { options } else { options.line_numbers(false) }
    }

    /// Returns the sizes of the last batch's columns.
    pub(crate) fn sizes(&self) -> [Size; RecordField::COUNT] {
        *self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_sizes(&self, sizes: [Size; RecordField::COUNT]) {
        *self.sizes.lock().unwrap_or_else(PoisonError::into_inner) = sizes;
    }
}

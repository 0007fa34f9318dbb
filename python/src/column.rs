//! Columns that grow row by row, and become Arrow arrays.
//!
//! Rows without a value are filled in once a later row has one. Most parts of most objects never
//! have one. Arrow's own builders append every row and validate each text as UTF-8. That was half
//! the time of a batch (November 2026).

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Int64Array, ListArray, StringArray, StructArray, TimestampMicrosecondArray,
    new_null_array,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, OffsetBufferBuilder};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use urlgrep::audit::{RuleOptions, findings};
use urlgrep::record::FieldValue;

use crate::time::microseconds;

/// A column.
pub(crate) struct Column {
    /// The number of complete rows.
    rows: usize,
    /// The rows without a value, in runs.
    gaps: Vec<Range<usize>>,
    values: Values,
}

/// The size of a column. A batch begins with the sizes of the last one: gradual growth cost a tenth
/// of the time (November 2026).
#[derive(Clone, Copy, Default)]
pub(crate) struct Size {
    rows: usize,
    gaps: usize,
    bytes: usize,
}

/// The values of a column.
enum Values {
    /// Values that no caller wants.
    Unwanted,
    Text(Texts),
    Bytes(Texts),
    Number(Vec<i64>),
    Time(Vec<i64>),
    Flag(BooleanBufferBuilder),
    TextList(Lists),
    BytesList(Lists),
    Pairs(Box<ListBuilder<ListBuilder<StringBuilder>>>),
    /// Values whose parts are columns of their own.
    Object,
}

impl Column {
    pub(crate) fn unwanted() -> Self {
        Self { rows: 0, gaps: Vec::new(), values: Values::Unwanted }
    }

    pub(crate) fn new(kind: &DataType, size: Size) -> Self {
        let rows = size.rows;
        let values = match kind {
            DataType::Int64 => Values::Number(Vec::with_capacity(rows)),
            DataType::Timestamp(..) => Values::Time(Vec::with_capacity(rows)),
            DataType::Boolean => Values::Flag(BooleanBufferBuilder::new(rows)),
            DataType::Binary => Values::Bytes(Texts::with_capacity(size)),
            DataType::Struct(_) => Values::Object,
            DataType::List(item) => match item.data_type() {
                DataType::List(_) => Values::Pairs(Box::new(ListBuilder::new(ListBuilder::new(StringBuilder::new())))),
                DataType::Binary => Values::BytesList(Lists::with_capacity(size)),
                _ => Values::TextList(Lists::with_capacity(size)),
            },
            _ => Values::Text(Texts::with_capacity(size)),
        };
        Self { rows: 0, gaps: Vec::with_capacity(size.gaps), values }
    }

    /// Returns the size that the column of the next batch begins with.
    pub(crate) fn size(&self) -> Size {
        let bytes = match &self.values {
            Values::Text(texts) | Values::Bytes(texts) => texts.bytes.len(),
            Values::TextList(lists) | Values::BytesList(lists) => lists.texts.bytes.len(),
            _ => 0,
        };
        Size { rows: self.rows, gaps: self.gaps.len(), bytes }
    }

    /// Returns the values, to which the caller appends the value of this row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn at(&mut self, row: usize) -> &mut Values {
        if self.rows != row {
            self.skip_to(row);
        }
        self.rows = row + 1;
        &mut self.values
    }

    /// Fills in the rows before `row`, which have no value.
    #[inline(never)]
    fn skip_to(&mut self, row: usize) {
        self.gaps.push(self.rows..row);
        let count = row - self.rows;
        match &mut self.values {
            Values::Unwanted | Values::Object => {}
            Values::Text(texts) | Values::Bytes(texts) => texts.skip(count),
            Values::Number(numbers) | Values::Time(numbers) => numbers.resize(row, 0),
            Values::Flag(flags) => flags.append_n(count, false),
            Values::TextList(lists) | Values::BytesList(lists) => lists.skip(count),
            Values::Pairs(lists) => (0..count).for_each(|_| lists.append_null()),
        }
        self.rows = row;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn text(&mut self, row: usize, text: &[u8]) {
        match self.at(row) {
            Values::Text(texts) | Values::Bytes(texts) => texts.push(text),
            Values::Unwanted => {}
            _ => self.time(row, text),
        }
    }

    #[inline(never)]
    fn time(&mut self, row: usize, text: &[u8]) {
        if let Values::Time(times) = &mut self.values {
            // A date that is not valid leaves the row without a value.
            match microseconds(text) {
                Some(time) => times.push(time),
                None => self.rows = row,
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn number(&mut self, row: usize, number: u64) {
        if let Values::Number(numbers) = self.at(row) {
            // No number of a record comes near this limit.
            numbers.push(i64::try_from(number).unwrap_or(i64::MAX));
        }
    }

    #[inline]
    pub(crate) fn flag(&mut self, row: usize, flag: bool) {
        if let Values::Flag(flags) = self.at(row) {
            flags.append(flag);
        }
    }

    #[inline]
    pub(crate) fn object(&mut self, row: usize) {
        self.at(row);
    }

    /// Appends a list, and returns the number of its bytes of text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn list<'v>(&mut self, row: usize, items: impl Iterator<Item = FieldValue<'v>>) -> usize {
        match self.at(row) {
            Values::TextList(lists) | Values::BytesList(lists) => {
                let before = lists.texts.bytes.len();
                for item in items {
                    if let FieldValue::Text(text) = item {
                        lists.texts.push(&text);
                    }
                }
                lists.end();
                lists.texts.bytes.len() - before
            }
            Values::Pairs(lists) => {
                items.for_each(|pair| append_pair(lists.values(), pair));
                lists.append(true);
                0
            }
            _ => 0,
        }
    }

    /// Returns true if no row has a value.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Converts the column to an array of `rows` rows. `parts` are the columns of an object's
    /// parts.
    pub(crate) fn finish(mut self, kind: &DataType, rows: usize, parts: Vec<ArrayRef>) -> Result<ArrayRef, ArrowError> {
        if self.rows < rows {
            self.skip_to(rows);
        }
        let nulls = nulls(&self.gaps, rows);
        Ok(match self.values {
            Values::Unwanted => new_null_array(kind, rows),
            Values::Text(texts) => texts.finish_texts(nulls)?,
            Values::Bytes(texts) => {
                let (ends, bytes) = texts.finish()?;
                Arc::new(BinaryArray::try_new(ends, bytes, nulls)?)
            }
            Values::Number(numbers) => Arc::new(Int64Array::try_new(numbers.into(), nulls)?),
            Values::Time(times) => {
                Arc::new(TimestampMicrosecondArray::try_new(times.into(), nulls)?.with_timezone("UTC"))
            }
            Values::Flag(flags) => Arc::new(BooleanArray::new(flags.build(), nulls)),
            Values::TextList(lists) => {
                let (ends, texts) = (lists.ends, lists.texts.finish_texts(None)?);
                list_array(kind, ends, texts, nulls)?
            }
            Values::BytesList(lists) => {
                let (ends, (item_ends, bytes)) = (lists.ends, lists.texts.finish()?);
                list_array(kind, ends, Arc::new(BinaryArray::try_new(item_ends, bytes, None)?), nulls)?
            }
            Values::Pairs(mut lists) => Arc::new(lists.finish()),
            Values::Object => match kind {
                DataType::Struct(fields) => Arc::new(StructArray::try_new(fields.clone(), parts, nulls)?),
                _ => new_null_array(kind, rows),
            },
        })
    }
}

fn append_pair(pairs: &mut ListBuilder<StringBuilder>, pair: FieldValue<'_>) {
    let FieldValue::List(items) = pair else { return };
    for item in items {
        match item {
            FieldValue::Text(text) => pairs.values().append_value(String::from_utf8_lossy(&text)),
            _ => pairs.values().append_null(),
        }
    }
    pairs.append(true);
}

fn nulls(gaps: &[Range<usize>], rows: usize) -> Option<NullBuffer> {
    let mut nulls = NullBufferBuilder::new(rows);
    for gap in gaps {
        nulls.append_n_non_nulls(gap.start - nulls.len());
        nulls.append_n_nulls(gap.len());
    }
    nulls.append_n_non_nulls(rows - nulls.len());
    nulls.build()
}

fn list_array(
    kind: &DataType,
    ends: OffsetBufferBuilder<i32>,
    items: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    match kind {
        DataType::List(item) => Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets(ends)?, items, nulls)?)),
        _ => Err(ArrowError::SchemaError(format!("{kind} is no list"))),
    }
}

/// Converts offsets. A batch is delivered long before the bytes of its texts exceed 32 bits.
fn offsets(ends: OffsetBufferBuilder<i32>) -> Result<OffsetBuffer<i32>, ArrowError> {
    ends.try_finish().map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))
}

/// Texts in one buffer.
struct Texts {
    ends: OffsetBufferBuilder<i32>,
    bytes: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Self {
        Self::with_capacity(Size::default())
    }
}

impl Texts {
    fn with_capacity(Size { rows, bytes, .. }: Size) -> Self {
        // A sixteenth more holds most batches without another allocation.
        Self { ends: OffsetBufferBuilder::new(rows), bytes: Vec::with_capacity(bytes + bytes / 16) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&mut self, text: &[u8]) {
        append(&mut self.bytes, text);
        self.ends.push_length(text.len());
    }

    fn skip(&mut self, count: usize) {
        self.ends.reserve(count);
        (0..count).for_each(|_| self.ends.push_length(0));
    }

    fn finish(self) -> Result<(OffsetBuffer<i32>, Buffer), ArrowError> {
        Ok((offsets(self.ends)?, Buffer::from_vec(self.bytes)))
    }

    /// Converts the texts to an array, and validates them all at once as UTF-8. Invalid ones become
    /// lossy.
    fn finish_texts(self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let (ends, bytes) = self.finish()?;
        Ok(match StringArray::try_new(ends.clone(), bytes.clone(), nulls.clone()) {
            Ok(texts) => Arc::new(texts),
            Err(_) => {
                let texts = BinaryArray::try_new(ends, bytes, nulls)?;
                Arc::new(texts.iter().map(|text| text.map(String::from_utf8_lossy)).collect::<StringArray>())
            }
        })
    }
}

/// Appends a text. Most texts are short: two copies of constant length, which may overlap, are
/// faster than a call.
#[inline(always)]
fn append(bytes: &mut Vec<u8>, text: &[u8]) {
    match text.len() {
        32..=64 => append_ends::<32>(bytes, text),
        16..32 => append_ends::<16>(bytes, text),
        8..16 => append_ends::<8>(bytes, text),
        4..8 => append_ends::<4>(bytes, text),
        _ => bytes.extend_from_slice(text),
    }
}

/// Appends the first and the last `N` bytes of a text of `N` to `2 * N` bytes.
#[inline(always)]
fn append_ends<const N: usize>(bytes: &mut Vec<u8>, text: &[u8]) {
    if let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) {
        bytes.extend_from_slice(first);
        bytes.truncate(bytes.len() + text.len() - 2 * N);
        bytes.extend_from_slice(last);
    }
}

/// Lists of texts.
struct Lists {
    ends: OffsetBufferBuilder<i32>,
    texts: Texts,
    /// The number of texts in complete lists.
    listed: usize,
}

impl Lists {
    fn with_capacity(size: Size) -> Self {
        Self { ends: OffsetBufferBuilder::new(size.rows), texts: Texts::with_capacity(size), listed: 0 }
    }

    /// Ends a list. It holds the texts that were pushed since the end of the previous list.
    fn end(&mut self) {
        let texts = self.texts.ends.len() - 1;
        self.ends.push_length(texts - self.listed);
        self.listed = texts;
    }

    fn skip(&mut self, count: usize) {
        self.ends.reserve(count);
        (0..count).for_each(|_| self.ends.push_length(0));
    }
}

/// A column of findings. It lacks a rule's own texts, `why` and `remedy`, which would be most of
/// the column.
#[derive(Default)]
pub(crate) struct FindingsBuilder {
    /// The end of each row in the other fields.
    ends: Vec<i32>,
    rule: Texts,
    severity: Texts,
    start: Vec<i64>,
    end: Vec<i64>,
    message: Texts,
}

impl FindingsBuilder {
    /// Returns the type of the column.
    pub(crate) fn data_type() -> DataType {
        DataType::List(Self::item())
    }

    fn item() -> Arc<Field> {
        Arc::new(Field::new("item", DataType::Struct(Self::fields()), false))
    }

    fn fields() -> Fields {
        let field = |name, kind| Field::new(name, kind, false);
        Fields::from(vec![
            field("rule", DataType::Utf8),
            field("severity", DataType::Utf8),
            field("start", DataType::Int64),
            field("end", DataType::Int64),
            field("message", DataType::Utf8),
        ])
    }

    /// Appends the findings of a match, and returns the number of their bytes of text.
    pub(crate) fn append(&mut self, found: &urlgrep::Match<'_>) -> usize {
        let number = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let mut bytes = 0;
        for finding in findings(found, RuleOptions::new()) {
            self.rule.push(finding.rule.id().as_bytes());
            self.severity.push(finding.severity.as_str().as_bytes());
            self.start.push(number(finding.at.start));
            self.end.push(number(finding.at.end));
            self.message.push(finding.message.as_bytes());
            bytes += finding.message.len();
        }
        self.ends.push(i32::try_from(self.start.len()).unwrap_or(i32::MAX));
        bytes
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            self.rule.finish_texts(None)?,
            self.severity.finish_texts(None)?,
            Arc::new(Int64Array::from(self.start)),
            Arc::new(Int64Array::from(self.end)),
            self.message.finish_texts(None)?,
        ];
        let ends = OffsetBuffer::new([vec![0], self.ends].concat().into());
        let findings = Arc::new(StructArray::try_new(Self::fields(), columns, None)?);
        Ok(Arc::new(ListArray::try_new(Self::item(), ends, findings, None)?))
    }
}

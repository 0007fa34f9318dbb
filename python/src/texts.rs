//! Columns of texts. They are checked to be UTF-8 as a whole, when they are done: to look at each text by itself was a tenth
//! of what a batch took (November 2026).

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, ListArray, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::FieldRef;

/// Texts, or nulls.
pub(crate) struct TextBuilder {
    ends: Vec<i32>,
    bytes: Vec<u8>,
    validity: NullBufferBuilder,
}

impl Default for TextBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl TextBuilder {
    pub(crate) fn new() -> Self {
        Self { ends: vec![0], bytes: Vec::new(), validity: NullBufferBuilder::new(0) }
    }

    #[inline]
    pub(crate) fn append(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(offset(self.bytes.len()));
        self.validity.append_non_null();
    }

    pub(crate) fn append_nulls(&mut self, count: usize) {
        self.ends.resize(self.ends.len() + count, offset(self.bytes.len()));
        self.validity.append_n_nulls(count);
    }

    /// What is not UTF-8 is lossy.
    pub(crate) fn finish(mut self) -> ArrayRef {
        let ends = OffsetBuffer::new(ScalarBuffer::from(self.ends));
        let (bytes, nulls) = (Buffer::from_vec(self.bytes), self.validity.finish());
        match StringArray::try_new(ends.clone(), bytes.clone(), nulls.clone()) {
            Ok(texts) => Arc::new(texts),
            Err(_) => {
                let texts = BinaryArray::new(ends, bytes, nulls);
                Arc::new(texts.iter().map(|text| text.map(String::from_utf8_lossy)).collect::<StringArray>())
            }
        }
    }
}

/// Lists of texts, or nulls.
pub(crate) struct TextsBuilder {
    field: FieldRef,
    ends: Vec<i32>,
    pub(crate) texts: TextBuilder,
    validity: NullBufferBuilder,
}

impl TextsBuilder {
    pub(crate) fn new(field: FieldRef) -> Self {
        Self { field, ends: vec![0], texts: TextBuilder::new(), validity: NullBufferBuilder::new(0) }
    }

    fn len(&self) -> i32 {
        offset(self.texts.ends.len() - 1)
    }

    /// The texts that were appended since the last list are one.
    pub(crate) fn end(&mut self) {
        self.ends.push(self.len());
        self.validity.append_non_null();
    }

    pub(crate) fn append_nulls(&mut self, count: usize) {
        self.ends.resize(self.ends.len() + count, self.len());
        self.validity.append_n_nulls(count);
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        let ends = OffsetBuffer::new(ScalarBuffer::from(self.ends));
        Arc::new(ListArray::new(self.field, ends, self.texts.finish(), self.validity.finish()))
    }
}

/// A batch is handed over long before its texts have so many bytes.
fn offset(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

//! The attributes that hold no references, but may hold URLs: `data-src`, `onclick`, `value`.
//!
//! Their values are one text, so that a page with thousands of them is searched once.

use std::ops::Range;

use super::names::tag_name;
use super::xml::attribute_name;
use crate::bytes::logical::Logical;

/// The values of a window that may hold URLs, with empty lines between them.
#[derive(Debug, Default)]
pub(crate) struct OtherValues {
    text: Logical,
    values: Vec<OtherValue>,
}

#[derive(Debug)]
struct OtherValue {
    /// The start of the value in the text.
    start: u32,
    /// The start of the tag in the source.
    tag: u32,
    /// Whether a mail archiver wrote the tag.
    is_archivers: bool,
}

impl OtherValues {
    pub(crate) fn text(&self) -> &Logical {
        &self.text
    }

    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    /// Drops the values after the first `count`.
    pub(super) fn keep(&mut self, count: usize) {
        if let Some(start) = self.values.get(count).map(|value| value.start as usize) {
            self.values.truncate(count);
            self.text.truncate(start);
        }
    }

    /// Adds the value of an attribute. `decoded` is `None` if the value equals its source.
    pub(super) fn push(&mut self, tag: usize, source: &[u8], value: Range<usize>, decoded: Option<&Logical>) {
        if !self.values.is_empty() {
            self.text.insert(b"\n\n");
        }
        // The casts cannot truncate, because every window is far below 4 GiB.
        self.values.push(OtherValue { start: self.text.len() as u32, tag: tag as u32, is_archivers: false });
        match decoded {
            Some(decoded) => self.text.extend_with_gaps(decoded, 0),
            None => self.text.append(&source[value.clone()], value.start),
        }
    }

    /// Marks the values of the tags that an archiver wrote, by the start of each tag.
    pub(super) fn mark(&mut self, is_archivers: impl Fn(usize) -> bool) {
        for value in &mut self.values {
            value.is_archivers = is_archivers(value.tag as usize);
        }
    }

    fn around(&self, at: usize) -> Option<&OtherValue> {
        let before = self.values.partition_point(|value| value.start as usize <= at);
        self.values.get(before.checked_sub(1)?)
    }

    /// Returns whether a mail archiver wrote the value at an offset of the text.
    pub(crate) fn is_archivers(&self, at: usize) -> bool {
        self.around(at).is_some_and(|value| value.is_archivers)
    }

    /// Returns the element and the attribute around an offset of the text, as in `div data-src`.
    pub(crate) fn name(&self, at: usize, source: &[u8]) -> Option<String> {
        let &OtherValue { start, tag, .. } = self.around(at)?;
        let start = self.text.source(start as usize..start as usize + 1).start;
        let element = String::from_utf8_lossy(tag_name(source.get(tag as usize..start)?)).to_ascii_lowercase();
        Some(format!("{element} {}", attribute_name(source, start)))
    }
}

/// Returns whether a value holds a scheme and `://`, also as a string of JSON.
pub(super) fn may_hold_url(value: &[u8]) -> bool {
    memchr::memchr_iter(b':', value).any(|at| {
        let has_scheme = at.checked_sub(1).is_some_and(|last| value[last].is_ascii_alphanumeric());
        let slashes = &value[at + 1..];
        has_scheme && [&b"//"[..], br"\/\/", br"\\/\\/"].iter().any(|wanted| slashes.starts_with(wanted))
    })
}

/// Returns whether a value is one URL of the web, and nothing else.
pub(super) fn is_one_url(url: &[u8]) -> bool {
    let is_of_text = |byte: &u8| byte.is_ascii_control() || b" \"'`<>{}|\\^".contains(byte);
    memchr::memmem::find_iter(url, b"://").count() == 1
        && !url.iter().any(is_of_text)
        && !url.last().is_some_and(|last| b",;".contains(last))
}

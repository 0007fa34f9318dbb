//! Parts of any length, window by window.

use std::sync::Arc;

use super::archiver::PageLinks;
use super::bases::ElementBases;
use super::entities::Entities;
use super::part::Html;
use super::reader::{OpenElements, Reader, plain};
use super::xml::InnerPage;

/// A part up to this length is read as one window. The result needs memory of up to fifteen times
/// the length of the window. For a style sheet full of links it is forty times. The longest of 700
/// parts in real archives has 0.2 MB.
pub(crate) const WINDOW: usize = 1 << 20;
/// XML is read in windows of this length. XML full of character references needs more memory than
/// HTML.
const XML_WINDOW: usize = WINDOW / 4;
/// A tag longer than this is searched as text. A tag that holds a picture can be long.
const LONGEST_TAG: usize = 16 << 20;

/// Reads the decoded bytes of a part of any length, window by window. The bytes should be UTF-8.
/// Other bytes stay unchanged.
///
/// The end of a window depends only on the part's content. The window ends at the first tag of a
/// block after three quarters of the maximum length. Without such a tag the window ends after its
/// last line. If that place is inside a tag or comment, the window is made longer. Open elements
/// continue in the next window: preformatted text, a script, the cells of a table. The text of an
/// anchor ends with the window.
#[derive(Default)]
pub(crate) struct Windows {
    open: OpenElements,
    base: Option<Vec<u8>>,
    bases: ElementBases,
    entities: Arc<Entities>,
    links: PageLinks,
    is_xml: bool,
}

impl Windows {
    /// Returns a reader of the windows of XML or HTML.
    pub(crate) fn new(is_xml: bool) -> Windows {
        Windows { is_xml, ..Windows::default() }
    }

    /// Reads the next window, at the start of `rest`. If `is_all`, `rest` is the whole rest of the
    /// part. Otherwise more bytes follow `rest`. Returns `None` if the window does not end within
    /// `rest`.
    pub(crate) fn next<'a>(&mut self, rest: &'a [u8], is_all: bool) -> Option<Html<'a>> {
        let whole = if self.is_xml { XML_WINDOW } else { WINDOW };
        let mut size = whole;
        let mut html = loop {
            let is_last = is_all && rest.len() <= size;
            if !is_last && rest.len() <= size {
                return None;
            }
            let source = if is_last { rest } else { &rest[..line_end(&rest[..size])] };
            let mut reader = Reader::new(source, self.open, if is_last { usize::MAX } else { whole / 4 * 3 });
            reader.is_xml = self.is_xml;
            reader.bases = self.bases.clone();
            reader.entities = Arc::clone(&self.entities);
            reader.run();
            if is_last || !reader.is_unfinished {
                self.open = reader.open_at_end();
                self.entities = Arc::clone(&reader.entities);
                let bases = &mut self.bases;
                break reader.into_html(bases);
            }
            if size >= LONGEST_TAG {
                break plain(source);
            }
            // The cut is within a tag or comment, which needs a longer window.
            size *= 2;
        };
        if !self.is_xml {
            self.links.mark(&rest[..html.length], &mut html);
        }
        if self.base.is_none() {
            self.base = html.base().map(|link| link.value.to_vec());
        }
        Some(html)
    }

    /// Returns the reference of the first `<base href>` so far, not yet resolved.
    pub(crate) fn base(&self) -> Option<&[u8]> {
        self.base.as_deref()
    }
}

/// Returns the offset of a cut for a window without a block's end: after the last line, tag or
/// word.
fn line_end(bytes: &[u8]) -> usize {
    let half = bytes.len() / 2;
    let last = |byte| memchr::memrchr(byte, &bytes[half..]).map(|end| half + end + 1);
    last(b'\n').or_else(|| last(b'>')).or_else(|| last(b' ')).unwrap_or(bytes.len())
}

/// Reads an HTML text inside an XML document. The text lies in one window of the document.
pub(crate) fn read_inner(page: &InnerPage) -> Html<'_> {
    let mut reader = Reader::new(page.text.bytes(), OpenElements::default(), usize::MAX);
    reader.is_inner = true;
    reader.run();
    reader.into_html(&mut ElementBases::default())
}

/// Reads a whole part that fits into one window.
#[cfg(test)]
pub(crate) fn read(source: &[u8]) -> Html<'_> {
    Windows::default().next(source, true).unwrap_or_default()
}

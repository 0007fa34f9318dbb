//! The result of reading a part.

use std::borrow::Cow;
use std::ops::Range;

use super::bases::ElementBase;
use super::others::OtherValues;
use super::xml::InnerPage;
use crate::bytes::logical::Logical;

/// The maximum length of an anchor's text. A longer text is truncated.
pub(crate) const ANCHOR_TEXT: usize = 1024;

/// The links, text and runs of a part.
#[derive(Debug, Default)]
pub(crate) struct Html<'a> {
    pub(crate) links: Vec<Link<'a>>,
    /// The text that a reader of the page sees, with character references decoded. Inline tags
    /// leave no trace. `<br>` and blocks break the line, and some blocks have empty lines around
    /// them. Tabs separate the cells of a table. An image is a blank, or its `alt` between blanks.
    /// White space with a line break becomes one blank, except in `<pre>`.
    pub(crate) text: Logical,
    pub(crate) runs: Vec<Run>,
    /// Texts in XML that are HTML, and pages in `srcdoc`. They are not in `text`.
    pub(crate) inner: Vec<InnerPage>,
    pub(crate) others: OtherValues,
    /// The index in `links` of the first `<base href>`. It is the base of all relative links, even
    /// of links before it.
    pub(crate) base: Option<usize>,
    /// The bases of elements in XML. A base stands behind the one around it.
    pub(crate) bases: Vec<ElementBase>,
    /// The length of the source that was read.
    pub(crate) length: usize,
}

/// A reference in an attribute or in a style sheet. It is never empty.
#[derive(Debug)]
pub(crate) struct Link<'a> {
    /// The element's name as in the source, in either case.
    pub(crate) element: &'a [u8],
    /// The attribute's name, in lower case for HTML. `None` in a `<style>` element.
    pub(crate) attribute: Option<&'a str>,
    /// The reference, with character references and CSS escapes decoded. Leading and trailing
    /// control characters and blanks are removed. So are tabs and line breaks inside, as in a
    /// browser. The value is borrowed if it equals the source byte for byte.
    pub(crate) value: Cow<'a, [u8]>,
    /// The range in the source, without the characters removed at its ends.
    pub(crate) source: Range<usize>,
    /// The range of the text that an anchor encloses.
    pub(super) text: Range<u32>,
    /// Whether the link stands within `<pre>` or a similar element that keeps white space.
    pub(crate) is_preformatted: bool,
    /// The index of the base of the link's element in XML.
    pub(crate) base: Option<u32>,
    pub(crate) origin: LinkOrigin,
}

/// The author of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LinkOrigin {
    #[default]
    Page,
    /// The mail archiver that generated the page around messages.
    Archiver,
    /// The author of a message on an archiver's page.
    Message,
}

/// A run of the source that a reader of the page does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) kind: RunKind,
    pub(crate) source: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// A comment, without its delimiters.
    Comment,
    /// A script, a style sheet or a frame's fallback. An attribute with too many references is also
    /// raw.
    Raw,
    /// Text that only a browser reads as a tag: `<http://a.example/>`, `<joe@b.example>`. A tag
    /// that the end of the part cuts is also markup.
    Markup,
    /// A whole part without any tag, comment or character reference. It is plain text with a wrong
    /// label, so its line breaks are kept. The `text` of the part is empty.
    Plain,
}

impl<'a> Html<'a> {
    /// Returns the link of the first `<base href>`, not yet resolved.
    pub(crate) fn base(&self) -> Option<&Link<'a>> {
        self.base.map(|index| &self.links[index])
    }

    /// Returns the range of an anchor's text in the part's text.
    pub(crate) fn anchor_range(&self, link: &Link<'_>) -> Range<usize> {
        link.text.start as usize..link.text.end as usize
    }

    /// Returns the text between `<a href>` and its `</a>` on one line, truncated to [`ANCHOR_TEXT`]
    /// bytes. Returns `None` if there is none.
    ///
    /// An unclosed anchor ends at the next anchor, as in a browser, or with its table cell.
    pub(crate) fn anchor_text(&self, link: &Link) -> Option<Vec<u8>> {
        let enclosed = &self.text.bytes()[self.anchor_range(link)];
        let mut text = Vec::new();
        for word in enclosed.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if !text.is_empty() {
                text.push(b' ');
            }
            text.extend_from_slice(&word[..word.len().min(ANCHOR_TEXT + 1)]);
            if text.len() > ANCHOR_TEXT {
                // The cut must not split a character. Invalid UTF-8 is cut at the limit itself.
                let cut = (ANCHOR_TEXT - 3..=ANCHOR_TEXT).rev().find(|&at| text[at] & 0xC0 != 0x80);
                let cut = cut.unwrap_or(ANCHOR_TEXT);
                text.truncate(cut);
                break;
            }
        }
        text.truncate(text.trim_ascii_end().len());
        (!text.is_empty()).then_some(text)
    }
}

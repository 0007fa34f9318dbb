//! What is read of a part.

use std::borrow::Cow;
use std::ops::Range;

use super::xml::InnerPage;
use crate::bytes::logical::Logical;

/// The text of an anchor is cut to this many bytes.
pub(crate) const ANCHOR_TEXT: usize = 1024;

/// What a part holds.
#[derive(Debug, Default)]
pub(crate) struct Html<'a> {
    pub(crate) links: Vec<Link<'a>>,
    /// The text that a reader sees, character references decoded. Inline tags leave no trace; `<br>` and blocks break
    /// the line, some with an empty line between; the cells of a table are parted by tabs, an image is a blank, or its
    /// `alt` between blanks. White space that holds a line break is one blank, but in `<pre>`.
    pub(crate) text: Logical,
    pub(crate) runs: Vec<Run>,
    /// Texts of XML that are HTML; they are not in `text`.
    pub(crate) inner: Vec<InnerPage>,
    /// The first `<base href>`, as an index of `links`: relative links, also those before it, are relative to that.
    pub(crate) base: Option<usize>,
    /// How much of the source was read.
    pub(crate) length: usize,
}

/// A reference in an attribute or in a style sheet. Empty ones are left out.
#[derive(Debug)]
pub(crate) struct Link<'a> {
    /// The element's name as the source has it, which may be in capitals.
    pub(crate) element: &'a [u8],
    /// The attribute's name, of HTML in lower case; `None` in a `<style>` element.
    pub(crate) attribute: Option<&'a str>,
    /// With character references decoded and CSS escapes undone, less leading and trailing control characters and
    /// blanks, and tabs and line breaks inside, which a browser removes from a URL. Borrowed if it is the source, byte
    /// for byte.
    pub(crate) value: Cow<'a, [u8]>,
    /// Where it stands, without what was removed at its ends.
    pub(crate) source: Range<usize>,
    /// What an anchor encloses, as a range of the text.
    pub(super) text: Range<u32>,
    /// White space counts where it stands (`<pre>`).
    pub(crate) is_preformatted: bool,
    pub(crate) origin: LinkOrigin,
}

/// Whose a link is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LinkOrigin {
    #[default]
    Page,
    /// That of the archiver that made the page around its messages.
    Archiver,
    /// That of a message on such a page.
    Message,
}

/// A run of the source that a reader does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) kind: RunKind,
    pub(crate) source: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// A comment, without its delimiters.
    Comment,
    /// A script, a style sheet, a frame's fallback or `srcdoc`.
    Raw,
    /// What is a tag only to a browser: `<http://a.example/>`, `<joe@b.example>`, or one that the part ends in.
    Markup,
    /// All of a part without one tag, comment or character reference: plain text under a wrong label, of which
    /// the lines count. `text` is empty.
    Plain,
}

impl<'a> Html<'a> {
    /// The reference of the first `<base href>`, not yet resolved.
    pub(crate) fn base(&self) -> Option<&Link<'a>> {
        self.base.map(|index| &self.links[index])
    }

    /// Returns where the text of an anchor lies in the text.
    pub(crate) fn anchor_range(&self, link: &Link<'_>) -> Range<usize> {
        link.text.start as usize..link.text.end as usize
    }

    /// The text between `<a href>` and its `</a>`: on one line, cut at [`ANCHOR_TEXT`] bytes. `None` if it has none.
    ///
    /// An anchor that is not closed ends where the next one begins, as in a browser, or with its table cell.
    pub(crate) fn anchor_text(&self, link: &Link) -> Option<Vec<u8>> {
        let enclosed = &self.text.bytes()[self.anchor_range(link)];
        let mut text = Vec::new();
        for word in enclosed.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if !text.is_empty() {
                text.push(b' ');
            }
            text.extend_from_slice(&word[..word.len().min(ANCHOR_TEXT + 1)]);
            if text.len() > ANCHOR_TEXT {
                // what is not UTF-8 is cut where the limit is
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

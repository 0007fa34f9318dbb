//! The text as a reader of the page sees it: lines, and the gaps between words.
//!
//! Follows the `innerText` algorithm of the HTML standard ("rendered text collection"), except for
//! the rules that need a style sheet. A gap is written only before the next text. It is the widest
//! gap requested since the previous text. Only a `<br>` after a line break widens the gap further,
//! to an empty line. So `</p></div><br>` is one gap, and no gap stands at either end of the text.

use std::ops::Range;

use memchr::memmem;

use super::fields;
use crate::bytes::logical::Logical;

/// The gap between two pieces of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    None,
    /// White space of the source that holds a line break, or stands at an end of a piece.
    Blank,
    /// The gap between the cells of a table.
    Tab,
    /// A new line.
    Line,
    /// An empty line.
    Paragraph,
}

impl Gap {
    fn bytes(self) -> &'static [u8] {
        match self {
            Gap::None => b"",
            Gap::Blank => b" ",
            Gap::Tab => b"\t",
            Gap::Line => b"\n",
            Gap::Paragraph => b"\n\n",
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Flow {
    text: Logical,
    gap: Gap,
    /// The words before the next text, which are not in the source.
    pub(super) label: &'static [u8],
    /// The number of open elements that keep white space (`<pre>`).
    pub(super) preformatted: u32,
}

impl Flow {
    /// Returns an empty flow. `preformatted` is the number of open elements that keep white space.
    pub(super) fn within(preformatted: u32) -> Self {
        Flow { preformatted, ..Flow::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.text.bytes()
    }

    pub(super) fn into_text(self) -> Logical {
        self.text
    }

    /// Returns whether the last word of the text has a scheme and `://`.
    pub(super) fn ends_in_url(&self) -> bool {
        /// The maximum number of bytes that are examined.
        const WITHIN: usize = 2048;
        let text = &self.bytes()[self.text.len().saturating_sub(WITHIN)..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>' | b'"');
        let word = text.iter().rposition(is_end).map_or(text, |end| &text[end + 1..]);
        self.gap == Gap::None && memmem::find(word, b"://").is_some()
    }

    /// Removes the text from an offset on, and returns it.
    pub(super) fn take_from(&mut self, at: usize) -> Logical {
        let mut taken = Logical::default();
        taken.extend_with_gaps(&self.text, at);
        self.text.truncate(at);
        taken
    }

    /// Joins the URL and the fragment of the field of Word that begins at an offset.
    pub(super) fn join_field(&mut self, start: usize) {
        fields::join(&mut self.text, start);
    }

    /// Requests at least this gap before the next text.
    pub(super) fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Breaks the line for `<br>`. A second `<br>` makes an empty line.
    pub(super) fn break_line(&mut self) {
        self.gap = if self.gap >= Gap::Line { Gap::Paragraph } else { Gap::Line };
    }

    /// Appends text of the source. Its line breaks are `\n`. If the source has a CRLF, the place of
    /// the `\n` is the CR.
    pub(super) fn put(&mut self, bytes: &[u8], source: usize) {
        if self.preformatted > 0 {
            if !bytes.is_empty() {
                self.fill_gap();
                self.text.append(bytes, source);
            }
            return;
        }
        // Most pieces are blanks, or have blanks and line breaks only at their ends.
        let inner = bytes.trim_ascii_start();
        let kept = inner.trim_ascii_end();
        if inner.len() < bytes.len() {
            self.widen(Gap::Blank);
        }
        let source = source + bytes.len() - inner.len();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', kept) {
            self.put_line(&kept[start..end], source + start);
            self.widen(Gap::Blank);
            start = end + 1;
        }
        self.put_line(&kept[start..], source + start);
        if kept.len() < inner.len() {
            self.widen(Gap::Blank);
        }
    }

    /// Appends text without a line break. Blanks inside stay. Blanks at either end become a gap.
    fn put_line(&mut self, bytes: &[u8], source: usize) {
        let inner = bytes.trim_ascii_start();
        let blanks = bytes.len() - inner.len();
        let kept = inner.trim_ascii_end();
        if blanks > 0 {
            self.widen(Gap::Blank);
        }
        if kept.is_empty() {
            return;
        }
        self.fill_gap();
        self.text.append(kept, source + blanks);
        if kept.len() < inner.len() {
            self.gap = Gap::Blank;
        }
    }

    /// Appends the decoded form of a range of the source.
    pub(super) fn put_decoded(&mut self, bytes: &[u8], source: Range<usize>) {
        // A no-break space is not ASCII, so `&nbsp;` stays text.
        if self.preformatted == 0 && bytes.trim_ascii().is_empty() {
            self.widen(Gap::Blank);
        } else {
            self.fill_gap();
            self.text.replace(bytes, source);
        }
    }

    fn fill_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if gap > Gap::None && self.text.len() > 0 {
            self.text.insert(gap.bytes());
        }
        if !self.label.is_empty() {
            self.text.insert(std::mem::take(&mut self.label));
        }
    }
}

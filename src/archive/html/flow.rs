//! The text as a reader sees it: lines, and the gaps between words.
//!
//! After the `innerText` algorithm of the HTML standard ("rendered text collection"), as far as it goes without a style
//! sheet. What separates two pieces of text is written only when the second one comes, as the widest gap asked for
//! since, so that `</p></div><br>` is one break and there is none at the ends.

use std::ops::Range;

use crate::bytes::logical::Logical;

/// What separates two pieces of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    None,
    /// White space of the source that holds a line break, or that ends a piece.
    Blank,
    /// Between the cells of a table.
    Tab,
    /// A new line.
    Line,
    /// An empty line between.
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
    /// How many elements are open in which white space counts (`<pre>`).
    pub(super) preformatted: u32,
}

impl Flow {
    /// Within so many elements in which white space counts.
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

    /// Takes the text from an offset on.
    pub(super) fn take_from(&mut self, at: usize) -> Logical {
        let mut taken = Logical::default();
        taken.extend_with_gaps(&self.text, at);
        self.text.truncate(at);
        taken
    }

    /// At least this gap before the next text.
    pub(super) fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// `<br>`: the second one makes an empty line.
    pub(super) fn break_line(&mut self) {
        self.gap = if self.gap >= Gap::Line { Gap::Paragraph } else { Gap::Line };
    }

    /// Text of the source. Line breaks are `\n`; a CR stands for a CRLF.
    pub(super) fn put(&mut self, bytes: &[u8], source: usize) {
        if self.preformatted > 0 {
            if !bytes.is_empty() {
                self.fill_gap();
                self.text.append(bytes, source);
            }
            return;
        }
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            self.put_line(&bytes[start..end], source + start);
            self.widen(Gap::Blank);
            start = end + 1;
        }
        self.put_line(&bytes[start..], source + start);
    }

    /// Blanks inside stay as the source has them; at either end they are a gap.
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

    /// What a range of the source stands for.
    pub(super) fn put_decoded(&mut self, bytes: &[u8], source: Range<usize>) {
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
    }
}

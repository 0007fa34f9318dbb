//! [`Segments`]: a slice split into text and links, to rewrite it.

use std::borrow::Cow;
use std::ops::{Index, Range};

use bstr::{BStr, ByteSlice};

use crate::drive::extractor::Extractor;
use crate::drive::matches::Match;
use crate::drive::slice::FindIter;

impl Extractor {
    /// Splits a haystack into text and links, in order. The segments cover each byte of the
    /// haystack once. Each link is a match of [`find_iter`](Self::find_iter), and covers its
    /// [span](Match::span).
    ///
    /// Text has the type of a slice of the haystack: `str` for a `str` or a `String`, otherwise
    /// bytes.
    ///
    /// # Complexity
    ///
    /// Equal to the complexity of [`find_iter`](Self::find_iter). Nothing is copied.
    ///
    /// ```
    /// use urlgrep::{Extractor, Segment};
    ///
    /// let mut markdown = String::new();
    /// for segment in Extractor::new().segments("see <URL:http://a.example/x>, or not") {
    ///     match segment {
    ///         Segment::Text(text) => markdown += text,
    ///         Segment::Link(found) => markdown += &format!("[link]({found})"),
    ///     }
    /// }
    /// assert_eq!(markdown, "see [link](http://a.example/x), or not");
    /// ```
    pub fn segments<'h, H>(&self, haystack: &'h H) -> Segments<'h, H>
    where
        H: AsRef<[u8]> + Index<Range<usize>> + ?Sized,
    {
        Segments { haystack, matches: self.find_iter(haystack), link: None, at: 0 }
    }

    /// Returns the haystack with each match replaced, including its brackets or prefix. This can
    /// make links, or shorten or hide URLs. Borrows the haystack if nothing is found.
    ///
    /// ```
    /// let text = "Read <URL:http://a.example/x>, or mail <mailto:joe@a.example>.";
    /// let mut urls = Vec::new();
    /// let numbered = urlgrep::Extractor::new().replace_all(text, |found| {
    ///     urls.push(found.url().to_string());
    ///     format!("[{}]", urls.len())
    /// });
    /// assert_eq!(numbered.as_ref(), "Read [1], or mail [2].");
    /// assert_eq!(urls, ["http://a.example/x", "mailto:joe@a.example"]);
    /// ```
    pub fn replace_all<'h, R: AsRef<[u8]>>(
        &self,
        haystack: &'h (impl AsRef<[u8]> + ?Sized),
        mut with: impl FnMut(&Match<'h>) -> R,
    ) -> Cow<'h, BStr> {
        let haystack = haystack.as_ref();
        let (mut replaced, mut is_changed) = (Vec::new(), false);
        for segment in self.segments(haystack) {
            match segment {
                Segment::Text(text) if text.len() == haystack.len() => break, // nothing is found, and nothing copied
                Segment::Text(text) => replaced.extend_from_slice(text),
                Segment::Link(found) => {
                    is_changed = true;
                    replaced.extend_from_slice(with(&found).as_ref());
                }
            }
        }
        if is_changed { Cow::Owned(replaced.into()) } else { Cow::Borrowed(haystack.as_bstr()) }
    }
}

/// A piece of a haystack: a link, or the text between links. Made by [`Extractor::segments`].
#[allow(clippy::large_enum_variant, reason = "a segment is used at once, and a box would allocate for each link")]
#[derive(Debug)]
pub enum Segment<'h, T: ?Sized> {
    /// Text without a link, never empty.
    Text(&'h T),
    /// A link. Its [source](Match::source) is its text in the haystack, with brackets and line
    /// breaks.
    Link(Match<'h>),
}

// A derived impl would require `T: Clone`, though the text is only borrowed.
impl<T: ?Sized> Clone for Segment<'_, T> {
    fn clone(&self) -> Self {
        match self {
            Segment::Text(text) => Segment::Text(text),
            Segment::Link(found) => Segment::Link(found.clone()),
        }
    }
}

/// Iterates over the segments of a haystack. Made by [`Extractor::segments`].
#[derive(Debug)]
pub struct Segments<'h, H: ?Sized> {
    haystack: &'h H,
    matches: FindIter<'h>,
    /// The match after the text that was returned last.
    link: Option<Match<'h>>,
    /// The end of the segment that was returned last.
    at: usize,
}

impl<'h, H> Iterator for Segments<'h, H>
where
    H: AsRef<[u8]> + Index<Range<usize>> + ?Sized,
{
    type Item = Segment<'h, H::Output>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.link.take().or_else(|| self.matches.next());
        let start = found.as_ref().map_or(self.haystack.as_ref().len(), |found| found.range().start);
        if self.at < start {
            self.link = found;
            // A span begins and ends with a whole character: a character of the URL, or a bracket.
            let text = &self.haystack[self.at..start];
            self.at = start;
            return Some(Segment::Text(text));
        }
        let found = found?;
        self.at = found.range().end;
        Some(Segment::Link(found))
    }
}

impl<H> std::iter::FusedIterator for Segments<'_, H> where H: AsRef<[u8]> + Index<Range<usize>> + ?Sized {}

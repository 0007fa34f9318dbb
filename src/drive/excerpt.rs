//! [`Excerpt`]: the lines around a match.

use std::ops::Range;

use bstr::{BStr, ByteSlice};

use crate::bytes::limits::CONTEXT;
use crate::drive::lines::{LinePlace, MatchedText};
use crate::drive::matches::Match;

/// The lines that hold a match, and lines around them. Made by [`Match::lines_around`].
///
/// ```
/// let found = urlgrep::Extractor::new().find("one\nsee http://a.example/ there\n").unwrap();
/// let lines = found.lines_around(0, 0);
/// assert_eq!((lines.offset, &lines.text[lines.span.clone()]), (4, found.source().as_ref()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt<'m> {
    /// Whole lines, except at an end that is cut.
    pub text: &'m BStr,
    /// The range of the match in the text.
    pub span: Range<usize>,
    /// Offset of the text in the input. In a decoded part, it is the offset in that part.
    pub offset: u64,
    /// The text begins within a line, because that line begins too far before the match.
    pub is_cut_before: bool,
    /// The text ends within a line, because that line ends too far after the match.
    pub is_cut_after: bool,
    /// A number that identifies the decoded part of a message that holds the text. `None` if the
    /// text is from the input.
    pub part: Option<u64>,
    /// The places in the input of the lines of a decoded part, in the order of the lines.
    pub(crate) places: Vec<LinePlace>,
}

impl Excerpt<'_> {
    /// Returns the excerpt with another text, such as a copy that outlives the input.
    ///
    /// # Examples
    ///
    /// ```
    /// let found = urlgrep::Extractor::new().find("see http://a.example/").unwrap();
    /// let lines = found.lines_around(0, 0);
    /// let copy = lines.text.to_owned();
    /// assert_eq!(lines.with_text(copy.as_ref()), lines);
    /// ```
    #[must_use]
    pub fn with_text<'o>(&self, text: &'o BStr) -> Excerpt<'o> {
        Excerpt { text, span: self.span.clone(), places: self.places.clone(), ..*self }
    }
}

impl Match<'_> {
    /// Returns the lines of the match, with up to `before` lines before and `after` lines after
    /// them.
    ///
    /// The excerpt shows only bytes that every driver holds: 16 KiB before and 16 KiB after the
    /// match. The match's own lines are cut off beyond these bounds. Other lines are omitted if
    /// they are not wholly within these bounds.
    ///
    /// The lines come from the input, or from a decoded part of mail. If that part is too long to
    /// hold, they come from the piece of it in memory. An [owned](Match::into_owned) match has lost
    /// its lines.
    ///
    /// ```
    /// let text = "one\ntwo\nsee http://a.example/ there\nfour\nfive\n";
    /// let found = urlgrep::Extractor::new().find(text).unwrap();
    /// let excerpt = found.lines_around(1, 0);
    /// assert_eq!(excerpt.text, "two\nsee http://a.example/ there\n");
    /// assert_eq!(&excerpt.text[excerpt.span], "http://a.example/");
    /// ```
    pub fn lines_around(&self, before: usize, after: usize) -> Excerpt<'_> {
        let MatchedText { text, span, offset, part } = self.matched_text();
        // All drivers show only the bytes that each must hold for its matches, so excerpts are
        // equal. If there are no more bytes in memory on one side, the input begins or ends there.
        let first = span.start.saturating_sub(CONTEXT);
        let last = text.len().min(span.end + CONTEXT);
        let is_all = (span.start <= CONTEXT, text.len() - span.end <= CONTEXT);
        let (start, is_cut_before) = start_of_lines(&text[first..span.start], before, is_all.0);
        let (end, is_cut_after) = end_of_lines(&text[span.end..last], after, is_all.1);
        let (start, end) = (span.start - start, span.end + end);
        Excerpt {
            text: text[start..end].as_bstr(),
            span: span.start - start..span.end - start,
            offset: offset + start as u64,
            is_cut_before,
            is_cut_after,
            part,
            places: self.places_of_lines(start..end),
        }
    }
}

/// Returns the length, at the end of a text, of an unfinished line and the `lines` lines before it.
/// Also returns whether that line begins before the text. `is_all` means that nothing precedes the
/// text.
fn start_of_lines(text: &[u8], lines: usize, is_all: bool) -> (usize, bool) {
    let mut ends = memchr::memrchr_iter(b'\n', text).map(|end| text.len() - end - 1);
    let Some(mut start) = ends.next() else { return (text.len(), !is_all) };
    for _ in 0..lines {
        match ends.next() {
            Some(before) => start = before,
            None => return (if is_all { text.len() } else { start }, false),
        }
    }
    (start, false)
}

/// Returns the length, at the start of a text, of a line's rest and the `lines` lines after it.
/// Also returns whether that line ends after the text. `is_all` means that nothing follows the
/// text.
fn end_of_lines(text: &[u8], lines: usize, is_all: bool) -> (usize, bool) {
    let mut ends = memchr::memchr_iter(b'\n', text).map(|end| end + 1);
    let Some(mut end) = ends.next() else { return (text.len(), !is_all) };
    for _ in 0..lines {
        match ends.next() {
            Some(after) => end = after,
            None => return (if is_all { text.len() } else { end }, false),
        }
    }
    (end, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    fn excerpt(text: &str, before: usize, after: usize) -> (String, u64, bool, bool) {
        let found = Extractor::new().find_iter(text).last().unwrap();
        let excerpt = found.lines_around(before, after);
        assert_eq!(&excerpt.text[excerpt.span.clone()], found.source());
        assert_eq!(excerpt.offset + excerpt.span.start as u64, found.span().start);
        (excerpt.text.to_string(), excerpt.offset, excerpt.is_cut_before, excerpt.is_cut_after)
    }

    #[test]
    fn whole_lines() {
        let text = "a\n\nb <URL:http://h.example/\nx>.\r\nc\nd";
        let whole = |text: &str, offset| (text.to_owned(), offset, false, false);
        assert_eq!(excerpt(text, 0, 0), whole("b <URL:http://h.example/\nx>.\r\n", 3));
        assert_eq!(excerpt(text, 1, 1), whole("\nb <URL:http://h.example/\nx>.\r\nc\n", 2));
        assert_eq!(excerpt(text, 2, 2), whole(text, 0));
        assert_eq!(excerpt(text, 9, 9), whole(text, 0));
        assert_eq!(excerpt("http://h.example/", 1, 1), whole("http://h.example/", 0));
    }

    #[test]
    fn long_lines_are_cut_and_long_neighbours_left_out() {
        let url = "http://h.example/";
        let far = |more: usize| "x".repeat(CONTEXT - 1 + more);
        // One of the bytes on each side is a blank.
        let within = format!("{} {url} {}", far(0), far(0));
        assert_eq!(excerpt(&within, 0, 0), (within.clone(), 0, false, false));
        let beyond = format!("{} {url} {}", far(1), far(1));
        assert_eq!(excerpt(&beyond, 3, 3), (within.clone(), 1, true, true));
        let neighbours = format!("{}\n{url}\n{}", far(0), far(0));
        assert_eq!(excerpt(&neighbours, 1, 1), (neighbours.clone(), 0, false, false));
        let neighbours = format!("{}\n{url}\n{}", far(1), far(1));
        assert_eq!(excerpt(&neighbours, 1, 1), (format!("{url}\n"), CONTEXT as u64 + 1, false, false));
    }

    #[test]
    fn an_owned_match_has_lost_its_lines() {
        let found = Extractor::new().find("a\nbbbbb http://h.example/ ccccc\nd").unwrap().into_owned();
        assert_eq!(found.lines_around(1, 1).text, "bbb http://h.example/ ccc");
    }
}

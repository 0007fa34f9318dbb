//! The driver for a slice. Its window is the whole haystack.

use std::ops::{ControlFlow, Range};

use crate::drive::extractor::Extractor;
use crate::drive::match_loop::MatchLoop;
use crate::drive::matches::Match;
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::sync::sync_point;
use crate::find::Pause;
use crate::find::Window;

impl Extractor {
    /// Returns the matches in a slice, in order.
    ///
    /// A URL that stands on one line needs no allocation.
    ///
    /// ```
    /// let haystack = "first http://a.example/, then http://b.example/"; // or bytes
    /// let found: Vec<_> = urlgrep::Extractor::new().find_iter(haystack).collect();
    /// assert_eq!(found[1].url(), "http://b.example/");
    /// ```
    pub fn find_iter<'h>(&self, haystack: &'h (impl AsRef<[u8]> + ?Sized)) -> FindIter<'h> {
        let haystack = haystack.as_ref();
        FindIter::new(self, haystack, 0, 0..haystack.len())
    }

    /// Returns the first match in a slice.
    pub fn find<'h>(&self, haystack: &'h (impl AsRef<[u8]> + ?Sized)) -> Option<Match<'h>> {
        self.find_iter(haystack).next()
    }

    /// Returns the matches whose span starts in `range`, in order. The range is clamped to the
    /// haystack.
    ///
    /// A range selects matches, and never changes them. So ranges that tile the haystack return
    /// each match of [`find_iter`](Self::find_iter) exactly once.
    ///
    /// ```
    /// let extractor = urlgrep::Extractor::new();
    /// let text = b"http://a.example/ http://b.example/";
    /// let starts = |range| extractor.find_range(text, range).map(|m| m.span().start).collect::<Vec<_>>();
    /// assert_eq!(starts(0..10), [0]);
    /// assert_eq!(starts(10..35), [18]);
    /// ```
    pub fn find_range<'h>(&self, haystack: &'h (impl AsRef<[u8]> + ?Sized), range: Range<usize>) -> FindIter<'h> {
        let haystack = haystack.as_ref();
        let start = range.start.min(haystack.len());
        let range = start..range.end.clamp(start, haystack.len());
        let from = sync_point(self, haystack, range.start, 0).unwrap_or(0);
        FindIter::new(self, haystack, from, range)
    }
}

/// Iterates over the matches in a haystack, in order. Made by [`Extractor::find_iter`].
///
/// ```
/// let mut matches = urlgrep::Extractor::new().find_iter("http://a.example/ <URL:> http://b.example/");
/// assert_eq!(matches.by_ref().last().unwrap().url(), "http://b.example/");
/// assert_eq!((matches.stats().matches, matches.stats().empty_wrappers), (2, 1));
/// ```
#[derive(Clone, Debug)]
pub struct FindIter<'h> {
    haystack: &'h [u8],
    end: usize,
    matches: MatchLoop,
}

impl<'h> FindIter<'h> {
    /// Starts a search at `from`, at or before the start of `range`.
    fn new(extractor: &Extractor, haystack: &'h [u8], from: usize, range: Range<usize>) -> Self {
        let lines = extractor.lines();
        let mut matches = MatchLoop::new(extractor, from, range.start as u64..range.end as u64, lines);
        matches.stats.bytes = haystack.len() as u64;
        FindIter { haystack, end: range.end, matches }
    }

    /// Returns the counts of what was found and refused so far.
    pub fn stats(&self) -> Stats {
        self.matches.stats
    }

    /// Adds the matches to a sink, until `is_done` returns true or the haystack ends. Returns
    /// whether `is_done` stopped the search. A later call continues after the last match.
    ///
    /// ```
    /// let mut matches = urlgrep::Extractor::new().find_iter("http://a.example/ http://b.example/ http://c.example/");
    /// let mut found = Vec::new();
    /// assert!(matches.fill(&mut found, |found| found.len() == 2));
    /// assert!(!matches.fill(&mut found, |_| false) && found.len() == 3);
    /// ```
    pub fn fill<S: Sink>(&mut self, sink: &mut S, is_done: impl Fn(&S) -> bool) -> bool {
        self.matches.fill(self.window(), 0, self.end, sink, is_done) == Pause::Stopped
    }

    fn window(&self) -> Window<'h> {
        Window::all(self.haystack)
    }
}

impl<'h> Iterator for FindIter<'h> {
    type Item = Match<'h>;

    fn next(&mut self) -> Option<Match<'h>> {
        let mut next = None;
        self.matches.each_match(self.window(), 0, self.end, |found| {
            next = Some(found);
            ControlFlow::Break(())
        });
        next
    }

    /// Folds the matches faster than a loop over [`next`](Self::next). `count`, `for_each` and
    /// similar methods call it.
    #[expect(clippy::expect_used, reason = "what is taken out of the option is put back at once")]
    fn fold<B, F: FnMut(B, Match<'h>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = Some(init);
        self.matches.each_match(self.window(), 0, self.end, |found| {
            folded = folded.take().map(|folded| f(folded, found));
            ControlFlow::Continue(())
        });
        folded.expect("it is put back")
    }
}

impl std::iter::FusedIterator for FindIter<'_> {}

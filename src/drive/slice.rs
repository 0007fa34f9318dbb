//! A slice: the window is the whole haystack.

use std::ops::Range;

use crate::drive::lines::Lines;
use crate::drive::{Extractor, Match, Stats};
use crate::find::{Event, Options, RawMatch, Search, Step, Window};

/// Iterates over the matches in a haystack, in order. Made by [`Extractor::find_iter`].
#[derive(Clone, Debug)]
pub struct FindIter<'h> {
    haystack: &'h [u8],
    search: Search,
    range: Range<usize>,
    /// Further parts of the wrapper at hand (W-TWO).
    parts: std::vec::IntoIter<RawMatch>,
    lines: Option<Lines>,
    options: Options,
    stats: Stats,
}

impl<'h> FindIter<'h> {
    /// `search` stands at or before the start of `range`.
    pub(crate) fn new(extractor: &Extractor, haystack: &'h [u8], search: Search, range: Range<usize>) -> Self {
        FindIter {
            haystack,
            search,
            range,
            parts: Vec::new().into_iter(),
            lines: extractor.counts_lines().then(Lines::new),
            options: extractor.options(),
            stats: Stats { bytes: haystack.len() as u64, ..Stats::default() },
        }
    }

    /// What was found and refused so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    fn next_raw(&mut self) -> Option<RawMatch> {
        if let Some(part) = self.parts.next() {
            return Some(part);
        }
        loop {
            let window = Window { text: self.haystack, is_last: true };
            match self.search.step(window, self.range.end) {
                Step::Event(event) => {
                    if let Event::Refused(at, refusal) = event {
                        self.stats.refuse(refusal, self.range.contains(&at));
                    } else if let Event::Found(hit) = event {
                        self.parts = hit.rest.into_iter();
                        return Some(hit.first);
                    }
                }
                Step::NeedMore { .. } | Step::End => return None,
            }
        }
    }
}

impl<'h> Iterator for FindIter<'h> {
    type Item = Match<'h>;

    fn next(&mut self) -> Option<Match<'h>> {
        loop {
            let raw = self.next_raw()?;
            if self.range.contains(&raw.start) {
                self.stats.matches += 1;
                let position = self.lines.as_mut().map(|lines| lines.position(self.haystack, 0, raw.start as u64));
                return Some(Match::new(self.haystack, 0, raw, position, self.options));
            }
        }
    }
}

impl std::iter::FusedIterator for FindIter<'_> {}

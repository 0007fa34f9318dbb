//! A slice: the window is the whole haystack.

use std::ops::{ControlFlow, Range};

use crate::drive::lines::Lines;
use crate::drive::{Extractor, Match, Stats};
use crate::find::{Event, Hit, Options, RawMatch, Search, Window};

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
            lines: extractor.lines(),
            options: extractor.options(),
            stats: Stats { bytes: haystack.len() as u64, ..Stats::default() },
        }
    }

    /// What was found and refused so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The matches of one anchor.
    fn next_hit(&mut self) -> Option<Hit> {
        loop {
            match self.search.step(self.window(), self.range.end) {
                Ok(Event::Found(hit)) => return Some(hit),
                Ok(Event::Refused(at, refusal)) => self.stats.refuse(refusal, self.range.contains(&at)),
                Err(_) => return None,
            }
        }
    }

    fn window(&self) -> Window<'h> {
        Window { text: self.haystack, is_last: true }
    }

    #[inline(always)]
    fn found(&mut self, raw: RawMatch) -> Match<'h> {
        self.stats.matches += 1;
        let position = self.lines.as_mut().map(|lines| lines.position(self.haystack, 0, raw.start as u64));
        Match::new(self.haystack, 0, raw, position, self.options)
    }
}

impl<'h> Iterator for FindIter<'h> {
    type Item = Match<'h>;

    fn next(&mut self) -> Option<Match<'h>> {
        loop {
            let raw = match self.parts.next() {
                Some(part) => part,
                None => {
                    let Hit { first, rest } = self.next_hit()?;
                    self.parts = rest.into_iter();
                    first
                }
            };
            if self.range.contains(&raw.start) {
                return Some(self.found(raw));
            }
        }
    }

    /// Faster than a loop over [`next`](Self::next): `count`, `for_each` and the like come here.
    fn fold<B, F: FnMut(B, Match<'h>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = Some(init);
        let mut add = |iter: &mut Self, raw: RawMatch| {
            if iter.range.contains(&raw.start) {
                let found = iter.found(raw);
                folded = folded.take().map(|folded| f(folded, found));
            }
        };
        for part in std::mem::take(&mut self.parts) {
            add(&mut self, part);
        }
        let mut search = self.search.clone();
        search.run(self.window(), self.range.end, |event| {
            if let Event::Found(Hit { first, rest }) = event {
                add(&mut self, first);
                if !rest.is_empty() {
                    rest.into_iter().for_each(|part| add(&mut self, part));
                }
            }
            ControlFlow::Continue(())
        });
        folded.expect("it is put back")
    }
}

impl std::iter::FusedIterator for FindIter<'_> {}

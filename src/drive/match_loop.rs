//! From the events of a search to matches: the one loop that every driver runs, so that they cannot disagree (P6).

use std::ops::{ControlFlow, Range};

#[cfg(feature = "archive")]
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
#[cfg(feature = "archive")]
use crate::drive::lines::Position;
use crate::drive::matches::Match;
#[cfg(any(feature = "archive", feature = "parallel"))]
use crate::drive::sink::{Sink, VerbatimUrl};
use crate::drive::stats::Stats;
use crate::find::{Event, Options, Pause, PlainMatch, RawMatch, Search, TakeEvents, TakePlain, Window};

/// A search of one input, and what is counted of it.
#[derive(Clone, Debug)]
pub(crate) struct MatchLoop {
    search: Search,
    /// Further parts of the wrapper at hand (W-TWO).
    parts: std::vec::IntoIter<RawMatch>,
    /// What begins in these bytes of the input is wanted (P3).
    range: Range<u64>,
    #[cfg(feature = "parallel")]
    first: Option<u64>,
    pub(crate) lines: Option<Lines>,
    options: Options,
    pub(crate) stats: Stats,
}

impl MatchLoop {
    /// For what begins in a range of the input. The search begins at `from`, a place in the window.
    pub(crate) fn new(extractor: &Extractor, from: usize, range: Range<u64>, lines: Option<Lines>) -> MatchLoop {
        let options = extractor.options();
        MatchLoop {
            search: Search::new(options, from),
            parts: Vec::new().into_iter(),
            range,
            #[cfg(feature = "parallel")]
            first: None,
            lines,
            options,
            stats: Stats::default(),
        }
    }

    /// Gives each match that begins before `end`, a place in the window, until `found` says stop. The window lies at offset
    /// `base` of the input.
    pub(crate) fn each_match(
        &mut self,
        window: Window<'_>,
        base: u64,
        end: usize,
        mut found: impl FnMut(&Match<'_>) -> ControlFlow<()>,
    ) -> Pause {
        let (options, mut lines) = (self.options, self.lines);
        // Lent, for a match is large: given away, it would be copied.
        let text = window.text;
        let pause =
            self.each_raw(window, base, end, |raw| found(&Match::counted(text, base, raw, &mut lines, options)));
        self.lines = lines;
        pause
    }

    /// Puts each match that begins before `end` into a sink, until `is_done` says so.
    #[cfg(any(feature = "archive", feature = "parallel"))]
    pub(crate) fn fill<S: Sink>(
        &mut self,
        window: Window<'_>,
        base: u64,
        end: usize,
        sink: &mut S,
        is_done: impl Fn(&S) -> bool + Copy,
    ) -> Pause {
        let (text, lines, options) = (window.text, self.lines, self.options);
        let mut filling = Filling { sink, is_done, text, base, lines, options };
        let pause = self.each(window, base, end, &mut filling);
        self.lines = filling.lines;
        pause
    }

    /// As [`each_match`](Self::each_match), with the match's line beside it, for matches whose place is not that of the
    /// window.
    #[cfg(feature = "archive")]
    pub(crate) fn each_positioned(
        &mut self,
        window: Window<'_>,
        base: u64,
        end: usize,
        mut found: impl FnMut(RawMatch, Option<Position>) -> ControlFlow<()>,
    ) -> Pause {
        let (text, mut lines) = (window.text, self.lines);
        let pause = self.each_raw(window, base, end, |raw| {
            let position = lines.as_mut().map(|lines| lines.position(text, base, base + raw.start as u64));
            found(raw, position)
        });
        self.lines = lines;
        pause
    }

    /// As [`each_match`](Self::each_match), of a whole text, for those who keep the matches.
    pub(crate) fn each_owned<'t>(&mut self, text: &'t [u8], end: usize, mut found: impl FnMut(Match<'t>)) {
        let (options, mut lines) = (self.options, self.lines);
        self.each_raw(Window::all(text), 0, end, |raw| {
            found(Match::counted(text, 0, raw, &mut lines, options));
            ControlFlow::Continue(())
        });
        self.lines = lines;
    }

    /// The next match by itself, for [`matched`](Self::matched).
    pub(crate) fn next_raw(&mut self, window: Window<'_>, base: u64, end: usize) -> Result<RawMatch, Pause> {
        let mut next = None;
        let pause = self.each_raw(window, base, end, |raw| {
            next = Some(raw);
            ControlFlow::Break(())
        });
        next.ok_or(pause)
    }

    #[inline(always)]
    pub(crate) fn matched<'t>(&mut self, text: &'t [u8], base: u64, raw: RawMatch) -> Match<'t> {
        Match::counted(text, base, raw, &mut self.lines, self.options)
    }

    /// As [`each_match`](Self::each_match), for matches whose place is not that of the window.
    pub(crate) fn each_raw(
        &mut self,
        window: Window<'_>,
        base: u64,
        end: usize,
        found: impl FnMut(RawMatch) -> ControlFlow<()>,
    ) -> Pause {
        self.each(window, base, end, &mut Each(found))
    }

    fn each(&mut self, window: Window<'_>, base: u64, end: usize, take: &mut impl Take) -> Pause {
        let MatchLoop { search, parts, range, stats, .. } = self;
        #[cfg(feature = "parallel")]
        let first = &mut self.first;
        let flow = ControlFlow::Continue(());
        let mut wanted = Wanted {
            range: range.clone(),
            base,
            take,
            stats,
            parts,
            flow,
            #[cfg(feature = "parallel")]
            first,
        };
        loop {
            while let Some(part) = wanted.parts.next() {
                if wanted.count(part.start) && wanted.take.raw(part).is_break() {
                    return Pause::Stopped;
                }
            }
            let pause = search.run(window, end, &mut wanted);
            // It stops for the parts of a wrapper, too: giving them in the search's loop would cost every other match a copy.
            if pause != Pause::Stopped || wanted.flow.is_break() {
                return pause;
            }
        }
    }

    /// Gives each match of a text that is an input of its own, with its lines counted; it lies at offset `base`.
    #[cfg(feature = "archive")]
    pub(crate) fn each_match_of_text(&mut self, text: EndedText<'_>, base: u64, mut found: impl FnMut(&Match<'_>)) {
        self.search = Search::new(self.options, 0);
        let (options, mut lines) = (self.options, self.lines);
        self.each_raw_of_text(text, options, None, |raw| {
            found(&Match::counted(text.text, base, raw, &mut lines, options))
        });
        self.lines = lines;
    }

    /// Gives each match of a text that is an input of its own; `colon` is its first candidate colon, if that is known.
    #[cfg(feature = "archive")]
    pub(crate) fn each_raw_of_text(
        &mut self,
        text: EndedText<'_>,
        options: Options,
        colon: Option<usize>,
        mut found: impl FnMut(RawMatch),
    ) {
        let each = |raw| {
            found(raw);
            ControlFlow::Continue(())
        };
        self.take_of_text(text, options, colon, &mut Each(each));
    }

    /// The same for those who take plain matches as they were read.
    #[cfg(feature = "archive")]
    pub(crate) fn take_of_text(
        &mut self,
        EndedText { text, is_damaged }: EndedText<'_>,
        options: Options,
        colon: Option<usize>,
        take: &mut impl Take,
    ) {
        self.search = match colon {
            None => Search::new(options, 0),
            Some(first) => Search::from_colon(options, first),
        };
        let window = Window { is_damaged, ..Window::all(text) };
        self.each(window, 0, text.len(), take);
    }

    /// Where the first match or refusal begins in the input, wanted or not.
    #[cfg(feature = "parallel")]
    pub(crate) fn first(&self) -> Option<u64> {
        self.first
    }

    /// Where the last match ends in the input, wanted or not, or the search began; its window lies at offset `base`.
    #[cfg(feature = "parallel")]
    pub(crate) fn end(&self, base: u64) -> u64 {
        base + self.search.pos() as u64
    }

    /// Where what has not been searched begins, if the search of this window stopped for want of text.
    pub(crate) fn unsearched(&self, text: &[u8]) -> usize {
        self.search.unsearched(text)
    }

    /// The window moves: its first `by` bytes are gone.
    pub(crate) fn shift(&mut self, by: usize) {
        self.search.shift(by);
    }
}

/// Takes matches: plain ones as they were read, so that nothing is made of them that nobody needs.
pub(crate) trait Take: TakePlain {
    fn raw(&mut self, found: RawMatch) -> ControlFlow<()>;
}

/// Counts what a search comes upon, and hands on what is wanted.
struct Wanted<'l, T> {
    /// What begins in these bytes of the input is.
    range: Range<u64>,
    base: u64,
    take: &'l mut T,
    stats: &'l mut Stats,
    parts: &'l mut std::vec::IntoIter<RawMatch>,
    /// What was said to the last match.
    flow: ControlFlow<()>,
    #[cfg(feature = "parallel")]
    first: &'l mut Option<u64>,
}

impl<T> Wanted<'_, T> {
    /// Counts a match, if it is wanted.
    #[inline(always)]
    fn count(&mut self, start: usize) -> bool {
        let is_wanted = self.is_wanted(start);
        self.stats.matches += u64::from(is_wanted);
        is_wanted
    }

    #[inline(always)]
    fn is_wanted(&self, start: usize) -> bool {
        self.range.contains(&(self.base + start as u64))
    }

    #[inline(always)]
    fn note_first(&mut self, start: usize) {
        #[cfg(feature = "parallel")]
        self.first.get_or_insert(self.base + start as u64);
        #[cfg(not(feature = "parallel"))]
        let _ = start;
    }
}

impl<T: Take> TakePlain for Wanted<'_, T> {
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        self.note_first(found.start);
        if self.count(found.start) {
            self.flow = self.take.plain(found);
        }
        self.flow
    }
}

impl<T: Take> TakeEvents for Wanted<'_, T> {
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Refused(at, refusal) => {
                self.note_first(at);
                self.stats.refuse(refusal, self.is_wanted(at));
                self.flow
            }
            Event::Found(hit) => {
                self.note_first(hit.first.start);
                if self.count(hit.first.start) {
                    self.flow = self.take.raw(hit.first);
                }
                if hit.rest.is_empty() {
                    return self.flow;
                }
                *self.parts = hit.rest.into_iter();
                ControlFlow::Break(())
            }
        }
    }
}

/// Hands every match to a closure.
struct Each<F>(F);

impl<F: FnMut(RawMatch) -> ControlFlow<()>> TakePlain for Each<F> {
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        self.0(found.into())
    }
}

impl<F: FnMut(RawMatch) -> ControlFlow<()>> Take for Each<F> {
    #[inline(always)]
    fn raw(&mut self, found: RawMatch) -> ControlFlow<()> {
        self.0(found)
    }
}

/// Puts matches into a sink, until that is done.
#[cfg(any(feature = "archive", feature = "parallel"))]
struct Filling<'f, S, D> {
    sink: &'f mut S,
    is_done: D,
    text: &'f [u8],
    base: u64,
    lines: Option<Lines>,
    options: Options,
}

#[cfg(any(feature = "archive", feature = "parallel"))]
impl<S: Sink, D: Fn(&S) -> bool> Filling<'_, S, D> {
    #[inline(always)]
    fn flow(&mut self) -> ControlFlow<()> {
        if (self.is_done)(self.sink) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(any(feature = "archive", feature = "parallel"))]
impl<S: Sink, D: Fn(&S) -> bool> TakePlain for Filling<'_, S, D> {
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        let url =
            VerbatimUrl { text: self.text, start: found.url.start, end: found.url.end, level: found.verdict.level };
        // A copy: what is handed to a function lies in memory.
        if self.sink.add_url(url) { self.flow() } else { self.raw(found.clone().into()) }
    }
}

#[cfg(any(feature = "archive", feature = "parallel"))]
impl<S: Sink, D: Fn(&S) -> bool> Take for Filling<'_, S, D> {
    #[inline(never)]
    fn raw(&mut self, found: RawMatch) -> ControlFlow<()> {
        self.sink.add(&Match::counted(self.text, self.base, found, &mut self.lines, self.options));
        self.flow()
    }
}

/// A text that is an input of its own, and whether it ends because the input could not be read on.
#[cfg(feature = "archive")]
#[derive(Clone, Copy)]
pub(crate) struct EndedText<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) is_damaged: bool,
}

//! The loop that converts the events of a search into matches. Every driver runs this loop, so the
//! drivers cannot disagree (P6).

use std::ops::{ControlFlow, Range};

use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
use crate::drive::matches::Match;
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::find::{Event, EventSink, Hit, Options, Pause, PlainMatch, RawMatch, Search, Window};

/// A search of one input, and its counts.
#[derive(Clone, Debug)]
pub(crate) struct MatchLoop {
    search: Search,
    /// The remaining parts of the current wrapper (W-TWO).
    parts: std::vec::IntoIter<RawMatch>,
    /// Matches that begin in these bytes of the input are wanted (P3).
    range: Range<u64>,
    first: Option<u64>,
    pub(crate) lines: Option<Lines>,
    options: Options,
    pub(crate) stats: Stats,
}

impl MatchLoop {
    /// Starts a search for the matches that begin in a range of the input. The search begins at
    /// `from`, an offset in the window.
    pub(crate) fn new(extractor: &Extractor, from: usize, range: Range<u64>, lines: Option<Lines>) -> MatchLoop {
        let options = extractor.options();
        MatchLoop {
            search: Search::new(options, from),
            parts: Vec::new().into_iter(),
            range,
            first: None,
            lines,
            options,
            stats: Stats::default(),
        }
    }

    /// Searches another text, from its start, or from its first candidate colon if the caller has
    /// found it.
    pub(crate) fn restart(&mut self, options: Options, colon: Option<usize>) {
        self.search = match colon {
            None => Search::new(options, 0),
            Some(first) => Search::from_colon(options, first),
        };
    }

    /// Passes each wanted match to `found`, until `found` breaks or no further match begins before
    /// `end`. `end` is an index in the window, which lies at offset `base` of the input.
    pub(crate) fn each_match<'t>(
        &mut self,
        window: Window<'t>,
        base: u64,
        end: usize,
        mut found: impl FnMut(Match<'t>) -> ControlFlow<()>,
    ) -> Pause {
        let (options, mut lines) = (self.options, self.lines);
        let mut each = |raw| found(Match::counted(window.text, base, raw, &mut lines, options));
        let pause = self.run(window, base, end, &mut each);
        self.lines = lines;
        pause
    }

    /// Returns the match that [`run`](Self::run) has just passed on, with its lines counted.
    pub(crate) fn matched<'t>(&mut self, text: &'t [u8], base: u64, raw: RawMatch) -> Match<'t> {
        Match::counted(text, base, raw, &mut self.lines, self.options)
    }

    /// Adds each wanted match that begins before `end` to a sink, until `is_done` returns true.
    pub(crate) fn fill<S: Sink>(
        &mut self,
        window: Window<'_>,
        base: u64,
        end: usize,
        sink: &mut S,
        is_done: impl Fn(&S) -> bool,
    ) -> Pause {
        let (options, mut lines) = (self.options, self.lines);
        let make = |raw| Match::counted(window.text, base, raw, &mut lines, options);
        let pause = self.run(window, base, end, &mut Filling { sink, text: window.text, make, is_done });
        self.lines = lines;
        pause
    }

    /// Passes each wanted match that begins before `end` to `sink`, until `sink` breaks. Each match
    /// is an event of its own, even if a wrapper holds several. Refusals are only counted.
    pub(crate) fn run(&mut self, window: Window<'_>, base: u64, end: usize, sink: &mut impl EventSink) -> Pause {
        let MatchLoop { search, parts, range, first, stats, .. } = self;
        let flow = ControlFlow::Continue(());
        let mut wanted = Wanted { range: range.clone(), base, sink, stats, parts, flow, first };
        loop {
            while let Some(part) = wanted.parts.next() {
                if wanted.count(part.start) && wanted.pass(part).is_break() {
                    return Pause::Stopped;
                }
            }
            let pause = search.run(window, end, &mut wanted);
            // The search also stops for further parts of a wrapper. If its own loop passed them on,
            // every other match would cost a copy.
            if pause != Pause::Stopped || wanted.flow.is_break() {
                return pause;
            }
        }
    }

    /// Returns the offset in the input of the first match or refusal, wanted or not.
    pub(crate) fn first(&self) -> Option<u64> {
        self.first
    }

    /// Returns the end in the input of the last match, wanted or not, or else the start of the
    /// search. The window lies at offset `base`.
    pub(crate) fn end(&self, base: u64) -> u64 {
        base + self.search.pos() as u64
    }

    /// Returns the start of the unsearched text, if the search of this window stopped for lack of
    /// text.
    pub(crate) fn unsearched(&self, text: &[u8]) -> usize {
        self.search.unsearched(text)
    }

    /// Shifts the offsets by the `by` bytes that the window drops at its start.
    pub(crate) fn shift(&mut self, by: usize) {
        self.search.shift(by);
    }
}

/// Counts the events of a search, and passes on the matches in the wanted range.
struct Wanted<'l, T> {
    /// The wanted bytes of the input.
    range: Range<u64>,
    base: u64,
    sink: &'l mut T,
    stats: &'l mut Stats,
    parts: &'l mut std::vec::IntoIter<RawMatch>,
    /// The sink's reply to the last match.
    flow: ControlFlow<()>,
    first: &'l mut Option<u64>,
}

impl<T> Wanted<'_, T> {
    /// Counts a match if it is wanted. Returns whether it is.
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
        self.first.get_or_insert(self.base + start as u64);
    }
}

impl<T: EventSink> Wanted<'_, T> {
    fn pass(&mut self, first: RawMatch) -> ControlFlow<()> {
        self.sink.event(Event::Found(Hit { first, rest: Box::default() }))
    }
}

impl<T: EventSink> EventSink for Wanted<'_, T> {
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        self.note_first(found.start);
        if self.count(found.start) {
            self.flow = self.sink.plain(found);
        }
        self.flow
    }

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
                    self.flow = self.pass(hit.first);
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

/// Adds matches to a sink, until the sink is done.
pub(crate) struct Filling<'f, S: ?Sized, M, D> {
    pub(crate) sink: &'f mut S,
    pub(crate) text: &'f [u8],
    pub(crate) make: M,
    pub(crate) is_done: D,
}

impl<'m, S: Sink + ?Sized, M: FnMut(RawMatch) -> Match<'m>, D: Fn(&S) -> bool> Filling<'_, S, M, D> {
    #[inline(never)]
    fn add(&mut self, found: RawMatch) -> ControlFlow<()> {
        self.sink.add(&(self.make)(found));
        self.flow()
    }

    #[inline(always)]
    fn flow(&self) -> ControlFlow<()> {
        if (self.is_done)(self.sink) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'m, S: Sink + ?Sized, M: FnMut(RawMatch) -> Match<'m>, D: Fn(&S) -> bool> EventSink for Filling<'_, S, M, D> {
    #[inline(always)]
    fn plain(&mut self, found: PlainMatch) -> ControlFlow<()> {
        if self.sink.add_verbatim(self.text, found.url.clone(), found.verdict.level) {
            return self.flow();
        }
        // A copy is passed. If `found` itself were passed, it could not stay in registers.
        self.add(found.clone().into())
    }

    #[inline(always)]
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        event.found().map_or(ControlFlow::Continue(()), |found| self.add(found))
    }
}

//! The one search loop: a resumable walk over the candidate colons of a window.

use std::ops::Range;

use crate::bytes::limits::{CONTEXT, JOIN_BYTES, LINE_START, PREFIX_BLANKS, RUN_BYTES, SCHEME_RUN};
use crate::bytes::roll::Buffer;
use crate::find::anchor::{self, Anchors, Candidate};
use crate::find::delimiter::Preceding;
use crate::find::events::{Event, EventSink};
use crate::find::fast::{self, Lane, LaneEnd};
use crate::find::lines;
use crate::find::matches::{Hit, Kind, Refusal};
use crate::find::options::Options;
use crate::find::resolve::Resolver;
use crate::find::view::View;
use crate::find::{escapes, run, start, trim};

/// Bytes before an anchor that resolving it may read (P2): a scheme, and the lines before it.
pub(crate) const LOOKBEHIND: usize = SCHEME_RUN + 2 * LINE_START;
/// No span is longer than this: prefix, scheme, the longest run, and the lines that B-JOIN reads.
pub(crate) const LONGEST_SPAN: usize = PREFIX_BLANKS + SCHEME_RUN + RUN_BYTES + JOIN_BYTES;
/// Bytes after an anchor that resolving it may read (P2), and that a match shows.
pub(crate) const LOOKAHEAD: usize = LONGEST_SPAN + JOIN_BYTES + CONTEXT;
/// Bytes after a place that a search may need: they decide all that begins before the place.
pub(crate) const MARGIN: usize = LOOKAHEAD + SCHEME_RUN + 2;

/// Why [`Search::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The caller stopped it.
    Stopped,
    /// The text at hand does not show what begins at a candidate (ST-5): run again with more text.
    /// Nothing before `keep_from` will be read.
    NeedMore { keep_from: usize },
    /// No further start before the given end.
    End,
}

/// The text at hand, and how it ends.
///
/// It begins where the input begins, or at least [`LOOKBEHIND`] before the first anchor, or at the
/// `keep_from` of [`Pause::NeedMore`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'t> {
    pub(crate) text: &'t [u8],
    /// It ends where the input ends.
    pub(crate) is_last: bool,
    /// It ends where the input could not be read on: more of it may be lost.
    pub(crate) is_damaged: bool,
    /// The input pauses here: matches are wanted as soon as so many line ends after them are at
    /// hand (ST-5).
    pub(crate) pause: Option<usize>,
}

impl<'t> Window<'t> {
    /// Returns all of an input.
    pub(crate) fn all(text: &'t [u8]) -> Window<'t> {
        Window { text, is_last: true, is_damaged: false, pause: None }
    }

    /// Returns the part of an input that is at hand.
    pub(crate) fn of(buffer: &'t Buffer, is_last: bool, pause: Option<usize>) -> Window<'t> {
        let is_damaged = buffer.is_damaged();
        Window { text: buffer.bytes(), is_last: is_last || is_damaged, is_damaged, pause }
    }

    /// Returns whether enough of the text after a match is at hand for what is shown of it.
    fn has_enough_after(&self, end: usize) -> bool {
        let after = &self.text[end..];
        self.is_last || after.len() >= CONTEXT || self.pause.is_some_and(|line_ends| is_enough(after, line_ends))
    }
}

/// The one search loop: a resumable walk over a window.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    resolver: Resolver,
    /// The start of the search for the next colon.
    colon: usize,
    /// The end of the last match: nothing may start before it.
    pos: usize,
    /// A match that was found at the colon of the refusal that was just reported.
    pending: Option<Hit>,
    /// The last candidate that the text at hand did not decide, and where that text ended.
    undecided: Option<(usize, usize)>,
}

impl Search {
    /// Returns a search for URLs that start at or after `from`.
    pub(crate) fn new(options: Options, from: usize) -> Search {
        Search { resolver: Resolver::new(options), colon: from, pos: from, pending: None, undecided: None }
    }

    /// Returns a search of a text whose first candidate colon was found already.
    #[cfg(feature = "archive")]
    pub(crate) fn from_colon(options: Options, first: usize) -> Search {
        Search { colon: first, ..Search::new(options, 0) }
    }

    /// Returns the end of the last match, or where the search began.
    #[cfg(feature = "parallel")]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Returns the start of the unsearched text, if the search stopped for lack of text. No further
    /// match begins before it.
    pub(crate) fn unsearched(&self, text: &[u8]) -> usize {
        let from = text.len().min(self.colon);
        let ahead = &text[from..];
        let anchor = match self.resolver.options().www {
            true => memchr::memchr2(b':', b'.', ahead),
            false => memchr::memchr(b':', ahead),
        };
        let anchor = from + anchor.unwrap_or(ahead.len());
        let is_bracketed = self.resolver.options().refang && text[..anchor].ends_with(b"[");
        let word = start::word_before(text, anchor - usize::from(is_bracketed)).start;
        let start = start::outermost(text, word, || true);
        self.pos.max(start - usize::from(text[..start].ends_with(b"<")))
    }

    /// Moves with the window, whose first `by` bytes are gone.
    pub(crate) fn shift(&mut self, by: usize) {
        debug_assert!(self.pending.is_none(), "the window moves when it is used up");
        let shifted = |(colon, end): (usize, usize)| Some((colon.checked_sub(by)?, end.checked_sub(by)?));
        *self = Search {
            colon: self.colon - by,
            pos: self.pos.saturating_sub(by),
            undecided: self.undecided.and_then(shifted),
            ..Search::new(*self.resolver.options(), 0)
        };
    }

    /// Passes the events that start before `end` to `take`, until that breaks. `end` is the same
    /// place of the input at every call.
    pub(crate) fn run(&mut self, window: Window<'_>, end: usize, take: &mut impl EventSink) -> Pause {
        if let Some(hit) = self.pending.take()
            && take.event(Event::Found(hit)).is_break()
        {
            return Pause::Stopped;
        }
        let text = window.text;
        // A match that starts before `end` has its colon within a scheme's length after it.
        let colons_end = end.saturating_add(SCHEME_RUN + 2);
        let known = text.len().saturating_sub(if window.is_last { 0 } else { anchor::AHEAD });
        let plain_before = match (window.is_last, window.is_damaged) {
            (true, false) => usize::MAX,
            _ => (text.len() + 1).saturating_sub(fast::AHEAD + CONTEXT),
        };
        loop {
            let lane = Lane {
                text,
                from: self.colon,
                pos: self.pos,
                end,
                colons_end: colons_end.min(known),
                unclear_from: plain_before,
                resolver: &self.resolver,
                take,
            };
            let options = *self.resolver.options();
            let (halt, pos) = match options.has_more_anchors() {
                true => (lane.next_anchor(), self.pos),
                false => options.backend.look(lane),
            };
            self.pos = pos;
            let candidate = match halt {
                LaneEnd::Candidate(candidate) => candidate,
                LaneEnd::Stopped => {
                    self.colon = pos;
                    return Pause::Stopped;
                }
                LaneEnd::End => break,
            };
            self.colon = candidate.colon;
            let Some(event) = self.resolve(window, candidate, end) else {
                return Pause::NeedMore { keep_from: keep_from(candidate.colon) };
            };
            if event.is_some_and(|event| take.event(event).is_break())
                || self.pending.take().is_some_and(|hit| take.event(Event::Found(hit)).is_break())
            {
                return Pause::Stopped;
            }
        }
        if !window.is_last && colons_end > known {
            self.colon = self.colon.max(known);
            return Pause::NeedMore { keep_from: keep_from(self.colon) };
        }
        self.colon = self.colon.max(colons_end.min(known));
        Pause::End
    }

    /// Resolves a candidate, and moves on behind it. `None`: the text at hand does not show what
    /// begins there.
    #[inline(never)]
    fn resolve(&mut self, window: Window<'_>, candidate: Candidate, end: usize) -> Option<Option<Event>> {
        let (text, colon) = (window.text, candidate.colon);
        if !window.is_last && !self.is_worth_a_look(text, colon) {
            return None;
        }
        let view = View::new(text, !window.is_last || window.is_damaged);
        // Near the end every reading is made: the text may show the first one, and none of the
        // others.
        let is_near_end = view.goes_on() && colon + LOOKAHEAD > text.len();
        let mut refused = None;
        let mut found = self.resolver.resolve(&view, candidate, self.pos, is_near_end, &mut refused);
        let is_cut = view.is_touched() && window.is_damaged;
        if is_cut {
            found = self.resolve_before_damage(text, candidate);
            refused = None;
        } else if view.is_touched() || matches!(&found, Ok(Some(hit)) if !window.has_enough_after(hit.end())) {
            self.undecided = Some((colon, text.len()));
            // A fact of a cut text need not be one of the text.
            self.resolver = Resolver::new(*self.resolver.options());
            return None;
        }
        let is_open = is_cut && found.is_err() && self.resolver.has_bracket(text, colon);
        let event = self.move_on(candidate, end, found, refused);
        if is_open {
            // The URLs behind the bracket may be parts of its URL.
            (self.colon, self.pos) = (text.len(), text.len());
        }
        Some(event)
    }

    /// Moves on behind a candidate. Returns its event, if that is not hidden by the last match and
    /// begins before `end`. After a refusal, the match of the same colon waits.
    fn move_on(
        &mut self,
        candidate: Candidate,
        end: usize,
        found: Result<Option<Hit>, (usize, Refusal)>,
        mut refused: Option<(usize, Refusal)>,
    ) -> Option<Event> {
        self.colon = candidate.colon + 1;
        let pos = self.pos;
        match found {
            Err((at, refusal)) if pos <= at => {
                refused = Some((at, refusal));
                if refusal == Refusal::TooLong && at < end {
                    // B-MAX: no URL starts in these bytes, so that no inner URL is found instead.
                    self.pos = at + RUN_BYTES;
                    self.colon = self.colon.max(self.pos);
                }
            }
            Ok(Some(hit)) if hit.start() >= end => {
                // It belongs to another search, and so does all behind it.
                self.colon = end.saturating_add(SCHEME_RUN + 2);
            }
            Ok(Some(hit)) if hit.start() >= pos => {
                // B-START-4: its run hides what is in it; a run that yields nothing hides nothing.
                self.pos = hit.end();
                self.colon = self.colon.max(self.pos);
                self.pending = Some(hit);
            }
            _ => {}
        }
        match refused.filter(|&(at, _)| pos <= at && at < end) {
            Some((at, refusal)) => Some(Event::Refused(at, refusal)),
            None => self.pending.take().map(Event::Found),
        }
    }

    /// Returns whether the text has grown enough since it did not decide a candidate. Each look
    /// costs a run or some lines: looks after each byte of a slow input would be quadratic (ST-2).
    fn is_worth_a_look(&self, text: &[u8], colon: usize) -> bool {
        /// So few bytes cost little.
        const CHEAP: usize = 256;
        let Some((_, seen)) = self.undecided.filter(|&(undecided, _)| undecided == colon) else { return true };
        // A break may have been half of one.
        let new = &text[seen.saturating_sub(1)..];
        let has_grown = text.len() < colon + CHEAP || text.len() - seen > (seen - colon) / 4;
        text.len() > seen && (has_grown || memchr::memchr2(b'\n', b'\r', new).is_some())
    }

    /// Resolves a candidate that the rules follow to a damaged end. It finds a URL if the whole
    /// words hold it and its follower. The rest of the last word must change nothing.
    #[cold]
    fn resolve_before_damage(&mut self, text: &[u8], candidate: Candidate) -> Result<Option<Hit>, (usize, Refusal)> {
        let is_end = |&byte: &u8| lines::is_blank(byte) || lines::is_break(byte);
        let whole = text[candidate.colon..].iter().rposition(is_end).map(|found| candidate.colon + found + 1);
        let resolve = |end: usize| {
            let view = View::whole(&text[..end]);
            Resolver::new(*self.resolver.options()).resolve(&view, candidate, self.pos, true, &mut None).ok().flatten()
        };
        let is_bracketed = |hit: &Hit| matches!(hit.first.kind, Kind::Wrapped | Kind::Angle);
        // A title in the next word may close the URL before marks (B-CLOSED).
        let marks = |hit: &Hit, whole: usize| {
            let keeps_marks = Preceding::at(text, hit.start()).keeps_marks();
            if keeps_marks { trim::marks_len(&text[hit.end()..whole]) } else { 0 }
        };
        if let Some(whole) = whole
            && let (Some(hit), Some(other)) = (resolve(whole), resolve(text.len()))
            && (hit.start(), hit.end(), &hit.first.first) == (other.start(), other.end(), &other.first.first)
            && !text[hit.end() + marks(&hit, whole)..whole].iter().all(|&byte| lines::is_blank(byte))
            && (is_bracketed(&hit) || !self.resolver.has_bracket(text, candidate.colon))
        {
            return Ok(Some(hit));
        }
        let word = start::word_before(text, candidate.colon).start;
        Err((word.max(self.pos), Refusal::Damaged))
    }

    /// Returns stretches that hold the span of every candidate that begins in `starts`, in order of
    /// their starts. Hidden candidates count too. A stretch may reach further than its span, never
    /// less far (P4, sync points).
    pub(crate) fn spans(&mut self, text: &[u8], starts: Range<usize>) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut stop = 0;
        let mut from = starts.start;
        let colons_end = text.len().min(starts.end + SCHEME_RUN + 2);
        let mut anchors = Anchors::new(*self.resolver.options());
        while let Some(candidate) = anchors.next(text, from, colons_end) {
            let colon = candidate.colon;
            from = colon + 1;
            if let Some(prefix) = start::prefix_before(text, colon) {
                // The URL after it has a stretch of its own.
                spans.push(prefix..colon + 1 + PREFIX_BLANKS + SCHEME_RUN);
            }
            let Some(start) =
                start::start(text, start::word_before(text, colon), colon, self.resolver.options().any_scheme, false)
            else {
                spans.extend(self.span_of(text, candidate));
                continue;
            };
            // The next hard stop, as far as this run may reach; every byte is looked at once.
            let reach = text.len().min(start.scheme + RUN_BYTES);
            stop = stop.max(colon);
            stop = (stop..reach).find(|&i| run::is_hard_stop(text, i)).unwrap_or(stop.max(reach));
            // A run that ends within its line is cheap to bound; wrappers, delimiters, joins and
            // escapes are not.
            let is_open = Preceding::at(text, start.scheme).is_open() || text[colon + 1..].starts_with(b"<");
            let is_refused = self.resolver.options().candidates;
            if is_open
                || is_refused
                || text.get(stop).is_some_and(|&byte| escapes::is_first(byte))
                || lines::next_line(&View::whole(text), stop).is_some()
            {
                spans.extend(self.span_of(text, candidate));
            } else {
                spans.push(start.scheme.saturating_sub(start::OUTER_BYTES)..stop.min(reach));
            }
        }
        spans.sort_unstable_by_key(|span| span.start);
        spans
    }

    /// Returns the span of the match at a candidate. If that is too long, or a damaged end leaves a
    /// bracket open, returns the bytes in which none starts.
    fn span_of(&mut self, text: &[u8], candidate: Candidate) -> Option<Range<usize>> {
        let view = View::new(text, true);
        let found = self.resolver.resolve(&view, candidate, 0, false, &mut None);
        if view.is_touched() && self.resolver.has_bracket(text, candidate.colon) {
            return Some(start::word_before(text, candidate.colon).start - 1..text.len());
        }
        match found {
            Ok(hit) => hit.map(|hit| hit.start()..hit.end()),
            Err((at, _)) => Some(at..at + RUN_BYTES),
        }
    }
}

/// Returns the first byte that is read again, or shown around a match, when the search continues at
/// `colon`.
fn keep_from(colon: usize) -> usize {
    colon.saturating_sub(LOOKBEHIND + CONTEXT)
}

/// Returns whether the character after a match and so many line ends are at hand.
fn is_enough(after: &[u8], line_ends: usize) -> bool {
    /// The bytes of the longest character.
    const CHARACTER: usize = 4;
    let is_seen = after.first().is_some_and(u8::is_ascii) || after.len() >= CHARACTER;
    let has_lines = |last: usize| after.len() >= CONTEXT || memchr::memchr_iter(b'\n', after).nth(last).is_some();
    is_seen && line_ends.checked_sub(1).is_none_or(has_lines)
}

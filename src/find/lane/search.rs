//! The one search loop: a resumable walk over the candidate colons of a window.

use std::ops::Range;

use crate::bytes::limits::{CONTEXT, JOIN_BYTES, LOOKBEHIND, PREFIX_BLANKS, ROW_SLACK, RUN_BYTES, SCHEME_RUN};
use crate::bytes::roll::Buffer;
use crate::find::end::delimiter::Preceding;
use crate::find::end::{run, trim};
use crate::find::forms::refang;
use crate::find::forms::resolve::Resolver;
use crate::find::lane::anchor::Anchors;
use crate::find::lane::events::{Event, EventSink};
use crate::find::lane::fast::{Lane, LaneEnd};
use crate::find::lane::whole::Healing;
use crate::find::lane::{anchor, fast};
use crate::find::matches::{Hit, Kind, Refusal};
use crate::find::options::Options;
use crate::find::start::{self, Candidate};
use crate::find::text::layers::{self, edge};
use crate::find::text::lines;
use crate::find::text::view::View;

/// The maximum length of a span. It has a prefix, a scheme, the longest run, the lines that B-JOIN
/// reads, and the breaks between full rows.
pub(crate) const LONGEST_SPAN: usize = PREFIX_BLANKS + SCHEME_RUN + RUN_BYTES + JOIN_BYTES + ROW_SLACK;
/// The number of bytes after an anchor that may be read to resolve it (P2), or shown with its
/// match.
pub(crate) const LOOKAHEAD: usize = LONGEST_SPAN + JOIN_BYTES + CONTEXT;
/// The number of bytes after a place that a search may need to decide all matches that begin before
/// it.
pub(crate) const MARGIN: usize = LOOKAHEAD + SCHEME_RUN + 2;

/// The reason why [`Search::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The caller stopped the search.
    Stopped,
    /// The text read so far does not decide a candidate (ST-5). Run again with more text. No byte
    /// before `keep_from` will be read again.
    NeedMore { keep_from: usize },
    /// No further event starts before the `end` of [`Search::run`].
    End,
}

/// The text read so far, and the state of its end.
///
/// It begins at the start of the input, or at least [`LOOKBEHIND`] bytes before the first anchor.
/// After [`Pause::NeedMore`], it may begin at the `keep_from`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'t> {
    pub(crate) text: &'t [u8],
    /// The window ends with the input.
    pub(crate) is_last: bool,
    /// The window ends where reading the input failed, so the text after it may be lost.
    pub(crate) is_damaged: bool,
    /// Set if the input pauses here: the number of line ends that must follow a match before it is
    /// reported (ST-5).
    pub(crate) pause: Option<usize>,
}

impl<'t> Window<'t> {
    /// Returns a window over a whole input.
    pub(crate) fn all(text: &'t [u8]) -> Window<'t> {
        Window { text, is_last: true, is_damaged: false, pause: None }
    }

    /// Returns a window over the part of an input in `buffer`.
    pub(crate) fn of(buffer: &'t Buffer, is_last: bool, pause: Option<usize>) -> Window<'t> {
        let is_damaged = buffer.is_damaged();
        Window { text: buffer.bytes(), is_last: is_last || is_damaged, is_damaged, pause }
    }

    /// Returns whether enough text after a match has been read to show its context.
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
    /// The end of the last match. No match may start before it.
    pos: usize,
    /// A match that was found at the same colon as the refusal just reported.
    pending: Option<Hit>,
    /// The last candidate that the text read so far did not decide, and the end of that text.
    undecided: Option<(usize, usize)>,
    healing: Healing,
}

impl Search {
    /// Returns a search for URLs that start at or after `from`.
    pub(crate) fn new(options: Options, from: usize) -> Search {
        Search {
            resolver: Resolver::new(options),
            colon: from,
            pos: from,
            pending: None,
            undecided: None,
            healing: Healing::default(),
        }
    }

    /// Returns a search of a text whose first candidate colon is already known.
    pub(crate) fn from_colon(options: Options, first: usize) -> Search {
        Search { colon: first, ..Search::new(options, 0) }
    }

    /// Returns the end of the last match, or the start of the search.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Returns the start of the unsearched text, if the search stopped for lack of text. No further
    /// match begins before it.
    pub(crate) fn unsearched(&self, text: &[u8]) -> usize {
        let from = text.len().min(self.colon);
        let ahead = &text[from..];
        let anchor = match self.resolver.options() {
            Options { names: true, .. } => memchr::memchr3(b':', b'.', b'/', ahead),
            Options { www: true, .. } => memchr::memchr2(b':', b'.', ahead),
            _ => memchr::memchr(b':', ahead),
        };
        let anchor = from + anchor.unwrap_or(ahead.len());
        let ends = anchor - usize::from(start::has_escaped_colon(text, anchor));
        let mut word = match self.resolver.options().refang {
            true => refang::scheme_before(text, ends).0.start,
            false => start::word_before(text, ends).start,
        };
        while self.resolver.options().rows().is_some()
            && let Some(above) = start::word_above(text, word).filter(|&above| above + SCHEME_RUN + 2 >= anchor)
        {
            word = above;
        }
        let start = start::outermost(text, word, || true);
        self.pos.max(start - usize::from(text[..start].ends_with(b"<")))
    }

    /// Adjusts the search to a window whose first `by` bytes were removed.
    pub(crate) fn shift(&mut self, by: usize) {
        debug_assert!(self.pending.is_none(), "the window moves when it is used up");
        let shifted = |(colon, end): (usize, usize)| Some((colon.checked_sub(by)?, end.checked_sub(by)?));
        *self = Search {
            colon: self.colon - by,
            pos: self.pos.saturating_sub(by),
            undecided: self.undecided.and_then(shifted),
            healing: std::mem::take(&mut self.healing).shifted(by),
            ..Search::new(*self.resolver.options(), 0)
        };
    }

    /// Passes the events that start before `end` to `take`, until `take` stops the search. `end`
    /// must be the same place in the input at every call.
    pub(crate) fn run(&mut self, window: Window<'_>, end: usize, take: &mut impl EventSink) -> Pause {
        if let Some(hit) = self.pending.take()
            && take.event(Event::Found(hit)).is_break()
        {
            return Pause::Stopped;
        }
        let text = window.text;
        // The colon of a match that starts before `end` is at most a scheme's length after `end`.
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

    /// Resolves a candidate, and continues after it. Returns `None` if the text read so far does
    /// not decide the candidate.
    #[inline(never)]
    fn resolve(&mut self, window: Window<'_>, candidate: Candidate, end: usize) -> Option<Option<Event>> {
        let (text, colon) = (window.text, candidate.colon);
        if !window.is_last && !self.is_worth_a_look(text, colon) {
            return None;
        }
        let goes_on = !window.is_last || window.is_damaged;
        // Near the end, every reading is made, because the text may decide the first reading but
        // not the others.
        let view = View::new(text, goes_on).with_rest(goes_on && colon + LOOKAHEAD > text.len());
        let mut refused = None;
        let mut found = self.resolver.resolve(&view, candidate, self.pos, &mut refused);
        let mut healing = None;
        if let Ok(Some(hit)) = &mut found
            && self.resolver.options().heals
            && hit.start() >= self.pos
        {
            healing = self.healing.mark(&view, hit, self.resolver.options());
        }
        let is_cut = view.is_touched() && window.is_damaged;
        if is_cut {
            found = self.resolve_before_damage(text, candidate);
            refused = None;
        } else if view.is_touched() || matches!(&found, Ok(Some(hit)) if !window.has_enough_after(hit.end())) {
            self.undecided = Some((colon, text.len()));
            // A cached fact about the cut text may be false for the longer text.
            self.resolver = Resolver::new(*self.resolver.options());
            return None;
        } else if let Some(healing) = healing {
            self.healing = healing;
        }
        let is_open = is_cut && found.is_err() && self.resolver.has_bracket(text, colon);
        let event = self.move_on(candidate, end, found, refused);
        if is_open {
            // The URLs after the bracket may be parts of the URL in the bracket.
            (self.colon, self.pos) = (text.len(), text.len());
        }
        Some(event)
    }

    /// Continues after a candidate. Returns the candidate's event, if the event begins before
    /// `end`, and the last match does not hide it. If a refusal is returned, a match at the same
    /// colon stays pending.
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
                    // B-MAX: no URL starts in these bytes, so no inner URL is found instead.
                    self.pos = at + RUN_BYTES;
                    self.colon = self.colon.max(self.pos);
                }
            }
            Ok(Some(hit)) if hit.start() >= end => {
                // This match and all matches after it belong to another search.
                self.colon = end.saturating_add(SCHEME_RUN + 2);
            }
            Ok(Some(hit)) if hit.start() >= pos => {
                // B-START-4: a match hides all candidates in its run. A run without a match hides
                // none.
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

    /// Returns whether the text has grown enough to resolve an undecided candidate again. Each
    /// attempt reads a run or some lines. An attempt after each byte of a slow input would take
    /// quadratic time (ST-2).
    fn is_worth_a_look(&self, text: &[u8], colon: usize) -> bool {
        /// Reading this number of bytes costs little.
        const CHEAP: usize = 256;
        let Some((_, seen)) = self.undecided.filter(|&(undecided, _)| undecided == colon) else { return true };
        // The last byte seen before may have been the CR of a CRLF.
        let new = &text[seen.saturating_sub(1)..];
        let has_grown = text.len() < colon + CHEAP || text.len() - seen > (seen - colon) / 4;
        text.len() > seen && (has_grown || memchr::memchr2(b'\n', b'\r', new).is_some())
    }

    /// Resolves a candidate for which the rules read up to a damaged end. Returns a match only if
    /// the last word, which may be incomplete, does not change it. A complete word or a line break
    /// must also follow the match.
    #[cold]
    fn resolve_before_damage(&mut self, text: &[u8], candidate: Candidate) -> Result<Option<Hit>, (usize, Refusal)> {
        let is_end = |&byte: &u8| lines::is_blank(byte) || lines::is_break(byte);
        let whole = text[candidate.colon..].iter().rposition(is_end).map(|found| candidate.colon + found + 1);
        let resolve = |end: usize| {
            let view = View::whole(&text[..end]).with_rest(true);
            Resolver::new(*self.resolver.options()).resolve(&view, candidate, self.pos, &mut None).ok().flatten()
        };
        let is_bracketed = |hit: &Hit| matches!(hit.first.kind, Kind::Wrapped | Kind::Angle);
        // A title in the next word may close the URL, which then keeps its final marks (B-CLOSED).
        let marks = |hit: &Hit, whole: usize| {
            let keeps_marks = Preceding::at(text, hit.start()).keeps_marks();
            if keeps_marks { trim::marks_len(&text[hit.end()..whole]) } else { 0 }
        };
        // A URL in a cell may go on in the next row (B-CELL).
        let is_in_row = |hit: &Hit, whole: usize| {
            let rest = &text[hit.end()..whole];
            let follows = rest.iter().find(|&&byte| !lines::is_blank(byte));
            memchr::memchr2(b'\n', b'\r', rest).is_none() && follows.is_some_and(|&byte| edge::is_line_lead(byte))
        };
        if let Some(whole) = whole
            && let (Some(hit), Some(other)) = (resolve(whole), resolve(text.len()))
            && (hit.start(), hit.end(), &hit.first.first) == (other.start(), other.end(), &other.first.first)
            && !text[hit.end() + marks(&hit, whole)..whole].iter().all(|&byte| lines::is_blank(byte))
            && (is_bracketed(&hit) || !is_in_row(&hit, whole) && !run::may_be_in_expression(text, hit.end()))
            && (is_bracketed(&hit) || !self.resolver.has_bracket(text, candidate.colon))
        {
            return Ok(Some(hit));
        }
        let word = start::word_before(text, candidate.colon).start;
        Err((word.max(self.pos), Refusal::Damaged))
    }

    /// Returns stretches that cover the span of every candidate that begins in `starts`, ordered by
    /// start. Candidates that a match would hide are included. A stretch may be longer than its
    /// span, but never shorter (P4, sync points).
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
                // The URL after the prefix has its own stretch.
                spans.push(prefix..colon + 1 + PREFIX_BLANKS + SCHEME_RUN);
            }
            let Some(start) =
                start::start(text, start::word_before(text, colon), colon, self.resolver.options().any_scheme, false)
            else {
                spans.extend(self.span_of(text, candidate));
                continue;
            };
            // `stop` becomes the next hard stop within the reach of this run. Every byte is read
            // only once.
            let reach = text.len().min(start.scheme + RUN_BYTES);
            stop = stop.max(colon);
            stop = (stop..reach).find(|&i| run::is_hard_stop(text, i)).unwrap_or(stop.max(reach));
            // A run that ends within its line has a cheap bound. Wrappers, delimiters, joins and
            // escapes have none.
            let is_open = Preceding::at(text, start.scheme).is_open() || text[colon + 1..].starts_with(b"<");
            let is_other = self.resolver.options().candidates || self.resolver.options().rows().is_some();
            if is_open
                || is_other
                || text.get(stop).is_some_and(|&byte| layers::is_first(byte))
                || run::may_be_in_expression(text, stop)
                || lines::next_line(&View::whole(text), stop).is_some()
                || edge::may_follow(&View::whole(text), start.scheme..stop)
                || edge::has_lead(&text[start.scheme..stop])
            {
                spans.extend(self.span_of(text, candidate));
            } else {
                spans.push(start.scheme.saturating_sub(start::OUTER_BYTES)..stop.min(reach));
            }
        }
        spans.sort_unstable_by_key(|span| span.start);
        spans
    }

    /// Returns the span of the match at a candidate. If the match is too long, returns the range in
    /// which no match starts. If a bracket stays open, returns the rest of the text from the
    /// bracket on.
    fn span_of(&mut self, text: &[u8], candidate: Candidate) -> Option<Range<usize>> {
        let view = View::new(text, true);
        let mut found = self.resolver.resolve(&view, candidate, 0, &mut None);
        if view.is_touched() && self.resolver.options().rows().is_some() {
            // The rows end at a break that more text decides. The span may lie after it.
            found = self.resolver.resolve(&View::whole(text), candidate, 0, &mut None);
        }
        if view.is_touched() && self.resolver.has_bracket(text, candidate.colon) {
            return Some(start::word_before(text, candidate.colon).start - 1..text.len());
        }
        let is_expression = |hit: &Hit| view.is_touched() && run::may_be_in_expression(text, hit.end());
        match found {
            Ok(hit) => hit.map(|hit| hit.start()..if is_expression(&hit) { text.len() } else { hit.end() }),
            Err((at, _)) => Some(at..at + RUN_BYTES),
        }
    }
}

/// Returns the place of the first byte that the search, continued at `colon`, may read or show
/// around a match.
fn keep_from(colon: usize) -> usize {
    colon.saturating_sub(LOOKBEHIND + CONTEXT)
}

/// Returns whether the character after a match and this number of line ends have been read.
/// [`CONTEXT`] bytes are also enough.
fn is_enough(after: &[u8], line_ends: usize) -> bool {
    /// The maximum number of bytes in a character.
    const CHARACTER: usize = 4;
    let is_seen = after.first().is_some_and(u8::is_ascii) || after.len() >= CHARACTER;
    let has_lines = |last: usize| after.len() >= CONTEXT || memchr::memchr_iter(b'\n', after).nth(last).is_some();
    is_seen && line_ends.checked_sub(1).is_none_or(has_lines)
}

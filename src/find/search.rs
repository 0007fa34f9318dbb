//! The one search loop: a resumable walk over the candidate colons of a window.

use std::ops::{ControlFlow, Range};
use std::{iter, mem};

use crate::bytes::limits::{CONTEXT, LINE_START, PREFIX_BLANKS, RUN_BYTES, SCHEME_RUN, WRAPPER_BYTES};
use crate::bytes::roll::Buffer;
use crate::find::anchor::{self, Anchors, Candidate};
use crate::find::awaited::Awaited;
use crate::find::fast::{Lane, LaneEnd, TakePlain};
use crate::find::matches::{Hit, Kind, PutOff, Refusal};
use crate::find::options::Options;
use crate::find::resolve::{Resolver, more_readings};
use crate::find::{bare, fast, lines, run, start, unwrap};

/// Bytes before an anchor that resolving it may read (P2): the 65,536 of B-MAX, each of whose candidates looks at a
/// run before its colon, and a line before its URL.
pub(crate) const LOOKBEHIND: usize = RUN_BYTES + NEAR_BEHIND;
/// The same without B-MAX, which looks back to a hard stop at most.
const NEAR_BEHIND: usize = SCHEME_RUN + 2 * LINE_START;
/// Bytes after an anchor that resolving it may read (P2): prefix, scheme, the run of B-MAX, and twice what B-JOIN reads.
pub(crate) const LOOKAHEAD: usize = RUN_BYTES + SCHEME_RUN + PREFIX_BLANKS + WRAPPER_BYTES + 2 * LINE_START;
/// Bytes after a place that a search may ask for: all that begins before the place is decided by these 82,498 (81 KiB).
pub(crate) const MARGIN: usize = LOOKAHEAD + SCHEME_RUN + 2;
/// No span is longer than this.
pub(crate) const LONGEST_SPAN: usize = LOOKAHEAD;

/// What a search comes upon, in the order of its starts.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The matches of one anchor: one, or the parts of a wrapper (W-TWO).
    Found(Hit),
    /// Refused at this offset; nothing is consumed.
    Refused(usize, Refusal),
}

/// Takes what a search comes upon. A trait, so that what is made of a plain URL becomes part of the fast lane's loop: closures
/// that hand a match on cost 130 instructions each more (2026-11).
pub(crate) trait TakeEvents: TakePlain {
    fn event(&mut self, event: Event) -> ControlFlow<()>;
}

/// Why [`Search::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The caller stopped it.
    Stopped,
    /// The window ends within [`LOOKAHEAD`] of a candidate, and what begins there is not known (ST-5): run again with more
    /// text. Nothing before `keep_from` will be read.
    NeedMore { keep_from: usize },
    /// No further start before the given end.
    End,
}

/// The text at hand, and whether it ends where the input ends.
///
/// It begins where the input begins, or at least [`LOOKBEHIND`] before the first anchor asked about, or at the `keep_from` of
/// [`Pause::NeedMore`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) is_last: bool,
    /// Where the input ends in the text: before a [`PROBE`](crate::bytes::roll::PROBE), if its end is damaged. What reaches
    /// further is not whole. What is known before it (ST-5) is.
    pub(crate) whole: usize,
    /// The input pauses here: what is known is wanted, if so many line ends after it are at hand (ST-5).
    pub(crate) pause: Option<usize>,
}

impl<'t> Window<'t> {
    /// All of an input.
    pub(crate) fn all(text: &'t [u8]) -> Window<'t> {
        Window { text, is_last: true, whole: text.len(), pause: None }
    }

    /// A text whose end is damaged, with a probe behind its `whole` bytes.
    #[cfg(feature = "archive")]
    pub(crate) fn damaged(probed: &'t [u8], whole: usize) -> Window<'t> {
        Window { text: probed, is_last: false, whole, pause: Some(0) }
    }

    /// What is at hand of an input.
    pub(crate) fn of(buffer: &'t Buffer, is_last: bool, pause: Option<usize>) -> Window<'t> {
        let pause = if buffer.is_damaged() { Some(0) } else { pause };
        Window { text: buffer.probed(), is_last: is_last && !buffer.is_damaged(), whole: buffer.bytes().len(), pause }
    }

    pub(crate) fn is_damaged(&self) -> bool {
        self.whole < self.text.len()
    }
}

/// The one search loop: a resumable walk over a window.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    resolver: Resolver,
    /// Where the next colon is looked for.
    colon: usize,
    /// The end of the last match: nothing may start before it.
    pos: usize,
    /// A match that was found at the colon of the refusal that was just reported.
    pending: Option<Hit>,
    unknown: Option<Unknown>,
    /// The rules for a text that goes on behind a damaged end.
    probed: Option<Box<Resolver>>,
}

/// The last candidate that was not known at a pause, and how far the text went then.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    colon: usize,
    end: usize,
    /// And how far it did when nothing that is waited for had come.
    seen: usize,
    wait: Awaited,
}

impl Unknown {
    /// The window moves: its first `by` bytes are gone.
    fn shifted(self, by: usize) -> Option<Unknown> {
        Some(Unknown {
            colon: self.colon.checked_sub(by)?,
            end: self.end.checked_sub(by)?,
            seen: self.seen.checked_sub(by)?,
            ..self
        })
    }
}

impl Search {
    /// A search for what starts at or after `from`.
    pub(crate) fn new(options: Options, from: usize) -> Search {
        Search { resolver: Resolver::new(options), colon: from, pos: from, pending: None, unknown: None, probed: None }
    }

    /// A search of a text whose first candidate colon is known.
    #[cfg(feature = "archive")]
    pub(crate) fn from_colon(options: Options, first: usize) -> Search {
        Search { colon: first, ..Search::new(options, 0) }
    }

    /// The end of the last match, or where the search began.
    #[cfg(feature = "parallel")]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Where what has not been searched begins, if the search stopped for want of text: nothing that begins before it is to
    /// come.
    pub(crate) fn unsearched(&self, text: &[u8]) -> usize {
        let ahead = text.get(self.colon..).unwrap_or_default();
        let colon = text.len().min(self.colon) + memchr::memchr(b':', ahead).unwrap_or(ahead.len());
        let word = start::word_before(text, colon).start;
        self.pos.max(word - usize::from(text[..word].ends_with(b"<")))
    }

    /// The window moves: its first `by` bytes are gone.
    pub(crate) fn shift(&mut self, by: usize) {
        debug_assert!(self.pending.is_none(), "the window moves when it is used up");
        *self = Search {
            colon: self.colon - by,
            pos: self.pos.saturating_sub(by),
            unknown: self.unknown.and_then(|unknown| unknown.shifted(by)),
            ..Search::new(*self.resolver.options(), 0)
        };
    }

    /// Hands the events that start before `end` to `take`, until that breaks. `end` is the same place of the input at
    /// every call.
    pub(crate) fn run(&mut self, window: Window<'_>, end: usize, take: &mut impl TakeEvents) -> Pause {
        if let Some(hit) = self.pending.take()
            && take.event(Event::Found(hit)).is_break()
        {
            return Pause::Stopped;
        }
        let text = &window.text[..window.whole];
        // What starts before `end` has its colon within a scheme's length after it.
        let colons_end = end.saturating_add(SCHEME_RUN + 2);
        let has_ended = window.is_last || window.is_damaged();
        let known = text.len().saturating_sub(if has_ended { 0 } else { anchor::AHEAD });
        // What begins at a colon before this is known.
        let known_before = |ahead| if window.is_last { usize::MAX } else { (text.len() + 1).saturating_sub(ahead) };
        let mut open_from = known_before(LOOKAHEAD);
        let plain_before = known_before(fast::AHEAD + CONTEXT);
        loop {
            let is_in_long_strip = self.resolver.is_in_long_strip();
            let lane = Lane {
                text,
                from: self.colon,
                pos: self.pos,
                end,
                colons_end: colons_end.min(known),
                unclear_from: if is_in_long_strip { 0 } else { plain_before },
                resolver: &self.resolver,
                take,
            };
            let (halt, pos) = self.resolver.options().backend.look(lane);
            self.pos = pos;
            let candidate = match halt {
                LaneEnd::Candidate(candidate) => candidate,
                LaneEnd::Stopped => {
                    self.colon = pos;
                    return Pause::Stopped;
                }
                LaneEnd::End => break,
            };
            let colon = candidate.colon;
            self.colon = colon;
            if self.pass(text, candidate, end, colons_end.min(known), take) {
                continue;
            }
            let event = if colon < open_from {
                self.resolve_and_move(text, candidate, end)
            } else if self.is_known(text, window.pause, candidate) {
                open_from = colon + 1;
                continue;
            } else if window.is_damaged() {
                self.resolve_before_damage(window, candidate, end)
            } else {
                return Pause::NeedMore { keep_from: keep_from(text, colon) };
            };
            if event.is_some_and(|event| take.event(event).is_break())
                || self.pending.take().is_some_and(|hit| take.event(Event::Found(hit)).is_break())
            {
                return Pause::Stopped;
            }
        }
        if !has_ended && colons_end > known {
            self.colon = self.colon.max(known);
            return Pause::NeedMore { keep_from: keep_from(text, self.colon) };
        }
        self.colon = self.colon.max(colons_end.min(known));
        Pause::End
    }

    /// Passes over this colon and those near behind it, if a look at them shows that nothing begins there: a `<URL:` before
    /// another `<`, which is refused, what begins within the last match, and mailto and news of which it is remembered. Text may be made of them, and to ask the
    /// rules and to begin again behind each costs 1,000 to 1,500 instructions. False if the rules are to be asked of this one.
    fn pass(
        &mut self,
        text: &[u8],
        mut candidate: Candidate,
        end: usize,
        colons_end: usize,
        take: &mut impl TakeEvents,
    ) -> bool {
        /// Further than this the next colon is the lane's to find.
        const NEAR: usize = 16;
        let mut is_passed = false;
        loop {
            if let Some(open) = unwrap::unclosed_opener(text, candidate) {
                if (self.pos..end).contains(&open) {
                    let _ = take.event(Event::Refused(open, Refusal::Unterminated)); // only a match ends a search
                }
            } else if candidate.colon > self.pos && !self.resolver.is_known_to_fail(text, candidate) {
                return is_passed;
            }
            is_passed = true;
            self.colon = candidate.colon + 1;
            let ahead = &text[self.colon..colons_end.min(self.colon + NEAR)];
            let Some(next) = ahead.iter().position(|&byte| byte == b':') else { return true };
            candidate = Candidate::at(text, self.colon + next);
        }
    }

    /// Whether what begins at this colon is known at a pause, with what is wanted after it.
    #[cold]
    #[inline(never)]
    fn is_known(&mut self, text: &[u8], pause: Option<usize>, candidate: Candidate) -> bool {
        let Some(line_ends) = pause else { return false };
        let colon = candidate.colon;
        if let Some(unknown) = self.unknown.as_mut().filter(|unknown| unknown.colon == colon)
            && !unknown.wait.is_over(&text[colon..], unknown.end - colon, unknown.seen - colon)
        {
            unknown.seen = text.len();
            return false;
        }
        let is_plain = !self.resolver.is_in_long_strip();
        let plain = is_plain.then(|| fast::read(text, colon, self.resolver.options())).flatten();
        let end = plain.map_or_else(|| self.resolver.known(text, candidate), |found| Ok(found.end));
        let wait = match end {
            Ok(end) if is_enough(&text[end..], line_ends) => return true,
            Ok(_) if line_ends > 0 => Awaited::Line,
            Ok(_) => Awaited::Byte,
            Err(Awaited::Length(length)) => Awaited::Length(length - colon),
            Err(wait) => wait,
        };
        self.unknown = Some(Unknown { colon, end: text.len(), seen: text.len(), wait });
        false
    }

    /// What begins at this colon if the rules would read on behind a damaged end: only what the end does not touch, as the
    /// [`PROBE`](crate::bytes::roll::PROBE) behind it shows. More of it may be lost.
    #[cold]
    #[inline(never)]
    fn resolve_before_damage(&mut self, window: Window<'_>, candidate: Candidate, end: usize) -> Option<Event> {
        let options = *self.resolver.options();
        // What the rules remember of the text is not true of one that goes on.
        let mut probed = self.probed.take().unwrap_or_else(|| Box::new(Resolver::new(options)));
        mem::swap(&mut self.resolver, &mut probed);
        let event = self.resolve_and_move(window.text, candidate, end);
        mem::swap(&mut self.resolver, &mut probed);
        self.probed = Some(probed);
        let pending = self.pending.take().and_then(|hit| whole_parts(hit, window, options));
        match event {
            Some(Event::Found(hit)) => {
                let start = hit.start();
                let whole = whole_parts(hit, window, options);
                Some(whole.map_or(Event::Refused(start, Refusal::Damaged), Event::Found))
            }
            refused => {
                self.pending = pending;
                refused
            }
        }
    }

    /// What begins at this colon by the rules, if it is not hidden by the last match and begins before `end`; moves on
    /// behind it. After a refusal, the match of the same colon waits.
    #[inline(never)]
    fn resolve_and_move(&mut self, text: &[u8], candidate: Candidate, end: usize) -> Option<Event> {
        let mut refused = None;
        let hit = self.resolver.resolve(text, candidate, self.pos, &mut refused).filter(|hit| hit.start() >= self.pos);
        let refused = refused.filter(|&(at, _)| self.pos <= at && at < end);
        self.colon = candidate.colon + 1;
        if hit.as_ref().is_some_and(|hit| hit.start() >= end) {
            // Not ours, and nothing after it is.
            self.colon = end.saturating_add(SCHEME_RUN + 2);
        } else if let Some(hit) = hit {
            // B-START-4: its run hides what is in it; one that yields nothing hides nothing.
            self.pos = hit.end();
            self.colon = self.colon.max(self.pos);
            if refused.is_none() {
                return Some(Event::Found(hit));
            }
            self.pending = Some(hit);
        }
        refused.map(|(at, refusal)| Event::Refused(at, refusal))
    }

    /// Stretches that hold every candidate's span that begins in `starts`, those of hidden candidates too; in order of
    /// their starts. A stretch may reach further than the span it stands for, never less far (P4, sync points).
    pub(crate) fn spans(&mut self, text: &[u8], starts: Range<usize>) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut stop = 0;
        let mut from = starts.start;
        let colons_end = text.len().min(starts.end + SCHEME_RUN + 2);
        let mut anchors = Anchors::new(self.resolver.options().backend);
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
                spans.extend(self.resolver.resolve(text, candidate, 0, &mut None).map(|hit| hit.start()..hit.end()));
                continue;
            };
            // The next hard stop, as far as this run may reach; every byte is looked at once.
            let reach = text.len().min(start.scheme + RUN_BYTES);
            stop = stop.max(colon);
            stop = (stop..reach).find(|&i| run::is_hard_stop(text, i)).unwrap_or(stop.max(reach));
            // A run that ends within its line is cheap to bound; wrappers, joins and escapes are not.
            let bracket = text[..start.scheme].ends_with(b"<") || text[colon + 1..].starts_with(b"<");
            if bracket || text.get(stop) == Some(&b'\\') || lines::next_line(text, stop).is_some() {
                spans.extend(self.resolver.resolve(text, candidate, 0, &mut None).map(|hit| hit.start()..hit.end()));
            } else {
                spans.push(start.scheme..stop.min(reach));
            }
        }
        spans.sort_unstable_by_key(|span| span.start);
        spans
    }
}

/// What of the text is read no more, and not shown around a match, when the search goes on at `colon` or later. Moving
/// 150 KB on for each MB, as [`LOOKBEHIND`] and [`LOOKAHEAD`] ask at most, were a seventh of the instructions of a text without
/// URLs (2026-11).
fn keep_from(text: &[u8], colon: usize) -> usize {
    let floor = colon.saturating_sub(LOOKBEHIND);
    let stop = (floor..colon.min(text.len())).rev().find(|&at| run::is_hard_stop(text, at)).unwrap_or(floor);
    stop.min(colon.saturating_sub(NEAR_BEHIND + CONTEXT))
}

/// The parts of a match that a damaged end does not touch, of their readings those.
fn whole_parts(hit: Hit, window: Window<'_>, options: Options) -> Option<Hit> {
    let mut parts = iter::once(hit.first).chain(hit.rest).filter_map(|mut raw| {
        let is_bare = matches!(raw.kind, Kind::Bare | Kind::Prefixed);
        if raw.end > window.whole || is_bare && bare::may_go_on(window.text, raw.start..raw.end, window.whole) {
            return None;
        }
        let more = more_readings(window.text, &raw, options);
        let others = mem::take(&mut raw.others);
        let others = others.into_iter().chain(more).filter(|reading| reading.source().end <= window.whole);
        (raw.others, raw.put_off) = (others.collect::<Vec<_>>().into(), PutOff::Nothing);
        Some(raw)
    });
    let first = parts.next()?;
    Some(Hit { first, rest: parts.collect::<Vec<_>>().into() })
}

/// Whether enough of the text after a match is at hand: the character there, and so many line ends.
fn is_enough(after: &[u8], line_ends: usize) -> bool {
    /// The bytes of the longest character.
    const CHARACTER: usize = 4;
    let is_seen = after.first().is_some_and(u8::is_ascii) || after.len() >= CHARACTER;
    let has_lines = |last: usize| after.len() >= CONTEXT || memchr::memchr_iter(b'\n', after).nth(last).is_some();
    is_seen && line_ends.checked_sub(1).is_none_or(has_lines)
}

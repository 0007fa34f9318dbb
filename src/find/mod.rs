//! Floor 2: the finder. From a colon in the text to a match, as offsets.
//!
//! Everything hangs on the colon: `<URL:`, `URL:`, `http://`, `mailto:` all have one. [`Search`] walks over the colons
//! that may matter (`anchor`), asks what begins there, and takes the earliest that does not overlap the match before.
//!
//! | step | file | rules |
//! |---|---|---|
//! | candidate colons | `anchor` | no false negatives |
//! | plain URLs at a glance | `plain` | where no rule has anything to decide |
//! | words that are schemes | `schemes` | K, L, section 10 |
//! | where a URL begins and ends | `extent` | B-START … B-END |
//! | line starts and markers | `left` | W-PFX |
//! | wrapped and angle bodies | `unwrap` | section 7.1, 7.2, W-TWO, W-INNER |
//! | bare readings | `bare` | B-HYPH, B-UNI-1, B-ANGLEID |
//! | evidence for a broken bare URL | `join` | B-JOIN |
//! | readings and their order | `readings`, `judge` | W-HYPH, levels |
//! | linear time on hostile text | `opaque`, `long` | ST-2, B-MAX |
//!
//! # Purity (P1)
//!
//! What begins at a colon is a function of the text around it, within [`LOOKBEHIND`] and [`LOOKAHEAD`]. The only state
//! of a search is where the last match ended. The memos ([`opaque::Opaque`], [`long::Long`], [`join::SoftBreaks`]) hold facts about the text
//! that could be computed afresh at any time.

mod anchor;
mod bare;
mod extent;
mod join;
mod judge;
mod left;
mod long;
mod opaque;
mod plain;
mod readings;
mod schemes;
mod unwrap;

use crate::bytes::limits::{LINE_START, PREFIX_BLANKS, RUN_BYTES, SCHEME_RUN, WRAPPER_BYTES};
use std::ops::{ControlFlow, Range};

use crate::bytes::simd::Backend;
use crate::url::ParseOptions;
#[cfg(feature = "archive")]
pub(crate) use anchor::Anchors;
pub(crate) use bare::more_readings;
use extent::{Form, Start};
use judge::Judge;
pub(crate) use readings::{Pieces, RawMatch, Seldom};

/// Bytes before an anchor that resolving it may read (P2): the 65,536 of B-MAX, each of whose candidates looks at a
/// run before its colon, and a line before its URL.
pub(crate) const LOOKBEHIND: usize = RUN_BYTES + SCHEME_RUN + 2 * LINE_START;
/// Bytes after an anchor that resolving it may read (P2): prefix, scheme, the run of B-MAX, and twice what B-JOIN reads.
pub(crate) const LOOKAHEAD: usize = RUN_BYTES + SCHEME_RUN + PREFIX_BLANKS + WRAPPER_BYTES + 2 * LINE_START;
/// Bytes after a place that a search may ask for: all that begins before the place is decided by these.
pub(crate) const MARGIN: usize = LOOKAHEAD + SCHEME_RUN + 2;
/// No span is longer than this.
pub(crate) const LONGEST_SPAN: usize = LOOKAHEAD;

/// How the text delimits a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// `<URL:…>`, the wrapper of RFC 1738's Appendix.
    Wrapped,
    /// `<scheme:…>`.
    Angle,
    /// `URL:…` without brackets.
    Prefixed,
    /// A URL that nothing announces.
    Bare,
    /// The value of an attribute of HTML, or a part of one.
    Attribute,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] = [Kind::Wrapped, Kind::Angle, Kind::Prefixed, Kind::Bare, Kind::Attribute];

    /// The name that reports use: `wrapped`, `angle`, `prefixed`, `bare`, `attribute`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Wrapped => "wrapped",
            Kind::Angle => "angle",
            Kind::Prefixed => "prefixed",
            Kind::Bare => "bare",
            Kind::Attribute => "attribute",
        }
    }
}

/// What may be rejoined over line breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejoin {
    /// Wrapped and angle bodies, and bare URLs where the evidence is strong (B-JOIN).
    #[default]
    Auto,
    /// Wrapped and angle bodies only.
    Delimited,
    /// Nothing: a body with a line break fails (W-FAIL-2).
    None,
}

/// Which reading comes first at a doubtful hyphen (W-HYPH-3, W-HYPH-4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HyphenOrder {
    /// The hyphen belongs to the URL: software wraps at real hyphens.
    #[default]
    Keep,
    /// The hyphen came with the break: typeset text.
    Drop,
}

/// What changes the answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) any_scheme: bool,
    pub(crate) rejoin: Rejoin,
    pub(crate) hyphen: HyphenOrder,
    pub(crate) iri: bool,
    pub(crate) parse: ParseOptions,
    /// Changes nothing but the speed.
    pub(crate) backend: Backend,
}

/// Why something that looked like a URL is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// W-FAIL-1.
    Unterminated,
    /// W-WS-2.
    Empty,
    /// W-PROSE, W-ANGLE-1, W-FAIL-2: the brackets mean nothing.
    Dissolved,
    /// B-MAX.
    TooLong,
}

/// What a search comes upon, in the order of its starts.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The matches of one anchor: one, or the parts of a wrapper (W-TWO).
    Found(Hit),
    /// Refused at this offset; nothing is consumed.
    Refused(usize, Refusal),
}

#[cfg(feature = "parallel")]
impl Event {
    pub(crate) fn start(&self) -> usize {
        match self {
            Event::Found(hit) => hit.first.start,
            Event::Refused(at, _) => *at,
        }
    }
}

/// The matches of one anchor. They are taken or hidden together.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) first: RawMatch,
    /// The other parts of a wrapper (W-TWO).
    pub(crate) rest: Seldom<RawMatch>,
}

impl Hit {
    pub(crate) fn start(&self) -> usize {
        self.first.start
    }

    pub(crate) fn end(&self) -> usize {
        self.rest.iter().last().unwrap_or(&self.first).end
    }
}

/// Why [`Search::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Because it was told to.
    Told,
    /// The window ends within [`LOOKAHEAD`] of a candidate: run again with more text. Nothing before `keep_from` will
    /// be read.
    NeedMore { keep_from: usize },
    /// No further start before the given end.
    End,
}

/// The text at hand, and whether it ends where the input ends.
///
/// It begins where the input begins, or at least [`LOOKBEHIND`] before the first anchor asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) is_last: bool,
}

/// The one search loop: a resumable walk over a window.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    judge: Judge,
    anchors: anchor::Anchors,
    /// Where the next colon is looked for.
    colon: usize,
    /// The end of the last match: nothing may start before it.
    pos: usize,
    /// A match that was found at the colon of the refusal that was just told.
    pending: Option<Hit>,
    opaque: opaque::Opaque,
    long: long::Long,
    soft_breaks: join::SoftBreaks,
}

impl Search {
    /// A search for what starts at or after `from`.
    pub(crate) fn new(options: Options, from: usize) -> Search {
        Search {
            judge: Judge { options },
            anchors: anchor::Anchors::new(options.backend),
            colon: from,
            pos: from,
            pending: None,
            opaque: Default::default(),
            long: Default::default(),
            soft_breaks: Default::default(),
        }
    }

    /// A search of a text whose first candidate colon is known.
    #[cfg(feature = "archive")]
    pub(crate) fn from_colon(options: Options, first: usize) -> Search {
        Search { anchors: Anchors::at(options.backend, first), colon: first, ..Search::new(options, 0) }
    }

    /// The end of the last match, or where the search began.
    #[cfg(feature = "parallel")]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// The window moves: its first `by` bytes are gone.
    pub(crate) fn shift(&mut self, by: usize) {
        debug_assert!(self.pending.is_none(), "the window moves when it is used up");
        *self =
            Search { colon: self.colon - by, pos: self.pos.saturating_sub(by), ..Search::new(self.judge.options, 0) };
    }

    /// Tells the events that start before `end`, which is the same place of the input at every call, until `tell` says
    /// stop.
    ///
    /// The caller's part of the loop is handed in, and not asked for event by event, so that it stands in the same loop: a
    /// match that goes through two functions and three enums on its way out is copied as often, and weighs more than a look
    /// at its bytes.
    #[inline(always)]
    pub(crate) fn run(
        &mut self,
        window: Window<'_>,
        end: usize,
        mut tell: impl FnMut(Event) -> ControlFlow<()>,
    ) -> Pause {
        if let Some(hit) = self.pending.take()
            && tell(Event::Found(hit)).is_break()
        {
            return Pause::Told;
        }
        let text = window.text;
        // What starts before `end` has its colon within a scheme's length after it.
        let colons_end = end.saturating_add(SCHEME_RUN + 2);
        // A colon shows whether it may matter when the two bytes after it are known.
        let known = text.len().saturating_sub(if window.is_last { 0 } else { 2 });
        while let Some(colon) = self.anchors.next(text, self.colon, colons_end.min(known)) {
            self.colon = colon;
            if !window.is_last && colon + LOOKAHEAD > text.len() {
                return Pause::NeedMore { keep_from: colon.saturating_sub(LOOKBEHIND) };
            }
            let told = match self.resolve_plain(text, colon) {
                Some(first) if first.start < self.pos => {
                    self.colon = colon + 1;
                    continue;
                }
                Some(first) if first.start < end => {
                    self.pos = first.end;
                    self.colon = first.end; // which is not before the colon
                    tell(Event::Found(Hit { first, rest: Seldom::new() }))
                }
                Some(_) => {
                    self.colon = colons_end;
                    return Pause::End;
                }
                None => match self.resolve_and_move(text, colon, end) {
                    Some(event) => tell(event),
                    None => continue,
                },
            };
            if told.is_break() {
                return Pause::Told;
            }
            if let Some(hit) = self.pending.take()
                && tell(Event::Found(hit)).is_break()
            {
                return Pause::Told;
            }
        }
        if !window.is_last && colons_end > known {
            self.colon = self.colon.max(known);
            return Pause::NeedMore { keep_from: self.colon.saturating_sub(LOOKBEHIND + SCHEME_RUN) };
        }
        self.colon = self.colon.max(colons_end.min(known));
        Pause::End
    }

    /// The next event by itself, for who must have it so.
    #[inline(always)]
    pub(crate) fn step(&mut self, window: Window<'_>, end: usize) -> Result<Event, Pause> {
        let mut next = None;
        let pause = self.run(window, end, |event| {
            next = Some(event);
            ControlFlow::Break(())
        });
        next.ok_or(pause)
    }

    /// What begins at this colon by the rules, if it is not hidden by the last match and begins before `end`; moves on
    /// behind it. After a refusal, the match of the same colon waits.
    #[inline(never)]
    fn resolve_and_move(&mut self, text: &[u8], colon: usize, end: usize) -> Option<Event> {
        let mut refused = None;
        let hit = self.resolve(text, colon, &mut refused).filter(|hit| hit.start() >= self.pos);
        let refused = refused.filter(|&(at, _)| self.pos <= at && at < end);
        self.colon = colon + 1;
        if hit.as_ref().is_some_and(|hit| hit.start() >= end) {
            // Not ours, and nothing after it is.
            self.colon = end.saturating_add(SCHEME_RUN + 2);
        } else if let Some(hit) = hit {
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
        while let Some(colon) = self.anchors.next(text, from, colons_end) {
            from = colon + 1;
            if let Some(prefix) = extent::prefix_before(text, colon) {
                // The URL after it has a stretch of its own.
                spans.push(prefix..colon + 1 + PREFIX_BLANKS + SCHEME_RUN);
            }
            let Some(start) =
                extent::start(text, extent::word_before(text, colon), colon, self.judge.options.any_scheme, false)
            else {
                spans.extend(self.resolve(text, colon, &mut None).map(|hit| hit.start()..hit.end()));
                continue;
            };
            // The next hard stop, as far as this run may reach; every byte is looked at once.
            let reach = text.len().min(start.scheme + RUN_BYTES);
            stop = stop.max(colon);
            stop = (stop..reach).find(|&i| extent::is_hard_stop(text, i)).unwrap_or(stop.max(reach));
            // A run that ends within its line is cheap to bound; wrappers and joins are not.
            let bracket = text[..start.scheme].ends_with(b"<") || text[colon + 1..].starts_with(b"<");
            if bracket || bare::next_line(text, stop).is_some() {
                spans.extend(self.resolve(text, colon, &mut None).map(|hit| hit.start()..hit.end()));
            } else {
                spans.push(start.scheme..stop.min(reach));
            }
        }
        spans.sort_unstable_by_key(|span| span.start);
        spans
    }

    /// What begins at this colon, if it is a plain URL: what [`resolve`](Self::resolve) would say, at a glance.
    #[inline(always)]
    fn resolve_plain(&mut self, text: &[u8], colon: usize) -> Option<RawMatch> {
        if self.long.is_in_long_strip() {
            return None;
        }
        let found = plain::read(text, colon, &self.judge.options)?;
        #[cfg(debug_assertions)]
        {
            let mut refused = None;
            let full = self.clone().resolve(text, colon, &mut refused);
            let full = full.map(|Hit { first, rest }| (first, rest.is_empty(), refused));
            assert_eq!(full, Some((found.clone(), true, None)), "the fast lane and the rules differ");
        }
        Some(found)
    }

    /// What begins at this colon, whatever stands elsewhere: the earliest of wrapper, prefixed and bare URL.
    fn resolve(&mut self, text: &[u8], colon: usize, refused: &mut Option<(usize, Refusal)>) -> Option<Hit> {
        let word = extent::word_before(text, colon);
        match self.resolve_bracket(text, word.clone(), colon) {
            Some(Ok(hit)) => return Some(hit),
            Some(Err((_, Refusal::Dissolved))) | None => {}
            Some(Err(refusal)) => *refused = Some(refusal),
        }
        if let Some(prefix) = extent::prefix_before(text, colon)
            && let Some(first) = self.resolve_prefixed(text, prefix, colon)
        {
            return Some(Hit { first, rest: Seldom::new() });
        }
        if schemes::is_url(anchor::last_eight(text, colon)) && !text[colon + 1..].starts_with(b"//") {
            return None; // `URL:` announces, and is no scheme
        }
        let first = self.resolve_bare(text, word, colon, refused)?;
        Some(Hit { first, rest: Seldom::new() })
    }

    /// W-FORM-1, W-FORM-2: a `<` with `URL:` or a scheme right after it.
    fn resolve_bracket(
        &mut self,
        text: &[u8],
        word: Range<usize>,
        colon: usize,
    ) -> Option<Result<Hit, (usize, Refusal)>> {
        let open = word.start.checked_sub(1).filter(|&open| text[open] == b'<')?;
        let name = &text[word.clone()];
        let (kind, body) = if name.eq_ignore_ascii_case(b"URL") {
            (Kind::Wrapped, colon + 1)
        } else if self.is_announced(text, name, colon) {
            (Kind::Angle, word.start)
        } else {
            return None;
        };
        Some(match unwrap::unwrap(text, open, body, kind, &self.judge) {
            Ok(mut parts) => {
                let rest = parts.split_off(1).into();
                Ok(Hit { first: parts.swap_remove(0), rest })
            }
            Err(refusal) => Err((open, refusal)),
        })
    }

    /// A scheme that may follow `<` or `URL:`: one of K, or another known one with `//` (W-FORM-2, P-FORM-2).
    fn is_announced(&self, text: &[u8], name: &[u8], colon: usize) -> bool {
        schemes::is_k(name)
            || text[colon + 1..].starts_with(b"//")
                && (schemes::is_known(name) || self.judge.options.any_scheme && schemes::is_letter_led_word(name))
    }

    /// P-FORM-2: `URL:`, blanks, and a URL that 7.4 finds right there.
    fn resolve_prefixed(&mut self, text: &[u8], prefix: usize, colon: usize) -> Option<RawMatch> {
        let blanks = text[colon + 1..].iter().take(PREFIX_BLANKS + 1).take_while(|b| matches!(b, b' ' | b'\t')).count();
        let at = colon + 1 + blanks;
        let scheme = text[at..].iter().take(SCHEME_RUN).take_while(|&&b| schemes::is_scheme_byte(b)).count();
        let colon = at + scheme;
        if blanks > PREFIX_BLANKS || text.get(colon) != Some(&b':') || !self.is_announced(text, &text[at..colon], colon)
        {
            return None;
        }
        let mut found = self.resolve_bare(text, at..colon, colon, &mut None).filter(|found| found.start == at)?;
        found.start = prefix;
        found.kind = Kind::Prefixed;
        Some(found)
    }

    /// 7.4: the bare URL whose scheme ends at this colon.
    fn resolve_bare(
        &mut self,
        text: &[u8],
        word: Range<usize>,
        colon: usize,
        refused: &mut Option<(usize, Refusal)>,
    ) -> Option<RawMatch> {
        let options = self.judge.options;
        if self.long.hides(&word) {
            return None;
        }
        let Some(start) = extent::start(text, word.clone(), colon, options.any_scheme, false) else {
            // `http:` at the end of a line (B-JOIN, V0a): the `//` may follow below.
            let at_break = options.rejoin == Rejoin::Auto && bare::next_line(text, colon + 1).is_some();
            let start = at_break.then(|| extent::start(text, word, colon, false, true)).flatten()?;
            return self.resolve_broken_scheme(text, &start, colon + 1);
        };
        if let Some(found) = bare::read_angle_id(text, &start, &self.judge) {
            let free = self.long.standing(text, &start, colon + 1, &options) == long::Standing::Free;
            return free.then_some(found);
        }
        if self.opaque.rules_out(text, &start) {
            return None;
        }
        let Some(begun) = extent::begin(text, &start) else {
            return self.resolve_broken_scheme(text, &start, start.body());
        };
        // In a strip that is known to be long, ask before the run is read: all runs may be too long.
        let known = self.long.known_standing(text, &start, &options);
        if let Some(standing @ (long::Standing::TooLong | long::Standing::Hidden)) = known {
            *refused = refusal(standing, &start);
            return None;
        }
        let run = begun.finish(text, &start, options.iri);
        let standing = known.unwrap_or_else(|| self.long.standing(text, &start, run.end, &options));
        if standing != long::Standing::Free {
            *refused = refusal(standing, &start);
            return None;
        }
        let found = bare::read(text, &start, &run, &self.judge, &mut self.soft_breaks);
        if found.is_none() && !matches!(start.form, Form::Authority { .. }) {
            self.opaque.note_failure(text, &start, &run);
        }
        found
    }

    /// `http:` or `http://` at the end of a line (B-JOIN, V0a and V0b).
    fn resolve_broken_scheme(&mut self, text: &[u8], start: &Start, end: usize) -> Option<RawMatch> {
        let options = self.judge.options;
        if options.rejoin != Rejoin::Auto {
            return None;
        }
        let found = bare::read_broken_scheme(text, start, end, &self.judge)?;
        let free = self.long.standing(text, start, end, &options) == long::Standing::Free;
        free.then_some(found)
    }
}

/// What to tell of a candidate that B-MAX has something against: who is hidden by another is not told again.
fn refusal(standing: long::Standing, start: &Start) -> Option<(usize, Refusal)> {
    (standing == long::Standing::TooLong).then_some((start.scheme, Refusal::TooLong))
}

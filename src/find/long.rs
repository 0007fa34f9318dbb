//! B-MAX in linear time: which candidates of a long strip are too long.
//!
//! A *strip* is a stretch without hard stops (bytes that end every run). Only a strip of more than [`RUN_BYTES`] can
//! hold a run that is too long, so that ordinary text pays two byte look-ups here. In a long strip the ends of the
//! runs depend on brackets, lists and letters; reading each run from its start would be quadratic
//! (`http://a/(http://a/(…`). One sweep finds all that are too long instead: candidates whose run has not ended wait
//! in a queue, ordered by start.
//!
//! - A closer whose opener stands at `o` ends the runs that begin after `o`: the back of the queue. Without an opener
//!   it ends all.
//! - A list mark ends the runs that have not passed a `?` or `#`: the back of the queue too.
//! - A letter beyond ASCII ends all but those in whose host it stands.
//! - Escaped markup ends all: one that it does not end is quoted, and has an end that is near.
//! - A `'` that is not doubled ends the candidates that a `'` stands before, all of which began after the last such.
//! - A `[` ends those of mailto and news, which began after the `[` before.
//! - The candidate at the front is too long when the sweep is more than `RUN_BYTES` past its start.
//!
//! Each candidate enters and leaves once.

use std::collections::VecDeque;
use std::ops::Range;

use crate::bytes::letters;
use crate::bytes::limits::RUN_BYTES;
use crate::find::options::Options;
use crate::find::start::{self, SchemeForm, Start};
use crate::find::{extent, run};

/// The long strip at hand, and what the sweep has learnt of it. A memo: it holds facts about the text only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Long {
    /// The strip that was looked at last.
    strip: Range<usize>,
    sweep: Option<Sweep>,
}

/// What B-MAX says of the candidate that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// B-MAX has nothing against it.
    Free,
    /// It is too long, and no candidate that is too long begins in the `RUN_BYTES` before it.
    TooLong,
    /// It begins in the first `RUN_BYTES` of a candidate that is too long.
    Hidden,
}

impl Long {
    /// Asks about a candidate whose raw run ends at `end`.
    pub(crate) fn standing(&mut self, text: &[u8], start: &Start, end: usize, options: &Options) -> Standing {
        let at = start.scheme;
        let stops = |i: usize| i == text.len() || run::is_hard_stop(text, i);
        if (at == 0 || stops(at - 1)) && stops(end) && end - at <= RUN_BYTES {
            return Standing::Free;
        }
        if !self.strip.contains(&at) {
            self.enter(text, at, end);
        }
        self.known_standing(text, start, options).unwrap_or(Standing::Free)
    }

    /// Moves to the strip around `at`, which has no stop before `to`.
    fn enter(&mut self, text: &[u8], at: usize, to: usize) {
        if !self.strip.is_empty() && self.strip.end <= at {
            let end = stop_after(text, self.strip.end, at);
            if end > at {
                // The same strip, further on: what the sweep has learnt still holds.
                self.strip.end = end;
                return;
            }
        }
        self.strip = strip(text, at, to);
        self.sweep = None;
    }

    /// The same without reading the run, if the candidate lies in the strip that was asked about last and that is long.
    pub(crate) fn known_standing(&mut self, text: &[u8], start: &Start, options: &Options) -> Option<Standing> {
        if !self.strip.contains(&start.scheme) || self.strip.len() <= RUN_BYTES {
            return None;
        }
        if !options.iri && is_among_letters(text, start) {
            return Some(Standing::Free);
        }
        Some(self.ask(text, start.scheme, options))
    }

    /// True if a long strip was swept: what it has learnt may matter.
    pub(crate) fn is_in_long_strip(&self) -> bool {
        self.sweep.is_some()
    }

    /// True if every start in `starts` is hidden by a candidate that is known to be too long. False decides nothing.
    pub(crate) fn hides(&self, starts: &Range<usize>) -> bool {
        let known = self.sweep.as_ref().and_then(|sweep| sweep.too_long.front());
        known.is_some_and(|&start| start < starts.start && starts.end - start < RUN_BYTES)
    }

    fn ask(&mut self, text: &[u8], at: usize, options: &Options) -> Standing {
        let from = self.strip.start.max((at + 1).saturating_sub(RUN_BYTES));
        let sweep = match &mut self.sweep {
            Some(sweep) if sweep.asked <= at && from <= sweep.at => sweep,
            other => other.insert(Sweep::new(from)),
        };
        sweep.asked = at;
        sweep.run_to(text, at + RUN_BYTES + 1, options);
        // Keep the last two at or before the question: the candidate itself may be the last.
        while sweep.too_long.get(2).is_some_and(|&start| start <= at) {
            sweep.too_long.pop_front();
        }
        let near = |start: &&usize| at - **start < RUN_BYTES;
        let before = sweep.too_long.iter().take_while(|&&start| start < at).last();
        match before.filter(near) {
            Some(_) => Standing::Hidden,
            None if sweep.too_long.iter().find(|&&start| start >= at) == Some(&at) => Standing::TooLong,
            None => Standing::Free,
        }
    }
}

/// True if letters beyond ASCII, near on either side, end every run that could make a candidate too long or hide it.
/// False decides nothing.
///
/// A letter ends the runs that do not have it in their host, and a host holds no `/`. So a letter shortly before the
/// candidate, with a `/` before that letter, ends the runs of all that begin further away, but for one whose `//` that
/// is; and a letter shortly after the candidate, with a `/` between, ends the run of that one, and of all that begin
/// near. Text in scripts without spaces is made of such strips.
fn is_among_letters(text: &[u8], start: &Start) -> bool {
    const NEAR: usize = 64;
    let is_letter = |at: usize| letters::decode(text, at).is_some_and(|(c, _)| !c.is_ascii() && letters::is_letter(c));
    let before = start.scheme.saturating_sub(NEAR)..start.scheme;
    if text[before.clone()].is_ascii() {
        return false; // at once, in text that has no such letters
    }
    let after = start.body()..text.len().min(start.body() + NEAR);
    let letter_before = before.clone().rev().find(|&at| is_letter(at));
    let slash_after = after.clone().find(|&at| text[at] == b'/');
    letter_before.is_some_and(|letter| text[before.start..letter].contains(&b'/'))
        && slash_after.is_some_and(|slash| (slash..after.end).any(is_letter))
}

/// The strip around `at`, which has no stop before `to`: exact where it is short, cut where it is certainly long.
fn strip(text: &[u8], at: usize, to: usize) -> Range<usize> {
    let from = at.saturating_sub(RUN_BYTES);
    let start = (from..at).rev().find(|&i| run::is_hard_stop(text, i)).map_or(from, |i| i + 1);
    start..stop_after(text, to, at)
}

/// The first hard stop at or after `from`, looked for as far as two runs after `at`.
fn stop_after(text: &[u8], from: usize, at: usize) -> usize {
    let ceiling = text.len().min(at + 2 * RUN_BYTES);
    run::hard_stop(text, from, ceiling).unwrap_or(ceiling)
}

/// A candidate whose run has not ended yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    /// Brackets count from here on.
    body: usize,
    authority_end: usize,
    /// mailto or news without `//`.
    is_opaque: bool,
}

#[derive(Clone, Debug)]
struct Sweep {
    /// The next byte to look at.
    at: usize,
    /// The last question; questions do not go back.
    asked: usize,
    open: VecDeque<Open>,
    /// Positions of the openers that wait for their closer, by kind.
    brackets: [Vec<usize>; 3],
    /// The last `?` or `#`.
    query: usize,
    /// After the last `'` that is not doubled.
    quote: usize,
    /// After the last `[` that ends runs of mailto and news.
    square: usize,
    /// Starts of the candidates that are too long, in order.
    too_long: VecDeque<usize>,
}

impl Sweep {
    fn new(at: usize) -> Sweep {
        Sweep {
            at,
            asked: at,
            open: VecDeque::new(),
            brackets: Default::default(),
            query: 0,
            quote: 0,
            square: 0,
            too_long: VecDeque::new(),
        }
    }

    fn run_to(&mut self, text: &[u8], to: usize, options: &Options) {
        let to = to.min(text.len());
        while self.at < to {
            self.at += run::plain_run(&text[self.at..to]);
            self.note_too_long();
            if self.at < to {
                self.at += self.step(text, self.at, options);
                self.note_too_long();
            }
        }
    }

    /// The bytes before `at` belong to every run that they did not end.
    fn note_too_long(&mut self) {
        while self.open.front().is_some_and(|first| self.at - first.start > RUN_BYTES) {
            self.too_long.extend(self.open.pop_front().map(|first| first.start));
        }
    }

    /// Takes in the character at `at`; returns its length.
    fn step(&mut self, text: &[u8], at: usize, options: &Options) -> usize {
        if run::is_hard_stop(text, at) {
            self.open.clear();
            return 1;
        }
        match text[at] {
            b':' => self.open_candidate(text, at, options),
            b'?' | b'#' => self.query = at,
            b')' | b']' | b'}' => {
                let opener = self.brackets[run::bracket_kind(text[at])].pop();
                while self.open.back().is_some_and(|last| opener.is_none_or(|opener| last.body > opener)) {
                    self.open.pop_back();
                }
            }
            b @ (b',' | b';' | b'[' | b'(' | b'{') => {
                if run::begins_list_item(text, at) {
                    while self.open.back().is_some_and(|last| last.authority_end > self.query) {
                        self.open.pop_back();
                    }
                }
                if run::ends_opaque(text, at) {
                    self.end_recent(self.square, |open| open.is_opaque);
                    self.square = at + 1;
                }
                if matches!(b, b'[' | b'(' | b'{') {
                    self.push_bracket(run::bracket_kind(b), at);
                }
            }
            b'&' if run::begins_markup(text, at) => self.open.clear(),
            b'\'' if run::is_doubled(text, at) => return 2,
            b'\'' => {
                self.end_recent(self.quote, |open| text[..open.start].ends_with(b"'"));
                self.quote = at + 1;
            }
            0x80.. => {
                let letter = letters::decode(text, at).filter(|(c, _)| letters::is_letter(*c));
                match letter {
                    Some((_, len)) if options.iri => return len,
                    // One that has it in its host goes on: one candidate at most, so that this is linear.
                    _ => self.open.retain(|open| open.authority_end > at),
                }
                return letter.map_or(1, |(_, len)| len);
            }
            _ => {}
        }
        1
    }

    /// Takes out those that began at or after `since` and of which `ends` holds. Each candidate is looked at once, if the next
    /// call asks about those since this one.
    fn end_recent(&mut self, since: usize, ends: impl Fn(&Open) -> bool) {
        let from = self.open.partition_point(|open| open.start < since);
        let recent = self.open.split_off(from);
        self.open.extend(recent.into_iter().filter(|open| !ends(open)));
    }

    fn push_bracket(&mut self, kind: usize, at: usize) {
        let openers = &mut self.brackets[kind];
        if openers.len() > 4 * RUN_BYTES {
            // Openers before the oldest open candidate act like none at all.
            let old = openers.partition_point(|&opener| opener + 2 * RUN_BYTES < at);
            openers.drain(..old);
        }
        openers.push(at);
    }

    fn open_candidate(&mut self, text: &[u8], colon: usize, options: &Options) {
        let Some(start) = start::start(text, start::word_before(text, colon), colon, options.any_scheme, false) else {
            return;
        };
        let before = text[..start.scheme].last().copied();
        let Some(extent::Begun { run, goes_on, .. }) = extent::begin(text, &start, before) else { return };
        if goes_on || run.is_too_long(&start) {
            self.open.push_back(Open {
                start: start.scheme,
                body: start.body(),
                authority_end: run.authority_end,
                is_opaque: !matches!(start.form, SchemeForm::Authority { .. }),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turns::turns;

    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "http://a.example/", "http://a.example/", "'http://a.example/", "news:", "'news:", "mailto:", "]", "(", ")", "{",
        "}", "'", "''", "?", "#", ",http://a.example/", ";", "&lt;", "\u{e9}", "@",
    ];

    /// What the sweep says of every candidate of a long strip is what reading its run, and those before it, says. But for
    /// brackets before which a run ends: it is not read to where it would end without them.
    #[test]
    fn as_if_each_run_was_read() {
        let mut rng = fastrand::Rng::with_seed(65_536);
        let (mut refused, mut free) = (0, 0);
        for _ in 0..turns(100) {
            let mut unit: String = (0..rng.usize(1..9)).map(|_| *rng.choice(PARTS).expect("some")).collect();
            unit.push_str(&"x".repeat(rng.usize(200..2_000)));
            let text = unit.repeat(3 * RUN_BYTES / unit.len());
            let text = text.as_bytes();
            let options = Options { iri: rng.u8(..4) == 0, ..Options::default() };
            let (mut long, mut too_long) = (Long::default(), None);
            for colon in memchr::memchr_iter(b':', text) {
                let word = start::word_before(text, colon);
                let Some(start) = start::start(text, word, colon, options.any_scheme, false) else { continue };
                let before = text[..start.scheme].last().copied();
                let Some(run) = extent::read(text, &start, before, options.iri) else { continue };
                let expected = match too_long {
                    Some(first) if start.scheme - first < RUN_BYTES => Standing::Hidden,
                    _ if run.is_too_long(&start) => Standing::TooLong,
                    _ => Standing::Free,
                };
                if run.is_too_long(&start) {
                    too_long = Some(start.scheme);
                }
                *if expected == Standing::Free { &mut free } else { &mut refused } += 1;
                let standing = long.standing(text, &start, run.full_end, &options);
                assert_eq!(standing, expected, "{unit:?} at {}, iri {}", start.scheme, options.iri);
            }
        }
        assert!(refused > 300 && free > 1_000, "{refused} refused, {free} free");
    }
}

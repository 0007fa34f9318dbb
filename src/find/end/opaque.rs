//! Avoids rescans for mailto, news, and other schemes of addresses without `//`, such as sip. Text
//! such as `mailto:mailto:mailto:…` must take linear time (ST-2).
//!
//! Schemes with `//` need no help. An authority holds no `/`, so only one candidate reads it.
//! Without `//`, a candidate may begin at every colon of a run, and all may fail at the run's end.
//! This cache predicts such failures in constant time, from facts about the text:
//!
//! - a candidate needs an `@`. For a news group that begins with a letter, a `.` also suffices;
//! - a candidate inside the last run ends no later than that run;
//! - if B-END trimmed everything after the needed byte, it does so for every similar candidate of
//!   the run. Similar candidates need the same byte. They have the same class of byte before them,
//!   and the same parity of apostrophes. B-END reads nothing else to the left.

use std::ops::Range;

use crate::find::end::delimiter::Preceding;
use crate::find::end::extent::RawRun;
use crate::find::end::run;
use crate::find::schemes::OpaqueForm;
use crate::find::start::{SchemeForm, Start};
use crate::find::text::view::View;

/// The bytes that a candidate needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// mailto and the like: an `@` with something after it (B-MAIL).
    Address,
    /// news: an `@`, which may be the last byte (B-NEWS).
    Article,
    /// news, with a letter first: an `@` or a `.` (B-NEWS).
    Group,
}

/// The properties that candidates share if they fail for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FailureSort {
    need: Need,
    /// The class of the byte before the candidate (see [`context`]).
    context: u8,
    /// The number of apostrophes, modulo 2.
    parity: usize,
}

/// The run of a failed candidate, and the reason for the failure.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    sort: FailureSort,
    run: Range<usize>,
    /// The place of the needed byte in the run. B-END trimmed everything after it.
    needed: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Opaque {
    stop: NextPlace,
    reference: NextPlace,
    at: NextPlace,
    dot: NextPlace,
    last: Range<usize>,
    /// The last failure of each sort, 30 at most. Most texts have none.
    failures: Vec<Failure>,
    quotes: Quotes,
}

impl Opaque {
    /// Returns whether the candidate is certainly invalid. False means unknown.
    pub(crate) fn rules_out(&mut self, text: &View<'_>, start: &Start) -> bool {
        let Some((need, from)) = need(text, start) else { return false };
        let stop = self.stop(text, start);
        let needed = self.needed(text, need, from);
        if needed >= stop || self.last.contains(&start.scheme) && needed >= self.last.end {
            return true;
        }
        let context = context(text, start);
        let Opaque { failures, quotes, .. } = self;
        failures.iter().any(|Failure { sort, run, needed: failed }| {
            (sort.need, sort.context, *failed) == (need, context, needed)
                && run.contains(&start.scheme)
                && quotes.parity(text, start.scheme..run.end) == sort.parity
        })
    }

    /// Returns the first place in the body at which every run ends, or the farthest end of a run.
    pub(crate) fn stop(&mut self, text: &View<'_>, start: &Start) -> usize {
        let stop = self.stop.find(text, start.body(), |end, at| run::hard_stop(text, at, end));
        text.upto(stop + 1);
        stop
    }

    /// Returns the place of the first `&#` in the body before `stop`. It may begin a character
    /// reference for the byte that a candidate needs (B-ENT).
    pub(crate) fn reference(&mut self, text: &View<'_>, start: &Start, stop: usize) -> Option<usize> {
        let find = |end: usize, at: usize| memchr::memmem::find(&text[at..end], b"&#").map(|found| at + found);
        Some(self.reference.find(text, start.body(), find)).filter(|&at| at < stop)
    }

    /// Records that the candidate with this run is not a URL.
    pub(crate) fn note_failure(&mut self, text: &View<'_>, start: &Start, run: &RawRun) {
        let Some((need, from)) = need(text, start) else { return };
        let run = start.scheme..run.end;
        let needed = self.needed(text, need, from);
        if needed < run.end {
            let parity = self.quotes.parity(text, run.clone());
            let sort = FailureSort { need, context: context(text, start), parity };
            self.failures.retain(|failure| failure.sort != sort);
            self.failures.push(Failure { sort, run: run.clone(), needed });
        }
        self.last = run;
    }

    fn needed(&mut self, text: &[u8], need: Need, from: usize) -> usize {
        let find = |byte| move |end: usize, at: usize| memchr::memchr(byte, &text[at..end]).map(|i| at + i);
        let at = self.at.find(text, from, find(b'@'));
        match need {
            Need::Address | Need::Article => at,
            Need::Group => at.min(self.dot.find(text, from, find(b'.'))),
        }
    }
}

/// Returns the byte that the candidate needs, and the place where the search for it begins. Returns
/// `None` if no failure can be predicted. This is the case for other schemes, for a `news:*` that
/// may be a whole URL, and after a delimiter. After a delimiter, each candidate has its own run.
fn need(text: &View<'_>, start: &Start) -> Option<(Need, usize)> {
    let body = start.body();
    if Preceding::at(text, start.scheme).is_open() {
        return None;
    }
    match (start.form, text.get(body)) {
        (SchemeForm::Authority { .. } | SchemeForm::Name, _) => None,
        (SchemeForm::Opaque(OpaqueForm::Address), _) => Some((Need::Address, body + 1)),
        (SchemeForm::Opaque(_), _) => None,
        (SchemeForm::News, Some(b'*')) => {
            // B-END may trim everything after the `*`. The first byte that it does not trim
            // decides.
            let marks = text[body + 1..].iter().take_while(|&b| b".,;:!?'([{*".contains(b)).count();
            let stays = body + 1 + marks;
            let ends = |at| run::ends_opaque(text, at) || run::begins_list_item(text, at);
            let goes_on = text.get(stays)?.is_ascii_alphanumeric() && !(body + 1..stays).any(ends);
            goes_on.then_some((Need::Article, body + 1))
        }
        (SchemeForm::News, Some(b)) if b.is_ascii_alphabetic() => Some((Need::Group, body + 1)),
        (SchemeForm::News, _) => Some((Need::Article, body + 1)),
        (SchemeForm::Mailto, _) => Some((Need::Address, body + 1)),
    }
}

/// Returns the class of the byte before a URL. B-END does not distinguish the bytes of a class.
fn context(text: &[u8], start: &Start) -> u8 {
    match text[..start.scheme].last() {
        Some(b'`') => 1,
        Some(b'*') => 2,
        Some(b'_') => 3,
        Some(b'~') => 4,
        _ => 0,
    }
}

/// A cached search. No place was found in `from..at`. If `found` is true, `at` is the first place
/// found.
#[derive(Clone, Debug, Default)]
struct NextPlace {
    from: usize,
    at: usize,
    found: bool,
}

impl NextPlace {
    /// The number of bytes that are searched beyond the reach of a run. The next runs can use the
    /// cached result.
    const AHEAD: usize = 4096;

    /// Returns the first place at or after `from` that `search` finds. The result is at most the
    /// farthest end of a run, and of the text. `search(end, at)` searches `at..end`.
    fn find(&mut self, text: &[u8], from: usize, search: impl Fn(usize, usize) -> Option<usize>) -> usize {
        if !(self.from..=self.at).contains(&from) {
            *self = NextPlace { from, at: from, found: false };
        }
        let reach = reach(from);
        if !self.found && self.at < text.len().min(reach) {
            let end = text.len().min(reach + Self::AHEAD);
            let found = search(end, self.at);
            self.found = found.is_some();
            self.at = found.unwrap_or(end);
        }
        self.at.min(text.len().min(reach))
    }
}

/// Returns the farthest end of a run that is read from `from` on.
fn reach(from: usize) -> usize {
    from + crate::bytes::limits::RUN_BYTES + 1
}

/// Counts apostrophes in ranges with the same end and growing starts. Reads each byte at most
/// twice.
#[derive(Clone, Debug, Default)]
struct Quotes {
    range: Range<usize>,
    count: usize,
}

impl Quotes {
    fn parity(&mut self, text: &[u8], range: Range<usize>) -> usize {
        let count = |range: Range<usize>| memchr::memchr_iter(b'\'', &text[range]).count();
        if self.range.end != range.end || self.range.start > range.start {
            self.count = count(range.clone());
        } else {
            self.count -= count(self.range.start..range.start);
        }
        self.range = range;
        self.count % 2
    }
}

//! What begins at a colon by the rules: the earliest of wrapper, prefixed and bare URL.

use std::ops::Range;

use crate::bytes::limits::{PREFIX_BLANKS, RUN_BYTES, SCHEME_RUN};
use crate::find::anchor::Candidate;
use crate::find::bare::{self, Bare};
use crate::find::escaped::{self, Unescaped};
use crate::find::join::JoinMemo;
use crate::find::judge::Judge;
use crate::find::long::{Long, Standing};
use crate::find::matches::{Escapes, Hit, Kind, Pieces, PutOff, RawMatch, Refusal};
use crate::find::opaque::Opaque;
use crate::find::options::Options;
use crate::find::roff::RoffMemo;
use crate::find::start::{self, SchemeForm, Start};
use crate::find::{extent, lines, schemes, unwrap};

/// The rules, and what they remember of the text (ST-2).
#[derive(Clone, Debug)]
pub(crate) struct Resolver {
    pub(crate) judge: Judge,
    opaque: Opaque,
    long: Long,
    pub(super) join_memo: JoinMemo,
    roff: RoffMemo,
    /// The last stretch with escapes, and what its candidates without `//` showed.
    unescaped: (Unescaped, Opaque),
}

impl Resolver {
    pub(crate) fn new(options: Options) -> Resolver {
        Resolver {
            judge: Judge { options },
            opaque: Opaque::default(),
            long: Long::default(),
            join_memo: JoinMemo::default(),
            roff: RoffMemo::default(),
            unescaped: Default::default(),
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.judge.options
    }

    /// True if B-MAX may have a say at the next colon.
    pub(crate) fn is_in_long_strip(&self) -> bool {
        self.long.is_in_long_strip()
    }

    /// True if it is remembered that nothing begins at the colon of a bare mailto or news. False decides nothing.
    pub(crate) fn is_known_to_fail(&self, text: &[u8], candidate: Candidate) -> bool {
        let Candidate { colon, word } = candidate;
        let Some((length, _)) = schemes::opaque_before_colon(word) else { return false };
        let scheme = colon - length;
        let is_apart = text[..scheme].last().is_none_or(|&before| before != b'<' && !schemes::is_scheme_byte(before));
        is_apart && self.opaque.is_known_to_fail(text, &Start::new(text, scheme, colon))
    }

    /// What begins at this colon, whatever stands elsewhere: the earliest of wrapper, prefixed and bare URL. A prefixed or
    /// bare one that starts before `from` is not wanted.
    pub(crate) fn resolve(
        &mut self,
        text: &[u8],
        candidate: Candidate,
        from: usize,
        refused: &mut Option<(usize, Refusal)>,
    ) -> Option<Hit> {
        let colon = candidate.colon;
        let word = start::word_before(text, colon);
        match self.resolve_bracket(text, word.clone(), colon) {
            Some(Ok(hit)) => return Some(hit),
            Some(Err((_, Refusal::Dissolved))) | None => {}
            Some(Err(refusal)) => *refused = Some(refusal),
        }
        if let Some(prefix) = start::prefix_before(text, colon).filter(|&prefix| prefix >= from)
            && let Some(first) = self.resolve_prefixed(text, prefix, colon, from)
        {
            return Some(Hit { first, rest: Box::default() });
        }
        if schemes::is_url(candidate.word) && !start::slashes_follow(text, colon) {
            return None; // `URL:` announces, and is no scheme
        }
        let first = self.resolve_bare(text, word, colon, from, refused)?;
        Some(Hit { first, rest: Box::default() })
    }

    /// W-FORM-1, W-FORM-2: a `<` with `URL:` or a scheme right after it.
    fn resolve_bracket(
        &mut self,
        text: &[u8],
        word: Range<usize>,
        colon: usize,
    ) -> Option<Result<Hit, (usize, Refusal)>> {
        let (open, body, kind) = self.bracket(text, word, colon)?;
        Some(unwrap::unwrap(text, open, body, kind, &self.judge).map_err(|refusal| (open, refusal)))
    }

    /// The bracket before this colon, where its body begins, and what it is.
    pub(super) fn bracket(&self, text: &[u8], word: Range<usize>, colon: usize) -> Option<(usize, usize, Kind)> {
        let open = word.start.checked_sub(1).filter(|&open| text[open] == b'<')?;
        let name = &text[word.clone()];
        if name.eq_ignore_ascii_case(b"URL") {
            Some((open, colon + 1, Kind::Wrapped)) // W-WS-3: one `URL:`, and no more
        } else {
            self.is_announced(text, name, colon).then_some((open, word.start, Kind::Angle))
        }
    }

    /// A scheme that may follow `<` or `URL:`: one of K, or another known one with `//` (W-FORM-2, P-FORM-2).
    fn is_announced(&self, text: &[u8], name: &[u8], colon: usize) -> bool {
        schemes::is_k(name)
            || text[colon + 1..].starts_with(b"//")
                && (schemes::is_known(name) || self.judge.options.any_scheme && schemes::is_letter_led_word(name))
    }

    /// P-FORM-2: `URL:`, blanks, and a URL that 7.4 finds right there, with the end that it finds (P-FORM-3).
    fn resolve_prefixed(&mut self, text: &[u8], prefix: usize, colon: usize, from: usize) -> Option<RawMatch> {
        let scheme = self.prefixed(text, colon)?;
        let Range { start: at, end: colon } = scheme;
        let mut found = self.resolve_bare(text, scheme, colon, from, &mut None).filter(|found| found.start == at)?;
        found.start = prefix;
        found.kind = Kind::Prefixed;
        Some(found)
    }

    /// The scheme after `URL:` and blanks; a colon follows it.
    pub(super) fn prefixed(&self, text: &[u8], colon: usize) -> Option<Range<usize>> {
        let blanks = text[colon + 1..].iter().take(PREFIX_BLANKS + 1).take_while(|b| matches!(b, b' ' | b'\t')).count();
        let at = colon + 1 + blanks;
        let length = text[at..].iter().take(SCHEME_RUN).take_while(|&&b| schemes::is_scheme_byte(b)).count();
        let colon = at + length;
        let is_scheme = blanks <= PREFIX_BLANKS
            && text.get(colon) == Some(&b':')
            && self.is_announced(text, &text[at..colon], colon);
        is_scheme.then_some(at..colon)
    }

    /// 7.4: the bare URL whose scheme ends at this colon.
    fn resolve_bare(
        &mut self,
        text: &[u8],
        word: Range<usize>,
        colon: usize,
        from: usize,
        refused: &mut Option<(usize, Refusal)>,
    ) -> Option<RawMatch> {
        let options = self.judge.options;
        if self.long.hides(&word) {
            return None;
        }
        let Some(start) = start_in(text, &word, colon, &options, &mut self.roff) else {
            // `http:` at the end of a line (B-JOIN-V0A): the `//` may follow below.
            let at_break = options.joins_bare() && lines::next_line(text, colon + 1).is_some();
            let start = at_break.then(|| start::start(text, word, colon, false, true)).flatten()?;
            return self.resolve_broken_scheme(text, &start, colon + 1, from);
        };
        let bare = Bare { text, start: &start, judge: &self.judge };
        if let Some(found) = bare.read_angle_id() {
            let free = self.long.standing(text, &start, colon + 1, &options) == Standing::Free;
            return free.then_some(found);
        }
        if escaped::is_slashed(text, &start) {
            return self.resolve_escaped(text, &start, Escapes::Slashed, refused);
        }
        if self.opaque.rules_out(text, &start) {
            let stop = self.opaque.stop(text, &start);
            let escapes = Escapes::after_stop(text, start.scheme, stop, &mut self.roff)?;
            return self.resolve_escaped(text, &start, escapes, refused);
        }
        let Some(begun) = extent::begin(text, &start, bare.before()) else {
            if let Some(escapes) = Escapes::in_authority(text, &start, &mut self.roff) {
                return self.resolve_escaped(text, &start, escapes, refused);
            }
            return self.resolve_broken_scheme(text, &start, start.body(), from);
        };
        // In a strip that is known to be long, ask before the run is read: all runs may be too long.
        let known = self.long.known_standing(text, &start, &options);
        if let Some(standing @ (Standing::TooLong | Standing::Hidden)) = known {
            *refused = refusal(standing, &start);
            return None;
        }
        let run = begun.finish(text, &start, options.iri);
        let standing = known.unwrap_or_else(|| self.long.standing(text, &start, run.full_end, &options));
        if standing != Standing::Free {
            *refused = refusal(standing, &start);
            return None;
        }
        let opaque = &mut self.opaque;
        let stop = || Some(opaque.stop(text, &start)).filter(|&stop| stop < text.len().min(start.scheme + RUN_BYTES));
        if let Some(escapes) = Escapes::after_run(text, &start, &run, stop, &mut self.roff) {
            return self.resolve_escaped(text, &start, escapes, refused);
        }
        // In `nntp://svn+ssh://…⏎…` the match is `nntp://svn`, and what it hides may be weighed over sixteen lines: each match
        // could do that to the next.
        if start.scheme < from {
            return None;
        }
        let found = bare.read(&run, &mut self.join_memo);
        if found.is_none() && !matches!(start.form, SchemeForm::Authority { .. }) {
            self.opaque.note_failure(text, &start, &run);
        }
        found
    }

    /// B-JSON, B-ROFF: the bare URL in whose run escapes count.
    #[cold]
    fn resolve_escaped(
        &mut self,
        text: &[u8],
        start: &Start,
        escapes: Escapes,
        refused: &mut Option<(usize, Refusal)>,
    ) -> Option<RawMatch> {
        let (unescaped, opaque) = &mut self.unescaped;
        if !unescaped.covers(text, start.scheme, escapes) {
            unescaped.read(text, start.scheme, escapes, false);
            *opaque = Opaque::default();
        }
        if unescaped.is_too_long(start.scheme) {
            *refused = Some((start.scheme, Refusal::TooLong));
            return None;
        }
        if unescaped.is_regular_expression(text) {
            return None;
        }
        let inner = unescaped.start(start)?;
        if opaque.rules_out(unescaped.bytes(), &inner) {
            return None;
        }
        let bare = Bare { text: unescaped.bytes(), start: &inner, judge: &self.judge };
        let run = extent::read(bare.text, bare.start, bare.before(), self.judge.options.iri)?;
        if run.url_end(bare.text, bare.start).is_none() {
            opaque.note_failure(bare.text, bare.start, &run);
            return None;
        }
        if bare.line_below(&run).is_some() {
            unescaped.read(text, start.scheme, escapes, true);
            *opaque = Opaque::default();
            return bare::read_escaped(unescaped, start, &self.judge, false);
        }
        let found = bare.read(&run, &mut JoinMemo::default())?;
        Some(unescaped.matched(found))
    }

    /// `http:` or `http://` at the end of a line (B-JOIN-V0A, B-JOIN-V0B).
    fn resolve_broken_scheme(&mut self, text: &[u8], start: &Start, end: usize, from: usize) -> Option<RawMatch> {
        let options = self.judge.options;
        if !options.joins_bare() || start.scheme < from {
            return None;
        }
        let found = Bare { text, start, judge: &self.judge }.read_broken_scheme(end, &mut self.join_memo)?;
        let free = self.long.standing(text, start, end, &options) == Standing::Free;
        free.then_some(found)
    }
}

/// The readings of a match that were put off. `text` is the window in which it was found.
pub(crate) fn more_readings(text: &[u8], found: &RawMatch, options: Options) -> Box<[Pieces]> {
    match found.put_off {
        PutOff::Nothing => Box::default(),
        PutOff::OfBare(escapes) => bare::more_readings(text, found, escapes, options),
        PutOff::OfBody(open) => unwrap::more_readings(text, found, open, options).into(),
    }
}

/// Where the URL begins whose scheme ends at this colon.
pub(super) fn start_in(
    text: &[u8],
    word: &Range<usize>,
    colon: usize,
    options: &Options,
    roff: &mut RoffMemo,
) -> Option<Start> {
    let start_in = |word| start::start(text, word, colon, options.any_scheme, false);
    let after_font = escaped::after_font(text, word, roff);
    after_font.and_then(start_in).or_else(|| start_in(word.clone()))
}

/// What to report of a candidate that B-MAX has something against: one that another hides is not reported again.
fn refusal(standing: Standing, start: &Start) -> Option<(usize, Refusal)> {
    (standing == Standing::TooLong).then_some((start.scheme, Refusal::TooLong))
}

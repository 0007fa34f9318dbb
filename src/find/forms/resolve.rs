//! The match that begins at a colon: the earliest of wrapper, prefixed and bare URL.

use std::ops::Range;

use crate::bytes::limits::{PREFIX_BLANKS, RUN_BYTES, SCHEME_RUN};
use crate::bytes::logical::Logical;
use crate::bytes::pieces::{Literal, UrlPiece};
use crate::find::end::ahead;
use crate::find::end::opaque::Opaque;
use crate::find::end::sheet::{self, LastLine};
use crate::find::end::trim;
use crate::find::forms::bare::{Bare, with_alternative};
use crate::find::forms::judge::Judge;
#[cfg(feature = "domain")]
use crate::find::forms::names;
use crate::find::forms::reread::{OfLayer, reread};
use crate::find::forms::unescape::{self, Unescaped, with_references};
use crate::find::forms::{refang, refused, wrapped};
use crate::find::matches::{Hit, Kind, Pieces, RawMatch, Reading, Refusal, Rest};
use crate::find::options::Options;
use crate::find::schemes;
use crate::find::start::{self, Candidate, SchemeForm, Start};
use crate::find::text::layers::hyphen::HYPHEN;
use crate::find::text::layers::rows::Rows;
use crate::find::text::layers::{Mapping, continuation, edge, hyphen, terminal};
use crate::find::text::lines;
use crate::find::text::view::View;
use crate::find::why::{ReasonKind, Ruling, Trace, words_in, words_of};

/// The rules, and their caches of facts about the text (ST-2).
#[derive(Clone, Debug)]
pub(crate) struct Resolver {
    pub(crate) judge: Judge,
    opaque: Opaque,
    last_line: LastLine,
    /// The last stretch of each [`Mapping`], and the cache for its candidates without `//`. The
    /// list is empty at first, because most texts have no escapes, and each message needs a
    /// resolver.
    unescaped: Vec<(Unescaped, Opaque)>,
    /// The last rows of a screen, and the rules on their text.
    pub(super) rows: Option<Box<(Rows, Resolver)>>,
}

/// A match if there is one, or a refusal: its place and its reason.
pub(crate) type Resolved<T> = Result<Option<T>, (usize, Refusal)>;

impl Resolver {
    pub(crate) fn new(options: Options) -> Resolver {
        Resolver {
            judge: Judge { options },
            opaque: Opaque::default(),
            last_line: LastLine::default(),
            unescaped: Vec::new(),
            rows: None,
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.judge.options
    }

    /// Returns the match that begins at this colon, or at the dot or slash of a name (B-WWW,
    /// B-NAME), whatever matches elsewhere. The match is the earliest of wrapper, prefixed and bare
    /// URL. A prefixed or bare URL that starts before `from` is skipped. A bracket that was refused
    /// is recorded in `refused`. The view decides which readings are made ([`View::with_rest`]).
    ///
    /// # Errors
    ///
    /// Returns an error if a bare URL is too long (B-MAX). By this rule, no URL starts in its first
    /// [`RUN_BYTES`].
    pub(crate) fn resolve(
        &mut self,
        text: &View<'_>,
        candidate: Candidate,
        from: usize,
        refused: &mut Option<(usize, Refusal)>,
    ) -> Resolved<Hit> {
        if let Some(columns) = self.options().rows() {
            return self.resolve_rows(text, candidate, from, refused, columns);
        }
        let colon = candidate.colon;
        #[cfg(feature = "domain")]
        if matches!(text.get(colon), Some(b'.' | b'/')) {
            let first = names::read(text, colon, from, &self.judge, &mut self.last_line);
            return Ok(first.map(|first| Hit::of_one(first, colon)));
        }
        start::look_ahead(text, colon);
        let word = start::word_before(text, colon);
        if let Some((open, kind)) = self.bracket(text, word.clone(), colon) {
            match wrapped::read(text, open, colon, kind, &self.judge) {
                Ok(hit) => return Ok(Some(hit.found_at(colon))),
                Err(Refusal::Dissolved) => {}
                Err(refusal) => *refused = Some((open, refusal)),
            }
        }
        if let Some(prefix) = start::prefix_before(text, colon).filter(|&prefix| prefix >= from)
            && let Some(first) = self.resolve_prefixed(text, prefix, colon)
        {
            return Ok(Some(Hit::of_one(first, colon)));
        }
        if schemes::is_url(candidate.word) && !start::slashes_follow(text, colon) {
            return Ok(None); // `URL:` announces a scheme, but is not a scheme
        }
        let found = self.resolve_bare(text, word.clone(), colon, from)?;
        let found = match self.options().candidates {
            true => found.or_else(|| self.refused(text, &word, colon, from)),
            false => found,
        };
        Ok(found.map(|first| Hit::of_one(first, colon)))
    }

    /// Returns the candidate at this colon, if its host is a placeholder or defanged (B-NOHOST).
    fn refused(&self, text: &View<'_>, word: &Range<usize>, colon: usize, from: usize) -> Option<RawMatch> {
        let start = start_in(text, word, colon, self.options()).filter(|start| start.scheme >= from)?;
        refused::candidate(text, &start, self.options().any_scheme)
    }

    /// Returns whether a bracket opens before this colon.
    pub(crate) fn has_bracket(&self, text: &[u8], colon: usize) -> bool {
        self.bracket(&View::whole(text), start::word_before(text, colon), colon).is_some()
    }

    /// Returns the bracket before this colon, with `URL:` or a scheme right after it (W-FORM-1,
    /// W-FORM-2).
    fn bracket(&self, text: &View<'_>, word: Range<usize>, colon: usize) -> Option<(usize, Kind)> {
        let open = word.start.checked_sub(1).filter(|&open| text[open] == b'<')?;
        let name = &text[word];
        if name.eq_ignore_ascii_case(b"URL") {
            Some((open, Kind::Wrapped)) // W-WS-3: only one `URL:`
        } else {
            self.is_announced(text, name, colon).then_some((open, Kind::Angle))
        }
    }

    /// Returns whether a scheme may follow `<` or `URL:`. Such a scheme is one of K, or another
    /// known scheme with `//` (W-FORM-2, P-FORM-2). With `any_scheme`, any other word with `//` may
    /// follow, if it begins with a letter.
    fn is_announced(&self, text: &View<'_>, name: &[u8], colon: usize) -> bool {
        schemes::is_k(name)
            || text[colon + 1..].starts_with(b"//")
                && (schemes::is_known(name) || self.judge.options.any_scheme && schemes::is_letter_led_word(name))
    }

    /// Reads `URL:`, blanks, and a URL that section 7.4 finds right after the blanks (P-FORM-2).
    /// Section 7.4 also decides where this URL ends (P-FORM-3).
    fn resolve_prefixed(&mut self, text: &View<'_>, prefix: usize, colon: usize) -> Option<RawMatch> {
        let at = text.stretch(colon + 1, colon + 2 + PREFIX_BLANKS, lines::is_blank);
        let end = text.stretch(at, at + SCHEME_RUN, schemes::is_scheme_byte);
        let is_near = at <= colon + 1 + PREFIX_BLANKS;
        let is_scheme = is_near && text.byte(end) == Some(b':') && {
            start::look_ahead(text, end);
            self.is_announced(text, &text[at..end], end)
        };
        let found = is_scheme.then(|| self.resolve_bare(text, at..end, end, at).ok().flatten()).flatten()?;
        let is_there = found.start == at;
        is_there.then_some(RawMatch { start: prefix, kind: Kind::Prefixed, ..found })
    }

    /// Reads the bare URL whose scheme ends at this colon (section 7.4).
    fn resolve_bare(&mut self, text: &View<'_>, word: Range<usize>, colon: usize, from: usize) -> Resolved<RawMatch> {
        let options = self.judge.options;
        if options.refang
            && let Some(found) = refang::read(text, colon, from, &self.judge)
        {
            return Ok(Some(found));
        }
        let Some(start) = start_in(text, &word, colon, &options) else {
            // `http:` at the end of a line (B-JOIN-V0A): the `//` may stand on the next line.
            let end = text.stretch(colon + 1, colon + 2, |byte| byte == b'/');
            let at_break = options.joins_bare() && edge::may_end_row(text, end);
            let start = at_break.then(|| start::start(text, word, colon, false, true)).flatten();
            return Ok(start.and_then(|start| self.resolve_broken_scheme(text, &start, colon + 1, from)));
        };
        if start.scheme < from {
            return Ok(None);
        }
        let bare = Bare { text, start: &start, judge: &self.judge };
        if let Some(found) = bare.read_angle_id().or_else(|| bare.read_target()) {
            return Ok(Some(found));
        }
        if let Some(mapping) = Mapping::of_slashes(text, &start).or_else(|| Mapping::of_link(text, &start)) {
            return self.resolve_escaped(text, &start, mapping, None);
        }
        if self.opaque.rules_out(text, &start) {
            let stop = self.opaque.stop(text, &start);
            let reference = self.opaque.reference(text, &start, stop);
            let hyphen = hyphen::before(text, stop);
            let mut ends = reference.into_iter().chain(hyphen).chain([stop]);
            return match ends.find_map(|end| Mapping::after_stop(text, start.scheme, end)) {
                Some(mapping) => self.resolve_escaped(text, &start, mapping, None),
                None => Ok(None),
            };
        }
        let is_known = !bare.before().is_open() && self.last_line.is_known(text, start.scheme);
        let Some(mut run) = bare.run(is_known) else {
            return match Mapping::in_authority(text, &start) {
                Some(mapping) => self.resolve_escaped(text, &start, mapping, None),
                None => Ok(self.resolve_broken_scheme(text, &start, start.body(), from)),
            };
        };
        if run.is_too_long(&start) {
            return Err((start.scheme, Refusal::TooLong));
        }
        if let Some(comma) = run.comma(text)
            && self.last_line.is_record(text, start.scheme)
            && !sheet::is_in_cell(text, start.scheme)
        {
            run = run.before_comma(comma);
        }
        let opaque = &mut self.opaque;
        let stop = || Some(opaque.stop(text, &start)).filter(|&stop| stop < text.len().min(start.scheme + RUN_BYTES));
        if let Some(mapping) = Mapping::after_run(text, &start, &run, stop) {
            let cut = bare.read(&run.before_reference());
            return self.resolve_escaped(text, &start, mapping, cut);
        }
        let found = bare.read_in_layout(&run).unwrap_or_else(|| bare.read(&run));
        let is_cut_off = !bare.before().is_open() && continuation::is_cut_off(text, run.full_end);
        let found = found.map(|found| RawMatch { is_cut: found.is_cut || is_cut_off, ..found });
        if found.is_none() && !matches!(start.form, SchemeForm::Authority { .. }) {
            self.opaque.note_failure(text, &start, &run);
        }
        Ok(found)
    }

    /// Reads a bare URL whose run has escapes (B-BACK, B-ENT, B-JSON, B-ROFF, B-TERM, B-UNSEEN).
    /// `cut` is the URL that ends at the first escape.
    #[cold]
    fn resolve_escaped(
        &mut self,
        text: &View<'_>,
        start: &Start,
        mapping: Mapping,
        cut: Option<RawMatch>,
    ) -> Resolved<RawMatch> {
        self.unescaped.resize_with(Mapping::ALL, Default::default);
        let (unescaped, opaque) = &mut self.unescaped[mapping as usize];
        if !unescaped.covers(text, start.scheme) {
            (*unescaped, *opaque) = (Unescaped::read(text, start.scheme, mapping, false), Opaque::default());
        }
        // The surrounding lines matter only for escapes that have another meaning in a manual page.
        if mapping == Mapping::Text && unescaped.may_be_roff(text, start.scheme) {
            return self.resolve_escaped(text, start, Mapping::Roff, None);
        }
        if unescaped.is_too_long(start.scheme, None) {
            return Err((start.scheme, Refusal::TooLong));
        }
        if unescaped.is_regular_expression(text) {
            return Ok(None);
        }
        let Some(inner) = unescaped.start(text, start) else { return Ok(cut) };
        let judge = &self.judge;
        let near = reread(text, &unescaped.meant, unescaped.view(text, &inner, start.colon), start.colon, |view| {
            let bare = Bare { text: view, start: &inner, judge };
            // The view lacks the surrounding lines, so B-SHEET cannot use them as evidence.
            let run = if opaque.rules_out(view, &inner) { None } else { bare.run(false) };
            let Some(run) = run else { return Ok(Near::Whole(None)) };
            if run.url_end(view, &inner).is_none() {
                opaque.note_failure(view, &inner, &run);
            }
            if unescaped.is_too_long(start.scheme, Some(&run)) {
                return Err((start.scheme, Refusal::TooLong));
            }
            let is_line = bare.line_below(&run).is_none();
            Ok(if is_line { Near::Whole(with_references(bare.read(&run), view)) } else { Near::Lines })
        });
        let lines;
        let (found, unescaped) = match near? {
            Near::Whole(found) => (found, &*unescaped),
            Near::Lines => {
                lines = Unescaped::read(text, start.scheme, mapping, true);
                let unescaped = &lines;
                let found = unescaped.start(text, start).and_then(|inner| {
                    reread(text, &unescaped.meant, unescaped.view(text, &inner, start.colon), start.colon, |view| {
                        let bare = Bare { text: view, start: &inner, judge };
                        with_references(bare.run(false).and_then(|run| bare.read(&run)), view)
                    })
                });
                (found, unescaped)
            }
        };
        if let Some(found) = &found {
            note_escapes(text, &found.first, mapping);
        }
        let is_doubtful = found.as_ref().is_some_and(|found| unescaped.is_doubtful(found.first.source()));
        let found = self.within_lines(text, found);
        let cut_end = cut.as_ref().map(|cut| cut.first.source().end);
        let [found, cut] = if is_doubtful && cut.is_some() && found.is_some() { [cut, found] } else { [found, cut] };
        // A mark of punctuation may stand before the escape.
        let rule = cut_end.and_then(|end| (end..end + 2).find_map(|at| mapping.rule_at(text, at)));
        let rule = rule.unwrap_or("B-BACK");
        let found = with_alternative(text, rule, found, cut);
        Ok(found.map(|found| with_hyphens(text, found)))
    }

    /// Notes whether a match with escapes crosses a line break (B-TYPESET). Drops the match if
    /// URLs do not.
    fn within_lines(&self, text: &[u8], found: Option<RawMatch>) -> Option<RawMatch> {
        let found = found?;
        let found = found.marked_rejoined(text);
        (!found.rejoined || self.judge.options.reads_next_line()).then_some(found)
    }

    /// Reads `http:` or `http://` at the end of a line (B-JOIN-V0A, B-JOIN-V0B).
    fn resolve_broken_scheme(&self, text: &View<'_>, start: &Start, end: usize, from: usize) -> Option<RawMatch> {
        if !self.judge.options.joins_bare() || start.scheme < from {
            return None;
        }
        let bare = Bare { text, start, judge: &self.judge };
        bare.read_broken_scheme(end).or_else(|| bare.read_scheme_in_cell())
    }
}

/// The result of reading a URL with escapes in its own line.
enum Near {
    Whole(Option<RawMatch>),
    /// The URL may continue on the next line, so it is read again with the lines around it.
    Lines,
}

impl OfLayer for Near {
    fn of_source(self, layer: &Logical) -> Near {
        match self {
            Near::Whole(found) => Near::Whole(found.of_source(layer)),
            Near::Lines => Near::Lines,
        }
    }
}

/// Returns the readings of a match after the first, which the search did not make. `text` is the
/// window in which the match was found.
pub(crate) fn rest_of(text: &[u8], found: &RawMatch, options: Options) -> Box<[Reading]> {
    let view = View::whole(text).with_rest(true);
    let candidate = Candidate::at(text, found.colon);
    let hit = Resolver::new(options).resolve(&view, candidate, 0, &mut None).ok().flatten();
    let same = hit.and_then(|Hit { first, rest }| [first].into_iter().chain(rest).find(|one| one.start == found.start));
    debug_assert!(same.as_ref().is_some_and(|same| same.first == found.first), "the first reading is the same");
    match same.map(|same| same.rest) {
        Some(Rest::Made(made)) => made,
        _ => Box::default(),
    }
}

/// Notes the escapes that the first reading passes, each with its layer.
fn note_escapes(text: &View<'_>, first: &Pieces, mapping: Mapping) {
    if text.trace().is_none() {
        return;
    }
    let Range { start: mut end, end: last } = first.source();
    for piece in first.iter().map(|piece| piece.source).chain(std::iter::once(last..last)) {
        let escape = if piece.start > end { end..piece.start } else { piece.start..piece.end };
        if let Some(rule) = mapping.rule_at(text, escape.start) {
            text.note(|| Ruling::new(ReasonKind::Layer, rule, escape));
        }
        end = piece.end;
    }
}

/// Returns the decisions that led to a match, in the order of the text. `text` is the window in
/// which the match was found.
pub(crate) fn explain(text: &[u8], found: &RawMatch, options: Options) -> Vec<Ruling> {
    let trace = Trace::default();
    let (form, end) = match found.kind {
        Kind::Wrapped => ("W-FORM-1", Some("W-FORM-3")),
        Kind::Angle => ("W-FORM-2", Some("W-FORM-3")),
        Kind::Prefixed => ("P-FORM-2", Some(end_rule(text, found))),
        Kind::Www => ("B-WWW", Some(end_rule(text, found))),
        Kind::Name => ("B-NAME", Some(end_rule(text, found))),
        Kind::Bare => ("B-START", Some(end_rule(text, found))),
        // The attribute ends it.
        Kind::Attribute | Kind::Navigation => ("attribute", None),
    };
    trace.note(Ruling::new(ReasonKind::Form, form, found.start..found.start));
    let first_colon = || memchr::memchr(b':', &text[found.start..found.end]).map(|at| found.start + at);
    let colon = Some(found.colon).filter(|&colon| colon > found.start).or_else(first_colon);
    if let Some(colon) = colon {
        let view = View::traced(text, &trace);
        let _ = Resolver::new(options).resolve(&view, Candidate::at(text, colon), 0, &mut None);
    }
    if let Some(end) = end {
        let after = found.first.source().end;
        let words = if end == "B-RUN-1" { words_in("end/", what_follows(&text[after..])) } else { words_of(end) };
        trace.note(Ruling { words, ..Ruling::new(ReasonKind::End, end, after..text.len().min(after + 1)) });
    }
    let mut reasons = trace.into_reasons();
    if matches!(found.kind, Kind::Wrapped | Kind::Angle) {
        reasons.retain(|reason| (found.start..=found.end).contains(&reason.at.start)); // W-TWO
    }
    reasons.sort_by_key(|reason| reason.at.start);
    // A break may be weighed twice, as the first of a URL and as a later one.
    reasons.dedup_by(|next, last| {
        (next.what, next.rule, &next.at, &next.facts) == (last.what, last.rule, &last.at, &last.facts)
    });
    reasons
}

/// Returns the rule that ends the first reading of a URL without brackets.
fn end_rule(text: &[u8], found: &RawMatch) -> &'static str {
    let after = &text[found.first.source().end..];
    let marks = trim::marks_len(after);
    let is_over = after.get(marks).is_none_or(u8::is_ascii_whitespace);
    if marks > 0 && is_over { "B-END" } else { "B-RUN-1" }
}

/// Returns what follows the run of a URL, as the words name it.
fn what_follows(after: &[u8]) -> &'static str {
    match after {
        [] => "text",
        [b'\n' | b'\r', ..] => "line",
        [byte, ..] if byte.is_ascii_whitespace() => "blank",
        [b'"' | b'\'' | b'`', ..] => "quote",
        [b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>', ..] => "bracket",
        _ => "other",
    }
}

/// Returns `found` with the reading that keeps each removed hyphen (B-TYPESET). A typesetter may
/// also break a word after its own hyphen.
fn with_hyphens(text: &View<'_>, mut found: RawMatch) -> RawMatch {
    let mut kept: Vec<UrlPiece> = Vec::new();
    let mut is_longer = false;
    for piece in found.first.iter() {
        let end = kept.last().map(|last| last.source.end).filter(|&end| end < piece.source.start);
        if let Some(end) = end.filter(|&end| text.has(end, HYPHEN)) {
            kept.push((end..end + HYPHEN.len(), Some(Literal::from('-'))).into());
            is_longer = true;
        }
        kept.push(piece);
    }
    if is_longer {
        found.add(text, "B-TYPESET", Pieces::new(kept));
    }
    found
}

/// Returns the start of the URL whose scheme ends at this colon.
fn start_in(text: &View<'_>, word: &Range<usize>, colon: usize, options: &Options) -> Option<Start> {
    let start_in = |word| start::start(text, word, colon, options.any_scheme, false);
    if word.is_empty() {
        return start::escaped_colon(text, colon);
    }
    let part = unescape::after_font(text, word).or_else(|| terminal::after_colour(text, word));
    let start = part.and_then(start_in).or_else(|| start_in(word.clone()))?;
    Some(ahead::with_outer(text, start))
}

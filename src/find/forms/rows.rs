//! The match at a colon in rows of a known width (B-JOIN-ROWS).

use std::ops::Range;

use crate::bytes::limits::SCHEME_RUN;
use crate::find::forms::reread::reread;
use crate::find::forms::resolve::{Resolved, Resolver};
use crate::find::matches::{Hit, Kind, RawMatch, Reading, Refusal, Rest};
use crate::find::options::{OnScreen, Options, Rejoin};
use crate::find::start::Candidate;
use crate::find::text::layers::prefix;
use crate::find::text::layers::rows::Rows;
use crate::find::text::view::View;

impl Resolver {
    /// Returns the match that begins at this colon in the text of the rows around it. The arguments
    /// are those of [`Resolver::resolve`]. `columns` is the width of the rows.
    #[cold]
    pub(super) fn resolve_rows(
        &mut self,
        text: &View<'_>,
        candidate: Candidate,
        from: usize,
        refused: &mut Option<(usize, Refusal)>,
        columns: usize,
    ) -> Resolved<Hit> {
        let colon = candidate.colon;
        let options = without_rows(self.options());
        if !self.rows.as_ref().is_some_and(|rows| rows.0.covers(text, colon)) {
            self.rows = Some(Box::new((Rows::read(text, colon, columns), Resolver::new(options))));
        }
        let Some((rows, inner)) = self.rows.as_deref_mut() else { return Ok(None) };
        let Some(place) = rows.place(colon) else {
            text.touch();
            return Ok(None);
        };
        let meant = &rows.meant;
        let mut no_match = None;
        let found = reread(text, meant, meant.view(text), colon, |view| {
            let candidate = Candidate::at(view, place);
            inner.resolve(view, candidate, meant.place_from(from), &mut no_match)
        });
        let in_source = |(at, refusal): (usize, Refusal)| (meant.text.source(at..at + 1).start, refusal);
        *refused = no_match.map(in_source);
        let near = found.map_err(in_source)?.filter(|hit| hit.start() + SCHEME_RUN + 2 >= colon);
        Ok(near.map(|hit| with_breaks(text, rows, hit, colon, options)))
    }
}

/// Returns the options for the text of the rows.
fn without_rows(options: &Options) -> Options {
    Options { screen: OnScreen { is_unrowed: true, ..options.screen }, ..*options }
}

/// Marks the matches that cover more than one row. The URL that ends with its first row is an
/// alternative.
fn with_breaks(text: &View<'_>, rows: &Rows, hit: Hit, colon: usize, options: Options) -> Hit {
    let marked = |found: RawMatch| found.marked_rejoined(text);
    let mut first = marked(hit.first);
    let is_delimited = !matches!(first.kind, Kind::Bare | Kind::Prefixed) || first.refused.is_some();
    if !is_delimited && let Some(row_end) = rows.first_break(first.start..first.end).filter(|&end| end > colon) {
        let start = first.start;
        text.offer(&mut first, |_| match prefix::follows_mark(text, row_end) {
            true => unmarked(text, start, colon, options),
            false => unjoined(text, start..row_end, colon, options).into_iter().collect(),
        });
    }
    Hit { first, rest: hit.rest.into_iter().map(marked).collect() }.found_at(colon)
}

/// Returns the readings of a match in rows whose first mark is not of the URL (W-PFX-7).
fn unmarked(text: &View<'_>, start: usize, colon: usize, options: Options) -> Vec<Reading> {
    let hit = Resolver::new(options).resolve(text, Candidate::at(text, colon), start, &mut None);
    let found = hit.ok().flatten().map(|hit| hit.first).filter(|found| found.start == start);
    let readings = found.map(|RawMatch { first, rest, .. }| (first, rest));
    let Some((first, Rest::Made(rest))) = readings else { return Vec::new() };
    let pieces = [first].into_iter().chain(rest.into_iter().map(|reading| reading.pieces));
    pieces.map(|pieces| Reading { rule: "W-PFX-7", pieces }).collect()
}

/// Returns the URL at a colon, if it ended with its first row (B-JOIN-ROWS).
fn unjoined(text: &View<'_>, row: Range<usize>, colon: usize, options: Options) -> Option<Reading> {
    let options = Options { rejoin: Rejoin::None, ..options };
    let view = text.before(row.end);
    let hit = Resolver::new(options).resolve(&view, Candidate::at(&view, colon), row.start, &mut None);
    let found = hit.ok()?.map(|hit| hit.first).filter(|found| found.start == row.start)?;
    Some(Reading { rule: "B-JOIN-ROWS", pieces: found.first })
}

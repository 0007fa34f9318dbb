//! The match at a colon in rows of a known width (B-JOIN-ROWS).

use std::ops::Range;

use crate::bytes::limits::SCHEME_RUN;
use crate::find::forms::reread::reread;
use crate::find::forms::resolve::{Resolved, Resolver};
use crate::find::matches::{Hit, Kind, RawMatch, Refusal};
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
        all: bool,
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
            inner.resolve(view, candidate, meant.place_from(from), all, &mut no_match)
        });
        let in_source = |(at, refusal): (usize, Refusal)| (meant.text.source(at..at + 1).start, refusal);
        *refused = no_match.map(in_source);
        let near = found.map_err(in_source)?.filter(|hit| hit.start() + SCHEME_RUN + 2 >= colon);
        Ok(near.map(|hit| with_breaks(text, rows, hit, colon, all, options)))
    }
}

/// Returns the options for the text of the rows.
fn without_rows(options: &Options) -> Options {
    Options { screen: OnScreen { is_unrowed: true, ..options.screen }, ..*options }
}

/// Marks the matches that cover more than one row. The URL that ends with its first row is an
/// alternative.
fn with_breaks(text: &View<'_>, rows: &Rows, hit: Hit, colon: usize, all: bool, options: Options) -> Hit {
    let marked = |found: RawMatch| found.marked_rejoined(text);
    let mut first = marked(hit.first);
    let is_delimited = !matches!(first.kind, Kind::Bare | Kind::Prefixed) || first.refused.is_some();
    if !is_delimited && let Some(row_end) = rows.first_break(first.start..first.end).filter(|&end| end > colon) {
        if !all {
            first.more = Some(colon);
        } else if prefix::follows_mark(text, row_end) {
            add_unmarked(text, &mut first, colon, options);
        } else if let Some(short) = unjoined(text, first.start..row_end, colon, options) {
            text.offer(&mut first, "B-JOIN-ROWS", short.first);
        }
    }
    Hit { first, rest: hit.rest.into_iter().map(marked).collect() }
}

/// Adds the readings of a match in rows whose first mark is not of the URL (W-PFX-7).
fn add_unmarked(text: &View<'_>, first: &mut RawMatch, colon: usize, options: Options) {
    let hit = Resolver::new(options).resolve(text, Candidate::at(text, colon), first.start, true, &mut None);
    if let Some(unmarked) = hit.ok().flatten().map(|hit| hit.first).filter(|found| found.start == first.start) {
        unmarked.readings().for_each(|reading| text.offer(first, "W-PFX-7", reading.clone()));
    }
}

/// Returns the URL at a colon, if it ended with its first row.
fn unjoined(text: &View<'_>, row: Range<usize>, colon: usize, options: Options) -> Option<RawMatch> {
    let options = Options { rejoin: Rejoin::None, ..options };
    let view = text.before(row.end);
    let hit = Resolver::new(options).resolve(&view, Candidate::at(&view, colon), row.start, true, &mut None);
    hit.ok()?.map(|hit| hit.first).filter(|found| found.start == row.start)
}

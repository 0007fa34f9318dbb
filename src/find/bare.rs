//! Bare URLs, and prefixed ones after their prefix: the readings of the URL that begins at a [`Start`]
//! (7.4, B-HYPH, B-JOIN, B-UNI-1, B-ANGLEID).

use std::ops::Range;

use crate::bytes::limits::JOIN_BYTES;
use crate::find::extent::{self, RawRun};
use crate::find::join::{self, SoftBreaks, Strength};
use crate::find::judge::Judge;
use crate::find::left::{LazyMarkers, Markers};
use crate::find::lines::{self, next_line};
use crate::find::matches::{Kind, Pieces, RawMatch, ThinVec, concatenated};
use crate::find::options::{Options, Rejoin};
use crate::find::schemes;
use crate::find::start::{SchemeForm, Start};

/// The URL that begins at `start` with the run `run`. `None` if there is none.
pub(crate) fn read(
    text: &[u8],
    start: &Start,
    run: &RawRun,
    judge: &Judge,
    soft_breaks: &mut SoftBreaks,
) -> Option<RawMatch> {
    let before = before(text, start);
    let end = run.url_end(text, start, before)?;
    let url = start.scheme..end;
    let verdict = judge.verdict(&text[url.clone()]);
    let mut found = RawMatch::new(url.clone(), Kind::Bare, Pieces::One(url), verdict);
    found.goes_on = run.foreign && end == run.end;
    let is_asked = !found.goes_on && judge.options.rejoin != Rejoin::None;
    if is_asked
        && let Some(line) = next_line(text, run.end)
        && !join::is_hopeless(text, start.scheme..run.end, start.body(), line)
    {
        let markers = LazyMarkers::new();
        let weighed = weigh(text, start, run, &markers, soft_breaks, judge);
        if weighed.as_ref().is_some_and(|weighed| weighed.strength == Strength::Strong) {
            add_line_readings(text, start, run, weighed, &markers, judge, &mut found);
        } else {
            found.goes_on = weighed.is_some() || text[run.end - 1] == b'-';
        }
    }
    Some(found)
}

/// Weighs the break after a run (B-JOIN).
fn weigh<'t>(
    text: &'t [u8],
    start: &Start,
    run: &RawRun,
    markers: &'t LazyMarkers,
    soft_breaks: &'t mut SoftBreaks,
    judge: &Judge,
) -> Option<join::Weighed<'t>> {
    let is_asked = judge.options.rejoin == Rejoin::Auto;
    is_asked.then(|| join::weigh(text, start.scheme, start.body(), run.end, markers, soft_breaks)).flatten()
}

/// Adds what the lines below offer: B-JOIN's readings, then B-HYPH's.
fn add_line_readings(
    text: &[u8],
    start: &Start,
    run: &RawRun,
    weighed: Option<join::Weighed<'_>>,
    markers: &LazyMarkers,
    judge: &Judge,
    found: &mut RawMatch,
) {
    if let Some(joined) = weighed.map(join::Weighed::join) {
        add_joined(text, start, joined, judge, found);
    }
    add_hyphen_readings(text, start, run, markers, judge, found);
}

/// A URL whose scheme a line break parts from what follows: `http:⏎//…`, `http://⏎…` (B-JOIN, V0a and V0b).
/// `end` is where the first line's part of it ends.
pub(crate) fn read_broken_scheme(text: &[u8], start: &Start, end: usize, judge: &Judge) -> Option<RawMatch> {
    let line = next_line(text, end)?;
    // Both need a dot: looked for before markers are read and evidence is weighed, for `http:` alone on every line.
    memchr::memchr(b'.', &text[line..lines::line_end(text, line, text.len().min(line + JOIN_BYTES))])?;
    let (markers, mut soft_breaks) = (LazyMarkers::new(), SoftBreaks::default());
    let weighed = join::weigh(text, start.scheme, end, end, &markers, &mut soft_breaks)?;
    let joined = Some(weighed).filter(|weighed| weighed.strength == Strength::Strong)?.join();
    let (first, url) = reading(text, start, joined.pieces, &joined.text, judge)?;
    let found = RawMatch::new(start.scheme..first.end(), Kind::Bare, first, judge.verdict(url));
    Some(RawMatch { rejoined: true, ..found })
}

/// B-ANGLEID: `news:<…@…>`, `mailto:<…@…>`.
pub(crate) fn read_angle_id(text: &[u8], start: &Start, judge: &Judge) -> Option<RawMatch> {
    if matches!(start.form, SchemeForm::Authority { .. }) {
        return None;
    }
    let id = extent::angle_id(text, start.colon + 1)?;
    let span = start.scheme..id.end + 1;
    let url = Pieces::new([start.scheme..start.colon + 1, id]);
    Some(judge.matched(text, span, Kind::Bare, url))
}

/// The byte right before a URL (ST-3).
fn before(text: &[u8], start: &Start) -> Option<u8> {
    text[..start.scheme].last().copied()
}

/// The other readings of a bare match whose first one is certain: the longer IRI reading if it ends at a letter beyond
/// ASCII (B-UNI-1), else what the lines below offer (FAIR joins of B-JOIN, and B-HYPH).
///
/// Each may be as long as a run or 16 lines, and every match of a text may have one. So they are read when they are
/// asked for, and not when the match is found: the search stays linear, with a small factor. `text` is the window in
/// which the match was found.
pub(crate) fn more_readings(text: &[u8], found: &RawMatch, options: Options) -> ThinVec<Pieces> {
    let judge = Judge { options };
    let scheme = found.first.ranges()[0].start;
    let mut with_more = found.clone();
    if let Some(colon) = memchr::memchr(b':', &text[scheme..found.end]).map(|colon| scheme + colon) {
        let start = Start::new(scheme, colon, &text[scheme..colon]);
        add_more_readings(text, &start, &judge, &mut with_more);
    }
    with_more.others
}

fn add_more_readings(text: &[u8], start: &Start, judge: &Judge, found: &mut RawMatch) {
    let Some(run) = extent::read(text, start, judge.options.iri) else { return };
    if run.foreign && run.end == found.end {
        if let Some(longer) = iri_reading(text, start, found.end, judge) {
            found.add(text, longer);
        }
    } else {
        let (markers, mut soft_breaks) = (LazyMarkers::new(), SoftBreaks::default());
        let weighed = weigh(text, start, &run, &markers, &mut soft_breaks, judge);
        add_line_readings(text, start, &run, weighed, &markers, judge, found);
    }
}

/// B-UNI-1: the longer IRI reading of a URL that ends at `end`, if it reaches level iri.
fn iri_reading(text: &[u8], start: &Start, end: usize, judge: &Judge) -> Option<Pieces> {
    let run = extent::read(text, start, true)?;
    let url = start.scheme..run.url_end(text, start, before(text, start))?;
    (!run.is_too_long(start) && url.end > end && judge.is_iri(&text[url.clone()])).then_some(Pieces::One(url))
}

/// B-JOIN: the joined reading comes first where the evidence is strong, else last.
fn add_joined(text: &[u8], start: &Start, joined: join::Joined, judge: &Judge, found: &mut RawMatch) {
    let Some((first, url)) = reading(text, start, joined.pieces, &joined.text, judge) else { return };
    if joined.strength == Strength::Strong {
        found.end = first.end();
        found.rejoined = true;
        found.verdict = judge.verdict(url);
        let unjoined = std::mem::replace(&mut found.first, first);
        found.add(text, unjoined);
    } else {
        found.add(text, first);
    }
    if let Some(pieces) = joined.longer {
        let longer = concatenated(text, &pieces);
        if let Some((longer, _)) = reading(text, start, pieces, &longer, judge) {
            found.add(text, longer);
        }
    }
}

/// B-HYPH: with a `-` at the end of the line, the texts joined with and without it are alternatives.
fn add_hyphen_readings(
    text: &[u8],
    start: &Start,
    run: &RawRun,
    markers: &LazyMarkers,
    judge: &Judge,
    found: &mut RawMatch,
) {
    if text[run.end - 1] != b'-' {
        return;
    }
    let Some(line) = next_line(text, run.end) else { return };
    let line_end = lines::line_end(text, line, text.len().min(line + JOIN_BYTES));
    let rest = markers.get_or_init(|| Markers::of_line(text, start.scheme)).strip(text, line, line_end);
    let goes_on = text[rest..line_end].first().is_some_and(|b| b.is_ascii_alphanumeric() || b"/?#%=&_~.+".contains(b));
    if !goes_on || schemes::starts_with_k(&text[rest..line_end], b"://") {
        return;
    }
    for hyphen in [run.end, run.end - 1] {
        let pieces = vec![start.scheme..hyphen, rest..line_end];
        let joined = concatenated(text, &pieces);
        if let Some((reading, url)) = reading(text, start, pieces, &joined, judge)
            && judge.is_plausible(url)
        {
            found.add(text, reading);
        }
    }
}

/// Reads joined pieces by 7.4: the URL at their beginning, if it reaches beyond the first piece. `joined` are their bytes.
fn reading<'j>(
    text: &[u8],
    start: &Start,
    pieces: Vec<Range<usize>>,
    joined: &'j [u8],
    judge: &Judge,
) -> Option<(Pieces, &'j [u8])> {
    let first = pieces.first()?.len();
    let start_there = Start { scheme: 0, colon: start.colon - start.scheme, form: start.form };
    let run = extent::read(joined, &start_there, judge.options.iri)?;
    let end = run.url_end(joined, &start_there, before(text, start))?;
    (end > first && !run.is_too_long(&start_there)).then(|| (Pieces::cut(pieces, end), &joined[..end]))
}

//! Bare URLs, and prefixed URLs after their prefix: the readings of the URL that begins at a
//! [`Start`] (B-HYPH, B-JOIN, B-UNI-1, B-STARS, B-ANGLEID).

use std::ops::Range;

use crate::Level;
use crate::bytes::limits::{BEYOND_BYTES, JOIN_BYTES, RUN_BYTES, WRAPPER_BYTES};
use crate::find::end::delimiter::Preceding;
use crate::find::end::extent::RawRun;
use crate::find::end::{delimiter, extent, sheet};
use crate::find::forms::judge::Judge;
use crate::find::forms::reread::reread;
use crate::find::forms::stars::starless;
use crate::find::join::{NoJoin, Strength};
use crate::find::matches::{Kind, Pieces, RawMatch, Reading};
use crate::find::options::Sheets;
use crate::find::options::{OnScreen, Options};
use crate::find::start::{SchemeForm, Start};
use crate::find::text::layers::cell::Cell;
use crate::find::text::layers::grid;
use crate::find::text::layers::justified;
use crate::find::text::layers::prefix::{self, Unprefixed};
use crate::find::text::layers::{Meant, terminal};
use crate::find::text::left::{LazyMarkers, Markers};
use crate::find::text::lines;
use crate::find::text::lines::next_line;
use crate::find::text::view::View;
use crate::find::{join, schemes, start};

/// A URL that begins at `start` in `text`.
#[derive(Clone, Copy)]
pub(crate) struct Bare<'a> {
    pub(crate) text: &'a View<'a>,
    pub(crate) start: &'a Start,
    pub(crate) judge: &'a Judge,
}

/// The run of a joined text, and the end of its URL.
type JoinedRun = (RawRun, usize);

impl<'a> Bare<'a> {
    /// Returns the match of the URL with this run, if the run holds a URL.
    pub(crate) fn read(self, run: &RawRun) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        let end = run.url_end(text, start)?;
        let url = start.scheme..end;
        let mut found = RawMatch::new(url.clone(), Kind::Bare, Pieces::One(url));
        // `end` lies before `run.end` if the `:` or `?` before the non-ASCII letter was trimmed.
        if run.foreign && (end == run.end || matches!(text[run.end - 1], b':' | b'?')) {
            text.offer(&mut found, |_| self.longer_reading(run));
        } else if self.line_below(run).is_some() {
            self.add_lines_below(run, &mut found);
        }
        if found.first.holds(b';', text) {
            self.add_decoded(run, &mut found);
        }
        if let Some(shorter) = run.shorter() {
            let rule = if text[shorter.end].is_ascii() { "B-CLOSED" } else { "B-UNI-1" };
            text.offer(&mut found, |_| {
                let end = shorter.url_end(text, start)?;
                Some(Reading { rule, pieces: Pieces::One(start.scheme..end) })
            });
        }
        if found.first.holds(b'*', text) {
            self.add_starless(run, &mut found);
        }
        Some(found)
    }

    /// Adds the reading in which each `&amp;` is `&` (B-ENT). It comes first in markup.
    fn add_decoded(self, run: &RawRun, found: &mut RawMatch) {
        const ESCAPED: &[u8] = b"&amp;";
        let url = found.first.bytes(self.text);
        let mut kept = vec![true; url.len()];
        for at in memchr::memmem::find_iter(&url, ESCAPED) {
            kept[at + 1..at + ESCAPED.len()].fill(false);
        }
        if !kept.contains(&false) {
            return;
        }
        let decoded = |first: &Pieces| first.retain(&kept);
        if delimiter::is_in_markup(self.text, self.start.scheme, run.full_end) {
            found.lead(self.text, "B-ENT", decoded(&found.first), None);
        } else {
            self.text.offer(found, |first| Some(Reading { rule: "B-ENT", pieces: decoded(first) }));
        }
    }

    /// Adds the readings over the lines below: first B-JOIN, then B-HYPH, unless B-JOIN forbids
    /// both.
    fn add_lines_below(self, run: &RawRun, found: &mut RawMatch) {
        let text = self.text;
        let markers = LazyMarkers::new();
        let ends_in_hyphen = text[run.full_end - 1] == b'-'; // B-HYPH
        let weighed = self.weigh(run, &markers);
        // Only the lines of URLs that may continue are compared with their neighbours, because few
        // URLs may.
        if (weighed.is_ok() || ends_in_hyphen) && sheet::is_record(text, self.start.scheme) {
            return;
        }
        match weighed {
            Ok(weighed) if weighed.strength == Strength::Strong => self.add_joined(weighed, run, found),
            Ok(weighed) => text.offer(found, |_| {
                let is_refused = |url: &[u8]| adds_url(url, run.end - self.start.scheme);
                let joined = self.join(weighed, |joined, end| is_refused(&joined[..end]));
                let fair = self.joined(&joined).filter(|(_, url)| !is_refused(url));
                let fair = fair.map(|(pieces, _)| Reading { rule: "B-JOIN-FAIR", pieces });
                fair.into_iter().chain(self.longer(&joined))
            }),
            Err(NoJoin::Forbidden(_)) => return,
            Err(NoJoin::Weak) => {}
        }
        if ends_in_hyphen {
            text.offer(found, |_| self.hyphen_readings(run, &markers).into_iter().flatten());
        }
    }

    /// Reads the URL over a break that is strong enough to join the lines. The joined URL comes
    /// first, unless the chain may be longer than one that is certain.
    fn add_joined(self, weighed: join::Weighed<'_>, run: &RawRun, found: &mut RawMatch) {
        let text = self.text;
        let joined = self.join(weighed, |_, _| false);
        let may_be_half = joined.longer.is_some() && !joined.fills_screen;
        match self.joined(&joined) {
            Some((pieces, url)) if !may_be_half => {
                let unjoined = std::mem::replace(found, self.first_joined(&joined, pieces, url)).first;
                found.add(text, "B-JOIN-STRONG", unjoined);
                if joined.pieces.len() > 2 && text[run.full_end - 1] == b'-' {
                    text.offer(found, |_| self.chain_without_hyphen(joined.pieces.clone()));
                }
            }
            Some((pieces, url)) if !adds_url(url, run.end - self.start.scheme) => {
                text.offer(found, |_| Some(Reading { rule: "B-JOIN-FAIR", pieces }));
            }
            _ => {}
        }
        if joined.longer.is_some() {
            text.offer(found, |_| self.longer(&joined));
        }
    }

    /// Reads the URL in the rows of its cell, without the edges (B-CELL). Returns `None` outside of
    /// cells, if B-JOIN is off, and if the text of the rows is not a URL.
    pub(crate) fn read_in_cell(self, run: &RawRun) -> Option<RawMatch> {
        let text = self.text;
        let cell = self.cell(run.full_end)?;
        let mut found = self.with_first_row(self.read_rows(&cell, &cell.lines)?, run);
        if let Some(longer) = &cell.longer {
            let end = found.end;
            text.offer(&mut found, |_| {
                let longer = self.read_rows(&cell, longer).filter(|longer| longer.end > end)?;
                Some(Reading { rule: "B-CELL", pieces: longer.first })
            });
        }
        Some(found)
    }

    /// Reads a URL in a cell whose row ends in its `:`, `:/` or `://` (B-CELL).
    pub(crate) fn read_scheme_in_cell(self) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        let cell = self.cell(text.stretch(start.colon + 1, start.colon + 3, |byte| byte == b'/'))?;
        self.read_rows(&cell, &cell.lines).map(|found| RawMatch { rejoined: true, ..found })
    }

    /// Returns the cell around the URL, whose text on its first row ends at `end`.
    fn cell(self, end: usize) -> Option<Cell> {
        self.judge.options.joins_bare().then(|| Cell::around(self.text, self.start.scheme, end))?
    }

    /// Reads the URL in `lines`, a copy of the rows of its cell.
    fn read_rows(self, cell: &Cell, lines: &Meant) -> Option<RawMatch> {
        let Bare { text, start, judge, .. } = self;
        let [scheme, colon] = [lines.place(start.scheme)?, lines.place(start.colon)?];
        let columns = cell.columns(judge.options.screen.columns);
        let screen = OnScreen { columns, is_framed: cell.is_framed, ..judge.options.screen };
        let judge = &Judge { options: Options { screen, ..judge.options } };
        reread(text, lines, lines.view(text), start.colon, |view| {
            let inner = start::start(view, scheme..colon, colon, judge.options.any_scheme, false)?;
            let bare = Bare { text: view, start: &inner, judge };
            bare.read(&bare.run(false)?)
        })
    }

    /// Adds the URL that ends with its first row, if `found` covers more than one row.
    fn with_first_row(self, mut found: RawMatch, run: &RawRun) -> RawMatch {
        let Bare { text, start, .. } = self;
        if found.rejoined || found.end <= run.full_end {
            return found;
        }
        found.rejoined = true;
        text.offer(&mut found, |_| {
            let end = run.url_end(text, start)?;
            Some(Reading { rule: "B-CELL", pieces: Pieces::One(start.scheme..end) })
        });
        found
    }

    /// Reads the URL in the layout of the lines around it, if they have one.
    pub(crate) fn read_in_layout(self, run: &RawRun) -> Option<Option<RawMatch>> {
        if !self.judge.options.joins_bare() {
            return None;
        }
        let of_rows = || self.read_prefixed(run).or_else(|| self.read_justified(run)).or_else(|| self.read_cut(run));
        let found = of_rows().or_else(|| self.read_in_cell(run).map(Some))?;
        // Another row is no reason to end the URL earlier in its own row.
        let leaves_row = found.as_ref().is_none_or(|found| found.end > run.full_end);
        let plain = if leaves_row { None } else { self.read(run) };
        let is_other =
            |plain: &RawMatch| found.as_ref().is_none_or(|found| !plain.first.same_text(&found.first, self.text));
        Some(plain.filter(is_other).or(found))
    }

    /// Reads the URL in lines without the prefixes that a program put before each (W-PFX-7). Returns
    /// `None` if no such prefix stands on the next line.
    pub(crate) fn read_prefixed(self, run: &RawRun) -> Option<Option<RawMatch>> {
        let Bare { text, start, .. } = self;
        let Unprefixed { lines, is_doubtful } = prefix::around(text, start.scheme, run.full_end)?;
        let [found, unjoined] = [self.read_lines(&lines), self.read(run)];
        let (first, other) = if is_doubtful { (unjoined, found) } else { (found, unjoined) };
        Some(with_alternative(text, "W-PFX-7", first, other))
    }

    /// Reads the URL in rows of one width, without the breaks after full ones (B-JOIN-GRID). Returns
    /// `None` if the rows were not cut.
    pub(crate) fn read_cut(self, run: &RawRun) -> Option<Option<RawMatch>> {
        let Bare { text, start, .. } = self;
        self.line_below(run)?;
        let rows = grid::around(text, start.scheme, run.full_end)?;
        let [cut, plain] = [self.read_lines(&rows), self.read(run)];
        // The evidence at each break may join the same text (B-JOIN), with more readings.
        let is_same =
            plain.as_ref().zip(cut.as_ref()).is_some_and(|(plain, cut)| plain.first.same_text(&cut.first, text));
        Some(if is_same { plain } else { with_alternative(text, "B-JOIN-GRID", cut, plain) })
    }

    /// Reads the URL in justified lines, in which a typesetter may have inserted the `-` at the end
    /// (B-JUSTIFIED). Returns `None` if the lines are not justified.
    pub(crate) fn read_justified(self, run: &RawRun) -> Option<Option<RawMatch>> {
        let Bare { text, start, .. } = self;
        let copies = justified::around(text, start.scheme, run.full_end)?;
        let readings = copies.iter().map(|lines| self.read_lines(lines)).chain([self.read(run)]);
        Some(readings.reduce(|first, other| with_alternative(text, "B-JUSTIFIED", first, other)).flatten())
    }

    /// Reads the URL in a copy of the lines around it.
    fn read_lines(self, lines: &Meant) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        let [scheme, colon] = [lines.place(start.scheme)?, lines.place(start.colon)?];
        let inner = Start { scheme, colon, form: start.form };
        let found = reread(text, lines, lines.view(text), start.colon, |view| {
            let bare = Bare { text: view, start: &inner, ..self };
            bare.read(&bare.run(false)?)
        });
        found.map(|found| found.marked_rejoined(text))
    }

    /// Returns the start of the next line, if the run may continue there.
    pub(crate) fn line_below(self, run: &RawRun) -> Option<usize> {
        let Bare { text, start, judge, .. } = self;
        if !judge.options.reads_next_line() {
            return None;
        }
        let line = next_line(text, run.full_end)?;
        if self.is_cut_before_url(run) {
            return None;
        }
        if join::rejects_line(text, start.scheme..run.full_end, line) {
            // An explanation needs the row that refuses the line.
            if text.trace().is_some() {
                let _ = self.weigh(run, &LazyMarkers::new());
            }
            return None;
        }
        Some(line)
    }

    /// Reads a URL with a line break between its scheme and host: `http:⏎//…`, `http://⏎…`
    /// (B-JOIN-V0A, B-JOIN-V0B). `end` is the end of the URL's part on the first line.
    pub(crate) fn read_broken_scheme(self, end: usize) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        next_line(text, end)?;
        let markers = LazyMarkers::new();
        let weighed = join::weigh(text, start.scheme, end, end, &markers, self.judge.options.screen).ok()?;
        if weighed.strength < Strength::Strong {
            return None;
        }
        let joined = self.join(weighed, |_, _| false);
        let (first, url) = self.joined(&joined)?;
        Some(self.first_joined(&joined, first, url))
    }

    /// Reads a message identifier in brackets: `news:<…@…>`, `mailto:<…@…>` (B-ANGLEID).
    pub(crate) fn read_angle_id(self) -> Option<RawMatch> {
        let Start { scheme, colon, form } = *self.start;
        if !matches!(form, SchemeForm::Mailto | SchemeForm::News) {
            return None;
        }
        let id = extent::angle_id(self.text, colon + 1)?;
        let span = scheme..id.end + 1;
        Some(RawMatch::new(span, Kind::Bare, Pieces::new([scheme..colon + 1, id])))
    }

    /// Reads the target of a terminal's link, unchanged (B-TERM).
    pub(crate) fn read_target(self) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        let end = terminal::target_end(text, start.scheme, RUN_BYTES)?;
        self.run(false)?.url_end(text, start)?;
        let url = start.scheme..end;
        Some(RawMatch::new(url.clone(), Kind::Attribute, Pieces::One(url)))
    }

    /// Reads the URL's run. Each comma ends it if the text is a CSV file, or if `in_record` is true
    /// (B-SHEET). Returns `None` if no run begins here ([`extent::read`]).
    pub(crate) fn run(self, in_record: bool) -> Option<RawRun> {
        let Options { iri, sheets, .. } = self.judge.options;
        let read = |in_sheet: bool| extent::read(self.text, self.start, self.before(), iri, in_sheet);
        let in_sheet = in_record || sheets == Sheets::Told;
        let run = read(in_sheet)?;
        // A comma in a quoted cell is text.
        let is_text = || self.text.get(run.full_end) == Some(&b',') && sheet::is_in_cell(self.text, self.start.scheme);
        if in_sheet && is_text() { read(false) } else { Some(run) }
    }

    /// Returns the context right before the URL (ST-3).
    pub(crate) fn before(self) -> Preceding {
        Preceding::at(self.text, self.start.scheme)
    }

    /// Returns whether a URL begins in the part of the run that a bracket cut off (B-RUN-1). If so,
    /// the run does not continue on the line below.
    fn is_cut_before_url(self, run: &RawRun) -> bool {
        let scheme = self.start.scheme;
        run.end < run.full_end && adds_url(&self.text[scheme..run.full_end], run.end - scheme)
    }

    /// Weighs the break after a run (B-JOIN). If B-JOIN is off, the break is weak but not
    /// forbidden.
    fn weigh<'t>(self, run: &RawRun, markers: &'t LazyMarkers) -> Result<join::Weighed<'t>, NoJoin>
    where
        'a: 't,
    {
        if !self.judge.options.joins_bare() {
            return Err(NoJoin::Weak);
        }
        join::weigh(self.text, self.start.scheme, self.start.body(), run.full_end, markers, self.judge.options.screen)
    }

    /// Adds the reading in which all `**` are removed, if it is valid by RFC 3986 (B-STARS). This
    /// reading comes first if its text follows the run in angle brackets. Otherwise it comes last,
    /// or is not added if the URL is a glob.
    fn add_starless(self, run: &RawRun, found: &mut RawMatch) {
        let Bare { text, judge, .. } = self;
        let valid = |first: &Pieces| {
            let (reading, is_likely) = starless(first, text)?;
            let url = reading.bytes(text).into_owned();
            let verdict = judge.verdict(&url);
            (verdict.level <= Level::Rfc3986).then_some((reading, is_likely, url, verdict))
        };
        if text.byte(run.end) == Some(b'<')
            && let Some((reading, _, url, verdict)) = valid(&found.first)
            && url.len() + 2 <= WRAPPER_BYTES
            && text.has(run.end, &[b"<", &*url, b">"].concat())
        {
            return found.lead(text, "B-STARS", reading, Some(verdict));
        }
        text.offer(found, |first| {
            let (pieces, ..) = valid(first).filter(|&(_, is_likely, ..)| is_likely)?;
            Some(Reading { rule: "B-STARS", pieces })
        });
    }

    /// Returns the longer reading of a URL whose run ended at a non-ASCII letter. The reading must
    /// reach level iri, and add at most [`BEYOND_BYTES`] (B-UNI-1).
    fn longer_reading(self, run: &RawRun) -> Option<Reading> {
        let Bare { text, start, judge, .. } = self;
        let longer = run.longer(text, start)?;
        let url = start.scheme..longer.url_end(text, start)?;
        let is_longer = (run.end + 1..=run.end + BEYOND_BYTES).contains(&url.end);
        (is_longer && !longer.is_too_long(start) && judge.is_iri(&text[url.clone()]))
            .then_some(Reading { rule: "B-UNI-1", pieces: Pieces::One(url) })
    }

    /// Returns the match whose first reading is the joined text.
    fn first_joined(self, joined: &join::Joined<Option<JoinedRun>>, first: Pieces, url: &[u8]) -> RawMatch {
        let is_cut = joined.is_cut;
        let found = RawMatch { rejoined: true, is_cut, ..RawMatch::new(first.source(), Kind::Bare, first) };
        found.with_bytes(url.to_vec())
    }

    /// Returns the longer text of a chain whose last break may still be inside the URL
    /// (B-JOIN-CHAIN).
    fn longer(self, joined: &join::Joined<Option<JoinedRun>>) -> Option<Reading> {
        let pieces = joined.longer.as_ref()?;
        self.reading_of("B-JOIN-CHAIN", pieces, |url| !adds_url(url, joined.text.len()))
    }

    /// Returns the joined texts with and without the `-` at the end of the line (B-HYPH).
    fn hyphen_readings(self, run: &RawRun, markers: &LazyMarkers) -> Option<impl Iterator<Item = Reading>> {
        let Bare { text, start, judge, .. } = self;
        let line = next_line(text, run.full_end)?;
        let line_end = lines::line_end(text, line, line + JOIN_BYTES);
        let rest = markers.get_or_init(|| Markers::of_line(text, start.scheme)).strip(text, line, line_end);
        let may_continue = |b: &u8| b.is_ascii_alphanumeric() || b"/?#%=&_~.+".contains(b);
        let rest_of_line = &text[rest..line_end];
        let is_url = || schemes::starts_with_k(rest_of_line, b"://") || start::begins_form(rest_of_line);
        if !rest_of_line.first().is_some_and(may_continue) || is_url() {
            return None;
        }
        let pieces = [run.full_end, run.full_end - 1].map(|hyphen| [start.scheme..hyphen, rest..line_end]);
        Some(
            pieces
                .into_iter()
                .filter_map(move |pieces| self.reading_of("B-HYPH", &pieces, |url| judge.is_plausible(url))),
        )
    }

    /// Returns the text of a longer chain without the `-` at the end of its first line (B-HYPH).
    fn chain_without_hyphen(self, mut pieces: Vec<Range<usize>>) -> Option<Reading> {
        pieces[0].end -= 1;
        self.reading_of("B-HYPH", &pieces, |url| self.judge.is_plausible(url))
    }

    /// Joins the lines at the weighed break and at the breaks after it. `is_refused` receives the
    /// joined text and the end of its URL. The chain ends when the joined text is not a URL
    /// (B-NEWS, B-MAIL), or `is_refused` is true for it. It also ends when the run ends before the
    /// end of the joined text. An open bracket that a line below may close does not end the run.
    fn join(
        self,
        weighed: join::Weighed<'_>,
        is_refused: impl Fn(&[u8], usize) -> bool,
    ) -> join::Joined<Option<JoinedRun>> {
        weighed.join(|joined| {
            let found = self.joined_run(joined);
            let continues = |(run, end): &&JoinedRun| run.full_end == joined.len() && !is_refused(joined, *end);
            (found.as_ref().filter(continues).map_or(0, |(run, _)| run.end), found)
        })
    }

    /// Returns the URL's start in a text joined from its pieces.
    fn joined_start(self) -> Start {
        Start { scheme: 0, colon: self.start.colon - self.start.scheme, form: self.start.form }
    }

    /// Reads the run of a joined text, and the end of its URL. Returns `None` if the text is not a
    /// URL.
    fn joined_run(self, joined: &[u8]) -> Option<JoinedRun> {
        let start = &self.joined_start();
        let run = extent::read(&View::whole(joined), start, self.before(), self.judge.options.iri, false)?;
        let end = run.url_end(joined, start)?;
        Some((run, end))
    }

    fn joined(self, joined: &join::Joined<Option<JoinedRun>>) -> Option<(Pieces, &[u8])> {
        self.reading_in(&joined.pieces, &joined.text, joined.run.as_ref())
    }

    /// Returns the bare URL at the start of the pieces, if `is_valid` is true for it.
    fn reading_of(
        self,
        rule: &'static str,
        pieces: &[Range<usize>],
        is_valid: impl Fn(&[u8]) -> bool,
    ) -> Option<Reading> {
        let joined = Pieces::new(pieces.to_vec()).bytes(self.text).into_owned();
        let (pieces, url) = self.reading_in(pieces, &joined, self.joined_run(&joined).as_ref())?;
        is_valid(url).then_some(Reading { rule, pieces })
    }

    /// Returns the bare URL at the start of the joined pieces, if it is longer than the first
    /// piece. `joined` holds the bytes of all pieces.
    fn reading_in<'j>(
        self,
        pieces: &[Range<usize>],
        joined: &'j [u8],
        found: Option<&JoinedRun>,
    ) -> Option<(Pieces, &'j [u8])> {
        let &(ref run, end) = found?;
        let is_longer = end > pieces.first()?.len();
        (is_longer && !run.is_too_long(&self.joined_start()))
            .then(|| (Pieces::cut(pieces.iter().cloned(), end), &joined[..end]))
    }
}

/// Returns `found`, with the first reading of `other` as an alternative. Returns `other` if `found`
/// is `None`.
pub(crate) fn with_alternative(
    text: &View<'_>,
    rule: &'static str,
    found: Option<RawMatch>,
    other: Option<RawMatch>,
) -> Option<RawMatch> {
    let Some(mut found) = found else { return other };
    if let Some(other) = other {
        found.add(text, rule, other.first);
    }
    Some(found)
}

/// Returns whether another URL may begin after the first `len` bytes of `url`. Those later bytes
/// were added by a fair break of B-JOIN, or cut off by a bracket.
///
/// Such a text is not a reading, because the search finds the other URL by itself, with its own
/// lines. Otherwise each of many lines could add the 16 lines after it. The readings would then be
/// 17 times as long as the text.
fn adds_url(url: &[u8], len: usize) -> bool {
    let is_start = |colon: usize| {
        let (before, after) = (&url[..colon], &url[colon + 1..]);
        after.starts_with(b"//")
            || after.starts_with(b"\\/")
            || schemes::ends_in_opaque(before)
            || start::is_form(url, colon)
    };
    memchr::memchr_iter(b':', &url[len.min(url.len())..]).any(|at| is_start(len + at))
}

#[cfg(test)]
mod tests {
    use crate::Extractor;
    use crate::bytes::limits::BEYOND_BYTES;

    /// Returns the readings of each URL of a text.
    fn readings(text: &str) -> Vec<Vec<String>> {
        let found = Extractor::builder().build();
        found.find_iter(text).map(|found| found.readings().map(|reading| reading.to_string()).collect()).collect()
    }

    #[test]
    fn longer_readings_add_no_url() {
        for (added, expected) in [
            ("中:x", Some("中:x")),
            ("中:.,&apos; ", Some("中")),
            ("中、b", Some("中")),
            ("中)", Some("中")),
            ("中http://", Some("中")),
            ("中,http://b", Some("中")),
            ("中mailto:b", Some("中")),
            ("?q中;q=http://b", None),
            ("中\u{1F600}", Some("中")),
        ] {
            let mut all = vec!["http://a.example/x".to_owned()];
            if let Some(query) = added.find('中').map(|at| &added[..at]) {
                all[0].push_str(query);
            }
            all.extend(expected.map(|expected| format!("http://a.example/x{expected}")));
            assert_eq!(readings(&format!("http://a.example/x{added}"))[0], all, "{added}");
        }
        let far = "中".repeat(BEYOND_BYTES / 3);
        assert_eq!(readings(&format!("http://a.example/x{far}"))[0].len(), 2);
        assert_eq!(readings(&format!("http://a.example/x{far}中"))[0].len(), 1);
    }

    #[test]
    fn a_bracket_may_be_closed_in_the_next_line() {
        let prose = "The drawings of the second bridge are kept in the cellar of the old mill\n".repeat(3);
        let text = |end: &str| {
            format!(
                "{prose}\nhttp://mill.example.org/cellar/drawings/second-bridge/1911/root2:[no.pie\nr.1911.x_1{end}\n\n{prose}"
            )
        };
        let (whole, short) = (
            "http://mill.example.org/cellar/drawings/second-bridge/1911/root2:[no.pier.1911.x_1]",
            "http://mill.example.org/cellar/drawings/second-bridge/1911/root2",
        );
        assert_eq!(readings(&text("]")), [[whole, short]]);
        assert_eq!(readings(&text("")), [[short]]);
    }

    /// A URL in the brackets is found by itself, and continues on the next line (B-RUN-1).
    #[test]
    fn no_bracket_is_closed_behind_which_a_url_begins() {
        for (head, of_inner) in
            [("http://www.example.com/find?q", "http://"), ("http://www.example.com/a/b?x=", "x/y/")]
        {
            let (inner, end) = (format!("{of_inner}www.example.org/archive/2004/index"), "d/e.html");
            let text = format!("see {head}[{inner}\n{end}]");
            let expected = if of_inner == "http://" {
                vec![vec![head.to_owned()], vec![[&inner, end].concat(), inner]]
            } else {
                vec![vec![format!("{head}[{inner}{end}]"), head.to_owned()]]
            };
            assert_eq!(readings(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_chain_ends_at_a_bracket_that_the_next_line_leaves_open() {
        let prose = "The drawings of the second bridge are kept in the cellar of the old mill\n".repeat(3);
        let text = |lines: [&str; 3]| format!("{prose}\n{}\n\n{prose}", lines.join("\n"));
        let lines = |[first, second, third]: [&'static str; 3]| {
            [
                ["http://mill.example.org/cellar/drawings/second-bridge/1911/roo", first, "/pier"].concat(),
                ["/sheet-04/cellar/", second, "/drawings/second-bridge/1911/cellar/drawings/sec"].concat(),
                ["ond-bridge/north", third, "/1.gif"].concat(),
            ]
        };
        for (brackets, joined) in [(["[", "]", ""], 3), (["", "[", "]"], 3), (["[", "", "]"], 0), (["[", "][", "]"], 3)]
        {
            let lines = lines(brackets);
            let found = readings(&text([&lines[0], &lines[1], &lines[2]]));
            let expected = match joined {
                0 => "http://mill.example.org/cellar/drawings/second-bridge/1911/roo".to_owned(),
                joined => lines[..joined].concat(),
            };
            assert_eq!(found[0][0], expected, "{brackets:?}");
        }
    }

    /// `news:*` names all groups. The two lines below do not turn it into an article
    /// (B-JOIN-CHAIN).
    #[test]
    fn a_chain_ends_where_it_is_no_url() {
        let text =
            "the articles in the cellar of the old mill: news:*\n/a-e/ne/h?a=1&n=n/h=2&b=c\nindex/a_b@news.example.org";
        assert_eq!(readings(text), [["news:*"]]);
    }

    #[test]
    fn a_chain_may_have_a_narrow_line() {
        let prose = "The drawings of the second bridge are kept in the cellar of the old mill\n".repeat(3);
        let head = "http://mill.example.org/cellar/drawings?bridge=second&";
        let whole = |middle: &str| format!("{head}{middle}view=north");
        for middle in ["year=19&", "year=9&"] {
            let found = readings(&format!("{prose}\n{head}\n{middle}\nview=north\n\n{prose}"));
            assert_eq!(found[0], [whole(middle), head.trim_end_matches('&').to_owned() + "&"]);
        }
    }

    #[test]
    fn news_of_all_groups_in_a_list() {
        assert_eq!(readings("news:*,http://b.example/"), [["news:*"], ["http://b.example/"]]);
        assert_eq!(readings("news:*;mailto:a@b.example"), [["news:*"], ["mailto:a@b.example"]]);
        assert_eq!(readings("news:*[1] 'news:*'x news:*.x"), [["news:*"], ["news:*"]]);
    }

    /// B-JOIN joins the first two lines, and B-TYPESET the others.
    #[test]
    fn a_chain_continues_over_inserted_hyphens() {
        let text =
            "       at https://report-\n       config.harmonic-notes.chapter-up‐\n       date.exam‐\n  ple.org/a which";
        assert_eq!(readings(text)[0][0], "https://report-config.harmonic-notes.chapter-update.example.org/a");
        let unjoined = Extractor::builder().rejoin(crate::Rejoin::None).build();
        let first = |text: &'static str| unjoined.find_iter(text).next().map(|found| found.url().to_string());
        assert_eq!(first("http://a.example/b‐\nc").as_deref(), Some("http://a.example/b"));
        assert_eq!(first("http://a.example/b‐c").as_deref(), Some("http://a.example/b-c"));
    }

    #[test]
    fn stars_wait_for_other_readings() {
        let found = readings("http://a.example/**b中\n");
        assert_eq!(found, [["http://a.example/**b", "http://a.example/**b中", "http://a.example/b"]]);
    }
}

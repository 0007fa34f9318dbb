//! Bare URLs, and prefixed ones after their prefix: the readings of the URL that begins at a [`Start`]
//! (B-HYPH, B-JOIN, B-UNI-1, B-STARS, B-ANGLEID).

use std::ops::Range;

use crate::Level;
use crate::bytes::limits::{JOIN_BYTES, RUN_BYTES, WRAPPER_BYTES};
use crate::find::escaped::Unescaped;
use crate::find::extent::{self, Begun, RawRun};
use crate::find::join::{self, JoinMemo, Longer, NoJoin, Strength};
use crate::find::judge::Judge;
use crate::find::left::{LazyMarkers, Markers};
use crate::find::lines::{self, next_line};
use crate::find::matches::{Escapes, Kind, Pieces, PutOff, RawMatch};
use crate::find::options::Options;
use crate::find::run;
use crate::find::schemes;
use crate::find::stars::starless;
use crate::find::start::{SchemeForm, Start};
use crate::find::trim;

/// A URL that begins at `start`, and what it is judged by.
#[derive(Clone, Copy)]
pub(crate) struct Bare<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: &'a Start,
    pub(crate) judge: &'a Judge,
}

/// A URL that goes on over line breaks, if it is one; its run, and where it ends.
type BareJoined = join::Joined<Option<(RawRun, usize)>>;

impl<'a> Bare<'a> {
    /// The URL with this run. `None` if there is none.
    pub(crate) fn read(self, run: &RawRun, memo: &mut JoinMemo) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        let end = run.url_end(text, start)?;
        let url = start.scheme..end;
        let markers = LazyMarkers::new();
        // What is read over the lines below waits until it is asked for, unless it comes first.
        let mut goes_on = run.foreign && end == run.end;
        let mut joined = None;
        if !goes_on && let Some(line) = self.line_below(run) {
            goes_on = true;
            let ends_in_hyphen = text[run.full_end - 1] == b'-'; // B-HYPH
            // A bracket that the run leaves open ends it, if the next line does not close it.
            let may_reach_line = run.end == run.full_end || join::may_close(text, start.body()..run.full_end, line);
            if may_reach_line && join::may_be_strong(text, start.scheme..run.full_end, start.body(), line) {
                match self.weigh(run, &markers, memo, true) {
                    Ok(weighed) if weighed.strength == Strength::Strong => {
                        let strong = self.join(weighed, false, |_, _| false);
                        goes_on = strong.longer != Longer::Nothing || ends_in_hyphen;
                        joined = Some(strong);
                    }
                    Ok(_) | Err(NoJoin::NotStrong) => {}
                    Err(reason) => goes_on = reason == NoJoin::Weak && ends_in_hyphen,
                }
            }
        }
        let found = joined.and_then(|joined| self.rejoined(joined, Pieces::One(url.clone())));
        let mut found = found.unwrap_or_else(|| RawMatch::new(url.clone(), Kind::Bare, Pieces::One(url)));
        if goes_on {
            found.put_off = PutOff::OfBare(None);
        } else if text.get(run.end) == Some(&b'<') {
            self.add_starless(run, &mut found); // it may come first
        } else if found.first.holds(b'*', text) {
            found.put_off = PutOff::OfBare(None);
        }
        Some(found)
    }

    /// The next line, if the run may go on there.
    pub(crate) fn line_below(self, run: &RawRun) -> Option<usize> {
        let Bare { text, start, judge } = self;
        let line = next_line(text, run.full_end).filter(|_| judge.options.reads_next_line())?;
        (!self.is_cut_before_url(run) && !join::is_hopeless(text, start.scheme..run.full_end, start.body(), line))
            .then_some(line)
    }

    /// A URL whose scheme a line break parts from what follows: `http:⏎//…`, `http://⏎…` (B-JOIN-V0A, B-JOIN-V0B).
    /// `end` is where the first line's part of it ends.
    pub(crate) fn read_broken_scheme(self, end: usize, memo: &mut JoinMemo) -> Option<RawMatch> {
        let Bare { text, start, .. } = self;
        let line = next_line(text, end)?;
        // Both need a dot. A text may have `http:` alone on every line: look for it before markers and evidence are read.
        let below = line..lines::line_end(text, line, text.len().min(line + JOIN_BYTES));
        memo.waits |= below.end == text.len();
        memchr::memchr(b'.', &text[below])?;
        let markers = LazyMarkers::new();
        let weighed = join::weigh(text, start.scheme, end, end, &markers, memo, true);
        let weighed = weighed.ok().filter(|weighed| weighed.strength == Strength::Strong)?;
        self.first_joined(self.join(weighed, false, |_, _| false))
    }

    /// B-ANGLEID: `news:<…@…>`, `mailto:<…@…>`.
    pub(crate) fn read_angle_id(self) -> Option<RawMatch> {
        let Start { scheme, colon, form } = *self.start;
        if matches!(form, SchemeForm::Authority { .. }) {
            return None;
        }
        let id = extent::angle_id(self.text, colon + 1)?;
        let span = scheme..id.end + 1;
        Some(RawMatch::new(span, Kind::Bare, Pieces::new([scheme..colon + 1, id])))
    }

    /// The byte right before the URL (ST-3).
    pub(crate) fn before(self) -> Option<u8> {
        self.text[..self.start.scheme].last().copied()
    }

    /// Whether a URL begins in what a bracket cut off the run (B-RUN-1): no line below closes that bracket then. Each URL of a
    /// line may be cut off so before the next one, and to weigh the break for each takes 1,150 instructions a byte.
    fn is_cut_before_url(self, run: &RawRun) -> bool {
        let scheme = self.start.scheme;
        run.end < run.full_end && adds_url(&self.text[scheme..run.full_end], run.end - scheme)
    }

    /// Weighs the break after a run (B-JOIN); without B-JOIN nothing is forbidden.
    fn weigh<'t>(
        self,
        run: &RawRun,
        markers: &'t LazyMarkers,
        memo: &'t mut JoinMemo,
        must_be_strong: bool,
    ) -> Result<join::Weighed<'t>, NoJoin>
    where
        'a: 't,
    {
        if self.is_cut_before_url(run) {
            return Err(NoJoin::Forbidden);
        }
        if !self.judge.options.joins_bare() {
            let line = next_line(self.text, run.full_end).unwrap_or(run.full_end);
            memo.waits |= lines::line_end(self.text, line, self.text.len()) == self.text.len(); // for B-HYPH
            return Err(NoJoin::Weak);
        }
        join::weigh(self.text, self.start.scheme, self.start.body(), run.full_end, markers, memo, must_be_strong)
    }

    /// Adds the readings that were put off ([`more_readings`]): those over the lines below are B-JOIN's, then B-HYPH's, unless
    /// B-JOIN forbids both.
    fn add_more_readings(self, found: &mut RawMatch, memo: &mut JoinMemo) {
        let Some(run) = extent::read(self.text, self.start, self.before(), self.judge.options.iri) else { return };
        if run.foreign && run.end == found.end {
            self.iri_reading(found.end).into_iter().for_each(|longer| found.add(self.text, longer));
        } else {
            let markers = LazyMarkers::new();
            let weighed = self.weigh(&run, &markers, memo, false);
            let is_forbidden = matches!(weighed, Err(NoJoin::Forbidden));
            if let Ok(weighed) = weighed {
                let len = run.end - self.start.scheme;
                let is_fair = weighed.strength == Strength::Fair;
                // A fair join that adds a URL is no reading, however far it goes on. Where each line begins a URL, each chain
                // would weigh sixteen breaks (150,000 instructions) for nothing.
                let joined = self.join(weighed, true, |joined, end| is_fair && adds_url(&joined[..end], len));
                self.add_joined(len, &joined, found);
            }
            if !is_forbidden {
                self.add_hyphen_readings(&run, &markers, found);
            }
        }
        self.add_starless(&run, found);
    }

    /// B-STARS: the reading without every `**`. It comes first if it follows the run in angle brackets, else last, if the
    /// URL is no glob.
    fn add_starless(self, run: &RawRun, found: &mut RawMatch) {
        let Bare { text, judge, .. } = self;
        let Some((reading, is_likely)) = starless(&found.first, text) else { return };
        let url = reading.bytes(text);
        let verdict = judge.verdict(&url);
        let is_confirmed = || {
            let rest = text[run.end..].strip_prefix(b"<").and_then(|rest| rest.strip_prefix(&*url));
            url.len() + 2 <= WRAPPER_BYTES && rest.is_some_and(|rest| rest.starts_with(b">"))
        };
        if verdict.level > Level::Rfc3986 {
            return;
        }
        if is_confirmed() {
            (found.verdict, found.joined) = (Some(verdict), None);
            let starred = std::mem::replace(&mut found.first, reading);
            found.add(text, starred);
        } else if is_likely {
            found.add(text, reading);
        }
    }

    /// B-UNI-1: the longer IRI reading of a URL that ends at `end`, if it reaches level iri and adds no colon.
    fn iri_reading(self, end: usize) -> Option<Pieces> {
        /// The longest of the entities that B-END takes off, and one byte.
        const ENTITY: usize = 7;
        let Bare { text, start, judge } = self;
        // After a colon that B-END does not take off there is nothing to read.
        let colon = memchr::memchr(b':', &text[end..text.len().min(start.scheme + RUN_BYTES)]).map(|at| end + at);
        let reach = colon.map_or(usize::MAX, |colon| colon + trim::marks_len(&text[colon..]) + ENTITY);
        let run = extent::read(&text[..text.len().min(reach)], start, self.before(), true)?;
        let url = start.scheme..run.url_end(text, start)?;
        let is_whole = colon.is_none_or(|colon| run.full_end < reach && url.end <= colon);
        (is_whole && !run.is_too_long(start) && url.end > end && judge.is_iri(&text[url.clone()]))
            .then_some(Pieces::One(url))
    }

    /// The match of a strong join (B-JOIN): the joined reading comes first.
    fn rejoined(self, joined: BareJoined, unjoined: Pieces) -> Option<RawMatch> {
        self.first_joined(joined).map(|found| RawMatch { others: vec![unjoined].into(), ..found })
    }

    /// The match whose first reading is the joined one.
    fn first_joined(self, mut joined: BareJoined) -> Option<RawMatch> {
        let (first, url) = self.reading(&joined)?;
        let len = url.len();
        joined.text.truncate(len);
        Some(RawMatch { rejoined: true, ..RawMatch::new(first.source(), Kind::Bare, first) }.with_bytes(joined.text))
    }

    /// B-JOIN: adds the joined reading, if it is not there already, and the longer text of a strong chain that stopped at a
    /// fair break. `len` is the length of the run before the first break.
    fn add_joined(self, len: usize, joined: &BareJoined, found: &mut RawMatch) {
        let Some((reading, url)) = self.reading(joined) else { return };
        if !adds_url(url, len) {
            found.add(self.text, reading);
        }
        let Longer::Pieces(pieces) = &joined.longer else { return };
        let longer = Pieces::new(pieces.clone()).bytes(self.text).into_owned();
        let joined_run = self.joined_run(&longer, &mut None);
        if let Some((reading, url)) = self.reading_of(pieces, &longer, joined_run.as_ref())
            && !adds_url(url, joined.text.len())
        {
            found.add(self.text, reading);
        }
    }

    /// B-HYPH: adds the texts joined with and without a `-` at the end of the line.
    fn add_hyphen_readings(self, run: &RawRun, markers: &LazyMarkers, found: &mut RawMatch) {
        let Bare { text, start, judge } = self;
        if text[run.full_end - 1] != b'-' {
            return;
        }
        let Some(line) = next_line(text, run.full_end) else { return };
        let line_end = lines::line_end(text, line, text.len().min(line + JOIN_BYTES));
        let rest = markers.get_or_init(|| Markers::of_line(text, start.scheme)).strip(text, line, line_end);
        let goes_on = |b: &u8| b.is_ascii_alphanumeric() || b"/?#%=&_~.+".contains(b);
        let rest_of_line = &text[rest..line_end];
        if !rest_of_line.first().is_some_and(goes_on) || schemes::starts_with_k(rest_of_line, b"://") {
            return;
        }
        for hyphen in [run.full_end, run.full_end - 1] {
            let pieces = [start.scheme..hyphen, rest..line_end];
            let joined = Pieces::new(pieces.clone()).bytes(text).into_owned();
            if let Some((reading, url)) =
                self.reading_of(&pieces, &joined, self.joined_run(&joined, &mut None).as_ref())
                && judge.is_plausible(url)
            {
                found.add(text, reading);
            }
        }
    }

    /// Joins the break that was weighed, and those after it, until a joined text with its run is refused, or is no URL (B-NEWS,
    /// B-MAIL), or its run has ended for good, at no bracket that could yet be closed. Else `news:*` on each line would be joined
    /// with sixteen more, for nothing: 6,500 instructions a byte.
    fn join(
        self,
        weighed: join::Weighed<'_>,
        wants_longer: bool,
        is_refused: impl Fn(&[u8], usize) -> bool,
    ) -> BareJoined {
        let mut begun = None;
        weighed.join(wants_longer, |joined| {
            let found = self.joined_run(joined, &mut begun);
            let goes_on = |(run, end): &&(RawRun, usize)| run.full_end == joined.len() && !is_refused(joined, *end);
            (found.as_ref().filter(goes_on).map_or(0, |(run, _)| run.end), found)
        })
    }

    /// The URL's start in a text that was joined from its pieces.
    fn joined_start(self) -> Start {
        Start { scheme: 0, colon: self.start.colon - self.start.scheme, form: self.start.form }
    }

    /// The run of such a text, and where its URL ends, if it has one. `begun` is what stayed as it was of the run of the text before
    /// the last line was joined to it: a chain of sixteen lines, each read with all before it, took 800 instructions a byte.
    fn joined_run(self, joined: &[u8], begun: &mut Option<Begun>) -> Option<(RawRun, usize)> {
        let (start, iri) = (&self.joined_start(), self.judge.options.iri);
        let mut run = begun.take().or_else(|| extent::begin(joined, start, self.before()))?;
        *begun = run.read_settled(joined, iri).then(|| run.clone());
        let run = run.finish(joined, start, iri);
        debug_assert!(
            run.is_too_long(start) || extent::read(joined, start, self.before(), iri).is_some_and(|anew| anew == run)
        );
        let end = run.url_end(joined, start)?;
        Some((run, end))
    }

    fn reading(self, joined: &BareJoined) -> Option<(Pieces, &[u8])> {
        self.reading_of(&joined.pieces, &joined.text, joined.run.as_ref())
    }

    /// The bare URL that begins the joined pieces, whose bytes are `joined`, if it is longer than the first piece.
    fn reading_of<'j>(
        self,
        pieces: &[Range<usize>],
        joined: &'j [u8],
        found: Option<&(RawRun, usize)>,
    ) -> Option<(Pieces, &'j [u8])> {
        let &(ref run, end) = found?;
        let is_longer = end > pieces.first()?.len();
        (is_longer && !run.is_too_long(&self.joined_start()))
            .then(|| (Pieces::cut(pieces.iter().cloned(), end), &joined[..end]))
    }
}

/// True if a URL may begin behind the first `len` bytes of `url`: in what a FAIR break of B-JOIN adds, or a bracket cuts off. It is
/// found by itself, and may add lines too: 16 lines, each of them added by the 16 before it, would make the readings of a text 17
/// times as long as it.
fn adds_url(url: &[u8], len: usize) -> bool {
    let is_start = |colon: usize| {
        let (before, after) = (&url[..colon], &url[colon + 1..]);
        after.starts_with(b"//") || after.starts_with(b"\\/") || schemes::ends_in_opaque(before)
    };
    memchr::memchr_iter(b':', &url[len.min(url.len())..]).any(|at| is_start(len + at))
}

/// True if a bare URL may read otherwise once the text goes on at `to`: what cut it off is a bracket that may yet be closed,
/// escaped markup that may stand in quotes (B-RUN-1), a letter of a label that may yet end (B-UNI-2), or half an escape
/// (B-JSON, B-ROFF); or the URL without its stars may follow (B-STARS).
pub(crate) fn may_go_on(text: &[u8], url: Range<usize>, to: usize) -> bool {
    /// `\u0026`
    const ESCAPE: usize = 6;
    let Some(stop) = run::hard_stop(text, url.end, to) else {
        let after = &text[url.end..to];
        let is_host = !text[url.clone()].iter().skip_while(|&&b| b != b':').skip(3).any(|b| b"/?#".contains(b));
        let is_open = |b: &u8| matches!(b, b'[' | b'(' | b'&') || is_host && !b.is_ascii();
        return after.iter().take(trim::marks_len(after) + 1).any(is_open);
    };
    match text[stop] {
        b'\\' => to - stop < ESCAPE,
        b'<' => !text[stop..to].contains(&b'>') && memchr::memmem::find(&text[url], b"**").is_some(),
        _ => false,
    }
}

/// The readings of a bare match that were put off: the longer IRI reading if the match ends at a letter beyond ASCII
/// (B-UNI-1), else those of the lines below (B-JOIN, unless it comes first, and B-HYPH); then the one of B-STARS.
///
/// Each may be as long as a run or 16 lines, and every match may have one. They are read on demand, so that the search
/// stays linear with a small factor. `text` is the window in which the match was found.
pub(crate) fn more_readings(
    text: &[u8],
    found: &RawMatch,
    escapes: Option<Escapes>,
    options: Options,
) -> Box<[Pieces]> {
    more_readings_with(text, found, escapes, options, &mut JoinMemo::default())
}

/// Whether they stand however the text goes on (ST-5).
pub(crate) fn are_more_readings_known(
    text: &[u8],
    found: &RawMatch,
    escapes: Option<Escapes>,
    options: Options,
) -> bool {
    let mut memo = JoinMemo::default();
    more_readings_with(text, found, escapes, options, &mut memo);
    !memo.waits
}

fn more_readings_with(
    text: &[u8],
    found: &RawMatch,
    escapes: Option<Escapes>,
    options: Options,
    memo: &mut JoinMemo,
) -> Box<[Pieces]> {
    let scheme = found.first.source().start;
    let Some(length) = memchr::memchr(b':', &text[scheme..found.end]) else { return Box::default() };
    let start = Start::new(text, scheme, scheme + length);
    let judge = &Judge { options };
    let with_more = if let Some(escapes) = escapes {
        let mut unescaped = Unescaped::default();
        unescaped.read(text, scheme, escapes, true);
        read_escaped(&unescaped, &start, judge, true)
    } else {
        let mut found = found.clone();
        Bare { text, start: &start, judge }.add_more_readings(&mut found, memo);
        Some(found)
    };
    let others = with_more.map_or_else(Box::default, |found| found.others);
    others.into_iter().skip(found.others.iter().len()).collect::<Vec<_>>().into()
}

/// The URL in whose run escapes count (B-JSON, B-ROFF); `more`: with all its readings.
pub(crate) fn read_escaped(unescaped: &Unescaped, start: &Start, judge: &Judge, more: bool) -> Option<RawMatch> {
    let start = unescaped.start(start)?;
    let bare = Bare { text: unescaped.bytes(), start: &start, judge };
    let run = extent::read(bare.text, bare.start, bare.before(), judge.options.iri)?;
    let mut found = bare.read(&run, &mut JoinMemo::default())?;
    if more && found.put_off == PutOff::OfBare(None) {
        bare.add_more_readings(&mut found, &mut JoinMemo::default());
    }
    Some(unescaped.matched(found))
}

#[cfg(test)]
mod tests {
    use crate::Extractor;

    /// The readings of each URL of a text.
    fn readings(text: &str) -> Vec<Vec<String>> {
        let found = Extractor::builder().build();
        found.find_iter(text).map(|found| found.readings().map(|reading| reading.to_string()).collect()).collect()
    }

    #[test]
    fn iri_readings_add_no_colon() {
        for (added, expected) in [
            ("ö/x", Some("ö/x")),
            ("ö: ", Some("ö")),
            ("ö:.,&apos; ", Some("ö")),
            ("ö/x:)", Some("ö/x")),
            ("ö:x", None),
            ("ö::::::::::::::::::x", None),
            ("ö/http://", None),
            ("ö", Some("ö")),
            ("ö:", Some("ö")),
        ] {
            let mut all = vec!["http://a.example/".to_owned()];
            all.extend(expected.map(|expected| format!("http://a.example/{expected}")));
            assert_eq!(readings(&format!("http://a.example/{added}"))[0], all, "{added}");
        }
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

    /// B-RUN-1: it is found by itself, and goes on there.
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

    /// B-JOIN-CHAIN: all groups, and no article that its two lines below would make of it.
    #[test]
    fn a_chain_ends_where_it_is_no_url() {
        let text =
            "the articles in the cellar of the old mill: news:*\n/a-e/ne/h?a=1&n=n/h=2&b=c\nindex/a_b@news.example.org";
        assert_eq!(readings(text), [["news:*"]]);
    }

    #[test]
    fn a_chain_ends_at_a_narrow_line() {
        let prose = "The drawings of the second bridge are kept in the cellar of the old mill\n".repeat(3);
        let head = "http://mill.example.org/cellar/drawings?bridge=second&";
        let whole = |middle: &str| format!("{head}{middle}view=north");
        for (middle, first) in [("year=19&", whole("year=19&")), ("year=9&", format!("{head}year=9&"))] {
            let found = readings(&format!("{prose}\n{head}\n{middle}\nview=north\n\n{prose}"));
            assert_eq!(found[0][0], first);
            assert!(found[0].contains(&whole(middle)), "{found:?}");
        }
    }

    #[test]
    fn news_of_all_groups_in_a_list() {
        assert_eq!(readings("news:*,http://b.example/"), [["news:*"], ["http://b.example/"]]);
        assert_eq!(readings("news:*;mailto:a@b.example"), [["news:*"], ["mailto:a@b.example"]]);
        assert_eq!(readings("news:*[1] 'news:*'x news:*.x"), [["news:*"], ["news:*"]]);
    }

    #[test]
    fn stars_wait_for_other_readings() {
        let found = readings("http://a.example/**b/é\n");
        assert_eq!(found, [["http://a.example/**b/", "http://a.example/**b/é", "http://a.example/b/"]]);
    }
}

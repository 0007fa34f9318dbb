//! Wrapped and angle bodies: from the opener to the readings (W-FORM, W-WS, W-HYPH, W-TWO, W-INNER,
//! W-MASK, W-PAGE, W-PROSE).
//!
//! A body is read once, line by line, into a logical text without markers, white space and page
//! breaks. A `<` in it can only be a diff marker, which opens no wrapper. So a failed wrapper is
//! never read again from within (P5).
//!
//! A [`Body`] is a list of units, which are stretches without white space. Each unit records the
//! space before it: none, a blank within a line (W-INNER), or a line break. The break is doubtful
//! after a `-` (W-HYPH-1). A [`Portion`] is a range of units that form one URL (W-TWO). Its
//! readings differ in the hyphens that they drop ([`Hyphenated`]).
//!
//! # Example
//!
//! ```text
//! > <URL:http://h.example/call-for-
//! > papers>
//! ```
//!
//! 1. The first line gives the unit `http://h.example/call-for-`. It ends in a doubtful hyphen.
//! 2. The marker `> ` of the second line also stands before the wrapper, so it is removed. The next
//!    unit is `papers`, and `>` closes the body.
//! 3. The logical text is `http://h.example/call-for-papers`, with one doubtful hyphen.
//! 4. Both readings have the same level, so the hyphen is kept first (W-HYPH-3). The match has the
//!    readings `…/call-for-papers` and `…/call-forpapers`.

use std::ops::Range;

use memchr::memmem;

use crate::bytes::limits::{SCHEME_BYTES, WRAPPER_BYTES, WRAPPER_LINES};
use crate::bytes::logical::Logical;
use crate::find::forms::judge::{Judge, holds_at};
use crate::find::forms::readings::Hyphenated;
use crate::find::forms::reread::reread;
use crate::find::matches::{Hit, Kind, Pieces, RawMatch, Reading, Refusal};
use crate::find::options::Rejoin;
use crate::find::schemes;
use crate::find::text::layers::cell::Cell;
use crate::find::text::layers::hyphen::{self, HYPHEN};
use crate::find::text::layers::prefix;
use crate::find::text::left;
use crate::find::text::left::{LazyMarkers, Markers};
use crate::find::text::lines::{after_break, is_blank, is_break, line_end};
use crate::find::text::view::View;
use crate::find::why::{ReasonKind, Ruling};
use crate::url::Verdict;

/// Reads the wrapper whose `<` stands at `open`. `colon` is the colon of its `URL:` or of its
/// scheme. A wrapper may hold several URLs, as in bibliographies (W-TWO).
pub(crate) fn read(text: &View<'_>, open: usize, colon: usize, kind: Kind, judge: &Judge) -> Result<Hit, Refusal> {
    read_in_lines(text, open, colon, kind, judge).map_or_else(|| read_body(text, open, colon, kind, judge), Ok)
}

/// Reads the wrapper in lines without the marks of a cell (W-PFX-6) or their prefixes (W-PFX-7).
/// Returns `None` without such marks, for a wrapper on one line, and if they hold no valid wrapper.
fn read_in_lines(text: &View<'_>, open: usize, colon: usize, kind: Kind, judge: &Judge) -> Option<Hit> {
    let end = text.find(colon, open + WRAPPER_BYTES, |bytes| memchr::memchr3(b'\n', b'\r', b'>', bytes))?;
    if text[end] == b'>' || judge.options.rejoin == Rejoin::None {
        return None; // nearly every wrapper
    }
    let of_cell = || Cell::around_wrapper(text, open, end).map(|cell| cell.lines);
    let prefixed = || prefix::around(text, open, end).filter(|found| !found.is_doubtful).map(|found| found.lines);
    let lines = &of_cell().or_else(prefixed)?;
    let places = [lines.place(open)?, lines.place(colon)?];
    reread(text, lines, lines.view(text), colon, |view| read_body(view, places[0], places[1], kind, judge).ok())
}

/// Reads the wrapper in the lines of the text.
fn read_body(text: &View<'_>, open: usize, colon: usize, kind: Kind, judge: &Judge) -> Result<Hit, Refusal> {
    let body = if kind == Kind::Wrapped { colon + 1 } else { open + 1 };
    let mut content = Body::read(text, open, body, judge.options.rejoin)?;
    if kind == Kind::Wrapped {
        content.drop_stray_slashes();
        if content.is_prose() {
            return Err(Refusal::Dissolved);
        }
    }
    if content.end() == content.start() {
        return Err(Refusal::Empty);
    }
    content.unmask();
    content.hit(text, open, kind, judge).ok_or(Refusal::Dissolved)
}

/// The bytes that may end a unit: `<`, `>`, and the first bytes of white space (W-WS-1).
static ENDS_UNIT: [bool; 256] = {
    const ENDS: &[u8] = b"<> \t\n\x0B\x0C\r\xC2\xE2\xEF";
    let mut ends = [false; 256];
    let mut i = 0;
    while i < ENDS.len() {
        ends[ENDS[i] as usize] = true;
        i += 1;
    }
    ends
};

/// A stretch of the body without white space, or a masked `@` (W-MASK).
#[derive(Clone, Copy, Debug)]
struct Unit {
    /// The unit's start in the logical text. The unit ends at the start of the next unit.
    start: usize,
    /// The white space before the unit.
    gap: Space,
}

/// White space that was removed before a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    /// No white space, or white space next to the opener or a masked `@`.
    None,
    /// White space that touches no line break (W-INNER).
    Inner,
    /// A line break. `doubtful` is true if a `-` is the last character before the white space with
    /// the break (W-HYPH-1).
    Break { doubtful: bool },
}

/// Units that form one URL: all of a body, or a part of it (W-TWO).
#[derive(Clone)]
struct Portion {
    units: Range<usize>,
    /// The portion ends in a doubtful hyphen.
    doubtful_end: bool,
}

/// A possible URL of a part.
struct PartUrl {
    url: Vec<u8>,
    pieces: Pieces,
    verdict: Option<Verdict>,
    /// The rule that makes the reading, if it is not the first.
    rule: &'static str,
}

/// The parsed text between the brackets.
#[derive(Clone)]
struct Body {
    text: Logical,
    units: Vec<Unit>,
    /// The body ends in a `-`, and only white space with a line break stands before the closer.
    doubtful_end: bool,
    /// The place of the closer.
    close: usize,
    /// The limit before which the body must end.
    limit: usize,
    /// The closer is the first content of a continuation line, and M has neither a `>` nor initials
    /// (W-QUOTE-3).
    closes_line: bool,
}

impl Body {
    fn read(text: &View<'_>, open: usize, body: usize, rejoin: Rejoin) -> Result<Body, Refusal> {
        let limit = open + WRAPPER_BYTES;
        let bracket = |from| text.find(from, limit, |bytes| memchr::memchr2(b'<', b'>', bytes));
        // Most failing bodies are refused here, at a `<` or at the limit, before any parsing. A `<`
        // in column 1 may be a marker (W-PFX-5).
        let mut stop = bracket(body).ok_or(Refusal::Unterminated)?;
        if text[stop] == b'<' && !is_break(text[stop - 1]) {
            return Err(Refusal::Unterminated);
        }
        let mut content = Body {
            text: Logical::from(body),
            units: Vec::with_capacity(8),
            doubtful_end: false,
            close: 0,
            limit,
            closes_line: false,
        };
        // Only a body of several lines needs the lines below.
        let mut below: Option<BodyLines> = None;
        let mut from = body;
        let mut gap = Space::None;
        loop {
            // A bracket that is a marker of its line is skipped. The first other bracket ends the
            // body (W-QUOTE-1).
            if stop < from {
                stop = bracket(from).ok_or(Refusal::Unterminated)?;
            }
            let line_end = content.read_line(text, from, stop, &mut gap);
            if line_end == stop {
                if text[stop] != b'>' {
                    return Err(Refusal::Unterminated);
                }
                content.close = stop;
                content.doubtful_end = gap == Space::Break { doubtful: true };
                content.closes_line = text[from..stop].iter().all(|&b| is_blank(b))
                    && below.is_some_and(|below| !below.markers().has_reply());
                return Ok(content);
            }
            if rejoin == Rejoin::None {
                return Err(Refusal::Dissolved);
            }
            gap = Space::Break { doubtful: content.ends_in_hyphen(gap) };
            from = below.get_or_insert_with(|| BodyLines::new(text, open, limit)).next_content(line_end)?;
            content.end_typeset(text[from]);
        }
    }

    /// Adds the units of one line's content. Returns the end of the content: its line break, or
    /// `stop`. `gap` is the white space before the next unit.
    fn read_line(&mut self, text: &View<'_>, from: usize, stop: usize, gap: &mut Space) -> usize {
        let mut at = from;
        while at < stop && !is_break(text[at]) {
            let blank = white_space(text, at, stop);
            if blank > 0 {
                at += blank;
                if *gap == Space::None && !self.units.is_empty() {
                    *gap = Space::Inner;
                }
                continue;
            }
            let start = at;
            at = unit_end(text, at, stop);
            self.units.push(Unit { start: self.text.len(), gap: *gap });
            self.append_unit(text, start..at);
            *gap = Space::None;
        }
        // White space at the end of a line belongs to its break, whose gap the caller sets.
        at
    }

    /// Adds the text of a unit, in which hyphens of typesetters stand for `-` (W-TYPESET).
    fn append_unit(&mut self, text: &View<'_>, unit: Range<usize>) {
        let mut at = unit.start;
        for found in memmem::find_iter(&text[unit.clone()], HYPHEN) {
            let hyphen = unit.start + found..unit.start + found + HYPHEN.len();
            if hyphen.end < unit.end && text[hyphen.start - 1].is_ascii() && hyphen::may_continue(text[hyphen.end]) {
                self.text.append(&text[at..hyphen.start], at);
                at = hyphen.end;
                self.text.replace(b"-", hyphen);
            }
        }
        self.text.append(&text[at..unit.end], at);
    }

    /// Removes a hyphen of typesetters from the end of a line, before the byte `after` on the next
    /// line. If the hyphen was not inserted there, `-` replaces it (W-TYPESET).
    fn end_typeset(&mut self, after: u8) {
        let start = self.units.last().map_or(self.text.len(), |last| last.start);
        let Some(kept) = self.text.bytes()[start..].strip_suffix(HYPHEN).map(|unit| start + unit.len()) else { return };
        if kept == start {
            return; // the hyphen stands alone
        }
        let place = self.text.source(kept..self.text.len());
        let before = self.text.bytes()[kept - 1];
        self.text.truncate(kept);
        if hyphen::at_break(before, after).is_some() {
            self.text.replace(b"-", place);
        }
    }

    /// Returns whether the last unit ends in a `-`, so that the line break after it is doubtful
    /// (W-HYPH-1). Removes soft hyphens from the end of the unit (W-WS-1). After a soft hyphen, the
    /// break is not doubtful.
    fn ends_in_hyphen(&mut self, gap: Space) -> bool {
        const SOFT_HYPHEN: &[u8] = "\u{AD}".as_bytes();
        if let Space::Break { doubtful } = gap {
            return doubtful; // only white space was read since the last break, whose result still holds
        }
        let mut soft = false;
        while let Some(&last) = self.units.last() {
            if !self.text.bytes()[last.start..].ends_with(SOFT_HYPHEN) {
                break;
            }
            soft = true;
            self.text.truncate(self.text.len() - SOFT_HYPHEN.len());
            if last.start == self.text.len() && last.gap != (Space::Break { doubtful: true }) {
                self.units.pop();
            }
        }
        !soft && self.units.last().is_some_and(|last| self.text.bytes()[last.start..].ends_with(b"-"))
    }

    fn start(&self) -> usize {
        self.units.first().map_or(self.text.len(), |unit| unit.start)
    }

    fn end(&self) -> usize {
        self.text.len()
    }

    /// Returns the range of some units in the logical text.
    fn range(&self, units: &Range<usize>) -> Range<usize> {
        let start_of = |unit: usize| self.units.get(unit).map_or(self.text.len(), |unit| unit.start);
        start_of(units.start)..start_of(units.end)
    }

    /// Returns the bytes of one unit.
    fn unit(&self, unit: usize) -> &[u8] {
        &self.text.bytes()[self.range(&(unit..unit + 1))]
    }

    /// Removes a `//` at the start of the body, if a K scheme and `:` follow it (B-EXTRA).
    fn drop_stray_slashes(&mut self) {
        let head = &self.text.bytes()[..self.text.len().min(2 + SCHEME_BYTES)];
        if !(head.starts_with(b"//") && schemes::starts_with_k(&head[2..], b":")) {
            return;
        }
        // The logical text keeps the `//`, but no unit holds it.
        let ends_behind = |unit: usize| self.range(&(unit..unit + 1)).end > 2;
        let first = (0..self.units.len()).find(|&unit| ends_behind(unit)).unwrap_or(self.units.len());
        self.units.drain(..first);
        if let Some(first) = self.units.first_mut() {
            *first = Unit { start: first.start.max(2), gap: Space::None };
        }
    }

    /// Returns whether the first word has no colon and a later word begins with a K scheme
    /// (W-PROSE).
    fn is_prose(&self) -> bool {
        self.units.len() > 1
            && memchr::memchr(b':', self.unit(0)).is_none()
            && (1..self.units.len()).any(|unit| schemes::starts_with_k(self.unit(unit), b":"))
    }

    /// Reads `at` between a local part and a host as `@`, without the white space around it
    /// (W-MASK).
    fn unmask(&mut self) {
        const MAILTO: &[u8] = b"mailto:";
        let head = self.text.bytes()[self.start()..].first_chunk::<{ MAILTO.len() }>();
        if !head.is_some_and(|head| head.eq_ignore_ascii_case(MAILTO))
            || !(0..self.units.len()).any(|unit| self.is_at(unit))
        {
            return; // nearly every body
        }
        let (mut text, mut units) = (Logical::from(self.text.source(0..0).start), Vec::with_capacity(self.units.len()));
        let (mut local, mut has_at, mut is_open, mut follows) = (MAILTO.len(), false, true, false);
        for (index, &Unit { gap, .. }) in self.units.iter().enumerate() {
            let range = self.range(&(index..index + 1));
            let is_masked = is_open && text.len() > local && !has_at && self.is_masked_at(index);
            let gap = if is_masked || follows { Space::None } else { gap };
            units.push(Unit { start: text.len(), gap });
            follows = is_masked;
            // An escape such as `%40` may be broken over two units, so two bytes are read again.
            let new = text.len().saturating_sub(2);
            if is_masked {
                text.replace(b"@", self.text.source(range));
            } else {
                text.extend_from(&self.text, range);
            }
            let read = text.bytes();
            is_open = is_open && !read[new..].contains(&b'?');
            if let Some(comma) = memchr::memrchr(b',', &read[new..]).filter(|comma| new + comma >= local) {
                (local, has_at) = (new + comma + 1, false);
            }
            has_at |= read.get(new.max(local)..).is_some_and(holds_at);
        }
        (self.text, self.units) = (text, units);
    }

    /// Returns whether a unit is the word `at`, which may mask an `@`.
    fn is_at(&self, unit: usize) -> bool {
        self.unit(unit).eq_ignore_ascii_case(b"at")
    }

    /// Returns whether a unit is the word `at` before a host of two labels or more. The host may be
    /// broken over lines.
    fn is_masked_at(&self, unit: usize) -> bool {
        /// The number of bytes in which the first label must end.
        const LONGEST: usize = 256;
        let (host, mut end) = (unit + 1, unit + 2);
        while self.units.get(end).is_some_and(|unit| matches!(unit.gap, Space::Break { .. })) {
            end += 1;
        }
        if host >= self.units.len() || !self.is_at(unit) {
            return false;
        }
        let bytes = &self.text.bytes()[self.range(&(host..end))];
        let mut labels = bytes.iter().take(LONGEST).skip_while(|&&byte| is_of_label(byte));
        bytes.first().is_some_and(|&byte| is_of_label(byte))
            && labels.next() == Some(&b'.')
            && labels.next().is_some_and(|&byte| is_of_label(byte))
    }

    /// Returns the matches of the body, if they are reported. One invalid part dissolves angle
    /// brackets (W-ANGLE-1). A wrapped part is reported even if it is invalid (W-FORM-4).
    fn hit(&self, text: &View<'_>, open: usize, kind: Kind, judge: &Judge) -> Option<Hit> {
        let parts = self.parts(judge);
        let last = parts.len() - 1;
        let mut found = parts.iter().enumerate().map(|(index, part)| {
            let mut part = self.matched(text, part, kind, judge)?;
            part.start = if index == 0 { open } else { part.start };
            part.end = if index == last { self.close + 1 } else { part.end };
            Some(part)
        });
        let first = found.next()??;
        Some(Hit { first, rest: found.collect::<Option<_>>()? })
    }

    /// Cuts the body before each line that begins with a K scheme, if a K URL precedes the line
    /// (W-TWO). Stops at the first such line without a K URL before it.
    fn parts(&self, judge: &Judge) -> Vec<Portion> {
        let mut parts = Vec::with_capacity(1);
        let mut start = 0;
        for (index, unit) in self.units.iter().enumerate().skip(1) {
            let Space::Break { doubtful } = unit.gap else { continue };
            if schemes::starts_with_k(self.unit(index), b"://") {
                let part = Portion { units: start..index, doubtful_end: doubtful };
                if self.readings(&part, judge).next().is_none_or(|first| !judge.is_k_url(&first.url)) {
                    break;
                }
                parts.push(part);
                start = index;
            }
        }
        parts.push(Portion { units: start..self.units.len(), doubtful_end: self.doubtful_end });
        parts
    }

    /// Returns the match of a part, if it is reported. Nothing is trimmed (W-FORM-3).
    fn matched(&self, text: &View<'_>, part: &Portion, kind: Kind, judge: &Judge) -> Option<RawMatch> {
        let span = self.text.source(self.range(&part.units));
        let mut first = self.readings(part, judge).next()?;
        if kind == Kind::Angle && !judge.is_angle_url(&first.url, &mut first.verdict) {
            return None;
        }
        self.note_breaks(text, part);
        let rejoined = memchr::memchr2(b'\n', b'\r', &text[first.pieces.source()]).is_some();
        let found = RawMatch { verdict: first.verdict, rejoined, ..RawMatch::new(span, kind, first.pieces) };
        let mut found = found.with_bytes(first.url);
        if self.inner_blank(part).is_some() || !self.hyphens(part).is_empty() {
            let reading = |PartUrl { rule, pieces, .. }| Reading { rule, pieces };
            text.offer(&mut found, |_| self.readings(part, judge).skip(1).map(reading));
        }
        let is_last = part.units.len() == self.units.len();
        if let Some(closer) = is_last.then(|| self.next_closer(text)).flatten() {
            text.offer(&mut found, |_| self.quoted(text, closer, judge));
        }
        if let Some(written) = self.as_written(text, part, judge) {
            found.add(text, "W-TYPESET", written);
        }
        Some(found)
    }

    /// Returns the URL that ends at `closer` instead (W-QUOTE-3).
    fn quoted(&self, text: &View<'_>, closer: usize, judge: &Judge) -> Option<Reading> {
        let longer = self.up_to(text, closer);
        let part = Portion { units: 0..longer.units.len(), doubtful_end: longer.doubtful_end };
        let quoted = longer.readings(&part, judge).next().filter(|quoted| judge.is_strict(&quoted.url))?;
        Some(Reading { rule: "W-QUOTE-3", pieces: quoted.pieces })
    }

    /// Notes the line breaks of a part, which are removed.
    fn note_breaks(&self, text: &View<'_>, part: &Portion) {
        let is_break = |unit: &&Unit| matches!(unit.gap, Space::Break { .. });
        for unit in self.units[part.units.clone()].iter().skip(1).filter(is_break) {
            text.note(|| {
                let at = self.text.source(unit.start - 1..unit.start + 1);
                Ruling::new(ReasonKind::Joined, "W-WS-1", at.start + 1..at.end - 1)
            });
        }
    }

    /// Returns the readings of a part, the preferred reading first (W-HYPH-3, W-INNER).
    fn readings<'b>(&'b self, part: &Portion, judge: &'b Judge) -> impl Iterator<Item = PartUrl> + 'b {
        let inner = self.inner_blank(part);
        let start = part.units.start;
        let before = move || {
            let part = Portion { units: start..inner?, doubtful_end: false };
            let before = self.hyphenated(&part, judge).next()?;
            judge.is_truncated_url(&before.url).then_some(PartUrl { rule: "W-INNER", ..before })
        };
        let shorter = inner.filter(|&inner| self.is_conjunction(inner)).and_then(|_| before());
        let is_cut = shorter.is_some();
        let whole = self.hyphenated(part, judge).filter(move |whole| !is_cut || judge.is_iri(&whole.url));
        let last = std::iter::once_with(move || if is_cut { None } else { before() });
        shorter.into_iter().chain(whole).chain(last.flatten())
    }

    /// Returns the readings of a part that differ in its hyphens at breaks (W-HYPH-2).
    fn hyphenated<'b>(&'b self, part: &Portion, judge: &'b Judge) -> impl Iterator<Item = PartUrl> + 'b {
        let range = self.range(&part.units);
        let text = Hyphenated::new(&self.text.bytes()[range.clone()], self.hyphens(part));
        text.into_readings(judge, move |text, pattern, verdict| {
            let kept = text.kept(pattern).map(|kept| range.start + kept.start..range.start + kept.end);
            let pieces = Pieces::new(kept.flat_map(|kept| self.text.pieces(kept)));
            PartUrl { url: text.reading(pattern).into_owned(), pieces, verdict, rule: "W-HYPH-2" }
        })
    }

    /// Returns the reading of a part that keeps the hyphens of typesetters (W-TYPESET). There is
    /// none if white space stands in the part.
    fn as_written(&self, text: &View<'_>, part: &Portion, judge: &Judge) -> Option<Pieces> {
        let range = self.range(&part.units);
        let source = self.text.source(range.clone());
        let written = &text[source.clone()];
        let is_other = part.units.len() == 1 && memmem::find(written, HYPHEN).is_some();
        (is_other && *written != self.text.bytes()[range] && judge.is_iri(written)).then_some(Pieces::One(source))
    }

    /// Returns the places of the doubtful hyphens in a part.
    fn hyphens(&self, part: &Portion) -> Vec<usize> {
        let range = self.range(&part.units);
        let is_doubtful = |unit: &&Unit| unit.gap == Space::Break { doubtful: true };
        let after = self.units[part.units.clone()].iter().skip(1).filter(is_doubtful).map(|unit| unit.start);
        let last = Some(range.end).filter(|_| part.doubtful_end);
        after.chain(last).map(|end| end - 1 - range.start).collect()
    }

    /// Returns the first unit of a part that follows white space without a line break (W-INNER,
    /// W-ANGLE-2).
    fn inner_blank(&self, part: &Portion) -> Option<usize> {
        part.units.clone().skip(1).find(|&unit| self.units[unit].gap == Space::Inner)
    }

    /// Returns whether a unit is `or` or `and`, and more of the body follows (W-INNER).
    fn is_conjunction(&self, unit: usize) -> bool {
        let word = self.unit(unit);
        unit + 1 < self.units.len() && (word.eq_ignore_ascii_case(b"or") || word.eq_ignore_ascii_case(b"and"))
    }

    /// Returns the next `>` on the line of the closer, if the closer may be a reply marker
    /// (W-QUOTE-3).
    fn next_closer(&self, text: &View<'_>) -> Option<usize> {
        if !self.closes_line {
            return None;
        }
        let stops = |bytes: &[u8]| bytes.iter().position(|byte| matches!(byte, b'<' | b'>' | b'\n' | b'\r'));
        text.find(self.close + 1, self.limit, stops).filter(|&closer| text[closer] == b'>')
    }

    /// Returns the body that ends at `closer` instead (W-QUOTE-3).
    fn up_to(&self, text: &View<'_>, closer: usize) -> Body {
        let mut longer = self.clone();
        let mut gap = Space::Break { doubtful: self.doubtful_end };
        longer.read_line(text, self.close + 1, closer, &mut gap);
        longer.doubtful_end = gap == Space::Break { doubtful: true };
        longer.unmask();
        longer
    }
}

/// Returns whether a byte may stand in a label of a host.
fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || !byte.is_ascii()
}

/// The lines below the opener's line. Page breaks are skipped (W-PAGE). A blank line outside a page
/// break makes the wrapper fail (W-FAIL-1).
struct BodyLines<'t> {
    text: &'t View<'t>,
    open: usize,
    /// The markers of the opener's line. They are read on first use, because reading them scans the
    /// whole line, and few wrappers need them (ST-2).
    markers: LazyMarkers,
    limit: usize,
    lines: usize,
    /// The start of the current line.
    at: usize,
    /// The line before had a `>` marker of the opener's line. It is true at first, for the opener's
    /// line itself (W-QUOTE-2).
    quoted: bool,
}

impl BodyLines<'_> {
    fn new<'t>(text: &'t View<'t>, open: usize, limit: usize) -> BodyLines<'t> {
        BodyLines { text, open, markers: LazyMarkers::new(), limit, lines: 1, at: open, quoted: true }
    }

    fn markers(&self) -> &Markers {
        self.markers.get_or_init(|| Markers::of_line(self.text, self.open))
    }

    /// Returns the first content byte of the line after the break at `line_break`, or the lone
    /// closer of that line. Skips a page break.
    fn next_content(&mut self, line_break: usize) -> Result<usize, Refusal> {
        self.at = after_break(self.text, line_break);
        let line = self.line()?;
        let is_blank = self.is_blank(&line);
        if is_blank && let Some(closer) = self.lone_closer(&line) {
            return Ok(closer);
        }
        let content = match self.over_page(&line, is_blank) {
            Some(content) => content?,
            None if is_blank => return Err(Refusal::Unterminated),
            None => line.start,
        };
        self.quoted = self.text[self.at..content].contains(&b'>');
        Ok(content)
    }

    /// Returns the lone `>` on a line, if the line before has lost its `>` marker. Otherwise the
    /// line is an empty quoted line (W-QUOTE-2).
    fn lone_closer(&self, line: &Range<usize>) -> Option<usize> {
        let whole = &self.text[self.at..line.end];
        let closer = whole.iter().position(|&byte| byte == b'>')?;
        (!self.quoted && whole.trim_ascii() == b">").then_some(self.at + closer)
    }

    /// Returns the line at `at` without its markers. Returns an error if the line is beyond the
    /// limits or the text.
    fn line(&mut self) -> Result<Range<usize>, Refusal> {
        self.lines += 1;
        let is_there = self.at < self.limit && self.text.byte(self.at).is_some();
        if !is_there || self.lines > WRAPPER_LINES {
            return Err(Refusal::Unterminated);
        }
        let end = line_end(&View::whole(self.text), self.at, self.limit);
        let start = match left::unmarked(self.text, self.at, end) {
            Some(start) => start,
            None => self.markers().strip(self.text, self.at, end).min(end),
        };
        // A line with a bracket is neither blank nor a footer, however it continues.
        if end == self.text.len() && memchr::memchr2(b'<', b'>', &self.text[start..end]).is_none() {
            self.text.upto(self.limit);
        }
        Ok(start..end)
    }

    /// Advances to the line after `line`.
    fn advance(&mut self, line: &Range<usize>) -> Result<Range<usize>, Refusal> {
        if line.end >= self.limit.min(self.text.len()) {
            return Err(Refusal::Unterminated);
        }
        self.at = after_break(self.text, line.end);
        self.line()
    }

    /// Returns the first content byte after a page break that begins with this line (W-PAGE).
    /// Returns `None` and consumes nothing if there is no such page break.
    fn over_page(&mut self, line: &Range<usize>, is_blank: bool) -> Option<Result<usize, Refusal>> {
        if !is_blank && !self.is_footer(line) {
            return None;
        }
        let (at, lines) = (self.at, self.lines);
        self.lines -= 1; // read the first line again
        let found = self.page().transpose();
        if found.is_none() {
            (self.at, self.lines) = (at, lines);
        }
        found
    }

    fn page(&mut self) -> Result<Option<usize>, Refusal> {
        let mut line = self.line()?;
        line = self.skip_blank(line)?;
        if !self.is_footer(&line) {
            return Ok(None);
        }
        line = self.advance(&line)?;
        line = self.skip_blank(line)?;
        let first = line.start + self.text[line.clone()].iter().take_while(|&&b| is_blank(b)).count();
        if self.text.get(first) != Some(&b'\x0C') || first >= line.end {
            return Ok(None);
        }
        let after_feed = first + 1..line.end;
        if self.is_blank(&after_feed) {
            line = self.advance(&line)?;
            if self.is_blank(&line) {
                return Ok(Some(self.skip_blank(line)?.start));
            }
        } else {
            line = after_feed;
        }
        // The line is a header if it holds no bracket and a blank line follows. Otherwise it is
        // content.
        if memchr::memchr2(b'<', b'>', &self.text[line.clone()]).is_some() {
            return Ok(Some(line.start));
        }
        let (at, lines) = (self.at, self.lines);
        match self.advance(&line) {
            Ok(next) if self.is_blank(&next) => Ok(Some(self.skip_blank(next)?.start)),
            _ => {
                (self.at, self.lines) = (at, lines);
                Ok(Some(line.start))
            }
        }
    }

    fn skip_blank(&mut self, mut line: Range<usize>) -> Result<Range<usize>, Refusal> {
        while self.is_blank(&line) {
            line = self.advance(&line)?;
        }
        Ok(line)
    }

    /// Returns whether a line is white space without a form feed (W-FAIL-1).
    fn is_blank(&self, line: &Range<usize>) -> bool {
        let mut at = line.start;
        while at < line.end {
            match white_space(self.text, at, line.end) {
                0 => return false,
                _ if self.text[at] == b'\x0C' => return false,
                len => at += len,
            }
        }
        true
    }

    /// Returns whether a line ends in `[Page N]` and holds no bracket (W-PAGE).
    fn is_footer(&self, line: &Range<usize>) -> bool {
        let line = self.text[line.clone()].trim_ascii_end();
        let Some(head) = line.strip_suffix(b"]") else { return false };
        let digits = head.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        digits > 0 && head[..head.len() - digits].ends_with(b"[Page ") && memchr::memchr2(b'<', b'>', line).is_none()
    }
}

/// Returns the place of the first byte at or after `at` that may end a unit, or `end`. An iterator
/// would need 1.5 times as long (November 2026).
fn skip_unit(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && !ENDS_UNIT[text[at] as usize] {
        at += 1;
    }
    at
}

/// Returns the end of the unit at `at`: the next white space, or `end`.
fn unit_end(text: &[u8], mut at: usize, end: usize) -> usize {
    loop {
        at = skip_unit(text, at, end);
        if at == end || white_space(text, at, end) > 0 {
            return at;
        }
        at += 1;
    }
}

/// Returns the length of the white-space character at `at` (W⁺ of W-WS-1), or 0 if there is none.
#[inline(always)]
fn white_space(text: &[u8], at: usize, end: usize) -> usize {
    // Nearly always there is none.
    if ENDS_UNIT[text[at] as usize] { white_space_of(&text[at..end]) } else { 0 }
}

fn white_space_of(rest: &[u8]) -> usize {
    match rest[0] {
        b' ' | b'\t'..=b'\r' => 1,
        0xC2 if rest.starts_with("\u{A0}".as_bytes()) => 2,
        0xE2 if rest.starts_with("\u{200B}".as_bytes()) => 3,
        0xEF if rest.starts_with("\u{FEFF}".as_bytes()) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;

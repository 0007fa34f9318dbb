//! Wrapped and angle bodies: from the opener to the readings (W-FORM, W-WS, W-HYPH, W-TWO, W-INNER, W-MASK, W-PAGE,
//! W-PROSE).
//!
//! A body is read once, line by line, into *pieces*: what is left of it when markers, white space and page breaks are
//! taken out. It holds no `<` but a diff's markers, which open nothing, so that a failed wrapper is never read again from
//! within (P5).

use std::ops::Range;

use crate::bytes::limits::{WRAPPER_BYTES, WRAPPER_LINES};
use crate::find::anchor::Candidate;
use crate::find::judge::{self, Judge, holds_at};
use crate::find::left::{self, LazyMarkers, Markers};
use crate::find::lines::{after_break, is_blank, is_break, line_end};
use crate::find::matches::{Hit, Kind, Pieces, PutOff, RawMatch, Refusal, UrlPiece};
use crate::find::options::{Options, Rejoin};
use crate::find::readings::{Doubtful, FirstReading, InnerBlank, Spelt};
use crate::find::schemes;
use crate::find::settled::Settled;

/// Reads the wrapper that opens at `open` (the `<`); its body begins at `body`. Its matches are one, or several where a
/// bibliography prints several URLs in it (W-TWO).
pub(crate) fn unwrap(text: &[u8], open: usize, body: usize, kind: Kind, judge: &Judge) -> Result<Hit, Refusal> {
    let limit = limit(text, open);
    let unit = skip_unit(text, body, limit);
    if unit == limit {
        return Err(Refusal::Unterminated);
    }
    match text[unit] {
        b'<' => return Err(Refusal::Unterminated),
        // W-QUOTE-1
        b'>' if text[body] != b'/' => return unwrap_unit(text, open, body..unit, kind, judge),
        _ => {}
    }
    let content = Body::of(text, open, body, kind, judge.options.rejoin)?;
    let mut hit = content.parts(text, open, kind, judge).ok_or(Refusal::Dissolved)?;
    if hit.rest.is_empty() && content.next_closer(text, open).is_some() {
        hit.first.put_off = PutOff::OfBody(open);
    }
    Ok(hit)
}

/// The readings of a match that were put off, of the body that opens at `open`. To note what they are made of as a match is
/// found takes a thirtieth of the instructions of a text of wrapped URLs with hyphens, and few ask for them.
pub(crate) fn more_readings(text: &[u8], found: &RawMatch, open: usize, options: Options) -> Vec<Pieces> {
    let body = open + if found.kind == Kind::Wrapped { b"<URL:".len() } else { b"<".len() };
    let Ok(content) = Body::of(text, open, body, found.kind, options.rejoin) else { return Vec::new() };
    let mut readings = content.doubtful_of(text, found, open).readings(text, &Judge { options });
    readings.remove(0);
    readings
}

/// W-NARROW: no URL in angle brackets that was broken over lines is so short, nor a part that W-TWO cuts off; those of the archives
/// have 25 bytes and more. Without a limit there may be one in each eleven bytes, which takes 900 instructions a byte.
const NARROWEST: usize = 16;

/// Where a body is cut that opens at `open`.
fn limit(text: &[u8], open: usize) -> usize {
    text.len().min(open + WRAPPER_BYTES)
}

/// Where the `<URL:` of this colon opens, if it stands before another `<`, with nothing but a word between: it is not closed
/// (W-FAIL-1), and nothing else begins at the colon. `None` decides nothing.
pub(crate) fn unclosed_opener(text: &[u8], Candidate { colon, word }: Candidate) -> Option<usize> {
    /// Further than this no `<` is looked for.
    const NEAR: usize = 16;
    if !schemes::is_url(word) {
        return None;
    }
    let open = colon.checked_sub(b"<URL".len()).filter(|&open| text[open] == b'<')?;
    let end = text[colon + 1..].iter().take(NEAR).find(|&&byte| !schemes::is_scheme_byte(byte))?;
    (*end == b'<').then_some(open)
}

/// Whether anything can be said of the wrapper that opens at `open`, in a text that goes on: a bracket stands in it, or it
/// reaches its limit.
pub(crate) fn has_bracket(text: &[u8], open: usize, body: usize) -> bool {
    open + WRAPPER_BYTES <= text.len() || memchr::memchr2(b'<', b'>', &text[body..]).is_some()
}

/// Whether what [`unwrap`] says of it stands however the text goes on (ST-5); `end` is that of its matches.
pub(crate) fn is_known(text: &[u8], open: usize, body: usize, end: Option<usize>) -> bool {
    if open + WRAPPER_BYTES <= text.len() {
        return true;
    }
    let Some(length) = memchr::memchr2(b'<', b'>', &text[body..]) else { return false };
    let stop = body + length;
    if text[stop] == b'<' && !is_break(text[stop - 1]) || memchr::memchr2(b'\n', b'\r', &text[body..stop]).is_none() {
        return true;
    }
    // All of the closer's line decides whether it is one (W-QUOTE-2, W-QUOTE-3, W-PAGE).
    end.is_some_and(|end| memchr::memchr2(b'\n', b'\r', &text[end..]).is_some())
}

/// Bytes that end a body, and those that white space begins with (W-WS-1).
static ENDS_UNIT: [bool; 256] = {
    let mut ends = [false; 256];
    let mut i = 0;
    while i < ENDS.len() {
        ends[ENDS[i] as usize] = true;
        i += 1;
    }
    ends
};
const ENDS: &[u8] = b"<> \t\n\x0B\x0C\r\xC2\xE2\xEF";

/// The commonest wrapper: its body has no white space and does not begin with a `/`, so that there is one reading and
/// nothing to take apart. Wrappers take half the time that way.
fn unwrap_unit(text: &[u8], open: usize, body: Range<usize>, kind: Kind, judge: &Judge) -> Result<Hit, Refusal> {
    if body.is_empty() {
        return Err(Refusal::Empty);
    }
    let url = &text[body.clone()];
    let mut verdict = None;
    if kind == Kind::Angle {
        verdict = Some(judge.verdict(url));
        if !judge.is_angle_url(url, &mut verdict) {
            return Err(Refusal::Dissolved);
        }
    }
    let first = RawMatch { verdict, ..RawMatch::new(open..body.end + 1, kind, Pieces::One(body)) };
    Ok(Hit { first, rest: Box::default() })
}

/// A stretch of the body without white space, or a masked `@` (W-MASK).
#[derive(Clone, Debug)]
struct Unit {
    piece: UrlPiece,
    /// What stood before it.
    gap: Blank,
}

/// White space that was removed before a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blank {
    /// Nothing, or white space next to the opener or a masked `@`.
    None,
    /// White space that touches no line break (W-INNER).
    Inner,
    /// A line break; `doubtful` if a `-` stands last before it (W-HYPH-1).
    Break { doubtful: bool },
}

/// Some units that are one URL: all of a body, or a part of it (W-TWO).
struct BodyPart {
    units: Range<usize>,
    /// A doubtful hyphen ends it.
    doubtful_end: bool,
    /// Its first reading, if that is known.
    first: Option<FirstReading>,
}

/// What stands between the brackets, taken apart.
struct Body {
    units: Vec<Unit>,
    /// A break with nothing but white space between it and the closer, after a `-`.
    doubtful_end: bool,
    /// The closer.
    close: usize,
    /// A line break stands in it.
    goes_on_below: bool,
    /// The closer stood first on a continuation line, and no `>` is a marker there (W-QUOTE-3).
    closes_line: bool,
}

impl Body {
    /// The body at `body`, whose bracket opens at `open`, as it is read.
    fn of(text: &[u8], open: usize, body: usize, kind: Kind, rejoin: Rejoin) -> Result<Body, Refusal> {
        let mut content = Body::read(text, open, body, rejoin)?;
        if kind == Kind::Wrapped {
            content.drop_stray_slashes(text);
            if content.is_prose(text) {
                return Err(Refusal::Dissolved);
            }
        }
        if content.units.iter().all(|unit| unit.piece.source.is_empty()) {
            return Err(Refusal::Empty);
        }
        if kind == Kind::Angle && content.goes_on_below && length(&content.units) < NARROWEST {
            return Err(Refusal::Dissolved);
        }
        content.unmask(text);
        Ok(content)
    }

    fn read(text: &[u8], open: usize, body: usize, rejoin: Rejoin) -> Result<Body, Refusal> {
        let limit = limit(text, open);
        // Most failures end here, at a `<` or at the limit, before anything is taken apart. A `<` in column 1 may be a
        // marker (W-PFX-5).
        let stop = memchr::memchr2(b'<', b'>', &text[body..limit]).ok_or(Refusal::Unterminated)? + body;
        if text[stop] == b'<' && !is_break(text[stop - 1]) {
            return Err(Refusal::Unterminated);
        }
        let mut content = Body {
            units: Vec::with_capacity(8),
            doubtful_end: false,
            close: 0,
            goes_on_below: false,
            closes_line: false,
        };
        // Only a body of several lines needs them.
        let mut below: Option<Below> = None;
        let mut from = body;
        let mut stop = stop;
        let mut gap = Blank::None;
        loop {
            // A marker of the line is none.
            if stop < from {
                stop = from + memchr::memchr2(b'<', b'>', &text[from..limit]).unwrap_or(limit - from);
            }
            let line_end = content.read_line(text, from, stop, &mut gap);
            if line_end == stop {
                if text.get(stop) != Some(&b'>') || stop >= limit {
                    return Err(Refusal::Unterminated);
                }
                content.close = stop;
                content.doubtful_end = gap == Blank::Break { doubtful: true };
                content.goes_on_below = below.is_some();
                content.closes_line = text[from..stop].iter().all(|&b| is_blank(b))
                    && below.is_some_and(|below| !below.markers().has_reply());
                return Ok(content);
            }
            if rejoin == Rejoin::None {
                return Err(Refusal::Dissolved);
            }
            gap = Blank::Break { doubtful: content.ends_in_hyphen(text, gap) };
            from = below.get_or_insert_with(|| Below::new(text, open, limit)).next_content(line_end)?;
        }
    }

    /// Adds the units of one line's content, and returns where it ends: at its break, or at `stop`. `gap` is what stands before
    /// the next unit.
    fn read_line(&mut self, text: &[u8], from: usize, stop: usize, gap: &mut Blank) -> usize {
        let mut at = from;
        while at < stop && !is_break(text[at]) {
            let blank = white_space(text, at, stop);
            if blank > 0 {
                at += blank;
                if *gap == Blank::None && !self.units.is_empty() {
                    *gap = Blank::Inner;
                }
                continue;
            }
            let start = at;
            at = unit_end(text, at, stop);
            self.units.push(Unit { piece: (start..at).into(), gap: *gap });
            *gap = Blank::None;
        }
        // White space at the end of a line belongs to its break, whose gap the caller sets.
        at
    }

    /// Whether the last unit ends in a `-` at a line break (W-HYPH-1). Soft hyphens at its end are removed (W-WS-1); after
    /// one the break is certain.
    fn ends_in_hyphen(&mut self, text: &[u8], gap: Blank) -> bool {
        const SOFT_HYPHEN: &[u8] = "\u{AD}".as_bytes();
        if let Blank::Break { doubtful } = gap {
            return doubtful; // nothing but white space since the last break: the same hyphen
        }
        let mut soft = false;
        while let Some(last) = self.units.last_mut() {
            if !last.piece.bytes(text).ends_with(SOFT_HYPHEN) {
                break;
            }
            soft = true;
            last.piece.source.end -= SOFT_HYPHEN.len();
            if last.piece.source.is_empty() && last.gap != (Blank::Break { doubtful: true }) {
                self.units.pop();
            }
        }
        !soft && self.units.last().is_some_and(|last| last.piece.bytes(text).ends_with(b"-"))
    }

    /// B-EXTRA: removes a `//` that begins the body and precedes a K scheme and `:`.
    fn drop_stray_slashes(&mut self, text: &[u8]) {
        if self.units.iter().find_map(|unit| unit.piece.bytes(text).first()) != Some(&b'/') {
            return;
        }
        let head: Vec<u8> = self.bytes(text).copied().take(2 + crate::bytes::limits::SCHEME_BYTES).collect();
        if !(head.starts_with(b"//") && schemes::starts_with_k(&head[2..], b":")) {
            return;
        }
        let mut left = 2;
        for unit in &mut self.units {
            let cut = left.min(unit.piece.source.len());
            unit.piece.source.start += cut;
            left -= cut;
        }
        self.units.retain(|unit| !unit.piece.source.is_empty());
        if let Some(first) = self.units.first_mut() {
            first.gap = Blank::None;
        }
    }

    /// The bytes of the body, white space removed.
    fn bytes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = &'a u8> {
        self.units.iter().flat_map(|unit| unit.piece.bytes(text))
    }

    /// W-PROSE: the first word has no colon, and a later one begins with a K scheme.
    fn is_prose(&self, text: &[u8]) -> bool {
        let [first, rest @ ..] = &self.units[..] else { return false };
        memchr::memchr(b':', first.piece.bytes(text)).is_none()
            && rest.iter().any(|unit| schemes::starts_with_k(unit.piece.bytes(text), b":"))
    }

    /// W-MASK: `at` between a local part and a host reads `@`, and the white space around it was never there.
    fn unmask(&mut self, text: &[u8]) {
        const MAILTO: &[u8] = b"mailto:";
        let is_m = |first: &u8| first.eq_ignore_ascii_case(&MAILTO[0]);
        if !self.bytes(text).next().is_some_and(is_m) || !self.units.iter().any(|unit| is_at(unit.piece.bytes(text))) {
            return; // nearly always
        }
        let head = self.bytes(text).take(MAILTO.len());
        if !head.map(u8::to_ascii_lowercase).eq(MAILTO.iter().copied()) {
            return;
        }
        // What is read so far, and where in it the local part begins.
        let (mut read, mut local, mut has_at) = (Vec::new(), MAILTO.len(), false);
        for i in 0..self.units.len() {
            if read.len() > local && !has_at && self.is_masked_at(text, i) {
                self.units[i].piece.literal = Some(b'@');
                self.units[i].gap = Blank::None;
                self.units[i + 1].gap = Blank::None;
            }
            // An escape may be broken over two units. Nothing else is looked at twice: the time is linear.
            let new = read.len().saturating_sub(2);
            read.extend_from_slice(self.units[i].piece.bytes(text));
            if read[new..].contains(&b'?') {
                return;
            }
            if let Some(comma) = memchr::memrchr(b',', &read[new..]).filter(|comma| new + comma >= local) {
                (local, has_at) = (new + comma + 1, false);
            }
            has_at |= read.get(new.max(local)..).is_some_and(holds_at);
        }
    }

    /// Whether a unit is the word `at` before a host of two labels, which may be broken over lines.
    fn is_masked_at(&self, text: &[u8], unit: usize) -> bool {
        /// A longer first label is no name.
        const NEAR: usize = 256;
        let Some((host, more)) = self.units[unit + 1..].split_first() else { return false };
        let below = more.iter().take_while(|unit| matches!(unit.gap, Blank::Break { .. }));
        let bytes = host.piece.bytes(text).iter().chain(below.flat_map(|unit| unit.piece.bytes(text)));
        let mut labels = bytes.take(NEAR).skip_while(|&&byte| is_of_label(byte));
        is_at(self.units[unit].piece.bytes(text))
            && host.piece.bytes(text).first().is_some_and(|&byte| is_of_label(byte))
            && labels.next() == Some(&b'.')
            && labels.next().is_some_and(|&byte| is_of_label(byte))
    }

    /// W-TWO: cuts the body where a line begins with a K scheme and what stands before is a K URL by itself. Where it is none, it
    /// is not asked again with more lines: each line may begin so, and what stands before it in eight ways.
    ///
    /// W-ANGLE-1: one bad part dissolves angle brackets. A wrapped one is reported whatever it is (W-FORM-4).
    fn parts(&self, text: &[u8], open: usize, kind: Kind, judge: &Judge) -> Option<Hit> {
        let mut parts = Vec::new();
        let mut last = BodyPart { units: 0..self.units.len(), doubtful_end: self.doubtful_end, first: None };
        for (i, unit) in self.units.iter().enumerate().skip(1) {
            let Blank::Break { doubtful } = unit.gap else { continue };
            if schemes::starts_with_k(unit.piece.bytes(text), b"://") {
                let mut part = BodyPart { units: last.units.start..i, doubtful_end: doubtful, first: None };
                if length(&self.units[part.units.clone()]) < NARROWEST
                    || !self.begins_k_scheme(text, last.units.start)
                    || !self.is_k_url(text, &mut part, judge)
                {
                    break;
                }
                parts.push(part);
                last.units.start = i;
            }
        }
        // Nearly always the last part tells whether the brackets dissolve, and of the others no more needs to be read then.
        let mut last = self.matched(text, open, last, kind, judge)?;
        last.end = self.close + 1;
        let mut parts = parts.into_iter().map(|part| self.matched(text, open, part, kind, judge));
        let mut hit = match parts.next() {
            None => Hit { first: last, rest: Box::default() },
            Some(first) => Hit { first: first?, rest: parts.chain([Some(last)]).collect::<Option<Vec<_>>>()?.into() },
        };
        hit.first.start = open;
        Some(hit)
    }

    /// False if what begins at this unit has another scheme: what stands before a line is no part then, and to find that out by
    /// judging it took as long as all else.
    fn begins_k_scheme(&self, text: &[u8], unit: usize) -> bool {
        let bytes = self.units[unit].piece.bytes(text);
        memchr::memchr(b':', bytes).is_none_or(|colon| schemes::is_k(&bytes[..colon]))
    }

    /// Whether a part is by itself a K URL (W-TWO): so it is if it is one with all its hyphens. Else its first reading says.
    fn is_k_url(&self, text: &[u8], part: &mut BodyPart, judge: &Judge) -> bool {
        let spelt = self.spelt(text, part);
        if judge::is_generic_k_url(spelt.text()) {
            return true;
        }
        let first = self.first_reading(text, part, spelt, judge, Settled::may_be_rfc3986);
        let Some(first) = first else { return false };
        let FirstReading { url, verdict, .. } = part.first.insert(first);
        judge.is_k_url(url, verdict)
    }

    /// The match of a part, if it is reported: its readings by W-HYPH and W-INNER (W-ANGLE-2). Nothing is trimmed (W-FORM-3).
    fn matched(&self, text: &[u8], open: usize, mut part: BodyPart, kind: Kind, judge: &Judge) -> Option<RawMatch> {
        let units = &self.units[part.units.clone()];
        let span = units[0].piece.source.start..units[units.len() - 1].piece.source.end;
        let rejoined = memchr::memchr2(b'\n', b'\r', &text[span.clone()]).is_some();
        let mut first = match part.first.take() {
            Some(first) => first,
            None => {
                let spelt = self.spelt(text, &part);
                let is_wanted = |settled: &Settled, url: &[u8]| kind != Kind::Angle || settled.may_be_angle_url(url);
                self.first_reading(text, &part, spelt, judge, is_wanted)?
            }
        };
        if kind == Kind::Angle && !judge.is_angle_url(&first.url, &mut first.verdict) {
            return None;
        }
        let is_doubtful = part.doubtful_end || inner_blank(units).is_some() || has_doubtful_hyphen(units);
        let put_off = if is_doubtful { PutOff::OfBody(open) } else { PutOff::Nothing };
        let pieces = first.choice.pieces(self.with_hyphens(&part));
        let found = RawMatch { verdict: first.verdict, rejoined, put_off, ..RawMatch::new(span, kind, pieces) };
        Some(found.with_bytes(first.url))
    }

    /// The first reading of a part, if it is wanted by what is settled before one is judged.
    fn first_reading(
        &self,
        text: &[u8],
        part: &BodyPart,
        spelt: Spelt,
        judge: &Judge,
        is_wanted: impl FnOnce(&Settled, &[u8]) -> bool,
    ) -> Option<FirstReading> {
        if self.is_before_conjunction(text, part) {
            return self.doubtful(text, part).first_reading_if(text, spelt, judge, is_wanted);
        }
        spelt.first_reading_if(judge, is_wanted)
    }

    /// The units of a part, and whether a doubtful hyphen ends each.
    fn with_hyphens(&self, part: &BodyPart) -> impl Iterator<Item = (&UrlPiece, bool)> {
        let units = &self.units[part.units.clone()];
        let is_doubtful = |unit: &Unit| unit.gap == Blank::Break { doubtful: true };
        let after = units[1..].iter().map(is_doubtful).chain([part.doubtful_end]);
        units.iter().map(|unit| &unit.piece).zip(after)
    }

    /// The bytes of a part.
    fn spelt(&self, text: &[u8], part: &BodyPart) -> Spelt {
        let mut spelt = Spelt::with_capacity(length(&self.units[part.units.clone()]));
        for (piece, has_hyphen) in self.with_hyphens(part) {
            spelt.push(piece.bytes(text), has_hyphen);
        }
        spelt
    }

    /// The pieces of a part, and what of it is in doubt.
    fn doubtful(&self, text: &[u8], part: &BodyPart) -> Doubtful {
        let mut doubtful = Doubtful { pieces: Vec::with_capacity(part.units.len()), ..Doubtful::default() };
        for (piece, has_hyphen) in self.with_hyphens(part) {
            doubtful.push(piece.clone());
            if has_hyphen {
                doubtful.mark_hyphen();
            }
        }
        doubtful.blank = inner_blank(&self.units[part.units.clone()])
            .map(|pieces| InnerBlank { pieces, is_before_conjunction: self.is_before_conjunction(text, part) });
        doubtful
    }

    /// W-INNER: the first blank within a line of a part stands before `or` or `and`, and more after it: what stands before is a URL
    /// of its own.
    fn is_before_conjunction(&self, text: &[u8], part: &BodyPart) -> bool {
        let Some(inner) = inner_blank(&self.units[part.units.clone()]) else { return false };
        let unit = part.units.start + inner;
        let word = self.units[unit].piece.bytes(text);
        unit + 1 < self.units.len() && (word.eq_ignore_ascii_case(b"or") || word.eq_ignore_ascii_case(b"and"))
    }

    /// W-QUOTE-3: the next closer in the line of this one, if this one may have been a reply marker.
    fn next_closer(&self, text: &[u8], open: usize) -> Option<usize> {
        let rest = text.get(self.close + 1..limit(text, open)).filter(|_| self.closes_line)?;
        let closer = self.close + 1 + memchr::memchr2(b'<', b'>', rest)?;
        (text[closer] == b'>' && memchr::memchr2(b'\n', b'\r', &text[self.close..closer]).is_none()).then_some(closer)
    }

    /// The pieces of a part that was found, and what of it is in doubt.
    fn doubtful_of(&self, text: &[u8], found: &RawMatch, open: usize) -> Doubtful {
        let start = self.units.partition_point(|unit| unit.piece.source.start < found.start);
        let end = self.units.partition_point(|unit| unit.piece.source.end <= found.end);
        let doubtful_end =
            self.units.get(end).map_or(self.doubtful_end, |next| next.gap == Blank::Break { doubtful: true });
        let mut doubtful = self.doubtful(text, &BodyPart { units: start..end, doubtful_end, first: None });
        if end - start == self.units.len() {
            doubtful.quoted = self.next_closer(text, open).map(|closer| Box::new(self.up_to(text, closer)));
        }
        doubtful
    }

    /// W-QUOTE-3: the text up to the next closer.
    fn up_to(&self, text: &[u8], closer: usize) -> Doubtful {
        let mut longer = Body { units: self.units.clone(), ..*self };
        let mut gap = Blank::Break { doubtful: self.doubtful_end };
        longer.read_line(text, self.close + 1, closer, &mut gap);
        longer.unmask(text);
        let doubtful_end = gap == Blank::Break { doubtful: true };
        longer.doubtful(text, &BodyPart { units: 0..longer.units.len(), doubtful_end, first: None })
    }
}

/// The word that may mask an `@`.
fn is_at(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"at")
}

/// Whether a byte may stand in a label of a host.
fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || !byte.is_ascii()
}

/// How many bytes some units read as.
fn length(units: &[Unit]) -> usize {
    units.iter().map(|unit| unit.piece.len()).sum()
}

/// Whether a `-` before a line break within some units may be the break's (W-HYPH-1).
fn has_doubtful_hyphen(units: &[Unit]) -> bool {
    units.iter().skip(1).any(|unit| unit.gap == Blank::Break { doubtful: true })
}

/// How many units stand before the first blank that touches no line break (W-INNER).
fn inner_blank(units: &[Unit]) -> Option<usize> {
    units.iter().skip(1).position(|unit| unit.gap == Blank::Inner).map(|at| at + 1)
}

/// The lines below the opener's: goes from one line of a body to the next one that is not blank, over page breaks
/// (W-FAIL-1, W-PAGE).
struct Below<'t> {
    text: &'t [u8],
    open: usize,
    /// Those of the opener's line. To read them is to look at all of it, and few lines ask (ST-2).
    markers: LazyMarkers,
    limit: usize,
    lines: usize,
    /// The start of a line.
    at: usize,
    /// The body's last line had a `>` of the opener's line; at first that line itself (W-QUOTE-2).
    quoted: bool,
}

impl Below<'_> {
    fn new(text: &[u8], open: usize, limit: usize) -> Below<'_> {
        Below { text, open, markers: LazyMarkers::new(), limit, lines: 1, at: open, quoted: true }
    }

    fn markers(&self) -> &Markers {
        self.markers.get_or_init(|| Markers::of_line(self.text, self.open))
    }

    /// The first content byte of the line after the break at `line_break`, over a page break if there is one; or the
    /// closer that the line is.
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

    /// W-QUOTE-2: a lone `>` that would be a quoted empty line, had not the line before lost its own.
    fn lone_closer(&self, line: &Range<usize>) -> Option<usize> {
        let whole = &self.text[self.at..line.end];
        let closer = whole.iter().position(|&byte| byte == b'>')?;
        (!self.quoted && whole.trim_ascii() == b">").then_some(self.at + closer)
    }

    /// The line at `at`, markers taken off; an error beyond the limits.
    fn line(&mut self) -> Result<Range<usize>, Refusal> {
        self.lines += 1;
        if self.at >= self.limit || self.lines > WRAPPER_LINES {
            return Err(Refusal::Unterminated);
        }
        let end = line_end(self.text, self.at, self.limit);
        let start = match left::unmarked(self.text, self.at, end) {
            Some(start) => start,
            None => self.markers().strip(self.text, self.at, end).min(end),
        };
        Ok(start..end)
    }

    /// Moves on to the line after `line`.
    fn advance(&mut self, line: &Range<usize>) -> Result<Range<usize>, Refusal> {
        if line.end >= self.limit {
            return Err(Refusal::Unterminated);
        }
        self.at = after_break(self.text, line.end);
        self.line()
    }

    /// The first content byte after a page break that begins with this line (W-PAGE). `None` if none does; nothing is
    /// consumed then.
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
        // A header, if it holds no bracket and a blank line follows; else content.
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

    /// Nothing but white space, and no form feed (W-FAIL-1).
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

    /// A line that ends in `[Page N]` and holds no bracket (W-PAGE).
    fn is_footer(&self, line: &Range<usize>) -> bool {
        let line = self.text[line.clone()].trim_ascii_end();
        let Some(head) = line.strip_suffix(b"]") else { return false };
        let digits = head.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        digits > 0 && head[..head.len() - digits].ends_with(b"[Page ") && memchr::memchr2(b'<', b'>', line).is_none()
    }
}

/// The first byte at or after `at` that may end a unit or the body, or `end`. As an iterator it takes half as long again
/// (November 2026).
fn skip_unit(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && !ENDS_UNIT[text[at] as usize] {
        at += 1;
    }
    at
}

/// Where the unit at `at` ends: at white space, or at `end`.
fn unit_end(text: &[u8], mut at: usize, end: usize) -> usize {
    loop {
        at = skip_unit(text, at, end);
        if at == end || white_space(text, at, end) > 0 {
            return at;
        }
        at += 1;
    }
}

/// Length of the W⁺ at `at` (W-WS-1), 0 if there is none.
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

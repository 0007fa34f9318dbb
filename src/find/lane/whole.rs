//! Broken URLs that can be put on one line ([`Options::heals`]).
//!
//! A broken URL is put on one line only if its lines then read the same. With and without
//! rejoining, they have the URLs that they have in the source. The lines above and below must also
//! have the same URLs, since B-JOIN reads the lines around a URL. A bounded copy of the text
//! decides this. It holds the lines above in their healed form, so healing twice is healing once.

use std::ops::Range;

use memchr::memchr2;

use crate::bytes::limits::{
    CLOSED_BYTES, JOIN_BREAKS, JOIN_BYTES, JOIN_LINES_AFTER, JOIN_LINES_BEFORE, LOOKBEHIND, PREFIX_BLANKS, ROW_SLACK,
    RUN_BYTES, SCHEME_RUN,
};
use crate::find::forms::resolve::Resolver;
use crate::find::lane::anchor::Anchors;
use crate::find::matches::{Hit, Kind, RawMatch, Refusal};
use crate::find::options::{Options, Rejoin};
use crate::find::schemes;
use crate::find::text::layers::edge;
use crate::find::text::lines;
use crate::find::text::view::View;

/// The number of bytes after the healed line that are read to resolve its URLs. A URL that needs
/// more is left alone.
const AHEAD: usize = 2 * JOIN_BYTES;

/// The number of lines above a URL whose URLs may depend on its lines (B-JOIN).
const ABOVE: usize = JOIN_BREAKS + JOIN_LINES_AFTER + 2;
/// The number of lines below a URL whose URLs may depend on its lines (B-JOIN).
const BELOW: usize = JOIN_LINES_BEFORE + 2;
/// The number of bytes before a URL that a decision reads.
const REACH: usize = CLOSED_BYTES + JOIN_BYTES + LOOKBEHIND;
/// The number of bytes of the healed text that are kept before a URL. The decisions within reach
/// read them, and those within reach of these.
const KEPT: usize = REACH + 2 * (AHEAD + RUN_BYTES);
/// The number of bytes after a URL's start within which its colon stands.
const NEAR: usize = PREFIX_BLANKS + SCHEME_RUN + ROW_SLACK;
/// The number of bytes after a URL that a decision reads: those of its chain, and those after it.
const FORWARD: usize = 2 * RUN_BYTES + CLOSED_BYTES + JOIN_BYTES + AHEAD;
/// The number of decisions above that one URL's decision may try.
const TRIALS: usize = 32;

/// Returns the text that replaces a match: the URL in its brackets or after its `URL:`. Returns
/// `None` if the match has no line break, or is a name without a scheme.
pub(crate) fn whole(text: &[u8], found: &RawMatch) -> Option<Vec<u8>> {
    let source = &text[found.start..found.end];
    let is_broken = memchr2(b'\n', b'\r', source).is_some();
    if !is_broken || !matches!(found.kind, Kind::Bare | Kind::Prefixed | Kind::Wrapped | Kind::Angle) {
        return None;
    }
    let (before, after): (&[u8], &[u8]) = match found.kind {
        Kind::Wrapped | Kind::Angle => {
            let open: &[u8] = match source {
                [b'<', b'u' | b'U', b'r' | b'R', b'l' | b'L', b':', ..] if found.kind == Kind::Wrapped => &source[..5],
                [b'<', ..] => b"<",
                _ => b"",
            };
            (open, if source.ends_with(b">") { b">" } else { b"" })
        }
        Kind::Prefixed => {
            let colon = memchr2(b':', b'\n', source).map_or(0, |colon| colon + 1);
            let blanks = source[colon..].iter().take_while(|&&byte| lines::is_blank(byte)).count();
            (&source[..colon + blanks], b"")
        }
        _ => (b"", b""),
    };
    let url = found.first.bytes(text);
    (found.kind != Kind::Wrapped || has_scheme(&url)).then(|| [before, &url, after].concat())
}

/// Returns whether a wrapped body begins with a scheme. Without one it holds no URL (B-TRAP).
fn has_scheme(body: &[u8]) -> bool {
    let word = memchr::memchr(b':', body).map_or(&body[..0], |colon| &body[..colon]);
    word.first().is_some_and(u8::is_ascii_alphabetic) && word.iter().all(|&byte| schemes::is_scheme_byte(byte))
}

/// The decision on the last broken hit, and on the hits that begin on its last line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Healing {
    /// The end of the line.
    until: usize,
    is_healed: bool,
    above: Above,
}

impl Healing {
    /// Marks the matches of a hit, if they are broken and one line can hold them. Returns the
    /// decision that the next hits need, if it is a new one.
    pub(crate) fn mark(&self, text: &View<'_>, hit: &mut Hit, options: &Options) -> Option<Healing> {
        if !is_broken(text, hit) {
            return None;
        }
        let healing = match hit.start() >= self.until {
            true => Some(self.above.decide(text, hit, options)),
            false if self.is_healed => None,
            false => Some(Healing { until: self.until.max(last_line_end(text, hit)), ..self.clone() }),
        };
        let is_healed = healing.as_ref().map_or(self.is_healed, |healing| healing.is_healed);
        hit.first.is_healed = is_healed;
        hit.rest.iter_mut().for_each(|part| part.is_healed = is_healed);
        healing
    }

    /// Returns the decision for a window whose first `by` bytes were removed.
    pub(crate) fn shifted(self, by: usize) -> Healing {
        Healing { until: self.until.saturating_sub(by), above: self.above.shifted(by), ..self }
    }
}

/// The text above a broken hit in its healed form, and the broken hits there that stay broken.
///
/// A second run reads this form, so each decision is made on it. It also reads the lines below in
/// their healed form. So a hit stays broken if a hit above could be healed after it.
#[derive(Clone, Debug, Default)]
struct Above {
    healed: Vec<u8>,
    /// The place in the source that follows `healed`.
    upto: usize,
    left: Vec<Left>,
}

/// Broken hits that stay broken. The places are those of [`Above::healed`].
#[derive(Clone, Copy, Debug)]
struct Left {
    start: usize,
    /// The end of the last line.
    last: usize,
    /// The decision needed too many trials. The hits within reach stay broken.
    is_open: bool,
}

impl Left {
    /// Returns whether a change at `at` can change the decision.
    fn reaches(&self, at: usize) -> bool {
        at < self.last + AHEAD
    }
}

impl Above {
    /// Returns the decision on a broken hit that begins after the last decision's line.
    fn decide(&self, text: &View<'_>, hit: &Hit, options: &Options) -> Healing {
        let mut above = self.before(text, hit.start());
        let start = above.healed.len();
        let end = text.len().min(hit.end() + FORWARD);
        above.healed.extend_from_slice(&text[hit.start()..end]);
        let view = View::new(&above.healed, end < text.len() || text.goes_on());
        let chain = BrokenHits::at(&view, start, options);
        let last = chain.as_ref().map_or(start + last_line_end(text, hit) - hit.start(), |chain| chain.last);
        let mut trials = Trials { options, left: TRIALS };
        let decision = trials.decide(&view, start, chain.as_ref(), &above.left);
        if view.is_touched() && end == text.len() {
            text.touch();
        }
        let until = hit.start() + (last - start);
        let is_healed = decision == Some(true);
        let tail = above.healed.len() - last;
        match chain.filter(|_| is_healed) {
            Some(chain) => above.healed = chain.healed(&above.healed, 0, above.healed.len()),
            None => above.left.push(Left { start, last, is_open: decision.is_none() }),
        }
        above.healed.truncate(above.healed.len() - tail);
        Healing { until, is_healed, above: Above { upto: until, ..above } }
    }

    /// Returns the text up to `start` as far as a decision there reads it.
    fn before(&self, text: &[u8], start: usize) -> Above {
        if start >= self.upto + KEPT {
            return Above { healed: text[start.saturating_sub(KEPT)..start].to_vec(), ..Above::default() };
        }
        let (gap, mut above) = (&text[self.upto..start], self.clone());
        above.healed.extend_from_slice(gap);
        let at = above.healed.len();
        let gone = at.saturating_sub(KEPT);
        above.healed.drain(..gone);
        above.left.retain(|left| left.start.saturating_sub(REACH) >= gone && at < left.last + 2 * AHEAD);
        above.left.iter_mut().for_each(|left| (left.start, left.last) = (left.start - gone, left.last - gone));
        above
    }

    /// Returns the text above in a window whose first `by` bytes were removed.
    fn shifted(self, by: usize) -> Above {
        match self.upto.checked_sub(by) {
            Some(upto) => Above { upto, ..self },
            None => Above::default(),
        }
    }
}

/// The decisions on a broken hit, and on those above as if it were healed.
struct Trials<'o> {
    options: &'o Options,
    left: usize,
}

impl Trials<'_> {
    /// Returns whether the chain of broken hits at `start` is healed. `None` means that the trials
    /// do not decide this.
    fn decide(&mut self, text: &View<'_>, start: usize, chain: Option<&BrokenHits>, left: &[Left]) -> Option<bool> {
        let Some(chain) = chain.filter(|chain| chain.stays(text, self.options)) else { return Some(false) };
        if left.iter().all(|left| !left.reaches(start)) {
            return Some(true);
        }
        let healed = chain.healed(text, 0, text.len());
        let healed = View::new(&healed, text.goes_on());
        let mut is_healed = true;
        for (index, hits) in left.iter().enumerate().filter(|(_, hits)| hits.reaches(start)) {
            self.left = self.left.checked_sub(1)?;
            if hits.is_open {
                return None;
            }
            let chain = BrokenHits::at(&healed, hits.start, self.options);
            is_healed &= !self.decide(&healed, hits.start, chain.as_ref(), &left[..index])?;
            text.touch_as(&healed);
        }
        Some(is_healed)
    }
}

fn parts(hit: &Hit) -> impl Iterator<Item = &RawMatch> {
    std::iter::once(&hit.first).chain(&hit.rest)
}

/// Returns whether other cells stand between the rows of a URL (B-CELL). On one line, the URL would
/// replace their text and their edges.
fn spans_cells(text: &[u8], part: &RawMatch) -> bool {
    let pieces: Vec<_> = part.first.iter().map(|piece| piece.source).collect();
    pieces.windows(2).any(|pair| {
        let gap = text.get(pair[0].end..pair[1].start).unwrap_or_default();
        let is_apart =
            gap.starts_with(b"  ") && gap.iter().find(|&&byte| byte != b' ').is_some_and(u8::is_ascii_alphanumeric);
        is_apart || edge::has_cells(gap)
    })
}

fn is_broken(text: &[u8], hit: &Hit) -> bool {
    parts(hit).any(|part| whole(text, part).is_some())
}

/// Returns the end of the line on which a hit ends, or a place beyond the reach of delimiters.
fn last_line_end(text: &View<'_>, hit: &Hit) -> usize {
    lines::line_end(text, hit.end(), hit.end() + CLOSED_BYTES)
}

/// Broken hits of which each begins on the last line of the one before. They are put on one line
/// together, or not at all.
struct BrokenHits {
    hits: Vec<Hit>,
    /// The end of the last hit's line.
    last: usize,
    is_too_long: bool,
}

impl BrokenHits {
    /// Reads the chain that begins at `start`.
    fn at(text: &View<'_>, start: usize, options: &Options) -> Option<BrokenHits> {
        let near = start..text.len().min(start + NEAR);
        let hit = hits(text, near, options).next()?;
        (hit.start() == start && is_broken(text, &hit)).then(|| BrokenHits::read(text, &hit, options))
    }

    fn read(text: &View<'_>, hit: &Hit, options: &Options) -> BrokenHits {
        let mut chain = BrokenHits { last: last_line_end(text, hit), hits: vec![hit.clone()], is_too_long: false };
        let (mut from, start) = (hit.end(), hit.start());
        while let Some(next) = hits(text, from..chain.last, options).find(|next| is_broken(text, next)) {
            (from, chain.last) = (next.end(), last_line_end(text, &next));
            chain.hits.push(next);
            if from - start > RUN_BYTES {
                chain.is_too_long = true;
                break;
            }
        }
        chain
    }

    /// Returns whether the text reads the same with each hit on one line. This concerns the lines of
    /// the chain, and the lines above and below.
    fn stays(&self, text: &View<'_>, options: &Options) -> bool {
        if self.is_too_long || self.hits.iter().flat_map(parts).any(|part| spans_cells(text, part)) {
            return false;
        }
        let start = self.hits[0].start();
        let nearest = start.saturating_sub(CLOSED_BYTES);
        let first = lines::line_start(text, start).map_or(nearest, |line| line.max(nearest));
        let above = above(text, first);
        let (low, high) = (above.saturating_sub(LOOKBEHIND), text.len().min(self.last + AHEAD));
        let below = below(text, self.last);
        let healed = self.healed(text, low, high);
        let in_healed = |at: usize| healed.len() - (high - at);
        let lines = first - low..in_healed(self.last);

        let view = View::new(&healed, high < text.len() || text.goes_on());
        let source = urls(text, above..below, options);
        let again = urls(&view, above - low..in_healed(below), options);
        let by_line = urls(&view, lines.clone(), &Options { rejoin: Rejoin::None, ..*options });
        if view.is_touched() {
            if high == text.len() {
                text.touch();
            }
            return false;
        }
        let is_on_lines = |found: &&LineUrl| lines.contains(&found.start);
        let is_kept = |(one, other): (&LineUrl, &LineUrl)| {
            one.url == other.url && other.is_broken == (one.is_broken && !is_on_lines(&other))
        };
        source.len() == again.len()
            && source.iter().zip(&again).all(is_kept)
            && again.iter().filter(is_on_lines).map(|found| &found.url).eq(by_line.iter().map(|found| &found.url))
    }

    /// Returns `text[low..high]` with each hit on one line.
    fn healed(&self, text: &[u8], low: usize, high: usize) -> Vec<u8> {
        let (mut healed, mut at) = (Vec::with_capacity(high - low), low);
        for part in self.hits.iter().flat_map(parts) {
            if let Some(whole) = whole(text, part) {
                healed.extend_from_slice(&text[at..part.start]);
                healed.extend(whole);
                at = part.end;
            }
        }
        healed.extend_from_slice(&text[at..high]);
        healed
    }
}

/// Returns the start of the lines above a line whose URLs read that line (B-JOIN).
fn above(text: &[u8], line: usize) -> usize {
    let low = line.saturating_sub(JOIN_BYTES);
    let breaks = memchr::memrchr2_iter(b'\n', b'\r', &text[low..line]).map(|found| low + found);
    breaks.filter(|&at| is_last_of_break(text, at)).nth(ABOVE).map_or(low, |at| at + 1)
}

/// Returns the end of the lines below a line that read that line (B-JOIN).
fn below(text: &View<'_>, line_end: usize) -> usize {
    let end = text.len().min(line_end + JOIN_BYTES);
    let breaks = memchr::memchr2_iter(b'\n', b'\r', &text[line_end..end]).map(|found| line_end + found);
    let found = breaks.filter(|&at| is_last_of_break(text, at)).nth(BELOW);
    found.unwrap_or_else(|| text.upto(line_end + JOIN_BYTES))
}

/// Returns whether the byte at `at`, a CR or LF, ends a line break. A CR before LF does not.
fn is_last_of_break(text: &[u8], at: usize) -> bool {
    !text[at..].starts_with(b"\r\n")
}

/// A URL that begins in a range.
struct LineUrl {
    start: usize,
    url: Vec<u8>,
    is_broken: bool,
}

/// Returns the hits that begin in `range`.
fn hits(text: &View<'_>, range: Range<usize>, options: &Options) -> impl Iterator<Item = Hit> {
    let (mut resolver, mut anchors) = (Resolver::new(*options), Anchors::new(*options));
    let (mut colon, mut pos) = (range.start, range.start);
    std::iter::from_fn(move || {
        while let Some(candidate) = anchors.next(text, colon, range.end) {
            let found = resolver.resolve(text, candidate, pos, &mut None);
            colon = candidate.colon + 1;
            match found {
                Ok(Some(hit)) if hit.start() >= pos => {
                    pos = hit.end();
                    colon = colon.max(pos);
                    return Some(hit);
                }
                Err((at, Refusal::TooLong)) if at >= pos => {
                    pos = at + RUN_BYTES;
                    colon = colon.max(pos);
                }
                _ => {}
            }
        }
        None
    })
}

/// Returns the URLs that begin in `range`.
fn urls(text: &View<'_>, range: Range<usize>, options: &Options) -> Vec<LineUrl> {
    let url = |part: &RawMatch| LineUrl {
        start: part.start,
        url: part.first.bytes(text).into_owned(),
        is_broken: whole(text, part).is_some(),
    };
    hits(text, range, options).flat_map(|hit| parts(&hit).map(url).collect::<Vec<_>>()).collect()
}

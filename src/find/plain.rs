//! The fast lane: plain URLs, for which no rule has anything to decide.
//!
//! Nearly every URL is plain: http, https or ftp, a host name, and bytes that are no brackets, up to a blank, a bracket or
//! a quote; in the text by itself, between angle brackets or in a wrapper. It is read at a glance, from bit masks
//! ([`Plain`]), where the rules in their full form ask each byte several times over: 400 ns a URL of *dense* went down to
//! a quarter (AMD EPYC, 2026-11).
//!
//! This decides nothing anew. What any rule might object to is left to the rules; [`Search`](super::Search) asserts in
//! debug builds that both read the same, for every URL that comes this way.

use crate::bytes::simd::{Backend, WIDTH};
use crate::find::anchor::last_eight;
use crate::find::extent;
use crate::find::join;
use crate::find::readings::{Pieces, RawMatch, Seldom};
use crate::find::{Kind, Options, schemes};
use crate::url::plain::{Plain, PlainScheme};
use crate::url::{self, Level, Verdict};

/// A plain URL is not longer than this after its `//`.
const LONGEST: usize = 1024;

/// The plain URL that begins at the scheme before `colon`, or the wrapper whose `URL` that is. `None`: ask the rules.
#[inline(always)]
pub(crate) fn read(text: &[u8], colon: usize, backend: Backend, options: &Options) -> Option<RawMatch> {
    if text.get(colon + 1) != Some(&b'/') {
        return read_wrapper(text, colon, backend, options).or_else(|| read_angle_address(text, colon));
    }
    let (scheme, run) = Run::read(text, colon, backend)?;
    let start = colon - scheme.len();
    let before = *text[..start].last()?;
    if schemes::is_scheme_byte(before) {
        return None;
    }
    if before == b'<' {
        let found = run.bracketed(text, start, scheme, options)?;
        // W-ANGLE-1: the host is a name.
        return (found.verdict.level <= Level::Iri).then_some(RawMatch { start: start - 1, kind: Kind::Angle, ..found });
    }
    run.bare(text, start, scheme, before, options)
}

/// W-FORM-1: `<URL:` and a plain URL, up to `>`.
fn read_wrapper(text: &[u8], colon: usize, backend: Backend, options: &Options) -> Option<RawMatch> {
    let open = colon.checked_sub(4)?;
    if text[open] != b'<' || !text[open + 1..colon].eq_ignore_ascii_case(b"URL") {
        return None;
    }
    let body = colon + 1;
    let length = text[body..].iter().take(6).position(|&b| b == b':')?;
    let (scheme, run) = Run::read(text, body + length, backend).filter(|(scheme, _)| scheme.len() == length)?;
    let found = run.bracketed(text, body, scheme, options)?;
    Some(RawMatch { start: open, kind: Kind::Wrapped, ..found })
}

/// W-FORM-2: `<mailto:`, an address of letters, digits and `. - _ +`, `>`.
fn read_angle_address(text: &[u8], colon: usize) -> Option<RawMatch> {
    let start = colon.checked_sub(6)?;
    let open = start.checked_sub(1)?;
    if text[open] != b'<' || !schemes::is_mailto(&text[start..colon]) {
        return None;
    }
    let (_, length) = url::mailto::plain_address(&text[colon + 1..])?;
    let end = colon + 1 + length;
    (text.get(end) == Some(&b'>')).then(|| RawMatch {
        start: open,
        end: end + 1,
        kind: Kind::Angle,
        rejoined: false,
        verdict: Verdict { level: Level::Rfc1738, error: None },
        first: Pieces::One(start..end),
        others: Seldom::new(),
        goes_on: false,
    })
}

/// The run of a plain URL.
struct Run {
    /// After `//`.
    body: usize,
    plain: Plain,
    end: usize,
}

impl Run {
    #[inline(always)]
    fn read(text: &[u8], colon: usize, backend: Backend) -> Option<(PlainScheme, Run)> {
        let scheme = PlainScheme::before_colon(last_eight(text, colon))?;
        let body = colon + 3;
        let (slashes, rest) = text.get(colon + 1..)?.split_first_chunk()?;
        if slashes != b"//" {
            return None;
        }
        let bytes = rest.first_chunk::<WIDTH>()?;
        let plain = Plain::read(backend, bytes)?;
        let end = if plain.end < WIDTH { body + plain.end } else { Run::read_on(text, body, backend)? };
        Some((scheme, Run { body, plain, end }))
    }

    /// The end of a run that is longer than one vector.
    #[cold]
    fn read_on(text: &[u8], body: usize, backend: Backend) -> Option<usize> {
        let mut at = body + WIDTH;
        while at < body + LONGEST {
            let more = (!backend.lanes(text.get(at..)?.first_chunk()?).plain).trailing_zeros() as usize;
            at += more;
            if more < WIDTH {
                return Some(at);
            }
        }
        None
    }

    /// The URL from `start` to the `>` that ends the run: neither white space nor a break is in the brackets.
    #[inline(always)]
    fn bracketed(&self, text: &[u8], start: usize, scheme: PlainScheme, options: &Options) -> Option<RawMatch> {
        (text[self.end] == b'>').then(|| RawMatch { end: self.end + 1, ..self.found(text, start, self.end, scheme, options) })
    }

    /// The bare URL at `start`, if B-END takes only points and commas off, and nothing is to be joined.
    #[inline(always)]
    fn bare(&self, text: &[u8], start: usize, scheme: PlainScheme, before: u8, options: &Options) -> Option<RawMatch> {
        if !is_short_strip(text, start, self.end) || !self.ends_here(text, start) {
            return None;
        }
        let mut end = self.end;
        while matches!(text[end - 1], b'.' | b',' | b'!' | b'?') {
            end -= 1;
        }
        let last = text[end - 1];
        if matches!(last, b';' | b'*' | b'\'' | b'-') || last == before {
            return None;
        }
        Some(self.found(text, start, end, scheme, options))
    }

    /// True if the run ends at a byte that ends every run, or at a closer, and does not go on in the next line (B-HYPH,
    /// B-JOIN), because that is empty or certainly prose.
    #[inline(always)]
    fn ends_here(&self, text: &[u8], start: usize) -> bool {
        let at = |offset: usize| text.get(self.end + offset).copied().unwrap_or(b' ');
        let line = match text[self.end] {
            b' ' | b'\t' => return !matches!(at(1), b' ' | b'\t' | b'\n' | b'\r'),
            b'\r' if at(1) == b'\n' => self.end + 2,
            b'\n' | b'\r' => self.end + 1,
            b')' | b']' | b'}' => return true,
            _ => return extent::is_hard_stop(text, self.end),
        };
        matches!(text.get(line), Some(b'\n' | b'\r'))
            || self.end > self.body + self.plain.authority_end && join::is_prose(text, start, self.end, line)
    }

    #[inline(always)]
    fn found(&self, text: &[u8], start: usize, end: usize, scheme: PlainScheme, options: &Options) -> RawMatch {
        let url = &text[start..end];
        let verdict = if self.plain.end < WIDTH { self.plain.verdict(scheme, url, end - self.body) } else { None };
        RawMatch {
            start,
            end,
            kind: Kind::Bare,
            rejoined: false,
            verdict: verdict.unwrap_or_else(|| url::judge(url, options.parse)),
            first: Pieces::One(start..end),
            others: Seldom::new(),
            goes_on: false,
        }
    }
}

/// True if the strip around a run is certainly too short for B-MAX to have a say: a byte that ends every run is near on
/// either side.
#[inline(always)]
fn is_short_strip(text: &[u8], start: usize, end: usize) -> bool {
    const NEAR: usize = 4;
    let is_stop = |&at: &usize| extent::is_hard_stop(text, at);
    (start.saturating_sub(NEAR)..start).rev().any(|at| is_stop(&at))
        && (end..text.len().min(end + NEAR)).any(|at| is_stop(&at))
}

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
use crate::find::readings::{Pieces, RawMatch};
use crate::find::{Kind, Options, schemes};
use crate::url::plain::{Plain, PlainScheme};
use crate::url::{self, Level};

/// A plain URL is not longer than this after its `//`.
const LONGEST: usize = 1024;

/// The plain URL that begins at the scheme before `colon`, or the wrapper whose `URL` that is. `None`: ask the rules.
#[inline]
pub(crate) fn read(text: &[u8], colon: usize, backend: Backend, options: &Options) -> Option<RawMatch> {
    if text.get(colon + 1) != Some(&b'/') {
        return read_wrapper(text, colon, backend, options);
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
        let bytes = text.get(body..)?.first_chunk::<WIDTH>()?;
        if text[colon + 1..body] != *b"//" {
            return None;
        }
        let plain = Plain::read(backend, bytes)?;
        let mut run = Run { body, plain, end: body + plain.end };
        if plain.end == WIDTH {
            run.end = run.read_on(text, backend)?;
        }
        Some((scheme, run))
    }

    /// The end of a run that is longer than one vector.
    #[cold]
    fn read_on(&self, text: &[u8], backend: Backend) -> Option<usize> {
        let mut at = self.end;
        while at < self.body + LONGEST {
            let more = (!backend.lanes(text.get(at..)?.first_chunk()?).plain).trailing_zeros() as usize;
            at += more;
            if more < WIDTH {
                return Some(at);
            }
        }
        None
    }

    /// The URL from `start` to the `>` that ends the run: neither white space nor a break is in the brackets.
    fn bracketed(&self, text: &[u8], start: usize, scheme: PlainScheme, options: &Options) -> Option<RawMatch> {
        (text[self.end] == b'>').then(|| RawMatch { end: self.end + 1, ..self.found(text, start, self.end, scheme, options) })
    }

    /// The bare URL at `start`, if B-END takes only points and commas off, and nothing is to be joined.
    #[inline(always)]
    fn bare(&self, text: &[u8], start: usize, scheme: PlainScheme, before: u8, options: &Options) -> Option<RawMatch> {
        if !self.ends_here(text) || !is_short_strip(text, start, self.end) {
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

    /// True if the run ends at a byte that ends every run, or at a closer, and not at the end of its line (B-HYPH,
    /// B-JOIN); but an empty line may follow.
    #[inline(always)]
    fn ends_here(&self, text: &[u8]) -> bool {
        let after = |offset: usize| text.get(self.end + offset).copied().unwrap_or(b' ');
        match text[self.end] {
            b' ' | b'\t' => !matches!(after(1), b' ' | b'\t' | b'\n' | b'\r'),
            b'\n' => matches!(after(1), b'\n' | b'\r'),
            b'\r' if after(1) == b'\n' => matches!(after(2), b'\n' | b'\r'),
            b'\r' => after(1) == b'\r',
            b')' | b']' | b'}' => true,
            _ => extent::is_hard_stop(text, self.end),
        }
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
            others: Vec::new(),
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

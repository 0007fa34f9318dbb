//! The fast lane: plain URLs, for which no rule has anything to decide.
//!
//! Nearly every URL is plain: a scheme of K, a host name, and bytes that are no brackets, up to a blank, a bracket or a
//! quote; in the text by itself, between angle brackets or in a wrapper. It is read at a glance, from bit masks of 64
//! bytes ([`Plain`]), where the rules ask each byte several times over. A URL of text that is made of URLs cost 410 ns to
//! find and judge without it, and 110 with it (AMD EPYC, 2026-11).
//!
//! # Contract
//!
//! It answers only what the rules ([`resolve`](super::resolve)) would answer; else `None`, and they are asked. It may
//! look at the byte before the scheme, at [`LONGEST`] bytes after it, and at the beginning of the next line, and it
//! remembers nothing. What both lanes decide is decided by one function (B-END by [`trim`], the next line by
//! [`join::is_hopeless`], B-MAIL and B-NEWS by [`extent`]); what is read from masks is checked against the rules' tables
//! when this is compiled. A test compares the lanes on random texts with random options, and a debug build does so for
//! every URL.
//!
//! | shortcut | anticipates |
//! |---|---|
//! | [`byte_before`]: no scheme byte stands before the scheme | B-START-1: the word is the scheme |
//! | [`Slashed`]: 64 bytes by their masks | B-START-2, B-AUTH, B-HOST, B-RUN-1, B-LIST, B-UNI, B-STARS |
//! | [`Slashed::finish`]: `<` before and `>` behind | W-FORM-2, W-ANGLE-1 |
//! | [`read_announced`] | W-FORM-1, P-FORM-1, P-FORM-2 |
//! | [`read_opaque`] | B-START-3, B-MAIL, B-NEWS |
//! | [`ends_here`]: nothing follows, or a hopeless line; no escape | B-RUN-1, B-HYPH, B-JOIN, B-JSON, B-ROFF |
//! | [`is_short_strip`] | B-MAX |

use std::ops::Range;

use crate::Level;
use crate::bytes::simd::{self, Lanes, Look, PlainRun, WIDTH};
use crate::find::anchor::{Candidate, last_eight};
use crate::find::lines::{after_break, is_blank, is_break};
use crate::find::matches::{Kind, Pieces, RawMatch};
use crate::find::options::Options;
use crate::find::{escaped, extent, join, run, schemes, trim};
use crate::url::plain::{Plain, PlainScheme};
use crate::url::scheme::LONGEST as LONGEST_NAME;
use crate::url::{self, Verdict};

/// A plain URL is not longer than this after its `//`.
const LONGEST: usize = 1024;

/// A plain byte goes on with every run (B-RUN-1), and opens or closes no bracket or quotation. Escaped markup ends in `;`,
/// which is not plain, so that `&` may be.
const _: () = {
    use run::{AMPERSAND, COMMA, PLAIN, QUERY};
    let mut byte = 0;
    while byte < 128 {
        assert!(!simd::is_plain(byte) || matches!(run::CLASS[byte as usize], PLAIN | COMMA | QUERY | AMPERSAND));
        byte += 1;
    }
    assert!(!simd::is_plain(b';') && !simd::is_plain(b'*'));
};

/// The plain URL that begins at the scheme before the candidate, or the wrapper whose `URL` that is. `None`: ask the
/// rules.
#[inline(always)]
pub(crate) fn read(text: &[u8], candidate: Candidate, options: &Options) -> Option<RawMatch> {
    let Candidate { colon, word } = candidate;
    if text.get(colon + 1) == Some(&b'/') {
        let scheme = PlainScheme::before_colon(word)?;
        let before = byte_before(text, colon - scheme.len())?;
        Slashed::new(text, colon, scheme, before, options)?.read()
    } else if schemes::is_url(word) {
        read_announced(text, colon, options)
    } else {
        read_opaque(text, candidate, options)
    }
}

/// The byte before a scheme that begins at `start`, if the scheme is all of the word there.
#[inline(always)]
fn byte_before(text: &[u8], start: usize) -> Option<u8> {
    text[..start].last().copied().filter(|&byte| !schemes::is_scheme_byte(byte))
}

/// `<URL:` and a plain URL up to `>`, or `URL:`, a few blanks and a plain URL.
#[inline]
fn read_announced(text: &[u8], colon: usize, options: &Options) -> Option<RawMatch> {
    /// More blanks are left to the rules.
    const BLANKS: usize = 4;
    let prefix = colon - 3;
    let is_wrapper = byte_before(text, prefix)? == b'<';
    let blanks = text[colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
    if is_wrapper && blanks > 0 || blanks > BLANKS {
        return None;
    }
    let at = colon + 1 + blanks;
    let inner = at + text[at..].iter().take(LONGEST_NAME + 1).position(|&byte| byte == b':')?;
    let scheme = PlainScheme::before_colon(last_eight(text, inner)).filter(|scheme| at + scheme.len() == inner)?;
    let before = if is_wrapper { b'<' } else { text[at - 1] };
    let found = Slashed::new(text, inner, scheme, before, options)?.read()?;
    let (start, kind) = if is_wrapper { (prefix - 1, Kind::Wrapped) } else { (prefix, Kind::Prefixed) };
    Some(RawMatch { start, kind, ..found })
}

/// mailto and news, which have no `//`.
#[inline]
fn read_opaque(text: &[u8], candidate: Candidate, options: &Options) -> Option<RawMatch> {
    let Candidate { colon, word } = candidate;
    let (len, is_mail) = schemes::opaque_before_colon(word)?;
    let start = colon - len;
    let before = byte_before(text, start)?;
    let body = colon + 1;
    if is_mail && before == b'<' {
        let (_, length) = url::mailto::plain_address(&text[body..])?;
        let end = body + length;
        let verdict = Verdict { level: Level::Rfc1738, error: None };
        return (text.get(end) == Some(&b'>')).then(|| angle(start..end, verdict));
    }
    let bytes = text[body..].first_chunk::<WIDTH>()?;
    let mut length = options.backend.look(bytes, PlainRun);
    if length == WIDTH || before == b'<' {
        return None;
    }
    if bytes[length] == b'@' {
        let host = length + 1;
        length = host + options.backend.look(text[body + host..].first_chunk()?, PlainRun);
    }
    let end = bare_end(text, start..body + length, body, body, before)?;
    let name = &text[body..end];
    let is_name = if is_mail { extent::is_mail(name) } else { extent::is_news(name) };
    is_name.then(|| bare(start..end, url::judge_with(options.backend, &text[start..end], options.parse)))
}

/// A URL that nothing announces.
#[inline(always)]
fn bare(url: Range<usize>, verdict: Verdict) -> RawMatch {
    RawMatch::new(url.clone(), Kind::Bare, Pieces::One(url), verdict)
}

/// A URL between angle brackets.
#[inline(always)]
fn angle(url: Range<usize>, verdict: Verdict) -> RawMatch {
    RawMatch::new(url.start - 1..url.end + 1, Kind::Angle, Pieces::One(url), verdict)
}

/// A URL with `//`, and the 64 bytes after that.
#[derive(Clone, Copy)]
struct Slashed<'a> {
    text: &'a [u8],
    options: &'a Options,
    bytes: &'a [u8; WIDTH],
    scheme: PlainScheme,
    start: usize,
    /// The byte before the scheme.
    before: u8,
    /// After `//`.
    body: usize,
}

impl<'a> Slashed<'a> {
    #[inline(always)]
    fn new(text: &'a [u8], colon: usize, scheme: PlainScheme, before: u8, options: &'a Options) -> Option<Slashed<'a>> {
        let (slashes, rest) = text.get(colon + 1..)?.split_first_chunk()?;
        let bytes = rest.first_chunk()?;
        let start = colon - scheme.len();
        (slashes == b"//").then_some(Slashed { text, options, bytes, scheme, start, before, body: colon + 3 })
    }

    #[inline(always)]
    fn read(self) -> Option<RawMatch> {
        match self.options.backend.look(self.bytes, self) {
            Some(Glimpse::Whole(found)) => Some(found),
            Some(Glimpse::Beginning(plain)) => self.read_long(plain),
            None => None,
        }
    }

    /// The same for a run that is longer than one vector.
    #[cold]
    fn read_long(self, plain: Plain) -> Option<RawMatch> {
        let mut end = self.body + WIDTH;
        while end < self.body + LONGEST {
            let more = self.options.backend.look(self.text.get(end..)?.first_chunk()?, PlainRun);
            end += more;
            if more < WIDTH {
                return self.finish(&plain, end);
            }
        }
        None
    }

    /// The URL whose run ends at `run_end`: between brackets it is the run, bare it is what B-END leaves of it.
    #[inline(always)]
    fn finish(self, plain: &Plain, run_end: usize) -> Option<RawMatch> {
        let Slashed { text, start, before, body, .. } = self;
        if before == b'<' {
            // Neither white space nor a break may be in the brackets; the host is a name.
            let verdict = (text[run_end] == b'>').then(|| self.verdict(plain, run_end))?;
            return (verdict.level <= Level::Iri).then(|| angle(start..run_end, verdict));
        }
        let end = bare_end(text, start..run_end, body, body + plain.authority_end, before)?;
        Some(bare(start..end, self.verdict(plain, end)))
    }

    #[inline(always)]
    fn verdict(&self, plain: &Plain, end: usize) -> Verdict {
        let url = &self.text[self.start..end];
        let len = end - self.body;
        let verdict = if len < WIDTH { plain.verdict(self.scheme, url, len) } else { None };
        verdict.unwrap_or_else(|| url::judge_any(url, self.options.parse))
    }
}

/// What the first 64 bytes show.
enum Glimpse {
    Whole(RawMatch),
    /// The run goes on. It is read when the look is over: a call from within, or an answer without the masks, made the
    /// compiler take the vectors apart byte by byte, for half as many instructions again on text that is made of URLs
    /// (2026-11).
    Beginning(Plain),
}

impl Look for Slashed<'_> {
    type Answer = Option<Glimpse>;

    #[inline(always)]
    fn answer(self, lanes: Lanes) -> Option<Glimpse> {
        let plain = Plain::read(self.bytes, lanes)?;
        if plain.end == WIDTH {
            return Some(Glimpse::Beginning(plain));
        }
        self.finish(&plain, self.body + plain.end).map(Glimpse::Whole)
    }
}

/// The end of a bare URL with this run, if it ends here.
#[inline(always)]
fn bare_end(text: &[u8], run: Range<usize>, body: usize, authority_end: usize, before: u8) -> Option<usize> {
    let start = run.start;
    if !is_short_strip(text, &run) || !ends_here(text, &run, body) {
        return None;
    }
    Some(start + trim::url_len(&text[run], body - start, authority_end - start, Some(before)))
}

/// True if the run ends at a byte that ends every run, or at a closer, and does not go on in the next line, because that
/// is empty or hopeless.
#[inline(always)]
fn ends_here(text: &[u8], run: &Range<usize>, body: usize) -> bool {
    /// More blanks at the end of a line are left to the rules.
    const BLANKS: usize = 16;
    let mut at = run.end;
    if is_blank(text[at]) {
        at += text[at..].iter().take(BLANKS).take_while(|&&byte| is_blank(byte)).count();
    }
    match text.get(at) {
        Some(&byte) if is_break(byte) => {
            let line = after_break(text, at);
            match text.get(line) {
                Some(&byte) if is_break(byte) => text[run.end - 1] != b'-',
                Some(_) => join::is_hopeless(text, run.clone(), body, line),
                None => false,
            }
        }
        Some(&byte) if is_blank(byte) => false,
        Some(_) if at > run.end => true,
        Some(b')' | b']' | b'}') => true,
        Some(_) => run::is_hard_stop(text, at) && !escaped::may_be_escape(text, at),
        None => false,
    }
}

/// True if the strip around a run is certainly too short for B-MAX to have a say: a byte that ends every run is near on
/// either side.
#[inline(always)]
fn is_short_strip(text: &[u8], run: &Range<usize>) -> bool {
    const NEAR: usize = 5; // `URL:` and a blank
    let is_stop = |at: usize| run::is_hard_stop(text, at);
    (run.start.saturating_sub(NEAR)..run.start).rev().any(is_stop)
        && (run.end..text.len().min(run.end + NEAR)).any(is_stop)
}

#[cfg(test)]
mod tests;

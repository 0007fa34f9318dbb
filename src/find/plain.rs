//! The fast lane: plain URLs, for which no rule has anything to decide.
//!
//! Nearly every URL is plain: http, https or ftp, a host name, and bytes that are no brackets, up to a blank, a bracket or
//! a quote; in the text by itself, between angle brackets or in a wrapper. It is read at a glance, from bit masks
//! ([`Plain`]), where the rules in their full form ask each byte several times over: 400 ns a URL of *dense* went down to
//! a quarter (AMD EPYC, 2026-11).
//!
//! This decides nothing anew. What any rule might object to is left to the rules; [`Search`](super::Search) asserts in
//! debug builds that both read the same, for every URL that comes this way.

use std::ops::Range;

use crate::bytes::simd::{Backend, WIDTH};
use crate::find::anchor::last_eight;
use crate::find::extent;
use crate::find::join;
use crate::find::readings::{Pieces, RawMatch, Seldom};
use crate::find::unwrap::after_break;
use crate::find::{Kind, Options, schemes};
use crate::url::plain::{Plain, PlainScheme};
use crate::url::{self, Level, Verdict};

/// A plain URL is not longer than this after its `//`.
const LONGEST: usize = 1024;

/// The plain URL that begins at the scheme before `colon`, or the wrapper whose `URL` that is. `None`: ask the rules.
#[inline(always)]
pub(crate) fn read(text: &[u8], colon: usize, backend: Backend, options: &Options) -> Option<RawMatch> {
    if text.get(colon + 1) != Some(&b'/') {
        return read_wrapper(text, colon, backend, options).or_else(|| read_opaque(text, colon, backend, options));
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
        return (found.verdict.level <= Level::Iri).then_some(RawMatch {
            start: start - 1,
            kind: Kind::Angle,
            ..found
        });
    }
    let end = bare_end(text, start..run.end, before, Some(run.body + run.plain.authority_end))?;
    Some(run.found(text, start, end, scheme, options))
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

/// mailto and news, which have no `//`.
fn read_opaque(text: &[u8], colon: usize, backend: Backend, options: &Options) -> Option<RawMatch> {
    let (len, is_mail) = schemes::opaque_before_colon(last_eight(text, colon))?;
    let start = colon - len;
    let before = *text[..start].last()?;
    if schemes::is_scheme_byte(before) {
        return None;
    }
    let body = colon + 1;
    if is_mail && before == b'<' {
        let (_, length) = url::mailto::plain_address(&text[body..])?;
        let end = body + length;
        let verdict = Verdict { level: Level::Rfc1738, error: None };
        return (text.get(end) == Some(&b'>')).then(|| RawMatch {
            start: start - 1,
            end: end + 1,
            kind: Kind::Angle,
            ..plain_match(start..end, verdict)
        });
    }
    let plain = backend.lanes(text[body..].first_chunk()?).plain;
    let mut length = (!plain).trailing_zeros() as usize;
    let at_sign = length;
    if at_sign == WIDTH || before == b'<' {
        return None;
    }
    let has_at_sign = text[body + at_sign] == b'@';
    if has_at_sign {
        length = (!(plain | 1 << at_sign)).trailing_zeros() as usize;
    }
    if length == WIDTH {
        return None;
    }
    let end = bare_end(text, start..body + length, before, None)?;
    let name = &text[body..end];
    // B-MAIL, B-NEWS
    let is_name = match is_mail {
        _ if has_at_sign => at_sign > 0 && at_sign + 1 < name.len(),
        true => false,
        false => name.first()?.is_ascii_alphabetic() && name.contains(&b'.'),
    };
    is_name.then(|| plain_match(start..end, url::judge(&text[start..end], options.parse)))
}

/// A bare match that nothing is doubtful about.
#[inline(always)]
fn plain_match(url: Range<usize>, verdict: Verdict) -> RawMatch {
    RawMatch {
        start: url.start,
        end: url.end,
        kind: Kind::Bare,
        rejoined: false,
        verdict,
        first: Pieces::One(url),
        others: Seldom::new(),
        goes_on: false,
    }
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
        let is_closed = text[self.end] == b'>';
        is_closed.then(|| RawMatch { end: self.end + 1, ..self.found(text, start, self.end, scheme, options) })
    }

    #[inline(always)]
    fn found(&self, text: &[u8], start: usize, end: usize, scheme: PlainScheme, options: &Options) -> RawMatch {
        let url = &text[start..end];
        let verdict = if self.plain.end < WIDTH { self.plain.verdict(scheme, url, end - self.body) } else { None };
        plain_match(start..end, verdict.unwrap_or_else(|| url::judge_any(url, options.parse)))
    }
}

/// The end of a bare URL with this run: if B-END takes only points and commas off, and nothing is to be joined.
#[inline(always)]
fn bare_end(text: &[u8], run: Range<usize>, before: u8, authority_end: Option<usize>) -> Option<usize> {
    if !is_short_strip(text, &run) || !ends_here(text, &run, authority_end) {
        return None;
    }
    let mut end = run.end;
    while matches!(text[end - 1], b'.' | b',' | b'!' | b'?') {
        end -= 1;
    }
    let last = text[end - 1];
    (!matches!(last, b';' | b'*' | b'\'' | b'-' | b':') && last != before).then_some(end)
}

/// True if the run ends at a byte that ends every run, or at a closer, and does not go on in the next line (B-HYPH,
/// B-JOIN), because that is empty or of a kind that is never joined.
#[inline(always)]
fn ends_here(text: &[u8], run: &Range<usize>, authority_end: Option<usize>) -> bool {
    /// More blanks at the end of a line are left to the rules.
    const BLANKS: usize = 16;
    let mut at = run.end;
    match text[at] {
        b' ' | b'\t' => {
            at += text[at..].iter().take(BLANKS).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            match text.get(at) {
                Some(b'\n' | b'\r') => {}
                Some(b' ' | b'\t') | None => return false,
                Some(_) => return true,
            }
        }
        b'\n' | b'\r' => {}
        b')' | b']' | b'}' => return true,
        _ => return extent::is_hard_stop(text, at),
    }
    let line = after_break(text, at);
    match text.get(line) {
        Some(b'\n' | b'\r') => true,
        Some(_) => authority_end.is_some_and(|end| join::is_hopeless_line(text, run, end, line)),
        None => false,
    }
}

/// True if the strip around a run is certainly too short for B-MAX to have a say: a byte that ends every run is near on
/// either side.
#[inline(always)]
fn is_short_strip(text: &[u8], run: &Range<usize>) -> bool {
    const NEAR: usize = 4;
    let is_stop = |at: usize| extent::is_hard_stop(text, at);
    (run.start.saturating_sub(NEAR)..run.start).rev().any(is_stop)
        && (run.end..text.len().min(run.end + NEAR)).any(is_stop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::{Event, Search, Step, Window};

    /// What stands before a URL, its parts, what stands after it, and lines that may follow.
    const BEFORE: &[&str] =
        &["", " ", "\n", "> ", "(", "\"", "<", "<URL:", "'", "x", "_", "-", "* ", "see\t", "( ", "é", "|"];
    const SCHEME: &[&str] = &[
        "http://",
        "https://",
        "ftp://",
        "HTTP://",
        "gopher://",
        "telnet://",
        "file://",
        "xhttp://",
        "mailto:",
        "news:",
    ];
    const HOST: &[&str] = &[
        "h.example",
        "www.example.com",
        "a-b.c1",
        "-a.b",
        "a..b",
        "a.b-",
        "1.2.3.4",
        "h.1x",
        "h",
        "h.",
        "u@h.ex",
        "h_x.y",
        "é.ex",
    ];
    const PORT: &[&str] = &["", "", "", ":80", ":", ":8x", ":80:"];
    const PATH: &[&str] = &[
        "",
        "/",
        "/a",
        "/a/b.html",
        "/~joe/",
        "/x.ht",
        "/a?b=c",
        "/a?b/c",
        "/a?b?c",
        "/#f",
        "/a#b#c",
        "/a%20b",
        "/a%2",
        "/a;type=i",
        "/a,b",
        "/a(b)",
        "/a[b]",
        "?q",
        "/a-",
        "/a'",
        "/a*",
        "/a_",
        "/a:b",
        "/a@b",
        "/é",
        "/a=",
        "/a&",
        "/a!",
        "/0123456789012345678901234567890123456789012345678901234567890123456789",
    ];
    const AFTER: &[&str] = &[
        "", ".", ",", ", ", ". ", "...", "!", "?", ";", ">", "> ", ")", ").", "\"", " ", "  ", "\n", "\r\n", "\r",
        " \n", "\t \r\n", "]", "}", "{", "<", "&gt;", "'", "*",
    ];
    const LINE: &[&str] = &[
        "",
        "\n",
        "\r\n",
        "and so on it goes",
        "ml and more",
        "x.html",
        "http://a.example/",
        "www.example.com",
        "<x>",
        "> <x>",
        "> and so it goes",
        "> > ml it goes",
        "Date: today",
        "X-Foo: x",
        "Re:",
        "____",
        "~~~~ x",
        "com is a word",
        "net, x",
        "C x y",
        "dnl x y",
        "README first",
        "the.end of it",
        "a b",
        "(see x",
        "\"quoted\" it",
        "word) x",
        "org.",
        "index.html x",
        "REM x y",
        "one <b",
        "uk/x y",
        "* item x",
        "12 monkeys",
        "é x",
    ];

    /// Every URL that the fast lane reads is read by the rules too, in the same way: [`Search::step`] asserts it, so that
    /// this has only to walk over texts that come near the lane's edges, and to count.
    #[test]
    fn the_rules_read_the_same() {
        let mut rng = fastrand::Rng::with_seed(1738);
        let (mut plain, mut found) = (0, 0);
        for _ in 0..400_000 {
            let mut text = Vec::from([b' '; 3]);
            for part in [BEFORE, SCHEME, HOST, PORT, PATH, AFTER, LINE, AFTER, BEFORE, LINE] {
                text.extend_from_slice(rng.choice(part).expect("not empty").as_bytes());
            }
            text.extend_from_slice(rng.choice(&[" ", "\n", "x"]).expect("not empty").as_bytes());
            text.extend_from_slice(&[b'.'; 80]);
            let colon = memchr::memchr(b':', &text).expect("of the scheme");
            plain += usize::from(read(&text, colon, Backend::get(), &Options::default()).is_some());
            let mut search = Search::new(Options::default(), 0);
            let window = Window { text: &text, is_last: true };
            while let Step::Event(event) = search.step(window, text.len()) {
                found += usize::from(matches!(event, Event::Found(_)));
            }
        }
        assert!(cfg!(debug_assertions), "in release builds nothing is compared");
        assert!(plain > 20_000 && found > 3 * plain, "{plain} of {found}: the texts no longer come near the edges");
    }
}

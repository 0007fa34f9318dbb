//! The fast lane: plain URLs, for which no rule has anything to decide.
//!
//! Nearly every URL is plain: http, https or ftp, a host name, and bytes that are no brackets, up to a blank, a bracket or
//! a quote; in the text by itself, between angle brackets or in a wrapper. It is read at a glance, from bit masks
//! ([`Plain`]), where the rules in their full form ask each byte several times over. A URL of *dense* cost 410 ns to find
//! and judge without it, and 110 with it (AMD EPYC, 2026-11).
//!
//! This decides nothing anew. What any rule might object to is left to the rules; [`Search`](super::Search) asserts in
//! debug builds that both read the same, for every URL that comes this way.

use std::ops::Range;

use crate::Level;
use crate::bytes::simd::{Lanes, Look, PlainRun, WIDTH};
use crate::find::anchor::last_eight;
use crate::find::join;
use crate::find::lines::after_break;
use crate::find::matches::{Kind, Pieces, RawMatch, ThinVec};
use crate::find::options::Options;
use crate::find::{run, schemes};
use crate::url::plain::{Plain, PlainScheme};
use crate::url::{self, Verdict};

/// A plain URL is not longer than this after its `//`.
const LONGEST: usize = 1024;

/// The plain URL that begins at the scheme before `colon`, or the wrapper whose `URL` that is. `None`: ask the rules.
#[inline(always)]
pub(crate) fn read(text: &[u8], colon: usize, options: &Options) -> Option<RawMatch> {
    let found = if text.get(colon + 1) == Some(&b'/') {
        let scheme = PlainScheme::before_colon(last_eight(text, colon))?;
        let start = colon - scheme.len();
        let before = *text[..start].last()?;
        if schemes::is_scheme_byte(before) {
            return None;
        }
        Glance::new(text, colon, scheme, before, options)?.look()
    } else {
        read_announced(text, colon, options).or_else(|| read_opaque(text, colon, options))
    };
    found.map(Plainly::into_match)
}

/// W-FORM-1, P-FORM-1: `<URL:` and a plain URL up to `>`, or `URL:`, a few blanks and a plain URL.
#[inline]
fn read_announced(text: &[u8], colon: usize, options: &Options) -> Option<Plainly> {
    /// More blanks are left to the rules.
    const BLANKS: usize = 4;
    if !schemes::is_url(last_eight(text, colon)) {
        return None;
    }
    let before = *text[..colon - 3].last()?;
    let is_wrapper = before == b'<';
    let blanks = text[colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
    if is_wrapper && blanks > 0 || blanks > BLANKS || schemes::is_scheme_byte(before) {
        return None;
    }
    let at = colon + 1 + blanks;
    if !matches!(text.get(at)? | 0x20, b'h' | b'f' | b'g' | b't' | b'n' | b'w' | b'p') {
        return None; // no scheme of K begins so
    }
    let inner = at + text[at..].iter().take(6).position(|&byte| byte == b':')?;
    let scheme = PlainScheme::before_colon(last_eight(text, inner)).filter(|scheme| at + scheme.len() == inner)?;
    let before = if is_wrapper { b'<' } else { text[at - 1] };
    let found = Glance::new(text, inner, scheme, before, options)?.look()?;
    let (start, kind) = if is_wrapper { (colon - 4, Kind::Wrapped) } else { (colon - 3, Kind::Prefixed) };
    Some(Plainly { start, kind, ..found })
}

/// A plain URL in its place.
struct Plainly {
    start: usize,
    end: usize,
    kind: Kind,
    url: Range<usize>,
    verdict: Verdict,
}

impl Plainly {
    /// A bare one.
    fn bare(url: Range<usize>, verdict: Verdict) -> Plainly {
        Plainly { start: url.start, end: url.end, kind: Kind::Bare, url, verdict }
    }

    #[inline(always)]
    fn into_match(self) -> RawMatch {
        let Plainly { start, end, kind, url, verdict } = self;
        let first = Pieces::One(url);
        RawMatch { start, end, kind, rejoined: false, verdict, first, others: ThinVec::new(), goes_on: false }
    }
}

/// mailto and news, which have no `//`.
#[inline]
fn read_opaque(text: &[u8], colon: usize, options: &Options) -> Option<Plainly> {
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
        return (text.get(end) == Some(&b'>')).then(|| Plainly {
            start: start - 1,
            end: end + 1,
            kind: Kind::Angle,
            ..Plainly::bare(start..end, verdict)
        });
    }
    let bytes = text[body..].first_chunk::<WIDTH>()?;
    let at_sign = options.backend.look(bytes, PlainRun);
    if at_sign == WIDTH || before == b'<' {
        return None;
    }
    let has_at_sign = bytes[at_sign] == b'@';
    let mut length = at_sign;
    if has_at_sign {
        let host = at_sign + 1;
        length = host + options.backend.look(text[body + host..].first_chunk()?, PlainRun);
    }
    let end = bare_end(text, start..body + length, before, None)?;
    let name = &text[body..end];
    // B-MAIL, B-NEWS
    let is_name = match is_mail {
        _ if has_at_sign => at_sign > 0 && at_sign + 1 < name.len(),
        true => false,
        false => name.first()?.is_ascii_alphabetic() && name.contains(&b'.'),
    };
    is_name.then(|| Plainly::bare(start..end, url::judge_with(options.backend, &text[start..end], options.parse)))
}

/// A look at the 64 bytes after `//`.
#[derive(Clone, Copy)]
struct Glance<'a> {
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

impl<'a> Glance<'a> {
    #[inline(always)]
    fn new(text: &'a [u8], colon: usize, scheme: PlainScheme, before: u8, options: &'a Options) -> Option<Glance<'a>> {
        let (slashes, rest) = text.get(colon + 1..)?.split_first_chunk()?;
        let bytes = rest.first_chunk()?;
        let start = colon - scheme.len();
        (slashes == b"//").then_some(Glance { text, options, bytes, scheme, start, before, body: colon + 3 })
    }

    #[inline(always)]
    fn look(self) -> Option<Plainly> {
        let found = self.options.backend.look(self.bytes, self);
        match found {
            Some(Seen::All(found)) => Some(found),
            Some(Seen::Beginning(plain)) => self.read_on(plain),
            None => None,
        }
    }

    /// The same for a run that is longer than one vector.
    #[cold]
    fn read_on(self, plain: Plain) -> Option<Plainly> {
        let mut end = self.body + WIDTH;
        while end < self.body + LONGEST {
            let more = self.options.backend.look(self.text.get(end..)?.first_chunk()?, PlainRun);
            end += more;
            if more < WIDTH {
                return self.read(&plain, end);
            }
        }
        None
    }

    /// The URL whose run ends at `run_end`: between brackets it is the run, bare it is what B-END leaves of it.
    #[inline(always)]
    fn read(self, plain: &Plain, run_end: usize) -> Option<Plainly> {
        let Glance { text, start, before, body, .. } = self;
        if before == b'<' {
            // Neither white space nor a break may be in the brackets.
            if text[run_end] != b'>' {
                return None;
            }
            let verdict = self.verdict(plain, run_end);
            // W-ANGLE-1: the host is a name.
            return (verdict.level <= Level::Iri).then(|| Plainly {
                start: start - 1,
                end: run_end + 1,
                kind: Kind::Angle,
                ..Plainly::bare(start..run_end, verdict)
            });
        }
        let end = bare_end(text, start..run_end, before, Some(body + plain.authority_end))?;
        Some(Plainly::bare(start..end, self.verdict(plain, end)))
    }

    #[inline(always)]
    fn verdict(&self, plain: &Plain, end: usize) -> Verdict {
        let url = &self.text[self.start..end];
        let len = end - self.body;
        let verdict = if len < WIDTH { plain.verdict(self.scheme, url, len) } else { None };
        verdict.unwrap_or_else(|| url::judge_any(url, self.options.parse))
    }
}

/// What a look at the first 64 bytes shows.
enum Seen {
    All(Plainly),
    /// The run goes on.
    Beginning(Plain),
}

impl Look for Glance<'_> {
    type Answer = Option<Seen>;

    #[inline(always)]
    fn answer(self, lanes: Lanes) -> Option<Seen> {
        let plain = Plain::read(self.bytes, lanes)?;
        if plain.end == WIDTH {
            return Some(Seen::Beginning(plain));
        }
        self.read(&plain, self.body + plain.end).map(Seen::All)
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
        _ => return run::is_hard_stop(text, at),
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
    let is_stop = |at: usize| run::is_hard_stop(text, at);
    (run.start.saturating_sub(NEAR)..run.start).rev().any(is_stop)
        && (run.end..text.len().min(run.end + NEAR)).any(is_stop)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::find::search::{Event, Search, Window};

    /// What stands before a URL, its parts, what stands after it, and lines that may follow.
    const BEFORE: &[&str] = &[
        "", " ", "\n", "> ", "(", "\"", "<", "<URL:", "'", "x", "_", "-", "* ", "see\t", "( ", "é", "|", "# see ",
        "URL:", "URL: ", "url:  ", "xURL:", "<URL: ", "\"see ", "-- ", "#see ", "| ", "; x ", "> | ", "* see ", "> # ",
    ];
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
        "A b c",
        "It's how",
        "5-4 it is",
        "2. Enter",
        "12) x y",
        "md5 x y",
        "(see it)",
        "[x] y",
        "\"Computers are",
        "\"C x",
        "-----",
        "- --- -",
        "====",
        "> \n",
        ">",
        "> >\n",
        "^ ^ ^",
        "html5 is",
        "2 x",
        "I'm sure:",
        "...",
        "o x y",
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
        "* one two",
        "# http://a.example/",
        "# d",
        "| and so on",
        "! Date: x",
        "; ml and",
        "* <x>",
        "*",
        "* ____",
        "% x",
        "#d e",
        "> # so on",
        "one <b",
        "uk/x y",
        "* item x",
        "12 monkeys",
        "é x",
    ];

    /// Every URL that the fast lane reads is read by the rules too, in the same way: [`Search::step`] asserts it, so that
    /// this has only to walk over texts that come near the lane's edges, and to count.
    #[test]
    #[cfg(debug_assertions)] // else nothing is compared
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
            plain += usize::from(read(&text, colon, &Options::default()).is_some());
            let mut search = Search::new(Options::default(), 0);
            let window = Window { text: &text, is_last: true };
            search.run(window, text.len(), |event| {
                found += usize::from(matches!(event, Event::Found(_)));
                ControlFlow::Continue(())
            });
        }
        assert!(plain > 20_000 && found > 3 * plain, "{plain} of {found}: the texts no longer come near the edges");
    }
}

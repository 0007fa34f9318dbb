//! Tests that compare the fast lane with the rules.

use super::*;
use crate::bytes::simd::Backend;
use crate::find::forms::judge::Judge;
use crate::find::forms::resolve::Resolver;
use crate::find::options::Sheets;
use crate::find::options::{HyphenOrder, OnScreen, Rejoin};
use crate::url::ParseOptions;

/// Texts before a URL, its parts, texts after it, and lines that may follow.
const BEFORE: &[&str] = &[
    "", " ", "\n", "> ", "(", "\"", "<", "<URL:", "'", "x", "_", "-", "* ", "see\t", "( ", "é", "|", "# see ", "URL:",
    "URL: ", "url:  ", "xURL:", "<URL: ", "\"see ", "-- ", "#see ", "| ", "; x ", "> | ", "* see ", "> # ", "\n< see ",
    "](", "a,b,", "a=", "=\"", "url(", ": '", ">", "`", "\\\"",
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
    "mailto:joe@",
    "MAILTO:joe@",
    "NEWS:alt.",
    "mailto:a.b-c@",
    "news:1.2@",
    "news:alt.",
    "http: ",
    "News: ",
    "<URL:http://",
    "<URL:mailto:joe@",
    "<URL:news:",
    "news:<1.2@",
    "mailto:<joe@",
    "news: <1.2@",
    "news:\n<1@",
    "mailto:\n",
    "mailto:\"joe\"@",
    "Mailto: joe@",
];
#[rustfmt::skip]
const HOST: &[&str] = &[
    "h.example", "www.example.com", "a-b.c1", "-a.b", "a..b", "a.b-", "1.2.3.4", "h.1x", "h", "h.", "u@h.ex",
    "h_x.y", "é.ex",
];
const PORT: &[&str] = &["", "", "", ":80", ":", ":8x", ":80:"];
#[rustfmt::skip]
const PATH: &[&str] = &[
    "", "/", "/a", "/a/b.html", "/~joe/", "/x.ht", "/a?b=c", "/a?b/c", "/a?b?c", "/#f", "/a#b#c", "/a%20b", "/a%2",
    "/a;type=i", "/a,b", "/a(b)", "/a[b]", "?q", "/a-", "/a'", "/a*", "/a_", "/a:b", "/a@b", "/é", "/a=", "/a&",
    "/a!", "/a|b", "/a.", "/a^", "/a`b", "/a)", "/x中", "/中/b", "/b–c", "?subject=help", "?subject=un.subscribe&body=x", "?a=b@c", "?a=%20", "?a=b;c", "/0123456789012345678901234567890123456789012345678901234567890123456789",
];
const AFTER: &[&str] = &[
    "",
    ".",
    ",",
    ", ",
    ". ",
    "...",
    "!",
    "?",
    ";",
    ">",
    "> ",
    ")",
    ").",
    "\"",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    " \n",
    "\t \r\n",
    "]",
    "}",
    "{",
    "{x}",
    "$x",
    "%s/",
    "<b>x",
    "<name>/",
    "<name>.x",
    "<x y>z",
    "[.]x",
    "(dot)x",
    "<",
    "&gt;",
    "'",
    "*",
    "\\",
    "\\n",
    "\\-a",
    "\\u0026b",
    "|x\"",
    ".\"",
    ".)",
    "中",
    "中/b",
    "</a>",
    "\\/",
    "\\n\n.SH X",
    "\\.c\n.B x",
];
#[rustfmt::skip]
const LINE: &[&str] = &[
    "", "\n", "\r\n", "and so on it goes", "A b c", "It's how", "5-4 it is", "2. Enter", "12) x y", "md5 x y",
    "(see it)", "[x] y", "\"Computers are", "\"C x", "-----", "- --- -", "====", "> \n", ">", "> >\n", "^ ^ ^",
    "html5 is", "2 x", "I'm sure:", "...", "o x y", "ml and more", "x.html", "http://a.example/", "www.example.com",
    "<x>", "> <x>", "> and so it goes", "> > ml it goes", "Date: today", "X-Foo: x", "Re:", "____", "~~~~ x",
    "com is a word", "net, x", "C x y", "dnl x y", "README first", "the.end of it", "a b", "(see x", "\"quoted\" it",
    "word) x", "org.", "index.html x", "REM x y", "* one two", "# http://a.example/", "# d", "| and so on",
    "! Date: x", "; ml and", "* <x>", "*", "* ____", "% x", "#d e", "> # so on", "one <b", "uk/x y", "* item x",
    "12 monkeys", "é x", "< d", "< ml", "<",
];

fn options(rng: &mut fastrand::Rng) -> Options {
    Options {
        any_scheme: rng.bool(),
        rejoin: *rng.choice(&[Rejoin::Auto, Rejoin::Delimited, Rejoin::None]).expect("not empty"),
        hyphen: *rng.choice(&[HyphenOrder::Keep, HyphenOrder::Drop]).expect("not empty"),
        refang: false,
        www: false,
        names: false,
        candidates: rng.bool(),
        iri: rng.bool(),
        sheets: if rng.u8(..4) == 0 { Sheets::Told } else { Sheets::ByLines },
        is_header: rng.u8(..4) == 0,
        screen: OnScreen::default(),
        parse: ParseOptions::new().other_literal(rng.bool()),
        ..Options::default()
    }
}

/// Reads one colon with the fast lane.
struct Looked<'a>(&'a [u8], usize, &'a Options);

impl Look for Looked<'_> {
    type Answer = Result<PlainMatch, Miss>;

    fn answer<K: Kernel>(self, kernel: K) -> Self::Answer {
        let candidate = Candidate { colon: self.1, word: last_eight(self.0, self.1) };
        match plain(kernel, self.0, candidate, self.2) {
            Err(Miss::Unclear) if is_clear(self.0, candidate) => Err(Miss::Nothing),
            seen => seen,
        }
    }
}

/// The rules find every URL of the fast lane, with the same result.
#[test]
fn the_rules_read_the_same() {
    let mut rng = fastrand::Rng::with_seed(1738);
    let (mut urls, mut idle) = (0, 0);
    for _ in 0..500_000 {
        let options = if rng.bool() { Options::default() } else { options(&mut rng) };
        let mut text = vec![b' '; rng.usize(..4)];
        for part in [BEFORE, SCHEME, HOST, PORT, PATH, AFTER, LINE, AFTER, BEFORE, LINE] {
            text.extend_from_slice(rng.choice(part).expect("not empty").as_bytes());
        }
        text.extend_from_slice(rng.choice(&[" ", "\n", "x"]).expect("not empty").as_bytes());
        text.extend_from_slice(&[b'.'; 80]);
        let backends: Vec<Backend> = Backend::all().collect();
        let options = Options { backend: backends[rng.usize(..backends.len())], ..options };
        for colon in memchr::memchr_iter(b':', &text) {
            let candidate = Candidate { colon, word: last_eight(&text, colon) };
            let seen = options.backend.look(Looked(&text, colon, &options));
            if matches!(seen, Err(Miss::Unclear)) || !anchor::is_candidate(&text, candidate) {
                continue;
            }
            let mut refused = None;
            let hit = Resolver::new(options).resolve(&View::whole(&text), candidate, 0, &mut refused);
            let hit = hit.unwrap_or_default();
            let rules = hit.map(|hit| (Judge { options }.judged(&text, hit.first), hit.rest.is_empty()));
            *if seen.is_ok() { &mut urls } else { &mut idle } += 1;
            let fast = seen.ok().map(|found| (found.into(), true));
            assert_eq!((rules, refused), (fast, None), "{:?} {options:?}", bstr::BStr::new(&text));
        }
    }
    assert!(urls > 38_000 && idle > 10_000, "{urls} {idle}: the texts no longer come near the edges");
}

/// A comma after the first vector may also end a field (B-SHEET), so the lane leaves the URL to the
/// rules.
#[test]
fn a_comma_far_from_the_scheme() {
    let address = format!("mailto:joe@a.example/{},C x", "0".repeat(70));
    let text = format!("{address}{}", ".".repeat(80));
    for backend in Backend::all() {
        let options = Options { sheets: Sheets::Told, backend, ..Options::default() };
        let seen = backend.look(Looked(text.as_bytes(), "mailto".len(), &options));
        assert!(matches!(seen, Err(Miss::Unclear)), "{backend:?}");
    }
}

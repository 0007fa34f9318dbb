//! Input that pauses (ST-5): every driver delivers matches that are decided before it reads more.

use crate::common;

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::Owned;
use urlgrep::{Extractor, Match, Sink};

/// A reader that returns one piece at a time, and records how much it has returned.
struct Slow<'t> {
    pieces: std::slice::Iter<'t, &'t [u8]>,
    given: &'t AtomicUsize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.pieces.next().copied().unwrap_or_default();
        buffer[..piece.len()].copy_from_slice(piece);
        self.given.fetch_add(piece.len(), Ordering::Relaxed);
        Ok(piece.len())
    }
}

/// Matches, and how much had been read when each was delivered.
type Given = Vec<(Owned, usize)>;

#[derive(Default)]
struct Collected(Vec<Owned>);

impl Sink for Collected {
    fn add(&mut self, found: &Match<'_>) {
        assert_eq!(found.readings().next().as_deref(), Some(found.url()));
        self.0.push(found.clone().into_owned());
    }
}

/// Returns the matches of a stream, after a check that every driver gives the same readings. The
/// drivers are a slice, `next`, `try_for_each`, a feeder, and `par_stream` on several threads.
fn given(extractor: &Extractor, pieces: &[&[u8]]) -> Given {
    let given = AtomicUsize::new(0);
    let slow = || {
        given.store(0, Ordering::Relaxed);
        Slow { pieces: pieces.iter(), given: &given }
    };
    let mut expected = Given::new();
    let mut stream = extractor.stream(slow());
    while let Some(found) = stream.next().expect("no error") {
        expected.push((found.into_owned(), given.load(Ordering::Relaxed)));
    }
    let mut looped = Given::new();
    let flow = extractor.stream(slow()).try_for_each(|found| {
        looped.push((found.clone().into_owned(), given.load(Ordering::Relaxed)));
        ControlFlow::Continue(())
    });
    assert!(flow.is_ok_and(|flow| flow.is_continue()));
    assert_eq!(looped, expected);
    let mut fed = Given::new();
    let mut pushed = 0;
    let mut feeder = extractor.feeder();
    for piece in pieces {
        feeder.push(piece);
        pushed += piece.len();
        while let Some(found) = feeder.next() {
            fed.push((found.into_owned(), pushed));
        }
    }
    feeder.finish();
    while let Some(found) = feeder.next() {
        fed.push((found.into_owned(), pushed));
    }
    assert_eq!(fed, expected);
    for threads in [1, 2, 8] {
        let mut delivered = Given::new();
        let deliver = |sink: Collected| {
            delivered.extend(sink.0.into_iter().map(|found| (found, given.load(Ordering::Relaxed))));
            Ok(ControlFlow::Continue(()))
        };
        let stats = common::pool(threads).install(|| extractor.par_stream(slow(), Collected::default, deliver));
        assert_eq!(stats.expect("no error").matches, expected.len() as u64);
        assert_eq!(matches(&delivered), matches(&expected), "{threads} threads");
        // A stream does not look at every pause, but this driver does. So it may recognise an
        // escape as part of a manual page earlier than the stream.
        for ((found, at), (_, by)) in delivered.iter().zip(&expected) {
            assert!(at <= by, "{found} after {at} bytes with {threads} threads, after {by} by a stream");
        }
    }
    let whole = pieces.concat();
    let of_slice: Vec<_> = extractor.find_iter(&whole).map(Match::into_owned).collect();
    assert_eq!(matches(&expected), of_slice.iter().collect::<Vec<_>>(), "{:?}", bstr::BStr::new(&whole));
    expected
}

fn matches(given: &Given) -> Vec<&Owned> {
    given.iter().map(|(found, _)| found).collect()
}

fn bytes(text: &str) -> Vec<&[u8]> {
    text.as_bytes().chunks(1).collect()
}

fn lines(text: &str) -> Vec<&[u8]> {
    text.split_inclusive('\n').map(str::as_bytes).collect()
}

/// Returns the end of a line, including its break.
fn line_end(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line).map(str::len).sum()
}

/// Lines that may contain a URL, and others.
const LOG: &[(&str, bool)] = &[
    ("2026-11-22T12:48:30Z GET http://a.example/index.html 200", true),
    ("http://a.example/", true),
    ("see http://b.example/x?y=z", true),
    ("Nov 22 12:48:30 mill sshd[411]: fetched https://c.example/path/", true),
    ("* ftp://d.example/pub/file.tar.gz", true),
    ("{\"url\":\"https:\\/\\/e.example\\/a?b\\u0026c\",\"n\":1}", true),
    ("{\"url\":\"https://e.example/a?b\\u0026c\"}", true),
    ("> and he wrote <http://f.example/> there", true),
    ("<URL:http://g.example/>", true),
    ("mailto:joe@a.example or news:comp.lang.misc, http://h.example/.", true),
    ("http://i.example/a-b", true),
    ("", false),
    ("no: news today: x", false),
    ("  at main (file:1:2)", false),
    ("127.0.0.1 - - [22/Nov/2026] \"GET /x HTTP/1.1\" 200 \"http://j.example/ref\" \"curl\"", true),
];

/// Checks that a URL is delivered before the second line after it is read, however slowly lines
/// come.
#[test]
fn a_line_is_known_by_the_next() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let text: String = (0..30).map(|_| format!("{}\n", rng.choice(LOG).expect("a line").0)).collect();
        let extractor = Extractor::new();
        let mut stands = Vec::new();
        for found in extractor.find_iter(&text) {
            stands.push(1 + text[..found.range().end].matches('\n').count());
        }
        let all = given(&extractor, &lines(&text));
        for ((url, at), line) in all.into_iter().zip(stands) {
            assert!(at <= line_end(&text, line + 1), "{url} of line {line} is given after {at} bytes of {text}");
        }
    }
}

/// Checks, with a pause at every byte, when a plain URL is decided. The byte that shows its end
/// decides it, or at the latest the first word of the next line.
#[test]
fn a_plain_url_is_known_by_the_first_word_below() {
    for (before, after) in [
        ("see http://a.example/x", " there\n"),
        ("see http://a.example/x.", " there\n"),
        ("(http://a.example/x", ") there\n"),
        ("<http://a.example/x>", " there"),
        ("<URL:http://a.example/x>", "\n"),
        ("\"http://a.example/x?a=b", "\","),
        ("http://a.example/x", "\nand more"),
        ("http://a.example/x", "\r\nand more"),
        ("http://a.example/x", "\n\n"),
        ("http://a.example/x", "\nhttp://"),
        ("> http://a.example/x", "\n> and more"),
        ("http://a.example/x", "\n(see a"),
        ("mailto:joe@a.example", " or"),
        ("news:comp.lang", "\nand more"),
    ] {
        let text = format!("{before}{after} and so on and on, as before\n");
        let (url, at) = given(&Extractor::new(), &bytes(&text)).swap_remove(0);
        assert!(at <= before.len() + after.len(), "{url} is given after {at} bytes of {text:?}");
    }
}

/// Checks that the end of the line after its last half decides a broken URL. Brackets that close it
/// decide it earlier.
#[test]
fn a_broken_url_is_known_by_the_line_below_it() {
    for (text, line) in [
        ("see (http://www.example.org/reports/annual/report_\n2024_final.html)\nfor more\nand more\nand more\n", 3),
        ("http://www.example.org/reports/annual/index.ht\nml?year=2024&page=2\n\nand more\nand more\nmore\n", 3),
        ("<http://www.example.org/reports/\nannual/x>\nfor more\n", 2),
        ("> <URL:http://www.example.org/reports/\n> annual/x> there\nfor more\n", 2),
    ] {
        let (url, at) = given(&Extractor::new(), &bytes(text)).swap_remove(0);
        assert!(url.url().len() > 38, "{url} is not joined");
        assert!(at <= line_end(text, line), "{url} is given after {at} bytes");
    }
}

/// Checks that a match waits for the lines that a caller requests after it. A caller that requests
/// all lines gets nothing before the end.
#[test]
fn a_match_waits_for_the_lines_that_are_wanted() {
    let text = "http://a.example/ x\ny\nz\n".repeat(3);
    for (ends, first) in [(0, 19), (1, 20), (2, 22), (3, 24), (4, 44), (usize::MAX, text.len())] {
        let extractor = Extractor::builder().line_ends_after(ends).build();
        assert_eq!(given(&extractor, &bytes(&text))[0].1, first, "{ends}");
    }
}

/// Searches random texts with a pause at every byte, and with pauses at some bytes.
#[test]
fn pauses_change_nothing() {
    common::turns(300, |rng| {
        let (extractor, text) = random(rng, 60);
        given(&extractor, &bytes(&text));
        let step = rng.usize(1..100);
        given(&extractor, &text.as_bytes().chunks(step).collect::<Vec<_>>());
    });
}

/// Searches small random texts with one pause, at each of their bytes.
#[test]
fn no_pause_of_a_small_text_changes_a_reading() {
    common::turns(200, |rng| {
        let (extractor, text) = random(rng, 12);
        check_each_cut(&extractor, &text.as_bytes()[..text.len().min(120)]);
    });
}

/// Checks texts that random texts have found. The text after a screen's last full line gave a
/// reading only before a pause. A URL of a frame was read again from within. An escape of another
/// URL decided whether a text is a manual page.
#[test]
fn no_pause_of_a_known_text_changes_a_reading() {
    for (text, readings) in [
        ("ource:https://docs.e\nxample.org/index.htm\nl\n", 3),
        (
            "| http://a.example/tides_2026//file://tides_2026/state=JRuz6TqPnb4tides_2 |\n\
             | 026//--&amp;[a]index.htmlighthouse?code=true&http://a.example/\"         |\n",
            3,
        ),
        (".SH X\nmailto:file:/x\\u0026y:<\\&\n", 2),
        ("ftp://\u{f6}.examplenews://\\=http://\u{e9}.com/x\\u0026y> z\n.SH X\n", 2),
    ] {
        let found = check_each_cut(&Extractor::new(), text.as_bytes());
        assert_eq!(found.last().map(|found| found.readings().count()), Some(readings), "{text}");
    }
}

/// Searches a text with a pause, and in two ranges that meet, at each of its bytes. Returns the
/// matches.
fn check_each_cut(extractor: &Extractor, text: &[u8]) -> Vec<Owned> {
    let expected: Vec<_> = extractor.find_iter(text).map(Match::into_owned).collect();
    for cut in 1..text.len() {
        let (before, after) = text.split_at(cut);
        given(extractor, &[before, after]);
        let ranges = [0..cut, cut..text.len()];
        let tiled = ranges.into_iter().flat_map(|range| extractor.find_range(text, range));
        let tiled: Vec<_> = tiled.map(Match::into_owned).collect();
        assert_eq!(tiled, expected, "{:?} cut at {cut}", bstr::BStr::new(text));
    }
    expected
}

/// Returns a random text, or that of a screen, whose columns the extractor may know.
fn random(rng: &mut fastrand::Rng, most: usize) -> (Extractor, String) {
    const PIECES: &[&str] = include!("../src/find/tests/pieces.rs");
    if rng.bool() {
        let text = (0..rng.usize(1..most)).map(|_| *rng.choice(PIECES).expect("some")).collect();
        return (Extractor::new(), text);
    }
    let (text, width) = common::screens::screen(rng, PIECES);
    (Extractor::builder().columns(rng.bool().then_some(width)).build(), text)
}

/// Checks that pauses cost no more than a bounded look at each byte (ST-2): time grows with the
/// text.
#[test]
fn time_grows_with_the_text_at_pauses() {
    const PATTERNS: &[&str] = &[
        "@",
        "\u{3042}",
        "http://",
        "news:",
        "<URL: ",
        "<URL:\n",
        "[http://",
        "=http://a.example/x\n",
        "\\/",
        "\\- ",
        "http://a.example/x-\n",
        "http://a.example/x (\n",
        "> ",
        "'",
        "&quot;",
    ];
    let time = |pattern: &str, size: usize| {
        let text = format!("http://a.example/{}", pattern.repeat(size / pattern.len()));
        let clock = std::time::Instant::now();
        let given = AtomicUsize::new(0);
        let pieces = bytes(&text);
        let mut stream = Extractor::new().stream(Slow { pieces: pieces.iter(), given: &given });
        while stream.next().expect("no error").is_some() {}
        clock.elapsed()
    };
    for pattern in PATTERNS {
        // A busy machine may disturb one measurement, and the shortest ones take a millisecond.
        let least = |size: usize| (0..3).map(|_| time(pattern, size)).min().expect("three times").as_secs_f64();
        let grows = || least(24_000) / least(3_000);
        assert!((0..5).any(|_| grows() < 24.0), "{pattern}: quadratic would be 64 times as long");
    }
}

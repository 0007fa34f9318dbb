//! The laws of [`Extractor::heal`], on the corpora and on random texts. Read line by line, the
//! healed text holds the URLs that rejoining finds in the source. No byte outside a broken URL
//! changes. A URL that one line cannot hold is left alone. Healing the result changes nothing.

use crate::common;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use urlgrep::{Extractor, Kind, Match, Rejoin};

/// URLs that single lines read differently: the bracket around two of them closes on the next line.
const READ_OTHERWISE: [(&str, &str); 1] = [("hostile-brackets.txt", "http://t.example/a,")];

fn heal(extractor: &Extractor, text: &[u8]) -> (Vec<u8>, u64) {
    let mut healed = Vec::new();
    let count = extractor.heal(text, &mut healed).expect("no error");
    (healed, count)
}

fn is_broken(found: &Match<'_>) -> bool {
    found.source().contains(&b'\n') || found.source().contains(&b'\r')
}

/// Checks that `healed` is the source, except that each broken URL may be replaced, with brackets
/// around it at most. Returns the number of broken URLs that were left alone.
fn check_outside(name: &str, extractor: &Extractor, source: &[u8], healed: &[u8]) -> usize {
    let (mut read, mut rest, mut left) = (0, healed, 0);
    for found in extractor.find_iter(source).filter(is_broken) {
        let between = &source[read..found.range().start];
        rest = rest.strip_prefix(between).unwrap_or_else(|| panic!("{name}: changed before {}", found.url()));
        read = found.range().end;
        if let Some(after) = rest.strip_prefix(&**found.source()) {
            (rest, left) = (after, left + 1);
            continue;
        }
        let url: &[u8] = found.url();
        let close: &[u8] = if source[..read].ends_with(b">") { b">" } else { b"" };
        let whole = [url, close].concat();
        let at = rest.windows(whole.len()).position(|part| part == whole).expect("the URL in its brackets");
        assert!(found.source().starts_with(&rest[..at]), "{name}: {}", found.url());
        rest = &rest[at + whole.len()..];
    }
    assert!(rest == &source[read..], "{name}: changed behind the last broken URL");
    left
}

/// The results of a text that was healed.
#[derive(Default)]
struct Healed {
    /// The numbers of broken URLs that were made whole, and that were left alone.
    whole: usize,
    left: usize,
}

/// Heals a text, and checks the laws on its bytes and its first readings.
///
/// The width of a screen joins the text around the URLs too. Then `by_line` is `None`, because this
/// text stays as it is.
fn check_laws(extractor: &Extractor, by_line: Option<&Extractor>, text: &[u8]) -> Healed {
    let name = format!("{:?}", bstr::BStr::new(text));
    let (healed, count) = heal(extractor, text);
    let shown = bstr::BStr::new(&healed);
    let left = check_outside(&name, extractor, text, &healed);
    let (twice, again) = heal(extractor, &healed);
    assert_eq!((bstr::BStr::new(&twice), again), (shown, 0), "{name} changes again");
    let urls = |extractor: &Extractor, text: &[u8]| -> Vec<String> {
        extractor.find_iter(text).map(|found| found.url().to_string()).collect()
    };
    assert_eq!(urls(extractor, &healed), urls(extractor, text), "{name}\nhealed {shown:?}");
    if let Some(by_line) = by_line.filter(|_| left == 0 && !has_wrapped_list(extractor, &healed)) {
        assert_eq!(urls(by_line, &healed), urls(extractor, text), "{name}\nby line {shown:?}");
    }
    Healed { whole: count as usize, left }
}

/// Returns whether a wrapper holds several URLs on lines of their own (W-TWO). Each line is then
/// read without the wrapper.
fn has_wrapped_list(extractor: &Extractor, text: &[u8]) -> bool {
    let is_wrapped = |found: &Match<'_>| matches!(found.kind(), Kind::Wrapped | Kind::Angle);
    extractor.find_iter(text).any(|found| is_wrapped(&found) && !found.source().ends_with(b">"))
}

#[test]
fn healed_corpora_hold_the_same_urls_on_lines() {
    let (extractor, by_line) = (Extractor::new(), Extractor::builder().rejoin(Rejoin::None).build());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora");
    let mut healed_urls = 0;
    let mut otherwise = Vec::new();
    for entry in std::fs::read_dir(folder).expect("corpora") {
        let entry = entry.expect("an entry");
        if !entry.path().is_file() {
            continue;
        }
        let name = entry.file_name().into_string().expect("UTF-8");
        let source = std::fs::read(entry.path()).expect("a file");
        let (healed, count) = heal(&extractor, &source);
        healed_urls += count;
        assert_eq!(check_outside(&name, &extractor, &source, &healed), 0, "{name}");
        assert!(heal(&extractor, &healed) == (healed.clone(), 0), "{name}: healed twice");
        let urls = |extractor: &Extractor, text: &[u8]| -> Vec<String> {
            extractor.find_iter(text).map(|found| found.url().to_string()).collect()
        };
        let (before, after) = (urls(&extractor, &source), urls(&by_line, &healed));
        if before != after {
            otherwise.extend(before.into_iter().filter(|url| !after.contains(url)).map(|url| (name.clone(), url)));
        }
    }
    assert!(healed_urls > 80, "{healed_urls}");
    let expected: Vec<_> = READ_OTHERWISE.map(|(name, url)| (name.to_owned(), url.to_owned())).into();
    assert_eq!(otherwise, expected);
}

/// Checks the laws on random texts: of pieces, of screens, and of long URLs in prose.
#[test]
fn healed_random_texts_hold_the_same_urls_on_lines() {
    const PIECES: &[&str] = include!("../src/find/tests/pieces.rs");
    let [texts, whole, left] = [const { AtomicUsize::new(0) }; 3];
    common::turns(20_000, |rng| {
        let builder = Extractor::builder();
        let (told, text) = match rng.bool() {
            true => {
                let (text, width) = common::screens::screen(rng, PIECES);
                (rng.bool().then_some(width), text)
            }
            false => (None, (0..rng.usize(1..40)).map(|_| *rng.choice(PIECES).expect("some")).collect()),
        };
        let builder = builder.columns(told);
        let by_line = told.is_none().then(|| builder.clone().rejoin(Rejoin::None).build());
        let extractor = builder.build();
        let healed = check_laws(&extractor, by_line.as_ref(), text.as_bytes());
        let mut in_reads = Vec::new();
        let reader = common::Drip::new(text.as_bytes(), rng.usize(1..40));
        extractor.heal(reader, &mut in_reads).expect("no error");
        assert_eq!(bstr::BStr::new(&in_reads), bstr::BStr::new(&heal(&extractor, text.as_bytes()).0));
        let counts = [1, healed.whole, healed.left];
        [&texts, &whole, &left].into_iter().zip(counts).for_each(|(sum, count)| {
            sum.fetch_add(count, Ordering::Relaxed);
        });
    });
    let [texts, whole, left] = [texts, whole, left].map(AtomicUsize::into_inner);
    // URLs in tables are left alone.
    assert!(whole > texts / 5 && left < whole, "{texts} texts: {whole} URLs made whole, {left} left alone");
}

/// Checks texts that stay as they are, since one line would not hold the URL. A wrapper without a
/// URL also stays.
#[test]
fn heal_leaves_alone_what_one_line_cannot_hold() {
    for text in [
        "let a: Map<url::Key,\n    url::Value> = x;\n",
        // The URL would replace other cells.
        "│ https://h.example/tab │ Ines │\n│ les/x/and.html and    │      │\n",
        "a  https://h.example/tab  Ines\n   les/x/and.html         \n",
        "│ 1 │ https://h.example/tab │\n│   │ les/x/and.html        │\n",
        "<URL:../x\n/y>\n",
        // The line would be joined with the next one.
        "> x:http://a.example/state=JRuz6TqPnb4index\n> .html?code=true&[a]=?code=true&lighthouse\n\
         > %2Foauth%2Fcodestate=JRuz6TqPnb4`\n",
        // The URL would end before the reference.
        "see https://docs.example.or\ng//?code=true&&amp;/[a]&#34\n;index.html_http://a.exampl\ne/\"\nOK\n",
    ] {
        let (healed, count) = heal(&Extractor::new(), text.as_bytes());
        assert_eq!((bstr::BStr::new(&healed), count), (bstr::BStr::new(text), 0));
    }
}

/// Checks a screen whose first URL cannot be put on one line until the second one is.
#[test]
fn healing_again_changes_nothing() {
    let text = "(https://docs.example.org/\r\n2^é_state=JRuz6TqPnb4]inde\r\nx.htmlhttp://a.example/cli\r\n\
                ent_id=9d1c250a\r\n_x.html\r\nx\r\n> https://docs.e.?code=tru\r\n> e&é?code=true&state=JRuz\r\n\
                > 6TqPnb4aaaaaaaaaaaaaaaaa\r\n> aaaaaa>\r\n\r\n";
    let healed = check_laws(&Extractor::builder().columns(Some(26)).build(), None, text.as_bytes());
    assert_eq!(healed.whole + healed.left, 2);
}

/// Checks that time grows with the text, where every line or every chain of lines has a broken URL.
#[test]
fn heals_in_linear_time() {
    let extractor = Extractor::new();
    let time = |pattern: &str, size: usize| {
        let text = pattern.repeat(size / pattern.len());
        let clock = std::time::Instant::now();
        heal(&extractor, text.as_bytes());
        clock.elapsed().as_secs_f64()
    };
    for pattern in [
        "<http://a.example/\nx>",
        "<http://a.example/\nx> ",
        "http://a.example/?b=\nc_d.html\n\n",
        "<http://a.example/x&amp;\ny>;\n",
        "<URL:http://a.example/x\nhttp://b.example/\ny>\n",
        "http:\n//www.example.org/x ",
    ] {
        let grows = || time(pattern, 64_000) / time(pattern, 8_000);
        assert!((0..5).any(|_| grows() < 24.0), "{pattern}: quadratic would be 64 times as long");
    }
}

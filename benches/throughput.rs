//! Throughput of the parser, the finder's drivers and the whole command, on text of three densities
//! and on hostile text.
//!
//! ```text
//! cargo bench                      # everything; `cargo bench -- find` picks by name
//! cargo bench -- --test            # once each, as a check
//! ```
//!
//! Each benchmark checks its result before it reports a time. The generator in `text` lists the
//! URLs that it planted. The counts and digests below pin the generator, so that runs months apart
//! use the same text. All times depend on the machine, so compare only times of one run: with
//! `colons`, or between two texts.

mod text;

use std::hint::black_box;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use urlgrep::url::{ParseOptions, Scheme, judge};
use urlgrep::{Backend, Extractor, Level, Match, Sink, Url};

use text::{Text, digest};

const SIZE: usize = 16 << 20;

/// A density and the text generated for it, shared by all benchmarks.
struct Density {
    name: &'static str,
    count: usize,
    digest: u64,
    text: LazyLock<Text>,
}

static DENSITIES: [Density; 3] = [
    Density { name: "mail", count: 17_776, digest: 0x627d_92a1_b006_8298, text: LazyLock::new(|| text::mail(SIZE)) },
    Density { name: "dense", count: 248_758, digest: 0xe842_07f1_c3f8_518d, text: LazyLock::new(|| text::dense(SIZE)) },
    Density { name: "nourl", count: 0, digest: 0xcbf2_9ce4_8422_2325, text: LazyLock::new(|| text::nourl(SIZE)) },
];

impl Density {
    fn get(name: &str) -> &'static Density {
        let density = DENSITIES.iter().find(|density| density.name == name).expect("one of the three");
        let planted = (density.text.count, density.text.digest());
        let (count, digest) = (density.count, density.digest);
        assert_eq!(planted, (count, digest), "the generator no longer makes the {name} that it made: {planted:#x?}");
        density
    }

    fn bytes(&'static self) -> &'static [u8] {
        &self.text.bytes
    }

    fn check(&self, urls: &[u8], driver: &str) {
        let count = urls.iter().filter(|&&b| b == b'\n').count();
        assert_eq!(
            (count, digest(urls)),
            (self.count, self.digest),
            "{driver} on {}: a wrong answer is not timed",
            self.name
        );
    }
}

const NAMES: [&str; 3] = ["mail", "dense", "nourl"];

fn main() {
    divan::main();
}

/// Measures the lower bound for all other benchmarks: memchr counts the colons of the text.
#[divan::bench(args = NAMES)]
fn colons(bencher: Bencher, name: &str) {
    let bytes = Density::get(name).bytes();
    bencher.counter(BytesCount::of_slice(bytes)).bench(|| memchr::memchr_iter(b':', black_box(bytes)).count());
}

mod find {
    use super::*;

    fn urls(bytes: &[u8]) -> Vec<u8> {
        let mut urls = Vec::new();
        for found in Extractor::new().find_iter(bytes) {
            push(&mut urls, &found);
        }
        urls
    }

    /// Finds and validates URLs, without printing.
    #[divan::bench(args = NAMES)]
    fn slice(bencher: Bencher, name: &str) {
        let density = Density::get(name);
        density.check(&urls(density.bytes()), "find_iter");
        let extractor = Extractor::new();
        bencher.counter(BytesCount::of_slice(density.bytes())).bench(|| {
            extractor.find_iter(black_box(density.bytes())).filter(|found| found.level() <= Level::Iri).count()
        });
    }

    /// Counts URLs with each backend of this machine. On *nourl*, this measures little except the
    /// scanner.
    #[divan::bench(args = backends(), consts = [0, 1, 2])]
    fn backend<const TEXT: usize>(bencher: Bencher, backend: &str) {
        let density = Density::get(NAMES[TEXT]);
        let backend = Backend::by_name(backend).expect("one of them");
        let extractor = Extractor::builder().backend(backend).build();
        assert_eq!(extractor.find_iter(density.bytes()).count(), density.count);
        bencher
            .counter(BytesCount::of_slice(density.bytes()))
            .bench(|| extractor.find_iter(black_box(density.bytes())).count());
    }

    fn backends() -> Vec<&'static str> {
        Backend::all().map(Backend::name).collect()
    }

    /// Reads a stream over memory, which shows the cost of the buffer.
    #[divan::bench(args = NAMES)]
    fn stream(bencher: Bencher, name: &str) {
        let density = Density::get(name);
        let read = |urls: &mut Vec<u8>| {
            let mut stream = Extractor::new().stream(black_box(density.bytes()));
            urls.clear();
            while let Some(found) = stream.next().expect("reading from memory") {
                push(urls, &found);
            }
        };
        let mut urls = Vec::new();
        read(&mut urls);
        density.check(&urls, "stream");
        bencher.counter(BytesCount::of_slice(density.bytes())).bench_local(|| read(&mut urls));
    }

    struct Urls(Vec<u8>);

    impl Sink for Urls {
        fn add(&mut self, found: &Match<'_>) {
            push(&mut self.0, found);
        }
    }

    /// Reads a stream on several threads.
    #[divan::bench(args = NAMES, consts = [1, 2, 4])]
    fn par_stream<const THREADS: usize>(bencher: Bencher, name: &str) {
        let density = Density::get(name);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().expect("a pool");
        let read = || {
            let mut urls = Vec::new();
            let deliver = |batch: Urls| {
                urls.extend_from_slice(&batch.0);
                Ok(ControlFlow::Continue(()))
            };
            pool.install(|| Extractor::new().par_stream(black_box(density.bytes()), || Urls(Vec::new()), deliver))
                .expect("reading from memory");
            urls
        };
        density.check(&read(), "par_stream");
        bencher.counter(BytesCount::of_slice(density.bytes())).bench_local(read);
    }

    fn push(urls: &mut Vec<u8>, found: &Match<'_>) {
        urls.extend_from_slice(found.url());
        urls.push(b'\n');
    }
}

/// Archives of mail, compared with the same bytes read as text.
mod mail {
    use super::*;
    use urlgrep::archive::Container;

    /// Returns a mailbox of `corpora/`, repeated to at least a quarter of [`SIZE`], and the number
    /// of repetitions.
    fn mailbox(name: &str) -> (Vec<u8>, u64) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpora").join(name);
        let one = std::fs::read(path).expect("a mailbox of corpora/");
        let times = (SIZE / 4).div_ceil(one.len());
        let mailbox = one.repeat(times);
        (mailbox, times as u64)
    }

    struct Count(u64);

    impl Sink for Count {
        fn add(&mut self, _: &Match<'_>) {
            self.0 += 1;
        }
    }

    fn count(mailbox: &[u8]) -> u64 {
        let mut count = 0;
        let deliver = |batch: Count| {
            count += batch.0;
            Ok(ControlFlow::Continue(()))
        };
        Extractor::new()
            .documents(black_box(mailbox), Container::Mbox, 0..u64::MAX, || Count(0), deliver)
            .expect("reading from memory");
        count
    }

    #[divan::bench]
    fn encoded(bencher: Bencher) {
        let (mailbox, times) = mailbox("mail-encodings.mbox");
        assert_eq!(count(&mailbox), 9 * times);
        bencher.counter(BytesCount::of_slice(&mailbox)).bench_local(|| count(&mailbox));
    }

    #[divan::bench]
    fn plain(bencher: Bencher) {
        let (mailbox, times) = mailbox("list-1995.mbox");
        assert_eq!(count(&mailbox), 35 * times);
        bencher.counter(BytesCount::of_slice(&mailbox)).bench_local(|| count(&mailbox));
    }

    #[divan::bench]
    fn plain_as_text(bencher: Bencher) {
        let (mailbox, times) = mailbox("list-1995.mbox");
        let read = || Extractor::new().find_iter(black_box(&mailbox)).count() as u64;
        assert_eq!(read(), 35 * times);
        bencher.counter(BytesCount::of_slice(&mailbox)).bench_local(read);
    }
}

mod parse {
    use super::*;

    /// Valid URLs, none of them trivial, one list per scheme.
    #[rustfmt::skip]
    const URLS: [(&str, &[&str]); 11] = [
        ("ftp", &["ftp://ftp.example.org/pub/lamps/1997/tower.ps.gz;type=i", "ftp://otto:oil%40@ftp.example.org:2121/%2Fetc/motd"]),
        ("http", &["http://www.example.org/lamps/1997/index.html", "http://data.example.net:8080/cgi-bin/find?id=17&lang=en"]),
        ("gopher", &["gopher://gopher.example.org:70/7search%09lamp%20oil", "gopher://gopher.example.org/0sel%09%09+application/pdf"]),
        ("mailto", &["mailto:otto.brandt@lights.example.org", "mailto:%22Otto%20B.%22@example.org"]),
        ("news", &["news:alt.folklore.lighthouses", "news:5g7qq2$h1e@quill.example.com"]),
        ("nntp", &["nntp://news.example.org/alt.folklore.lighthouses/4711", "nntp://news.example.org:119/comp.lang.c++/1"]),
        ("telnet", &["telnet://otto:oil@rock.example.org:23/", "telnet://almanac.example.org"]),
        ("wais", &["wais://wais.example.org:210/lamps?oil+wick", "wais://wais.example.org/lamps/TEXT/0%201234%20%2Fpub%2Flamp"]),
        ("file", &["file:///usr/share/doc/lamp/README.txt", "file://vms.example.org/disk$user/my/lamp.txt"]),
        ("prospero", &["prospero://dir.example.org:1525/pros/name;version=3;kind=lamp", "prospero://dir.example.org//pros/name"]),
        ("https", &["https://www.example.org/lamps/1997/index.html?id=17", "https://otto@data.example.net:8443/a/b/c"]),
    ];

    #[divan::bench(args = URLS.map(|(scheme, _)| scheme))]
    fn url(bencher: Bencher, scheme: &str) {
        let (_, urls) = URLS.iter().find(|(name, _)| *name == scheme).expect("one of them");
        for url in *urls {
            let parsed = Url::parse(url.as_bytes()).unwrap_or_else(|error| panic!("{url} is valid, yet: {error}"));
            assert_eq!(parsed.scheme(), Scheme::from_bytes(scheme.as_bytes()));
        }
        bencher
            .counter(ItemsCount::new(urls.len()))
            .counter(BytesCount::new(urls.iter().map(|url| url.len()).sum::<usize>()))
            .bench(|| urls.iter().filter(|url| Url::parse(black_box(url.as_bytes())).is_ok()).count());
    }

    /// Computes level and error of a plain URL, the cost of most URLs.
    #[divan::bench(args = ["http", "https", "ftp"])]
    fn judged_plain(bencher: Bencher, scheme: &str) {
        let (_, urls) = URLS.iter().find(|(name, _)| *name == scheme).expect("one of them");
        let url = urls[0].split(';').next().expect("a part").as_bytes();
        assert_eq!(judge(url, ParseOptions::default()).level, Level::Rfc1738);
        bencher.counter(BytesCount::of_slice(url)).bench(|| judge(black_box(url), ParseOptions::default()).level);
    }

    /// Computes level and error of every URL in *dense*, the cost of validation for a real mixture.
    #[divan::bench]
    fn judged(bencher: Bencher) {
        let urls: Vec<&[u8]> =
            Density::get("dense").text.urls.split(|&b| b == b'\n').filter(|url| !url.is_empty()).collect();
        let level = |url: &[u8]| judge(url, ParseOptions::default()).level;
        for url in &urls {
            // The generator may write a tilde, a fragment, or neither.
            let expected = match url {
                url if url.contains(&b'~') => Level::Rfc3986,
                url if url.contains(&b'#') => Level::Rfc1738Ref,
                _ => Level::Rfc1738,
            };
            assert_eq!(level(url), expected, "{}", url.escape_ascii());
        }
        bencher
            .counter(ItemsCount::new(urls.len()))
            .counter(BytesCount::new(urls.iter().map(|url| url.len()).sum::<usize>()))
            .bench(|| urls.iter().filter(|url| level(black_box(url)) == Level::Rfc1738).count());
    }
}

/// The whole command on a file, as a user runs it: process, reading, finding, printing.
mod command {
    use super::*;

    static FILES: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        for name in NAMES {
            std::fs::write(folder.join(name), Density::get(name).bytes()).expect("the target folder can be written");
        }
        folder
    });

    #[divan::bench(args = NAMES, consts = [1, 2])]
    fn file<const THREADS: usize>(bencher: Bencher, name: &str) {
        let density = Density::get(name);
        let command = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep"));
            command.args(["--input", "text", "-j", &THREADS.to_string()]).arg(FILES.join(name)).stdin(Stdio::null());
            command
        };
        density.check(&command().output().expect("the command runs").stdout, "the command");
        bencher.counter(BytesCount::of_slice(density.bytes())).bench_local(|| {
            command().stdout(Stdio::null()).status().expect("the command runs");
        });
    }

    #[divan::bench(args = NAMES)]
    fn json(bencher: Bencher, name: &str) {
        let density = Density::get(name);
        let command = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep"));
            command.args(["--input", "text", "--json", "-j", "1"]).arg(FILES.join(name)).stdin(Stdio::null());
            command
        };
        let lines = command().output().expect("the command runs").stdout;
        assert_eq!(lines.iter().filter(|&&b| b == b'\n').count(), density.count);
        bencher.counter(BytesCount::of_slice(density.bytes())).bench_local(|| {
            command().stdout(Stdio::null()).status().expect("the command runs");
        });
    }

    #[divan::bench(args = NAMES)]
    fn pipe(bencher: Bencher, name: &str) {
        let density = Density::get(name);
        let run = |stdout: Stdio| {
            let mut child = Command::new(env!("CARGO_BIN_EXE_urlgrep"))
                .args(["--input", "text", "-j", "1"])
                .stdin(Stdio::piped())
                .stdout(stdout)
                .spawn()
                .expect("the command runs");
            let mut stdin = child.stdin.take().expect("a pipe");
            let writer = std::thread::spawn(move || stdin.write_all(density.bytes()));
            let output = child.wait_with_output().expect("the command ends");
            writer.join().expect("no panic").expect("the command reads everything");
            output.stdout
        };
        density.check(&run(Stdio::piped()), "the command on a pipe");
        bencher.counter(BytesCount::of_slice(density.bytes())).bench_local(|| run(Stdio::null()));
    }
}

/// Hostile text: the time must stay linear (ST-2), and no kind may fall below 100 MB/s.
mod hostile {
    use super::*;

    const BYTES: usize = 4 << 20;

    /// A repeated unit, and the matches that each repetition must give:
    /// `(name, unit, matches per unit, the URL)`.
    const UNITS: [(&str, &str, usize, &str); 55] = [
        ("http:", "http:", 0, ""),
        ("http://", "http://", 0, ""),
        ("://", "://", 0, ""),
        (":", ":", 0, ""),
        ("<URL:", "<URL:", 0, ""),
        ("<URL:>", "<URL:>", 0, ""),
        ("URL: ", "URL: ", 0, ""),
        ("mailto:", "mailto:", 0, ""),
        ("mailto:a", "mailto:a", 0, ""),
        ("news:", "news:", 0, ""),
        ("news:a", "news:a", 0, ""),
        ("(", "(", 0, ""),
        ("@", "@", 0, ""),
        ("-⏎", "-\n", 0, ""),
        ("> ", "> ", 0, ""),
        ("http://%", "http://%", 0, ""),
        ("http://[", "http://[", 0, ""),
        ("http://[::1", "http://[::1", 0, ""),
        ("http://u@", "http://u@", 0, ""),
        ("list", "http://a.ex,", 1, "http://a.ex"),
        ("line ends", "> http://a.example/\n> b\n", 1, "http://a.example/"),
        ("a file below", "http://a.example/a\nb/c.html\n", 1, "http://a.example/ab/c.html"),
        ("offered in chains", "x.ht//mailto:a@b.c/\n", 1, "mailto:a@b.c/"),
        ("half an escape", "http://a.b/%\n41\n", 1, "http://a.b/%"),
        ("half a query", "http://a.b/?x=\n", 1, "http://a.b/?x="),
        (
            "soft breaks",
            "http://a.example/=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=\nb\n",
            1,
            "http://a.example/=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=x=b",
        ),
        ("half a word", "http://a.example/a-\nb\n", 1, "http://a.example/a-"),
        ("half a host", "http://a.example./\ncom\n", 1, "http://a.example./"),
        ("settings", "&u1=http://h.example/x& y\n", 1, "http://h.example/x&"),
        ("prose below", "http://a.example/x\nSee the page\n", 1, "http://a.example/x"),
        ("http:⏎", "http:\n", 0, ""),
        ("http://⏎", "http://\n", 0, ""),
        ("broken scheme", "http:\n//www.x.yy\n", 1, "http://www.x.yy"),
        ("broken slashes", "http://\nwww.x.yy/\n", 1, "http://www.x.yy/"),
        ("article", "news:<a@b>", 1, "news:a@b"),
        ("address", "mailto:a@b\n", 1, "mailto:a@b"),
        ("IP literal", "http://[::1]/\n", 1, "http://[::1]/"),
        ("list mark", "http://a.example/[", 1, "http://a.example/"),
        ("commas", ",http://", 0, ""),
        ("prefixes", "URL:http://", 0, ""),
        ("userinfo", "http://a@", 0, ""),
        ("x-y://", "x-y://", 0, ""),
        ("letters", "あhttp://あhttp://", 1, "http://あhttp://"),
        ("combining", "http://e\u{301}.example/x= ", 1, "http://e\u{301}.example/x="),
        ("wrapped", "<URL:http://a.example/x>", 1, "http://a.example/x"),
        ("wrapped line", "<URL:http://a.example/\r\n", 1, "http://a.example/"),
        ("wrapped words", "<URL:a b c d e f g h i j k l m n o p>", 1, "abcdefghijklmnop"),
        ("wrapped hyphens", "<URL:http://a-\nb-\nc-\nd/>\n", 1, "http://a-b-c-d/"),
        ("angle lines", "<http://a.example/x\n> ", 1, "http://a.example/x"),
        ("unclosed", "<URL:http://a.example/ ", 1, "http://a.example/"),
        ("nested", "<http://a.example/", 1, "http://a.example/"),
        ("hyphens", "http://a.example/x-\n", 1, "http://a.example/x-"),
        ("brackets", "http://a.example/((((((((((((((((((((((((((((((\n", 1, "http://a.example/"),
        ("tails", "http://a.example/....................,,,,,,,,,,!!!!!!!!!! ", 1, "http://a.example/"),
        (
            "quoted",
            "> > > > > > > > > > > > <URL:http://a.example/\n> > > > > > > > > > > > x>\n",
            1,
            "http://a.example/x",
        ),
    ];

    #[divan::bench(args = UNITS.map(|(name, ..)| name))]
    fn repeated(bencher: Bencher, name: &str) {
        let (_, unit, matches, url) = UNITS.iter().find(|(unit, ..)| *unit == name).expect("one of them");
        let times = BYTES / unit.len();
        check_and_time(bencher, unit.repeat(times).into_bytes(), times * matches, |_| url.as_bytes().to_vec());
    }

    /// Searches one line without blanks, far longer than a URL may be. No other URL begins in it.
    #[divan::bench]
    fn one_run(bencher: Bencher) {
        let text = [b"http://a.example/".as_slice(), &b"x".repeat(BYTES)].concat();
        check_and_time(bencher, text, 0, |_| Vec::new());
    }

    /// Searches URLs that each contain another URL after a `=`. The inner URL is not a match of its
    /// own (B-START-4).
    #[divan::bench]
    fn chain(bencher: Bencher) {
        let url = "http://a.example/x=http://b.example/";
        let unit = format!("{url}—");
        let times = BYTES / unit.len();
        check_and_time(bencher, unit.repeat(times).into_bytes(), times, |_| url.as_bytes().to_vec());
    }

    /// Searches lines of 72 columns that each end in half a URL, which the next line continues
    /// (B-JOIN).
    #[divan::bench]
    fn joined(bencher: Bencher) {
        let head = "and see http://www.example.com/archive/of/the/lights/of/the/north/19";
        let tail = "97-index.html, where it says so";
        let line = format!("{head}0000\n{tail}\n");
        let times = BYTES / line.len();
        let text: String = (0..times).map(|i| format!("{head}{:04}\n{tail}\n", i % 10_000)).collect();
        let url = |i: usize| {
            format!("http://www.example.com/archive/of/the/lights/of/the/north/19{:04}97-index.html", i % 10_000)
        };
        check_and_time(bencher, text.into_bytes(), times, |i| url(i).into_bytes());
    }

    /// A bare URL has at most this many bytes (B-MAX).
    const LONGEST: usize = 8192;

    fn check_and_time(bencher: Bencher, text: Vec<u8>, count: usize, url: impl Fn(usize) -> Vec<u8>) {
        let extractor = Extractor::new();
        let mut found = 0;
        for m in extractor.find_iter(&text) {
            if count == 0 && m.range().end == text.len() && m.url().len() <= LONGEST {
                continue; // the rest of a run after the bytes that a too long URL hides (B-MAX)
            }
            assert_eq!(m.url(), &url(found)[..], "match {found}");
            found += 1;
        }
        assert_eq!(found, count, "a wrong answer is not timed");
        bencher.counter(BytesCount::of_slice(&text)).bench(|| extractor.find_iter(black_box(&text)).count());
    }
}

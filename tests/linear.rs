//! Time is linear on hostile text: patterns that make rules look far ahead, repeated alone and in
//! twos and threes.
//!
//! By default few of them run, and only the growth of time with the input is checked. `cargo test
//! --release --test linear -- --ignored` runs all, and checks that each is faster than its reader's
//! floor.

use std::fs::File;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::takes_all;
use fastrand::Rng;
use urlgrep::archive::Container;
use urlgrep::{Extractor, Match, Sink};

#[path = "linear/amplified.rs"]
mod amplified;
#[path = "linear/archives.rs"]
mod archives;
#[path = "linear/cells.rs"]
mod cells;
mod common;
#[path = "linear/worst.rs"]
mod worst;

const ATOMS: &[&str] = &[
    "<URL:",
    "redis://a,b:1,",
    "sqlserver://h;a=b;img-src ",
    "http://${a}:{b}",
    "http://a.\u{430}",
    "\u{10}\u{c}http://h.ex/",
    "z0http://h.ex/",
    "\n\u{7f}?",
    "http://a/\u{1F389}/",
    "hxxp[s]://a [.] b",
    "https\\://a\\:b\\=",
    "\\xC3\\251",
    "\\textasciitilde a{~}",
    "@uref{http://a,@comma{}",
    ":++http://a/b++[",
    "=\"http://a/&amp;b",
    ",\"a \"\"http://a/b,",
    "\\[u00E9]",
    "http://",
    "http://a.example/",
    "http://h.example:80",
    "mailto:",
    "news:",
    "[",
    "(",
    "-\n",
    "> ",
    "%",
    "&",
    "&quot;",
    "&lt;",
    "<b>",
    "<a href=",
    "<a b=\"",
    "<a b='&bad'>",
    "<p a b=c/d='&amp;'>",
    "<!--",
    "<script>",
    "<style>url(",
    "&bad",
    "\n ",
    "=?utf-8?q?a?=",
    "--b\n",
    "\n",
    " ",
    "@",
    ",",
    ".",
    ":",
    "//",
    "\"",
    "<",
    ">",
    "=",
    "x",
    "\u{3042}",
    "'",
];

/// Patterns that were slow once: 0.1 to 19 MB/s.
const FOUND: &[&str] = &[
    "http://\\[::1:1:1:1:1:1:1:1:1:1:1:1:1:1",
    "http://\\[::1\\]",
    "https://h/\\!",
    "https://h/∼a",
    "https://h/${{ a",
    "${{ a }}https://h/",
    "https://h/˜",
    "http://h/oﬃce",
    "http://h/\\'e9",
    "│ a │ http://a.example/x │\n│   │ b/c                │\n",
    "│ │ http://a/x │ │ http://a/x │ │\n│ │            │ │ b/c        │ │\n",
    "| http://a/x | http://a/x |\n|            | b/c        |\n",
    "# http://a.example/x #\n# b/c                #\n",
    "a  http://h/x  http://h/x\n               b/c\n",
    "├── http://h/x\n│   b/c\n",
    " | http://h/.|\n |.http://h/.|\n",
    "<URL:wais://-\n-\n-\nb>\n",
    "](mailto:é",
    "](http://h/?é",
    "u=http://h/x,",
    "a,http://h/x,1,",
    "http://h/xの",
    "&quot;['news:news::ssh://w&",
    "\n/.ftp://m",
    "s<URL:h://-\nwwaA-\nftpwa-\nftp:///'\nftp://tp://:///&'\nftp:///?a= '\nftp:///-//'\nftp:///(\n//\nwais://\t\nwais://\t>,",
    "\n/w:ftp://w\n/wwftp://w\n/wwftp://ww\n/wwftp://ww#.",
    "{''news:",
    "''http://a.example/&lt;",
    "From a@b.example Sat Jan  3 01:05:34 1996\nContent-Type: text/html\n",
    "nntp://svn+ssh://news:.ftp://0word \n * data:news:.ftp://ftp://",
    "https://http:ftp://{http:\n> http:",
    "http://www./\n * 0http://www./\n * -",
    "https://http:#http:cid:\n> http:",
    "> ftp://http:\n> /https://http:\n> /https://http:\n",
    "http://a.example/-\nb=\nb=\nb=\nb=\nb=\nb=\n",
    " * A<URL:#^svn+ssh://=\n> <URL:wais://svn+ssh://-\n-\nA-\n",
    "-xn--ftp://-http://www./\n> -xn---ftp://[-www./http://www./\n> -xn---ftp://[-",
    "-%A(,[http://www./#\n> a%(/,-[http://www./#-%%%%%%%%%(,[[http://www./#http:hxxp-",
    "-xn(ftp://]A-NEWS:www./\n> --xn-=--@[-http://www./\n>  -Aftp://[-www./",
    "ht.co/\n/ws://a\n.",
    "http://a.\nmx//\n",
    "wais://\n h.ex//,http:\n//h-.URL:e-",
    ";a\n.c(ftp://t\n.cf/**c",
    "<<URL:neneew-\n-:+\n-\n(//&  * -\n> >-\n'",
    "\n\nne<URL:-\n sh://-\n-\n>ss:/>",
    "<URL:http://a-\nb-\nc-\n%\nhttp://\nhttp://\nhttp://\nhttp://\nhttp://\nhttp://\nhttp://\n>\n",
    ">e<http://h.80-wh.x808080-wh.80-w\r\nw\u{3042}w.\n-\nwis-\nwais://ais;\nwais://?a=;-\nwais://.ais:\nwais://ai;,",
    "<mailto:hhto::-\n-><http://-\n * -\n%0-\nb><http:\n-\n-\n  >",
    "%'ftp%://h/=\nx=URL: http://a/URL: http://a/",
    "https://a/-\nw-\nw-\n<\t(><mailto:",
    "0ftp://h;:ss://ft-\n/.=((.);[[",
    "\tnews:*\\/Aftp://f\n*/A",
    "ws://s\n> \t/\t/<",
    "@ > *<n+ss://o-\n'-\n-'-\n",
    "-\n&--\nf-\nftp://>(:<ssh://R:",
    "\n * data:news:news:news:news:news:news:news:news:news:news:news:news:news:news:news:news:news:news:\\.\n",
    "<ftp://L-\nftp://L-\nftp://L-\n@>",
    "U\nftp:\n]news:\r\nR.\n-\nf:R.\n-\nftp://]R>:<wais://\n.\n-\n.\n.:URL: wais:\n.s=\n",
    "> <ss://\u{3042}f-\n\t/f/&ff(t#ws:[#URL:**",
    "><file:-\n><ftp://:-\nftp://0-\n--\n-",
    "s<ss://://\tnews:h.ht=40\n/ahttp://p://>",
    "<ss://\n0.wais:\ns_>",
    "<ftp://0a and m-\nw-\nw-\ne >",
    "=\r>aa=<wais:/\\]\tL]R]\tL]]]\tL]R]\tL]]?[ws://t?\nt?[ws://t?[w/[ws://t?[ws://t?t?[ws://t?[ws://t?t?[ws://t?#[ws://t?[wss://t?t?[ws://t?([ws://t?",
    "\r>https://><https://s-:(*04@1-\n(:-\n;-",
    "http:/-\n/-\n0-\r\nftp://-\n>0>}<",
    "// ><URL:-\nL-\nL-\n:",
    "<news:URL:wftp://ttp/p[news:s=h/www.hl\n s:;]:>_\t\t",
    "=?utt?af-q-\nA%-A%-q-\nA% > U@<R.commL+ssh://R+ssh::+ssh://s@vn-\n/ssht:",
    "{ssh://s;{news:ssh://s/ffww.\n>f[p=",
    "news:-=**\n-\n>@><URL:-\n@><",
    "-\n>;><news:\n-\n>;><news:\n-\n-><news:#><news:-\n;><news: ",
    "\n/a-e{*&ne{*&ne{/&*&h?a=*&}n&n*&}n{/h=*&&news:*",
    "s://-\n4><w",
    "http://h-\n-><",
    "><http://\u{3042}h\u{3042}\u{3042}\u{3042}0b-\n&-\n.***-\nftp://",
    "fa[tmxftp://p:/p?q?#a?-0l**e:;\n",
    "<ftp://e-\n /ftp://e-\n /ftp://e-\n /ftp://e-\n /e\n &lt;-#",
    "-\n(><URL::\n-\n><URL:/:",
    ":\n-\n+><URL:=\n><URL:=\n:=\n",
    "\n/A.[news:[ntp://le41/@e(;/e((",
    ",\nn=a=;=;;;=;;i=;=;;=;;i=;=;;;;;=;;;==;;;=;;=;;;=;;&;=;;;=;,;=;=;;;;;;==;=;;;;;;;;=;;;==;;;=;;;;;;;=;;;;;;;;;;;=;;;;;;=;;&m,(svn://shs:%41//s;;ma'",
    "<snnn+ssh://-\t\n-\n)\nx(>",
    "at and />:<ssh://-\n\u{3042}",
    "w\\........ssh://a.../**",
    "*news:*<nws+ss://L.c.com:-\n0->\n",
    "0==:-\n=\t==:=?=:_=\t==:=?=:==={==?:_**==?'http://lex/%41xpxa-=%41epl@e/=?=a=\n",
    "([><URL:=\n>=<svn://f=\\><URL:=\n\\><URL:=\n<svn://a{t ",
    "#==??====?====??==#=%=??==#=%41====??====?=====#==??=====#==??====?====??=?====??==#=%4%41===??====?==?=======?=====?=",
];

/// Lines of layouts, in which rules look at the lines around. They are strings, continued lines,
/// prefixes, marks, justified lines and full rows.
const LAYOUTS: &[&str] = &[
    "\"http://a.example/\"\n",
    "x = \"http://a.example/\" +\n",
    " TXT \"http://a/\" \"b\"",
    "http://a.example/b\\\n",
    "http://a.example/b\\\nb ",
    "web-1  | http://a.example/b/\n",
    "      1 http://a.example/b\n",
    "       │ http://a.example/b\n",
    "   1   │ http://a.example/b\n       │ c\n",
    "+http://a.example/b/cde\n",
    "> +http://a.example/b/cd\n+",
    "a  b http://a.example/b-\n",
    "http://a.example/b/cdefghijklmnopqrstuv-\n",
    "+b/cdefghijklmnopqrstuv/http://a.example\n",
    "and so on with the rest of the harbour\nor with http://a.example/b/cdefghijklm\nx-1 and\nmany more of them are in all the books\nof\n",
];

/// The longest text that the floors are measured on.
const LONGEST: usize = 8 << 20;

/// A reader, the texts before and after the pattern, and the minimum of bytes per second that it
/// must read.
struct Reader {
    name: &'static str,
    head: &'static [u8],
    tail: &'static [u8],
    floor: f64,
    read: fn(&[u8]) -> Duration,
}

const MAIL: &str = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\n";

const READERS: &[Reader] = &[
    Reader { name: "text", head: b"", tail: b"", floor: 5e6, read: text },
    Reader { name: "rows", head: b"", tail: b"", floor: 5e6, read: rows },
    Reader { name: "header", head: b"Subject: ", tail: b"", floor: 5e6, read: mail },
    // A part of two bytes costs as much as one of a line.
    Reader {
        name: "parts",
        head: b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n",
        tail: b"",
        floor: 5e6,
        read: mail,
    },
    Reader {
        name: "quoted",
        head: b"Content-Transfer-Encoding: quoted-printable\n\n",
        tail: b"",
        floor: 5e6,
        read: mail,
    },
    Reader { name: "flowed", head: b"Content-Type: text/plain; format=flowed\n\n", tail: b"", floor: 5e6, read: mail },
    Reader { name: "html", head: b"Content-Type: text/html\n\n", tail: b"", floor: 2e6, read: mail },
    Reader { name: "audit", head: b"", tail: b"", floor: 2e6, read: audit },
    Reader { name: "parse", head: b"", tail: b"", floor: 2e6, read: parse },
    Reader { name: "page", head: b"", tail: b"", floor: 2e6, read: page },
    Reader { name: "database", head: b"", tail: b"", floor: 2e6, read: database },
];

/// The readers from this index on run the command.
const COMMANDS: usize = 7;
/// The readers from this index on keep the text around each place, or around each URL.
const KEEPERS: usize = 9;

/// Dense URLs, which share the text around them. The contexts of the first are all equal. In the
/// others, something in it looks like a secret.
const DENSE: &[&str] =
    &["http://a,", "http://a@b:c,", "http://a/?token=%40x&u=ftp://u:p@h ", "sip:a:b@c http://a%40b ", "<a href=//a>"];

struct Count(u64);

impl Sink for Count {
    fn add(&mut self, found: &Match<'_>) {
        self.0 += found.span().end;
    }
}

fn text(text: &[u8]) -> Duration {
    time(|| {
        std::hint::black_box(Extractor::new().find_iter(text).count());
    })
}

/// Reads a screen. The longest line of [`LAYOUTS`] fills its rows.
fn rows(text: &[u8]) -> Duration {
    let extractor = Extractor::builder().columns(Some(40)).build();
    time(|| {
        std::hint::black_box(extractor.find_iter(text).count());
    })
}

fn mail(text: &[u8]) -> Duration {
    let mail = [MAIL.as_bytes(), text].concat();
    let deliver = |sink: Count| {
        std::hint::black_box(sink.0);
        Ok(ControlFlow::Continue(()))
    };
    // On one thread, so that its CPU time is that of the whole search.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let search = || {
        Extractor::new()
            .documents(&mail[..], Container::Mbox, 0..u64::MAX, || Count(0), deliver)
            .expect("reading from memory");
    };
    pool.install(|| time(search))
}

/// Returns the time of the command for an input on one thread. It is wall-clock time, which other
/// programs may lengthen, so the shortest of three is returned.
fn command(args: &[&str], input: &[u8]) -> Duration {
    (0..3).map(|_| run(args, input)).min().unwrap_or_default()
}

fn run(args: &[&str], input: &[u8]) -> Duration {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("linear-{}-{number}", std::process::id()));
    let mut file = File::options().read(true).write(true).create(true).truncate(true).open(&path).expect("a file");
    file.write_all(input).and_then(|()| file.rewind()).expect("room for the text");
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep"));
    command.args(args).stdin(file).stdout(Stdio::null()).env_remove("URLGREP_CONFIG_PATH");
    let start = Instant::now();
    let status = command.status().expect("the command runs");
    let spent = start.elapsed();
    assert!(matches!(status.code(), Some(0 | 1)), "{args:?}: {status}");
    std::fs::remove_file(path).expect("a file of ours");
    spent
}

fn audit(text: &[u8]) -> Duration {
    command(&["audit", "--input", "text", "-j", "1", "-"], text)
}

fn page(text: &[u8]) -> Duration {
    command(&["audit", "--input", "text", "--format", "html", "-j", "1", "-"], text)
}

/// Fills a new database.
fn database(text: &[u8]) -> Duration {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("linear-{}.db", std::process::id()));
    let name = path.to_str().expect("a path of ours");
    let fill = |_| {
        let _ = std::fs::remove_file(&path);
        run(&["audit", "--input", "text", "--db", name, "-j", "1", "-"], text)
    };
    let spent = (0..3).map(fill).min().unwrap_or_default();
    std::fs::remove_file(&path).expect("a file of ours");
    spent
}

/// Judges each line, and explains the long ones.
fn parse(text: &[u8]) -> Duration {
    let lines = || text.split(|&byte| byte == b'\n');
    let judged = time(|| {
        for line in lines() {
            std::hint::black_box(urlgrep::url::judge(line, Default::default()));
        }
    });
    let long = lines().filter(|line| line.len() > 4096).collect::<Vec<_>>().join(&b'\n');
    judged + if long.is_empty() { Duration::ZERO } else { command(&["parse", "--explain", "-"], &long) }
}

/// Returns the CPU time of this thread if the system reports it, otherwise the wall-clock time.
fn time(read: impl FnOnce()) -> Duration {
    let spent = || {
        std::thread::yield_now(); // this updates the scheduler's account
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(stat.split(' ').next()?.parse().ok()?))
    };
    let (clock, before) = (Instant::now(), spent());
    read();
    match (before, spent()) {
        (Some(before), Some(after)) => after - before,
        _ => clock.elapsed(),
    }
}

impl Reader {
    fn time(&self, pattern: &[u8], size: usize) -> Duration {
        (self.read)(&[self.head, &pattern.repeat(size.div_ceil(pattern.len())), self.tail].concat())
    }

    /// Returns the speed in bytes per second.
    fn speed(&self, pattern: &[u8], size: usize) -> f64 {
        size as f64 / self.time(pattern, size).as_secs_f64()
    }

    /// Returns a complaint if a text `times` as long needs over 1.5 × `times` as much time. Only
    /// three slow measurements in a row are a complaint, since the machine may be busy.
    fn growth(&self, pattern: &[u8], size: usize, times: usize) -> Option<String> {
        let mut ratios = Vec::new();
        for _ in 0..3 {
            let (short, long) = (self.time(pattern, size / times), self.time(pattern, size));
            if long < short * times as u32 * 3 / 2 + Duration::from_millis(5) {
                return None;
            }
            ratios.push(long.as_secs_f64() / short.as_secs_f64());
        }
        Some(format!(
            "{} of {}: {times} times the text takes {ratios:.1?} times as long",
            self.name,
            pattern.escape_ascii()
        ))
    }

    /// Returns a complaint if the reader is slower than its floor three times in a row.
    fn slowness(&self, pattern: &[u8], size: usize) -> Option<String> {
        let best =
            (0..3).map(|_| self.speed(pattern, size)).take_while(|&speed| speed < self.floor).collect::<Vec<_>>();
        let best = (best.len() == 3).then(|| best.into_iter().fold(0.0, f64::max))?;
        Some(format!("{} of {}: {:.1} MB/s", self.name, pattern.escape_ascii(), best / 1e6))
    }
}

/// Returns every atom, every found pattern, and some combinations of two and of three atoms.
fn patterns(rng: &mut Rng, combinations: usize) -> Vec<String> {
    let mut patterns: Vec<String> =
        ATOMS.iter().chain(FOUND).chain(LAYOUTS).map(|&pattern| pattern.to_owned()).collect();
    for turn in 0..combinations {
        patterns.push((0..2 + turn % 2).map(|_| ATOMS[rng.usize(..ATOMS.len())]).collect());
    }
    patterns
}

/// Fails for readers whose time grows faster than the text. The shorter text is longer than B-MAX:
/// a refused run costs more than one long URL. It is also longer than a header that is searched for
/// its end.
fn check_growth(readers: &[Reader]) {
    let rng = &mut Rng::with_seed(1738);
    // A text that fits the caches costs less time per byte than one that does not. A mailbox of
    // 4,900 short messages needed 8 times the time of 1,200. From 9,800 to 39,000 messages it was 4
    // times (2026-11). So a complaint must be confirmed by texts larger than the caches.
    let grows = |reader: &Reader, pattern: String| {
        let pattern = pattern.as_bytes();
        reader.growth(pattern, 320 << 10, 4).and_then(|_| reader.growth(pattern, 2560 << 10, 4))
    };
    // By default, each reader reads every fourth pattern, and the next reader reads the next ones.
    let is_due = |reader: usize, pattern: usize| takes_all() || pattern % 4 == reader % 4;
    let of_reader = |(index, reader)| {
        let due = patterns(rng, 20).into_iter().enumerate().filter(|&(at, _)| is_due(index, at));
        due.filter_map(|(_, pattern)| grows(reader, pattern)).collect::<Vec<_>>()
    };
    let complaints: Vec<String> = readers.iter().enumerate().flat_map(of_reader).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn time_grows_with_the_text() {
    check_growth(&READERS[..COMMANDS]);
}

#[test]
fn time_of_the_command_grows_with_the_text() {
    check_growth(&READERS[COMMANDS..KEEPERS]);
}

#[test]
fn time_of_an_audit_that_keeps_context_grows_with_the_text() {
    let grows =
        |reader: &'static Reader| DENSE.iter().filter_map(|pattern| reader.growth(pattern.as_bytes(), 160 << 10, 4));
    let complaints: Vec<String> = READERS[KEEPERS..].iter().flat_map(grows).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Lists of distinct URLs share no context.
#[test]
#[ignore = "needs an optimised build"]
fn an_audit_of_distinct_urls_keeps_its_floor() {
    let shapes: [fn(usize) -> String; 5] = [
        |n| format!("http://h{}.example/path/{n}\n", n % 977),
        |n| format!("http://a/{n:x},"),
        |n| format!("http://u{n:x}@h:{n} "),
        |n| format!("https://h.example/?u=http%3A%2F%2Fh%2F{n} "),
        |n| format!("https://h.example/?token=aB3{n}xYz9Qw7eR5tY2uI8&password=hunter{n} "),
    ];
    for (index, shape) in shapes.into_iter().enumerate() {
        let text = distinct(1 << 20, shape);
        for Reader { name, floor, read, .. } in &READERS[KEEPERS..] {
            let best = (0..3).map(|_| text.len() as f64 / read(text.as_bytes()).as_secs_f64()).fold(0.0, f64::max);
            assert!(best > *floor, "{name} of shape {index}: {:.1} MB/s", best / 1e6);
        }
    }
}

#[test]
#[ignore = "takes minutes, and an optimised build"]
fn nothing_is_slower_than_its_floor() {
    let rng = &mut Rng::with_seed(1808);
    let mut complaints = Vec::new();
    for (index, reader) in READERS.iter().enumerate() {
        // The combinations differ in the finder, which the last readers share with the others.
        let combinations = if index < KEEPERS { 1_000 } else { 50 };
        for pattern in patterns(rng, combinations).into_iter().chain(DENSE.iter().map(|&dense| dense.to_owned())) {
            complaints.extend(reader.slowness(pattern.as_bytes(), 256 << 10));
        }
        for pattern in ATOMS {
            complaints.extend(reader.slowness(pattern.as_bytes(), LONGEST));
            complaints.extend(reader.growth(pattern.as_bytes(), LONGEST, 2));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Returns a text in which no URL occurs twice.
fn distinct(size: usize, url: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    (0..)
        .map(url)
        .take_while(|url| {
            text.push_str(url);
            text.len() < size
        })
        .for_each(drop);
    text
}

#[test]
fn an_audit_of_distinct_urls_takes_time_that_grows_with_them() {
    let shapes: [fn(usize) -> String; 4] = [
        |n| format!("http://h{n}.example/\n"),
        |n| format!("ftp://{n:x} "),
        |n| format!("http://\u{3042}{n:x}.x\n"),
        |n| format!("<URL:http://h{n}-\na-\nb-\nc/>\n"),
    ];
    for (index, shape) in shapes.into_iter().enumerate() {
        let [short, long] = [128 << 10, 1 << 20].map(|size| distinct(size, shape));
        let grows = || audit(long.as_bytes()) > 14 * audit(short.as_bytes()) + Duration::from_millis(20);
        assert!(!(0..3).all(|_| grows()), "shape {index}");
    }
}

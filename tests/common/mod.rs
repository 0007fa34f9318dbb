//! Shared code of the suites: one text through every driver, and the vector files.

#![allow(dead_code, unused_imports)] // each suite is a crate of its own and uses a part of this

mod backend;
#[path = "../../src/find/tests/screens.rs"]
pub(crate) mod screens;

use std::any::Any;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use backend::{backends, builder};
use fastrand::Rng;
use serde_json::Value;
use urlgrep::{Checkpoint, ExtractorBuilder, Feeder, Match, ReadAt, Section, Segment, Sink, Stats};

/// A match as plain data.
pub(crate) type Owned = Match<'static>;

/// A reader that returns at most `most` bytes at a time, and reports an interrupt before each.
pub(crate) struct Drip<R> {
    inner: R,
    most: usize,
    interrupt: bool,
}

impl<R> Drip<R> {
    pub(crate) fn new(inner: R, most: usize) -> Self {
        Drip { inner, most, interrupt: false }
    }
}

impl<R: Read> Read for Drip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = self.most.min(buffer.len());
        self.inner.read(&mut buffer[..most])
    }
}

/// Clears the two fields in which drivers differ: the bytes read, and the checkpoint, which a slice
/// lacks.
fn but_bytes(mut stats: Stats) -> Stats {
    stats.bytes = 0;
    stats.checkpoint = None;
    stats
}

/// Returns the sequential result, which is the reference.
pub(crate) fn slice(builder: &ExtractorBuilder, text: &[u8]) -> (Vec<Owned>, Stats) {
    let extractor = builder.build();
    let mut iter = extractor.find_iter(text);
    let found: Vec<Owned> = iter.by_ref().map(Match::into_owned).collect();
    let stats = but_bytes(iter.stats());
    (found, stats)
}

pub(crate) fn stream(builder: &ExtractorBuilder, text: &[u8], chunk: usize, reads: usize) -> (Vec<Owned>, Stats) {
    let extractor = builder.clone().chunk_size(chunk).build();
    let mut stream = extractor.stream(Drip::new(text, reads));
    let mut found = Vec::new();
    while let Some(m) = stream.next().expect("reading from memory") {
        found.push(m.into_owned());
    }
    assert_eq!(stream.stats().bytes, text.len() as u64);
    let stats = but_bytes(stream.stats());
    (found, stats)
}

/// Searches in the stream's own loop, which stops at every third match and is resumed.
pub(crate) fn stream_loop(builder: &ExtractorBuilder, text: &[u8], chunk: usize, reads: usize) -> (Vec<Owned>, Stats) {
    let extractor = builder.clone().chunk_size(chunk).build();
    let mut stream = extractor.stream(Drip::new(text, reads));
    let mut found = Vec::new();
    let mut add = |m: &Match<'_>| {
        found.push(m.clone().into_owned());
        if found.len() % 3 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    while stream.try_for_each(&mut add).expect("reading from memory").is_break() {}
    let stats = but_bytes(stream.stats());
    (found, stats)
}

/// Pushes a text in pieces: cut at `cuts`, and none longer than `most`. After one push in three,
/// the next push comes before the matches are read.
pub(crate) fn feeder(builder: &ExtractorBuilder, text: &[u8], most: usize, cuts: &[usize]) -> (Vec<Owned>, Stats) {
    let mut feeder = builder.build().feeder();
    let mut found = Vec::new();
    let mut take = |feeder: &mut Feeder| {
        while let Some(m) = feeder.next() {
            found.push(m.into_owned());
        }
    };
    let pieces = edges(text, cuts).flat_map(|(a, b)| text[a..b].chunks(most));
    for (i, piece) in pieces.enumerate() {
        feeder.push(piece);
        if i % 3 > 0 {
            take(&mut feeder);
        }
    }
    feeder.finish();
    take(&mut feeder);
    feeder.push("http://too.late.example/ ");
    take(&mut feeder);
    assert_eq!(feeder.stats().bytes, text.len() as u64);
    assert!(feeder.searched() <= text.len() as u64);
    let stats = but_bytes(feeder.stats());
    (found, stats)
}

/// Returns the links of a text's segments, which tile it.
pub(crate) fn segments(builder: &ExtractorBuilder, text: &[u8]) -> Vec<Owned> {
    let mut links = Vec::new();
    let mut joined = Vec::new();
    for segment in builder.build().segments(text) {
        match segment {
            Segment::Text(text) => {
                assert!(!text.is_empty());
                joined.extend_from_slice(text);
            }
            Segment::Link(found) => {
                joined.extend_from_slice(found.source());
                links.push(found.into_owned());
            }
        }
    }
    assert_eq!(bstr::BStr::new(&joined), bstr::BStr::new(text));
    if let Ok(text) = std::str::from_utf8(text) {
        let count = builder.build().segments(text).filter(|segment| matches!(segment, Segment::Link(_))).count();
        assert_eq!(count, links.len());
    }
    links
}

/// Searches a slice in the search's own loop.
pub(crate) fn folded(builder: &ExtractorBuilder, text: &[u8]) -> Vec<Owned> {
    builder.build().find_iter(text).fold(Vec::new(), |mut found, m| {
        found.push(m.into_owned());
        found
    })
}

pub(crate) fn par_find(builder: &ExtractorBuilder, text: &[u8], chunk: usize, threads: usize) -> Vec<Owned> {
    let extractor = builder.clone().chunk_size(chunk).build();
    pool(threads).install(|| extractor.par_find(text).into_iter().map(Match::into_owned).collect())
}

#[derive(Default)]
struct Collect(Vec<Owned>);

impl Sink for Collect {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(found.clone().into_owned());
    }
}

pub(crate) fn par_stream(
    builder: &ExtractorBuilder,
    text: &[u8],
    chunk: usize,
    threads: usize,
    reads: usize,
) -> (Vec<Owned>, Stats) {
    let extractor = builder.clone().chunk_size(chunk).build();
    let mut found = Vec::new();
    let stats = pool(threads).install(|| {
        extractor.par_stream(Drip::new(text, reads), Collect::default, |batch| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        })
    });
    (found, but_bytes(stats.expect("reading from memory")))
}

/// Searches the ranges that tile the text, each by itself.
pub(crate) fn tiles(builder: &ExtractorBuilder, text: &[u8], cuts: &[usize]) -> Vec<Owned> {
    let extractor = builder.build();
    edges(text, cuts)
        .flat_map(|(a, b)| extractor.find_range(text, a..b).map(Match::into_owned).collect::<Vec<_>>())
        .collect()
}

/// Searches the ranges through readers that seek.
pub(crate) fn stream_tiles(builder: &ExtractorBuilder, text: &[u8], cuts: &[usize], chunk: usize) -> Vec<Owned> {
    let extractor = builder.clone().chunk_size(chunk).build();
    let mut found = Vec::new();
    for (a, b) in edges(text, cuts) {
        let mut stream = extractor.stream_range(Cursor::new(text), a as u64..b as u64).expect("seeking in memory");
        while let Some(m) = stream.next().expect("reading from memory") {
            found.push(m.into_owned());
        }
    }
    found
}

/// An input that returns at most `most` bytes per read, and reports an interrupt before each.
struct Sips<'t> {
    text: &'t [u8],
    most: usize,
    interrupt: AtomicBool,
}

impl ReadAt for Sips<'_> {
    fn size(&self) -> io::Result<u64> {
        self.text.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if !self.interrupt.fetch_xor(true, Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(self.most);
        self.text.read_at(&mut buffer[..most], offset)
    }
}

/// Searches the ranges in parallel, where every thread reads for itself.
pub(crate) fn par_tiles(
    builder: &ExtractorBuilder,
    text: &[u8],
    cuts: &[usize],
    chunk: usize,
    threads: usize,
    reads: usize,
) -> (Vec<Owned>, Stats) {
    let extractor = builder.clone().chunk_size(chunk).build();
    let input = Sips { text, most: reads, interrupt: AtomicBool::new(false) };
    let (mut found, mut stats) = (Vec::new(), Stats::default());
    for (a, b) in edges(text, cuts) {
        let tile = pool(threads)
            .install(|| {
                extractor.par_read_at(&input, a as u64..b as u64, Collect::default, |batch| {
                    found.extend(batch.0);
                    Ok(ControlFlow::Continue(()))
                })
            })
            .expect("reading from memory");
        stats.matches += tile.matches;
        stats.too_long += tile.too_long;
        stats.unterminated += tile.unterminated;
        stats.empty_wrappers += tile.empty_wrappers;
    }
    (found, stats)
}

/// Checks a search that continues at a checkpoint, with line numbers. The final matches in the
/// first `length` bytes, and the matches of the continued search, must be all matches.
pub(crate) fn check_going_on(builder: &ExtractorBuilder, text: &[u8], length: usize, chunk: usize, expected: &[Owned]) {
    /// All matches are final this far before the end.
    const MARGIN: usize = 36_418;
    let extractor = builder.clone().chunk_size(chunk).build();
    let stream = |text: &[u8], section: Section| {
        let mut stream = extractor.stream_range(Cursor::new(text), section).expect("seeking in memory");
        let mut found = Vec::new();
        while let Some(m) = stream.next().expect("reading from memory") {
            found.push(m.into_owned());
        }
        (found, stream.stats())
    };
    let parallel = |text: &[u8], section: Section| {
        let mut found = Vec::new();
        let deliver = |batch: Collect| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        };
        let stats = pool(2).install(|| extractor.par_read_at(&text, section, Collect::default, deliver));
        (found, stats.expect("reading from memory"))
    };
    let before = &text[..length];
    let (mut found, stats) = stream(before, Section::from(0..u64::MAX));
    let last = &before[..length.saturating_sub(MARGIN)];
    let start = last.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let lines = last.iter().filter(|&&byte| byte == b'\n').count();
    let checkpoint = Checkpoint::new(start as u64, lines as u64, 0);
    assert_eq!(stats.checkpoint, (length > 0).then_some(checkpoint));
    assert_eq!(parallel(before, Section::from(0..u64::MAX)).1.checkpoint, stats.checkpoint);
    let piped = pool(2).install(|| extractor.par_stream(before, Collect::default, |_| Ok(ControlFlow::Continue(()))));
    assert_eq!(piped.expect("reading from memory").checkpoint, stats.checkpoint);
    let mut feeder = extractor.feeder();
    for piece in before.chunks(chunk) {
        feeder.push(piece);
        while feeder.next().is_some() {}
    }
    feeder.finish();
    while feeder.next().is_some() {}
    assert_eq!(feeder.stats(), stats);

    found.retain(|m| m.span().start < checkpoint.offset);
    let (later, stats) = stream(text, checkpoint.into());
    let (par_later, par_stats) = parallel(text, checkpoint.into());
    assert!(later == par_later, "{length} bytes, {checkpoint:?}, chunk {chunk}");
    assert_eq!(but_bytes(stats), but_bytes(par_stats));
    assert_eq!(stats.checkpoint, par_stats.checkpoint);
    found.extend(later);
    assert!(found == expected, "{length} bytes, {checkpoint:?}, chunk {chunk}");
}

fn edges(text: &[u8], cuts: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let mut edges = vec![0];
    edges.extend(cuts.iter().copied().filter(|&cut| cut < text.len()));
    edges.push(text.len());
    edges.sort_unstable();
    edges.dedup();
    if edges.len() == 1 {
        edges.push(0);
    }
    edges.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>().into_iter()
}

/// Returns a pool. Pools are created once, since a test runs thousands of turns.
pub(crate) fn pool(threads: usize) -> std::sync::Arc<rayon::ThreadPool> {
    use std::collections::HashMap;
    use std::sync::{Arc, LazyLock, Mutex};
    static POOLS: LazyLock<Mutex<HashMap<usize, Arc<rayon::ThreadPool>>>> = LazyLock::new(Default::default);
    let mut pools = POOLS.lock().expect("no test panics in here");
    pools
        .entry(threads)
        .or_insert_with(|| Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")))
        .clone()
}

/// Checks what holds for every match, whatever the text.
pub(crate) fn check_invariants(text: &[u8], found: &[Owned]) {
    let mut end = 0;
    let is_utf8 = std::str::from_utf8(text).is_ok();
    assert!(found.is_sorted(), "the order of matches is that of the text");
    for m in found {
        assert!(m.url_str().as_bytes() == m.url() || !is_utf8, "{m:?} is not UTF-8");
        check_split(m);
        let span = m.span().start as usize..m.span().end as usize;
        assert!(span.start >= end, "overlap at {span:?}");
        assert!(span.start < span.end && span.end <= text.len(), "{span:?}");
        end = span.end;
        assert_eq!(m.source(), &text[span.clone()]);
        if m.is_verbatim() {
            assert!(m.source().windows(m.url().len()).any(|w| w == m.url()), "{m:?} is not in its span");
        }
        let readings: Vec<_> = m.readings().collect();
        assert_eq!(&*readings[0], m.url());
        for (i, reading) in readings.iter().enumerate() {
            assert!(!readings[..i].contains(reading), "{m:?} says {reading} twice");
        }
        let literal = urlgrep::url::ParseOptions::new().level(urlgrep::Level::Rfc1738Ref).other_literal(true);
        match urlgrep::Url::parse_at(urlgrep::Level::Rfc1738Ref, m.url()) {
            Ok(url) => {
                assert_eq!(url.as_bstr(), m.url(), "parse, then recompose, gives the input");
                assert!(m.error().is_none() && m.level() <= urlgrep::Level::Rfc1738Ref, "{m:?}");
            }
            Err(error) if m.error().is_some() => assert_eq!(m.error(), Some(error), "{m:?}"),
            Err(_) => assert!(urlgrep::Url::parse_with(m.url(), literal).is_ok(), "{m:?}"),
        }
    }
}

/// Checks that the components of a match of any level make up its target. The host of an article or
/// a mail address is in its path.
fn check_split(m: &Owned) {
    let split = m.split();
    assert_eq!(split.host(), m.host().map(|host| host.to_string()).as_deref(), "{m:?}");
    let target = m.target().to_string();
    let mut whole = split.scheme().map_or(String::new(), |scheme| format!("{scheme}:"));
    let rest = &target[whole.len()..];
    let query = split.query().map_or(String::new(), |query| format!("?{query}"));
    let fragment = split.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
    let path = [split.path(), &query, &fragment].concat();
    if rest != path {
        whole += &rest[..2]; // slashes, or what a browser reads as such
        whole += &split.userinfo().map_or(String::new(), |userinfo| format!("{userinfo}@"));
        whole += split.host().unwrap_or_default();
        whole += &split.port_text().map_or(String::new(), |port| format!(":{port}"));
    }
    // The host is the first one of several, or stands before settings (B-HOSTS).
    match target.strip_prefix(&whole).filter(|more| more.starts_with([',', ';']) && split.port_text().is_none()) {
        Some(more) => assert!(more.ends_with(&path), "{split:?}"),
        None => assert_eq!(whole + &path, target, "{split:?}"),
    }
    if let (Ok(url), true) = (urlgrep::Url::try_from(m), m.target() == m.url()) {
        assert_eq!((split.user(), split.password()), (text(url.user()), text(url.password())), "{m:?}");
        assert_eq!((split.port(), split.query()), (url.port(), text(url.query())), "{m:?}");
    }
}

fn text(part: Option<&bstr::BStr>) -> Option<&str> {
    part.map(|part| std::str::from_utf8(part).expect("a URL is UTF-8"))
}

/// Searches a text through every driver with these cuts, and compares the results.
pub(crate) fn check_drivers(
    builder: &ExtractorBuilder,
    text: &[u8],
    chunk: usize,
    reads: usize,
    cuts: &[usize],
) -> Vec<Owned> {
    let (expected, stats) = slice(builder, text);
    let same = |name: &str, found: (Vec<Owned>, Stats)| {
        assert!(
            found == (expected.clone(), stats),
            "{name}: chunk {chunk}, reads of {reads}, cuts {cuts:?}, {builder:?}, text {:?}\n{}",
            bstr::BStr::new(text),
            differences(&found.0, &expected)
        );
    };
    same("stream", stream(builder, text, chunk, reads));
    for backend in backends() {
        let (builder, name) = (builder.clone().backend(backend), backend.name());
        same(name, slice(&builder, text));
        same(&format!("{name}, folded"), (folded(&builder, text), stats));
        same(&format!("{name}, loop"), stream_loop(&builder, text, chunk, reads));
    }
    for threads in [1, 2, 8] {
        same(&format!("par_find, {threads}"), (par_find(builder, text, chunk, threads), stats));
        same(&format!("par_stream, {threads}"), par_stream(builder, text, chunk, threads, reads));
        same(&format!("par_read_at, {threads}"), par_tiles(builder, text, &[], chunk, threads, reads));
    }
    same("feeder", feeder(builder, text, reads, cuts));
    same("segments", (segments(builder, text), stats));
    same("tiles", (tiles(builder, text, cuts), stats));
    same("stream tiles", (stream_tiles(builder, text, cuts, chunk), stats));
    same("parallel tiles", par_tiles(builder, text, cuts, chunk, 2, reads));
    expected
}

/// Returns the matches that only one of the two has, with all readings.
pub(crate) fn differences(found: &[Owned], expected: &[Owned]) -> String {
    let only = |name: &str, these: &[Owned], those: &[Owned]| -> String {
        let differing = these.iter().filter(|one| !those.contains(one));
        let shown = |one: &Owned| format!("{name} {one:?} {:?}\n", one.readings().collect::<Vec<_>>());
        differing.map(shown).collect()
    };
    only("got ", found, expected) + &only("want", expected, found)
}

/// The files of vectors, and the number of vectors in each.
const VECTORS: [(&str, usize); 3] = [("parser.jsonl", 951), ("context.jsonl", 1248), ("join.jsonl", 136)];

/// Reads one of [`VECTORS`].
pub(crate) fn vectors(name: &str) -> Vec<Value> {
    let (_, count) = VECTORS.into_iter().find(|known| known.0 == name).expect("a file of vectors");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(vectors.len(), count, "{name} lost or won vectors");
    vectors
}

/// Returns true if all cases of a slow test are to run.
pub(crate) fn takes_all() -> bool {
    std::env::var_os("URLGREP_TURNS").is_some_and(|value| value == "all")
}

/// Runs `turn` with different seeds; a failure names its seed.
///
/// By default a tenth of `all` turns runs, for a quick result. `URLGREP_TURNS=all` runs them all,
/// `URLGREP_TURNS=1000000` as many, and `URLGREP_SEED=…` replays one.
pub(crate) fn turns(all: u64, turn: impl Fn(&mut Rng) + Sync) {
    let number = |value: String| value.parse::<u64>().unwrap_or_else(|_| panic!("{value} is no number"));
    if let Ok(seed) = std::env::var("URLGREP_SEED") {
        return turn(&mut Rng::with_seed(number(seed)));
    }
    let runs = match std::env::var("URLGREP_TURNS") {
        Ok(_) if takes_all() => all,
        Ok(value) => number(value),
        Err(_) => all.div_ceil(10),
    };
    // Plain threads: a turn waits for pools of its own, and a waiting pool thread would start
    // further turns.
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for first in 0..threads {
            let turn = &turn;
            scope.spawn(move || {
                for seed in (first..runs).step_by(threads as usize) {
                    let result = catch_unwind(AssertUnwindSafe(|| turn(&mut Rng::with_seed(seed))));
                    if let Err(panic) = result {
                        panic!("replay with URLGREP_SEED={seed}: {}", message(&*panic));
                    }
                }
            });
        }
    });
}

fn message(panic: &dyn Any) -> &str {
    panic.downcast_ref::<String>().map_or("no message", String::as_str)
}

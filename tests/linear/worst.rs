//! A search for the patterns that cost the most CPU time per byte. It mutates atoms, and the
//! slowest mutants survive.
//!
//! `URLGREP_SECONDS=1200 cargo test --release --test linear -- --ignored --nocapture worst` prints
//! them, for each reader, with the speed. If a new pattern is below a floor, fix its cause, and add
//! the pattern to `FOUND`.

use std::time::Instant;

use super::*;

/// Further atoms beside [`ATOMS`], for the rules of joining, brackets, quotes and hyphens.
const MORE: &[&str] = &[
    "https://",
    "ftp://",
    "wais://",
    "file:",
    "svn+ssh://",
    "URL:",
    "www.",
    ".com",
    "/a/b",
    "a.html",
    "A",
    "0",
    "-",
    "_",
    "#",
    "?a=",
    ";",
    "*",
    "**",
    "''",
    "\\",
    "{",
    "]",
    ")",
    "}",
    "|",
    "\r\n",
    "\t",
    "> > ",
    " * ",
    "// ",
    "# ",
    "=\n",
    "%41",
    "\n\n",
    "-\n-\n-\n",
    "and ",
    "at ",
    "[Page 1]\n\x0C",
];
/// The longest pattern.
const LONGEST: usize = 150;
/// The bytes of a quick measurement, which decides whether a pattern deserves a better one.
const GLANCE: usize = 64 << 10;
const WHOLE: usize = 256 << 10;
/// The number of patterns that survive.
const POOL: usize = 12;
/// The search leaves a pool after this many tries without a new slowest pattern. The pool has
/// reached a local maximum.
const PATIENCE: usize = 1_500;
/// The number of patterns shown for each reader.
const SHOWN: usize = 6;

/// A pattern with its speed, in bytes per second.
type Tried = (f64, String);

#[test]
#[ignore = "searches for as long as URLGREP_SECONDS says"]
#[allow(clippy::print_stderr)]
fn the_worst_patterns_keep_the_floors() {
    let seconds: u64 = std::env::var("URLGREP_SECONDS").map_or(0, |text| text.parse().expect("a number"));
    let mut rng = Rng::new();
    let mut complaints = Vec::new();
    for reader in READERS {
        let until = Instant::now() + Duration::from_secs(seconds) / READERS.len() as u32;
        let mut worst: Vec<Tried> = Vec::new();
        while Instant::now() < until {
            // Only one pattern of each pool is kept, since the patterns of a pool are alike.
            worst.extend(climb(reader, &mut rng, until).into_iter().next());
        }
        worst.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (speed, pattern) in worst.iter().take(SHOWN) {
            eprintln!("{}: {:.1} MB/s: {pattern:?}", reader.name, speed / 1e6);
        }
        complaints.extend(worst.iter().filter_map(|(_, pattern)| reader.slowness(pattern.as_bytes(), WHOLE)));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Returns the slowest patterns of one pool, the slowest first.
fn climb(reader: &Reader, rng: &mut Rng, until: Instant) -> Vec<Tried> {
    let mut pool: Vec<Tried> = Vec::new();
    let mut tries = 0;
    while tries < PATIENCE && Instant::now() < until {
        tries += 1;
        let pattern = match pool.len() {
            POOL => mutant(rng, &pool),
            _ => (0..2 + rng.usize(..6)).map(|_| atom(rng)).collect(),
        };
        let slowest_out = pool.get(POOL - 1).map_or(f64::MAX, |(speed, _)| *speed);
        if pattern.is_empty()
            || pool.iter().any(|(_, known)| *known == pattern)
            || reader.speed(pattern.as_bytes(), GLANCE) > slowest_out
        {
            continue;
        }
        let speed = (0..3).map(|_| reader.speed(pattern.as_bytes(), WHOLE)).fold(0.0, f64::max);
        if speed < slowest_out {
            let place = pool.partition_point(|(known, _)| *known < speed);
            tries = if place == 0 { 0 } else { tries };
            pool.insert(place, (speed, pattern));
            pool.truncate(POOL);
        }
    }
    pool
}

fn atom(rng: &mut Rng) -> &'static str {
    let at = rng.usize(..ATOMS.len() + MORE.len());
    ATOMS.get(at).unwrap_or_else(|| &MORE[at - ATOMS.len()])
}

/// Returns a pattern of the pool, changed in a few places.
fn mutant(rng: &mut Rng, pool: &[Tried]) -> String {
    let mut chars: Vec<char> = rng.choice(pool).expect("some").1.chars().collect();
    for _ in 0..1 + rng.usize(..3) {
        let at = rng.usize(..=chars.len());
        let end = chars.len().min(at + 1 + rng.usize(..12));
        match rng.u8(..6) {
            0 | 1 => drop(chars.splice(at..at, atom(rng).chars())),
            2 => drop(chars.splice(at..end, atom(rng).chars())),
            3 => drop(chars.drain(at..end)),
            4 => chars.splice(at..at, chars[at..end].to_vec()).for_each(drop),
            _ => {
                let other: Vec<char> = rng.choice(pool).expect("some").1.chars().collect();
                chars.truncate(at);
                chars.extend(&other[rng.usize(..=other.len())..]);
            }
        }
    }
    chars.truncate(LONGEST);
    chars.into_iter().collect()
}

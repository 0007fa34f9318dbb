//! The library against the floor under it: the colons of a text in memory, counted by memchr.
//!
//! `colons FILE PAIRS` prints the number of URLs and the number of colons, then for each pair the CPU seconds of either
//! count: colons first. They take turns, so that a machine that slows down slows both.

use std::hint::black_box;
use std::process::ExitCode;

use nix::sys::time::TimeValLike as _;
use nix::time::{ClockId, clock_gettime};
use urlgrep::Extractor;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let compared = match &arguments[..] {
        [file, pairs] => compare(file, pairs),
        _ => Err("FILE PAIRS".into()),
    };
    match compared {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("colons: {error}");
            ExitCode::from(2)
        }
    }
}

fn compare(file: &str, pairs: &str) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read(file)?;
    let extractor = Extractor::new();
    // What the command would print: brackets that hold no URL at all are left out.
    let urls = || extractor.find_iter(black_box(&text)).filter(|found| found.holds_url()).count();
    let colons = || memchr::memchr_iter(b':', black_box(&text)).count();
    println!("{} {}", urls(), colons());
    for _ in 0..pairs.parse()? {
        println!("{:.6} {:.6}", seconds(colons)?, seconds(urls)?);
    }
    Ok(())
}

/// CPU seconds of this thread: what else the machine does is not counted.
fn seconds(count: impl Fn() -> usize) -> nix::Result<f64> {
    let start = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    black_box(count());
    let spent = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)? - start;
    Ok(spent.num_nanoseconds() as f64 / 1e9)
}

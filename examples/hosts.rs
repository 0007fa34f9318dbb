//! Counts the links of standard input by host, the most frequent first.
//!
//! ```sh
//! cargo run --no-default-features --example hosts < README.md
//! ```
#![allow(clippy::print_stdout)]

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use urlgrep::Extractor;

fn main() -> io::Result<()> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    // A stream reads any length of input in bounded memory. It lends its matches, so `for` cannot
    // loop over it.
    let mut stream = Extractor::new().stream(io::stdin().lock());
    while let Some(found) = stream.next()? {
        // A URL of any level may have a host, valid or not. Some have none, such as
        // `news:comp.lang.c`.
        if let Some(host) = found.split().host() {
            *counts.entry(host.to_lowercase()).or_default() += 1;
        }
    }
    let mut hosts: Vec<_> = counts.into_iter().collect();
    hosts.sort_by_key(|&(_, count)| Reverse(count)); // stable: equal counts stay in the order of their names
    for (host, count) in hosts {
        println!("{count:>6} {host}");
    }
    Ok(())
}

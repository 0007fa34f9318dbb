//! Any bytes, read as any archive, in any pieces. Nothing fails, and the matches do not depend on
//! the pieces. Nor do they depend on the ranges that tile the archive.
#![no_main]

use std::io::{self, Cursor, Read};
use std::ops::{ControlFlow, Range};

use libfuzzer_sys::fuzz_target;
use urlgrep::archive::{Container, OpenOptions};
use urlgrep::{Extractor, Match, RangeCounts, Sink};

#[derive(Default)]
struct All(Vec<Match<'static>>);

impl Sink for All {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(found.clone().into_owned());
    }
}

/// A reader that returns at most this many bytes at a time.
struct Sips<'t>(&'t [u8], usize);

impl Read for Sips<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

fn find(text: &[u8], sip: usize, container: Container, range: Range<u64>) -> Vec<Match<'static>> {
    let mut found = Vec::new();
    Extractor::builder()
        .line_numbers(true)
        .build()
        .documents(Sips(text, sip), container, range, All::default, |batch| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        })
        .expect("reading from memory");
    found
}

/// Finds the matches range by range, where each range reads no more than it must.
fn find_in_ranges(text: &[u8], container: Container, cut: u64) -> Vec<Match<'static>> {
    let extractor = Extractor::builder().line_numbers(true).build();
    let (mut found, mut before) = (Vec::new(), RangeCounts::default());
    for range in [0..cut, cut..u64::MAX] {
        let deliver = |batch: All| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        };
        let searched = extractor.search_range(Cursor::new(text), container, range, &before, All::default, deliver);
        before += searched.expect("reading from memory").1;
    }
    found
}

fuzz_target!(|input: (u8, u16, &[u8])| {
    let (sip, cut, text) = input;
    let sip = usize::from(sip) + 1;
    let mut input = text;
    let mut looks_like = Container::Text;
    let _ = OpenOptions::new().each(&mut input, b"", |_, entry| {
        let _ = entry.map(|entry| {
            looks_like = entry.container();
            entry.take(1 << 20).read_to_end(&mut Vec::new())
        });
        Ok(ControlFlow::Continue(()))
    });
    use Container::{Babyl, Dbox, Emlx, Html, Mbox, Message, Mmdf, Rnews};
    for container in [looks_like, Html, Message, Mbox, Rnews, Mmdf, Babyl, Dbox, Emlx] {
        let all = find(text, usize::MAX, container, 0..u64::MAX);
        assert_eq!(all, find(text, sip, container, 0..u64::MAX), "reads of {sip} bytes");
        let cut = u64::from(cut);
        let mut tiles = find(text, usize::MAX, container, 0..cut);
        tiles.extend(find(text, usize::MAX, container, cut..u64::MAX));
        assert_eq!(all, tiles, "cut at {cut}");
        assert_eq!(all, find_in_ranges(text, container, cut), "ranges, cut at {cut}");
    }
});

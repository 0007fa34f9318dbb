//! The guarantees of a search that the targets check, in one place.
//!
//! ```text
//! RUSTC_BOOTSTRAP=1 cargo fuzz run structured_text -- -max_total_time=600
//! ```

#[cfg(feature = "reports")]
pub mod audited;
#[cfg(feature = "reports")]
#[allow(dead_code, unused_imports)] // this is a part of the command
#[path = "../../src/command/mod.rs"]
mod command;
pub mod opened;

use std::io::{self, Read};
use std::ops::ControlFlow;

use urlgrep::url::{ParseOptions, judge};
use urlgrep::{Extractor, Match, Segment, Sink};

/// A match as plain data: offset, length, kind, readings.
type Listed = (u64, u64, &'static str, Vec<Vec<u8>>);

fn listed(found: &Match<'_>) -> Listed {
    let span = found.span();
    (span.start, span.end, found.kind().as_str(), found.readings().map(|reading| reading.to_vec()).collect())
}

/// A reader that returns at most this many bytes at a time, like a pipe that pauses.
struct Paused<'t>(&'t [u8], usize);

impl Read for Paused<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

#[derive(Default)]
struct Found(Vec<Listed>);

impl Sink for Found {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(listed(found));
    }
}

/// Asserts that all drivers give the same matches (law P6): slice, segments, stream, feeder, ranges
/// and threads. Also asserts that each match is sound.
pub fn search(text: &[u8], chunk: usize, tile: usize) {
    let extractor = Extractor::builder().chunk_size(chunk.max(1)).build();
    let mut matches = Vec::new();
    let mut end = 0;
    for found in extractor.find_iter(text) {
        let span = found.span();
        assert!(end <= span.start && span.start < span.end && span.end <= text.len() as u64, "{found:?}");
        end = span.end;
        let verdict = judge(found.url(), ParseOptions::default());
        assert_eq!((verdict.level, verdict.error), (found.level(), found.error()), "{found:?}");
        let readings: Vec<_> = found.readings().collect();
        assert!(&*readings[0] == found.url() && (1..readings.len()).all(|i| !readings[..i].contains(&readings[i])));
        matches.push(listed(&found));
    }

    let mut stream = extractor.stream(text);
    let mut streamed = Vec::new();
    while let Some(found) = stream.next().expect("reading from memory") {
        streamed.push(listed(&found));
    }
    assert_eq!(streamed, matches, "stream, in chunks of {chunk}");

    let mut stream = extractor.stream(Paused(text, chunk % 97 + 1));
    let mut paused = Vec::new();
    while let Some(found) = stream.next().expect("reading from memory") {
        paused.push(listed(&found));
    }
    assert_eq!(paused, matches, "stream that pauses, chunk {chunk}");

    let mut feeder = extractor.feeder();
    let mut fed = Vec::new();
    for piece in text.chunks(chunk % 89 + 1) {
        feeder.push(piece);
        while let Some(found) = feeder.next() {
            fed.push(listed(&found));
        }
    }
    feeder.finish();
    while let Some(found) = feeder.next() {
        fed.push(listed(&found));
    }
    assert_eq!(fed, matches, "feeder, chunk {chunk}");

    let (mut links, mut tiled) = (Vec::new(), Vec::new());
    for segment in extractor.segments(text) {
        match segment {
            Segment::Text(text) => tiled.extend_from_slice(text),
            Segment::Link(found) => {
                tiled.extend_from_slice(found.source());
                links.push(listed(&found));
            }
        }
    }
    assert_eq!(links, matches, "segments");
    assert!(tiled == text, "segments tile the text");

    let mut delivered = Vec::new();
    let deliver = |found: Found| {
        delivered.extend(found.0);
        Ok(ControlFlow::Continue(()))
    };
    extractor.par_stream(Paused(text, chunk % 61 + 1), Found::default, deliver).expect("reading from memory");
    assert_eq!(delivered, matches, "threads on a stream that pauses, chunk {chunk}");

    let tiles = (0..text.len()).step_by(tile.max(1)).map(|start| start..(start + tile.max(1)).min(text.len()));
    let tiled: Vec<_> = tiles.flat_map(|range| extractor.find_range(text, range)).map(|found| listed(&found)).collect();
    assert_eq!(tiled, matches, "ranges of {tile}");

    let parallel: Vec<_> = extractor.par_find(text).iter().map(listed).collect();
    assert_eq!(parallel, matches, "threads, in chunks of {chunk}");
}

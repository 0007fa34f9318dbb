//! The reasons of a match are the same, whatever driver reads the text.

use std::io::Cursor;
use std::ops::{ControlFlow, Range};

use urlgrep::{Extractor, Match, Reason, ReasonKind, Sink};

use crate::common::{Drip, pool, vectors};

/// The span of a match, and its reasons.
type Explained = (Range<u64>, Vec<Reason>);

fn explained(found: &Match<'_>) -> Explained {
    (found.span(), found.explain())
}

#[derive(Default)]
struct Reasons(Vec<Explained>);

impl Sink for Reasons {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(explained(found));
    }
}

fn same(driver: &str, found: &[Explained], expected: &[Explained]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected, "{driver}");
    }
    assert_eq!(found.len(), expected.len(), "{driver}");
}

/// Explains the matches of a text through every driver, which reads `chunk` bytes at a time. The
/// drivers of ranges read two, cut in the middle.
fn check(text: &[u8], chunk: usize) -> Vec<Explained> {
    let extractor = Extractor::builder().chunk_size(chunk).build();
    let expected: Vec<Explained> = extractor.find_iter(text).map(|found| explained(&found)).collect();
    let (middle, end) = (text.len() / 2, text.len());
    let ranges = [0..middle, middle..end];

    let mut found = Vec::new();
    let mut stream = extractor.stream(Drip::new(text, chunk));
    while let Some(one) = stream.next().unwrap() {
        found.push(explained(&one));
    }
    same("stream", &found, &expected);

    let mut feeder = extractor.feeder();
    found.clear();
    for piece in text.chunks(chunk) {
        feeder.push(piece);
        while let Some(one) = feeder.next() {
            found.push(explained(&one));
        }
    }
    feeder.finish();
    while let Some(one) = feeder.next() {
        found.push(explained(&one));
    }
    same("feeder", &found, &expected);

    found.clear();
    for range in ranges.clone() {
        found.extend(extractor.find_range(text, range).map(|one| explained(&one)));
    }
    same("find_range", &found, &expected);

    found.clear();
    for range in ranges.clone() {
        let mut stream = extractor.stream_range(Cursor::new(text), range.start as u64..range.end as u64).unwrap();
        while let Some(one) = stream.next().unwrap() {
            found.push(explained(&one));
        }
    }
    same("stream_range", &found, &expected);

    for threads in [1, 2, 8] {
        let found: Vec<_> = pool(threads).install(|| extractor.par_find(text).iter().map(explained).collect());
        same("par_find", &found, &expected);
        let mut found = Vec::new();
        let mut deliver = |reasons: Reasons| {
            found.extend(reasons.0);
            Ok(ControlFlow::Continue(()))
        };
        pool(threads).install(|| extractor.par_stream(Drip::new(text, chunk), Reasons::default, &mut deliver)).unwrap();
        same("par_stream", &found, &expected);
        let mut found = Vec::new();
        let mut deliver = |reasons: Reasons| {
            found.extend(reasons.0);
            Ok(ControlFlow::Continue(()))
        };
        for range in ranges.clone() {
            let range = range.start as u64..range.end as u64;
            pool(threads).install(|| extractor.par_read_at(&text, range, Reasons::default, &mut deliver)).unwrap();
        }
        same("par_read_at", &found, &expected);
    }
    expected
}

#[test]
fn every_driver_explains_the_same() {
    let mut text = Vec::new();
    for name in ["join.jsonl", "context.jsonl"] {
        for vector in vectors(name) {
            text.extend_from_slice(vector["text"].as_str().or(vector["input"].as_str()).unwrap_or_default().as_bytes());
            text.extend_from_slice(b"\n\n");
        }
    }
    for chunk in [1_000, 30_000] {
        let found = check(&text, chunk);
        for kind in ReasonKind::ALL {
            let count = found.iter().flat_map(|(_, reasons)| reasons).filter(|reason| reason.kind() == kind).count();
            assert!(count >= 5, "{kind}: {count}");
        }
    }
}

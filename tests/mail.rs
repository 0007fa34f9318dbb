//! Mail through the library: every way in which a message can carry a URL, and laws that hold for any archive.
//!
//! `URLGREP_RUNS=100000 cargo test --release --test mail random` takes more turns; `URLGREP_SEED=…` replays the turn that
//! a failure names.

#[path = "common/carriers.rs"]
mod carriers;
mod common;

use std::io::Read;
use std::ops::{ControlFlow, Range};

use carriers::{Case, Found, cases, check, check_case, maildir, mbox, rnews, spool};
use common::{Drip, pool};
use urlgrep::archive::{self, Container};
use urlgrep::{Batch, Extractor, Match, Stats};

#[derive(Default)]
struct Collect(Vec<Found>);

impl Batch for Collect {
    fn add(&mut self, found: &Match<'_>) {
        let place = found.place().unwrap_or_default();
        let text = |text: Option<&str>| text.map(str::to_string);
        self.0.push(Found {
            url: found.url().to_string(),
            kind: found.kind().as_str().to_string(),
            span: found.span(),
            line: found.line(),
            column: found.column(),
            readings: found.readings().map(|reading| reading.to_string()).collect(),
            id: place.message.id.clone(),
            number: place.number,
            begins: place.offset,
            part: place.part.clone(),
            content_type: place.content_type.clone(),
            encoding: text(place.encoding),
            header: place.header.clone(),
            depth: place.quote_depth.map(|depth| depth as u64),
            body: place.body.clone(),
            text: place.text.clone(),
            resolved: place.resolved.map(|url| String::from_utf8_lossy(&url).into_owned()),
        });
    }
}

fn extractor() -> Extractor {
    Extractor::builder().line_numbers(true).build()
}

fn mail(reader: impl Read, container: Container, range: Range<u64>) -> (Vec<Found>, Stats) {
    let mut found = Vec::new();
    let stats = extractor().mail(reader, container, range, Collect::default, |batch| {
        found.extend(batch.0);
        Ok(ControlFlow::Continue(()))
    });
    (found, stats.expect("reading from memory"))
}

fn par_mail(reader: impl Read + Send, container: Container, range: Range<u64>, threads: usize) -> (Vec<Found>, Stats) {
    let mut found = Vec::new();
    let stats = pool(threads).install(|| {
        extractor().par_mail(reader, container, range, Collect::default, |batch| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        })
    });
    (found, stats.expect("reading from memory"))
}

const ALL: Range<u64> = 0..u64::MAX;

fn messages(cases: &[Case]) -> impl Iterator<Item = &[u8]> {
    cases.iter().map(|case| &case.message[..])
}

#[test]
fn every_carrier_is_read_to_the_byte() {
    let cases = cases();
    assert!(cases.len() >= carriers::NINE + 20);
    for case in &cases {
        assert_eq!(archive::recognise(&case.message), Container::Message, "{}", case.name);
        let (found, stats) = mail(&case.message[..], Container::Message, ALL);
        check_case(&case.message, case, &found);
        assert_eq!((stats.messages, stats.matches), (1, case.hits.len() as u64), "{}", case.name);
    }
}

#[test]
fn in_every_container() {
    let cases = cases();
    let box_of_all = mbox(messages(&cases));
    let batch_of_all = rnews(messages(&cases));
    for (archive, container) in [(&box_of_all, Container::Mbox), (&batch_of_all, Container::Rnews)] {
        assert_eq!(archive::recognise(archive), container);
        let (found, stats) = mail(&archive[..], container, ALL);
        check(archive, &cases, &found);
        assert_eq!((stats.messages, stats.bytes), (cases.len() as u64, archive.len() as u64));
    }
    assert_eq!(maildir(&cases).len(), spool("x", &cases).len() + 4);
    let _ = (Drip::new(&b""[..], 1), par_mail(&b""[..], Container::Mbox, ALL, 2));
}

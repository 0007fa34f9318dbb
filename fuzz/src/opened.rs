//! Opens a file in memory as the command does with `-z`, and lists the matches of each file in it.

use std::io::{self, Read};
use std::ops::ControlFlow;

use urlgrep::archive::OpenOptions;
use urlgrep::{Extractor, Match, Sink};

/// No file in an input is read further than this: bombs are tested elsewhere.
const LONGEST: u64 = 4 << 20;
/// The bytes of all URLs and their readings are at most this many times the bytes read. The worst
/// case is a list of one-letter references that are resolved against a base of 2,048 bytes.
const TIMES: u64 = 1_100;
/// The bytes allowed in addition, for a base with a single link.
const MORE: u64 = 64 << 10;

/// The path and the matches of each file.
pub type Opened = Vec<(Vec<u8>, Vec<Match<'static>>)>;

#[derive(Default)]
struct All(Vec<Match<'static>>);

impl Sink for All {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(found.clone().into_owned());
    }
}

/// A reader that returns at most `most` bytes at a time, and counts them.
struct Sips<R> {
    inner: R,
    most: usize,
    read: u64,
}

impl<R: Read> Read for Sips<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.most);
        let read = self.inner.read(&mut buffer[..most])?;
        self.read += read as u64;
        Ok(read)
    }
}

/// Opens a file and finds the matches of each file in it, reading `sip` bytes at a time. Asserts
/// that they are bounded.
pub fn open(file: &[u8], name: &[u8], sip: usize) -> Opened {
    let extractor = Extractor::builder().line_numbers(true).build();
    let mut opened = Opened::new();
    let mut input = Sips { inner: file, most: sip.max(1), read: 0 };
    let visited = OpenOptions::new().each(&mut input, name, |path, entry| {
        // A damaged file is an error, and the search continues with the next file.
        let Ok(entry) = entry else { return Ok(ControlFlow::Continue(())) };
        let container = entry.container();
        let mut found = Vec::new();
        let mut unpacked = Sips { inner: entry.take(LONGEST), most: usize::MAX, read: 0 };
        let is_read = if container.has_documents() {
            extractor
                .documents(&mut unpacked, container, 0..u64::MAX, All::default, |batch| {
                    found.extend(batch.0);
                    Ok(ControlFlow::Continue(()))
                })
                .is_ok()
        } else {
            let mut stream = extractor.of_container(container).stream(&mut unpacked);
            loop {
                match stream.next() {
                    Ok(Some(next)) => found.push(next.into_owned()),
                    Ok(None) => break true,
                    Err(_) => break false,
                }
            }
        };
        is_bounded(&found, unpacked.read);
        if is_read {
            opened.push((path.to_vec(), found));
        }
        Ok(ControlFlow::Continue(()))
    });
    drop(visited);
    opened
}

/// Asserts the law of amplification.
fn is_bounded(found: &[Match<'_>], read: u64) {
    assert!(found.len() as u64 <= read, "{} matches in {read} bytes", found.len());
    let readings = found
        .iter()
        .flat_map(|found| found.readings().map(|url| url.len()).chain([found.target().len()]).collect::<Vec<_>>());
    let made: u64 = readings.map(|length| length as u64).sum();
    assert!(made <= TIMES * read + MORE, "{made} bytes of URLs in {read}");
}

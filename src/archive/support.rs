//! What several tests of archives need.

use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

/// Gives at most so many bytes at a time.
pub(super) struct Trickle<'t>(pub(super) &'t [u8], pub(super) usize);

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.1);
        self.0.read(&mut out[..most])
    }
}

/// Fails.
pub(super) struct Fails;

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::ConnectionReset.into())
    }
}

/// A tar of these files.
pub(super) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for &(path, bytes) in files {
        add(&mut builder, path, bytes);
    }
    builder.into_inner().expect("in memory")
}

pub(super) fn add(builder: &mut tar::Builder<Vec<u8>>, path: &str, bytes: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    builder.append_data(&mut header, path, bytes).expect("in memory");
}

/// A text with the line breaks of a file, and with those of mail on its way.
pub(super) fn both_breaks(text: &str) -> [String; 2] {
    [text.to_string(), text.replace('\n', "\r\n")]
}

/// Some of these pieces at random, fewer than `most`.
pub(super) fn shuffled<P: AsRef<[u8]>>(rng: &mut fastrand::Rng, pieces: &[P], most: usize) -> Vec<u8> {
    (0..rng.usize(..most)).flat_map(|_| rng.choice(pieces).expect("not empty").as_ref().to_vec()).collect()
}

/// Quadratic time would take hours.
#[track_caller]
pub(super) fn is_quick(run: impl FnOnce()) {
    let start = Instant::now();
    run();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

//! Helpers that several tests of archives share.

use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

use crate::bytes::logical::Logical;

/// A reader of these bytes that returns at most this many at a time.
pub(super) struct Trickle<'t>(pub(super) &'t [u8], pub(super) usize);

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.1);
        self.0.read(&mut out[..most])
    }
}

/// A reader that always fails.
pub(super) struct Fails;

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::ConnectionReset.into())
    }
}

/// Returns a tar of these files.
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

/// Returns a text with LF line breaks, as in a file, and with CRLF, as in transit.
pub(super) fn both_breaks(text: &str) -> [String; 2] {
    [text.to_string(), text.replace('\n', "\r\n")]
}

/// Returns a text with LF, CRLF and CR line breaks.
pub(super) fn all_breaks(text: &str) -> [String; 3] {
    [text.to_string(), text.replace('\n', "\r\n"), text.replace('\n', "\r")]
}

/// Returns fewer than `most` of these pieces, chosen at random.
pub(super) fn shuffled<P: AsRef<[u8]>>(rng: &mut fastrand::Rng, pieces: &[P], most: usize) -> Vec<u8> {
    (0..rng.usize(..most)).flat_map(|_| rng.choice(pieces).expect("not empty").as_ref().to_vec()).collect()
}

/// Checks what a reader made of a text. Each byte of the new text stands at its place in the old
/// text. If a byte was written as an escape, `escape` stands there.
#[track_caller]
pub(super) fn assert_places(source: &str, made: Option<Logical>, expected: &str, escape: Option<u8>) {
    let Some(made) = made else { return assert_eq!(source, expected) };
    assert_eq!(String::from_utf8_lossy(made.bytes()), expected, "{source:?}");
    for (at, byte) in made.bytes().iter().enumerate() {
        let written = source.as_bytes()[made.source(at..at + 1).start];
        assert!(written == *byte || Some(written) == escape, "{source:?} at {at}");
    }
}

/// Checks that a function is quick. (Quadratic time would take hours.)
#[track_caller]
pub(super) fn is_quick(run: impl FnOnce()) {
    let start = Instant::now();
    run();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// The form in which a file is stored in a zip.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ZipStyle {
    pub(super) is_packed: bool,
    /// If set, the length is stored after the file, in this many bits.
    pub(super) descriptor: Option<u8>,
    /// Whether the signature `PK\x07\x08` stands before that length.
    pub(super) is_marked: bool,
    /// Whether the lengths are in the header, in 64 bits.
    pub(super) is_wide: bool,
    pub(super) is_encrypted: bool,
}

/// Returns a zip of these files. Its directory is truncated after the start of the first entry.
pub(super) fn zip(files: &[(&str, &[u8], ZipStyle)]) -> Vec<u8> {
    let mut zip = Vec::new();
    for &(name, bytes, style) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let data = if style.is_packed {
            let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            io::Write::write_all(&mut deflate, bytes).expect("in memory");
            deflate.finish().expect("in memory")
        } else {
            bytes.to_vec()
        };
        let (packed, size) = (data.len() as u64, bytes.len() as u64);
        let flags = u16::from(style.is_encrypted) | if style.descriptor.is_some() { 8 } else { 0 };
        let extra = if style.is_wide {
            [&b"\x01\0\x10\0"[..], &size.to_le_bytes(), &packed.to_le_bytes()].concat()
        } else {
            Vec::new()
        };
        let lengths = match style {
            ZipStyle { descriptor: Some(_), .. } => [0; 3],
            ZipStyle { is_wide: true, .. } => [crc.sum(), u32::MAX, u32::MAX],
            _ => [crc.sum(), packed as u32, size as u32],
        };
        zip.extend_from_slice(b"PK\x03\x04\x14\0");
        zip.extend_from_slice(&flags.to_le_bytes());
        zip.extend_from_slice(&[if style.is_packed { 8 } else { 0 }, 0, 0, 0, 0, 0]);
        lengths.iter().for_each(|word| zip.extend_from_slice(&word.to_le_bytes()));
        zip.extend_from_slice(&(name.len() as u16).to_le_bytes());
        zip.extend_from_slice(&(extra.len() as u16).to_le_bytes());
        zip.extend_from_slice(name.as_bytes());
        zip.extend_from_slice(&extra);
        zip.extend_from_slice(&data);
        if let Some(bits) = style.descriptor {
            zip.extend_from_slice(if style.is_marked { b"PK\x07\x08" } else { b"" });
            zip.extend_from_slice(&crc.sum().to_le_bytes());
            for length in [packed, size] {
                zip.extend_from_slice(&length.to_le_bytes()[..usize::from(bits / 8)]);
            }
        }
    }
    zip.extend_from_slice(b"PK\x01\x02 and so on");
    zip
}

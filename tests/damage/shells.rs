//! Forms that hold another file, each with a second, simple way to open it.

use std::io::{Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::forms::zip;

/// A form that holds another file.
pub(super) struct Shell {
    pub(super) name: &'static str,
    pub(super) wrap: fn(&[u8]) -> Vec<u8>,
    /// Returns the bytes of the first file that stand before the end of a cut.
    pub(super) opened: fn(&[u8]) -> Vec<u8>,
    /// The path of the first file within the form.
    pub(super) path: &'static [u8],
    /// The number of bytes that show the form.
    pub(super) mark: usize,
    /// Returns whether a cut of this length is a complete file, as far as its reader can see.
    pub(super) passes: fn(usize, &[u8]) -> bool,
}

/// Returns whether a cut stands at the end of the form.
fn at_end(cut: usize, whole: &[u8]) -> bool {
    cut == whole.len()
}

/// Returns whether a cut stands after the files of a zip, in its directory.
fn in_directory(cut: usize, whole: &[u8]) -> bool {
    memchr::memmem::find(whole, b"PK\x01\x02").is_some_and(|start| cut >= start + 4)
}

/// Returns whether a tar may end at a cut. The blocks of zeros at its end may be missing, and so
/// may later files.
fn at_block(cut: usize, whole: &[u8]) -> bool {
    cut.is_multiple_of(512) && cut > 512 || cut >= whole.len() - 512
}

macro_rules! packed {
    ($name:literal, $mark:literal, $pack:expr, $unpack:expr) => {
        Shell {
            name: $name,
            wrap: |inner| all_of($pack(inner)),
            opened: |cut| all_of($unpack(cut)),
            path: b"",
            mark: $mark,
            passes: at_end,
        }
    };
}

pub(super) const SHELLS: &[Shell] = &[
    Shell { name: "stored zip", wrap: stored, opened: in_stored, path: b"a", mark: 4, passes: in_directory },
    Shell {
        name: "deflated zip",
        wrap: |inner| zip(&two(inner), false),
        opened: in_deflated,
        path: b"a",
        mark: 4,
        passes: in_directory,
    },
    Shell {
        name: "streamed zip",
        wrap: |inner| zip(&two(inner), true),
        opened: in_deflated,
        path: b"a",
        mark: 4,
        passes: in_directory,
    },
    Shell { name: "tar", wrap: tarred, opened: in_tar, path: b"a", mark: 512, passes: at_block },
    packed!(
        "gzip",
        4,
        |inner| flate2::read::GzEncoder::new(inner, flate2::Compression::fast()),
        flate2::read::GzDecoder::new
    ),
    packed!(
        "bzip2",
        10,
        |inner| bzip2::read::BzEncoder::new(inner, bzip2::Compression::fast()),
        bzip2::read::BzDecoder::new
    ),
    packed!("xz", 6, |inner| liblzma::read::XzEncoder::new(inner, 1), liblzma::read::XzDecoder::new),
    packed!("zstd", 4, |inner| zstd::stream::read::Encoder::new(inner, 3).expect("an encoder"), |cut| {
        zstd::stream::read::Decoder::new(cut).expect("a decoder")
    }),
    Shell {
        name: "lz4",
        wrap: |inner| {
            let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
            frame.write_all(inner).expect("in memory");
            frame.finish().expect("in memory")
        },
        opened: |cut| all_of(lz4_flex::frame::FrameDecoder::new(cut)),
        path: b"",
        mark: 4,
        passes: at_end,
    },
    // The format has no end mark.
    Shell { name: "compress", wrap: lzw, opened: in_lzw, path: b"", mark: 3, passes: |_, _| true },
];

/// Reads bytes one by one, so that an error loses none before it.
fn all_of(mut reader: impl Read) -> Vec<u8> {
    let (mut all, mut byte) = (Vec::new(), [0]);
    while reader.read(&mut byte).is_ok_and(|got| got > 0) {
        all.push(byte[0]);
    }
    all
}

/// The text of the second file in a form that holds files.
pub(super) const LAST: &[u8] = b"see http://last.example/ and more\n";

fn two(inner: &[u8]) -> [(String, Vec<u8>); 2] {
    [("a".into(), inner.into()), ("b".into(), LAST.into())]
}

/// Returns a zip that stores its files. It has no directory, only the end of one.
fn stored(inner: &[u8]) -> Vec<u8> {
    let mut zip = Vec::new();
    for (name, bytes) in two(inner) {
        let mut crc = flate2::Crc::new();
        crc.update(&bytes);
        zip.extend_from_slice(b"PK\x03\x04\x14\0\0\0\0\0\0\0\x21\0");
        for word in [crc.sum(), bytes.len() as u32, bytes.len() as u32, 1] {
            zip.extend_from_slice(&word.to_le_bytes());
        }
        zip.extend_from_slice(name.as_bytes());
        zip.extend_from_slice(&bytes);
    }
    zip.extend_from_slice(b"PK\x01\x02 and so on");
    zip
}

/// The length of the header before the first file of a zip, whose name has one byte.
const HEADER: usize = 31;

fn in_stored(cut: &[u8]) -> Vec<u8> {
    let Some(inner) = cut.get(HEADER..) else { return Vec::new() };
    let size = u32::from_le_bytes(*cut[18..].first_chunk().expect("a header")) as usize;
    inner[..inner.len().min(size)].to_vec()
}

fn in_deflated(cut: &[u8]) -> Vec<u8> {
    all_of(flate2::read::DeflateDecoder::new(cut.get(HEADER..).unwrap_or_default()))
}

fn tarred(inner: &[u8]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in two(inner) {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, &bytes[..]).expect("in memory");
    }
    builder.into_inner().expect("in memory")
}

fn in_tar(cut: &[u8]) -> Vec<u8> {
    let Some(inner) = cut.get(512..) else { return Vec::new() };
    let size = tar::Header::from_byte_slice(&cut[..512]).size().expect("a header") as usize;
    inner[..inner.len().min(size)].to_vec()
}

/// Packs bytes like `compress -b 9` if it never finds a repetition: one code of 9 bits per byte.
fn lzw(inner: &[u8]) -> Vec<u8> {
    let (mut packed, mut bits, mut held) = (b"\x1F\x9D\x09".to_vec(), 0_u32, 0);
    for &byte in inner {
        bits |= u32::from(byte) << held;
        held += 9;
        while held >= 8 {
            packed.push(bits as u8);
            (bits, held) = (bits >> 8, held - 8);
        }
    }
    packed.push(bits as u8);
    packed
}

fn in_lzw(cut: &[u8]) -> Vec<u8> {
    let codes = cut.get(3..).unwrap_or_default();
    let bit = |at: usize| codes[at / 8] >> (at % 8) & 1;
    (0..codes.len() * 8 / 9).map(|code| (0..8).map(|at| bit(code * 9 + at) << at).sum()).collect()
}

/// Returns a message to which a file is attached.
pub(super) fn attached(inner: &[u8]) -> Vec<u8> {
    let lines: Vec<String> = inner.chunks(57).map(|line| STANDARD.encode(line)).collect();
    let head = "From: a@a.example\nTo: b@a.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n";
    let fields = "--b\nContent-Type: application/octet-stream; name=a\nContent-Transfer-Encoding: base64\n\n";
    format!("{head}{fields}{}\n--b\n\n{}--b--\n", lines.join("\n"), String::from_utf8_lossy(LAST)).into_bytes()
}

/// Returns the bytes of an attached file that stand before the end of a cut.
pub(super) fn in_attached(cut: &[u8]) -> Vec<u8> {
    let start = memchr::memmem::find(cut, b"base64\n\n").map_or(cut.len(), |at| at + 8);
    let rest = &cut[start..];
    let end = memchr::memmem::find(rest, b"\n--b").unwrap_or(rest.len());
    let mut digits: Vec<u8> = rest[..end].iter().copied().filter(|&byte| byte != b'\n').collect();
    digits.truncate(digits.len() / 4 * 4);
    STANDARD.decode(digits).expect("base64")
}

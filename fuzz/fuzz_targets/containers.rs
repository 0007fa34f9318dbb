//! Files in archives, packed in layers. Each is found with its matches, however the reads are cut.
//! Damage causes no panic, and the matches stay bounded by the bytes read.
#![no_main]

use std::io::Write;

use arbitrary::Arbitrary;
use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::opened::open;

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Layer {
    Gzip,
    Zip(bool),
    Tar,
}

#[derive(Arbitrary, Debug)]
struct Packed<'a> {
    texts: Vec<&'a [u8]>,
    layers: Vec<Layer>,
    sip: u16,
    /// The offset of damage in the whole, the byte XORed there, and whether the file ends there.
    damage: Option<(u16, u8, bool)>,
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text).expect("writing to memory");
    packer.finish().expect("writing to memory")
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text).expect("writing to memory");
    packer.finish().expect("writing to memory")
}

fn zip(files: &[(String, Vec<u8>)], is_deflated: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let mut sum = flate2::Crc::new();
        sum.update(text);
        let content = if is_deflated { deflate(text) } else { text.clone() };
        let mut head = vec![20, 0, 0, 0, if is_deflated { 8 } else { 0 }, 0, 0, 0, 0x21, 0x28];
        head.extend(sum.sum().to_le_bytes());
        head.extend((content.len() as u32).to_le_bytes());
        head.extend((text.len() as u32).to_le_bytes());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        directory.extend(
            [&b"PK\x01\x02\x14\0"[..], &head, &[0; 10], &(out.len() as u32).to_le_bytes(), name.as_bytes()].concat(),
        );
        out.extend([b"PK\x03\x04", &head[..], name.as_bytes(), &content].concat());
    }
    let start = out.len() as u32;
    let count = (files.len() as u16).to_le_bytes();
    let sizes = [(directory.len() as u32).to_le_bytes(), start.to_le_bytes()].concat();
    [&out, &directory, &b"PK\x05\x06\0\0\0\0"[..], &count, &count, &sizes, &[0, 0]].concat()
}

fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, text) in files {
        let mut head = [0; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[100..108].copy_from_slice(b"0000644\0");
        head[124..136].copy_from_slice(format!("{:011o}\0", text.len()).as_bytes());
        head[136..148].copy_from_slice(b"00000000000\0");
        head[148..156].copy_from_slice(b"        ");
        head[156] = b'0';
        head[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        out.extend(head);
        out.extend(text);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fuzz_target!(|input: Packed<'_>| {
    let Packed { texts, layers, sip, damage } = input;
    let layers = &layers[..layers.len().min(3)];
    // The first words make each planted file text, whatever follows.
    let planted = |(number, text): (usize, &&[u8])| {
        let start = format!("Some words, and then http://h{number}.example/planted and\n\n");
        let rest: Vec<u8> = text.iter().copied().filter(u8::is_ascii_graphic).take(2048).collect();
        (format!("{number}.txt"), [start.as_bytes(), &rest].concat())
    };
    let files: Vec<_> = texts.iter().take(4).enumerate().map(planted).collect();
    if files.is_empty() || layers.is_empty() {
        return;
    }
    let mut held = files.clone();
    for (depth, layer) in layers.iter().enumerate() {
        held = match layer {
            Layer::Gzip => held.into_iter().map(|(name, text)| (name + ".gz", gzip(&text))).collect(),
            Layer::Zip(is_deflated) => vec![(format!("{depth}.zip"), zip(&held, *is_deflated))],
            Layer::Tar => vec![(format!("{depth}.tar"), tar(&held))],
        };
    }
    let sip = usize::from(sip) + 1;
    for (name, mut whole) in held {
        let is_damaged = damage.is_some();
        if let Some((at, by, is_end)) = damage {
            let at = usize::from(at) % whole.len();
            whole[at] ^= by;
            whole.truncate(if is_end { at } else { whole.len() });
        }
        let opened = open(&whole, name.as_bytes(), usize::MAX);
        assert_eq!(opened, open(&whole, name.as_bytes(), sip), "reads of {sip}");
        let gzips = layers.iter().filter(|layer| matches!(layer, Layer::Gzip)).count();
        // At most two layers of compression are unpacked.
        if is_damaged || gzips > 2 {
            continue;
        }
        for (path, found) in &opened {
            let first = found.first().expect("what was planted");
            let number = first.url().strip_prefix(b"http://h").and_then(|rest| rest.first()).expect("a number");
            let (_, text) = &files[usize::from(number - b'0')];
            let alone = open(text, b"x.txt", usize::MAX);
            assert_eq!(&alone[0].1, found, "{}", path.escape_ascii());
        }
        // Without an archive among the layers, each packed file holds one file.
        let expected = if gzips == layers.len() { 1 } else { files.len() };
        assert_eq!(opened.len(), expected);
    }
});

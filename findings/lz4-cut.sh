#!/usr/bin/env bash
# A reader of lz4 frames takes some failures of its source for the end of the frame.
#
# Guess, written before the first run: a frame that is cut between two blocks is an error.
#   An error of the source reaches the caller, whatever its kind.
# Seen: lz4_flex returns the blocks before the cut as a whole text, without an error.
#   It does so if the source says `Ok(0)` there, and if it fails with `UnexpectedEof`.
#   Any other kind of error reaches the caller.
# Use: a decoder of another format below it fails with `UnexpectedEof` where its own data is cut.
#   So a cut gzip within lz4 reads as whole. Keep the source's error beside the reader, and ask for it at the end.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "cut"
version = "0.0.0"
edition = "2024"
[dependencies]
lz4_flex = { version = "=0.14.2", default-features = false, features = ["frame", "safe-decode"] }
TOML
cat > src/main.rs <<'RUST'
use lz4_flex::frame::{BlockMode, BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use std::io::{self, ErrorKind, Read, Write};

/// Gives the bytes, then the error or the end.
struct Source<'t>(&'t [u8], Option<ErrorKind>);

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (self.0.is_empty(), self.1) {
            (true, Some(kind)) => Err(kind.into()),
            _ => self.0.read(buffer),
        }
    }
}

fn main() {
    let text: String = (0..20_000).map(|n| format!("tide {n} at {}\n", n * 7919 % 65521)).collect();
    let info = FrameInfo::new().block_size(BlockSize::Max64KB).block_mode(BlockMode::Independent);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(text.as_bytes()).unwrap();
    let frame = encoder.finish().unwrap();
    // The header has seven bytes. Each block has its size in four bytes before it.
    let block = u32::from_le_bytes(frame[7..11].try_into().unwrap()) & 0x7fff_ffff;
    let cut = 7 + 4 + block as usize;
    for (name, end, kind) in [
        ("whole", frame.len(), None),
        ("cut, end", cut, None),
        ("cut, UnexpectedEof", cut, Some(ErrorKind::UnexpectedEof)),
        ("cut, ConnectionReset", cut, Some(ErrorKind::ConnectionReset)),
        ("cut in a block, end", cut + 100, None),
        ("cut in a block, UnexpectedEof", cut + 100, Some(ErrorKind::UnexpectedEof)),
    ] {
        let mut out = Vec::new();
        let read = FrameDecoder::new(Source(&frame[..end], kind)).read_to_end(&mut out);
        let result = read.map_or_else(|error| format!("{:?}", error.kind()), |_| "ok".into());
        println!("{name}: {} of {} bytes, {result}", out.len(), text.len());
    }
}
RUST
cargo run --quiet > out.txt
cat out.txt
diff out.txt - <<'SEEN'
whole: 385493 of 385493 bytes, ok
cut, end: 65536 of 385493 bytes, ok
cut, UnexpectedEof: 65536 of 385493 bytes, ok
cut, ConnectionReset: 65536 of 385493 bytes, ConnectionReset
cut in a block, end: 65536 of 385493 bytes, UnexpectedEof
cut in a block, UnexpectedEof: 65536 of 385493 bytes, UnexpectedEof
SEEN
echo 'lz4_flex 0.14.2: as stated'

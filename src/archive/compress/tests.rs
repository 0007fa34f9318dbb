use std::io::Write;

use super::*;
use crate::archive::support::{Fails, Trickle};

/// The formats that mark their end.
const FORMATS: [Format; 5] = [Format::Gzip, Format::Zstd, Format::Bzip2, Format::Xz, Format::Lz4];
const ALL: [Format; 6] = [Format::Gzip, Format::Zstd, Format::Bzip2, Format::Xz, Format::Lz4, Format::Lzw];

fn text(len: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(1952);
    let words = ["see ", "the ", "archive ", "of ", "http://a.example/", "1994\n", "and "];
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(rng.choice(words).expect("not empty").as_bytes());
        text.push(rng.u8(b'!'..=b'~'));
    }
    text.truncate(len);
    text
}

fn pack(format: Format, text: &[u8]) -> Vec<u8> {
    let all = Vec::new();
    match format {
        Format::Gzip => {
            let writer = flate2::GzBuilder::new().filename("a.mbox").write(all, flate2::Compression::new(6));
            written(writer, text, flate2::write::GzEncoder::finish)
        }
        Format::Zstd => {
            let mut writer = zstd::stream::Encoder::new(all, 3).unwrap();
            writer.include_checksum(true).unwrap();
            written(writer, text, zstd::stream::Encoder::finish)
        }
        Format::Bzip2 => {
            let writer = bzip2::write::BzEncoder::new(all, bzip2::Compression::new(1));
            written(writer, text, bzip2::write::BzEncoder::finish)
        }
        Format::Xz => written(liblzma::write::XzEncoder::new(all, 1), text, liblzma::write::XzEncoder::finish),
        Format::Lz4 => {
            let info = lz4_flex::frame::FrameInfo::new()
                .block_mode(lz4_flex::frame::BlockMode::Linked)
                .block_size(lz4_flex::frame::BlockSize::Max64KB)
                .content_checksum(true);
            let writer = lz4_flex::frame::FrameEncoder::with_frame_info(info, all);
            written(writer, text, |writer| writer.finish().map_err(io::Error::other))
        }
        Format::Lzw => super::lzw::tests::compress(text, 16, usize::MAX),
    }
}

fn written<W: Write>(mut writer: W, text: &[u8], finish: impl FnOnce(W) -> io::Result<Vec<u8>>) -> Vec<u8> {
    writer.write_all(text).unwrap();
    finish(writer).unwrap()
}

/// Returns the unpacked bytes, and the error after them.
fn unpack(packed: &[u8], chunk: usize, out: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut unpacked = super::unpack(Trickle(packed, chunk));
    let (mut text, mut room) = (Vec::new(), vec![0; out]);
    loop {
        match unpacked.read(&mut room) {
            Ok(0) => return (text, None),
            Ok(got) => text.extend_from_slice(&room[..got]),
            Err(error) => {
                let again = unpacked.read(&mut room).map_err(|error| error.to_string());
                assert_eq!(again.unwrap_err(), error.to_string(), "it is told again");
                return (text, Some(error));
            }
        }
    }
}

#[test]
fn what_is_packed_is_unpacked_however_it_is_read() {
    for format in ALL {
        for len in [0, 1, 1000, 300_000] {
            let text = text(len);
            let packed = pack(format, &text);
            assert_eq!(Format::of(&packed), Some(format));
            for (chunk, out) in [(1, 1 << 20), (7, 100), (1 << 20, 1), (1 << 20, 1 << 20), (4096, 65_536)] {
                let (unpacked, error) = unpack(&packed, chunk, out);
                assert!(error.is_none(), "{format:?} {len} {chunk}: {error:?}");
                assert!(unpacked == text, "{format:?} {len} {chunk} {out}");
            }
        }
    }
}

#[test]
fn the_line_of_a_batch_of_news_is_passed_over() {
    for (format, line) in
        [(Format::Lzw, "#! cunbatch\n"), (Format::Gzip, "#! gunbatch\n"), (Format::Bzip2, "#! bunbatch\n")]
    {
        let batch = [b"#! rnews 10\n".to_vec(), text(70_000)].concat();
        let packed = [line.as_bytes(), &pack(format, &batch)].concat();
        assert_eq!(Format::of(&packed), Some(format));
        for chunk in [1, 1 << 20] {
            let (unpacked, error) = unpack(&packed, chunk, 1000);
            assert!(unpacked == batch && error.is_none(), "{line} {error:?}");
        }
    }
    for none in ["#! cunbatch\nPath: x\n", "#! rnews 10\n\x1F\u{9D}", "#! cunbatch"] {
        assert_eq!(Format::of(none.as_bytes()), None, "{none}");
    }
}

#[test]
fn what_compress_wrote_has_no_end_and_may_have_a_fault() {
    let text = text(100_000);
    let mut packed = pack(Format::Lzw, &text);
    let (unpacked, error) = unpack(&packed[..packed.len() / 2], 999, 1000);
    assert!(text.starts_with(&unpacked) && unpacked.len() > 30_000 && error.is_none());
    let middle = packed.len() / 2;
    packed[middle..middle + 8].fill(0xFF);
    let (unpacked, error) = unpack(&packed, 1 << 20, 1 << 20);
    let same = text.iter().zip(&unpacked).take_while(|(a, b)| a == b).count();
    assert!(same > 30_000 && error.unwrap().to_string().starts_with("compress: an invalid code, at byte "));
}

#[test]
fn members_follow_one_another() {
    for format in FORMATS {
        let (first, second) = (text(70_000), b"and the rest\n".repeat(3));
        let mut packed = pack(format, &first);
        packed.extend(pack(format, b""));
        if matches!(format, Format::Zstd | Format::Lz4) {
            packed.extend(b"\x52\x2A\x4D\x18\x05\0\0\x00abcde");
        }
        packed.extend([0; 4]);
        packed.extend(pack(format, &second));
        packed.extend([0; 1000]);
        let (unpacked, error) = unpack(&packed, 1000, 1000);
        assert!(error.is_none(), "{format:?} {error:?}");
        assert!(unpacked == [&first[..], &second[..]].concat(), "{format:?}");
    }
}

#[test]
fn garbage_after_the_end_is_told_after_everything() {
    for format in FORMATS {
        let text = text(70_000);
        let mut packed = pack(format, &text);
        let end = packed.len() + 2;
        packed.extend(b"\0\0garbage");
        let (unpacked, error) = unpack(&packed, 999, 65_536);
        assert!(unpacked == text, "{format:?}");
        assert_eq!(
            error.unwrap().to_string(),
            format!("{}: the rest is not compressed, at byte {end} of the compressed input", format.as_str())
        );
    }
}

#[test]
fn what_came_before_the_end_of_a_truncated_input_is_delivered() {
    for format in FORMATS {
        let text = text(400_000);
        let packed = pack(format, &text);
        for cut in [11, packed.len() / 2, packed.len() - 1] {
            let (unpacked, error) = unpack(&packed[..cut], 999, 65_536);
            let error = error.unwrap();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{format:?} {cut} {error}");
            assert!(error.to_string().contains(&format!("at byte {cut} of")), "{format:?} {error}");
            assert!(text.starts_with(&unpacked), "{format:?} {cut}");
            // bzip2 returns nothing until a block is complete, and these blocks have 100 kB.
            assert!(cut == 11 || unpacked.len() >= 100_000, "{format:?} {cut} {}", unpacked.len());
        }
    }
}

/// Checks a bzip2 block whose first read consumes the whole input, and whose output needs several
/// reads.
#[test]
fn a_block_at_the_end_of_a_truncated_input_is_delivered() {
    let text = text(199_900);
    let packed = pack(Format::Bzip2, &text);
    let (unpacked, error) = unpack(&packed[..packed.len() - 10], 1 << 20, 1000);
    assert!(unpacked == text && error.unwrap().kind() == ErrorKind::UnexpectedEof, "{}", unpacked.len());
}

#[test]
fn what_came_before_a_fault_is_delivered() {
    let mut rng = fastrand::Rng::with_seed(8878);
    for format in FORMATS {
        let text = text(600_000);
        let packed = pack(format, &text);
        let (mut errors, mut delivered) = (0, 0);
        for _ in 0..40 {
            let mut packed = packed.clone();
            let at = packed.len() * 3 / 4 + rng.usize(..1000);
            packed[at] ^= 1 << rng.u8(..8);
            // A buffer that holds everything at once shows what is lost.
            let (unpacked, error) = unpack(&packed, 1 << 20, 1 << 20);
            errors += usize::from(error.is_some());
            delivered += usize::from(unpacked.len() > 300_000);
            let same = text.iter().zip(&unpacked).take_while(|(a, b)| a == b).count();
            assert!(same > 300_000, "{format:?} {at} {same} {}", unpacked.len());
        }
        assert!(errors == 40 && delivered == 40, "{format:?}: {errors} errors, {delivered} delivered");
    }
}

#[test]
fn any_bytes_end_in_some_way() {
    let mut rng = fastrand::Rng::with_seed(5);
    for format in ALL {
        let packed = pack(format, &text(3000));
        for _ in 0..300 {
            let mut packed = packed.clone();
            for _ in 0..rng.usize(1..6) {
                let at = rng.usize(..packed.len());
                packed[at] = rng.u8(..);
            }
            packed.truncate(rng.usize(..=packed.len()));
            unpack(&packed, rng.usize(1..5000), 4096);
        }
    }
}

#[test]
fn two_layers_are_taken_off() {
    let text = text(10_000);
    let twice = pack(Format::Xz, &pack(Format::Gzip, &text));
    let (unpacked, error) = unpack(&twice, 1000, 1000);
    assert!(unpacked == text && error.is_none());
    let (unpacked, _) = unpack(&pack(Format::Zstd, &twice), 1000, 1000);
    assert!(unpacked == pack(Format::Gzip, &text));
    // The error comes from the outer layer, with that layer's offset.
    let cut = twice.len() - 40;
    let (_, error) = unpack(&twice[..cut], 1000, 1000);
    assert!(error.unwrap().to_string().starts_with("xz: the input ends too early, at byte"));
}

#[test]
fn other_inputs_come_as_they_are() {
    for text in ["", "x", "BZh9 is how bzip2 begins", "\x1F\u{8B}\x08", "From a@b.example"] {
        let (unpacked, error) = unpack(text.as_bytes(), 1, 3);
        assert!(unpacked == text.as_bytes() && error.is_none());
    }
    let long = text(300_000);
    let mut unpacked = super::unpack(&long[..]);
    assert_eq!(unpacked.head().len(), HEAD);
    let mut all = Vec::new();
    unpacked.read_to_end(&mut all).unwrap();
    assert!(all == long);
}

#[test]
fn windows_are_limited() {
    let text = text(1000);
    let mut writer = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    writer.window_log(28).unwrap();
    writer.write_all(&text).unwrap();
    writer.flush().unwrap(); // otherwise the size is recorded, and the window is only as large as the text
    writer.write_all(&text).unwrap();
    let error = unpack(&writer.finish().unwrap(), 1000, 1000).1.unwrap().to_string();
    assert!(error.starts_with("zstd: ") && error.contains("memory"), "{error}");

    let mut options = liblzma::stream::LzmaOptions::new_preset(1).unwrap();
    options.dict_size(256 << 20);
    let mut filters = liblzma::stream::Filters::new();
    filters.lzma2(&options);
    let stream = liblzma::stream::Stream::new_stream_encoder(&filters, liblzma::stream::Check::Crc32).unwrap();
    let mut writer = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    writer.write_all(&text).unwrap();
    let error = unpack(&writer.finish().unwrap(), 1000, 1000).1.unwrap();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
}

#[test]
fn a_failing_reader_is_reported_after_what_it_gave() {
    let fails = |packed: &[u8]| {
        let mut all = Vec::new();
        let error = super::unpack(packed.chain(Fails)).read_to_end(&mut all).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
        all
    };
    for format in FORMATS {
        let text = text(300_000);
        let packed = pack(format, &text);
        let all = fails(&packed[..packed.len() * 3 / 4]);
        assert!(all.len() > 100_000 && text.starts_with(&all), "{format:?}");
    }
    assert_eq!(fails(b"plain"), b"plain");
}

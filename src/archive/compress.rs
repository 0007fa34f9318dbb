//! Compression: gzip (RFC 1952), zstd (RFC 8878), bzip2, xz, lz4 frames and the format of
//! `compress` (`.Z`). The first bytes of an input show its format. The input is unpacked while it
//! is read. A line such as `#! cunbatch` may precede a compressed batch of news. That line is
//! skipped.
//!
//! All members, frames or streams of an input are read one after the other. Zero bytes after or
//! between them are skipped, as in gzip and xz. Any other bytes after the last one are an error. An
//! error is returned only after all bytes that could be decoded before it. The crates' own readers
//! do not guarantee this order. If their inner loop fails, they lose the output of the current
//! call. So gzip, zstd, bzip2 and xz are driven step by step here. The crate for lz4 has only a
//! reader, which delivers whole blocks.
//!
//! Memory is bounded, regardless of what the input claims. A zstd window of more than 128 MiB is
//! rejected. So is an xz stream that needs more memory than that. The other formats cannot request
//! more than some MiB. An input may unpack to any length, which costs only time.

mod lzw;

use std::fmt;
use std::io::{self, ErrorKind, Read};

use flate2::{Decompress, FlushDecompress};
use liblzma::stream::Action;
use lz4_flex::frame::FrameDecoder;
use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer};

use crate::bytes::roll::retry;
use lzw::Lzw;

/// The maximum depth of compression inside compression. A deeper layer is read as bytes. Two layers
/// occur in practice (a `.gz` that a server packed again). Each layer is another chance to inflate
/// a small file.
pub(crate) const DEPTH: usize = 2;
/// zstd's own limit for streams: 2^27 bytes are 128 MiB. `--ultra --long=28` and more is rejected.
const WINDOW_LOG: u32 = 27;
/// The memory limit of xz. `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 128 << 20;
/// The maximum number of bytes that show the format, including the line before a batch.
const MAGIC: usize = 10 + BATCH_LINE;
/// The maximum length of the line before a batch, with its line break: `#! cunbatch`, `#! gunbatch`
/// or a similar line.
const BATCH_LINE: usize = 20;
/// The number of bytes at the start of an input that identify it: 64 KiB.
/// [`recognise`](super::recognise()) ignores the rest.
pub const HEAD: usize = 64 << 10;

/// The compression of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// The format of Julian Seward's bzip2.
    Bzip2,
    /// The container of LZMA2.
    Xz,
    /// The frame format of LZ4.
    Lz4,
    /// The format of `compress`.
    Lzw,
}

/// Extensions that compressors append to the names of files, in lower case and without the dot.
pub const PACKED_EXTENSIONS: [&str; 6] = ["gz", "zst", "bz2", "xz", "lz4", "z"];

impl Format {
    /// Returns the format of an input that begins with these bytes. At most thirty bytes are
    /// needed.
    ///
    /// Skippable frames are the same in zstd and lz4. An input that begins with one is read as
    /// zstd, because parallel zstd packers write one first.
    pub fn of(head: &[u8]) -> Option<Format> {
        match &head[batch_line(head)..] {
            // The method is deflate, and no reserved flag is set.
            [0x1F, 0x8B, 8, flags, ..] if flags & 0xE0 == 0 => Some(Format::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Format::Zstd),
            // Digits of pi begin a block, and digits of its square root end the stream. `BZh` alone
            // could begin a text.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90") =>
            {
                Some(Format::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Format::Xz),
            [0x04, 0x22, 0x4D, 0x18, ..] => Some(Format::Lz4),
            // Codes of 9 to 16 bits, and no reserved flag.
            [0x1F, 0x9D, flags, ..] if flags & 0x60 == 0 && (9..=16).contains(&(flags & 0x1F)) => Some(Format::Lzw),
            head if is_skippable(head) => Some(Format::Zstd),
            _ => None,
        }
    }

    /// Returns true if the line before a batch was read, but not the bytes that show its format.
    pub(super) fn may_follow(head: &[u8]) -> bool {
        let line = batch_line(head);
        line > 0 && head.len() < line + MAGIC - BATCH_LINE && Format::of(head).is_none()
    }

    /// Returns the format's name: `gzip`, `zstd`, `bzip2`, `xz`, `lz4` or `compress`.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Gzip => "gzip",
            Format::Zstd => "zstd",
            Format::Bzip2 => "bzip2",
            Format::Xz => "xz",
            Format::Lz4 => "lz4",
            Format::Lzw => "compress",
        }
    }
}

crate::bytes::display::display!(Format, as_str);

/// Returns the length of the line before a compressed batch of news, or 0. That line names the
/// program that unpacks the batch.
fn batch_line(head: &[u8]) -> usize {
    let line = &head[..head.len().min(BATCH_LINE)];
    let end = memchr::memchr(b'\n', line).filter(|&end| line.starts_with(b"#! ") && line[..end].ends_with(b"unbatch"));
    end.map_or(0, |end| end + 1)
}

fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Unpacks an input, if it is compressed.
///
/// Reads the first 64 KiB, or less if the input ends. Never fails: a later read returns the error.
pub(crate) fn unpack<'r>(reader: impl Read + Send + 'r) -> Lookahead<'r> {
    let mut source = Lookahead::new(reader);
    for _ in 0..DEPTH {
        let Some(format) = Format::of(source.head()) else { break };
        source = Lookahead::new(Decoder::new(format, source));
    }
    source
}

/// A reader with lookahead, which counts the bytes consumed.
pub(crate) struct Lookahead<'r> {
    reader: Box<dyn Read + Send + 'r>,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// The total number of bytes consumed.
    taken: u64,
    is_last: bool,
    /// An error that follows the buffered bytes.
    failure: Option<io::Error>,
}

impl fmt::Debug for Lookahead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookahead").field("taken", &self.taken).finish_non_exhaustive()
    }
}

impl<'r> Lookahead<'r> {
    pub(crate) fn new(reader: impl Read + Send + 'r) -> Self {
        let (reader, buffer) = (Box::new(reader), vec![0; HEAD].into_boxed_slice());
        Lookahead { reader, buffer, start: 0, end: 0, taken: 0, is_last: false, failure: None }
    }

    fn left(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Reads once into the buffer, which must have room.
    fn read_more(&mut self) {
        match retry(|| self.reader.read(&mut self.buffer[self.end..])) {
            Ok(0) => self.is_last = true,
            Ok(got) => self.end += got,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Returns at least `most` bytes, or all bytes before the end or an error.
    pub(super) fn peek(&mut self, most: usize) -> &[u8] {
        if self.buffer.len() - self.start < most {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < most && !self.is_last && self.failure.is_none() {
            self.read_more();
        }
        self.left()
    }

    /// Returns the next 64 KiB without consuming them. Returns fewer bytes only before the end or
    /// an error.
    pub(crate) fn head(&mut self) -> &[u8] {
        self.peek(HEAD)
    }

    /// Returns the buffered bytes, and reads if there are none. Returns no bytes at the end.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.peek(1).is_empty()
            && let Some(error) = self.failure.take()
        {
            return Err(error);
        }
        Ok(self.left())
    }

    /// Removes the error that follows the buffered bytes.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Returns the total number of bytes consumed.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.start += count;
        self.taken += count as u64;
    }
}

impl Read for Lookahead<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Bypasses the empty buffer, which would only add a copy.
        if self.start == self.end && out.len() >= HEAD && !self.is_last && self.failure.is_none() {
            let got = retry(|| self.reader.read(out))?;
            self.is_last = got == 0;
            self.taken += got as u64;
            return Ok(got);
        }
        let got = self.fill()?.read(out)?;
        self.consume(got);
        Ok(got)
    }
}

/// A reader that ends where its source ends or fails. The crate for lz4 reports some failures of
/// its source as the end of a frame.
struct Starving<'r> {
    source: Lookahead<'r>,
    /// Whether a read returned nothing.
    is_starved: bool,
    failure: Option<io::Error>,
}

impl Read for Starving<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.source.read(out).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            0
        });
        self.is_starved |= got == 0 && !out.is_empty();
        Ok(got)
    }
}

/// The unpacked bytes of a packed input.
pub(crate) struct Decoder<'r> {
    format: Format,
    engine: Engine<'r>,
    /// No member begins at or after this offset of the input.
    end: u64,
    /// Whether no member is being read: before the first, between two, or after the last.
    is_between: bool,
    /// An error that every later read repeats.
    failure: Option<Problem>,
}

enum Engine<'r> {
    Stepped(Option<Stepper>, Lookahead<'r>),
    Lz4(FrameDecoder<Starving<'r>>),
}

/// The kind and the description of a fault in an input.
pub(super) type Problem = (ErrorKind, String);

/// The result of a step.
pub(super) enum StepOutcome {
    /// The member continues.
    More,
    /// The member has ended. Between members, this outcome means that the input has ended.
    Over,
    Failed(Problem),
}

fn truncated() -> StepOutcome {
    StepOutcome::Failed((ErrorKind::UnexpectedEof, "the input ends too early".into()))
}

fn corrupt(what: impl fmt::Display) -> StepOutcome {
    StepOutcome::Failed((ErrorKind::InvalidData, what.to_string()))
}

impl<'r> Decoder<'r> {
    pub(crate) fn new(format: Format, source: Lookahead<'r>) -> Self {
        let engine = match format {
            Format::Lz4 => Engine::Lz4(FrameDecoder::new(Starving { source, is_starved: false, failure: None })),
            _ => Engine::Stepped(None, source),
        };
        Decoder { format, engine, end: u64::MAX, is_between: true, failure: None }
    }

    /// Limits the decoder to members that begin before an offset of the input.
    pub(crate) fn until(self, end: u64) -> Self {
        Decoder { end, ..self }
    }

    fn source(&mut self) -> &mut Lookahead<'r> {
        match &mut self.engine {
            Engine::Stepped(_, source) => source,
            Engine::Lz4(frames) => &mut frames.get_mut().source,
        }
    }

    /// Moves to the next member, or to the end of the input.
    fn begin(&mut self) -> io::Result<StepOutcome> {
        let (format, end) = (self.format, self.end);
        let source = self.source();
        loop {
            if source.taken >= end {
                return Ok(StepOutcome::Over);
            }
            source.fill()?;
            let head = source.peek(MAGIC);
            if head.is_empty() {
                return Ok(StepOutcome::Over);
            }
            if format == Format::Lz4 && is_skippable(head) {
                // The crate reports an error for such a frame.
                if !skip_frame(source)? {
                    return Ok(truncated());
                }
            } else if let Some(length) = empty_member(format, head) {
                source.consume(length);
            } else if Format::of(head) == Some(format) {
                let line = batch_line(head);
                source.consume(line);
                break;
            } else {
                let zeros = head.iter().take_while(|&&byte| byte == 0).count();
                if zeros == 0 {
                    // The start of a member may be cut off.
                    return source.take_failure().map_or(Ok(corrupt("the rest is not compressed")), Err);
                }
                source.consume(zeros);
            }
        }
        if let Engine::Stepped(stepper, _) = &mut self.engine {
            match Stepper::again(stepper.take(), format) {
                Ok(new) => *stepper = Some(new),
                Err(problem) => return Ok(StepOutcome::Failed(problem)),
            }
        }
        Ok(StepOutcome::More)
    }

    /// Runs one step within a member. Returns the number of bytes written, and the outcome.
    fn step(&mut self, out: &mut [u8]) -> io::Result<(usize, StepOutcome)> {
        Ok(match &mut self.engine {
            Engine::Stepped(None, _) => (0, StepOutcome::Over),
            Engine::Stepped(Some(stepper), source) => {
                let input = source.fill()?;
                let is_last = input.is_empty();
                let (used, made, outcome) = stepper.step(input, out);
                source.consume(used);
                match outcome {
                    StepOutcome::More if used == 0 && made == 0 && is_last => (0, truncated()),
                    StepOutcome::More if used == 0 && made == 0 => (0, corrupt("no progress")),
                    outcome => (made, outcome),
                }
            }
            Engine::Lz4(frames) => {
                frames.get_mut().is_starved = false;
                let read = frames.read(out);
                let source = frames.get_mut();
                match read {
                    Ok(made @ 1..) => (made, StepOutcome::More),
                    // The crate reports the end of the input before a block as the end of the frame.
                    _ if source.is_starved => return source.failure.take().map_or(Ok((0, truncated())), Err),
                    Ok(_) => (0, StepOutcome::Over),
                    Err(error) => (0, StepOutcome::Failed((error.kind(), error.to_string()))),
                }
            }
        })
    }
}

impl Read for Decoder<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some((kind, message)) = &self.failure {
                return Err(io::Error::new(*kind, message.clone()));
            }
            let (made, outcome) = if self.is_between { (0, self.begin()?) } else { self.step(out)? };
            match outcome {
                StepOutcome::Over if self.is_between => return Ok(0),
                StepOutcome::Over => self.is_between = true,
                StepOutcome::More => self.is_between = false,
                StepOutcome::Failed((kind, what)) => {
                    let (name, offset) = (self.format.as_str(), self.source().taken);
                    self.failure = Some((kind, format!("{name}: {what}, at byte {offset} of the compressed input")));
                }
            }
            if made > 0 {
                return Ok(made);
            }
        }
    }
}

/// Skips a skippable frame. Returns false if the input ends in it.
fn skip_frame(source: &mut Lookahead<'_>) -> io::Result<bool> {
    let &[_, _, _, _, a, b, c, d, ..] = source.peek(8) else { return Ok(false) };
    source.consume(8);
    let mut left = u32::from_le_bytes([a, b, c, d]) as usize;
    while left > 0 {
        let got = source.fill()?.len().min(left);
        if got == 0 {
            return Ok(false);
        }
        source.consume(got);
        left -= got;
    }
    Ok(true)
}

/// Returns the length of a member of bzip2 that holds no block, with its whole text.
///
/// The decoder would clear 400 kB for each level of the header, and has no way to begin anew.
fn empty_member(format: Format, head: &[u8]) -> Option<usize> {
    /// The end mark, and the checksum of no text.
    const END: [u8; 10] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0];
    let rest = head.strip_prefix(b"BZh").filter(|_| format == Format::Bzip2)?;
    let is_empty = matches!(rest, [b'1'..=b'9', rest @ ..] if rest.starts_with(&END));
    is_empty.then_some(b"BZh9".len() + END.len())
}

/// The state of one member.
pub(super) enum Stepper {
    /// Gzip, or the deflate in zips, which has no header.
    Gzip(Decompress),
    Zstd {
        decoder: zstd::stream::raw::Decoder<'static>,
        /// The number of bytes that the decoder requests next.
        wanted: usize,
    },
    Bzip2(bzip2::Decompress),
    Xz(liblzma::stream::Stream),
    Lzw(Box<Lzw>),
}

impl Stepper {
    /// Returns a stepper for raw deflate data, without a header.
    pub(super) fn deflate() -> Stepper {
        Stepper::Gzip(Decompress::new(false))
    }

    /// Returns a stepper for the next member. A decoder that can begin anew is reused. A new one
    /// costs as much as the decoding of 10 kB.
    fn again(last: Option<Stepper>, format: Format) -> Result<Stepper, Problem> {
        if let Some(Stepper::Zstd { mut decoder, .. }) = last
            && decoder.reinit().is_ok()
        {
            return Ok(Stepper::Zstd { decoder, wanted: 1 });
        }
        Stepper::new(format)
    }

    pub(super) fn new(format: Format) -> Result<Stepper, Problem> {
        let failed = |error: io::Error| (ErrorKind::OutOfMemory, error.to_string());
        Ok(match format {
            // The window of deflate is 2^15 bytes.
            Format::Gzip => Stepper::Gzip(Decompress::new_gzip(15)),
            Format::Bzip2 => Stepper::Bzip2(bzip2::Decompress::new(false)),
            Format::Lzw => Stepper::Lzw(Box::new(Lzw::new())),
            Format::Xz => {
                let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, 0);
                Stepper::Xz(stream.map_err(|error| failed(error.into()))?)
            }
            // lz4 has its own reader, so it never reaches this arm.
            Format::Zstd | Format::Lz4 => {
                let mut decoder = zstd::stream::raw::Decoder::new().map_err(failed)?;
                decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG)).map_err(failed)?;
                Stepper::Zstd { decoder, wanted: 1 }
            }
        })
    }

    /// Runs one step. Returns the numbers of bytes read and written, and the outcome. Bytes written
    /// before an error are valid.
    pub(super) fn step(&mut self, input: &[u8], out: &mut [u8]) -> (usize, usize, StepOutcome) {
        match self {
            Stepper::Gzip(inflate) => {
                let before = (inflate.total_in(), inflate.total_out());
                let outcome = match inflate.decompress(input, out, FlushDecompress::None) {
                    Ok(flate2::Status::StreamEnd) => StepOutcome::Over,
                    Ok(_) => StepOutcome::More,
                    Err(error) => corrupt(error.message().unwrap_or("corrupt data")),
                };
                let (used, made) = (inflate.total_in() - before.0, inflate.total_out() - before.1);
                (used as usize, made as usize, outcome)
            }
            Stepper::Zstd { decoder, wanted } => {
                // Passes only the bytes that zstd requests, up to the end of a block. If a call
                // fails, its own output is lost, so each call is short.
                let mut input = InBuffer::around(&input[..input.len().min(*wanted)]);
                let mut out = OutBuffer::around(out);
                let outcome = match decoder.run(&mut input, &mut out) {
                    Ok(0) => StepOutcome::Over,
                    Ok(next) => {
                        *wanted = next;
                        StepOutcome::More
                    }
                    Err(error) => corrupt(error),
                };
                (input.pos(), out.pos(), outcome)
            }
            Stepper::Bzip2(blocks) => {
                let before = (blocks.total_in(), blocks.total_out());
                let outcome = match blocks.decompress(input, out) {
                    Ok(bzip2::Status::StreamEnd) => StepOutcome::Over,
                    Ok(bzip2::Status::MemNeeded) => {
                        StepOutcome::Failed((ErrorKind::OutOfMemory, "out of memory".into()))
                    }
                    Ok(_) => StepOutcome::More,
                    Err(error) => corrupt(error),
                };
                let (used, made) = (blocks.total_in() - before.0, blocks.total_out() - before.1);
                (used as usize, made as usize, outcome)
            }
            Stepper::Lzw(lzw) => match lzw.step(input, out) {
                // The format has no end mark, so the stream ends with the input.
                (0, 0, None) => (0, 0, StepOutcome::Over),
                (used, made, None) => (used, made, StepOutcome::More),
                (used, made, Some(what)) => (used, made, corrupt(what)),
            },
            Stepper::Xz(stream) => {
                let before = (stream.total_in(), stream.total_out());
                let outcome = match stream.process(input, out, Action::Run) {
                    Ok(liblzma::stream::Status::StreamEnd) => StepOutcome::Over,
                    Ok(_) => StepOutcome::More,
                    Err(liblzma::stream::Error::MemLimit) => {
                        let what = format!("a dictionary that needs more than {} MiB", XZ_MEMORY >> 20);
                        StepOutcome::Failed((ErrorKind::OutOfMemory, what))
                    }
                    Err(error) => corrupt(error),
                };
                let (used, made) = (stream.total_in() - before.0, stream.total_out() - before.1);
                (used as usize, made as usize, outcome)
            }
        }
    }
}

#[cfg(test)]
mod tests;

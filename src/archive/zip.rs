//! Reads a zip (PKWARE's APPNOTE) as a stream: the name and bytes of each file, in order. The zip
//! may come from a file or from a pipe.
//!
//! Crates supply the decoders, but the walk over the files is here. The usual reader of the crate
//! `zip` needs to seek. The crate's reader of streams rejects files whose lengths are stored after
//! them. Every program that cannot seek writes such files. The crate also holds the names of all
//! members, and a file of 100 MB can have a million.
//!
//! Here the local headers are read one after the other. A file without a length ends at the end of
//! its packed stream. The directory may omit a file that is still in the zip, as after a deletion.
//! The file is returned anyway.
//!
//! A file that is encrypted, packed by an unknown method, or fails its checksum causes an error.
//! The next file follows the error if its start is certain.

use std::io::{self, ErrorKind, Read};

use flate2::Crc;

use crate::archive::compress::{Format, Lookahead, StepOutcome, Stepper};

pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_SIZE: usize = 30;
const DESCRIPTOR: &[u8] = b"PK\x07\x08";
/// The marks of records that may follow the last file: the directory, its end records, and data for
/// decryption.
const ENDS: [&[u8]; 4] = [b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x08"];

/// Returns true if an input is a zip. It begins with a file, or with the end record of an empty
/// zip.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(LOCAL) || head.starts_with(ENDS[1])
}

/// Returns whether a text begins with the header of a file, including its name.
pub(super) fn begins_file(text: &[u8]) -> bool {
    /// A limit of the version that a reader needs. It is at most 6.3 today, stored as 63.
    const VERSIONS: u16 = 64;
    /// A limit of a name's length. No archive that was examined has longer names.
    const NAME: usize = 1024;
    let Some(head) = text.first_chunk::<LOCAL_SIZE>() else { return false };
    let length = usize::from(short(head, 26));
    let name = text[LOCAL_SIZE..].get(..length).unwrap_or_default();
    let is_name = (1..NAME).contains(&length) && !name.is_empty() && !name.iter().any(u8::is_ascii_control);
    head.starts_with(LOCAL) && short(head, 4) < VERSIONS && is_name
}

/// Walks over a zip.
pub(crate) struct ZipFiles<'r> {
    source: Lookahead<'r>,
    /// The file that is being read.
    current: Option<ZipFile>,
    is_done: bool,
}

struct ZipFile {
    /// The offset of the file's first byte in the zip.
    start: u64,
    /// The number of packed bytes that are not read yet. `None` if only the end of the packed
    /// stream ends them.
    left: Option<u64>,
    /// Whether a descriptor with length and checksum follows the file, and was not read yet.
    has_descriptor: bool,
    /// The checksum that the zip states.
    stated: u32,
    crc: Crc,
    state: ZipState,
}

enum ZipState {
    Stored,
    Packed(Stepper),
    /// A file that cannot be read.
    Closed(&'static str),
    /// A file that was read completely, but whose checksum is not compared yet.
    Read,
    /// A file with no more to read.
    Over,
}

impl<'r> ZipFiles<'r> {
    pub(crate) fn new(source: Lookahead<'r>) -> Self {
        ZipFiles { source, current: None, is_done: false }
    }

    /// Returns the name of the next file, exactly as the zip has it. Skips the unread bytes of the
    /// previous file. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error with its offset for an invalid header or an input that ends too early.
    /// After an error, no further file is returned.
    pub(crate) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.is_done {
            return Ok(None);
        }
        let next = self.advance();
        self.is_done = !matches!(next, Ok(Some(_)));
        next
    }

    fn advance(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            self.skip()?;
            let offset = self.source.taken();
            let head = self.source.peek(LOCAL_SIZE);
            if ENDS.iter().any(|end| head.starts_with(end)) {
                // Reading to the end of the compressed input verifies its checksum.
                self.discard(u64::MAX)?;
                return Ok(None);
            }
            let Some(head) = head.first_chunk::<LOCAL_SIZE>().copied() else { return Err(self.ends_early()) };
            if !head.starts_with(LOCAL) {
                return Err(error(ErrorKind::InvalidData, "no header", offset));
            }
            self.source.consume(LOCAL_SIZE);
            let name = self.bytes(short(&head, 26).into())?;
            let extra = self.bytes(short(&head, 28).into())?;
            let start = self.source.taken();
            let rest = self.source.peek(DESCRIPTOR.len() + 12);
            // Zeros show a folder or an empty file.
            let is_empty = rest.strip_prefix(DESCRIPTOR).unwrap_or(rest).starts_with(&[0; 12]);
            let (file, size) = ZipFile::new(&head, &extra, start, is_empty);
            self.current = Some(file);
            // The name of a folder ends in a slash, and a folder has no bytes. An entry with bytes
            // is always a file.
            if !name.ends_with(b"/") || size != Some(0) {
                return Ok(Some(name));
            }
        }
    }

    fn bytes(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.source.read_exact(&mut bytes).map_err(|failure| match failure.kind() {
            ErrorKind::UnexpectedEof => self.ends_early(),
            _ => failure,
        })?;
        Ok(bytes)
    }

    /// Returns the reason why the input ends here.
    fn ends_early(&mut self) -> io::Error {
        let offset = self.source.taken();
        let failure = self.source.take_failure();
        failure.unwrap_or_else(|| error(ErrorKind::UnexpectedEof, "the input ends too early", offset))
    }

    /// Skips the rest of the current file.
    fn skip(&mut self) -> io::Result<()> {
        let mut room = [0; 16 << 10];
        // An error ends the file, so the loop ends, too.
        while let Some(ZipFile { left: None, state, .. }) = &self.current
            && !matches!(state, ZipState::Over)
        {
            match self.read(&mut room) {
                // The file is damaged, but the start of the next one is certain.
                Err(_) if !self.is_done => {}
                read => drop(read?),
            }
        }
        let Some(mut file) = self.current.take() else { return Ok(()) };
        if let Some(left) = file.left.take()
            && self.discard(left)? < left
        {
            return Err(self.ends_early());
        }
        if file.has_descriptor { self.descriptor(file.start).map(drop) } else { Ok(()) }
    }

    /// Reads and drops up to this many bytes. Returns their number.
    fn discard(&mut self, most: u64) -> io::Result<u64> {
        let mut read = 0;
        while read < most {
            let got = self.source.fill()?.len().min(usize::try_from(most - read).unwrap_or(usize::MAX));
            if got == 0 {
                break;
            }
            self.source.consume(got);
            read += got as u64;
        }
        Ok(read)
    }

    /// Reads the descriptor after a file that began at `start`. Returns the checksum.
    ///
    /// The descriptor also has the packed and the unpacked length, each in 32 or 64 bits. A mark
    /// may precede it. The zip does not state which form the descriptor has, so the form that fits
    /// is used.
    fn descriptor(&mut self, start: u64) -> io::Result<u32> {
        let offset = self.source.taken();
        let bytes = self.source.peek(28);
        let mark = if bytes.starts_with(DESCRIPTOR) { DESCRIPTOR.len() } else { 0 };
        let fits = |is_wide: &bool| {
            let (length, rest) = (bytes.get(mark + 4..)?, bytes.get(mark + if *is_wide { 20 } else { 12 }..)?);
            let stated = if *is_wide { u64::from_le_bytes(*length.first_chunk()?) } else { word(length, 0)?.into() };
            let expected = if *is_wide { offset - start } else { u64::from((offset - start) as u32) };
            let ends = rest.starts_with(LOCAL) || ENDS.iter().any(|end| rest.starts_with(end));
            (stated == expected && ends).then_some(())
        };
        let is_wide = [false, true].into_iter().find(|is_wide| fits(is_wide).is_some());
        let (Some(is_wide), Some(stated)) = (is_wide, word(bytes, mark)) else {
            self.is_done = true;
            let failure = self.source.take_failure();
            let invalid = || error(ErrorKind::InvalidData, "no valid data descriptor after the file", offset);
            return Err(failure.unwrap_or_else(invalid));
        };
        self.source.consume(mark + if is_wide { 20 } else { 12 });
        Ok(stated)
    }

    /// Ends the current file and the walk, because the input cannot be read further.
    fn stop(&mut self, failure: io::Error) -> io::Error {
        if let Some(file) = &mut self.current {
            file.state = ZipState::Over;
        }
        self.is_done = true;
        failure
    }

    /// Ends the current file with an error. The next file can be read only if its start is certain.
    fn fail(&mut self, kind: ErrorKind, what: &str, offset: u64) -> io::Error {
        if let Some(file) = &mut self.current {
            file.state = ZipState::Over;
            self.is_done |= file.left.is_none();
        }
        let rest = if self.is_done { "; the files after it cannot be found" } else { "" };
        error(kind, &format!("{what}{rest}"), offset)
    }

    /// Decodes one step. Returns the numbers of bytes read and written, and the outcome.
    fn step(&mut self, out: &mut [u8]) -> io::Result<(usize, usize, StepOutcome)> {
        let Some(file) = &mut self.current else { return Ok((0, 0, StepOutcome::Over)) };
        let input = if file.left == Some(0) { &[] } else { self.source.fill()? };
        let most = file.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        let input = &input[..input.len().min(most)];
        let (used, made, outcome) = match &mut file.state {
            ZipState::Packed(stepper) => stepper.step(input, out),
            _ if file.left == Some(0) => (0, 0, StepOutcome::Over),
            _ => {
                let length = input.len().min(out.len());
                out[..length].copy_from_slice(&input[..length]);
                (length, length, StepOutcome::More)
            }
        };
        self.source.consume(used);
        file.left = file.left.map(|left| left - used as u64);
        file.crc.update(&out[..made]);
        Ok((used, made, outcome))
    }

    /// Ends the current file, and compares its checksum with the one that the zip states.
    fn check(&mut self) -> io::Result<usize> {
        let Some(file) = &mut self.current else { return Ok(0) };
        file.state = ZipState::Over;
        let (start, has_descriptor, sum) = (file.start, file.has_descriptor, file.crc.sum());
        let mut stated = file.stated;
        if std::mem::take(&mut file.has_descriptor) && has_descriptor {
            stated = self.descriptor(start)?;
        }
        if stated == sum { Ok(0) } else { Err(error(ErrorKind::InvalidData, "the checksum does not match", start)) }
    }
}

/// Reads the bytes of the current file.
impl Read for ZipFiles<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            let Some(file) = &mut self.current else { return Ok(0) };
            match file.state {
                ZipState::Over => return Ok(0),
                ZipState::Read => return self.check(),
                ZipState::Closed(why) => {
                    let start = file.start;
                    return Err(self.fail(ErrorKind::Unsupported, why, start));
                }
                ZipState::Stored | ZipState::Packed(_) => {}
            }
            let (used, made, outcome) = self.step(out).map_err(|failure| self.stop(failure))?;
            let offset = self.source.taken();
            match outcome {
                StepOutcome::Over => {
                    if let Some(file) = &mut self.current {
                        file.state = ZipState::Read;
                    }
                }
                StepOutcome::More if used == 0 && made == 0 => {
                    return Err(self.fail(ErrorKind::UnexpectedEof, "the input ends too early", offset));
                }
                StepOutcome::More => {}
                StepOutcome::Failed((kind, what)) => return Err(self.fail(kind, &what, offset)),
            }
            if made > 0 {
                return Ok(made);
            }
        }
    }
}

impl ZipFile {
    /// Reads the header of a file and the extra data after its name. Its packed bytes begin at
    /// `start`. Returns the file and its packed length.
    fn new(header: &[u8; LOCAL_SIZE], extra: &[u8], start: u64, is_empty: bool) -> (ZipFile, Option<u64>) {
        let (flags, method) = (short(header, 6), short(header, 8));
        let [stated, packed, size] = [14, 18, 22].map(|at| word(header, at).unwrap_or(0));
        let mut length = u64::from(packed);
        if packed == u32::MAX {
            // The packed length has 64 bits. It follows the unpacked length, if that has 64 bits,
            // too.
            let at = if size == u32::MAX { 8 } else { 0 };
            length = wide_lengths(extra)
                .and_then(|wide| wide.get(at..)?.first_chunk())
                .map_or(length, |wide| u64::from_le_bytes(*wide));
        }
        let has_descriptor = flags & 8 != 0;
        // Programs that cannot seek store 0 here, and the length after the file.
        let is_unknown = has_descriptor && length == 0 && !(method == 0 && is_empty);
        let left = if is_unknown { None } else { Some(length) };
        let packed = |stepper: Result<Stepper, _>| stepper.map_or(ZipState::Closed("out of memory"), ZipState::Packed);
        let state = match method {
            _ if flags & 1 != 0 => ZipState::Closed("is encrypted"),
            // Stored bytes have no end mark, so only a length before them would show their end.
            0 if is_unknown => ZipState::Closed("is stored, and only its data descriptor has the length"),
            0 => ZipState::Stored,
            8 => ZipState::Packed(Stepper::deflate()),
            12 => packed(Stepper::new(Format::Bzip2)),
            93 => packed(Stepper::new(Format::Zstd)),
            95 => packed(Stepper::new(Format::Xz)),
            _ => ZipState::Closed("is packed by an unknown method"),
        };
        (ZipFile { start, left, has_descriptor, stated, crc: Crc::new(), state }, left)
    }
}

/// Returns the field of the extra data that has lengths in 64 bits.
fn wide_lengths(mut extra: &[u8]) -> Option<&[u8]> {
    while extra.len() >= 4 {
        let (id, length) = (short(extra, 0), usize::from(short(extra, 2)));
        let field = extra.get(4..4 + length)?;
        if id == 1 {
            return Some(field);
        }
        extra = &extra[4 + length..];
    }
    None
}

fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn error(kind: ErrorKind, what: &str, offset: u64) -> io::Error {
    io::Error::new(kind, format!("zip: {what}, at byte {offset}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::{Trickle, ZipStyle, zip};

    const STORED: ZipStyle =
        ZipStyle { is_packed: false, descriptor: None, is_marked: false, is_wide: false, is_encrypted: false };
    const PACKED: ZipStyle = ZipStyle { is_packed: true, ..STORED };

    type FileRead = (String, Result<Vec<u8>, String>);

    /// Reads each file with its bytes or its error, and the error at the end.
    fn read(zip: &[u8], chunk: usize) -> (Vec<FileRead>, Option<String>) {
        let mut files = ZipFiles::new(Lookahead::new(Trickle(zip, chunk)));
        let mut found = Vec::new();
        loop {
            match files.next() {
                Ok(Some(name)) => {
                    let mut bytes = Vec::new();
                    let result = files.read_to_end(&mut bytes).map(|_| bytes).map_err(|error| error.to_string());
                    found.push((String::from_utf8_lossy(&name).into_owned(), result));
                }
                Ok(None) => return (found, None),
                Err(error) => {
                    assert!(files.next().unwrap().is_none(), "nothing follows an error");
                    return (found, Some(error.to_string()));
                }
            }
        }
    }

    fn styles() -> Vec<ZipStyle> {
        let wide = ZipStyle { is_wide: true, ..PACKED };
        let mut styles = vec![STORED, PACKED, wide, ZipStyle { is_wide: true, ..STORED }];
        for bits in [32, 64] {
            for is_marked in [true, false] {
                styles.push(ZipStyle { descriptor: Some(bits), is_marked, ..PACKED });
            }
        }
        styles
    }

    #[test]
    fn files_in_their_order() {
        let long = b"From: joe\n".repeat(20_000);
        for style in styles() {
            let zip =
                zip(&[("a.mbox", b"From a", style), ("d/", b"", STORED), ("d/b", &long, style), ("e", b"", style)]);
            let expected = [("a.mbox", &b"From a"[..]), ("d/b", &long), ("e", b"")];
            let expected = expected.map(|(name, bytes)| (name.to_string(), Ok(bytes.to_vec())));
            for chunk in [1, 100, 1 << 20] {
                let (files, error) = read(&zip, chunk);
                assert!(error.is_none() && files == expected, "{style:?} {error:?}");
            }
            // The bytes are not read.
            let mut files = ZipFiles::new(Lookahead::new(&zip[..]));
            let mut count = 0;
            while files.next().unwrap().is_some() {
                count += 1;
            }
            assert_eq!(count, 3, "{style:?}");
        }
        // Programs that cannot seek write folders with a descriptor.
        let behind = ZipStyle { descriptor: Some(32), is_marked: true, ..STORED };
        let (files, error) = read(&zip(&[("d/", b"", behind), ("d/a", b"x", PACKED)]), 7);
        assert_eq!((files, error), (vec![("d/a".into(), Ok(b"x".to_vec()))], None));
        assert_eq!(read(b"PK\x05\x06 of nothing", 7), (vec![], None));
    }

    #[test]
    fn files_that_are_packed_in_other_ways() {
        let text = b"From: joe\n".repeat(1000);
        let mut crc = Crc::new();
        crc.update(&text);
        let bzip2 = bzip2::read::BzEncoder::new(&text[..], bzip2::Compression::fast());
        let xz = liblzma::read::XzEncoder::new(&text[..], 1);
        let zstd = io::Cursor::new(zstd::encode_all(&text[..], 1).unwrap());
        let packers: [(u8, Box<dyn Read>); 3] = [(12, Box::new(bzip2)), (93, Box::new(zstd)), (95, Box::new(xz))];
        for (method, mut packer) in packers {
            let mut packed = Vec::new();
            packer.read_to_end(&mut packed).unwrap();
            let mut archive = zip(&[("a", &packed, STORED)]);
            archive[8] = method;
            archive[14..18].copy_from_slice(&crc.sum().to_le_bytes());
            archive[22..26].copy_from_slice(&(text.len() as u32).to_le_bytes());
            assert_eq!(read(&archive, 100), (vec![("a".into(), Ok(text.clone()))], None), "{method}");
        }
    }

    #[test]
    fn what_is_wrong_with_one_file_does_not_keep_the_next_from_being_read() {
        let encrypted = ZipStyle { is_encrypted: true, ..PACKED };
        let mut archive =
            zip(&[("a", b"x", encrypted), ("b", b"yyyy", STORED), ("c", b"z", PACKED), ("d", b"z", PACKED)]);
        let at = archive.windows(4).position(|bytes| bytes == b"yyyy").unwrap();
        archive[at] = b'x';
        let method = archive.windows(5).rposition(|bytes| bytes == b"PK\x03\x04\x14").unwrap() + 8;
        archive[method] = 9;
        let (files, error) = read(&archive, 100);
        let shown: Vec<_> =
            files.into_iter().map(|(_, result)| result.map_or_else(|error| error, |_| String::new())).collect();
        assert_eq!(error, None);
        assert!(shown[0].starts_with("zip: is encrypted, at byte "), "{shown:?}");
        assert!(shown[1].starts_with("zip: the checksum does not match, at byte "), "{shown:?}");
        assert_eq!(shown[2], "");
        assert!(shown[3].starts_with("zip: is packed by an unknown method"), "{shown:?}");
        // The end of the second file cannot be found.
        let stored = ZipStyle { descriptor: Some(32), is_marked: true, ..STORED };
        let endless = zip(&[("a", b"x", PACKED), ("b", b"x", stored), ("c", b"y", PACKED)]);
        let (files, error) = read(&endless, 100);
        assert_eq!((files.len(), error), (2, None));
        assert!(files[1].1.as_ref().unwrap_err().contains("the files after it cannot be found"), "{files:?}");
    }

    #[test]
    fn a_truncated_zip_gives_what_stands_before() {
        let zip = zip(&[("a", &[b'x'; 600], STORED), ("b", &[b'y'; 600], STORED)]);
        for cut in 1..zip.len() - 11 {
            let (files, error) = read(&zip[..cut], 100);
            let failure = files.iter().find_map(|(_, result)| result.clone().err()).or(error);
            assert!(
                failure.is_some_and(|error| error.contains("ends too early") || error.contains("no header")),
                "{cut}"
            );
            assert!(files.len() >= usize::from(cut > 31), "{cut}");
        }
        let (_, error) = read(&[&zip[..630 + 1], b"garbage that is no header of any kind"].concat(), 100);
        assert_eq!(error.as_deref(), Some("zip: no header, at byte 631"));
    }

    #[test]
    fn any_bytes_end_in_some_way() {
        let mut rng = fastrand::Rng::with_seed(7);
        let files: Vec<_> = styles().into_iter().map(|style| ("name", &b"From: joe\nTo: jane\n"[..], style)).collect();
        let whole = zip(&files);
        for _ in 0..2_000 {
            let mut zip = whole.clone();
            for _ in 0..rng.usize(0..6) {
                let at = rng.usize(..zip.len());
                zip[at] = rng.u8(..);
            }
            zip.truncate(rng.usize(..=zip.len()));
            let (files, _) = read(&zip, 512);
            assert!(files.len() < 100);
        }
    }
}

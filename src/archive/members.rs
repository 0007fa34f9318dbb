//! Web archives in which each record is a gzip member, as crawlers write them. A range of such an
//! archive is read from the first member that begins in it.
//!
//! Only the decoder finds the end of a member. But the start of a member is recognisable: three
//! bytes of gzip, and `WARC/` when it is unpacked. So many machines can search one file of a
//! gigabyte.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use flate2::read::GzDecoder;
use memchr::memmem;

use crate::archive::compress::{Decoder, Format, HEAD, Lookahead};

/// A member begins with these bytes (RFC 1952 section 2.3.1): the magic number of gzip, and
/// deflate, the only method.
const MARK: &[u8] = b"\x1F\x8B\x08";
/// An unpacked record begins with these bytes.
const RECORD: &[u8] = b"WARC/";
/// The number of bytes of a member that are unpacked to find the start of its record. They suffice
/// even after a name and a comment of usual length.
const LOOK: usize = 2048;
/// The number of bytes of a file that are searched at once.
const WINDOW: usize = 256 << 10;

/// Returns whether a file holds records of a web archive, each in a gzip member of its own.
///
/// If so, [`Extractor::search_records`](crate::Extractor::search_records) searches ranges of it.
/// The reader must be at the start of the file. At most [`HEAD`] bytes of it are read. They hold
/// the first member and the start of the next, because crawlers begin files with a short record.
///
/// # Errors
///
/// The errors of the reader.
///
/// # Examples
///
/// ```
/// use urlgrep::archive::has_record_members;
///
/// # fn main() -> std::io::Result<()> {
/// assert!(!has_record_members(&b"WARC/1.0\r\n"[..])?); // not compressed
/// # Ok(())
/// # }
/// ```
pub fn has_record_members(file: impl Read) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(begins_record(&head) && next_in(&head, 1).is_some())
}

/// Returns whether bytes begin with a member that holds a record.
fn begins_record(bytes: &[u8]) -> bool {
    let mut start = [0; RECORD.len()];
    bytes.starts_with(MARK)
        && GzDecoder::new(&bytes[..bytes.len().min(LOOK)]).read_exact(&mut start).is_ok()
        && start == RECORD
}

/// Returns the index of the first member with a record at `from` or after it.
fn next_in(bytes: &[u8], from: usize) -> Option<usize> {
    let starts = memmem::find_iter(&bytes[from..], MARK).map(|start| from + start);
    starts.into_iter().find(|&start| begins_record(&bytes[start..]))
}

/// Returns the offset of the first member with a record that begins in a range.
fn next_member(reader: &mut (impl Read + Seek), range: Range<u64>) -> io::Result<Option<u64>> {
    let mut base = reader.seek(SeekFrom::Start(range.start))?;
    let mut held = Vec::new();
    loop {
        let before = held.len();
        reader.by_ref().take((WINDOW + LOOK - before) as u64).read_to_end(&mut held)?;
        let is_last = held.len() < WINDOW + LOOK;
        let found = next_in(&held, 0).map(|start| base + start as u64);
        // If a member begins in the last [`LOOK`] bytes, the next window finds it again, with all
        // its first bytes.
        match found.filter(|&start| is_last || start < base + WINDOW as u64) {
            Some(start) => return Ok((start < range.end).then_some(start)),
            None if is_last || base + WINDOW as u64 >= range.end => return Ok(None),
            None => {}
        }
        held.drain(..WINDOW);
        base += WINDOW as u64;
    }
}

/// Returns the records whose members begin in a range, unpacked one after the other. Returns `None`
/// if no member begins there.
pub(crate) fn records<'r>(
    mut reader: impl Read + Seek + Send + 'r,
    range: Range<u64>,
) -> io::Result<Option<impl Read + 'r>> {
    let Some(start) = next_member(&mut reader, range.clone())? else { return Ok(None) };
    reader.seek(SeekFrom::Start(start))?;
    Ok(Some(Decoder::new(Format::Gzip, Lookahead::new(reader)).until(range.end - start)))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// Returns an archive with records of many lengths. The data of each record also contains a
    /// member.
    fn archive() -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
        let mut rng = fastrand::Rng::with_seed(28500);
        let (mut file, mut records) = (Vec::new(), Vec::new());
        for length in [0, 10, 3_000, 700_000, 50, 300_000, 1] {
            let noise = std::iter::repeat_with(|| rng.u8(..)).take(length);
            let inner = member(b"WARC/1.0 within");
            let record = [&b"WARC/1.0\r\n"[..], &inner, &noise.collect::<Vec<_>>(), b"\r\n\r\n"].concat();
            records.push((file.len(), record.clone()));
            file.extend(member(&record));
        }
        (file, records)
    }

    /// Checks that ranges that tile a file return each record once, in order.
    #[test]
    fn ranges_tile() {
        let (file, expected) = archive();
        let all = expected.iter().flat_map(|(_, record)| record.clone()).collect::<Vec<_>>();
        assert!(has_record_members(&file[..]).unwrap());
        for size in [1_000, 65_536, 262_144, 300_007, file.len()] {
            let mut found = Vec::new();
            for start in (0..file.len()).step_by(size) {
                let range = start as u64..(start + size).min(file.len()) as u64;
                if let Some(mut records) = records(Cursor::new(&file), range).unwrap() {
                    records.read_to_end(&mut found).unwrap();
                }
            }
            assert!(found == all, "{size}");
        }
        for (start, record) in &expected {
            let start = *start as u64;
            let mut found = Vec::new();
            records(Cursor::new(&file), start..start + 1).unwrap().unwrap().read_to_end(&mut found).unwrap();
            assert!(found == *record && records(Cursor::new(&file), start + 1..start + 2).unwrap().is_none());
        }
    }

    #[test]
    fn other_files_have_none() {
        let (file, _) = archive();
        let one = member(b"WARC/1.0\r\n");
        let text = [member(b"text"), member(b"more")].concat();
        for other in [&b""[..], b"WARC/1.0", &one, &text, &file[1..], &[&text[..], &one].concat()] {
            assert!(!has_record_members(other).unwrap());
        }
        assert!(has_record_members(&[&one[..], &one].concat()[..]).unwrap());
    }
}

//! Reads a tar (POSIX ustar and pax, GNU, Unix V7) as a stream. Returns the name and the bytes of
//! each regular file, in order.
//!
//! The crate `tar` reads headers and pax records, but the walk over the blocks is here. The crate's
//! own walk reads a name of any claimed length into memory. It also fills the holes of a sparse
//! file with zeros. A header of 512 bytes can claim 2^60 zeros.
//!
//! Here a name has at most [`NAME`] bytes, and the data of a sparse file come as they are stored.
//! Each error has its offset. A file that is shorter than its stated size is an error.
//!
//! No file is created under a name. Names are only shown. So absolute names, and names with `..`,
//! are accepted.

use std::io::{self, ErrorKind, Read};
use std::mem;

use tar::{EntryType, Header, PaxExtensions};

use crate::bytes::roll::retry;

const BLOCK: usize = 512;
/// The maximum length of a name. Longer names and pax headers are truncated. No system has paths of
/// more than 64 KiB.
const NAME: usize = 64 << 10;

/// Walks over a tar.
#[derive(Debug)]
pub(crate) struct Members<R> {
    reader: R,
    /// The number of bytes read so far.
    offset: u64,
    /// The number of unread bytes of the member, and the padding of its last block.
    left: u64,
    padding: u64,
    is_done: bool,
}

impl<R: Read> Members<R> {
    /// Creates a walk over the tar that a reader supplies.
    pub(crate) fn new(reader: R) -> Self {
        Members { reader, offset: 0, left: 0, padding: 0, is_done: false }
    }

    /// Returns the name of the next regular file, exactly as the tar has it. Skips the unread bytes
    /// of the previous file. Returns `None` at the end of the archive.
    ///
    /// # Errors
    ///
    /// Returns an error with its offset for an invalid header or an input that ends too early.
    /// After an error, no further file is returned.
    #[allow(clippy::should_implement_trait, reason = "what it gives is read from it")]
    pub(crate) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.is_done {
            return Ok(None);
        }
        let next = self.advance();
        self.is_done = !matches!(next, Ok(Some(_)));
        next
    }

    fn advance(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.skip()?;
        let (mut long_name, mut name, mut pax_size) = (None, None, None);
        loop {
            let mut block = [0; BLOCK];
            // The blocks of zeros at the end may be missing.
            if !self.read_block(&mut block)? {
                return Ok(None);
            }
            if block.iter().all(|&byte| byte == 0) {
                // Reading to the end of the compressed input verifies its checksum.
                self.discard(u64::MAX)?;
                return Ok(None);
            }
            let start = self.offset - BLOCK as u64;
            let header = Header::from_byte_slice(&block);
            let size = header.entry_size().ok().filter(|_| is_header(header));
            let Some(size) = size else {
                return Err(self.error(ErrorKind::InvalidData, "no header", start));
            };
            let kind = header.entry_type();
            match kind {
                EntryType::GNULongName => {
                    self.begin(size);
                    let mut text = self.text()?;
                    text.truncate(text.iter().position(|&byte| byte == 0).unwrap_or(text.len()));
                    long_name = Some(text);
                }
                EntryType::XHeader => {
                    self.begin(size);
                    let records = self.text()?;
                    for record in PaxExtensions::new(&records).flatten() {
                        match record.key_bytes() {
                            // The sparse name overrides the plain name, which is only a
                            // placeholder.
                            b"GNU.sparse.name" => name = Some(record.value_bytes().to_vec()),
                            b"path" if name.is_none() => name = Some(record.value_bytes().to_vec()),
                            b"size" => pax_size = record.value().ok().and_then(|size| size.parse().ok()),
                            _ => {}
                        }
                    }
                }
                EntryType::GNULongLink | EntryType::XGlobalHeader => {
                    self.begin(size);
                    self.skip()?;
                }
                _ => {
                    // The octal field of a header holds at most 8 GiB, so a pax record overrides
                    // it.
                    let size = pax_size.take().unwrap_or(size);
                    let (long_name, name) = (long_name.take(), name.take());
                    let is_file = matches!(kind, EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse);
                    let path = name.or(long_name).unwrap_or_else(|| header.path_bytes().into_owned());
                    let mut is_extended = header.as_gnu().is_some_and(|gnu| kind.is_gnu_sparse() && gnu.is_extended());
                    while is_extended {
                        // The map of the holes continues in this block. The flag follows 21 entries
                        // of 24 bytes.
                        if !self.read_block(&mut block)? {
                            return Err(self.ends_early());
                        }
                        is_extended = block[504] == 1;
                    }
                    // Links and devices have no bytes, even if they state a size.
                    let has_bytes = is_file || !matches!(kind.as_byte(), b'1'..=b'6');
                    self.begin(if has_bytes { size } else { 0 });
                    // Before tar had types, a slash at the end of a name meant a folder.
                    if is_file && !path.ends_with(b"/") {
                        return Ok(Some(path));
                    }
                    self.skip()?;
                }
            }
        }
    }

    fn begin(&mut self, size: u64) {
        self.left = size;
        self.padding = size.wrapping_neg() % BLOCK as u64;
    }

    fn error(&self, kind: ErrorKind, what: &str, offset: u64) -> io::Error {
        io::Error::new(kind, format!("tar: {what}, at byte {offset}"))
    }

    fn ends_early(&self) -> io::Error {
        self.error(ErrorKind::UnexpectedEof, "the input ends too early", self.offset)
    }

    fn read_once(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = retry(|| self.reader.read(out))?;
        self.offset += got as u64;
        Ok(got)
    }

    /// Reads a block. Returns `false` if the input ends before it.
    fn read_block(&mut self, block: &mut [u8; BLOCK]) -> io::Result<bool> {
        let mut filled = 0;
        while filled < BLOCK {
            match self.read_once(&mut block[filled..])? {
                0 if filled == 0 => return Ok(false),
                0 => return Err(self.ends_early()),
                got => filled += got,
            }
        }
        Ok(true)
    }

    /// Reads the bytes of an entry that describes the next entry.
    fn text(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.by_ref().take(NAME as u64).read_to_end(&mut text)?;
        self.skip()?;
        Ok(text)
    }

    /// Skips to the next header.
    fn skip(&mut self) -> io::Result<()> {
        let left = mem::take(&mut self.left).saturating_add(mem::take(&mut self.padding));
        if self.discard(left)? < left { Err(self.ends_early()) } else { Ok(()) }
    }

    /// Reads and drops up to this many bytes. Returns their number.
    fn discard(&mut self, most: u64) -> io::Result<u64> {
        let mut room = [0; 16 << 10];
        let mut read = 0;
        while read < most {
            let wanted = (most - read).min(room.len() as u64) as usize;
            match self.read_once(&mut room[..wanted])? {
                0 => break,
                got => read += got as u64,
            }
        }
        Ok(read)
    }
}

/// Reads the bytes of the current member.
impl<R: Read> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.left.min(out.len() as u64) as usize;
        if most == 0 {
            return Ok(0);
        }
        match self.read_once(&mut out[..most])? {
            0 => Err(self.ends_early()),
            got => {
                self.left -= got as u64;
                Ok(got)
            }
        }
    }
}

/// Returns whether the checksum of a block is right. Old systems added up signed bytes, so a sum of
/// signed bytes is accepted, too.
pub(crate) fn is_header(header: &Header) -> bool {
    const CHECKSUM: std::ops::Range<usize> = 148..156;
    // Most blocks that are checked here are text, and then a letter stands in the checksum's field.
    // `cksum` would build an error message, which takes more instructions than a search of 2 KB.
    if header.as_old().cksum.iter().take_while(|&&byte| byte != 0).any(u8::is_ascii_alphabetic) {
        return false;
    }
    header.cksum().is_ok_and(|stated| {
        let bytes = (0..).zip(header.as_bytes()).map(|(at, &byte)| if CHECKSUM.contains(&at) { b' ' } else { byte });
        let (sum, high) = bytes.fold((0, 0), |(sum, high), byte| (sum + u32::from(byte), high + u32::from(byte >> 7)));
        stated == sum || Some(stated) == sum.checked_sub(256 * high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::container::Container;
    use crate::archive::recognise::recognise;
    use crate::archive::support::{Fails, Trickle, add, tar};

    fn archive(build: impl FnOnce(&mut tar::Builder<Vec<u8>>)) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        build(&mut builder);
        builder.into_inner().unwrap()
    }

    /// Reads the files with their bytes, and the error at the end. Checks that each file's bytes
    /// are at its offset.
    fn read(tar: &[u8], chunk: usize) -> (Vec<(String, Vec<u8>)>, Option<io::Error>) {
        let mut members = Members::new(Trickle(tar, chunk));
        let mut files = Vec::new();
        loop {
            let path = match members.next() {
                Ok(Some(path)) => path,
                Ok(None) => return (files, None),
                Err(error) => {
                    assert!(members.next().unwrap().is_none(), "nothing follows an error");
                    return (files, Some(error));
                }
            };
            let (offset, mut bytes) = (members.offset as usize, Vec::new());
            let result = members.read_to_end(&mut bytes);
            assert!(tar[offset..].starts_with(&bytes));
            files.push((String::from_utf8_lossy(&path).into_owned(), bytes));
            if let Err(error) = result {
                return (files, Some(error));
            }
        }
    }

    #[test]
    fn files_in_their_order() {
        let long = format!("{}/x.eml", "folder/".repeat(40));
        let tar = archive(|builder| {
            add(builder, "a.mbox", b"From a");
            add(builder, &long, &[b'x'; 512]);
            let mut link = Header::new_gnu();
            link.set_entry_type(EntryType::Symlink);
            link.set_size(0);
            builder.append_link(&mut link, "link", "a.mbox").unwrap();
            let mut folder = Header::new_gnu();
            folder.set_entry_type(EntryType::Directory);
            folder.set_size(0);
            builder.append_data(&mut folder, "folder", &b""[..]).unwrap();
            add(builder, "empty", b"");
            builder.append_pax_extensions([("path", &b"pax/name"[..]), ("size", b"5")]).unwrap();
            add(builder, "short", b"12345");
            add(builder, "last", &[b'y'; 5000]);
        });
        let expected = [
            ("a.mbox".into(), b"From a".to_vec()),
            (long, vec![b'x'; 512]),
            ("empty".into(), vec![]),
            ("pax/name".into(), b"12345".to_vec()),
            ("last".into(), vec![b'y'; 5000]),
        ];
        for chunk in [1, 100, 1 << 20] {
            let (files, error) = read(&tar, chunk);
            assert!(error.is_none(), "{error:?}");
            assert!(files == expected, "{files:?}");
        }
        // The bytes are not read, and the blocks at the end are missing.
        let mut members = Members::new(&tar[..tar.len() - 1024]);
        let mut count = 0;
        while members.next().unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, 5);
    }

    #[test]
    fn headers_of_old_systems() {
        let mut header = Header::new_old();
        header.as_mut_bytes()[..4].copy_from_slice(b"\xE4.ms");
        header.set_size(1);
        header.set_cksum();
        let sum = header.cksum().unwrap() - 256;
        // The byte after the zero is not a digit of the sum.
        for (sum, last) in [(sum + 256, ' '), (sum, ' '), (sum, 'A')] {
            header.as_old_mut().cksum.copy_from_slice(format!("{sum:06o}\0{last}").as_bytes());
            let tar = archive(|builder| builder.append(&header, &b"x"[..]).unwrap());
            assert_eq!(Members::new(&tar[..]).next().unwrap().unwrap(), b"\xE4.ms");
            assert_eq!(recognise(&tar), Container::Tar);
        }
        header.as_old_mut().cksum.copy_from_slice(format!("{:06o}\0 ", sum + 1).as_bytes());
        assert_eq!(recognise(header.as_bytes()), Container::Text);
    }

    #[test]
    fn hostile_names_are_names() {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..18].copy_from_slice(b"../../etc/\xFF\x1B[2J/..");
        header.set_size(1);
        header.set_cksum();
        let tar = archive(|builder| builder.append(&header, &b"x"[..]).unwrap());
        assert_eq!(Members::new(&tar[..]).next().unwrap().unwrap(), b"../../etc/\xFF\x1B[2J/..");
    }

    #[test]
    fn what_came_before_the_end_of_a_truncated_tar_is_delivered() {
        let tar = tar(&[("a", &[b'x'; 600]), ("b", &[b'y'; 600])]);
        for (cut, files, bytes) in
            [(1, 0, 0), (513, 1, 1), (1000, 1, 488), (1200, 1, 600), (1600, 1, 600), (2200, 2, 752)]
        {
            let (found, error) = read(&tar[..cut], 100);
            let error = error.unwrap();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            assert_eq!(error.to_string(), format!("tar: the input ends too early, at byte {cut}"));
            assert_eq!(
                (found.len(), found.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()),
                (files, bytes),
                "{cut}"
            );
        }
        let mut broken = tar.clone();
        broken[1536] ^= 1;
        let (found, error) = read(&broken, 100);
        assert_eq!((found.len(), error.unwrap().to_string()), (1, "tar: no header, at byte 1536".into()));
    }

    #[test]
    fn what_goes_wrong_after_the_last_file_is_reported() {
        let tar = tar(&[("a", b"x")]);
        let mut members = Members::new((&tar[..]).chain(Fails));
        assert_eq!(members.next().unwrap().unwrap(), b"a");
        assert_eq!(members.next().unwrap_err().kind(), ErrorKind::ConnectionReset);
        assert!(members.next().unwrap().is_none());
    }

    #[test]
    fn claims_of_size_take_no_memory_and_no_time() {
        for kind in [EntryType::GNULongName, EntryType::XHeader, EntryType::Regular, EntryType::GNUSparse] {
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(u64::MAX - 1);
            if let Some(gnu) = header.as_gnu_mut() {
                gnu.set_real_size(1 << 60);
            }
            header.set_cksum();
            let (_, error) = read(header.as_bytes(), 512);
            assert_eq!(error.unwrap().kind(), ErrorKind::UnexpectedEof, "{kind:?}");
        }
        let tar = tar(&[(&"x/".repeat(100_000), b"y")]);
        let (files, error) = read(&tar, 1 << 20);
        assert!(error.is_none() && files.len() <= 1, "{error:?}");
    }

    #[test]
    fn any_bytes_end_in_some_way() {
        let mut rng = fastrand::Rng::with_seed(7);
        let tar = archive(|builder| {
            add(builder, &"long/".repeat(50), b"");
            add(builder, "a", &[b'x'; 600]);
            builder.append_pax_extensions([("path", &b"p"[..])]).unwrap();
            add(builder, "b", &[b'y'; 600]);
        });
        for _ in 0..500 {
            let mut tar = tar.clone();
            for _ in 0..rng.usize(0..4) {
                let at = rng.usize(..tar.len());
                tar[at] = rng.u8(..);
            }
            for at in (0..tar.len()).step_by(BLOCK) {
                let mut header = *Header::from_byte_slice(&tar[at..at + BLOCK]).as_bytes();
                if rng.bool() && header[257..].starts_with(b"ustar") {
                    let mut sum = Header::new_old();
                    sum.as_mut_bytes().copy_from_slice(&header);
                    sum.set_cksum();
                    header.copy_from_slice(sum.as_bytes());
                    tar[at..at + BLOCK].copy_from_slice(&header);
                }
            }
            tar.truncate(rng.usize(..=tar.len()));
            read(&tar, 512);
        }
    }
}

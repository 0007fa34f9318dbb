//! The check whether files have changed since the database recorded them.

use std::fs::{File, Metadata};
use std::hash::Hasher;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use siphasher::sip::SipHasher13;
use urlgrep::Checkpoint;
use urlgrep::archive::{Container, Foreign, Format};

use crate::command::os::{self, Change};

/// The number of bytes to hash at each end of a file. Without the time of a change, only its bytes
/// show that a file has changed.
const SAMPLE: u64 = if os::SHOWS_CHANGES { 64 << 10 } else { u64::MAX };

/// The database's record of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownFile {
    pub(super) content: String,
    pub(super) stamp: Stamp,
    pub(super) checkpoint: Checkpoint,
}

/// The properties that show whether a file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) size: u64,
    /// The time of the last write, in nanoseconds since 1970. A program can set it to any time.
    pub(super) modified: i64,
    /// The last change of any kind, whose time no program sets.
    pub(super) change: Change,
    /// The hash of its first [`SAMPLE`] bytes, and the hash of its last ones.
    pub(super) head: i64,
    pub(super) tail: i64,
}

/// The part of a file that is still to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnreadPart {
    /// All of it.
    All,
    /// The rest after this position.
    After(Checkpoint),
    /// Nothing.
    Nothing,
}

/// Returns the stable name of a file's type in databases. If `unpacks` is true, compressed data is
/// unpacked, and the type of its content is recognised separately.
pub(crate) const fn container_name(container: Container, unpacks: bool) -> &'static str {
    match container {
        Container::Text => "Text",
        Container::Html => "Html",
        Container::Pdf => "Pdf",
        Container::Csv => "Csv",
        Container::Xml => "Xml",
        Container::Utf16 => "Utf16",
        Container::Calendar => "Calendar",
        Container::Rtf => "Rtf",
        Container::Sylk => "Sylk",
        Container::WideStrings => "WideStrings",
        Container::Warc => "Warc",
        Container::Message => "Mail(Message)",
        Container::Mbox => "Mail(Mbox)",
        Container::Rnews => "Mail(Rnews)",
        Container::Mmdf => "Mail(Mmdf)",
        Container::Babyl => "Mail(Babyl)",
        Container::Emlx => "Mail(Emlx)",
        Container::Dbox => "Mail(Dbox)",
        Container::Tar => "Tar",
        Container::Zip if unpacks => "Zip",
        Container::Zip => "Opaque(Zip)",
        Container::Compressed(_) if unpacks => "Packed",
        Container::Compressed(Format::Gzip) => "Opaque(Gzip)",
        Container::Compressed(Format::Zstd) => "Opaque(Zstd)",
        Container::Compressed(Format::Bzip2) => "Opaque(Bzip2)",
        Container::Compressed(Format::Xz) => "Opaque(Xz)",
        Container::Compressed(Format::Lz4) => "Opaque(Lz4)",
        Container::Compressed(Format::Lzw) => "Opaque(Lzw)",
        Container::Foreign(Foreign::Sqlite) if unpacks => "Sqlite",
        _ => "Opaque(Foreign)",
    }
}

impl KnownFile {
    /// Returns the unread part of a file whose type is now `content`.
    pub(crate) fn unread(&self, path: &Path, content: &str) -> io::Result<UnreadPart> {
        let mut file = File::open(path)?;
        let now = Stamp::of(&mut file, self.stamp.size)?;
        // Another file of that name may be any text, although it begins alike.
        let is_grown = now.size > self.stamp.size && now.change.inode == self.stamp.change.inode;
        Ok(match (now.head, now.tail) == (self.stamp.head, self.stamp.tail) && content == self.content {
            true if now == self.stamp => UnreadPart::Nothing,
            // Without a checkpoint, no part of the file is final.
            true if is_grown && self.checkpoint.offset > 0 => UnreadPart::After(self.checkpoint),
            _ => UnreadPart::All,
        })
    }
}

impl Stamp {
    /// Returns the stamp of a file that once had this size. It equals the earlier stamp, except in
    /// size and times, if data was only appended since.
    fn of(file: &mut File, size: u64) -> io::Result<Stamp> {
        let metadata = file.metadata()?;
        let [head, tail] = samples(file, size, SAMPLE)?;
        let (size, modified, change) = (metadata.len(), modified(&metadata)?, os::change(&metadata));
        Ok(Stamp { size, modified, change, head, tail })
    }

    /// Returns the stamp of a file that has been read, from its metadata `begun` at the time of
    /// opening.
    ///
    /// Data that was appended meanwhile is unread, since the search may not have reached it. Returns
    /// `None` if the file was replaced, or changed in any other way, and so must be read again.
    pub(crate) fn of_read(path: &Path, begun: &Metadata) -> Option<Stamp> {
        let mut file = File::open(path).ok()?;
        let size = begun.len();
        let now = Stamp::of(&mut file, size).ok()?;
        let was = Stamp { size, modified: modified(begun).ok()?, change: os::change(begun), ..now };
        let is_appended = now.size > size;
        let is_same = os::is_same_file(&file.metadata().ok()?, begun) && (now == was || is_appended);
        is_same.then_some(was)
    }
}

/// Returns the time of a file's last write, in nanoseconds since 1970.
fn modified(metadata: &Metadata) -> io::Result<i64> {
    let since = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Returns the hashes of the first and of the last `sample` bytes among the first `size`.
fn samples(file: &mut File, size: u64, sample: u64) -> io::Result<[i64; 2]> {
    let head = hash(file, 0, size.min(sample))?;
    let tail = if size <= sample { head } else { hash(file, size - sample, sample)? };
    Ok([head, tail])
}

fn hash(file: &mut File, offset: u64, length: u64) -> io::Result<i64> {
    let mut hasher = SipHasher13::new();
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = io::BufReader::with_capacity(64 << 10, file.take(length));
    loop {
        let piece = bytes.fill_buf()?;
        if piece.is_empty() {
            return Ok(hasher.finish() as i64);
        }
        hasher.write(piece);
        let length = piece.len();
        bytes.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the time of a change, the whole file is hashed, and its middle counts.
    #[test]
    fn a_sample_of_the_whole_file_shows_every_edit() {
        let path = std::env::temp_dir().join(format!("urlgrep-sample-{}", std::process::id()));
        let hashes = |text: &[u8], sample: u64| {
            std::fs::write(&path, text).unwrap();
            samples(&mut File::open(&path).unwrap(), text.len() as u64, sample).unwrap()
        };
        let text = vec![b'x'; 300_000];
        let mut edited = text.clone();
        edited[150_000] = b'y';
        assert_eq!(hashes(&text, 64 << 10), hashes(&edited, 64 << 10));
        assert_ne!(hashes(&text, u64::MAX), hashes(&edited, u64::MAX));
        edited[299_999] = b'y';
        assert_ne!(hashes(&text, 64 << 10)[1], hashes(&edited, 64 << 10)[1]);
        std::fs::remove_file(path).unwrap();
    }

    /// Checks the names. A new name would make the next run read every file of that type again.
    #[test]
    fn names_in_databases_never_change() {
        use Container::{Compressed, Mbox, Message, Rnews, Tar, Text};
        let names = [Text, Message, Mbox, Rnews, Tar].map(|container| container_name(container, true));
        assert_eq!(names, ["Text", "Mail(Message)", "Mail(Mbox)", "Mail(Rnews)", "Tar"]);
        let folders = [Container::Mmdf, Container::Babyl, Container::Emlx, Container::Dbox];
        let names = folders.map(|container| container_name(container, true));
        assert_eq!(names, ["Mail(Mmdf)", "Mail(Babyl)", "Mail(Emlx)", "Mail(Dbox)"]);
        assert_eq!([true, false].map(|unpacks| container_name(Container::Zip, unpacks)), ["Zip", "Opaque(Zip)"]);
        let formats = [Format::Gzip, Format::Zstd, Format::Bzip2, Format::Xz, Format::Lz4];
        let names = formats.map(|format| container_name(Compressed(format), false));
        assert_eq!(names, ["Opaque(Gzip)", "Opaque(Zstd)", "Opaque(Bzip2)", "Opaque(Xz)", "Opaque(Lz4)"]);
        assert!(formats.iter().all(|&format| container_name(Compressed(format), true) == "Packed"));
    }
}

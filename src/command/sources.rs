//! The files of a report, read once more: SARIF counts columns in UTF-16, and a search counts
//! bytes.
//!
//! Counting during the search would slow down every audit, and a report shows only a few of its
//! places. So the line up to a place is read again, if its file was searched as it is on disk.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use bstr::{BStr, BString, ByteSlice, ByteVec};
use urlgrep::archive::{Container, Format, HEAD, recognise};

use super::model::ReportedPlace;

/// The longest line and the longest match to count. Without this limit, one line of a hundred
/// megabytes with a million findings would be read a million times.
const LONGEST: u64 = 64 << 10;

/// The files of a report.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The folder in which the names of the files are looked up, with a `/` at its end. It is empty if
    /// unknown.
    folder: BString,
    open: Option<(BString, Option<File>)>,
}

/// The start column, end line and end column of a match. Columns count UTF-16 code units from 1.
/// The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Utf16Columns {
    pub(super) start: u64,
    pub(super) end_line: u64,
    pub(super) end: u64,
}

impl Sources {
    /// Returns files whose names are looked up in this folder, which is the working folder.
    pub(crate) fn new(folder: &Path) -> Sources {
        let mut folder = BString::from(<[u8]>::from_path(folder).unwrap_or_default());
        if !folder.is_empty() && !folder.ends_with(b"/") {
            folder.push_char('/');
        }
        Sources { folder, open: None }
    }

    /// Returns the name of a file as seen from the folder. It is relative if the file is below the
    /// folder.
    pub(super) fn relative<'f>(&self, file: &'f BStr) -> &'f BStr {
        let below = file.strip_prefix(self.folder.as_slice()).filter(|below| !below.is_empty() && below[0] != b'/');
        let file = if self.folder.is_empty() { file } else { below.map_or(file, BStr::new) };
        file.strip_prefix(b"./").map_or(file, BStr::new)
    }

    /// Returns the columns of a place. Returns `None` if counting them would repeat the work of the
    /// search, or is not reliable:
    ///
    /// - in a member of an archive, in unpacked data, and on standard input;
    /// - on a line, or for a match, that is too [long](LONGEST);
    /// - in text that is not UTF-8, since a viewer may read it in any charset.
    pub(super) fn columns(&mut self, place: &ReportedPlace<'_>) -> Option<Utf16Columns> {
        let before = place.column.checked_sub(1)?;
        if !place.is_in_file() || before > LONGEST || place.length > LONGEST {
            return None;
        }
        // The line end before the line is read, too. It shows whether this is still the text that was
        // searched.
        let line_start = place.offset.checked_sub(before)?;
        let from = line_start.saturating_sub(1);
        let mut text = vec![0; (place.offset + place.length - from) as usize];
        let file = self.file(place.file)?;
        file.seek(SeekFrom::Start(from)).ok()?;
        file.read_exact(&mut text).ok()?;
        let mut text = &text[..];
        if line_start > 0 {
            text = text.strip_prefix(b"\n")?;
        }
        let (line, source) = text.split_at(before as usize);
        // A byte order mark is not part of the text.
        let line = line.strip_prefix("\u{FEFF}".as_bytes()).filter(|_| line_start == 0).unwrap_or(line);
        let units = |text: &[u8]| Some(std::str::from_utf8(text).ok()?.encode_utf16().count() as u64);
        // A NUL byte suggests UTF-16, where it is half of a letter.
        if line.contains(&b'\n') || source.contains(&0) {
            return None;
        }
        let start = units(line)? + 1;
        let breaks = source.find_iter(b"\n").count() as u64;
        let end = match source.rsplit_once_str("\n") {
            Some((_, last)) => units(last)? + 1,
            None => start + units(source)?,
        };
        Some(Utf16Columns { start, end_line: place.line + breaks, end })
    }

    /// Returns a file that was searched as it is on disk. The last file stays open, since findings
    /// mostly come in the order of the files.
    fn file(&mut self, name: &BStr) -> Option<&mut File> {
        if self.open.as_ref().is_none_or(|(open, _)| open != name) {
            self.open = Some((name.into(), searched_as_it_lies(name)));
        }
        self.open.as_mut()?.1.as_mut()
    }
}

fn searched_as_it_lies(name: &BStr) -> Option<File> {
    let path = name.to_path().ok()?;
    // Opening a pipe would block until something writes to it.
    if !std::fs::metadata(path).is_ok_and(|of| of.is_file()) {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut head = Vec::new();
    (&mut file).take(HEAD as u64).read_to_end(&mut head).ok()?;
    let is_packed = matches!(recognise(&head), Container::Tar | Container::Zip | Container::Foreign(_));
    (!is_packed && Format::of(&head).is_none()).then_some(file)
}

//! The files that a report speaks of, looked at once more: SARIF counts columns in UTF-16, and a search counts bytes.
//!
//! To count while the search runs would cost every audit, and a report shows a few places of many. So the line before a
//! place is read again, from a file that lies there as it was searched.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use bstr::{BStr, BString, ByteSlice, ByteVec};
use urlgrep::archive::{Container, Format, HEAD, recognise};

use super::model::ReportedPlace;

/// Longer lines, and longer matches, are not counted: one line of a hundred megabytes with a million findings would be read
/// a million times.
const LONGEST: u64 = 64 << 10;

/// The files of a report.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The folder in which their names are looked up, with a `/` at its end; empty where it is not known.
    folder: BString,
    open: Option<(BString, Option<File>)>,
}

/// Where a match begins and ends on its lines, in UTF-16 code units from 1; the end is behind the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Utf16Columns {
    pub(super) start: u64,
    pub(super) end_line: u64,
    pub(super) end: u64,
}

impl Sources {
    /// Files whose names are looked up in this folder, the working one.
    pub(crate) fn new(folder: &Path) -> Sources {
        let mut folder = BString::from(<[u8]>::from_path(folder).unwrap_or_default());
        if !folder.is_empty() && !folder.ends_with(b"/") {
            folder.push_char('/');
        }
        Sources { folder, open: None }
    }

    /// The name of a file as it is found from the folder: relative where it lies there.
    pub(super) fn relative<'f>(&self, file: &'f BStr) -> &'f BStr {
        let below = file.strip_prefix(self.folder.as_slice()).filter(|below| !below.is_empty() && below[0] != b'/');
        let file = if self.folder.is_empty() { file } else { below.map_or(file, BStr::new) };
        file.strip_prefix(b"./").map_or(file, BStr::new)
    }

    /// The columns of a place. None where nobody can count them without doing the search's work again: in a part that was
    /// decoded, in a member of an archive, in what was unpacked, on standard input; where a line is too
    /// [long](LONGEST); and where the text is not UTF-8, for a viewer may read it in any charset.
    pub(super) fn columns(&mut self, place: &ReportedPlace<'_>) -> Option<Utf16Columns> {
        let before = place.column.checked_sub(1)?;
        if !place.is_in_file() || before > LONGEST || place.length > LONGEST {
            return None;
        }
        // With the line end before it, which tells whether this is still the text that was searched.
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
        // A byte order mark is no part of the text.
        let line = line.strip_prefix("\u{FEFF}".as_bytes()).filter(|_| line_start == 0).unwrap_or(line);
        let units = |text: &[u8]| Some(std::str::from_utf8(text).ok()?.encode_utf16().count() as u64);
        // A NUL is half of a letter in UTF-16.
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

    /// A file that was searched as it lies there. Findings come in the order of the files, mostly.
    fn file(&mut self, name: &BStr) -> Option<&mut File> {
        if self.open.as_ref().is_none_or(|(open, _)| open != name) {
            self.open = Some((name.into(), searched_as_it_lies(name)));
        }
        self.open.as_mut()?.1.as_mut()
    }
}

fn searched_as_it_lies(name: &BStr) -> Option<File> {
    let path = name.to_path().ok()?;
    // A pipe would wait for somebody who writes.
    if !std::fs::metadata(path).is_ok_and(|of| of.is_file()) {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut head = Vec::new();
    (&mut file).take(HEAD as u64).read_to_end(&mut head).ok()?;
    let is_packed = matches!(recognise(&head), Container::Tar | Container::Zip | Container::Foreign(_));
    (!is_packed && Format::of(&head).is_none()).then_some(file)
}

//! OLE compound files (MS-CFB): the formats that old programs of Office and Outlook write.
//!
//! Each entry of the directory has 128 bytes: a name in UTF-16, its length and a type. Most writers
//! put the directory near the start, or begin the file with the main stream.

use crate::archive::foreign::Foreign;

/// The header of a file, which the first stream often follows.
const HEADER: usize = 512;
/// The length of an entry of the directory.
const ENTRY: usize = 128;
/// The offset of the length of an entry's name, in bytes with the final NUL. The type follows it.
const NAME_LENGTH: usize = 64;
/// The type of an entry that is a stream.
const STREAM: u8 = 2;

/// The streams that show a format.
const STREAMS: [(&[u8], Foreign); 6] = [
    (b"Workbook", Foreign::Xls),
    (b"Book", Foreign::Xls),
    (b"WordDocument", Foreign::Doc),
    (b"PowerPoint Document", Foreign::Ppt),
    (b"__properties_version1.0", Foreign::Msg),
    (b"EncryptedPackage", Foreign::EncryptedOffice),
];

/// Returns the format of a compound file that begins with `head`. More bytes change only
/// [`Foreign::Ole`], which is the result if no format is recognised.
pub(super) fn format_of(head: &[u8]) -> Foreign {
    let begin = head.get(HEADER..).unwrap_or_default();
    match begin {
        [0x09, 0x08, 8 | 16, 0, 0, 5 | 6, ..] => Foreign::Xls,
        [0xEC, 0xA5, ..] => Foreign::Doc,
        _ => begin.chunks_exact(ENTRY).find_map(format_of_entry).unwrap_or(Foreign::Ole),
    }
}

fn format_of_entry(entry: &[u8]) -> Option<Foreign> {
    let is_named = |name: &[u8]| {
        let length = 2 * name.len();
        let wide = name.iter().flat_map(|&byte| [byte, 0]).chain([0, 0]);
        entry[NAME_LENGTH..NAME_LENGTH + 3] == [length as u8 + 2, 0, STREAM]
            && entry[..length + 2].iter().copied().eq(wide)
    };
    STREAMS.iter().find(|(name, _)| is_named(name)).map(|&(_, format)| format)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file with a stream that was stored before the directory, whose second entry has
    /// this name.
    fn file(stream: &[u8], name: &str, kind: u8) -> Vec<u8> {
        let mut file = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
        file.resize(HEADER, 0);
        file.extend_from_slice(stream);
        file.resize(2 * HEADER, 0);
        for (name, kind) in [("Root Entry", 5), (name, kind)] {
            let at = file.len();
            file.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
            file.resize(at + NAME_LENGTH, 0);
            file.extend([name.len() as u8 * 2 + 2, 0, kind]);
            file.resize(at + ENTRY, 0);
        }
        file
    }

    #[test]
    fn the_directory_or_the_first_stream_shows_the_format() {
        for (name, format) in STREAMS {
            let file = file(b"", str::from_utf8(name).unwrap(), STREAM);
            assert_eq!(Foreign::of(&file), Some(format));
            for end in 8..file.len() {
                assert_eq!(Foreign::of(&file[..end]), Some(Foreign::Ole), "{end}");
            }
        }
        assert_eq!(format_of(&file(b"\x09\x08\x10\0\0\x06", "x", STREAM)), Foreign::Xls);
        assert_eq!(format_of(&file(b"\xEC\xA5\xC1\0", "x", STREAM)), Foreign::Doc);
        for (name, kind) in [("Workbook", 1), ("Workbooks", STREAM), ("WorkbooK", STREAM)] {
            assert_eq!(format_of(&file(b"", name, kind)), Foreign::Ole, "{name}");
        }
    }
}

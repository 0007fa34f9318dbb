//! OLE compound files (MS-CFB): the formats that old programs of Office and Outlook write.
//!
//! Each entry of the directory has 128 bytes: a name in UTF-16, its length and a type. Most writers
//! put the directory near the start, or begin the file with the main stream.

/// The header of a file, which the first stream often follows.
const HEADER: usize = 512;
/// The length of an entry of the directory.
const ENTRY: usize = 128;
/// The offset of the length of an entry's name, in bytes with the final NUL. The type follows it.
const NAME_LENGTH: usize = 64;
/// The type of an entry that is a stream.
const STREAM: u8 = 2;

/// The names of the streams that show a format.
const STREAMS: [&str; 6] =
    ["Workbook", "Book", "WordDocument", "PowerPoint Document", "__properties_version1.0", "EncryptedPackage"];

/// Returns the name of the stream that shows the format of a compound file, which begins with
/// `head`. More bytes never change a name.
pub(super) fn main_stream(head: &[u8]) -> Option<&'static str> {
    let begin = head.get(HEADER..).unwrap_or_default();
    match begin {
        [0x09, 0x08, 8 | 16, 0, 0, 5 | 6, ..] => Some("Workbook"),
        [0xEC, 0xA5, ..] => Some("WordDocument"),
        _ => begin.chunks_exact(ENTRY).find_map(stream_of),
    }
}

/// Returns the name of an entry of the directory, if it is one of [`STREAMS`].
fn stream_of(entry: &[u8]) -> Option<&'static str> {
    let is_named = |name: &&str| {
        let length = 2 * name.len();
        let wide = name.bytes().flat_map(|byte| [byte, 0]).chain([0, 0]);
        entry[NAME_LENGTH..NAME_LENGTH + 3] == [length as u8 + 2, 0, STREAM]
            && entry[..length + 2].iter().copied().eq(wide)
    };
    STREAMS.into_iter().find(is_named)
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
        for name in STREAMS {
            let file = file(b"", name, STREAM);
            assert_eq!(main_stream(&file), Some(name));
            for end in 0..file.len() {
                assert_eq!(main_stream(&file[..end]), None, "{end}");
            }
        }
        assert_eq!(main_stream(&file(b"\x09\x08\x10\0\0\x06", "x", STREAM)), Some("Workbook"));
        assert_eq!(main_stream(&file(b"\xEC\xA5\xC1\0", "x", STREAM)), Some("WordDocument"));
        for (name, kind) in [("Workbook", 1), ("Workbooks", STREAM), ("WorkbooK", STREAM)] {
            assert_eq!(main_stream(&file(b"", name, kind)), None, "{name}");
        }
    }
}

//! Files that are recognised by their first bytes, but that nothing here unpacks.
//!
//! Such a file is searched as bytes, which finds little. A note reports this, because an empty
//! result would look like "no URL".

mod compound;

use memchr::{memchr, memmem};

use crate::archive::compress::HEAD;
use crate::archive::zip;

/// A file that is recognised but not unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Foreign {
    /// An archive of 7-Zip.
    SevenZip,
    /// An archive of RAR.
    Rar,
    /// A cabinet of Microsoft.
    Cab,
    /// An archive of LHA.
    Lha,
    /// An OLE compound file that is none of the next five.
    Ole,
    /// An old Excel workbook (`.xls`).
    Xls,
    /// An old Word document (`.doc`).
    Doc,
    /// An old PowerPoint presentation (`.ppt`).
    Ppt,
    /// An Office document with a password.
    EncryptedOffice,
    /// A message of Outlook (`.msg`).
    Msg,
    /// A folder of Outlook (`.pst`, `.ost`).
    Pst,
    /// A folder of Outlook Express (`.dbx`).
    Dbx,
    /// A folder of the IMAP server of the University of Washington.
    Mbx,
    /// A pack of git. public-inbox keeps its mail in such packs.
    GitPack,
    /// A buffer of the news server INN.
    Cnfs,
    /// A file of Firefox that is packed with LZ4, such as a backup of bookmarks.
    MozLz4,
    /// A journal of systemd.
    Journal,
    /// A program of PostScript, which draws its text in pieces.
    PostScript,
    /// A key, certificate or message in the text form of OpenSSL.
    Pem,
    /// A section of OneNote.
    OneNote,
    /// A `winmail.dat` of Outlook.
    Tnef,
    /// A database of SQLite, such as the history of a browser.
    Sqlite,
    /// A write-ahead log or a journal, which lies beside a database of SQLite.
    SqliteLog,
    /// A self-extracting zip: a program that unpacks or runs the zip after it.
    SelfExtracting,
}

/// A kind, its name in a note, advice about a program that reads it, and its marks: offsets and
/// bytes.
type Signature = (Foreign, &'static str, &'static str, &'static [(usize, &'static [u8])]);

const SIGNATURES: &[Signature] = &[
    (Foreign::SevenZip, "a 7z archive", "`7z x` unpacks it", &[(0, b"7z\xBC\xAF\x27\x1C")]),
    (Foreign::Rar, "a RAR archive", "`unrar x` unpacks it", &[(0, b"Rar!\x1A\x07")]),
    (Foreign::Cab, "a cabinet", "`cabextract` unpacks it", &[(0, b"MSCF\0\0\0\0")]),
    (Foreign::Lha, "an LHA archive", "`lha x` unpacks it", &[(2, b"-lh"), (6, b"-")]),
    (Foreign::Ole, "an OLE file", OLE, &[(0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")]),
    (Foreign::Pst, "an Outlook folder", "`readpst` converts it to mailboxes", &[(0, b"!BDN"), (8, b"SM")]),
    (Foreign::Dbx, "an Outlook Express folder", "`undbx` extracts its messages", &[(0, b"\xCF\xAD\x12\xFE")]),
    (Foreign::Mbx, "an MBX folder", "`mailutil copy` converts it to a mailbox", &[(0, b"*mbx*\r\n")]),
    (Foreign::GitPack, "a pack of git", "`git cat-file --batch` prints its contents", &[(0, b"PACK\0\0\0\x02")]),
    (Foreign::Cnfs, "a CNFS buffer", "INN's `sm` prints its articles", &[(0, b"Cycbuff")]),
    (Foreign::Cnfs, "a CNFS buffer", "INN's `sm` prints its articles", &[(0, b"CBuf4")]),
    (Foreign::MozLz4, "a mozLz4 file", "`lz4jsoncat` or `dejsonlz4` prints it", &[(0, b"mozLz40\0")]),
    (Foreign::Journal, "a journal of systemd", "`journalctl --file FILE` prints it", &[(0, b"LPKSHHRH")]),
    (Foreign::PostScript, "PostScript", "`ps2pdf` converts it to PDF", &[(0, b"%!PS")]),
    (Foreign::Pem, "PEM", PEM, &[(0, b"-----BEGIN CMS-----")]),
    (Foreign::Pem, "PEM", PEM, &[(0, b"-----BEGIN PKCS7-----")]),
    (Foreign::Pem, "PEM", PEM, &[(0, b"-----BEGIN CERTIFICATE-----")]),
    (Foreign::Pem, "PEM", PEM, &[(0, b"-----BEGIN PGP MESSAGE-----")]),
    (Foreign::OneNote, "a section of OneNote", "OneNote exports it as PDF", &[(0, ONE_NOTE)]),
    (Foreign::Tnef, "a TNEF file", "`tnef` unpacks it", &[(0, b"\x78\x9F\x3E\x22")]),
    (Foreign::Sqlite, "an SQLite database", "`sqlite3 FILE .dump` prints it", &[(0, b"SQLite format 3\0")]),
    (Foreign::SqliteLog, "a log of an SQLite database", SQLITE_LOG, &[(0, b"\x37\x7F\x06\x82\0")]),
    (Foreign::SqliteLog, "a log of an SQLite database", SQLITE_LOG, &[(0, b"\x37\x7F\x06\x83\0")]),
    (Foreign::SqliteLog, "a log of an SQLite database", SQLITE_LOG, &[(0, b"\xD9\xD5\x05\xF9\x20\xA1\x63\xD7")]),
];

/// The formats of OLE compound files, which share their marks.
const COMPOUND: &[Signature] = &[
    (Foreign::Xls, "an old Excel workbook (.xls)", "`soffice --convert-to xlsx` converts it", &[]),
    (Foreign::Doc, "an old Word document (.doc)", "`soffice --convert-to docx` converts it", &[]),
    (Foreign::Ppt, "an old PowerPoint presentation (.ppt)", "`soffice --convert-to pptx` converts it", &[]),
    (Foreign::EncryptedOffice, "an encrypted Office document", "`msoffcrypto-tool` decrypts it", &[]),
    (Foreign::Msg, "an Outlook message (.msg)", "`msgconvert` converts it to mail", &[]),
];

const OLE: &str = "`soffice --convert-to pdf` converts Office documents, `msgconvert` Outlook messages";
const PEM: &str = "`openssl` or `gpg` decodes it";
const ONE_NOTE: &[u8] = b"\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3";
const SQLITE_LOG: &str = "`sqlite3` reads it with its database";

/// A self-extracting zip. Its marks may lie anywhere in the head.
const SELF_EXTRACTING: Signature =
    (Foreign::SelfExtracting, "a self-extracting zip", "`unzip` or `7z x` unpacks it", &[]);

const SCRIPT: &[u8] = b"#!";
/// The maximum length of the first line of a script. The zip follows that line.
const SCRIPT_LINE: usize = 256;

/// Returns the bytes after the first line of a script, if that line ends within [`SCRIPT_LINE`]
/// bytes.
///
/// The first line of a news batch looks like that of a script.
fn after_script_line(head: &[u8]) -> Option<&[u8]> {
    if head.starts_with(b"#! rnews ") {
        return None;
    }
    let end = memchr(b'\n', &head[..head.len().min(SCRIPT_LINE)])?;
    Some(&head[end + 1..])
}

/// Returns whether a zip follows the program that an input begins with.
fn is_self_extracting(head: &[u8]) -> bool {
    if head.starts_with(SCRIPT) {
        return after_script_line(head).is_some_and(|rest| rest.starts_with(zip::LOCAL));
    }
    // The four bytes of the mark occur by chance in a program, so the header is checked, too.
    may_be_program(head) && memmem::find_iter(head, zip::LOCAL).any(|at| zip::begins_file(&head[at..]))
}

/// Returns whether the input may still become a program with a zip after it.
fn may_extract_itself(head: &[u8]) -> bool {
    if head.starts_with(SCRIPT) {
        return after_script_line(head).map_or(head.len() < SCRIPT_LINE, |rest| zip::LOCAL.starts_with(rest));
    }
    may_be_program(head) || SCRIPT.starts_with(head)
}

/// Returns whether an input may begin with a Windows or Unix program. `head` may be shorter than a
/// mark, because a first read may return a single byte.
fn may_be_program(head: &[u8]) -> bool {
    const ELF: &[u8] = b"\x7FELF";
    match head {
        // This is the high byte of the length of the program's last 512-byte page. A text has a
        // larger byte there.
        [b'M', b'Z', _, high, ..] => *high < 2,
        [b'M'] | [b'M', b'Z', ..] => true,
        _ => head.starts_with(ELF) || ELF.starts_with(head),
    }
}

impl Foreign {
    /// Returns the kind of file that begins with these bytes.
    pub(crate) fn of(head: &[u8]) -> Option<Foreign> {
        let begins = |&(at, bytes): &(usize, &[u8])| head.get(at..).is_some_and(|rest| rest.starts_with(bytes));
        let known = SIGNATURES.iter().find(|(.., marks)| marks.iter().all(begins)).map(|&(kind, ..)| kind);
        if known == Some(Foreign::Ole) {
            return Some(Foreign::of_compound(head));
        }
        known.or_else(|| is_self_extracting(head).then_some(Foreign::SelfExtracting))
    }

    /// Returns the format of an OLE compound file. More bytes change only [`Ole`](Self::Ole), which is
    /// the result if no format is recognised.
    fn of_compound(head: &[u8]) -> Foreign {
        match compound::main_stream(head) {
            Some("Workbook" | "Book") => Foreign::Xls,
            Some("WordDocument") => Foreign::Doc,
            Some("PowerPoint Document") => Foreign::Ppt,
            Some("__properties_version1.0") => Foreign::Msg,
            Some("EncryptedPackage") => Foreign::EncryptedOffice,
            _ => Foreign::Ole,
        }
    }

    /// Returns true if these bytes match no signature yet, but may match one with the bytes that
    /// follow.
    pub(crate) fn may_follow(head: &[u8]) -> bool {
        let fits = |&(at, bytes): &(usize, &[u8])| {
            let rest = head.get(at..).unwrap_or_default();
            rest.starts_with(bytes) || bytes.starts_with(rest)
        };
        // A mark at an offset above 0 would fit any head that is not longer than the offset.
        let is_near = |marks: &[(usize, &[u8])]| marks.iter().all(fits) && head.len() > marks[0].0;
        let may_be_known = || SIGNATURES.iter().any(|(.., marks)| is_near(marks)) || may_extract_itself(head);
        head.len() < HEAD && may_be_known() && Foreign::of(head).is_none()
    }

    /// Returns whether the pages of the file cut its texts into pieces. A search of its bytes would
    /// find URLs that nobody wrote.
    pub fn is_in_pages(self) -> bool {
        matches!(self, Foreign::Sqlite | Foreign::SqliteLog)
    }

    /// Returns the kind's name with an article: `a 7z archive`.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns a short hint about a program that reads the file.
    pub fn advice(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> &'static Signature {
        SIGNATURES.iter().chain(COMPOUND).find(|&&(kind, ..)| kind == self).unwrap_or(&SELF_EXTRACTING)
    }
}

crate::bytes::display::display!(Foreign, as_str);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_is_known_and_none_is_before_its_last_byte() {
        for (kind, name, advice, marks) in SIGNATURES {
            let size = marks.iter().map(|(at, bytes)| at + bytes.len()).max().unwrap();
            let mut head = vec![0; size];
            for (at, bytes) in *marks {
                head[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            assert_eq!(Foreign::of(&head), Some(*kind));
            assert_eq!((kind.as_str(), kind.advice()), (*name, *advice));
            for cut in marks[0].0 + 1..size {
                assert_eq!(Foreign::of(&head[..cut]), None, "{name}");
                assert!(Foreign::may_follow(&head[..cut]), "{name}");
            }
        }
        let file = [zip::LOCAL, &[20, 0, 0, 0, 8, 0], &[0; 16], &[1, 0, 0, 0], b"a"].concat();
        for program in [&b"MZ\x90\0 program"[..], b"\x7FELF program", b"#!/usr/bin/env python3\n"] {
            let archive = [program, &file].concat();
            assert_eq!(Foreign::of(&archive), Some(Foreign::SelfExtracting));
            let size = if program.starts_with(SCRIPT) { program.len() + zip::LOCAL.len() } else { archive.len() };
            for cut in 1..size {
                assert!(Foreign::may_follow(&archive[..cut]), "{cut} of {}", archive.escape_ascii());
            }
            // The program's own bytes may hold the mark of a file.
            assert_eq!(Foreign::of(&[program, b" PK\x03\x04\xFF\xFF"].concat()), None);
        }
        assert!(!Foreign::may_follow(b"#!/bin/sh\necho") && !Foreign::may_follow(b"MZ is a text"));
        // Once the head is full, no more bytes of a program are needed.
        let program = [&b"MZ\x90\0"[..], &[0; HEAD - 4]].concat();
        assert!(Foreign::may_follow(&program[..HEAD - 1]) && !Foreign::may_follow(&program));
        assert_eq!(Foreign::of(b""), None);
        assert_eq!(Foreign::of(b"Rar! is what it says\n"), None);
        assert!(!Foreign::may_follow(b"Rar! is what it says\n"));
    }
}

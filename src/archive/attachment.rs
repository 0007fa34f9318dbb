//! Attachments that are not text. Each is read like a file with the same content, in bounded
//! memory.

use std::io::Read;
use std::ops::ControlFlow;

use crate::archive::calendar;
use crate::archive::charset;
use crate::archive::compress::{Format, HEAD};
use crate::archive::container::Container;
use crate::archive::foreign::Foreign;
use crate::archive::input::OpenOptions;
use crate::archive::message::{Form, Note};
use crate::archive::pdf::{self, Pdf};
use crate::archive::recognise::{is_message, recognise};
use crate::archive::restored::Restored;
use crate::archive::rtf;
use crate::archive::split::{Mark, SplitPart, Splitter};
use crate::archive::sylk;
use crate::archive::wide::WideFile;
use crate::bytes::simd::Backend;

/// The maximum number of unpacked bytes of all attachments of a message.
pub(crate) const BUDGET: usize = 32 << 20;

/// Returns the texts of a database, and whether they are all.
pub(crate) type ReadDatabase = fn(&[u8]) -> (Vec<u8>, bool);

/// How attachments are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpacking {
    /// The reader of databases, if databases are read.
    pub(crate) database: Option<ReadDatabase>,
    /// Whether zips and compressed files are unpacked.
    pub(crate) is_wanted: bool,
    /// The number of bytes that may still be unpacked.
    pub(crate) budget: usize,
}

impl Unpacking {
    pub(crate) fn new(is_wanted: bool) -> Unpacking {
        Unpacking { database: None, is_wanted, budget: BUDGET }
    }
}

/// A file in an attachment, or the attachment itself.
#[derive(Debug)]
pub(crate) enum AttachedFile {
    /// A message. `at` is its offset in the attachment. It applies only if the attachment holds the
    /// message as it is.
    Message {
        message: Vec<u8>,
        at: usize,
    },
    Text {
        text: Vec<u8>,
        form: Form,
        note: Option<Note>,
    },
}

impl AttachedFile {
    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            AttachedFile::Message { message: bytes, .. } | AttachedFile::Text { text: bytes, .. } => bytes,
        }
    }
}

/// Returns the files of an attachment that has this name. Each comes with its path within the
/// attachment, which is empty for the attachment itself.
pub(crate) fn files(bytes: &[u8], name: &[u8], unpacking: &mut Unpacking) -> Vec<(Vec<u8>, AttachedFile)> {
    let mut all = Vec::new();
    let options = OpenOptions::new().unpack(unpacking.is_wanted);
    let (budget, database) = (&mut unpacking.budget, unpacking.database);
    let _ = options.each(&mut { bytes }, name, |path, entry| {
        let mut here = Vec::new();
        let Ok(mut entry) = entry else {
            let file = AttachedFile::Text { text: Vec::new(), form: Form::Other, note: Some(Note::Damaged) };
            all.push((path.to_vec(), file));
            return Ok(ControlFlow::Continue(()));
        };
        let (container, is_itself) = (entry.container(), path.is_empty());
        // If unpacking is off, a compressed attachment has the container `Compressed`.
        let container = match unpacking.is_wanted {
            false if is_itself => Format::of(&bytes[..bytes.len().min(HEAD)]).map_or(container, Container::Compressed),
            _ => container,
        };
        let mut text = Vec::new();
        // The attachment itself is in memory already, so all its bytes are read even if no budget
        // is left.
        let most = if is_itself { (*budget).max(bytes.len()) } else { *budget };
        let got = entry.by_ref().take(most as u64).read_to_end(&mut text);
        // Reading one byte more distinguishes a truncated text from a text that just fits.
        let more = if text.len() == most { entry.read(&mut [0]) } else { Ok(0) };
        let (is_more, is_damaged) = (matches!(more, Ok(1..)), got.is_err() || more.is_err());
        // An attachment uses no budget if unpacking does not make it longer.
        *budget -= if is_itself && text.len() <= bytes.len() { 0 } else { text.len().min(*budget) };
        match container {
            Container::Foreign(foreign) if foreign.is_in_pages() => here.push(of_database(&text, foreign, database)),
            container => add(text, container, budget, &mut here),
        }
        if is_more || is_damaged {
            let note = Some(if is_more { Note::TooLong } else { Note::Damaged });
            here.push(AttachedFile::Text { text: Vec::new(), form: Form::Other, note });
        }
        all.extend(here.into_iter().map(|file| (path.to_vec(), file)));
        // The budget is used up, so no later file could be read.
        Ok(if is_more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    all
}

/// Returns whether bytes that are not text are a file that can be read.
pub(crate) fn is_known(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let container = recognise(head);
    Format::of(head).is_some()
        || container.has_messages()
        || matches!(
            container,
            Container::Pdf
                | Container::Zip
                | Container::Tar
                | Container::WideStrings
                | Container::Foreign(Foreign::Sqlite)
        )
}

/// Adds the contents of a file by the rules of its container.
fn add(bytes: Vec<u8>, container: Container, budget: &mut usize, all: &mut Vec<AttachedFile>) {
    let note = match container {
        Container::Message => {
            let message = Restored::of(&bytes, true).map_or(bytes, |restored| restored.text);
            return all.push(AttachedFile::Message { message, at: 0 });
        }
        container if container.has_messages() => return messages(&bytes, container, all),
        Container::Pdf => return all.extend(of_pdf(&bytes, budget)),
        Container::Html => return all.push(AttachedFile::Text { text: bytes, form: Form::Html, note: None }),
        Container::Xml => return all.push(AttachedFile::Text { text: bytes, form: Form::Xml, note: None }),
        Container::Calendar => {
            let text = calendar::unfold(&bytes).map_or(bytes, |text| text.into_parts().0);
            return all.push(AttachedFile::Text { text, form: Form::Other, note: None });
        }
        Container::Rtf => {
            let page = rtf::code_page(&bytes);
            let text = rtf::unescape(&bytes, page).map_or(bytes, |text| text.into_parts().0);
            return all.push(AttachedFile::Text { text, form: Form::Other, note: None });
        }
        Container::Sylk => {
            let text = sylk::unescape(&bytes).map_or(bytes, |text| text.into_parts().0);
            return all.push(AttachedFile::Text { text, form: Form::Other, note: None });
        }
        Container::WideStrings => {
            let text = match WideFile::of(&bytes) {
                Some(file) => file.decode(&bytes).map_or(bytes, |text| text.into_parts().0),
                None => bytes,
            };
            return all.push(AttachedFile::Text { text, form: Form::Other, note: None });
        }
        Container::Utf16 => {
            let text = charset::decode_utf16_file(&bytes);
            return all.push(AttachedFile::Text { text, form: Form::Other, note: None });
        }
        Container::Compressed(_) | Container::Zip => Some(Note::Packed),
        Container::Foreign(Foreign::Tnef) => Some(Note::Tnef),
        Container::Text | Container::Csv if charset::looks_like_text(&bytes[..bytes.len().min(SAMPLE)]) => None,
        _ => Some(Note::Attachment),
    };
    all.push(AttachedFile::Text { text: bytes, form: Form::Other, note });
}

/// Adds the messages of a mailbox or a batch. The bytes before the first message are text.
fn messages(bytes: &[u8], container: Container, all: &mut Vec<AttachedFile>) {
    let mut splitter = Splitter::new(bytes, container, Backend::detect(), Mark::default(), 0..u64::MAX);
    let mut add = |text: &[u8], at: usize, is_first: bool| {
        let text = text.to_vec();
        all.push(match is_first && !is_message(&text) {
            // The first piece has no separator: it is a message only if it looks like one.
            true => AttachedFile::Text { text, form: Form::Other, note: None },
            false => AttachedFile::Message { message: text, at },
        });
    };
    while !splitter.is_done() {
        match splitter.advance() {
            Some(SplitPart::Batch(batch)) => {
                for piece in &batch.pieces {
                    let at = batch.text.base as usize + piece.message.start;
                    add(&batch.text.bytes()[piece.message.clone()], at, piece.separator.is_empty());
                }
                splitter.recycle(batch.text);
            }
            Some(SplitPart::Oversize { base, message, .. }) => {
                let mut whole = Vec::new();
                if splitter.oversize().read_to_end(&mut whole).is_ok() {
                    add(&whole[(message - base) as usize..], message as usize, message == base);
                }
            }
            None => {}
        }
    }
}

/// Returns the texts of a database. Without a reader it has none.
fn of_database(bytes: &[u8], foreign: Foreign, database: Option<ReadDatabase>) -> AttachedFile {
    let (text, note) = match database.filter(|_| foreign == Foreign::Sqlite) {
        None => (Vec::new(), Some(Note::Database)),
        Some(read) => {
            let (text, is_whole) = read(bytes);
            (text, (!is_whole).then_some(Note::DatabaseNotWhole))
        }
    };
    AttachedFile::Text { text, form: Form::Other, note }
}

const SAMPLE: usize = 4096;

/// Returns the texts of a PDF: its links, its strings, and its metadata.
pub(crate) fn of_pdf(bytes: &[u8], budget: &mut usize) -> [AttachedFile; 3] {
    let pdf = pdf::read(bytes, budget);
    let note = Some(match pdf {
        Pdf { is_encrypted: true, .. } => Note::PdfEncrypted,
        Pdf { is_cut: true, .. } => Note::PdfNotWhole,
        _ => Note::PdfPages,
    });
    [
        AttachedFile::Text { text: pdf.links, form: Form::References, note },
        AttachedFile::Text { text: pdf.strings, form: Form::Other, note },
        AttachedFile::Text { text: pdf.metadata, form: Form::Xml, note: None },
    ]
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn damage_after_a_text_that_just_fits_is_noted() {
        let text = b"see http://a.example/ and more\n".repeat(100);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&text).unwrap();
        let mut packed = gzip.finish().unwrap();
        let checksum = packed.len() - 8;
        packed[checksum] ^= 1;
        for (budget, expected) in [(text.len() + 1, Note::Damaged), (text.len(), Note::Damaged), (200, Note::TooLong)] {
            let files = files(&packed, b"a.gz", &mut Unpacking { budget, ..Unpacking::new(true) });
            let noted = |(_, file): &(_, AttachedFile)| matches!(file, AttachedFile::Text { note: Some(note), .. } if *note == expected);
            assert!(files.iter().any(noted), "{budget}: {files:?}");
        }
    }
}

//! Attachments that are no text: each is read as a file of its content would be, in bounded memory.

use std::io::Read;
use std::ops::ControlFlow;

use crate::archive::charset;
use crate::archive::input::OpenOptions;
use crate::archive::message::{Form, Note};
use crate::archive::pdf;
use crate::archive::recognise::Container;

/// What the attachments of a message are unpacked to, at most.
pub(crate) const BUDGET: usize = 32 << 20;

/// How attachments are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpacking {
    /// Zips and compressed files are unpacked.
    pub(crate) is_wanted: bool,
    /// What they may still become.
    pub(crate) budget: usize,
}

impl Unpacking {
    pub(crate) fn new(is_wanted: bool) -> Unpacking {
        Unpacking { is_wanted, budget: BUDGET }
    }
}

/// A file of an attachment, or the attachment itself.
#[derive(Debug)]
pub(crate) enum AttachedFile {
    Message(Vec<u8>),
    Text { text: Vec<u8>, form: Form, note: Option<Note> },
}

/// Returns the files of an attachment that has this name.
pub(crate) fn files(bytes: &[u8], name: &[u8], unpacking: &mut Unpacking) -> Vec<AttachedFile> {
    let mut all = Vec::new();
    let options = OpenOptions::new().unpack(unpacking.is_wanted);
    let budget = &mut unpacking.budget;
    let _ = options.each(&mut { bytes }, name, |path, entry| {
        let Ok(mut entry) = entry else {
            all.push(AttachedFile::Text { text: Vec::new(), form: Form::Other, note: Some(Note::Damaged) });
            return Ok(ControlFlow::Continue(()));
        };
        let (container, is_itself) = (entry.container(), path.is_empty());
        let mut text = Vec::new();
        let most = if is_itself { (*budget).max(bytes.len()) } else { *budget };
        let got = entry.by_ref().take(most as u64).read_to_end(&mut text);
        let is_more = text.len() == most && entry.read(&mut [0]).is_ok_and(|more| more > 0);
        // What lies in the message needs no room.
        *budget -= if is_itself && text.len() <= bytes.len() { 0 } else { text.len().min(*budget) };
        add(text, container, budget, &mut all);
        if is_more || got.is_err() {
            let note = Some(if is_more { Note::TooLong } else { Note::Damaged });
            all.push(AttachedFile::Text { text: Vec::new(), form: Form::Other, note });
        }
        Ok(if is_more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    all
}

/// Adds what a file holds.
fn add(bytes: Vec<u8>, container: Container, budget: &mut usize, all: &mut Vec<AttachedFile>) {
    let note = match container {
        Container::Message => return all.push(AttachedFile::Message(bytes)),
        Container::Pdf => return all.extend(of_pdf(&bytes, budget)),
        Container::Html => return all.push(AttachedFile::Text { text: bytes, form: Form::Html, note: None }),
        Container::Utf16 => {
            let text = charset::decode_utf16_file(&bytes);
            return all.push(AttachedFile::Text { text, form: Form::Other, note: None });
        }
        Container::Compressed(_) | Container::Zip => Some(Note::Packed),
        Container::Text | Container::Csv if charset::looks_like_text(&bytes[..bytes.len().min(SAMPLE)]) => None,
        _ => Some(Note::Attachment),
    };
    all.push(AttachedFile::Text { text: bytes, form: Form::Other, note });
}

const SAMPLE: usize = 4096;

/// Returns the texts of a PDF: its links, and its strings.
pub(crate) fn of_pdf(bytes: &[u8], budget: &mut usize) -> [AttachedFile; 2] {
    let pdf = pdf::read(bytes, budget);
    let note = Some(if pdf.is_cut { Note::PdfNotWhole } else { Note::PdfPages });
    [
        AttachedFile::Text { text: pdf.links, form: Form::References, note },
        AttachedFile::Text { text: pdf.strings, form: Form::Other, note },
    ]
}

//! Decodes the text of a body that is too long for memory, while it is read.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::{memchr_iter, memchr2_iter, memrchr};

use super::entity::{Entity, Folds};
use crate::archive::armor::Blocks;
use crate::archive::charset::{self, Charset, CharsetDecoder};
use crate::archive::encoding::Encoding;
use crate::archive::message::{Form, Note};
use crate::archive::rtf;
use crate::archive::stream_places::{StagePlaces, StreamPlaces};
use crate::archive::transfer::{TransferDecoder, base64, quoted_printable_text};
use crate::bytes::logical::Logical;
use crate::bytes::roll::{DamagedEnd, retry};

/// The maximum number of bytes per read.
const READ: usize = 64 << 10;
/// A line is decoded in several pieces if it is longer than this.
const LINE: usize = 1 << 20;
/// The maximum number of blanks after the `=` of a soft line break.
const BLANKS: usize = 256;

/// A step in the decoding of a text.
enum Stage {
    Transfer(TransferDecoder),
    Charset(CharsetDecoder),
    Folds(Folds),
}

impl Stage {
    /// Returns how many of these bytes can be decoded without the bytes that follow.
    fn cut(&self, bytes: &[u8]) -> usize {
        match self {
            // These decoders buffer the first bytes of a letter until its last bytes arrive.
            Stage::Charset(CharsetDecoder::Known(_)) => bytes.len(),
            // A paragraph ends with a line that has no blank at its end.
            Stage::Folds(Folds::Flowed { delsp: true }) => {
                let is_end = |&end: &usize| !bytes[..end].ends_with(b" ") && !bytes[..end].ends_with(b" \r");
                memchr_iter(b'\n', bytes).rev().find(is_end).map_or(0, |end| end + 1)
            }
            Stage::Folds(Folds::ContentLines) => {
                // A value of quoted-printable continues after `=`.
                let is_soft = |end: usize| bytes[..end].ends_with(b"=") || bytes[..end].ends_with(b"=\r");
                let is_end = |&end: &usize| match bytes.get(end + 1) {
                    _ if is_soft(end) => false,
                    Some(b'\n') => bytes[end] == b'\n',
                    next => next.is_some_and(|next| !matches!(next, b' ' | b'\t')),
                };
                memchr2_iter(b'\n', b'\r', bytes).rev().find(is_end).map_or(0, |end| end + 1)
            }
            Stage::Folds(Folds::Rtf(_)) => rtf::whole_len(bytes),
            Stage::Folds(Folds::Wide(file)) => file.whole_len(bytes),
            _ => memrchr(b'\n', bytes).map_or(0, |end| end + 1),
        }
    }

    /// Returns how many bytes of a very long line are decoded without its rest. Never cuts an
    /// escape of quoted-printable in two.
    fn cut_line(&self, bytes: &[u8]) -> usize {
        match self {
            Stage::Transfer(TransferDecoder::QuotedPrintable) => {
                let last = bytes.len().saturating_sub(BLANKS);
                memrchr(b'=', &bytes[last..]).map_or(bytes.len(), |at| last + at)
            }
            _ => bytes.len(),
        }
    }

    /// Decodes bytes whose first is at `source` of all that the stage decodes.
    fn push(&mut self, bytes: &[u8], source: usize, is_last: bool) -> Logical {
        let first = match self {
            Stage::Transfer(decoder) => decoder.pending(),
            Stage::Charset(decoder) => decoder.pending(),
            Stage::Folds(_) => None,
        };
        let mut text = Logical::from(first.unwrap_or(source).min(source));
        match self {
            Stage::Transfer(decoder) => decoder.push(bytes, source, is_last, &mut text),
            Stage::Charset(decoder) => decoder.push(bytes, source, is_last, &mut text),
            Stage::Folds(folds) => match folds.undo(bytes) {
                Some(unfolded) => text = unfolded.moved(source),
                None => text.append(bytes, source),
            },
        }
        text
    }
}

/// A reader that decodes the bytes of another reader.
struct Undone<'r> {
    reader: Box<dyn Read + 'r>,
    stage: Stage,
    /// Bytes that were read, but are not decoded yet. The first is at offset `source`.
    raw: Vec<u8>,
    source: usize,
    /// The decoded piece, which is at offset `base` of the decoded text.
    text: Vec<u8>,
    base: u64,
    places: Arc<Mutex<StagePlaces>>,
    /// The number of bytes of `text` that were already returned.
    given: usize,
    is_last: bool,
    is_damaged: bool,
}

impl Undone<'_> {
    fn refill(&mut self) -> io::Result<()> {
        let filled = self.raw.len();
        self.raw.resize(filled + READ, 0);
        let got = retry(|| self.reader.read(&mut self.raw[filled..]));
        self.raw.truncate(filled + *got.as_ref().unwrap_or(&0));
        match got {
            Ok(got) => self.is_last = got == 0,
            // The text before the damage is returned first, and then the error.
            Err(error) if DamagedEnd::is(&error) => (self.is_last, self.is_damaged) = (true, true),
            Err(error) => return Err(error),
        }
        let whole = match self.stage.cut(&self.raw) {
            _ if self.is_last => self.raw.len(),
            0 if self.raw.len() >= LINE => self.stage.cut_line(&self.raw),
            whole => whole,
        };
        self.base += self.text.len() as u64;
        self.text.clear();
        self.given = 0;
        if whole > 0 || self.is_last {
            let (text, map) = self.stage.push(&self.raw[..whole], self.source, self.is_last).into_parts();
            self.text = text;
            self.places.lock().unwrap_or_else(PoisonError::into_inner).add(self.base, map);
            self.raw.drain(..whole);
            self.source += whole;
        }
        Ok(())
    }
}

impl Read for Undone<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            if self.is_last {
                return if self.is_damaged { Err(DamagedEnd.into()) } else { Ok(0) };
            }
            self.refill()?;
        }
        let count = (self.text.len() - self.given).min(out.len());
        out[..count].copy_from_slice(&self.text[self.given..][..count]);
        self.given += count;
        Ok(count)
    }
}

/// A reader of a long text.
pub(crate) struct LongText<'r> {
    pub(crate) reader: Box<dyn Read + 'r>,
    /// The way back to the archive.
    pub(crate) places: StreamPlaces,
}

impl<'r> LongText<'r> {
    /// Reads a body as it is.
    pub(crate) fn raw(body: impl Read + 'r, places: StreamPlaces) -> Self {
        LongText { reader: Box::new(body), places }
    }

    /// Reads a body with its transfer encoding decoded, but not its charset. The body may be a
    /// message.
    pub(crate) fn transferred(entity: &Entity, body: impl Read + 'r, places: StreamPlaces) -> Self {
        let text = LongText::raw(body, places);
        match TransferDecoder::of(entity.encoding) {
            Some(decoder) => text.then(Stage::Transfer(decoder)),
            None => text,
        }
    }

    /// Reads a body as a reader of the mail sees it.
    pub(crate) fn decoded(
        entity: &Entity,
        form: Form,
        sample: &[u8],
        body: impl Read + 'r,
        places: StreamPlaces,
    ) -> Self {
        let mut text = LongText::transferred(entity, body, places);
        if let Some(decoder) = charset_of(entity, form, sample).1 {
            text = text.then(Stage::Charset(decoder));
        }
        match entity.folds_of(&decoded_sample(entity, sample)) {
            Some(folds) => text.then(Stage::Folds(folds)),
            None => text,
        }
    }

    /// Reads a file in UTF-16 that begins with a sample.
    pub(crate) fn utf16(sample: &[u8], body: impl Read + 'r, places: StreamPlaces) -> Self {
        let text = LongText::raw(body, places);
        match Charset::Utf16.decoder(sample, false) {
            Some(decoder) => text.then(Stage::Charset(decoder)),
            None => text,
        }
    }

    fn then(self, stage: Stage) -> Self {
        let mut places = self.places;
        let reader = Undone {
            reader: self.reader,
            stage,
            raw: Vec::new(),
            source: 0,
            text: Vec::new(),
            base: 0,
            places: places.add_stage(),
            given: 0,
            is_last: false,
            is_damaged: false,
        };
        LongText { reader: Box::new(reader), places }
    }
}

/// Returns a note on a problem that is detected before a long text is read.
pub(crate) fn note(entity: &Entity, form: Form, sample: &[u8]) -> Option<Note> {
    if entity.encoding == Encoding::Unknown {
        return Some(Note::UnknownEncoding);
    }
    if Blocks::of(&decoded_sample(entity, sample)).is_encrypted {
        return Some(Note::Pgp);
    }
    (charset_of(entity, form, sample).0 == Charset::Unknown).then_some(Note::UnknownCharset)
}

/// Returns the first bytes of a body without its transfer encoding.
pub(crate) fn decoded_sample(entity: &Entity, sample: &[u8]) -> Vec<u8> {
    match entity.encoding {
        Encoding::Base64 => base64::<Vec<u8>>(sample, 0).text,
        Encoding::QuotedPrintable => quoted_printable_text(sample),
        _ => sample.to_vec(),
    }
}

fn charset_of(entity: &Entity, form: Form, sample: &[u8]) -> (Charset, Option<CharsetDecoder>) {
    let sample = decoded_sample(entity, sample);
    let charset = match (entity.charset, form) {
        (Charset::Unnamed, Form::Html) => charset::of_html(&sample),
        (Charset::Unnamed, Form::Xml) => charset::of_xml(&sample),
        (charset, _) => charset,
    };
    let is_searchable = !entity.encoding.is_decoded() && !form.is_markup();
    (charset, charset.decoder(&sample, is_searchable))
}

//! The search of a file in UTF-16.
//!
//! The file is decoded while it is read, and searched as a stream of HTML, XML or text. A character
//! in UTF-8 determines its length in UTF-16. So every place can be converted to an offset in the
//! file.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::archive::charset;
use crate::archive::compress::HEAD;
use crate::archive::container::Container;
use crate::archive::html::{WINDOW, Windows};
use crate::archive::message::{Encoding, Form, Note, Part, Positions, utf16_units};
use crate::archive::mime::decoding::LongText;
use crate::archive::recognise::recognise;
use crate::bytes::roll::{RollingBuffer, retry};
use crate::drive::extractor::Extractor;
use crate::drive::lines::{Lines, Position};
use crate::drive::mail::html::{HtmlWindow, LinkBase};
use crate::drive::mail::part::PartSearch;
use crate::drive::matches::Match;
use crate::drive::place::{Context, CurrentMessage, Within};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::stream::Stream;
use crate::find::{Pause, RawMatch};

/// Searches a file whose first bytes are in a buffer.
pub(super) fn search(
    extractor: &Extractor,
    buffer: RollingBuffer<&mut dyn Read>,
    lines: Option<Lines>,
    sink: &mut dyn Sink,
) -> io::Result<Stats> {
    let bytes = buffer.bytes().to_vec();
    let (encoding, mark) = charset::utf16_of(&bytes);
    let form = match recognise(&charset::decode_utf16_file(&bytes[..bytes.len().min(HEAD)])) {
        Container::Html => Form::Html,
        Container::Xml => Form::Xml,
        _ => Form::Other,
    };
    let text = LongText::utf16(&bytes, BufferReader { buffer, at: 0 });
    let units = Cell::new(0);
    let reader = UnitCounter { reader: text.reader, units: &units };
    let message = CurrentMessage::page(&[]).header_only();
    let lines = lines.map(|lines| FileLines { lines: lines.restart(), start: mark });
    let parts = PartSearch::new(extractor, None, sink);
    let file = Utf16File { form, encoding, mark, units: &units };
    let mut search = Utf16Search { message, parts, file, lines };
    match form {
        Form::Other => search.text(extractor, reader)?,
        _ => search.html(extractor, reader)?,
    }
    Ok(search.parts.matches.stats)
}

/// The form and encoding of a file, and the count of its decoded units.
#[derive(Clone, Copy)]
struct Utf16File<'a> {
    form: Form,
    encoding: Encoding,
    /// The length of the byte order mark.
    mark: usize,
    /// The number of UTF-16 units decoded so far.
    units: &'a Cell<usize>,
}

impl Utf16File<'_> {
    /// Returns a window of the text as a part. `held` is the window and all decoded text after it.
    fn part<'t>(&self, held: &'t [u8], length: usize, base: u64) -> Part<'t> {
        let start = self.mark + 2 * (self.units.get() - utf16_units(held));
        let positions = Positions::in_utf16(start, &held[..length], base);
        Part { encoding: self.encoding, positions, ..Part::in_place(held, 0..length, self.form) }
    }
}

/// Searches one file.
struct Utf16Search<'a> {
    message: CurrentMessage<'a>,
    parts: PartSearch<'a>,
    file: Utf16File<'a>,
    lines: Option<FileLines>,
}

impl Utf16Search<'_> {
    /// Searches a text as a stream.
    fn text(&mut self, extractor: &Extractor, reader: impl Read) -> io::Result<()> {
        let options = extractor.options();
        let mut stream = Stream::new(extractor, RollingBuffer::new(reader, 0), 0, 0..u64::MAX, None);
        let (mut lines, file, message, sink) = (self.lines, self.file, &self.message, &mut *self.parts.sink);
        let found = stream.run(|matches, window, base, end| {
            let bytes = window.text;
            let part = file.part(bytes, bytes.len(), base);
            let context = Context::new(message, &part, Within::Text(0));
            let pause = matches.run(window, base, end, &mut |raw: RawMatch| {
                let position = lines.as_mut().map(|lines| lines.position(&part, base, raw.start));
                sink.add(&Match::in_archive(bytes, raw, position, options, &context));
                if sink.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if let (Some(lines), Pause::NeedMore { keep_from }) = (&mut lines, &pause) {
                lines.advance(&part, base, *keep_from);
            }
            pause
        });
        self.parts.matches.stats += stream.stats();
        found.map(|_| ())
    }

    /// Searches HTML or XML, window by window.
    fn html(&mut self, extractor: &Extractor, reader: impl Read) -> io::Result<()> {
        let options = extractor.options();
        let mut buffer = RollingBuffer::new(reader, 0);
        let mut windows = Windows::new(self.file.form == Form::Xml);
        let mut size = WINDOW;
        let (mut lines, mut noted) = (self.lines, None);
        while !self.parts.sink.is_full() {
            // One more byte shows whether the input ends here.
            buffer.fill(size + 1)?;
            let held = buffer.held();
            let Some(html) = windows.next(held.bytes(), buffer.is_last) else {
                size *= 2;
                continue;
            };
            let (length, base) = (html.length, held.base);
            if length == 0 {
                break;
            }
            let is_damaged = held.is_damaged() && length == held.bytes().len();
            let part = self.file.part(held.bytes(), length, base);
            let base_url = LinkBase::of(self.parts.base.as_deref(), &part, windows.base(), &html.bases);
            if base_url.is_too_long {
                self.parts.note(&self.message, None, Note::LongBase, &mut noted);
            }
            let window = HtmlWindow { html: &html, source: &part.text, at: 0, base: base_url };
            let (message, sink) = (&self.message, &mut *self.parts.sink);
            window.each_match(is_damaged, &mut self.parts.matches, options, |within, text, raw| {
                let context = Context::new(message, &part, within);
                let at = context.in_part(raw.start..raw.start).start;
                let position = lines.as_mut().map(|lines| lines.position(&part, base, at));
                sink.add(&Match::in_archive(text, raw, position, options, &context));
            });
            if let Some(lines) = &mut lines {
                lines.advance(&part, base, length);
            }
            buffer.drop_front(length);
            size = WINDOW;
        }
        Ok(())
    }
}

/// The count of the text's lines, and the start of the current line in the file.
#[derive(Clone, Copy)]
struct FileLines {
    lines: Lines,
    /// Offset in the file of the line up to which lines are counted.
    start: usize,
}

impl FileLines {
    /// Counts the lines up to an offset of a window. The window begins at or before the end of the
    /// count so far.
    fn advance(&mut self, part: &Part<'_>, base: u64, to: usize) {
        let from = self.lines.counted().saturating_sub(base) as usize;
        if let Some(end) = part.text.get(from..to).and_then(|new| memchr::memrchr(b'\n', new)) {
            self.start = part.positions.offset(from + end + 1);
        }
        self.lines.advance(&part.text, base, base + to as u64);
    }

    fn position(&mut self, part: &Part<'_>, base: u64, at: usize) -> Position {
        self.advance(part, base, at);
        let Position { line, .. } = self.lines.position(&part.text, base, base + at as u64);
        Position { line, column: (part.positions.offset(at) - self.start) as u64 + 1 }
    }
}

/// A reader of the bytes in a buffer, then of the rest of its input.
struct BufferReader<'r> {
    buffer: RollingBuffer<&'r mut dyn Read>,
    /// The number of buffered bytes that were returned.
    at: usize,
}

impl Read for BufferReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut rest = &self.buffer.bytes()[self.at..];
        if rest.is_empty() {
            return self.buffer.reader.read(out);
        }
        let count = rest.read(out)?;
        self.at += count;
        Ok(count)
    }
}

/// A reader that counts the UTF-16 units of the text it passes on.
struct UnitCounter<'u, R> {
    reader: R,
    units: &'u Cell<usize>,
}

impl<R: Read> Read for UnitCounter<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = retry(|| self.reader.read(out))?;
        self.units.set(self.units.get() + utf16_units(&out[..count]));
        Ok(count)
    }
}

//! The search of a message that is too long to hold in memory.
//!
//! Parts that fit in memory are searched like the parts of any message. A longer text is decoded
//! while it is read, and searched as a stream. So is a file in UTF-16.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::charset;
use crate::archive::compress::HEAD;
use crate::archive::encoding::Encoding;
use crate::archive::header;
use crate::archive::html::{WINDOW, Windows};
use crate::archive::message::{Form, Note, Part};
use crate::archive::mime::decoding::{self, LongText};
use crate::archive::mime::long::{Around, LongBody, LongMessage, LongStep};
use crate::archive::recognise::recognise;
use crate::archive::stream_places::{PassedLines, StreamPlaces, Utf16LineStarts};
use crate::archive::text_source::{OuterSource, TextSource};
use crate::archive::transfer::foreign_lines;
use crate::archive::{Container, Foreign};
use crate::bytes::roll::RollingBuffer;
use crate::drive::extractor::Extractor;
use crate::drive::lines::{Lines, Position};
use crate::drive::mail::html::{HtmlWindow, LinkBase};
use crate::drive::mail::messages::OversizeMessage;
use crate::drive::mail::part::PartSearch;
use crate::drive::matches::Match;
use crate::drive::place::Within;
use crate::drive::place::{Context, CurrentMessage, MessageLines};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::stream::Stream;
use crate::find::RawMatch;

/// The search of one message or page. A full sink ends this search, because nothing more is wanted
/// then.
pub(super) struct LongSearch<'a> {
    extractor: &'a Extractor,
    message: &'a CurrentMessage<'a>,
    parts: PartSearch<'a>,
    /// The count of lines up to the start of the window.
    lines: &'a Cell<Option<Lines>>,
    /// The count of lines up to the current part.
    now: Option<Lines>,
    /// The long body that is decoded and holds the current message, and the count of lines up to
    /// that body.
    around: Option<(Arc<StreamPlaces>, Option<Lines>)>,
    noted: Option<(Note, Option<String>)>,
}

/// Searches a message, or a page if `message` is `None`, and counts its lines. `buffer` holds its
/// first bytes.
pub(super) fn search(
    extractor: &Extractor,
    buffer: RollingBuffer<&mut dyn Read>,
    container: Container,
    message: Option<OversizeMessage>,
    lines: Option<Lines>,
    sink: &mut dyn Sink,
) -> io::Result<(Stats, Option<Lines>)> {
    let from = message.map(|OversizeMessage { base, message, .. }| (message - base) as usize);
    let header = from.map_or_else(Vec::new, |from| {
        let (end, _) = header::extent(buffer.bytes(), from, |_| false);
        buffer.bytes()[from..end].to_vec()
    });
    let current = match message {
        Some(OversizeMessage { base, number, .. }) if container == Container::Warc => {
            CurrentMessage::new(&header, 0, base, number, false).record()
        }
        Some(OversizeMessage { base, number, .. }) => CurrentMessage::new(&header, 0, base, number, false),
        None => CurrentMessage::page(&header),
    }
    .header_only();
    let lines = Cell::new(lines);
    let count = |bytes: &[u8], at: u64| {
        lines.set(lines.get().map(|mut lines| {
            lines.advance(bytes, at, at + bytes.len() as u64);
            lines
        }));
    };
    let parts = PartSearch::new(extractor, None, sink);
    let mut search =
        LongSearch { extractor, message: &current, parts, lines: &lines, now: None, around: None, noted: None };
    search.parts.matches.stats.messages += u64::from(message.is_some());
    search.run(&mut match from {
        Some(from) => LongMessage::new(buffer, from, &count),
        None => LongMessage::page(container, buffer, &count),
    })?;
    Ok((search.parts.matches.stats, lines.get()))
}

/// Searches a file in UTF-16 whose first bytes are in a buffer.
pub(super) fn search_utf16(
    extractor: &Extractor,
    buffer: RollingBuffer<&mut dyn Read>,
    lines: Option<Lines>,
    sink: &mut dyn Sink,
) -> io::Result<Stats> {
    let sample = buffer.bytes().to_vec();
    let (encoding, mark) = charset::utf16_of(&sample);
    let form = match recognise(&charset::decode_utf16_file(&sample[..sample.len().min(HEAD)])) {
        Container::Html => Form::Html,
        Container::Xml => Form::Xml,
        _ => Form::Other,
    };
    let message = CurrentMessage::page(&[]).header_only();
    let lines = Cell::new(lines.map(|lines| lines.restart_at(mark as u64)));
    let parts = PartSearch::new(extractor, None, sink);
    let mut search =
        LongSearch { extractor, message: &message, parts, lines: &lines, now: None, around: None, noted: None };
    let mut places = StreamPlaces::of_body(0, None);
    let passed = lines.get().map(|_| places.count_lines());
    let file = io::Cursor::new(&sample[..]).chain(buffer.reader);
    let file = Utf16Reader { file, starts: Utf16LineStarts::new(encoding), lines: passed };
    let text = LongText::utf16(&sample, file, places);
    let head = Head { number: None, content_type: None, encoding, note: None, bases: Vec::new(), start: 0 };
    match form {
        Form::Other => search.text(&head, text)?,
        _ => search.html(&head, form, text)?,
    }
    Ok(search.parts.matches.stats)
}

/// A reader of a file in UTF-16 that records where its lines begin.
struct Utf16Reader<R> {
    file: R,
    starts: Utf16LineStarts,
    lines: Option<Arc<Mutex<PassedLines>>>,
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(out)?;
        if let Some(lines) = &self.lines {
            lines.lock().unwrap_or_else(PoisonError::into_inner).add(self.starts.of_next(&out[..count]));
        }
        Ok(count)
    }
}

impl LongSearch<'_> {
    fn run(&mut self, message: &mut LongMessage<'_, '_>) -> io::Result<()> {
        while !self.parts.sink.is_full() {
            match message.advance(|part, around| self.whole(&part, around))? {
                LongStep::Parts => {}
                LongStep::Long(body) => {
                    self.long(message, &body)?;
                    while message.next_piece()? {}
                }
                LongStep::End => break,
            }
        }
        Ok(())
    }

    /// Searches a part that is in memory.
    fn whole(&mut self, part: &Part<'_>, Around { bytes, base, is_cut }: Around<'_>) {
        if let Some(note) = part.note {
            self.parts.note(self.message, part.number.as_deref(), note, &mut self.noted);
        }
        if let Some((places, lines)) = self.around.clone() {
            let mut lines = lines.map(|lines| MessageLines::passed(&places, lines));
            return self.parts.part(self.message, part, is_cut, None, &mut lines);
        }
        // The lines between base64 lines come before the part that holds them.
        let start = (part.body.start as u64).max(base);
        let counted = self.now.filter(|now| (base..=start).contains(&now.counted())).or(self.lines.get());
        let mut lines = counted.map(|mut lines| {
            lines.advance(bytes, base, start);
            MessageLines::new(bytes, base, lines)
        });
        self.parts.part(self.message, part, is_cut, None, &mut lines);
        self.now = lines.map(|lines| lines.counted());
    }

    /// Returns the places of a body that is not decoded yet, and where its reader records its lines.
    fn places_of(&self, body: &LongBody) -> (StreamPlaces, Option<Arc<Mutex<PassedLines>>>) {
        let outer = self.around.as_ref().map(|(places, _)| Arc::clone(places));
        let counts = outer.is_none() && self.lines.get().is_some();
        let mut places = StreamPlaces::of_body(body.start, outer);
        let lines = counts.then(|| places.count_lines());
        (places, lines)
    }

    /// Searches a body that is too long to hold in memory.
    fn long(&mut self, message: &mut LongMessage<'_, '_>, body: &LongBody) -> io::Result<()> {
        let (places, lines) = self.places_of(body);
        let entity = match &body.kind {
            Ok(entity) => entity,
            Err(kind) => {
                let head = Head::new(body, kind.clone(), Encoding::SevenBit, None);
                return self.text(&head, LongText::raw(message.body(None), places));
            }
        };
        let sample = message.sample().to_vec();
        if entity.is_sealed() {
            self.parts.note(self.message, body.number.as_deref(), Note::Sealed, &mut self.noted);
        }
        let kind = Some(entity.kind().to_string());
        let Some(form) = entity.form(&sample) else {
            if self.message.is_record || entity.is_media() {
                let note = if entity.is_media() { Note::Media } else { Note::NoText };
                self.parts.note(self.message, body.number.as_deref(), note, &mut self.noted);
            }
            let foreign = Foreign::of(&decoding::decoded_sample(entity, &sample));
            let is_database = foreign.is_some_and(Foreign::is_in_pages);
            if is_database {
                self.parts.note(self.message, body.number.as_deref(), Note::Database, &mut self.noted);
            }
            if self.message.is_record || entity.is_media() || entity.is_sealed() || is_database {
                return self.foreign(message, body, entity.encoding);
            }
            let note = if foreign == Some(Foreign::Tnef) { Note::Tnef } else { Note::Attachment };
            let head = Head::new(body, kind, entity.encoding, Some(note));
            return self.text(&head, LongText::transferred(entity, message.body(lines), places));
        };
        if entity.is_message() {
            let may_decode = message.may_decode();
            let head = Head::new(body, kind, entity.encoding, Some(Note::TooDeep));
            let LongText { mut reader, places } = LongText::transferred(entity, message.body(lines), places);
            let places = Arc::new(places);
            return match LongMessage::inner(body, entity.encoding, may_decode, &mut reader, Arc::clone(&places)) {
                Some(mut inner) => {
                    let counted = self.around.as_ref().map_or(self.lines.get(), |(_, lines)| *lines);
                    let around = self.around.replace((places, counted));
                    let searched = self.run(&mut inner);
                    self.around = around;
                    searched
                }
                None => self.stream(&head, reader, places),
            };
        }
        let note = decoding::note(entity, form, &sample);
        let head = Head::new(body, kind, entity.encoding, note);
        let text = LongText::decoded(entity, form, &sample, message.body(lines), places);
        match form {
            Form::Html | Form::Xml => self.html(&head, form, text),
            _ => self.text(&head, text),
        }
    }

    /// Searches the lines of text that stand between the base64 lines of an attachment.
    fn foreign(&mut self, message: &mut LongMessage<'_, '_>, body: &LongBody, encoding: Encoding) -> io::Result<()> {
        while encoding == Encoding::Base64 && message.next_piece()? && !self.parts.sink.is_full() {
            let (bytes, base) = message.piece();
            for lines in foreign_lines(bytes) {
                let mut part = Part::in_place(bytes, lines, Form::Plain);
                let (number, note) = (body.number.clone(), Some(Note::BadBase64));
                (part.number, part.note) = (number, note);
                part = Part { content_type: body.kind.as_ref().ok().map(|entity| entity.kind().to_string()), ..part };
                part.source = part.source.shift(base as usize);
                if let Some((places, _)) = &self.around {
                    part.source = part.source.within(&OuterSource::Stream(Arc::clone(places)));
                }
                part.body = part.body.start + base as usize..part.body.end + base as usize;
                self.whole(&part, Around { bytes, base, is_cut: false });
            }
        }
        Ok(())
    }

    /// Searches a text as a stream.
    fn text(&mut self, head: &Head, text: LongText<'_>) -> io::Result<()> {
        self.stream(head, text.reader, Arc::new(text.places))
    }

    fn stream(&mut self, head: &Head, reader: impl Read, places: Arc<StreamPlaces>) -> io::Result<()> {
        self.note(head);
        let text = self.window_source(head, places);
        let options = self.extractor.options();
        let (message, sink) = (self.message, &mut *self.parts.sink);
        let buffer = RollingBuffer::new(reader, text.start());
        let mut stream = Stream::new(self.extractor, buffer, 0, 0..u64::MAX, text.own_lines());
        let found = stream.run(|matches, window, base, end| {
            let bytes = window.text;
            // Enclosed messages are not recognised, because one could begin in any window.
            let part = head.part(bytes, Form::Other, text.window(base));
            let context = Context::new(message, &part, Within::Text(0));
            let mut lines = matches.lines;
            let pause = matches.run(window, base, end, &mut |raw: RawMatch| {
                let own = lines.as_mut().map(|lines| lines.position(bytes, base, base + raw.start as u64));
                let position = own.or_else(|| text.position(&context, raw.start));
                sink.add(&Match::in_archive(bytes, raw, position, options, &context));
                if sink.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            matches.lines = lines;
            pause
        });
        self.parts.matches.stats += stream.stats();
        found.map(|_| ())
    }

    /// Searches HTML or XML, window by window.
    fn html(&mut self, head: &Head, form: Form, text: LongText<'_>) -> io::Result<()> {
        self.note(head);
        let (reader, text) = (text.reader, self.window_source(head, Arc::new(text.places)));
        let mut lines = text.own_lines();
        let (options, message) = (self.extractor.options(), self.message);
        let mut buffer = RollingBuffer::new(reader, text.start());
        let mut windows = Windows::new(form == Form::Xml);
        let mut size = WINDOW;
        while !self.parts.sink.is_full() {
            // One more byte shows whether the input ends here.
            buffer.fill(size + 1)?;
            let held = buffer.held();
            let Some(html) = windows.next(held.bytes(), buffer.is_last) else {
                size *= 2;
                continue;
            };
            let (bytes, base, length) = (&held.bytes()[..html.length], held.base, html.length);
            if length == 0 {
                break;
            }
            let is_damaged = held.is_damaged() && length == held.bytes().len();
            let part = head.part(bytes, form, text.window(base));
            let base_url = LinkBase::of(self.parts.base.as_deref(), &part, windows.base(), &html.bases);
            if base_url.is_too_long {
                self.parts.note(message, head.number.as_deref(), Note::LongBase, &mut self.noted);
            }
            let window = HtmlWindow { html: &html, source: bytes, at: 0, base: base_url };
            let (sink, mut now) = (&mut *self.parts.sink, lines);
            window.each_match(is_damaged, &mut self.parts.matches, options, |within, shown, raw| {
                let context = Context::new(message, &part, within);
                // Matches come in the order of the source.
                let at = context.span(raw.start..raw.start + 1).start;
                let own = now.as_mut().map(|now| now.position(bytes, base, at));
                let position = own.or_else(|| text.position(&context, raw.start));
                sink.add(&Match::in_archive(shown, raw, position, options, &context));
            });
            if let Some(lines) = &mut lines {
                lines.advance(bytes, base, base + length as u64);
            }
            buffer.drop_front(length);
            size = WINDOW;
        }
        Ok(())
    }

    fn note(&mut self, head: &Head) {
        if let Some(note) = head.note {
            self.parts.note(self.message, head.number.as_deref(), note, &mut self.noted);
        }
    }

    /// Returns the source of the windows of a text.
    fn window_source(&self, head: &Head, places: Arc<StreamPlaces>) -> WindowSource {
        let counted = self.around.as_ref().map_or(self.lines.get(), |(_, lines)| *lines);
        WindowSource { places, start: head.start, counted }
    }
}

/// The source of the windows of a long text.
struct WindowSource {
    places: Arc<StreamPlaces>,
    /// The offset of the body in its message.
    start: u64,
    /// The count of lines up to the outermost body.
    counted: Option<Lines>,
}

impl WindowSource {
    /// Returns the offset of the first window. The offsets of a decoded text are its own.
    fn start(&self) -> u64 {
        if self.places.is_decoded() { 0 } else { self.start }
    }

    /// Returns the count of lines that the search itself goes on with, if the text is not decoded.
    fn own_lines(&self) -> Option<Lines> {
        self.counted.filter(|_| !self.places.is_decoded())
    }

    /// Returns the source of the window at an offset. The places before it are forgotten.
    fn window(&self, base: u64) -> TextSource<'static> {
        self.places.forget(base);
        let source = TextSource::in_place(base as usize);
        match self.places.is_decoded() {
            true => source.in_window(base).within(&OuterSource::Stream(Arc::clone(&self.places))),
            false => source,
        }
    }

    /// Returns the position of an offset of a decoded text.
    fn position(&self, context: &Context<'_>, at: usize) -> Option<Position> {
        let offset = context.span(at..at + 1).start;
        self.counted.map(|lines| lines.position_after(self.places.lines_before(offset), offset))
    }
}

/// The properties that all windows of a long text share.
struct Head {
    number: Option<String>,
    content_type: Option<String>,
    encoding: Encoding,
    note: Option<Note>,
    bases: Vec<Vec<u8>>,
    start: u64,
}

impl Head {
    fn new(body: &LongBody, content_type: Option<String>, encoding: Encoding, note: Option<Note>) -> Head {
        Head {
            number: body.number.clone(),
            content_type,
            encoding,
            note: note.or(body.note),
            bases: body.bases.clone(),
            start: body.start,
        }
    }

    /// Returns a window of the text as a part.
    fn part<'t>(&self, text: &'t [u8], form: Form, source: TextSource<'t>) -> Part<'t> {
        Part {
            number: self.number.clone(),
            content_type: self.content_type.clone(),
            encoding: self.encoding,
            note: self.note,
            source,
            body: 0..0,
            bases: self.bases.clone(),
            ..Part::in_place(text, 0..text.len(), form)
        }
    }
}

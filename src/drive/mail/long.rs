//! The search of a message that is too long to hold in memory.
//!
//! Parts that fit in memory are searched like the parts of any message. A longer text is decoded
//! while it is read, and searched as a stream. If the text needs no decoding, its offsets count
//! from the start of the input. Otherwise they count from the start of the decoded part.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::archive::header;
use crate::archive::html::{WINDOW, Windows};
use crate::archive::message::{Encoding, Form, Note, OffsetBase, Part, Positions};
use crate::archive::mime::decoding::{self, LongText};
use crate::archive::mime::long::{Around, LongBody, LongMessage, LongStep};
use crate::archive::transfer::foreign_lines;
use crate::archive::{Container, Foreign};
use crate::bytes::roll::RollingBuffer;
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
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
    let mut search = LongSearch { extractor, message: &current, parts, lines: &lines, now: None, noted: None };
    search.parts.matches.stats.messages += u64::from(message.is_some());
    search.run(&mut match from {
        Some(from) => LongMessage::new(buffer, from, &count),
        None => LongMessage::page(container, buffer, &count),
    })?;
    Ok((search.parts.matches.stats, lines.get()))
}

impl LongSearch<'_> {
    fn run(&mut self, message: &mut LongMessage<'_, '_>) -> io::Result<()> {
        let is_decoded = message.is_decoded();
        while !self.parts.sink.is_full() {
            match message.advance(|part, around| self.whole(&part, around, is_decoded))? {
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
    fn whole(&mut self, part: &Part<'_>, Around { bytes, base, is_cut }: Around<'_>, is_decoded: bool) {
        if let Some(note) = part.note {
            self.parts.note(self.message, part.number.as_deref(), note, &mut self.noted);
        }
        // The lines of a decoded message are counted in the part.
        let counted = self.now.filter(|now| now.counted() >= base && !is_decoded).or(self.lines.get());
        let mut lines = counted.map(|mut lines| {
            if !is_decoded {
                lines.advance(bytes, base, (part.body.start as u64).max(base));
            }
            MessageLines::new(bytes, base, lines)
        });
        self.parts.part(self.message, part, is_cut, None, &mut lines);
        self.now = lines.map(|lines| lines.counted());
    }

    /// Searches a body that is too long to hold in memory.
    fn long(&mut self, message: &mut LongMessage<'_, '_>, body: &LongBody) -> io::Result<()> {
        let entity = match &body.kind {
            Ok(entity) => entity,
            Err(kind) => {
                let head = Head::new(body, kind.clone(), Encoding::SevenBit, None, message);
                return self.text(&head, LongText::raw(message.body()));
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
            let head = Head::new(body, kind, entity.encoding, Some(note), message);
            return self.text(&head, LongText::transferred(entity, message.body()));
        };
        if entity.is_message() {
            let may_decode = message.may_decode();
            let head = Head::new(body, kind, entity.encoding, Some(Note::TooDeep), message);
            let mut text = LongText::transferred(entity, message.body());
            return match LongMessage::inner(body, entity.encoding, may_decode, &mut text.reader) {
                Some(mut inner) => self.run(&mut inner),
                None => self.text(&head, text),
            };
        }
        let note = decoding::note(entity, form, &sample);
        let head = Head::new(body, kind, entity.encoding, note, message);
        let text = LongText::decoded(entity, form, &sample, message.body());
        match form {
            Form::Html | Form::Xml => self.html(&head, form, text),
            _ => self.text(&head, text),
        }
    }

    /// Searches the lines of text that stand between the base64 lines of an attachment.
    fn foreign(&mut self, message: &mut LongMessage<'_, '_>, body: &LongBody, encoding: Encoding) -> io::Result<()> {
        let is_decoded = message.is_decoded();
        while encoding == Encoding::Base64 && message.next_piece()? && !self.parts.sink.is_full() {
            let (bytes, base) = message.piece();
            for lines in foreign_lines(bytes) {
                let mut part = Part::in_place(bytes, lines, Form::Plain);
                let (number, note) = (body.number.clone(), Some(Note::BadBase64));
                (part.number, part.note) = (number, note);
                part = Part { content_type: body.kind.as_ref().ok().map(|entity| entity.kind().to_string()), ..part };
                let positions = if is_decoded { OffsetBase::Decoded } else { OffsetBase::Source };
                part.positions = part.positions.shift(base as usize, positions);
                part.body = part.body.start + base as usize..part.body.end + base as usize;
                self.whole(&part, Around { bytes, base, is_cut: false }, is_decoded);
            }
        }
        Ok(())
    }

    /// Searches a text as a stream.
    fn text(&mut self, head: &Head, text: LongText<'_>) -> io::Result<()> {
        self.note(head);
        let (positions, start, lines) = self.origin(head, &text);
        let options = self.extractor.options();
        let (message, sink) = (self.message, &mut *self.parts.sink);
        let mut stream = Stream::new(self.extractor, RollingBuffer::new(text.reader, start), 0, 0..u64::MAX, lines);
        let found = stream.run(|matches, window, base, end| {
            let bytes = window.text;
            // Enclosed messages are not recognised, because one could begin in any window.
            let part = head.part(bytes, Form::Other, Positions::in_place(0).shift(base as usize, positions));
            let context = Context::new(message, &part, Within::Text(0));
            let mut lines = matches.lines;
            let pause = matches.run(window, base, end, &mut |raw: RawMatch| {
                let position = lines.as_mut().map(|lines| lines.position(bytes, base, base + raw.start as u64));
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
        let (positions, start, mut lines) = self.origin(head, &text);
        let (options, message) = (self.extractor.options(), self.message);
        let mut buffer = RollingBuffer::new(text.reader, start);
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
            let part = head.part(bytes, form, Positions::in_place(0).shift(base as usize, positions));
            let base_url = LinkBase::of(self.parts.base.as_deref(), &part, windows.base(), &html.bases);
            if base_url.is_too_long {
                self.parts.note(message, head.number.as_deref(), Note::LongBase, &mut self.noted);
            }
            let window = HtmlWindow { html: &html, source: bytes, at: 0, base: base_url };
            let (sink, mut now) = (&mut *self.parts.sink, lines);
            window.each_match(is_damaged, &mut self.parts.matches, options, |within, text, raw| {
                let context = Context::new(message, &part, within);
                // Matches come in the order of the source.
                let at = context.span(raw.start..raw.start).start;
                let position = now.as_mut().map(|now| now.position(bytes, base, at));
                sink.add(&Match::in_archive(text, raw, position, options, &context));
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

    /// Returns the base of a text's offsets, the offset of its start, and the count of lines before
    /// it.
    fn origin(&self, head: &Head, text: &LongText<'_>) -> (OffsetBase, u64, Option<Lines>) {
        match (head.is_decoded, text.is_in_place) {
            (false, true) => (OffsetBase::Source, head.start, self.lines.get()),
            (true, true) => {
                (OffsetBase::Decoded, head.start, self.lines.get().map(|lines| lines.restart_at(head.start)))
            }
            (_, false) => (OffsetBase::Decoded, 0, self.lines.get().map(Lines::restart)),
        }
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
    /// The message was encoded as a whole.
    is_decoded: bool,
}

impl Head {
    fn new(
        body: &LongBody,
        content_type: Option<String>,
        encoding: Encoding,
        note: Option<Note>,
        message: &LongMessage<'_, '_>,
    ) -> Head {
        let is_decoded = message.is_decoded();
        Head {
            number: body.number.clone(),
            content_type,
            encoding,
            note: note.or(body.note),
            bases: body.bases.clone(),
            start: body.start,
            is_decoded,
        }
    }

    /// Returns a window of the text as a part.
    fn part<'t>(&self, text: &'t [u8], form: Form, positions: Positions) -> Part<'t> {
        Part {
            number: self.number.clone(),
            content_type: self.content_type.clone(),
            encoding: self.encoding,
            note: self.note,
            positions,
            body: 0..0,
            bases: self.bases.clone(),
            ..Part::in_place(text, 0..text.len(), form)
        }
    }
}

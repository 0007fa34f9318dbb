//! The search of a batch of messages, one message and one part at a time.
//!
//! Most messages of old archives need no decoding. Their header and body are searched in place.

use std::borrow::Cow;
use std::mem;
use std::ops::{Range, RangeInclusive};

use crate::archive::Container;
use crate::archive::armor;
use crate::archive::charset;
use crate::archive::header;
use crate::archive::html::begins_as_page;
use crate::archive::inline;
use crate::archive::message::{Form, Part};
use crate::archive::mime;
use crate::archive::partial;
use crate::archive::pruned::Pruned;
use crate::archive::recognise::is_message;
use crate::archive::reply;
use crate::archive::restored::Restored;
use crate::archive::split::enclosed::stuffed;
use crate::archive::split::{Length, Piece};
use crate::archive::stream_places::StreamPlaces;
use crate::archive::text_source::DecodingStep;
use crate::archive::warc;
use crate::bytes::logical::Logical;
use crate::bytes::simd::Backend;
use crate::bytes::source_map::SourceMap;
use crate::drive::extractor::Extractor;
use crate::drive::mail::messages::MessageBatch;
use crate::drive::mail::part::PartSearch;
use crate::drive::place::{CurrentMessage, MessageLines};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::find::{Anchors, Window};

/// Searches the messages of a batch, and passes the matches to a sink.
pub(super) struct BatchSearch<'a> {
    extractor: &'a Extractor,
    batch: &'a MessageBatch,
    candidates: Candidates<'a>,
    parts: PartSearch<'a>,
    unstuffed: Unstuffed,
}

/// Reused buffers for a body with `From ` marks: the text without its marks, and its map. New
/// buffers for each body cost 5% of the instructions, in a mailbox with marks in every other
/// message (2026-11).
type Unstuffed = (Vec<u8>, SourceMap);

impl<'a> BatchSearch<'a> {
    pub(super) fn new(extractor: &'a Extractor, batch: &'a MessageBatch, sink: &'a mut dyn Sink) -> Self {
        let anchors = Anchors::new(extractor.options());
        let candidates = Candidates { bytes: batch.text.bytes(), anchors, next: None };
        let parts = PartSearch::new(extractor, batch.lines, sink);
        BatchSearch { extractor, batch, candidates, parts, unstuffed: Unstuffed::default() }
    }

    pub(super) fn run(mut self) -> Stats {
        let batch = self.batch;
        let mut pieces = &batch.pieces[..];
        while let [piece, rest @ ..] = pieces {
            pieces = rest;
            if rest.first().is_some_and(|next| next.continues)
                && let Some(count) = self.joined(piece, rest)
            {
                pieces = &rest[count..];
                continue;
            }
            let text = &batch.text.bytes()[piece.message.clone()];
            let is_damaged = batch.text.is_damaged() && piece.message.end == batch.text.bytes().len();
            let window = Window { is_damaged, ..Window::all(text) };
            match batch.container {
                container if container.is_page() => self.file(window, mime::page(text, container)),
                Container::Pdf => self.file(window, mime::pdf(text)),
                Container::Message => self.message(piece, window, None),
                Container::Warc if !piece.separator.is_empty() => self.record(piece, window),
                _ if piece.separator.is_empty() && !is_message(text) => {
                    self.text(window, batch.text.base + piece.message.start as u64);
                }
                _ => self.message(piece, window, None),
            }
        }
        self.parts.matches.stats
    }

    /// Searches a message that was sent in several pieces, of which `piece` is the first. Returns
    /// how many pieces follow the first, or `None` if the pieces do not form one message.
    fn joined(&mut self, piece: &Piece, rest: &[Piece]) -> Option<usize> {
        let bytes = self.batch.text.bytes();
        let later = rest.iter().take_while(|next| next.continues);
        let messages = std::iter::once(piece).chain(later).map(|piece| piece.message.clone());
        let (count, restored) = partial::join(bytes, messages)?;
        let later = &rest[..count - 1];
        let end = later.last().unwrap_or(piece).message.end;
        let stuffed = || std::iter::once(piece).chain(later).filter_map(|piece| piece.stuffed.clone());
        let marks = stuffed().next().zip(stuffed().next_back());
        let whole = Piece {
            message: piece.message.start..end,
            stuffed: marks.map(|(first, last)| *first.start()..=*last.end()),
            ..piece.clone()
        };
        let is_damaged = self.batch.text.is_damaged() && end == bytes.len();
        let window = Window { is_damaged, ..Window::all(&bytes[whole.message.clone()]) };
        self.message(&whole, window, Some(restored));
        let stats = &mut self.parts.matches.stats;
        stats.messages += later.len() as u64;
        stats.false_lengths += later.iter().filter(|piece| piece.length == Length::Ignored).count() as u64;
        Some(later.len())
    }

    /// Searches the text before the first message.
    fn text(&mut self, text: Window<'_>, base: u64) {
        self.count_lines(base);
        self.parts.text(text, base);
    }

    /// Searches the parts of an input that is a single file, such as an HTML page.
    fn file<'t>(&mut self, Window { text: bytes, is_damaged, .. }: Window<'t>, parts: impl Iterator<Item = Part<'t>>) {
        let message = CurrentMessage::page(bytes);
        let mut lines = self.parts.matches.lines.map(|lines| MessageLines::new(bytes, 0, lines));
        let mut noted = None;
        for part in parts {
            if let Some(note) = part.note {
                self.parts.note(&message, None, note, &mut noted);
            }
            self.parts.part(&message, &part, is_damaged, None, &mut lines);
        }
    }

    /// Searches a record of a web archive.
    fn record(&mut self, piece: &Piece, Window { text: bytes, is_damaged, .. }: Window<'_>) {
        self.parts.matches.stats.messages += 1;
        self.parts.matches.stats.false_lengths += u64::from(piece.length == Length::Ignored);
        let text = &self.batch.text;
        let base = text.base + piece.message.start as u64;
        self.count_lines(base);
        let mut lines = self.parts.matches.lines.map(|lines| MessageLines::new(text.bytes(), text.base, lines));
        let offset = text.base + piece.separator.start as u64;
        let message = CurrentMessage::new(bytes, base, offset, piece.number, false).record();
        let mut noted = None;
        for part in warc::parts(bytes) {
            if let Some(note) = part.note {
                self.parts.note(&message, part.number.as_deref(), note, &mut noted);
            }
            let is_cut = is_damaged && part.body.end == bytes.len();
            self.parts.part(&message, &part, is_cut, None, &mut lines);
        }
    }

    fn count_lines(&mut self, offset: u64) {
        if let Some(lines) = &mut self.parts.matches.lines {
            lines.advance(self.batch.text.bytes(), self.batch.text.base, offset);
        }
    }

    /// Searches a message. `joined` is the complete text of a message that was sent in pieces.
    fn message(&mut self, piece: &Piece, Window { text: bytes, is_damaged, .. }: Window<'_>, joined: Option<Restored>) {
        self.parts.matches.stats.messages += 1;
        self.parts.matches.stats.false_lengths += u64::from(piece.length == Length::Ignored);
        let backend = self.extractor.options().backend;
        let plain_body = piece.plain_body.or_else(|| header::plain_body(bytes, backend));
        debug_assert_eq!(plain_body, header::plain_body(bytes, backend), "the splitter and the header differ");
        // A body that holds files or a block of OpenPGP, or is a page, needs decoding.
        let needs_decoding = |body: &[u8]| inline::ends_in_file(body) || begins_as_page(body) || armor::is_around(body);
        let plain_body = plain_body.filter(|&body| !needs_decoding(&bytes[body..]) && !inline::begins_with_file(bytes));
        // A program on the way may have changed the whole message, such as its line ends.
        let restored = joined.or_else(|| Restored::of(bytes, piece.separator.is_empty()));
        let plain_body = plain_body.filter(|_| restored.is_none());
        // Many messages of old archives hold no candidate, and are done here.
        let first = if plain_body.is_some() { self.candidates.first(piece.message.clone()) } else { None };
        if plain_body.is_some() && first.is_none() {
            return;
        }
        // A search of each body would cost 5% of the time for ordinary mail.
        let may_quote =
            |body: usize| first.is_some_and(|colon| colon < body || reply::is_quoted_with_equals(bytes, colon));
        let quotes_encoded = |&body: &usize| may_quote(body) && reply::may_quote_encoded(&bytes[body..]);
        let plain_body = plain_body.filter(|body| !quotes_encoded(body));
        let text = &self.batch.text;
        let base = text.base + piece.message.start as u64;
        let begins = if piece.separator.is_empty() { piece.message.start } else { piece.separator.start };
        // In an mbox, a first message without a separator has no number, so the other numbers do
        // not shift.
        let is_message = self.batch.container == Container::Message;
        let number = if is_message { Some(1) } else { piece.number };
        self.count_lines(base);
        let wide = restored.as_ref().and_then(|restored| restored.encoding);
        let wide = wide.map(|encoding| StreamPlaces::of_utf16(bytes, encoding));
        let mut lines = self.parts.matches.lines.map(|lines| match &wide {
            Some(places) => MessageLines::passed(places, lines.restart_at(charset::utf16_of(bytes).1 as u64)),
            None => MessageLines::new(text.bytes(), text.base, lines),
        });
        let message = CurrentMessage::new(bytes, base, text.base + begins as u64, number, plain_body.is_some());
        let message = match &restored {
            Some(restored) => message.with_header(&restored.text),
            None => message,
        };
        // A part is cut if it ends with the message, and the damaged input ends there, too.
        let is_cut = |part: &Part<'_>| is_damaged && part.body.end == bytes.len();
        let Some(body) = plain_body else {
            let mut noted = None;
            let unpacking = self.extractor.unpacking();
            let as_it_lies = restored.is_none().then(|| mime::parts_of(bytes, unpacking, None));
            let changed = restored.as_ref().map(|restored| mime::parts_of_restored(restored, unpacking));
            for part in changed.into_iter().flatten().chain(as_it_lies.into_iter().flatten()) {
                if let Some(note) = part.note {
                    self.parts.note(&message, part.number.as_deref(), note, &mut noted);
                }
                let is_stuffed = piece.stuffed.is_some() && part.form == Form::Plain;
                let is_cut = is_cut(&part);
                let part = if is_stuffed {
                    // The text may be decoded, so the offsets of `piece.stuffed` do not apply to
                    // it.
                    unstuffed(part, 0..=usize::MAX, None, backend, Unstuffed::default()).0
                } else {
                    part
                };
                self.parts.part(&message, &part, is_cut, None, &mut lines);
            }
            return;
        };
        let start = piece.message.start;
        let colon = self.candidates.first(start..start + body);
        if colon.is_some() {
            let part = Part::in_place(bytes, 0..body, Form::Header);
            self.parts.part(&message, &part, is_cut(&part), colon, &mut lines);
        }
        let colon = self.candidates.first(start + body..piece.message.end);
        if colon.is_some() {
            let part = Part::in_place(bytes, body..bytes.len(), Form::Plain);
            let is_cut = is_cut(&part);
            match &piece.stuffed {
                Some(stuffed) => {
                    let within = |at: &usize| at.saturating_sub(start + body);
                    let within = within(stuffed.start())..=within(stuffed.end());
                    let buffers = mem::take(&mut self.unstuffed);
                    let (part, colon) = unstuffed(part, within, colon, backend, buffers);
                    self.parts.part(&message, &part, is_cut, colon, &mut lines);
                    if let Cow::Owned(text) = part.text {
                        self.unstuffed = (text, part.source.into_map());
                    }
                }
                None => self.parts.part(&message, &part, is_cut, colon, &mut lines),
            }
        }
    }
}

/// The candidate colons of a batch.
///
/// Many messages of old archives hold no URL, and most headers hold none. So one pass over all
/// messages finds the colons, and a text without a colon is skipped.
struct Candidates<'a> {
    bytes: &'a [u8],
    anchors: Anchors,
    /// The first colon at or after the start of the last stretch, or else the end of the bytes.
    next: Option<usize>,
}

impl Candidates<'_> {
    /// Returns the first candidate in a stretch that is searched in place, as an offset from the
    /// stretch's start. Calls must pass stretches in ascending order.
    ///
    /// The batch may have candidates that the stretch by itself lacks. An example is a colon before
    /// the `//` of the next text. But every candidate of the stretch is one of the batch, because a
    /// scheme's name is a word.
    fn first(&mut self, stretch: Range<usize>) -> Option<usize> {
        let size = self.bytes.len();
        let known = self.next.filter(|&colon| colon >= stretch.start);
        let next = || self.anchors.next(self.bytes, stretch.start, size).map_or(size, |found| found.colon);
        let colon = known.unwrap_or_else(next);
        self.next = Some(colon);
        stretch.contains(&colon).then(|| colon - stretch.start)
    }
}

/// Returns the part without the marks that mailbox writers put before lines that begin with
/// `From `. Only lines within the range `within` are considered. If there is a mark, the text
/// without marks is written to the buffers.
///
/// `colon` is the first candidate colon of the old text. Its place in the new text is returned,
/// too. No other colon becomes a candidate without the marks, because `From ` stands between a mark
/// and the next word.
fn unstuffed(
    part: Part<'_>,
    within: RangeInclusive<usize>,
    mut colon: Option<usize>,
    backend: Backend,
    (rest, map): Unstuffed,
) -> (Part<'_>, Option<usize>) {
    let mut pruned = Pruned::into_buffers(&part.text, Logical::into_buffers(rest, map));
    let first = colon;
    for mark in stuffed(&part.text, within, backend) {
        pruned.leave_out(mark..mark + 1);
        if first.is_some_and(|first| mark < first) {
            colon = colon.map(|colon| colon - 1);
        }
    }
    let Some(rest) = pruned.finish() else { return (part, colon) };
    let (text, map) = rest.into_parts();
    (Part { source: part.source.then(DecodingStep::Lines, map), text: Cow::Owned(text), ..part }, colon)
}

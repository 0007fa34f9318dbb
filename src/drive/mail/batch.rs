//! The search of a batch of messages: message by message, part by part.
//!
//! Most messages of old archives need no decoding: their header and body are searched where they lie.

use std::borrow::Cow;
use std::ops::Range;

use crate::archive::header;
use crate::archive::message::{Form, Note, Part, Segment};
use crate::archive::mime;
use crate::archive::recognise::is_message;
use crate::archive::split::enclosed::stuffed;
use crate::archive::split::{Length, Piece};
use crate::archive::wire;
use crate::drive::extractor::Extractor;
use crate::drive::mail::html;
use crate::drive::mail::messages::MessageBatch;
use crate::drive::match_loop::{EndedText, MatchLoop};
use crate::drive::matches::Match;
use crate::drive::place::{Context, CurrentMessage, MessageLines, Undecoded, Within};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::find::{Anchors, Options};

/// A longer part of HTML is searched as text: what is made of HTML takes fifteen times its length, of a style sheet full of
/// links forty times. The longest of 700 in real archives has 0.2 MB.
const LONGEST_HTML: usize = 1 << 20;

/// Searches the messages of a batch, and hands over what it finds.
pub(super) struct BatchSearch<'a> {
    extractor: &'a Extractor,
    batch: &'a MessageBatch,
    candidates: Candidates<'a>,
    matches: MatchLoop,
    sink: &'a mut dyn Sink,
}

impl<'a> BatchSearch<'a> {
    pub(super) fn new(extractor: &'a Extractor, batch: &'a MessageBatch, sink: &'a mut dyn Sink) -> Self {
        let anchors = Anchors::new(extractor.options().backend);
        let candidates = Candidates { bytes: batch.text.bytes(), anchors, next: None };
        BatchSearch {
            extractor,
            batch,
            candidates,
            matches: MatchLoop::new(extractor, 0, 0..u64::MAX, batch.lines),
            sink,
        }
    }

    pub(super) fn run(mut self) -> Stats {
        let batch = self.batch;
        for piece in &batch.pieces {
            let text = &batch.text.bytes()[piece.message.clone()];
            let is_damaged = batch.text.is_damaged() && piece.message.end == batch.text.bytes().len();
            let message = EndedText { text, is_damaged };
            if piece.separator.is_empty() && !batch.is_message && !is_message(text) {
                self.text(message, batch.text.base + piece.message.start as u64);
            } else {
                self.message(piece, message);
            }
        }
        self.matches.stats
    }

    /// What stands before the first message is text.
    fn text(&mut self, text: EndedText<'_>, base: u64) {
        self.count_lines(base);
        self.matches.each_match_of_text(text, base, |found| self.sink.add(found));
    }

    fn count_lines(&mut self, offset: u64) {
        if let Some(lines) = &mut self.matches.lines {
            lines.advance(self.batch.text.bytes(), self.batch.text.base, offset);
        }
    }

    fn message(&mut self, piece: &Piece, EndedText { text: bytes, is_damaged }: EndedText<'_>) {
        self.matches.stats.messages += 1;
        self.matches.stats.false_lengths += u64::from(piece.length == Length::Ignored);
        let backend = self.extractor.options().backend;
        let plain_body = piece.plain_body.or_else(|| header::plain_body(bytes, backend));
        debug_assert_eq!(plain_body, header::plain_body(bytes, backend), "the splitter and the header differ");
        if plain_body.is_some() && self.candidates.first(piece.message.clone()).is_none() {
            return;
        }
        let text = &self.batch.text;
        let base = text.base + piece.message.start as u64;
        let begins = if piece.separator.is_empty() { piece.message.start } else { piece.separator.start };
        // A first message without its separator has none in an mbox, so that it changes no other's.
        let number = if self.batch.is_message { Some(1) } else { piece.number };
        self.count_lines(base);
        let mut lines = self.matches.lines.map(|lines| MessageLines::new(text.bytes(), text.base, lines));
        // An article as NNTP carries it, all of which a transport has changed.
        let is_wire = self.batch.is_message && wire::is_wire(bytes);
        let plain_body = plain_body.filter(|_| !is_wire);
        let message = CurrentMessage::new(bytes, base, text.base + begins as u64, number, plain_body.is_some());
        // The message ends with this part, and the input in it.
        let is_cut = |part: &Part<'_>| is_damaged && part.body.end == bytes.len();
        let Some(body) = plain_body else {
            let mut noted = None;
            let of_wire = is_wire.then(|| wire::parts(bytes));
            let as_it_lies = (!is_wire).then(|| mime::parts(bytes));
            for part in of_wire.into_iter().flatten().chain(as_it_lies.into_iter().flatten()) {
                if let Some(note) = part.note {
                    self.note(&message, &part, note, &mut noted);
                }
                let is_stuffed = piece.is_stuffed && part.form == Form::Plain;
                let is_cut = is_cut(&part);
                self.part(&message, &if is_stuffed { unstuffed(part) } else { part }, is_cut, None, &mut lines);
            }
            return;
        };
        let start = piece.message.start;
        let colon = self.candidates.first(start..start + body);
        if colon.is_some() {
            let part = Part::in_place(bytes, 0..body, Form::Header);
            self.part(&message, &part, is_cut(&part), colon, &mut lines);
        }
        let colon = self.candidates.first(start + body..piece.message.end);
        if colon.is_some() {
            let part = Part::in_place(bytes, body..bytes.len(), Form::Plain);
            let is_cut = is_cut(&part);
            match piece.is_stuffed {
                true => self.part(&message, &unstuffed(part), is_cut, None, &mut lines),
                false => self.part(&message, &part, is_cut, colon, &mut lines),
            }
        }
    }

    /// Reports a part that could not be decoded. One whose base64 holds lines that are none comes in several pieces, one
    /// after the other, and is reported once.
    fn note(
        &mut self,
        message: &CurrentMessage<'_>,
        part: &Part<'_>,
        note: Note,
        noted: &mut Option<(Note, Option<String>)>,
    ) {
        let this = Some((note, part.number.clone()));
        if *noted != this {
            *noted = this;
            self.matches.stats.note(note);
            let (number, offset, part) = (message.number, message.offset, part.number.clone());
            self.sink.undecoded(&Undecoded { number, offset, part, reason: note.as_str() });
        }
    }

    /// `colon` is the first candidate colon of the part's text, if that is known.
    fn part(
        &mut self,
        message: &CurrentMessage<'_>,
        part: &Part<'_>,
        is_damaged: bool,
        colon: Option<usize>,
        lines: &mut Option<MessageLines<'_>>,
    ) {
        if let Some(lines) = lines {
            lines.enter_part();
        }
        let options = self.extractor.options();
        let sink = &mut *self.sink;
        if part.form == Form::Html && part.text.len() <= LONGEST_HTML {
            html::each_match(part, is_damaged, &mut self.matches, options, |within, text, raw| {
                let context = Context::new(message, part, within);
                let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
                sink.add(&Match::in_archive(text, raw, position, options, &context));
            });
            return;
        }
        let context = Context::new(message, part, Within::Text(0));
        // A fold is no line break: nothing bare is joined over it (B-JOIN).
        let options = Options { is_header: part.form == Form::Header, ..options };
        let text = EndedText { text: &part.text, is_damaged };
        self.matches.each_raw_of_text(text, options, colon, |raw| {
            let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
            sink.add(&Match::in_archive(&part.text, raw, position, options, &context));
        });
    }
}

/// The colons of a batch at which something may begin.
///
/// Many messages of old archives hold no URL, and hardly a header does. So colons are looked for in one walk over all
/// messages, and nothing is made of a text that has none.
struct Candidates<'a> {
    bytes: &'a [u8],
    anchors: Anchors,
    /// The first at or after what was asked about last; the end of the bytes if there is none.
    next: Option<usize>,
}

impl Candidates<'_> {
    /// The first one in a stretch that is searched as it lies, from its start. Stretches are asked about in their order.
    ///
    /// That a text ends where the next begins takes some of its colons away, such as one before the `//` of the next, and
    /// never adds one: a scheme's name is a word.
    fn first(&mut self, stretch: Range<usize>) -> Option<usize> {
        let size = self.bytes.len();
        let known = self.next.filter(|&colon| colon >= stretch.start);
        let next = || self.anchors.next(self.bytes, stretch.start, size).map_or(size, |found| found.colon);
        let colon = known.unwrap_or_else(next);
        self.next = Some(colon);
        stretch.contains(&colon).then(|| colon - stretch.start)
    }
}

/// The part without the marks that a writer of mailboxes put before lines that begin with `From `.
fn unstuffed(part: Part<'_>) -> Part<'_> {
    let Some(first) = stuffed(&part.text).next() else { return part };
    let mut text = part.text[..first].to_vec();
    let mut segments = vec![Segment::new(0, 0)];
    let mut at = first;
    for mark in stuffed(&part.text) {
        text.extend_from_slice(&part.text[at..mark]);
        at = mark + 1;
        segments.push(Segment::new(text.len(), at));
    }
    text.extend_from_slice(&part.text[at..]);
    Part { positions: part.positions.then(&segments), text: Cow::Owned(text), ..part }
}

//! The search of one text of a message.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::archive::message::{Form, Note, Part};
use crate::archive::mime::entity::has_scheme;
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
use crate::drive::mail::html;
use crate::drive::match_loop::{Filling, MatchLoop};
use crate::drive::matches::Match;
use crate::drive::place::{Context, CurrentMessage, LinkPlace, MessageLines, Undecoded, Within};
use crate::drive::sink::Sink;
use crate::find::{Kind, Options, RawMatch, Sheets, Window};

/// The search of texts, which passes the matches to a sink.
pub(super) struct PartSearch<'a> {
    options: Options,
    /// The base of links that the caller has set, for all parts.
    pub(super) base: Option<Arc<[u8]>>,
    pub(super) matches: MatchLoop,
    pub(super) sink: &'a mut dyn Sink,
}

impl<'a> PartSearch<'a> {
    pub(super) fn new(extractor: &Extractor, lines: Option<Lines>, sink: &'a mut dyn Sink) -> Self {
        let matches = MatchLoop::new(extractor, 0, 0..u64::MAX, lines);
        PartSearch { options: extractor.options(), base: extractor.base().cloned(), matches, sink }
    }

    /// Searches a text that is in no message.
    pub(super) fn text(&mut self, window: Window<'_>, base: u64) {
        self.matches.restart(self.options, None);
        self.matches.each_match(window, base, window.text.len(), |found| {
            self.sink.add(&found);
            ControlFlow::Continue(())
        });
    }

    /// Reports a part that could not be decoded. A part with other lines between its base64 lines
    /// comes in several pieces in a row, but is reported once.
    pub(super) fn note(
        &mut self,
        message: &CurrentMessage<'_>,
        part: Option<&str>,
        note: Note,
        noted: &mut Option<(Note, Option<String>)>,
    ) {
        let this = Some((note, part.map(str::to_string)));
        // Binary files are reported one by one.
        if *noted != this || note == Note::Binary {
            *noted = this;
            self.matches.stats.note(note);
            let (number, offset, part) = (message.number, message.offset, part.map(str::to_string));
            self.sink.undecoded(&Undecoded { number, offset, part, reason: note.as_str() });
        }
    }

    /// Searches a part. `colon` is the first candidate colon of its text, if the caller has found
    /// it.
    pub(super) fn part(
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
        let options = self.options;
        let sink = &mut *self.sink;
        if part.form.is_markup() {
            let has_long_base = html::each_match(
                self.base.as_deref(),
                part,
                is_damaged,
                &mut self.matches,
                options,
                |within, text, raw| {
                    let context = Context::new(message, part, within);
                    let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
                    sink.add(&Match::in_archive(text, raw, position, options, &context));
                },
            );
            if has_long_base {
                self.note(message, part.number.as_deref(), Note::LongBase, &mut None);
            }
            return;
        }
        let context = Context::new(message, part, Within::Text(0));
        if part.form == Form::References {
            let base = html::LinkBase::of(self.base.as_deref(), part, None, &[]);
            let mut end = 0;
            for line in part.text.split(|&byte| byte == b'\n') {
                let source = end..end + line.len();
                end = source.end + 1;
                let Ok(resolved) = html::resolved(line, base.at(None)) else { continue };
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let raw = html::whole_link(Kind::Attribute, source.clone(), false);
                let link = LinkPlace { source, attribute: None, text: None, resolved };
                let context = Context::new(message, part, Within::Link(&link));
                let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
                self.matches.stats.matches += 1;
                self.matches.stats.unresolved += u64::from(link.resolved.is_none() && !has_scheme(line));
                sink.add(&Match::in_archive(&part.text, raw, position, options, &context));
            }
            return;
        }
        // A fold of a header is not a line break: no bare URL is joined over it (B-JOIN).
        let is_sheet = part.content_type.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case("text/csv"));
        let sheets = if is_sheet { Sheets::Told } else { options.sheets };
        let is_header = part.form == Form::Header || part.content_type.as_deref().is_some_and(is_of_fields);
        let options = Options { is_header, sheets, ..options };
        let text = &part.text[..];
        let make = |raw: RawMatch| {
            let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
            Match::in_archive(text, raw, position, options, &context)
        };
        self.matches.restart(options, colon);
        let window = Window { is_damaged, ..Window::all(text) };
        self.matches.run(window, 0, text.len(), &mut Filling { sink, text, make, is_done: |_: &_| false });
    }
}

/// Returns whether texts of this type consist of header fields. They are reports on delivery,
/// display or abuse, and returned headers.
fn is_of_fields(content_type: &str) -> bool {
    const KINDS: [&str; 6] = [
        "message/delivery-status",
        "message/global-delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
        "text/rfc822-headers",
        "message/global-headers",
    ];
    KINDS.iter().any(|kind| content_type.eq_ignore_ascii_case(kind))
}

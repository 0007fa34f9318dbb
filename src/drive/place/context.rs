//! The text that is searched, and the facts about places in it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bstr::ByteSlice;

use crate::Kind;
use crate::archive::header::{self, Field, field_around, fields};
use crate::archive::html;
use crate::archive::message::{Envelope, Form, Note, Part};
use crate::archive::quote::quote_depth;
use crate::archive::split::enclosed::{Enclosed, enclosed};
use crate::bytes::logical::Logical;
use crate::drive::lines::{LinePlace, MatchedText, Position};
use crate::drive::place::lines::MessageLines;
use crate::drive::place::message::{Brief, CurrentMessage, PartHeader};
use crate::drive::place::model::Place;

/// The searched text, and its origin.
#[derive(Debug)]
pub(crate) struct Context<'m> {
    pub(crate) message: &'m CurrentMessage<'m>,
    /// The part. Its text is only a window if the part is too long to hold.
    pub(crate) part: &'m Part<'m>,
    pub(crate) within: Within<'m>,
    landmarks: OnceLock<Landmarks>,
}

/// The facts that differ among the places of one text. They are computed once, when the first place
/// is requested.
#[derive(Debug)]
enum Landmarks {
    /// The fields of a header.
    Fields(Vec<Field>),
    /// The messages that a plain text encloses.
    Enclosed(Vec<(Enclosed, OnceLock<Arc<Envelope>>)>),
}

/// The searched text, as a place in its part.
#[derive(Debug)]
pub(crate) enum Within<'m> {
    /// The text of the part, from an offset on.
    Text(usize),
    /// The text that a reader sees of HTML, which begins at an offset of the part's text.
    Html(&'m Logical, usize),
    /// A place in a page within a text of XML. That text begins at an offset of the part's text.
    Inner(Box<Within<'m>>, &'m Logical, usize),
    /// A link.
    Link(&'m LinkPlace),
}

impl Within<'_> {
    /// Converts a range of the searched text to a range of the part's text.
    fn in_part(&self, range: Range<usize>) -> Range<usize> {
        match self {
            Within::Text(from) => from + range.start..from + range.end,
            Within::Html(text, from) => {
                let source = text.source(range);
                from + source.start..from + source.end
            }
            Within::Inner(inner, text, from) => {
                let source = text.source(inner.in_part(range));
                from + source.start..from + source.end
            }
            Within::Link(link) => link.source.clone(),
        }
    }
}

/// A link of HTML.
#[derive(Debug)]
pub(crate) struct LinkPlace {
    /// The range of the attribute's value in the part's text.
    pub(crate) source: Range<usize>,
    /// The element and its attribute, as in `a href`, or `style`. `None` outside markup.
    pub(crate) attribute: Option<String>,
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) resolved: Option<Vec<u8>>,
}

impl<'m> Context<'m> {
    pub(crate) fn new(message: &'m CurrentMessage<'m>, part: &'m Part<'m>, within: Within<'m>) -> Context<'m> {
        Context { message, part, within, landmarks: OnceLock::new() }
    }

    /// Converts a range of the searched text to a range of the part's text.
    pub(crate) fn in_part(&self, range: Range<usize>) -> Range<usize> {
        self.within.in_part(range)
    }

    /// Converts a range of the searched text to a span in the archive. An unpacked text has spans of
    /// its own.
    pub(crate) fn span(&self, range: Range<usize>) -> Range<u64> {
        let source = &self.part.source;
        let range = source.range(self.in_part(range));
        let base = if source.is_apart() { source.window } else { self.message.base };
        base + range.start as u64..base + range.end as u64
    }

    /// Converts a range of the searched text to a span in the decoded part. Returns `None` if the
    /// archive holds the text undecoded.
    pub(crate) fn part_span(&self, range: Range<usize>) -> Option<Range<u64>> {
        let range = self.in_part(range);
        let window = self.part.source.window;
        self.part.source.is_decoded().then(|| window + range.start as u64..window + range.end as u64)
    }

    /// Returns the text around a range of the searched text. It is the archive, or the part if the
    /// part was decoded or the message is not all in memory.
    pub(crate) fn matched_text(&self, range: Range<usize>) -> MatchedText<'_> {
        let Context { message, part, .. } = self;
        let is_source = !part.source.is_decoded();
        if is_source && !message.is_header_only {
            let span = self.span(range);
            let local = |offset: u64| message.bytes.len().min(offset.saturating_sub(message.base) as usize);
            let span = local(span.start)..local(span.end);
            return MatchedText { text: message.bytes, span, offset: message.base, part: None };
        }
        let (is_source, offset) = match part.source.is_in_one_piece() {
            true => (true, self.span(range.clone()).start.saturating_sub(self.in_part(range.clone()).start as u64)),
            // Lines were joined, or the text was decoded, so it has offsets of its own.
            false => (false, part.source.window),
        };
        let range = self.in_part(range);
        let which = || {
            let mut hasher = DefaultHasher::new();
            (message.offset, part.body.start, part.number.as_deref()).hash(&mut hasher);
            hasher.finish()
        };
        MatchedText { text: &part.text, span: range, offset, part: (!is_source).then(which) }
    }

    /// Returns the places in the archive of the lines in a range of the matched text. `found` is the
    /// range of the match in the searched text. It is empty unless the text was decoded.
    pub(crate) fn places_of_lines(&self, found: Range<usize>, lines: Range<usize>) -> Vec<LinePlace> {
        let Context { message, part, .. } = self;
        if !part.source.is_decoded() || part.source.is_apart() || message.is_header_only {
            return Vec::new();
        }
        let text = &part.text[lines.clone()];
        let starts = memchr::memchr_iter(b'\n', text).map(|end| lines.start + end + 1);
        let ends = |from: usize, to: usize| memchr::memchr_iter(b'\n', &message.bytes[from..to]).count() as i64;
        let (mut known, mut count) = (part.source.range(self.in_part(found)).start, 0);
        let place = |start: usize| {
            let at = part.source.offset(start).min(message.bytes.len());
            count += if at < known { -ends(at, known) } else { ends(known, at) };
            known = at;
            LinePlace { at: part.source.window + start as u64, offset: message.base + at as u64, lines: count }
        };
        std::iter::once(lines.start).chain(starts).filter(|&start| start < lines.end).map(place).collect()
    }

    /// Returns the position of an offset of the searched text, in the archive or in an unpacked
    /// text.
    pub(crate) fn position(&self, at: usize, lines: &mut MessageLines<'_>) -> Position {
        match self.part.source.is_apart() {
            true => lines.in_part(&self.part.text, self.in_part(at..at).start),
            false => lines.in_archive(self.span(at..at + 1).start),
        }
    }

    /// Returns whether a range of the searched text was joined from several lines before the search
    /// (`format=flowed`).
    pub(crate) fn was_broken(&self, range: Range<usize>) -> bool {
        // Only the header of a long message is in memory.
        matches!(self.within, Within::Text(_)) && self.part.source.joins_lines(self.in_part(range), self.message.bytes)
    }

    /// Returns the URL that a relative link resolves to.
    pub(crate) fn resolved(&self) -> Option<&[u8]> {
        if let Within::Link(link) = self.within { link.resolved.as_deref() } else { None }
    }

    /// Returns the host that the text of an anchor shows, if its link leads to another host. `url`
    /// is the link as written. In plain text of a message, the shown host is the word before the
    /// angle brackets at `at`.
    pub(crate) fn shown_host(&self, at: usize, kind: Kind, url: &[u8]) -> Option<String> {
        match self.within {
            Within::Link(link) => misleading(link.text.as_deref()?, link.resolved.as_deref().unwrap_or(url)),
            Within::Text(from) if kind == Kind::Angle && self.part.form == Form::Plain && !self.message.is_page => {
                misleading(html::word_before(&self.part.text[..from + at])?, url)
            }
            _ => None,
        }
    }

    /// Returns the attribute of HTML that holds a link.
    pub(crate) fn attribute(&self) -> Option<&str> {
        if let Within::Link(link) = self.within { link.attribute.as_deref() } else { None }
    }

    /// Returns whether the text is in a message, and not in a page.
    pub(crate) fn is_in_message(&self) -> bool {
        !self.message.is_page
    }

    /// Returns the name of the header field at an offset of the searched text.
    pub(crate) fn header_field(&self, at: usize) -> Option<&[u8]> {
        match &self.part.header {
            Some(name) => Some(name.as_bytes()),
            None if self.part.form == Form::Header => self.field(self.in_part(at..at).start),
            None => None,
        }
    }

    /// Returns the depth of the quotation at an offset of the searched text.
    pub(crate) fn quote_depth(&self, at: usize) -> Option<usize> {
        let in_part = self.in_part(at..at).start;
        match self.within {
            Within::Html(text, _) => {
                self.envelope(in_part).filter(|_| self.message.is_page).map(|_| quote_depth(text.bytes(), at))
            }
            _ => matches!(self.part.form, Form::Plain | Form::Other).then(|| quote_depth(&self.part.text, in_part)),
        }
    }

    /// Returns the place of a match: a `url` of this kind at a range of the searched text.
    pub(crate) fn place(&self, span: Range<usize>, kind: Kind, url: &[u8]) -> Place {
        let Context { message, part, .. } = self;
        let quote_depth = self.quote_depth(span.start);
        let shown_host = self.shown_host(span.start, kind, url);
        let part_span = self.part_span(span.clone());
        let at = self.in_part(span).start;
        let lossy = |bytes: &[u8]| bytes.to_str_lossy().into_owned();
        let is_header = part.form == Form::Header;
        let body = &part.body;
        let PartHeader { number, content_type, encoding } = match message.is_plain && !is_header {
            true => message.body().clone(),
            false => PartHeader::of(part),
        };
        let link = if let Within::Link(link) = self.within { Some(link) } else { None };
        Place {
            message: self.envelope(at).map(Arc::clone),
            number: message.number,
            offset: message.offset,
            part: number,
            part_span,
            member: part.member.clone(),
            content_type,
            encoding,
            header: match &part.header {
                Some(name) => Some(name.clone()),
                None if is_header => self.field(at).map(lossy),
                None => None,
            },
            quote_depth,
            body: (!is_header && !message.is_page && !body.is_empty())
                .then(|| message.base + body.start as u64..message.base + body.end as u64),
            shown_host,
            text: link.and_then(|link| link.text.as_deref()).map(lossy),
            attribute: link.and_then(|link| link.attribute.clone()),
            note: part.note.map(Note::as_str),
            resolved: self.resolved().map(<[u8]>::to_vec),
        }
    }

    /// Returns the message around an offset of the searched text, and the part. Returns `None`
    /// outside messages.
    pub(crate) fn brief(&self, at: usize) -> Option<Brief<'_>> {
        let Context { message, part, .. } = *self;
        let at = self.in_part(at..at).start;
        let shown = message.is_page.then(|| message.shown(&part.text, at));
        if shown == Some(None) {
            return None;
        }
        let is_body = part.form != Form::Header;
        let inner = self.enclosing(at);
        Some(Brief {
            number: message.number,
            offset: message.offset,
            inner: inner.map(|(start, _)| start),
            // A body that was not parsed into parts is the only part.
            part: part.number.as_deref().or((message.is_plain && is_body).then_some("1")),
            encoding: part.source.is_decoded().then(|| part.encoding.as_str()),
            message,
            inner_envelope: shown.flatten().or(inner.map(|(_, envelope)| envelope)),
        })
    }

    /// Returns the envelope of the message around a place of the part's text: an enclosed message,
    /// or the part's own. Returns `None` on a page that shows no message there.
    fn envelope(&self, at: usize) -> Option<&Arc<Envelope>> {
        if self.message.is_page {
            return self.message.shown(&self.part.text, at);
        }
        Some(self.enclosing(at).map_or_else(|| self.message.envelope(), |(_, envelope)| envelope))
    }

    fn landmarks(&self) -> &Landmarks {
        let text = &self.part.text[..];
        self.landmarks.get_or_init(|| match self.part.form {
            Form::Header => Landmarks::Fields(fields(text, 0..text.len()).collect()),
            Form::Plain => {
                Landmarks::Enclosed(enclosed(text).into_iter().map(|inner| (inner, OnceLock::new())).collect())
            }
            Form::Html | Form::Xml | Form::References | Form::Other => Landmarks::Enclosed(Vec::new()),
        })
    }

    /// Returns the name of the field around a place of a header.
    fn field(&self, at: usize) -> Option<&[u8]> {
        let header = &self.part.text[..];
        // Reading all fields of a header costs as much as searching its message. So only the field
        // around the place is read, if possible.
        let name = field_around(header, at).map(|field| field.map(|field| field.name)).unwrap_or_else(|()| {
            let Landmarks::Fields(fields) = self.landmarks() else { return None };
            let field = fields[..fields.partition_point(|field| field.name.start <= at)].last()?;
            (at < field.value.end).then(|| field.name.clone())
        });
        Some(&header[name?])
    }

    /// Returns the message that a plain text encloses around a place: the start of its header, and
    /// its envelope.
    fn enclosing(&self, at: usize) -> Option<(usize, &Arc<Envelope>)> {
        if self.part.form != Form::Plain {
            return None;
        }
        let Landmarks::Enclosed(enclosed) = self.landmarks() else { return None };
        let (inner, envelope) = enclosed[..enclosed.partition_point(|(inner, _)| inner.header.start <= at)].last()?;
        let read = || Arc::new(header::envelope(&self.part.text[inner.header.clone()]));
        (at < inner.body.end).then(|| (inner.header.start, envelope.get_or_init(read)))
    }
}

/// Returns the host that an anchor's text shows, if the anchor's URL has another host. Shown hosts
/// often lack `www.`, which does not mislead.
fn misleading(text: &[u8], url: &[u8]) -> Option<String> {
    fn site(host: &[u8]) -> &[u8] {
        host.strip_prefix(b"www.").unwrap_or(host)
    }
    let shown = html::shown_host(text)?;
    let host = crate::url::Generic::parse(url)?.host?.to_ascii_lowercase();
    // A host that is shortened in the text may be shortened in the link, too: `http://up...`.
    let host = host.trim_end_with(|c| c == '.');
    (site(host) != site(shown.as_bytes())).then_some(shown)
}

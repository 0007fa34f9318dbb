//! Where in an archive a match stands: which message, which part of it, and how that was encoded.
//!
//! A [`Place`] is put together when somebody asks for it. Most readers of a million URLs want the URLs, and reading a
//! message's header for each of them would take longer than finding them.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bstr::ByteSlice;

use crate::archive::header::{self, Field, fields};
use crate::archive::html::{self, Mapped};
use crate::archive::message::{Base, Envelope, Form, Message as _, Note, Part};
use crate::archive::mime::Mail;
use crate::archive::quote::quote_depth;
use crate::archive::split::enclosed::{Enclosed, enclosed};
use crate::drive::lines::{Lines, Position};

/// Where in an archive a match stands. What is not known is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The message, or the one that it encloses as text: of a digest, the message of the digest.
    pub message: Arc<Envelope>,
    /// Which message of the archive it is, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header.
    pub part: Option<String>,
    /// `text/html`. `None` in a header.
    pub content_type: Option<String>,
    /// `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, `encoded-word` or `unknown`. In the first three the match's
    /// span is that of the archive, else that of the decoded part.
    pub encoding: Option<&'static str>,
    /// The name of the field, in a header.
    pub header: Option<String>,
    /// How deep the line is quoted; `None` in headers and HTML.
    pub quote_depth: Option<usize>,
    /// Where in the archive the part's body lies, as it is encoded.
    pub body: Option<Range<u64>>,
    /// What an anchor of HTML encloses.
    pub text: Option<String>,
    /// A relative link of HTML, resolved by RFC 3986.
    pub resolved: Option<Vec<u8>>,
    /// The host that an anchor's text shows, where its link goes to another. One with and one without `www.` are the same.
    pub shown_host: Option<String>,
    /// The element of HTML and its attribute that hold the link: `a href`; of a style sheet `style`.
    pub attribute: Option<String>,
    /// Why the part could not be decoded, or not wholly.
    pub note: Option<&'static str>,
}

/// A part of a message that could not be decoded, or not wholly: it was searched as it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecoded {
    /// Which message of the archive it is in, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// The MIME part as IMAP numbers it: `1.2`. `None` of the message as a whole.
    pub part: Option<String>,
    /// Why, in a few words: those of [`Place::note`] and [`Stats::undecoded_by_reason`](crate::Stats::undecoded_by_reason).
    pub reason: &'static str,
}

/// What can be told of where a match stands in an archive without slowing the search down. A [`Place`] tells more.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Brief<'m> {
    /// Which message of the archive it is, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// Offset in the part's text of the header of the message that the text encloses here; `None` where the message is the
    /// one of the archive.
    pub inner: Option<usize>,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header.
    pub part: Option<&'m str>,
    /// How the part is encoded, where the match's span is that of the decoded part; `None` where it is that of the archive.
    pub encoding: Option<&'static str>,
    sender: Sender<'m>,
}

/// Who knows the envelope.
#[derive(Clone, Copy, Debug)]
enum Sender<'m> {
    Letter(&'m Letter<'m>),
    Inner(&'m Arc<Envelope>),
}

impl<'m> Brief<'m> {
    /// The message, or the one that it encloses as text. Reading it takes some microseconds, once for each message.
    pub fn envelope(&self) -> &'m Arc<Envelope> {
        match self.sender {
            Sender::Letter(letter) => letter.envelope(),
            Sender::Inner(envelope) => envelope,
        }
    }

    /// The day that its date begins with: year, month, day. That of the message itself costs a tenth of the envelope.
    pub fn day(&self) -> Option<(u16, u8, u8)> {
        match self.sender {
            Sender::Letter(letter) => letter.day(),
            Sender::Inner(envelope) => envelope.day(),
        }
    }
}

/// The message at hand.
#[derive(Debug)]
pub(crate) struct Letter<'m> {
    pub(crate) bytes: &'m [u8],
    /// Offset of the bytes in the archive.
    pub(crate) base: u64,
    /// Offset of the separator.
    pub(crate) offset: u64,
    pub(crate) number: Option<u64>,
    envelope: OnceLock<Arc<Envelope>>,
    day: OnceLock<Option<(u16, u8, u8)>>,
    /// It was not taken apart, for it needs no decoding.
    is_plain: bool,
    body: OnceLock<Described>,
}

/// What its header says of a part.
#[derive(Clone, Debug, Default)]
struct Described {
    number: Option<String>,
    content_type: Option<String>,
    encoding: Option<&'static str>,
}

impl Described {
    fn of(part: &Part<'_>) -> Described {
        Described {
            number: part.number.clone(),
            content_type: part.content_type.clone(),
            encoding: Some(part.encoding.as_str()),
        }
    }
}

impl<'m> Letter<'m> {
    pub(crate) fn new(bytes: &'m [u8], base: u64, offset: u64, number: Option<u64>, is_plain: bool) -> Letter<'m> {
        let (envelope, day, body) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Letter { bytes, base, offset, number, is_plain, envelope, day, body }
    }

    /// The body of a message that was not taken apart.
    fn body(&self) -> &Described {
        self.body.get_or_init(|| {
            let body = Mail::new(self.bytes).parts().find(|part| part.form != Form::Header);
            body.map_or_else(Described::default, |body| Described::of(&body))
        })
    }

    fn day(&self) -> Option<(u16, u8, u8)> {
        *self.day.get_or_init(|| Mail::new(self.bytes).day())
    }

    fn envelope(&self) -> &Arc<Envelope> {
        self.envelope.get_or_init(|| Arc::new(Mail::new(self.bytes).envelope()))
    }
}

/// The text at hand, and where it comes from.
#[derive(Debug)]
pub(crate) struct Context<'m> {
    pub(crate) letter: &'m Letter<'m>,
    /// All of the text that the part gave.
    pub(crate) part: &'m Part<'m>,
    pub(crate) within: Within<'m>,
    landmarks: OnceLock<Landmarks>,
}

/// What tells matches of one text apart: found once, when the first of them is asked for its place.
#[derive(Debug)]
enum Landmarks {
    /// The fields of a header.
    Fields(Vec<Field>),
    /// The messages that a plain text encloses.
    Enclosed(Vec<(Enclosed, OnceLock<Arc<Envelope>>)>),
}

/// What is searched of a part.
#[derive(Debug)]
pub(crate) enum Within<'m> {
    /// Its text, from an offset on.
    Text(usize),
    /// What a reader sees of its HTML.
    Html(&'m Mapped),
    /// A link.
    Link(&'m Anchor),
}

/// A link of HTML.
#[derive(Debug)]
pub(crate) struct Anchor {
    /// Where its attribute's value lies in the part's text.
    pub(crate) source: Range<usize>,
    /// `a href`, or `style`.
    pub(crate) attribute: String,
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) resolved: Option<Vec<u8>>,
}

impl<'m> Context<'m> {
    pub(crate) fn new(letter: &'m Letter<'m>, part: &'m Part<'m>, within: Within<'m>) -> Context<'m> {
        Context { letter, part, within, landmarks: OnceLock::new() }
    }

    /// Where a stretch of what is searched lies in the part's text.
    fn in_part(&self, range: Range<usize>) -> Range<usize> {
        match self.within {
            Within::Text(from) => from + range.start..from + range.end,
            Within::Html(text) => text.source(range),
            Within::Link(anchor) => anchor.source.clone(),
        }
    }

    /// The span of a stretch of what is searched: in the archive, or in the decoded part.
    pub(crate) fn span(&self, range: Range<usize>) -> Range<u64> {
        let range = self.part.positions.range(self.in_part(range));
        let base = if self.part.positions.base == Base::Source { self.letter.base } else { 0 };
        base + range.start as u64..base + range.end as u64
    }

    /// The line of what begins at an offset of what is searched: in the archive, or in the decoded part.
    pub(crate) fn position(&self, at: usize, lines: &mut LetterLines<'_>) -> Position {
        match self.part.positions.base {
            Base::Source => lines.in_archive(self.span(at..at).start),
            Base::Decoded => lines.in_part(&self.part.text, self.in_part(at..at).start),
        }
    }

    /// True if a stretch of what is searched was put together from several lines before it was searched
    /// (`format=flowed`).
    pub(crate) fn was_broken(&self, range: Range<usize>) -> bool {
        let Within::Text(_) = self.within else { return false };
        let length = range.len();
        let origin = self.part.positions.range(self.in_part(range));
        origin.len() != length
            && match self.part.positions.base {
                Base::Source => self.letter.bytes[origin].contains(&b'\n'),
                Base::Decoded => true,
            }
    }

    /// What a relative link resolves to.
    pub(crate) fn resolved(&self) -> Option<&[u8]> {
        if let Within::Link(anchor) = self.within { anchor.resolved.as_deref() } else { None }
    }

    /// The host that the text of the anchor shows, where the link, `url` as it is written, goes to another.
    pub(crate) fn shown_host(&self, url: &[u8]) -> Option<String> {
        let Within::Link(anchor) = self.within else { return None };
        misleading(anchor.text.as_deref()?, anchor.resolved.as_deref().unwrap_or(url))
    }

    /// How deep what begins at an offset of what is searched is quoted.
    pub(crate) fn quote_depth(&self, at: usize) -> Option<usize> {
        self.depth(self.in_part(at..at).start)
    }

    fn depth(&self, at: usize) -> Option<usize> {
        matches!(self.part.form, Form::Plain | Form::Other).then(|| quote_depth(&self.part.text, at))
    }

    /// All that is known of the place at an offset of what is searched; `url` is what stands there.
    pub(crate) fn place(&self, at: usize, url: &[u8]) -> Place {
        let Context { letter, part, .. } = self;
        let at = self.in_part(at..at).start;
        let lossy = |bytes: &[u8]| bytes.to_str_lossy().into_owned();
        let is_header = part.form == Form::Header;
        let body = &part.body;
        let Described { number, content_type, encoding } = match letter.is_plain && !is_header {
            true => letter.body().clone(),
            false => Described::of(part),
        };
        let anchor = if let Within::Link(anchor) = self.within { Some(anchor) } else { None };
        Place {
            message: Arc::clone(self.message(at)),
            number: letter.number,
            offset: letter.offset,
            part: number,
            content_type,
            encoding,
            header: match &part.header {
                Some(name) => Some(name.clone()),
                None if is_header => self.field(at).map(lossy),
                None => None,
            },
            quote_depth: self.depth(at),
            body: (!is_header).then(|| letter.base + body.start as u64..letter.base + body.end as u64),
            shown_host: self.shown_host(url),
            text: anchor.and_then(|anchor| anchor.text.as_deref()).map(lossy),
            attribute: anchor.map(|anchor| anchor.attribute.clone()),
            note: part.note.map(Note::as_str),
            resolved: self.resolved().map(<[u8]>::to_vec),
        }
    }

    /// The message around an offset of what is searched, and the part.
    pub(crate) fn brief(&self, at: usize) -> Brief<'_> {
        let Context { letter, part, .. } = *self;
        let is_body = part.form != Form::Header;
        let (inner, sender) = match self.enclosing(self.in_part(at..at).start) {
            None => (None, Sender::Letter(letter)),
            Some((start, envelope)) => (Some(start), Sender::Inner(envelope)),
        };
        Brief {
            number: letter.number,
            offset: letter.offset,
            inner,
            // A body that was not taken apart is the only one.
            part: part.number.as_deref().or((letter.is_plain && is_body).then_some("1")),
            encoding: (part.positions.base == Base::Decoded).then(|| part.encoding.as_str()),
            sender,
        }
    }

    /// The envelope of the message around a place of the part's text: of one that it encloses, or its own.
    fn message(&self, at: usize) -> &Arc<Envelope> {
        self.enclosing(at).map_or_else(|| self.letter.envelope(), |(_, envelope)| envelope)
    }

    fn landmarks(&self) -> &Landmarks {
        let text = &self.part.text[..];
        self.landmarks.get_or_init(|| match self.part.form {
            Form::Header => Landmarks::Fields(fields(text, 0..text.len()).collect()),
            Form::Plain => {
                Landmarks::Enclosed(enclosed(text).into_iter().map(|inner| (inner, OnceLock::new())).collect())
            }
            Form::Html | Form::Other => Landmarks::Enclosed(Vec::new()),
        })
    }

    /// The name of the field around a place of a header.
    fn field(&self, at: usize) -> Option<&[u8]> {
        let Landmarks::Fields(fields) = self.landmarks() else { return None };
        let field = fields[..fields.partition_point(|field| field.name.start <= at)].last()?;
        (at < field.value.end).then(|| &self.part.text[field.name.clone()])
    }

    /// The message that a plain text encloses around a place: where its header begins, and its envelope.
    fn enclosing(&self, at: usize) -> Option<(usize, &Arc<Envelope>)> {
        if self.part.form != Form::Plain {
            return None;
        }
        let Landmarks::Enclosed(enclosed) = self.landmarks() else { return None };
        let (inner, envelope) = enclosed[..enclosed.partition_point(|(inner, _)| inner.header.start <= at)].last()?;
        let read = || Arc::new(header::envelope(&self.part.text[inner.header.clone()], inner.header.len()));
        (at < inner.body.end).then(|| (inner.header.start, envelope.get_or_init(read)))
    }
}

/// The host that a text shows, if that is not the host of the URL it is the anchor of. `www.` is often left out of what is
/// shown, and misleads nobody.
fn misleading(text: &[u8], url: &[u8]) -> Option<String> {
    fn site(host: &[u8]) -> &[u8] {
        host.strip_prefix(b"www.").unwrap_or(host)
    }
    let shown = html::shown_host(text)?;
    let host = crate::url::Generic::parse(url)?.host?.to_ascii_lowercase();
    let host = host.strip_suffix(b".").unwrap_or(&host);
    (site(host) != site(shown.as_bytes())).then_some(shown)
}

/// Counts the lines of a message in its archive, and those of a decoded part.
///
/// Parts come in the order of their places, and so do the matches of one. Should one of them lie before the last, counting
/// begins again with the message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LetterLines<'b> {
    /// The archive from `base` on.
    bytes: &'b [u8],
    base: u64,
    start: Lines,
    now: Lines,
    part: Lines,
}

impl<'b> LetterLines<'b> {
    /// Begins where the message does, up to which `lines` has counted.
    pub(crate) fn new(bytes: &'b [u8], base: u64, lines: Lines) -> LetterLines<'b> {
        LetterLines { bytes, base, start: lines, now: lines, part: lines.restart() }
    }

    /// Goes on with another part.
    pub(crate) fn enter_part(&mut self) {
        self.part = self.part.restart();
    }

    fn in_archive(&mut self, offset: u64) -> Position {
        if self.now.has_passed(offset) {
            self.now = self.start;
        }
        self.now.position(self.bytes, self.base, offset)
    }

    fn in_part(&mut self, text: &[u8], at: usize) -> Position {
        let at = at.min(text.len()) as u64;
        if self.part.has_passed(at) {
            self.part = self.part.restart();
        }
        self.part.position(text, 0, at)
    }
}

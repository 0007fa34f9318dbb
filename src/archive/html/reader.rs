//! Assembles the tokenizer's reports of a window, which is a stretch of a part (see `windows`).

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use bstr::ByteSlice;
use html5gum::{Emitter, Error, State};

use super::bases::ElementBases;
use super::entities::Entities;
use super::flow::{Flow, Gap};
use super::names::{Attribute, Element, Name, is_bracketed};
use super::others::OtherValues;
use super::part::{Html, Link, Run, RunKind};
use super::scan::PlainAttribute;
use super::values;
use super::xml::{InnerPage, holds_html, secret_label};
use crate::bytes::logical::Logical;
use crate::bytes::simd::Backend;

/// The elements and states that are open at the end of a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenElements {
    state: Option<State>,
    /// The open element whose content becomes a run.
    raw: Option<Element>,
    last_start: Name,
    cells: u32,
    preformatted: u32,
    is_html: bool,
    foreign: u32,
    is_xhtml: bool,
}

/// A window of XML ends after this many links and inner pages. Each needs a few KiB of memory until
/// it is searched.
const MOST_OF_XML: usize = 2048;

/// The namespace of XHTML.
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// Returns whether a source is a character reference without a `;`.
fn is_unclosed(source: &[u8]) -> bool {
    source.starts_with(b"&") && !source.ends_with(b";")
}

/// Returns all of a source as one run.
pub(super) fn plain(source: &[u8]) -> Html<'_> {
    let runs = vec![Run { kind: RunKind::Plain, source: 0..source.len() }];
    Html { runs, length: source.len(), ..Html::default() }
}

#[derive(Default)]
pub(super) struct Reader<'a> {
    pub(super) source: &'a [u8],
    /// The offset up to which the source has been read.
    pub(super) position: usize,
    /// The offset up to which text, tags and comments have been processed.
    pub(super) cursor: usize,
    /// The offset of the last `<` that may begin a tag or a comment.
    pub(super) tag_start: usize,
    pub(super) tag: Tag,
    pub(super) name: Name,
    /// The attributes of a plain tag, kept as room for those of the next.
    pub(super) attributes: Vec<PlainAttribute>,
    /// The offset of the next colon, for the values of attributes.
    pub(super) next_colon: usize,
    attribute: Pending,
    value: Value,
    /// The open element whose content becomes a run, and the start of that content.
    pub(super) raw: Option<(Element, usize)>,
    /// The name of the last element whose content has no tags.
    pub(super) last_start: Name,
    anchor: Option<Anchor>,
    /// The number of open table cells.
    cells: u32,
    /// Whether the part has a tag, a comment or a character reference of HTML.
    pub(super) is_html: bool,
    /// Whether the part is XML: CDATA sections are text, and HTML elements occur only in texts.
    pub(super) is_xml: bool,
    /// The number of open `<svg>` and `<math>`. Their elements have no rules of HTML.
    foreign: u32,
    /// Whether the page is XHTML, whose elements may close themselves.
    is_xhtml: bool,
    /// In XML, the offset of the last tag in the text.
    last_tag: usize,
    /// The offset in the text at which the instruction of a field of Word begins.
    instruction: Option<usize>,
    pub(super) bases: ElementBases,
    /// The entities that the document of XML declares.
    pub(super) entities: Arc<Entities>,
    pub(super) inner: Vec<InnerPage>,
    pub(super) others: OtherValues,
    pub(super) flow: Flow,
    pub(super) links: Vec<Link<'a>>,
    pub(super) runs: Vec<Run>,
    pub(super) base: Option<usize>,
    /// The tokenizer's state. `None` within ordinary text.
    pub(super) state: Option<State>,
    /// The instructions that scan tags.
    pub(super) backend: Backend,
    /// Whether the source has no NUL, so that plain markup needs no tokenizer.
    pub(super) is_plain: bool,
    /// Whether the source has a CR.
    pub(super) has_returns: bool,
    /// Whether the tokenizer has read a tag or a comment to its end.
    pub(super) is_token_over: bool,
    /// The first offset at which the window may end.
    enough: usize,
    /// Whether the window ends at the current position.
    pub(super) is_over: bool,
    /// Whether the end of the source has been read.
    pub(super) is_ended: bool,
    /// Whether the source ends within a tag or comment.
    pub(super) is_unfinished: bool,
    /// Whether the source is the content of a conditional comment.
    is_conditional: bool,
    /// Whether the source is a page within a page.
    pub(super) is_inner: bool,
}

/// The tag that is being read, or the last one. It stays in its place, because moving it costs more
/// than reading most tags.
#[derive(Default)]
pub(super) struct Tag {
    is_open: bool,
    is_end: bool,
    /// Whether the tag closes itself (`/>`).
    is_empty: bool,
    element: Option<Element>,
    /// The attributes read so far, as bits. Later duplicates are ignored.
    seen: u32,
    /// The numbers of links and of other values before the tag.
    links: usize,
    others: usize,
    pub(super) href: Option<usize>,
    /// In XML, the link of `xml:base`.
    pub(super) base: Option<usize>,
    pub(super) is_refresh: bool,
    /// The value of `content` or `alt`, which is used only when the tag is complete.
    pub(super) kept: Option<(Attribute, Value)>,
}

/// The attribute that is being read.
#[derive(Default)]
enum Pending {
    #[default]
    None,
    Named(Name),
    /// An attribute whose value is read.
    Known(Attribute),
}

/// An open `<a>`.
struct Anchor {
    link: Option<usize>,
    /// The offset at which the anchor's text begins.
    start: usize,
    /// The number of cells that are open around the anchor.
    cells: u32,
}

/// A value. It is only a range of the source until a piece of it needs decoding.
#[derive(Default)]
pub(super) struct Value {
    pub(super) source: Range<usize>,
    pub(super) decoded: Option<Logical>,
}

impl Value {
    pub(super) fn bytes<'v>(&'v self, source: &'v [u8]) -> &'v [u8] {
        self.decoded.as_ref().map_or(&source[self.source.clone()], Logical::bytes)
    }

    pub(super) fn source_of(&self, range: Range<usize>) -> Range<usize> {
        match &self.decoded {
            Some(decoded) => decoded.source(range),
            None => self.source.start + range.start..self.source.start + range.end,
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a [u8], open: OpenElements, enough: usize) -> Self {
        let OpenElements { state, raw, last_start, cells, preformatted, is_html, foreign, is_xhtml } = open;
        let flow = Flow::within(preformatted);
        let raw = raw.map(|element| (element, 0));
        Reader { source, enough, state, raw, last_start, cells, flow, is_html, foreign, is_xhtml, ..Reader::default() }
    }

    pub(super) fn open_at_end(&self) -> OpenElements {
        let raw = self.raw.map(|(element, _)| element);
        let preformatted = self.flow.preformatted;
        let Reader { state, last_start, cells, is_html, foreign, is_xhtml, .. } = *self;
        OpenElements { state, raw, last_start, cells, preformatted, is_html, foreign, is_xhtml }
    }

    /// Returns the window, and sets the bases that are open after it.
    pub(super) fn into_html(mut self, open: &mut ElementBases) -> Html<'a> {
        let bases = self.bases.end_window();
        *open = mem::take(&mut self.bases);
        if !self.is_html && self.links.is_empty() && !self.source.is_empty() {
            return plain(self.source);
        }
        let length = if self.is_over { self.position } else { self.source.len() };
        let Reader { links, runs, inner, others, base, .. } = self;
        Html { links, text: self.flow.into_text(), runs, inner, others, base, bases, length }
    }

    /// Returns only the text.
    pub(super) fn into_text(self) -> Logical {
        self.flow.into_text()
    }

    /// Ends the window here if it is long enough. This is called after each complete tag.
    fn end_window(&mut self, element: Element) {
        let is_block = !matches!(
            element,
            Element::Inline | Element::Unknown | Element::Anchor | Element::Image | Element::Foreign
        );
        let is_in_link = self.anchor.as_ref().is_some_and(|anchor| anchor.link.is_some());
        let links = if self.is_xml { self.links.len() + self.bases.count() } else { 0 };
        let is_full = links + self.inner.len() >= MOST_OF_XML;
        let is_end = is_full || self.position >= self.enough && is_block;
        self.is_over = (is_full || is_end && !is_in_link) && self.state.is_none();
        if self.is_over {
            self.close_anchor();
        }
    }

    /// Returns the range from which a piece was read, and whether the piece is a copy of it. (A line
    /// feed is a copy of a carriage return, too.) Moves the cursor to its end.
    ///
    /// The tokenizer reports only its position after the piece, or after several pieces. The LF of
    /// a CRLF, or a dropped `</>`, may stand between two pieces.
    fn place(&mut self, piece: &[u8]) -> (Range<usize>, bool) {
        let mut cursor = self.cursor.min(self.position);
        let start = self.position.saturating_sub(piece.len());
        // Most pieces are a copy of the bytes that were just read.
        if start == cursor && !matches!(piece, [b'&' | b'\n', ..] | []) && piece[0] == self.source[start] {
            self.cursor = self.position;
            return (start..self.position, true);
        }
        if self.source[..cursor].ends_with(b"\r") && self.source[cursor..self.position].starts_with(b"\n") {
            cursor += 1;
        }
        while start >= cursor + 3 && self.source[cursor..].starts_with(b"</>") {
            cursor += 3;
        }
        if self.is_xml {
            cursor = self.after_cdata(cursor, start);
        }
        let rest = &self.source[cursor..self.position];
        let is_verbatim = rest.starts_with(piece) || piece == b"\n" && rest.starts_with(b"\r");
        // `&amp;` begins with the same `&` that it stands for, so a prefix match is not enough.
        if is_verbatim && (start == cursor || !rest.starts_with(b"&")) {
            self.cursor = cursor + piece.len();
            (cursor..self.cursor, true)
        } else {
            self.cursor = self.position;
            (cursor..self.position, false)
        }
    }

    /// Returns whether the source of a decoded piece is a parameter of a URL, like `&copy=`. It only
    /// looks like a character reference without its `;`.
    ///
    /// In XML every reference ends with `;`. In HTML the standard keeps `&copy=` and `&region` as
    /// they are in attributes. Here the same applies to a URL in the text. Blanks and the marks of
    /// HTML are references there: `http://h.example/&ltbr>`.
    fn is_parameter(&self, piece: &[u8], range: &Range<usize>) -> bool {
        let is_mark = piece.is_ascii() || piece == "\u{A0}".as_bytes();
        let follows = |byte: &u8| *byte == b'=' || !is_mark && byte.is_ascii_alphanumeric();
        let is_name = self.source.get(range.start + 1).is_some_and(u8::is_ascii_alphabetic);
        let in_url = || is_name && self.source.get(range.end).is_some_and(follows) && self.flow.ends_in_url();
        is_unclosed(&self.source[range.clone()]) && (self.is_xml || in_url())
    }

    /// Skips the delimiters of CDATA sections between two pieces.
    fn after_cdata(&self, mut cursor: usize, start: usize) -> usize {
        let skipped = |cursor: usize| {
            let rest = &self.source[cursor..self.position];
            [&b"]]>"[..], b"<![CDATA["].iter().find(|mark| rest.starts_with(mark)).map(|mark| cursor + mark.len())
        };
        while let Some(next) = skipped(cursor).filter(|&next| next <= start) {
            cursor = next;
        }
        cursor
    }

    /// Moves the text since the last tag out of the XML text if the moved text is HTML.
    fn end_text(&mut self) {
        if holds_html(&self.flow.bytes()[self.last_tag..]) {
            let (text, base) = (self.flow.take_from(self.last_tag), self.bases.current());
            self.inner.push(InnerPage { text, base });
        }
        self.last_tag = self.flow.len();
    }

    /// Enters or leaves an element of XML.
    fn follow_bases(&mut self) {
        let Tag { is_end, is_empty, links, base, .. } = self.tag;
        if is_end {
            self.bases.leave(&self.name, self.flow.bytes()[self.last_tag..].trim_ascii());
            return;
        }
        let xml_base = base.map(|link| &*self.links[link].value);
        self.bases.enter(&self.name, xml_base);
        // The base of an element is also the base of its own attributes.
        let around = self.bases.current();
        let others = self.links[links..].iter_mut().enumerate().filter(|(at, _)| Some(links + at) != base);
        others.for_each(|(_, link)| link.base = around);
        if is_empty {
            self.bases.leave(&Name::default(), b"");
        }
    }

    /// Begins or ends the instruction of a field of Word.
    fn follow_fields(&mut self, element: Element, is_end: bool) {
        match self.name.as_bytes() {
            b"w:instrtext" if !is_end => {
                self.instruction.get_or_insert(self.flow.len());
            }
            b"w:fldchar" => self.instruction.take().into_iter().for_each(|start| self.flow.join_field(start)),
            // A link, or a text that is moved out, may not lie within the joined text.
            _ if element != Element::Inline => {
                self.instruction.take().into_iter().for_each(|start| self.flow.join_field(start));
            }
            _ => {}
        }
    }

    pub(super) fn begin_tag(&mut self, is_end: bool) {
        self.name = Name::default();
        let (links, others) = (self.links.len(), self.others.count());
        self.tag = Tag { is_open: true, is_end, links, others, ..Tag::default() };
        self.attribute = Pending::None;
    }

    /// Returns the attribute of this name, unless the tag has it already.
    pub(super) fn known_attribute(&mut self, name: &Name) -> Option<Attribute> {
        let tag = &mut self.tag;
        let found = if self.is_xml {
            Attribute::in_xml(name)
        } else {
            Attribute::of(name, *tag.element.get_or_insert_with(|| Element::of(&self.name)))
        };
        let is_new = tag.seen & found.bit == 0;
        tag.seen |= found.bit;
        is_new.then_some(found)
    }

    fn name_attribute(&mut self) {
        let Pending::Named(name) = self.attribute else { return };
        self.attribute = self.known_attribute(&name).map_or(Pending::None, Pending::Known);
        self.value.source = self.position..self.position;
        self.value.decoded = None;
    }

    fn end_attribute(&mut self) {
        self.name_attribute();
        let Pending::Known(attribute) = mem::take(&mut self.attribute) else { return };
        let value = mem::take(&mut self.value);
        self.read_value(attribute, value);
    }

    /// Drops the links of an invalid tag. If the base is among them, drops it, too.
    fn drop_links(&mut self) {
        let Tag { links, others, .. } = self.tag;
        self.links.truncate(links);
        self.others.keep(others);
        self.base = self.base.filter(|&base| base < links);
    }

    pub(super) fn add_run(&mut self, kind: RunKind, source: Range<usize>) {
        if !source.is_empty() {
            self.runs.push(Run { kind, source });
        }
    }

    /// Adds the links of a conditional comment (`[if mso]>…<![endif]`), because Outlook shows its
    /// content.
    fn add_conditional(&mut self, comment: Range<usize>) {
        let source: &'a [u8] = &self.source[comment.clone()];
        let is_conditional = source.trim_ascii_start().starts_with(b"[if ");
        let Some(open) = source.find(b"]>").filter(|_| is_conditional && !self.is_conditional) else { return };
        let start = comment.start + open + 2;
        // A nested conditional comment is not searched for links. Otherwise a row of openings would
        // be read once per opening.
        let mut reader =
            Reader { is_conditional: true, ..Reader::new(&source[open + 2..], OpenElements::default(), usize::MAX) };
        reader.run();
        self.links.extend(reader.links.into_iter().map(|link| {
            let source = start + link.source.start..start + link.source.end;
            Link { source, text: 0..0, ..link }
        }));
    }

    fn open(&mut self, element: Element) -> Option<State> {
        if self.is_xml && element != Element::Anchor {
            return None;
        }
        let is_closed = self.tag.is_empty && (self.is_xhtml || self.foreign > 0);
        match element {
            Element::Anchor => {
                self.close_anchor();
                self.anchor = Some(Anchor { link: self.tag.href, start: self.flow.len(), cells: self.cells });
            }
            Element::Base => self.base = self.base.or(self.tag.href),
            Element::Foreign if !self.tag.is_empty => self.foreign = self.foreign.saturating_add(1),
            Element::Cell if !is_closed => self.cells = self.cells.saturating_add(1),
            Element::Image => {
                if let Some((_, alternative)) = self.tag.kept.take() {
                    self.put_alternative(&alternative);
                }
            }
            Element::Meta => {
                let reference = if self.tag.is_refresh { values::refresh } else { values::absolute };
                let kept = self.tag.kept.take();
                match kept.map(|(attribute, content)| (attribute, reference(content.bytes(self.source)), content)) {
                    Some((attribute, Some(range), content)) => {
                        self.add_link(Some(attribute.name), &content, range);
                        // Links must be in source order, and other attributes may follow `content`
                        // in the tag.
                        self.links[self.tag.links..].sort_by_key(|link| link.source.start);
                    }
                    Some((_, None, content)) => self.add_other(content),
                    None => {}
                }
            }
            Element::Unknown => {
                let source = self.tag_start..self.position;
                if is_bracketed(&self.source[source.clone()]) {
                    self.drop_links();
                    self.add_run(RunKind::Markup, source);
                }
            }
            Element::Inline if self.parts_urls() => self.flow.widen(Gap::Blank),
            _ => {}
        }
        // In a drawing, `<title>` and similar elements hold elements. A style or a script is text in
        // both worlds.
        let is_element =
            self.foreign > 0 && !matches!(element, Element::Script | Element::Style | Element::Preformatted);
        if is_closed || is_element {
            if is_closed && element == Element::Anchor {
                self.close_anchor();
            }
            return None;
        }
        let state = match element {
            Element::Script => State::ScriptData,
            Element::Style | Element::Fallback | Element::Example => State::RawText,
            Element::TextArea | Element::Title => State::RcData,
            Element::PlainText => State::PlainText,
            Element::Preformatted => {
                self.flow.preformatted += 1;
                return None;
            }
            _ => return None,
        };
        self.last_start = self.name;
        match element {
            Element::Script | Element::Style | Element::Fallback => self.raw = Some((element, self.position)),
            Element::TextArea | Element::Example | Element::PlainText => self.flow.preformatted += 1,
            _ => {}
        }
        Some(state)
    }

    /// Returns true if the tag that ends here separates two URLs, as in
    /// `<span>u</span><span>u2</span>`. The tag must directly follow an end tag. The word before
    /// the tag must hold `://`, and a scheme and `://` must follow the tag.
    fn parts_urls(&self) -> bool {
        const NAME: usize = 16;
        const SCHEME: usize = 32;
        const URL: usize = 1024;
        let before = &self.source[..self.tag_start];
        if !before.ends_with(b">") {
            return false;
        }
        let scheme = self.source[self.position..].iter().take(SCHEME).take_while(|byte| byte.is_ascii_alphanumeric());
        let behind = &self.source[self.position + scheme.count()..];
        if !behind.starts_with(b"://") || behind.len() == self.source.len() - self.position {
            return false;
        }
        let before = &before[before.len().saturating_sub(NAME)..];
        let is_end = before.rfind_byte(b'<').is_some_and(|at| before[at..].starts_with(b"</"));
        let text = self.flow.bytes();
        let text = &text[text.len().saturating_sub(URL)..];
        let word = text.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        // After `=` the second URL is a value in the query of the first URL.
        is_end && word.contains_str("://") && !word.ends_with(b"=")
    }

    fn close(&mut self, element: Element) {
        if self.is_xml && element != Element::Anchor {
            return;
        }
        match element {
            Element::Anchor => self.close_anchor(),
            Element::Foreign => self.foreign = self.foreign.saturating_sub(1),
            Element::Cell => {
                self.cells = self.cells.saturating_sub(1);
                if self.anchor.as_ref().is_some_and(|anchor| self.cells < anchor.cells) {
                    self.close_anchor();
                }
            }
            Element::Preformatted | Element::TextArea | Element::Example => {
                self.flow.preformatted = self.flow.preformatted.saturating_sub(1);
            }
            Element::Script | Element::Style | Element::Fallback => self.close_raw(self.tag_start),
            _ => {}
        }
    }

    fn close_raw(&mut self, end: usize) {
        let Some((element, start)) = self.raw.take() else { return };
        if element == Element::Style {
            self.add_css(None, &Value { source: start..end, decoded: None });
        }
        self.add_run(RunKind::Raw, start..end);
    }

    fn close_anchor(&mut self) {
        if let Some(Anchor { link: Some(link), start, .. }) = self.anchor.take() {
            // The casts cannot truncate, because every window is far below 4 GiB.
            self.links[link].text = start as u32..self.flow.len() as u32;
        }
    }

    /// Ends the tag whose attributes have been read.
    pub(super) fn end_tag(&mut self) {
        self.cursor = self.position;
        if !mem::take(&mut self.tag.is_open) {
            return;
        }
        let Tag { is_end, is_empty, .. } = self.tag;
        let element = match self.tag.element {
            Some(element) => element,
            None if self.is_xml => Element::in_xml(&self.name, is_empty),
            None => Element::of(&self.name),
        };
        if self.is_xml {
            self.follow_bases();
            // A report shows the text around a URL, and masks only secrets that have a name.
            self.flow.label = if is_end || is_empty { b"" } else { secret_label(&self.name) };
        }
        if self.is_xml {
            self.follow_fields(element, is_end);
        }
        if self.is_xml && element != Element::Inline {
            self.end_text();
        }
        self.is_html |= element != Element::Unknown;
        if element == Element::Block && self.name.as_bytes() == b"html" {
            self.is_xhtml |= self.source[self.tag_start..self.position].contains_str(XHTML);
        }
        match element {
            Element::Break => self.flow.break_line(),
            Element::Block | Element::TextArea | Element::Title => self.flow.widen(Gap::Line),
            Element::Paragraph | Element::Preformatted | Element::Example | Element::PlainText => {
                self.flow.widen(Gap::Paragraph);
            }
            Element::Cell => self.flow.widen(Gap::Tab),
            Element::Image => self.flow.widen(Gap::Blank),
            _ => {}
        }
        self.state = None;
        if is_end {
            self.close(element);
        } else {
            self.state = self.open(element);
        }
        self.end_window(element);
    }

    /// Marks whether the tag closes itself.
    pub(super) fn close_itself(&mut self, is_empty: bool) {
        self.tag.is_empty = is_empty;
    }

    /// Reads the comment that ends here.
    pub(super) fn end_comment(&mut self) {
        self.cursor = self.position;
        let comment = &self.source[self.tag_start..self.position];
        self.is_xhtml |= !self.is_html && comment.starts_with(b"<?xml ");
        self.is_html = true;
        self.is_unfinished |= !comment.ends_with(b">");
        // The delimiter of a bogus comment (`<?xml …>`, `<![if mso]>`) has two bytes. Any comment
        // may lack its end.
        let is_bogus = !comment.starts_with(b"<!--");
        let (open, closers): (usize, &[&[u8]]) = if is_bogus { (2, &[b">"]) } else { (4, &[b"-->", b"--!>", b">"]) };
        let inner = comment.get(open..).unwrap_or_default();
        let inner = closers.iter().find_map(|closer| inner.strip_suffix(*closer)).unwrap_or(inner);
        let start = self.tag_start + open;
        let inner = start..start + inner.len();
        self.add_conditional(inner.clone());
        self.add_run(RunKind::Comment, inner);
    }

    /// Ends what is open at the end of the source.
    pub(super) fn end_source(&mut self) {
        self.is_ended = true;
        if let Some((element, start)) = self.raw {
            self.close_raw(self.source.len());
            self.raw = Some((element, start));
        } else if self.tag.is_open {
            self.drop_links();
            self.add_run(RunKind::Markup, self.tag_start..self.source.len());
            self.is_unfinished = true;
        }
        if self.is_xml {
            self.end_text();
        }
        self.close_anchor();
    }

    fn put_alternative(&mut self, value: &Value) {
        match &value.decoded {
            None => self.flow.put(&self.source[value.source.clone()], value.source.start),
            Some(decoded) => self.flow.put_decoded(decoded.bytes(), value.source.clone()),
        }
        self.flow.widen(Gap::Blank);
    }
}

impl Emitter for &mut Reader<'_> {
    /// Signals that the tokenizer is no longer needed.
    type Token = ();

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.position = self.position.saturating_add_signed(offset);
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn pop_token(&mut self) -> Option<()> {
        (self.is_over || self.is_token_over && self.is_plain).then_some(())
    }

    fn emit_eof(&mut self) {
        self.end_source();
    }

    fn emit_string(&mut self, piece: &[u8]) {
        self.tag.is_open = false; // the source was text, not a tag
        if self.raw.is_some() {
            return;
        }
        match self.place(piece) {
            (range, true) if piece != b"\0" => self.flow.put(piece, range.start),
            // A browser drops a NUL in text.
            (_, true) => {}
            (range, false) if self.is_parameter(piece, &range) => {
                self.flow.put(&self.source[range.clone()], range.start);
            }
            (range, false) => {
                self.is_html |= self.source[range.clone()].starts_with(b"&");
                self.flow.put_decoded(piece, range);
            }
        }
    }

    fn start_open_tag(&mut self) {
        self.tag_start = self.position.saturating_sub(1);
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    fn push_tag_name(&mut self, piece: &[u8]) {
        self.name.push(piece);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
        if self.tag.is_open && !self.tag.is_end {
            self.attribute = Pending::Named(Name::default());
        }
    }

    fn push_attribute_name(&mut self, piece: &[u8]) {
        if let Pending::Named(name) = &mut self.attribute {
            name.push(piece);
        }
    }

    /// Looks up the complete name, so that the value of an irrelevant attribute is not collected.
    fn init_attribute_value(&mut self) {
        self.name_attribute();
        self.cursor = self.position;
    }

    fn push_attribute_value(&mut self, piece: &[u8]) {
        if !matches!(self.attribute, Pending::Known(_)) {
            return;
        }
        match (self.place(piece), &mut self.value.decoded) {
            ((_, true), None) => {}
            ((range, true), Some(decoded)) => decoded.append(piece, range.start),
            ((range, false), None) if self.is_xml && is_unclosed(&self.source[range.clone()]) => {}
            ((range, false), Some(decoded)) if self.is_xml && is_unclosed(&self.source[range.clone()]) => {
                decoded.append(&self.source[range.clone()], range.start);
            }
            ((range, false), decoded) => {
                let before = self.value.source.clone();
                let decoded = decoded.get_or_insert_with(|| {
                    let mut decoded = Logical::default();
                    if !before.is_empty() {
                        decoded.append(&self.source[before.clone()], before.start);
                    }
                    decoded
                });
                decoded.replace(piece, range);
            }
        }
        self.value.source.end = self.position;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        self.end_tag();
        self.is_token_over = true;
        self.state
    }

    fn set_self_closing(&mut self) {
        self.close_itself(true);
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.is_xml
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_open && self.tag.is_end && self.name == self.last_start
    }

    fn emit_current_comment(&mut self) {
        self.end_comment();
        self.is_token_over = true;
    }

    fn emit_current_doctype(&mut self) {
        self.is_token_over = true;
        self.is_html = true;
        self.cursor = self.position;
        // The tokenizer of HTML ends a doctype at the first `>` of its internal subset.
        if let Some(open) = memchr::memchr(b'[', &self.source[self.tag_start..self.position]) {
            self.add_run(RunKind::Comment, self.tag_start + open + 1..self.position);
            if self.is_xml {
                self.entities = Arc::new(Entities::of(&self.source[self.tag_start..]));
            }
        }
        self.is_unfinished |= !self.source[..self.position].ends_with(b">");
    }

    // Ignores the pieces of comments and doctypes, because a comment is a range of the source.
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
}

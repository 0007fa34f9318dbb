//! The matches of a part of HTML: its links, and the URLs in the text that a reader sees.

use std::ops::{ControlFlow, Range};

use bstr::ByteSlice;

use crate::archive::html::{ElementBase, Html, InnerPage, Link, LinkOrigin, RunKind, Windows, read_inner};
use crate::archive::message::{BASE_BYTES, Form, Part};
use crate::archive::mime::entity::has_scheme;
use crate::drive::match_loop::MatchLoop;
use crate::drive::place::{LinkPlace, Within};
use crate::find::{Kind, Options, Pieces, RawMatch, Window};
use crate::url;

/// Passes each match of a whole part to `give`, with the text that holds it, in source order.
/// Returns whether a base URL of the part is too long to be used.
pub(super) fn each_match(
    given: Option<&[u8]>,
    part: &Part<'_>,
    is_damaged: bool,
    matches: &mut MatchLoop,
    options: Options,
    mut give: impl FnMut(Within<'_>, &[u8], RawMatch),
) -> bool {
    let mut windows = Windows::new(part.form == Form::Xml);
    let mut at = 0;
    let mut is_too_long = false;
    while let Some(html) = windows.next(&part.text[at..], true).filter(|html| html.length > 0) {
        let base = LinkBase::of(given, part, windows.base(), &html.bases);
        is_too_long |= base.is_too_long;
        let window = HtmlWindow { html: &html, source: &part.text[at..at + html.length], at, base };
        at += html.length;
        window.each_match(is_damaged && at == part.text.len(), matches, options, &mut give);
    }
    is_too_long
}

/// The base of a part's relative links. It combines the bases of the caller, the headers and the
/// part itself.
#[derive(Default)]
pub(super) struct LinkBase {
    url: Option<Vec<u8>>,
    /// The bases of elements of XML, each with the index of the base around it.
    of_elements: Vec<(Option<Vec<u8>>, Option<u32>)>,
    /// A base was too long to be used.
    pub(super) is_too_long: bool,
}

impl LinkBase {
    /// Returns the base of the links of a window. Each base is resolved against the previous one.
    /// `given` is the caller's base, and `own` the page's own base, if it was read so far.
    /// `elements` are the bases of elements of XML.
    pub(super) fn of(given: Option<&[u8]>, part: &Part<'_>, own: Option<&[u8]>, elements: &[ElementBase]) -> LinkBase {
        let mut base = LinkBase::default();
        for own in given.into_iter().chain(part.bases.iter().map(Vec::as_slice)).chain(own) {
            base.url = base.within(None, own);
        }
        for element in elements {
            let url = if element.value.is_empty() { None } else { base.within(element.around, &element.value) };
            base.of_elements.push((url, element.around));
        }
        base
    }

    /// Resolves a base against the base around it.
    fn within(&mut self, around: Option<u32>, own: &[u8]) -> Option<Vec<u8>> {
        let url = match self.at(around) {
            _ if has_scheme(own) => Some(own.to_vec()),
            Some(around) => url::resolve_3986(around, own).ok(),
            None => None,
        };
        self.is_too_long |= url.as_ref().is_some_and(|url| url.len() > BASE_BYTES);
        url.filter(|url| url.len() <= BASE_BYTES)
    }

    /// Returns the base of an element, or of the elements around it.
    pub(super) fn at(&self, mut element: Option<u32>) -> Option<&[u8]> {
        while let Some((url, around)) = element.and_then(|element| self.of_elements.get(element as usize)) {
            if url.is_some() {
                return url.as_deref();
            }
            element = *around;
        }
        self.url.as_deref()
    }
}

/// A window of a part, at offset `at` of the part's text in memory.
pub(super) struct HtmlWindow<'w> {
    pub(super) html: &'w Html<'w>,
    pub(super) source: &'w [u8],
    pub(super) at: usize,
    /// The base of relative links.
    pub(super) base: LinkBase,
}

impl HtmlWindow<'_> {
    /// Passes each match to `give`, with the text that holds it, in the order of the source.
    pub(super) fn each_match(
        &self,
        is_damaged: bool,
        matches: &mut MatchLoop,
        options: Options,
        mut give: impl FnMut(Within<'_>, &[u8], RawMatch),
    ) {
        let HtmlWindow { html, source, at, ref base } = *self;
        let inner: Vec<Html<'_>> = html.inner.iter().map(read_inner).collect();
        let pages = html.inner.iter().zip(&inner).map(|(page, inner)| (inner, page.text.bytes(), Some(page)));
        let pages: Vec<HtmlPage<'_>> = std::iter::once((html, source, None))
            .chain(pages)
            .map(|(html, source, outer)| HtmlPage { html, source, outer, from: at })
            .collect();
        let mut found = Vec::new();
        for page in &pages {
            page.find(is_damaged, matches, options, &mut found);
        }
        found.sort_by_key(|&(at, _)| at);
        for (_, found) in found {
            match found {
                FoundInHtml::Text(text) => {
                    let (within, text, raw) = *text;
                    give(within, text, raw);
                }
                FoundInHtml::Other(page, raw) => {
                    let place = page.place_of_other(raw.start..raw.end);
                    give(Within::Link(&place), page.html.others.text().bytes(), *raw);
                }
                FoundInHtml::Link(page, link) => {
                    // Links are resolved one by one, because all resolved links together may be far
                    // longer than the page.
                    let Some(place) = page.place(link, base) else { continue };
                    matches.stats.matches += 1;
                    matches.stats.unresolved += u64::from(place.resolved.is_none() && !has_scheme(&link.value));
                    let is_broken = memchr::memchr2(b'\n', b'\r', &page.source[link.source.clone()]).is_some();
                    let is_archivers = link.origin == LinkOrigin::Archiver;
                    let kind = if is_archivers { Kind::Navigation } else { Kind::Attribute };
                    give(Within::Link(&place), &link.value, whole_link(kind, 0..link.value.len(), is_broken));
                }
            }
        }
    }
}

/// A finding in a window. A link is kept as references only, because a page may consist of links.
enum FoundInHtml<'w> {
    Link(&'w HtmlPage<'w>, &'w Link<'w>),
    /// A match in the value of another attribute.
    Other(&'w HtmlPage<'w>, Box<RawMatch>),
    /// A match in a text of the window.
    Text(Box<(Within<'w>, &'w [u8], RawMatch)>),
}

/// A window of HTML or XML, or a page within a text of XML.
struct HtmlPage<'w> {
    html: &'w Html<'w>,
    source: &'w [u8],
    /// The text of XML or of an attribute that holds this page, if any.
    outer: Option<&'w InnerPage>,
    /// Offset of the window in the part's text.
    from: usize,
}

impl<'w> HtmlPage<'w> {
    /// Converts a range of the source to a range of the window.
    fn in_window(&self, range: Range<usize>) -> Range<usize> {
        self.outer.map_or(range.clone(), |outer| outer.text.source(range))
    }

    /// Returns where a range of the source begins in the window.
    fn start(&self, range: Range<usize>) -> usize {
        self.in_window(range).start
    }

    /// Converts a place in the source to a place in the part.
    fn within(&self, within: impl FnOnce(usize) -> Within<'w>) -> Within<'w> {
        match self.outer {
            Some(outer) => Within::Inner(Box::new(within(0)), &outer.text, self.from),
            None => within(self.from),
        }
    }

    /// Returns the place of a link. Returns `None` if the link leads to a place in the same part,
    /// or cannot be resolved.
    fn place(&self, link: &Link<'_>, base: &LinkBase) -> Option<LinkPlace> {
        let element = self.outer.map_or(link.base, |outer| outer.base);
        let resolved = resolved(&link.value, base.at(element)).ok()?;
        let source = self.in_window(link.source.clone());
        let mut attribute = String::with_capacity(link.element.len() + 1 + link.attribute.map_or(0, str::len));
        attribute.push_str(&String::from_utf8_lossy(link.element));
        attribute.make_ascii_lowercase();
        if let Some(name) = link.attribute {
            attribute.push(' ');
            attribute.push_str(name);
        }
        let source = self.from + source.start..self.from + source.end;
        Some(LinkPlace { source, attribute: Some(attribute), text: self.html.anchor_text(link), resolved })
    }

    /// Returns the place of a match in the other values.
    fn place_of_other(&self, range: Range<usize>) -> LinkPlace {
        let others = &self.html.others;
        let source = self.in_window(others.text().source(range.clone()));
        let source = self.from + source.start..self.from + source.end;
        LinkPlace { source, attribute: others.name(range.start, self.source), text: None, resolved: None }
    }

    /// Searches the values of the attributes that hold no references. A reference among them, as in
    /// `style`, is already found.
    fn find_others(
        &'w self,
        links: &[&Link<'_>],
        matches: &mut MatchLoop,
        options: Options,
        found: &mut Vec<(usize, FoundInHtml<'w>)>,
    ) {
        let text = self.html.others.text();
        if text.len() == 0 {
            return;
        }
        let mut known = 0;
        let mut each = |raw: RawMatch| {
            let source = text.source(raw.start..raw.end);
            let before = links.partition_point(|link| link.source.end <= source.start);
            let is_archivers = self.html.others.is_archivers(raw.start);
            if links.get(before).is_some_and(|link| link.source.start < source.end)
                || is_archivers && !options.navigation
            {
                known += 1;
            } else {
                let start = self.start(source);
                let kind = if is_archivers { Kind::Navigation } else { Kind::Attribute };
                found.push((start, FoundInHtml::Other(self, Box::new(RawMatch { kind, ..raw }))));
            }
            ControlFlow::Continue(())
        };
        matches.restart(options, None);
        matches.run(Window::all(text.bytes()), 0, text.len(), &mut each);
        matches.stats.matches -= known;
    }

    /// Returns whether the text of a link is the link itself, shortened for display (B-CUT).
    fn is_cut(&self, link: &Link<'_>) -> bool {
        let text = self.html.text.bytes()[self.html.anchor_range(link)].trim_ascii();
        let start = [&b"..."[..], "…".as_bytes()].iter().find_map(|dots| text.strip_suffix(*dots));
        start.is_some_and(|start| start.contains_str("://") && link.value.starts_with(start))
    }

    /// Returns whether an archiver made this link from a URL in the text. The match in the text is
    /// then preferred, because it has the URL's end and its line.
    ///
    /// Outside preformatted text, the author may have made the link. So there, a match must cover
    /// the whole text of the link.
    fn is_automatic(&self, link: &Link<'_>, shown: &[Range<usize>]) -> bool {
        let range = self.html.anchor_range(link);
        let text = &self.html.text.bytes()[range.clone()];
        let start = range.start + text.len() - text.trim_ascii_start().len();
        let text = text.trim_ascii();
        let before = shown.partition_point(|found| found.start <= start);
        let is_found = shown[..before].last().is_some_and(|found| found.end >= start + text.len());
        text == &*link.value && (link.is_preformatted || is_found)
    }

    fn find(
        &'w self,
        is_damaged: bool,
        matches: &mut MatchLoop,
        options: Options,
        found: &mut Vec<(usize, FoundInHtml<'w>)>,
    ) {
        let HtmlPage { html, source, .. } = self;
        let text = html.text.bytes();
        // A tag that is cut off is not a link.
        let is_cut = |stretch: Range<usize>| is_damaged && stretch.end == source.len();
        let last = text.len().saturating_sub(1)..text.len();
        let window = Window { is_damaged: is_cut(html.text.source(last)), ..Window::all(text) };
        let cut: Vec<Range<usize>> =
            html.links.iter().filter(|link| self.is_cut(link)).map(|link| html.anchor_range(link)).collect();
        let (mut shown, mut whole_elsewhere): (Vec<Range<usize>>, u64) = (Vec::new(), 0);
        let mut each = |raw: RawMatch| {
            let before = cut.partition_point(|cut| cut.start <= raw.start);
            if cut[..before].last().is_some_and(|cut| raw.end <= cut.end) {
                whole_elsewhere += 1;
                return ControlFlow::Continue(());
            }
            let at = self.start(html.text.source(raw.start..raw.end));
            shown.push(raw.start..raw.end);
            let within = self.within(|from| Within::Html(&html.text, from));
            found.push((at, FoundInHtml::Text(Box::new((within, text, raw)))));
            ControlFlow::Continue(())
        };
        matches.restart(options, None);
        matches.run(window, 0, text.len(), &mut each);
        matches.stats.matches -= whole_elsewhere;
        let links = html.links.iter().filter(|link| match link.origin {
            _ if is_fragment(&link.value) => false,
            LinkOrigin::Page => true,
            LinkOrigin::Archiver => options.navigation,
            LinkOrigin::Message => !self.is_automatic(link, &shown),
        });
        let links: Vec<&Link<'_>> = links.collect();
        for link in &links {
            found.push((self.start(link.source.clone()), FoundInHtml::Link(self, link)));
        }
        self.find_others(&links, matches, options, found);
        for run in &html.runs {
            let text = &source[run.source.clone()];
            // The links of a style sheet and of a conditional comment are already found.
            let is_known = |raw: &RawMatch| {
                let (start, end) = (run.source.start + raw.start, run.source.start + raw.end);
                let before = links.partition_point(|link| link.source.end <= start);
                matches!(run.kind, RunKind::Raw | RunKind::Comment)
                    && links.get(before).is_some_and(|link| link.source.start < end)
            };
            let mut known = 0;
            let window = Window { is_damaged: is_cut(run.source.clone()), ..Window::all(text) };
            let mut each = |raw: RawMatch| {
                let at = run.source.start;
                match is_known(&raw) {
                    true => known += 1,
                    false => {
                        let start = self.start(at + raw.start..at + raw.end);
                        let within = self.within(|from| Within::Text(from + at));
                        found.push((start, FoundInHtml::Text(Box::new((within, text, raw)))));
                    }
                }
                ControlFlow::Continue(())
            };
            matches.restart(options, None);
            matches.run(window, 0, text.len(), &mut each);
            matches.stats.matches -= known;
        }
    }
}

/// Returns a match that covers the whole value of an attribute. The value is a separate text.
pub(super) fn whole_link(kind: Kind, whole: Range<usize>, rejoined: bool) -> RawMatch {
    RawMatch { rejoined, ..RawMatch::new(whole.clone(), kind, Pieces::One(whole)) }
}

/// Returns whether a reference leads to a place in the same part.
fn is_fragment(reference: &[u8]) -> bool {
    reference.starts_with(b"#")
}

/// Resolves a link. Returns `Ok(None)` if the link stays as written. Fails if it is a fragment or
/// cannot be resolved.
pub(super) fn resolved(value: &[u8], base: Option<&[u8]>) -> Result<Option<Vec<u8>>, ()> {
    match base {
        _ if has_scheme(value) => Ok(None),
        _ if is_fragment(value) => Err(()),
        Some(base) => url::resolve_3986(base, value).map(Some).map_err(|_| ()),
        None => Ok(None),
    }
}

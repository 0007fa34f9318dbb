//! The matches of a part of HTML: its links, and what is found in the text that a reader sees.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use crate::archive::html::{Html, Link, RunKind, Windows, read_inner};
use crate::archive::message::{Form, Part};
use crate::bytes::logical::Logical;
use crate::drive::match_loop::MatchLoop;
use crate::drive::place::{LinkPlace, Within};
use crate::find::{Kind, Options, Pieces, RawMatch, Window};
use crate::url;

/// Gives each match of a whole part with the text it is found in, in the order of the source.
pub(super) fn each_match(
    part: &Part<'_>,
    is_damaged: bool,
    matches: &mut MatchLoop,
    options: Options,
    mut give: impl FnMut(Within<'_>, &[u8], RawMatch),
) {
    let mut windows = Windows::new(part.form == Form::Xml);
    let mut at = 0;
    while let Some(html) = windows.next(&part.text[at..], true).filter(|html| html.length > 0) {
        let window =
            HtmlWindow { html: &html, source: &part.text[at..at + html.length], at, base: base_of(part, &windows) };
        at += html.length;
        window.each_match(is_damaged && at == part.text.len(), matches, options, &mut give);
    }
}

/// Returns what the relative links of a part are relative to: what the part says, and the headers.
pub(super) fn base_of(part: &Part<'_>, windows: &Windows) -> Option<Vec<u8>> {
    base_in(part.bases.iter().map(Vec::as_slice).chain(windows.base()))
}

/// Returns what links are relative to, of bases each of which is relative to the one before.
pub(super) fn base_in<'b>(bases: impl Iterator<Item = &'b [u8]>) -> Option<Vec<u8>> {
    bases.fold(None, |around, own| match around {
        _ if has_scheme(own) => Some(own.to_vec()),
        Some(around) => url::resolve_3986(&around, own).ok(),
        None => None,
    })
}

/// A window of a part, at an offset of what is at hand of its text.
pub(super) struct HtmlWindow<'w> {
    pub(super) html: &'w Html<'w>,
    pub(super) source: &'w [u8],
    pub(super) at: usize,
    /// What relative links are relative to.
    pub(super) base: Option<Vec<u8>>,
}

impl HtmlWindow<'_> {
    /// Gives each match with the text it is found in, in the order of the source.
    pub(super) fn each_match(
        &self,
        is_damaged: bool,
        matches: &mut MatchLoop,
        options: Options,
        mut give: impl FnMut(Within<'_>, &[u8], RawMatch),
    ) {
        let HtmlWindow { html, source, at, ref base } = *self;
        let inner: Vec<Html<'_>> = html.inner.iter().map(read_inner).collect();
        let pages = html.inner.iter().zip(&inner).map(|(page, inner)| (inner, page.0.bytes(), Some(&page.0)));
        let pages: Vec<HtmlPage<'_>> = std::iter::once((html, source, None))
            .chain(pages)
            .map(|(html, source, outer)| HtmlPage::new(html, source, outer, at, base.as_deref()))
            .collect();
        let mut found = Vec::new();
        for page in &pages {
            page.find(is_damaged, matches, options, &mut found);
        }
        found.sort_by_key(|&(at, ..)| at);
        for (_, within, text, raw) in found {
            give(within, &text, raw);
        }
    }
}

/// Matches with where they begin in the window.
type FoundInHtml<'w> = Vec<(usize, Within<'w>, Cow<'w, [u8]>, RawMatch)>;

/// A window of HTML or XML, or a page within a text of XML.
struct HtmlPage<'w> {
    html: &'w Html<'w>,
    source: &'w [u8],
    /// The text of XML that is this page.
    outer: Option<&'w Logical>,
    /// Offset of the window.
    from: usize,
    links: Vec<(LinkPlace, &'w Link<'w>)>,
}

impl<'w> HtmlPage<'w> {
    fn new(
        html: &'w Html<'w>,
        source: &'w [u8],
        outer: Option<&'w Logical>,
        from: usize,
        base: Option<&[u8]>,
    ) -> HtmlPage<'w> {
        let in_window = |range: Range<usize>| outer.map_or(range.clone(), |outer| outer.source(range));
        let links = html.links.iter();
        let links =
            links.filter_map(|link| Some((place(html, link, in_window(link.source.clone()), from, base)?, link)));
        HtmlPage { html, source, outer, from, links: links.collect() }
    }

    /// Returns where a range of the source begins in the window.
    fn start(&self, range: Range<usize>) -> usize {
        self.outer.map_or(range.start, |outer| outer.source(range).start)
    }

    /// Returns a place of the source as one of the window.
    fn within(&self, within: impl FnOnce(usize) -> Within<'w>) -> Within<'w> {
        match self.outer {
            Some(outer) => Within::Inner(Box::new(within(0)), outer, self.from),
            None => within(self.from),
        }
    }

    fn find(&'w self, is_damaged: bool, matches: &mut MatchLoop, options: Options, found: &mut FoundInHtml<'w>) {
        let HtmlPage { html, source, links, .. } = self;
        for (place, link) in links {
            let raw = attribute(0..link.value.len(), source[link.source.clone()].contains(&b'\n'));
            matches.stats.matches += 1;
            found.push((self.start(link.source.clone()), Within::Link(place), Cow::Borrowed(&link.value), raw));
        }
        let text = html.text.bytes();
        // A tag that is cut off is no link.
        let is_cut = |stretch: Range<usize>| is_damaged && stretch.end == source.len();
        let last = text.len().saturating_sub(1)..text.len();
        let window = Window { is_damaged: is_cut(html.text.source(last)), ..Window::all(text) };
        let mut each = |raw: RawMatch| {
            let at = self.start(html.text.source(raw.start..raw.end));
            found.push((at, self.within(|from| Within::Html(&html.text, from)), Cow::Borrowed(text), raw));
            ControlFlow::Continue(())
        };
        matches.restart(options, None);
        matches.run(window, 0, text.len(), &mut each);
        for run in &html.runs {
            let text = &source[run.source.clone()];
            // The links of a style sheet and of a conditional comment are known.
            let is_known = |raw: &RawMatch| {
                let (start, end) = (run.source.start + raw.start, run.source.start + raw.end);
                let before = links.partition_point(|(_, link)| link.source.end <= start);
                matches!(run.kind, RunKind::Raw | RunKind::Comment)
                    && links.get(before).is_some_and(|(_, link)| link.source.start < end)
            };
            let mut known = 0;
            let window = Window { is_damaged: is_cut(run.source.clone()), ..Window::all(text) };
            let mut each = |raw: RawMatch| {
                let at = run.source.start;
                match is_known(&raw) {
                    true => known += 1,
                    false => {
                        let start = self.start(at + raw.start..at + raw.end);
                        found.push((start, self.within(|from| Within::Text(from + at)), Cow::Borrowed(text), raw));
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

/// Returns an attribute's value as a match: a text of its own, and all of it.
pub(super) fn attribute(whole: Range<usize>, rejoined: bool) -> RawMatch {
    RawMatch { rejoined, ..RawMatch::new(whole.clone(), Kind::Attribute, Pieces::One(whole)) }
}

/// Returns what a link resolves to; `None` if it is given as it is, an error if it goes nowhere.
pub(super) fn resolved(value: &[u8], base: Option<&[u8]>) -> Result<Option<Vec<u8>>, ()> {
    match base {
        _ if has_scheme(value) => Ok(None),
        _ if value.starts_with(b"#") => Err(()),
        Some(base) => url::resolve_3986(base, value).map(Some).map_err(|_| ()),
        None => Ok(None),
    }
}

/// Returns where a link stands; `None` if it goes nowhere: to a place in the same part.
fn place(
    html: &Html<'_>,
    link: &Link<'_>,
    source: Range<usize>,
    from: usize,
    base: Option<&[u8]>,
) -> Option<LinkPlace> {
    let value = &link.value[..];
    let resolved = resolved(value, base).ok()?;
    let element = String::from_utf8_lossy(link.element).to_ascii_lowercase();
    let attribute = link.attribute.map_or(element.clone(), |attribute| format!("{element} {attribute}"));
    Some(LinkPlace {
        source: from + source.start..from + source.end,
        attribute: Some(attribute),
        text: html.anchor_text(link),
        resolved,
    })
}

/// Returns whether a reference begins with a scheme; one letter is a drive, as in `C:`.
fn has_scheme(reference: &[u8]) -> bool {
    let end = reference.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte)));
    end.is_some_and(|end| {
        end > 1 && reference[end] == b':' && reference[0].is_ascii_alphabetic() && end + 1 < reference.len()
    })
}

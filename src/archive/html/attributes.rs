//! Reads the values of attributes: references, lists, style sheets, pages, and texts.

use std::borrow::Cow;
use std::ops::Range;

use super::names::{Attribute, Holds, tag_name};
use super::others::{is_one_url, may_hold_url};
use super::part::{Link, LinkOrigin, RunKind};
use super::reader::{Reader, Value};
use super::xml::{InnerPage, attribute_name, holds_html, is_of_schema, is_of_vocabulary};
use super::{css, fields, values};
use crate::bytes::logical::Logical;

/// The maximum number of references in a list attribute or in an attribute's declarations. The rest
/// is searched as text. Otherwise `ping="a a a…"` would need memory of 40 times its size.
const MOST_ITEMS: usize = 256;

impl<'a> Reader<'a> {
    pub(super) fn read_value(&mut self, attribute: Attribute, mut value: Value) {
        let source = self.source;
        let is_reference = matches!(attribute.holds, Holds::Reference | Holds::Base);
        if let Some(expanded) = self.entities.expanded(value.bytes(source)).filter(|_| is_reference) {
            let mut text = Logical::default();
            text.replace(&expanded, value.source.clone());
            value.decoded = Some(text);
        }
        let bytes = value.bytes(source);
        let name = Some(attribute.name);
        match attribute.holds {
            Holds::Reference => {
                let is_reference = match attribute.name {
                    "usemap" => !bytes.starts_with(b"#"),
                    "classid" => !bytes.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"clsid:")),
                    _ => true,
                };
                let links = self.links.len();
                if is_reference {
                    self.add_link(name, &value, 0..bytes.len());
                }
                if attribute.name == "href" && self.links.len() > links {
                    self.tag.href = Some(links);
                }
            }
            Holds::List => self.add_items(name, &value, &values::list(bytes)),
            Holds::Candidates => self.add_items(name, &value, &values::candidates(bytes)),
            Holds::Declarations => {
                self.add_css(name, &value);
                self.add_other(value);
            }
            // A page within a page within a page is searched as text.
            Holds::Document if self.is_inner => self.add_run(RunKind::Raw, value.source),
            Holds::Document => self.add_page(&value),
            Holds::Equivalent => {
                self.tag.is_refresh = bytes.trim_ascii().eq_ignore_ascii_case(b"refresh");
            }
            Holds::Content | Holds::Alternative => {
                self.tag.kept = Some((attribute, value));
            }
            Holds::Base => {
                let links = self.links.len();
                self.add_link(name, &value, 0..bytes.len());
                self.tag.base = (self.links.len() > links).then_some(links);
            }
            Holds::Other => self.add_other(value),
        }
    }

    /// Adds any other attribute: its value is a whole URL, or a text to search.
    pub(super) fn add_other(&mut self, value: Value) {
        let source = self.source;
        let bytes = value.bytes(source);
        let may_hold = if self.is_xml { bytes.contains(&b':') } else { may_hold_url(bytes) };
        if !may_hold {
            return;
        }
        let name = attribute_name(source, value.source.start);
        if self.is_xml && name == "w:instr" {
            let mut field = self.text_of(&value);
            fields::join(&mut field, 0);
            return self.others.push(self.tag_start, source, value.source, Some(&field));
        }
        if is_of_schema(name) || !self.is_xml && is_of_vocabulary(name) {
            return;
        }
        if name.to_ascii_lowercase().ends_with("srcset") {
            let items: Vec<_> =
                values::candidates(bytes).into_iter().filter(|item| may_hold_url(&bytes[item.clone()])).collect();
            return self.add_items(Some(name), &value, &items);
        }
        match values::absolute(bytes) {
            Some(range) if is_one_url(&bytes[range.clone()]) => self.add_link(Some(name), &value, range),
            _ if self.is_xml && value.decoded.is_some() && holds_html(bytes) => self.add_page(&value),
            _ => self.others.push(self.tag_start, source, value.source, value.decoded.as_ref()),
        }
    }

    /// Adds a value that is a page of its own.
    fn add_page(&mut self, value: &Value) {
        self.inner.push(InnerPage { text: self.text_of(value), base: self.bases.current() });
    }

    fn text_of(&self, value: &Value) -> Logical {
        value.decoded.clone().unwrap_or_else(|| {
            let mut text = Logical::default();
            text.append(&self.source[value.source.clone()], value.source.start);
            text
        })
    }

    fn add_items(&mut self, attribute: Option<&'a str>, value: &Value, items: &[Range<usize>]) {
        for range in items.iter().take(MOST_ITEMS) {
            self.add_link(attribute, value, range.clone());
        }
        if let Some(next) = items.get(MOST_ITEMS) {
            self.add_run(RunKind::Raw, value.source_of(next.start..value.bytes(self.source).len()));
        }
    }

    pub(super) fn add_css(&mut self, attribute: Option<&'a str>, value: &Value) {
        let css = value.bytes(self.source);
        let most = if attribute.is_some() { MOST_ITEMS } else { usize::MAX };
        let (references, end) = css::references(css, most);
        if end < css.len() {
            self.add_run(RunKind::Raw, value.source_of(end..css.len()));
        }
        for (range, unescaped) in references {
            match unescaped {
                None => self.add_link(attribute, value, range),
                Some(bytes) => {
                    let trimmed = values::trimmed(&bytes, 0..bytes.len());
                    let source = value.source_of(range);
                    self.push_link(attribute, Cow::Owned(bytes[trimmed].to_vec()), source);
                }
            }
        }
    }

    /// Adds the reference in a range of a value.
    pub(super) fn add_link(&mut self, attribute: Option<&'a str>, value: &Value, range: Range<usize>) {
        let range = values::trimmed(value.bytes(self.source), range);
        let source = value.source_of(range.clone());
        let bytes = match &value.decoded {
            // The decoded characters may lie outside of this range, so the bytes are compared.
            Some(decoded) if decoded.bytes()[range.clone()] != self.source[source.clone()] => {
                Cow::Owned(decoded.bytes()[range].to_vec())
            }
            _ => Cow::Borrowed(&self.source[source.clone()]),
        };
        self.push_link(attribute, bytes, source);
    }

    fn push_link(&mut self, attribute: Option<&'a str>, bytes: Cow<'a, [u8]>, source: Range<usize>) {
        if bytes.is_empty() {
            return;
        }
        let value = values::without_breaks(&bytes).map_or(bytes, Cow::Owned);
        let element = match attribute {
            Some(_) => tag_name(&self.source[self.tag_start..]),
            None => b"style",
        };
        let is_preformatted = self.flow.preformatted > 0;
        self.links.push(Link {
            element,
            attribute,
            value,
            source,
            text: 0..0,
            is_preformatted,
            base: self.bases.current(),
            origin: LinkOrigin::Page,
        });
    }
}

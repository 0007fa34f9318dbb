//! The differences between XML and HTML: detection, elements and attributes, and HTML within XML
//! texts.
//!
//! XML is read by the HTML tokenizer, with CDATA sections (WHATWG, 13.2.5.69). So a stray `&` in a
//! feed does no harm. Only anchors, inline elements and line breaks have rules of their own. All
//! other elements are paragraphs, and a `<script>` does not hide the text after it. Descriptions in
//! feeds hold HTML as CDATA or as escaped text. Such a text is moved out of the document's text,
//! and read as a page of its own.

use bstr::ByteSlice;

use super::names::{Attribute, Element, Holds, Name, tag_name};
use crate::bytes::logical::Logical;

/// Root elements of XML formats that often lack a declaration.
const ROOTS: [&[u8]; 9] = [b"rss", b"feed", b"urlset", b"sitemapindex", b"opml", b"svg", b"rdf:rdf", b"gpx", b"kml"];

/// Returns whether a text is XML: by its declaration, by its root, or by a namespace in its first
/// tag. Returns `None` if the text ends too early.
pub(crate) fn is_xml(text: &[u8]) -> Option<bool> {
    const DECLARATION: &[u8] = b"<?xml";
    let mut rest = text.trim_ascii_start();
    // `<?xml-stylesheet` is not a declaration.
    if rest.starts_with(DECLARATION) && rest.get(DECLARATION.len()) != Some(&b'-') {
        return rest.get(DECLARATION.len()).map(|next| next.is_ascii_whitespace());
    }
    loop {
        let close: &[u8] = match rest {
            _ if rest.starts_with(b"<!--") => b"-->",
            _ if rest.starts_with(b"<?xml-") => b"?>",
            _ if rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"<!doctype")) => b">",
            _ => break,
        };
        rest = rest[rest.find(close)? + close.len()..].trim_ascii_start();
    }
    let Some((b'<', name)) = rest.split_first() else { return if rest.is_empty() { None } else { Some(false) } };
    let is_root = |root: &&[u8]| name.get(..root.len()).is_some_and(|start| start.eq_ignore_ascii_case(root));
    let may_be = |start: &[u8]| name.len() <= start.len() && start[..name.len()].eq_ignore_ascii_case(name);
    match ROOTS.iter().find(|root| is_root(root) && name.len() > root.len()) {
        Some(root) if matches!(name[root.len()], b'>' | b'/') || name[root.len()].is_ascii_whitespace() => Some(true),
        _ if ROOTS.iter().chain(&[&b"!doctype"[..], b"!--", b"?xml-"]).any(|root| may_be(root)) => None,
        _ => has_namespace(name),
    }
}

/// Returns whether a tag has a namespace, given the text after its `<`. Returns `None` if the text
/// ends too early.
fn has_namespace(tag: &[u8]) -> Option<bool> {
    const LONGEST_NAME: usize = 256;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b":_-.".contains(byte);
    let name_length = |text: &[u8]| text.iter().take(LONGEST_NAME).take_while(|byte| is_name(byte)).count();
    if !tag.first()?.is_ascii_alphabetic() {
        return Some(false);
    }
    let mut rest = &tag[name_length(tag)..];
    loop {
        let attribute = rest.trim_ascii_start();
        let length = name_length(attribute);
        let after = attribute[length..].trim_ascii_start();
        if length == 0 || attribute.len() == rest.len() || length == LONGEST_NAME {
            return if attribute.is_empty() && name_length(rest) < LONGEST_NAME { None } else { Some(false) };
        }
        let (b'=', value) = after.split_first()? else { return Some(false) };
        let (quote @ (b'"' | b'\''), value) = value.trim_ascii_start().split_first()? else { return Some(false) };
        let name = &attribute[..length];
        if name == b"xmlns" || name.starts_with(b"xmlns:") {
            return Some(true);
        }
        rest = &value[memchr::memchr(*quote, value)? + 1..];
    }
}

impl Element {
    /// Returns the role of an element. Inline elements are those of XHTML and SVG, and the runs of
    /// a paragraph in Office documents. An element without content is also inline, unless it breaks
    /// the line.
    pub(super) fn in_xml(name: &Name, is_empty: bool) -> Element {
        match name.as_bytes() {
            b"a" | b"text:a" if !is_empty => Element::Anchor,
            b"br" | b"hr" | b"tab" | b"w:br" | b"w:cr" | b"w:tab" | b"a:br" | b"text:line-break" | b"text:tab"
            | b"text:s" => Element::Break,
            b"b" | b"i" | b"u" | b"em" | b"strong" | b"span" | b"font" | b"sub" | b"sup" | b"tt" | b"tspan" | b"r"
            | b"t" | b"rpr" | b"w:r" | b"w:t" | b"w:rpr" | b"w:hyperlink" | b"w:instrtext" | b"w:ins"
            | b"w:smarttag" | b"a:r" | b"a:t" | b"a:rpr" | b"text:span" => Element::Inline,
            _ if is_empty => Element::Inline,
            _ => Element::Paragraph,
        }
    }
}

impl Attribute {
    /// Returns the kind of content of an attribute. The references are those of feeds, outlines,
    /// drawings and RDF. Any other attribute holds a URL, or a text that may hold URLs.
    pub(super) fn in_xml(name: &Name) -> Attribute {
        use Holds::{Candidates, Declarations, Reference};
        let (bit, name, holds) = match name.as_bytes() {
            b"href" => (0, "href", Reference),
            b"src" => (1, "src", Reference),
            b"url" => (2, "url", Reference),
            b"xlink:href" => (3, "xlink:href", Reference),
            b"xmlurl" => (4, "xmlUrl", Reference),
            b"htmlurl" => (5, "htmlUrl", Reference),
            b"o:href" => (6, "o:href", Reference),
            b"xml:base" => (7, "xml:base", Holds::Base),
            b"style" => (8, "style", Declarations),
            b"srcset" => (9, "srcset", Candidates),
            _ => return Attribute::OTHER,
        };
        Attribute { name, holds, bit: 1 << bit }
    }
}

/// Returns the name of the attribute whose value begins at an offset, as the source spells the
/// name.
pub(super) fn attribute_name(source: &[u8], value: usize) -> &str {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b":_-.".contains(byte);
    let end = source[..value].iter().rposition(is_name).map_or(0, |last| last + 1);
    let start = source[..end].iter().rposition(|byte| !is_name(byte)).map_or(0, |before| before + 1);
    source[start..end].to_str().unwrap_or_default()
}

/// The attributes that name a schema or a vocabulary.
const SCHEMAS: [&str; 14] = [
    "xmlns",
    "schemaLocation",
    "noNamespaceSchemaLocation",
    "Type",
    "rel",
    "targetNamespace",
    "namespace",
    "itemtype",
    "itemid",
    "prefix",
    "profile",
    "vocab",
    "typeof",
    "property",
];

/// Returns whether an attribute holds the name of a schema. Such a name looks like a URL, but leads
/// nowhere.
pub(super) fn is_of_schema(attribute: &str) -> bool {
    let local = attribute.rsplit(':').next().unwrap_or_default();
    attribute.starts_with("xmlns:") || SCHEMAS.iter().any(|name| local.eq_ignore_ascii_case(name))
}

/// Returns the name of an element that holds a secret, and `=`. Returns nothing for other elements.
pub(super) fn secret_label(name: &Name) -> &'static [u8] {
    const LABELS: [&[u8]; 7] = [b"password=", b"passwd=", b"passphrase=", b"pwd=", b"secret=", b"token=", b"apikey="];
    let local = name.as_bytes().rsplit(|&byte| byte == b':').next().unwrap_or_default();
    LABELS.into_iter().find(|label| label[..label.len() - 1] == *local).unwrap_or_default()
}

/// Returns whether an attribute of HTML names a term of a vocabulary, as microdata and RDFa do.
pub(super) fn is_of_vocabulary(attribute: &str) -> bool {
    ["resource", "about"].iter().any(|name| attribute.eq_ignore_ascii_case(name))
}

/// Returns whether a text in XML holds a tag of an HTML element.
pub(super) fn holds_html(text: &[u8]) -> bool {
    memchr::memchr_iter(b'<', text).any(|at| {
        let tag = &text[at..];
        let is_end = tag.get(1) == Some(&b'/');
        let inner = if is_end { &tag[1..] } else { tag };
        // Names of HTML elements are short, so 16 bytes hold any of them with its end.
        let inner = &inner[..inner.len().min(16)];
        let name = tag_name(inner);
        if name.is_empty() || name.len() == inner.len() - 1 {
            return false;
        }
        let mut known = Name::default();
        known.push(&name.to_ascii_lowercase());
        Element::of(&known) != Element::Unknown
    })
}

/// A text in XML that is HTML, or the page in a `srcdoc`.
#[derive(Debug)]
pub(crate) struct InnerPage {
    pub(crate) text: Logical,
    /// The index of the base of its element.
    pub(crate) base: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_by_their_beginning() {
        for yes in [
            "<?xml version=\"1.0\"?>",
            " \n<?xml version='1.0' encoding='utf-8'?><x/>",
            "<rss version=\"2.0\">",
            "<!-- x --> <feed xmlns=\"http://www.w3.org/2005/Atom\">",
            "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/x.dtd\"><svg>",
            "<?xml-stylesheet href=\"x.xsl\"?>\n<urlset\n",
            "<opml>",
            "<rdf:RDF xmlns:rdf=\"x\">",
            "<mediawiki xmlns=\"http://a.example/\" version='1'>",
            "<!-- x --><x:worksheet a = 'b>' \n xmlns:x='y'/>",
        ] {
            assert_eq!(is_xml(yes.as_bytes()), Some(true), "{yes:?}");
            for end in 0..yes.len() {
                assert_ne!(is_xml(&yes.as_bytes()[..end]), Some(false), "{:?}", &yes[..end]);
            }
        }
        for no in [
            "<p class='xmlns=x'>xmlns='y'",
            "<a xmlns>",
            "<a xmlns=x>",
            "<a b='c'xmlns='d'>",
            "<a.example> xmlns='x'",
            "<joe@a.example> ",
            "</a xmlns='x'>",
            "x",
            "<?xmlx",
            "<rssx>",
            "x <rss>",
            "<!-- x --> x",
            "<html>",
            "<http://a.example/>",
            "<?php x",
        ] {
            assert_eq!(is_xml(no.as_bytes()), Some(false), "{no:?}");
        }
    }

    #[test]
    fn names_of_attributes() {
        let source = "<a  xsi:schemaLocation = \"http://a.example/";
        assert_eq!(attribute_name(source.as_bytes(), source.find("http").unwrap()), "xsi:schemaLocation");
        assert!(is_of_schema("xsi:schemaLocation") && is_of_schema("xmlns") && is_of_schema("xmlns:x"));
        assert!(!is_of_schema("Target") && !is_of_schema("xmlURL"));
    }

    #[test]
    fn texts_that_hold_html() {
        for yes in ["<p>", "x <a href=x>", "</div>", "a<BR/>"] {
            assert!(holds_html(yes.as_bytes()), "{yes}");
        }
        for no in ["", "a < b", "<http://a.example/>", "<joe@a.example>", "a<b", "<x>"] {
            assert!(!holds_html(no.as_bytes()), "{no}");
        }
    }
}

//! The elements and attributes that are relevant here, by name.

use std::ops::Range;

/// A name in lower case. A name that is too long to be a known one is only marked as too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    /// The name, and zeros.
    bytes: [u8; 16],
    length: u8,
}

impl Name {
    const LONGEST: usize = 15;
    const TOO_LONG: Name = Name { bytes: [0; 16], length: u8::MAX };

    /// Returns the name in a range of the source. The bytes are computed together, by vectors. A
    /// vector cannot be loaded soon after stores of single bytes.
    pub(super) fn of(source: &[u8], range: Range<usize>) -> Name {
        let length = range.len();
        if length > Name::LONGEST {
            return Name::TOO_LONG;
        }
        let mut last = [0; 16];
        let name = source[range.start..].first_chunk().unwrap_or_else(|| {
            last[..length].copy_from_slice(&source[range]);
            &last
        });
        let mut bytes = *name;
        bytes.make_ascii_lowercase();
        for (byte, kept) in bytes.iter_mut().zip(&KEPT[16 - length..32 - length]) {
            *byte &= kept;
        }
        Name { bytes, length: length as u8 }
    }

    pub(super) fn push(&mut self, more: &[u8]) {
        let length = usize::from(self.length);
        let end = length + more.len();
        if end > Name::LONGEST {
            *self = Name::TOO_LONG;
        } else {
            self.bytes[length..end].copy_from_slice(more);
            self.length = end as u8;
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }
}

/// The masks of names of all lengths: sixteen bytes, of which `length` are before the middle.
static KEPT: [u8; 32] = {
    let mut kept = [0; 32];
    let mut at = 0;
    while at < 16 {
        kept[at] = u8::MAX;
        at += 1;
    }
    kept
};

/// The role of an element for the text and the links of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Anchor,
    Applet,
    Base,
    /// An element on lines of its own.
    Block,
    Break,
    /// A cell of a table.
    Cell,
    /// Fallback content for features that every browser has. It is not shown.
    Fallback,
    /// The root of a drawing or a formula.
    Foreign,
    Head,
    Image,
    /// An element within a line, which adds no gap.
    Inline,
    Meta,
    Object,
    /// An element on lines of its own, with empty lines around it.
    Paragraph,
    PlainText,
    Preformatted,
    Script,
    Style,
    TextArea,
    Title,
    Unknown,
    /// Preformatted text without tags.
    Example,
}

impl Element {
    pub(super) fn of(name: &Name) -> Element {
        match name.as_bytes() {
            b"a" => Element::Anchor,
            b"applet" => Element::Applet,
            b"base" => Element::Base,
            b"br" => Element::Break,
            b"td" | b"th" => Element::Cell,
            b"iframe" | b"noembed" | b"noframes" => Element::Fallback,
            b"head" => Element::Head,
            b"svg" | b"math" => Element::Foreign,
            b"img" | b"image" => Element::Image,
            b"meta" => Element::Meta,
            b"object" => Element::Object,
            b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"blockquote" | b"ul" | b"ol" | b"dl" => {
                Element::Paragraph
            }
            b"plaintext" => Element::PlainText,
            b"pre" | b"listing" => Element::Preformatted,
            b"script" => Element::Script,
            b"style" => Element::Style,
            b"textarea" => Element::TextArea,
            b"title" => Element::Title,
            b"xmp" => Element::Example,
            b"div" | b"tr" | b"table" | b"li" | b"hr" | b"center" | b"body" | b"html" | b"tbody" | b"thead"
            | b"tfoot" | b"caption" | b"dt" | b"dd" | b"form" | b"address" | b"article" | b"aside" | b"details"
            | b"dialog" | b"dir" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"frame" | b"frameset"
            | b"header" | b"hgroup" | b"legend" | b"main" | b"menu" | b"nav" | b"noscript" | b"optgroup"
            | b"option" | b"search" | b"section" | b"select" | b"summary" | b"template" => Element::Block,
            b"span" | b"font" | b"b" | b"i" | b"u" | b"strong" | b"em" | b"abbr" | b"acronym" | b"area" | b"audio"
            | b"basefont" | b"bdi" | b"bdo" | b"bgsound" | b"big" | b"blink" | b"button" | b"canvas" | b"cite"
            | b"code" | b"col" | b"colgroup" | b"data" | b"datalist" | b"del" | b"dfn" | b"embed" | b"input"
            | b"ins" | b"kbd" | b"label" | b"link" | b"map" | b"mark" | b"marquee" | b"nobr" | b"output" | b"param"
            | b"picture" | b"q" | b"rp" | b"rt" | b"ruby" | b"s" | b"samp" | b"small" | b"source" | b"strike"
            | b"sub" | b"sup" | b"time" | b"track" | b"tt" | b"var" | b"video" | b"wbr" => Element::Inline,
            _ => Element::Unknown,
        }
    }
}

/// The form in which an attribute's value names its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// One reference.
    Reference,
    /// References separated by white space or commas.
    List,
    /// The candidates of a `srcset`.
    Candidates,
    /// CSS.
    Declarations,
    /// A whole document (`srcdoc`).
    Document,
    /// The target of a `<meta http-equiv=refresh>`, or a whole URL in another `<meta>`
    /// (`og:image`).
    Content,
    /// The value of `http-equiv`, which shows whether a `<meta>` is a refresh.
    Equivalent,
    /// Text that is shown in place of an image.
    Alternative,
    /// The base of relative references: `xml:base`.
    Base,
    /// A URL, or a text that may hold URLs.
    Other,
}

/// An attribute that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    /// The attribute's bit in the set of attributes that a tag has already had.
    pub(super) bit: u32,
}

impl Attribute {
    pub(super) const OTHER: Attribute = Attribute { name: "", holds: Holds::Other, bit: 0 };

    /// Returns the attribute of this name on an element. Any other attribute may hold URLs.
    /// `profile`, `archive` and similar ones are from HTML 4.01. `lowsrc`, `dynsrc` and `o:href` are
    /// from old browsers and Word.
    pub(super) fn of(name: &Name, element: Element) -> Attribute {
        use Holds::{Alternative, Candidates, Content, Declarations, Document, Equivalent, List, Reference};
        let is_object = matches!(element, Element::Object | Element::Applet);
        // The compiler turns this `match` into a decision tree. A table took a tenth of the whole
        // reading time. Typical tags of newsletters have half a dozen attributes that are not
        // listed.
        let (bit, name, holds) = match name.as_bytes() {
            b"href" => (0, "href", Reference),
            b"src" => (1, "src", Reference),
            b"style" => (2, "style", Declarations),
            b"background" => (3, "background", Reference),
            b"action" => (4, "action", Reference),
            b"cite" => (5, "cite", Reference),
            b"formaction" => (6, "formaction", Reference),
            b"longdesc" => (7, "longdesc", Reference),
            b"lowsrc" => (8, "lowsrc", Reference),
            b"dynsrc" => (9, "dynsrc", Reference),
            b"poster" => (10, "poster", Reference),
            b"manifest" => (11, "manifest", Reference),
            b"usemap" => (12, "usemap", Reference),
            b"o:href" => (13, "o:href", Reference),
            b"xlink:href" => (14, "xlink:href", Reference),
            b"srcset" => (15, "srcset", Candidates),
            b"imagesrcset" => (16, "imagesrcset", Candidates),
            b"ping" => (17, "ping", List),
            b"srcdoc" => (18, "srcdoc", Document),
            b"profile" if element == Element::Head => (19, "profile", List),
            b"archive" if is_object => (20, "archive", List),
            b"codebase" if is_object => (21, "codebase", Reference),
            b"classid" if element == Element::Object => (22, "classid", Reference),
            b"data" if element == Element::Object => (23, "data", Reference),
            b"content" if element == Element::Meta => (24, "content", Content),
            b"http-equiv" if element == Element::Meta => (25, "http-equiv", Equivalent),
            b"alt" if element == Element::Image => (26, "alt", Alternative),
            // Outlook's gateway rewrites `href`, and keeps the original URL here.
            b"originalsrc" => (27, "originalsrc", Reference),
            _ => return Attribute::OTHER,
        };
        Attribute { name, holds, bit: 1 << bit }
    }
}

/// Returns the name of the tag at the start of `tag`.
pub(super) fn tag_name(tag: &[u8]) -> &[u8] {
    let name = tag.get(1..).unwrap_or_default();
    let end = name.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    &name[..end.unwrap_or(name.len())]
}

/// Returns true if an unknown tag is really an address in angle brackets: `<http://…>`, `<URL:…>`,
/// `<joe@…>`. It comes from plain text, or from an author who did not escape it. A name like `o:p`
/// is one of Word's tags.
pub(super) fn is_bracketed(tag: &[u8]) -> bool {
    let name = tag_name(tag);
    let has_scheme = |scheme: &[u8]| name.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    name.contains(&b'@')
        || name.ends_with(b":") && tag.get(1 + name.len()) == Some(&b'/')
        || [&b"url:"[..], b"news:", b"mailto:"].into_iter().any(has_scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_lower_case() {
        for letter in 0..=u8::MAX {
            for length in 0..=17 {
                let source = [&b"<"[..], &vec![letter; length], b" and 16 bytes or more"].concat();
                for end in [1 + length, source.len()] {
                    let mut pushed = Name::default();
                    pushed.push(&source[1..1 + length].to_ascii_lowercase());
                    assert_eq!(Name::of(&source[..end], 1..1 + length), pushed, "{letter} {length} {end}");
                }
            }
        }
    }
}

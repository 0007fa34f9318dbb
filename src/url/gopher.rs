//! RFC 1738 section 3.4: Gopher and Gopher+.
//!
//! ```text
//! gopherurl = "gopher://" hostport [ "/" [ gtype [ selector
//!             [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
//! gtype     = xchar
//! selector  = *xchar
//! search    = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
//! gopher+_string = *xchar
//! ```
//!
//! The slash is a literal, although the RFC omits its quotes (G-GOPHER-1, erratum 5118). `%09` is
//! an `xchar`, too. So the language is `/ gtype *xchar`, and only lexical errors can follow the
//! slash. The first two `%09` separate the parts, because a selector cannot hold octet 09
//! (G-GOPHER-3).

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice};

use super::components::{ComponentSink, Components};
use super::error::ParseError;
use super::escape::{self, Octets};
use super::table::{Table, Url, number, offset};
use super::{lexical, login};
use crate::bytes::class;

/// An escaped tab, which separates selector, search and gopher+ string.
const TAB: &[u8] = b"%09";

/// Parses the parts. Each part needs the part before it (G-GOPHER-2).
pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    let Some(&first) = url.get(slash + 1) else {
        return Ok(());
    };
    let end = class::run(url, slash + 1, class::XCHAR);
    if end < url.len() {
        return Err(lexical::fault(url, end));
    }
    // G-GOPHER-4: the first xchar is the type, even if it is a tab.
    let selector = slash + if first == b'%' { 4 } else { 2 };
    let selector_end = find_tab(url, selector);
    table.path_end = offset(selector_end);
    if selector_end < url.len() {
        table.mark = offset(find_tab(url, selector_end + TAB.len()));
    }
    Ok(())
}

/// Returns the place of the next escaped tab, or the end. `%2509` is not an escaped tab, so the
/// scan moves from escape to escape.
fn find_tab(url: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(length) = memchr::memchr(b'%', &url[at..]) {
        at += length;
        if url[at..].starts_with(TAB) {
            return at;
        }
        at += TAB.len();
    }
    url.len()
}

/// The request of a gopher+ string (S-GOPHER-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GopherPlus<'a> {
    /// `+`: the default view of the item.
    DefaultView,
    /// `+view%20lang`: an alternate view, perhaps in a language.
    View {
        /// The view, raw: a content type.
        view: &'a BStr,
        /// The language, raw.
        language: Option<&'a BStr>,
    },
    /// `?`: the electronic form of the item.
    Form,
    /// `+%091%0D%0A…`: a filled-in form.
    FilledForm,
    /// `!` or `$`: all attributes.
    AllAttributes {
        /// Whether it is `$`: the attributes of the items of a directory.
        listing: bool,
    },
    /// `!name…` or `$name…`: some attributes.
    Attributes {
        /// Whether it is `$`: the attributes of the items of a directory.
        listing: bool,
        /// The names of the attributes, raw. [`GopherPlus::names`] splits them.
        names: &'a BStr,
    },
    /// None of these.
    Unknown,
}

impl<'a> GopherPlus<'a> {
    fn classify(text: &'a BStr) -> GopherPlus<'a> {
        let mut octets = escape::octets(text);
        // Nothing is reserved in a gopher path, so the first character is decoded before the
        // comparison.
        let first = octets.next();
        let rest = octets.rest();
        let listing = first == Some(b'$');
        match first {
            Some(b'+') if rest.is_empty() => GopherPlus::DefaultView,
            Some(b'+') if starts_form(octets.clone()) => GopherPlus::FilledForm,
            Some(b'+') if octets.clone().all(|octet| octet >= b' ') => {
                let (view, language) = split_blank(rest);
                GopherPlus::View { view, language }
            }
            Some(b'?') if rest.is_empty() => GopherPlus::Form,
            Some(b'!' | b'$') if rest.is_empty() => GopherPlus::AllAttributes { listing },
            Some(b'!' | b'$') => GopherPlus::Attributes { listing, names: rest },
            _ => GopherPlus::Unknown,
        }
    }

    /// Returns the names of the requested attributes, raw.
    pub fn names(&self) -> impl Iterator<Item = &'a BStr> + use<'a> {
        let mut rest = match *self {
            GopherPlus::Attributes { names, .. } => Some(names),
            _ => None,
        };
        std::iter::from_fn(move || {
            let (name, after) = split_blank(rest?);
            rest = after;
            Some(name)
        })
    }
}

/// Splits the text at its first `%20`.
fn split_blank(text: &BStr) -> (&BStr, Option<&BStr>) {
    let mut octets = escape::octets(text);
    loop {
        let at = octets.offset();
        match octets.next() {
            None => return (text, None),
            Some(b' ') => return (text[..at].as_bstr(), Some(octets.rest())),
            Some(_) => {}
        }
    }
}

/// Matches TAB, the data flag `1` and CRLF. A data block follows them (section 3.4.9).
fn starts_form(octets: Octets<'_>) -> bool {
    octets.take(4).eq(*b"\t1\r\n")
}

/// A Gopher URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::{GopherPlus, Parts};
///
/// let Parts::Gopher(gopher) = Url::parse(b"gopher://h/7sel%09two%20words%09!+ABSTRACT")?.parts() else {
///     unreachable!()
/// };
/// assert_eq!(gopher.gtype_effective(), b'7');
/// assert_eq!(gopher.search().unwrap(), "two%20words");
/// assert_eq!(gopher.request(), "sel\ttwo words\t!+ABSTRACT\r\n");
/// assert!(gopher.gplus_kind().unwrap().names().eq(["+ABSTRACT"]));
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gopher<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Gopher<'a> {
    /// Returns the type, raw: one character or one escape (G-GOPHER-4). `None` without a path.
    #[must_use]
    pub fn gtype(&self) -> Option<&'a BStr> {
        let start = self.url.table.authority_end + 1;
        let end = self.selector_start();
        (start < end).then(|| self.url.slice(start, end))
    }

    /// Returns the octet of the type. Without a type it is `1`, a directory (S-GOPHER-1).
    #[must_use]
    pub fn gtype_effective(&self) -> u8 {
        self.gtype().and_then(|gtype| escape::octets(gtype).next()).unwrap_or(b'1')
    }

    /// Returns the selector, raw. It is empty if the URL has no selector (S-GOPHER-1).
    #[must_use]
    pub fn selector(&self) -> &'a BStr {
        self.url.slice(self.selector_start(), self.url.table.path_end)
    }

    /// Returns the search string, raw.
    #[must_use]
    pub fn search(&self) -> Option<&'a BStr> {
        let Table { path_end, mark, url_end, .. } = self.url.table;
        (path_end < url_end).then(|| self.url.slice(path_end + 3, mark))
    }

    /// Returns the gopher+ string, raw. It includes any further `%09` (G-GOPHER-3).
    #[must_use]
    pub fn gplus(&self) -> Option<&'a BStr> {
        let Table { mark, url_end, .. } = self.url.table;
        (mark < url_end).then(|| self.url.slice(mark + 3, url_end))
    }

    /// Returns the kind of request that the gopher+ string makes.
    #[must_use]
    pub fn gplus_kind(&self) -> Option<GopherPlus<'a>> {
        self.gplus().map(GopherPlus::classify)
    }

    /// Returns whether the gopher+ string is exactly one filled-in form, with nothing smuggled in
    /// after its end (A-GPLUS-FORM).
    ///
    /// Such a form is `+`, TAB, `1`, CRLF and one block of data. The block is `+-1`, lines, and a
    /// line with only a dot. Or it is `+`, a count of octets, CRLF, and that many octets.
    #[must_use]
    pub fn is_filled_form(&self) -> bool {
        let Some(text) = self.gplus() else { return false };
        let octets = escape::decode(text);
        let Some(block) = octets.strip_prefix(b"+\t1\r\n+") else { return false };
        let Some((length, data)) = block.split_once_str("\r\n") else { return false };
        if length == b"-1" {
            // The first line with only a dot must be the last line.
            let end = if data.starts_with(b".\r\n") { Some(3) } else { data.find("\r\n.\r\n").map(|at| at + 5) };
            return end == Some(data.len());
        }
        !length.is_empty() && length.iter().all(u8::is_ascii_digit) && number(length) == Some(data.len() as u64)
    }

    /// Returns the request of a client (S-GOPHER-2). It is the selector, tab and search, tab and
    /// gopher+ string, all decoded, and CRLF. Absent parts are omitted. The request may hold more
    /// line ends, which the audit reports (A-CRLF).
    #[must_use]
    pub fn request(&self) -> BString {
        let mut request = self.selector_decoded().into_owned();
        for part in [self.search(), self.gplus()].into_iter().flatten() {
            request.push(b'\t');
            request.extend(escape::octets(part));
        }
        request.extend_from_slice(b"\r\n");
        request
    }

    /// Returns the selector, decoded.
    #[must_use]
    pub fn selector_decoded(&self) -> Cow<'a, BStr> {
        escape::decode(self.selector())
    }

    /// Returns the offset of the selector, which is after the type.
    fn selector_start(&self) -> u32 {
        let Table { authority_end, url_end, .. } = self.url.table;
        let length = match self.url.bytes[..url_end as usize].get(authority_end as usize + 1) {
            None => return url_end,
            Some(b'%') => 3,
            Some(_) => 1,
        };
        authority_end + 1 + length
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.site()
            .fragment()
            .put("gtype", self.gtype())
            .put("gtype_effective", BString::from(vec![self.gtype_effective()]))
            .put("selector", self.selector())
            .put("search", self.search())
            .put("gplus", self.gplus())
            .put("request", self.request())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Parts;

    fn gopher(text: &str) -> Gopher<'_> {
        let Parts::Gopher(gopher) = Url::parse(text.as_bytes()).unwrap().parts() else { unreachable!() };
        gopher
    }

    // S-GOPHER-3, with the examples of RFC 1738 sections 3.4.5 to 3.4.9.
    #[test]
    fn gopher_plus_strings_are_told_apart() {
        let kind = |plus: &str| format!("{:?}", gopher(&format!("gopher://h/0s%09%09{plus}")).gplus_kind().unwrap());
        assert_eq!(kind("+"), "DefaultView");
        assert_eq!(kind("%2B"), "DefaultView");
        assert_eq!(kind("?"), "Form");
        assert_eq!(kind("?x"), "Unknown");
        assert_eq!(kind(""), "Unknown");
        assert_eq!(kind("!"), "AllAttributes { listing: false }");
        assert_eq!(kind("$"), "AllAttributes { listing: true }");
        assert_eq!(kind("!+ABSTRACT%20+SMELL"), "Attributes { listing: false, names: \"+ABSTRACT%20+SMELL\" }");
        assert_eq!(
            kind("+application/postscript%20Es_ES"),
            "View { view: \"application/postscript\", language: Some(\"Es_ES\") }"
        );
        assert_eq!(kind("+text/plain"), "View { view: \"text/plain\", language: None }");
        assert_eq!(kind("+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A"), "FilledForm");
        assert_eq!(kind("+%0D%0A"), "Unknown");
        assert_eq!(kind("+%09x"), "Unknown");
    }

    #[test]
    fn attribute_names_are_split_at_blanks() {
        let gopher = gopher("gopher://h/0s%09%09$+A%20+B%2520");
        assert!(gopher.gplus_kind().unwrap().names().eq(["+A", "+B%2520"]));
    }

    // A-GPLUS-FORM
    #[test]
    fn only_exact_forms_are_forms() {
        let exact = |plus: &str| gopher(&format!("gopher://h/0s%09%09{plus}")).is_filled_form();
        assert!(exact("+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A"));
        assert!(exact("+%091%0D%0A+-1%0D%0A.%0D%0A"));
        assert!(exact("+%091%0D%0A+3%0D%0Aabc"));
        assert!(!exact("+%091%0D%0A+4%0D%0Aabc"));
        assert!(!exact("+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0AQUIT%0D%0A"));
        assert!(!exact("+%091%0D%0A+-1%0D%0A.%0D%0Ax%0D%0A.%0D%0A"));
        assert!(!exact("+%0D%0A"));
        assert!(!exact("+"));
    }
}

//! Detects HTML pages by their first bytes, and pages and other files by their names.

use bstr::ByteSlice;

use crate::archive::compress::PACKED_EXTENSIONS;

/// The tags that certainly begin a page. A text about HTML begins with other words. A fragment for
/// a template is recognised only by its file name. Browsers export bookmarks as the second type.
const BEGINNINGS: [&[u8]; 6] =
    [b"<!doctype html", b"<!doctype netscape-bookmark-file-1", b"<html", b"<head", b"<title", b"<body"];
/// Delimiters of a comment, which may precede the first tag.
const COMMENT: [&[u8]; 2] = [b"<!--", b"-->"];
const DECLARATION: [&[u8]; 2] = [b"<?xml", b"?>"];

/// The number of bytes searched for the first tag, which one or two comments may precede.
const BEGINNING: usize = 1024;

/// Extensions of the names of HTML pages, in lower case and without the dot.
pub const PAGE_EXTENSIONS: [&str; 5] = ["html", "htm", "xhtml", "xht", "shtml"];

/// Extensions of the names of XML files: any, and those of Microsoft's projects and resources.
const XML_EXTENSIONS: [&str; 6] = ["xml", "csproj", "vbproj", "fsproj", "resx", "nuspec"];

/// Returns whether the first tag of a text begins a page. Returns `None` if the text ends too
/// early.
pub(crate) fn is_page(text: &[u8]) -> Option<bool> {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let [open, close] = match rest {
            _ if rest.starts_with(COMMENT[0]) => COMMENT,
            _ if rest.starts_with(DECLARATION[0]) => DECLARATION,
            _ => break,
        };
        let inner = &rest[open.len()..];
        rest = &inner[inner.find(close)? + close.len()..];
    }
    let goes_on = |start: &[u8]| rest.len() < start.len() && start[..rest.len()].eq_ignore_ascii_case(rest);
    let begins = |start: &[u8]| match rest.get(start.len()) {
        Some(&next) => rest[..start.len()].eq_ignore_ascii_case(start) && (next == b'>' || next.is_ascii_whitespace()),
        None => false,
    };
    if BEGINNINGS.iter().any(|start| begins(start)) {
        return Some(true);
    }
    // A text that ends in `<html` may continue as `<htmlx`.
    let is_open = |start: &&[u8]| goes_on(start) || rest.eq_ignore_ascii_case(start);
    let may_go_on = BEGINNINGS.iter().any(is_open) || goes_on(COMMENT[0]) || goes_on(DECLARATION[0]);
    (!may_go_on).then_some(false)
}

/// Returns whether the body of a message begins as a page, even if its header does not state HTML.
pub(crate) fn begins_as_page(text: &[u8]) -> bool {
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
    text.get(start) == Some(&b'<') && is_page(&text[start..text.len().min(start + BEGINNING)]) == Some(true)
}

/// Returns whether a file is named like a page or a compressed page.
pub(crate) fn has_page_name(path: &[u8]) -> bool {
    extension(path)
        .is_some_and(|extension| PAGE_EXTENSIONS.iter().any(|page| extension.eq_ignore_ascii_case(page.as_bytes())))
}

/// Returns whether a file is named like XML that often lacks a declaration.
pub(crate) fn has_xml_name(path: &[u8]) -> bool {
    extension(path)
        .is_some_and(|extension| XML_EXTENSIONS.iter().any(|xml| extension.eq_ignore_ascii_case(xml.as_bytes())))
}

/// Returns whether a file is named like a CSV file or a compressed one.
pub(crate) fn has_sheet_name(path: &[u8]) -> bool {
    extension(path).is_some_and(|extension| extension.eq_ignore_ascii_case(b"csv"))
}

/// Returns whether a file is named like a message or a compressed message.
pub(crate) fn has_mail_name(path: &[u8]) -> bool {
    extension(path).is_some_and(|extension| extension.eq_ignore_ascii_case(b"eml"))
}

/// Returns whether a file is named like a mailbox or a compressed mailbox.
pub(crate) fn has_mailbox_name(path: &[u8]) -> bool {
    extension(path).is_some_and(|extension| extension.eq_ignore_ascii_case(b"mbox"))
}

/// Returns the extension of a file's name. Ignores an extension that a compressor appended.
fn extension(path: &[u8]) -> Option<&[u8]> {
    let (name, last) = path.rsplit_once_str(".")?;
    match PACKED_EXTENSIONS.iter().any(|packed| last.eq_ignore_ascii_case(packed.as_bytes())) {
        true => Some(name.rsplit_once_str(".")?.1),
        false => Some(last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_by_their_first_tag() {
        for page in [
            "<!DOCTYPE html>",
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<!-- This is an automatically generated file. -->\n<TITLE>",
            "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\">\n<html>",
            "\r\n\t<html lang=en>",
            "<HTML>",
            "<head\n>",
            "<title>x",
            "<body bgcolor=white>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html>",
            "<!-- MHonArc v2.6.10 -->\n<!--X-Subject: x > y -->\n<!DOCTYPE HTML>",
        ] {
            assert_eq!(is_page(page.as_bytes()), Some(true), "{page:?}");
            for end in 0..page.len() {
                assert_ne!(is_page(&page.as_bytes()[..end]), Some(false), "{:?}", &page[..end]);
            }
        }
        for other in
            ["x", "x <html>", "<htmlx>", "<p>a part", "<?php", "<?xml version=\"1.0\"?><rss>", "<!-- x --> x", "<a"]
        {
            assert_eq!(is_page(other.as_bytes()), Some(false), "{other:?}");
        }
        for open in ["", " \n", "<", "<!", "<!doctype html", "<?xml ", "<!-- x", "<!-- x -->"] {
            assert_eq!(is_page(open.as_bytes()), None, "{open:?}");
        }
    }

    #[test]
    fn pages_by_their_name() {
        for name in ["a.html", "b/a.HTM", "a.b.xhtml", "a.xht", "a.shtml", "a.html.gz", "a.htm.ZST", ".html"] {
            assert!(has_page_name(name.as_bytes()), "{name}");
        }
        assert!(has_sheet_name(b"a/b.CSV.gz") && !has_sheet_name(b"csv") && !has_sheet_name(b"a.csv.txt"));
        assert!(has_xml_name(b"a/b.XML.gz") && has_xml_name(b"x.csproj") && !has_xml_name(b"xml"));
        for name in ["", "html", "a.gz", "a.html.txt", "a.gz.xz", "a.html/b", "a.html.gz.gz"] {
            assert!(!has_page_name(name.as_bytes()), "{name}");
        }
    }
}

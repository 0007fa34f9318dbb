//! HTML and XML: the links and the text of one part, with their places in its source.
//!
//! Nearly all markup of real pages is plain: tags, text, comments and scripts whose ends a search
//! finds (`scan`). The crate `html5gum` tokenizes the rest, up to the end of the next tag. It
//! follows the HTML standard (WHATWG, 13.2.5 Tokenization), so broken HTML is read as browsers read
//! it. The tests compare the scans with the tokenizer alone, on random markup and on real pages.
//!
//! The tokenizer reports how far it has read. The `Reader` derives the place of each piece from
//! these reports. (`lol_html` is built for rewriting. It decodes no character references. Decoding
//! them is half of the work here.) No tree is built, because a tree would not move any link. A tree
//! would only matter for foster parents (text misplaced in tables). In SVG `<title>` is an ordinary
//! element.
//!
//! A web archive of documentation is searched at 320 MB/s (EPYC, one busy core, 2026-11). With the
//! tokenizer alone it was 200 MB/s. Time is linear. Hostile text needs memory of up to 15 times its
//! size. For `url(a)url(a)…` it is 40 times.
//!
//! A part is read into four lists, each in the order of the source. (A fifth list has [texts that
//! are HTML](Html::inner).)
//!
//! - [links](Link) of attributes and style sheets, and the index of the base among them;
//! - [the text](Html::text) that a reader of the page sees, in one piece, so that it is searched
//!   once;
//! - [other attributes](Html::others) whose values hold a URL (`data-src`, `onclick`), in one
//!   piece;
//! - runs of the source that the page's reader does not see: scripts, styles, and comments (those
//!   of Outlook hold links).
//!
//! Every byte of the source that may hold a URL is in one of these lists. The exceptions are
//! `xmlns` and its like, the doctype and end tags. A link in a `<style>` element is in both the
//! links and the runs.

mod archiver;
mod attributes;
mod bases;
mod css;
mod entities;
mod fields;
mod flow;
mod names;
mod others;
mod page;
mod part;
mod pauses;
mod reader;
mod run;
mod scan;
mod shown;
#[cfg(test)]
mod tests;
mod values;
mod windows;
mod xml;

pub(crate) use archiver::PageMessages;
pub(crate) use bases::ElementBase;
pub(crate) use fields::before_fragment;
pub use page::PAGE_EXTENSIONS;
pub(crate) use page::{
    begins_as_page, has_mail_name, has_mailbox_name, has_page_name, has_sheet_name, has_xml_name, is_page,
};
pub(crate) use part::{Html, Link, LinkOrigin, RunKind};
pub(crate) use shown::{shown_host, word_before};
#[cfg(test)]
pub(crate) use windows::read;
pub(crate) use windows::{WINDOW, Windows, read_inner};
pub(crate) use xml::{InnerPage, is_xml};

//! HTML and XML: the links and the text of one part, with their places in its source.
//!
//! The crate `html5gum` tokenizes as the HTML standard does (WHATWG, 13.2.5 Tokenization). So
//! broken HTML is read as browsers read it. After every piece the tokenizer reports its position in
//! the source. The `Reader` derives the places from that. (`lol_html` is built for rewriting. It
//! decodes no character references, neither in text nor in attributes, which is half of the work
//! here.) No tree is built: it would move no link. It would only change foster parents and the
//! foreign content of SVG, in which `<title>` and `<style>` are ordinary elements.
//!
//! Newsletters are read at 250-278 MB/s, text that is half `&nbsp;` at 135 MB/s. The tokenizer
//! alone reaches 248 and 140 MB/s with its own emitter (EPYC, one busy core, 2026-11). Time is
//! linear. Hostile text needs up to 15 times its size in memory, and `url(a)url(a)…` 40 times.
//!
//! A part is read into three lists, each in the order of the source:
//!
//! - [links](Link) of attributes and style sheets, and which of them is the base;
//! - [the text](Html::text) that a reader sees, as one, so that a scanner reads it once;
//! - runs of the source that a reader does not see: comments (those of Outlook hold links),
//!   scripts, styles.
//!
//! Every byte of the source that may hold a URL is in one of them. The exceptions are `xmlns`, the
//! doctype, end tags, and attributes that hold no references (`title`, `onclick`). The links of a
//! `<style>` element are in its run, too.

mod archiver;
mod css;
mod flow;
mod names;
mod page;
mod part;
mod pauses;
mod reader;
mod shown;
#[cfg(test)]
mod tests;
mod values;
mod windows;
mod xml;

pub(crate) use archiver::PageMessages;
pub use page::PAGE_EXTENSIONS;
pub(crate) use page::{begins_as_page, has_mail_name, has_mailbox_name, has_page_name, has_sheet_name, is_page};
pub(crate) use part::{Html, Link, LinkOrigin, RunKind};
pub(crate) use shown::{shown_host, word_before};
#[cfg(test)]
pub(crate) use windows::read;
pub(crate) use windows::{WINDOW, Windows, read_inner};
pub(crate) use xml::is_xml;

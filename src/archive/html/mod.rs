//! HTML and XML: the links and the text of one part, with their places in its source.
//!
//! Tokens are those of the HTML standard (WHATWG, 13.2.5 Tokenization), by the crate `html5gum`, so that broken HTML is
//! read as browsers read it. After every piece the tokenizer reports its position in the source, from which the `Reader`
//! derives the places. (`lol_html` is built for rewriting: it decodes no character references, neither in text
//! nor in attributes, which is half of the work here.) There is no tree: what it would change (foster parents, foreign
//! content of SVG, where `<title>` and `<style>` are ordinary elements) moves no link.
//!
//! Newsletters are read at 250-278 MB/s, text that is half `&nbsp;` at 135 MB/s; the tokenizer alone does 248 and 140 with
//! its own emitter (EPYC, one busy core, 2026-11). Time is linear; hostile text takes up to 15 times its size in
//! memory, and `url(a)url(a)…` 40 times.
//!
//! What comes out of a part is three lists, each in the order of the source:
//!
//! - [links](Link) of attributes and style sheets, and which of them is the base;
//! - [the text](Html::text) that a reader sees, as one, so that a scanner looks at it once;
//! - runs of the source that a reader does not see: comments (those of Outlook hold links), scripts, styles.
//!
//! Every byte of the source that may hold a URL is in one of them, but for `xmlns`, the doctype, end tags, and
//! attributes that hold no references (`title`, `onclick`). The links of a `<style>` element are in its run, too.

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

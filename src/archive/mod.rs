//! Archives of mail and news: bytes in, parts out. The search for URLs is elsewhere.
//!
//! [`open`] opens a file as the command `urlgrep` does. It recognises compression, tars, mailboxes,
//! messages, news batches and text. [`Extractor::documents`](crate::Extractor::documents) finds the
//! URLs of mail, news and HTML.
//!
//! | step | file |
//! |---|---|
//! | a file, opened | `input` |
//! | compression | `compress` |
//! | the form of an input | `recognise`; `foreign`: forms that are not read |
//! | files of a tar, of a zip | `tar`, `zip` |
//! | messages of a mailbox or a batch | `split` |
//! | the texts of a message | `message`, `mime`, `header` |
//! | articles in NNTP wire format, and messages that are converted as a whole or sent in pieces | `wire`, `restored`, `partial` |
//! | records of web archives, and ranges of them | `warc`, `members` |
//! | transfer encodings and charsets | `transfer`, `charset` |
//! | files within texts, signed messages | `inline`, `cms` |
//! | attachments other than text, PDF, strings of binary files | `attachment`, `pdf`, `wide` |
//! | calendars and cards | `calendar` |
//! | `format=flowed` and other folds, reply quoting | `flowed`, `pruned`, `quote` |
//! | links and text of HTML and XML | `html` |

pub(crate) mod armor;
pub(crate) mod attachment;
pub(crate) mod calendar;
pub(crate) mod charset;
pub(crate) mod cms;
pub(crate) mod compress;
pub(crate) mod container;
pub(crate) mod encoding;
pub(crate) mod flowed;
pub(crate) mod foreign;
pub(crate) mod header;
pub(crate) mod html;
pub(crate) mod inline;
mod input;
mod members;
pub(crate) mod message;
pub(crate) mod mime;
mod office;
pub(crate) mod partial;
pub(crate) mod pdf;
pub(crate) mod pruned;
pub(crate) mod quote;
pub(crate) mod recognise;
pub(crate) mod reply;
pub(crate) mod restored;
pub(crate) mod rtf;
pub(crate) mod split;
pub(crate) mod stream_places;
#[cfg(test)]
mod support;
pub(crate) mod sylk;
pub(crate) mod tar;
pub(crate) mod text_source;
pub(crate) mod transfer;
pub(crate) mod warc;
pub(crate) mod wide;
pub(crate) mod wire;
pub(crate) mod zip;

pub use compress::{Format, HEAD, PACKED_EXTENSIONS};
pub use container::Container;
pub use foreign::Foreign;
pub use html::PAGE_EXTENSIONS;
pub use input::{Entry, Input, OpenOptions, ReadAs, open};
pub use members::has_record_members;
pub(crate) use members::records;
pub use message::Envelope;
pub use recognise::{recognise, recognise_early};

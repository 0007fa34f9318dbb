//! Names the contents of an input: text, a document, messages, or other inputs.

use crate::archive::compress::Format;
use crate::archive::foreign::Foreign;

/// The contents of an input, as its first bytes show them.
///
/// ```
/// use urlgrep::archive::Container;
///
/// assert!(Container::Mbox.has_documents() && !Container::Text.has_documents());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// None of the others.
    Text,
    /// A page of HTML or XHTML.
    Html,
    /// A PDF. Its links and its strings are read.
    Pdf,
    /// A CSV file: records whose fields are separated by commas (RFC 4180). The name of the file
    /// shows this, or the caller states it.
    Csv,
    /// A feed, a sitemap, a drawing or any other document of XML.
    Xml,
    /// Text, HTML or XML in UTF-16. It begins with a byte order mark, or every second byte of its
    /// beginning is NUL.
    Utf16,
    /// A calendar (RFC 5545) or vCards (RFC 6350).
    Calendar,
    /// A document in RTF. Its escapes are decoded.
    Rtf,
    /// A sheet in SYLK. The doubled `;` of its cells are read as one.
    Sylk,
    /// A property list of Apple, a part of a binary Excel workbook (`.xlsb`), or a shortcut of Windows.
    /// Its strings in UTF-16 are read, too.
    WideStrings,
    /// One mail (RFC 5322) or news article (RFC 1036): a file of a maildir, an MH folder or a news
    /// spool, or an `.eml`.
    Message,
    /// A mailbox whose messages are separated by `From ` lines.
    Mbox,
    /// A batch of news articles, `#! rnews`.
    Rnews,
    /// A mailbox whose messages stand between lines of four Control-A characters.
    Mmdf,
    /// A mailbox of Emacs' Rmail.
    Babyl,
    /// One message of Apple's Mail, with its length before it and a property list after it.
    Emlx,
    /// A file of Dovecot: one message (sdbox) or several (mdbox).
    Dbox,
    /// A web archive (WARC, WET): records, each of which is read as a message.
    Warc,
    /// A tar, of any of these.
    Tar,
    /// A zip, of any of these.
    Zip,
    /// Any of these, compressed.
    Compressed(Format),
    /// A recognised file that cannot be unpacked here. It is read as text.
    Foreign(Foreign),
}

impl Container {
    /// Returns whether the input holds mail, news, HTML, XML, a calendar, text in UTF-16, a PDF or
    /// a web archive. [`Extractor::documents`](crate::Extractor::documents) reads these.
    pub fn has_documents(self) -> bool {
        self.is_page() || self.has_messages() || matches!(self, Container::Pdf | Container::Warc)
    }

    /// Returns whether the input holds mail or news: one message or several.
    pub(crate) fn has_messages(self) -> bool {
        use Container::{Babyl, Dbox, Emlx, Mbox, Message, Mmdf, Rnews};
        matches!(self, Message | Mbox | Rnews | Mmdf | Babyl | Emlx | Dbox)
    }

    /// Returns whether the whole input is one part that belongs to no message.
    pub(crate) fn is_page(self) -> bool {
        use Container::{Calendar, Html, Rtf, Sylk, Utf16, WideStrings, Xml};
        matches!(self, Html | Xml | Utf16 | Calendar | Rtf | Sylk | WideStrings)
    }

    /// Returns whether ranges of the input can be searched by themselves
    /// ([`Extractor::search_range`](crate::Extractor::search_range)).
    ///
    /// This holds for text, CSV, a mailbox with `From ` lines, and a file that is recognised but
    /// not unpacked. Any other input has to be read from its start. A page and a message are one
    /// unit, and lengths divide a batch of news. The middle of a tar or of a compressed file shows
    /// nothing of its structure. The lines of MMDF and Babyl are recognisable in the middle, too,
    /// but large files of these do not occur.
    pub fn is_divisible(self) -> bool {
        matches!(self, Container::Text | Container::Csv | Container::Mbox | Container::Foreign(_))
    }
}

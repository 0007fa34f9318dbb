//! The public types of a place.

use std::ops::Range;
use std::sync::Arc;

use crate::archive::message::Envelope;

/// The place of a match in an archive of mail or news, or in a page of HTML. An unknown field is
/// `None`.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let path = std::env::temp_dir().join(format!("urlgrep-place-{}", std::process::id()));
/// # let mail = "From: joe@a.example\nTo: jane@a.example\nSubject: Look\n\n> http://a.example/\n";
/// # std::fs::write(&path, mail)?;
/// for found in urlgrep::Extractor::new().open(&path)? {
///     let place = found?.place().unwrap();
///     println!("{:?}", place.message.as_ref().and_then(|message| message.subject.as_deref()));
///     # assert_eq!((place.message.unwrap().subject.as_deref(), place.quote_depth), (Some("Look"), Some(1)));
/// }
/// # std::fs::remove_file(path)
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The envelope of the message, or of a message that it encloses as text, as in a digest.
    /// `None` in a page of HTML, unless an archiver's page shows the message.
    pub message: Option<Arc<Envelope>>,
    /// Number of the message in its archive, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it. 0 in a
    /// page.
    pub offset: u64,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header and in a page.
    pub part: Option<String>,
    /// The range of the match in the decoded text of the part. `None` if the archive holds the text
    /// undecoded.
    pub part_span: Option<Range<u64>>,
    /// The path of the file within a packed attachment that holds the match.
    pub member: Option<String>,
    /// The content type, such as `text/html`. `None` in a header.
    pub content_type: Option<String>,
    /// The encoding. The match's span counts bytes of the archive, except in `unpacked` and `http`.
    /// There it counts bytes of the unpacked text, since the archive does not hold it.
    pub encoding: Option<&'static str>,
    /// The name of the field, in a header.
    pub header: Option<String>,
    /// The depth of quotation of the line. `None` in headers and HTML, except in a message that an
    /// archiver's page shows.
    pub quote_depth: Option<usize>,
    /// The range in the archive of the part's encoded body; `None` in a header, in a page, and for
    /// a body that is empty or too long for memory.
    pub body: Option<Range<u64>>,
    /// The text in an anchor of HTML.
    pub text: Option<String>,
    /// A relative link of HTML, resolved by RFC 3986.
    pub resolved: Option<Vec<u8>>,
    /// The host that an anchor's text shows, if its link leads to another host. `www.` makes no
    /// difference. In plain text, the word before a link in angle brackets shows the host. That
    /// word stands on the same line, or ends the line before.
    pub shown_host: Option<String>,
    /// The element of HTML and its attribute that hold the link: `a href`, or `style` in a style
    /// sheet.
    pub attribute: Option<String>,
    /// The reason why the part could not be decoded completely.
    pub note: Option<&'static str>,
}

/// A part of a message that could not be decoded completely. Most such parts are searched
/// undecoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Undecoded {
    /// Number in its archive of the message that holds the part, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// The MIME part as IMAP numbers it: `1.2`. `None` for the message as a whole.
    pub part: Option<String>,
    /// The reason in a few words, as in [`Place::note`] and
    /// [`Stats::undecoded_by_reason`](crate::Stats::undecoded_by_reason).
    pub reason: &'static str,
}

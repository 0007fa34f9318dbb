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
    /// The message, or the one that it encloses as text: of a digest, the message of the digest.
    /// `None` in a page of HTML.
    pub message: Option<Arc<Envelope>>,
    /// Which message of the archive it is, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it. 0 in a
    /// page.
    pub offset: u64,
    /// The MIME part as IMAP numbers it: `1.2`. `None` in a header and in a page.
    pub part: Option<String>,
    /// `text/html`. `None` in a header.
    pub content_type: Option<String>,
    /// `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, `uuencode`, `yenc`, `encoded-word`
    /// or `unknown`. In the first three the match's span is that of the archive, else that of the
    /// decoded part.
    pub encoding: Option<&'static str>,
    /// The name of the field, in a header.
    pub header: Option<String>,
    /// How deep the line is quoted; `None` in headers and HTML.
    pub quote_depth: Option<usize>,
    /// The range in the archive of the part's encoded body; `None` if that is too long to be held.
    pub body: Option<Range<u64>>,
    /// The text in an anchor of HTML.
    pub text: Option<String>,
    /// A relative link of HTML, resolved by RFC 3986.
    pub resolved: Option<Vec<u8>>,
    /// The host that an anchor's text shows, if its link leads to another. `www.` makes no
    /// difference. In a plain text the word before a link in angle brackets shows it. That word is
    /// on the same line, or ends the one before.
    pub shown_host: Option<String>,
    /// The element of HTML and its attribute that hold the link: `a href`; of a style sheet
    /// `style`.
    pub attribute: Option<String>,
    /// Why the part could not be decoded, or not wholly.
    pub note: Option<&'static str>,
}

/// A part of a message that could not be decoded, or not wholly: it was searched as it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecoded {
    /// Which message of the archive it is in, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// The MIME part as IMAP numbers it: `1.2`. `None` of the message as a whole.
    pub part: Option<String>,
    /// Why, in a few words: those of [`Place::note`] and
    /// [`Stats::undecoded_by_reason`](crate::Stats::undecoded_by_reason).
    pub reason: &'static str,
}

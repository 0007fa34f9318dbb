//! What can be wrong with a URL: one kind per row of spec.md section 2, its message and the rule behind it.
//!
//! Owns the words. The parsers only say *kind, offset, byte, scheme*; how that reads is decided here, so that a
//! library user, the command and the reports cannot say it in three ways. An error is eight bytes without a
//! heap, because finding text in an archive means making millions of them that nobody will ever print.

use std::fmt;

use super::scheme::Scheme;

/// What is wrong with a URL.
///
/// Each kind says what the [offset](ParseError::offset) points at. The names are stable, and so are those of
/// [`as_str`](ParseErrorKind::as_str), which reports and test vectors use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The input is empty. Offset 0.
    Empty,
    /// The input is longer than the offsets of this library reach (4 GiB). Offset 0. Not a kind of the grammar.
    TooLong,
    /// A raw control character. Offset of the byte.
    ControlChar,
    /// A raw space. Offset of the byte.
    Space,
    /// A raw octet of 80 or above. Offset of the first one of its sequence.
    NonAscii,
    /// A raw `<`, `>` or `"`. Offset of the byte.
    UnsafeDelimiter,
    /// A raw `{ } | \ ^ ~ [ ]` or backtick. Offset of the byte.
    UnsafeGateway,
    /// A `%` without two hexadecimal digits. Offset of the `%`.
    BadEscape,
    /// An escape that the end of the URL cuts off. Offset of the `%`.
    TruncatedEscape,
    /// A second `#`. Offset of it.
    UnencodedHash,
    /// A `#` where no fragment is allowed. Offset of it.
    FragmentNotAllowed,
    /// No colon at all: a relative URL, or none. Offset 0.
    MissingScheme,
    /// The first byte is the colon. Offset 0.
    EmptyScheme,
    /// Something that cannot be in a scheme stands before the first colon. Offset of the first such byte.
    BadSchemeChar,
    /// No `//` after the colon. Offset of the byte after the colon.
    MissingSlashes,
    /// User name or password in a scheme that takes none. Offset of the first byte after `//`.
    UserinfoNotAllowed,
    /// More than one `@` before the path. Offset of the first.
    UserinfoAt,
    /// A second colon in user and password. Offset of it.
    UserinfoColon,
    /// No host. Offset of where it should begin.
    EmptyHost,
    /// A byte that cannot be in a host. Offset of the first such byte.
    BadHostChar,
    /// A `?` right after the authority. Offset of it.
    MissingPathSlash,
    /// Two dots in a row, or a dot first or last. Offset of where the label should begin.
    EmptyLabel,
    /// A hyphen at the edge of a label. Offset of it.
    LabelHyphen,
    /// The last label begins with a digit, and the host is no number. Offset of that label.
    BadToplabel,
    /// A port in a file URL. Offset of the colon.
    PortNotAllowed,
    /// A colon without a port. Offset of the byte after it.
    EmptyPort,
    /// A byte in a port that is no digit. Offset of it.
    BadPortChar,
    /// The path is missing in a scheme that needs one. Offset of the end of the authority.
    MissingPath,
    /// A reserved character that may not stand raw in this path. Offset of it.
    BadPathChar,
    /// A reserved character that may not stand raw after the `?`. Offset of it.
    BadSearchChar,
    /// An ftp typecode other than A, I, D, or something after it. Offset of the first wrong byte, or the end.
    BadFtpType,
    /// Something after the slash of a telnet URL. Offset of it.
    UnexpectedPath,
    /// No newsgroup. Offset of where it should begin.
    EmptyGroup,
    /// A byte that cannot be in a newsgroup's name. Offset of it.
    BadGroupChar,
    /// Nothing before the `@` of an article. Offset of the `@`.
    EmptyArticleId,
    /// An article number with something but digits, or without any. Offset of the first non-digit, or the end.
    BadArticleNumber,
    /// A WAIS document without type or path. Offset of the end of the URL.
    MissingWpath,
    /// A prospero field without `=`. Offset of the next `;`, or the end.
    MissingFieldEquals,
    /// A reserved character that may not stand raw in a prospero field. Offset of it.
    BadFieldChar,
    /// No address. Offset of the end.
    EmptyAddress,
    /// The decoded address is no RFC 822 addr-spec. Offset of its first byte.
    NotAddrSpec,
    /// Resolution only: a relative path against a base that has none. Offset 0.
    BaseNotHierarchical,
    /// Resolution only: the base has no scheme. Offset 0.
    BaseNotAbsolute,
}

use ParseErrorKind as Kind;

impl ParseErrorKind {
    /// Every kind, in the order of spec.md section 2.
    pub const ALL: &'static [ParseErrorKind] = &[
        Kind::Empty,
        Kind::TooLong,
        Kind::ControlChar,
        Kind::Space,
        Kind::NonAscii,
        Kind::UnsafeDelimiter,
        Kind::UnsafeGateway,
        Kind::BadEscape,
        Kind::TruncatedEscape,
        Kind::UnencodedHash,
        Kind::FragmentNotAllowed,
        Kind::MissingScheme,
        Kind::EmptyScheme,
        Kind::BadSchemeChar,
        Kind::MissingSlashes,
        Kind::UserinfoNotAllowed,
        Kind::UserinfoAt,
        Kind::UserinfoColon,
        Kind::EmptyHost,
        Kind::BadHostChar,
        Kind::MissingPathSlash,
        Kind::EmptyLabel,
        Kind::LabelHyphen,
        Kind::BadToplabel,
        Kind::PortNotAllowed,
        Kind::EmptyPort,
        Kind::BadPortChar,
        Kind::MissingPath,
        Kind::BadPathChar,
        Kind::BadSearchChar,
        Kind::BadFtpType,
        Kind::UnexpectedPath,
        Kind::EmptyGroup,
        Kind::BadGroupChar,
        Kind::EmptyArticleId,
        Kind::BadArticleNumber,
        Kind::MissingWpath,
        Kind::MissingFieldEquals,
        Kind::BadFieldChar,
        Kind::EmptyAddress,
        Kind::NotAddrSpec,
        Kind::BaseNotHierarchical,
        Kind::BaseNotAbsolute,
    ];

    /// The stable name, in kebab case: `unsafe-gateway`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Empty => "empty",
            Kind::TooLong => "too-long",
            Kind::ControlChar => "control-char",
            Kind::Space => "space",
            Kind::NonAscii => "non-ascii",
            Kind::UnsafeDelimiter => "unsafe-delimiter",
            Kind::UnsafeGateway => "unsafe-gateway",
            Kind::BadEscape => "bad-escape",
            Kind::TruncatedEscape => "truncated-escape",
            Kind::UnencodedHash => "unencoded-hash",
            Kind::FragmentNotAllowed => "fragment-not-allowed",
            Kind::MissingScheme => "missing-scheme",
            Kind::EmptyScheme => "empty-scheme",
            Kind::BadSchemeChar => "bad-scheme-char",
            Kind::MissingSlashes => "missing-slashes",
            Kind::UserinfoNotAllowed => "userinfo-not-allowed",
            Kind::UserinfoAt => "userinfo-at",
            Kind::UserinfoColon => "userinfo-colon",
            Kind::EmptyHost => "empty-host",
            Kind::BadHostChar => "bad-host-char",
            Kind::MissingPathSlash => "missing-path-slash",
            Kind::EmptyLabel => "empty-label",
            Kind::LabelHyphen => "label-hyphen",
            Kind::BadToplabel => "bad-toplabel",
            Kind::PortNotAllowed => "port-not-allowed",
            Kind::EmptyPort => "empty-port",
            Kind::BadPortChar => "bad-port-char",
            Kind::MissingPath => "missing-path",
            Kind::BadPathChar => "bad-path-char",
            Kind::BadSearchChar => "bad-search-char",
            Kind::BadFtpType => "bad-ftp-type",
            Kind::UnexpectedPath => "unexpected-path",
            Kind::EmptyGroup => "empty-group",
            Kind::BadGroupChar => "bad-group-char",
            Kind::EmptyArticleId => "empty-article-id",
            Kind::BadArticleNumber => "bad-article-number",
            Kind::MissingWpath => "missing-wpath",
            Kind::MissingFieldEquals => "missing-field-equals",
            Kind::BadFieldChar => "bad-field-char",
            Kind::EmptyAddress => "empty-address",
            Kind::NotAddrSpec => "not-addr-spec",
            Kind::BaseNotHierarchical => "base-not-hierarchical",
            Kind::BaseNotAbsolute => "base-not-absolute",
        }
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why some bytes are not a URL, and where.
///
/// One error a candidate, the first of these phases that fails (P-2): characters, scheme, authority, the rest.
/// The message names the remedy where there is one, and ends with the rule's id in spec.md.
///
/// # Examples
///
/// ```
/// use urlgrep::{ParseErrorKind, Url};
///
/// let error = Url::parse(b"http://h/~joe/").unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::UnsafeGateway);
/// assert_eq!(error.offset(), 9);
/// assert_eq!(error.to_string(), "`~` is unsafe in transit; write %7E (G-LEX-3)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    kind: ParseErrorKind,
    /// For the message: whose grammar was applied.
    scheme: Scheme,
    /// For the message: the byte at the offset, 0 where the offset is the input's length.
    byte: u8,
    offset: u32,
}

impl ParseError {
    /// An error at `offset` of `bytes`.
    #[cold]
    pub(crate) fn new(kind: ParseErrorKind, scheme: Scheme, bytes: &[u8], offset: usize) -> ParseError {
        debug_assert!(offset <= bytes.len(), "{kind} at {offset} of {} bytes", bytes.len());
        let byte = bytes.get(offset).copied().unwrap_or(0);
        // Inputs whose offsets do not fit are refused before anything else looks at them (TooLong).
        ParseError { kind, scheme, byte, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    /// Whose grammar was applied.
    pub(super) const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Where: a byte offset into the parsed input. The input's length means that something is missing at its end.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset as usize
    }

    /// The id of the rule that is broken, as spec.md numbers them: `G-LEX-3`. The message ends with it.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self.kind {
            Kind::Empty | Kind::MissingScheme | Kind::EmptyScheme => "G-SCHEME-3",
            Kind::TooLong => "P-3",
            Kind::ControlChar | Kind::Space => "G-LEX-5",
            Kind::NonAscii => "G-LEX-6",
            Kind::UnsafeDelimiter => "G-LEX-4",
            Kind::UnsafeGateway => "G-LEX-3",
            Kind::BadEscape | Kind::TruncatedEscape => "G-LEX-2",
            Kind::UnencodedHash => "G-FRAG-2",
            Kind::FragmentNotAllowed => "G-FRAG-3",
            Kind::BadSchemeChar => match self.byte {
                b'%' => "G-SCHEME-4",
                _ => "G-SCHEME-1",
            },
            Kind::MissingSlashes => match self.scheme {
                Scheme::File => "G-FILE-3",
                _ => "G-OTHER-1",
            },
            Kind::UserinfoNotAllowed => match self.scheme {
                Scheme::Http => "G-HTTP-2",
                _ => "G-LOGIN-4",
            },
            Kind::UserinfoAt | Kind::UserinfoColon => "G-LOGIN-3",
            Kind::EmptyHost => match self.scheme {
                Scheme::News => "G-NEWS-6",
                Scheme::Other => "G-OTHER-2",
                _ => "G-HOST-5",
            },
            Kind::BadHostChar => match self.scheme {
                Scheme::News => "G-NEWS-6",
                Scheme::Ftp if self.byte == b';' => "G-FTP-4",
                _ => "G-HOST-7",
            },
            Kind::MissingPathSlash => match self.scheme {
                Scheme::Http => "G-HTTP-3",
                Scheme::Wais => "G-WAIS-1",
                _ => "G-OTHER-6",
            },
            // Where a label should begin there is another dot, or the end.
            Kind::EmptyLabel => match self.byte {
                b'.' => "G-HOST-1",
                _ => "G-HOST-3",
            },
            Kind::LabelHyphen => "G-HOST-1",
            Kind::BadToplabel => "G-HOST-2",
            Kind::PortNotAllowed => "G-FILE-4",
            Kind::EmptyPort | Kind::BadPortChar => "G-PORT-1",
            Kind::MissingPath => match self.scheme {
                Scheme::Nntp => "G-NNTP-2",
                Scheme::Wais => "G-WAIS-1",
                Scheme::Prospero => "G-PROSPERO-1",
                _ => "G-FILE-3",
            },
            Kind::BadPathChar => match self.scheme {
                Scheme::Ftp => "G-FTP-2",
                Scheme::Wais => "G-WAIS-3",
                _ => "G-FILE-5",
            },
            Kind::BadSearchChar => match self.scheme {
                Scheme::Wais => "G-WAIS-4",
                _ => "G-HTTP-4",
            },
            Kind::BadFtpType => "G-FTP-3",
            Kind::UnexpectedPath => "G-TELNET-1",
            Kind::EmptyGroup | Kind::BadGroupChar => match self.scheme {
                Scheme::Nntp => "G-NNTP-2",
                _ if self.byte == b'*' => "G-NEWS-1",
                _ => "G-NEWS-3",
            },
            Kind::EmptyArticleId => "G-NEWS-4",
            Kind::BadArticleNumber => "G-NNTP-1",
            Kind::MissingWpath => "G-WAIS-1",
            Kind::MissingFieldEquals | Kind::BadFieldChar => "G-PROSPERO-2",
            Kind::EmptyAddress => "G-MAILTO-1",
            Kind::NotAddrSpec => "G-MAILTO-2",
            Kind::BaseNotHierarchical | Kind::BaseNotAbsolute => "R-1808-6",
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let byte = self.byte;
        let c = char::from(byte);
        let scheme = self.scheme.as_str();
        match self.kind {
            Kind::Empty => write!(f, "nothing to parse"),
            Kind::TooLong => write!(f, "longer than 4294967294 bytes"),
            Kind::ControlChar => write!(f, "control octet {byte:02X} must be written %{byte:02X}"),
            Kind::Space => write!(f, "a space must be written %20"),
            Kind::NonAscii => write!(f, "octet {byte:02X} is outside US-ASCII and must be encoded"),
            Kind::UnsafeDelimiter => write!(f, "`{c}` delimits URLs in text; write %{byte:02X}"),
            Kind::UnsafeGateway => write!(f, "`{c}` is unsafe in transit; write %{byte:02X}"),
            Kind::BadEscape => write!(f, "`%` must be followed by two hexadecimal digits"),
            Kind::TruncatedEscape => write!(f, "the URL ends inside an escape"),
            Kind::UnencodedHash => write!(f, "a fragment cannot contain `#`"),
            Kind::FragmentNotAllowed => write!(f, "a URL proper has no fragment"),
            Kind::MissingScheme => write!(f, "no `:` in the input: not an absolute URL (a relative one?)"),
            Kind::EmptyScheme => write!(f, "nothing before the colon"),
            Kind::BadSchemeChar => write!(f, "`{c}` cannot be in a scheme name"),
            Kind::MissingSlashes => write!(f, "{scheme} URLs begin `{scheme}://`"),
            Kind::UserinfoNotAllowed => write!(f, "{scheme} URLs take no user name or password"),
            Kind::UserinfoAt => write!(f, "`@` inside a user name or password must be %40"),
            Kind::UserinfoColon => write!(f, "`:` inside a password must be %3A"),
            Kind::EmptyHost => write!(f, "host name missing"),
            Kind::BadHostChar => write!(f, "`{c}` cannot be in a host name"),
            Kind::MissingPathSlash => write!(f, "a `/` must precede `?`"),
            Kind::EmptyLabel => write!(f, "empty label in the host name (a final dot is not allowed)"),
            Kind::LabelHyphen => write!(f, "a label cannot begin or end with `-`"),
            Kind::BadToplabel => write!(f, "the last label begins with a digit and the host is not four digit groups"),
            Kind::PortNotAllowed => write!(f, "file URLs take no port"),
            Kind::EmptyPort => write!(f, "port number missing (drop the colon)"),
            Kind::BadPortChar => write!(f, "a port has digits only"),
            Kind::MissingPath => write!(f, "{scheme} URLs need a `/` after the host"),
            Kind::BadPathChar => write!(f, "`{c}` must be encoded in this path"),
            Kind::BadSearchChar => write!(f, "`{c}` must be encoded after `?`"),
            Kind::BadFtpType => write!(f, "the typecode is one of A I D (either case), last in the URL"),
            Kind::UnexpectedPath => write!(f, "nothing may follow the `/` of a telnet URL"),
            Kind::EmptyGroup => write!(f, "newsgroup missing"),
            Kind::BadGroupChar => write!(f, "a group begins with a letter and holds letters, digits, `- . + _`"),
            Kind::EmptyArticleId => write!(f, "nothing before `@`"),
            Kind::BadArticleNumber => write!(f, "an article number has digits only"),
            Kind::MissingWpath => write!(f, "a WAIS document needs type and path"),
            Kind::MissingFieldEquals => write!(f, "a prospero field needs `=`"),
            Kind::BadFieldChar => write!(f, "`{c}` must be encoded in a prospero field"),
            Kind::EmptyAddress => write!(f, "address missing"),
            Kind::NotAddrSpec => write!(f, "the decoded address is not an RFC 822 addr-spec"),
            // A scheme that this library has no name for cannot be named by a small error.
            Kind::BaseNotHierarchical if self.scheme == Scheme::Other => {
                write!(f, "an opaque URL cannot be a base for a relative path")
            }
            Kind::BaseNotHierarchical => write!(f, "a {scheme} URL cannot be a base for a relative path"),
            Kind::BaseNotAbsolute => write!(f, "the base has no scheme"),
        }?;
        write!(f, " ({})", self.rule())
    }
}

impl std::error::Error for ParseError {}

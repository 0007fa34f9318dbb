//! The errors of a URL: one row per kind, with its message and its rule (the specification, section
//! 2).
//!
//! The parsers only provide the kind, offset, byte and scheme. This file owns the wording, so that
//! library, command and reports share it. An error has eight bytes and allocates nothing. A search
//! of an archive makes millions of errors that nobody will print.

use std::fmt;

use super::scheme::Scheme;

/// Makes the kinds from rows. A row has the name, the message with holes `{c}`, `{hex}` and
/// `{scheme}`, and the broken rule. Some rows have other rules for some schemes and bytes.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $message:literal, $rule:literal
        $(, ($scheme:pat, $byte:pat) $other:literal)*;)*) => {
        /// The kind of an error in a URL.
        ///
        /// The documentation of each kind ends with the [offset](ParseError::offset) of its errors.
        /// The kinds keep their names. So do the names that [`as_str`](ParseErrorKind::as_str)
        /// returns, which reports and test vectors use.
        ///
        /// ```
        /// use urlgrep::{ParseErrorKind, Url};
        ///
        /// let error = Url::parse("http://a.example:x/").unwrap_err();
        /// assert_eq!(error.kind(), ParseErrorKind::BadPortChar);
        /// assert_eq!(error.kind().as_str(), "bad-port-char");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ParseErrorKind {
            $($(#[$doc])* $kind,)*
        }

        impl ParseErrorKind {
            /// Every kind, in the order of the specification, section 2.
            pub const ALL: &'static [ParseErrorKind] = &[$(ParseErrorKind::$kind,)*];

            /// Returns the stable name, in kebab case: `unsafe-gateway`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ParseErrorKind::$kind => $name,)*
                }
            }

            /// Returns the message, split at its holes: `{c}` for the byte, `{hex}` for its value,
            /// and `{scheme}` for the scheme.
            const fn message(self) -> &'static Message {
                match self {
                    $(ParseErrorKind::$kind => const { &message($message) },)*
                }
            }
        }

        impl ParseError {
            /// Returns the id of the broken rule in the specification: `G-LEX-3`. The message ends
            /// with this id.
            #[must_use]
            pub const fn rule(&self) -> &'static str {
                match (self.kind, self.scheme, self.byte) {
                    $($((ParseErrorKind::$kind, $scheme, $byte) => $other,)*
                    (ParseErrorKind::$kind, ..) => $rule,)*
                }
            }
        }
    };
}

kinds! {
    /// The input is empty. Offset 0.
    Empty "empty" "nothing to parse", "G-SCHEME-3";
    /// The input is longer than the offsets of this library reach (4 GiB). The grammar has no such
    /// limit. Offset 0.
    TooLong "too-long" "longer than 4294967294 bytes", "P-3";
    /// A raw control character. Offset of the byte.
    ControlChar "control-char" "control octet {hex} must be written %{hex}", "G-LEX-5";
    /// A raw space. Offset of the byte.
    Space "space" "a space must be written %20", "G-LEX-5";
    /// A raw octet of 0x80 or above. Offset of the first such octet.
    NonAscii "non-ascii" "octet {hex} is outside US-ASCII and must be encoded", "G-LEX-6";
    /// A raw `<`, `>` or `"`. Offset of the byte.
    UnsafeDelimiter "unsafe-delimiter" "`{c}` delimits URLs in text; write %{hex}", "G-LEX-4";
    /// A raw `{ } | \ ^ ~ [ ]` or backtick. Offset of the byte.
    UnsafeGateway "unsafe-gateway" "`{c}` is unsafe in transit; write %{hex}", "G-LEX-3";
    /// A `%` without two hexadecimal digits. Offset of the `%`.
    BadEscape "bad-escape" "`%` must be followed by two hexadecimal digits", "G-LEX-2";
    /// An escape that the end of the URL cuts off. Offset of the `%`.
    TruncatedEscape "truncated-escape" "the URL ends inside an escape", "G-LEX-2";
    /// A second `#`. Offset of that `#`.
    UnencodedHash "unencoded-hash" "a fragment cannot contain `#`", "G-FRAG-2";
    /// A `#` where no fragment is allowed. Offset of the `#`.
    FragmentNotAllowed "fragment-not-allowed" "a fragment is not allowed here", "G-FRAG-3";
    /// No colon at all: perhaps a relative URL. Offset 0.
    MissingScheme "missing-scheme" "no `:` in the input: not an absolute URL (a relative one?)", "G-SCHEME-3";
    /// The first byte is the colon. Offset 0.
    EmptyScheme "empty-scheme" "nothing before the colon", "G-SCHEME-3";
    /// A byte that cannot be in a scheme stands before the first colon. Offset of the first such
    /// byte.
    BadSchemeChar "bad-scheme-char" "`{c}` cannot be in a scheme name", "G-SCHEME-1", (_, b'%') "G-SCHEME-4";
    /// No `//` after the colon. Offset of the byte after the colon.
    MissingSlashes "missing-slashes" "{scheme} URLs begin with `{scheme}://`", "G-OTHER-1", (Scheme::File, _) "G-FILE-3";
    /// A user name or password in a scheme that has none. Offset of the first byte after `//`.
    UserinfoNotAllowed "userinfo-not-allowed" "{scheme} URLs have no user name or password",
        "G-LOGIN-4", (Scheme::Http, _) "G-HTTP-2";
    /// More than one `@` before the path. Offset of the first `@`.
    UserinfoAt "userinfo-at" "`@` inside a user name or password must be %40", "G-LOGIN-3";
    /// A second colon before the `@`. Offset of that colon.
    UserinfoColon "userinfo-colon" "`:` inside a password must be %3A", "G-LOGIN-3";
    /// No host. Offset of the place where the host should begin.
    EmptyHost "empty-host" "host name missing",
        "G-HOST-5", (Scheme::News, _) "G-NEWS-6", (Scheme::Https | Scheme::Other, _) "G-OTHER-2";
    /// A byte that cannot be in a host. Offset of the first such byte.
    BadHostChar "bad-host-char" "`{c}` cannot be in a host name",
        "G-HOST-7", (Scheme::News, _) "G-NEWS-6", (Scheme::Ftp, b';') "G-FTP-4";
    /// A `?` after the authority, without the `/` of a path. Offset of the `?`.
    MissingPathSlash "missing-path-slash" "a `/` must precede `?`",
        "G-OTHER-6", (Scheme::Http, _) "G-HTTP-3", (Scheme::Wais, _) "G-WAIS-1";
    /// Two dots in a row in a host, or a dot at its start or end. Offset of the place where the
    /// label should begin.
    EmptyLabel "empty-label" "empty label in the host name (a final dot is not allowed)",
        "G-HOST-3", (_, b'.') "G-HOST-1";
    /// A hyphen at the edge of a label. Offset of the hyphen.
    LabelHyphen "label-hyphen" "a label cannot begin or end with `-`", "G-HOST-1";
    /// The last label begins with a digit, and the host is not an IPv4 address. Offset of that
    /// label.
    BadToplabel "bad-toplabel" "the last label begins with a digit and the host is not four digit groups", "G-HOST-2";
    /// A port in a file URL. Offset of the colon.
    PortNotAllowed "port-not-allowed" "file URLs have no port", "G-FILE-4";
    /// A colon without a port. Offset of the byte after the colon.
    EmptyPort "empty-port" "port number missing (drop the colon)", "G-PORT-1";
    /// A byte other than a digit in a port. Offset of that byte.
    BadPortChar "bad-port-char" "a port has digits only", "G-PORT-1";
    /// The path is missing in a scheme that needs one. Offset of the end of the authority.
    MissingPath "missing-path" "{scheme} URLs need a `/` after the host",
        "G-FILE-3", (Scheme::Nntp, _) "G-NNTP-2", (Scheme::Wais, _) "G-WAIS-1", (Scheme::Prospero, _) "G-PROSPERO-1";
    /// A reserved character that may not stand raw in this path. Offset of the character.
    BadPathChar "bad-path-char" "`{c}` must be encoded in this path",
        "G-FILE-5", (Scheme::Ftp, _) "G-FTP-2", (Scheme::Wais, _) "G-WAIS-3";
    /// A reserved character that may not stand raw after the `?`. Offset of the character.
    BadSearchChar "bad-search-char" "`{c}` must be encoded after `?`", "G-HTTP-4", (Scheme::Wais, _) "G-WAIS-4";
    /// An ftp typecode other than A, I or D, or bytes after a typecode. Offset of the first wrong
    /// byte, or the end.
    BadFtpType "bad-ftp-type" "the typecode must be A, I or D (either case), at the end of the URL", "G-FTP-3";
    /// A byte after the slash of a telnet URL. Offset of that byte.
    UnexpectedPath "unexpected-path" "nothing may follow the `/` of a telnet URL", "G-TELNET-1";
    /// No newsgroup. Offset of the place where it should begin.
    EmptyGroup "empty-group" "newsgroup missing", "G-NEWS-3", (Scheme::Nntp, _) "G-NNTP-2", (_, b'*') "G-NEWS-1";
    /// A byte that cannot be at its place in a newsgroup's name. Offset of that byte.
    BadGroupChar "bad-group-char" "a group begins with a letter and holds letters, digits, `- . + _`",
        "G-NEWS-3", (Scheme::Nntp, _) "G-NNTP-2", (_, b'*') "G-NEWS-1";
    /// Nothing before the `@` of an article. Offset of the `@`.
    EmptyArticleId "empty-article-id" "nothing before `@`", "G-NEWS-4";
    /// An article number with a non-digit, or without digits. Offset of the first non-digit, or the
    /// end.
    BadArticleNumber "bad-article-number" "an article number has digits only", "G-NNTP-1";
    /// A WAIS document without the slash before its path. Offset of the end of the URL.
    MissingWpath "missing-wpath" "a WAIS document needs type and path", "G-WAIS-1";
    /// A prospero field without `=`. Offset of the next `;`, or the end.
    MissingFieldEquals "missing-field-equals" "a prospero field needs `=`", "G-PROSPERO-2";
    /// A reserved character that may not stand raw in a prospero field. Offset of the character.
    BadFieldChar "bad-field-char" "`{c}` must be encoded in a prospero field", "G-PROSPERO-2";
    /// No address after `mailto:`. Offset of the end.
    EmptyAddress "empty-address" "address missing", "G-MAILTO-1";
    /// The decoded address is not an RFC 822 addr-spec. Offset of the start of the address.
    NotAddrSpec "not-addr-spec" "the decoded address is not an RFC 822 addr-spec", "G-MAILTO-2";
    /// Resolution only: the URL cannot be a base for relative paths. Offset 0.
    BaseNotHierarchical "base-not-hierarchical" "a {scheme} URL cannot be a base for a relative path", "R-1808-6";
    /// Resolution only: the base has no scheme. Offset 0.
    BaseNotAbsolute "base-not-absolute" "the base has no scheme", "R-1808-6";
}

/// The pieces of a message. Unused pieces are empty texts.
type Message = [MessagePiece; 5];

#[derive(Clone, Copy)]
enum MessagePiece {
    Text(&'static str),
    Byte,
    Hex,
    Scheme,
}

/// Splits a message at compile time. At run time, searching for the holes was a third of the cost
/// of writing an error.
const fn message(text: &'static str) -> Message {
    let mut pieces = [MessagePiece::Text(""); 5];
    let (mut count, mut from, mut at) = (0, 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let (piece, length) = match bytes.split_at(at).1 {
            [b'{', b'c', b'}', ..] => (MessagePiece::Byte, 3),
            [b'{', b'h', b'e', b'x', b'}', ..] => (MessagePiece::Hex, 5),
            [b'{', b's', b'c', b'h', b'e', b'm', b'e', b'}', ..] => (MessagePiece::Scheme, 8),
            _ => {
                at += 1;
                continue;
            }
        };
        pieces[count] = MessagePiece::Text(text.split_at(at).0.split_at(from).1);
        pieces[count + 1] = piece;
        count += 2;
        at += length;
        from = at;
    }
    pieces[count] = MessagePiece::Text(text.split_at(from).1);
    pieces
}

crate::bytes::display::display!(ParseErrorKind, as_str);

/// Why some bytes are not a URL, and where.
///
/// A text has at most one error at each [level](crate::Level); see
/// [`Url::parse_at`](crate::Url::parse_at). The message names the remedy, if there is one, and ends
/// with the rule's id.
///
/// # Examples
///
/// ```
/// use urlgrep::{ParseErrorKind, Url};
///
/// let error = Url::parse("http://h/~joe/{x}").unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::UnsafeGateway);
/// assert_eq!(error.offset(), 14);
/// assert_eq!(error.to_string(), "`{` is unsafe in transit; write %7B (G-LEX-3)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParseError {
    kind: ParseErrorKind,
    /// For the message: the scheme whose grammar was applied.
    scheme: Scheme,
    /// For the message: the byte at the offset, or 0 if the offset is the input's length.
    byte: u8,
    /// For the message: whether the byte is a `[` at the start of a host.
    opens_address: bool,
    offset: u32,
}

impl ParseError {
    /// Returns an error at `offset` of `bytes`.
    #[cold]
    pub(crate) fn new(kind: ParseErrorKind, scheme: Scheme, bytes: &[u8], offset: usize) -> ParseError {
        debug_assert!(offset <= bytes.len(), "{kind} at {offset} of {} bytes", bytes.len());
        let byte = bytes.get(offset).copied().unwrap_or(0);
        // The offset fits, because longer inputs are rejected first (TooLong).
        let opens_address = byte == b'[' && begins_host(&bytes[..offset]);
        ParseError { kind, scheme, byte, opens_address, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    /// Returns the scheme whose grammar was applied.
    pub(super) const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Returns the byte offset of the error in the parsed input. If the offset is the input's
    /// length, something is missing at the end.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset as usize
    }
}

/// Returns whether a host begins right after `before`, the beginning of a URL. It does after `://`,
/// and after the `@` of an authority.
fn begins_host(before: &[u8]) -> bool {
    let Some(slashes) = memchr::memmem::find(before, b"://") else { return false };
    match before[slashes + 3..] {
        [] => true,
        [ref userinfo @ .., b'@'] => !userinfo.iter().any(|byte| matches!(byte, b'/' | b'?' | b'#')),
        _ => false,
    }
}

impl ParseError {
    /// Passes the message to `put`, piece by piece.
    fn each_piece<E>(&self, mut put: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let message = match self.kind {
            // The error does not hold the URL, so it can only name the ten schemes of RFC 1738.
            ParseErrorKind::BaseNotHierarchical if self.scheme.is_otherurl() => {
                const { &message("an opaque URL cannot be a base for a relative path") }
            }
            // Escaping the bracket would not make the host valid.
            ParseErrorKind::UnsafeGateway if self.opens_address => {
                const { &message("RFC 1738 has no addresses in brackets, but RFC 3986 does") }
            }
            kind => kind.message(),
        };
        for piece in message {
            match *piece {
                MessagePiece::Text("") => {}
                MessagePiece::Text(text) => put(text)?,
                MessagePiece::Byte => put(char::from(self.byte).encode_utf8(&mut [0; 4]))?,
                MessagePiece::Hex => [self.byte >> 4, self.byte & 15].into_iter().try_for_each(|digit| {
                    put(char::from(b"0123456789ABCDEF"[usize::from(digit)]).encode_utf8(&mut [0; 4]))
                })?,
                MessagePiece::Scheme => put(self.scheme.as_str())?,
            }
        }
        [" (", self.rule(), ")"].into_iter().try_for_each(put)
    }

    /// Appends the message of [`to_string`](ToString), but several times as fast. Through `fmt`,
    /// the message was most of the work of `urlgrep parse` for an empty line.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = urlgrep::Url::parse("http:").unwrap_err();
    /// let mut message = Vec::new();
    /// error.append(&mut message);
    /// assert_eq!(message, error.to_string().as_bytes());
    /// ```
    pub fn append(&self, out: &mut Vec<u8>) {
        out.reserve(96);
        let _ = self.each_piece(|piece| {
            out.extend_from_slice(piece.as_bytes());
            Ok::<(), fmt::Error>(())
        });
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.each_piece(|piece| f.write_str(piece))
    }
}

impl std::error::Error for ParseError {}

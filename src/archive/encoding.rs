//! The encodings of the texts of a message.

/// The encoding of a text (RFC 2045 section 6), or `EncodedWord` for an encoded word (RFC 2047).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    SevenBit,
    EightBit,
    Binary,
    QuotedPrintable,
    Base64,
    Uuencode,
    YEnc,
    EncodedWord,
    /// Content codings and chunks of HTTP, in a web archive.
    Http,
    /// Not encoded in the message, but packed in a zip, a compressed file or a PDF.
    Unpacked,
    /// Not encoded, but a file in UTF-16, with the low byte of each unit first.
    Utf16Le,
    /// Not encoded, but a file in UTF-16, with the high byte of each unit first.
    Utf16Be,
    /// An encoding whose name is not in any standard.
    Unknown,
}

impl Encoding {
    /// Returns the name as the standards write it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Encoding::SevenBit => "7bit",
            Encoding::EightBit => "8bit",
            Encoding::Binary => "binary",
            Encoding::QuotedPrintable => "quoted-printable",
            Encoding::Base64 => "base64",
            Encoding::Uuencode => "uuencode",
            Encoding::YEnc => "yenc",
            Encoding::EncodedWord => "encoded-word",
            Encoding::Http => "http",
            Encoding::Unpacked => "unpacked",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Unknown => "unknown",
        }
    }

    /// Returns whether the message holds other bytes than the decoded part.
    pub(crate) fn is_decoded(self) -> bool {
        use Encoding::{Base64, QuotedPrintable, Unpacked, Utf16Be, Utf16Le, Uuencode, YEnc};
        matches!(self, QuotedPrintable | Base64 | Uuencode | YEnc | Unpacked | Utf16Le | Utf16Be)
    }

    /// Returns the encoding that the value of a Content-Transfer-Encoding names.
    pub(super) fn from_field(value: &[u8]) -> Self {
        // Some mailers write `8-bit`, `8 bit` or `7bits`.
        let letters: Vec<u8> = value.iter().filter(|byte| byte.is_ascii_alphanumeric()).take(32).copied().collect();
        match letters.to_ascii_lowercase().as_slice() {
            b"quotedprintable" => Encoding::QuotedPrintable,
            b"base64" => Encoding::Base64,
            b"xuuencode" | b"xuue" | b"uuencode" | b"uue" => Encoding::Uuencode,
            b"xyenc" | b"yenc" => Encoding::YEnc,
            b"8bit" | b"8bits" => Encoding::EightBit,
            b"binary" => Encoding::Binary,
            b"7bit" | b"7bits" | b"" => Encoding::SevenBit,
            _ => Encoding::Unknown,
        }
    }
}

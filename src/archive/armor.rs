//! The text blocks of OpenPGP in mail (RFC 9580, sections 6.2 and 7).
//!
//! The lines of a clear-signed text that begin with `-` are escaped: `- ` stands before them. Mail
//! programs write `- From` for `From`, too. An encrypted message is base64, which holds no URL.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::memrchr;

use crate::archive::pruned::Pruned;
use crate::bytes::logical::Logical;

const BEGINS: &[u8] = b"-----BEGIN PGP ";
const ENCRYPTED: &[u8] = b"-----BEGIN PGP MESSAGE-----";
const SIGNED: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &[u8] = b"-----BEGIN PGP SIGNATURE-----";

/// The searchers are built once, because many mails of some archives are signed.
static BLOCK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(BEGINS));
static ESCAPED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\n- "));

/// The blocks of a text.
#[derive(Default)]
pub(crate) struct Blocks {
    /// A block holds an encrypted message.
    pub(crate) is_encrypted: bool,
    /// The ranges of the clear-signed texts. Each one ends with its signature: a text without one may
    /// only name the mark.
    signed: Vec<Range<usize>>,
}

impl Blocks {
    /// Finds the lines that consist of a mark, in one pass.
    pub(crate) fn of(text: &[u8]) -> Blocks {
        let (mut blocks, mut beginning) = (Blocks::default(), None);
        for at in BLOCK.find_iter(text).filter(|&at| at == 0 || matches!(text[at - 1], b'\n' | b'\r')) {
            let is = |mark: &[u8]| {
                let after = text[at..].strip_prefix(mark);
                after.is_some_and(|after| after.first().is_none_or(u8::is_ascii_whitespace))
            };
            if is(ENCRYPTED) {
                blocks.is_encrypted = true;
            } else if is(SIGNED) {
                beginning = Some(at);
            } else if is(SIGNATURE) {
                blocks.signed.extend(beginning.take().map(|start| start..at));
            }
        }
        blocks
    }

    /// Returns whether a text is clear-signed.
    pub(crate) fn has_signed(&self) -> bool {
        !self.signed.is_empty()
    }

    /// Removes the escapes of the clear-signed texts. Returns `None` if there are none.
    pub(crate) fn unescape(&self, text: &[u8]) -> Option<Logical> {
        let mut pruned = Pruned::new(text);
        for Range { start, end } in self.signed.iter().cloned() {
            for at in ESCAPED.find_iter(&text[start..end]) {
                let line = start + at + 1;
                pruned.leave_out(line..line + 2);
            }
        }
        pruned.finish()
    }
}

/// Returns whether a text begins or ends with a block.
///
/// This runs for every message. A search of the whole text would cost 6% of the time for ordinary
/// mail.
pub(crate) fn is_around(text: &[u8]) -> bool {
    let ends = || {
        let text = text.trim_ascii_end();
        text.ends_with(b"-----")
            && memrchr(b'\n', text).is_some_and(|end| text[end + 1..].starts_with(b"-----END PGP "))
    };
    text.trim_ascii_start().starts_with(BEGINS) || ends()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::{all_breaks, assert_places};

    #[test]
    fn escapes_of_signed_texts() {
        let block = |text: &str| {
            format!(
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}\n-----BEGIN PGP SIGNATURE-----\n\niQ=\n"
            )
        };
        for (text, expected) in [
            (block("a\n- -b\n- From c\n- - d"), block("a\n-b\nFrom c\n- d")),
            (format!("- a\n{}- e\n", block("- b")), format!("- a\n{}- e\n", block("b"))),
            (block("- -a").repeat(2), block("-a").repeat(2)),
            (format!("-----BEGIN PGP SIGNED MESSAGE-----\n- a\n{}", block("- b")), {
                format!("-----BEGIN PGP SIGNED MESSAGE-----\n- a\n{}", block("b"))
            }),
            ("-----BEGIN PGP SIGNED MESSAGE-----\n- a\n".into(), "-----BEGIN PGP SIGNED MESSAGE-----\n- a\n".into()),
            ("- a\n-----BEGIN PGP SIGNATURE-----\n".into(), "- a\n-----BEGIN PGP SIGNATURE-----\n".into()),
        ] {
            for (text, expected) in [(&text, &expected), (&text.replace('\n', "\r\n"), &expected.replace('\n', "\r\n"))]
            {
                let unescaped = Blocks::of(text.as_bytes()).unescape(text.as_bytes());
                assert_places(text, unescaped, expected, None);
            }
        }
    }

    #[test]
    fn texts_that_begin_or_end_with_a_block() {
        let block = "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n";
        for text in [block.to_owned(), format!("\n{block}-- \nfooter\n"), format!("see\n{block} \n\n")] {
            assert!(is_around(text.as_bytes()) && is_around(text.replace('\n', "\r\n").as_bytes()), "{text}");
        }
        for text in ["", "\n", "-----", "a\n-----\n", "see -----BEGIN PGP MESSAGE-----\n"] {
            assert!(!is_around(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn encrypted_messages() {
        for yes in ["-----BEGIN PGP MESSAGE-----", "see:\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n"] {
            assert!(all_breaks(yes).iter().all(|text| Blocks::of(text.as_bytes()).is_encrypted), "{yes}");
        }
        for no in ["", "> -----BEGIN PGP MESSAGE-----\n", "-----BEGIN PGP MESSAGE-----x", "BEGIN PGP MESSAGE"] {
            assert!(!Blocks::of(no.as_bytes()).is_encrypted, "{no}");
        }
    }
}

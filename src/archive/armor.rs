//! The text blocks of OpenPGP in mail (RFC 9580, sections 6.2 and 7).
//!
//! The lines of a clear-signed text that begin with `-` are escaped: `- ` stands before them. Mail
//! programs write `- From` for `From`, too. An encrypted message is base64, which holds no URL.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::memrchr;

use crate::archive::message::OriginSegment;
use crate::archive::pruned::Pruned;

const BEGINS: &[u8] = b"-----BEGIN PGP ";
const ENCRYPTED: &[u8] = b"-----BEGIN PGP MESSAGE-----";
const SIGNED: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &[u8] = b"-----BEGIN PGP SIGNATURE-----";

/// The searchers are built once, because many mails of some archives are signed.
static BLOCK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(BEGINS));
static ESCAPED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\n- "));

/// Returns the offsets of the lines that consist of a mark, which begins with [`BEGINS`].
fn lines<'t>(text: &'t [u8], mark: &'static [u8]) -> impl Iterator<Item = usize> + 't {
    BLOCK.find_iter(text).filter(move |&at| {
        let is_start = at == 0 || matches!(text[at - 1], b'\n' | b'\r');
        let after = || text[at..].strip_prefix(mark);
        is_start && after().is_some_and(|after| after.first().is_none_or(u8::is_ascii_whitespace))
    })
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

/// Returns whether a text may hold a block.
pub(crate) fn may_hold(text: &[u8]) -> bool {
    BLOCK.find(text).is_some()
}

/// Returns whether a text holds an encrypted message.
pub(crate) fn is_encrypted(text: &[u8]) -> bool {
    lines(text, ENCRYPTED).next().is_some()
}

/// Removes the escapes of clear-signed texts. Returns the text, and the places of its stretches.
pub(crate) fn unescape(text: Cow<'_, [u8]>) -> (Cow<'_, [u8]>, Vec<OriginSegment>) {
    let mut pruned = Pruned::new(&text);
    for Range { start, end } in signed(&text) {
        for at in ESCAPED.find_iter(&text[start..end]) {
            let line = start + at + 1;
            pruned.leave_out(line..line + 2);
        }
    }
    let (whole, segments) = pruned.finish();
    (whole.map_or(text, Cow::Owned), segments)
}

/// Returns the ranges of the clear-signed texts. Each one ends with its signature: a text without
/// one may only name the mark.
fn signed(text: &[u8]) -> Vec<Range<usize>> {
    let mut signatures = lines(text, SIGNATURE).peekable();
    let mut beginnings = lines(text, SIGNED).peekable();
    let mut ranges = Vec::new();
    while let Some(start) = beginnings.next() {
        while signatures.next_if(|&end| end < start).is_some() {}
        let next = beginnings.peek().copied().unwrap_or(text.len());
        ranges.extend(signatures.next_if(|&end| end < next).map(|end| start..end));
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::message::Positions;
    use crate::archive::support::all_breaks;

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
                let (whole, segments) = unescape(text.as_bytes().into());
                assert_eq!(String::from_utf8_lossy(&whole), *expected);
                let positions = Positions::in_place(0).then(&segments);
                for (at, byte) in whole.iter().enumerate() {
                    assert_eq!(text.as_bytes()[positions.offset(at)], *byte, "{text:?} at {at}");
                }
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
            assert!(all_breaks(yes).iter().all(|text| is_encrypted(text.as_bytes())), "{yes}");
        }
        for no in ["", "> -----BEGIN PGP MESSAGE-----\n", "-----BEGIN PGP MESSAGE-----x", "BEGIN PGP MESSAGE"] {
            assert!(!is_encrypted(no.as_bytes()), "{no}");
        }
    }
}

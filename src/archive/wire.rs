//! Articles in NNTP wire format (RFC 3977, section 3.1.1). INN can be configured to store its
//! spools in this form.
//!
//! Lines end in CRLF. A line that begins with a dot has another dot before it. A line that is only
//! a dot ends the article.

use memchr::memmem;

use crate::bytes::logical::Logical;

const END: &[u8] = b"\r\n.\r\n";

/// Returns true if an article is in wire format.
///
/// A file that ends this way by chance loses only its last line, a single dot. Each of its lines
/// that begins with two dots loses one dot.
pub(crate) fn is_wire(message: &[u8]) -> bool {
    // The first line break represents all line breaks of the article.
    let is_crlf = || memchr::memchr(b'\n', message).is_some_and(|end| end > 0 && message[end - 1] == b'\r');
    message.ends_with(END) && is_crlf()
}

/// Returns the article without its stuffed dots.
pub(crate) fn unstuffed(message: &[u8]) -> Logical {
    // The line break before the last dot belongs to the text.
    let message = &message[..message.len() - END.len() + 2];
    let mut text = Logical::default();
    text.reserve(message.len());
    let mut at = 0;
    for dots in memmem::find_iter(message, b"\n..") {
        text.append(&message[at..=dots], at);
        at = dots + 2;
    }
    text.append(&message[at..], at);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_away_and_places_stay() {
        let article = b"From: joe\r\nDate: x\r\n\r\n..a\r\n.b\r\n...c\r\nd..e\r\n.\r\n";
        assert!(is_wire(article));
        let text = unstuffed(article);
        assert_eq!(text.bytes(), b"From: joe\r\nDate: x\r\n\r\n.a\r\n.b\r\n..c\r\nd..e\r\n");
        for (at, byte) in text.bytes().iter().enumerate() {
            assert_eq!(article[text.source(at..at + 1).start], *byte, "{at}");
        }
        for none in ["", ".\r\n", "A: b\n\nx\r\n.\r\n", "A: b\r\n\r\nx\r\n.", "A: b\r\n\r\nx\n.\n"] {
            assert!(!is_wire(none.as_bytes()), "{none:?}");
        }
    }
}

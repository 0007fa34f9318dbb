//! Messages that were sent in pieces (`message/partial`, RFC 2046, section 5.2.2).

use std::ops::Range;

use crate::archive::header::{extent, fields, fragment};
use crate::archive::pruned::Pruned;
use crate::archive::restored::Restored;

/// The data in the header of a piece.
struct Fragment {
    /// The offset at which the header ends. `body` is the offset at which the body begins.
    header: usize,
    body: usize,
    id: String,
    number: u64,
    total: Option<u64>,
}

impl Fragment {
    /// Reads the header of a message. Returns `None` if the message is not a piece of another
    /// message.
    fn read(message: &[u8]) -> Option<Fragment> {
        let (header, body) = extent(message, 0, |_| false);
        let field = fields(message, 0..header).find(|field| field.is(message, "content-type"))?;
        let (id, number, total) = fragment::parameters(&message[field.value])?;
        Some(Fragment { header, body, id, number, total })
    }
}

/// Joins the pieces at the start of a series of messages. Returns their number and the whole
/// message, with offsets from the start of the first piece.
///
/// The pieces must be consecutive, and one of them must state their number. Otherwise this returns
/// `None`.
pub(crate) fn join(text: &[u8], mut messages: impl Iterator<Item = Range<usize>>) -> Option<(usize, Restored)> {
    let first = messages.next()?;
    let start = first.start;
    let Fragment { header, body, id, number: 1, mut total } = Fragment::read(&text[first.clone()])? else {
        return None;
    };
    let whole = &text[start..];
    let mut pruned = Pruned::new(whole);
    // The header within the first piece has these fields of the whole message.
    for field in fields(whole, 0..header).filter(|field| is_of_piece(&whole[field.name.clone()])) {
        pruned.leave_out(field.range());
    }
    pruned.leave_out(header..body);
    let (mut count, mut end, mut last) = (1, text_end(whole, body..first.len()), first.len());
    while total != Some(count) {
        let next = messages.next()?;
        let piece = Fragment::read(&text[next.clone()]).filter(|piece| piece.id == id && piece.number == count + 1)?;
        let at = next.start - start;
        pruned.leave_out(end..at + piece.body);
        last = next.end - start;
        (count, end) = (count + 1, text_end(whole, at + piece.body..last));
        // Only the last piece is required to state the total (RFC 2046 section 5.2.2.1).
        total = total.or(piece.total);
    }
    pruned.leave_out(last..whole.len());
    Some((count as usize, pruned.finish()?.into()))
}

/// Returns true if a field of this name describes only the piece, not the whole message.
fn is_of_piece(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"subject", b"message-id", b"encrypted", b"mime-version"];
    let is_content = name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"content-"));
    is_content || NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns the end of a body's text, which excludes the empty line that a writer of mailboxes adds.
fn text_end(text: &[u8], body: Range<usize>) -> usize {
    let bytes = &text[body.clone()];
    let empty = [&b"\n\r\n"[..], b"\n\n"].into_iter().find(|empty| bytes.ends_with(empty));
    body.end - empty.map_or(0, |empty| empty.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a mailbox with messages of these types, each with its body.
    fn mailbox(pieces: &[(&str, &str)]) -> (String, Vec<Range<usize>>) {
        let (mut text, mut messages) = (String::new(), Vec::new());
        for (kind, body) in pieces {
            text += "From a@b.example Mon Jan  1 10:00:01 2024\n";
            let start = text.len();
            text += &format!(
                "From: a\nMessage-ID: <outer>\nSubject: part\nContent-Type: message/partial; {kind}\n\n{body}\n"
            );
            messages.push(start..text.len());
        }
        (text, messages)
    }

    fn joined(pieces: &[(&str, &str)]) -> Option<(usize, String)> {
        let (text, messages) = mailbox(pieces);
        let (count, restored) = join(text.as_bytes(), messages.into_iter())?;
        Some((count, String::from_utf8(restored.text).unwrap()))
    }

    #[test]
    fn pieces_are_joined_in_their_order() {
        let inner = "Subject: whole\nMessage-ID: <inner>\n\n";
        let one = format!("{inner}see http://a.example/\n");
        let whole = |rest: &str| Some(format!("From: a\n{inner}see http://a.example/\n{rest}"));
        let text = |joined: Option<(usize, String)>| joined.map(|(_, text)| text);
        let two = [("id=q; number=1", &*one), ("id=q; number=2; total=2", "b\n")];
        assert_eq!(text(joined(&two)), whole("b\n\n"));
        let three = [two[0], ("id=q; number=2", "b\n"), ("id=\"q\"; number=3; total=3", "c\n"), two[0]];
        assert_eq!(joined(&three), Some((3, whole("b\nc\n\n").unwrap())));
    }

    #[test]
    fn what_is_not_whole_is_left() {
        let first = ("id=q; number=1; total=2", "A: b\n\nx\n");
        for second in ["id=r; number=2", "id=q; number=3", "id=q; number=1", "id=q; number=x", "number=2", "id=q"] {
            assert_eq!(joined(&[first, (second, "y\n")]), None, "{second}");
        }
        assert_eq!(joined(&[first]), None);
        assert_eq!(joined(&[("id=q; number=2; total=2", "y\n"), first]), None);
    }
}

//! The type of a message that is a piece of another message (`message/partial`, RFC 2046, section
//! 5.2.2).

use crate::archive::header::{content_type, fields};

/// Returns the id, the number and the total of a `message/partial`.
pub(crate) fn parameters(value: &[u8]) -> Option<(String, u64, Option<u64>)> {
    const KIND: &[u8] = b"message/partial";
    if !value.trim_ascii_start().get(..KIND.len())?.eq_ignore_ascii_case(KIND) {
        return None;
    }
    let kind = content_type(value)?;
    let number = |name| kind.attribute(name).and_then(|number| number.trim().parse().ok());
    Some((kind.attribute("id")?.to_string(), number("number")?, number("total")))
}

/// Returns whether the first field of a text marks it as a later piece (not the first) of another
/// message.
pub(crate) fn continues(text: &[u8]) -> bool {
    let Some(field) = fields(text, 0..text.len()).next() else { return false };
    field.is(text, "content-type") && parameters(&text[field.value]).is_some_and(|(_, number, _)| number > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_piece_is_told_by_its_type() {
        for later in
            ["Content-Type: message/partial; number=2; id=a\n", "content-type:\n MESSAGE/Partial;id=a;\n number=7\n"]
        {
            assert!(continues(later.as_bytes()), "{later}");
        }
        let types = ["message/partial; number=1; id=a", "message/partial; number=2", "message/rfc822; number=2; id=a"];
        for other in types {
            assert!(!continues(format!("Content-Type: {other}\n").as_bytes()), "{other}");
        }
        assert!(!continues(b"Content-T") && !continues(b""));
    }
}

//! The fields of Word (ECMA-376 part 1, 17.16): `HYPERLINK "u" \l "frag"` is a link to `u#frag`.
//!
//! The instruction is the text of `w:instrText`, which may be split over runs, or the `w:instr` of
//! a `w:fldSimple`.

use std::ops::Range;

use memchr::memmem;

use crate::bytes::logical::Logical;

/// Returns the text between the URL and its fragment in an instruction. It is `" \l "` in most
/// cases. Returns `None` if the link has no fragment.
pub(crate) fn before_fragment(instruction: &[u8]) -> Option<Range<usize>> {
    const KEYWORD: &[u8] = b"HYPERLINK";
    let quoted = |from: usize| {
        let blanks = instruction[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = from + blanks + 1;
        let is_quoted = instruction.get(start - 1) == Some(&b'"');
        let length = memchr::memchr(b'"', instruction.get(start..)?).filter(|_| is_quoted)?;
        Some(start..start + length)
    };
    let url = quoted(memmem::find(instruction, KEYWORD)? + KEYWORD.len())?;
    let switch = url.end + memmem::find(&instruction[url.end..], br"\l")?;
    let fragment = quoted(switch + 2)?;
    let is_joined = memchr::memchr(b'#', &instruction[url.clone()]).is_none()
        // Another switch may hold a URL of its own.
        && memmem::find(&instruction[url.end..switch], b"://").is_none()
        && !fragment.is_empty()
        && !instruction[fragment.clone()].iter().any(|&byte| byte.is_ascii_whitespace() || byte == b'#');
    (is_joined && !url.is_empty()).then_some(url.end..fragment.start)
}

/// Joins the URL and the fragment of the link in the instruction that begins at an offset.
pub(super) fn join(text: &mut Logical, start: usize) {
    let Some(between) = text.bytes().get(start..).and_then(before_fragment) else { return };
    let mut rest = Logical::default();
    rest.extend_with_gaps(text, start + between.start);
    text.truncate(start + between.start);
    text.replace(b"#", rest.source(0..between.len()));
    text.extend_with_gaps(&rest, between.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_of_fields() {
        for (instruction, expected) in [
            (r#" HYPERLINK "http://a.example/" \l "b" "#, r#" HYPERLINK "http://a.example/#b" "#),
            (r#"HYPERLINK  "u" \o "tip" \l "b" \h"#, r#"HYPERLINK  "u#b" \h"#),
        ] {
            let mut text = Logical::default();
            text.append(b"http://x.example/", 3);
            text.append(instruction.as_bytes(), 40);
            join(&mut text, 17);
            assert_eq!(String::from_utf8_lossy(&text.bytes()[17..]), expected);
            let hash = memchr::memchr(b'#', text.bytes()).unwrap();
            let source = text.source(hash - 1..hash + 2);
            assert_eq!(instruction.as_bytes()[source.end - 40 - 1], b'b');
        }
        for other in [
            r#" HYPERLINK "u#a" \l "b" "#,
            r#" HYPERLINK \l "b" "#,
            r#" HYPERLINK "u" \o "http://t.example/" \l "b""#,
            r#" HYPERLINK "u" \l """#,
            r#" HYPERLINK "u" \l "b"#,
            r#" HYPERLINK "u" \l "b c""#,
            r#" HYPERLINK u \l "b""#,
            r#" INCLUDE "u" \l "b""#,
            " HYPERLINK",
            "",
        ] {
            let mut text = Logical::default();
            text.append(other.as_bytes(), 0);
            join(&mut text, 0);
            assert_eq!(text.bytes(), other.as_bytes());
        }
    }
}

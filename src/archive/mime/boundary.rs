//! Finds the boundary of a multipart whose header names no boundary, or a wrong one. A line that
//! looks like a delimiter shows the boundary.

use memchr::{memchr, memmem};

use crate::archive::header::name_of;

/// The maximum length of a boundary (RFC 2046 section 5.1.1).
const LONGEST: usize = 70;
/// The maximum number of lines that are examined as possible delimiters, because each check may
/// search all lines after it.
const MOST_LOOKS: usize = 64;

/// Returns the boundary that the body of a multipart shows.
///
/// The boundary is that of the first line that looks like a delimiter and precedes a `Content-…`
/// field. An empty line may stand in place of the field if the closing delimiter exists, too. Mail
/// readers infer a missing or wrong boundary in the same way.
pub(super) fn shown(body: &[u8]) -> Option<Vec<u8>> {
    let first = body.starts_with(b"--").then_some(0);
    let others = memmem::find_iter(body, b"\n--").map(|at| at + 1);
    first.into_iter().chain(others).take(MOST_LOOKS).find_map(|line| {
        let end = memchr(b'\n', &body[line..]).map_or(body.len(), |length| line + length);
        let boundary = body[line + 2..end].trim_ascii_end();
        let (next, rest) = (body.get(end + 1..)?, &body[end..]);
        let is_closed = || memmem::find(rest, &[b"\n--", boundary, b"--"].concat()).is_some();
        let is_empty = || next.starts_with(b"\n") || next.starts_with(b"\r\n");
        let begins_part = begins_with_field(next) || is_empty() && is_closed();
        (is_boundary(boundary) && begins_part).then(|| boundary.to_vec())
    })
}

/// Returns whether a text begins with a field that describes a part.
fn begins_with_field(text: &[u8]) -> bool {
    const CONTENT: &[u8] = b"content-";
    let line = &text[..memchr(b'\n', text).unwrap_or(text.len())];
    name_of(line).is_some_and(|name| name.get(..CONTENT.len()).is_some_and(|start| start.eq_ignore_ascii_case(CONTENT)))
}

/// Returns whether a text may be a boundary. A ruled line is not a boundary. Neither is a text that
/// begins with a blank, as in the line `-- Joe`.
fn is_boundary(word: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(byte);
    (1..=LONGEST).contains(&word.len())
        && word[0] != b' '
        && word.iter().all(is_allowed)
        && word.iter().any(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_look_like_delimiters() {
        for (body, boundary) in [
            ("--xyz\nContent-Type: text/html\n\nx\n", Some("xyz")),
            ("before\n--x.y_z=1 \r\ncontent-type : text/html\r\n\r\nx\r\n", Some("x.y_z=1")),
            ("--xyz\n\ntext\n--xyz--\n", Some("xyz")),
            ("--xyz\n\ntext\n", None),
            ("-----\nContent-Type: a\n", None),
            ("-- \nContent-Type: a\n", None),
            ("-- Joe\nContent-Type: a\n", None),
            ("--xyz\nno field\n--abc\nContent-ID: 1\n", Some("abc")),
            ("--xyz", None),
            ("", None),
        ] {
            let found = shown(body.as_bytes()).map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found.as_deref(), boundary, "{body:?}");
        }
        let long = format!("--{}\nContent-Type: a\n", "x".repeat(LONGEST + 1));
        assert_eq!(shown(long.as_bytes()), None);
    }
}

//! B-JOIN-Q: signs of quoted-printable text that was not decoded.

/// Returns whether a text holds an escape of quoted-printable, or two successive lines that end in
/// a single `=`. The second line holds no other `=`, since quoted-printable writes `=3D` for it.
pub(super) fn are_in(text: &[u8]) -> bool {
    memchr::memchr_iter(b'=', text).any(|at| is_escape(&text[at + 1..]) || is_pair(text, at))
}

/// Matches `=3D =20 =09 =0D =E? =C3`, without the `=`.
fn is_escape(digits: &[u8]) -> bool {
    matches!(
        digits,
        [b'E', b'0'..=b'9' | b'A'..=b'F', ..]
            | [b'3', b'D', ..]
            | [b'2', b'0', ..]
            | [b'0', b'9' | b'D', ..]
            | [b'C', b'3', ..]
    )
}

/// Returns whether a non-empty line ends in the `=` at `at`, and the line below ends in its only
/// `=`.
fn is_pair(text: &[u8], at: usize) -> bool {
    let second = soft_break(text, at).and_then(|line| {
        let first = line + memchr::memchr3(b'=', b'\r', b'\n', &text[line..]).filter(|&length| length > 0)?;
        soft_break(text, first).filter(|_| text[first] == b'=')
    });
    second.is_some()
}

/// Returns the start of the line below, if the single `=` at `at` ends its line (LF or CRLF).
fn soft_break(text: &[u8], at: usize) -> Option<usize> {
    if matches!(text[at.checked_sub(1)?], b'=' | b'\r' | b'\n') {
        return None;
    }
    match text[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const TEXTS: [(&str, bool); 21] = [
        ("a=3Db", true), ("a=20", true), ("=E9", true), ("=C3=A4", true), ("a=\nb=\n", true),
        ("x\na=\r\nbc=\r\n", true), ("=x\na=\nb=\n", true), ("", false), ("a=b", false), ("=e9", false),
        ("=3d", false), ("a=\nb\nc=\n", false), ("a=\nb==\n", false), ("a==\nb=\n", false), ("a=\n=\n", false),
        ("=\na=\n", false), ("a=\nb=c&d=\n", false), ("a=b&c=\nd=\n", true), ("a=\rb=\r", false), ("a=\nb=", false), ("=E", false),
    ];

    #[test]
    fn signs() {
        for (text, expected) in TEXTS {
            assert_eq!(are_in(text.as_bytes()), expected, "{text:?}");
        }
    }
}

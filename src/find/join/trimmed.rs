//! Small tools for weighing a token of the next line: a plain form of B-END, and the schemes that a break may part
//! from their `//`.

use crate::find::schemes;

/// Whether `name` is a scheme of K that takes `//`.
pub(super) fn is_slashed_scheme(name: &[u8]) -> bool {
    schemes::is_k(name) && !schemes::is_opaque(name)
}

/// How many bytes of `url` stay under a plain form of B-END; `before` is the byte before the URL, if it
/// counts. Brackets are matched by the run already.
pub(super) fn trimmed(url: &[u8], before: Option<u8>) -> usize {
    let mut kept = url.len();
    let mut apostrophes = None;
    while kept > 0 {
        let byte = url[kept - 1];
        match byte {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'(' | b'[' | b'{' => {}
            b'\'' => {
                let count = apostrophes.get_or_insert_with(|| memchr::memchr_iter(b'\'', &url[..kept]).count());
                if *count % 2 == 0 && before != Some(b'\'') {
                    break;
                }
                *count -= 1;
            }
            b'*' | b'_' | b'~' if before == Some(byte) => {}
            _ => break,
        }
        kept -= 1;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims() {
        for (url, before, expected) in [
            ("x...", None, "x"),
            ("x?!,", None, "x"),
            ("x([{", None, "x"),
            ("x'", None, "x"),
            ("'x'", None, "'x'"),
            ("'x'", Some(b'\''), "'x"),
            ("x'.", None, "x"),
            ("x'''", None, "x''"),
            ("x*", None, "x*"),
            ("x**", Some(b'*'), "x"),
            ("x/", None, "x/"),
            ("..", None, ""),
        ] {
            assert_eq!(&url[..trimmed(url.as_bytes(), before)], expected, "{url}");
        }
    }
}

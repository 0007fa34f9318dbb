//! The run of URL bytes on a continuation line (B-RUN-1), and a plain form of B-END for weighing it.
//!
//! The run of the whole URL and its exact end are the extractor's; here a token of the next line is cut so
//! that the tables can look at it.

/// What the bytes of a URL so far say about where its run may end.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Brackets {
    /// Open ones, `( [ {` each counted on its own (B-RUN-1).
    open: [u32; 3],
    /// A `?` or `#` was met: B-LIST does not apply any more.
    in_query: bool,
}

impl Brackets {
    /// The state after `body`, a URL without its scheme.
    pub(super) fn of(body: &[u8]) -> Brackets {
        let mut brackets = Brackets::default();
        for &byte in body {
            brackets.admits(byte);
        }
        brackets
    }

    /// Counts `byte`; false if it is an unmatched closer.
    fn admits(&mut self, byte: u8) -> bool {
        match byte {
            b'(' => self.open[0] += 1,
            b'[' => self.open[1] += 1,
            b'{' => self.open[2] += 1,
            b')' => return self.close(0),
            b']' => return self.close(1),
            b'}' => return self.close(2),
            b'?' | b'#' => self.in_query = true,
            _ => {}
        }
        true
    }

    fn close(&mut self, kind: usize) -> bool {
        match self.open[kind].checked_sub(1) {
            Some(left) => {
                self.open[kind] = left;
                true
            }
            None => false,
        }
    }
}

/// Whether `byte` ends a run wherever it stands (B-RUN-1). Bytes beyond ASCII do; B-UNI is for the joined
/// text, which the extractor reads again.
pub(super) fn is_stop(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | b'<' | b'>' | b'"' | b'`' | b'\\' | b'^' | b'|' | 0x7F..)
}

/// End of the run that goes on at `from`, at most `limit` (B-RUN-1, B-LIST).
pub(super) fn piece_end(text: &[u8], from: usize, limit: usize, brackets: &mut Brackets) -> usize {
    for at in from..limit {
        let byte = text[at];
        if is_stop(byte) {
            return at;
        }
        let rest = &text[at + 1..limit];
        match byte {
            b'@' if rest.first() == Some(&b'{') => return at,
            b',' | b';' | b'[' if !brackets.in_query && begins_listed_url(rest) => return at,
            _ if !brackets.admits(byte) => return at,
            _ => {}
        }
    }
    limit
}

/// The schemes K that take `//`: all of K but mailto and news.
const SLASHED: [&[u8]; 9] = [b"http", b"https", b"ftp", b"gopher", b"nntp", b"telnet", b"wais", b"file", b"prospero"];

/// Whether `bytes` begin with a K scheme and `://` (B-LIST).
fn begins_listed_url(bytes: &[u8]) -> bool {
    let letters = bytes.iter().take(10).take_while(|byte| byte.is_ascii_alphabetic()).count();
    bytes[letters..].starts_with(b"://") && is_slashed_scheme(&bytes[..letters])
}

/// Whether `name` is a scheme of K that takes `//`.
pub(super) fn is_slashed_scheme(name: &[u8]) -> bool {
    SLASHED.iter().any(|scheme| scheme.eq_ignore_ascii_case(name))
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

    fn piece<'t>(head: &str, text: &'t str) -> &'t str {
        &text[..piece_end(text.as_bytes(), 0, text.len(), &mut Brackets::of(head.as_bytes()))]
    }

    #[test]
    fn runs() {
        for (head, text, expected) in [
            ("", "abc def", "abc"),
            ("", "abc>", "abc"),
            ("", "a\u{7f}", "a"),
            ("", "aé", "a"),
            ("", "a)b", "a"),
            ("", "a(b)c)", "a(b)c"),
            ("h/(x", "y)z)", "y)z"),
            ("h/(x)", "y)", "y"),
            ("h/(x", "y]", "y"),
            ("", "a@{b", "a"),
            ("", "a@b", "a@b"),
            ("", "a,http://b", "a"),
            ("", "a;HTTPS://b", "a"),
            ("", "a[ftp://b]", "a"),
            ("", "a,https:b", "a,https:b"),
            ("", "a,foo://b", "a,foo://b"),
            ("", "a?b,http://c", "a?b,http://c"),
            ("h/?x", "a,http://b", "a,http://b"),
            ("", "", ""),
        ] {
            assert_eq!(piece(head, text), expected, "{head} {text}");
        }
    }

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

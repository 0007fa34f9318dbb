//! B-END: what a run ends in and is no part of the URL.
//!
//! This is the only place where a URL is trimmed: the rules, the fast lane and B-JOIN's tokens all come here.

use crate::find::escapes::entity;

/// The marks that B-END may take off.
const MARKS: &[u8] = b".,;:!?'*_~-([{&";

/// Returns the length of the URL whose run is `url`: trimmed from the right until nothing applies.
///
/// `body` is the offset after `scheme://` or `scheme:`, beyond which nothing is trimmed, `authority_end` the end of its
/// host and port (`body`, where there is none), `before` the byte right before the URL.
#[inline(always)]
pub(crate) fn url_len(url: &[u8], body: usize, authority_end: usize, before: Option<u8>) -> usize {
    // Nearly every run ends in a byte that is no row of the table.
    match url.last() {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/') => url.len(),
        _ => trimmed_len(url, body, authority_end, before),
    }
}

fn trimmed_len(url: &[u8], body: usize, authority_end: usize, before: Option<u8>) -> usize {
    let mut end = url.len();
    let mut quotes = None;
    while end > body {
        end -= match url[end - 1] {
            b'.' | b',' | b':' | b'!' | b'?' | b'(' | b'[' | b'{' => 1,
            b';' => entity::delimiter_len(&url[body..end]).unwrap_or(1),
            b'&' if url[body..end].ends_with(b"&&") => {
                url[body..end].iter().rev().take_while(|&&byte| byte == b'&').count()
            }
            b'-' if end <= authority_end => 1,
            mark @ (b'_' | b'~') if before == Some(mark) => 1,
            b'\'' => {
                let count = quotes.get_or_insert_with(|| url[..end].iter().filter(|&&b| b == b'\'').count());
                if *count % 2 == 0 && !matches!(before, Some(b'\'' | b'`')) {
                    break;
                }
                *count -= 1;
                1
            }
            b'*' if end == body + 1 && url[..body].eq_ignore_ascii_case(b"news:") => break,
            b'*' => {
                let stars = url[body..end].iter().rev().take_while(|&&b| b == b'*').count();
                if url[..end - stars].ends_with(b"/") && before != Some(b'*') {
                    break;
                }
                stars
            }
            _ => break,
        }
    }
    end
}

/// Returns the length of a token of a URL's next line, which has neither scheme nor authority (B-JOIN).
pub(crate) fn token_len(token: &[u8]) -> usize {
    url_len(token, 0, 0, None)
}

/// Returns how many bytes at the beginning of `text` are marks that B-END may take off.
pub(crate) fn marks_len(text: &[u8]) -> usize {
    text.iter().take_while(|&b| MARKS.contains(b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims() {
        for (token, before, expected) in [
            ("x...", None, "x"),
            ("x?!,", None, "x"),
            ("x([{", None, "x"),
            ("x'", None, "x"),
            ("'x'", None, "'x'"),
            ("'x'", Some(b'\''), "'x"),
            ("'x'", Some(b'`'), "'x"),
            ("x'.", None, "x"),
            ("x'''", None, "x''"),
            ("x**", None, "x"),
            ("x/*", None, "x/*"),
            ("x/**", Some(b'*'), "x/"),
            ("x_~", Some(b'~'), "x_"),
            ("x_", Some(b'_'), "x"),
            ("x/", None, "x/"),
            ("x-", None, "x-"),
            ("x&gt;.", None, "x"),
            ("x&quot;&#39;", None, "x"),
            ("x&amp;", None, "x&amp"),
            ("x&rdquo;&#x27;.", None, "x"),
            ("x&", None, "x&"),
            ("x&&;&&", None, "x"),
            ("..", None, ""),
            ("**", None, ""),
        ] {
            assert_eq!(&token[..url_len(token.as_bytes(), 0, 0, before)], expected, "{token}");
        }
        for (url, body, authority_end, expected) in [
            ("http://h-.-", 7, 11, "http://h"),
            ("http://h-/-", 7, 9, "http://h-/-"),
            ("news:*.*", 5, 5, "news:*"),
            ("news:**", 5, 5, "news:"),
            ("mailto:*", 7, 7, "mailto:"),
        ] {
            assert_eq!(&url[..url_len(url.as_bytes(), body, authority_end, None)], expected, "{url}");
        }
    }
}

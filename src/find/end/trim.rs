//! B-END: trims the bytes at the end of a run that are not part of the URL.
//!
//! All trimming of URLs is here: for the rules, for the fast lane, and for B-JOIN's tokens.

use crate::find::text::written;

/// The marks that B-END may trim.
const MARKS: &[u8] = b".,;:!?'*_~-([{&";

/// Returns the length of the URL whose run is `url`. The run is trimmed from the right until no row
/// of the table of B-END applies.
///
/// `body` is the offset after `scheme://` or `scheme:`. No byte before it is trimmed.
/// `authority_end` is the end of the host and port. It is equal to `body` if there is no authority.
/// `before` is the byte right before the URL.
#[inline(always)]
pub(crate) fn url_len(url: &[u8], body: usize, authority_end: usize, before: Option<u8>) -> usize {
    // Nearly every run ends in a byte that no row of the table trims.
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
            b';' => written::delimiter_len(&url[body..end]).unwrap_or(1),
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
                let rest = &url[..end - stars];
                let is_own =
                    || authority_end > body && memchr::memchr(b'*', &rest[authority_end.min(rest.len())..]).is_some();
                if before != Some(b'*') && (rest.ends_with(b"/") || is_own()) {
                    break;
                }
                stars
            }
            b']' if authority_end > body => match label_len(&url[authority_end.min(end)..end]) {
                Some(len) => len,
                None => break,
            },
            _ => break,
        }
    }
    end
}

/// Returns the length of a URL that a delimiter closes, without final punctuation and references to
/// delimiters (B-CLOSED). No byte before `body` is trimmed.
pub(crate) fn punctuated_len(url: &[u8], body: usize) -> usize {
    let mut end = url.len();
    while end > body {
        end -= match url[end - 1] {
            b';' => written::delimiter_len(&url[body..end]).unwrap_or(1),
            b'.' | b',' | b':' | b'!' | b'?' => 1,
            _ => break,
        };
    }
    end
}

/// Returns the length of a link's text in brackets at the end of a URL (AsciiDoc). The text in
/// brackets follows a letter, digit, `_` or `/`, but no `?` stands before it. It has as many `(`
/// as `)`. `rest` is the part after the authority.
fn label_len(rest: &[u8]) -> Option<usize> {
    let mut open = 0;
    let at = rest.iter().rposition(|&b| {
        open += i32::from(b == b']') - i32::from(b == b'[');
        open == 0
    })?;
    let is_behind = matches!(rest[..at], [.., b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'_']);
    let count = |bracket| memchr::memchr_iter(bracket, &rest[at..]).count();
    let is_label = is_behind && memchr::memchr(b'?', &rest[..at]).is_none() && count(b'(') == count(b')');
    is_label.then_some(rest.len() - at)
}

/// Returns the trimmed length of a token on the next line of a URL (B-JOIN). A token has neither
/// scheme nor authority.
pub(crate) fn token_len(token: &[u8]) -> usize {
    url_len(token, 0, 0, None)
}

/// Returns the number of marks at the start of `text` that B-END may trim.
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
            ("http://h/1[].", 7, 8, "http://h/1"),
            ("http://h/1[a[b]]", 7, 8, "http://h/1"),
            ("http://h/[a]", 7, 8, "http://h/"),
            ("http://h/.[a]", 7, 8, "http://h/.[a]"),
            ("http://h/?a[b]", 7, 8, "http://h/?a[b]"),
            ("http://h/#a_*_*", 7, 8, "http://h/#a_*_*"),
            ("http://h/#a_*", 7, 8, "http://h/#a_"),
            ("news:*.*", 5, 5, "news:*"),
            ("news:**", 5, 5, "news:"),
            ("mailto:*", 7, 7, "mailto:"),
        ] {
            assert_eq!(&url[..url_len(url.as_bytes(), body, authority_end, None)], expected, "{url}");
        }
    }
}

//! References inside the value of an attribute, as ranges of the value.

use std::ops::Range;

/// Returns the part of a range without leading and trailing control characters and blanks. A
/// browser removes these from a reference before it parses it (URL Standard, 4.4). It also removes
/// tabs and line breaks inside, see [`without_breaks`].
pub(super) fn trimmed(value: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &value[range.clone()];
    let Some(first) = text.iter().position(|&byte| byte > b' ') else { return range.start..range.start };
    let last = text.iter().rposition(|&byte| byte > b' ').unwrap_or(first);
    range.start + first..range.start + last + 1
}

/// Returns the reference without tabs and line breaks. Returns `None` if the reference has neither.
pub(super) fn without_breaks(reference: &[u8]) -> Option<Vec<u8>> {
    memchr::memchr3(b'\t', b'\n', b'\r', reference)?;
    Some(reference.iter().copied().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')).collect())
}

/// Returns the items that white space or commas separate (`ping`, `profile`, `archive`).
pub(super) fn list(value: &[u8]) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut start = 0;
    for (at, &byte) in value.iter().chain(b" ").enumerate() {
        if byte.is_ascii_whitespace() || byte == b',' {
            if start < at {
                items.push(start..at);
            }
            start = at + 1;
        }
    }
    items
}

/// Returns the image candidates of a `srcset` (HTML standard, "parse a srcset attribute"). A comma
/// inside a reference is part of it. A comma at its end is not.
pub(super) fn candidates(value: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at += count(&value[at..], |byte| byte.is_ascii_whitespace() || byte == b',');
        if at == value.len() {
            return found;
        }
        let start = at;
        at += count(&value[at..], |byte| !byte.is_ascii_whitespace());
        let commas = value[start..at].iter().rev().take_while(|&&byte| byte == b',').count();
        found.push(start..at - commas);
        // Commas end a candidate without descriptors, so the next candidate follows directly.
        if commas > 0 {
            continue;
        }
        let mut is_in_parentheses = false;
        at += count(&value[at..], |byte| {
            match byte {
                b'(' => is_in_parentheses = true,
                b')' => is_in_parentheses = false,
                _ => {}
            }
            byte != b',' || is_in_parentheses
        });
    }
}

/// Returns the range of the web URL if a value consists of one. (A value without a scheme could be
/// anything: keywords, a name.)
pub(super) fn absolute(value: &[u8]) -> Option<Range<usize>> {
    let range = trimmed(value, 0..value.len());
    let url = &value[range.clone()];
    let begins = |scheme: &[u8]| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let is_url = (begins(b"http://") || begins(b"https://")) && !url.iter().any(u8::is_ascii_whitespace);
    is_url.then_some(range)
}

/// Returns the reference of `<meta http-equiv=refresh content="5; url=…">` (HTML standard, "shared
/// declarative refresh steps").
pub(super) fn refresh(value: &[u8]) -> Option<Range<usize>> {
    let mut at = count(value, |byte| byte.is_ascii_whitespace());
    let seconds = count(&value[at..], |byte| byte.is_ascii_digit() || byte == b'.');
    at += seconds;
    let gap = count(&value[at..], |byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b','));
    if seconds == 0 || gap == 0 {
        return None;
    }
    at += gap;
    if value[at..].get(..3).is_some_and(|word| word.eq_ignore_ascii_case(b"url")) {
        let blanks = count(&value[at + 3..], |byte| byte.is_ascii_whitespace());
        if value.get(at + 3 + blanks) == Some(&b'=') {
            at += 3 + blanks + 1;
            at += count(&value[at..], |byte| byte.is_ascii_whitespace());
        }
    }
    let mut end = value.len();
    if let Some(&quote @ (b'"' | b'\'')) = value.get(at) {
        at += 1;
        end = memchr::memchr(quote, &value[at..]).map_or(end, |length| at + length);
    }
    Some(at..end)
}

fn count(bytes: &[u8], mut holds: impl FnMut(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| holds(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(value: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|range| &value[range]).collect()
    }

    #[test]
    fn srcset() {
        for (value, expected) in [
            ("", vec![]),
            (" , ,", vec![]),
            ("a.png", vec!["a.png"]),
            ("a.png 1x, b.png 2x", vec!["a.png", "b.png"]),
            ("a.png, b.png", vec!["a.png", "b.png"]),
            ("a.png,,,b.png 2x", vec!["a.png,,,b.png"]), // no blank: one reference
            ("data:image/png;base64,AAA= 1x,\n b?w=1,2 2x", vec!["data:image/png;base64,AAA=", "b?w=1,2"]),
            ("a.png f(1,2) 3w, b", vec!["a.png", "b"]),
            ("a.png f(1,2", vec!["a.png"]),
            ("\ta 1x ,", vec!["a"]),
        ] {
            assert_eq!(texts(value, candidates(value.as_bytes())), expected, "{value:?}");
        }
    }

    #[test]
    fn meta_refresh() {
        for (value, expected) in [
            ("0; url=http://a.example/", Some("http://a.example/")),
            ("5;URL = 'http://a.example/' x", Some("http://a.example/")),
            ("5;url=\"http://a.example/", Some("http://a.example/")),
            (" .5,http://a.example/", Some("http://a.example/")),
            ("5 http://a.example/", Some("http://a.example/")),
            ("0;urlx", Some("urlx")),
            ("0;url x", Some("url x")),
            ("5", None),
            ("5;", Some("")),
            ("url=http://a.example/", None),
            ("", None),
            ("5x; url=y", None),
        ] {
            assert_eq!(refresh(value.as_bytes()).map(|range| &value[range]), expected, "{value:?}");
        }
    }

    #[test]
    fn lists() {
        assert_eq!(texts(" a  b\n,c,", list(b" a  b\n,c,")), ["a", "b", "c"]);
        assert_eq!(texts("", list(b"")), Vec::<&str>::new());
    }
}

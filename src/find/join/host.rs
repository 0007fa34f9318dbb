//! B-JOIN-V-HOST: whether an authority at the end of a line may continue on the next line.

use super::tokens::{is_host, without_last};
use crate::find::text::words;

/// The bytes in which no host ends.
const ENDS_NO_HOST: &[u8] = b",;:!?'*()";

/// Returns whether the authority is unfinished: no path, query or fragment has begun.
pub(super) fn is_authority(body: &[u8]) -> bool {
    memchr::memchr3(b'/', b'?', b'#', body).is_none()
}

/// Returns whether the authority `body` may continue with `raw`. `tok` is `raw` as B-END trims it.
///
/// Either `raw` begins with a mark that ends a host, or both halves form a host with a top-level
/// domain.
pub(super) fn continues(body: &[u8], raw: &[u8], tok: &[u8]) -> bool {
    let (Some(&last), Some(&next)) = (body.last(), raw.first()) else { return false };
    if matches!(next, b'/' | b'?' | b':' | b'#') {
        return true;
    }
    let host = &body[memchr::memrchr(b'@', body).map_or(0, |at| at + 1)..];
    let mut buffer = [0; words::LONGEST];
    let Some(top) = joined_top_level(host, raw, &mut buffer).filter(|_| !ENDS_NO_HOST.contains(&last)) else {
        return false;
    };
    let mut labels = without_last(host, b'.').split(|&byte| byte == b'.');
    let first = labels.next().unwrap_or_default();
    let (had, count) = labels.fold((first, 1), |(_, count), label| (label, count + 1));
    let has = |byte: u8, bytes: &[u8]| memchr::memchr(byte, bytes).is_some();
    if last == b'.' || last == b'-' || next == b'.' {
        let is_whole = count > 1 && words::is_top_level(had) && !has(b'/', tok);
        return starts_labels(tok) && !is_whole && (has(b'/', tok) || has(b'.', tok) || words::is_generic(top));
    }
    if has(b'.', host) && completes_generic(top, had, raw) {
        return true;
    }
    let is_whole = count > 1 + usize::from(first.eq_ignore_ascii_case(b"www")) && words::is_top_level(had);
    !is_whole && next.is_ascii_alphanumeric() && has(b'.', raw)
}

/// Returns whether a program may have cut the host at any place, because its line was full. Both
/// halves form a host with a dot, or a port is cut.
pub(super) fn is_cut(body: &[u8], tok: &[u8]) -> bool {
    let host = &body[memchr::memrchr(b'@', body).map_or(0, |at| at + 1)..];
    let ends_at = |length: usize, marks: &[u8]| tok.get(length).is_none_or(|byte| marks.contains(byte));
    let port = tok.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if without_digits(body).ends_with(b":") && ends_at(port, b"/?#") {
        return true;
    }
    let length = tok.iter().take_while(|&&byte| is_host(byte)).count();
    let is_label = |byte: u8| is_host(byte) && byte != b'.' || byte == b'_';
    let whole: Vec<u8> = [host, &tok[..length]].concat();
    let mut labels = whole.split(|&byte| byte == b'.');
    ends_at(length, b":/?#")
        && memchr::memchr(b'.', &whole).is_some()
        && labels.all(|label| !label.is_empty() && label.iter().all(|&byte| is_label(byte)))
}

/// Returns `bytes` without the digits at its end.
fn without_digits(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1)]
}

/// Returns the last label of the host that `host` and `raw` form together, if that label is a
/// top-level domain.
fn joined_top_level<'b>(host: &'b [u8], raw: &'b [u8], buffer: &'b mut [u8; words::LONGEST]) -> Option<&'b [u8]> {
    // The authority may hold bytes that no host name has (B-AUTH).
    let head = &host[..host.iter().take_while(|&&byte| is_host(byte) || byte == b'_' || !byte.is_ascii()).count()];
    let tail = without_last(&raw[..raw.iter().take_while(|&&byte| is_host(byte)).count()], b'.');
    let after_dot = |bytes: &[u8]| memchr::memrchr(b'.', bytes).map(|dot| dot + 1);
    let top = if head.len() < host.len() || tail.is_empty() {
        let head = without_last(head, b'.');
        &head[after_dot(head)?..]
    } else if let Some(at) = after_dot(tail) {
        &tail[at..]
    } else {
        let half = &head[after_dot(head)?..];
        let whole = buffer.get_mut(..half.len() + tail.len())?;
        whole[..half.len()].copy_from_slice(half);
        whole[half.len()..].copy_from_slice(tail);
        whole
    };
    words::is_top_level(top).then_some(top)
}

/// Matches `www.example.c` + `om/`: the label `had` and the lower-case letters of `raw` form the
/// generic domain `top`.
fn completes_generic(top: &[u8], had: &[u8], raw: &[u8]) -> bool {
    let lead = &raw[..raw.iter().take_while(|byte| byte.is_ascii_lowercase()).count()];
    !lead.is_empty()
        && top.len() == had.len() + lead.len()
        && top[..had.len()].eq_ignore_ascii_case(had)
        && top[had.len()..] == *lead
        && words::is_generic(top)
}

/// Returns whether a token has lower-case labels up to `/`, `:digit` or its end. It may begin with
/// a dot.
fn starts_labels(tok: &[u8]) -> bool {
    let name = tok.strip_prefix(b".").unwrap_or(tok);
    let is_label = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let length = name.iter().take_while(|&&byte| is_label(byte) || byte == b'.').count();
    let (labels, rest) = name.split_at(length);
    labels.split(|&byte| byte == b'.').all(|label| !label.is_empty())
        && match rest {
            [] | [b'/', ..] => true,
            [b':', digit, ..] => digit.is_ascii_digit(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_continue() {
        #[rustfmt::skip]
        let cases = [
            ("h.com|/x", true), ("h.com|:80/", true), ("h.com,|x", false), ("|/x", false),
            ("www.example.|com/x", true), ("www.example.|Com/x", false), ("www.example.|com", true),
            ("www.example.|uk", false), ("www.example.|co.uk", true), ("www.example.|nowhere/", false),
            ("www.example.|com:80", true), ("www.example.|com:x", false), ("www.example|.com/x", true),
            ("www.my-|host.org/x", true), ("www.example.com.|au", false), ("www.example.com.|au/", true),
            ("www.example.c|om/x", true), ("www.example.or|g", true), ("www.example.c|o.uk/", true),
            ("example.com|TCP.uk", false), ("www.com|puting.example.com/", true), ("www.exa|mple.com", true),
            ("my_site.example.|com/x", true), ("www.münchen.|de/x", true), ("a_b.h-|c.com/x", true), ("my_|site", false),
            ("www.exa|mple", false), ("user@www.exa|mple.com", true), ("info.|example.org", true),
        ];
        for (text, expected) in cases {
            let (body, raw) = text.split_once('|').unwrap();
            let tok = &raw[..crate::find::end::trim::token_len(raw.as_bytes())];
            assert_eq!(continues(body.as_bytes(), raw.as_bytes(), tok.as_bytes()), expected, "{text}");
        }
    }
}

//! bjoin.md 1.3: what the end of the head asks for.

use super::words;

/// A: how much the end of the head asks for more; `None` if the two halves cannot belong together.
///
/// `head` is the URL so far, `authority` the offset after its `//` or `:`, `raw` the run on the next line and
/// `tok` what B-END leaves of it. The rows stand in the order of the table; the first that fits decides.
pub(super) fn ask(head: &[u8], authority: usize, raw: &[u8], tok: &[u8]) -> Option<i32> {
    let (&last, &next) = (head.last()?, raw.first()?);
    // half an escape
    if let [.., b'%'] = head {
        return (raw.len() > 1 && raw[..2].iter().all(u8::is_ascii_hexdigit)).then_some(4);
    }
    if let [.., b'%', digit] = head
        && digit.is_ascii_hexdigit()
    {
        return next.is_ascii_hexdigit().then_some(4);
    }
    let body = &head[authority..];
    if memchr::memchr3(b'/', b'?', b'#', body).is_none() {
        return in_authority(body, last, raw, tok);
    }
    if is_ruled(head) && !starts_parameter(raw) {
        return Some(-3);
    }
    let pays = |condition: bool, if_so: i32, else_: i32| Some(if condition { if_so } else { else_ });
    let has_query_mark = || memchr::memchr3(b'?', b'&', b'=', raw).is_some();
    match last {
        b'=' => {
            return pays(next.is_ascii_alphanumeric() || b"%&+/-".contains(&next), 3, -3);
        }
        b'&' if starts_name(raw) || raw.starts_with(b"amp;") => return Some(3),
        b'&' => return pays(is_word(next), 1, -3),
        b'?' => return pays(starts_name(raw), 3, -3),
        b'-' => return pays(next.is_ascii_alphanumeric(), 3, -3),
        b'+' | b'_' | b'~' => return pays(next.is_ascii_alphanumeric() || next == b'%', 2, 0),
        b'.' if words::is_extension(lead(raw)) => return Some(4),
        b'.' => {
            return pays(has_query_mark() || has_escape(raw, |byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F')), 0, -3);
        }
        b';' if raw.iter().position(|byte| !byte.is_ascii_lowercase()).is_some_and(|at| at > 0 && raw[at] == b'=') => {
            return Some(2);
        }
        b',' | b';' | b':' | b'!' | b'*' | b'\'' => return pays(has_query_mark(), 0, -3),
        b'/' => return Some(1),
        _ => {}
    }
    // the last segment as a file name
    let segment = head.rsplit(|byte| matches!(byte, b'/' | b'?' | b'#' | b'&' | b'=')).next().unwrap_or(head);
    if let Some(grade) = half_extension(segment, lead(raw)) {
        return Some(grade);
    }
    let complete = words::extension(segment).is_some_and(|name| name.len() > 1 && words::is_extension(name));
    if !complete || memchr::memchr(b'?', head).is_some() {
        return Some(0);
    }
    if starts_packed(raw) {
        return Some(1);
    }
    Some(match next {
        b'?' | b'#' | b'&' | b';' => 0,
        b'/' | b'.' => -2,
        _ => -4,
    })
}

/// The rows for a break inside the authority.
fn in_authority(body: &[u8], last: u8, raw: &[u8], tok: &[u8]) -> Option<i32> {
    let next = raw[0];
    if matches!(next, b'/' | b'?' | b':' | b'#') {
        return Some(0);
    }
    if b",;:!?'*()".contains(&last) {
        return None;
    }
    let host = &body[memchr::memrchr(b'@', body).map_or(0, |at| at + 1)..];
    // The host as it would be joined; two short copies a break, for want of a slice over both halves.
    let joined: Vec<u8> = host.iter().chain(raw).copied().take_while(|&byte| is_host(byte)).collect();
    let joined = trim_dots(&joined);
    let top = &joined[memchr::memrchr(b'.', joined)? + 1..];
    if !words::is_top_level(top) {
        return None;
    }
    let mut labels = trim_dots(host).split(|&byte| byte == b'.');
    let first = labels.next().unwrap_or_default();
    let (had, count) = labels.fold((first, 1), |(_, count), label| (label, count + 1));
    let has_path = memchr::memchr(b'/', tok).is_some();
    if last == b'.' || last == b'-' || next == b'.' {
        if !starts_labels(tok) || words::is_top_level(had) && count > 1 && !has_path {
            return None;
        }
        return (has_path || memchr::memchr(b'.', tok).is_some() || words::is_generic(top)).then_some(3);
    }
    // `www.example.c` + `om/`
    let lead = &raw[..raw.iter().take_while(|byte| byte.is_ascii_lowercase()).count()];
    if memchr::memchr(b'.', host).is_some()
        && !lead.is_empty()
        && top.len() == had.len() + lead.len()
        && top[..had.len()].eq_ignore_ascii_case(had)
        && top[had.len()..] == *lead
        && words::is_generic(top)
    {
        return Some(3);
    }
    // `www.example.com` + `TCP/IP`
    if words::is_top_level(had) && count > 1 + usize::from(first.eq_ignore_ascii_case(b"www")) {
        return None;
    }
    (next.is_ascii_alphanumeric() && memchr::memchr(b'.', raw).is_some()).then_some(1)
}

/// Lower-case labels up to `/`, `:digit` or the end, perhaps after a dot.
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

/// Three marks at the end, or one of `- _ = * + ~ #` twice: a ruled line, dots.
fn is_ruled(head: &[u8]) -> bool {
    match head {
        [.., a, b, c] if ![a, b, c].iter().any(|byte| byte.is_ascii_alphanumeric()) => true,
        [.., a, b] => a == b && b"-_=*+~#".contains(a),
        _ => false,
    }
}

/// Whether the end of `head` and `lead` may make an extension together (1.3).
pub(super) fn may_be_half_extension(head: &[u8], lead: &[u8]) -> bool {
    half_extension(&head[head.len().saturating_sub(words::LONGEST)..], lead).is_some()
}

/// Whether the end of `head`, a scheme and a host, and `lead` may make a host together (1.3); `lead` holds letters.
pub(super) fn may_be_host(head: &[u8], lead: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', head) else { return false };
    let top = &head[dot + 1..];
    let mut whole = [0; words::LONGEST];
    let Some(whole) = whole.get_mut(..top.len() + lead.len()) else { return false };
    whole[..top.len()].copy_from_slice(top);
    whole[top.len()..].copy_from_slice(lead);
    memchr::memchr(b':', top).is_some() || words::is_top_level(whole)
}

/// Half an extension that the next line completes: `.ht` + `ml`. A half that is one itself counts less:
/// `.h` + `tml`.
fn half_extension(segment: &[u8], lead: &[u8]) -> Option<i32> {
    let half = &segment[memchr::memrchr(b'.', segment)? + 1..];
    if half.len() > 4 || lead.is_empty() || lead.len() > 8 || !half.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let mut whole = [0; 12];
    whole[..half.len()].copy_from_slice(half);
    whole[half.len()..half.len() + lead.len()].copy_from_slice(lead);
    words::is_extension(&whole[..half.len() + lead.len()]).then_some(if words::is_extension(half) { 2 } else { 3 })
}

/// `.gz` and the like: what may follow a complete file name.
fn starts_packed(raw: &[u8]) -> bool {
    const PACKED: [&[u8]; 9] = [b"gz", b"Z", b"z", b"bz2", b"xz", b"zip", b"asc", b"sig", b"pgp"];
    match raw {
        [b'.', rest @ ..] => {
            let length = rest.iter().take_while(|&&byte| is_word(byte)).count();
            PACKED.contains(&&rest[..length])
        }
        _ => false,
    }
}

/// The letters and digits `raw` begins with.
fn lead(raw: &[u8]) -> &[u8] {
    &raw[..raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()]
}

/// `name=`, where the name may hold an escape.
fn starts_name(raw: &[u8]) -> bool {
    let length = raw.iter().take_while(|&&byte| super::is_name(byte) || byte == b'%').count();
    length > 0 && raw.get(length) == Some(&b'=')
}

/// `?name=` or `&name=`.
fn starts_parameter(raw: &[u8]) -> bool {
    matches!(raw, [b'?' | b'&', rest @ ..] if super::starts_assignment(rest))
}

/// Whether `%` and two digits that `is_hex` takes stand anywhere.
pub(super) fn has_escape(bytes: &[u8], is_hex: impl Fn(u8) -> bool) -> bool {
    memchr::memchr_iter(b'%', bytes)
        .any(|at| bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(|&digit| is_hex(digit))))
}

fn trim_dots(name: &[u8]) -> &[u8] {
    &name[..name.iter().rposition(|&byte| byte != b'.').map_or(0, |last| last + 1)]
}

fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-'
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table; `|` is the break. The head is `http://` and what stands before it.
    #[test]
    fn table() {
        for (text, expected) in [
            // half an escape
            ("h.com/a%|20b", Some(4)),
            ("h.com/a%|2", None),
            ("h.com/a%2|0b", Some(4)),
            ("h.com/a%2|xb", None),
            ("h.com/a%%|20", Some(4)),
            // authority
            ("h.com|/x", Some(0)),
            ("h.com|:80/", Some(0)),
            ("h.com,|x", None),
            ("www.example.|com/x", Some(3)),
            ("www.example.|Com/x", None),
            ("www.example.|com", Some(3)),
            ("www.example.|uk", None),
            ("www.example.|co.uk", Some(3)),
            ("www.example.|com:80", Some(3)),
            ("www.example.|com:x", None),
            ("www.example|.com/x", Some(3)),
            ("www.my-|host.org/x", Some(3)),
            ("www.example.com.|au", None),
            ("www.example.com.|au/", Some(3)),
            ("www.example.|nowhere/", None),
            ("www.example.c|om/x", Some(3)),
            ("www.example.or|g", Some(3)),
            ("www.example.c|o.uk/", Some(1)),
            ("example.com|TCP.uk", None),
            ("www.com|puting.example.com/", Some(1)),
            ("www.exa|mple.com", Some(1)),
            ("www.exa|mple", None),
            ("user@www.exa|mple.com", Some(1)),
            // ruled lines
            ("h.com/r?r___|x", Some(-3)),
            ("h.com/r--|x", Some(-3)),
            ("h.com/r...|x", Some(-3)),
            ("h.com/r...|?x=y", Some(4 - 4)),
            // marks
            ("h.com/a?b=|c", Some(3)),
            ("h.com/a?b=|.c", Some(-3)),
            ("h.com/a?b&|c.d=e", Some(3)),
            ("h.com/a?b&|amp;c", Some(3)),
            ("h.com/a?b&|c", Some(1)),
            ("h.com/a?b&|/c", Some(-3)),
            ("h.com/a?|b=c", Some(3)),
            ("h.com/a?|b", Some(-3)),
            ("h.com/a-|b", Some(3)),
            ("h.com/a-|/b", Some(-3)),
            ("h.com/a_|b", Some(2)),
            ("h.com/a+|/", Some(0)),
            ("h.com/a.|html", Some(4)),
            ("h.com/a.|html/x", Some(4)),
            ("h.com/a.|B%2Fb", Some(0)),
            ("h.com/a.|B%2fb", Some(-3)),
            ("h.com/a.|Next", Some(-3)),
            ("h.com/a;|type=i", Some(2)),
            ("h.com/a;|Type=i", Some(0)),
            ("h.com/a,|b", Some(-3)),
            ("h.com/a,|b=c", Some(0)),
            ("h.com/a/|b", Some(1)),
            // extensions
            ("h.com/a.ht|ml", Some(3)),
            ("h.com/a.h|tml", Some(2)),
            ("h.com/a.tx|t.gz", Some(3)),
            ("h.com/a?b=c.ht|ml", Some(3)),
            ("h.com/a.html|.gz", Some(1)),
            ("h.com/a.html|.gzip", Some(-2)),
            ("h.com/a.html|.gz-x", Some(1)),
            ("h.com/a.html|?x", Some(0)),
            ("h.com/a.html|/x", Some(-2)),
            ("h.com/a.html|x", Some(-4)),
            ("h.com/?a.html|x", Some(0)),
            ("h.com/a.c|x", Some(0)),
            ("h.com/abc|def", Some(0)),
        ] {
            let (head, raw) = text.split_once('|').unwrap();
            let head = format!("http://{head}");
            let tok = &raw[..super::super::trimmed::trimmed(raw.as_bytes(), None)];
            assert_eq!(ask(head.as_bytes(), 7, raw.as_bytes(), tok.as_bytes()), expected, "{text}");
        }
    }
}

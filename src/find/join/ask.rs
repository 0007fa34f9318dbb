//! B-JOIN-A: what the end of the head asks for.

use super::table::first_row;
use super::tokens::{is_host, is_indexed_name, is_name, is_word, starts_assignment, starts_name_of, without_last};
use super::words;

/// A of two halves that cannot belong together.
const NO: i32 = i32::MIN;

/// Extensions that no host ends in.
const ENDS_NO_HOST: &[u8] = b",;:!?'*()";

/// Returns A: how much the end of the head asks for more; `None` if the two halves cannot belong together.
///
/// `head` is the URL so far, `authority` the offset after its `//` or `:`, `raw` the run on the next line and
/// `tok` what B-END leaves of it.
pub(super) fn ask(head: &[u8], authority: usize, raw: &[u8], tok: &[u8]) -> Option<i32> {
    let (&last, &next) = (head.last()?, raw.first()?);
    let body = &head[authority..];
    let segment = || head.rsplit(|byte| matches!(byte, b'/' | b'?' | b'#' | b'&' | b'=')).next().unwrap_or(head);
    let has_query_mark = || memchr::memchr3(b'?', b'&', b'=', raw).is_some();
    let asked = first_row! {
        "B-JOIN-A-ESCAPE": last == b'%' => 4, if begins_hex(raw, 2), else NO;
        "B-JOIN-A-ESCAPE": head.len() > 1 && head[head.len() - 2] == b'%' && last.is_ascii_hexdigit() => 4, if begins_hex(raw, 1), else NO;
        "B-JOIN-A-HOST": is_authority(body) => ask_authority(body, last, raw, tok);
        "B-JOIN-A-RULED": is_ruled(head) && !starts_parameter(raw) => -3;
        "B-JOIN-A-EQUALS": last == b'=' && starts_starred(raw) => 3;
        "B-JOIN-A-EQUALS": last == b'=' => 3, if next.is_ascii_alphanumeric() || matches!(next, b'%' | b'&' | b'+' | b'/' | b'-'), else -3;
        "B-JOIN-A-AMPERSAND": last == b'&' && (starts_indexed_name(raw) || raw.starts_with(b"amp;")) => 3;
        "B-JOIN-A-AMPERSAND": last == b'&' => 1, if is_word(next), else -3;
        "B-JOIN-A-QUESTION": last == b'?' => 3, if starts_name(raw), else -3;
        "B-JOIN-A-HYPHEN": last == b'-' => 3, if next.is_ascii_alphanumeric(), else -3;
        "B-JOIN-A-UNDERSCORE": matches!(last, b'+' | b'_' | b'~') => 2, if next.is_ascii_alphanumeric() || next == b'%', else 0;
        "B-JOIN-A-DOT": last == b'.' && words::is_extension(lead(raw)) => 4;
        "B-JOIN-A-DOT": last == b'.' && is_numbered_name(raw) => 0;
        "B-JOIN-A-DOT": last == b'.' => 0, if has_query_mark() || has_escape(raw, is_upper_hex), else -3;
        "B-JOIN-A-SEMICOLON": last == b';' && starts_lower_name(raw) => 2;
        "B-JOIN-A-PUNCTUATION": matches!(last, b',' | b';' | b':' | b'!' | b'*' | b'\'') => 0, if has_query_mark(), else -3;
        "B-JOIN-A-SLASH": last == b'/' => 1;
        "B-JOIN-A-EXTENSION": completes_extension(segment(), lead(raw)) => 2, if words::has_extension(segment()), else 3;
        "B-JOIN-A-ELSE": !is_file_name(segment()) || memchr::memchr(b'?', head).is_some() => 0;
        "B-JOIN-A-FILE": starts_packed(raw) => 1;
        "B-JOIN-A-FILE": matches!(next, b'?' | b'#' | b'&' | b';') => 0;
        else "B-JOIN-A-FILE" => -2, if next == b'/' || next == b'.', else -4;
    };
    (asked != NO).then_some(asked)
}

/// Returns the rows for a break inside the authority.
fn ask_authority(body: &[u8], last: u8, raw: &[u8], tok: &[u8]) -> i32 {
    let next = raw[0];
    let host = host(body);
    let mut buffer = [0; words::LONGEST];
    let top = joined_top_level(host, raw, &mut buffer);
    let mut labels = without_last(host, b'.').split(|&byte| byte == b'.');
    let first = labels.next().unwrap_or_default();
    let (had, count) = labels.fold((first, 1), |(_, count), label| (label, count + 1));
    let is_at_label = last == b'.' || last == b'-' || next == b'.';
    let has = |byte: u8, bytes: &[u8]| memchr::memchr(byte, bytes).is_some();
    first_row! {
        "B-JOIN-A-HOST-END": matches!(next, b'/' | b'?' | b':' | b'#') => 0;
        "B-JOIN-A-HOST-ELSE": ENDS_NO_HOST.contains(&last) || top.is_none() => NO;
        "B-JOIN-A-HOST-LABEL": is_at_label && !starts_labels(tok) => NO;
        "B-JOIN-A-HOST-LABEL": is_at_label && has(b'/', tok) => 3;
        "B-JOIN-A-HOST-LABEL": is_at_label && count > 1 && words::is_top_level(had) => NO;
        "B-JOIN-A-HOST-LABEL": is_at_label => 3, if has(b'.', tok) || top.is_some_and(words::is_generic), else NO;
        "B-JOIN-A-HOST-HALF": has(b'.', host) && top.is_some_and(|top| completes_generic(top, had, raw)) => 3;
        "B-JOIN-A-HOST-WHOLE": count > 1 + usize::from(first.eq_ignore_ascii_case(b"www")) && words::is_top_level(had) => NO;
        else "B-JOIN-A-HOST-ELSE" => 1, if next.is_ascii_alphanumeric() && has(b'.', raw), else NO;
    }
}

/// Returns whether A may be 3 or more for a `word` of letters and digits that begins the next line and stands before a
/// blank: false only if [`ask`] says so too. No escape is broken.
pub(super) fn may_ask_for_word(head: &[u8], authority: usize, word: &[u8]) -> bool {
    let body = &head[authority..];
    // What the head ends in decides nearly always, without a look at all of it.
    let letters = body.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (rest, last) = body.split_at(body.len() - letters);
    let may_complete = match rest.last() {
        Some(b'/') => return false, // B-JOIN-A-SLASH, or a segment without a dot
        // B-JOIN-A-EXTENSION; B-JOIN-A-DOT
        Some(b'.') if letters == 0 => words::is_extension(lead(word)),
        Some(b'.') => completes(last, lead(word)),
        Some(b',' | b'?') if letters == 0 => false, // B-JOIN-A-PUNCTUATION, -QUESTION
        _ => letters == 0,
    };
    if is_authority(body) {
        let mut buffer = [0; words::LONGEST];
        return joined_top_level(host(body), word, &mut buffer).is_some(); // B-JOIN-A-HOST
    }
    may_complete
}

/// Returns whether the authority is not finished: neither path, query nor fragment has begun.
pub(super) fn is_authority(body: &[u8]) -> bool {
    memchr::memchr3(b'/', b'?', b'#', body).is_none()
}

/// Returns the host of an authority, its port included.
fn host(authority: &[u8]) -> &[u8] {
    &authority[memchr::memrchr(b'@', authority).map_or(0, |at| at + 1)..]
}

/// Returns the last label of the host that `host` and `raw` make together, if that is a top-level domain.
fn joined_top_level<'b>(host: &'b [u8], raw: &'b [u8], buffer: &'b mut [u8; words::LONGEST]) -> Option<&'b [u8]> {
    let of_host = |bytes: &'b [u8]| &bytes[..bytes.iter().take_while(|&&byte| is_host(byte)).count()];
    let after_dot = |bytes: &[u8]| memchr::memrchr(b'.', bytes).map(|dot| dot + 1);
    let (head, tail) = (of_host(host), without_last(of_host(raw), b'.'));
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

/// Matches `www.example.c` + `om/`: the label `had` and the lower-case letters of `raw` make the generic domain `top`.
fn completes_generic(top: &[u8], had: &[u8], raw: &[u8]) -> bool {
    let lead = &raw[..raw.iter().take_while(|byte| byte.is_ascii_lowercase()).count()];
    !lead.is_empty()
        && top.len() == had.len() + lead.len()
        && top[..had.len()].eq_ignore_ascii_case(had)
        && top[had.len()..] == *lead
        && words::is_generic(top)
}

/// Returns whether lower-case labels reach up to `/`, `:digit` or the end, perhaps after a dot.
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

/// Returns whether three marks stand at the end, or one of `- _ = * + ~ #` twice: a ruled line, dots.
fn is_ruled(head: &[u8]) -> bool {
    match head {
        [.., a, b, c] if ![a, b, c].iter().any(|byte| byte.is_ascii_alphanumeric()) => true,
        [.., a, b] => a == b && matches!(a, b'-' | b'_' | b'=' | b'*' | b'+' | b'~' | b'#'),
        _ => false,
    }
}

/// Returns whether the next line completes half an extension: `.ht` + `ml`.
fn completes_extension(segment: &[u8], lead: &[u8]) -> bool {
    memchr::memrchr(b'.', segment).is_some_and(|dot| completes(&segment[dot + 1..], lead))
}

/// Returns whether half an extension stands after the dot.
fn completes(half: &[u8], lead: &[u8]) -> bool {
    let length = half.len() + lead.len();
    let mut whole = [0; words::LONGEST];
    // No extension is longer; most words are.
    let Some(whole) = whole.get_mut(..length) else { return false };
    if half.len() > 4 || lead.is_empty() || !half.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    whole[..half.len()].copy_from_slice(half);
    whole[half.len()..].copy_from_slice(lead);
    words::is_extension(whole)
}

/// Returns whether a file name is complete: it ends in a known extension of two letters or more.
fn is_file_name(segment: &[u8]) -> bool {
    words::extension(segment).is_some_and(|name| name.len() > 1 && words::is_extension(name))
}

/// Matches `.gz` and the like: what may follow a complete file name.
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

/// Returns the letters and digits `raw` begins with.
fn lead(raw: &[u8]) -> &[u8] {
    &raw[..raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()]
}

/// Matches `name=`, where the name may hold an escape.
pub(super) fn starts_name(raw: &[u8]) -> bool {
    starts_name_of(raw, |byte| is_name(byte) || byte == b'%')
}

/// Matches `filter[year]=`, where the name may hold an escape too.
fn starts_indexed_name(raw: &[u8]) -> bool {
    starts_name_of(raw, |byte| is_indexed_name(byte) || byte == b'%')
}

/// Matches `*&name=`: the value is a star.
pub(super) fn starts_starred(raw: &[u8]) -> bool {
    raw.strip_prefix(b"*&").is_some_and(starts_assignment)
}

/// Matches `19.first_light`: digits, a `.` or `_`, and a `_`.
fn is_numbered_name(raw: &[u8]) -> bool {
    let digits = raw.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0
        && matches!(raw[digits..], [b'.' | b'_', next, ..] if next.is_ascii_alphanumeric())
        && memchr::memchr(b'_', raw).is_some()
}

/// Matches `name=`, where the name is lower-case letters.
fn starts_lower_name(raw: &[u8]) -> bool {
    raw.iter().position(|byte| !byte.is_ascii_lowercase()).is_some_and(|at| at > 0 && raw[at] == b'=')
}

/// Returns whether `raw` begins with so many hex digits.
fn begins_hex(raw: &[u8], count: usize) -> bool {
    raw.get(..count).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Matches `?name=` or `&name=`.
fn starts_parameter(raw: &[u8]) -> bool {
    matches!(raw, [b'?' | b'&', rest @ ..] if starts_assignment(rest))
}

/// Returns whether `%` and two digits that `is_hex` takes stand anywhere.
pub(super) fn has_escape(bytes: &[u8], is_hex: impl Fn(u8) -> bool) -> bool {
    // Where there is one `%` there may be many, near each other: to look for each costs 40 instructions.
    bytes.windows(3).any(|three| three[0] == b'%' && is_hex(three[1]) && is_hex(three[2]))
}

fn is_upper_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'F')
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The table; `|` is the break. The head is `http://` and what stands before it.
    #[test]
    pub(in crate::find::join) fn table() {
        #[rustfmt::skip]
        let cases = [
            // half an escape
            ("h.com/a%|20b", Some(4)), ("h.com/a%|2", None), ("h.com/a%2|0b", Some(4)), ("h.com/a%2|xb", None),
            ("h.com/a%%|20", Some(4)),
            // after a host, or a mark that no host ends in
            ("h.com|/x", Some(0)), ("h.com|:80/", Some(0)), ("h.com,|x", None),
            // between labels
            ("www.example.|com/x", Some(3)), ("www.example.|Com/x", None), ("www.example.|com", Some(3)),
            ("www.example.|uk", None), ("www.example.|co.uk", Some(3)), ("www.example.|nowhere/", None),
            ("www.example.|com:80", Some(3)), ("www.example.|com:x", None), ("www.example|.com/x", Some(3)),
            ("www.my-|host.org/x", Some(3)), ("www.example.com.|au", None), ("www.example.com.|au/", Some(3)),
            // within a label
            ("www.example.c|om/x", Some(3)), ("www.example.or|g", Some(3)), ("www.example.c|o.uk/", Some(1)),
            ("example.com|TCP.uk", None), ("www.com|puting.example.com/", Some(1)), ("www.exa|mple.com", Some(1)),
            ("www.exa|mple", None), ("user@www.exa|mple.com", Some(1)),
            // ruled lines
            ("h.com/r?r___|x", Some(-3)), ("h.com/r--|x", Some(-3)), ("h.com/r...|x", Some(-3)),
            ("h.com/r...|?x=y", Some(0)),
            // marks
            ("h.com/a?b=|c", Some(3)), ("h.com/a?b=|.c", Some(-3)),
            ("h.com/a?b=|*&c=d", Some(3)), ("h.com/a?b=|*&c", Some(-3)), ("h.com/a?b=|*c=d", Some(-3)),
            ("h.com/a?b&|c.d=e", Some(3)), ("h.com/a?b&|c[d]=e", Some(3)), ("h.com/a?b&|amp;c", Some(3)), ("h.com/a?b&|c", Some(1)),
            ("h.com/a?b&|/c", Some(-3)),
            ("h.com/a?|b=c", Some(3)), ("h.com/a?|b", Some(-3)),
            ("h.com/a-|b", Some(3)), ("h.com/a-|/b", Some(-3)), ("h.com/a_|b", Some(2)), ("h.com/a+|/", Some(0)),
            ("h.com/a.|html", Some(4)), ("h.com/a.|html/x", Some(4)), ("h.com/a.|B%2Fb", Some(0)),
            ("h.com/a.|B%2fb", Some(-3)), ("h.com/a.|Next", Some(-3)),
            ("h.com/a.|19.b_c", Some(0)), ("h.com/a.|19_b", Some(0)), ("h.com/a.|19.b", Some(-3)),
            ("h.com/a.|b.c_d", Some(-3)),
            ("h.com/a;|type=i", Some(2)), ("h.com/a;|Type=i", Some(0)), ("h.com/a,|b", Some(-3)),
            ("h.com/a,|b=c", Some(0)), ("h.com/a/|b", Some(1)),
            // half an extension
            ("h.com/a.ht|ml", Some(3)), ("h.com/a.h|tml", Some(2)), ("h.com/a.tx|t.gz", Some(3)),
            ("h.com/a?b=c.ht|ml", Some(3)),
            // a whole one, and none
            ("h.com/a.html|.gz", Some(1)), ("h.com/a.html|.gzip", Some(-2)), ("h.com/a.html|.gz-x", Some(1)),
            ("h.com/a.html|?x", Some(0)), ("h.com/a.html|/x", Some(-2)), ("h.com/a.html|x", Some(-4)),
            ("h.com/?a.html|x", Some(0)), ("h.com/a.c|x", Some(0)), ("h.com/abc|def", Some(0)),
        ];
        for (text, expected) in cases {
            let (head, raw) = text.split_once('|').unwrap();
            let head = format!("http://{head}");
            let tok = &raw[..crate::find::trim::token_len(raw.as_bytes())];
            assert_eq!(ask(head.as_bytes(), 7, raw.as_bytes(), tok.as_bytes()), expected, "{text}");
        }
    }
}

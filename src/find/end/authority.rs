//! The authority of a URL: userinfo, host and port (B-AUTH, B-HOST, B-UNI-2).

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::bytes::{letters, scripts};
use crate::find::end::run::{self, AMPERSAND, AT, CLOSER, OPENER, PLAIN, QUOTE, RunState, STOP};
use crate::find::end::unwritten;
use crate::find::start;
use crate::find::text::view::View;
use crate::find::text::{words, written};

/// The classes of the ASCII bytes that a host and a port may hold (B-AUTH). All other bytes are 0.
pub(super) static HOST: [u8; 256] = {
    let mut class = [0; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => LETTER,
            b'-' | b'.' | b'_' | b'~' => MARK,
            b'%' => ESCAPE,
            b':' => PORT,
            _ => 0,
        };
        b += 1;
    }
    class
};
/// The ASCII bytes that a userinfo may hold, with classes of `run` (B-AUTH). There are no lists in
/// a userinfo, so `,` and `;` are `PLAIN`. All other bytes are `STOP`.
static USERINFO: [u8; 256] = {
    let mut class = [STOP; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'(' => OPENER,
            b')' => CLOSER,
            b'@' => AT,
            b'\'' => QUOTE,
            b'&' => AMPERSAND,
            b'!' | b'$' | b'*' | b'+' | b',' | b';' | b'=' => PLAIN,
            _ if HOST[b] != 0 => PLAIN,
            _ => STOP,
        };
        b += 1;
    }
    class
};

pub(super) const LETTER: u8 = 1;
const MARK: u8 = 2;
pub(super) const ESCAPE: u8 = 4;
const PORT: u8 = 8;

/// Returns whether an authority may follow `//` (B-START-2).
pub(super) fn begins_authority(view: &View<'_>, body: usize, file: bool) -> bool {
    let first = match view.byte(body) {
        None => false,
        Some(b'$' | b'{') => variable_end(view, body).is_some(),
        Some(b'[' | b'%' | b'@' | b'_' | b':' | b'*') => true, // B-HOST refuses authorities without a host
        Some(b'/') => file,
        Some(b) if b.is_ascii() => b.is_ascii_alphanumeric(),
        Some(_) => view.decode(body).is_some_and(|(c, _)| letters::is_letter(c) || letters::is_symbol(c)),
    };
    first && !view.has_k(body, b"://")
}

/// Returns the start of the host after the userinfo that continues at `at`. Returns `None` without
/// an `@`. Updates `state` with the bytes before the host.
pub(super) fn after_userinfo(view: &View<'_>, mut at: usize, limit: usize, state: &mut RunState) -> Option<usize> {
    let text = view.text();
    let mut host = None;
    let mut ahead = *state;
    loop {
        at += text[at..limit].iter().take_while(|&&b| USERINFO[b as usize] == PLAIN).count();
        if at == limit {
            view.upto(at + 1);
            break;
        }
        match USERINFO[text[at] as usize] {
            AT if view.byte(at + 1) == Some(b'{') => break,
            AT => {
                host = Some(at + 1);
                *state = ahead;
            }
            QUOTE if !ahead.is_in_quotes() => {}
            AMPERSAND if !run::begins_markup(view, at) => {}
            OPENER | CLOSER if ahead.admits(text[at]) => {}
            _ => {
                let letter = || view.decode(at).filter(|&(c, _)| start::is_of_spaced_word(c));
                let end = variable_end(view, at).or_else(|| letter().map(|(_, len)| at + len));
                let Some(end) = end.filter(|&end| end <= limit) else { break };
                at = end;
                continue;
            }
        }
        at += 1;
    }
    host
}

/// Returns the end of the variable at `at`: `${NAME}`, `{name}` or `{{name}}` (B-AUTH).
fn variable_end(view: &View<'_>, at: usize) -> Option<usize> {
    /// The maximum length of a name.
    const LONGEST: usize = 64;
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let opener = at + usize::from(view.byte(at) == Some(b'$'));
    let name = view.stretch(opener, opener + 2, |byte| byte == b'{');
    let end = view.stretch(name, name + LONGEST, is_of_name);
    if name == opener || end == name || !view[name].is_ascii_alphabetic() && view[name] != b'_' {
        return None;
    }
    let close = view.stretch(end, end + (name - opener), |byte| byte == b'}');
    (close - end == name - opener).then_some(close)
}

/// Returns the end of the IP literal at `at`, including its brackets (RFC 3986 section 3.2.2). It
/// may have a zone (RFC 6874).
pub(super) fn ip_literal(view: &View<'_>, at: usize) -> Option<usize> {
    // The longest IPv6 address has 45 characters. No IPvFuture above this limit was ever seen.
    const LONGEST: usize = 64;
    let close = view.find(at + 1, at + LONGEST, |inner| inner.iter().position(|&b| b == b']'))?;
    let address = str::from_utf8(&view[at + 1..close]).ok()?;
    let (ip, zone) = address.split_once('%').map_or((address, None), |(ip, zone)| (ip, Some(zone)));
    let is_ip = ip.parse::<Ipv6Addr>().is_ok() && zone.is_none_or(is_zone);
    (is_ip || is_ip_future(address.as_bytes())).then_some(close + 1)
}

/// Matches `ZoneID = 1*( unreserved / pct-encoded )`, after a `%` that may be escaped.
fn is_zone(zone: &str) -> bool {
    let zone = zone.strip_prefix("25").filter(|name| !name.is_empty()).unwrap_or(zone);
    !zone.is_empty() && zone.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%".contains(&b))
}

/// Matches `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
fn is_ip_future(address: &[u8]) -> bool {
    let Some((b'v' | b'V', rest)) = address.split_first() else { return false };
    let Some(dot) = rest.iter().position(|&b| b == b'.') else { return false };
    let (version, name) = (&rest[..dot], &rest[dot + 1..]);
    !version.is_empty()
        && version.iter().all(u8::is_ascii_hexdigit)
        && !name.is_empty()
        && name.iter().all(|&b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(&b))
}

/// The first character of a label. It decides how the label may continue (B-UNI-2).
#[derive(Clone, Copy, PartialEq)]
enum Label {
    /// No character of the label was read yet.
    Begins,
    /// An ASCII letter or digit.
    Ascii,
    /// Another ASCII byte, or an IP literal.
    Mark,
    /// A non-ASCII letter.
    Foreign,
    /// A symbol.
    Symbol,
}

/// Returns the end of the host and port (B-AUTH, B-UNI-2). `from` is the end of the IP literal, or
/// `host` if there is none.
pub(super) fn host_end(view: &View<'_>, from: usize, host: usize, limit: usize) -> usize {
    let text = view.text();
    let mut label = if from == host { Label::Begins } else { Label::Mark };
    let mut port = false;
    let mut at = from;
    while at < limit {
        let b = text[at];
        match HOST[b as usize] {
            0 if b.is_ascii() || port => break,
            0 => {
                let Some((c, len)) = view.decode(at) else { break };
                let is_letter = letters::is_letter(c);
                match label {
                    Label::Begins if letters::is_symbol(c) => label = Label::Symbol,
                    Label::Symbol if is_letter || letters::is_symbol(c) || letters::modifies_symbol(c) => {}
                    Label::Ascii if is_wide_dot(c) && completes_host(view, host..at, at + len, limit) => {
                        label = Label::Begins;
                    }
                    _ if !is_letter => break,
                    Label::Begins => label = Label::Foreign,
                    Label::Foreign => {}
                    _ if is_latin(c) => {}
                    // Each check reads the rest of the label, so the label's further letters are
                    // not checked again.
                    Label::Ascii
                        if is_look_alike_label(view, at, limit, memchr::memchr(b'.', &view[host..at]).is_some()) =>
                    {
                        label = Label::Foreign;
                    }
                    Label::Ascii if continues_name(view, host..at, limit) => label = Label::Foreign,
                    _ => break,
                }
                at += len;
                continue;
            }
            _ if b == b'.' => label = Label::Begins,
            class if label == Label::Begins => label = if class == LETTER { Label::Ascii } else { Label::Mark },
            _ => {}
        }
        port |= b == b':';
        at += 1;
    }
    view.upto(at + 1);
    at.min(limit)
}

/// Returns the end of the hosts that follow each other after commas, from the comma at `at` on
/// (B-HOSTS). Returns `at` if the items are not all hosts.
pub(super) fn more_hosts(view: &View<'_>, at: usize, limit: usize) -> usize {
    let mut end = at;
    while view.byte(end) == Some(b',') && end < limit {
        let host = end + 1;
        let name = ip_literal(view, host)
            .unwrap_or_else(|| view.stretch(host, limit, |b| b.is_ascii_alphanumeric() || b"-._".contains(&b)));
        let port = view.stretch(name, name + 1, |b| b == b':');
        let next = if port > name { view.stretch(port, limit, |b| b.is_ascii_digit()) } else { name };
        // `,`, and then a blank or a mark, ends a list in prose.
        if name == host {
            return if end == at || view.byte(host).is_some_and(|b| run::CLASS[b as usize] != STOP) { at } else { end };
        }
        if port > name && next == port || !view[host].is_ascii_alphanumeric() && view[host] != b'[' {
            return at;
        }
        end = next;
    }
    match view.byte(end) {
        None | Some(b'/' | b'?' | b'#' | b';' | b')' | b']' | b'\'' | 0x80..) => end,
        Some(b) if run::CLASS[b as usize] == STOP => end,
        _ => at,
    }
}

/// Returns whether a character is a non-ASCII Latin letter. Such letters may stand beside ASCII
/// letters.
fn is_latin(c: char) -> bool {
    ('\u{C0}'..='\u{24F}').contains(&c)
}

/// Returns whether a label that began with ASCII may continue at `at` with letters that look like
/// Latin letters (B-UNI-2). The rest of the label must hold no other non-ASCII letters. It must end
/// before a `.` and such a letter or an ASCII letter. The last label of several may end anywhere
/// else (`is_last`). Escapes in the rest are skipped, and may stand for the `.`.
fn is_look_alike_label(view: &View<'_>, mut at: usize, limit: usize, is_last: bool) -> bool {
    let looks_alike = |c: char| scripts::looks_like_latin(c) && letters::is_letter(c);
    let begins_label = |at| match view.byte(at) {
        Some(b) if b.is_ascii() => b.is_ascii_alphabetic(),
        _ => view.decode(at).is_some_and(|(c, _)| looks_alike(c)),
    };
    while let Some(b) = view.byte(at).filter(|_| at < limit) {
        if let Some((len, reads)) = written::character(view, at) {
            at += len;
            if reads == Some('.') {
                return begins_label(at);
            }
            continue;
        }
        at += match view.decode(at) {
            _ if b == b'.' => return begins_label(at + 1) || is_last && !continues_host(view, at + 1),
            _ if b == b':' => return is_last,
            Some((_, len)) if HOST[b as usize] != 0 => len,
            Some((c, len)) if looks_alike(c) => len,
            Some((c, _)) => return is_last && !letters::is_letter(c),
            None => return is_last,
        };
    }
    is_last
}

/// Returns whether a label may begin at `at`.
fn continues_host(view: &View<'_>, at: usize) -> bool {
    match view.byte(at) {
        Some(b) if b.is_ascii() => HOST[b as usize] & (LETTER | ESCAPE) != 0,
        Some(_) => view.decode(at).is_some_and(|(c, _)| letters::is_letter(c)),
        None => false,
    }
}

/// Returns whether IDNA reads a character as a dot.
fn is_wide_dot(c: char) -> bool {
    matches!(c, '。' | '．' | '｡')
}

/// Returns whether a dot of IDNA after `name` belongs to the host (B-UNI-2). `name` must not be a
/// whole host. ASCII labels must follow at `at`, and end in a top-level domain.
fn completes_host(view: &View<'_>, name: Range<usize>, mut at: usize, limit: usize) -> bool {
    /// The maximum length of the rest of a host.
    const LONGEST: usize = 256;
    let ascii = &view[name];
    if memchr::memchr(b'.', ascii).is_some() || ascii.eq_ignore_ascii_case(b"localhost") {
        return false;
    }
    let limit = limit.min(at + LONGEST);
    loop {
        let end = view.stretch(at, limit, |b| b.is_ascii_alphanumeric() || b == b'-');
        let label = &view[at.min(end)..end];
        let dot = view.decode(end).filter(|&(c, _)| c == '.' || is_wide_dot(c));
        match (label, dot, view.byte(end)) {
            ([], ..) => return false,
            (_, Some((_, len)), _) => at = end + len,
            (_, _, None | Some(b'/' | b':' | b' ' | b'\t' | b'\r' | b'\n')) => return words::is_top_level(label),
            _ => return false,
        }
    }
}

/// Returns whether a host continues with non-ASCII letters after `name`, its ASCII beginning
/// (B-UNI-2). These letters must lead to a `/`, or to a `.` and a letter. `name` must hold no dot,
/// and must not be `localhost`. Nobody wrote such a `name` as a whole host.
fn continues_name(view: &View<'_>, name: Range<usize>, limit: usize) -> bool {
    let ascii = &view[name.clone()];
    if memchr::memchr(b'.', ascii).is_some() || ascii.eq_ignore_ascii_case(b"localhost") {
        return false;
    }
    let mut at = name.end;
    while let Some(b) = view.byte(at).filter(|_| at < limit) {
        let letter = |at| view.decode(at).filter(|(c, _)| letters::is_letter(*c));
        if let Some((len, reads)) = written::character(view, at) {
            at += len;
            match reads {
                Some('/') => return true,
                Some('.') => return letter(at).is_some(),
                _ => continue,
            }
        }
        at += match b {
            b'/' => return true,
            b'.' => return letter(at + 1).is_some(),
            b'-' => 1,
            _ => match letter(at) {
                Some((_, len)) => len,
                None => return false,
            },
        };
    }
    false
}

/// Returns whether B-HOST accepts the host and port of a trimmed URL. `ip_end` is the length of the
/// host's IP literal.
pub(super) fn is_host(host: &[u8], ip_end: Option<usize>) -> bool {
    if let Some(ip_end) = ip_end {
        return matches!(host.get(ip_end), None | Some(b':')) && host.len() >= ip_end;
    }
    let Some(&first) = host.first() else { return false };
    let mut has_letters = false;
    for (i, &b) in host.iter().enumerate() {
        match b {
            // B-NOHOST
            b':' if matches!(host[i + 1..], [b'%', format, ..] if unwritten::is_format(format)) => return false,
            b':' => break,
            b'%' if !host.get(i + 1..i + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => return false,
            0x80.. => has_letters |= letters::decode(host, i).is_some_and(|(c, _)| letters::is_letter(c)),
            _ => has_letters |= b.is_ascii_alphanumeric(),
        }
    }
    has_letters && (first.is_ascii_alphanumeric() || matches!(first, b'%' | b'_') || !first.is_ascii())
}

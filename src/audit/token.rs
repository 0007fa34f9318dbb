//! Secrets in a URL other than the password of its userinfo (A-TOKEN), with their ranges for
//! masking.
//!
//! Such secrets stand after a `=`, `?` or `#`, before an authority's `@`, and in paths of some
//! services. They are found in a URL, in a URL within it, and in running text. A text is scanned as
//! written, and with its escapes decoded once and twice.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::known::keys::{HOOKS, KEYS, NAMES, SecretName};
use crate::url::escape;

/// The number of times that escapes are decoded. A URL within a URL needs one decoding, and a
/// gateway around both needs a second.
const LAYERS: usize = 2;
/// The fewest letters and digits with which the value of a name looks like a secret.
const LEAST: usize = 16;
/// The most line breaks that may cut a secret.
const MOST_BREAKS: usize = 8;

/// A secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) at: Range<usize>,
    kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TokenKind {
    /// A JSON Web Token.
    Jwt,
    /// A key of a service.
    Key(&'static str),
    /// The value of a name, and whether it looks like a secret.
    Value(&'static str, bool),
    /// The rest of a path at a service.
    Hook(&'static str),
}

impl Token {
    /// Returns a description for people.
    pub(super) fn message(&self) -> String {
        match self.kind {
            TokenKind::Jwt => "a JSON Web Token is in the text".to_owned(),
            TokenKind::Key(service) => format!("a key of {service} is in the text"),
            TokenKind::Value(name, _) => format!("the value of `{name}` looks like a secret"),
            TokenKind::Hook(service) => format!("the path is a secret of {service}"),
        }
    }

    /// Returns whether only the name of the value marks it as a secret.
    pub(super) fn is_value(&self) -> bool {
        matches!(self.kind, TokenKind::Value(..))
    }

    /// Returns whether the secret is reported, and not only masked.
    ///
    /// A secret is reported in the search or fragment, which begins at `search`, and in the userinfo.
    /// The path of a hook is always reported. A value that does not look like a secret is only masked.
    pub(super) fn is_reported(&self, url: &[u8], search: Option<usize>) -> bool {
        match self.kind {
            TokenKind::Hook(_) => true,
            TokenKind::Value(_, false) => false,
            _ => search.is_some_and(|search| self.at.start > search) || url[..self.at.start].ends_with(b"://"),
        }
    }
}

/// Returns the offset of the search or fragment. The search may belong to an inner URL, whose `?`
/// or `#` is escaped.
///
/// Secrets in a path are masked and not reported.
pub(super) fn search_start(url: &[u8]) -> Option<usize> {
    let begins = |&at: &usize| {
        let mut octet = match url[at..].strip_prefix(b"%") {
            None => return true,
            Some(octet) => octet,
        };
        // Each further layer of escaping writes `%25` for the `%`.
        for _ in 1..LAYERS {
            octet = octet.strip_prefix(b"25").unwrap_or(octet);
        }
        [b"3F", b"3f", b"23"].iter().any(|mark| octet.starts_with(*mark))
    };
    memchr::memchr3_iter(b'?', b'#', b'%', url).find(begins)
}

/// Returns the secrets in a URL or a text, in order and without overlap.
///
/// # Complexity
///
/// Linear.
pub(super) fn tokens(text: &[u8]) -> Vec<Token> {
    let mut found = Vec::new();
    each_layer(text, |layer, place| {
        scan(layer, |Token { at, kind }| found.push(Token { at: place(at.start)..place(at.end), kind }));
    });
    found.sort_by_key(|token| (token.at.start, token.at.end));
    found.dedup_by(|next, token| {
        let overlaps = next.at.start <= token.at.end;
        if overlaps {
            token.at.end = token.at.end.max(next.at.end);
        }
        overlaps
    });
    found
}

/// Calls `give` with a text as written, and with its escapes decoded once and twice. The first
/// argument of `give` is such a layer. The second maps an offset in the layer to an offset in the
/// text.
pub(super) fn each_layer(text: &[u8], mut give: impl FnMut(&[u8], &dyn Fn(usize) -> usize)) {
    give(text, &|at| at);
    let mut layer: Cow<'_, [u8]> = Cow::Borrowed(text);
    let mut offsets: Option<Vec<usize>> = None;
    for _ in 0..LAYERS {
        if memchr::memchr(b'%', &layer).is_none() {
            break;
        }
        let (decoded, of_layer) = decoded(&layer);
        // A `%` that begins no escape leaves nothing to decode.
        if decoded.len() == layer.len() {
            break;
        }
        let of_text: Vec<usize> = match &offsets {
            None => of_layer,
            Some(before) => of_layer.into_iter().map(|at| before[at]).collect(),
        };
        give(&decoded, &|at| of_text[at]);
        (layer, offsets) = (Cow::Owned(decoded), Some(of_text));
    }
}

/// Decodes a text. Returns the octets, the offset of each, and the offset of the end.
fn decoded(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let (mut decoded, mut offsets) = (Vec::new(), Vec::new());
    let mut octets = escape::octets(text);
    loop {
        offsets.push(octets.offset());
        match octets.next() {
            Some(octet) => decoded.push(octet),
            None => return (decoded, offsets),
        }
    }
}

/// Returns the offset of the first `://`. A searcher for three bytes would be built again for each
/// URL, and that costs more than the search.
pub(super) fn find_authority(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b':', text).find(|&at| text[at..].starts_with(b"://"))
}

/// Calls `found` for each secret in a text as written.
fn scan(text: &[u8], mut found: impl FnMut(Token)) {
    let mut masked = 0;
    for mark in memchr::memchr3_iter(b'=', b'?', b'#', text) {
        let start = mark + 1;
        // An `=` within a value that is already masked begins no other value.
        let name = if text[mark] == b'=' && mark >= masked { secret_name(&text[..mark]) } else { None };
        let rest = &text[start..];
        if name.is_none() && !is_shaped(rest) {
            continue;
        }
        let (end, value) = run(text, start);
        let (kind, end) = match (service_of(&value), name) {
            _ if is_jwt(&value) => (TokenKind::Jwt, end),
            (Some(service), _) => (TokenKind::Key(service), end),
            (None, Some(name)) if name.is_always => {
                // A value that is always masked may hold bytes that end a run, such as `@`, `=` and
                // `?`.
                let is_of_path = text[..mark - name.name.len()].ends_with(b";");
                let ends = |byte| ends_word(byte) || b"&#;".contains(&byte) || is_of_path && b"/?".contains(&byte);
                let length = rest.iter().take_while(|&&byte| !ends(byte)).count();
                // A value in the path ends at a slash, at which `run` does not stop.
                masked = if is_of_path { start + length } else { end.max(start + length) };
                (TokenKind::Value(name.name, is_mixed(&value)), masked)
            }
            (None, Some(name)) if is_mixed(&value) => (TokenKind::Value(name.name, true), end),
            _ => continue,
        };
        if end > start {
            found(Token { at: start..end, kind });
        }
    }
    let mut from = 0;
    while let Some(authority) = find_authority(&text[from..]).map(|at| from + at + 3) {
        let token = hook(text, authority).or_else(|| key_of_user(text, authority));
        from = token.as_ref().map_or(authority, |token| token.at.end);
        token.into_iter().for_each(&mut found);
    }
}

/// Returns whether URLs at a host may be secrets.
pub(super) fn may_be_hook(host: Option<&[u8]>) -> bool {
    host.is_some_and(|host| HOOKS.iter().any(|hook| is_of(host, hook.host)))
}

/// Returns whether a host equals `name`, or is below it.
fn is_of(host: &[u8], name: &str) -> bool {
    let (before, last) = host.split_at_checked(host.len().wrapping_sub(name.len())).unwrap_or_default();
    last.eq_ignore_ascii_case(name.as_bytes()) && (before.is_empty() || before.ends_with(b"."))
}

/// Returns the secret in the path of a service's URL.
fn hook(text: &[u8], authority: usize) -> Option<Token> {
    /// No host of the table is longer, even with two labels before it.
    const LONGEST: usize = 80;
    let rest = &text[authority..];
    let path = rest.iter().take(LONGEST).position(|&byte| byte == b'/')?;
    let (host, path) = rest.split_at(path);
    let hook = HOOKS.iter().find(|hook| path.starts_with(hook.path.as_bytes()) && is_of(host, hook.host))?;
    let start = authority + host.len() + hook.path.len();
    let end = start + text[start..].iter().take_while(|&&byte| is_value(byte)).count();
    (end > start).then_some(Token { at: start..end, kind: TokenKind::Hook(hook.service) })
}

/// Returns the key of a service in the place of a user name, as in `https://ghp_…@github.com`.
fn key_of_user(text: &[u8], authority: usize) -> Option<Token> {
    let rest = &text[authority..];
    if !is_shaped(rest) {
        return None;
    }
    let length = rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte)).count();
    let user = &rest[..length];
    let kind = if is_jwt(user) { TokenKind::Jwt } else { TokenKind::Key(service_of(user)?) };
    (rest.get(length) == Some(&b'@')).then_some(Token { at: authority..authority + length, kind })
}

/// Returns whether a text begins like a key or a JSON Web Token.
fn is_shaped(text: &[u8]) -> bool {
    text.first().is_some_and(|&first| BEGINS_SECRET[first as usize])
        && (text.starts_with(b"eyJ") || KEYS.iter().any(|key| text.starts_with(key.prefix.as_bytes())))
}

/// Matches white space, controls, and the characters that enclose URLs in text.
pub(super) fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_control() || b"<>\"".contains(&byte)
}

/// The first bytes of the [keys](KEYS) and of a JSON Web Token.
///
/// A URL may consist of marks, and comparing all keys costs 1,500 instructions per mark.
static BEGINS_SECRET: [bool; 256] = {
    let mut begins = [false; 256];
    begins[b'e' as usize] = true;
    let mut i = 0;
    while i < KEYS.len() {
        begins[KEYS[i].prefix.as_bytes()[0] as usize] = true;
        i += 1;
    }
    begins
};

/// Returns the name at the end of a text, if its value is a secret.
fn secret_name(before: &[u8]) -> Option<&'static SecretName> {
    const LONGEST: usize = {
        let (mut longest, mut i) = (0, 0);
        while i < NAMES.len() {
            longest = if NAMES[i].name.len() > longest { NAMES[i].name.len() } else { longest };
            i += 1;
        }
        longest
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    // One byte more than the longest name shows that a name is longer.
    let length = before.iter().rev().take(LONGEST + 1).take_while(|byte| is_name(byte)).count();
    let name = &before[before.len() - length..];
    NAMES.iter().find(|known| name.eq_ignore_ascii_case(known.name.as_bytes()))
}

/// Returns the end of a value, and the value decoded.
///
/// The value continues over line breaks while the text looks like more of it. Marks of replies and
/// comments after a break are skipped.
fn run(text: &[u8], start: usize) -> (usize, Vec<u8>) {
    let take = |at: usize| at + text[at..].iter().take_while(|&&byte| is_value(byte)).count();
    let mut end = take(start);
    let mut value = text[start..end].to_vec();
    for _ in 0..MOST_BREAKS {
        let skip = |at: usize, bytes: &[u8]| at + text[at..].iter().take_while(|byte| bytes.contains(byte)).count();
        let line = skip(end, b" \t");
        let line = match text.get(line..).unwrap_or_default() {
            [b'\r', b'\n', ..] => line + 2,
            [b'\r' | b'\n', ..] => line + 1,
            _ => break,
        };
        let word = skip(line, b" \t>|*;");
        let next = take(word);
        let more = &text[word..next];
        // Another URL does not continue the value, and would make it look like a secret.
        let looks_alike = more.iter().any(u8::is_ascii_digit) && more.iter().any(u8::is_ascii_alphabetic);
        if !looks_alike || holds_url(&escape::decode(more)) {
            break;
        }
        value.extend_from_slice(more);
        end = next;
    }
    // The value may end with the padding of base64.
    let padding = text[end..].iter().take(2).take_while(|&&byte| byte == b'=').count();
    (end + padding, escape::decode(&value).into_owned().into())
}

/// Returns whether a byte may belong to a secret.
///
/// The bytes that begin a secret (`=`, `?`, `#`) may not, so no byte is scanned twice.
fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/%!*$|:,".contains(&byte)
}

/// Returns whether a value is a JSON Web Token: header, payload and signature. Header and payload
/// are JSON objects, so their base64 begins with `eyJ`.
fn is_jwt(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'.');
    let is_object = |part: Option<&[u8]>| part.is_some_and(|part| part.len() > 3 && part.starts_with(b"eyJ"));
    is_object(parts.next()) && is_object(parts.next()) && parts.next().is_some()
}

fn service_of(value: &[u8]) -> Option<&'static str> {
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let fits = |rest: &[u8], least: usize| rest.iter().take_while(|byte| is_key(byte)).count() >= least;
    let key =
        KEYS.iter().find(|key| value.strip_prefix(key.prefix.as_bytes()).is_some_and(|rest| fits(rest, key.least)))?;
    Some(key.service)
}

/// Returns whether a value mixes letters and digits, has enough of them, and holds no URL.
fn is_mixed(value: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| value.iter().filter(|byte| is(byte)).count();
    let (letters, digits) = (count(u8::is_ascii_alphabetic), count(u8::is_ascii_digit));
    letters > 0 && digits > 0 && letters + digits >= LEAST && !holds_url(value)
}

fn holds_url(value: &[u8]) -> bool {
    memmem::find(value, b"://").is_some()
}

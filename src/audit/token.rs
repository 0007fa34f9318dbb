//! Secrets in a URL that are no password of its userinfo (A-TOKEN): where they lie, so that reports can mask them.
//!
//! They stand after a `=`, `?` or `#`, before the `@` of an authority, and in the paths of some services: in a URL, in one
//! that it holds, and in running text, as they are written and with their escapes decoded, once and twice.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::known::keys::{HOOKS, KEYS, NAMES, SecretName};
use crate::url::escape;

/// Escapes are decoded so many times: a URL in a URL, and that in a gateway's.
const LAYERS: usize = 2;
/// The letters and digits that the value of a name must have.
const LEAST: usize = 16;
/// So many line breaks may cut a secret.
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
    /// The rest of a path of a service.
    Hook(&'static str),
}

impl Token {
    /// What it is, for people.
    pub(super) fn message(&self) -> String {
        match self.kind {
            TokenKind::Jwt => "a JSON Web Token stands in the text".to_owned(),
            TokenKind::Key(service) => format!("a key of {service} stands in the text"),
            TokenKind::Value(name, _) => format!("the value of `{name}` looks like a secret"),
            TokenKind::Hook(service) => format!("the path is a secret of {service}"),
        }
    }

    /// Returns whether it is known by the name of a value alone.
    pub(super) fn is_value(&self) -> bool {
        matches!(self.kind, TokenKind::Value(..))
    }

    /// Returns whether it is reported: in the search or fragment, which begins at `search`, in userinfo, or as an address
    /// that is a secret. Others are masked alone.
    pub(super) fn is_reported(&self, url: &[u8], search: Option<usize>) -> bool {
        match self.kind {
            TokenKind::Hook(_) => true,
            TokenKind::Value(_, false) => false,
            _ => search.is_some_and(|search| self.at.start > search) || url[..self.at.start].ends_with(b"://"),
        }
    }
}

/// Where a search or fragment begins, also one of a URL within, whose `?` may be escaped. What stands in a path is masked and
/// not reported.
pub(super) fn search_start(url: &[u8]) -> Option<usize> {
    let begins = |&at: &usize| {
        let mut octet = match url[at..].strip_prefix(b"%") {
            None => return true,
            Some(octet) => octet,
        };
        for _ in 1..LAYERS {
            octet = octet.strip_prefix(b"25").unwrap_or(octet);
        }
        [b"3F", b"3f", b"23"].iter().any(|mark| octet.starts_with(*mark))
    };
    memchr::memchr3_iter(b'?', b'#', b'%', url).find(begins)
}

/// The secrets in a URL or a text, in order; none overlaps another.
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

/// Gives a text as it is written and with its escapes decoded, once and twice, and where an offset lies in the text.
pub(super) fn each_layer(text: &[u8], mut give: impl FnMut(&[u8], &dyn Fn(usize) -> usize)) {
    give(text, &|at| at);
    let mut layer: Cow<'_, [u8]> = Cow::Borrowed(text);
    let mut offsets: Option<Vec<usize>> = None;
    for _ in 0..LAYERS {
        if memchr::memchr(b'%', &layer).is_none() {
            break;
        }
        let (decoded, of_layer) = decoded(&layer);
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

/// A text without its escapes, and where each octet of it begins, and its end.
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

/// The secrets in a text as it is written.
fn scan(text: &[u8], mut found: impl FnMut(Token)) {
    let mut masked = 0;
    for mark in memchr::memchr3_iter(b'=', b'?', b'#', text) {
        let start = mark + 1;
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
                let is_of_path = text[..mark - name.name.len()].ends_with(b";");
                let ends = |byte| ends_word(byte) || b"&#;".contains(&byte) || is_of_path && b"/?".contains(&byte);
                let length = rest.iter().take_while(|&&byte| !ends(byte)).count();
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
    while let Some(authority) = memmem::find(&text[from..], b"://").map(|at| from + at + 3) {
        let token = hook(text, authority).or_else(|| key_of_user(text, authority));
        from = token.as_ref().map_or(authority, |token| token.at.end);
        token.into_iter().for_each(&mut found);
    }
}

/// Returns whether addresses of a host may be secrets.
pub(super) fn may_be_hook(host: Option<&[u8]>) -> bool {
    host.is_some_and(|host| HOOKS.iter().any(|hook| is_of(host, hook.host)))
}

/// Returns whether a host is one by a name, or below it.
fn is_of(host: &[u8], name: &str) -> bool {
    let (before, last) = host.split_at_checked(host.len().wrapping_sub(name.len())).unwrap_or_default();
    last.eq_ignore_ascii_case(name.as_bytes()) && (before.is_empty() || before.ends_with(b"."))
}

/// Returns the secret path of a service's address.
fn hook(text: &[u8], authority: usize) -> Option<Token> {
    /// No host of the table is longer, with two labels before it.
    const LONGEST: usize = 80;
    let rest = &text[authority..];
    let path = rest.iter().take(LONGEST).position(|&byte| byte == b'/')?;
    let (host, path) = rest.split_at(path);
    let hook = HOOKS.iter().find(|hook| path.starts_with(hook.path.as_bytes()) && is_of(host, hook.host))?;
    let start = authority + host.len() + hook.path.len();
    let end = start + text[start..].iter().take_while(|&&byte| is_value(byte)).count();
    (end > start).then_some(Token { at: start..end, kind: TokenKind::Hook(hook.service) })
}

/// Returns the key of a service that stands as a user, as in `https://ghp_…@github.com`.
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

/// Returns whether a text begins as a key or a JSON Web Token does.
fn is_shaped(text: &[u8]) -> bool {
    text.first().is_some_and(|&first| BEGINS_SECRET[first as usize])
        && (text.starts_with(b"eyJ") || KEYS.iter().any(|key| text.starts_with(key.prefix.as_bytes())))
}

/// Matches white space, and what encloses URLs in text.
pub(super) fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_control() || b"<>\"".contains(&byte)
}

/// What a [key](KEYS) or a JSON Web Token begins with. A URL may be made of marks, and to look for each key behind each of them
/// takes 1,500 instructions.
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

/// The name at the end of a text, if its value is a secret.
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
    let length = before.iter().rev().take(LONGEST + 1).take_while(|byte| is_name(byte)).count();
    let name = &before[before.len() - length..];
    NAMES.iter().find(|known| name.eq_ignore_ascii_case(known.name.as_bytes()))
}

/// Where a value ends, and the value, decoded; over line breaks, with the marks of replies and comments after them, as long as
/// what follows looks like more of it.
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
        // Another URL is no more of it, and would make it look like one.
        let looks_alike = more.iter().any(u8::is_ascii_digit) && more.iter().any(u8::is_ascii_alphabetic);
        if !looks_alike || holds_url(&escape::decode(more)) {
            break;
        }
        value.extend_from_slice(more);
        end = next;
    }
    // The padding of base64.
    let padding = text[end..].iter().take(2).take_while(|&&byte| byte == b'=').count();
    (end + padding, escape::decode(&value).into_owned().into())
}

/// What a secret is written with. None of what begins one (`=`, `?`, `#`) is among it, so no byte is looked at twice.
fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/%!*$|:,".contains(&byte)
}

/// Header and payload are JSON objects in base64, which begin `eyJ`; then a signature.
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

/// Letters and digits, enough of them, and no URL.
fn is_mixed(value: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| value.iter().filter(|byte| is(byte)).count();
    let (letters, digits) = (count(u8::is_ascii_alphabetic), count(u8::is_ascii_digit));
    letters > 0 && digits > 0 && letters + digits >= LEAST && !holds_url(value)
}

fn holds_url(value: &[u8]) -> bool {
    memmem::find(value, b"://").is_some()
}

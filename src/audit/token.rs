//! Secrets in a URL other than the password of its userinfo (A-TOKEN), with their ranges for
//! masking.
//!
//! Such secrets stand after a `=`, `?` or `#`, and before an authority's `@`. They are also words
//! of a text, segments of a path, and paths of some services. They are found in a URL, in a URL
//! within it, and in running text, in every [layer](super::layers).

use std::ops::Range;

use memchr::memmem;

use super::known::hosts::is_below;
use super::known::keys::{HOOKS, KEYS, KeyPrefix};
use super::layers::{LAYERS, each_layer};
use super::quote::quoted;
use super::secret_name::{self, NameShape};
use crate::url::escape;

/// The fewest letters and digits with which the value of a name looks like a secret.
const LEAST: usize = 16;
/// The fewest different bytes of a value that looks like a secret.
const LEAST_DIFFERENT: usize = 8;
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
    /// The value of this name, and whether it looks like a secret.
    Value(String, bool),
    /// The rest of a path at a service.
    Hook(&'static str),
    /// A user name that looks like a secret.
    User,
}

impl Token {
    /// Returns a description for people.
    pub(super) fn message(&self) -> String {
        match &self.kind {
            TokenKind::Jwt => "a JSON Web Token is in the text".to_owned(),
            TokenKind::Key(service) => format!("a key of {service} is in the text"),
            TokenKind::Value(name, _) => format!("the value of `{name}` looks like a secret"),
            TokenKind::Hook(service) => format!("the path is a secret of {service}"),
            TokenKind::User => "the user name looks like a secret".to_owned(),
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
            TokenKind::Value(_, false) | TokenKind::User => false,
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

/// Calls `found` for each secret in a text as written.
pub(super) fn scan(text: &[u8], mut found: impl FnMut(Token)) {
    let mut masked = 0;
    let mut grants = GrantWord::default();
    let mut from = 0;
    let begins = |(at, &mark): (usize, &u8)| BEGINS[usize::from(mark)].then_some((at + 1, mark));
    // A secret may begin at the start of the text, as after a blank.
    std::iter::once((0, b' ')).chain(text.iter().enumerate().filter_map(begins)).for_each(|(start, mark)| {
        // An `=` within a value that is already masked begins no other value.
        let is_named = mark == b'=' && start > masked;
        let name = if is_named { named(text, start - 1, &mut grants) } else { None };
        if (name.is_some() || is_shaped(&text[start..]))
            && let Some((kind, end)) = value(text, start, name)
        {
            if let TokenKind::Value(..) = kind {
                masked = end;
            }
            if end > start {
                found(Token { at: start..end, kind });
            }
        }
        if mark == b'/' && start >= from && begins_authority(text, start) {
            let tokens = [hook(text, start), user(text, start)];
            from = tokens.iter().flatten().map(|token| token.at.end).fold(from, usize::max);
            tokens.into_iter().flatten().for_each(&mut found);
        }
    });
}

/// The bytes after which a value of a search may begin.
const MARKS: &[u8] = b"=?#";

/// The bytes after which a secret may begin.
static BEGINS: [bool; 256] = {
    let bytes = b"=?#/ \t\r\n\"'`(<>[{|:,;&";
    let mut begins = [false; 256];
    let mut i = 0;
    while i < bytes.len() {
        begins[bytes[i] as usize] = true;
        i += 1;
    }
    begins
};

/// Returns whether an authority may begin at an offset. A `//` stands before it, and follows a
/// scheme or begins an attribute's value.
pub(super) fn begins_authority(text: &[u8], start: usize) -> bool {
    match text[..start] {
        [.., before, b'/', b'/'] => matches!(before, b':' | b'"' | b'\'' | b'=' | b'(' | b'`'),
        [b'/', b'/'] => true,
        _ => false,
    }
}

/// Returns the name before an `=`, if its value may be a secret.
fn named<'t>(text: &'t [u8], mark: usize, grants: &mut GrantWord) -> Option<(&'t [u8], NameShape)> {
    let name = &text[mark - secret_name::length(&text[..mark])..mark];
    match secret_name::shape(name)? {
        NameShape::Code if !grants.holds(text, mark) => None,
        shape => Some((name, shape)),
    }
}

/// The last word of a text that was searched for the signs of a `code` that grants access.
#[derive(Default)]
struct GrantWord {
    end: usize,
    grants: bool,
}

impl GrantWord {
    /// Returns whether the word around an offset has another parameter of OAuth, or is a URL of
    /// Azure Functions. Offsets must ascend, so that each word is searched once.
    fn holds(&mut self, text: &[u8], at: usize) -> bool {
        const SIGNS: [&[u8]; 4] = [b"state=", b"client_id=", b"redirect_uri=", b".azurewebsites.net"];
        if at >= self.end {
            let start = text[self.end..at].iter().rposition(|&byte| ends_word(byte));
            let start = self.end + start.unwrap_or(0);
            self.end = at + text[at..].iter().position(|&byte| ends_word(byte)).unwrap_or(text.len() - at);
            self.grants = SIGNS.iter().any(|sign| memmem::find(&text[start..self.end], sign).is_some());
        }
        self.grants
    }
}

/// Returns the secret that begins at an offset, and its end. `name` is the name before it.
fn value(text: &[u8], start: usize, name: Option<(&[u8], NameShape)>) -> Option<(TokenKind, usize)> {
    let is_word = !text[..start].last().is_some_and(|mark| MARKS.contains(mark));
    let (end, value) = run(text, start, is_word);
    if is_jwt(&value) {
        return Some((TokenKind::Jwt, end));
    }
    if let Some(key) = key_of(&value).filter(|key| !is_word || !key.is_wordlike || is_random(&value)) {
        return Some((TokenKind::Key(key.service), end));
    }
    let (name, shape) = name?;
    let kind = |looks_secret| TokenKind::Value(quoted(name).into_owned(), looks_secret);
    match shape {
        NameShape::Always | NameShape::Code => {
            let is_of_path = text[..start - 1 - name.len()].ends_with(b";");
            let length = always(&text[start..], is_of_path);
            // A value in the path ends at a slash, at which `run` does not stop.
            let end = if is_of_path { start + length } else { end.max(start + length) };
            Some((kind(is_mixed(&value)), end))
        }
        NameShape::Maybe => looks_secret(&value).then(|| (kind(is_mixed(&value)), end)),
    }
}

/// Returns the length of a value that is always masked. Such a value may hold bytes that end a run,
/// such as `@`, `=` and `?`.
fn always(rest: &[u8], is_of_path: bool) -> usize {
    let ends = |&at: &usize| {
        let byte = rest[at];
        b"&#;".contains(&byte) || is_of_path && b"/?".contains(&byte) || ends_word(byte) && !continues(rest, at)
    };
    (0..rest.len()).find(ends).unwrap_or(rest.len())
}

/// Returns whether a value continues after a `"` or `<`, which enclose most values. Letters or
/// digits must follow it, and no tag.
pub(super) fn continues(text: &[u8], at: usize) -> bool {
    /// No name of an element of HTML is longer.
    const LONGEST_TAG: usize = 10;
    let rest = &text[at + 1..];
    let length = rest.iter().take(LONGEST_TAG + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match text[at] {
        b'"' => length > 0,
        b'<' => length > LONGEST_TAG || length > 0 && rest.get(length).is_some_and(|byte| !b" \t\r\n/>".contains(byte)),
        _ => false,
    }
}

/// Returns whether URLs at a host may be secrets.
pub(super) fn may_be_hook(host: Option<&[u8]>) -> bool {
    let host = host.map(|host| host.strip_suffix(b".").unwrap_or(host));
    host.is_some_and(|host| HOOKS.iter().any(|hook| is_below(host, hook.host)))
}

/// Returns the secret in the path of a service's URL. The authority may have a user, a port and a
/// final dot. The path may have empty segments, and segments before the service's own.
fn hook(text: &[u8], authority: usize) -> Option<Token> {
    /// No authority with a host of the table is read beyond this length.
    const LONGEST: usize = 256;
    let rest = &text[authority..];
    let path = rest.iter().take(LONGEST).position(|&byte| is_slash(byte) || ends_word(byte))?;
    // Every hook has a path.
    rest.get(path).filter(|&&byte| is_slash(byte))?;
    let site = rest[..path].rsplit(|&byte| byte == b'@').next()?;
    let host = site.split(|&byte| byte == b':').next()?;
    let host = host.strip_suffix(b".").unwrap_or(host);
    host.last().filter(|&&last| ENDS_HOOK[last as usize])?;
    let mut hooks = HOOKS.iter().filter(|hook| is_below(host, hook.host)).peekable();
    hooks.peek()?;
    let (hook, start) = hooks.find_map(|hook| Some((hook, behind(&rest[path..], hook.path.as_bytes())?)))?;
    let start = authority + path + start;
    let end = start + text[start..].iter().take_while(|&&byte| is_value(byte)).count();
    (end > start).then_some(Token { at: start..end, kind: TokenKind::Hook(hook.service) })
}

/// The last bytes of the hosts of the [services](HOOKS).
static ENDS_HOOK: [bool; 256] = {
    let mut ends = [false; 256];
    let mut i = 0;
    while i < HOOKS.len() {
        let host = HOOKS[i].host.as_bytes();
        ends[host[host.len() - 1] as usize] = true;
        ends[host[host.len() - 1].to_ascii_uppercase() as usize] = true;
        i += 1;
    }
    ends
};

/// Returns the offset behind the first place in a path where the segments of `wanted` follow one
/// another. Empty segments and `.` between them are skipped. The last segment may be the beginning
/// of one.
fn behind(path: &[u8], wanted: &[u8]) -> Option<usize> {
    /// The most segments of a path that are compared. So no byte is compared more often.
    const MOST: usize = 16;
    let mut at = 0;
    for _ in 0..MOST {
        at = next_segment(path, at)?;
        if let Some(end) = follows(path, at, wanted) {
            return Some(end);
        }
        at += path[at..].iter().position(|&byte| is_slash(byte) || ends_word(byte) || b"?#".contains(&byte))?;
    }
    None
}

/// Returns the start of the segment after the slashes at an offset. A segment is neither empty nor
/// `.`. Returns `None` if there are no slashes.
fn next_segment(path: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while path.get(at).is_some_and(|&byte| is_slash(byte)) {
        at += 1;
        if path.get(at) == Some(&b'.') && path.get(at + 1).is_some_and(|&byte| is_slash(byte)) {
            at += 1;
        }
    }
    (start < at && at < path.len()).then_some(at)
}

/// Returns the end of the segments of `wanted` at an offset of a path.
fn follows(path: &[u8], mut at: usize, wanted: &[u8]) -> Option<usize> {
    let mut segments = wanted[1..].split(|&byte| byte == b'/').peekable();
    while let Some(segment) = segments.next() {
        at += path[at..].starts_with(segment).then_some(segment.len())?;
        if segments.peek().is_some() {
            at = next_segment(path, at)?;
        }
    }
    Some(at)
}

/// Returns whether browsers read a byte as a slash.
fn is_slash(byte: u8) -> bool {
    byte == b'/' || byte == b'\\'
}

/// Returns a secret in the place of a user name, as in `https://ghp_…@github.com`.
fn user(text: &[u8], authority: usize) -> Option<Token> {
    /// The longest userinfo that is read, apart from keys.
    const LONGEST: usize = 256;
    let rest = &text[authority..];
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b':');
    let most = if is_shaped(rest) { usize::MAX } else { LONGEST };
    let length = rest.iter().take(most).take_while(|&&byte| is_user(byte)).count();
    let whole = &rest[..length];
    rest.get(length).filter(|&&byte| byte == b'@')?;
    if is_jwt(whole) {
        return Some(Token { at: authority..authority + length, kind: TokenKind::Jwt });
    }
    if let Some(key) = key_of(whole) {
        return Some(Token { at: authority..authority + length, kind: TokenKind::Key(key.service) });
    }
    // GitHub's documentation puts a token before a password that is always the same.
    let name = whole.split(|&byte| byte == b':').next().filter(|name| !name.is_empty())?;
    let is_secret = whole.ends_with(b":x-oauth-basic") || is_random(name);
    is_secret.then_some(Token { at: authority..authority + name.len(), kind: TokenKind::User })
}

/// Returns whether a text begins like a key or a JSON Web Token.
fn is_shaped(text: &[u8]) -> bool {
    let [first, second, ..] = *text else { return false };
    // A text may consist of marks, and comparing all keys costs 1,500 instructions per mark.
    SECONDS[usize::from(first)] >> (second & 31) & 1 == 1
        && (text.starts_with(b"eyJ") || KEYS.iter().any(|key| text.starts_with(key.prefix.as_bytes())))
}

/// Matches white space, controls, and the characters that enclose URLs in text.
pub(super) fn ends_word(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'\x7f' | b'<' | b'>' | b'"')
}

/// For each first byte of the [keys](KEYS) and of a JSON Web Token, the bits of the second bytes.
/// The last five bits of a byte are its number here.
static SECONDS: [u32; 256] = {
    let mut seconds = [0; 256];
    seconds[b'e' as usize] = 1 << (b'y' & 31);
    let mut i = 0;
    while i < KEYS.len() {
        let prefix = KEYS[i].prefix.as_bytes();
        seconds[prefix[0] as usize] |= 1 << (prefix[1] & 31);
        i += 1;
    }
    seconds
};

/// Returns the end of a value, and the value decoded.
///
/// The value continues over line breaks while the text looks like more of it. Marks of replies and
/// comments after a break are skipped. A word of a path or a text ends where a secret may begin. So
/// no byte is read for many words.
fn run(text: &[u8], start: usize, is_word: bool) -> (usize, Vec<u8>) {
    let is_value = |byte: u8| is_value(byte) && !(is_word && BEGINS[byte as usize]);
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
/// The [marks](MARKS) of a search may not, so no byte is scanned for two values.
fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'%' | b'!' | b'*' | b'$' | b'|' | b':' | b',')
}

/// Returns whether a value is a JSON Web Token: header, payload and signature. Header and payload
/// are JSON objects, so their base64 begins with `eyJ`.
fn is_jwt(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'.');
    let is_object = |part: Option<&[u8]>| part.is_some_and(|part| part.len() > 3 && part.starts_with(b"eyJ"));
    is_object(parts.next()) && is_object(parts.next()) && parts.next().is_some()
}

/// Returns the kind of key that a value begins with.
fn key_of(value: &[u8]) -> Option<&'static KeyPrefix> {
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let fits = |rest: &[u8], least: usize| rest.iter().take_while(|byte| is_key(byte)).count() >= least;
    let keys = if is_shaped(value) { KEYS } else { &[] };
    keys.iter().find(|key| value.strip_prefix(key.prefix.as_bytes()).is_some_and(|rest| fits(rest, key.least)))
}

/// Returns whether a value mixes letters and digits, has enough different ones, and holds no URL.
fn is_mixed(value: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| value.iter().filter(|byte| is(byte)).count();
    let (letters, digits) = (count(u8::is_ascii_alphabetic), count(u8::is_ascii_digit));
    letters > 0 && digits > 0 && letters + digits >= LEAST && are_different(value) && !holds_url(value)
}

/// Returns whether a value has enough different bytes.
fn are_different(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    value.iter().filter(|&&byte| !std::mem::replace(&mut seen[byte as usize], true)).nth(LEAST_DIFFERENT - 1).is_some()
}

/// Returns whether a value looks like a secret. Its letters and digits are mixed, or long without a
/// mark between words.
pub(super) fn looks_secret(value: &[u8]) -> bool {
    is_mixed(value) || longest_run(value) >= LEAST && are_different(value) && !holds_url(value)
}

/// Returns whether a value mixes letters and digits, and no marks cut it into words.
fn is_random(value: &[u8]) -> bool {
    value.len() >= LEAST && is_mixed(value) && longest_run(value) >= LEAST
}

/// Returns the length of the longest run of letters and digits.
fn longest_run(value: &[u8]) -> usize {
    value.split(|byte| !byte.is_ascii_alphanumeric()).map(<[u8]>::len).max().unwrap_or_default()
}

pub(super) fn holds_url(value: &[u8]) -> bool {
    memmem::find(value, b"://").is_some()
}
